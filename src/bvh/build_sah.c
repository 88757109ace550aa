/// @file build_sah.c  Split where the surface area heuristic is smallest: binned for large ranges,
/// at every multiple of the leaf size for small ones.
///
/// The cost of a side is its surface times the number of leaves that it needs. A range with equal
/// centres is halved in its order.
#include "base/simd.h"
#include "base/simd_int.h"
#include "bvh/build.h"
#include <math.h>
#include <string.h>

enum { BINS = 16, SMALL = 32 };

typedef struct bounds {
    f32x4 lo, hi;
} bounds;

static bounds empty_bounds(void) { return (bounds){f32x4_splat(INFINITY), f32x4_splat(-INFINITY)}; }

static bounds prim_bounds(const frc_prim* prim) {
    return (bounds){f32x4_axes(f32x4_load(prim->lo)), f32x4_axes(f32x4_load(prim->hi))};
}

static bounds join(bounds a, bounds b) {
    return (bounds){f32x4_min(a.lo, b.lo), f32x4_max(a.hi, b.hi)};
}

static float area(bounds b) {
    float size[4];
    f32x4_store(size, f32x4_sub(b.hi, b.lo));
    return size[0] < 0 ? 0 : size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

static f32x4 center(const frc_prim* prim) {
    const f32x4 half = f32x4_splat(0.5f);
    const bounds box = prim_bounds(prim);
    return f32x4_add(f32x4_mul(box.lo, half), f32x4_mul(box.hi, half));
}

static float leaves(uint32_t count, uint32_t leaf_size) {
    return (float)((count + leaf_size - 1) / leaf_size);
}

typedef struct choice {
    int axis;
    uint32_t place;  // the first bin or leaf of the right side
    float cost;
    float area[2];
} choice;

// ---- large ranges: bins

typedef struct bin {
    bounds box;
    uint32_t count;
} bin;

// The bin of a centre along each axis is (centre - lo) * scale.
typedef struct bin_map {
    f32x4 lo, scale;
} bin_map;

static bounds point_bounds(f32x4 at) { return (bounds){at, at}; }

// Two independent minima hide the latency of the instruction.
static bin_map make_bin_map(const frc_prim* prims, uint32_t count) {
    bounds even = point_bounds(center(&prims[0])), odd = even;
    for (uint32_t i = 1; i + 1 < count; i += 2) {
        even = join(even, point_bounds(center(&prims[i])));
        odd = join(odd, point_bounds(center(&prims[i + 1])));
    }
    const bounds centers = join(join(even, odd), point_bounds(center(&prims[count - 1])));
    float width[4], scale[4];
    f32x4_store(width, f32x4_sub(centers.hi, centers.lo));
    for (int k = 0; k < 4; k++)
        scale[k] = k < 3 && width[k] > FLT_MIN ? (float)BINS * 0.9999f / width[k] : 0;
    return (bin_map){centers.lo, f32x4_load(scale)};
}

static void sweep_bins(const bin bins[BINS], int axis, uint32_t leaf_size, choice* best) {
    float right_area[BINS], right_cost[BINS];
    bounds box = empty_bounds();
    uint32_t count = 0;
    for (int i = BINS - 1; i > 0; i--) {
        box = join(box, bins[i].box);
        count += bins[i].count;
        right_area[i] = area(box);
        right_cost[i] = count ? right_area[i] * leaves(count, leaf_size) : INFINITY;
    }
    box = empty_bounds();
    count = 0;
    for (uint32_t i = 1; i < BINS; i++) {
        box = join(box, bins[i - 1].box);
        count += bins[i - 1].count;
        float left_area = area(box);
        float cost = count ? left_area * leaves(count, leaf_size) + right_cost[i] : INFINITY;
        if (cost < best->cost)
            *best = (choice){
                axis, i, cost, {left_area, right_area[i]}
            };
    }
}

typedef struct bin_set {
    bin bins[3][BINS];
} bin_set;

static void clear_bins(bin_set* set) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BINS; i++) set->bins[k][i] = (bin){empty_bounds(), 0};
}

static inline void add_to_bins(bin_set* set, const bin_map* map, const frc_prim* prim) {
    const f32x4 x = f32x4_mul(f32x4_sub(center(prim), map->lo), map->scale), zero = f32x4_splat(0);
    // Huge coordinates overflow float arithmetic: NaN goes to the first bin.
    const f32x4 number = f32x4_choose(f32x4_lt(zero, x), x, zero);
    int32_t at[4];
    i32x4_store(at, i32x4_from_f32x4(f32x4_min(number, f32x4_splat(BINS - 1))));
    const bounds box = prim_bounds(prim);
    for (int k = 0; k < 3; k++) {
        bin* b = &set->bins[k][at[k]];
        b->box = join(b->box, box);
        b->count++;
    }
}

// From MANY primitives on, every second one has a set of bins of its own: neighbours are often in
// one bin, and an addition to a bin has to wait for the one before.
enum { MANY = 128 };

