/// @file spatial_hash.h  Spatial hashing in place of trees: pairs of features found cell by cell.
///
/// Based on: teschner2003, for triangles: the S-Hash that FASTCD is compared with. The boxes of
/// triangles, swept over the step in continuous queries, are entered in cells (grid/box_grid.h) by
/// each query. What comes after the boxes of features is the same as with trees: filters,
/// candidates, exact tests.
///
/// Every edge and every vertex has one triangle that owns it and enters it into those of its cells
/// that their own boxes cover. So each feature is in all its cells, once in each. Free edges and
/// points have boxes of their own.
#pragma once
#include "detect/worker.h"
#include "grid/box_grid.h"
#include "scene/scene.h"

/// Features of one kind in one cell. Those of the cell's own level of the grid come first, then
/// those of finer levels, which are entered here too (grid/boxes.h calls them guests).
typedef struct frc_feature_list {
    uint32_t count, own_level;
    frc_box* boxes;     // one by one, at the start and at the end of the step or at the end alone
    frc_box4* packets;  // the same in fours; missing lanes of the last overlap nothing
    uint32_t* marks;    // frc_grid_entry.mark
    union {
        frc_face_slot* faces;
        frc_edge_slot* edges;
        uint32_t* points;
    };
} frc_feature_list;

/// Settled corners of four triangles: two triangles with a common id here meet in nothing but what
/// they share. A corner that is not settled has an id that occurs nowhere else, FRC_STAR_OPEN with
/// the triangle's.
typedef struct frc_star4 {
    uint32_t id[3][4];
} frc_star4;

/// Of one worker: the features of one cell.
typedef struct frc_cell_scratch {
    uint32_t capacity;  // entries
    bool finer_only;    // pairs within the cell's own level are done
    bool all_meet;      // frc_hash.all_meet
    frc_feature_list faces, edges, points, free_edges, free_points;
    frc_star4* stars;        // of the faces, in fours; only in discrete queries
    frc_cell_bounds bounds;  // of the cell
} frc_cell_scratch;

/// frc_world.method_data of a scene with spatial hashing.
typedef struct frc_hash_method {
    const fracas_scene* scene;
    double cell_size;                 // 0: chosen from the boxes by each query
    _Atomic(struct frc_hash*) spare;  // left by the last query for the next; NULL: none, or in use
} frc_hash_method;

typedef struct frc_hash {
    const frc_world* world;
    const uint8_t* settled;  // fracas_scene.settled
    double cell_size;
    bool free_elements;  // there are some
    bool all_meet;       // no group, mask or self_collision keeps a pair of bodies apart
    frc_lows lows;
    uint32_t ends;  // 1: boxes at the end of the step; 2: at its start, too
    double reach;
    frc_box_grid grid;
    FRC_ARRAY(frc_grid_box) boxes;  // by triangle id; then free edges; then free points
    uint32_t triangle_count;
    FRC_ARRAY(uint32_t) free_edges, free_points;  // ids
    // By triangle. Discrete: bit k, corner k is settled. Continuous: bit k, it owns edge k; bit 3 +
    // k, corner k.
    FRC_ARRAY(uint8_t) marks;
    FRC_ARRAY(frc_counter) edge_owners, point_owners;  // triangles, by id
    uint32_t worker_count;
    frc_cell_scratch* scratch;  // by worker
} frc_hash;

extern const frc_search_method frc_search_spatial_hash;

/// NULL: no memory.
frc_hash_method* frc_hash_method_create(const fracas_scene* scene, double cell_size);

/// All pairs in buckets [begin, end).
void frc_hash_pair(frc_hash* hash, frc_detect_worker* worker, uint32_t begin, uint32_t end);

/// Make the lists large enough for that many entries. False: no memory.
bool frc_cell_scratch_reserve(fracas_context* context, const frc_hash* hash,
                              frc_cell_scratch* scratch, uint32_t entries);
