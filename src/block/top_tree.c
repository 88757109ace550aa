/// @file top_tree.c  The tree over blocks: local updates, and rebuilds when its cost has grown.
///
/// Based on: heo2010, local updates of the hierarchy, each at the cost of a path. Insertion
/// descends by the traversal cost and uses the first free lane on its path. Removal replaces a node
/// that has one child left by the child. The parts of a block that was split replace the block.
#include "block/top_tree.h"
#include "base/parallel.h"
#include <math.h>
#include <string.h>

static const frc_metric METRIC = {FRC_MEASURE_VOLUME, FRC_PAIR_SUM_IF_OVERLAP};

// ---- lanes and links; links are equal in the nodes of both kinds of boxes

typedef struct two_boxes {
    float lo[FRC_BOXES_COUNT][3], hi[FRC_BOXES_COUNT][3];
} two_boxes;

static const frc_node* any_node(const frc_top_tree* top, uint32_t n) {
    return &(top->nodes[FRC_BOXES_STEP] ? top->nodes[FRC_BOXES_STEP]
                                        : top->nodes[FRC_BOXES_END])[n];
}

static uint32_t child_count(const frc_top_tree* top, uint32_t n) {
    const frc_node* node = any_node(top, n);
    uint32_t count = 0;
    while (count < 4 && node->child[count] != FRC_REF_NONE) count++;
    return count;
}

static two_boxes boxes_of_block(const frc_block* block) {
    two_boxes b;
    memcpy(b.lo, block->lo, sizeof b.lo);
    memcpy(b.hi, block->hi, sizeof b.hi);
    return b;
}

static void set_box(frc_top_tree* top, uint32_t n, uint32_t lane, const two_boxes* b) {
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        for (int k = 0; k < 3 && top->nodes[m]; k++) {
            top->nodes[m][n].box.lo[k][lane] = b->lo[m][k];
            top->nodes[m][n].box.hi[k][lane] = b->hi[m][k];
        }
}

static two_boxes get_box(const frc_top_tree* top, uint32_t n, uint32_t lane) {
    two_boxes b = {0};
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        for (int k = 0; k < 3 && top->nodes[m]; k++) {
            b.lo[m][k] = top->nodes[m][n].box.lo[k][lane];
            b.hi[m][k] = top->nodes[m][n].box.hi[k][lane];
        }
    return b;
}

// The union of the boxes of all lanes; NaN when all are empty.
static two_boxes join_lanes(const frc_top_tree* top, uint32_t n) {
    two_boxes b;
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        for (int k = 0; k < 3; k++) {
            b.lo[m][k] = b.hi[m][k] = NAN;
            for (int i = 0; i < 4 && top->nodes[m]; i++) {
                float lo = top->nodes[m][n].box.lo[k][i], hi = top->nodes[m][n].box.hi[k][i];
                if (lo == lo && !(lo >= b.lo[m][k])) b.lo[m][k] = lo;
                if (hi == hi && !(hi <= b.hi[m][k])) b.hi[m][k] = hi;
            }
        }
    return b;
}

static void set_child(frc_top_tree* top, uint32_t n, uint32_t lane, uint32_t ref,
                      const two_boxes* b) {
    set_box(top, n, lane, b);
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        if (!top->nodes[m]) continue;
        top->nodes[m][n].child[lane] = ref;
        if (ref == FRC_REF_NONE || ref & FRC_REF_LEAF) continue;
        top->nodes[m][ref].parent = n;
        top->nodes[m][ref].lane = lane;
    }
    if (ref == FRC_REF_NONE || !(ref & FRC_REF_LEAF)) return;
    top->leaves[ref & ~FRC_REF_LEAF].parent = n;
    top->leaves[ref & ~FRC_REF_LEAF].lane = lane;
}

static void clear_child(frc_top_tree* top, uint32_t n, uint32_t lane) {
    two_boxes none;
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        for (int k = 0; k < 3; k++) none.lo[m][k] = none.hi[m][k] = NAN;
    set_child(top, n, lane, FRC_REF_NONE, &none);
}

static uint32_t allocate_node(frc_top_tree* top) {
    uint32_t n = top->unused;
    if (n != FRC_REF_NONE)
        top->unused = top->info[n].next;
    else
        n = top->node_count++;
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        if (top->nodes[m]) {
            memset(&top->nodes[m][n], 0, sizeof(frc_node));
            top->nodes[m][n].parent = FRC_REF_NONE;
        }
    for (uint32_t i = 0; i < 4; i++) clear_child(top, n, i);
    top->info[n] = (frc_top_tree_node){.was = 0};
    top->order_count = 0;
    return n;
}

