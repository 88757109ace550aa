/// @file ccd_filter.c  Stage 1: four filters that only reject, each a branch-free pass over a block
/// that compacts the indices of the remaining candidates. The lanes of a register are one
/// coordinate at t = 0 and at t = 1.
///
/// u = 2^-53, one rounding per operation, no contraction. D_i are the difference vectors of
/// frc_ccd_query, L_k = max |fl(D_i,k)| over i and both ends, Lambda = Lx Ly Lz. fl(a - b) =
/// (a - b)(1 + d), |d| <= u, also for subnormal results, and has the exact sign.
#include "geom/ccd_lanes.h"
#include "geom/ccd_stages.h"

// The range in which no product of the cubic overflows and its error bound holds: the error of an
// underflowed product is 2^-1075 at most, times an extent; u Lambda is at least 2^-653 times that
// extent.
FRC_INLINE bool is_safe(frc_extent l) {
    return (l.x >= 0x1p-300) & (l.y >= 0x1p-300) & (l.z >= 0x1p-300) & (l.x <= 0x1p300) &
           (l.y <= 0x1p300) & (l.z <= 0x1p300);
}

// 1a. Axis filter, exact. A component that is positive (negative) for all D_i at both ends stays so
// in between, as it is linear: the relative motion never crosses that axis plane. Signs of
// differences are exact, also of infinite ones: no bound, no range.
FRC_INLINE bool axis_keeps(const frc_range* r) {
    const f64x2 a = f64x2_pair_min(r->low.x, r->low.y);
    const f64x2 b = f64x2_pair_min(f64x2_neg(r->high.x), f64x2_neg(r->high.y));
    const f64x2 c = f64x2_pair_min(r->low.z, f64x2_neg(r->high.z));
    return !(f64x2_max_lane(f64x2_max(f64x2_max(a, b), c)) > 0);
}

typedef struct cubic {
    f64x2 outer, inner;  // (C0, C3), (C1, C2)
} cubic;

// Bernstein coefficients of det(D0, D1, D2). With n = D1 x D2 at one end and k the mixed products
// D1^0 x D2^1 + D1^1 x D2^0: C0 = D0^0.n^0, 3 C1 = D0^0.k + D0^1.n^0, 3 C2 = D0^1.k + D0^0.n^1,
// C3 = D0^1.n^1.
FRC_INLINE cubic cubic_of(const frc_vec3x2 d[4]) {
    const frc_vec3x2 s = frc_vec3x2_swap(d[2]), r = frc_vec3x2_swap(d[0]);
    const frc_vec3x2 n = frc_vec3x2_cross(d[1], d[2]), m = frc_vec3x2_cross(d[1], s);
    const frc_vec3x2 k = frc_vec3x2_add(m, frc_vec3x2_swap(m));
    const f64x2 outer = frc_vec3x2_dot(d[0], n);
    f64x2 inner = frc_vec3x2_dot(d[0], k);
    inner = f64x2_add(inner, f64x2_mul(r.x, n.x));
    inner = f64x2_add(inner, f64x2_mul(r.y, n.y));
    inner = f64x2_add(inner, f64x2_mul(r.z, n.z));
    return (cubic){outer, f64x2_mul(inner, f64x2_splat(1.0 / 3.0))};
}

// 1b. Cubic filter: coplanarity needs a root of det(D0, D1, D2), and a polynomial whose Bernstein
// coefficients have one sign has none.
// Bound: each of the 6 products of C0 has 3 roundings of differences, 2 in the cross product and
// 3 in the sum: 6 * 8 u Lambda = 48 u Lambda. 3 C1 has 18 products with at most 3 + 2 + 1 + 6 = 12
// roundings: 216 u Lambda, a third of it 72, and the rounded 1/3 and its product add 2 u * 6
// Lambda: 84 u Lambda. E = 96 u Lambda covers the second order and the rounding of E.
// Range: is_safe; otherwise nothing is rejected.
// (frc_ccd_query_make computes the cubic this way; ccd_roots.c uses it with this bound.)
//
// The filter itself is in floats, two candidates at a time in lanes (start, end, start, end): the
// same sums with u = 2^-24, where the rounding of a difference to float replaces its rounding to
// double. L_k is the largest component of D0, D1, D2, as no other D_i is used.
// Range: extents in [2^-20, 2^20]. There the error of an underflowed product is 2^-126 at most,
// times an extent; u Lambda is at least 2^-64 times that extent. Otherwise nothing is rejected;
// infinities and NaN fail the range test too.
#define FLOAT_UNIT (FRC_CCD_UNIT * 0x1p29f)

