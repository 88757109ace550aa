/// @file rebuild_policy.c  When the tree of a body is rebuilt instead of refitted.
///
/// Based on: heo2010 (FASTCD), selective restructuring. Refitted boxes are always valid, but as a
/// body deforms sibling nodes come to overlap and queries visit more nodes. The tree of a body is
/// rebuilt when
///
///   1. its debt, the time that queries have lost by it, exceeds the time that a rebuild takes, and
///   2. the rebuilds of this update take at most a share of the time of the queries since the last
///      update.
///
/// Large trees of moved bodies are measured before they are refitted. At each measurement the debt
/// of a tree that has degraded grows by (TC - TC_base) W / S. TC is the paper's traversal cost
/// (bvh/metric.c), proportional to the nodes that a query visits; TC_base is the first value after
/// the build; W is the work of all queries since the last measurement and S the sum of TC over the
/// measured trees, so that W / S, up to a limit, is the price of one unit of TC. W counts the pairs
/// that queries have tested: pairs that certificates or distance rule out do not count.
///
/// The paper compares the gain of a single query with the cost of a rebuild. But a new tree serves
/// all later queries, and their number is unknown. Accumulating the loss and rebuilding when it has
/// reached the price costs at most twice the optimum of an oracle (ski rental).
///
/// The paper rebuilds subtrees. A whole tree is built in half the time that its triangles take as
/// rebuilt subtrees, and gains more (docs/bvh.md).
#include "scene/rebuild_policy.h"
#include "base/parallel.h"
#include "bvh/metric.h"
#include "scene/scene.h"

// Nanoseconds, on a Neoverse-V1 at 2.6 GHz. Constants, so that decisions do not depend on a clock.
static const double BUILD = 6;        // a grid build of N triangles takes BUILD N log2 N
static const double MAX_PRICE = 100;  // of one unit of TC

// A tree is degraded when its cost has grown by a quarter. Below that, and in small trees, the grid
// builder does not make a better tree than the first one was.
static const float DEGRADED = 1.25f;
enum { SMALLEST = 2048 };  // slots of triangles

// Measuring a tree takes 60 ns for each node. Trees are measured when that is at most 1/64 of the
// work of the queries since the last measurement.
static const double MEASURE = 60 * 64;

void frc_rebuild_add_work(const fracas_scene* scene, const fracas_query* query,
                          const fracas_statistics* s) {
    // Nanoseconds of a box test, a candidate pair of triangles, and a continuous candidate.
    const uint64_t box = query->modes == FRACAS_MODE_DISCRETE ? 50 : 160;
    const uint64_t ns =
        box * s->box_pairs + 24 * s->tt_candidates + 40 * (s->vf_candidates + s->ee_candidates);
    atomic_fetch_add_explicit(&scene->query_state->work_ns, ns, memory_order_relaxed);
}

// Without memory the cost is 0: no debt.
static void measure_blocks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    static const frc_metric metric = {FRC_MEASURE_VOLUME, FRC_PAIR_OVERLAP};
    fracas_scene* scene = data;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t number = scene->measured_blocks.data[i];
        const frc_block* block = scene->blocks.data[number];
        frc_tree_cost* tree = &scene->tree_costs.data[number];
        const size_t size = block->node_count * sizeof(frc_cost);
        frc_cost* costs = frc_allocate(scene->context, size);
        if (costs) frc_tree_costs(&metric, frc_block_links(block), block->node_count, NULL, costs);
        tree->cost = costs ? costs[0].self : 0;
        if (tree->base == 0) tree->base = tree->cost;
        frc_release(scene->context, costs, size);
    }
}

// Measure the trees of all bodies that have moved and add to their debts, unless that costs too
// much compared with the queries. Without memory for the list nothing is measured.
static void measure_trees(fracas_scene* scene) {
    frc_ids* list = &scene->measured_blocks;
    uint64_t nodes = 0;
    list->count = 0;
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        const frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        for (size_t k = 0; body->points_moved && k < body->blocks.count; k++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[k]];
            if (block->face_slots < SMALLEST) continue;
            nodes += block->node_count;
            if (!FRC_ARRAY_PUSH(scene->context, list, body->blocks.data[k])) return;
        }
    }
    const double work = (double)scene->unmeasured_work_ns;
    if (work < MEASURE * (double)nodes) return;
    frc_parallel_for(scene->context, (uint32_t)list->count, 1, measure_blocks, scene);
    double all = 0;
    for (size_t i = 0; i < list->count; i++)
        all += (double)scene->tree_costs.data[list->data[i]].cost;
    const double unit = work < MAX_PRICE * all ? work / all : MAX_PRICE;
    for (size_t i = 0; i < list->count; i++) {
        frc_tree_cost* tree = &scene->tree_costs.data[list->data[i]];
        if (tree->cost > DEGRADED * tree->base)
            tree->debt += (float)unit * (tree->cost - tree->base);
    }
    scene->unmeasured_work_ns = 0;
}

static void select_by_debt(fracas_scene* scene) {
    const uint64_t work =
        atomic_exchange_explicit(&scene->query_state->work_ns, 0, memory_order_relaxed);
    double budget = scene->options.rebuild_share * (double)work;
    scene->unmeasured_work_ns += work;
    measure_trees(scene);
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        double debt = 0;
        for (size_t k = 0; body->points_moved && k < body->blocks.count; k++)
            debt += (double)scene->tree_costs.data[body->blocks.data[k]].debt;
        double levels = 1;
        for (uint32_t n = body->live_triangles; n > 1; n /= 2) levels++;
        const double price = BUILD * body->live_triangles * levels;
        if (debt <= price || price > budget) continue;
        budget -= price;
        body->state = FRC_BODY_REBUILD;
    }
}

const frc_rebuild_policy frc_rebuild_selective = {.select = select_by_debt};
