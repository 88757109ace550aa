// Stages: every part once, none before all of the stage before are done, on any number of workers.
#include "base/parallel.h"
#include "base/stages.h"
#include "cmocka_all.h"
#include <stdlib.h>

enum { STAGES = 6, MOST_PARTS = 300 };
static const uint32_t PARTS[STAGES] = {17, 0, 300, 1, 64, 0};

typedef struct record {
    atomic_uint seen[STAGES][MOST_PARTS];
    atomic_uint done[STAGES];
    atomic_uint early, alone;
    uint32_t stage;   // the one that is open; written by `before` alone
    uint32_t ending;  // the stage that ends it all; STAGES: none
} record;

static uint32_t all_done(record* r, uint32_t before) {
    uint32_t done = 0;
    for (uint32_t s = 0; s < before; s++) done += atomic_load(&r->done[s]) == PARTS[s];
    return done;
}

static bool open_stage(record* r, uint32_t s, uint32_t* parts) {
    // Nobody else may be here, and nothing may be under way.
    if (atomic_fetch_add(&r->alone, 1) != 0 || all_done(r, s) != s) atomic_fetch_add(&r->early, 1);
    r->stage = s;
    *parts = PARTS[s];
    atomic_fetch_sub(&r->alone, 1);
    return s != r->ending;
}

static void do_part(record* r, uint32_t s, uint32_t part) {
    // A plain read: stages must order it behind the plain write above.
    if (r->stage != s || part >= PARTS[s] || all_done(r, s) != s) {
        atomic_fetch_add(&r->early, 1);
        return;
    }
    atomic_fetch_add(&r->seen[s][part], 1);
    atomic_fetch_add(&r->done[s], 1);
}

#define STAGE(n)                                                                                   \
    static bool open_##n(void* data, uint32_t* parts) { return open_stage(data, n, parts); }       \
    static void part_##n(uint32_t part, void* data) { do_part(data, n, part); }
STAGE(0)
STAGE(1)
STAGE(2)
STAGE(3)
STAGE(4)
STAGE(5)
static const frc_stage LIST[STAGES] = {
    {open_0, part_0},
    {open_1, part_1},
    {open_2, part_2},
    {open_3, part_3},
    {open_4, part_4},
    {open_5, part_5}
};

static bool is_right(fracas_context* context, uint32_t ending) {
    record* r = calloc(1, sizeof *r);
    r->ending = ending;
    bool right = frc_stages_run(context, LIST, STAGES, r) == (ending == STAGES) && r->early == 0;
    for (uint32_t s = 0; s < STAGES; s++)
        for (uint32_t i = 0; i < MOST_PARTS; i++)
            right = right && r->seen[s][i] == (s < ending && i < PARTS[s]);
    free(r);
    return right;
}

static fracas_context* make_context(uint32_t workers, fracas_task_hooks hooks) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.tasks = hooks;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

static void every_part_once_in_order(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 8; workers++) {
        fracas_context* context = make_context(workers, (fracas_task_hooks){0});
        for (uint32_t turn = 0; turn < 200; turn++) {
            context->jitter = turn % 2 ? turn : 0;
            assert_true(is_right(context, STAGES));
        }
        for (uint32_t ending = 0; ending < STAGES; ending++) assert_true(is_right(context, ending));
        fracas_context_destroy(context);
    }
}

static void no_stages_are_done_at_once(void** state) {
    (void)state;
    fracas_context* context = make_context(2, (fracas_task_hooks){0});
    assert_true(frc_stages_run(context, LIST, 0, NULL));
    fracas_context_destroy(context);
}

// Tasks that begin only when somebody waits for them, one after the other.
typedef struct late_task {
    void (*run)(void*);
    void* argument;
} late_task;

static void* enqueue_late(void (*run)(void*), void* argument, void* user) {
    (void)user;
    late_task* task = malloc(sizeof *task);
    *task = (late_task){run, argument};
    return task;
}

static void finish_late(void* handle, void* user) {
    (void)user;
    late_task* task = handle;
    task->run(task->argument);
    free(task);
}

static void tasks_may_begin_late(void** state) {
    (void)state;
    fracas_context* context =
        make_context(4, (fracas_task_hooks){.enqueue = enqueue_late, .finish = finish_late});
    assert_true(is_right(context, STAGES));
    assert_true(is_right(context, 2));
    fracas_context_destroy(context);
}

// The pool is busy with a loop: whoever goes through stages within it does so alone.
typedef struct outer {
    fracas_context* context;
    atomic_uint right;
} outer;

static void run_inside(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    outer* o = data;
    for (uint32_t i = begin; i < end; i++)
        atomic_fetch_add(&o->right, is_right(o->context, STAGES));
}

static void stages_within_a_loop(void** state) {
    (void)state;
    outer o = {.context = make_context(3, (fracas_task_hooks){0})};
    frc_parallel_for(o.context, 12, 1, run_inside, &o);
    assert_int_equal(o.right, 12);
    fracas_context_destroy(o.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_once_in_order), cmocka_unit_test(no_stages_are_done_at_once),
        cmocka_unit_test(tasks_may_begin_late), cmocka_unit_test(stages_within_a_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
