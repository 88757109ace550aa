/// @file scene.h  A scene of bodies that deform, move and break: edits, update, queries.
///
/// A step runs from t = 0 to t = 1; every point moves in a straight line. The order of a frame is
/// edits and moves, fracas_scene_update, queries, fracas_scene_advance. Queries take a const scene
/// and may run on several threads at once; a call with a non-const scene must be the only one. A
/// call that fails leaves the scene unchanged; fracas_context_get_message returns the reason.
#pragma once
#include "fracas/contact.h"
#include "fracas/mesh.h"
#include "fracas/pose.h"

typedef struct fracas_scene fracas_scene;

/// How the trees of a scene are built. The contacts are the same with each.
typedef enum fracas_build_quality {
    /// Default: better trees, slower to build.
    FRACAS_BUILD_QUALITY_FAST_QUERY = 0,
    /// For bodies that are added often or queried rarely.
    FRACAS_BUILD_QUALITY_FAST_BUILD = 1
} fracas_build_quality;

/// Start from fracas_scene_default_options(); a NULL pointer means exactly that.
typedef struct fracas_scene_options {
    /// Filled in by fracas_scene_default_options; detects uninitialised options.
    uint32_t struct_size;
    /// Modes that queries may use, bits of fracas_mode; default FRACAS_MODE_BOTH.
    uint32_t modes;
    fracas_build_quality quality;
} fracas_scene_options;

FRACAS_API fracas_scene_options fracas_scene_default_options(void);

/// On any error `*out` is NULL.
FRACAS_API fracas_status fracas_scene_create(fracas_context* context,
                                             const fracas_scene_options* options,
                                             fracas_scene** out);
/// NULL is allowed.
FRACAS_API void fracas_scene_destroy(fracas_scene* scene);

// ---- bodies

typedef enum fracas_motion {
    /// Each point is moved by fracas_scene_move.
    FRACAS_MOTION_DEFORMING = 0,
    /// Points are given in the frame of the body, which fracas_scene_pose moves.
    FRACAS_MOTION_RIGID = 1,
    /// Never moves.
    FRACAS_MOTION_STATIC = 2
} fracas_motion;

/// Start from fracas_body_default_options(); a NULL pointer means exactly that.
/// Two bodies are tested against each other when each one's group has a bit of the other's mask.
typedef struct fracas_body_options {
    /// Filled in by fracas_body_default_options; detects uninitialised options.
    uint32_t struct_size;
    fracas_motion motion;
    /// Default 1.
    uint32_t group;
    /// Default: all bits.
    uint32_t mask;
    /// Default true.
    bool self_collision;
    /// Initial pose of a rigid body; default identity.
    fracas_pose pose;
    /// Finite, at least 0; default 0. fracas_scene_set_thickness explains it.
    double thickness;
    /// Stored for the caller, and never read: fracas_body_info returns it. Default NULL.
    void* user;
} fracas_body_options;

FRACAS_API fracas_body_options fracas_body_default_options(void);

/// Add a body, at rest at the given positions. The mesh is copied. Vertices and triangles keep
/// their numbers for the life of the body, even when others are removed or split off. Progress is
/// reported, and cancelling checked, every 65536 triangles. On any error `*out` is zero.
FRACAS_API fracas_status fracas_scene_add(fracas_scene* scene, const fracas_mesh_view* mesh,
                                          const fracas_body_options* options, fracas_body* out);
/// The body is as thick as this on each side of its surface: in continuous queries, nearby pairs
/// and candidates two bodies are in contact when their distance is at most the sum of their
/// thicknesses and of the distance of the query. Discrete queries see the surface only. A part that
/// breaks off has the thickness of its body. Needs no update.
FRACAS_API fracas_status fracas_scene_set_thickness(fracas_scene* scene, fracas_body body,
                                                    double thickness);
FRACAS_API fracas_status fracas_scene_remove(fracas_scene* scene, fracas_body body);

/// Set the positions of a deforming body at t = 1; those at t = 0 do not change. `points_t1` has
/// one point for every vertex number of the body; points of removed vertices are ignored.
FRACAS_API fracas_status fracas_scene_move(fracas_scene* scene, fracas_body body,
                                           const fracas_points* points_t1);

/// Set the poses of a rigid body at t = 0 and t = 1. Between them every point moves in a straight
/// line.
FRACAS_API fracas_status fracas_scene_pose(fracas_scene* scene, fracas_body body,
                                           const fracas_pose* pose_t0, const fracas_pose* pose_t1);

typedef enum fracas_move_kind {
    /// Of a deforming body.
    FRACAS_MOVE_POINTS = 0,
    /// Of a rigid body.
    FRACAS_MOVE_POSE = 1
} fracas_move_kind;

