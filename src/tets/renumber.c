/// @file renumber.c  Slots for the vertices and tetrahedra of a new body, along a space-filling
/// curve.
///
/// Vertices are sorted along the curve (mesh/morton_order.h), tetrahedra by their first vertex in
/// that order. A mesh deforms but its neighbours stay neighbours, so later passes read memory
/// almost in order, however large the body is and however the caller numbered it.
#include "mesh/morton_order.h"
#include "tets/tets.h"
#include <string.h>

static uint32_t lowest_slot(const fracas_tet_view* view, const uint32_t* slots, uint32_t tet) {
    uint32_t lowest = FRACAS_NONE;
    for (int i = 0; i < 4; i++) {
        const uint32_t slot = slots[view->tets[4 * (size_t)tet + (size_t)i]];
        lowest = slot < lowest ? slot : lowest;
    }
    return lowest;
}

// Counting sort by the lowest vertex; `starts` has room for vertex_count + 2.
static void renumber_tets(const fracas_tet_view* view, const uint32_t* vertex_slots,
                          uint32_t vertex_count, uint32_t* starts, uint32_t* tet_slots) {
    memset(starts, 0, ((size_t)vertex_count + 2) * sizeof *starts);
    for (uint32_t t = 0; t < view->tet_count; t++) starts[lowest_slot(view, vertex_slots, t) + 1]++;
    for (uint32_t v = 0; v < vertex_count; v++) starts[v + 1] += starts[v];
    for (uint32_t t = 0; t < view->tet_count; t++)
        tet_slots[t] = starts[lowest_slot(view, vertex_slots, t)]++;
}

bool frc_tets_renumber(fracas_context* context, const fracas_tet_view* view, uint32_t* vertex_slots,
                       uint32_t* tet_slots, uint32_t* vertex_count) {
    const size_t points = view->points.count;
    bool ok = true;
    uint64_t* keys = frc_allocate_array(context, points, sizeof *keys, &ok);
    uint64_t* spare = frc_allocate_array(context, points, sizeof *spare, &ok);
    uint32_t* starts = frc_allocate_array(context, points + 2, sizeof *starts, &ok);
    if (ok) {
        for (size_t i = 0; i < points; i++) vertex_slots[i] = FRACAS_NONE;
        for (size_t i = 0; i < (size_t)view->tet_count * 4; i++) vertex_slots[view->tets[i]] = 0;
        size_t count;
        const uint64_t* sorted = frc_morton_order(&view->points, vertex_slots, keys, spare, &count);
        for (uint32_t i = 0; i < count; i++) vertex_slots[(uint32_t)sorted[i]] = i;
        *vertex_count = (uint32_t)count;
        renumber_tets(view, vertex_slots, *vertex_count, starts, tet_slots);
    }
    frc_release(context, keys, frc_array_size(points, sizeof *keys));
    frc_release(context, spare, frc_array_size(points, sizeof *spare));
    frc_release(context, starts, frc_array_size(points + 2, sizeof *starts));
    return ok;
}
