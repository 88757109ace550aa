// How queries are called: sinks, statistics, progress, cancelling, several threads at once.
#include "scene_kit.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

// Two strips that cross: contacts of every common kind, in several blocks.
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
    size_t calls, most;
} stopper;

static bool stop_after(const fracas_contact* contact, void* user) {
    (void)contact;
    stopper* s = user;
    return ++s->calls < s->most;
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
    assert_int_equal(s.calls, 3);  // false stops the reporting, not the counting
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

static void nothing_to_find(void** state) {
    (void)state;
    kit k = kit_create(3);
    fracas_query query = both();
    fracas_statistics statistics;
    fracas_sink sink = {.statistics = &statistics};
    double step = 0;
    for (int round = 0; round < 3; round++) {
        // Empty, with a body of unused vertices, with a triangle.
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

// Within a distance of 0 is: touching, at t = 1. It was searched for over the whole step, as the
// contacts of a query without a separation are.
static void nearby_without_a_distance(void** state) {
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

typedef struct teller {
    pthread_t caller;
    double last, stop_at;
    int calls, wrong;
} teller;

static bool tell(double fraction, void* user) {
    teller* t = user;
    t->calls++;
    t->wrong +=
        !(fraction >= t->last && fraction <= 1) || !pthread_equal(pthread_self(), t->caller);
    t->last = fraction;
    return fraction < t->stop_at;
}

static kit telling_kit(uint32_t workers, teller* t) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.progress = tell;
    options.progress_user = t;
    kit k;
    assert_int_equal(fracas_context_create(&options, &k.context), FRACAS_OK);
    assert_int_equal(fracas_scene_create(k.context, NULL, &k.scene), FRACAS_OK);
    return k;
}

// Told from the calling thread and never falling within one call: a query of both modes, and
// max_step with its several searches, began again at 0, and a pool thread could do the telling.
static void progress_never_falls(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        teller t = {pthread_self(), 0, 2, 0, 0};
        kit k = telling_kit(workers, &t);
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

// The callback's "no" is for one call. It cancelled the whole context: every later call failed
// until a resume that nobody had reason to make.
static void a_callback_cancels_one_call(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        teller t = {pthread_self(), 0, 0.25, 0, 0};
        kit k = telling_kit(workers, &t);
        fill(&k);
        fracas_query query = both();
        fracas_statistics statistics = {.box_pairs = 77};
        fracas_sink sink = {.statistics = &statistics};
        double step = 5;
        if (workers == 1) {  // the only worker is told everything
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

// A thread that cancels and resumes all the time. A query that saw the wish leaves work undone; the
// wish could be taken back before the end, and half the contacts were reported as all of them.
typedef struct flicker {
    fracas_context* context;
    atomic_bool stop;
} flicker;

static void* flicker_main(void* argument) {
    flicker* f = argument;
    while (!atomic_load(&f->stop)) {
        fracas_context_cancel(f->context);
        fracas_context_resume(f->context);
    }
    return NULL;
}

static void all_or_cancelled(void** state) {
    (void)state;
    kit k = kit_create(2);
    fill(&k);
    fracas_query query = both();
    fracas_statistics wanted = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT), got;
    fracas_sink sink = {.statistics = &got};
    flicker f = {.context = k.context};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, flicker_main, &f), 0);
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

typedef struct asker {
    const kit* k;
    uint64_t wanted[6];
    bool ok;
} asker;

static void* ask(void* argument) {
    asker* a = argument;
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

static void several_threads_ask(void** state) {
    (void)state;
    kit k = kit_create(3);
    fill(&k);
    fracas_statistics wanted = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    pthread_t threads[3];
    asker askers[3];
    for (int i = 0; i < 3; i++) {
        askers[i].k = &k;
        memcpy(askers[i].wanted, wanted.contacts, sizeof wanted.contacts);
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++) assert_true(askers[i].ok);
    kit_destroy(&k);
}

static void modes_that_are_refused(void** state) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_that_are_refused),  cmocka_unit_test(sinks),
        cmocka_unit_test(nothing_to_find),         cmocka_unit_test(nearby_without_a_distance),
        cmocka_unit_test(progress_never_falls),    cmocka_unit_test(a_callback_cancels_one_call),
        cmocka_unit_test(cancelled_until_resumed), cmocka_unit_test(all_or_cancelled),
        cmocka_unit_test(several_threads_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
