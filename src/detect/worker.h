/// @file worker.h  The state of one worker during a query: stack, candidates, contacts, counters.
#pragma once
#include "base/task_pool.h"
#include "block/leaf_boxes.h"
#include "detect/contact_buffer.h"
#include "detect/search.h"
#include "geom/ccd.h"
#include "geom/tri_tri.h"
#include <string.h>

/// Candidates that are tested as one batch. Room: the most that one pair of leaves adds; after each
/// pair of leaves the caller invokes frc_flush_candidates.
enum { FRC_BATCH = 2048, FRC_BATCH_ROOM = 576, FRC_BATCH_CAPACITY = FRC_BATCH + FRC_BATCH_ROOM };
_Static_assert(FRC_LEAF_EDGES* FRC_LEAF_EDGES <= FRC_BATCH_ROOM, "edges of two leaves");
_Static_assert(2 * FRC_LEAF_POINTS * FRC_LEAF_SIZE <= FRC_BATCH_ROOM, "points, triangles of both");
_Static_assert(FRC_LEAF_SIZE* FRC_LEAF_SIZE <= FRC_BATCH_ROOM, "triangles, free edges");
// A leaf of free elements has at most 8 edges with 16 points: these against edges, both ways, and
// against points.
_Static_assert(2 * (2 * FRC_LEAF_SIZE) * FRC_LEAF_SIZE + 4 * FRC_LEAF_SIZE * FRC_LEAF_SIZE <=
                   FRC_BATCH_ROOM,
               "free points");

/// Pairs of features with sibling vertices that coincide at the start of the step and separate
/// (siblings.c): after a frame in which much breaks they are as many as all other candidates.
enum { FRC_SEPARATING_BATCH = 512 };
typedef struct frc_separating_pairs {
    uint32_t count;
    frc_ccd_pair pairs[FRC_SEPARATING_BATCH];
    uint32_t faces[FRC_SEPARATING_BATCH];
} frc_separating_pairs;

/// Direct-mapped cache of the triangle planes of recent leaves: consecutive pairs of leaves repeat
/// their leaves.
enum { FRC_PLANE_CACHE = 512 };
typedef struct frc_plane_cache {
    const frc_leaf* leaf[FRC_PLANE_CACHE];  // NULL: empty
    // The last entry is for the second leaf of a pair that maps to the entry of the first.
    frc_tri4 planes[FRC_PLANE_CACHE + 1][FRC_LEAF_SIZE / 4];
} frc_plane_cache;

/// The same for the boxes of features over the step. Twice the size computes 6 % fewer boxes but
/// exceeds the core's own cache.
enum { FRC_FEATURE_CACHE = 128 };
typedef struct frc_feature_cache {
    const frc_leaf* leaf[FRC_FEATURE_CACHE];
    frc_leaf_boxes features[FRC_FEATURE_CACHE + 1];
} frc_feature_cache;

/// Pairs of leaves that are collected and then processed together (leaf_pairs.h): loops without
/// branches over many pairs overlap their latencies. Other workers cannot take these pairs, so the
/// limit falls with the number of workers.
/// Room: one step of the traversal adds at most the children of one node times those of another.
enum {
    FRC_LEAF_PAIRS = 64,
    FRC_MIN_LEAF_PAIRS = 16,
    FRC_LEAF_PAIRS_ROOM = 4 * 4,
    FRC_LEAF_PAIRS_CAPACITY = FRC_LEAF_PAIRS + FRC_LEAF_PAIRS_ROOM
};
typedef struct frc_leaf_pairs {
    uint32_t count, limit;
    bool collect;                                 // false: pairs of leaves go onto the stack too
    uint64_t pair[FRC_LEAF_PAIRS_CAPACITY];       // two references
    uint64_t overlap[FRC_LEAF_PAIRS_CAPACITY];    // pairs of triangles whose boxes overlap, as bits
    uint64_t remaining[FRC_LEAF_PAIRS_CAPACITY];  // of these, the pairs that need the exact test
} frc_leaf_pairs;

struct frc_detect_worker {
    // Constant during a query:
    const frc_world* world;
    frc_search_kind search;
    frc_boxes boxes;
    const fracas_query* query;
    double reach;           // boxes at most this far apart overlap
    const frc_tree* trees;  // by block: boxes of the query's own; NULL: those of the blocks
    frc_lows lows;          // points that the boxes are fitted to
    fracas_siblings siblings;
    bool touch_only;  // pairs at a distance neither count nor are counted
    bool cull;        // certificates may be used

    // Traversal:
    frc_task_worker* task_worker;  // NULL: has run no task yet
    FRC_ARRAY(uint64_t) stack;     // pending pairs: two references each
    size_t stack_bottom;           // pairs below it are published
    frc_leaf_pairs leaf_pairs;
    uint32_t batch;  // candidates at which a batch is tested

    // Results:
    frc_contact_buffer found;
    fracas_statistics statistics;
    frc_ccd_counts rejected[2];  // by frc_ccd_kind, in the last batch: it orders the filters
    double narrow_ms;
    bool out_of_memory;
    bool cancelled;  // work was left undone

    // Batches of candidates. From `tt` on nothing is cleared between queries.
    uint32_t tt_count, vf_count, ee_count;
    frc_tri_pair tt[FRC_BATCH_CAPACITY];
    uint32_t tt_face[FRC_BATCH_CAPACITY][2];  // first FRACAS_NONE: a free edge against a triangle
    frc_ccd_pair vf[FRC_BATCH_CAPACITY];
    uint32_t vf_face[FRC_BATCH_CAPACITY];  // FRACAS_NONE: a free point against an edge or a point
    frc_ccd_pair ee[FRC_BATCH_CAPACITY];
    uint32_t tt_hits[FRC_BATCH_CAPACITY];
    frc_ccd_hit hits[FRC_BATCH_CAPACITY];
    frc_separating_pairs separating[2];  // by frc_ccd_kind
    frc_ccd_hit separating_hits[FRC_SEPARATING_BATCH];
    frc_plane_cache planes;
    frc_feature_cache features;
    // Called with a node of a block before its children are read; NULL: not called.
    void (*visit_node)(frc_detect_worker* worker, uint32_t block, uint32_t node);
    void* visit_data;
};

/// One worker for each thread, from the world's spare ones or created. NULL: no memory.
frc_detect_worker** frc_detect_workers_take(const frc_world* world);
/// Keep them for the next query.
void frc_detect_workers_return(const frc_world* world, frc_detect_worker** workers);

void frc_detect_worker_begin(frc_detect_worker* worker, const frc_world* world,
                             const frc_search_options* options);

/// Set the sizes of batches to 1 / `shares` of the largest ones. Large batches are tested faster,
/// but the last batch of one worker makes the others wait.
void frc_detect_worker_set_batch(frc_detect_worker* worker, uint32_t shares);

/// Caches hold leaves of an earlier query. Call it on the worker's own thread: the memory is then
/// in its cache.
static inline void frc_detect_worker_clear_caches(frc_detect_worker* worker) {
    memset(worker->planes.leaf, 0, sizeof worker->planes.leaf);
    memset(worker->features.leaf, 0, sizeof worker->features.leaf);
}

/// Poll for cancellation. A worker that has seen it has left work undone, even if the request is
/// withdrawn later.
static inline bool frc_detect_cancelled(frc_detect_worker* worker) {
    if (frc_cancelled(worker->world->context)) worker->cancelled = true;
    return worker->cancelled;
}
