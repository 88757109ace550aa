/// @file batch.c  Impacts and distances of many pairs, in blocks on all workers.
///
/// A pair's result depends on its four points only, and is written to its place in the caller's
/// arrays: the same on any number of workers, and the same as of a single call.
#include "pairs/batch.h"
#include <math.h>
#include <stdatomic.h>
#include <string.h>

fracas_pair_batch fracas_pairs_default_batch(void) {
    return (fracas_pair_batch){.struct_size = sizeof(fracas_pair_batch),
                               .kind = FRACAS_CONTACT_VF,
                               .tolerance = 1e-6,
                               .max_distance = (double)INFINITY};
}

// ---- loops

typedef struct range_loop {
    void (*body)(size_t begin, size_t end, void* data);
    void* data;
    size_t count, grain;
} range_loop;

static void run_ranges(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const range_loop* loop = data;
    for (uint32_t i = begin; i < end; i++) {
        const size_t from = i * loop->grain, to = from + loop->grain;
        loop->body(from, to < loop->count ? to : loop->count, loop->data);
    }
}

void frc_pairs_for(const frc_pairs_run* run, size_t count, size_t grain,
                   void (*body)(size_t begin, size_t end, void* data), void* data) {
    while (count / grain >= UINT32_MAX) grain *= 2;
    range_loop loop = {body, data, count, grain};
    const uint32_t ranges = (uint32_t)((count + grain - 1) / grain);
    if (run->context && ranges > 1)
        frc_parallel_for(run->context, ranges, 1, run_ranges, &loop);
    else
        run_ranges(0, ranges, 0, &loop);
}

// ---- points

typedef struct conversion {
    const frc_pairs_run* run;
    atomic_bool not_finite;
} conversion;

static void convert(size_t begin, size_t end, void* data) {
    conversion* c = data;
    bool finite = true;
    for (size_t i = begin; i < end; i++) {
        frc_point* p = &c->run->points[i];
        *p = frc_pairs_point(c->run, (uint32_t)i);
        finite = finite & frc_pairs_is_finite(p);
    }
    // Relaxed: read after the loop has ended, which synchronises.
    if (!finite) atomic_store_explicit(&c->not_finite, true, memory_order_relaxed);
}

enum { POINT_GRAIN = 4096 };

static bool convert_points(frc_pairs_run* run) {
    conversion c = {.run = run};
    atomic_init(&c.not_finite, false);
    frc_pairs_for(run, run->batch->points_t1.count, POINT_GRAIN, convert, &c);
    return !atomic_load_explicit(&c.not_finite, memory_order_relaxed);
}

// ---- pairs

typedef struct job {
    const frc_pairs_run* run;
    uint8_t* hits;
    fracas_impact* impacts;
    fracas_distance* distances;
    atomic_size_t hit_count;
    atomic_uint_fast64_t earliest;  // the bits of a time: not negative, so ordered like integers
} job;

static void add_up(job* j, size_t hits, double earliest) {
    uint64_t bits;
    memcpy(&bits, &earliest, sizeof bits);
    // Relaxed: sums and minima, read after the loop has ended, which synchronises.
    atomic_fetch_add_explicit(&j->hit_count, hits, memory_order_relaxed);
    uint_fast64_t last = atomic_load_explicit(&j->earliest, memory_order_relaxed);
    while (bits < last &&
           !atomic_compare_exchange_weak_explicit(&j->earliest, &last, bits, memory_order_relaxed,
                                                  memory_order_relaxed)) {}
}

typedef struct block {
    const frc_point* points;
    const frc_ccd_pair* pairs;
} block;

typedef struct block_memory {
    frc_point points[4 * FRC_PAIR_BLOCK];
    frc_ccd_pair pairs[FRC_PAIR_BLOCK];
} block_memory;

// The points and candidates of pairs from `begin` on. With converted points and four indices per
// pair both are used where they are.
static block load_block(const frc_pairs_run* run, size_t begin, size_t count,
                        block_memory* memory) {
    const fracas_contact_kind kind = run->batch->kind;
    const uint32_t* indices = frc_pairs_indices(run, begin);
    const uint32_t size = frc_pair_size(kind);
    if (run->points && size == 4)
        return (block){run->points, (const frc_ccd_pair*)(const void*)indices};
    for (size_t i = 0; i < count; i++) {
        uint32_t at[4];
        if (run->points) {
            memory->pairs[i] = frc_pair_candidate(kind, indices + i * size);
            continue;
        }
        for (uint32_t k = 0; k < size; k++) {
            at[k] = (uint32_t)(4 * i + k);
            memory->points[at[k]] = frc_pairs_point(run, indices[i * size + k]);
        }
        memory->pairs[i] = frc_pair_candidate(kind, at);
    }
    return (block){run->points ? run->points : memory->points, memory->pairs};
}

static bool is_cancelled(const frc_pairs_run* run) {
    return run->context && frc_cancelled(run->context);
}

