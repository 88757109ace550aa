/// @file rebuild_policy.h  When the tree of a body is rebuilt instead of refitted.
#pragma once
#include "base/array.h"
#include "fracas/scene.h"

/// Costs of the tree of a block, by block number; kept for the policy.
typedef struct frc_tree_cost {
    float base;  // cost when first measured after the build; 0: not measured yet
    float cost;  // cost when last measured
    float debt;  // estimated loss of queries since the build, in nanoseconds
} frc_tree_cost;

/// When trees are rebuilt. frc_rebuild_selective is the default; src/published has others.
typedef struct frc_rebuild_policy {
    /// At the start of an update: set the state of bodies to FRC_BODY_REBUILD. NULL: none is.
    void (*select)(fracas_scene* scene);
} frc_rebuild_policy;

extern const frc_rebuild_policy frc_rebuild_selective;

/// Record the work of a query. Queries take a const scene and may run at the same time.
void frc_rebuild_add_work(const fracas_scene* scene, const fracas_query* query,
                          const fracas_statistics* statistics);
