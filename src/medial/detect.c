/// @file detect.c  Contacts of all bodies: broad phase, then the pairs in parallel.
#include "base/clock.h"
#include "base/parallel.h"
#include "medial/broad_phase.h"
#include "medial/pair_query.h"
#include <math.h>

fracas_medial_query fracas_medial_bodies_default_query(void) {
    return (fracas_medial_query){.struct_size = sizeof(fracas_medial_query), .tolerance = 1e-4};
}

static fracas_status check_query(fracas_context* context, const fracas_medial_query* q) {
    if (q->struct_size != sizeof *q)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_medial_query is not initialised: start from "
                        "fracas_medial_bodies_default_query()");
    if ((uint32_t)q->selection > FRACAS_MEDIAL_SELECTION_FIRST ||
        (uint32_t)q->broad_phase > FRACAS_MEDIAL_BROAD_PHASE_NONE)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "selection is %d and broad_phase is %d: they must be values of their types",
                        (int)q->selection, (int)q->broad_phase);
    if (!(q->tolerance > 0 && q->tolerance <= 1))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "tolerance is %g: it must be positive, at most 1", q->tolerance);
    return FRACAS_OK;
}

// Where the contacts of a pair are.
typedef struct pair_range {
    uint32_t worker;
    size_t begin, end;
} pair_range;

typedef struct detecting {
    const fracas_medial_bodies* bodies;
    const fracas_medial_query* query;
    frc_medial_step step;
    frc_body_pairs pairs;
    pair_range* ranges;           // by pair
    frc_medial_scratch* workers;  // by worker
} detecting;

static void fill(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const detecting* d = data;
    for (uint32_t i = begin; i < end; i++)
        if (d->step.moving[i].nodes) frc_medial_moving_fill(&d->step.moving[i]);
}

static void query_pairs(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const detecting* d = data;
    frc_medial_scratch* s = &d->workers[worker];
    for (uint32_t i = begin; i < end; i++) {
        const size_t first = s->contacts.count;
        frc_medial_pair_query(d->bodies->context, d->step.moving, d->pairs.data[i].a,
                              d->pairs.data[i].b, d->query, s);
        d->ranges[i] = (pair_range){worker, first, s->contacts.count};
    }
}

// False: no memory.
static bool find_pairs(detecting* d, frc_arena* arena) {
    const fracas_medial_bodies* bodies = d->bodies;
    d->step.count = (uint32_t)bodies->list.count;
    d->step.moving = frc_arena_allocate_zero(arena, d->step.count, sizeof *d->step.moving);
    if (!d->step.moving) return false;
    for (uint32_t i = 0; i < d->step.count; i++)
        if (frc_handles_in_use(&bodies->handles, i))
            frc_medial_moving_begin(&bodies->list.data[i], d->query->tolerance, &d->step.moving[i]);
    return frc_medial_broad_phase(bodies->context, &d->step, d->query->broad_phase, &d->pairs) &&
           d->pairs.count < UINT32_MAX;
}

// Memory for bodies in a pair, and for all workers.
static bool allocate(detecting* d, frc_arena* arena) {
    for (size_t i = 0; i < d->pairs.count; i++)
        for (int side = 0; side < 2; side++) {
            frc_medial_moving* m =
                &d->step.moving[side == 0 ? d->pairs.data[i].a : d->pairs.data[i].b];
            if (!m->nodes && !frc_medial_moving_allocate(m, arena)) return false;
        }
    d->workers =
        frc_arena_allocate_zero(arena, frc_worker_count(d->bodies->context), sizeof *d->workers);
    d->ranges = frc_arena_allocate(arena, d->pairs.count, sizeof *d->ranges);
    return d->workers && d->ranges;
}

static void send(const detecting* d, const fracas_medial_sink* sink) {
    const frc_handles* handles = &d->bodies->handles;
    for (size_t i = 0; i < d->pairs.count; i++)
        for (size_t k = d->ranges[i].begin; k < d->ranges[i].end; k++) {
            fracas_medial_contact c = d->workers[d->ranges[i].worker].contacts.data[k];
            c.a.generation = frc_handles_generation(handles, c.a.index);
            c.b.generation = frc_handles_generation(handles, c.b.index);
            if (!sink->report(&c, sink->user)) return;
        }
}

static void add_statistics(const detecting* d, fracas_medial_statistics* sum) {
    sum->pairs = d->pairs.count;
    for (uint32_t w = 0; w < frc_worker_count(d->bodies->context); w++) {
        const fracas_medial_statistics* s = &d->workers[w].statistics;
        sum->contacts += d->workers[w].contacts.count;
        sum->primitive_pairs += s->primitive_pairs;
        sum->node_tests += s->node_tests;
        sum->primitive_tests += s->primitive_tests;
    }
}

static fracas_status detect(detecting* d, frc_arena* arena, const fracas_medial_sink* sink) {
    fracas_context* context = d->bodies->context;
    fracas_medial_statistics statistics = {0};
    const double start = frc_clock_ms();
    bool ok = find_pairs(d, arena);
    statistics.ms_broad = frc_clock_ms() - start;
    ok = ok && allocate(d, arena);
    if (ok) {
        frc_parallel_for(context, d->step.count, 1, fill, d);
        frc_parallel_for(context, (uint32_t)d->pairs.count, 1, query_pairs, d);
        for (uint32_t w = 0; w < frc_worker_count(context); w++) ok = ok && !d->workers[w].failed;
    }
    if (frc_cancelled(context))
        return frc_fail(context, FRACAS_ERROR_CANCELLED,
                        "fracas_medial_bodies_detect was cancelled");
    if (!ok)
        return frc_fail(context, FRACAS_ERROR_OUT_OF_MEMORY,
                        "no memory for contacts of %zu pairs of bodies", d->pairs.count);
    add_statistics(d, &statistics);
    statistics.ms_total = frc_clock_ms() - start;
    if (sink->statistics) *sink->statistics = statistics;
    if (sink->report) send(d, sink);
    return FRACAS_OK;
}

fracas_status fracas_medial_bodies_detect(const fracas_medial_bodies* bodies,
                                          const fracas_medial_query* given,
                                          const fracas_medial_sink* sink) {
    if (!bodies) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = bodies->context;
    if (!sink) return frc_fail_null(context, "fracas_medial_bodies_detect", "sink");
    const fracas_medial_query query = given ? *given : fracas_medial_bodies_default_query();
    fracas_status status = check_query(context, &query);
    if (status != FRACAS_OK) return status;
    frc_arena arena = frc_arena_make(context);
    detecting d = {.bodies = bodies, .query = &query};
    status = detect(&d, &arena, sink);
    for (uint32_t w = 0; d.workers && w < frc_worker_count(context); w++)
        FRC_ARRAY_RELEASE(context, &d.workers[w].contacts);
    FRC_ARRAY_RELEASE(context, &d.pairs);
    frc_arena_release(&arena);
    return status;
}
