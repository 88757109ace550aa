/// @file compare.c  The comparisons of a query: their memory, and running them on the device.
#include "base/clock.h"
#include "cuda/lanes.h"
#include "cuda/search.h"
#include "detect/siblings.h"
#include "geom/ccd_stages.h"
#include <string.h>

typedef struct comparison {
    frc_set_kind a, b;
    frc_ccd_kind kind;
    fracas_contact_kind contact;
    uint32_t branch;  // comparisons that fit boxes to the same set are in the same branch
} comparison;

static const comparison COMPARISONS[FRC_COMPARISON_COUNT] = {
    [FRC_COMPARE_VF] = {FRC_SET_VERTICES,    FRC_SET_FACES,       FRC_CCD_VF, FRACAS_CONTACT_VF, 0},
    [FRC_COMPARE_EE] = {FRC_SET_EDGES,       FRC_SET_EDGES,       FRC_CCD_EE, FRACAS_CONTACT_EE, 1},
    [FRC_COMPARE_VE] = {FRC_SET_FREE_POINTS, FRC_SET_FREE_EDGES,  FRC_CCD_VF, FRACAS_CONTACT_VE, 2},
    [FRC_COMPARE_VV] = {FRC_SET_FREE_POINTS, FRC_SET_FREE_POINTS, FRC_CCD_VF, FRACAS_CONTACT_VV, 2},
    [FRC_COMPARE_TT] = {FRC_SET_FACES,       FRC_SET_FACES,       FRC_CCD_VF, FRACAS_CONTACT_TT, 0},
    [FRC_COMPARE_ET] = {FRC_SET_FREE_EDGES,  FRC_SET_FACES,       FRC_CCD_VF, FRACAS_CONTACT_ET, 0},
};

const frc_feature* frc_compared_features(const frc_cuda_search* search, frc_comparison what,
                                         int side) {
    const comparison* c = &COMPARISONS[what];
    return search->mirror.followed.sets[side ? c->b : c->a].features.data;
}

static frc_decision decision_of(const frc_search_run* run) {
    const frc_detect_worker* worker = run->workers[0];
    if (worker->search == FRC_SEARCH_DISCRETE) return FRC_DECIDE_TRIANGLES;
    if (worker->search == FRC_SEARCH_NEARBY) return FRC_DECIDE_NEARBY;
    if (worker->search == FRC_SEARCH_CANDIDATES || run->world->filters != FRC_CCD_ALL_FILTERS)
        return FRC_DECIDE_NOTHING;
    return worker->reach > 0 ? FRC_DECIDE_REACH : FRC_DECIDE_IMPACT;
}

#define STAGE(name) (1u << FRC_STAGE_##name)

// `siblings`: some count. `send`: contacts in order are wanted on the host.
static uint32_t stages_of(frc_decision decision, bool siblings, bool send) {
    const uint32_t find = STAGE(boxes) | STAGE(bundles) | STAGE(groups) | STAGE(bundle_pairs) |
                          STAGE(cluster_pairs) | STAGE(feature_pairs);
    const uint32_t order = STAGE(name) | STAGE(bin_sums) | STAGE(bin_starts) | STAGE(place) |
                           STAGE(order) | (send ? STAGE(send) : 0);
    const uint32_t impact = STAGE(filter) | STAGE(quick_roots) | STAGE(roots) | STAGE(start) |
                            STAGE(exact) | STAGE(impact) | (siblings ? STAGE(siblings) : 0);
    switch (decision) {
    case FRC_DECIDE_IMPACT:
        return find | impact | order;
    case FRC_DECIDE_REACH:
        return find | impact | STAGE(siblings) | STAGE(near) | STAGE(reach) | order;
    case FRC_DECIDE_NEARBY:
        return find | STAGE(nearby);
    case FRC_DECIDE_TRIANGLES:
        return find | STAGE(planes) | STAGE(signs) | STAGE(exact_signs) | order;
    default:
        return find;
    }
}

// ---- memory

enum { FIRST_CAPACITY = 256 };

// Stages that decide: each decision has one of them.
#define DECIDING (STAGE(filter) | STAGE(nearby) | STAGE(planes))

