/// @file worker.c  Workers are created once and reused by later queries.
#include "detect/worker.h"

static void destroy_workers(fracas_context* context, frc_detect_worker** workers) {
    uint32_t count = frc_worker_count(context);
    for (uint32_t i = 0; workers && i < count; i++) {
        if (!workers[i]) continue;
        FRC_ARRAY_RELEASE(context, &workers[i]->stack);
        frc_contact_buffer_release(context, &workers[i]->found);
        frc_release(context, workers[i], sizeof *workers[i]);
    }
    frc_release(context, workers, count * sizeof *workers);
}

frc_detect_worker** frc_detect_workers_acquire(const frc_world* world) {
    fracas_context* context = world->context;
    // Concurrent queries exchange the pointer: one of them gets the spare workers, the others NULL.
    // Acquire pairs with the release of the query that stored them.
    frc_detect_worker** workers =
        atomic_exchange_explicit(&world->spare->workers, NULL, memory_order_acquire);
    if (workers) return workers;
    uint32_t count = frc_worker_count(context);
    workers = frc_allocate_zero(context, count * sizeof *workers);
    for (uint32_t i = 0; workers && i < count; i++) {
        workers[i] = frc_allocate(context, sizeof **workers);
        if (!workers[i]) {
            destroy_workers(context, workers);
            return NULL;
        }
        memset(workers[i], 0, offsetof(frc_detect_worker, tt));
    }
    return workers;
}

// Workers that another query has stored meanwhile are destroyed: the exchange is also an acquire.
void frc_detect_workers_release(const frc_world* world, frc_detect_worker** workers) {
    destroy_workers(world->context, atomic_exchange_explicit(&world->spare->workers, workers,
                                                             memory_order_acq_rel));
}

void frc_spare_release(fracas_context* context, frc_spare* spare) {
    destroy_workers(context, atomic_exchange(&spare->workers, NULL));
}

// Discrete queries see bodies without thickness.
void frc_detect_worker_reach_all(frc_detect_worker* worker) {
    worker->reach = worker->distance;
    const double thickest = worker->world->thickest;
    if (!(thickest > 0) || worker->search == FRC_SEARCH_DISCRETE) return;
    worker->reach += thickest + thickest;
    if (worker->reach > DBL_MAX) worker->reach = DBL_MAX;
}

void frc_detect_worker_begin(frc_detect_worker* worker, const frc_world* world,
                             const frc_search_options* options) {
    // Keep the memory of stack and contacts; batches need no clearing.
    uint64_t* stack = worker->stack.data;
    size_t stack_capacity = worker->stack.capacity;
    frc_contact_buffer found = worker->found;
    memset(worker, 0, offsetof(frc_detect_worker, tt));
    worker->stack.data = stack, worker->stack.capacity = stack_capacity;
    worker->found = found;
    frc_contact_buffer_clear(&worker->found);
    worker->separating[0].count = worker->separating[1].count = 0;
    worker->visit_node = NULL;
    worker->world = world;
    worker->search = options->kind;
    worker->boxes = options->kind == FRC_SEARCH_DISCRETE ? FRC_BOXES_END : FRC_BOXES_STEP;
    worker->query = options->query;
    worker->siblings = options->query->siblings;
    worker->trees = options->trees;
    worker->lows = options->lows ? *options->lows : world->lows;
    worker->distance = options->distance;
    frc_detect_worker_reach_all(worker);
    worker->swept = options->kind == FRC_SEARCH_CANDIDATES;
    worker->axis_tested = true;
    // The statistics count pairs of ignored siblings at any distance.
    const bool count_apart = world->siblings && worker->siblings == FRACAS_SIBLINGS_IGNORE;
    worker->touch_only =
        options->kind <= FRC_SEARCH_CONTINUOUS && !(worker->reach > 0) && !count_apart;
    worker->cull = worker->touch_only && !world->no_cull;
}

enum { MIN_BATCH = 64 };  // candidates: the filters process this many at a time

static uint32_t clamp(uint32_t x, uint32_t low, uint32_t high) {
    return x < low ? low : x > high ? high : x;
}

void frc_detect_worker_set_batch(frc_detect_worker* worker, uint32_t shares) {
    worker->batch = clamp(FRC_BATCH / shares, MIN_BATCH, FRC_BATCH);
    worker->leaf_pairs.limit =
        clamp(2 * FRC_LEAF_PAIRS / shares, FRC_MIN_LEAF_PAIRS, FRC_LEAF_PAIRS);
}
