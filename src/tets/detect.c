/// @file detect.c  One query: search and decide on all workers, then merge and report.
///
/// Workers collect pairs as 64-bit keys, ordered like the reports, and each worker sorts its keys.
/// One worker finds all occurrences of a pair and drops duplicates, so the merged list is the same
/// for any number of workers. All other fields of a report depend only on the points of the pair.
#include "base/clock.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "tets/narrow_phase.h"
#include <string.h>

// ---- search

enum { MIN_RANGE = 64, MAX_RANGE = 512 };  // items

typedef struct query_job {
    const fracas_tets* tets;
    frc_tets_narrow_phase* shares;  // one per worker
    uint32_t items;
    atomic_uint_fast64_t
        assigned;      // items assigned: lower half at the front, upper half at the back
    atomic_uint done;  // items
    atomic_bool stopped;
} query_job;

#define BACK ((uint64_t)1 << 32)

// The next range of items for a worker, from the front or from the back; false when all items are
// assigned. With two ends a worker mostly reads data that it wrote itself in the update. Ranges
// shrink towards the end, so that all workers finish at the same time. Relaxed: the word itself
// assigns the items, and they do not change during the query.
static bool next_range(query_job* job, bool back, uint32_t* begin, uint32_t* end) {
    const uint32_t workers = frc_worker_count(job->tets->context);
    const uint32_t parts = workers > 1 ? workers + workers / 2 : 1;
    uint_fast64_t assigned = atomic_load_explicit(&job->assigned, memory_order_relaxed);
    uint32_t size, first, last;
    do {
        first = (uint32_t)assigned, last = job->items - (uint32_t)(assigned >> 32);
        if (first >= last) return false;
        const uint32_t left = last - first;
        const uint32_t part = (left / parts + MIN_RANGE - 1) / MIN_RANGE * MIN_RANGE;
        size = part < MIN_RANGE ? MIN_RANGE : part > MAX_RANGE ? MAX_RANGE : part;
        size = size < left ? size : left;
    } while (!atomic_compare_exchange_weak_explicit(&job->assigned, &assigned,
                                                    assigned + size * (back ? BACK : 1),
                                                    memory_order_relaxed, memory_order_relaxed));
    *begin = back ? last - size : first;
    *end = *begin + size;
    return true;
}

static void search_shares(uint32_t first_share, uint32_t end_share, uint32_t worker, void* data) {
    query_job* job = data;
    const fracas_tets* tets = job->tets;
    for (uint32_t share = first_share; share < end_share; share++) {
        frc_tets_narrow_phase* n = &job->shares[share];
        uint32_t begin, end;
        while (!atomic_load_explicit(&job->stopped, memory_order_relaxed) &&
               next_range(job, worker % 2, &begin, &end)) {
            tets->method->find(tets, begin, end, n);
            const uint32_t size = end - begin;
            const uint32_t done =
                atomic_fetch_add_explicit(&job->done, size, memory_order_relaxed) + size;
            const bool proceed = worker == 0
                                     ? frc_progress(tets->context, (double)done / job->items)
                                     : !frc_cancelled(tets->context);
            // Relaxed: a hint to the other workers; status and results are read after the loop.
            if (!proceed || n->out_of_memory)
                atomic_store_explicit(&job->stopped, true, memory_order_relaxed);
        }
        frc_tets_narrow_phase_finish(n);
    }
}

static fracas_status search(query_job* job, fracas_tets_statistics* statistics) {
    fracas_context* context = job->tets->context;
    const uint32_t workers = frc_worker_count(context);
    job->items = job->tets->method->item_count(job->tets);
    frc_parallel_for(context, workers, 1, search_shares, job);
    for (uint32_t i = 0; i < workers; i++) {
        const frc_tets_narrow_phase* n = &job->shares[i];
        if (n->out_of_memory) return frc_fail_memory(context, sizeof(uint64_t));
        statistics->penetrations += n->key_count;
        statistics->cells += n->cells;
        statistics->candidates += n->candidates;
        statistics->tested += n->tested;
        statistics->exact += n->exact;
    }
    return atomic_load(&job->stopped)
               ? frc_fail(context, FRACAS_ERROR_CANCELLED, "the query was cancelled")
               : FRACAS_OK;
}

// ---- reports

enum { REPORT_BATCH = 4096 };

