/// @file traverse.c  Pairs of nodes, pairs of leaves, pairs of features whose boxes meet.
///
/// Read-only, iterative, one box against four at a time. Self pairs of a node are the pairs of its
/// children and the self pairs of each child; a leaf meets an inner node by descending the node.
/// Every feature stands in one leaf, so every pair of features is met once.
#include "bvh/cells.h"
#include "detect/probe.h"

// ---- leaves

typedef struct side {
    const frc_block* block;
    const frc_tree* tree;
} side;

static side block_side(const frc_walk* walk, uint32_t number) {
    const frc_block* block = walk->world->blocks[number];
    return (side){block, walk->trees ? &walk->trees[number] : &block->tree[walk->boxes]};
}

// Which features of leaf a meet which of leaf b: one row of bits for each feature of a that meets
// any.
typedef struct grid {
    uint32_t count;
    uint32_t bits[32];
    uint8_t row[32];
} grid;

static inline void fill_moving(const frc_walk* walk, grid* g, const moving* leaf_b,
                               const frc_box4* boxes_a, uint32_t first_a, uint32_t count_a,
                               const frc_box4* boxes_b, uint32_t first_b, uint32_t count_b) {
    g->count = 0;
    EACH_BIT(meet_moving(leaf_b, boxes_a, first_a, count_a), i) {
        moving m = lane_moving(walk, &boxes_a[(first_a + i) / 4 * 2], i % 4);
        g->bits[g->count] = meet_moving(&m, boxes_b, first_b, count_b);
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

// Four boxes in registers.
typedef struct box_lanes {
    f32x4 lo[3], hi[3];
} box_lanes;

static inline box_lanes load_lanes(const frc_box4* packet) {
    box_lanes l;
    for (int k = 0; k < 3; k++) {
        l.lo[k] = f32x4_load(packet->lo[k]);
        l.hi[k] = f32x4_load(packet->hi[k]);
    }
    return l;
}

static inline m32x4 lane_meets(const frc_box4* a, uint32_t lane, const box_lanes* b) {
    m32x4 meet[3];
    for (int k = 0; k < 3; k++)
        meet[k] = m32x4_and(f32x4_le(f32x4_splat_at(&a->lo[k][lane]), b->hi[k]),
                            f32x4_le(b->lo[k], f32x4_splat_at(&a->hi[k][lane])));
    return m32x4_and(m32x4_and(meet[0], meet[1]), meet[2]);
}

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
    uint32_t family = 0;
    for (int k = 0; k < 3; k++) family |= points[face->point[k]].tag[FRC_TAG_FAMILY];
    return family != 0;
}

static inline size_t plane_place(side s, const frc_leaf* leaf) {
    return (size_t)(leaf - s.block->leaves) % FRC_PLANE_CACHE;
}

// The planes of a leaf, made when they are not among the last used.
static inline const frc_tri4* planes_of(frc_walk* walk, side s, const frc_leaf* leaf, bool spare) {
    frc_plane_cache* cache = &walk->planes;
    const frc_point* points = walk->world->topology->points.data;
    size_t at = spare ? FRC_PLANE_CACHE : plane_place(s, leaf);
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
    const frc_tri4* pb =
        planes_of(walk, b, lb, la != lb && plane_place(a, la) == plane_place(b, lb));
    EACH_PAIR(asked_fours(word), bit) {
        uint64_t i = bit >> 3;
        if (may_have_kin(walk, &a.block->faces[la->face + i])) continue;
        const frc_tri4 *ta = &pa[i / 4], *tb = &pb[bit >> 2 & 1];
        m32x4 apart = neighbours_known
                          ? frc_tri_apart(ta, i % 4, tb)
                          : frc_tri_parted(ta, i % 4, tb, frc_corners_needed(ta, i % 4, tb));
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
}

static inline void pair_edges(frc_walk* walk, side a, const frc_leaf* la, side b,
                              const frc_leaf* lb, const moving* leaf_b) {
    grid g;
    fill_moving(walk, &g, leaf_b, a.tree->edge_box, la->edge, la->edge_count, b.tree->edge_box,
                lb->edge, lb->edge_count);
    if (la == lb) keep_above_diagonal(&g);
    const frc_edge_slot *ea = &a.block->edges[la->edge], *eb = &b.block->edges[lb->edge];
    uint32_t n = walk->ee_count;
    // A row of 16 is enough for all but leaves of loose triangles.
    if (lb->edge_count <= 16)
        EACH_CELL(g, 4, i, j) n = frc_put_ee(walk, n, &ea[i], &eb[j]);
    else
        EACH_CELL(g, 5, i, j) n = frc_put_ee(walk, n, &ea[i], &eb[j]);
    walk->ee_count = n;
}

static inline void pair_vertices_faces(frc_walk* walk, side a, const frc_leaf* la, side b,
                                       const frc_leaf* lb, const moving* leaf_b) {
    grid g;
    fill_moving(walk, &g, leaf_b, a.tree->vertex_box, la->vertex, la->vertex_count,
                b.tree->face_box, lb->face, lb->face_count);
    const uint32_t* va = &a.block->vertices[la->vertex];
    const frc_face_slot* fb = &b.block->faces[lb->face];
    uint32_t n = walk->vf_count;
    EACH_CELL(g, 3, i, j) n = frc_put_vf(walk, n, va[i], &fb[j]);
    walk->vf_count = n;
}

// Free points of one leaf against free edges of another.
static void pair_points_edges(frc_walk* walk, side a, const frc_leaf* la, side b,
                              const frc_leaf* lb) {
    for (uint32_t s = la->vertex; s < la->vertex + la->vertex_count; s++) {
        moving m = lane_moving(walk, &a.tree->vertex_box[s / 4 * 2], s % 4);
        EACH_BIT(meet_moving(&m, b.tree->edge_box, lb->edge, lb->edge_count), j)
        frc_add_ve(walk, a.block->vertices[s], &b.block->edges[lb->edge + j]);
    }
}

static void pair_points(frc_walk* walk, side a, const frc_leaf* la, side b, const frc_leaf* lb) {
    for (uint32_t s = la->vertex; s < la->vertex + la->vertex_count; s++) {
        moving m = lane_moving(walk, &a.tree->vertex_box[s / 4 * 2], s % 4);
        uint32_t bits = meet_moving(&m, b.tree->vertex_box, lb->vertex, lb->vertex_count);
        if (la == lb) bits &= above(s - la->vertex);
        EACH_BIT(bits, j)
        frc_add_vv(walk, a.block->vertices[s], b.block->vertices[lb->vertex + j]);
    }
}

static void pair_moving(frc_walk* walk, side a, uint32_t number_a, side b, uint32_t number_b) {
    const frc_leaf* la = &a.block->leaves[number_a];
    const frc_leaf* lb = &b.block->leaves[number_b];
    if (!leaves_meet(walk, &a.tree->leaf_box[2 * number_a], &b.tree->leaf_box[2 * number_b]))
        return;
    moving leaf_b = leaf_moving(walk, b.tree, number_b);
    pair_edges(walk, a, la, b, lb, &leaf_b);
    pair_vertices_faces(walk, a, la, b, lb, &leaf_b);
    if (la != lb) {
        moving leaf_a = leaf_moving(walk, a.tree, number_a);
        pair_vertices_faces(walk, b, lb, a, la, &leaf_a);
    }
    if (!a.block->free_elements || !b.block->free_elements) return;
    pair_points_edges(walk, a, la, b, lb);
    if (la != lb) pair_points_edges(walk, b, lb, a, la);
    pair_points(walk, a, la, b, lb);
}

static inline const frc_leaf* leaf_a(const frc_walk* walk, side a, uint32_t i) {
    return &a.block->leaves[(walk->leaves.pair[i] >> 32) & ~FRC_REF_LEAF];
}

static inline const frc_leaf* leaf_b(const frc_walk* walk, side b, uint32_t i) {
    return &b.block->leaves[walk->leaves.pair[i] & ~FRC_REF_LEAF];
}

// ---- the leaves that wait, step by step: boxes, neighbours, planes

static void meet_waiting(frc_walk* walk, side a, side b) {
    frc_leaf_pairs* p = &walk->leaves;
    const bool cells = have_cells(a, b);
    for (uint32_t i = 0; i < p->count; i++) {
        const frc_leaf *la = leaf_a(walk, a, i), *lb = leaf_b(walk, b, i);
        p->left[i] = p->meeting[i] = cells ? meet_cells(a, la, b, lb) : meet_faces(a, la, b, lb);
    }
}

static void drop_neighbours(frc_walk* walk, side a, side b) {
    frc_leaf_pairs* p = &walk->leaves;
    for (uint32_t i = 0; i < p->count; i++)
        p->left[i] &= ~neighbours(a, leaf_a(walk, a, i), b, leaf_b(walk, b, i));
}

static void part_waiting(frc_walk* walk, side a, side b, bool neighbours_known) {
    frc_leaf_pairs* p = &walk->leaves;
    for (uint32_t i = 0; i < p->count; i++) {
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

// Leaves that wait, as they rest at the end of the step.
static void pair_resting(frc_walk* walk, side a, side b) {
    pair_faces(walk, a, b);
    for (uint32_t i = 0; i < walk->leaves.count && a.block->free_elements; i++)
        pair_edges_faces(walk, a, leaf_a(walk, a, i), b, leaf_b(walk, b, i));
    for (uint32_t i = 0; i < walk->leaves.count && b.block->free_elements; i++)
        if (leaf_a(walk, a, i) != leaf_b(walk, b, i))
            pair_edges_faces(walk, b, leaf_b(walk, b, i), a, leaf_a(walk, a, i));
    walk->leaves.count = 0;
}

static void pair_leaves(frc_walk* walk, side a, uint32_t ref_a, side b, uint32_t ref_b) {
    if (walk->boxes == FRC_BOXES_END) {
        walk->leaves.pair[0] = (uint64_t)ref_a << 32 | ref_b;
        walk->leaves.count = 1;
        pair_resting(walk, a, b);
    } else {
        pair_moving(walk, a, ref_a & ~FRC_REF_LEAF, b, ref_b & ~FRC_REF_LEAF);
        frc_walk_flush(walk, false);
    }
}

// ---- nodes

// Two leaves may go elsewhere, which could not be foreseen: written to both places, and kept in
// one.
static inline void push(frc_walk* walk, uint32_t ref_a, uint32_t ref_b) {
    const uint64_t pair = (uint64_t)ref_a << 32 | ref_b;
    const uint32_t leaves = (ref_a & ref_b) >> 31 & walk->leaves.wanted;
    walk->stack.data[walk->stack.count] = walk->leaves.pair[walk->leaves.count] = pair;
    walk->leaves.count += leaves;
    walk->stack.count += 1 - leaves;
}

// Which children of a meet which of b: bit 4 i + j. All in one word, as each loop over bits ends
// with a branch that cannot be foreseen. A lane without a child meets nothing.
static inline uint32_t meet_children(const frc_walk* walk, const frc_node* a, const frc_node* b) {
    const box_lanes lanes = load_lanes(&b->box);
    lane_bits bits = lane_bits_none();
    for (uint32_t i = 0; i < 4; i++) {
        if (walk->reach > 0) {
            probe p = lane_probe(walk, &a->box, i);
            bits = lane_bits_add(bits, overlap_mask(&p, &b->box), i);
        } else {
            bits = lane_bits_add(bits, lane_meets(&a->box, i, &lanes), i);
        }
    }
    return lane_bits_get(bits);
}

static void step_self(frc_walk* walk, const frc_node* node) {
    // Each child with itself and with those after it.
    EACH_BIT(meet_children(walk, node, node) & 0x8cef, bit)
    push(walk, node->child[bit / 4], node->child[bit % 4]);
    walk->statistics.box_pairs += 4;
}

static void step_pair(frc_walk* walk, const frc_node* a, const frc_node* b) {
    EACH_BIT(meet_children(walk, a, b), bit) push(walk, a->child[bit / 4], b->child[bit % 4]);
    walk->statistics.box_pairs += 4;
}

// A leaf against the children of a node.
static void step_leaf(frc_walk* walk, const probe* leaf, uint32_t leaf_ref, const frc_node* node,
                      bool leaf_first) {
    EACH_BIT(overlaps(leaf, &node->box), j)
    if (leaf_first)
        push(walk, leaf_ref, node->child[j]);
    else
        push(walk, node->child[j], leaf_ref);
    walk->statistics.box_pairs++;
}

// The box of a leaf over the whole step stands with its parent.
static probe leaf_probe(const frc_walk* walk, side s, uint32_t number) {
    const frc_leaf* leaf = &s.block->leaves[number];
    return lane_probe(walk, &s.tree->nodes[leaf->parent].box, leaf->lane);
}

// One pair of references: push what it consists of, or pair the leaves. `same`: a and b are one
// block.
static void step(frc_walk* walk, side a, side b, bool same, uint32_t ref_a, uint32_t ref_b) {
    uint32_t number_a = ref_a & ~FRC_REF_LEAF, number_b = ref_b & ~FRC_REF_LEAF;
    bool leaf_a = ref_a & FRC_REF_LEAF, leaf_b = ref_b & FRC_REF_LEAF;
    // Nothing within a part that has a certificate touches anything else within it.
    if (same && ref_a == ref_b && walk->cull && frc_block_skips(a.block, walk->boxes, ref_a))
        return;
    if (leaf_a && leaf_b) {
        pair_leaves(walk, a, ref_a, b, ref_b);
    } else if (leaf_a || leaf_b) {
        probe p = leaf_a ? leaf_probe(walk, a, number_a) : leaf_probe(walk, b, number_b);
        const frc_node* node = leaf_a ? &b.tree->nodes[number_b] : &a.tree->nodes[number_a];
        step_leaf(walk, &p, leaf_a ? ref_a : ref_b, node, leaf_a);
    } else if (same && ref_a == ref_b) {
        step_self(walk, &a.tree->nodes[number_a]);
    } else {
        step_pair(walk, &a.tree->nodes[number_a], &b.tree->nodes[number_b]);
    }
}

static bool reserve_stack(frc_walk* walk) {
    if (FRC_ARRAY_RESERVE(walk->world->context, &walk->stack, walk->stack.count + 16)) return true;
    walk->out_of_memory = true;
    return false;
}

// ---- the tree over blocks

static frc_work top_work(uint64_t pair) {
    return (frc_work){FRC_TOP, FRC_TOP, (uint32_t)(pair >> 32), (uint32_t)pair};
}

// Two blocks whose boxes meet, as work on their roots; false when their bodies do not meet.
static bool block_pair(const frc_walk* walk, uint32_t leaf_a, uint32_t leaf_b, frc_work* out) {
    const frc_world* world = walk->world;
    uint32_t a = world->top->leaf_block[leaf_a & ~FRC_REF_LEAF];
    uint32_t b = world->top->leaf_block[leaf_b & ~FRC_REF_LEAF];
    *out = (frc_work){a < b ? a : b, a < b ? b : a, 0, 0};
    return frc_bodies_meet(world, world->blocks[a]->body, world->blocks[b]->body);
}

// One pair of references of which one is a node at least: push what it consists of.
static void step_top(frc_walk* walk, uint32_t ref_a, uint32_t ref_b) {
    const frc_top* top = walk->world->top;
    const frc_node* nodes = top->nodes[walk->boxes];
    bool leaf_a = ref_a & FRC_REF_LEAF, leaf_b = ref_b & FRC_REF_LEAF;
    if (ref_a == ref_b) {
        step_self(walk, &nodes[ref_a]);
    } else if (leaf_a || leaf_b) {
        uint32_t leaf = leaf_a ? ref_a : ref_b, node = leaf_a ? ref_b : ref_a;
        const frc_block* block = walk->world->blocks[top->leaf_block[leaf & ~FRC_REF_LEAF]];
        probe p = make_probe(walk, block->lo[walk->boxes], block->hi[walk->boxes]);
        step_leaf(walk, &p, leaf, &nodes[node], true);
    } else {
        step_pair(walk, &nodes[ref_a], &nodes[ref_b]);
    }
}

// ---- running

// A walk through blocks that began in the tree over blocks puts its pairs on top of those which
// wait there: `floor` is the first of its own.
typedef struct run {
    const frc_work* work;
    size_t floor;
} run;

// Somebody has nothing to do: the oldest pair that waits is the largest. One is kept.
static void share(frc_walk* walk, const run* r) {
    size_t oldest = walk->bottom;
    if (oldest + 2 > walk->stack.count) return;
    uint64_t pair = walk->stack.data[oldest];
    frc_work part = {r->work->block_a, r->work->block_b, (uint32_t)(pair >> 32), (uint32_t)pair};
    if (oldest < r->floor) part = top_work(pair);
    frc_task task;
    memcpy(&task, &part, sizeof task);
    if (frc_give(walk->hand, &task)) walk->bottom++;
}

static bool must_stop(frc_walk* walk) {
    if (frc_cancelled(walk->world->context)) walk->cancelled = true;
    return walk->cancelled;
}

// Leaves that have a certificate need not be paired with themselves.
static void drop_certified(frc_walk* walk, side a) {
    frc_leaf_pairs* p = &walk->leaves;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t ref_a = (uint32_t)(p->pair[i] >> 32), ref_b = (uint32_t)p->pair[i];
        p->pair[kept] = p->pair[i];
        kept += !(ref_a == ref_b && frc_block_skips(a.block, walk->boxes, ref_a));
    }
    p->count = kept;
}

static void pair_waiting(frc_walk* walk, side a, side b, bool same) {
    if (same && walk->cull) drop_certified(walk, a);
    pair_resting(walk, a, b);
}

static void walk_blocks(frc_walk* walk, const frc_work* work) {
    side a = block_side(walk, work->block_a), b = block_side(walk, work->block_b);
    bool same = work->block_a == work->block_b;
    run r = {work, walk->stack.count};
    if (!reserve_stack(walk)) return;
    push(walk, work->ref_a, work->ref_b);
    for (uint32_t steps = 0; walk->stack.count > r.floor && !walk->out_of_memory; steps++) {
        if (walk->cancelled || !reserve_stack(walk)) return;
        if (steps % 256 == 0 && must_stop(walk)) return;
        if (steps % 8 == 0 && frc_is_wanted(walk->hand)) share(walk, &r);
        if (walk->stack.count <= walk->bottom) break;
        uint64_t pair = walk->stack.data[--walk->stack.count];
        step(walk, a, b, same, (uint32_t)(pair >> 32), (uint32_t)pair);
        if (walk->leaves.count >= FRC_LEAF_PAIRS) pair_waiting(walk, a, b, same);
    }
    pair_waiting(walk, a, b, same);
}

static void run_blocks(frc_walk* walk, const frc_work* work) {
    walk->leaves.count = 0;
    walk->leaves.wanted = walk->boxes == FRC_BOXES_END;
    walk_blocks(walk, work);
    walk->leaves.wanted = false;
}

static void touch(frc_walk* walk, uint32_t block, uint32_t ref) {
    if (!(ref & FRC_REF_LEAF)) walk->touch(walk, block, ref);
}

// The same, but nodes are touched and nothing is given away. It stands apart so that the loop above
// need not ask.
static void run_touching(frc_walk* walk, const frc_work* work) {
    side a = block_side(walk, work->block_a), b = block_side(walk, work->block_b);
    bool same = work->block_a == work->block_b;
    size_t floor = walk->stack.count;
    if (!reserve_stack(walk)) return;
    push(walk, work->ref_a, work->ref_b);
    for (uint32_t steps = 0; walk->stack.count > floor && !walk->out_of_memory; steps++) {
        if (walk->cancelled || !reserve_stack(walk)) return;
        if (steps % 256 == 0 && must_stop(walk)) return;
        uint64_t pair = walk->stack.data[--walk->stack.count];
        touch(walk, work->block_a, (uint32_t)(pair >> 32));
        touch(walk, work->block_b, (uint32_t)pair);
        step(walk, a, b, same, (uint32_t)(pair >> 32), (uint32_t)pair);
    }
}

static void run_pair(frc_walk* walk, const frc_work* work) {
    if (walk->touch)
        run_touching(walk, work);
    else
        run_blocks(walk, work);
}

static void run_top(frc_walk* walk, const frc_work* work) {
    if (!reserve_stack(walk)) return;
    push(walk, work->ref_a, work->ref_b);
    while (walk->stack.count > walk->bottom && !walk->out_of_memory && !walk->cancelled) {
        uint64_t pair = walk->stack.data[--walk->stack.count];
        uint32_t ref_a = (uint32_t)(pair >> 32), ref_b = (uint32_t)pair;
        frc_work both;
        if (!(ref_a & ref_b & FRC_REF_LEAF)) {
            step_top(walk, ref_a, ref_b);
            if (!reserve_stack(walk)) return;
        } else if (block_pair(walk, ref_a, ref_b, &both)) {
            run_pair(walk, &both);
        }
    }
}

void frc_walk_run(frc_walk* walk, const frc_work* work) {
    walk->stack.count = walk->bottom = walk->leaves.count = 0;
    if (work->block_a == FRC_TOP)
        run_top(walk, work);
    else
        run_pair(walk, work);
}

static void add_part(frc_walk* walk, const frc_work* part, frc_work_list* out) {
    if (!FRC_ARRAY_PUSH(walk->world->context, out, *part)) walk->out_of_memory = true;
}

bool frc_walk_divide(frc_walk* walk, const frc_work* work, frc_work_list* out) {
    const bool top = work->block_a == FRC_TOP;
    walk->stack.count = 0;
    if (!reserve_stack(walk)) return false;
    if (work->ref_a & work->ref_b & FRC_REF_LEAF) {
        frc_work both;
        if (top && block_pair(walk, work->ref_a, work->ref_b, &both)) add_part(walk, &both, out);
        return top;
    }
    if (!top && walk->touch) {
        touch(walk, work->block_a, work->ref_a);
        touch(walk, work->block_b, work->ref_b);
    }
    if (top)
        step_top(walk, work->ref_a, work->ref_b);
    else
        step(walk, block_side(walk, work->block_a), block_side(walk, work->block_b),
             work->block_a == work->block_b, work->ref_a, work->ref_b);
    for (size_t i = 0; i < walk->stack.count; i++) {
        uint64_t pair = walk->stack.data[i];
        frc_work part = {work->block_a, work->block_b, (uint32_t)(pair >> 32), (uint32_t)pair};
        add_part(walk, &part, out);
    }
    return true;
}
