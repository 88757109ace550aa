/// @file closest_features.h  Which parts of a vertex and a face, or of two edges, are closest, and
/// the weights of all four vertices.
#pragma once
#include "fracas/contact.h"
#include "geom/ccd.h"

typedef struct frc_closest_features {
    fracas_closest_type type;
    /// The closest points are weighted sums. VF: vertex (weight 1), then the corners of the face.
    /// EE: the ends of one edge, then of the other. The weights of each feature are not negative
    /// and sum to 1 up to rounding.
    double weights[4];
} frc_closest_features;

/// From the positions of the four points and the parameters u, v of the closest points as in
/// frc_closest and frc_ccd_hit. Weights up to 2^-50 are set to 0. Corners at equal positions count
/// as one: a face (a, b, b) is an edge, a face (a, a, a) a point. Finite input only.
void frc_closest_features_find(frc_ccd_kind kind, const double points[4][3], double u, double v,
                               frc_closest_features* out);
