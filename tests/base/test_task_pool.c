// Tasks that create tasks: each runs once, on any number of workers, in any interleaving.
#include "base/task_pool.h"
#include "cmocka_all.h"
#include <stdlib.h>
#include <string.h>

// A task is a range of items, which is halved until one is left. The largest range is at the bottom
// of a worker's stack.
enum { ITEMS = 4096, MAX_WORKERS = 64 };

typedef struct record {
    atomic_uint seen[ITEMS];
    atomic_uint published, wrong;
    uint32_t deferred[MAX_WORKERS];  // items that a worker has not flushed yet
    uint32_t flushed[MAX_WORKERS];
    frc_task_pool pool;
    uint32_t parts;
    atomic_uint ended, early;
    bool keep_all;
} record;

static frc_task make_task(uint32_t begin, uint32_t end) {
    frc_task task = {
        {begin, end, ~begin, ~end}
    };
    return task;
}

static void halve(record* r, frc_task_worker* worker, const frc_task* first) {
    frc_task stack[64];
    uint32_t bottom = 0, top = 0;
    stack[top++] = *first;
    while (bottom < top) {
        if (!r->keep_all && top - bottom > 1 && frc_task_wanted(worker) &&
            frc_task_publish(worker, &stack[bottom])) {
            atomic_fetch_add(&r->published, 1);
            bottom++;
            continue;
        }
        frc_task t = stack[--top];
        uint32_t begin = t.word[0], end = t.word[1];
        if (t.word[2] != ~begin || t.word[3] != ~end || begin >= end || end > ITEMS) {
            atomic_fetch_add(&r->wrong, 1);
            continue;
        }
        if (end - begin == 1) {
            atomic_fetch_add(&r->seen[begin], 1);
            r->deferred[worker->index]++;
        } else {
            uint32_t middle = begin + (end - begin) / 2;
            stack[top++] = make_task(begin, middle);
            stack[top++] = make_task(middle, end);
        }
    }
}

// Flush before waiting. A worker that leaves sees everything that tasks have written.
static void run_worker(uint32_t begin, uint32_t end, uint32_t index, void* data) {
    (void)begin, (void)end;
    record* r = data;
    frc_task_worker worker = frc_task_pool_join(&r->pool, index);
    frc_task task;
    for (;;) {
        if (!frc_task_next(&worker, &task)) {
            // A worker that joins late has nothing to write: others may have left and read.
            if (r->deferred[index]) r->flushed[index] += r->deferred[index];
            if (r->deferred[index]) r->deferred[index] = 0;
            if (!frc_task_wait(&worker, &task)) break;
        }
        halve(r, &worker, &task);
    }
    uint32_t done = 0;
    for (int w = 0; w < MAX_WORKERS; w++) done += r->flushed[w];
    if (done != (r->parts ? ITEMS : 0)) atomic_fetch_add(&r->early, 1);
    atomic_fetch_add(&r->ended, 1);
}

static fracas_context* make_context(uint32_t workers, const fracas_task_hooks* hooks) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    if (hooks) options.tasks = *hooks;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

// Returns the number of published tasks.
static uint32_t run_once(fracas_context* context, uint32_t parts, bool keep_all) {
    record* r = aligned_alloc(_Alignof(record), sizeof *r);
    frc_task tasks[64];
    memset(r, 0, sizeof *r);
    r->keep_all = keep_all;
    r->parts = parts;
    for (uint32_t i = 0; i < parts; i++)
        tasks[i] = make_task(ITEMS * i / parts, ITEMS * (i + 1) / parts);
    frc_task_pool_begin(&r->pool, context, tasks, parts);
    frc_parallel_for(context, r->pool.worker_count, 1, run_worker, r);
    const double idle = frc_task_pool_end(&r->pool);
    assert_true(r->ended > 0);
    assert_int_equal(r->early, 0);
    assert_true(idle >= 0);
    assert_int_equal(r->wrong, 0);
    for (uint32_t i = 0; i < ITEMS; i++) assert_int_equal(r->seen[i], parts ? 1 : 0);
    uint32_t flushed = 0;
    for (int w = 0; w < MAX_WORKERS; w++) flushed += r->flushed[w];
    assert_int_equal(flushed, parts ? ITEMS : 0);
    uint32_t published = r->published;
    free(r);
    return published;
}

