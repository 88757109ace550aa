// The dual-cone criterion is not a theorem: three self-intersecting surfaces that it culls.
// Detection with certificates finds all contacts. docs/cull.md explains why.
#include "cmocka_all.h"
#include "cull_check.h"
#include <math.h>
#include <stdlib.h>

#define FULL_TURN 6.283185307179586

static uint64_t contacts(const cull_world* world, uint32_t modes, bool no_cull) {
    fracas_published_query query = fracas_published_scene_default_query();
    fracas_statistics found;
    fracas_sink sink = {.statistics = &found};
    query.query.modes = modes;
    query.no_cull = no_cull;
    assert_int_equal(fracas_published_scene_detect(world->scene, &query, &sink, NULL), FRACAS_OK);
    uint64_t sum = 0;
    for (int k = 0; k < 6; k++) sum += found.contacts[k];
    return sum;
}

// Number of contacts that a mode misses.
static uint64_t missed(const cull_shape* shape, fracas_published_cull mode, uint32_t modes,
                       uint64_t* all) {
    cull_world world;
    assert_true(cull_world_open(&world, shape, mode, 1));
    *all = contacts(&world, modes, true);
    uint64_t found = contacts(&world, modes, false);
    cull_world_close(&world);
    assert_true(found <= *all);
    return *all - found;
}

static void expect_misses(const cull_shape* shape, const char* name) {
    uint64_t all, dual = missed(shape, FRACAS_PUBLISHED_CULL_DUAL_CONE, FRACAS_MODE_DISCRETE, &all);
    print_message("%s: %llu contacts, dual-cone misses %llu\n", name, (unsigned long long)all,
                  (unsigned long long)dual);
    assert_true(all > 0);
    assert_true(dual > 0);
    assert_int_equal(missed(shape, FRACAS_PUBLISHED_CULL_CERTIFICATE, FRACAS_MODE_DISCRETE, &all),
                     0);
    assert_int_equal(missed(shape, FRACAS_PUBLISHED_CULL_CERTIFICATE, FRACAS_MODE_CONTINUOUS, &all),
                     0);
    assert_int_equal(missed(shape, FRACAS_PUBLISHED_CULL_NONE, FRACAS_MODE_DISCRETE, &all), 0);
}

// ---- five triangles with their complete boundary; the first and the last intersect

static void five_triangles(void** state) {
    (void)state;
    static const double points[7][3] = {
        {0.2659,  0.0000,  -2.3417},
        {0.6857,  1.3015,  -0.6781},
        {-0.1545, 0.1505,  -3.0021},
        {-1.3464, -0.4540, 3.3556 },
        {-0.2072, -0.2307, -2.8561},
        {0.9915,  -0.8513, 1.1271 },
        {0.3180,  0.4489,  -2.6060}
    };
    static const uint32_t triangles[5][3] = {
        {0, 1, 2},
        {1, 3, 2},
        {2, 3, 4},
        {3, 5, 4},
        {4, 5, 6}
    };
    cull_shape shape = {0};
    for (int i = 0; i < 7; i++) cull_add_point(&shape, points[i][0], points[i][1], points[i][2]);
    for (int i = 0; i < 5; i++)
        cull_add_triangle(&shape, triangles[i][0], triangles[i][1], triangles[i][2]);
    expect_misses(&shape, "five triangles");
    uint64_t all;
    assert_int_equal(missed(&shape, FRACAS_PUBLISHED_CULL_DUAL_CONE, FRACAS_MODE_DISCRETE, &all),
                     1);
    assert_int_equal(all, 1);
    cull_free_shape(&shape);
}

// ---- a garage ramp in a closed solid

enum { ALONG = 61, ACROSS = 4 };

// One and a quarter turns upwards; then the last quarter descends and intersects the first.
static double ramp_height(double t) {
    double a = 1.25 * t, top = 0.25;
    return a < 1 ? top * a : top - 1.4 * (a - 1);
}

static void close_side(cull_shape* s, const uint32_t* rim, uint32_t count) {
    uint32_t bottom = cull_add_point(s, 0, 0, -40);
    for (uint32_t i = 0; i < count; i++) cull_add_triangle(s, rim[(i + 1) % count], rim[i], bottom);
}

