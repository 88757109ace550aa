/// @file mesh_file.h  A mesh while it is read, and after.
#pragma once
#include "base/array.h"
#include "fracas/io.h"
#include "io/values.h"

/// Counts are at most this, so that every index is below UINT32_MAX.
#define FRC_MAX_ELEMENTS ((uint64_t)UINT32_MAX - 1)

typedef FRC_ARRAY(uint32_t) frc_indices;
typedef FRC_ARRAY(int32_t) frc_parents;

/// Elements of one name that the reader does not take.
typedef struct frc_left_out {
    frc_quote name;
    uint64_t count;
} frc_left_out;

struct fracas_mesh_file {
    fracas_context* context;
    const char* format;
    const char* name;          // for messages; NULL once it is read
    FRC_ARRAY(double) points;  // three each
    frc_indices face_offsets;  // one more than faces: the first is 0
    frc_indices face_vertices;
    frc_indices edges;
    frc_indices tets;                  // four each
    FRC_ARRAY(frc_left_out) left_out;  // names differ
    frc_indices face_tets;             // of the surface, one per face; empty: faces are the file's
    frc_parents vertex_parents, face_parents;
    // Derived from the above when all is read.
    frc_indices triangles, triangle_faces, free_points;
};

static inline uint64_t frc_mesh_file_point_count(const fracas_mesh_file* file) {
    return file->points.count / 3;
}
static inline uint64_t frc_mesh_file_face_count(const fracas_mesh_file* file) {
    return file->face_offsets.count - 1;
}

/// For the readers. Corners are added one by one, then the face is ended; a face of one or two
/// corners has no triangle, one of two is a free edge too. OUT_OF_MEMORY, or BAD_DATA when there
/// are too many.
fracas_status frc_mesh_file_reserve_points(fracas_mesh_file* file, uint64_t count);  ///< in all
fracas_status frc_mesh_file_add_point(fracas_mesh_file* file, const double point[3]);
fracas_status frc_mesh_file_add_edge(fracas_mesh_file* file, uint32_t a, uint32_t b);
fracas_status frc_mesh_file_end_face(fracas_mesh_file* file);
fracas_status frc_mesh_file_add_face(fracas_mesh_file* file, const uint32_t* corners,
                                     uint32_t count);
fracas_status frc_mesh_file_add_tet(fracas_mesh_file* file, const uint32_t corners[4]);
/// Record that `count` elements called `name` are not part of the mesh. Beyond 32 names they are
/// counted together.
fracas_status frc_mesh_file_leave_out(fracas_mesh_file* file, frc_word name, uint64_t count);
static inline fracas_status frc_mesh_file_add_corner(fracas_mesh_file* file, uint32_t vertex) {
    if (FRC_ARRAY_PUSH(file->context, &file->face_vertices, vertex)) return FRACAS_OK;
    return frc_fail_memory(file->context, (file->face_vertices.count + 1) * sizeof vertex);
}

/// One reader per format: fills `file` from all of `source`.
typedef fracas_status frc_mesh_reader(frc_source* source, fracas_mesh_file* file);
frc_mesh_reader frc_obj_read, frc_ply_read, frc_stl_read, frc_off_read;
frc_mesh_reader frc_msh_read, frc_vtk_read, frc_vtu_read, frc_tetgen_read, frc_medit_read;

/// Read and add `count` points, which follow each other without anything between.
fracas_status frc_mesh_file_read_points(fracas_mesh_file* file, frc_values* in, frc_value_type type,
                                        uint64_t count);

/// Is the size that of a binary STL with the number of triangles in its header?
bool frc_stl_has_binary_size(const frc_source* source);

/// Read, weld, triangulate. On failure `*out` is unchanged.
fracas_status frc_mesh_file_create(frc_source* source, const char* format, frc_mesh_reader* reader,
                                   const fracas_mesh_file_options* options, fracas_mesh_file** out);

/// Put the surface of the tetrahedra before the faces, and remove those that tetrahedra have.
fracas_status frc_mesh_file_take_surface(fracas_mesh_file* file);

/// A TetGen mesh is two files: read the one at `path` and the other beside it, or parse both from
/// memory; `names` are for messages.
fracas_status frc_tetgen_load(fracas_context* context, const char* path,
                              const fracas_mesh_file_options* options, fracas_mesh_file** out);
fracas_status frc_tetgen_parse(fracas_context* context, const char* const names[2],
                               const char* const bytes[2], const size_t sizes[2],
                               const fracas_mesh_file_options* options, fracas_mesh_file** out);

/// Triangulate all faces; all points are there.
fracas_status frc_mesh_file_triangulate(fracas_mesh_file* file);

/// Load a whole file: `*size` bytes in memory of `*capacity`, which the caller releases.
fracas_status frc_file_load(fracas_context* context, const char* path, char** bytes, size_t* size,
                            size_t* capacity);

/// The share of loading in the progress of reading a file.
#define FRC_LOAD_SHARE 0.25
