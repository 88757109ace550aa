/// @file detect.c  A query from its beginning to its end.
///
/// frc_detect runs one search for each mode. A search sets up one worker for each thread, divides
/// the trees into tasks, runs the tasks on all workers (traverse.c: pairs of nodes; leaf_pairs_*.c:
/// pairs of features; narrow_phase.c: contacts), and sorts the contacts of all workers into one
/// list.
///
/// Trees are only read, except by methods that visit nodes. Which worker runs which task depends on
/// timing, but no two contacts are equal, so the sorted list does not.
#include "base/clock.h"
#include "detect/initial_tasks.h"
#include "detect/narrow_phase.h"
#include "detect/stream.h"
#include "detect/traverse.h"
#include <math.h>

// ---- one worker of a search

// The loop of a worker: tasks from the pool until all are done.
static void run_worker(uint32_t begin, uint32_t end, uint32_t index, void* data) {
    (void)begin, (void)end;
    frc_search_run* run = data;
    frc_detect_worker* worker = run->workers[index];
    frc_task_worker task_worker = frc_task_pool_join(run->pool, index);
    if (!worker->task_worker) frc_detect_worker_clear_caches(worker);
    worker->task_worker = &task_worker;
    for (frc_task task;;) {
        if (!frc_task_next(&task_worker, &task)) {
            // Test the pending candidates before waiting: the search may end there.
            if (!worker->out_of_memory && !worker->cancelled) frc_flush_candidates(worker, true);
            if (!frc_task_wait(&task_worker, &task)) break;
        }
        // Batches are small once the list of tasks is empty: the end of the search is near.
        const uint32_t started = frc_task_pool_started(&task_worker);
        const bool tasks_left = started < run->tasks.count;
        frc_detect_worker_set_batch(worker,
                                    tasks_left ? (run->worker_count + 3) / 4 : run->worker_count);
        // Worker 0 is the calling thread: only it may call the progress callback.
        if (index == 0 && !worker->cancelled) {
            const double done = (double)started / (double)run->tasks.count;
            const double from = run->progress[0], to = run->progress[1];
            if (!frc_progress(run->world->context, from + (to - from) * done)) {
                worker->cancelled = true;
                // Relaxed: workers only have to see it soon; no data depends on it.
                atomic_store_explicit(&run->stopped, true, memory_order_relaxed);
            }
        }
        if (atomic_load_explicit(&run->stopped, memory_order_relaxed)) worker->cancelled = true;
        if (worker->out_of_memory || worker->cancelled) continue;
        frc_work work;
        _Static_assert(sizeof work == sizeof task, "work is passed as a task");
        memcpy(&work, &task, sizeof work);
        run->world->method->run_task(worker, &work, run->method_data);
    }
    // All contacts are found: sort those of this worker, which are in its cache. The keys depend on
    // the buffers of all workers, which are complete (frc_task_wait).
    if (!worker->out_of_memory && !worker->cancelled)
        frc_contact_buffer_sort(run->world->context, run->buffers, run->worker_count, index);
}

// ---- one search

typedef struct setup {
    const frc_search_run* run;
    const frc_search_options* options;
} setup;

static void begin_worker(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const setup* s = data;
    for (uint32_t i = begin; i < end; i++) {
        frc_detect_worker_begin(s->run->workers[i], s->run->world, s->options);
        frc_detect_worker_set_batch(s->run->workers[i], s->run->worker_count);
        s->run->workers[i]->window = s->run->window;
        s->run->buffers[i] = &s->run->workers[i]->found;
        if (s->options->kept) s->run->workers[i]->kept = s->options->kept[i];
    }
}

bool frc_search_open(frc_search_run* run, const frc_world* world, const double* progress) {
    bool memory = true;
    *run = (frc_search_run){.world = world,
                            .workers = frc_detect_workers_acquire(world),
                            .worker_count = frc_worker_count(world->context),
                            .progress = progress};
    run->buffers =
        frc_allocate_array(world->context, run->worker_count, sizeof *run->buffers, &memory);
    atomic_init(&run->stopped, false);
    return memory && run->workers;
}

void frc_search_close(frc_search_run* run) {
    fracas_context* context = run->world->context;
    FRC_ARRAY_RELEASE(context, &run->tasks);
    frc_release(context, run->buffers, frc_array_size(run->worker_count, sizeof *run->buffers));
    if (run->workers) frc_detect_workers_release(run->world, run->workers);
}

