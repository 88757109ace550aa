/// @file medial_pair.c  Separation of two medial primitives: minimisation on faces, with certified
/// bounds.
///
/// For spheres (v, r) of the first and (w, s) of the second primitive let p = (w - v, s + r), a
/// point of a polytope with up to nine vertices. f(p) = |p_xyz| - p_r is convex on it. A vertex, an
/// edge or a two-dimensional face is minimised in closed form: at a critical point inside of it the
/// direction n = p_xyz / |p_xyz| satisfies n . e_xyz = e_r for each edge vector e of the face,
/// which gives n up to its part orthogonal to the face. Starting from one pair of spheres, the
/// vertex that is nearest in direction n is added, and the larger face minimised: at its critical
/// point, or on the parts of it that contain the new vertex. When no vertex is nearer than the
/// face, the minimum is found. f decreases in every step, so none repeats. Three-dimensional faces
/// have no critical point except where the centre surfaces intersect.
///
/// Bounds. Any point of the polytope gives an upper bound, and any unit vector n a lower bound, the
/// minimum of n . p_xyz - p_r over the vertices: so only the rounding of these two matters. Let u =
/// 2^-53, X the largest magnitude of a relative coordinate, R the largest radius.
///   Lower bound. A relative coordinate has an error of u X, a scalar product with n less than
///   1.74u X from that and 3 * 1.74u X from its own operations, the sum with the radius 1.74u X +
///   uR: below 9u X + uR for each primitive, and the difference of both another 3.5u X + 2uR. |n|
///   differs from 1 by at most 8u (else n is scaled), which changes n . p_xyz by 8u * 3.5 X: 50u X
///   + 4uR. Upper bound. Weights have errors of a few u: a centre interpolated by computed weights
///   is within 12u X of one of the primitive, per coordinate, the difference of two within 26u X,
///   in length 45u X; the length itself 4u * 3.5 X, the radii 12uR and the difference u (3.5 X +
///   2R): 63u X + 14uR.
/// So 72u (X + R) covers both and its own rounding, as long as nothing overflows or underflows:
/// pairs with X + R outside of [2^-120, 2^120] are scaled by a power of two.
#include "exact/double_parts.h"
#include "geom/medial_core.h"
#include "geom/vec3.h"
#include <float.h>
#include <string.h>

#ifndef FRC_MEDIAL_UNIT
#define FRC_MEDIAL_UNIT 0x1p-53  // 0: bounds without rounding errors, which tests must catch
#endif

enum { MAX_STEPS = 32 };

// ---- loading

FRC_DEVICE static double load_side(const double (*x)[4], int count, const double origin[3],
                                   double factor, double (*out)[4]) {
    double extent = 0, radius = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) out[i][k] = x[i][k] * factor - origin[k];
        out[i][3] = x[i][3] * factor;
        const double e = frc_vec3_largest(out[i]);
        extent = e > extent ? e : extent;
        radius = out[i][3] > radius ? out[i][3] : radius;
    }
    return extent + radius;
}

FRC_DEVICE static double load(const double (*a)[4], int na, const double (*b)[4], int nb,
                              double factor, frc_medial_pair* out) {
    for (int k = 0; k < 3; k++) out->origin[k] = a[0][k] * factor;
    const double x = load_side(a, na, out->origin, factor, out->a);
    const double y = load_side(b, nb, out->origin, factor, out->b);
    return x + y;
}

FRC_DEVICE static void scale_side(double (*x)[4], int count, double factor) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++) x[i][k] *= factor;
}

// Numbers beyond 2^120, or all below 2^-120. Scaling loses at most 2^-1074 per number where it is
// inexact, which is nothing relative to the error bound then.
FRC_DEVICE __attribute__((noinline)) static double load_scaled(const double (*a)[4], int na,
                                                               const double (*b)[4], int nb,
                                                               double size, frc_medial_pair* out) {
    if (size == 0) return 0;
    if (!(size <= 0x1p1020)) {
        out->exponent = 8;
        size = load(a, na, b, nb, 0x1p-8, out);
    }
    const int exponent = size < 0x1p-1000 ? -1000 : size < 0x1p1000 ? frc_exponent(size) : 1000;
    const double factor = frc_power_of_two(-exponent);
    scale_side(out->a, na, factor);
    scale_side(out->b, nb, factor);
    out->exponent += exponent;
    return size * factor;
}

