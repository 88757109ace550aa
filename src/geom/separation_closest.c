/// @file separation_closest.c  Conversions of the exact separation test: coordinates to integers,
/// and distance, parameters and normal of the closest points to doubles.
#include "exact/double_parts.h"
#include "geom/closest_points.h"
#include "geom/separation_exact.h"
#include "geom/vec3.h"
#include <math.h>

typedef frc_big big;
typedef frc_big_arena arena;

frc_double_span frc_motion_span(const frc_point* const points[4]) {
    frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
    for (int i = 0; i < 24; i++) {
        const double x = frc_point_axis(points[i / 6], i / 2 % 3)[i % 2];
        frc_double_span_add(&span, frc_double_split(x));
    }
    return span;
}

// A moving point at both ends of the step.
typedef struct track {
    big at[2][3];
} track;

void frc_motion_set(arena* s, frc_ccd_kind kind, const frc_point* const points[4], int exponent,
                    frc_motion* out) {
    track p[4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++)
                p[i].at[j][k] = frc_big_from_double(s, frc_point_axis(points[i], k)[j], exponent);
    *out = (frc_motion){
        .kind = kind, .count = kind == FRC_CCD_VF ? 3 : 4, .exponent = exponent, .bits = 1};
    for (int i = 0; i < out->count; i++) {
        const track* const a = &p[kind == FRC_CCD_VF ? 0 : i / 2];
        const track* const b = &p[kind == FRC_CCD_VF ? 1 + i : 2 + i % 2];
        big end[3];
        frc_big_subtract3(s, b->at[0], a->at[0], out->start[i]);
        frc_big_subtract3(s, b->at[1], a->at[1], end);
        frc_big_subtract3(s, end, out->start[i], out->speed[i]);
        for (int k = 0; k < 3; k++) {
            const uint32_t one = frc_big_bits(out->start[i][k]), two = frc_big_bits(end[k]);
            if (one > out->bits) out->bits = one;
            if (two > out->bits) out->bits = two;
        }
    }
}

// Parameters of corner i: the weights of the second and third corner of the triangle, or the
// parameters along the two edges.
static void corner_parameters(frc_ccd_kind kind, int i, double* u, double* v) {
    *u = kind == FRC_CCD_VF ? i == 1 : i / 2;
    *v = kind == FRC_CCD_VF ? i == 2 : i % 2;
}

// Parameters of the point of a side that is nearest to the origin.
static void side_parameters(arena s, const frc_hull* p, frc_hull_feature part, double* u,
                            double* v) {
    big e[3];
    double ux, vx, uy, vy;
    frc_big_subtract3(&s, p->d[part.y], p->d[part.x], e);
    const big along = frc_big_negate(frc_big_dot(&s, p->d[part.x], e));
    const double t = frc_big_ratio(along, frc_big_dot(&s, e, e));
    corner_parameters(p->kind, part.x, &ux, &vx);
    corner_parameters(p->kind, part.y, &uy, &vy);
    *u = ux + t * (uy - ux);
    *v = vx + t * (vy - vx);
}

// Parameters of the foot of the perpendicular inside the face or both edges. VF: u is the weight
// opposite to side 2, v opposite to side 0. EE: side 0 (a against cd) gives the parameter along ab,
// side 2 (c against ab) that along cd.
static void face_parameters(arena s, const frc_hull* p, double* u, double* v) {
    big n[3], cross[3];
    frc_hull_normal(&s, p, n);
    const big nn = frc_big_dot(&s, n, n);
    const frc_hull_edge* const sides = FRC_HULL_EDGES[p->kind];
    double w[2];
    for (int j = 0; j < 2; j++) {
        const frc_hull_edge* const side = &sides[2 * j];
        frc_big_cross3(&s, p->d[side->x], p->d[side->y], cross);
        w[j] = side->sign * frc_big_ratio(frc_big_dot(&s, n, cross), nn);
    }
    *u = w[p->kind == FRC_CCD_VF ? 1 : 0];
    *v = w[p->kind == FRC_CCD_VF ? 0 : 1];
}

void frc_hull_closest(arena s, const frc_hull* p, frc_hull_feature part, int exponent,
                      frc_closest* out) {
    big num, den, n[3];
    if (part.kind == FRC_HULL_FACE)
        face_parameters(s, p, &out->u, &out->v);
    else if (part.kind == FRC_HULL_EDGE)
        side_parameters(s, p, part, &out->u, &out->v);
    else
        corner_parameters(p->kind, part.x, &out->u, &out->v);
    out->u = frc_unit_clamp(out->u);
    out->v = frc_unit_clamp(out->v);
    // Distance: sqrt(num / den) * 2^exponent.
    int en, ed;
    frc_hull_distance2(&s, p, part, &num, &den);
    double q = frc_big_leading_double(num, &en) / frc_big_leading_double(den, &ed);
    int e = en - ed;
    if (e % 2) q *= 2, e--;
    out->distance = q == 0 ? 0 : frc_scale_by_power(sqrt(q), e / 2 + exponent);
    // Normal: the unit vector opposite to the direction n, or zero.
    int exponents[3], most = INT32_MIN;
    double x[3];
    frc_hull_direction(&s, p, part, n);
    for (int k = 0; k < 3; k++) {
        x[k] = frc_big_leading_double(n[k], &exponents[k]);
        if (x[k] != 0 && exponents[k] > most) most = exponents[k];
    }
    for (int k = 0; k < 3; k++)
        x[k] = x[k] == 0 || exponents[k] - most < -200
                   ? 0
                   : frc_scale_by_power(x[k], exponents[k] - most);
    const double length = sqrt(frc_vec3_dot(x, x));
    for (int k = 0; k < 3; k++) out->normal[k] = length > 0 ? 0 - x[k] / length : 0;
}
