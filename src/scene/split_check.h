/// @file split_check.h  The draft of a split: is the delta valid, and what do the elements that it
/// names become?
#pragma once
#include "base/arena.h"
#include "scene/scene.h"

/// A triangle that the delta names, as it is after the split. Corners are indices of draft
/// vertices.
typedef struct frc_draft_triangle {
    uint32_t number, corner[3];
    uint32_t part;  // 0: remains; p + 1: leaves with part p; or REMOVED
} frc_draft_triangle;

/// A vertex of a named triangle, before or after the split.
typedef struct frc_draft_vertex {
    uint32_t number;
    int64_t uses;        // by corners, after the split
    uint32_t part;       // plus 1, of the first leaving triangle that uses it; 0: none
    uint32_t part_uses;  // by corners of that part
} frc_draft_vertex;

typedef struct frc_draft {
    frc_arena arena;
    fracas_scene* scene;
    fracas_body handle;
    const frc_body* body;
    const fracas_split* split;
    uint32_t vertex_numbers, triangle_numbers;  // including new ones
    frc_draft_triangle* triangles;
    frc_draft_vertex* vertices;
    size_t triangle_count, vertex_count;
    size_t repointed_count;  // the first triangles are those with re-pointed corners
    uint32_t *new_triangle_at, *new_vertex_at;  // index in the draft plus 1; 0: not in the draft
    uint32_t* leaving;                          // leaving vertices, by part and number
    uint32_t* first_leaving;                    // by part; and their number
    uint64_t *slots, *spare;                    // scratch: to sort the triangles of parts
    uint32_t* ids;                              // scratch: of leaving triangles or vertices
    bool dissolve;                              // the blocks of the body are dissolved
    bool swept;                                 // the split takes much of the body: `trace` is set
    frc_trace_split trace;
} frc_draft;

/// The number of leaving triangles.
static inline uint32_t frc_leaving_count(const fracas_split* s) {
    return s->part_count ? s->part_offsets[s->part_count] : 0;
}

/// The mark of triangles in the draft: in place of their number, with their index there.
#define FRC_DRAFTED 0x80000000u
/// The part of triangles that are removed.
#define FRC_DRAFT_REMOVED (UINT32_MAX - 1)

/// Check each list of the delta but the leaving triangles on its own. Reads the scene, handle,
/// body, split and the counts of numbers of the draft.
fracas_status frc_draft_check(const frc_draft* draft);
/// Simulate the split; the scene is unchanged afterwards. False: no memory. `*status` is FRACAS_OK
/// when the split is valid; what is leaving is set then.
bool frc_draft_simulate(frc_draft* draft, fracas_status* status);

/// Does the split take so much of its body that a sweep over all of its numbers is in proportion?
bool frc_draft_sweeps(const frc_draft* draft);
/// The check of leaving triangles by all workers, when the draft has all other triangles that the
/// delta names. False: no memory. `*valid`: the split is valid, and what is leaving is set; else
/// the draft is to find out what is wrong. The scene is only read.
bool frc_draft_sweep(frc_draft* draft, bool* valid);

// ---- parts that leave (split_parts.c)

/// Memory for all parts: their lists in `parts`, scratch memory and the trace. False: no memory.
bool frc_split_reserve_parts(frc_draft* draft, frc_body* parts);
/// Move triangles and vertices to new bodies with these lists, whose handles go to `handles`.
void frc_split_move_parts(frc_draft* draft, const frc_body* parts, fracas_body* handles);

/// Positions of a new vertex: at both ends of the step, and in the frame of a rigid body.
void frc_place_new_vertex(const fracas_scene* scene, const frc_body* body,
                          const fracas_new_vertex* vertex, double rest[3], double ends[2][3]);
static inline bool frc_ends_differ(double ends[2][3]) {
    return ends[0][0] != ends[1][0] || ends[0][1] != ends[1][1] || ends[0][2] != ends[1][2];
}
