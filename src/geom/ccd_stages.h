/// @file ccd_stages.h  What the stages of the continuous test hand to each other.
#pragma once
#include "exact/double_parts.h"
#include "geom/ccd.h"

/// Unit roundoff. The mutation test builds the filters with 0 here and must see wrong answers.
#if !defined(FRC_CCD_UNIT)
#define FRC_CCD_UNIT 0x1p-53
#endif

/// No tolerance below this is honoured: a double near 1 has no room for less.
#define FRC_CCD_TOLERANCE_MIN 0x1p-50

/// Difference vectors of one candidate at both ends of the step. VF: a-q, b-q, c-q. EE: c-a, d-a,
/// c-b, d-b.
typedef struct frc_ccd_query {
    frc_ccd_kind kind;
    int count;          ///< of vectors: 3 or 4
    double d[4][3][2];  ///< rounded once; may be infinite
    double extent[3];   ///< L_k, the largest magnitude on each axis
    double cubic[4];    ///< Bernstein coefficients of det(D0, D1, D2) in exact terms
    bool safe;          ///< all extents in [2^-300, 2^300]: the cubic means something
} frc_ccd_query;

typedef enum frc_ccd_verdict {
    FRC_CCD_NO_ROOT,
    FRC_CCD_SEPARATED,
    FRC_CCD_OUTSIDE,
    FRC_CCD_HIT,
    FRC_CCD_UNSURE
} frc_ccd_verdict;

/// Pass a block of candidates through the three rejecting filters. `keep` (room for `count`) gets
/// the numbers of those left, ascending; returns how many.
size_t frc_ccd_filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                      size_t count, const frc_ccd_options* options, uint16_t* keep,
                      frc_ccd_counts* counts);

/// The same for contact at times in (0, 1], where features touch at t = 0.
size_t frc_ccd_filter_after_start(frc_ccd_kind kind, const frc_point* points,
                                  const frc_ccd_pair* pairs, size_t count, uint16_t* keep,
                                  frc_ccd_counts* counts);

/// Differences, extents and cubic of one candidate, computed as the filters do.
void frc_ccd_query_make(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pair,
                        frc_ccd_query* out);

/// What the cubic is multiplied by so that Lambda, the product of the extents, lies in [1, 2), and
/// the bound on whatever is mixed from its coefficients then (ccd_roots.c). Only where it is safe.
static inline double frc_ccd_scale(const frc_ccd_query* query, double* bound) {
    const double lambda = query->extent[0] * query->extent[1] * query->extent[2];
    const double scale = frc_power_of_two(-frc_exponent(lambda));
    *bound = 160 * FRC_CCD_UNIT * (lambda * scale);
    return scale;
}

/// How wide an enclosure of a root is made at first.
static inline double frc_ccd_coarse(double tolerance) {
    return tolerance < 0x1p-21 ? 0.125 * tolerance : 0x1p-24;
}

enum { FRC_CCD_GROUP = 32 };  // candidates that go through the quick stage together, at most

/// Roots and inside test of the common case, for some candidates: HIT and OUTSIDE as of
/// frc_ccd_roots, UNSURE: ask that. Not for `after_start`.
void frc_ccd_roots_simd(frc_ccd_kind kind, const frc_ccd_query* queries, size_t count,
                        double tolerance, frc_ccd_verdict* verdicts, double* toi);

/// How often the cubic vanishes at t = 0 because points of the two features are one there: 0, 1 for
/// a point, 2 for two edges with both ends.
int frc_ccd_roots_at_start(const frc_ccd_query* query);

/// Roots and inside test. HIT: contact is certain, `toi` certified within `tolerance`. With
/// `after_start` only roots above 0 count, and that many at 0 are left out as `together` says.
frc_ccd_verdict frc_ccd_roots(const frc_ccd_query* query, double tolerance, bool after_start,
                              int together, double* toi);

/// True: a plane separates the two features at every time.
bool frc_ccd_separated(const frc_ccd_query* query);

/// frc_ccd_exact with a time at most `tolerance` early.
bool frc_ccd_exact_within(frc_ccd_kind kind, const frc_point* const points[4], bool after_start,
                          double tolerance, double* toi);

/// Fill in u, v and normal of a hit whose toi is known.
void frc_ccd_impact(const frc_ccd_query* query, const frc_point* const points[4], frc_ccd_hit* hit);