// `was`: the node that is above the former children now.
static void free_node(frc_top_tree* top, uint32_t n, uint32_t was) {
    top->info[n] = (frc_top_tree_node){.next = top->unused, .was = was};
    top->unused = n;
    top->order_count = 0;
}

// ---- boxes, costs and counts of a node from its children's

static frc_cost child_cost(const frc_top_tree* top, uint32_t ref) {
    if (ref == FRC_REF_NONE || ref & FRC_REF_LEAF) return frc_leaf_cost();
    return top->info[ref].cost;
}

static void fit_info(frc_top_tree* top, uint32_t n) {
    const frc_node* node = any_node(top, n);
    frc_cost child[4];
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t ref = node->child[i];
        child[i] = child_cost(top, ref);
        if (ref != FRC_REF_NONE) leaves += ref & FRC_REF_LEAF ? 1 : top->info[ref].leaves;
    }
    top->info[n].leaves = leaves;
    top->info[n].cost = frc_node_cost(&METRIC, node, child, 0);
}

// True when nothing has changed that its ancestors depend on.
static bool fit_node(frc_top_tree* top, uint32_t n) {
    frc_top_tree_node old = top->info[n];
    fit_info(top, n);
    const frc_top_tree_node* now = &top->info[n];
    bool same = old.leaves == now->leaves && old.cost.inter == now->cost.inter &&
                old.cost.self == now->cost.self;
    uint32_t parent = any_node(top, n)->parent, lane = any_node(top, n)->lane;
    if (parent == FRC_REF_NONE) return same;
    two_boxes before = get_box(top, parent, lane), after = join_lanes(top, n);
    set_box(top, parent, lane, &after);
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        same = same &&
               (!top->nodes[m] || (memcmp(before.lo[m], after.lo[m], sizeof after.lo[m]) == 0 &&
                                   memcmp(before.hi[m], after.hi[m], sizeof after.hi[m]) == 0));
    return same;
}

// Stops where nothing changes. Returns the number of nodes fitted.
static uint32_t fit_path(frc_top_tree* top, uint32_t n) {
    uint32_t length = 0;
    for (bool same = false; n != FRC_REF_NONE && !same; length++) {
        same = fit_node(top, n);
        n = any_node(top, n)->parent;
    }
    return length;
}

// ---- memory

// All allocations come before the first change.
bool frc_top_tree_reserve(fracas_context* context, uint32_t block_count, frc_top_tree* top) {
    if (block_count <= top->capacity) return true;
    size_t old = top->capacity, wanted = old + old / 2 > block_count ? old + old / 2 : block_count;
    if (wanted < 16) wanted = 16;
    frc_top_tree larger = *top;
    // All nodes but the root have at least two children: one node more than leaves suffices.
    size_t old_nodes = old ? old + 1 : 0, nodes = wanted + 1;
    void* made[6] = {0};
    const size_t sizes[6] = {nodes * sizeof(frc_node),          nodes * sizeof(frc_node),
                             nodes * sizeof(frc_top_tree_node), nodes * sizeof(uint32_t),
                             wanted * sizeof(uint32_t),         wanted * sizeof(frc_top_tree_leaf)};
    bool ok = true;
    for (int i = 0; i < 6; i++) {
        bool wants = i > 1 || top->modes & (i == 0 ? FRACAS_MODE_DISCRETE : FRACAS_MODE_CONTINUOUS);
        if (ok && wants && !(made[i] = frc_allocate(context, sizes[i]))) ok = false;
    }
    for (int i = 0; i < 6 && !ok; i++) frc_release(context, made[i], sizes[i]);
    if (!ok) return false;
    void* const from[6] = {top->nodes[0], top->nodes[1],   top->info,
                           top->order,    top->leaf_block, top->leaves};
    const size_t kept[6] = {old_nodes * sizeof(frc_node),
                            old_nodes * sizeof(frc_node),
                            old_nodes * sizeof(frc_top_tree_node),
                            old_nodes * sizeof(uint32_t),
                            old * sizeof(uint32_t),
                            old * sizeof(frc_top_tree_leaf)};
    for (int i = 0; i < 6; i++) {
        if (from[i] && made[i]) memcpy(made[i], from[i], kept[i]);
        frc_release(context, from[i], kept[i]);
    }
    larger.nodes[0] = made[0], larger.nodes[1] = made[1], larger.info = made[2];
    larger.order = made[3], larger.leaf_block = made[4], larger.leaves = made[5];
    larger.capacity = (uint32_t)wanted;
    for (size_t i = old; i < wanted; i++) {
        larger.leaf_block[i] = (uint32_t)i;
        larger.leaves[i] = (frc_top_tree_leaf){FRC_REF_NONE, 0, 0};
    }
    *top = larger;
    return true;
}

