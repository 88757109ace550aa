/// @file ccd_roots.c  Stage 2: enclose the roots of the cubic in floating point, and decide inside
/// or outside for each enclosure as a whole. Only for candidates in the safe range of stage 1.
///
/// The cubic is scaled by a power of two so that Lambda lies in [1, 2). De Casteljau's scheme (and
/// any polar form) has three levels with three roundings per term (1 - t, the product, the sum):
/// 9 u * 6 Lambda = 54 u Lambda, in addition to the error 84 u Lambda of the coefficients
/// (ccd_filter.c). E = 160 u Lambda covers both, second order included. A value beyond E has a
/// certain sign.
#include "exact/cubic.h"
#include "geom/ccd_hull_edges.h"
#include "geom/ccd_stages.h"
#include <math.h>

#define INLINE FRC_DEVICE static inline __attribute__((always_inline))

typedef struct cubic {
    double c[4], e;
    double width, stop;  // least half-width of an enclosure; Newton's method stops below this step
} cubic;

// Every root of the exact cubic in [0, 1] lies in one of the intervals. `crosses`: the signs at the
// ends are certain and opposite, so the interval contains a root.
typedef struct interval {
    double lo, hi;
    bool crosses;
} interval;

typedef struct roots {
    interval list[3];
    int count;
} roots;

FRC_DEVICE static int certain_sign(const cubic* p, double y) {
    return y > p->e ? 1 : y < -p->e ? -1 : 0;
}

FRC_DEVICE static double value(const cubic* p, double t) { return frc_cubic_polar(p->c, t, t, t); }

// No root in [l, h], given the certain sign at both ends: all Bernstein coefficients share it.
FRC_DEVICE static bool root_free(const cubic* p, double l, double h, int sign) {
    return sign * frc_cubic_polar(p->c, l, l, h) > p->e &&
           sign * frc_cubic_polar(p->c, l, h, h) > p->e;
}

FRC_DEVICE static void emit(roots* r, double lo, double hi, bool crosses) {
    // Neighbours that meet at an uncertain point are one interval.
    if (r->count && r->list[r->count - 1].hi == lo && !crosses && !r->list[r->count - 1].crosses) {
        r->list[r->count - 1].hi = hi;
        return;
    }
    r->list[r->count++] = (interval){lo, hi, crosses};
}

// Certain opposite signs at l and h: a short interval around the root; the rest is verified to be
// free of roots.
FRC_DEVICE static void enclose_crossing(const cubic* p, double l, double h, double yl, double yh,
                                        roots* r) {
    const int sign = yl > 0 ? 1 : -1;
    const double t = frc_cubic_root(p->c, l, h, yl, yh, p->stop);
    const double slope = frc_cubic_polar(p->c, 1, t, t) - frc_cubic_polar(p->c, 0, t, t);
    // Three times E over the derivative, which is 3 * slope; divided only where it is larger.
    double reach = p->width;
    if (p->e > reach * fabs(slope)) reach = p->e / fabs(slope);
    for (int i = 0; i < 8 && reach < 1; i++, reach *= 8) {
        const double lo = t - reach > l ? t - reach : l, hi = t + reach < h ? t + reach : h;
        if (lo > l && sign * value(p, lo) <= p->e) continue;
        if (hi < h && -sign * value(p, hi) <= p->e) continue;
        if ((lo > l && !root_free(p, l, lo, sign)) || (hi < h && !root_free(p, hi, h, -sign)))
            break;
        emit(r, lo, hi, true);
        return;
    }
    emit(r, l, h, true);
}

// One sign is uncertain (0): remove a root-free part, as long as possible, at the certain end.
FRC_DEVICE static void enclose_end(const cubic* p, double l, double h, int sign_l, int sign_h,
                                   roots* r) {
    double reach = (h - l) * 0x1p-40;
    for (int i = 0; i < 13; i++, reach *= 8) {
        if (sign_l) {
            const double cut = h - reach;
            if (sign_l * value(p, cut) > p->e && root_free(p, l, cut, sign_l)) {
                emit(r, cut, h, false);
                return;
            }
        } else {
            const double cut = l + reach;
            if (sign_h * value(p, cut) > p->e && root_free(p, cut, h, sign_h)) {
                emit(r, l, cut, false);
                return;
            }
        }
    }
    emit(r, l, h, false);
}

