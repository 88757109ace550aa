/// @file find_teschner.c  A hash table of cells, in two passes or in one.
///
/// Based on: teschner2003. Two passes: vertices go into the table, then every tetrahedron looks
/// into all cells of its box. One pass: tetrahedra go into all cells of their boxes, and vertices
/// look into their own. The table itself is in grid/hash_table.h; what is found is tested against
/// the box and decided as by any other method. Tetrahedra of very many cells are not put into the
/// table, and do not look into it: they are compared with all vertices.
#include "tets/catch.h"
#include "tets/unit_box.h"

enum { MOST_CELLS = 4096 };

// The size of the table: given, or four buckets for each vertex, and no multiple of small numbers.
static uint32_t table_size(const fracas_tets* tets) {
    if (tets->options.table_size) return tets->options.table_size;
    const uint64_t wanted = 4 * (uint64_t)tets->vertices.count + 63;
    return (uint32_t)(wanted < UINT32_MAX / 2 ? wanted : UINT32_MAX / 2) | 1;
}

static void cell_of_units(const int32_t at[4], int32_t cell[3]) {
    for (int k = 0; k < 3; k++) cell[k] = at[k] >> FRC_CELL_BITS;
}

typedef struct box {
    frc_unit_box units;
    int32_t first[3], last[3];  // cells
    uint64_t cells;
} box;

static inline box box_of(const fracas_tets* tets, uint32_t tet) {
    box b = {.units = frc_unit_box_of(tets, tet), .cells = 1};
    for (int k = 0; k < 3; k++) {
        b.first[k] = b.units.lo[k] >> FRC_CELL_BITS, b.last[k] = b.units.hi[k] >> FRC_CELL_BITS;
        b.cells *= (uint64_t)(b.last[k] - b.first[k]) + 1;
    }
    return b;
}

static bool next_cell(const box* b, int32_t cell[3]) {
    for (int k = 0; k < 3; k++) {
        if (cell[k]++ < b->last[k]) return true;
        cell[k] = b->first[k];
    }
    return false;
}

static void look_at(const fracas_tets* tets, const box* b, uint32_t v, uint32_t tet,
                    frc_catch* out) {
    if (frc_unit_box_has(&b->units, tets->units.data[v].at)) frc_catch_add(out, v, tet);
}

static void look_at_all(const fracas_tets* tets, const box* b, uint32_t tet, frc_catch* out) {
    out->candidates += tets->vertices.count;
    for (uint32_t v = 0; v < tets->vertices.count; v++) look_at(tets, b, v, tet, out);
}

// ---- into the table

static bool make_room(fracas_tets* tets) {
    const size_t count = tets->hash.entries.count;
    return count < UINT32_MAX && FRC_ARRAY_RESERVE(tets->context, &tets->hash.entries, count);
}

static bool put_vertices(fracas_tets* tets) {
    const uint32_t count = (uint32_t)tets->vertices.count;
    int32_t cell[3];
    for (uint32_t v = 0; v < count; v++) {
        cell_of_units(tets->units.data[v].at, cell);
        frc_hash_count(&tets->hash, cell);
    }
    if (!make_room(tets)) return false;
    for (uint32_t v = 0; v < count; v++) {
        cell_of_units(tets->units.data[v].at, cell);
        frc_hash_put(&tets->hash, cell, tets->units.data[v].at, v);
    }
    return true;
}

// Count, or put, a tetrahedron into every cell of its box.
static void enter(fracas_tets* tets, uint32_t tet, bool only_count) {
    const box b = box_of(tets, tet);
    if (b.cells > MOST_CELLS) return;
    int32_t cell[3] = {b.first[0], b.first[1], b.first[2]};
    do {
        const int32_t at[3] = {cell[0] * (1 << FRC_CELL_BITS), cell[1] * (1 << FRC_CELL_BITS),
                               cell[2] * (1 << FRC_CELL_BITS)};
        if (only_count)
            frc_hash_count(&tets->hash, cell);
        else
            frc_hash_put(&tets->hash, cell, at, tet);
    } while (next_cell(&b, cell));
}

static bool put_tets(fracas_tets* tets) {
    for (uint32_t t = 0; t < tets->tets.count; t++) enter(tets, t, true);
    if (!make_room(tets)) return false;
    for (uint32_t t = 0; t < tets->tets.count; t++) enter(tets, t, false);
    return true;
}

