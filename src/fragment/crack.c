/// @file crack.c  Points of cracks, cells of tetrahedra, and triangles of cracks.
#include "fragment/crack.h"
#include "geom/tet.h"
#include "geom/vec3.h"
#include <string.h>

frc_object* frc_object_create(const fracas_solid* solid, uint32_t fragment) {
    fracas_context* context = solid->context;
    frc_object* object = frc_allocate_zero(context, sizeof *object);
    if (!object) return NULL;
    bool ok = true;
    object->nodes = frc_allocate_array(context, solid->point_count, sizeof *object->nodes, &ok);
    if (!ok) {
        frc_release(context, object, sizeof *object);
        return NULL;
    }
    object->solid = solid;
    object->fragment_count = 1;
    for (uint32_t p = 0; p < solid->point_count; p++) {
        object->nodes[p] = solid->nodes[p];
        object->nodes[p].fragment =
            solid->nodes[p].fragment == FRACAS_NONE ? FRACAS_NONE : fragment;
    }
    return object;
}

void frc_object_destroy(frc_object* object) {
    if (!object) return;
    const fracas_solid* solid = object->solid;
    fracas_context* context = solid->context;
    const frc_tet_topology* topology = &solid->topology;
    frc_release(context, object->nodes, frc_array_size(solid->point_count, sizeof *object->nodes));
    frc_release(context, object->edge_points, frc_array_size(topology->edge_count, 4));
    frc_release(context, object->face_points, frc_array_size(topology->face_count, 4));
    frc_release(context, object->tet_points, frc_array_size(solid->tet_count, 4));
    frc_release(context, object->tet_corners, solid->tet_count);
    frc_release(context, object->cell_spaces,
                frc_array_size(solid->tet_count, sizeof *object->cell_spaces));
    FRC_ARRAY_RELEASE(context, &object->points);
    FRC_ARRAY_RELEASE(context, &object->surface_points);
    FRC_ARRAY_RELEASE(context, &object->surface_point_nodes);
    frc_release(context, object, sizeof *object);
}

bool frc_object_make_cuttable(frc_object* object) {
    if (object->edge_points) return true;
    const fracas_solid* solid = object->solid;
    fracas_context* context = solid->context;
    const size_t edges = solid->topology.edge_count, faces = solid->topology.face_count,
                 tets = solid->tet_count;
    bool ok = true;
    uint32_t* edge_points = frc_allocate_array(context, edges, 4, &ok);
    uint32_t* face_points = frc_allocate_array(context, faces, 4, &ok);
    uint32_t* tet_points = frc_allocate_array(context, tets, 4, &ok);
    uint8_t* tet_corners = frc_allocate_array(context, tets, 1, &ok);
    // The largest is last: the others are released if it fails.
    object->cell_spaces = frc_allocate_array(context, tets, sizeof *object->cell_spaces, &ok);
    if (!ok) {
        frc_release(context, edge_points, frc_array_size(edges, 4));
        frc_release(context, face_points, frc_array_size(faces, 4));
        frc_release(context, tet_points, frc_array_size(tets, 4));
        frc_release(context, tet_corners, tets);
        return false;
    }
    memset(tet_corners, 0, tets);
    object->tet_corners = tet_corners;
    memset(edge_points, 0xff, edges * 4);
    memset(face_points, 0xff, faces * 4);
    memset(tet_points, 0xff, tets * 4);
    object->edge_points = edge_points;
    object->face_points = face_points;
    object->tet_points = tet_points;
    return true;
}

// ---- points

// Append the mean of the cuts among `count` edges of a tetrahedron; FRACAS_NONE: there are none.
static uint32_t add_mean(frc_object* object, uint32_t tet, const uint8_t* edges, int count) {
    double sum[3] = {0, 0, 0};
    int cuts = 0;
    for (int i = 0; i < count; i++) {
        const uint32_t e = object->edge_points[object->solid->topology.tet_edges[tet][edges[i]]];
        if (e == FRACAS_NONE) continue;
        for (int k = 0; k < 3; k++) sum[k] += object->points.data[e].at[k];
        cuts++;
    }
    if (cuts == 0) return FRACAS_NONE;
    frc_crack_point* point = &object->points.data[object->points.count];
    for (int k = 0; k < 3; k++) point->at[k] = sum[k] / cuts;
    return (uint32_t)object->points.count++;
}

void frc_crack_fix_points(frc_object* object, uint32_t tet) {
    static const uint8_t all[6] = {0, 1, 2, 3, 4, 5};
    for (int k = 0; k < 4; k++) {
        uint32_t* point = &object->face_points[object->solid->topology.tet_faces[tet][k]];
        const uint8_t* corner = frc_tet_face_corners[k];
        const uint8_t edges[3] = {frc_tet_edge_between[corner[0]][corner[1]],
                                  frc_tet_edge_between[corner[1]][corner[2]],
                                  frc_tet_edge_between[corner[2]][corner[0]]};
        if (*point == FRACAS_NONE) *point = add_mean(object, tet, edges, 3);
    }
    if (object->tet_points[tet] == FRACAS_NONE)
        object->tet_points[tet] = add_mean(object, tet, all, 6);
}

// ---- cells

static void mean_of(const double* const* points, int count, double out[3]) {
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int i = 0; i < count; i++) sum += points[i][k];
        out[k] = sum / count;
    }
}

