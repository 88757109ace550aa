/// @file features.c  Counting uses of edges and points; features without a place in a block.
#include "scene/scene.h"
#include <string.h>

static frc_block* block_of(fracas_scene* scene, const frc_place* place) {
    return place->block == FRACAS_NONE ? NULL : scene->blocks.data[place->block];
}

static const frc_place nowhere = {FRACAS_NONE, FRACAS_NONE};

void frc_unplace_triangle(fracas_scene* scene, uint32_t id) {
    frc_triangle* t = &scene->topology.triangles.data[id];
    frc_block* block = block_of(scene, &t->place);
    if (block) frc_block_clear_face(scene->context, block, t->place.slot);
    t->place = nowhere;
}

void frc_unplace_edge(fracas_scene* scene, uint32_t id) {
    frc_edge* e = &scene->topology.edges.data[id];
    frc_block* block = block_of(scene, &e->place);
    if (block) frc_block_clear_edge(scene->context, block, e->place.slot);
    e->place = nowhere;
}

void frc_unplace_point(fracas_scene* scene, uint32_t id) {
    frc_vertex_use* use = &scene->topology.uses.data[id];
    frc_block* block = block_of(scene, &use->place);
    if (block) frc_block_clear_vertex(scene->context, block, use->place.slot);
    use->place = nowhere;
}

void frc_add_pending_edge(frc_body* body, uint32_t id) {
    body->pending_edges.data[body->pending_edges.count++] = id;
}

void frc_add_pending_point(frc_body* body, uint32_t id) {
    body->pending_points.data[body->pending_points.count++] = id;
}

// ---- uses of edges and points

static void use_point(fracas_scene* scene, frc_body* body, uint32_t id) {
    frc_vertex_use* use = &scene->topology.uses.data[id];
    if (use->triangles++ > 0) return;
    // A point that only free elements used is in a block of free elements; it moves to a block of
    // triangles.
    frc_list_change(&scene->topology.changed_points, id);
    frc_unplace_point(scene, id);
    frc_add_pending_point(body, id);
}

static void unuse_point(fracas_scene* scene, frc_body* body, uint32_t id) {
    frc_vertex_use* use = &scene->topology.uses.data[id];
    if (--use->triangles > 0) return;
    frc_list_change(&scene->topology.changed_points, id);
    frc_unplace_point(scene, id);
    if (use->free_edges || use->free_point) frc_add_pending_point(body, id);
}

// The ring of a point, if it has one, does not have a triangle that is new to it.
static void drop_ring(fracas_scene* scene, frc_body* body, uint32_t id) {
    frc_vertex_use* use = &scene->topology.uses.data[id];
    if (use->rings) body->lost_rings++;
    use->rings = 0;
}

static uint32_t use_edge(fracas_scene* scene, frc_body* body, uint32_t a, uint32_t b) {
    frc_topology* topology = &scene->topology;
    const uint32_t edge = frc_topology_find_or_add_edge(topology, a, b);
    if (edge != FRACAS_NONE && topology->edges.data[edge].uses++ == 0) {
        frc_list_change(&topology->changed_edges, edge);
        frc_unplace_edge(scene, edge);
        frc_add_pending_edge(body, edge);
    }
    return edge;
}

static void unuse_edge(fracas_scene* scene, frc_body* body, uint32_t edge) {
    frc_topology* topology = &scene->topology;
    if (edge != FRACAS_NONE && --topology->edges.data[edge].uses == 0) {
        frc_list_change(&topology->changed_edges, edge);
        frc_unplace_edge(scene, edge);
        if (!frc_topology_remove_unused_edge(topology, edge)) frc_add_pending_edge(body, edge);
    }
}

// ---- triangles

void frc_use_triangle(fracas_scene* scene, frc_body* body, uint32_t id) {
    frc_triangle* t = &scene->topology.triangles.data[id];
    frc_list_change(&scene->topology.changed_triangles, id);
    for (int i = 0; i < 3; i++) {
        drop_ring(scene, body, t->point[i]);
        use_point(scene, body, t->point[i]);
        t->edge[i] = use_edge(scene, body, t->point[i], t->point[(i + 1) % 3]);
    }
}

void frc_unuse_triangle(fracas_scene* scene, uint32_t id) {
    const frc_triangle* t = &scene->topology.triangles.data[id];
    frc_body* body = &scene->bodies.data[t->body];
    for (int i = 0; i < 3; i++) unuse_edge(scene, body, t->edge[i]);
    for (int i = 0; i < 3; i++) unuse_point(scene, body, t->point[i]);
}

void frc_repoint_triangle(fracas_scene* scene, uint32_t id, const uint32_t point[3]) {
    frc_triangle* t = &scene->topology.triangles.data[id];
    frc_body* body = &scene->bodies.data[t->body];
    bool other[3];
    for (int i = 0; i < 3; i++) other[i] = t->point[i] != point[i];
    for (int i = 0; i < 3; i++)
        if (other[i] || other[(i + 1) % 3]) unuse_edge(scene, body, t->edge[i]);
    for (int i = 0; i < 3; i++)
        if (other[i]) unuse_point(scene, body, t->point[i]);
    frc_list_change(&scene->topology.changed_triangles, id);
    memcpy(t->point, point, sizeof t->point);
    for (int i = 0; i < 3; i++) {
        drop_ring(scene, body, point[i]);
        if (other[i]) use_point(scene, body, point[i]);
        if (other[i] || other[(i + 1) % 3])
            t->edge[i] = use_edge(scene, body, point[i], point[(i + 1) % 3]);
    }
    if (t->place.block != FRACAS_NONE)
        frc_block_set_face(scene->context, scene->blocks.data[t->place.block], t->place.slot,
                           t->point);
}

// ---- many triangles

void frc_use_triangles(fracas_scene* scene, frc_body* body, const uint32_t* ids, size_t count) {
    const frc_triangle* triangles = scene->topology.triangles.data;
    for (size_t i = 0, end; i < count; i = end) {
        end = i + FRC_FEW_TRIANGLES < count ? i + FRC_FEW_TRIANGLES : count;
        for (size_t k = i; k < end; k++)
            frc_topology_expect_edges(&scene->topology, triangles[ids[k]].point);
        for (size_t k = i; k < end; k++)
            frc_topology_expect_found(&scene->topology, triangles[ids[k]].point);
        for (size_t k = i; k < end; k++) frc_use_triangle(scene, body, ids[k]);
    }
}

void frc_repoint_few(fracas_scene* scene, const uint32_t* ids, const uint32_t (*points)[3],
                     size_t count) {
    const frc_topology* topology = &scene->topology;
    for (size_t i = 0; i < count; i++) {
        const frc_triangle* t = &topology->triangles.data[ids[i]];
        frc_topology_expect_edges(topology, points[i]);
        frc_topology_expect_edges(topology, t->point);
        for (int k = 0; k < 3; k++)
            if (t->edge[k] != FRACAS_NONE) __builtin_prefetch(&topology->edges.data[t->edge[k]]);
    }
    for (size_t i = 0; i < count; i++) frc_topology_expect_found(topology, points[i]);
    for (size_t i = 0; i < count; i++) frc_repoint_triangle(scene, ids[i], points[i]);
}
