/// @file tri_tri_coplanar.c  Coplanar triangles with area, which are common: flat parts of models,
/// cloth at rest. The projection along an axis that is not parallel to the plane is injective
/// there, so all decisions are orientations in two dimensions.
#include "geom/tri_tri_coplanar.h"
#include "exact/predicates_inline.h"
#include <math.h>
#include <stdbool.h>

typedef struct flat {
    double a[3][2], b[3][2];
} flat;

/// Projects both triangles along an axis; false when one has no area there. `side` gets their
/// orientations.
FRC_DEVICE static bool project(const double* const a[3], const double* const b[3], flat* f,
                               int side[2]) {
    // The axis along which the projection of a has the largest area in floating point. A poor
    // choice only costs time or ends in -1.
    double n[3];
    for (int k = 0; k < 3; k++) {
        const int x = (k + 1) % 3, y = (k + 2) % 3;
        n[k] = fabs((a[1][x] - a[0][x]) * (a[2][y] - a[0][y]) -
                    (a[1][y] - a[0][y]) * (a[2][x] - a[0][x]));
    }
    int k = n[1] > n[0];
    if (n[2] > n[k]) k = 2;
    const int x = (k + 1) % 3, y = (k + 2) % 3;
    for (int i = 0; i < 3; i++) {
        f->a[i][0] = a[i][x], f->a[i][1] = a[i][y];
        f->b[i][0] = b[i][x], f->b[i][1] = b[i][y];
    }
    side[0] = frc_orient2d_inline(f->a[0], f->a[1], f->a[2]);
    side[1] = frc_orient2d_inline(f->b[0], f->b[1], f->b[2]);
    return side[0] && side[1];
}

/// True if b is strictly outside an edge of a. Disjoint closed convex polygons are separated by the
/// line of an edge of one of them.
FRC_DEVICE static bool separated(const double a[3][2], int side, const double b[3][2]) {
    for (int i = 0; i < 3; i++) {
        const double *p = a[i], *q = a[i == 2 ? 0 : i + 1];
        if (frc_orient2d_inline(p, q, b[0]) == -side && frc_orient2d_inline(p, q, b[1]) == -side &&
            frc_orient2d_inline(p, q, b[2]) == -side)
            return true;
    }
    return false;
}

FRC_DEVICE int frc_coplanar_nonadjacent(const double* const a[3], const double* const b[3]) {
    flat f;
    int side[2];
    if (!project(a, b, &f, side)) return -1;
    return !separated(f.a, side[0], f.b) && !separated(f.b, side[1], f.a);
}

/// Two angles below 180 degrees with the same apex intersect beyond it when a leg of one lies in
/// the other.
FRC_DEVICE int frc_coplanar_at_vertex(const double* const a[3], const double* const b[3]) {
    flat f;
    int side[2], turn[2][2];
    if (!project(a, b, &f, side)) return -1;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            turn[i][j] = frc_orient2d_inline(f.a[0], f.a[1 + i], f.b[1 + j]);
    int meet = 0;
    for (int i = 0; i < 2; i++) {
        const int b_in_a = (side[0] * turn[0][i] >= 0) & (side[0] * turn[1][i] <= 0);
        const int a_in_b = (side[1] * turn[i][0] <= 0) & (side[1] * turn[i][1] >= 0);
        meet |= b_in_a | a_in_b;
    }
    return meet;
}

FRC_DEVICE int frc_coplanar_at_edge(const double* const a[3], const double* const b[3]) {
    flat f;
    int side[2];
    if (!project(a, b, &f, side)) return -1;
    return side[0] == side[1];
}
