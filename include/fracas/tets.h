/// @file tets.h  Volumes: which vertices of deforming tetrahedral bodies are inside which
/// tetrahedra.
///
/// Add bodies once, move them in every step, call `fracas_tets_update`, then `fracas_tets_detect`.
/// A pair is reported, once, when the vertex is in the closed tetrahedron (touching counts), within
/// one body or between two. The decision is exact for the given doubles. A corner of a tetrahedron
/// is never inside it; another vertex at the position of the corner is. The reported pairs depend
/// on no option except `self` and `inter` of the query.
#pragma once
#include "fracas/contact.h"
#include "fracas/mesh.h"

typedef struct fracas_tets fracas_tets;

/// Start from fracas_tets_default_options(); a NULL pointer means exactly that.
typedef struct fracas_tets_options {
    uint32_t struct_size;
    /// Prepare for queries of depth: every update then refits a tree over each body's surface.
    bool depth;
    /// Edge length of a grid cell. 0: chosen from the edge lengths of the tetrahedra. A size below
    /// 1/16 of that is raised to it, because a tetrahedron would cover thousands of cells.
    double cell_size;
} fracas_tets_options;

/// Start from fracas_tets_default_query(); a NULL pointer means exactly that.
typedef struct fracas_tets_query {
    uint32_t struct_size;
    /// Report pairs within one body; pairs of two bodies. Default: both.
    bool self, inter;
    /// Compute depth and direction; requires fracas_tets_options.depth.
    bool depth;
} fracas_tets_query;

/// One vertex inside one tetrahedron. Indices are the caller's. The library allocates these;
/// later versions may add fields at the end.
typedef struct fracas_penetration {
    fracas_body vertex_body, tet_body;
    uint32_t vertex, tet;
    /// Barycentric coordinates of the vertex, one per corner. They sum to 1 and are at least 0, up
    /// to rounding; all are zero in a flat tetrahedron.
    double barycentric[4];
    /// With fracas_tets_query.depth: distance from the vertex to the nearest point of the surface
    /// of tet_body; else 0.
    double depth;
    /// With fracas_tets_query.depth: unit vector from the vertex to that point; zero at depth 0.
    double direction[3];
} fracas_penetration;

