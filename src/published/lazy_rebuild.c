/// @file lazy_rebuild.c  Lazy rebuild: a new tree over the leaves below a node replaces the old one
/// in place.
///
/// A median split of the boxes of leaves orders them; regroup.c writes the new nodes.
#include "published/lazy_rebuild.h"
#include "bvh/metric.h"
#include "published/regroup.h"
#include <math.h>
#include <string.h>

typedef frc_regroup_part part;

frc_lazy* frc_lazy_create(fracas_context* context, frc_topology* topology, frc_top_tree* top) {
    frc_lazy* lazy = frc_allocate_zero(context, sizeof *lazy);
    if (!lazy) return NULL;
    lazy->workers = context->options.worker_count;
    lazy->topology = topology;
    lazy->top = top;
    lazy->scratch = frc_allocate_zero(context, lazy->workers * sizeof *lazy->scratch);
    if (lazy->scratch) return lazy;
    frc_release(context, lazy, sizeof *lazy);
    return NULL;
}

void frc_lazy_destroy(fracas_context* context, frc_lazy* lazy) {
    if (!lazy) return;
    for (uint32_t i = 0; i < lazy->workers; i++)
        frc_release(context, lazy->scratch[i].memory, lazy->scratch[i].size);
    frc_release(context, lazy->scratch, lazy->workers * sizeof *lazy->scratch);
    frc_release(context, lazy->top_nodes, lazy->top_capacity * sizeof *lazy->top_nodes);
    frc_release(context, lazy, sizeof *lazy);
}

char* frc_lazy_reserve(fracas_context* context, const frc_lazy* lazy, uint32_t worker,
                       size_t size) {
    frc_lazy_scratch* scratch = &lazy->scratch[worker];
    if (size > scratch->size) {
        size += size / 2;
        void* memory = frc_allocate(context, size);
        if (!memory) return NULL;
        frc_release(context, scratch->memory, scratch->size);
        scratch->memory = memory, scratch->size = size;
    }
    return scratch->memory;
}

static void set_baseline(frc_block* block, uint32_t first, uint32_t end) {
    const frc_lazy_nodes* nodes = block->search_data;
    for (uint32_t n = first; n < end; n++)
        nodes->base[n] = frc_node_volumes(&block->tree[FRC_BOXES_STEP].nodes[n]);
}

void frc_lazy_prepare(fracas_context* context, frc_block* block) {
    if (block->free_elements) return;
    if (!block->search_data) {
        const size_t base = block->node_count * sizeof(float);
        const size_t size = sizeof(frc_lazy_nodes) + base + block->node_count;
        frc_lazy_nodes* nodes = frc_allocate(context, size);
        if (!nodes) return;
        nodes->base = (float*)(nodes + 1);
        nodes->state = (_Atomic uint8_t*)((char*)nodes->base + base);
        block->search_data = nodes, block->search_data_size = size;
        set_baseline(block, 0, block->node_count);
    }
    for (uint32_t n = 0; n < block->node_count; n++)
        atomic_init(frc_lazy_state(block, n), FRC_NOT_VISITED);
}

static float least(float a, float b) { return b < a ? b : a; }
static float most(float a, float b) { return b > a ? b : a; }

// ---- the new tree

// Build the tree over the boxes of the leaves. False: no memory.
static bool plan_tree(fracas_context* context, const frc_block* block, const part* p,
                      frc_regroup* c) {
    for (uint32_t i = 0; i < p->leaf_count; i++) {
        const frc_box* box = &block->tree[FRC_BOXES_STEP].leaf_box[2 * (p->leaf + i)];
        frc_prim* prim = &c->prims[i];
        for (int k = 0; k < 3; k++) {
            prim->lo[k] = frc_clamp_to_finite(least(box[0].lo[k], box[1].lo[k]));
            prim->hi[k] = frc_clamp_to_finite(most(box[0].hi[k], box[1].hi[k]));
        }
        prim->id = i;
        prim->pad = 0;
    }
    return frc_lazy_plan_tree(context, &frc_lazy_median, c->prims, &c->plan);
}

static void fit_nodes(frc_block* block, const part* p) {
    frc_tree* tree = &block->tree[FRC_BOXES_STEP];
    for (uint32_t l = p->leaf; l < p->leaf + p->leaf_count; l++) {
        const frc_leaf* leaf = &block->leaves[l];
        const frc_box* box = &tree->leaf_box[2 * l];
        frc_box4* lanes = &tree->nodes[leaf->parent].box;
        if (!(box[0].lo[0] <= box[0].hi[0])) continue;  // an empty leaf
        for (int k = 0; k < 3; k++) {
            lanes->lo[k][leaf->lane] = least(box[0].lo[k], box[1].lo[k]);
            lanes->hi[k][leaf->lane] = most(box[0].hi[k], box[1].hi[k]);
        }
    }
    for (uint32_t n = p->node_end; n-- > p->node + 1;) frc_tree_fit_node(tree, n);
}

// ---- visiting a node

// Has the LM metric of the node fallen below 0.9, and below 0.9 of its baseline?
static bool is_degraded(const frc_block* block, uint32_t node) {
    const frc_node* n = &block->tree[FRC_BOXES_STEP].nodes[node];
    // A node of leaves alone cannot be improved.
    if (frc_regroup_last_inner(n) == FRC_REF_NONE) return false;
    float now = frc_node_volumes(n);
    return now < 0.9f && now < 0.9f * ((const frc_lazy_nodes*)block->search_data)->base[node];
}

bool frc_lazy_check(fracas_context* context, const frc_lazy* lazy, uint32_t worker,
                    frc_block* block, uint32_t node) {
    part p;
    frc_regroup c;
    if (!is_degraded(block, node) || !frc_regroup_find(block, node, &p)) return false;

    // Without memory the subtree stays as it is.
    const size_t size = frc_regroup_lay_out(block, NULL, &p, &c);
    char* memory = frc_lazy_reserve(context, lazy, worker, size);
    if (!memory) return false;
    frc_regroup_lay_out(block, memory, &p, &c);
    if (!plan_tree(context, block, &p, &c)) return false;
    if (!c.plan.fits) {
        // Try again only when the node has degraded further.
        set_baseline(block, node, node + 1);
        lazy->scratch[worker].did_not_fit++;
        return false;
    }

    frc_regroup_write(block, lazy->topology, &p, &c);
    fit_nodes(block, &p);
    set_baseline(block, p.node, p.node_end);
    for (uint32_t n = p.node + 1; n < p.node_end; n++)
        atomic_store_explicit(frc_lazy_state(block, n), FRC_VISITED, memory_order_relaxed);
    return true;
}
