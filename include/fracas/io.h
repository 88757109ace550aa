/// @file io.h  Mesh files: surfaces (OBJ, PLY, STL, OFF) and volumes of tetrahedra (Gmsh, VTK,
/// TetGen, Medit), read with every index and every bit of every number kept.
///
/// Numbers in text become the nearest double, whatever the locale. Nothing is repaired and nothing
/// is cut off in silence: a coordinate that is not finite, an index out of range, a file that ends
/// early, a text with more elements than its header tells of: refused, with file, line (text) or
/// byte (binary) in the message. Elements of kinds that a reader does not take are left out and
/// counted (fracas_mesh_file_get_left_out). Colours, normals, texture, groups, materials and
/// unknown properties are passed over, and so are zero bytes at the end of a text.
///
/// OBJ: `v`, `f`, `l` and `p` count; faces may refer to vertices that come later; lines may be
///      continued with a backslash. Curves, surfaces, `call` and unknown statements are left out.
///      UTF-16 is refused.
/// PLY: ASCII, binary little and big endian; elements `vertex` (x y z), `face` (vertex_index or
///      vertex_indices) and `edge` (vertex1 vertex2), each with an integer property `parent` where
///      it has one. In ASCII an element begins a line; more values than the header tells of, to the
///      end of the line, are passed over. Other elements are left out; triangle strips are
///      refused as unsupported.
/// STL: ASCII with any number of solids, and binary. Three points per triangle unless welded.
/// OFF: with any of the prefixes ST, C and N; 4OFF, nOFF and binary OFF are refused as unsupported.
///
/// Formats of volumes: tetrahedra are kept, and beside them triangles and polygons as faces. Other
/// cells (hexahedra, prisms, cells of higher order, ...) are refused as unsupported, for without
/// them the mesh would not be what the file means.
/// MSH: of Gmsh, 2.0 to 2.2 and 4.1, text and binary, both byte orders. Nodes are numbered in file
///      order, whatever their tags. Points and lines, which name corners and curves of the model,
///      are left out. Sections but $Nodes and $Elements are passed over.
/// VTK: legacy, unstructured grids, text and binary, with cells as in 1.0 to 4.2 or as in 5.1.
///      Lines and poly-lines are free edges; vertex cells are left out.
/// VTU: VTK's XML, one file, unstructured grids; arrays as text, as base64 or appended (raw or
///      base64), also compressed by zlib; pieces are put one after another. Arrays compressed by
///      LZ4 or LZMA are refused as unsupported.
/// TetGen: NAME.node and NAME.ele, of which either is named; numbers from 0 or 1 on. They are read
///      from paths only.
/// Medit: .mesh (text) and .meshb (binary, versions 1 to 4). Edges, elements of third order and
///      above, prisms and pyramids of second order, polyhedra given by headers, and unknown
///      sections are left out. Marks (corners, ridges, required elements), normals, tangents and
///      solutions are passed over.
#pragma once
#include "fracas/mesh.h"

typedef enum fracas_weld {
    FRACAS_WELD_DEFAULT = 0,  ///< STL: as exact; other formats: as none
    FRACAS_WELD_EXACT = 1,  ///< points at bit-equal positions (-0 equals 0) become one, the first;
                            ///< points are then numbered anew, in the order of the first of each
    FRACAS_WELD_NONE = 2
} fracas_weld;

typedef struct fracas_read_options {
    uint32_t struct_size;  ///< filled in for you; catches uninitialised options
    fracas_weld weld;
    bool
        surface;  ///< the faces of a file with tetrahedra are its surface (as fracas_tet_boundary),
                  ///< then those of the file's that are no faces of tetrahedra; default false
} fracas_read_options;

FRACAS_API fracas_read_options fracas_read_default_options(void);

/// A mesh read from a file. Owns its memory; the views below look into it.
typedef struct fracas_mesh_file fracas_mesh_file;

/// Read `path`; the format is told by the file's first bytes and its name. Progress is told, and a
/// cancel seen, every megabyte. A mesh may have up to 2^32 - 2 vertices, faces and corners of
/// faces. On any error `*out` is NULL.
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

