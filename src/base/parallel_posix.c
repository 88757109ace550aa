/// @file parallel_posix.c  Parallel loops on a thread pool, or on tasks of the application.
///
/// Static partition with stealing: every worker of a loop owns a contiguous part of its ranges and
/// processes them in order; when its part is empty it steals from the parts of other workers. A
/// worker thus gets about the same items in consecutive loops and has their data in its cache.
/// Several threads may call at once: the pool serves one loop; a second loop runs on its calling
/// thread alone.
///
/// A frame has many loops of a few microseconds. Threads therefore spin for the next loop before
/// they sleep, without a lock. They poll one epoch, which one thread writes, and each thread
/// reports in a separate cache line: a shared counter that sixteen threads increment and decrement
/// would take longer than such a loop.
#include "base/clock.h"
#include "base/parallel.h"
#include "base/simd.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

/// The part of a loop's ranges that one worker owns. A separate cache line, against false sharing.
typedef struct partition {
    _Alignas(64) atomic_uint_fast64_t started;  // ranges; may exceed their number
} partition;

typedef struct loop {
    fracas_context* context;
    frc_range_fn* body;
    void* data;
    uint32_t count, grain, ranges;
    uint32_t partition_count;
    partition* partitions;
    atomic_uint_fast32_t workers;  // number of the next task's worker; the caller is worker 0
    partition whole;               // used when there is only one partition
} loop;

/// Identifies a loop: the upper half is incremented for every loop, the lower half is the number of
/// threads that may join it, 0 when there is no loop.
#define EPOCH_STEP ((uint64_t)1 << 32)
static uint32_t epoch_threads(uint64_t epoch) { return (uint32_t)epoch; }

/// Thread i is worker i + 1 of every loop, so per-worker data stays in its cache.
typedef struct pool_thread {
    _Alignas(64) atomic_uint_fast64_t inside;  // epoch of the loop that it runs, or 0
    _Alignas(64) atomic_bool sleeping;         // set before it sleeps; the clearing thread posts
    sem_t wake;
    pthread_t thread;
    frc_pool* pool;
} pool_thread;

struct frc_pool {
    _Alignas(64) atomic_uint_fast64_t epoch;
    loop* work;                     // of this epoch
    _Alignas(64) atomic_bool busy;  // a loop uses the pool
    atomic_bool stopping;
    double spin_ms;  // spin time for the next loop, then sleep
    fracas_context* context;
    size_t size;  // of this allocation
    uint32_t count;
    partition* partitions;  // of the calling thread, then of each pool thread
    pool_thread threads[];
};

uint32_t frc_core_count(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 1024 ? 1024 : (uint32_t)cores;
}

uint32_t frc_worker_count(const fracas_context* context) { return context->options.worker_count; }

// ---- one loop

static void set_partitions(loop* work, partition* partitions, uint32_t count) {
    work->partitions = partitions;
    work->partition_count = count;
    for (uint32_t i = 0; i < count; i++) atomic_init(&partitions[i].started, 0);
}

static uint32_t first_range(const loop* work, uint32_t number) {
    return (uint32_t)((uint64_t)work->ranges * number / work->partition_count);
}

// Relaxed: the counter alone assigns each range to one worker. The data of the items is ordered by
// the epoch when a thread enters and by `inside` when it leaves, or by the hooks of tasks.
static void run_loop(const loop* work, uint32_t worker) {
    for (uint32_t i = 0; i < work->partition_count; i++) {
        const uint32_t number = (worker + i) % work->partition_count;
        const uint32_t first = first_range(work, number);
        const uint32_t count = first_range(work, number + 1) - first;
        atomic_uint_fast64_t* started = &work->partitions[number].started;
        // Load before adding: a partition that is empty is not written.
        while (atomic_load_explicit(started, memory_order_relaxed) < count) {
            const uint64_t n = atomic_fetch_add_explicit(started, 1, memory_order_relaxed);
            if (n >= count) break;
            uint64_t begin = (first + n) * work->grain, end = begin + work->grain;
            if (end > work->count) end = work->count;
            frc_test_yield(work->context);
            work->body((uint32_t)begin, (uint32_t)end, worker, work->data);
        }
    }
}

// ---- waiting

void frc_back_off(const fracas_context* context, uint32_t turn) {
    // With fewer cores than workers the other worker may need this core.
    if (turn > (context->oversubscribed ? 16 : 256))
        sched_yield();
    else
        cpu_pause();
}

void frc_yield_at_random(fracas_context* context) {
    const uint64_t seed = atomic_load_explicit(&context->yield_seed, memory_order_relaxed);
    uint64_t n = atomic_fetch_add_explicit(&context->yield_count, 1, memory_order_relaxed);
    uint64_t h = (n + 1) * 0x9E3779B97F4A7C15u ^ seed * 0xD6E8FEB86659FD93u;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
    if (h % 4 == 0) sched_yield();
    if (h % 4 == 1)
        for (uint64_t i = 0; i < h / 4 % 2048; i++) cpu_pause();
}

