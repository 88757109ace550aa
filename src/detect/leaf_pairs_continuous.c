/// @file leaf_pairs_continuous.c  Pairs of leaves over the step.
///
/// Candidates are the vertex-face and edge-edge pairs whose boxes overlap at some time of the step,
/// except for pairs of leaves that are separated along a direction. Also used for nearby pairs.
#include "detect/box_test.h"
#include "detect/leaf_pairs.h"
#include "detect/leaf_separation.h"
#include "detect/narrow_phase.h"

// ---- pairs of features as bits

// The features of leaf a that overlap features of leaf b: one row of bits, by feature of b, for
// each feature of a with at least one overlap.
typedef struct grid {
    uint32_t count;
    uint32_t bits[32];
    uint8_t row[32];
} grid;
_Static_assert(FRC_LEAF_EDGES <= 32 && FRC_LEAF_POINTS <= 32, "rows, and bits of a row");

static inline void fill_grid(const frc_detect_worker* worker, grid* g, const frc_moving_box* leaf_b,
                             const frc_box4* boxes_a, uint32_t count_a, const frc_box4* boxes_b,
                             uint32_t count_b) {
    g->count = 0;
    EACH_BIT(frc_overlap_moving_slots(leaf_b, boxes_a, count_a), i) {
        frc_moving_box box = frc_lane_moving_box(worker, &boxes_a[i / 4 * 2], i % 4);
        g->bits[g->count] = frc_overlap_moving_slots(&box, boxes_b, count_b);
        g->row[g->count] = (uint8_t)i;
        g->count += g->bits[g->count] != 0;
    }
}

// Bits above `i`: the rest of a row when a leaf is paired with itself.
static inline uint32_t above(uint32_t i) { return ~(uint32_t)1 << i; }

// As many rows of 1 << `log` bits as fit into one word, from row `first` on.
static inline uint64_t pack_rows(const grid* g, uint32_t first, uint32_t log) {
    uint64_t word = 0;
    for (uint32_t r = 0; r < 64u >> log && first + r < g->count; r++)
        word |= (uint64_t)g->bits[first + r] << (r << log);
    return word;
}

// For each bit of a grid. Several rows are one word: a loop over the few bits of one row would end
// with a branch that mispredicts. A row has 1 << `log` bits.
#define EACH_CELL(g, log, i, j)                                                                    \
    for (uint32_t row_ = 0; row_ < (g).count; row_ += 64u >> (log))                                \
        for (uint64_t word_ = pack_rows(&(g), row_, (log)), bit_, i, j;                            \
             word_ && (bit_ = (uint64_t)__builtin_ctzll(word_),                                    \
                      i = (g).row[row_ + (bit_ >> (log))], j = bit_ & ((1u << (log)) - 1), true);  \
             word_ &= word_ - 1)

// ---- one pair of leaves

// One of the two leaves: the boxes of its features and the box of the leaf.
typedef struct leaf_boxes {
    const frc_block* block;
    const frc_leaf* leaf;
    const frc_leaf_boxes* boxes;
    frc_moving_box whole;
} leaf_boxes;

static inline size_t cache_entry(const frc_leaf* leaf) {
    return frc_cache_entry(leaf, FRC_FEATURE_CACHE);
}

// The boxes of features, from the cache or computed. `spare`: the other leaf of the pair uses the
// same entry.
static inline leaf_boxes boxes_of(frc_detect_worker* worker, frc_side s, const frc_leaf* leaf,
                                  bool spare) {
    frc_feature_cache* cache = &worker->features;
    const size_t at = spare ? FRC_FEATURE_CACHE : cache_entry(leaf);
    if (spare || cache->leaf[at] != leaf)
        frc_leaf_boxes_fit(s.block, leaf, &worker->lows, &cache->features[at]);
    if (!spare) cache->leaf[at] = leaf;
    const frc_box* box = &s.tree->leaf_box[2 * (leaf - s.block->leaves)];
    frc_moving_box whole = {
        {frc_make_splat_box(worker, box[0].lo, box[0].hi),
         frc_make_splat_box(worker, box[1].lo, box[1].hi)}
    };
    frc_sweep_box(worker, &whole);
    return (leaf_boxes){s.block, leaf, &cache->features[at], whole};
}

