/// @file keep.c  A block that breaks into pieces: its leaves go over to new blocks as they are.
///
/// A piece is built in the order of the tree it stood in (build_order.c), so nearly all of its
/// leaves have the same triangles as one of the old leaves. Such a leaf is copied, slot by slot,
/// one after the other in memory; the pools of triangles, edges and points, which lie in another
/// order and are ten times as large, are not touched. That features have new places is written
/// later, when there is time or somebody asks (frc_block_write_places).
///
/// A leaf goes over when all of its triangles come to the piece and to one leaf of it, nothing in
/// it has been edited (`loose`) and every half-edge has a twin: its edges and points are the
/// piece's then, for each belongs to a triangle of the leaf. The others are filled as ever, from
/// the pools: their triangles take what does not stand in a leaf that goes over.
///
/// A feature could be lost that stands in an edited leaf, or waits for a place, and whose triangles
/// are all in leaves that go over. That is rare: what an edit leaves behind is on a border, where
/// half-edges have no twins. But it can be, where rings touched in a point and one was torn off, or
/// where a part of the tree was built anew after the edit. So what was left in the old leaves is
/// counted, and what was taken; and the caller looks at what waited. Where something is missing no
/// leaf goes over.
#include "bvh/keep.h"
#include "base/parallel.h"
#include <string.h>

bool frc_keep_open(fracas_context* context, const frc_block* from, uint32_t number,
                   frc_keep* keep) {
    bool ok = true;
    *keep = (frc_keep){.from = from, .number = number};
    keep->kept = frc_allocate_array(context, from->leaf_count, 1, &ok);
    keep->shift = frc_allocate_array(context, from->face_slots, sizeof *keep->shift, &ok);
    if (!ok) frc_keep_close(context, keep);
    if (ok) memset(keep->kept, 0, from->leaf_count);
    return ok;
}

void frc_keep_close(fracas_context* context, frc_keep* keep) {
    const frc_block* from = keep->from;
    frc_release(context, keep->kept, frc_array_size(from->leaf_count, 1));
    frc_release(context, keep->shift, frc_array_size(from->face_slots, sizeof *keep->shift));
    keep->kept = NULL, keep->shift = NULL;
}

// ---- which leaves go over

static bool all_have_twins(const frc_block* block, const frc_leaf* leaf) {
    const uint32_t* twin = &block->twin[3 * (size_t)leaf->face];
    bool all = true;
    for (uint32_t i = 0; i < 3u * leaf->face_count; i++) all &= twin[i] != FRACAS_NONE;
    return all;
}

// The old leaf that has the same triangles, or NULL. Slots come in order: as many as a leaf has,
// from its first to its last, are all of it.
static const frc_leaf* same_leaf(const frc_keep* keep, const uint32_t* slots, uint32_t count) {
    const frc_leaf* leaf = &keep->from->leaves[keep->from->leaf_of_face[slots[0] / 4]];
    bool same = leaf->face == slots[0] && leaf->face_count == count &&
                slots[count - 1] == slots[0] + count - 1 && !leaf->loose;
    return same && all_have_twins(keep->from, leaf) ? leaf : NULL;
}

static size_t round_up(size_t count) { return (count + 3) / 4 * 4; }

void frc_keep_choose(const frc_block_input* input, const frc_shape* shape, size_t* edges,
                     size_t* vertices) {
    const frc_keep* keep = input->keep;
    *edges = *vertices = 0;
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        const frc_leaf_range* range = &shape->leaves[i];
        const frc_leaf* leaf = same_leaf(keep, &input->slots[range->first], range->count);
        if (leaf) keep->kept[leaf - keep->from->leaves] = 1;
        *edges += round_up(leaf ? leaf->edge_count : 3 * (size_t)range->count);
        *vertices += round_up(leaf ? leaf->vertex_count : 3 * (size_t)range->count);
    }
}

// ---- leaves

// Slots come in fours, and there is room for as many.
#define COPY_FOURS(to, from, count)                                                                \
    for (uint32_t four_ = 0; four_ < (count); four_ += 4)                                          \
    memcpy((to) + four_, (from) + four_, 4 * sizeof *(to))

// Nothing has been taken out of a leaf that was not edited: all slots are in use.
static void copy_leaf(frc_filler* f, const frc_leaf* old, frc_leaf* out) {
    const frc_keep* keep = f->input->keep;
    const frc_block* from = keep->from;
    const uint32_t faces = old->face_count, shift = 3 * (f->face - old->face);
    *out = *old;
    out->face = f->face, out->edge = f->edge, out->vertex = f->vertex;
    out->unplaced = 1;
    COPY_FOURS(&f->faces[f->face], &from->faces[old->face], faces);
    COPY_FOURS(&f->edges[f->edge], &from->edges[old->edge], old->edge_count);
    COPY_FOURS(&f->vertices[f->vertex], &from->vertices[old->vertex], old->vertex_count);
    for (uint32_t i = 0; i < faces; i++) keep->shift[old->face + i] = shift;
    f->face += faces;
    f->edge += old->edge_count;
    f->vertex += old->vertex_count;
    f->live += faces + old->edge_count + old->vertex_count;
}

