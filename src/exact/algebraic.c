/// @file algebraic.c  Integer polynomials at rational and algebraic numbers: exact signs, and a
/// lower bound of the number as a double.
#include "exact/algebraic.h"
#include "exact/double_parts.h"

typedef frc_big big;
typedef frc_big_arena arena;

#if defined(FRC_ALGEBRAIC_COVER)
unsigned long frc_algebraic_cover[FRC_COVER_COUNT];
#endif

FRC_DEVICE frc_poly frc_poly_make(frc_big c0, frc_big c1, frc_big c2, frc_big c3) {
    frc_poly p = {
        {c0, c1, c2, c3},
        3
    };
    while (p.degree >= 0 && p.c[p.degree].sign == 0) p.degree--;
    return p;
}

// Horner's scheme for y^degree p(x / y).
FRC_DEVICE int frc_poly_sign_rational(frc_big_arena s, const frc_poly* p, frc_big x, frc_big y) {
    if (p->degree <= 0) return p->c[0].sign;
    big value = p->c[p->degree], power = y;
    for (int i = p->degree - 1; i >= 0; i--) {
        value =
            frc_big_add(&s, frc_big_multiply(&s, value, x), frc_big_multiply(&s, p->c[i], power));
        if (i) power = frc_big_multiply(&s, power, y);
    }
    return value.sign;
}

FRC_DEVICE int frc_poly_sign_dyadic(frc_big_arena s, const frc_poly* p, frc_big m, uint32_t k) {
    if (p->degree <= 0) return p->c[0].sign;
    big value = p->c[p->degree];
    for (int i = p->degree - 1; i >= 0; i--) {
        const big term = frc_big_shift(&s, p->c[i], k * (uint32_t)(p->degree - i));
        value = frc_big_add(&s, frc_big_multiply(&s, value, m), term);
    }
    return value.sign;
}

FRC_DEVICE frc_algebraic frc_algebraic_rational(frc_big x, frc_big y) {
    frc_algebraic a = {.kind = FRC_RATIONAL, .x = x, .y = y};
    if (y.sign < 0) {
        a.x = frc_big_negate(x);
        a.y = frc_big_negate(y);
    }
    return a;
}

// Sign of q just inside the end m / 2^k of an interval; `inward` is 1 at the left end, -1 at the
// right end. Where q vanishes its derivative decides, and where that vanishes too, q2.
FRC_DEVICE static int sign_inside_end(arena s, const frc_poly* q, big m, uint32_t k, int inward) {
    const int sign = frc_poly_sign_dyadic(s, q, m, k);
    if (sign) return sign;
    FRC_COVER(END_ZERO);
    const big twice = frc_big_times(&s, q->c[2], 2);
    const frc_poly slope = frc_poly_make(q->c[1], twice, FRC_BIG_ZERO, FRC_BIG_ZERO);
    const int slope_sign = frc_poly_sign_dyadic(s, &slope, m, k);
    return slope_sign ? inward * slope_sign : q->c[2].sign;
}

// Sign of q, of degree 1, at a FRC_ROOT.
FRC_DEVICE static int sign_linear(arena s, const frc_algebraic* at, const frc_poly* q) {
    const int at_lo = frc_poly_sign_dyadic(s, q, at->lo, at->k);
    const int at_hi = frc_poly_sign_dyadic(s, q, at->hi, at->k);
    if (at_lo == 0) return at_hi;
    if (at_hi == 0 || at_lo == at_hi) return at_lo;
    // The root beta of q lies inside; the sign of p at beta gives its side of the root alpha of p.
    const frc_algebraic beta = frc_algebraic_rational(frc_big_negate(q->c[0]), q->c[1]);
    const int p_sign = frc_poly_sign_rational(s, &at->p, beta.x, beta.y);
    if (p_sign == 0) {
        FRC_COVER(LINEAR_AT_ROOT);
        return 0;
    }
    FRC_COVER(LINEAR_INSIDE);
    return p_sign == at->sign_lo ? at_hi : at_lo;
}

// x / y with y > 0
typedef struct fraction {
    big x, y;
} fraction;

// Pseudo-remainder of p by q: r0 + r1 t is the remainder times a factor whose sign is `sign`.
typedef struct pseudo_remainder {
    big r0, r1;
    int sign;
} pseudo_remainder;

