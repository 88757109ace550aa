/// @file triangle_distance.c  Closest points as linear least squares.
///
/// The point of a plane, or of two lines, that is nearest to the origin solves a least squares
/// problem with two unknowns. Modified Gram-Schmidt solves it with a small backward error, however
/// thin the triangle is: the distance of the result, though not its parameters, is accurate. Where
/// the result is outside of the triangle the distance is convex between it and the best point, so
/// some point of an edge is as near. Normal equations do not have this property.
/// Based on: bjorck1967.
#include "geom/triangle_distance.h"
#include "geom/closest_points.h"
#include "geom/vec3.h"
#include <stdbool.h>
#include <string.h>

// Squares of lengths that are 0 for coordinates of about 1: far below all rounding errors, and far
// above the underflow of products.
#define NO_LENGTH 0x1p-600

// The u and v for which x + u e + v f is nearest to 0. False: e and f are parallel, or 0.
static bool solve(const double x[3], const double e[3], const double f[3], double* u, double* v) {
    double g[3], r[3];
    const double ee = frc_vec3_dot(e, e);
    if (!(ee > NO_LENGTH)) return false;
    const double along = frc_vec3_dot(e, f) / ee, first = -frc_vec3_dot(e, x) / ee;
    for (int k = 0; k < 3; k++) g[k] = f[k] - along * e[k], r[k] = -x[k] - first * e[k];
    const double gg = frc_vec3_dot(g, g);
    if (!(gg > NO_LENGTH)) return false;
    *v = frc_vec3_dot(g, r) / gg;
    *u = first - along * *v;
    return true;
}

static void step(const double x[3], double u, const double e[3], double v, const double f[3],
                 double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = x[k] + u * e[k] + v * f[k];
}

// The point of the triangle x nearest to 0; returns the square of its distance.
static double nearest(const double x[3][3], double* u, double* v) {
    double e[3], f[3], q[3];
    frc_vec3_subtract(x[1], x[0], e);
    frc_vec3_subtract(x[2], x[0], f);
    if (solve(x[0], e, f, u, v) && *u >= 0 && *v >= 0 && *u + *v <= 1) {
        step(x[0], *u, e, *v, f, q);
        return frc_vec3_dot(q, q);
    }
    double best = -1;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const double t = frc_closest_segment(x[i], x[j]);
        double weight[3] = {0, 0, 0};
        weight[i] = 1 - t;
        weight[j] = t;
        for (int k = 0; k < 3; k++) q[k] = weight[i] * x[i][k] + weight[j] * x[j][k];
        const double square = frc_vec3_dot(q, q);
        if (best >= 0 && !(square < best)) continue;
        best = square;
        *u = weight[1];
        *v = weight[2];
    }
    return best;
}

// ---- units

// Coordinates relative to `from`, scaled by a power of two to about 1 unless they are of ordinary
// size.
typedef struct units {
    const double* from;
    double factor, scale;
} units;

static double relative(const units* s, const double p[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = s->factor * p[k] - s->factor * s->from[k];
    return frc_vec3_largest(out);
}

static units choose_units(const double from[3], const double* const* points, int count) {
    units s = {from, 1, 1};
    double largest = 0, x[3];
    for (int pass = 0; pass < 2; pass++) {
        largest = 0;
        for (int i = 0; i < count; i++) {
            const double size = relative(&s, points[i], x);
            largest = size > largest ? size : largest;
        }
        // Differences of huge numbers overflow; differences of their quarters do not.
        if (!isinf(largest)) break;
        s.factor = 0.25;
    }
    // Squares of numbers of ordinary size are far from overflow and from NO_LENGTH.
    if (largest > 0x1p-200 && largest < 0x1p200) return s;
    int exponent = 0;
    if (largest > 0) frexp(largest, &exponent);
    s.scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    return s;
}

static void in_units(const units* s, const double p[3], double out[3]) {
    relative(s, p, out);
    for (int k = 0; k < 3; k++) out[k] *= s->scale;
}

// ---- results

static void place(const double* const t[3], double u, double v, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = (1 - u - v) * t[0][k] + (u * t[1][k] + v * t[2][k]);
}

void frc_point_triangle_closest(const double p[3], const double* const triangle[3],
                                frc_triangle_closest* out) {
    const units s = choose_units(p, triangle, 3);
    double x[3][3];
    for (int i = 0; i < 3; i++) in_units(&s, triangle[i], x[i]);
    const double square = nearest((const double(*)[3])x, &out->u[0], &out->v[0]);
    out->distance = sqrt(square) / s.scale / s.factor;
    out->u[1] = out->v[1] = 0;
    place(triangle, out->u[0], out->v[0], out->at[0]);
    memcpy(out->at[1], p, sizeof out->at[1]);
}

typedef struct best_pair {
    double square, u[2], v[2];
} best_pair;

// Corners of triangle `side` against the other triangle.
static void try_corners(const double x[2][3][3], int side, best_pair* best) {
    for (int i = 0; i < 3; i++) {
        double moved[3][3], u, v;
        for (int j = 0; j < 3; j++) frc_vec3_subtract(x[1 - side][j], x[side][i], moved[j]);
        const double square = nearest((const double(*)[3])moved, &u, &v);
        if (best->square >= 0 && !(square < best->square)) continue;
        best->square = square;
        best->u[side] = i == 1, best->v[side] = i == 2;
        best->u[1 - side] = u, best->v[1 - side] = v;
    }
}

// Parameters of the point at t on edge i, from corner i to the next.
static void set_edge(int i, double t, double* u, double* v) {
    *u = i == 0 ? t : i == 1 ? 1 - t : 0;
    *v = i == 0 ? 0 : i == 1 ? t : 1 - t;
}

static void try_edges(const double x[2][3][3], int i, int j, best_pair* best) {
    double w[3], e[3], f[3], q[3], s, t;
    frc_vec3_subtract(x[0][i], x[1][j], w);
    frc_vec3_subtract(x[0][(i + 1) % 3], x[0][i], e);
    frc_vec3_subtract(x[1][j], x[1][(j + 1) % 3], f);
    // At an end of an edge the corner has been compared with the other triangle.
    if (!solve(w, e, f, &s, &t) || !(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return;
    step(w, s, e, t, f, q);
    const double square = frc_vec3_dot(q, q);
    if (!(square < best->square)) return;
    best->square = square;
    set_edge(i, s, &best->u[0], &best->v[0]);
    set_edge(j, t, &best->u[1], &best->v[1]);
}

void frc_triangle_triangle_closest(const double* const a[3], const double* const b[3],
                                   frc_triangle_closest* out) {
    const double* const all[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    const units s = choose_units(a[0], all, 6);
    double x[2][3][3];
    for (int i = 0; i < 3; i++) in_units(&s, a[i], x[0][i]), in_units(&s, b[i], x[1][i]);
    best_pair best = {.square = -1};
    try_corners((const double(*)[3][3])x, 0, &best);
    try_corners((const double(*)[3][3])x, 1, &best);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) try_edges((const double(*)[3][3])x, i, j, &best);
    out->distance = sqrt(best.square) / s.scale / s.factor;
    memcpy(out->u, best.u, sizeof out->u);
    memcpy(out->v, best.v, sizeof out->v);
    place(a, out->u[0], out->v[0], out->at[0]);
    place(b, out->u[1], out->v[1], out->at[1]);
}
