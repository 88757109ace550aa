/// @file track.h  One body through a sequence of files: the file counts its elements anew in every
/// frame, the scene keeps the numbers it gave.
#pragma once
#include "contacts.h"
#include "fracas/io.h"

typedef struct cli_track {
    fracas_body body;
    uint32_t vertex_numbers, triangle_numbers;  ///< how many the scene has given so far
    // After the first cut; NULL: the numbers are the same.
    uint32_t *vertex_of_file, *triangle_of_file;  ///< file's -> scene's
    uint32_t *file_of_vertex, *file_of_triangle;  ///< scene's -> file's; FRACAS_NONE: gone
    double* points;                               ///< one for every vertex number
} cli_track;

fracas_status cli_track_add(cli_track* track, fracas_scene* scene, const fracas_mesh_file* file);
fracas_status cli_track_move(cli_track* track, fracas_scene* scene, const fracas_mesh_file* file);
void cli_track_free(cli_track* track);

/// How to tell the user about contacts of this body; `file` is the frame that it now is.
cli_body cli_track_body(const cli_track* track, const fracas_mesh_file* file);

/// Turn the difference of two files into a cut in place (see cut.c). `edits` is raised by the
/// number of elements that the cut lists. `path_before` and `path` are for messages.
/// @return an exit code; it has been explained.
int cli_track_cut(cli_track* track, fracas_scene* scene, fracas_context* context,
                  const fracas_mesh_file* before, const fracas_mesh_file* now,
                  const char* path_before, const char* path, uint64_t* edits);
