/// @file fuzz_mesh.h  Shared by the fuzzers of readers: read any bytes with a limited allocator,
/// and check the resulting mesh.
#pragma once
#include "fracas/io.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUZZ_LIMIT = 256 << 20 };  // bytes of the allocator

typedef struct fuzz_memory {
    size_t live, most;
} fuzz_memory;

static void* fuzz_allocate(size_t size, size_t alignment, void* user) {
    fuzz_memory* memory = user;
    if (size > FUZZ_LIMIT - memory->live) return NULL;
    memory->live += size;
    if (memory->live > memory->most) memory->most = memory->live;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void fuzz_release(void* block, size_t size, void* user) {
    fuzz_memory* memory = user;
    memory->live -= size;
    free(block);
}

static void fuzz_require(bool holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "fuzz: condition violated: %s\n", what);
    abort();
}

// Check the guarantees of io.h for a mesh.
static void fuzz_check_mesh(fracas_context* context, const fracas_mesh_file* file) {
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    fracas_mesh_faces faces = fracas_mesh_file_get_faces(file);
    fuzz_require(fracas_mesh_validate(context, &view) == FRACAS_OK, "the mesh is valid");
    uint32_t triangle = 0;
    for (uint32_t f = 0; f < faces.face_count; f++) {
        fuzz_require(faces.face_offsets[f] <= faces.face_offsets[f + 1], "offsets grow");
        uint32_t corners = faces.face_offsets[f + 1] - faces.face_offsets[f];
        for (uint32_t i = 2; i < corners; i++)
            fuzz_require(faces.triangle_faces[triangle++] == f, "triangles have the right face");
    }
    fuzz_require(triangle == view.triangle_count, "a face of n corners has n - 2 triangles");
    fracas_mesh_info info;
    fracas_status status = fracas_mesh_describe(context, &view, &info);
    fuzz_require(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY, "it is described");
    bool volume = fracas_mesh_file_get_tets(file).tet_count > 0;
    if (status == FRACAS_OK && !volume)
        fuzz_require(info.unused_vertices == 0, "all vertices are used");
}

// Check the guarantees for a volume: its surface has as many triangles as its description says.
static void fuzz_check_volume(fracas_context* context, const fracas_mesh_file* file) {
    fracas_tet_view tets = fracas_mesh_file_get_tets(file);
    fracas_tet_info info;
    uint64_t triangles = 0;
    fuzz_require(fracas_tet_validate(context, &tets) == FRACAS_OK, "the volume is valid");
    fracas_status status = fracas_tet_describe(context, &tets, &info);
    if (status == FRACAS_OK)
        status = fracas_tet_find_boundary(context, &tets, NULL, NULL, &triangles);
    fuzz_require(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY, "it is described");
    if (status != FRACAS_OK) return;
    fuzz_require(triangles == info.boundary_triangles,
                 "surface and description have equally many triangles");
    fuzz_require(info.boundary_triangles + info.nonmanifold_triangles <= info.faces &&
                     info.faces <= 4 * (uint64_t)info.tets,
                 "faces are counted once");
    fuzz_require(info.unused_vertices >= fracas_mesh_file_get_view(file).vertex_count,
                 "free points are not used by tetrahedra");
}

// How to read the bytes: fuzz_parse, or a function for formats of several files.
typedef fracas_status fuzz_parse_fn(fracas_context* context, const char* name, const uint8_t* bytes,
                                    size_t size, const fracas_mesh_file_options* options,
                                    fracas_mesh_file** out);

static fracas_status fuzz_parse(fracas_context* context, const char* name, const uint8_t* bytes,
                                size_t size, const fracas_mesh_file_options* options,
                                fracas_mesh_file** out) {
    return fracas_mesh_file_parse(context, name, bytes, size, options, out);
}

static int fuzz_read_with(fuzz_parse_fn* parse, const char* name, const uint8_t* bytes, size_t size,
                          const fracas_mesh_file_options* how) {
    fuzz_memory memory = {0};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator = (fracas_allocator){fuzz_allocate, fuzz_release, &memory};
    fracas_context* context = NULL;
    fuzz_require(fracas_context_create(&options, &context) == FRACAS_OK, "the context is created");
    fracas_mesh_file* file = NULL;
    fracas_status status = parse(context, name, bytes, size, how, &file);
    fuzz_require(memory.most <= 64 * size + (1 << 20), "memory is in proportion to the file");
    fuzz_require((status == FRACAS_OK) == (file != NULL), "a mesh is returned on success only");
    if (file) {
        fuzz_check_mesh(context, file);
        fuzz_check_volume(context, file);
    } else {
        char message[1200];
        fracas_context_get_message(context, message, sizeof message);
        fuzz_require(status == FRACAS_ERROR_OUT_OF_MEMORY || strstr(message, name) != NULL,
                     "the message names the file");
    }
    fracas_mesh_file_destroy(file);
    fracas_context_destroy(context);
    fuzz_require(memory.live == 0, "nothing leaks");
    return 0;
}

static inline int fuzz_read(const char* name, const uint8_t* bytes, size_t size, fracas_weld weld) {
    fracas_mesh_file_options how = fracas_mesh_file_default_options();
    how.weld = weld;
    return fuzz_read_with(fuzz_parse, name, bytes, size, &how);
}

// Read a file as a volume and as its surface.
static inline int fuzz_read_volume(fuzz_parse_fn* parse, const char* name, const uint8_t* bytes,
                                   size_t size) {
    fracas_mesh_file_options how = fracas_mesh_file_default_options();
    fuzz_read_with(parse, name, bytes, size, &how);
    how.surface = true;
    return fuzz_read_with(parse, name, bytes, size, &how);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);
