/// @file sorted_points.c  A counting sort of points by cell, in linear time and memory.
///
/// Each point has an entry in its own row and one in the previous row along y, so a row contains
/// the points of two: a query box as wide as a cell reads one row instead of two. The second entry
/// costs less than reading a second row.
///
/// A table has at most sixteen cells per point. If the scene has more than twice as many cells, the
/// table is folded (cells.h), and distant points share cells.
#include "grid/sorted_points.h"
#include "base/parallel.h"
#include <string.h>

typedef frc_point_sort sorting;

// Flag of a cell in the first row of its layer, whose previous row is the last one (by folding).
#define FIRST_ROW ((uint32_t)1 << 31)

// The cell at the same x in the previous row.
static uint32_t cell_before(const frc_cell_table* t, uint32_t flagged) {
    const uint32_t cell = flagged & ~FIRST_ROW;
    return flagged == cell ? cell - t->size[0] : cell + (t->size[1] - 1) * t->size[0];
}

// Compute the cells of points, with flags.
static void find_cells(const sorting* s, uint32_t begin, uint32_t end) {
    const frc_cell_table table = s->out->table;
    const frc_cell_axes axes = frc_cell_axes_of(&table);
    uint32_t* cells = s->out->cells.data;
    for (uint32_t i = begin; i < end; i++) {
        const i32x4 lanes = frc_cell_lanes_of(FRC_POINTS_FINER, i32x4_load(s->units[i]));
        const i32x4 place = frc_cell_lanes_fold(&axes, lanes);
        const uint32_t cell = (uint32_t)i32x4_sum(i32x4_mul(place, axes.strides));
        const uint32_t y = frc_cell_fold(&table, 1, frc_cell_of(&table, 1, s->units[i][1]));
        cells[i] = cell | (y ? 0 : FIRST_ROW);
    }
}

// Exclusive prefix sum that begins with `first`, four at a time.
static void counts_to_starts(uint32_t* counts, uint32_t size, uint32_t first) {
    u32x4 sum = u32x4_splat(first);
    uint32_t c = 0;
    for (; c + 4 <= size; c += 4) {
        const u32x4 here = u32x4_load(&counts[c]), up_to = u32x4_sums(here);
        u32x4_store(&counts[c], u32x4_add(sum, u32x4_sub(up_to, here)));
        sum = u32x4_add(sum, u32x4_splat_last(up_to));
    }
    uint32_t rest[4];
    u32x4_store(rest, sum);
    for (; c < size; c++) {
        const uint32_t here = counts[c];
        counts[c] = rest[0];
        rest[0] += here;
    }
}

// Insert an entry. During insertion starts[c + 1] runs from the start of cell c to its end.
static inline void insert(const frc_sorted_points* out, uint32_t cell, uint32_t key,
                          uint32_t point) {
    const uint32_t at = out->starts.data[cell + 1]++;
    out->keys.data[at] = key;
    out->points.data[at] = point;
}

enum { PREFETCH = 12 };  // distance in points between the prefetch of a cell and its use

// ---- a single slice

enum {
    CHUNK = 256
};  // points per step of find_cells and counting, so that cells stay in the cache

static void sort_serial(const sorting* s) {
    const frc_sorted_points out = *s->out;
    const bool twice = s->twice;
    uint32_t* starts = out.starts.data + 1;
    memset(starts, 0, out.table.count * sizeof *starts);
    for (uint32_t begin = 0; begin < s->count; begin += CHUNK) {
        const uint32_t end = s->count - begin < CHUNK ? s->count : begin + CHUNK;
        find_cells(s, begin, end);
        for (uint32_t i = begin; i < end; i++) {
            starts[out.cells.data[i] & ~FIRST_ROW]++;
            if (twice) starts[cell_before(&out.table, out.cells.data[i])]++;
        }
    }
    counts_to_starts(starts, out.table.count, 0);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t cell = out.cells.data[i];
        const uint32_t later = out.cells.data[i + PREFETCH < s->count ? i + PREFETCH : i];
        __builtin_prefetch(&out.starts.data[(later & ~FIRST_ROW) + 1], 1);
        const uint32_t key = frc_key_pack(i32x4_load(s->units[i])) | FRC_KEY_GUARD;
        insert(&out, cell & ~FIRST_ROW, key, i);
        if (twice) insert(&out, cell_before(&out.table, cell), key, i);
    }
}

// ---- several slices of the table, one per worker
//
// For each slice a point has two bits: whether its cell is below the slice, and whether the cell in
// the previous row is. A worker combines 64 bits at once and visits only the points of its slice.

enum { WORD = 64 };

static uint32_t word_count(const sorting* s) { return (s->count + WORD - 1) / WORD; }

// The number of points of a word.
static uint32_t word_size(const sorting* s, uint32_t word) {
    const uint32_t left = s->count - word * WORD;
    return left < WORD ? left : WORD;
}

static frc_slice_bits* bits_at(const sorting* s, uint32_t word, uint32_t slice) {
    return &s->out->bits.data[(size_t)word * (s->slices - 1) + slice - 1];
}

