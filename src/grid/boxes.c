/// @file boxes.c  Boxes into cells, by counting.
#include "grid/boxes.h"
#include "base/array.h"
#include "base/parallel.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    AXIS_BITS = 21,  // of a cell's number; all three make one word
    AXIS_LIMIT = 1 << (AXIS_BITS - 1),
    BLOCK_BITS = 6,  // buckets of neighbouring cells stand together, in blocks of 4 x 4 x 4
    WHOLE = FRC_GRID_SIZES - 1,  // the level that is one cell
    SAMPLES = 1024,
    GRAIN = 2048
};

static bool is_there(const frc_grid_box* box) { return box->lo[0] <= box->hi[0]; }

// ---- the size of cells

static void sort_floats(float* v, uint32_t count) {
    for (uint32_t gap = 364; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            float x = v[i];
            uint32_t j = i;
            for (; j >= gap && v[j - gap] > x; j -= gap) v[j] = v[j - gap];
            v[j] = x;
        }
}

static const frc_grid_box* sample(const frc_grid_box* boxes, uint32_t count, uint32_t i) {
    return &boxes[count <= SAMPLES ? i : (uint64_t)i * count / SAMPLES];
}

static float largest_extent(const frc_grid_box* box) {
    float most = 0;
    for (int k = 0; k < 3; k++)
        if (box->hi[k] - box->lo[k] > most) most = box->hi[k] - box->lo[k];
    return most;
}

// The median of where boxes begin: far ones must not take the cells from all others.
static double choose_origin(const frc_grid_box* boxes, uint32_t count, int axis) {
    float low[SAMPLES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < SAMPLES && i < count; i++) {
        const frc_grid_box* box = sample(boxes, count, i);
        if (is_there(box) && isfinite(box->lo[axis])) low[n++] = box->lo[axis];
    }
    sort_floats(low, n);
    return n ? (double)low[n / 2] : 0;
}

double frc_box_grid_choose_size(const frc_grid_box* boxes, uint32_t count) {
    float extent[SAMPLES];
    uint32_t n = 0, used = 0;
    for (uint32_t i = 0; i < SAMPLES && i < count; i++) {
        const frc_grid_box* box = sample(boxes, count, i);
        float e = is_there(box) ? largest_extent(box) : 0;
        if (e > 0 && isfinite(e)) extent[n++] = e;
    }
    sort_floats(extent, n);
    double sum = 0;
    while (used < n && extent[used] <= 4 * (double)extent[n / 2]) sum += (double)extent[used++];
    // Larger cells have more pairs that do not meet, smaller ones more entries.
    return used ? 2.5 * sum / used : 1;
}

static void choose_cells(frc_box_grid* grid, const frc_grid_box* boxes, uint32_t count,
                         double cell_size) {
    double size = cell_size > 0 ? cell_size : frc_box_grid_choose_size(boxes, count);
    // Its inverse is neither zero nor infinite.
    size = size < 0x1p-1000 ? 0x1p-1000 : size;
    grid->cell_size = size;
    grid->inverse = 1 / size;
    for (int k = 0; k < 3; k++) grid->origin[k] = choose_origin(boxes, count, k);
}

// ---- cells of a box

typedef struct range {
    uint64_t cell;     // the lowest
    uint32_t span[3];  // cells less one
} range;

// The number of a cell along an axis: floor((x - origin) * inverse), within limits. A difference, a
// product, limits and rounding down are monotone, and nothing becomes NaN: the origin is finite,
// the inverse too and not zero. So of x <= y the cell of x is not after that of y, and boxes that
// meet have a cell in common. Far things share the last cells, which costs time only.
static uint32_t axis_cell(const frc_box_grid* grid, double x, int axis, double inverse) {
    double cell = (x - grid->origin[axis]) * inverse;
    cell = cell > -AXIS_LIMIT ? cell : -AXIS_LIMIT;
    cell = cell < AXIS_LIMIT - 1 ? cell : AXIS_LIMIT - 1;
    return (uint32_t)(cell + AXIS_LIMIT);
}

