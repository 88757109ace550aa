/// @file compare.c  One comparison of two sets: the stages on the device, then the contacts on the
/// host.
#include "base/clock.h"
#include "base/parallel.h"
#include "cuda/lanes.h"
#include "cuda/search.h"
#include "detect/make_contact.h"
#include "detect/narrow_phase.h"
#include "detect/siblings.h"
#include "geom/ccd_stages.h"
#include <string.h>

typedef struct comparison {
    frc_set_kind a, b;
    frc_ccd_kind kind;
    bool decide;  // on the device, if the query allows it
} comparison;

static const comparison COMPARISONS[FRC_COMPARISON_COUNT] = {
    [FRC_COMPARE_VF] = {FRC_SET_VERTICES,    FRC_SET_FACES,       FRC_CCD_VF, true },
    [FRC_COMPARE_EE] = {FRC_SET_EDGES,       FRC_SET_EDGES,       FRC_CCD_EE, true },
    [FRC_COMPARE_VE] = {FRC_SET_FREE_POINTS, FRC_SET_FREE_EDGES,  FRC_CCD_VF, false},
    [FRC_COMPARE_VV] = {FRC_SET_FREE_POINTS, FRC_SET_FREE_POINTS, FRC_CCD_VF, false},
    [FRC_COMPARE_TT] = {FRC_SET_FACES,       FRC_SET_FACES,       FRC_CCD_VF, false},
    [FRC_COMPARE_ET] = {FRC_SET_FREE_EDGES,  FRC_SET_FACES,       FRC_CCD_VF, false},
};

// ---- the lists

enum { FIRST_CAPACITY = 256, COUNTS = FRC_LIST_COUNT + 1 };

// Memory for the present capacities.
static fracas_status reserve_lists(frc_cuda_search* search, bool exact) {
    frc_device_lists* lists = &search->lists;
    frc_mirror* mirror = &search->mirror;
    fracas_status status = frc_device_reserve(mirror, &lists->counts, COUNTS * sizeof(uint64_t));
    for (int k = 0; k < FRC_LIST_COUNT && status == FRACAS_OK; k++) {
        if (lists->capacity[k] == 0) lists->capacity[k] = FIRST_CAPACITY;
        status = frc_device_reserve(mirror, &lists->pairs[k],
                                    lists->capacity[k] * sizeof(frc_slot_pair));
    }
    if (lists->hit_capacity == 0) lists->hit_capacity = FIRST_CAPACITY;
    if (status == FRACAS_OK)
        status =
            frc_device_reserve(mirror, &lists->hits, lists->hit_capacity * sizeof(frc_device_hit));
    if (status == FRACAS_OK && exact)
        status = frc_device_reserve(mirror, &lists->limbs,
                                    (size_t)frc_device_exact_threads(mirror->device) *
                                        FRC_CCD_SMALL_LIMBS * sizeof(uint64_t));
    return status;
}

// Larger capacities where lists were too short; false: none was.
static bool grow_lists(frc_device_lists* lists, const uint64_t counts[COUNTS]) {
    bool grown = false;
    for (int k = 0; k < COUNTS; k++) {
        uint64_t* capacity = k < FRC_LIST_COUNT ? &lists->capacity[k] : &lists->hit_capacity;
        if (counts[k] <= *capacity) continue;
        *capacity = counts[k] + counts[k] / 4;
        grown = true;
    }
    return grown;
}

// ---- the stages

static bool decides(const frc_search_run* run, const comparison* what) {
    const frc_detect_worker* worker = run->workers[0];
    return what->decide && worker->search == FRC_SEARCH_CONTINUOUS && !(worker->reach > 0) &&
           run->world->filters == FRC_CCD_ALL_FILTERS;
}

static frc_step make_step(const frc_cuda_search* search, const frc_search_run* run,
                          const comparison* what) {
    const frc_detect_worker* worker = run->workers[0];
    const frc_mirror* mirror = &search->mirror;
    const frc_device_lists* lists = &search->lists;
    const double tolerance = worker->query->tolerance;
    frc_step s = {.points = mirror->points.data,
                  .names = mirror->names.data,
                  .bodies = mirror->bodies.data,
                  .all_collide = mirror->all_collide,
                  .a = frc_mirror_set(mirror, what->a),
                  .b = frc_mirror_set(mirror, what->b),
                  .same = what->a == what->b,
                  .ends = worker->search == FRC_SEARCH_CONTINUOUS   ? FRC_ENDS_STEP
                          : worker->search == FRC_SEARCH_CANDIDATES ? FRC_ENDS_SWEPT
                                                                    : FRC_ENDS_LAST,
                  .half_reach = 0.5 * worker->reach,
                  .decide = decides(run, what),
                  .sibling_tag = (uint32_t)frc_sibling_tag(worker),
                  .siblings = run->world->siblings && worker->siblings != FRACAS_SIBLINGS_REPORT,
                  .kind = what->kind,
                  .tolerance =
                      tolerance > FRC_CCD_TOLERANCE_MIN ? tolerance : FRC_CCD_TOLERANCE_MIN,
                  .hits = lists->hits.data,
                  .hit_capacity = lists->hit_capacity,
                  .limbs = lists->limbs.data,
                  .limb_threads = frc_device_exact_threads(mirror->device)};
    uint64_t* const counts = lists->counts.data;
    for (int k = 0; k < FRC_LIST_COUNT; k++)
        s.lists[k] = (frc_pair_list){lists->pairs[k].data, &counts[k], lists->capacity[k]};
    s.hit_count = &counts[FRC_LIST_COUNT];
    return s;
}

