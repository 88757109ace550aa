/// @file torn.h  What splits cost in a frame in which everything moves, apart from what it costs
/// from then on that there are cracks.
///
/// Every frame is told three times, with the same cracks at the end of it: *torn*, from A to B with
/// its splits; *back*, from B to A without any; *quiet*, from A to B again. Torn and quiet frames
/// have the same points, the same motion and the same cracks: they differ by the splits alone.
#pragma once
#include "edits/edits.h"

typedef struct torn_frame {
    double split;                  ///< the calls
    double torn, back, quiet;      ///< updates; torn with the calls
    double torn_cull, quiet_cull;  ///< culling in them
} torn_frame;

/// Of several rounds the smallest of each.
void torn_keep(torn_frame* kept, const torn_frame* frame, bool again);

/// How it was measured, once for each mode of culling.
typedef struct torn_runs {
    const char* cull;
    const torn_frame* frames;   ///< trees that are kept
    const torn_frame* rebuilt;  ///< trees that are built anew in every update
    uint32_t count;
    double whole, whole_cull;  ///< the update of what has no cracks yet
    double whole_rebuild;      ///< the same with trees that are built anew
} torn_runs;

typedef struct torn_title {
    const char *key, *what;  ///< of JSON; of the table
    uint32_t triangles, splits, rounds;
} torn_title;

void torn_print(const edits_options* o, const torn_title* title, const torn_runs* runs,
                uint32_t run_count);
