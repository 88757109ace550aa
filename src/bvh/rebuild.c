/// @file rebuild.c  Build a part of a block anew in its place.
///
/// Nodes and leaves are numbered depth first, and slots go with the leaves: everything below a node
/// stands side by side, in nodes, leaves and the three kinds of slots. A new tree over the same
/// features is put into the same ranges when it fits, and what is left over is marked as not in use
/// (FRC_REF_NONE as parent); features of others are not touched. With the spare slots that blocks
/// have it fits mostly; where a regular mesh has got a tree without a gap it seldom does.
#include "bvh/fill.h"
#include <math.h>
#include <string.h>

// What is below a node, or not in use right after it.
typedef struct part {
    uint32_t node, node_end, leaf, leaf_end;
    uint32_t face, face_end, edge, edge_end, vertex, vertex_end;
} part;

// The last inner child of the last inner child ... is the last below a node. Node 0 alone has no
// parent and is in use.
uint32_t frc_block_part_end(const frc_block* block, uint32_t node) {
    const frc_node* nodes = frc_block_links(block);
    for (uint32_t last = node;; node = last) {
        for (int i = 0; i < 4; i++) {
            uint32_t ref = nodes[node].child[i];
            if (!(ref & FRC_REF_LEAF) && ref > last) last = ref;
        }
        if (last == node) break;
    }
    uint32_t end = node + 1;
    while (end < block->node_count && nodes[end].parent == FRC_REF_NONE) end++;
    return end;
}

void frc_block_part_leaves(const frc_block* block, uint32_t node, uint32_t node_end, uint32_t* leaf,
                           uint32_t* leaf_end) {
    *leaf = UINT32_MAX;
    *leaf_end = 0;
    for (uint32_t n = node; n < node_end; n++)
        for (int i = 0; i < 4; i++) {
            uint32_t ref = frc_block_links(block)[n].child[i], number = ref & ~FRC_REF_LEAF;
            if (ref == FRC_REF_NONE || !(ref & FRC_REF_LEAF)) continue;
            if (number < *leaf) *leaf = number;
            if (number + 1 > *leaf_end) *leaf_end = number + 1;
        }
}

static part find_part(const frc_block* block, uint32_t node) {
    part p = {.node = node, .node_end = frc_block_part_end(block, node)};
    frc_block_part_leaves(block, p.node, p.node_end, &p.leaf, &p.leaf_end);
    const frc_leaf* leaves = block->leaves;
    p.face = leaves[p.leaf].face, p.edge = leaves[p.leaf].edge, p.vertex = leaves[p.leaf].vertex;
    while (p.leaf_end < block->leaf_count && leaves[p.leaf_end].parent == FRC_REF_NONE)
        p.leaf_end++;
    bool last = p.leaf_end == block->leaf_count;
    p.face_end = last ? block->face_slots : leaves[p.leaf_end].face;
    p.edge_end = last ? block->edge_slots : leaves[p.leaf_end].edge;
    p.vertex_end = last ? block->vertex_slots : leaves[p.leaf_end].vertex;
    return p;
}

// ---- taking the features out, and putting them back

typedef struct features {
    uint32_t *triangles, *edges, *points;
    uint32_t triangle_count, edge_count, point_count;
    size_t room[3];
} features;

static bool allocate_features(fracas_context* context, const part* p, features* f) {
    bool ok = true;
    f->room[0] = p->face_end - p->face;
    f->room[1] = p->edge_end - p->edge;
    f->room[2] = p->vertex_end - p->vertex;
    f->triangles = frc_allocate_array(context, f->room[0], sizeof(uint32_t), &ok);
    f->edges = frc_allocate_array(context, f->room[1], sizeof(uint32_t), &ok);
    f->points = frc_allocate_array(context, f->room[2], sizeof(uint32_t), &ok);
    return ok;
}

static void release_features(fracas_context* context, features* f) {
    frc_release(context, f->triangles, frc_array_size(f->room[0], sizeof(uint32_t)));
    frc_release(context, f->edges, frc_array_size(f->room[1], sizeof(uint32_t)));
    frc_release(context, f->points, frc_array_size(f->room[2], sizeof(uint32_t)));
}

