/// @file box_grid.c  Spatial hashing of boxes: choose cells, find levels, fill buckets by counting.
#include "grid/box_grid.h"
#include "base/array.h"
#include "base/parallel.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { SAMPLES = 1024, GRAIN = 2048, NO_SHAPE = UINT16_MAX };

static bool is_empty(const frc_grid_box* box) { return !(box->lo[0] <= box->hi[0]); }

// ---- cell size and origin

// Shell sort.
static void sort_floats(float* v, uint32_t count) {
    for (uint32_t gap = 364; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            float x = v[i];
            uint32_t j = i;
            for (; j >= gap && v[j - gap] > x; j -= gap) v[j] = v[j - gap];
            v[j] = x;
        }
}

// Box `i` of a sample of at most SAMPLES boxes.
static const frc_grid_box* sample(const frc_grid_box* boxes, uint32_t count, uint32_t i) {
    return &boxes[count <= SAMPLES ? i : (uint64_t)i * count / SAMPLES];
}

double frc_box_grid_choose_size(const frc_grid_box* boxes, uint32_t count) {
    float extents[SAMPLES];
    uint32_t n = 0, used = 0;
    for (uint32_t i = 0; i < SAMPLES && i < count; i++) {
        const frc_grid_box* box = sample(boxes, count, i);
        float extent = 0;
        for (int k = 0; k < 3; k++)
            if (box->hi[k] - box->lo[k] > extent) extent = box->hi[k] - box->lo[k];
        if (!is_empty(box) && extent > 0 && isfinite(extent)) extents[n++] = extent;
    }
    sort_floats(extents, n);
    double sum = 0;
    while (used < n && extents[used] <= 4 * (double)extents[n / 2]) sum += (double)extents[used++];
    // Larger cells contain more pairs that do not overlap, smaller cells need more entries.
    return used ? 2.5 * sum / used : 1;
}

// Set the cell size and the origin.
static void choose_cells(frc_box_grid* grid, const frc_grid_box* boxes, uint32_t count,
                         double cell_size) {
    double size = cell_size > 0 ? cell_size : frc_box_grid_choose_size(boxes, count);
    // The inverse is neither zero nor infinite.
    size = size < 0x1p-1000 ? 0x1p-1000 : size;
    grid->cell_size = size;
    grid->inverse = 1 / size;
    // The origin is the median of the low corners, which a few distant boxes do not change.
    for (int k = 0; k < 3; k++) {
        float low[SAMPLES];
        uint32_t n = 0;
        for (uint32_t i = 0; i < SAMPLES && i < count; i++) {
            const frc_grid_box* box = sample(boxes, count, i);
            if (!is_empty(box) && isfinite(box->lo[k])) low[n++] = box->lo[k];
        }
        sort_floats(low, n);
        grid->origin[k] = n ? (double)low[n / 2] : 0;
    }
}

// ---- cells of a box

typedef struct range {
    uint64_t cell;     // the lowest cell
    uint32_t span[3];  // number of cells along each axis - 1
} range;

// The longest box of a level, in cells: it covers at most four cells along an axis, because indices
// that are not clamped are below 2^20 and off by at most 2^-31. The level does not follow from the
// indices, because those of a distant box are all clamped to the same cell.
#define LONGEST 2.5

// The cells of a box on a level. False: the box is too long for the level.
static bool find_range(const frc_box_grid* grid, const frc_grid_box* box, uint32_t level,
                       range* out) {
    *out = (range){0};
    if (level == FRC_GRID_TOP_LEVEL) return true;
    const double inverse = frc_box_grid_inverse(grid, level);
    bool small = true;
    for (int k = 0; k < 3; k++) {
        uint32_t first = frc_box_grid_axis_cell(grid, (double)box->lo[k], k, inverse);
        out->span[k] = frc_box_grid_axis_cell(grid, (double)box->hi[k], k, inverse) - first;
        out->cell |= (uint64_t)first << (FRC_GRID_AXIS_BITS * k);
        small &= ((double)box->hi[k] - (double)box->lo[k]) * inverse <= LONGEST;
    }
    return small;
}

