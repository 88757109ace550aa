/// @file build_grid.c  Split at a cell boundary of a grid, which sorts for several levels at once.
///
/// Based on: heo2010. A range of primitives gets a grid of 2^k x 2^k x 2^k cells over the bounds of
/// its centres. Each primitive is assigned to its cell in constant time, so one pass over the range
/// makes 3k levels of a binary tree. Cells with many primitives get a grid of their own, cells with
/// few are halved at the median.
///
/// Deviations, and why. Each bit of a cell number halves the box along the axis along which it is
/// longest then. In a cube this is the grid of the paper; in a flat box it has more cells along the
/// long axes, where halving the short one would only mix neighbours; `grid_in_turn` gives the grid
/// of the paper. Primitives are sorted by the
/// number of their cell: a split of the tree is a position in the order, and empty cells need no
/// memory. The median splits centres that no cell boundary separates.
#include "bvh/build.h"
#include <string.h>

// A cell number is the union of bits for each axis: `part[k][i]` are those of layer i along axis k.
typedef struct grid {
    float lo[3], scale[3];
    uint32_t bits;
    uint32_t last[3];  // layer by axis
    uint16_t part[3][1 << 3 * FRC_GRID_LEVELS_MAX];
} grid;

// Half of the difference, so that huge coordinates do not overflow.
static float half_span(float lo, float hi) { return hi * 0.5f - lo * 0.5f; }

// Assign the bits to axes, the highest first, each to the axis along which cells are longest, or to
// the axes in turn.
static void assign_bits(grid* g, float span[3], bool in_turn) {
    uint32_t layers[3] = {1, 1, 1};
    int axis_of[3 * FRC_GRID_LEVELS_MAX];
    for (uint32_t b = 0; b < g->bits; b++) {
        int k = span[1] > span[0] ? 1 : 0;
        k = span[2] > span[k] ? 2 : k;
        if (in_turn) k = (int)(b % 3);
        axis_of[b] = k;
        span[k] *= 0.5f;
        layers[k] *= 2;
    }
    for (int k = 0; k < 3; k++) {
        g->part[k][0] = 0;
        g->last[k] = layers[k] - 1;
        // From the lowest bit up, each doubles the table.
        uint32_t known = 1;
        for (uint32_t b = g->bits; b-- > 0;) {
            if (axis_of[b] != k) continue;
            uint16_t bit = (uint16_t)(1u << (g->bits - 1 - b));
            for (uint32_t i = 0; i < known; i++) g->part[k][known + i] = g->part[k][i] | bit;
            known *= 2;
        }
    }
}

static void make_grid(const frc_splitter* s, const frc_range* range, grid* g) {
    float lo[4], hi[4], span[3];
    frc_center_bounds(&s->centers[range->first], range->count, lo, hi);
    // A small range gets a coarser grid: most of more cells than leaves would be empty.
    g->bits = 1;
    while (g->bits < 3 * s->options.grid_levels &&
           (range->count >> (g->bits + 1)) >= s->options.leaf_size)
        g->bits++;
    for (int k = 0; k < 3; k++) span[k] = half_span(lo[k], hi[k]);
    float width[3] = {span[0], span[1], span[2]};
    assign_bits(g, span, s->options.grid_in_turn);
    for (int k = 0; k < 3; k++) {
        g->lo[k] = lo[k];
        // For a smaller width the quotient would overflow; such an axis has one layer.
        g->scale[k] = width[k] > 1e-30f ? (float)(g->last[k] + 1) / width[k] : 0;
    }
}

// Clamped, because the largest centre lies on the upper boundary of the last cell.
static uint32_t layer_of(const grid* g, const frc_center* c, int k) {
    uint32_t layer = (uint32_t)(half_span(g->lo[k], c->at[k]) * g->scale[k]);
    return layer < g->last[k] ? layer : g->last[k];
}

// Sort a range by cells with a stable counting sort. False when all are in one cell.
static bool sort_range(frc_splitter* s, const frc_range* range, const grid* g) {
    uint32_t start[1 << 3 * FRC_GRID_LEVELS_MAX];
    uint32_t cells = 1u << g->bits, n = range->count;
    frc_center *c = &s->centers[range->first], *spare = &s->spare[range->first];
    uint16_t *codes = &s->codes[range->first], *sorted = &s->spare_codes[range->first];
    memset(start, 0, cells * sizeof *start);
    for (uint32_t i = 0; i < n; i++) {
        codes[i] =
            (uint16_t)(g->part[0][layer_of(g, &c[i], 0)] | g->part[1][layer_of(g, &c[i], 1)] |
                       g->part[2][layer_of(g, &c[i], 2)]);
        start[codes[i]]++;
    }
    if (start[codes[0]] == n) return false;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t count = start[i];
        start[i] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = start[codes[i]]++;
        spare[to] = c[i];
        sorted[to] = codes[i];
    }
    memcpy(c, spare, n * sizeof *c);
    memcpy(codes, sorted, n * sizeof *codes);
    return true;
}

void frc_split_grid(frc_splitter* s, const frc_range* whole, frc_range half[2]) {
    uint32_t count = whole->count, sorted = whole->sorted;
    // Halving a small range fills its leaves better.
    while (count >= s->options.grid_stop) {
        if (sorted == 0) {
            grid g;
            make_grid(s, whole, &g);
            if (!sort_range(s, whole, &g)) break;
            sorted = g.bits;
        }
        // Binary search for the first primitive whose cell has the next bit set.
        const uint16_t* codes = &s->codes[whole->first];
        uint32_t left = 0, high = count;
        sorted--;
        while (left < high) {
            const uint32_t middle = (left + high) / 2;
            if (codes[middle] >> sorted & 1)
                high = middle;
            else
                left = middle + 1;
        }
        if (left == 0 || left == count) continue;
        half[0] = (frc_range){whole->first, left, (float)left, sorted};
        half[1] = (frc_range){whole->first + left, count - left, (float)(count - left), sorted};
        return;
    }
    frc_split_median(s, whole, half);
}
