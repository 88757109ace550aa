/// @file sorted_cells.c  The default method: vertices are sorted by cell; each tetrahedron searches
/// the cells of its box.
///
/// Based on: teschner2003. Deviations: a row of cells along x is one range of vertices, so a
/// tetrahedron reads a few ranges instead of many buckets; every vertex in a cell has a 32-bit key,
/// and four keys at a time are compared with the box. One monotone function rounds both the box and
/// the keys, so no vertex in the box is lost.
///
/// Tetrahedra are processed in blocks, in three loops over each block: boxes, then ranges, then
/// comparisons. None of these loops has an unpredictable branch.
#include "base/parallel.h"
#include "grid/sorted_points.h"
#include "tets/narrow_phase.h"
#include "tets/unit_box.h"

typedef struct sorted_cells {
    frc_point_sort sort;
    frc_sorted_points points;
} sorted_cells;

static sorted_cells* state_of(const fracas_tets* tets) { return tets->method_state; }

// ---- update

static void sort_ranges(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    for (uint32_t i = begin; i < end; i++) frc_point_sort_range(data, i);
}

static void sort_slices(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    for (uint32_t i = begin; i < end; i++) frc_point_sort_slice(data, i);
}

static bool update(fracas_tets* tets) {
    sorted_cells* s = state_of(tets);
    if (!frc_point_sort_begin(&s->sort, tets->context, (const int32_t(*)[4])tets->units.data,
                              (uint32_t)tets->vertices.count, tets->unit_lo, tets->unit_hi,
                              &s->points))
        return false;
    frc_parallel_for(tets->context, frc_point_sort_ranges(&s->sort), 1, sort_ranges, &s->sort);
    frc_parallel_for(tets->context, s->sort.slices, 1, sort_slices, &s->sort);
    return true;
}

static void release(fracas_tets* tets) {
    frc_sorted_points_release(tets->context, &state_of(tets)->points);
}

// ---- boxes of many cells: compare the units of vertices

static inline void test_vertex(const fracas_tets* tets, const frc_unit_box* box, uint32_t v,
                               uint32_t tet, frc_tets_narrow_phase* out) {
    if (frc_unit_box_contains(box, tets->units.data[v].at)) frc_tets_add_candidate(out, v, tet);
}

static void find_large(const fracas_tets* tets, const frc_unit_box* box, uint32_t tet,
                       frc_tets_narrow_phase* out) {
    const frc_sorted_points* points = &state_of(tets)->points;
    const frc_cell_table* t = &points->table;
    frc_cell_span span[3];
    for (int k = 0; k < 3; k++)
        span[k] =
            frc_cell_span_of(t, k, frc_cell_of(t, k, box->lo[k]), frc_cell_of(t, k, box->hi[k]));
    const frc_cell_span x = span[0], y = span[1], z = span[2];
    // More rows than vertices: test all vertices.
    if ((uint64_t)y.count * z.count > tets->vertices.count) {
        out->candidates += tets->vertices.count;
        for (uint32_t v = 0; v < tets->vertices.count; v++) test_vertex(tets, box, v, tet, out);
        return;
    }
    // A row of a folded table is two ranges where the box crosses its end.
    const uint32_t size = t->size[0], end = x.from + x.count;
    const uint32_t ends[2] = {end < size ? end : size, end > size ? end - size : 0};
    const uint32_t firsts[2] = {x.from, 0};
    out->cells += (uint64_t)x.count * y.count * z.count;
    for (uint32_t j = 0; j < z.count; j++)
        for (uint32_t i = 0; i < y.count; i += 2) {
            const uint32_t* row =
                points->starts.data +
                frc_cell_row(t, frc_cell_wrap(t, 1, y.from + i), frc_cell_wrap(t, 2, z.from + j));
            for (int part = 0; part < 2; part++) {
                out->candidates += row[ends[part]] - row[firsts[part]];
                for (uint32_t p = row[firsts[part]]; p < row[ends[part]]; p++)
                    test_vertex(tets, box, points->points.data[p], tet, out);
            }
        }
}

// ---- boxes of few cells, a block at a time

enum { BLOCK = 64, PIECES = 8, FOUND = 1024, GROUPS = 512 };
enum { UNCONDITIONAL = 3 };  // groups of a row that are written without a branch

