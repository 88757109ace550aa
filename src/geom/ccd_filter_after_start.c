/// @file ccd_filter_after_start.c  Stage 1 for features that coincided when the step began: two
/// filters that only reject. They replace those of ccd_filter.c, which cannot reject features that
/// touch at t = 0. Contact counts only at times in (0, 1]. The lanes of a register are one
/// coordinate at t = 0 and at t = 1.
///
/// Notation and rounding as in ccd_filter.c: a difference carries one relative error u and has the
/// exact sign; it is 0 if and only if the two coordinates are equal.
#include "geom/ccd_lanes.h"
#include "geom/ccd_stages.h"

// ---- 1a. Axes, exact. A component that is nowhere negative at t = 0 and positive at t = 1 for all
// D_i is positive in between, as it is linear. No bound, no range.

// a, b: the minimum of all D_i along two directions, at both ends. Lane mask of the directions
// along which the features move apart.
FRC_INLINE m64x2 moves_apart(f64x2 a, f64x2 b) {
    const f64x2 zero = f64x2_splat(0);
    return m64x2_and(f64x2_le(zero, f64x2_low_low(a, b)), f64x2_lt(zero, f64x2_high_high(a, b)));
}

FRC_INLINE bool axis_rejects(const frc_range* r) {
    const m64x2 up = moves_apart(r->low.x, r->low.y);
    const m64x2 down = moves_apart(f64x2_neg(r->high.x), f64x2_neg(r->high.y));
    const m64x2 both = moves_apart(r->low.z, f64x2_neg(r->high.z));
    return m64x2_bits(m64x2_or(m64x2_or(up, down), both)) != 0;
}

// ---- reorder the points so that the first points of both features coincided at t = 0

// What coincided at t = 0: nothing, one point, or both ends of two edges.
typedef enum coincidence { NONE, POINT, EDGE } coincidence;

static inline bool coincided(const frc_point* points, uint32_t a, uint32_t b) {
    const frc_point *p = &points[a], *q = &points[b];
    return (p->x[0] == q->x[0]) & (p->y[0] == q->y[0]) & (p->z[0] == q->z[0]);
}

// VF: rotates the corners of the face. EE: reverses edges.
FRC_INLINE coincidence reorder(frc_ccd_kind kind, const frc_point* points, frc_ccd_pair* pair) {
    const uint32_t* const p = pair->point;
    for (int i = 0; kind == FRC_CCD_VF && i < 3; i++)
        if (coincided(points, p[0], p[1 + i])) {
            *pair = (frc_ccd_pair){
                {p[0], p[1 + i], p[1 + (i + 1) % 3], p[1 + (i + 2) % 3]}
            };
            return POINT;
        }
    for (int i = 0; kind == FRC_CCD_EE && i < 4; i++) {
        const int a = i / 2, c = i % 2;
        if (!coincided(points, p[a], p[2 + c])) continue;
        *pair = (frc_ccd_pair){
            {p[a], p[1 - a], p[2 + c], p[3 - c]}
        };
        return coincided(points, pair->point[1], pair->point[3]) ? EDGE : POINT;
    }
    return NONE;
}

// ---- 1b. Coplanarity and separating planes

// The end of the step in both lanes.
FRC_INLINE frc_vec3x2 at_end(frc_vec3x2 a) {
    return (frc_vec3x2){f64x2_high_high(a.x, a.x), f64x2_high_high(a.y, a.y),
                        f64x2_high_high(a.z, a.z)};
}

// The largest magnitude of either vector at either end, in both lanes.
FRC_INLINE frc_vec3x2 extent(frc_vec3x2 a, frc_vec3x2 b) {
    const frc_vec3x2 m = frc_vec3x2_max(frc_vec3x2_abs(a), frc_vec3x2_abs(b));
    return frc_vec3x2_max(m, frc_vec3x2_swap(m));
}

// Bounds on the components of a cross product of vectors of extents a and b.
FRC_INLINE frc_vec3x2 cross_extent(frc_vec3x2 a, frc_vec3x2 b) {
    return (frc_vec3x2){f64x2_add(f64x2_mul(a.y, b.z), f64x2_mul(a.z, b.y)),
                        f64x2_add(f64x2_mul(a.z, b.x), f64x2_mul(a.x, b.z)),
                        f64x2_add(f64x2_mul(a.x, b.y), f64x2_mul(a.y, b.x))};
}

// Extents of at most 2^100, and a sum of products, to which the error bounds are relative, of at
// least 2^-700. The error of an underflowed product is 2^-1075, times at most 2^203 (m below), a
// dozen times: far below u 2^-700. Nothing overflows. Infinite differences have an infinite extent.
FRC_INLINE bool in_range(frc_vec3x2 a, frc_vec3x2 b, f64x2 sum) {
    const frc_vec3x2 m = frc_vec3x2_max(a, b);
    const f64x2 most = f64x2_max(f64x2_max(m.x, m.y), m.z);
    return m64x2_bits(m64x2_and(f64x2_le(most, f64x2_splat(0x1p100)),
                                f64x2_le(f64x2_splat(0x1p-700), sum))) == 3;
}

// Both lanes of a and of b are above e, or all are below -e.
FRC_INLINE bool one_sign(f64x2 a, f64x2 b, f64x2 e) {
    return (m64x2_bits(f64x2_lt(e, f64x2_min(a, b))) == 3) |
           (m64x2_bits(f64x2_lt(f64x2_max(a, b), f64x2_neg(e))) == 3);
}

