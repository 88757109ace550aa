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

// A cell, and whether it is of the first row of its layer: what is before that comes last.
#define FIRST_ROW ((uint32_t)1 << 31)

static uint32_t cell_at(const frc_cell_axes* axes, const frc_cell_table* t, const int32_t unit[4]) {
    const i32x4 place = frc_cell_lanes_fold(axes, frc_cell_lanes_of(axes, i32x4_load(unit)));
    const uint32_t cell = (uint32_t)i32x4_sum(i32x4_mul(place, axes->strides));
    return cell | (frc_cell_fold(t, 1, frc_cell_of(t, 1, unit[1])) ? 0 : FIRST_ROW);
}

// The same cell of the row before.
static uint32_t cell_before(const frc_cell_table* t, uint32_t marked) {
    const uint32_t cell = marked & ~FIRST_ROW;
    return marked == cell ? cell - t->size[0] : cell + (t->size[1] - 1) * t->size[0];
}

// ---- sorting, by slices of the table: each worker reads all points and takes those of its slice

enum { STRETCH = 256, FEW = 1536, MOST_SLICES = 64 };
enum { AHEAD = 12 };  // points between the request for a cell and its use

typedef struct sorting {
    const int32_t (*units)[4];
    uint32_t count, slices;
    bool twice;
    frc_sorted_points* out;
    uint32_t layers[MOST_SLICES + 1];  // where slices begin, and the last ends
} sorting;

static uint32_t stretch_count(uint32_t points) { return (points + STRETCH - 1) / STRETCH; }

static uint32_t stretch_end(const sorting* s, uint32_t stretch) {
    const uint32_t first = stretch * STRETCH;
    return s->count - first < STRETCH ? s->count : first + STRETCH;
}

static void find_cells(const sorting* s, uint32_t stretch) {
    const frc_cell_table table = s->out->table;
    const frc_cell_axes axes = frc_cell_axes_of(&table);
    uint32_t* cells = s->out->cells.data;
    const uint32_t end = stretch_end(s, stretch);
    for (uint32_t i = stretch * STRETCH; i < end; i++)
        cells[i] = cell_at(&axes, &table, s->units[i]);
}

static void find_all_cells(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    for (uint32_t i = begin; i < end; i++) find_cells(data, i);
}

// A point takes as long as so many cells do (measured).
enum { CELLS_FOR_POINT = 24 };

// Slices of about as much work each, as far as some points, evenly spread, can tell.
static void cut_slices(sorting* s) {
    enum { SAMPLES = 128, BINS = 64 };
    const frc_cell_table* t = &s->out->table;
    s->layers[0] = 0;
    s->layers[s->slices] = t->size[2];
    if (s->slices == 1) return;
    const uint64_t layers = t->size[2], samples = s->count < SAMPLES ? s->count : SAMPLES;
    // A sample stands for this much, a layer for its cells.
    const uint64_t weight = (uint64_t)s->count * CELLS_FOR_POINT / samples;
    const uint64_t layer = (uint64_t)t->size[0] * t->size[1];
    uint64_t bins[BINS] = {0}, all = weight * samples + layer * layers;
    for (uint64_t i = 0; i < samples; i++) {
        const int32_t* unit = s->units[i * s->count / samples];
        bins[frc_cell_fold(t, 2, frc_cell_of(t, 2, unit[2])) * (uint64_t)BINS / layers] += weight;
    }
    uint64_t sum = 0, bin = 0, first = 0;
    for (uint32_t i = 1; i < s->slices; i++) {
        while (bin < BINS && sum * s->slices < all * i) {
            const uint64_t end = (++bin * layers + BINS - 1) / BINS;
            sum += bins[bin - 1] + layer * (end - first);
            first = end;
        }
        s->layers[i] = (uint32_t)first;
    }
}

typedef struct slice {
    uint32_t first, size;  // cells
} slice;

// Whole layers: the two cells of a point are in one slice.
static slice slice_at(const sorting* s, uint32_t number) {
    const uint32_t cells = s->out->table.size[0] * s->out->table.size[1];
    const uint32_t first = s->layers[number], end = s->layers[number + 1];
    return (slice){first * cells, (end - first) * cells};
}

static bool has(slice a, uint32_t marked) { return (marked & ~FIRST_ROW) - a.first < a.size; }

enum { EIGHT = 8 };

static bool are_empty(const uint32_t counts[EIGHT]) {
    uint64_t pairs[EIGHT / 2];
    memcpy(pairs, counts, sizeof pairs);
    return ((pairs[0] | pairs[1]) | (pairs[2] | pairs[3])) == 0;
}

// Most cells are empty, and most of the empty ones stand side by side: eight of them at once.
static void counts_to_starts(uint32_t* counts, uint32_t size, uint32_t first) {
    uint32_t sum = first, c = 0;
    while (c < size) {
        const uint32_t end = size - c < EIGHT ? size : c + EIGHT;
        if (end - c == EIGHT && are_empty(&counts[c])) {
            for (int k = 0; k < EIGHT; k++) counts[c + (uint32_t)k] = sum;
            c = end;
            continue;
        }
        for (; c < end; c++) {
            const uint32_t here = counts[c];
            counts[c] = sum;
            sum += here;
        }
    }
}

