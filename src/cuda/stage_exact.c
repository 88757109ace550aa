/// @file stage_exact.c  Device code: the exact stage of contact in time.
///
/// A warp has one pair at a time, as pairs differ in every branch here. Its lanes do the steps of
/// geom/ccd_exact_fixed.c together: lane i has coordinate i, then polynomial i, of whose signs at a
/// time contact is a function. What that does not decide the first lane does in big integers
/// (geom/ccd_exact.c).
#include "cuda/four_points.h"
#include "cuda/lists.h"
#include "cuda/pair_siblings.h"
#include "geom/ccd_exact_fixed.h"

typedef frc_fixed_quadratic quadratic;

typedef enum exact_result { NO_HIT, HIT, UNSURE, TOO_DEEP } exact_result;

// What the lanes of a warp share.
typedef struct pair_data {
    int low[24], high[24];  // of coordinates; below as there
    int64_t x[24];          // of point i / 6 on axis i / 2 % 3 at time i % 2
    frc_fixed_motion motion;
    uint64_t product[3][4][3];  // D2_k P_0,k
    uint64_t cubic[4][3];
    int bits, span[3];
    uint32_t width_bits;
    bool isolated;
    double lower[3];
    frc_fixed_roots roots;
    frc_fixed_number at;
    frc_fixed_poly at_poly;
} pair_data;

// Arenas of coordinates of up to 53 bits are in memory that the lanes of a warp share: what one
// operation stores there the next one reads soon, where other memory takes ten times as long. Four
// warps have less than 48 KB.
enum { NEAR_BITS = 53, NEAR_LIMBS = FRC_CCD_EXACT_LIMBS(NEAR_BITS) };
typedef union near_memory {
    pair_data pair;
    uint64_t limbs[NEAR_LIMBS];
} near_memory;

// The difference vectors as integers, each axis in its unit. False: they span too many bits.
FRC_DEVICE static bool set_motion(const frc_step* s, frc_slot_pair slots, pair_data* d) {
    const bool vf = s->kind == FRC_CCD_VF;
    double x[FRC_LANES];
    FRC_EACH_LANE(i) {
        const uint32_t n = FRC_LANE(i);
        if (n >= 24) continue;
        const frc_ccd_pair candidate = frc_step_candidate(s, slots);
        frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
        x[i] = s->points[candidate.point[n / 6]].x[n / 2 % 3][n % 2];
        frc_double_span_add(&span, frc_double_split(x[i]));
        d->low[n] = span.low, d->high[n] = span.high;
    }
    frc_sync_warp();
    bool wide[FRC_LANES];
    FRC_EACH_LANE(i) {
        const uint32_t n = FRC_LANE(i), axis = n / 2 % 3;
        frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
        for (uint32_t j = 0; j < 8; j++) {
            const uint32_t other = j / 2 * 6 + axis * 2 + j % 2;
            if (d->low[other] < span.low) span.low = d->low[other];
            if (d->high[other] > span.high) span.high = d->high[other];
        }
        if (n < 6 && n % 2 == 0) d->span[axis] = span.high - span.low;
        wide[i] = n < 24 && span.high - span.low > FRC_FIXED_BITS;
        if (n < 24 && !wide[i]) d->x[n] = frc_fixed_from_double(x[i], span.low);
    }
    if (frc_ballot(wide)) return false;
    frc_sync_warp();
    FRC_EACH_LANE(i) {
        const uint32_t n = FRC_LANE(i), e = n % 2, in = n % 6, v = n / 6;
        // D: from point v / 2 to 2 + v % 2 for edges, from the vertex to corner v for a face. N:
        // along the edges, or along two of the face.
        const uint32_t from = vf ? 0 : v / 2, to = vf ? v + 1 : 2 + v % 2;
        if (n < (vf ? 18 : 24)) {
            const int64_t *a = &d->x[from * 6 + in - e], *b = &d->x[to * 6 + in - e];
            const int64_t start = b[0] - a[0];
            d->motion.d[v].c[in / 2][e] = e ? b[1] - a[1] - start : start;
        }
        if (n == 0) {
            d->bits = d->span[0] > d->span[1] ? d->span[0] : d->span[1];
            if (d->span[2] > d->bits) d->bits = d->span[2];
            d->width_bits = frc_ccd_exact_width_bits(s->tolerance);
        }
        if (n < 12) {
            const uint32_t tail = vf ? 1 : 2 * v, head = vf ? 2 + v : 2 * v + 1;
            const int64_t *a = &d->x[tail * 6 + in - e], *b = &d->x[head * 6 + in - e];
            const int64_t start = b[0] - a[0];
            d->motion.n[v].c[in / 2][e] = e ? b[1] - a[1] - start : start;
        }
    }
    frc_sync_warp();
    return true;
}

