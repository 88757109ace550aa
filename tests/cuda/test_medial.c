// Rigid bodies of medial primitives on an emulated device: the contacts of the CPU, bit for bit.
#include "cuda/medial_search.h"
#include "fracas/cuda.h"
#include "medial/animals.h"
#include "medial_kit.h"
#include "share.h"
#include <pthread.h>

enum { BODIES = 16, SHAPES = 4 };

typedef struct list {
    fracas_medial_contact* data;
    size_t count, capacity;
} list;

// The same bodies twice: 0 on the CPU, 1 on the device.
typedef struct world {
    fracas_context* context;
    fracas_cuda_context* cuda;
    fracas_medial_shape* shapes[SHAPES];
    fracas_medial_bodies* all[2];
    fracas_medial_body bodies[2][BODIES];
    size_t contacts;  // that were compared
} world;

static fracas_medial_shape* make_shape(fracas_context* context, const fracas_medial_view* view) {
    fracas_medial_mesh* mesh;
    fracas_medial_shape* shape;
    KIT_OK(context, fracas_medial_mesh_create_from(context, view, &mesh));
    KIT_OK(context, fracas_medial_shape_create(context, mesh, NULL, &shape));
    fracas_medial_mesh_destroy(mesh);
    return shape;
}

// Slabs, cones and spheres of some 100 primitives: several clusters.
static fracas_medial_shape* large_shape(fracas_context* context, uint64_t* random) {
    enum { SPHERES = 90 };
    fracas_medial_sphere spheres[SPHERES];
    uint32_t edges[2 * SPHERES], triangles[3 * SPHERES], edge_count = 0, triangle_count = 0;
    for (uint32_t i = 0; i < SPHERES; i++) {
        for (int k = 0; k < 3; k++)
            spheres[i].center[k] = 0.02 * (k == 0 ? i : 0) + kit_uniform(random, -0.2, 0.2);
        spheres[i].radius = kit_uniform(random, 0, 0.06);
        for (uint32_t k = 0; k < 3 && i % 3 == 0 && i + 2 < SPHERES - 1; k++)
            triangles[3 * triangle_count + k] = i + k;
        triangle_count += i % 3 == 0 && i + 2 < SPHERES - 1;
        edges[2 * edge_count] = i, edges[2 * edge_count + 1] = i + 1;
        edge_count += i + 2 < SPHERES;
    }
    const fracas_medial_view view = {spheres, edges,      triangles,
                                     SPHERES, edge_count, triangle_count};
    return make_shape(context, &view);
}

static world make(uint32_t workers, test_allocator* memory, uint64_t* random) {
    world w = {.context = kit_context(workers, memory)};
    KIT_OK(w.context, fracas_cuda_context_create(w.context, NULL, &w.cuda));
    for (int i = 0; i < SHAPES - 1; i++) {
        fracas_medial_mesh* mesh = kit_mesh(w.context, random);
        KIT_OK(w.context, fracas_medial_shape_create(w.context, mesh, NULL, &w.shapes[i]));
        fracas_medial_mesh_destroy(mesh);
    }
    w.shapes[SHAPES - 1] = large_shape(w.context, random);
    KIT_OK(w.context, fracas_medial_bodies_create(w.context, &w.all[0]));
    KIT_OK(w.context, fracas_cuda_medial_bodies_create(w.cuda, &w.all[1]));
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < BODIES; i++)
            KIT_OK(w.context,
                   fracas_medial_bodies_add(w.all[n], w.shapes[i % SHAPES], &w.bodies[n][i]));
    return w;
}

static void destroy(world* w) {
    for (int n = 0; n < 2; n++) fracas_medial_bodies_destroy(w->all[n]);
    for (int i = 0; i < SHAPES; i++) fracas_medial_shape_destroy(w->shapes[i]);
    fracas_cuda_context_destroy(w->cuda);
    fracas_context_destroy(w->context);
}

static void set_motion(const world* w, int i, const fracas_pose* start, const fracas_pose* end) {
    for (int n = 0; n < 2; n++)
        KIT_OK(w->context, fracas_medial_bodies_set_motion(w->all[n], w->bodies[n][i], start, end));
}

