/// @file points.c  A counting sort of points by cell, in linear time and memory.
///
/// Every point is put into its own row and into the one before it, so that a row holds the points
/// of two: what is as wide as a cell looks into one row, not into two. The second copy costs less
/// than the second look.
///
/// There are at most sixteen cells for each point: scenes that are wider than that are folded
/// (cells.h).
#include "grid/points.h"
#include <string.h>

enum { CELLS_PER_POINT_BITS = 3, FEWEST_BITS = 6, MOST_BITS = 30 };

static uint32_t most_bits(uint32_t count) {
    const uint32_t bits = (count > 1 ? 32 - (uint32_t)__builtin_clz(count - 1) : 0);
    const uint32_t wanted = bits + CELLS_PER_POINT_BITS;
    return wanted < FEWEST_BITS ? FEWEST_BITS : wanted > MOST_BITS ? MOST_BITS : wanted;
}

static uint32_t cell_of_point(const frc_cell_table* t, const int32_t unit[4]) {
    const uint32_t x = frc_cell_fold(t, 0, frc_cell_of(t, 0, unit[0]));
    const uint32_t y = frc_cell_fold(t, 1, frc_cell_of(t, 1, unit[1]));
    const uint32_t z = frc_cell_fold(t, 2, frc_cell_of(t, 2, unit[2]));
    return frc_cell_row(t, y, z) | x;
}

// The same cell of the row before.
static uint32_t cell_before(const frc_cell_table* t, uint32_t cell) {
    const uint32_t all = t->mask[1] << t->bits[0];
    return (cell & ~all) | ((cell - (1u << t->bits[0])) & all);
}

static void put(frc_sorted_points* out, uint32_t cell, uint32_t key, uint32_t point) {
    const uint32_t place = out->starts.data[cell + 1]++;
    out->keys.data[place] = key;
    out->points.data[place] = point;
}

static void put_all(int32_t (*units)[4], uint32_t count, frc_sorted_points* out) {
    const frc_cell_table table = out->table;
    const bool twice = table.mask[1] > 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t key = frc_key_pack(units[i][0], units[i][1], units[i][2]) | FRC_KEY_GUARD;
        const uint32_t cell = (uint32_t)units[i][3];
        put(out, cell, key, i);
        if (twice) put(out, cell_before(&table, cell), key, i);
    }
}

bool frc_points_sort(fracas_context* context, int32_t (*units)[4], uint32_t count,
                     const int32_t lo[3], const int32_t hi[3], frc_sorted_points* out) {
    const frc_cell_table table = frc_cell_table_make(lo, hi, FRC_POINTS_FINER, most_bits(count));
    const bool twice = table.mask[1] > 0;
    const size_t places = (size_t)count * (twice ? 2 : 1);
    if (places >= UINT32_MAX - 8 ||
        !FRC_ARRAY_RESERVE(context, &out->starts, (size_t)table.count + 2) ||
        !FRC_ARRAY_RESERVE(context, &out->keys, places + FRC_POINTS_BEYOND) ||
        !FRC_ARRAY_RESERVE(context, &out->points, places + FRC_POINTS_BEYOND))
        return false;
    out->table = table;
    uint32_t* starts = out->starts.data;
    memset(starts, 0, ((size_t)table.count + 2) * sizeof *starts);
    // One ahead: while points are put in place, starts[c + 1] runs from the start of c to its end.
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cell = cell_of_point(&table, units[i]);
        units[i][3] = (int32_t)cell;
        starts[cell + 2]++;
        if (twice) starts[cell_before(&table, cell) + 2]++;
    }
    uint32_t sum = 0;
    for (uint32_t c = 0; c < table.count + 2; c++) starts[c] = sum += starts[c];
    put_all(units, count, out);
    memset(out->keys.data + places, 0, FRC_POINTS_BEYOND * sizeof *out->keys.data);
    memset(out->points.data + places, 0, FRC_POINTS_BEYOND * sizeof *out->points.data);
    return true;
}

void frc_points_release(fracas_context* context, frc_sorted_points* points) {
    FRC_ARRAY_RELEASE(context, &points->starts);
    FRC_ARRAY_RELEASE(context, &points->keys);
    FRC_ARRAY_RELEASE(context, &points->points);
}
