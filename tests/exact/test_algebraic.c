// Root isolation and signs at roots compared with Sturm sequences, on polynomials with many
// coincidences: common factors, dyadic roots, roots of one at the turning point of the other. Built
// from a second copy of the sources that counts its branches.
#include "cmocka_all.h"
#include "exact/algebraic.h"
#include "geom/generate_ccd.h"
#include "geom/oracle_sturm.h"
#include <stdlib.h>
#include <string.h>

void frc_cover_arena(uint64_t* limbs, uint32_t count, bool after) {
    (void)limbs, (void)count, (void)after;
}

typedef struct integers {
    int64_t c[4];
} integers;

static int64_t small(generator* g, int64_t max) {
    return (int64_t)(generate_bits(g) % (uint64_t)(2 * max + 1)) - max;
}

// (a t + b) times a polynomial of degree at max 2
static integers times(integers p, int64_t a, int64_t b) {
    return (integers){
        {b * p.c[0], a * p.c[0] + b * p.c[1], a * p.c[1] + b * p.c[2], a * p.c[2] + b * p.c[3]}
    };
}

static integers linear(generator* g) {
    // the root b / a often has a denominator that is a power of two
    const int64_t a =
        generate_bits(g) % 2 ? INT64_C(1) << generate_bits(g) % 6 : 1 + labs(small(g, 9));
    return (integers){
        {-(int64_t)(generate_bits(g) % (uint64_t)(a + 2)), a, 0, 0}
    };
}

static integers any(generator* g, int degree) {
    integers p = {{0}};
    const int64_t max = generate_bits(g) % 4 ? 8 : 1 << 20;
    for (int i = 0; i <= degree; i++) p.c[i] = small(g, max);
    return p;
}

// p and q with or without a common factor
static void make_pair(generator* g, integers* p, integers* q) {
    const integers a = linear(g), b = linear(g), c = linear(g), two = any(g, 2);
    switch (generate_bits(g) % 6) {
    case 0:
        *p = any(g, 3), *q = any(g, 2);
        break;
    case 1:
        *p = times(two, a.c[1], a.c[0]), *q = two;
        break;
    case 2:
        *p = times(two, a.c[1], a.c[0]), *q = times(b, a.c[1], a.c[0]);
        break;
    case 3:
        *p = times(times(a, b.c[1], b.c[0]), c.c[1], c.c[0]), *q = any(g, 2);
        break;
    case 4:
        *p = two, *q = times(a, b.c[1], b.c[0]);
        break;
    default:
        *p = any(g, 3), *q = times(a, b.c[1], b.c[0]);
        break;
    }
    // Sometimes the turning point of q is a root of p: (2 a t + b)^2 plus a constant.
    if (generate_bits(g) % 4 == 0) {
        *p = times(any(g, 2), a.c[1], a.c[0]);
        *q = times(a, a.c[1], a.c[0]);
        q->c[0] += small(g, 3);
    }
}

static frc_poly to_frc(frc_big_arena* s, integers p) {
    frc_big c[4];
    for (int i = 0; i < 4; i++)
        c[i] = frc_big_make(s, p.c[i] < 0 ? -1 : p.c[i] > 0, (uint64_t)llabs(p.c[i]), 0);
    return frc_poly_make(c[0], c[1], c[2], c[3]);
}

static void to_sturm(sturm_poly* out, integers p) {
    for (int i = 0; i < 4; i++) mpz_set_si(out->c[i], p.c[i]);
    sturm_trim(out);
}

static void to_mpz(mpz_t out, frc_big a) {
    mpz_import(out, a.count, -1, sizeof(uint64_t), 0, 0, a.limb ? (const void*)a.limb : "");
    if (a.sign < 0) mpz_neg(out, out);
}