// Some bodies rest, half of those are fixed; the others turn a little or a lot.
static void scatter(const world* w, uint64_t* random, double size) {
    for (int i = 0; i < BODIES; i++) {
        fracas_pose start = kit_pose(random, size), end = start;
        for (int k = 0; k < 3; k++) end.translation[k] += kit_uniform(random, -1, 1) * size;
        if (i % 3 == 0) memcpy(end.rotation, kit_pose(random, 1).rotation, sizeof end.rotation);
        set_motion(w, i, &start, i % 5 == 3 ? NULL : &end);
        for (int n = 0; n < 2; n++)
            KIT_OK(w->context,
                   fracas_medial_bodies_set_fixed(w->all[n], w->bodies[n][i], i % 10 == 3));
    }
}

static bool keep(const fracas_medial_contact* contact, void* user) {
    list* l = user;
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 64;
        l->data = realloc(l->data, l->capacity * sizeof *l->data);
        assert_non_null(l->data);
    }
    l->data[l->count++] = *contact;
    return true;
}

static list find(fracas_context* context, const fracas_medial_bodies* bodies,
                 const fracas_medial_query* query) {
    list l = {0};
    fracas_medial_statistics statistics;
    KIT_OK(context, fracas_medial_bodies_detect(bodies, query,
                                                &(fracas_medial_sink){keep, &l, &statistics}));
    assert_int_equal(statistics.contacts, l.count);
    assert_true(statistics.primitive_tests >= l.count);
    assert_true(statistics.primitive_tests <= statistics.primitive_pairs);
    return l;
}

