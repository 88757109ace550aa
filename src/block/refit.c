/// @file refit.c  Bring the boxes of a block up to date with the points.
///
/// The low of a point is made once per point (scene); everything here is minima and maxima of
/// floats, which are exact, and one step up in the end: along each axis a box goes from the least
/// low of what it holds to the float after the largest.
#include "base/parallel.h"
#include "block/bottom_up.h"
#include "block/quantized_boxes.h"
#include "block/simd_box.h"
#include "geom/box.h"
#include <math.h>
#include <string.h>

frc_low frc_low_of(const frc_point* p) {
    frc_low low;
    for (int end = 0; end < 2; end++) {
        const double at[3] = {p->x[end], p->y[end], p->z[end]};
        for (int k = 0; k < 3; k++) low.at[end][k] = frc_round_down(at[k]) + 0.0F;  // -0 becomes 0
        low.at[end][3] = 0;
    }
    return low;
}

// ---- lanes of a packet

static void store_lane(frc_box4* packet, uint32_t lane, box b) {
    float lo[4], hi[4];
    f32x4_store(lo, b.lo);
    f32x4_store(hi, b.hi);
    for (int k = 0; k < 3; k++) {
        packet->lo[k][lane] = lo[k];
        packet->hi[k][lane] = hi[k];
    }
}

static void clear_lane(frc_box4* packet, uint32_t lane) {
    for (int k = 0; k < 3; k++) packet->lo[k][lane] = packet->hi[k][lane] = NAN;
}

// ---- leaves

static inline void join_point(frc_lows lows, uint32_t id, span whole[2]) {
    for (int end = 0; end < 2; end++) whole[end] = span_both(whole[end], span_of(lows, end, id));
}

// Edges and points of a leaf belong to its triangles, unless it is loose.
static inline void fit_moving(const frc_block* b, const frc_leaf* leaf, frc_lows lows,
                              span whole[2]) {
    whole[0] = whole[1] = empty_span();
    for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s++)
        for (int k = 0; k < 3 && b->faces[s].id != FRACAS_NONE; k++)
            join_point(lows, b->faces[s].point[k], whole);
    if (!leaf->loose) return;
    for (uint32_t s = leaf->edge; s < leaf->edge + leaf->edge_count; s++)
        for (int k = 0; k < 2 && b->edges[s].point[0] != FRACAS_NONE; k++)
            join_point(lows, b->edges[s].point[k], whole);
    for (uint32_t s = leaf->vertex; s < leaf->vertex + leaf->vertex_count; s++)
        if (b->vertices[s] != FRACAS_NONE) join_point(lows, b->vertices[s], whole);
}

// An empty slot is not part of the whole.
static inline void add_slot(span* slot, bool empty, span s, span* whole) {
    *slot = empty ? no_span() : s;
    if (!empty) *whole = span_both(*whole, s);
}

static void fit_faces(const frc_block* b, const frc_leaf* leaf, frc_lows lows, const frc_tree* tree,
                      span* whole) {
    for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s += 4) {
        const frc_face_slot* slot = &b->faces[s];
        span spans[4];
        for (int i = 0; i < 4; i++) {
            bool empty = slot[i].id == FRACAS_NONE;
            add_slot(&spans[i], empty, empty ? empty_span() : face_span(lows, 1, slot[i].point),
                     whole);
        }
        store_packet(&tree->face_box[s / 4], spans);
    }
}

static void fit_edges(const frc_block* b, const frc_leaf* leaf, frc_lows lows, const frc_tree* tree,
                      span* whole) {
    for (uint32_t s = leaf->edge; s < leaf->edge + leaf->edge_count; s += 4) {
        const frc_edge_slot* slot = &b->edges[s];
        span spans[4];
        for (int i = 0; i < 4; i++) {
            bool empty = slot[i].point[0] == FRACAS_NONE;
            add_slot(&spans[i], empty, empty ? empty_span() : edge_span(lows, 1, slot[i].point),
                     whole);
        }
        store_packet(&tree->edge_box[s / 4], spans);
    }
}

