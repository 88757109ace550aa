/// @file leaf_planes.c  The planes of a leaf's triangles, for the filter of triangle pairs.
///
/// They are made when a pair of leaves asks for them, not when boxes are refitted: most leaves meet
/// no other. Coordinates are relative to no origin of their own: boxes are absolute floats too, and
/// where those are coarse so may the filter be. In return triangles of any two blocks go together.
#include "block/block.h"

// An empty slot repeats another one: its box meets nothing, so it is never asked for.
static void fit_packet(const frc_face_slot slots[4], const frc_point* points, frc_tri4* out) {
    const uint32_t* id[4] = {NULL, NULL, NULL, NULL};
    const uint32_t* some = NULL;
    for (int i = 0; i < 4; i++)
        if (slots[i].id != FRACAS_NONE) some = slots[i].point;
    if (!some) return;
    for (int i = 0; i < 4; i++) id[i] = slots[i].id != FRACAS_NONE ? slots[i].point : some;
    frc_tri4_set(out, points, id);
}

void frc_leaf_planes(const frc_block* block, const frc_leaf* leaf, const frc_point* points,
                     frc_tri4 out[FRC_LEAF_SIZE / 4]) {
    for (uint32_t s = 0; s < leaf->face_count; s += 4)
        fit_packet(&block->faces[leaf->face + s], points, &out[s / 4]);
}
