/// @file solid.h  A preprocessed solid: tetrahedra with numbered edges and faces, its surface with
/// the exact distance of every node, and two grids.
#pragma once
#include "bvh/surface.h"
#include "fracas/fragment.h"
#include "fragment/distance_grid.h"
#include "fragment/sphere_tree.h"
#include "fragment/tet_grid.h"
#include "fragment/tet_planes.h"

/// Corners of edge k and of face k of a tetrahedron. Face k is opposite corner k, and its corners
/// are counter-clockwise seen from outside. The edges at an edge's ends: edge k and edge 5 - k have
/// no corner in common.
extern const uint8_t frc_tet_edge_corners[6][2];
extern const uint8_t frc_tet_face_corners[4][3];
/// The edge between two corners.
extern const uint8_t frc_tet_edge_between[4][4];

/// Edges and faces of tetrahedra, each numbered once.
typedef struct frc_tet_topology {
    uint32_t (*tet_edges)[6];
    uint32_t (*tet_faces)[4];
    uint32_t (*edges)[2];  // corners, ascending; sorted
    uint32_t edge_count, face_count;
    // Points joined to point p by an edge: neighbours[begin[p]] to neighbours[begin[p + 1] - 1],
    // ascending. Tetrahedra around p likewise.
    uint32_t *neighbour_begins, *neighbours, *neighbour_edges;
    uint32_t *tet_begins, *tets;
    // The tetrahedra of a face; the second is FRACAS_NONE on the surface.
    uint32_t (*face_tets)[2];
} frc_tet_topology;

/// The fragment distance field at a point of the solid.
typedef struct frc_field_node {
    double distance;      // from the surface of the fragment
    double direction[3];  // unit vector towards the surface
    // A triangle at that distance, or near it: a number of the solid's surface, or
    // FRC_CRACK_TRIANGLE and a number of frc_crack_triangle (crack.h).
    uint32_t nearest;
    uint32_t fragment;  // FRACAS_NONE: not a node
} frc_field_node;

#define FRC_CRACK_TRIANGLE 0x80000000u

/// Rounded outward.
typedef struct frc_tet_box {
    float bounds[6];  // lower, then upper ones
} frc_tet_box;

struct fracas_solid {
    fracas_context* context;
    uint32_t point_count, tet_count;
    double (*points)[3];
    uint32_t (*tets)[4];
    frc_tet_topology topology;
    frc_surface surface;       // counter-clockwise seen from outside
    uint32_t* face_triangles;  // the triangle of each face; FRACAS_NONE: not of the surface
    frc_field_node* nodes;     // by point; `fragment` is 0 or FRACAS_NONE
    frc_tet_grid grid;
    frc_tet_box* boxes;  // of the tetrahedra
    frc_tet_planes planes;
    frc_distance_grid distance_grid;
    frc_sphere_tree tree;  // of all nodes
    fracas_solid_info info;
};

/// Number edges and faces. False: no memory, nothing allocated. Faces have at most two tetrahedra.
bool frc_tet_topology_make(fracas_context* context, const fracas_tet_view* view,
                           frc_tet_topology* out);
void frc_tet_topology_release(fracas_context* context, frc_tet_topology* topology,
                              uint32_t point_count, uint32_t tet_count);

/// The edge between two points; FRACAS_NONE: there is none.
uint32_t frc_tet_topology_find_edge(const frc_tet_topology* topology, uint32_t a, uint32_t b);

/// A tetrahedron that contains a point, the first of several; FRACAS_NONE: outside. Exact.
uint32_t frc_solid_find_tet(const fracas_solid* solid, const double p[3]);

/// Tetrahedra that may contain a point, ascending.
typedef struct frc_tet_search {
    const fracas_solid* solid;
    const uint32_t* list;
    uint32_t count, next;
    frc_plane_point point;
} frc_tet_search;

static inline frc_tet_search frc_tet_search_begin(const fracas_solid* solid, const double p[3]) {
    frc_tet_search search = {.solid = solid};
    if (frc_tet_planes_point(&solid->planes, p, &search.point))
        search.count = frc_tet_grid_list(&solid->grid, p, &search.list);
    return search;
}

/// FRACAS_NONE: there is no other.
static inline uint32_t frc_tet_search_next(frc_tet_search* search) {
    const frc_half_spaces* spaces = search->solid->planes.data;
    const frc_plane_point point = search->point;
    const uint32_t *list = search->list, count = search->count;
    for (uint32_t i = search->next; i < count; i++) {
        if (frc_half_spaces_without(&spaces[list[i]], &point)) continue;
        search->next = i + 1;
        return list[i];
    }
    search->next = count;
    return FRACAS_NONE;
}

/// Exact.
bool frc_solid_tet_has(const fracas_solid* solid, uint32_t tet, const double p[3]);

static inline void frc_solid_corners(const fracas_solid* solid, uint32_t tet,
                                     const double* out[4]) {
    for (int i = 0; i < 4; i++) out[i] = solid->points[solid->tets[tet][i]];
}

static inline void frc_solid_surface_triangle(const fracas_solid* solid, uint32_t triangle,
                                              const double* out[3]) {
    for (int i = 0; i < 3; i++) out[i] = solid->points[solid->surface.faces[triangle].corner[i]];
}

static inline frc_surface_points frc_solid_surface_points(const fracas_solid* solid) {
    return (frc_surface_points){(const char*)solid->points, sizeof *solid->points};
}
