/// @file notebook.c  Opening a notebook, and taking down what edits touched.
#include "cull/notebook.h"
#include "cull/loops.h"
#include <string.h>

static uint32_t ref_count(const frc_block* block) { return block->node_count + block->leaf_count; }

// Leaves of a subtree have numbers that follow each other (tree.h): children widen their parents.
static void find_leaves_below(const frc_block* block, frc_notebook* notebook, uint32_t begin,
                              uint32_t end) {
    for (uint32_t n = end; n-- > begin;) {
        const frc_node* node = &frc_cull_nodes(block)[n];
        frc_cull_range* range = &notebook->below[n];
        *range = (frc_cull_range){FRACAS_NONE, 0};
        for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
            frc_cull_range child = frc_cull_leaves(block, node->child[i]);
            if (child.begin < range->begin) range->begin = child.begin;
            if (child.end > range->end) range->end = child.end;
        }
    }
}

static bool slot_has_point(const frc_face_slot* face, uint32_t point) {
    return face->id != FRACAS_NONE &&
           (face->point[0] == point || face->point[1] == point || face->point[2] == point);
}

static bool leaf_has(const frc_block* block, const frc_leaf* leaf, uint32_t a, uint32_t b) {
    for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s++)
        if (slot_has_point(&block->faces[s], a) && slot_has_point(&block->faces[s], b)) return true;
    return false;
}

// Does a leaf hold an edge or point of which it has no triangle?
static bool is_loose(const frc_block* block, const frc_leaf* leaf) {
    for (uint32_t s = leaf->edge; s < leaf->edge + leaf->edge_count; s++) {
        const uint32_t* p = block->edges[s].point;
        if (p[0] != FRACAS_NONE && !leaf_has(block, leaf, p[0], p[1])) return true;
    }
    for (uint32_t s = leaf->vertex; s < leaf->vertex + leaf->vertex_count; s++) {
        uint32_t p = block->vertices[s];
        if (p != FRACAS_NONE && !leaf_has(block, leaf, p, p)) return true;
    }
    return false;
}

// A leaf as it was built holds its points and edges in the order in which its triangles name them.
static bool is_as_built(const frc_block* block, const frc_leaf* leaf) {
    uint32_t vertex = leaf->vertex, edge = leaf->edge;
    uint32_t vertex_end = vertex + leaf->vertex_count, edge_end = edge + leaf->edge_count;
    for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s++) {
        const uint32_t* p = block->faces[s].point;
        if (block->faces[s].id == FRACAS_NONE) return false;
        for (uint32_t k = 0; k < 3; k++) {
            if (vertex < vertex_end && block->vertices[vertex] == p[k]) vertex++;
            uint32_t a = p[k], b = p[k == 2 ? 0 : k + 1];
            const uint32_t* e = block->edges[edge].point;
            if (edge < edge_end && e[0] == (a < b ? a : b) && e[1] == (a < b ? b : a)) edge++;
        }
    }
    return vertex == vertex_end && edge == edge_end;
}

static void settle_leaf(frc_block* block, uint32_t number) {
    // Only continuous queries look at edges and points.
    if (!block->tree[FRC_BOXES_STEP].nodes) return;
    frc_leaf* leaf = &block->leaves[number];
    leaf->loose = !is_as_built(block, leaf) && is_loose(block, leaf);
}

// Words for the loops of contours: enough for nodes of some hundred triangles.
static uint32_t loops_room(const frc_block* block) { return block->face_slots / 4; }

// All but the loops, which come last: they alone need not be zero at first.
static size_t head_size(const frc_block* block) {
    size_t refs = ref_count(block);
    size_t bytes = sizeof(frc_notebook) + block->node_count * sizeof(frc_cull_range) +
                   (refs + block->node_count) * sizeof(uint32_t) + refs * (2 + 2 * FRC_BOXES_COUNT);
    return (bytes + 3) / 4 * 4;
}

static size_t notebook_size(const frc_block* block) {
    return head_size(block) + loops_room(block) * sizeof(uint32_t);
}

