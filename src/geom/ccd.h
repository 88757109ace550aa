/// @file ccd.h  Continuous vertex–face and edge–edge contact, decided exactly (docs/exactness.md).
#pragma once
#include "geom/point.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum frc_ccd_kind { FRC_CCD_VF = 0, FRC_CCD_EE = 1 } frc_ccd_kind;

/// A candidate: four indices into an array of moving points. VF: vertex, then the three corners of
/// the triangle. EE: the two ends of one edge, then of the other. Indices may repeat (degenerate
/// triangles and edges).
typedef struct frc_ccd_pair {
    uint32_t point[4];
} frc_ccd_pair;

typedef struct frc_ccd_hit {
    uint32_t pair;     ///< index of the candidate
    double toi, u, v;  ///< as in fracas_impact
    double normal[3];
} frc_ccd_hit;

/// Number of candidates decided by each stage; for benchmarks and tests.
typedef struct frc_ccd_counts {
    uint64_t axis, cubic, sweep, directions, no_root, outside, separated, hit, exact, exact_hit;
} frc_ccd_counts;

/// The filters in front of the deciding stages; results do not depend on them.
typedef enum frc_ccd_filters {
    FRC_CCD_ALL_FILTERS = 0,
    FRC_CCD_NON_PENETRATION = 1,  ///< the signs of the cubic's coefficients alone (tang2010)
    FRC_CCD_NO_FILTERS = 2
} frc_ccd_filters;

typedef struct frc_ccd_options {
    double tolerance;  ///< how early a time may be, > 0; below 2^-50 it counts as 2^-50
    bool after_start;  ///< contact counts only at times in (0, 1]: for features that coincided when
                       ///< the step began
    bool axis_tested;  ///< skip the axis filter: the caller has compared the boxes at both ends
    bool canonical;  ///< apply frc_ccd_canonical_order to each candidate before any rounding; u and
                     ///< v then refer to the canonical candidate
    frc_ccd_counts* counts;  ///< may be NULL; added to. Its values determine the order of filters
    frc_ccd_filters filters;
} frc_ccd_options;

/// The order of points by their first two tags (in a scene: the body, the vertex number in it).
FRC_DEVICE static inline uint64_t frc_point_order(const frc_point* point) {
    return (uint64_t)point->tag[0] << 32 | point->tag[1];
}

/// Two edges, each with its ends by ascending `order`, and the edge whose first end comes first.
FRC_DEVICE static inline frc_ccd_pair frc_ccd_order_edges(const uint32_t p[4],
                                                          const uint64_t order[4]) {
    const int a = order[1] < order[0], b = 2 + (order[3] < order[2]);
    const int first = order[b] < order[a] ? b : a, second = a + b - first;
    const frc_ccd_pair r = {
        {p[first], p[first ^ 1], p[second], p[second ^ 1]}
    };
    return r;
}

/// The candidate in canonical order. The order of the ends of an edge, and of the two edges,
/// changes the last bits of results; in canonical order both are sorted by frc_point_order,
/// independent of indices. A vertex and a face are not changed.
FRC_DEVICE static inline frc_ccd_pair
frc_ccd_canonical_order(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pair) {
    if (kind == FRC_CCD_VF) return *pair;
    uint64_t order[4];
    for (int i = 0; i < 4; i++) order[i] = frc_point_order(&points[pair->point[i]]);
    return frc_ccd_order_edges(pair->point, order);
}

/// Decide `count` candidates. Writes the hits, ascending by candidate, to `hits`, which has
/// capacity `count`; returns their number. The result for a candidate depends only on its four
/// points.
size_t frc_ccd_batch(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                     size_t count, const frc_ccd_options* options, frc_ccd_hit* hits);

/// One candidate through the same stages.
bool frc_ccd_one(frc_ccd_kind kind, const frc_point points[4], const frc_ccd_options* options,
                 frc_ccd_hit* hit);

/// The exact stage without filters, for any finite doubles. `toi` as in fracas_impact with
/// tolerance 2^-38.
bool frc_ccd_exact(frc_ccd_kind kind, const frc_point points[4], bool after_start, double* toi);
