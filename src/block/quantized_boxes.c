#include "block/quantized_boxes.h"
#include <math.h>
#include <string.h>

// Four slots. Which are there? What is not has no number, and so no cell.
static inline unsigned fit_packet(const frc_box4* box, f32x4 scale, uint32_t first,
                                  frc_quantized_boxes* out) {
    const f32x4 x = f32x4_load(box->lo[0]);
    for (int k = 0; k < 3; k++) {
        i32x4_store_low(&out->lo[k][first],
                        i32x4_from_f32x4(f32x4_mul(f32x4_load(box->lo[k]), scale)));
        i32x4_store_low(&out->hi[k][first],
                        i32x4_from_f32x4(f32x4_mul(f32x4_load(box->hi[k]), scale)));
    }
    return m32x4_bits(f32x4_le(x, x));
}

static void clear_slot(frc_quantized_boxes* out, uint32_t slot, const int32_t lo[4],
                       const int32_t hi[4]) {
    for (int k = 0; k < 3; k++) out->lo[k][slot] = out->hi[k][slot] = (uint16_t)lo[k];
    out->lo[0][slot] = (uint16_t)(hi[0] + FRC_CELLS_REACH + 1);
}

// Everything in the leaf lies between `lo` and `hi`: their cells tell whether all others exist.
// Those of a leaf without anything are in no order, or no numbers.
static bool is_coarse(f32x4 lo, f32x4 hi, int32_t from[4], int32_t to[4]) {
    const m32x4 within =
        m32x4_and(f32x4_le(f32x4_splat(-0x1p29f), lo), f32x4_le(hi, f32x4_splat(0x1p29f)));
    bool fine = (m32x4_bits(m32x4_and(within, f32x4_le(lo, hi))) & 7) == 7;
    i32x4_store(from, i32x4_from_f32x4(lo));
    i32x4_store(to, i32x4_from_f32x4(hi));
    for (int k = 0; k < 3 && fine; k++) fine = to[k] - from[k] <= FRC_CELLS_REACH;
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
    unsigned there = 0;
    for (uint32_t s = 0; s < leaf->face_count; s += 4)
        there |= fit_packet(&tree->face_box[(leaf->face + s) / 4], scale, s, out) << s;
    for (uint32_t s = 0; s < FRC_LEAF_SIZE && there != 255; s++)
        if (!(there >> s & 1)) clear_slot(out, s, from, to);
}

// Leaves of a surface; a leaf of eight triangles then is some 256 to 1024 cells wide.
float frc_quantized_boxes_scale(const float lo[3], const float hi[3], uint32_t leaf_count) {
    double size = 0;
    for (int k = 0; k < 3; k++)
        if ((double)hi[k] - (double)lo[k] > size) size = (double)hi[k] - (double)lo[k];
    int exponent;
    // Of any other size any scale is right.
    if (!(size > 0x1p-80) || !(size < 0x1p80)) return 1;
    frexp(size / sqrt(leaf_count), &exponent);
    return (float)ldexp(1, 9 - exponent);
}

// The box of a leaf stands with its parent.
static void fit_all(const frc_block* block, const frc_tree* tree) {
    for (uint32_t n = 0; n < block->leaf_count; n++) {
        const frc_leaf* leaf = &block->leaves[n];
        if (leaf->parent == FRC_REF_NONE) continue;
        const frc_box4* box = &tree->nodes[leaf->parent].box;
        float lo[4] = {0}, hi[4] = {0};
        for (int k = 0; k < 3; k++) lo[k] = box->lo[k][leaf->lane], hi[k] = box->hi[k][leaf->lane];
        frc_quantized_boxes_fit(block, tree, n, f32x4_load(lo), f32x4_load(hi));
    }
}

void frc_quantized_boxes_rescale(const frc_block* block, frc_tree* tree, const float lo[3],
                                 const float hi[3]) {
    if (!tree->cells) return;
    const float wanted = frc_quantized_boxes_scale(lo, hi, block->leaf_count);
    if (tree->scale >= wanted / 2 && tree->scale <= 2 * wanted) return;
    tree->scale = wanted;
    fit_all(block, tree);
}

bool frc_quantized_boxes_open(fracas_context* context, const frc_block* block, frc_tree* tree) {
    if (tree->cells) return true;
    tree->cells =
        frc_allocate_zero(context, frc_array_size(block->leaf_count, sizeof *tree->cells));
    if (!tree->cells) return false;
    tree->scale = 0;
    frc_quantized_boxes_rescale(block, tree, block->lo[FRC_BOXES_END], block->hi[FRC_BOXES_END]);
    return true;
}

void frc_quantized_boxes_close(fracas_context* context, const frc_block* block, frc_tree* tree) {
    frc_release(context, tree->cells, frc_array_size(block->leaf_count, sizeof *tree->cells));
    tree->cells = NULL;
}
