/// @file block.c  Making a block: primitives, tree, slots; and emptying slots.
#include "bvh/block.h"
#include "base/simd.h"
#include <math.h>
#include <string.h>

// ---- memory of a block: every array has a size known from the counts

// An array of nothing has room for one element: a leaf may point at where its none begin.
static size_t array_size(size_t count, size_t size) { return (count > 0 ? count : 1) * size; }

static void* allocate_array(fracas_context* context, size_t count, size_t size, bool* ok) {
    if (!*ok) return NULL;
    void* memory = frc_allocate(context, array_size(count, size));
    if (!memory) *ok = false;
    return memory;
}

// The discrete query asks for triangles and free edges only.
static bool has_edge_boxes(const frc_block* block, size_t ends) {
    return ends == 2 || block->free_elements;
}

static bool has_vertex_boxes(size_t ends) { return ends == 2; }

bool frc_tree_allocate(fracas_context* context, const frc_block* block, frc_boxes boxes,
                       frc_tree* tree) {
    bool ok = true;
    memset(tree, 0, sizeof *tree);
    size_t ends = tree->ends = boxes == FRC_BOXES_STEP ? 2 : 1;
    tree->nodes = allocate_array(context, block->node_count, sizeof *tree->nodes, &ok);
    tree->leaf_box = allocate_array(context, ends * block->leaf_count, sizeof *tree->leaf_box, &ok);
    tree->face_box = allocate_array(context, ends * block->face_slots / 4, sizeof(frc_box4), &ok);
    if (has_edge_boxes(block, ends))
        tree->edge_box =
            allocate_array(context, ends * block->edge_slots / 4, sizeof(frc_box4), &ok);
    if (has_vertex_boxes(ends))
        tree->vertex_box =
            allocate_array(context, ends * block->vertex_slots / 4, sizeof(frc_box4), &ok);
    if (!ok) frc_tree_release(context, block, tree);
    return ok;
}

void frc_tree_release(fracas_context* context, const frc_block* block, frc_tree* tree) {
    size_t ends = tree->ends;
    frc_release(context, tree->nodes, array_size(block->node_count, sizeof *tree->nodes));
    frc_release(context, tree->leaf_box,
                array_size(ends * block->leaf_count, sizeof *tree->leaf_box));
    frc_release(context, tree->face_box,
                array_size(ends * block->face_slots / 4, sizeof(frc_box4)));
    frc_release(context, tree->edge_box,
                array_size(ends * block->edge_slots / 4, sizeof(frc_box4)));
    frc_release(context, tree->vertex_box,
                array_size(ends * block->vertex_slots / 4, sizeof(frc_box4)));
    memset(tree, 0, sizeof *tree);
}

void frc_block_destroy(fracas_context* context, frc_block* b) {
    if (!b) return;
    for (int m = 0; m < FRC_BOXES_COUNT; m++) frc_tree_release(context, b, &b->tree[m]);
    frc_release(context, b->leaves, array_size(b->leaf_count, sizeof *b->leaves));
    frc_release(context, b->faces, array_size(b->face_slots, sizeof *b->faces));
    frc_release(context, b->edges, array_size(b->edge_slots, sizeof *b->edges));
    frc_release(context, b->vertices, array_size(b->vertex_slots, sizeof *b->vertices));
    frc_release(context, b->leaf_of_face, array_size(b->face_slots / 4, sizeof(uint32_t)));
    frc_release(context, b->leaf_of_edge, array_size(b->edge_slots / 4, sizeof(uint32_t)));
    frc_release(context, b->leaf_of_vertex, array_size(b->vertex_slots / 4, sizeof(uint32_t)));
    frc_release(context, b->marks, array_size((size_t)b->leaf_count + b->node_count, 1));
    FRC_ARRAY_RELEASE(context, &b->stale);
    frc_release(context, b, sizeof *b);
}

// ---- primitives

