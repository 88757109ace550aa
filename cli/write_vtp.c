/// @file write_vtp.c  VTK XML: the contacts of all steps in one .vtp; or a .pvd, a series of files
/// with the meshes and contacts of each step.
#include "options.h"
#include "vtk_xml.h"
#include "writer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void nothing(cli_writer* writer) { (void)writer; }

static void write_contacts(cli_writer* writer) {
    cli_vtk_write_contacts(writer->file, writer->kept, writer->kept_count);
}

const cli_writer_format cli_write_vtp = {
    .extension = ".vtp", .begin = nothing, .write = cli_writer_keep, .end = write_contacts};

// ---- series

typedef void write_fn(FILE* file, const cli_frame_mesh* mesh, const cli_contact* contacts,
                      size_t count);

static void only_contacts(FILE* file, const cli_frame_mesh* mesh, const cli_contact* contacts,
                          size_t count) {
    (void)mesh;
    cli_vtk_write_contacts(file, contacts, count);
}

static void begin_series(cli_writer* writer) {
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          writer->file);
}

// The folder has the name of the file, without its ending.
static int make_folder(cli_writer* writer) {
    const size_t length = strlen(writer->path) - strlen(writer->format->extension);
    writer->folder = cli_allocate(length + 1, 1);
    memcpy(writer->folder, writer->path, length);
    struct stat there;
    if (mkdir(writer->folder, 0777) == 0) return CLI_DONE;
    if (errno == EEXIST && stat(writer->folder, &there) == 0 && S_ISDIR(there.st_mode))
        return CLI_DONE;
    errno = errno == EEXIST ? ENOTDIR : errno;
    return cli_fail(CLI_BAD_INPUT, "%s: cannot be made: %s", writer->folder, strerror(errno));
}

// An attribute of XML.
static void write_text(FILE* file, const char* text) {
    for (; *text; text++) switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*text, file);
        }
}

static int write_part(cli_writer* writer, const cli_step* step, int part, const char* name,
                      const char* extension, write_fn* write, const cli_frame_mesh* mesh,
                      const cli_contact* contacts, size_t count) {
    const size_t capacity = strlen(writer->folder) + strlen(name) + 32;
    char* path = cli_allocate(capacity, 1);
    snprintf(path, capacity, "%s/%s-%06u%s", writer->folder, name, writer->step_count, extension);
    const char* slash = strrchr(writer->folder, '/');
    const char* relative = slash ? path + (slash - writer->folder) + 1 : path;
    int code = cli_writer_write_file(path, write, mesh, contacts, count);
    fprintf(writer->file, "<DataSet timestep=\"%u\" part=\"%d\" name=\"%s\" file=\"", step->frame,
            part, name);
    write_text(writer->file, relative);
    fputs("\"/>\n", writer->file);
    free(path);
    return code;
}

static int write_step(cli_writer* writer, const cli_step* step, const cli_frame_mesh* mesh,
                      const cli_contact* contacts, size_t count) {
    int code = writer->folder ? CLI_DONE : make_folder(writer);
    const bool volumes = mesh->tet_count > 0;
    if (code == CLI_DONE)
        code = volumes ? write_part(writer, step, 0, "volumes", ".vtu", cli_vtk_write_volumes, mesh,
                                    contacts, count)
                       : write_part(writer, step, 0, "surfaces", ".vtp", cli_vtk_write_surfaces,
                                    mesh, contacts, count);
    if (code != CLI_DONE) return code;
    return write_part(writer, step, 1, "contacts", ".vtp", only_contacts, mesh, contacts, count);
}

static void end_series(cli_writer* writer) { fputs("</Collection>\n</VTKFile>\n", writer->file); }

const cli_writer_format cli_write_pvd = {.extension = ".pvd",
                                         .needs_mesh = true,
                                         .begin = begin_series,
                                         .step = write_step,
                                         .end = end_series};
