/// @file leaves.c  Pairs of leaves: pairs of features whose boxes meet and, for triangles, that are
/// no harmless neighbours and that no plane parts.
///
/// At rest, leaves wait and go through these steps many at a time.
#include "detect/leaves.h"
#include "bvh/cells.h"
#include "detect/apart.h"

// Which features of leaf a meet which of leaf b: one row of bits for each feature of a that meets
// any.
typedef struct grid {
    uint32_t count;
    uint32_t bits[32];
    uint8_t row[32];
} grid;
_Static_assert(FRC_LEAF_EDGES <= 32 && FRC_LEAF_POINTS <= 32, "rows, and bits of a row");

static inline void fill_moving(const frc_walk* walk, grid* g, const moving* leaf_b,
                               const frc_box4* boxes_a, uint32_t count_a, const frc_box4* boxes_b,
                               uint32_t count_b) {
    g->count = 0;
    EACH_BIT(meet_moving(leaf_b, boxes_a, count_a), i) {
        moving m = lane_moving(walk, &boxes_a[i / 4 * 2], i % 4);
        g->bits[g->count] = meet_moving(&m, boxes_b, count_b);
        g->row[g->count] = (uint8_t)i;
        g->count += g->bits[g->count] != 0;
    }
}

static inline void keep_above_diagonal(grid* g) {
    for (uint32_t r = 0; r < g->count; r++) g->bits[r] &= above(g->row[r]);
}

// Walks over the bits of a grid, several rows in one word: a loop over the few bits of one row ends
// with a branch that cannot be foreseen, so the fewer such loops the better. `log` is that of the
// width of a row.
#define EACH_CELL(g, log, i, j)                                                                    \
    for (uint32_t row_ = 0; row_ < (g).count; row_ += 64u >> (log))                                \
        for (uint64_t word_ = pack_rows(&(g), row_, (log)), bit_, i, j;                            \
             word_ && (bit_ = (uint64_t)__builtin_ctzll(word_),                                    \
                      i = (g).row[row_ + (bit_ >> (log))], j = bit_ & ((1u << (log)) - 1), true);  \
             word_ &= word_ - 1)

static inline uint64_t pack_rows(const grid* g, uint32_t first, uint32_t log) {
    uint64_t word = 0;
    for (uint32_t r = 0; r < 64u >> log && first + r < g->count; r++)
        word |= (uint64_t)g->bits[first + r] << (r << log);
    return word;
}

// ---- triangles: a leaf has at most eight, so one word has a bit for each pair, that of i and j
// being 8 i + j

_Static_assert(FRC_LEAF_SIZE == 8, "a row of pairs of triangles is a byte");

// Of a leaf with itself: only j above i.
#define ABOVE_DIAGONAL 0x0080c0e0f0f8fcfe

// For each set bit of a word, lowest first.
#define EACH_PAIR(word, bit)                                                                       \
    for (uint64_t rest_ = (word), bit; rest_ && (bit = (uint64_t)__builtin_ctzll(rest_), true);    \
         rest_ &= rest_ - 1)

// All pairs, whether or not their row meets the other leaf: that could not be foreseen, and
// guessing wrong costs more than a row. A leaf of four or fewer has one packet; it stands for both,
// and half of the answer is dropped.
static inline uint64_t meet_faces(side a, const frc_leaf* la, side b, const frc_leaf* lb) {
    const frc_box4* pa = &a.tree->face_box[la->face / 4];
    const frc_box4* pb = &b.tree->face_box[lb->face / 4];
    bool more_a = la->face_count > 4, more_b = lb->face_count > 4;
    if (la->face_count == 0 || lb->face_count == 0) return 0;
    const box_lanes low = load_lanes(pb), high = load_lanes(pb + more_b);
    m32x4 rows[16];
    for (uint32_t i = 0; i < 4; i++) {
        rows[2 * i] = lane_meets(pa, i, &low);
        rows[2 * i + 1] = lane_meets(pa, i, &high);
    }
    for (uint32_t i = 0; i < 4; i++) {
        rows[8 + 2 * i] = lane_meets(pa + more_a, i, &low);
        rows[9 + 2 * i] = lane_meets(pa + more_a, i, &high);
    }
    uint64_t word = m32x4_grid(rows);
    if (!more_a) word &= 0x00000000ffffffff;
    if (!more_b) word &= 0x0f0f0f0f0f0f0f0f;
    return la == lb ? word & ABOVE_DIAGONAL : word;
}