void frc_top_tree_release(fracas_context* context, frc_top_tree* top) {
    size_t leaves = top->capacity, nodes = leaves ? leaves + 1 : 0;
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        frc_release(context, top->nodes[m], nodes * sizeof(frc_node));
    frc_release(context, top->info, nodes * sizeof *top->info);
    frc_release(context, top->order, nodes * sizeof *top->order);
    frc_release(context, top->leaf_block, leaves * sizeof *top->leaf_block);
    frc_release(context, top->leaves, leaves * sizeof *top->leaves);
    memset(top, 0, sizeof *top);
}

// ---- positions in the tree

uint32_t frc_top_tree_last_node(const frc_top_tree* top, uint32_t block) {
    if (top->node_count == 0 || block >= top->capacity) return 0;
    const frc_top_tree_leaf* leaf = &top->leaves[block];
    uint32_t n = leaf->parent != FRC_REF_NONE ? leaf->parent : leaf->was;
    // The node may have been removed, and its successors too.
    for (uint32_t i = 0; i < top->node_count && n != 0 && top->info[n].leaves == 0; i++)
        n = top->info[n].was;
    return top->info[n].leaves ? n : 0;
}

static uint32_t depth_of(const frc_top_tree* top, uint32_t n) {
    uint32_t depth = 0;
    for (; n != 0; depth++) n = any_node(top, n)->parent;
    return depth;
}

uint32_t frc_top_tree_common_ancestor(const frc_top_tree* top, uint32_t a, uint32_t b) {
    if (top->node_count == 0) return 0;
    // Either may have been removed since the caller looked it up.
    while (a != 0 && top->info[a].leaves == 0) a = top->info[a].was;
    while (b != 0 && top->info[b].leaves == 0) b = top->info[b].was;
    uint32_t depth_a = depth_of(top, a), depth_b = depth_of(top, b);
    for (; depth_a > depth_b; depth_a--) a = any_node(top, a)->parent;
    for (; depth_b > depth_a; depth_b--) b = any_node(top, b)->parent;
    while (a != b) a = any_node(top, a)->parent, b = any_node(top, b)->parent;
    return a;
}

// ---- removing

void frc_top_tree_remove(frc_top_tree* top, uint32_t block) {
    if (block >= top->capacity || top->leaves[block].parent == FRC_REF_NONE) return;
    frc_top_tree_leaf leaf = top->leaves[block];
    uint32_t n = leaf.parent, last = child_count(top, n) - 1;
    top->leaves[block] = (frc_top_tree_leaf){FRC_REF_NONE, 0, n};
    // The last child moves into the free lane.
    if (leaf.lane != last) {
        two_boxes b = get_box(top, n, last);
        set_child(top, n, leaf.lane, any_node(top, n)->child[last], &b);
    }
    clear_child(top, n, last);
    top->leaf_count--;
    if (last == 1 && n != 0) {
        // The only child replaces the node.
        uint32_t parent = any_node(top, n)->parent, lane = any_node(top, n)->lane;
        two_boxes b = get_box(top, n, 0);
        set_child(top, parent, lane, any_node(top, n)->child[0], &b);
        free_node(top, n, parent);
        n = parent;
    }
    const uint32_t child = any_node(top, 0)->child[0];
    if (n == 0 && child_count(top, 0) == 1 && !(child & FRC_REF_LEAF)) {
        // The root gets the children of its only child.
        for (uint32_t i = 0; i < 4; i++) {
            two_boxes b = get_box(top, child, i);
            set_child(top, 0, i, any_node(top, child)->child[i], &b);
        }
        free_node(top, child, 0);
    }
    fit_path(top, n);
}

// ---- inserting

