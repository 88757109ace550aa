/// @file rays.c  Winding numbers of points: vertical rays through a grid of triangles.
#include "geom/vertical_ray.h"
#include "medial_mesh/build.h"
#include <math.h>
#include <string.h>

enum { MOST_CELLS_PER_SIDE = 1024 };

static void cell_range(const frc_ray_grid* g, int axis, double lo, double hi, uint32_t out[2]) {
    const double from = (lo - g->lo[axis]) / g->cell, to = (hi - g->lo[axis]) / g->cell;
    const double last = g->size[axis] - 1;
    out[0] = (uint32_t)(from > 0 ? from < last ? from : last : 0);
    out[1] = (uint32_t)(to > 0 ? to < last ? to : last : 0);
}

static void face_cells(const frc_medial_build* b, uint32_t face, uint32_t x[2], uint32_t y[2]) {
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            const double value = b->closed.points[b->closed.triangles[face][i]][k];
            lo[k] = fmin(lo[k], value), hi[k] = fmax(hi[k], value);
        }
    // Cells of a point come from the same formula, which is monotone.
    cell_range(&b->rays, 0, lo[0], hi[0], x);
    cell_range(&b->rays, 1, lo[1], hi[1], y);
}

bool frc_ray_grid_create(frc_medial_build* b) {
    const frc_closed_surface* s = &b->closed;
    frc_ray_grid* g = &b->rays;
    const double width = s->hi[0] - s->lo[0], height = s->hi[1] - s->lo[1];
    const double wanted = sqrt((double)s->triangle_count) + 1;
    const double sides = wanted < MOST_CELLS_PER_SIDE ? wanted : MOST_CELLS_PER_SIDE;
    g->cell = fmax(width, height) / sides;
    for (int k = 0; k < 2; k++) {
        g->lo[k] = s->lo[k];
        g->size[k] = (uint32_t)((s->hi[k] - s->lo[k]) / g->cell) + 1;
    }
    bool ok = true;
    uint32_t x[2], y[2];
    g->first_count = (size_t)g->size[0] * g->size[1] + 1;
    g->first = frc_allocate_array(b->context, g->first_count, sizeof *g->first, &ok);
    if (!ok) return false;
    memset(g->first, 0, g->first_count * sizeof *g->first);
    for (uint32_t f = 0; f < s->triangle_count; f++) {
        face_cells(b, f, x, y);
        for (uint32_t j = y[0]; j <= y[1]; j++)
            for (uint32_t i = x[0]; i <= x[1]; i++) g->first[(size_t)j * g->size[0] + i]++;
    }
    for (size_t i = 0; i < g->first_count; i++)
        g->face_count += g->first[i], g->first[i] = (uint32_t)g->face_count;
    g->faces = frc_allocate_array(b->context, g->face_count, sizeof *g->faces, &ok);
    for (uint32_t f = s->triangle_count; ok && f-- > 0;) {
        face_cells(b, f, x, y);
        for (uint32_t j = y[0]; j <= y[1]; j++)
            for (uint32_t i = x[0]; i <= x[1]; i++)
                g->faces[--g->first[(size_t)j * g->size[0] + i]] = f;
    }
    return ok;
}

void frc_ray_grid_release(frc_medial_build* b) {
    frc_release(b->context, b->rays.faces,
                frc_array_size(b->rays.face_count, sizeof *b->rays.faces));
    frc_release(b->context, b->rays.first,
                frc_array_size(b->rays.first_count, sizeof *b->rays.first));
}

int32_t frc_winding_number(const frc_medial_build* b, const double p[3]) {
    const frc_closed_surface* s = &b->closed;
    const frc_ray_grid* g = &b->rays;
    for (int k = 0; k < 3; k++)
        if (!(p[k] >= s->lo[k] && p[k] <= s->hi[k])) return 0;
    uint32_t x[2], y[2];
    cell_range(g, 0, p[0], p[0], x);
    cell_range(g, 1, p[1], p[1], y);
    const size_t cell = (size_t)y[0] * g->size[0] + x[0];
    int32_t winding = 0;
    for (uint32_t i = g->first[cell]; i < g->first[cell + 1]; i++) {
        const double* v[3];
        for (int k = 0; k < 3; k++) v[k] = s->points[s->triangles[g->faces[i]][k]];
        if (v[0][2] < p[2] && v[1][2] < p[2] && v[2][2] < p[2]) continue;
        const int facing = frc_ray_facing(v, p);
        if (facing && frc_ray_below(v, facing, p)) winding += facing;
    }
    return winding;
}