static inline void pair_edges(frc_detect_worker* worker, const leaf_boxes* a, const leaf_boxes* b) {
    grid g;
    const frc_leaf *la = a->leaf, *lb = b->leaf;
    fill_grid(worker, &g, &b->whole, a->boxes->edge, la->edge_count, b->boxes->edge,
              lb->edge_count);
    for (uint32_t r = 0; la == lb && r < g.count; r++) g.bits[r] &= above(g.row[r]);
    const frc_edge_slot *ea = &a->block->edges[la->edge], *eb = &b->block->edges[lb->edge];
    uint32_t n = worker->ee_count;
    // A row of 16 suffices, except for leaves of triangles without common edges.
    if (lb->edge_count <= 16)
        EACH_CELL(g, 4, i, j) n = frc_put_ee(worker, n, &ea[i], &eb[j]);
    else
        EACH_CELL(g, 5, i, j) n = frc_put_ee(worker, n, &ea[i], &eb[j]);
    worker->ee_count = n;
}

static inline void pair_vertices_faces(frc_detect_worker* worker, const leaf_boxes* a,
                                       const leaf_boxes* b) {
    grid g;
    fill_grid(worker, &g, &b->whole, a->boxes->vertex, a->leaf->vertex_count, b->boxes->face,
              b->leaf->face_count);
    const uint32_t* va = &a->block->vertices[a->leaf->vertex];
    const frc_face_slot* fb = &b->block->faces[b->leaf->face];
    uint32_t n = worker->vf_count;
    EACH_CELL(g, 3, i, j) n = frc_put_vf(worker, n, va[i], &fb[j]);
    worker->vf_count = n;
}

static void pair_free_points_edges(frc_detect_worker* worker, const leaf_boxes* a,
                                   const leaf_boxes* b) {
    const frc_leaf *la = a->leaf, *lb = b->leaf;
    for (uint32_t i = 0; i < la->vertex_count; i++) {
        frc_moving_box box = frc_lane_moving_box(worker, &a->boxes->vertex[i / 4 * 2], i % 4);
        EACH_BIT(frc_overlap_moving_slots(&box, b->boxes->edge, lb->edge_count), j)
        frc_add_ve(worker, a->block->vertices[la->vertex + i], &b->block->edges[lb->edge + j]);
    }
}

static void pair_free_points(frc_detect_worker* worker, const leaf_boxes* a, const leaf_boxes* b) {
    const frc_leaf *la = a->leaf, *lb = b->leaf;
    for (uint32_t i = 0; i < la->vertex_count; i++) {
        frc_moving_box box = frc_lane_moving_box(worker, &a->boxes->vertex[i / 4 * 2], i % 4);
        uint32_t bits = frc_overlap_moving_slots(&box, b->boxes->vertex, lb->vertex_count);
        if (la == lb) bits &= above(i);
        EACH_BIT(bits, j)
        frc_add_vv(worker, a->block->vertices[la->vertex + i], b->block->vertices[lb->vertex + j]);
    }
}

static void pair_features(frc_detect_worker* worker, frc_side a, const frc_leaf* la, frc_side b,
                          const frc_leaf* lb) {
    const bool same_entry = la != lb && cache_entry(la) == cache_entry(lb);
    const leaf_boxes boxes_a = boxes_of(worker, a, la, false),
                     boxes_b = boxes_of(worker, b, lb, same_entry);
    pair_edges(worker, &boxes_a, &boxes_b);
    pair_vertices_faces(worker, &boxes_a, &boxes_b);
    if (la != lb) pair_vertices_faces(worker, &boxes_b, &boxes_a);
    if (a.block->free_elements && b.block->free_elements) {
        pair_free_points_edges(worker, &boxes_a, &boxes_b);
        if (la != lb) pair_free_points_edges(worker, &boxes_b, &boxes_a);
        pair_free_points(worker, &boxes_a, &boxes_b);
    }
    frc_flush_candidates(worker, false);
}

// ---- the collected pairs of leaves

