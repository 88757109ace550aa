/// @file pccd.h  The search methods of PCCD, with its schedulers.
#pragma once
#include "detect/search.h"
#include "fracas/published.h"

/// frc_world.method_data is a frc_lazy, or NULL: no tree is rebuilt by a query. method_query is a
/// frc_pccd_query, or NULL.
extern const frc_search_method frc_search_pccd, frc_search_pccd_disjoint, frc_search_pccd_front;

typedef struct frc_pccd_query {
    bool rebuild;  // rebuild degraded subtrees: the query has exclusive access to the scene
    fracas_published_statistics* statistics;  // added to
} frc_pccd_query;

/// How PCCD divides trees for refitting (pccd_refit.c).
bool frc_pccd_cut(frc_forest* forest, const frc_sized_block* list, uint32_t count);

/// The number of triangle slots below a node of a block, empty ones included, or of slots of free
/// elements. `nodes` are those of one of its trees.
uint32_t frc_pccd_node_size(const frc_block* block, const frc_node* nodes, uint32_t node);
