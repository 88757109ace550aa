/// @file walls.h  The state of the scene breaking-walls, and how its walls are refined and broken.
///
/// A wall is a slab: triangles at the front, the same at the back, a rim between. Cracks go
/// straight through it, so the triangles of the front define them.
#pragma once
#include "run.h"

enum { WALLS_COUNT = 8 };

typedef struct walls_wall {
    uint32_t body;
    double z;  ///< of its middle
    uint32_t face_count;
    uint32_t *fronts, *backs;  ///< numbers of front triangles, and of the triangles behind them
    bool* edge;  ///< the face belongs to a cell at the wall's edge, which never breaks off
    uint32_t vertex_count;
    uint32_t* behind;  ///< front vertex -> vertex behind it; FRACAS_NONE for back vertices
} walls_wall;

typedef struct walls_run {
    scenes_run base;
    uint32_t nx, ny;
    double cell;
    double impact[2];  ///< x and y of the impact of the ball
    walls_wall walls[WALLS_COUNT];
} walls_run;

/// Fill the lists of front faces and vertices of a new slab. False when there is no memory.
bool walls_create_front(walls_run* run, walls_wall* wall);
void walls_free_front(walls_wall* wall);

/// Divide the cells around the impact into eight triangles each, as one split in place.
fracas_status walls_refine(walls_run* run, walls_wall* wall);

/// Break the wall around the impact. Pieces become the last bodies; the wall's edge stays in place.
fracas_status walls_break(walls_run* run, walls_wall* wall, uint32_t seed);
