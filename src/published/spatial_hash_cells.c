/// @file spatial_hash_cells.c  The features of one cell, and their pairs.
///
/// The features that the triangles of a cell own are listed contiguously, in packets of four. Each
/// is compared with four at a time, as in leaves of trees (detect/leaf_pairs.h). A pair counts only
/// in the cell where the two together begin along all axes (grid/box_grid.h): one more comparison.
#include "block/simd_box.h"
#include "detect/box_test.h"
#include "detect/narrow_phase.h"
#include "detect/siblings.h"
#include "published/spatial_hash.h"
#include <math.h>

// ---- listing the features of a cell

static f32x4 low_of(const frc_box* b) { return f32x4_load(b->lo); }
static f32x4 high_of(const frc_box* b) { return f32x4_load(b->hi); }

// Write the boxes of the next feature of a list, around up to three points at each end.
static void put_boxes(const frc_hash* hash, frc_feature_list* list, const uint32_t* points,
                      int count) {
    frc_box* out = &list->boxes[(size_t)list->count * hash->ends];
    for (uint32_t e = 0; e < hash->ends; e++) {
        const int end = (int)(e + 2 - hash->ends);
        span all = span_of(hash->lows, end, points[0]);
        for (int i = 1; i < count; i++) all = span_both(all, span_of(hash->lows, end, points[i]));
        store_box(&out[e], span_box(all));
    }
}

static void list_face(const frc_hash* hash, frc_feature_list* list, const uint32_t point[3],
                      uint32_t id, uint32_t mark) {
    // At one end of the step the box of the triangle is the one in the grid. It has the same
    // layout, except for numbers that are not used here.
    _Static_assert(sizeof(frc_box) == sizeof(frc_grid_box), "the same layout");
    if (hash->ends == 1)
        memcpy(&list->boxes[list->count], &hash->boxes.data[id], sizeof *list->boxes);
    else
        put_boxes(hash, list, point, 3);
    list->faces[list->count] = (frc_face_slot){
        {point[0], point[1], point[2]},
        id
    };
    list->marks[list->count++] = mark;
}

static void list_edge(const frc_hash* hash, frc_feature_list* list, uint32_t a, uint32_t b,
                      uint32_t mark) {
    const frc_edge_slot edge = {
        {a < b ? a : b, a < b ? b : a}
    };
    put_boxes(hash, list, edge.point, 2);
    list->edges[list->count] = edge;
    list->marks[list->count++] = mark;
}

static void list_point(const frc_hash* hash, frc_feature_list* list, uint32_t point,
                       uint32_t mark) {
    put_boxes(hash, list, &point, 1);
    list->points[list->count] = point;
    list->marks[list->count++] = mark;
}

// Keep the last feature of a list only if its own box covers the cell: the box over the whole step,
// with its lower bound moved down by the reach as that of its owner. Set its mark from that box.
static void keep_or_drop(const frc_hash* hash, const frc_cell_scratch* scratch,
                         frc_feature_list* list) {
    const frc_box* own = &list->boxes[2 * (size_t)(list->count - 1)];
    const frc_cell_bounds* cell = &scratch->bounds;
    f32x4 lo = f32x4_min(low_of(&own[0]), low_of(&own[1]));
    f32x4 hi = f32x4_max(high_of(&own[0]), high_of(&own[1]));
    if (hash->reach > 0) {
        float low[4];
        f32x4_store(low, lo);
        for (int k = 0; k < 3; k++) low[k] = frc_round_down((double)low[k] - hash->reach);
        lo = f32x4_load(low);
    }
    const unsigned reaches = m32x4_bits(f32x4_le(f32x4_load(cell->lo), hi));
    const unsigned after = m32x4_bits(f32x4_le(f32x4_load(cell->hi), lo));
    const unsigned begins = m32x4_bits(f32x4_le(f32x4_load(cell->lo), lo));
    uint32_t* mark = &list->marks[list->count - 1];
    *mark = (*mark & FRC_GRID_OWN_LEVEL) | (begins & FRC_GRID_BEGINS);
    if ((reaches & ~after & 7) != 7) list->count--;
}

