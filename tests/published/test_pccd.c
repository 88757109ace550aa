// Every scheduler finds bit-identical contacts, on any number of workers and for any order of
// events; rebuilding trees during a query changes no contact. FRACAS_SEEDS sets the number of
// orders (336); with fewer, 1 and 3 workers only.
#include "hash.h"
#include "pccd_stage.h"
#include "published/lazy_rebuild.h"

// ---- sizes of the tests

static uint64_t seeds(uint64_t all) {
    const char* text = getenv("FRACAS_SEEDS");
    return text ? all * strtoull(text, NULL, 10) / 336 + 1 : all;
}

// All numbers of workers; with fewer seeds 1 and 3, with very few 3.
static uint32_t first_workers(void) { return seeds(336) < 30 ? 3 : 1; }

static uint32_t next_workers(uint32_t workers) {
    return seeds(336) < 300 ? 3 * workers : workers + 1;
}

// ---- queries

// Counters, summed over queries.
typedef struct counts {
    uint64_t contacts[6], did_not_fit;
    fracas_published_statistics pccd;
} counts;

static fracas_contacts* collect(const stage* s, uint32_t modes, counts* sum) {
    fracas_contacts* contacts;
    fracas_published_query query = fracas_published_scene_default_query();
    query.query.modes = modes;
    assert_int_equal(fracas_contacts_create(s->context, &contacts), FRACAS_OK);
    fracas_sink sink = fracas_contacts_get_sink(contacts);
    fracas_published_statistics did;
    assert_int_equal(fracas_published_scene_detect(s->scene, &query, &sink, &did), FRACAS_OK);
    assert_true(did.rebuilt == 0 && did.rebuilt_top == 0 && did.locks == 0);
    assert_true(did.refusals <= did.requests);
    assert_true(did.ms_low >= 0 && did.ms_high >= 0);
    const fracas_statistics* found = fracas_contacts_get_statistics(contacts);
    assert_true(found->ms_idle >= 0);
    if (!sum) return contacts;
    sum->pccd.requests += did.requests;
    sum->pccd.refusals += did.refusals;
    for (int k = 0; k < 6; k++) sum->contacts[k] += found->contacts[k];
    return contacts;
}

// A continuous query that rebuilds degraded subtrees; returns their number.
static uint64_t collect_lazy(const stage* s, fracas_contacts** out, counts* sum) {
    assert_int_equal(fracas_contacts_create(s->context, out), FRACAS_OK);
    fracas_sink sink = fracas_contacts_get_sink(*out);
    fracas_published_statistics did;
    assert_int_equal(fracas_published_scene_detect_lazy(s->scene, NULL, &sink, &did), FRACAS_OK);
    assert_true(did.refusals <= did.requests);
    sum->pccd.locks += did.locks;
    sum->pccd.rebuilt += did.rebuilt;
    sum->pccd.rebuilt_top += did.rebuilt_top;
    return did.rebuilt + did.rebuilt_top;
}

static void require_same(const fracas_contacts* a, const fracas_contacts* b) {
    size_t count_a, count_b;
    const fracas_contact* data_a = fracas_contacts_get_data(a, &count_a);
    const fracas_contact* data_b = fracas_contacts_get_data(b, &count_b);
    model_require_same(data_a, count_a, data_b, count_b, "schedulers");
    const fracas_statistics *x = fracas_contacts_get_statistics(a),
                            *y = fracas_contacts_get_statistics(b);
    assert_true(x->siblings_left_out == y->siblings_left_out);
    assert_true(x->tt_candidates == y->tt_candidates && x->vf_candidates == y->vf_candidates &&
                x->ee_candidates == y->ee_candidates);
}

