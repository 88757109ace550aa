/// @file writer.c  Select the format by the file name; open and close the file with error checks.
#include "writer.h"
#include "options.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const cli_writer_format* cli_writer_format_of(const char* path) {
    static const cli_writer_format* const formats[] = {&cli_write_jsonl, &cli_write_csv,
                                                       &cli_write_vtk};
    if (strcmp(path, "-") == 0) return &cli_write_jsonl;
    const char* dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof formats[0]; i++)
        if (strcasecmp(dot, formats[i]->extension) == 0) return formats[i];
    return NULL;
}

int cli_writer_open(cli_writer* writer, const char* path) {
    *writer = (cli_writer){0};
    writer->path = path;
    writer->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!writer->file)
        return cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
    writer->format = cli_writer_format_of(path);
    writer->format->begin(writer);
    return CLI_DONE;
}

void cli_writer_write(cli_writer* writer, const cli_contact* contacts, size_t count) {
    writer->format->write(writer, contacts, count);
}

int cli_writer_close(cli_writer* writer) {
    if (!writer->file) return CLI_DONE;
    writer->format->end(writer);
    bool failed = ferror(writer->file) != 0;
    failed |= (writer->file == stdout ? fflush(stdout) : fclose(writer->file)) != 0;
    writer->file = NULL;
    free(writer->kept);
    writer->kept = NULL;
    if (!failed) return CLI_DONE;
    return cli_fail(CLI_BAD_INPUT, "%s: could not be written completely; is the disk full?",
                    writer->path);
}
