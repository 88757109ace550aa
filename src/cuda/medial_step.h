/// @file medial_step.h  The data of one search for contacts of rigid bodies on the device, and the
/// stages that run there. They are like those of step.h.
///
/// The primitives of a shape are in slots: 32 slots are a cluster, which has the leaves of one
/// subtree of the shape's tree.
#pragma once
#include "base/host_device.h"
#include "cuda/stage.h"
#include "geom/medial_lanes.h"
#include "medial/primitive_hit.h"

/// A part of the arrays over all shapes.
typedef struct frc_medial_device_shape {
    uint32_t first_sphere, sphere_count, first_primitive, first_cluster, cluster_count, unused;
} frc_medial_device_shape;

typedef struct frc_medial_device_body {
    frc_rigid_motion motion;
    double slack, rounding;  // frc_medial_moving
    double bound;            // radius of its bound
    double radius;           // of the shape
    uint32_t shape;
    uint32_t first_sphere, first_cluster;  // of its paths
    uint32_t wanted;                       // 0: it is in no pair
} frc_medial_device_body;

/// 32 spheres of a body, or one of its clusters.
typedef struct frc_medial_row {
    uint32_t body, first;
} frc_medial_row;

/// The path of a sphere around a primitive or a cluster, relative to its body. In floats; the
/// radius covers their rounding.
typedef struct frc_medial_slot {
    float start[3], way[3], radius;
    uint32_t primitive;  // of a cluster: how many slots are used
} frc_medial_slot;

/// Two bodies.
typedef struct frc_medial_device_pair {
    uint32_t a, b;
} frc_medial_device_pair;

/// Two clusters or primitives of a pair of bodies, by their numbers in the shapes.
typedef struct frc_medial_item {
    uint32_t pair, a, b;
} frc_medial_item;

typedef struct frc_medial_items {
    frc_medial_item* data;
    uint64_t* count;  // may exceed the capacity: items were not stored
    uint64_t capacity;
} frc_medial_items;

/// A contact, or a pair of primitives of which a part of a frc_medial_hit is known.
typedef struct frc_medial_device_hit {
    frc_medial_item item;
    uint32_t unused;
    double t, gap, direction[3], point[3];
} frc_medial_device_hit;

typedef struct frc_medial_hits {
    frc_medial_device_hit* data;
    uint64_t* count;  // as above
    uint64_t capacity;
} frc_medial_hits;

typedef enum frc_medial_item_list {
    FRC_MEDIAL_CLUSTERS,    // that may meet
    FRC_MEDIAL_CANDIDATES,  // primitives that may meet
    FRC_MEDIAL_CLOSE,       // those that no direction separates, in floats
    FRC_MEDIAL_HOST,        // decided on the host: the search took too many steps
    FRC_MEDIAL_ITEM_LISTS
} frc_medial_item_list;

typedef enum frc_medial_hit_list {
    FRC_MEDIAL_WAYS,    // a direction is known: the first contact on straight ways is wanted
    FRC_MEDIAL_MOTION,  // such a contact is known: the first of the motion itself is wanted
    FRC_MEDIAL_HITS,    // contacts
    FRC_MEDIAL_HIT_LISTS
} frc_medial_hit_list;

/// Numbers of lists of hits: they follow those of items.
#define FRC_MEDIAL_NUMBER(hit_list) ((int)FRC_MEDIAL_ITEM_LISTS + (int)(hit_list))

enum { FRC_MEDIAL_LISTS = FRC_MEDIAL_NUMBER(FRC_MEDIAL_HIT_LISTS) };

/// Fields are in an order without padding: steps are compared as bytes.
typedef struct frc_medial_device_step {
    // Of all shapes.
    const frc_medial_device_shape* shapes;
    const double (*spheres)[4];
    const double* distances;  // by sphere: of its centre from that of the shape
    const frc_medial_primitive* primitives;
    const frc_medial_node* slots;     // leaves; `child` is not used
    const frc_medial_node* clusters;  // `primitive`: how many slots are used
    // Of all bodies.
    const frc_medial_device_body* bodies;
    const frc_medial_row *sphere_rows, *cluster_rows;
    uint32_t sphere_row_count, cluster_row_count;
    double (*start)[4], (*end)[4];
    double* bulge;
    frc_lane_sphere* lanes;
    frc_medial_slot *slot_paths, *cluster_paths;
    // Pairs of bodies. A row is a pair and its first of 32 clusters of the side that has more.
    const frc_medial_device_pair* pairs;
    const frc_medial_row* pair_rows;
    const uint32_t* pair_row_count;  // in memory: steps with other pairs are equal bytes
    double tolerance;                // of the query
    uint32_t cull;                   // 0: all pairs of primitives are candidates
    int most_ways, most_motion;
    uint32_t unused;
    frc_medial_items items[FRC_MEDIAL_ITEM_LISTS];
    frc_medial_hits hits[FRC_MEDIAL_HIT_LISTS];
} frc_medial_device_step;

/// X(name) for each stage, in order.
#define FRC_MEDIAL_STAGES(X)                                                                       \
    X(spheres)                                                                                     \
    X(slots)                                                                                       \
    X(clusters)                                                                                    \
    X(primitives)                                                                                  \
    X(apart)                                                                                       \
    X(start)                                                                                       \
    X(ways)                                                                                        \
    X(motion)

typedef enum frc_medial_stage {
#define FRC_MEDIAL_STAGE_NAME(name) FRC_MEDIAL_STAGE_##name,
    FRC_MEDIAL_STAGES(FRC_MEDIAL_STAGE_NAME)
#undef FRC_MEDIAL_STAGE_NAME
        FRC_MEDIAL_STAGE_COUNT
} frc_medial_stage;

/// FRC_MEDIAL_STAGE(name) { ... }: a stage of a step `s`.
#define FRC_MEDIAL_STAGE(name) FRC_DEFINE_STAGE(medial_stage, frc_medial_device_step, name, s)
#define FRC_MEDIAL_STAGE_DECLARE(name) FRC_DECLARE_STAGE(medial_stage, frc_medial_device_step, name)
FRC_MEDIAL_STAGES(FRC_MEDIAL_STAGE_DECLARE)
#undef FRC_MEDIAL_STAGE_DECLARE
