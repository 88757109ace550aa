/// @file locate.c  Find the tetrahedron of a point; the nearest of the triangles known there.
///
/// Depth, by default: the least distance from the nearest triangles of the tetrahedron's nodes,
/// from the cracks through the tetrahedron, and from the surface of the solid, for which the
/// triangle of the cell of the dense grid is a first guess. Each of these is outside the fragment
/// or on its surface, so the depth is never below the exact one; it may be above it near cracks.
/// In published modes the dense grid has the last word.
/// Based on: glondu2014.
#include "fragment/locate.h"
#include "fragment/field.h"
#include "fragment/fragment_surface.h"
#include "geom/vec3.h"
#include <math.h>
#include <string.h>

int frc_count_corners(const frc_object* object, uint32_t tet, uint32_t fragment) {
    int count = 0;
    for (int i = 0; i < 4; i++)
        count += object->nodes[object->solid->tets[tet][i]].fragment == fragment;
    return count;
}

// Corners of the fragment whose cells may contain a point; bit i for corner i.
static unsigned may_have(const frc_object* object, uint32_t tet, uint32_t fragment,
                         const frc_plane_point* point) {
    unsigned corners = 0;
    for (int i = 0; i < 4; i++)
        corners |= (unsigned)(object->nodes[object->solid->tets[tet][i]].fragment == fragment) << i;
    if (corners == 0 || corners == 15) return corners;
    return corners & ~frc_half_spaces_without(&object->cell_spaces[tet], point);
}

static bool has_part(const frc_object* object, uint32_t tet, unsigned corners, const double p[3]) {
    if (corners == 15) return true;
    frc_tet_cells cells;
    frc_crack_get_cells(object, tet, &cells);
    for (int i = 0; i < 4; i++)
        if (corners >> i & 1u && frc_crack_cell_has(&cells, i, p)) return true;
    return false;
}

// A tetrahedron in which the fragment cannot contain the point is tested only if another one has
// it: then none before it may contain the point too.
uint32_t frc_fragment_find_tet(const frc_object* object, uint32_t fragment, const double p[3]) {
    const fracas_solid* solid = object->solid;
    frc_tet_search search = frc_tet_search_begin(solid, p);
    bool skipped = false;
    for (uint32_t tet; (tet = frc_tet_search_next(&search)) != FRACAS_NONE;) {
        const unsigned corners = may_have(object, tet, fragment, &search.point);
        if (corners == 0)
            skipped = true;
        else if (frc_solid_tet_has(solid, tet, p)) {
            if (!has_part(object, tet, corners, p)) return FRACAS_NONE;
            return skipped && frc_solid_find_tet(solid, p) != tet ? FRACAS_NONE : tet;
        }
    }
    return FRACAS_NONE;
}

// ---- depth

typedef struct search {
    const frc_object* object;
    const double* p;
    fracas_depth* best;
} search;

static void try_triangle(const search* s, uint32_t triangle) {
    double direction[3];
    const double distance = frc_field_distance(s->object, triangle, s->p, direction);
    if (!(distance < s->best->depth)) return;
    s->best->depth = distance;
    memcpy(s->best->direction, direction, sizeof direction);
}

static void try_crack(void* data, uint32_t triangle, int corner) {
    (void)corner;
    try_triangle(data, triangle | FRC_CRACK_TRIANGLE);
}

// Equations 1 and 2 over the nodes of a tetrahedron. A point at a node has its field.
static void average(const frc_object* object, uint32_t tet, const double p[3], fracas_depth* out) {
    double sum = 0, distance = 0, direction[3] = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const uint32_t n = object->solid->tets[tet][i];
        const frc_field_node* node = &object->nodes[n];
        double way[3];
        frc_vec3_subtract(object->solid->points[n], p, way);
        const double square = frc_vec3_dot(way, way);
        if (square == 0) {
            out->depth = fmax(0, node->distance);
            memcpy(out->direction, node->direction, sizeof out->direction);
            return;
        }
        sum += 1 / square;
        distance += (node->distance + frc_vec3_dot(node->direction, way)) / square;
        for (int k = 0; k < 3; k++) direction[k] += node->direction[k] / square;
    }
    out->depth = fmax(0, distance / sum);
    const double length = sqrt(frc_vec3_dot(direction, direction));
    if (length > 0) frc_vec3_scale(direction, 1 / length, out->direction);
}

