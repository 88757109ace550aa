/// @file block.c  A block: its memory, building it over features, editing its slots.
#include "block/block.h"
#include "block/fill_leaves.h"
#include "block/quantized_boxes.h"
#include <math.h>
#include <string.h>

// ---- memory: the counts of a block determine the sizes of its arrays

bool frc_tree_allocate(fracas_context* context, const frc_block* block, frc_boxes boxes,
                       frc_tree* tree) {
    bool ok = true;
    memset(tree, 0, sizeof *tree);
    tree->ends = boxes == FRC_BOXES_STEP ? 2 : 1;
    tree->nodes = frc_allocate_array(context, block->node_count, sizeof *tree->nodes, &ok);
    if (boxes == FRC_BOXES_STEP)
        tree->leaf_box =
            frc_allocate_array(context, 2 * block->leaf_count, sizeof *tree->leaf_box, &ok);
    else
        tree->face_box = frc_allocate_array(context, block->face_slots / 4, sizeof(frc_box4), &ok);
    if (boxes == FRC_BOXES_END && block->free_elements)
        tree->edge_box = frc_allocate_array(context, block->edge_slots / 4, sizeof(frc_box4), &ok);
    if (!ok) frc_tree_release(context, block, tree);
    return ok;
}

void frc_tree_release(fracas_context* context, const frc_block* block, frc_tree* tree) {
    frc_release(context, tree->nodes, frc_array_size(block->node_count, sizeof *tree->nodes));
    frc_release(context, tree->leaf_box,
                frc_array_size(2 * block->leaf_count, sizeof *tree->leaf_box));
    frc_quantized_boxes_release(context, block, tree);
    frc_release(context, tree->face_box, frc_array_size(block->face_slots / 4, sizeof(frc_box4)));
    frc_release(context, tree->edge_box, frc_array_size(block->edge_slots / 4, sizeof(frc_box4)));
    memset(tree, 0, sizeof *tree);
}

void frc_block_release_cull(fracas_context* context, frc_block* b) {
    frc_release(context, b->opposite, frc_half_edges_size(b));
    FRC_ARRAY_RELEASE(context, &b->unpaired);
    b->opposite = NULL;
    frc_release(context, b->skip, (size_t)b->node_count + b->leaf_count);
    b->skip = NULL;
}

void frc_block_destroy(fracas_context* context, frc_block* b) {
    if (!b) return;
    frc_block_release_cull(context, b);
    frc_block_release_stars(context, b);
    for (int m = 0; m < FRC_BOXES_COUNT; m++) frc_tree_release(context, b, &b->tree[m]);
    frc_release(context, b->leaves, frc_array_size(b->leaf_count, sizeof *b->leaves));
    frc_release(context, b->faces, frc_array_size(b->face_slots, sizeof *b->faces));
    frc_release(context, b->edges, frc_array_size(b->edge_slots, sizeof *b->edges));
    frc_release(context, b->vertices, frc_array_size(b->vertex_slots, sizeof *b->vertices));
    frc_release(context, b->leaf_of_face, frc_array_size(b->face_slots / 4, sizeof(uint32_t)));
    frc_release(context, b->leaf_of_edge, frc_array_size(b->edge_slots / 4, sizeof(uint32_t)));
    frc_release(context, b->leaf_of_vertex, frc_array_size(b->vertex_slots / 4, sizeof(uint32_t)));
    frc_release(context, b->search_data, b->search_data_size);
    frc_release(context, b->marks, frc_array_size((size_t)b->leaf_count + b->node_count, 1));
    FRC_ARRAY_RELEASE(context, &b->stale);
    frc_release(context, b, sizeof *b);
}

// ---- building

static void reset_place(frc_place* place, uint32_t number) {
    if (place->block == number) *place = (frc_place){FRACAS_NONE, FRACAS_NONE};
}

// Undo the assignment of features to the block: after a failure.
static void reset_places(frc_topology* topology, const frc_block_input* input) {
    uint32_t number = input->number;
    for (size_t i = 0; i < input->triangle_count; i++) {
        frc_triangle* t = &topology->triangles.data[input->triangles[i]];
        reset_place(&t->place, number);
        for (int k = 0; k < 3; k++) {
            reset_place(&topology->uses.data[t->point[k]].place, number);
            if (t->edge[k] != FRACAS_NONE)
                reset_place(&topology->edges.data[t->edge[k]].place, number);
        }
    }
    for (size_t i = 0; i < input->edge_count; i++) {
        frc_edge* e = &topology->edges.data[input->edges[i]];
        reset_place(&e->place, number);
        for (int k = 0; k < 2; k++) reset_place(&topology->uses.data[e->point[k]].place, number);
    }
    for (size_t i = 0; i < input->point_count; i++)
        reset_place(&topology->uses.data[input->points[i]].place, number);
}

