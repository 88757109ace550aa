/// @file tets.h  Internals of fracas_tets: pools of vertices and tetrahedra, and the function table
/// of a method that finds candidate pairs.
///
/// One pool holds the vertices that tetrahedra use, another the tetrahedra, body after body. Within
/// a body both are in the order of a space-filling curve: neighbours in space are neighbours in
/// memory, whatever the order of the caller's mesh.
#pragma once
#include "base/array.h"
#include "base/handles.h"
#include "bvh/surface.h"
#include "fracas/tets.h"
#include "geom/tet.h"

typedef struct frc_tet_vertex {
    double at[3];
    uint32_t index;  // number given by the caller
    uint32_t body;   // FRACAS_NONE: removed
} frc_tet_vertex;

typedef struct frc_tet_corners {
    uint32_t corner[4];  // slots in the vertex pool
} frc_tet_corners;

/// With fewer vertices the table of cells fits into a second-level cache.
enum { FRC_TETS_CACHED_VERTICES = 1 << 16 };

/// A vertex in fixed-point units (grid/cells.h); lane 3 is undefined.
typedef struct frc_tet_units {
    int32_t at[4];
} frc_tet_units;

/// A box in units; lanes 3 are undefined.
typedef struct frc_unit_box {
    int32_t lo[4], hi[4];
} frc_unit_box;

typedef FRC_ARRAY(uint32_t) frc_tet_slots;

typedef struct frc_tet_body {
    void* user;             // of the caller
    uint32_t first_vertex;  // in the pool; since an edit a body has others, until the next update
    uint32_t vertex_count;  // that tetrahedra use
    uint32_t first_tet;     // likewise
    uint32_t live_tets;     // that exist
    // Slots in the pools by the caller's index; FRACAS_NONE: of no tetrahedron, and removed.
    frc_tet_slots vertex_slots, tet_slots;
    uint32_t repeated_count;  // tetrahedra with a repeated corner
    bool edited;              // since the last update: its surface is out of date
    frc_surface surface;      // with fracas_tets_options.depth
    // Ranks number the points, and the tetrahedra, of all bodies in the order of reports.
    uint32_t first_rank, first_tet_rank;
} frc_tet_body;

typedef struct frc_tets_narrow_phase frc_tets_narrow_phase;

/// A method that finds candidate pairs. Its data is `tets->method_state`, all zero at creation.
typedef struct frc_tets_method {
    size_t state_size;
    /// The chosen cell size in mean edge lengths with fewer than FRC_TETS_CACHED_VERTICES vertices;
    /// it is one with more.
    double cell_factor;
    /// Called after units are computed; NULL: not called. False: no memory or cancelled.
    bool (*update)(fracas_tets* tets);
    /// `find` is called for ranges of [0, item_count), from several threads. One item finds all
    /// occurrences of a pair.
    uint32_t (*item_count)(const fracas_tets* tets);
    void (*find)(const fracas_tets* tets, uint32_t begin, uint32_t end, frc_tets_narrow_phase* out);
    /// NULL: nothing to release.
    void (*release)(fracas_tets* tets);
    /// Used by queries with depth.
    frc_surface_nearest_fn* nearest;
} frc_tets_method;

struct fracas_tets {
    fracas_context* context;
    fracas_tets_options options;
    const frc_tets_method* method;
    void* method_state;
    void (*decide)(frc_tets_narrow_phase* pairs);  // narrow_phase.h
    frc_handles handles;
    FRC_ARRAY(frc_tet_body) bodies;
    FRC_ARRAY(frc_tet_vertex) vertices;
    FRC_ARRAY(uint32_t) uses;  // of vertices: corners of tetrahedra
    FRC_ARRAY(frc_tet_corners) tets;
    FRC_ARRAY(uint32_t) tet_indices;  // numbers given by the caller
    FRC_ARRAY(uint32_t) tet_bodies;
    uint32_t repeated_count;               // tetrahedra with a repeated corner
    uint64_t vertex_numbers, tet_numbers;  // of all bodies, removed elements included
    bool has_gaps;        // elements were removed or added: update regroups the pools
    bool bodies_changed;  // bodies were added, removed or edited since the last update
    bool updated;         // nothing has changed since the last update
    // ---- written by update
    fracas_tets_update_statistics update_statistics;
    double cell_size, unit_scale;
    double chosen_cell_size;
    uint32_t updates_until_choice;         // of the cell size
    FRC_ARRAY(frc_tet_units) units;        // of vertices
    FRC_ARRAY(frc_unit_box) range_bounds;  // of ranges of vertices
    uint32_t range_size;                   // vertices
    int32_t unit_lo[3], unit_hi[3];
    bool clamped;  // a unit is at the limit of its range: the filter on units is not valid
};

