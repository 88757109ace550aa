/// @file polygon.h  A polygon in space into triangles, the same way every time.
#pragma once
#include "base/array.h"

/// Room for the work on one polygon after another; zero bytes at first, but for the patience.
typedef struct frc_polygon_work {
    FRC_ARRAY(double) points;   // two each: the polygon seen along an axis
    FRC_ARRAY(uint32_t) links;  // four lists of as many as there are corners
    FRC_ARRAY(uint8_t) state;
    uint64_t patience;  // looks at corners that are left, of all polygons together; at 0 only fans
} frc_polygon_work;

/// Write count - 2 triangles, as indices of vertices, for the polygon with the vertices
/// `corners[0 .. count)`, 3 or more of them, at `points` (three doubles each).
/// False when there is no memory.
bool frc_polygon_triangulate(fracas_context* context, frc_polygon_work* work, const double* points,
                             const uint32_t* corners, uint32_t count, uint32_t* out);
void frc_polygon_work_release(fracas_context* context, frc_polygon_work* work);
