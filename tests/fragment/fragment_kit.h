/// @file fragment_kit.h  Small solids for tests, and slow obvious answers about fragments.
#pragma once
#include "common_kit.h"
#include "context_kit.h"
#include "fracas/fragment.h"
#include <math.h>
#include <stdio.h>

typedef struct kit_shape {
    double (*points)[3];
    uint32_t (*tets)[4];
    uint32_t point_count, tet_count;
} kit_shape;

/// Which cubes of a lattice are solid.
typedef bool kit_mask(const uint32_t at[3], const uint32_t n[3]);

static inline bool kit_box(const uint32_t at[3], const uint32_t n[3]) {
    (void)at, (void)n;
    return true;
}
/// Concave: an L extruded.
static inline bool kit_angle(const uint32_t at[3], const uint32_t n[3]) {
    return 2 * at[0] < n[0] || 2 * at[1] < n[1];
}
/// A box around a box that is empty.
static inline bool kit_hollow(const uint32_t at[3], const uint32_t n[3]) {
    bool shell = false;
    for (int k = 0; k < 3; k++) shell |= 3 * at[k] < n[k] || 3 * at[k] >= 2 * n[k];
    return shell;
}
static inline bool kit_ball(const uint32_t at[3], const uint32_t n[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += pow((at[k] + 0.5) / n[k] - 0.5, 2);
    return sum < 0.25;
}

/// n[0] x n[1] x n[2] cubes of side `size`, six tetrahedra each, with inner corners displaced at
/// random by a fraction of it. All tetrahedra are positive for jitter up to 0.12.
static inline kit_shape kit_lattice(const uint32_t n[3], kit_mask* mask, double size, double jitter,
                                    uint64_t seed) {
    uint64_t random = seed;
    const uint32_t step[3] = {1, n[0] + 1, (n[0] + 1) * (n[1] + 1)};
    kit_shape s = {.point_count = (n[0] + 1) * (n[1] + 1) * (n[2] + 1)};
    s.points = calloc(s.point_count, sizeof *s.points);
    s.tets = calloc(6 * (size_t)n[0] * n[1] * n[2], sizeof *s.tets);
    assert_true(s.points && s.tets);
    for (uint32_t i = 0; i < s.point_count; i++)
        for (int k = 0; k < 3; k++)
            s.points[i][k] =
                size * (i / step[k] % (n[k] + 1) + jitter * kit_uniform(&random, -1, 1));
    for (uint32_t c = 0; c < n[0] * n[1] * n[2]; c++) {
        const uint32_t at[3] = {c % n[0], c / n[0] % n[1], c / (n[0] * n[1])};
        if (!mask(at, n)) continue;
        const uint32_t first = at[0] * step[0] + at[1] * step[1] + at[2] * step[2];
        kit_fill_cube((const double(*)[3])s.points, first, step, s.tets + s.tet_count);
        s.tet_count += 6;
    }
    return s;
}

static inline void kit_free(kit_shape* s) {
    free(s->points);
    free(s->tets);
    *s = (kit_shape){0};
}

static inline fracas_tet_view kit_view(const kit_shape* s) {
    fracas_tet_view view = {
        .points = {.data = s->points, .count = s->point_count},
        .tets = &s->tets[0][0],
        .tet_count = s->tet_count
    };
    return view;
}

static inline fracas_solid* kit_solid(fracas_context* context, const kit_shape* shape) {
    const fracas_tet_view view = kit_view(shape);
    fracas_solid* solid;
    fracas_solid_options options = fracas_solid_default_options();
    options.grid_cells = 16;
    KIT_OK(context, fracas_solid_create(context, &view, &options, &solid));
    return solid;
}

// ---- oracles over triangles

static inline const double* kit_corner(const fracas_mesh_view* mesh, uint32_t triangle, int i) {
    return (const double*)mesh->points.data + 3 * (size_t)mesh->triangles[3 * triangle + i];
}

/// How often the surface winds around a point: the sum of solid angles.
static inline double kit_winding(const fracas_mesh_view* mesh, const double p[3]) {
    double sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double a[3][3], length[3];
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) a[i][k] = kit_corner(mesh, t, i)[k] - p[k];
            length[i] = sqrt(a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2]);
        }
        const double det = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
        double dots[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            dots[0] += a[1][k] * a[2][k];
            dots[1] += a[2][k] * a[0][k];
            dots[2] += a[0][k] * a[1][k];
        }
        sum += 2 * atan2(det, length[0] * length[1] * length[2] + dots[0] * length[0] +
                                  dots[1] * length[1] + dots[2] * length[2]);
    }
    return sum / (4 * acos(-1));
}