// The coefficients of det(D0, D1, D2), the sum over k of D2_k P_0,k.
FRC_DEVICE static void set_cubic(const quadratic* q, pair_data* d) {
    FRC_EACH_LANE(i) {
        const int k = (int)FRC_LANE(i) - 3;  // P_0 is behind N
        if (k < 0 || k >= 3) continue;
        uint64_t sum[4][3] = {{0}};
        FRC_FIXED_UNROLL
        for (int c = 0; c < 3; c++) {
            FRC_FIXED_UNROLL
            for (int j = 0; j < 2; j++) {
                uint64_t term[3];
                frc_fixed_product(q[i].c[c], d->motion.d[2].c[k][j], term);
                frc_fixed_add(sum[c + j], 3, term, 3, 0, false);
            }
        }
        FRC_FIXED_UNROLL
        for (int c = 0; c < 4; c++) frc_fixed_set(d->product[k][c], 3, sum[c], 3);
    }
    frc_sync_warp();
    FRC_EACH_LANE(i) {
        const uint32_t c = FRC_LANE(i);
        if (c >= 4) continue;
        uint64_t sum[3];
        frc_fixed_set(sum, 3, d->product[0][c], 3);
        frc_fixed_add(sum, 3, d->product[1][c], 3, 0, false);
        frc_fixed_add(sum, 3, d->product[2][c], 3, 0, false);
        frc_fixed_set(d->cubic[c], 3, sum, 3);
    }
    frc_sync_warp();
}

// The sign of polynomial n: bits of those that are positive, and of those that are negative.
typedef struct signs {
    uint32_t plus, minus;
} signs;

FRC_DEVICE static int sign_of(signs s, int n) {
    return (int)(s.plus >> n & 1) - (int)(s.minus >> n & 1);
}

FRC_DEVICE static signs signs_at(frc_ccd_kind kind, const quadratic* q,
                                 const frc_fixed_number* at) {
    bool plus[FRC_LANES], minus[FRC_LANES];
    FRC_EACH_LANE(i) {
        const bool used = (int)FRC_LANE(i) < frc_fixed_polynomials(kind);
        const int sign = used ? frc_fixed_sign_at(at, &q[i]) : 0;
        plus[i] = sign > 0, minus[i] = sign < 0;
    }
    signs s;
    s.plus = frc_ballot(plus);
    s.minus = frc_ballot(minus);
    return s;
}

// "Contact" of docs/exactness.md.
FRC_DEVICE static bool in_contact(frc_ccd_kind kind, signs s) {
    const frc_hull_edge* const sides = FRC_HULL_EDGES[kind];
    const int count = FRC_HULL_EDGE_COUNT[kind];
    for (int k = 0; k < 3; k++) {
        const int normal = sign_of(s, k);
        if (normal == 0) continue;
        bool inside = true;
        for (int i = 0; i < count; i++)
            inside = inside && normal * sides[i].sign * sign_of(s, 3 + 3 * i + k) >= 0;
        return inside;
    }
    bool on_side = false;
    for (int i = 0; i < count; i++) {
        bool on = true;
        for (int k = 0; k < 3; k++)
            on = on && sign_of(s, 3 + 3 * i + k) == 0 &&
                 sign_of(s, 3 + 3 * (count + sides[i].x) + k) *
                         sign_of(s, 3 + 3 * (count + sides[i].y) + k) <=
                     0;
        on_side = on_side || on;
    }
    return on_side;
}

