/// @file tri_tri_coplanar.h  Coplanar triangle pairs, seen along an axis; private to tri_tri*.c.
///
/// The callers know that all corners lie in one plane. Each answers 1 (they meet beyond what they
/// share), 0, or -1 when a triangle has no area: then the general test has to decide.
#pragma once

int frc_coplanar_nonadjacent(const double* const a[3], const double* const b[3]);
int frc_coplanar_at_vertex(const double* const a[3], const double* const b[3]);  ///< a[0] = b[0]
int frc_coplanar_at_edge(const double* const a[3], const double* const b[3]);  ///< and a[1] = b[1]
