/// @file io.h  Mesh files: OBJ, PLY, STL and OFF, read with every index and every bit of every
/// number kept.
#pragma once
#include "fracas/mesh.h"

typedef enum fracas_weld {
    FRACAS_WELD_DEFAULT = 0,  ///< STL: as exact; other formats: as none
    FRACAS_WELD_EXACT = 1,    ///< points at bit-equal positions (-0 equals 0) become one, the first
    FRACAS_WELD_NONE = 2
} fracas_weld;

typedef struct fracas_read_options {
    uint32_t struct_size;
    fracas_weld weld;
} fracas_read_options;

FRACAS_API fracas_read_options fracas_read_default_options(void);

/// A mesh read from a file. Owns its memory; the views below look into it.
typedef struct fracas_mesh_file fracas_mesh_file;

/// Read `path`; the format is told by the file's first bytes and its name.
/// @return FRACAS_ERROR_FILE when it cannot be opened or read, FRACAS_ERROR_BAD_DATA when it is
/// malformed (the message names file and line or byte), FRACAS_ERROR_UNSUPPORTED for an unknown
/// format.
FRACAS_API fracas_status fracas_mesh_file_read(fracas_context* context, const char* path,
                                               const fracas_read_options* options,
                                               fracas_mesh_file** out);
/// The same from memory; `name` stands in messages and tells the format where the bytes do not.
FRACAS_API fracas_status fracas_mesh_file_parse(fracas_context* context, const char* name,
                                                const void* bytes, size_t size,
                                                const fracas_read_options* options,
                                                fracas_mesh_file** out);
FRACAS_API void fracas_mesh_file_destroy(fracas_mesh_file* file);  ///< NULL is allowed

/// Points (doubles), triangles (polygons are triangulated), free edges and free points. Points that
/// nothing in the file refers to are free points. Valid while `file` lives.
FRACAS_API fracas_mesh_view fracas_mesh_file_view(const fracas_mesh_file* file);
FRACAS_API const char*
fracas_mesh_file_format(const fracas_mesh_file* file);  ///< "obj", "ply", "stl" or "off"

/// Faces as the file has them: `face_offsets[f] .. face_offsets[f + 1]` are the corners of face f
/// in `face_vertices`; `triangle_faces[t]` is the face that triangle t is a part of.
typedef struct fracas_mesh_faces {
    uint32_t face_count;
    const uint32_t* face_offsets;  ///< face_count + 1
    const uint32_t* face_vertices;
    const uint32_t* triangle_faces;  ///< one per triangle of the view
} fracas_mesh_faces;
FRACAS_API fracas_mesh_faces fracas_mesh_file_faces(const fracas_mesh_file* file);

/// `int parent` of a PLY file: the vertex (or face) of the frame before that this one was, or was
/// made of. NULL where the file has none.
FRACAS_API const int32_t* fracas_mesh_file_vertex_parents(const fracas_mesh_file* file);
FRACAS_API const int32_t* fracas_mesh_file_face_parents(const fracas_mesh_file* file);

/// Keep the points of `file` and take the triangles of `like`, whose polygon list must be equal: a
/// moving polygon mesh is triangulated the same way in every frame.
/// @return FRACAS_ERROR_INVALID_ARGUMENT when the polygon lists differ.
FRACAS_API fracas_status fracas_mesh_file_triangulate_like(fracas_mesh_file* file,
                                                           const fracas_mesh_file* like);

/// Write a binary little-endian PLY with double points; parents may be NULL.
FRACAS_API fracas_status fracas_ply_write(fracas_context* context, const char* path,
                                          const fracas_mesh_view* mesh,
                                          const int32_t* vertex_parents,
                                          const int32_t* face_parents);