FRC_DEVICE void frc_medial_load(const double (*a)[4], int na, const double (*b)[4], int nb,
                                frc_medial_pair* out) {
    out->na = na;
    out->nb = nb;
    out->exponent = 0;
    double size = load(a, na, b, nb, 1, out);
    if (!(size >= 0x1p-120 && size <= 0x1p120)) size = load_scaled(a, na, b, nb, size, out);
    out->error = 72 * FRC_MEDIAL_UNIT * size;
}

// ---- critical points of faces

// A part of the polytope: the product of the hulls of some spheres of a and some of b.
typedef struct part {
    int count_a, count_b;
    int a[3], b[3];
} part;

// Its critical point, the direction there and the value of f.
typedef struct face {
    part at;
    double weight_a[3], weight_b[3];  // of at.a[] and at.b[]
    double direction[3];
    double value;
} face;

FRC_DEVICE static inline void difference(const frc_medial_pair* pair, int i, int j, double p[4]) {
    const double *a = pair->a[i], *b = pair->b[j];
    for (int k = 0; k < 3; k++) p[k] = b[k] - a[k];
    p[3] = b[3] + a[3];
}

// Edge vectors of the face from its first vertex: those of the second primitive follow.
FRC_DEVICE static inline void edge_a(const frc_medial_pair* pair, int from, int to, double e[4]) {
    const double *x = pair->a[from], *y = pair->a[to];
    for (int k = 0; k < 3; k++) e[k] = x[k] - y[k];
    e[3] = y[3] - x[3];
}
FRC_DEVICE static inline void edge_b(const frc_medial_pair* pair, int from, int to, double e[4]) {
    const double *x = pair->b[from], *y = pair->b[to];
    for (int k = 0; k < 4; k++) e[k] = y[k] - x[k];
}

// A unit vector orthogonal to e, or any if e is 0.
FRC_DEVICE static void orthogonal(const double e[3], double out[3]) {
    int k = fabs(e[0]) <= fabs(e[1]) ? 0 : 1;
    if (fabs(e[2]) < fabs(e[k])) k = 2;
    const double axis[3] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    double c[3];
    frc_vec3_cross(e, axis, c);
    const double length = sqrt(frc_vec3_dot(c, c));
    frc_vec3_scale(length > 0 ? c : axis, length > 0 ? 1 / length : 1, out);
}

// Scale n to length 1 where it is not within a few units of rounding.
FRC_DEVICE static void normalize(double n[3]) {
    const double nn = frc_vec3_dot(n, n);
    if (fabs(nn - 1) > 8 * 0x1p-53) frc_vec3_scale(n, 1 / sqrt(nn), n);
}

FRC_DEVICE static void solve_vertex(const double p[4], face* f) {
    const double length = sqrt(frc_vec3_dot(p, p));
    if (length > 0)
        frc_vec3_scale(p, 1 / length, f->direction);
    else
        orthogonal(p, f->direction);
    f->value = length - p[3];
}

// False if the critical point of f along p + x e is not in 0 <= x <= 1.
FRC_DEVICE static bool solve_edge(const double p[4], const double e[4], face* f, double* x) {
    const double ee = frc_vec3_dot(e, e), slope = e[3];
    if (!(ee > slope * slope)) return false;
    // h: from the line of centres to the origin, at a right angle.
    const double inverse = 1 / ee, along = frc_vec3_dot(e, p) * inverse, c = slope * inverse;
    double h[3];
    for (int k = 0; k < 3; k++) h[k] = p[k] - along * e[k];
    // Close to the line h is mostly rounding: once more, relative to its own length.
    if (frc_vec3_dot(h, h) < 0x1p-16 * frc_vec3_dot(p, p)) {
        const double more = frc_vec3_dot(e, h) * inverse;
        for (int k = 0; k < 3; k++) h[k] -= more * e[k];
    }
    const double height = sqrt(frc_vec3_dot(h, h)), sine = sqrt(1 - slope * c);
    *x = slope == 0 ? -along : height / sine * c - along;
    if (!(*x >= 0 && *x <= 1)) return false;
    if (height > 0)
        frc_vec3_scale(h, sine / height, h);
    else {
        orthogonal(e, h);
        frc_vec3_scale(h, sine, h);
    }
    for (int k = 0; k < 3; k++) f->direction[k] = h[k] + c * e[k];
    f->value = height * sine + slope * along - p[3];
    return true;
}

