/// @file walk.h  One worker's walk: from pairs of boxes through candidates to contacts.
///
/// traverse.c finds pairs of features whose boxes meet and hands them to the functions below, which
/// gather them in batches for the exact tests.
#pragma once
#include "base/task_pool.h"
#include "bvh/features.h"
#include "detect/detect.h"
#include "geom/ccd.h"
#include "geom/tri_tri.h"
#include <assert.h>
#include <string.h>

/// Candidates that are tested at a time. Room: what one pair of leaves can add at most; after each
/// pair whoever gathers calls frc_walk_flush.
enum { FRC_BATCH = 2048, FRC_BATCH_ROOM = 576 };
_Static_assert(FRC_LEAF_EDGES* FRC_LEAF_EDGES <= FRC_BATCH_ROOM, "edges of two leaves");
_Static_assert(2 * FRC_LEAF_POINTS * FRC_LEAF_SIZE <= FRC_BATCH_ROOM, "points, triangles of both");
_Static_assert(FRC_LEAF_SIZE* FRC_LEAF_SIZE <= FRC_BATCH_ROOM, "triangles, free edges");
// A leaf of free elements has at most 8 edges with 16 points: these against edges, both ways, and
// against points.
_Static_assert(2 * (2 * FRC_LEAF_SIZE) * FRC_LEAF_SIZE + 4 * FRC_LEAF_SIZE * FRC_LEAF_SIZE <=
                   FRC_BATCH_ROOM,
               "free points");

/// Pairs of features that were one when the step began and move apart: after a frame in which much
/// breaks there are as many of them as of all others.
enum { FRC_PARTING = 512 };
typedef struct frc_parting {
    uint32_t count;
    frc_ccd_pair pairs[FRC_PARTING];
    uint32_t faces[FRC_PARTING];
} frc_parting;

/// Planes of the leaves that were met last. Neighbours in the walk meet the same leaves again and
/// again.
enum { FRC_PLANE_CACHE = 512 };
typedef struct frc_plane_cache {
    const frc_leaf* leaf[FRC_PLANE_CACHE];  // whose planes stand there; NULL: nobody's
    // The last entry is for a leaf that meets another one of the same place.
    frc_tri4 planes[FRC_PLANE_CACHE + 1][FRC_LEAF_SIZE / 4];
} frc_plane_cache;

/// Likewise the boxes of their features. Twice as many leave fewer to make, 6 % of them, but do not
/// stay in a core's own cache beside all else.
enum { FRC_FEATURE_CACHE = 128 };
typedef struct frc_feature_cache {
    const frc_leaf* leaf[FRC_FEATURE_CACHE];
    frc_features features[FRC_FEATURE_CACHE + 1];
} frc_feature_cache;

/// Pairs of leaves that wait to be compared, so that each step of that is done for many in a row:
/// steps without branches then run into each other. No more, as nobody else can take them over:
/// the fewer, the more workers there are.
/// Room: one step of the traversal adds at most the children of one node against those of another.
enum { FRC_LEAF_PAIRS = 64, FRC_LEAST_LEAF_PAIRS = 16, FRC_LEAF_PAIRS_ROOM = 4 * 4 };
typedef struct frc_leaf_pairs {
    uint32_t count, enough;
    bool wanted;  // pairs of leaves come here; else they wait among all others
    uint64_t pair[FRC_LEAF_PAIRS + FRC_LEAF_PAIRS_ROOM];     // two references
    uint64_t meeting[FRC_LEAF_PAIRS + FRC_LEAF_PAIRS_ROOM];  // bits of pairs of triangles
    uint64_t left[FRC_LEAF_PAIRS + FRC_LEAF_PAIRS_ROOM];
} frc_leaf_pairs;

typedef struct frc_walk {
    const frc_world* world;
    frc_search search;
    frc_boxes boxes;
    const fracas_query* query;
    double reach;           // boxes this far apart still meet
    const frc_tree* trees;  // by block, when the query brings its own boxes; else NULL
    frc_lows lows;          // which the boxes are of
    fracas_siblings siblings;
    bool touching;       // only pairs that touch count, and are counted
    bool cull;           // certificates may be used
    frc_task_worker* task_worker;  // who walks
    FRC_ARRAY(uint64_t) stack;     // pairs that wait: two references each
    size_t bottom;                 // the first that was not given away
    frc_leaf_pairs leaves;
    uint32_t batch;  // candidates that are enough for the exact tests
    frc_pile found;
    fracas_statistics statistics;
    frc_ccd_counts rejected[2];  // by frc_ccd_kind, in the last batch: filters go by that
    double narrow_ms;
    bool out_of_memory;
    bool cancelled;  // it has left work undone

    uint32_t tt_count, vf_count, ee_count;
    frc_tri_pair tt[FRC_BATCH + FRC_BATCH_ROOM];
    uint32_t tt_face[FRC_BATCH + FRC_BATCH_ROOM][2];
    frc_ccd_pair vf[FRC_BATCH + FRC_BATCH_ROOM];
    uint32_t
        vf_face[FRC_BATCH + FRC_BATCH_ROOM];  // FRACAS_NONE: a free point against an edge or point
    frc_ccd_pair ee[FRC_BATCH + FRC_BATCH_ROOM];
    uint32_t tt_hits[FRC_BATCH + FRC_BATCH_ROOM];
    frc_ccd_hit hits[FRC_BATCH + FRC_BATCH_ROOM];
    frc_parting parting[2];  // by frc_ccd_kind
    frc_ccd_hit parting_hits[FRC_PARTING];
    frc_plane_cache planes;
    frc_feature_cache features;
    // Called with a node of a block before its children are read; NULL: nothing is.
    void (*touch)(struct frc_walk* walk, uint32_t block, uint32_t node);
    void* touch_data;
} frc_walk;

