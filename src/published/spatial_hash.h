/// @file spatial_hash.h  Spatial hashing in place of trees: the search runs cell by cell.
///
/// Based on: teschner2003, for triangles: the S-Hash that FASTCD is compared with. The boxes of
/// triangles, swept over the step in continuous queries, are entered in cells (grid/box_grid.h) by
/// each query. From pairs of features with overlapping boxes on, a query works as with trees:
/// filters, candidates, exact tests.
///
/// Every edge and every vertex has one triangle that owns it. It is listed in those cells of its
/// owner that its own box covers, so each feature is in all cells of its box, once in each. Free
/// edges and points are entered in cells with boxes of their own.
#pragma once
#include "detect/worker.h"
#include "grid/box_grid.h"
#include "scene/scene.h"

/// Features of one kind in one cell. Those of the cell's own level of the grid come first, then
/// those of finer levels, which are entered in coarser levels too (grid/box_grid.h).
typedef struct frc_feature_list {
    uint32_t count, own_level;
    frc_box* boxes;     // by feature: at the start and at the end of the step, or at the end only
    frc_box4* packets;  // the same in packets of four; unused lanes of the last overlap nothing
    uint32_t* marks;    // frc_grid_entry.mark
    union {
        frc_face_slot* faces;
        frc_edge_slot* edges;
        uint32_t* points;
    };
} frc_feature_list;

/// Corners with an embedded star (cull/vertex_stars.h) of four triangles: two triangles with a
/// common id here meet in nothing but what they share. Any other corner has a unique id,
/// FRC_STAR_UNCERTIFIED with that of the triangle.
typedef struct frc_star4 {
    uint32_t id[3][4];
} frc_star4;

/// Scratch memory of one worker: the features of one cell.
typedef struct frc_cell_scratch {
    uint32_t capacity;  // entries
    bool finer_only;    // skip pairs within the cell's own level, which are done
    bool all_collide;   // frc_hash.all_collide
    frc_feature_list faces, edges, points, free_edges, free_points;
    frc_star4* stars;        // of the faces, in packets of four; only in discrete queries
    frc_cell_bounds bounds;  // of the cell
} frc_cell_scratch;

/// frc_world.method_data of a scene with spatial hashing.
typedef struct frc_hash_method {
    const fracas_scene* scene;
    double cell_size;                 // 0: chosen from the boxes by each query
    _Atomic(struct frc_hash*) spare;  // of an earlier query, for reuse; NULL: none, or in use
} frc_hash_method;

typedef struct frc_hash {
    const frc_world* world;
    const uint8_t* embedded;  // fracas_scene.settled: by point, 1: its star is embedded
    double cell_size;
    bool free_elements;  // the scene has free edges or free points
    bool all_collide;    // no group, mask or self_collision excludes a pair of bodies
    frc_lows lows;
    uint32_t ends;  // 1: boxes at the end of the step; 2: also at its start
    double reach;   // frc_detect_worker.reach
    frc_box_grid grid;
    FRC_ARRAY(frc_grid_box) boxes;  // by triangle id; then free edges; then free points
    uint32_t triangle_count;
    FRC_ARRAY(uint32_t) free_edges, free_points;  // ids
    // By triangle. Discrete: bit k: corner k has an embedded star. Continuous: bit k: the triangle
    // owns edge k; bit 3 + k: it owns corner k.
    FRC_ARRAY(uint8_t) marks;
    FRC_ARRAY(frc_counter) edge_owners, point_owners;  // triangles, by id
    uint32_t worker_count;
    frc_cell_scratch* scratch;  // by worker
} frc_hash;

extern const frc_search_method frc_search_spatial_hash;

/// NULL: no memory.
frc_hash_method* frc_hash_method_create(const fracas_scene* scene, double cell_size);

/// Find all pairs in buckets [begin, end).
void frc_hash_find_pairs(frc_hash* hash, frc_detect_worker* worker, uint32_t begin, uint32_t end);

/// Reserve lists for the features of `entries` entries. False: no memory.
bool frc_cell_scratch_reserve(fracas_context* context, const frc_hash* hash,
                              frc_cell_scratch* scratch, uint32_t entries);
