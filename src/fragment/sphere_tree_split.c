/// @file sphere_tree_split.c  Split a sphere tree by the parts of its points.
///
/// An old node is uniform if all points below it are in one part; it is used as it is. A pass over
/// the other nodes, from the last to the first, makes copies of them: one for each part below, less
/// those with a single child. A copy whose point is in another part gets the nearest point of its
/// subtree, and so do all nodes on the way to that point. Then each new tree is laid out
/// breadth-first. Only nodes near a crack have copies, and the rest of the time is linear.
/// Based on: Glondu et al., "Efficient Collision Detection for Brittle Fracture", section 6.2.
#include "base/array.h"
#include "fragment/sphere_distance.h"
#include "fragment/sphere_tree.h"
#include <assert.h>
#include <math.h>
#include <string.h>

// Radii of changed nodes may exceed the least possible ones by this part.
static const double SLACK = 0.125;

// A reference to a node of a new tree: the index of a copy, or of an old node with the top bit set.
#define OLD 0x80000000u

typedef struct copy {
    double at[3], radius;
    uint32_t point, part;
    uint32_t parent;       // of a child in a list of children
    uint32_t next;         // the next child of the parent; before that, the next copy of the node
    uint32_t first_child;  // FRACAS_NONE: a leaf, or uniform
    uint32_t child_count;
    uint32_t uniform;  // the old node whose children are the children of this; FRACAS_NONE
    bool owner;        // the own node of its point; not valid if uniform
    bool dirty;        // the radius is a bound, but may be too large
} copy;

// The children of the copy in the making for a part.
typedef struct bucket {
    uint32_t node;  // the old node for which this is valid
    uint32_t first, last, count;
    bool owner;
} bucket;

// What is below an old node: points of one part, FRACAS_NONE for dropped points only, or this.
#define MIXED (UINT32_MAX - 1)
#define EMPTY (UINT32_MAX - 2)  // not known yet

typedef struct splitter {
    const frc_sphere_tree* tree;
    const uint32_t* part_of;
    frc_sphere_tree* out;
    uint32_t part_count;
    frc_sphere_restructure restructure;
    copy* copies;
    uint32_t copy_count, copy_capacity;
    uint32_t* parts;    // of each old node: a part, MIXED
    uint32_t* sizes;    // of each old node: the number of nodes of its subtree
    uint32_t* head;     // of each old node: the list of its copies
    bucket* buckets;    // of each part
    uint32_t* present;  // the parts below the current node
    uint32_t present_count;
    uint32_t* source;  // of each new node: a reference
} splitter;

// ---- nodes of the new trees

static const double* at_of(const splitter* s, uint32_t ref) {
    return ref & OLD ? s->tree->nodes[ref & ~OLD].at : s->copies[ref].at;
}

static double radius_of(const splitter* s, uint32_t ref) {
    return ref & OLD ? s->tree->nodes[ref & ~OLD].radius : s->copies[ref].radius;
}

static uint32_t point_of(const splitter* s, uint32_t ref) {
    return ref & OLD ? s->tree->nodes[ref & ~OLD].point : s->copies[ref].point;
}

static uint32_t first_child_of(const splitter* s, uint32_t ref) {
    const uint32_t old = ref & OLD ? ref & ~OLD : s->copies[ref].uniform;
    if (old == FRACAS_NONE) return s->copies[ref].first_child;
    const frc_sphere_node* node = &s->tree->nodes[old];
    return node->child_count > 0 ? node->first_child | OLD : FRACAS_NONE;
}

static uint32_t parent_of(const splitter* s, uint32_t ref) {
    if (!(ref & OLD)) return s->copies[ref].parent;
    const uint32_t up = s->tree->nodes[ref & ~OLD].parent;
    return s->head[up] != FRACAS_NONE ? s->head[up] : up | OLD;
}