// The crack point of a number, else the mean of corners.
static void point_or_mean(const frc_object* object, uint32_t number, const double* const* corners,
                          int count, double out[3]) {
    if (number == FRACAS_NONE)
        mean_of(corners, count, out);
    else
        memcpy(out, object->points.data[number].at, 3 * sizeof(double));
}

void frc_crack_get_cells(const frc_object* object, uint32_t tet, frc_tet_cells* out) {
    const frc_tet_topology* topology = &object->solid->topology;
    const double** corners = out->corners;
    frc_solid_corners(object->solid, tet, corners);
    for (int k = 0; k < 6; k++) {
        const uint8_t* c = frc_tet_edge_corners[k];
        // In ascending order, so that the neighbours compute the same mean.
        const uint32_t* ends = topology->edges[topology->tet_edges[tet][k]];
        const bool swapped = object->solid->tets[tet][c[0]] != ends[0];
        const double* const pair[2] = {corners[c[swapped]], corners[c[!swapped]]};
        point_or_mean(object, object->edge_points[topology->tet_edges[tet][k]], pair, 2,
                      out->edges[k]);
    }
    for (int k = 0; k < 4; k++) {
        const uint8_t* c = frc_tet_face_corners[k];
        const double* const triple[3] = {corners[c[0]], corners[c[1]], corners[c[2]]};
        point_or_mean(object, object->face_points[topology->tet_faces[tet][k]], triple, 3,
                      out->faces[k]);
    }
    memcpy(out->inside, object->points.data[object->tet_points[tet]].at, sizeof out->inside);
}

bool frc_crack_cell_has(const frc_tet_cells* cells, int i, const double p[3]) {
    for (int n = 0; n < 6; n++) {
        const double* part[4];
        bool exact;
        frc_crack_cell_part(cells, i, n, part);
        if (frc_tet_has_point(p, part, &exact)) return true;
    }
    return false;
}

// ---- triangles

// Faces at edge k with corners i and j. For an even order i, j, m, n of the corners the triangle
// (e, f, c) at the face i, j, m, which is opposite n, is counter-clockwise seen from j, and so is
// (e, c, f) at the face i, j, n. Entries: n, m.
static const uint8_t EDGE_FACES[6][2] = {
    {3, 2},
    {1, 3},
    {2, 1},
    {3, 0},
    {0, 2},
    {1, 0}
};

void frc_crack_triangle(const frc_object* object, uint32_t triangle, uint32_t points[3]) {
    const uint32_t tet = triangle / 12, k = triangle % 12 / 2, side = triangle % 2;
    const frc_tet_topology* topology = &object->solid->topology;
    const uint32_t face = topology->tet_faces[tet][EDGE_FACES[k][side]];
    points[0] = object->edge_points[topology->tet_edges[tet][k]];
    points[1 + side] = object->face_points[face];
    points[2 - side] = object->tet_points[tet];
}

// ---- half-spaces

// The points of cells by number: corners 0 to 3, edges 4 to 9, faces 10 to 13, and the inside
// point.
enum { EDGES = 4, FACES = 10, INSIDE = 14, CELL_POINTS = 15 };

// Of the cell of a corner: the corner, its edges and faces, and the inside point.
static const uint16_t CELL_MASKS[4] = {
    1 << 0 | 0x07 << EDGES | 0xe << FACES | 1 << INSIDE,
    1 << 1 | 0x19 << EDGES | 0xd << FACES | 1 << INSIDE,
    1 << 2 | 0x2a << EDGES | 0xb << FACES | 1 << INSIDE,
    1 << 3 | 0x34 << EDGES | 0x7 << FACES | 1 << INSIDE,
};

static void map_points(const frc_object* object, uint32_t tet, double out[CELL_POINTS][3]) {
    const frc_tet_planes* planes = &object->solid->planes;
    frc_tet_cells cells;
    frc_crack_get_cells(object, tet, &cells);
    for (int i = 0; i < 4; i++) frc_tet_planes_map(planes, cells.corners[i], out[i]);
    for (int i = 0; i < 6; i++) frc_tet_planes_map(planes, cells.edges[i], out[EDGES + i]);
    for (int i = 0; i < 4; i++) frc_tet_planes_map(planes, cells.faces[i], out[FACES + i]);
    frc_tet_planes_map(planes, cells.inside, out[INSIDE]);
}

void frc_crack_bound_cells(frc_object* object, uint32_t tet) {
    double at[CELL_POINTS][3], normal[4][3] = {0};
    map_points(object, tet, at);
    for (int edge = 0; edge < 6; edge++) {
        if (object->edge_points[object->solid->topology.tet_edges[tet][edge]] == FRACAS_NONE)
            continue;
        // The sum of the crack's two triangles at the edge, from the first corner to the second.
        const uint8_t *end = frc_tet_edge_corners[edge], *face = EDGE_FACES[edge];
        double inward[3], across[3], way[3], area[3];
        frc_vec3_subtract(at[INSIDE], at[EDGES + edge], inward);
        frc_vec3_subtract(at[FACES + face[0]], at[FACES + face[1]], across);
        frc_vec3_subtract(at[end[1]], at[end[0]], way);
        frc_vec3_cross(inward, across, area);
        if (frc_vec3_dot(area, way) < 0) frc_vec3_scale(area, -1, area);
        for (int k = 0; k < 3; k++) {
            normal[end[0]][k] += area[k];
            normal[end[1]][k] -= area[k];
        }
    }
    for (int i = 0; i < 4; i++)
        frc_half_space_fit(&object->cell_spaces[tet], i, normal[i], (const double(*)[3])at,
                           CELL_MASKS[i]);
}
