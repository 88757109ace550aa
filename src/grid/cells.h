/// @file cells.h  From coordinates to cells of a regular grid, and from cells to entries of a
/// table.
///
/// frc_cell_unit maps a coordinate to fixed-point units, 2^FRC_CELL_BITS per cell. It is monotone,
/// because each step (product, two clamps, sum, truncation) is monotone under rounding. So a
/// coordinate between two others has a unit between their units, and a cell between their cells,
/// for all numbers. Coordinates beyond the range of units are clamped: distant points share cells,
/// which costs time but loses no contact.
///
/// Based on: teschner2003 for the unbounded grid. There a hash function maps cells to a table. Here
/// the low bits of each index do so when a table of all cells would be too large (folding). Cells
/// that are neighbours along x are neighbours in the table, so a row of cells is one range.
#pragma once
#include "base/simd_int.h"
#include <stdint.h>

enum { FRC_CELL_BITS = 12, FRC_KEY_WINDOW = 16 };
#define FRC_CELL_LIMIT 0x1p29  // units; the difference of two is below 2^31

/// Units per length for cells of a positive size. The result is finite and positive.
static inline double frc_cell_scale(double size) {
    const double scale = (1 << FRC_CELL_BITS) / size;
    return scale < 0x1p1000 ? (scale > 0x1p-1000 ? scale : 0x1p-1000) : 0x1p1000;
}

/// The unit of a finite coordinate: the floor of x * scale up to 2^-22, clamped to the limit.
static inline int32_t frc_cell_unit(double scale, double x) {
    double unit = x * scale;
    unit = unit > -FRC_CELL_LIMIT ? unit : -FRC_CELL_LIMIT;
    unit = unit < FRC_CELL_LIMIT ? unit : FRC_CELL_LIMIT;
    return (int32_t)(unit + FRC_CELL_LIMIT) - (int32_t)FRC_CELL_LIMIT;
}

/// The units of three coordinates, as above; lane 3 is a copy of lane 2.
static inline i32x4 frc_cell_units(double scale, const double at[3]) {
    const f64x2 most = f64x2_splat(FRC_CELL_LIMIT), least = f64x2_splat(-FRC_CELL_LIMIT);
    f64x2 a = f64x2_mul(f64x2_load(at), f64x2_splat(scale)), b = f64x2_splat(at[2] * scale);
    a = f64x2_min(f64x2_max(a, least), most);
    b = f64x2_min(f64x2_max(b, least), most);
    return i32x4_sub(i32x4_from_f64(f64x2_add(a, most), f64x2_add(b, most)),
                     i32x4_splat((int32_t)FRC_CELL_LIMIT));
}

/// Is the unit at the limit? Then the coordinate may have been clamped.
static inline int frc_cell_clamped(int32_t unit) {
    return unit <= -(int32_t)FRC_CELL_LIMIT || unit >= (int32_t)FRC_CELL_LIMIT;
}

/// A table with an entry per cell, x fastest. If these would be too many, the table is folded: its
/// size along each axis is a power of two, and cells whose indices differ by a multiple of it share
/// an entry. Cells may be shorter along x by a factor of 2^finer, because a row is one range for
/// any number of cells.
typedef struct frc_cell_table {
    int32_t base[3];    // lowest cell
    uint32_t shift[3];  // a cell is 2^shift units long
    uint32_t size[3];   // entries along each axis
    uint32_t mask[3];   // for an index relative to base; all bits set without folding
    uint32_t most[3];   // largest distance of two cells with different entries and keys
                        // (sorted_points.h)
    uint32_t count;     // entries
} frc_cell_table;

static inline int32_t frc_cell_of(const frc_cell_table* t, int axis, int32_t unit) {
    return unit >> t->shift[axis];
}

// Fold the table: sizes are powers of two, and the longest axis is halved until they fit
// `most_bits`.
static inline void frc_cell_table_fold(frc_cell_table* t, const uint32_t last[3],
                                       uint32_t most_bits) {
    uint32_t bits[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        bits[k] = last[k] ? 32 - (uint32_t)__builtin_clz(last[k]) : 0;
        sum += bits[k];
    }
    for (; sum > most_bits; sum--) {
        int longest = bits[1] >= bits[0] ? 1 : 0;
        longest = bits[2] >= bits[longest] ? 2 : longest;
        bits[longest]--;
    }
    for (int k = 0; k < 3; k++) {
        t->size[k] = 1u << bits[k];
        t->mask[k] = t->size[k] - 1;
    }
}