// Move the array at `pointer` out when it is full, else copy its first `count` of `capacity`
// elements.
static void* shrink_array(fracas_context* context, void* pointer, size_t count, size_t capacity,
                          size_t size, bool* ok) {
    void* from;
    memcpy(&from, pointer, sizeof from);
    if (*ok && count == capacity) {
        memset(pointer, 0, sizeof from);
        return from;
    }
    void* copy = frc_allocate_array(context, count, size, ok);
    if (copy) memcpy(copy, from, count * size);
    return copy;
}

// The arrays of a block: those of the filler in their final size, and trees with links.
static bool make_arrays(fracas_context* context, frc_block* block, frc_filler* f,
                        const frc_shape* shape) {
    bool ok = true;
    block->face_slots = f->face;
    block->edge_slots = f->edge;
    block->vertex_slots = f->vertex;
    block->live = block->built_live = f->live;
    block->leaves = shrink_array(context, &f->leaves, f->leaf_capacity, f->leaf_capacity,
                                 sizeof *f->leaves, &ok);
    block->faces =
        shrink_array(context, &f->faces, f->face, f->face_capacity, sizeof *f->faces, &ok);
    block->edges =
        shrink_array(context, &f->edges, f->edge, f->edge_capacity, sizeof *f->edges, &ok);
    block->vertices = shrink_array(context, &f->vertices, f->vertex, f->vertex_capacity,
                                   sizeof *f->vertices, &ok);
    block->leaf_of_face = frc_allocate_array(context, f->face / 4, sizeof(uint32_t), &ok);
    block->leaf_of_edge = frc_allocate_array(context, f->edge / 4, sizeof(uint32_t), &ok);
    block->leaf_of_vertex = frc_allocate_array(context, f->vertex / 4, sizeof(uint32_t), &ok);
    size_t marks = (size_t)block->leaf_count + block->node_count;
    block->marks = frc_allocate_array(context, marks, 1, &ok);
    // Opposite half-edges are optional: without memory the first use computes them.
    bool paired = f->opposite != NULL;
    if (paired)
        block->opposite = shrink_array(context, &f->opposite, 3 * (size_t)f->face,
                                       3 * f->face_capacity, sizeof *f->opposite, &paired);
    if (!ok) return false;
    memset(block->marks, 0, marks);
    frc_write_leaf_numbers(block, 0, block->leaf_count);
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        const uint32_t mode = m == FRC_BOXES_END ? FRACAS_MODE_DISCRETE : FRACAS_MODE_CONTINUOUS;
        if (!(f->input->modes & mode)) continue;
        if (!frc_tree_allocate(context, block, (frc_boxes)m, &block->tree[m])) return false;
        memcpy(block->tree[m].nodes, shape->nodes, shape->node_count * sizeof *shape->nodes);
    }
    return true;
}

static frc_block* make_block(fracas_context* context, frc_filler* f, const frc_shape* shape,
                             const frc_prim* prims) {
    const frc_block_input* input = f->input;
    frc_block* block = frc_allocate_zero(context, sizeof *block);
    if (!block) return NULL;
    block->body = input->body;
    block->free_elements = input->free_elements;
    block->node_count = shape->node_count;
    block->leaf_count = shape->leaf_count;
    block->all_stale = true;
    frc_fill_leaves(f, shape, prims);
    if (make_arrays(context, block, f, shape)) return block;
    frc_block_destroy(context, block);
    reset_places(f->topology, input);
    return NULL;
}

frc_block* frc_block_build(fracas_context* context, frc_topology* topology,
                           const frc_block_input* input) {
    frc_prim* prims = NULL;
    uint32_t count = (uint32_t)input->triangle_count;
    const size_t size =
        (input->triangle_count + input->edge_count + input->point_count) * sizeof *prims;
    // A build from the order of another tree reads no primitives.
    if (!input->build.cuts) {
        prims = frc_allocate(context, size);
        if (!prims) return NULL;
        count = frc_make_prims(topology, input, prims);
    }
    frc_shape shape;
    frc_block* block = NULL;
    if (frc_tree_build(context, &input->build, prims, count, &shape)) {
        frc_filler f = {.topology = topology, .input = input};
        if (frc_filler_allocate(context, &shape, &f))
            block = make_block(context, &f, &shape, prims);
        frc_filler_release(context, &f);
        frc_shape_release(context, &shape);
    }
    frc_release(context, prims, size);
    return block;
}

