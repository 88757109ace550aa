#include "oracle_tri.h"
#include <gmp.h>
#include <math.h>
#include <stddef.h>

typedef struct qvec {
    mpq_t x[3];
} qvec;

static void qvec_init(qvec* v) {
    for (int k = 0; k < 3; k++) mpq_init(v->x[k]);
}
static void qvec_clear(qvec* v) {
    for (int k = 0; k < 3; k++) mpq_clear(v->x[k]);
}
static void qvec_set(qvec* v, const double p[3]) {
    for (int k = 0; k < 3; k++) mpq_set_d(v->x[k], p[k]);
}
static void qvec_copy(qvec* v, const qvec* a) {
    for (int k = 0; k < 3; k++) mpq_set(v->x[k], a->x[k]);
}
static void qvec_sub(qvec* out, const qvec* a, const qvec* b) {
    for (int k = 0; k < 3; k++) mpq_sub(out->x[k], a->x[k], b->x[k]);
}
static bool qvec_equal(const qvec* a, const qvec* b) {
    for (int k = 0; k < 3; k++)
        if (!mpq_equal(a->x[k], b->x[k])) return false;
    return true;
}
static bool qvec_is_zero(const qvec* a) {
    return !mpq_sgn(a->x[0]) && !mpq_sgn(a->x[1]) && !mpq_sgn(a->x[2]);
}
static void qvec_cross(qvec* out, const qvec* a, const qvec* b) {
    mpq_t t;
    mpq_init(t);
    for (int k = 0; k < 3; k++) {
        const int y = (k + 1) % 3, z = (k + 2) % 3;
        mpq_mul(out->x[k], a->x[y], b->x[z]);
        mpq_mul(t, a->x[z], b->x[y]);
        mpq_sub(out->x[k], out->x[k], t);
    }
    mpq_clear(t);
}
static void qvec_dot(mpq_t out, const qvec* a, const qvec* b) {
    mpq_t t, sum;
    mpq_inits(t, sum, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_mul(t, a->x[k], b->x[k]);
        mpq_add(sum, sum, t);
    }
    mpq_set(out, sum);
    mpq_clears(t, sum, NULL);
}

int oracle_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]) {
    qvec p, q, r, origin, n;
    mpq_t det;
    qvec_init(&p), qvec_init(&q), qvec_init(&r), qvec_init(&origin), qvec_init(&n);
    mpq_init(det);
    qvec_set(&p, b), qvec_set(&q, c), qvec_set(&r, d), qvec_set(&origin, a);
    qvec_sub(&p, &p, &origin), qvec_sub(&q, &q, &origin), qvec_sub(&r, &r, &origin);
    qvec_cross(&n, &p, &q);
    qvec_dot(det, &n, &r);
    const int sign = mpq_sgn(det);
    mpq_clear(det);
    qvec_clear(&p), qvec_clear(&q), qvec_clear(&r), qvec_clear(&origin), qvec_clear(&n);
    return sign;
}

int oracle_orient2d(const double a[2], const double b[2], const double c[2]) {
    const double p[3] = {a[0], a[1], 0}, q[3] = {b[0], b[1], 0}, r[3] = {c[0], c[1], 0};
    const double above[3] = {a[0], a[1], 1};
    return oracle_orient3d(p, q, r, above);
}

/* ---- a convex polygon as a closed path, clipped by n.(x - p) >= 0 */

enum { PATH = 64 };
typedef struct path {
    qvec point[PATH];
    int count;
} path;

static void path_init(path* p) {
    for (int i = 0; i < PATH; i++) qvec_init(&p->point[i]);
    p->count = 0;
}

/// A path keeps its numbers between queries; duplicates are skipped, so it stays short.
static void path_push(path* p, const qvec* point) {
    for (int i = 0; i < p->count; i++)
        if (qvec_equal(&p->point[i], point)) return;
    qvec_copy(&p->point[p->count++], point);
}

static void height(mpq_t out, const qvec* x, const qvec* n, const qvec* p) {
    qvec d;
    qvec_init(&d);
    qvec_sub(&d, x, p);
    qvec_dot(out, n, &d);
    qvec_clear(&d);
}

/// (a h_b - b h_a) / (h_b - h_a): the point of the segment at height zero.
static void crossing(qvec* out, const qvec* a, mpq_t ha, const qvec* b, mpq_t hb) {
    mpq_t s, t, d;
    mpq_inits(s, t, d, NULL);
    mpq_sub(d, hb, ha);
    for (int k = 0; k < 3; k++) {
        mpq_mul(s, a->x[k], hb);
        mpq_mul(t, b->x[k], ha);
        mpq_sub(s, s, t);
        mpq_div(out->x[k], s, d);
    }
    mpq_clears(s, t, d, NULL);
}

