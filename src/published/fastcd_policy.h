/// @file fastcd_policy.h  Selective restructuring of subtrees, as FASTCD, HPCCD and T-CCD describe
/// it.
#pragma once
#include "scene/scene.h"

/// A node is rebuilt, with all below it, when rebuilding gains more than it costs and costs at most
/// frc_scene_settings.rebuild_share of the queries since the last update (FASTCD).
extern const frc_rebuild_policy frc_rebuild_subtrees;
/// The same, when the LM metric of the node has fallen (HPCCD).
extern const frc_rebuild_policy frc_rebuild_subtrees_lm;
/// All bodies after a split or merge; else like the two above (T-CCD).
extern const frc_rebuild_policy frc_rebuild_restart_subtrees, frc_rebuild_restart_subtrees_lm;

/// Nanoseconds of a rebuild of that many triangles, and of a query per unit of TC_S.
double frc_fastcd_rebuild_ns(uint32_t triangles);
extern const double frc_fastcd_query_ns;

/// What one visit of a tree did.
typedef struct frc_fastcd_decisions {
    uint32_t examined;  // nodes with a child that is no leaf
    uint32_t gained;    // of these: condition 1 holds
    uint32_t allowed;   // of those: condition 2 holds, too
    uint32_t rebuilt;   // of those: the new nodes fit in place of the old ones
} frc_fastcd_decisions;

/// Visit a tree from the root down: rebuild subtrees that satisfy both conditions, and skip what is
/// below them or is culled. `query_ns`: time of the queries since the last update.
frc_fastcd_decisions frc_fastcd_visit(fracas_scene* scene, uint32_t block, bool by_volume,
                                      double query_ns);

/// TC_I and TC_S of each node (Eqs. 6 and 7). A child that was culled counts no query with itself.
void frc_fastcd_costs(const frc_block* block, frc_cost* out);
