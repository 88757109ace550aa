/// @file experiment.h  Do the metrics of a tree predict the number of box tests of a query?
#pragma once
#include "fracas/base.h"
#include "generate.h"

/// Order of tc_metric_names.
typedef enum tc_metric {
    TC_VOLUME,   ///< the paper's
    TC_MEETING,  ///< without pairs of children that are disjoint
    TC_OVERLAP,  ///< by the overlap of the boxes of children: the default of Fracas
    TC_SURFACE,  ///< by surface instead of volume
    TC_SURFACE_OVERLAP,
    TC_TOP,  ///< TC_S without nodes of fewer than TC_LARGE leaves
    TC_LM,
    TC_METRICS
} tc_metric;
enum { TC_LARGE = 64 };
extern const char* const tc_metric_names[TC_METRICS];

typedef struct tc_options {
    bool binary;  ///< the paper's trees: two children, one triangle in a leaf
    uint32_t trees, poses, leaf_size;
} tc_options;

typedef struct tc_result {
    double self[TC_METRICS], inter[TC_METRICS];  ///< correlations
    double self_tests, inter_tests;              ///< mean
} tc_result;

/// Both meshes fit into the unit cube.
tc_result tc_run(fracas_context* context, const tc_options* options, const bench_mesh* mesh,
                 const bench_mesh* other);
/// 0 when one of both is constant.
double tc_correlation(const double* x, const double* y, uint32_t count);
