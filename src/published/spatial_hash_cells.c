/// @file spatial_hash_cells.c  The features of one cell, and their pairs.
///
/// The features that the triangles of a cell bring along are laid side by side, in fours, and every
/// one is compared with four at a time, as in leaves of trees (traverse.c). A pair counts where the
/// two together begin along all axes (grid/box_grid.h): one more comparison.
#include "bvh/register_box.h"
#include "detect/probe.h"
#include "published/spatial_hash.h"
#include <math.h>

// Which of four triangles have a settled corner in common with triangle `lane` of four others.
static inline m32x4 star_in_common(const frc_star4* a, uint32_t lane, const frc_star4* b) {
    m32x4 common[3];
    for (int i = 0; i < 3; i++) {
        const u32x4 id = u32x4_splat_at(&a->id[i][lane]);
        common[i] = m32x4_or(
            m32x4_or(u32x4_same(id, u32x4_load(b->id[0])), u32x4_same(id, u32x4_load(b->id[1]))),
            u32x4_same(id, u32x4_load(b->id[2])));
    }
    return m32x4_or(m32x4_or(common[0], common[1]), common[2]);
}

// ---- laying out

static f32x4 low_of(const frc_box* b) { return f32x4_load(b->lo); }
static f32x4 high_of(const frc_box* b) { return f32x4_load(b->hi); }

// The next feature of a shelf: its box around up to three points, at each end.
static void lay_boxes(const frc_hash* hash, frc_shelf* shelf, const uint32_t* points, int count) {
    frc_box* out = &shelf->boxes[(size_t)shelf->count * hash->ends];
    for (uint32_t e = 0; e < hash->ends; e++) {
        const int end = (int)(e + 2 - hash->ends);
        span all = span_of(hash->lows, end, points[0]);
        for (int i = 1; i < count; i++) all = span_both(all, span_of(hash->lows, end, points[i]));
        store_box(&out[e], span_box(all));
    }
}

static void lay_face(const frc_hash* hash, frc_shelf* shelf, const uint32_t point[3], uint32_t id,
                     uint32_t mark) {
    // At rest nothing is added to the box that was entered. It has the same form, but for numbers
    // that nobody looks at.
    _Static_assert(sizeof(frc_box) == sizeof(frc_grid_box), "the same form");
    if (hash->ends == 1)
        memcpy(&shelf->boxes[shelf->count], &hash->boxes.data[id], sizeof *shelf->boxes);
    else
        lay_boxes(hash, shelf, point, 3);
    shelf->faces[shelf->count] = (frc_face_slot){
        {point[0], point[1], point[2]},
        id
    };
    shelf->marks[shelf->count++] = mark;
}

static void lay_edge(const frc_hash* hash, frc_shelf* shelf, uint32_t a, uint32_t b,
                     uint32_t mark) {
    const frc_edge_slot edge = {
        {a < b ? a : b, a < b ? b : a}
    };
    lay_boxes(hash, shelf, edge.point, 2);
    shelf->edges[shelf->count] = edge;
    shelf->marks[shelf->count++] = mark;
}

static void lay_point(const frc_hash* hash, frc_shelf* shelf, uint32_t point, uint32_t mark) {
    lay_boxes(hash, shelf, &point, 1);
    shelf->points[shelf->count] = point;
    shelf->marks[shelf->count++] = mark;
}

// The last feature of a shelf stays when its own box, over the whole step and moved down by the
// reach as its owner's is, covers the cell; it then has a mark of its own.
static void keep_or_drop(const frc_hash* hash, const frc_hash_room* room, frc_shelf* shelf) {
    const frc_box* own = &shelf->boxes[2 * (size_t)(shelf->count - 1)];
    const frc_cell_bounds* cell = &room->bounds;
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
    uint32_t* mark = &shelf->marks[shelf->count - 1];
    *mark = (*mark & FRC_GRID_HOME) | (begins & FRC_GRID_BEGINS);
    if ((reaches & ~after & 7) != 7) shelf->count--;
}