// The body of a rank: the last body whose first rank is not larger.
static uint32_t body_of_rank(const fracas_tets* tets, uint32_t rank, bool of_tets) {
    size_t low = 0, high = tets->bodies.count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        const frc_tet_body* b = &tets->bodies.data[middle];
        if ((of_tets ? b->first_tet_rank : b->first_rank) <= rank)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

typedef struct report_job {
    const fracas_tets* tets;
    const uint64_t* keys;
    bool depth;
    fracas_penetration* out;
} report_job;

static void fill_reports(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const report_job* job = data;
    const fracas_tets* tets = job->tets;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t rank = (uint32_t)(job->keys[i] >> 32), tet_rank = (uint32_t)job->keys[i];
        const uint32_t vertex_body = body_of_rank(tets, rank, false);
        const uint32_t tet_body = body_of_rank(tets, tet_rank, true);
        const frc_tet_body* a = &tets->bodies.data[vertex_body];
        const frc_tet_body* b = &tets->bodies.data[tet_body];
        fracas_penetration* out = &job->out[i];
        *out = (fracas_penetration){.vertex_body = frc_tets_handle(tets, vertex_body),
                                    .tet_body = frc_tets_handle(tets, tet_body),
                                    .vertex = rank - a->first_rank,
                                    .tet = tet_rank - b->first_tet_rank};
        const uint32_t slot = a->vertex_slots.data[out->vertex];
        const double* p = tets->vertices.data[slot].at;
        const double* corners[4];
        frc_tets_corner_points(tets, b->tet_slots.data[out->tet], corners);
        frc_tet_barycentric(p, corners, out->barycentric);
        // Within a body the faces around the vertex itself are at distance 0: skip them.
        if (job->depth) {
            const uint32_t except = vertex_body == tet_body ? slot - a->first_vertex : FRACAS_NONE;
            const frc_nearest nearest =
                tets->method->nearest(&b->surface, frc_tets_surface_points(tets, b), p, except);
            out->depth = nearest.distance;
            memcpy(out->direction, nearest.direction, sizeof out->direction);
        }
    }
}

static fracas_status report(const fracas_tets* tets, const uint64_t* keys, size_t count, bool depth,
                            const fracas_tets_sink* sink) {
    fracas_context* context = tets->context;
    const size_t batch = count < REPORT_BATCH ? count : REPORT_BATCH;
    fracas_penetration* out = frc_allocate(context, batch * sizeof *out);
    if (!out) return frc_fail_memory(context, batch * sizeof *out);
    bool proceed = true;
    for (size_t first = 0; proceed && first < count; first += batch) {
        const size_t size = count - first < batch ? count - first : batch;
        report_job job = {tets, keys + first, depth, out};
        frc_parallel_for(context, (uint32_t)size, 64, fill_reports, &job);
        for (size_t i = 0; proceed && i < size; i++) proceed = sink->report(&out[i], sink->user);
    }
    frc_release(context, out, batch * sizeof *out);
    return FRACAS_OK;
}

// ---- merge

typedef struct key_list {
    uint64_t* keys;
    size_t count;
} key_list;

// Merge the sorted lists of all workers into one, and report it. `all`: keys in all lists.
static fracas_status merge_and_report(const query_job* job, bool depth,
                                      const fracas_tets_sink* sink, size_t all) {
    fracas_context* context = job->tets->context;
    if (!frc_tets_sink_reserve(sink, all))
        return frc_fail_memory(context, all * sizeof(fracas_penetration));
    const size_t workers = frc_worker_count(context);
    const size_t size = workers * sizeof(key_list) + (workers > 1 ? 2 * all : 0) * sizeof(uint64_t);
    key_list* lists = frc_allocate(context, size);
    if (!lists) return frc_fail_memory(context, size);
    uint64_t *to = (uint64_t*)(lists + workers), *spare = to + all;
    for (uint32_t i = 0; i < workers; i++)
        lists[i] = (key_list){job->shares[i].keys, job->shares[i].key_count};
    // Merge pairs of lists, from one buffer to the other and back.
    for (size_t count = workers; count > 1; count = (count + 1) / 2) {
        uint64_t* at = to;
        for (size_t i = 0; i < count; i += 2) {
            const key_list a = lists[i], b = i + 1 < count ? lists[i + 1] : (key_list){a.keys, 0};
            lists[i / 2] = (key_list){at, frc_merge_keys(a.keys, a.count, b.keys, b.count, at)};
            at += lists[i / 2].count;
        }
        uint64_t* t = to;
        to = spare, spare = t;
    }
    const fracas_status status = report(job->tets, lists[0].keys, lists[0].count, depth, sink);
    frc_release(context, lists, size);
    return status;
}

fracas_status frc_tets_detect(const fracas_tets* tets, const fracas_tets_query* query,
                              const fracas_tets_sink* sink) {
    const double start = frc_clock_ms();
    fracas_context* context = tets->context;
    const uint32_t workers = frc_worker_count(context);
    query_job job = {.tets = tets, .shares = frc_allocate(context, workers * sizeof *job.shares)};
    if (!job.shares) return frc_fail_memory(context, workers * sizeof *job.shares);
    for (uint32_t i = 0; i < workers; i++) frc_tets_narrow_phase_begin(&job.shares[i], tets, query);
    fracas_tets_statistics statistics = {0};
    fracas_status status = search(&job, &statistics);
    if (status == FRACAS_OK && statistics.penetrations > 0 && sink->report)
        status = merge_and_report(&job, query->depth, sink, statistics.penetrations);
    statistics.ms_detect = frc_clock_ms() - start;
    if (sink->statistics && status == FRACAS_OK) *sink->statistics = statistics;
    for (uint32_t i = 0; i < workers; i++) frc_tets_narrow_phase_release(&job.shares[i]);
    frc_release(context, job.shares, workers * sizeof *job.shares);
    return status;
}
