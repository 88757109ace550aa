/// @file medial_mesh.h  A closed surface as a few spheres, cones and slabs: its medial mesh.
///
/// A medial mesh has spheres (the vertices), edges and triangles. An edge is a cone, the convex
/// hull of two spheres; a triangle is a slab, the convex hull of three. The shape is the union of
/// all of them, and of the spheres without an edge.
#pragma once
#include "fracas/mesh.h"

typedef struct fracas_medial_mesh fracas_medial_mesh;

typedef struct fracas_medial_sphere {
    double center[3], radius;
} fracas_medial_sphere;

/// A medial mesh in the caller's memory.
typedef struct fracas_medial_view {
    const fracas_medial_sphere* spheres;
    /// Two indices each; may be NULL when edge_count is 0.
    const uint32_t* edges;
    /// Three indices each; may be NULL when triangle_count is 0.
    const uint32_t* triangles;
    uint32_t sphere_count, edge_count, triangle_count;
} fracas_medial_view;

/// Start from fracas_medial_mesh_default_options(); a NULL pointer means exactly that.
typedef struct fracas_medial_mesh_options {
    /// Filled in by fracas_medial_mesh_default_options; detects uninitialised options.
    uint32_t struct_size;
    /// How many spheres; there are more where the topology of the surface needs them, and fewer
    /// where fewer describe it exactly. 0, the default: as few as `error` allows.
    uint32_t spheres;
    /// The largest distance of the surface from the shape, as a part of the diagonal of its box.
    /// Used when `spheres` is 0. Default: 0.01.
    double error;
    /// Points of the surface at which the medial axis is computed: more resolve thinner parts. 0,
    /// the default: 15,000.
    uint32_t samples;
    /// Rounds of fitting the spheres to the surface. Default: 96.
    uint32_t fit_rounds;
    /// Only spheres, no cones and slabs: for programs that know nothing else. `spheres` is then
    /// positive. Default: false.
    bool spheres_only;
} fracas_medial_mesh_options;

/// Distances from sample points of one surface to another.
typedef struct fracas_medial_fit {
    uint64_t samples;
    double max, mean;
} fracas_medial_fit;

/// Size and fit. Lengths are in the unit of the surface; divide them by `diagonal` to compare
/// surfaces. Of a mesh that was not made from a surface only the counts are set.
typedef struct fracas_medial_mesh_info {
    uint32_t spheres, edges, triangles;
    /// Spheres before simplification, and the samples of the surface.
    uint32_t medial_vertices, samples;
    /// Diagonal of the box of the surface.
    double diagonal;
    /// From vertices and triangle centres of the surface to the boundary of the shape; an upper
    /// bound where they are inside.
    fracas_medial_fit from_surface;
    /// From points of the boundary of the shape to the surface.
    fracas_medial_fit to_surface;
    /// How far the shape sticks out of the surface, at the same points.
    double protrusion;
    /// The share of the samples of from_surface that are in the shape or nearer to it than 0.1 % of
    /// the diagonal.
    double surface_covered;
    /// The volume of the surface, that of the shape, and the share of the surface's volume that is
    /// in the shape. The last two are estimated at `volume_points` lattice points.
    double surface_volume, volume, volume_covered;
    uint64_t volume_points;
    /// Wall-clock milliseconds: all, and of it measuring.
    double ms, ms_measure;
    /// With this added to all radii the shape contains the surface: every point of its triangles,
    /// not only the samples of from_surface. At most 0.01 % of the diagonal more than necessary.
    double inflation;
    /// Zero; reserved for later versions.
    uint64_t reserved[7];
} fracas_medial_mesh_info;

FRACAS_API fracas_medial_mesh_options fracas_medial_mesh_default_options(void);

/// Compute the medial mesh of `surface`. Its triangles must be counter-clockwise seen from outside,
/// as many of them must traverse each edge in one direction as in the other, and no two may
/// intersect; surfaces of cavities are turned inwards. Free edges and points are ignored. The
/// surface is not needed afterwards. The result is the same, bit by bit, for any number of threads.
///
/// On any error `*out` is NULL.
/// @return FRACAS_ERROR_BAD_DATA when the surface is not closed, not consistently oriented, inside
/// out, flat or intersects itself, has a repeated index in a triangle, or as fracas_mesh_validate;
/// FRACAS_ERROR_INVALID_ARGUMENT for an option out of range.
FRACAS_API fracas_status fracas_medial_mesh_create(fracas_context* context,
                                                   const fracas_mesh_view* surface,
                                                   const fracas_medial_mesh_options* options,
                                                   fracas_medial_mesh** out);

/// Copy a medial mesh. On any error `*out` is NULL.
/// @return FRACAS_ERROR_BAD_DATA for a number that is not finite, a negative radius, an index out
/// of range or an index that an edge or triangle has twice; the message names it.
FRACAS_API fracas_status fracas_medial_mesh_create_from(fracas_context* context,
                                                        const fracas_medial_view* view,
                                                        fracas_medial_mesh** out);
/// NULL is allowed.
FRACAS_API void fracas_medial_mesh_destroy(fracas_medial_mesh* mesh);

/// Valid while `mesh` lives. Of a mesh made from a surface, or read from MAT, every side of a
/// triangle is among the edges; made from a surface, edges and triangles are distinct. Empty for
/// NULL.
FRACAS_API fracas_medial_view fracas_medial_mesh_get_view(const fracas_medial_mesh* mesh);
FRACAS_API fracas_status fracas_medial_mesh_get_info(const fracas_medial_mesh* mesh,
                                                     fracas_medial_mesh_info* out);

/// Read a medial mesh: MA (`V E F`, then `v x y z r`, `e i j`, `f i j k`) or MAT (`V C S`, then
/// `v x y z r node`, `c i j`, `s i j k`). Empty lines and those that begin with # are skipped;
/// indices count from 0. On any error `*out` is NULL.
/// @return FRACAS_ERROR_FILE when the file cannot be opened or read, FRACAS_ERROR_BAD_DATA when it
/// is malformed; the message names file and line.
FRACAS_API fracas_status fracas_medial_mesh_read(fracas_context* context, const char* path,
                                                 fracas_medial_mesh** out);
/// The same from memory; `name` is for messages.
FRACAS_API fracas_status fracas_medial_mesh_parse(fracas_context* context, const char* name,
                                                  const void* bytes, size_t size,
                                                  fracas_medial_mesh** out);
/// Write a medial mesh, as MAT if the name ends in .mat (with node numbers -1), else as MA. Reading
/// it gives the same numbers; of MAT the sides of triangles then come last. After a write error an
/// incomplete file may remain.
/// @return FRACAS_ERROR_FILE when it cannot be written.
FRACAS_API fracas_status fracas_medial_mesh_write(const fracas_medial_mesh* mesh, const char* path);