static void require_same(const list* a, const list* b, const char* what) {
    if (a->count != b->count)
        fail_msg("%s: %zu contacts on the CPU, %zu on the device", what, a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        if (memcmp(&a->data[i], &b->data[i], sizeof *a->data) != 0)
            fail_msg("%s: contact %zu of %zu is another: time %a %a, gap %a %a", what, i, a->count,
                     a->data[i].time, b->data[i].time, a->data[i].gap, b->data[i].gap);
}

static void compare(world* w, const fracas_medial_query* query, const char* what) {
    list cpu = find(w->context, w->all[0], query), device = find(w->context, w->all[1], query);
    require_same(&cpu, &device, what);
    w->contacts += cpu.count;
    free(cpu.data);
    free(device.data);
}

static fracas_cuda_statistics statistics_of(const world* w) {
    fracas_cuda_statistics s;
    KIT_OK(w->context, fracas_cuda_medial_bodies_get_statistics(w->all[1], &s));
    return s;
}

// ---- equality

static void all_options(void** state) {
    (void)state;
    uint64_t random = 31;
    fracas_cuda_statistics sum = {0};
    size_t contacts = 0;
    for (uint32_t round = 0; round < share_of(4); round++) {
        world w = make(1 + round % 2, NULL, &random);
        fracas_medial_query query = fracas_medial_bodies_default_query();
        for (uint32_t step = 0; step < 3; step++) {
            scatter(&w, &random, 0.5 + 0.5 * (round % 4));
            query.tolerance = step == 1 ? 0.3 : step == 2 ? 1e-9 : 1e-4;
            for (int broad = 0; broad <= FRACAS_MEDIAL_BROAD_PHASE_NONE; broad++)
                for (int selection = 0; selection <= FRACAS_MEDIAL_SELECTION_FIRST; selection++) {
                    query.broad_phase = (fracas_medial_broad_phase)broad;
                    query.selection = (fracas_medial_selection)selection;
                    compare(&w, &query, "options");
                    const fracas_cuda_statistics s = statistics_of(&w);
                    sum.candidates += s.candidates;
                    sum.filtered += s.filtered;
                    sum.undecided_quick += s.undecided_quick;
                    sum.undecided_roots += s.undecided_roots;
                    sum.repeats += s.repeats;
                    assert_true(s.device_bytes > 0);
                }
        }
        contacts += w.contacts;
        destroy(&w);
    }
    // Each stage has had work to do.
    assert_true(contacts > 10 * share_of(4) && sum.repeats > 0);
    assert_true(sum.candidates > sum.filtered && sum.filtered > sum.undecided_quick);
    assert_true(sum.undecided_quick > sum.undecided_roots && sum.undecided_roots > 0);
}

// Bodies are removed and added again, also of shapes that are new at an address that was in use.
static void bodies_come_and_go(void** state) {
    (void)state;
    uint64_t random = 32;
    world w = make(1, NULL, &random);
    for (uint32_t round = 0; round < share_of(10); round++) {
        const int which = (int)(kit_random(&random) % BODIES);
        const uint32_t shape = (uint32_t)(kit_random(&random) % (SHAPES - 1));
        for (int n = 0; n < 2; n++)
            for (int i = 0; i < BODIES; i++)
                if (i == which || i % SHAPES == (int)shape)
                    KIT_OK(w.context, fracas_medial_bodies_remove(w.all[n], w.bodies[n][i]));
        compare(&w, NULL, "fewer bodies");
        fracas_medial_mesh* mesh = kit_mesh(w.context, &random);
        if (which % SHAPES == (int)shape) {
            fracas_medial_shape_destroy(w.shapes[shape]);
            KIT_OK(w.context, fracas_medial_shape_create(w.context, mesh, NULL, &w.shapes[shape]));
        }
        fracas_medial_mesh_destroy(mesh);
        for (int n = 0; n < 2; n++)
            for (int i = 0; i < BODIES; i++)
                if (i == which || i % SHAPES == (int)shape)
                    KIT_OK(w.context, fracas_medial_bodies_add(w.all[n], w.shapes[i % SHAPES],
                                                               &w.bodies[n][i]));
        scatter(&w, &random, 1);
        compare(&w, NULL, "new bodies");
    }
    assert_true(w.contacts > share_of(10) / 2);
    destroy(&w);
}

// Sizes at which floats overflow, and doubles are scaled.
static void huge_and_tiny(void** state) {
    (void)state;
    static const double sizes[] = {1e34, 1e20, 1e-20, 1e-60};
    uint64_t random = 33;
    size_t contacts = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const double size = sizes[k];
        world w = make(1, NULL, &random);
        for (int n = 0; n < 2; n++)
            for (int i = 0; i < BODIES; i++)
                KIT_OK(w.context, fracas_medial_bodies_remove(w.all[n], w.bodies[n][i]));
        const fracas_medial_sphere spheres[3] = {
            {{size, 0, 0},  0.5 * size},
            {{0, size, 0},  0.1 * size},
            {{0, 0, -size}, 0.3 * size}
        };
        const uint32_t triangle[3] = {0, 1, 2};
        const fracas_medial_view view = {spheres, NULL, triangle, 3, 0, 1};
        fracas_medial_shape* shape = make_shape(w.context, &view);
        for (int n = 0; n < 2; n++)
            for (int i = 0; i < BODIES; i++)
                KIT_OK(w.context, fracas_medial_bodies_add(w.all[n], shape, &w.bodies[n][i]));
        for (uint32_t round = 0; round < share_of(8); round++) {
            scatter(&w, &random, 4 * size);
            compare(&w, NULL, "size");
        }
        contacts += w.contacts;
        for (int n = 0; n < 2; n++)
            for (int i = 0; i < BODIES; i++)
                KIT_OK(w.context, fracas_medial_bodies_remove(w.all[n], w.bodies[n][i]));
        fracas_medial_shape_destroy(shape);
        destroy(&w);
    }
    assert_true(contacts > 2 * share_of(8));
}

