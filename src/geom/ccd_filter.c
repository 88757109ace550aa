// Stage 1: three filters that only reject, each a branch-free pass over a block that compacts the
// numbers of the survivors. A register holds one coordinate at t = 0 and at t = 1.
//
// u = 2^-53, one rounding per operation, no contraction. D_i are the difference vectors of
// frc_ccd_query, L_k = max |fl(D_i,k)| over i and both ends, Lambda = Lx Ly Lz. fl(a - b) =
// (a - b)(1 + d), |d| <= u, also for subnormal results, and has the exact sign.
#include "geom/ccd_lanes.h"
#include "geom/ccd_stages.h"

// The range in which the cubic's products neither overflow nor lose what its bound promises: an
// underflowed product errs by 2^-1075 at most, times an extent, against u Lambda >= 2^-653 times
// that extent.
FRC_INLINE bool is_safe(frc_extent l) {
    return (l.x >= 0x1p-300) & (l.y >= 0x1p-300) & (l.z >= 0x1p-300) & (l.x <= 0x1p300) &
           (l.y <= 0x1p300) & (l.z <= 0x1p300);
}

// 1a. Axis filter, exact. A component that is positive (negative) for all D_i at both ends stays so
// in between, as it is linear: the relative motion never crosses that axis plane. Signs of
// differences are exact, infinite ones included: no bound, no range.
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
FRC_INLINE cubic cubic_of(const frc_vec d[4]) {
    const frc_vec s = frc_vec_swap(d[2]), r = frc_vec_swap(d[0]);
    const f64x2 nx = f64x2_sub(f64x2_mul(d[1].y, d[2].z), f64x2_mul(d[1].z, d[2].y));
    const f64x2 ny = f64x2_sub(f64x2_mul(d[1].z, d[2].x), f64x2_mul(d[1].x, d[2].z));
    const f64x2 nz = f64x2_sub(f64x2_mul(d[1].x, d[2].y), f64x2_mul(d[1].y, d[2].x));
    const f64x2 mx = f64x2_sub(f64x2_mul(d[1].y, s.z), f64x2_mul(d[1].z, s.y));
    const f64x2 my = f64x2_sub(f64x2_mul(d[1].z, s.x), f64x2_mul(d[1].x, s.z));
    const f64x2 mz = f64x2_sub(f64x2_mul(d[1].x, s.y), f64x2_mul(d[1].y, s.x));
    const f64x2 kx = f64x2_add(mx, f64x2_swap(mx));
    const f64x2 ky = f64x2_add(my, f64x2_swap(my));
    const f64x2 kz = f64x2_add(mz, f64x2_swap(mz));
    const f64x2 outer =
        f64x2_add(f64x2_add(f64x2_mul(d[0].x, nx), f64x2_mul(d[0].y, ny)), f64x2_mul(d[0].z, nz));
    f64x2 inner =
        f64x2_add(f64x2_add(f64x2_mul(d[0].x, kx), f64x2_mul(d[0].y, ky)), f64x2_mul(d[0].z, kz));
    inner = f64x2_add(inner, f64x2_mul(r.x, nx));
    inner = f64x2_add(inner, f64x2_mul(r.y, ny));
    inner = f64x2_add(inner, f64x2_mul(r.z, nz));
    return (cubic){outer, f64x2_mul(inner, f64x2_splat(1.0 / 3.0))};
}

// 1b. Cubic filter: coplanarity needs a root of det(D0, D1, D2), and a polynomial whose Bernstein
// coefficients have one sign has none.
// Bound: each of the 6 products of C0 passes 3 roundings of differences, 2 in the cross product and
// 3 in the sum: 6 * 8 u Lambda = 48 u Lambda. 3 C1 has 18 products with at most 3 + 2 + 1 + 6 = 12
// roundings: 216 u Lambda, a third of it 72, and the rounded 1/3 and its product add 2 u * 6
// Lambda: 84 u Lambda. E = 96 u Lambda covers the second order and the rounding of E.
// Range: is_safe; otherwise nothing is rejected.
FRC_INLINE bool cubic_keeps(const frc_vec d[4], const frc_range* r) {
    const frc_extent l = frc_extent_of(r);
    const double e = 96 * FRC_CCD_UNIT * (l.x * l.y * l.z);
    const cubic c = cubic_of(d);
    const f64x2 low = f64x2_min(c.outer, c.inner), high = f64x2_max(c.outer, c.inner);
    const int above = f64x2_min_lane(low) > e, below = f64x2_max_lane(high) < -e;
    const int safe = is_safe(l);
    return !((above | below) & safe);
}

