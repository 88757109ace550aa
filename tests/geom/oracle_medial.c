// Written independently of src/geom/medial*.c: subdivision, and constructions in integers.
#include "oracle_medial.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t oracle_bits(oracle_random* r) {
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state * UINT64_C(0x2545F4914F6CDD1D);
}
double oracle_real(oracle_random* r) { return (double)(oracle_bits(r) >> 11) * 0x1p-52 - 1; }
int oracle_below(oracle_random* r, int count) {
    return (int)((oracle_bits(r) >> 32) % (uint64_t)count);
}

// ---- subdivision

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

typedef struct domain {
    double a[3][4], b[3][4];
    int na, nb;
} domain;

static void middle(const double (*x)[4], int count, double out[4]) {
    for (int k = 0; k < 4; k++) {
        out[k] = 0;
        for (int i = 0; i < count; i++) out[k] += x[i][k] / count;
    }
}

// The ends of the longest edge, in four dimensions; returns its squared length.
static double longest(const double (*x)[4], int count, int ends[2]) {
    double best = -1;
    ends[0] = ends[1] = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) sum += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
            if (sum > best) best = sum, ends[0] = i, ends[1] = j;
        }
    return best;
}

// The separation of the spheres in the middle; `p` from the first to the second.
static double evaluate(const domain* d, double p[3]) {
    double v[4], w[4];
    middle((const double(*)[4])d->a, d->na, v);
    middle((const double(*)[4])d->b, d->nb, w);
    for (int k = 0; k < 3; k++) p[k] = w[k] - v[k];
    return sqrt(dot(p, p)) - v[3] - w[3];
}

static int visit(const domain* d, int depth, long* budget) {
    double p[3], low = INFINITY, high = -INFINITY;
    if (--*budget < 0) return 0;
    if (evaluate(d, p) < -1e-9) return -1;
    const double length = sqrt(dot(p, p));
    if (length > 0) {
        // A plane with the normal p between the two.
        for (int j = 0; j < d->nb; j++) low = fmin(low, dot(p, d->b[j]) / length - d->b[j][3]);
        for (int i = 0; i < d->na; i++) high = fmax(high, dot(p, d->a[i]) / length + d->a[i][3]);
        if (low - high > 1e-9) return 1;
    }
    if (depth == 200) return 0;
    int ea[2], eb[2];
    const bool split_a = longest((const double(*)[4])d->a, d->na, ea) >=
                         longest((const double(*)[4])d->b, d->nb, eb);
    const int* const e = split_a ? ea : eb;
    domain half[2] = {*d, *d};
    double value[2];
    for (int h = 0; h < 2; h++) {
        double(*const x)[4] = split_a ? half[h].a : half[h].b;
        for (int k = 0; k < 4; k++) x[e[h]][k] = 0.5 * (x[e[0]][k] + x[e[1]][k]);
        value[h] = evaluate(&half[h], p);
    }
    // The nearer half first.
    const int first = value[1] < value[0];
    const int r = visit(&half[first], depth + 1, budget);
    if (r < 0) return r;
    const int s = visit(&half[1 - first], depth + 1, budget);
    return s < 0 ? s : r > 0 && s > 0;
}

int oracle_medial_pair(const double (*a)[4], int na, const double (*b)[4], int nb) {
    domain d = {.na = na, .nb = nb};
    memcpy(d.a, a, (size_t)na * sizeof *a);
    memcpy(d.b, b, (size_t)nb * sizeof *b);
    long budget = 20000;
    return visit(&d, 0, &budget);
}

static double separation_at(const double (*a)[4], int na, const double (*b)[4], int nb,
                            const double w[2][3]) {
    double p[4] = {0};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < na; i++) p[k] += (k < 3 ? -1 : 1) * w[0][i] * a[i][k];
        for (int j = 0; j < nb; j++) p[k] += w[1][j] * b[j][k];
    }
    return sqrt(dot(p, p)) - p[3];
}

double oracle_medial_descent(oracle_random* r, const double (*a)[4], int na, const double (*b)[4],
                             int nb, const double weight_a[3], const double weight_b[3]) {
    double best[2][3], value, size = 0.5;
    memcpy(best[0], weight_a, sizeof best[0]);
    memcpy(best[1], weight_b, sizeof best[1]);
    value = separation_at(a, na, b, nb, (const double(*)[3])best);
    for (int step = 0; step < 1000; step++) {
        double next[2][3];
        for (int side = 0; side < 2; side++) {
            const int count = side ? nb : na;
            double sum = 0;
            for (int i = 0; i < 3; i++) {
                next[side][i] = i < count ? fmax(best[side][i] + size * oracle_real(r), 0) : 0;
                sum += next[side][i];
            }
            for (int i = 0; i < 3; i++)
                next[side][i] = sum > 0 ? next[side][i] / sum : best[side][i];
        }
        const double v = separation_at(a, na, b, nb, (const double(*)[3])next);
        if (v < value)
            value = v, memcpy(best, next, sizeof best);
        else
            size = size > 1e-4 ? size * 0.98 : 0.5;
    }
    return value;
}

