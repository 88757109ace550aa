// Sturm sequences with integer pseudo-remainders; all factors that are divided out or multiplied in
// are positive. Scratch numbers are static to keep their memory between calls: fast, but not
// thread-safe.
#include "oracle_sturm.h"

void sturm_init(sturm_poly* p) {
    p->degree = -1;
    for (int i = 0; i <= STURM_DEGREE; i++) mpz_init(p->c[i]);
}
void sturm_clear(sturm_poly* p) {
    for (int i = 0; i <= STURM_DEGREE; i++) mpz_clear(p->c[i]);
}
void sturm_trim(sturm_poly* p) {
    p->degree = STURM_DEGREE;
    while (p->degree >= 0 && mpz_sgn(p->c[p->degree]) == 0) p->degree--;
}
void sturm_copy(sturm_poly* out, const sturm_poly* a) {
    for (int i = 0; i <= a->degree; i++) mpz_set(out->c[i], a->c[i]);
    for (int i = a->degree + 1; i <= STURM_DEGREE; i++)
        if (mpz_sgn(out->c[i])) mpz_set_ui(out->c[i], 0);
    out->degree = a->degree;
}
void sturm_add_product(sturm_poly* out, const sturm_poly* a, const sturm_poly* b, int sign) {
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++) {
            if (sign > 0)
                mpz_addmul(out->c[i + j], a->c[i], b->c[j]);
            else
                mpz_submul(out->c[i + j], a->c[i], b->c[j]);
        }
    sturm_trim(out);
}

void sturm_root_init(sturm_root* r) {
    mpz_inits(r->x, r->lo, r->hi, NULL);
    sturm_init(&r->p);
}
void sturm_root_clear(sturm_root* r) {
    mpz_clears(r->x, r->lo, r->hi, NULL);
    sturm_clear(&r->p);
}

int sturm_sign_dyadic(const sturm_poly* p, const mpz_t m, unsigned long k) {
    if (p->degree < 0) return 0;
    static mpz_t sum, term;
    static bool ready;
    if (!ready) mpz_inits(sum, term, NULL);
    ready = true;
    mpz_set(sum, p->c[p->degree]);
    for (int i = p->degree - 1; i >= 0; i--) {
        mpz_mul(sum, sum, m);
        mpz_mul_2exp(term, p->c[i], k * (unsigned long)(p->degree - i));
        mpz_add(sum, sum, term);
    }
    return mpz_sgn(sum);
}

static void remove_content(sturm_poly* p) {
    if (p->degree < 0) return;
    mpz_t g;
    mpz_init(g);
    for (int i = 0; i <= p->degree && mpz_cmp_ui(g, 1) != 0; i++) mpz_gcd(g, g, p->c[i]);
    if (mpz_cmp_ui(g, 1) > 0)
        for (int i = 0; i <= p->degree; i++) mpz_divexact(p->c[i], p->c[i], g);
    mpz_clear(g);
}

// a = positive factor * a mod b, without common factors
static void reduce(sturm_poly* a, const sturm_poly* b) {
    static mpz_t lead, factor;
    static bool ready;
    if (!ready) mpz_inits(lead, factor, NULL);
    ready = true;
    mpz_abs(factor, b->c[b->degree]);
    while (a->degree >= b->degree) {
        mpz_set(lead, a->c[a->degree]);
        if (mpz_sgn(b->c[b->degree]) < 0) mpz_neg(lead, lead);
        const int shift = a->degree - b->degree;
        for (int i = 0; i <= a->degree; i++) mpz_mul(a->c[i], a->c[i], factor);
        for (int i = 0; i <= b->degree; i++) mpz_submul(a->c[i + shift], lead, b->c[i]);
        sturm_trim(a);
    }
    remove_content(a);
}

static void derivative(sturm_poly* out, const sturm_poly* p) {
    for (int i = 0; i <= STURM_DEGREE; i++) mpz_set_ui(out->c[i], 0);
    for (int i = 1; i <= p->degree; i++) mpz_mul_ui(out->c[i - 1], p->c[i], (unsigned long)i);
    sturm_trim(out);
}