FRC_INLINE frc_vec3x4 swap_ends(frc_vec3x4 a) {
    return (frc_vec3x4){f32x4_swap_pairs(a.x), f32x4_swap_pairs(a.y), f32x4_swap_pairs(a.z)};
}

// The largest magnitude of both ends, in both lanes.
FRC_INLINE f32x4 extent4(f32x4 a, f32x4 b, f32x4 c) {
    const f32x4 m = f32x4_max(f32x4_max(f32x4_abs(a), f32x4_abs(b)), f32x4_abs(c));
    return f32x4_max(m, f32x4_swap_pairs(m));
}

FRC_INLINE m32x4 in_range(f32x4 a) {
    return m32x4_and(f32x4_le(f32x4_splat(0x1p-20f), a), f32x4_le(a, f32x4_splat(0x1p20f)));
}

// Lambda of D0, D1, D2 of two candidates, and whether their extents are in range.
typedef struct volume {
    f32x4 lambda;
    m32x4 safe;
} volume;

FRC_INLINE volume volume_of(const frc_vec3x4 d[3]) {
    const f32x4 lx = extent4(d[0].x, d[1].x, d[2].x), ly = extent4(d[0].y, d[1].y, d[2].y),
                lz = extent4(d[0].z, d[1].z, d[2].z);
    return (volume){f32x4_mul(f32x4_mul(lx, ly), lz),
                    m32x4_and(m32x4_and(in_range(lx), in_range(ly)), in_range(lz))};
}

// Bits 0 and 2: the first and the second candidate is rejected.
FRC_INLINE unsigned cubics_reject(const frc_vec3x4 d[3]) {
    const volume l = volume_of(d);
    const f32x4 e = f32x4_mul(f32x4_splat((float)(96 * FLOAT_UNIT)), l.lambda);
    const frc_vec3x4 n = frc_vec3x4_cross(d[1], d[2]), m = frc_vec3x4_cross(d[1], swap_ends(d[2]));
    const frc_vec3x4 k = frc_vec3x4_add(m, swap_ends(m));
    const f32x4 outer = frc_vec3x4_dot(d[0], n);
    const f32x4 inner =
        f32x4_mul(f32x4_add(frc_vec3x4_dot(d[0], k), frc_vec3x4_dot(swap_ends(d[0]), n)),
                  f32x4_splat((float)(1.0 / 3.0)));
    const f32x4 low = f32x4_min(outer, inner), high = f32x4_max(outer, inner);
    const m32x4 above = f32x4_lt(e, f32x4_min(low, f32x4_swap_pairs(low)));
    const m32x4 below =
        f32x4_lt(f32x4_max(high, f32x4_swap_pairs(high)), f32x4_sub(f32x4_splat(0), e));
    return m32x4_bits(m32x4_and(m32x4_or(above, below), l.safe));
}

