/// @file regroup.c  After edits: the elements of one body become consecutive in the pools.
///
/// An edit leaves gaps where elements were removed, and appends new ones at the end. The next
/// update, which visits all elements anyway, moves them into new pools by a counting sort: bodies
/// in the order of their numbers, elements of a body in the order that they had.
#include "tets/tets.h"
#include <string.h>

typedef struct new_pools {
    frc_tet_vertex* vertices;
    uint32_t *uses, *moved;  // moved: the new slot by old slot
    frc_tet_corners* tets;
    uint32_t *indices, *bodies;
} new_pools;

static void place_vertices(fracas_tets* tets, new_pools* p) {
    uint32_t first = 0;
    for (size_t b = 0; b < tets->bodies.count; b++) {
        frc_tet_body* body = &tets->bodies.data[b];
        body->first_vertex = first;
        first += body->vertex_count;
        body->vertex_count = 0;  // counts up to the same number below
    }
    for (size_t v = 0; v < tets->vertices.count; v++) {
        const frc_tet_vertex* vertex = &tets->vertices.data[v];
        if (vertex->body == FRACAS_NONE) continue;
        frc_tet_body* body = &tets->bodies.data[vertex->body];
        const uint32_t slot = body->first_vertex + body->vertex_count++;
        p->vertices[slot] = *vertex;
        p->uses[slot] = tets->uses.data[v];
        p->moved[v] = slot;
        body->vertex_slots.data[vertex->index] = slot;
    }
    tets->vertices.count = tets->uses.count = first;
}

static void place_tets(fracas_tets* tets, new_pools* p) {
    uint32_t first = 0;
    for (size_t b = 0; b < tets->bodies.count; b++) {
        frc_tet_body* body = &tets->bodies.data[b];
        body->first_tet = first;
        first += body->live_tets;
        body->live_tets = 0;
    }
    for (size_t t = 0; t < tets->tets.count; t++) {
        const uint32_t number = tets->tet_bodies.data[t];
        if (number == FRACAS_NONE) continue;
        frc_tet_body* body = &tets->bodies.data[number];
        const uint32_t slot = body->first_tet + body->live_tets++;
        for (int i = 0; i < 4; i++)
            p->tets[slot].corner[i] = p->moved[tets->tets.data[t].corner[i]];
        p->indices[slot] = tets->tet_indices.data[t];
        p->bodies[slot] = number;
        body->tet_slots.data[p->indices[slot]] = slot;
    }
    tets->tets.count = tets->tet_indices.count = tets->tet_bodies.count = first;
}

bool frc_tets_regroup(fracas_tets* tets) {
    fracas_context* context = tets->context;
    const size_t vertices = tets->vertices.count, count = tets->tets.count;
    // As large as the old pools, which they replace.
    const size_t v = tets->vertices.capacity, u = tets->uses.capacity, t = tets->tets.capacity;
    const size_t i = tets->tet_indices.capacity, b = tets->tet_bodies.capacity;
    new_pools p = {0};
    bool ok = true;
    p.vertices = frc_allocate_array(context, v, sizeof *p.vertices, &ok);
    p.uses = frc_allocate_array(context, u, sizeof *p.uses, &ok);
    p.moved = frc_allocate_array(context, vertices, sizeof *p.moved, &ok);
    p.tets = frc_allocate_array(context, t, sizeof *p.tets, &ok);
    p.indices = frc_allocate_array(context, i, sizeof *p.indices, &ok);
    p.bodies = frc_allocate_array(context, b, sizeof *p.bodies, &ok);
    if (ok && vertices > 0) {
        place_vertices(tets, &p);
        void* old = tets->vertices.data;
        tets->vertices.data = p.vertices, p.vertices = old;
        old = tets->uses.data;
        tets->uses.data = p.uses, p.uses = old;
    }
    if (ok && count > 0) {
        place_tets(tets, &p);
        void* old = tets->tets.data;
        tets->tets.data = p.tets, p.tets = old;
        old = tets->tet_indices.data;
        tets->tet_indices.data = p.indices, p.indices = old;
        old = tets->tet_bodies.data;
        tets->tet_bodies.data = p.bodies, p.bodies = old;
    }
    frc_release(context, p.bodies, frc_array_size(b, sizeof *p.bodies));
    frc_release(context, p.indices, frc_array_size(i, sizeof *p.indices));
    frc_release(context, p.tets, frc_array_size(t, sizeof *p.tets));
    frc_release(context, p.moved, frc_array_size(vertices, sizeof *p.moved));
    frc_release(context, p.uses, frc_array_size(u, sizeof *p.uses));
    frc_release(context, p.vertices, frc_array_size(v, sizeof *p.vertices));
    if (ok) tets->has_gaps = false;
    return ok;
}