// Edges by slot first: those of the part's own triangles are found there, the few others by their
// points.
static void list_edges(const frc_block* block, const frc_topology* topology, const part* p,
                       uint32_t number, features* f) {
    for (uint32_t i = 0; i < p->edge_end - p->edge; i++) f->edges[i] = FRACAS_NONE;
    for (uint32_t i = 0; i < f->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t edge = topology->triangles.data[f->triangles[i]].edge[k];
            if (edge == FRACAS_NONE) continue;
            frc_place place = topology->edges.data[edge].place;
            if (place.block == number && place.slot >= p->edge && place.slot < p->edge_end)
                f->edges[place.slot - p->edge] = edge;
        }
    uint32_t count = 0;
    for (uint32_t s = p->edge; s < p->edge_end; s++) {
        const uint32_t* point = block->edges[s].point;
        uint32_t edge = f->edges[s - p->edge];
        if (point[0] == FRACAS_NONE) continue;
        if (edge == FRACAS_NONE) edge = frc_topology_find_edge(topology, point[0], point[1]);
        f->edges[count++] = edge;
    }
    f->edge_count = count;
}

static void list_features(const frc_block* block, const frc_topology* topology, const part* p,
                          uint32_t number, features* f) {
    for (uint32_t s = p->face; s < p->face_end; s++)
        if (block->faces[s].id != FRACAS_NONE)
            f->triangles[f->triangle_count++] = block->faces[s].id;
    for (uint32_t s = p->vertex; s < p->vertex_end; s++)
        if (block->vertices[s] != FRACAS_NONE) f->points[f->point_count++] = block->vertices[s];
    list_edges(block, topology, p, number, f);
}

static void take_out(frc_topology* topology, const features* f) {
    const frc_place nowhere = {FRACAS_NONE, FRACAS_NONE};
    for (uint32_t i = 0; i < f->triangle_count; i++)
        topology->triangles.data[f->triangles[i]].place = nowhere;
    for (uint32_t i = 0; i < f->edge_count; i++) topology->edges.data[f->edges[i]].place = nowhere;
    for (uint32_t i = 0; i < f->point_count; i++) topology->uses.data[f->points[i]].place = nowhere;
}

// The block still has its old slots.
static void put_back(const frc_block* block, frc_topology* topology, const part* p, uint32_t number,
                     const features* f) {
    uint32_t triangle = 0, edge = 0, point = 0;
    for (uint32_t s = p->face; s < p->face_end; s++)
        if (block->faces[s].id != FRACAS_NONE)
            topology->triangles.data[f->triangles[triangle++]].place = (frc_place){number, s};
    for (uint32_t s = p->edge; s < p->edge_end; s++)
        if (block->edges[s].point[0] != FRACAS_NONE)
            topology->edges.data[f->edges[edge++]].place = (frc_place){number, s};
    for (uint32_t s = p->vertex; s < p->vertex_end; s++)
        if (block->vertices[s] != FRACAS_NONE)
            topology->uses.data[f->points[point++]].place = (frc_place){number, s};
}

// ---- the new tree

static void clear_unused_lanes(frc_node* node) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3 && node->child[i] == FRC_REF_NONE; k++)
            node->box.lo[k][i] = node->box.hi[k][i] = NAN;
}

static void write_nodes(frc_node* nodes, const part* p, const frc_shape* shape) {
    uint32_t parent = nodes[p->node].parent, lane = nodes[p->node].lane;
    for (uint32_t i = 0; i < p->node_end - p->node; i++) {
        frc_node* node = &nodes[p->node + i];
        if (i >= shape->node_count) {
            memset(node, 0, sizeof *node);
            for (int k = 0; k < 4; k++) node->child[k] = FRC_REF_NONE;
            node->parent = FRC_REF_NONE;
        } else {
            *node = shape->nodes[i];
            for (int k = 0; k < 4; k++)
                if (node->child[k] != FRC_REF_NONE)
                    node->child[k] += node->child[k] & FRC_REF_LEAF ? p->leaf : p->node;
            if (node->parent != FRC_REF_NONE) node->parent += p->node;
        }
        clear_unused_lanes(node);
    }
    nodes[p->node].parent = parent;
    nodes[p->node].lane = lane;
}

static void write_leaves(frc_block* block, const part* p, const frc_filler* f) {
    for (uint32_t i = 0; i < p->leaf_end - p->leaf; i++) {
        frc_leaf* leaf = &block->leaves[p->leaf + i];
        if (i < f->leaf_room) {
            *leaf = f->leaves[i];
            leaf->parent += p->node;
        } else {
            *leaf = (frc_leaf){.face = p->face + f->face,
                               .edge = p->edge + f->edge,
                               .vertex = p->vertex + f->vertex,
                               .parent = FRC_REF_NONE};
        }
    }
}

