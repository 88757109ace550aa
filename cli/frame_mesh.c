/// @file frame_mesh.c  Copy the meshes of a step from the scene or from files.
#include "frame_mesh.h"
#include "fracas/tets.h"
#include "options.h"
#include <stdlib.h>
#include <string.h>

// ---- memory

void cli_frame_mesh_clear(cli_frame_mesh* m) {
    m->body_count = m->vertex_count = m->triangle_count = m->tet_count = 0;
}

static void reserve_bodies(cli_frame_mesh* m) {
    if (m->body_count + (size_t)2 <= m->body_capacity) return;
    m->body_capacity = 2 * m->body_capacity + 2;
    m->vertex_begins = cli_grow(m->vertex_begins, m->body_capacity, sizeof(uint32_t));
    m->triangle_begins = cli_grow(m->triangle_begins, m->body_capacity, sizeof(uint32_t));
    m->tet_begins = cli_grow(m->tet_begins, m->body_capacity, sizeof(uint32_t));
}

static void reserve_vertices(cli_frame_mesh* m, size_t count) {
    if (count <= m->vertex_capacity) return;
    m->vertex_capacity = 2 * count;
    m->t0 = cli_grow(m->t0, m->vertex_capacity, sizeof *m->t0);
    m->t1 = cli_grow(m->t1, m->vertex_capacity, sizeof *m->t1);
    m->present = cli_grow(m->present, m->vertex_capacity, 1);
}

static void reserve_elements(cli_frame_mesh* m, size_t triangles, size_t tets) {
    if (triangles > m->triangle_capacity) {
        m->triangle_capacity = 2 * triangles;
        m->corners = cli_grow(m->corners, m->triangle_capacity, sizeof *m->corners);
        m->faces = cli_grow(m->faces, m->triangle_capacity, sizeof *m->faces);
    }
    if (tets > m->tet_capacity) {
        m->tet_capacity = 2 * tets;
        m->tets = cli_grow(m->tets, m->tet_capacity, sizeof *m->tets);
    }
}

// Add a body without positions and with triangles (0, 0, 0).
static void add_body(cli_frame_mesh* m, uint32_t vertices, uint32_t triangles, uint32_t tets) {
    reserve_bodies(m);
    reserve_vertices(m, (size_t)m->vertex_count + vertices);
    reserve_elements(m, (size_t)m->triangle_count + triangles, (size_t)m->tet_count + tets);
    if (vertices) {
        memset(m->t0 + m->vertex_count, 0, vertices * sizeof *m->t0);
        memset(m->t1 + m->vertex_count, 0, vertices * sizeof *m->t1);
        memset(m->present + m->vertex_count, 0, vertices);
    }
    if (triangles) {
        memset(m->corners + m->triangle_count, 0, triangles * sizeof *m->corners);
        memset(m->faces + m->triangle_count, 0, triangles * sizeof *m->faces);
    }
    if (m->body_count == 0) m->vertex_begins[0] = m->triangle_begins[0] = m->tet_begins[0] = 0;
    m->body_count++;
    m->vertex_count = m->vertex_begins[m->body_count] = m->vertex_count + vertices;
    m->triangle_count = m->triangle_begins[m->body_count] = m->triangle_count + triangles;
    m->tet_count = m->tet_begins[m->body_count] = m->tet_count + tets;
}

void cli_frame_mesh_free(cli_frame_mesh* m) {
    free(m->vertex_begins);
    free(m->triangle_begins);
    free(m->tet_begins);
    free(m->t0);
    free(m->t1);
    free(m->present);
    free(m->corners);
    free(m->faces);
    free(m->tets);
    *m = (cli_frame_mesh){0};
}

// ---- surfaces

static uint32_t look_up(const uint32_t* map, uint32_t index) { return map ? map[index] : index; }

// One more than the largest number in the file.
static uint32_t count_of_file(const uint32_t* map, uint32_t numbers) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < numbers; i++) {
        const uint32_t place = look_up(map, i);
        if (place != FRACAS_NONE && place >= count) count = place + 1;
    }
    return count;
}

