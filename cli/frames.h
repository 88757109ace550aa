/// @file frames.h  FRAME arguments: their files, and the relation of consecutive frames.
#pragma once
#include "fracas/io.h"
#include "options.h"
#include "progress.h"

/// One or more files, each a body. The names live as long as the list, the meshes only from load to
/// unload: a sequence has two loaded frames at most.
typedef struct cli_frame {
    uint32_t file_count;
    const char** paths;
    fracas_mesh_file** files;  ///< entries are NULL while the frame is not loaded
    bool* lent;                ///< the next frame has the file as well, and destroys it
    double ms_read;
    uint64_t vertices, edges, triangles, tets;  ///< of all files; known once loaded
} cli_frame;

typedef struct cli_frames {
    cli_frame* data;
    int count;
    char** bodies;  ///< names of the bodies, as "cloth_*.ply" if they are files of a sequence
    uint32_t body_count;
} cli_frames;

/// The frames that `arguments` name: each is a file, several joined by `+`, a folder of files, a
/// pattern, or - for standard input. With `bodies`, each is a file, folder or pattern of one body,
/// and there are no arguments.
/// @return CLI_DONE, or the exit code; its message has been printed. The caller frees them.
int cli_frames_parse(int count, char** arguments, const cli_list* bodies, cli_frames* out);
void cli_frames_free(cli_frames* frames);

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
