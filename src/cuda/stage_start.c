/// @file stage_start.c  Device code: the stage of contact at t = 0, in integers of fixed width.
///
/// Most pairs that floating point cannot decide touch at the start of the step. The exact stage
/// (geom/ccd_exact.c) finds the time 0 for these, as no root is earlier, and so does this one, with
/// its predicate on the positions at t = 0 alone.
///
/// Each axis is in its own unit, in which coordinates are integers below 2^60; where they span more
/// bits, nothing is decided. Then |D| < 2^61, the products of a component of P are below 2^122, P <
/// 2^123, N < 2^125, and the sums S and T of `is_coplanar` below 3 * 2^125 and 3 * 2^120.
#include "cuda/lists.h"
#include "cuda/quick_query.h"
#include "cuda/quick_roots.h"
#include "geom/ccd_hull_edges.h"

__extension__ typedef __int128 wide;

enum { START_BITS = 60 };

// Coordinate k of four points at t = 0 in the largest unit in which they are integers.
FRC_QUICK bool to_integers(const frc_moving_point p[4], int k, int64_t x[4]) {
    frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
    frc_double_parts part[4];
    FRC_UNROLL
    for (int i = 0; i < 4; i++) {
        part[i] = frc_double_split(p[i].x[k][0]);
        frc_double_span_add(&span, part[i]);
    }
    if (span.high - span.low > START_BITS) return false;
    FRC_UNROLL
    for (int i = 0; i < 4; i++) {
        const int shift = part[i].sign ? part[i].exponent - span.low : 0;
        const uint64_t m = shift < 0 ? part[i].mantissa >> -shift : part[i].mantissa << shift;
        x[i] = part[i].sign * (int64_t)m;
    }
    return true;
}

// Component k of D_x x D_y.
FRC_QUICK wide side(const int64_t d[4][3], int x, int y, int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    return (wide)d[x][i] * d[y][j] - (wide)d[x][j] * d[y][i];
}

// det(D0, D1, D2) = 0: the sum of D2_k P_k, whose factors P are hi * 2^64 + lo. S is the sum of
// D2_k lo, T of D2_k hi.
FRC_QUICK bool is_coplanar(const int64_t d[4][3]) {
    wide s = 0, t = 0;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        const wide p = side(d, 0, 1, k);
        s += (wide)d[2][k] * (uint64_t)p;
        t += (wide)d[2][k] * (int64_t)(p >> 64);
    }
    return (uint64_t)s == 0 && t + (s >> 64) == 0;
}

FRC_QUICK int sign_of(wide x) { return (x > 0) - (x < 0); }

// 0 lies between D_x and D_y.
FRC_QUICK bool between(const int64_t d[4][3], int x, int y) {
    bool on = true;
    FRC_UNROLL
    for (int k = 0; k < 3; k++)
        on = on && side(d, x, y, k) == 0 && (d[x][k] <= 0 || d[y][k] <= 0) &&
             (d[x][k] >= 0 || d[y][k] >= 0);
    return on;
}

// "Contact" of docs/exactness.md at t = 0.
FRC_QUICK bool in_contact(frc_ccd_kind kind, const int64_t d[4][3]) {
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    const frc_hull_edge* const sides = FRC_HULL_EDGES[kind];
    bool flat = true, inside = true, on_side = false;
    if (!is_coplanar(d)) return false;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        wide p[4];
        FRC_UNROLL
        for (int i = 0; i < count; i++) p[i] = side(d, sides[i].x, sides[i].y, k);
        const int n = sign_of(kind == FRC_CCD_VF ? p[0] + p[1] + p[2] : p[0] - p[1]);
        if (!flat || n == 0) continue;
        flat = false;
        FRC_UNROLL
        for (int i = 0; i < count; i++) inside = inside && n * sides[i].sign * sign_of(p[i]) >= 0;
    }
    if (!flat) return inside;
    FRC_UNROLL
    for (int i = 0; i < count; i++) on_side = on_side || between(d, sides[i].x, sides[i].y);
    return on_side;
}

FRC_QUICK frc_start_contact decide(frc_ccd_kind kind, const frc_moving_point p[4]) {
    const bool vf = kind == FRC_CCD_VF;
    int64_t d[4][3];
    bool ok = true;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        int64_t x[4] = {0, 0, 0, 0};
        ok = ok && to_integers(p, k, x);
        FRC_UNROLL
        for (int i = 0; i < (vf ? 3 : 4); i++)
            d[i][k] = x[vf ? 1 + i : 2 + i % 2] - x[vf ? 0 : i / 2];
    }
    if (!ok) return FRC_START_UNSURE;
    return in_contact(kind, (const int64_t(*)[3])d) ? FRC_START_CONTACT : FRC_START_APART;
}

FRC_DEVICE frc_start_contact frc_contact_at_start(frc_ccd_kind kind, const frc_moving_point p[4]) {
    return kind == FRC_CCD_VF ? decide(FRC_CCD_VF, p) : decide(FRC_CCD_EE, p);
}

FRC_QUICK bool touches(frc_ccd_kind kind, const frc_step* s, frc_slot_pair pair) {
    const frc_ccd_pair candidate = frc_quick_candidate(kind, s, pair);
    frc_moving_point p[4];
    FRC_UNROLL
    for (int i = 0; i < 4; i++) p[i] = s->points[candidate.point[i]];
    return decide(kind, p) == FRC_START_CONTACT;
}

FRC_STAGE(start) {
    const frc_pair_list* in = &s->lists[FRC_LIST_EXACT];
    const uint64_t count = frc_list_stored(in);
    FRC_EACH_32(first, count, warp, warps) {
        bool hit[FRC_LANES], left[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        double toi[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            hit[i] = left[i] = false;
            toi[i] = 0;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            hit[i] = s->kind == FRC_CCD_VF ? touches(FRC_CCD_VF, s, pair[i])
                                           : touches(FRC_CCD_EE, s, pair[i]);
            left[i] = !hit[i];
        }
        frc_hits_append(s, hit, pair, toi);
        frc_list_append(&s->lists[FRC_LIST_LATER], left, pair);
    }
}