static void lay_triangle(const frc_hash* hash, frc_hash_room* room, uint32_t id, uint32_t mark) {
    const frc_triangle* t = &hash->world->topology->triangles.data[id];
    const uint32_t owned = hash->marks.data[id];
    if (hash->ends == 1) {
        const uint32_t n = room->faces.count;
        for (uint32_t k = 0; k < 3; k++)
            room->stars[n / 4].id[k][n % 4] = owned >> k & 1 ? t->point[k] : FRC_STAR_OPEN | id;
        lay_face(hash, &room->faces, t->point, id, mark);
        return;
    }
    lay_face(hash, &room->faces, t->point, id, mark);
    for (uint32_t k = 0; k < 3; k++) {
        if (owned >> k & 1) {
            lay_edge(hash, &room->edges, t->point[k], t->point[(k + 1) % 3], mark);
            keep_or_drop(hash, room, &room->edges);
        }
        if (owned >> (3 + k) & 1) {
            lay_point(hash, &room->points, t->point[k], mark);
            keep_or_drop(hash, room, &room->points);
        }
    }
}

// Free elements stand among the others, and on shelves of their own.
static void lay_free(const frc_hash* hash, frc_hash_room* room, uint32_t number, uint32_t mark) {
    if (number < hash->free_edges.count) {
        const frc_edge* e = &hash->world->topology->edges.data[hash->free_edges.data[number]];
        if (hash->ends == 2) lay_edge(hash, &room->edges, e->point[0], e->point[1], mark);
        lay_edge(hash, &room->free_edges, e->point[0], e->point[1], mark);
        return;
    }
    const uint32_t point = hash->free_points.data[number - hash->free_edges.count];
    lay_point(hash, &room->points, point, mark);
    lay_point(hash, &room->free_points, point, mark);
}

// Four boxes at a time. Lanes after the last get a box that meets nothing.
static void pack(frc_shelf* shelf, uint32_t ends) {
    for (uint32_t first = 0; first < shelf->count; first += 4)
        for (uint32_t e = 0; e < ends; e++) {
            f32x4 lo[4], hi[4], rows[3];
            for (uint32_t i = 0; i < 4; i++) {
                const bool there = first + i < shelf->count;
                const frc_box* next = &shelf->boxes[(first + i) * (size_t)ends + e];
                lo[i] = there ? low_of(next) : f32x4_splat(NAN);
                hi[i] = there ? high_of(next) : f32x4_splat(NAN);
            }
            frc_box4* packet = &shelf->packets[first / 4 * (size_t)ends + e];
            f32x4_transpose3(lo, rows);
            for (int k = 0; k < 3; k++) f32x4_store(packet->lo[k], rows[k]);
            f32x4_transpose3(hi, rows);
            for (int k = 0; k < 3; k++) f32x4_store(packet->hi[k], rows[k]);
        }
}

static void lay_entries(const frc_hash* hash, frc_hash_room* room, const frc_grid_entry* entries,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const frc_grid_entry* e = &entries[i];
        if (e->item < hash->triangle_count)
            lay_triangle(hash, room, e->item, e->mark);
        else
            lay_free(hash, room, e->item - hash->triangle_count, e->mark);
    }
}

// Those at home, then some guests.
static void lay_out(const frc_hash* hash, frc_hash_room* room, const frc_grid_entry* entries,
                    uint32_t home, const frc_grid_entry* guests, uint32_t guest_count) {
    frc_shelf* const shelves[5] = {&room->faces, &room->edges, &room->points, &room->free_edges,
                                   &room->free_points};
    for (int i = 0; i < 5; i++) shelves[i]->count = 0;
    lay_entries(hash, room, entries, home);
    for (int i = 0; i < 5; i++) shelves[i]->home = shelves[i]->count;
    lay_entries(hash, room, guests, guest_count);
    for (int i = 0; i < 5; i++) pack(shelves[i], hash->ends);
}

// ---- comparing

enum { CHUNK = 32 };  // columns whose answers are one number
_Static_assert((int)CHUNK <= (int)FRC_BATCH_ROOM, "candidates between two flushes");

// Where a pair counts.
static inline m32x4 counted(uint32_t mark, const uint32_t* marks) {
    return u32x4_same(u32x4_or(u32x4_splat(mark), u32x4_load(marks)),
                      u32x4_splat(FRC_GRID_BEGINS | FRC_GRID_HOME));
}

