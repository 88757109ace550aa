/// @file vtk.h  Cells as VTK has them, in legacy and XML files: corners in one list, where each
/// cell ends in it, and of which type it is.
#pragma once
#include "io/mesh_file.h"

typedef struct frc_vtk_cells {
    fracas_mesh_file* file;
    FRC_ARRAY(uint32_t) corners;
    FRC_ARRAY(uint64_t) ends;  // one per cell, rising
} frc_vtk_cells;

/// `count` ends, after a 0 when `leading`. Each is at least the one before.
fracas_status frc_vtk_read_ends(frc_values* in, frc_value_type type, frc_vtk_cells* cells,
                                uint64_t count, bool leading);
/// `count` corners, of `vertices` that begin at the file's vertex `first`.
fracas_status frc_vtk_read_corners(frc_values* in, frc_value_type type, frc_vtk_cells* cells,
                                   uint64_t count, uint64_t first, uint64_t vertices);
/// The types of all cells: makes faces, free edges and tetrahedra of them.
fracas_status frc_vtk_read_types(frc_values* in, frc_value_type type, frc_vtk_cells* cells);
void frc_vtk_release(frc_vtk_cells* cells);
