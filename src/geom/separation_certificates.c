/// @file separation_certificates.c  The two certificates that a pair is further apart than R during
/// a whole time interval (separation_exact.c). A polynomial on the interval is represented by its
/// Bernstein coefficients times the binomial coefficients, so that products are convolutions; the
/// coefficients of D_i are its values at both ends. If all coefficients are positive, so is the
/// polynomial.
#include "geom/separation_exact.h"

typedef frc_big big;
typedef frc_big_arena arena;

typedef struct poly {
    int degree;
    big c[7];
} poly;

static poly multiply(arena* s, const poly* a, const poly* b) {
    poly r = {.degree = a->degree + b->degree};
    for (int i = 0; i <= r.degree; i++) r.c[i] = FRC_BIG_ZERO;
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            r.c[i + j] = frc_big_add(s, r.c[i + j], frc_big_multiply(s, a->c[i], b->c[j]));
    return r;
}

static poly subtract(arena* s, const poly* a, const poly* b) {
    poly r = {.degree = a->degree};
    for (int i = 0; i <= r.degree; i++) r.c[i] = frc_big_subtract(s, a->c[i], b->c[i]);
    return r;
}

typedef struct curve {
    poly axis[3];
} curve;

static curve corner(const frc_hull ends[2], int i) {
    curve r;
    for (int k = 0; k < 3; k++)
        r.axis[k] = (poly){
            1, {ends[0].d[i][k], ends[1].d[i][k]}
        };
    return r;
}

static curve difference(arena* s, const curve* a, const curve* b) {
    curve r;
    for (int k = 0; k < 3; k++) r.axis[k] = subtract(s, &a->axis[k], &b->axis[k]);
    return r;
}

static poly dot(arena* s, const curve* a, const curve* b) {
    poly r = multiply(s, &a->axis[0], &b->axis[0]);
    for (int k = 1; k < 3; k++) {
        const poly p = multiply(s, &a->axis[k], &b->axis[k]);
        for (int i = 0; i <= r.degree; i++) r.c[i] = frc_big_add(s, r.c[i], p.c[i]);
    }
    return r;
}

static curve cross(arena* s, const curve* a, const curve* b) {
    curve r;
    for (int k = 0; k < 3; k++) {
        const int j = (k + 1) % 3, l = (k + 2) % 3;
        const poly p = multiply(s, &a->axis[j], &b->axis[l]);
        const poly q = multiply(s, &a->axis[l], &b->axis[j]);
        r.axis[k] = subtract(s, &p, &q);
    }
    return r;
}

static bool all_at_least(const poly* p, int sign) {
    for (int i = 0; i <= p->degree; i++)
        if (p->c[i].sign < sign) return false;
    return true;
}

// num - r2 den > 0, where the degree of num is two higher: den is elevated by the polynomial 1 of
// degree 2, which is (1, 2, 1).
static bool exceeds(arena s, const poly* num, const poly* den, big r2) {
    const poly raise = {
        2, {r2, frc_big_shift(&s, r2, 1), r2}
    };
    const poly far = multiply(&s, den, &raise);
    const poly excess = subtract(&s, num, &far);
    return all_at_least(&excess, 1);
}

// All D_i are beyond the plane n . x = R |n| at one end; least = R^2 |n|^2.
static bool beyond(arena s, const frc_hull* p, const big n[3], big least) {
    for (int i = 0; i < p->count; i++) {
        arena t = s;
        const big v = frc_big_dot(&t, n, p->d[i]);
        if (v.sign <= 0 || frc_big_compare(frc_big_multiply(&t, v, v), least) <= 0) return false;
    }
    return true;
}

// Certificate 2 for the face (or both edges): c^2 > R^2 |N|^2
static bool face_apart(arena s, const frc_hull ends[2], big r2) {
    const bool vf = ends[0].kind == FRC_CCD_VF;
    const curve x = corner(ends, 0), y = corner(ends, 1), z = corner(ends, 2);
    const curve e = difference(&s, vf ? &y : &x, vf ? &x : &z);
    const curve f = difference(&s, vf ? &z : &y, &x), n = cross(&s, &e, &f);
    const poly c = dot(&s, &n, &x), num = multiply(&s, &c, &c), den = dot(&s, &n, &n);
    return exceeds(s, &num, &den, r2);
}

// Certificate 2 for a side: |X x E|^2 > R^2 |E|^2, and no other corner is nearer. The direction
// from the origin to the side is X |E|^2 - E (X . E); a corner W + X is not nearer along it where
// |E|^2 (X . W) - (E . W) (X . E) >= 0.
static bool side_apart(arena s, const frc_hull ends[2], frc_hull_feature part, big r2) {
    const curve x = corner(ends, part.x), y = corner(ends, part.y), e = difference(&s, &y, &x);
    for (int i = 0; i < ends[0].count; i++) {
        if (i == part.x || i == part.y) continue;
        arena t = s;
        const curve z = corner(ends, i), w = difference(&t, &z, &x);
        const poly ee = dot(&t, &e, &e), xw = dot(&t, &x, &w), ew = dot(&t, &e, &w);
        const poly xe = dot(&t, &x, &e);
        const poly p = multiply(&t, &ee, &xw), q = multiply(&t, &ew, &xe);
        const poly r = subtract(&t, &p, &q);
        if (!all_at_least(&r, 0)) return false;
    }
    const curve n = cross(&s, &x, &e);
    const poly num = dot(&s, &n, &n), den = dot(&s, &e, &e);
    return exceeds(s, &num, &den, r2);
}

// Certificate 2 for a corner: |X|^2 > R^2, and X . (Z - X) >= 0 for the other corners
static bool corner_apart(arena s, const frc_hull ends[2], frc_hull_feature part, big r2) {
    const curve x = corner(ends, part.x);
    for (int i = 0; i < ends[0].count; i++) {
        if (i == part.x) continue;
        arena t = s;
        const curve z = corner(ends, i), w = difference(&t, &z, &x);
        const poly p = dot(&t, &x, &w);
        if (!all_at_least(&p, 0)) return false;
    }
    const poly num = dot(&s, &x, &x), den = {0, {frc_big_make(&s, 1, 1, 0)}};
    return exceeds(s, &num, &den, r2);
}

bool frc_hull_separated(arena s, const frc_hull ends[2], const frc_hull* middle,
                        frc_hull_feature part, big r2) {
    // Certificate 1: the direction at the middle separates at both ends.
    arena t = s;
    big n[3];
    frc_hull_direction(&t, middle, part, n);
    const big least = frc_big_multiply(&t, r2, frc_big_dot(&t, n, n));
    if (beyond(t, &ends[0], n, least) && beyond(t, &ends[1], n, least)) return true;
    switch (part.kind) {
    case FRC_HULL_FACE:
        return face_apart(s, ends, r2);
    case FRC_HULL_EDGE:
        return side_apart(s, ends, part, r2);
    case FRC_HULL_VERTEX:
        return corner_apart(s, ends, part, r2);
    }
    return false;
}