// How many points each cell of the slice has, kept one ahead. Returns how many points are in slices
// before it: as all are looked at, nobody has to wait for others to know.
static uint32_t count_stretch(const sorting* s, slice a, uint32_t stretch) {
    uint32_t* starts = s->out->starts.data + 1;
    const uint32_t* cells = s->out->cells.data;
    const frc_cell_table table = s->out->table;
    const bool twice = s->twice;
    const uint32_t end = stretch_end(s, stretch);
    uint32_t before = 0;
    for (uint32_t i = stretch * STRETCH; i < end; i++) {
        const uint32_t marked = cells[i];
        before += (marked & ~FIRST_ROW) < a.first;
        if (!has(a, marked)) continue;
        starts[marked & ~FIRST_ROW]++;
        if (twice) starts[cell_before(&table, marked)]++;
    }
    return before;
}

static uint32_t count_slice(const sorting* s, slice a) {
    uint32_t* starts = s->out->starts.data + 1;
    uint32_t before = 0;
    memset(starts + a.first, 0, a.size * sizeof *starts);
    for (uint32_t i = 0; i < stretch_count(s->count); i++) {
        // On the way, while they are at hand.
        if (s->slices == 1) find_cells(s, i);
        before += count_stretch(s, a, i);
    }
    return s->twice ? 2 * before : before;
}

static inline void put(const frc_sorted_points* out, uint32_t cell, uint32_t key, uint32_t point) {
    const uint32_t place = out->starts.data[cell + 1]++;
    out->keys.data[place] = key;
    out->points.data[place] = point;
}

// Counts become starts; while points are put in place, starts[c + 1] runs from the start of c to
// its end.
static void fill_slice(const sorting* s, slice a, uint32_t begin) {
    const frc_sorted_points out = *s->out;
    const bool twice = s->twice;
    uint32_t* starts = out.starts.data + 1;
    counts_to_starts(starts + a.first, a.size, begin);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t marked = out.cells.data[i];
        // Of other slices nothing: their cells are another worker's.
        const uint32_t later = out.cells.data[i + AHEAD < s->count ? i + AHEAD : i];
        __builtin_prefetch(&starts[has(a, later) ? later & ~FIRST_ROW : a.first], 1);
        if (!has(a, marked)) continue;
        const uint32_t key = frc_key_pack(i32x4_load(s->units[i])) | FRC_KEY_GUARD;
        put(&out, marked & ~FIRST_ROW, key, i);
        if (twice) put(&out, cell_before(&out.table, marked), key, i);
    }
}

static void sort_slices(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const sorting* s = data;
    for (uint32_t i = begin; i < end; i++) {
        const slice a = slice_at(s, i);
        fill_slice(s, a, count_slice(s, a));
    }
}

static uint32_t slice_count(const fracas_context* context, uint32_t points, uint32_t layers) {
    const uint32_t workers = frc_worker_count(context);
    const uint32_t most = layers < MOST_SLICES ? layers : MOST_SLICES;
    return points < FEW ? 1 : workers < most ? workers : most;
}

bool frc_points_sort(fracas_context* context, const int32_t (*units)[4], uint32_t count,
                     const int32_t lo[3], const int32_t hi[3], frc_sorted_points* out) {
    const frc_cell_table table = frc_cell_table_make(lo, hi, FRC_POINTS_FINER, most_bits(count));
    const bool twice = table.size[1] > 1;
    const size_t places = (size_t)count * (twice ? 2 : 1);
    if (places >= UINT32_MAX - 8 ||
        !FRC_ARRAY_RESERVE(context, &out->starts, (size_t)table.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &out->cells, count) ||
        !FRC_ARRAY_RESERVE(context, &out->keys, places + FRC_POINTS_BEYOND) ||
        !FRC_ARRAY_RESERVE(context, &out->points, places + FRC_POINTS_BEYOND))
        return false;
    out->table = table;
    sorting s = {units, count, slice_count(context, count, table.size[2]), twice, out, {0}};
    cut_slices(&s);
    if (s.slices > 1) frc_parallel_for(context, stretch_count(count), 1, find_all_cells, &s);
    out->starts.data[0] = 0;
    frc_parallel_for(context, s.slices, 1, sort_slices, &s);
    memset(out->keys.data + places, 0, FRC_POINTS_BEYOND * sizeof *out->keys.data);
    memset(out->points.data + places, 0, FRC_POINTS_BEYOND * sizeof *out->points.data);
    return true;
}

void frc_points_release(fracas_context* context, frc_sorted_points* points) {
    FRC_ARRAY_RELEASE(context, &points->starts);
    FRC_ARRAY_RELEASE(context, &points->cells);
    FRC_ARRAY_RELEASE(context, &points->keys);
    FRC_ARRAY_RELEASE(context, &points->points);
}