FRC_DEVICE static bool is_start(const frc_fixed_number* a) {
    return a->kind == FRC_RATIONAL && (a->x[0] | a->x[1] | a->x[2]) == 0;
}

// The earliest root of the cubic with contact.
FRC_DEVICE static exact_result try_roots(const frc_step* s, bool after, const quadratic* q,
                                         pair_data* d, double* toi) {
    FRC_EACH_LANE(i) {
        if (FRC_LANE(i) > 0) continue;
        frc_fixed_poly c;
        frc_fixed_poly_make((const uint64_t(*)[3])d->cubic, &c);
        d->roots.count = 0;
        d->isolated = c.degree <= 0 || frc_fixed_isolate(&c, d->bits, d->width_bits, &d->roots);
        for (int k = 0; k < d->roots.count && d->isolated; k++)
            d->lower[k] = frc_fixed_lower(&d->roots.root[k]);
    }
    frc_sync_warp();
    if (!d->isolated) return UNSURE;
    exact_result r = NO_HIT;
    for (int k = 0; k < d->roots.count; k++) {
        if ((after && is_start(&d->roots.root[k])) || (r == HIT && d->lower[k] >= *toi)) continue;
        if (!in_contact(s->kind, signs_at(s->kind, q, &d->roots.root[k]))) continue;
        r = HIT;
        *toi = d->lower[k];
    }
    return r;
}

// The cubic is identically 0: contact can only begin at 0 or at a root of one of the polynomials.
// Each lane has the roots of its own; they are tested together, the earliest first.
FRC_DEVICE static exact_result try_events(const frc_step* s, bool after, const quadratic* q,
                                          pair_data* d, double* toi) {
    frc_fixed_roots roots[FRC_LANES];
    bool unsure[FRC_LANES];
    FRC_EACH_LANE(i) {
        if (FRC_LANE(i) > 0) continue;
        d->at.kind = after ? FRC_RIGHT_OF_ZERO : FRC_RATIONAL;
        for (int k = 0; k < 3; k++) d->at.x[k] = 0, d->at.y[k] = k == 0;
    }
    frc_sync_warp();
    *toi = 0;
    if (in_contact(s->kind, signs_at(s->kind, q, &d->at))) return HIT;
    frc_sync_warp();
    FRC_EACH_LANE(i) {
        frc_fixed_poly p;
        roots[i].count = 0;
        unsure[i] = false;
        if ((int)FRC_LANE(i) >= frc_fixed_polynomials(s->kind)) continue;
        frc_fixed_poly_quadratic(&q[i], &p);
        if (p.degree > 0) unsure[i] = !frc_fixed_isolate(&p, d->bits, d->width_bits, &roots[i]);
    }
    if (frc_ballot(unsure)) return UNSURE;
    for (;;) {
        // Times are not negative: their bits have the same order.
        uint64_t lower[FRC_LANES];
        int which[FRC_LANES];
        FRC_EACH_LANE(i) {
            lower[i] = UINT64_MAX;
            which[i] = -1;
            for (int k = 0; k < roots[i].count; k++) {
                const double time = frc_fixed_lower(&roots[i].root[k]);
                uint64_t bits;
                memcpy(&bits, &time, sizeof bits);
                if ((after && is_start(&roots[i].root[k])) || bits >= lower[i]) continue;
                lower[i] = bits;
                which[i] = k;
            }
        }
        const uint64_t least = frc_warp_least(lower);
        if (least == UINT64_MAX) return NO_HIT;
        bool has[FRC_LANES];
        FRC_EACH_LANE(i) has[i] = lower[i] == least;
        const uint32_t owner = frc_lowest_bit(frc_ballot(has));
        FRC_EACH_LANE(i) {
            if (FRC_LANE(i) != owner) continue;
            d->at = roots[i].root[which[i]];
            d->at_poly = roots[i].p;
            d->at.p = &d->at_poly;
            const int last = --roots[i].count;
            roots[i].root[which[i]] = roots[i].root[last];
        }
        frc_sync_warp();
        const bool contact = in_contact(s->kind, signs_at(s->kind, q, &d->at));
        frc_sync_warp();
        if (!contact) continue;
        memcpy(toi, &least, sizeof *toi);
        return HIT;
    }
}

