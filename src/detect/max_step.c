/// @file max_step.c  The largest safe fraction of the step: search a small part of the step first.
///
/// Boxes over [0, T] are much smaller than boxes over the step. Every pair that touches at a time
/// <= T is among the pairs whose boxes over [0, T] overlap, so if the earliest time found there is
/// at most T - tolerance, no other pair has an earlier one (a reported time is at most the
/// tolerance early). Otherwise a second search covers the whole step, with the boxes of the blocks.
#include "detect/search.h"
#include "geom/box.h"
#include <float.h>
#include <math.h>
#include <string.h>

// Bound of the error of a time of impact for a query with tolerance 0.
#define SMALLEST_TOLERANCE 0x1p-38

#define WINDOW 0x1p-4  // T

typedef struct window {
    const frc_world* world;
    frc_low *from, *to;  // by point: lower and upper bounds over [0, T]
    frc_tree* trees;     // by block; NULL: the method uses no trees
} window;

// x0 + T (x1 - x0) has three roundings, each of a value of at most 2 max(|x0|, |x1|): the error is
// below 8 * 2^-53 (|x0| + |x1|). If the difference overflows the box is unbounded. The upper bound
// is the float after `to`.
static void fit_axis(const double x[2], double until, float* from, float* to) {
    double span = x[1] - x[0], end = x[0] + until * span;
    double error = fabs(x[0]) * 0x1p-50 + fabs(x[1]) * 0x1p-50;
    double low = end - error, high = end + error;
    bool finite = fabs(span) < INFINITY;
    *from = finite && low > -INFINITY ? frc_round_down(low) : -INFINITY;
    *to = finite && high < INFINITY ? frc_round_down(high) + 0.0F : FLT_MAX;
}

// Bounds of all points, then the boxes of all trees.
static void fit_window(window* w) {
    const frc_topology* topology = w->world->topology;
    for (size_t i = 0; i < topology->points.count; i++) {
        const frc_point* p = &topology->points.data[i];
        w->from[i] = w->to[i] = frc_low_of(p);
        float *from = w->from[i].at[1], *to = w->to[i].at[1];
        fit_axis(p->x, WINDOW, &from[0], &to[0]);
        fit_axis(p->y, WINDOW, &from[1], &to[1]);
        fit_axis(p->z, WINDOW, &from[2], &to[2]);
    }
    const frc_lows lows = {w->from, w->to};
    for (uint32_t i = 0; i < w->world->block_count; i++) {
        const frc_block* block = w->world->blocks[i];
        float lo[3], hi[3];
        if (w->trees && block) frc_block_refit_into(block, &lows, &w->trees[i], lo, hi);
    }
}

static void release_window(window* w) {
    fracas_context* context = w->world->context;
    uint32_t count = w->world->block_count;
    for (uint32_t i = 0; w->trees && i < count; i++)
        if (w->world->blocks[i]) frc_tree_release(context, w->world->blocks[i], &w->trees[i]);
    frc_release(context, w->trees, count * sizeof *w->trees);
    const size_t size = w->world->topology->points.count * sizeof(frc_low);
    frc_release(context, w->from, size);
    frc_release(context, w->to, size);
}

// False: no memory; release_window releases what was allocated.
static bool allocate_window(window* w) {
    fracas_context* context = w->world->context;
    uint32_t count = w->world->block_count;
    const size_t size = w->world->topology->points.count * sizeof(frc_low);
    w->from = frc_allocate(context, size);
    w->to = frc_allocate(context, size);
    if (!w->from || !w->to) return false;
    if (!w->world->method->needs_trees) return true;
    w->trees = frc_allocate_zero(context, count * sizeof *w->trees);
    if (!w->trees) return false;
    for (uint32_t i = 0; i < count; i++) {
        const frc_block* block = w->world->blocks[i];
        if (!block) continue;
        if (!frc_tree_allocate(context, block, FRC_BOXES_STEP, &w->trees[i])) return false;
        memcpy(w->trees[i].nodes, block->tree[FRC_BOXES_STEP].nodes,
               block->node_count * sizeof(frc_node));
    }
    return true;
}

// The earliest time of impact in the window, or in the whole step if `w` is NULL; 1 if there is no
// contact.
static fracas_status search_earliest(const frc_world* world, const fracas_query* query,
                                     const window* w, double* toi) {
    const frc_lows lows = w ? (frc_lows){w->from, w->to} : world->lows;
    const double begin = w ? 0 : 0.5;
    fracas_statistics statistics = {.earliest_toi = INFINITY};
    const frc_search_options options = {
        .kind = FRC_SEARCH_CONTINUOUS,
        .query = query,
        .distance = query->min_separation,
        .trees = w ? w->trees : NULL,
        .lows = &lows,
        .progress = {begin, begin + 0.5}
    };
    fracas_status status = frc_search(world, &options, NULL, &statistics);
    *toi = statistics.earliest_toi < INFINITY ? statistics.earliest_toi : 1;
    return status;
}

fracas_status frc_max_step(const frc_world* world, const fracas_query* query, double* out) {
    window w = {.world = world};
    if (world->method->needs_trees ? world->block_count == 0 : world->topology->points.count == 0) {
        *out = 1;
        return FRACAS_OK;
    }
    double toi = 1;
    bool found = false;
    fracas_status status = FRACAS_OK;
    if (world->method->whole_steps) {
        // A part of the step would be searched as the whole.
    } else if (allocate_window(&w)) {
        fit_window(&w);
        status = search_earliest(world, query, &w, &toi);
        found = toi <= WINDOW - (query->tolerance + SMALLEST_TOLERANCE);
    } else {
        status = frc_fail_memory(world->context, sizeof(frc_tree));
    }
    release_window(&w);
    if (status == FRACAS_OK && !found) status = search_earliest(world, query, NULL, &toi);
    if (status == FRACAS_OK) *out = toi < query->t_max ? toi : query->t_max;
    return status;
}