/// Work of one query.
typedef struct fracas_tets_statistics {
    uint64_t penetrations;
    /// Grid cells visited.
    uint64_t cells;
    /// Vertices in these cells.
    uint64_t candidates;
    /// Candidates in the box of the tetrahedron, except its corners.
    uint64_t tested;
    /// Tested pairs that needed exact arithmetic.
    uint64_t exact;
    /// Wall-clock milliseconds.
    double ms_detect;
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_tets_statistics;

/// Work of one update.
typedef struct fracas_tets_update_statistics {
    /// Vertices that tetrahedra use, and tetrahedra.
    uint64_t vertices, tets;
    /// Edge length of a grid cell, given or chosen.
    double cell_size;
    /// Wall-clock milliseconds.
    double ms_update;
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_tets_update_statistics;

/// Called on the calling thread, sorted by vertex body, vertex, tetrahedron body, tetrahedron.
/// Return false to stop.
typedef bool fracas_penetration_fn(const fracas_penetration* penetration, void* user);

typedef struct fracas_tets_sink {
    /// NULL: count only.
    fracas_penetration_fn* report;
    void* user;
    /// NULL or overwritten on success.
    fracas_tets_statistics* statistics;
} fracas_tets_sink;

FRACAS_API fracas_tets_options fracas_tets_default_options(void);
FRACAS_API fracas_tets_query fracas_tets_default_query(void);

FRACAS_API fracas_status fracas_tets_create(fracas_context* context,
                                            const fracas_tets_options* options, fracas_tets** out);
/// NULL is allowed.
FRACAS_API void fracas_tets_destroy(fracas_tets* tets);

/// Add a body; points and indices are copied. On any error nothing changes and `*out` is zero.
/// @return FRACAS_ERROR_BAD_DATA for a number that is not finite or an index out of range.
FRACAS_API fracas_status fracas_tets_add(fracas_tets* tets, const fracas_tet_view* view,
                                         fracas_body* out);
FRACAS_API fracas_status fracas_tets_remove(fracas_tets* tets, fracas_body body);
/// Set the positions of all points of a body: one for every vertex number, those of removed
/// vertices are ignored. On any error no position changes.
FRACAS_API fracas_status fracas_tets_move(fracas_tets* tets, fracas_body body,
                                          const fracas_points* points);
/// Required after edits and moves, before queries. Returns at once when nothing has changed.
FRACAS_API fracas_status fracas_tets_update(fracas_tets* tets);
/// Statistics of the last update that had work to do; all zero before the first.
FRACAS_API fracas_status fracas_tets_get_update_statistics(const fracas_tets* tets,
                                                           fracas_tets_update_statistics* out);
/// Report all penetrations. Safe to call from several threads at once.
/// @return FRACAS_ERROR_INVALID_ARGUMENT when bodies have changed since the last update.
FRACAS_API fracas_status fracas_tets_detect(const fracas_tets* tets, const fracas_tets_query* query,
                                            const fracas_tets_sink* sink);

// ---- breaking and joining

typedef struct fracas_tets_body_info {
    /// Of fracas_tets_set_user; NULL at first. Parts of a split get that of the body.
    void* user;
    /// One more than the largest number ever assigned.
    uint32_t vertex_numbers, tet_numbers;
    /// Current counts; vertices that no tetrahedron uses do not count.
    uint32_t vertices, tets;
    /// Zero; reserved for later versions.
    uint32_t reserved[8];
} fracas_tets_body_info;
FRACAS_API fracas_status fracas_tets_get_body(const fracas_tets* tets, fracas_body body,
                                              fracas_tets_body_info* out);
/// Store a pointer for the caller with a body; the library never reads it.
FRACAS_API fracas_status fracas_tets_set_user(fracas_tets* tets, fracas_body body, void* user);
/// Vertices of a tetrahedron. @return FRACAS_ERROR_BAD_DATA when there is no such tetrahedron.
FRACAS_API fracas_status fracas_tets_get_tet(const fracas_tets* tets, fracas_body body,
                                             uint32_t tet, uint32_t corners[4]);
/// Position of a vertex. @return FRACAS_ERROR_BAD_DATA when no tetrahedron uses it.
FRACAS_API fracas_status fracas_tets_get_vertex(const fracas_tets* tets, fracas_body body,
                                                uint32_t vertex, double at[3]);

/// A vertex that a split adds. With parents its position is (1 - weight) * a + weight * b, or that
/// of a if parent_b is FRACAS_NONE.
typedef struct fracas_new_tet_vertex {
    /// Both FRACAS_NONE: `at` is its position.
    uint32_t parent_a, parent_b;
    /// 0 to 1.
    double weight;
    double at[3];
} fracas_new_tet_vertex;

/// Replaces the vertex at corner 0 to 3 of a tetrahedron that the body has before the split.
typedef struct fracas_tet_repoint {
    uint32_t tet, corner, vertex;
} fracas_tet_repoint;

/// The changes of a split. Elements that are not listed stay in the body, which keeps its handle.
/// New vertices and new tetrahedra get the numbers after the last ones, in order; the lists below
/// may use these numbers. Vertices that no tetrahedron uses afterwards are removed; corners may
/// name vertices that tetrahedra used before, and new ones. Without parts the split is a cut in
/// place. Start from fracas_tets_default_split().
typedef struct fracas_tet_split {
    uint32_t struct_size;
    uint32_t new_vertex_count;
    const fracas_new_tet_vertex* new_vertices;
    const fracas_tet_repoint* repoints;
    uint32_t repoint_count;
    uint32_t new_tet_count;
    /// Four vertices each.
    const uint32_t* new_tets;
    const uint32_t* removed_tets;
    uint32_t removed_tet_count;
    /// Parts that leave the body.
    uint32_t part_count;
    /// part_count + 1 of them: the tetrahedra of part p are part_tets[part_offsets[p]] to
    /// part_tets[part_offsets[p + 1] - 1], at least one; new ones may be among them.
    const uint32_t* part_offsets;
    const uint32_t* part_tets;
} fracas_tet_split;

FRACAS_API fracas_tet_split fracas_tets_default_split(void);

/// Break a body. `parts` receives one handle for each part; it may be NULL without parts. The
/// elements of a part get new numbers: tetrahedra as listed, vertices in the order of their old
/// numbers. The cost is that of the listed elements (amortised), not of the body; the next update,
/// which visits every element, groups them again. With fracas_tets_options.depth it finds the
/// surface of every edited body again. On any error nothing changes.
/// @return FRACAS_ERROR_BAD_DATA when a part shares a vertex with the body or with another part.
FRACAS_API fracas_status fracas_tets_split(fracas_tets* tets, fracas_body body,
                                           const fracas_tet_split* split, fracas_body* parts);

/// The first vertex replaces the second. `body_a` and `body_b` are indices in `bodies`.
typedef struct fracas_tet_weld {
    uint32_t body_a, vertex_a, body_b, vertex_b;
} fracas_tet_weld;

/// Start from fracas_tets_default_merge(); a NULL pointer means exactly that.
typedef struct fracas_tet_merge {
    uint32_t struct_size;
    uint32_t weld_count;
    const fracas_tet_weld* welds;
    /// NULL, or receives the new number of every vertex number of all bodies in order; FRACAS_NONE
    /// for vertices that no tetrahedron uses.
    uint32_t* vertex_map;
    /// The same for tetrahedra.
    uint32_t* tet_map;
} fracas_tet_merge;

FRACAS_API fracas_tet_merge fracas_tets_default_merge(void);

/// Join bodies into the first, which keeps its handle and its numbers; the numbers of the others
/// follow. The cost is that of the bodies after the first, and of the first if a weld removes a
/// vertex of it. `*out` is the handle of the first body. On any error nothing changes.
FRACAS_API fracas_status fracas_tets_merge(fracas_tets* tets, const fracas_body* bodies,
                                           uint32_t body_count, const fracas_tet_merge* merge,
                                           fracas_body* out);
