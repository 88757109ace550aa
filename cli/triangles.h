/// @file triangles.h  Triangles of several bodies as one mesh, to write it to a file.
#pragma once
#include "fracas/fracas.h"

/// Begin with zeros.
typedef struct cli_triangles {
    double (*points)[3];
    uint32_t (*corners)[3];
    uint32_t point_count, count;
    size_t point_capacity, capacity;
} cli_triangles;

uint32_t cli_triangles_add_point(cli_triangles* t, const double point[3]);  ///< its number
void cli_triangles_add(cli_triangles* t, uint32_t a, uint32_t b, uint32_t c);
/// All triangles and points of a mesh with packed points, at a pose.
void cli_triangles_append(cli_triangles* t, const fracas_mesh_view* mesh, const fracas_pose* pose);
fracas_mesh_view cli_triangles_view(const cli_triangles* t);
void cli_triangles_free(cli_triangles* t);
