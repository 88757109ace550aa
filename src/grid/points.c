/// @file points.c  A counting sort of points by cell, in linear time and memory.
///
/// Every point is put into its own row and into the one before it, so that a row holds the points
/// of two: what is as wide as a cell looks into one row, not into two. The second copy costs less
/// than the second look.
///
/// There are at most sixteen cells for each point: scenes that need more than twice as many are
/// folded (cells.h), and far things then look into each other's cells.
#include "grid/points.h"
#include "base/parallel.h"
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
    return frc_cell_row(t, y, z) + x;
}

// The same cell of the row before; before the first comes the last.
static uint32_t cell_before(const frc_cell_table* t, const int32_t unit[4]) {
    const uint32_t y = frc_cell_fold(t, 1, frc_cell_of(t, 1, unit[1]));
    const uint32_t cell = (uint32_t)unit[3];
    return y > 0 ? cell - t->size[0] : cell + (t->size[1] - 1) * t->size[0];
}

// ---- sorting, by slices of the table: each worker reads all points and takes those of its slice

enum { STRETCH = 1024, FEW = 2048, MOST_SLICES = 64 };

typedef struct sorting {
    int32_t (*units)[4];
    uint32_t count, slices;
    bool twice;
    frc_sorted_points* out;
    uint32_t begins[MOST_SLICES];  // how many points a slice has, then how many are before it
} sorting;

static void find_cells(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const sorting* s = data;
    const uint32_t last = end * STRETCH < s->count ? end * STRETCH : s->count;
    for (uint32_t i = begin * STRETCH; i < last; i++)
        s->units[i][3] = (int32_t)cell_of_point(&s->out->table, s->units[i]);
}

typedef struct slice {
    uint32_t first, size;  // cells
} slice;

static slice slice_at(const sorting* s, uint32_t number) {
    const uint64_t all = s->out->table.count;
    const uint32_t first = (uint32_t)(all * number / s->slices);
    return (slice){first, (uint32_t)(all * (number + 1) / s->slices) - first};
}

static bool has(slice a, uint32_t cell) { return cell - a.first < a.size; }

// Where each cell begins within the slice, kept one ahead: while points are put in place,
// starts[c + 1] runs from the start of c to its end. Returns how many points there are.
static uint32_t count_slice(const sorting* s, slice a) {
    uint32_t* starts = s->out->starts.data + 1;
    const frc_cell_table table = s->out->table;
    memset(starts + a.first, 0, a.size * sizeof *starts);
    for (uint32_t i = 0; i < s->count; i++) {
        const int32_t* unit = s->units[i];
        const uint32_t cell = (uint32_t)unit[3], before = cell_before(&table, unit);
        if (has(a, cell)) starts[cell]++;
        if (s->twice && has(a, before)) starts[before]++;
    }
    uint32_t sum = 0;
    for (uint32_t c = a.first; c < a.first + a.size; c++) {
        const uint32_t here = starts[c];
        starts[c] = sum;
        sum += here;
    }
    return sum;
}

static void put(frc_sorted_points* out, uint32_t cell, uint32_t key, uint32_t point) {
    const uint32_t place = out->starts.data[cell + 1]++;
    out->keys.data[place] = key;
    out->points.data[place] = point;
}

static void fill_slice(const sorting* s, slice a, uint32_t begin) {
    const frc_cell_table table = s->out->table;
    uint32_t* starts = s->out->starts.data + 1;
    for (uint32_t c = a.first; c < a.first + a.size && begin > 0; c++) starts[c] += begin;
    for (uint32_t i = 0; i < s->count; i++) {
        const int32_t* unit = s->units[i];
        const uint32_t cell = (uint32_t)unit[3], before = cell_before(&table, unit);
        const bool here = has(a, cell), there = s->twice && has(a, before);
        if (!here && !there) continue;
        const uint32_t key = frc_key_pack(unit[0], unit[1], unit[2]) | FRC_KEY_GUARD;
        if (here) put(s->out, cell, key, i);
        if (there) put(s->out, before, key, i);
    }
}

static void count_slices(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    sorting* s = data;
    for (uint32_t i = begin; i < end; i++) s->begins[i] = count_slice(s, slice_at(s, i));
}

static void fill_slices(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const sorting* s = data;
    for (uint32_t i = begin; i < end; i++) fill_slice(s, slice_at(s, i), s->begins[i]);
}

static void sum_up(sorting* s) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->slices; i++) {
        const uint32_t here = s->begins[i];
        s->begins[i] = sum;
        sum += here;
    }
    s->out->starts.data[0] = 0;
}

static uint32_t slice_count(const fracas_context* context, uint32_t points) {
    const uint32_t workers = frc_worker_count(context);
    return points < FEW ? 1 : workers < MOST_SLICES ? workers : MOST_SLICES;
}

bool frc_points_sort(fracas_context* context, int32_t (*units)[4], uint32_t count,
                     const int32_t lo[3], const int32_t hi[3], frc_sorted_points* out) {
    const frc_cell_table table = frc_cell_table_make(lo, hi, FRC_POINTS_FINER, most_bits(count));
    const bool twice = table.size[1] > 1;
    const size_t places = (size_t)count * (twice ? 2 : 1);
    if (places >= UINT32_MAX - 8 ||
        !FRC_ARRAY_RESERVE(context, &out->starts, (size_t)table.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &out->keys, places + FRC_POINTS_BEYOND) ||
        !FRC_ARRAY_RESERVE(context, &out->points, places + FRC_POINTS_BEYOND))
        return false;
    out->table = table;
    sorting s = {units, count, slice_count(context, count), twice, out, {0}};
    frc_parallel_for(context, (count + STRETCH - 1) / STRETCH, 1, find_cells, &s);
    frc_parallel_for(context, s.slices, 1, count_slices, &s);
    sum_up(&s);
    frc_parallel_for(context, s.slices, 1, fill_slices, &s);
    memset(out->keys.data + places, 0, FRC_POINTS_BEYOND * sizeof *out->keys.data);
    memset(out->points.data + places, 0, FRC_POINTS_BEYOND * sizeof *out->points.data);
    return true;
}

void frc_points_release(fracas_context* context, frc_sorted_points* points) {
    FRC_ARRAY_RELEASE(context, &points->starts);
    FRC_ARRAY_RELEASE(context, &points->keys);
    FRC_ARRAY_RELEASE(context, &points->points);
}
