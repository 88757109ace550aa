/// @file pair_query.h  Points of one fragment inside another: traversal of a sphere tree.
#pragma once
#include "fracas/fragment_query.h"
#include "fragment/pair_slab.h"

typedef FRC_ARRAY(fracas_fragment_contact) frc_fragment_contacts;

/// A node in a queue. A node is visited once for each of its children.
typedef struct frc_sphere_visit {
    uint32_t node;
    uint32_t next;    // of its children
    uint8_t seen;     // whether its point and its sphere have been tested
    bool inside;      // or near: `distance` is valid
    double distance;  // signed: negative inside
} frc_sphere_visit;

/// Memory of one worker. Queues have capacity for 2 nodes per node of the largest tree.
typedef struct frc_pair_scratch {
    frc_sphere_visit *queue, *next;
    frc_fragment_contacts contacts;
    fracas_fragment_statistics statistics;
    bool failed;  // no memory
} frc_pair_scratch;

/// A fragment and its number.
typedef struct frc_numbered {
    const frc_fragment* fragment;
    uint32_t number;
} frc_numbered;

/// Append the contacts of points of `a` inside `b`, without handles. `slab`: no others than points
/// in it.
void frc_pair_query(const frc_numbered* a, const frc_numbered* b, const frc_pair_slab* slab,
                    fracas_field_update mode, const fracas_fragment_query* query,
                    frc_pair_scratch* scratch);