static bool run_stages(frc_device* device, const frc_step* s, uint64_t counts[COUNTS]) {
    bool ok = frc_device_clear(device, s->lists[0].count, COUNTS * sizeof *counts);
    const int last = s->decide ? FRC_STAGE_COUNT : FRC_STAGE_feature_pairs + 1;
    for (int k = 0; k < last && ok; k++) ok = frc_device_run(device, (frc_stage)k, s);
    return ok && frc_device_download(device, counts, s->lists[0].count, COUNTS * sizeof *counts);
}

// Repeat until all lists were long enough.
static fracas_status find_pairs(frc_cuda_search* search, const frc_search_run* run,
                                const comparison* what, uint64_t counts[COUNTS]) {
    frc_mirror* mirror = &search->mirror;
    fracas_cuda_statistics* statistics = &search->statistics;
    const double start = frc_clock_ms();
    for (;;) {
        const fracas_status status = reserve_lists(search, decides(run, what));
        if (status != FRACAS_OK) return status;
        const frc_step step = make_step(search, run, what);
        if (!run_stages(mirror->device, &step, counts)) return frc_device_fail(mirror);
        if (!grow_lists(&search->lists, counts)) break;
        statistics->repeats++;
    }
    statistics->ms_device += frc_clock_ms() - start;
    return FRACAS_OK;
}

static fracas_status download_list(frc_mirror* mirror, const frc_device_buffer* from,
                                   frc_device_buffer* to, size_t size) {
    to->on_host = true;
    if (size == 0) return FRACAS_OK;
    const fracas_status status = frc_device_reserve(mirror, to, size);
    if (status != FRACAS_OK) return status;
    return frc_device_download(mirror->device, to->data, from->data, size)
               ? FRACAS_OK
               : frc_device_fail(mirror);
}

static fracas_status download(frc_cuda_search* search, const uint64_t counts[COUNTS]) {
    frc_device_lists* lists = &search->lists;
    frc_mirror* mirror = &search->mirror;
    const double start = frc_clock_ms();
    lists->host_hit_count = counts[FRC_LIST_COUNT];
    lists->host_pair_count = counts[FRC_LIST_HOST];
    fracas_status status = download_list(mirror, &lists->hits, &lists->host_hits,
                                         lists->host_hit_count * sizeof(frc_device_hit));
    if (status == FRACAS_OK)
        status = download_list(mirror, &lists->pairs[FRC_LIST_HOST], &lists->host_pairs,
                               lists->host_pair_count * sizeof(frc_slot_pair));
    search->statistics.ms_download += frc_clock_ms() - start;
    return status;
}

// ---- contacts

typedef struct delivery {
    frc_search_run* run;
    const frc_device_lists* lists;
    const frc_feature *a, *b;
    frc_comparison what;
    frc_ccd_kind kind;
} delivery;

static void add_hit(frc_detect_worker* worker, const delivery* d, const frc_device_hit* from) {
    const frc_feature *a = &d->a[from->pair.a], *b = &d->b[from->pair.b];
    const bool vf = d->kind == FRC_CCD_VF;
    const frc_ccd_pair given = {
        {a->point[0], vf ? b->point[0] : a->point[1], vf ? b->point[1] : b->point[0],
         vf ? b->point[2] : b->point[1]}
    };
    if (from->toi > worker->query->t_max) return;
    const frc_ccd_pair pair = frc_arrange(worker, d->kind, &given);
    frc_ccd_hit hit = {.toi = from->toi, .u = from->u, .v = from->v};
    memcpy(hit.normal, from->normal, sizeof hit.normal);
    frc_add_ccd_contact(worker, d->kind, &pair, vf ? b->id : FRACAS_NONE, &hit, 0);
}

static frc_face_slot face_of(const frc_feature* f) {
    return (frc_face_slot){
        {f->point[0], f->point[1], f->point[2]},
        f->id
    };
}

