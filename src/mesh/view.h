/// @file view.h  Points of a view as doubles.
#pragma once
#include "fracas/mesh.h"
#include <string.h>

static inline size_t frc_view_stride(const fracas_points* points) {
    size_t packed = points->scalar == FRACAS_SCALAR_FLOAT ? 3 * sizeof(float) : 3 * sizeof(double);
    return points->stride ? points->stride : packed;
}

/// Point `index` as doubles; the memory need not be aligned.
static inline void frc_view_point(const fracas_points* points, uint32_t index, double out[3]) {
    const char* at = (const char*)points->data + index * frc_view_stride(points);
    if (points->scalar == FRACAS_SCALAR_DOUBLE) {
        memcpy(out, at, 3 * sizeof(double));
        return;
    }
    float narrow[3];
    memcpy(narrow, at, sizeof narrow);
    for (int axis = 0; axis < 3; axis++) out[axis] = narrow[axis];
}

/// The bounding box of all points; zero if there are none.
static inline void frc_view_box(const fracas_points* points, double lo[3], double hi[3]) {
    for (int axis = 0; axis < 3; axis++) lo[axis] = hi[axis] = 0;
    for (uint32_t v = 0; v < points->count; v++) {
        double point[3];
        frc_view_point(points, v, point);
        for (int axis = 0; axis < 3; axis++) {
            if (v == 0 || point[axis] < lo[axis]) lo[axis] = point[axis];
            if (v == 0 || point[axis] > hi[axis]) hi[axis] = point[axis];
        }
    }
}
