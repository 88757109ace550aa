/// @file box_grid.h  Boxes in uniform cells: every box is entered in all cells that it covers, so
/// overlapping boxes share a cell.
///
/// Based on: teschner2003, with boxes on both sides. The cells are hashed into buckets, filled by
/// counting: no lists, no time stamps, and the entries of a bucket are contiguous. Several cells
/// may share a bucket; entries carry the whole cell to tell them apart.
///
/// Each pair once. Two overlapping boxes both cover the cell of the larger of their low corners,
/// axis by axis, and that is the only cell in which along each axis one of the two begins. So an
/// entry says along which axes its box begins in this cell, and a pair counts where the two
/// together begin along all three.
///
/// Large boxes. A box longer than 2.5 cells goes to a level of cells eight times as large, and
/// again; the highest level is one cell. A box is at home on its own level. It is also entered on
/// coarser levels, where a bucket has entries at home. Two entries that are not at home are no
/// pair.
#pragma once
#include "base/context.h"
#include <stdatomic.h>

/// Bounds may be infinite, not NaN; lo[0] > hi[0] is an empty box. The bounds take sixteen bytes
/// each; the grid writes the lowest cell of the box between them.
typedef struct frc_grid_box {
    float lo[3];
    uint32_t cell_low;
    float hi[3];
    uint32_t cell_high;
} frc_grid_box;

enum {
    FRC_GRID_BEGINS = 7,  // bits by axis: the box begins in this cell
    FRC_GRID_HOME = 8     // the level is the box's own
};

typedef struct frc_grid_entry {
    uint64_t cell;
    uint32_t item, mark;
} frc_grid_entry;

enum { FRC_GRID_SIZES = 12 };  // levels

/// Shared by workers.
typedef struct frc_counter {
    _Atomic uint32_t value;
} frc_counter;

/// All zero: an empty grid. Its memory is reused by the next build.
typedef struct frc_box_grid {
    double origin[3], inverse;  // of the smallest cells
    struct {
        uint32_t items, first, bits;  // boxes at home; buckets
        float lo[3], hi[3];           // bounds of these boxes, on levels above the lowest
    } level[FRC_GRID_SIZES];
    uint32_t bucket_count;
    frc_counter* begin;  // by bucket, one more at the end
    frc_grid_entry* entries;
    uint16_t* shapes;  // by item: cells along each axis less one, two bits each; then the level
    uint8_t* homes;    // by bucket: some box is at home; with several levels only
    size_t begin_capacity, home_capacity, entry_capacity, shape_capacity;
    double cell_size;
} frc_box_grid;

/// Enter `count` boxes into cells of `cell_size`; 0: chosen from the boxes. False: no memory, or
/// more entries than 32 bits can number.
bool frc_box_grid_build(fracas_context* context, frc_box_grid* grid, frc_grid_box* boxes,
                        uint32_t count, double cell_size);
void frc_box_grid_release(fracas_context* context, frc_box_grid* grid);

static inline uint32_t frc_box_grid_begin(const frc_box_grid* grid, uint32_t bucket) {
    return atomic_load_explicit(&grid->begin[bucket].value, memory_order_relaxed);
}

/// Sort the entries of a bucket by cell, entries at home first. One worker at a time per bucket.
void frc_box_grid_arrange(frc_grid_entry* entries, uint32_t count);

/// The floats in a cell: from `lo` up to, not including, `hi`, which is NaN for the last cell. The
/// content is reused for the next cell if `known`, which must be false after a build.
typedef struct frc_cell_bounds {
    float lo[4], hi[4];  // lanes 3 are not used
    uint64_t cell;
    uint32_t level;
    bool known;
} frc_cell_bounds;
void frc_box_grid_bounds(const frc_box_grid* grid, uint32_t bucket, uint64_t cell,
                         frc_cell_bounds* out);

/// The chosen cell size: 2.5 times the mean of the largest extents, without zeros and outliers, of
/// a sample of about a thousand boxes.
double frc_box_grid_choose_size(const frc_grid_box* boxes, uint32_t count);

// ---- shared by box_grid.c and box_grid_bounds.c

enum {
    FRC_GRID_AXIS_BITS = 21,  // of a cell's index along an axis; three make one word
    FRC_GRID_AXIS_LIMIT = 1 << (FRC_GRID_AXIS_BITS - 1),
    FRC_GRID_WHOLE = FRC_GRID_SIZES - 1  // the level that is one cell
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
