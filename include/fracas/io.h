/// @file io.h  Mesh files: surfaces (OBJ, PLY, STL, OFF) and volumes of tetrahedra (Gmsh, VTK,
/// TetGen, Medit). Readers preserve all indices and the exact value of all numbers.
///
/// Numbers in text become the nearest double, independent of the locale. Nothing is repaired. A
/// coordinate that is not finite, an index out of range, a file that ends early and a text with
/// more elements than its header says are rejected; the message names the file and the line (text)
/// or byte (binary). Elements of kinds that a reader does not support are left out and counted
/// (fracas_mesh_file_get_left_out). Colours, normals, texture, groups, materials, unknown
/// properties and zero bytes at the end of a text are skipped.
///
/// OBJ: `v`, `f`, `l` and `p` are read; faces may refer to later vertices; a backslash continues a
///      line. Curves, surfaces, `call` and unknown statements are left out. UTF-16 is rejected.
/// PLY: ASCII, binary little and big endian; elements `vertex` (x y z), `face` (vertex_index or
///      vertex_indices) and `edge` (vertex1 vertex2), vertices and faces with an optional integer
///      property `parent`. In ASCII an element begins a line; further values on the line are
///      skipped. Other elements are left out; triangle strips are unsupported.
/// STL: ASCII with any number of solids, and binary. Three points per triangle unless welded.
/// OFF: with any of the prefixes ST, C and N; 4OFF, nOFF and binary OFF are unsupported.
///
/// Formats of volumes: tetrahedra are read, and triangles and polygons as faces. Other cells
/// (hexahedra, prisms, cells of second order, ...) are unsupported, because the mesh would
/// be incomplete without them.
/// MSH: of Gmsh, 2.0 to 2.2 and 4.1, text and binary, both byte orders. Nodes are numbered in file
///      order, independent of their tags. Points and lines, which name corners and curves of the
///      model, are left out. Only the sections $Nodes and $Elements are read.
/// VTK: legacy, unstructured grids, text and binary, with cells as in 1.0 to 4.2 or as in 5.1.
///      Lines and poly-lines are free edges; vertex cells are left out.
/// VTU: VTK's XML, one file, unstructured grids; arrays as text, as base64 or appended (raw or
///      base64), also compressed by zlib; pieces are concatenated. Arrays compressed by LZ4 or LZMA
///      are unsupported.
/// TetGen: NAME.node and NAME.ele, given by either name, counting from 0 or 1; only from paths.
///
/// Medit: .mesh (text) and .meshb (binary, versions 1 to 4). Edges, elements of third order and
///      above, prisms and pyramids of second order, polyhedra given by headers, and unknown
///      sections are left out. Marks (corners, ridges, required elements), normals, tangents and
///      solutions are skipped.
#pragma once
#include "fracas/mesh.h"

typedef enum fracas_weld {
    /// STL: as exact; other formats: as none.
    FRACAS_WELD_DEFAULT = 0,
    /// Points at bit-equal positions (-0 equals 0) become one; points are then renumbered in the
    /// order of the first of each.
    FRACAS_WELD_EXACT = 1,
    FRACAS_WELD_NONE = 2
} fracas_weld;

/// Start from fracas_mesh_file_default_options(); a NULL pointer means exactly that.
typedef struct fracas_mesh_file_options {
    /// Filled in by fracas_mesh_file_default_options; detects uninitialised options.
    uint32_t struct_size;
    fracas_weld weld;
    /// The faces of a file with tetrahedra are its surface (as fracas_tet_find_boundary), followed
    /// by the faces of the file that are not faces of tetrahedra. Default: false.
    bool surface;
} fracas_mesh_file_options;

FRACAS_API fracas_mesh_file_options fracas_mesh_file_default_options(void);

/// A mesh read from a file. Owns its memory; views of it are valid while it lives.
typedef struct fracas_mesh_file fracas_mesh_file;

/// Read `path`. The first bytes and the name determine the format. Progress is reported, and
/// cancelling checked, every megabyte. A mesh may have up to 2^32 - 2 vertices, faces and corners
/// of faces. On any error `*out` is NULL.
/// @return FRACAS_ERROR_FILE when it cannot be opened or read, FRACAS_ERROR_BAD_DATA when it is
/// malformed (the message names file and line or byte), FRACAS_ERROR_UNSUPPORTED for an unknown
/// format.
FRACAS_API fracas_status fracas_mesh_file_read(fracas_context* context, const char* path,
                                               const fracas_mesh_file_options* options,
                                               fracas_mesh_file** out);
/// The same from memory; `name` is for messages, and determines the format if the bytes do not.
FRACAS_API fracas_status fracas_mesh_file_parse(fracas_context* context, const char* name,
                                                const void* bytes, size_t size,
                                                const fracas_mesh_file_options* options,
                                                fracas_mesh_file** out);
