/// @file writer.h  Write contacts to a file: a line, row or point for each, in the numbers of the
/// user's files.
#pragma once
#include "frame_mesh.h"
#include "report.h"
#include <stdio.h>

typedef struct cli_writer cli_writer;

/// A format. The contacts of a step are sorted, and steps are written in order. A format with files
/// of its own for each step writes them in `step`, which returns an exit code.
typedef struct cli_writer_format {
    const char* extension;
    bool needs_mesh;
    void (*begin)(cli_writer* writer);
    void (*write)(cli_writer* writer, const cli_contact* contacts, size_t count);
    int (*step)(cli_writer* writer, const cli_step* step, const cli_frame_mesh* mesh,
                const cli_contact* contacts, size_t count);
    void (*end)(cli_writer* writer);
} cli_writer_format;

struct cli_writer {
    const cli_writer_format* format;
    const char* path;  ///< "-": stdout
    FILE* file;
    cli_contact* kept;  ///< for formats that need the count before the first contact
    size_t kept_count, kept_capacity;
    uint32_t step_count;
    char* folder;  ///< of a file for each step
};

extern const cli_writer_format cli_write_jsonl, cli_write_csv, cli_write_vtk, cli_write_vtp,
    cli_write_pvd, cli_write_ply;

/// The endings of all formats, for messages.
#define CLI_WRITER_ENDINGS ".jsonl, .csv, .vtk, .vtp, .pvd or .ply"

const cli_writer_format*
cli_writer_format_of(const char* path);  ///< by the extension, "-" is JSON lines; NULL: unknown

/// For formats that write at the end: append the contacts to `kept`.
void cli_writer_keep(cli_writer* writer, const cli_contact* contacts, size_t count);

/// @return an exit code; the message of a failure has been printed
int cli_writer_open(cli_writer* writer, const char* path);
int cli_writer_write(cli_writer* writer, const cli_step* step, const cli_frame_mesh* mesh,
                     const cli_contact* contacts, size_t count);
int cli_writer_close(cli_writer* writer);

/// For formats with a file for each step: create `path` and write it. @return an exit code
int cli_writer_write_file(const char* path,
                          void (*write)(FILE* file, const cli_frame_mesh* mesh,
                                        const cli_contact* contacts, size_t count),
                          const cli_frame_mesh* mesh, const cli_contact* contacts, size_t count);
