/// @file decimal_exact.c  Decimals of any length to the nearest double, by long division of big
/// integers on the stack.
///
/// digits * 10^e = digits * 5^e * 2^e is an exact fraction. Rounding needs 64 bits of the quotient
/// and whether the remainder is zero. The midpoint of two doubles has at most 767 significant
/// digits, so of the digits after the first 800 only matters whether one is not zero.
#include "io/decimal.h"

enum { LIMBS = 96, MOST_DIGITS = 800 };

typedef struct big {
    uint32_t limb[LIMBS];  // least significant first
    int count;             // the last limb is not zero
} big;

static void multiply_add(big* number, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int i = 0; i < number->count; i++) {
        carry += (uint64_t)number->limb[i] * factor;
        number->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) number->limb[number->count++] = (uint32_t)carry;
}

static int bit_length(const big* number) {
    return number->count * 32 - __builtin_clz(number->limb[number->count - 1]);
}

static void shift_left(big* number, int bits) {
    int limbs = bits / 32, rest = bits % 32;
    if (rest) multiply_add(number, (uint32_t)1 << rest, 0);
    if (limbs == 0) return;
    for (int i = number->count - 1; i >= 0; i--) number->limb[i + limbs] = number->limb[i];
    for (int i = 0; i < limbs; i++) number->limb[i] = 0;
    number->count += limbs;
}

static bool less(const big* a, const big* b) {
    if (a->count != b->count) return a->count < b->count;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i];
    return false;
}

static void subtract(big* a, const big* b) {
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        uint64_t difference = (uint64_t)a->limb[i] - (i < b->count ? b->limb[i] : 0) - borrow;
        a->limb[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    while (a->count > 0 && a->limb[a->count - 1] == 0) a->count--;
}

double frc_decimal_exact(const char* at, const char* end, int64_t exponent) {
    big above = {.count = 0}, below = {.limb = {1}, .count = 1};
    // The significant digits as an integer; `exponent` follows the point and the dropped digits.
    bool point = false, sticky = false;
    int count = 0;
    for (; at < end; at++) {
        if (*at == '.') {
            point = true;
        } else if (count < MOST_DIGITS) {
            multiply_add(&above, 10, (uint32_t)(*at - '0'));
            count += above.count > 0;
            exponent -= point;
        } else {
            sticky |= *at != '0';
            exponent += !point;
        }
    }
    if (above.count == 0) return 0;

    // Multiply the numerator or the denominator by the power of five.
    big* scaled = exponent > 0 ? &above : &below;
    int64_t fives = exponent > 0 ? exponent : -exponent;
    for (; fives >= 13; fives -= 13) multiply_add(scaled, 1220703125, 0);  // 5^13
    for (; fives > 0; fives--) multiply_add(scaled, 5, 0);

    // Scale by a power of two, so that the quotient is in [1, 2).
    int shift = bit_length(&below) - bit_length(&above);
    shift_left(shift > 0 ? &above : &below, shift > 0 ? shift : -shift);
    if (less(&above, &below)) {
        shift_left(&above, 1);
        shift++;
    }

    // Long division, bit by bit.
    uint64_t quotient = 0;
    for (int bit = 0; bit < 64; bit++) {
        quotient <<= 1;
        if (!less(&above, &below)) {
            subtract(&above, &below);
            quotient |= 1;
        }
        shift_left(&above, 1);
    }
    return frc_decimal_round(quotient, sticky || above.count > 0, (int)exponent - shift - 63);
}