// 1c. Sweep filter: 1a along one direction, perpendicular to the relative motion and to one edge.
// Features that pass each other at high speed overlap at one end of the step along most other
// directions; along this one they do not move relative to each other.
// The motion is v = s^1 - s^0 with s = D1 + D2, the edge e = (D2 - D0)^0 + (D2 - D0)^1, a side of
// the face or the first edge. The direction is the rounded n = v x e; any vector is valid, so its
// own error does not matter. For EE, D3 = D1 + D2 - D0.
// Bound, in floats as 1b: |v_k| and |e_k| are at most 4 L_k, |n_x| at most 32 Ly Lz and so on, so
// that the products of n.D_i sum up to 96 Lambda. Each has 1 rounding of the difference, 1 of
// itself and 2 in the sum: 384 u Lambda. n.D3 has three times that and rounds sums of at most 192
// and 288 Lambda: 1632 u Lambda. E = 1700 u Lambda covers the second order. Range as 1b: an
// underflow in n only changes the direction; one in n.D_i has an error of 2^-126, and u Lambda >=
// 2^-84.
// v and n have opposite signs in the two lanes of a candidate: the D_i lie on one side at both ends
// when their products with n are positive in one lane and negative in the other.
#if !defined(FRC_CCD_SWEEP_BOUND)
#define FRC_CCD_SWEEP_BOUND 1700  // a mutation test sets 0
#endif
// Bits 0 and 2: the first and the second candidate is rejected.
FRC_INLINE unsigned sweeps_reject(frc_ccd_kind kind, const frc_vec3x4 d[3]) {
    const volume l = volume_of(d);
    const f32x4 e = f32x4_mul(f32x4_splat((float)(FRC_CCD_SWEEP_BOUND * FLOAT_UNIT)), l.lambda);
    const frc_vec3x4 sum = frc_vec3x4_add(d[1], d[2]), side = frc_vec3x4_sub(d[2], d[0]);
    const frc_vec3x4 n = frc_vec3x4_cross(frc_vec3x4_sub(swap_ends(sum), sum),
                                          frc_vec3x4_add(side, swap_ends(side)));
    const f32x4 w[3] = {frc_vec3x4_dot(n, d[0]), frc_vec3x4_dot(n, d[1]), frc_vec3x4_dot(n, d[2])};
    f32x4 low = f32x4_min(f32x4_min(w[0], w[1]), w[2]);
    f32x4 high = f32x4_max(f32x4_max(w[0], w[1]), w[2]);
    if (kind == FRC_CCD_EE) {
        const f32x4 last = f32x4_sub(f32x4_add(w[1], w[2]), w[0]);
        low = f32x4_min(low, last), high = f32x4_max(high, last);
    }
    const f32x4 margin = f32x4_min(low, f32x4_sub(f32x4_splat(0), f32x4_swap_pairs(high)));
    const unsigned either = m32x4_bits(m32x4_and(f32x4_lt(e, margin), l.safe));
    return either | either >> 1;
}

// 1d. 1a along the ten directions x+-y, x+-z, y+-z, x+-y+-z, in floats as 1b. Bound: one rounding
// of the difference (its rounding to double is of second order) and at most two in the sum:
// 3 u (Lx + Ly + Lz); E = 4 u (Lx + Ly + Lz) covers the second order. L over all D_i. Range: a sum
// of extents in [2^-80, 2^80]: E covers sums that underflow, even to zero, and nothing overflows;
// otherwise nothing is rejected.

// v: the products of all D_i with one direction. The margin by which they are on one side of 0 at
// both ends, in both lanes.
FRC_INLINE f32x4 margin4(const f32x4 v[4], int count) {
    f32x4 low = f32x4_min(v[0], v[1]), high = f32x4_max(v[0], v[1]);
    for (int i = 2; i < count; i++) {
        low = f32x4_min(low, v[i]);
        high = f32x4_max(high, v[i]);
    }
    const f32x4 back = f32x4_sub(f32x4_splat(0), f32x4_max(high, f32x4_swap_pairs(high)));
    return f32x4_max(f32x4_min(low, f32x4_swap_pairs(low)), back);
}

FRC_INLINE f32x4 extent_of_all(frc_ccd_kind kind, const f32x4 v[4]) {
    const f32x4 three = extent4(v[0], v[1], v[2]);
    return kind == FRC_CCD_VF ? three : f32x4_max(three, extent4(v[3], v[3], v[3]));
}

