/// @file method_trees.c  The default method: pairs of bodies by their trees, in parallel.
#include "base/parallel.h"
#include "medial/narrow_phase.h"

static void fill(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const frc_medial_search* s = data;
    for (uint32_t i = begin; i < end; i++)
        if (s->step.moving[i].nodes) frc_medial_moving_fill(&s->step.moving[i]);
}

static void query_pairs(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const frc_medial_search* s = data;
    frc_medial_scratch* scratch = &s->workers[worker];
    for (uint32_t i = begin; i < end; i++) {
        const size_t first = scratch->contacts.count;
        frc_medial_pair_query(s->bodies->context, s->step.moving, s->pairs.data[i].a,
                              s->pairs.data[i].b, s->query, scratch);
        s->ranges[i] = (frc_medial_range){worker, first, scratch->contacts.count};
    }
}

// Memory for bodies in a pair. False: there is none.
static bool allocate(frc_medial_search* s) {
    for (size_t i = 0; i < s->pairs.count; i++)
        for (int side = 0; side < 2; side++) {
            frc_medial_moving* m =
                &s->step.moving[side == 0 ? s->pairs.data[i].a : s->pairs.data[i].b];
            if (!m->nodes && !frc_medial_moving_allocate(m, &s->arena)) return false;
        }
    return true;
}

static fracas_status run(frc_medial_search* s) {
    fracas_context* context = s->bodies->context;
    if (!allocate(s)) {
        s->workers[0].failed = true;
        return FRACAS_OK;
    }
    frc_parallel_for(context, s->step.count, 1, fill, s);
    frc_parallel_for(context, (uint32_t)s->pairs.count, 1, query_pairs, s);
    return FRACAS_OK;
}

const frc_medial_method frc_medial_trees = {.run = run};