uint32_t frc_block_cut(const frc_block* block, uint32_t before, uint32_t after) {
    uint32_t a = block->leaf_of_face[before / 4], b = block->leaf_of_face[after / 4];
    if (a == b) return FRC_CUT_LEAF;
    const frc_node* nodes = frc_block_links(block);
    a = block->leaves[a].parent, b = block->leaves[b].parent;
    // A parent has a smaller number than its children: the larger of both is no ancestor.
    while (a != b)
        if (a > b)
            a = nodes[a].parent;
        else
            b = nodes[b].parent;
    return a;
}

void frc_block_write_places(const frc_block* block, frc_topology* topology, uint32_t number) {
    for (uint32_t s = 0; s < block->face_slots; s++)
        if (block->faces[s].id != FRACAS_NONE)
            topology->triangles.data[block->faces[s].id].place = (frc_place){number, s};
    for (uint32_t s = 0; s < block->edge_slots; s++) {
        const uint32_t* p = block->edges[s].point;
        if (p[0] == FRACAS_NONE) continue;
        uint32_t id = frc_topology_find_edge(topology, p[0], p[1]);
        topology->edges.data[id].place = (frc_place){number, s};
    }
    for (uint32_t s = 0; s < block->vertex_slots; s++)
        if (block->vertices[s] != FRACAS_NONE)
            topology->uses.data[block->vertices[s]].place = (frc_place){number, s};
}

// ---- editing slots

void frc_block_mark_stale(fracas_context* context, frc_block* block, uint32_t leaf) {
    if (block->all_stale || block->marks[leaf]) return;
    if (FRC_ARRAY_PUSH(context, &block->stale, leaf))
        block->marks[leaf] = 1;
    else
        block->all_stale = true;
}

// A triangle of a leaf has changed: its certificates no longer hold, and its edges and points may
// belong to no triangle of the leaf.
static void mark_changed_face(fracas_context* context, frc_block* block, uint32_t slot) {
    uint32_t leaf = block->leaf_of_face[slot / 4];
    frc_block_reset_stars(block, leaf, leaf + 1);
    block->leaves[leaf].loose = 1;
    frc_block_mark_stale(context, block, leaf);
}

void frc_block_clear_face(fracas_context* context, frc_block* block, uint32_t slot) {
    frc_half_edges_remove_face(block, slot);
    block->faces[slot] = (frc_face_slot){
        {FRACAS_NONE, 0, 0},
        FRACAS_NONE
    };
    block->live--;
    mark_changed_face(context, block, slot);
}

void frc_block_clear_edge(fracas_context* context, frc_block* block, uint32_t slot) {
    block->edges[slot] = (frc_edge_slot){
        {FRACAS_NONE, FRACAS_NONE}
    };
    block->live--;
    frc_block_mark_stale(context, block, block->leaf_of_edge[slot / 4]);
}

void frc_block_clear_vertex(fracas_context* context, frc_block* block, uint32_t slot) {
    block->vertices[slot] = FRACAS_NONE;
    block->live--;
    frc_block_mark_stale(context, block, block->leaf_of_vertex[slot / 4]);
}

void frc_block_set_face(fracas_context* context, frc_block* block, uint32_t slot,
                        const uint32_t point[3]) {
    frc_half_edges_change_face(context, block, slot, point);
    memcpy(block->faces[slot].point, point, sizeof block->faces[slot].point);
    mark_changed_face(context, block, slot);
}

// ---- certificates of adjacent pairs

bool frc_block_allocate_stars(fracas_context* context, frc_block* block) {
    size_t size = frc_array_size(block->leaf_count, sizeof *block->stars);
    if (!block->stars) block->stars = frc_allocate_zero(context, size);
    return block->stars &&
           frc_quantized_boxes_allocate(context, block, &block->tree[FRC_BOXES_END]);
}

void frc_block_release_stars(fracas_context* context, frc_block* block) {
    frc_release(context, block->stars, frc_array_size(block->leaf_count, sizeof *block->stars));
    block->stars = NULL;
    frc_quantized_boxes_release(context, block, &block->tree[FRC_BOXES_END]);
}

void frc_block_reset_stars(frc_block* block, uint32_t begin, uint32_t end) {
    if (block->stars) memset(block->stars + begin, 0, (end - begin) * sizeof *block->stars);
}
