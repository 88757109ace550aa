/// @file oracle_sturm.h  Integer polynomials and Sturm sequences on GMP, for the oracles.
#pragma once
#include <gmp.h>
#include <stdbool.h>

enum { STURM_DEGREE = 10 };

typedef struct sturm_poly {
    int degree;  ///< -1: zero
    mpz_t c[STURM_DEGREE + 1];
} sturm_poly;

void sturm_init(sturm_poly* p);
void sturm_clear(sturm_poly* p);
void sturm_copy(sturm_poly* out, const sturm_poly* a);
/// out += sign * a * b; out is neither a nor b.
void sturm_add_product(sturm_poly* out, const sturm_poly* a, const sturm_poly* b, int sign);
void sturm_trim(sturm_poly* p);

/// A real number: x / 2^k exactly, or the only root of p in (lo, hi) / 2^k.
typedef struct sturm_root {
    bool exact;
    mpz_t x, lo, hi;
    unsigned long k;
    sturm_poly p;
} sturm_root;

void sturm_root_init(sturm_root* r);
void sturm_root_clear(sturm_root* r);

/// Sign of p at m / 2^k.
int sturm_sign_dyadic(const sturm_poly* p, const mpz_t m, unsigned long k);

/// Isolates the distinct roots of p (not zero) in [0, 1] into `out`, which has STURM_DEGREE
/// initialised elements.
int sturm_isolate(const sturm_poly* p, sturm_root* out);

/// Sign of q at the root.
int sturm_sign(const sturm_root* at, const sturm_poly* q);

/// Number of distinct roots of p in (0, 2^-k], p(2^-k) not 0.
int sturm_count_below(const sturm_poly* p, unsigned long k);

/// Sign of root - x.
int sturm_compare(const sturm_root* r, double x);
