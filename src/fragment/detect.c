/// @file detect.c  Contacts of all fragments: broad phase, then the pairs in parallel, each in both
/// directions.
#include "base/arena.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "fragment/broad_phase.h"
#include "fragment/pair_query.h"
#include "geom/pose.h"
#include "geom/vec3.h"
#include <math.h>
#include <string.h>

// ---- poses

// The nearest orthonormal rows, starting with the first.
static void make_orthonormal(const double in[9], double out[9]) {
    double row[3][3];
    memcpy(row, in, sizeof row);
    for (int i = 0; i < 2; i++) {
        const double along = i == 1 ? frc_vec3_dot(row[1], row[0]) : 0;
        for (int k = 0; k < 3; k++) row[i][k] -= along * row[0][k];
        frc_vec3_scale(row[i], 1 / sqrt(frc_vec3_dot(row[i], row[i])), row[i]);
    }
    frc_vec3_cross(row[0], row[1], row[2]);
    memcpy(out, row, sizeof row);
}

fracas_status fracas_fragments_set_pose(fracas_fragments* fragments, fracas_fragment fragment,
                                        const fracas_pose* pose) {
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!pose) return frc_fail_null(fragments->context, "fracas_fragments_set_pose", "pose");
    frc_fragment* f = frc_fragments_get(fragments, fragment);
    if (!f) return FRACAS_ERROR_STALE_HANDLE;
    const fracas_status status =
        frc_pose_check(fragments->context, pose, "fragment", fragment.index);
    if (status != FRACAS_OK) return status;
    f->pose = *pose;
    make_orthonormal(pose->rotation, f->pose.rotation);
    return FRACAS_OK;
}

fracas_status fracas_fragments_set_fixed(fracas_fragments* fragments, fracas_fragment fragment,
                                         bool fixed) {
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    frc_fragment* f = frc_fragments_get(fragments, fragment);
    if (!f) return FRACAS_ERROR_STALE_HANDLE;
    f->fixed = fixed;
    return FRACAS_OK;
}

// ---- the query

fracas_fragment_query fracas_fragments_default_query(void) {
    return (fracas_fragment_query){
        .struct_size = sizeof(fracas_fragment_query), .contact_count = 8, .skin = 0.002};
}

static fracas_status check_query(fracas_context* context, const fracas_fragment_query* q) {
    if (q->struct_size != sizeof *q)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_fragment_query is not initialised: start from "
                        "fracas_fragments_default_query()");
    if ((uint32_t)q->selection > FRACAS_CONTACT_SELECTION_ALL ||
        (uint32_t)q->order > FRACAS_CONTACT_ORDER_BREADTH_FIRST)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "selection is %d and order is %d: they must be values of their types",
                        (int)q->selection, (int)q->order);
    if (q->contact_count == 0)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "contact_count is 0: it must be at least 1");
    if (!(q->skin >= 0 && q->skin < INFINITY && q->distance >= 0 && q->distance < INFINITY))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "skin is %g and distance is %g: they must be finite, at least 0", q->skin,
                        q->distance);
    return FRACAS_OK;
}

// Where the contacts of a pair are.
typedef struct pair_range {
    uint32_t worker;
    size_t begin, end;
} pair_range;

typedef struct detecting {
    const fracas_fragments* fragments;
    const fracas_fragment_query* query;
    frc_body_pairs pairs;
    pair_range* ranges;         // by pair
    frc_pair_scratch* workers;  // by worker
} detecting;

static void query_pairs(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const detecting* d = data;
    const fracas_fragments* all = d->fragments;
    frc_pair_scratch* s = &d->workers[worker];
    for (uint32_t i = begin; i < end; i++) {
        const frc_body_pair pair = d->pairs.data[i];
        const frc_numbered a = {&all->list.data[pair.a], pair.a},
                           b = {&all->list.data[pair.b], pair.b};
        const size_t first = s->contacts.count;
        const fracas_pose pose = frc_pose_relative(&a.fragment->pose, &b.fragment->pose);
        frc_pair_slab slabs[2];
        if (frc_pair_slab_make(a.fragment, b.fragment, &pose, d->query->distance, slabs)) {
            frc_pair_query(&a, &b, &slabs[0], all->options.field_update, d->query, s);
            frc_pair_query(&b, &a, &slabs[1], all->options.field_update, d->query, s);
        }
        d->ranges[i] = (pair_range){worker, first, s->contacts.count};
    }
}

