/// @file half_edges.c  The half-edges of a block: which two triangles share an edge.
///
/// Half-edge 3 s + k runs from corner k to corner k + 1 of the triangle in face slot s. `opposite`
/// has the opposite of each half-edge: the same edge of another triangle of the same block, in the
/// other direction. A half-edge has no opposite (FRACAS_NONE) when more than two triangles share
/// the edge, when two triangles run through it in the same direction, or when the other triangle is
/// in another block. A missing opposite is always safe: the edge only looks like a border. The
/// half-edges of an empty slot are their own opposites, so they never look like a border.
///
/// An edit disconnects the half-edges that it changes, and lists those with new ends in `unpaired`.
/// The next update finds their opposites at a cost proportional to the edit.
#include "block/block.h"
#include <stdlib.h>
#include <string.h>

static uint32_t after(uint32_t half) { return half % 3 == 2 ? half - 2 : half + 1; }

static uint32_t point_at(const frc_block* block, uint32_t half) {
    return block->faces[half / 3].point[half % 3];
}

static bool are_opposite(const frc_block* block, uint32_t a, uint32_t b) {
    return point_at(block, a) == point_at(block, after(b)) &&
           point_at(block, b) == point_at(block, after(a));
}

static void connect(frc_block* block, uint32_t a, uint32_t b) {
    if (!are_opposite(block, a, b) || a / 3 == b / 3) return;
    block->opposite_version++;
    block->opposite[a] = b;
    block->opposite[b] = a;
}

static void disconnect(frc_block* block, uint32_t half) {
    uint32_t other = block->opposite[half];
    if (other == FRACAS_NONE || other == half) return;
    block->opposite[other] = FRACAS_NONE;
    block->opposite[half] = FRACAS_NONE;
}

// Slots are in the order of the tree, triangles and edges in the order of their ids: the hardware
// prefetcher sees no pattern.
static void prefetch_ahead(const frc_topology* topology, const frc_block* block, uint32_t slot) {
    enum { FAR = 16, NEAR = 8 };
    if (slot + FAR >= block->face_slots) return;
    uint32_t far = block->faces[slot + FAR].id, near = block->faces[slot + NEAR].id;
    if (far != FRACAS_NONE) __builtin_prefetch(&topology->triangles.data[far]);
    for (int k = 0; near != FRACAS_NONE && k < 3; k++) {
        uint32_t edge = topology->triangles.data[near].edge[k];
        if (edge != FRACAS_NONE) __builtin_prefetch(&topology->edges.data[edge]);
    }
}

// `first` has an entry for each edge slot of the block: the first half-edge found for the edge.
static void connect_all(const frc_topology* topology, frc_block* block, uint32_t* first) {
    memset(first, 0xff, block->edge_slots * sizeof *first);
    for (uint32_t s = 0; s < block->face_slots; s++) {
        bool empty = block->faces[s].id == FRACAS_NONE;
        for (uint32_t h = 3 * s; h < 3 * s + 3; h++) block->opposite[h] = empty ? h : FRACAS_NONE;
    }
    for (uint32_t s = 0; s < block->face_slots; s++) {
        prefetch_ahead(topology, block, s);
        if (block->faces[s].id == FRACAS_NONE) continue;
        const frc_triangle* t = &topology->triangles.data[block->faces[s].id];
        for (uint32_t k = 0; k < 3; k++) {
            if (t->edge[k] == FRACAS_NONE) continue;
            const frc_edge* edge = &topology->edges.data[t->edge[k]];
            if (edge->uses != 2 || edge->place.block != t->place.block) continue;
            uint32_t* seen = &first[edge->place.slot];
            if (*seen == FRACAS_NONE)
                *seen = 3 * s + k;
            else
                connect(block, *seen, 3 * s + k);
        }
    }
}

bool frc_half_edges_build(fracas_context* context, const frc_topology* topology, frc_block* block) {
    size_t size = ((size_t)block->edge_slots + 1) * sizeof(uint32_t);
    uint32_t* first = frc_allocate(context, size);
    uint32_t* opposite = frc_allocate(context, frc_half_edges_size(block));
    if (first && opposite) {
        block->opposite = opposite;
        block->opposite_version++;
        connect_all(topology, block, first);
    } else {
        frc_release(context, opposite, frc_half_edges_size(block));
    }
    frc_release(context, first, size);
    return block->opposite != NULL;
}

void frc_half_edges_remove_face(frc_block* block, uint32_t slot) {
    if (!block->opposite) return;
    block->opposite_version++;
    for (uint32_t h = 3 * slot; h < 3 * slot + 3; h++) {
        disconnect(block, h);
        block->opposite[h] = h;
    }
}

void frc_half_edges_change_face(fracas_context* context, frc_block* block, uint32_t slot,
                                const uint32_t point[3]) {
    if (!block->opposite) return;
    block->opposite_version++;
    const uint32_t* old = block->faces[slot].point;
    for (uint32_t k = 0; k < 3; k++) {
        if (old[k] == point[k] && old[(k + 1) % 3] == point[(k + 1) % 3]) continue;
        disconnect(block, 3 * slot + k);
        // Without memory for the entry the half-edge stays without an opposite.
        (void)FRC_ARRAY_PUSH(context, &block->unpaired, 3 * slot + k);
    }
}

typedef struct pending_half {
    const frc_edge* edge;
    uint32_t half;
} pending_half;

static int compare_pending(const void* x, const void* y) {
    const pending_half *a = x, *b = y;
    if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
    return a->half < b->half ? -1 : a->half > b->half;
}

bool frc_half_edges_update(fracas_context* context, const frc_topology* topology,
                           frc_block* block) {
    size_t count = block->unpaired.count, kept = 0, size = count * sizeof(pending_half);
    if (count == 0) return true;
    pending_half* list = frc_allocate(context, size);
    if (!list) return false;
    // Half-edges that may have an opposite, with their edges.
    for (size_t i = 0; i < count; i++) {
        uint32_t half = block->unpaired.data[i], id = block->faces[half / 3].id;
        if (id == FRACAS_NONE || block->opposite[half] != FRACAS_NONE) continue;
        uint32_t edge = topology->triangles.data[id].edge[half % 3];
        if (edge == FRACAS_NONE || topology->edges.data[edge].uses != 2) continue;
        list[kept++] = (pending_half){&topology->edges.data[edge], half};
    }
    // Sorted by edge, candidates are adjacent. A half-edge may be listed twice.
    qsort(list, kept, sizeof *list, compare_pending);
    for (size_t i = 0; i + 1 < kept; i++) {
        size_t j = i + 1;
        while (j < kept && list[j].half == list[i].half) j++;
        if (j < kept && list[j].edge == list[i].edge &&
            block->opposite[list[i].half] == FRACAS_NONE &&
            block->opposite[list[j].half] == FRACAS_NONE)
            connect(block, list[i].half, list[j].half);
    }
    frc_release(context, list, size);
    block->unpaired.count = 0;
    return true;
}

const char* frc_half_edges_check(const frc_block* block) {
    for (uint32_t h = 0; block->opposite && h < 3 * block->face_slots; h++) {
        uint32_t other = block->opposite[h];
        bool empty = block->faces[h / 3].id == FRACAS_NONE;
        if ((other == h) != empty)
            return "a half-edge of an empty slot is not its own opposite, or another one is";
        if (other == FRACAS_NONE || empty) continue;
        if (other >= 3 * block->face_slots || block->opposite[other] != h)
            return "a half-edge is not the opposite of its opposite";
        if (h / 3 == other / 3 || !are_opposite(block, h, other))
            return "paired half-edges do not run in opposite directions";
    }
    return NULL;
}
