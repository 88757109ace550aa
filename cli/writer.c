/// @file writer.c  Select the format by the file name; open and close the file with error checks.
#include "writer.h"
#include "options.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const cli_writer_format* cli_writer_format_of(const char* path) {
    static const cli_writer_format* const formats[] = {&cli_write_jsonl, &cli_write_csv,
                                                       &cli_write_vtk,   &cli_write_vtp,
                                                       &cli_write_pvd,   &cli_write_ply};
    if (strcmp(path, "-") == 0) return &cli_write_jsonl;
    const char* dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof formats[0]; i++)
        if (strcasecmp(dot, formats[i]->extension) == 0) return formats[i];
    return NULL;
}

static int fail_open(const char* path) {
    return cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
}

static int fail_close(const char* path) {
    return cli_fail(CLI_BAD_INPUT, "%s: could not be written completely; is the disk full?", path);
}

int cli_writer_open(cli_writer* writer, const char* path) {
    *writer = (cli_writer){0};
    writer->path = path;
    writer->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!writer->file) return fail_open(path);
    writer->format = cli_writer_format_of(path);
    writer->format->begin(writer);
    return CLI_DONE;
}

int cli_writer_write(cli_writer* writer, const cli_step* step, const cli_frame_mesh* mesh,
                     const cli_contact* contacts, size_t count) {
    const cli_writer_format* format = writer->format;
    if (format->write) format->write(writer, contacts, count);
    const int code = format->step ? format->step(writer, step, mesh, contacts, count) : CLI_DONE;
    writer->step_count++;
    return code;
}

void cli_writer_keep(cli_writer* writer, const cli_contact* contacts, size_t count) {
    if (!count) return;
    if (writer->kept_count + count > writer->kept_capacity) {
        writer->kept_capacity = 2 * (writer->kept_count + count);
        writer->kept = cli_grow(writer->kept, writer->kept_capacity, sizeof *writer->kept);
    }
    memcpy(writer->kept + writer->kept_count, contacts, count * sizeof *contacts);
    writer->kept_count += count;
}

int cli_writer_close(cli_writer* writer) {
    if (!writer->file) return CLI_DONE;
    writer->format->end(writer);
    bool failed = ferror(writer->file) != 0;
    failed |= (writer->file == stdout ? fflush(stdout) : fclose(writer->file)) != 0;
    writer->file = NULL;
    free(writer->kept);
    free(writer->folder);
    writer->kept = NULL, writer->folder = NULL;
    return failed ? fail_close(writer->path) : CLI_DONE;
}

int cli_writer_write_file(const char* path,
                          void (*write)(FILE* file, const cli_frame_mesh* mesh,
                                        const cli_contact* contacts, size_t count),
                          const cli_frame_mesh* mesh, const cli_contact* contacts, size_t count) {
    FILE* file = fopen(path, "wb");
    if (!file) return fail_open(path);
    write(file, mesh, contacts, count);
    bool failed = ferror(file) != 0;
    failed |= fclose(file) != 0;
    return failed ? fail_close(path) : CLI_DONE;
}
