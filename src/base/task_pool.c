/// @file task_pool.c  Work-sharing scheduler: busy workers publish their oldest task.
///
/// Termination: `busy` counts the workers that run, or may still find, a task, plus the tasks in
/// slots. Only a busy worker publishes, and it counts the task before another worker can take it.
/// The count of a task passes to the worker that takes it. When the count is zero and the list is
/// used up, no task can appear and all workers leave. This holds also when a worker joins late or
/// never.
#include "base/task_pool.h"
#include "base/clock.h"

// Two counts in one word, so that a task changes its owner with one atomic addition. Lower half:
// busy; upper half: tasks that the slots lack, which may be negative.
#define BUSY ((uint64_t)1)
#define WANTED ((uint64_t)1 << 32)

/// A separate cache line, against false sharing. `reserved`: set by a writer, cleared by the reader
/// after it has copied the task. Bits of the pool say which slots hold a task, so idle workers need
/// not read slots.
typedef struct frc_task_slot {
    _Alignas(64) atomic_bool reserved;
    frc_task task;
} task_slot;

// `reserved` is exchanged with acquire: the reader's load of the old task happens before this
// store. The release on `full` makes the task visible to the worker that clears the bit.
bool frc_task_publish(frc_task_worker* worker, const frc_task* task) {
    frc_task_pool* pool = worker->pool;
    for (uint32_t i = 0; i < pool->slot_count; i++) {
        const uint32_t at = (2 * worker->index + i) % pool->slot_count;
        task_slot* slot = &pool->slots[at];
        if (atomic_load_explicit(&slot->reserved, memory_order_relaxed) ||
            atomic_exchange_explicit(&slot->reserved, true, memory_order_acquire))
            continue;
        slot->task = *task;
        atomic_fetch_add_explicit(&pool->counts, BUSY - WANTED, memory_order_relaxed);
        frc_test_yield(pool->context);
        atomic_fetch_or_explicit(&pool->full[at / 64], (uint64_t)1 << at % 64,
                                 memory_order_release);
        return true;
    }
    return false;
}

// The worker's own slots first: their data is in its cache. The task keeps its count in `busy`.
// The acquire on `full` pairs with the release in frc_task_publish: one worker clears the bit and
// reads the task.
static bool take_from_slots(frc_task_pool* pool, uint32_t worker, frc_task* out) {
    const uint32_t words = (pool->slot_count + 63) / 64, own = 2 * worker;
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t word = (own / 64 + i) % words, from = i ? 0 : own % 64;
        atomic_uint_fast64_t* full = &pool->full[word];
        uint64_t bits = atomic_load_explicit(full, memory_order_relaxed);
        while (bits) {
            // The first bit from number `from` on, cyclically.
            const uint64_t rotated = from ? bits >> from | bits << (64 - from) : bits;
            const uint32_t bit = (from + (uint32_t)__builtin_ctzll(rotated)) % 64;
            const uint64_t mask = (uint64_t)1 << bit;
            bits = atomic_fetch_and_explicit(full, ~mask, memory_order_acquire);
            if (!(bits & mask)) continue;  // another worker was first
            task_slot* slot = &pool->slots[64 * word + bit];
            *out = slot->task;
            frc_test_yield(pool->context);
            atomic_store_explicit(&slot->reserved, false, memory_order_release);
            return true;
        }
    }
    return false;
}

uint32_t frc_task_pool_started(const frc_task_worker* worker) {
    const uint32_t count = worker->pool->task_count;
    uint_fast32_t next = atomic_load_explicit(&worker->pool->next, memory_order_relaxed);
    return next < count ? (uint32_t)next : count;
}

frc_task_worker frc_task_pool_join(frc_task_pool* pool, uint32_t index) {
    atomic_fetch_add_explicit(&pool->counts, BUSY, memory_order_acq_rel);
    return (frc_task_worker){pool, &pool->counts, index, 0};
}

