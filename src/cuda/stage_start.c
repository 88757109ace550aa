/// @file stage_start.c  Device code: the stage of contact at t = 0, in integers of fixed width.
///
/// Most pairs that floating point cannot decide touch at the start of the step. The exact stage
/// (geom/ccd_exact.c) finds the time 0 for these, as no root is earlier, and so does this one, with
/// its predicate on the positions at t = 0 alone.
///
/// Each axis is in its own unit, in which coordinates are integers of at most B bits. Then |D| <
/// 2^(B + 1), the components of P are below 2^(2B + 3), of N below 2^(2B + 5), and the determinant
/// is below 2^(3B + 6). They are in two's complement, in limbs of 64 bits: 1, 2 and 4 for B <= 60,
/// then 2, 3 and 5 for B <= 92. Other pairs are left to the exact stage.
#include "cuda/lists.h"
#include "cuda/quick_query.h"
#include "cuda/quick_roots.h"
#include "geom/ccd_hull_edges.h"

__extension__ typedef unsigned __int128 wide;

enum { MOST_LIMBS = 5, NARROW_BITS = 60, WIDE_BITS = 92 };

typedef struct number {
    uint64_t limb[MOST_LIMBS];  // of which a constant number is used
} number;

FRC_QUICK uint64_t limb_of(const number* a, int limbs, int i) {
    return i < limbs ? a->limb[i] : (uint64_t)((int64_t)a->limb[limbs - 1] >> 63);
}