// Are cells of these two to be compared?
static inline bool have_cells(side a, side b) {
    return a.tree->cells && b.tree->cells && a.tree->scale == b.tree->scale;
}

static inline uint64_t meet_cells(side a, const frc_leaf* la, side b, const frc_leaf* lb) {
    const frc_leaf_cells *ca = &a.tree->cells[la - a.block->leaves],
                         *cb = &b.tree->cells[lb - b.block->leaves];
    if (frc_cells_are_coarse(ca) || frc_cells_are_coarse(cb)) return meet_faces(a, la, b, lb);
    const uint64_t word = frc_cells_meet(ca, cb);
    return la == lb ? word & ABOVE_DIAGONAL : word;
}

// Pairs with a triangle that has a sibling vertex are left to frc_check_kin_tt, which counts them.
static inline bool may_have_kin(const frc_walk* walk, const frc_face_slot* face) {
    if (!walk->world->siblings) return false;
    const frc_point* points = walk->world->topology->points.data;
    const int tag = frc_walk_kin_tag(walk);
    uint32_t kin = 0;
    for (int k = 0; k < 3; k++) kin |= points[face->point[k]].tag[tag];
    return kin != 0;
}

// Leaves that stand side by side have places side by side; those of many small bodies have others.
static inline size_t cache_place(const frc_leaf* leaf, size_t size) {
    return (uintptr_t)leaf / sizeof *leaf % size;
}

static inline size_t plane_place(const frc_leaf* leaf) {
    return cache_place(leaf, FRC_PLANE_CACHE);
}

// The planes of a leaf, made when they are not among the last used.
static inline const frc_tri4* planes_of(frc_walk* walk, side s, const frc_leaf* leaf, bool spare) {
    frc_plane_cache* cache = &walk->planes;
    const frc_point* points = walk->world->topology->points.data;
    size_t at = spare ? FRC_PLANE_CACHE : plane_place(leaf);
    if (spare || cache->leaf[at] != leaf) frc_leaf_planes(s.block, leaf, points, cache->planes[at]);
    if (!spare) cache->leaf[at] = leaf;
    return cache->planes[at];
}

// A four of pairs is one triangle of a and four of b. These are the fours of which any is asked
// for.
static inline uint64_t asked_fours(uint64_t word) {
    uint64_t fours = word | word >> 1;
    return (fours | fours >> 2) & 0x1111111111111111;
}

static inline bool knows_stars(const frc_walk* walk, side a, side b) {
    // Where siblings are ignored each pair of them is counted.
    if (walk->siblings == FRACAS_SIBLINGS_IGNORE && walk->world->siblings) return false;
    return a.block->stars && b.block->stars && a.block->body == b.block->body;
}

// Pairs of triangles with a common vertex that meet nowhere else.
static inline uint64_t neighbours(side a, const frc_leaf* la, side b, const frc_leaf* lb) {
    return stars_in_common(&a.block->stars[la - a.block->leaves],
                           &b.block->stars[lb - b.block->leaves]);
}

// A few pairs cost less in the exact test than the planes of two leaves. Within a body the same
// leaves are met again and again, and have their planes already.
enum { FEW = 4, FEW_OF_TWO_BODIES = 16 };

// Which pairs of `word` are parted by the plane of one of their triangles. One triangle of a and
// four of b at a time, leaving out fours of which none is asked for.
static inline uint64_t part_faces(frc_walk* walk, side a, const frc_leaf* la, side b,
                                  const frc_leaf* lb, uint64_t word, bool neighbours_known) {
    uint64_t parted = 0;
    const int few = a.block->body == b.block->body ? FEW : FEW_OF_TWO_BODIES;
    if (__builtin_popcountll(word) < few) return 0;
    const frc_tri4* pa = planes_of(walk, a, la, false);
    const frc_tri4* pb = planes_of(walk, b, lb, la != lb && plane_place(la) == plane_place(lb));
    EACH_PAIR(asked_fours(word), bit) {
        uint64_t i = bit >> 3;
        if (may_have_kin(walk, &a.block->faces[la->face + i])) continue;
        const frc_tri4 *ta = &pa[i / 4], *tb = &pb[bit >> 2 & 1];
        m32x4 apart =
            neighbours_known
                ? frc_tri4_separated(ta, i % 4, tb)
                : frc_tri4_separated_adjacent(ta, i % 4, tb, frc_tri4_unshared(ta, i % 4, tb));
        parted |= (uint64_t)m32x4_bits(apart) << bit;
    }
    return parted;
}

