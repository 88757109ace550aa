/// @file solid.c  Make a solid: check and copy the tetrahedra, find the surface, measure distances.
#include "fragment/solid.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "exact/predicates.h"
#include "fragment/max_distance_order.h"
#include "geom/box.h"
#include "geom/tet.h"
#include "geom/vec3.h"
#include "mesh/tet_faces.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include <inttypes.h>
#include <string.h>

fracas_solid_options fracas_solid_default_options(void) {
    return (fracas_solid_options){.struct_size = sizeof(fracas_solid_options), .grid_cells = 48};
}

// ---- checks

static fracas_status check_options(fracas_context* context, const fracas_solid_options* options) {
    if (options->struct_size != sizeof *options)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_solid_options is not initialised: start from "
                        "fracas_solid_default_options()");
    if (options->grid_cells < 4 || options->grid_cells > 256)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "grid_cells is %" PRIu32 ": it must be from 4 to 256", options->grid_cells);
    return FRACAS_OK;
}

enum { TETS_MAX = 1 << 27 };  // numbers of crack triangles have 31 bits

static fracas_status check_volumes(fracas_context* context, const fracas_tet_view* view) {
    if (view->tet_count == 0)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA, "the solid has no tetrahedra");
    if (view->tet_count > TETS_MAX)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "the solid has %" PRIu32 " tetrahedra; the limit is %d", view->tet_count,
                        TETS_MAX);
    for (uint32_t t = 0; t < view->tet_count; t++) {
        double p[4][3];
        for (int i = 0; i < 4; i++)
            frc_view_point(&view->points, view->tets[4 * (size_t)t + i], p[i]);
        const int sign = frc_orient3d(p[0], p[1], p[2], p[3]);
        if (sign > 0) continue;
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        sign < 0 ? "tetrahedron %" PRIu32
                                   " has a negative volume: exchange two of its corners"
                                 : "tetrahedron %" PRIu32 " has no volume: remove it",
                        t);
    }
    return FRACAS_OK;
}

// Boxes are floats; products of four lengths must neither overflow nor vanish.
#define LARGEST 1e36
#define SMALLEST 1e-36

static fracas_status check_size(fracas_context* context, const fracas_tet_view* view) {
    double largest = 0, longest = 0;
    for (int k = 0; k < 3; k++) {
        double lo = 0, hi = 0;
        for (size_t i = 0; i < 4 * (size_t)view->tet_count; i++) {
            double p[3];
            frc_view_point(&view->points, view->tets[i], p);
            lo = i == 0 || p[k] < lo ? p[k] : lo;
            hi = i == 0 || p[k] > hi ? p[k] : hi;
        }
        largest = fmax(largest, fmax(fabs(lo), fabs(hi)));
        longest = fmax(longest, hi - lo);
    }
    if (largest <= LARGEST && longest >= SMALLEST) return FRACAS_OK;
    return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                    "the solid is %g long and its largest coordinate is %g: scale it to a length "
                    "of at least %g and coordinates of at most %g",
                    longest, largest, SMALLEST, LARGEST);
}

// Is the order of the corners of a face an even permutation of ascending order?
static bool is_even(const uint32_t c[3]) {
    return ((c[0] > c[1]) + (c[0] > c[2]) + (c[1] > c[2])) % 2 == 0;
}

// Seen from outside a positive tetrahedron its faces are counter-clockwise: the two at a face have
// opposite orders if they are on opposite sides.
static bool outward_is_even(const fracas_tet_view* view, size_t face) {
    const uint8_t* corner = frc_tet_face_corners[face % 4];
    uint32_t c[3];
    for (int i = 0; i < 3; i++) c[i] = view->tets[face / 4 * 4 + corner[i]];
    return is_even(c);
}

static fracas_status check_faces(fracas_context* context, const fracas_tet_view* view) {
    frc_tet_faces faces;
    fracas_status status = frc_tet_faces_sort(context, view, &faces);
    if (status != FRACAS_OK) return status;
    for (size_t i = 0, end; status == FRACAS_OK && i < faces.count; i = end) {
        end = frc_tet_faces_group(view, &faces, i);
        const size_t* group = faces.order + i;
        const uint32_t* v = frc_tet_face_of(view, group[0]).vertex;
        const uint32_t a = v[0], b = v[1], c = v[2];
        if (end - i > 2)
            status = frc_fail(context, FRACAS_ERROR_BAD_DATA,
                              "face (%" PRIu32 ", %" PRIu32 ", %" PRIu32
                              ") has %zu tetrahedra: a face has at most two",
                              a, b, c, end - i);
        else if (end - i == 2 && outward_is_even(view, group[0]) == outward_is_even(view, group[1]))
            status = frc_fail(context, FRACAS_ERROR_BAD_DATA,
                              "tetrahedra %zu and %zu are on the same side of face (%" PRIu32
                              ", %" PRIu32 ", %" PRIu32 "): they overlap",
                              group[0] / 4, group[1] / 4, a, b, c);
    }
    frc_tet_faces_release(context, &faces);
    return status;
}

