/// @file remove.c  Remove a body from the scene.
#include "scene/scene.h"

fracas_status fracas_scene_remove(fracas_scene* scene, fracas_body handle) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    frc_topology* topology = &scene->topology;
    const frc_place no_place = {FRACAS_NONE, FRACAS_NONE};
    // The blocks are destroyed as a whole, so no slot needs to be cleared: features lose their
    // places before they are removed.
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        for (uint32_t s = 0; s < block->face_slots; s++)
            if (block->faces[s].id != FRACAS_NONE)
                topology->triangles.data[block->faces[s].id].place = no_place;
        for (uint32_t s = 0; s < block->edge_slots; s++) {
            const uint32_t* p = block->edges[s].point;
            if (p[0] != FRACAS_NONE)
                topology->edges.data[frc_topology_find_edge(topology, p[0], p[1])].place = no_place;
        }
        for (uint32_t s = 0; s < block->vertex_slots; s++)
            if (block->vertices[s] != FRACAS_NONE)
                topology->uses.data[block->vertices[s]].place = no_place;
    }
    // An edge is dropped with its last use.
    for (size_t i = 0; i < body->free_edges.count; i++) {
        frc_edge* edge = &topology->edges.data[body->free_edges.data[i]];
        edge->free = 0;
        if (edge->uses == 0) frc_topology_remove_unused_edge(topology, body->free_edges.data[i]);
    }
    for (size_t i = 0; i < body->triangles.count; i++) {
        const uint32_t id = body->triangles.data[i];
        if (id == FRACAS_NONE) continue;
        for (int k = 0; k < 3; k++) {
            const uint32_t edge = topology->triangles.data[id].edge[k];
            if (edge == FRACAS_NONE) continue;
            topology->edges.data[edge].uses--;
            frc_topology_remove_unused_edge(topology, edge);
        }
        frc_topology_remove_triangle(topology, id);
    }
    for (size_t i = 0; i < body->points.count; i++) {
        if (body->points.data[i] == FRACAS_NONE) continue;
        frc_siblings_leave(scene, body->points.data[i]);
        frc_topology_remove_point(topology, body->points.data[i]);
    }
    frc_scene_drop_body(scene, handle.index - 1);
    return FRACAS_OK;
}