// A bit for each of 64 cells: is it below `first`?
static uint64_t find_below(const int32_t cells[WORD], uint32_t first) {
    const i32x4 limit = i32x4_splat((int32_t)first);
    m32x4 less[WORD / 4];
    for (int i = 0; i < WORD / 4; i++) less[i] = i32x4_lt(i32x4_load(cells + 4 * i), limit);
    return m32x4_grid(less);
}

// A single slice needs no bits; sort_serial finds the cells.
uint32_t frc_point_sort_ranges(const sorting* s) {
    return s->slices == 1 ? 0 : (word_count(s) + s->range_words - 1) / s->range_words;
}

void frc_point_sort_range(const sorting* s, uint32_t range) {
    const frc_cell_table table = s->out->table;
    const uint32_t begin = range * s->range_words, left = word_count(s) - begin;
    const uint32_t end = begin + (left < s->range_words ? left : s->range_words);
    find_cells(s, begin * WORD, (end - 1) * WORD + word_size(s, end - 1));
    for (uint32_t word = begin; word < end; word++) {
        const uint32_t *cells = s->out->cells.data + (size_t)word * WORD, size = word_size(s, word);
        int32_t own[WORD], before[WORD];
        for (uint32_t i = 0; i < size; i++) {
            own[i] = (int32_t)(cells[i] & ~FIRST_ROW);
            before[i] = (int32_t)cell_before(&table, cells[i]);
        }
        for (uint32_t i = size; i < WORD; i++) own[i] = before[i] = INT32_MAX;
        for (uint32_t k = 1; k < s->slices; k++)
            *bits_at(s, word, k) =
                (frc_slice_bits){find_below(own, s->firsts[k]), find_below(before, s->firsts[k])};
    }
}

// Of 64 points, those whose cell is in the slice, and those whose cell in the previous row is.
static frc_slice_bits bits_in_slice(const sorting* s, uint32_t slice, uint32_t word) {
    const uint64_t all = UINT64_MAX >> (WORD - word_size(s, word));
    frc_slice_bits in = {all, all};
    if (slice + 1 < s->slices) in = *bits_at(s, word, slice + 1);
    if (slice > 0) {
        const frc_slice_bits below = *bits_at(s, word, slice);
        in.own &= ~below.own, in.before &= ~below.before;
    }
    if (!s->twice) in.before = 0;
    return in;
}

// Count the entries of each cell c of the slice at starts[c + 1]. @return the number of entries
// below the slice
static uint32_t count_slice(const sorting* s, uint32_t slice) {
    uint32_t* counts = s->out->starts.data + 1;
    const frc_cell_table table = s->out->table;
    uint32_t below = 0;
    for (uint32_t word = 0; word < word_count(s); word++) {
        const uint32_t* cells = s->out->cells.data + (size_t)word * WORD;
        const frc_slice_bits in = bits_in_slice(s, slice, word);
        for (uint64_t bits = in.own & in.before; bits; bits &= bits - 1) {
            const uint32_t cell = cells[__builtin_ctzll(bits)];
            counts[cell & ~FIRST_ROW]++;
            counts[cell_before(&table, cell)]++;
        }
        // Points with only one of the two cells in this slice.
        for (uint64_t bits = in.own ^ in.before; bits; bits &= bits - 1) {
            const int bit = __builtin_ctzll(bits);
            const bool own = in.own >> bit & 1;
            counts[own ? cells[bit] & ~FIRST_ROW : cell_before(&table, cells[bit])]++;
        }
        if (slice == 0) continue;
        const frc_slice_bits out = *bits_at(s, word, slice);
        below += (uint32_t)__builtin_popcountll(out.own);
        if (s->twice) below += (uint32_t)__builtin_popcountll(out.before);
    }
    return below;
}

// Insert the entries of a slice.
static void fill_slice(const sorting* s, uint32_t slice) {
    const frc_sorted_points out = *s->out;
    const uint32_t first = s->firsts[slice], size = s->firsts[slice + 1] - first;
    for (uint32_t word = 0; word < word_count(s); word++) {
        const frc_slice_bits in = bits_in_slice(s, slice, word);
        for (uint64_t bits = in.own | in.before; bits; bits &= bits - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(bits), i = word * WORD + bit;
            const uint32_t cell = out.cells.data[i];
            const uint32_t ahead = out.cells.data[i + PREFETCH < s->count ? i + PREFETCH : i];
            const uint32_t later = ahead & ~FIRST_ROW;
            // Prefetch only cells of this slice: other workers write to the other slices.
            __builtin_prefetch(&out.starts.data[(later - first < size ? later : first) + 1], 1);
            const uint32_t key = frc_key_pack(i32x4_load(s->units[i])) | FRC_KEY_GUARD;
            if (in.own >> bit & 1) insert(&out, cell & ~FIRST_ROW, key, i);
            if (in.before >> bit & 1) insert(&out, cell_before(&out.table, cell), key, i);
        }
    }
}