static uint32_t next_of(const splitter* s, uint32_t ref) {
    if (!(ref & OLD)) return s->copies[ref].next;
    const uint32_t n = ref & ~OLD;
    const frc_sphere_node* up = &s->tree->nodes[s->tree->nodes[n].parent];
    return n + 1 < up->first_child + up->child_count ? ref + 1 : FRACAS_NONE;
}

static uint32_t add_copy(splitter* s, copy value) {
    assert(s->copy_count < s->copy_capacity);
    s->copies[s->copy_count] = value;
    return s->copy_count++;
}

// A copy with the position, radius, point and children of an old node.
static copy copy_from(const splitter* s, uint32_t old, uint32_t part) {
    const frc_sphere_node* node = &s->tree->nodes[old];
    copy made = {.radius = node->radius,
                 .point = node->point,
                 .part = part,
                 .parent = FRACAS_NONE,
                 .next = FRACAS_NONE,
                 .first_child = FRACAS_NONE,
                 .child_count = node->child_count,
                 .uniform = old};
    memcpy(made.at, node->at, sizeof made.at);
    return made;
}

static uint32_t copy_uniform(splitter* s, uint32_t old, uint32_t part, uint32_t parent) {
    copy made = copy_from(s, old, part);
    made.parent = parent;
    return s->head[old] = add_copy(s, made);
}

// Make copies of the children of a uniform copy, which are uniform.
static void expand(splitter* s, uint32_t index) {
    const uint32_t old = s->copies[index].uniform;
    const frc_sphere_node* node = &s->tree->nodes[old];
    s->copies[index].uniform = FRACAS_NONE;
    s->copies[index].owner = frc_sphere_tree_owns(s->tree, old);
    for (uint32_t i = node->child_count; i-- > 0;) {
        const uint32_t child = copy_uniform(s, node->first_child + i, s->copies[index].part, index);
        s->copies[child].next = s->copies[index].first_child;
        s->copies[index].first_child = child;
    }
}

// The copy of a node, which is made if there is none.
static uint32_t copy_of(splitter* s, uint32_t ref) {
    if (!(ref & OLD)) return ref;
    const uint32_t old = ref & ~OLD;
    while (s->head[old] == FRACAS_NONE) {
        // Expand from above.
        uint32_t up = s->tree->nodes[old].parent;
        while (s->head[up] == FRACAS_NONE) up = s->tree->nodes[up].parent;
        expand(s, s->head[up]);
    }
    return s->head[old];
}

// ---- searches below a copy. A depth-first search without a stack: `skip` leaves a subtree.

static uint32_t skip(const splitter* s, uint32_t root, uint32_t ref) {
    uint32_t next = next_of(s, ref);
    while (next == FRACAS_NONE) {
        ref = parent_of(s, ref);
        if (ref == root) return FRACAS_NONE;
        next = next_of(s, ref);
    }
    return next;
}

typedef struct nearest {
    double at[3];
    double distance;
    uint32_t point, ref;
} nearest;

static void compare_children(const splitter* s, uint32_t first, nearest* n) {
    for (uint32_t c = first; c != FRACAS_NONE; c = next_of(s, c)) {
        const double d = frc_distance_above(at_of(s, c), n->at);
        if (d < n->distance || (d == n->distance && point_of(s, c) < n->point))
            n->distance = d, n->point = point_of(s, c), n->ref = c;
    }
}

// The point below copy `root` that is nearest to n->at, with the highest node that has it. Ties:
// the smallest point. All children of a node are compared before the search goes down.
static void find_nearest(const splitter* s, uint32_t root, nearest* n) {
    uint32_t c = first_child_of(s, root);
    compare_children(s, c, n);
    while (c != FRACAS_NONE) {
        const uint32_t below = first_child_of(s, c);
        const double reach = frc_round_distance_up(n->distance + radius_of(s, c));
        // Rounded up twice: the other side is above the distance too.
        if (below != FRACAS_NONE &&
            frc_distance_above(at_of(s, c), n->at) <= frc_round_distance_up(reach)) {
            compare_children(s, below, n);
            c = below;
        } else {
            c = skip(s, root, c);
        }
    }
}