// Does a feature stand in the new block already, or will it by a leaf that goes over?
static inline bool stands_here(const frc_filler* f, const frc_place* place,
                               const uint32_t* leaf_of) {
    const frc_keep* keep = f->input->keep;
    return place->block == f->input->number ||
           (place->block == keep->number && keep->kept[leaf_of[place->slot / 4]]);
}

static void take_point(frc_filler* f, uint32_t point) {
    frc_place* place = &f->topology->uses.data[point].place;
    if (stands_here(f, place, f->input->keep->from->leaf_of_vertex)) return;
    f->taken += place->block == f->input->keep->number;
    *place = (frc_place){f->input->number, f->vertex};
    f->vertices[f->vertex++] = point;
    f->live++;
}

// Two triangles of leaves that are filled here find each other through their edge. (Where one is in
// a leaf that goes over they have been twins all along.)
static void pair_corners(const frc_filler* f, uint32_t slot, uint32_t k, uint32_t taker) {
    const uint32_t other = taker / 4, j = taker % 4;
    const uint32_t *a = f->faces[slot].point, *b = f->faces[other].point;
    if (other == slot || a[k] != b[(j + 1) % 3] || b[j] != a[(k + 1) % 3]) return;
    f->twin[3 * slot + k] = 3 * other + j;
    f->twin[3 * other + j] = 3 * slot + k;
}

static void take_edge(frc_filler* f, uint32_t edge, uint32_t slot, uint32_t k) {
    if (edge == FRACAS_NONE) return;
    frc_edge* e = &f->topology->edges.data[edge];
    if (!stands_here(f, &e->place, f->input->keep->from->leaf_of_edge)) {
        f->taken += e->place.block == f->input->keep->number;
        e->place = (frc_place){f->input->number, f->edge};
        memcpy(f->edges[f->edge].point, e->point, sizeof e->point);
        f->taker[f->edge++] = 4 * slot + k;
        f->live++;
    } else if (e->uses == 2 && e->place.block == f->input->number) {
        pair_corners(f, slot, k, f->taker[e->place.slot]);
    }
}

static void take_leaf(frc_filler* f, const uint32_t* slots, uint32_t count, frc_leaf* out) {
    const frc_keep* keep = f->input->keep;
    *out = (frc_leaf){.face = f->face, .edge = f->edge, .vertex = f->vertex};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = f->face++, id = keep->from->faces[slots[i]].id;
        frc_triangle* t = &f->topology->triangles.data[id];
        keep->shift[slots[i]] = 3 * (slot - slots[i]);
        t->place = (frc_place){f->input->number, slot};
        f->faces[slot] = (frc_face_slot){
            {t->point[0], t->point[1], t->point[2]},
            id
        };
        for (uint32_t k = 0; k < 3; k++) f->twin[3 * slot + k] = FRACAS_NONE;
        for (uint32_t k = 0; k < 3; k++) take_point(f, t->point[k]);
        for (uint32_t k = 0; k < 3; k++) take_edge(f, t->edge[k], slot, k);
    }
    f->live += count;
    out->face_count = (uint16_t)count;
    out->edge_count = (uint16_t)(f->edge - out->edge);
    out->vertex_count = (uint16_t)(f->vertex - out->vertex);
}

// ---- twins that were known

static void move_twins(const frc_filler* f, const frc_shape* shape) {
    const uint32_t *shift = f->input->keep->shift, *from = f->input->keep->from->twin;
    for (uint32_t l = 0; l < shape->leaf_count; l++) {
        const uint32_t* slots = &f->input->slots[shape->leaves[l].first];
        uint32_t* twin = &f->twin[3 * (size_t)f->leaves[l].face];
        for (uint32_t i = 0; i < shape->leaves[l].count; i++, twin += 3) {
            const uint32_t* old = &from[3 * (size_t)slots[i]];
            for (int k = 0; k < 3; k++)
                if (old[k] != FRACAS_NONE) twin[k] = old[k] + shift[old[k] / 3];
        }
    }
}

// What a leaf is filled from that does not go over lies all over the pools, and is asked for ahead
// of time: its triangles first, then what they name.
enum { TRIANGLES_AHEAD = 8, NAMES_AHEAD = 4 };  // leaves

static void look_ahead(const frc_filler* f, const frc_shape* shape, uint32_t leaf, bool names) {
    const frc_keep* keep = f->input->keep;
    const frc_topology* topology = f->topology;
    if (leaf >= shape->leaf_count) return;
    const uint32_t* slots = &f->input->slots[shape->leaves[leaf].first];
    if (keep->kept[keep->from->leaf_of_face[slots[0] / 4]]) return;
    for (uint32_t i = 0; i < shape->leaves[leaf].count; i++) {
        const frc_triangle* t = &topology->triangles.data[keep->from->faces[slots[i]].id];
        if (!names) {
            __builtin_prefetch(t->point, 1);
            __builtin_prefetch(&t->place, 1);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            __builtin_prefetch(&topology->uses.data[t->point[k]].place, 1);
            if (t->edge[k] == FRACAS_NONE) continue;
            __builtin_prefetch(topology->edges.data[t->edge[k]].point, 1);
            __builtin_prefetch(&topology->edges.data[t->edge[k]].place, 1);
        }
    }
}

