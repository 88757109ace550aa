// Penetration depths: the translation really separates, on random bodies; convex bodies against all
// directions that can be the best.
#include "ball_kit.h"
#include "context_kit.h"
#include "fracas/distance.h"
#include "fracas/intersections.h"
#include "share.h"

static double uniform(uint64_t* r) {
    *r = *r * 6364136223846793005u + 1442695040888963407u;
    return (double)(*r >> 11) * 0x1p-53;
}

static fracas_body add(kit* k, const ball_mesh* m) {
    const fracas_mesh_view mesh = ball_view(m);
    return kit_add(k, &mesh, FRACAS_MOTION_DEFORMING);
}

static uint64_t contacts_of(const kit* k) {
    return kit_detect(k, FRACAS_MODE_DISCRETE, FRACAS_SIBLINGS_REPORT).contacts[FRACAS_CONTACT_TT];
}

static bool count_inside(const fracas_inside* inside, void* user) {
    (void)inside;
    ++*(uint32_t*)user;
    return true;
}

// Self-contacts of the meshes are excluded by the options of the bodies.
static bool are_apart(kit* k) {
    uint32_t inside = 0;
    const uint64_t contacts = contacts_of(k);
    KIT_OK(k->context, fracas_scene_find_inside(k->scene, NULL, 0, count_inside, &inside));
    return contacts == 0 && inside == 0;
}