static uint32_t bin_bits(const frc_cuda_search* search, const frc_comparison_data* data,
                         const comparison* what) {
    const frc_order_bits width = frc_order_bits_of(what->contact, search->body_bits,
                                                   search->point_bits, search->triangle_bits);
    uint32_t all = 0;
    for (int k = 0; k < FRC_NAME_WORDS; k++) all += width.of_word[k];
    uint32_t bits = FRC_BIN_BITS_MIN;
    while (bits < FRC_BIN_BITS_MAX && (uint64_t)1 << bits < data->hit_capacity) bits++;
    return bits < all ? bits : all;
}

// The counters and behind them the bins, which are cleared together.
static size_t counts_size(uint32_t bits) {
    return FRC_STEP_COUNTS * sizeof(uint64_t) + (((size_t)1 << bits) + 1) * sizeof(uint32_t);
}

typedef struct wanted_buffer {
    frc_device_buffer* buffer;
    uint64_t count;
    size_t size;
} wanted_buffer;

static fracas_status reserve_all(frc_mirror* mirror, const wanted_buffer* wanted, size_t count) {
    fracas_status status = FRACAS_OK;
    for (size_t i = 0; i < count && status == FRACAS_OK; i++)
        status = frc_device_reserve(mirror, wanted[i].buffer, wanted[i].count * wanted[i].size);
    return status;
}

// Memory for the present capacities.
static fracas_status reserve_data(frc_cuda_search* search, frc_comparison_data* data,
                                  const comparison* what, uint32_t stages) {
    frc_mirror* mirror = &search->mirror;
    const uint32_t exact = frc_device_exact_threads(mirror->device);
    data->host_counts.on_host = true;
    for (int k = 0; k < FRC_LIST_COUNT; k++)
        if (data->capacity[k] == 0) data->capacity[k] = FIRST_CAPACITY;
    if (data->hit_capacity == 0) data->hit_capacity = FIRST_CAPACITY;
    const uint64_t hits = data->hit_capacity;
    const wanted_buffer always[] = {
        {&data->counts, 1, counts_size(bin_bits(search, data, what))},
        {&data->host_counts,       FRC_STEP_COUNTS,        sizeof(uint64_t)                 }
    };
    const wanted_buffer decided[] = {
        {&data->hits,     hits,                             sizeof(frc_device_hit)     },
        {&data->names,    hits,                             sizeof(frc_hit_name)       },
        {&data->order,    hits,                             sizeof(frc_hit_name)       },
        {&data->contacts, hits,                             sizeof(fracas_cuda_contact)},
        {&data->bodies,   hits,                             sizeof(fracas_cuda_bodies) },
        {&data->sums,     frc_device_warps(mirror->device), sizeof(uint32_t)           }
    };
    const wanted_buffer exactly[] = {
        {&data->limbs, exact, FRC_CCD_SMALL_LIMBS * sizeof(uint64_t)}
    };
    const wanted_buffer sent[] = {
        {&data->host_contacts, hits, sizeof(fracas_cuda_contact)},
        {&data->host_bodies,   hits, sizeof(fracas_cuda_bodies) }
    };
    fracas_status status = reserve_all(mirror, always, sizeof always / sizeof *always);
    for (int k = 0; k < FRC_LIST_COUNT && status == FRACAS_OK; k++)
        if (stages & DECIDING || k <= FRC_LIST_CLUSTERS || k == FRC_LIST_HOST)
            status = frc_device_reserve(mirror, &data->pairs[k],
                                        data->capacity[k] * sizeof(frc_slot_pair));
    data->host_contacts.on_host = data->host_bodies.on_host = true;
    if (status == FRACAS_OK && stages & DECIDING)
        status = reserve_all(mirror, decided, sizeof decided / sizeof *decided);
    if (status == FRACAS_OK && stages & STAGE(exact))
        status = reserve_all(mirror, exactly, sizeof exactly / sizeof *exactly);
    if (status == FRACAS_OK && stages & STAGE(send))
        status = reserve_all(mirror, sent, sizeof sent / sizeof *sent);
    return status;
}

