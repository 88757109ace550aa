/// @file track.h  Follows triangles through edits, to tell how far two versions of a scene are from
/// each other.
#pragma once
#include "fastcd/story.h"

/// Triangles by where they stood in the first state, whatever bodies they have come to since.
typedef struct fastcd_track {
    uint32_t count;
    uint32_t* origins;  ///< of the triangles of the latest state; FRACAS_NONE: new
    double* corners;    ///< nine numbers for each origin
} fastcd_track;

void fastcd_track_open(fastcd_track* track, const fastcd_story* story);
void fastcd_track_step(fastcd_track* track, const fastcd_story* story);  ///< after each frame
void fastcd_track_close(fastcd_track* track);

/// How far corners of the same triangles are apart, in the unit of the scene.
typedef struct fastcd_apart {
    double mean, most;
} fastcd_apart;
fastcd_apart fastcd_track_apart(const fastcd_track* a, const fastcd_track* b);