// The id of a primitive is its place in the three lists of the input, one after the other.
static frc_prim make_prim(const frc_block_input* input, const uint32_t* point, int count,
                          size_t id) {
    f32x4 lo = f32x4_load(input->point_boxes[point[0]].lo);
    f32x4 hi = f32x4_load(input->point_boxes[point[0]].hi);
    for (int i = 1; i < count; i++) {
        lo = f32x4_min(lo, f32x4_load(input->point_boxes[point[i]].lo));
        hi = f32x4_max(hi, f32x4_load(input->point_boxes[point[i]].hi));
    }
    const f32x4 most = f32x4_splat(FLT_MAX), least = f32x4_splat(-FLT_MAX);
    frc_prim prim;
    f32x4_store(prim.lo, f32x4_max(f32x4_min(lo, most), least));
    f32x4_store(prim.hi, f32x4_max(f32x4_min(hi, most), least));
    prim.id = (uint32_t)id;
    return prim;
}

// While a block is built, places mark what a triangle of the input brings along: FRACAS_NONE in
// `block` and CLAIMED in `slot`.
enum { UNCLAIMED = -1, CLAIMED = -2 };
static const uint32_t claimed = (uint32_t)CLAIMED, unclaimed = (uint32_t)UNCLAIMED;

static void claim_features(frc_topology* topology, const frc_triangle* t, uint32_t mark) {
    for (int i = 0; i < 3; i++) {
        frc_place* place = &topology->uses.data[t->point[i]].place;
        if (place->block == FRACAS_NONE) place->slot = mark;
        if (t->edge[i] == FRACAS_NONE) continue;
        place = &topology->edges.data[t->edge[i]].place;
        if (place->block == FRACAS_NONE) place->slot = mark;
    }
}

static uint32_t make_loose_prims(frc_topology* topology, const frc_block_input* input,
                                 frc_prim* prims, uint32_t count) {
    for (size_t i = 0; i < input->edge_count; i++) {
        frc_edge* edge = &topology->edges.data[input->edges[i]];
        if (edge->place.slot == claimed) continue;
        prims[count++] = make_prim(input, edge->point, 2, input->triangle_count + i);
        // A free edge brings its points along, as a triangle does.
        if (input->free_elements)
            for (int k = 0; k < 2; k++) {
                frc_place* place = &topology->uses.data[edge->point[k]].place;
                if (place->block == FRACAS_NONE) place->slot = claimed;
            }
    }
    for (size_t i = 0; i < input->point_count; i++)
        if (topology->uses.data[input->points[i]].place.slot != claimed)
            prims[count++] = make_prim(input, &input->points[i], 1,
                                       input->triangle_count + input->edge_count + i);
    return count;
}

static void unclaim(frc_topology* topology, const frc_block_input* input) {
    for (size_t i = 0; i < input->triangle_count; i++)
        claim_features(topology, &topology->triangles.data[input->triangles[i]], unclaimed);
    for (size_t i = 0; i < input->point_count; i++) {
        frc_place* place = &topology->uses.data[input->points[i]].place;
        if (place->block == FRACAS_NONE) place->slot = unclaimed;
    }
}

static uint32_t make_prims(frc_topology* topology, const frc_block_input* input, frc_prim* prims) {
    const frc_triangle* triangles = topology->triangles.data;
    uint32_t count = (uint32_t)input->triangle_count;
    for (uint32_t i = 0; i < count; i++)
        prims[i] = make_prim(input, triangles[input->triangles[i]].point, 3, i);
    if (input->edge_count + input->point_count == 0) return count;
    for (uint32_t i = 0; i < count; i++)
        claim_features(topology, &triangles[input->triangles[i]], claimed);
    count = make_loose_prims(topology, input, prims, count);
    unclaim(topology, input);
    return count;
}

// ---- slots

// Leaf by leaf, features are put into arrays that are large enough for anything.
typedef struct filler {
    frc_topology* topology;
    const frc_block_input* input;
    frc_leaf* leaves;
    frc_face_slot* faces;
    frc_edge_slot* edges;
    uint32_t* vertices;
    size_t leaf_room, face_room, edge_room, vertex_room;
    uint32_t face, edge, vertex, live;
} filler;

