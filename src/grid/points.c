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
    const i32x4 cell_lanes = frc_cell_lanes_of(FRC_POINTS_FINER, i32x4_load(unit));
    const i32x4 place = frc_cell_lanes_fold(axes, cell_lanes);
    const uint32_t cell = (uint32_t)i32x4_sum(i32x4_mul(place, axes->strides));
    return cell | (frc_cell_fold(t, 1, frc_cell_of(t, 1, unit[1])) ? 0 : FIRST_ROW);
}

// The same cell of the row before.
static uint32_t cell_before(const frc_cell_table* t, uint32_t marked) {
    const uint32_t cell = marked & ~FIRST_ROW;
    return marked == cell ? cell - t->size[0] : cell + (t->size[1] - 1) * t->size[0];
}

// ---- sorting, by slices of the table, of which each worker has one

enum { WORD = 64, STRETCH = 4 * WORD, FEW = 768 };
enum { AHEAD = 12 };  // points between the request for a cell and its use

typedef frc_point_sort sorting;

static void find_cells(const sorting* s, uint32_t begin, uint32_t end) {
    const frc_cell_table table = s->out->table;
    const frc_cell_axes axes = frc_cell_axes_of(&table);
    uint32_t* cells = s->out->cells.data;
    for (uint32_t i = begin; i < end; i++) cells[i] = cell_at(&axes, &table, s->units[i]);
}

// Four at a time, and nothing waits but for the sum of those before.
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

static inline void put(const frc_sorted_points* out, uint32_t cell, uint32_t key, uint32_t point) {
    const uint32_t place = out->starts.data[cell + 1]++;
    out->keys.data[place] = key;
    out->points.data[place] = point;
}

// ---- one slice

// How many points each cell has, kept one ahead.
static void count_points(const sorting* s, uint32_t begin, uint32_t end) {
    uint32_t* starts = s->out->starts.data + 1;
    const uint32_t* cells = s->out->cells.data;
    const frc_cell_table table = s->out->table;
    const bool twice = s->twice;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t marked = cells[i];
        starts[marked & ~FIRST_ROW]++;
        if (twice) starts[cell_before(&table, marked)]++;
    }
}

// While points are put in place, starts[c + 1] runs from the start of c to its end.
static void fill_table(const sorting* s) {
    const frc_sorted_points out = *s->out;
    const bool twice = s->twice;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t marked = out.cells.data[i];
        const uint32_t later = out.cells.data[i + AHEAD < s->count ? i + AHEAD : i];
        __builtin_prefetch(&out.starts.data[(later & ~FIRST_ROW) + 1], 1);
        const uint32_t key = frc_key_pack(i32x4_load(s->units[i])) | FRC_KEY_GUARD;
        put(&out, marked & ~FIRST_ROW, key, i);
        if (twice) put(&out, cell_before(&out.table, marked), key, i);
    }
}

static void sort_alone(const sorting* s) {
    uint32_t* starts = s->out->starts.data + 1;
    memset(starts, 0, s->out->table.count * sizeof *starts);
    for (uint32_t i = 0; i < s->count; i += STRETCH) {
        const uint32_t end = s->count - i < STRETCH ? s->count : i + STRETCH;
        // Counted while they are at hand.
        find_cells(s, i, end);
        count_points(s, i, end);
    }
    counts_to_starts(starts, s->out->table.count, 0);
    fill_table(s);
}

// ---- several slices
//
// For each place where a slice begins there is a bit for each point: is its cell before that place?
// And one for its cell of the row before. A worker looks at 64 points at once to know which have
// cells in its slice, and then at those only.

static uint32_t word_count(const sorting* s) { return (s->count + WORD - 1) / WORD; }

static uint32_t word_size(const sorting* s, uint32_t word) {
    const uint32_t left = s->count - word * WORD;
    return left < WORD ? left : WORD;
}

static frc_slice_marks* marks_at(const sorting* s, uint32_t word, uint32_t slice) {
    return &s->out->marks.data[(size_t)word * (s->slices - 1) + slice - 1];
}

// Which of 64 cells come before a cell?
static uint64_t find_below(const int32_t cells[WORD], uint32_t first) {
    const i32x4 limit = i32x4_splat((int32_t)first);
    m32x4 less[WORD / 4];
    for (int i = 0; i < WORD / 4; i++) less[i] = i32x4_lt(i32x4_load(cells + 4 * i), limit);
    return m32x4_grid(less);
}

