/// @file fracture_trees.c  The sphere trees of the parts: split the old one, insert new points.
#include "fragment/fracture.h"
#include "fragment/max_distance_order.h"
#include <string.h>

// Parts of all points of the old tree; indexed by point of the tree. NULL: no memory.
static uint32_t* assign_points(const frc_breaking* b) {
    const frc_object* object = b->object;
    const frc_sphere_tree* tree = &b->fragment->tree;
    const size_t all = object->solid->point_count + b->old_surface_points;
    uint32_t* parts = frc_arena_allocate(b->arena, all, sizeof *parts);
    for (uint32_t i = 0; parts && i < tree->node_count; i++) {
        const uint32_t point = tree->nodes[i].point;
        parts[point] = frc_breaking_part(b, frc_object_tree_node(object, point));
    }
    return parts;
}

// New surface points by part, each at its node. False: no memory.
static bool list_insertions(frc_breaking* b) {
    const frc_object* object = b->object;
    const uint32_t parts = b->fracture->part_count, first = (uint32_t)b->old_surface_points;
    const uint32_t last = (uint32_t)object->surface_points.count;
    b->begins = frc_arena_allocate_zero(b->arena, parts + (size_t)2, sizeof *b->begins);
    b->inserted = frc_arena_allocate(b->arena, last - first, sizeof *b->inserted);
    if (!b->begins || !b->inserted) return false;
    for (uint32_t i = first; i < last; i++)
        b->begins[frc_breaking_part(b, object->surface_point_nodes.data[i]) + 2]++;
    for (uint32_t p = 0; p < parts; p++) b->begins[p + 2] += b->begins[p + 1];
    for (uint32_t i = first; i < last; i++) {
        const uint32_t node = object->surface_point_nodes.data[i];
        b->inserted[b->begins[frc_breaking_part(b, node) + 1]++] =
            (frc_sphere_insertion){object->solid->point_count + i, node};
    }
    return true;
}

// Replace a tree by a new one of the same points.
static bool rebuild(const frc_breaking* b, frc_sphere_tree* tree) {
    const uint32_t count = tree->point_count;
    const frc_sphere_points points = frc_object_tree_points(b->object);
    uint32_t* ids = frc_arena_allocate(b->arena, count, sizeof *ids);
    uint32_t* order = frc_arena_allocate(b->arena, count, sizeof *order);
    double(*at)[3] = frc_arena_allocate(b->arena, count, sizeof *at);
    if (!ids || !order || !at) return false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (frc_sphere_tree_owns(tree, i)) {
            ids[n] = tree->nodes[i].point;
            memcpy(at[n], frc_sphere_points_at(&points, ids[n]), sizeof *at);
            n++;
        }
    frc_sphere_tree built;
    const double(*list)[3] = (const double(*)[3])at;
    if (!frc_max_distance_order(b->context, list, NULL, n, order, NULL) ||
        !frc_sphere_tree_build(b->context, list, order, n, &built))
        return false;
    for (uint32_t i = 0; i < built.node_count; i++)
        built.nodes[i].point = ids[built.nodes[i].point];
    frc_sphere_tree_release(b->context, tree);
    *tree = built;
    return true;
}

bool frc_breaking_make_trees(frc_breaking* b) {
    const uint32_t count = b->fracture->part_count;
    const fracas_tree_update mode = b->fragments->options.tree_update;
    const frc_sphere_points points = frc_object_tree_points(b->object);
    const uint32_t* parts = assign_points(b);
    frc_sphere_tree* trees = frc_arena_allocate_zero(b->arena, count, sizeof *trees);
    if (!parts || !trees || !list_insertions(b)) return false;
    bool ok = frc_sphere_tree_split(
        b->context, &b->fragment->tree, parts, count,
        mode == FRACAS_TREE_UPDATE_FIRST ? FRC_RESTRUCTURE_NONE : FRC_RESTRUCTURE_NEAREST, trees);
    for (uint32_t p = 0; ok && p < count; p++)
        ok = frc_sphere_tree_insert(b->context, &trees[p], &points, b->inserted + b->begins[p],
                                    b->begins[p + 1] - b->begins[p]) &&
             (mode != FRACAS_TREE_UPDATE_REBUILD || rebuild(b, &trees[p]));
    for (uint32_t p = 0; p < count; p++) b->parts[p].tree = trees[p];
    return ok;
}
