/// @file half_edges.c  Which triangles of a block lie on the two sides of an edge.
///
/// Corner k of the triangle in face slot s begins half-edge 3 s + k, which runs to corner k + 1.
/// `twin` holds for each half-edge the opposite one: the same edge of another triangle of the same
/// block, run through the other way. There is at most one: where more than two triangles meet in an
/// edge, or two that run through it the same way, or where the other one stands in another block,
/// there is none. A missing twin is never wrong, it only makes an edge look like a border. The
/// half-edges of an empty slot are their own twins: no border, wherever one looks.
///
/// An edit parts the half-edges that it changes; those with new ends wait in `unpaired` for the
/// next update, which costs what was edited.
#include "block/block.h"
#include <stdlib.h>
#include <string.h>

static uint32_t after(uint32_t half) { return half % 3 == 2 ? half - 2 : half + 1; }

static uint32_t point_at(const frc_block* block, uint32_t half) {
    return block->faces[half / 3].point[half % 3];
}

static bool opposite(const frc_block* block, uint32_t a, uint32_t b) {
    return point_at(block, a) == point_at(block, after(b)) &&
           point_at(block, b) == point_at(block, after(a));
}

static void join(frc_block* block, uint32_t a, uint32_t b) {
    if (!opposite(block, a, b) || a / 3 == b / 3) return;
    block->twin_version++;
    block->twin[a] = b;
    block->twin[b] = a;
}

static void part(frc_block* block, uint32_t half) {
    uint32_t other = block->twin[half];
    if (other == FRACAS_NONE || other == half) return;
    block->twin[other] = FRACAS_NONE;
    block->twin[half] = FRACAS_NONE;
}

// The edge of a half-edge when it may have a twin: two triangles use it. NULL otherwise.
static const frc_edge* paired_edge(const frc_topology* topology, const frc_block* block,
                                   uint32_t half) {
    uint32_t id = block->faces[half / 3].id;
    if (id == FRACAS_NONE) return NULL;
    uint32_t edge = topology->triangles.data[id].edge[half % 3];
    if (edge == FRACAS_NONE || topology->edges.data[edge].uses != 2) return NULL;
    return &topology->edges.data[edge];
}

// Triangles and edges stand in the order of their ids, slots in that of the tree: what is needed
// soon is asked for beforehand.
static void prefetch(const frc_topology* topology, const frc_block* block, uint32_t slot) {
    enum { FAR = 16, NEAR = 8 };
    if (slot + FAR >= block->face_slots) return;
    uint32_t far = block->faces[slot + FAR].id, near = block->faces[slot + NEAR].id;
    if (far != FRACAS_NONE) __builtin_prefetch(&topology->triangles.data[far]);
    for (int k = 0; near != FRACAS_NONE && k < 3; k++) {
        uint32_t edge = topology->triangles.data[near].edge[k];
        if (edge != FRACAS_NONE) __builtin_prefetch(&topology->edges.data[edge]);
    }
}

// Edges whose slot is in this block find their two half-edges through it.
static void pair_face(const frc_topology* topology, frc_block* block, uint32_t slot,
                      uint32_t* first) {
    const frc_triangle* t = &topology->triangles.data[block->faces[slot].id];
    for (uint32_t k = 0; k < 3; k++) {
        if (t->edge[k] == FRACAS_NONE) continue;
        const frc_edge* edge = &topology->edges.data[t->edge[k]];
        if (edge->uses != 2 || edge->place.block != t->place.block) continue;
        uint32_t* seen = &first[edge->place.slot];
        if (*seen == FRACAS_NONE)
            *seen = 3 * slot + k;
        else
            join(block, *seen, 3 * slot + k);
    }
}