static double furthest_child(const splitter* s, uint32_t first, const double at[3], double most) {
    for (uint32_t c = first; c != FRACAS_NONE; c = next_of(s, c)) {
        const double d = frc_distance_above(at, at_of(s, c));
        if (d > most) most = d;
    }
    return most;
}

// A radius that contains all points below a copy, and exceeds the least by a factor of at most
// 1 + SLACK: subtrees that could only enlarge it by less are not searched.
static double find_radius(const splitter* s, uint32_t root) {
    const double* at = s->copies[root].at;
    uint32_t c = first_child_of(s, root);
    double most = furthest_child(s, c, at, 0), radius = most;
    while (c != FRACAS_NONE) {
        const uint32_t below = first_child_of(s, c);
        if (below != FRACAS_NONE) {
            const double d = frc_distance_above(at, at_of(s, c));
            const double reach = frc_round_distance_up(d + radius_of(s, c));
            if (reach > most * (1 + SLACK)) {
                most = furthest_child(s, below, at, most);
                c = below;
                continue;
            }
            if (reach > radius) radius = reach;
        }
        c = skip(s, root, c);
    }
    return most > radius ? most : radius;
}

// ---- representatives

// Give a copy another point. If it was the own node of its point, that point becomes a child.
static void replace_point(splitter* s, uint32_t index, const copy* from) {
    copy* node = &s->copies[index];
    if (node->owner) {
        copy leaf = {.point = node->point, .part = node->part, .parent = index, .owner = true};
        memcpy(leaf.at, node->at, sizeof leaf.at);
        leaf.first_child = leaf.uniform = FRACAS_NONE, leaf.next = node->first_child;
        node->first_child = add_copy(s, leaf);
        node->child_count++;
        node->owner = false;
        s->out[node->part].node_count++;
    }
    const double moved = frc_distance_above(node->at, from->at);
    node->radius = frc_round_distance_up(node->radius + moved);
    node->dirty = true;
    memcpy(node->at, from->at, sizeof node->at);
    node->point = from->point;
}

// Choose a representative for a copy that is at a point of another part.
static void adopt_point(splitter* s, uint32_t index) {
    const copy* node = &s->copies[index];
    nearest n = {.distance = INFINITY, .point = FRACAS_NONE, .ref = node->first_child};
    memcpy(n.at, node->at, sizeof n.at);
    if (s->restructure == FRC_RESTRUCTURE_NEAREST) find_nearest(s, index, &n);
    uint32_t up = copy_of(s, n.ref);
    const copy from = s->copies[up];
    while (up != index) {
        up = s->copies[up].parent;
        replace_point(s, up, &from);
    }
}

// ---- the pass over the old nodes

static uint32_t both(uint32_t a, uint32_t b) { return a == EMPTY || a == b ? b : MIXED; }

// The parts below each node, and the sizes of subtrees.
static void find_parts(splitter* s) {
    const frc_sphere_node* nodes = s->tree->nodes;
    for (uint32_t n = 0; n < s->tree->node_count; n++) {
        s->parts[n] = EMPTY, s->sizes[n] = 1, s->head[n] = FRACAS_NONE;
        if (!frc_sphere_tree_owns(s->tree, n)) continue;
        const uint32_t part = s->part_of[nodes[n].point];
        assert(part < s->part_count || part == FRACAS_NONE);
        s->parts[n] = part;
        if (part != FRACAS_NONE) s->out[part].point_count++;
    }
    for (uint32_t n = s->tree->node_count; n-- > 1;) {
        const uint32_t up = nodes[n].parent;
        s->parts[up] = both(s->parts[up], s->parts[n]);
        s->sizes[up] += s->sizes[n];
    }
}