static fracas_status check(fracas_context* context, const fracas_tet_view* view) {
    fracas_status status = frc_tets_check(context, view);
    if (status == FRACAS_OK) status = frc_tets_validate(context, view);
    if (status == FRACAS_OK) status = check_volumes(context, view);
    if (status == FRACAS_OK) status = check_size(context, view);
    return status == FRACAS_OK ? check_faces(context, view) : status;
}

// ---- the surface and distances from it

static void make_surface(fracas_solid* solid, const frc_tet_topology* topology) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < solid->tet_count; t++)
        for (int k = 0; k < 4; k++) {
            const uint32_t face = topology->tet_faces[t][k];
            const bool inner = topology->face_tets[face][1] != FRACAS_NONE;
            solid->face_triangles[face] = inner ? FRACAS_NONE : count;
            for (int i = 0; i < 3 && !inner; i++)
                solid->surface.faces[count].corner[i] = solid->tets[t][frc_tet_face_corners[k][i]];
            count += !inner;
        }
}

static bool find_surface(fracas_solid* solid) {
    const frc_tet_topology* topology = &solid->topology;
    uint32_t count = 0;
    for (uint32_t f = 0; f < topology->face_count; f++)
        count += topology->face_tets[f][1] == FRACAS_NONE;
    bool ok = true;
    frc_surface* surface = &solid->surface;
    surface->faces = frc_allocate_array(solid->context, count, sizeof *surface->faces, &ok);
    if (ok) surface->count = surface->capacity = count;
    solid->face_triangles = frc_allocate_array(solid->context, topology->face_count, 4, &ok);
    if (!ok) return false;
    make_surface(solid, topology);
    const frc_surface_points points = frc_solid_surface_points(solid);
    if (!frc_surface_build(solid->context, surface, points)) return false;
    frc_surface_refit(solid->context, surface, points);
    return true;
}

// The normal of a triangle; its length is twice the area.
static void normal_of(const double* const p[3], double out[3]) {
    double e[3], f[3];
    frc_vec3_subtract(p[1], p[0], e);
    frc_vec3_subtract(p[2], p[0], f);
    frc_vec3_cross(e, f, out);
}

static void measure_nodes(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    fracas_solid* solid = data;
    const frc_surface_points points = frc_solid_surface_points(solid);
    for (uint32_t p = begin; p < end; p++) {
        frc_field_node* node = &solid->nodes[p];
        *node = (frc_field_node){.nearest = FRACAS_NONE, .fragment = FRACAS_NONE};
        if (solid->topology.tet_begins[p] == solid->topology.tet_begins[p + 1]) continue;
        const frc_nearest n =
            frc_surface_nearest(&solid->surface, points, solid->points[p], FRACAS_NONE);
        node->distance = n.distance;
        node->nearest = n.face;
        node->fragment = 0;
        memcpy(node->direction, n.direction, sizeof node->direction);
    }
}

// A node on the surface gets the mean normal of its triangles as direction.
static void set_surface_directions(fracas_solid* solid) {
    for (uint32_t t = 0; t < solid->surface.count; t++) {
        const double* corners[3];
        double normal[3];
        frc_solid_surface_triangle(solid, t, corners);
        normal_of(corners, normal);
        for (int i = 0; i < 3; i++) {
            frc_field_node* node = &solid->nodes[solid->surface.faces[t].corner[i]];
            for (int k = 0; k < 3 && node->distance == 0; k++) node->direction[k] += normal[k];
        }
    }
    for (uint32_t p = 0; p < solid->point_count; p++) {
        frc_field_node* node = &solid->nodes[p];
        const double length = sqrt(frc_vec3_dot(node->direction, node->direction));
        if (node->distance == 0 && length > 0)
            frc_vec3_scale(node->direction, 1 / length, node->direction);
    }
}

bool frc_solid_tet_has(const fracas_solid* solid, uint32_t tet, const double p[3]) {
    const double* corners[4];
    bool exact;
    frc_solid_corners(solid, tet, corners);
    return frc_tet_has_point(p, corners, &exact);
}

