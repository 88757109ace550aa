/// @file build_sah.c  Split where the surface area heuristic is smallest: binned for large ranges,
/// every place that leaves full leaves for small ones.
///
/// The cost of a side is its surface times the number of leaves it needs. Where nothing separates
/// the centres the range is halved as it stands.
#include "base/simd.h"
#include "base/simd_int.h"
#include "bvh/build.h"
#include <math.h>
#include <string.h>

enum { BINS = 16, SMALL = 32 };

typedef struct bounds {
    f32x4 lo, hi;
} bounds;

static bounds nothing(void) { return (bounds){f32x4_splat(INFINITY), f32x4_splat(-INFINITY)}; }

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
    uint32_t place;  // bin or position
    float cost;
    float area[2];
} choice;

// ---- large ranges: bins

typedef struct bin {
    bounds box;
    uint32_t count;
} bin;

// Where a centre falls along each axis.
typedef struct ruler {
    f32x4 lo, scale;
} ruler;

// The same along one, and the bin at which the right side begins.
typedef struct ruler_axis {
    float lo, scale, place;
} ruler_axis;

static f32x4 place_of(const ruler* r, const frc_prim* prim) {
    return f32x4_mul(f32x4_sub(center(prim), r->lo), r->scale);
}

// Huge coordinates overflow float arithmetic: what is no number lands in the first bin.
static i32x4 bins_of(const ruler* r, const frc_prim* prim) {
    const f32x4 place = place_of(r, prim), zero = f32x4_splat(0);
    const f32x4 number = f32x4_choose(f32x4_lt(zero, place), place, zero);
    return i32x4_from_f32x4(f32x4_min(number, f32x4_splat(BINS - 1)));
}

// Is the bin before `place`, from 1 on? The same arithmetic along one axis.
static bool is_before(const ruler_axis* r, const frc_prim* prim, int axis) {
    const float at = prim->lo[axis] * 0.5f + prim->hi[axis] * 0.5f;
    return !((at - r->lo) * r->scale >= r->place);
}

static bounds point_bounds(f32x4 at) { return (bounds){at, at}; }

// Two at a time: to take the less takes several times as long as to begin to.
static ruler make_ruler(const frc_prim* prims, uint32_t count) {
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
    return (ruler){centers.lo, f32x4_load(scale)};
}

static void sweep_bins(const bin bins[BINS], int axis, uint32_t leaf_size, choice* best) {
    float right_area[BINS], right_cost[BINS];
    bounds box = nothing();
    uint32_t count = 0;
    for (int i = BINS - 1; i > 0; i--) {
        box = join(box, bins[i].box);
        count += bins[i].count;
        right_area[i] = area(box);
        right_cost[i] = count ? right_area[i] * leaves(count, leaf_size) : INFINITY;
    }
    box = nothing();
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

static uint32_t partition(frc_prim* prims, uint32_t count, const choice* best, const ruler* r) {
    float lo[4], scale[4];
    f32x4_store(lo, r->lo);
    f32x4_store(scale, r->scale);
    const ruler_axis axis = {lo[best->axis], scale[best->axis], (float)best->place};
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        const frc_prim prim = prims[i];
        const bool before = is_before(&axis, &prim, best->axis);
        prims[i] = prims[left];
        prims[left] = prim;
        left += before;
    }
    return left;
}

typedef struct bin_set {
    bin bins[3][BINS];
} bin_set;

static void clear_bins(bin_set* set) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BINS; i++) set->bins[k][i] = (bin){nothing(), 0};
}

static inline void add_to_bins(bin_set* set, const ruler* r, const frc_prim* prim) {
    int32_t at[4];
    i32x4_store(at, bins_of(r, prim));
    const bounds box = prim_bounds(prim);
    for (int k = 0; k < 3; k++) {
        bin* b = &set->bins[k][at[k]];
        b->box = join(b->box, box);
        b->count++;
    }
}

static void join_bins(bin_set* set, const bin_set* other) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BINS; i++) {
            bin* b = &set->bins[k][i];
            b->box = join(b->box, other->bins[k][i].box);
            b->count += other->bins[k][i].count;
        }
}

// Neighbours often fall into one bin, and the second would have to wait for the first: where there
// are many, every other one has bins of its own.
enum { MANY = 128 };

static uint32_t split_binned(frc_prim* prims, uint32_t count, uint32_t leaf_size, choice* best) {
    const ruler r = make_ruler(prims, count);
    bin_set set, other;
    uint32_t i = 0;
    clear_bins(&set);
    if (count >= MANY) {
        clear_bins(&other);
        for (; i + 1 < count; i += 2) {
            add_to_bins(&set, &r, &prims[i]);
            add_to_bins(&other, &r, &prims[i + 1]);
        }
        join_bins(&set, &other);
    }
    for (; i < count; i++) add_to_bins(&set, &r, &prims[i]);
    for (int k = 0; k < 3; k++) sweep_bins(set.bins[k], k, leaf_size, best);
    return best->axis < 0 ? 0 : partition(prims, count, best, &r);
}

// ---- small ranges: sort along each axis and look at every place that fills leaves

// For each axis the places in order. Everybody is compared with everybody, along all axes at once:
// a pair takes an instruction or two, and no branch that nobody could foresee. Of equal ones the
// first stays the first.
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

// The boxes of what fills a leaf each, in order; returns how many.
static uint32_t join_leaves(const frc_prim* prims, const uint8_t* order, uint32_t count,
                            uint32_t leaf_size, bounds boxes[SMALL]) {
    uint32_t n = 0;
    for (uint32_t first = 0; first < count; first += leaf_size) {
        const uint32_t end = count - first < leaf_size ? count : first + leaf_size;
        bounds box = prim_bounds(&prims[order[first]]);
        for (uint32_t i = first + 1; i < end; i++) box = join(box, prim_bounds(&prims[order[i]]));
        boxes[n++] = box;
    }
    return n;
}

static void sweep_leaves(const bounds* boxes, uint32_t n, int axis, choice* best) {
    float right[SMALL];
    bounds box = nothing();
    for (uint32_t i = n - 1; i > 0; i--) {
        box = join(box, boxes[i]);
        right[i] = area(box);
    }
    box = nothing();
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
    bounds boxes[SMALL];
    frc_prim copy[SMALL];
    sort_centers(prims, count, order);
    for (int k = 0; k < 3; k++)
        sweep_leaves(boxes, join_leaves(prims, order[k], count, leaf_size, boxes), k, best);
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
