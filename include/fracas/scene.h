/// @file scene.h  A scene of bodies that deform, move and break: edit it, update it, ask it for
/// contacts.
///
/// A step runs from t = 0 to t = 1 and every point moves in a straight line. The order of a frame
/// is edits and moves, fracas_scene_update, queries, fracas_scene_advance. Queries take a const
/// scene and may run from several threads at once; calls with a non-const scene need it for
/// themselves. A call that fails leaves the scene as it was;
/// fracas_context_get_message says what was wrong and where.
#pragma once
#include "fracas/contact.h"
#include "fracas/mesh.h"

typedef struct fracas_scene fracas_scene;

/// What the trees of a scene are built for. The contacts are the same with each.
typedef enum fracas_build_quality {
    FRACAS_BUILD_QUALITY_FAST_QUERY = 0,  ///< default: better trees, slower to build
    FRACAS_BUILD_QUALITY_FAST_BUILD = 1   ///< for bodies that are added often or queried seldom
} fracas_build_quality;

/// Start from fracas_scene_default_options(); a NULL pointer means exactly that.
typedef struct fracas_scene_options {
    uint32_t struct_size;
    uint32_t modes;  ///< what fracas_scene_update prepares for: FRACAS_MODE_DISCRETE,
                     ///< FRACAS_MODE_CONTINUOUS or both
    fracas_build_quality quality;
} fracas_scene_options;

FRACAS_API fracas_scene_options fracas_scene_default_options(void);

FRACAS_API fracas_status fracas_scene_create(fracas_context* context,
                                             const fracas_scene_options* options,
                                             fracas_scene** out);
FRACAS_API void fracas_scene_destroy(fracas_scene* scene);  ///< NULL is allowed

// ---- bodies

typedef enum fracas_motion {
    FRACAS_MOTION_DEFORMING = 0,  ///< every point moves on its own: fracas_scene_move
    FRACAS_MOTION_RIGID =
        1,  ///< points are given in the body's frame and placed by fracas_scene_pose
    FRACAS_MOTION_STATIC = 2  ///< never moves
} fracas_motion;

/// x -> rotation * x + translation, rows first. The rotation is not checked to be one: a pose only
/// saves the caller the sums, in this order: ((r0 x + r1 y) + r2 z) + t, each rounded to double.
typedef struct fracas_pose {
    double rotation[9];
    double translation[3];
} fracas_pose;

FRACAS_API fracas_pose fracas_pose_make_identity(void);

/// Bodies a and b are tested against each other when a's group meets b's mask and b's group meets
/// a's.
typedef struct fracas_body_options {
    uint32_t struct_size;
    fracas_motion motion;
    uint32_t group;       ///< bits; default 1
    uint32_t mask;        ///< bits; default all
    bool self_collision;  ///< default true
    fracas_pose pose;     ///< where a rigid body starts; default identity
} fracas_body_options;

FRACAS_API fracas_body_options fracas_body_default_options(void);

/// Add a body, at rest at the given positions. The mesh is copied. Vertices and triangles keep the
/// numbers they have in `mesh` for the life of the body, whatever is removed or split off.
FRACAS_API fracas_status fracas_scene_add(fracas_scene* scene, const fracas_mesh_view* mesh,
                                          const fracas_body_options* options, fracas_body* out);
FRACAS_API fracas_status fracas_scene_remove(fracas_scene* scene, fracas_body body);

/// Where the points of a deforming body are at t = 1; where they are at t = 0 stays. `points` has
/// one point for every vertex number of the body; those of vertices that are gone are not looked
/// at.
FRACAS_API fracas_status fracas_scene_move(fracas_scene* scene, fracas_body body,
                                           const fracas_points* points_t1);

/// Where a rigid body is at both ends of the step. In between every point moves in a straight line.
FRACAS_API fracas_status fracas_scene_pose(fracas_scene* scene, fracas_body body,
                                           const fracas_pose* pose_t0, const fracas_pose* pose_t1);

/// Where one body of many goes. Its motion says what of this is looked at.
typedef struct fracas_move {
    fracas_body body;
    fracas_points points_t1;       ///< of a deforming one, as for fracas_scene_move
    fracas_pose pose_t0, pose_t1;  ///< of a rigid one, as for fracas_scene_pose
} fracas_move;

/// The same for many bodies at once: all workers take part, however small each body is. Either all
/// move or, where one cannot, none does. Each body once, and none that is static.
FRACAS_API fracas_status fracas_scene_move_many(fracas_scene* scene, const fracas_move* moves,
                                                size_t count);

/// The end of the step becomes the start of the next: everything is at rest where it was at t = 1.
FRACAS_API fracas_status fracas_scene_advance(fracas_scene* scene);

/// Prepare queries: fit and build trees. What has not changed costs nothing.
FRACAS_API fracas_status fracas_scene_update(fracas_scene* scene);

/// What the last fracas_scene_update that had something to do did. Times are wall-clock
/// milliseconds.
typedef struct fracas_update_statistics {
    uint64_t cull_tried, cull_certified;  ///< nodes tested; those that cannot self-collide
    double ms_refit;                      ///< fitting boxes to points
    double ms_restructure;                ///< building and rebuilding trees
    double ms_cull;                       ///< finding nodes that cannot self-collide
} fracas_update_statistics;
FRACAS_API fracas_status fracas_scene_get_update_statistics(const fracas_scene* scene,
                                                            fracas_update_statistics* out);

typedef struct fracas_body_info {
    fracas_motion motion;
    uint32_t vertex_numbers, triangle_numbers;  ///< one more than the largest number ever given
    uint32_t vertices, triangles;               ///< that are there now
    uint32_t free_edges, free_vertices;
} fracas_body_info;
FRACAS_API fracas_status fracas_scene_get_body(const fracas_scene* scene, fracas_body body,
                                               fracas_body_info* out);

