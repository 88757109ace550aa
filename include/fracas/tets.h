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
/// Set the positions of all points of a body. On any error no position changes.
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