static bucket* bucket_of(splitter* s, uint32_t node, uint32_t part) {
    bucket* b = &s->buckets[part];
    if (b->node != node) {
        *b = (bucket){.node = node, .first = FRACAS_NONE};
        s->present[s->present_count++] = part;
    }
    return b;
}

static void append(splitter* s, uint32_t node, uint32_t index) {
    bucket* b = bucket_of(s, node, s->copies[index].part);
    s->copies[index].next = FRACAS_NONE;
    if (b->count++ == 0) {
        b->first = index;
    } else {
        s->copies[b->last].next = index;
    }
    b->last = index;
}

static uint32_t make_copy(splitter* s, uint32_t old, uint32_t part) {
    const bucket* b = &s->buckets[part];
    copy made = copy_from(s, old, part);
    made.first_child = b->first, made.child_count = b->count, made.owner = b->owner;
    made.uniform = FRACAS_NONE;
    made.dirty = true;  // the old radius contains more points
    const uint32_t index = add_copy(s, made);
    s->out[part].node_count++;
    for (uint32_t c = b->first; c != FRACAS_NONE; c = s->copies[c].next)
        s->copies[c].parent = index;
    if (s->part_of[made.point] != part) adopt_point(s, index);
    return index;
}

static void split_node(splitter* s, uint32_t old) {
    const frc_sphere_node* node = &s->tree->nodes[old];
    s->present_count = 0;
    for (uint32_t i = node->first_child; i < node->first_child + node->child_count; i++) {
        const uint32_t part = s->parts[i];
        if (part == FRACAS_NONE) continue;
        if (part != MIXED) {
            append(s, old, copy_uniform(s, i, part, FRACAS_NONE));
            s->out[part].node_count += s->sizes[i];
            continue;
        }
        for (uint32_t c = s->head[i], next; c != FRACAS_NONE; c = next) {
            next = s->copies[c].next;
            append(s, old, c);
        }
    }
    if (frc_sphere_tree_owns(s->tree, old)) {
        const uint32_t part = s->part_of[node->point];
        if (part != FRACAS_NONE) bucket_of(s, old, part)->owner = true;
    }
    for (uint32_t i = 0; i < s->present_count; i++) {
        const uint32_t part = s->present[i];
        const bucket* b = &s->buckets[part];
        const uint32_t index = b->count == 1 && !b->owner ? b->first : make_copy(s, old, part);
        s->copies[index].next = s->head[old];
        s->head[old] = index;
    }
}

static void split_nodes(splitter* s) {
    for (uint32_t i = 0; i < s->part_count; i++) s->buckets[i].node = FRACAS_NONE;
    find_parts(s);
    const uint32_t part = s->parts[0];
    if (part != MIXED && part != FRACAS_NONE) {
        copy_uniform(s, 0, part, FRACAS_NONE);
        s->out[part].node_count = s->sizes[0];
    }
    for (uint32_t n = s->tree->node_count; n-- > 0;)
        if (s->parts[n] == MIXED) split_node(s, n);
    for (uint32_t i = 0; i < s->copy_count; i++)
        if (s->copies[i].dirty) {
            const double radius = find_radius(s, i);
            if (radius < s->copies[i].radius) s->copies[i].radius = radius;
        }
}

// ---- the new trees

// Append the children of a copy. The next node of the chain comes first; the others move up.
static uint32_t lay_out_children(splitter* s, const copy* from, uint32_t first) {
    uint32_t count = first;
    for (uint32_t c = from->first_child; c != FRACAS_NONE; c = s->copies[c].next) {
        s->source[count++] = c;
        if (s->copies[c].point != from->point) continue;
        memmove(&s->source[first + 1], &s->source[first], (count - 1 - first) * sizeof *s->source);
        s->source[first] = c;
    }
    return count;
}

