// What the functions of fracas/cuda.h refuse; allocations that fail, also on the device; two
// contexts and two queries at once.
#include "cuda_kit.h"
#include "scene_kit.h"
#include <pthread.h>

static void refusals(void** state) {
    (void)state;
    cuda_kit k = cuda_kit_open(1);
    fracas_cuda_context* none = (fracas_cuda_context*)&k;
    fracas_scene* scene = (fracas_scene*)&k;
    fracas_cuda_statistics statistics;
    fracas_cuda_options options = fracas_cuda_default_options();
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    options.device = 7;
    KIT_REFUSED(k.context, fracas_cuda_context_create(k.context, &options, &none), misuse,
                "no CUDA device 7");
    assert_null(none);
    options.struct_size = 0;
    KIT_REFUSED(k.context, fracas_cuda_context_create(k.context, &options, &none), misuse,
                "fracas_cuda_default_options");
    fracas_scene_options scene_options = fracas_scene_default_options();
    scene_options.modes = 9;
    KIT_REFUSED(k.context, fracas_cuda_scene_create(k.cuda, &scene_options, &scene), misuse,
                "modes");
    assert_null(scene);
    KIT_REFUSED(k.context, fracas_cuda_scene_get_statistics(k.scene[0], &statistics), misuse,
                "not on a device");
    assert_int_equal(fracas_cuda_context_create(NULL, NULL, &none), misuse);
    KIT_REFUSED(k.context, fracas_cuda_context_create(k.context, NULL, NULL), misuse, "out");
    assert_int_equal(fracas_cuda_scene_create(NULL, NULL, &scene), misuse);
    KIT_REFUSED(k.context, fracas_cuda_scene_create(k.cuda, NULL, NULL), misuse, "out");
    assert_int_equal(fracas_cuda_scene_get_statistics(NULL, &statistics), misuse);
    KIT_REFUSED(k.context, fracas_cuda_scene_get_statistics(k.scene[1], NULL), misuse, "out");
    assert_non_null(fracas_cuda_context_get_name(k.cuda));
    assert_null(fracas_cuda_context_get_name(NULL));
    fracas_cuda_context_destroy(NULL);
    cuda_kit_close(&k);
}

// A scene without features, and one without contacts.
static void empty_scenes(void** state) {
    (void)state;
    cuda_kit k = cuda_kit_open(1);
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    assert_int_equal(cuda_kit_detect(&k, &query, "empty"), 0);
    for (int i = 0; i < 2; i++) {
        kit one = {k.context, k.scene[i]};
        kit_add_strip(&one, 20, 0, FRACAS_MOTION_DEFORMING);
    }
    assert_int_equal(cuda_kit_detect(&k, &query, "a strip"), 0);
    assert_true(cuda_kit_statistics(&k).hits == 0);
    cuda_kit_close(&k);
}

// ---- memory

// Creation fails at each of its allocations in turn.
static void creation_without_memory(void** state) {
    (void)state;
    test_allocator memory = {0};
    fracas_context* context = kit_context(1, &memory);
    for (size_t n = 1, done = 0; !done; n++) {
        fracas_cuda_context* cuda;
        fracas_scene* scene = NULL;
        test_allocator_fail_at(&memory, n);
        fracas_status status = fracas_cuda_context_create(context, NULL, &cuda);
        if (status == FRACAS_OK) status = fracas_cuda_scene_create(cuda, NULL, &scene);
        done = status == FRACAS_OK;
        assert_true(done ? scene != NULL : status == FRACAS_ERROR_OUT_OF_MEMORY && !scene);
        assert_true(n > 2 || !done);
        fracas_scene_destroy(scene);
        fracas_cuda_context_destroy(cuda);
    }
    fracas_context_destroy(context);
    assert_true(memory.live == 0 && memory.blocks == 0);
}

// The first query of a scene fails at each of its allocations in turn, also on the device. The
// second one then finds everything.
static void query_without_memory(void** state) {
    (void)state;
    test_allocator memory = {0};
    fracas_context* context = kit_context(1, &memory);
    fracas_cuda_context* cuda;
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    KIT_OK(context, fracas_cuda_context_create(context, NULL, &cuda));
    for (size_t n = 1, done = 0; !done; n++) {
        kit k = {.context = context};
        const bool emulated = strcmp(fracas_cuda_context_get_name(cuda), "emulated") == 0;
        fracas_statistics found = {0};
        const fracas_sink sink = {.statistics = &found};
        KIT_OK(context, fracas_cuda_scene_create(cuda, NULL, &k.scene));
        for (int i = 0; i < 2; i++) kit_add_strip(&k, 20, 0, FRACAS_MOTION_DEFORMING);
        KIT_OK(context, fracas_scene_update(k.scene));
        test_allocator_fail_at(&memory, n);
        const fracas_status status = fracas_scene_detect(k.scene, &query, &sink);
        test_allocator_fail_at(&memory, 0);
        done = status == FRACAS_OK;
        assert_true(done || status == FRACAS_ERROR_OUT_OF_MEMORY);
        assert_true(n > (emulated ? 20 : 5) || !done);
        KIT_OK(context, fracas_scene_detect(k.scene, &query, &sink));
        assert_true(found.contacts[FRACAS_CONTACT_TT] > 0 && found.contacts[FRACAS_CONTACT_EE] > 0);
        fracas_scene_destroy(k.scene);
    }
    fracas_cuda_context_destroy(cuda);
    fracas_context_destroy(context);
    assert_true(memory.live == 0 && memory.blocks == 0);
}