static uint32_t shape_level(uint16_t shape) { return shape >> 6; }

// Buckets of a block of 4 x 4 x 4 cells are contiguous; blocks are hashed.
enum { BLOCK_BITS = 6 };

static uint32_t bucket_of(const frc_box_grid* grid, uint32_t level, uint64_t cell) {
    enum { AXIS = FRC_GRID_AXIS_BITS };
    const uint64_t low = (uint64_t)3 << (2 * AXIS) | (uint64_t)3 << AXIS | 3;
    uint64_t inside = cell & low, h = (cell & ~low) >> 2;
    h *= 0x9e3779b97f4a7c15;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
    const uint32_t bits = grid->level[level].bits;
    uint32_t block = bits > BLOCK_BITS ? (uint32_t)(h >> (64 - (bits - BLOCK_BITS))) : 0;
    uint32_t place = (uint32_t)(inside | inside >> (AXIS - 2) | inside >> (2 * AXIS - 4));
    return grid->level[level].first + (block << BLOCK_BITS | (place & 63));
}

// ---- levels

typedef struct build {
    frc_box_grid* grid;
    frc_grid_box* boxes;
    uint32_t count;
    bool serial;  // one worker: no atomic read-modify-write
    frc_counter items[FRC_BOX_GRID_LEVELS];
} build;

// Find the level and the cells of each box, and count the boxes of each level.
static void find_shapes(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    build* b = data;
    uint32_t items[FRC_BOX_GRID_LEVELS] = {0};
    for (uint32_t i = begin; i < end; i++) {
        frc_grid_box* box = &b->boxes[i];
        b->grid->shapes[i] = NO_SHAPE;
        if (is_empty(box)) continue;
        uint32_t level = 0;
        range r;
        while (!find_range(b->grid, box, level, &r)) level++;
        assert(r.span[0] <= 3 && r.span[1] <= 3 && r.span[2] <= 3);
        box->cell_low = (uint32_t)r.cell, box->cell_high = (uint32_t)(r.cell >> 32);
        b->grid->shapes[i] = (uint16_t)(r.span[0] | r.span[1] << 2 | r.span[2] << 4 | level << 6);
        items[level]++;
    }
    for (int l = 0; l < FRC_BOX_GRID_LEVELS; l++)
        if (items[l]) atomic_fetch_add_explicit(&b->items[l].value, items[l], memory_order_relaxed);
}

// Assign buckets to levels: a power of two, at least two per box. @return the number of used levels
static uint32_t assign_buckets(build* b) {
    frc_box_grid* grid = b->grid;
    uint64_t first = 0;
    uint32_t levels = 0;
    for (int l = 0; l < FRC_BOX_GRID_LEVELS; l++) {
        uint64_t items = atomic_load_explicit(&b->items[l].value, memory_order_relaxed);
        uint32_t bits = BLOCK_BITS;
        while (l != FRC_GRID_TOP_LEVEL && bits < 31 && ((uint64_t)1 << bits) < 2 * items) bits++;
        grid->level[l].items = (uint32_t)items;
        grid->level[l].first = (uint32_t)first;
        grid->level[l].bits = bits;
        if (items) first += (uint64_t)1 << bits;
        levels += items > 0;
    }
    grid->bucket_count = (uint32_t)first;
    return levels;
}

