/// @file write_ply.c  The meshes with a colour for each face, as binary PLY: red where there are
/// contacts. FILE.ply is the first step, FILE-000001.ply the second, and so on.
#include "options.h"
#include "vtk_xml.h"
#include "writer.h"
#include <stdlib.h>
#include <string.h>

static void put_uint32(FILE* file, uint32_t value) {
    for (int i = 0; i < 4; i++) fputc((int)(value >> 8 * i & 255), file);
}

static void put_double(FILE* file, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) fputc((int)(bits >> 8 * i & 255), file);
}

static void write_header(FILE* file, const cli_frame_mesh* mesh) {
    uint32_t faces = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) faces += cli_frame_mesh_has(mesh, t);
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %u\nproperty double x\n"
            "property double y\nproperty double z\nelement face %u\n"
            "property list uchar uint vertex_indices\nproperty uchar red\nproperty uchar green\n"
            "property uchar blue\nend_header\n",
            mesh->vertex_count, faces);
}

// A triangle is red if it, or one of its vertices, has a contact.
static void write_meshes(FILE* file, const cli_frame_mesh* mesh, const cli_contact* contacts,
                         size_t count) {
    static const unsigned char red[3] =
        {
            217, 52, 44
    },
                               others[6][3] = {{148, 163, 184}, {125, 170, 152}, {170, 150, 190},
                                               {190, 175, 130}, {120, 165, 195}, {175, 165, 160}};
    cli_touches touches = cli_touches_of(mesh, contacts, count);
    write_header(file, mesh);
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        put_double(file, mesh->t1[i / 3][i % 3]);
    for (uint32_t b = 0; b < mesh->body_count; b++)
        for (uint32_t t = mesh->triangle_begins[b]; t < mesh->triangle_begins[b + 1]; t++) {
            const uint32_t* corners = mesh->corners[t];
            if (!cli_frame_mesh_has(mesh, t)) continue;
            bool touched = touches.triangles[t] > 0;
            fputc(3, file);
            for (int k = 0; k < 3; k++) {
                put_uint32(file, corners[k]);
                touched |= touches.vertices[corners[k]] > 0;
            }
            fwrite(touched ? red : others[b % 6], 1, 3, file);
        }
    cli_touches_free(&touches);
}

static int write_step(cli_writer* writer, const cli_step* step, const cli_frame_mesh* mesh,
                      const cli_contact* contacts, size_t count) {
    (void)step;
    if (writer->step_count == 0) {
        write_meshes(writer->file, mesh, contacts, count);
        return CLI_DONE;
    }
    const size_t length = strlen(writer->path) - strlen(writer->format->extension);
    char* path = cli_allocate(length + 32, 1);
    snprintf(path, length + 32, "%.*s-%06u.ply", (int)length, writer->path, writer->step_count);
    const int code = cli_writer_write_file(path, write_meshes, mesh, contacts, count);
    free(path);
    return code;
}

static void nothing(cli_writer* writer) { (void)writer; }

const cli_writer_format cli_write_ply = {
    .extension = ".ply", .needs_mesh = true, .begin = nothing, .step = write_step, .end = nothing};