// The exact distance from the surface of the solid, if it is less.
static void try_all_faces(const search* s) {
    const fracas_solid* solid = s->object->solid;
    const frc_nearest known = {.face = 0, .distance = s->best->depth};
    const frc_nearest found =
        frc_surface_nearer(&solid->surface, frc_solid_surface_points(solid), s->p, &known);
    if (!(found.distance < s->best->depth)) return;
    s->best->depth = found.distance;
    // At distance zero the direction is the normal.
    if (found.distance > 0)
        memcpy(s->best->direction, found.direction, sizeof found.direction);
    else
        frc_field_distance(s->object, found.face, s->p, s->best->direction);
}

void frc_fragment_depth(const frc_object* object, uint32_t fragment, fracas_field_update mode,
                        uint32_t tet, const double p[3], fracas_depth* out) {
    const bool published =
        mode == FRACAS_FIELD_UPDATE_VISIT_ONCE || mode == FRACAS_FIELD_UPDATE_LITERAL;
    const bool whole = frc_count_corners(object, tet, fragment) == 4;
    *out = (fracas_depth){.inside = true, .depth = INFINITY};
    search s = {object, p, out};
    if (published && whole) {
        average(object, tet, p, out);
    } else {
        uint32_t tried[4];
        for (int i = 0; i < 4; i++) {
            const frc_field_node* node = &object->nodes[object->solid->tets[tet][i]];
            tried[i] = FRACAS_NONE;
            if (published || node->fragment != fragment) continue;
            bool again = false;
            for (int j = 0; j < i; j++) again |= tried[j] == node->nearest;
            if (!again) try_triangle(&s, node->nearest);
            tried[i] = node->nearest;
        }
        if (!whole) frc_crack_for_each(object, tet, fragment, try_crack, &s);
    }
    const frc_distance_cell* cell = frc_distance_grid_at(&object->solid->distance_grid, p);
    if (cell) try_triangle(&s, cell->triangle);
    if (!published) try_all_faces(&s);
}

// ---- points outside

typedef struct near_search {
    const frc_object* object;
    uint32_t fragment;
    const double* p;
    fracas_depth* best;
} near_search;

static void try_surface(void* data, const frc_surface_triangle* triangle) {
    const near_search* s = data;
    const double* const corner[3] = {frc_object_point(s->object, triangle->corner[0]),
                                     frc_object_point(s->object, triangle->corner[1]),
                                     frc_object_point(s->object, triangle->corner[2])};
    double direction[3];
    const double distance = frc_near_triangle(s->p, corner, direction);
    if (!(distance < s->best->depth)) return;
    s->best->depth = distance;
    memcpy(s->best->direction, direction, sizeof direction);
}

static void try_tet(void* data, uint32_t tet) {
    const near_search* s = data;
    if (frc_count_corners(s->object, tet, s->fragment) > 0)
        frc_fragment_visit_tet(s->object, s->fragment, tet, try_surface, data);
}

bool frc_fragment_near(const frc_object* object, uint32_t fragment, const double p[3], double limit,
                       fracas_depth* out) {
    *out = (fracas_depth){.depth = limit};
    near_search s = {object, fragment, p, out};
    double lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = p[k] - limit;
        hi[k] = p[k] + limit;
    }
    frc_tet_grid_visit(&object->solid->grid, lo, hi, try_tet, &s);
    return out->depth < limit;
}
