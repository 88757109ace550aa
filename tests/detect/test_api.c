// The query interface: sinks, statistics, progress, cancelling, concurrent queries.
#include "scene_kit.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

// Two crossing strips: contacts of every common kind, in several blocks.
static void fill(kit* k) {
    kit_add_strip(k, 30, 0, FRACAS_MOTION_DEFORMING);
    kit_add_strip(k, 30, 0, FRACAS_MOTION_DEFORMING);
    kit_add_strip(k, 20, 1, FRACAS_MOTION_DEFORMING);
    assert_int_equal(fracas_scene_update(k->scene), FRACAS_OK);
}

static fracas_query both(void) {
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    return query;
}

// ---- sinks

typedef struct stopper {
    size_t calls, limit;
} stopper;

static bool stop_after(const fracas_contact* contact, void* user) {
    (void)contact;
    stopper* s = user;
    return ++s->calls < s->limit;
}

static void sinks(void** state) {
    (void)state;
    kit k = kit_create(2);
    fill(&k);
    fracas_query query = both();
    fracas_statistics statistics;
    memset(&statistics, 0xFF, sizeof statistics);
    stopper s = {0, 3};
    fracas_sink sink = {stop_after, &s, &statistics};
    assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
    assert_int_equal(
        s.calls, 3);  // a false return value stops the reports; statistics still count all contacts
    uint64_t all = 0;
    for (int i = 0; i < 6; i++) all += statistics.contacts[i];
    assert_true(all > 3);
    assert_true(statistics.earliest_toi == 0);
    assert_true(statistics.ms_total >= 0 && statistics.tt_candidates > 0);
    fracas_contacts* contacts = NULL;
    assert_int_equal(fracas_contacts_create(k.context, &contacts), FRACAS_OK);
    size_t count = 99;
    assert_null(fracas_contacts_get_data(contacts, &count));
    assert_int_equal(count, 0);
    for (int round = 0; round < 3; round++) {
        sink = fracas_contacts_get_sink(contacts);
        assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
        const fracas_contact* list = fracas_contacts_get_data(contacts, &count);
        assert_int_equal(count, all);
        for (size_t i = 0; i < count; i++)
            assert_true(list[i].reserved[0] == 0 && list[i].reserved[1] == 0);
    }
    for (size_t i = 0; i < sizeof statistics.reserved / sizeof statistics.reserved[0]; i++)
        assert_true(statistics.reserved[i] == 0);
    sink = (fracas_sink){NULL, NULL, NULL};
    assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
    fracas_contacts_destroy(contacts);
    fracas_contacts_destroy(NULL);
    assert_int_equal(fracas_contacts_create(NULL, &contacts), FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_contacts_create(k.context, NULL), FRACAS_ERROR_INVALID_ARGUMENT);
    kit_destroy(&k);
}

static void empty_scenes(void** state) {
    (void)state;
    kit k = kit_create(3);
    fracas_query query = both();
    fracas_statistics statistics;
    fracas_sink sink = {.statistics = &statistics};
    double step = 0;
    for (int round = 0; round < 3; round++) {
        // An empty scene, with a body of unused vertices, with a triangle.
        const double points[3][3] = {
            {0, 0, 0},
            {1, 0, 0},
            {0, 1, 0}
        };
        const uint32_t triangles[1][3] = {
            {0, 1, 2}
        };
        fracas_mesh_view mesh = kit_mesh(points, 3, triangles, round == 2);
        if (round) kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
        assert_true(isinf(statistics.earliest_toi));
        assert_int_equal(fracas_scene_max_step(k.scene, NULL, &step), FRACAS_OK);
        assert_true(step == 1);
        assert_int_equal(fracas_scene_nearby(k.scene, 1, &sink), FRACAS_OK);
    }
    kit_destroy(&k);
}

