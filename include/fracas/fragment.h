/// @file fragment.h  Rigid solids that break into fragments: which points are inside a fragment,
/// and how deep.
///
/// A solid is a set of tetrahedra; its surface is their boundary. It is preprocessed once and does
/// not change: any number of objects, whole or broken, share it. Fragments are created whole, from
/// a solid, and fractured any number of times. Points are given in the frame of the solid.
///
/// Geometry of a crack: a fracture assigns every node of a fragment to a part. An edge between
/// nodes of two parts is cut at one point. In a tetrahedron with a cut edge every node owns a cell:
/// the points nearer to it in the barycentric subdivision that the cut points define
/// (docs/fragment.md). A fragment is the union of its whole tetrahedra and of the cells of its
/// nodes. So fragments partition the solid, and a later fracture of one changes no other.
#pragma once
#include "fracas/contact.h"
#include "fracas/mesh.h"

/// A preprocessed solid. It must outlive all fragments made from it.
typedef struct fracas_solid fracas_solid;

/// Start from fracas_solid_default_options(); a NULL pointer means exactly that.
typedef struct fracas_solid_options {
    uint32_t struct_size;
    /// Cells of the dense distance grid along the longest side of the solid, 4 to 256. Default: 48.
    uint32_t grid_cells;
} fracas_solid_options;

