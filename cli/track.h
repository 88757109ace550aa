/// @file track.h  One body in a sequence of files. Every file numbers its elements from 0 on, while
/// the scene keeps the numbers of elements; a track translates.
#pragma once
#include "contacts.h"
#include "fracas/io.h"

typedef struct cli_track {
    fracas_body body;
    uint32_t vertex_numbers, triangle_numbers;  ///< how many the scene has assigned so far
    // Maps, after the first cut; NULL: the numbers are equal.
    uint32_t *vertex_of_file, *triangle_of_file;  ///< file's -> scene's
    uint32_t *file_of_vertex, *file_of_triangle;  ///< scene's -> file's; FRACAS_NONE: removed
    double* points;  ///< scratch memory of cli_track_move, by vertex number
} cli_track;

fracas_status cli_track_add(cli_track* track, fracas_scene* scene, const fracas_mesh_file* file);
fracas_status cli_track_move(cli_track* track, fracas_scene* scene, const fracas_mesh_file* file);
void cli_track_free(cli_track* track);

/// The maps for contacts of this body; `file` is its current file.
cli_body cli_track_body(const cli_track* track, const fracas_mesh_file* file);

/// Convert the difference of two files to a split of the body (see cut.c). `edits` is incremented
/// by the number of elements in the split. `path_before` and `path` are for messages.
/// @return an exit code; the message of a failure has been printed.
int cli_track_cut(cli_track* track, fracas_scene* scene, fracas_context* context,
                  const fracas_mesh_file* before, const fracas_mesh_file* now,
                  const char* path_before, const char* path, uint64_t* edits);
