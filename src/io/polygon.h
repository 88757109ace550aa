/// @file polygon.h  Deterministic triangulation of a polygon in space.
#pragma once
#include "base/array.h"

/// Scratch memory, reused from polygon to polygon. Initialise to zero and set the budget.
typedef struct frc_polygon_work {
    FRC_ARRAY(double) points;   // two each: the projected polygon
    FRC_ARRAY(uint32_t) links;  // four lists with an entry per corner
    FRC_ARRAY(uint8_t) state;
    uint64_t budget;  // remaining tests of corners, for all polygons; at 0 fans only
} frc_polygon_work;

/// Write count - 2 triangles, as vertex indices, for the polygon with the vertices
/// `corners[0 .. count)`, count >= 3, at `points` (three doubles each). Decrements the budget.
/// @return false: out of memory
bool frc_polygon_triangulate(fracas_context* context, frc_polygon_work* work, const double* points,
                             const uint32_t* corners, uint32_t count, uint32_t* out);
void frc_polygon_work_release(fracas_context* context, frc_polygon_work* work);