// One script with one scheduler, compared with the default and one worker.
static void compare(int script, fracas_published_scheduler scheduler, uint32_t workers,
                    counts* sum) {
    stage one = open_stage(FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING, 1, NULL);
    stage other = open_stage(scheduler, workers, NULL);
    begin_script(&one, script), begin_script(&other, script);
    for (uint32_t step = 0; step < 2; step++) {
        step_script(&one, script, step), step_script(&other, script, step);
        for (uint32_t modes = 1; modes <= FRACAS_MODE_BOTH; modes++) {
            const uint64_t before = sum->pccd.requests;
            fracas_contacts *a = collect(&one, modes, NULL), *b = collect(&other, modes, sum);
            require_same(a, b);
            if (scheduler == FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING)
                assert_true(sum->pccd.requests == before);
            fracas_contacts_destroy(a), fracas_contacts_destroy(b);
        }
        double step_one, step_other;
        assert_int_equal(fracas_scene_max_step(one.scene, NULL, &step_one), FRACAS_OK);
        assert_int_equal(fracas_scene_max_step(other.scene, NULL, &step_other), FRACAS_OK);
        assert_true(step_one == step_other);
        fracas_statistics near_one, near_other;
        fracas_sink sinks[2] = {{.statistics = &near_one}, {.statistics = &near_other}};
        assert_int_equal(fracas_scene_nearby(one.scene, 0.05, &sinks[0]), FRACAS_OK);
        assert_int_equal(fracas_scene_nearby(other.scene, 0.05, &sinks[1]), FRACAS_OK);
        assert_memory_equal(near_one.contacts, near_other.contacts, sizeof near_one.contacts);
        assert_int_equal(fracas_scene_advance(one.scene), FRACAS_OK);
        assert_int_equal(fracas_scene_advance(other.scene), FRACAS_OK);
    }
    close_stage(&one), close_stage(&other);
}

static void every_scheduler_finds_the_same(void** state) {
    (void)state;
    counts sum = {0};
    for (int script = 0; script < SCRIPTS; script++)
        for (uint32_t workers = first_workers(); workers <= 8; workers = next_workers(workers))
            for (int scheduler = workers == 4 ? 0 : 1; scheduler < SCHEDULERS; scheduler++)
                compare(script, (fracas_published_scheduler)scheduler, workers, &sum);
    for (int scheduler = 0; scheduler < SCHEDULERS; scheduler++)
        compare(5, (fracas_published_scheduler)scheduler, 32, &sum);
    print_message("%d requests, %d refused\n", (int)sum.pccd.requests, (int)sum.pccd.refusals);
    for (int k = 0; k < 6; k++) assert_true(sum.contacts[k] > 0);
    assert_true(sum.pccd.requests > 0);
}

// ---- orders of events

static void any_order_of_events(void** state) {
    (void)state;
    counts sum = {0};
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.cull = FRACAS_PUBLISHED_CULL_NONE;
    stage one = open_stage(FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING, 1, &how);
    begin_script(&one, 5), step_script(&one, 5, 0);
    fracas_contacts* wanted = collect(&one, FRACAS_MODE_CONTINUOUS, NULL);
    for (int i = 0; i < 6; i++) {
        const fracas_published_scheduler scheduler = (fracas_published_scheduler)(1 + i % 3);
        stage s = open_stage(scheduler, i < 3 ? 2 : 5, &how);
        begin_script(&s, 5), step_script(&s, 5, 0);
        for (uint64_t seed = 1; seed <= seeds(80); seed++) {
            s.context->yield_seed = seed;
            fracas_contacts* got = collect(&s, FRACAS_MODE_CONTINUOUS, &sum);
            require_same(wanted, got);
            fracas_contacts_destroy(got);
        }
        close_stage(&s);
    }
    fracas_contacts_destroy(wanted);
    close_stage(&one);
    print_message("%d requests, %d refused\n", (int)sum.pccd.requests, (int)sum.pccd.refusals);
    // Nodes changed owner, and some requests were refused.
    assert_true(sum.pccd.requests > sum.pccd.refusals && sum.pccd.refusals > 0);
}

// Tasks of the application that run immediately, before the caller has begun: one worker does all
// work.
static void* run_at_once(fracas_task_fn* task, void* data, void* user) {
    ++*(uint32_t*)user;
    task(data);
    return NULL;
}
static void never_called(void* handle, void* user) { (void)handle, (void)user, fail(); }

static void one_worker_is_enough(void** state) {
    (void)state;
    for (int scheduler = 1; scheduler < SCHEDULERS; scheduler++) {
        uint32_t ran = 0;
        stage one = open_stage(FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING, 1, NULL),
              other = {.random = 7};
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = 5;
        options.tasks = (fracas_task_hooks){run_at_once, never_called, &ran};
        assert_int_equal(fracas_context_create(&options, &other.context), FRACAS_OK);
        fracas_published_scene_options how = fracas_published_scene_default_options();
        how.scheduler = (fracas_published_scheduler)scheduler;
        assert_int_equal(fracas_published_scene_create(other.context, &how, &other.scene),
                         FRACAS_OK);
        begin_script(&one, 6), begin_script(&other, 6);
        step_script(&one, 6, 0), step_script(&other, 6, 0);
        fracas_contacts *a = collect(&one, FRACAS_MODE_BOTH, NULL),
                        *b = collect(&other, FRACAS_MODE_BOTH, NULL);
        require_same(a, b);
        assert_true(ran > 0);
        fracas_contacts_destroy(a), fracas_contacts_destroy(b);
        close_stage(&one), close_stage(&other);
    }
}