// The cost of a node whose child `lane` contains the boxes too.
static float cost_with(const frc_top_tree* top, uint32_t n, uint32_t lane, const two_boxes* b) {
    int m = top->nodes[FRC_BOXES_STEP] ? FRC_BOXES_STEP : FRC_BOXES_END;
    frc_node node = *any_node(top, n);
    frc_cost child[4];
    for (uint32_t i = 0; i < 4; i++) child[i] = child_cost(top, node.child[i]);
    // One more node to visit; its overlap with siblings is part of the next level.
    child[lane].inter += 1;
    for (int k = 0; k < 3; k++) {
        float *lo = &node.box.lo[k][lane], *hi = &node.box.hi[k][lane];
        if (!(*lo <= b->lo[m][k])) *lo = b->lo[m][k];
        if (!(*hi >= b->hi[m][k])) *hi = b->hi[m][k];
    }
    frc_cost cost = frc_node_cost(&METRIC, &node, child, 0);
    return cost.self + cost.inter;
}

// The lane of the lowest cost, of equal ones that with the fewest leaves: else equal boxes would
// form a chain.
static uint32_t cheapest_lane(const frc_top_tree* top, uint32_t n, const two_boxes* b) {
    uint32_t best = 0, best_leaves = 0;
    float best_cost = INFINITY;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t ref = any_node(top, n)->child[i];
        uint32_t leaves = ref & FRC_REF_LEAF ? 1 : top->info[ref].leaves;
        float cost = cost_with(top, n, i, b);
        if (i > 0 && !(cost < best_cost) && !(cost == best_cost && leaves < best_leaves)) continue;
        best = i, best_cost = cost, best_leaves = leaves;
    }
    return best;
}

// A tree that exceeds this depth is degenerate and will be rebuilt.
static uint32_t depth_limit(const frc_top_tree* top) {
    uint32_t limit = 16;
    for (uint32_t leaves = top->leaf_count; leaves > 1; leaves /= 2) limit += 2;
    return limit;
}

// Insert a block or a subtree, from node `start` down.
static void insert_ref(frc_top_tree* top, uint32_t ref, const two_boxes* b, uint32_t start) {
    uint32_t n = start, depth = 0;
    for (;; depth++) {
        uint32_t count = child_count(top, n);
        if (count < 4) {
            set_child(top, n, count, ref, b);
            break;
        }
        uint32_t lane = cheapest_lane(top, n, b), child = any_node(top, n)->child[lane];
        if (child & FRC_REF_LEAF) {
            // A new node replaces the leaf and has both.
            const uint32_t pair = allocate_node(top);
            two_boxes old = get_box(top, n, lane);
            set_child(top, pair, 0, child, &old);
            set_child(top, pair, 1, ref, b);
            set_child(top, n, lane, pair, &old);  // fit_path enlarges the box
            n = pair;
            break;
        }
        n = child;
    }
    if (depth > depth_limit(top) || fit_path(top, n) > depth_limit(top)) top->broken = true;
}

static void ensure_root(frc_top_tree* top) {
    if (top->node_count == 0) {
        top->unused = FRC_REF_NONE;
        allocate_node(top);
    }
}

void frc_top_tree_insert(frc_top_tree* top, frc_block* const* blocks, uint32_t block,
                         uint32_t start) {
    two_boxes b = boxes_of_block(blocks[block]);
    ensure_root(top);
    top->leaf_count++;
    insert_ref(top, block | FRC_REF_LEAF, &b, start);
}

// ---- building trees and subtrees

static frc_prim make_prim(const frc_block* block, uint32_t id, uint32_t modes) {
    int m = modes & FRACAS_MODE_CONTINUOUS ? FRC_BOXES_STEP : FRC_BOXES_END;
    frc_prim prim = {.id = id};
    for (int k = 0; k < 3; k++) {
        // An empty block has no box; any position is valid.
        float lo = block->lo[m][k], hi = block->hi[m][k];
        prim.lo[k] = lo <= hi ? frc_clamp_to_finite(lo) : 0;
        prim.hi[k] = lo <= hi ? frc_clamp_to_finite(hi) : 0;
    }
    return prim;
}

// By the surface area heuristic, or in pairs: an order without cuts is halved (build_order.c).
static bool make_shape(fracas_context* context, const frc_top_tree* top, frc_prim* prims,
                       uint32_t count, frc_shape* out) {
    frc_build_options how = {.builder = FRC_BUILD_SAH, .leaf_size = 1};
    if (!top->in_pairs) return frc_tree_build(context, &how, prims, count, out);
    uint32_t* cuts = frc_allocate(context, count * sizeof *cuts);
    if (!cuts) return false;
    for (uint32_t i = 0; i < count; i++) cuts[i] = FRC_CUT_LEAF;
    how.cuts = cuts;
    const bool ok = frc_tree_build(context, &how, prims, count, out);
    frc_release(context, cuts, count * sizeof *cuts);
    return ok;
}

