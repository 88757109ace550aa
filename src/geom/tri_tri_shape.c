/// @file tri_tri_shape.c  The corners of the intersection of two triangles.
///
/// A hull that is flat is replaced by the segment or point that it is. Then every vertex and edge
/// of it is a face, so the candidates of tri_tri_general.c (a vertex in the other hull, a crossing
/// of two edges inside both, an edge through the inside of a triangle) are extreme points of the
/// intersection, and all of them; only two vertices at the same place are found twice. An
/// intersection of two triangles has at most six.
///
/// The other points are on an edge pq: where the determinant d that is zero on the plane (or line)
/// of the other hull changes its sign, x = (d(q) p - d(p) q) / (d(q) - d(p)). This is computed in
/// integers and rounded last.
///
/// Limbs of 64 bits. Every axis is scaled by the power of two that makes its coordinates integers:
/// below 2^2098, 33 limbs; differences 34, minors 69, determinants 105, their difference 106. Up to
/// there 495 + 408 + 615 + 1036 + 106 limbs. A numerator has 139 limbs, and 415 were used for it;
/// the quotient is at least 2^-6784, so it is shifted by at most 108 limbs: 247, a product of 141
/// and a difference of 248. In all below 3711 of 4096.
#include "geom/tri_tri_shape.h"
#include "exact/bigint.h"
#include "exact/double_parts.h"
#include "exact/predicates.h"
#include "geom/tri_tri_exact.h"
#include "geom/vec3.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LIMBS = 4096 };

// ---- points in integers

// Up to five points as integers, times 2^low along each axis.
typedef struct scaled {
    frc_big x[5][3];
    int low[3];
} scaled;

static void load(frc_big_arena* arena, const double* const points[], int count, scaled* out) {
    for (int k = 0; k < 3; k++) {
        frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
        for (int i = 0; i < count; i++) frc_double_span_add(&span, frc_double_split(points[i][k]));
        out->low[k] = span.low <= span.high ? span.low : 0;
        for (int i = 0; i < count; i++)
            out->x[i][k] = frc_big_from_double(arena, points[i][k], out->low[k]);
    }
}

// a / b times 2^low. The mantissa of the quotient of leading bits is within a few units of the true
// one; what is left is divided once more.
static double quotient(frc_big_arena arena, frc_big a, frc_big b, int low) {
    int32_t ea, eb;
    int shift;
    if (a.sign == 0) return 0;
    const double x = frc_big_leading_double(a, &ea), y = frc_big_leading_double(b, &eb);
    const double mantissa = ldexp(frexp(x / y, &shift), 53);
    const int exponent = shift - 53 + ea - eb;
    if (exponent >= 0)
        b = frc_big_shift(&arena, b, (uint32_t)exponent);
    else
        a = frc_big_shift(&arena, a, (uint32_t)-exponent);
    const frc_big whole = frc_big_make(&arena, mantissa < 0 ? -1 : 1, (uint64_t)fabs(mantissa), 0);
    const frc_big part = frc_big_multiply(&arena, b, whole);
    const frc_big rest = frc_big_subtract(&arena, a, part);
    const double more = frc_big_leading_double(rest, &ea), divisor = frc_big_leading_double(b, &eb);
    const double last = more == 0 ? 0 : frc_scale_by_power(more / divisor, ea - eb);
    return ldexp(mantissa + last, exponent + low);
}

// Where d is zero between points 0 and 1.
static void interpolate(frc_big_arena arena, const scaled* s, frc_big d0, frc_big d1,
                        double out[3]) {
    const frc_big whole = frc_big_subtract(&arena, d1, d0);
    for (int k = 0; k < 3; k++) {
        frc_big_arena own = arena;
        const frc_big x = frc_big_multiply(&own, s->x[0][k], d1);
        const frc_big y = frc_big_multiply(&own, s->x[1][k], d0);
        const frc_big sum = frc_big_subtract(&own, x, y);
        out[k] = quotient(own, sum, whole, s->low[k]);
    }
}

static void find_pierced(const double* p, const double* q, const double* const t[3],
                         double out[3]) {
    uint64_t limbs[LIMBS];
    frc_big_arena arena = {limbs, limbs + LIMBS};
    const double* const points[5] = {p, q, t[0], t[1], t[2]};
    scaled s;
    frc_big e[3], f[3], n[3], way[3], d[2];
    load(&arena, points, 5, &s);
    frc_big_subtract3(&arena, s.x[3], s.x[2], e);
    frc_big_subtract3(&arena, s.x[4], s.x[2], f);
    frc_big_cross3(&arena, e, f, n);
    for (int i = 0; i < 2; i++) {
        frc_big_subtract3(&arena, s.x[i], s.x[2], way);
        d[i] = frc_big_dot(&arena, n, way);
    }
    interpolate(arena, &s, d[0], d[1], out);
}

// Of two edges that cross, projected along an axis.
static void find_crossed(const double* p, const double* q, const double* r, const double* t,
                         int axis, double out[3]) {
    uint64_t limbs[LIMBS];
    frc_big_arena arena = {limbs, limbs + LIMBS};
    const double* const points[4] = {p, q, r, t};
    scaled s;
    frc_big e[3], way[3], d[2];
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    load(&arena, points, 4, &s);
    frc_big_subtract3(&arena, s.x[3], s.x[2], e);
    for (int i = 0; i < 2; i++) {
        frc_big_subtract3(&arena, s.x[i], s.x[2], way);
        d[i] = frc_big_cross(&arena, e[y], way[z], e[z], way[y]);
    }
    interpolate(arena, &s, d[0], d[1], out);
}

// ---- hulls

typedef struct hull {
    const double* p[3];
    int count;
} hull;

