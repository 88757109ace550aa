/// @file tri_tri_signs.c  Two triangles that are neither flat nor coplanar, from the signs of four
/// to eight determinants.
///
/// Notation: nA = (a1-a0) x (a2-a0), nB likewise; sB[i] is the side of b_i of the plane of A, sA[i]
/// that of a_i of the plane of B; l = nA x nB is the direction of the line in which the planes
/// intersect. When all sB are zero the triangles are coplanar, or A has no area; the same for sA.
/// These are decided in the plane, or by the general test. Otherwise both have area and the planes
/// intersect in a line.
///
/// Based on: guigue2003 for the idea of comparing the two intervals by orientations only; own
/// derivation, with touching included.
#include "geom/tri_tri_signs.h"
#include "exact/predicates.h"
#include "geom/tri_tri_coplanar.h"
#include "geom/tri_tri_exact.h"

// No shared vertex: each triangle intersects the line l in an interval. Let a0 be the corner that
// is alone on its side; its edges a0a1 and a0a2 cross the other plane at x1 and x2, and b0b1, b0b2
// at y1 and y2. Let a0 be above nB and b0 above nA. Then
//   nA x nB = -h (x2 - x1) with h > 0, as the interval of A runs from x1 to x2 along -l,
//   and, with the roles exchanged, y1 - y2 along -l for B's:
// they overlap when x1 <= y1 and y2 <= x2 along -l. With y1 - x1 = t l and u, w the downward
// directions of the edges reversed (u.nB > 0, w.nA > 0),
//   det(a1-a0, b1-b0, b0-a0) = positive * det(u, w, t l)
//                            = -t * positive * (u.nB)(w.nA),
// so x1 <= y1 along -l is det(a1-a0, b1-b0, b0-a0) >= 0, and y2 <= x2 is
// det(a2-a0, b2-b0, b0-a0) <= 0. Where the alone corner is below, the last two corners of the other
// triangle are exchanged, which reverses its normal. A corner in the other plane is taken as below,
// or as above where no corner is above: then one corner is alone on its side again and the
// derivation holds with factors >= 0 whose product is not zero.

FRC_DEVICE static int find_alone(const int side[3]) {
    const unsigned above = (side[0] > 0) | (side[1] > 0) << 1 | (side[2] > 0) << 2;
    const unsigned below = (side[0] < 0) | (side[1] < 0) << 1 | (side[2] < 0) << 2;
    return frc_alone(above, below);
}

/// Coplanar, or one of them without area: the result of the coplanar test, or where it is -1 that
/// of the general test.
FRC_DEVICE static bool decide_flat(int coplanar, const double* const a[3], const double* const b[3],
                                   int shared) {
    return coplanar >= 0 ? coplanar : frc_hulls_meet_beyond(a, 3, b, 3, shared);
}

FRC_DEVICE bool frc_tri_tri_nonadjacent(const double* const a[3], const double* const b[3]) {
    int sa[3], sb[3];
    for (int i = 0; i < 3; i++) sb[i] = frc_orient3d(a[0], a[1], a[2], b[i]);
    const int alone_b = find_alone(sb);
    if (alone_b == FRC_ALONE_MISS) return false;
    if (alone_b == FRC_ALONE_FLAT) return decide_flat(frc_coplanar_nonadjacent(a, b), a, b, 0);
    for (int i = 0; i < 3; i++) sa[i] = frc_orient3d(b[0], b[1], b[2], a[i]);
    const int alone_a = find_alone(sa);
    if (alone_a == FRC_ALONE_MISS) return false;
    if (alone_a == FRC_ALONE_FLAT) return frc_hulls_meet_beyond(a, 3, b, 3, 0);
    const uint8_t* i = frc_corner_order[alone_a & 3][alone_b >> 2];
    const uint8_t* j = frc_corner_order[alone_b & 3][alone_a >> 2];
    // det(a1-a0, b1-b0, b0-a0) = det(a1-a0, b1-a0, b0-a0)
    return frc_orient3d(a[i[0]], a[i[1]], b[j[1]], b[j[0]]) >= 0 &&
           frc_orient3d(a[i[0]], a[i[2]], b[j[2]], b[j[0]]) <= 0;
}

// Shared vertex v = a0 = b0: the line l passes through v, and each triangle contains a segment of
// it from v in at most one direction. B contains one when b1 and b2 are not strictly on the same
// side of A; the direction is that of
//   (nA.b1) b2 - (nA.b2) b1 = nA x (b2 x b1) = -l   (b1, b2 relative to v)
// times the sign of the first coefficient that is not zero, for b1 above b2. For A, with the roles
// exchanged, it is +l when a1 is above a2. They intersect beyond v when the directions are equal:
// when exactly one of both has its first corner above its second.
FRC_DEVICE bool frc_tri_tri_at_vertex(const double* const a[3], const double* const b[3]) {
    const int b1 = frc_orient3d(a[0], a[1], a[2], b[1]), b2 = frc_orient3d(a[0], a[1], a[2], b[2]);
    if (b1 * b2 > 0) return false;
    if (b1 == b2) return decide_flat(frc_coplanar_at_vertex(a, b), a, b, 1);
    const int a1 = frc_orient3d(b[0], b[1], b[2], a[1]), a2 = frc_orient3d(b[0], b[1], b[2], a[2]);
    if (a1 * a2 > 0) return false;
    if (a1 == a2) return frc_hulls_meet_beyond(a, 3, b, 3, 1);
    return (a1 > a2) != (b1 > b2);
}

// Shared edge: planes that differ intersect only in the line of the edge.
FRC_DEVICE bool frc_tri_tri_at_edge(const double* const a[3], const double* const b[3]) {
    if (frc_orient3d(a[0], a[1], a[2], b[2])) return false;
    return decide_flat(frc_coplanar_at_edge(a, b), a, b, 2);
}
