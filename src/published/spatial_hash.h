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
#include "detect/search.h"
#include "grid/box_grid.h"
#include "scene/scene.h"

/// Features of one kind in one cell. Those that are at home there come first.
typedef struct frc_shelf {
    uint32_t count, home;
    frc_box* boxes;     // one by one, at the start and at the end of the step or at the end alone
    frc_box4* packets;  // the same in fours; what is missing in the last meets nothing
    uint32_t* marks;    // frc_grid_entry.mark
    union {
        frc_face_slot* faces;
        frc_edge_slot* edges;
        uint32_t* points;
    };
} frc_shelf;

/// Corners of four triangles by which pairs are told not to count: two triangles that have an id in
/// common here meet in nothing but what they share. A corner of which that is not known has an id
/// that occurs nowhere else, FRC_STAR_OPEN with the triangle's.
typedef struct frc_star4 {
    uint32_t id[3][4];
} frc_star4;

/// What one worker has before it: the features of one cell.
typedef struct frc_hash_room {
    uint32_t capacity;  // entries
    bool guests_alone;  // pairs of those at home are done
    bool all_meet;      // frc_hash.all_meet
    frc_shelf faces, edges, points, free_edges, free_points;
    frc_star4* stars;        // of the faces, in fours; only in discrete queries
    frc_cell_bounds bounds;  // of the cell
} frc_hash_room;

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
    uint32_t room_count;
    frc_hash_room* rooms;  // by worker
} frc_hash;

extern const frc_search_method frc_search_spatial_hash;

/// NULL: no memory.
frc_hash_method* frc_hash_method_create(const fracas_scene* scene, double cell_size);

/// All pairs in buckets [begin, end).
void frc_hash_pair(frc_hash* hash, frc_walk* walk, uint32_t worker, uint32_t begin, uint32_t end);

/// Room for the features of that many entries. False: no memory.
bool frc_hash_reserve_room(fracas_context* context, const frc_hash* hash, frc_hash_room* room,
                           uint32_t entries);
