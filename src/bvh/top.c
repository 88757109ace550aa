/// @file top.c  The tree over blocks: built anew when blocks come and go, refitted when they move.
#include "bvh/top.h"
#include <math.h>
#include <string.h>

static bool usable(const frc_block* block) { return block && !block->dead; }

static uint32_t make_prims(frc_block* const* blocks, uint32_t block_count, uint32_t modes,
                           frc_prim* prims) {
    uint32_t count = 0;
    int m = modes & FRACAS_CONTINUOUS ? FRC_BOXES_STEP : FRC_BOXES_END;
    for (uint32_t i = 0; i < block_count; i++) {
        if (!usable(blocks[i])) continue;
        frc_prim* prim = &prims[count++];
        prim->id = i;
        for (int k = 0; k < 3; k++) {
            // An emptied block has no box; any place will do.
            float lo = blocks[i]->lo[m][k], hi = blocks[i]->hi[m][k];
            prim->lo[k] = lo <= hi ? frc_prim_bound(lo) : 0;
            prim->hi[k] = lo <= hi ? frc_prim_bound(hi) : 0;
        }
    }
    return count;
}

static bool make_nodes(fracas_context* context, const frc_prim* prims, uint32_t modes,
                       frc_top* top) {
    const frc_shape* shape = &top->shape;
    top->leaf_capacity = shape->leaf_count;
    top->node_capacity = shape->node_count;
    top->leaf_block = frc_allocate(context, top->leaf_capacity * sizeof *top->leaf_block);
    if (!top->leaf_block) return false;
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        top->leaf_block[i] = prims[shape->leaves[i].first].id;
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        if (!(modes & (m == FRC_BOXES_END ? FRACAS_DISCRETE : FRACAS_CONTINUOUS))) continue;
        top->nodes[m] = frc_allocate(context, top->node_capacity * sizeof(frc_node));
        if (!top->nodes[m]) return false;
        memcpy(top->nodes[m], shape->nodes, shape->node_count * sizeof(frc_node));
    }
    return true;
}

bool frc_top_build(fracas_context* context, frc_block* const* blocks, uint32_t block_count,
                   uint32_t modes, frc_top* top) {
    frc_top_release(context, top);
    if (block_count == 0) return true;
    size_t size = block_count * sizeof(frc_prim);
    frc_prim* prims = frc_allocate(context, size);
    if (!prims) return false;
    uint32_t count = make_prims(blocks, block_count, modes, prims);
    const frc_build_options how = {.builder = FRACAS_BUILD_SAH, .leaf_size = 1};
    bool ok = count == 0 || (frc_tree_build(context, &how, prims, count, &top->shape) &&
                             make_nodes(context, prims, modes, top));
    frc_release(context, prims, size);
    if (!ok) {
        frc_top_release(context, top);
        return false;
    }
    frc_top_refit(blocks, top);
    return true;
}

static void set_lane(frc_box4* packet, uint32_t lane, const float lo[3], const float hi[3]) {
    for (int k = 0; k < 3; k++) {
        packet->lo[k][lane] = lo[k];
        packet->hi[k][lane] = hi[k];
    }
}

// The box of all children that are not empty; NaN when all are.
static void join_lanes(const frc_box4* packet, float lo[3], float hi[3]) {
    for (int k = 0; k < 3; k++) {
        lo[k] = hi[k] = NAN;
        for (int i = 0; i < 4; i++) {
            if (!(packet->lo[k][i] >= lo[k]))
                lo[k] = packet->lo[k][i] == packet->lo[k][i] ? packet->lo[k][i] : lo[k];
            if (!(packet->hi[k][i] <= hi[k]))
                hi[k] = packet->hi[k][i] == packet->hi[k][i] ? packet->hi[k][i] : hi[k];
        }
    }
}

void frc_top_refit(frc_block* const* blocks, frc_top* top) {
    const float none[3] = {NAN, NAN, NAN};
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        frc_node* nodes = top->nodes[m];
        if (!nodes) continue;
        for (uint32_t n = 0; n < top->shape.node_count; n++)
            for (uint32_t i = 0; i < 4; i++) set_lane(&nodes[n].box, i, none, none);
        for (uint32_t i = 0; i < top->shape.leaf_count; i++) {
            const frc_leaf_range* leaf = &top->shape.leaves[i];
            const frc_block* block = blocks[top->leaf_block[i]];
            set_lane(&nodes[leaf->parent].box, leaf->lane, block->lo[m], block->hi[m]);
        }
        for (uint32_t n = top->shape.node_count; n-- > 1;) {
            float lo[3], hi[3];
            join_lanes(&nodes[n].box, lo, hi);
            set_lane(&nodes[nodes[n].parent].box, nodes[n].lane, lo, hi);
        }
    }
}

void frc_top_release(fracas_context* context, frc_top* top) {
    frc_release(context, top->leaf_block, top->leaf_capacity * sizeof *top->leaf_block);
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        frc_release(context, top->nodes[m], top->node_capacity * sizeof(frc_node));
    frc_shape_release(context, &top->shape);
    memset(top, 0, sizeof *top);
}
