/// @file box.h  Doubles to floats, rounded outward: each bound is the tightest conservative float.
#pragma once
#include "base/host_device.h"
#include <stdint.h>
#include <string.h>

/// The neighbour of `f` towards -inf (`step` -1) or +inf (`step` 1) when `move`, else `f` itself.
/// Floats of one sign are ordered like their bits, so the step is an integer addition, with the
/// opposite direction for negative numbers. Zero keeps its sign: callers step down only from -0 and
/// up only from +0, because a non-zero number rounds to the zero of its own sign.
FRC_DEVICE static inline float frc_float_step(float f, int32_t step, int move) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    const uint32_t negative = 0u - (bits >> 31);  // all ones below zero
    bits += (((uint32_t)step ^ negative) - negative) & (0u - (uint32_t)move);
    memcpy(&f, &bits, sizeof bits);
    return f;
}

/// The largest float <= d, for any double that is not NaN. Above FLT_MAX that is FLT_MAX, below
/// -FLT_MAX it is -inf. Correct in every rounding mode: a conversion is at most one float off.
FRC_DEVICE static inline float frc_round_down(double d) {
    const float f = (float)d;
    return frc_float_step(f, -1, (double)f > d);
}

/// The smallest float >= d.
FRC_DEVICE static inline float frc_round_up(double d) {
    const float f = (float)d;
    return frc_float_step(f, 1, (double)f < d);
}
