/// @file frame_times.h  Separates the cost of splits from the cost of the cracks they leave, in
/// frames in which all points move.
///
/// Every frame is run three times, each run ending with the same cracks: *torn* moves from A to B
/// with the splits of the frame; *back* moves from B to A without splits; *quiet* moves from A to B
/// without splits. Torn and quiet runs end with the same points, motion and cracks, so the
/// difference of their times is the cost of the splits.
#pragma once
#include "edits/edits.h"

typedef struct frame_times {
    double split;                  ///< ms in fracas_scene_split
    double torn, back, quiet;      ///< ms in updates; torn includes `split`
    double torn_cull, quiet_cull;  ///< ms of culling in these updates
} frame_times;

/// Keep the minimum of each time over the rounds; `again`: not the first round.
void frame_times_keep(frame_times* kept, const frame_times* frame, bool again);

/// All frames with one mode of culling.
typedef struct frame_times_runs {
    const char* cull;
    const frame_times* frames;   ///< trees are refitted
    const frame_times* rebuilt;  ///< trees are rebuilt from scratch in every update
    uint32_t count;
    double whole, whole_cull;  ///< update of the body without cracks, ms; culling in it
    double whole_rebuild;      ///< the same with trees rebuilt from scratch
} frame_times_runs;

typedef struct frame_times_title {
    const char *key, *what;  ///< key in JSON; words in the heading of the table
    uint32_t triangles, splits, rounds;
} frame_times_title;

void frame_times_print(const edits_options* o, const frame_times_title* title,
                       const frame_times_runs* runs, uint32_t run_count);