// How long a box may be, in cells: it then covers at most four along an axis. (Where cells are told
// apart at all their numbers are below 2^20, and off by 2^-31 at most.) The numbers of cells do not
// tell: far away they are all the same, and would no longer be on a higher level.
#define LONGEST 2.5

// False: the box is too long for this level.
static bool find_range(const frc_box_grid* grid, const frc_grid_box* box, uint32_t level,
                       range* out) {
    *out = (range){0};
    if (level == WHOLE) return true;
    const double inverse = grid->inverse / (double)((uint64_t)1 << (3 * level));
    bool small = true;
    for (int k = 0; k < 3; k++) {
        uint32_t first = axis_cell(grid, (double)box->lo[k], k, inverse);
        out->span[k] = axis_cell(grid, (double)box->hi[k], k, inverse) - first;
        out->cell |= (uint64_t)first << (AXIS_BITS * k);
        small &= ((double)box->hi[k] - (double)box->lo[k]) * inverse <= LONGEST;
    }
    return small;
}

static uint16_t pack_shape(const range* r, uint32_t level) {
    assert(r->span[0] <= 3 && r->span[1] <= 3 && r->span[2] <= 3);
    return (uint16_t)(r->span[0] | r->span[1] << 2 | r->span[2] << 4 | level << 6);
}

static uint32_t shape_level(uint16_t shape) { return shape >> 6; }

static range home_range(const frc_grid_box* box, uint16_t shape) {
    return (range){
        (uint64_t)box->cell_high << 32 | box->cell_low,
        {shape & 3u, shape >> 2 & 3u, shape >> 4 & 3u}
    };
}

// Cells of a block of 4 x 4 x 4 have buckets side by side; blocks are scattered.
static uint32_t bucket_of(const frc_box_grid* grid, uint32_t level, uint64_t cell) {
    const uint64_t low = (uint64_t)3 << (2 * AXIS_BITS) | (uint64_t)3 << AXIS_BITS | 3;
    uint64_t inside = cell & low, h = (cell & ~low) >> 2;
    h *= 0x9e3779b97f4a7c15;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
    const uint32_t bits = grid->level[level].bits;
    uint32_t block = bits > BLOCK_BITS ? (uint32_t)(h >> (64 - (bits - BLOCK_BITS))) : 0;
    uint32_t place = (uint32_t)(inside | inside >> (AXIS_BITS - 2) | inside >> (2 * AXIS_BITS - 4));
    return grid->level[level].first + (block << BLOCK_BITS | (place & 63));
}

// ---- counting

typedef struct build {
    frc_box_grid* grid;
    frc_grid_box* boxes;
    uint32_t count;
    bool alone;  // one worker
    frc_counter items[FRC_GRID_SIZES];
} build;

static void shape_items(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    build* b = data;
    uint32_t items[FRC_GRID_SIZES] = {0};
    for (uint32_t i = begin; i < end; i++) {
        frc_grid_box* box = &b->boxes[i];
        b->grid->shapes[i] = UINT16_MAX;
        if (!is_there(box)) continue;
        uint32_t level = 0;
        range r;
        while (!find_range(b->grid, box, level, &r)) level++;
        box->cell_low = (uint32_t)r.cell, box->cell_high = (uint32_t)(r.cell >> 32);
        b->grid->shapes[i] = pack_shape(&r, level);
        items[level]++;
    }
    for (int l = 0; l < FRC_GRID_SIZES; l++)
        if (items[l]) atomic_fetch_add_explicit(&b->items[l].value, items[l], memory_order_relaxed);
}

// As many buckets as there are boxes on the level, twice, and a power of two.
static void divide_table(build* b) {
    frc_box_grid* grid = b->grid;
    uint64_t first = 0;
    for (int l = 0; l < FRC_GRID_SIZES; l++) {
        uint64_t items = atomic_load_explicit(&b->items[l].value, memory_order_relaxed);
        uint32_t bits = BLOCK_BITS;
        while (bits < 31 && ((uint64_t)1 << bits) < 2 * items) bits++;
        if (l == WHOLE) bits = BLOCK_BITS;
        grid->level[l].items = (uint32_t)items;
        grid->level[l].first = (uint32_t)first;
        grid->level[l].bits = bits;
        if (items) first += (uint64_t)1 << bits;
    }
    grid->bucket_count = (uint32_t)first;
}

