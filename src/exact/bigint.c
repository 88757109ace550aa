/// @file bigint.c  Sign-magnitude integers in a bump arena, schoolbook multiplication. The numbers
/// are short (three to fifteen limbs for ordinary coordinates), so asymptotically faster algorithms
/// would not pay.
#include "exact/bigint.h"
#include "exact/double_parts.h"
#include <string.h>

__extension__ typedef unsigned __int128 wide;

FRC_DEVICE static uint64_t* allocate(frc_big_arena* arena, uint32_t limbs) {
    uint64_t* const r = arena->top;
    if ((size_t)(arena->end - r) < limbs) frc_trap();  // unreachable: arena sizes are proved
    arena->top = r + limbs;
    return r;
}

// Drop leading zero limbs and free the unused end of the latest allocation.
FRC_DEVICE static frc_big finish(frc_big_arena* arena, uint64_t* limb, uint32_t count, int sign) {
    while (count && limb[count - 1] == 0) count--;
    arena->top = limb + count;
    return (frc_big){limb, count, count ? sign : 0};
}

FRC_DEVICE frc_big frc_big_make(frc_big_arena* arena, int sign, uint64_t magnitude,
                                uint32_t shift) {
    if (sign == 0 || magnitude == 0) return FRC_BIG_ZERO;
    const uint32_t whole = shift / 64, part = shift % 64;
    uint64_t* const r = allocate(arena, whole + 2);
    memset(r, 0, whole * sizeof *r);
    r[whole] = magnitude << part;
    r[whole + 1] = part ? magnitude >> (64 - part) : 0;
    return finish(arena, r, whole + 2, sign);
}

FRC_DEVICE frc_big frc_big_from_double(frc_big_arena* arena, double x, int exponent) {
    const frc_double_parts p = frc_double_split(x);
    const int shift = p.exponent - exponent;
    if (shift >= 0) return frc_big_make(arena, p.sign, p.mantissa, p.sign ? (uint32_t)shift : 0);
    return frc_big_make(arena, p.sign, shift > -64 ? p.mantissa >> -shift : 0, 0);
}

FRC_DEVICE static int compare_magnitude(frc_big a, frc_big b) {
    if (a.count != b.count) return a.count < b.count ? -1 : 1;
    for (uint32_t i = a.count; i-- > 0;)
        if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i] ? -1 : 1;
    return 0;
}

FRC_DEVICE int frc_big_compare(frc_big a, frc_big b) {
    if (a.sign != b.sign) return a.sign < b.sign ? -1 : 1;
    return a.sign * compare_magnitude(a, b);
}

