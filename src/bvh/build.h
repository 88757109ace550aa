/// @file build.h  What the builders share: the split of a range of primitives in two.
#pragma once
#include "base/simd.h"
#include "bvh/tree.h"

/// The centre of a primitive, in one register: the only input of the median and the grid.
typedef struct frc_center {
    float at[3];
    uint32_t id;
} frc_center;

typedef struct frc_range {
    uint32_t first, count;
    float weight;  // the heaviest range of a node is split next
    // grid: the number of bits of the cells by which it is sorted; order: its highest seam, or 0
    uint32_t sorted;
} frc_range;

/// A position between two primitives that were in different leaves: see build_order.c. Seams are
/// numbered from 1.
typedef struct frc_seam {
    uint32_t at, left, right;
} frc_seam;

/// The state of a builder. Each builder allocates the arrays that it needs; the order builder reads
/// no `prims`.
typedef struct frc_splitter {
    frc_build_options options;
    frc_prim* prims;
    uint32_t count;
    frc_center *centers, *spare;    // median and grid; the grid sorts into `spare`
    uint16_t *codes, *spare_codes;  // grid: cell by position
    frc_seam* seams;                // order; `right` of entry 0 is the highest seam of all
    size_t seam_count;              // allocated
    uint64_t random;
} frc_splitter;

bool frc_order_prepare(fracas_context* context, frc_splitter* s);
void frc_order_release(fracas_context* context, frc_splitter* s);

/// Split a range of more than leaf_size primitives in two that are not empty. Each builder has one
/// function, in a file of its name.
typedef void frc_split_fn(frc_splitter* s, const frc_range* whole, frc_range half[2]);
void frc_split_median(frc_splitter* s, const frc_range* whole, frc_range half[2]);
void frc_split_sah(frc_splitter* s, const frc_range* whole, frc_range half[2]);
void frc_split_grid(frc_splitter* s, const frc_range* whole, frc_range half[2]);
void frc_split_order(frc_splitter* s, const frc_range* whole, frc_range half[2]);

/// Half of `count`, rounded up so that the first part fills its leaves.
static inline uint32_t frc_half(uint32_t count, uint32_t leaf_size) {
    uint32_t half = (count / 2 + leaf_size - 1) / leaf_size * leaf_size;
    return half < count ? half : count / 2;
}

/// The box of centres; the fourth entries are undefined.
static inline void frc_center_bounds(const frc_center* c, uint32_t count, float lo[4],
                                     float hi[4]) {
    f32x4 low = f32x4_load(c[0].at), high = low;
    for (uint32_t i = 1; i < count; i++) {
        f32x4 at = f32x4_load(c[i].at);
        low = f32x4_min(low, at);
        high = f32x4_max(high, at);
    }
    f32x4_store(lo, low);
    f32x4_store(hi, high);
}
