/// @file leaf_pairs_discrete.c  Pairs of leaves at the end of the step.
///
/// Candidates are the pairs of triangles whose boxes overlap, except for adjacent triangles that
/// touch only at their common vertices and triangles that are separated by the plane of one of
/// them. Each filter processes many pairs of leaves before the next filter.
#include "block/quantized_boxes.h"
#include "detect/box_test.h"
#include "detect/leaf_pairs.h"
#include "detect/leaf_stars.h"
#include "detect/narrow_phase.h"
#include "detect/siblings.h"

// A leaf has at most eight triangles: the pairs of two leaves are one word, bit 8 i + j.
_Static_assert(FRC_LEAF_SIZE == 8, "a row of pairs of triangles is a byte");

// A leaf paired with itself: only j above i.
#define ABOVE_DIAGONAL 0x0080c0e0f0f8fcfe

// For each set bit of a word, lowest first.
#define EACH_PAIR(word, bit)                                                                       \
    for (uint64_t rest_ = (word), bit; rest_ && (bit = (uint64_t)__builtin_ctzll(rest_), true);    \
         rest_ &= rest_ - 1)

// ---- boxes

// All pairs, without testing first whether a triangle overlaps the other leaf: that branch would
// mispredict, which costs more than a row. A leaf of four or fewer triangles has one packet, which
// is used twice; half of the bits are then cleared.
static inline uint64_t overlap_faces(frc_side a, const frc_leaf* la, frc_side b,
                                     const frc_leaf* lb) {
    const frc_box4* pa = &a.tree->face_box[la->face / 4];
    const frc_box4* pb = &b.tree->face_box[lb->face / 4];
    bool more_a = la->face_count > 4, more_b = lb->face_count > 4;
    if (la->face_count == 0 || lb->face_count == 0) return 0;
    const frc_box_lanes low = frc_load_lanes(pb), high = frc_load_lanes(pb + more_b);
    m32x4 rows[16];
    for (uint32_t i = 0; i < 4; i++) {
        rows[2 * i] = frc_overlap_lane(pa, i, &low);
        rows[2 * i + 1] = frc_overlap_lane(pa, i, &high);
    }
    for (uint32_t i = 0; i < 4; i++) {
        rows[8 + 2 * i] = frc_overlap_lane(pa + more_a, i, &low);
        rows[9 + 2 * i] = frc_overlap_lane(pa + more_a, i, &high);
    }
    uint64_t word = m32x4_grid(rows);
    if (!more_a) word &= 0x00000000ffffffff;
    if (!more_b) word &= 0x0f0f0f0f0f0f0f0f;
    return la == lb ? word & ABOVE_DIAGONAL : word;
}

// Do both sides have quantized boxes, in the same grid?
static inline bool have_cells(frc_side a, frc_side b) {
    return a.tree->cells && b.tree->cells && a.tree->scale == b.tree->scale;
}

static inline void prefetch_boxes(frc_side s, const frc_leaf* leaf) {
    const char* boxes = (const char*)&s.tree->face_box[leaf->face / 4];
    for (size_t at = 0; at < 2 * sizeof(frc_box4); at += 64) __builtin_prefetch(boxes + at);
}

enum { LEAVES_AHEAD = 10, BOXES_AHEAD = 5 };  // prefetch distances, in pairs of leaves

// Set `overlap` and `remaining` of all pairs of leaves.
static void test_boxes(frc_detect_worker* worker, frc_side a, frc_side b) {
    frc_leaf_pairs* p = &worker->leaf_pairs;
    const bool cells = have_cells(a, b);
    for (uint32_t i = 0; i < p->count; i++) {
        if (!cells && i + LEAVES_AHEAD < p->count) {
            __builtin_prefetch(frc_pair_leaf_a(worker, a, i + LEAVES_AHEAD));
            __builtin_prefetch(frc_pair_leaf_b(worker, b, i + LEAVES_AHEAD));
        }
        if (!cells && i + BOXES_AHEAD < p->count) {
            prefetch_boxes(a, frc_pair_leaf_a(worker, a, i + BOXES_AHEAD));
            prefetch_boxes(b, frc_pair_leaf_b(worker, b, i + BOXES_AHEAD));
        }
        const frc_leaf *la = frc_pair_leaf_a(worker, a, i), *lb = frc_pair_leaf_b(worker, b, i);
        uint64_t word;
        const frc_quantized_boxes *ca = cells ? &a.tree->cells[la - a.block->leaves] : NULL,
                                  *cb = cells ? &b.tree->cells[lb - b.block->leaves] : NULL;
        if (!cells || frc_quantized_boxes_are_coarse(ca) || frc_quantized_boxes_are_coarse(cb)) {
            word = overlap_faces(a, la, b, lb);
        } else {
            word = frc_quantized_boxes_meet(ca, cb);
            word = la == lb ? word & ABOVE_DIAGONAL : word;
        }
        p->remaining[i] = p->overlap[i] = word;
    }
}

