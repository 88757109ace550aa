// Every item is processed once: with the pool, with task hooks, in nested loops, in loops from
// several threads.
#define _POSIX_C_SOURCE 200809L
#include "base/parallel.h"
#include "cmocka_all.h"
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static fracas_context* create(const fracas_context_options* options) {
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(options, &context), FRACAS_OK);
    return context;
}

static fracas_context* make_context(uint32_t workers, const fracas_task_hooks* hooks) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    if (hooks) options.tasks = *hooks;
    return create(&options);
}

enum { MAX_ITEMS = 3000, MAX_WORKERS = 8 };

typedef struct record {
    fracas_context* context;
    pthread_t caller;
    atomic_uint seen[MAX_ITEMS];
    atomic_uint busy[MAX_WORKERS];  // ranges running under each worker number
    atomic_uint wrong;
    uint32_t workers, grain, depth;
} record;

static void count_items(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    record* r = data;
    if (worker >= r->workers || end - begin > r->grain || begin % r->grain != 0) {
        atomic_fetch_add(&r->wrong, 1);
        return;
    }
    if (atomic_fetch_add(&r->busy[worker], 1) != 0) atomic_fetch_add(&r->wrong, 1);
    // Number 0 is the calling thread, which reports progress. Regression: a pool thread that woke
    // up before the caller had a number could get 0.
    if ((worker == 0) != (bool)pthread_equal(pthread_self(), r->caller) && r->depth == 0)
        atomic_fetch_add(&r->wrong, 1);
    for (uint32_t i = begin; i < end; i++) atomic_fetch_add(&r->seen[i], 1);
    atomic_fetch_sub(&r->busy[worker], 1);
}

static bool run_once(fracas_context* context, uint32_t workers, uint32_t count, uint32_t grain) {
    record* r = calloc(1, sizeof *r);
    r->context = context;
    r->caller = pthread_self();
    r->workers = workers;
    r->grain = grain;
    frc_parallel_for(context, count, grain, count_items, r);
    bool ok = r->wrong == 0;
    for (uint32_t i = 0; i < MAX_ITEMS; i++) ok = ok && r->seen[i] == (i < count ? 1u : 0u);
    free(r);
    return ok;
}

static void every_item_once(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers++) {
        fracas_context* context = make_context(workers, NULL);
        assert_int_equal(frc_worker_count(context), workers);
        for (uint32_t round = 0; round < 300; round++) {
            assert_true(run_once(context, workers, round, 1 + round % 7));
            assert_true(run_once(context, workers, MAX_ITEMS - round, 1 + round));
        }
        assert_true(run_once(context, workers, 1, UINT32_MAX));
        fracas_context_destroy(context);
    }
}

static void grain_zero_is_one(void** state) {
    (void)state;
    fracas_context* context = make_context(3, NULL);
    record* r = calloc(1, sizeof *r);
    r->caller = pthread_self();
    r->workers = 3;
    r->grain = 1;
    frc_parallel_for(context, 10, 0, count_items, r);
    frc_parallel_for(context, 0, 0, count_items, r);
    for (uint32_t i = 0; i < 10; i++) assert_int_equal(r->seen[i], 1);
    assert_int_equal(r->wrong, 0);
    free(r);
    fracas_context_destroy(context);
}

// ---- threads and worker numbers

// During a loop a worker number belongs to one thread, and a loop with few ranges needs few
// workers.
typedef struct participants {
    _Atomic(pthread_t) thread[MAX_WORKERS];
    atomic_bool known[MAX_WORKERS];
    atomic_uint wrong, items;
    uint32_t ranges;
} participants;

static void check_worker_number(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    participants* c = data;
    atomic_fetch_add(&c->items, end - begin);
    if (worker >= c->ranges) {
        atomic_fetch_add(&c->wrong, 1);
        return;
    }
    if (!atomic_exchange(&c->known[worker], true)) atomic_store(&c->thread[worker], pthread_self());
    if (!pthread_equal(atomic_load(&c->thread[worker]), pthread_self()))
        atomic_fetch_add(&c->wrong, 1);
}

static void worker_numbers_are_threads(void** state) {
    (void)state;
    fracas_context* context = make_context(MAX_WORKERS, NULL);
    participants* c = calloc(1, sizeof *c);
    uint32_t items = 0;
    for (uint32_t round = 0; round < 4000; round++) {
        // Random delays make threads enter as the loop ends.
        context->yield_seed = round % 2 ? round : 0;
        c->ranges = 1 + round % MAX_WORKERS;
        frc_parallel_for(context, 3 * c->ranges, 3, check_worker_number, c);
        items += 3 * c->ranges;
        // All items are done when the loop returns.
        assert_int_equal(atomic_load(&c->items), items);
    }
    assert_int_equal(atomic_load(&c->wrong), 0);
    uint32_t helpers = 0;
    for (uint32_t w = 1; w < MAX_WORKERS; w++) helpers += atomic_load(&c->known[w]);
    assert_true(helpers > 0);
    free(c);
    fracas_context_destroy(context);
}

