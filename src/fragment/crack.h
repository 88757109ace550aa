/// @file crack.h  An object: a solid and the cracks through it. All fragments of the solid share
/// it.
///
/// Tetrahedra with a cut edge are divided into cells, one per corner. The cell of corner i consists
/// of the six tetrahedra (i, e, f, c) for its three edges and the two faces of each: e is a point
/// on the edge, f a point on the face, c a point inside. That is a barycentric subdivision with
/// other points than the centres, so the cells cover the tetrahedron for any points in the interior
/// of edges, faces and the tetrahedron. Neighbours agree on e and f, because those belong to the
/// edge and the face.
///
/// e is where the edge is cut. f and c are fixed when the first edge of the face or tetrahedron is
/// cut: the mean of the cuts. So a plane through a tetrahedron gives a plane crack. Where nothing
/// has been cut, f and e are the centres: they separate corners of one fragment only. The crack
/// between corners i and j consists of the triangles (e, f, c) at their edge. Points never move, so
/// a later fracture of one fragment changes no other.
#pragma once
#include "base/array.h"
#include "fragment/solid.h"

typedef struct frc_crack_point {
    double at[3];
} frc_crack_point;

typedef struct frc_object {
    const fracas_solid* solid;
    uint32_t fragment_count;
    frc_field_node* nodes;  // by point of the solid
    // Numbers in `points`, FRACAS_NONE: not cut. NULL: nothing is cut.
    uint32_t *edge_points, *face_points, *tet_points;
    FRC_ARRAY(frc_crack_point) points;
    // Points of sphere trees on cracks. Each belongs to a node, and so to its fragment: two per cut
    // edge, one for each end; and the inside point of a tetrahedron that three or four fragments
    // share, which is a corner of each. The tree numbers them after the points of the solid.
    FRC_ARRAY(frc_crack_point) surface_points;
    FRC_ARRAY(uint32_t) surface_point_nodes;
    uint8_t* tet_corners;  // bit i: the inside point is a surface point of corner i
    // Of a cut tetrahedron: half-space i contains the cell of corner i.
    frc_half_spaces* cell_spaces;
} frc_object;

/// A whole object, one fragment. NULL: no memory.
frc_object* frc_object_create(const fracas_solid* solid, uint32_t fragment);
void frc_object_destroy(frc_object* object);

/// Prepare for the first crack. False: no memory; the object is unchanged.
bool frc_object_make_cuttable(frc_object* object);

static inline bool frc_tet_is_cut(const frc_object* object, uint32_t tet) {
    return object->tet_points && object->tet_points[tet] != FRACAS_NONE;
}

/// The smallest node of a fragment among the corners of a tetrahedron; FRACAS_NONE: there is none.
/// A loop over the tetrahedra around all nodes of a fragment has each one at its first node.
static inline uint32_t frc_first_node(const frc_object* object, uint32_t tet, uint32_t fragment) {
    uint32_t first = FRACAS_NONE;
    for (int i = 0; i < 4; i++) {
        const uint32_t node = object->solid->tets[tet][i];
        if (object->nodes[node].fragment == fragment && node < first) first = node;
    }
    return first;
}

/// Fix the points of the faces and of the inside of a tetrahedron that has a cut edge, if they are
/// not. The points have capacity for 5 more.
void frc_crack_fix_points(frc_object* object, uint32_t tet);

/// The points that define the cells of a cut tetrahedron.
typedef struct frc_tet_cells {
    const double* corners[4];
    double edges[6][3], faces[4][3], inside[3];
} frc_tet_cells;

void frc_crack_get_cells(const frc_object* object, uint32_t tet, frc_tet_cells* out);

/// The corners of tetrahedron n (0 to 5) of the cell of a corner.
static inline void frc_crack_cell_part(const frc_tet_cells* cells, int corner, int n,
                                       const double* out[4]) {
    // The other end of the edge, and the corner opposite the face: two different ones of the rest.
    const int j = (corner + 1 + n / 2) % 4;
    const int opposite = (corner + 1 + (n / 2 + 1 + n % 2) % 3) % 4;
    out[0] = cells->corners[corner];
    out[1] = cells->edges[frc_tet_edge_between[corner][j]];
    out[2] = cells->faces[opposite];
    out[3] = cells->inside;
}

/// Compute the half-spaces of the cells of a cut tetrahedron. They end at its cracks as far as
/// those are plane.
void frc_crack_bound_cells(frc_object* object, uint32_t tet);

/// Is a point of the tetrahedron in the closed cell of a corner? Exact for the given points.
bool frc_crack_cell_has(const frc_tet_cells* cells, int corner, const double p[3]);

/// The triangles of the crack at edge k of a cut tetrahedron, two per edge, are numbered
/// 12 * tet + 2 * k + side. Its corners, counter-clockwise seen from the edge's second corner: the
/// numbers of points of the crack.
void frc_crack_triangle(const frc_object* object, uint32_t triangle, uint32_t points[3]);
