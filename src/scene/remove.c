/// @file remove.c  A body leaves the scene.
#include "scene/scene.h"

// The blocks go as a whole: no slot needs to be emptied, so places are forgotten first.
static void forget_places(fracas_scene* scene, const frc_body* body) {
    frc_topology* topology = &scene->topology;
    const frc_place nowhere = {FRACAS_NONE, FRACAS_NONE};
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        for (uint32_t s = 0; s < block->face_slots; s++)
            if (block->faces[s].id != FRACAS_NONE)
                topology->triangles.data[block->faces[s].id].place = nowhere;
        for (uint32_t s = 0; s < block->edge_slots; s++) {
            const uint32_t* p = block->edges[s].point;
            if (p[0] != FRACAS_NONE)
                topology->edges.data[frc_topology_find_edge(topology, p[0], p[1])].place = nowhere;
        }
        for (uint32_t s = 0; s < block->vertex_slots; s++)
            if (block->vertices[s] != FRACAS_NONE)
                topology->uses.data[block->vertices[s]].place = nowhere;
    }
}

static void drop_free_elements(fracas_scene* scene, const frc_body* body) {
    frc_topology* topology = &scene->topology;
    for (size_t i = 0; i < body->free_edges.count; i++) {
        topology->edges.data[body->free_edges.data[i]].free = 0;
        if (topology->edges.data[body->free_edges.data[i]].uses == 0)
            frc_topology_drop_edge(topology, body->free_edges.data[i]);
    }
}

static void drop_triangle(frc_topology* topology, uint32_t id) {
    for (int k = 0; k < 3; k++) {
        uint32_t edge = topology->triangles.data[id].edge[k];
        if (edge == FRACAS_NONE) continue;
        topology->edges.data[edge].uses--;
        frc_topology_drop_edge(topology, edge);
    }
    frc_topology_remove_triangle(topology, id);
}

fracas_status fracas_scene_remove(fracas_scene* scene, fracas_body handle) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    forget_places(scene, body);
    drop_free_elements(scene, body);
    for (size_t i = 0; i < body->triangles.count; i++)
        if (body->triangles.data[i] != FRACAS_NONE)
            drop_triangle(&scene->topology, body->triangles.data[i]);
    for (size_t i = 0; i < body->points.count; i++)
        if (body->points.data[i] != FRACAS_NONE) {
            frc_siblings_leave(scene, body->points.data[i]);
            frc_topology_remove_point(&scene->topology, body->points.data[i]);
        }
    frc_scene_drop_body(scene, handle.index - 1);
    return FRACAS_OK;
}