static void pair_all(const frc_topology* topology, frc_block* block, uint32_t* first) {
    memset(first, 0xff, block->edge_slots * sizeof *first);
    for (uint32_t s = 0; s < block->face_slots; s++) {
        bool empty = block->faces[s].id == FRACAS_NONE;
        for (uint32_t h = 3 * s; h < 3 * s + 3; h++) block->twin[h] = empty ? h : FRACAS_NONE;
    }
    for (uint32_t s = 0; s < block->face_slots; s++) {
        prefetch(topology, block, s);
        if (block->faces[s].id != FRACAS_NONE) pair_face(topology, block, s, first);
    }
}

bool frc_half_edges_build(fracas_context* context, const frc_topology* topology, frc_block* block) {
    size_t size = ((size_t)block->edge_slots + 1) * sizeof(uint32_t);
    uint32_t* first = frc_allocate(context, size);
    uint32_t* twin = frc_allocate(context, frc_half_edges_size(block));
    if (first && twin) {
        block->twin = twin;
        block->twin_version++;
        pair_all(topology, block, first);
    } else {
        frc_release(context, twin, frc_half_edges_size(block));
    }
    frc_release(context, first, size);
    return block->twin != NULL;
}

void frc_half_edges_remove_face(frc_block* block, uint32_t slot) {
    if (!block->twin) return;
    block->twin_version++;
    for (uint32_t h = 3 * slot; h < 3 * slot + 3; h++) {
        part(block, h);
        block->twin[h] = h;
    }
}

void frc_half_edges_change_face(fracas_context* context, frc_block* block, uint32_t slot,
                                const uint32_t point[3]) {
    if (!block->twin) return;
    block->twin_version++;
    const uint32_t* old = block->faces[slot].point;
    for (uint32_t k = 0; k < 3; k++) {
        if (old[k] == point[k] && old[(k + 1) % 3] == point[(k + 1) % 3]) continue;
        part(block, 3 * slot + k);
        // Where there is no memory to remember it, it stays without a twin.
        (void)FRC_ARRAY_PUSH(context, &block->unpaired, 3 * slot + k);
    }
}

typedef struct waiting {
    const frc_edge* edge;
    uint32_t half;
} waiting;

static int compare_waiting(const void* x, const void* y) {
    const waiting *a = x, *b = y;
    if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
    return a->half < b->half ? -1 : a->half > b->half;
}

bool frc_half_edges_update(fracas_context* context, const frc_topology* topology,
                           frc_block* block) {
    size_t count = block->unpaired.count, kept = 0, size = count * sizeof(waiting);
    if (count == 0) return true;
    waiting* list = frc_allocate(context, size);
    if (!list) return false;
    for (size_t i = 0; i < count; i++) {
        uint32_t half = block->unpaired.data[i];
        const frc_edge* edge = paired_edge(topology, block, half);
        if (edge && block->twin[half] == FRACAS_NONE) list[kept++] = (waiting){edge, half};
    }
    qsort(list, kept, sizeof *list, compare_waiting);
    for (size_t i = 0; i + 1 < kept; i++) {
        // A half-edge may wait twice.
        size_t j = i + 1;
        while (j < kept && list[j].half == list[i].half) j++;
        if (j < kept && list[j].edge == list[i].edge && block->twin[list[i].half] == FRACAS_NONE &&
            block->twin[list[j].half] == FRACAS_NONE)
            join(block, list[i].half, list[j].half);
    }
    frc_release(context, list, size);
    block->unpaired.count = 0;
    return true;
}

const char* frc_half_edges_check(const frc_block* block) {
    for (uint32_t h = 0; block->twin && h < 3 * block->face_slots; h++) {
        uint32_t other = block->twin[h];
        bool empty = block->faces[h / 3].id == FRACAS_NONE;
        if ((other == h) != empty) return "an empty slot is not its own twin, or another one is";
        if (other == FRACAS_NONE || empty) continue;
        if (other >= 3 * block->face_slots || block->twin[other] != h)
            return "a half-edge is not the twin of its twin";
        if (h / 3 == other / 3 || !opposite(block, h, other)) return "twins are not opposite";
    }
    return NULL;
}
