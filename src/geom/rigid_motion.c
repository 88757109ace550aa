/// @file rigid_motion.c  Linear motion of a centre and normalised interpolation of quaternions.
///
/// Deviation from the chord. Let l = |q1 - q0|, m(t) = |q(t)| before it is normalised, and t' the
/// part of the step. The unnormalised quaternion moves along a straight line that passes the origin
/// at distance m0, so the direction of q turns at the rate l m0 / m^2 and the body at twice that:
///   omega = 2 l m0 / m^2,  omega' = -4 l^2 m0 x / m^4  with x^2 = m^2 - m0^2.
/// A point at distance d of the axis accelerates by
///   d sqrt(omega^4 + omega'^2) = 4 d l^2 m0 / m^3 <= 4 d l^2 / m^2.
/// Linear interpolation over a time w deviates from a curve by at most w^2 / 8 times the largest
/// acceleration: w^2 d l^2 / (2 min m^2). As |q0| and |q1| are 1 up to rounding and the angle
/// between them is at most 90 degrees, m is smallest in the middle up to rounding, where it is |q0
/// + q1| / 2: bend = 2 |q1 - q0|^2 / |q1 + q0|^2.
#include "geom/rigid_motion.h"
#include "geom/vec3.h"

FRC_DEVICE static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Length 1 up to rounding, for any finite vector but 0: scaled first, so that no square overflows.
FRC_DEVICE static void normalize4(const double a[4], double out[4]) {
    double largest = 0;
    for (int k = 0; k < 4; k++) largest = fabs(a[k]) > largest ? fabs(a[k]) : largest;
    // Scaling a subnormal number by 2^600 first makes the quotient accurate.
    const double up = largest < 0x1p-500 ? 0x1p600 : 1;
    for (int k = 0; k < 4; k++) out[k] = a[k] * up / (largest * up);
    const double length = sqrt(dot4(out, out));
    for (int k = 0; k < 4; k++) out[k] /= length;
}

FRC_DEVICE frc_rigid_motion frc_rigid_motion_make(const double position0[3],
                                                  const double quaternion0[4],
                                                  const double position1[3],
                                                  const double quaternion1[4]) {
    frc_rigid_motion r;
    double difference = 0, sum = 0;
    normalize4(quaternion0, r.quaternion[0]);
    normalize4(quaternion1, r.quaternion[1]);
    const double sign = dot4(r.quaternion[0], r.quaternion[1]) < 0 ? -1 : 1;
    for (int k = 0; k < 4; k++) {
        r.quaternion[1][k] *= sign;
        const double l = r.quaternion[1][k] - r.quaternion[0][k];
        const double m = r.quaternion[1][k] + r.quaternion[0][k];
        difference += l * l;
        sum += m * m;
    }
    r.bend = 2 * difference / sum * (1 + 0x1p-40);  // the errors above are a few 2^-52
    for (int k = 0; k < 3; k++) r.position[0][k] = position0[k], r.position[1][k] = position1[k];
    return r;
}

// The errors of the entries: q has relative errors below 4u, u = 2^-53, each of the two products in
// an entry 9u, their sum is at most 1 in magnitude, and 1 - 2 (...) at most doubles that: below
// 40u.
FRC_DEVICE void frc_rigid_motion_at(const frc_rigid_motion* motion, double t, fracas_pose* out) {
    double q[4];
    for (int k = 0; k < 4; k++)
        q[k] = (1 - t) * motion->quaternion[0][k] + t * motion->quaternion[1][k];
    const double length = sqrt(dot4(q, q));
    const double w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;
    const double rotation[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int k = 0; k < 9; k++) out->rotation[k] = rotation[k];
    for (int k = 0; k < 3; k++)
        out->translation[k] = (1 - t) * motion->position[0][k] + t * motion->position[1][k];
}
