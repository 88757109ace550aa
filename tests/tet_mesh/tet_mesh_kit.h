/// @file tet_mesh_kit.h  Closed surfaces for tests, and checks of tetrahedral meshes.
#pragma once
#include "common_kit.h"
#include "context_kit.h"
#include "fracas/fracas.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIT_PI 3.14159265358979323846

typedef struct kit_surface {
    double (*points)[3];
    uint32_t (*triangles)[3];
    uint32_t point_count, triangle_count;
} kit_surface;

/// In [0, 1).
static inline double kit_real(uint64_t* state) { return kit_uniform(state, 0, 1); }

static inline kit_surface kit_make(uint32_t points, uint32_t triangles) {
    kit_surface s = {calloc(points, sizeof *s.points), calloc(triangles, sizeof *s.triangles), 0,
                     0};
    assert_true(s.points && s.triangles);
    return s;
}

static inline void kit_free(kit_surface* s) {
    free(s->points);
    free(s->triangles);
}

static inline fracas_mesh_view kit_view(const kit_surface* s) {
    return (fracas_mesh_view){
        .points = {.data = s->points, .count = s->point_count},
        .triangles = &s->triangles[0][0],
        .triangle_count = s->triangle_count
    };
}

static inline void kit_triangle(kit_surface* s, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t* t = s->triangles[s->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

/// A grid on the torus of u and v: point number u * nv + v.
static inline kit_surface kit_torus(uint32_t nu, uint32_t nv, double big, double small) {
    kit_surface s = kit_make(nu * nv, 2 * nu * nv);
    for (uint32_t i = 0; i < nu; i++)
        for (uint32_t j = 0; j < nv; j++) {
            const double u = 2 * KIT_PI * i / nu, v = 2 * KIT_PI * j / nv;
            double* p = s.points[s.point_count++];
            p[0] = (big + small * cos(v)) * cos(u);
            p[1] = (big + small * cos(v)) * sin(u);
            p[2] = small * sin(v);
            const uint32_t i1 = (i + 1) % nu, j1 = (j + 1) % nv;
            kit_triangle(&s, i * nv + j, i1 * nv + j, i1 * nv + j1);
            kit_triangle(&s, i * nv + j, i1 * nv + j1, i * nv + j1);
        }
    return s;
}

/// Rings from the south pole to the north pole; `radius` may depend on the direction.
static inline kit_surface kit_ball(uint32_t rings, uint32_t n,
                                   double (*radius)(const double direction[3])) {
    kit_surface s = kit_make(rings * n + 2, 2 * rings * n);
    for (uint32_t i = 0; i < rings; i++)
        for (uint32_t j = 0; j < n; j++) {
            const double v = KIT_PI * (i + 1) / (rings + 1) - KIT_PI / 2, u = 2 * KIT_PI * j / n;
            const double direction[3] = {cos(v) * cos(u), cos(v) * sin(u), sin(v)};
            for (int k = 0; k < 3; k++)
                s.points[s.point_count][k] = (radius ? radius(direction) : 1) * direction[k];
            s.point_count++;
        }
    const uint32_t south = s.point_count++, north = s.point_count++;
    const double down[3] = {0, 0, -1}, up[3] = {0, 0, 1};
    s.points[south][2] = -(radius ? radius(down) : 1);
    s.points[north][2] = radius ? radius(up) : 1;
    for (uint32_t j = 0; j < n; j++) {
        const uint32_t j1 = (j + 1) % n, last = (rings - 1) * n;
        kit_triangle(&s, south, j1, j);
        kit_triangle(&s, north, last + j, last + j1);
        for (uint32_t i = 0; i + 1 < rings; i++) {
            kit_triangle(&s, i * n + j, i * n + j1, (i + 1) * n + j1);
            kit_triangle(&s, i * n + j, (i + 1) * n + j1, (i + 1) * n + j);
        }
    }
    return s;
}

static inline kit_surface kit_box(double x, double y, double z) {
    static const uint32_t quads[6][4] = {
        {0, 2, 3, 1},
        {4, 5, 7, 6},
        {0, 1, 5, 4},
        {2, 6, 7, 3},
        {0, 4, 6, 2},
        {1, 3, 7, 5}
    };
    kit_surface s = kit_make(8, 12);
    for (; s.point_count < 8; s.point_count++) {
        s.points[s.point_count][0] = s.point_count & 1 ? x : 0;
        s.points[s.point_count][1] = s.point_count & 2 ? y : 0;
        s.points[s.point_count][2] = s.point_count & 4 ? z : 0;
    }
    for (int i = 0; i < 6; i++) {
        kit_triangle(&s, quads[i][0], quads[i][1], quads[i][2]);
        kit_triangle(&s, quads[i][0], quads[i][2], quads[i][3]);
    }
    return s;
}

/// Rotate by two angles about z and x, then move.
static inline void kit_place(kit_surface* s, double about_z, double about_x, const double to[3]) {
    for (uint32_t v = 0; v < s->point_count; v++) {
        double* p = s->points[v];
        const double x = cos(about_z) * p[0] - sin(about_z) * p[1],
                     y = sin(about_z) * p[0] + cos(about_z) * p[1];
        p[0] = x + to[0];
        const double z = sin(about_x) * y + cos(about_x) * p[2];
        p[1] = cos(about_x) * y - sin(about_x) * p[2] + to[1];
        p[2] = z + to[2];
    }
}

static inline void kit_turn_over(kit_surface* s) {
    for (uint32_t f = 0; f < s->triangle_count; f++) {
        const uint32_t t = s->triangles[f][1];
        s->triangles[f][1] = s->triangles[f][2], s->triangles[f][2] = t;
    }
}

/// Both surfaces as one; frees them.
static inline kit_surface kit_join(kit_surface a, kit_surface b) {
    kit_surface s = kit_make(a.point_count + b.point_count, a.triangle_count + b.triangle_count);
    s.point_count = a.point_count + b.point_count;
    memcpy(s.points, a.points, a.point_count * sizeof *s.points);
    memcpy(s.points + a.point_count, b.points, b.point_count * sizeof *s.points);
    for (uint32_t f = 0; f < a.triangle_count; f++)
        kit_triangle(&s, a.triangles[f][0], a.triangles[f][1], a.triangles[f][2]);
    for (uint32_t f = 0; f < b.triangle_count; f++)
        kit_triangle(&s, b.triangles[f][0] + a.point_count, b.triangles[f][1] + a.point_count,
                     b.triangles[f][2] + a.point_count);
    kit_free(&a), kit_free(&b);
    return s;
}

static inline fracas_tet_mesh* kit_fill(fracas_context* context, const kit_surface* s,
                                        uint32_t cells) {
    fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
    const fracas_mesh_view view = kit_view(s);
    fracas_tet_mesh* mesh = NULL;
    options.cells = cells;
    KIT_OK(context, fracas_tet_mesh_create(context, &view, &options, &mesh));
    return mesh;
}

/// Every tetrahedron is positive, every face belongs to one or two tetrahedra that are on its two
/// sides, every node is used, the boundary is closed, and with `manifold` each of its edges belongs
/// to two triangles.
static inline void kit_check(fracas_context* context, const fracas_tet_mesh* mesh, bool manifold) {
    const fracas_tet_view view = fracas_tet_mesh_get_view(mesh);
    const double(*p)[3] = view.points.data;
    fracas_tet_mesh_info info;
    fracas_tet_info tets;
    fracas_mesh_info surface;
    uint64_t count;
    assert_int_equal(fracas_tet_mesh_get_info(mesh, &info), FRACAS_OK);
    assert_int_equal(fracas_tet_describe(context, &view, &tets), FRACAS_OK);
    assert_int_equal(tets.unused_vertices, 0);
    assert_int_equal(tets.nonmanifold_triangles, 0);
    assert_int_equal(tets.inverted + tets.flat + tets.repeated_index_tets + tets.duplicate_tets, 0);
    for (uint32_t t = 0; t < view.tet_count; t++) {
        const uint32_t* v = view.tets + 4 * (size_t)t;
        assert_int_equal(frc_orient3d(p[v[0]], p[v[1]], p[v[2]], p[v[3]]), 1);
    }
    // Faces of two tetrahedra of positive volume that do not overlap are traversed in both
    // directions; so are then the edges of the boundary.
    uint32_t* triangles = malloc(12 * sizeof *triangles * (size_t)view.tet_count);
    assert_non_null(triangles);
    assert_int_equal(fracas_tet_find_boundary(context, &view, triangles, NULL, &count), FRACAS_OK);
    assert_int_equal(count, info.boundary_triangles);
    const fracas_mesh_view boundary = {
        .points = view.points, .triangles = triangles, .triangle_count = (uint32_t)count};
    assert_int_equal(fracas_mesh_describe(context, &boundary, &surface), FRACAS_OK);
    assert_true(surface.closed);
    assert_int_equal(surface.boundary_edges, 0);
    assert_int_equal(surface.misoriented_edges, 0);
    if (manifold) assert_true(surface.manifold);
    free(triangles);
    assert_int_equal(info.nodes, view.points.count);
    assert_int_equal(info.tets, view.tet_count);
}

/// A row of docs/tet_mesh.md; distances in percent of the diagonal.
static inline void kit_print(const char* name, uint32_t cells, const fracas_tet_mesh_info* i) {
    const double percent = 100 / i->diagonal;
    print_message("| %s | %u | %u | %.1f to %.1f | %.2f, %.2f | %+.2f %% | %.2g, %.2g | %.0f, %.0f "
                  "|\n",
                  name, cells, i->tets, i->dihedral_min, i->dihedral_max, i->quality_min,
                  i->quality_mean, 100 * (i->volume / i->surface_volume - 1),
                  percent * i->to_surface.max, percent * i->from_surface.max, i->ms - i->ms_measure,
                  i->ms);
}