// Bits 0 and 2: the first and the second candidate is rejected.
FRC_INLINE unsigned directions_reject(frc_ccd_kind kind, const frc_vec3x4 d[4]) {
    const int n = kind == FRC_CCD_VF ? 3 : 4;
    f32x4 x[4], y[4], z[4], best = f32x4_splat(0);
    for (int i = 0; i < n; i++) x[i] = d[i].x, y[i] = d[i].y, z[i] = d[i].z;
    for (int minus = 0; minus < 2; minus++) {
        f32x4 xy[4], xz[4], yz[4], up[4], down[4];
        for (int i = 0; i < n; i++) {
            xy[i] = minus ? f32x4_sub(x[i], y[i]) : f32x4_add(x[i], y[i]);
            xz[i] = minus ? f32x4_sub(x[i], z[i]) : f32x4_add(x[i], z[i]);
            yz[i] = minus ? f32x4_sub(y[i], z[i]) : f32x4_add(y[i], z[i]);
            up[i] = f32x4_add(xy[i], z[i]);
            down[i] = f32x4_sub(xy[i], z[i]);
        }
        best = f32x4_max(best, f32x4_max(margin4(xy, n), margin4(xz, n)));
        best = f32x4_max(best, f32x4_max(margin4(yz, n), margin4(up, n)));
        best = f32x4_max(best, margin4(down, n));
    }
    const f32x4 sum = f32x4_add(f32x4_add(extent_of_all(kind, x), extent_of_all(kind, y)),
                                extent_of_all(kind, z));
    const f32x4 e = f32x4_mul(f32x4_splat((float)(4 * FLOAT_UNIT)), sum);
    const m32x4 safe =
        m32x4_and(f32x4_le(f32x4_splat(0x1p-80f), sum), f32x4_le(sum, f32x4_splat(0x1p80f)));
    return m32x4_bits(m32x4_and(safe, f32x4_lt(e, best)));
}

enum { AHEAD = 8 };  // prefetch distance in candidates

FRC_INLINE size_t axis_pass(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                            size_t count, uint16_t* keep) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const frc_ccd_pair* const next = &pairs[i + AHEAD < count ? i + AHEAD : i];
        for (int j = 0; j < 4; j++) __builtin_prefetch(&points[next->point[j]]);
        const frc_lanes q = frc_lanes_load(points, &pairs[i]);
        const frc_range r = frc_range_of(kind, &q);
        keep[n] = (uint16_t)i;
        n += axis_keeps(&r);
    }
    return n;
}

FRC_INLINE void load_differences(frc_ccd_kind kind, const frc_point* points,
                                 const frc_ccd_pair* pair, frc_vec3x2 d[4]) {
    const frc_lanes q = frc_lanes_load(points, pair);
    frc_differences(kind, &q, d);
}

typedef enum filter_kind { BY_CUBIC, BY_SWEEP, BY_DIRECTIONS } filter_kind;

// Bits 0 and 2: the first and the second candidate is rejected.
FRC_INLINE unsigned reject_two(frc_ccd_kind kind, filter_kind by, const frc_point* points,
                               const frc_ccd_pair* first, const frc_ccd_pair* second) {
    const int n = by == BY_DIRECTIONS && kind == FRC_CCD_EE ? 4 : 3;
    frc_vec3x2 a[4], b[4];
    frc_vec3x4 d[4];
    load_differences(kind, points, first, a);
    load_differences(kind, points, second, b);
    for (int i = 0; i < n; i++)
        d[i] = (frc_vec3x4){f32x4_from(a[i].x, b[i].x), f32x4_from(a[i].y, b[i].y),
                            f32x4_from(a[i].z, b[i].z)};
    return by == BY_CUBIC   ? cubics_reject(d)
           : by == BY_SWEEP ? sweeps_reject(kind, d)
                            : directions_reject(kind, d);
}