uint32_t frc_solid_find_tet(const fracas_solid* solid, const double p[3]) {
    frc_tet_search search = frc_tet_search_begin(solid, p);
    uint32_t tet = frc_tet_search_next(&search);
    while (tet != FRACAS_NONE && !frc_solid_tet_has(solid, tet, p))
        tet = frc_tet_search_next(&search);
    return tet;
}

static bool is_inside(const void* data, const double p[3]) {
    return frc_solid_find_tet(data, p) != FRACAS_NONE;
}

static bool make_boxes(fracas_solid* solid) {
    bool ok = true;
    solid->boxes = frc_allocate_array(solid->context, solid->tet_count, sizeof *solid->boxes, &ok);
    for (uint32_t t = 0; ok && t < solid->tet_count; t++)
        for (int k = 0; k < 3; k++) {
            const double* c[4];
            frc_solid_corners(solid, t, c);
            solid->boxes[t].bounds[k] =
                frc_round_down(fmin(fmin(c[0][k], c[1][k]), fmin(c[2][k], c[3][k])));
            solid->boxes[t].bounds[3 + k] =
                frc_round_up(fmax(fmax(c[0][k], c[1][k]), fmax(c[2][k], c[3][k])));
        }
    return ok;
}

// ---- description

static void measure(fracas_solid* solid) {
    fracas_solid_info* info = &solid->info;
    info->tets = solid->tet_count;
    info->edges = solid->topology.edge_count;
    info->surface_triangles = solid->surface.count;
    double moment[3] = {0, 0, 0};
    for (uint32_t t = 0; t < solid->tet_count; t++) {
        const double* c[4];
        double e[3][3], cross[3];
        frc_solid_corners(solid, t, c);
        for (int i = 0; i < 3; i++) frc_vec3_subtract(c[i + 1], c[0], e[i]);
        frc_vec3_cross(e[0], e[1], cross);
        const double volume = frc_vec3_dot(cross, e[2]) / 6;
        info->volume += volume;
        for (int k = 0; k < 3; k++)
            moment[k] += volume / 4 * (e[0][k] + e[1][k] + e[2][k]) + volume * c[0][k];
    }
    for (int k = 0; k < 3; k++) info->centre[k] = moment[k] / info->volume;
    for (uint32_t p = 0; p < solid->point_count; p++) {
        const double *at = solid->points[p], depth = solid->nodes[p].distance;
        if (solid->nodes[p].fragment == FRACAS_NONE) continue;
        double offset[3];
        frc_vec3_subtract(at, info->centre, offset);
        const double distance = sqrt(frc_vec3_dot(offset, offset));
        info->radius = distance > info->radius ? distance : info->radius;
        info->depth = depth > info->depth ? depth : info->depth;
        info->nodes++;
    }
}

static void measure_box(fracas_solid* solid) {
    fracas_solid_info* info = &solid->info;
    memcpy(info->box_min, solid->points[solid->tets[0][0]], sizeof info->box_min);
    memcpy(info->box_max, info->box_min, sizeof info->box_max);
    for (uint32_t t = 0; t < solid->tet_count; t++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) {
                const double x = solid->points[solid->tets[t][i]][k];
                if (x < info->box_min[k]) info->box_min[k] = x;
                if (x > info->box_max[k]) info->box_max[k] = x;
            }
}

// ---- create and destroy

static bool copy_tets(fracas_solid* solid, const fracas_tet_view* view) {
    fracas_context* context = solid->context;
    bool ok = true;
    solid->point_count = view->points.count;
    solid->tet_count = view->tet_count;
    solid->points = frc_allocate_array(context, solid->point_count, sizeof *solid->points, &ok);
    solid->tets = frc_allocate_array(context, solid->tet_count, sizeof *solid->tets, &ok);
    solid->nodes = frc_allocate_array(context, solid->point_count, sizeof *solid->nodes, &ok);
    if (!ok) return false;
    for (uint32_t p = 0; p < solid->point_count; p++)
        frc_view_point(&view->points, p, solid->points[p]);
    memcpy(solid->tets, view->tets, solid->tet_count * sizeof *solid->tets);
    return true;
}

