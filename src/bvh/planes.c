/// @file planes.c  Bring the planes of a block's triangles up to date with the points.
#include "bvh/block.h"

static void fit_leaf_planes(const frc_block* b, uint32_t number, const frc_point* points) {
    const frc_leaf* leaf = &b->leaves[number];
    uint32_t end = leaf->face + (leaf->face_count + 3u) / 4 * 4;
    for (uint32_t s = leaf->face; s < end; s++) {
        frc_tri4* packet = &b->tree[FRC_BOXES_END].face_planes[s / 4];
        const frc_face_slot* slot = &b->faces[s];
        if (slot->id == FRACAS_NONE)
            frc_tri4_clear(packet, s % 4);
        else
            frc_tri4_set(packet, s % 4, points, slot->point);
    }
}

void frc_block_refit_planes(frc_block* block, const frc_point* points) {
    if (!block->tree[FRC_BOXES_END].face_planes) return;
    if (block->all_stale)
        for (uint32_t i = 0; i < block->leaf_count; i++) fit_leaf_planes(block, i, points);
    else
        for (size_t i = 0; i < block->stale.count; i++)
            fit_leaf_planes(block, block->stale.data[i], points);
}
