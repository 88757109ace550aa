/// @file quick_triangles.h  Device code: two triangles at t = 1 in doubles, with the bounds of
/// geom/tri_tri_bound.h and the rules of geom/tri_tri_signs.c.
///
/// Loops are unrolled: arrays are then in registers.
#pragma once
#include "cuda/quick_query.h"
#include "geom/tri_tri_bound.h"

/// The sides of the corners of each triangle of the plane of the other one.
typedef struct frc_quick_sides {
    double side[2][3];       // of the corners of a, then of b
    double bound;            // of their errors
    uint32_t unshared[2];    // bit i: corner i is no vertex of the other triangle
    uint32_t shared;         // pairs of equal corners
    uint32_t repeated;       // corners that occur twice in their triangle
    double corner[2][3][3];  // of a and b
} frc_quick_sides;

typedef enum frc_quick_answer { FRC_QUICK_NO, FRC_QUICK_YES, FRC_QUICK_UNSURE } frc_quick_answer;

FRC_QUICK void frc_quick_subtract(const double a[3], const double b[3], double out[3],
                                  double* size) {
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] - b[k];
        *size = fabs(out[k]) > *size ? fabs(out[k]) : *size;
    }
}

FRC_QUICK double frc_quick_det(const double a[3], const double b[3], const double c[3]) {
    return (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] +
           (a[0] * b[1] - a[1] * b[0]) * c[2];
}

/// Corners with the same number are the same vertex.
FRC_QUICK void frc_quick_sides_make(const frc_moving_point* points, const uint32_t v[6],
                                    frc_quick_sides* out) {
    double size = 0;
    out->shared = out->repeated = 0;
    out->unshared[0] = out->unshared[1] = 7;
    FRC_UNROLL
    for (int i = 0; i < 6; i++) {
        FRC_UNROLL
        for (int k = 0; k < 3; k++) out->corner[i / 3][i % 3][k] = points[v[i]].x[k][1];
        out->repeated += v[i] == v[i / 3 * 3 + (i + 1) % 3];
    }
    FRC_UNROLL
    for (int i = 0; i < 3; i++) {
        FRC_UNROLL
        for (int j = 0; j < 3; j++) {
            const bool same = v[i] == v[3 + j];
            out->shared += same;
            out->unshared[0] &= ~((uint32_t)same << i);
            out->unshared[1] &= ~((uint32_t)same << j);
        }
    }
    FRC_UNROLL
    for (int t = 0; t < 2; t++) {
        double e[3], f[3];
        frc_quick_subtract(out->corner[t][1], out->corner[t][0], e, &size);
        frc_quick_subtract(out->corner[t][2], out->corner[t][0], f, &size);
        FRC_UNROLL
        for (int i = 0; i < 3; i++) {
            double d[3];
            frc_quick_subtract(out->corner[1 - t][i], out->corner[t][0], d, &size);
            out->side[1 - t][i] = frc_quick_det(e, f, d);
        }
    }
    out->bound = frc_tri_bound(size);
}

/// True: the corners of one triangle that it does not share are certainly on one side of the plane
/// of the other, so the pair does not count (geom/tri_plane_filter.h has the proof).
FRC_QUICK bool frc_quick_apart(const frc_quick_sides* s) {
    bool apart = false;
    FRC_UNROLL
    for (int t = 0; t < 2; t++) {
        uint32_t above = 0, below = 0;
        FRC_UNROLL
        for (int i = 0; i < 3; i++) {
            above |= (uint32_t)(s->side[t][i] > s->bound) << i;
            below |= (uint32_t)(s->side[t][i] < -s->bound) << i;
        }
        // A common corner is in the plane: its side is never certain, but for repeated corners.
        const uint32_t needed = s->unshared[t];
        apart = apart || (needed && ((above & needed) == needed || (below & needed) == needed));
    }
    return apart;
}

/// For pairs that are not apart. UNSURE: decide exactly.
FRC_DEVICE frc_quick_answer frc_quick_triangles(const frc_quick_sides* s);