// Larger capacities where lists were too short; false: none was. What comes behind a list that was
// too short has seen a part of it only, and will be longer by as much: it grows at once, up to
// four times, as a part may not be like the whole.
static bool grow_lists(frc_comparison_data* data, const uint64_t* counts) {
    bool grown = false;
    double more = 1;
    for (int k = 0; k <= FRC_COUNT_HITS; k++) {
        uint64_t* capacity = k < FRC_LIST_COUNT ? &data->capacity[k] : &data->hit_capacity;
        const uint64_t expected = (uint64_t)((double)counts[k] * more);
        grown |= counts[k] > *capacity;
        if (expected <= *capacity) continue;
        const double part = (double)expected / (double)*capacity;
        more = part < 4 ? part : 4;
        *capacity = expected + expected / 4;
    }
    return grown;
}

// ---- steps

static frc_order make_order(const frc_cuda_search* search, const frc_comparison_data* data,
                            const comparison* what, bool send) {
    uint64_t* const counts = data->counts.data;
    return (frc_order){.bins = (uint32_t*)(counts + FRC_STEP_COUNTS),
                       .sums = data->sums.data,
                       .names = data->names.data,
                       .placed = data->order.data,
                       .contacts = data->contacts.data,
                       .bodies = data->bodies.data,
                       .host_contacts = send ? data->host_contacts.data : NULL,
                       .host_bodies = send ? data->host_bodies.data : NULL,
                       .triangles = search->mirror.triangles.data,
                       .count = &counts[FRC_COUNT_CONTACTS],
                       .unordered = &counts[FRC_COUNT_UNORDERED],
                       .body_bits = search->body_bits,
                       .point_bits = search->point_bits,
                       .triangle_bits = search->triangle_bits,
                       .bin_bits = bin_bits(search, data, what)};
}

static frc_step make_step(const frc_cuda_search* search, const frc_search_run* run,
                          frc_comparison number, bool send) {
    const frc_detect_worker* worker = run->workers[0];
    const frc_mirror* mirror = &search->mirror;
    const comparison* what = &COMPARISONS[number];
    const frc_comparison_data* data = &search->data[number];
    const double tolerance = worker->query->tolerance;
    uint64_t* const counts = data->counts.data;
    const frc_decision decision = decision_of(run);
    const bool siblings = run->world->siblings && worker->siblings != FRACAS_SIBLINGS_REPORT;
    frc_step s = {
        .points = mirror->points.data,
        .names = mirror->names.data,
        .bodies = mirror->bodies.data,
        .all_collide = mirror->all_collide,
        .a = frc_mirror_set(mirror, what->a),
        .b = frc_mirror_set(mirror, what->b),
        .same = what->a == what->b,
        .branch = what->branch,
        .ends = worker->search == FRC_SEARCH_CONTINUOUS   ? FRC_ENDS_STEP
                : worker->search == FRC_SEARCH_CANDIDATES ? FRC_ENDS_SWEPT
                                                          : FRC_ENDS_LAST,
        .drop_adjacent = decision != FRC_DECIDE_NOTHING && decision != FRC_DECIDE_TRIANGLES,
        .half_reach = 0.5 * worker->reach,
        .distance = worker->distance,
        .thick = run->world->thickest > 0,
        .decide = decision,
        .stages = stages_of(decision, siblings, send),
        .sibling_tag = (uint32_t)frc_sibling_tag(worker),
        .siblings = siblings,
        .ignore_siblings = worker->siblings == FRACAS_SIBLINGS_IGNORE,
        .kind = what->kind,
        .contact = what->contact,
        .tolerance = tolerance > FRC_CCD_TOLERANCE_MIN ? tolerance : FRC_CCD_TOLERANCE_MIN,
        .t_max = worker->query->t_max,
        .hits = data->hits.data,
        .hit_count = &counts[FRC_COUNT_HITS],
        .hit_capacity = data->hit_capacity,
        .limbs = data->limbs.data,
        .limb_threads = frc_device_exact_threads(mirror->device),
        .order = make_order(search, data, what, send),
        .counts = counts,
        .host_counts = data->host_counts.data,
        .cleared = counts_size(bin_bits(search, data, what))};
    for (int k = 0; k < FRC_LIST_COUNT; k++)
        s.lists[k] = (frc_pair_list){data->pairs[k].data, &counts[k], data->capacity[k]};
    s.to_filter = s.lists[s.stages & STAGE(siblings) ? FRC_LIST_UNRELATED : FRC_LIST_CANDIDATES];
    return s;
}