// Each worker begins with its own part; idle workers steal from the parts of others.
typedef struct part_order {
    atomic_uint first[MAX_WORKERS];  // range + 1; 0: not started
    atomic_uint begun, seen[MAX_ITEMS];
    bool slow;  // the last worker stays in its first range until all others are done
    uint32_t ranges;
    atomic_uint done;
} part_order;

static void check_first_part(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    part_order* v = data;
    atomic_fetch_add(&v->seen[begin], end - begin);
    if (atomic_load(&v->first[worker]) == 0) {
        atomic_store(&v->first[worker], begin + 1);
        atomic_fetch_add(&v->begun, 1);
        while (atomic_load(&v->begun) < MAX_WORKERS) sched_yield();
        while (v->slow && worker == MAX_WORKERS - 1 && atomic_load(&v->done) + 1 < v->ranges)
            sched_yield();
    }
    atomic_fetch_add(&v->done, 1);
}

static void workers_start_with_their_part(void** state) {
    (void)state;
    fracas_context* context = make_context(MAX_WORKERS, NULL);
    for (uint32_t round = 0; round < 60; round++) {
        part_order* v = calloc(1, sizeof *v);
        v->ranges = MAX_WORKERS + round;
        v->slow = round % 2;
        frc_parallel_for(context, v->ranges, 1, check_first_part, v);
        for (uint32_t i = 0; i < v->ranges; i++) assert_int_equal(v->seen[i], 1);
        for (uint32_t w = 0; w < MAX_WORKERS; w++)
            assert_int_equal(v->first[w], v->ranges * w / MAX_WORKERS + 1);
        free(v);
    }
    fracas_context_destroy(context);
}

// ---- loops within loops

enum { OUTER = 40, INNER = 50 };

typedef struct nested {
    fracas_context* context;
    atomic_uint seen[OUTER][INNER];
} nested;

typedef struct row {
    nested* all;
    uint32_t outer;
} row;

static void inner_body(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    row* r = data;
    for (uint32_t i = begin; i < end; i++) atomic_fetch_add(&r->all->seen[r->outer][i], 1);
}

static void outer_body(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    nested* n = data;
    for (uint32_t i = begin; i < end; i++) {
        row r = {n, i};
        frc_parallel_for(n->context, INNER, 3, inner_body, &r);
    }
}

static void run_nested(fracas_context* context) {
    nested* n = calloc(1, sizeof *n);
    n->context = context;
    frc_parallel_for(context, OUTER, 1, outer_body, n);
    for (int i = 0; i < OUTER; i++)
        for (int k = 0; k < INNER; k++) assert_int_equal(n->seen[i][k], 1);
    free(n);
}

static void nested_loops(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers++) {
        fracas_context* context = make_context(workers, NULL);
        for (int round = 0; round < 20; round++) run_nested(context);
        fracas_context_destroy(context);
    }
}

// ---- several threads on one context

typedef struct caller {
    fracas_context* context;
    uint32_t workers;
    bool ok;
} caller;

static void* call_often(void* argument) {
    caller* c = argument;
    c->ok = true;
    for (uint32_t round = 0; round < 100 && c->ok; round++)
        c->ok = run_once(c->context, c->workers, 17 * round, 1 + round % 5);
    return NULL;
}

static void several_callers(fracas_context* context, uint32_t workers) {
    pthread_t threads[4];
    caller callers[4];
    for (int i = 0; i < 4; i++) {
        callers[i] = (caller){context, workers, false};
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, &callers[i]), 0);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++) assert_true(callers[i].ok);
}

static void several_threads_at_once(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        fracas_context* context = make_context(workers, NULL);
        several_callers(context, workers);
        fracas_context_destroy(context);
    }
}

// ---- task hooks

typedef struct scheduler {
    atomic_uint enqueued, finished;
} scheduler;

// Runs the task before it returns, like a scheduler with one thread.
static void* enqueue_inline(fracas_task_fn* task, void* data, void* user) {
    atomic_fetch_add(&((scheduler*)user)->enqueued, 1);
    task(data);
    return NULL;
}

static void finish_never(void* handle, void* user) {
    (void)handle;
    atomic_fetch_add(&((scheduler*)user)->finished, 1);
}

typedef struct deferred_task {
    fracas_task_fn* task;
    void* data;
} deferred_task;

// Runs the task only in finish: no range is left then.
static void* enqueue_late(fracas_task_fn* task, void* data, void* user) {
    atomic_fetch_add(&((scheduler*)user)->enqueued, 1);
    deferred_task* l = malloc(sizeof *l);
    *l = (deferred_task){task, data};
    return l;
}

static void finish_late(void* handle, void* user) {
    atomic_fetch_add(&((scheduler*)user)->finished, 1);
    deferred_task* l = handle;
    l->task(l->data);
    free(l);
}

typedef struct own_thread {
    pthread_t thread;
    deferred_task what;
} own_thread;