// ---- threads

typedef struct query_thread {
    const cuda_kit* kit;
    fracas_contacts* found;
} query_thread;

static void* query_often(void* data) {
    const query_thread* t = data;
    for (int i = 0; i < 10; i++) {
        const fracas_sink sink = fracas_contacts_get_sink(t->found);
        if (fracas_scene_detect(t->kit->scene[1], NULL, &sink) != FRACAS_OK) return NULL;
    }
    return t->found;
}

static void queries_at_once(void** state) {
    (void)state;
    cuda_kit k = cuda_kit_open(1);
    const fracas_query query = fracas_scene_default_query();
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < 2; i++) {
            kit one = {k.context, k.scene[i]};
            kit_add_strip(&one, 30, 0, FRACAS_MOTION_DEFORMING);
        }
    assert_true(cuda_kit_detect(&k, &query, "strips") > 0);
    query_thread threads[2];
    pthread_t ids[2];
    for (int i = 0; i < 2; i++) {
        threads[i].kit = &k;
        KIT_OK(k.context, fracas_contacts_create(k.context, &threads[i].found));
        assert_int_equal(pthread_create(&ids[i], NULL, query_often, &threads[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        void* result;
        pthread_join(ids[i], &result);
        assert_non_null(result);
        cuda_kit_require_same(k.found[0], threads[i].found, "two threads");
        fracas_contacts_destroy(threads[i].found);
    }
    cuda_kit_close(&k);
}

typedef struct read_thread {
    const cuda_kit* kit;
    fracas_body body;
    uint32_t number;
    double sum;
} read_thread;

// Queries between reads of all vertices; assertions are for the main thread.
static void* read_vertices(void* data) {
    read_thread* t = data;
    const fracas_sink sink = {0};
    if (t->number == 2 && fracas_scene_detect(t->kit->scene[1], NULL, &sink) != FRACAS_OK)
        return NULL;
    for (uint32_t i = 0; i < 4; i++) {
        double at[2][3];
        if (fracas_scene_get_vertex(t->kit->scene[1], t->body, i, at[0], at[1]) != FRACAS_OK)
            return NULL;
        for (int k = 0; k < 3; k++) t->sum += at[0][k] + 2 * at[1][k];
    }
    return t;
}

// The first of several threads that read points applies the poses.
static void reads_at_once(void** state) {
    enum { THREADS = 3 };
    static const double points[4][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 1, 0},
        {0, 0, 1}
    };
    static const uint32_t corners[2][3] = {
        {0, 1, 2},
        {0, 2, 3}
    };
    (void)state;
    cuda_kit k = cuda_kit_open(2);
    fracas_body_options options = fracas_body_default_options();
    options.motion = FRACAS_MOTION_RIGID;
    const fracas_mesh_view mesh = kit_mesh(points, 4, corners, 2);
    fracas_body body;
    for (int i = 0; i < 2; i++)
        KIT_OK(k.context, fracas_scene_add(k.scene[i], &mesh, &options, &body));
    for (int round = 0; round < 20; round++) {
        fracas_pose from = fracas_pose_make_identity(), to = from;
        to.translation[0] = round + 1;
        for (int i = 0; i < 2; i++)
            KIT_OK(k.context, fracas_scene_pose(k.scene[i], body, &from, &to));
        KIT_OK(k.context, fracas_scene_update(k.scene[1]));
        read_thread threads[THREADS];
        pthread_t ids[THREADS];
        for (uint32_t i = 0; i < THREADS; i++) {
            threads[i] = (read_thread){&k, body, i, 0};
            assert_int_equal(pthread_create(&ids[i], NULL, read_vertices, &threads[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            void* result;
            pthread_join(ids[i], &result);
            assert_non_null(result);
            assert_true(threads[i].sum == 3.0 * 3 + 2.0 * 4 * (round + 1));
        }
    }
    cuda_kit_close(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(refusals),
                                       cmocka_unit_test(empty_scenes),
                                       cmocka_unit_test(creation_without_memory),
                                       cmocka_unit_test(query_without_memory),
                                       cmocka_unit_test(queries_at_once),
                                       cmocka_unit_test(reads_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
