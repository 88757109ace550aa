/// @file fastcd_policy.c  Selective restructuring of subtrees, as FASTCD, HPCCD and T-CCD describe
/// it.
///
/// Based on: heo2010, section 5.4. The trees of moved bodies are visited from the root down. A node
/// n with N triangles is rebuilt, and all below it, when
///
///   1. benefit > loss: the benefit is the price of a unit of TC times TC_S(n) - TC_S'(n), where
///      TC_S' is the cost of n after its last rebuild; the loss is the price of building times
///      N log N;
///   2. loss <= p % of the time of the queries since the last update.
///
/// TC_S is that of Eq. 7 with its term I: a child that is culled costs nothing. With the LM metric
/// (larsson2006, kim2009) a node is rebuilt when its metric has fallen below 0.9 of the value after
/// its last rebuild.
///
/// A body that was split or merged gets a new tree as a whole (section 5.3).
///
/// Deviations. Boxes and marks are those of the last update, which the queries have used. Below the
/// root of a body a new tree is built over the leaves of the old one, in its place (regroup.c); at
/// the root the whole body is rebuilt from its triangles. The paper's prices are measured when the
/// program starts; here they are constants, so that trees do not depend on a clock.
#include "published/fastcd_policy.h"
#include "published/rebuild_policies.h"
#include "published/regroup.h"
#include <string.h>

// Nanoseconds, on a Neoverse-V1 at 2.6 GHz: of the grid builder, and the counted work of queries of
// cloth-ball and exploding-dragon, narrow phase included, per unit of TC_S.
static const double BUILD = 6;
const double frc_fastcd_query_ns = 500;

double frc_fastcd_rebuild_ns(uint32_t triangles) {
    double levels = 1;
    for (uint32_t n = triangles; n > 1; n /= 2) levels++;
    return BUILD * triangles * levels;
}

// ---- measuring

static frc_boxes boxes_in_use(const frc_block* block) {
    return block->tree[FRC_BOXES_END].nodes ? FRC_BOXES_END : FRC_BOXES_STEP;
}

void frc_fastcd_costs(const frc_block* block, frc_cost* out) {
    static const frc_metric metric = {FRC_MEASURE_VOLUME, FRC_PAIR_SUM};
    const frc_boxes boxes = boxes_in_use(block);
    const frc_node* nodes = frc_block_links(block);
    for (uint32_t n = block->node_count; n-- > 0;) {
        frc_cost child[4];
        unsigned culled = 0;
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t ref = nodes[n].child[i];
            child[i] = ref & FRC_REF_LEAF ? frc_leaf_cost() : out[ref];
            if (ref != FRC_REF_NONE && frc_block_skips(block, boxes, ref)) culled |= 1u << i;
        }
        out[n] = frc_node_cost(&metric, &nodes[n], child, culled);
    }
}

// Triangles below each node.
static void count_triangles(const frc_block* block, uint32_t* out) {
    const frc_node* nodes = frc_block_links(block);
    for (uint32_t n = block->node_count; n-- > 0;) {
        out[n] = 0;
        for (int i = 0; i < 4; i++) {
            const uint32_t ref = nodes[n].child[i];
            if (ref == FRC_REF_NONE) continue;
            out[n] += ref & FRC_REF_LEAF ? block->leaves[ref & ~FRC_REF_LEAF].face_count : out[ref];
        }
    }
}

// ---- rebuilding