// On all threads: the state of a worker is then mostly in the cache of its thread.
void frc_search_begin_workers(frc_search_run* run, const frc_search_options* options) {
    setup s = {run, options};
    frc_parallel_for(run->world->context, run->worker_count, 1, begin_worker, &s);
}

void frc_search_run_tasks(frc_search_run* run, fracas_statistics* statistics) {
    fracas_context* context = run->world->context;
    frc_task_pool pool;
    frc_task_pool_begin(&pool, context, (const frc_task*)(const void*)run->tasks.data,
                        (uint32_t)run->tasks.count);
    run->pool = &pool;
    frc_parallel_for(context, pool.worker_count, 1, run_worker, run);
    statistics->ms_idle += frc_task_pool_end(&pool) / run->worker_count;
}

void frc_search_gather(const frc_search_run* run, fracas_statistics* sum, bool* memory,
                       bool* cancelled) {
    for (uint32_t i = 0; i < run->worker_count; i++) {
        const frc_detect_worker* worker = run->workers[i];
        const fracas_statistics* s = &worker->statistics;
        *memory = *memory && !worker->out_of_memory;
        *cancelled = *cancelled || worker->cancelled;
        for (int k = 0; k < 6; k++) sum->contacts[k] += s->contacts[k];
        sum->siblings_left_out += s->siblings_left_out;
        sum->left_out += s->left_out;
        sum->box_pairs += s->box_pairs;
        sum->tt_candidates += s->tt_candidates;
        sum->vf_candidates += s->vf_candidates;
        sum->ee_candidates += s->ee_candidates;
        sum->exact += s->exact;
        sum->filtered += s->filtered;
        sum->ms_narrow += worker->narrow_ms / run->worker_count;
        if (worker->search == FRC_SEARCH_CONTINUOUS && worker->found.earliest < sum->earliest_toi)
            sum->earliest_toi = worker->found.earliest;
    }
}

const frc_search_method frc_search_trees = {.needs_trees = true,
                                            .refit_cut = frc_forest_cut_by_size,
                                            .divide = frc_divide_trees,
                                            .run_task = frc_traverse};

fracas_status frc_search(const frc_world* world, const frc_search_options* options,
                         frc_contact_list* out, fracas_statistics* statistics) {
    fracas_context* context = world->context;
    const frc_search_method* method = world->method;
    const double start = frc_clock_ms(), narrow_before = statistics->ms_narrow;
    bool cancelled = false;
    frc_search_run run;
    bool memory = frc_search_open(&run, world, options->progress);
    double sort_ms = 0;
    const size_t begin = out ? out->count : 0;
    run.out = out;
    if (memory) {
        frc_search_begin_workers(&run, options);
        // Find all contacts.
        if (method->run)
            method->run(&run, statistics);
        else
            method->divide(&run);
        if (!method->run && !run.workers[0]->out_of_memory) frc_search_run_tasks(&run, statistics);
        if (method->finish) method->finish(&run);
        frc_search_gather(&run, statistics, &memory, &cancelled);
        // The calling thread may have run no task: always report the end.
        if (!cancelled && !frc_progress(context, run.progress[1])) cancelled = true;
        if (frc_cancelled(context)) cancelled = true;
        const double sort_start = frc_clock_ms();
        const size_t middle = out ? out->count : 0;
        if (memory && out && !cancelled && run.status == FRACAS_OK)
            memory = frc_sort_contacts(context, run.buffers, run.worker_count, out) &&
                     frc_merge_contacts(context, out, begin, middle);
        sort_ms = frc_clock_ms() - sort_start;
    }
    if (out && (!memory || cancelled || run.status != FRACAS_OK)) out->count = begin;
    const size_t worker_bytes = run.worker_count * sizeof(frc_detect_worker);
    frc_search_close(&run);
    statistics->ms_sort += sort_ms;
    statistics->ms_traverse +=
        frc_clock_ms() - start - sort_ms - (statistics->ms_narrow - narrow_before);
    if (run.status != FRACAS_OK) return run.status;
    if (!memory) return frc_fail_memory(context, worker_bytes);
    if (cancelled) return frc_fail(context, FRACAS_ERROR_CANCELLED, "the query was cancelled");
    return FRACAS_OK;
}

// ---- queries