// 1c. The same as 1a on the ten directions x+-y, x+-z, y+-z, x+-y+-z. Bound: one rounding in the
// difference and at most two in the sum: 3 u (Lx + Ly + Lz); E = 4 u (Lx + Ly + Lz) covers the
// second order. Range: sum below 2^1000 keeps every value finite; otherwise nothing is rejected.
FRC_INLINE bool directions_keep(frc_ccd_kind kind, const frc_vec d[4], const frc_range* r) {
    const int n = kind == FRC_CCD_VF ? 3 : 4;
    const frc_extent l = frc_extent_of(r);
    const double sum = l.x + l.y + l.z;
    f64x2 best = f64x2_splat(0);
    for (int sy = 0; sy < 2; sy++) {
        f64x2 xy[4], xz[4], yz[4], up[4], down[4];
        for (int i = 0; i < n; i++) {
            xy[i] = sy ? f64x2_sub(d[i].x, d[i].y) : f64x2_add(d[i].x, d[i].y);
            xz[i] = sy ? f64x2_sub(d[i].x, d[i].z) : f64x2_add(d[i].x, d[i].z);
            yz[i] = sy ? f64x2_sub(d[i].y, d[i].z) : f64x2_add(d[i].y, d[i].z);
            up[i] = f64x2_add(xy[i], d[i].z);
            down[i] = f64x2_sub(xy[i], d[i].z);
        }
        best = f64x2_max(best, f64x2_max(frc_margin(xy, n), frc_margin(xz, n)));
        best = f64x2_max(best, f64x2_max(frc_margin(yz, n), frc_margin(up, n)));
        best = f64x2_max(best, frc_margin(down, n));
    }
    const int apart = f64x2_max_lane(best) > 4 * FRC_CCD_UNIT * sum;
    return !(apart & (sum < 0x1p1000));
}

enum { AHEAD = 8 };  // candidates between the request for a point and its use

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

// Nothing is known yet: all are kept.
FRC_INLINE size_t no_pass(size_t count, uint16_t* keep) {
    for (size_t i = 0; i < count; i++) keep[i] = (uint16_t)i;
    return count;
}

FRC_INLINE size_t cubic_pass(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                             size_t count, uint16_t* keep) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t at = keep[i];
        const frc_ccd_pair* const next = &pairs[keep[i + AHEAD < count ? i + AHEAD : i]];
        for (int j = 0; j < 4; j++) __builtin_prefetch(&points[next->point[j]]);
        const frc_lanes q = frc_lanes_load(points, &pairs[at]);
        const frc_range r = frc_range_of(kind, &q);
        frc_vec d[4];
        frc_differences(kind, &q, d);
        keep[n] = at;
        n += cubic_keeps(d, &r);
    }
    return n;
}

FRC_INLINE size_t direction_pass(frc_ccd_kind kind, const frc_point* points,
                                 const frc_ccd_pair* pairs, size_t count, uint16_t* keep) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t at = keep[i];
        const frc_lanes q = frc_lanes_load(points, &pairs[at]);
        const frc_range r = frc_range_of(kind, &q);
        frc_vec d[4];
        frc_differences(kind, &q, d);
        keep[n] = at;
        n += directions_keep(kind, d, &r);
    }
    return n;
}

FRC_INLINE size_t filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                         size_t count, const frc_ccd_options* options, uint16_t* keep,
                         frc_ccd_counts* counts) {
    const bool all = options->filters == FRC_CCD_ALL_FILTERS;
    const bool none = options->filters == FRC_CCD_NO_FILTERS;
    const size_t a = options->axis_tested || !all ? no_pass(count, keep)
                                                  : axis_pass(kind, points, pairs, count, keep);
    const size_t b = none ? a : cubic_pass(kind, points, pairs, a, keep);
    const size_t c = all ? direction_pass(kind, points, pairs, b, keep) : b;
    counts->axis += count - a;
    counts->cubic += a - b;
    counts->directions += b - c;
    return c;
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
    frc_vec d[4];
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
