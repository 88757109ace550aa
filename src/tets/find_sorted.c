/// @file find_sorted.c  Vertices sorted by cell; each tetrahedron looks into the cells of its box.
///
/// Based on: teschner2003. Deviations, and why: cells stand in a table in which a row along x is
/// one range of vertices, so a tetrahedron looks at a few ranges and not at many buckets; every
/// vertex in a cell has a key of one word, of which four at a time are compared with the box. The
/// box in units and the keys are rounded by one monotone function: nothing within is lost.
///
/// Tetrahedra are taken some at a time, and what is done for each is done for all of them before
/// the next: boxes, then ranges, then comparisons. None of these loops waits for the result of a
/// branch that nobody could foresee.
#include "tets/catch.h"
#include "tets/unit_box.h"

static bool begin_ranges(void* data, uint32_t* parts) {
    fracas_tets* tets = data;
    if (!frc_point_sort_begin(&tets->sorting, tets->context, (const int32_t(*)[4])tets->units.data,
                              (uint32_t)tets->vertices.count, tets->unit_lo, tets->unit_hi,
                              &tets->sorted))
        return false;
    *parts = frc_point_sort_ranges(&tets->sorting);
    return true;
}

static void sort_range(uint32_t part, void* data) {
    frc_point_sort_range(&((fracas_tets*)data)->sorting, part);
}

static bool begin_slices(void* data, uint32_t* parts) {
    *parts = ((fracas_tets*)data)->sorting.slices;
    return true;
}

static void sort_slice(uint32_t part, void* data) {
    frc_point_sort_slice(&((fracas_tets*)data)->sorting, part);
}

static const frc_stage STAGES[] = {
    {begin_ranges, sort_range},
    {begin_slices, sort_slice}
};

static uint32_t items(const fracas_tets* tets) { return (uint32_t)tets->tets.count; }

static void release(fracas_tets* tets) { frc_points_release(tets->context, &tets->sorted); }

// The cells of a box, folded.
typedef struct cell_box {
    frc_cell_span span[3];
} cell_box;

static inline cell_box cells_of(const frc_cell_table* t, const frc_unit_box* box) {
    cell_box cells;
    for (int k = 0; k < 3; k++)
        cells.span[k] =
            frc_cell_span_of(t, k, frc_cell_of(t, k, box->lo[k]), frc_cell_of(t, k, box->hi[k]));
    return cells;
}

// ---- boxes of many cells: units themselves are compared

static inline void look_at(const fracas_tets* tets, const frc_unit_box* box, uint32_t v,
                           uint32_t tet, frc_catch* out) {
    if (frc_unit_box_has(box, tets->units.data[v].at)) frc_catch_add(out, v, tet);
}

static void look_into(const fracas_tets* tets, const frc_unit_box* box, uint32_t first,
                      uint32_t end, uint32_t tet, frc_catch* out) {
    out->candidates += end - first;
    for (; first < end; first++) look_at(tets, box, tets->sorted.points.data[first], tet, out);
}

static void find_slowly(const fracas_tets* tets, const frc_unit_box* box, uint32_t tet,
                        frc_catch* out) {
    const frc_sorted_points* sorted = &tets->sorted;
    const cell_box cells = cells_of(&sorted->table, box);
    const frc_cell_span x = cells.span[0], y = cells.span[1], z = cells.span[2];
    // More rows than vertices: those themselves are fewer.
    if ((uint64_t)y.count * z.count > tets->vertices.count) {
        out->candidates += tets->vertices.count;
        for (uint32_t v = 0; v < tets->vertices.count; v++) look_at(tets, box, v, tet, out);
        return;
    }
    const frc_cell_table* t = &sorted->table;
    const uint32_t all = t->size[0], end = x.from + x.count;
    out->cells += (uint64_t)x.count * y.count * z.count;
    for (uint32_t j = 0; j < z.count; j++)
        for (uint32_t i = 0; i < y.count; i += 2) {
            const uint32_t* row =
                sorted->starts.data +
                frc_cell_row(t, frc_cell_wrap(t, 1, y.from + i), frc_cell_wrap(t, 2, z.from + j));
            look_into(tets, box, row[x.from], row[end < all ? end : all], tet, out);
            if (end > all) look_into(tets, box, row[0], row[end - all], tet, out);
        }
}

// ---- boxes of few cells, a block at a time

enum { BLOCK = 64, PIECES = 8, FOUND = 1024, GROUPS = 512 };
enum { CERTAIN = 3 };  // groups of a row that are put down without asking

