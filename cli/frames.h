/// @file frames.h  FRAME arguments: their files, and the relation of consecutive frames.
#pragma once
#include "fracas/io.h"
#include "progress.h"

/// One or more files, each a body. The names live as long as the list, the meshes only from load to
/// unload: a sequence has two loaded frames at most.
typedef struct cli_frame {
    uint32_t file_count;
    const char** paths;
    fracas_mesh_file** files;  ///< entries are NULL while the frame is not loaded
    double ms_read;
    uint64_t vertices, edges, triangles, tets;  ///< of all files; known once loaded
} cli_frame;

/// Split the arguments at every `+`, unless a file has exactly that name.
/// @return CLI_DONE, or the exit code; its message has been printed. The caller frees the list with
/// cli_frames_free.
int cli_frames_parse(int count, char** arguments, cli_frame** out);
void cli_frames_free(cli_frame* frames, int count);

/// Read the files of a frame. Elements that the readers left out are listed on stderr, unless the
/// corresponding file of `before`, the frame before (or NULL), has the same list.
int cli_frame_load(cli_frame* frame, fracas_context* context,
                   const fracas_mesh_file_options* options, const cli_frame* before,
                   cli_progress* progress);
void cli_frame_unload(cli_frame* frame);

typedef enum cli_relation {
    CLI_SAME,    ///< equal polygons: everything only moves
    CLI_CUT,     ///< other polygons, but the file has parents for its vertices
    CLI_RESTART  ///< the correspondence of the frames is unknown
} cli_relation;

/// How `now` follows from `before`; both are loaded.
cli_relation cli_frame_relation(const cli_frame* before, const cli_frame* now);
/// The same for one pair of files.
cli_relation cli_file_relation(const fracas_mesh_file* before, const fracas_mesh_file* now);
