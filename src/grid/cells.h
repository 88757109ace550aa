/// @file cells.h  From coordinates to cells of a regular grid, and from cells to a table of them.
///
/// There is one function from a coordinate to whole units, of which a cell has 2^FRC_CELL_BITS. It
/// never falls where the coordinate grows: each of its steps (a product, two clamps, a sum, a cut)
/// is monotone under rounding. So what lies between two coordinates lies between their units, and
/// between their cells, whatever the numbers are. Coordinates too far away for units go to the last
/// one: far things share cells, which costs time and no contact.
///
/// Based on: teschner2003 for the endless grid. There a hash function folds it into a table; here
/// the low bits of each index do, where a table of all cells would be too large. Neighbours along x
/// stay neighbours in the table: a row of cells is one range.
#pragma once
#include "base/simd_int.h"
#include <stdint.h>

enum { FRC_CELL_BITS = 12, FRC_KEY_WINDOW = 16 };
#define FRC_CELL_LIMIT 0x1p29  // units; the difference of two is below 2^31

/// Units per length for cells of a size, which is positive. Finite and positive.
static inline double frc_cell_scale(double size) {
    const double scale = (1 << FRC_CELL_BITS) / size;
    return scale < 0x1p1000 ? (scale > 0x1p-1000 ? scale : 0x1p-1000) : 0x1p1000;
}

/// The unit of a finite coordinate. Off by less than 2^-22 from a floor, within the limit.
static inline int32_t frc_cell_unit(double scale, double x) {
    double unit = x * scale;
    unit = unit > -FRC_CELL_LIMIT ? unit : -FRC_CELL_LIMIT;
    unit = unit < FRC_CELL_LIMIT ? unit : FRC_CELL_LIMIT;
    return (int32_t)(unit + FRC_CELL_LIMIT) - (int32_t)FRC_CELL_LIMIT;
}

/// The units of three coordinates, as above; the fourth is that of the third.
static inline i32x4 frc_cell_units(double scale, const double at[3]) {
    const f64x2 most = f64x2_splat(FRC_CELL_LIMIT), least = f64x2_splat(-FRC_CELL_LIMIT);
    f64x2 a = f64x2_mul(f64x2_load(at), f64x2_splat(scale)), b = f64x2_splat(at[2] * scale);
    a = f64x2_min(f64x2_max(a, least), most);
    b = f64x2_min(f64x2_max(b, least), most);
    return i32x4_sub(i32x4_from_f64(f64x2_add(a, most), f64x2_add(b, most)),
                     i32x4_splat((int32_t)FRC_CELL_LIMIT));
}

/// Is it beyond the limit, so that its unit says little?
static inline int frc_cell_clamped(int32_t unit) {
    return unit <= -(int32_t)FRC_CELL_LIMIT || unit >= (int32_t)FRC_CELL_LIMIT;
}

/// A table of cells, x running fastest: of all there are or, where that would be too many, of a
/// power of two along each axis, and cells whose indices differ by a multiple of it are one. Cells
/// may be shorter along x, 2^finer of them to one: a row is one range however many cells it has.
typedef struct frc_cell_table {
    int32_t base[3];    // the cell that comes first
    uint32_t shift[3];  // bits of a unit that are within a cell
    uint32_t size[3];   // cells
    uint32_t mask[3];   // of an index from the first; all bits where nothing is folded
    uint32_t most[3];   // how far apart two cells may be that keys tell apart (points.h), and that
                        // are not one
    uint32_t count;     // of all cells
} frc_cell_table;

static inline int32_t frc_cell_of(const frc_cell_table* t, int axis, int32_t unit) {
    return unit >> t->shift[axis];
}

// Powers of two, of which the longest is halved until they are few enough.
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

/// A table for what lies between two corners, in units, of at most 2^most_bits cells, most_bits at
/// most 30; where nothing has to be folded, twice as many.
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

/// Where the cell with an index along an axis stands in the table.
static inline uint32_t frc_cell_fold(const frc_cell_table* t, int axis, int32_t cell) {
    return (uint32_t)(cell - t->base[axis]) & t->mask[axis];
}

/// The first cell of a row, given by folded indices.
static inline uint32_t frc_cell_row(const frc_cell_table* t, uint32_t y, uint32_t z) {
    return (z * t->size[1] + y) * t->size[0];
}

/// A folded index that may have run over the end of the table, by less than its size.
static inline uint32_t frc_cell_wrap(const frc_cell_table* t, int axis, uint32_t index) {
    return index < t->size[axis] ? index : index - t->size[axis];
}

/// Cells [first, last] along an axis, folded: they begin at `from` and are `count`, each once.
typedef struct frc_cell_span {
    uint32_t from, count;
} frc_cell_span;

static inline frc_cell_span frc_cell_span_of(const frc_cell_table* t, int axis, int32_t first,
                                             int32_t last) {
    const uint32_t count = (uint32_t)(last - first) + 1, all = t->size[axis];
    return (frc_cell_span){frc_cell_fold(t, axis, first), count < all ? count : all};
}

/// A table with an axis in each lane; of the fourth nothing comes. Cells along an axis are far
/// fewer than 2^31.
typedef struct frc_cell_axes {
    i32x4 base, mask, last, most;
    i32x4 strides;  // from a cell to the next
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

/// The cells of units, not folded; `finer` is a constant, so that shifts are.
static inline i32x4 frc_cell_lanes_of(int finer, i32x4 units) {
    return i32x4_down_each(units, FRC_CELL_BITS - finer, FRC_CELL_BITS);
}

/// Where cells stand in the table.
static inline i32x4 frc_cell_lanes_fold(const frc_cell_axes* t, i32x4 cells) {
    return i32x4_and(i32x4_sub(cells, t->base), t->mask);
}
