/// @file detect.c  One query: candidates and decisions on all workers, then sort and report.
///
/// Workers gather the names of what they find as numbers of 64 bits that sort as reports do. Two
/// that are equal are one, so the order is the same for any number of workers. What else is told of
/// a pair is computed from its points alone.
#include "base/clock.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "tets/catch.h"
#include <string.h>

enum { GRAIN = 512, REPORTS = 4096 };

typedef struct query_job {
    const fracas_tets* tets;
    const frc_tets_finder* finder;
    frc_catch** catches;
    uint32_t items;
    atomic_uint done;  // items
    atomic_bool stopped;
} query_job;

static void find_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    query_job* job = data;
    frc_catch* c = job->catches[worker];
    if (atomic_load_explicit(&job->stopped, memory_order_relaxed)) return;
    job->finder->find(job->tets, begin, end, c);
    frc_catch_flush(c);
    const uint32_t done =
        atomic_fetch_add_explicit(&job->done, end - begin, memory_order_relaxed) + end - begin;
    const bool go_on = worker == 0 ? frc_progress(job->tets->context, (double)done / job->items)
                                   : !frc_cancelled(job->tets->context);
    if (!go_on || c->no_memory) atomic_store_explicit(&job->stopped, true, memory_order_relaxed);
}

// ---- workers

static void destroy_catches(fracas_context* context, frc_catch** catches) {
    const uint32_t workers = frc_worker_count(context);
    for (uint32_t i = 0; catches && i < workers; i++) {
        if (!catches[i]) continue;
        FRC_ARRAY_RELEASE(context, &catches[i]->keys);
        frc_release(context, catches[i], sizeof *catches[i]);
    }
    frc_release(context, catches, workers * sizeof *catches);
}

static frc_catch** create_catches(const fracas_tets* tets, const fracas_tets_query* query) {
    fracas_context* context = tets->context;
    const uint32_t workers = frc_worker_count(context);
    frc_catch** catches = frc_allocate_zero(context, workers * sizeof *catches);
    for (uint32_t i = 0; catches && i < workers; i++) {
        frc_catch* c = catches[i] = frc_allocate(context, sizeof *c);
        if (!c) {
            destroy_catches(context, catches);
            return NULL;
        }
        memset(c, 0, offsetof(frc_catch, vertices));
        c->tets = tets, c->self = query->self, c->inter = query->inter;
        if (!FRC_ARRAY_RESERVE(context, &c->keys, FRC_CATCH_BATCH)) {
            destroy_catches(context, catches);
            return NULL;
        }
    }
    return catches;
}

// ---- from keys to penetrations

// The body whose numbers have the rank among them: the last that begins there or before.
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

static fracas_body handle_of(const fracas_tets* tets, uint32_t number) {
    return (fracas_body){number + 1, frc_handles_generation(&tets->handles, number)};
}

// Within a body the faces around the vertex itself say nothing of how deep it is.
static void find_depth(const fracas_tets* tets, uint32_t vertex_body, uint32_t tet_body,
                       uint32_t place, fracas_penetration* out) {
    const frc_tet_body* body = &tets->bodies.data[tet_body];
    const double* p = tets->vertices.data[tets->bodies.data[vertex_body].first_vertex + place].at;
    const uint32_t except = vertex_body == tet_body ? place : FRACAS_NONE;
    double (*find)(const frc_surface*, frc_surface_points, const double*, uint32_t, double*) =
        tets->options.method == FRACAS_TETS_BRUTE ? frc_surface_nearest_brute : frc_surface_nearest;
    out->depth =
        find(&body->surface, frc_tets_surface_points(tets, body), p, except, out->direction);
}

static void describe(const fracas_tets* tets, uint64_t key, bool depth, fracas_penetration* out) {
    const uint32_t rank = (uint32_t)(key >> 32), tet_rank = (uint32_t)key;
    const uint32_t vertex_body = body_of_rank(tets, rank, false);
    const uint32_t tet_body = body_of_rank(tets, tet_rank, true);
    const frc_tet_body* a = &tets->bodies.data[vertex_body];
    const frc_tet_body* b = &tets->bodies.data[tet_body];
    *out = (fracas_penetration){.vertex_body = handle_of(tets, vertex_body),
                                .tet_body = handle_of(tets, tet_body),
                                .vertex = rank - a->first_rank,
                                .tet = tet_rank - b->first_tet_rank};
    const double* corners[4];
    frc_tets_corner_points(tets, b->first_tet + b->tet_places[out->tet], corners);
    const uint32_t place = a->vertex_places[out->vertex];
    frc_tet_barycentric(tets->vertices.data[a->first_vertex + place].at, corners, out->barycentric);
    if (depth) find_depth(tets, vertex_body, tet_body, place, out);
}