typedef struct chain {
    sturm_poly p[STURM_DEGREE + 2];
    int count;
    bool ready;
} chain;

static chain g_isolation, g_sign;

// p, p' q mod p, then negated remainders. q NULL is 1.
static void chain_make(chain* s, const sturm_poly* p, const sturm_poly* q) {
    for (int i = 0; !s->ready && i < STURM_DEGREE + 2; i++) sturm_init(&s->p[i]);
    s->ready = true;
    sturm_copy(&s->p[0], p);
    sturm_poly* const slope = &s->p[2];  // computed below
    derivative(q ? slope : &s->p[1], p);
    if (q) {
        for (int i = 0; i <= STURM_DEGREE; i++) mpz_set_ui(s->p[1].c[i], 0);
        sturm_add_product(&s->p[1], slope, q, 1);
        reduce(&s->p[1], p);
    }
    s->count = 1;
    while (s->p[s->count].degree >= 0) {
        s->count++;
        sturm_poly* const next = &s->p[s->count];
        sturm_copy(next, &s->p[s->count - 2]);
        reduce(next, &s->p[s->count - 1]);
        for (int i = 0; i <= next->degree; i++) mpz_neg(next->c[i], next->c[i]);
    }
}
static int variations(const chain* s, const mpz_t m, unsigned long k) {
    int count = 0, last = 0;
    for (int i = 0; i < s->count; i++) {
        const int sign = sturm_sign_dyadic(&s->p[i], m, k);
        if (sign && last && sign != last) count++;
        if (sign) last = sign;
    }
    return count;
}

// p := p / (2^k t - m), as often as it divides p; m / 2^k is a root.
static void deflate(sturm_poly* p, const mpz_t m, unsigned long k) {
    sturm_poly q;
    sturm_init(&q);
    mpz_t row;
    mpz_init(row);
    while (p->degree > 0 && sturm_sign_dyadic(p, m, k) == 0) {
        // Divides 2^(kn) p(s / 2^k) by (s - m), then substitutes s = 2^k t.
        const int n = p->degree;
        for (int i = 0; i <= STURM_DEGREE; i++) mpz_set_ui(q.c[i], 0);
        mpz_set(row, p->c[n]);
        for (int i = n - 1; i >= 0; i--) {
            mpz_mul_2exp(q.c[i], row, k * (unsigned long)i);
            mpz_mul(row, row, m);
            mpz_t shifted;
            mpz_init(shifted);
            mpz_mul_2exp(shifted, p->c[i], k * (unsigned long)(n - i));
            mpz_add(row, row, shifted);
            mpz_clear(shifted);
        }
        sturm_trim(&q);
        remove_content(&q);
        sturm_copy(p, &q);
    }
    mpz_clear(row);
    sturm_clear(&q);
}

static void set_exact(sturm_root* r, const mpz_t x, unsigned long k) {
    r->exact = true;
    mpz_set(r->x, x);
    r->k = k;
}

typedef struct isolation {
    const chain* s;
    const sturm_poly* p;
    sturm_root* out;
    int count;
    bool hit;  // a midpoint was a root: hit_m / 2^hit_k
    mpz_t hit_m;
    unsigned long hit_k;
} isolation;

// The interval (m, m + 1) / 2^k has `left` - `right` roots, none at its ends.
static void isolate_in(isolation* f, const mpz_t m, unsigned long k, int left, int right) {
    if (left == right || f->hit) return;
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    if (left - right == 1) {
        sturm_root* const r = &f->out[f->count++];
        r->exact = false;
        mpz_set(r->lo, m);
        mpz_add_ui(r->hi, m, 1);
        r->k = k;
        sturm_copy(&r->p, f->p);
    } else {
        mpz_mul_2exp(a, m, 1);
        mpz_add_ui(b, a, 1);
        if (sturm_sign_dyadic(f->p, b, k + 1) == 0) {
            f->hit = true;
            mpz_set(f->hit_m, b);
            f->hit_k = k + 1;
        } else {
            const int middle = variations(f->s, b, k + 1);
            isolate_in(f, a, k + 1, left, middle);
            isolate_in(f, b, k + 1, middle, right);
        }
    }
    mpz_clears(a, b, NULL);
}

