/// @file refit.c  Compute the boxes of blocks from the positions of the points.
///
/// The scene rounds each position down once (frc_low). Everything here is minima and maxima of
/// floats, which are exact, and one final step: along each axis a box extends from the smallest
/// rounded position to the float after the largest.
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

static inline void add_point(frc_lows lows, uint32_t id, span whole[2]) {
    for (int end = 0; end < 2; end++) whole[end] = span_both(whole[end], span_of(lows, end, id));
}

// The box of a leaf at both ends of the step. The triangles contain the edges and points, unless
// the leaf is loose.
static inline void fit_both_ends(const frc_block* b, const frc_leaf* leaf, frc_lows lows,
                                 span whole[2]) {
    whole[0] = whole[1] = empty_span();
    for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s++)
        for (int k = 0; k < 3 && b->faces[s].id != FRACAS_NONE; k++)
            add_point(lows, b->faces[s].point[k], whole);
    if (!leaf->loose) return;
    for (uint32_t s = leaf->edge; s < leaf->edge + leaf->edge_count; s++)
        for (int k = 0; k < 2 && b->edges[s].point[0] != FRACAS_NONE; k++)
            add_point(lows, b->edges[s].point[k], whole);
    for (uint32_t s = leaf->vertex; s < leaf->vertex + leaf->vertex_count; s++)
        if (b->vertices[s] != FRACAS_NONE) add_point(lows, b->vertices[s], whole);
}

// The boxes of a leaf's triangles and free edges, the features of discrete queries, at the end of
// the step. Returns their union. Intervals of positions exist in continuous queries only.
static box fit_end(const frc_block* b, const frc_leaf* leaf, const frc_low* list,
                   const frc_tree* tree) {
    const frc_lows lows = same_lows(list);
    span whole = empty_span(), spans[4];
    for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s += 4) {
        const frc_face_slot* slot = &b->faces[s];
        for (int i = 0; i < 4; i++) {
            spans[i] = empty_slot_span();
            if (slot[i].id == FRACAS_NONE) continue;
            spans[i] = face_span(lows, 1, slot[i].point);
            whole = span_both(whole, spans[i]);
        }
        store_packet(&tree->face_box[s / 4], spans);
    }
    if (!b->free_elements) return span_box(whole);
    for (uint32_t s = leaf->edge; s < leaf->edge + leaf->edge_count; s += 4) {
        const frc_edge_slot* slot = &b->edges[s];
        for (int i = 0; i < 4; i++) {
            spans[i] = empty_slot_span();
            if (slot[i].point[0] == FRACAS_NONE) continue;
            spans[i] = edge_span(lows, 1, slot[i].point);
            whole = span_both(whole, spans[i]);
        }
        store_packet(&tree->edge_box[s / 4], spans);
    }
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
            fit_both_ends(b, leaf, same_lows(lows->lo), at);
        else
            fit_both_ends(b, leaf, *lows, at);
        for (int end = 0; end < 2; end++)
            store_box(&tree->leaf_box[2 * number + (uint32_t)end], span_box(at[end]));
        whole = span_box(span_both(at[0], at[1]));
    } else {
        whole = fit_end(b, leaf, lows->lo, tree);
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

// The union of a node's boxes; false when all lanes are empty.
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

// Leaves in increasing order, as they are in memory; nodes in decreasing order, children first.
// The root comes last, and with it the box of the block.
static void fit_range(const frc_block* block, const frc_lows* lows, frc_tree* tree, uint32_t begin,
                      uint32_t end, float lo[3], float hi[3]) {
    for (uint32_t n = begin; n < end; n++) {
        frc_node* node = &tree->nodes[n];
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t ref = node->child[i];
            if (ref == FRC_REF_NONE)
                clear_lane(&node->box, i);
            else if (ref & FRC_REF_LEAF)
                fit_leaf(block, lows, tree, ref & ~FRC_REF_LEAF);
        }
    }
    for (uint32_t n = end; n-- > begin;) frc_tree_fit_node(tree, n);
    if (begin > 0) return;
    fit_root(tree, lo, hi);
    frc_quantized_boxes_rescale(block, tree, lo, hi);
}

void frc_block_refit_into(const frc_block* block, const frc_lows* lows, frc_tree* tree, float lo[3],
                          float hi[3]) {
    fit_range(block, lows, tree, 0, block->node_count, lo, hi);
}

// Refit the stale leaves and the nodes above them, each node once, after its last stale child. The
// first loop counts the stale children of each node; the second counts them down to 0 again.
static void refit_stale(frc_block* block, frc_boxes boxes, const frc_lows* lows) {
    frc_tree* tree = &block->tree[boxes];
    uint8_t* pending = block->marks + block->leaf_count;
    for (size_t i = 0; i < block->stale.count; i++) {
        uint32_t n = block->leaves[block->stale.data[i]].parent;
        while (n != FRC_REF_NONE && pending[n]++ == 0) n = tree->nodes[n].parent;
    }
    for (size_t i = 0; i < block->stale.count; i++) {
        uint32_t leaf = block->stale.data[i], n = block->leaves[leaf].parent;
        fit_leaf(block, lows, tree, leaf);
        for (; n != FRC_REF_NONE && --pending[n] == 0; n = tree->nodes[n].parent)
            frc_tree_fit_node(tree, n);
    }
    fit_root(tree, block->lo[boxes], block->hi[boxes]);
    frc_quantized_boxes_rescale(block, tree, block->lo[boxes], block->hi[boxes]);
}

bool frc_block_needs_full_refit(const frc_block* block) {
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
        if (frc_block_needs_full_refit(block))
            frc_block_refit_into(block, lows, &block->tree[m], block->lo[m], block->hi[m]);
        else
            refit_stale(block, (frc_boxes)m, lows);
    }
}

// ---- many blocks

typedef struct refit_job {
    frc_block* const* blocks;
    frc_sized_block* full;  // blocks to refit completely
    uint32_t* partial;      // numbers of blocks with some stale leaves
    const frc_lows* lows;
} refit_job;

static void fit_nodes(frc_block* block, uint32_t begin, uint32_t end, void* data) {
    const refit_job* job = data;
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        if (block->tree[m].nodes)
            fit_range(block, job->lows, &block->tree[m], begin, end, block->lo[m], block->hi[m]);
}

static void fit_partial(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const refit_job* job = data;
    for (uint32_t i = begin; i < end; i++) frc_block_refit(job->blocks[job->partial[i]], job->lows);
}

bool frc_blocks_refit(fracas_context* context, frc_block* const* blocks,
                      const frc_sized_block* list, uint32_t count, frc_forest_cut_fn* cut,
                      const frc_lows* lows) {
    bool ok = true;
    refit_job job = {.blocks = blocks, .lows = lows};
    job.full = frc_allocate_array(context, count, sizeof *job.full, &ok);
    job.partial = frc_allocate_array(context, count, sizeof *job.partial, &ok);
    if (ok) {
        uint32_t full_count = 0, partial_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (list[i].nodes)
                job.full[full_count++] = list[i];
            else
                job.partial[partial_count++] = list[i].block;
        }
        ok = frc_blocks_bottom_up(context, blocks, job.full, full_count, cut, fit_nodes, &job);
        if (ok) frc_parallel_for(context, partial_count, 1, fit_partial, &job);
    }
    frc_release(context, job.partial, frc_array_size(count, sizeof *job.partial));
    frc_release(context, job.full, frc_array_size(count, sizeof *job.full));
    return ok;
}
