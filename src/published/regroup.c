/// @file regroup.c  New nodes over the leaves below a node of a block, in place of the old ones.
///
/// The new tree must not have more nodes than the old one (lazy_plan.c).
#include "published/regroup.h"
#include "block/fill_leaves.h"
#include <math.h>
#include <string.h>

enum { FACES, EDGES, VERTICES, KINDS };

typedef frc_regroup_part part;

// ---- the subtree as it is

static uint32_t padded(uint32_t count) { return (count + 3) / 4 * 4; }

static void slots_of(const frc_leaf* leaf, uint32_t first[KINDS], uint32_t count[KINDS]) {
    first[FACES] = leaf->face, count[FACES] = padded(leaf->face_count);
    first[EDGES] = leaf->edge, count[EDGES] = padded(leaf->edge_count);
    first[VERTICES] = leaf->vertex, count[VERTICES] = padded(leaf->vertex_count);
}

uint32_t frc_regroup_last_inner(const frc_node* node) {
    uint32_t last = FRC_REF_NONE;
    for (int i = 0; i < 4; i++)
        if (!(node->child[i] & FRC_REF_LEAF)) last = node->child[i];
    return last;
}

bool frc_regroup_find(const frc_block* block, uint32_t node, part* p) {
    const frc_node* nodes = frc_block_links(block);
    uint32_t last = node, lowest = UINT32_MAX, highest = 0, count = 0;
    for (uint32_t next = frc_regroup_last_inner(&nodes[node]); next != FRC_REF_NONE;
         next = frc_regroup_last_inner(&nodes[next]))
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

static void slots_in(const frc_block* block, frc_regroup_slots kind[KINDS]) {
    kind[FACES] = (frc_regroup_slots){(char*)block->faces, sizeof *block->faces};
    kind[EDGES] = (frc_regroup_slots){(char*)block->edges, sizeof *block->edges};
    kind[VERTICES] = (frc_regroup_slots){(char*)block->vertices, sizeof *block->vertices};
}

// ---- a copy of it

size_t frc_regroup_lay_out(const frc_block* block, char* memory, const part* p, frc_regroup* c) {
    size_t at = 0;
    slots_in(block, c->kind);
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

static void fill_copy(const frc_block* block, const part* p, frc_regroup* c) {
    frc_regroup_slots here[KINDS];
    slots_in(block, here);
    memcpy(c->leaves, &block->leaves[p->leaf], p->leaf_count * sizeof *c->leaves);
    const frc_box* boxes = block->tree[FRC_BOXES_STEP].leaf_box;
    if (boxes)
        memcpy(c->leaf_boxes, &boxes[2 * p->leaf], 2 * p->leaf_count * sizeof *c->leaf_boxes);
    for (int k = 0; k < KINDS; k++) {
        size_t count = p->end[k] - p->begin[k], size = here[k].size;
        memcpy(c->kind[k].data, here[k].data + p->begin[k] * size, count * size);
    }
}

// ---- the new order

// Write leaves and their slots back in the new order, packed.
static void write_leaves(frc_block* block, const part* p, const frc_regroup* c) {
    uint32_t at[KINDS] = {p->begin[FACES], p->begin[EDGES], p->begin[VERTICES]};
    frc_regroup_slots here[KINDS];
    frc_box* boxes = block->tree[FRC_BOXES_STEP].leaf_box;
    slots_in(block, here);
    for (uint32_t to = 0; to < p->leaf_count; to++) {
        const uint32_t from = c->plan.from[to];
        uint32_t first[KINDS], count[KINDS];
        slots_of(&c->leaves[from], first, count);
        frc_leaf* leaf = &block->leaves[p->leaf + to];
        *leaf = c->leaves[from];
        leaf->face = at[FACES], leaf->edge = at[EDGES], leaf->vertex = at[VERTICES];
        if (boxes) memcpy(&boxes[2 * (p->leaf + to)], &c->leaf_boxes[2 * from], 2 * sizeof *boxes);
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
static void write_nodes(frc_block* block, frc_node* nodes, const part* p, const frc_lazy_plan* t) {
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

void frc_regroup_write(frc_block* block, frc_topology* topology, const part* p, frc_regroup* c) {
    fill_copy(block, p, c);
    write_leaves(block, p, c);
    write_places(block, topology, p);
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        if (block->tree[m].nodes) write_nodes(block, block->tree[m].nodes, p, &c->plan);
}
