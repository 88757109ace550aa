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
#include "scene/siblings.h"
#include "scene/trace.h"

typedef FRC_ARRAY(uint32_t) frc_ids;

/// Bodies that a worker takes at a time when something is asked of each: to fetch them from memory
/// is what takes time, some tenths of a microsecond each.
enum { FRC_BODIES_EACH = 32 };

/// When trees are rebuilt. frc_rebuild_selective (restructure.h) is the default; src/published has
/// others.
typedef struct frc_rebuild_policy {
    /// At the start of an update: mark bodies whose trees are rebuilt, by frc_body.worn. NULL:
    /// none.
    void (*begin)(fracas_scene* scene);
    /// After blocks were refitted: rebuild subtrees, and refit them. False: no memory. NULL: none.
    bool (*refitted)(fracas_scene* scene, const frc_ids* blocks);
} frc_rebuild_policy;

/// How frc_rebuild_selective measures a subtree: TC is the default.
typedef enum frc_quality_measure { FRC_QUALITY_TC, FRC_QUALITY_LM } frc_quality_measure;

/// How a scene works: from fracas_scene_options, or all of it from src/published.
typedef struct frc_scene_settings {
    uint32_t modes;       // what an update prepares for
    frc_builder builder;  // of bodies that are added
    frc_builder rebuild;  // of every later build
    bool inherit;         // parts that break off keep the order of the tree they were in
    uint32_t grid_levels, grid_stop;
    const frc_rebuild_policy* policy;  // when trees are rebuilt
    frc_quality_measure metric;
    double restructure_share;  // of the cost of queries, for rebuilding
    bool calibrate;
    const frc_search_method* search;  // how pairs are found
    const frc_cull_criterion* cull;   // NULL: nothing is culled
} frc_scene_settings;

frc_scene_settings frc_scene_default_settings(const fracas_scene_options* options);
/// Check public options. Fails with a message.
fracas_status frc_scene_check_options(fracas_context* context, const fracas_scene_options* options);
fracas_status frc_scene_create(fracas_context* context, const frc_scene_settings* settings,
                               fracas_scene** out);

/// Trees that were made quickly: a better one may pay.
typedef enum frc_provisional {
    FRC_PROVISIONAL_CHEAP,      // by a builder that costs less
    FRC_PROVISIONAL_INHERITED,  // from the order of another tree
    FRC_PROVISIONAL_COUNT
} frc_provisional;

typedef struct frc_body {
    bool moved;           // t1 may differ from t0
    bool stale;           // in the scene's stale list
    bool worn;            // to be rebuilt as a whole
    bool tired;           // the same, when enough of them are: see restructure.c
    bool ripe;            // and well, see provisional.c
    frc_provisional was;  // what its tree was then
    float visits_before;  // and what it was expected to cost; 0: it was none
    bool built;           // it has been in blocks before, or what it broke off has
    bool fit;             // its points have moved since the last update: all boxes are out of date
    uint32_t stale_at, moved_at;  // where it stands in the scene's lists
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
    bool added;              // since the latest update, and not by breaking off
    bool calm;               // nothing was fresh at the latest update
    frc_vertex_rings rings;  // settle.c
    uint32_t lost_rings;     // vertices that got other triangles since these were made
} frc_body;

/// A block on its way into the tree over blocks.
typedef struct frc_new_block {
    uint32_t block;
    uint32_t near;   // a block that it was part of; FRACAS_NONE: of none
    uint32_t start;  // the node of the tree to begin at
} frc_new_block;

/// What things cost, in nanoseconds or what is taken for them.
typedef struct frc_prices {
    double build;            // of a tree over N triangles, for each N log2 N
    double build_whole;      // the same, of a whole body
    double build_well;       // and of a tree that is to last
    double visit;            // of one node in a query, with all that hangs on it
    uint32_t smallest_part;  // triangles: less is neither looked at nor built anew
} frc_prices;

/// What the queries since the last update have cost, and what they keep. Queries have a const scene
/// and may run at once: this is all that they change.
typedef struct frc_work_done {
    atomic_uint_fast64_t sum;  // nanoseconds, or what is taken for them
    frc_spare spare;
    frc_served* served;  // by block; NULL: not counted
    size_t served_capacity;
} frc_work_done;

/// What restructuring has done, since the scene was created.
typedef struct frc_restructured {
    uint64_t parts, triangles, did_not_fit;
    uint64_t wholes;       // trees of bodies that were tired
    double hoped, gained;  // cost that rebuilding lately was to save, and has saved
    // Trees that were made quickly and have been built well since.
    uint64_t renewed, renewed_triangles;
    uint64_t well_born;  // pieces that were built well at once
    uint32_t chosen;     // trees to be built well of which nothing has been learned yet
    uint32_t queried;    // updates before which there was a query
    double
        share[FRC_PROVISIONAL_COUNT];  // of the visits that this has saved lately, by what it was
    double spent;                      // of this update's budget
    uint32_t tired, tired_for;         // bodies; updates since the first of them
    double tired_price, budget;        // what building them costs; of the last update
    bool tired_go;                     // they are built in this update
    double left, saved;                // of this one's and of earlier ones', for what waits
} frc_restructured;

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
    frc_top top;
    FRC_ARRAY(frc_new_block) new_blocks;  // not in the tree yet
    frc_prices prices;
    frc_work_done* work_done;
    frc_restructured restructured;
    bool topology_changed;  // something has split or merged since the last update
    bool updated;           // nothing has changed since the last update
    frc_siblings siblings;
    frc_cull_room cull_room;
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
/// Its tree is new: it is no longer among those that wait for one (restructure.c).
void frc_scene_refresh(fracas_scene* scene, frc_body* body);
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

/// Which pairs of neighbouring triangles need no comparing, for bodies that moved (settle.c).
/// False: no memory.
bool frc_scene_settle(fracas_scene* scene);

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

/// How a body is built that was `built` before, or was not.
frc_build_options frc_scene_build_options(const fracas_scene* scene, bool built);
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