static fracas_body add_without_self(kit* k, const ball_mesh* m) {
    fracas_body_options options = fracas_body_default_options();
    options.self_collision = false;
    const fracas_mesh_view mesh = ball_view(m);
    fracas_body body;
    KIT_OK(k->context, fracas_scene_add(k->scene, &mesh, &options, &body));
    return body;
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// Balls, chains of balls, shells; far from the origin, tiny, huge.
static void translations_separate(void** state) {
    (void)state;
    static ball_mesh meshes[2];
    uint64_t r = 41;
    uint32_t separated = 0, apart = 0;
    for (uint32_t round = 0; round < share_of(200); round++) {
        kit k = kit_create(1 + round % 2);
        const double size = round % 5 == 1 ? 1e-9 : round % 5 == 2 ? 1e30 : 1;
        const double far = round % 5 == 3 ? 1e6 : 0;
        fracas_body_pair pair;
        for (int b = 0; b < 2; b++) {
            meshes[b].point_count = meshes[b].triangle_count = 0;
            for (uint32_t part = 0; part < 1 + round % 3; part++)
                ball_add(&meshes[b], far + 3 * size * uniform(&r), 3 * size * uniform(&r),
                         3 * size * uniform(&r),
                         size * (uniform(&r) < 0.1 ? -1 : 0.2 + uniform(&r)));
            *(b == 0 ? &pair.a : &pair.b) = add_without_self(&k, &meshes[b]);
        }
        const bool were_apart = are_apart(&k);
        fracas_body_depth depth;
        KIT_OK(k.context, fracas_scene_find_depths(k.scene, &pair, 1, &depth));
        assert_true(fabs(length_of(depth.direction) - 1) < 1e-12);
        assert_true(fabs(length_of(depth.translation) - depth.depth) <= 1e-12 * depth.depth);
        assert_true(depth.gap >= 0 && depth.gap <= depth.depth);
        assert_true(were_apart || depth.depth > 0);
        if (depth.depth == 0) {
            apart++;
        } else {
            ball_mesh* m = &meshes[1];
            for (uint32_t i = 0; i < m->point_count; i++)
                for (int c = 0; c < 3; c++) m->points[i][c] += depth.translation[c];
            const fracas_points moved = {.data = m->points, .count = m->point_count};
            assert_int_equal(fracas_scene_move(k.scene, pair.b, &moved), FRACAS_OK);
            assert_true(are_apart(&k));
            separated++;
        }
        kit_destroy(&k);
    }
    assert_true(separated > 0 && (apart > 0 || share_of(100) < 100));
}

// ---- convex bodies

// The least width of overlap over the normals of the faces of both, and over the products of all
// pairs of edges: one of them is the best direction of convex bodies.
static double overlap(const ball_mesh* a, const ball_mesh* b, const double n[3]) {
    double high = -INFINITY, low = INFINITY;
    for (uint32_t i = 0; i < a->point_count; i++) {
        const double* p = a->points[i];
        high = fmax(high, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
    }
    for (uint32_t i = 0; i < b->point_count; i++) {
        const double* p = b->points[i];
        low = fmin(low, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
    }
    return high - low;
}

static void try_product(const ball_mesh* a, const ball_mesh* b, const double u[3],
                        const double v[3], double* best) {
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double length = length_of(n);
    if (length < 1e-9) return;
    for (int sign = -1; sign <= 1; sign += 2) {
        double unit[3];
        for (int k = 0; k < 3; k++) unit[k] = sign * n[k] / length;
        *best = fmin(*best, overlap(a, b, unit));
    }
}

static void edge_of(const ball_mesh* m, uint32_t i, double out[3]) {
    const uint32_t* t = m->triangles[i / 3];
    for (int k = 0; k < 3; k++) out[k] = m->points[t[(i + 1) % 3]][k] - m->points[t[i % 3]][k];
}

static double slow_depth(const ball_mesh* a, const ball_mesh* b) {
    double best = INFINITY, u[3], v[3];
    const ball_mesh* const meshes[2] = {a, b};
    for (int m = 0; m < 2; m++)
        for (uint32_t t = 0; t < meshes[m]->triangle_count; t++) {
            edge_of(meshes[m], 3 * t, u);
            edge_of(meshes[m], 3 * t + 1, v);
            try_product(a, b, u, v, &best);
        }
    for (uint32_t i = 0; i < 3 * a->triangle_count; i++)
        for (uint32_t j = 0; j < 3 * b->triangle_count; j++) {
            edge_of(a, i, u);
            edge_of(b, j, v);
            try_product(a, b, u, v, &best);
        }
    return best;
}

// A tetrahedron, or a box, turned at random.
static void add_solid(ball_mesh* m, uint64_t* r, bool box) {
    static const uint32_t tet[4][3] = {
        {0, 2, 1},
        {0, 1, 3},
        {0, 3, 2},
        {1, 2, 3}
    };
    static const uint32_t sides[6][4] = {
        {0, 2, 3, 1},
        {4, 5, 7, 6},
        {0, 1, 5, 4},
        {2, 6, 7, 3},
        {0, 4, 6, 2},
        {1, 3, 7, 5}
    };
    double axes[3][3], at[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) axes[i][k] = uniform(r) - 0.5 + (i == k), at[k] = uniform(r);
    m->point_count = m->triangle_count = 0;
    for (uint32_t i = 0; i < (box ? 8 : 4); i++, m->point_count++)
        for (int k = 0; k < 3; k++) {
            const double x = box ? i & 1 : i == 1, y = box ? i >> 1 & 1 : i == 2,
                         z = box ? i >> 2 : i == 3;
            m->points[i][k] = at[k] + x * axes[0][k] + y * axes[1][k] + z * axes[2][k];
        }
    for (int i = 0; !box && i < 4; i++) ball_triangle(m, tet[i][0], tet[i][1], tet[i][2]);
    for (int i = 0; box && i < 6; i++) {
        ball_triangle(m, sides[i][0], sides[i][1], sides[i][2]);
        ball_triangle(m, sides[i][0], sides[i][2], sides[i][3]);
    }
}

static void convex_bodies(void** state) {
    (void)state;
    static ball_mesh meshes[2];
    uint64_t r = 42;
    uint32_t deep = 0;
    for (uint32_t round = 0; round < share_of(150); round++) {
        kit k = kit_create(1);
        add_solid(&meshes[0], &r, round % 2);
        add_solid(&meshes[1], &r, round % 3 == 0);
        const fracas_body_pair pair = {add(&k, &meshes[0]), add(&k, &meshes[1])};
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        fracas_body_depth depth;
        KIT_OK(k.context, fracas_scene_find_depths(k.scene, &pair, 1, &depth));
        const double wanted = fmax(0, slow_depth(&meshes[0], &meshes[1]));
        if (fabs(depth.depth - wanted) > 0x1p-20 * 4)
            fail_msg("round %u: depth %.12g, not %.12g", round, depth.depth, wanted);
        assert_true(depth.gap <= 0x1p-20 * 4);
        deep += wanted > 0;
        kit_destroy(&k);
    }
    assert_true(deep > 0);
}

// Equal balls at one place: every direction is as good, and the search may end early.
static void concentric_balls(void** state) {
    (void)state;
    kit k = kit_create(1);
    const fracas_body_pair pair = {ball_body(&k, 0, 0, 0, 1), ball_body(&k, 0, 0, 0, 1)};
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    fracas_body_depth depth;
    KIT_OK(k.context, fracas_scene_find_depths(k.scene, &pair, 1, &depth));
    assert_true(depth.depth > 1.5 && depth.depth <= 2.0001 && depth.gap < 0.05);
    kit_destroy(&k);
}

// Triangles in one plane, and on one line: the hulls of flat bodies can be touched, not separated
// by less.
static void flat_bodies(void** state) {
    (void)state;
    const double points[3][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 1, 0}
    };
    const double line[3][3] = {
        {0, 0, 0},
        {1, 1, 1},
        {2, 2, 2}
    };
    const uint32_t triangles[1][3] = {
        {0, 1, 2}
    };
    for (int kind = 0; kind < 2; kind++) {
        kit k = kit_create(1);
        const fracas_mesh_view mesh = kit_mesh(kind ? line : points, 3, triangles, 1);
        const fracas_body_pair pair = {kit_add(&k, &mesh, FRACAS_MOTION_STATIC),
                                       kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING)};
        assert_true(contacts_of(&k) > 0);
        fracas_body_depth depth;
        KIT_OK(k.context, fracas_scene_find_depths(k.scene, &pair, 1, &depth));
        assert_true(depth.depth > 0 && depth.depth < (kind ? 2.1 : 1e-12));
        double moved[3][3];
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 3; c++)
                moved[i][c] = (kind ? line : points)[i][c] + depth.translation[c];
        const fracas_points end = {.data = moved, .count = 3};
        assert_int_equal(fracas_scene_move(k.scene, pair.b, &end), FRACAS_OK);
        assert_int_equal(contacts_of(&k), 0);
        kit_destroy(&k);
    }
}

