/// @file summary.h  What all frames of all methods add up to, and how it is printed.
#pragma once
#include "fastcd/story.h"
#include <stdio.h>

typedef struct fastcd_summary {
    double mean;                                  ///< update and query, ms per frame
    double edit, update, cull, traverse, detect;  ///< ms per frame
    double topology;  ///< ms of frames in which the topology changes, on average
    double steady;    ///< the worst of them against the median of the five frames after it
    double box_pairs, candidates, contacts;  ///< per frame
    uint64_t missed, invented;               ///< in all, against `none`
    bool equal;                              ///< every bit of every contact, in every frame
} fastcd_summary;

typedef struct fastcd_table {
    const scenes_scene* scene;
    uint32_t mode;
    const fastcd_method** methods;
    uint32_t method_count, frame_count;
    fastcd_frame* frames;  ///< by method, then frame
    fastcd_summary* summaries;
    uint32_t topology_frames;
} fastcd_table;

/// Keep a frame; `again`: of the times that of the faster round.
void fastcd_record(fastcd_table* table, uint32_t method, uint32_t frame, const fastcd_frame* what,
                   bool again);
void fastcd_summarise(fastcd_table* table);
void fastcd_free(fastcd_table* table);

/// @return whether all sound methods found the same
bool fastcd_print(const fastcd_table* table);
bool fastcd_print_json(const fastcd_table* table);
void fastcd_csv_header(FILE* out);
void fastcd_csv(FILE* out, const fastcd_table* table);
