/// @file sorted_points.h  Points sorted by cell: the points of a row of cells are one range.
#pragma once
#include "base/array.h"
#include "grid/cells.h"

/// Key of a point: along each axis the low nine bits of its coordinate in 1/32 of a cell, in fields
/// of ten bits with the tenth set as a guard. Keys are unique within a window of sixteen cells, and
/// repeat from one window to the next.
#define FRC_KEY_GUARD 0x20080200u
#define FRC_KEY_DIGITS 0x1ff7fdffu
enum { FRC_KEY_SHIFT = FRC_CELL_BITS - 5 };

/// Shift the digits of each axis into its field; the sum of the lanes is the key.
static inline i32x4 frc_key_places(i32x4 digits) {
    const int32_t places[4] = {1, 1 << 10, 1 << 20, 0};
    return i32x4_mul(i32x4_and(digits, i32x4_splat(511)), i32x4_load(places));
}

static inline uint32_t frc_key_pack(i32x4 units) {
    return (uint32_t)i32x4_sum(frc_key_places(i32x4_down(units, FRC_KEY_SHIFT)));
}

/// Cells are half as long along x: fewer candidates, and no more ranges. BEYOND: see `keys`.
enum { FRC_POINTS_FINER = 1, FRC_POINTS_BEYOND = 8 };

/// One bit per point of 64: is its cell, and its cell in the row before, below a slice?
typedef struct frc_slice_bits {
    uint64_t own, before;
} frc_slice_bits;

typedef struct frc_sorted_points {
    frc_cell_table table;
    // [starts[c], starts[c + 1]) are the points of cell c and of the same cell in the next row
    // along y; of cell c only when there is one row.
    FRC_ARRAY(uint32_t) starts;
    // Scratch of the sort: cells by point, and bits by slice.
    FRC_ARRAY(uint32_t) cells;
    FRC_ARRAY(frc_slice_bits) bits;
    // In sorted order: the key with guards, and the index of the point. FRC_POINTS_BEYOND more
    // elements are readable.
    FRC_ARRAY(uint32_t) keys;
    FRC_ARRAY(uint32_t) points;
} frc_sorted_points;

enum { FRC_POINT_SLICES = 64 };  // at most

/// A sort in progress.
typedef struct frc_point_sort {
    const int32_t (*units)[4];
    uint32_t count, slices;
    uint32_t range_words;  // words of 64 points per range
    bool twice;            // each point is also entered in the row before its own
    frc_sorted_points* out;
    uint32_t firsts[FRC_POINT_SLICES + 1];  // first cell of each slice, and the end of the last
} frc_point_sort;

/// Begin to sort `count` points between `lo` and `hi`, in units; lane 3 is ignored. Then process
/// all ranges, in any order, by any worker, then all slices. There are at most as many slices as
/// the context has workers. Within a cell points are in ascending order. The units must stay until
/// the last slice is done. False: no memory or too many points; `out` must be sorted again before
/// use.
bool frc_point_sort_begin(frc_point_sort* sort, fracas_context* context, const int32_t (*units)[4],
                          uint32_t count, const int32_t lo[3], const int32_t hi[3],
                          frc_sorted_points* out);
uint32_t frc_point_sort_ranges(const frc_point_sort* sort);
void frc_point_sort_range(const frc_point_sort* sort, uint32_t range);
void frc_point_sort_slice(const frc_point_sort* sort, uint32_t slice);

void frc_sorted_points_release(fracas_context* context, frc_sorted_points* points);
