/// @file lazy_rebuild.c  Lazy rebuild: a new tree over the leaves below a node replaces the old one
/// in place.
///
/// Leaves keep their features. A median split of their boxes orders them. Leaves and slots are then
/// permuted into this order within the ranges that they occupy. The node keeps its number, its
/// parent and its box: nothing above it changes.
///
/// The new tree must not have more nodes than the old one (lazy_plan.c).
#include "published/lazy_rebuild.h"
#include "block/fill_leaves.h"
#include "bvh/metric.h"
#include "published/lazy_plan.h"
#include <math.h>
#include <string.h>

enum { FACES, EDGES, VERTICES, KINDS };

// A subtree. Nothing outside of it is read: other workers may be writing there.
typedef struct part {
    uint32_t node, node_end, leaf, leaf_count;
    uint32_t begin[KINDS], end[KINDS];  // slots
} part;

typedef struct slots {
    char* data;
    size_t size;  // of one
} slots;

// A copy of the subtree as it was, and the plan of the new one, whose leaves are numbered from the
// first of the part.
typedef struct copy {
    frc_leaf* leaves;
    frc_box* leaf_boxes;
    slots kind[KINDS];
    frc_prim* prims;
    frc_lazy_plan plan;
} copy;

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

// ---- the subtree as it is

static uint32_t padded(uint32_t count) { return (count + 3) / 4 * 4; }

static void slots_of(const frc_leaf* leaf, uint32_t first[KINDS], uint32_t count[KINDS]) {
    first[FACES] = leaf->face, count[FACES] = padded(leaf->face_count);
    first[EDGES] = leaf->edge, count[EDGES] = padded(leaf->edge_count);
    first[VERTICES] = leaf->vertex, count[VERTICES] = padded(leaf->vertex_count);
}

static uint32_t last_inner(const frc_node* node) {
    uint32_t last = FRC_REF_NONE;
    for (int i = 0; i < 4; i++)
        if (!(node->child[i] & FRC_REF_LEAF)) last = node->child[i];
    return last;
}

// Find the ranges of nodes, leaves and slots. False: the leaves are not contiguous, or, packed,
// would need more slots than their ranges have.
static bool find_part(const frc_block* block, uint32_t node, part* p) {
    const frc_node* nodes = block->tree[FRC_BOXES_STEP].nodes;
    uint32_t last = node, lowest = UINT32_MAX, highest = 0, count = 0;
    for (uint32_t next = last_inner(&nodes[node]); next != FRC_REF_NONE;
         next = last_inner(&nodes[next]))
        last = next;
    for (uint32_t n = node; n <= last; n++)
        for (int i = 0; i < 4; i++) {
            uint32_t ref = nodes[n].child[i], leaf = ref & ~FRC_REF_LEAF;
            if (ref == FRC_REF_NONE || !(ref & FRC_REF_LEAF)) continue;
            if (leaf < lowest) lowest = leaf;
            if (leaf > highest) highest = leaf;
            count++;
        }
    *p = (part){.node = node, .node_end = last + 1, .leaf = lowest, .leaf_count = count};
    if (count == 0 || highest - lowest + 1 != count) return false;

    uint32_t first[KINDS], slot_count[KINDS], sum[KINDS] = {0};
    for (int k = 0; k < KINDS; k++) p->begin[k] = UINT32_MAX, p->end[k] = 0;
    for (uint32_t i = 0; i < count; i++) {
        slots_of(&block->leaves[p->leaf + i], first, slot_count);
        for (int k = 0; k < KINDS; k++) {
            if (first[k] < p->begin[k]) p->begin[k] = first[k];
            if (first[k] + slot_count[k] > p->end[k]) p->end[k] = first[k] + slot_count[k];
            sum[k] += slot_count[k];
        }
    }
    bool fits = true;
    for (int k = 0; k < KINDS; k++) fits = fits && sum[k] <= p->end[k] - p->begin[k];
    return fits;
}

static void slots_in(const frc_block* block, slots kind[KINDS]) {
    kind[FACES] = (slots){(char*)block->faces, sizeof *block->faces};
    kind[EDGES] = (slots){(char*)block->edges, sizeof *block->edges};
    kind[VERTICES] = (slots){(char*)block->vertices, sizeof *block->vertices};
}

// ---- a copy of it, in the scratch memory of the worker

// Assign the arrays of the copy. Returns the size of them all.
static size_t lay_out(char* memory, const part* p, copy* c) {
    size_t at = 0;
    c->leaves = frc_lazy_piece(memory, &at, p->leaf_count * sizeof *c->leaves);
    c->leaf_boxes = frc_lazy_piece(memory, &at, 2 * p->leaf_count * sizeof *c->leaf_boxes);
    c->prims = frc_lazy_piece(memory, &at, p->leaf_count * sizeof *c->prims);
    c->plan = (frc_lazy_plan){.node_capacity = p->node_end - p->node, .leaf_count = p->leaf_count};
    c->plan.nodes = frc_lazy_piece(memory, &at, c->plan.node_capacity * sizeof *c->plan.nodes);
    c->plan.from = frc_lazy_piece(memory, &at, p->leaf_count * sizeof *c->plan.from);
    for (int k = 0; k < KINDS; k++) {
        size_t count = p->end[k] - p->begin[k];
        c->kind[k].data = frc_lazy_piece(memory, &at, count * c->kind[k].size);
    }
    return at;
}