/// Corners of a triangle. @return FRACAS_ERROR_BAD_DATA when there is no such triangle (any more).
FRACAS_API fracas_status fracas_scene_get_triangle(const fracas_scene* scene, fracas_body body,
                                                   uint32_t triangle, uint32_t corners[3]);
/// Where a vertex is at both ends of the step. @return FRACAS_ERROR_BAD_DATA when it is not there
/// (any more).
FRACAS_API fracas_status fracas_scene_get_vertex(const fracas_scene* scene, fracas_body body,
                                                 uint32_t vertex, double t0[3], double t1[3]);

// ---- breaking and joining (docs/scene.md has pictures)

/// A vertex that a split makes. With parents it lies at (1 - weight) * a + weight * b at both ends
/// of the step (at a, when parent_b is FRACAS_NONE) and the vertices made of one parent alone are
/// its siblings.
/// For a rigid body t0 is in the body's frame and t1 is not looked at.
typedef struct fracas_new_vertex {
    uint32_t parent_a, parent_b;  ///< FRACAS_NONE, FRACAS_NONE: t0 and t1 say where it is
    double weight;                ///< 0 to 1
    double t0[3], t1[3];          ///< of a rigid body only t0, in the body's frame
} fracas_new_vertex;

/// Corner 0, 1 or 2 of a triangle now is another vertex.
typedef struct fracas_repoint {
    uint32_t triangle, corner, vertex;
} fracas_repoint;

/// What a split changes; what is not listed stays as it is and keeps the body's handle. New
/// vertices get the numbers that follow the body's last, in order, and may be used in the lists
/// below; so do new triangles. With no leaving part it is a cut in place.
typedef struct fracas_split {
    uint32_t struct_size;
    uint32_t new_vertex_count;
    const fracas_new_vertex* new_vertices;
    const fracas_repoint* repoints;
    uint32_t repoint_count;
    uint32_t new_triangle_count;
    const uint32_t* new_triangles;  ///< crack faces, three vertices each
    const uint32_t* removed_triangles;
    uint32_t removed_triangle_count;
    uint32_t part_count;           ///< parts that leave
    const uint32_t* part_offsets;  ///< part_count + 1: part p has part_triangles[part_offsets[p] ..
    const uint32_t*
        part_triangles;  ///< .. part_offsets[p + 1]], at least one; new triangles may be among them
} fracas_split;

FRACAS_API fracas_split fracas_scene_default_split(void);

/// Break a body. `parts` receives one handle for each leaving part. A part's vertices and triangles
/// are numbered anew: triangles as listed, vertices by their old numbers. A part takes over motion,
/// group, mask. Costs what it lists (amortised), not what the body holds.
/// @return FRACAS_ERROR_BAD_DATA when a part that leaves shares a vertex with what stays or with
/// another part.
FRACAS_API fracas_status fracas_scene_split(fracas_scene* scene, fracas_body body,
                                            const fracas_split* split, fracas_body* parts);

/// A split made from labels: triangle t goes to part labels[t] - 1, or stays where labels[t] is 0.
/// Vertices along the crack are duplicated; the side with the smaller label keeps the vertex.
typedef struct fracas_split_plan fracas_split_plan;
FRACAS_API fracas_status fracas_split_plan_create(const fracas_scene* scene, fracas_body body,
                                                  const uint32_t* labels, uint32_t label_count,
                                                  fracas_split_plan** out);
FRACAS_API const fracas_split* fracas_split_plan_get_split(const fracas_split_plan* plan);
FRACAS_API void fracas_split_plan_destroy(fracas_split_plan* plan);  ///< NULL is allowed

/// Two vertices that become one: the first named. `body_a` and `body_b` are positions in `bodies`.
typedef struct fracas_weld_pair {
    uint32_t body_a, vertex_a, body_b, vertex_b;
} fracas_weld_pair;

typedef struct fracas_merge {
    uint32_t struct_size;
    uint32_t weld_count;
    const fracas_weld_pair* welds;
    uint32_t*
        vertex_map;  ///< may be NULL; for all vertex numbers of all bodies in order, the new number
    uint32_t* triangle_map;  ///< likewise; FRACAS_NONE for what was not there
} fracas_merge;

FRACAS_API fracas_merge fracas_scene_default_merge(void);

/// Join bodies into the first, which keeps its handle and its numbers; the numbers of the others
/// follow. Costs what the bodies after the first hold: list the largest first.
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

/// Where an element that was there at the last fracas_scene_advance (or creation) is now, after any
/// number of edits. `now->body` is zero when it is gone.
FRACAS_API fracas_status fracas_scene_trace(const fracas_scene* scene, const fracas_element* old,
                                            fracas_element* now);

// ---- queries

/// Report the contacts that `query` asks for, sorted; the same on any number of threads.
FRACAS_API fracas_status fracas_scene_detect(const fracas_scene* scene, const fracas_query* query,
                                             const fracas_sink* sink);

/// Report every vertex–face and edge–edge pair without a common vertex whose distance at t = 1 is
/// at most `distance`, with the closest points (see fracas_query.min_separation for what "at most"
/// means).
FRACAS_API fracas_status fracas_scene_nearby(const fracas_scene* scene, double distance,
                                             const fracas_sink* sink);

/// The largest fraction of the step that is safe: no contact (of `query`, continuous) before it. 1
/// when there is none in the whole step. Much cheaper than detecting all contacts.
FRACAS_API fracas_status fracas_scene_max_step(const fracas_scene* scene, const fracas_query* query,
                                               double* out);
