/// @file tri_tri.c  One triangle pair by the mesh rules: shared vertices first, then decide by
/// their number.
#include "geom/tri_tri.h"
#include "geom/tri_tri_exact.h"

FRC_DEVICE static bool contains(const uint32_t v[3], int count, uint32_t vertex) {
    for (int i = 0; i < count; i++)
        if (v[i] == vertex) return true;
    return false;
}

FRC_DEVICE bool frc_tri_tri_mesh(const double a[3][3], const uint32_t va[3], const double b[3][3],
                                 const uint32_t vb[3]) {
    // The distinct vertices of both triangles, the shared ones first and in the same order.
    const double *pa[3] = {0}, *pb[3] = {0};
    int shared = 0;
    for (int i = 0; i < 3; i++) {
        if (contains(va, i, va[i]) || !contains(vb, 3, va[i])) continue;
        pa[shared] = pb[shared] = a[i];
        shared++;
    }
    int a_count = shared, b_count = shared;
    for (int i = 0; i < 3; i++) {
        if (!contains(va, i, va[i]) && !contains(vb, 3, va[i])) pa[a_count++] = a[i];
        if (!contains(vb, i, vb[i]) && !contains(va, 3, vb[i])) pb[b_count++] = b[i];
    }
    // All vertices of one are shared: the intersection is S, but duplicate faces count.
    if (shared == a_count || shared == b_count) return shared == 3;
    if (a_count < 3 || b_count < 3) return frc_hulls_meet_beyond(pa, a_count, pb, b_count, shared);
    switch (shared) {
    case 0:
        return frc_tri_tri_nonadjacent(pa, pb);
    case 1:
        return frc_tri_tri_at_vertex(pa, pb);
    default:
        return frc_tri_tri_at_edge(pa, pb);
    }
}

FRC_DEVICE bool frc_tri_tri(const double a[3][3], const double b[3][3]) {
    const double* const pa[3] = {a[0], a[1], a[2]};
    const double* const pb[3] = {b[0], b[1], b[2]};
    return frc_tri_tri_nonadjacent(pa, pb);
}