// A distance of 0 means touching at t = 1. Regression: contacts were searched for over the whole
// step, like those of a query without a separation.
static void nearby_at_distance_zero(void** state) {
    (void)state;
    kit k = kit_create(1);
    kit_add_strip(&k, 1, 0, FRACAS_MOTION_STATIC);
    fracas_body above = kit_add_strip(&k, 1, 1, FRACAS_MOTION_DEFORMING);
    double points[4][3] = {
        {0.25, 0.25, -1},
        {0,    1,    -1},
        {1,    0,    -1},
        {1,    1,    -1}
    };
    fracas_points view = {.data = points, .count = 4};
    assert_int_equal(fracas_scene_move(k.scene, above, &view), FRACAS_OK);
    fracas_statistics s = kit_detect(&k, FRACAS_MODE_CONTINUOUS, FRACAS_SIBLINGS_REPORT);
    assert_true(s.contacts[FRACAS_CONTACT_VF] > 0);  // it passes through
    fracas_sink sink = {.statistics = &s};
    assert_int_equal(fracas_scene_nearby(k.scene, 0, &sink), FRACAS_OK);
    assert_int_equal(s.contacts[FRACAS_CONTACT_VF] + s.contacts[FRACAS_CONTACT_EE], 0);
    points[0][2] = 0;
    assert_int_equal(fracas_scene_move(k.scene, above, &view), FRACAS_OK);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_nearby(k.scene, 0, &sink), FRACAS_OK);
    assert_int_equal(s.contacts[FRACAS_CONTACT_VF], 1);
    kit_destroy(&k);
}

// ---- progress and cancelling

typedef struct progress_log {
    pthread_t caller;
    double last, stop_at;
    int calls, wrong;
} progress_log;

static bool log_progress(double fraction, void* user) {
    progress_log* t = user;
    t->calls++;
    t->wrong +=
        !(fraction >= t->last && fraction <= 1) || !pthread_equal(pthread_self(), t->caller);
    t->last = fraction;
    return fraction < t->stop_at;
}

static kit kit_with_progress(uint32_t workers, progress_log* t) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.progress = log_progress;
    options.progress_user = t;
    kit k;
    assert_int_equal(fracas_context_create(&options, &k.context), FRACAS_OK);
    assert_int_equal(fracas_scene_create(k.context, NULL, &k.scene), FRACAS_OK);
    return k;
}

// Progress is reported on the calling thread and never decreases within one call. Regression:
// queries of both modes, and max_step with its several searches, started again at 0, and a pool
// thread could report.
static void progress_is_monotonic(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        progress_log t = {pthread_self(), 0, 2, 0, 0};
        kit k = kit_with_progress(workers, &t);
        fill(&k);
        fracas_query query = both();
        fracas_sink sink = {NULL, NULL, NULL};
        double step;
        for (int round = 0; round < 50; round++) {
            t.last = 0;
            assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
            t.last = 0;
            assert_int_equal(fracas_scene_max_step(k.scene, NULL, &step), FRACAS_OK);
            t.last = 0;
            assert_int_equal(fracas_scene_nearby(k.scene, 0.1, &sink), FRACAS_OK);
        }
        assert_true(t.calls > 0);
        assert_int_equal(t.wrong, 0);
        kit_destroy(&k);
    }
}

// A false return value of the callback cancels only that call. Regression: it cancelled the whole
// context, so every later call failed until a resume.
static void callback_cancels_one_call(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        progress_log t = {pthread_self(), 0, 0.25, 0, 0};
        kit k = kit_with_progress(workers, &t);
        fill(&k);
        fracas_query query = both();
        fracas_statistics statistics = {.box_pairs = 77};
        fracas_sink sink = {.statistics = &statistics};
        double step = 5;
        if (workers == 1) {  // with one worker all progress comes from it
            assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_ERROR_CANCELLED);
            assert_true(statistics.box_pairs == 77);
            t.stop_at = -1;
            t.last = 0;
            assert_int_equal(fracas_scene_max_step(k.scene, NULL, &step), FRACAS_ERROR_CANCELLED);
            assert_true(step == 5);
        }
        t.stop_at = 2;
        t.last = 0;
        assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
        kit_destroy(&k);
    }
}