static void write_slots(frc_block* block, const part* p, const frc_filler* f) {
    memcpy(&block->faces[p->face], f->faces, f->face * sizeof *f->faces);
    memcpy(&block->edges[p->edge], f->edges, f->edge * sizeof *f->edges);
    memcpy(&block->vertices[p->vertex], f->vertices, f->vertex * sizeof *f->vertices);
    for (uint32_t s = p->face + f->face; s < p->face_end; s++)
        block->faces[s] = (frc_face_slot){
            {FRACAS_NONE, 0, 0},
            FRACAS_NONE
        };
    for (uint32_t s = p->edge + f->edge; s < p->edge_end; s++)
        block->edges[s] = (frc_edge_slot){
            {FRACAS_NONE, FRACAS_NONE}
        };
    for (uint32_t s = p->vertex + f->vertex; s < p->vertex_end; s++)
        block->vertices[s] = FRACAS_NONE;
}

static bool slots_fit(const part* p, const frc_filler* f) {
    return f->face <= p->face_end - p->face && f->edge <= p->edge_end - p->edge &&
           f->vertex <= p->vertex_end - p->vertex;
}

static bool shape_fits(const part* p, const frc_shape* shape) {
    return shape->node_count <= p->node_end - p->node && shape->leaf_count <= p->leaf_end - p->leaf;
}

// With the builder that is asked for; when that makes too many leaves with a coarse grid, which
// makes fewer, and at last with the median, which makes the fewest.
static bool build_shape(fracas_context* context, frc_topology* topology, const part* p,
                        const frc_block_input* input, frc_prim* prims, frc_shape* shape) {
    const frc_builder builders[3] = {input->build.builder, FRC_BUILD_GRID, FRC_BUILD_MEDIAN};
    frc_build_options how = input->build;
    for (int turn = 0; turn < 3; turn++) {
        how.builder = builders[turn];
        how.grid_stop *= 4;
        uint32_t count = frc_make_prims(topology, input, prims);
        if (!frc_tree_build(context, &how, prims, count, shape)) return false;
        if (shape_fits(p, shape)) return true;
        frc_shape_release(context, shape);
    }
    return false;
}

static bool fill_part(fracas_context* context, frc_topology* topology, frc_block* block,
                      const part* p, const frc_block_input* input, const frc_shape* shape,
                      const frc_prim* prims) {
    frc_filler f = {.topology = topology,
                    .input = input,
                    .face_base = p->face,
                    .edge_base = p->edge,
                    .vertex_base = p->vertex};
    bool ok = frc_filler_allocate(context, shape, &f);
    if (ok) frc_fill_leaves(&f, shape, prims);
    frc_twin_move move;
    ok =
        ok && slots_fit(p, &f) && frc_block_begin_move(context, block, p->face, p->face_end, &move);
    if (ok) {
        write_slots(block, p, &f);
        write_leaves(block, p, &f);
        for (int m = 0; m < FRC_BOXES_COUNT; m++)
            if (block->tree[m].nodes) write_nodes(block->tree[m].nodes, p, shape);
        frc_write_leaf_numbers(block, p->leaf, shape->leaf_count);
        for (uint32_t i = 0; i < shape->leaf_count; i++)
            frc_block_mark_stale(context, block, p->leaf + i);
        block->version++;
        frc_block_finish_move(context, topology, block, &move);
        frc_block_open_stars(block, p->leaf, p->leaf_end);
    }
    frc_filler_release(context, &f);
    return ok;
}

bool frc_block_rebuild_part(fracas_context* context, frc_topology* topology, frc_block* block,
                            uint32_t node, const frc_block_input* given) {
    part p = find_part(block, node);
    features f = {0};
    frc_block_input input = *given;
    bool ok = allocate_features(context, &p, &f);
    if (ok) list_features(block, topology, &p, given->number, &f);
    input.triangles = f.triangles, input.triangle_count = f.triangle_count;
    input.edges = f.edges, input.edge_count = f.edge_count;
    input.points = f.points, input.point_count = f.point_count;
    input.free_elements = block->free_elements;
    size_t size = (input.triangle_count + input.edge_count + input.point_count) * sizeof(frc_prim);
    frc_prim* prims = ok && size ? frc_allocate(context, size) : NULL;
    if (prims) {
        frc_shape shape = {0};
        take_out(topology, &f);
        ok = build_shape(context, topology, &p, &input, prims, &shape) &&
             fill_part(context, topology, block, &p, &input, &shape, prims);
        if (!ok) put_back(block, topology, &p, given->number, &f);
        frc_shape_release(context, &shape);
    }
    frc_release(context, prims, size);
    release_features(context, &f);
    return ok && prims;
}
