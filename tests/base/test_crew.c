// Tasks that make tasks: each is done once, on any number of workers, whatever the order of events.
#include "base/crew.h"
#include "cmocka_all.h"
#include <stdlib.h>

// A task is a number of things to do; it is halved until one is left. What a worker has not begun
// is on its own stack, the largest part at the bottom.
enum { THINGS = 4096, MOST_WORKERS = 64 };

typedef struct record {
    atomic_uint seen[THINGS];
    atomic_uint given, wrong;
    uint32_t put_off[MOST_WORKERS];  // things that wait for `rest`, by worker
    uint32_t rested[MOST_WORKERS];
    uint32_t parts, asides;
    atomic_uint ended, early;
    bool stingy;
} record;

static frc_task make_task(uint32_t begin, uint32_t end) {
    frc_task task = {
        {begin, end, ~begin, ~end}
    };
    return task;
}

static void halve(frc_hand* hand, const frc_task* first, void* data) {
    record* r = data;
    frc_task stack[64];
    uint32_t bottom = 0, top = 0;
    stack[top++] = *first;
    while (bottom < top) {
        if (!r->stingy && top - bottom > 1 && frc_is_wanted(hand) &&
            frc_give(hand, &stack[bottom])) {
            atomic_fetch_add(&r->given, 1);
            bottom++;
            continue;
        }
        frc_task t = stack[--top];
        uint32_t begin = t.word[0], end = t.word[1];
        if (t.word[2] != ~begin || t.word[3] != ~end || begin >= end || end > THINGS) {
            atomic_fetch_add(&r->wrong, 1);
            continue;
        }
        if (end - begin == 1) {
            atomic_fetch_add(&r->seen[begin], 1);
            r->put_off[hand->worker]++;
        } else {
            uint32_t middle = begin + (end - begin) / 2;
            stack[top++] = make_task(begin, middle);
            stack[top++] = make_task(middle, end);
        }
    }
}

static void rest(frc_hand* hand, void* data) {
    record* r = data;
    r->rested[hand->worker] += r->put_off[hand->worker];
    r->put_off[hand->worker] = 0;
}

// Whoever leaves sees all that tasks have written.
static void end(frc_hand* hand, void* data) {
    record* r = data;
    uint32_t done = 0;
    (void)hand;
    for (int w = 0; w < MOST_WORKERS; w++) done += r->rested[w];
    if (done != (r->parts ? THINGS : 0)) atomic_fetch_add(&r->early, 1);
    atomic_fetch_add(&r->ended, 1);
}

// By the calling thread: a number that nobody guards.
static void aside(void* data) { ((record*)data)->asides++; }

static fracas_context* make_context(uint32_t workers, const fracas_task_hooks* hooks) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    if (hooks) options.tasks = *hooks;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

// The number of tasks that changed hands.
static uint32_t run_once(fracas_context* context, uint32_t parts, bool stingy) {
    record* r = calloc(1, sizeof *r);
    frc_task tasks[64];
    r->stingy = stingy;
    r->parts = parts;
    for (uint32_t i = 0; i < parts; i++)
        tasks[i] = make_task(THINGS * i / parts, THINGS * (i + 1) / parts);
    const frc_crew_work work = {.tasks = tasks,
                                .count = parts,
                                .run = halve,
                                .rest = rest,
                                .end = end,
                                .aside = aside,
                                .data = r,
                                .aside_data = r};
    double idle = frc_crew_run(context, &work);
    assert_int_equal(r->asides, 1);
    assert_true(r->ended > 0);
    assert_int_equal(r->early, 0);
    assert_true(idle >= 0);
    assert_int_equal(r->wrong, 0);
    for (uint32_t i = 0; i < THINGS; i++) assert_int_equal(r->seen[i], parts ? 1 : 0);
    uint32_t rested = 0;
    for (int w = 0; w < MOST_WORKERS; w++) rested += r->rested[w];
    assert_int_equal(rested, parts ? THINGS : 0);
    uint32_t given = r->given;
    free(r);
    return given;
}

static void every_task_once(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= MOST_WORKERS; workers *= 2) {
        fracas_context* context = make_context(workers, NULL);
        uint32_t given = 0;
        for (uint32_t round = 0; round < 60; round++) {
            const uint32_t parts[] = {0, 1, 2, 7, 64};
            for (int i = 0; i < 5; i++) given += run_once(context, parts[i], round % 7 == 6);
        }
        if (workers == 1) assert_int_equal(given, 0);
        fracas_context_destroy(context);
    }
}

static void any_order_of_events(void** state) {
    (void)state;
    fracas_context* context = make_context(4, NULL);
    uint32_t given = 0;
    // On a busy machine it may take a while until another thread is awake in time to be given
    // something.
    for (uint64_t seed = 1; seed <= 300 || (given == 0 && seed < 300000); seed++) {
        context->jitter = seed;
        given += run_once(context, 1 + (uint32_t)(seed % 3), false);
    }
    assert_true(given > 0);
    fracas_context_destroy(context);
}

