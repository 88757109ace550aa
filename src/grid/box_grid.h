/// @file box_grid.h  Spatial hashing of boxes: a box has an entry in each cell that it covers, so
/// overlapping boxes share a cell.
///
/// Based on: teschner2003, with boxes on both sides. The cells are hashed into buckets, which are
/// filled by a counting sort: there are no lists and no time stamps, and the entries of a bucket
/// are contiguous. Several cells may share a bucket, so an entry contains its cell.
///
/// Each pair once. Two overlapping boxes both cover the cell whose index along each axis is that of
/// the larger of the two low corners. It is the only cell in which, along each axis, one of the two
/// boxes begins. So an entry has a bit for each axis along which its box begins in the cell, and a
/// pair is counted where the bits of the two cover all three axes.
///
/// Large boxes. A box longer than 2.5 cells moves to the next level, where cells are eight times as
/// long; the highest level is a single cell. Besides the entries on its own level a box has entries
/// on coarser levels, but only in buckets that have entries of boxes of that level. A pair needs at
/// least one entry that is on the own level of its box.
#pragma once
#include "base/context.h"
#include <stdatomic.h>

/// Bounds may be infinite, but not NaN; lo[0] > hi[0] is an empty box. The fourth lanes are written
/// by the grid: the lowest cell of the box.
typedef struct frc_grid_box {
    float lo[3];
    uint32_t cell_low;
    float hi[3];
    uint32_t cell_high;
} frc_grid_box;

enum {
    FRC_GRID_BEGINS = 7,    // bits by axis: the box begins in this cell
    FRC_GRID_OWN_LEVEL = 8  // the cell is on the own level of the box
};

typedef struct frc_grid_entry {
    uint64_t cell;
    uint32_t item, mark;
} frc_grid_entry;

enum { FRC_BOX_GRID_LEVELS = 12 };  // levels

/// A counter shared by workers.
typedef struct frc_counter {
    _Atomic uint32_t value;
} frc_counter;

/// All zero: an empty grid. Its memory is reused by the next build.
typedef struct frc_box_grid {
    double origin[3], inverse;  // of the smallest cells
    struct {
        uint32_t items;        // boxes whose own level this is
        uint32_t first, bits;  // first bucket, and 2^bits buckets
        float lo[3], hi[3];    // bounds of these boxes, on levels above the lowest
    } level[FRC_BOX_GRID_LEVELS];
    uint32_t bucket_count;
    frc_counter* begin;  // of the entries of each bucket; bucket_count + 1 of them
    frc_grid_entry* entries;
    uint16_t* shapes;  // by item: cells along each axis less one, two bits each; then the level
    uint8_t* has_own;  // by bucket: it has own-level entries; set with several levels only
    size_t begin_capacity, own_capacity, entry_capacity, shape_capacity;
    double cell_size;
} frc_box_grid;

/// Enter `count` boxes into cells of `cell_size`; 0: chosen from the boxes. False: out of memory,
/// or the number of entries exceeds 32 bits.
bool frc_box_grid_build(fracas_context* context, frc_box_grid* grid, frc_grid_box* boxes,
                        uint32_t count, double cell_size);
void frc_box_grid_release(fracas_context* context, frc_box_grid* grid);

static inline uint32_t frc_box_grid_begin(const frc_box_grid* grid, uint32_t bucket) {
    return atomic_load_explicit(&grid->begin[bucket].value, memory_order_relaxed);
}

/// Sort the entries of a bucket by cell, own-level entries first. One worker at a time per bucket.
void frc_box_grid_sort_bucket(frc_grid_entry* entries, uint32_t count);

/// The floats of a cell: from `lo` up to but not including `hi`, which is NaN for the last cell
/// along an axis. If `known`, bounds of the previous cell are reused; it must be false after a
/// build.
typedef struct frc_cell_bounds {
    float lo[4], hi[4];  // lanes 3 are not used
    uint64_t cell;
    uint32_t level;
    bool known;
} frc_cell_bounds;
void frc_box_grid_bounds(const frc_box_grid* grid, uint32_t bucket, uint64_t cell,
                         frc_cell_bounds* out);

/// Choose a cell size: 2.5 times the mean length of a sample of about a thousand boxes, without
/// zeros and outliers. The length of a box is its largest extent.
double frc_box_grid_choose_size(const frc_grid_box* boxes, uint32_t count);

// ---- shared by box_grid.c and box_grid_bounds.c

enum {
    FRC_GRID_AXIS_BITS = 21,  // of a cell's index along an axis; three indices fit one word
    FRC_GRID_AXIS_LIMIT = 1 << (FRC_GRID_AXIS_BITS - 1),
    FRC_GRID_TOP_LEVEL = FRC_BOX_GRID_LEVELS - 1  // the level of a single cell
};

static inline double frc_box_grid_inverse(const frc_box_grid* grid, uint32_t level) {
    return grid->inverse / (double)((uint64_t)1 << (3 * level));
}

/// The index of a cell along an axis: floor((x - origin) * inverse), clamped. Every step is
/// monotone and never NaN, because origin and inverse are finite and the inverse is not zero. So x
/// <= y implies that the cell of x is not above that of y, and overlapping boxes share a cell.
/// Distant boxes share the last cells, which costs time only.
static inline uint32_t frc_box_grid_axis_cell(const frc_box_grid* grid, double x, int axis,
                                              double inverse) {
    double cell = (x - grid->origin[axis]) * inverse;
    cell = cell > -FRC_GRID_AXIS_LIMIT ? cell : -FRC_GRID_AXIS_LIMIT;
    cell = cell < FRC_GRID_AXIS_LIMIT - 1 ? cell : FRC_GRID_AXIS_LIMIT - 1;
    return (uint32_t)(cell + FRC_GRID_AXIS_LIMIT);
}
