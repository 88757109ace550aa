/// @file cone_box.c  A sphere or cone and a box: distance with certified bounds, exact overlap.
///
/// Based on: li2023, whose four-dimensional quadratic does not decide this. Instead, the centre
/// c(t) of the sphere with parameter t in [0, 1] has the distance |y(t)| from the box lo <= x <=
/// hi, where y_k = c_k - hi_k above, c_k - lo_k below, and 0 inside of the range of axis k. f(t) =
/// |y(t)| - r(t) is convex. Between two of the at most six t where some c_k passes lo_k or hi_k, y
/// is linear, and the minimum has a closed form.
///
/// Exact decision. q(t) = |y|^2 - r^2 is continuously differentiable, and quadratic in between. Its
/// minimum is at an end of [0, 1] or where q' = 0 and the quadratic there is strictly convex: a
/// zero of q' on a constant part has the value of the end of that part, and a strictly concave part
/// has no minimum inside. So it suffices to evaluate q at the ends and at the vertex of the
/// strictly convex quadratic of each of the 26 combinations of sides, wherever that is in [0, 1]:
/// some q <= 0 exactly when the two overlap.
///
/// Bounds, as in medial_pair.c: the spheres are those of the first primitive, relative to c(0); the
/// vertex of the box that is extreme in direction n takes the place of the second one. Coordinates
/// of the box on axes with n_k = 0 are multiplied by 0 and add no error.
#include "exact/double_parts.h"
#include "geom/medial.h"
#include "geom/medial_exact.h"
#include "geom/vec3.h"
#include <float.h>
#include <string.h>

#ifndef FRC_MEDIAL_UNIT
#define FRC_MEDIAL_UNIT 0x1p-53  // 0: bounds without rounding errors, which tests must catch
#endif

typedef frc_big big;
typedef frc_big_arena arena;

// Relative to the first centre: c(t) = t e, r(t) = r + t e[3].
typedef struct pair {
    double e[4], r, lo[3], hi[3];
    double size;  // the largest number but those of the box
} pair;

// Bounds of f from the sphere at t, and its derivative there.
typedef struct sample {
    double y[3], slope, lower, upper;
} sample;

static inline double outside(double x, double lo, double hi) {
    return x > hi ? x - hi : x < lo ? x - lo : 0;
}

static void evaluate(const pair* p, double t, sample* out) {
    double n[3], used = 0, box = 0;
    for (int k = 0; k < 3; k++) out->y[k] = outside(t * p->e[k], p->lo[k], p->hi[k]);
    const double length = sqrt(frc_vec3_dot(out->y, out->y));
    const double r = p->r + t * p->e[3], inverse = length > 0 ? 1 / length : 0;
    frc_vec3_scale(out->y, inverse, n);
    // The square of a tiny y underflows.
    const double nn = frc_vec3_dot(n, n);
    if (nn > 0 && fabs(nn - 1) > 8 * 0x1p-53) frc_vec3_scale(n, 1 / sqrt(nn), n);
    for (int k = 0; k < 3; k++) {
        if (n[k] == 0) continue;
        const double side = n[k] > 0 ? p->hi[k] : p->lo[k];
        box += n[k] * side;
        used = fabs(side) > used ? fabs(side) : used;
    }
    out->slope = frc_vec3_dot(n, p->e) - p->e[3];
    const double error = 72 * FRC_MEDIAL_UNIT * (p->size + used);
    out->lower = (out->slope < 0 ? out->slope : 0) - p->r - box - error;
    out->upper = length - r + error;
}

// The minimum of f where its quadratic is the one at `inside`, a time between two breaks.
static double find_minimum(const pair* p, double inside, double from, double to) {
    double y[3], e[3];
    for (int k = 0; k < 3; k++) {
        const double c = inside * p->e[k];
        const bool out = c > p->hi[k] || c < p->lo[k];
        y[k] = out ? (c > p->hi[k] ? -p->hi[k] : -p->lo[k]) : 0;  // at t = 0
        e[k] = out ? p->e[k] : 0;
    }
    const double ee = frc_vec3_dot(e, e), slope = p->e[3];
    if (!(ee > slope * slope)) return slope > 0 ? to : from;
    const double along = frc_vec3_dot(e, y) / ee;
    double h[3];
    for (int k = 0; k < 3; k++) h[k] = y[k] - along * e[k];
    const double t = sqrt(frc_vec3_dot(h, h) / (ee - slope * slope)) * slope / sqrt(ee) - along;
    return t > to ? to : t > from ? t : from;
}

