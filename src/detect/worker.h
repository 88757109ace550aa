/// @file worker.h  The state of one worker during a query: stack, candidates, contacts, counters.
#pragma once
#include "block/leaf_boxes.h"
#include "detect/contact_buffer.h"
#include "detect/search.h"
#include "geom/ccd.h"
#include "geom/tri_tri.h"
#include <float.h>
#include <string.h>

/// FRC_BATCH candidates are tested as one batch. The caller invokes frc_flush_candidates after each
/// pair of leaves, so the arrays have capacity for the candidates of one pair of leaves more.
enum {
    FRC_BATCH = 2048,
    FRC_BATCH_MARGIN = 576,
    FRC_BATCH_CAPACITY = FRC_BATCH + FRC_BATCH_MARGIN
};
_Static_assert(FRC_LEAF_EDGES* FRC_LEAF_EDGES <= FRC_BATCH_MARGIN, "edges of two leaves");
_Static_assert(2 * FRC_LEAF_POINTS * FRC_LEAF_SIZE <= FRC_BATCH_MARGIN, "points against triangles");
_Static_assert(FRC_LEAF_SIZE* FRC_LEAF_SIZE <= FRC_BATCH_MARGIN, "triangles, free edges");
// A leaf of free elements has at most 8 edges with 16 points. The points of each leaf are paired
// with the edges of the other, and points with points.
_Static_assert(2 * (2 * FRC_LEAF_SIZE) * FRC_LEAF_SIZE + 4 * FRC_LEAF_SIZE * FRC_LEAF_SIZE <=
                   FRC_BATCH_MARGIN,
               "free points");

/// Pairs of features with sibling vertices that coincide at the start of the step and separate
/// (siblings.c). After a frame with many splits they are as many as all other candidates.
enum { FRC_SEPARATING_BATCH = 512 };
typedef struct frc_separating_pairs {
    uint32_t count;
    frc_ccd_pair pairs[FRC_SEPARATING_BATCH];
    uint32_t faces[FRC_SEPARATING_BATCH];
} frc_separating_pairs;

/// Direct-mapped cache of the triangle planes of recent leaves: consecutive pairs of leaves have
/// leaves in common.
enum { FRC_PLANE_CACHE = 512 };
typedef struct frc_plane_cache {
    const frc_leaf* leaf[FRC_PLANE_CACHE];  // NULL: empty
    // The last entry is for the second leaf of a pair that maps to the entry of the first.
    frc_tri4 planes[FRC_PLANE_CACHE + 1][FRC_LEAF_SIZE / 4];
} frc_plane_cache;

/// The same for the boxes of features over the step. A larger one exceeds the private cache of a
/// core.
enum { FRC_FEATURE_CACHE = 128 };
typedef struct frc_feature_cache {
    const frc_leaf* leaf[FRC_FEATURE_CACHE];
    frc_leaf_boxes features[FRC_FEATURE_CACHE + 1];
} frc_feature_cache;

/// Pairs of leaves that are collected and then processed together (leaf_pairs.h): loops without
/// branches over many pairs overlap their latencies. These pairs cannot be published, so the
/// limit falls with the number of workers. One step of the traversal adds at most the children of
/// one node times those of another, so the arrays have capacity for as many more.
enum {
    FRC_LEAF_PAIRS = 64,
    FRC_MIN_LEAF_PAIRS = 16,
    FRC_LEAF_PAIRS_CAPACITY = FRC_LEAF_PAIRS + 4 * 4
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
    double distance;        // of the query, without the thickness of bodies
    double reach;           // boxes within this distance overlap
    const frc_tree* trees;  // by block: boxes for this query only; NULL: the boxes of the blocks
    frc_lows lows;          // points that the boxes are fitted to
    fracas_siblings siblings;
    bool touch_only;           // pairs that do not touch affect neither contacts nor statistics
    bool cull;                 // certificates may be used
    bool swept;                // boxes of features are those of the whole step, not of its two ends
    bool axis_tested;          // the boxes of candidates have been compared at both ends
    frc_candidate_list* kept;  // as in frc_search_options