static void cancelled_until_resumed(void** state) {
    (void)state;
    kit k = kit_create(3);
    fill(&k);
    fracas_sink sink = {NULL, NULL, NULL};
    double step = 5;
    fracas_context_cancel(k.context);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fracas_scene_detect(k.scene, NULL, &sink), FRACAS_ERROR_CANCELLED);
        assert_int_equal(fracas_scene_nearby(k.scene, 1, &sink), FRACAS_ERROR_CANCELLED);
        assert_int_equal(fracas_scene_max_step(k.scene, NULL, &step), FRACAS_ERROR_CANCELLED);
    }
    kit_expect_message(&k, "cancelled");
    assert_true(step == 5);
    fracas_context_resume(k.context);
    assert_int_equal(fracas_scene_detect(k.scene, NULL, &sink), FRACAS_OK);
    kit_destroy(&k);
}

// A thread that cancels and resumes continuously. Regression: a query that saw the cancellation
// left work undone; if it was withdrawn before the end, the incomplete contacts were reported as
// complete.
typedef struct cancel_loop {
    fracas_context* context;
    atomic_bool stop;
} cancel_loop;

static void* cancel_loop_main(void* argument) {
    cancel_loop* f = argument;
    while (!atomic_load(&f->stop)) {
        fracas_context_cancel(f->context);
        fracas_context_resume(f->context);
    }
    return NULL;
}

static void results_complete_or_cancelled(void** state) {
    (void)state;
    kit k = kit_create(2);
    fill(&k);
    fracas_query query = both();
    fracas_statistics wanted = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT), got;
    fracas_sink sink = {.statistics = &got};
    cancel_loop f = {.context = k.context};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_loop_main, &f), 0);
    for (int round = 0; round < 200; round++) {
        fracas_status status = fracas_scene_detect(k.scene, &query, &sink);
        if (status == FRACAS_OK)
            assert_memory_equal(wanted.contacts, got.contacts, sizeof got.contacts);
        else
            assert_int_equal(status, FRACAS_ERROR_CANCELLED);
    }
    atomic_store(&f.stop, true);
    pthread_join(thread, NULL);
    kit_destroy(&k);
}

// ---- a const scene from several threads

typedef struct query_thread {
    const kit* k;
    uint64_t wanted[6];
    bool ok;
} query_thread;

static void* run_queries(void* argument) {
    query_thread* a = argument;
    fracas_query query = both();
    fracas_statistics got;
    fracas_sink sink = {.statistics = &got};
    fracas_body_info info;
    double step;
    a->ok = true;
    for (int round = 0; round < 20; round++)
        a->ok = a->ok && fracas_scene_detect(a->k->scene, &query, &sink) == FRACAS_OK &&
                memcmp(got.contacts, a->wanted, sizeof a->wanted) == 0 &&
                fracas_scene_max_step(a->k->scene, NULL, &step) == FRACAS_OK && step == 0 &&
                fracas_scene_get_body(a->k->scene, (fracas_body){9, 9}, &info) ==
                    FRACAS_ERROR_STALE_HANDLE;
    return NULL;
}

static void concurrent_queries(void** state) {
    (void)state;
    kit k = kit_create(3);
    fill(&k);
    fracas_statistics wanted = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    pthread_t threads[3];
    query_thread query_threads[3];
    for (int i = 0; i < 3; i++) {
        query_threads[i].k = &k;
        memcpy(query_threads[i].wanted, wanted.contacts, sizeof wanted.contacts);
        assert_int_equal(pthread_create(&threads[i], NULL, run_queries, &query_threads[i]), 0);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++) assert_true(query_threads[i].ok);
    kit_destroy(&k);
}

static void invalid_modes(void** state) {
    (void)state;
    kit k = kit_create(1);
    fill(&k);
    fracas_query query = both();
    const fracas_sink sink = {NULL, NULL, NULL};
    double step = -1;
    query.modes = 7;
    assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&k, "modes is 7");
    query.modes = FRACAS_MODE_DISCRETE;
    assert_int_equal(fracas_scene_max_step(k.scene, &query, &step), FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&k, "needs a continuous query");
    assert_true(step == -1);
    kit_destroy(&k);
}

// ---- the largest step

