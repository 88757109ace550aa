/// @file wall.h  The state of the scene `wall`, shared by wall.c and wall_break.c.
#pragma once
#include "scenes.h"

/// A body that flies and falls: position and orientation, velocities per step.
typedef struct wall_piece {
    double centre[3];  ///< mean of the points at rest
    double position[3], velocity[3];
    double rotation[4], spin[3];  ///< a unit quaternion, real part first; radians
} wall_piece;

enum { WALL_GROUND, WALL_BALL, WALL_WALL };  // indices of bodies; pieces begin at WALL_WALL

typedef struct wall_run {
    fracas_scene* scene;
    uint32_t nx, ny;  ///< cells of the wall
    double cell;
    bool broken;
    uint32_t body_count;
    fracas_body* bodies;
    wall_piece* pieces;
    uint32_t *vertex_begins, *triangle_begins;
    double *points, *rest;
    uint32_t* triangles;
    int32_t *vertex_parents, *triangle_parents;
    bool stepped;
    double ms_edits;
} wall_run;

/// Allocate the arrays of an empty run. After false, wall_free_bodies frees those that exist.
bool wall_make_bodies(wall_run* run, uint32_t bodies, uint32_t vertices, uint32_t triangles);
void wall_free_bodies(wall_run* run);

/// Break the wall into pieces around the ball. The run's bodies are replaced.
fracas_status wall_break(wall_run* run, uint64_t* edits);