// The critical point of f on p + x[0] e + x[1] g; false if there is none.
FRC_DEVICE static bool solve_two(const double p[4], const double e[4], const double g[4], face* f,
                                 double x[2]) {
    double m[3];
    frc_vec3_cross(e, g, m);
    const double det = frc_vec3_dot(m, m);
    if (!(det > 0)) return false;
    const double ee = frc_vec3_dot(e, e), eg = frc_vec3_dot(e, g), gg = frc_vec3_dot(g, g);
    const double inverse = 1 / det, area = sqrt(det);
    // The part of n in the plane of e and g.
    const double c0 = (e[3] * gg - g[3] * eg) * inverse, c1 = (g[3] * ee - e[3] * eg) * inverse;
    const double rest = 1 - (e[3] * c0 + g[3] * c1);
    if (!(rest > 0)) return false;
    const double sine = sqrt(rest), ep = frc_vec3_dot(e, p), gp = frc_vec3_dot(g, p);
    const double above = frc_vec3_dot(m, p), height = fabs(above) / area, length = height / sine;
    x[0] = length * c0 - (ep * gg - gp * eg) * inverse;
    x[1] = length * c1 - (gp * ee - ep * eg) * inverse;
    const double normal = (above < 0 ? -sine : sine) / area;
    for (int k = 0; k < 3; k++) f->direction[k] = c0 * e[k] + c1 * g[k] + normal * m[k];
    f->value = height * sine + c0 * ep + c1 * gp - p[3];
    return true;
}

// Weights of up to three spheres from those of the last; false if one is negative.
FRC_DEVICE static bool set_weights(const double* x, int count, double* out) {
    double first = 1;
    for (int i = 1; i < count; i++) first -= out[i] = x[i - 1];
    out[0] = first;
    return first >= 0 && (count < 2 || x[0] >= 0) && (count < 3 || x[1] >= 0);
}

// The critical point of f on a face of at most two dimensions; false if it is outside.
FRC_DEVICE static inline bool solve(const frc_medial_pair* pair, face* f) {
    double p[4], e[2][4], x[4] = {0};
    const part* const at = &f->at;
    int count = 0;
    difference(pair, at->a[0], at->b[0], p);
    for (int i = 1; i < at->count_a; i++) edge_a(pair, at->a[0], at->a[i], e[count++]);
    for (int i = 1; i < at->count_b; i++) edge_b(pair, at->b[0], at->b[i], e[count++]);
    if (count == 0)
        solve_vertex(p, f);
    else if (count == 1 ? !solve_edge(p, e[0], f, x) : !solve_two(p, e[0], e[1], f, x))
        return false;
    normalize(f->direction);
    return set_weights(x, at->count_a, f->weight_a) &&
           set_weights(x + at->count_a - 1, at->count_b, f->weight_b);
}

// ---- supports

// For a direction n: n . v + r of the spheres of a, n . w - s of those of b; where a is largest and
// b smallest.
typedef struct support {
    double a[3], b[3];
    int far_a, near_b;
} support;

FRC_DEVICE static inline void find_support(const frc_medial_pair* pair, const double n[3],
                                           support* out) {
    out->far_a = out->near_b = 0;
    for (int i = 0; i < pair->na; i++) {
        out->a[i] = frc_vec3_dot(n, pair->a[i]) + pair->a[i][3];
        if (out->a[i] > out->a[out->far_a]) out->far_a = i;
    }
    for (int j = 0; j < pair->nb; j++) {
        out->b[j] = frc_vec3_dot(n, pair->b[j]) - pair->b[j][3];
        if (out->b[j] < out->b[out->near_b]) out->near_b = j;
    }
}

FRC_DEVICE static double support_gap(const support* s) { return s->b[s->near_b] - s->a[s->far_a]; }

FRC_DEVICE static double upper_bound(const frc_medial_pair* pair, const frc_medial_bounds* r) {
    double p[4] = {0, 0, 0, 0};
    for (int i = 0; i < pair->na; i++) {
        for (int k = 0; k < 3; k++) p[k] -= r->weight_a[i] * pair->a[i][k];
        p[3] += r->weight_a[i] * pair->a[i][3];
    }
    for (int j = 0; j < pair->nb; j++)
        for (int k = 0; k < 4; k++) p[k] += r->weight_b[j] * pair->b[j][k];
    return sqrt(frc_vec3_dot(p, p)) - p[3] + pair->error;
}

// ---- the search