static void copy_body(cli_frame_mesh* m, const fracas_scene* scene, const cli_body* body,
                      const fracas_body_info* info) {
    const uint32_t b = m->body_count;
    add_body(m, count_of_file(body->vertices, info->vertex_numbers),
             count_of_file(body->triangles, info->triangle_numbers), 0);
    const uint32_t first = m->vertex_begins[b];
    for (uint32_t v = 0; v < info->vertex_numbers; v++) {
        const uint32_t place = look_up(body->vertices, v);
        if (place == FRACAS_NONE) continue;
        const uint32_t to = first + place;
        if (fracas_scene_get_vertex(scene, body->handle, v, m->t0[to], m->t1[to]) == FRACAS_OK)
            m->present[to] = 1;
    }
    for (uint32_t t = 0; t < info->triangle_numbers; t++) {
        const uint32_t place = look_up(body->triangles, t);
        uint32_t corners[3];
        if (place == FRACAS_NONE ||
            fracas_scene_get_triangle(scene, body->handle, t, corners) != FRACAS_OK)
            continue;
        const uint32_t to = m->triangle_begins[b] + place;
        m->faces[to] = look_up(body->faces, place);
        for (int i = 0; i < 3; i++) m->corners[to][i] = first + look_up(body->vertices, corners[i]);
    }
}

void cli_frame_mesh_from_scene(cli_frame_mesh* mesh, const fracas_scene* scene,
                               const cli_body* bodies, uint32_t body_count) {
    cli_frame_mesh_clear(mesh);
    for (uint32_t b = 0; b < body_count; b++) {
        fracas_body_info info = {0};
        if (fracas_scene_get_body(scene, bodies[b].handle, &info) != FRACAS_OK)
            add_body(mesh, 0, 0, 0);
        else
            copy_body(mesh, scene, &bodies[b], &info);
    }
}

void cli_frame_mesh_add_surface(cli_frame_mesh* m, const fracas_mesh_view* surface,
                                const fracas_pose* pose) {
    const uint32_t b = m->body_count, count = surface->triangle_count;
    const double(*points)[3] = surface->points.data;
    add_body(m, (uint32_t)surface->points.count, count, 0);
    const uint32_t first = m->vertex_begins[b], begin = m->triangle_begins[b];
    for (uint32_t v = 0; v < surface->points.count; v++) {
        for (int k = 0; k < 3; k++) {
            const double* r = pose->rotation + 3 * k;
            m->t0[first + v][k] = m->t1[first + v][k] = r[0] * points[v][0] + r[1] * points[v][1] +
                                                        r[2] * points[v][2] + pose->translation[k];
        }
        m->present[first + v] = 1;
    }
    const uint32_t* corners = surface->triangles;
    for (uint32_t t = 0; t < count; t++) {
        m->faces[begin + t] = t;
        for (int i = 0; i < 3; i++) m->corners[begin + t][i] = first + *corners++;
    }
}

// ---- volumes

static void copy_volume(cli_frame_mesh* m, fracas_context* context, const fracas_tet_view* view) {
    uint32_t* triangles = cli_allocate(view->tet_count, 12 * sizeof *triangles);
    uint64_t count = 0;
    if (fracas_tet_find_boundary(context, view, triangles, NULL, &count) != FRACAS_OK) count = 0;
    const uint32_t b = m->body_count;
    add_body(m, view->points.count, (uint32_t)count, view->tet_count);
    const uint32_t first = m->vertex_begins[b];
    const double* points = view->points.data;
    for (size_t v = 0; v < view->points.count; v++) {
        for (size_t i = 0; i < 3; i++)
            m->t0[first + v][i] = m->t1[first + v][i] = points[3 * v + i];
        m->present[first + v] = 1;
    }
    for (size_t i = 0; i < 3 * count; i++)
        m->corners[m->triangle_begins[b] + i / 3][i % 3] = first + triangles[i];
    for (uint32_t t = 0; t < (uint32_t)count; t++) m->faces[m->triangle_begins[b] + t] = t;
    for (size_t i = 0; i < 4 * (size_t)view->tet_count; i++)
        m->tets[m->tet_begins[b] + i / 4][i % 4] = first + view->tets[i];
    free(triangles);
}

void cli_frame_mesh_from_volumes(cli_frame_mesh* mesh, fracas_context* context,
                                 fracas_mesh_file* const* files, uint32_t file_count) {
    cli_frame_mesh_clear(mesh);
    for (uint32_t i = 0; i < file_count; i++) {
        const fracas_tet_view view = fracas_mesh_file_get_tets(files[i]);
        copy_volume(mesh, context, &view);
    }
}