static void clip(path* p, const qvec* n, const qvec* origin) {
    static path out;
    static bool ready;
    if (!ready) path_init(&out), ready = true;
    mpq_t ha, hb;
    qvec x;
    mpq_inits(ha, hb, NULL);
    qvec_init(&x);
    out.count = 0;
    for (int i = 0; i < p->count; i++) {
        const qvec *a = &p->point[i], *b = &p->point[(i + 1) % p->count];
        height(ha, a, n, origin);
        height(hb, b, n, origin);
        if (mpq_sgn(ha) >= 0) path_push(&out, a);
        if (mpq_sgn(ha) * mpq_sgn(hb) < 0) {
            crossing(&x, a, ha, b, hb);
            path_push(&out, &x);
        }
    }
    p->count = out.count;
    for (int i = 0; i < out.count; i++) qvec_copy(&p->point[i], &out.point[i]);
    mpq_clears(ha, hb, NULL);
    qvec_clear(&x);
}

static void clip_both(path* p, qvec* n, const qvec* origin) {
    clip(p, n, origin);
    for (int k = 0; k < 3; k++) mpq_neg(n->x[k], n->x[k]);
    clip(p, n, origin);
    for (int k = 0; k < 3; k++) mpq_neg(n->x[k], n->x[k]);
}

/// Clip to the slab between the planes through a and b that are perpendicular to ab.
static void clip_slab(path* p, const qvec* a, const qvec* b) {
    qvec d;
    qvec_init(&d);
    qvec_sub(&d, b, a);
    clip(p, &d, a);
    qvec_sub(&d, a, b);
    clip(p, &d, b);
    qvec_clear(&d);
}

static void clip_to_triangle(path* p, const qvec t[3], qvec* n) {
    qvec e, m;
    qvec_init(&e), qvec_init(&m);
    clip_both(p, n, &t[0]);
    for (int i = 0; i < 3; i++) {
        qvec_sub(&e, &t[(i + 1) % 3], &t[i]);
        qvec_cross(&m, n, &e);
        clip(p, &m, &t[i]);
    }
    qvec_clear(&e), qvec_clear(&m);
}

/// All points on one line: the longest side is the hull. (x - a) x d = 0 and between the ends.
static void clip_to_line(path* p, const qvec t[], int count) {
    int from = 0, to = 0;
    qvec d, n;
    mpq_t length, longest;
    qvec_init(&d), qvec_init(&n);
    mpq_inits(length, longest, NULL);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            qvec_sub(&d, &t[i], &t[j]);
            qvec_dot(length, &d, &d);
            if (mpq_cmp(length, longest) > 0) mpq_set(longest, length), from = j, to = i;
        }
    qvec_sub(&d, &t[to], &t[from]);
    for (int k = 0; k < 3; k++) {
        // Row k of the matrix of x -> d x x; for a point, the coordinate itself.
        const int y = (k + 1) % 3, z = (k + 2) % 3;
        mpq_set_si(n.x[k], from == to, 1);
        mpq_neg(n.x[y], d.x[z]);
        mpq_set(n.x[z], d.x[y]);
        clip_both(p, &n, &t[from]);
    }
    if (from != to) clip_slab(p, &t[from], &t[to]);
    mpq_clears(length, longest, NULL);
    qvec_clear(&d), qvec_clear(&n);
}

static void clip_to_hull(path* p, const qvec t[], int count) {
    qvec e, f, n;
    qvec_init(&e), qvec_init(&f), qvec_init(&n);
    if (count == 3) {
        qvec_sub(&e, &t[1], &t[0]);
        qvec_sub(&f, &t[2], &t[0]);
        qvec_cross(&n, &e, &f);
    }
    if (count == 3 && !qvec_is_zero(&n))
        clip_to_triangle(p, t, &n);
    else
        clip_to_line(p, t, count);
    qvec_clear(&e), qvec_clear(&f), qvec_clear(&n);
}

/* ---- the mesh rule */

static int distinct(const double p[3][3], const uint32_t v[3], qvec out[3], uint32_t index[3]) {
    int count = 0;
    for (int i = 0; i < 3; i++) {
        bool seen = false;
        for (int j = 0; j < i; j++) seen = seen || v[j] == v[i];
        if (seen) continue;
        index[count] = v[i];
        qvec_set(&out[count++], p[i]);
    }
    return count;
}

static bool inside_hull(const qvec* x, const qvec t[], int count) {
    static path point;
    static bool ready;
    if (!ready) path_init(&point), ready = true;
    if (!count) return false;
    point.count = 0;
    path_push(&point, x);
    clip_to_hull(&point, t, count);
    return point.count > 0;
}

bool oracle_tri_tri(const double a[3][3], const uint32_t va[3], const double b[3][3],
                    const uint32_t vb[3]) {
    static path p;
    static qvec ta[3], tb[3], s[3];
    static bool ready;
    if (!ready) {
        path_init(&p);
        for (int i = 0; i < 3; i++) qvec_init(&ta[i]), qvec_init(&tb[i]), qvec_init(&s[i]);
        ready = true;
    }
    uint32_t ia[3], ib[3];
    const int na = distinct(a, va, ta, ia), nb = distinct(b, vb, tb, ib);
    int shared = 0;
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if (ia[i] == ib[j]) qvec_copy(&s[shared++], &ta[i]);
    if (shared == 3) return true;
    p.count = 0;
    for (int i = 0; i < na; i++) path_push(&p, &ta[i]);
    clip_to_hull(&p, tb, nb);
    for (int i = 0; i < p.count; i++)
        if (!inside_hull(&p.point[i], s, shared)) return true;
    return false;
}