typedef struct report_job {
    const fracas_tets* tets;
    const uint64_t* keys;
    bool depth;
    fracas_penetration* out;
} report_job;

static void describe_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const report_job* job = data;
    for (uint32_t i = begin; i < end; i++)
        describe(job->tets, job->keys[i], job->depth, &job->out[i]);
}

static fracas_status report(const fracas_tets* tets, const uint64_t* keys, size_t count, bool depth,
                            const fracas_tets_sink* sink) {
    fracas_context* context = tets->context;
    const size_t room = count < REPORTS ? count : REPORTS;
    if (count == 0 || !sink->report) return FRACAS_OK;
    fracas_penetration* out = frc_allocate(context, room * sizeof *out);
    if (!out) return frc_fail_memory(context, room * sizeof *out);
    for (size_t first = 0; first < count; first += room) {
        const size_t here = count - first < room ? count - first : room;
        report_job job = {tets, keys + first, depth, out};
        frc_parallel_for(context, (uint32_t)here, 64, describe_range, &job);
        for (size_t i = 0; i < here; i++)
            if (!sink->report(&out[i], sink->user)) {
                frc_release(context, out, room * sizeof *out);
                return FRACAS_OK;
            }
    }
    frc_release(context, out, room * sizeof *out);
    return FRACAS_OK;
}

// ---- the query

static fracas_tets_statistics count_work(const fracas_tets* tets, frc_catch* const* catches) {
    fracas_tets_statistics s = {.cell_size = tets->cell_size, .ms_update = tets->ms_update};
    for (uint32_t i = 0; i < frc_worker_count(tets->context); i++) {
        s.penetrations += catches[i]->found;
        s.cells += catches[i]->cells;
        s.candidates += catches[i]->candidates;
        s.tested += catches[i]->tested;
        s.exact += catches[i]->exact;
    }
    return s;
}

// A pair may have been found twice.
static size_t drop_equal(uint64_t* sorted, size_t count) {
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        sorted[kept] = sorted[i];
        kept += sorted[kept] != sorted[kept - 1];
    }
    return kept;
}

static fracas_status sort_and_report(const fracas_tets* tets, frc_catch* const* catches, bool depth,
                                     const fracas_tets_sink* sink, uint64_t* found) {
    fracas_context* context = tets->context;
    const size_t count = *found;
    if (count == 0) return FRACAS_OK;
    uint64_t* keys = frc_allocate(context, 2 * count * sizeof *keys);
    if (!keys) return frc_fail_memory(context, 2 * count * sizeof *keys);
    size_t at = 0;
    for (uint32_t i = 0; i < frc_worker_count(context); i++) {
        if (catches[i]->keys.count > 0)
            memcpy(keys + at, catches[i]->keys.data, catches[i]->keys.count * sizeof *keys);
        at += catches[i]->keys.count;
    }
    uint64_t* sorted = frc_sort_halves(keys, keys + count, count);
    *found = drop_equal(sorted, count);
    const fracas_status status = report(tets, sorted, *found, depth, sink);
    frc_release(context, keys, 2 * count * sizeof *keys);
    return status;
}

static fracas_status search(query_job* job) {
    fracas_context* context = job->tets->context;
    frc_parallel_for(context, job->items, GRAIN, find_range, job);
    for (uint32_t i = 0; i < frc_worker_count(context); i++)
        if (job->catches[i]->no_memory) return frc_fail_memory(context, sizeof(uint64_t));
    return atomic_load(&job->stopped)
               ? frc_fail(context, FRACAS_ERROR_CANCELLED, "the query was cancelled")
               : FRACAS_OK;
}

fracas_status frc_tets_detect(const fracas_tets* tets, const fracas_tets_query* query,
                              const fracas_tets_sink* sink) {
    const double start = frc_clock_ms();
    query_job job = {.tets = tets,
                     .finder = frc_tets_finder_of(tets->options.method),
                     .catches = create_catches(tets, query)};
    if (!job.catches) return frc_fail_memory(tets->context, sizeof(frc_catch));
    job.items = job.finder->items(tets);
    fracas_status status = search(&job);
    if (status == FRACAS_OK) {
        fracas_tets_statistics s = count_work(tets, job.catches);
        status = sort_and_report(tets, job.catches, query->depth, sink, &s.penetrations);
        s.ms_detect = frc_clock_ms() - start;
        if (sink->statistics && status == FRACAS_OK) *sink->statistics = s;
    }
    destroy_catches(tets->context, job.catches);
    return status;
}