// New nodes over the leaves of a subtree, built by the grid or the median of the scene's settings.
// False: they do not fit in place of the old ones, or there is no memory.
static bool regroup(fracas_scene* scene, frc_block* block, const frc_regroup_part* part) {
    fracas_context* context = scene->context;
    frc_build_options how = frc_scene_build_options(scene, true);
    // Primitives are leaves here, not triangles.
    how.grid_stop = how.grid_stop > FRC_LEAF_SIZE ? how.grid_stop / FRC_LEAF_SIZE : 1;
    frc_regroup copy;
    const size_t size = frc_regroup_lay_out(block, NULL, part, &copy);
    char* memory = frc_allocate(context, size);
    if (!memory) return false;
    frc_regroup_lay_out(block, memory, part, &copy);
    bool fits = false;
    // Where the grid makes too many nodes the median may not.
    for (int attempt = 0; attempt < 2 && !fits; attempt++) {
        for (uint32_t i = 0; i < part->leaf_count; i++) {
            const frc_leaf* leaf = &block->leaves[part->leaf + i];
            const frc_box4* lanes = &frc_block_links(block)[leaf->parent].box;
            frc_prim* prim = &copy.prims[i];
            *prim = (frc_prim){.id = i};
            for (int k = 0; k < 3; k++) {
                const float lo = lanes->lo[k][leaf->lane], hi = lanes->hi[k][leaf->lane];
                // An empty leaf has no box; any position is valid.
                prim->lo[k] = lo <= hi ? frc_clamp_to_finite(lo) : 0;
                prim->hi[k] = lo <= hi ? frc_clamp_to_finite(hi) : 0;
            }
        }
        fits = frc_lazy_plan_tree(context, attempt ? &frc_lazy_median : &how, copy.prims,
                                  &copy.plan) &&
               copy.plan.fits;
        copy.plan.node_capacity = part->node_end - part->node;
        copy.plan.leaf_count = part->leaf_count;
    }
    if (fits) frc_regroup_write(block, &scene->topology, part, &copy);
    frc_release(context, memory, size);
    return fits;
}

// The state of one visit. `base`: by node, the metric after the last rebuild; 0: not measured yet.
typedef struct visit {
    fracas_scene* scene;
    uint32_t number;
    frc_block* block;
    bool by_volume;
    double allowed_ns;
    float* base;
    frc_cost* costs;
    uint32_t* triangles;
    bool regrouped;
    frc_fastcd_decisions did;
} visit;

static float measure(const visit* v, uint32_t n) {
    return v->by_volume ? frc_node_volumes(&frc_block_links(v->block)[n]) : v->costs[n].self;
}

// Both conditions, at once. The LM metric has one of its own.
static bool should_rebuild(visit* v, uint32_t n) {
    const float now = measure(v, n), base = v->base[n];
    if (v->by_volume) {
        const bool fallen = now < 0.9f && now < 0.9f * base;
        v->did.gained += fallen, v->did.allowed += fallen;
        return fallen;
    }
    const double loss = frc_fastcd_rebuild_ns(v->triangles[n]);
    const double benefit = frc_fastcd_query_ns * ((double)now - (double)base);
    const bool gains = benefit > loss, allowed = gains && loss <= v->allowed_ns;
    v->did.gained += gains, v->did.allowed += allowed;
    return allowed;
}

// Rebuild the subtree of a node. At the root of a body: from its triangles, later in this update.
static bool rebuild(visit* v, uint32_t n, const frc_regroup_part* part) {
    frc_body* body = &v->scene->bodies.data[v->block->body];
    const bool whole = n == 0 && body->blocks.count == 1;
    if (whole)
        body->state = FRC_BODY_REBUILD;
    else if (regroup(v->scene, v->block, part))
        v->regrouped = true, v->scene->regroup_count++;
    else
        return false;
    v->did.rebuilt++;
    return true;
}

static void visit_nodes(visit* v) {
    const frc_node* nodes = frc_block_links(v->block);
    const frc_boxes boxes = boxes_in_use(v->block);
    frc_regroup_part part;
    for (uint32_t n = 0; n < v->block->node_count; n++)
        if (v->base[n] == 0) v->base[n] = measure(v, n);
    for (uint32_t n = 0, next; n < v->block->node_count; n = next) {
        next = n + 1;
        const bool used = n == 0 || nodes[n].parent != FRC_REF_NONE;
        // A node of leaves alone cannot be improved.
        if (!used || frc_regroup_last_inner(&nodes[n]) == FRC_REF_NONE) continue;
        if (frc_block_skips(v->block, boxes, n)) {
            if (frc_regroup_find(v->block, n, &part)) next = part.node_end;
            continue;
        }
        v->did.examined++;
        if (!should_rebuild(v, n)) continue;
        if (frc_regroup_find(v->block, n, &part) && rebuild(v, n, &part)) {
            next = part.node_end;
            memset(&v->base[n], 0, (next - n) * sizeof *v->base);
        } else {
            // Try again only when the node has degraded further.
            v->base[n] = measure(v, n);
        }
    }
    // Marks, half-edges and lists of vertices are by node, slot and leaf.
    if (!v->regrouped) return;
    frc_cull_release_block(v->scene->context, &v->scene->cull_states, v->block, v->number);
    frc_block_release_stars(v->scene->context, v->block);
}

