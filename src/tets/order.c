/// @file order.c  Where vertices and tetrahedra of a new body go: along a curve that fills space.
///
/// Vertices are sorted by their places on it (mesh/curve.h), tetrahedra by the first of their
/// vertices in that order. A mesh deforms, but neighbours stay neighbours: from
/// then on memory is walked through almost in order, however large the body is and however the
/// caller numbered it.
#include "mesh/curve.h"
#include "tets/tets.h"
#include <string.h>

typedef struct scratch {
    uint64_t *keys, *spare;  // one for each point
    uint32_t* starts;        // one for each used vertex, and two more
    size_t points;
} scratch;

static bool allocate(fracas_context* context, scratch* s, size_t points) {
    bool ok = true;
    s->points = points;
    s->keys = frc_allocate_array(context, points, sizeof *s->keys, &ok);
    s->spare = frc_allocate_array(context, points, sizeof *s->spare, &ok);
    s->starts = frc_allocate_array(context, points + 2, sizeof *s->starts, &ok);
    return ok;
}

static void release(fracas_context* context, scratch* s) {
    frc_release(context, s->keys, frc_array_size(s->points, sizeof *s->keys));
    frc_release(context, s->spare, frc_array_size(s->points, sizeof *s->spare));
    frc_release(context, s->starts, frc_array_size(s->points + 2, sizeof *s->starts));
}

// FRACAS_NONE for points that no tetrahedron has, 0 for the others.
static void mark_used(const fracas_tet_view* view, uint32_t* places) {
    for (uint32_t i = 0; i < view->points.count; i++) places[i] = FRACAS_NONE;
    for (size_t i = 0; i < (size_t)view->tet_count * 4; i++) places[view->tets[i]] = 0;
}

static uint32_t order_vertices(const fracas_tet_view* view, scratch* s, uint32_t* places) {
    size_t count;
    const uint64_t* sorted = frc_curve_order(&view->points, places, s->keys, s->spare, &count);
    for (uint32_t i = 0; i < count; i++) places[(uint32_t)sorted[i]] = i;
    return (uint32_t)count;
}

static uint32_t first_place(const fracas_tet_view* view, const uint32_t* places, uint32_t tet) {
    uint32_t first = FRACAS_NONE;
    for (int i = 0; i < 4; i++) {
        const uint32_t place = places[view->tets[4 * (size_t)tet + (size_t)i]];
        first = place < first ? place : first;
    }
    return first;
}

static void order_tets(const fracas_tet_view* view, scratch* s, uint32_t vertex_count,
                       const uint32_t* vertex_places, uint32_t* places) {
    memset(s->starts, 0, ((size_t)vertex_count + 2) * sizeof *s->starts);
    for (uint32_t t = 0; t < view->tet_count; t++)
        s->starts[first_place(view, vertex_places, t) + 1]++;
    for (uint32_t v = 0; v < vertex_count; v++) s->starts[v + 1] += s->starts[v];
    for (uint32_t t = 0; t < view->tet_count; t++)
        places[t] = s->starts[first_place(view, vertex_places, t)]++;
}

bool frc_tets_order(fracas_context* context, const fracas_tet_view* view, uint32_t* vertex_places,
                    uint32_t* tet_places, uint32_t* vertex_count) {
    scratch s = {0};
    const bool ok = allocate(context, &s, view->points.count);
    if (ok) {
        mark_used(view, vertex_places);
        *vertex_count = order_vertices(view, &s, vertex_places);
        order_tets(view, &s, *vertex_count, vertex_places, tet_places);
    }
    release(context, &s);
    return ok;
}
