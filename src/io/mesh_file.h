/// @file mesh_file.h  The mesh file object, and the functions with which readers fill it.
#pragma once
#include "base/array.h"
#include "fracas/io.h"
#include "io/values.h"

/// The limit of counts: every index stays below UINT32_MAX.
#define FRC_MAX_ELEMENTS ((uint64_t)UINT32_MAX - 1)

typedef FRC_ARRAY(uint32_t) frc_indices;
typedef FRC_ARRAY(int32_t) frc_parents;

/// The number of elements of one kind that the reader leaves out.
typedef struct frc_left_out {
    frc_quote name;
    uint64_t count;
} frc_left_out;

struct fracas_mesh_file {
    fracas_context* context;
    const char* format;
    const char* name;          // for messages; NULL after reading
    FRC_ARRAY(double) points;  // three each
    frc_indices face_offsets;  // face_count + 1 of them; the first is 0
    frc_indices face_vertices;
    frc_indices edges;
    frc_indices tets;                  // four each
    FRC_ARRAY(frc_left_out) left_out;  // with distinct names
    frc_indices face_tets;             // of a surface, one per face; empty: faces of the file
    frc_parents vertex_parents, face_parents;
    // Computed after the reader has finished.
    frc_indices triangles, triangle_faces, free_points;
};

static inline uint64_t frc_mesh_file_point_count(const fracas_mesh_file* file) {
    return file->points.count / 3;
}
static inline uint64_t frc_mesh_file_face_count(const fracas_mesh_file* file) {
    return file->face_offsets.count - 1;
}

/// Functions for readers. A face is its corners, added one by one, and a call of end_face; a face
/// with less than three corners has no triangles, and one with two corners is also a free edge.
/// @return FRACAS_ERROR_OUT_OF_MEMORY, or FRACAS_ERROR_BAD_DATA for too many elements.
fracas_status frc_mesh_file_reserve_points(fracas_mesh_file* file, uint64_t count);  ///< in total
fracas_status frc_mesh_file_add_point(fracas_mesh_file* file, const double point[3]);
fracas_status frc_mesh_file_add_edge(fracas_mesh_file* file, uint32_t a, uint32_t b);
fracas_status frc_mesh_file_end_face(fracas_mesh_file* file);
fracas_status frc_mesh_file_add_face(fracas_mesh_file* file, const uint32_t* corners,
                                     uint32_t count);
fracas_status frc_mesh_file_add_tet(fracas_mesh_file* file, const uint32_t corners[4]);
/// Count `count` more elements called `name` as left out. After 31 names all further ones are
/// counted together as "others".
fracas_status frc_mesh_file_leave_out(fracas_mesh_file* file, frc_word name, uint64_t count);
static inline fracas_status frc_mesh_file_add_corner(fracas_mesh_file* file, uint32_t vertex) {
    if (FRC_ARRAY_PUSH(file->context, &file->face_vertices, vertex)) return FRACAS_OK;
    return frc_fail_memory(file->context, (file->face_vertices.count + 1) * sizeof vertex);
}

/// The reader of a format: reads the whole `source` into `file`.
typedef fracas_status frc_mesh_reader(frc_source* source, fracas_mesh_file* file);
frc_mesh_reader frc_obj_read, frc_ply_read, frc_stl_read, frc_off_read;
frc_mesh_reader frc_msh_read, frc_vtk_read, frc_vtu_read, frc_tetgen_read, frc_medit_read;

/// Read and add `count` points, stored one after another without other values between them.
fracas_status frc_mesh_file_read_points(fracas_mesh_file* file, frc_values* in, frc_value_type type,
                                        uint64_t count);

/// Does the size of the file match the number of triangles in the header of a binary STL?
bool frc_stl_has_binary_size(const frc_source* source);

/// Read, weld, extract the surface, triangulate. On failure `*out` is unchanged.
fracas_status frc_mesh_file_create(frc_source* source, const char* format, frc_mesh_reader* reader,
                                   const fracas_mesh_file_options* options, fracas_mesh_file** out);

/// Replace the faces: first the surface of the tetrahedra, then the faces of the file that are not
/// faces of tetrahedra. Fills face_tets. Without tetrahedra nothing changes.
fracas_status frc_mesh_file_extract_surface(fracas_mesh_file* file);

/// A TetGen mesh is two files, NAME.node and NAME.ele. `path` is one of them, and both are read; or
/// both are parsed from memory, the nodes first. `names` are for messages.
fracas_status frc_tetgen_load(fracas_context* context, const char* path,
                              const fracas_mesh_file_options* options, fracas_mesh_file** out);
fracas_status frc_tetgen_parse(fracas_context* context, const char* const names[2],
                               const char* const bytes[2], const size_t sizes[2],
                               const fracas_mesh_file_options* options, fracas_mesh_file** out);

/// Triangulate all faces. All points have been added.
fracas_status frc_mesh_file_triangulate(fracas_mesh_file* file);

/// Load a whole file. `*bytes` has `*size` bytes in a block of `*capacity` bytes, which the caller
/// releases.
fracas_status frc_file_load(fracas_context* context, const char* path, char** bytes, size_t* size,
                            size_t* capacity);

/// The share of loading in the progress of reading a file.
#define FRC_LOAD_SHARE 0.25
