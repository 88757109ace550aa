/// @file medial_ccd.c  Contact in time of two medial primitives: conservative advancement along
/// certified directions.
///
/// At a time t the search finds a direction n between the primitives. For fixed n the separation at
/// all times is at least the minimum over pairs of spheres of n . (w(t) - v(t)) - r - s - bulges,
/// which are linear in t. The primitives are apart until the first of these is zero. At t their
/// minimum equals the separation, with the same derivative, so this is Newton's method from below;
/// unlike an alternation of nearest spheres and their time of contact (song2022) it cannot
/// pass a contact.
///
/// Errors. A linear function is known at t = 0 and 1 up to the error E of the bound in
/// medial_pair.c, where coordinates are relative to the first sphere at t = 0 and X covers both
/// ends; its values are lowered by E and the bulges. Its zero is a quotient of two positive numbers
/// with a relative error of less than 3u, u = 2^-53, and is lowered by 4u. A step makes progress
/// when the separation exceeds the bulges by a few E, so the tolerance is at least 16 E. Where it
/// makes none, the time reached is reported as a contact, as it is after MAX_STEPS: t is never too
/// late.
#include "exact/double_parts.h"
#include "geom/medial_core.h"
#include "geom/pose_apply.h"
#include "geom/vec3.h"
#include <limits.h>
#include <math.h>
#include <string.h>

#ifndef FRC_MEDIAL_UNIT
#define FRC_MEDIAL_UNIT 0x1p-53  // 0: bounds without rounding errors, which tests must catch
#endif

enum { SLOW_STEPS = 3, MAX_STEPS = 200, MAX_INTERVALS = 1024 };

// Spheres at both ends of the step, relative to an origin and scaled.
typedef struct moving {
    double start[3][4], end[3][4];
    int count;
} moving;

typedef struct task {
    moving a, b;
    double origin[3], factor;  // scale: 1 but for huge and tiny numbers
    double bulge, error, tolerance;
} task;

FRC_DEVICE static double load_side(const frc_medial_sweep* sweep, const task* t, moving* out) {
    double extent = 0, radius = 0;
    out->count = sweep->count;
    for (int i = 0; i < sweep->count; i++) {
        for (int k = 0; k < 3; k++) {
            out->start[i][k] = sweep->start[i][k] * t->factor - t->origin[k];
            out->end[i][k] = sweep->end[i][k] * t->factor - t->origin[k];
        }
        const double r = sweep->start[i][3] * t->factor;
        const double x = frc_vec3_largest(out->start[i]), y = frc_vec3_largest(out->end[i]);
        out->start[i][3] = out->end[i][3] = r;
        extent = x > extent ? x : extent;
        extent = y > extent ? y : extent;
        radius = r > radius ? r : radius;
    }
    return extent + radius;
}

FRC_DEVICE static double load(const frc_medial_sweep* a, const frc_medial_sweep* b,
                              double tolerance, double factor, task* out) {
    out->factor = factor;
    for (int k = 0; k < 3; k++) out->origin[k] = a->start[0][k] * factor;
    out->bulge = a->bulge * factor + b->bulge * factor;
    const double x = load_side(a, out, &out->a), y = load_side(b, out, &out->b);
    const double size = x + y + out->bulge;
    out->error = 72 * FRC_MEDIAL_UNIT * size;
    out->tolerance = tolerance * factor;
    if (!(out->tolerance > 16 * out->error)) out->tolerance = 16 * out->error;
    return size;
}

FRC_DEVICE static void place(const moving* m, double t, double (*out)[4]) {
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < 4; k++)
            out[i][k] = m->start[i][k] + t * (m->end[i][k] - m->start[i][k]);
}

// Until when no pair of spheres overlaps in direction n, from t on: t if that is not certain even
// now, INFINITY if they are apart until the end.
FRC_DEVICE static double find_safe_time(const task* k, const double n[3], double t) {
    double a[3][2], next = INFINITY;
    for (int i = 0; i < k->a.count; i++) {
        a[i][0] = frc_vec3_dot(n, k->a.start[i]) + k->a.start[i][3];
        a[i][1] = frc_vec3_dot(n, k->a.end[i]) + k->a.end[i][3];
    }
    const double margin = k->bulge + k->error;
    for (int j = 0; j < k->b.count; j++) {
        const double b0 = frc_vec3_dot(n, k->b.start[j]) - k->b.start[j][3] - margin;
        const double b1 = frc_vec3_dot(n, k->b.end[j]) - k->b.end[j][3] - margin;
        for (int i = 0; i < k->a.count; i++) {
            const double at0 = b0 - a[i][0], at1 = b1 - a[i][1];
            if (at0 > 0 && at1 > 0) continue;
            const double zero = at0 / (at0 - at1);
            // Rising: positive after the zero. Falling: positive before. Else negative throughout.
            if (at1 > 0 && zero * (1 + 0x1p-51) <= t) continue;
            const double until = at0 > 0 ? zero * (1 - 0x1p-51) : t;
            if (until < next) next = until;
        }
    }
    return next > t ? next : t;
}