// Tasks of the application that run at once, before the caller has begun.
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

// A scheduler that runs tasks only when somebody waits, whichever come first, as those do that help
// while they wait: a loop within a task must not be handed the outer loop's tasks.
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

static void help(void* handle, void* user) {
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

static void loop_inside(frc_hand* hand, const frc_task* task, void* data) {
    (void)hand, (void)task;
    uint32_t sum = 0, *loops = ((void**)data)[1];
    frc_parallel_for(((void**)data)[0], 5, 1, add_up, &sum);
    assert_int_equal(sum, 5);
    ++*loops;
}

static void loops_within_tasks(void** state) {
    (void)state;
    jobs* all = calloc(1, sizeof *all);
    fracas_task_hooks hooks = {put_job, help, all};
    fracas_context* context = make_context(4, &hooks);
    uint32_t loops = 0;
    void* data[2] = {context, &loops};
    const frc_task tasks[7] = {0};
    const frc_crew_work work = {.tasks = tasks, .count = 7, .run = loop_inside, .data = data};
    frc_crew_run(context, &work);
    assert_int_equal(loops, 7);
    assert_int_equal(all->count, 3);  // of the outer loop alone
    fracas_context_destroy(context);
    free(all);
}

// Tasks with loops of their own, which those who wait help with: every range once, and none after
// the loop has returned.
enum { LOOPS = 12, RANGES = 40 };

typedef struct helped {
    atomic_uint seen[LOOPS][RANGES];
    atomic_uint by_others, too_late;
    atomic_bool over[LOOPS];
} helped;

typedef struct one_loop {
    helped* all;
    uint32_t number, worker;
} one_loop;

static void do_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    one_loop* l = data;
    if (end != begin + 1 || atomic_load(&l->all->over[l->number]))
        atomic_fetch_add(&l->all->too_late, 1);
    atomic_fetch_add(&l->all->seen[l->number][begin], 1);
    if (worker != l->worker) atomic_fetch_add(&l->all->by_others, 1);
    // Long enough for others to come.
    for (volatile uint32_t i = 0; i < 200; i++) {}
}

static void loop_with_help(frc_hand* hand, const frc_task* task, void* data) {
    for (uint32_t k = 0; k < 3; k++) {
        one_loop l = {data, 3 * task->word[0] + k, hand->worker};
        frc_hand_for(hand, RANGES - k, do_range, &l);
        atomic_store(&l.all->over[l.number], true);
    }
}

static uint32_t run_helped(fracas_context* context, uint32_t tasks) {
    helped* all = calloc(1, sizeof *all);
    frc_task list[LOOPS / 3] = {0};
    for (uint32_t i = 0; i < tasks; i++) list[i].word[0] = i;
    const frc_crew_work work = {.tasks = list, .count = tasks, .run = loop_with_help, .data = all};
    frc_crew_run(context, &work);
    for (uint32_t n = 0; n < LOOPS; n++)
        for (uint32_t i = 0; i < RANGES; i++)
            assert_int_equal(all->seen[n][i], n < 3 * tasks && i < RANGES - n % 3);
    assert_int_equal(all->too_late, 0);
    uint32_t by_others = all->by_others;
    free(all);
    return by_others;
}

static void those_who_wait_help(void** state) {
    (void)state;
    fracas_context* context = make_context(4, NULL);
    uint32_t by_others = 0;
    for (uint64_t seed = 0; seed <= 600 || (by_others == 0 && seed < 300000); seed++) {
        context->jitter = seed % 2 ? seed : 0;
        by_others += run_helped(context, 1 + (uint32_t)(seed % (LOOPS / 3)));
    }
    assert_true(by_others > 0);
    fracas_context_destroy(context);
    context = make_context(1, NULL);
    assert_int_equal(run_helped(context, 4), 0);
    fracas_context_destroy(context);
    uint32_t calls = 0;
    fracas_task_hooks hooks = {run_at_once, never, &calls};
    context = make_context(3, &hooks);
    assert_int_equal(run_helped(context, 4), 0);
    fracas_context_destroy(context);
    uint32_t sum = 0;
    frc_hand_for(NULL, 7, add_up, &sum);
    assert_int_equal(sum, 7);
}

static void* no_memory(size_t size, size_t alignment, void* user) {
    uint32_t* left = user;
    if (*left == 0) return NULL;
    --*left;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
static void give_back(void* memory, size_t size, void* user) {
    (void)size, (void)user;
    free(memory);
}

// Then the caller does all of it.
static void without_memory(void** state) {
    (void)state;
    uint32_t left = 2;  // the context and its threads
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 3;
    options.allocator = (fracas_allocator){no_memory, give_back, &left};
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
        cmocka_unit_test(loops_within_tasks),       cmocka_unit_test(those_who_wait_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