static void lay_out(splitter* s, uint32_t root, frc_sphere_tree* out) {
    uint32_t count = 1;
    s->source[0] = root;
    out->nodes[0].parent = FRACAS_NONE;
    for (uint32_t n = 0; n < out->node_count; n++) {
        const uint32_t ref = s->source[n], first = count;
        frc_sphere_node* node = &out->nodes[n];
        uint32_t old = ref & ~OLD;
        if (ref & OLD) {
            const uint32_t parent = node->parent;
            *node = s->tree->nodes[old];
            node->parent = parent;
        } else {
            const copy* from = &s->copies[ref];
            memcpy(node->at, from->at, sizeof node->at);
            node->radius = from->radius, node->point = from->point;
            node->child_count = from->child_count;
            old = from->uniform;
            if (old == FRACAS_NONE) count = lay_out_children(s, from, first);
        }
        node->first_child = first;
        if (old != FRACAS_NONE)
            for (uint32_t i = 0; i < node->child_count; i++)
                s->source[count++] = (s->tree->nodes[old].first_child + i) | OLD;
        for (uint32_t i = first; i < count; i++) out->nodes[i].parent = n;
    }
    assert(count == out->node_count);
}

static bool allocate(fracas_context* context, splitter* s) {
    const size_t nodes = s->tree->node_count;
    bool ok = true;
    s->copies = frc_allocate_array(context, s->copy_capacity, sizeof *s->copies, &ok);
    s->parts = frc_allocate_array(context, nodes, sizeof *s->parts, &ok);
    s->sizes = frc_allocate_array(context, nodes, sizeof *s->sizes, &ok);
    s->head = frc_allocate_array(context, nodes, sizeof *s->head, &ok);
    s->buckets = frc_allocate_array(context, s->part_count, sizeof *s->buckets, &ok);
    s->present = frc_allocate_array(context, s->part_count, sizeof *s->present, &ok);
    s->source = frc_allocate_array(context, s->copy_capacity, sizeof *s->source, &ok);
    return ok;
}

static void release_scratch(fracas_context* context, splitter* s) {
    const size_t nodes = s->tree->node_count;
    frc_release(context, s->copies, frc_array_size(s->copy_capacity, sizeof *s->copies));
    frc_release(context, s->parts, frc_array_size(nodes, sizeof *s->parts));
    frc_release(context, s->sizes, frc_array_size(nodes, sizeof *s->sizes));
    frc_release(context, s->head, frc_array_size(nodes, sizeof *s->head));
    frc_release(context, s->buckets, frc_array_size(s->part_count, sizeof *s->buckets));
    frc_release(context, s->present, frc_array_size(s->part_count, sizeof *s->present));
    frc_release(context, s->source, frc_array_size(s->copy_capacity, sizeof *s->source));
}

bool frc_sphere_tree_split(fracas_context* context, const frc_sphere_tree* tree,
                           const uint32_t* part_of, uint32_t part_count,
                           frc_sphere_restructure restructure, frc_sphere_tree* out) {
    for (uint32_t i = 0; i < part_count; i++) out[i] = (frc_sphere_tree){0};
    if (tree->node_count == 0) return true;
    splitter s = {.tree = tree,
                  .part_of = part_of,
                  .out = out,
                  .part_count = part_count,
                  .restructure = restructure,
                  .copy_capacity = 2 * tree->point_count};
    bool ok = allocate(context, &s);
    if (ok) {
        split_nodes(&s);
        for (uint32_t i = 0; i < part_count && ok; i++) {
            if (out[i].node_count == 0) continue;
            out[i].nodes = frc_allocate(context, out[i].node_count * sizeof *out[i].nodes);
            ok = out[i].nodes != NULL;
        }
        uint32_t root = ok ? s.head[0] : FRACAS_NONE;
        for (; root != FRACAS_NONE; root = s.copies[root].next)
            lay_out(&s, root, &out[s.copies[root].part]);
    }
    release_scratch(context, &s);
    for (uint32_t i = 0; i < part_count && !ok; i++) {
        if (out[i].nodes) frc_sphere_tree_release(context, &out[i]);
        out[i] = (frc_sphere_tree){0};
    }
    return ok;
}