// Memory for all workers.
static bool allocate(detecting* d, frc_arena* arena) {
    const fracas_fragments* all = d->fragments;
    const uint32_t workers = frc_worker_count(all->context);
    uint32_t most = 0;
    for (uint32_t i = 0; i < all->list.count; i++)
        if (frc_handles_in_use(&all->handles, i) && all->list.data[i].tree.node_count > most)
            most = all->list.data[i].tree.node_count;
    d->workers = frc_arena_allocate_zero(arena, workers, sizeof *d->workers);
    d->ranges = frc_arena_allocate(arena, d->pairs.count, sizeof *d->ranges);
    bool ok = d->workers && d->ranges;
    for (uint32_t w = 0; ok && w < workers; w++) {
        frc_pair_scratch* s = &d->workers[w];
        s->queue = frc_arena_allocate(arena, 2 * (size_t)most + 1, sizeof *s->queue);
        s->next = frc_arena_allocate(arena, 2 * (size_t)most + 1, sizeof *s->next);
        ok = s->queue && s->next;
    }
    return ok;
}

static void send(const detecting* d, const fracas_fragment_sink* sink) {
    const frc_handles* handles = &d->fragments->handles;
    for (uint32_t i = 0; i < d->pairs.count; i++)
        for (size_t k = d->ranges[i].begin; k < d->ranges[i].end; k++) {
            fracas_fragment_contact c = d->workers[d->ranges[i].worker].contacts.data[k];
            c.a.generation = frc_handles_generation(handles, c.a.index);
            c.b.generation = frc_handles_generation(handles, c.b.index);
            if (!sink->report(&c, sink->user)) return;
        }
}

static void add_statistics(fracas_fragment_statistics* sum, const fracas_fragment_statistics* s) {
    sum->visited += s->visited;
    sum->culled += s->culled;
    sum->located += s->located;
    sum->colliding += s->colliding;
}

static fracas_status detect(detecting* d, frc_arena* arena, const fracas_fragment_sink* sink,
                            fracas_fragment_statistics* statistics) {
    fracas_context* context = d->fragments->context;
    const double start = frc_clock_ms();
    bool ok = frc_broad_phase(d->fragments, &d->pairs) && d->pairs.count < UINT32_MAX &&
              allocate(d, arena);
    statistics->ms_broad = frc_clock_ms() - start;
    if (ok) {
        frc_parallel_for(context, (uint32_t)d->pairs.count, 1, query_pairs, d);
        for (uint32_t w = 0; w < frc_worker_count(context); w++) {
            ok = ok && !d->workers[w].failed;
            statistics->contacts += d->workers[w].contacts.count;
            add_statistics(statistics, &d->workers[w].statistics);
        }
    }
    if (frc_cancelled(context))
        return frc_fail(context, FRACAS_ERROR_CANCELLED, "fracas_fragments_detect was cancelled");
    if (!ok)
        return frc_fail(context, FRACAS_ERROR_OUT_OF_MEMORY, "no memory for contacts of %zu pairs",
                        d->pairs.count);
    statistics->pairs = d->pairs.count;
    statistics->ms_total = frc_clock_ms() - start;
    if (sink->statistics) *sink->statistics = *statistics;
    if (sink->report) send(d, sink);
    return FRACAS_OK;
}

fracas_status fracas_fragments_detect(const fracas_fragments* fragments,
                                      const fracas_fragment_query* given,
                                      const fracas_fragment_sink* sink) {
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = fragments->context;
    if (!sink) return frc_fail_null(context, "fracas_fragments_detect", "sink");
    const fracas_fragment_query query = given ? *given : fracas_fragments_default_query();
    fracas_status status = check_query(context, &query);
    if (status != FRACAS_OK) return status;
    frc_arena arena = frc_arena_make(context);
    detecting d = {.fragments = fragments, .query = &query};
    fracas_fragment_statistics statistics = {0};
    status = detect(&d, &arena, sink, &statistics);
    for (uint32_t w = 0; d.workers && w < frc_worker_count(context); w++)
        FRC_ARRAY_RELEASE(context, &d.workers[w].contacts);
    FRC_ARRAY_RELEASE(context, &d.pairs);
    frc_arena_release(&arena);
    return status;
}