// One common point: D0 = t w, w = D0(1), and c = det(D0, D1, D2) = t q with q = det(w, D1, D2),
// a quadratic. Its Bernstein coefficients are w.(D1^0 x D2^0), half of w.(D1^0 x D2^1 + D1^1 x
// D2^0), and w.(D1^1 x D2^1). When they have one sign there is no contact after t = 0. Bound: with
// S = sum over k of |w_k| C_k, where C bounds the components of |D1| x |D2|, the products of each
// outer coefficient sum up to at most S, and each has 3 roundings of differences, 2 in the cross
// product and 3 in the sum: 8 u S. Twice the inner one is the sum of two such: 2 * 9 u S. E = 20 u
// S covers the second order and the rounding of E.
FRC_INLINE bool apart_at_point(frc_ccd_kind kind, const frc_lanes* p) {
    frc_vec3x2 d[4];
    frc_differences(kind, p, d);
    const frc_vec3x2 w = at_end(d[0]), l = extent(d[1], d[2]);
    const f64x2 s = frc_vec3x2_dot(frc_vec3x2_abs(w), cross_extent(l, l));
    const f64x2 e = f64x2_mul(f64x2_splat(20 * FRC_CCD_UNIT), s);
    const f64x2 mixed = frc_vec3x2_dot(w, frc_vec3x2_cross(d[1], frc_vec3x2_swap(d[2])));
    const f64x2 inner = f64x2_add(mixed, f64x2_swap(mixed)),
                outer = frc_vec3x2_dot(w, frc_vec3x2_cross(d[1], d[2]));
    return one_sign(outer, inner, e) && in_range(frc_vec3x2_abs(w), l, s);
}

// Two edges that coincided: D0 = t w0, D3 = t w1, and with e = b - a D1 = D3 + e, D2 = D0 - e. With
// h_i = e x w_i, linear in t:
// * c = det(D0, D1, D2) = -t^2 w1.h_0. When w1.h_0 has one sign at both ends there is no contact
//   after t = 0.
// * For any fixed m consider the plane with normal e x m, which rotates with e. D0 and D2 are at
//   -t m.h_0, D1 and D3 at -t m.h_1. When m.h_0 and m.h_1 have one sign at both ends the plane
//   separates the edges after t = 0. This decides edges that move apart in parallel, which stay
//   nearly coplanar. m is the computed sum of all h_i; any vector is valid.
// Bound: h_i has the roundings of two differences, a product and a sum; the scalar product adds
// 3, and w1 one of its own: 8 u S, S = sum over k of W_k C_k or |m_k| C_k, C_k as above for e and
// W, the extent of w0 and w1. E = 10 u S covers the second order and the rounding of E.
FRC_INLINE bool apart_at_edge(const frc_lanes* p) {
    const frc_vec3x2 e = frc_vec3x2_sub(p->p[1], p->p[0]);
    const frc_vec3x2 w0 = at_end(frc_vec3x2_sub(p->p[2], p->p[0]));
    const frc_vec3x2 w1 = at_end(frc_vec3x2_sub(p->p[3], p->p[1]));
    const frc_vec3x2 l = extent(e, e), w = extent(w0, w1), most = cross_extent(l, w);
    const frc_vec3x2 h0 = frc_vec3x2_cross(e, w0), h1 = frc_vec3x2_cross(e, w1),
                     sum = frc_vec3x2_add(h0, h1);
    const frc_vec3x2 m = frc_vec3x2_add(sum, frc_vec3x2_swap(sum));
    const f64x2 unit = f64x2_splat(10 * FRC_CCD_UNIT);
    const f64x2 s = frc_vec3x2_dot(frc_vec3x2_abs(m), most), r = frc_vec3x2_dot(w, most),
                line = frc_vec3x2_dot(w1, h0);
    return (one_sign(frc_vec3x2_dot(m, h0), frc_vec3x2_dot(m, h1), f64x2_mul(unit, s)) &&
            in_range(l, w, s)) ||
           (one_sign(line, line, f64x2_mul(unit, r)) && in_range(l, w, r));
}

FRC_INLINE bool plane_rejects(frc_ccd_kind kind, const frc_point* points,
                              const frc_ccd_pair* pair) {
    frc_ccd_pair reordered = *pair;
    const coincidence common = reorder(kind, points, &reordered);
    if (common == NONE) return false;
    const frc_lanes p = frc_lanes_load(points, &reordered);
    return common == EDGE ? apart_at_edge(&p) : apart_at_point(kind, &p);
}

// ---- passes

FRC_INLINE size_t axis_pass(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                            size_t count, uint16_t* keep) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const frc_lanes p = frc_lanes_load(points, &pairs[i]);
        const frc_range r = frc_range_of(kind, &p);
        keep[n] = (uint16_t)i;
        n += !axis_rejects(&r);
    }
    return n;
}

FRC_INLINE size_t plane_pass(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                             size_t count, uint16_t* keep) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t at = keep[i];
        keep[n] = at;
        n += !plane_rejects(kind, points, &pairs[at]);
    }
    return n;
}

FRC_INLINE size_t filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                         size_t count, uint16_t* keep, frc_ccd_counts* counts) {
    const size_t a = axis_pass(kind, points, pairs, count, keep);
    const size_t b = plane_pass(kind, points, pairs, a, keep);
    counts->axis += count - a;
    counts->cubic += a - b;
    return b;
}

size_t frc_ccd_filter_after_start(frc_ccd_kind kind, const frc_point* points,
                                  const frc_ccd_pair* pairs, size_t count, uint16_t* keep,
                                  frc_ccd_counts* counts) {
    return kind == FRC_CCD_VF ? filter(FRC_CCD_VF, points, pairs, count, keep, counts)
                              : filter(FRC_CCD_EE, points, pairs, count, keep, counts);
}