// Points that divide [0, 1] into approximately monotone pieces: the critical points, or the
// inflection where there are none (a monotone cubic may have an alternating control polygon). They
// need not be accurate. Returns their number, ascending.
FRC_DEVICE static int split_points(const cubic* p, double at[2]) {
    const double d0 = p->c[1] - p->c[0], d1 = p->c[2] - p->c[1], d2 = p->c[3] - p->c[2];
    if ((d0 > 0 && d1 > 0 && d2 > 0) || (d0 < 0 && d1 < 0 && d2 < 0)) return 0;
    // derivative / 3 = a t^2 + 2 b t + d0
    const double a = d0 - 2 * d1 + d2, b = d1 - d0, disc = d1 * d1 - d0 * d2;
    double t0, t1;
    if (disc < 0)
        t0 = t1 = -b / a;
    else {
        const double root = sqrt(disc), q = b < 0 ? root - b : -(b + root);
        t0 = q / a;
        t1 = d0 / q;
    }
    int n = 0;
    if (t0 > 0 && t0 < 1) at[n++] = t0;
    if (t1 > 0 && t1 < 1 && t1 != t0) at[n++] = t1;
    if (n == 2 && at[0] > at[1]) {
        const double swap = at[0];
        at[0] = at[1];
        at[1] = swap;
    }
    return n;
}

FRC_DEVICE static void find_roots(const cubic* p, roots* r) {
    double at[4] = {0};
    const int n = split_points(p, at + 1);
    at[n + 1] = 1;
    r->count = 0;
    double yl = p->c[0];
    for (int i = 0; i <= n; i++) {
        const double l = at[i], h = at[i + 1], yh = i == n ? p->c[3] : value(p, h);
        const int sign_l = certain_sign(p, yl), sign_h = certain_sign(p, yh);
        if (sign_l * sign_h < 0)
            enclose_crossing(p, l, h, yl, yh, r);
        else if (sign_l * sign_h == 0 && (sign_l || sign_h))
            enclose_end(p, l, h, sign_l, sign_h, r);
        else if (sign_l == 0 || !root_free(p, l, h, sign_l))
            emit(r, l, h, false);
        yl = yh;
    }
}

// The D_i at the middle of an interval, and the error bound `e` of each component of a cross
// product of two of them, valid in the whole interval.
typedef struct middle {
    double x[4][3], e[3];
} middle;

// X = D^0 + t (D^1 - D^0): the differences have errors of u L each, their difference 2 u L more,
// the product 2 u L, the sum u L: 8 u L. Within the interval X changes by at most r M, with M = max
// |D^1 - D^0| computed up to 4 u L, r <= 1/2 + 2^-52. rho = 12 u L + r M covers all of it. A
// component of X x Y on axes j, l then has an error of 2 (rho_j L_l + rho_l L_j + rho_j rho_l) + 4
// u L_j L_l; 8 u for the second order.
INLINE void set_middle(const frc_ccd_query* q, int count, const interval* at, middle* m) {
    const double t = 0.5 * (at->lo + at->hi), r = 0.5 * (at->hi - at->lo) + 0x1p-52;
    double rho[3];
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        double most = 0;
        FRC_UNROLL
        for (int i = 0; i < count; i++) {
            const double v = q->d[i][k][1] - q->d[i][k][0];
            m->x[i][k] = q->d[i][k][0] + t * v;
            most = fabs(v) > most ? fabs(v) : most;
        }
        rho[k] = 12 * FRC_CCD_UNIT * q->extent[k] + r * most;
    }
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        const int j = (k + 1) % 3, l = (k + 2) % 3;
        const double lj = q->extent[j], ll = q->extent[l];
        m->e[k] = 2 * (rho[j] * ll + rho[l] * lj + rho[j] * rho[l]) + 8 * FRC_CCD_UNIT * lj * ll;
    }
}

FRC_DEVICE static const int NEXT[3] = {1, 2, 0}, LAST[3] = {2, 0, 1};

// a[k], without an index that is computed on a GPU: arrays stay in registers.
INLINE double component(const double a[3], int k) {
    if (FRC_ON_DEVICE) return k == 0 ? a[0] : k == 1 ? a[1] : a[2];
    return a[k];
}

INLINE double cross(const double a[3], const double b[3], int k) {
    const int j = FRC_ON_DEVICE ? (k < 2 ? k + 1 : 0) : NEXT[k];
    const int l = FRC_ON_DEVICE ? (k > 0 ? k - 1 : 2) : LAST[k];
    return component(a, j) * component(b, l) - component(a, l) * component(b, j);
}

// The axis on which the normal is largest relative to its error.
INLINE int best_axis(frc_ccd_kind kind, const middle* m) {
    const int from = kind == FRC_CCD_VF ? 0 : 2, to = kind == FRC_CCD_VF ? 1 : 0;
    double a[3], b[3], best = -1;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        a[k] = m->x[to][k] - m->x[from][k];
        b[k] = m->x[kind == FRC_CCD_VF ? 2 : 1][k] - m->x[0][k];
    }
    int axis = 0;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        const double ratio = fabs(cross(a, b, k)) / m->e[k];
        axis = ratio > best ? k : axis;
        best = ratio > best ? ratio : best;
    }
    return axis;
}