/// A table for points between two corners, in units. It is folded to at most 2^most_bits entries
/// when there are more than twice as many cells. most_bits is at most 30.
static inline frc_cell_table frc_cell_table_make(const int32_t lo[3], const int32_t hi[3],
                                                 uint32_t finer, uint32_t most_bits) {
    frc_cell_table t;
    uint32_t last[3];
    const double most = 2 * (double)(1u << most_bits);
    double all = 1;
    for (int k = 0; k < 3; k++) {
        t.shift[k] = k == 0 ? FRC_CELL_BITS - finer : FRC_CELL_BITS;
        t.base[k] = frc_cell_of(&t, k, lo[k]);
        last[k] = (uint32_t)(frc_cell_of(&t, k, hi[k]) - t.base[k]);
        t.size[k] = last[k] + 1;
        t.mask[k] = UINT32_MAX;
        all *= (double)last[k] + 1;
    }
    if (all > most) frc_cell_table_fold(&t, last, most_bits);
    for (int k = 0; k < 3; k++) {
        const uint32_t window = ((FRC_KEY_WINDOW - 1u) << FRC_CELL_BITS >> t.shift[k]) - 1;
        t.most[k] = window < t.size[k] - 1 ? window : t.size[k] - 1;
    }
    t.count = t.size[0] * t.size[1] * t.size[2];
    return t;
}

/// The folded index of a cell along an axis.
static inline uint32_t frc_cell_fold(const frc_cell_table* t, int axis, int32_t cell) {
    return (uint32_t)(cell - t->base[axis]) & t->mask[axis];
}

/// The first cell of a row, by folded indices.
static inline uint32_t frc_cell_row(const frc_cell_table* t, uint32_t y, uint32_t z) {
    return (z * t->size[1] + y) * t->size[0];
}

/// Wrap a folded index that exceeds the table by less than its size.
static inline uint32_t frc_cell_wrap(const frc_cell_table* t, int axis, uint32_t index) {
    return index < t->size[axis] ? index : index - t->size[axis];
}

/// The folded indices of cells [first, last] along an axis: `count` distinct ones, beginning with
/// `from`, modulo the size.
typedef struct frc_cell_span {
    uint32_t from, count;
} frc_cell_span;

static inline frc_cell_span frc_cell_span_of(const frc_cell_table* t, int axis, int32_t first,
                                             int32_t last) {
    const uint32_t count = (uint32_t)(last - first) + 1, all = t->size[axis];
    return (frc_cell_span){frc_cell_fold(t, axis, first), count < all ? count : all};
}

/// A table with one axis per lane; lane 3 is zero. Sizes are far below 2^31.
typedef struct frc_cell_axes {
    i32x4 base, mask, last, most;
    i32x4 strides;  // in entries, between neighbouring cells
} frc_cell_axes;

static inline i32x4 frc_cell_lanes(const uint32_t a[3]) {
    return i32x4_load((const int32_t[4]){(int32_t)a[0], (int32_t)a[1], (int32_t)a[2], 0});
}

static inline frc_cell_axes frc_cell_axes_of(const frc_cell_table* t) {
    const uint32_t x = t->size[0], y = t->size[1], z = t->size[2];
    return (frc_cell_axes){
        .base = i32x4_load((const int32_t[4]){t->base[0], t->base[1], t->base[2], 0}),
        .mask = frc_cell_lanes(t->mask),
        .last = frc_cell_lanes((const uint32_t[3]){x - 1, y - 1, z - 1}),
        .most = frc_cell_lanes(t->most),
        .strides = frc_cell_lanes((const uint32_t[3]){1, x, x * y})};
}

/// The cells of units, not folded; `finer` must be a constant.
static inline i32x4 frc_cell_lanes_of(int finer, i32x4 units) {
    return i32x4_down_each(units, FRC_CELL_BITS - finer, FRC_CELL_BITS);
}

/// Folded indices.
static inline i32x4 frc_cell_lanes_fold(const frc_cell_axes* t, i32x4 cells) {
    return i32x4_and(i32x4_sub(cells, t->base), t->mask);
}