// The primitives at one time, and their nearest spheres.
typedef struct instant {
    double t, a[3][4], b[3][4];
    frc_medial_bounds nearest;
} instant;

FRC_DEVICE static void set_instant(const task* k, double t, const double* guess, instant* out) {
    frc_medial_pair pair;
    out->t = t;
    place(&k->a, t, out->a);
    place(&k->b, t, out->b);
    frc_medial_load((const double(*)[4])out->a, k->a.count, (const double(*)[4])out->b, k->b.count,
                    &pair);
    frc_medial_nearest(&pair, FRC_MEDIAL_BOUNDS, guess, &out->nearest);
    out->nearest.upper = ldexp(out->nearest.upper, pair.exponent);
}

// When the separation would be 0 if it kept its derivative; at most 1.
FRC_DEVICE static double predict(const task* k, const instant* now) {
    double slope = 0;
    for (int c = 0; c < 3; c++) {
        double speed = 0;
        for (int i = 0; i < k->a.count; i++)
            speed -= now->nearest.weight_a[i] * (k->a.end[i][c] - k->a.start[i][c]);
        for (int j = 0; j < k->b.count; j++)
            speed += now->nearest.weight_b[j] * (k->b.end[j][c] - k->b.start[j][c]);
        slope += now->nearest.direction[c] * speed;
    }
    const double wait = (now->nearest.upper - k->bulge) / -slope;
    return slope < 0 && now->t + wait < 1 ? now->t + wait : 1;
}

// For each sphere the Bernstein coefficients of n(s) . c(s), plus or minus the radius.
FRC_DEVICE static void set_coefficients(const double (*at0)[4], const double (*at1)[4], int count,
                                        const double n0[3], const double n1[3], double sign,
                                        double (*out)[3]) {
    for (int i = 0; i < count; i++) {
        const double r = sign * at0[i][3];
        out[i][0] = frc_vec3_dot(n0, at0[i]) + r;
        out[i][1] = 0.5 * (frc_vec3_dot(n0, at1[i]) + frc_vec3_dot(n1, at0[i])) + r;
        out[i][2] = frc_vec3_dot(n1, at1[i]) + r;
    }
}

// The first zero in [0, 1] of the quadratic with these Bernstein coefficients, b[0] > 0; else 1.
FRC_DEVICE static double find_first_zero(const double b[3]) {
    const double disc = b[1] * b[1] - b[0] * b[2];
    const double den = disc >= 0 ? b[0] - b[1] + sqrt(disc) : 0;
    return den > b[0] ? b[0] / den : 1;
}

// As find_safe_time up to the time of `later`, for a direction that turns linearly from that of one
// instant to that of the other.
FRC_DEVICE static double find_safe_turn(const task* k, const instant* now, const instant* later) {
    double a[3][3], b[3][3], safe = 1;
    const double *n0 = now->nearest.direction, *n1 = later->nearest.direction;
    set_coefficients((const double(*)[4])now->a, (const double(*)[4])later->a, k->a.count, n0, n1,
                     1, a);
    set_coefficients((const double(*)[4])now->b, (const double(*)[4])later->b, k->b.count, n0, n1,
                     -1, b);
    const double margin = k->bulge + 3 * k->error;
    for (int i = 0; i < k->a.count; i++)
        for (int j = 0; j < k->b.count; j++) {
            const double q[3] = {b[j][0] - a[i][0] - margin, b[j][1] - a[i][1] - margin,
                                 b[j][2] - a[i][2] - margin};
            if (!(q[0] > 0)) return now->t;
            const double zero = find_first_zero(q);
            safe = zero < safe ? zero : safe;
        }
    // Certify: on [0, safe] the coefficients are positive, with the margin for rounding.
    for (int i = 0; i < k->a.count; i++)
        for (int j = 0; j < k->b.count; j++) {
            double q[3];
            for (int c = 0; c < 3; c++) q[c] = b[j][c] - a[i][c] - k->bulge - 2 * k->error;
            const double x = (1 - safe) * q[0] + safe * q[1], y = (1 - safe) * q[1] + safe * q[2];
            if (!(x > 0 && (1 - safe) * x + safe * y > 0)) return now->t;
        }
    const double t = (now->t + safe * (later->t - now->t)) * (1 - 0x1p-51);
    return t > now->t ? t : now->t;
}

