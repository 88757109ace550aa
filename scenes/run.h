/// @file run.h  A scene that runs: the bodies that Fracas has, mirrored in pools of points and
/// triangles which the solver moves.
///
/// A point and a triangle keep their place in the pools for life, whichever body they come to
/// belong to, so cutting and joining copy no geometry. A body lists them by the numbers that Fracas
/// knows them by.
#pragma once
#include "scenes.h"
#include "shapes.h"
#include "solver/solver.h"

typedef struct scenes_body {
    fracas_body handle;
    fracas_motion motion;
    uint32_t solid;                  ///< of a rigid body
    uint32_t *vertices, *triangles;  ///< number -> place in the pool; FRACAS_NONE: gone
    uint32_t vertex_count, triangle_count, vertex_room, triangle_room;
    bool gaps;  ///< numbers are not 0, 1, 2, ... any more
    uint32_t *vertex_places,
        *triangle_places;  ///< number -> place within the body, where it has gaps
    fracas_pose pose;      ///< of a rigid body, at the end of the step
} scenes_body;

typedef struct scenes_run {
    fracas_scene* scene;
    solver solver;    ///< has the points
    uint32_t frame;   ///< steps done
    uint64_t edits;   ///< elements that this step's edits listed
    double ms_edits;  ///< spent in calls of Fracas in this step
    double ms_moves;  ///< of that, in move and pose

    uint32_t triangle_count, triangle_room, vertex_room;
    uint32_t* corners;                     ///< three places of points each
    uint32_t* vertex_numbers;              ///< in their bodies
    int32_t *vertex_past, *triangle_past;  ///< where they were in the state before, or -1
    uint32_t *vertex_places,
        *triangle_places;  ///< where they are in the state; FRACAS_NONE: nowhere

    uint32_t body_count, body_room;
    scenes_body* bodies;
    uint32_t *body_of_handle, handle_room;

    // The state, for those outside.
    uint32_t state_vertices, state_triangles, state_room[3];
    uint32_t *vertex_begins, *triangle_begins, *state_corners;
    double* state_points;
    int32_t *state_vertex_parents, *state_triangle_parents;
    fracas_body* handles;
    scenes_body_map* maps;
    double* scratch;
    fracas_move* moves;
    uint32_t scratch_room, move_room;
} scenes_run;

/// The solver is set for steps of `step` seconds and edges about `edge` long.
void scenes_run_start(scenes_run* run, fracas_scene* scene, double step, double edge);
void scenes_run_free(scenes_run* run);

/// Add a body of points that move on their own, each of that lightness. It is the last of
/// run->bodies. The mesh is freed, whatever happens.
fracas_status scenes_run_add_points(scenes_run* run, scenes_mesh* mesh, double lightness);
/// Add a body that is a solid; `density` 0 and FRACAS_MOTION_STATIC rests for ever.
fracas_status scenes_run_add_solid(scenes_run* run, scenes_mesh* mesh, fracas_motion motion,
                                   double density, bool closed);
/// The solid of a body's points.
solver_solid* scenes_run_solid(scenes_run* run, uint32_t body);

/// Split a body and take the pools along. Parts become the last bodies. Points that a split makes
/// belong to no solid: whoever splits one makes new ones, with scenes_run_renew_solid.
fracas_status scenes_run_split(scenes_run* run, uint32_t body, const fracas_split* split);
/// Join body b to body a, which keeps its place; b is gone and later bodies move up.
fracas_status scenes_run_merge(scenes_run* run, uint32_t a, uint32_t b,
                               const fracas_weld_pair* welds, uint32_t weld_count);
/// A new solid from what the body is now. The old ones of its points are the caller's to drop.
fracas_status scenes_run_renew_solid(scenes_run* run, uint32_t body, double density, bool closed);

/// Begin a step: contacts that were found are told to the solver.
void scenes_run_begin(scenes_run* run, const fracas_contact* found, size_t count);
/// Tell Fracas where everything has gone, and make the state.
fracas_status scenes_run_end(scenes_run* run, uint64_t* edits);
/// Only make the state; the end of creation.
fracas_status scenes_run_ready(scenes_run* run);
scenes_state scenes_run_state(const scenes_run* run);