// ---- adjacent triangles

// Drop pairs of triangles that touch only at a common vertex, by the vertex stars of their leaves.
static void drop_adjacent(frc_detect_worker* worker, frc_side a, frc_side b) {
    frc_leaf_pairs* p = &worker->leaf_pairs;
    for (uint32_t i = 0; i < p->count; i++) {
        const frc_leaf *la = frc_pair_leaf_a(worker, a, i), *lb = frc_pair_leaf_b(worker, b, i);
        p->remaining[i] &= ~frc_common_vertices(&a.block->stars[la - a.block->leaves],
                                                &b.block->stars[lb - b.block->leaves]);
    }
}

// ---- planes

static inline bool has_planes(const frc_detect_worker* worker, const frc_leaf* leaf) {
    return worker->planes.leaf[frc_cache_entry(leaf, FRC_PLANE_CACHE)] == leaf;
}

// The planes of a leaf, from the cache or computed. `spare`: the other leaf of the pair uses the
// same entry.
static inline const frc_tri4* planes_of(frc_detect_worker* worker, frc_side s, const frc_leaf* leaf,
                                        bool spare) {
    frc_plane_cache* cache = &worker->planes;
    const frc_point* points = worker->world->topology->points.data;
    size_t at = spare ? FRC_PLANE_CACHE : frc_cache_entry(leaf, FRC_PLANE_CACHE);
    if (spare || cache->leaf[at] != leaf) frc_leaf_planes(s.block, leaf, points, cache->planes[at]);
    if (!spare) cache->leaf[at] = leaf;
    return cache->planes[at];
}

// Is a vertex of the triangle a sibling? frc_test_sibling_triangles decides pairs with siblings.
static inline bool may_have_siblings(const frc_detect_worker* worker, const frc_face_slot* face) {
    if (!worker->world->siblings) return false;
    const frc_point* points = worker->world->topology->points.data;
    const int tag = frc_sibling_tag(worker);
    uint32_t any = 0;
    for (int k = 0; k < 3; k++) any |= points[face->point[k]].tag[tag];
    return any != 0;
}

// The exact test of a few pairs is faster than computing the planes of two leaves. Within a body
// consecutive pairs have leaves in common, and their planes are in the cache.
enum { FEW_PAIRS = 4, FEW_PAIRS_OF_TWO_BODIES = 16 };

// Pairs of `word` that are separated by the plane of one of their triangles. Tests one triangle of
// a against four of b at a time, for the groups of four with a bit in `word`.
static inline uint64_t separated_by_planes(frc_detect_worker* worker, frc_side a,
                                           const frc_leaf* la, frc_side b, const frc_leaf* lb,
                                           uint64_t word, bool none_adjacent) {
    uint64_t separated = 0;
    const bool same_body = a.block->body == b.block->body;
    if (__builtin_popcountll(word) < (same_body ? FEW_PAIRS : FEW_PAIRS_OF_TWO_BODIES)) return 0;
    const bool same_entry =
        la != lb && frc_cache_entry(la, FRC_PLANE_CACHE) == frc_cache_entry(lb, FRC_PLANE_CACHE);
    const frc_tri4* pa = planes_of(worker, a, la, false);
    const frc_tri4* pb = planes_of(worker, b, lb, same_entry);
    uint64_t fours = word | word >> 1;
    fours = (fours | fours >> 2) & 0x1111111111111111;
    EACH_PAIR(fours, bit) {
        uint64_t i = bit >> 3;
        if (may_have_siblings(worker, &a.block->faces[la->face + i])) continue;
        const frc_tri4 *ta = &pa[i / 4], *tb = &pb[bit >> 2 & 1];
        m32x4 mask = none_adjacent ? frc_tri4_separated(ta, i % 4, tb)
                                   : frc_tri4_separated_adjacent(ta, i % 4, tb,
                                                                 frc_tri4_unshared(ta, i % 4, tb));
        separated |= (uint64_t)m32x4_bits(mask) << bit;
    }
    return separated;
}