// The first time after t at which a centre passes a face plane; at most 1.
static double next_break(const pair* p, double t) {
    double next = 1;
    for (int k = 0; k < 3; k++) {
        const double at_lo = p->lo[k] / p->e[k], at_hi = p->hi[k] / p->e[k];
        if (at_lo > t && at_lo < next) next = at_lo;
        if (at_hi > t && at_hi < next) next = at_hi;
    }
    return next;
}

static void find_bounds(const pair* p, bool decide, double* lower, double* upper) {
    sample now;
    evaluate(p, 0, &now);
    *lower = now.lower;
    *upper = now.upper;
    // Walk along the breaks until f increases. At most six lie between 0 and 1.
    for (double t = 0; t < 1 && now.slope < 0;) {
        if (decide && (*lower > 0 || *upper <= 0)) return;
        const double from = t;
        t = next_break(p, from);
        evaluate(p, t, &now);
        if (now.lower > *lower) *lower = now.lower;
        if (now.upper < *upper) *upper = now.upper;
        if (t < 1 && now.slope < 0) continue;
        if (now.slope <= 0) return;
        evaluate(p, find_minimum(p, 0.5 * (from + t), from, t), &now);
        if (now.lower > *lower) *lower = now.lower;
        if (now.upper < *upper) *upper = now.upper;
        return;
    }
}

// Returns the largest number.
static double load(const double (*a)[4], int na, const double lo[3], const double hi[3],
                   double factor, pair* out) {
    const double *c = a[0], *d = a[na - 1];
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        out->e[k] = d[k] * factor - c[k] * factor;
        out->lo[k] = lo[k] * factor - c[k] * factor;
        out->hi[k] = hi[k] * factor - c[k] * factor;
        if (!(fabs(out->lo[k]) <= largest)) largest = fabs(out->lo[k]);
        if (!(fabs(out->hi[k]) <= largest)) largest = fabs(out->hi[k]);
    }
    out->r = c[3] * factor;
    out->e[3] = d[3] * factor - c[3] * factor;
    out->size = frc_vec3_largest(out->e) + (out->r > d[3] * factor ? out->r : d[3] * factor);
    return out->size > largest ? out->size : largest;
}

static bool is_ordinary(double size) { return size >= 0x1p-300 && size <= 0x1p300; }

// The power of two that brings the largest number to about 1.
static int find_exponent(const double (*a)[4], int na, const double lo[3], const double hi[3]) {
    frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < na; i++) frc_double_span_add(&span, frc_double_split(a[i][k]));
    for (int k = 0; k < 3; k++) {
        frc_double_span_add(&span, frc_double_split(lo[k]));
        frc_double_span_add(&span, frc_double_split(hi[k]));
    }
    return span.high;
}

void frc_medial_box_distance(const double (*a)[4], int na, const double lo[3], const double hi[3],
                             double* lower, double* upper) {
    pair p;
    if (is_ordinary(load(a, na, lo, hi, 1, &p))) {
        find_bounds(&p, false, lower, upper);
        return;
    }
    // Scale by a power of two. What underflows is covered by 2^-900, relative to numbers near 1.
    double scaled[2][4], box[2][3];
    const int exponent = find_exponent(a, na, lo, hi);
    for (int i = 0; i < na; i++)
        for (int k = 0; k < 4; k++) scaled[i][k] = ldexp(a[i][k], -exponent);
    for (int k = 0; k < 3; k++) {
        box[0][k] = ldexp(lo[k], -exponent);
        box[1][k] = ldexp(hi[k], -exponent);
    }
    load((const double(*)[4])scaled, na, box[0], box[1], 1, &p);
    find_bounds(&p, false, lower, upper);
    *lower = ldexp(*lower - 0x1p-900, exponent) - 0x1p-1074;
    *upper = ldexp(*upper + 0x1p-900, exponent) + 0x1p-1074;
    if (*lower > DBL_MAX) *lower = DBL_MAX;
    if (*upper < -DBL_MAX) *upper = -DBL_MAX;
}

// ---- integers

typedef struct exact_pair {
    const big (*x)[4];  // first and last sphere, lo, hi
    big e[4];
} exact_pair;

