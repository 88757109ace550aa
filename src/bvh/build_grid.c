/// @file build_grid.c  Several levels at once: a grid over the centres, filled by counting.
///
/// Based on: heo2010. A range of primitives gets a grid of 2^k x 2^k x 2^k cells over the bounds of
/// its centres; each primitive is put into its cell in constant time, so one pass over the range
/// makes 3k levels of a binary tree. Cells that still hold many get a grid of their own, those with
/// few are halved at the median.
///
/// Deviations, and why. Cells are numbered along the tree: each bit of a number halves the box
/// along one axis, the one along which it is longest then. In a cube this is the grid of the paper;
/// in a flat box it has more cells along the long axes, where halving the short one would only mix
/// neighbours. Primitives are sorted by their cell's number: a split of the tree is a place in the
/// order, and cells without primitives do not exist. Centres that no cell separates go to the
/// median, which always does.
#include "bvh/build.h"
#include <string.h>

// A cell's number is put together from a part for each axis: `part[k][i]` has the bits of the i-th
// layer along axis k in their places.
typedef struct grid {
    float lo[3], scale[3];
    uint32_t bits;
    uint32_t last[3];  // layer
    uint16_t part[3][1 << 3 * FRC_GRID_LEVELS_MOST];
} grid;

// Half of a difference: huge coordinates must not overflow.
static float half_span(float lo, float hi) { return hi * 0.5f - lo * 0.5f; }

// Deal the bits to the axes, the highest first, each to the axis along which cells are longest.
static void deal_bits(grid* g, float span[3]) {
    uint32_t layers[3] = {1, 1, 1};
    int axis_of[3 * FRC_GRID_LEVELS_MOST];
    for (uint32_t b = 0; b < g->bits; b++) {
        int k = span[1] > span[0] ? 1 : 0;
        k = span[2] > span[k] ? 2 : k;
        axis_of[b] = k;
        span[k] *= 0.5f;
        layers[k] *= 2;
    }
    for (int k = 0; k < 3; k++) {
        g->part[k][0] = 0;
        g->last[k] = layers[k] - 1;
        // From the lowest bit up: each doubles the table.
        uint32_t known = 1;
        for (uint32_t b = g->bits; b-- > 0;) {
            if (axis_of[b] != k) continue;
            uint16_t bit = (uint16_t)(1u << (g->bits - 1 - b));
            for (uint32_t i = 0; i < known; i++) g->part[k][known + i] = g->part[k][i] | bit;
            known *= 2;
        }
    }
}

// Small ranges get a coarser grid: more cells than leaves would be mostly empty ones.
static uint32_t bits_for(const frc_splitter* s, uint32_t count) {
    uint32_t bits = 1, most = 3 * s->options.grid_levels;
    while (bits < most && (count >> (bits + 1)) >= s->options.leaf_size) bits++;
    return bits;
}

static void make_grid(const frc_splitter* s, const frc_range* range, grid* g) {
    float lo[4], hi[4], span[3];
    frc_center_bounds(&s->centers[range->first], range->count, lo, hi);
    g->bits = bits_for(s, range->count);
    for (int k = 0; k < 3; k++) span[k] = half_span(lo[k], hi[k]);
    float width[3] = {span[0], span[1], span[2]};
    deal_bits(g, span);
    for (int k = 0; k < 3; k++) {
        g->lo[k] = lo[k];
        // Narrower than this the quotient would overflow; such an axis has one layer.
        g->scale[k] = width[k] > 1e-30f ? (float)(g->last[k] + 1) / width[k] : 0;
    }
}

// The layer is clamped: the last centre lies on the far side of the last cell.
static uint32_t layer_of(const grid* g, const frc_center* c, int k) {
    uint32_t layer = (uint32_t)(half_span(g->lo[k], c->at[k]) * g->scale[k]);
    return layer < g->last[k] ? layer : g->last[k];
}

static uint16_t cell_of(const grid* g, const frc_center* c) {
    return (uint16_t)(g->part[0][layer_of(g, c, 0)] | g->part[1][layer_of(g, c, 1)] |
                      g->part[2][layer_of(g, c, 2)]);
}

// Sort a range by cells, equal ones in the order they were in. False when all are in one cell.
static bool sort_range(frc_splitter* s, const frc_range* range, const grid* g) {
    uint32_t start[1 << 3 * FRC_GRID_LEVELS_MOST];
    uint32_t cells = 1u << g->bits, n = range->count;
    frc_center *c = &s->centers[range->first], *spare = &s->spare[range->first];
    uint16_t *codes = &s->codes[range->first], *sorted = &s->spare_codes[range->first];
    memset(start, 0, cells * sizeof *start);
    for (uint32_t i = 0; i < n; i++) {
        codes[i] = cell_of(g, &c[i]);
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

// The first place of a sorted range whose cell has the bit set.
static uint32_t find_bit(const uint16_t* codes, uint32_t count, uint32_t bit) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (codes[middle] >> bit & 1)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void frc_split_grid(frc_splitter* s, const frc_range* whole, frc_range half[2]) {
    uint32_t count = whole->count, sorted = whole->sorted;
    // A range with few primitives fills its leaves better when it is halved.
    while (count >= s->options.grid_stop) {
        if (sorted == 0) {
            grid g;
            make_grid(s, whole, &g);
            if (!sort_range(s, whole, &g)) break;
            sorted = g.bits;
        }
        uint32_t left = find_bit(&s->codes[whole->first], count, --sorted);
        if (left == 0 || left == count) continue;
        half[0] = (frc_range){whole->first, left, (float)left, sorted};
        half[1] = (frc_range){whole->first + left, count - left, (float)(count - left), sorted};
        return;
    }
    frc_split_median(s, whole, half);
}