// With one worker it need not be one instruction.
static uint32_t change(frc_counter* number, uint32_t by, bool alone) {
    if (!alone) return atomic_fetch_add_explicit(&number->value, by, memory_order_relaxed) + by;
    uint32_t changed = atomic_load_explicit(&number->value, memory_order_relaxed) + by;
    atomic_store_explicit(&number->value, changed, memory_order_relaxed);
    return changed;
}

// For each cell of a range, with the axes along which the box begins there.
#define EACH_CELL_OF(r, where, begins)                                                             \
    for (uint32_t z_ = 0; z_ <= (r).span[2]; z_++)                                                 \
        for (uint32_t y_ = 0; y_ <= (r).span[1]; y_++)                                             \
            for (uint64_t x_ = 0, where, begins;                                                   \
                 x_ <= (r).span[0] &&                                                              \
                 (where = (r).cell + x_ + ((uint64_t)y_ << AXIS_BITS) +                            \
                          ((uint64_t)z_ << (2 * AXIS_BITS)),                                       \
                 begins = (x_ == 0) | (uint64_t)(y_ == 0) << 1 | (uint64_t)(z_ == 0) << 2, true);  \
                 x_++)

static void count_home(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const build* b = data;
    for (uint32_t i = begin; i < end; i++) {
        const uint16_t shape = b->grid->shapes[i];
        if (shape == UINT16_MAX) continue;
        range r = home_range(&b->boxes[i], shape);
        EACH_CELL_OF(r, cell, begins)
        (void)begins,
            change(&b->grid->begin[bucket_of(b->grid, shape_level(shape), cell)], 1, b->alone);
    }
}

static void enter(const build* b, uint32_t bucket, uint64_t cell, uint32_t item, uint32_t mark) {
    uint32_t at = change(&b->grid->begin[bucket], UINT32_MAX, b->alone);
    b->grid->entries[at] = (frc_grid_entry){cell, item, mark};
}

static void enter_home(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const build* b = data;
    for (uint32_t i = begin; i < end; i++) {
        const uint16_t shape = b->grid->shapes[i];
        if (shape == UINT16_MAX) continue;
        range r = home_range(&b->boxes[i], shape);
        EACH_CELL_OF(r, cell, begins)
        enter(b, bucket_of(b->grid, shape_level(shape), cell), cell, i,
              (uint32_t)begins | FRC_GRID_HOME);
    }
}

// ---- guests

static bool has_guests(const frc_box_grid* grid) {
    uint32_t levels = 0;
    for (int l = 0; l < FRC_GRID_SIZES; l++) levels += grid->level[l].items > 0;
    return levels > 1;
}

// Where somebody is at home: guests go nowhere else.
static void note_homes(frc_box_grid* grid) {
    for (uint32_t i = 0; i < grid->bucket_count; i++)
        grid->homes[i] = frc_box_grid_begin(grid, i) > 0;
}

// Guests are met only here.
static void bound_levels(build* b) {
    frc_box_grid* grid = b->grid;
    for (int l = 1; l < FRC_GRID_SIZES; l++)
        for (int k = 0; k < 3; k++)
            grid->level[l].lo[k] = INFINITY, grid->level[l].hi[k] = -INFINITY;
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t l = shape_level(grid->shapes[i]);
        if (l == 0 || grid->shapes[i] == UINT16_MAX) continue;
        const frc_grid_box* box = &b->boxes[i];
        for (int k = 0; k < 3; k++) {
            if (box->lo[k] < grid->level[l].lo[k]) grid->level[l].lo[k] = box->lo[k];
            if (box->hi[k] > grid->level[l].hi[k]) grid->level[l].hi[k] = box->hi[k];
        }
    }
}