static void list_triangle(const frc_hash* hash, frc_cell_scratch* scratch, uint32_t id,
                          uint32_t mark) {
    const frc_triangle* t = &hash->world->topology->triangles.data[id];
    const uint32_t owned = hash->marks.data[id];
    if (hash->ends == 1) {
        const uint32_t n = scratch->faces.count;
        for (uint32_t k = 0; k < 3; k++)
            scratch->stars[n / 4].id[k][n % 4] =
                owned >> k & 1 ? t->point[k] : FRC_STAR_UNCERTIFIED | id;
        list_face(hash, &scratch->faces, t->point, id, mark);
        return;
    }
    list_face(hash, &scratch->faces, t->point, id, mark);
    for (uint32_t k = 0; k < 3; k++) {
        if (owned >> k & 1) {
            list_edge(hash, &scratch->edges, t->point[k], t->point[(k + 1) % 3], mark);
            keep_or_drop(hash, scratch, &scratch->edges);
        }
        if (owned >> (3 + k) & 1) {
            list_point(hash, &scratch->points, t->point[k], mark);
            keep_or_drop(hash, scratch, &scratch->points);
        }
    }
}

// List a free edge or point, among the features of triangles and in a list of its own.
static void list_free(const frc_hash* hash, frc_cell_scratch* scratch, uint32_t number,
                      uint32_t mark) {
    if (number < hash->free_edges.count) {
        const frc_edge* e = &hash->world->topology->edges.data[hash->free_edges.data[number]];
        if (hash->ends == 2) list_edge(hash, &scratch->edges, e->point[0], e->point[1], mark);
        list_edge(hash, &scratch->free_edges, e->point[0], e->point[1], mark);
        return;
    }
    const uint32_t point = hash->free_points.data[number - hash->free_edges.count];
    list_point(hash, &scratch->points, point, mark);
    list_point(hash, &scratch->free_points, point, mark);
}

// Transpose the boxes of a list into packets. Unused lanes get a box that overlaps nothing.
static void pack(frc_feature_list* list, uint32_t ends) {
    for (uint32_t first = 0; first < list->count; first += 4)
        for (uint32_t e = 0; e < ends; e++) {
            f32x4 lo[4], hi[4], rows[3];
            for (uint32_t i = 0; i < 4; i++) {
                const bool used = first + i < list->count;
                const frc_box* next = &list->boxes[(first + i) * (size_t)ends + e];
                lo[i] = used ? low_of(next) : f32x4_splat(NAN);
                hi[i] = used ? high_of(next) : f32x4_splat(NAN);
            }
            frc_box4* packet = &list->packets[first / 4 * (size_t)ends + e];
            f32x4_transpose3(lo, rows);
            for (int k = 0; k < 3; k++) f32x4_store(packet->lo[k], rows[k]);
            f32x4_transpose3(hi, rows);
            for (int k = 0; k < 3; k++) f32x4_store(packet->hi[k], rows[k]);
        }
}

static void list_entries(const frc_hash* hash, frc_cell_scratch* scratch,
                         const frc_grid_entry* entries, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const frc_grid_entry* e = &entries[i];
        if (e->item < hash->triangle_count)
            list_triangle(hash, scratch, e->item, e->mark);
        else
            list_free(hash, scratch, e->item - hash->triangle_count, e->mark);
    }
}

// List the features of the entries of the cell's own level, then of some entries of finer levels.
static void list_features(const frc_hash* hash, frc_cell_scratch* scratch,
                          const frc_grid_entry* entries, uint32_t own_level,
                          const frc_grid_entry* finer, uint32_t finer_count) {
    frc_feature_list* const lists[5] = {&scratch->faces, &scratch->edges, &scratch->points,
                                        &scratch->free_edges, &scratch->free_points};
    for (int i = 0; i < 5; i++) lists[i]->count = 0;
    list_entries(hash, scratch, entries, own_level);
    for (int i = 0; i < 5; i++) lists[i]->own_level = lists[i]->count;
    list_entries(hash, scratch, finer, finer_count);
    for (int i = 0; i < 5; i++) pack(lists[i], hash->ends);
}