frc_fastcd_decisions frc_fastcd_visit(fracas_scene* scene, uint32_t number, bool by_volume,
                                      double query_ns) {
    fracas_context* context = scene->context;
    frc_block* block = scene->blocks.data[number];
    const size_t nodes = block->node_count, size = nodes * (sizeof(frc_cost) + sizeof(uint32_t));
    visit v = {.scene = scene,
               .number = number,
               .block = block,
               .by_volume = by_volume,
               .allowed_ns = scene->options.rebuild_share * query_ns};
    if (!block->search_data) {
        block->search_data = frc_allocate_zero(context, nodes * sizeof(float));
        if (block->search_data) block->search_data_size = nodes * sizeof(float);
    }
    v.base = block->search_data;
    v.costs = frc_allocate(context, size);
    // Without memory nothing is rebuilt.
    if (v.base && v.costs) {
        v.triangles = (uint32_t*)(void*)(v.costs + nodes);
        frc_fastcd_costs(block, v.costs);
        count_triangles(block, v.triangles);
        visit_nodes(&v);
    }
    frc_release(context, v.costs, size);
    return v.did;
}

// ---- policies

// Has the body lost features to a split, or several trees from a merge? Both get a new tree for the
// whole body, inserted at the lowest common ancestor of the old ones.
static bool was_split_or_merged(const fracas_scene* scene, const frc_body* body) {
    uint32_t trees = 0;
    bool lost = false;
    for (size_t k = 0; k < body->blocks.count; k++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[k]];
        trees += !block->free_elements;
        lost = lost || (!block->free_elements && block->live < block->built_live);
    }
    return trees > 1 || lost;
}

static void select_subtrees(fracas_scene* scene, bool by_volume) {
    const uint64_t work =
        atomic_exchange_explicit(&scene->query_state->work_ns, 0, memory_order_relaxed);
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        if (scene->topology_changed && was_split_or_merged(scene, body)) {
            body->state = FRC_BODY_REBUILD;
            continue;
        }
        for (size_t k = 0; body->points_moved && k < body->blocks.count; k++) {
            const uint32_t number = body->blocks.data[k];
            if (!scene->blocks.data[number]->free_elements)
                frc_fastcd_visit(scene, number, by_volume, (double)work);
        }
    }
}

static void restart_or_select(fracas_scene* scene, bool by_volume) {
    if (!scene->topology_changed) {
        select_subtrees(scene, by_volume);
        return;
    }
    frc_rebuild_restart.select(scene);
    atomic_store_explicit(&scene->query_state->work_ns, 0, memory_order_relaxed);
}

static void select_by_cost(fracas_scene* scene) { select_subtrees(scene, false); }
static void select_by_volume(fracas_scene* scene) { select_subtrees(scene, true); }
static void restart_or_cost(fracas_scene* scene) { restart_or_select(scene, false); }
static void restart_or_volume(fracas_scene* scene) { restart_or_select(scene, true); }

const frc_rebuild_policy frc_rebuild_subtrees = {.select = select_by_cost};
const frc_rebuild_policy frc_rebuild_subtrees_lm = {.select = select_by_volume};
const frc_rebuild_policy frc_rebuild_restart_subtrees = {.select = restart_or_cost};
const frc_rebuild_policy frc_rebuild_restart_subtrees_lm = {.select = restart_or_volume};
