/// @file tets.h  Volumes inside: the pools of vertices and tetrahedra, and how vertices are found.
///
/// All vertices that tetrahedra use stand in one pool, all tetrahedra in another, body after body,
/// within a body in the order of a curve that fills space: what is near stands near in memory,
/// whatever order the caller's mesh has. Each knows its own number.
#pragma once
#include "base/array.h"
#include "base/handles.h"
#include "base/stages.h"
#include "fracas/tets.h"
#include "geom/tet.h"
#include "grid/hash_table.h"
#include "grid/points.h"
#include "tets/surface.h"

typedef struct frc_tet_vertex {
    double at[3];
    uint32_t number, body;  // the caller's, and of the body; FRACAS_NONE: the body is gone
} frc_tet_vertex;

typedef struct frc_tet_corners {
    uint32_t corner[4];  // vertices of the pool
} frc_tet_corners;

/// Vertices from which on a second-level cache has no room for the cells of all.
enum { FRC_TETS_MANY = 1 << 16 };

/// A vertex in units of cells.h; the fourth number means nothing.
typedef struct frc_tet_units {
    int32_t at[4];
} frc_tet_units;

/// Between which units some vertices are; the fourth numbers mean nothing.
typedef struct frc_unit_bounds {
    int32_t lo[4], hi[4];
} frc_unit_bounds;

typedef struct frc_float_point {
    float at[4];
} frc_float_point;

typedef struct frc_tet_body {
    uint32_t first_vertex, vertex_count;  // in the pool
    uint32_t first_tet, tet_count;
    uint32_t point_count;     // of the caller, used or not
    uint32_t* vertex_places;  // from the caller's numbers to places after first_vertex; or none
    uint32_t* tet_places;
    uint32_t repeated;    // tetrahedra that have a vertex twice
    frc_surface surface;  // with fracas_tets_options.depth
    // Where the body's numbers begin when those of all bodies are counted through; by update.
    uint32_t first_rank, first_tet_rank;
} frc_tet_body;

typedef struct frc_catch frc_catch;

/// How candidates are found. Update goes through `stages`, with the set as data, when units and
/// their bounds are there, or calls `prepare` on one thread, whichever there is; false: no memory,
/// or cancelled. `items` says over how many things `find` may be called, by ranges, from several
/// threads; a pair is found under one item only.
typedef struct frc_tets_finder {
    bool (*prepare)(fracas_tets* tets);
    const frc_stage* stages;
    uint32_t stage_count;
    uint32_t (*items)(const fracas_tets* tets);
    void (*find)(const fracas_tets* tets, uint32_t begin, uint32_t end, frc_catch* out);
    void (*release)(fracas_tets* tets);
} frc_tets_finder;

struct fracas_tets {
    fracas_context* context;
    fracas_tets_options options;
    frc_handles handles;
    FRC_ARRAY(frc_tet_body) bodies;  // by number
    FRC_ARRAY(frc_tet_vertex) vertices;
    FRC_ARRAY(frc_tet_corners) tets;
    FRC_ARRAY(uint32_t) tet_numbers;
    FRC_ARRAY(uint32_t) tet_bodies;
    uint32_t repeated;  // tetrahedra that have a vertex twice
    bool holes;         // some bodies were removed: update closes the gaps
    bool changed;       // bodies have come or gone since the last update
    bool updated;       // nothing has changed since the last update
    // ---- by update
    double cell_size, cell_scale, ms_update;
    double chosen;                           // from the lengths of edges
    uint32_t choose_again;                   // updates until then
    FRC_ARRAY(frc_tet_units) units;          // of vertices
    FRC_ARRAY(frc_unit_bounds) unit_bounds;  // of parts of them
    int32_t unit_lo[3], unit_hi[3];
    bool clamped;            // some unit is at the limit: the filter on units must not be asked
    size_t unit_part;        // vertices of a part
    frc_point_sort sorting;  // FRACAS_TETS_SORTED
    frc_sorted_points sorted;
    frc_hash_table hash;                    // FRACAS_TETS_TESCHNER
    frc_box_tree bvh;                       // FRACAS_TETS_BVH: over tetrahedra
    FRC_ARRAY(frc_float_point) bvh_points;  // vertices
};

extern const frc_tets_finder frc_tets_sorted, frc_tets_teschner, frc_tets_tree, frc_tets_brute;
const frc_tets_finder* frc_tets_finder_of(fracas_tets_method method);

/// The body of a handle, or NULL with a status and a message.
frc_tet_body* frc_tets_find_body(const fracas_tets* tets, fracas_body handle,
                                 fracas_status* status);
void frc_tets_drop_body(fracas_tets* tets, uint32_t number);

/// Put the vertices that are used, and the tetrahedra, of a view into the order of memory.
/// `vertex_places` and `tet_places` have room for all; unused vertices get FRACAS_NONE.
/// `*vertex_count` is how many are used. False: no memory.
bool frc_tets_order(fracas_context* context, const fracas_tet_view* view, uint32_t* vertex_places,
                    uint32_t* tet_places, uint32_t* vertex_count);

/// A size of cells for the tetrahedra as they are now: about the mean length of their edges,
/// without those of the largest tenth.
double frc_tets_choose_cell(const fracas_tets* tets);

static inline void frc_tets_corner_points(const fracas_tets* tets, uint32_t tet,
                                          const double* out[4]) {
    for (int i = 0; i < 4; i++) out[i] = tets->vertices.data[tets->tets.data[tet].corner[i]].at;
}

static inline frc_surface_points frc_tets_surface_points(const fracas_tets* tets,
                                                         const frc_tet_body* body) {
    return (frc_surface_points){(const char*)&tets->vertices.data[body->first_vertex],
                                sizeof(frc_tet_vertex)};
}

fracas_status frc_tets_detect(const fracas_tets* tets, const fracas_tets_query* query,
                              const fracas_tets_sink* sink);