// What is left of a pair of leaves: to the exact test.
static inline void put_faces(frc_walk* walk, side a, const frc_leaf* la, side b, const frc_leaf* lb,
                             uint64_t left) {
    const frc_face_slot *fa = &a.block->faces[la->face], *fb = &b.block->faces[lb->face];
    uint32_t first = walk->tt_count, n = first;
    EACH_PAIR(left, bit) n = frc_put_tt(walk, n, &fa[bit >> 3], &fb[bit & 7]);
    walk->tt_count = n;
    if (walk->world->siblings) frc_check_kin_tt(walk, first);
}

static void pair_edges_faces(frc_walk* walk, side a, const frc_leaf* la, side b,
                             const frc_leaf* lb) {
    for (uint32_t s = la->edge; s < la->edge + la->edge_count; s++) {
        probe p = lane_probe(walk, &a.tree->edge_box[s / 4], s % 4);
        EACH_BIT(meet_slots(&p, b.tree->face_box, lb->face, lb->face_count), j)
        frc_add_et(walk, &a.block->edges[s], &b.block->faces[lb->face + j]);
    }
    frc_walk_flush(walk, false);
}

// ---- over the step

// One of two leaves that meet.
typedef struct mover {
    const frc_block* block;
    const frc_leaf* leaf;
    const frc_features* boxes;
    moving whole;
} mover;

static inline size_t feature_place(const frc_leaf* leaf) {
    return cache_place(leaf, FRC_FEATURE_CACHE);
}

// The boxes of a leaf's features, made when they are not among the last used.
static inline const frc_features* features_of(frc_walk* walk, side s, const frc_leaf* leaf,
                                              bool spare) {
    frc_feature_cache* cache = &walk->features;
    size_t at = spare ? FRC_FEATURE_CACHE : feature_place(leaf);
    if (spare || cache->leaf[at] != leaf)
        frc_features_fit(s.block, leaf, &walk->lows, &cache->features[at]);
    if (!spare) cache->leaf[at] = leaf;
    return &cache->features[at];
}

static inline void pair_edges(frc_walk* walk, const mover* a, const mover* b) {
    grid g;
    const frc_leaf *la = a->leaf, *lb = b->leaf;
    fill_moving(walk, &g, &b->whole, a->boxes->edge, la->edge_count, b->boxes->edge,
                lb->edge_count);
    if (la == lb) keep_above_diagonal(&g);
    const frc_edge_slot *ea = &a->block->edges[la->edge], *eb = &b->block->edges[lb->edge];
    uint32_t n = walk->ee_count;
    // A row of 16 is enough for all but leaves of loose triangles.
    if (lb->edge_count <= 16)
        EACH_CELL(g, 4, i, j) n = frc_put_ee(walk, n, &ea[i], &eb[j]);
    else
        EACH_CELL(g, 5, i, j) n = frc_put_ee(walk, n, &ea[i], &eb[j]);
    walk->ee_count = n;
}

static inline void pair_vertices_faces(frc_walk* walk, const mover* a, const mover* b) {
    grid g;
    fill_moving(walk, &g, &b->whole, a->boxes->vertex, a->leaf->vertex_count, b->boxes->face,
                b->leaf->face_count);
    const uint32_t* va = &a->block->vertices[a->leaf->vertex];
    const frc_face_slot* fb = &b->block->faces[b->leaf->face];
    uint32_t n = walk->vf_count;
    EACH_CELL(g, 3, i, j) n = frc_put_vf(walk, n, va[i], &fb[j]);
    walk->vf_count = n;
}

