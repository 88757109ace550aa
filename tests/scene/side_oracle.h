/// @file side_oracle.h  The slow exact side of a point: a ray along x, and all triangles in the row
/// of cells of the point. The library's rays go along z through trees.
#pragma once
#include "exact/predicates.h"
#include "fracas/distance.h"
#include "geom/vertical_ray.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct side_oracle {
    const double (*points)[3];
    const uint32_t (*triangles)[3];
    uint32_t triangle_count;
    uint32_t side;  // cells along y, and along z
    double lo[2], cell[2];
    uint32_t *first, *items;  // triangles by cell
} side_oracle;

static inline uint32_t oracle_cell(const side_oracle* o, int k, double value) {
    const double at = (value - o->lo[k]) / o->cell[k];
    return at > 0 ? at < o->side - 1 ? (uint32_t)at : o->side - 1 : 0;
}

static inline void oracle_range(const side_oracle* o, uint32_t t, uint32_t begin[2],
                                uint32_t end[2]) {
    for (int k = 0; k < 2; k++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int i = 0; i < 3; i++) {
            lo = fmin(lo, o->points[o->triangles[t][i]][k + 1]);
            hi = fmax(hi, o->points[o->triangles[t][i]][k + 1]);
        }
        begin[k] = oracle_cell(o, k, lo), end[k] = oracle_cell(o, k, hi) + 1;
    }
}

static inline side_oracle oracle_create(const double (*points)[3], uint32_t point_count,
                                        const uint32_t (*triangles)[3], uint32_t triangle_count) {
    side_oracle o = {
        points, triangles, triangle_count, 1, {0, 0},
            {1, 1},
            NULL, NULL
    };
    while (o.side * o.side < triangle_count && o.side < 512) o.side *= 2;
    for (int k = 0; k < 2; k++) {
        double lo = INFINITY, hi = -INFINITY;
        for (uint32_t i = 0; i < point_count; i++) {
            lo = fmin(lo, points[i][k + 1]), hi = fmax(hi, points[i][k + 1]);
        }
        o.lo[k] = lo, o.cell[k] = hi > lo ? (hi - lo) / o.side : 1;
    }
    const size_t cells = (size_t)o.side * o.side;
    o.first = calloc(cells + 1, sizeof *o.first);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < triangle_count; t++) {
            uint32_t begin[2], end[2];
            oracle_range(&o, t, begin, end);
            for (uint32_t y = begin[0]; y < end[0]; y++)
                for (uint32_t z = begin[1]; z < end[1]; z++) {
                    uint32_t* at = &o.first[y * o.side + z];
                    if (pass == 0)
                        ++*at;
                    else
                        o.items[--*at] = t;
                }
        }
        uint32_t sum = 0;
        for (size_t i = 0; pass == 0 && i <= cells; i++) sum += o.first[i], o.first[i] = sum;
        if (pass == 0) o.items = malloc((sum + 1) * sizeof *o.items);
    }
    return o;
}

static inline void oracle_destroy(side_oracle* o) {
    free(o->items);
    free(o->first);
}

// Is p in the closed triangle, projected along axis k? No when it is on one side of an edge and on
// the other of another one.
static inline bool oracle_in_projection(const double* const v[3], const double p[3], int k) {
    int most = -1, least = 1;
    double flat[4][2];
    for (int i = 0; i < 4; i++) {
        const double* from = i < 3 ? v[i] : p;
        flat[i][0] = from[(k + 1) % 3], flat[i][1] = from[(k + 2) % 3];
    }
    for (int i = 0; i < 3; i++) {
        const int sign = frc_orient2d(flat[i], flat[(i + 1) % 3], flat[3]);
        most = sign > most ? sign : most, least = sign < least ? sign : least;
    }
    return !(most > 0 && least < 0);
}

static inline bool oracle_on_triangle(const double* const v[3], const double p[3]) {
    for (int k = 0; k < 3; k++)
        if (p[k] < fmin(v[0][k], fmin(v[1][k], v[2][k])) ||
            p[k] > fmax(v[0][k], fmax(v[1][k], v[2][k])))
            return false;
    return frc_orient3d(v[0], v[1], v[2], p) == 0 && oracle_in_projection(v, p, 0) &&
           oracle_in_projection(v, p, 1) && oracle_in_projection(v, p, 2);
}

static inline fracas_side oracle_side(const side_oracle* o, const double p[3]) {
    const size_t cell = (size_t)oracle_cell(o, 0, p[1]) * o->side + oracle_cell(o, 1, p[2]);
    const double turned_p[3] = {p[1], p[2], p[0]};
    int winding = 0;
    for (uint32_t i = o->first[cell]; i < o->first[cell + 1]; i++) {
        const uint32_t* corner = o->triangles[o->items[i]];
        const double* const v[3] = {o->points[corner[0]], o->points[corner[1]],
                                    o->points[corner[2]]};
        if (oracle_on_triangle(v, p)) return FRACAS_SIDE_SURFACE;
        double turned[3][3];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) turned[c][k] = v[c][(k + 1) % 3];
        const double* const w[3] = {turned[0], turned[1], turned[2]};
        const int facing = frc_ray_facing(w, turned_p);
        if (facing && frc_ray_below(w, facing, turned_p)) winding += facing;
    }
    return winding ? FRACAS_SIDE_INSIDE : FRACAS_SIDE_OUTSIDE;
}
