/// @file run.h  The state of a running scene: its bodies, mirrored in pools of points and triangles
/// that the solver moves.
///
/// Points and triangles never move within the pools, even when they change to another body, so
/// splits and merges copy no geometry. A body maps its element numbers in Fracas to indices into
/// the pools.
#pragma once
#include "scenes.h"
#include "shapes.h"
#include "solver/solver.h"

typedef struct scenes_body {
    fracas_body handle;
    fracas_motion motion;
    uint32_t solid;                  ///< SOLVER_NONE: points that move on their own
    uint32_t *vertices, *triangles;  ///< number -> index in the pool; FRACAS_NONE: removed
    uint32_t vertex_count, triangle_count, vertex_capacity, triangle_capacity;
    bool gaps;  ///< some numbers are removed
    uint32_t *vertex_places,
        *triangle_places;  ///< with gaps: number -> place within the body in scenes_state
    fracas_pose pose;      ///< of a rigid body, at the end of the step
} scenes_body;

typedef struct scenes_run {
    fracas_scene* scene;
    solver solver;    ///< has the points
    uint32_t frame;   ///< steps done
    uint64_t edits;   ///< number of elements listed in the edits of this step
    double ms_edits;  ///< time in calls of Fracas in this step
    double ms_moves;  ///< part of it in move and pose

    uint32_t triangle_count, triangle_capacity, vertex_capacity;
    uint32_t* corners;                     ///< three indices into the pool of points each
    uint32_t* vertex_numbers;              ///< numbers of points in their bodies
    int32_t *vertex_past, *triangle_past;  ///< places in the previous scenes_state, or -1
    uint32_t *vertex_places,
        *triangle_places;  ///< places in scenes_state; FRACAS_NONE: not part of it

    uint32_t body_count, body_capacity;
    scenes_body* bodies;
    uint32_t *body_of_handle, handle_capacity;

    // Arrays that scenes_state points to.
    uint32_t state_vertices, state_triangles, state_capacity[3];
    uint32_t *vertex_begins, *triangle_begins, *state_corners;
    double* state_points;
    int32_t *state_vertex_parents, *state_triangle_parents;
    fracas_body* handles;
    scenes_body_map* maps;
    double* scratch;
    fracas_move* moves;
    uint32_t scratch_capacity, move_capacity;
} scenes_run;

/// Initialise; the solver is configured for steps of `step` seconds and edges of about `edge`
/// metres.
void scenes_run_start(scenes_run* run, fracas_scene* scene, double step, double edge);
void scenes_run_free(scenes_run* run);

/// Add a body of points that move on their own, each with that inverse mass. It becomes the last of
/// run->bodies. The mesh is freed, also on errors.
fracas_status scenes_run_add_points(scenes_run* run, scenes_mesh* mesh, double inverse_mass);
/// Add a body that is a solid; with `density` 0 nothing moves it.
fracas_status scenes_run_add_solid(scenes_run* run, scenes_mesh* mesh, fracas_motion motion,
                                   double density, bool closed);
/// The solid of a body's points.
solver_solid* scenes_run_solid(scenes_run* run, uint32_t body);

/// Split a body and update the pools. Parts become the last bodies. New points belong to no solid:
/// after splitting a solid the caller makes new ones with scenes_run_renew_solid.
fracas_status scenes_run_split(scenes_run* run, uint32_t body, const fracas_split* split);
/// Merge body b into body a, which keeps its index; the indices of bodies after b decrease by one.
fracas_status scenes_run_merge(scenes_run* run, uint32_t a, uint32_t b,
                               const fracas_weld_pair* welds, uint32_t weld_count);
/// Make a new solid of the current triangles of a body. The caller drops the old solids.
fracas_status scenes_run_renew_solid(scenes_run* run, uint32_t body, double density, bool closed);

/// Begin a step: pass the contacts that were found to the solver.
void scenes_run_begin(scenes_run* run, const fracas_contact* found, size_t count);
/// End a step: update scenes_state and pass all motion to Fracas.
fracas_status scenes_run_end(scenes_run* run, uint64_t* edits);
/// Update scenes_state; called at the end of creation.
fracas_status scenes_run_ready(scenes_run* run);
scenes_state scenes_run_state(const scenes_run* run);