static void mark(const sorting* s, uint32_t word) {
    const frc_cell_table table = s->out->table;
    const uint32_t *marked = s->out->cells.data + (size_t)word * WORD, size = word_size(s, word);
    int32_t own[WORD], before[WORD];
    for (uint32_t i = 0; i < size; i++) {
        own[i] = (int32_t)(marked[i] & ~FIRST_ROW);
        before[i] = (int32_t)cell_before(&table, marked[i]);
    }
    for (uint32_t i = size; i < WORD; i++) own[i] = before[i] = INT32_MAX;
    for (uint32_t k = 1; k < s->slices; k++)
        *marks_at(s, word, k) =
            (frc_slice_marks){find_below(own, s->firsts[k]), find_below(before, s->firsts[k])};
}

// One slice needs no marks, and is all done by who does it.
uint32_t frc_point_sort_ranges(const sorting* s) {
    return s->slices == 1 ? 0 : (word_count(s) + s->words - 1) / s->words;
}

void frc_point_sort_range(const sorting* s, uint32_t range) {
    const uint32_t begin = range * s->words, left = word_count(s) - begin;
    const uint32_t end = begin + (left < s->words ? left : s->words);
    find_cells(s, begin * WORD, (end - 1) * WORD + word_size(s, end - 1));
    for (uint32_t i = begin; i < end; i++) mark(s, i);
}

// What a slice has of 64 points: bits of those whose own cell is in it, and whose cell before is.
static frc_slice_marks share_of(const sorting* s, uint32_t slice, uint32_t word) {
    const uint64_t all = UINT64_MAX >> (WORD - word_size(s, word));
    frc_slice_marks share = {all, all};
    if (slice + 1 < s->slices) share = *marks_at(s, word, slice + 1);
    if (slice > 0) {
        const frc_slice_marks out = *marks_at(s, word, slice);
        share.own &= ~out.own, share.before &= ~out.before;
    }
    if (!s->twice) share.before = 0;
    return share;
}

// How many places are before those of a slice: everybody can tell, and waits for nobody.
static uint32_t places_before(const sorting* s, uint32_t slice) {
    uint32_t places = 0;
    for (uint32_t i = 0; slice > 0 && i < word_count(s); i++) {
        const frc_slice_marks out = *marks_at(s, i, slice);
        places += (uint32_t)__builtin_popcountll(out.own);
        if (s->twice) places += (uint32_t)__builtin_popcountll(out.before);
    }
    return places;
}

static void count_slice(const sorting* s, uint32_t slice) {
    uint32_t* starts = s->out->starts.data + 1;
    const frc_cell_table table = s->out->table;
    for (uint32_t word = 0; word < word_count(s); word++) {
        const uint32_t* cells = s->out->cells.data + (size_t)word * WORD;
        const frc_slice_marks share = share_of(s, slice, word);
        for (uint64_t bits = share.own & share.before; bits; bits &= bits - 1) {
            const uint32_t marked = cells[__builtin_ctzll(bits)];
            starts[marked & ~FIRST_ROW]++;
            starts[cell_before(&table, marked)]++;
        }
        // The other cell is in another slice.
        for (uint64_t bits = share.own ^ share.before; bits; bits &= bits - 1) {
            const int bit = __builtin_ctzll(bits);
            const bool own = share.own >> bit & 1;
            starts[own ? cells[bit] & ~FIRST_ROW : cell_before(&table, cells[bit])]++;
        }
    }
}

static void fill_slice(const sorting* s, uint32_t slice) {
    const frc_sorted_points out = *s->out;
    const uint32_t first = s->firsts[slice], size = s->firsts[slice + 1] - first;
    for (uint32_t word = 0; word < word_count(s); word++) {
        const frc_slice_marks share = share_of(s, slice, word);
        for (uint64_t bits = share.own | share.before; bits; bits &= bits - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(bits), i = word * WORD + bit;
            const uint32_t marked = out.cells.data[i];
            const uint32_t ahead = out.cells.data[i + AHEAD < s->count ? i + AHEAD : i];
            const uint32_t later = ahead & ~FIRST_ROW;
            // Of other slices nothing: their cells are another worker's.
            __builtin_prefetch(&out.starts.data[(later - first < size ? later : first) + 1], 1);
            const uint32_t key = frc_key_pack(i32x4_load(s->units[i])) | FRC_KEY_GUARD;
            if (share.own >> bit & 1) put(&out, marked & ~FIRST_ROW, key, i);
            if (share.before >> bit & 1) put(&out, cell_before(&out.table, marked), key, i);
        }
    }
}