// ---- comparing

enum { CHUNK = 32 };  // columns whose results fit in one word
_Static_assert((int)CHUNK <= (int)FRC_BATCH_MARGIN, "candidates between two flushes");

// Lanes whose pair with an entry of `mark` counts in this cell.
static inline m32x4 counted(uint32_t mark, const uint32_t* marks) {
    return u32x4_same(u32x4_or(u32x4_splat(mark), u32x4_load(marks)),
                      u32x4_splat(FRC_GRID_BEGINS | FRC_GRID_OWN_LEVEL));
}

// One row against columns [first, end) of a list, at most a chunk; first is a multiple of four.
static inline uint32_t overlaps_at_end(frc_detect_worker* worker, const frc_splat_box* p,
                                       uint32_t mark, const frc_feature_list* s, uint32_t first,
                                       uint32_t end) {
    lane_bits bits = lane_bits_none();
    for (uint32_t at = first; at < end; at += 4)
        bits = lane_bits_add(
            bits, m32x4_and(frc_overlap_mask(p, &s->packets[at / 4]), counted(mark, &s->marks[at])),
            (at - first) / 4);
    worker->statistics.box_pairs += (end - first + 3) / 4;
    return lane_bits_get(bits);
}

static inline uint32_t overlaps_over_step(frc_detect_worker* worker, const frc_moving_box* m,
                                          uint32_t mark, const frc_feature_list* s, uint32_t first,
                                          uint32_t end) {
    lane_bits bits = lane_bits_none();
    for (uint32_t at = first; at < end; at += 4)
        bits = lane_bits_add(bits,
                             m32x4_and(frc_moving_overlap_mask(m, &s->packets[at / 4 * 2]),
                                       counted(mark, &s->marks[at])),
                             (at - first) / 4);
    worker->statistics.box_pairs += (end - first + 3) / 4;
    return lane_bits_get(bits);
}

// For each chunk of columns [from, count) of list s that has a result, with the row's results in
// `bits`. The first and the last packet may have columns outside of [from, count): `within` clears
// them.
#define EACH_CHUNK(worker, overlaps, row, mark, s, from, count_, first, bits)                      \
    for (uint32_t first = (from) / 4 * 4, bits; first < (count_); first += CHUNK)                  \
        if ((bits = overlaps(worker, row, mark, s, first,                                          \
                             (count_)-first < CHUNK ? (count_) : first + CHUNK) &                  \
                    within(from, count_, first)))

static inline uint32_t within(uint32_t from, uint32_t count, uint32_t first) {
    uint32_t bits = ~(uint32_t)0;
    if (from > first) bits <<= from - first;
    if (count - first < CHUNK) bits &= ~(~(uint32_t)0 << (count - first));
    return bits;
}

static inline uint32_t body_of(const frc_detect_worker* worker, uint32_t point) {
    return worker->world->topology->points.data[point].tag[FRC_TAG_BODY];
}

// May the bodies that these points belong to collide?
static inline bool may_collide(const frc_cell_scratch* scratch, const frc_detect_worker* worker,
                               uint32_t a, uint32_t b) {
    return scratch->all_collide ||
           frc_bodies_can_collide(worker->world, body_of(worker, a), body_of(worker, b));
}

static bool must_stop(frc_detect_worker* worker, uint32_t turn) {
    if (turn % 64 == 63) frc_detect_cancelled(worker);
    return worker->cancelled || worker->out_of_memory;
}

static frc_moving_box row_moving(const frc_detect_worker* worker, const frc_feature_list* s,
                                 uint32_t row) {
    return frc_lane_moving_box(worker, &s->packets[row / 4 * 2], row % 4);
}

