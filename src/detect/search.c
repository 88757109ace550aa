/// @file search.c  Divide a search into parts, run them on all workers, gather what they found.
///
/// Every worker has its own walk: stack, batches, contacts, counters. Trees are only read. Which
/// worker does what is left to chance: who has nothing to do is given a pair of nodes by somebody
/// who has. The contacts are sorted afterwards and no two are equal, so the result is the same.
#include "detect/search.h"
#include "base/clock.h"
#include "base/parallel.h"
#include <math.h>
#include <string.h>

// A list of tasks that is being run.
typedef struct task_run {
    const frc_search_workers* workers;
    frc_search_task_fn* run;
    void* data;
    atomic_bool stopped;  // the progress callback has cancelled this query, and no other
    uint32_t count;       // of tasks to begin with
} task_run;

// Does it matter only whether features touch, and not how far apart they are? Where siblings are
// left out wherever they are, pairs that do not touch are counted too.
static bool asks_for_touching(const frc_world* world, const frc_search_options* options) {
    bool counts_apart = world->siblings && options->query->siblings == FRACAS_SIBLINGS_IGNORE;
    return options->search != FRC_SEARCH_NEARBY && !(options->reach > 0) && !counts_apart;
}

// ---- walks

enum { LEAST_BATCH = 64 };  // candidates; the filters take no fewer at a time

static void begin_walk(frc_walk* walk, const frc_world* world, const frc_search_options* options) {
    // Memory is kept; the batches need no clearing.
    uint64_t* stack = walk->stack.data;
    size_t stack_capacity = walk->stack.capacity;
    frc_pile found = walk->found;
    memset(walk, 0, offsetof(frc_walk, tt));
    walk->stack.data = stack, walk->stack.capacity = stack_capacity;
    walk->found = found;
    frc_pile_clear(&walk->found);
    walk->parting[0].count = walk->parting[1].count = 0;
    walk->touch = NULL;
    walk->world = world;
    walk->search = options->search;
    walk->boxes = options->search == FRC_SEARCH_DISCRETE ? FRC_BOXES_END : FRC_BOXES_STEP;
    walk->query = options->query;
    walk->siblings = options->query->siblings;
    walk->trees = options->trees;
    walk->lows = options->lows ? *options->lows : world->lows;
    walk->reach = options->reach;
    walk->touching = asks_for_touching(world, options);
    walk->cull = walk->touching && !world->no_cull;
}

// Large batches are tested faster. But in the end few candidates and few pairs of leaves may be
// left over, or the last batch of one worker keeps the others waiting: a batch is one of so many
// shares.
static void set_batch(frc_walk* walk, uint32_t shares) {
    const uint32_t batch = FRC_BATCH / shares, pairs = 2 * FRC_LEAF_PAIRS / shares;
    walk->batch = batch < LEAST_BATCH ? LEAST_BATCH : batch;
    walk->leaves.enough = pairs > FRC_LEAF_PAIRS         ? FRC_LEAF_PAIRS
                          : pairs < FRC_LEAST_LEAF_PAIRS ? FRC_LEAST_LEAF_PAIRS
                                                         : pairs;
}

static void destroy_walks(fracas_context* context, frc_walk** walks) {
    uint32_t count = frc_worker_count(context);
    for (uint32_t i = 0; walks && i < count; i++) {
        if (!walks[i]) continue;
        FRC_ARRAY_RELEASE(context, &walks[i]->stack);
        frc_pile_release(context, &walks[i]->found);
        frc_release(context, walks[i], sizeof *walks[i]);
    }
    frc_release(context, walks, count * sizeof *walks);
}

static frc_walk** make_walks(fracas_context* context) {
    uint32_t count = frc_worker_count(context);
    frc_walk** walks = frc_allocate_zero(context, count * sizeof *walks);
    for (uint32_t i = 0; walks && i < count; i++) {
        walks[i] = frc_allocate(context, sizeof **walks);
        if (!walks[i]) {
            destroy_walks(context, walks);
            return NULL;
        }
        memset(walks[i], 0, offsetof(frc_walk, tt));
    }
    return walks;
}