// What is looked for: cells, and the box as keys: where it begins, and how far it reaches.
typedef struct wanted {
    uint32_t lo, span;
    uint32_t cell;     // the first
    uint32_t x;        // how many cells along x
    uint32_t y, rows;  // rows in a layer, every other one, and in all
    uint32_t tet;
    uint32_t corners;  // found by this one alone, and by it for certain; 0: that is not known
} wanted;

// The cells of a box are several boxes in a folded table when they run over its seams.
static uint32_t cut_at_seams(const frc_cell_table* t, const uint32_t from[3],
                             const uint32_t more[3], wanted out[PIECES]) {
    const wanted whole = out[0];
    uint32_t count = 0;
    for (uint32_t piece = 0; piece < PIECES; piece++) {
        uint32_t first[3], size[3];
        bool empty = false;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t end = from[k] + more[k] + 1, all = t->size[k];
            const bool beyond = piece >> k & 1;
            first[k] = beyond ? 0 : from[k];
            size[k] = beyond ? (end > all ? end - all : 0) : (end < all ? end : all) - from[k];
            empty |= size[k] == 0;
        }
        if (empty) continue;
        out[count] = whole;
        out[count].cell = frc_cell_row(t, first[1], first[2]) + first[0];
        out[count].x = size[0], out[count].y = (size[1] + 1) / 2;
        out[count].rows = out[count].y * size[2];
        out[count].corners = 0;
        count++;
    }
    return count;
}

// What a box wants that is large, for which the answer is none, or runs over a seam; returns how
// many.
static uint32_t put_odd(const frc_cell_table* t, const frc_unit_box* box, wanted out[PIECES]) {
    uint32_t from[3], more[3];
    for (int k = 0; k < 3; k++) {
        const int32_t first = frc_cell_of(t, k, box->lo[k]);
        from[k] = frc_cell_fold(t, k, first);
        more[k] = (uint32_t)(frc_cell_of(t, k, box->hi[k]) - first);
        if (more[k] > t->most[k]) return 0;
    }
    return cut_at_seams(t, from, more, out);
}

// What a box wants; returns how many. None: it is large.
static inline uint32_t put(const frc_cell_table* t, const frc_cell_axes* a, const frc_unit_box* box,
                           uint32_t tet, uint32_t corners, wanted out[PIECES]) {
    const i32x4 lo = i32x4_load(box->lo), hi = i32x4_load(box->hi);
    const i32x4 first = frc_cell_lanes_of(FRC_POINTS_FINER, lo);
    const i32x4 from = frc_cell_lanes_fold(a, first);
    const i32x4 more = i32x4_sub(frc_cell_lanes_of(FRC_POINTS_FINER, hi), first);
    const m32x4 over = i32x4_lt(i32x4_sub(a->last, from), more);
    const m32x4 large = i32x4_lt(a->most, more);
    const i32x4 key = i32x4_down(lo, FRC_KEY_SHIFT), ends = i32x4_down(hi, FRC_KEY_SHIFT);
    int32_t all[4], size[4];
    i32x4_store(all, i32x4_sums(frc_key_places(key), frc_key_places(i32x4_sub(ends, key)),
                                i32x4_mul(from, a->strides)));
    i32x4_store(size, more);
    const uint32_t y = (uint32_t)size[1] / 2 + 1;
    *out = (wanted){.lo = (uint32_t)all[0],
                    .span = (uint32_t)all[1] | FRC_KEY_GUARD,
                    .cell = (uint32_t)all[2],
                    .x = (uint32_t)size[0] + 1,
                    .y = y,
                    .rows = y * ((uint32_t)size[2] + 1),
                    .tet = tet,
                    .corners = corners};
    return __builtin_expect(m32x4_bits(m32x4_or(over, large)) & 7, 0) ? put_odd(t, box, out) : 1;
}

// Along each axis: how far behind the beginning, counted round the window, is it within the reach?
static inline unsigned within(u32x4 lo, u32x4 span, u32x4 keys) {
    const u32x4 guard = u32x4_splat(FRC_KEY_GUARD);
    const u32x4 behind = u32x4_and(u32x4_sub(keys, lo), u32x4_splat(FRC_KEY_DIGITS));
    return m32x4_bits(u32x4_same(u32x4_and(u32x4_sub(span, behind), guard), guard));
}

