/// @file double_parts.h  Mantissa and exponent of doubles, powers of two.
#pragma once
#include "base/host_device.h"
#include <stdint.h>
#include <string.h>

/// A finite double: sign * mantissa * 2^exponent, mantissa < 2^53; sign 0 for both zeros.
typedef struct frc_double_parts {
    uint64_t mantissa;
    int exponent, sign;
} frc_double_parts;

FRC_DEVICE static inline frc_double_parts frc_double_split(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> 52 & 2047);
    const uint64_t fraction = bits & 0xfffffffffffffu;
    const uint64_t mantissa = biased ? fraction | UINT64_C(1) << 52 : fraction;
    const int sign = mantissa == 0 ? 0 : bits >> 63 ? -1 : 1;
    return (frc_double_parts){mantissa, (biased ? biased : 1) - 1075, sign};
}

/// Over a set of doubles: the exponent of the lowest bit set, and one more than that of the
/// highest. Starts as FRC_DOUBLE_SPAN_EMPTY; zeros do not change it.
typedef struct frc_double_span {
    int low, high;
} frc_double_span;
#define FRC_DOUBLE_SPAN_EMPTY ((frc_double_span){1 << 20, -(1 << 20)})

FRC_DEVICE static inline void frc_double_span_add(frc_double_span* span, frc_double_parts x) {
    if (x.sign == 0) return;
    const int low = x.exponent + (int)frc_trailing_zeros(x.mantissa);
    const int high = x.exponent + 64 - (int)frc_leading_zeros(x.mantissa);
    if (low < span->low) span->low = low;
    if (high > span->high) span->high = high;
}

/// 2^e, -1022 <= e <= 1023.
FRC_DEVICE static inline double frc_power_of_two(int e) {
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double r;
    memcpy(&r, &bits, sizeof r);
    return r;
}

/// floor(log2 |x|) for normal x.
FRC_DEVICE static inline int frc_exponent(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 52 & 2047) - 1023;
}

/// x * 2^e, rounded once, for x = 0 or 2^-54 <= |x| <= 2^54.
FRC_DEVICE static inline double frc_scale_by_power(double x, int e) {
    for (; e > 1000; e -= 900) x *= 0x1p900;
    for (; e < -1000; e += 960) x *= 0x1p-960;
    return x * frc_power_of_two(e);
}
