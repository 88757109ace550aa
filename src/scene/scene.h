/// @file scene.h  What a scene is made of inside; the edits stand in a file each.
///
/// An edit runs in three parts: check everything, make room for everything, then change. The last
/// part cannot fail. Trees are not touched by an edit but for emptied slots: what is new waits in
/// the body's `fresh` lists for fracas_scene_update.
#pragma once
#include "base/handles.h"
#include "cull/cull.h"
#include "detect/detect.h"
#include "detect/search.h"
#include "detect/world.h"
#include "fracas/scene.h"
#include "mesh/vertex_rings.h"
#include "scene/rebuild_policy.h"
#include "scene/siblings.h"
#include "scene/trace.h"

typedef FRC_ARRAY(uint32_t) frc_ids;

/// How a scene works: from fracas_scene_options, or all of it from src/published.
typedef struct frc_scene_settings {
    uint32_t modes;       // what an update prepares for
    frc_builder builder;  // of new trees
    frc_builder rebuild;  // of trees that the policy rebuilds
    bool inherit;         // parts that break off keep the order of the tree they were in
    uint32_t grid_levels, grid_stop;
    const frc_rebuild_policy* policy;  // when trees are rebuilt
    double rebuild_share;              // of the work of queries, for the rebuilds of one update
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
    FRC_BODY_KEPT,    // refit, and place what is new
    FRC_BODY_ADDED,   // it is new since the last update
    FRC_BODY_REBUILD  // build it as a whole: set by the rebuild policy
} frc_body_state;

typedef struct frc_body {
    frc_body_state state;
    bool points_moved;  // since the last update: all its boxes are out of date
    bool edited;        // in the last update something of it was new; false for an added body
    uint32_t stale_at, moved_at;  // position in the scene's lists plus 1; 0: not listed
    fracas_motion motion;
    fracas_pose pose[2];
    frc_ids points;     // by vertex number; FRACAS_NONE: gone
    frc_ids triangles;  // by triangle number
    uint32_t live_points, live_triangles;
    frc_ids free_edges, free_points;  // ids, as listed when the body was added
    FRC_ARRAY(double) rest;           // three per vertex number; rigid bodies only
    frc_ids blocks;
    uint32_t came_from;  // one more than a block of the body it broke off; 0: it did not
    frc_ids fresh_triangles, fresh_edges, fresh_points;  // wait for a place in a block
    // Of a part that broke off: as many as fresh triangles when those stand in the order of the
    // tree that they were in; where that is to be cut (frc_build_options.cuts).
    frc_ids fresh_cuts;
    frc_vertex_rings rings;  // adjacent_pairs.c
    uint32_t lost_rings;     // vertices that got other triangles since these were made
} frc_body;

/// A block on its way into the tree over blocks.
typedef struct frc_new_block {
    uint32_t block;
    uint32_t near;   // a block that it was part of; FRACAS_NONE: of none
    uint32_t start;  // the node of the tree to begin at
} frc_new_block;

/// All that queries change. They take a const scene and may run at the same time.
typedef struct frc_query_state {
    atomic_uint_fast64_t work_ns;  // of the queries since the last update, estimated
    frc_spare spare;
} frc_query_state;

struct fracas_scene {
    fracas_context* context;
    frc_scene_settings options;
    void* search_data;  // of options.search; released by it
    frc_topology topology;
    frc_handles handles;
    FRC_ARRAY(frc_body) bodies;          // by number
    FRC_ARRAY(frc_body_filter) filters;  // likewise
    frc_ids stale_bodies, moved_bodies;  // always with room for every body
    FRC_ARRAY(frc_block*) blocks;
    frc_ids unused_blocks;
    uint32_t announced;  // blocks that are being built, and have a number
    frc_low* lows;       // by point id
    size_t low_capacity;
    uint8_t* settled;  // by point id: its star is embedded, as far as the body's rings tell
    size_t settled_capacity;
    uint32_t ring_serial;  // the last that was given out
    frc_top_tree top;
    FRC_ARRAY(frc_new_block) new_blocks;  // not in the tree yet
    frc_query_state* query_state;
    FRC_ARRAY(frc_tree_cost) tree_costs;  // by block number; of the rebuild policy, as are:
    frc_ids measured_blocks;
    uint64_t unmeasured_work_ns;  // work of queries since trees were measured
    uint64_t rebuild_count;       // bodies rebuilt by a policy since the scene was created
    bool topology_changed;        // something has split or merged since the last update
    bool updated;                 // nothing has changed since the last update
    frc_siblings siblings;
    frc_cull_states cull_states;
    frc_cull_counts cull_counts;               // of the last update
    double cull_ms, refit_ms, restructure_ms;  // likewise
    frc_trace trace;
};