/// The move of one body. `kind` selects the member of the union and must fit the body's motion.
typedef struct fracas_move {
    fracas_body body;
    fracas_move_kind kind;
    union {
        /// FRACAS_MOVE_POINTS: as for fracas_scene_move.
        fracas_points points_t1;
        /// FRACAS_MOVE_POSE: at t = 0 and t = 1, as for fracas_scene_pose.
        fracas_pose poses[2];
    };
} fracas_move;

/// Move many bodies in one call, with all workers. On any error no body is moved. Each body may
/// occur once; a static body may not occur.
FRACAS_API fracas_status fracas_scene_move_many(fracas_scene* scene, const fracas_move* moves,
                                                size_t count);

/// Start the next step: every body is at rest at its positions of t = 1.
FRACAS_API fracas_status fracas_scene_advance(fracas_scene* scene);

/// Prepare for queries: refit and build trees. Bodies that have not changed cost nothing. Progress
/// is reported after each step of the work, if the changed bodies have 65536 triangles or more.
FRACAS_API fracas_status fracas_scene_update(fracas_scene* scene);

/// Work of one update. Times are wall-clock milliseconds.
typedef struct fracas_update_statistics {
    /// Tree nodes tested for self-collision, and nodes that are proven to have none.
    uint64_t cull_tried, cull_certified;
    /// Refitting boxes to points.
    double ms_refit;
    /// Building and rebuilding the trees of bodies.
    double ms_restructure;
    /// Testing nodes for self-collision.
    double ms_cull;
    /// Zero; reserved for later versions.
    uint64_t reserved[8];
} fracas_update_statistics;

/// Statistics of the last update that had work to do; all zero before the first.
FRACAS_API fracas_status fracas_scene_get_update_statistics(const fracas_scene* scene,
                                                            fracas_update_statistics* out);

typedef struct fracas_body_info {
    /// Of fracas_body_options or fracas_scene_set_user.
    void* user;
    double thickness;
    fracas_motion motion;
    /// One more than the largest number ever assigned.
    uint32_t vertex_numbers, triangle_numbers;
    /// Current counts.
    uint32_t vertices, triangles;
    uint32_t free_edges, free_vertices;
    /// Zero; reserved for later versions.
    uint32_t reserved[9];
} fracas_body_info;
FRACAS_API fracas_status fracas_scene_get_body(const fracas_scene* scene, fracas_body body,
                                               fracas_body_info* out);

/// Replace the user pointer of a body. Queries need no update after it.
FRACAS_API fracas_status fracas_scene_set_user(fracas_scene* scene, fracas_body body, void* user);

/// Vertices of a triangle. @return FRACAS_ERROR_BAD_DATA when there is no such triangle.
FRACAS_API fracas_status fracas_scene_get_triangle(const fracas_scene* scene, fracas_body body,
                                                   uint32_t triangle, uint32_t corners[3]);
/// Positions of a vertex at both ends of the step; `t0` and `t1` may be NULL.
/// @return FRACAS_ERROR_BAD_DATA when there is no such vertex.
FRACAS_API fracas_status fracas_scene_get_vertex(const fracas_scene* scene, fracas_body body,
                                                 uint32_t vertex, double t0[3], double t1[3]);

// ---- breaking and joining (docs/scene.md has pictures)

/// A vertex that a split adds. With parents its position is (1 - weight) * a + weight * b at both
/// ends of the step, or that of a if parent_b is FRACAS_NONE; then it is a sibling of a.
typedef struct fracas_new_vertex {
    /// Both FRACAS_NONE: t0 and t1 are its positions.
    uint32_t parent_a, parent_b;
    /// 0 to 1.
    double weight;
    /// Of a rigid body: t0 is in the frame of the body, t1 is ignored.
    double t0[3], t1[3];
} fracas_new_vertex;

/// Replaces the vertex at corner 0, 1 or 2 of a triangle.
typedef struct fracas_repoint {
    uint32_t triangle, corner, vertex;
} fracas_repoint;

