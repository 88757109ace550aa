/// @file polygon.h  Deterministic triangulation of a polygon in space.
#pragma once
#include "base/array.h"

/// Scratch memory for triangulating one polygon after another; zero but for the budget at first.
typedef struct frc_polygon_work {
    FRC_ARRAY(double) points;   // two each: the projected polygon
    FRC_ARRAY(uint32_t) links;  // four lists of as many as there are corners
    FRC_ARRAY(uint8_t) state;
    uint64_t budget;  // remaining tests of corners, of all polygons together; at 0 only fans
} frc_polygon_work;

/// Write count - 2 triangles, as indices of vertices, for the polygon with the vertices
/// `corners[0 .. count)`, 3 or more of them, at `points` (three doubles each).
/// False when there is no memory.
bool frc_polygon_triangulate(fracas_context* context, frc_polygon_work* work, const double* points,
                             const uint32_t* corners, uint32_t count, uint32_t* out);
void frc_polygon_work_release(fracas_context* context, frc_polygon_work* work);
