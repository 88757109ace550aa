/// @file decimal.h  Decimal numbers to the nearest double, whatever their length and whatever the
/// locale.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Read a decimal at `at`: sign, digits with or without a point, exponent. Rounds to nearest, ties
/// to even; infinity when it is too large for a double.
/// @return the first character after it, or NULL when there is no number.
const char* frc_decimal_read(const char* at, const char* end, double* out);

/// The nearest double to `mantissa` * 2^`exponent`, with something below the last bit of mantissa
/// when `sticky`. The top bit of mantissa is set.
double frc_decimal_round(uint64_t mantissa, bool sticky, int exponent);

/// The same number as frc_decimal_read for the digits (and perhaps a point) in [at, end), times
/// 10^exponent; slow, for any length. The number lies between 1e-400 and 1e400.
double frc_decimal_exact(const char* at, const char* end, int64_t exponent);
