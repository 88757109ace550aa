/// @file parallel_posix.c  A small thread pool, and the same loop on the application's own tasks.
///
/// Every worker of a loop has a stretch of its ranges as its home, the first worker the first one,
/// and takes the next of them until none is left; then it helps the others. So a worker gets about
/// the same part of the same things in loop after loop, and finds in its cache what it wrote. Calls
/// from several threads at once are allowed: the pool serves one loop, a second loop that finds it
/// busy runs on its calling thread alone.
///
/// A frame is many loops of a few microseconds. Threads therefore do not go to sleep at the end of
/// a loop but look for the next one for a while; nothing is locked as long as they do. All that
/// they wait for is a ticket that one thread writes, and what each of them tells stands in a line
/// of its own: a counter that sixteen threads go up and down takes longer than such a loop.
#include "base/clock.h"
#include "base/parallel.h"
#include "base/simd.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

/// A stretch of the ranges of a loop, in a line of its own.
typedef struct home {
    _Alignas(64) atomic_uint_fast64_t taken;  // or more: who finds none left may count too
} home;

typedef struct loop {
    fracas_context* context;
    frc_range_fn* body;
    void* data;
    uint32_t count, grain, ranges;
    uint32_t home_count;
    home* homes;
    atomic_uint_fast32_t workers;  // numbers given out to tasks; 0 is the caller's own
    home whole;                    // where workers have no homes
} loop;

/// Which loop there is: the lower half is how many helpers it can do with, the first so many, and 0
/// when there is none; the upper half is one more for every loop.
#define TICKET_STEP ((uint64_t)1 << 32)
static uint32_t ticket_helpers(uint64_t ticket) { return (uint32_t)ticket; }

/// A thread of the pool. Number i is worker i + 1 of every loop: what a worker has of its own stays
/// in its cache.
typedef struct helper {
    _Alignas(64) atomic_uint_fast64_t inside;  // the ticket of the loop that it works on, or 0
    _Alignas(64) atomic_bool sleeping;         // or about to: who takes this back has to wake it
    sem_t wake;
    pthread_t thread;
    frc_pool* pool;
} helper;

struct frc_pool {
    _Alignas(64) atomic_uint_fast64_t ticket;
    loop* work;                     // while there is one
    _Alignas(64) atomic_bool busy;  // a loop has the pool
    atomic_bool stopping;
    double spin_ms;  // how long to look for the next loop before going to sleep
    fracas_context* context;
    size_t size;  // of this allocation
    uint32_t count;
    home* homes;  // of the loop that there is: the caller's, and one for each helper
    helper helpers[];
};

uint32_t frc_core_count(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 1024 ? 1024 : (uint32_t)cores;
}

uint32_t frc_worker_count(const fracas_context* context) { return context->options.worker_count; }

static void give_homes(loop* work, home* homes, uint32_t count) {
    work->homes = homes;
    work->home_count = count;
    for (uint32_t i = 0; i < count; i++) atomic_init(&homes[i].taken, 0);
}

static uint32_t first_range(const loop* work, uint32_t number) {
    return (uint32_t)((uint64_t)work->ranges * number / work->home_count);
}

// The next range of a home.
static bool take_range(const loop* work, uint32_t number, uint32_t* range) {
    const uint32_t first = first_range(work, number);
    const uint32_t count = first_range(work, number + 1) - first;
    atomic_uint_fast64_t* taken = &work->homes[number].taken;
    // Most who look at others' homes find nothing: they write nothing either.
    if (atomic_load_explicit(taken, memory_order_relaxed) >= count) return false;
    const uint64_t before = atomic_fetch_add_explicit(taken, 1, memory_order_relaxed);
    *range = first + (uint32_t)before;
    return before < count;
}

static void run_range(const loop* work, uint32_t range, uint32_t worker) {
    uint64_t begin = (uint64_t)range * work->grain, end = begin + work->grain;
    if (end > work->count) end = work->count;
    frc_jitter(work->context);
    work->body((uint32_t)begin, (uint32_t)end, worker, work->data);
}

static void run_loop(const loop* work, uint32_t worker) {
    for (uint32_t i = 0, range; i < work->home_count; i++)
        while (take_range(work, (worker + i) % work->home_count, &range))
            run_range(work, range, worker);
}

// ---- waiting

void frc_relax(const fracas_context* context, uint32_t turn) {
    // With fewer cores than workers the one that is waited for may need this one.
    if (turn > (context->crowded ? 16 : 256))
        sched_yield();
    else
        cpu_pause();
}