static frc_walk** take_walks(const frc_world* world) {
    frc_walk** walks = atomic_exchange_explicit(&world->spare->walks, NULL, memory_order_acquire);
    return walks ? walks : make_walks(world->context);
}

static void put_walks_back(const frc_world* world, frc_walk** walks) {
    destroy_walks(world->context,
                  atomic_exchange_explicit(&world->spare->walks, walks, memory_order_acq_rel));
}

void frc_spare_release(fracas_context* context, frc_spare* spare) {
    destroy_walks(context, atomic_exchange(&spare->walks, NULL));
}

// ---- workers

// The first worker is the calling thread: the only one that may talk to the user.
static void tell_progress(task_run* r, frc_walk* walk) {
    double done = (double)frc_task_pool_started(walk->task_worker) / r->count;
    const double* progress = r->workers->progress;
    double fraction = progress[0] + (progress[1] - progress[0]) * done;
    if (frc_progress(walk->world->context, fraction)) return;
    walk->cancelled = true;
    atomic_store_explicit(&r->stopped, true, memory_order_relaxed);
}

static void run_task(frc_task_worker* task_worker, const frc_task* task, void* data) {
    task_run* r = data;
    frc_walk* walk = r->workers->walks[task_worker->index];
    frc_work work;
    memcpy(&work, task, sizeof work);
    if (!walk->task_worker) frc_walk_forget_leaves(walk);
    walk->task_worker = task_worker;
    // As long as the list has tasks the end is far.
    const uint32_t workers = frc_worker_count(walk->world->context);
    set_batch(walk, frc_task_pool_started(task_worker) < r->count ? (workers + 3) / 4 : workers);
    if (task_worker->index == 0 && !walk->cancelled) tell_progress(r, walk);
    if (atomic_load_explicit(&r->stopped, memory_order_relaxed)) walk->cancelled = true;
    if (walk->out_of_memory || walk->cancelled) return;
    r->run(walk, &work, r->data);
}

// Before a worker waits it tests what it has gathered: others may have nothing for a while.
static void rest(frc_task_worker* task_worker, void* data) {
    const task_run* r = data;
    frc_walk* walk = r->workers->walks[task_worker->index];
    if (!walk->out_of_memory && !walk->cancelled) frc_walk_flush(walk, true);
}

// Nothing more is found: what this worker has found is put in order by itself as it leaves.
static void end(frc_task_worker* task_worker, void* data) {
    const frc_search_workers* p = ((const task_run*)data)->workers;
    const frc_walk* walk = p->walks[task_worker->index];
    if (!walk->out_of_memory && !walk->cancelled)
        frc_pile_make_ready(p->world->context, p->piles, p->count, task_worker->index);
}

// Parts to begin with. Somebody makes them while all others wait, so they are few: 32 took twelve
// microseconds more on 16 workers, and no less time afterwards.
enum { PARTS = 16 };

// The parts that are to be divided now: of the tree over blocks all as long as they are few, of
// blocks those that are more than one in so many of all there is.
static bool is_too_large(const frc_walk* walk, const frc_work_list* list, const frc_work* part,
                         uint64_t all) {
    if (part->block_a == FRC_TOP) return list->count < (size_t)2 * PARTS;
    return frc_walk_weight(walk, part) * PARTS > all;
}

// Once more; false when nothing was (or there was no memory).
static bool divide_large(frc_walk* walk, frc_work_list* list) {
    fracas_context* context = walk->world->context;
    frc_work_list parts = {0};
    bool divided = false;
    uint64_t all = 0;
    for (size_t i = 0; i < list->count; i++) frc_walk_look_ahead(walk, &list->data[i]);
    for (size_t i = 0; i < list->count; i++) all += frc_walk_weight(walk, &list->data[i]);
    for (size_t i = 0; i < list->count; i++) {
        const frc_work* part = &list->data[i];
        if (is_too_large(walk, list, part, all) && frc_walk_divide(walk, part, &parts))
            divided = true;
        else if (!FRC_ARRAY_PUSH(context, &parts, *part))
            walk->out_of_memory = true;
    }
    FRC_ARRAY_RELEASE(context, list);
    *list = parts;
    return divided && !walk->out_of_memory;
}

