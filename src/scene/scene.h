/// @file scene.h  The data of a scene, and functions that its edits and queries share.
///
/// An edit has a file of its own and runs in three parts: check everything, reserve all memory,
/// then change. The last part cannot fail. In trees an edit changes slots only, or drops all blocks
/// of a body that loses most of its triangles: new features are pending, in lists of their body,
/// until fracas_scene_update.
#pragma once
#include "base/handles.h"
#include "cull/cull.h"
#include "detect/detect.h"
#include "detect/pair_filter.h"
#include "detect/search.h"
#include "detect/world.h"
#include "fracas/scene.h"
#include "geom/pose_apply.h"
#include "mesh/vertex_rings.h"
#include "scene/rebuild_policy.h"
#include "scene/siblings.h"
#include "scene/trace.h"

typedef FRC_ARRAY(uint32_t) frc_ids;

/// Set from fracas_scene_options, or by src/published.
typedef struct frc_scene_settings {
    uint32_t modes;       // of the queries that an update prepares for
    frc_builder builder;  // of new trees
    frc_builder rebuild;  // of trees that the policy rebuilds
    bool inherit;         // trees of parts that break off inherit the order of the old tree
    uint32_t grid_levels, grid_stop;
    bool grid_in_turn;
    const frc_rebuild_policy* policy;  // when trees are rebuilt
    double rebuild_share;              // budget of an update: fraction of the work of queries
    const frc_search_method* search;   // how pairs are found
    const frc_cull_criterion* cull;    // NULL: nothing is culled
} frc_scene_settings;

frc_scene_settings frc_scene_default_settings(const fracas_scene_options* options);
/// Check public options. Fails with a message.
fracas_status frc_scene_check_options(fracas_context* context, const fracas_scene_options* options);
fracas_status frc_scene_create(fracas_context* context, const frc_scene_settings* settings,
                               fracas_scene** out);

/// What the next update does with the tree of a body.
typedef enum frc_body_state {
    FRC_BODY_KEPT,    // refit it, and place pending features
    FRC_BODY_ADDED,   // build it: it was added since the last update
    FRC_BODY_REBUILD  // rebuild it as a whole: set by the rebuild policy
} frc_body_state;

/// Values of frc_body.closed; FRC_CLOSED_OPEN + e: edge e is not passed as often in both
/// directions.
enum { FRC_CLOSED_UNKNOWN = 0, FRC_CLOSED_YES = 1, FRC_CLOSED_OPEN = 2 };

/// What a copy of the points of a deforming body lacks, apart from points that are listed as
/// changed: for search methods that keep positions, which set it to FRC_COPY_SAME.
typedef enum frc_copy_state {
    FRC_COPY_SAME,  // nothing
    FRC_COPY_LAST,  // positions at the end of the step
    FRC_COPY_STEP,  // the same, after an advance: its last ones are the first ones now
    FRC_COPY_BOTH
} frc_copy_state;

typedef struct frc_body {
    frc_body_state state;
    frc_copy_state copy;
    bool points_moved;            // since the last update: all its boxes are out of date
    bool edited;                  // it had pending features in this update; false for an added body
    bool posed;                   // its points have the positions of an older pose (pose_points.c)
    uint32_t stale_at, moved_at;  // position in the scene's lists plus 1; 0: not listed
    fracas_motion motion;
    fracas_pose pose[2];
    void* user;         // of the caller
    frc_ids points;     // by vertex number; FRACAS_NONE: removed
    frc_ids triangles;  // by triangle number
    uint32_t live_points, live_triangles;
    frc_ids free_edges, free_points;  // ids, as listed when the body was added
    FRC_ARRAY(double) rest;           // three per vertex number; rigid bodies only
    double rest_most;      // no coordinate among the first rest_measured is larger in magnitude
    size_t rest_measured;  // edits only append to `rest`
    frc_ids blocks;
    uint32_t source_block;  // of a part that broke off: 1 + the block that it was in; 0: none
    frc_ids pending_triangles, pending_edges, pending_points;  // pending: not in a block yet
    // Of a part that broke off, when its pending triangles have the order of the tree that they
    // were in: one cut for each (frc_build_options.cuts). Else fewer than pending triangles.
    frc_ids pending_cuts;
    frc_vertex_rings rings;  // adjacent_pairs.c
    uint32_t lost_rings;     // vertices that lost their ring since the rings were made
    // Found by the first query that needs it after an edit (containment.c).
    _Atomic(uint32_t) closed;
} frc_body;