/// The distance of a point from a segment.
static inline double kit_segment_distance(const double p[3], const double a[3], const double b[3]) {
    double along = 0, square = 0, distance = 0;
    for (int k = 0; k < 3; k++) {
        along += (p[k] - a[k]) * (b[k] - a[k]);
        square += (b[k] - a[k]) * (b[k] - a[k]);
    }
    const double t = square > 0 ? fmin(fmax(along / square, 0), 1) : 0;
    for (int k = 0; k < 3; k++) distance += pow(p[k] - a[k] - t * (b[k] - a[k]), 2);
    return sqrt(distance);
}

/// The distance of a point from a triangle: from its plane if the foot is inside, else from its
/// edges.
static inline double kit_triangle_distance(const double p[3], const double* const c[3]) {
    double n[3], best = INFINITY, square = 0, height = 0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] =
            (c[1][i] - c[0][i]) * (c[2][j] - c[0][j]) - (c[1][j] - c[0][j]) * (c[2][i] - c[0][i]);
        square += n[k] * n[k];
    }
    for (int k = 0; k < 3; k++) height += n[k] * (p[k] - c[0][k]);
    bool inside = square > 0;
    for (int e = 0; e < 3; e++) {
        const double *a = c[e], *b = c[(e + 1) % 3];
        double side = 0;
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            side += n[k] * ((b[i] - a[i]) * (p[j] - a[j]) - (b[j] - a[j]) * (p[i] - a[i]));
        }
        inside = inside && side >= 0;
        best = fmin(best, kit_segment_distance(p, a, b));
    }
    return inside ? fmin(best, fabs(height) / sqrt(square)) : best;
}

static inline double kit_distance(const fracas_mesh_view* mesh, const double p[3]) {
    double best = INFINITY;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const double* const c[3] = {kit_corner(mesh, t, 0), kit_corner(mesh, t, 1),
                                    kit_corner(mesh, t, 2)};
        best = fmin(best, kit_triangle_distance(p, c));
    }
    return best;
}

/// The volume inside a closed surface.
static inline double kit_volume(const fracas_mesh_view* mesh) {
    double sum = 0;
    const double* o = kit_corner(mesh, 0, 0);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double a[3][3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) a[i][k] = kit_corner(mesh, t, i)[k] - o[k];
        sum += a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
               a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
               a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    }
    return sum / 6;
}

/// Break a fragment by Voronoi cells around random sites in the box of its solid; returns the
/// number of parts, 0 if it does not break.
static inline uint32_t kit_break(fracas_context* context, fracas_fragments* all,
                                 fracas_fragment fragment, uint32_t sites, uint64_t* random,
                                 fracas_fragment* parts, uint32_t capacity) {
    double at[32][3];
    fracas_fragment_info info;
    assert_true(sites <= 32);
    KIT_OK(context, fracas_fragments_get_info(all, fragment, &info));
    for (uint32_t i = 0; i < sites; i++)
        for (int k = 0; k < 3; k++)
            at[i][k] = kit_uniform(random, info.box_min[k], info.box_max[k]);
    fracas_fracture_pattern* pattern;
    const fracas_status status = fracas_fracture_pattern_create_voronoi(
        all, fragment, (const double(*)[3])at, sites, &pattern);
    if (status == FRACAS_ERROR_BAD_DATA) return 0;
    KIT_OK(context, status);
    const fracas_fracture fracture = fracas_fracture_pattern_get(pattern);
    assert_true(fracture.part_count >= 2 && fracture.part_count <= capacity);
    KIT_OK(context, fracas_fragments_fracture(all, fragment, &fracture, parts));
    fracas_fracture_pattern_destroy(pattern);
    return fracture.part_count;
}
