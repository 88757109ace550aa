/// @file track.h  Follows triangles through edits, to measure the distance between two versions of
/// a scene.
#pragma once
#include "fastcd/run.h"

/// Current corners of all triangles, indexed by their number in the first state.
typedef struct fastcd_track {
    uint32_t count;
    uint32_t* origins;  ///< current triangle -> its number in the first state; FRACAS_NONE: new
    double* corners;    ///< nine coordinates per triangle of the first state
} fastcd_track;

void fastcd_track_open(fastcd_track* track, const fastcd_run* run);
void fastcd_track_step(fastcd_track* track, const fastcd_run* run);  ///< after each frame
void fastcd_track_close(fastcd_track* track);

/// Distances between corners of the same triangles in two versions, in the unit of the scene.
typedef struct fastcd_apart {
    double mean, most;
} fastcd_apart;
fastcd_apart fastcd_track_apart(const fastcd_track* a, const fastcd_track* b);
