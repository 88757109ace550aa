/// @file writer.h  Write contacts to a file: a line, row or point for each, in the numbers of the
/// user's files.
#pragma once
#include "contacts.h"
#include <stdio.h>

typedef struct cli_writer cli_writer;

/// A format. The contacts of a step are sorted, and steps are written in order.
typedef struct cli_writer_format {
    const char* extension;
    void (*begin)(cli_writer* writer);
    void (*write)(cli_writer* writer, const cli_contact* contacts, size_t count);
    void (*end)(cli_writer* writer);
} cli_writer_format;

struct cli_writer {
    const cli_writer_format* format;
    const char* path;  ///< "-": stdout
    FILE* file;
    cli_contact* kept;  ///< for formats that need the count before the first contact
    size_t kept_count, kept_capacity;
};

extern const cli_writer_format cli_write_jsonl, cli_write_csv, cli_write_vtk;

const cli_writer_format*
cli_writer_format_of(const char* path);  ///< by the extension, "-" is JSON lines; NULL: unknown

/// @return an exit code; the message of a failure has been printed
int cli_writer_open(cli_writer* writer, const char* path);
void cli_writer_write(cli_writer* writer, const cli_contact* contacts, size_t count);
int cli_writer_close(cli_writer* writer);