// Animals of some 240 primitives fall on each other, and over a plate of triangles.
static void animals(void** state) {
    (void)state;
    uint64_t random = 34;
    world w = make(2, NULL, &random);
    const double corners[] = {-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    const fracas_mesh_view sheet = {
        .points = {.data = corners, .count = 4},
          .triangles = triangles, .triangle_count = 2
    };
    fracas_medial_shape *models[ANIMALS_COUNT], *ground;
    fracas_medial_body body;
    KIT_OK(w.context, fracas_medial_shape_create_from_surface(w.context, &sheet, NULL, &ground));
    for (uint32_t m = 0; m < ANIMALS_COUNT; m++) {
        animals_mesh mesh = {0};
        animals_make(m, &mesh);
        const fracas_medial_view view = animals_view(&mesh);
        models[m] = make_shape(w.context, &view);
        animals_free(&mesh);
    }
    for (int n = 0; n < 2; n++) {
        KIT_OK(w.context, fracas_medial_bodies_add(w.all[n], ground, &body));
        KIT_OK(w.context, fracas_medial_bodies_set_fixed(w.all[n], body, true));
        for (int i = 0; i < BODIES; i++) {
            KIT_OK(w.context, fracas_medial_bodies_remove(w.all[n], w.bodies[n][i]));
            KIT_OK(w.context,
                   fracas_medial_bodies_add(w.all[n], models[i % ANIMALS_COUNT], &w.bodies[n][i]));
        }
    }
    for (uint32_t round = 0; round < share_of(3); round++) {
        scatter(&w, &random, 4 + round % 3);
        compare(&w, NULL, "animals");
    }
    assert_true(w.contacts > 10 * share_of(3));
    // So close that all clusters of some animals meet others.
    scatter(&w, &random, 2.5);
    compare(&w, NULL, "a heap of animals");
    assert_true(w.contacts > 400);
    for (int n = 0; n < 2; n++) fracas_medial_bodies_destroy(w.all[n]), w.all[n] = NULL;
    for (uint32_t m = 0; m < ANIMALS_COUNT; m++) fracas_medial_shape_destroy(models[m]);
    fracas_medial_shape_destroy(ground);
    destroy(&w);
}

// Searches that are too long for the device.
static void long_searches(void** state) {
    (void)state;
    uint64_t random = 35, on_host = 0, hits = 0;
    world w = make(2, NULL, &random);
    frc_medial_device_search* search = w.all[1]->method_data;
    for (uint32_t round = 0; round < share_of(8); round++) {
        search->most_ways = round % 3 == 0 ? 0 : round % 3 == 1 ? 2 : 48;
        search->most_motion = round % 2;
        scatter(&w, &random, 1);
        fracas_medial_query query = fracas_medial_bodies_default_query();
        if (round % 4 == 3) query.selection = FRACAS_MEDIAL_SELECTION_FIRST;
        compare(&w, &query, "host");
        on_host += statistics_of(&w).decided_on_host;
        hits += statistics_of(&w).hits;
    }
    assert_true(on_host > share_of(8) && hits > 0);
    destroy(&w);
}

// Searches with other motions, pairs and numbers of contacts are the same work for the device: its
// graph is not captured again.
static void one_graph(void** state) {
    (void)state;
    enum { ROUNDS = 24 };
    uint64_t random = 36, captures = 0, other_counts = 0, last = 0, more_hits = 0;
    world w = make(1, NULL, &random);
    frc_medial_device_search* search = w.all[1]->method_data;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (round == ROUNDS / 2) captures = frc_device_captures(search->memory.device);
        const uint64_t copied = search->hit_room;
        scatter(&w, &random, 1);
        compare(&w, NULL, "graph");
        const fracas_cuda_statistics s = statistics_of(&w);
        other_counts += s.candidates != last;
        last = s.candidates;
        more_hits += s.hits > copied;
    }
    captures = frc_device_captures(search->memory.device) - captures;
    assert_true(other_counts > ROUNDS / 2 && w.contacts > ROUNDS && more_hits > 0);
    if (captures > 3) fail_msg("the graph was captured %d times", (int)captures);
    destroy(&w);
}

// ---- failures

