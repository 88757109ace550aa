/// @file cull_state.c  Create the state of a block, and read what edits and moves changed.
#include "cull/cull_state.h"
#include <string.h>

static uint32_t place_count(const frc_block* block) {
    return block->node_count + block->leaf_count;
}

// ---- frc_leaf.loose: a leaf holds an edge or point that none of its triangles has

// A quick test that most leaves pass: as built, a leaf holds its points and edges in the order in
// which its triangles name them. Then each belongs to a triangle of the leaf.
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

static void update_loose(frc_block* block, uint32_t number) {
    // Only continuous queries use edges and points.
    if (!block->tree[FRC_BOXES_STEP].nodes) return;
    frc_leaf* leaf = &block->leaves[number];
    leaf->loose = 0;
    if (is_as_built(block, leaf)) return;
    for (uint32_t s = leaf->edge; s < leaf->edge + leaf->edge_count; s++) {
        const uint32_t* p = block->edges[s].point;
        if (p[0] != FRACAS_NONE && !frc_cull_leaf_owns(block, leaf, p[0], p[1])) leaf->loose = 1;
    }
    for (uint32_t s = leaf->vertex; s < leaf->vertex + leaf->vertex_count; s++) {
        uint32_t p = block->vertices[s];
        if (p != FRACAS_NONE && !frc_cull_leaf_owns(block, leaf, p, p)) leaf->loose = 1;
    }
}

// ---- the state

static frc_cull_state* allocate_state(fracas_context* context, frc_block* block) {
    const size_t places = place_count(block), nodes = block->node_count;
    // Sized for the contours of nodes of some hundred triangles. The last array, which is not
    // cleared.
    const uint32_t contour_words = block->face_slots / 4;
    const size_t bytes_at = sizeof(frc_cull_state) + nodes * sizeof(frc_cull_range) +
                            (places + nodes) * sizeof(uint32_t);
    const size_t contours_at = (bytes_at + places * (2 + 2 * FRC_BOXES_COUNT) + 3) / 4 * 4;
    const size_t size = contours_at + contour_words * sizeof(uint32_t);
    frc_cull_state* state = frc_allocate(context, size);
    if (!state) return NULL;
    memset(state, 0, contours_at);
    state->block = block;
    state->size = size;
    state->below = (frc_cull_range*)(state + 1);
    state->edited = (uint32_t*)(state->below + nodes);
    state->contour_at = state->edited + places;
    state->is_edited = (uint8_t*)(state->contour_at + nodes);
    state->criterion_byte = state->is_edited + places;
    for (size_t m = 0; m < FRC_BOXES_COUNT; m++) {
        state->back_off[m] = state->is_edited + (2 + 2 * m) * places;
        state->failures[m] = state->back_off[m] + places;
    }
    state->contours = (uint32_t*)(void*)((char*)state + contours_at);
    state->contour_capacity = contour_words;
    state->opposite_version = block->opposite_version;
    state->all_changed = true;
    return state;
}

bool frc_cull_state_create(fracas_context* context, const frc_topology* topology, frc_block* block,
                           frc_cull_state** out) {
    frc_cull_state* state = *out = allocate_state(context, block);
    frc_release(context, block->skip, place_count(block));
    block->skip = frc_allocate_zero(context, place_count(block));
    if (!state || !block->skip ||
        !(block->opposite || frc_half_edges_build(context, topology, block)))
        return false;
    // Leaves of a subtree have consecutive numbers (tree.h); children come after their parents.
    for (uint32_t n = block->node_count; n-- > 0;) {
        const frc_node* node = &frc_block_links(block)[n];
        frc_cull_range* range = &state->below[n];
        *range = (frc_cull_range){FRACAS_NONE, 0};
        for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
            frc_cull_range child = frc_cull_leaves(state, node->child[i]);
            if (child.begin < range->begin) range->begin = child.begin;
            if (child.end > range->end) range->end = child.end;
        }
    }
    for (uint32_t leaf = 0; leaf < block->leaf_count; leaf++)
        if (block->leaves[leaf].loose) update_loose(block, leaf);
    return true;
}

void frc_cull_state_release(fracas_context* context, frc_cull_state** state) {
    if (*state) frc_release(context, *state, (*state)->size);
    *state = NULL;
}

void frc_cull_release_block(fracas_context* context, frc_cull_states* states, frc_block* block,
                            uint32_t number) {
    frc_block_release_cull(context, block);
    if (number < states->of.count) frc_cull_state_release(context, &states->of.data[number]);
}

frc_cull_state* frc_cull_state_find(const frc_cull_states* states, const frc_block* block,
                                    uint32_t number) {
    return block->skip && number < states->of.count ? states->of.data[number] : NULL;
}

// ---- changes

static bool add_edited(frc_cull_state* state, uint32_t place) {
    if (state->is_edited[place]) return false;
    state->is_edited[place] = 1;
    state->edited[state->edited_count++] = place;
    return true;
}

void frc_cull_state_read_stale(frc_cull_state* state) {
    frc_block* block = state->block;
    if (block->all_stale || block->stale.count > block->leaf_count / 8) state->all_changed = true;
    // An edit sets `loose` of its leaf. A leaf that is not listed, because the whole block was
    // stale already or memory ran out, stays flagged, which is always safe.
    for (size_t i = 0; i < block->stale.count; i++) {
        uint32_t leaf = block->stale.data[i];
        update_loose(block, leaf);
        add_edited(state, block->node_count + leaf);
        uint32_t n = block->leaves[leaf].parent;
        while (n != FRC_REF_NONE && add_edited(state, n)) n = frc_block_links(block)[n].parent;
    }
}

void frc_cull_state_clear_edited(frc_cull_state* state) {
    for (uint32_t i = 0; i < state->edited_count; i++) state->is_edited[state->edited[i]] = 0;
    state->edited_count = 0;
}