static uint32_t thread_number(const pool_thread* t) { return (uint32_t)(t - t->pool->threads); }

// Release: close_loop sees all writes of this thread's ranges when it sees 0.
static void leave_loop(pool_thread* t) {
    atomic_store_explicit(&t->inside, 0, memory_order_release);
}

// Enter the current loop; false if there is none for this thread, or none after `seen`. Dekker
// handshake with close_loop: this thread stores `inside`, then loads the epoch; the other stores
// the epoch, then loads `inside` (seq_cst). Either this thread sees that the loop is closed, or
// close_loop waits for it.
static bool enter_loop(pool_thread* t, uint64_t* seen) {
    frc_pool* pool = t->pool;
    uint64_t epoch = atomic_load(&pool->epoch);
    if (epoch_threads(epoch) <= thread_number(t) || epoch == *seen) return false;
    atomic_store(&t->inside, epoch);
    frc_test_yield(pool->context);
    if (atomic_load(&pool->epoch) != epoch) {
        leave_loop(t);
        return false;
    }
    *seen = epoch;
    return true;
}

static bool spin_for_loop(pool_thread* t, uint64_t* seen) {
    frc_pool* pool = t->pool;
    double start = frc_clock_ms();
    for (uint32_t turn = 1;; turn++) {
        if (enter_loop(t, seen)) return true;
        if (atomic_load_explicit(&pool->stopping, memory_order_relaxed)) return false;
        if (turn % 64 == 0 && frc_clock_ms() - start >= pool->spin_ms) return false;
        cpu_pause();
    }
}

// Threads are woken along a tree: each wakes its children.
enum { CHILDREN = 4 };

static uint32_t first_child(uint32_t i) { return CHILDREN * (i + 1); }

// Wake thread i, which wakes the threads below it. If it is awake already, wake these directly.
static void wake_subtree(frc_pool* pool, uint32_t i) {
    if (i >= pool->count) return;
    if (atomic_load(&pool->threads[i].sleeping) &&
        atomic_exchange(&pool->threads[i].sleeping, false)) {
        sem_post(&pool->threads[i].wake);
        return;
    }
    for (uint32_t k = 0; k < CHILDREN; k++) wake_subtree(pool, first_child(i) + k);
}

static void wake_all(frc_pool* pool) {
    for (uint32_t k = 0; k < CHILDREN; k++) wake_subtree(pool, k);
}

// Sleep until a loop starts; false when the pool stops. Dekker handshake with publish_loop: this
// thread stores `sleeping`, then loads the epoch; the other stores the epoch, then loads `sleeping`
// (seq_cst). At least one of them sees the store of the other, so no wake-up is lost.
static bool sleep_for_loop(pool_thread* t, uint64_t* seen) {
    frc_pool* pool = t->pool;
    while (!atomic_load(&pool->stopping)) {
        atomic_store(&t->sleeping, true);
        bool found = enter_loop(t, seen);
        bool awake = found || atomic_load(&pool->stopping);
        // If another thread has cleared `sleeping`, its post belongs to this wait.
        if (!awake || !atomic_exchange(&t->sleeping, false)) {
            while (sem_wait(&t->wake) != 0 && errno == EINTR) {}
            for (uint32_t k = 0; k < CHILDREN; k++)
                wake_subtree(pool, first_child(thread_number(t)) + k);
        }
        if (found) return true;
        // Woken before a loop has started (frc_wake): spin for it.
        if (spin_for_loop(t, seen)) return true;
    }
    return false;
}

static void* thread_main(void* argument) {
    pool_thread* t = argument;
    frc_pool* pool = t->pool;
    uint64_t seen = 0;
    while (spin_for_loop(t, &seen) || sleep_for_loop(t, &seen)) {
        run_loop(pool->work, thread_number(t) + 1);
        leave_loop(t);
    }
    return NULL;
}

void frc_wake(fracas_context* context) {
    frc_pool* pool = context->pool;
    if (pool && pool->spin_ms > 0) wake_all(pool);
}

// ---- the pool

// Stop the `count` threads, which have been started.
static void stop_threads(frc_pool* pool) {
    atomic_store(&pool->stopping, true);
    wake_all(pool);
    for (uint32_t i = 0; i < pool->count; i++) {
        pthread_join(pool->threads[i].thread, NULL);
        sem_destroy(&pool->threads[i].wake);
    }
}

static bool start_thread(frc_pool* pool, pool_thread* t) {
    t->pool = pool;
    atomic_init(&t->inside, 0);
    atomic_init(&t->sleeping, false);
    if (sem_init(&t->wake, 0, 0) != 0) return false;
    if (pthread_create(&t->thread, NULL, thread_main, t) == 0) return true;
    sem_destroy(&t->wake);
    return false;
}

