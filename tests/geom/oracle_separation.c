// The parts of both features as polynomials in time, and the first time at which one is near.
#include "oracle_separation.h"
#include "oracle_sturm.h"
#include <math.h>

typedef sturm_poly poly;

// The part is near where gap <= 0, base > 0 and all feet >= 0.
typedef struct part {
    poly gap, base, foot[4];
    int feet;
} part;

typedef struct model {
    part parts[9];
    int count;
} model;

static void vec_init(poly v[3]) {
    for (int k = 0; k < 3; k++) sturm_init(&v[k]);
}
static void vec_clear(poly v[3]) {
    for (int k = 0; k < 3; k++) sturm_clear(&v[k]);
}
static void vec_sub(poly out[3], poly a[3], poly b[3]) {
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) mpz_sub(out[k].c[i], a[k].c[i], b[k].c[i]);
        sturm_trim(&out[k]);
    }
}
static void vec_cross(poly out[3], poly a[3], poly b[3]) {
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i <= STURM_DEGREE; i++) mpz_set_ui(out[k].c[i], 0);
        sturm_add_product(&out[k], &a[(k + 1) % 3], &b[(k + 2) % 3], 1);
        sturm_add_product(&out[k], &a[(k + 2) % 3], &b[(k + 1) % 3], -1);
    }
}
static void vec_dot(poly* out, poly a[3], poly b[3], int sign) {
    for (int k = 0; k < 3; k++) sturm_add_product(out, &a[k], &b[k], sign);
}

static part* add_part(model* m) {
    part* const p = &m->parts[m->count++];
    sturm_init(&p->gap), sturm_init(&p->base);
    for (int i = 0; i < 4; i++) sturm_init(&p->foot[i]);
    p->feet = 0;
    return p;
}

// gap -= d2 * base
static void close_gap(part* p, const mpz_t d2) {
    for (int i = 0; i <= p->base.degree; i++) mpz_submul(p->gap.c[i], p->base.c[i], d2);
    sturm_trim(&p->gap);
}

static void add_points(model* m, poly a[3], poly b[3], const mpz_t d2) {
    part* const p = add_part(m);
    poly x[3];
    vec_init(x);
    vec_sub(x, a, b);
    vec_dot(&p->gap, x, x, 1);
    mpz_set_ui(p->base.c[0], 1);
    sturm_trim(&p->base);
    close_gap(p, d2);
    vec_clear(x);
}

static void add_segment(model* m, poly q[3], poly a[3], poly b[3], const mpz_t d2) {
    part* const p = add_part(m);
    poly x[3], y[3], e[3], z[3];
    vec_init(x), vec_init(y), vec_init(e), vec_init(z);
    vec_sub(x, q, a);
    vec_sub(y, q, b);
    vec_sub(e, b, a);
    vec_cross(z, x, e);
    vec_dot(&p->gap, z, z, 1);
    vec_dot(&p->base, e, e, 1);
    vec_dot(&p->foot[0], x, e, 1);
    vec_dot(&p->foot[1], y, e, -1);
    p->feet = 2;
    close_gap(p, d2);
    vec_clear(x), vec_clear(y), vec_clear(e), vec_clear(z);
}

static void set_plane(part* m, poly n[3], poly w[3], const mpz_t d2) {
    poly c;
    sturm_init(&c);
    vec_dot(&c, w, n, 1);
    sturm_add_product(&m->gap, &c, &c, 1);
    vec_dot(&m->base, n, n, 1);
    close_gap(m, d2);
    sturm_clear(&c);
}

static void make_vf(model* m, poly p[4][3], const mpz_t d2) {
    part* const face = add_part(m);
    poly u[3], v[3], n[3], w[3];
    vec_init(u), vec_init(v), vec_init(n), vec_init(w);
    vec_sub(u, p[2], p[1]);
    vec_sub(v, p[3], p[1]);
    vec_cross(n, u, v);
    vec_sub(w, p[0], p[1]);
    set_plane(face, n, w, d2);
    face->feet = 3;
    for (int i = 0; i < 3; i++) {
        vec_sub(u, p[1 + (i + 1) % 3], p[0]);
        vec_sub(v, p[1 + (i + 2) % 3], p[0]);
        vec_cross(w, u, v);
        vec_dot(&face->foot[i], n, w, 1);
    }
    for (int i = 0; i < 3; i++) add_segment(m, p[0], p[1 + i], p[1 + (i + 1) % 3], d2);
    for (int i = 0; i < 3; i++) add_points(m, p[0], p[1 + i], d2);
    vec_clear(u), vec_clear(v), vec_clear(n), vec_clear(w);
}

static void make_ee(model* m, poly p[4][3], const mpz_t d2) {
    part* const both = add_part(m);
    poly u[3], v[3], n[3], w[3], x[3];
    vec_init(u), vec_init(v), vec_init(n), vec_init(w), vec_init(x);
    vec_sub(u, p[1], p[0]);
    vec_sub(v, p[3], p[2]);
    vec_sub(w, p[2], p[0]);
    vec_cross(n, u, v);
    set_plane(both, n, w, d2);
    both->feet = 4;
    for (int i = 0; i < 2; i++) {
        vec_cross(x, w, i ? u : v);
        vec_dot(&both->foot[2 * i], n, x, 1);
        sturm_copy(&both->foot[2 * i + 1], &both->base);
        vec_dot(&both->foot[2 * i + 1], n, x, -1);
    }
    for (int i = 0; i < 2; i++) add_segment(m, p[i], p[2], p[3], d2);
    for (int i = 0; i < 2; i++) add_segment(m, p[2 + i], p[0], p[1], d2);
    for (int i = 0; i < 4; i++) add_points(m, p[i / 2], p[2 + i % 2], d2);
    vec_clear(u), vec_clear(v), vec_clear(n), vec_clear(w), vec_clear(x);
}

