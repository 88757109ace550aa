/// @file ccd_impact_inline.h  Parameters and normal of a contact whose time is known. Floating
/// point without error bounds on differences scaled to magnitude 1; results are finite for all
/// finite input. For a kind that is a constant: a GPU then has all vectors in registers.
#pragma once
#include "exact/double_parts.h"
#include "geom/ccd_stages.h"
#include "geom/closest_points_inline.h"
#include "geom/vec3.h"
#include <math.h>

#define FRC_IMPACT FRC_DEVICE static inline __attribute__((always_inline))
#define FRC_IMPACT_COUNT(kind) ((kind) == FRC_CCD_VF ? 3 : 4)

typedef struct frc_impact_motion {
    double d[4][3], v[4][3];  // D_i = d + t v, the largest extent in [1, 2)
} frc_impact_motion;

// A power of two, in two factors, that scales x to [1, 2); x is finite and not zero.
typedef struct frc_impact_factors {
    double first, second;
} frc_impact_factors;

FRC_IMPACT frc_impact_factors frc_impact_to_one(double x) {
    frc_impact_factors f = {1, 1};
    if (x < 0x1p-1000) f.first = 0x1p200;
    f.second = frc_power_of_two(-frc_exponent(x * f.first));
    return f;
}

// False when all points coincide at both ends.
FRC_IMPACT bool frc_impact_set_motion(frc_ccd_kind kind, const frc_ccd_query* q,
                                      frc_impact_motion* m) {
    const double most = frc_vec3_largest(q->extent);
    if (!(most > 0)) return false;
    const frc_impact_factors f = frc_impact_to_one(most);
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        FRC_UNROLL
        for (int i = 0; i < FRC_IMPACT_COUNT(kind); i++) {
            m->d[i][k] = q->d[i][k][0] * f.first * f.second;
            m->v[i][k] = q->d[i][k][1] * f.first * f.second - m->d[i][k];
        }
    }
    return true;
}

// The two features at one time: the D_i, and the two vectors whose cross product is the normal.
typedef struct frc_impact_pose {
    double x[4][3], e[3], f[3];
} frc_impact_pose;

FRC_IMPACT void frc_impact_set_pose(frc_ccd_kind kind, const frc_impact_motion* m, double t,
                                    frc_impact_pose* p) {
    FRC_UNROLL
    for (int i = 0; i < FRC_IMPACT_COUNT(kind); i++)
        for (int k = 0; k < 3; k++) p->x[i][k] = m->d[i][k] + t * m->v[i][k];
    const bool vf = kind == FRC_CCD_VF;
    frc_vec3_subtract(p->x[vf ? 1 : 0], p->x[vf ? 0 : 2], p->e);
    frc_vec3_subtract(p->x[vf ? 2 : 1], p->x[0], p->f);
}

FRC_IMPACT void frc_impact_parameters(frc_ccd_kind kind, const frc_impact_pose* p, double* u,
                                      double* v) {
    if (kind == FRC_CCD_VF)
        frc_closest_triangle_inline((const double(*)[3])p->x, u, v);
    else
        frc_closest_segments_inline(p->x[0], p->e, p->f, u, v);
}

// The vector from the point of feature a to the point of feature b at (u, v); of positions or of
// velocities.
FRC_IMPACT void frc_impact_combine(frc_ccd_kind kind, const double x[4][3], double u, double v,
                                   double out[3]) {
    for (int k = 0; k < 3; k++) {
        const double vf = (1 - u - v) * x[0][k] + u * x[1][k] + v * x[2][k];
        if (kind == FRC_CCD_VF)
            out[k] = vf;
        else
            out[k] = x[0][k] + v * (x[1][k] - x[0][k]) - u * (x[0][k] - x[2][k]);
    }
}

// Scale by a power of two to magnitude 1; false for the zero vector.
FRC_IMPACT bool frc_impact_to_magnitude_one(const double a[3], double out[3]) {
    const double most = frc_vec3_largest(a);
    if (!(most > 0)) return false;
    const frc_impact_factors f = frc_impact_to_one(most);
    for (int k = 0; k < 3; k++) out[k] = a[k] * f.first * f.second;
    return true;
}

