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
#include "base/simd.h"
#include "tets/catch.h"

static bool prepare(fracas_tets* tets) {
    return frc_points_sort(tets->context, (int32_t(*)[4])tets->units.data,
                           (uint32_t)tets->vertices.count, tets->unit_lo, tets->unit_hi,
                           &tets->sorted);
}

static uint32_t items(const fracas_tets* tets) { return (uint32_t)tets->tets.count; }

static void release(fracas_tets* tets) { frc_points_release(tets->context, &tets->sorted); }

// The box of a tetrahedron in units.
typedef struct unit_box {
    int32_t lo[4], hi[4];
} unit_box;

static inline unit_box box_of(const fracas_tets* tets, uint32_t tet) {
    const uint32_t* corner = tets->tets.data[tet].corner;
    const frc_tet_units* units = tets->units.data;
    const i32x4 a = i32x4_load(units[corner[0]].at), b = i32x4_load(units[corner[1]].at);
    const i32x4 c = i32x4_load(units[corner[2]].at), d = i32x4_load(units[corner[3]].at);
    unit_box box;
    i32x4_store(box.lo, i32x4_min(i32x4_min(a, b), i32x4_min(c, d)));
    i32x4_store(box.hi, i32x4_max(i32x4_max(a, b), i32x4_max(c, d)));
    return box;
}

// The cells of a box, folded.
typedef struct cell_box {
    frc_cell_span span[3];
} cell_box;

static inline cell_box cells_of(const frc_cell_table* t, const unit_box* box) {
    cell_box cells;
    for (int k = 0; k < 3; k++)
        cells.span[k] = frc_cell_span_of(t, k, frc_cell_of(t, k, box->lo[k]),
                                         frc_cell_of(t, k, box->hi[k]));
    return cells;
}

// ---- boxes of many cells: units themselves are compared

static inline void look_at(const fracas_tets* tets, const unit_box* box, uint32_t v, uint32_t tet,
                           frc_catch* out) {
    const int32_t* at = tets->units.data[v].at;
    for (int k = 0; k < 3; k++)
        if (at[k] < box->lo[k] || at[k] > box->hi[k]) return;
    frc_catch_add(out, v, tet);
}

static void look_into(const fracas_tets* tets, const unit_box* box, uint32_t first, uint32_t end,
                      uint32_t tet, frc_catch* out) {
    out->candidates += end - first;
    for (; first < end; first++) look_at(tets, box, tets->sorted.points.data[first], tet, out);
}

static void find_slowly(const fracas_tets* tets, const unit_box* box, uint32_t tet,
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
    const uint32_t all = sorted->table.mask[0] + 1, end = x.from + x.count;
    out->cells += (uint64_t)x.count * y.count * z.count;
    for (uint32_t j = 0; j < z.count; j++)
        for (uint32_t i = 0; i < y.count; i++) {
            const uint32_t* row =
                sorted->starts.data + frc_cell_row(&sorted->table,
                                                   (y.from + i) & sorted->table.mask[1],
                                                   (z.from + j) & sorted->table.mask[2]);
            look_into(tets, box, row[x.from], row[end < all ? end : all], tet, out);
            if (end > all) look_into(tets, box, row[0], row[end - all], tet, out);
        }
}

// ---- boxes of few cells, a block at a time

enum { BLOCK = 64, GROUPS = 1024 };

// What is looked for: cells, and the box as keys: where it begins, and how far it reaches.
typedef struct wanted {
    uint32_t lo, span, tet;
    uint32_t first, x;  // along x, where in a row, and how many
    uint32_t y, z;      // the first row
    uint32_t more_y;    // rows in a layer, less one
    uint32_t rows;      // in all
} wanted;

// Up to four vertices that stand side by side, and who looks at them.
typedef struct group {
    uint32_t place;
    uint16_t owner;
    uint16_t valid;  // bits
} group;

typedef struct block {
    uint32_t count, groups;
    wanted wanted[2 * BLOCK];
    group group[GROUPS + 4];
} block;

// What a box wants; twice where its rows run over the seam of a folded table. None: it is large.
static inline uint32_t put(const frc_cell_table* t, const unit_box* box, uint32_t tet,
                           wanted out[2]) {
    uint32_t from[3], more[3];
    bool fits = true;
    for (int k = 0; k < 3; k++) {
        const int32_t first = frc_cell_of(t, k, box->lo[k]);
        from[k] = frc_cell_fold(t, k, first);
        more[k] = (uint32_t)(frc_cell_of(t, k, box->hi[k]) - first);
        fits &= (more[k] <= t->mask[k]) &
                (more[k] < (FRC_KEY_WINDOW - 1u) << (FRC_CELL_BITS - t->shift[k]));
    }
    const uint32_t lo = frc_key_pack(box->lo[0], box->lo[1], box->lo[2]);
    const uint32_t hi = frc_key_pack(box->hi[0], box->hi[1], box->hi[2]) | FRC_KEY_GUARD;
    const uint32_t end = from[0] + more[0] + 1, all = t->mask[0] + 1;
    out[0].lo = lo;
    out[0].span = ((hi - lo) & FRC_KEY_DIGITS) | FRC_KEY_GUARD;
    out[0].tet = tet;
    out[0].first = from[0], out[0].x = (end < all ? end : all) - from[0];
    out[0].y = from[1], out[0].z = from[2];
    out[0].more_y = more[1], out[0].rows = (more[1] + 1) * (more[2] + 1);
    if (__builtin_expect(end > all, 0)) {
        out[1] = out[0];
        out[1].first = 0, out[1].x = end - all;
        return 2 * (uint32_t)fits;
    }
    return fits;
}

