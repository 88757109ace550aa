/// @file medial.h  Medial primitives: convex hulls of one to three spheres (sphere, cone, slab).
///
/// A sphere is {x, y, z, r}, finite, r >= 0; a primitive is `(const double (*a)[4], int na)` with
/// na of 1 to 3. Radii may be 0, spheres may coincide or contain each other: every function accepts
/// degenerate primitives. Primitives are closed sets: touching is overlapping. No function
/// allocates.
#pragma once
#include "geom/rigid_motion.h"
#include <stdbool.h>

/// ---- classification (medial_classify.c)

typedef enum frc_medial_rule {
    FRC_MEDIAL_EXACT,     ///< the hull of the parts' union is the hull of the spheres
    FRC_MEDIAL_PUBLISHED  ///< for comparison: a slab without two tangent planes becomes the cone of
                          ///< its two largest spheres, which can lose volume
} frc_medial_rule;

/// Primitives whose union is the hull: the primitive itself (proper), one smaller one, or two cones
/// with a common sphere. Indices of a part ascend.
typedef struct frc_medial_parts {
    int count;          ///< 1 or 2
    int size[2];        ///< spheres of each part
    int spheres[2][3];  ///< indices into the input
} frc_medial_parts;

/// Signs are exact. A sphere that contains another (touching from within included) makes it
/// redundant; of two equal spheres the one with the lower index stays.
void frc_medial_classify(const double (*a)[4], int na, frc_medial_rule rule, frc_medial_parts* out);

/// ---- pairs (medial_pair.c, medial_overlap.c)

/// Whether two primitives overlap: exact for all finite doubles.
bool frc_medial_overlap(const double (*a)[4], int na, const double (*b)[4], int nb);

/// The same in integer arithmetic, without the floating-point filter.
bool frc_medial_overlap_exact(const double (*a)[4], int na, const double (*b)[4], int nb);

/// The separation is the minimum of |w - v| - r - s over all spheres (v, r) of the first and (w, s)
/// of the second primitive, where the spheres are those of linear interpolation. Positive: the
/// distance of the two sets. Negative: the two nearest spheres overlap by so much; the translation
/// that separates the sets is at least as long.
typedef struct frc_medial_gap {
    double lower, upper;  ///< lower <= separation <= upper, in exact arithmetic; the difference is
                          ///< near rounding but for nearly degenerate pairs and a few slabs
                          ///< that overlap deeply
    double direction[3];  ///< from a to b, of length 1 up to rounding
    double weight_a[3];   ///< of the spheres of a: the nearest sphere; sum 1, unused ones 0
    double weight_b[3];
    double point_a[3];  ///< of the nearest sphere of a the point farthest along direction
    double point_b[3];
} frc_medial_gap;

FRC_DEVICE void frc_medial_separation(const double (*a)[4], int na, const double (*b)[4], int nb,
                                      frc_medial_gap* out);

/// ---- boxes (cone_box.c); na is 1 or 2

typedef struct frc_obb {
    double center[3];
    double axes[3][3];  ///< orthonormal up to 2^-48
    double half[3];     ///< half of each side, >= 0
} frc_obb;

/// Whether a sphere or cone and the box lo <= x <= hi overlap: exact for all finite doubles.
bool frc_medial_overlaps_box(const double (*a)[4], int na, const double lo[3], const double hi[3]);
bool frc_medial_overlaps_box_exact(const double (*a)[4], int na, const double lo[3],
                                   const double hi[3]);

/// The same for an oriented box, with a margin for the rounded change of coordinates: never false
/// for two that overlap; true for two whose distance is within 2^-42 of their extent around center.
bool frc_medial_overlaps_obb(const double (*a)[4], int na, const frc_obb* box);

/// Bounds of the minimum over the spheres (v, r) of a of: distance of v from the box, minus r.
/// Their difference is near rounding unless a centre is inside of the box.
void frc_medial_box_distance(const double (*a)[4], int na, const double lo[3], const double hi[3],
                             double* lower, double* upper);

/// ---- contact in time (medial_ccd.c)

/// Spheres that move while t goes from 0 to 1. The centres go from `start` to `end`, linear in t up
/// to a deviation of at most `bulge`; radii are those of `start`.
typedef struct frc_medial_sweep {
    const double (*start)[4], (*end)[4];
    int count;
    double bulge;
} frc_medial_sweep;

/// The primitives are certainly apart at all times before `t`.
typedef struct frc_medial_hit {
    double t;                         ///< 1 without a hit
    double gap;                       ///< an upper bound of the separation at t, bulges included
    double direction[3];              ///< from a to b, at t
    double point[3];                  ///< between the two nearest points at t
    double weight_a[3], weight_b[3];  ///< as in frc_medial_gap
    int steps;                        ///< directions tried
    bool limited;     ///< the search ended early: true contact, if any, may be later
    bool unfinished;  ///< nothing is known: the search has tried as many directions as it may
} frc_medial_hit;

/// False: the primitives do not touch during the step. True: they touch, or come closer than
/// `tolerance` >= 0, at `t`, which is never after the first contact (conservative advancement). At
/// a hit that is not `limited`, gap <= tolerance + twice the sum of the bulges; a tolerance below
/// 2^-42 of the extent counts as that. `guess`: a direction that may separate them when the step
/// begins, or NULL.
FRC_DEVICE bool frc_medial_ccd(const frc_medial_sweep* a, const frc_medial_sweep* b,
                               double tolerance, const double* guess, frc_medial_hit* out);
/// The same result, or `unfinished` after `most` directions.
FRC_DEVICE bool frc_medial_ccd_within(const frc_medial_sweep* a, const frc_medial_sweep* b,
                                      double tolerance, const double* guess, int most,
                                      frc_medial_hit* out);

/// The spheres of a body, given relative to its centre of rotation, at two times of its motion.
/// Returns the bulge: a bound on how far a centre deviates from the chord, rounding included.
FRC_DEVICE double frc_medial_sweep_spheres(const double (*spheres)[4], int count,
                                           const frc_rigid_motion* motion, double t0, double t1,
                                           double (*start)[4], double (*end)[4]);

/// Contact in time between primitives of two moving bodies, given relative to the bodies' centres.
/// The step is subdivided until the bulges are small relative to `tolerance`: at a hit that is not
/// `limited`, gap <= 2 tolerance. `from`: NULL, or the hit of a search with larger bulges, where
/// this one begins; it may be `out`.
FRC_DEVICE bool frc_medial_ccd_rigid(const double (*a)[4], int na, const frc_rigid_motion* motion_a,
                                     const double (*b)[4], int nb, const frc_rigid_motion* motion_b,
                                     double tolerance, const frc_medial_hit* from,
                                     frc_medial_hit* out);
/// The same result, or `unfinished` after `most` directions or intervals of time.
FRC_DEVICE bool frc_medial_ccd_rigid_within(const double (*a)[4], int na,
                                            const frc_rigid_motion* motion_a, const double (*b)[4],
                                            int nb, const frc_rigid_motion* motion_b,
                                            double tolerance, const frc_medial_hit* from, int most,
                                            frc_medial_hit* out);
