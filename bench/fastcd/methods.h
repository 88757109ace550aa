/// @file methods.h  The methods of the benchmark: ours, the published one, and variants of both
/// that differ from another method in one thing.
#pragma once
#include "fracas/published.h"

/// How trees are built.
typedef enum fastcd_trees {
    FASTCD_TREES_OURS = 0,     ///< SAH; parts inherit; the grid of Fracas for rebuilds
    FASTCD_TREES_OURS_MEDIAN,  ///< the same with the median for rebuilds
    FASTCD_TREES_SAH,          ///< SAH for all trees
    FASTCD_TREES_MEDIAN,       ///< the median for all trees
    FASTCD_TREES_GRID,         ///< the grid of the paper for all trees: k = 1, G = 100
    FASTCD_TREES_GRID_LONGEST  ///< the same, but cells are halved along their longest axis
} fastcd_trees;

/// All sound methods find the same contacts.
typedef struct fastcd_method {
    const char *name, *like, *but;  ///< differs from method `like` in `but`; like NULL: described
    bool only_named;                ///< runs only when --method names it
    fastcd_trees trees;
    fracas_published_restructure restructure;
    fracas_published_metric metric;
    fracas_published_cull cull;
    fracas_published_filter filter;
    fracas_published_scheduler scheduler;
    fracas_published_broad broad;
} fastcd_method;

extern const fastcd_method fastcd_methods[];
extern const uint32_t fastcd_method_count;

/// NULL: there is none of that name.
const fastcd_method* fastcd_find_method(const char* name);
/// In how many things do two methods differ? Names do not count.
uint32_t fastcd_method_differences(const fastcd_method* a, const fastcd_method* b);
/// The scene options of a method.
fracas_published_scene_options fastcd_method_options(const fastcd_method* method, uint32_t mode);
