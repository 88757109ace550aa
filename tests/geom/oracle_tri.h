/// @file oracle_tri.h  Orientations and triangle intersections in GMP rationals: slow and simple.
///
/// Triangles are intersected by clipping one with the linear constraints that describe the other,
/// which has nothing in common with the sign rules of src/geom. Not thread-safe. Weak where both
/// misinterpret the rules about shared vertices in the same way: those are covered by hand-made
/// cases.
#pragma once
#include <stdbool.h>
#include <stdint.h>

int oracle_orient2d(const double a[2], const double b[2], const double c[2]);
int oracle_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

/// The rule documented in tri_tri.h.
bool oracle_tri_tri(const double a[3][3], const uint32_t va[3], const double b[3][3],
                    const uint32_t vb[3]);

/// The corners of the intersection of the hulls of three points each, between adjacent doubles; at
/// most 64. `*cross`: a point is inside both, and not all points are in one plane. Corners between
/// others on one line may be among those of flat hulls.
int oracle_tri_shape(const double a[3][3], const double b[3][3], double low[][3], double high[][3],
                     bool* cross);

bool oracle_point_in_tetrahedron(const double p[3], const double t[4][3]);
