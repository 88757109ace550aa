/// @file features.c  Counting uses of edges and points; features without a place in a block.
#include "scene/scene.h"

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

void frc_use_triangle(fracas_scene* scene, frc_body* body, uint32_t id) {
    frc_topology* topology = &scene->topology;
    frc_triangle* t = &topology->triangles.data[id];
    const uint32_t* point = t->point;
    frc_list_change(&topology->changed_triangles, id);
    for (int i = 0; i < 3; i++) {
        frc_vertex_use* use = &topology->uses.data[point[i]];
        // Its ring, if it has one, does not contain this triangle.
        if (use->rings) body->lost_rings++;
        use->rings = 0;
        // A point that only free elements used is in a block of free elements; it moves to a block
        // of triangles.
        if (use->triangles++ == 0) {
            frc_list_change(&topology->changed_points, point[i]);
            frc_unplace_point(scene, point[i]);
            frc_add_pending_point(body, point[i]);
        }
        uint32_t edge = t->edge[i] =
            frc_topology_find_or_add_edge(topology, point[i], point[(i + 1) % 3]);
        if (edge == FRACAS_NONE) continue;
        if (topology->edges.data[edge].uses++ == 0) {
            frc_list_change(&topology->changed_edges, edge);
            frc_unplace_edge(scene, edge);
            frc_add_pending_edge(body, edge);
        }
    }
}

void frc_unuse_triangle(fracas_scene* scene, uint32_t id) {
    frc_topology* topology = &scene->topology;
    frc_triangle* t = &topology->triangles.data[id];
    frc_body* body = &scene->bodies.data[t->body];
    for (int i = 0; i < 3; i++) {
        uint32_t edge = t->edge[i];
        if (edge != FRACAS_NONE && --topology->edges.data[edge].uses == 0) {
            frc_list_change(&topology->changed_edges, edge);
            frc_unplace_edge(scene, edge);
            if (!frc_topology_remove_unused_edge(topology, edge)) frc_add_pending_edge(body, edge);
        }
    }
    for (int i = 0; i < 3; i++) {
        frc_vertex_use* use = &topology->uses.data[t->point[i]];
        if (--use->triangles > 0) continue;
        frc_list_change(&topology->changed_points, t->point[i]);
        frc_unplace_point(scene, t->point[i]);
        if (use->free_edges || use->free_point) frc_add_pending_point(body, t->point[i]);
    }
}
