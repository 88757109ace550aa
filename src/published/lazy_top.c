/// @file lazy_top.c  Lazy rebuild of the tree over blocks.
///
/// Based on: kim2009, whose one tree has the trees of all bodies as its lower part. A new tree over
/// the blocks below a node replaces the old one, in the same nodes; blocks keep their own trees.
/// Nodes that are not needed stay unused until the query ends: the list of unused nodes is shared
/// by all workers. The costs of nodes above the rebuilt one are computed then, too.
#include "bvh/metric.h"
#include "published/lazy_plan.h"
#include "published/lazy_rebuild.h"
#include <string.h>

static frc_node* nodes_of(const frc_lazy* lazy) { return lazy->top->nodes[FRC_BOXES_STEP]; }

void frc_lazy_prepare_top(fracas_context* context, frc_lazy* lazy) {
    const uint32_t old = lazy->top_capacity, wanted = lazy->top->capacity + 1;
    if (lazy->top->node_count > old) {
        // Without memory the new nodes are not rebuilt.
        frc_lazy_top_node* nodes = frc_allocate_zero(context, wanted * sizeof *nodes);
        if (nodes) {
            if (old > 0) memcpy(nodes, lazy->top_nodes, old * sizeof *nodes);
            frc_release(context, lazy->top_nodes, old * sizeof *nodes);
            lazy->top_nodes = nodes, lazy->top_capacity = wanted;
        }
    }
    for (uint32_t n = 0; n < lazy->top->node_count && n < lazy->top_capacity; n++) {
        frc_lazy_top_node* node = &lazy->top_nodes[n];
        if (memcmp(node->child, nodes_of(lazy)[n].child, sizeof node->child) != 0) node->base = 0;
        atomic_init(&node->state, FRC_NOT_VISITED);
    }
}

static void set_baseline(const frc_lazy* lazy, uint32_t n) {
    const frc_node* node = &nodes_of(lazy)[n];
    memcpy(lazy->top_nodes[n].child, node->child, sizeof node->child);
    lazy->top_nodes[n].base = frc_node_volumes(node);
}

// Has the LM metric of the node fallen below 0.9, and below 0.9 of its value after the last
// rebuild?
static bool is_degraded(const frc_lazy* lazy, uint32_t n) {
    const frc_node* node = &nodes_of(lazy)[n];
    bool inner = false;
    for (int i = 0; i < 4; i++) inner = inner || !(node->child[i] & FRC_REF_LEAF);
    const float base = lazy->top_nodes[n].base, now = inner ? frc_node_volumes(node) : 1;
    return now < 0.9f && (base == 0 || now < 0.9f * base);
}

typedef struct part {
    uint32_t *numbers, node_count;  // the node, and all below it, each after its parent
    uint32_t *blocks, block_count;
    frc_prim* prims;  // by block
    frc_lazy_plan plan;
} part;

// Assign the arrays. Returns the size of them all.
static size_t lay_out(char* memory, uint32_t blocks, part* p) {
    size_t at = 0;
    p->numbers = frc_lazy_piece(memory, &at, (blocks + 1) * sizeof *p->numbers);
    p->blocks = frc_lazy_piece(memory, &at, blocks * sizeof *p->blocks);
    p->prims = frc_lazy_piece(memory, &at, blocks * sizeof *p->prims);
    p->plan.nodes = frc_lazy_piece(memory, &at, (blocks + 1) * sizeof *p->plan.nodes);
    p->plan.from = frc_lazy_piece(memory, &at, blocks * sizeof *p->plan.from);
    return at;
}

static frc_prim make_prim(const frc_block* block, uint32_t id) {
    frc_prim prim = {.id = id};
    for (int k = 0; k < 3; k++) {
        // An empty block has no box; any position is valid.
        const float lo = block->lo[FRC_BOXES_STEP][k], hi = block->hi[FRC_BOXES_STEP][k];
        prim.lo[k] = lo <= hi ? frc_clamp_to_finite(lo) : 0;
        prim.hi[k] = lo <= hi ? frc_clamp_to_finite(hi) : 0;
    }
    return prim;
}

static void list_part(const frc_lazy* lazy, frc_block* const* blocks, uint32_t node, part* p) {
    p->numbers[0] = node;
    p->node_count = 1;
    p->block_count = 0;
    for (uint32_t i = 0; i < p->node_count; i++)
        for (int lane = 0; lane < 4; lane++) {
            const uint32_t ref = nodes_of(lazy)[p->numbers[i]].child[lane];
            if (ref == FRC_REF_NONE) continue;
            if (!(ref & FRC_REF_LEAF)) {
                p->numbers[p->node_count++] = ref;
                continue;
            }
            const uint32_t block = ref & ~FRC_REF_LEAF;
            p->prims[p->block_count] = make_prim(blocks[block], p->block_count);
            p->blocks[p->block_count++] = block;
        }
    p->plan.node_capacity = p->node_count;
    p->plan.leaf_count = p->block_count;
}

bool frc_lazy_check_top(fracas_context* context, const frc_lazy* lazy, uint32_t worker,
                        frc_block* const* blocks, uint32_t node) {
    frc_top_tree* top = lazy->top;
    part p;
    if (!is_degraded(lazy, node)) return false;
    // Without memory the subtree stays as it is.
    const uint32_t count = top->info[node].leaves;
    char* memory = frc_lazy_reserve(context, lazy, worker, lay_out(NULL, count, &p));
    if (!memory) return false;
    lay_out(memory, count, &p);
    list_part(lazy, blocks, node, &p);
    if (!frc_lazy_plan_tree(context, &frc_lazy_median, p.prims, &p.plan)) return false;
    if (!p.plan.fits) {
        // Try again only when the node has degraded further.
        set_baseline(lazy, node);
        lazy->scratch[worker].did_not_fit++;
        return false;
    }
    // From the number of a primitive to that of its block.
    for (uint32_t i = 0; i < count; i++) p.plan.from[i] = p.blocks[p.plan.from[i]];
    frc_top_tree_rearrange(top, blocks, p.numbers, p.node_count, p.plan.nodes, p.plan.node_count,
                           p.plan.from);
    for (uint32_t i = 0; i < p.plan.node_count; i++) set_baseline(lazy, p.numbers[i]);
    return true;
}