static cull_shape make_ramp(void) {
    cull_shape s = {0};
    for (uint32_t i = 0; i < ALONG; i++)
        for (uint32_t j = 0; j < ACROSS; j++) {
            double t = (double)i / (ALONG - 1), a = 1.25 * FULL_TURN * t,
                   r = 1 + (double)j / ACROSS;
            cull_add_point(&s, r * cos(a), r * sin(a), ramp_height(t));
        }
    // Facing up: left when looking from the axis outward, then along the ramp.
    for (uint32_t i = 0; i + 1 < ALONG; i++)
        for (uint32_t j = 0; j + 1 < ACROSS; j++) {
            uint32_t a = i * ACROSS + j;
            cull_add_triangle(&s, a, a + 1, a + ACROSS + 1);
            cull_add_triangle(&s, a, a + ACROSS + 1, a + ACROSS);
        }
    // The rim is connected to a point far below, so no edge is a boundary.
    uint32_t rim[2 * (ALONG + ACROSS)], count = 0;
    for (uint32_t j = 0; j + 1 < ACROSS; j++) rim[count++] = j;
    for (uint32_t i = 0; i + 1 < ALONG; i++) rim[count++] = i * ACROSS + ACROSS - 1;
    for (uint32_t j = ACROSS - 1; j > 0; j--) rim[count++] = (ALONG - 1) * ACROSS + j;
    for (uint32_t i = ALONG - 1; i > 0; i--) rim[count++] = i * ACROSS;
    close_side(&s, rim, count);
    return s;
}

static void garage_ramp(void** state) {
    (void)state;
    cull_shape shape = make_ramp();
    expect_misses(&shape, "garage ramp");
    uint64_t all;
    // Without a boundary the dual cone is the normal cone.
    assert_true(missed(&shape, FRACAS_PUBLISHED_CULL_NORMAL_CONE, FRACAS_MODE_DISCRETE, &all) > 0);
    cull_free_shape(&shape);
}

// ---- a bent pipe that passes through its own lower part

static cull_shape make_pipe(uint32_t around, uint32_t along, double bend, double radius,
                            double lift) {
    cull_shape s = {0};
    for (uint32_t i = 0; i < along; i++)
        for (uint32_t j = 0; j < around; j++) {
            double t = (double)i / (along - 1), a = bend * FULL_TURN * t,
                   b = FULL_TURN * j / around;
            double out = 1 + radius * cos(b);
            cull_add_point(&s, out * cos(a), out * sin(a), radius * sin(b) + lift * t);
        }
    for (uint32_t i = 0; i + 1 < along; i++)
        for (uint32_t j = 0; j < around; j++) {
            uint32_t a = i * around + j, b = i * around + (j + 1) % around;
            cull_add_triangle(&s, a, b, b + around);
            cull_add_triangle(&s, a, b + around, a + around);
        }
    return s;
}

static void bent_pipe(void** state) {
    (void)state;
    cull_shape shape = make_pipe(12, 6, 1.94, 0.48, 0.04);
    expect_misses(&shape, "bent pipe");
    cull_free_shape(&shape);
}

// ---- two strips of one leaf each, with opposite normals: culling a leaf culls only its own pairs
// pairs

static void leaves_that_meet(void** state) {
    (void)state;
    cull_shape s = {0};
    for (uint32_t strip = 0; strip < 2; strip++)
        for (uint32_t i = 0; i <= 4; i++)
            for (uint32_t j = 0; j < 2; j++)
                cull_add_point(&s, i + 3.9 * strip, j + 0.1 * strip,
                               strip ? 0.1 * (i % 2) - 0.005 : 0);
    for (uint32_t a = 0; a + 3 < s.point_count; a += 2) {
        if (a == 8) continue;
        cull_add_triangle(&s, a, a < 8 ? a + 2 : a + 1, a < 8 ? a + 1 : a + 2);
        cull_add_triangle(&s, a + 3, a < 8 ? a + 1 : a + 2, a < 8 ? a + 2 : a + 1);
    }
    const fracas_published_cull mode = FRACAS_PUBLISHED_CULL_NORMAL_CONE;
    uint64_t all;
    cull_world world;
    assert_true(cull_world_open(&world, &s, mode, 1));
    const frc_block* block = world.scene->blocks.data[0];
    for (uint32_t leaf = 0; leaf < 2; leaf++)
        assert_true(frc_block_skips(block, FRC_BOXES_END, leaf | FRC_REF_LEAF));
    assert_false(frc_block_skips(block, FRC_BOXES_END, 0));
    cull_world_close(&world);
    assert_int_equal(missed(&s, mode, FRACAS_MODE_DISCRETE, &all), 0);
    assert_true(all > 0);
    cull_free_shape(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_triangles),
        cmocka_unit_test(garage_ramp),
        cmocka_unit_test(bent_pipe),
        cmocka_unit_test(leaves_that_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