// Is a feature still to be taken? What another leaf has taken stands in this block already.
static inline bool may_take(const frc_place* place, uint32_t number, bool whole) {
    return (place->block != number) & (whole | (place->block == FRACAS_NONE));
}

// (Writing always and keeping or not by what is added to the count, to save branches, is slower.)
static inline uint32_t take_point(filler* f, uint32_t point, uint32_t at) {
    frc_place* place = &f->topology->uses.data[point].place;
    if (!may_take(place, f->input->number, f->input->whole)) return at;
    *place = (frc_place){f->input->number, at};
    f->vertices[at] = point;
    return at + 1;
}

static inline uint32_t take_edge(filler* f, uint32_t edge, uint32_t at) {
    if (edge == FRACAS_NONE) return at;
    frc_edge* e = &f->topology->edges.data[edge];
    if (!may_take(&e->place, f->input->number, f->input->whole)) return at;
    e->place = (frc_place){f->input->number, at};
    memcpy(f->edges[at].point, e->point, sizeof e->point);
    return at + 1;
}

static inline void take_face(filler* f, uint32_t triangle) {
    frc_triangle* t = &f->topology->triangles.data[triangle];
    uint32_t vertex = f->vertex, edge = f->edge;
    t->place = (frc_place){f->input->number, f->face};
    f->faces[f->face++] = (frc_face_slot){
        {t->point[0], t->point[1], t->point[2]},
        triangle
    };
    for (int i = 0; i < 3; i++) vertex = take_point(f, t->point[i], vertex);
    for (int i = 0; i < 3; i++) edge = take_edge(f, t->edge[i], edge);
    f->vertex = vertex;
    f->edge = edge;
}

static void take_prim(filler* f, size_t id) {
    const frc_block_input* input = f->input;
    if (id < input->triangle_count) {
        take_face(f, input->triangles[id]);
        return;
    }
    id -= input->triangle_count;
    if (id >= input->edge_count) {
        f->vertex = take_point(f, input->points[id - input->edge_count], f->vertex);
        return;
    }
    const uint32_t* point = f->topology->edges.data[input->edges[id]].point;
    f->edge = take_edge(f, input->edges[id], f->edge);
    for (int k = 0; k < 2 && input->free_elements; k++)
        f->vertex = take_point(f, point[k], f->vertex);
}

// The slots up to the next multiple of four are empty.
static void pad_slots(filler* f) {
    for (; f->face % 4; f->face++)
        f->faces[f->face] = (frc_face_slot){
            {FRACAS_NONE, 0, 0},
            FRACAS_NONE
        };
    for (; f->edge % 4; f->edge++)
        f->edges[f->edge] = (frc_edge_slot){
            {FRACAS_NONE, FRACAS_NONE}
        };
    for (; f->vertex % 4; f->vertex++) f->vertices[f->vertex] = FRACAS_NONE;
}

static void fill_leaf(filler* f, const frc_leaf_range* range, const frc_prim* prims,
                      frc_leaf* out) {
    uint32_t face = f->face, edge = f->edge, vertex = f->vertex;
    for (uint32_t i = 0; i < range->count; i++) take_prim(f, prims[range->first + i].id);
    f->live += (f->face - face) + (f->edge - edge) + (f->vertex - vertex);
    *out = (frc_leaf){.face = face,
                      .edge = edge,
                      .vertex = vertex,
                      .face_count = (uint16_t)(f->face - face),
                      .edge_count = (uint16_t)(f->edge - edge),
                      .vertex_count = (uint16_t)(f->vertex - vertex),
                      .parent = range->parent,
                      .lane = range->lane};
    pad_slots(f);
}

static void fill_leaves(filler* f, const frc_shape* shape, const frc_prim* prims) {
    for (uint32_t leaf = 0; leaf < shape->leaf_count; leaf++)
        fill_leaf(f, &shape->leaves[leaf], prims, &f->leaves[leaf]);
}