static bool prepare(fracas_tets* tets) {
    static const frc_hash_function functions[] = {FRC_HASH_XOR, FRC_HASH_ADD, FRC_HASH_ROTATE};
    return frc_hash_begin(tets->context, &tets->hash, table_size(tets),
                          functions[tets->options.hash]) &&
           (tets->options.one_pass ? put_tets(tets) : put_vertices(tets));
}

static void release(fracas_tets* tets) { frc_hash_release(tets->context, &tets->hash); }

// ---- out of the table

// Entries of a bucket that are in a cell.
static inline bool is_in_cell(const frc_hash_entry* e, i32x4 cell) {
    const i32x4 of = i32x4_down(i32x4_load(e->at), FRC_CELL_BITS);
    return (m32x4_bits(i32x4_same(of, cell)) & 7) == 7;
}

static inline bool is_in_box(const frc_hash_entry* e, i32x4 lo, i32x4 hi, i32x4 cell) {
    const i32x4 v = i32x4_load(e->at);
    const m32x4 in_box = i32x4_same(v, i32x4_min(i32x4_max(v, lo), hi));
    const m32x4 in_cell = i32x4_same(i32x4_down(v, FRC_CELL_BITS), cell);
    return (m32x4_bits(m32x4_and(in_box, in_cell)) & 7) == 7;
}

static void find_one(const fracas_tets* tets, uint32_t tet, frc_catch* out) {
    const box b = box_of(tets, tet);
    if (b.cells > MOST_CELLS) {
        look_at_all(tets, &b, tet, out);
        return;
    }
    const i32x4 lo = i32x4_load(b.units.lo), hi = i32x4_load(b.units.hi);
    const frc_tet_corners corners = tets->tets.data[tet];
    int32_t cell[4] = {b.first[0], b.first[1], b.first[2], 0};
    uint64_t candidates = 0;
    uint32_t found = out->count;
    do {
        uint32_t count;
        const frc_hash_entry* e = frc_hash_find(&tets->hash, cell, &count);
        const i32x4 here = i32x4_load(cell);
        candidates += count;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t v = (uint32_t)e[i].at[3];
            out->vertices[found] = v, out->on[found] = tet;
            found += is_in_box(&e[i], lo, hi, here) & !frc_is_corner(&corners, v);
            if (found < FRC_CATCH_BATCH) continue;
            out->count = found;
            frc_catch_flush(out);
            found = 0;
        }
    } while (next_cell(&b, cell));
    out->count = found;
    out->cells += b.cells;
    out->candidates += candidates;
}

static void find_vertex(const fracas_tets* tets, uint32_t v, frc_catch* out) {
    int32_t cell[4] = {0};
    uint32_t count;
    cell_of_units(tets->units.data[v].at, cell);
    const frc_hash_entry* e = frc_hash_find(&tets->hash, cell, &count);
    const i32x4 here = i32x4_load(cell);
    out->cells++;
    out->candidates += count;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_in_cell(&e[i], here)) continue;
        const uint32_t tet = (uint32_t)e[i].at[3];
        const frc_unit_box units = frc_unit_box_of(tets, tet);
        if (frc_unit_box_has(&units, tets->units.data[v].at)) frc_catch_add(out, v, tet);
    }
}

// One pass: vertices, and then the tetrahedra that are in no cell.
static uint32_t items(const fracas_tets* tets) {
    const size_t count = tets->tets.count;
    return (uint32_t)(tets->options.one_pass && tets->vertices.count > count ? tets->vertices.count
                                                                             : count);
}

static void find_in_one_pass(const fracas_tets* tets, uint32_t i, frc_catch* out) {
    if (i < tets->vertices.count) find_vertex(tets, i, out);
    if (i >= tets->tets.count) return;
    const box b = box_of(tets, i);
    if (b.cells > MOST_CELLS) look_at_all(tets, &b, i, out);
}

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end, frc_catch* out) {
    for (uint32_t i = begin; i < end; i++) {
        if (tets->options.one_pass)
            find_in_one_pass(tets, i, out);
        else
            find_one(tets, i, out);
    }
}

const frc_tets_finder frc_tets_teschner = {
    .prepare = prepare, .items = items, .find = find, .release = release};