// a * b, of `limbs` limbs.
FRC_QUICK number multiply(const number* a, int limbs_a, const number* b, int limbs_b, int limbs) {
    number r = {{0}};
    FRC_UNROLL
    for (int i = 0; i < limbs; i++) r.limb[i] = 0;
    FRC_UNROLL
    for (int i = 0; i < limbs; i++) {
        uint64_t carry = 0;
        const uint64_t x = limb_of(a, limbs_a, i);
        FRC_UNROLL
        for (int j = 0; i + j < limbs; j++) {
            const wide t = (wide)x * limb_of(b, limbs_b, j) + r.limb[i + j] + carry;
            r.limb[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
    }
    return r;
}

// a + b, or a - b.
FRC_QUICK number add(const number* a, const number* b, int limbs, bool minus) {
    number r = {{0}};
    uint64_t carry = minus;
    FRC_UNROLL
    for (int i = 0; i < limbs; i++) {
        const wide t = (wide)a->limb[i] + (minus ? ~b->limb[i] : b->limb[i]) + carry;
        r.limb[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    return r;
}

FRC_QUICK int sign_of(const number* a, int limbs) {
    uint64_t any = 0;
    FRC_UNROLL
    for (int i = 0; i < limbs; i++) any |= a->limb[i];
    return (int64_t)a->limb[limbs - 1] < 0 ? -1 : any != 0;
}

// sign * mantissa * 2^shift; a shift to the right is exact.
FRC_QUICK number from_parts(frc_double_parts p, int shift, int limbs) {
    number r = {{0}}, zero = {{0}};
    FRC_UNROLL
    for (int i = 0; i < limbs; i++) {
        const int up = shift - 64 * i;
        uint64_t part = 0;
        if (up >= 0 && up < 64) part = p.mantissa << up;
        if (up < 0 && up > -64) part = p.mantissa >> -up;
        r.limb[i] = part;
    }
    return p.sign < 0 ? add(&zero, &r, limbs, true) : r;
}

// Coordinate k of four points at t = 0 in the largest unit in which they are integers.
FRC_QUICK bool to_integers(const frc_moving_point p[4], int k, int bits, int limbs, number x[4]) {
    frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
    frc_double_parts part[4];
    FRC_UNROLL
    for (int i = 0; i < 4; i++) {
        part[i] = frc_double_split(p[i].x[k][0]);
        frc_double_span_add(&span, part[i]);
    }
    FRC_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = from_parts(part[i], part[i].sign ? part[i].exponent - span.low : 0, limbs);
    return span.high - span.low <= bits;
}

// Component k of D_x x D_y.
FRC_QUICK number side(const number d[4][3], int limbs, int x, int y, int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const number a = multiply(&d[x][i], limbs, &d[y][j], limbs, limbs + 1),
                 b = multiply(&d[x][j], limbs, &d[y][i], limbs, limbs + 1);
    return add(&a, &b, limbs + 1, true);
}

// det(D0, D1, D2) = 0: the sum of D2_k P_k.
FRC_QUICK bool is_coplanar(const number d[4][3], int limbs) {
    number sum = {{0}};
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        const number p = side(d, limbs, 0, 1, k),
                     product = multiply(&d[2][k], limbs, &p, limbs + 1, limbs + 3);
        sum = k ? add(&sum, &product, limbs + 3, false) : product;
    }
    return sign_of(&sum, limbs + 3) == 0;
}

// 0 lies between D_x and D_y.
FRC_QUICK bool between(const number d[4][3], int limbs, int x, int y) {
    bool on = true;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        const number p = side(d, limbs, x, y, k);
        on = on && sign_of(&p, limbs + 1) == 0 &&
             sign_of(&d[x][k], limbs) * sign_of(&d[y][k], limbs) <= 0;
    }
    return on;
}

// "Contact" of docs/exactness.md at t = 0.
FRC_QUICK bool in_contact(frc_ccd_kind kind, const number d[4][3], int limbs) {
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    const frc_hull_edge* const sides = FRC_HULL_EDGES[kind];
    bool flat = true, inside = true, on_side = false;
    if (!is_coplanar(d, limbs)) return false;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        number p[4], n;
        FRC_UNROLL
        for (int i = 0; i < count; i++) p[i] = side(d, limbs, sides[i].x, sides[i].y, k);
        n = add(&p[0], &p[1], limbs + 1, kind == FRC_CCD_EE);
        if (kind == FRC_CCD_VF) n = add(&n, &p[2], limbs + 1, false);
        const int sign = sign_of(&n, limbs + 1);
        if (!flat || sign == 0) continue;
        flat = false;
        FRC_UNROLL
        for (int i = 0; i < count; i++)
            inside = inside && sign * sides[i].sign * sign_of(&p[i], limbs + 1) >= 0;
    }
    if (!flat) return inside;
    FRC_UNROLL
    for (int i = 0; i < count; i++) on_side = on_side || between(d, limbs, sides[i].x, sides[i].y);
    return on_side;
}

FRC_QUICK frc_start_contact decide_in(frc_ccd_kind kind, const frc_moving_point p[4], int bits,
                                      int limbs) {
    const bool vf = kind == FRC_CCD_VF;
    number d[4][3];
    bool fits = true;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        number x[4];
        fits = to_integers(p, k, bits, limbs, x) && fits;
        FRC_UNROLL
        for (int i = 0; i < (vf ? 3 : 4); i++)
            d[i][k] = add(&x[vf ? 1 + i : 2 + i % 2], &x[vf ? 0 : i / 2], limbs, true);
    }
    if (!fits) return FRC_START_UNSURE;
    return in_contact(kind, (const number(*)[3])d, limbs) ? FRC_START_CONTACT : FRC_START_APART;
}

FRC_QUICK frc_start_contact decide(frc_ccd_kind kind, const frc_moving_point p[4]) {
    const frc_start_contact narrow = decide_in(kind, p, NARROW_BITS, 1);
    return narrow != FRC_START_UNSURE ? narrow : decide_in(kind, p, WIDE_BITS, 2);
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
    const uint32_t share = frc_share_of_warp(count, warps, FRC_WARP);
    FRC_EACH_SHARE(first, share, count, warp, warps) {
        bool hit[FRC_LANES], left[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        double toi[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            hit[i] = left[i] = false;
            toi[i] = 0;
            if (FRC_LANE(i) >= share || n >= count) continue;
            pair[i] = in->pairs[n];
            hit[i] = s->kind == FRC_CCD_VF ? touches(FRC_CCD_VF, s, pair[i])
                                           : touches(FRC_CCD_EE, s, pair[i]);
            left[i] = !hit[i];
        }
        frc_hits_append(s, hit, pair, toi);
        frc_list_append(&s->lists[FRC_LIST_LATER], left, pair);
    }
}