// Free points of one leaf against free edges of another.
static void pair_points_edges(frc_walk* walk, const mover* a, const mover* b) {
    const frc_leaf *la = a->leaf, *lb = b->leaf;
    for (uint32_t i = 0; i < la->vertex_count; i++) {
        moving m = lane_moving(walk, &a->boxes->vertex[i / 4 * 2], i % 4);
        EACH_BIT(meet_moving(&m, b->boxes->edge, lb->edge_count), j)
        frc_add_ve(walk, a->block->vertices[la->vertex + i], &b->block->edges[lb->edge + j]);
    }
}

static void pair_points(frc_walk* walk, const mover* a, const mover* b) {
    const frc_leaf *la = a->leaf, *lb = b->leaf;
    for (uint32_t i = 0; i < la->vertex_count; i++) {
        moving m = lane_moving(walk, &a->boxes->vertex[i / 4 * 2], i % 4);
        uint32_t bits = meet_moving(&m, b->boxes->vertex, lb->vertex_count);
        if (la == lb) bits &= above(i);
        EACH_BIT(bits, j)
        frc_add_vv(walk, a->block->vertices[la->vertex + i], b->block->vertices[lb->vertex + j]);
    }
}

static void pair_moving_leaves(frc_walk* walk, side a, uint32_t number_a, side b,
                               uint32_t number_b) {
    const frc_leaf* la = &a.block->leaves[number_a];
    const frc_leaf* lb = &b.block->leaves[number_b];
    const bool spare = la != lb && feature_place(la) == feature_place(lb);
    const mover ma = {a.block, la, features_of(walk, a, la, false),
                      leaf_moving(walk, a.tree, number_a)};
    const mover mb = {b.block, lb, features_of(walk, b, lb, spare),
                      leaf_moving(walk, b.tree, number_b)};
    pair_edges(walk, &ma, &mb);
    pair_vertices_faces(walk, &ma, &mb);
    if (la != lb) pair_vertices_faces(walk, &mb, &ma);
    if (!a.block->free_elements || !b.block->free_elements) return;
    pair_points_edges(walk, &ma, &mb);
    if (la != lb) pair_points_edges(walk, &mb, &ma);
    pair_points(walk, &ma, &mb);
}

static inline bool is_kept(const frc_walk* walk, const frc_leaf* leaf) {
    return walk->features.leaf[feature_place(leaf)] == leaf;
}

// What the boxes of a leaf will be made from, asked for ahead of time: first the slots, then the
// points that they name.
static inline void fetch_slots(const frc_walk* walk, side s, const frc_leaf* leaf) {
    if (is_kept(walk, leaf)) return;
    const char *faces = (const char*)&s.block->faces[leaf->face],
               *edges = (const char*)&s.block->edges[leaf->edge];
    __builtin_prefetch(faces);
    __builtin_prefetch(faces + 64);
    __builtin_prefetch(edges);
    __builtin_prefetch(edges + 64);
    __builtin_prefetch(&s.block->vertices[leaf->vertex]);
}

static inline void fetch_points(const frc_walk* walk, side s, const frc_leaf* leaf) {
    if (is_kept(walk, leaf)) return;
    const frc_face_slot* faces = &s.block->faces[leaf->face];
    for (uint32_t i = 0; i < leaf->face_count; i++)
        for (int k = 0; k < 3; k++) __builtin_prefetch(&walk->lows.lo[faces[i].point[k]]);
}

static inline const frc_leaf* leaf_a(const frc_walk* walk, side a, uint32_t i) {
    return &a.block->leaves[(walk->leaves.pair[i] >> 32) & ~FRC_REF_LEAF];
}

static inline const frc_leaf* leaf_b(const frc_walk* walk, side b, uint32_t i) {
    return &b.block->leaves[walk->leaves.pair[i] & ~FRC_REF_LEAF];
}

// ---- the leaves that wait, step by step: boxes, neighbours, planes

static void keep_meeting(frc_walk* walk, side a, side b) {
    frc_leaf_pairs* p = &walk->leaves;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint64_t pair = p->pair[i];
        const uint32_t la = (uint32_t)(pair >> 32) & ~FRC_REF_LEAF,
                       lb = (uint32_t)pair & ~FRC_REF_LEAF;
        p->pair[kept] = pair;
        kept += leaves_meet(walk, &a.tree->leaf_box[2 * la], &b.tree->leaf_box[2 * lb]);
    }
    p->count = kept;
}