static frc_edge_slot edge_of(const frc_feature* f) {
    return (frc_edge_slot){
        {f->point[0], f->point[1]}
    };
}

static void add_pair(frc_detect_worker* worker, frc_comparison what, const frc_feature* a,
                     const frc_feature* b) {
    const frc_face_slot face_a = face_of(a), face_b = face_of(b);
    const frc_edge_slot edge_a = edge_of(a), edge_b = edge_of(b);
    switch (what) {
    case FRC_COMPARE_VF:
        frc_add_vf(worker, a->point[0], &face_b);
        break;
    case FRC_COMPARE_EE:
        frc_add_ee(worker, &edge_a, &edge_b);
        break;
    case FRC_COMPARE_VE:
        frc_add_ve(worker, a->point[0], &edge_b);
        break;
    case FRC_COMPARE_VV:
        frc_add_vv(worker, a->point[0], b->point[0]);
        break;
    case FRC_COMPARE_TT:
        frc_add_tt(worker, &face_a, &face_b);
        break;
    default:
        frc_add_et(worker, &edge_a, &face_b);
    }
}

enum { GRAIN = 256 };  // results of one task

static void deliver_hits(uint32_t begin, uint32_t end, uint32_t index, void* data) {
    const delivery* d = data;
    frc_detect_worker* worker = d->run->workers[index];
    if (worker->out_of_memory || frc_detect_cancelled(worker)) return;
    const frc_device_hit* hits = d->lists->host_hits.data;
    for (size_t i = (size_t)begin * GRAIN; i < (size_t)end * GRAIN && i < d->lists->host_hit_count;
         i++)
        add_hit(worker, d, &hits[i]);
}

static void deliver_pairs(uint32_t begin, uint32_t end, uint32_t index, void* data) {
    const delivery* d = data;
    frc_detect_worker* worker = d->run->workers[index];
    if (worker->out_of_memory || frc_detect_cancelled(worker)) return;
    worker->axis_tested = false;
    const frc_slot_pair* pairs = d->lists->host_pairs.data;
    for (size_t i = (size_t)begin * GRAIN; i < (size_t)end * GRAIN && i < d->lists->host_pair_count;
         i++) {
        const frc_slot_pair* pair = &pairs[i];
        add_pair(worker, d->what, &d->a[pair->a], &d->b[pair->b]);
        frc_flush_candidates(worker, false);
    }
}

static uint32_t tasks_of(size_t count) { return (uint32_t)((count + GRAIN - 1) / GRAIN); }

static void count_work(frc_cuda_search* search, frc_search_run* run, const comparison* what,
                       const uint64_t counts[COUNTS]) {
    fracas_cuda_statistics* s = &search->statistics;
    fracas_statistics* all = &run->workers[0]->statistics;
    const bool decided = decides(run, what);
    s->candidates += counts[decided ? FRC_LIST_CANDIDATES : FRC_LIST_HOST];
    const uint64_t filtered = counts[FRC_LIST_FILTERED] + counts[FRC_LIST_TWO_ROOTS];
    s->filtered += filtered;
    s->undecided_quick += counts[FRC_LIST_ROOTS];
    s->undecided_roots += counts[FRC_LIST_EXACT];
    s->decided_on_host += counts[FRC_LIST_HOST];
    s->hits += counts[FRC_LIST_COUNT];
    if (!decided) return;
    // The host counts those that it decides.
    const uint64_t here = counts[FRC_LIST_CANDIDATES] - counts[FRC_LIST_HOST];
    *(what->kind == FRC_CCD_VF ? &all->vf_candidates : &all->ee_candidates) += here;
    all->filtered += here - filtered;
    all->exact += counts[FRC_LIST_EXACT];
}

fracas_status frc_compare_on_device(frc_cuda_search* search, frc_search_run* run,
                                    frc_comparison number) {
    const comparison* what = &COMPARISONS[number];
    const frc_mirror* mirror = &search->mirror;
    const frc_feature_list *a = &mirror->sets[what->a].features,
                           *b = &mirror->sets[what->b].features;
    uint64_t counts[COUNTS];
    if (a->count == 0 || b->count == 0) return FRACAS_OK;
    fracas_status status = find_pairs(search, run, what, counts);
    if (status == FRACAS_OK) status = download(search, counts);
    if (status != FRACAS_OK) return status;
    count_work(search, run, what, counts);
    const double start = frc_clock_ms();
    delivery d = {run, &search->lists, a->data, b->data, number, what->kind};
    fracas_context* context = mirror->context;
    frc_parallel_for(context, tasks_of(search->lists.host_hit_count), 1, deliver_hits, &d);
    frc_parallel_for(context, tasks_of(search->lists.host_pair_count), 1, deliver_pairs, &d);
    search->statistics.ms_host += frc_clock_ms() - start;
    return FRACAS_OK;
}