static void find_impacts(size_t begin, size_t end, void* data) {
    job* j = data;
    const fracas_pair_batch* batch = j->run->batch;
    block_memory memory;
    frc_ccd_hit hits[FRC_PAIR_BLOCK];
    frc_ccd_counts counts = {0};
    size_t hit_count = 0;
    double earliest = (double)INFINITY;
    for (size_t at = begin; at < end && !is_cancelled(j->run); at += FRC_PAIR_BLOCK) {
        const size_t size = end - at < FRC_PAIR_BLOCK ? end - at : FRC_PAIR_BLOCK;
        const block b = load_block(j->run, at, size, &memory);
        const size_t found =
            frc_pair_impacts(batch->kind, b.points, b.pairs, size, batch->min_separation,
                             batch->tolerance, &counts, hits);
        if (j->hits) memset(j->hits + at, 0, size);
        for (size_t i = 0; i < found; i++) {
            const size_t pair = at + hits[i].pair;
            if (j->hits) j->hits[pair] = 1;
            if (j->impacts) j->impacts[pair] = frc_pair_impact(batch->kind, &hits[i]);
            if (hits[i].toi < earliest) earliest = hits[i].toi;
        }
        hit_count += found;
    }
    add_up(j, hit_count, earliest);
}

static void find_distances(size_t begin, size_t end, void* data) {
    job* j = data;
    const fracas_pair_batch* batch = j->run->batch;
    block_memory memory;
    fracas_distance distances[FRC_PAIR_BLOCK];
    uint16_t found[FRC_PAIR_BLOCK];
    size_t hit_count = 0;
    for (size_t at = begin; at < end && !is_cancelled(j->run); at += FRC_PAIR_BLOCK) {
        const size_t size = end - at < FRC_PAIR_BLOCK ? end - at : FRC_PAIR_BLOCK;
        const block b = load_block(j->run, at, size, &memory);
        const size_t count =
            frc_pair_distances(batch->kind, b.points, b.pairs, size, batch->max_distance, found,
                               j->distances ? distances : NULL);
        if (j->hits) memset(j->hits + at, 0, size);
        for (size_t i = 0; i < count; i++) {
            if (j->hits) j->hits[at + found[i]] = 1;
            if (j->distances) j->distances[at + found[i]] = distances[i];
        }
        hit_count += count;
    }
    add_up(j, hit_count, (double)INFINITY);
}

// Ranges of pairs: the order of the filters adapts within one.
enum { GRAIN = 16 * FRC_PAIR_BLOCK };

static fracas_status run_job(frc_pairs_run* run, job* j, fracas_pairs_result* result) {
    const fracas_pair_batch* batch = run->batch;
    fracas_context* context = run->context;
    const size_t size = batch ? batch->points_t1.count * sizeof *run->points : 0;
    size_t bad = SIZE_MAX, *const out = result ? &result->bad_pair : &bad;
    if (result) *result = (fracas_pairs_result){0, (double)INFINITY, SIZE_MAX};
    fracas_status status = frc_pairs_check_batch(run);
    if (status != FRACAS_OK || batch->count == 0) return status;
    bool all_finite = false;
    // Fewer points are converted than gathered.
    if (context && batch->points_t1.count / 4 <= batch->count && size > 0) {
        run->points = frc_allocate(context, size);
        if (!run->points) return frc_fail_memory(context, size);
        all_finite = convert_points(run);
    }
    status = frc_pairs_check_all(run, all_finite, out);
    if (status == FRACAS_OK)
        frc_pairs_for(run, batch->count, GRAIN, run->moving ? find_impacts : find_distances, j);
    if (status == FRACAS_OK && is_cancelled(run))
        status = frc_fail(context, FRACAS_ERROR_CANCELLED, "%s was cancelled", run->function);
    if (status == FRACAS_OK && result) {
        const uint64_t bits = atomic_load_explicit(&j->earliest, memory_order_relaxed);
        memcpy(&result->earliest_toi, &bits, sizeof bits);
        result->hits = atomic_load_explicit(&j->hit_count, memory_order_relaxed);
    }
    if (run->points) frc_release(context, run->points, size);
    return status;
}

static void begin_job(job* j, const frc_pairs_run* run) {
    const double never = (double)INFINITY;
    uint64_t bits;
    memcpy(&bits, &never, sizeof bits);
    j->run = run;
    atomic_init(&j->hit_count, 0);
    atomic_init(&j->earliest, bits);
}

fracas_status fracas_pairs_find_impacts(fracas_context* context, const fracas_pair_batch* batch,
                                        uint8_t* hits, fracas_impact* impacts,
                                        fracas_pairs_result* result) {
    frc_pairs_run run = {context, batch, "fracas_pairs_find_impacts", true, NULL};
    if (!batch)
        return context ? frc_fail_null(context, run.function, "batch")
                       : FRACAS_ERROR_INVALID_ARGUMENT;
    job j = {.hits = hits, .impacts = impacts};
    begin_job(&j, &run);
    return run_job(&run, &j, result);
}

fracas_status fracas_pairs_find_distances(fracas_context* context, const fracas_pair_batch* batch,
                                          uint8_t* hits, fracas_distance* distances,
                                          fracas_pairs_result* result) {
    frc_pairs_run run = {context, batch, "fracas_pairs_find_distances", false, NULL};
    if (!batch)
        return context ? frc_fail_null(context, run.function, "batch")
                       : FRACAS_ERROR_INVALID_ARGUMENT;
    job j = {.hits = hits, .distances = distances};
    begin_job(&j, &run);
    return run_job(&run, &j, result);
}