static frc_moving_leaf moving_leaf(side s, const frc_leaf* leaf) {
    return (frc_moving_leaf){s.block, leaf, &s.tree->leaf_box[2 * (leaf - s.block->leaves)]};
}

static inline void fetch_corners(const frc_walk* walk, side s, const frc_leaf* leaf) {
    const frc_point* points = walk->world->topology->points.data;
    const frc_face_slot* faces = &s.block->faces[leaf->face];
    for (uint32_t i = 0; i < leaf->face_count; i++)
        for (int k = 0; k < 3; k++) __builtin_prefetch(&points[faces[i].point[k]]);
}

// Within a body leaves that meet are neighbours, most of them: no direction tells these apart.
// Boxes that a query brings along may be of a part of the step.
static void drop_apart(frc_walk* walk, side a, side b) {
    frc_leaf_pairs* p = &walk->leaves;
    uint32_t kept = 0;
    if (a.block->body == b.block->body || !walk->touching || walk->trees) return;
    for (uint32_t i = 0; i < p->count; i++) {
        if (i + 2 < p->count) {
            fetch_corners(walk, a, leaf_a(walk, a, i + 2));
            fetch_corners(walk, b, leaf_b(walk, b, i + 2));
        }
        const frc_moving_leaf la = moving_leaf(a, leaf_a(walk, a, i)),
                              lb = moving_leaf(b, leaf_b(walk, b, i));
        p->pair[kept] = p->pair[i];
        kept += !frc_leaves_apart(walk->world->topology->points.data, &la, &lb);
    }
    p->count = kept;
}

enum { SLOTS_AHEAD = 6, POINTS_AHEAD = 3 };  // pairs of leaves

static void pair_moving(frc_walk* walk, side a, side b) {
    frc_leaf_pairs* p = &walk->leaves;
    keep_meeting(walk, a, b);
    drop_apart(walk, a, b);
    for (uint32_t i = 0; i < p->count; i++) {
        if (i + SLOTS_AHEAD < p->count) {
            fetch_slots(walk, a, leaf_a(walk, a, i + SLOTS_AHEAD));
            fetch_slots(walk, b, leaf_b(walk, b, i + SLOTS_AHEAD));
        }
        if (i + POINTS_AHEAD < p->count) {
            fetch_points(walk, a, leaf_a(walk, a, i + POINTS_AHEAD));
            fetch_points(walk, b, leaf_b(walk, b, i + POINTS_AHEAD));
        }
        pair_moving_leaves(walk, a, (uint32_t)(p->pair[i] >> 32) & ~FRC_REF_LEAF, b,
                           (uint32_t)p->pair[i] & ~FRC_REF_LEAF);
        frc_walk_flush(walk, false);
    }
}

// Boxes of triangles of a leaf, asked for ahead of time.
static inline void fetch_boxes(side s, const frc_leaf* leaf) {
    const char* boxes = (const char*)&s.tree->face_box[leaf->face / 4];
    for (size_t at = 0; at < 2 * sizeof(frc_box4); at += 64) __builtin_prefetch(boxes + at);
}

enum { LEAVES_AHEAD = 10, BOXES_AHEAD = 5 };  // pairs of leaves

static void meet_waiting(frc_walk* walk, side a, side b) {
    frc_leaf_pairs* p = &walk->leaves;
    const bool cells = have_cells(a, b);
    for (uint32_t i = 0; i < p->count; i++) {
        if (!cells && i + LEAVES_AHEAD < p->count) {
            __builtin_prefetch(leaf_a(walk, a, i + LEAVES_AHEAD));
            __builtin_prefetch(leaf_b(walk, b, i + LEAVES_AHEAD));
        }
        if (!cells && i + BOXES_AHEAD < p->count) {
            fetch_boxes(a, leaf_a(walk, a, i + BOXES_AHEAD));
            fetch_boxes(b, leaf_b(walk, b, i + BOXES_AHEAD));
        }
        const frc_leaf *la = leaf_a(walk, a, i), *lb = leaf_b(walk, b, i);
        p->left[i] = p->meeting[i] = cells ? meet_cells(a, la, b, lb) : meet_faces(a, la, b, lb);
    }
}

