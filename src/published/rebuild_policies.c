/// @file rebuild_policies.c  The rebuild policies of published systems, for comparison.
///
/// Based on: heo2010, which compares with HPCCD (refits) and T-CCD (restarts on a topology change);
/// larsson2006 for the LM metric.
#include "published/rebuild_policies.h"
#include "bvh/metric.h"

// Stale bodies without blocks need no policy: the update builds them in any case.
static void select_updated(fracas_scene* scene) {
    for (size_t i = 0; i < scene->stale_bodies.count; i++)
        scene->bodies.data[scene->stale_bodies.data[i]].state = FRC_BODY_REBUILD;
}

static void select_all_after_an_edit(fracas_scene* scene) {
    for (uint32_t i = 0; scene->topology_changed && i < scene->bodies.count; i++)
        if (frc_handles_in_use(&scene->handles, i)) {
            frc_scene_mark_stale(scene, i);
            scene->bodies.data[i].state = FRC_BODY_REBUILD;
        }
}

// The mean of the LM metric over the nodes of a tree.
static float mean_volume_ratio(const frc_block* block) {
    const frc_node* nodes = frc_block_links(block);
    double sum = 0;
    for (uint32_t n = 0; n < block->node_count; n++) sum += (double)frc_node_volumes(&nodes[n]);
    return block->node_count ? (float)(sum / block->node_count) : 1;
}

// A tree is degraded when its metric has fallen below 0.9 of the value after its last build.
static void select_by_lm(fracas_scene* scene) {
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        for (size_t k = 0; body->points_moved && k < body->blocks.count; k++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[k]];
            frc_tree_cost* tree = &scene->tree_costs.data[body->blocks.data[k]];
            if (block->free_elements) continue;
            tree->cost = mean_volume_ratio(block);
            if (tree->base == 0) tree->base = tree->cost;
            if (tree->cost < 0.9f * tree->base) body->state = FRC_BODY_REBUILD;
        }
    }
}

const frc_rebuild_policy frc_rebuild_never = {.select = NULL};
const frc_rebuild_policy frc_rebuild_always = {.select = select_updated};
const frc_rebuild_policy frc_rebuild_restart = {.select = select_all_after_an_edit};
const frc_rebuild_policy frc_rebuild_lm = {.select = select_by_lm};