static int compare_points(const double* p, const double* q) {
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

// Without points that are no vertices: those of a flat one are ordered along their line.
static hull make_hull(const double* const points[], int count) {
    hull h = {.count = count};
    const double *first = points[0], *last = points[0];
    for (int i = 0; i < count; i++) {
        h.p[i] = points[i];
        if (compare_points(points[i], first) < 0) first = points[i];
        if (compare_points(points[i], last) > 0) last = points[i];
    }
    if (count == 3 && !frc_collinear(points[0], points[1], points[2])) return h;
    return (hull){
        {first, last},
        compare_points(first, last) == 0 ? 1 : 2
    };
}

// ---- the intersection

static void add(frc_tri_shape* out, const double p[3]) {
    if (out->count == FRC_SHAPE_POINTS) return;
    double* own = out->points[out->count++];
    for (int k = 0; k < 3; k++) own[k] = p[k] + 0.0;  // no -0
}

static void add_vertices(const hull* a, const hull* b, frc_tri_shape* out) {
    for (int i = 0; i < a->count; i++) {
        bool found = !frc_point_in_hull(a->p[i], b->p, b->count);
        for (int j = 0; j < out->count && !found; j++)
            found = compare_points(out->points[j], a->p[i]) == 0;
        if (!found) add(out, a->p[i]);
    }
}

static void add_crossings(const hull* a, const hull* b, frc_tri_shape* out) {
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < b->count; k++)
                for (int l = 0; l < k; l++) {
                    double at[3];
                    const int axis = frc_segments_cross(a->p[i], a->p[j], b->p[k], b->p[l]);
                    if (axis < 0) continue;
                    find_crossed(a->p[i], a->p[j], b->p[k], b->p[l], axis, at);
                    add(out, at);
                }
}

// Returns the number of edges of a through b.
static int add_pierced(const hull* a, const hull* b, frc_tri_shape* out) {
    int found = 0;
    for (int i = 0; b->count == 3 && i < a->count; i++)
        for (int j = 0; j < i; j++) {
            double at[3];
            if (!frc_segment_pierces(a->p[i], a->p[j], b->p)) continue;
            find_pierced(a->p[i], a->p[j], b->p, at);
            add(out, at);
            found++;
        }
    return found;
}

// Points on both sides of the plane of b.
static bool straddles(const hull* a, const hull* b) {
    int sides = 0;
    for (int i = 0; i < a->count; i++) {
        const int side = frc_orient3d(b->p[0], b->p[1], b->p[2], a->p[i]);
        sides |= side > 0 ? 1 : side < 0 ? 2 : 0;
    }
    return sides == 3;
}

static void swap_points(double p[3], double q[3]) {
    double spare[3];
    memcpy(spare, p, sizeof spare);
    memcpy(p, q, sizeof spare);
    memcpy(q, spare, sizeof spare);
}

// The corners around their middle, times a power of two that excludes overflow.
static void centre(const frc_tri_shape* s, double (*out)[3]) {
    double largest = 0, middle[3] = {0, 0, 0};
    int exponent;
    for (int i = 0; i < s->count; i++) largest = fmax(largest, frc_vec3_largest(s->points[i]));
    frexp(largest, &exponent);
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++) {
            out[i][k] = ldexp(s->points[i][k], -exponent);
            middle[k] += out[i][k] / s->count;
        }
    for (int i = 0; i < s->count; i++) frc_vec3_subtract(out[i], middle, out[i]);
}

// Is p before q on the way around, from `first` on?
static bool is_before(const double p[3], const double q[3], const double first[3],
                      const double normal[3]) {
    double n[3];
    frc_vec3_cross(first, p, n);
    const bool p_late = frc_vec3_dot(n, normal) < 0;
    frc_vec3_cross(first, q, n);
    const bool q_late = frc_vec3_dot(n, normal) < 0;
    if (p_late != q_late) return q_late;
    frc_vec3_cross(p, q, n);
    return frc_vec3_dot(n, normal) > 0;
}

// Corners in their order around the middle, from the first in the order of coordinates on; of a
// segment the first is the smaller one.
static void sort_corners(frc_tri_shape* s) {
    double around[FRC_SHAPE_POINTS][3], normal[3] = {0, 0, 0};
    for (int i = 1; i < s->count; i++)
        if (compare_points(s->points[i], s->points[0]) < 0) swap_points(s->points[0], s->points[i]);
    if (s->count < 3) return;
    centre(s, around);
    for (int i = 1; i < s->count; i++) {
        double n[3];
        frc_vec3_cross(around[0], around[i], n);
        if (frc_vec3_largest(n) > frc_vec3_largest(normal)) memcpy(normal, n, sizeof n);
    }
    for (int i = 2; i < s->count; i++)
        for (int j = i; j > 1 && is_before(around[j], around[j - 1], around[0], normal); j--) {
            swap_points(around[j], around[j - 1]);
            swap_points(s->points[j], s->points[j - 1]);
        }
}

void frc_tri_tri_shape(const double* const a[], int a_count, const double* const b[], int b_count,
                       frc_tri_shape* out) {
    const hull x = make_hull(a, a_count), y = make_hull(b, b_count);
    *out = (frc_tri_shape){.meeting = FRC_MEETING_NONE};
    add_vertices(&x, &y, out);
    add_vertices(&y, &x, out);
    add_crossings(&x, &y, out);
    const int pierced = add_pierced(&x, &y, out) + add_pierced(&y, &x, out);
    if (out->count == 0) return;
    const bool both = x.count == 3 && y.count == 3;
    const bool cross =
        both ? out->count == 2 && straddles(&x, &y) && straddles(&y, &x) : pierced > 0;
    out->meeting = cross ? FRC_MEETING_CROSS : FRC_MEETING_TOUCH;
    sort_corners(out);
}
