/// @file tri_tri_shape.h  How two triangles meet, and where: the intersection of two triangles,
/// segments or points as a convex polygon.
#pragma once

typedef enum frc_meeting { FRC_MEETING_NONE, FRC_MEETING_TOUCH, FRC_MEETING_CROSS } frc_meeting;

enum { FRC_SHAPE_POINTS = 6 };

typedef struct frc_tri_shape {
    frc_meeting meeting;
    int count;  ///< 1: a point; 2: a segment; 3 to 6: the corners of a polygon, in order
    /// Each coordinate is the exact one, rounded: the error is below 0.501 units in the last place,
    /// and one unit where it is subnormal.
    double points[FRC_SHAPE_POINTS][3];
} frc_tri_shape;

/// The intersection of the hulls of 1 to 3 points each; NONE when it is empty. They cross when
/// points inside of both meet and each has points on both sides of the other: two triangles that
/// are not coplanar, or a segment and a triangle. Otherwise they touch, also when they overlap in
/// their common plane. All decisions are exact, for all finite doubles.
void frc_tri_tri_shape(const double* const a[], int a_count, const double* const b[], int b_count,
                       frc_tri_shape* out);
