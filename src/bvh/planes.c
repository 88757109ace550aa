/// @file planes.c  Bring the planes of a block's triangles up to date with the points.
///
/// Coordinates are relative to no origin of their own: boxes are absolute floats too, and where
/// those are coarse so may the filter be. In return triangles of any two blocks go together.
#include "bvh/block.h"

// An empty slot repeats another one: its box meets nothing, so it is never asked for.
static void fit_packet(const frc_block* b, uint32_t packet, const frc_point* points) {
    const uint32_t* id[4] = {NULL, NULL, NULL, NULL};
    const frc_face_slot* slots = &b->faces[4 * packet];
    const uint32_t* some = NULL;
    for (int i = 0; i < 4; i++)
        if (slots[i].id != FRACAS_NONE) some = slots[i].point;
    if (!some) return;
    for (int i = 0; i < 4; i++) id[i] = slots[i].id != FRACAS_NONE ? slots[i].point : some;
    frc_tri4_set(&b->tree[FRC_BOXES_END].face_planes[packet], points, id);
}

static void fit_leaf_planes(const frc_block* b, uint32_t number, const frc_point* points) {
    const frc_leaf* leaf = &b->leaves[number];
    for (uint32_t s = 0; s < leaf->face_count; s += 4) fit_packet(b, (leaf->face + s) / 4, points);
}

void frc_block_refit_planes(frc_block* block, const frc_point* points) {
    if (!block->tree[FRC_BOXES_END].face_planes) return;
    if (block->all_stale)
        for (uint32_t i = 0; i < block->leaf_count; i++) fit_leaf_planes(block, i, points);
    else
        for (size_t i = 0; i < block->stale.count; i++)
            fit_leaf_planes(block, block->stale.data[i], points);
}
