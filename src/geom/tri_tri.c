// Triangle pairs by the mesh rules: sort the corners by what is shared, then decide.
#include "geom/tri_tri.h"
#include "geom/tri_tri_exact.h"

/// The distinct vertices of both triangles, the shared ones first and in the same order.
typedef struct corners {
    const double *a[3], *b[3];
    int a_count, b_count, shared;
} corners;

static bool contains(const uint32_t v[3], int count, uint32_t vertex) {
    for (int i = 0; i < count; i++)
        if (v[i] == vertex) return true;
    return false;
}

static corners sort_corners(const double a[3][3], const uint32_t va[3], const double b[3][3],
                            const uint32_t vb[3]) {
    corners c = {.shared = 0};
    for (int i = 0; i < 3; i++) {
        if (contains(va, i, va[i]) || !contains(vb, 3, va[i])) continue;
        c.a[c.shared] = c.b[c.shared] = a[i];
        c.shared++;
    }
    c.a_count = c.b_count = c.shared;
    for (int i = 0; i < 3; i++) {
        if (!contains(va, i, va[i]) && !contains(vb, 3, va[i])) c.a[c.a_count++] = a[i];
        if (!contains(vb, i, vb[i]) && !contains(va, 3, vb[i])) c.b[c.b_count++] = b[i];
    }
    return c;
}

bool frc_tri_tri_mesh(const double a[3][3], const uint32_t va[3], const double b[3][3],
                      const uint32_t vb[3]) {
    const corners c = sort_corners(a, va, b, vb);
    // One is part of the other: nothing beyond what they share, but duplicate faces count.
    if (c.shared == c.a_count || c.shared == c.b_count) return c.shared == 3;
    if (c.a_count < 3 || c.b_count < 3)
        return frc_hulls_meet_beyond(c.a, c.a_count, c.b, c.b_count, c.shared);
    switch (c.shared) {
    case 0:
        return frc_tri_tri_nonadjacent(c.a, c.b);
    case 1:
        return frc_tri_tri_at_vertex(c.a, c.b);
    default:
        return frc_tri_tri_at_edge(c.a, c.b);
    }
}

bool frc_tri_tri(const double a[3][3], const double b[3][3]) {
    const double* const pa[3] = {a[0], a[1], a[2]};
    const double* const pb[3] = {b[0], b[1], b[2]};
    return frc_tri_tri_nonadjacent(pa, pb);
}
