/// @file vtk.h  The cells of VTK, in legacy and XML files: a list of all corners, the end of each
/// cell in it, and the type of each cell.
#pragma once
#include "io/mesh_file.h"

typedef struct frc_vtk_cells {
    fracas_mesh_file* file;
    FRC_ARRAY(uint32_t) corners;
    FRC_ARRAY(uint64_t) ends;  // one per cell, not decreasing
} frc_vtk_cells;

/// Read `count` ends, after a leading 0 if `leading`, and check that they do not decrease.
fracas_status frc_vtk_read_ends(frc_values* in, frc_value_type type, frc_vtk_cells* cells,
                                uint64_t count, bool leading);
/// Read `count` corners. They refer to `vertices` vertices, of which the first is vertex `first` of
/// the file.
fracas_status frc_vtk_read_corners(frc_values* in, frc_value_type type, frc_vtk_cells* cells,
                                   uint64_t count, uint64_t first, uint64_t vertices);
/// Read the types of all cells and add the cells as faces, free edges and tetrahedra.
fracas_status frc_vtk_read_types(frc_values* in, frc_value_type type, frc_vtk_cells* cells);
void frc_vtk_release(frc_vtk_cells* cells);