/// Points (doubles), triangles (polygons are triangulated), free edges and free points. Free edges
/// are those of OBJ `l`, PLY `edge` and VTK lines, and faces of two corners, as often as the file
/// has them.
/// Free points are the points that no triangle, free edge or tetrahedron has, each once, in rising
/// order, whether the file lists them (OBJ `p`, faces of one corner) or not. Valid while `file`
/// lives.
///
/// A polygon of n corners becomes n - 2 triangles: a fan around its first corner when that fills
/// it, else cut along diagonals within it (exactly, seen along the axis nearest to its normal). A
/// polygon that crosses itself is covered by n - 2 triangles all the same, which may overlap; so is
/// a concave one of many thousand corners, where cutting it well would take too long.
FRACAS_API fracas_mesh_view fracas_mesh_file_view(const fracas_mesh_file* file);
/// The tetrahedra of the file, in its order; their points are those of the view above.
FRACAS_API fracas_tet_view fracas_mesh_file_tets(const fracas_mesh_file* file);
/// Of a file read as its surface: the tetrahedron that each face is one of, FRACAS_NONE for the
/// file's own faces. Else NULL.
FRACAS_API const uint32_t* fracas_mesh_file_face_tets(const fracas_mesh_file* file);

/// Elements of a file that are not part of the mesh, because the reader does not take their kind.
typedef struct fracas_left_out {
    /// As the file calls them: "TetrahedraP3" (Medit), "surf" (OBJ), "tet" (PLY); for Gmsh and VTK
    /// the name of their type: "line". At most 40 characters, others than ASCII as '?'. Lives as
    /// long as the file.
    const char* name;
    uint64_t count;
} fracas_left_out;

/// How many kinds of elements were left out; 0 when the mesh is all of the file.
FRACAS_API uint32_t fracas_mesh_file_count_left_out(const fracas_mesh_file* file);
/// One kind, in the order of the file. Each name comes once; a file with more than 32 of them has
/// the remaining ones as "others". An `index` out of range gives "" and 0.
FRACAS_API fracas_left_out fracas_mesh_file_get_left_out(const fracas_mesh_file* file,
                                                         uint32_t index);
FRACAS_API const char*
fracas_mesh_file_format(const fracas_mesh_file* file);  ///< "obj", "ply", "stl", "off", "msh",
                                                        ///< "vtk", "vtu", "tetgen" or "medit"

/// Faces as the file has them: `face_offsets[f] .. face_offsets[f + 1]` are the corners of face f
/// in `face_vertices`; `triangle_faces[t]` is the face that triangle t is a part of. Triangles come
/// in the order of their faces. A face of fewer than three corners keeps its number and has no
/// triangle; corners that repeat a vertex are kept.
typedef struct fracas_mesh_faces {
    uint32_t face_count;
    const uint32_t* face_offsets;  ///< face_count + 1
    const uint32_t* face_vertices;
    const uint32_t* triangle_faces;  ///< one per triangle of the view
} fracas_mesh_faces;
FRACAS_API fracas_mesh_faces fracas_mesh_file_faces(const fracas_mesh_file* file);

/// `int parent` of a PLY file: the vertex (or face) of the frame before that this one was, or was
/// made of; one per vertex, and one per face of the file. The values are the file's own, in range
/// or not. NULL where the file has none.
FRACAS_API const int32_t* fracas_mesh_file_vertex_parents(const fracas_mesh_file* file);
FRACAS_API const int32_t* fracas_mesh_file_face_parents(const fracas_mesh_file* file);

/// Keep the points of `file` and take the triangles of `like`, whose polygon list must be equal: a
/// moving polygon mesh is triangulated the same way in every frame. Views of `file` stay valid.
/// @return FRACAS_ERROR_INVALID_ARGUMENT when the polygon lists differ.
FRACAS_API fracas_status fracas_mesh_file_triangulate_like(fracas_mesh_file* file,
                                                           const fracas_mesh_file* like);

/// Write a binary little-endian PLY with double points, triangles as faces, and free edges; parents
/// (one per vertex, one per triangle) may be NULL. Reading it gives the same points, triangles,
/// edges and parents; points that nothing refers to are free points then. On a write error what is
/// left of the file is not removed.
/// @return FRACAS_ERROR_FILE when it cannot be written, else as fracas_mesh_validate.
FRACAS_API fracas_status fracas_ply_write(fracas_context* context, const char* path,
                                          const fracas_mesh_view* mesh,
                                          const int32_t* vertex_parents,
                                          const int32_t* face_parents);