static void* thread_task(void* argument) {
    own_thread* t = argument;
    t->what.task(t->what.data);
    return NULL;
}

static void* enqueue_thread(fracas_task_fn* task, void* data, void* user) {
    atomic_fetch_add(&((scheduler*)user)->enqueued, 1);
    own_thread* t = malloc(sizeof *t);
    t->what = (deferred_task){task, data};
    if (pthread_create(&t->thread, NULL, thread_task, t) == 0) return t;
    free(t);
    task(data);
    return NULL;
}

static void finish_thread(void* handle, void* user) {
    atomic_fetch_add(&((scheduler*)user)->finished, 1);
    pthread_join(((own_thread*)handle)->thread, NULL);
    free(handle);
}

static bool each_item_seen(fracas_context* context, uint32_t count, uint32_t grain) {
    record* r = calloc(1, sizeof *r);
    r->workers = MAX_WORKERS;
    r->grain = grain;
    r->depth = 1;  // inline tasks run on the calling thread under other worker numbers
    frc_parallel_for(context, count, grain, count_items, r);
    bool ok = r->wrong == 0;
    for (uint32_t i = 0; i < count; i++) ok = ok && r->seen[i] == 1;
    free(r);
    return ok;
}

static void task_hooks(void** state) {
    (void)state;
    static const fracas_task_hooks kinds[] = {
        {enqueue_inline, finish_never,  NULL},
        {enqueue_late,   finish_late,   NULL},
        {enqueue_thread, finish_thread, NULL}
    };
    for (size_t k = 0; k < 3; k++)
        for (uint32_t workers = 1; workers <= MAX_WORKERS; workers++) {
            scheduler s = {0};
            fracas_task_hooks hooks = kinds[k];
            hooks.user = &s;
            fracas_context* context = make_context(workers, &hooks);
            assert_true(each_item_seen(context, 100, 3));
            assert_int_equal(s.enqueued, workers - 1);
            assert_int_equal(s.finished, k == 0 ? 0 : workers - 1);
            // At most as many tasks as ranges for other workers.
            s.enqueued = 0;
            assert_true(each_item_seen(context, 6, 3));
            assert_int_equal(s.enqueued, workers > 1 ? 1 : 0);
            if (k < 2) run_nested(context);
            fracas_context_destroy(context);
        }
}

static void pause_us(long us) {
    const struct timespec time = {0, 1000 * us};
    nanosleep(&time, NULL);
}

// Wakes threads that spin, sleep or are about to sleep: before a loop, before a loop that starts
// after they sleep again, or without a loop.
static void woken_threads(void** state) {
    (void)state;
    static const long pauses[] = {0, 20, 150, 210, 400, 900};
    for (uint32_t workers = 1; workers <= 3; workers++)
        for (uint32_t round = 0; round < 108; round++) {
            fracas_context* context = make_context(workers, NULL);
            pause_us(pauses[round % 6]);
            frc_wake(context);
            pause_us(pauses[round / 6 % 6]);
            if (round % 4 == 0) frc_wake(context);
            if (round / 36 != 0) assert_true(run_once(context, workers, 40, 3));
            if (round / 36 == 2) frc_wake(context);
            fracas_context_destroy(context);
        }
}

// ---- spinning

static double clock_ms(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// CPU time of idle threads, until it is `enough` or the time is over.
static double idle_work_ms(uint32_t workers, double spin_ms, double enough, double wait_ms) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.spin_ms = spin_ms;
    fracas_context* context = create(&options);
    assert_true(run_once(context, workers, 40, 3));
    pause_us(20000);
    const double before = clock_ms(CLOCK_PROCESS_CPUTIME_ID), start = clock_ms(CLOCK_MONOTONIC);
    double work = 0;
    while (work < enough && clock_ms(CLOCK_MONOTONIC) - start < wait_ms) {
        pause_us(10000);
        work = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - before;
    }
    assert_true(run_once(context, workers, 40, 3));
    fracas_context_destroy(context);
    return work;
}

// A thread spins for the given time, then sleeps; in both states it joins the next loop and
// terminates. With more workers than cores threads do not spin.
static void spin_time(void** state) {
    (void)state;
    const uint32_t cores = frc_core_count();
    assert_true(idle_work_ms(2, 0, 10, 60) < 10);
    assert_true(idle_work_ms(2, 5, 10, 60) < 10);
    if (cores < MAX_WORKERS) assert_true(idle_work_ms(cores + 1, INFINITY, 10, 60) < 10);
    if (cores < 2) return;
    assert_true(idle_work_ms(2, INFINITY, 10, 20000) >= 10);
    assert_true(idle_work_ms(2, 60000, 10, 20000) >= 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(grain_zero_is_one),
        cmocka_unit_test(worker_numbers_are_threads),
        cmocka_unit_test(workers_start_with_their_part),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(several_threads_at_once),
        cmocka_unit_test(task_hooks),
        cmocka_unit_test(woken_threads),
        cmocka_unit_test(spin_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
