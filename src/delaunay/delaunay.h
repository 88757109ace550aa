/// @file delaunay.h  Delaunay tetrahedralization of points on an integer grid: exact, and the same
/// on every machine.
#pragma once
#include "base/context.h"
#include <stdint.h>

/// Coordinates are from 0 to this, both included: 2^20. All determinants then fit (insphere.h).
#define FRC_DELAUNAY_MOST 1048576

#define FRC_DELAUNAY_NONE UINT32_MAX

/// Tetrahedra with corners (points) and neighbours: neighbour k is opposite corner k. The first
/// `finite_count` have four points and positive volume. Each of the others stands for the space
/// outside one face of the convex hull: one of its corners is FRC_DELAUNAY_NONE, a point at
/// infinity. Every face has a neighbour.
typedef struct frc_delaunay {
    uint32_t (*corners)[4];
    uint32_t (*neighbours)[4];
    uint32_t count, finite_count;
    size_t capacity, neighbour_capacity;
} frc_delaunay;

/// Zero `out` before the call. Of points with equal coordinates one is used. Among points on one
/// sphere the result is that of the points moved by infinitely small distances, which depend on
/// their numbers; so no tetrahedron is flat. With all points in one plane there are none.
/// `out` is released by the caller, on failure too. @return FRACAS_ERROR_OUT_OF_MEMORY,
/// FRACAS_ERROR_CANCELLED, or FRACAS_ERROR_UNSUPPORTED for more than 2^31 tetrahedra.
fracas_status frc_delaunay_create(fracas_context* context, const int32_t (*points)[3],
                                  uint32_t count, frc_delaunay* out);
void frc_delaunay_release(fracas_context* context, frc_delaunay* d);

/// The place of a point on a Hilbert curve through 2^27 cells.
uint32_t frc_hilbert_key(const int32_t at[3]);