static bool allocate_filler(fracas_context* context, filler* f, const frc_shape* shape) {
    const frc_block_input* input = f->input;
    size_t padding = 3 * (size_t)shape->leaf_count + 1, triangles = input->triangle_count;
    bool ok = true;
    f->leaf_room = shape->leaf_count;
    f->face_room = triangles + padding;
    f->edge_room = 3 * triangles + input->edge_count + padding;
    f->vertex_room = 3 * triangles + 2 * input->edge_count + input->point_count + padding;
    f->leaves = allocate_array(context, f->leaf_room, sizeof *f->leaves, &ok);
    f->faces = allocate_array(context, f->face_room, sizeof *f->faces, &ok);
    f->edges = allocate_array(context, f->edge_room, sizeof *f->edges, &ok);
    f->vertices = allocate_array(context, f->vertex_room, sizeof *f->vertices, &ok);
    return ok;
}

static void release_filler(fracas_context* context, filler* f) {
    frc_release(context, f->leaves, array_size(f->leaf_room, sizeof *f->leaves));
    frc_release(context, f->faces, array_size(f->face_room, sizeof *f->faces));
    frc_release(context, f->edges, array_size(f->edge_room, sizeof *f->edges));
    frc_release(context, f->vertices, array_size(f->vertex_room, sizeof *f->vertices));
}

// ---- building

static void reset_place(frc_place* place, uint32_t number) {
    if (place->block == number) *place = (frc_place){FRACAS_NONE, FRACAS_NONE};
}

static void reset_places(filler* f) {
    frc_topology* topology = f->topology;
    uint32_t number = f->input->number;
    for (uint32_t s = 0; s < f->face; s++) {
        if (f->faces[s].id == FRACAS_NONE) continue;
        frc_triangle* t = &topology->triangles.data[f->faces[s].id];
        reset_place(&t->place, number);
        for (int k = 0; k < 3; k++)
            if (t->edge[k] != FRACAS_NONE)
                reset_place(&topology->edges.data[t->edge[k]].place, number);
    }
    for (size_t i = 0; i < f->input->edge_count; i++)
        reset_place(&topology->edges.data[f->input->edges[i]].place, number);
    for (uint32_t s = 0; s < f->vertex; s++)
        if (f->vertices[s] != FRACAS_NONE)
            reset_place(&topology->uses.data[f->vertices[s]].place, number);
}

static bool make_trees(fracas_context* context, frc_block* block, const frc_shape* shape,
                       uint32_t modes) {
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        if (!(modes & (m == FRC_BOXES_END ? FRACAS_DISCRETE : FRACAS_CONTINUOUS))) continue;
        if (!frc_tree_allocate(context, block, (frc_boxes)m, &block->tree[m])) return false;
        memcpy(block->tree[m].nodes, shape->nodes, shape->node_count * sizeof *shape->nodes);
    }
    return true;
}

static void* copy_array(fracas_context* context, const void* from, size_t count, size_t size,
                        bool* ok) {
    void* copy = allocate_array(context, count, size, ok);
    if (copy) memcpy(copy, from, count * size);
    return copy;
}

static void write_leaf_numbers(frc_block* block) {
    for (uint32_t i = 0; i < block->leaf_count; i++) {
        const frc_leaf* leaf = &block->leaves[i];
        for (uint32_t s = 0; s < leaf->face_count; s += 4)
            block->leaf_of_face[(leaf->face + s) / 4] = i;
        for (uint32_t s = 0; s < leaf->edge_count; s += 4)
            block->leaf_of_edge[(leaf->edge + s) / 4] = i;
        for (uint32_t s = 0; s < leaf->vertex_count; s += 4)
            block->leaf_of_vertex[(leaf->vertex + s) / 4] = i;
    }
}