static void drop_neighbours(frc_walk* walk, side a, side b) {
    frc_leaf_pairs* p = &walk->leaves;
    for (uint32_t i = 0; i < p->count; i++)
        p->left[i] &= ~neighbours(a, leaf_a(walk, a, i), b, leaf_b(walk, b, i));
}

static inline bool has_planes(const frc_walk* walk, const frc_leaf* leaf) {
    return walk->planes.leaf[plane_place(leaf)] == leaf;
}

// What planes will be made from: first the slots, then the corners that they name.
static inline void fetch_faces(const frc_walk* walk, side s, const frc_leaf* leaf) {
    const char* faces = (const char*)&s.block->faces[leaf->face];
    if (has_planes(walk, leaf)) return;
    __builtin_prefetch(faces);
    __builtin_prefetch(faces + 64);
}

static inline void fetch_planes(const frc_walk* walk, side s, const frc_leaf* leaf) {
    if (!has_planes(walk, leaf)) fetch_corners(walk, s, leaf);
}

static void part_waiting(frc_walk* walk, side a, side b, bool neighbours_known) {
    frc_leaf_pairs* p = &walk->leaves;
    // Trees with cells are walked from leaf to leaf, and what is next to a leaf is at hand.
    const bool ahead = !have_cells(a, b);
    for (uint32_t i = 0; i < p->count; i++) {
        if (ahead && i + SLOTS_AHEAD < p->count && p->left[i + SLOTS_AHEAD]) {
            fetch_faces(walk, a, leaf_a(walk, a, i + SLOTS_AHEAD));
            fetch_faces(walk, b, leaf_b(walk, b, i + SLOTS_AHEAD));
        }
        if (ahead && i + POINTS_AHEAD < p->count && p->left[i + POINTS_AHEAD]) {
            fetch_planes(walk, a, leaf_a(walk, a, i + POINTS_AHEAD));
            fetch_planes(walk, b, leaf_b(walk, b, i + POINTS_AHEAD));
        }
        const frc_leaf *la = leaf_a(walk, a, i), *lb = leaf_b(walk, b, i);
        if (p->left[i]) p->left[i] &= ~part_faces(walk, a, la, b, lb, p->left[i], neighbours_known);
    }
}

static void put_waiting(frc_walk* walk, side a, side b) {
    const frc_leaf_pairs* p = &walk->leaves;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint64_t left = p->left[i];
        walk->statistics.tt_candidates += (uint64_t)__builtin_popcountll(p->meeting[i] ^ left);
        if (!left) continue;
        put_faces(walk, a, leaf_a(walk, a, i), b, leaf_b(walk, b, i), left);
        frc_walk_flush(walk, false);
    }
}

static void pair_faces(frc_walk* walk, side a, side b) {
    const bool stars = knows_stars(walk, a, b);
    meet_waiting(walk, a, b);
    if (stars) drop_neighbours(walk, a, b);
    // Bodies have no vertex in common.
    part_waiting(walk, a, b, stars || a.block->body != b.block->body);
    put_waiting(walk, a, b);
}

static void pair_resting(frc_walk* walk, side a, side b) {
    pair_faces(walk, a, b);
    for (uint32_t i = 0; i < walk->leaves.count && a.block->free_elements; i++)
        pair_edges_faces(walk, a, leaf_a(walk, a, i), b, leaf_b(walk, b, i));
    for (uint32_t i = 0; i < walk->leaves.count && b.block->free_elements; i++)
        if (leaf_a(walk, a, i) != leaf_b(walk, b, i))
            pair_edges_faces(walk, b, leaf_b(walk, b, i), a, leaf_a(walk, a, i));
}

void frc_pair_waiting(frc_walk* walk, side a, side b) {
    if (walk->boxes == FRC_BOXES_END)
        pair_resting(walk, a, b);
    else
        pair_moving(walk, a, b);
    walk->leaves.count = 0;
}

void frc_pair_leaves(frc_walk* walk, side a, uint32_t ref_a, side b, uint32_t ref_b) {
    walk->leaves.pair[0] = (uint64_t)ref_a << 32 | ref_b;
    walk->leaves.count = 1;
    frc_pair_waiting(walk, a, b);
}
