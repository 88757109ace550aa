/// @file sorted_points.h  Points sorted by cell; the points of a row of cells are one range.
#pragma once
#include "base/array.h"
#include "grid/cells.h"

/// The key of a point has a field of ten bits per axis: the low nine bits of the coordinate in 1/32
/// of a cell, and a guard bit, which is set. Keys are unique within a window of sixteen cells and
/// repeat in the next window.
#define FRC_KEY_GUARD 0x20080200u
#define FRC_KEY_DIGITS 0x1ff7fdffu
enum { FRC_KEY_SHIFT = FRC_CELL_BITS - 5 };

/// Shift the digits of each axis to its field. The key is the sum of the lanes.
static inline i32x4 frc_key_places(i32x4 digits) {
    const int32_t places[4] = {1, 1 << 10, 1 << 20, 0};
    return i32x4_mul(i32x4_and(digits, i32x4_splat(511)), i32x4_load(places));
}

static inline uint32_t frc_key_pack(i32x4 units) {
    return (uint32_t)i32x4_sum(frc_key_places(i32x4_down(units, FRC_KEY_SHIFT)));
}

/// FINER: cells are half as long along x, for fewer candidates with the same number of ranges.
/// BEYOND: readable elements after the last of `keys` and `points`.
enum { FRC_POINTS_FINER = 1, FRC_POINTS_PADDING = 8 };

/// One bit per point, for 64 points: is the cell below the slice, and the cell in the previous row?
typedef struct frc_slice_bits {
    uint64_t own, before;
} frc_slice_bits;

typedef struct frc_sorted_points {
    frc_cell_table table;
    // [starts[c], starts[c + 1]) are the points of cell c and of the cell next to it along y; with
    // one row along y of cell c only.
    FRC_ARRAY(uint32_t) starts;
    // Scratch memory of the sort: cell by point, bits by word and slice.
    FRC_ARRAY(uint32_t) cells;
    FRC_ARRAY(frc_slice_bits) bits;
    // In sorted order: key with guards, and index of the point. FRC_POINTS_PADDING more elements
    // are readable.
    FRC_ARRAY(uint32_t) keys;
    FRC_ARRAY(uint32_t) points;
} frc_sorted_points;

enum { FRC_POINT_SLICES = 64 };  // the maximum

/// A sort in progress.
typedef struct frc_point_sort {
    const int32_t (*units)[4];
    uint32_t count, slices;
    uint32_t range_words;  // words of 64 points per range
    bool twice;            // each point also has an entry in the previous row
    frc_sorted_points* out;
    uint32_t firsts[FRC_POINT_SLICES + 1];  // first cell of each slice; the end of the last slice
} frc_point_sort;

/// Begin to sort `count` points between `lo` and `hi`, in units; lane 3 is ignored. Afterwards the
/// caller processes all ranges, on any worker and in any order, and then all slices. There are at
/// most as many slices as workers. Points of a cell are in ascending order. The units must be valid
/// until the last slice has been processed. False: out of memory or too many points; `out` must be
/// sorted again before use.
bool frc_point_sort_begin(frc_point_sort* sort, fracas_context* context, const int32_t (*units)[4],
                          uint32_t count, const int32_t lo[3], const int32_t hi[3],
                          frc_sorted_points* out);
uint32_t frc_point_sort_ranges(const frc_point_sort* sort);
void frc_point_sort_range(const frc_point_sort* sort, uint32_t range);
void frc_point_sort_slice(const frc_point_sort* sort, uint32_t slice);

void frc_sorted_points_release(fracas_context* context, frc_sorted_points* points);