FRC_DEVICE static void report(const task* k, const instant* now, frc_medial_hit* out) {
    const frc_medial_bounds* const r = &now->nearest;
    out->t = now->t;
    out->gap = (r->upper + k->bulge) / k->factor + 0x1p-1074;  // where it is subnormal
    memcpy(out->direction, r->direction, sizeof out->direction);
    memcpy(out->weight_a, r->weight_a, sizeof out->weight_a);
    memcpy(out->weight_b, r->weight_b, sizeof out->weight_b);
    double radius = 0, sum[3] = {0, 0, 0};
    for (int i = 0; i < k->a.count; i++) {
        radius += r->weight_a[i] * now->a[i][3];
        for (int c = 0; c < 3; c++) sum[c] += r->weight_a[i] * now->a[i][c];
    }
    for (int j = 0; j < k->b.count; j++) {
        radius -= r->weight_b[j] * now->b[j][3];
        for (int c = 0; c < 3; c++) sum[c] += r->weight_b[j] * now->b[j][c];
    }
    for (int c = 0; c < 3; c++)
        out->point[c] = (k->origin[c] + 0.5 * (sum[c] + radius * out->direction[c])) / k->factor;
}

FRC_DEVICE static bool search(const task* k, const double* first, int most, frc_medial_hit* out) {
    instant now = {.t = 0}, later;
    double next = first ? find_safe_time(k, first, 0) : 0, direction[3];
    const double* guess = first;
    bool limited = false, unfinished = false;
    int steps = 0;
    while (next <= 1) {
        set_instant(k, next, guess, &now);
        memcpy(direction, now.nearest.direction, sizeof direction);
        guess = direction;
        steps++;
        next = find_safe_time(k, now.nearest.direction, now.t);
        if (next > 1 || now.nearest.upper - k->bulge <= k->tolerance) break;
        if (steps >= SLOW_STEPS) {
            set_instant(k, predict(k, &now), now.nearest.direction, &later);
            const double turned = find_safe_turn(k, &now, &later);
            next = turned > next ? turned : next;
        }
        limited = next <= now.t || steps == MAX_STEPS;
        if (limited) break;
        unfinished = steps >= most;
        if (unfinished) break;
    }
    *out = (frc_medial_hit){.t = 1};
    if (next <= 1) report(k, &now, out);
    out->steps = steps;
    out->limited = limited;
    out->unfinished = unfinished;
    return next <= 1;
}

FRC_DEVICE bool frc_medial_ccd_within(const frc_medial_sweep* a, const frc_medial_sweep* b,
                                      double tolerance, const double* guess, int most,
                                      frc_medial_hit* out) {
    task k;
    const double size = load(a, b, tolerance, 1, &k);
    if (size > 0 && !(size >= 0x1p-120 && size <= 0x1p120)) {
        const int exponent = size < 0x1p-1000 ? -1000 : size < 0x1p1000 ? frc_exponent(size) : 1000;
        load(a, b, tolerance, frc_power_of_two(-exponent), &k);
    }
    return search(&k, guess, most, out);
}

FRC_DEVICE bool frc_medial_ccd(const frc_medial_sweep* a, const frc_medial_sweep* b,
                               double tolerance, const double* guess, frc_medial_hit* out) {
    return frc_medial_ccd_within(a, b, tolerance, guess, MAX_STEPS, out);
}

// ---- rigid bodies

FRC_DEVICE double frc_medial_sweep_spheres(const double (*spheres)[4], int count,
                                           const frc_rigid_motion* motion, double t0, double t1,
                                           double (*start)[4], double (*end)[4]) {
    fracas_pose poses[2];
    double radius2 = 0, size = 0;
    frc_rigid_motion_at(motion, t0, &poses[0]);
    frc_rigid_motion_at(motion, t1, &poses[1]);
    for (int i = 0; i < count; i++) {
        const double* const x = spheres[i];
        frc_pose_apply(&poses[0], x, start[i]);
        frc_pose_apply(&poses[1], x, end[i]);
        start[i][3] = end[i][3] = x[3];
        const double d2 = frc_vec3_dot(x, x);
        if (!(d2 <= radius2)) radius2 = d2;
    }
    for (int k = 0; k < 2; k++) {
        const double s = frc_vec3_largest(poses[k].translation);
        size = s > size ? s : size;
    }
    // A rotated coordinate has an error of three times 2^-46 |x| and some rounding.
    const double radius = sqrt(radius2), width = t1 - t0;
    return motion->bend * width * width * radius + 0x1p-43 * (radius + size);
}

