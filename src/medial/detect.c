/// @file detect.c  Contacts of all bodies: broad phase, then the method of the bodies.
#include "base/clock.h"
#include "base/parallel.h"
#include "medial/narrow_phase.h"
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

enum { GRAIN = 256 };  // bodies of one task

static void begin_moving(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const frc_medial_search* s = data;
    const fracas_medial_bodies* bodies = s->bodies;
    for (uint32_t i = begin; i < end; i++)
        if (frc_handles_in_use(&bodies->handles, i))
            frc_medial_moving_begin(&bodies->list.data[i], s->query->tolerance, &s->step.moving[i]);
}

// False: no memory.
static bool find_pairs(frc_medial_search* s) {
    const fracas_medial_bodies* bodies = s->bodies;
    s->step.count = (uint32_t)bodies->list.count;
    s->step.moving = frc_arena_allocate_zero(&s->arena, s->step.count, sizeof *s->step.moving);
    if (!s->step.moving) return false;
    frc_parallel_for(bodies->context, s->step.count, GRAIN, begin_moving, s);
    return frc_medial_broad_phase(bodies->context, &s->step, s->query->broad_phase, &s->pairs) &&
           s->pairs.count < UINT32_MAX;
}

static bool allocate(frc_medial_search* s) {
    s->workers = frc_arena_allocate_zero(&s->arena, frc_worker_count(s->bodies->context),
                                         sizeof *s->workers);
    s->ranges = frc_arena_allocate(&s->arena, s->pairs.count, sizeof *s->ranges);
    return s->workers && s->ranges;
}

static void send(const frc_medial_search* d, const fracas_medial_sink* sink) {
    const frc_handles* handles = &d->bodies->handles;
    for (size_t i = 0; i < d->pairs.count; i++)
        for (size_t k = d->ranges[i].begin; k < d->ranges[i].end; k++) {
            fracas_medial_contact c = d->workers[d->ranges[i].worker].contacts.data[k];
            c.a.generation = frc_handles_generation(handles, c.a.index);
            c.b.generation = frc_handles_generation(handles, c.b.index);
            if (!sink->report(&c, sink->user)) return;
        }
}

static void add_statistics(const frc_medial_search* d, fracas_medial_statistics* sum) {
    sum->pairs = d->pairs.count;
    for (size_t i = 0; i < d->pairs.count; i++)
        sum->contacts += d->ranges[i].end - d->ranges[i].begin;
    for (uint32_t w = 0; w < frc_worker_count(d->bodies->context); w++) {
        const fracas_medial_statistics* s = &d->workers[w].statistics;
        sum->primitive_pairs += s->primitive_pairs;
        sum->node_tests += s->node_tests;
        sum->primitive_tests += s->primitive_tests;
    }
}

static fracas_status detect(frc_medial_search* d, const fracas_medial_sink* sink) {
    fracas_context* context = d->bodies->context;
    fracas_medial_statistics statistics = {0};
    const double start = frc_clock_ms();
    bool ok = find_pairs(d);
    statistics.ms_broad = frc_clock_ms() - start;
    ok = ok && allocate(d);
    if (ok) {
        const fracas_status status = d->bodies->method->run(d);
        if (status != FRACAS_OK) return status;
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
    frc_medial_search d = {.bodies = bodies, .query = &query, .arena = frc_arena_make(context)};
    status = detect(&d, sink);
    for (uint32_t w = 0; d.workers && w < frc_worker_count(context); w++)
        FRC_ARRAY_RELEASE(context, &d.workers[w].contacts);
    FRC_ARRAY_RELEASE(context, &d.pairs);
    frc_arena_release(&d.arena);
    return status;
}
