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
    uint32_t *new_triangle_at, *new_vertex_at;  // index in the draft plus 1; 0: not in the draft
    uint64_t* leaving;  // leaving vertices: (part + 1) << 32 | number, sorted
    size_t leaving_count;
    uint64_t *slots, *spare;  // scratch: to sort the triangles of a part
    bool dissolve;            // the blocks of the body are dissolved
} frc_draft;

/// The number of leaving triangles.
static inline uint32_t frc_leaving_count(const fracas_split* s) {
    return s->part_count ? s->part_offsets[s->part_count] : 0;
}

/// Check each list of the delta on its own. Reads the scene, handle, body, split and the counts of
/// numbers of the draft.
fracas_status frc_draft_check(const frc_draft* draft);
/// Simulate the split; the scene is unchanged afterwards. False: no memory. `*status` is FRACAS_OK
/// when the split is valid; `leaving` is set then.
bool frc_draft_simulate(frc_draft* draft, fracas_status* status);

/// Positions of a new vertex: at both ends of the step, and in the frame of a rigid body.
void frc_place_new_vertex(const fracas_scene* scene, const frc_body* body,
                          const fracas_new_vertex* vertex, double rest[3], double ends[2][3]);
static inline bool frc_ends_differ(double ends[2][3]) {
    return ends[0][0] != ends[1][0] || ends[0][1] != ends[1][1] || ends[0][2] != ends[1][2];
}