// The discrete query asks for triangles and free edges only.
static box fit_resting(const frc_block* b, const frc_leaf* leaf, const frc_lows* lows,
                       const frc_tree* tree) {
    span whole = empty_span();
    // At rest both bounds are from one list.
    const frc_lows same = same_lows(lows->lo);
    fit_faces(b, leaf, same, tree, &whole);
    if (b->free_elements) fit_edges(b, leaf, same, tree, &whole);
    return span_box(whole);
}

static void fit_leaf(const frc_block* b, const frc_lows* lows, const frc_tree* tree,
                     uint32_t number) {
    const frc_leaf* leaf = &b->leaves[number];
    if (leaf->parent == FRC_REF_NONE) return;  // not in use
    box whole;
    if (tree->ends == 2) {
        span at[2];
        if (lows->lo == lows->hi)
            fit_moving(b, leaf, same_lows(lows->lo), at);
        else
            fit_moving(b, leaf, *lows, at);
        for (int end = 0; end < 2; end++)
            store_box(&tree->leaf_box[2 * number + (uint32_t)end], span_box(at[end]));
        whole = span_box(span_both(at[0], at[1]));
    } else {
        whole = fit_resting(b, leaf, lows, tree);
        if (tree->cells) frc_quantized_boxes_fit(b, tree, number, whole.lo, whole.hi);
    }
    float lo[4], hi[4];
    f32x4_store(lo, whole.lo);
    f32x4_store(hi, whole.hi);
    frc_node* parent = &tree->nodes[leaf->parent];
    if (lo[0] <= hi[0])
        store_lane(&parent->box, leaf->lane, whole);
    else
        clear_lane(&parent->box, leaf->lane);
}

// ---- nodes

// The box of a node's children, skipping empty ones; false when all are.
static bool node_box(const frc_node* node, box* out) {
    float lo[4] = {INFINITY, INFINITY, INFINITY, 0}, hi[4] = {-INFINITY, -INFINITY, -INFINITY, 0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++) {
            // Comparisons with an empty lane are false.
            if (node->box.lo[k][i] < lo[k]) lo[k] = node->box.lo[k][i];
            if (node->box.hi[k][i] > hi[k]) hi[k] = node->box.hi[k][i];
        }
    *out = (box){f32x4_load(lo), f32x4_load(hi)};
    return lo[0] <= hi[0];
}

void frc_tree_fit_node(frc_tree* tree, uint32_t number) {
    const frc_node* node = &tree->nodes[number];
    if (node->parent == FRC_REF_NONE) return;
    box whole;
    frc_node* parent = &tree->nodes[node->parent];
    if (node_box(node, &whole))
        store_lane(&parent->box, node->lane, whole);
    else
        clear_lane(&parent->box, node->lane);
}

static void fit_root(const frc_tree* tree, float lo[3], float hi[3]) {
    box whole;
    float out[8] = {0};
    bool some = node_box(&tree->nodes[0], &whole);
    f32x4_store(out, whole.lo);
    f32x4_store(out + 4, whole.hi);
    for (int k = 0; k < 3; k++) {
        lo[k] = some ? out[k] : NAN;
        hi[k] = some ? out[k + 4] : NAN;
    }
}

// The leaves of a node, and the lanes that it does not use.
static void fit_leaves(const frc_block* block, const frc_lows* lows, const frc_tree* tree,
                       uint32_t number) {
    frc_node* node = &tree->nodes[number];
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t ref = node->child[i];
        if (ref == FRC_REF_NONE)
            clear_lane(&node->box, i);
        else if (ref & FRC_REF_LEAF)
            fit_leaf(block, lows, tree, ref & ~FRC_REF_LEAF);
    }
}

// Leaves forward, which is how memory likes to be read; nodes backward, as parents come first.
static void fit_nodes_of(const frc_block* block, const frc_lows* lows, frc_tree* tree,
                         uint32_t begin, uint32_t end) {
    for (uint32_t n = begin; n < end; n++) fit_leaves(block, lows, tree, n);
    for (uint32_t n = end; n-- > begin;) frc_tree_fit_node(tree, n);
}