void frc_point_sort_slice(const sorting* s, uint32_t slice) {
    if (s->slices == 1) {
        sort_alone(s);
        return;
    }
    uint32_t* starts = s->out->starts.data + 1 + s->firsts[slice];
    const uint32_t size = s->firsts[slice + 1] - s->firsts[slice];
    memset(starts, 0, size * sizeof *starts);
    count_slice(s, slice);
    counts_to_starts(starts, size, places_before(s, slice));
    fill_slice(s, slice);
}

// A place takes as long as so many cells do (measured).
enum { CELLS_FOR_PLACE = 5 };

// The first row of a table before which there is as much work as is asked for.
static uint32_t find_row(const frc_cell_table* t, const uint32_t* starts, uint64_t work) {
    uint32_t low = 0, high = t->size[1] * t->size[2];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2, cell = middle * t->size[0];
        if ((uint64_t)starts[cell] * CELLS_FOR_PLACE + cell < work)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t clamp(int64_t x, uint32_t size) {
    return x < 0 ? 0 : x < size ? (uint32_t)x : size - 1;
}

// The row of a table that is where another one of another table is, as far as it has that.
static uint32_t same_row(const frc_cell_table* t, const frc_cell_table* other, uint32_t row) {
    const int64_t y = (int64_t)(row % other->size[1]) + other->base[1] - t->base[1];
    const int64_t z = (int64_t)(row / other->size[1]) + other->base[2] - t->base[2];
    return clamp(z, t->size[2]) * t->size[1] + clamp(y, t->size[1]);
}

// Slices of whole rows, of as much work each as there was the last time in what they have: points
// do not go far. What is there the first time says nothing, and nothing depends on it but time.
static void cut_slices(sorting* s, const frc_cell_table* last) {
    const frc_cell_table* t = &s->out->table;
    const uint32_t* starts = s->out->starts.data;
    s->firsts[s->slices] = t->count;
    for (uint32_t i = 1; i < s->slices; i++) {
        uint32_t row = (uint32_t)((uint64_t)t->size[1] * t->size[2] * i / s->slices);
        if (last->count > 0) {
            const uint64_t work = (uint64_t)starts[last->count] * CELLS_FOR_PLACE + last->count;
            row = same_row(t, last, find_row(last, starts, work * i / s->slices));
        }
        const uint32_t first = row * t->size[0], before = s->firsts[i - 1];
        s->firsts[i] = first < before ? before : first;
    }
}

enum { SHARES = 2 };  // ranges of points for each worker

static uint32_t slice_count(const fracas_context* context, uint32_t points, uint32_t rows) {
    const uint32_t workers = frc_worker_count(context);
    const uint32_t most = rows < FRC_POINT_SLICES ? rows : FRC_POINT_SLICES;
    return points < FEW ? 1 : workers < most ? workers : most;
}

bool frc_point_sort_begin(sorting* s, fracas_context* context, const int32_t (*units)[4],
                          uint32_t count, const int32_t lo[3], const int32_t hi[3],
                          frc_sorted_points* out) {
    const frc_cell_table table = frc_cell_table_make(lo, hi, FRC_POINTS_FINER, most_bits(count));
    const bool twice = table.size[1] > 1;
    const size_t places = (size_t)count * (twice ? 2 : 1);
    *s = (sorting){.units = units, .count = count, .twice = twice, .out = out};
    s->slices = slice_count(context, count, table.size[1] * table.size[2]);
    s->words = word_count(s) / (SHARES * s->slices) + 1;
    if (places >= UINT32_MAX - 8 ||
        !FRC_ARRAY_RESERVE(context, &out->starts, (size_t)table.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &out->cells, count) ||
        !FRC_ARRAY_RESERVE(context, &out->marks, (size_t)word_count(s) * (s->slices - 1)) ||
        !FRC_ARRAY_RESERVE(context, &out->keys, places + FRC_POINTS_BEYOND) ||
        !FRC_ARRAY_RESERVE(context, &out->points, places + FRC_POINTS_BEYOND))
        return false;
    const frc_cell_table last = out->table;
    out->table = table;
    cut_slices(s, &last);
    out->starts.data[0] = 0;
    memset(out->keys.data + places, 0, FRC_POINTS_BEYOND * sizeof *out->keys.data);
    memset(out->points.data + places, 0, FRC_POINTS_BEYOND * sizeof *out->points.data);
    return true;
}

void frc_points_release(fracas_context* context, frc_sorted_points* points) {
    FRC_ARRAY_RELEASE(context, &points->starts);
    FRC_ARRAY_RELEASE(context, &points->cells);
    FRC_ARRAY_RELEASE(context, &points->marks);
    FRC_ARRAY_RELEASE(context, &points->keys);
    FRC_ARRAY_RELEASE(context, &points->points);
}
