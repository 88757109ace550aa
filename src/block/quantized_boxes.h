/// @file quantized_boxes.h  The boxes of a leaf's triangles once more, in whole numbers of sixteen
/// bits: eight fit in a register, and a pair of leaves takes half the time.
///
/// A coordinate x becomes Q(x): x * scale without its fraction. Both steps are monotone, so x <= y
/// implies Q(x) <= Q(y), and boxes that are apart in whole numbers are apart. No rounding needs a
/// bound. What is apart in floats may meet here: a cell is about a
/// hundredth of a triangle.
///
/// Of Q(x) the lowest sixteen bits are kept, so that there is no origin that would have to follow
/// the body. Let two leaves have a point c in common, as leaves have that a query compares, and let
/// each reach over at most R = 2^13 cells along each axis. All their numbers are within R of Q(c),
/// and differ by at most 2 R from each other: differences that fit sixteen bits with their sign. So
/// they are compared relative to one of them, which are 2 R + R + 1 = 24,577 at most with what
/// follows.
///
/// An empty slot begins R + 1 cells behind the end of its leaf, along the first axis, and ends
/// where the leaf begins. The other leaf ends within R of c, thus not behind: apart, and also when
/// the other slot is empty.
///
/// A leaf that reaches over more cells, or beyond 2^29 of them, says so, by a first slot that ends
/// 2^15 cells from where it begins: neither a box nor an empty slot does. Such leaves are compared
/// in floats.
#pragma once
#include "base/simd_int.h"
#include "block/block.h"

enum { FRC_CELLS_REACH = 1 << 13 };

/// The boxes of leaf `number` from those in floats; `lo` and `hi` are around all of them.
void frc_quantized_boxes_fit(const frc_block* block, const frc_tree* tree, uint32_t number,
                             f32x4 lo, f32x4 hi);

/// Make cells for a tree of boxes at one end of the step, which are fitted with those from then on.
/// False: no memory.
bool frc_quantized_boxes_open(fracas_context* context, const frc_block* block, frc_tree* tree);
void frc_quantized_boxes_close(fracas_context* context, const frc_block* block, frc_tree* tree);

/// The box of everything is known now, and with it how large cells should be. All are made anew
/// when that has changed much: the first time, and when a body grows or shrinks to a quarter.
void frc_quantized_boxes_rescale(const frc_block* block, frc_tree* tree, const float lo[3],
                                 const float hi[3]);

/// A power of two, for a body of this size and number of leaves.
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
