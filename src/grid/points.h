/// @file points.h  Points sorted by cell: the points of a row of cells are one range.
#pragma once
#include "base/array.h"
#include "grid/cells.h"

/// A point's place within its cell and the cells around it, in one number: along each axis the low
/// nine bits of a coordinate in 32nds of a cell, ten bits apart, the tenth set. A window of sixteen
/// cells is told apart; what lies whole windows away looks the same.
#define FRC_KEY_GUARD 0x20080200u
#define FRC_KEY_DIGITS 0x1ff7fdffu
enum { FRC_KEY_SHIFT = FRC_CELL_BITS - 5 };

/// The digits of units, or of differences of digits: each in its place, to be added up.
static inline i32x4 frc_key_places(i32x4 digits) {
    const int32_t places[4] = {1, 1 << 10, 1 << 20, 0};
    return i32x4_mul(i32x4_and(digits, i32x4_splat(511)), i32x4_load(places));
}

static inline uint32_t frc_key_pack(i32x4 units) {
    return (uint32_t)i32x4_sum(frc_key_places(i32x4_down(units, FRC_KEY_SHIFT)));
}

/// Cells are half as long along x: fewer points to look at, and no more ranges.
enum { FRC_POINTS_FINER = 1, FRC_POINTS_BEYOND = 8 };

/// Of 64 points: which have their cell before the place where a slice of the table begins, and
/// which have their cell of the row before there.
typedef struct frc_slice_marks {
    uint64_t own, before;
} frc_slice_marks;

typedef struct frc_sorted_points {
    frc_cell_table table;
    // Points of cell c, and of the same cell of the next row along y, are at places [starts[c],
    // starts[c + 1]); when there is one row, of cell c.
    FRC_ARRAY(uint32_t) starts;
    // While points are sorted, by point: cells, and which are in which slice.
    FRC_ARRAY(uint32_t) cells;
    FRC_ARRAY(frc_slice_marks) marks;
    // By place: the key with the guard set, and the number of the point. FRC_POINTS_BEYOND more may
    // be read.
    FRC_ARRAY(uint32_t) keys;
    FRC_ARRAY(uint32_t) points;
} frc_sorted_points;

enum { FRC_POINT_SLICES = 64 };  // at most

/// Points on their way into cells.
typedef struct frc_point_sort {
    const int32_t (*units)[4];
    uint32_t count, slices;
    uint32_t words;  // 64 points each, of a range that one worker takes
    bool twice;
    frc_sorted_points* out;
    uint32_t firsts[FRC_POINT_SLICES + 1];  // cells at which slices begin, and the last ends
} frc_point_sort;

/// Begin to sort `count` points, given in units, of which the fourth number is not looked at, all
/// between `lo` and `hi`. Then come all ranges, in any order, by any worker, then all slices; there
/// are as many as the context has workers, as far as that is worth it. Within a cell points stand
/// in the order of their numbers. False: no memory; then what is there must not be used.
bool frc_point_sort_begin(frc_point_sort* sort, fracas_context* context, const int32_t (*units)[4],
                          uint32_t count, const int32_t lo[3], const int32_t hi[3],
                          frc_sorted_points* out);
uint32_t frc_point_sort_ranges(const frc_point_sort* sort);
void frc_point_sort_range(const frc_point_sort* sort, uint32_t range);
void frc_point_sort_slice(const frc_point_sort* sort, uint32_t slice);

void frc_points_release(fracas_context* context, frc_sorted_points* points);