// Compute what limits the entries on coarser levels: buckets with own-level entries, and the bounds
// of the boxes of each level.
static void bound_levels(build* b) {
    frc_box_grid* grid = b->grid;
    for (uint32_t i = 0; i < grid->bucket_count; i++)
        grid->has_own[i] = frc_box_grid_begin(grid, i) > 0;
    for (int l = 1; l < FRC_BOX_GRID_LEVELS; l++)
        for (int k = 0; k < 3; k++)
            grid->level[l].lo[k] = INFINITY, grid->level[l].hi[k] = -INFINITY;
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t l = shape_level(grid->shapes[i]);
        if (l == 0 || grid->shapes[i] == NO_SHAPE) continue;
        const frc_grid_box* box = &b->boxes[i];
        for (int k = 0; k < 3; k++) {
            if (box->lo[k] < grid->level[l].lo[k]) grid->level[l].lo[k] = box->lo[k];
            if (box->hi[k] > grid->level[l].hi[k]) grid->level[l].hi[k] = box->hi[k];
        }
    }
}

// ---- entries: first counted, then inserted from the end of each bucket downwards

// Add `by` to a counter. @return the new value
static uint32_t change(frc_counter* counter, uint32_t by, bool serial) {
    if (!serial) return atomic_fetch_add_explicit(&counter->value, by, memory_order_relaxed) + by;
    uint32_t changed = atomic_load_explicit(&counter->value, memory_order_relaxed) + by;
    atomic_store_explicit(&counter->value, changed, memory_order_relaxed);
    return changed;
}

// Count (or insert) the entries of a box on a level, own or coarser.
static inline void enter_range(const build* b, uint32_t item, uint32_t level, const range* r,
                               bool own, bool insert) {
    frc_box_grid* grid = b->grid;
    for (uint32_t z = 0; z <= r->span[2]; z++)
        for (uint32_t y = 0; y <= r->span[1]; y++)
            for (uint32_t x = 0; x <= r->span[0]; x++) {
                const uint64_t cell = r->cell + x + ((uint64_t)y << FRC_GRID_AXIS_BITS) +
                                      ((uint64_t)z << (2 * FRC_GRID_AXIS_BITS));
                const uint32_t bucket = bucket_of(grid, level, cell);
                if (!own && !grid->has_own[bucket]) continue;
                if (!insert) {
                    change(&grid->begin[bucket], 1, b->serial);
                    continue;
                }
                const uint32_t mark = (x == 0) | (uint32_t)(y == 0) << 1 | (uint32_t)(z == 0) << 2 |
                                      (own ? FRC_GRID_OWN_LEVEL : 0);
                const uint32_t at = change(&grid->begin[bucket], UINT32_MAX, b->serial);
                grid->entries[at] = (frc_grid_entry){cell, item, mark};
            }
}

// Enter boxes on their own levels.
static inline void enter_own(const build* b, uint32_t begin, uint32_t end, bool insert) {
    for (uint32_t i = begin; i < end; i++) {
        const uint16_t shape = b->grid->shapes[i];
        if (shape == NO_SHAPE) continue;
        const frc_grid_box* box = &b->boxes[i];
        const range r = {
            (uint64_t)box->cell_high << 32 | box->cell_low,
            {shape & 3u, shape >> 2 & 3u, shape >> 4 & 3u}
        };
        enter_range(b, i, shape_level(shape), &r, true, insert);
    }
}

// Enter boxes on levels coarser than their own.
static inline void enter_coarser(const build* b, uint32_t begin, uint32_t end, bool insert) {
    const frc_box_grid* grid = b->grid;
    for (uint32_t i = begin; i < end; i++) {
        const frc_grid_box* box = &b->boxes[i];
        if (grid->shapes[i] == NO_SHAPE) continue;
        for (uint32_t l = shape_level(grid->shapes[i]) + 1; l < FRC_BOX_GRID_LEVELS; l++) {
            bool overlap = grid->level[l].items > 0;
            for (int k = 0; k < 3; k++)
                overlap &= box->lo[k] <= grid->level[l].hi[k] && grid->level[l].lo[k] <= box->hi[k];
            if (!overlap) continue;
            range r;
            find_range(grid, box, l, &r);
            enter_range(b, i, l, &r, false, insert);
        }
    }
}

static void count_own(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    enter_own(data, begin, end, false);
}