/// A block that has to be inserted into the top tree.
typedef struct frc_new_block {
    uint32_t block;
    uint32_t near;   // the block that it was part of; FRACAS_NONE: none
    uint32_t start;  // the node of the top tree at which the insertion begins
} frc_new_block;

/// State that queries change: they take a const scene and may run at the same time.
typedef struct frc_query_state {
    atomic_uint_fast64_t work_ns;  // estimated work of the queries since the last update
    frc_spare spare;
    // The search method has newer positions than the points of the scene (frc_scene_fetch).
    atomic_bool elsewhere;
    atomic_bool posed;  // some bodies are in fracas_scene.posed_bodies
} frc_query_state;

struct fracas_scene {
    fracas_context* context;
    frc_scene_settings options;
    void* search_data;  // owned by options.search
    frc_topology topology;
    frc_handles handles;
    FRC_ARRAY(frc_body) bodies;          // by number
    FRC_ARRAY(frc_body_filter) filters;  // likewise
    frc_ids stale_bodies, moved_bodies;  // capacity: all bodies
    frc_ids posed_bodies;                // frc_body.posed; likewise
    FRC_ARRAY(frc_block*) blocks;
    frc_ids unused_blocks;
    uint32_t reserved_blocks;  // numbers of blocks that are being built
    frc_low* lows;             // by point id
    size_t low_capacity;
    uint8_t* settled;  // by point id: its star is embedded (adjacent_pairs.c)
    size_t settled_capacity;
    uint32_t ring_serial;  // the last serial number of vertex rings
    frc_top_tree top;
    FRC_ARRAY(frc_new_block) new_blocks;  // not in the top tree yet
    frc_query_state* query_state;
    // Of the rebuild policy:
    FRC_ARRAY(frc_tree_cost) tree_costs;  // by block number
    frc_ids measured_blocks;
    uint64_t unmeasured_work_ns;  // work of queries since trees were measured
    uint64_t rebuild_count;       // bodies rebuilt by a policy since the scene was created
    uint64_t regroup_count;       // subtrees of bodies, likewise
    double thickest;              // no body has had a larger thickness
    uint64_t shape_version;       // incremented by what candidates do not outlive
    bool topology_changed;        // by a split or merge since the last update
    bool updated;                 // nothing has changed since the last update
    uint64_t update_count;        // updates that have changed something
    frc_siblings siblings;
    frc_pair_filter* filter;  // NULL: none
    frc_cull_states cull_states;
    frc_cull_counts cull_counts;               // of the last update
    double cull_ms, refit_ms, restructure_ms;  // likewise
    frc_trace trace;
};

// ---- bodies (body.c)

/// The record of a handle, or NULL with `*status` and a message. Positions are then those of the
/// scene; frc_scene_find_body leaves them where they are.
frc_body* frc_scene_find(const fracas_scene* scene, fracas_body handle, fracas_status* status);
frc_body* frc_scene_find_body(const fracas_scene* scene, fracas_body handle, fracas_status* status);
fracas_body frc_scene_handle(const fracas_scene* scene, uint32_t number);
uint32_t frc_body_number(const fracas_scene* scene, const frc_body* body);

/// False: with a message.
bool frc_thickness_is_valid(const fracas_scene* scene, double thickness);

/// Reserve memory for `count` more bodies in every list of bodies.
bool frc_scene_reserve_bodies(fracas_scene* scene, size_t count);
/// A new body with an empty record; needs reserved memory. Returns its number.
uint32_t frc_scene_new_body(fracas_scene* scene, const frc_body_filter* filter);
/// Release the lists of a body, or of a record that is not in the scene yet.
void frc_body_release_lists(fracas_context* context, frc_body* body);
/// Release the lists and blocks of a body; its handle becomes stale and its number unused.
void frc_scene_drop_body(fracas_scene* scene, uint32_t number);
/// Destroy a block; its number becomes unused.
void frc_scene_drop_block(fracas_scene* scene, uint32_t number);
void frc_scene_mark_stale(fracas_scene* scene, uint32_t body);
/// Some point of the body has different positions at t = 0 and t = 1: an advance has to visit it.
void frc_scene_mark_in_motion(fracas_scene* scene, uint32_t body);
/// The same, and all its boxes are out of date.
void frc_scene_mark_moved(fracas_scene* scene, uint32_t body);

/// A rigid body has another pose. With a search method that keeps positions its points wait for
/// frc_scene_apply_poses (pose_points.c).
void frc_scene_mark_posed(fracas_scene* scene, uint32_t body);
/// Give the points of such bodies the positions of their poses. Cannot fail.
void frc_scene_apply_poses(fracas_scene* scene);
/// The same for points [begin, end) of one body.
void frc_body_apply_pose(fracas_scene* scene, const frc_body* body, size_t begin, size_t end);

