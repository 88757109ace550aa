/// @file ball_kit.h  Balls of triangles, alone or as parts of one body.
#pragma once
#include "scene_kit.h"
#include <math.h>

enum {
    BALL_RINGS = 7,
    BALL_SECTORS = 12,
    BALL_POINTS = (BALL_RINGS - 1) * BALL_SECTORS + 2,
    BALL_TRIANGLES = 2 * BALL_SECTORS * (BALL_RINGS - 1),
    BALL_PARTS = 4
};

/// The balls of one body.
typedef struct ball_mesh {
    double points[BALL_PARTS * BALL_POINTS][3];
    uint32_t triangles[BALL_PARTS * BALL_TRIANGLES][3];
    uint32_t point_count, triangle_count;
} ball_mesh;

static inline void ball_place(ball_mesh* m, const double centre[3], double radius) {
    for (uint32_t i = 0; i < BALL_POINTS; i++) {
        const uint32_t ring = i == 0 ? 0 : (i - 1) / BALL_SECTORS + 1;
        const double v =
            3.141592653589793 * (i == BALL_POINTS - 1 ? BALL_RINGS : ring) / BALL_RINGS;
        const double u = 6.283185307179586 * ((i + BALL_SECTORS - 1) % BALL_SECTORS) / BALL_SECTORS;
        const double p[3] = {sin(v) * cos(u + 0.1), sin(v) * sin(u + 0.1), cos(v)};
        double* out = m->points[m->point_count++];
        // Turned a little, so that nothing is aligned.
        out[0] = centre[0] + radius * (p[0] * 0.96 - p[2] * 0.28);
        out[1] = centre[1] + radius * p[1];
        out[2] = centre[2] + radius * (p[0] * 0.28 + p[2] * 0.96);
    }
}

static inline void ball_triangle(ball_mesh* m, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t corners[3] = {a, b, c};
    memcpy(m->triangles[m->triangle_count++], corners, sizeof corners);
}

/// Add a ball with its centre at (x, y, z). A negative radius turns it inside out.
static inline void ball_add(ball_mesh* m, double x, double y, double z, double radius) {
    const double centre[3] = {x, y, z};
    const uint32_t first = m->point_count, last = first + BALL_POINTS - 1;
    ball_place(m, centre, radius);
    for (uint32_t s = 0; s < BALL_SECTORS; s++) {
        const uint32_t n = (s + 1) % BALL_SECTORS;
        ball_triangle(m, first, first + 1 + s, first + 1 + n);
        ball_triangle(m, last, last - BALL_SECTORS + n, last - BALL_SECTORS + s);
        for (uint32_t r = 0; r + 2 < BALL_RINGS; r++) {
            const uint32_t a = first + 1 + r * BALL_SECTORS + s,
                           b = first + 1 + r * BALL_SECTORS + n;
            ball_triangle(m, a, a + BALL_SECTORS, b);
            ball_triangle(m, b, a + BALL_SECTORS, b + BALL_SECTORS);
        }
    }
}

static inline fracas_mesh_view ball_view(const ball_mesh* m) {
    return kit_mesh((const double(*)[3])m->points, m->point_count,
                    (const uint32_t(*)[3])m->triangles, m->triangle_count);
}

/// A body that is one ball.
static inline fracas_body ball_body(kit* k, double x, double y, double z, double radius) {
    ball_mesh m = {.point_count = 0};
    ball_add(&m, x, y, z, radius);
    const fracas_mesh_view mesh = ball_view(&m);
    return kit_add(k, &mesh, FRACAS_MOTION_DEFORMING);
}
