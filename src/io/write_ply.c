/// @file write_ply.c  Write binary little-endian PLY with double points and optional parents.
#include "io/mesh_file.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

typedef struct writer {
    FILE* stream;
    size_t used;
    unsigned char buffer[1 << 14];
} writer;

static void flush(writer* out) {
    fwrite(out->buffer, 1, out->used, out->stream);  // the caller checks ferror
    out->used = 0;
}

// Write the low `size` bytes, little-endian.
static void put(writer* out, uint64_t value, unsigned size) {
    if (out->used + size > sizeof out->buffer) flush(out);
    for (unsigned i = 0; i < size; i++)
        out->buffer[out->used++] = (unsigned char)(value >> (8 * i));
}

static void write_mesh(writer* out, const fracas_mesh_view* mesh, const int32_t* vertex_parents,
                       const int32_t* face_parents) {
    // The header.
    fprintf(out->stream,
            "ply\nformat binary_little_endian 1.0\nelement vertex %" PRIu32
            "\nproperty double x\nproperty double y\nproperty double z\n%s",
            mesh->points.count, vertex_parents ? "property int parent\n" : "");
    fprintf(out->stream, "element face %" PRIu32 "\nproperty list uchar uint vertex_indices\n%s",
            mesh->triangle_count, face_parents ? "property int parent\n" : "");
    if (mesh->edge_count > 0)
        fprintf(out->stream,
                "element edge %" PRIu32 "\nproperty uint vertex1\nproperty uint vertex2\n",
                mesh->edge_count);
    fprintf(out->stream, "end_header\n");

    // The body: points, triangles, free edges.
    for (uint32_t v = 0; v < mesh->points.count; v++) {
        double point[3];
        uint64_t bits[3];
        frc_view_point(&mesh->points, v, point);
        memcpy(bits, point, sizeof bits);
        for (int axis = 0; axis < 3; axis++) put(out, bits[axis], 8);
        if (vertex_parents) put(out, (uint32_t)vertex_parents[v], 4);
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        put(out, 3, 1);
        for (size_t i = 0; i < 3; i++) put(out, mesh->triangles[3 * (size_t)t + i], 4);
        if (face_parents) put(out, (uint32_t)face_parents[t], 4);
    }
    for (size_t i = 0; i < 2 * (size_t)mesh->edge_count; i++) put(out, mesh->edges[i], 4);
    flush(out);
}

fracas_status fracas_ply_write(fracas_context* context, const char* path,
                               const fracas_mesh_view* mesh, const int32_t* vertex_parents,
                               const int32_t* face_parents) {
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!path) return frc_fail_null(context, "fracas_ply_write", "path");
    if (!mesh) return frc_fail_null(context, "fracas_ply_write", "mesh");
    fracas_status status = fracas_mesh_validate(context, mesh);
    if (status != FRACAS_OK) return status;
    writer* out = frc_allocate_zero(context, sizeof *out);
    if (!out) return frc_fail_memory(context, sizeof *out);
    errno = 0;
    out->stream = fopen(path, "wb");
    if (!out->stream) {
        status = frc_fail(context, FRACAS_ERROR_FILE, "%s: cannot be opened for writing: %s", path,
                          strerror(errno));
    } else {
        write_mesh(out, mesh, vertex_parents, face_parents);
        bool failed = ferror(out->stream) != 0;
        int reason = errno;
        if (fclose(out->stream) != 0 && !failed) {
            failed = true;
            reason = errno;
        }
        if (failed)
            status = frc_fail(context, FRACAS_ERROR_FILE, "%s: cannot be written: %s", path,
                              strerror(reason));
    }
    frc_release(context, out, sizeof *out);
    return status;
}