// Roots of p strictly between 0 and 1; the ends are no roots. When a midpoint is a root, it is
// divided out and the search restarts.
static int isolate_open(sturm_poly* p, sturm_root* out) {
    int count = 0;
    isolation f = {.p = p, .out = out};
    mpz_init(f.hit_m);
    mpz_t zero, one;
    mpz_init_set_ui(zero, 0);
    mpz_init_set_ui(one, 1);
    for (bool again = true; again && p->degree > 0;) {
        chain* const s = &g_isolation;
        chain_make(s, p, NULL);
        f.s = s;
        f.count = count;
        f.hit = false;
        isolate_in(&f, zero, 0, variations(s, zero, 0), variations(s, one, 0));
        again = f.hit;
        if (!again) {
            count = f.count;
            break;
        }
        set_exact(&out[count++], f.hit_m, f.hit_k);
        deflate(p, f.hit_m, f.hit_k);
    }
    mpz_clears(zero, one, f.hit_m, NULL);
    return count;
}

int sturm_isolate(const sturm_poly* original, sturm_root* out) {
    static sturm_poly p;
    static mpz_t at;
    static bool ready;
    if (!ready) sturm_init(&p), mpz_init(at);
    ready = true;
    sturm_copy(&p, original);
    int count = 0;
    for (unsigned long end = 0; end < 2; end++) {
        mpz_set_ui(at, end);
        if (p.degree > 0 && sturm_sign_dyadic(&p, at, 0) == 0) {
            set_exact(&out[count++], at, 0);
            deflate(&p, at, 0);
        }
    }
    return count + isolate_open(&p, out + count);
}

int sturm_sign(const sturm_root* at, const sturm_poly* q) {
    if (q->degree < 0) return 0;
    if (q->degree == 0) return mpz_sgn(q->c[0]);
    if (at->exact) return sturm_sign_dyadic(q, at->x, at->k);
    chain_make(&g_sign, &at->p, q);
    return variations(&g_sign, at->lo, at->k) - variations(&g_sign, at->hi, at->k);
}

int sturm_count_below(const sturm_poly* original, unsigned long k) {
    sturm_poly p;
    sturm_init(&p);
    sturm_copy(&p, original);
    mpz_t zero, one;
    mpz_init_set_ui(zero, 0);
    mpz_init_set_ui(one, 1);
    if (p.degree > 0) deflate(&p, zero, 0);
    chain_make(&g_sign, &p, NULL);
    const int count = variations(&g_sign, zero, 0) - variations(&g_sign, one, k);
    mpz_clears(zero, one, NULL);
    sturm_clear(&p);
    return count;
}

int sturm_compare(const sturm_root* r, double x) {
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_d(b, x);
    int result = 0;
    mpq_set_z(a, r->exact ? r->x : r->lo);
    mpq_div_2exp(a, a, r->k);
    const int low = mpq_cmp(a, b);
    if (r->exact)
        result = low;
    else if (low >= 0)
        result = 1;
    else {
        mpq_set_z(a, r->hi);
        mpq_div_2exp(a, a, r->k);
        if (mpq_cmp(a, b) <= 0)
            result = -1;
        else {
            // x inside the interval: q = denominator t - numerator has the sign of root - x there
            sturm_poly q;
            sturm_init(&q);
            mpz_neg(q.c[0], mpq_numref(b));
            mpz_set(q.c[1], mpq_denref(b));
            sturm_trim(&q);
            result = sturm_sign(r, &q);
            sturm_clear(&q);
        }
    }
    mpq_clears(a, b, NULL);
    return result;
}