// ---- cancelling and failed allocations

typedef struct progress_limit {
    uint32_t calls, limit;
    double last;
} progress_limit;

static bool stop_at_limit(double fraction, void* user) {
    progress_limit* p = user;
    assert_true(fraction >= p->last && fraction <= 1);
    p->last = fraction;
    return ++p->calls <= p->limit;
}

static void queries_can_be_cancelled(void** state) {
    (void)state;
    for (int scheduler = 1; scheduler < SCHEDULERS; scheduler++)
        for (uint32_t workers = 1; workers <= 4; workers += 3) {
            progress_limit p = {.limit = UINT32_MAX};
            stage s = {.random = 7};
            fracas_context_options options = fracas_context_default_options();
            options.worker_count = workers;
            options.progress = stop_at_limit;
            options.progress_user = &p;
            assert_int_equal(fracas_context_create(&options, &s.context), FRACAS_OK);
            fracas_published_scene_options how = fracas_published_scene_default_options();
            how.cull = FRACAS_PUBLISHED_CULL_NONE;
            how.scheduler = (fracas_published_scheduler)scheduler;
            assert_int_equal(fracas_published_scene_create(s.context, &how, &s.scene), FRACAS_OK);
            begin_script(&s, 5), step_script(&s, 5, 0);
            fracas_sink sink = {0};
            fracas_query query = fracas_scene_default_query();
            query.modes = FRACAS_MODE_BOTH;
            p.last = 0;
            assert_int_equal(fracas_scene_detect(s.scene, &query, &sink), FRACAS_OK);
            assert_true(p.last == 1);
            if (workers == 1) assert_true(p.calls > 20);
            for (uint32_t limit = 0; limit < 2; limit++) {
                p = (progress_limit){.limit = limit};
                assert_int_equal(fracas_scene_detect(s.scene, &query, &sink),
                                 FRACAS_ERROR_CANCELLED);
                assert_true(p.calls >= 1);
            }
            p = (progress_limit){.limit = UINT32_MAX};
            fracas_context_cancel(s.context);
            assert_int_equal(fracas_scene_detect(s.scene, &query, &sink), FRACAS_ERROR_CANCELLED);
            fracas_context_resume(s.context);
            assert_int_equal(fracas_scene_detect(s.scene, &query, &sink), FRACAS_OK);
            close_stage(&s);
        }
}

typedef struct allocation_limit {
    atomic_int left;  // remaining successful allocations
} allocation_limit;