static void fill_copy(const frc_block* block, const part* p, copy* c) {
    slots here[KINDS];
    slots_in(block, here);
    memcpy(c->leaves, &block->leaves[p->leaf], p->leaf_count * sizeof *c->leaves);
    memcpy(c->leaf_boxes, &block->tree[FRC_BOXES_STEP].leaf_box[2 * p->leaf],
           2 * p->leaf_count * sizeof *c->leaf_boxes);
    for (int k = 0; k < KINDS; k++) {
        size_t count = p->end[k] - p->begin[k], size = here[k].size;
        memcpy(c->kind[k].data, here[k].data + p->begin[k] * size, count * size);
    }
}

// ---- the new tree

// Build the tree over the boxes of the leaves. False: no memory.
static bool plan_tree(fracas_context* context, const frc_block* block, const part* p, copy* c) {
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
    return frc_lazy_plan_tree(context, c->prims, &c->plan);
}

// ---- the new order

// Write leaves and their slots back in the new order, packed.
static void write_leaves(frc_block* block, const part* p, const copy* c) {
    uint32_t at[KINDS] = {p->begin[FACES], p->begin[EDGES], p->begin[VERTICES]};
    slots here[KINDS];
    slots_in(block, here);
    for (uint32_t to = 0; to < p->leaf_count; to++) {
        const uint32_t from = c->plan.from[to];
        uint32_t first[KINDS], count[KINDS];
        slots_of(&c->leaves[from], first, count);
        frc_leaf* leaf = &block->leaves[p->leaf + to];
        *leaf = c->leaves[from];
        leaf->face = at[FACES], leaf->edge = at[EDGES], leaf->vertex = at[VERTICES];
        memcpy(&block->tree[FRC_BOXES_STEP].leaf_box[2 * (p->leaf + to)], &c->leaf_boxes[2 * from],
               2 * sizeof *c->leaf_boxes);
        for (int k = 0; k < KINDS; k++) {
            size_t offset = first[k] - p->begin[k], size = here[k].size;
            memcpy(here[k].data + at[k] * size, c->kind[k].data + offset * size, count[k] * size);
            at[k] += count[k];
        }
    }
    // All bits set are an empty slot of each kind.
    for (int k = 0; k < KINDS; k++)
        memset(here[k].data + at[k] * here[k].size, 0xff, (p->end[k] - at[k]) * here[k].size);
    frc_write_leaf_numbers(block, p->leaf, p->leaf_count);
}

// Write the new slots of features into the topology.
static void write_places(const frc_block* block, frc_topology* topology, const part* p) {
    for (uint32_t s = p->begin[FACES]; s < p->end[FACES]; s++)
        if (block->faces[s].id != FRACAS_NONE)
            topology->triangles.data[block->faces[s].id].place.slot = s;
    for (uint32_t s = p->begin[EDGES]; s < p->end[EDGES]; s++) {
        const uint32_t* point = block->edges[s].point;
        if (point[0] == FRACAS_NONE) continue;
        uint32_t edge = frc_topology_find_edge(topology, point[0], point[1]);
        topology->edges.data[edge].place.slot = s;
    }
    for (uint32_t s = p->begin[VERTICES]; s < p->end[VERTICES]; s++)
        if (block->vertices[s] != FRACAS_NONE)
            topology->uses.data[block->vertices[s]].place.slot = s;
}

// ---- the new nodes

// Nodes of the range that the new tree does not need become unused. The first one keeps its parent,
// which other workers may read.
static void write_nodes(frc_block* block, const part* p, const frc_lazy_plan* t) {
    frc_node* nodes = block->tree[FRC_BOXES_STEP].nodes;
    for (uint32_t i = 0; i < t->node_capacity; i++) {
        frc_node* node = &nodes[p->node + i];
        bool used = i < t->node_count;
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t ref = used ? t->nodes[i].child[k] : FRC_REF_NONE;
            if (ref != FRC_REF_NONE) ref += ref & FRC_REF_LEAF ? p->leaf : p->node;
            node->child[k] = ref;
            for (int axis = 0; axis < 3; axis++)
                node->box.lo[axis][k] = node->box.hi[axis][k] = NAN;
            if (ref == FRC_REF_NONE || !(ref & FRC_REF_LEAF)) continue;
            block->leaves[ref & ~FRC_REF_LEAF].parent = p->node + i;
            block->leaves[ref & ~FRC_REF_LEAF].lane = k;
        }
        if (i == 0) continue;
        node->parent = used ? p->node + t->nodes[i].parent : FRC_REF_NONE;
        node->lane = used ? t->nodes[i].lane : 0;
    }
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
    if (last_inner(n) == FRC_REF_NONE) return false;
    float now = frc_node_volumes(n);
    return now < 0.9f && now < 0.9f * ((const frc_lazy_nodes*)block->search_data)->base[node];
}

bool frc_lazy_check(fracas_context* context, const frc_lazy* lazy, uint32_t worker,
                    frc_block* block, uint32_t node) {
    part p;
    copy c;
    if (!is_degraded(block, node) || !find_part(block, node, &p)) return false;

    // Without memory the subtree stays as it is.
    slots_in(block, c.kind);
    char* memory = frc_lazy_reserve(context, lazy, worker, lay_out(NULL, &p, &c));
    if (!memory) return false;
    lay_out(memory, &p, &c);
    if (!plan_tree(context, block, &p, &c)) return false;
    if (!c.plan.fits) {
        // Try again only when the node has degraded further.
        set_baseline(block, node, node + 1);
        lazy->scratch[worker].did_not_fit++;
        return false;
    }

    fill_copy(block, &p, &c);
    write_leaves(block, &p, &c);
    write_places(block, lazy->topology, &p);
    write_nodes(block, &p, &c.plan);
    fit_nodes(block, &p);
    set_baseline(block, p.node, p.node_end);
    for (uint32_t n = p.node + 1; n < p.node_end; n++)
        atomic_store_explicit(frc_lazy_state(block, n), FRC_VISITED, memory_order_relaxed);
    return true;
}
