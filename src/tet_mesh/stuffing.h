/// @file stuffing.h  Isosurface stuffing: lattice, signs, cuts, tetrahedra.
///
/// Based on: labelle2007. The lattice is body-centred cubic: the corners of cubes (even nodes) and
/// their centres (odd nodes). Coordinates of nodes are integers, in halves of the cell size: all
/// three even, or all three odd. Long edges join nodes that differ by 2 along one axis, short ones
/// nodes that differ by 1 along all. A lattice tetrahedron has a long edge of odd nodes, a long
/// edge of even ones, and four short edges.
#pragma once
#include "bvh/surface.h"
#include "fracas/contact.h"
#include "fracas/tet_mesh.h"

enum {
    FRC_EDGES = 7,              // directions 0 to 6 of a node, which owns these edges
    FRC_DIRECTIONS = 14,        // 7 to 13 are their opposites; the neighbours own these edges
    FRC_LONG_EDGES = 3,         // directions 0 to 2
    FRC_MOST_NODES = 1u << 28,  // so that nodes and cuts have one 32-bit numbering
};

/// A cut nearer to a node than this part of the edge attracts the node. Of all values these have
/// the largest smallest angle: 10.78 degrees (test_stencil.c); the largest angle is 164.74.
#define FRC_ALPHA_LONG 0.2851
#define FRC_ALPHA_SHORT 0.3988

typedef struct frc_lattice {
    double origin[3], cell;
    uint32_t cells[3];
    uint32_t first_odd, node_count;  // even nodes come first
    int8_t* sign;                    // 1 inside, -1 outside, 0 warped onto the surface; by node
} frc_lattice;

/// A node with a cut on any of its edges.
typedef struct frc_active {
    uint32_t x[3], node;
    /// The cut of each edge that the node owns, 0 at the node, 1 at the neighbour; NaN: none.
    double t[FRC_EDGES];
    double at[3];  // position, after warping
} frc_active;

typedef struct frc_stuffing {
    fracas_context* context;
    // The given surface: positions, triangles with a tree, box, volume.
    double (*points)[3];
    uint32_t point_count;
    frc_surface surface;
    double lo[3], hi[3], volume;
    // Sharp edges (a, b, b) of the surface, and corners (v, v, v) where they end, meet or bend. An
    // edge is sharp when the cosine of the angle between the normals of its triangles is less.
    double sharp_cosine;
    frc_surface edges, corners;
    frc_lattice lattice;
    uint64_t irregular;  // nodes with a winding number other than 0 and 1
    frc_active* active;  // in the order of nodes
    uint32_t active_count;
    uint32_t* active_of_node;  // FRACAS_NONE: not active
} frc_stuffing;

struct fracas_tet_mesh {
    fracas_context* context;
    double (*nodes)[3];
    uint32_t (*tets)[4];
    uint32_t node_count, tet_count;
    fracas_tet_mesh_info info;
};

/// Progress of one parallel loop, as a part of the whole.
typedef struct frc_steps {
    fracas_context* context;
    double from, to;
    uint32_t total;
    atomic_uint done;
    atomic_bool stopped;
} frc_steps;

static inline void frc_steps_start(frc_steps* steps, fracas_context* context, double from,
                                   double to, uint32_t total) {
    *steps = (frc_steps){.context = context, .from = from, .to = to, .total = total};
}

/// Called before `count` items are processed; false: stop.
bool frc_steps_proceed(frc_steps* steps, uint32_t worker, uint32_t count);
/// After the loop: FRACAS_OK, or the failure of a cancelled call.
fracas_status frc_steps_finish(frc_steps* steps);
fracas_status frc_stuffing_cancelled(fracas_context* context);

// ---- surface.c

/// Copy the surface, check that it is closed and oriented, and find box and volume. `s` is
/// released by the caller, on failure too.
fracas_status frc_stuffing_read(frc_stuffing* s, const fracas_mesh_view* view);

