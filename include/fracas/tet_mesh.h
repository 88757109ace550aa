/// @file tet_mesh.h  A solid from a closed surface: fill it with tetrahedra of good quality.
///
/// The method is isosurface stuffing: the space is cut by a lattice of one cell size, and the
/// lattice tetrahedra at the surface are warped and clipped. Angles are bounded whatever the
/// surface is; what is thinner than a cell is lost, and sharp edges and corners of the surface are
/// partly cut off unless they are on the lattice. `fracas_tet_mesh_get_info` says by how much.
#pragma once
#include "fracas/mesh.h"

typedef struct fracas_tet_mesh fracas_tet_mesh;

/// Start from fracas_tet_mesh_default_options(); a NULL pointer means exactly that.
typedef struct fracas_tet_mesh_options {
    /// Filled in by fracas_tet_mesh_default_options; detects uninitialised options.
    uint32_t struct_size;
    /// Cells along the longest side of the surface's box. Default: 32. Ignored when `cell_size` is
    /// positive.
    uint32_t cells;
    /// Edge length of a cell, in the unit of the surface. 0, the default: determined by `cells`.
    double cell_size;
    /// An edge of the surface is sharp when its triangles turn by more than this angle, in degrees.
    /// Nodes near to sharp edges are moved onto them where angles stay between 15 and 160 degrees.
    /// Default: 40. 180: no edge is sharp.
    double sharp_angle;
} fracas_tet_mesh_options;

/// Distances from sample points of one surface to the nearest points of another.
typedef struct fracas_tet_mesh_fit {
    uint64_t samples;
    double max, mean;
} fracas_tet_mesh_fit;

/// Size, quality and fit. Angles are in degrees and rounded by libm; lengths are in the unit of the
/// surface.
typedef struct fracas_tet_mesh_info {
    uint32_t nodes, tets, boundary_triangles;
    /// Cells of the lattice along x, y and z, and their edge length.
    uint32_t cells[3];
    double cell_size;
    /// Points of the lattice. Irregular are those around which the surface winds neither zero times
    /// nor once: it intersects itself there (a positive number counts as inside), or a part of it
    /// is inside out (a negative number counts as outside).
    uint64_t lattice_points, irregular_points;
    /// Angles between two faces of a tetrahedron, six of each.
    double dihedral_min, dihedral_max, dihedral_mean;
    /// Three times the inscribed radius by the circumscribed radius: 1 is a regular tetrahedron.
    double quality_min, quality_mean;
    /// Of the tetrahedra, and inside the given surface.
    double volume, surface_volume;
    /// Diagonal of the box of the given surface: divide distances by it to compare surfaces.
    double diagonal;
    /// From vertices and triangle centres of the boundary of the tetrahedra to the given surface.
    fracas_tet_mesh_fit to_surface;
    /// From vertices and triangle centres of the given surface to the boundary of the tetrahedra.
    fracas_tet_mesh_fit from_surface;
    /// Wall-clock milliseconds: all, and of it measuring quality and fit.
    double ms, ms_measure;
    /// Zero; reserved for later versions.
    uint64_t reserved[8];
} fracas_tet_mesh_info;

FRACAS_API fracas_tet_mesh_options fracas_tet_mesh_default_options(void);

/// Fill `surface` with tetrahedra. Its triangles must be counter-clockwise seen from outside, and
/// as many of them must traverse each edge in one direction as in the other; surfaces of cavities
/// are turned inwards. It should not intersect itself (see irregular_points). Free edges and
/// points are ignored. The surface is not needed afterwards. The result is the same, bit by bit,
/// for any number of threads.
///
/// On any error `*out` is NULL.
/// @return FRACAS_ERROR_BAD_DATA when the surface is not closed, not consistently oriented, inside
/// out, flat, or too thin for the cell size, has a repeated index in a triangle, or as
/// fracas_mesh_validate; FRACAS_ERROR_INVALID_ARGUMENT for an angle out of range, and a cell size
/// that is negative, not finite, or so small that the lattice would have more than 2^28 points or
/// that coordinates, which are doubles, could not resolve it.
FRACAS_API fracas_status fracas_tet_mesh_create(fracas_context* context,
                                                const fracas_mesh_view* surface,
                                                const fracas_tet_mesh_options* options,
                                                fracas_tet_mesh** out);
/// NULL is allowed.
FRACAS_API void fracas_tet_mesh_destroy(fracas_tet_mesh* mesh);

/// Nodes (doubles) and tetrahedra, valid while `mesh` lives. Every node is used. Every tetrahedron
/// has exactly positive volume, det(b - a, c - a, d - a) > 0 for corners a, b, c, d; every face
/// belongs to one or two of them. Empty for NULL.
FRACAS_API fracas_tet_view fracas_tet_mesh_get_view(const fracas_tet_mesh* mesh);
FRACAS_API fracas_status fracas_tet_mesh_get_info(const fracas_tet_mesh* mesh,
                                                  fracas_tet_mesh_info* out);
