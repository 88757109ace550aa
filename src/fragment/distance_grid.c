/// @file distance_grid.c  Distances of the centres of all cells.
///
/// Bound of a cell outside. Its centre c is outside the solid at distance d from the surface, so
/// at distance d from the solid, and a point p of the cell is at most half a diagonal away:
/// |p - s| >= d - (sqrt(3) / 2) size for every point s of the solid. d, c and the cell to which a
/// point is assigned have relative errors of some 2^-50 of the coordinates' magnitude M: d is
/// computed from differences of coordinates (error 2^-52 M each), c and the cell bounds carry two
/// roundings (2^-52 M). MARGIN * (M + d) with MARGIN = 2^-40 exceeds their sum by far.
#include "fragment/distance_grid.h"
#include "base/array.h"
#include "base/parallel.h"
#include "fracas/contact.h"
#include "geom/box.h"
#include <math.h>

#define MARGIN 0x1p-40
#define HALF_DIAGONAL 0.8661  // above sqrt(3) / 2

typedef struct fill_job {
    const frc_surface* surface;
    frc_surface_points points;
    frc_inside_fn* inside;
    const void* data;
    double magnitude;
    frc_distance_grid* grid;
} fill_job;

// One row along x.
static void fill_rows(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const fill_job* job = data;
    const frc_distance_grid* grid = job->grid;
    for (uint32_t row = begin; row < end; row++)
        for (uint32_t x = 0; x < grid->cells[0]; x++) {
            const uint32_t at[3] = {x, row % grid->cells[1], row / grid->cells[1]};
            double p[3];
            for (int k = 0; k < 3; k++) p[k] = grid->lo[k] + (at[k] + 0.5) * grid->size;
            const frc_nearest n = frc_surface_nearest(job->surface, job->points, p, FRACAS_NONE);
            const double bound =
                n.distance - HALF_DIAGONAL * grid->size - MARGIN * (job->magnitude + n.distance);
            frc_distance_cell* cell = &grid->data[(size_t)row * grid->cells[0] + x];
            cell->triangle = n.face;
            cell->bound = bound > 0 && !job->inside(job->data, p) ? frc_round_down(bound) : 0;
        }
}

bool frc_distance_grid_build(fracas_context* context, const frc_surface* surface,
                             frc_surface_points points, const double box_min[3],
                             const double box_max[3], uint32_t longest, frc_inside_fn* inside,
                             const void* data, frc_distance_grid* out) {
    double side = 0, magnitude = 0;
    for (int k = 0; k < 3; k++) {
        side = fmax(side, box_max[k] - box_min[k]);
        magnitude = fmax(magnitude, fmax(fabs(box_min[k]), fabs(box_max[k])));
    }
    *out = (frc_distance_grid){.size = side / longest};
    size_t count = 1;
    for (int k = 0; k < 3; k++) {
        // One cell more on either side.
        out->cells[k] = (uint32_t)ceil((box_max[k] - box_min[k]) / out->size) + 2;
        out->lo[k] = box_min[k] - out->size;
        count *= out->cells[k];
    }
    bool ok = true;
    out->data = frc_allocate_array(context, count, sizeof *out->data, &ok);
    if (!ok) return false;
    fill_job job = {surface, points, inside, data, magnitude, out};
    frc_parallel_for(context, out->cells[1] * out->cells[2], 4, fill_rows, &job);
    return true;
}

void frc_distance_grid_release(fracas_context* context, frc_distance_grid* grid) {
    const size_t count = (size_t)grid->cells[0] * grid->cells[1] * grid->cells[2];
    frc_release(context, grid->data, frc_array_size(count, sizeof *grid->data));
    *grid = (frc_distance_grid){0};
}