// Along each axis: how far behind the beginning, counted round the window, is it within the reach?
static inline m32x4 within(u32x4 lo, u32x4 span, u32x4 keys) {
    const u32x4 guard = u32x4_splat(FRC_KEY_GUARD);
    const u32x4 behind = u32x4_and(u32x4_sub(keys, lo), u32x4_splat(FRC_KEY_DIGITS));
    return u32x4_same(u32x4_and(u32x4_sub(span, behind), guard), guard);
}

static inline m32x4 is_corner(const uint32_t corner[4], u32x4 v) {
    return m32x4_or(m32x4_or(u32x4_same(v, u32x4_splat_at(&corner[0])),
                             u32x4_same(v, u32x4_splat_at(&corner[1]))),
                    m32x4_or(u32x4_same(v, u32x4_splat_at(&corner[2])),
                             u32x4_same(v, u32x4_splat_at(&corner[3]))));
}

// Vertices within the boxes, but for corners, become candidates.
static void compare(const fracas_tets* tets, const block* b, uint32_t groups, frc_catch* out) {
    const uint32_t *keys = tets->sorted.keys.data, *points = tets->sorted.points.data;
    const frc_tet_corners* corners = tets->tets.data;
    uint32_t count = out->count;
    for (uint32_t i = 0; i < groups; i++) {
        const group g = b->group[i];
        const wanted* w = &b->wanted[g.owner];
        const u32x4 v = u32x4_load(points + g.place);
        const m32x4 in = within(u32x4_splat_at(&w->lo), u32x4_splat_at(&w->span),
                                u32x4_load(keys + g.place));
        const unsigned bits = m32x4_bits(m32x4_and_not(in, is_corner(corners[w->tet].corner, v)));
        u32x4_store(&out->on[count], u32x4_splat_at(&w->tet));
        count += u32x4_compress(&out->vertices[count], v, bits & g.valid);
        if (count > FRC_CATCH_BATCH - 4) {
            out->count = count;
            frc_catch_flush(out);
            count = 0;
        }
    }
    out->count = count;
}

static inline uint16_t bits_below(uint32_t left) {
    return (uint16_t)((1u << (left < 4 ? left : 4)) - 1);
}

// A row of cells has few vertices: two groups are put down without asking, and count or not.
static inline uint32_t add_range(group* out, uint32_t owner, uint32_t first, uint32_t end) {
    const uint32_t left = end - first;
    out[0] = (group){first, (uint16_t)owner, bits_below(left)};
    out[1] = (group){first + 4, (uint16_t)owner, bits_below(left - 4)};
    return (uint32_t)(left > 0) + (left > 4);
}

static void find_ranges(const fracas_tets* tets, block* b, frc_catch* out) {
    const frc_cell_table t = tets->sorted.table;
    const uint32_t* starts = tets->sorted.starts.data;
    uint64_t cells = 0, candidates = 0;
    uint32_t groups = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const wanted w = b->wanted[i];
        uint32_t y = 0, z = w.z;
        cells += w.x * w.rows;
        for (uint32_t r = 0; r < w.rows; r++) {
            const uint32_t* row =
                starts + frc_cell_row(&t, (w.y + y) & t.mask[1], z & t.mask[2]) + w.first;
            uint32_t first = row[0], end = row[w.x];
            candidates += end - first;
            groups += add_range(&b->group[groups], i, first, end);
            for (first += 8; __builtin_expect(first < end, 0); first += 4) {
                if (groups >= GROUPS) compare(tets, b, groups, out), groups = 0;
                b->group[groups++] = (group){first, (uint16_t)i, bits_below(end - first)};
            }
            if (groups >= GROUPS) compare(tets, b, groups, out), groups = 0;
            const bool last = y == w.more_y;
            y = last ? 0 : y + 1;
            z += last;
        }
    }
    compare(tets, b, groups, out);
    out->cells += cells, out->candidates += candidates;
}

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end, frc_catch* out) {
    const frc_cell_table table = tets->sorted.table;
    block b;
    while (begin < end) {
        const uint32_t last = end - begin < BLOCK ? end : begin + BLOCK;
        b.count = 0;
        for (; begin < last; begin++) {
            const unit_box box = box_of(tets, begin);
            const uint32_t put_down = put(&table, &box, begin, &b.wanted[b.count]);
            b.count += put_down;
            if (!put_down) find_slowly(tets, &box, begin, out);
        }
        find_ranges(tets, &b, out);
    }
}

const frc_tets_finder frc_tets_sorted = {prepare, items, find, release};
