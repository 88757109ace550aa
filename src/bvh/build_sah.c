/// @file build_sah.c  Split where the surface area heuristic is smallest: binned for large ranges,
/// every place that leaves full leaves for small ones.
///
/// The cost of a side is its surface times the number of leaves it needs. Where nothing separates
/// the centres the median decides.
#include "bvh/tree.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { BINS = 16, SMALL = 32 };

typedef struct bounds {
    float lo[3], hi[3];
} bounds;

static const bounds EMPTY = {
    {INFINITY,  INFINITY,  INFINITY },
    {-INFINITY, -INFINITY, -INFINITY}
};

static void enclose(bounds* b, const float lo[3], const float hi[3]) {
    for (int k = 0; k < 3; k++) {
        b->lo[k] = lo[k] < b->lo[k] ? lo[k] : b->lo[k];
        b->hi[k] = hi[k] > b->hi[k] ? hi[k] : b->hi[k];
    }
}

static float area(const bounds* b) {
    float x = b->hi[0] - b->lo[0], y = b->hi[1] - b->lo[1], z = b->hi[2] - b->lo[2];
    return x < 0 ? 0 : x * y + y * z + z * x;
}

static float leaves(uint32_t count, uint32_t leaf_size) {
    return (float)((count + leaf_size - 1) / leaf_size);
}

typedef struct choice {
    int axis;
    uint32_t place;  // bin or position
    float cost;
} choice;

// ---- large ranges: bins

typedef struct bin {
    bounds box;
    uint32_t count;
} bin;

static uint32_t bin_of(const frc_prim* prim, int axis, float lo, float scale) {
    float place = (frc_prim_center(prim, axis) - lo) * scale;
    // Written so that NaN and infinity land in a bin too: huge coordinates overflow float
    // arithmetic.
    return place > 0 ? (place < BINS - 1 ? (uint32_t)place : BINS - 1) : 0;
}

static void sweep_bins(const bin bins[BINS], int axis, uint32_t leaf_size, choice* best) {
    float right_cost[BINS];
    bounds box = EMPTY;
    uint32_t count = 0;
    for (int i = BINS - 1; i > 0; i--) {
        enclose(&box, bins[i].box.lo, bins[i].box.hi);
        count += bins[i].count;
        right_cost[i] = count ? area(&box) * leaves(count, leaf_size) : INFINITY;
    }
    box = EMPTY;
    count = 0;
    for (uint32_t i = 1; i < BINS; i++) {
        enclose(&box, bins[i - 1].box.lo, bins[i - 1].box.hi);
        count += bins[i - 1].count;
        float cost = count ? area(&box) * leaves(count, leaf_size) + right_cost[i] : INFINITY;
        if (cost < best->cost) *best = (choice){axis, i, cost};
    }
}

static uint32_t partition(frc_prim* prims, uint32_t count, const choice* best, float lo,
                          float scale) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (bin_of(&prims[i], best->axis, lo, scale) < best->place) {
            frc_prim t = prims[left];
            prims[left++] = prims[i];
            prims[i] = t;
        }
    return left;
}

static uint32_t split_binned(frc_prim* prims, uint32_t count, uint32_t leaf_size) {
    bounds centers = EMPTY;
    for (uint32_t i = 0; i < count; i++) {
        float c[3] = {frc_prim_center(&prims[i], 0), frc_prim_center(&prims[i], 1),
                      frc_prim_center(&prims[i], 2)};
        enclose(&centers, c, c);
    }
    float scale[3];
    for (int k = 0; k < 3; k++) {
        float width = centers.hi[k] - centers.lo[k];
        scale[k] = width > FLT_MIN ? (float)BINS * 0.9999f / width : 0;
    }
    bin bins[3][BINS];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BINS; i++) bins[k][i] = (bin){EMPTY, 0};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            bin* b = &bins[k][bin_of(&prims[i], k, centers.lo[k], scale[k])];
            enclose(&b->box, prims[i].lo, prims[i].hi);
            b->count++;
        }
    choice best = {-1, 0, INFINITY};
    for (int k = 0; k < 3; k++) sweep_bins(bins[k], k, leaf_size, &best);
    if (best.axis < 0) return 0;
    return partition(prims, count, &best, centers.lo[best.axis], scale[best.axis]);
}

// ---- small ranges: sort along each axis and look at every place that fills leaves

static bool before(const frc_prim* a, const frc_prim* b, int axis) {
    float x = frc_prim_center(a, axis), y = frc_prim_center(b, axis);
    if (x != y) return x < y;
    if (a->kind != b->kind) return a->kind < b->kind;
    return a->id < b->id;
}

static void sort_small(frc_prim* prims, uint32_t count, int axis) {
    for (uint32_t i = 1; i < count; i++) {
        frc_prim moved = prims[i];
        uint32_t j = i;
        for (; j > 0 && before(&moved, &prims[j - 1], axis); j--) prims[j] = prims[j - 1];
        prims[j] = moved;
    }
}

static void sweep_sorted(const frc_prim* prims, uint32_t count, int axis, uint32_t leaf_size,
                         choice* best) {
    float right_cost[SMALL];
    bounds box = EMPTY;
    for (uint32_t i = count - 1; i > 0; i--) {
        enclose(&box, prims[i].lo, prims[i].hi);
        right_cost[i] = area(&box) * leaves(count - i, leaf_size);
    }
    box = EMPTY;
    for (uint32_t i = 1; i < count; i++) {
        enclose(&box, prims[i - 1].lo, prims[i - 1].hi);
        if (i % leaf_size) continue;
        float cost = area(&box) * leaves(i, leaf_size) + right_cost[i];
        if (cost < best->cost) *best = (choice){axis, i, cost};
    }
}

static uint32_t split_small(frc_prim* prims, uint32_t count, uint32_t leaf_size) {
    choice best = {-1, 0, INFINITY};
    int sorted = -1;
    for (int k = 0; k < 3; k++) {
        sort_small(prims, count, k);
        sorted = k;
        sweep_sorted(prims, count, k, leaf_size, &best);
    }
    if (best.axis < 0) return 0;
    if (best.axis != sorted) sort_small(prims, count, best.axis);
    return best.place;
}

uint32_t frc_split_sah(frc_prim* prims, uint32_t count, uint32_t leaf_size) {
    uint32_t left = count <= SMALL ? split_small(prims, count, leaf_size)
                                   : split_binned(prims, count, leaf_size);
    return left > 0 && left < count ? left : frc_split_median(prims, count, leaf_size);
}