FRC_DEVICE static pseudo_remainder divide(arena* s, const frc_poly* p, const frc_poly* q) {
    const big q0 = q->c[0], q1 = q->c[1], q2 = q->c[2], p0 = p->c[0], p1 = p->c[1], p2 = p->c[2];
    const big a1 = frc_big_cross(s, p1, q2, p2, q1), a0 = frc_big_cross(s, p0, q2, p2, q0);
    if (p->degree == 2) return (pseudo_remainder){a0, a1, q2.sign};
    // degree 3: q2 (p - p3 t^3) mod q as above, times q2, plus q2^2 p3 t^3 mod q
    const big b1 = frc_big_cross(s, q1, q1, q0, q2), b0 = frc_big_multiply(s, q0, q1);
    return (pseudo_remainder){
        frc_big_add(s, frc_big_multiply(s, a0, q2), frc_big_multiply(s, p->c[3], b0)),
        frc_big_add(s, frc_big_multiply(s, a1, q2), frc_big_multiply(s, p->c[3], b1)), 1};
}

FRC_DEVICE static int linear_sign(arena s, const pseudo_remainder* r, fraction f) {
    return frc_big_add(&s, frc_big_multiply(&s, r->r1, f.x), frc_big_multiply(&s, r->r0, f.y)).sign;
}

// Sign of p at the only root beta of q between lo and hi; q has the sign q_lo just right of lo.
FRC_DEVICE static int sign_at_beta(arena s, const frc_algebraic* at, const frc_poly* q, fraction lo,
                                   fraction hi, int q_lo) {
    const pseudo_remainder r = divide(&s, &at->p, q);
    if (r.r1.sign == 0) {
        FRC_COVER(REMAINDER_CONSTANT);
        return r.sign * r.r0.sign;
    }
    const int at_lo = linear_sign(s, &r, lo), at_hi = linear_sign(s, &r, hi);
    if (at_lo == 0) {
        FRC_COVER(REMAINDER_AT_LO);
        return r.sign * at_hi;
    }
    if (at_hi == 0 || at_lo == at_hi) {
        FRC_COVER(REMAINDER_EQUAL);
        return r.sign * at_lo;
    }
    // The root gamma of r lies inside too: the sign of q there gives its side of beta.
    const frc_algebraic gamma = frc_algebraic_rational(frc_big_negate(r.r0), r.r1);
    const int sigma = frc_poly_sign_rational(s, q, gamma.x, gamma.y);
    if (sigma == 0) {
        FRC_COVER(SIGMA_ZERO);
        return 0;
    }
    FRC_COVER(SIGMA);
    return r.sign * (sigma == q_lo ? at_hi : at_lo);
}

// Sign of q at the root alpha of p, where q changes its sign once between lo and hi, from q_lo.
FRC_DEVICE static int sign_by_remainder(arena s, const frc_algebraic* at, const frc_poly* q,
                                        fraction lo, fraction hi, int q_lo) {
    const int p_sign = sign_at_beta(s, at, q, lo, hi, q_lo);
    if (p_sign == 0) {
        FRC_COVER(COMMON_ROOT);
        return 0;
    }
    return p_sign == at->sign_lo ? -q_lo : q_lo;  // beta left of alpha, or right of it
}

