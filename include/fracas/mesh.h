/// @file mesh.h  Views of meshes in the caller's memory, and checks and descriptions of meshes.
#pragma once
#include "fracas/base.h"

/// Type of coordinates.
typedef enum fracas_scalar { FRACAS_SCALAR_DOUBLE = 0, FRACAS_SCALAR_FLOAT = 1 } fracas_scalar;

/// `count` points of three numbers each. Not copied, not owned; memory need not be aligned.
typedef struct fracas_points {
    const void* data;
    uint32_t count;
    /// Bytes from one point to the next. 0: tightly packed.
    uint32_t stride;
    fracas_scalar scalar;
} fracas_points;

/// A mesh in the caller's memory. Faces, edges and points are closed: the convex hulls of their
/// vertices. A triangle with a repeated index is a segment or a point. Vertices without a triangle,
/// free edge or free point are ignored.
typedef struct fracas_mesh_view {
    fracas_points points;
    /// Three indices each; may be NULL when triangle_count is 0.
    const uint32_t* triangles;
    uint32_t triangle_count;
    uint32_t edge_count;
    /// Free edges, two indices each: wires, hair. May be NULL when edge_count is 0.
    const uint32_t* edges;
    /// Free points, one index each: particles. May be NULL when vertex_count is 0.
    const uint32_t* vertices;
    uint32_t vertex_count;
} fracas_mesh_view;

/// Tetrahedra in the caller's memory. A tetrahedron is closed: the convex hull of its four corners,
/// with either orientation, flat or not. Vertices without a tetrahedron are ignored.
typedef struct fracas_tet_view {
    fracas_points points;
    /// Four indices each; may be NULL when tet_count is 0.
    const uint32_t* tets;
    uint32_t tet_count;
} fracas_tet_view;

/// Description of a mesh. Edges are unordered pairs of distinct vertices of the triangles, each
/// counted once.
typedef struct fracas_mesh_info {
    uint32_t vertices, triangles, edges;
    /// As listed in the view.
    uint32_t free_edges, free_vertices;
    /// Vertices without a triangle, free edge or free point.
    uint32_t unused_vertices;
    /// Connected components of triangles and free edges.
    uint32_t components;
    /// Edges of exactly one triangle.
    uint32_t boundary_edges;
    /// Edges of more than two triangles.
    uint32_t nonmanifold_edges;
    /// Edges of two triangles that traverse it in the same direction. A triangle with a repeated
    /// index traverses its edge in both.
    uint32_t misoriented_edges;
    /// Triangles that are a segment or a point by their indices.
    uint32_t repeated_index_triangles;
    /// Triangles of exactly zero area, by their positions.
    uint32_t flat_triangles;
    /// Triangles with the same three vertices as an earlier one.
    uint32_t duplicate_triangles;
    /// The mesh has triangles, and no boundary edge.
    bool closed;
    /// No edge is non-manifold. Vertices are not examined.
    bool manifold;
    /// Bounding box of all points; zero when there are none.
    double box_min[3], box_max[3];
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_mesh_info;

/// Check that every number is finite and every index in range. All points are checked, used or not.
/// @return FRACAS_ERROR_BAD_DATA with a message that names the first bad element;
/// FRACAS_ERROR_INVALID_ARGUMENT for a NULL pointer with a count, or a stride smaller than a point.
FRACAS_API fracas_status fracas_mesh_validate(fracas_context* context,
                                              const fracas_mesh_view* mesh);

/// Describe a mesh, in linear time except for sorting the edges around each vertex. On any error
/// `*out` is unchanged. @return as fracas_mesh_validate, or FRACAS_ERROR_OUT_OF_MEMORY.
FRACAS_API fracas_status fracas_mesh_describe(fracas_context* context, const fracas_mesh_view* mesh,
                                              fracas_mesh_info* out);

/// Description of a volume. Faces are unordered triples of distinct vertices of the tetrahedra,
/// each counted once; tetrahedra with a repeated index have none.
typedef struct fracas_tet_info {
    uint32_t vertices, tets;
    /// Vertices without a tetrahedron.
    uint32_t unused_vertices;
    /// Connected components of tetrahedra.
    uint32_t components;
    uint64_t faces;
    /// Faces of exactly one tetrahedron.
    uint64_t boundary_triangles;
    /// Faces of more than two tetrahedra.
    uint64_t nonmanifold_triangles;
    /// Tetrahedra of exactly negative volume: det(b - a, c - a, d - a) < 0 for corners a, b, c, d.
    uint32_t inverted;
    /// Tetrahedra of exactly zero volume, by their positions.
    uint32_t flat;
    /// Tetrahedra that are a triangle or less by their indices.
    uint32_t repeated_index_tets;
    /// Tetrahedra with the same four distinct vertices as an earlier one.
    uint32_t duplicate_tets;
    /// Bounding box of all points; zero when there are none.
    double box_min[3], box_max[3];
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_tet_info;

/// As fracas_mesh_validate.
FRACAS_API fracas_status fracas_tet_validate(fracas_context* context, const fracas_tet_view* view);

/// Describe a volume, in linear time. On any error `*out` is unchanged.
/// @return as fracas_mesh_validate, or FRACAS_ERROR_OUT_OF_MEMORY.
FRACAS_API fracas_status fracas_tet_describe(fracas_context* context, const fracas_tet_view* view,
                                             fracas_tet_info* out);

/// Find the surface of a volume: the faces of exactly one tetrahedron, as defined above, in the
/// order of the tetrahedra, in linear time. A triangle of a tetrahedron of positive volume is
/// counter-clockwise seen from outside. `triangles` (three indices each) and `tets` (the
/// tetrahedron of each triangle) have a capacity of 4 * tet_count triangles, or are NULL; `*count`
/// is the number of triangles. The indices depend only on those of the view, not on its positions.
/// On any error nothing is written.
/// @return as fracas_mesh_validate, or FRACAS_ERROR_OUT_OF_MEMORY.
FRACAS_API fracas_status fracas_tet_find_boundary(fracas_context* context,
                                                  const fracas_tet_view* view, uint32_t* triangles,
                                                  uint32_t* tets, uint64_t* count);
