/// @file tets_teschner.c  Spatial hashing of tetrahedra as published, in two passes or in one.
///
/// Based on: teschner2003. Two passes: vertices are inserted into the table, then every tetrahedron
/// looks up all cells of its box. One pass: tetrahedra are inserted into all cells of their boxes,
/// and tetrahedra in one cell are compared: the vertices of each with the other. Deviations, and
/// why: a vertex of a tetrahedron is compared in its own cell only, so not again in every cell that
/// two tetrahedra share; a tetrahedron that covers very many cells does not look them up, but is
/// compared with all vertices, and is inserted into the cells of its corners only.
#include "published/tets_methods.h"
#include "tets/narrow_phase.h"
#include "tets/unit_box.h"
#include <string.h>

enum { MAX_CELLS = 4096 };  // that a tetrahedron in the table covers

static frc_teschner* state_of(const fracas_tets* tets) { return tets->method_state; }

static void cell_of_units(const int32_t at[4], int32_t cell[3]) {
    for (int k = 0; k < 3; k++) cell[k] = at[k] >> FRC_CELL_BITS;
}

typedef struct cell_box {
    frc_unit_box units;
    int32_t first[3], last[3];  // cells
    uint64_t cells;
} cell_box;

static inline cell_box box_of(const fracas_tets* tets, uint32_t tet) {
    cell_box b = {.units = frc_unit_box_of(tets, tet), .cells = 1};
    for (int k = 0; k < 3; k++) {
        b.first[k] = b.units.lo[k] >> FRC_CELL_BITS, b.last[k] = b.units.hi[k] >> FRC_CELL_BITS;
        b.cells *= (uint64_t)(b.last[k] - b.first[k]) + 1;
    }
    return b;
}

// The next cell of the box. False: that was the last one, and `cell` is the first again.
static bool next_cell(const cell_box* b, int32_t cell[3]) {
    for (int k = 0; k < 3; k++) {
        if (cell[k]++ < b->last[k]) return true;
        cell[k] = b->first[k];
    }
    return false;
}

static void test_all_vertices(const fracas_tets* tets, const cell_box* b, uint32_t tet,
                              frc_tets_narrow_phase* out) {
    out->candidates += tets->vertices.count;
    for (uint32_t v = 0; v < tets->vertices.count; v++)
        if (frc_unit_box_contains(&b->units, tets->units.data[v].at))
            frc_tets_add_candidate(out, v, tet);
}

// ---- update

// The default table has four buckets per vertex and an odd size.
static bool begin_table(fracas_tets* tets) {
    frc_teschner* s = state_of(tets);
    const uint64_t wanted = 4 * (uint64_t)tets->vertices.count + 63;
    const uint32_t chosen = (uint32_t)(wanted < UINT32_MAX / 2 ? wanted : UINT32_MAX / 2) | 1;
    return frc_hash_begin(tets->context, &s->table, s->table_size ? s->table_size : chosen,
                          s->function);
}

static bool reserve_entries(fracas_tets* tets) {
    frc_hash_table* table = &state_of(tets)->table;
    return table->entries.count < UINT32_MAX &&
           FRC_ARRAY_RESERVE(tets->context, &table->entries, table->entries.count);
}

static bool insert_vertices(fracas_tets* tets) {
    if (!begin_table(tets)) return false;
    frc_hash_table* table = &state_of(tets)->table;
    const uint32_t count = (uint32_t)tets->vertices.count;
    int32_t cell[3];
    for (uint32_t v = 0; v < count; v++) {
        cell_of_units(tets->units.data[v].at, cell);
        frc_hash_count(table, cell);
    }
    if (!reserve_entries(tets)) return false;
    for (uint32_t v = 0; v < count; v++) {
        cell_of_units(tets->units.data[v].at, cell);
        frc_hash_insert(table, cell, tets->units.data[v].at, v);
    }
    return true;
}

// Count a tetrahedron in a cell, or insert it there.
static void enter_cell(frc_hash_table* table, const int32_t cell[3], uint32_t tet,
                       bool only_count) {
    const int32_t at[3] = {cell[0] * (1 << FRC_CELL_BITS), cell[1] * (1 << FRC_CELL_BITS),
                           cell[2] * (1 << FRC_CELL_BITS)};
    if (only_count)
        frc_hash_count(table, cell);
    else
        frc_hash_insert(table, cell, at, tet);
}

// The same in every cell of its box; with very many of them, in those of its corners.
static void enter_tet(fracas_tets* tets, uint32_t tet, bool only_count) {
    frc_hash_table* table = &state_of(tets)->table;
    const cell_box b = box_of(tets, tet);
    int32_t cell[4][3];
    if (b.cells <= MAX_CELLS) {
        memcpy(cell[0], b.first, sizeof cell[0]);
        do enter_cell(table, cell[0], tet, only_count);
        while (next_cell(&b, cell[0]));
        return;
    }
    for (int i = 0; i < 4; i++) {
        bool entered = false;
        cell_of_units(tets->units.data[tets->tets.data[tet].corner[i]].at, cell[i]);
        for (int k = 0; k < i; k++)
            entered = entered || memcmp(cell[k], cell[i], sizeof cell[i]) == 0;
        if (!entered) enter_cell(table, cell[i], tet, only_count);
    }
}