static inline frc_surface_points frc_stuffing_points(const frc_stuffing* s) {
    return (frc_surface_points){(const char*)s->points, sizeof *s->points};
}

// ---- lattice.c

extern const int8_t frc_lattice_directions[FRC_DIRECTIONS][3];

/// Determine cells and origin, and allocate the signs.
fracas_status frc_lattice_create(frc_stuffing* s, const fracas_tet_mesh_options* options);

/// The node at integer coordinates, which are in range.
static inline uint32_t frc_lattice_node(const frc_lattice* l, const uint32_t x[3]) {
    const uint32_t odd = x[0] & 1, more = 1 - odd;
    const uint32_t row = (x[1] >> 1) * (l->cells[0] + more) + (x[0] >> 1);
    return odd * l->first_odd + row * (l->cells[2] + more) + (x[2] >> 1);
}

/// The inverse.
void frc_lattice_coordinates(const frc_lattice* l, uint32_t node, uint32_t x[3]);

static inline void frc_lattice_position(const frc_lattice* l, const uint32_t x[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = l->origin[k] + 0.5 * l->cell * x[k];
}

/// The neighbour in a direction; false: there is none.
static inline bool frc_lattice_neighbour(const frc_lattice* l, const uint32_t x[3],
                                         uint32_t direction, uint32_t out[3]) {
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        out[k] = x[k] + (uint32_t)(int32_t)frc_lattice_directions[direction][k];
        inside &= out[k] <= 2 * l->cells[k];  // below zero it wraps
    }
    return inside;
}

// ---- inside.c

/// Set the signs of all nodes to 1 or -1: is the node inside the surface?
fracas_status frc_stuffing_find_inside(frc_stuffing* s);

// ---- cuts.c

/// List the active nodes, with NaN for all cuts.
fracas_status frc_stuffing_find_active(frc_stuffing* s);
/// Find the cuts of all edges between a node inside and one outside.
fracas_status frc_stuffing_find_cuts(frc_stuffing* s);
/// Move nodes that are too near to a cut onto the surface.
void frc_stuffing_warp(frc_stuffing* s);

// ---- snap.c

/// Move nodes on the surface onto sharp edges and corners nearby, where angles stay good.
fracas_status frc_stuffing_snap(frc_stuffing* s);

// ---- fill.c

/// Fill in nodes and tetrahedra; `mesh` is released by the caller, on failure too.
fracas_status frc_stuffing_fill(const frc_stuffing* s, fracas_tet_mesh* mesh);

// ---- stencil.c

/// A vertex of the result, before numbering: a node, or node_count + FRC_EDGES * active + edge.
typedef uint32_t frc_vertex_ref;

void frc_stuffing_place(const frc_stuffing* s, frc_vertex_ref ref, double out[3]);

/// A lattice tetrahedron of positive volume. Corners 0 and 1 are joined by a long edge, and so are
/// 2 and 3.
typedef struct frc_lattice_tet {
    uint32_t x[4][3];
    uint32_t node[4];
} frc_lattice_tet;

/// The four lattice tetrahedra around the long edge from node `x` along `axis`.
void frc_lattice_tets_around(const frc_lattice* l, const uint32_t x[3], int axis,
                             frc_lattice_tet out[4]);

/// The largest and the smallest cosine of the six dihedral angles.
void frc_dihedral_cosines(const double p[4][3], double* largest, double* smallest);

/// Three times the radius of the inscribed sphere by that of the circumscribed one, up to 1.
double frc_radius_ratio(const double p[4][3]);

/// The part of a lattice tetrahedron that is inside, as 0 to 3 tetrahedra of positive volume.
uint32_t frc_stencil(const frc_stuffing* s, const frc_lattice_tet* tet, frc_vertex_ref out[3][4]);

// ---- measure.c

/// Compute quality and fit.
fracas_status frc_stuffing_measure(const frc_stuffing* s, fracas_tet_mesh* mesh);