static fracas_status prepare(frc_cuda_search* search, const frc_search_run* run, bool send,
                             frc_comparisons* out) {
    for (uint32_t i = 0; i < out->count; i++) {
        const comparison* what = &COMPARISONS[out->what[i]];
        const fracas_status status = reserve_data(search, &search->data[out->what[i]], what,
                                                  stages_of(decision_of(run), true, send));
        if (status != FRACAS_OK) return status;
        out->steps[i] = make_step(search, run, out->what[i], send);
    }
    return FRACAS_OK;
}

static void count_work(frc_cuda_search* search, const frc_search_run* run, const frc_step* step) {
    const uint64_t* counts = step->host_counts;
    fracas_cuda_statistics* s = &search->statistics;
    fracas_statistics* all = &run->workers[0]->statistics;
    s->candidates +=
        counts[step->decide != FRC_DECIDE_NOTHING ? FRC_LIST_CANDIDATES : FRC_LIST_HOST];
    const uint64_t filtered =
        counts[FRC_LIST_FILTERED] + counts[FRC_LIST_TWO_ROOTS] + counts[FRC_LIST_NEAR];
    s->filtered += filtered;
    s->undecided_quick += counts[FRC_LIST_ROOTS];
    s->undecided_roots += counts[FRC_LIST_EXACT];
    s->decided_on_host += counts[FRC_LIST_HOST];
    s->hits += counts[FRC_COUNT_HITS];
    s->unordered += counts[FRC_COUNT_UNORDERED];
    if (step->decide == FRC_DECIDE_NOTHING) return;
    // The host counts those that it decides.
    const uint64_t here = counts[FRC_LIST_CANDIDATES] - counts[FRC_LIST_HOST];
    all->siblings_left_out += counts[FRC_COUNT_LEFT_OUT];
    if (step->decide == FRC_DECIDE_TRIANGLES)
        all->tt_candidates += here;
    else
        *(step->kind == FRC_CCD_VF ? &all->vf_candidates : &all->ee_candidates) += here;
    if (step->stages & STAGE(filter)) all->filtered += counts[FRC_LIST_CANDIDATES] - filtered;
    all->exact += counts[FRC_LIST_EXACT];
}

fracas_status frc_compare_on_device(frc_cuda_search* search, const frc_search_run* run, bool send,
                                    frc_comparisons* out) {
    frc_mirror* mirror = &search->mirror;
    const frc_slots* sets = mirror->followed.sets;
    const bool discrete = run->workers[0]->search == FRC_SEARCH_DISCRETE;
    const double start = frc_clock_ms();
    out->count = 0;
    for (int k = discrete ? FRC_COMPARE_TT : FRC_COMPARE_VF;
         k <= (discrete ? FRC_COMPARE_ET : FRC_COMPARE_VV); k++) {
        const comparison* what = &COMPARISONS[k];
        search->last[k].update = 0;
        if (sets[what->a].features.count > 0 && sets[what->b].features.count > 0)
            out->what[out->count++] = (frc_comparison)k;
    }
    // Repeat until all lists were long enough.
    for (bool grown = out->count > 0; grown;) {
        const fracas_status status = prepare(search, run, send, out);
        if (status != FRACAS_OK) return status;
        if (!frc_device_run(mirror->device, out->steps, out->count)) return frc_device_fail(mirror);
        grown = false;
        for (uint32_t i = 0; i < out->count; i++)
            grown |= grow_lists(&search->data[out->what[i]], out->steps[i].host_counts);
        search->statistics.repeats += grown;
    }
    search->statistics.ms_device += frc_clock_ms() - start;
    for (uint32_t i = 0; i < out->count; i++) {
        count_work(search, run, &out->steps[i]);
        search->last[out->what[i]] = (frc_last_step){search->scene->update_count, out->steps[i]};
    }
    return FRACAS_OK;
}
