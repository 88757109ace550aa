/// @file slots.h  The features of one set in slots: 32 slots are a cluster, 32 clusters a bundle.
///
/// A feature keeps its slot as long as it lives. One that is removed leaves an empty slot, which a
/// new neighbour may take. A cluster that is empty is used again when all of its bundle is.
#pragma once
#include "base/array.h"
#include "cuda/step.h"

typedef FRC_ARRAY(frc_feature) frc_feature_list;

typedef struct frc_slots {
    frc_feature_list features;          // by slot; point[0] of an empty one is FRACAS_NONE
    FRC_ARRAY(uint32_t) used;           // by cluster: one bit for each slot
    FRC_ARRAY(uint32_t) used_clusters;  // by bundle: one bit for each cluster
    FRC_ARRAY(uint32_t) free_bundles;   // without used clusters
    uint32_t next, end;                 // clusters that are taken next
    FRC_ARRAY(uint32_t) known;          // by cluster: for follow.c; at first FRACAS_NONE
    FRC_ARRAY(uint8_t) listed;          // by cluster: it is in `changed`
    FRC_ARRAY(uint32_t) changed;        // clusters that are to be copied to the device
    uint32_t* slot;                     // by id; FRACAS_NONE: in none
    uint32_t* near;  // by point: the cluster of a feature that has used it; FRACAS_NONE: none has
    size_t id_capacity, point_capacity, live;
} frc_slots;

/// Memory for this many ids and points. False: no memory, nothing has changed.
bool frc_slots_reserve(fracas_context* context, frc_slots* slots, size_t ids, size_t points);
void frc_slots_release(fracas_context* context, frc_slots* slots);
/// Empty all slots; the memory stays.
void frc_slots_clear(frc_slots* slots);

/// An empty cluster; FRACAS_NONE: no memory.
uint32_t frc_slots_take_cluster(fracas_context* context, frc_slots* slots);
/// Put a feature into the first empty slot of a cluster that has one.
void frc_slots_put(frc_slots* slots, uint32_t cluster, const frc_feature* feature, uint32_t id);
/// Empty the slot of a feature.
void frc_slots_remove(frc_slots* slots, uint32_t id);
/// Other corners for a feature that stays in its slot.
void frc_slots_rewrite(frc_slots* slots, uint32_t id, const frc_feature* feature);
/// Nothing has to be copied any more.
void frc_slots_clear_changed(frc_slots* slots);

static inline size_t frc_slots_cluster_count(const frc_slots* slots) { return slots->used.count; }
