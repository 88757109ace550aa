/// @file refit.c  Bring the boxes of a block up to date with the points.
///
/// The box of a point is made once per point (scene); everything here is minima and maxima of
/// floats, which are exact: a box is the tightest float box of what it holds.
#include "base/simd.h"
#include "bvh/block.h"
#include "geom/box.h"
#include <math.h>
#include <string.h>

frc_point_box frc_point_box_end(const frc_point* p) {
    return (frc_point_box){
        {frc_round_down(p->x[1]), frc_round_down(p->y[1]), frc_round_down(p->z[1]), 0},
        {frc_round_up(p->x[1]),   frc_round_up(p->y[1]),   frc_round_up(p->z[1]),   0}
    };
}

static double smaller(const double v[2]) { return v[0] < v[1] ? v[0] : v[1]; }
static double larger(const double v[2]) { return v[0] > v[1] ? v[0] : v[1]; }

frc_point_box frc_point_box_step(const frc_point* p) {
    return (frc_point_box){
        {frc_round_down(smaller(p->x)), frc_round_down(smaller(p->y)),
         frc_round_down(smaller(p->z)),                                                            0},
        {frc_round_up(larger(p->x)),    frc_round_up(larger(p->y)),    frc_round_up(larger(p->z)), 0}
    };
}

// ---- boxes as two registers

typedef struct box {
    f32x4 lo, hi;
} box;

static box empty_box(void) { return (box){f32x4_splat(INFINITY), f32x4_splat(-INFINITY)}; }

static box load_box(const frc_point_box* p) { return (box){f32x4_load(p->lo), f32x4_load(p->hi)}; }

static box join(box a, box b) { return (box){f32x4_min(a.lo, b.lo), f32x4_max(a.hi, b.hi)}; }

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

static void fit_faces(const frc_block* b, const frc_leaf* leaf, const frc_point_box* point_box,
                      frc_box4* boxes, box* whole) {
    uint32_t end = leaf->face + (leaf->face_count + 3u) / 4 * 4;
    for (uint32_t s = leaf->face; s < end; s++) {
        const frc_face_slot* slot = &b->faces[s];
        if (slot->id == FRACAS_NONE) {
            clear_lane(&boxes[s / 4], s % 4);
            continue;
        }
        box face =
            join(join(load_box(&point_box[slot->point[0]]), load_box(&point_box[slot->point[1]])),
                 load_box(&point_box[slot->point[2]]));
        store_lane(&boxes[s / 4], s % 4, face);
        *whole = join(*whole, face);
    }
}

static void fit_edges(const frc_block* b, const frc_leaf* leaf, const frc_point_box* point_box,
                      frc_box4* boxes, box* whole) {
    uint32_t end = leaf->edge + (leaf->edge_count + 3u) / 4 * 4;
    for (uint32_t s = leaf->edge; s < end; s++) {
        const frc_edge_slot* slot = &b->edges[s];
        if (slot->point[0] == FRACAS_NONE) {
            clear_lane(&boxes[s / 4], s % 4);
            continue;
        }
        box edge = join(load_box(&point_box[slot->point[0]]), load_box(&point_box[slot->point[1]]));
        store_lane(&boxes[s / 4], s % 4, edge);
        *whole = join(*whole, edge);
    }
}

static void fit_vertices(const frc_block* b, const frc_leaf* leaf, const frc_point_box* point_box,
                         frc_box4* boxes, box* whole) {
    uint32_t end = leaf->vertex + (leaf->vertex_count + 3u) / 4 * 4;
    for (uint32_t s = leaf->vertex; s < end; s++) {
        if (b->vertices[s] == FRACAS_NONE) {
            clear_lane(&boxes[s / 4], s % 4);
            continue;
        }
        box vertex = load_box(&point_box[b->vertices[s]]);
        store_lane(&boxes[s / 4], s % 4, vertex);
        *whole = join(*whole, vertex);
    }
}

static void fit_leaf(const frc_block* b, frc_boxes boxes, const frc_point_box* point_box,
                     frc_tree* tree, uint32_t number) {
    const frc_leaf* leaf = &b->leaves[number];
    box whole = empty_box();
    fit_faces(b, leaf, point_box, tree->face_box, &whole);
    // The discrete query asks for triangles and free edges only.
    if (boxes == FRC_BOXES_STEP || b->free_elements)
        fit_edges(b, leaf, point_box, tree->edge_box, &whole);
    if (boxes == FRC_BOXES_STEP) fit_vertices(b, leaf, point_box, tree->vertex_box, &whole);
    frc_point_box* out = &tree->leaf_box[number];
    f32x4_store(out->lo, whole.lo);
    f32x4_store(out->hi, whole.hi);
    frc_node* parent = &tree->nodes[leaf->parent];
    if (out->lo[0] <= out->hi[0])
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

static void fit_node(frc_tree* tree, uint32_t number) {
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

static void clear_unused_lanes(frc_tree* tree, uint32_t node_count) {
    for (uint32_t n = 0; n < node_count; n++)
        for (uint32_t i = 0; i < 4; i++)
            if (tree->nodes[n].child[i] == FRC_REF_NONE) clear_lane(&tree->nodes[n].box, i);
}

void frc_block_refit_into(const frc_block* block, frc_boxes boxes, const frc_point_box* point_boxes,
                          frc_tree* tree, float lo[3], float hi[3]) {
    clear_unused_lanes(tree, block->node_count);
    for (uint32_t i = 0; i < block->leaf_count; i++) fit_leaf(block, boxes, point_boxes, tree, i);
    for (uint32_t n = block->node_count; n-- > 1;) fit_node(tree, n);
    fit_root(tree, lo, hi);
}

// From each stale leaf to the root. Paths that meet are walked twice: with few leaves that is
// cheaper than finding out, with many the whole block is refitted.
static void refit_stale(frc_block* block, frc_boxes boxes, const frc_point_box* point_boxes) {
    frc_tree* tree = &block->tree[boxes];
    for (size_t i = 0; i < block->stale.count; i++)
        fit_leaf(block, boxes, point_boxes, tree, block->stale.data[i]);
    for (size_t i = 0; i < block->stale.count; i++)
        for (uint32_t n = block->leaves[block->stale.data[i]].parent; n != FRC_REF_NONE;
             n = tree->nodes[n].parent)
            fit_node(tree, n);
    fit_root(tree, block->lo[boxes], block->hi[boxes]);
}

void frc_block_refit(frc_block* block, frc_point_box* const point_boxes[FRC_BOXES_COUNT]) {
    bool all = block->all_stale || block->stale.count > block->leaf_count / 8;
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        if (!block->tree[m].nodes) continue;
        if (all)
            frc_block_refit_into(block, (frc_boxes)m, point_boxes[m], &block->tree[m], block->lo[m],
                                 block->hi[m]);
        else
            refit_stale(block, (frc_boxes)m, point_boxes[m]);
    }
    block->all_stale = false;
    block->stale.count = 0;
}
