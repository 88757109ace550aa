/// @file build_sah.c  Split where the surface area heuristic is smallest: binned for large ranges,
/// every place that leaves full leaves for small ones.
///
/// The cost of a side is its surface times the number of leaves it needs. Where nothing separates
/// the centres the range is halved as it stands.
#include "base/simd.h"
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

static void bins_of(const ruler* r, const frc_prim* prim, uint32_t out[3]) {
    float place[4];
    f32x4_store(place, f32x4_mul(f32x4_sub(center(prim), r->lo), r->scale));
    // Written so that NaN and infinity land in a bin too: huge coordinates overflow float
    // arithmetic.
    for (int k = 0; k < 3; k++)
        out[k] = place[k] > 0 ? (place[k] < BINS - 1 ? (uint32_t)place[k] : BINS - 1) : 0;
}

static ruler make_ruler(const frc_prim* prims, uint32_t count) {
    bounds centers = {center(&prims[0]), center(&prims[0])};
    for (uint32_t i = 1; i < count; i++) {
        f32x4 c = center(&prims[i]);
        centers = join(centers, (bounds){c, c});
    }
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
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        frc_prim prim = prims[i];
        uint32_t at[3];
        bins_of(r, &prim, at);
        prims[i] = prims[left];
        prims[left] = prim;
        left += at[best->axis] < best->place;
    }
    return left;
}

static uint32_t split_binned(frc_prim* prims, uint32_t count, uint32_t leaf_size, choice* best) {
    ruler r = make_ruler(prims, count);
    bin bins[3][BINS];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BINS; i++) bins[k][i] = (bin){nothing(), 0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at[3];
        bins_of(&r, &prims[i], at);
        bounds box = prim_bounds(&prims[i]);
        for (int k = 0; k < 3; k++) {
            bin* b = &bins[k][at[k]];
            b->box = join(b->box, box);
            b->count++;
        }
    }
    for (int k = 0; k < 3; k++) sweep_bins(bins[k], k, leaf_size, best);
    return best->axis < 0 ? 0 : partition(prims, count, best, &r);
}

// ---- small ranges: sort along each axis and look at every place that fills leaves

// Floats in an order that integers have too; equal ones as they stand.
static uint64_t key_of(float at, uint32_t place) {
    uint32_t bits;
    at += 0.0f;
    memcpy(&bits, &at, sizeof bits);
    bits ^= (uint32_t)((int32_t)bits >> 31) | 0x80000000u;
    return (uint64_t)bits << 32 | place;
}

static void sort_keys(uint64_t* keys, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint64_t moved = keys[i];
        uint32_t j = i;
        for (; j > 0 && moved < keys[j - 1]; j--) keys[j] = keys[j - 1];
        keys[j] = moved;
    }
}

// `order` has the places in its lower halves.
static void sweep_sorted(const frc_prim* prims, const uint64_t* order, uint32_t count, int axis,
                         uint32_t leaf_size, choice* best) {
    float right[SMALL];
    bounds box = nothing();
    for (uint32_t i = count - 1; i > 0; i--) {
        box = join(box, prim_bounds(&prims[(uint32_t)order[i]]));
        if (i % leaf_size == 0) right[i] = area(box);
    }
    box = nothing();
    for (uint32_t i = 1; i < count; i++) {
        box = join(box, prim_bounds(&prims[(uint32_t)order[i - 1]]));
        if (i % leaf_size) continue;
        float left = area(box);
        float cost = left * leaves(i, leaf_size) + right[i] * leaves(count - i, leaf_size);
        if (cost < best->cost)
            *best = (choice){
                axis, i, cost, {left, right[i]}
            };
    }
}

static uint32_t split_small(frc_prim* prims, uint32_t count, uint32_t leaf_size, choice* best) {
    uint64_t keys[3][SMALL];
    frc_prim copy[SMALL];
    for (uint32_t i = 0; i < count; i++) {
        float at[4];
        f32x4_store(at, center(&prims[i]));
        for (int k = 0; k < 3; k++) keys[k][i] = key_of(at[k], i);
    }
    for (int k = 0; k < 3; k++) {
        sort_keys(keys[k], count);
        sweep_sorted(prims, keys[k], count, k, leaf_size, best);
    }
    if (best->axis < 0) return 0;
    memcpy(copy, prims, count * sizeof *prims);
    for (uint32_t i = 0; i < count; i++) prims[i] = copy[(uint32_t)keys[best->axis][i]];
    return best->place;
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
