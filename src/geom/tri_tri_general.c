/// @file tri_tri_general.c  Intersection of hulls of one to three points each beyond the hull of
/// their common vertices.
///
/// The intersection P of two closed convex polygons (or segments, or points) is convex, so it lies
/// in the hull S of the shared vertices unless an extreme point of P is outside S. An extreme point
/// is the only point of the intersection of a face of A with a face of B (vertex, edge, interior),
/// so it is
///   1. a vertex of one that lies in the other, or
///   2. the point where an edge crosses an edge, not collinear, inside both, or
///   3. the point where an edge pierces the interior of a triangle.
/// Two interiors never intersect in a single point. When a hull is flat, some of its vertices and
/// edges are not faces of it; they are subsets of the hull and do no harm.
///
/// A vertex counts when it is not in S. A crossing (2) lies in S in one case only: both hulls are
/// segments that cross at the one shared vertex. (With two shared vertices the shared edge lies on
/// the boundary of a hull, or both are collinear.) A piercing (3) is never in S, since S is on the
/// boundary of the pierced triangle.
#include "exact/predicates.h"
#include "geom/tri_tri_exact.h"
#include <stddef.h>

/// Sign of the area of a, b, c projected along axis k.
FRC_DEVICE static int area_sign(const double* a, const double* b, const double* c, int k) {
    const int x = (k + 1) % 3, y = (k + 2) % 3;
    const double a2[2] = {a[x], a[y]}, b2[2] = {b[x], b[y]}, c2[2] = {c[x], c[y]};
    return frc_orient2d(a2, b2, c2);
}

FRC_DEVICE bool frc_collinear(const double* p, const double* q, const double* r) {
    return !area_sign(p, q, r, 0) && !area_sign(p, q, r, 1) && !area_sign(p, q, r, 2);
}

FRC_DEVICE static bool point_on_segment(const double* p, const double* a, const double* b) {
    for (int k = 0; k < 3; k++) {
        const double low = a[k] < b[k] ? a[k] : b[k], high = a[k] < b[k] ? b[k] : a[k];
        if (p[k] < low || p[k] > high) return false;
    }
    return frc_collinear(a, b, p);
}

FRC_DEVICE static bool point_in_triangle(const double* p, const double* const t[3]) {
    if (frc_orient3d(t[0], t[1], t[2], p)) return false;
    // In the plane: project along an axis along which the triangle has area.
    for (int k = 0; k < 3; k++) {
        const int side = area_sign(t[0], t[1], t[2], k);
        if (side)
            return area_sign(t[0], t[1], p, k) != -side && area_sign(t[1], t[2], p, k) != -side &&
                   area_sign(t[2], t[0], p, k) != -side;
    }
    return point_on_segment(p, t[0], t[1]) || point_on_segment(p, t[1], t[2]) ||
           point_on_segment(p, t[2], t[0]);
}

FRC_DEVICE bool frc_point_in_hull(const double* p, const double* const t[], int count) {
    switch (count) {
    case 0:
        return false;
    case 1:
        return p[0] == t[0][0] && p[1] == t[0][1] && p[2] == t[0][2];
    case 2:
        return point_on_segment(p, t[0], t[1]);
    default:
        return point_in_triangle(p, t);
    }
}

/// Projected along an axis parallel to their common plane all areas are zero, which is not taken as
/// a crossing.
FRC_DEVICE int frc_segments_cross(const double* p, const double* q, const double* r,
                                  const double* s) {
    if (frc_orient3d(p, q, r, s)) return -1;
    for (int k = 0; k < 3; k++)
        if (area_sign(p, q, r, k) * area_sign(p, q, s, k) < 0 &&
            area_sign(r, s, p, k) * area_sign(r, s, q, k) < 0)
            return k;
    return -1;
}

FRC_DEVICE bool frc_segment_pierces(const double* p, const double* q, const double* const t[3]) {
    if (frc_orient3d(t[0], t[1], t[2], p) * frc_orient3d(t[0], t[1], t[2], q) >= 0) return false;
    const int turn = frc_orient3d(p, q, t[0], t[1]);
    return turn && frc_orient3d(p, q, t[1], t[2]) == turn && frc_orient3d(p, q, t[2], t[0]) == turn;
}

/// True if a vertex of a that is not shared lies in b and not in the hull of the shared vertices.
FRC_DEVICE static bool vertex_meets(const double* const a[], int a_count, const double* const b[],
                                    int b_count, int shared) {
    for (int i = shared; i < a_count; i++)
        if (frc_point_in_hull(a[i], b, b_count) && !frc_point_in_hull(a[i], a, shared)) return true;
    return false;
}

FRC_DEVICE static bool edge_pierces(const double* const a[], int a_count, const double* const b[],
                                    int b_count) {
    for (int i = 0; b_count == 3 && i < a_count; i++)
        for (int j = i + 1; j < a_count; j++)
            if (frc_segment_pierces(a[i], a[j], b)) return true;
    return false;
}

/// True if edge pq of a crosses an edge of b, other than at the one shared vertex (or NULL).
FRC_DEVICE static bool edge_crosses(const double* p, const double* q, const double* const b[],
                                    int b_count, const double* vertex) {
    for (int i = 0; i < b_count; i++)
        for (int j = i + 1; j < b_count; j++)
            if (frc_segments_cross(p, q, b[i], b[j]) >= 0 &&
                !(vertex && point_on_segment(vertex, p, q) && point_on_segment(vertex, b[i], b[j])))
                return true;
    return false;
}

FRC_DEVICE bool frc_hulls_meet_beyond(const double* const a[], int a_count, const double* const b[],
                                      int b_count, int shared) {
    if (vertex_meets(a, a_count, b, b_count, shared) ||
        vertex_meets(b, b_count, a, a_count, shared))
        return true;
    for (int i = 0; i < a_count; i++)
        for (int j = i + 1; j < a_count; j++)
            if (edge_crosses(a[i], a[j], b, b_count, shared == 1 ? a[0] : NULL)) return true;
    return edge_pierces(a, a_count, b, b_count) || edge_pierces(b, b_count, a, a_count);
}
