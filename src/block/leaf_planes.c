/// @file leaf_planes.c  The planes of a leaf's triangles, for the filter of triangle pairs.
///
/// A query computes the planes of a leaf when it reaches the leaf, because most leaves overlap no
/// other. Coordinates are absolute, so planes of any two blocks can be compared. The error bound of
/// the filter grows with the distance from the origin, and so does the rounding of the boxes, which
/// are absolute floats too.
#include "block/block.h"

void frc_leaf_planes(const frc_block* block, const frc_leaf* leaf, const frc_point* points,
                     frc_tri4 out[FRC_LEAF_SIZE / 4]) {
    for (uint32_t s = 0; s < leaf->face_count; s += 4) {
        const frc_face_slot* slots = &block->faces[leaf->face + s];
        const uint32_t *id[4], *any = NULL;
        for (int i = 0; i < 4; i++)
            if (slots[i].id != FRACAS_NONE) any = slots[i].point;
        if (!any) continue;
        // An empty slot gets the plane of another one: its box overlaps nothing, so nothing reads
        // it.
        for (int i = 0; i < 4; i++) id[i] = slots[i].id != FRACAS_NONE ? slots[i].point : any;
        frc_tri4_set(&out[s / 4], points, id);
    }
}