// Arrays of the right size from those that were large enough.
static bool copy_slots(fracas_context* context, frc_block* block, const filler* f) {
    bool ok = true;
    block->face_slots = f->face;
    block->edge_slots = f->edge;
    block->vertex_slots = f->vertex;
    block->live = block->built_live = f->live;
    block->leaves = copy_array(context, f->leaves, f->leaf_room, sizeof *f->leaves, &ok);
    block->faces = copy_array(context, f->faces, f->face, sizeof *f->faces, &ok);
    block->edges = copy_array(context, f->edges, f->edge, sizeof *f->edges, &ok);
    block->vertices = copy_array(context, f->vertices, f->vertex, sizeof *f->vertices, &ok);
    block->leaf_of_face = allocate_array(context, f->face / 4, sizeof(uint32_t), &ok);
    block->leaf_of_edge = allocate_array(context, f->edge / 4, sizeof(uint32_t), &ok);
    block->leaf_of_vertex = allocate_array(context, f->vertex / 4, sizeof(uint32_t), &ok);
    size_t marks = (size_t)block->leaf_count + block->node_count;
    block->marks = allocate_array(context, marks, 1, &ok);
    if (!ok) return false;
    memset(block->marks, 0, marks);
    write_leaf_numbers(block);
    return true;
}

static frc_block* make_block(fracas_context* context, filler* f, const frc_shape* shape,
                             const frc_prim* prims) {
    const frc_block_input* input = f->input;
    frc_block* block = frc_allocate_zero(context, sizeof *block);
    if (!block) return NULL;
    block->body = input->body;
    block->free_elements = input->free_elements;
    block->node_count = shape->node_count;
    block->leaf_count = shape->leaf_count;
    block->all_stale = true;
    fill_leaves(f, shape, prims);
    if (copy_slots(context, block, f) && make_trees(context, block, shape, input->modes))
        return block;
    frc_block_destroy(context, block);
    reset_places(f);
    return NULL;
}

frc_block* frc_block_build(fracas_context* context, frc_topology* topology,
                           const frc_block_input* input) {
    size_t most = input->triangle_count + input->edge_count + input->point_count;
    size_t size = most * sizeof(frc_prim);
    frc_prim* prims = frc_allocate(context, size);
    if (!prims) return NULL;
    uint32_t count = make_prims(topology, input, prims);
    frc_shape shape;
    frc_block* block = NULL;
    if (frc_tree_build(context, &input->build, prims, count, &shape)) {
        filler f = {.topology = topology, .input = input};
        if (allocate_filler(context, &f, &shape)) block = make_block(context, &f, &shape, prims);
        release_filler(context, &f);
        frc_shape_release(context, &shape);
    }
    frc_release(context, prims, size);
    return block;
}

void frc_block_place(const frc_block* block, frc_topology* topology, uint32_t number) {
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

static void mark_stale(fracas_context* context, frc_block* block, uint32_t leaf) {
    if (block->all_stale || block->marks[leaf]) return;
    if (FRC_ARRAY_PUSH(context, &block->stale, leaf))
        block->marks[leaf] = 1;
    else
        block->all_stale = true;
}

void frc_block_clear_face(fracas_context* context, frc_block* block, uint32_t slot) {
    block->faces[slot] = (frc_face_slot){
        {FRACAS_NONE, 0, 0},
        FRACAS_NONE
    };
    block->live--;
    mark_stale(context, block, block->leaf_of_face[slot / 4]);
}

void frc_block_clear_edge(fracas_context* context, frc_block* block, uint32_t slot) {
    block->edges[slot] = (frc_edge_slot){
        {FRACAS_NONE, FRACAS_NONE}
    };
    block->live--;
    mark_stale(context, block, block->leaf_of_edge[slot / 4]);
}

void frc_block_clear_vertex(fracas_context* context, frc_block* block, uint32_t slot) {
    block->vertices[slot] = FRACAS_NONE;
    block->live--;
    mark_stale(context, block, block->leaf_of_vertex[slot / 4]);
}

void frc_block_set_face(fracas_context* context, frc_block* block, uint32_t slot,
                        const uint32_t point[3]) {
    memcpy(block->faces[slot].point, point, sizeof block->faces[slot].point);
    mark_stale(context, block, block->leaf_of_face[slot / 4]);
}
