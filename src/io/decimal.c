/// @file decimal.c  Decimal numbers to the nearest double, by the fastest of three exact methods.
///
/// An integer up to 2^53 and a power of ten up to 10^22 are doubles, so one product or quotient of
/// the two rounds once (Based on: clinger1990). 19 digits and a power up to 10^27 fit a 128-bit
/// product or quotient. frc_decimal_exact converts all other numbers. strtod is not used because
/// its decimal point depends on the current locale, which the application sets.
#include "io/decimal.h"
#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

typedef struct digits {
    uint64_t value;     // the first 19 significant digits
    int64_t exponent;   // the number is `value` * 10^exponent
    int count;          // significant digits in `value`
    bool seen;          // there is a digit, possibly zero
    bool more;          // a digit after those in `value` is not zero
    const char* begin;  // first digit or point
    const char* end;    // after the last digit or point
} digits;

enum { MOST_DIGITS = 19, MOST_EXACT_POWER = 22, MOST_FIVES = 27 };

static const double tens[MOST_EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static uint64_t power_of_five(int64_t exponent) {
    uint64_t power = 1;
    for (uint64_t base = 5; exponent > 0; exponent >>= 1, base *= base)
        if (exponent & 1) power *= base;
    return power;
}

// The digits at `at`, up to the first character that is neither a digit nor the first point.
static digits scan_digits(const char* at, const char* end) {
    digits found = {.begin = at};
    bool point = false;
    for (; at < end; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (digit > 9) {
            if (*at != '.' || point) break;
            point = true;
            continue;
        }
        found.seen = true;
        if (found.count < MOST_DIGITS) {
            found.value = found.value * 10 + digit;
            found.count += found.value != 0;
            found.exponent -= point;
        } else {
            found.more |= digit != 0;
            found.exponent += !point;
        }
    }
    found.end = at;
    return found;
}

double frc_decimal_round(uint64_t mantissa, bool sticky, int exponent) {
    int top = exponent + 63;  // the number lies in [2^top, 2^(top + 1))
    if (top > 1023) return INFINITY;
    int dropped = top >= -1022 ? 11 : 11 + (-1022 - top);  // subnormals keep fewer bits
    if (dropped > 64) return 0;
    uint64_t kept = dropped == 64 ? 0 : mantissa >> dropped;
    uint64_t half = (uint64_t)1 << (dropped - 1), below = mantissa & (half - 1);
    if ((mantissa & half) && (below || sticky || (kept & 1))) kept++;
    // A carry out of the mantissa increments the exponent, also from the largest one to infinity.
    uint64_t bits = top >= -1022 ? ((uint64_t)(top + 1022) << 52) + kept : kept;
    double result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

// The nearest double to `value` * 2^`exponent`.
static double round_wide(uint128 value, bool sticky, int exponent) {
    uint64_t high = (uint64_t)(value >> 64);
    int shift = high ? 64 - __builtin_clzll(high) : -__builtin_clzll((uint64_t)value);
    if (shift <= 0) return frc_decimal_round((uint64_t)value << -shift, sticky, exponent + shift);
    bool below = (value & (((uint128)1 << shift) - 1)) != 0;
    return frc_decimal_round((uint64_t)(value >> shift), sticky || below, exponent + shift);
}

// value * 10^exponent, |exponent| <= 27: 5^27 is below 2^63.
static double scale(uint64_t value, int exponent) {
    if (exponent >= 0) return round_wide((uint128)value * power_of_five(exponent), false, exponent);
    uint64_t divisor = power_of_five(-exponent);
    int shift = __builtin_clzll(value);
    uint128 dividend = (uint128)(value << shift) << 64;  // the quotient has 64 bits or more
    uint128 quotient = dividend / divisor;
    return round_wide(quotient, quotient * divisor != dividend, exponent - 64 - shift);
}

// The nearest double to the digits times 10^exponent.
static double convert(const digits* found, int64_t exponent) {
    int64_t power = found->exponent + exponent;
    if (found->value == 0 || power + found->count < -330) return 0;
    if (power + found->count > 310) return INFINITY;
    if (!found->more && found->value <= (uint64_t)1 << 53) {
        if (power >= 0 && power <= MOST_EXACT_POWER) return (double)found->value * tens[power];
        if (power < 0 && power >= -MOST_EXACT_POWER) return (double)found->value / tens[-power];
    }
    if (power >= -MOST_FIVES && power <= MOST_FIVES) {
        double low = scale(found->value, (int)power);
        // With more digits the number lies between value and value + 1. Rounding is monotone: when
        // both round to the same double, so does the number.
        if (!found->more || low == scale(found->value + 1, (int)power)) return low;
    }
    return frc_decimal_exact(found->begin, found->end, exponent);
}

const char* frc_decimal_read(const char* at, const char* end, double* out) {
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    digits found = scan_digits(at, end);
    if (!found.seen) return NULL;
    at = found.end;
    // The exponent: 'e', a sign and digits. Without digits the 'e' is not part of the number. The
    // value saturates at 10^15, more than the number of digits in any file.
    int64_t exponent = 0;
    if (at < end && (*at == 'e' || *at == 'E')) {
        const int64_t most = 1000000000000000;
        const char* digit = at + 1;
        const bool minus = digit < end && *digit == '-';
        if (digit < end && (*digit == '-' || *digit == '+')) digit++;
        for (; digit < end && *digit >= '0' && *digit <= '9'; at = ++digit)
            if (exponent < most) exponent = exponent * 10 + (*digit - '0');
        if (minus) exponent = -exponent;
    }
    double value = convert(&found, exponent);
    *out = negative ? -value : value;
    return at;
}
