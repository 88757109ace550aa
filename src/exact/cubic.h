/// @file cubic.h  A cubic in Bernstein form on [0, 1], in floating point: for initial guesses, and
/// for values whose error the caller bounds.
#pragma once
#include "base/host_device.h"

FRC_DEVICE static inline double frc_mix(double a, double b, double t) {
    return (1 - t) * a + t * b;
}

/// Polar form c[r, s, t]: the value at t when r = s = t; c[l, l, h] and c[l, h, h] are the inner
/// Bernstein coefficients on [l, h].
FRC_DEVICE static inline double frc_cubic_polar(const double c[4], double r, double s, double t) {
    const double a = frc_mix(c[0], c[1], r), b = frc_mix(c[1], c[2], r), d = frc_mix(c[2], c[3], r);
    return frc_mix(frc_mix(a, b, s), frc_mix(b, d, s), t);
}

/// An approximate root between l and h, given the values yl and yh of opposite signs there:
/// Newton's method with bisection when a step leaves the bracket, until a step is shorter than
/// `stop`. At a simple root the error is then about the square of that step, near a double root
/// about the step itself.
FRC_DEVICE static inline double frc_cubic_root(const double c[4], double l, double h, double yl,
                                               double yh, double stop) {
    double t = l + (h - l) * (yl / (yl - yh));
    for (int i = 0; i < 64; i++) {
        if (!(t > l && t < h)) t = 0.5 * (l + h);
        const double a = frc_mix(c[0], c[1], t), b = frc_mix(c[1], c[2], t),
                     d = frc_mix(c[2], c[3], t);
        const double left = frc_mix(a, b, t), right = frc_mix(b, d, t);
        const double y = frc_mix(left, right, t), slope = 3 * (right - left);
        if ((y < 0) == (yl < 0))
            l = t;
        else
            h = t;
        const double next = t - y / slope;
        const double step = next - t;
        t = next;
        if (step < stop && step > -stop) break;
    }
    return t > l ? (t < h ? t : h) : l;  // rounding may pass an end that is the root
}
