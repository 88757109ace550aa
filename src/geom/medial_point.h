/// @file medial_point.h  The distance of a point from a medial primitive: the convex hull of one,
/// two or three spheres (a sphere, a cone, a slab). Closed forms in doubles, without error bounds.
#pragma once

/// A sphere: centre and radius.
typedef double frc_sphere4[4];

/// The sphere of the hull, a linear interpolation of the given ones, that is nearest to a point.
typedef struct frc_medial_nearest {
    /// Distance of the point from the hull; in it minus the depth.
    double distance;
    /// Weights of the spheres; not negative, with the sum 1.
    double weight[3];
    /// Unit vector from the centre of the nearest sphere to the point; zero at the centre.
    double direction[3];
} frc_medial_nearest;

/// `count` is 1, 2 or 3. Spheres inside each other and equal ones are allowed.
frc_medial_nearest frc_medial_point(const double* const spheres[3], int count, const double p[3]);