/// The changes of a split. Elements that are not listed stay in the body, which keeps its handle.
/// New vertices and new triangles get the numbers after the last ones, in order; the lists below
/// may use these numbers. Without parts the split is a cut in place.
/// Start from fracas_scene_default_split().
typedef struct fracas_split {
    /// Filled in by fracas_scene_default_split; detects an uninitialised split.
    uint32_t struct_size;
    uint32_t new_vertex_count;
    const fracas_new_vertex* new_vertices;
    const fracas_repoint* repoints;
    uint32_t repoint_count;
    uint32_t new_triangle_count;
    /// Crack faces, three vertices each.
    const uint32_t* new_triangles;
    const uint32_t* removed_triangles;
    uint32_t removed_triangle_count;
    /// Parts that leave the body.
    uint32_t part_count;
    /// part_count + 1 of them: the triangles of part p are part_triangles[part_offsets[p]] to
    /// part_triangles[part_offsets[p + 1] - 1], at least one; new triangles may be among them.
    const uint32_t* part_offsets;
    const uint32_t* part_triangles;
} fracas_split;

FRACAS_API fracas_split fracas_scene_default_split(void);

/// Break a body. `parts` receives one handle for each part; it may be NULL without parts. The
/// elements of a part get new numbers: triangles as listed, vertices in the order of their old
/// numbers. A part has the motion, pose, group, mask, self_collision and user pointer of the body.
/// The cost is that of the listed elements (amortised), not of the body.
/// @return FRACAS_ERROR_BAD_DATA when a part shares a vertex with the body or with another part.
FRACAS_API fracas_status fracas_scene_split(fracas_scene* scene, fracas_body body,
                                            const fracas_split* split, fracas_body* parts);

/// A split made from labels: triangle t moves to part labels[t] - 1, or stays in the body if
/// labels[t] is 0. Vertices along the crack are duplicated; the side with the smaller label keeps
/// the vertex.
typedef struct fracas_split_plan fracas_split_plan;

/// On any error `*out` is NULL.
FRACAS_API fracas_status fracas_split_plan_create(const fracas_scene* scene, fracas_body body,
                                                  const uint32_t* labels, uint32_t label_count,
                                                  fracas_split_plan** out);
/// Valid while the plan lives. NULL for a NULL plan.
FRACAS_API const fracas_split* fracas_split_plan_get_split(const fracas_split_plan* plan);
/// NULL is allowed.
FRACAS_API void fracas_split_plan_destroy(fracas_split_plan* plan);

/// The first vertex replaces the second. `body_a` and `body_b` are indices in `bodies`.
typedef struct fracas_weld_pair {
    uint32_t body_a, vertex_a, body_b, vertex_b;
} fracas_weld_pair;

/// Start from fracas_scene_default_merge(); a NULL pointer means exactly that.
typedef struct fracas_merge {
    /// Filled in by fracas_scene_default_merge; detects an uninitialised merge.
    uint32_t struct_size;
    uint32_t weld_count;
    const fracas_weld_pair* welds;
    /// NULL, or receives the new number of every vertex number of all bodies in order; FRACAS_NONE
    /// for removed vertices.
    uint32_t* vertex_map;
    /// The same for triangles.
    uint32_t* triangle_map;
} fracas_merge;

FRACAS_API fracas_merge fracas_scene_default_merge(void);

/// Join bodies into the first, which keeps its handle and its numbers; the numbers of the others
/// follow. The cost is that of the bodies after the first: list the largest first. `*out` is the
/// handle of the first body.
FRACAS_API fracas_status fracas_scene_merge(fracas_scene* scene, const fracas_body* bodies,
                                            uint32_t body_count, const fracas_merge* merge,
                                            fracas_body* out);

typedef enum fracas_element_kind {
    FRACAS_ELEMENT_VERTEX = 0,
    FRACAS_ELEMENT_TRIANGLE = 1
} fracas_element_kind;
typedef struct fracas_element {
    fracas_body body;
    fracas_element_kind kind;
    uint32_t index;
} fracas_element;

/// Follow an element, named as at the last fracas_scene_advance, through all edits since.
/// `now->body` is zero when it has been removed.
FRACAS_API fracas_status fracas_scene_trace(const fracas_scene* scene, const fracas_element* old,
                                            fracas_element* now);

// ---- queries

/// Report the contacts that `query` selects, sorted; the same for any number of threads.
FRACAS_API fracas_status fracas_scene_detect(const fracas_scene* scene, const fracas_query* query,
                                             const fracas_sink* sink);

/// Report every vertex–face and edge–edge pair without a common vertex whose distance at t = 1 is
/// at most `distance`, with the closest points (fracas_query.min_separation defines "at most").
FRACAS_API fracas_status fracas_scene_nearby(const fracas_scene* scene, double distance,
                                             const fracas_sink* sink);

/// The largest safe fraction of the step: there is no contact of the continuous query before it. 1
/// when there is none in the whole step; at most t_max of the query. Much cheaper than detecting
/// all contacts.
FRACAS_API fracas_status fracas_scene_max_step(const fracas_scene* scene, const fracas_query* query,
                                               double* out);
