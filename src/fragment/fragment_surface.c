/// @file fragment_surface.c  The closed surface of a fragment: parts of the solid's surface, and
/// the triangles of cracks on its side.
///
/// A face of the solid's surface whose corners are all of the fragment is one triangle. A face with
/// a cut edge is a fan around its face point: from there every edge of the face is visible.
#include "fragment/fragment_surface.h"
#include "fragment/field.h"
#include "fragment/fragments.h"
#include "geom/vec3.h"
#include <string.h>

typedef struct tet_visit {
    const frc_object* object;
    uint32_t fragment;
    frc_surface_fn* visit;
    void* data;
} tet_visit;

static void emit(const tet_visit* v, uint32_t a, uint32_t b, uint32_t c, uint32_t source) {
    const frc_surface_triangle triangle = {
        {a, b, c},
        source
    };
    v->visit(v->data, &triangle);
}

// A face of the solid's surface: the part that belongs to the fragment.
static void visit_face(const tet_visit* v, uint32_t face) {
    const frc_object* object = v->object;
    const fracas_solid* solid = object->solid;
    const uint32_t triangle = solid->face_triangles[face];
    const uint32_t* corner = solid->surface.faces[triangle].corner;
    bool own[3];
    for (int i = 0; i < 3; i++) own[i] = object->nodes[corner[i]].fragment == v->fragment;
    if (own[0] && own[1] && own[2]) {
        emit(v, corner[0], corner[1], corner[2], triangle);
        return;
    }
    if (!own[0] && !own[1] && !own[2]) return;
    const uint32_t first = solid->point_count;
    const uint32_t centre = object->face_points[face] + first;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        if (own[i] && own[j]) {
            emit(v, centre, corner[i], corner[j], triangle);
            continue;
        }
        if (!own[i] && !own[j]) continue;
        const uint32_t edge = frc_tet_topology_find_edge(&solid->topology, corner[i], corner[j]);
        const uint32_t cut = object->edge_points[edge] + first;
        if (own[i])
            emit(v, centre, corner[i], cut, triangle);
        else
            emit(v, centre, cut, corner[j], triangle);
    }
}

// A triangle of a crack is counter-clockwise seen from the second corner of its edge.
static void visit_crack(void* data, uint32_t triangle, int corner) {
    const tet_visit* v = data;
    const uint32_t first = v->object->solid->point_count;
    const bool reverse = frc_tet_edge_corners[triangle % 12 / 2][1] == corner;
    uint32_t p[3];
    frc_crack_triangle(v->object, triangle, p);
    emit(v, p[0] + first, p[1 + reverse] + first, p[2 - reverse] + first,
         triangle | FRC_CRACK_TRIANGLE);
}

void frc_fragment_visit_tet(const frc_object* object, uint32_t fragment, uint32_t tet,
                            frc_surface_fn* visit, void* data) {
    const fracas_solid* solid = object->solid;
    tet_visit v = {object, fragment, visit, data};
    for (int f = 0; f < 4; f++)
        if (solid->face_triangles[solid->topology.tet_faces[tet][f]] != FRACAS_NONE)
            visit_face(&v, solid->topology.tet_faces[tet][f]);
    if (frc_tet_is_cut(object, tet)) frc_crack_for_each(object, tet, fragment, visit_crack, &v);
}

typedef struct list_data {
    fracas_context* context;
    frc_surface_triangles* out;
    bool failed;
} list_data;

static void push(void* data, const frc_surface_triangle* triangle) {
    list_data* d = data;
    if (!FRC_ARRAY_PUSH(d->context, d->out, *triangle)) d->failed = true;
}

bool frc_fragment_list_triangles(fracas_context* context, const frc_object* object,
                                 uint32_t fragment, const uint32_t* nodes, uint32_t node_count,
                                 frc_surface_triangles* out) {
    const frc_tet_topology* topology = &object->solid->topology;
    list_data d = {context, out, false};
    for (uint32_t i = 0; i < node_count && !d.failed; i++)
        for (uint32_t k = topology->tet_begins[nodes[i]]; k < topology->tet_begins[nodes[i] + 1];
             k++)
            if (frc_first_node(object, topology->tets[k], fragment) == nodes[i])
                frc_fragment_visit_tet(object, fragment, topology->tets[k], push, &d);
    if (d.failed) FRC_ARRAY_RELEASE(context, out);
    return !d.failed;
}

// ---- exact distances