// Columns of a row. Rows of finer levels are paired only with columns of the cell's own level.
// after_row: the first column in the list of the row itself; first_for and columns_for: the range
// of columns in another list.
static inline uint32_t after_row(const frc_cell_scratch* scratch, const frc_feature_list* s,
                                 uint32_t row) {
    return scratch->finer_only ? s->own_level : row + 1;
}

static inline uint32_t first_for(const frc_cell_scratch* scratch, const frc_feature_list* rows,
                                 uint32_t row, const frc_feature_list* columns) {
    return scratch->finer_only && row < rows->own_level ? columns->own_level : 0;
}

static inline uint32_t columns_for(const frc_feature_list* rows, uint32_t row,
                                   const frc_feature_list* columns) {
    return row < rows->own_level ? columns->count : columns->own_level;
}

// ---- pairs at one end of the step

// Of the columns in `bits`, the triangles that share a corner with an embedded star with triangle
// `row`.
static inline uint32_t neighbour_bits(const frc_cell_scratch* scratch, uint32_t row, uint32_t first,
                                      uint32_t bits) {
    const frc_star4* a = &scratch->stars[row / 4];
    uint32_t found = 0;
    for (uint32_t group = 0; group < CHUNK / 4; group++) {
        if (!(bits >> (4 * group) & 15)) continue;
        const frc_star4* b = &scratch->stars[first / 4 + group];
        m32x4 common[3];
        for (int i = 0; i < 3; i++) {
            const u32x4 id = u32x4_splat_at(&a->id[i][row % 4]);
            common[i] = m32x4_or(m32x4_or(u32x4_same(id, u32x4_load(b->id[0])),
                                          u32x4_same(id, u32x4_load(b->id[1]))),
                                 u32x4_same(id, u32x4_load(b->id[2])));
        }
        found |= m32x4_bits(m32x4_or(m32x4_or(common[0], common[1]), common[2])) << (4 * group);
    }
    return found & bits;
}

static void pair_faces(const frc_cell_scratch* scratch, frc_detect_worker* worker) {
    const frc_feature_list* s = &scratch->faces;
    // Ignored pairs of siblings are counted one by one, so none may be left out before.
    const bool stars = worker->siblings != FRACAS_SIBLINGS_IGNORE || !worker->world->siblings;
    for (uint32_t i = 0; i < s->own_level && !must_stop(worker, i); i++) {
        frc_splat_box p = frc_lane_box(worker, &s->packets[i / 4], i % 4);
        const frc_face_slot* a = &s->faces[i];
        EACH_CHUNK(worker, overlaps_at_end, &p, s->marks[i], s, after_row(scratch, s, i), s->count,
                   first, bits) {
            uint32_t left = stars ? bits & ~neighbour_bits(scratch, i, first, bits) : bits;
            uint32_t start = worker->tt_count, n = start;
            worker->statistics.tt_candidates += (uint32_t)__builtin_popcount(bits ^ left);
            EACH_BIT(left, j) {
                const frc_face_slot* b = &s->faces[first + j];
                if (may_collide(scratch, worker, a->point[0], b->point[0]))
                    n = frc_put_tt(worker, n, a, b);
            }
            worker->tt_count = n;
            if (worker->world->siblings) frc_test_sibling_triangles(worker, start);
            frc_flush_candidates(worker, false);
        }
    }
}

static void pair_edges_faces(const frc_cell_scratch* scratch, frc_detect_worker* worker) {
    const frc_feature_list *e = &scratch->free_edges, *f = &scratch->faces;
    for (uint32_t i = 0; i < e->count && !must_stop(worker, i); i++) {
        frc_splat_box p = frc_lane_box(worker, &e->packets[i / 4], i % 4);
        EACH_CHUNK(worker, overlaps_at_end, &p, e->marks[i], f, first_for(scratch, e, i, f),
                   columns_for(e, i, f), first, bits) {
            EACH_BIT(bits, j)
            if (may_collide(scratch, worker, e->edges[i].point[0], f->faces[first + j].point[0]))
                frc_add_et(worker, &e->edges[i], &f->faces[first + j]);
            frc_flush_candidates(worker, false);
        }
    }
}

