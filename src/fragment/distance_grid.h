/// @file distance_grid.h  A dense regular grid over a solid: for each cell the surface triangle
/// nearest to its centre, and a lower bound of the distance of its points from the solid.
#pragma once
#include "base/context.h"
#include "bvh/surface.h"

typedef struct frc_distance_cell {
    // 0 where the cell may contain a point of the solid; else no point of the cell is nearer to it.
    float bound;
    uint32_t triangle;
} frc_distance_cell;

typedef struct frc_distance_grid {
    double lo[3], size;  // the first corner, and the side of a cell
    uint32_t cells[3];
    frc_distance_cell* data;  // x fastest
} frc_distance_grid;

/// Is a point of the solid? Called from several threads at once.
typedef bool frc_inside_fn(const void* data, const double p[3]);

/// `longest` cells along the longest side of the box. False: no memory or cancelled.
bool frc_distance_grid_build(fracas_context* context, const frc_surface* surface,
                             frc_surface_points points, const double box_min[3],
                             const double box_max[3], uint32_t longest, frc_inside_fn* inside,
                             const void* data, frc_distance_grid* out);
void frc_distance_grid_release(fracas_context* context, frc_distance_grid* grid);

/// The cell of a point; NULL outside the grid.
static inline const frc_distance_cell* frc_distance_grid_at(const frc_distance_grid* grid,
                                                            const double p[3]) {
    uint32_t at[3];
    for (int k = 0; k < 3; k++) {
        const double x = (p[k] - grid->lo[k]) / grid->size;
        if (!(x >= 0 && x < grid->cells[k])) return NULL;
        at[k] = (uint32_t)x;
    }
    return &grid->data[((size_t)at[2] * grid->cells[1] + at[1]) * grid->cells[0] + at[0]];
}