// Where things touch is not known yet: most of the work may be in few of them, and those who have
// it share it. But progress and cancelling are smoother than with one.
static bool divide_trees(frc_walk* walk, frc_work_list* list) {
    const frc_world* world = walk->world;
    const frc_work whole = {FRC_TOP, FRC_TOP, 0, 0};
    if (!world->top->nodes[walk->boxes]) return true;
    if (!FRC_ARRAY_PUSH(world->context, list, whole)) return false;
    while (divide_large(walk, list)) {}
    return !walk->out_of_memory;
}

// ---- the beginning

typedef struct beginning {
    frc_walk* const* walks;
    const frc_world* world;
    const frc_search_options* options;
    bool (*divide)(frc_walk* walk, frc_work_list* out);  // NULL: not now
    frc_work_list* tasks;
} beginning;

// Each by who will walk: what is written there lies in its cache. The first finds out meanwhile
// what there is to do.
static void begin_walks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const beginning* b = data;
    const uint32_t workers = frc_worker_count(b->world->context);
    for (uint32_t i = begin; i < end; i++) {
        frc_walk* walk = b->walks[i];
        begin_walk(walk, b->world, b->options);
        set_batch(walk, workers);
        if (i == 0 && b->divide && !b->divide(walk, b->tasks)) walk->out_of_memory = true;
    }
}

static void add_statistics(fracas_statistics* sum, const frc_walk* walk) {
    const fracas_statistics* s = &walk->statistics;
    for (int k = 0; k < 6; k++) sum->contacts[k] += s->contacts[k];
    sum->siblings_left_out += s->siblings_left_out;
    sum->box_pairs += s->box_pairs;
    sum->tt_candidates += s->tt_candidates;
    sum->vf_candidates += s->vf_candidates;
    sum->ee_candidates += s->ee_candidates;
    sum->exact += s->exact;
    sum->filtered += s->filtered;
    sum->ms_narrow += walk->narrow_ms;
    if (walk->search == FRC_SEARCH_CONTINUOUS && walk->found.earliest < sum->earliest_toi)
        sum->earliest_toi = walk->found.earliest;
}

static fracas_status gather(fracas_context* context, frc_walk* const* walks, frc_pile* const* piles,
                            uint32_t count, frc_contact_list* out, fracas_statistics* statistics) {
    size_t all = 0;
    bool memory = true;
    for (uint32_t i = 0; i < count; i++) {
        memory = memory && !walks[i]->out_of_memory;
        all += walks[i]->found.contacts.count;
        add_statistics(statistics, walks[i]);
    }
    double start = frc_clock_ms();
    if (memory && out) memory = frc_sort_piles(context, piles, count, out);
    statistics->ms_sort += frc_clock_ms() - start;
    return memory ? FRACAS_OK : frc_fail_memory(context, all * sizeof *out->data);
}

// A walk that saw the wish to stop has left work undone, even when the wish is taken back by now.
static bool any_cancelled(frc_walk** walks, uint32_t count) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any = any || walks[i]->cancelled;
    return any;
}

void frc_search_run_tasks(const frc_search_workers* workers, const frc_work_list* tasks,
                          frc_search_task_fn* run, void* data, fracas_statistics* statistics) {
    if (workers->walks[0]->out_of_memory) return;
    task_run r = {.workers = workers, .run = run, .data = data, .count = (uint32_t)tasks->count};
    atomic_init(&r.stopped, false);
    const frc_task_pool_work work = {.tasks = (const frc_task*)(const void*)tasks->data,
                                     .count = (uint32_t)tasks->count,
                                     .run = run_task,
                                     .before_wait = rest,
                                     .before_exit = end,
                                     .data = &r};
    statistics->ms_idle += frc_task_pool_run(workers->world->context, &work) / workers->count;
}

