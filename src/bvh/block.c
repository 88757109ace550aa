/// @file block.c  Making a block: primitives, tree, slots; and emptying slots.
#include "bvh/block.h"
#include <math.h>
#include <string.h>

enum { KIND_FACE = 0, KIND_EDGE = 1, KIND_POINT = 2 };

static uint32_t round_to_four(uint32_t count) { return (count + 3) / 4 * 4; }

// ---- memory of a block: every array has a size known from the counts

// An array of nothing has room for one element: a leaf may point at where its none begin.
static size_t array_size(size_t count, size_t size) { return (count > 0 ? count : 1) * size; }

static void* allocate_array(fracas_context* context, size_t count, size_t size, bool* ok) {
    if (!*ok) return NULL;
    void* memory = frc_allocate(context, array_size(count, size));
    if (!memory) *ok = false;
    return memory;
}

bool frc_tree_allocate(fracas_context* context, const frc_block* block, frc_boxes boxes,
                       frc_tree* tree) {
    bool ok = true;
    memset(tree, 0, sizeof *tree);
    size_t ends = tree->ends = boxes == FRC_BOXES_STEP ? 2 : 1;
    tree->nodes = allocate_array(context, block->node_count, sizeof *tree->nodes, &ok);
    tree->leaf_box = allocate_array(context, ends * block->leaf_count, sizeof *tree->leaf_box, &ok);
    tree->face_box = allocate_array(context, ends * block->face_slots / 4, sizeof(frc_box4), &ok);
    tree->edge_box = allocate_array(context, ends * block->edge_slots / 4, sizeof(frc_box4), &ok);
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

static bool allocate_slots(fracas_context* context, frc_block* b) {
    bool ok = true;
    b->leaves = allocate_array(context, b->leaf_count, sizeof *b->leaves, &ok);
    b->faces = allocate_array(context, b->face_slots, sizeof *b->faces, &ok);
    b->edges = allocate_array(context, b->edge_slots, sizeof *b->edges, &ok);
    b->vertices = allocate_array(context, b->vertex_slots, sizeof *b->vertices, &ok);
    b->leaf_of_face = allocate_array(context, b->face_slots / 4, sizeof(uint32_t), &ok);
    b->leaf_of_edge = allocate_array(context, b->edge_slots / 4, sizeof(uint32_t), &ok);
    b->leaf_of_vertex = allocate_array(context, b->vertex_slots / 4, sizeof(uint32_t), &ok);
    return ok;
}

void frc_block_forget_cull(fracas_context* context, frc_block* b) {
    frc_release(context, b->twin, frc_block_twin_size(b));
    FRC_ARRAY_RELEASE(context, &b->unpaired);
    frc_release(context, b->skip, (size_t)b->node_count + b->leaf_count);
    frc_release(context, b->cull, b->cull_size);
    b->twin = NULL, b->skip = NULL, b->cull = NULL;
}

void frc_block_destroy(fracas_context* context, frc_block* b) {
    if (!b) return;
    frc_block_forget_cull(context, b);
    for (int m = 0; m < FRC_BOXES_COUNT; m++) frc_tree_release(context, b, &b->tree[m]);
    frc_release(context, b->leaves, array_size(b->leaf_count, sizeof *b->leaves));
    frc_release(context, b->faces, array_size(b->face_slots, sizeof *b->faces));
    frc_block_drop_stars(context, b);
    frc_release(context, b->edges, array_size(b->edge_slots, sizeof *b->edges));
    frc_release(context, b->vertices, array_size(b->vertex_slots, sizeof *b->vertices));
    frc_release(context, b->leaf_of_face, array_size(b->face_slots / 4, sizeof(uint32_t)));
    frc_release(context, b->leaf_of_edge, array_size(b->edge_slots / 4, sizeof(uint32_t)));
    frc_release(context, b->leaf_of_vertex, array_size(b->vertex_slots / 4, sizeof(uint32_t)));
    FRC_ARRAY_RELEASE(context, &b->stale);
    frc_release(context, b, sizeof *b);
}

// ---- primitives

// While a block is built, places mark what a triangle of the input brings along: FRACAS_NONE in
// `block` and CLAIMED in `slot`.
enum { UNCLAIMED = -1, CLAIMED = -2 };
static const uint32_t claimed = (uint32_t)CLAIMED, unclaimed = (uint32_t)UNCLAIMED;

static frc_prim make_prim(const frc_topology* topology, const uint32_t* point, int count,
                          uint32_t kind, uint32_t id) {
    frc_prim prim = {.id = id, .kind = kind};
    for (int i = 0; i < count; i++) {
        frc_point_box box = frc_point_box_at(&topology->points.data[point[i]], 1);
        for (int k = 0; k < 3; k++) {
            float lo = frc_prim_bound(box.lo[k]), hi = frc_prim_bound(box.hi[k]);
            prim.lo[k] = i == 0 || lo < prim.lo[k] ? lo : prim.lo[k];
            prim.hi[k] = i == 0 || hi > prim.hi[k] ? hi : prim.hi[k];
        }
    }
    return prim;
}

static void claim_features(frc_topology* topology, const frc_triangle* t, uint32_t mark) {
    for (int i = 0; i < 3; i++) {
        frc_place* place = &topology->uses.data[t->point[i]].place;
        if (place->block == FRACAS_NONE) place->slot = mark;
        if (t->edge[i] == FRACAS_NONE) continue;
        place = &topology->edges.data[t->edge[i]].place;
        if (place->block == FRACAS_NONE) place->slot = mark;
    }
}

static uint32_t make_prims(frc_topology* topology, const frc_block_input* input, frc_prim* prims) {
    uint32_t count = 0;
    for (size_t i = 0; i < input->triangle_count; i++) {
        const frc_triangle* t = &topology->triangles.data[input->triangles[i]];
        claim_features(topology, t, claimed);
        prims[count++] = make_prim(topology, t->point, 3, KIND_FACE, input->triangles[i]);
    }
    for (size_t i = 0; i < input->edge_count; i++) {
        frc_edge* edge = &topology->edges.data[input->edges[i]];
        if (edge->place.slot == claimed) continue;
        prims[count++] = make_prim(topology, edge->point, 2, KIND_EDGE, input->edges[i]);
        // A free edge brings its points along, as a triangle does.
        if (input->free_elements)
            for (int k = 0; k < 2; k++) {
                frc_place* place = &topology->uses.data[edge->point[k]].place;
                if (place->block == FRACAS_NONE) place->slot = claimed;
            }
    }
    for (size_t i = 0; i < input->point_count; i++)
        if (topology->uses.data[input->points[i]].place.slot != claimed)
            prims[count++] =
                make_prim(topology, &input->points[i], 1, KIND_POINT, input->points[i]);
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

// ---- slots

// What a leaf takes: called twice, first to count, then to fill. While counting, places are given a
// block number already, so that the next leaf does not take the same feature.
typedef struct filler {
    frc_topology* topology;
    frc_block* block;
    uint32_t number;
    bool fill;
    uint32_t face, edge, vertex;  // next slots
} filler;

static void take_point(filler* f, uint32_t point) {
    frc_place* place = &f->topology->uses.data[point].place;
    if (f->fill) {
        if (place->block != f->number || place->slot != unclaimed) return;
        place->slot = f->vertex;
        f->block->vertices[f->vertex++] = point;
    } else if (place->block == FRACAS_NONE) {
        *place = (frc_place){f->number, unclaimed};
        f->vertex++;
    }
}

static void take_edge(filler* f, uint32_t edge) {
    if (edge == FRACAS_NONE) return;
    frc_edge* e = &f->topology->edges.data[edge];
    if (f->fill) {
        if (e->place.block != f->number || e->place.slot != unclaimed) return;
        e->place.slot = f->edge;
        f->block->edges[f->edge++] = (frc_edge_slot){
            {e->point[0], e->point[1]}
        };
    } else if (e->place.block == FRACAS_NONE) {
        e->place = (frc_place){f->number, unclaimed};
        f->edge++;
    }
}

static void take_face(filler* f, uint32_t triangle) {
    frc_triangle* t = &f->topology->triangles.data[triangle];
    if (f->fill) {
        t->place = (frc_place){f->number, f->face};
        f->block->faces[f->face] = (frc_face_slot){
            {t->point[0], t->point[1], t->point[2]},
            triangle
        };
    }
    f->face++;
    for (int i = 0; i < 3; i++) {
        take_point(f, t->point[i]);
        take_edge(f, t->edge[i]);
    }
}

static void take_prim(filler* f, const frc_prim* prim, bool free_elements) {
    if (prim->kind == KIND_FACE) take_face(f, prim->id);
    if (prim->kind == KIND_POINT) take_point(f, prim->id);
    if (prim->kind == KIND_EDGE) {
        take_edge(f, prim->id);
        if (free_elements)
            for (int k = 0; k < 2; k++) take_point(f, f->topology->edges.data[prim->id].point[k]);
    }
}

// The slots up to the next multiple of four are empty.
static void pad_slots(filler* f) {
    frc_block* b = f->block;
    for (; f->face % 4; f->face++)
        if (f->fill)
            b->faces[f->face] = (frc_face_slot){
                {FRACAS_NONE, 0, 0},
                FRACAS_NONE
            };
    for (; f->edge % 4; f->edge++)
        if (f->fill)
            b->edges[f->edge] = (frc_edge_slot){
                {FRACAS_NONE, FRACAS_NONE}
            };
    for (; f->vertex % 4; f->vertex++)
        if (f->fill) b->vertices[f->vertex] = FRACAS_NONE;
}

static void fill_leaf(filler* f, const frc_shape* shape, const frc_prim* prims, uint32_t leaf) {
    const frc_leaf_range* range = &shape->leaves[leaf];
    filler start = *f;
    for (uint32_t i = 0; i < range->count; i++)
        take_prim(f, &prims[range->first + i], f->block->free_elements);
    if (f->fill) {
        f->block->live +=
            (f->face - start.face) + (f->edge - start.edge) + (f->vertex - start.vertex);
        f->block->leaves[leaf] = (frc_leaf){.face = start.face,
                                            .edge = start.edge,
                                            .vertex = start.vertex,
                                            .face_count = (uint16_t)(f->face - start.face),
                                            .edge_count = (uint16_t)(f->edge - start.edge),
                                            .vertex_count = (uint16_t)(f->vertex - start.vertex),
                                            .parent = range->parent,
                                            .lane = range->lane};
        for (uint32_t s = start.face; s < f->face; s += 4) f->block->leaf_of_face[s / 4] = leaf;
        for (uint32_t s = start.edge; s < f->edge; s += 4) f->block->leaf_of_edge[s / 4] = leaf;
        for (uint32_t s = start.vertex; s < f->vertex; s += 4)
            f->block->leaf_of_vertex[s / 4] = leaf;
    }
    pad_slots(f);
}

static void fill_leaves(filler* f, const frc_shape* shape, const frc_prim* prims) {
    f->face = f->edge = f->vertex = 0;
    for (uint32_t leaf = 0; leaf < shape->leaf_count; leaf++) fill_leaf(f, shape, prims, leaf);
}

// ---- building

static void reset_places(frc_topology* topology, const frc_block_input* input) {
    frc_place none = {FRACAS_NONE, FRACAS_NONE};
    for (size_t i = 0; i < input->triangle_count; i++) {
        const frc_triangle* t = &topology->triangles.data[input->triangles[i]];
        for (int k = 0; k < 3; k++) {
            frc_place* place = &topology->uses.data[t->point[k]].place;
            if (place->block == input->number) *place = none;
            uint32_t edge = t->edge[k];
            if (edge != FRACAS_NONE && topology->edges.data[edge].place.block == input->number)
                topology->edges.data[edge].place = none;
        }
    }
    for (size_t i = 0; i < input->edge_count; i++)
        topology->edges.data[input->edges[i]].place = none;
    for (size_t i = 0; i < input->point_count; i++)
        topology->uses.data[input->points[i]].place = none;
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

static frc_block* make_block(fracas_context* context, frc_topology* topology,
                             const frc_block_input* input, const frc_shape* shape,
                             const frc_prim* prims) {
    frc_block* block = frc_allocate_zero(context, sizeof *block);
    if (!block) return NULL;
    block->body = input->body;
    block->free_elements = input->free_elements;
    block->node_count = shape->node_count;
    block->leaf_count = shape->leaf_count;
    block->all_stale = true;
    filler f = {topology, block, input->number, false, 0, 0, 0};
    fill_leaves(&f, shape, prims);
    block->face_slots = round_to_four(f.face);
    block->edge_slots = round_to_four(f.edge);
    block->vertex_slots = round_to_four(f.vertex);
    if (!allocate_slots(context, block) || !make_trees(context, block, shape, input->modes)) {
        frc_block_destroy(context, block);
        reset_places(topology, input);
        return NULL;
    }
    f.fill = true;
    fill_leaves(&f, shape, prims);
    block->built_live = block->live;
    return block;
}

frc_block* frc_block_build(fracas_context* context, frc_topology* topology,
                           const frc_block_input* input) {
    size_t most = input->triangle_count + input->edge_count + input->point_count;
    size_t size = most * sizeof(frc_prim);
    frc_prim* prims = frc_allocate(context, size);
    if (!prims) return NULL;
    uint32_t count = make_prims(topology, input, prims);
    unclaim(topology, input);
    frc_shape shape;
    frc_block* block = NULL;
    if (frc_tree_build(context, input->builder, prims, count, FRC_LEAF_SIZE, &shape)) {
        block = make_block(context, topology, input, &shape, prims);
        frc_shape_release(context, &shape);
    }
    frc_release(context, prims, size);
    return block;
}

// ---- editing slots

static void mark_stale(fracas_context* context, frc_block* block, uint32_t leaf) {
    if (!block->all_stale && !FRC_ARRAY_PUSH(context, &block->stale, leaf)) block->all_stale = true;
}

void frc_block_clear_face(fracas_context* context, frc_block* block, uint32_t slot) {
    frc_block_part_face(block, slot);
    block->leaves[block->leaf_of_face[slot / 4]].loose = 1;
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
    frc_block_part_changed(context, block, slot, point);
    block->leaves[block->leaf_of_face[slot / 4]].loose = 1;
    memcpy(block->faces[slot].point, point, sizeof block->faces[slot].point);
    for (int k = 0; k < 3 && block->stars; k++)
        block->stars[slot / 4].id[k][slot % 4] = FRC_STAR_OPEN | block->faces[slot].id;
    mark_stale(context, block, block->leaf_of_face[slot / 4]);
}

// ---- stars

bool frc_block_need_stars(fracas_context* context, frc_block* block) {
    size_t size = array_size(block->face_slots / 4, sizeof *block->stars);
    // Slots that are empty keep zeros: nobody asks for them, but they are read with the others.
    if (!block->stars) block->stars = frc_allocate_zero(context, size);
    return block->stars != NULL;
}

void frc_block_drop_stars(fracas_context* context, frc_block* block) {
    frc_release(context, block->stars, array_size(block->face_slots / 4, sizeof *block->stars));
    block->stars = NULL;
}
