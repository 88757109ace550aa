/// @file candidates.c  Pairs of features whose boxes over the step meet, and queries of such pairs.
///
/// Lists of candidates are decided by the narrow phase of all queries: a search method of its own
/// hands out parts of the lists in place of pairs of nodes.
#include "base/clock.h"
#include "detect/narrow_phase.h"
#include <math.h>

enum { PART = 1 << 14 };  // candidates of one task

static frc_search_options search_options(double distance, const fracas_query* query) {
    return (frc_search_options){
        .kind = FRC_SEARCH_CANDIDATES, .query = query, .distance = distance, .progress = {0, 1}
    };
}

static fracas_query all_pairs(void) {
    fracas_query query = fracas_scene_default_query();
    query.siblings = FRACAS_SIBLINGS_REPORT;
    return query;
}

fracas_status frc_report_candidates(const frc_world* world, double distance,
                                    const fracas_sink* sink) {
    const fracas_query query = all_pairs();
    const frc_search_options options = search_options(distance, &query);
    return frc_search_and_report(world, &options, sink);
}

// ---- collecting

static bool append(fracas_context* context, const frc_candidate_list* from,
                   frc_candidate_list* to) {
    if (from->count == 0) return true;
    if (!FRC_ARRAY_RESERVE(context, to, to->count + from->count)) return false;
    memcpy(to->data + to->count, from->data, from->count * sizeof *from->data);
    to->count += from->count;
    return true;
}

fracas_status frc_collect_candidates(const frc_world* world, double distance,
                                     frc_candidate_list out[2]) {
    fracas_context* context = world->context;
    const uint32_t workers = frc_worker_count(context);
    const fracas_query query = all_pairs();
    fracas_statistics unused = {.earliest_toi = INFINITY};
    frc_search_options options = search_options(distance, &query);
    const size_t size = workers * sizeof *options.kept;
    options.kept = frc_allocate_zero(context, size);
    if (!options.kept) return frc_fail_memory(context, size);
    fracas_status status = frc_search(world, &options, NULL, &unused);
    for (uint32_t i = 0; i < workers; i++)
        for (int kind = 0; kind < 2; kind++) {
            if (status == FRACAS_OK && !append(context, &options.kept[i][kind], &out[kind]))
                status =
                    frc_fail_memory(context, options.kept[i][kind].count * sizeof(frc_candidate));
            FRC_ARRAY_RELEASE(context, &options.kept[i][kind]);
        }
    frc_release(context, options.kept, size);
    return status;
}

// ---- deciding

typedef struct listed {
    const frc_candidate_list* lists;  // by frc_ccd_kind
} listed;

// A task is part ref_a of the list of kind block_a, which has ref_b candidates.
static void divide_lists(frc_search_run* run) {
    const frc_candidate_list* lists = ((const listed*)run->world->method_data)->lists;
    fracas_context* context = run->world->context;
    run->method_data = run->world->method_data;
    for (uint32_t kind = 0; kind < 2; kind++)
        for (size_t begin = 0; begin < lists[kind].count; begin += PART) {
            const size_t left = lists[kind].count - begin;
            const frc_work part = {kind, 0, (uint32_t)(begin / PART),
                                   (uint32_t)(left < PART ? left : PART)};
            if (!FRC_ARRAY_PUSH(context, &run->tasks, part)) run->workers[0]->out_of_memory = true;
        }
}

static void decide_part(frc_detect_worker* worker, const frc_work* part, void* data) {
    const frc_candidate_list* lists = ((const listed*)data)->lists;
    const frc_candidate* list = lists[part->block_a].data + (size_t)part->ref_a * PART;
    worker->axis_tested = false;
    for (uint32_t i = 0; i < part->ref_b; i++) {
        const uint32_t* p = list[i].point;
        const frc_ccd_pair pair = {
            {p[0], p[1], p[2], p[3]}
        };
        if (part->block_a == FRC_CCD_VF) {
            worker->vf[worker->vf_count] = pair;
            worker->vf_face[worker->vf_count++] = list[i].face;
        } else {
            worker->ee[worker->ee_count++] = pair;
        }
        frc_flush_candidates(worker, false);
        if (worker->cancelled || worker->out_of_memory) return;
    }
}

static const frc_search_method search_lists = {.divide = divide_lists, .run_task = decide_part};

fracas_status frc_decide_candidates(const frc_world* given, const frc_candidate_list lists[2],
                                    const fracas_query* query, const fracas_sink* sink,
                                    double* max_step) {
    frc_world world = *given;
    world.method = &search_lists;
    listed data = {lists};
    world.method_data = &data;
    frc_search_options options = search_options(query->min_separation, query);
    options.kind = FRC_SEARCH_CONTINUOUS;
    if (sink) return frc_search_and_report(&world, &options, sink);
    fracas_statistics statistics = {.earliest_toi = INFINITY};
    const fracas_status status = frc_search(&world, &options, NULL, &statistics);
    if (status == FRACAS_OK) *max_step = fmin(statistics.earliest_toi, query->t_max);
    return status;
}