// A face and the support in its direction.
typedef struct state {
    face f;
    support s;
} state;

// Whether no vertex of `larger` is nearer than the face, a part of it.
FRC_DEVICE static bool is_minimum(const state* s, const part* larger, double slack) {
    const double a = s->s.a[s->f.at.a[0]] + slack, b = s->s.b[s->f.at.b[0]] - slack;
    for (int i = 0; i < larger->count_a; i++)
        if (s->s.a[larger->a[i]] > a) return false;
    for (int j = 0; j < larger->count_b; j++)
        if (s->s.b[larger->b[j]] < b) return false;
    return true;
}

// The parts of at most two dimensions that contain the last of the spheres of one side, largest
// first. A part is an octal number: a bit set of this side, one of the other.
// By the number of spheres of this side and of the other, less one; the last is never reached: four
// dimensions, from a face of two.
FRC_DEVICE static const uint8_t PARTS[9][15] = {
    {011,  0},
    {013,    011, 012, 0},
    {017,013, 015, 016, 011, 012, 014, 0},
    {031,   021, 0},
    {033,  031, 032, 023, 021, 022, 0},
    {033, 035, 036, 027, 031, 032, 034, 023, 025, 026, 021, 022, 024, 0},
    {071, 051, 061, 041, 0},
    {071, 072, 053, 063, 051, 052, 061, 062, 043, 041, 042, 0},
    {0   }
};

// By bit set the first members, two bits each; their number is that of the bits.
FRC_DEVICE static const uint8_t MEMBERS[8] = {0, 0, 1, 4, 2, 8, 9, 36};

FRC_DEVICE static inline int pick(const int from[3], unsigned set, int out[3]) {
    const unsigned m = MEMBERS[set];
    out[0] = from[m % 4], out[1] = from[m / 4 % 4], out[2] = from[m / 16];
    return frc_bit_count(set);
}

// Minimise on the parts of `larger` that contain its last vertex, that of a or that of b. Of
// states[0] and [1], *now is the index of the best one so far; true if a better one was found.
FRC_DEVICE static bool minimise(const frc_medial_pair* pair, const part* larger, bool new_in_a,
                                state* states, int* now) {
    const int new_count = new_in_a ? larger->count_a : larger->count_b;
    const int other_count = new_in_a ? larger->count_b : larger->count_a;
    const uint8_t* list = PARTS[3 * (new_count - 1) + other_count - 1];
    bool found = false;
    for (; *list; list++) {
        state* const next = &states[1 - *now];
        const unsigned x = *list / 8, y = *list % 8;
        next->f.at.count_a = pick(larger->a, new_in_a ? x : y, next->f.at.a);
        next->f.at.count_b = pick(larger->b, new_in_a ? y : x, next->f.at.b);
        if (!solve(pair, &next->f) || !(next->f.value < states[*now].f.value)) continue;
        find_support(pair, next->f.direction, &next->s);
        found = true;
        *now = 1 - *now;
        if (is_minimum(next, larger, pair->error)) return true;
    }
    return found;
}

// The pair of spheres that is extreme in the given direction, or between the centres of both. A
// rough length of the vector is enough.
FRC_DEVICE static void start(const frc_medial_pair* pair, const double* guess, state* out) {
    double n[3], best_a = -INFINITY, best_b = INFINITY;
    for (int k = 0; k < 3; k++) {
        n[k] = guess ? guess[k] : 0;
        if (guess) continue;
        double a = 0, b = 0;
        for (int i = 0; i < pair->na; i++) a += pair->a[i][k];
        for (int j = 0; j < pair->nb; j++) b += pair->b[j][k];
        n[k] = b * pair->na - a * pair->nb;
    }
    const double largest = frc_vec3_largest(n);
    const double length = 0.7 * largest + 0.3 * (fabs(n[0]) + fabs(n[1]) + fabs(n[2]));
    out->f.at = (part){.count_a = 1, .count_b = 1};
    for (int i = 0; i < pair->na; i++) {
        const double x = frc_vec3_dot(n, pair->a[i]) + length * pair->a[i][3];
        if (x > best_a) best_a = x, out->f.at.a[0] = i;
    }
    for (int j = 0; j < pair->nb; j++) {
        const double x = frc_vec3_dot(n, pair->b[j]) - length * pair->b[j][3];
        if (x < best_b) best_b = x, out->f.at.b[0] = j;
    }
    solve(pair, &out->f);
    find_support(pair, out->f.direction, &out->s);
}