static inline void prefetch_slots(const frc_detect_worker* worker, frc_side s,
                                  const frc_leaf* leaf) {
    const char* faces = (const char*)&s.block->faces[leaf->face];
    if (has_planes(worker, leaf)) return;
    __builtin_prefetch(faces);
    __builtin_prefetch(faces + 64);
}

static void drop_separated(frc_detect_worker* worker, frc_side a, frc_side b, bool none_adjacent) {
    frc_leaf_pairs* p = &worker->leaf_pairs;
    // Trees with quantized boxes store leaves in the order of traversal: no prefetch is needed.
    const bool ahead = !have_cells(a, b);
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t far = i + FRC_SLOTS_AHEAD, near = i + FRC_POINTS_AHEAD;
        if (ahead && far < p->count && p->remaining[far]) {
            prefetch_slots(worker, a, frc_pair_leaf_a(worker, a, far));
            prefetch_slots(worker, b, frc_pair_leaf_b(worker, b, far));
        }
        if (ahead && near < p->count && p->remaining[near]) {
            const frc_leaf *la = frc_pair_leaf_a(worker, a, near),
                           *lb = frc_pair_leaf_b(worker, b, near);
            if (!has_planes(worker, la)) frc_prefetch_corners(worker, a, la);
            if (!has_planes(worker, lb)) frc_prefetch_corners(worker, b, lb);
        }
        if (p->remaining[i])
            p->remaining[i] &=
                ~separated_by_planes(worker, a, frc_pair_leaf_a(worker, a, i), b,
                                     frc_pair_leaf_b(worker, b, i), p->remaining[i], none_adjacent);
    }
}

// ---- candidates

// Add the remaining pairs of triangles to the batch.
static void add_triangles(frc_detect_worker* worker, frc_side a, frc_side b) {
    const frc_leaf_pairs* p = &worker->leaf_pairs;
    for (uint32_t i = 0; i < p->count; i++) {
        worker->statistics.tt_candidates +=
            (uint64_t)__builtin_popcountll(p->overlap[i] ^ p->remaining[i]);
        if (!p->remaining[i]) continue;
        const frc_face_slot* fa = &a.block->faces[frc_pair_leaf_a(worker, a, i)->face];
        const frc_face_slot* fb = &b.block->faces[frc_pair_leaf_b(worker, b, i)->face];
        uint32_t first = worker->tt_count, n = first;
        EACH_PAIR(p->remaining[i], bit) n = frc_put_tt(worker, n, &fa[bit >> 3], &fb[bit & 7]);
        worker->tt_count = n;
        if (worker->world->siblings) frc_test_sibling_triangles(worker, first);
        frc_flush_candidates(worker, false);
    }
}

// Free edges of one leaf against triangles of another.
static void add_free_edges(frc_detect_worker* worker, frc_side a, const frc_leaf* la, frc_side b,
                           const frc_leaf* lb) {
    for (uint32_t s = la->edge; s < la->edge + la->edge_count; s++) {
        const frc_splat_box box = frc_lane_box(worker, &a.tree->edge_box[s / 4], s % 4);
        EACH_BIT(frc_overlap_slots(&box, b.tree->face_box, lb->face, lb->face_count), j)
        frc_add_et(worker, &a.block->edges[s], &b.block->faces[lb->face + j]);
    }
    frc_flush_candidates(worker, false);
}

void frc_pair_leaves_discrete(frc_detect_worker* worker, frc_side a, frc_side b) {
    // With ignored siblings the statistics count each of their pairs, so no pair may be dropped.
    const bool siblings_count =
        worker->siblings == FRACAS_SIBLINGS_IGNORE && worker->world->siblings;
    const bool stars =
        !siblings_count && a.block->stars && b.block->stars && a.block->body == b.block->body;
    test_boxes(worker, a, b);
    if (stars) drop_adjacent(worker, a, b);
    // Triangles of two bodies are never adjacent.
    drop_separated(worker, a, b, stars || a.block->body != b.block->body);
    add_triangles(worker, a, b);
    for (uint32_t i = 0; i < worker->leaf_pairs.count; i++) {
        const frc_leaf *la = frc_pair_leaf_a(worker, a, i), *lb = frc_pair_leaf_b(worker, b, i);
        if (a.block->free_elements) add_free_edges(worker, a, la, b, lb);
        if (b.block->free_elements && la != lb) add_free_edges(worker, b, lb, a, la);
    }
}