void frc_point_sort_slice(const sorting* s, uint32_t slice) {
    if (s->slices == 1) {
        sort_serial(s);
        return;
    }
    uint32_t* starts = s->out->starts.data + 1 + s->firsts[slice];
    const uint32_t size = s->firsts[slice + 1] - s->firsts[slice];
    memset(starts, 0, size * sizeof *starts);
    counts_to_starts(starts, size, count_slice(s, slice));
    fill_slice(s, slice);
}

// ---- begin

// The time of an entry in units of the time of a cell, measured.
enum { CELLS_PER_ENTRY = 5 };

static uint32_t clamp(int64_t x, uint32_t size) {
    return x < 0 ? 0 : x < size ? (uint32_t)x : size - 1;
}

// Divide the table into slices of whole rows, of equal work by the counts of the last sort, because
// points move little. The first sort has no counts, so its slices have equal numbers of rows. The
// division influences only the time.
static void cut_slices(sorting* s, const frc_cell_table* last) {
    const frc_cell_table* t = &s->out->table;
    const uint32_t* starts = s->out->starts.data;
    s->firsts[s->slices] = t->count;
    for (uint32_t i = 1; i < s->slices; i++) {
        uint32_t row = (uint32_t)((uint64_t)t->size[1] * t->size[2] * i / s->slices);
        if (last->count > 0) {
            const uint64_t work = (uint64_t)starts[last->count] * CELLS_PER_ENTRY + last->count;
            const uint64_t share = work * i / s->slices;
            // Binary search for the first row of the last table with this share of work before it.
            uint32_t old = 0, high = last->size[1] * last->size[2];
            while (old < high) {
                const uint32_t middle = old + (high - old) / 2, cell = middle * last->size[0];
                if ((uint64_t)starts[cell] * CELLS_PER_ENTRY + cell < share)
                    old = middle + 1;
                else
                    high = middle;
            }
            // The row at the same position in the new table, or the nearest one.
            const int64_t y = (int64_t)(old % last->size[1]) + last->base[1] - t->base[1];
            const int64_t z = (int64_t)(old / last->size[1]) + last->base[2] - t->base[2];
            row = clamp(z, t->size[2]) * t->size[1] + clamp(y, t->size[1]);
        }
        const uint32_t first = row * t->size[0], before = s->firsts[i - 1];
        s->firsts[i] = first < before ? before : first;
    }
}

// Eight to sixteen cells per point, but at least 64. Less than MIN_SLICED points are a single
// slice.
enum { CELLS_PER_POINT_BITS = 3, MIN_TABLE_BITS = 6, MAX_TABLE_BITS = 30, MIN_SLICED = 768 };
enum { RANGES_PER_SLICE = 2 };

bool frc_point_sort_begin(sorting* s, fracas_context* context, const int32_t (*units)[4],
                          uint32_t count, const int32_t lo[3], const int32_t hi[3],
                          frc_sorted_points* out) {
    uint32_t bits = (count > 1 ? 32 - (uint32_t)__builtin_clz(count - 1) : 0);
    bits += CELLS_PER_POINT_BITS;
    bits = bits < MIN_TABLE_BITS ? MIN_TABLE_BITS : bits > MAX_TABLE_BITS ? MAX_TABLE_BITS : bits;
    const frc_cell_table table = frc_cell_table_make(lo, hi, FRC_POINTS_FINER, bits);
    const bool twice = table.size[1] > 1;
    const size_t entries = (size_t)count * (twice ? 2 : 1);
    const uint32_t workers = frc_worker_count(context), rows = table.size[1] * table.size[2];
    const uint32_t most = rows < FRC_POINT_SLICES ? rows : FRC_POINT_SLICES;
    *s = (sorting){.units = units, .count = count, .twice = twice, .out = out};
    s->slices = count < MIN_SLICED ? 1 : workers < most ? workers : most;
    s->range_words = word_count(s) / (RANGES_PER_SLICE * s->slices) + 1;
    if (entries >= UINT32_MAX - FRC_POINTS_PADDING ||
        !FRC_ARRAY_RESERVE(context, &out->starts, (size_t)table.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &out->cells, count) ||
        !FRC_ARRAY_RESERVE(context, &out->bits, (size_t)word_count(s) * (s->slices - 1)) ||
        !FRC_ARRAY_RESERVE(context, &out->keys, entries + FRC_POINTS_PADDING) ||
        !FRC_ARRAY_RESERVE(context, &out->points, entries + FRC_POINTS_PADDING))
        return false;
    const frc_cell_table last = out->table;
    out->table = table;
    cut_slices(s, &last);
    out->starts.data[0] = 0;
    memset(out->keys.data + entries, 0, FRC_POINTS_PADDING * sizeof *out->keys.data);
    memset(out->points.data + entries, 0, FRC_POINTS_PADDING * sizeof *out->points.data);
    return true;
}

void frc_sorted_points_release(fracas_context* context, frc_sorted_points* points) {
    FRC_ARRAY_RELEASE(context, &points->starts);
    FRC_ARRAY_RELEASE(context, &points->cells);
    FRC_ARRAY_RELEASE(context, &points->bits);
    FRC_ARRAY_RELEASE(context, &points->keys);
    FRC_ARRAY_RELEASE(context, &points->points);
}
