/// @file quantized_boxes.c  Compute the 16-bit boxes of leaves, and choose the size of cells.
#include "block/quantized_boxes.h"
#include <math.h>
#include <string.h>

// Compute the cells `from` and `to` of the leaf's box `lo`, `hi`. Does the leaf extend over too
// many cells, or over none: is the box out of order or NaN because the leaf is empty?
static bool is_coarse(f32x4 lo, f32x4 hi, int32_t from[4], int32_t to[4]) {
    const m32x4 within =
        m32x4_and(f32x4_le(f32x4_splat(-0x1p29f), lo), f32x4_le(hi, f32x4_splat(0x1p29f)));
    bool fine = (m32x4_bits(m32x4_and(within, f32x4_le(lo, hi))) & 7) == 7;
    i32x4_store(from, i32x4_from_f32x4(lo));
    i32x4_store(to, i32x4_from_f32x4(hi));
    for (int k = 0; k < 3 && fine; k++) fine = to[k] - from[k] <= FRC_CELLS_MAX_EXTENT;
    return !fine;
}

void frc_quantized_boxes_fit(const frc_block* block, const frc_tree* tree, uint32_t number,
                             f32x4 lo, f32x4 hi) {
    const frc_leaf* leaf = &block->leaves[number];
    frc_quantized_boxes* out = &tree->cells[number];
    const f32x4 scale = f32x4_splat(tree->scale);
    int32_t from[4], to[4];
    if (is_coarse(f32x4_mul(lo, scale), f32x4_mul(hi, scale), from, to)) {
        memset(out, 0, sizeof *out);
        out->hi[0][0] = 0x8000;
        return;
    }
    // Four slots at a time; boxes of empty slots are NaN.
    unsigned used = 0;
    for (uint32_t s = 0; s < leaf->face_count; s += 4) {
        const frc_box4* box = &tree->face_box[(leaf->face + s) / 4];
        const f32x4 x = f32x4_load(box->lo[0]);
        for (int k = 0; k < 3; k++) {
            i32x4_store_low(&out->lo[k][s],
                            i32x4_from_f32x4(f32x4_mul(f32x4_load(box->lo[k]), scale)));
            i32x4_store_low(&out->hi[k][s],
                            i32x4_from_f32x4(f32x4_mul(f32x4_load(box->hi[k]), scale)));
        }
        used |= m32x4_bits(f32x4_le(x, x)) << s;
    }
    for (uint32_t s = 0; s < FRC_LEAF_SIZE && used != 255; s++) {
        if (used >> s & 1) continue;
        for (int k = 0; k < 3; k++) out->lo[k][s] = out->hi[k][s] = (uint16_t)from[k];
        out->lo[0][s] = (uint16_t)(to[0] + FRC_CELLS_MAX_EXTENT + 1);
    }
}

// The width of a leaf is estimated from a surface: a leaf of eight triangles then is some 256 to
// 1024 cells wide.
float frc_quantized_boxes_scale(const float lo[3], const float hi[3], uint32_t leaf_count) {
    double size = 0;
    for (int k = 0; k < 3; k++)
        if ((double)hi[k] - (double)lo[k] > size) size = (double)hi[k] - (double)lo[k];
    int exponent;
    // Zero, infinite or NaN: any scale is valid.
    if (!(size > 0x1p-80) || !(size < 0x1p80)) return 1;
    frexp(size / sqrt(leaf_count), &exponent);
    return (float)ldexp(1, 9 - exponent);
}

void frc_quantized_boxes_rescale(const frc_block* block, frc_tree* tree, const float lo[3],
                                 const float hi[3]) {
    if (!tree->cells) return;
    const float wanted = frc_quantized_boxes_scale(lo, hi, block->leaf_count);
    if (tree->scale >= wanted / 2 && tree->scale <= 2 * wanted) return;
    tree->scale = wanted;
    for (uint32_t n = 0; n < block->leaf_count; n++) {
        const frc_leaf* leaf = &block->leaves[n];
        if (leaf->parent == FRC_REF_NONE) continue;  // not in use
        const frc_box4* box = &tree->nodes[leaf->parent].box;
        float from[4] = {0}, to[4] = {0};
        for (int k = 0; k < 3; k++)
            from[k] = box->lo[k][leaf->lane], to[k] = box->hi[k][leaf->lane];
        frc_quantized_boxes_fit(block, tree, n, f32x4_load(from), f32x4_load(to));
    }
}

bool frc_quantized_boxes_allocate(fracas_context* context, const frc_block* block, frc_tree* tree) {
    if (tree->cells) return true;
    tree->cells =
        frc_allocate_zero(context, frc_array_size(block->leaf_count, sizeof *tree->cells));
    if (!tree->cells) return false;
    tree->scale = 0;
    frc_quantized_boxes_rescale(block, tree, block->lo[FRC_BOXES_END], block->hi[FRC_BOXES_END]);
    return true;
}

void frc_quantized_boxes_release(fracas_context* context, const frc_block* block, frc_tree* tree) {
    frc_release(context, tree->cells, frc_array_size(block->leaf_count, sizeof *tree->cells));
    tree->cells = NULL;
}