void frc_fill_kept(frc_filler* f, const frc_shape* shape) {
    const frc_keep* keep = f->input->keep;
    for (uint32_t l = 0; l < shape->leaf_count; l++) {
        look_ahead(f, shape, l + TRIANGLES_AHEAD, false);
        look_ahead(f, shape, l + NAMES_AHEAD, true);
        const frc_leaf_range* range = &shape->leaves[l];
        const uint32_t* slots = &f->input->slots[range->first];
        uint32_t old = keep->from->leaf_of_face[slots[0] / 4];
        frc_leaf* leaf = &f->leaves[l];
        if (keep->kept[old])
            copy_leaf(f, &keep->from->leaves[old], leaf);
        else
            take_leaf(f, slots, range->count, leaf);
        leaf->parent = range->parent;
        leaf->lane = range->lane;
        frc_pad_leaf(f, l);
    }
    for (; f->edge < f->edge_room; f->edge++)
        f->edges[f->edge] = (frc_edge_slot){
            {FRACAS_NONE, FRACAS_NONE}
        };
    for (; f->vertex < f->vertex_room; f->vertex++) f->vertices[f->vertex] = FRACAS_NONE;
    move_twins(f, shape);
}

// ---- is everything there?

// Edges and points in a leaf that did not go over.
static uint64_t count_left(const frc_block* block, const frc_leaf* leaf) {
    uint64_t count = 0;
    for (uint32_t s = leaf->edge; s < leaf->edge + leaf->edge_count; s++)
        count += block->edges[s].point[0] != FRACAS_NONE;
    for (uint32_t s = leaf->vertex; s < leaf->vertex + leaf->vertex_count; s++)
        count += block->vertices[s] != FRACAS_NONE;
    return count;
}

typedef struct left {
    const frc_keep* keep;
    atomic_uint_fast64_t count;
} left;

static void count_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    left* all = data;
    const frc_keep* keep = all->keep;
    uint64_t count = 0;
    for (uint32_t l = begin; l < end; l++)
        if (!keep->kept[l]) count += count_left(keep->from, &keep->from->leaves[l]);
    atomic_fetch_add_explicit(&all->count, count, memory_order_relaxed);
}

enum { LEAVES_EACH = 512 };

uint64_t frc_keep_left(fracas_context* context, const frc_keep* keep) {
    left all = {.keep = keep};
    atomic_init(&all.count, 0);
    frc_parallel_for(context, keep->from->leaf_count, LEAVES_EACH, count_range, &all);
    return atomic_load_explicit(&all.count, memory_order_relaxed);
}

// ---- places

// The edges of a leaf stand in the order in which its triangles asked for them.
static void place_edges(const frc_block* block, frc_topology* topology, uint32_t number,
                        const frc_leaf* leaf) {
    uint32_t s = leaf->edge, end = leaf->edge + leaf->edge_count;
    for (uint32_t i = leaf->face; i < leaf->face + leaf->face_count && s < end; i++) {
        const frc_triangle* t = &topology->triangles.data[block->faces[i].id];
        for (int k = 0; k < 3 && s < end; k++) {
            if (t->edge[k] == FRACAS_NONE) continue;
            frc_edge* e = &topology->edges.data[t->edge[k]];
            if (memcmp(e->point, block->edges[s].point, sizeof e->point) != 0) continue;
            e->place = (frc_place){number, s++};
        }
    }
    for (; s < end; s++) {
        const uint32_t* p = block->edges[s].point;
        if (p[0] == FRACAS_NONE) continue;
        topology->edges.data[frc_topology_find_edge(topology, p[0], p[1])].place =
            (frc_place){number, s};
    }
}

static void place_leaf(const frc_block* block, frc_topology* topology, uint32_t number,
                       const frc_leaf* leaf) {
    for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s++)
        topology->triangles.data[block->faces[s].id].place = (frc_place){number, s};
    place_edges(block, topology, number, leaf);
    for (uint32_t s = leaf->vertex; s < leaf->vertex + leaf->vertex_count; s++)
        if (block->vertices[s] != FRACAS_NONE)
            topology->uses.data[block->vertices[s]].place = (frc_place){number, s};
}

void frc_block_write_some_places(const frc_block* block, frc_topology* topology, uint32_t number,
                                 uint32_t begin, uint32_t end) {
    for (uint32_t l = begin; l < end; l++) {
        if (block->leaves[l].unplaced) place_leaf(block, topology, number, &block->leaves[l]);
        block->leaves[l].unplaced = 0;
    }
}

void frc_block_write_places(frc_block* block, frc_topology* topology, uint32_t number) {
    frc_block_write_some_places(block, topology, number, 0, block->leaf_count);
    block->unplaced = 0;
}
