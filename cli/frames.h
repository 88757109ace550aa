/// @file frames.h  FRAME arguments: their files, and how one frame follows from another.
#pragma once
#include "fracas/io.h"
#include "progress.h"

/// One or several files, each a body. The names live as long as the list, the meshes only from load
/// to unload: a long sequence holds two frames at a time.
typedef struct cli_frame {
    uint32_t file_count;
    const char** paths;
    fracas_mesh_file** files;  ///< NULL entries while it is not loaded
    double ms_read;
    uint64_t vertices, edges, triangles, tets;  ///< of all files; known once loaded
} cli_frame;

/// Split the arguments at every `+`, unless a file has exactly that name.
/// @return CLI_DONE, or the exit code after explaining it. The list is to be freed with
/// cli_frames_free.
int cli_frames_parse(int count, char** arguments, cli_frame** out);
void cli_frames_free(cli_frame* frames, int count);

/// Elements that the readers left out are told on stderr, unless the file at the same place of
/// `before`, the frame before (or NULL), lacks the same ones.
int cli_frame_load(cli_frame* frame, fracas_context* context,
                   const fracas_mesh_file_options* options, const cli_frame* before,
                   cli_progress* progress);
void cli_frame_unload(cli_frame* frame);

typedef enum cli_relation {
    CLI_SAME,    ///< equal polygons: everything only moves
    CLI_CUT,     ///< other polygons, but the file tells where its vertices came from
    CLI_RESTART  ///< nothing can be said about the time between
} cli_relation;

/// How `now` follows from `before`; both are loaded.
cli_relation cli_frame_relation(const cli_frame* before, const cli_frame* now);
/// The same for one pair of files.
cli_relation cli_file_relation(const fracas_mesh_file* before, const fracas_mesh_file* now);