// Build a subtree over primitives in new nodes. False: no memory, or cancelled; nothing has
// changed.
static bool build_part(fracas_context* context, frc_top_tree* top, frc_block* const* blocks,
                       frc_prim* prims, uint32_t count, uint32_t* root) {
    frc_shape shape;
    if (!make_shape(context, top, prims, count, &shape)) return false;
    const size_t size = shape.node_count * sizeof(uint32_t);
    uint32_t* number = frc_allocate(context, size);  // node of the tree by node of the shape
    const uint32_t node_count = number ? shape.node_count : 0;
    for (uint32_t i = 0; i < node_count; i++) number[i] = allocate_node(top);
    for (uint32_t i = node_count; i-- > 0;) {
        for (uint32_t lane = 0; lane < 4; lane++) {
            uint32_t ref = shape.nodes[i].child[lane];
            if (ref == FRC_REF_NONE) break;
            if (ref & FRC_REF_LEAF) {
                uint32_t block = prims[shape.leaves[ref & ~FRC_REF_LEAF].first].id;
                two_boxes b = boxes_of_block(blocks[block]);
                set_child(top, number[i], lane, block | FRC_REF_LEAF, &b);
            } else {
                two_boxes b = join_lanes(top, number[ref]);
                set_child(top, number[i], lane, number[ref], &b);
            }
        }
        fit_info(top, number[i]);
    }
    if (number) *root = number[0];
    frc_release(context, number, size);
    frc_shape_release(context, &shape);
    return number != NULL;
}

static bool in_tree(const frc_top_tree* top, uint32_t block) {
    return block < top->capacity && top->leaves[block].parent != FRC_REF_NONE;
}

void frc_top_tree_insert_all(fracas_context* context, frc_top_tree* top, frc_block* const* blocks,
                             const uint32_t* list, uint32_t count, uint32_t near, uint32_t start) {
    const size_t size = (size_t)(count + 1) * sizeof(frc_prim);
    frc_prim* prims = count > 1 ? frc_allocate(context, size) : NULL;
    ensure_root(top);
    // The blocks, and `near` when the subtree replaces it.
    frc_top_tree_leaf place = {FRC_REF_NONE, 0, 0};
    if (in_tree(top, near)) place = top->leaves[near];
    uint32_t prim_count = 0, root;
    for (uint32_t i = 0; prims && i < count; i++)
        prims[prim_count++] = make_prim(blocks[list[i]], list[i], top->modes);
    if (prims && place.parent != FRC_REF_NONE)
        prims[prim_count++] = make_prim(blocks[near], near, top->modes);
    if (prims && build_part(context, top, blocks, prims, prim_count, &root)) {
        two_boxes b = join_lanes(top, root);
        if (place.parent == FRC_REF_NONE) {
            insert_ref(top, root, &b, start);
        } else {
            set_child(top, place.parent, place.lane, root, &b);
            if (fit_path(top, place.parent) > depth_limit(top)) top->broken = true;
        }
        top->leaf_count += count;
    } else {
        // Inserting one by one needs no memory.
        for (uint32_t i = 0; i < count; i++) frc_top_tree_insert(top, blocks, list[i], start);
    }
    frc_release(context, prims, size);
}

static void clear_tree(frc_top_tree* top) {
    for (uint32_t i = 0; i < top->capacity; i++)
        top->leaves[i] = (frc_top_tree_leaf){FRC_REF_NONE, 0, 0};
    top->node_count = top->leaf_count = top->order_count = 0;
    top->unused = FRC_REF_NONE;
    top->broken = false;
    top->built_cost = 0;
    top->debt = 0;
}

bool frc_top_tree_build(fracas_context* context, frc_block* const* blocks, uint32_t block_count,
                        uint32_t modes, frc_top_tree* top) {
    top->modes = modes;
    top->broken = true;
    if (!frc_top_tree_reserve(context, block_count, top)) return false;
    size_t size = block_count * sizeof(frc_prim);
    frc_prim* prims = frc_allocate(context, size);
    if (!prims && size) return false;
    uint32_t count = 0, root;
    for (uint32_t i = 0; i < block_count; i++)
        if (blocks[i]) prims[count++] = make_prim(blocks[i], i, modes);
    clear_tree(top);
    bool ok = count == 0 || build_part(context, top, blocks, prims, count, &root);
    frc_release(context, prims, size);
    if (!ok) clear_tree(top);
    top->broken = !ok;
    top->leaf_count = ok ? count : 0;
    if (ok && count) top->built_cost = top->info[0].cost.self / (float)count;
    return ok;
}