static void every_task_once(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers *= 2) {
        fracas_context* context = make_context(workers, NULL);
        uint32_t published = 0;
        for (uint32_t round = 0; round < 60; round++) {
            const uint32_t parts[] = {0, 1, 2, 7, 64};
            for (int i = 0; i < 5; i++) published += run_once(context, parts[i], round % 7 == 6);
        }
        if (workers == 1) assert_int_equal(published, 0);
        fracas_context_destroy(context);
    }
}

static void any_order_of_events(void** state) {
    (void)state;
    fracas_context* context = make_context(4, NULL);
    uint32_t published = 0;
    // On a busy machine it may take a while until another thread runs in time to steal a task.
    for (uint64_t seed = 1; seed <= 300 || (published == 0 && seed < 300000); seed++) {
        context->yield_seed = seed;
        published += run_once(context, 1 + (uint32_t)(seed % 3), false);
    }
    assert_true(published > 0);
    fracas_context_destroy(context);
}

// Tasks of the application that run immediately, before the caller has begun.
static void* run_at_once(fracas_task_fn* task, void* data, void* user) {
    ++*(uint32_t*)user;
    task(data);
    return NULL;
}
static void never(void* handle, void* user) { (void)handle, (void)user, fail(); }

static void tasks_of_the_application(void** state) {
    (void)state;
    uint32_t calls = 0;
    fracas_task_hooks hooks = {run_at_once, never, &calls};
    fracas_context* context = make_context(5, &hooks);
    for (int round = 0; round < 20; round++) run_once(context, 3, round % 2 == 0);
    assert_int_equal(calls, 20 * 4);
    fracas_context_destroy(context);
}

// A scheduler that runs tasks only while a thread waits, in order of submission: a loop within a
// task must not run tasks of the outer loop.
typedef struct job {
    fracas_task_fn* task;
    void* data;
    bool done;
} job;
typedef struct jobs {
    job list[4096];
    uint32_t next, count;
} jobs;

static void* put_job(fracas_task_fn* task, void* data, void* user) {
    jobs* all = user;
    all->list[all->count] = (job){task, data, false};
    return &all->list[all->count++];
}

static void run_jobs(void* handle, void* user) {
    jobs* all = user;
    job* wanted = handle;
    while (!wanted->done) {
        job* j = &all->list[all->next++];
        j->task(j->data);
        j->done = true;
    }
}

static void add_up(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    *(uint32_t*)data += end - begin;
}

static void loop_inside(frc_task_worker* worker, const frc_task* task, void* data) {
    (void)worker, (void)task;
    uint32_t sum = 0, *loops = ((void**)data)[1];
    frc_parallel_for(((void**)data)[0], 5, 1, add_up, &sum);
    assert_int_equal(sum, 5);
    ++*loops;
}

static void loops_within_tasks(void** state) {
    (void)state;
    jobs* all = calloc(1, sizeof *all);
    fracas_task_hooks hooks = {put_job, run_jobs, all};
    fracas_context* context = make_context(4, &hooks);
    uint32_t loops = 0;
    void* data[2] = {context, &loops};
    const frc_task tasks[7] = {0};
    const frc_task_pool_work work = {.tasks = tasks, .count = 7, .run = loop_inside, .data = data};
    frc_task_pool_run(context, &work);
    assert_int_equal(loops, 7);
    assert_int_equal(all->count, 3);  // of the outer loop only
    fracas_context_destroy(context);
    free(all);
}

static void* no_memory(size_t size, size_t alignment, void* user) {
    uint32_t* left = user;
    if (*left == 0) return NULL;
    --*left;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
static void release_memory(void* memory, size_t size, void* user) {
    (void)size, (void)user;
    free(memory);
}

// When there is no memory, the calling thread runs all tasks.
static void without_memory(void** state) {
    (void)state;
    uint32_t left = 2;  // the context and its threads
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 3;
    options.allocator = (fracas_allocator){no_memory, release_memory, &left};
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    assert_int_equal(left, 0);
    assert_int_equal(run_once(context, 2, false), 0);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_once),          cmocka_unit_test(any_order_of_events),
        cmocka_unit_test(tasks_of_the_application), cmocka_unit_test(without_memory),
        cmocka_unit_test(loops_within_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
