/// @file clusters.h  Puts features that have no slot into clusters.
#pragma once
#include "cuda/slots.h"
#include "mesh/topology.h"

/// The features of a scene that are compared with each other.
typedef enum frc_set_kind {
    FRC_SET_VERTICES,  // also of free elements
    FRC_SET_EDGES,     // likewise
    FRC_SET_FACES,
    FRC_SET_FREE_EDGES,
    FRC_SET_FREE_POINTS,
    FRC_SET_COUNT
} frc_set_kind;

/// A feature without a slot.
typedef struct frc_unplaced {
    frc_feature feature;
    uint32_t id;
    uint32_t group;  // those of one group are neighbours: a point of its patch
} frc_unplaced;
typedef FRC_ARRAY(frc_unplaced) frc_unplaced_list;

static inline uint32_t frc_body_of(const frc_topology* topology, const frc_feature* feature) {
    return topology->points.data[feature->point[0]].tag[FRC_TAG_BODY];
}

/// Put features into empty slots of clusters near them, of the same body; the list keeps those for
/// which there is none.
void frc_place_near(const frc_topology* topology, frc_slots* slots, frc_unplaced_list* list);

/// Put the features of each set into new clusters. A group of more than half a cluster begins a new
/// one; smaller groups of a body are one. Within a group their order is that of a k-d tree. False:
/// no memory; some are placed.
bool frc_place_in_clusters(const frc_topology* topology, frc_slots sets[FRC_SET_COUNT],
                           const frc_unplaced_list lists[FRC_SET_COUNT]);
