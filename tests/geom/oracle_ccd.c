// The independent oracle: contact conditions as polynomials in time, and the times at which they
// change.
#include "oracle_ccd.h"
#include "oracle_events.h"
#include "oracle_sturm.h"
#include <math.h>

typedef sturm_poly poly;

// A face or edge condition list. VF: N.((b-q)x(c-q)) and two more are >= 0. EE: the four bounds of
// the two parameters. Point on segment: |X x Y|^2 = 0 and X.Y <= 0, three or four times.
typedef struct model {
    poly coplanar, normal2;  // N.(q - a) or N.(c - a); |N|^2
    poly inside[4], off[4], dot[4];
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

static void positions(const frc_point points[4], poly p[4][3]) {
    // One power of two makes all 24 coordinates integers.
    int low = 5000;
    const double* axis[4][3];
    for (int i = 0; i < 4; i++) {
        axis[i][0] = points[i].x, axis[i][1] = points[i].y, axis[i][2] = points[i].z;
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 2; j++) {
                int e;
                if (axis[i][k][j] == 0) continue;
                frexp(axis[i][k][j], &e);
                if (e - 53 < low) low = e - 53;
            }
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 2; j++) {
                int e;
                const double m = frexp(axis[i][k][j], &e);
                mpz_set_d(p[i][k].c[j], m * 0x1p53);
                if (m != 0) mpz_mul_2exp(p[i][k].c[j], p[i][k].c[j], (unsigned long)(e - 53 - low));
            }
            mpz_sub(p[i][k].c[1], p[i][k].c[1], p[i][k].c[0]);
            sturm_trim(&p[i][k]);
        }
}

static void add_segment(model* m, poly q[3], poly a[3], poly b[3]) {
    poly x[3], y[3], z[3];
    vec_init(x), vec_init(y), vec_init(z);
    vec_sub(x, a, q);
    vec_sub(y, b, q);
    vec_cross(z, x, y);
    vec_dot(&m->off[m->count], z, z, 1);
    vec_dot(&m->dot[m->count], x, y, 1);
    m->count++;
    vec_clear(x), vec_clear(y), vec_clear(z);
}

static void make_vf(model* m, poly p[4][3]) {
    poly u[3], v[3], n[3], w[3];
    vec_init(u), vec_init(v), vec_init(n), vec_init(w);
    vec_sub(u, p[2], p[1]);
    vec_sub(v, p[3], p[1]);
    vec_cross(n, u, v);
    vec_dot(&m->normal2, n, n, 1);
    vec_sub(u, p[0], p[1]);
    vec_dot(&m->coplanar, u, n, 1);
    for (int i = 0; i < 3; i++) {
        vec_sub(u, p[1 + (i + 1) % 3], p[0]);
        vec_sub(v, p[1 + (i + 2) % 3], p[0]);
        vec_cross(w, u, v);
        vec_dot(&m->inside[i], n, w, 1);
    }
    for (int i = 0; i < 3; i++) add_segment(m, p[0], p[1 + i], p[1 + (i + 1) % 3]);
    vec_clear(u), vec_clear(v), vec_clear(n), vec_clear(w);
}

static void make_ee(model* m, poly p[4][3]) {
    poly u[3], v[3], n[3], w[3], x[3];
    vec_init(u), vec_init(v), vec_init(n), vec_init(w), vec_init(x);
    vec_sub(u, p[1], p[0]);
    vec_sub(v, p[3], p[2]);
    vec_sub(w, p[2], p[0]);
    vec_cross(n, u, v);
    vec_dot(&m->normal2, n, n, 1);
    vec_dot(&m->coplanar, w, n, 1);
    // parameters N.(w x v) / |N|^2 on ab and N.(w x u) / |N|^2 on cd, both in [0, 1]
    for (int i = 0; i < 2; i++) {
        vec_cross(x, w, i ? u : v);
        vec_dot(&m->inside[2 * i], n, x, 1);
        sturm_copy(&m->inside[2 * i + 1], &m->normal2);
        vec_dot(&m->inside[2 * i + 1], n, x, -1);
    }
    add_segment(m, p[0], p[2], p[3]);
    add_segment(m, p[1], p[2], p[3]);
    add_segment(m, p[2], p[0], p[1]);
    add_segment(m, p[3], p[0], p[1]);
    vec_clear(u), vec_clear(v), vec_clear(n), vec_clear(w), vec_clear(x);
}

static void model_each(model* m, void (*each)(poly*)) {
    each(&m->coplanar);
    each(&m->normal2);
    for (int i = 0; i < 4; i++) each(&m->inside[i]), each(&m->off[i]), each(&m->dot[i]);
}

static void model_make(model* m, frc_ccd_kind kind, const frc_point points[4]) {
    poly p[4][3];
    for (int i = 0; i < 4; i++) vec_init(p[i]);
    positions(points, p);
    model_each(m, sturm_init);
    m->count = 0;
    if (kind == FRC_CCD_VF)
        make_vf(m, p);
    else
        make_ee(m, p);
    for (int i = 0; i < 4; i++) vec_clear(p[i]);
}

static bool touching(const void* self, const sturm_root* at) {
    const model* const m = self;
    if (sturm_sign(at, &m->coplanar)) return false;
    if (sturm_sign(at, &m->normal2)) {
        for (int i = 0; i < m->count; i++)
            if (sturm_sign(at, &m->inside[i]) < 0) return false;
        return true;
    }
    for (int i = 0; i < m->count; i++)
        if (sturm_sign(at, &m->off[i]) == 0 && sturm_sign(at, &m->dot[i]) <= 0) return true;
    return false;
}

// Contacts at t = j / 8, to detect contacts that the search over roots missed.
static bool touching_at_sampled_times(const model* m, bool after_start) {
    sturm_root at;
    sturm_root_init(&at);
    at.exact = true;
    at.k = 3;
    bool found = false;
    for (unsigned long j = after_start; j <= 8 && !found; j++) {
        mpz_set_ui(at.x, j);
        found = touching(m, &at);
    }
    sturm_root_clear(&at);
    return found;
}

bool oracle_ccd(frc_ccd_kind kind, const frc_point points[4], bool after_start,
                oracle_claim* claims, int count) {
    model m;
    model_make(&m, kind, points);
    oracle_events e = {.model = &m, .touching = touching, .coplanar = &m.coplanar};
    e.event[e.count++] = &m.normal2;
    for (int i = 0; i < m.count; i++) {
        e.event[e.count++] = &m.inside[i];
        e.event[e.count++] = &m.off[i];
        e.event[e.count++] = &m.dot[i];
    }
    const bool touches = oracle_decide(&e, after_start, claims, count);
    if (!touches && touching_at_sampled_times(&m, after_start))
        __builtin_trap();  // the theorem is wrong
    model_each(&m, sturm_clear);
    return touches;
}
