/// @file clusters.h  Features in the order of clusters.
#pragma once
#include "base/array.h"
#include "cuda/step.h"
#include "mesh/topology.h"

typedef FRC_ARRAY(frc_feature) frc_feature_list;

/// The features of a scene that are compared with each other.
typedef enum frc_set_kind {
    FRC_SET_VERTICES,  // also of free elements
    FRC_SET_EDGES,     // likewise
    FRC_SET_FACES,
    FRC_SET_FREE_EDGES,
    FRC_SET_FREE_POINTS,
    FRC_SET_COUNT
} frc_set_kind;

/// List a set, in slots: neighbours in space are neighbours in the list. A body of more than half a
/// cluster begins a new one; the number of slots is a multiple of FRC_WARP. False: no memory.
bool frc_list_features(const frc_topology* topology, frc_set_kind kind, frc_feature_list* out);