extern const frc_tets_method frc_tets_sorted_cells;
/// Every vertex against every tetrahedron, without filters: the oracle of tests and benchmarks.
extern const frc_tets_method frc_tets_brute_force;

fracas_status frc_tets_create(fracas_context* context, const fracas_tets_options* options,
                              const frc_tets_method* method, fracas_tets** out);
/// The body of a handle; NULL with a status and a message.
frc_tet_body* frc_tets_find(const fracas_tets* tets, fracas_body handle, fracas_status* status);
fracas_body frc_tets_handle(const fracas_tets* tets, uint32_t number);
void frc_tets_drop_body(fracas_tets* tets, uint32_t number);
/// Release the memory of a body.
void frc_tets_release_body(fracas_context* context, frc_tet_body* body);
/// Ranks number the elements of all bodies with 32 bits: check `points` and `count` more of them.
fracas_status frc_tets_check_counts(const fracas_tets* tets, uint64_t points, uint64_t count);
/// Reserve memory for that many more vertices and tetrahedra in the pools. False: no memory.
bool frc_tets_reserve(fracas_tets* tets, size_t vertices, size_t tetrahedra);
/// Append a vertex, or a tetrahedron with these slots as corners, to the pools; return its slot.
/// Memory is reserved.
uint32_t frc_tets_append_vertex(fracas_tets* tets, uint32_t body, uint32_t number,
                                const double at[3]);
uint32_t frc_tets_append_tet(fracas_tets* tets, uint32_t body, uint32_t number,
                             const uint32_t slots[4]);
/// After edits: elements of one body become consecutive, and removed ones disappear. False: no
/// memory, nothing has changed.
bool frc_tets_regroup(fracas_tets* tets);

/// Slots for the used vertices and the tetrahedra of a view, in the order of memory. Both arrays
/// have one element for each point or tetrahedron; unused vertices get FRACAS_NONE. `*vertex_count`
/// is the number of used vertices. False: no memory.
bool frc_tets_renumber(fracas_context* context, const fracas_tet_view* view, uint32_t* vertex_slots,
                       uint32_t* tet_slots, uint32_t* vertex_count);

/// The faces that belong to exactly one tetrahedron, with ascending corners and sorted by them; a
/// tetrahedron with a repeated corner has no faces. Vertices count from the body's first. False: no
/// memory.
bool frc_surface_find(fracas_context* context, const uint32_t* tets, uint32_t tet_count,
                      uint32_t vertex_count, frc_surface* out);

/// The mean edge length of the tetrahedra, without the largest tenth.
double frc_tets_mean_edge(const fracas_tets* tets);

static inline void frc_tets_corner_points(const fracas_tets* tets, uint32_t tet,
                                          const double* out[4]) {
    for (int i = 0; i < 4; i++) out[i] = tets->vertices.data[tets->tets.data[tet].corner[i]].at;
}

static inline frc_surface_points frc_tets_surface_points(const fracas_tets* tets,
                                                         const frc_tet_body* body) {
    return (frc_surface_points){(const char*)&tets->vertices.data[body->first_vertex],
                                sizeof(frc_tet_vertex)};
}

/// If the sink is that of a list: reserve memory for `count` more penetrations. False: no memory.
bool frc_tets_sink_reserve(const fracas_tets_sink* sink, size_t count);

fracas_status frc_tets_detect(const fracas_tets* tets, const fracas_tets_query* query,
                              const fracas_tets_sink* sink);