FRC_DEVICE static exact_result decide_together(const frc_step* s, frc_slot_pair slots, bool after,
                                               pair_data* d, double* toi) {
    if (!set_motion(s, slots, d)) return UNSURE;
    quadratic q[FRC_LANES];
    FRC_EACH_LANE(i) {
        const int n = (int)FRC_LANE(i);
        q[i] =
            frc_fixed_polynomial(s->kind, &d->motion, n < frc_fixed_polynomials(s->kind) ? n : 0);
    }
    set_cubic(q, d);
    uint64_t any = 0;
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < 3; i++) any |= d->cubic[c][i];
    return any ? try_roots(s, after, q, d, toi) : try_events(s, after, q, d, toi);
}

// In big integers, by one lane.
FRC_DEVICE static exact_result decide_alone(const frc_step* s, frc_slot_pair slots, bool after,
                                            near_memory* near, uint64_t* far, double* toi) {
    frc_four_points p;
    int unit[3];
    frc_four_points_load(s, slots, &p);
    const int bits = frc_ccd_exact_units(p.list, unit);
    if (bits > FRC_CCD_SMALL_BITS) return TOO_DEEP;
    frc_big_arena arena;
    arena.top = bits <= NEAR_BITS ? near->limbs : far;
    arena.end = arena.top + (bits <= NEAR_BITS ? NEAR_LIMBS : FRC_CCD_SMALL_LIMBS);
    return frc_ccd_exact_decide(arena, s->kind, p.list, unit, after, s->tolerance, toi) ? HIT
                                                                                        : NO_HIT;
}

FRC_STAGE(exact) {
    const frc_pair_list* in = &s->lists[FRC_LIST_LATER];
    const uint64_t count = frc_list_stored(in);
    const uint32_t used = warps < s->limb_threads ? warps : s->limb_threads;
    FRC_SHARED(near_memory, near);
    if (warp >= used) return;
    FRC_EACH_SHARE(n, 1, count, warp, used) {
        bool hit[FRC_LANES], deep[FRC_LANES], out[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        double toi[FRC_LANES], together = 0;
        const frc_slot_pair slots = in->pairs[n];
        const bool after = frc_step_relation(s, slots) == FRC_SEPARATING;
        const exact_result result = decide_together(s, slots, after, &near->pair, &together);
        frc_sync_warp();
        FRC_EACH_LANE(i) {
            hit[i] = deep[i] = out[i] = false;
            if (FRC_LANE(i) > 0) continue;
            pair[i] = slots;
            toi[i] = together;
            const exact_result r =
                result != UNSURE
                    ? result
                    : decide_alone(s, slots, after, near,
                                   s->limbs + (size_t)warp * FRC_CCD_SMALL_LIMBS, &toi[i]);
            hit[i] = r == HIT, deep[i] = r == TOO_DEEP;
            out[i] = after && r == NO_HIT;
        }
        frc_hits_append(s, hit, pair, toi);
        frc_list_append(&s->lists[FRC_LIST_HOST], deep, pair);
        frc_count_left_out(s, out);
        frc_sync_warp();
    }
}
