/// @file test_tri_tri_mesh.h  A triangle mesh from a big-endian PLY file and its pairs of
/// overlapping boxes, for the triangle–triangle test and benchmark. Reads the format of
/// cloth-ball/frames (float x, y, z; uchar-int lists of three) only.
#pragma once
#include "geom/box.h"
#include "geom/tri_tri.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tri_mesh {
    frc_point* points;
    uint32_t (*faces)[3];
    uint32_t point_count, face_count;
} tri_mesh;

static inline uint32_t read_big_endian(FILE* file) {
    unsigned char b[4] = {0};
    if (fread(b, 1, 4, file) != 4) return UINT32_MAX;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static inline double read_float(FILE* file) {
    const uint32_t bits = read_big_endian(file);
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline bool read_ply_header(FILE* file, tri_mesh* mesh) {
    char line[256];
    bool big_endian = false;
    while (fgets(line, sizeof line, file) && strncmp(line, "end_header", 10) != 0) {
        if (!strncmp(line, "format binary_big_endian", 24)) big_endian = true;
        if (!strncmp(line, "element vertex ", 15))
            mesh->point_count = (uint32_t)strtoul(line + 15, NULL, 10);
        if (!strncmp(line, "element face ", 13))
            mesh->face_count = (uint32_t)strtoul(line + 13, NULL, 10);
    }
    return big_endian && mesh->point_count && mesh->face_count;
}

static inline void tri_mesh_free(tri_mesh* mesh) {
    free(mesh->points);
    free(mesh->faces);
    *mesh = (tri_mesh){0};
}

static inline bool tri_mesh_read(const char* path, tri_mesh* mesh) {
    *mesh = (tri_mesh){0};
    FILE* file = fopen(path, "rb");
    if (!file) return false;
    bool ok = read_ply_header(file, mesh);
    if (ok) {
        mesh->points = calloc(mesh->point_count, sizeof *mesh->points);
        mesh->faces = calloc(mesh->face_count, sizeof *mesh->faces);
        ok = mesh->points && mesh->faces;
    }
    for (uint32_t i = 0; ok && i < mesh->point_count; i++) {
        frc_point* p = &mesh->points[i];
        p->x[0] = p->x[1] = read_float(file);
        p->y[0] = p->y[1] = read_float(file);
        p->z[0] = p->z[1] = read_float(file);
    }
    for (uint32_t i = 0; ok && i < mesh->face_count; i++) {
        ok = fgetc(file) == 3;
        for (int k = 0; k < 3; k++) {
            mesh->faces[i][k] = read_big_endian(file);
            ok = ok && mesh->faces[i][k] < mesh->point_count;
        }
    }
    fclose(file);
    if (!ok) tri_mesh_free(mesh);
    return ok;
}

/* ---- all pairs of overlapping boxes, by sweeping along x */

typedef struct tri_box {
    float lo[3], hi[3];
    uint32_t face;
} tri_box;

static inline tri_box make_tri_box(const tri_mesh* mesh, uint32_t face) {
    tri_box box = {.face = face};
    for (int k = 0; k < 3; k++) {
        double lo = 0, hi = 0;
        for (int i = 0; i < 3; i++) {
            const frc_point* p = &mesh->points[mesh->faces[face][i]];
            const double v = k == 0 ? p->x[1] : k == 1 ? p->y[1] : p->z[1];
            if (i == 0 || v < lo) lo = v;
            if (i == 0 || v > hi) hi = v;
        }
        box.lo[k] = frc_round_down(lo), box.hi[k] = frc_round_up(hi);
    }
    return box;
}

static inline int compare_tri_box(const void* a, const void* b) {
    const tri_box *p = a, *q = b;
    if (p->lo[0] != q->lo[0]) return p->lo[0] < q->lo[0] ? -1 : 1;
    return p->face < q->face ? -1 : p->face > q->face;
}

typedef struct face_pair {
    uint32_t a, b;
} face_pair;

static inline int compare_face_pair(const void* a, const void* b) {
    const face_pair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

/// Sorted by face numbers. The caller frees the array; NULL when there is no memory.
static inline face_pair* overlapping_pairs(const tri_mesh* mesh, size_t* count) {
    tri_box* boxes = malloc(mesh->face_count * sizeof *boxes);
    face_pair* pairs = NULL;
    size_t capacity = 0;
    *count = 0;
    if (!boxes) return NULL;
    for (uint32_t i = 0; i < mesh->face_count; i++) boxes[i] = make_tri_box(mesh, i);
    qsort(boxes, mesh->face_count, sizeof *boxes, compare_tri_box);
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        for (uint32_t j = i + 1; j < mesh->face_count && boxes[j].lo[0] <= boxes[i].hi[0]; j++) {
            const tri_box *p = &boxes[i], *q = &boxes[j];
            if (p->lo[1] > q->hi[1] || q->lo[1] > p->hi[1] || p->lo[2] > q->hi[2] ||
                q->lo[2] > p->hi[2])
                continue;
            if (*count == capacity) {
                capacity = capacity ? 2 * capacity : 1 << 16;
                face_pair* grown = realloc(pairs, capacity * sizeof *pairs);
                if (!grown) abort();
                pairs = grown;
            }
            pairs[(*count)++] = (face_pair){p->face < q->face ? p->face : q->face,
                                            p->face < q->face ? q->face : p->face};
        }
    }
    free(boxes);
    qsort(pairs, *count, sizeof *pairs, compare_face_pair);
    return pairs;
}

static inline frc_tri_pair tri_pair_of(const tri_mesh* mesh, face_pair p) {
    frc_tri_pair out;
    memcpy(out.a, mesh->faces[p.a], sizeof out.a);
    memcpy(out.b, mesh->faces[p.b], sizeof out.b);
    return out;
}

static inline int shared_vertices(const frc_tri_pair* p) {
    int shared = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) shared += p->a[i] == p->b[j];
    return shared;
}