// One row against columns [first, end) of a shelf, at most a chunk; first is a multiple of four.
static inline uint32_t meet_resting_row(frc_walk* walk, const probe* p, uint32_t mark,
                                        const frc_shelf* s, uint32_t first, uint32_t end) {
    lane_bits bits = lane_bits_none();
    for (uint32_t at = first; at < end; at += 4)
        bits = lane_bits_add(
            bits, m32x4_and(overlap_mask(p, &s->packets[at / 4]), counted(mark, &s->marks[at])),
            (at - first) / 4);
    walk->statistics.box_pairs += (end - first + 3) / 4;
    return lane_bits_get(bits);
}

static inline uint32_t meet_moving_row(frc_walk* walk, const moving* m, uint32_t mark,
                                       const frc_shelf* s, uint32_t first, uint32_t end) {
    lane_bits bits = lane_bits_none();
    for (uint32_t at = first; at < end; at += 4)
        bits = lane_bits_add(
            bits, m32x4_and(moving_mask(m, &s->packets[at / 4 * 2]), counted(mark, &s->marks[at])),
            (at - first) / 4);
    walk->statistics.box_pairs += (end - first + 3) / 4;
    return lane_bits_get(bits);
}

// For each chunk of columns [from, count) of shelf s, with the row's answers in `bits`; columns
// before `from` and from `count` on, which share packets with others, are left out.
#define EACH_CHUNK(walk, meet, row, mark, s, from, count_, first, bits)                            \
    for (uint32_t first = (from) / 4 * 4, bits; first < (count_); first += CHUNK)                  \
        if ((bits = meet(walk, row, mark, s, first,                                                \
                         (count_)-first < CHUNK ? (count_) : first + CHUNK) &                      \
                    within(from, count_, first)))

static inline uint32_t within(uint32_t from, uint32_t count, uint32_t first) {
    uint32_t bits = ~(uint32_t)0;
    if (from > first) bits <<= from - first;
    if (count - first < CHUNK) bits &= ~(~(uint32_t)0 << (count - first));
    return bits;
}

static inline uint32_t body_of(const frc_walk* walk, uint32_t point) {
    return walk->world->topology->points.data[point].tag[FRC_TAG_BODY];
}

// May bodies that these points belong to meet?
static inline bool may_meet(const frc_hash_room* room, const frc_walk* walk, uint32_t a,
                            uint32_t b) {
    return room->all_meet || frc_bodies_meet(walk->world, body_of(walk, a), body_of(walk, b));
}

static bool must_stop(frc_walk* walk, uint32_t turn) {
    if (turn % 64 == 63) frc_walk_must_stop(walk);
    return walk->cancelled || walk->out_of_memory;
}

static moving row_moving(const frc_walk* walk, const frc_shelf* s, uint32_t row) {
    return lane_moving(walk, &s->packets[row / 4 * 2], row % 4);
}

// The first column for a row of the same shelf, and for a row of another one. Rows that are guests
// meet only columns that are at home.
static inline uint32_t after_row(const frc_hash_room* room, const frc_shelf* s, uint32_t row) {
    return room->guests_alone ? s->home : row + 1;
}

static inline uint32_t first_for(const frc_hash_room* room, const frc_shelf* rows, uint32_t row,
                                 const frc_shelf* columns) {
    return room->guests_alone && row < rows->home ? columns->home : 0;
}

static inline uint32_t columns_for(const frc_shelf* rows, uint32_t row, const frc_shelf* columns) {
    return row < rows->home ? columns->count : columns->home;
}

// ---- at rest

static inline uint32_t neighbour_bits(const frc_hash_room* room, uint32_t row, uint32_t first,
                                      uint32_t bits) {
    uint32_t found = 0;
    for (uint32_t group = 0; group < CHUNK / 4; group++)
        if (bits >> (4 * group) & 15)
            found |= m32x4_bits(star_in_common(&room->stars[row / 4], row % 4,
                                               &room->stars[first / 4 + group]))
                     << (4 * group);
    return found & bits;
}