// ---- pairs over the step

static void pair_edges(const frc_cell_scratch* scratch, frc_detect_worker* worker) {
    const frc_feature_list* s = &scratch->edges;
    for (uint32_t i = 0; i < s->own_level && !must_stop(worker, i); i++) {
        frc_moving_box m = row_moving(worker, s, i);
        EACH_CHUNK(worker, overlaps_over_step, &m, s->marks[i], s, after_row(scratch, s, i),
                   s->count, first, bits) {
            uint32_t n = worker->ee_count;
            EACH_BIT(bits, j)
            if (may_collide(scratch, worker, s->edges[i].point[0], s->edges[first + j].point[0]))
                n = frc_put_ee(worker, n, &s->edges[i], &s->edges[first + j]);
            worker->ee_count = n;
            frc_flush_candidates(worker, false);
        }
    }
}

static void pair_points_faces(const frc_cell_scratch* scratch, frc_detect_worker* worker) {
    const frc_feature_list *v = &scratch->points, *f = &scratch->faces;
    for (uint32_t i = 0; i < v->count && !must_stop(worker, i); i++) {
        frc_moving_box m = row_moving(worker, v, i);
        EACH_CHUNK(worker, overlaps_over_step, &m, v->marks[i], f, first_for(scratch, v, i, f),
                   columns_for(v, i, f), first, bits) {
            uint32_t n = worker->vf_count;
            EACH_BIT(bits, j)
            if (may_collide(scratch, worker, v->points[i], f->faces[first + j].point[0]))
                n = frc_put_vf(worker, n, v->points[i], &f->faces[first + j]);
            worker->vf_count = n;
            frc_flush_candidates(worker, false);
        }
    }
}

static void pair_points_edges(const frc_cell_scratch* scratch, frc_detect_worker* worker) {
    const frc_feature_list *v = &scratch->free_points, *e = &scratch->free_edges;
    for (uint32_t i = 0; i < v->count && !must_stop(worker, i); i++) {
        frc_moving_box m = row_moving(worker, v, i);
        EACH_CHUNK(worker, overlaps_over_step, &m, v->marks[i], e, first_for(scratch, v, i, e),
                   columns_for(v, i, e), first, bits) {
            EACH_BIT(bits, j)
            if (may_collide(scratch, worker, v->points[i], e->edges[first + j].point[0]))
                frc_add_ve(worker, v->points[i], &e->edges[first + j]);
            frc_flush_candidates(worker, false);
        }
    }
}

static void pair_points(const frc_cell_scratch* scratch, frc_detect_worker* worker) {
    const frc_feature_list* s = &scratch->free_points;
    for (uint32_t i = 0; i < s->own_level && !must_stop(worker, i); i++) {
        frc_moving_box m = row_moving(worker, s, i);
        EACH_CHUNK(worker, overlaps_over_step, &m, s->marks[i], s, after_row(scratch, s, i),
                   s->count, first, bits) {
            EACH_BIT(bits, j)
            if (may_collide(scratch, worker, s->points[i], s->points[first + j]))
                frc_add_vv(worker, s->points[i], s->points[first + j]);
            frc_flush_candidates(worker, false);
        }
    }
}

// ---- cells

// Drop entries of finer levels that are outside of the box around all entries of the cell's own
// level. Returns the number of entries left.
static uint32_t drop_finer(const frc_hash* hash, frc_grid_entry* entries, uint32_t own_level,
                           uint32_t count) {
    const frc_grid_box* boxes = hash->boxes.data;
    uint32_t kept = own_level;
    f32x4 lo = f32x4_load(boxes[entries[0].item].lo), hi = f32x4_load(boxes[entries[0].item].hi);
    for (uint32_t i = 1; i < own_level; i++) {
        lo = f32x4_min(lo, f32x4_load(boxes[entries[i].item].lo));
        hi = f32x4_max(hi, f32x4_load(boxes[entries[i].item].hi));
    }
    for (uint32_t i = own_level; i < count; i++) {
        const frc_grid_box* other = &boxes[entries[i].item];
        const m32x4 overlap =
            m32x4_and(f32x4_le(lo, f32x4_load(other->hi)), f32x4_le(f32x4_load(other->lo), hi));
        if ((m32x4_bits(overlap) & 7) == 7) entries[kept++] = entries[i];
    }
    return kept;
}