static void insert_own(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    enter_own(data, begin, end, true);
}

static void count_coarser(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    enter_coarser(data, begin, end, false);
}

static void insert_coarser(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    enter_coarser(data, begin, end, true);
}

// ---- build

static bool reserve(fracas_context* context, void** memory, size_t* capacity, size_t wanted,
                    size_t size) {
    return wanted <= *capacity || frc_array_grow(context, memory, capacity, wanted, size);
}

bool frc_box_grid_build(fracas_context* context, frc_box_grid* grid, frc_grid_box* boxes,
                        uint32_t count, double cell_size) {
    build b = {
        .grid = grid, .boxes = boxes, .count = count, .serial = frc_worker_count(context) == 1};
    for (int l = 0; l < FRC_BOX_GRID_LEVELS; l++) atomic_init(&b.items[l].value, 0);
    if (!reserve(context, (void**)&grid->shapes, &grid->shape_capacity, (size_t)count + 1,
                 sizeof *grid->shapes))
        return false;
    choose_cells(grid, boxes, count, cell_size);
    frc_parallel_for(context, count, GRAIN, find_shapes, &b);
    const bool several_levels = assign_buckets(&b) > 1;
    const size_t buckets = (size_t)grid->bucket_count + 1;
    if (!reserve(context, (void**)&grid->begin, &grid->begin_capacity, buckets,
                 sizeof *grid->begin) ||
        !reserve(context, (void**)&grid->has_own, &grid->own_capacity, buckets,
                 sizeof *grid->has_own))
        return false;
    memset(grid->begin, 0, buckets * sizeof *grid->begin);
    frc_parallel_for(context, count, GRAIN, count_own, &b);
    if (several_levels) {
        bound_levels(&b);
        frc_parallel_for(context, count, GRAIN, count_coarser, &b);
    }
    // From counts to the ends of buckets.
    uint64_t all = 0;
    for (uint32_t i = 0; i <= grid->bucket_count; i++) {
        all += frc_box_grid_begin(grid, i);
        atomic_store_explicit(&grid->begin[i].value, (uint32_t)all, memory_order_relaxed);
    }
    if (all >= UINT32_MAX || !reserve(context, (void**)&grid->entries, &grid->entry_capacity,
                                      (size_t)all + 1, sizeof *grid->entries))
        return false;
    // Buckets are filled from the end: own-level entries come before the others.
    if (several_levels) frc_parallel_for(context, count, GRAIN, insert_coarser, &b);
    frc_parallel_for(context, count, GRAIN, insert_own, &b);
    return true;
}

void frc_box_grid_release(fracas_context* context, frc_box_grid* grid) {
    frc_release(context, grid->begin, grid->begin_capacity * sizeof *grid->begin);
    frc_release(context, grid->has_own, grid->own_capacity * sizeof *grid->has_own);
    frc_release(context, grid->entries, grid->entry_capacity * sizeof *grid->entries);
    frc_release(context, grid->shapes, grid->shape_capacity * sizeof *grid->shapes);
    *grid = (frc_box_grid){0};
}

// ---- sort a bucket

// By cell, own-level entries first.
static bool comes_before(const frc_grid_entry* a, const frc_grid_entry* b) {
    return a->cell != b->cell ? a->cell < b->cell
                              : (a->mark & FRC_GRID_OWN_LEVEL) > (b->mark & FRC_GRID_OWN_LEVEL);
}

void frc_box_grid_sort_bucket(frc_grid_entry* entries, uint32_t count) {
    uint32_t at = 1;
    while (at < count && !comes_before(&entries[at], &entries[at - 1])) at++;
    if (at >= count) return;
    uint32_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            frc_grid_entry x = entries[i];
            uint32_t j = i;
            for (; j >= gap && comes_before(&x, &entries[j - gap]); j -= gap)
                entries[j] = entries[j - gap];
            entries[j] = x;
        }
}
