// The lemmas of the code (components on axes with different scales) on GMP, with Sturm sequences: a
// second implementation, fast enough for millions of queries. It is checked against oracle_ccd,
// which uses other lemmas.
#include "oracle_ccd.h"
#include "oracle_events.h"
#include <math.h>

typedef sturm_poly poly;

// D_i = X, the pairs (X, Y) with P = X x Y, and the sign of P relative to N on contact.
static const int PAIR[2][4][3] = {
    {{0, 1, 1}, {1, 2, 1},  {2, 0, 1},  {0, 0, 0}},
    {{0, 1, 1}, {2, 3, -1}, {0, 2, -1}, {1, 3, 1}}
};

typedef struct model {
    int kind, count;
    poly d[4][3], p[4][3], n[3], c;
} model;

static void each(model* m, void (*f)(poly*)) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) f(&m->d[i][k]), f(&m->p[i][k]);
    for (int k = 0; k < 3; k++) f(&m->n[k]);
    f(&m->c);
}

static void ready(poly* p) {
    for (int i = 0; i <= p->degree; i++) mpz_set_ui(p->c[i], 0);
    p->degree = -1;
}

static void read_axis(const frc_point points[4], int k, mpz_t out[4][2]) {
    double x[8];
    int low = 5000, e;
    for (int i = 0; i < 8; i++) {
        const frc_point* const p = &points[i / 2];
        x[i] = (k == 0 ? p->x : k == 1 ? p->y : p->z)[i % 2];
        frexp(x[i], &e);
        if (x[i] != 0 && e - 53 < low) low = e - 53;
    }
    for (int i = 0; i < 8; i++) {
        mpz_set_d(out[i / 2][i % 2], frexp(x[i], &e) * 0x1p53);
        if (x[i] == 0) continue;
        mpz_mul_2exp(out[i / 2][i % 2], out[i / 2][i % 2], (unsigned long)(e - 53 - low));
    }
}

static void difference(poly* out, mpz_t a[2], mpz_t b[2]) {
    mpz_sub(out->c[0], a[0], b[0]);
    mpz_sub(out->c[1], a[1], b[1]);
    mpz_sub(out->c[1], out->c[1], out->c[0]);
    sturm_trim(out);
}

static void fill(model* m, frc_ccd_kind kind, const frc_point points[4]) {
    static mpz_t x[4][2];
    static bool initialised;
    for (int i = 0; !initialised && i < 8; i++) mpz_init(x[i / 2][i % 2]);
    initialised = true;
    m->kind = kind;
    m->count = kind == FRC_CCD_VF ? 3 : 4;
    for (int k = 0; k < 3; k++) {
        read_axis(points, k, x);
        for (int i = 0; i < m->count; i++) {
            if (kind == FRC_CCD_VF)
                difference(&m->d[i][k], x[1 + i], x[0]);
            else
                difference(&m->d[i][k], x[2 + i % 2], x[i / 2]);
        }
    }
    for (int i = 0; i < m->count; i++) {
        poly *const a = m->d[PAIR[kind][i][0]], *const b = m->d[PAIR[kind][i][1]];
        for (int k = 0; k < 3; k++) {
            sturm_add_product(&m->p[i][k], &a[(k + 1) % 3], &b[(k + 2) % 3], 1);
            sturm_add_product(&m->p[i][k], &a[(k + 2) % 3], &b[(k + 1) % 3], -1);
        }
    }
    for (int k = 0; k < 3; k++) {
        // N is P0 + P1 + P2, or P0 - P1
        for (int j = 0; j < 3; j++) {
            mpz_set(m->n[k].c[j], m->p[0][k].c[j]);
            if (kind == FRC_CCD_VF) {
                mpz_add(m->n[k].c[j], m->n[k].c[j], m->p[1][k].c[j]);
                mpz_add(m->n[k].c[j], m->n[k].c[j], m->p[2][k].c[j]);
            } else {
                mpz_sub(m->n[k].c[j], m->n[k].c[j], m->p[1][k].c[j]);
            }
        }
        sturm_trim(&m->n[k]);
        sturm_add_product(&m->c, &m->d[2][k], &m->p[0][k], 1);
    }
}

static bool between(const model* m, int i, const sturm_root* at) {
    const int x = PAIR[m->kind][i][0], y = PAIR[m->kind][i][1];
    for (int k = 0; k < 3; k++)
        if (sturm_sign(at, &m->p[i][k])) return false;
    for (int k = 0; k < 3; k++)
        if (sturm_sign(at, &m->d[x][k]) * sturm_sign(at, &m->d[y][k]) > 0) return false;
    return true;
}

static bool touching(const void* self, const sturm_root* at) {
    const model* const m = self;
    for (int k = 0; k < 3; k++) {
        const int normal = sturm_sign(at, &m->n[k]);
        if (normal == 0) continue;
        for (int i = 0; i < m->count; i++)
            if (normal * PAIR[m->kind][i][2] * sturm_sign(at, &m->p[i][k]) < 0) return false;
        return true;
    }
    for (int i = 0; i < m->count; i++)
        if (between(m, i, at)) return true;
    return false;
}

bool oracle_ccd_fast(frc_ccd_kind kind, const frc_point points[4], bool after_start,
                     oracle_claim* claims, int count) {
    static model m;
    static bool initialised;
    if (!initialised) each(&m, sturm_init);
    initialised = true;
    each(&m, ready);
    fill(&m, kind, points);
    oracle_events e = {.model = &m, .touching = touching, .coplanar = &m.c};
    for (int k = 0; k < 3; k++) {
        e.event[e.count++] = &m.n[k];
        for (int i = 0; i < m.count; i++) {
            e.event[e.count++] = &m.p[i][k];
            e.event[e.count++] = &m.d[i][k];
        }
    }
    return oracle_decide(&e, after_start, claims, count);
}
