/// @file frame_mesh.h  The meshes of one step: all bodies, one after the other, in the numbers of
/// the files.
#pragma once
#include "contacts.h"
#include "fracas/io.h"
#include "fracas/pose.h"

typedef struct cli_frame_mesh {
    uint32_t body_count, vertex_count, triangle_count, tet_count;
    uint32_t *vertex_begins, *triangle_begins, *tet_begins;  ///< body_count + 1 each
    double (*t0)[3], (*t1)[3];
    uint8_t* present;        ///< by vertex: has a position
    uint32_t (*corners)[3];  ///< vertices of the whole frame; (0, 0, 0): the triangle is removed
    uint32_t* faces;         ///< by triangle: the face of its file
    uint32_t (*tets)[4];     ///< of volumes, whose triangles are their surface
    size_t body_capacity, vertex_capacity, triangle_capacity, tet_capacity;
} cli_frame_mesh;

static inline bool cli_frame_mesh_has(const cli_frame_mesh* mesh, uint32_t triangle) {
    const uint32_t* c = mesh->corners[triangle];
    return c[0] != c[1] || c[1] != c[2];
}

/// Take the meshes of a step; memory is reused.
void cli_frame_mesh_from_scene(cli_frame_mesh* mesh, const fracas_scene* scene,
                               const cli_body* bodies, uint32_t body_count);
/// The same for volumes.
void cli_frame_mesh_from_volumes(cli_frame_mesh* mesh, fracas_context* context,
                                 fracas_mesh_file* const* files, uint32_t file_count);
/// Build a frame body by body: without motion, with packed points.
void cli_frame_mesh_clear(cli_frame_mesh* mesh);
void cli_frame_mesh_add_surface(cli_frame_mesh* mesh, const fracas_mesh_view* surface,
                                const fracas_pose* pose);
void cli_frame_mesh_free(cli_frame_mesh* mesh);