void frc_dawdle(fracas_context* context) {
    const uint64_t seed = atomic_load_explicit(&context->jitter, memory_order_relaxed);
    uint64_t n = atomic_fetch_add_explicit(&context->jitter_count, 1, memory_order_relaxed);
    uint64_t h = (n + 1) * 0x9E3779B97F4A7C15u ^ seed * 0xD6E8FEB86659FD93u;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
    if (h % 4 == 0) sched_yield();
    if (h % 4 == 1)
        for (uint64_t i = 0; i < h / 4 % 2048; i++) cpu_pause();
}

static uint32_t helper_number(const helper* h) { return (uint32_t)(h - h->pool->helpers); }

static void leave(helper* h) { atomic_store_explicit(&h->inside, 0, memory_order_release); }

// Is there a loop for this thread that it has not seen? Then it is inside. It says that it is and
// looks once more whether the loop goes on, and who ends a loop looks afterwards who is inside: one
// of them sees the other.
static bool enter(helper* h, uint64_t* seen) {
    frc_pool* pool = h->pool;
    uint64_t ticket = atomic_load(&pool->ticket);
    if (ticket_helpers(ticket) <= helper_number(h) || ticket == *seen) return false;
    atomic_store(&h->inside, ticket);
    frc_jitter(pool->context);
    if (atomic_load(&pool->ticket) != ticket) {
        leave(h);
        return false;
    }
    *seen = ticket;
    return true;
}

static bool look_for_loop(helper* h, uint64_t* seen) {
    frc_pool* pool = h->pool;
    double start = frc_clock_ms();
    for (uint32_t turn = 1;; turn++) {
        if (enter(h, seen)) return true;
        if (atomic_load_explicit(&pool->stopping, memory_order_relaxed)) return false;
        if (turn % 64 == 0 && frc_clock_ms() - start >= pool->spin_ms) return false;
        cpu_pause();
    }
}

enum { FAN = 4 };  // threads that each wakes: measured on 16 cores, where 2 and 8 are no better

// Wakes helper i and, by it or in its place, those below it in the tree.
static void wake_below(frc_pool* pool, uint32_t i) {
    if (i >= pool->count) return;
    if (atomic_load(&pool->helpers[i].sleeping) &&
        atomic_exchange(&pool->helpers[i].sleeping, false)) {
        sem_post(&pool->helpers[i].wake);
        return;
    }
    for (uint32_t k = 1; k <= FAN; k++) wake_below(pool, FAN * i + FAN - 1 + k);
}

static void wait_for_wake(helper* h) {
    while (sem_wait(&h->wake) != 0 && errno == EINTR) {}
    uint32_t i = helper_number(h);
    for (uint32_t k = 1; k <= FAN; k++) wake_below(h->pool, FAN * i + FAN - 1 + k);
}

// Whoever begins a loop looks afterwards who sleeps, and who goes to sleep looks afterwards
// whether there is a loop: in one order of all that, one of them sees the other.
static bool sleep_for_loop(helper* h, uint64_t* seen) {
    frc_pool* pool = h->pool;
    while (!atomic_load(&pool->stopping)) {
        atomic_store(&h->sleeping, true);
        bool found = enter(h, seen);
        bool awake = found || atomic_load(&pool->stopping);
        // Where somebody was faster the post is under way, and is for this sleep.
        if (!awake || !atomic_exchange(&h->sleeping, false)) wait_for_wake(h);
        if (found) return true;
        // Who was roused ahead of time waits for what is to come.
        if (look_for_loop(h, seen)) return true;
    }
    return false;
}

static void* thread_main(void* argument) {
    helper* h = argument;
    frc_pool* pool = h->pool;
    uint64_t seen = 0;
    while (look_for_loop(h, &seen) || sleep_for_loop(h, &seen)) {
        run_loop(pool->work, helper_number(h) + 1);
        leave(h);
    }
    return NULL;
}

static void wake_all(frc_pool* pool) {
    for (uint32_t k = 0; k < FAN; k++) wake_below(pool, k);
}

void frc_rouse(fracas_context* context) {
    frc_pool* pool = context->pool;
    if (pool && pool->spin_ms > 0) wake_all(pool);
}

// `count` of them have been started.
static void stop_threads(frc_pool* pool) {
    atomic_store(&pool->stopping, true);
    wake_all(pool);
    for (uint32_t i = 0; i < pool->count; i++) {
        pthread_join(pool->helpers[i].thread, NULL);
        sem_destroy(&pool->helpers[i].wake);
    }
}

static bool start_helper(frc_pool* pool, helper* h) {
    h->pool = pool;
    atomic_init(&h->inside, 0);
    atomic_init(&h->sleeping, false);
    if (sem_init(&h->wake, 0, 0) != 0) return false;
    if (pthread_create(&h->thread, NULL, thread_main, h) == 0) return true;
    sem_destroy(&h->wake);
    return false;
}

