/// @file pccd_stage.h  Small scenes with all kinds of bodies that are moved and split, step by
/// step.
#pragma once
#include "api_model.h"
#include "cmocka_all.h"
#include "fracas/published.h"
#include "scene/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 14, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };
enum { BODIES = 40 };
enum { SCHEDULERS = 4 };  // the first one is the default of Fracas

typedef struct stage {
    fracas_context* context;
    fracas_scene* scene;
    fracas_body bodies[BODIES];
    uint32_t count;
    uint64_t random;
    bool lattice;  // points move from one lattice point to another, and coincide there
    bool local;    // only some of the points move, others in each step
    uint32_t step;
    uint32_t places[BODIES];  // of bodies in a row
} stage;

static double noise(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

static stage open_stage(fracas_published_scheduler scheduler, uint32_t workers,
                        const fracas_published_scene_options* given) {
    stage s = {.random = 7};
    fracas_published_scene_options how = given ? *given : fracas_published_scene_default_options();
    how.scheduler = scheduler;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    assert_int_equal(fracas_context_create(&options, &s.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(s.context, &how, &s.scene), FRACAS_OK);
    return s;
}

static void close_stage(stage* s) {
    fracas_scene_destroy(s->scene);
    fracas_context_destroy(s->context);
}

// ---- bodies

static void add(stage* s, const fracas_mesh_view* mesh, fracas_motion motion, bool self) {
    fracas_body_options options = fracas_body_default_options();
    options.motion = motion;
    options.self_collision = self;
    assert_true(s->count < BODIES);
    assert_int_equal(fracas_scene_add(s->scene, mesh, &options, &s->bodies[s->count++]), FRACAS_OK);
}

static void add_sheet(stage* s, double z, bool with_free, fracas_motion motion, bool self) {
    static double points[POINTS][3];
    static uint32_t corners[TRIANGLES][3];
    for (uint32_t i = 0; i < POINTS; i++) {
        const double p[3] = {i % (SIDE + 1), i / (SIDE + 1), z};
        memcpy(points[i], p, sizeof p);
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE;
        const uint32_t pair[2][3] = {
            {a,     a + 1,        a + SIDE + 1},
            {a + 1, a + SIDE + 2, a + SIDE + 1}
        };
        memcpy(corners[2 * i], pair, sizeof pair);
    }
    static const uint32_t edges[4] = {0, 50, 7, 90}, vertices[2] = {3, 4};
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = POINTS},
        .triangles = corners[0],
        .triangle_count = TRIANGLES
    };
    if (with_free) mesh.edges = edges, mesh.edge_count = 2;
    if (with_free) mesh.vertices = vertices, mesh.vertex_count = 2;
    add(s, &mesh, motion, self);
}

// A few triangles in one place: a tree with a single leaf.
static void add_single_leaf(stage* s, uint32_t triangles, double x, double z) {
    const double points[5][3] = {
        {x + 2, 2, z    },
        {x + 5, 2, z - 1},
        {x + 2, 5, z + 1},
        {x + 5, 5, z    },
        {x + 3, 3, z + 2}
    };
    const uint32_t corners[4][3] = {
        {0, 1, 2},
        {1, 3, 2},
        {0, 1, 4},
        {2, 3, 4}
    };
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = 5},
        .triangles = corners[0],
        .triangle_count = triangles
    };
    add(s, &mesh, FRACAS_MOTION_DEFORMING, true);
}

// Free edges and free points, no triangles.
static void add_wires(stage* s, double z) {
    static double points[64][3];
    static uint32_t edges[62], vertices[20];
    for (uint32_t i = 0; i < 64; i++) {
        const double p[3] = {i % 8, i / 8, z + 0.125 * (i % 5)};
        memcpy(points[i], p, sizeof p);
    }
    for (uint32_t i = 0; i < 31; i++) edges[2 * i] = i, edges[2 * i + 1] = 63 - i;
    for (uint32_t i = 0; i < 20; i++) vertices[i] = 3 * i;
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = 64}
    };
    mesh.edges = edges, mesh.edge_count = 31;
    mesh.vertices = vertices, mesh.vertex_count = 20;
    add(s, &mesh, FRACAS_MOTION_DEFORMING, true);
}

static void add_soup(stage* s, uint32_t triangles) {
    model_source source = {.state = 1234567 + triangles};
    model_mesh* arrays = malloc(sizeof *arrays);
    fracas_mesh_view mesh = model_random_mesh(&source, triangles, 3, arrays);
    add(s, &mesh, FRACAS_MOTION_DEFORMING, true);
    free(arrays);
}

// ---- motion

// Another corner of all sheets in each step.
static bool is_local(uint32_t point, uint32_t step) {
    uint32_t x = point % (SIDE + 1), y = point / (SIDE + 1);
    return x / 5 == step % 3 && y / 5 == step / 2 % 3;
}