// Whether q <= 0 at t = num / den, den > 0.
static bool touches_at(arena s, const exact_pair* p, big num, big den) {
    big sum = FRC_BIG_ZERO;
    for (int k = 0; k < 4; k++) {
        const big c = frc_big_multiply(&s, p->x[0][k], den), e = frc_big_multiply(&s, p->e[k], num);
        big y = frc_big_add(&s, c, e);
        if (k < 3) {
            const big below = frc_big_subtract(&s, y, frc_big_multiply(&s, p->x[2][k], den));
            const big above = frc_big_subtract(&s, y, frc_big_multiply(&s, p->x[3][k], den));
            y = above.sign > 0 ? above : below.sign < 0 ? below : FRC_BIG_ZERO;
        }
        const big square = frc_big_multiply(&s, y, y);
        sum = k < 3 ? frc_big_add(&s, sum, square) : frc_big_subtract(&s, sum, square);
    }
    return sum.sign <= 0;
}

// The quadratic with side[k] = 0 inside, 2 below, 3 above: whether q <= 0 at its vertex.
static bool touches_inside(arena s, const exact_pair* p, const int side[3]) {
    big y[4], e[4];
    for (int k = 0; k < 4; k++) {
        const bool used = k == 3 || side[k];
        e[k] = used ? p->e[k] : FRC_BIG_ZERO;
        y[k] = k == 3 ? p->x[0][3] : FRC_BIG_ZERO;
        if (k < 3 && used) y[k] = frc_big_subtract(&s, p->x[0][k], p->x[side[k]][k]);
    }
    const big den = frc_medial_product(&s, e, e);
    const big num = frc_big_negate(frc_medial_product(&s, y, e));
    if (den.sign <= 0 || num.sign <= 0 || frc_big_compare(num, den) >= 0) return false;
    return touches_at(s, p, num, den);
}

static int overlaps_box(arena s, const big (*x)[4], const void* unused) {
    exact_pair p = {.x = x};
    (void)unused;
    frc_medial_subtract(&s, x[1], x[0], p.e);
    const big one = frc_big_make(&s, 1, 1, 0);
    if (touches_at(s, &p, FRC_BIG_ZERO, one) || touches_at(s, &p, one, one)) return 1;
    for (int i = 1; i < 27; i++) {
        const int digits[3] = {i % 3, i / 3 % 3, i / 9};
        int side[3];
        for (int k = 0; k < 3; k++) side[k] = digits[k] ? digits[k] + 1 : 0;
        if (touches_inside(s, &p, side)) return 1;
    }
    return 0;
}

bool frc_medial_overlaps_box_exact(const double (*a)[4], int na, const double lo[3],
                                   const double hi[3]) {
    double x[4][4] = {{0}};
    memcpy(x[0], a[0], sizeof x[0]);
    memcpy(x[1], a[na - 1], sizeof x[1]);
    memcpy(x[2], lo, 3 * sizeof *lo);
    memcpy(x[3], hi, 3 * sizeof *hi);
    return frc_medial_run_exact(overlaps_box, (const double(*)[4])x, 4, NULL) != 0;
}

bool frc_medial_overlaps_box(const double (*a)[4], int na, const double lo[3], const double hi[3]) {
    pair p;
    double lower = 0, upper = 1;
    if (is_ordinary(load(a, na, lo, hi, 1, &p))) find_bounds(&p, true, &lower, &upper);
    if (lower > 0) return false;
    return upper <= 0 || frc_medial_overlaps_box_exact(a, na, lo, hi);
}

// With the axes as rows of M, |M M^T - 1| <= 3 * 2^-48 per row, and s a point of the box in its
// frame, |M (x - center) - s| <= (1 + 2^-46) |x - center - M^T s| + 2^-46 |s|. Rounding adds less
// than 2^-49 |x - center|. The margin covers the sum.
bool frc_medial_overlaps_obb(const double (*a)[4], int na, const frc_obb* box) {
    double x[2][4], lo[3], largest = frc_vec3_largest(box->half);
    for (int i = 0; i < na; i++) {
        double way[3];
        frc_vec3_subtract(a[i], box->center, way);
        for (int k = 0; k < 3; k++) x[i][k] = frc_vec3_dot(box->axes[k], way);
        const double size = frc_vec3_largest(way) + a[i][3];
        if (!(size <= largest)) largest = size;
    }
    if (!(largest <= 0x1p1000)) return true;
    for (int i = 0; i < na; i++) x[i][3] = a[i][3] + 0x1p-43 * largest;
    for (int k = 0; k < 3; k++) lo[k] = -box->half[k];
    return frc_medial_overlaps_box((const double(*)[4])x, na, lo, box->half);
}