void frc_block_refit_into(const frc_block* block, const frc_lows* lows, frc_tree* tree, float lo[3],
                          float hi[3]) {
    fit_nodes_of(block, lows, tree, 0, block->node_count);
    fit_root(tree, lo, hi);
    frc_quantized_boxes_rescale(block, tree, lo, hi);
}

// Stale leaves, then the nodes above them, each once: a node waits for all of its children that are
// refitted. How many it waits for is counted first; every count is 0 again afterwards.
static void refit_stale(frc_block* block, frc_boxes boxes, const frc_lows* lows) {
    frc_tree* tree = &block->tree[boxes];
    uint8_t* waits_for = block->marks + block->leaf_count;
    for (size_t i = 0; i < block->stale.count; i++) {
        uint32_t n = block->leaves[block->stale.data[i]].parent;
        while (n != FRC_REF_NONE && waits_for[n]++ == 0) n = tree->nodes[n].parent;
    }
    for (size_t i = 0; i < block->stale.count; i++) {
        uint32_t leaf = block->stale.data[i], n = block->leaves[leaf].parent;
        fit_leaf(block, lows, tree, leaf);
        for (; n != FRC_REF_NONE && --waits_for[n] == 0; n = tree->nodes[n].parent)
            frc_tree_fit_node(tree, n);
    }
    fit_root(tree, block->lo[boxes], block->hi[boxes]);
    frc_quantized_boxes_rescale(block, tree, block->lo[boxes], block->hi[boxes]);
}

bool frc_block_is_stale_all_over(const frc_block* block) {
    return block->all_stale || block->stale.count > block->leaf_count / 2;
}

void frc_block_clear_stale(frc_block* block) {
    for (size_t i = 0; i < block->stale.count; i++) block->marks[block->stale.data[i]] = 0;
    block->all_stale = false;
    block->stale.count = 0;
}

void frc_block_refit(frc_block* block, const frc_lows* lows) {
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        if (!block->tree[m].nodes) continue;
        if (frc_block_is_stale_all_over(block))
            frc_block_refit_into(block, lows, &block->tree[m], block->lo[m], block->hi[m]);
        else
            refit_stale(block, (frc_boxes)m, lows);
    }
}

// ---- many blocks

typedef struct crowd {
    frc_block* const* blocks;
    frc_tall* talls;   // of those that are stale all over
    uint32_t* partly;  // numbers of those with some stale leaves
    const frc_lows* lows;
} crowd;

// The root comes last.
static void fit_nodes(frc_block* block, uint32_t begin, uint32_t end, void* data) {
    const crowd* c = data;
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        frc_tree* tree = &block->tree[m];
        if (!tree->nodes) continue;
        fit_nodes_of(block, c->lows, tree, begin, end);
        if (begin > 0) continue;
        fit_root(tree, block->lo[m], block->hi[m]);
        frc_quantized_boxes_rescale(block, tree, block->lo[m], block->hi[m]);
    }
}

static void fit_partly(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const crowd* c = data;
    for (uint32_t i = begin; i < end; i++) frc_block_refit(c->blocks[c->partly[i]], c->lows);
}

bool frc_blocks_refit(fracas_context* context, frc_block* const* blocks, const frc_tall* list,
                      uint32_t count, frc_forest_cut_fn* cut, const frc_lows* lows) {
    bool ok = true;
    crowd c = {.blocks = blocks, .lows = lows};
    c.talls = frc_allocate_array(context, count, sizeof *c.talls, &ok);
    c.partly = frc_allocate_array(context, count, sizeof *c.partly, &ok);
    if (ok) {
        uint32_t whole_count = 0, part_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (list[i].nodes)
                c.talls[whole_count++] = list[i];
            else
                c.partly[part_count++] = list[i].block;
        }
        ok = frc_blocks_bottom_up(context, blocks, c.talls, whole_count, cut, fit_nodes, &c);
        if (ok) frc_parallel_for(context, part_count, 1, fit_partly, &c);
    }
    frc_release(context, c.partly, frc_array_size(count, sizeof *c.partly));
    frc_release(context, c.talls, frc_array_size(count, sizeof *c.talls));
    return ok;
}
