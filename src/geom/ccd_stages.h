/// @file ccd_stages.h  The interface between the stages of the continuous tests; private to ccd*.c
/// and separation*.
#pragma once
#include "exact/bigint.h"
#include "exact/double_parts.h"
#include "geom/ccd.h"

/// Unit roundoff. The mutation tests build the filters with 0 here and must find wrong results.
#if !defined(FRC_CCD_UNIT)
#define FRC_CCD_UNIT 0x1p-53
#endif

/// Lower tolerances are raised to this: doubles near 1 are not finer.
#define FRC_CCD_TOLERANCE_MIN 0x1p-50

/// Difference vectors of one candidate at both ends of the step. VF: a-q, b-q, c-q. EE: c-a, d-a,
/// c-b, d-b.
typedef struct frc_ccd_query {
    frc_ccd_kind kind;
    int count;          ///< of vectors: 3 or 4
    double d[4][3][2];  ///< rounded once; may be infinite
    double extent[3];   ///< L_k, the largest magnitude on each axis
    double cubic[4];    ///< Bernstein coefficients of det(D0, D1, D2), rounded
    bool safe;          ///< all extents in [2^-300, 2^300]: error bounds of the cubic hold
} frc_ccd_query;

typedef enum frc_ccd_verdict {
    FRC_CCD_NO_ROOT,
    FRC_CCD_SEPARATED,
    FRC_CCD_OUTSIDE,
    FRC_CCD_HIT,
    FRC_CCD_UNSURE
} frc_ccd_verdict;

/// Pass a block of candidates through the rejecting filters. `keep` (capacity `count`) gets the
/// indices of the remaining candidates, ascending; returns their number.
size_t frc_ccd_filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                      size_t count, const frc_ccd_options* options, uint16_t* keep,
                      frc_ccd_counts* counts);

/// The same for contact at times in (0, 1], for features that touch at t = 0.
size_t frc_ccd_filter_after_start(frc_ccd_kind kind, const frc_point* points,
                                  const frc_ccd_pair* pairs, size_t count, uint16_t* keep,
                                  frc_ccd_counts* counts);

/// Differences, extents and cubic of one candidate.
FRC_DEVICE void frc_ccd_query_make(frc_ccd_kind kind, const frc_point* points,
                                   const frc_ccd_pair* pair, frc_ccd_query* out);

/// The factor by which the cubic is scaled so that Lambda, the product of the extents, lies in
/// [1, 2), and the error bound of de Casteljau values of the scaled cubic (ccd_roots.c). Requires
/// query->safe.
FRC_DEVICE static inline double frc_ccd_scale(const frc_ccd_query* query, double* bound) {
    const double lambda = query->extent[0] * query->extent[1] * query->extent[2];
    const double scale = frc_power_of_two(-frc_exponent(lambda));
    *bound = 160 * FRC_CCD_UNIT * (lambda * scale);
    return scale;
}

/// Least half-width of the first enclosures of roots.
FRC_DEVICE static inline double frc_ccd_coarse(double tolerance) {
    return tolerance < 0x1p-21 ? 0.125 * tolerance : 0x1p-24;
}

enum { FRC_CCD_GROUP = 32 };  ///< maximum number of candidates per call of frc_ccd_roots_simd

/// Roots and inside test of the common cases, for up to FRC_CCD_GROUP candidates. Verdicts as of
/// frc_ccd_roots; UNSURE: needs frc_ccd_roots. Not for `after_start`.
void frc_ccd_roots_simd(frc_ccd_kind kind, const frc_ccd_query* queries, size_t count,
                        double tolerance, frc_ccd_verdict* verdicts, double* toi);

/// Multiplicity of the root of the cubic at t = 0 that is due to coincident points of the two
/// features: 0, 1 for one point, 2 for two edges that coincide.
FRC_DEVICE int frc_ccd_roots_at_start(const frc_ccd_query* query);

/// Roots and inside test. HIT: contact is certain, `toi` certified within `tolerance`. With
/// `after_start` only roots above 0 count, and `at_start` roots at 0 (frc_ccd_roots_at_start) are
/// divided out.
FRC_DEVICE frc_ccd_verdict frc_ccd_roots(const frc_ccd_query* query, double tolerance,
                                         bool after_start, int at_start, double* toi);

/// True: at every time some plane separates the two features. False: not known. Tests at most
/// `budget` intervals of time.
FRC_DEVICE bool frc_ccd_separated(const frc_ccd_query* query, int budget);
enum { FRC_CCD_BUDGET = 31, FRC_CCD_SHORT_BUDGET = 3 };

/// The exact stage needs this many limbs for coordinates of `bits` bits (ccd_exact.c).
#define FRC_CCD_EXACT_LIMBS(bits) ((1150 * (bits) + 16000) / 64 + 320)
/// Coordinates span more bits than this on rare occasions only.
enum { FRC_CCD_SMALL_BITS = 112, FRC_CCD_SMALL_LIMBS = FRC_CCD_EXACT_LIMBS(FRC_CCD_SMALL_BITS) };

/// The unit of each axis in which all coordinates are integers; returns the number of bits of the
/// longest of them.
FRC_DEVICE int frc_ccd_exact_units(const frc_point* const points[4], int exponent[3]);

/// The exact stage in these units, with an arena of FRC_CCD_EXACT_LIMBS of these bits.
FRC_DEVICE bool frc_ccd_exact_decide(frc_big_arena arena, frc_ccd_kind kind,
                                     const frc_point* const points[4], const int exponent[3],
                                     bool after_start, double tolerance, double* toi);

/// The same in integers of fixed width, for coordinates of `bits` bits: HIT with the same time,
/// OUTSIDE, or UNSURE, which is rare.
frc_ccd_verdict frc_ccd_exact_fixed(frc_ccd_kind kind, const frc_point* const points[4],
                                    const int exponent[3], int bits, bool after_start,
                                    double tolerance, double* toi);

/// Root intervals are at most 2^-bits wide, at most half the tolerance: the least such number of
/// bits from 1 to 51.
FRC_DEVICE static inline uint32_t frc_ccd_exact_width_bits(double tolerance) {
    if (!(tolerance >= FRC_CCD_TOLERANCE_MIN)) return 51;
    const int e = frc_exponent(tolerance);
    return e < 0 ? (uint32_t)(1 - e) : 1;
}

/// frc_ccd_exact with a time at most `tolerance` early.
bool frc_ccd_exact_within(frc_ccd_kind kind, const frc_point* const points[4], bool after_start,
                          double tolerance, double* toi);

/// The same without frc_ccd_exact_fixed, for tests and for what that leaves.
bool frc_ccd_exact_in_arena(frc_ccd_kind kind, const frc_point* const points[4], bool after_start,
                            double tolerance, double* toi);

/// Set u, v and normal of a hit whose toi is set.
FRC_DEVICE void frc_ccd_impact(const frc_ccd_query* query, const frc_point* const points[4],
                               frc_ccd_hit* hit);