// Sign of q at the root alpha of p, where q has the sign `same` just inside both ends: it has no
// root between them, a double root, or two roots.
FRC_DEVICE static int sign_same_ends(arena s, const frc_algebraic* at, const frc_poly* q,
                                     fraction lo, fraction hi, int same) {
    const big q0 = q->c[0], q1 = q->c[1], q2 = q->c[2];
    // The middle Bernstein coefficient on the interval, times 2^(2k+1).
    big middle = frc_big_times(&s, frc_big_multiply(&s, q2, frc_big_multiply(&s, lo.x, hi.x)), 2);
    middle = frc_big_add(
        &s, middle,
        frc_big_shift(&s, frc_big_multiply(&s, q1, frc_big_add(&s, lo.x, hi.x)), at->k));
    middle = frc_big_add(&s, middle, frc_big_shift(&s, q0, 2 * at->k + 1));
    if (middle.sign * same >= 0) {
        FRC_COVER(BERNSTEIN);
        return same;
    }
    const int d = frc_big_cross(&s, q1, q1, frc_big_times(&s, q0, 4), q2).sign;
    if (d < 0) {
        FRC_COVER(NO_REAL);
        return same;
    }
    // The vertex nu = -q1 / (2 q2) of the parabola lies inside: otherwise q would be monotone here,
    // and its middle coefficient would be between the outer two.
    const frc_algebraic vertex =
        frc_algebraic_rational(frc_big_negate(q1), frc_big_times(&s, q2, 2));
    const fraction nu = {vertex.x, vertex.y};
    const int p_sign = frc_poly_sign_rational(s, &at->p, nu.x, nu.y);
    if (d == 0) {
        if (p_sign == 0)
            FRC_COVER(TANGENT_AT_ROOT);
        else
            FRC_COVER(TANGENT_OFF_ROOT);
        return p_sign == 0 ? 0 : same;
    }
    if (p_sign == 0) {
        FRC_COVER(VERTEX_AT_ROOT);
        return -same;
    }
    if (p_sign == at->sign_lo) {  // alpha right of nu
        FRC_COVER(VERTEX_RIGHT);
        return sign_by_remainder(s, at, q, nu, hi, -same);
    }
    FRC_COVER(VERTEX_LEFT);
    return sign_by_remainder(s, at, q, lo, nu, same);
}

FRC_DEVICE int frc_algebraic_sign(frc_big_arena s, const frc_algebraic* at, const frc_poly* q) {
    if (q->degree <= 0) return q->degree < 0 ? 0 : q->c[0].sign;
    if (at->kind == FRC_RATIONAL) return frc_poly_sign_rational(s, q, at->x, at->y);
    if (at->kind == FRC_RIGHT_OF_ZERO) {
        for (int i = 0; i <= q->degree; i++)
            if (q->c[i].sign) return q->c[i].sign;
    }
    if (q->degree == 1) return sign_linear(s, at, q);
    // Quadratic at an isolated root.
    const int q_lo = sign_inside_end(s, q, at->lo, at->k, 1);
    const int q_hi = sign_inside_end(s, q, at->hi, at->k, -1);
    const big denominator = frc_big_make(&s, 1, 1, at->k);
    const fraction lo = {at->lo, denominator}, hi = {at->hi, denominator};
    return q_lo == q_hi ? sign_same_ends(s, at, q, lo, hi, q_lo)
                        : sign_by_remainder(s, at, q, lo, hi, q_lo);
}

// mantissa * 2^exponent for mantissa < 2^53; 0 where that would be subnormal and might round up.
FRC_DEVICE static double scaled(uint64_t mantissa, int exponent) {
    if (exponent < -1070) return 0;
    const double r = (double)mantissa * 0x1p-60 * frc_power_of_two(exponent + 60);
    return r < 0x1p-1021 ? 0 : r;
}

// For x / y in [0, 1]: a double that is not above it and at most three units in the last place
// below. Starts from the rounded quotient of the leading bits, then decrements until an exact
// comparison holds.
FRC_DEVICE static double quotient_down(arena s, big x, big y) {
    if (x.sign == 0) return 0;
    if (frc_big_compare(x, y) == 0) return 1;
    int32_t ex, ey;
    const double mx = (double)frc_big_leading(x, &ex), my = (double)frc_big_leading(y, &ey);
    double ratio = mx / my;  // in (1/2, 2)
    int e = ex - ey;
    if (ratio < 1) {
        ratio *= 2;
        e--;
    }
    uint64_t q = (uint64_t)(ratio * 0x1p52) + 2;
    const int down = 52 - e;  // e <= 0 since x < y
    for (int i = 0; i < 8; i++, q--) {
        arena t = s;
        const big product = frc_big_times(&t, y, q);
        if (frc_big_compare(product, frc_big_shift(&t, x, (uint32_t)down)) <= 0) break;
    }
    return scaled(q, -down);
}

FRC_DEVICE double frc_algebraic_lower(frc_big_arena s, const frc_algebraic* a) {
    if (a->kind == FRC_RIGHT_OF_ZERO) return 0;
    if (a->kind == FRC_RATIONAL) return quotient_down(s, a->x, a->y);
    int32_t exponent;
    const uint64_t mantissa = frc_big_leading(a->lo, &exponent);
    return mantissa ? scaled(mantissa, exponent - (int32_t)a->k) : 0;
}
