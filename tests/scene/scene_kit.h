/// @file scene_kit.h  Shared by tests of scenes: creating scenes and bodies, checking results.
#pragma once
#include "cmocka_all.h"
#include "fracas/scene.h"
#include <stdio.h>
#include <string.h>

typedef struct kit {
    fracas_context* context;
    fracas_scene* scene;
} kit;

static inline kit kit_create(uint32_t workers) {
    kit k = {NULL, NULL};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    assert_int_equal(fracas_context_create(&options, &k.context), FRACAS_OK);
    assert_int_equal(fracas_scene_create(k.context, NULL, &k.scene), FRACAS_OK);
    return k;
}

static inline void kit_destroy(kit* k) {
    fracas_scene_destroy(k->scene);
    fracas_context_destroy(k->context);
}

static inline fracas_mesh_view kit_mesh(const double (*points)[3], uint32_t point_count,
                                        const uint32_t (*triangles)[3], uint32_t triangle_count) {
    return (fracas_mesh_view){
        .points = {.data = points, .count = point_count},
        .triangles = (const uint32_t*)triangles,
        .triangle_count = triangle_count
    };
}

/// Corners of a sheet of `side` times `side` squares, two triangles each; rows of side + 1 points.
static inline void kit_sheet(uint32_t side, uint32_t (*corners)[3]) {
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t a = i / side * (side + 1) + i % side;
        const uint32_t pair[2][3] = {
            {a,     a + 1,        a + side + 1},
            {a + 1, a + side + 2, a + side + 1}
        };
        memcpy(corners[2 * i], pair, sizeof pair);
    }
}

static inline fracas_body kit_add(kit* k, const fracas_mesh_view* mesh, fracas_motion motion) {
    fracas_body_options options = fracas_body_default_options();
    options.motion = motion;
    fracas_body body;
    assert_int_equal(fracas_scene_add(k->scene, mesh, &options, &body), FRACAS_OK);
    return body;
}

/// A strip of `squares` unit squares in the plane z = 0, two triangles each: vertices 2 i and
/// 2 i + 1 at x = i, triangles 2 i and 2 i + 1 between x = i and i + 1.
enum { KIT_SQUARES = 40 };
static inline fracas_body kit_add_strip(kit* k, uint32_t squares, double z, fracas_motion motion) {
    double points[2 * KIT_SQUARES + 2][3];
    uint32_t triangles[2 * KIT_SQUARES][3];
    assert_true(squares <= KIT_SQUARES);
    for (uint32_t i = 0; i <= squares; i++)
        for (uint32_t j = 0; j < 2; j++) {
            const double p[3] = {i, j, z};
            memcpy(points[2 * i + j], p, sizeof p);
        }
    for (uint32_t i = 0; i < squares; i++) {
        const uint32_t pair[2][3] = {
            {2 * i,     2 * i + 2, 2 * i + 1},
            {2 * i + 1, 2 * i + 2, 2 * i + 3}
        };
        memcpy(triangles[2 * i], pair, sizeof pair);
    }
    fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, 2 * squares + 2,
                                     (const uint32_t(*)[3])triangles, 2 * squares);
    return kit_add(k, &mesh, motion);
}

static inline void kit_expect_message(const kit* k, const char* part) {
    char message[1200];
    fracas_context_get_message(k->context, message, sizeof message);
    if (!strstr(message, part)) fail_msg("'%s' is not in: %s", part, message);
}

static inline void kit_expect_vertex(const kit* k, fracas_body body, uint32_t vertex, double x0,
                                     double y0, double z0, double x1, double y1, double z1) {
    const double wanted[6] = {x0, y0, z0, x1, y1, z1};
    double got[6];
    assert_int_equal(fracas_scene_get_vertex(k->scene, body, vertex, got, got + 3), FRACAS_OK);
    for (int i = 0; i < 6; i++)
        if (got[i] != wanted[i]) fail_msg("number %d is %g, not %g", i, got[i], wanted[i]);
}

static inline void kit_expect_triangle(const kit* k, fracas_body body, uint32_t triangle,
                                       uint32_t a, uint32_t b, uint32_t c) {
    uint32_t corners[3];
    assert_int_equal(fracas_scene_get_triangle(k->scene, body, triangle, corners), FRACAS_OK);
    assert_int_equal(corners[0], a);
    assert_int_equal(corners[1], b);
    assert_int_equal(corners[2], c);
}

static inline fracas_body_info kit_info(const kit* k, fracas_body body) {
    fracas_body_info info;
    assert_int_equal(fracas_scene_get_body(k->scene, body, &info), FRACAS_OK);
    return info;
}

static inline bool kit_same_body(fracas_body a, fracas_body b) {
    return a.index == b.index && a.generation == b.generation;
}

static inline fracas_statistics kit_detect(const kit* k, uint32_t modes, fracas_siblings siblings) {
    fracas_query query = fracas_scene_default_query();
    query.modes = modes;
    query.siblings = siblings;
    fracas_statistics statistics;
    fracas_sink sink = {.statistics = &statistics};
    assert_int_equal(fracas_scene_update(k->scene), FRACAS_OK);
    assert_int_equal(fracas_scene_detect(k->scene, &query, &sink), FRACAS_OK);
    return statistics;
}

static inline void kit_expect_trace(const kit* k, fracas_body body, fracas_element_kind kind,
                                    uint32_t index, fracas_body now_body, uint32_t now_index) {
    fracas_element old = {body, kind, index}, now;
    assert_int_equal(fracas_scene_trace(k->scene, &old, &now), FRACAS_OK);
    assert_true(kit_same_body(now.body, now_body));
    if (!now_body.index) return;
    assert_int_equal(now.kind, kind);
    assert_int_equal(now.index, now_index);
}
