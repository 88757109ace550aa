/// @file quick_after_start.c  Device code: the filters of geom/ccd_filter_after_start.c for one
/// thread.
#include "cuda/quick_after_start.h"
#include "cuda/quick_roots.h"

// ---- 1a. Axes: no component is on the wrong side at t = 0, and all are on the right one at t = 1.

FRC_DEVICE static bool axis_rejects(const frc_ccd_query* q) {
    bool reject = false;
    for (int k = 0; k < 3; k++) {
        bool above = true, below = true;
        for (int i = 0; i < q->count; i++) {
            above = above && q->d[i][k][0] >= 0 && q->d[i][k][1] > 0;
            below = below && q->d[i][k][0] <= 0 && q->d[i][k][1] < 0;
        }
        reject = reject || above || below;
    }
    return reject;
}

// ---- 1b. Coplanarity and separating planes

typedef enum coincidence { NONE, POINT, EDGE } coincidence;

FRC_DEVICE static bool coincided(const frc_moving_point* points, uint32_t a, uint32_t b) {
    const frc_moving_point *p = &points[a], *q = &points[b];
    return p->x[0][0] == q->x[0][0] && p->x[1][0] == q->x[1][0] && p->x[2][0] == q->x[2][0];
}

// The points in an order in which the first of both features coincided. VF: the corners of the face
// are rotated; EE: edges are reversed.
FRC_DEVICE static coincidence reorder(frc_ccd_kind kind, const frc_moving_point* points,
                                      const uint32_t p[4], uint32_t out[4]) {
    for (int i = 0; kind == FRC_CCD_VF && i < 3; i++) {
        if (!coincided(points, p[0], p[1 + i])) continue;
        out[0] = p[0];
        for (int j = 0; j < 3; j++) out[1 + j] = p[1 + (i + j) % 3];
        return POINT;
    }
    for (int i = 0; kind == FRC_CCD_EE && i < 4; i++) {
        const int a = i / 2, c = i % 2;
        if (!coincided(points, p[a], p[2 + c])) continue;
        out[0] = p[a], out[1] = p[1 - a], out[2] = p[2 + c], out[3] = p[3 - c];
        return coincided(points, out[1], out[3]) ? EDGE : POINT;
    }
    return NONE;
}

// to - from at one end.
FRC_DEVICE static void difference(const frc_moving_point* points, uint32_t to, uint32_t from,
                                  int end, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = points[to].x[k][end] - points[from].x[k][end];
}

FRC_DEVICE static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

// `most` becomes at least the magnitude of each component.
FRC_DEVICE static void enclose(double most[3], const double v[3]) {
    for (int k = 0; k < 3; k++) most[k] = fabs(v[k]) > most[k] ? fabs(v[k]) : most[k];
}

// The sum over k of |w_k| C_k, where C bounds a cross product of vectors of extents a and b.
FRC_DEVICE static double sum_of_products(const double w[3], const double a[3], const double b[3]) {
    double c[3];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        c[k] = fabs(w[k]) * (a[i] * b[j] + a[j] * b[i]);
    }
    return c[0] + c[1] + c[2];
}

FRC_DEVICE static bool in_range(const double a[3], const double b[3], double sum) {
    bool in = sum >= 0x1p-700;
    for (int k = 0; k < 3; k++) in = in && a[k] <= 0x1p100 && b[k] <= 0x1p100;
    return in;
}

// All values are above e, or all are below -e.
FRC_DEVICE static bool one_sign(const double* v, int count, double e) {
    bool above = true, below = true;
    for (int i = 0; i < count; i++) {
        above = above && v[i] > e;
        below = below && v[i] < -e;
    }
    return above || below;
}

// One common point: c = t q, and the coefficients of q have one sign. E = 20 u S.
FRC_DEVICE static bool apart_at_point(frc_ccd_kind kind, const frc_moving_point* points,
                                      const uint32_t p[4]) {
    const bool vf = kind == FRC_CCD_VF;
    double w[3], most_w[3] = {0, 0, 0}, l[3] = {0, 0, 0}, d[2][2][3], v[3], n[3];
    difference(points, vf ? p[1] : p[2], p[0], 1, w);
    for (int e = 0; e < 2; e++) {
        difference(points, vf ? p[2] : p[3], p[0], e, d[0][e]);
        difference(points, vf ? p[3] : p[2], vf ? p[0] : p[1], e, d[1][e]);
        enclose(l, d[0][e]);
        enclose(l, d[1][e]);
    }
    enclose(most_w, w);
    const double s = sum_of_products(w, l, l);
    for (int e = 0; e < 2; e++) {
        cross(d[0][e], d[1][e], n);
        v[e] = frc_quick_dot(w, n);
    }
    cross(d[0][0], d[1][1], n);
    v[2] = frc_quick_dot(w, n);
    cross(d[0][1], d[1][0], n);
    v[2] = v[2] + frc_quick_dot(w, n);
    return one_sign(v, 3, 20 * FRC_CCD_UNIT * s) && in_range(most_w, l, s);
}

// Two edges that coincided: w1.h0 has one sign, or a plane that turns with the edge separates them.
// E = 10 u S.
FRC_DEVICE static bool apart_at_edge(const frc_moving_point* points, const uint32_t p[4]) {
    double e[2][3], w[2][3], h[2][2][3], m[3] = {0, 0, 0}, l[3] = {0, 0, 0}, most[3] = {0, 0, 0};
    double along[4], line[2];
    for (int i = 0; i < 2; i++) {
        difference(points, p[1], p[0], i, e[i]);
        difference(points, p[2 + i], p[i], 1, w[i]);
        enclose(l, e[i]);
        enclose(most, w[i]);
    }
    for (int i = 0; i < 2; i++)
        for (int end = 0; end < 2; end++) {
            cross(e[end], w[i], h[i][end]);
            for (int k = 0; k < 3; k++) m[k] += h[i][end][k];
        }
    for (int i = 0; i < 2; i++) {
        for (int end = 0; end < 2; end++) along[2 * i + end] = frc_quick_dot(m, h[i][end]);
        line[i] = frc_quick_dot(w[1], h[0][i]);
    }
    const double s = sum_of_products(m, l, most), r = sum_of_products(most, l, most);
    return (one_sign(along, 4, 10 * FRC_CCD_UNIT * s) && in_range(l, most, s)) ||
           (one_sign(line, 2, 10 * FRC_CCD_UNIT * r) && in_range(l, most, r));
}

FRC_DEVICE bool frc_quick_after_start_rejects(frc_ccd_kind kind, const frc_moving_point* points,
                                              const uint32_t p[4]) {
    const frc_ccd_pair pair = {
        {p[0], p[1], p[2], p[3]}
    };
    uint32_t own[4];
    frc_ccd_query q;
    frc_quick_query(kind, points, &pair, &q);
    if (axis_rejects(&q)) return true;
    const coincidence common = reorder(kind, points, p, own);
    if (common == NONE) return false;
    return common == EDGE ? apart_at_edge(points, own) : apart_at_point(kind, points, own);
}
