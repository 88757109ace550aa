/// @file renumber.c  Slots for the vertices and tetrahedra of a new body, along a space-filling
/// curve.
///
/// Vertices are sorted along the curve (mesh/morton_order.h), tetrahedra by their first vertex in
/// that order. Neighbours in the mesh stay neighbours while it deforms, so later passes read memory
/// almost in order, for bodies of any size and any numbering by the caller.
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

bool frc_tets_renumber(fracas_context* context, const fracas_tet_view* view, uint32_t* vertex_slots,
                       uint32_t* tet_slots, uint32_t* vertex_count) {
    const size_t points = view->points.count;
    bool ok = true;
    uint64_t* keys = frc_allocate_array(context, points, sizeof *keys, &ok);
    uint64_t* spare = frc_allocate_array(context, points, sizeof *spare, &ok);
    uint32_t* starts = frc_allocate_array(context, points + 2, sizeof *starts, &ok);
    if (ok) {
        // Used vertices, along the curve.
        for (size_t i = 0; i < points; i++) vertex_slots[i] = FRACAS_NONE;
        for (size_t i = 0; i < (size_t)view->tet_count * 4; i++) vertex_slots[view->tets[i]] = 0;
        size_t count;
        const uint64_t* sorted = frc_morton_order(&view->points, vertex_slots, keys, spare, &count);
        for (uint32_t i = 0; i < count; i++) vertex_slots[(uint32_t)sorted[i]] = i;
        *vertex_count = (uint32_t)count;
        // Tetrahedra: counting sort by their lowest vertex slot.
        memset(starts, 0, (count + 2) * sizeof *starts);
        for (uint32_t t = 0; t < view->tet_count; t++)
            starts[lowest_slot(view, vertex_slots, t) + 1]++;
        for (size_t v = 0; v < count; v++) starts[v + 1] += starts[v];
        for (uint32_t t = 0; t < view->tet_count; t++)
            tet_slots[t] = starts[lowest_slot(view, vertex_slots, t)]++;
    }
    frc_release(context, keys, frc_array_size(points, sizeof *keys));
    frc_release(context, spare, frc_array_size(points, sizeof *spare));
    frc_release(context, starts, frc_array_size(points + 2, sizeof *starts));
    return ok;
}