static void move_points(stage* s, double amount) {
    static double points[4 * POINTS][3];
    for (uint32_t b = 0; b < s->count; b++) {
        fracas_body_info info;
        assert_int_equal(fracas_scene_get_body(s->scene, s->bodies[b], &info), FRACAS_OK);
        assert_true(info.vertex_numbers <= 4 * POINTS);
        fracas_pose pose = fracas_pose_make_identity();
        for (int k = 0; k < 3; k++) pose.translation[k] = amount * noise(&s->random);
        const fracas_pose rest = fracas_pose_make_identity();
        if (info.motion == FRACAS_MOTION_RIGID)
            assert_int_equal(fracas_scene_pose(s->scene, s->bodies[b], &rest, &pose), FRACAS_OK);
        if (info.motion != FRACAS_MOTION_DEFORMING) continue;
        for (uint32_t i = 0; i < info.vertex_numbers; i++) {
            double t0[3];
            double shift[3] = {noise(&s->random), noise(&s->random), noise(&s->random)};
            if (fracas_scene_get_vertex(s->scene, s->bodies[b], i, t0, points[i]) != FRACAS_OK)
                continue;
            if (s->local && !is_local(i, s->step)) continue;
            for (int k = 0; k < 3; k++)
                points[i][k] =
                    s->lattice ? floor(6 * (shift[k] + 0.5)) : points[i][k] + amount * shift[k];
        }
        fracas_points view = {.data = points, .count = info.vertex_numbers};
        assert_int_equal(fracas_scene_move(s->scene, s->bodies[b], &view), FRACAS_OK);
    }
}

// Bodies in a row: in every other step each goes to a place at random, any one or one that is near,
// so that the tree over bodies degrades much or little; then all of them stay near their places.
static void shuffle(stage* s) {
    for (uint32_t b = 0; b < s->count; b++) {
        double points[5][3], shift = 0;
        if (s->step % 2 == 0) {
            const double reach = s->step % 4 == 0 ? s->count : 10;
            const double to = s->places[b] + reach * noise(&s->random), last = s->count - 1;
            const uint32_t place = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
            shift = 4 * ((double)place - s->places[b]);
            s->places[b] = place;
        }
        for (uint32_t i = 0; i < 5; i++) {
            if (fracas_scene_get_vertex(s->scene, s->bodies[b], i, NULL, points[i]) != FRACAS_OK)
                continue;
            points[i][0] += shift + 0.1 * noise(&s->random);
        }
        const fracas_points view = {.data = points, .count = 5};
        assert_int_equal(fracas_scene_move(s->scene, s->bodies[b], &view), FRACAS_OK);
    }
}

// Detach some triangles of a body.
static void split_off(stage* s, uint32_t b, uint32_t first, uint32_t count) {
    fracas_body_info info;
    assert_int_equal(fracas_scene_get_body(s->scene, s->bodies[b], &info), FRACAS_OK);
    static uint32_t labels[4 * TRIANGLES];
    memset(labels, 0, sizeof labels);
    uint32_t found = 0;
    for (uint32_t t = first; t < info.triangle_numbers && found < count; t++) {
        uint32_t corners[3];
        if (fracas_scene_get_triangle(s->scene, s->bodies[b], t, corners) == FRACAS_OK)
            labels[t] = 1, found++;
    }
    fracas_split_plan* plan;
    assert_int_equal(
        fracas_split_plan_create(s->scene, s->bodies[b], labels, info.triangle_numbers, &plan),
        FRACAS_OK);
    assert_int_equal(fracas_scene_split(s->scene, s->bodies[b], fracas_split_plan_get_split(plan),
                                        &s->bodies[s->count++]),
                     FRACAS_OK);
    fracas_split_plan_destroy(plan);
}

// ---- scenes, by number; each is a script of a few steps

enum { SCRIPTS = 11 };

static void begin_script(stage* s, int script) {
    if (script == 1) add_single_leaf(s, 1, 0, 0);
    if (script == 2) {
        add_single_leaf(s, 4, 0, 0), add_single_leaf(s, 1, 0, 1);
        add_single_leaf(s, 2, 0, 0.5);
    }
    if (script == 3) add_wires(s, 0), add_wires(s, 0.5);
    if (script == 4) add_sheet(s, 0, false, FRACAS_MOTION_DEFORMING, true);
    if (script == 5)
        for (int i = 0; i < 4; i++) add_sheet(s, 0.3 * i, i == 1, FRACAS_MOTION_DEFORMING, i != 2);
    if (script == 6) {
        add_sheet(s, 0, true, FRACAS_MOTION_DEFORMING, true);
        add_sheet(s, 0.4, false, FRACAS_MOTION_RIGID, false);
        add_sheet(s, -0.4, false, FRACAS_MOTION_STATIC, false);
        add_single_leaf(s, 4, 0, 0.2), add_wires(s, 0.1);
    }
    s->lattice = script == 3 || script == 7;
    if (script == 7)
        for (uint32_t i = 0; i < 3; i++) add_soup(s, 10 + 12 * i);
    if (script == 8) {
        // Bodies without self-collision: their nodes are visited in pairs only.
        for (int i = 0; i < 5; i++) add_sheet(s, 0.2 * i, false, FRACAS_MOTION_DEFORMING, false);
    }
    if (script == 9)
        for (int i = 0; i < 4; i++) add_sheet(s, 0.2 * i, false, FRACAS_MOTION_DEFORMING, i % 2);
    if (script == 10)
        for (uint32_t i = 0; i < BODIES; i++) {
            add_single_leaf(s, 4, 4 * i, 0.1 * (i % 7));
            s->places[i] = i;
        }
}

static void step_script(stage* s, int script, uint32_t step) {
    s->local = script == 9;
    s->step = step;
    if (script == 10)
        shuffle(s);
    else
        move_points(s, step == 0 ? 0.5 : script == 9 ? 6 : 1.5);
    if (script == 5 && step > 0 && step < 4)
        split_off(s, 0, 70 * step, 60), split_off(s, 3, 50 * step, 9);
    assert_int_equal(fracas_scene_update(s->scene), FRACAS_OK);
}
