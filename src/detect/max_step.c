/// @file max_step.c  The largest safe fraction of the step: search a small part of the step first.
///
/// Boxes over [0, T] are much smaller than boxes over the step. Every pair that touches at a time
/// <= T is among the pairs whose boxes over [0, T] meet, so when the earliest time found there is
/// at most T - tolerance, no other pair can have an earlier one (a reported time is at most the
/// tolerance early). Otherwise T grows; the last search is over the whole step with the boxes that
/// are there anyway.
#include "detect/search.h"
#include "geom/box.h"
#include <math.h>
#include <string.h>

// A time may be this early, however small the query's tolerance is.
#define SMALLEST_TOLERANCE 0x1p-38

typedef struct window {
    const frc_world* world;
    double until;
    frc_point_box* point_boxes[2];  // at 0 and at T
    frc_tree* trees;                // by block; NULL: there are none
} window;

// x0 + T (x1 - x0) has three roundings, each relative to at most 2 max(|x0|, |x1|) of values that
// are at most that large: the error is below 8 * 2^-53 (|x0| + |x1|). Where the difference
// overflows the box is without bounds.
static void fit_axis(const double x[2], double until, float* lo, float* hi) {
    double span = x[1] - x[0], end = x[0] + until * span;
    double error = fabs(x[0]) * 0x1p-50 + fabs(x[1]) * 0x1p-50;
    double low = end - error, high = end + error;
    bool finite = fabs(span) < INFINITY;
    *lo = finite && low > -INFINITY ? frc_round_down(low) : -INFINITY;
    *hi = finite && high < INFINITY ? frc_round_up(high) : INFINITY;
}

static void fit_points(window* w) {
    const frc_topology* topology = w->world->topology;
    for (size_t i = 0; i < topology->points.count; i++) {
        const frc_point* p = &topology->points.data[i];
        frc_point_box* box = &w->point_boxes[1][i];
        fit_axis(p->x, w->until, &box->lo[0], &box->hi[0]);
        fit_axis(p->y, w->until, &box->lo[1], &box->hi[1]);
        fit_axis(p->z, w->until, &box->lo[2], &box->hi[2]);
        box->lo[3] = box->hi[3] = 0;
        w->point_boxes[0][i] = frc_point_box_at(p, 0);
    }
}

static bool usable(const frc_block* block) { return block && !block->dead; }

static void fit_blocks(window* w) {
    const frc_point_box* const at[2] = {w->point_boxes[0], w->point_boxes[1]};
    for (uint32_t i = 0; i < w->world->block_count; i++) {
        const frc_block* block = w->world->blocks[i];
        float lo[3], hi[3];
        if (usable(block)) frc_block_refit_into(block, at, &w->trees[i], lo, hi);
    }
}

static void release_window(window* w) {
    fracas_context* context = w->world->context;
    uint32_t count = w->world->block_count;
    for (uint32_t i = 0; w->trees && i < count; i++)
        if (usable(w->world->blocks[i]))
            frc_tree_release(context, w->world->blocks[i], &w->trees[i]);
    frc_release(context, w->trees, count * sizeof *w->trees);
    for (int end = 0; end < 2; end++)
        frc_release(context, w->point_boxes[end],
                    w->world->topology->points.count * sizeof(frc_point_box));
}

static bool allocate_window(window* w) {
    fracas_context* context = w->world->context;
    uint32_t count = w->world->block_count;
    for (int end = 0; end < 2; end++)
        w->point_boxes[end] =
            frc_allocate(context, w->world->topology->points.count * sizeof(frc_point_box));
    if (w->world->hash.used) return w->point_boxes[0] && w->point_boxes[1];
    w->trees = frc_allocate_zero(context, count * sizeof *w->trees);
    if (!w->trees || !w->point_boxes[0] || !w->point_boxes[1]) return false;
    for (uint32_t i = 0; i < count; i++) {
        const frc_block* block = w->world->blocks[i];
        if (!usable(block)) continue;
        if (!frc_tree_allocate(context, block, FRC_BOXES_STEP, &w->trees[i])) return false;
        memcpy(w->trees[i].nodes, block->tree[FRC_BOXES_STEP].nodes,
               block->node_count * sizeof(frc_node));
    }
    return true;
}

// `turn` of the two searches that there are at most. Without a window it is the whole step.
static fracas_status search_earliest(const frc_world* world, const fracas_query* query,
                                     const window* w, size_t turn, double* toi) {
    const frc_point_box* const boxes[2] = {w ? w->point_boxes[0] : NULL,
                                           w ? w->point_boxes[1] : NULL};
    fracas_statistics statistics = {.earliest_toi = INFINITY};
    frc_search_options options = {
        .search = FRC_SEARCH_CONTINUOUS,
        .query = query,
        .reach = query->min_separation,
        .trees = w ? w->trees : NULL,
        .point_boxes = w ? boxes : NULL,
        .progress = {0.5 * (double)turn, 0.5 * (double)turn + 0.5}
    };
    fracas_status status = frc_search_run(world, &options, NULL, &statistics);
    *toi = statistics.earliest_toi < INFINITY ? statistics.earliest_toi : 1;
    return status;
}

fracas_status frc_max_step(const frc_world* world, const fracas_query* query, double* out) {
    static const double windows[] = {0x1p-4};
    window w = {.world = world};
    if (world->hash.used ? world->topology->points.count == 0 : world->block_count == 0) {
        *out = 1;
        return FRACAS_OK;
    }
    fracas_status status = FRACAS_OK;
    if (!allocate_window(&w)) status = frc_fail_memory(world->context, sizeof(frc_tree));
    double toi = 1;
    bool found = false;
    for (size_t i = 0; i < sizeof windows / sizeof *windows && status == FRACAS_OK && !found; i++) {
        w.until = windows[i];
        fit_points(&w);
        fit_blocks(&w);
        status = search_earliest(world, query, &w, i, &toi);
        found = toi <= w.until - (query->tolerance + SMALLEST_TOLERANCE);
    }
    release_window(&w);
    if (status == FRACAS_OK && !found) status = search_earliest(world, query, NULL, 1, &toi);
    if (status == FRACAS_OK) *out = toi;
    return status;
}
