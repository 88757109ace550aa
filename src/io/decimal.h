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

/// The nearest double to `mantissa` * 2^`exponent`. `sticky`: the exact value is larger, by less
/// than one unit of the last bit. The top bit of mantissa is set.
double frc_decimal_round(uint64_t mantissa, bool sticky, int exponent);

/// The nearest double to the digits in [at, end), which may contain a point, times 10^exponent.
/// Works for any number of digits, but is slow. The number lies between 1e-400 and 1e400.
double frc_decimal_exact(const char* at, const char* end, int64_t exponent);
