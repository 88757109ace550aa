/// @file task_pool.c  Work-sharing scheduler: busy workers publish their oldest task.
///
/// Termination: `busy` counts workers that run, or may still find, a task, and tasks in slots. Only
/// a busy worker publishes, and it counts the task before another worker can take it; a worker that
/// takes a task takes over its count. When the count is zero and the list is used up, no task can
/// appear and all workers leave. It does not matter whether a worker arrives late or never.
#include "base/task_pool.h"
#include "base/clock.h"

// Two counts in one word, so that a task changes its owner with one atomic addition. Lower half:
// busy; upper half: tasks that the slots lack, which may be negative.
#define BUSY ((uint64_t)1)
#define WANTED ((uint64_t)1 << 32)

/// A cache line of its own against false sharing. `taken`: claimed by a writer and not read yet.
/// Which slots hold a task is said by bits of the pool, so that idle workers need not read slots.
typedef struct task_slot {
    _Alignas(64) atomic_bool taken;
    frc_task task;
} task_slot;

struct frc_task_pool {
    fracas_context* context;
    const frc_task_pool_work* work;
    task_slot* slots;            // two for each worker; NULL: single-threaded
    atomic_uint_fast64_t* full;  // one bit for each slot, in words of 64
    uint32_t slot_count;
    double* idle_ms;                         // by worker
    _Alignas(64) atomic_uint_fast32_t next;  // task of the list
    _Alignas(64) atomic_uint_fast64_t counts;
};

bool frc_task_publish(frc_task_worker* worker, const frc_task* task) {
    frc_task_pool* pool = worker->pool;
    for (uint32_t i = 0; i < pool->slot_count; i++) {
        const uint32_t at = (2 * worker->index + i) % pool->slot_count;
        task_slot* slot = &pool->slots[at];
        if (atomic_load_explicit(&slot->taken, memory_order_relaxed) ||
            atomic_exchange_explicit(&slot->taken, true, memory_order_acquire))
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

// The worker's own slots first: their data is in its cache. The task's count in `busy` comes along.
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
            atomic_store_explicit(&slot->taken, false, memory_order_release);
            return true;
        }
    }
    return false;
}

uint32_t frc_task_pool_started(const frc_task_worker* worker) {
    const uint32_t count = worker->pool->work->count;
    uint_fast32_t next = atomic_load_explicit(&worker->pool->next, memory_order_relaxed);
    return next < count ? (uint32_t)next : count;
}

// A task from the list or a slot, without waiting.
static bool find_task(frc_task_pool* pool, uint32_t worker, frc_task* out) {
    const frc_task_pool_work* work = pool->work;
    // Load before adding: `next` stays small however often workers poll it.
    if (atomic_load_explicit(&pool->next, memory_order_relaxed) < work->count) {
        uint_fast32_t i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (i < work->count) {
            *out = work->tasks[i];
            return true;
        }
    }
    if (!pool->slots || !take_from_slots(pool, worker, out)) return false;
    // This worker is now counted twice, and the slots lack one task more.
    atomic_fetch_add_explicit(&pool->counts, WANTED - BUSY, memory_order_relaxed);
    return true;
}

// Wait for a task; false when all are done.
static bool wait_for_task(frc_task_pool* pool, uint32_t worker, frc_task* out) {
    bool found = false;
    // Release: a worker that reads busy == 0 sees everything that this worker has written.
    atomic_fetch_add_explicit(&pool->counts, WANTED - BUSY, memory_order_acq_rel);
    for (uint32_t turn = 0; !found; turn++) {
        if ((uint32_t)atomic_load_explicit(&pool->counts, memory_order_acquire) == 0) break;
        found = take_from_slots(pool, worker, out);
        if (!found) frc_back_off(pool->context, turn);
    }
    // With a task found, one idle worker less and one full slot less cancel.
    if (!found) atomic_fetch_sub_explicit(&pool->counts, WANTED, memory_order_relaxed);
    return found;
}

static void run_worker(uint32_t begin, uint32_t end, uint32_t index, void* data) {
    (void)begin, (void)end;
    frc_task_pool* pool = data;
    const frc_task_pool_work* work = pool->work;
    frc_task_worker worker = {pool, &pool->counts, index, 0};
    frc_task task;
    bool ran = false;  // since the last call of before_wait
    atomic_fetch_add_explicit(&pool->counts, BUSY, memory_order_acq_rel);
    for (bool more = true; more;) {
        while (find_task(pool, index, &task)) {
            frc_test_yield(pool->context);
            work->run(&worker, &task, work->data);
            ran = true;
        }
        if (work->before_wait && ran) work->before_wait(&worker, work->data);
        if (!pool->slots) break;
        double start = frc_clock_ms();
        more = wait_for_task(pool, index, &task);
        worker.idle_ms += frc_clock_ms() - start;
        if (more) work->run(&worker, &task, work->data);
        ran = more;
    }
    if (work->before_exit) work->before_exit(&worker, work->data);
    pool->idle_ms[index] += worker.idle_ms;
}

double frc_task_pool_run(fracas_context* context, const frc_task_pool_work* work) {
    uint32_t workers = work->count > 0 ? frc_worker_count(context) : 1;
    double single_idle = 0, idle = 0;
    frc_task_pool pool = {.context = context, .work = work, .idle_ms = &single_idle};
    atomic_init(&pool.next, 0);
    atomic_init(&pool.counts, 0);
    // One allocation: slots, their bits on cache lines of their own, times. Without memory the
    // calling thread runs all tasks.
    const size_t bits_at = 2 * (size_t)workers * sizeof(task_slot);
    const size_t idle_at = bits_at + ((size_t)workers + 255) / 256 * 64;
    const size_t size = idle_at + workers * sizeof(double);
    char* memory = workers > 1 ? frc_allocate_zero(context, size) : NULL;
    if (memory) {
        pool.slots = (task_slot*)(void*)memory;
        pool.slot_count = 2 * workers;
        pool.full = (atomic_uint_fast64_t*)(void*)(memory + bits_at);
        pool.idle_ms = (double*)(void*)(memory + idle_at);
        for (uint32_t i = 0; i < pool.slot_count; i++) atomic_init(&pool.slots[i].taken, false);
        for (uint32_t i = 0; i < (pool.slot_count + 63) / 64; i++) atomic_init(&pool.full[i], 0);
        atomic_init(&pool.counts, workers / 2 * WANTED);  // the reserve
    } else {
        workers = 1;
    }
    frc_parallel_for(context, workers, 1, run_worker, &pool);
    for (uint32_t i = 0; i < workers; i++) idle += pool.idle_ms[i];
    frc_release(context, memory, size);
    return idle;
}