// Nodes in maximum-distance order, and their tree.
static bool make_tree(fracas_solid* solid) {
    fracas_context* context = solid->context;
    const double(*points)[3] = (const double(*)[3])solid->points;
    const uint32_t count = solid->info.nodes;
    bool ok = true;
    uint32_t* nodes = frc_allocate_array(context, count, sizeof *nodes, &ok);
    uint32_t* order = frc_allocate_array(context, count, sizeof *order, &ok);
    uint32_t n = 0;
    for (uint32_t p = 0; ok && p < solid->point_count; p++)
        if (solid->nodes[p].fragment != FRACAS_NONE) nodes[n++] = p;
    ok = ok && frc_max_distance_order(context, points, nodes, count, order, NULL) &&
         frc_sphere_tree_build(context, points, order, count, &solid->tree);
    frc_release(context, nodes, frc_array_size(count, sizeof *nodes));
    frc_release(context, order, frc_array_size(count, sizeof *order));
    return ok;
}

static bool preprocess(fracas_solid* solid, const fracas_tet_view* view, uint32_t grid_cells) {
    fracas_context* context = solid->context;
    if (!copy_tets(solid, view) || !frc_tet_topology_make(context, view, &solid->topology) ||
        !find_surface(solid) || !make_boxes(solid) ||
        !frc_tet_grid_build(context, (const double(*)[3])solid->points,
                            (const uint32_t(*)[4])solid->tets, solid->tet_count, &solid->grid))
        return false;
    frc_parallel_for(context, solid->point_count, 64, measure_nodes, solid);
    set_surface_directions(solid);
    measure_box(solid);
    measure(solid);
    return frc_tet_planes_make(context, (const double(*)[3])solid->points,
                               (const uint32_t(*)[4])solid->tets, solid->tet_count,
                               solid->info.box_min, solid->info.box_max, &solid->planes) &&
           make_tree(solid) &&
           frc_distance_grid_build(context, &solid->surface, frc_solid_surface_points(solid),
                                   solid->info.box_min, solid->info.box_max, grid_cells, is_inside,
                                   solid, &solid->distance_grid);
}

fracas_status fracas_solid_create(fracas_context* context, const fracas_tet_view* tets,
                                  const fracas_solid_options* given, fracas_solid** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!tets) return frc_fail_null(context, "fracas_solid_create", "tets");
    if (!out) return frc_fail_null(context, "fracas_solid_create", "out");
    const fracas_solid_options options = given ? *given : fracas_solid_default_options();
    fracas_status status = check_options(context, &options);
    if (status == FRACAS_OK) status = check(context, tets);
    if (status != FRACAS_OK) return status;
    const double start = frc_clock_ms();
    fracas_solid* solid = frc_allocate_zero(context, sizeof *solid);
    if (!solid) return frc_fail_memory(context, sizeof *solid);
    solid->context = context;
    if (!preprocess(solid, tets, options.grid_cells)) {
        fracas_solid_destroy(solid);
        if (frc_cancelled(context))
            return frc_fail(context, FRACAS_ERROR_CANCELLED, "fracas_solid_create was cancelled");
        return frc_fail(context, FRACAS_ERROR_OUT_OF_MEMORY,
                        "no memory for a solid of %" PRIu32 " tetrahedra", tets->tet_count);
    }
    solid->info.ms_create = frc_clock_ms() - start;
    *out = solid;
    return FRACAS_OK;
}

void fracas_solid_destroy(fracas_solid* solid) {
    if (!solid) return;
    fracas_context* context = solid->context;
    const size_t points = solid->point_count, tets = solid->tet_count;
    frc_release(context, solid->points, frc_array_size(points, sizeof *solid->points));
    frc_release(context, solid->tets, frc_array_size(tets, sizeof *solid->tets));
    frc_release(context, solid->boxes, frc_array_size(tets, sizeof *solid->boxes));
    frc_release(context, solid->nodes, frc_array_size(points, sizeof *solid->nodes));
    frc_release(context, solid->face_triangles, frc_array_size(solid->topology.face_count, 4));
    frc_surface_release(context, &solid->surface);
    frc_sphere_tree_release(context, &solid->tree);
    frc_tet_topology_release(context, &solid->topology, solid->point_count, solid->tet_count);
    frc_tet_grid_release(context, &solid->grid);
    frc_tet_planes_release(context, &solid->planes);
    frc_distance_grid_release(context, &solid->distance_grid);
    frc_release(context, solid, sizeof *solid);
}

fracas_status fracas_solid_get_info(const fracas_solid* solid, fracas_solid_info* out) {
    if (!solid) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(solid->context, "fracas_solid_get_info", "out");
    *out = solid->info;
    return FRACAS_OK;
}

fracas_tet_view fracas_solid_get_tets(const fracas_solid* solid) {
    if (!solid) return (fracas_tet_view){0};
    return (fracas_tet_view){
        .points = {.data = solid->points, .count = solid->point_count},
        .tets = solid->tets[0],
        .tet_count = solid->tet_count
    };
}
