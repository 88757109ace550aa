/// @file quantized_boxes.h  The boxes of a leaf's triangles in 16-bit integers.
///
/// Eight fit in a register, so that testing a pair of leaves takes half the time.
///
/// A coordinate x becomes Q(x), the integer part of x * scale. Both steps are monotone, so x <= y
/// implies Q(x) <= Q(y), and boxes that are disjoint in integers are disjoint: no bound on rounding
/// is needed. Boxes that are disjoint in floats may overlap here: a cell is about a hundredth of a
/// triangle.
///
/// Only the lowest 16 bits of Q(x) are stored, so there is no origin to update when the body moves.
/// Let two leaves have a point c in common, as all leaves have that a query compares, and let each
/// extend over at most R = 2^13 cells along each axis. All their coordinates are within R of Q(c)
/// and differ by at most 2 R from each other, which fits 16 bits with sign. So coordinates are
/// compared relative to one of them; with empty slots, see below, the largest difference is
/// 2 R + R + 1 = 24,577.
///
/// An empty slot begins, along the first axis, R + 1 cells behind the end of its leaf, and ends
/// where the leaf begins. The other leaf ends within R of c, so before the begin of the empty slot:
/// they are disjoint. Two empty slots are disjoint by the same argument.
///
/// A leaf that extends over more cells, or beyond 2^29 of them, is coarse: its first slot ends 2^15
/// cells from its begin, which no box and no empty slot does. The query compares coarse leaves in
/// floats.
#pragma once
#include "base/simd_int.h"
#include "block/block.h"

enum { FRC_CELLS_MAX_EXTENT = 1 << 13 };

/// Compute the boxes of leaf `number` from those in floats, whose union is `lo`, `hi`.
void frc_quantized_boxes_fit(const frc_block* block, const frc_tree* tree, uint32_t number,
                             f32x4 lo, f32x4 hi);

/// Allocate `cells` of a tree with boxes at one end of the step. Every refit then updates them.
/// False: no memory.
bool frc_quantized_boxes_allocate(fracas_context* context, const frc_block* block, frc_tree* tree);
void frc_quantized_boxes_release(fracas_context* context, const frc_block* block, frc_tree* tree);

/// Adapt the scale to the box of the block. When it has changed by more than a factor of two, all
/// cells are computed again.
void frc_quantized_boxes_rescale(const frc_block* block, frc_tree* tree, const float lo[3],
                                 const float hi[3]);

/// The scale for a block of this size and number of leaves: a power of two.
float frc_quantized_boxes_scale(const float lo[3], const float hi[3], uint32_t leaf_count);

static inline bool frc_quantized_boxes_are_coarse(const frc_quantized_boxes* cells) {
    return (uint16_t)(cells->hi[0][0] - cells->lo[0][0]) == 0x8000;
}

/// Bit 8 i + j: slots i of a and j of b may meet. Neither is coarse, and both have the same scale.
static inline uint64_t frc_quantized_boxes_meet(const frc_quantized_boxes* a,
                                                const frc_quantized_boxes* b) {
    i16x8 lo_a[3], hi_a[3], lo_b[3], hi_b[3], apart[8];
    for (int k = 0; k < 3; k++) {
        const i16x8 base = i16x8_splat_at(a->lo[k]);
        lo_a[k] = i16x8_sub(i16x8_load(a->lo[k]), base);
        hi_a[k] = i16x8_sub(i16x8_load(a->hi[k]), base);
        lo_b[k] = i16x8_sub(i16x8_load(b->lo[k]), base);
        hi_b[k] = i16x8_sub(i16x8_load(b->hi[k]), base);
    }
#define ROW(i)                                                                                     \
    apart[i] = i16x8_or(i16x8_or(i16x8_or(i16x8_gt(i16x8_splat_lane(lo_a[0], i), hi_b[0]),         \
                                          i16x8_gt(lo_b[0], i16x8_splat_lane(hi_a[0], i))),        \
                                 i16x8_or(i16x8_gt(i16x8_splat_lane(lo_a[1], i), hi_b[1]),         \
                                          i16x8_gt(lo_b[1], i16x8_splat_lane(hi_a[1], i)))),       \
                        i16x8_or(i16x8_gt(i16x8_splat_lane(lo_a[2], i), hi_b[2]),                  \
                                 i16x8_gt(lo_b[2], i16x8_splat_lane(hi_a[2], i))))
    ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7);
#undef ROW
    return ~i16x8_grid(apart);
}