// A box as cells of the table, and as keys: its low corner and its extent.
typedef struct cell_query {
    uint32_t lo, span;
    uint32_t cell;     // the first
    uint32_t x;        // cells along x
    uint32_t y, rows;  // rows of a layer, counting every second one; rows of all layers
    uint32_t tet;
    uint32_t corners;  // vertices found when only the corners are in the box; 0: unknown
} cell_query;

// For a box that exceeds the window of keys, or crosses the end of a folded table: cut it at the
// end. Returns the number of pieces, 0 when the box exceeds the window.
static uint32_t cut_query(const frc_cell_table* t, const frc_unit_box* box,
                          cell_query out[PIECES]) {
    const cell_query whole = out[0];
    uint32_t from[3], more[3], count = 0;
    for (int k = 0; k < 3; k++) {
        const int32_t first = frc_cell_of(t, k, box->lo[k]);
        from[k] = frc_cell_fold(t, k, first);
        more[k] = (uint32_t)(frc_cell_of(t, k, box->hi[k]) - first);
        if (more[k] > t->most[k]) return 0;
    }
    for (uint32_t piece = 0; piece < PIECES; piece++) {
        uint32_t first[3], size[3];
        bool empty = false;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t end = from[k] + more[k] + 1, all = t->size[k];
            const bool wrapped = piece >> k & 1;
            first[k] = wrapped ? 0 : from[k];
            size[k] = wrapped ? (end > all ? end - all : 0) : (end < all ? end : all) - from[k];
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

// The queries of a box; returns their number, 0 for a large box.
static inline uint32_t make_queries(const frc_cell_table* t, const frc_cell_axes* a,
                                    const frc_unit_box* box, uint32_t tet, uint32_t corners,
                                    cell_query out[PIECES]) {
    const i32x4 lo = i32x4_load(box->lo), hi = i32x4_load(box->hi);
    const i32x4 first = frc_cell_lanes_of(FRC_POINTS_FINER, lo);
    const i32x4 from = frc_cell_lanes_fold(a, first);
    const i32x4 more = i32x4_sub(frc_cell_lanes_of(FRC_POINTS_FINER, hi), first);
    const m32x4 wraps = i32x4_lt(i32x4_sub(a->last, from), more);
    const m32x4 large = i32x4_lt(a->most, more);
    const i32x4 key = i32x4_down(lo, FRC_KEY_SHIFT), ends = i32x4_down(hi, FRC_KEY_SHIFT);
    int32_t all[4], size[4];
    i32x4_store(all, i32x4_sums(frc_key_places(key), frc_key_places(i32x4_sub(ends, key)),
                                i32x4_mul(from, a->strides)));
    i32x4_store(size, more);
    const uint32_t y = (uint32_t)size[1] / 2 + 1;
    *out = (cell_query){.lo = (uint32_t)all[0],
                        .span = (uint32_t)all[1] | FRC_KEY_GUARD,
                        .cell = (uint32_t)all[2],
                        .x = (uint32_t)size[0] + 1,
                        .y = y,
                        .rows = y * ((uint32_t)size[2] + 1),
                        .tet = tet,
                        .corners = corners};
    return __builtin_expect(m32x4_bits(m32x4_or(wraps, large)) & 7, 0) ? cut_query(t, box, out) : 1;
}

// Four vertices of a row and the query that reads them.
typedef struct group {
    uint32_t first, owner;
} group;

// Vertices found for a block become candidates after all comparisons: a load right after
// overlapping stores would stall.
typedef struct block {
    cell_query queries[BLOCK + PIECES];
    uint32_t ends[BLOCK + PIECES];  // end in `found`, by query
    uint32_t first;                 // first query whose vertices are not added as candidates yet
    uint32_t count;                 // of `found`
    uint32_t found[FOUND + 8];
    group groups[GROUPS + 4];
} block;

// Writes the vertices among four that are no corners; returns their number.
static inline uint32_t drop_corners(const u32x4 corner[4], u32x4 v, uint32_t left, uint32_t* out) {
    const m32x4 is_corner = m32x4_or(m32x4_or(u32x4_same(v, corner[0]), u32x4_same(v, corner[1])),
                                     m32x4_or(u32x4_same(v, corner[2]), u32x4_same(v, corner[3])));
    const unsigned valid = (1u << (left < 4 ? left : 4)) - 1;
    return u32x4_compress(out, v, ~m32x4_bits(is_corner) & valid);
}

static inline void add_candidates(const fracas_tets* tets, uint32_t tet, const uint32_t* found,
                                  uint32_t count, frc_tets_narrow_phase* out) {
    const uint32_t* c = tets->tets.data[tet].corner;
    const u32x4 corner[4] = {u32x4_splat_at(&c[0]), u32x4_splat_at(&c[1]), u32x4_splat_at(&c[2]),
                             u32x4_splat_at(&c[3])};
    const u32x4 tet4 = u32x4_splat_at(&tet);
    if (out->count > FRC_TETS_BATCH - 8) frc_tets_flush(out);
    uint32_t n = out->count;
    // Usually there are four to eight.
    u32x4_store(&out->candidate_tets[n], tet4);
    n += drop_corners(corner, u32x4_load(found), count, &out->vertices[n]);
    u32x4_store(&out->candidate_tets[n], tet4);
    n += drop_corners(corner, u32x4_load(found + 4), count < 4 ? 0 : count - 4, &out->vertices[n]);
    for (uint32_t i = 8; i < count; i += 4) {
        if (n > FRC_TETS_BATCH - 8) out->count = n, frc_tets_flush(out), n = 0;
        u32x4_store(&out->candidate_tets[n], tet4);
        n += drop_corners(corner, u32x4_load(found + i), count - i, &out->vertices[n]);
    }
    out->count = n;
}

// Add the vertices of queries [b->first, end) as candidates. Each query finds the corners of its
// tetrahedron; most find nothing else and are skipped without a branch.
static void add_block(const fracas_tets* tets, block* b, uint32_t end, frc_tets_narrow_phase* out) {
    uint32_t from[BLOCK + PIECES + 1], query[BLOCK + PIECES + 1];
    uint32_t count = 0, start = 0;
    for (uint32_t i = b->first; i < end; i++) {
        query[count] = i, from[count] = start;
        count += b->ends[i] - start != b->queries[i].corners;
        start = b->ends[i];
    }
    for (uint32_t i = 0; i < count; i++)
        add_candidates(tets, b->queries[query[i]].tet, b->found + from[i],
                       b->ends[query[i]] - from[i], out);
    b->first = end;
}

// Compare the vertices of the first `groups` groups with the boxes of their queries.
static void compare_groups(const fracas_tets* tets, block* b, uint32_t groups,
                           frc_tets_narrow_phase* out) {
    const frc_sorted_points* sorted = &state_of(tets)->points;
    const uint32_t *keys = sorted->keys.data, *points = sorted->points.data;
    const u32x4 guard = u32x4_splat(FRC_KEY_GUARD), digits = u32x4_splat(FRC_KEY_DIGITS);
    uint32_t count = b->count;
    for (uint32_t i = 0; i < groups; i++) {
        const group g = b->groups[i];
        const cell_query* q = &b->queries[g.owner];
        // Along each axis: the offset from the low corner, modulo the window, is within the extent.
        const u32x4 offset =
            u32x4_and(u32x4_sub(u32x4_load(keys + g.first), u32x4_splat_at(&q->lo)), digits);
        const unsigned bits = m32x4_bits(
            u32x4_same(u32x4_and(u32x4_sub(u32x4_splat_at(&q->span), offset), guard), guard));
        count += u32x4_compress(b->found + count, u32x4_load(points + g.first), bits);
        b->ends[g.owner] = count;
        if (__builtin_expect(count > FOUND - 4, 0)) {
            // More groups of this query may follow, so four vertices need not be its corners.
            b->queries[g.owner].corners = 0;
            add_block(tets, b, g.owner + 1, out);
            b->first = g.owner;
            b->ends[g.owner] = count = 0;
        }
    }
    b->count = count;
}

// Make and compare groups of four vertices for all rows. Three groups of each row are written
// unconditionally; the count then includes them or not. The last group may extend beyond the row:
// vertices that are found there are in the box too, and are found again in their own row. Every
// query has at least one group.
static inline void find_groups(const fracas_tets* tets, block* b, uint32_t count,
                               const bool prefetch, frc_tets_narrow_phase* out) {
    const frc_sorted_points* points = &state_of(tets)->points;
    const frc_cell_table t = points->table;
    const size_t next_row = 2 * (size_t)t.size[0], layer = (size_t)t.size[0] * t.size[1];
    uint64_t candidates = 0, cells = 0;
    uint32_t groups = 0;
    for (uint32_t i = 0; i < count; i++) {
        const cell_query* q = &b->queries[i];
        const uint32_t* row = &points->starts.data[q->cell];
        const uint32_t x = q->x, rows = q->rows, all_y = q->y;
        const size_t next_layer = layer - (all_y - 1) * next_row;
        uint32_t y = all_y;
        cells += x * rows;
        for (uint32_t r = 0; r < rows; r++) {
            uint32_t at = row[0];
            const uint32_t unconditional = at + 4 * UNCONDITIONAL;
            const uint32_t end = row[x];
            candidates += end - at;
            if (prefetch) {
                __builtin_prefetch(&points->keys.data[at]);
                __builtin_prefetch(&points->points.data[at]);
            }
            b->groups[groups] = (group){at, i};
            groups += (end > at) | (r == 0);
            for (at += 4; at < unconditional; at += 4) {
                b->groups[groups] = (group){at, i};
                groups += end > at;
            }
            for (; __builtin_expect(at < end, 0); at += 4) {
                if (groups > GROUPS) compare_groups(tets, b, groups, out), groups = 0;
                b->groups[groups++] = (group){at, i};
            }
            if (__builtin_expect(groups > GROUPS, 0))
                compare_groups(tets, b, groups, out), groups = 0;
            const bool last = --y == 0;
            row += last ? next_layer : next_row;
            y = last ? all_y : y;
        }
    }
    compare_groups(tets, b, groups, out);
    out->candidates += candidates;
    out->cells += cells;
}

// Two copies of find_groups, not inlined: one function with both would run out of registers.
static __attribute__((noinline)) void find_cached(const fracas_tets* tets, block* b, uint32_t count,
                                                  frc_tets_narrow_phase* out) {
    find_groups(tets, b, count, false, out);
}

static __attribute__((noinline)) void find_prefetched(const fracas_tets* tets, block* b,
                                                      uint32_t count, frc_tets_narrow_phase* out) {
    find_groups(tets, b, count, true, out);
}

static void run_queries(const fracas_tets* tets, block* b, uint32_t* count, bool prefetch,
                        frc_tets_narrow_phase* out) {
    b->first = b->count = 0;
    (prefetch ? find_prefetched : find_cached)(tets, b, *count, out);
    add_block(tets, b, *count, out);
    *count = 0;
}

static uint32_t item_count(const fracas_tets* tets) { return (uint32_t)tets->tets.count; }

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end,
                 frc_tets_narrow_phase* out) {
    const bool prefetch = tets->vertices.count >= FRC_TETS_CACHED_VERTICES;
    const frc_sorted_points* points = &state_of(tets)->points;
    const frc_cell_table table = points->table;
    const frc_cell_axes lanes = frc_cell_axes_of(&table);
    const uint32_t corners = tets->repeated_count ? 0 : 4;
    block b;
    frc_unit_box boxes[BLOCK];
    while (begin < end) {
        const uint32_t size = end - begin < BLOCK ? end - begin : BLOCK;
        uint32_t count = 0;
        for (uint32_t i = 0; i < size; i++) boxes[i] = frc_unit_box_of(tets, begin + i);
        for (uint32_t i = 0; i < size; i++) {
            // Boxes cut into pieces may have filled the block.
            if (__builtin_expect(count > BLOCK, 0)) run_queries(tets, &b, &count, prefetch, out);
            cell_query* q = &b.queries[count];
            const uint32_t pieces = make_queries(&table, &lanes, &boxes[i], begin + i, corners, q);
            if (prefetch) {
                // The first rows of two layers. The address may be outside the table.
                const uintptr_t row = (uintptr_t)points->starts.data + (uintptr_t)q->cell * 4;
                const uintptr_t layer = (uintptr_t)table.size[0] * table.size[1] * 4;
                __builtin_prefetch((const void*)row);
                __builtin_prefetch((const void*)(row + layer));
            }
            count += pieces;
            if (__builtin_expect(!pieces, 0)) find_large(tets, &boxes[i], begin + i, out);
        }
        run_queries(tets, &b, &count, prefetch, out);
        begin += size;
    }
}

// In the paper cells of the mean edge length are best. Rows of sorted cells are faster with
// slightly smaller cells while the table of cells fits into a cache.
const frc_tets_method frc_tets_sorted_cells = {.state_size = sizeof(sorted_cells),
                                               .cell_factor = 0.875,
                                               .update = update,
                                               .item_count = item_count,
                                               .find = find,
                                               .release = release,
                                               .nearest = frc_surface_nearest};
