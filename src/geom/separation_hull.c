/// @file separation_hull.c  Two features at one time in integers. Let D_i be the corners of their
/// difference, a triangle or parallelogram. The point of it nearest to the origin lies in the
/// interior of the face, in the interior of a side, or at a corner. Every foot of a perpendicular
/// that exists is a point of the hull, so the nearest point is the nearest foot:
///   face: N != 0 and N . s_i P_i >= 0 for all i; square of the distance c^2 / |N|^2
///   side X, Y: E = Y - X != 0, X . E <= 0 <= Y . E; |X x Y|^2 / |E|^2
///   corner X: |X|^2
#include "geom/separation_exact.h"

typedef frc_big big;
typedef frc_big_arena arena;

void frc_hull_at(arena* s, const frc_motion* m, big at, uint32_t k, frc_hull* out) {
    out->kind = m->kind;
    out->count = m->count;
    for (int i = 0; i < m->count; i++)
        for (int j = 0; j < 3; j++)
            out->d[i][j] = frc_big_add(s, frc_big_shift(s, m->start[i][j], k),
                                       frc_big_multiply(s, m->speed[i][j], at));
}

void frc_hull_normal(arena* s, const frc_hull* p, big out[3]) {
    big e[3], f[3];
    frc_big_subtract3(s, p->d[p->kind == FRC_CCD_VF ? 1 : 0], p->d[p->kind == FRC_CCD_VF ? 0 : 2],
                      e);
    frc_big_subtract3(s, p->d[p->kind == FRC_CCD_VF ? 2 : 1], p->d[0], f);
    frc_big_cross3(s, e, f, out);
}

// The foot of the perpendicular on the face exists.
static bool inside_face(arena s, const frc_hull* p) {
    big n[3];
    frc_hull_normal(&s, p, n);
    if (n[0].sign == 0 && n[1].sign == 0 && n[2].sign == 0) return false;
    for (int i = 0; i < p->count; i++) {
        // N . s_i P_i: the weight of the corner (or end) opposite to edge i, times |N|^2
        const frc_hull_edge* const edge = &FRC_HULL_EDGES[p->kind][i];
        arena t = s;
        big cross[3];
        frc_big_cross3(&t, p->d[edge->x], p->d[edge->y], cross);
        if (edge->sign * frc_big_dot(&t, n, cross).sign < 0) return false;
    }
    return true;
}

// The foot of the perpendicular on the side from D_x to D_y exists.
static bool inside_side(arena s, const frc_hull* p, int x, int y) {
    big e[3];
    frc_big_subtract3(&s, p->d[y], p->d[x], e);
    if (e[0].sign == 0 && e[1].sign == 0 && e[2].sign == 0) return false;
    return frc_big_dot(&s, p->d[x], e).sign <= 0 && frc_big_dot(&s, p->d[y], e).sign >= 0;
}

static bool nearer(arena s, const frc_hull* p, frc_hull_feature a, frc_hull_feature b) {
    big num[2], den[2];
    frc_hull_distance2(&s, p, a, &num[0], &den[0]);
    frc_hull_distance2(&s, p, b, &num[1], &den[1]);
    return frc_big_compare(frc_big_multiply(&s, num[0], den[1]),
                           frc_big_multiply(&s, num[1], den[0])) < 0;
}

frc_hull_feature frc_hull_nearest(arena s, const frc_hull* p) {
    frc_hull_feature best = {FRC_HULL_FACE, 0, 0};
    if (inside_face(s, p)) return best;
    best.kind = FRC_HULL_VERTEX;
    for (int i = 1; i < p->count; i++) {
        const frc_hull_feature corner = {FRC_HULL_VERTEX, i, i};
        if (nearer(s, p, corner, best)) best = corner;
    }
    for (int i = 0; i < p->count; i++) {
        const frc_hull_edge* const at = &FRC_HULL_EDGES[p->kind][i];
        const frc_hull_feature side = {FRC_HULL_EDGE, at->x, at->y};
        if (inside_side(s, p, side.x, side.y) && nearer(s, p, side, best)) best = side;
    }
    return best;
}

void frc_hull_distance2(arena* s, const frc_hull* p, frc_hull_feature part, big* num, big* den) {
    const big *x = p->d[part.x], *y = p->d[part.y];
    big a[3], b[3];
    switch (part.kind) {
    case FRC_HULL_FACE:
        frc_hull_normal(s, p, a);
        *num = frc_big_dot(s, a, p->d[0]);
        *num = frc_big_multiply(s, *num, *num);
        *den = frc_big_dot(s, a, a);
        return;
    case FRC_HULL_EDGE:
        frc_big_cross3(s, x, y, a);
        frc_big_subtract3(s, y, x, b);
        *num = frc_big_dot(s, a, a);
        *den = frc_big_dot(s, b, b);
        return;
    case FRC_HULL_VERTEX:
        *num = frc_big_dot(s, x, x);
        *den = frc_big_make(s, 1, 1, 0);
        return;
    }
}

void frc_hull_direction(arena* s, const frc_hull* p, frc_hull_feature part, big out[3]) {
    const big *x = p->d[part.x], *y = p->d[part.y];
    if (part.kind == FRC_HULL_FACE) {
        frc_hull_normal(s, p, out);
        const int sign = frc_big_dot(s, out, p->d[0]).sign;
        for (int k = 0; k < 3; k++) {
            if (sign < 0) out[k] = frc_big_negate(out[k]);
            if (sign == 0) out[k] = FRC_BIG_ZERO;
        }
    } else if (part.kind == FRC_HULL_EDGE) {
        // X |E|^2 - E (X . E)
        big e[3];
        frc_big_subtract3(s, y, x, e);
        const big ee = frc_big_dot(s, e, e), xe = frc_big_dot(s, x, e);
        for (int k = 0; k < 3; k++) out[k] = frc_big_cross(s, x[k], ee, e[k], xe);
    } else {
        for (int k = 0; k < 3; k++) out[k] = x[k];
    }
}
