/// @file walls.h  What the files of breaking-walls share: walls, how they are refined and how they
/// break.
///
/// A wall is a slab: triangles at the front, the same at the back, a rim between. It is cut
/// straight through, so a crack is known by the front alone.
#pragma once
#include "run.h"

enum { WALLS_COUNT = 8 };

typedef struct walls_wall {
    uint32_t body;
    double z;  ///< of its middle
    /// The front: triangles by number, each with the one behind it, and vertices with the one
    /// behind.
    uint32_t face_count;
    uint32_t *fronts, *backs;
    bool* edge;  ///< belongs to a cell at the wall's edge, which never breaks off
    uint32_t vertex_count;
    uint32_t* behind;  ///< by number; FRACAS_NONE for those at the back
} walls_wall;

typedef struct walls_run {
    scenes_run base;
    uint32_t nx, ny;
    double cell;
    double impact[2];  ///< where the ball strikes, x and y
    walls_wall walls[WALLS_COUNT];
} walls_run;

/// Know the wall's front, as the slab was made. False without memory.
bool walls_know(walls_run* run, walls_wall* wall);
void walls_forget(walls_wall* wall);

/// Cut the cells around the impact into eight triangles each, as one split in place.
fracas_status walls_refine(walls_run* run, walls_wall* wall);

/// Break the wall around the impact. Pieces become the last bodies; the wall's edge keeps standing.
fracas_status walls_break(walls_run* run, walls_wall* wall, uint32_t seed);