// ---- workers and bad input

static void workers_give_the_same(void** state) {
    (void)state;
    enum { BODIES = 6, PAIRS = BODIES - 1 };
    static fracas_body_depth depths[2][PAIRS];
    for (uint32_t workers = 1; workers <= 4; workers++) {
        kit k = kit_create(workers);
        fracas_body bodies[BODIES];
        fracas_body_pair pairs[PAIRS];
        for (int i = 0; i < BODIES; i++) bodies[i] = ball_body(&k, 0.9 * i, 0.1 * i, 0, 1);
        for (int i = 0; i < PAIRS; i++) pairs[i] = (fracas_body_pair){bodies[i], bodies[i + 1]};
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        memset(depths[workers > 1], 0, sizeof depths[0]);
        KIT_OK(k.context, fracas_scene_find_depths(k.scene, pairs, PAIRS, depths[workers > 1]));
        if (workers > 1) assert_memory_equal(depths[0], depths[1], sizeof depths[0]);
        kit_destroy(&k);
    }
}

static void refused_and_failed(void** state) {
    (void)state;
    test_allocator memory = {0};
    kit k = {kit_context(1, &memory), NULL};
    assert_int_equal(fracas_scene_create(k.context, NULL, &k.scene), FRACAS_OK);
    fracas_body_pair pair = {ball_body(&k, 0, 0, 0, 1), ball_body(&k, 1, 0, 0, 1)};
    fracas_body_depth depth = {.depth = 77};
    KIT_REFUSED(k.context, fracas_scene_find_depths(k.scene, &pair, 1, &depth),
                FRACAS_ERROR_INVALID_ARGUMENT, "call fracas_scene_update");
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    test_allocator_fail_at(&memory, 1);
    assert_int_equal(fracas_scene_find_depths(k.scene, &pair, 1, &depth),
                     FRACAS_ERROR_OUT_OF_MEMORY);
    test_allocator_fail_at(&memory, 0);
    fracas_context_cancel(k.context);
    KIT_REFUSED(k.context, fracas_scene_find_depths(k.scene, &pair, 1, &depth),
                FRACAS_ERROR_CANCELLED, "cancelled");
    fracas_context_resume(k.context);
    const fracas_body_pair twice = {pair.a, pair.a};
    KIT_REFUSED(k.context, fracas_scene_find_depths(k.scene, &twice, 1, &depth),
                FRACAS_ERROR_BAD_DATA, "two different bodies");
    pair.b.generation++;
    KIT_REFUSED(k.context, fracas_scene_find_depths(k.scene, &pair, 1, &depth),
                FRACAS_ERROR_STALE_HANDLE, "no body");
    assert_true(depth.depth == 77);
    kit_destroy(&k);
    assert_int_equal((long)atomic_load(&memory.blocks), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translations_separate), cmocka_unit_test(convex_bodies),
        cmocka_unit_test(concentric_balls),      cmocka_unit_test(flat_bodies),
        cmocka_unit_test(workers_give_the_same), cmocka_unit_test(refused_and_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