static inline bool may_visit(const frc_box_grid* grid, uint32_t level, const frc_grid_box* box) {
    bool meet = grid->level[level].items > 0;
    for (int k = 0; k < 3; k++)
        meet &= box->lo[k] <= grid->level[level].hi[k] && grid->level[level].lo[k] <= box->hi[k];
    return meet;
}

static void count_guest(const build* b, uint32_t bucket, uint64_t cell, uint32_t item,
                        uint32_t mark) {
    (void)cell, (void)item, (void)mark;
    change(&b->grid->begin[bucket], 1, b->alone);
}

static inline void visit(const build* b, uint32_t item,
                         void (*what)(const build* b, uint32_t bucket, uint64_t cell, uint32_t item,
                                      uint32_t mark)) {
    const frc_box_grid* grid = b->grid;
    if (grid->shapes[item] == UINT16_MAX) return;
    for (uint32_t l = shape_level(grid->shapes[item]) + 1; l < FRC_GRID_SIZES; l++) {
        if (!may_visit(grid, l, &b->boxes[item])) continue;
        range r;
        find_range(grid, &b->boxes[item], l, &r);
        EACH_CELL_OF(r, cell, begins) {
            uint32_t bucket = bucket_of(grid, l, cell);
            if (grid->homes[bucket]) what(b, bucket, cell, item, (uint32_t)begins);
        }
    }
}

static void count_guests(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    for (uint32_t i = begin; i < end; i++) visit(data, i, count_guest);
}

static void enter_guests(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    for (uint32_t i = begin; i < end; i++) visit(data, i, enter);
}

// ---- all of it

static bool reserve(fracas_context* context, void** memory, size_t* capacity, size_t wanted,
                    size_t size) {
    return wanted <= *capacity || frc_array_grow(context, memory, capacity, wanted, size);
}

static bool reserve_buckets(fracas_context* context, frc_box_grid* grid) {
    size_t wanted = (size_t)grid->bucket_count + 1;
    return reserve(context, (void**)&grid->begin, &grid->begin_capacity, wanted,
                   sizeof *grid->begin) &&
           reserve(context, (void**)&grid->homes, &grid->home_capacity, wanted,
                   sizeof *grid->homes);
}

// From how many to where they end; entering them goes down from there. Returns how many in all.
static uint64_t sum_up(frc_box_grid* grid) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < grid->bucket_count; i++) {
        sum += frc_box_grid_begin(grid, i);
        atomic_store_explicit(&grid->begin[i].value, (uint32_t)sum, memory_order_relaxed);
    }
    atomic_store_explicit(&grid->begin[grid->bucket_count].value, (uint32_t)sum,
                          memory_order_relaxed);
    return sum;
}

bool frc_box_grid_build(fracas_context* context, frc_box_grid* grid, frc_grid_box* boxes,
                        uint32_t count, double cell_size) {
    build b = {
        .grid = grid, .boxes = boxes, .count = count, .alone = frc_worker_count(context) == 1};
    for (int l = 0; l < FRC_GRID_SIZES; l++) atomic_init(&b.items[l].value, 0);
    if (!reserve(context, (void**)&grid->shapes, &grid->shape_capacity, (size_t)count + 1,
                 sizeof *grid->shapes))
        return false;
    choose_cells(grid, boxes, count, cell_size);
    frc_parallel_for(context, count, GRAIN, shape_items, &b);
    divide_table(&b);
    if (!reserve_buckets(context, grid)) return false;
    memset(grid->begin, 0, ((size_t)grid->bucket_count + 1) * sizeof *grid->begin);
    frc_parallel_for(context, count, GRAIN, count_home, &b);
    const bool guests = has_guests(grid);
    if (guests) {
        note_homes(grid);
        bound_levels(&b);
        frc_parallel_for(context, count, GRAIN, count_guests, &b);
    }
    uint64_t all = sum_up(grid);
    if (all >= UINT32_MAX || !reserve(context, (void**)&grid->entries, &grid->entry_capacity,
                                      (size_t)all + 1, sizeof *grid->entries))
        return false;
    // From the end: guests come to stand behind those at home.
    if (guests) frc_parallel_for(context, count, GRAIN, enter_guests, &b);
    frc_parallel_for(context, count, GRAIN, enter_home, &b);
    return true;
}

