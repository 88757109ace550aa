/// @file summary.h  Means and shares over all frames of all methods, and their output.
#pragma once
#include "fastcd/run.h"
#include <stdio.h>

/// Parts of the time of a frame (edits, update and query); their shares add up to 1.
typedef enum fastcd_part {
    FASTCD_EDIT,      ///< split, merge, move, pose and advance
    FASTCD_UPDATE,    ///< the update without culling: refitting, restructuring, new trees
    FASTCD_CULL,      ///< culling in the update
    FASTCD_TRAVERSE,  ///< box tests
    FASTCD_NARROW,    ///< tests of triangles, edges and points
    FASTCD_REST,      ///< rest of the query: sorting and copying contacts
    FASTCD_PARTS
} fastcd_part;

typedef struct fastcd_shares {
    double ms;  ///< mean of edits, update and query together
    double part[FASTCD_PARTS];
} fastcd_shares;

typedef struct fastcd_summary {
    double mean;                                          ///< update and query, ms per frame
    double edit, update, cull, traverse, narrow, detect;  ///< ms per frame
    double topology;                                      ///< mean ms of topology frames
    double steady;  ///< largest ratio of a topology frame to the median of the next five frames
    fastcd_shares shares, topology_shares;   ///< of all frames; of topology frames
    double box_pairs, candidates, contacts;  ///< per frame
    uint32_t against;                        ///< the same method without culling
    double culled_boxes, culled_candidates;  ///< share of the work of `against` avoided by culling
    uint64_t missed, invented;               ///< contacts over all frames, compared with `none`
    bool equal;                              ///< all contacts of all frames are bit-identical
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

/// A topology frame: its edits list at least 1 % of the elements. Continuous tearing lists fewer.
bool fastcd_is_topology_frame(const fastcd_frame* frame);
/// Median of the (up to) five frames after `frame`; 0 for the last frame.
double fastcd_after(const fastcd_table* table, uint32_t method, uint32_t frame);

/// Allocate frames, memory and summaries; all other members are set by the caller.
void fastcd_table_open(fastcd_table* table);
/// Store a frame; with `again` (not the first round) only if it is faster than the stored one.
void fastcd_record(fastcd_table* table, uint32_t method, uint32_t frame, const fastcd_frame* what,
                   bool again);
void fastcd_summarise(fastcd_table* table);
void fastcd_free(fastcd_table* table);

/// Whether all sound methods found the same contacts.
bool fastcd_is_right(const fastcd_table* table);

extern const char* const fastcd_part_names[FASTCD_PARTS];
void fastcd_print(const fastcd_table* table);
/// Time shares, culling ratios, memory, and all topology frames.
void fastcd_print_details(const fastcd_table* table);
void fastcd_print_json(const fastcd_table* table);
void fastcd_csv_header(FILE* out);
void fastcd_csv(FILE* out, const fastcd_table* table);