static void refusals(void** state) {
    (void)state;
    uint64_t random = 37;
    world w = make(1, NULL, &random);
    fracas_medial_bodies* none = (fracas_medial_bodies*)&w;
    fracas_cuda_statistics s;
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    assert_int_equal(fracas_cuda_medial_bodies_create(NULL, &none), misuse);
    assert_null(none);
    KIT_REFUSED(w.context, fracas_cuda_medial_bodies_create(w.cuda, NULL), misuse, "out");
    assert_int_equal(fracas_cuda_medial_bodies_get_statistics(NULL, &s), misuse);
    KIT_REFUSED(w.context, fracas_cuda_medial_bodies_get_statistics(w.all[1], NULL), misuse, "out");
    KIT_REFUSED(w.context, fracas_cuda_medial_bodies_get_statistics(w.all[0], &s), misuse,
                "not on a device");
    fracas_medial_query query = fracas_medial_bodies_default_query();
    query.tolerance = 0;
    KIT_REFUSED(w.context, fracas_medial_bodies_detect(w.all[1], &query, &(fracas_medial_sink){0}),
                misuse, "tolerance");
    // Nothing near, and then no bodies.
    for (int i = 0; i < BODIES; i++) {
        fracas_pose pose = fracas_pose_make_identity();
        pose.translation[0] = 100 * i;
        set_motion(&w, i, &pose, NULL);
    }
    compare(&w, NULL, "far apart");
    assert_int_equal(statistics_of(&w).candidates, 0);
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < BODIES; i++)
            KIT_OK(w.context, fracas_medial_bodies_remove(w.all[n], w.bodies[n][i]));
    compare(&w, NULL, "no bodies");
    assert_int_equal(w.contacts, 0);
    destroy(&w);
}

// Creation, and the first query, fail at each of their allocations in turn. A second query finds
// everything.
static void no_memory(void** state) {
    (void)state;
    uint64_t random = 38;
    test_allocator memory = {0};
    world w = make(1, &memory, &random);
    scatter(&w, &random, 0.7);
    list expected = find(w.context, w.all[0], NULL);
    assert_true(expected.count > 10);
    for (size_t n = 1, done = 0; !done; n++) {
        fracas_medial_bodies* bodies;
        test_allocator_fail_at(&memory, n);
        fracas_status status = fracas_cuda_medial_bodies_create(w.cuda, &bodies);
        test_allocator_fail_at(&memory, 0);
        assert_true(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY);
        if (status == FRACAS_OK) {
            frc_medial_device_search* search = bodies->method_data;
            for (int i = 0; i < BODIES; i++) {
                fracas_medial_body b;
                const frc_medial_body* from = &w.all[0]->list.data[i];
                KIT_OK(w.context, fracas_medial_bodies_add(bodies, from->shape, &b));
                bodies->list.data[i] = *from;
            }
            search->most_motion = 0;  // some are decided on the host
            test_allocator_fail_at(&memory, n);
            status = fracas_medial_bodies_detect(bodies, NULL, &(fracas_medial_sink){0});
            test_allocator_fail_at(&memory, 0);
            assert_true(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY);
            done = status == FRACAS_OK;
            assert_true(n > 8 || !done);
            list l = find(w.context, bodies, NULL);
            require_same(&expected, &l, "after a failure");
            free(l.data);
        }
        fracas_medial_bodies_destroy(bodies);
    }
    free(expected.data);
    destroy(&w);
    assert_true(memory.live == 0 && memory.blocks == 0);
}

typedef struct query_thread {
    const world* w;
    list found;
} query_thread;

static void* query_often(void* data) {
    query_thread* t = data;
    for (int i = 0; i < 5; i++) {
        t->found.count = 0;
        if (fracas_medial_bodies_detect(t->w->all[1], NULL,
                                        &(fracas_medial_sink){keep, &t->found, NULL}) != FRACAS_OK)
            return NULL;
    }
    return t;
}

static void queries_at_once(void** state) {
    (void)state;
    uint64_t random = 39;
    world w = make(1, NULL, &random);
    scatter(&w, &random, 0.7);
    list expected = find(w.context, w.all[0], NULL);
    query_thread threads[2];
    pthread_t ids[2];
    for (int i = 0; i < 2; i++) {
        threads[i] = (query_thread){.w = &w};
        assert_int_equal(pthread_create(&ids[i], NULL, query_often, &threads[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        void* result;
        pthread_join(ids[i], &result);
        assert_non_null(result);
        require_same(&expected, &threads[i].found, "two threads");
        free(threads[i].found.data);
    }
    free(expected.data);
    destroy(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_options),   cmocka_unit_test(bodies_come_and_go),
        cmocka_unit_test(huge_and_tiny), cmocka_unit_test(animals),
        cmocka_unit_test(long_searches), cmocka_unit_test(refusals),
        cmocka_unit_test(no_memory),     cmocka_unit_test(queries_at_once),
        cmocka_unit_test(one_graph)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