    // Traversal:
    frc_task_worker* task_worker;  // NULL: caches are not cleared yet
    FRC_ARRAY(uint64_t) stack;     // pending pairs: two references each
    size_t stack_bottom;           // pairs below it are published
    frc_leaf_pairs leaf_pairs;
    uint32_t batch;  // candidates at which a batch is tested

    // Results:
    frc_contact_buffer found;
    fracas_statistics statistics;
    frc_ccd_counts rejected[2];  // by frc_ccd_kind, in the last batch: they order the filters
    double narrow_ms;
    bool out_of_memory;
    bool cancelled;      // contacts are incomplete
    frc_window* window;  // NULL: contacts are not limited
    size_t counted;      // contacts that it has added to the window

    // Batches of candidates. The fields from `tt` on are not cleared between queries.
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
    // Called with a node of a block, or of the tree over blocks (FRC_TOP), before its children are
    // read; NULL: not called.
    void (*visit_node)(frc_detect_worker* worker, uint32_t block, uint32_t node);
    void* visit_data;
};

/// One worker for each thread: the spare ones of the world, or new ones. NULL: no memory.
frc_detect_worker** frc_detect_workers_acquire(const frc_world* world);
/// Keep them for the next query.
void frc_detect_workers_release(const frc_world* world, frc_detect_worker** workers);

void frc_detect_worker_begin(frc_detect_worker* worker, const frc_world* world,
                             const frc_search_options* options);

/// Boxes overlap that are within the reach of any two bodies.
void frc_detect_worker_reach_all(frc_detect_worker* worker);

/// Set the sizes of batches to 1 / `shares` of the largest ones. Large batches are tested faster,
/// but the last batch of one worker makes the others wait.
void frc_detect_worker_set_batch(frc_detect_worker* worker, uint32_t shares);

/// Needed once in each search: caches hold leaves of an earlier query. Call it on the thread of the
/// worker: the memory is then in the cache of its core.
static inline void frc_detect_worker_clear_caches(frc_detect_worker* worker) {
    memset(worker->planes.leaf, 0, sizeof worker->planes.leaf);
    memset(worker->features.leaf, 0, sizeof worker->features.leaf);
}

/// The distance within which two bodies of this search are in contact.
static inline double frc_bodies_reach(const frc_detect_worker* worker, uint32_t a, uint32_t b) {
    const frc_body_filter* bodies = worker->world->bodies;
    const double reach = worker->distance + (bodies[a].thickness + bodies[b].thickness);
    return reach < DBL_MAX ? reach : DBL_MAX;
}

/// The same for a candidate.
static inline double frc_pair_reach(const frc_detect_worker* worker, frc_ccd_kind kind,
                                    const frc_ccd_pair* pair) {
    const frc_point* points = worker->world->topology->points.data;
    if (!(worker->world->thickest > 0)) return worker->distance;
    return frc_bodies_reach(worker, points[pair->point[0]].tag[FRC_TAG_BODY],
                            points[pair->point[kind == FRC_CCD_VF ? 1 : 2]].tag[FRC_TAG_BODY]);
}

/// Add the new contacts to the window. True: all workers together have too many. Relaxed: only the
/// sum counts, and the final one is read when all workers have ended.
static inline bool frc_detect_overflows(frc_detect_worker* worker) {
    frc_window* window = worker->window;
    const size_t count = worker->found.contacts.count, more = count - worker->counted;
    if (!window) return false;
    worker->counted = count;
    size_t all = atomic_load_explicit(&window->found, memory_order_relaxed);
    if (more > 0)
        all = more + atomic_fetch_add_explicit(&window->found, more, memory_order_relaxed);
    return all > window->limit;
}

/// Poll for cancellation. `cancelled` stays set when the request is withdrawn later: the worker has
/// skipped work.
static inline bool frc_detect_cancelled(frc_detect_worker* worker) {
    if (frc_detect_overflows(worker)) worker->cancelled = true;
    if (frc_cancelled(worker->world->context)) worker->cancelled = true;
    return worker->cancelled;
}
