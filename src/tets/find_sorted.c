/// @file find_sorted.c  Vertices sorted by cell; each tetrahedron looks into the cells of its box.
///
/// Based on: teschner2003. Deviations, and why: cells stand in a table in which a row along x is
/// one range of vertices, so a tetrahedron looks at a few ranges and not at many buckets; every
/// vertex in a cell has a key of one word, of which four at a time are compared with the box. The
/// box in units and the keys are rounded by one monotone function: nothing within is lost.
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

// ---- boxes of a few cells

// The box as keys: where it begins, and how far it reaches.
typedef struct key_box {
    u32x4 lo, span;
} key_box;

static inline key_box key_box_of(const unit_box* box) {
    const uint32_t lo = frc_key_pack(box->lo[0], box->lo[1], box->lo[2]);
    const uint32_t hi = frc_key_pack(box->hi[0], box->hi[1], box->hi[2]) | FRC_KEY_GUARD;
    return (key_box){u32x4_splat(lo), u32x4_splat(((hi - lo) & FRC_KEY_DIGITS) | FRC_KEY_GUARD)};
}

// Along each axis: how far behind the beginning, counted round the window, is it within the reach?
static inline m32x4 within(const key_box* box, u32x4 keys) {
    const u32x4 guard = u32x4_splat(FRC_KEY_GUARD);
    const u32x4 behind = u32x4_and(u32x4_sub(keys, box->lo), u32x4_splat(FRC_KEY_DIGITS));
    return u32x4_same(u32x4_and(u32x4_sub(box->span, behind), guard), guard);
}

static inline void look_into(const frc_sorted_points* sorted, const key_box* box, uint32_t first,
                             uint32_t end, uint32_t tet, frc_catch* out) {
    out->candidates += end - first;
    for (; first < end; first += 4) {
        unsigned bits = m32x4_bits(within(box, u32x4_load(&sorted->keys.data[first])));
        if (end - first < 4) bits &= (1u << (end - first)) - 1;
        for (; bits; bits &= bits - 1)
            frc_catch_add(out, sorted->points.data[first + (uint32_t)__builtin_ctz(bits)], tet);
    }
}

// ---- boxes of many cells: units themselves are compared

static inline void look_at(const fracas_tets* tets, const unit_box* box, uint32_t v, uint32_t tet,
                           frc_catch* out) {
    const int32_t* at = tets->units.data[v].at;
    for (int k = 0; k < 3; k++)
        if (at[k] < box->lo[k] || at[k] > box->hi[k]) return;
    frc_catch_add(out, v, tet);
}

static void look_into_large(const fracas_tets* tets, const unit_box* box, uint32_t first,
                            uint32_t end, uint32_t tet, frc_catch* out) {
    out->candidates += end - first;
    for (; first < end; first++) look_at(tets, box, tets->sorted.points.data[first], tet, out);
}

// ---- rows of cells

typedef struct cell_box {
    frc_cell_span x, y, z;
} cell_box;

static void find_large(const fracas_tets* tets, const unit_box* box, const cell_box* cells,
                       uint32_t tet, frc_catch* out) {
    const frc_sorted_points* sorted = &tets->sorted;
    const uint64_t rows = (uint64_t)cells->y.count * cells->z.count;
    // More rows than vertices: those themselves are fewer.
    if (rows > tets->vertices.count) {
        out->candidates += tets->vertices.count;
        for (uint32_t v = 0; v < tets->vertices.count; v++) look_at(tets, box, v, tet, out);
        return;
    }
    const uint32_t all = sorted->table.mask[0] + 1;
    const uint32_t end = cells->x.from + cells->x.count;
    out->cells += rows * cells->x.count;
    for (uint32_t j = 0; j < cells->z.count; j++)
        for (uint32_t i = 0; i < cells->y.count; i++) {
            const uint32_t* row =
                sorted->starts.data + frc_cell_row(&sorted->table,
                                                   (cells->y.from + i) & sorted->table.mask[1],
                                                   (cells->z.from + j) & sorted->table.mask[2]);
            look_into_large(tets, box, row[cells->x.from], row[end < all ? end : all], tet, out);
            if (end > all) look_into_large(tets, box, row[0], row[end - all], tet, out);
        }
}

static void find_small(const fracas_tets* tets, const unit_box* box, const cell_box* cells,
                       uint32_t tet, frc_catch* out) {
    const frc_sorted_points* sorted = &tets->sorted;
    const key_box keys = key_box_of(box);
    const uint32_t all = sorted->table.mask[0] + 1;
    const uint32_t end = cells->x.from + cells->x.count;
    out->cells += (uint64_t)cells->x.count * cells->y.count * cells->z.count;
    for (uint32_t j = 0; j < cells->z.count; j++)
        for (uint32_t i = 0; i < cells->y.count; i++) {
            const uint32_t* row =
                sorted->starts.data + frc_cell_row(&sorted->table,
                                                   (cells->y.from + i) & sorted->table.mask[1],
                                                   (cells->z.from + j) & sorted->table.mask[2]);
            look_into(sorted, &keys, row[cells->x.from], row[end < all ? end : all], tet, out);
            if (end > all) look_into(sorted, &keys, row[0], row[end - all], tet, out);
        }
}

static void find_one(const fracas_tets* tets, uint32_t tet, frc_catch* out) {
    const unit_box box = box_of(tets, tet);
    int32_t first[3], last[3];
    int32_t longest = 0;
    for (int k = 0; k < 3; k++) {
        first[k] = frc_cell_of(box.lo[k]), last[k] = frc_cell_of(box.hi[k]);
        longest = last[k] - first[k] > longest ? last[k] - first[k] : longest;
    }
    const frc_cell_table* t = &tets->sorted.table;
    const cell_box cells = {frc_cell_span_of(t, 0, first[0], last[0]),
                            frc_cell_span_of(t, 1, first[1], last[1]),
                            frc_cell_span_of(t, 2, first[2], last[2])};
    if (longest < FRC_KEY_WINDOW - 1)
        find_small(tets, &box, &cells, tet, out);
    else
        find_large(tets, &box, &cells, tet, out);
}

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end, frc_catch* out) {
    for (uint32_t t = begin; t < end; t++) find_one(tets, t, out);
}

const frc_tets_finder frc_tets_sorted = {prepare, items, find, release};
