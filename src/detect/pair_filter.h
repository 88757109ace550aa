/// @file pair_filter.h  Pairs of features that a scene leaves out of its queries, apart from those
/// of groups and masks (fracas_pair_filter).
#pragma once
#include "base/array.h"
#include "fracas/pair_filter.h"
#include "mesh/topology.h"

/// What the filter knows of a point, by id.
typedef struct frc_filtered_point {
    double rest[3];
    bool has_rest;
    bool listed;  // occurs in a pair of vertices
} frc_filtered_point;

typedef struct frc_pair_filter {
    fracas_pair_filter_fn* keep;  // NULL: none
    void* user;
    uint32_t rings;
    double rest_distance;
    FRC_ARRAY(frc_filtered_point) points;  // by id; points with larger ids are not known
    FRC_ARRAY(uint64_t) vertex_pairs;      // the smaller id in the upper half; sorted
    // The neighbours of point p are neighbours[first[p]] to neighbours[first[p + 1] - 1]. Used
    // where `rings` is above 1; for smaller numbers the table of edges suffices.
    FRC_ARRAY(uint32_t) first, neighbours;
    uint64_t edges_version;  // of the topology at which they were made
} frc_pair_filter;

/// The corners of two features by point id; ids may repeat.
typedef struct frc_feature_pair {
    uint32_t a[3], b[3];
    uint32_t a_count, b_count;
} frc_feature_pair;

/// False: the lists of the filter leave the pair out. Does not call `keep`.
bool frc_pair_filter_allows(const frc_pair_filter* filter, const frc_topology* topology,
                            const frc_feature_pair* pair);

/// Make the neighbours again if edges have changed. False: no memory, nothing has changed.
bool frc_pair_filter_update(frc_pair_filter* filter, const frc_topology* topology);

/// A new point has this id: what the filter knew of an earlier one is wrong.
void frc_pair_filter_forget(frc_pair_filter* filter, uint32_t point);

void frc_pair_filter_release(fracas_context* context, frc_pair_filter* filter);
