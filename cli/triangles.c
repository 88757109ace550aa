/// @file triangles.c  Triangles of several bodies as one mesh.
#include "triangles.h"
#include "options.h"
#include <stdlib.h>
#include <string.h>

uint32_t cli_triangles_add_point(cli_triangles* t, const double point[3]) {
    if (t->point_count == t->point_capacity) {
        t->point_capacity = 2 * t->point_capacity + 256;
        t->points = cli_grow(t->points, t->point_capacity, sizeof *t->points);
    }
    memcpy(t->points[t->point_count], point, sizeof *t->points);
    return t->point_count++;
}

void cli_triangles_add(cli_triangles* t, uint32_t a, uint32_t b, uint32_t c) {
    if (t->count == t->capacity) {
        t->capacity = 2 * t->capacity + 256;
        t->corners = cli_grow(t->corners, t->capacity, sizeof *t->corners);
    }
    uint32_t* corners = t->corners[t->count++];
    corners[0] = a, corners[1] = b, corners[2] = c;
}

void cli_triangles_append(cli_triangles* t, const fracas_mesh_view* mesh, const fracas_pose* pose) {
    const double(*points)[3] = mesh->points.data;
    const uint32_t first = t->point_count, *corners = mesh->triangles;
    for (uint32_t p = 0; p < mesh->points.count; p++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            const double* r = pose->rotation + 3 * k;
            at[k] = r[0] * points[p][0] + r[1] * points[p][1] + r[2] * points[p][2] +
                    pose->translation[k];
        }
        cli_triangles_add_point(t, at);
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++, corners += 3)
        cli_triangles_add(t, first + corners[0], first + corners[1], first + corners[2]);
}

fracas_mesh_view cli_triangles_view(const cli_triangles* t) {
    return (fracas_mesh_view){
        .points = {.data = t->points, .count = t->point_count},
        .triangles = t->count > 0 ? t->corners[0] : NULL,
        .triangle_count = t->count
    };
}

void cli_triangles_free(cli_triangles* t) {
    free(t->points);
    free(t->corners);
    *t = (cli_triangles){0};
}