// For an odd count the last candidate is paired with itself.
FRC_INLINE size_t float_pass(frc_ccd_kind kind, filter_kind by, const frc_point* points,
                             const frc_ccd_pair* pairs, size_t count, uint16_t* keep) {
    size_t n = 0;
    for (size_t i = 0; i < count; i += 2) {
        const bool two = i + 1 < count;
        const uint16_t at[2] = {keep[i], keep[i + two]};
        const unsigned rejected = reject_two(kind, by, points, &pairs[at[0]], &pairs[at[1]]);
        keep[n] = at[0];
        n += !(rejected & 1);
        keep[n] = at[1];
        n += two && !(rejected & 4);
    }
    return n;
}

// Specialises float_pass for each filter.
FRC_INLINE size_t pass(frc_ccd_kind kind, filter_kind by, const frc_point* points,
                       const frc_ccd_pair* pairs, size_t count, uint16_t* keep) {
    switch (by) {
    case BY_CUBIC:
        return float_pass(kind, BY_CUBIC, points, pairs, count, keep);
    case BY_SWEEP:
        return float_pass(kind, BY_SWEEP, points, pairs, count, keep);
    default:
        return float_pass(kind, BY_DIRECTIONS, points, pairs, count, keep);
    }
}

// The order of filters with the least expected work, by the rejections so far: the sweep filter is
// first in fast relative motion and last where objects hardly move.
static const filter_kind* order_of(const frc_ccd_counts* counts) {
    static const filter_kind ORDER[3][3] = {
        {BY_SWEEP, BY_CUBIC,      BY_DIRECTIONS},
        {BY_CUBIC, BY_SWEEP,      BY_DIRECTIONS},
        {BY_CUBIC, BY_DIRECTIONS, BY_SWEEP     }
    };
    if (counts->sweep < counts->directions) return ORDER[2];
    return ORDER[2 * counts->sweep > counts->cubic ? 0 : 1];
}

FRC_INLINE size_t filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                         size_t count, const frc_ccd_options* options, uint16_t* keep,
                         frc_ccd_counts* counts) {
    const bool all = options->filters == FRC_CCD_ALL_FILTERS;
    const filter_kind* const order = order_of(counts);
    uint64_t* const rejected[3] = {&counts->cubic, &counts->sweep, &counts->directions};
    size_t n = count;
    if (all && !options->axis_tested)
        n = axis_pass(kind, points, pairs, count, keep);
    else
        for (size_t i = 0; i < count; i++) keep[i] = (uint16_t)i;
    counts->axis += count - n;
    for (int i = 0; i < 3 && options->filters != FRC_CCD_NO_FILTERS; i++) {
        if (!all && order[i] != BY_CUBIC) continue;
        const size_t left = pass(kind, order[i], points, pairs, n, keep);
        *rejected[order[i]] += n - left;
        n = left;
    }
    return n;
}

size_t frc_ccd_filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                      size_t count, const frc_ccd_options* options, uint16_t* keep,
                      frc_ccd_counts* counts) {
    return kind == FRC_CCD_VF ? filter(FRC_CCD_VF, points, pairs, count, options, keep, counts)
                              : filter(FRC_CCD_EE, points, pairs, count, options, keep, counts);
}

void frc_ccd_query_make(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pair,
                        frc_ccd_query* out) {
    const frc_lanes q = frc_lanes_load(points, pair);
    const frc_range r = frc_range_of(kind, &q);
    const frc_extent l = frc_extent_of(&r);
    frc_vec3x2 d[4];
    frc_differences(kind, &q, d);
    out->kind = kind;
    out->count = kind == FRC_CCD_VF ? 3 : 4;
    for (int i = 0; i < out->count; i++) {
        f64x2_store(out->d[i][0], d[i].x);
        f64x2_store(out->d[i][1], d[i].y);
        f64x2_store(out->d[i][2], d[i].z);
    }
    out->extent[0] = l.x, out->extent[1] = l.y, out->extent[2] = l.z;
    out->safe = is_safe(l);
    const cubic c = cubic_of(d);
    out->cubic[0] = f64x2_low(c.outer), out->cubic[1] = f64x2_low(c.inner);
    out->cubic[2] = f64x2_high(c.inner), out->cubic[3] = f64x2_high(c.outer);
}