fracas_status frc_pool_start(fracas_context* context) {
    uint32_t wanted = context->options.worker_count - 1;
    if (wanted == 0 || context->options.tasks.enqueue) return FRACAS_OK;
    size_t size = sizeof(frc_pool) + wanted * sizeof(helper) + (wanted + 1) * sizeof(home);
    frc_pool* pool = frc_allocate_zero(context, size);
    if (!pool) return FRACAS_ERROR_OUT_OF_MEMORY;
    pool->size = size;
    pool->context = context;
    pool->spin_ms = context->crowded ? 0 : context->options.spin_ms;
    pool->count = wanted;
    pool->homes = (home*)(void*)&pool->helpers[wanted];
    atomic_init(&pool->ticket, 0);
    atomic_init(&pool->busy, false);
    atomic_init(&pool->stopping, false);
    for (uint32_t i = 0; i < wanted; i++) {
        if (start_helper(pool, &pool->helpers[i])) continue;
        // Nobody has been woken yet: the count is read by this thread alone.
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

static bool pool_offer(frc_pool* pool, loop* work, uint32_t helpers) {
    if (atomic_exchange_explicit(&pool->busy, true, memory_order_acquire)) return false;
    pool->work = work;
    give_homes(work, pool->homes, helpers + 1);
    // Nobody else writes it as long as the pool is busy.
    uint64_t last = atomic_load_explicit(&pool->ticket, memory_order_relaxed);
    atomic_store(&pool->ticket, last + TICKET_STEP + helpers);
    wake_all(pool);
    return true;
}

// No thread may enter any more; wait for those that did.
static void pool_withdraw(frc_pool* pool) {
    const uint64_t ticket = atomic_load_explicit(&pool->ticket, memory_order_relaxed);
    atomic_store(&pool->ticket, ticket - ticket_helpers(ticket));
    for (uint32_t i = 0; i < ticket_helpers(ticket); i++)
        for (uint32_t turn = 0; atomic_load(&pool->helpers[i].inside) == ticket; turn++)
            frc_relax(pool->context, turn);
    atomic_store_explicit(&pool->busy, false, memory_order_release);
}

// However early it comes, number 0 stays with the calling thread: some things only that one may do.
static void hook_main(void* argument) {
    loop* work = argument;
    run_loop(work, (uint32_t)atomic_fetch_add_explicit(&work->workers, 1, memory_order_relaxed));
}

// Nobody promises that tasks run at the same time; a task that starts late finds no range left.
static void run_on_hooks(const fracas_task_hooks* hooks, uint32_t helpers, loop* work) {
    enum { MOST = 256 };
    void* handles[MOST];
    if (helpers > MOST) helpers = MOST;
    for (uint32_t i = 0; i < helpers; i++)
        handles[i] = hooks->enqueue(hook_main, work, hooks->user);
    run_loop(work, 0);
    for (uint32_t i = 0; i < helpers; i++)
        if (handles[i]) hooks->finish(handles[i], hooks->user);
}

// A loop within a loop runs alone, as it does with our own threads, and here it must: who waits for
// the inner tasks may be handed one of the outer loop's, which then waits for what lies below it on
// its own stack.
static void run_on_tasks(fracas_context* context, uint32_t helpers, loop* work) {
    if (atomic_exchange_explicit(&context->tasks_busy, true, memory_order_acquire)) {
        run_loop(work, 0);
        return;
    }
    run_on_hooks(&context->options.tasks, helpers, work);
    atomic_store_explicit(&context->tasks_busy, false, memory_order_release);
}

void frc_parallel_for(fracas_context* context, uint32_t count, uint32_t grain, frc_range_fn* body,
                      void* data) {
    if (count == 0) return;
    loop work = {
        .context = context, .body = body, .data = data, .count = count, .grain = grain ? grain : 1};
    work.ranges = (count - 1) / work.grain + 1;
    give_homes(&work, &work.whole, 1);
    atomic_init(&work.workers, 1);
    uint32_t helpers = context->options.worker_count - 1;
    if (helpers > work.ranges - 1) helpers = work.ranges - 1;
    if (helpers == 0) {
        run_loop(&work, 0);
    } else if (context->options.tasks.enqueue) {
        run_on_tasks(context, helpers, &work);
    } else if (pool_offer(context->pool, &work, helpers)) {
        run_loop(&work, 0);
        pool_withdraw(context->pool);
    } else {
        run_loop(&work, 0);
    }
}