// 1: every root in the interval is a contact; -1: none is; 0: not known. |N_k| > 4 e_k makes the
// sign of N_k certain, N being a sum of up to three P_i.
INLINE int inside_of(frc_ccd_kind kind, const frc_ccd_query* q, const interval* at) {
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    middle m;
    set_middle(q, count, at, &m);
    const int k = best_axis(kind, &m);
    const double e = component(m.e, k);
    double p[4], least = INFINITY;
    FRC_UNROLL
    for (int i = 0; i < count; i++)
        p[i] = cross(m.x[FRC_HULL_EDGES[kind][i].x], m.x[FRC_HULL_EDGES[kind][i].y], k);
    const double n = kind == FRC_CCD_VF ? p[0] + p[1] + p[2] : p[0] - p[1];
    if (!(fabs(n) > 4 * e)) return 0;
    FRC_UNROLL
    for (int i = 0; i < count; i++) {
        const double v =
            n > 0 ? FRC_HULL_EDGES[kind][i].sign * p[i] : -FRC_HULL_EDGES[kind][i].sign * p[i];
        least = v < least ? v : least;
    }
    return least > e ? 1 : least < -e ? -1 : 0;
}

// The earliest interval that is not certainly outside decides.
FRC_DEVICE static frc_ccd_verdict decide(const frc_ccd_query* q, const roots* r, double tolerance,
                                         bool after_start, double* toi) {
    for (int i = 0; i < r->count; i++) {
        const interval* const at = &r->list[i];
        const int in =
            q->kind == FRC_CCD_VF ? inside_of(FRC_CCD_VF, q, at) : inside_of(FRC_CCD_EE, q, at);
        if (in < 0) continue;
        const bool sharp = at->crosses && at->hi - at->lo <= 0.75 * tolerance;
        if (in == 0 || !sharp || (after_start && !(at->lo > 0))) return FRC_CCD_UNSURE;
        *toi = at->lo;
        return FRC_CCD_HIT;
    }
    return r->count ? FRC_CCD_OUTSIDE : FRC_CCD_NO_ROOT;
}

// A difference is 0 if and only if the two points coincide. With D_i(0) = 0 the determinant is t
// times another determinant; also for D3, which the cubic does not use, because D3 = D1 + D2 - D0.
// Two edges that coincide at the start, D0 = D3 = 0 or D1 = D2 = 0, give t^2, as the other two
// vectors are opposite there.
FRC_DEVICE int frc_ccd_roots_at_start(const frc_ccd_query* q) {
    bool zero[4] = {false, false, false, false};
    for (int i = 0; i < q->count; i++)
        zero[i] = q->d[i][0][0] == 0 && q->d[i][1][0] == 0 && q->d[i][2][0] == 0;
    if (q->kind == FRC_CCD_EE && ((zero[0] && zero[3]) || (zero[1] && zero[2]))) return 2;
    return zero[0] || zero[1] || zero[2] || zero[3];
}

// Divide the cubic by t `times` times (1 or 2), and raise the quotient to a cubic again. The
// Bernstein coefficients of e with c = t e are 3 C1, 3/2 C2, C3; those of f with c = t^2 f are
// 3 C2, C3. C0 (and C1) are exactly 0, whatever was computed for them. The errors of the
// coefficients are now 3 * 84 u Lambda and four more roundings of values below 18 Lambda, and
// de Casteljau's scheme adds 9 u * 18 Lambda: 486 u Lambda; 640 covers the second order.
FRC_DEVICE static void divide_by_time(cubic* p, int times) {
    const double c1 = p->c[1], c2 = p->c[2], c3 = p->c[3];
    if (times == 1) {
        p->c[0] = 3 * c1;
        p->c[1] = c1 + c2;
        p->c[2] = c2 + c3 * (1.0 / 3.0);
    } else {
        p->c[0] = 3 * c2;
        p->c[1] = 2 * c2 + c3 * (1.0 / 3.0);
        p->c[2] = c2 + c3 * (2.0 / 3.0);
    }
    p->e *= 4;  // 160 to 640
}

FRC_DEVICE frc_ccd_verdict frc_ccd_roots(const frc_ccd_query* q, double tolerance, bool after_start,
                                         int at_start, double* toi) {
    if (!q->safe) return FRC_CCD_UNSURE;
    cubic p;
    const double scale = frc_ccd_scale(q, &p.e);
    for (int i = 0; i < 4; i++) p.c[i] = q->cubic[i] * scale;
    if (at_start) divide_by_time(&p, at_start);
    // First as coarse as the tolerance allows, as Newton's last step squares the error; then, if
    // that is unsure, as fine as doubles allow.
    const double coarse = frc_ccd_coarse(tolerance), fine = 0x1p-48;
    FRC_UNROLL_NOT
    for (double width = coarse > fine ? coarse : fine;; width = fine) {
        roots r;
        p.width = width;
        p.stop = width > fine ? 0x1p10 * width : fine;
        find_roots(&p, &r);
        const frc_ccd_verdict verdict = decide(q, &r, tolerance, after_start, toi);
        if (verdict != FRC_CCD_UNSURE || !(width > fine)) return verdict;
    }
}