/// Use counts and places of features (features.c). These need reserved memory and cannot fail.
void frc_use_triangle(fracas_scene* scene, frc_body* body, uint32_t id);  // its edges and points
void frc_unuse_triangle(fracas_scene* scene, uint32_t id);
/// Other corners for a triangle: edges and points that it keeps are not touched.
void frc_repoint_triangle(fracas_scene* scene, uint32_t id, const uint32_t point[3]);
/// The same for many triangles, and for a few: the memory that they need is fetched ahead.
enum { FRC_FEW_TRIANGLES = 16 };
void frc_use_triangles(fracas_scene* scene, frc_body* body, const uint32_t* ids, size_t count);
void frc_repoint_few(fracas_scene* scene, const uint32_t* ids, const uint32_t (*points)[3],
                     size_t count);
/// Remove a feature from its block; it still exists, without a place.
void frc_unplace_triangle(fracas_scene* scene, uint32_t id);
void frc_unplace_edge(fracas_scene* scene, uint32_t id);
void frc_unplace_point(fracas_scene* scene, uint32_t id);
/// Append to the pending features of a body.
void frc_add_pending_edge(frc_body* body, uint32_t id);
void frc_add_pending_point(frc_body* body, uint32_t id);

/// Release the filter of pairs; queries leave out nothing.
void frc_scene_drop_filter(fracas_scene* scene);
/// A new point, with the rest positions that the parents of a new vertex have; needs reserved
/// memory. `vertex` NULL: without parents.
uint32_t frc_scene_add_point(fracas_scene* scene, const frc_body* body,
                             const fracas_new_vertex* vertex);
/// Reserve memory for the rest positions of so many more points.
bool frc_scene_reserve_rest(fracas_scene* scene, size_t points);

/// Find the vertices of moved bodies around which adjacent triangles need not be compared
/// (adjacent_pairs.c). False: no memory.
bool frc_adjacent_pairs_update(fracas_scene* scene);

/// Reserve memory for that many more pending features of a body.
bool frc_body_reserve_pending(fracas_scene* scene, frc_body* body, size_t triangles, size_t edges,
                              size_t points);

/// x, y, z at t = 0 or 1.
static inline void frc_get_point(const frc_point* p, int end, double out[3]) {
    out[0] = p->x[end], out[1] = p->y[end], out[2] = p->z[end];
}
static inline void frc_set_point(frc_point* p, int end, const double in[3]) {
    // -0 becomes 0: equal positions are then equal bits.
    p->x[end] = in[0] + 0.0, p->y[end] = in[1] + 0.0, p->z[end] = in[2] + 0.0;
}

static inline bool frc_is_finite3(const double v[3]) {
    // The difference of infinity or NaN from itself is NaN.
    return (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]) == 0;
}

/// Options for a new tree, or for one that the policy rebuilds.
frc_build_options frc_scene_build_options(const fracas_scene* scene, bool rebuild);
frc_world frc_scene_world(const fracas_scene* scene);

/// Check the values of a query. Fails with a message.
fracas_status frc_query_check(fracas_context* context, const fracas_query* query);
/// The same, and that the scene is prepared for these modes. The message names `call`.
fracas_status frc_scene_check_query(const fracas_scene* scene, const fracas_query* query,
                                    uint32_t modes, const char* call);
/// Copy the newest positions to the points of the scene, if they are elsewhere. Everything that
/// reads positions, and each edit, begins with it, or with frc_scene_find or frc_scene_check_ready.
/// Fails with a message.
fracas_status frc_scene_fetch(const fracas_scene* scene);
/// The same for deforming bodies alone: rigid bodies may have older positions than their poses say.
fracas_status frc_scene_fetch_deforming(const fracas_scene* scene);
/// Check that the scene is up to date and prepared for these modes; frc_scene_check_state leaves
/// positions where they are.
fracas_status frc_scene_check_state(const fracas_scene* scene, uint32_t modes, const char* call);
fracas_status frc_scene_check_ready(const fracas_scene* scene, uint32_t modes, const char* call);
/// Check a distance: finite and not negative.
fracas_status frc_distance_check(fracas_context* context, double distance);
/// fracas_scene_detect after its checks.
fracas_status frc_scene_detect(const fracas_scene* scene, const frc_world* world,
                               const fracas_query* query, const fracas_sink* sink);

static inline frc_lows frc_scene_lows(const fracas_scene* scene) {
    return (frc_lows){scene->lows, scene->lows};
}
