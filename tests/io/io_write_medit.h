/// @file io_write_medit.h  A volume as Medit's .mesh and .meshb.
#pragma once
#include "io_volume.h"

typedef struct io_medit {
    bool binary, big;
    unsigned version;  // 1 to 4
} io_medit;

static inline void io_medit_int(io_bytes* out, const io_medit* how, uint64_t value) {
    if (how->binary)
        io_put_int(out, value, how->version == 4 ? 8 : 4, how->big);
    else
        io_put(out, "%llu ", (unsigned long long)value);
}

// The place of the next keyword is known after the list: returns where to write it.
static inline size_t io_medit_begin(io_bytes* out, const io_medit* how, const char* name,
                                    unsigned code) {
    if (how->binary) {
        io_put_int(out, code, 4, how->big);
        io_put_int(out, 0, how->version < 3 ? 4 : 8, how->big);
    } else {
        io_put(out, "\n%s\n", name);
    }
    return out->count - (how->version < 3 ? 4 : 8);
}

static inline void io_medit_end(io_bytes* out, const io_medit* how, size_t at) {
    if (!how->binary) return;
    io_bytes position = {0};
    io_put_int(&position, out->count, how->version < 3 ? 4 : 8, how->big);
    memcpy(out->data + at, position.data, position.count);
    free(position.data);
}

static inline void io_medit_cells(io_bytes* out, const io_medit* how, const char* name,
                                  unsigned code, const uint32_t* list, unsigned count,
                                  unsigned corners) {
    size_t at = io_medit_begin(out, how, name, code);
    io_medit_int(out, how, count);
    for (unsigned i = 0; i < count * corners; i++) {
        io_medit_int(out, how, list[i] + 1);
        if (i % corners == corners - 1) io_medit_int(out, how, 77);
    }
    io_medit_end(out, how, at);
}

static inline void io_medit_vertices(io_bytes* out, const io_medit* how, const io_volume* volume) {
    size_t at = io_medit_begin(out, how, "Vertices", 4);
    io_medit_int(out, how, IO_POINTS);
    for (int i = 0; i < 3 * IO_POINTS; i++) {
        double value = volume->points[i / 3][i % 3];
        if (!how->binary)
            io_put(out, "%.17g ", value);
        else if (how->version == 1)
            io_put_float(out, (float)value, how->big);
        else
            io_put_double(out, value, how->big);
        if (i % 3 == 2) io_medit_int(out, how, 5);
    }
    io_medit_end(out, how, at);
}

static inline void io_write_medit(io_bytes* out, const io_medit* how, const io_volume* volume) {
    static const uint32_t edge[2] = {0, 1};
    if (how->binary) {
        io_put_int(out, 1, 4, how->big);
        io_put_int(out, how->version, 4, how->big);
    } else {
        io_put(out, "MeshVersionFormatted %u # of the format", how->version);
    }
    size_t at = io_medit_begin(out, how, "Dimension", 3);
    if (how->binary)
        io_put_int(out, 3, 4, how->big);
    else
        io_put(out, "3");
    io_medit_end(out, how, at);
    io_medit_vertices(out, how, volume);
    at = io_medit_begin(out, how, "Corners", 13);
    io_medit_int(out, how, 1);
    io_medit_int(out, how, 4);
    io_medit_end(out, how, at);
    io_medit_cells(out, how, "Edges", 5, edge, 1, 2);
    io_medit_cells(out, how, "Tetrahedra", 8, volume->tets[0], IO_TETS, 4);
    io_medit_cells(out, how, "Triangles", 6, volume->triangles[0], IO_TRIANGLES, 3);
    if (how->binary) {
        io_put_int(out, 54, 4, how->big);
        io_put_int(out, 0, how->version < 3 ? 4 : 8, how->big);
    } else {
        io_put(out, "\nEnd\n");
    }
}
