/// @file sphere_tree_insert.c  Insert points: find the parent of each and enlarge the spheres
/// above, then lay all nodes out again.
#include "base/array.h"
#include "fragment/sphere_distance.h"
#include "fragment/sphere_tree.h"
#include <assert.h>
#include <string.h>

typedef struct inserter {
    const frc_sphere_points* points;
    const frc_sphere_insertion* list;
    uint32_t count;
    frc_sphere_tree* tree;
    uint32_t* own_node;  // of each point of the tree; other entries are not initialised
    size_t id_count;     // the size of own_node
    uint32_t* last;      // of each node: its last insertion, FRACAS_NONE
    uint32_t* earlier;   // of each insertion: the insertion before it at the same node
    uint32_t* source;    // of each new node: the old node, or node_count + an insertion
    frc_sphere_node* nodes;
    uint32_t node_count;  // of the new tree
} inserter;

static bool allocate(fracas_context* context, inserter* s) {
    bool ok = true;
    s->own_node = frc_allocate_array(context, s->id_count, sizeof *s->own_node, &ok);
    s->last = frc_allocate_array(context, s->tree->node_count, sizeof *s->last, &ok);
    s->earlier = frc_allocate_array(context, s->count, sizeof *s->earlier, &ok);
    s->source = frc_allocate_array(context, s->node_count, sizeof *s->source, &ok);
    s->nodes = frc_allocate_array(context, s->node_count, sizeof *s->nodes, &ok);
    return ok;
}

static void release_scratch(fracas_context* context, inserter* s) {
    frc_release(context, s->own_node, frc_array_size(s->id_count, sizeof *s->own_node));
    frc_release(context, s->last, frc_array_size(s->tree->node_count, sizeof *s->last));
    frc_release(context, s->earlier, frc_array_size(s->count, sizeof *s->earlier));
    frc_release(context, s->source, frc_array_size(s->node_count, sizeof *s->source));
}

// The parent of a new point: the lowest node of the chain above its own node `own` whose radius
// exceeds the distance, else the highest.
static uint32_t find_parent(const frc_sphere_tree* tree, uint32_t own, double distance) {
    const frc_sphere_node* nodes = tree->nodes;
    uint32_t n = own;
    while (nodes[n].radius <= distance) {
        const uint32_t up = nodes[n].parent;
        if (up == FRACAS_NONE || nodes[up].point != nodes[own].point) break;
        n = up;
    }
    return n;
}

static void find_parents(inserter* s) {
    frc_sphere_node* nodes = s->tree->nodes;
    for (uint32_t n = 0; n < s->tree->node_count; n++) {
        s->last[n] = FRACAS_NONE;
        if (frc_sphere_tree_owns(s->tree, n)) s->own_node[nodes[n].point] = n;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        assert(s->list[i].near < s->id_count);
        const double* at = frc_sphere_points_at(s->points, s->list[i].point);
        const uint32_t own = s->own_node[s->list[i].near];
        const double distance = frc_distance_above(nodes[own].at, at);
        const uint32_t parent = find_parent(s->tree, own, distance);
        s->earlier[i] = s->last[parent];
        s->last[parent] = i;
        for (uint32_t up = parent; up != FRACAS_NONE; up = nodes[up].parent) {
            const double radius = frc_distance_above(nodes[up].at, at);
            if (radius > nodes[up].radius) nodes[up].radius = radius;
        }
    }
}

// Breadth-first: the old children of a node, then the new ones in the order of the list.
static void lay_out(inserter* s) {
    const uint32_t old_count = s->tree->node_count;
    uint32_t count = 1;
    s->source[0] = 0;
    s->nodes[0].parent = FRACAS_NONE;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t source = s->source[n], first_child = count;
        frc_sphere_node* node = &s->nodes[n];
        const uint32_t parent = node->parent;
        if (source >= old_count) {
            const uint32_t id = s->list[source - old_count].point;
            *node = (frc_sphere_node){.point = id, .parent = parent};
            memcpy(node->at, frc_sphere_points_at(s->points, id), sizeof node->at);
            continue;
        }
        *node = s->tree->nodes[source];
        for (uint32_t i = 0; i < node->child_count; i++) s->source[count++] = node->first_child + i;
        uint32_t added = 0, end;
        for (uint32_t i = s->last[source]; i != FRACAS_NONE; i = s->earlier[i]) added++;
        end = count += added;
        for (uint32_t i = s->last[source]; i != FRACAS_NONE; i = s->earlier[i])
            s->source[--end] = old_count + i;
        node->parent = parent;
        node->first_child = first_child;
        node->child_count = count - first_child;
        for (uint32_t i = first_child; i < count; i++) s->nodes[i].parent = n;
    }
    assert(count == s->node_count);
}

bool frc_sphere_tree_insert(fracas_context* context, frc_sphere_tree* tree,
                            const frc_sphere_points* points, const frc_sphere_insertion* list,
                            uint32_t count) {
    if (count == 0) return true;
    inserter s = {.points = points, .list = list, .count = count, .tree = tree};
    s.node_count = tree->node_count + count;
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].point >= s.id_count) s.id_count = (size_t)tree->nodes[n].point + 1;
    const bool ok = allocate(context, &s);
    if (ok) {
        find_parents(&s);
        lay_out(&s);
    } else {
        frc_release(context, s.nodes, frc_array_size(s.node_count, sizeof *s.nodes));
    }
    release_scratch(context, &s);
    if (ok) {
        const uint32_t point_count = tree->point_count + count;
        frc_sphere_tree_release(context, tree);
        *tree = (frc_sphere_tree){s.nodes, s.node_count, point_count};
    }
    return ok;
}