static void to_integer(mpz_t out, double x, int low) {
    int e;
    const double m = frexp(x, &e);
    mpz_set_d(out, m * 0x1p53);
    if (m != 0) mpz_mul_2exp(out, out, (unsigned long)(e - 53 - low));
}

static int lowest(const frc_point points[4], double distance) {
    int low = 5000, e;
    for (int i = 0; i < 25; i++) {
        const frc_point* const p = &points[i / 6 % 4];
        const double* const axis[3] = {p->x, p->y, p->z};
        const double x = i == 24 ? distance : axis[i / 2 % 3][i % 2];
        if (x == 0) continue;
        frexp(x, &e);
        if (e - 53 < low) low = e - 53;
    }
    return low - 20;
}

static void model_make(model* m, frc_ccd_kind kind, const frc_point points[4], double distance,
                       bool band) {
    const int low = lowest(points, distance);
    poly p[4][3];
    mpz_t d2;
    for (int i = 0; i < 4; i++) {
        const double* const axis[3] = {points[i].x, points[i].y, points[i].z};
        vec_init(p[i]);
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 2; j++) to_integer(p[i][k].c[j], axis[k][j], low);
            mpz_sub(p[i][k].c[1], p[i][k].c[1], p[i][k].c[0]);
            sturm_trim(&p[i][k]);
        }
    }
    mpz_init(d2);
    to_integer(d2, distance, low);
    if (band) {
        mpz_mul_ui(d2, d2, (1 << 20) + 1);
        mpz_divexact_ui(d2, d2, 1 << 20);
    }
    mpz_mul(d2, d2, d2);
    m->count = 0;
    if (kind == FRC_CCD_VF)
        make_vf(m, p, d2);
    else
        make_ee(m, p, d2);
    mpz_clear(d2);
    for (int i = 0; i < 4; i++) vec_clear(p[i]);
}

static void model_clear(model* m) {
    for (int i = 0; i < m->count; i++) {
        part* const p = &m->parts[i];
        sturm_clear(&p->gap), sturm_clear(&p->base);
        for (int j = 0; j < 4; j++) sturm_clear(&p->foot[j]);
    }
}

// At a time at which gap <= 0 is known.
static bool has_foot(const part* p, const sturm_root* at) {
    if (sturm_sign(at, &p->base) <= 0) return false;
    for (int i = 0; i < p->feet; i++)
        if (sturm_sign(at, &p->foot[i]) < 0) return false;
    return true;
}

static bool near_at(const model* m, unsigned long x, unsigned long k) {
    sturm_root at;
    sturm_root_init(&at);
    at.exact = true;
    at.k = k;
    mpz_set_ui(at.x, x);
    bool found = false;
    for (int i = 0; i < m->count && !found; i++)
        found = sturm_sign(&at, &m->parts[i].gap) <= 0 && has_foot(&m->parts[i], &at);
    sturm_root_clear(&at);
    return found;
}

typedef struct verdict {
    bool near;
    oracle_claim* claims;
    int claim_count;
} verdict;

static void note(verdict* v, const sturm_root* at) {
    v->near = true;
    for (int i = 0; i < v->claim_count; i++) {
        oracle_claim* const c = &v->claims[i];
        if (sturm_compare(at, c->toi) < 0) c->not_late = false;
        if (sturm_compare(at, c->toi + c->tolerance) <= 0) c->close = true;
    }
}

static void try_roots(verdict* v, const part* p, const poly* of) {
    if (of->degree <= 0) return;
    sturm_root r[STURM_DEGREE];
    for (int i = 0; i < STURM_DEGREE; i++) sturm_root_init(&r[i]);
    const int count = sturm_isolate(of, r);
    for (int i = 0; i < count; i++)
        if (has_foot(p, &r[i])) note(v, &r[i]);
    for (int i = 0; i < STURM_DEGREE; i++) sturm_root_clear(&r[i]);
}

static void try_start(verdict* v, const model* m) {
    if (!near_at(m, 0, 0)) return;
    v->near = true;
    for (int i = 0; i < v->claim_count; i++) {
        v->claims[i].not_late = v->claims[i].toi <= 0;
        v->claims[i].close = true;
    }
}

bool oracle_separation(frc_ccd_kind kind, const frc_point points[4], double distance, bool band,
                       oracle_claim* claims, int count) {
    model m;
    model_make(&m, kind, points, distance, band);
    for (int i = 0; i < count; i++) claims[i].not_late = true, claims[i].close = false;
    verdict v = {false, claims, count};
    try_start(&v, &m);
    for (int i = 0; i < m.count && !(v.near && count == 0); i++) {
        const part* const p = &m.parts[i];
        if (p->gap.degree >= 0) {
            try_roots(&v, p, &p->gap);
            continue;
        }
        try_roots(&v, p, &p->base);
        for (int j = 0; j < p->feet; j++) try_roots(&v, p, &p->foot[j]);
    }
    for (unsigned long j = 0; j <= 8 && !v.near; j++)
        if (near_at(&m, j, 3)) __builtin_trap();  // the theorem would be wrong
    model_clear(&m);
    return v.near;
}

bool oracle_separation_end(frc_ccd_kind kind, const frc_point points[4], double distance,
                           bool band) {
    model m;
    model_make(&m, kind, points, distance, band);
    const bool result = near_at(&m, 1, 0);
    model_clear(&m);
    return result;
}