// Sign of q at the root under test, by GMP only. The interval isolates a root of at->p, which may
// be the remaining factor of the original after rational roots were divided out.
static int true_sign(const frc_algebraic* at, const sturm_poly* q) {
    sturm_root r;
    sturm_root_init(&r);
    int sign;
    if (at->kind == FRC_RATIONAL) {
        mpz_t sum, power;
        mpz_inits(sum, power, NULL);
        to_mpz(r.x, at->x), to_mpz(r.hi, at->y);
        mpz_set_ui(power, 1);
        for (int i = q->degree; i >= 0; i--) {
            mpz_mul(sum, sum, r.x);
            mpz_addmul(sum, power, q->c[i]);
            mpz_mul(power, power, r.hi);
        }
        sign = mpz_sgn(sum);
        mpz_clears(sum, power, NULL);
    } else {
        r.exact = false;
        for (int i = 0; i <= at->p.degree; i++) to_mpz(r.p.c[i], at->p.c[i]);
        sturm_trim(&r.p);
        to_mpz(r.lo, at->lo), to_mpz(r.hi, at->hi);
        r.k = at->k;
        sign = sturm_sign(&r, q);
    }
    sturm_root_clear(&r);
    return sign;
}

static void check_pair(integers p, integers q, uint32_t width_bits) {
    uint64_t room[4096];
    frc_big_arena s = {room, room + 4096};
    const frc_poly fp = to_frc(&s, p), fq = to_frc(&s, q);
    if (fp.degree < 0) return;
    sturm_poly sp, sq;
    sturm_init(&sp), sturm_init(&sq);
    to_sturm(&sp, p), to_sturm(&sq, q);
    sturm_root truth[STURM_DEGREE];
    for (int i = 0; i < STURM_DEGREE; i++) sturm_root_init(&truth[i]);
    frc_algebraic root[3];
    const int count = frc_algebraic_isolate(&s, &fp, width_bits, root);
    assert_int_equal(count, sturm_isolate(&sp, truth));
    const double width = 0x1p-50 + 1.0 / (double)(UINT64_C(1) << width_bits);
    for (int i = 0; i < count; i++) {
        assert_int_equal(true_sign(&root[i], &sp), 0);
        assert_int_equal(frc_algebraic_sign(s, &root[i], &fq), true_sign(&root[i], &sq));
        const double low = frc_algebraic_lower(s, &root[i]);
        int near = 0;
        for (int j = 0; j < count; j++)
            near +=
                sturm_compare(&truth[j], low) >= 0 && sturm_compare(&truth[j], low + width) <= 0;
        assert_true(near > 0);
    }
    for (int i = 0; i < STURM_DEGREE; i++) sturm_root_clear(&truth[i]);
    sturm_clear(&sp), sturm_clear(&sq);
}

// Mostly wide intervals: narrow ones rarely contain a root of the second polynomial.
static const uint32_t WIDTHS[6] = {1, 1, 1, 2, 38, 51};

static void roots_and_signs_are_those_of_sturm(void** state) {
    (void)state;
    const char* const text = getenv("FRACAS_CCD_QUERIES");
    const long all = 150000, count = text && *text ? atol(text) : all;
    generator g = {4711};
    for (long i = 0; i < count; i++) {
        integers p, q;
        make_pair(&g, &p, &q);
        check_pair(p, q, WIDTHS[i % 6]);
    }
    for (int i = 0; i < FRC_COVER_SEGMENT_TRUE; i++)
        print_message("branch %2d: %lu\n", i, frc_algebraic_cover[i]);
    for (int i = 0; i < FRC_COVER_SEGMENT_TRUE; i++)
        // A smaller share need not reach every branch.
        if (i != FRC_COVER_DEEP_BISECTION && count >= all) assert_true(frc_algebraic_cover[i] > 0);
}

// Quadratics with roots n / d and m / d that are the best approximations of the root sqrt(1/2) of
// 2 t^2 - 1, or next to them: both on one side, one on each side, or a double root.
static void roots_near_a_root(void** state) {
    (void)state;
    static const integers p = {
        {-1, 0, 2, 0}
    };
    const unsigned long before = frc_algebraic_cover[FRC_COVER_TANGENT_OFF_ROOT];
    int64_t n = 1, d = 1;
    while (d < INT64_C(1) << 28) {
        for (int64_t i = n - 1; i <= n + 1; i++)
            for (int64_t k = i; k <= n + 1; k++) {
                const integers one = {
                    {-i, d, 0, 0}
                };
                for (uint32_t width = 1; width < 52; width += 5)
                    check_pair(p, times(one, d, -k), width);
            }
        const int64_t last = n;
        n += d, d += 2 * last;
    }
    assert_true(frc_algebraic_cover[FRC_COVER_TANGENT_OFF_ROOT] > before);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(roots_near_a_root),
                                       cmocka_unit_test(roots_and_signs_are_those_of_sturm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