// Drop pairs whose boxes are disjoint along an axis at both ends of the step, in the same order.
// The traversal has tested the boxes of the whole step only, which are larger.
static void drop_without_overlap(frc_detect_worker* worker, frc_side a, frc_side b) {
    frc_leaf_pairs* p = &worker->leaf_pairs;
    uint32_t kept = 0;
    if (worker->reach > 0 || worker->swept) return;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint64_t pair = p->pair[i];
        const uint32_t la = (uint32_t)(pair >> 32) & ~FRC_REF_LEAF,
                       lb = (uint32_t)pair & ~FRC_REF_LEAF;
        const frc_box *box_a = &a.tree->leaf_box[2 * la], *box_b = &b.tree->leaf_box[2 * lb];
        const m32x4 below = m32x4_or(f32x4_le(f32x4_load(box_a[0].lo), f32x4_load(box_b[0].hi)),
                                     f32x4_le(f32x4_load(box_a[1].lo), f32x4_load(box_b[1].hi)));
        const m32x4 over = m32x4_or(f32x4_le(f32x4_load(box_b[0].lo), f32x4_load(box_a[0].hi)),
                                    f32x4_le(f32x4_load(box_b[1].lo), f32x4_load(box_a[1].hi)));
        p->pair[kept] = pair;
        kept += (m32x4_bits(m32x4_and(below, over)) & 7) == 7;
    }
    p->count = kept;
}

// Drop pairs of leaves that are separated along a direction. Not within a body: most of its leaves
// that overlap are adjacent, and no direction separates them. Not with the boxes of `trees`, which
// may be boxes over a part of the step.
static void drop_separated(frc_detect_worker* worker, frc_side a, frc_side b) {
    frc_leaf_pairs* p = &worker->leaf_pairs;
    uint32_t kept = 0;
    if (a.block->body == b.block->body || !worker->touch_only || worker->trees) return;
    for (uint32_t i = 0; i < p->count; i++) {
        if (i + 2 < p->count) {
            frc_prefetch_corners(worker, a, frc_pair_leaf_a(worker, a, i + 2));
            frc_prefetch_corners(worker, b, frc_pair_leaf_b(worker, b, i + 2));
        }
        const frc_leaf *la = frc_pair_leaf_a(worker, a, i), *lb = frc_pair_leaf_b(worker, b, i);
        const frc_moving_leaf ma = {a.block, la, &a.tree->leaf_box[2 * (la - a.block->leaves)]};
        const frc_moving_leaf mb = {b.block, lb, &b.tree->leaf_box[2 * (lb - b.block->leaves)]};
        p->pair[kept] = p->pair[i];
        kept += !frc_leaves_separated(worker->world->topology->points.data, &ma, &mb);
    }
    p->count = kept;
}

// The boxes of the features of a leaf are computed from its slots and from their points.
static inline void prefetch_slots(const frc_detect_worker* worker, frc_side s,
                                  const frc_leaf* leaf) {
    if (worker->features.leaf[cache_entry(leaf)] == leaf) return;
    const char *faces = (const char*)&s.block->faces[leaf->face],
               *edges = (const char*)&s.block->edges[leaf->edge];
    __builtin_prefetch(faces);
    __builtin_prefetch(faces + 64);
    __builtin_prefetch(edges);
    __builtin_prefetch(edges + 64);
    __builtin_prefetch(&s.block->vertices[leaf->vertex]);
}

static inline void prefetch_points(const frc_detect_worker* worker, frc_side s,
                                   const frc_leaf* leaf) {
    if (worker->features.leaf[cache_entry(leaf)] == leaf) return;
    const frc_face_slot* faces = &s.block->faces[leaf->face];
    for (uint32_t i = 0; i < leaf->face_count; i++)
        for (int k = 0; k < 3; k++) __builtin_prefetch(&worker->lows.lo[faces[i].point[k]]);
}

void frc_pair_leaves_continuous(frc_detect_worker* worker, frc_side a, frc_side b) {
    const frc_leaf_pairs* p = &worker->leaf_pairs;
    drop_without_overlap(worker, a, b);
    drop_separated(worker, a, b);
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t far = i + FRC_SLOTS_AHEAD, near = i + FRC_POINTS_AHEAD;
        if (far < p->count) {
            prefetch_slots(worker, a, frc_pair_leaf_a(worker, a, far));
            prefetch_slots(worker, b, frc_pair_leaf_b(worker, b, far));
        }
        if (near < p->count) {
            prefetch_points(worker, a, frc_pair_leaf_a(worker, a, near));
            prefetch_points(worker, b, frc_pair_leaf_b(worker, b, near));
        }
        pair_features(worker, a, frc_pair_leaf_a(worker, a, i), b, frc_pair_leaf_b(worker, b, i));
    }
}