FRC_DEVICE static frc_big add_magnitude(frc_big_arena* arena, frc_big a, frc_big b, int sign) {
    uint64_t* const r = allocate(arena, a.count + 1);
    uint64_t carry = 0;
    for (uint32_t i = 0; i < b.count; i++) {
        const wide sum = (wide)a.limb[i] + b.limb[i] + carry;
        r[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    for (uint32_t i = b.count; i < a.count; i++) {
        r[i] = a.limb[i] + carry;
        carry = r[i] < carry;
    }
    r[a.count] = carry;
    return finish(arena, r, a.count + 1, sign);
}

FRC_DEVICE static frc_big subtract_magnitude(frc_big_arena* arena, frc_big a, frc_big b, int sign) {
    uint64_t* const r = allocate(arena, a.count);
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < b.count; i++) {
        const wide difference = (wide)a.limb[i] - b.limb[i] - borrow;
        r[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    for (uint32_t i = b.count; i < a.count; i++) {
        const uint64_t limb = a.limb[i];
        r[i] = limb - borrow;
        borrow = limb < borrow;
    }
    return finish(arena, r, a.count, sign);
}

FRC_DEVICE frc_big frc_big_add(frc_big_arena* arena, frc_big a, frc_big b) {
    if (a.sign == 0) return b;
    if (b.sign == 0) return a;
    if (a.sign == b.sign)
        return a.count < b.count ? add_magnitude(arena, b, a, a.sign)
                                 : add_magnitude(arena, a, b, a.sign);
    const int order = compare_magnitude(a, b);
    if (order == 0) return FRC_BIG_ZERO;
    return order > 0 ? subtract_magnitude(arena, a, b, a.sign)
                     : subtract_magnitude(arena, b, a, b.sign);
}

// r[0 .. count] = r[0 .. count) + a * factor
FRC_DEVICE static void add_row(uint64_t* restrict r, const uint64_t* restrict a, uint32_t count,
                               uint64_t factor) {
    uint64_t carry = 0;
    for (uint32_t i = 0; i < count; i++) {
        const wide t = (wide)a[i] * factor + r[i] + carry;
        r[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    r[count] = carry;
}

// r[0 .. count] = a * factor
FRC_DEVICE static void first_row(uint64_t* restrict r, const uint64_t* restrict a, uint32_t count,
                                 uint64_t factor) {
    uint64_t carry = 0;
    for (uint32_t i = 0; i < count; i++) {
        const wide t = (wide)a[i] * factor + carry;
        r[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    r[count] = carry;
}

FRC_DEVICE frc_big frc_big_multiply(frc_big_arena* arena, frc_big a, frc_big b) {
    if (a.sign == 0 || b.sign == 0) return FRC_BIG_ZERO;
    const uint32_t count = a.count + b.count;
    uint64_t* const r = allocate(arena, count);
    first_row(r, b.limb, b.count, a.limb[0]);
    for (uint32_t i = 1; i < a.count; i++) add_row(r + i, b.limb, b.count, a.limb[i]);
    return finish(arena, r, count, a.sign * b.sign);
}

FRC_DEVICE frc_big frc_big_times(frc_big_arena* arena, frc_big a, uint64_t factor) {
    return frc_big_multiply(arena, a, (frc_big){&factor, 1, 1});
}

FRC_DEVICE frc_big frc_big_shift(frc_big_arena* arena, frc_big a, uint32_t bits) {
    if (a.sign == 0 || bits == 0) return a;
    const uint32_t whole = bits / 64, part = bits % 64, count = a.count + whole + 1;
    uint64_t* const r = allocate(arena, count);
    memset(r, 0, whole * sizeof *r);
    uint64_t low = 0;
    for (uint32_t i = 0; i < a.count; i++) {
        r[whole + i] = a.limb[i] << part | low;
        low = part ? a.limb[i] >> (64 - part) : 0;
    }
    r[count - 1] = low;
    return finish(arena, r, count, a.sign);
}

FRC_DEVICE frc_big frc_big_shift_down(frc_big_arena* arena, frc_big a, uint32_t bits) {
    const uint32_t whole = bits / 64, part = bits % 64;
    if (a.sign == 0 || bits == 0 || whole >= a.count) return bits ? FRC_BIG_ZERO : a;
    const uint32_t count = a.count - whole;
    uint64_t* const r = allocate(arena, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t above = i + 1 < count ? a.limb[whole + i + 1] : 0;
        r[i] = a.limb[whole + i] >> part | (part ? above << (64 - part) : 0);
    }
    return finish(arena, r, count, a.sign);
}

FRC_DEVICE frc_big frc_big_cross(frc_big_arena* arena, frc_big a, frc_big b, frc_big c, frc_big d) {
    return frc_big_subtract(arena, frc_big_multiply(arena, a, b), frc_big_multiply(arena, c, d));
}

FRC_DEVICE frc_big frc_big_dot(frc_big_arena* arena, const frc_big a[3], const frc_big b[3]) {
    const frc_big x = frc_big_multiply(arena, a[0], b[0]), y = frc_big_multiply(arena, a[1], b[1]);
    return frc_big_add(arena, frc_big_add(arena, x, y), frc_big_multiply(arena, a[2], b[2]));
}

FRC_DEVICE void frc_big_cross3(frc_big_arena* arena, const frc_big a[3], const frc_big b[3],
                               frc_big out[3]) {
    for (int k = 0; k < 3; k++) {
        const int j = (k + 1) % 3, l = (k + 2) % 3;
        out[k] = frc_big_cross(arena, a[j], b[l], a[l], b[j]);
    }
}

FRC_DEVICE void frc_big_subtract3(frc_big_arena* arena, const frc_big a[3], const frc_big b[3],
                                  frc_big out[3]) {
    for (int k = 0; k < 3; k++) out[k] = frc_big_subtract(arena, a[k], b[k]);
}

FRC_DEVICE uint32_t frc_big_bits(frc_big a) {
    return a.count ? a.count * 64 - frc_leading_zeros(a.limb[a.count - 1]) : 0;
}

FRC_DEVICE frc_big frc_big_keep(frc_big_arena* arena, frc_big a) {
    return frc_big_store(allocate(arena, a.count), a);
}

FRC_DEVICE frc_big frc_big_store(uint64_t* slot, frc_big a) {
    // Not memmove, which a GPU does not have; the lists may overlap in either direction.
    if (slot < a.limb)
        for (uint32_t i = 0; i < a.count; i++) slot[i] = a.limb[i];
    else
        for (uint32_t i = a.count; i-- > 0;) slot[i] = a.limb[i];
    a.limb = slot;
    return a;
}

FRC_DEVICE uint64_t* frc_big_slot(frc_big_arena* arena, uint32_t limbs) {
    return allocate(arena, limbs);
}

FRC_DEVICE uint64_t frc_big_leading(frc_big a, int32_t* exponent) {
    *exponent = 0;
    if (a.count == 0) return 0;
    // The top 64 significant bits, then the upper 53 of them.
    const uint64_t top = a.limb[a.count - 1];
    const int zeros = (int)frc_leading_zeros(top);
    uint64_t bits = top << zeros;
    if (zeros && a.count > 1) bits |= a.limb[a.count - 2] >> (64 - zeros);
    *exponent = (int32_t)(a.count * 64) - zeros - 53;
    return bits >> 11;
}

FRC_DEVICE double frc_big_leading_double(frc_big a, int32_t* exponent) {
    const double mantissa = (double)frc_big_leading(a, exponent);
    return a.sign < 0 ? -mantissa : mantissa;
}

FRC_DEVICE double frc_big_ratio(frc_big a, frc_big b) {
    int32_t ea, eb;
    const double x = frc_big_leading_double(a, &ea), y = frc_big_leading_double(b, &eb);
    return x == 0 ? 0 : frc_scale_by_power(x / y, ea - eb);
}