static uint32_t split_binned(frc_prim* prims, uint32_t count, uint32_t leaf_size, choice* best) {
    const bin_map map = make_bin_map(prims, count);
    bin_set set, other;
    uint32_t i = 0;
    clear_bins(&set);
    if (count >= MANY) {
        clear_bins(&other);
        for (; i + 1 < count; i += 2) {
            add_to_bins(&set, &map, &prims[i]);
            add_to_bins(&other, &map, &prims[i + 1]);
        }
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < BINS; n++) {
                bin* b = &set.bins[k][n];
                b->box = join(b->box, other.bins[k][n].box);
                b->count += other.bins[k][n].count;
            }
    }
    for (; i < count; i++) add_to_bins(&set, &map, &prims[i]);
    for (int k = 0; k < 3; k++) sweep_bins(set.bins[k], k, leaf_size, best);
    const int axis = best->axis;
    if (axis < 0) return 0;
    // Partition in place. The arithmetic is that of the bins along one axis.
    float lo[4], scale[4];
    f32x4_store(lo, map.lo);
    f32x4_store(scale, map.scale);
    uint32_t left = 0;
    for (i = 0; i < count; i++) {
        const frc_prim prim = prims[i];
        const float at = prim.lo[axis] * 0.5f + prim.hi[axis] * 0.5f;
        const bool before = !((at - lo[axis]) * scale[axis] >= (float)best->place);
        prims[i] = prims[left];
        prims[left] = prim;
        left += before;
    }
    return left;
}

// ---- small ranges: sort along each axis and compare the splits that fill leaves

// The order of the centres along each axis. All pairs are compared, along all axes at once: a pair
// takes one or two instructions and no unpredictable branch. The sort is stable.
static void sort_centers(const frc_prim* prims, uint32_t count, uint8_t order[3][SMALL]) {
    f32x4 at[SMALL];
    u32x4 rank[SMALL];
    for (uint32_t i = 0; i < count; i++) at[i] = center(&prims[i]), rank[i] = u32x4_splat(i);
    for (uint32_t i = 0; i < count; i++) {
        u32x4 later = u32x4_splat(0);  // counted downwards
        for (uint32_t j = i + 1; j < count; j++) {
            const m32x4 less = f32x4_lt(at[j], at[i]);
            later = u32x4_less(later, less);
            rank[j] = u32x4_less(rank[j], less);
        }
        uint32_t place[4];
        u32x4_store(place, u32x4_sub(rank[i], later));
        for (int k = 0; k < 3; k++) order[k][place[k]] = (uint8_t)i;
    }
}

// Compare the splits along an axis between two full leaves.
static void sweep_leaves(const frc_prim* prims, const uint8_t* order, uint32_t count,
                         uint32_t leaf_size, int axis, choice* best) {
    // The boxes of the leaves, in order.
    bounds boxes[SMALL];
    uint32_t n = 0;
    for (uint32_t first = 0; first < count; first += leaf_size) {
        const uint32_t end = count - first < leaf_size ? count : first + leaf_size;
        bounds leaf = prim_bounds(&prims[order[first]]);
        for (uint32_t i = first + 1; i < end; i++) leaf = join(leaf, prim_bounds(&prims[order[i]]));
        boxes[n++] = leaf;
    }
    float right[SMALL];
    bounds box = empty_bounds();
    for (uint32_t i = n - 1; i > 0; i--) {
        box = join(box, boxes[i]);
        right[i] = area(box);
    }
    box = empty_bounds();
    for (uint32_t i = 1; i < n; i++) {
        box = join(box, boxes[i - 1]);
        const float left = area(box), cost = left * (float)i + right[i] * (float)(n - i);
        if (cost < best->cost)
            *best = (choice){
                axis, i, cost, {left, right[i]}
            };
    }
}

static uint32_t split_small(frc_prim* prims, uint32_t count, uint32_t leaf_size, choice* best) {
    uint8_t order[3][SMALL];
    frc_prim copy[SMALL];
    sort_centers(prims, count, order);
    for (int k = 0; k < 3; k++) sweep_leaves(prims, order[k], count, leaf_size, k, best);
    if (best->axis < 0) return 0;
    memcpy(copy, prims, count * sizeof *prims);
    for (uint32_t i = 0; i < count; i++) prims[i] = copy[order[best->axis][i]];
    return best->place * leaf_size;
}

void frc_split_sah(frc_splitter* s, const frc_range* whole, frc_range half[2]) {
    frc_prim* prims = &s->prims[whole->first];
    uint32_t leaf_size = s->options.leaf_size, count = whole->count;
    choice best = {
        -1, 0, INFINITY, {0, 0}
    };
    uint32_t left = count <= SMALL ? split_small(prims, count, leaf_size, &best)
                                   : split_binned(prims, count, leaf_size, &best);
    if (left == 0 || left == count) left = frc_half(count, leaf_size);
    half[0] = (frc_range){whole->first, left, best.area[0], 0};
    half[1] = (frc_range){whole->first + left, count - left, best.area[1], 0};
}
