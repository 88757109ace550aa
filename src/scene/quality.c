#include "scene/quality.h"
#include "bvh/metric.h"

static const frc_metric METRIC = {FRC_MEASURE_VOLUME, FRC_PAIR_OVERLAP};

float frc_quality_metric(const fracas_scene* scene, const frc_block* block, uint32_t n) {
    return scene->options.metric == FRC_QUALITY_TC ? block->quality[n].cost.self
                                                   : frc_node_volumes(&frc_block_links(block)[n]);
}

void frc_quality_fit_node(frc_block* block, uint32_t n) {
    const frc_node* node = &frc_block_links(block)[n];
    frc_cost child[4];
    uint32_t triangles = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t ref = node->child[i];
        child[i] = frc_leaf_cost();
        if (ref == FRC_REF_NONE) continue;
        if (ref & FRC_REF_LEAF) {
            triangles += block->leaves[ref & ~FRC_REF_LEAF].face_count;
        } else {
            child[i] = block->quality[ref].cost;
            triangles += block->quality[ref].triangles;
        }
    }
    block->quality[n].cost = frc_node_cost(&METRIC, node, child, 0);
    block->quality[n].triangles = triangles;
}

void frc_quality_fit(frc_block* block, uint32_t first, uint32_t end) {
    for (uint32_t n = end; n-- > first;) frc_quality_fit_node(block, n);
}

void frc_quality_fit_large(const fracas_scene* scene, frc_block* block, uint32_t first,
                           uint32_t end) {
    for (uint32_t n = end; n-- > first;)
        if (block->quality[n].triangles >= scene->prices.smallest_part)
            frc_quality_fit_node(block, n);
}

void frc_quality_set_baseline(const fracas_scene* scene, frc_block* block, uint32_t first,
                              uint32_t end) {
    for (uint32_t n = first; n < end; n++) {
        block->quality[n].base = frc_quality_metric(scene, block, n);
        block->quality[n].debt = 0;
    }
}

bool frc_quality_reserve(fracas_scene* scene, frc_block* block) {
    if (!block->quality)
        block->quality = frc_allocate(scene->context, block->node_count * sizeof *block->quality);
    return block->quality != NULL;
}