static void* allocate_some(size_t size, size_t alignment, void* user) {
    allocation_limit* m = user;
    if (atomic_fetch_sub(&m->left, 1) <= 0) return NULL;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release_some(void* memory, size_t size, void* user) {
    (void)size, (void)user;
    free(memory);
}

static stage open_limited(fracas_published_scheduler scheduler, uint32_t workers,
                          allocation_limit* m, const fracas_published_scene_options* given) {
    stage s = {.random = 7};
    fracas_published_scene_options how = given ? *given : fracas_published_scene_default_options();
    how.scheduler = scheduler;
    atomic_init(&m->left, INT32_MAX);
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.allocator = (fracas_allocator){allocate_some, release_some, m};
    assert_int_equal(fracas_context_create(&options, &s.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(s.context, &how, &s.scene), FRACAS_OK);
    return s;
}

static void failed_allocations(void** state) {
    (void)state;
    for (int scheduler = 1; scheduler < SCHEDULERS; scheduler++) {
        allocation_limit m;
        stage s = open_limited((fracas_published_scheduler)scheduler, 3, &m, NULL);
        begin_script(&s, 6), step_script(&s, 6, 0);
        fracas_sink sink = {0};
        int failed = 0;
        for (int n = 0;; n++) {
            // Data left by the last query would need no memory.
            frc_spare_release(s.context, &s.scene->query_state->spare);
            atomic_store(&m.left, n);
            fracas_status status = fracas_scene_detect(s.scene, NULL, &sink);
            atomic_store(&m.left, INT32_MAX);
            if (status == FRACAS_OK) break;
            assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
            failed++;
        }
        assert_true(failed > 10);
        close_stage(&s);
    }
}

// ---- trees rebuilt by queries

static fracas_published_scene_options lazy_options(void) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.cull = FRACAS_PUBLISHED_CULL_NONE;
    how.scene.modes = FRACAS_MODE_CONTINUOUS;
    how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_LAZY;
    return how;
}

static uint64_t hash_trees(const fracas_scene* scene) {
    uint64_t hash = BENCH_HASH_START;
    for (size_t b = 0; b < scene->blocks.count; b++) {
        const frc_block* block = scene->blocks.data[b];
        for (uint32_t n = 0; block && n < block->node_count; n++)
            for (int i = 0; i < 4; i++)
                hash = bench_hash_word(hash, frc_block_links(block)[n].child[i]);
    }
    for (uint32_t n = 0; n < scene->top.node_count; n++)
        for (int i = 0; i < 4; i++)
            hash = bench_hash_word(hash, scene->top.nodes[FRC_BOXES_STEP][n].child[i]);
    return hash;
}

// A script of many steps, compared with trees that are never rebuilt. Queries of all kinds follow
// each other; each may find degraded subtrees.
static void compare_lazy(int script, fracas_published_scheduler scheduler, uint32_t workers,
                         uint64_t jitter, uint32_t steps, counts* sum) {
    fracas_published_scene_options how = lazy_options(), never = how;
    never.restructure = FRACAS_PUBLISHED_RESTRUCTURE_NONE;
    stage one = open_stage(FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING, 1, &never);
    stage other = open_stage(scheduler, workers, &how);
    other.context->yield_seed = jitter;
    begin_script(&one, script), begin_script(&other, script);
    for (uint32_t step = 0; step < steps; step++) {
        step_script(&one, script, step), step_script(&other, script, step);
        if (step % 2) {
            fracas_statistics near_one, near_other;
            fracas_sink sinks[2] = {{.statistics = &near_one}, {.statistics = &near_other}};
            assert_int_equal(fracas_scene_nearby(one.scene, 0.05, &sinks[0]), FRACAS_OK);
            assert_int_equal(fracas_scene_nearby(other.scene, 0.05, &sinks[1]), FRACAS_OK);
            assert_memory_equal(near_one.contacts, near_other.contacts, sizeof near_one.contacts);
            model_check_blocks(other.scene);
        }
        for (int again = 0; again < 2; again++) {
            fracas_contacts *a = collect(&one, FRACAS_MODE_CONTINUOUS, NULL), *b;
            // A const query uses the trees in their current state.
            if (!again && step % 2) {
                const uint64_t trees = hash_trees(other.scene);
                b = collect(&other, FRACAS_MODE_CONTINUOUS, NULL);
                require_same(a, b);
                assert_true(hash_trees(other.scene) == trees);
                fracas_contacts_destroy(b);
            }
            const uint64_t rebuilt = collect_lazy(&other, &b, sum);
            require_same(a, b);
            // Each node is visited once.
            if (again) assert_true(rebuilt == 0);
            if (!again) model_check_blocks(other.scene);
            fracas_contacts_destroy(a), fracas_contacts_destroy(b);
        }
        double step_one = 0, step_other = 0;
        if (step == 1) {
            assert_int_equal(fracas_scene_max_step(one.scene, NULL, &step_one), FRACAS_OK);
            assert_int_equal(fracas_scene_max_step(other.scene, NULL, &step_other), FRACAS_OK);
        }
        assert_true(step_one == step_other);
        assert_int_equal(fracas_scene_advance(one.scene), FRACAS_OK);
        assert_int_equal(fracas_scene_advance(other.scene), FRACAS_OK);
    }
    const frc_lazy* lazy = other.scene->search_data;
    for (uint32_t i = 0; i < workers; i++) sum->did_not_fit += lazy->scratch[i].did_not_fit;
    close_stage(&one), close_stage(&other);
}

static void lazy_trees_find_the_same_contacts(void** state) {
    (void)state;
    for (int scheduler = 1; scheduler < SCHEDULERS; scheduler++) {
        counts sum = {0};
        for (int script = 0; script < SCRIPTS; script++)
            for (uint32_t workers = 1; workers <= (script == 7 ? 2 : 8);
                 workers = next_workers(workers))
                compare_lazy(script, (fracas_published_scheduler)scheduler, workers, 0, 5, &sum);
        print_message(
            "%d parts of bodies built, %d of the tree over them, %d did not fit, %d locks\n",
            (int)sum.pccd.rebuilt, (int)sum.pccd.rebuilt_top, (int)sum.did_not_fit,
            (int)sum.pccd.locks);
        assert_true(sum.pccd.rebuilt > 50 && sum.pccd.rebuilt_top > 5);
        assert_true(scheduler == FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT ? sum.pccd.locks == 0
                                                                          : sum.pccd.locks > 0);
    }
}

// Without self-collision all work is left to high-level nodes: several workers visit the nodes that
// they rebuild.
static void lazy_in_any_order(void** state) {
    (void)state;
    counts sum = {0};
    for (uint64_t seed = 1; seed <= seeds(16); seed++) {
        fracas_published_scheduler scheduler = seed % 4 == 0
                                                   ? FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT
                                                   : FRACAS_PUBLISHED_SCHEDULER_PCCD;
        compare_lazy(8 + (int)(seed % 3), scheduler, 3 + seed % 3, seed, 3, &sum);
    }
    assert_true(sum.pccd.rebuilt > 0 && sum.pccd.locks > 0);
    if (seeds(16) > 2) assert_true(sum.pccd.rebuilt_top > 0);
}

// A node that cannot be rebuilt for lack of memory keeps its tree; the contacts are the same.
static void lazy_without_memory(void** state) {
    (void)state;
    fracas_published_scene_options how = lazy_options();
    allocation_limit m;
    stage s = open_limited(FRACAS_PUBLISHED_SCHEDULER_PCCD, 3, &m, &how);
    begin_script(&s, 4), step_script(&s, 4, 0);
    fracas_statistics first = {0}, last = {0};
    fracas_sink sink = {.statistics = &first};
    fracas_published_statistics did;
    assert_int_equal(fracas_published_scene_detect_lazy(s.scene, NULL, &sink, &did), FRACAS_OK);
    uint64_t built = 0;
    for (int n = 0; n < 80; n++) {
        move_points(&s, 1);
        assert_int_equal(fracas_scene_update(s.scene), FRACAS_OK);
        atomic_store(&m.left, n);
        fracas_status status = fracas_published_scene_detect_lazy(s.scene, NULL, &sink, &did);
        atomic_store(&m.left, INT32_MAX);
        built += did.rebuilt;
        assert_true(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY);
        model_check_blocks(s.scene);
        sink.statistics = &last;
        assert_int_equal(fracas_published_scene_detect_lazy(s.scene, NULL, &sink, &did), FRACAS_OK);
        built += did.rebuilt;
        sink.statistics = &first;
        if (status == FRACAS_OK)
            assert_memory_equal(first.contacts, last.contacts, sizeof first.contacts);
        assert_int_equal(fracas_scene_advance(s.scene), FRACAS_OK);
    }
    assert_true(built > 0);
    close_stage(&s);
}

static void lazy_needs_pccd(void** state) {
    (void)state;
    for (int wrong = 0; wrong < 4; wrong++) {
        fracas_context* context;
        fracas_scene* scene;
        fracas_context_options options = fracas_context_default_options();
        fracas_published_scene_options how = lazy_options();
        options.worker_count = 2;
        if (wrong != 1) how.scheduler = FRACAS_PUBLISHED_SCHEDULER_PCCD;
        if (wrong == 2) how.cull = FRACAS_PUBLISHED_CULL_CERTIFICATE;
        if (wrong == 3) how.scene.modes = FRACAS_MODE_BOTH;
        assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
        fracas_status status = fracas_published_scene_create(context, &how, &scene);
        char message[256];
        fracas_context_get_message(context, message, sizeof message);
        assert_int_equal(status, wrong ? FRACAS_ERROR_INVALID_ARGUMENT : FRACAS_OK);
        if (wrong) assert_non_null(strstr(message, "FRACAS_PUBLISHED_CULL_NONE"));
        fracas_scene_destroy(scene);
        fracas_context_destroy(context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheduler_finds_the_same),
        cmocka_unit_test(any_order_of_events),
        cmocka_unit_test(one_worker_is_enough),
        cmocka_unit_test(queries_can_be_cancelled),
        cmocka_unit_test(failed_allocations),
        cmocka_unit_test(lazy_trees_find_the_same_contacts),
        cmocka_unit_test(lazy_in_any_order),
        cmocka_unit_test(lazy_without_memory),
        cmocka_unit_test(lazy_needs_pccd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