typedef struct body {
    const double (*spheres)[4];
    int count;
    const frc_rigid_motion* motion;
    double rounding;  // of a coordinate: the part of the bulge that does not decrease
    double start[3][4], end[3][4];
} body;

FRC_DEVICE static void set_body(const double (*spheres)[4], int count,
                                const frc_rigid_motion* motion, body* out) {
    double radius2 = 0;
    for (int i = 0; i < count; i++) {
        const double d2 = frc_vec3_dot(spheres[i], spheres[i]);
        if (!(d2 <= radius2)) radius2 = d2;
    }
    const double from = frc_vec3_largest(motion->position[0]);
    const double to = frc_vec3_largest(motion->position[1]);
    out->spheres = spheres;
    out->count = count;
    out->motion = motion;
    out->rounding = 0x1p-43 * (sqrt(radius2) + (from > to ? from : to));
}

FRC_DEVICE static frc_medial_sweep sweep(body* b, double t0, double t1) {
    const double bulge =
        frc_medial_sweep_spheres(b->spheres, b->count, b->motion, t0, t1, b->start, b->end);
    return (frc_medial_sweep){(const double(*)[4])b->start, (const double(*)[4])b->end, b->count,
                              bulge};
}

// After a contact whose bulge is too large: bulges decrease with the square of the width.
FRC_DEVICE static double shorten(double width, double bulge, double tolerance) {
    const double factor = sqrt(0.2 * tolerance / bulge);
    return width * (factor > 0.5 ? 0.5 : factor < 0.0625 ? 0.0625 : factor);
}

// Rounded down.
FRC_DEVICE static double find_time(double t, double t1, double part) {
    const double at = (t + part * (t1 - t)) * (1 - 0x1p-50);
    return at > t ? at : t;
}

FRC_DEVICE bool frc_medial_ccd_rigid_within(const double (*a)[4], int na,
                                            const frc_rigid_motion* motion_a, const double (*b)[4],
                                            int nb, const frc_rigid_motion* motion_b,
                                            double tolerance, const frc_medial_hit* from, int most,
                                            frc_medial_hit* out) {
    body x, y;
    double t = 0, width = 1, direction[3];
    const double* guess = NULL;
    int steps = 0;
    set_body(a, na, motion_a, &x);
    set_body(b, nb, motion_b, &y);
    if (from) {
        t = find_time(0, 1, from->t);
        width = 0.25;
        memcpy(direction, from->direction, sizeof direction);
        guess = direction;
    }
    for (int tries = 0;; tries++) {
        const double t1 = t + width < 1 ? t + width : 1;
        const frc_medial_sweep v = sweep(&x, t, t1), w = sweep(&y, t, t1);
        const double bulge = v.bulge + w.bulge;
        const bool hit = frc_medial_ccd_within(&v, &w, tolerance, guess, most - steps, out);
        const bool fine = bulge <= 0.25 * tolerance || bulge <= 2 * (x.rounding + y.rounding);
        steps += out->steps;
        t = hit ? find_time(t, t1, out->t) : t1;
        out->t = t;
        out->steps = steps;
        if (out->unfinished) return hit;
        if (!hit && t >= 1) return false;
        if (hit && (fine || tries == MAX_INTERVALS)) {
            out->limited |= !fine;
            return true;
        }
        out->unfinished = steps >= most || tries >= most;
        if (out->unfinished) return hit;
        width = hit ? shorten(width, bulge, tolerance) : 2 * width;
        guess = NULL;
        if (!hit) continue;
        memcpy(direction, out->direction, sizeof direction);
        guess = direction;
    }
}

FRC_DEVICE bool frc_medial_ccd_rigid(const double (*a)[4], int na, const frc_rigid_motion* motion_a,
                                     const double (*b)[4], int nb, const frc_rigid_motion* motion_b,
                                     double tolerance, const frc_medial_hit* from,
                                     frc_medial_hit* out) {
    return frc_medial_ccd_rigid_within(a, na, motion_a, b, nb, motion_b, tolerance, from, INT_MAX,
                                       out);
}
