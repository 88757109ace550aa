/// @file detect.c  One query: candidates and decisions on all workers, then sort and report.
///
/// Workers gather the names of what they find as numbers of 64 bits that sort as reports do, and
/// sort their own; then lists are merged, if anybody wants to see them. A pair is found by one
/// worker, perhaps twice, and two numbers that are equal are one: the order is the same for any
/// number of workers. What else is told of a pair is computed from its points alone.
#include "base/clock.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "tets/catch.h"
#include <string.h>

enum { LEAST = 64, MOST = 512, REPORTS = 4096 };  // items of a range; reports at a time

typedef struct query_job {
    const fracas_tets* tets;
    const frc_tets_finder* finder;
    frc_catch* catches;  // by share of the work, as many as there are workers
    uint32_t items;
    atomic_uint_fast64_t taken;  // items: lower half from the first on; upper half from the last
    atomic_uint done;            // items
    atomic_bool stopped;
} query_job;

// ---- the search

#define BACK ((uint64_t)1 << 32)

// Workers take ranges from both ends, as they do in an update: what one has written there it reads
// here. Ranges become smaller towards the end, so that all are done at about the same time.
static bool take_range(query_job* job, bool back, uint32_t* begin, uint32_t* end) {
    const uint32_t workers = frc_worker_count(job->tets->context);
    const uint32_t parts = workers > 1 ? workers + workers / 2 : 1;
    uint_fast64_t taken = atomic_load_explicit(&job->taken, memory_order_relaxed);
    uint32_t size, first, last;
    do {
        first = (uint32_t)taken, last = job->items - (uint32_t)(taken >> 32);
        if (first >= last) return false;
        const uint32_t left = last - first, part = (left / parts + LEAST - 1) / LEAST * LEAST;
        size = part < LEAST ? LEAST : part > MOST ? MOST : part;
        size = size < left ? size : left;
    } while (!atomic_compare_exchange_weak_explicit(&job->taken, &taken,
                                                    taken + size * (back ? BACK : 1),
                                                    memory_order_relaxed, memory_order_relaxed));
    *begin = back ? last - size : first;
    *end = *begin + size;
    return true;
}

static void find_range(query_job* job, uint32_t begin, uint32_t end, uint32_t worker,
                       frc_catch* c) {
    fracas_context* context = job->tets->context;
    job->finder->find(job->tets, begin, end, c);
    const uint32_t done =
        atomic_fetch_add_explicit(&job->done, end - begin, memory_order_relaxed) + end - begin;
    const bool go_on =
        worker == 0 ? frc_progress(context, (double)done / job->items) : !frc_cancelled(context);
    if (!go_on || c->no_memory) atomic_store_explicit(&job->stopped, true, memory_order_relaxed);
}

// Ranges, until there are no more; then what was found is put in order. Who comes late finds
// nothing to do.
static void find_share(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    query_job* job = data;
    for (uint32_t share = begin; share < end; share++) {
        frc_catch* c = &job->catches[share];
        uint32_t first, last;
        while (!atomic_load_explicit(&job->stopped, memory_order_relaxed) &&
               take_range(job, worker % 2, &first, &last))
            find_range(job, first, last, worker, c);
        frc_catch_finish(c);
    }
}

// ---- catches

static void destroy_catches(fracas_context* context, frc_catch* catches) {
    const uint32_t workers = frc_worker_count(context);
    for (uint32_t i = 0; catches && i < workers; i++) frc_catch_release(&catches[i]);
    frc_release(context, catches, workers * sizeof *catches);
}

static frc_catch* create_catches(const fracas_tets* tets, const fracas_tets_query* query) {
    fracas_context* context = tets->context;
    const uint32_t workers = frc_worker_count(context);
    frc_catch* catches = frc_allocate(context, workers * sizeof *catches);
    for (uint32_t i = 0; catches && i < workers; i++) frc_catch_begin(&catches[i], tets, query);
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

static fracas_tets_statistics count_work(const fracas_tets* tets, const frc_catch* catches) {
    fracas_tets_statistics s = {.cell_size = tets->cell_size, .ms_update = tets->ms_update};
    for (uint32_t i = 0; i < frc_worker_count(tets->context); i++) {
        s.penetrations += catches[i].key_count;
        s.cells += catches[i].cells;
        s.candidates += catches[i].candidates;
        s.tested += catches[i].tested;
        s.exact += catches[i].exact;
    }
    return s;
}

typedef struct key_list {
    uint64_t* keys;
    size_t count;
} key_list;

// Sorted lists become one, two at a time, from one room to the other and back.
static key_list merge(key_list* lists, uint32_t count, uint64_t* room, uint64_t* spare) {
    while (count > 1) {
        uint64_t* at = room;
        for (uint32_t i = 0; i < count; i += 2) {
            const key_list a = lists[i], b = i + 1 < count ? lists[i + 1] : (key_list){a.keys, 0};
            lists[i / 2] = (key_list){at, frc_merge_keys(a.keys, a.count, b.keys, b.count, at)};
            at += lists[i / 2].count;
        }
        count = (count + 1) / 2;
        uint64_t* t = room;
        room = spare, spare = t;
    }
    return lists[0];
}

static fracas_status merge_and_report(const fracas_tets* tets, const frc_catch* catches, bool depth,
                                      const fracas_tets_sink* sink, size_t all) {
    fracas_context* context = tets->context;
    const size_t workers = frc_worker_count(context);
    if (all == 0 || !sink->report) return FRACAS_OK;
    const size_t size = workers * sizeof(key_list) + (workers > 1 ? 2 * all : 0) * sizeof(uint64_t);
    key_list* lists = frc_allocate(context, size);
    if (!lists) return frc_fail_memory(context, size);
    uint64_t* room = (uint64_t*)(lists + workers);
    for (uint32_t i = 0; i < workers; i++)
        lists[i] = (key_list){catches[i].keys, catches[i].key_count};
    const key_list sorted = merge(lists, (uint32_t)workers, room, room + all);
    const fracas_status status = report(tets, sorted.keys, sorted.count, depth, sink);
    frc_release(context, lists, size);
    return status;
}

static fracas_status search(query_job* job) {
    fracas_context* context = job->tets->context;
    frc_parallel_for(context, frc_worker_count(context), 1, find_share, job);
    for (uint32_t i = 0; i < frc_worker_count(context); i++)
        if (job->catches[i].no_memory) return frc_fail_memory(context, sizeof(uint64_t));
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
        status = merge_and_report(tets, job.catches, query->depth, sink, s.penetrations);
        s.ms_detect = frc_clock_ms() - start;
        if (sink->statistics && status == FRACAS_OK) *sink->statistics = s;
    }
    destroy_catches(tets->context, job.catches);
    return status;
}