FRC_IMPACT bool frc_impact_unit(const double a[3], double out[3]) {
    double b[3];
    if (!frc_impact_to_magnitude_one(a, b)) return false;
    const double inverse = 1 / sqrt(frc_vec3_dot(b, b));
    frc_vec3_scale(b, inverse, out);
    return true;
}

// The unit normal of the face or of both edges; false where it is dominated by rounding (an angle
// below 2^-40).
FRC_IMPACT bool frc_impact_common_normal(const frc_impact_pose* p, double out[3]) {
    double e[3], f[3], n[3];
    if (!frc_impact_to_magnitude_one(p->e, e) || !frc_impact_to_magnitude_one(p->f, f))
        return false;
    frc_vec3_cross(e, f, n);
    if (!(frc_vec3_dot(n, n) > 0x1p-80)) return false;
    return frc_impact_unit(n, out);
}

// The factor 1 or -1 that makes n point to the side of b on which a starts; where that side is not
// certain, against the approach.
FRC_IMPACT double frc_impact_start_side(frc_ccd_kind kind, const frc_ccd_query* q,
                                        const frc_impact_motion* m, const double n[3],
                                        const double velocity[3]) {
    // Sign of det(D0, D1, D2) at t = 0 by the bound of ccd_filter.c. Outside the safe range it is
    // computed from the scaled vectors, whose extents are below 2: Lambda <= 8.
    double bound = 96 * 0x1p-53 * 8, det = q->cubic[0];
    if (q->safe)
        bound = 96 * 0x1p-53 * (q->extent[0] * q->extent[1] * q->extent[2]);
    else {
        frc_impact_pose p;
        double normal[3];
        frc_impact_set_pose(kind, m, 0, &p);
        frc_vec3_cross(p.e, p.f, normal);
        det = frc_vec3_dot(p.x[0], normal);
    }
    if (det > bound) return -1;
    if (det < -bound) return 1;
    return frc_vec3_dot(n, velocity) < 0 ? -1 : 1;
}

/// The differences have overflowed: they are computed again from points scaled by 1/16.
FRC_IMPACT bool frc_ccd_impact_overflows(const frc_ccd_query* q) {
    return !(frc_vec3_largest(q->extent) <= 0x1p1000);
}

/// Set u, v and normal of a hit whose toi is set; for differences that have not overflowed.
FRC_IMPACT void frc_ccd_impact_inline(frc_ccd_kind kind, const frc_ccd_query* q, frc_ccd_hit* hit) {
    hit->u = hit->v = 0;
    hit->normal[0] = hit->normal[1] = hit->normal[2] = 0;
    frc_impact_motion m;
    if (!frc_impact_set_motion(kind, q, &m)) return;
    frc_impact_pose p;
    frc_impact_set_pose(kind, &m, hit->toi, &p);
    frc_impact_parameters(kind, &p, &hit->u, &hit->v);
    double velocity[3], n[3];  // velocity of b relative to a, opposite to the approach of a
    frc_impact_combine(kind, (const double(*)[3])m.v, hit->u, hit->v, velocity);
    if (!frc_impact_common_normal(&p, n)) {
        // Parallel edges or a face without area: from b to a along the shortest connection at the
        // start, or against the approach.
        double u, v, gap[3];
        frc_impact_set_pose(kind, &m, 0, &p);
        frc_impact_parameters(kind, &p, &u, &v);
        frc_impact_combine(kind, (const double(*)[3])p.x, u, v, gap);
        for (int k = 0; k < 3; k++) gap[k] = -gap[k];
        if (!frc_impact_unit(gap, hit->normal)) frc_impact_unit(velocity, hit->normal);
        return;
    }
    const double side = frc_impact_start_side(kind, q, &m, n, velocity);
    for (int k = 0; k < 3; k++) hit->normal[k] = side * n[k];
}
