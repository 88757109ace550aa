/// @file quality.h  What the tree of a block may cost a query, node by node.
#pragma once
#include "scene/scene.h"

/// Room for it. False: no memory.
bool frc_quality_reserve(fracas_scene* scene, frc_block* block);
/// Of one node, when those below it fit; of nodes [first, end), from the last on.
void frc_quality_fit_node(frc_block* block, uint32_t n);
void frc_quality_fit(frc_block* block, uint32_t first, uint32_t end);
/// The same, but what is below the parts that are looked at is taken to be as good as it was.
void frc_quality_fit_large(const fracas_scene* scene, frc_block* block, uint32_t first,
                           uint32_t end);
/// By the metric of the scene.
float frc_quality_metric(const fracas_scene* scene, const frc_block* block, uint32_t n);
/// What it is now is what it is compared with later.
void frc_quality_set_baseline(const fracas_scene* scene, frc_block* block, uint32_t first,
                              uint32_t end);