enum { SLICE = 1024 };  // entries of finer levels that are listed at a time, at least

// The pairs of one cell. Entries of finer levels are listed in slices, each together with all
// entries of the cell's own level.
static void pair_cell(const frc_hash* hash, frc_cell_scratch* scratch, frc_detect_worker* worker,
                      uint32_t bucket, frc_grid_entry* entries, uint32_t count) {
    uint32_t own_level = 0;
    while (own_level < count && entries[own_level].mark & FRC_GRID_OWN_LEVEL) own_level++;
    if (own_level > 0 && own_level < count) count = drop_finer(hash, entries, own_level, count);
    // Features of one triangle share vertices, and two entries of finer levels never form a pair.
    if (count < 2 || own_level == 0) return;
    const uint32_t slice = own_level > SLICE ? own_level : SLICE;
    for (uint32_t from = own_level; from == own_level || from < count; from += slice) {
        const uint32_t finer = count - from < slice ? count - from : slice;
        if (must_stop(worker, 0)) return;
        if (!frc_cell_scratch_reserve(worker->world->context, hash, scratch, own_level + finer)) {
            worker->out_of_memory = true;
            return;
        }
        // After the reserve, which resets the bounds when it reallocates the scratch memory.
        if (hash->ends == 2)
            frc_box_grid_bounds(&hash->grid, bucket, entries[0].cell, &scratch->bounds);
        list_features(hash, scratch, entries, own_level, &entries[from], finer);
        scratch->finer_only = from > own_level;
        scratch->all_collide = hash->all_collide;
        if (hash->ends == 1) {
            pair_faces(scratch, worker);
            pair_edges_faces(scratch, worker);
        } else {
            pair_edges(scratch, worker);
            pair_points_faces(scratch, worker);
            pair_points_edges(scratch, worker);
            pair_points(scratch, worker);
        }
    }
}

// Prefetch the triangles of a bucket that is due soon.
static void prefetch_bucket(const frc_hash* hash, uint32_t bucket, uint32_t end) {
    enum { AHEAD = 4, MOST = 32 };
    if (bucket + AHEAD >= end) return;
    const uint32_t first = frc_box_grid_begin(&hash->grid, bucket + AHEAD);
    const uint32_t count = frc_box_grid_begin(&hash->grid, bucket + AHEAD + 1) - first;
    for (uint32_t i = 0; count > 1 && i < count && i < MOST; i++) {
        const uint32_t item = hash->grid.entries[first + i].item;
        if (item >= hash->triangle_count) continue;
        __builtin_prefetch(&hash->world->topology->triangles.data[item]);
        if (hash->ends == 1) __builtin_prefetch(&hash->boxes.data[item]);
    }
}

void frc_hash_find_pairs(frc_hash* hash, frc_detect_worker* worker, uint32_t begin, uint32_t end) {
    frc_cell_scratch* scratch = &hash->scratch[worker->task_worker->index];
    for (uint32_t b = begin; b < end && !must_stop(worker, b); b++) {
        const uint32_t begin_entry = frc_box_grid_begin(&hash->grid, b);
        const uint32_t count = frc_box_grid_begin(&hash->grid, b + 1) - begin_entry;
        prefetch_bucket(hash, b, end);
        if (count < 2) continue;
        // Several cells may share the bucket: sort the entries by cell.
        frc_grid_entry* entries = &hash->grid.entries[begin_entry];
        frc_box_grid_sort_bucket(entries, count);
        for (uint32_t first = 0, last; first < count; first = last) {
            for (last = first + 1; last < count && entries[last].cell == entries[first].cell;)
                last++;
            pair_cell(hash, scratch, worker, b, &entries[first], last - first);
        }
    }
}
