/// @file track.c  One body in a sequence of files: add, move, translate.
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

fracas_status cli_track_move(cli_track* track, fracas_scene* scene, const fracas_mesh_file* file) {
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    if (!track->vertex_of_file) return fracas_scene_move(scene, track->body, &view.points);
    // Removed vertices are zero; the scene ignores them.
    track->points = cli_grow(track->points, 3 * (size_t)track->vertex_numbers + 1, sizeof(double));
    memset(track->points, 0, 3 * sizeof(double) * track->vertex_numbers);
    const size_t stride = view.points.stride ? view.points.stride : 3 * sizeof(double);
    for (uint32_t i = 0; i < view.points.count; i++)
        memcpy(track->points + 3 * (size_t)track->vertex_of_file[i],
               (const char*)view.points.data + stride * i, 3 * sizeof(double));
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