typedef struct fracas_solid_info {
    /// Vertices with a tetrahedron, tetrahedra, and edges of tetrahedra.
    uint32_t nodes, tets, edges;
    uint32_t surface_triangles;
    double volume;
    /// Centre of mass for a uniform density, and the distance of the farthest node from it.
    double centre[3], radius;
    double box_min[3], box_max[3];
    /// Largest interior distance of a node.
    double depth;
    /// Wall-clock milliseconds of fracas_solid_create.
    double ms_create;
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_solid_info;

FRACAS_API fracas_solid_options fracas_solid_default_options(void);

/// Preprocess tetrahedra; points and indices are copied. Every tetrahedron must have a positive
/// volume (det(b - a, c - a, d - a) > 0), and every face at most two tetrahedra, on opposite sides.
/// Tetrahedra that overlap without sharing a face are not detected.
/// @return FRACAS_ERROR_BAD_DATA with a message that names the first bad tetrahedron or face. On
/// any error `*out` is NULL.
FRACAS_API fracas_status fracas_solid_create(fracas_context* context, const fracas_tet_view* tets,
                                             const fracas_solid_options* options,
                                             fracas_solid** out);
/// NULL is allowed.
FRACAS_API void fracas_solid_destroy(fracas_solid* solid);
FRACAS_API fracas_status fracas_solid_get_info(const fracas_solid* solid, fracas_solid_info* out);
/// The tetrahedra, numbered as given; valid while the solid lives.
FRACAS_API fracas_tet_view fracas_solid_get_tets(const fracas_solid* solid);

/// How distances inside fragments are updated by a fracture. All but EXACT visit only nodes whose
/// distance may change.
typedef enum fracas_field_update {
    /// Nodes inherit the nearest triangle of their neighbours while that reduces their distance.
    /// Depths are never below the exact ones.
    FRACAS_FIELD_UPDATE_CLOSEST_POINT = 0,
    /// Published: weighted extrapolation from neighbours; each node is set once.
    FRACAS_FIELD_UPDATE_VISIT_ONCE = 1,
    /// Published, read literally: repeated while a distance decreases, at most 64 times. Distances
    /// may become negative.
    FRACAS_FIELD_UPDATE_LITERAL = 2,
    /// The nearest point of the new surface, found anew for every node: slow.
    FRACAS_FIELD_UPDATE_EXACT = 3
} fracas_field_update;

/// How sphere trees are updated by a fracture. Queries that report all contacts find the same ones.
typedef enum fracas_tree_update {
    /// A node of the tree that loses its point gets the nearest point of its subtree.
    FRACAS_TREE_UPDATE_NEAREST = 0,
    /// It gets the point of its first child: the method before Glondu et al.
    FRACAS_TREE_UPDATE_FIRST = 1,
    /// New trees: slow.
    FRACAS_TREE_UPDATE_REBUILD = 2
} fracas_tree_update;

/// All fragments of a simulation.
typedef struct fracas_fragments fracas_fragments;

/// Start from fracas_fragments_default_options(); a NULL pointer means exactly that.
typedef struct fracas_fragments_options {
    uint32_t struct_size;
    fracas_field_update field_update;
    fracas_tree_update tree_update;
} fracas_fragments_options;

/// Handle of a fragment; an all-zero handle is invalid.
typedef struct fracas_fragment {
    uint32_t index, generation;
} fracas_fragment;

FRACAS_API fracas_fragments_options fracas_fragments_default_options(void);
FRACAS_API fracas_status fracas_fragments_create(fracas_context* context,
                                                 const fracas_fragments_options* options,
                                                 fracas_fragments** out);
/// NULL is allowed.
FRACAS_API void fracas_fragments_destroy(fracas_fragments* fragments);

/// Add a whole solid as one fragment. On any error nothing changes and `*out` is zero.
FRACAS_API fracas_status fracas_fragments_add(fracas_fragments* fragments,
                                              const fracas_solid* solid, fracas_fragment* out);
FRACAS_API fracas_status fracas_fragments_remove(fracas_fragments* fragments,
                                                 fracas_fragment fragment);

/// Where an edge of the tetrahedra is cut: at node[0] + at * (node[1] - node[0]).
typedef struct fracas_cut_edge {
    uint32_t node[2];
    /// From FRACAS_CUT_MARGIN to 1 - FRACAS_CUT_MARGIN.
    double at;
} fracas_cut_edge;

#define FRACAS_CUT_MARGIN 0.001

/// How a fragment breaks.
typedef struct fracas_fracture {
    /// Number of parts, at least 2. Every part has at least one node.
    uint32_t part_count;
    uint32_t cut_count;
    /// For each point of the solid: its part, below part_count. Entries of points that are not
    /// nodes of the fragment are ignored.
    const uint32_t* node_parts;
    /// Where edges between nodes of different parts are cut; others of these are cut in the middle.
    const fracas_cut_edge* cuts;
} fracas_fracture;

/// Break a fragment; its handle becomes stale. `parts` receives part_count handles. A part may be
/// disconnected: patterns (below) give none that is. On any error nothing changes.
/// @return FRACAS_ERROR_BAD_DATA for a part out of range or without a node, an edge that does not
/// exist, joins nodes of one part or is cut twice, a position out of range.
FRACAS_API fracas_status fracas_fragments_fracture(fracas_fragments* fragments,
                                                   fracas_fragment fragment,
                                                   const fracas_fracture* fracture,
                                                   fracas_fragment* parts);

/// The solid of a fragment; NULL for an invalid handle.
FRACAS_API const fracas_solid* fracas_fragments_get_solid(const fracas_fragments* fragments,
                                                          fracas_fragment fragment);

typedef struct fracas_fragment_info {
    /// Nodes of the fragment, and tetrahedra of which it has at least a part.
    uint32_t nodes, tets, cut_tets;
    double volume;
    /// Centre of mass for a uniform density.
    double centre[3];
    /// Moments of inertia about the centre of mass for density 1: xx, yy, zz, xy, yz, zx, where xy
    /// is the integral of -x y.
    double inertia[6];
    double box_min[3], box_max[3];
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_fragment_info;

FRACAS_API fracas_status fracas_fragments_get_info(const fracas_fragments* fragments,
                                                   fracas_fragment fragment,
                                                   fracas_fragment_info* out);

/// A point inside a fragment.
typedef struct fracas_depth {
    /// The point is inside or on the surface. If not, everything else is zero.
    bool inside;
    /// Distance to the surface of the fragment.
    double depth;
    /// Unit vector to the nearest point of the surface.
    double direction[3];
} fracas_depth;

/// Is a point inside a fragment, and how deep? Safe to call from several threads at once.
/// @return FRACAS_ERROR_BAD_DATA for a point that is not finite.
FRACAS_API fracas_status fracas_fragments_locate(const fracas_fragments* fragments,
                                                 fracas_fragment fragment, const double point[3],
                                                 fracas_depth* out);

// ---- surfaces

/// The closed surface of a fragment, for drawing or for a fracas_scene. Independent of later
/// fractures.
typedef struct fracas_fragment_surface fracas_fragment_surface;

FRACAS_API fracas_status fracas_fragment_surface_create(const fracas_fragments* fragments,
                                                        fracas_fragment fragment,
                                                        fracas_fragment_surface** out);
/// NULL is allowed.
FRACAS_API void fracas_fragment_surface_destroy(fracas_fragment_surface* surface);
/// Counter-clockwise seen from outside; valid while the surface lives.
FRACAS_API fracas_mesh_view
fracas_fragment_surface_get_view(const fracas_fragment_surface* surface);
/// For each triangle whether it is of a crack; else it is of the surface of the solid.
FRACAS_API const bool* fracas_fragment_surface_get_cracks(const fracas_fragment_surface* surface);

// ---- patterns

/// A fracture that the library made. Its parts are connected.
typedef struct fracas_fracture_pattern fracas_fracture_pattern;

/// Cut a fragment by the plane of the points x with normal . (x - point) = 0; the normal need not
/// be a unit vector. Nodes on the plane belong to the side of the normal. An edge is cut where it
/// crosses the plane, moved to 0.05 of its length from its ends.
/// @return FRACAS_ERROR_BAD_DATA when the fragment would not break.
FRACAS_API fracas_status fracas_fracture_pattern_create_plane(const fracas_fragments* fragments,
                                                              fracas_fragment fragment,
                                                              const double point[3],
                                                              const double normal[3],
                                                              fracas_fracture_pattern** out);
/// Each node falls to its nearest site, the first of several at one distance; edges are cut as
/// above, by the plane between two sites.
FRACAS_API fracas_status fracas_fracture_pattern_create_voronoi(const fracas_fragments* fragments,
                                                                fracas_fragment fragment,
                                                                const double (*sites)[3],
                                                                uint32_t site_count,
                                                                fracas_fracture_pattern** out);
/// NULL is allowed.
FRACAS_API void fracas_fracture_pattern_destroy(fracas_fracture_pattern* pattern);
/// Valid while the pattern lives.
FRACAS_API fracas_fracture fracas_fracture_pattern_get(const fracas_fracture_pattern* pattern);