static bool insert_tets(fracas_tets* tets) {
    if (!begin_table(tets)) return false;
    for (uint32_t t = 0; t < tets->tets.count; t++) enter_tet(tets, t, true);
    if (!reserve_entries(tets)) return false;
    for (uint32_t t = 0; t < tets->tets.count; t++) enter_tet(tets, t, false);
    return true;
}

static void release(fracas_tets* tets) { frc_hash_release(tets->context, &state_of(tets)->table); }

// ---- two passes: tetrahedra look up vertices

static uint32_t tet_count(const fracas_tets* tets) { return (uint32_t)tets->tets.count; }

// Find the vertices in one tetrahedron.
static void find_vertices(const fracas_tets* tets, uint32_t tet, frc_tets_narrow_phase* out) {
    const cell_box b = box_of(tets, tet);
    if (b.cells > MAX_CELLS) {
        test_all_vertices(tets, &b, tet, out);
        return;
    }
    const i32x4 lo = i32x4_load(b.units.lo), hi = i32x4_load(b.units.hi);
    const frc_tet_corners corners = tets->tets.data[tet];
    int32_t cell[4] = {b.first[0], b.first[1], b.first[2], 0};
    uint64_t candidates = 0;
    uint32_t found = out->count;
    do {
        uint32_t count;
        const frc_hash_entry* e = frc_hash_find(&state_of(tets)->table, cell, &count);
        const i32x4 here = i32x4_load(cell);
        candidates += count;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t v = (uint32_t)e[i].at[3];
            // Other cells may share the bucket.
            const i32x4 at = i32x4_load(e[i].at);
            const m32x4 in_box = i32x4_same(at, i32x4_min(i32x4_max(at, lo), hi));
            const m32x4 in_cell = i32x4_same(i32x4_down(at, FRC_CELL_BITS), here);
            const bool inside = (m32x4_bits(m32x4_and(in_box, in_cell)) & 7) == 7;
            out->vertices[found] = v, out->candidate_tets[found] = tet;
            found += inside & !frc_tet_has_corner(&corners, v);
            if (found < FRC_TETS_BATCH) continue;
            out->count = found;
            frc_tets_flush(out);
            found = 0;
        }
    } while (next_cell(&b, cell));
    out->count = found;
    out->cells += b.cells;
    out->candidates += candidates;
}

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end,
                 frc_tets_narrow_phase* out) {
    for (uint32_t t = begin; t < end; t++) find_vertices(tets, t, out);
}

const frc_tets_method frc_tets_teschner = {.state_size = sizeof(frc_teschner),
                                           .cell_factor = 1,
                                           .update = insert_vertices,
                                           .item_count = tet_count,
                                           .find = find,
                                           .release = release,
                                           .nearest = frc_surface_nearest};

// ---- one pass: tetrahedra look up tetrahedra

// The part of a box in one of its cells.
static frc_unit_box part_in_cell(const frc_unit_box* box, const int32_t cell[3]) {
    frc_unit_box part = *box;
    for (int k = 0; k < 3; k++) {
        const int32_t first = cell[k] * (1 << FRC_CELL_BITS),
                      last = first + (1 << FRC_CELL_BITS) - 1;
        if (part.lo[k] < first) part.lo[k] = first;
        if (part.hi[k] > last) part.hi[k] = last;
    }
    return part;
}

// Compare the vertices of the tetrahedra in one cell with `tet`.
static void find_in_cell(const fracas_tets* tets, const cell_box* b, const int32_t cell[4],
                         uint32_t tet, frc_tets_narrow_phase* out) {
    uint32_t count;
    const frc_hash_entry* e = frc_hash_find(&state_of(tets)->table, cell, &count);
    const frc_unit_box part = part_in_cell(&b->units, cell);
    const i32x4 here = i32x4_load(cell);
    out->candidates += 4 * (uint64_t)count;
    for (uint32_t i = 0; i < count; i++) {
        // Other cells may share the bucket.
        const i32x4 other = i32x4_down(i32x4_load(e[i].at), FRC_CELL_BITS);
        if ((m32x4_bits(i32x4_same(other, here)) & 7) != 7 || (uint32_t)e[i].at[3] == tet) continue;
        const frc_tet_corners* t = &tets->tets.data[e[i].at[3]];
        for (int k = 0; k < 4; k++)
            if (frc_unit_box_contains(&part, tets->units.data[t->corner[k]].at))
                frc_tets_add_candidate(out, t->corner[k], tet);
    }
}

static void find_one_pass(const fracas_tets* tets, uint32_t begin, uint32_t end,
                          frc_tets_narrow_phase* out) {
    for (uint32_t tet = begin; tet < end; tet++) {
        const cell_box b = box_of(tets, tet);
        if (b.cells > MAX_CELLS) {
            test_all_vertices(tets, &b, tet, out);
            continue;
        }
        int32_t cell[4] = {b.first[0], b.first[1], b.first[2], 0};
        do find_in_cell(tets, &b, cell, tet, out);
        while (next_cell(&b, cell));
        out->cells += b.cells;
    }
}

const frc_tets_method frc_tets_teschner_one_pass = {.state_size = sizeof(frc_teschner),
                                                    .cell_factor = 1,
                                                    .update = insert_tets,
                                                    .item_count = tet_count,
                                                    .find = find_one_pass,
                                                    .release = release,
                                                    .nearest = frc_surface_nearest};