static void pair_faces(const frc_hash_room* room, frc_walk* walk) {
    const frc_shelf* s = &room->faces;
    // Where siblings are ignored each pair of them is counted.
    const bool stars = walk->siblings != FRACAS_SIBLINGS_IGNORE || !walk->world->siblings;
    for (uint32_t i = 0; i < s->home && !must_stop(walk, i); i++) {
        probe p = lane_probe(walk, &s->packets[i / 4], i % 4);
        const frc_face_slot* a = &s->faces[i];
        EACH_CHUNK(walk, meet_resting_row, &p, s->marks[i], s, after_row(room, s, i), s->count,
                   first, bits) {
            uint32_t left = stars ? bits & ~neighbour_bits(room, i, first, bits) : bits;
            uint32_t start = walk->tt_count, n = start;
            walk->statistics.tt_candidates += (uint32_t)__builtin_popcount(bits ^ left);
            EACH_BIT(left, j) {
                const frc_face_slot* b = &s->faces[first + j];
                if (may_meet(room, walk, a->point[0], b->point[0])) n = frc_put_tt(walk, n, a, b);
            }
            walk->tt_count = n;
            if (walk->world->siblings) frc_check_kin_tt(walk, start);
            frc_walk_flush(walk, false);
        }
    }
}

static void pair_edges_faces(const frc_hash_room* room, frc_walk* walk) {
    const frc_shelf *e = &room->free_edges, *f = &room->faces;
    for (uint32_t i = 0; i < e->count && !must_stop(walk, i); i++) {
        probe p = lane_probe(walk, &e->packets[i / 4], i % 4);
        EACH_CHUNK(walk, meet_resting_row, &p, e->marks[i], f, first_for(room, e, i, f),
                   columns_for(e, i, f), first, bits) {
            EACH_BIT(bits, j)
            if (may_meet(room, walk, e->edges[i].point[0], f->faces[first + j].point[0]))
                frc_add_et(walk, &e->edges[i], &f->faces[first + j]);
            frc_walk_flush(walk, false);
        }
    }
}

// ---- moving

static void pair_edges(const frc_hash_room* room, frc_walk* walk) {
    const frc_shelf* s = &room->edges;
    for (uint32_t i = 0; i < s->home && !must_stop(walk, i); i++) {
        moving m = row_moving(walk, s, i);
        EACH_CHUNK(walk, meet_moving_row, &m, s->marks[i], s, after_row(room, s, i), s->count,
                   first, bits) {
            uint32_t n = walk->ee_count;
            EACH_BIT(bits, j)
            if (may_meet(room, walk, s->edges[i].point[0], s->edges[first + j].point[0]))
                n = frc_put_ee(walk, n, &s->edges[i], &s->edges[first + j]);
            walk->ee_count = n;
            frc_walk_flush(walk, false);
        }
    }
}

static void pair_points_faces(const frc_hash_room* room, frc_walk* walk) {
    const frc_shelf *v = &room->points, *f = &room->faces;
    for (uint32_t i = 0; i < v->count && !must_stop(walk, i); i++) {
        moving m = row_moving(walk, v, i);
        EACH_CHUNK(walk, meet_moving_row, &m, v->marks[i], f, first_for(room, v, i, f),
                   columns_for(v, i, f), first, bits) {
            uint32_t n = walk->vf_count;
            EACH_BIT(bits, j)
            if (may_meet(room, walk, v->points[i], f->faces[first + j].point[0]))
                n = frc_put_vf(walk, n, v->points[i], &f->faces[first + j]);
            walk->vf_count = n;
            frc_walk_flush(walk, false);
        }
    }
}

static void pair_points_edges(const frc_hash_room* room, frc_walk* walk) {
    const frc_shelf *v = &room->free_points, *e = &room->free_edges;
    for (uint32_t i = 0; i < v->count && !must_stop(walk, i); i++) {
        moving m = row_moving(walk, v, i);
        EACH_CHUNK(walk, meet_moving_row, &m, v->marks[i], e, first_for(room, v, i, e),
                   columns_for(v, i, e), first, bits) {
            EACH_BIT(bits, j)
            if (may_meet(room, walk, v->points[i], e->edges[first + j].point[0]))
                frc_add_ve(walk, v->points[i], &e->edges[first + j]);
            frc_walk_flush(walk, false);
        }
    }
}

