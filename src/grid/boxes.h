/// @file boxes.h  Boxes in uniform cells: every box is entered in all cells that it covers, and
/// boxes that meet have a cell in common.
///
/// Based on: teschner2003, for boxes on both sides. The cells are those of a hash table, which is
/// filled by counting: no lists, no time stamps, and what stands in a bucket stands side by side.
/// A bucket may hold several cells; entries carry the whole cell, so that none is taken for
/// another.
///
/// Each pair once. Two boxes that meet both cover the cell of the larger of their low corners, axis
/// by axis, and that is the only cell in which along each axis one of the two begins. So an entry
/// says along which axes its box begins in this cell, and a pair counts where the two together
/// begin along all three.
///
/// Large boxes. One that is longer than two and a half cells goes up to cells eight times as large,
/// and again; the highest level is one cell that holds everything. Smaller boxes are entered
/// on a higher level too, as guests, in the cells where somebody is at home. Two guests are no
/// pair.
#pragma once
#include "base/context.h"
#include <stdatomic.h>

/// Bounds may be infinite, not NaN; lo[0] > hi[0] says that there is no box. Sixteen bytes each for
/// the bounds, with the low cell of the box between them, which the grid writes.
typedef struct frc_grid_box {
    float lo[3];
    uint32_t cell_low;
    float hi[3];
    uint32_t cell_high;
} frc_grid_box;

enum {
    FRC_GRID_BEGINS = 7,  // bits by axis: the box begins in this cell
    FRC_GRID_HOME = 8     // it is no guest
};

typedef struct frc_grid_entry {
    uint64_t cell;
    uint32_t item, mark;
} frc_grid_entry;

enum { FRC_GRID_SIZES = 12 };

/// A number that several workers change.
typedef struct frc_counter {
    _Atomic uint32_t value;
} frc_counter;

/// The memory is kept for the next build. All zero: an empty grid.
typedef struct frc_box_grid {
    double origin[3], inverse;  // of the smallest cells
    struct {
        uint32_t items, first, bits;  // at home there; its buckets
        float lo[3], hi[3];           // around those, of levels that may have guests
    } level[FRC_GRID_SIZES];
    uint32_t bucket_count;
    frc_counter* begin;  // by bucket; one more at the end
    frc_grid_entry* entries;
    uint16_t* shapes;  // by item: cells along each axis less one, two bits each; then the level
    uint8_t* homes;    // by bucket, where there are guests: somebody is at home
    size_t begin_capacity, home_capacity, entry_capacity, shape_capacity;
    double cell_size;
} frc_box_grid;

/// Enter `count` boxes, into cells of `cell_size`, or of a size chosen from the boxes when that is
/// 0. False: no memory, or more entries than 32 bits can number.
bool frc_box_grid_build(fracas_context* context, frc_box_grid* grid, frc_grid_box* boxes,
                        uint32_t count, double cell_size);
void frc_box_grid_release(fracas_context* context, frc_box_grid* grid);

static inline uint32_t frc_box_grid_begin(const frc_box_grid* grid, uint32_t bucket) {
    return atomic_load_explicit(&grid->begin[bucket].value, memory_order_relaxed);
}

/// Put the entries of a bucket in the order of their cells, and those at home before guests. One
/// worker at a time may do it for a bucket, and only it may look at it then.
void frc_box_grid_arrange(frc_grid_entry* entries, uint32_t count);

/// The floats in a cell of a bucket, as the grid sees them: from `lo` up to, not including, `hi`.
/// Where there is no such float, because it is the last cell, `hi` is NaN. What is there of the
/// cell before is used, unless it is not `known`: from one build to the next it must not be.
typedef struct frc_cell_bounds {
    float lo[4], hi[4];  // the fourth are not used
    uint64_t cell;
    uint32_t level;
    bool known;
} frc_cell_bounds;
void frc_box_grid_bounds(const frc_box_grid* grid, uint32_t bucket, uint64_t cell,
                         frc_cell_bounds* out);

/// What `frc_box_grid_build` chooses: 2.5 times the mean of the largest extents, without zeros and
/// without those that are far above the median; by some thousand boxes when there are more.
double frc_box_grid_choose_size(const frc_grid_box* boxes, uint32_t count);
