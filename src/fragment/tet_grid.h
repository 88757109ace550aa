/// @file tet_grid.h  Which tetrahedron contains a point: a regular grid of lists.
///
/// The cells of a tetrahedron are those of its box. frc_cell_unit is monotone, so a point of the
/// tetrahedron has its cell among them, for all coordinates.
#pragma once
#include "base/context.h"
#include "grid/cells.h"

typedef struct frc_tet_grid {
    frc_cell_table table;
    double scale;          // units per length
    int32_t lo[3], hi[3];  // units of the box of all tetrahedra
    uint32_t* begins;      // table.count + 1
    uint32_t* tets;        // of cell c: tets[begins[c]] to tets[begins[c + 1] - 1], ascending
    size_t tet_capacity;
} frc_tet_grid;

/// Cells are about half as large as the tetrahedra. False: no memory.
bool frc_tet_grid_build(fracas_context* context, const double (*points)[3],
                        const uint32_t (*tets)[4], uint32_t tet_count, frc_tet_grid* out);
void frc_tet_grid_release(fracas_context* context, frc_tet_grid* grid);

/// Call `visit` for tetrahedra that may overlap a box; several times for some.
typedef void frc_tet_fn(void* data, uint32_t tet);
void frc_tet_grid_visit(const frc_tet_grid* grid, const double lo[3], const double hi[3],
                        frc_tet_fn* visit, void* data);

/// The tetrahedra that may contain a point; returns their number.
uint32_t frc_tet_grid_list(const frc_tet_grid* grid, const double p[3], const uint32_t** out);