/// NULL is allowed.
FRACAS_API void fracas_mesh_file_destroy(fracas_mesh_file* file);

/// Points (doubles), triangles (polygons are triangulated), free edges and free points. Free edges
/// are those of OBJ `l`, PLY `edge` and VTK lines, and faces of two corners; repeated ones are
/// kept. Free points are the points that no triangle, free edge or tetrahedron uses, each once, in
/// ascending order, whether the file lists them (OBJ `p`, faces of one corner) or not. Valid while
/// `file` lives.
///
/// A polygon of n corners becomes n - 2 triangles: a fan around its first corner if that covers it
/// exactly, else by ear clipping (exact, projected along the axis nearest to its normal). The
/// triangles of a polygon that crosses itself may overlap; so may those of a concave polygon of
/// many thousand corners, for which ear clipping takes too long.
FRACAS_API fracas_mesh_view fracas_mesh_file_get_view(const fracas_mesh_file* file);
/// The tetrahedra of the file, in its order; their points are those of the view above.
FRACAS_API fracas_tet_view fracas_mesh_file_get_tets(const fracas_mesh_file* file);
/// Of a file read with `surface`: the tetrahedron of each face, FRACAS_NONE for the faces of the
/// file. Otherwise NULL.
FRACAS_API const uint32_t* fracas_mesh_file_get_face_tets(const fracas_mesh_file* file);

/// Elements of a file that are not part of the mesh, because the reader does not support their
/// kind.
typedef struct fracas_left_out {
    /// Their name in the file: "TetrahedraP3" (Medit), "surf" (OBJ), "tet" (PLY); for Gmsh and VTK
    /// the name of their type: "line". At most 40 characters, with '?' for characters that are not
    /// ASCII. Valid while the file lives.
    const char* name;
    uint64_t count;
} fracas_left_out;

/// How many kinds of elements were left out; 0 when the mesh has all elements of the file.
FRACAS_API uint32_t fracas_mesh_file_count_left_out(const fracas_mesh_file* file);
/// One kind, in the order of the file. Names are distinct; all after the first 31 are counted
/// together as "others". An `index` out of range gives "" and 0.
FRACAS_API fracas_left_out fracas_mesh_file_get_left_out(const fracas_mesh_file* file,
                                                         uint32_t index);

/// "obj", "ply", "stl", "off", "msh", "vtk", "vtu", "tetgen" or "medit".
FRACAS_API const char* fracas_mesh_file_get_format(const fracas_mesh_file* file);

/// Faces as in the file: `face_offsets[f] .. face_offsets[f + 1]` are the corners of face f
/// in `face_vertices`. Triangles are in the order of their faces. A face of fewer than three
/// corners keeps its number and has no triangle; corners that repeat a vertex are kept.
typedef struct fracas_mesh_faces {
    uint32_t face_count;
    /// face_count + 1 of them.
    const uint32_t* face_offsets;
    const uint32_t* face_vertices;
    /// The face of each triangle of the view.
    const uint32_t* triangle_faces;
} fracas_mesh_faces;
FRACAS_API fracas_mesh_faces fracas_mesh_file_get_faces(const fracas_mesh_file* file);

/// `int parent` of a PLY file: the vertex (or face) of the previous frame that is the same one, or
/// that this one was made from; one per vertex, and one per face of the file. The values are not
/// checked. NULL when the file has none.
FRACAS_API const int32_t* fracas_mesh_file_get_vertex_parents(const fracas_mesh_file* file);
FRACAS_API const int32_t* fracas_mesh_file_get_face_parents(const fracas_mesh_file* file);

/// Replace the triangles of `file` by those of `like`, whose polygon list must be equal: a moving
/// polygon mesh is triangulated the same way in every frame. Views of `file` stay valid.
/// @return FRACAS_ERROR_INVALID_ARGUMENT when the polygon lists differ.
FRACAS_API fracas_status fracas_mesh_file_triangulate_like(fracas_mesh_file* file,
                                                           const fracas_mesh_file* like);

/// Write a binary little-endian PLY with double points, triangles as faces, and free edges; parents
/// (one per vertex, one per triangle) may be NULL. Reading it gives the same points, triangles,
/// edges and parents; unused points become free points. After a write error an incomplete file may
/// remain.
/// @return FRACAS_ERROR_FILE when it cannot be written, else as fracas_mesh_validate.
FRACAS_API fracas_status fracas_ply_write(fracas_context* context, const char* path,
                                          const fracas_mesh_view* mesh,
                                          const int32_t* vertex_parents,
                                          const int32_t* face_parents);
