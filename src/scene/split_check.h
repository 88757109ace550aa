/// @file split_check.h  A split on the side: is it sound, and what would the elements that it names
/// be afterwards?
#pragma once
#include "base/arena.h"
#include "scene/scene.h"

/// A triangle that the delta names, as it will be. Corners are places in the draft.
typedef struct frc_draft_triangle {
    uint32_t number, corner[3];
    uint32_t part;  // 0: stays; p + 1: leaves with part p; or removed
} frc_draft_triangle;

/// A vertex that a named triangle has or had.
typedef struct frc_draft_vertex {
    uint32_t number;
    int64_t uses;        // by corners, afterwards
    uint32_t part;       // of the first leaving triangle that has it, plus 1; 0: none
    uint32_t part_uses;  // by corners of that part
} frc_draft_vertex;

typedef struct frc_draft {
    frc_arena arena;
    fracas_scene* scene;
    fracas_body handle;
    const frc_body* body;
    const fracas_split* split;
    uint32_t vertex_numbers, triangle_numbers;  // with the new ones
    frc_draft_triangle* triangles;
    frc_draft_vertex* vertices;
    size_t triangle_count, vertex_count;
    uint32_t *new_triangle_at, *new_vertex_at;  // where new ones stand in the draft, plus 1
    uint64_t* leaving;  // vertices that leave: the part plus 1 above the number; sorted
    size_t leaving_count;
    uint64_t *slots, *spare;  // to sort the triangles of a part
    bool dissolve;            // the blocks of the body
} frc_draft;

/// How many triangles leave.
static inline uint32_t frc_leaving_count(const fracas_split* s) {
    return s->part_count ? s->part_offsets[s->part_count] : 0;
}

/// Check the lists by themselves. The draft has the scene, the handle, the body, the split and the
/// counts of numbers.
fracas_status frc_draft_check(const frc_draft* draft);
/// Play the split through; the scene is afterwards as it was. False: no memory. `status` tells
/// whether the split can be carried out; `leaving` is there then.
bool frc_draft_play(frc_draft* draft, fracas_status* status);

/// Where a new vertex is at both ends of the step, and in the frame of a rigid body.
void frc_place_new_vertex(const fracas_scene* scene, const frc_body* body,
                          const fracas_new_vertex* vertex, double rest[3], double ends[2][3]);
static inline bool frc_ends_differ(double ends[2][3]) {
    return ends[0][0] != ends[1][0] || ends[0][1] != ends[1][1] || ends[0][2] != ends[1][2];
}