// Four of what was found become candidates, but for corners.
static inline uint32_t hand_over(const u32x4 corner[4], u32x4 v, uint32_t left, uint32_t* out) {
    const m32x4 is_corner = m32x4_or(m32x4_or(u32x4_same(v, corner[0]), u32x4_same(v, corner[1])),
                                     m32x4_or(u32x4_same(v, corner[2]), u32x4_same(v, corner[3])));
    const unsigned valid = (1u << (left < 4 ? left : 4)) - 1;
    return u32x4_compress(out, v, ~m32x4_bits(is_corner) & valid);
}

static inline void hand_over_all(const fracas_tets* tets, uint32_t tet, const uint32_t* found,
                                 uint32_t count, frc_catch* out) {
    const uint32_t* c = tets->tets.data[tet].corner;
    const u32x4 corner[4] = {u32x4_splat_at(&c[0]), u32x4_splat_at(&c[1]), u32x4_splat_at(&c[2]),
                             u32x4_splat_at(&c[3])};
    const u32x4 on = u32x4_splat_at(&tet);
    if (out->count > FRC_CATCH_BATCH - 8) frc_catch_flush(out);
    uint32_t n = out->count;
    // Most often there are four to eight.
    u32x4_store(&out->on[n], on);
    n += hand_over(corner, u32x4_load(found), count, &out->vertices[n]);
    u32x4_store(&out->on[n], on);
    n += hand_over(corner, u32x4_load(found + 4), count < 4 ? 0 : count - 4, &out->vertices[n]);
    for (uint32_t i = 8; i < count; i += 4) {
        if (n > FRC_CATCH_BATCH - 8) out->count = n, frc_catch_flush(out), n = 0;
        u32x4_store(&out->on[n], on);
        n += hand_over(corner, u32x4_load(found + i), count - i, &out->vertices[n]);
    }
    out->count = n;
}

// Four vertices side by side, and who looks at them.
typedef struct group {
    uint32_t place, owner;
} group;

// What was found for a block. It is handed over later than it was written: a load right after
// stores that it overlaps would have to wait for them.
typedef struct block {
    wanted wanted[BLOCK + PIECES];
    uint32_t ends[BLOCK + PIECES];  // where in `found` that of each ends
    uint32_t first;                 // the first whose is not handed over
    uint32_t count;                 // of found
    uint32_t found[FOUND + 8];
    group groups[GROUPS + 4];
} block;

// Each finds its own corners. Most find nothing else, and are passed over without a branch that
// nobody could foresee.
static void hand_over_block(const fracas_tets* tets, block* b, uint32_t end, frc_catch* out) {
    uint32_t from[BLOCK + PIECES + 1], who[BLOCK + PIECES + 1];
    uint32_t count = 0, start = 0;
    for (uint32_t i = b->first; i < end; i++) {
        who[count] = i, from[count] = start;
        count += b->ends[i] - start != b->wanted[i].corners;
        start = b->ends[i];
    }
    for (uint32_t i = 0; i < count; i++)
        hand_over_all(tets, b->wanted[who[i]].tet, b->found + from[i], b->ends[who[i]] - from[i],
                      out);
    b->first = end;
}

static void compare(const fracas_tets* tets, block* b, uint32_t groups, frc_catch* out) {
    const uint32_t *keys = tets->sorted.keys.data, *points = tets->sorted.points.data;
    uint32_t count = b->count;
    for (uint32_t i = 0; i < groups; i++) {
        const group g = b->groups[i];
        const wanted* w = &b->wanted[g.owner];
        const unsigned bits =
            within(u32x4_splat_at(&w->lo), u32x4_splat_at(&w->span), u32x4_load(keys + g.place));
        count += u32x4_compress(b->found + count, u32x4_load(points + g.place), bits);
        b->ends[g.owner] = count;
        if (__builtin_expect(count > FOUND - 4, 0)) {
            // This one may have more to come: four may be any of what it finds.
            b->wanted[g.owner].corners = 0;
            hand_over_block(tets, b, g.owner + 1, out);
            b->first = g.owner;
            b->ends[g.owner] = count = 0;
        }
    }
    b->count = count;
}

// Where a cache has no room for all cells, the first rows of a tetrahedron are asked for while
// others are put down, and its vertices while rows of others are looked at. An address is all that
// matters here, and need not be within the table.
static inline void ask_for_rows(const fracas_tets* tets, const wanted* w) {
    const frc_cell_table* t = &tets->sorted.table;
    const uintptr_t row = (uintptr_t)tets->sorted.starts.data + (uintptr_t)w->cell * 4;
    __builtin_prefetch((const void*)row);
    __builtin_prefetch((const void*)(row + (uintptr_t)t->size[0] * t->size[1] * 4));
}