// ---- refitting

typedef struct leaf_job {
    frc_top_tree* top;
    frc_block* const* blocks;
    const uint32_t* list;
} leaf_job;

static void fit_leaves(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const leaf_job* job = data;
    for (uint32_t i = begin; i < end; i++) {
        if (!in_tree(job->top, job->list[i])) continue;
        const frc_top_tree_leaf* leaf = &job->top->leaves[job->list[i]];
        two_boxes b = boxes_of_block(job->blocks[job->list[i]]);
        set_box(job->top, leaf->parent, leaf->lane, &b);
    }
}

// List the nodes level by level: after local updates they are in no order.
static void list_order(frc_top_tree* top) {
    top->order[0] = 0;
    top->order_count = 1;
    for (uint32_t i = 0; i < top->order_count; i++)
        for (uint32_t lane = 0; lane < 4; lane++) {
            uint32_t ref = any_node(top, top->order[i])->child[lane];
            if (ref != FRC_REF_NONE && !(ref & FRC_REF_LEAF)) top->order[top->order_count++] = ref;
        }
}

enum { LEAVES_PER_TASK = 32, AHEAD = 8 };  // AHEAD: nodes, for prefetches

void frc_top_tree_refit(fracas_context* context, frc_top_tree* top, frc_block* const* blocks,
                        const uint32_t* list, uint32_t count) {
    if (top->node_count == 0) return;
    leaf_job job = {top, blocks, list};
    frc_parallel_for(context, count, LEAVES_PER_TASK, fit_leaves, &job);
    if (count <= top->leaf_count / 8) {
        for (uint32_t i = 0; i < count; i++)
            if (in_tree(top, list[i])) fit_path(top, top->leaves[list[i]].parent);
        return;
    }
    // All nodes, children first.
    if (top->order_count == 0) list_order(top);
    for (uint32_t i = top->order_count; i-- > 0;) {
        // Other workers may have written into the nodes: prefetch.
        const uint32_t later = top->order[i < AHEAD ? 0 : i - AHEAD];
        for (int m = 0; m < FRC_BOXES_COUNT; m++)
            if (top->nodes[m]) frc_node_prefetch(&top->nodes[m][later]);
        __builtin_prefetch(&top->info[later]);
        fit_node(top, top->order[i]);
    }
}

bool frc_top_tree_has_decayed(frc_top_tree* top) {
    if (top->broken) return true;
    if (top->leaf_count < 2) return false;
    // The price of a rebuild is n log n. A quarter more than the cost of a new tree is tolerated.
    double leaves = top->leaf_count, rebuild = 0;
    for (uint32_t n = top->leaf_count; n > 1; n /= 2) rebuild += leaves;
    double excess = (double)top->info[0].cost.self - 1.25 * leaves * (double)top->built_cost;
    if (excess > 0) top->debt += excess;
    return top->debt > rebuild;
}

// ---- rearranging

void frc_top_tree_rearrange(frc_top_tree* top, frc_block* const* blocks, const uint32_t* numbers,
                            uint32_t count, const frc_node* links, uint32_t link_count,
                            const uint32_t* leaf_blocks) {
    for (uint32_t i = link_count; i-- > 0;) {
        for (uint32_t lane = 0; lane < 4; lane++) {
            uint32_t ref = links[i].child[lane];
            clear_child(top, numbers[i], lane);
            if (ref == FRC_REF_NONE) continue;
            const bool leaf = ref & FRC_REF_LEAF;
            ref = leaf ? leaf_blocks[ref & ~FRC_REF_LEAF] : numbers[ref];
            const two_boxes b = leaf ? boxes_of_block(blocks[ref]) : join_lanes(top, ref);
            set_child(top, numbers[i], lane, leaf ? ref | FRC_REF_LEAF : ref, &b);
        }
        fit_info(top, numbers[i]);
    }
    for (uint32_t i = link_count; i < count; i++)
        top->info[numbers[i]] = (frc_top_tree_node){.was = numbers[0]};
}

void frc_top_tree_settle(frc_top_tree* top) {
    if (top->node_count == 0) return;
    top->unused = FRC_REF_NONE;
    for (uint32_t n = top->node_count; n-- > 1;)
        if (top->info[n].leaves == 0) top->info[n].next = top->unused, top->unused = n;
    list_order(top);
    for (uint32_t i = top->order_count; i-- > 0;) fit_info(top, top->order[i]);
}
