/// @file summary.h  What all frames of all methods add up to, and how it is printed.
#pragma once
#include "fastcd/story.h"
#include <stdio.h>

/// Where the time of a frame goes: fractions of edits, update and query, which add up to 1.
typedef enum fastcd_part {
    FASTCD_EDIT,      ///< calls that tell what moved and broke, advance
    FASTCD_UPDATE,    ///< refitting, restructuring, building what is new
    FASTCD_CULL,      ///< of the update, apart
    FASTCD_TRAVERSE,  ///< boxes
    FASTCD_NARROW,    ///< triangles, edges and points
    FASTCD_REST,      ///< of the query: sorting contacts, handing them over
    FASTCD_PARTS
} fastcd_part;

typedef struct fastcd_shares {
    double ms;  ///< mean of what is divided: edits, update and query
    double part[FASTCD_PARTS];
} fastcd_shares;

typedef struct fastcd_summary {
    double mean;                                          ///< update and query, ms per frame
    double edit, update, cull, traverse, narrow, detect;  ///< ms per frame
    double topology;  ///< ms of frames in which the topology changes, on average
    double steady;    ///< the worst of them against the median of the five frames after it
    fastcd_shares shares, topology_shares;   ///< of all frames; of those
    double box_pairs, candidates, contacts;  ///< per frame
    uint32_t against;                        ///< the method that is the same but culls nothing
    double culled_boxes, culled_candidates;  ///< what culling leaves out of what that looks at
    uint64_t missed, invented;               ///< in all, against `none`
    bool equal;                              ///< every bit of every contact, in every frame
} fastcd_summary;

typedef struct fastcd_table {
    const scenes_scene* scene;
    scenes_options options;
    uint32_t mode;
    const fastcd_method** methods;
    uint32_t method_count, frame_count;
    fastcd_frame* frames;   ///< by method, then frame
    fastcd_memory* memory;  ///< by method, after the last frame
    fastcd_summary* summaries;
    uint32_t topology_frames;
} fastcd_table;

static inline const fastcd_frame* fastcd_frames(const fastcd_table* t, uint32_t method) {
    return t->frames + (size_t)method * t->frame_count;
}
static inline const char* fastcd_mode_name(const fastcd_table* t) {
    return t->mode == FRACAS_MODE_DISCRETE ? "discrete" : "continuous";
}
static inline uint32_t fastcd_last_triangles(const fastcd_table* t) {
    return t->frames[t->frame_count - 1].triangles;
}

/// A frame whose edits list at least one element in a hundred; fewer is tearing, which goes on all
/// the time.
bool fastcd_is_topology_frame(const fastcd_frame* frame);
/// The median of the five frames after one, or of as many as there are; 0: there are none.
double fastcd_after(const fastcd_table* table, uint32_t method, uint32_t frame);

/// Methods and modes are set; the rest is made, empty.
void fastcd_table_open(fastcd_table* table);
/// Keep a frame; `again`: of the times that of the faster round.
void fastcd_record(fastcd_table* table, uint32_t method, uint32_t frame, const fastcd_frame* what,
                   bool again);
void fastcd_summarise(fastcd_table* table);
void fastcd_free(fastcd_table* table);

/// Whether all sound methods found the same.
bool fastcd_is_right(const fastcd_table* table);

extern const char* const fastcd_part_names[FASTCD_PARTS];
void fastcd_print(const fastcd_table* table);
/// Shares, what is culled, memory, and the frames in which the topology changes.
void fastcd_print_details(const fastcd_table* table);
void fastcd_print_json(const fastcd_table* table);
void fastcd_csv_header(FILE* out);
void fastcd_csv(FILE* out, const fastcd_table* table);