static void lay_out(const frc_block* block, frc_notebook* notebook) {
    size_t refs = ref_count(block);
    notebook->below = (frc_cull_range*)(notebook + 1);
    notebook->touched = (uint32_t*)(notebook->below + block->node_count);
    notebook->loop = notebook->touched + refs;
    notebook->loops = (uint32_t*)(void*)((char*)notebook + head_size(block));
    notebook->loops_room = loops_room(block);
    notebook->twin_version = block->twin_version;
    notebook->dirty = (uint8_t*)(notebook->loop + block->node_count);
    notebook->noted = notebook->dirty + refs;
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        notebook->wait[m] = notebook->dirty + (2 + 2 * (size_t)m) * refs;
        notebook->failures[m] = notebook->wait[m] + refs;
    }
}

bool frc_notebook_open(fracas_context* context, const frc_topology* topology, frc_block* block) {
    block->cull_size = notebook_size(block);
    block->cull = frc_allocate(context, block->cull_size);
    block->skip = frc_allocate_zero(context, ref_count(block));
    bool paired = block->twin || frc_block_pair(context, topology, block);
    if (!block->cull || !block->skip || !paired) {
        frc_block_forget_cull(context, block);
        return false;
    }
    frc_notebook* notebook = block->cull;
    memset(notebook, 0, head_size(block));
    lay_out(block, notebook);
    notebook->all = true;
    find_leaves_below(block, notebook, 0, block->node_count);
    // As it was built a leaf that holds nothing but triangles holds their edges and points only.
    for (uint32_t leaf = 0; leaf < block->leaf_count; leaf++)
        if (block->leaves[leaf].loose) settle_leaf(block, leaf);
    return true;
}

static void forget_places(frc_block* block, frc_notebook* notebook, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i++) {
        block->skip[i] = 0;
        notebook->noted[i] = 0;
        for (int m = 0; m < FRC_BOXES_COUNT; m++)
            notebook->wait[m][i] = notebook->failures[m][i] = 0;
    }
}

void frc_cull_rebuilt(frc_block* block, uint32_t node, uint32_t node_end, uint32_t leaf,
                      uint32_t leaf_end) {
    frc_notebook* notebook = block->cull;
    if (!notebook) return;
    block->twin_version++;
    // Loops that are kept are of what was there, and may be asked for in this very update.
    frc_loops_review(block);
    find_leaves_below(block, notebook, node, node_end);
    forget_places(block, notebook, node, node_end);
    forget_places(block, notebook, block->node_count + leaf, block->node_count + leaf_end);
    for (uint32_t l = leaf; l < leaf_end; l++) settle_leaf(block, l);
    // The leaves are others: those above may have another number of them.
    for (uint32_t n = frc_cull_nodes(block)[node].parent; n != FRC_REF_NONE;
         n = frc_cull_nodes(block)[n].parent)
        find_leaves_below(block, notebook, n, n + 1);
}

static bool touch(frc_notebook* notebook, uint32_t place) {
    if (notebook->dirty[place]) return false;
    notebook->dirty[place] = 1;
    notebook->touched[notebook->touched_count++] = place;
    return true;
}

void frc_notebook_take_down(frc_block* block) {
    frc_notebook* notebook = block->cull;
    if (block->all_stale || block->stale.count > block->leaf_count / 8) notebook->all = true;
    // A leaf that an edit changed is loose until it is looked at. One that is not listed, because
    // everything was stale already or there was no memory, stays so: it is never wrong.
    for (size_t i = 0; i < block->stale.count; i++) {
        uint32_t leaf = block->stale.data[i];
        settle_leaf(block, leaf);
        touch(notebook, block->node_count + leaf);
        uint32_t n = block->leaves[leaf].parent;
        while (n != FRC_REF_NONE && touch(notebook, n)) n = frc_cull_nodes(block)[n].parent;
    }
}

void frc_notebook_clear_touched(frc_notebook* notebook) {
    for (uint32_t i = 0; i < notebook->touched_count; i++)
        notebook->dirty[notebook->touched[i]] = 0;
    notebook->touched_count = 0;
}