bool frc_task_next(frc_task_worker* worker, frc_task* out) {
    frc_task_pool* pool = worker->pool;
    // Load before adding: `next` stays small however often workers poll it. Acquire and release: a
    // worker that finds the list used up also sees that the worker with the last task has joined,
    // so it cannot read busy == 0 while that task runs.
    if (atomic_load_explicit(&pool->next, memory_order_acquire) < pool->task_count) {
        uint_fast32_t i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_acq_rel);
        if (i < pool->task_count) {
            *out = pool->tasks[i];
            frc_test_yield(pool->context);
            return true;
        }
    }
    if (!pool->slots || !take_from_slots(pool, worker->index, out)) return false;
    // This worker is now counted twice, and the slots lack one task more.
    atomic_fetch_add_explicit(&pool->counts, WANTED - BUSY, memory_order_relaxed);
    frc_test_yield(pool->context);
    return true;
}

bool frc_task_wait(frc_task_worker* worker, frc_task* out) {
    frc_task_pool* pool = worker->pool;
    if (!pool->slots) return false;
    const double start = frc_clock_ms();
    bool found = false;
    // Release: a worker that reads busy == 0 sees everything that this worker has written.
    atomic_fetch_add_explicit(&pool->counts, WANTED - BUSY, memory_order_acq_rel);
    for (uint32_t turn = 0; !found; turn++) {
        if ((uint32_t)atomic_load_explicit(&pool->counts, memory_order_acquire) == 0) break;
        found = take_from_slots(pool, worker->index, out);
        if (!found) frc_back_off(pool->context, turn);
    }
    worker->idle_ms += frc_clock_ms() - start;
    // With a task found, one idle worker less and one full slot less cancel.
    if (found) return true;
    atomic_fetch_sub_explicit(&pool->counts, WANTED, memory_order_relaxed);
    pool->idle_ms[worker->index] += worker->idle_ms;
    return false;
}

// ---- a run

void frc_task_pool_begin(frc_task_pool* pool, fracas_context* context, const frc_task* tasks,
                         uint32_t count) {
    const uint32_t workers = count > 0 ? frc_worker_count(context) : 1;
    // One allocation: slots, their bits on separate cache lines, times.
    const size_t bits_at = 2 * (size_t)workers * sizeof(task_slot);
    const size_t idle_at = bits_at + ((size_t)workers + 255) / 256 * 64;
    const size_t size = idle_at + workers * sizeof(double);
    char* memory = workers > 1 ? frc_allocate_zero(context, size) : NULL;
    *pool = (frc_task_pool){.worker_count = 1,
                            .context = context,
                            .tasks = tasks,
                            .task_count = count,
                            .idle_ms = &pool->single_idle_ms,
                            .memory = memory,
                            .memory_size = size};
    atomic_init(&pool->next, 0);
    atomic_init(&pool->counts, 0);
    if (!memory) return;
    pool->worker_count = workers;
    pool->slots = (task_slot*)(void*)memory;
    pool->slot_count = 2 * workers;
    pool->full = (atomic_uint_fast64_t*)(void*)(memory + bits_at);
    pool->idle_ms = (double*)(void*)(memory + idle_at);
    for (uint32_t i = 0; i < pool->slot_count; i++) atomic_init(&pool->slots[i].reserved, false);
    for (uint32_t i = 0; i < (pool->slot_count + 63) / 64; i++) atomic_init(&pool->full[i], 0);
    atomic_init(&pool->counts, workers / 2 * WANTED);  // the reserve
}

double frc_task_pool_end(frc_task_pool* pool) {
    double idle = 0;
    for (uint32_t i = 0; i < pool->worker_count; i++) idle += pool->idle_ms[i];
    frc_release(pool->context, pool->memory, pool->memory_size);
    return idle;
}

typedef struct pool_run {
    frc_task_pool pool;
    const frc_task_pool_work* work;
} pool_run;

static void run_worker(uint32_t begin, uint32_t end, uint32_t index, void* data) {
    (void)begin, (void)end;
    pool_run* run = data;
    frc_task_worker worker = frc_task_pool_join(&run->pool, index);
    frc_task task;
    while (frc_task_next(&worker, &task) || frc_task_wait(&worker, &task))
        run->work->run(&worker, &task, run->work->data);
}

double frc_task_pool_run(fracas_context* context, const frc_task_pool_work* work) {
    pool_run run = {.work = work};
    frc_task_pool_begin(&run.pool, context, work->tasks, work->count);
    frc_parallel_for(context, run.pool.worker_count, 1, run_worker, &run);
    return frc_task_pool_end(&run.pool);
}