// Keep one contact: the earliest; of several at that time the first in the order of the report.
// Discrete contacts have no time: one of them is kept only when there is no continuous contact.
static void keep_first(frc_contact_list* list, fracas_statistics* statistics) {
    size_t begin = 0;
    while (begin < list->count && list->data[begin].kind < FRACAS_CONTACT_VF) begin++;
    if (begin == list->count) begin = 0;
    if (list->count == 0) return;
    const fracas_contact* first = &list->data[begin];
    for (size_t i = begin + 1; i < list->count; i++)
        if (list->data[i].toi < first->toi) first = &list->data[i];
    list->data[0] = *first;
    list->count = 1;
    memset(statistics->contacts, 0, sizeof statistics->contacts);
    statistics->contacts[list->data[0].kind] = 1;
}

// Keep the first contacts in the order of the report, as many as the query allows.
static void keep_allowed(frc_contact_list* list, const fracas_query* query,
                         fracas_statistics* statistics) {
    if (query->max_contacts == 0 || list->count <= query->max_contacts) return;
    list->count = (size_t)query->max_contacts;
    statistics->limit_reached = 1;
    statistics->earliest_toi = (double)INFINITY;
    memset(statistics->contacts, 0, sizeof statistics->contacts);
    for (size_t i = 0; i < list->count; i++) {
        const fracas_contact* c = &list->data[i];
        statistics->contacts[c->kind]++;
        if (c->kind >= FRACAS_CONTACT_VF && c->toi < statistics->earliest_toi)
            statistics->earliest_toi = c->toi;
    }
}

// Pass the contacts to the sink. After a failure there are none, but the sink gets its list back.
static void report(const frc_world* world, fracas_status status, frc_contact_list* list,
                   const fracas_sink* sink, const fracas_statistics* statistics) {
    if (status != FRACAS_OK) list->count = 0;
    if (status == FRACAS_OK && sink->statistics) *sink->statistics = *statistics;
    if (frc_sink_attach_list(sink, list)) return;
    for (size_t i = 0; sink->report && i < list->count; i++)
        if (!sink->report(&list->data[i], sink->user)) break;
    FRC_ARRAY_RELEASE(world->context, list);
}

fracas_status frc_detect(const frc_world* world, const fracas_query* query,
                         const fracas_sink* sink) {
    fracas_statistics statistics = {.earliest_toi = INFINITY};
    frc_contact_list list;
    frc_sink_detach_list(sink, &list);
    double start = frc_clock_ms();
    fracas_status status = FRACAS_OK;
    const bool limited = query->max_contacts > 0 && !query->first;
    fracas_status (*const search)(const frc_world*, const frc_search_options*, frc_contact_list*,
                                  fracas_statistics*) = limited ? frc_search_limited : frc_search;
    // Progress never decreases within one call: each of two searches covers one half.
    const double half = query->modes == FRACAS_MODE_BOTH ? 0.5 : 0;
    if (query->modes & FRACAS_MODE_DISCRETE) {
        const frc_search_options options = {
            .kind = FRC_SEARCH_DISCRETE, .query = query, .progress = {0, 1 - half}
        };
        status = search(world, &options, &list, &statistics);
    }
    if (status == FRACAS_OK && query->modes & FRACAS_MODE_CONTINUOUS && !statistics.limit_reached) {
        const frc_search_options options = {
            .kind = FRC_SEARCH_CONTINUOUS,
            .query = query,
            .distance = query->min_separation,
            .progress = {half, 1}
        };
        status = search(world, &options, &list, &statistics);
    }
    if (status == FRACAS_OK && query->first) keep_first(&list, &statistics);
    statistics.ms_total = frc_clock_ms() - start;
    report(world, status, &list, sink, &statistics);
    return status;
}

fracas_status frc_search_and_report(const frc_world* world, const frc_search_options* options,
                                    const fracas_sink* sink) {
    fracas_statistics statistics = {.earliest_toi = INFINITY};
    frc_contact_list list;
    frc_sink_detach_list(sink, &list);
    const double start = frc_clock_ms();
    const fracas_status status = frc_search(world, options, &list, &statistics);
    if (status == FRACAS_OK && options->query->first) keep_first(&list, &statistics);
    if (status == FRACAS_OK && !options->query->first)
        keep_allowed(&list, options->query, &statistics);
    statistics.ms_total = frc_clock_ms() - start;
    report(world, status, &list, sink, &statistics);
    return status;
}

fracas_status frc_nearby(const frc_world* world, double distance, const fracas_sink* sink) {
    fracas_query query = fracas_scene_default_query();
    query.siblings = FRACAS_SIBLINGS_REPORT;
    const frc_search_options options = {
        .kind = FRC_SEARCH_NEARBY, .query = &query, .distance = distance, .progress = {0, 1}
    };
    return frc_search_and_report(world, &options, sink);
}