// False if the vertex is part of the face: its distance is rounding.
FRC_DEVICE static bool add_vertex(int* vertices, int* count, int vertex) {
    for (int i = 0; i < *count; i++)
        if (vertices[i] == vertex) return false;
    vertices[(*count)++] = vertex;
    return true;
}

FRC_DEVICE void frc_medial_nearest(const frc_medial_pair* pair, frc_medial_goal goal,
                                   const double* guess, frc_medial_bounds* out) {
    state states[2];
    int best = 0;
    start(pair, guess, &states[0]);
    out->lower = -INFINITY;
    for (int step = 0;; step++) {
        const state* const now = &states[best];
        const double lower = support_gap(&now->s) - pair->error;
        if (lower > out->lower) {
            out->lower = lower;
            memcpy(out->direction, now->f.direction, sizeof out->direction);
        }
        out->upper = now->f.value + pair->error;
        if (goal == FRC_MEDIAL_DECISION && out->lower > 0) return;
        if (goal == FRC_MEDIAL_DECISION && out->upper <= 0) break;
        if (out->upper - out->lower <= 4 * pair->error || step == MAX_STEPS) break;
        // Add the vertex that is farther beyond the face.
        part larger = now->f.at;
        const double a = now->s.a[now->s.far_a] - now->s.a[larger.a[0]];
        const double b = now->s.b[larger.b[0]] - now->s.b[now->s.near_b];
        const bool in_a = a > b;
        if (!((in_a ? a : b) > pair->error)) break;
        const bool added = in_a ? add_vertex(larger.a, &larger.count_a, now->s.far_a)
                                : add_vertex(larger.b, &larger.count_b, now->s.near_b);
        if (!added || !minimise(pair, &larger, in_a, states, &best)) break;
    }
    const face* const f = &states[best].f;
    for (int i = 0; i < 3; i++) out->weight_a[i] = out->weight_b[i] = 0;
    for (int i = 0; i < f->at.count_a; i++) out->weight_a[f->at.a[i]] = f->weight_a[i];
    for (int j = 0; j < f->at.count_b; j++) out->weight_b[f->at.b[j]] = f->weight_b[j];
    if (out->upper - out->lower > 4 * pair->error && pair->na + pair->nb >= 5)
        frc_medial_cross(pair, out);
    out->upper = upper_bound(pair, out);
}

// ---- results

FRC_DEVICE static double scale_by(double x, int exponent) {
    for (; exponent > 300; exponent -= 300) x *= 0x1p300;
    for (; exponent < -300; exponent += 300) x *= 0x1p-300;
    return ldexp(x, exponent);
}

FRC_DEVICE void frc_medial_separation(const double (*a)[4], int na, const double (*b)[4], int nb,
                                      frc_medial_gap* out) {
    frc_medial_pair pair;
    frc_medial_bounds r;
    frc_medial_load(a, na, b, nb, &pair);
    frc_medial_nearest(&pair, FRC_MEDIAL_BOUNDS, NULL, &r);
    out->lower = r.lower;
    out->upper = r.upper;
    if (pair.exponent) {
        // Rounded by less than the smallest number where subnormal; the bounds have slack
        // otherwise.
        out->lower = scale_by(r.lower, pair.exponent) - 0x1p-1074;
        out->upper = scale_by(r.upper, pair.exponent) + 0x1p-1074;
        if (out->lower > DBL_MAX) out->lower = DBL_MAX;
        if (out->upper < -DBL_MAX) out->upper = -DBL_MAX;
    }
    memcpy(out->direction, r.direction, sizeof r.direction);
    memcpy(out->weight_a, r.weight_a, sizeof r.weight_a);
    memcpy(out->weight_b, r.weight_b, sizeof r.weight_b);
    double radius_a = 0, radius_b = 0;
    for (int i = 0; i < na; i++) radius_a += r.weight_a[i] * a[i][3];
    for (int j = 0; j < nb; j++) radius_b += r.weight_b[j] * b[j][3];
    for (int k = 0; k < 3; k++) {
        out->point_a[k] = radius_a * r.direction[k];
        out->point_b[k] = -radius_b * r.direction[k];
        for (int i = 0; i < na; i++) out->point_a[k] += r.weight_a[i] * a[i][k];
        for (int j = 0; j < nb; j++) out->point_b[k] += r.weight_b[j] * b[j][k];
    }
}