/// What is kept of leaves is of the last query. By who uses it: what lies in its cache stays there.
static inline void frc_walk_forget_leaves(frc_walk* walk) {
    memset(walk->planes.leaf, 0, sizeof walk->planes.leaf);
    memset(walk->features.leaf, 0, sizeof walk->features.leaf);
}

/// Does somebody want the query to end? Whoever has seen that has left work undone, even when the
/// wish is taken back.
static inline bool frc_walk_must_stop(frc_walk* walk) {
    if (frc_cancelled(walk->world->context)) walk->cancelled = true;
    return walk->cancelled;
}

/// A part of the work: all pairs below two references in two blocks (the same twice: its self
/// pairs), or in the tree over blocks. It fits into a task.
#define FRC_TOP FRACAS_NONE
typedef struct frc_work {
    uint32_t block_a, block_b;  // both FRC_TOP: the tree over blocks
    uint32_t ref_a, ref_b;
} frc_work;
_Static_assert(sizeof(frc_work) == sizeof(frc_task), "work is handed over as a task");

/// Do everything below `work` but what others ask for.
void frc_walk_run(frc_walk* walk, const frc_work* work);

/// Replace `work` by parts of it, appended to `out`; false when it cannot be divided (it was not
/// appended). Sets walk->out_of_memory on failure.
typedef FRC_ARRAY(frc_work) frc_work_list;
bool frc_walk_divide(frc_walk* walk, const frc_work* work, frc_work_list* out);
/// How much work it seems to be, as nodes: a guess, as nobody knows yet where things touch. Of the
/// tree over blocks 0.
uint64_t frc_walk_weight(const frc_walk* walk, const frc_work* work);
/// It is about to be weighed or divided: nodes that another core has written last are on their way
/// then.
void frc_walk_look_ahead(const frc_walk* walk, const frc_work* work);

/// The tag that tells who is kin in this query: points that have it in common, and not 0.
static inline int frc_walk_kin_tag(const frc_walk* walk) {
    return walk->siblings == FRACAS_SIBLINGS_IGNORE ? FRC_TAG_FAMILY : FRC_TAG_TOGETHER;
}

// ---- candidates (candidates.c)

void frc_add_tt(frc_walk* walk, const frc_face_slot* a, const frc_face_slot* b);
void frc_add_vf(frc_walk* walk, uint32_t vertex, const frc_face_slot* face);
void frc_add_ee(frc_walk* walk, const frc_edge_slot* a, const frc_edge_slot* b);
void frc_add_et(frc_walk* walk, const frc_edge_slot* edge, const frc_face_slot* face);
void frc_add_ve(frc_walk* walk, uint32_t vertex, const frc_edge_slot* edge);
void frc_add_vv(frc_walk* walk, uint32_t a, uint32_t b);

/// Triangles from number `first` on may be siblings: those are dealt with apart from the batch and
/// taken out of it. (Other candidates are asked when their batch is tested.)
void frc_check_kin_tt(frc_walk* walk, uint32_t first);

// The three common kinds stand here because they are called millions of times. A candidate is
// written as number n and kept when it has no common vertex, which the new count tells: no branch
// to mispredict.

static inline uint32_t frc_put_tt(frc_walk* walk, uint32_t n, const frc_face_slot* a,
                                  const frc_face_slot* b) {
    assert(n < FRC_BATCH + FRC_BATCH_ROOM);
    // A slot is a register: its id goes where the next numbers will, and there is room behind.
    char* pair = (char*)walk->tt + n * sizeof *walk->tt;
    memcpy(pair, a, sizeof *a);
    memcpy(pair + sizeof walk->tt->a, b, sizeof *b);
    walk->tt_face[n][0] = a->id;
    walk->tt_face[n][1] = b->id;
    return n + 1;
}

static inline uint32_t frc_put_vf(frc_walk* walk, uint32_t n, uint32_t vertex,
                                  const frc_face_slot* face) {
    const uint32_t* p = face->point;
    assert(n < FRC_BATCH + FRC_BATCH_ROOM);
    walk->vf[n] = (frc_ccd_pair){
        {vertex, p[0], p[1], p[2]}
    };
    walk->vf_face[n] = face->id;
    return n + ((vertex != p[0]) & (vertex != p[1]) & (vertex != p[2]));
}

/// In which order does not matter yet: frc_walk_flush sees to that.
static inline uint32_t frc_put_ee(frc_walk* walk, uint32_t n, const frc_edge_slot* a,
                                  const frc_edge_slot* b) {
    assert(n < FRC_BATCH + FRC_BATCH_ROOM);
    memcpy(&walk->ee[n].point[0], a, sizeof *a);
    memcpy(&walk->ee[n].point[2], b, sizeof *b);
    return n + ((a->point[0] != b->point[0]) & (a->point[0] != b->point[1]) &
                (a->point[1] != b->point[0]) & (a->point[1] != b->point[1]));
}

/// Run the exact tests on what is gathered, when it is much or `force`.
void frc_walk_flush(frc_walk* walk, bool force);