static void run_pair(frc_walk* walk, const frc_work* task, void* data) {
    (void)data;
    frc_walk_run(walk, task);
}

static void run_trees(const frc_search_workers* workers, fracas_statistics* statistics) {
    frc_search_run_tasks(workers, &workers->tasks, run_pair, NULL, statistics);
}

const frc_search_method frc_search_trees = {.needs_trees = true,
                                            .refit_cut = frc_forest_cut_by_size,
                                            .divide = divide_trees,
                                            .run = run_trees};

static fracas_status run_workers(frc_search_workers* p, const frc_search_options* options,
                                 frc_contact_list* out, fracas_statistics* statistics) {
    const frc_world* world = p->world;
    fracas_context* context = world->context;
    static const double whole[2] = {0, 1};
    p->progress = options->progress[1] > 0 ? options->progress : whole;
    for (uint32_t i = 0; i < p->count; i++) p->piles[i] = &p->walks[i]->found;
    beginning b = {p->walks, world, options, world->method->divide, &p->tasks};
    frc_parallel_for(context, p->count, 1, begin_walks, &b);
    world->method->run(p, statistics);
    FRC_ARRAY_RELEASE(context, &p->tasks);
    // The helpers may have left nothing for the calling thread: the end is told in any case.
    if (!any_cancelled(p->walks, p->count) && !frc_progress(context, p->progress[1]))
        p->walks[0]->cancelled = true;
    const bool cancelled = frc_cancelled(context) || any_cancelled(p->walks, p->count);
    fracas_status status =
        gather(context, p->walks, p->piles, p->count, cancelled ? NULL : out, statistics);
    if (status == FRACAS_OK && cancelled)
        status = frc_fail(context, FRACAS_ERROR_CANCELLED, "the query was cancelled");
    return status;
}

fracas_status frc_search_run(const frc_world* world, const frc_search_options* options,
                             frc_contact_list* out, fracas_statistics* statistics) {
    fracas_context* context = world->context;
    bool ok = true;
    frc_search_workers p = {
        .world = world, .count = frc_worker_count(context), .walks = take_walks(world)};
    p.piles = frc_allocate_array(context, p.count, sizeof *p.piles, &ok);
    double start = frc_clock_ms();
    double narrow_before = statistics->ms_narrow, sort_before = statistics->ms_sort;
    fracas_status status = p.walks && ok ? run_workers(&p, options, out, statistics)
                                         : frc_fail_memory(context, p.count * sizeof(frc_walk));
    frc_release(context, p.piles, frc_array_size(p.count, sizeof *p.piles));
    if (p.walks) put_walks_back(world, p.walks);
    // With several workers their shares of the narrow phase overlap: spread over them.
    double narrow = (statistics->ms_narrow - narrow_before) / p.count;
    statistics->ms_narrow = narrow_before + narrow;
    const double sort = statistics->ms_sort - sort_before;
    statistics->ms_traverse += frc_clock_ms() - start - narrow - sort;
    return status;
}

fracas_status frc_search_world(const frc_world* world, frc_search search, const fracas_query* query,
                               frc_contact_list* out, fracas_statistics* statistics) {
    frc_search_options options = {
        .search = search, .query = query, .reach = query->min_separation};
    if (search == FRC_SEARCH_DISCRETE) options.reach = 0;
    if (query->modes == FRACAS_MODE_BOTH) {
        // Progress never falls within one call: each of the two searches has its half.
        options.progress[0] = search == FRC_SEARCH_DISCRETE ? 0 : 0.5;
        options.progress[1] = search == FRC_SEARCH_DISCRETE ? 0.5 : 1;
    }
    return frc_search_run(world, &options, out, statistics);
}