static inline void ask_for_vertices(const fracas_tets* tets, uint32_t place) {
    __builtin_prefetch(&tets->sorted.keys.data[place]);
    __builtin_prefetch(&tets->sorted.points.data[place]);
}

// The vertices of all rows, in groups: of each row three are put down without asking, and count or
// not. The last reaches somewhat beyond the row: what is found there is within the box too, but is
// found again in its own row. Everybody has one group at least.
static inline void find_groups(const fracas_tets* tets, block* b, uint32_t count, const bool ahead,
                               frc_catch* out) {
    const frc_cell_table t = tets->sorted.table;
    const size_t next_row = 2 * (size_t)t.size[0], layer = (size_t)t.size[0] * t.size[1];
    uint64_t candidates = 0, cells = 0;
    uint32_t groups = 0;
    for (uint32_t i = 0; i < count; i++) {
        const wanted* w = &b->wanted[i];
        const uint32_t* row = &tets->sorted.starts.data[w->cell];
        const uint32_t x = w->x, rows = w->rows, all_y = w->y;
        const size_t next_layer = layer - (all_y - 1) * next_row;
        uint32_t y = all_y;
        cells += x * rows;
        for (uint32_t r = 0; r < rows; r++) {
            uint32_t at = row[0];
            const uint32_t certain = at + 4 * CERTAIN;
            const uint32_t end = row[x];
            candidates += end - at;
            if (ahead) ask_for_vertices(tets, at);
            b->groups[groups] = (group){at, i};
            groups += (end > at) | (r == 0);
            for (at += 4; at < certain; at += 4) {
                b->groups[groups] = (group){at, i};
                groups += end > at;
            }
            for (; __builtin_expect(at < end, 0); at += 4) {
                if (groups > GROUPS) compare(tets, b, groups, out), groups = 0;
                b->groups[groups++] = (group){at, i};
            }
            if (__builtin_expect(groups > GROUPS, 0)) compare(tets, b, groups, out), groups = 0;
            const bool last = --y == 0;
            row += last ? next_layer : next_row;
            y = last ? all_y : y;
        }
    }
    compare(tets, b, groups, out);
    out->candidates += candidates;
    out->cells += cells;
}

// Two functions, or what the one has at hand would crowd out what the other has.
static __attribute__((noinline)) void find_near(const fracas_tets* tets, block* b, uint32_t count,
                                                frc_catch* out) {
    find_groups(tets, b, count, false, out);
}

static __attribute__((noinline)) void find_far(const fracas_tets* tets, block* b, uint32_t count,
                                               frc_catch* out) {
    find_groups(tets, b, count, true, out);
}

// What was put down, all of it.
static void look_for(const fracas_tets* tets, block* b, uint32_t* count, bool ahead,
                     frc_catch* out) {
    b->first = b->count = 0;
    (ahead ? find_far : find_near)(tets, b, *count, out);
    hand_over_block(tets, b, *count, out);
    *count = 0;
}

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end, frc_catch* out) {
    const bool ahead = tets->vertices.count >= FRC_TETS_MANY;
    const frc_cell_table table = tets->sorted.table;
    const frc_cell_axes lanes = frc_cell_axes_of(&table);
    const uint32_t corners = tets->repeated ? 0 : 4;
    block b;
    frc_unit_box boxes[BLOCK];
    while (begin < end) {
        const uint32_t size = end - begin < BLOCK ? end - begin : BLOCK;
        uint32_t count = 0;
        for (uint32_t i = 0; i < size; i++) boxes[i] = frc_unit_box_of(tets, begin + i);
        for (uint32_t i = 0; i < size; i++) {
            // A box in pieces may leave no room for the others.
            if (__builtin_expect(count > BLOCK, 0)) look_for(tets, &b, &count, ahead, out);
            const uint32_t pieces =
                put(&table, &lanes, &boxes[i], begin + i, corners, &b.wanted[count]);
            if (ahead) ask_for_rows(tets, &b.wanted[count]);
            count += pieces;
            if (__builtin_expect(!pieces, 0)) find_slowly(tets, &boxes[i], begin + i, out);
        }
        look_for(tets, &b, &count, ahead, out);
        begin += size;
    }
}

const frc_tets_finder frc_tets_sorted = {
    .stages = STAGES, .stage_count = 2, .items = items, .find = find, .release = release};