static int visit_box(const double c0[4], const double c1[4], const double lo[3], const double hi[3],
                     long* budget) {
    double c[4], p[3], box = 0;
    for (int k = 0; k < 4; k++) c[k] = 0.5 * (c0[k] + c1[k]);
    for (int k = 0; k < 3; k++) p[k] = c[k] - fmin(fmax(c[k], lo[k]), hi[k]);
    const double length = sqrt(dot(p, p));
    bool inside = true;
    for (int k = 0; k < 3; k++) inside &= c[k] > lo[k] + 1e-9 && c[k] < hi[k] - 1e-9;
    if (inside || length - c[3] < -1e-9) return -1;
    if (length > 0) {
        for (int k = 0; k < 3; k++) box += p[k] * (p[k] > 0 ? hi[k] : lo[k]) / length;
        const double low = fmin(dot(p, c0) / length - c0[3], dot(p, c1) / length - c1[3]);
        if (low - box > 1e-9) return 1;
    }
    if (--*budget < 0) return 0;
    const int r = visit_box(c0, c, lo, hi, budget);
    if (r < 0) return r;
    const int s = visit_box(c, c1, lo, hi, budget);
    return s < 0 ? s : r > 0 && s > 0;
}

int oracle_medial_box(const double (*a)[4], int na, const double lo[3], const double hi[3]) {
    long budget = 2000;
    return visit_box(a[0], a[na - 1], lo, hi, &budget);
}

// ---- contacts with known truth

// Three orthogonal integer vectors of the same integer length.
typedef struct frame {
    int length, axis[3][3];
} frame;
static const frame FRAMES[] = {
    {3,  {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}}},
    {7,  {{2, 3, 6}, {3, -6, 2}, {6, 2, -3}}},
    {9,  {{1, 4, 8}, {4, 7, -4}, {8, -4, 1}}},
    {5,  {{3, 4, 0}, {4, -3, 0}, {0, 0, 5}} },
    {1,  {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}  },
    {11, {{2, 6, 9}, {6, 7, -6}, {9, -6, 2}}},
};

static const frame* pick_frame(oracle_random* r) {
    return &FRAMES[oracle_below(r, (int)(sizeof FRAMES / sizeof *FRAMES))];
}

// x = along n + side u + other w of the frame, each in units of 1 / length... all integers.
static void set_point(const frame* f, int along, int side, int other, double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = along * f->axis[0][k] + side * f->axis[1][k] + other * f->axis[2][k];
}

// Spheres of radius length * q whose farthest points in direction sign * n lie in the plane, where
// their hull contains the origin.
static void make_side(oracle_random* r, const frame* f, int count, int sign, int kind,
                      double (*out)[4]) {
    int u[3] = {0, 0, 0}, w[3] = {0, 0, 0}, active = 1 + oracle_below(r, count);
    const int size = kind == 1 ? 1 : 1 + oracle_below(r, 1000);
    if (kind == 2) active = count;
    if (active == 2) {
        const int x = oracle_below(r, 2 * size + 1) - size,
                  y = oracle_below(r, 2 * size + 1) - size;
        const int p = oracle_below(r, 5), q = oracle_below(r, 5);
        u[0] = p * x, w[0] = p * y;
        u[1] = -q * x, w[1] = -q * y;
    } else if (active == 3) {
        const int p = 1 + oracle_below(r, 4), q = 1 + oracle_below(r, 4);
        for (int i = 0; i < 2; i++) {
            u[i] = oracle_below(r, 2 * size + 1) - size;
            w[i] = oracle_below(r, 2 * size + 1) - size;
        }
        u[2] = -(p * u[0] + q * u[1]);
        w[2] = -(p * w[0] + q * w[1]);
    }
    for (int i = 0; i < count; i++) {
        int radius = kind == 3 ? 0 : oracle_below(r, size + 1), along = radius;
        if (i >= active) {
            // Behind the plane, possibly touching it.
            along += oracle_below(r, 2) * oracle_below(r, size + 1);
            u[i] = oracle_below(r, 2 * size + 1) - size;
            w[i] = oracle_below(r, 2 * size + 1) - size;
        }
        set_point(f, -sign * along, u[i], w[i], out[i]);
        out[i][3] = radius * f->length;
    }
    const int at = oracle_below(r, count);
    for (int k = 0; k < 4; k++) {
        const double x = out[0][k];
        out[0][k] = out[at][k];
        out[at][k] = x;
    }
}

void oracle_make_contact(oracle_random* r, int na, int nb, int gap, oracle_contact* out) {
    const frame* const f = pick_frame(r);
    const int kind = oracle_below(r, 5);
    make_side(r, f, na, 1, kind, out->a);
    make_side(r, f, nb, -1, kind == 4 ? 1 : kind, out->b);
    double origin[3], shift[3];
    for (int k = 0; k < 3; k++) origin[k] = oracle_below(r, 2001) - 1000;
    set_point(f, gap, 0, 0, shift);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            out->a[i][k] += origin[k];
            out->b[i][k] += origin[k] + shift[k];
        }
    for (int k = 0; k < 3; k++) out->normal[k] = f->axis[0][k];
    out->length = f->length;
}

void oracle_make_box_contact(oracle_random* r, int na, int gap, oracle_contact* out) {
    const frame* const f = pick_frame(r);
    make_side(r, f, na, 1, oracle_below(r, 4), out->a);
    double shift[3];
    set_point(f, gap, 0, 0, shift);
    for (int k = 0; k < 3; k++) {
        // The corner that is nearest in direction n, at the shift; on axes with n_k = 0 anywhere.
        const int n = f->axis[0][k], low = oracle_below(r, 50), high = oracle_below(r, 50);
        out->lo[k] = shift[k] - (n > 0 ? 0 : low);
        out->hi[k] = shift[k] + (n < 0 ? 0 : high);
        out->normal[k] = n;
    }
    out->length = f->length;
}