// A spike that moves down by 10 from z; its tip is above (x, 0.5).
static void drop_spike(kit* k, double x, double z) {
    static const uint32_t triangle[1][3] = {
        {0, 1, 2}
    };
    double points[3][3] = {
        {x,       0.5, z    },
        {x + 0.1, 0.5, z + 1},
        {x,       0.6, z + 1}
    };
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, 3, triangle, 1);
    const fracas_body body = kit_add(k, &mesh, FRACAS_MOTION_DEFORMING);
    for (int i = 0; i < 3; i++) points[i][2] -= 10;
    assert_int_equal(fracas_scene_move(k->scene, body, &mesh.points), FRACAS_OK);
}

// The search of a short first part of the step must find its earliest contact, and trust no later
// one: a spike above a slope has boxes that overlap from the start, one above the plane has not.
static void max_step_is_the_earliest_of_two(void** state) {
    (void)state;
    static const double slope[3][3] = {
        {10, -4, -4},
        {18, 0,  4 },
        {10, 4,  -4}
    };
    static const uint32_t triangle[1][3] = {
        {0, 1, 2}
    };
    // Heights above the plane, and above the slope at z = -2: tenths of the step.
    static const double heights[5][2] = {
        {0.4, 0.5},
        {0.5, 0.4},
        {5,   6  },
        {6,   5  },
        {0.4, 9  }
    };
    for (int i = 0; i < 5; i++) {
        kit k = kit_create(2);
        const fracas_mesh_view mesh = kit_mesh(slope, 3, triangle, 1);
        kit_add_strip(&k, 4, 0, FRACAS_MOTION_STATIC);
        kit_add(&k, &mesh, FRACAS_MOTION_STATIC);
        drop_spike(&k, 2.5, heights[i][0]);
        drop_spike(&k, 12, heights[i][1] - 2);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        double step = -1;
        const double least = fmin(heights[i][0], heights[i][1]) / 10;
        assert_int_equal(fracas_scene_max_step(k.scene, NULL, &step), FRACAS_OK);
        assert_true(step <= least && step > least - 1e-5);
        kit_destroy(&k);
    }
}

// Of several contacts at the earliest time the first in the order of reports is kept.
static void first_of_several_at_one_time(void** state) {
    (void)state;
    kit k = kit_create(2);
    kit_add_strip(&k, 8, 0, FRACAS_MOTION_STATIC);
    drop_spike(&k, 1.25, 0.5);
    for (int i = 0; i < 3; i++) drop_spike(&k, 2.25 + i, 0);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    fracas_contacts* contacts = NULL;
    assert_int_equal(fracas_contacts_create(k.context, &contacts), FRACAS_OK);
    fracas_sink sink = fracas_contacts_get_sink(contacts);
    fracas_query query = fracas_scene_default_query();
    size_t count, first = 0, equal = 0;
    assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
    const fracas_contact* list = fracas_contacts_get_data(contacts, &count);
    for (size_t i = 1; i < count; i++)
        if (list[i].toi < list[first].toi) first = i;
    for (size_t i = 0; i < count; i++) equal += list[i].toi == list[first].toi;
    assert_true(equal > 2 && equal < count);
    const fracas_contact wanted = list[first];
    query.first = true;
    sink = fracas_contacts_get_sink(contacts);
    assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
    list = fracas_contacts_get_data(contacts, &count);
    assert_int_equal(count, 1);
    assert_int_equal(list[0].body_a.index, wanted.body_a.index);
    assert_int_equal(list[0].a[0], wanted.a[0]);
    assert_int_equal(list[0].b[0], wanted.b[0]);
    fracas_contacts_destroy(contacts);
    kit_destroy(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_modes),
        cmocka_unit_test(sinks),
        cmocka_unit_test(empty_scenes),
        cmocka_unit_test(nearby_at_distance_zero),
        cmocka_unit_test(progress_is_monotonic),
        cmocka_unit_test(callback_cancels_one_call),
        cmocka_unit_test(cancelled_until_resumed),
        cmocka_unit_test(results_complete_or_cancelled),
        cmocka_unit_test(concurrent_queries),
        cmocka_unit_test(max_step_is_the_earliest_of_two),
        cmocka_unit_test(first_of_several_at_one_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