fracas_status frc_pool_start(fracas_context* context) {
    uint32_t wanted = context->options.worker_count - 1;
    if (wanted == 0 || context->options.tasks.enqueue) return FRACAS_OK;
    size_t size =
        sizeof(frc_pool) + wanted * sizeof(pool_thread) + (wanted + 1) * sizeof(partition);
    frc_pool* pool = frc_allocate_zero(context, size);
    if (!pool) return FRACAS_ERROR_OUT_OF_MEMORY;
    pool->size = size;
    pool->context = context;
    pool->spin_ms = context->oversubscribed ? 0 : context->options.spin_ms;
    pool->count = wanted;
    pool->partitions = (partition*)(void*)&pool->threads[wanted];
    atomic_init(&pool->epoch, 0);
    atomic_init(&pool->busy, false);
    atomic_init(&pool->stopping, false);
    for (uint32_t i = 0; i < wanted; i++) {
        if (start_thread(pool, &pool->threads[i])) continue;
        // Threads read `count` only after they have been woken, which has not happened yet.
        pool->count = i;
        stop_threads(pool);
        frc_release(context, pool, size);
        return FRACAS_ERROR_OUT_OF_MEMORY;
    }
    context->pool = pool;
    return FRACAS_OK;
}

void frc_pool_stop(fracas_context* context) {
    frc_pool* pool = context->pool;
    if (!pool) return;
    stop_threads(pool);
    context->pool = NULL;
    frc_release(context, pool, pool->size);
}

// Start a loop on the pool. False: another loop uses it. The acquire pairs with the release in
// close_loop: the fields of the pool are not used by the previous loop any more. The store of the
// epoch makes `work` and its partitions visible to threads that load it.
static bool publish_loop(frc_pool* pool, loop* work, uint32_t threads) {
    if (atomic_exchange_explicit(&pool->busy, true, memory_order_acquire)) return false;
    pool->work = work;
    set_partitions(work, pool->partitions, threads + 1);
    // No other thread writes the epoch while the pool is busy.
    uint64_t last = atomic_load_explicit(&pool->epoch, memory_order_relaxed);
    atomic_store(&pool->epoch, last + EPOCH_STEP + threads);
    wake_all(pool);
    return true;
}

// No thread can enter after the epoch has changed; wait for the threads inside.
static void close_loop(frc_pool* pool) {
    const uint64_t epoch = atomic_load_explicit(&pool->epoch, memory_order_relaxed);
    atomic_store(&pool->epoch, epoch - epoch_threads(epoch));
    for (uint32_t i = 0; i < epoch_threads(epoch); i++)
        for (uint32_t turn = 0; atomic_load(&pool->threads[i].inside) == epoch; turn++)
            frc_back_off(pool->context, turn);
    atomic_store_explicit(&pool->busy, false, memory_order_release);
}

// ---- tasks of the application

// Worker 0 is the calling thread even if a task starts first: only that thread may call the user's
// functions.
static void run_task(void* argument) {
    loop* work = argument;
    run_loop(work, (uint32_t)atomic_fetch_add_explicit(&work->workers, 1, memory_order_relaxed));
}

// Tasks need not run concurrently; a task that starts late finds no range left. A loop within a
// loop runs on its calling thread alone, as on the pool. Otherwise it could deadlock: the
// application may run a task of the outer loop while it waits for the inner loop, and that task
// would wait for a frame below it on the same stack.
static void run_on_tasks(fracas_context* context, uint32_t helpers, loop* work) {
    enum { MOST_TASKS = 256 };
    const fracas_task_hooks* hooks = &context->options.tasks;
    void* handles[MOST_TASKS];
    if (atomic_exchange_explicit(&context->tasks_busy, true, memory_order_acquire)) {
        run_loop(work, 0);
        return;
    }
    if (helpers > MOST_TASKS) helpers = MOST_TASKS;
    for (uint32_t i = 0; i < helpers; i++) handles[i] = hooks->enqueue(run_task, work, hooks->user);
    run_loop(work, 0);
    for (uint32_t i = 0; i < helpers; i++)
        if (handles[i]) hooks->finish(handles[i], hooks->user);
    atomic_store_explicit(&context->tasks_busy, false, memory_order_release);
}

void frc_parallel_for(fracas_context* context, uint32_t count, uint32_t grain, frc_range_fn* body,
                      void* data) {
    if (count == 0) return;
    loop work = {
        .context = context, .body = body, .data = data, .count = count, .grain = grain ? grain : 1};
    work.ranges = (count - 1) / work.grain + 1;
    set_partitions(&work, &work.whole, 1);
    atomic_init(&work.workers, 1);
    uint32_t helpers = context->options.worker_count - 1;
    if (helpers > work.ranges - 1) helpers = work.ranges - 1;
    if (helpers > 0 && context->options.tasks.enqueue) {
        run_on_tasks(context, helpers, &work);
        return;
    }
    const bool shared = helpers > 0 && publish_loop(context->pool, &work, helpers);
    run_loop(&work, 0);
    if (shared) close_loop(context->pool);
}
