/// @file parallel_posix.c  A small thread pool, and the same loop on the application's own tasks.
///
/// A loop is a shared counter of ranges: every worker, the caller first, takes the next range until
/// none is left. Calls from several threads at once are allowed: the pool serves one loop, a second
/// loop that finds it busy runs on its calling thread alone.
#include "base/parallel.h"
#include <pthread.h>
#include <unistd.h>

typedef struct loop {
    frc_range_fn* body;
    void* data;
    uint32_t count, grain;
    atomic_uint_fast64_t next;     // first item that nobody has taken
    atomic_uint_fast32_t workers;  // numbers given out; 0 is the caller's own
} loop;

struct frc_pool {
    pthread_mutex_t mutex;
    pthread_cond_t wake, idle;
    loop* work;        // what the threads should do, or NULL
    uint64_t ticket;   // raised with every loop, so that a thread joins each loop once
    uint32_t running;  // threads inside the loop
    uint32_t thread_count;
    bool stopping;
    size_t size;  // of this allocation
    pthread_t threads[];
};

uint32_t frc_core_count(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 1024 ? 1024 : (uint32_t)cores;
}

uint32_t frc_worker_count(const fracas_context* context) { return context->options.worker_count; }

static void run_loop(loop* work, uint32_t worker) {
    for (;;) {
        uint64_t begin = atomic_fetch_add_explicit(&work->next, work->grain, memory_order_relaxed);
        if (begin >= work->count) return;
        uint64_t end = begin + work->grain;
        if (end > work->count) end = work->count;
        work->body((uint32_t)begin, (uint32_t)end, worker, work->data);
    }
}

// A helper joins. However early it comes, number 0 stays with the calling thread: some things only
// that one may do.
static void join_loop(loop* work) {
    run_loop(work, (uint32_t)atomic_fetch_add_explicit(&work->workers, 1, memory_order_relaxed));
}

static void* thread_main(void* argument) {
    frc_pool* pool = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->stopping && (!pool->work || pool->ticket == seen))
            pthread_cond_wait(&pool->wake, &pool->mutex);
        if (pool->stopping) break;
        seen = pool->ticket;
        loop* work = pool->work;
        pool->running++;
        pthread_mutex_unlock(&pool->mutex);
        join_loop(work);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->running == 0) pthread_cond_signal(&pool->idle);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void stop_threads(frc_pool* pool) {
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->thread_count; i++) pthread_join(pool->threads[i], NULL);
    pthread_mutex_destroy(&pool->mutex);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->idle);
}

fracas_status frc_pool_start(fracas_context* context) {
    uint32_t helpers = context->options.worker_count - 1;
    if (helpers == 0 || context->options.tasks.enqueue) return FRACAS_OK;
    size_t size = sizeof(frc_pool) + helpers * sizeof(pthread_t);
    frc_pool* pool = frc_allocate_zero(context, size);
    if (!pool) return FRACAS_ERROR_OUT_OF_MEMORY;
    pool->size = size;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->idle, NULL);
    for (; pool->thread_count < helpers; pool->thread_count++)
        if (pthread_create(&pool->threads[pool->thread_count], NULL, thread_main, pool) != 0) {
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

static bool pool_offer(frc_pool* pool, loop* work) {
    pthread_mutex_lock(&pool->mutex);
    bool mine = !pool->work;
    if (mine) {
        pool->work = work;
        pool->ticket++;
        pthread_cond_broadcast(&pool->wake);
    }
    pthread_mutex_unlock(&pool->mutex);
    return mine;
}

// No thread may join any more; wait for those that did.
static void pool_withdraw(frc_pool* pool) {
    pthread_mutex_lock(&pool->mutex);
    while (pool->running > 0) pthread_cond_wait(&pool->idle, &pool->mutex);
    pool->work = NULL;
    pthread_mutex_unlock(&pool->mutex);
}

static void hook_main(void* argument) { join_loop(argument); }

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

void frc_parallel_for(fracas_context* context, uint32_t count, uint32_t grain, frc_range_fn* body,
                      void* data) {
    if (count == 0) return;
    loop work = {.body = body, .data = data, .count = count, .grain = grain ? grain : 1};
    atomic_init(&work.next, 0);
    atomic_init(&work.workers, 1);
    uint32_t ranges = (count - 1) / work.grain + 1;
    uint32_t helpers = context->options.worker_count - 1;
    if (helpers > ranges - 1) helpers = ranges - 1;
    if (helpers == 0) {
        run_loop(&work, 0);
    } else if (context->options.tasks.enqueue) {
        run_on_hooks(&context->options.tasks, helpers, &work);
    } else if (pool_offer(context->pool, &work)) {
        run_loop(&work, 0);
        pool_withdraw(context->pool);
    } else {
        run_loop(&work, 0);
    }
}
