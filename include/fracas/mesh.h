/// @file mesh.h  How the caller's meshes are looked at: points in strided memory, triangles, free
/// edges and points.
#pragma once
#include "fracas/base.h"

typedef enum fracas_scalar { FRACAS_SCALAR_DOUBLE = 0, FRACAS_SCALAR_FLOAT = 1 } fracas_scalar;

/// `count` points of three numbers each, `stride` bytes apart (0: tightly packed). Not copied, not
/// owned.
typedef struct fracas_points {
    const void* data;
    uint32_t count;
    uint32_t stride;
    fracas_scalar scalar;
} fracas_points;

/// A mesh in the caller's memory. Faces, edges and points are closed: the convex hulls of their
/// vertices. A triangle with a repeated index is a segment or a point. Vertices that nothing refers
/// to take no part.
typedef struct fracas_mesh_view {
    fracas_points points;
    const uint32_t* triangles;  ///< three indices each; may be NULL when triangle_count is 0
    uint32_t triangle_count;
    uint32_t edge_count;
    const uint32_t* edges;     ///< free edges, two indices each: wires, hair; may be NULL
    const uint32_t* vertices;  ///< free points, one index each: particles; may be NULL
    uint32_t vertex_count;
} fracas_mesh_view;

/// Tetrahedra in the caller's memory. A tetrahedron is closed: the convex hull of its four corners,
/// whichever way it is oriented, flat or not. Vertices that no tetrahedron has take no part.
typedef struct fracas_tet_view {
    fracas_points points;
    const uint32_t* tets;  ///< four indices each; may be NULL when tet_count is 0
    uint32_t tet_count;
} fracas_tet_view;

/// What a mesh is made of. Edges are unordered pairs of distinct vertices of the triangles, each
/// once.
typedef struct fracas_mesh_info {
    uint32_t vertices, triangles, edges;
    uint32_t free_edges, free_vertices;  ///< as listed in the view
    uint32_t unused_vertices;            ///< that no triangle, free edge or free point refers to
    uint32_t components;                 ///< of triangles and free edges joined by common vertices
    uint32_t boundary_edges;             ///< of exactly one triangle
    uint32_t nonmanifold_edges;          ///< of more than two triangles
    uint32_t misoriented_edges;  ///< of two triangles that run through it in the same direction;
                                 ///< one with a repeated index runs both ways
    uint32_t repeated_index_triangles;  ///< a segment or a point by its indices
    uint32_t flat_triangles;            ///< of exactly zero area, by its positions
    uint32_t duplicate_triangles;       ///< with the same three vertices as an earlier one
    bool closed;                        ///< triangles, and no boundary edge
    bool manifold;                      ///< no non-manifold edge (vertices are not examined)
    double box_min[3], box_max[3];      ///< of all points; zero when there are none
} fracas_mesh_info;

/// Check that every number is finite and every index in range. All points are looked at, used or
/// not; memory need not be aligned.
/// @return FRACAS_ERROR_BAD_DATA with a message that names the first offender;
/// FRACAS_ERROR_INVALID_ARGUMENT for a NULL pointer with a count, or a stride smaller than a point.
FRACAS_API fracas_status fracas_mesh_validate(fracas_context* context,
                                              const fracas_mesh_view* mesh);

/// Describe a mesh, in linear time but for sorting the sides around each vertex. On any error
/// `*out` is as it was. @return as fracas_mesh_validate, or FRACAS_ERROR_OUT_OF_MEMORY.
FRACAS_API fracas_status fracas_mesh_describe(fracas_context* context, const fracas_mesh_view* mesh,
                                              fracas_mesh_info* out);

/// What a volume is made of. Faces are unordered triples of distinct vertices of the tetrahedra,
/// each once; tetrahedra with a repeated index have none.
typedef struct fracas_tet_info {
    uint32_t vertices, tets;
    uint32_t unused_vertices;        ///< that no tetrahedron has
    uint32_t components;             ///< of tetrahedra joined by common vertices
    uint64_t faces;                  ///< of the tetrahedra
    uint64_t boundary_triangles;     ///< faces of exactly one tetrahedron
    uint64_t nonmanifold_triangles;  ///< faces of more than two
    uint32_t inverted;  ///< of exactly negative volume: det(b - a, c - a, d - a) < 0 for corners
                        ///< a, b, c, d
    uint32_t flat;      ///< of exactly zero volume, by its positions
    uint32_t repeated_index_tets;   ///< a triangle or less by its indices
    uint32_t duplicate_tets;        ///< with the same four distinct vertices as an earlier one
    double box_min[3], box_max[3];  ///< of all points; zero when there are none
} fracas_tet_info;

/// As fracas_mesh_validate.
FRACAS_API fracas_status fracas_tet_validate(fracas_context* context, const fracas_tet_view* view);

/// Describe a volume, in linear time. On any error `*out` is as it was.
/// @return as fracas_mesh_validate, or FRACAS_ERROR_OUT_OF_MEMORY.
FRACAS_API fracas_status fracas_tet_describe(fracas_context* context, const fracas_tet_view* view,
                                             fracas_tet_info* out);

/// The surface of a volume: the faces of exactly one tetrahedron, as defined above, in the order of
/// the tetrahedra, in linear time. A triangle of a tetrahedron of positive volume turns left seen
/// from outside. `triangles` (three indices each) and `tets` (which tetrahedron it is a face of)
/// have room for 4 * tet_count triangles each, or are NULL; `*count` is how many there are. The
/// indices depend on those of the view only, not on its positions. On any error nothing is written.
/// @return as fracas_mesh_validate, or FRACAS_ERROR_OUT_OF_MEMORY.
FRACAS_API fracas_status fracas_tet_find_boundary(fracas_context* context,
                                                  const fracas_tet_view* view, uint32_t* triangles,
                                                  uint32_t* tets, uint64_t* count);
