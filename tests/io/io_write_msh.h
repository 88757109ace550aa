/// @file io_write_msh.h  A volume as a Gmsh file of any version and encoding.
#pragma once
#include "io_volume.h"

typedef struct io_msh {
    bool old, binary, big;
    unsigned size;  // of size_t: 4 or 8
    const uint64_t* tags;
} io_msh;

static inline void io_msh_number(io_bytes* out, const io_msh* how, uint64_t value, unsigned size) {
    if (how->binary)
        io_put_int(out, value, size, how->big);
    else
        io_put(out, "%llu ", (unsigned long long)value);
}

static inline void io_msh_line(io_bytes* out, const io_msh* how) {
    if (!how->binary) io_put(out, "\n");
}

static inline void io_msh_point(io_bytes* out, const io_msh* how, const double point[3]) {
    for (int axis = 0; axis < 3; axis++) {
        if (how->binary)
            io_put_double(out, point[axis], how->big);
        else
            io_put(out, "%.17g ", point[axis]);
    }
    io_msh_line(out, how);
}

static inline void io_msh_nodes(io_bytes* out, const io_msh* how, const io_volume* volume) {
    io_put(out, "$Nodes\n");
    if (how->old) {
        io_put(out, "%d\n", IO_POINTS);
        for (int i = 0; i < IO_POINTS; i++) {
            io_msh_number(out, how, how->tags[i], 4);
            io_msh_point(out, how, volume->points[i]);
        }
    } else {
        // Two blocks: of four nodes, and of two.
        const uint64_t header[4] = {2, IO_POINTS, 1, 99};
        for (int i = 0; i < 4; i++) io_msh_number(out, how, header[i], how->size);
        for (int block = 0, begin = 0; block < 2; block++) {
            int count = block == 0 ? 4 : IO_POINTS - 4;
            io_msh_number(out, how, 3, 4);
            io_msh_number(out, how, 1, 4);
            io_msh_number(out, how, 0, 4);
            io_msh_number(out, how, (uint64_t)count, how->size);
            io_msh_line(out, how);
            for (int i = begin; i < begin + count; i++) {
                io_msh_number(out, how, how->tags[i], how->size);
                io_msh_line(out, how);
            }
            for (int i = begin; i < begin + count; i++) io_msh_point(out, how, volume->points[i]);
            begin += count;
        }
    }
    io_put(out, "\n$EndNodes\n");
}

// A sequence of elements of one type. Old text files have the type in each line.
static inline void io_msh_run(io_bytes* out, const io_msh* how, uint64_t type, const uint32_t* list,
                              unsigned count, unsigned corners) {
    unsigned size = how->old ? 4 : how->size;
    if (how->old && how->binary) {
        io_msh_number(out, how, type, 4);
        io_msh_number(out, how, count, 4);
        io_msh_number(out, how, 2, 4);
    } else if (!how->old) {
        io_msh_number(out, how, 2, 4);
        io_msh_number(out, how, 1, 4);
        io_msh_number(out, how, type, 4);
        io_msh_number(out, how, count, how->size);
        io_msh_line(out, how);
    }
    for (unsigned e = 0; e < count; e++) {
        io_msh_number(out, how, 7 + e, size);
        if (how->old && !how->binary) io_put(out, "%llu 2 ", (unsigned long long)type);
        if (how->old) io_msh_number(out, how, 31, 4);
        if (how->old) io_msh_number(out, how, 41, 4);
        for (unsigned i = 0; i < corners; i++)
            io_msh_number(out, how, how->tags[list[corners * e + i]], size);
        io_msh_line(out, how);
    }
}

static inline void io_write_msh(io_bytes* out, const io_msh* how, const io_volume* volume) {
    static const uint32_t line[2] = {0, 1};
    io_put(out, "$MeshFormat\n%s %d %u\n", how->old ? "2.2" : "4.1", how->binary, how->size);
    if (how->binary) io_put_int(out, 1, 4, how->big);
    io_put(out, "%s$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"$End of it\"\n$EndPhysicalNames\n",
           how->binary ? "\n" : "");
    io_msh_nodes(out, how, volume);
    io_put(out, "$Elements\n");
    unsigned total = 1 + IO_TRIANGLES + IO_TETS;
    const uint64_t header[4] = {3, total, 1, 99};
    if (how->old) io_put(out, "%u\n", total);
    for (int i = 0; !how->old && i < 4; i++) io_msh_number(out, how, header[i], how->size);
    io_msh_run(out, how, 1, line, 1, 2);
    io_msh_run(out, how, 2, volume->triangles[0], IO_TRIANGLES, 3);
    io_msh_run(out, how, 4, volume->tets[0], IO_TETS, 4);
    io_put(out, "\n$EndElements\n");
}
