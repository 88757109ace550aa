/// @file track.c  One body through a sequence of files.
#include "track.h"
#include "options.h"
#include <stdlib.h>
#include <string.h>

fracas_status cli_track_add(cli_track* track, fracas_scene* scene, const fracas_mesh_file* file) {
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    *track =
        (cli_track){.vertex_numbers = view.points.count, .triangle_numbers = view.triangle_count};
    return fracas_scene_add(scene, &view, NULL, &track->body);
}

static const double* point_at(const fracas_points* points, uint32_t index) {
    size_t stride = points->stride ? points->stride : 3 * sizeof(double);
    return (const double*)(const void*)((const char*)points->data + stride * index);
}

fracas_status cli_track_move(cli_track* track, fracas_scene* scene, const fracas_mesh_file* file) {
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    if (!track->vertex_of_file) return fracas_scene_move(scene, track->body, &view.points);
    // Vertices that are gone stay at zero: nobody looks at them.
    track->points = cli_grow(track->points, 3 * (size_t)track->vertex_numbers + 1, sizeof(double));
    memset(track->points, 0, 3 * sizeof(double) * track->vertex_numbers);
    for (uint32_t i = 0; i < view.points.count; i++)
        memcpy(track->points + 3 * (size_t)track->vertex_of_file[i], point_at(&view.points, i),
               3 * sizeof(double));
    fracas_points points = {.data = track->points, .count = track->vertex_numbers};
    return fracas_scene_move(scene, track->body, &points);
}

void cli_track_free(cli_track* track) {
    free(track->vertex_of_file);
    free(track->triangle_of_file);
    free(track->file_of_vertex);
    free(track->file_of_triangle);
    free(track->points);
    *track = (cli_track){0};
}

cli_body cli_track_body(const cli_track* track, const fracas_mesh_file* file) {
    fracas_mesh_faces faces = fracas_mesh_file_get_faces(file);
    return (cli_body){.handle = track->body,
                      .vertices = track->file_of_vertex,
                      .triangles = track->file_of_triangle,
                      .faces = faces.triangle_faces,
                      .face_offsets = faces.face_offsets,
                      .face_tets = fracas_mesh_file_get_face_tets(file)};
}