/* ---- the intersection itself */

/// Is x inside a hull, not on its boundary? Flat ones are segments; a point is never.
static bool strictly_inside(const qvec* x, const qvec t[3]) {
    qvec e, f, n, m;
    mpq_t h;
    bool inside = true, flat;
    qvec_init(&e), qvec_init(&f), qvec_init(&n), qvec_init(&m);
    mpq_init(h);
    qvec_sub(&e, &t[1], &t[0]);
    qvec_sub(&f, &t[2], &t[0]);
    qvec_cross(&n, &e, &f);
    flat = qvec_is_zero(&n);
    for (int i = 0; i < 3 && !flat; i++) {
        qvec_sub(&e, &t[(i + 1) % 3], &t[i]);
        qvec_cross(&m, &n, &e);
        height(h, x, &m, &t[i]);
        inside = inside && mpq_sgn(h) > 0;
    }
    if (flat) {
        // Between two of the points.
        inside = false;
        for (int i = 0; i < 3; i++) {
            qvec_sub(&e, &t[i], x);
            qvec_sub(&f, &t[(i + 1) % 3], x);
            qvec_dot(h, &e, &f);
            inside = inside || mpq_sgn(h) < 0;
        }
    }
    mpq_clear(h);
    qvec_clear(&e), qvec_clear(&f), qvec_clear(&n), qvec_clear(&m);
    return inside;
}

/// Do the six points lie in one plane?
static bool are_coplanar(const double a[3][3], const double b[3][3]) {
    const double* p[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++)
                for (int l = 0; l < k; l++)
                    if (oracle_orient3d(p[i], p[j], p[k], p[l])) return false;
    return true;
}

/// mpq_get_d rounds towards zero.
static void bracket(mpq_t x, double* low, double* high) {
    const double d = mpq_get_d(x);
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, d);
    const int side = mpq_cmp(x, exact);
    *low = side < 0 ? nextafter(d, -INFINITY) : d;
    *high = side > 0 ? nextafter(d, INFINITY) : d;
    mpq_clear(exact);
}

int oracle_tri_shape(const double a[3][3], const double b[3][3], double low[][3], double high[][3],
                     bool* cross) {
    static path p;
    static qvec ta[3], tb[3], middle;
    static bool ready;
    if (!ready) {
        path_init(&p);
        qvec_init(&middle);
        for (int i = 0; i < 3; i++) qvec_init(&ta[i]), qvec_init(&tb[i]);
        ready = true;
    }
    p.count = 0;
    for (int i = 0; i < 3; i++) qvec_set(&ta[i], a[i]), qvec_set(&tb[i], b[i]);
    for (int i = 0; i < 3; i++) path_push(&p, &ta[i]);
    clip_to_hull(&p, tb, 3);
    mpq_t weight;
    mpq_init(weight);
    for (int k = 0; k < 3; k++) {
        mpq_set_si(middle.x[k], 0, 1);
        for (int i = 0; i < p.count; i++) {
            mpq_add(middle.x[k], middle.x[k], p.point[i].x[k]);
            bracket(p.point[i].x[k], &low[i][k], &high[i][k]);
        }
        mpq_set_si(weight, 1, p.count > 0 ? (unsigned)p.count : 1);
        mpq_mul(middle.x[k], middle.x[k], weight);
    }
    mpq_clear(weight);
    *cross = p.count > 0 && strictly_inside(&middle, ta) && strictly_inside(&middle, tb) &&
             !are_coplanar(a, b);
    return p.count;
}

bool oracle_point_in_tetrahedron(const double p[3], const double t[4][3]) {
    const uint32_t none[3] = {0, 0, 0};
    const double at[3][3] = {
        {p[0], p[1], p[2]},
        {p[0], p[1], p[2]},
        {p[0], p[1], p[2]}
    };
    const int whole = oracle_orient3d(t[0], t[1], t[2], t[3]);
    bool inside = whole != 0;
    for (int i = 0; i < 4; i++) {
        const double* f[3] = {t[(i + 1) & 3], t[(i + 2) & 3], t[(i + 3) & 3]};
        // The corner opposite the face and p are on the same side of it.
        if (oracle_orient3d(f[0], f[1], f[2], p) * oracle_orient3d(f[0], f[1], f[2], t[i]) < 0)
            inside = false;
        double face[3][3];
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) face[j][k] = f[j][k];
        const uint32_t corners[3] = {1, 2, 3};
        if (!whole && oracle_tri_tri(at, none, face, corners)) return true;
    }
    return inside;
}
