/// @file hash.h  Spatial hashing in place of trees: pairs of features found cell by cell.
///
/// Based on: teschner2003, for triangles: the S-Hash that FASTCD is compared with. The boxes of
/// triangles, over the whole step when things move, are entered in cells (grid/boxes.h), anew in
/// each query. What comes after the boxes of features is the same as with trees: filters,
/// candidates, exact tests.
///
/// Every edge and every vertex has one triangle that owns it and brings it along into those of its
/// cells that their own boxes cover. So each feature stands in all its cells, once in each. Free
/// edges and points are boxes of their own.
#pragma once
#include "detect/search.h"
#include "grid/boxes.h"

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
    frc_shelf faces, edges, points, free_edges, free_points;
    frc_star4* stars;        // of the faces, in fours; only in discrete queries
    frc_cell_bounds bounds;  // of the cell
} frc_hash_room;

typedef struct frc_hash {
    const frc_world* world;
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

/// Enter everything in cells, for the search of this walk.
/// NULL: no memory. Afterwards frc_hash_close.
frc_hash* frc_hash_open(const frc_walk* walk);
void frc_hash_close(const frc_world* world, frc_hash* hash);
void frc_hash_destroy(fracas_context* context, frc_hash* hash);  // NULL is allowed

/// Cut the buckets into about `wanted` tasks of as many entries each, from block_a to block_b.
bool frc_hash_divide(const frc_hash* hash, uint32_t wanted, frc_work_list* out);
/// All pairs in buckets [begin, end).
void frc_hash_pair(frc_hash* hash, frc_walk* walk, uint32_t worker, uint32_t begin, uint32_t end);

/// Room for the features of that many entries. False: no memory.
bool frc_hash_reserve_room(fracas_context* context, const frc_hash* hash, frc_hash_room* room,
                           uint32_t entries);