bool frc_field_measure(fracas_context* context, frc_object* object, uint32_t fragment,
                       const uint32_t* nodes, uint32_t count) {
    frc_surface_triangles triangles = {0};
    if (!frc_fragment_list_triangles(context, object, fragment, nodes, count, &triangles))
        return false;
    bool ok = true;
    const uint32_t triangle_count = (uint32_t)triangles.count;
    double(*points)[3] =
        frc_allocate_array(context, 3 * (size_t)triangle_count, sizeof *points, &ok);
    frc_surface surface = {0};
    surface.faces = frc_allocate_array(context, triangle_count, sizeof *surface.faces, &ok);
    if (ok) {
        surface.count = surface.capacity = triangle_count;
        for (uint32_t t = 0; t < triangle_count; t++)
            for (uint32_t i = 0; i < 3; i++) {
                const uint32_t number = triangles.data[t].corner[i];
                surface.faces[t].corner[i] = 3 * t + i;
                memcpy(points[3 * t + i], frc_object_point(object, number), sizeof *points);
            }
        const frc_surface_points view = {(const char*)points, sizeof *points};
        ok = frc_surface_build(context, &surface, view);
        if (ok) frc_surface_refit(context, &surface, view);
        for (uint32_t i = 0; ok && i < count; i++) {
            frc_field_node* node = &object->nodes[nodes[i]];
            const frc_nearest n =
                frc_surface_nearest(&surface, view, object->solid->points[nodes[i]], FRACAS_NONE);
            node->nearest = triangles.data[n.face].source;
            node->distance = n.distance;
            if (n.distance > 0) memcpy(node->direction, n.direction, sizeof node->direction);
        }
    }
    frc_surface_release(context, &surface);
    frc_release(context, points, frc_array_size(3 * (size_t)triangle_count, sizeof *points));
    FRC_ARRAY_RELEASE(context, &triangles);
    return ok;
}

// ---- public

struct fracas_fragment_surface {
    fracas_context* context;
    double (*points)[3];
    uint32_t (*triangles)[3];
    bool* cracks;
    uint32_t point_count, point_capacity, triangle_count;
};

void fracas_fragment_surface_destroy(fracas_fragment_surface* s) {
    if (!s) return;
    frc_release(s->context, s->points, frc_array_size(s->point_capacity, sizeof *s->points));
    frc_release(s->context, s->triangles, frc_array_size(s->triangle_count, sizeof *s->triangles));
    frc_release(s->context, s->cracks, frc_array_size(s->triangle_count, sizeof *s->cracks));
    frc_release(s->context, s, sizeof *s);
}

// Copy the triangles, with points numbered in the order of their first use.
static bool fill(fracas_fragment_surface* s, const frc_object* object,
                 const frc_surface_triangles* list) {
    fracas_context* context = s->context;
    const size_t all = object->solid->point_count + object->points.count;
    bool ok = true;
    s->triangle_count = (uint32_t)list->count;
    s->point_capacity = (uint32_t)(3 * list->count < all ? 3 * list->count : all);
    s->points = frc_allocate_array(context, s->point_capacity, sizeof *s->points, &ok);
    s->triangles = frc_allocate_array(context, s->triangle_count, sizeof *s->triangles, &ok);
    s->cracks = frc_allocate_array(context, s->triangle_count, sizeof *s->cracks, &ok);
    uint32_t* numbers = frc_allocate_array(context, all, sizeof *numbers, &ok);
    if (!ok) return false;
    memset(numbers, 0xff, all * sizeof *numbers);
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        s->cracks[t] = (list->data[t].source & FRC_CRACK_TRIANGLE) != 0;
        for (int i = 0; i < 3; i++) {
            const uint32_t point = list->data[t].corner[i];
            if (numbers[point] == FRACAS_NONE) {
                memcpy(s->points[s->point_count], frc_object_point(object, point),
                       sizeof *s->points);
                numbers[point] = s->point_count++;
            }
            s->triangles[t][i] = numbers[point];
        }
    }
    frc_release(context, numbers, frc_array_size(all, sizeof *numbers));
    return true;
}

fracas_status fracas_fragment_surface_create(const fracas_fragments* fragments,
                                             fracas_fragment fragment,
                                             fracas_fragment_surface** out) {
    if (out) *out = NULL;
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = fragments->context;
    if (!out) return frc_fail_null(context, "fracas_fragment_surface_create", "out");
    const frc_fragment* f = frc_fragments_get(fragments, fragment);
    if (!f) return FRACAS_ERROR_STALE_HANDLE;
    frc_surface_triangles list = {0};
    fracas_fragment_surface* s = frc_allocate_zero(context, sizeof *s);
    bool ok = s && frc_fragment_list_triangles(context, f->object, fragment.index, f->nodes,
                                               f->node_count, &list);
    if (s) s->context = context;
    ok = ok && fill(s, f->object, &list);
    FRC_ARRAY_RELEASE(context, &list);
    if (!ok) {
        fracas_fragment_surface_destroy(s);
        return frc_fail_memory(context, sizeof *s);
    }
    *out = s;
    return FRACAS_OK;
}

fracas_mesh_view fracas_fragment_surface_get_view(const fracas_fragment_surface* s) {
    if (!s) return (fracas_mesh_view){0};
    return (fracas_mesh_view){
        .points = {.data = s->points, .count = s->point_count},
        .triangles = s->triangles[0],
        .triangle_count = s->triangle_count
    };
}

const bool* fracas_fragment_surface_get_cracks(const fracas_fragment_surface* s) {
    return s ? s->cracks : NULL;
}