void frc_box_grid_release(fracas_context* context, frc_box_grid* grid) {
    frc_release(context, grid->begin, grid->begin_capacity * sizeof *grid->begin);
    frc_release(context, grid->homes, grid->home_capacity * sizeof *grid->homes);
    frc_release(context, grid->entries, grid->entry_capacity * sizeof *grid->entries);
    frc_release(context, grid->shapes, grid->shape_capacity * sizeof *grid->shapes);
    *grid = (frc_box_grid){0};
}

// ---- a bucket in order

static bool comes_before(const frc_grid_entry* a, const frc_grid_entry* b) {
    return a->cell != b->cell ? a->cell < b->cell
                              : (a->mark & FRC_GRID_HOME) > (b->mark & FRC_GRID_HOME);
}

void frc_box_grid_arrange(frc_grid_entry* entries, uint32_t count) {
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

// ---- the floats of a cell

// Floats in their order, as whole numbers: -inf is the first, +inf the last.
static int32_t to_rank(float f) {
    int32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits < 0 ? INT32_MIN - bits : bits;
}

static float from_rank(int32_t rank) {
    int32_t bits = rank < 0 ? INT32_MIN - rank : rank;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

typedef struct search {
    const frc_box_grid* grid;
    int axis;
    double inverse;
    uint32_t cell;
} search;

static bool is_before(const search* s, int32_t rank) {
    return axis_cell(s->grid, (double)from_rank(rank), s->axis, s->inverse) < s->cell;
}

// The first float whose cell is not before this one. It is close to where the cell begins; where it
// is not, because the numbers cancel, the steps double.
static float first_float(const search* s) {
    const int32_t least = to_rank(-INFINITY), most = to_rank(INFINITY);
    double about = (double)(int32_t)(s->cell - AXIS_LIMIT) / s->inverse + s->grid->origin[s->axis];
    int64_t low = to_rank((float)about), high = low, step = 1;
    while (low > least && !is_before(s, (int32_t)low)) {
        high = low;
        low = low - step > least ? low - step : least;
        step *= 2;
    }
    while (high < most && is_before(s, (int32_t)high)) {
        low = high;
        high = high + step < most ? high + step : most;
        step *= 2;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (is_before(s, (int32_t)middle))
            low = middle;
        else
            high = middle;
    }
    return from_rank((int32_t)(is_before(s, (int32_t)low) ? high : low));
}

void frc_box_grid_bounds(const frc_box_grid* grid, uint32_t bucket, uint64_t cell,
                         frc_cell_bounds* out) {
    uint32_t level = WHOLE;
    while (level > 0 && (!grid->level[level].items || grid->level[level].first > bucket)) level--;
    const double inverse = grid->inverse / (double)((uint64_t)1 << (3 * level));
    const bool known = out->known && out->level == level;
    for (int k = 0; k < 3; k++) {
        const uint32_t number = (uint32_t)(cell >> (AXIS_BITS * k)) & (2 * AXIS_LIMIT - 1);
        const uint32_t before = (uint32_t)(out->cell >> (AXIS_BITS * k)) & (2 * AXIS_LIMIT - 1);
        if (known && number == before) continue;
        search s = {grid, k, inverse, number};
        if (known && number == before + 1)
            out->lo[k] = out->hi[k];
        else
            out->lo[k] = level == WHOLE || number == 0 ? -INFINITY : first_float(&s);
        s.cell++;
        out->hi[k] = level == WHOLE || s.cell == 2 * AXIS_LIMIT ? NAN : first_float(&s);
    }
    out->lo[3] = out->hi[3] = 0;
    out->cell = cell, out->level = level, out->known = true;
}