static void pair_points(const frc_hash_room* room, frc_walk* walk) {
    const frc_shelf* s = &room->free_points;
    for (uint32_t i = 0; i < s->home && !must_stop(walk, i); i++) {
        moving m = row_moving(walk, s, i);
        EACH_CHUNK(walk, meet_moving_row, &m, s->marks[i], s, after_row(room, s, i), s->count,
                   first, bits) {
            EACH_BIT(bits, j)
            if (may_meet(room, walk, s->points[i], s->points[first + j]))
                frc_add_vv(walk, s->points[i], s->points[first + j]);
            frc_walk_flush(walk, false);
        }
    }
}

// ---- cells

static void pair_shelves(const frc_hash* hash, const frc_hash_room* room, frc_walk* walk) {
    if (hash->ends == 1) {
        pair_faces(room, walk);
        pair_edges_faces(room, walk);
        return;
    }
    pair_edges(room, walk);
    pair_points_faces(room, walk);
    pair_points_edges(room, walk);
    pair_points(room, walk);
}

// Guests that meet nobody who is at home leave. Returns how many entries stay.
static uint32_t dismiss_guests(const frc_hash* hash, frc_grid_entry* entries, uint32_t home,
                               uint32_t count) {
    const frc_grid_box* boxes = hash->boxes.data;
    uint32_t kept = home;
    f32x4 lo = f32x4_load(boxes[entries[0].item].lo), hi = f32x4_load(boxes[entries[0].item].hi);
    for (uint32_t i = 1; i < home; i++) {
        lo = f32x4_min(lo, f32x4_load(boxes[entries[i].item].lo));
        hi = f32x4_max(hi, f32x4_load(boxes[entries[i].item].hi));
    }
    for (uint32_t i = home; i < count; i++) {
        const frc_grid_box* other = &boxes[entries[i].item];
        const m32x4 meet =
            m32x4_and(f32x4_le(lo, f32x4_load(other->hi)), f32x4_le(f32x4_load(other->lo), hi));
        if ((m32x4_bits(meet) & 7) == 7) entries[kept++] = entries[i];
    }
    return kept;
}

enum { SLICE = 1024 };  // guests at a time, when few are at home

static void pair_cell(const frc_hash* hash, frc_hash_room* room, frc_walk* walk, uint32_t bucket,
                      frc_grid_entry* entries, uint32_t count) {
    uint32_t home = 0;
    while (home < count && entries[home].mark & FRC_GRID_HOME) home++;
    if (home > 0 && home < count) count = dismiss_guests(hash, entries, home, count);
    // Features of one triangle alone have a common vertex.
    if (count < 2 || home == 0) return;
    const uint32_t slice = home > SLICE ? home : SLICE;
    for (uint32_t from = home; from == home || from < count; from += slice) {
        const uint32_t guests = count - from < slice ? count - from : slice;
        if (must_stop(walk, 0)) return;
        if (!frc_hash_reserve_room(walk->world->context, hash, room, home + guests)) {
            walk->out_of_memory = true;
            return;
        }
        // A new room knows no bounds.
        if (hash->ends == 2)
            frc_box_grid_bounds(&hash->grid, bucket, entries[0].cell, &room->bounds);
        lay_out(hash, room, entries, home, &entries[from], guests);
        room->guests_alone = from > home;
        room->all_meet = hash->all_meet;
        pair_shelves(hash, room, walk);
    }
}

static void pair_bucket(const frc_hash* hash, frc_hash_room* room, frc_walk* walk, uint32_t bucket,
                        frc_grid_entry* entries, uint32_t count) {
    frc_box_grid_arrange(entries, count);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && entries[end].cell == entries[first].cell;) end++;
        pair_cell(hash, room, walk, bucket, &entries[first], end - first);
    }
}

// What the next buckets need comes while this one is worked on.
static void fetch_ahead(const frc_hash* hash, uint32_t bucket, uint32_t end) {
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

void frc_hash_pair(frc_hash* hash, frc_walk* walk, uint32_t worker, uint32_t begin, uint32_t end) {
    frc_hash_room* room = &hash->rooms[worker];
    for (uint32_t b = begin; b < end && !must_stop(walk, b); b++) {
        const uint32_t first = frc_box_grid_begin(&hash->grid, b);
        const uint32_t count = frc_box_grid_begin(&hash->grid, b + 1) - first;
        fetch_ahead(hash, b, end);
        if (count > 1) pair_bucket(hash, room, walk, b, &hash->grid.entries[first], count);
    }
}