// ---- bodies (body.c)

/// The record of a handle, or NULL with `*status` and a message.
frc_body* frc_scene_find(const fracas_scene* scene, fracas_body handle, fracas_status* status);
fracas_body frc_scene_handle(const fracas_scene* scene, uint32_t number);
uint32_t frc_body_number(const fracas_scene* scene, const frc_body* body);

/// Room for `count` more bodies in every list of bodies.
bool frc_scene_reserve_bodies(fracas_scene* scene, size_t count);
/// Take a number; needs room. The record is empty.
uint32_t frc_scene_new_body(fracas_scene* scene, const frc_body_filter* filter);
/// Give a record back: its lists and blocks are released, its generation is raised.
void frc_scene_drop_body(fracas_scene* scene, uint32_t number);
/// Destroy a block; its number is free again.
void frc_scene_drop_block(fracas_scene* scene, uint32_t number);
void frc_scene_mark_stale(fracas_scene* scene, uint32_t body);
/// Some point of the body has another place at t = 1 than at t = 0: an advance looks at it.
void frc_scene_mark_under_way(fracas_scene* scene, uint32_t body);
/// The same, and all its boxes are out of date.
void frc_scene_mark_moved(fracas_scene* scene, uint32_t body);

/// Features on their way into and out of the world (features.c). These cannot fail when room was
/// made.
void frc_use_triangle(fracas_scene* scene, frc_body* body, uint32_t id);  // its edges and points
void frc_unuse_triangle(fracas_scene* scene, uint32_t id);
void frc_take_out_triangle(fracas_scene* scene, uint32_t id);  // out of its block; still there
void frc_take_out_edge(fracas_scene* scene, uint32_t id);
void frc_take_out_point(fracas_scene* scene, uint32_t id);
void frc_wait_edge(frc_body* body, uint32_t id);  // into the fresh list
void frc_wait_point(frc_body* body, uint32_t id);

/// Find the adjacent triangles of moved bodies that need not be compared (adjacent_pairs.c). False:
/// no memory.
bool frc_adjacent_pairs_update(fracas_scene* scene);

/// Room in the fresh lists of a body for that many more.
bool frc_body_reserve_fresh(fracas_scene* scene, frc_body* body, size_t triangles, size_t edges,
                            size_t points);

/// x, y, z at t = 0 or 1.
static inline void frc_get_point(const frc_point* p, int end, double out[3]) {
    out[0] = p->x[end], out[1] = p->y[end], out[2] = p->z[end];
}
static inline void frc_set_point(frc_point* p, int end, const double in[3]) {
    // -0 becomes 0: equal positions are then equal bits.
    p->x[end] = in[0] + 0.0, p->y[end] = in[1] + 0.0, p->z[end] = in[2] + 0.0;
}

static inline void frc_pose_apply(const fracas_pose* pose, const double rest[3], double out[3]) {
    const double* r = pose->rotation;
    for (int k = 0; k < 3; k++)
        out[k] = ((r[3 * k] * rest[0] + r[3 * k + 1] * rest[1]) + r[3 * k + 2] * rest[2]) +
                 pose->translation[k];
}
static inline bool frc_is_finite3(const double v[3]) {
    // What is not finite has no difference from itself.
    return (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]) == 0;
}

/// How a new tree is built, or one that the policy rebuilds.
frc_build_options frc_scene_build_options(const fracas_scene* scene, bool rebuild);
frc_world frc_scene_world(const fracas_scene* scene);

/// Is the query valid, and the scene ready for it? `call` is for the message.
fracas_status frc_scene_check_query(const fracas_scene* scene, const fracas_query* query,
                                    uint32_t modes, const char* call);
/// fracas_scene_detect after its checks.
fracas_status frc_scene_detect(const fracas_scene* scene, const frc_world* world,
                               const fracas_query* query, const fracas_sink* sink);

static inline frc_lows frc_scene_lows(const fracas_scene* scene) {
    return (frc_lows){scene->lows, scene->lows};
}
