/// @file lattice.c  The lattice: its size, and its nodes.
#include "base/array.h"
#include "tet_mesh/stuffing.h"
#include <inttypes.h>
#include <math.h>

const int8_t frc_lattice_directions[FRC_DIRECTIONS][3] = {
    {2,  0,  0 },
    {0,  2,  0 },
    {0,  0,  2 },
    {1,  1,  1 },
    {1,  1,  -1},
    {1,  -1, 1 },
    {1,  -1, -1},
    {-2, 0,  0 },
    {0,  -2, 0 },
    {0,  0,  -2},
    {-1, -1, -1},
    {-1, -1, 1 },
    {-1, 1,  -1},
    {-1, 1,  1 }
};

void frc_lattice_coordinates(const frc_lattice* l, uint32_t node, uint32_t x[3]) {
    const uint32_t odd = node >= l->first_odd, more = 1 - odd;
    uint32_t rest = node - odd * l->first_odd;
    x[2] = 2 * (rest % (l->cells[2] + more)) + odd;
    rest /= l->cells[2] + more;
    x[0] = 2 * (rest % (l->cells[0] + more)) + odd;
    x[1] = 2 * (rest / (l->cells[0] + more)) + odd;
}

// ---- size

// Two empty cells on each side: all tetrahedra at the border of the lattice are outside.
enum { MARGIN = 2 };

// A coordinate is rounded by at most 2^-53 of the largest, so with such cells a vertex moves by
// less than 2^-20 of a cell. The heights of all tetrahedra are more than 0.05 cells
// (test_stencil.c).
#define SMALLEST_CELL 0x1p-30
// Volumes neither overflow nor underflow, and most signs need no exact arithmetic.
#define SMALLEST_LENGTH 1e-60
#define LARGEST_LENGTH 1e60

static fracas_status check_options(fracas_context* context,
                                   const fracas_tet_mesh_options* options) {
    if (!(options->cell_size >= 0) || !isfinite(options->cell_size))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the cell size is %g; it must be positive and finite, or 0 to determine it "
                        "by the number of cells",
                        options->cell_size);
    if (!(options->sharp_angle >= 0 && options->sharp_angle <= 180))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the sharp angle is %g; it must be from 0 to 180 degrees",
                        options->sharp_angle);
    if (options->cell_size == 0 && options->cells == 0)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "cell size and number of cells are both 0; set one of them");
    return FRACAS_OK;
}

static fracas_status check_cell(const frc_stuffing* s, double cell, double longest) {
    double largest = 0;
    for (int k = 0; k < 3; k++) largest = fmax(largest, fmax(fabs(s->lo[k]), fabs(s->hi[k])));
    if (largest > LARGEST_LENGTH || longest < SMALLEST_LENGTH || cell < SMALLEST_LENGTH)
        return frc_fail(s->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the surface has coordinates up to %g and a longest side of %g, and the "
                        "cell size is %g; scale lengths to between %g and %g",
                        largest, longest, cell, SMALLEST_LENGTH, LARGEST_LENGTH);
    if (cell < SMALLEST_CELL * largest)
        return frc_fail(s->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "a cell size of %g is too small for coordinates up to %g, which are "
                        "doubles; use cells of at least %g, or move the surface to the origin",
                        cell, largest, SMALLEST_CELL * largest);
    return FRACAS_OK;
}

fracas_status frc_lattice_create(frc_stuffing* s, const fracas_tet_mesh_options* options) {
    frc_lattice* l = &s->lattice;
    fracas_status status = check_options(s->context, options);
    if (status != FRACAS_OK) return status;
    double longest = 0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, s->hi[k] - s->lo[k]);
    l->cell = options->cell_size > 0 ? options->cell_size : longest / options->cells;
    status = check_cell(s, l->cell, longest);
    if (status != FRACAS_OK) return status;

    // A side of nearly a whole number of cells has that many, so its ends are even nodes.
    double even = 1, odd = 1;
    double cells[3];
    for (int k = 0; k < 3; k++) {
        cells[k] = ceil((s->hi[k] - s->lo[k]) / l->cell - 1e-9) + 2 * MARGIN;
        even *= cells[k] + 1, odd *= cells[k];
    }
    if (even + odd > FRC_MOST_NODES)
        return frc_fail(s->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "a cell size of %g makes a lattice of %.0f x %.0f x %.0f cells with %.3g "
                        "points, but at most %" PRIu32 " are possible; use cells of %.2g or more",
                        l->cell, cells[0], cells[1], cells[2], even + odd, (uint32_t)FRC_MOST_NODES,
                        1.05 * l->cell * cbrt((even + odd) / FRC_MOST_NODES));
    for (int k = 0; k < 3; k++) {
        l->cells[k] = (uint32_t)cells[k];
        l->origin[k] = s->lo[k] - 0.5 * (cells[k] * l->cell - (s->hi[k] - s->lo[k]));
    }
    l->first_odd = (uint32_t)even, l->node_count = (uint32_t)(even + odd);
    l->sign = frc_allocate(s->context, frc_array_size(l->node_count, 1));
    return l->sign ? FRACAS_OK : frc_fail_memory(s->context, l->node_count);
}
