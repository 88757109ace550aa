/// @file run_state.c  Collects all bodies into one mesh, with the previous place of each element.
#include "run.h"
#include "run_memory.h"
#include <string.h>

static const uint32_t used = FRACAS_NONE - 1;

// Only points of triangles are part of the mesh: they are marked first, then numbered.
static void place_vertices(scenes_run* run, scenes_body* body, uint32_t* next) {
    uint32_t begin = *next;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        if (body->triangles[t] == FRACAS_NONE) continue;
        const uint32_t* c = run->corners + 3 * (size_t)body->triangles[t];
        for (int k = 0; k < 3; k++) run->vertex_places[c[k]] = used;
    }
    for (uint32_t v = 0; v < body->vertex_count; v++) {
        uint32_t p = body->vertices[v];
        bool there = p != FRACAS_NONE && run->vertex_places[p] == used;
        if (body->gaps) body->vertex_places[v] = there ? *next - begin : FRACAS_NONE;
        if (!there) continue;
        memcpy(run->state_points + 3 * (size_t)*next, run->solver.now + 3 * (size_t)p,
               3 * sizeof(double));
        run->state_vertex_parents[*next] = run->vertex_past[p];
        run->vertex_places[p] = (*next)++;
    }
}

static void place_triangles(scenes_run* run, scenes_body* body, uint32_t* next) {
    uint32_t begin = *next;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        uint32_t id = body->triangles[t];
        if (body->gaps) body->triangle_places[t] = id == FRACAS_NONE ? id : *next - begin;
        if (id == FRACAS_NONE) continue;
        for (size_t k = 0; k < 3; k++)
            run->state_corners[3 * (size_t)*next + k] =
                run->vertex_places[run->corners[3 * (size_t)id + k]];
        run->state_triangle_parents[*next] = run->triangle_past[id];
        run->triangle_places[id] = (*next)++;
    }
}

static bool reserve(scenes_run* run) {
    size_t vertices = run->solver.point_count, triangles = run->triangle_count;
    size_t bodies = (size_t)run->body_count + 1;
    uint32_t v1 = run->state_capacity[0], v2 = v1, t1 = run->state_capacity[1], t2 = t1;
    uint32_t b1 = run->state_capacity[2], b2 = b1, b3 = b1, b4 = b1;
    if (!scenes_grow(&run->state_points, &v1, vertices, 3 * sizeof(double)) ||
        !scenes_grow(&run->state_vertex_parents, &v2, vertices, sizeof(int32_t)) ||
        !scenes_grow(&run->state_corners, &t1, triangles, 3 * sizeof(uint32_t)) ||
        !scenes_grow(&run->state_triangle_parents, &t2, triangles, sizeof(int32_t)) ||
        !scenes_grow(&run->vertex_begins, &b1, bodies, sizeof(uint32_t)) ||
        !scenes_grow(&run->triangle_begins, &b2, bodies, sizeof(uint32_t)) ||
        !scenes_grow(&run->handles, &b3, bodies, sizeof(fracas_body)) ||
        !scenes_grow(&run->maps, &b4, bodies, sizeof(scenes_body_map)))
        return false;
    run->state_capacity[0] = v1, run->state_capacity[1] = t1, run->state_capacity[2] = b1;
    for (uint32_t b = 0; b < run->body_count; b++) {
        scenes_body* body = &run->bodies[b];
        uint32_t unused[2] = {0, 0};
        if (!body->gaps) continue;
        if (!scenes_grow(&body->vertex_places, &unused[0], body->vertex_count, sizeof(uint32_t)) ||
            !scenes_grow(&body->triangle_places, &unused[1], body->triangle_count,
                         sizeof(uint32_t)))
            return false;
    }
    return true;
}

fracas_status scenes_run_ready(scenes_run* run) {
    if (!reserve(run)) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->state_vertices = run->state_triangles = 0;
    for (uint32_t v = 0; v < run->solver.point_count; v++) run->vertex_places[v] = FRACAS_NONE;
    for (uint32_t t = 0; t < run->triangle_count; t++) run->triangle_places[t] = FRACAS_NONE;
    for (uint32_t b = 0; b < run->body_count; b++) {
        scenes_body* body = &run->bodies[b];
        run->vertex_begins[b] = run->state_vertices;
        run->triangle_begins[b] = run->state_triangles;
        run->handles[b] = body->handle;

        place_vertices(run, body, &run->state_vertices);
        place_triangles(run, body, &run->state_triangles);
        run->maps[b] = body->gaps ? (scenes_body_map){body->vertex_places, body->triangle_places}
                                  : (scenes_body_map){NULL, NULL};
    }
    run->vertex_begins[run->body_count] = run->state_vertices;
    run->triangle_begins[run->body_count] = run->state_triangles;
    return FRACAS_OK;
}

scenes_state scenes_run_state(const scenes_run* run) {
    return (scenes_state){
        .body_count = run->body_count,
        .bodies = run->handles,
        .maps = run->maps,
        .vertex_begins = run->vertex_begins,
        .triangle_begins = run->triangle_begins,
        .mesh = {.points = {.data = run->state_points, .count = run->state_vertices},
                 .triangles = run->state_corners,
                 .triangle_count = run->state_triangles},
        .vertex_parents = run->frame ? run->state_vertex_parents : NULL,
        .triangle_parents = run->frame ? run->state_triangle_parents : NULL,
        .ms_edits = run->ms_edits,
        .ms_moves = run->ms_moves
    };
}
