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

/// Is it beyond the limit, so that its unit says little?
static inline int frc_cell_clamped(int32_t unit) {
    return unit <= -(int32_t)FRC_CELL_LIMIT || unit >= (int32_t)FRC_CELL_LIMIT;
}

/// A table of cells: 2^bits of them along each axis, x running fastest. Cells whose indices differ
/// by a multiple of that are one. Cells may be shorter along x, 2^finer of them to one: a row is
/// one range however many cells it has.
typedef struct frc_cell_table {
    int32_t base[3];    // the cell that comes first
    uint32_t shift[3];  // bits of a unit that are within a cell
    uint32_t bits[3];
    uint32_t mask[3];
    uint32_t most[3];  // how far apart two cells may be that keys tell apart (points.h), and that
                       // are not one
    uint32_t count;    // of all cells
} frc_cell_table;

static inline int32_t frc_cell_of(const frc_cell_table* t, int axis, int32_t unit) {
    return unit >> t->shift[axis];
}

/// A table for what lies between two corners, in units, of at most 2^most_bits cells.
static inline frc_cell_table frc_cell_table_make(const int32_t lo[3], const int32_t hi[3],
                                                 uint32_t finer, uint32_t most_bits) {
    frc_cell_table t;
    uint32_t sum = 0;
    for (int k = 0; k < 3; k++) {
        t.shift[k] = k == 0 ? FRC_CELL_BITS - finer : FRC_CELL_BITS;
        const uint32_t last = (uint32_t)(frc_cell_of(&t, k, hi[k]) - frc_cell_of(&t, k, lo[k]));
        t.base[k] = frc_cell_of(&t, k, lo[k]);
        t.bits[k] = last ? 32 - (uint32_t)__builtin_clz(last) : 0;
        sum += t.bits[k];
    }
    for (; sum > most_bits; sum--) {
        int longest = t.bits[1] >= t.bits[0] ? 1 : 0;
        longest = t.bits[2] >= t.bits[longest] ? 2 : longest;
        t.bits[longest]--;
    }
    for (int k = 0; k < 3; k++) {
        const uint32_t window = ((FRC_KEY_WINDOW - 1u) << FRC_CELL_BITS >> t.shift[k]) - 1;
        t.mask[k] = (1u << t.bits[k]) - 1;
        t.most[k] = window < t.mask[k] ? window : t.mask[k];
    }
    t.count = 1u << sum;
    return t;
}

/// Where the cell with an index along an axis stands in the table.
static inline uint32_t frc_cell_fold(const frc_cell_table* t, int axis, int32_t cell) {
    return (uint32_t)(cell - t->base[axis]) & t->mask[axis];
}

/// The first cell of a row, given by folded indices.
static inline uint32_t frc_cell_row(const frc_cell_table* t, uint32_t y, uint32_t z) {
    return ((z << t->bits[1]) | y) << t->bits[0];
}

/// Cells [first, last] along an axis, folded: they begin at `from` and are `count`, each once.
typedef struct frc_cell_span {
    uint32_t from, count;
} frc_cell_span;

static inline frc_cell_span frc_cell_span_of(const frc_cell_table* t, int axis, int32_t first,
                                             int32_t last) {
    const uint32_t count = (uint32_t)(last - first) + 1, all = t->mask[axis] + 1;
    return (frc_cell_span){frc_cell_fold(t, axis, first), count < all ? count : all};
}
