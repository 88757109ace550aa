/// @file step.h  The data of one search on the device, and the stages that run there.
///
/// A stage is a function of one warp among `warps`: it takes every `warps`-th part of the work.
/// Stages run one after the other. Each appends to lists that the next one reads; a list that is
/// full counts on, so that the host can make it larger and repeat the search.
#pragma once
#include "cuda/lanes.h"
#include "geom/ccd.h"

/// The positions of a point at both ends of the step: the first 48 bytes of a frc_point.
typedef struct frc_moving_point {
    FRC_ALIGN(16) double x[3][2];
} frc_moving_point;

/// The tags of a point (mesh/topology.h).
typedef struct frc_point_name {
    FRC_ALIGN(16) uint32_t tag[4];
} frc_point_name;

/// A vertex (a, a, a), an edge (a, b, b) or a triangle. point[0] is FRACAS_NONE: an empty slot.
typedef struct frc_feature {
    FRC_ALIGN(16) uint32_t point[3];
    uint32_t id;  // of the triangle; else FRACAS_NONE
} frc_feature;

/// Boxes at both ends, rounded outward. Nothing overlaps (+inf, -inf).
typedef struct frc_bounds {
    FRC_ALIGN(16) float lo[2][3];
    float hi[2][3];
} frc_bounds;

/// Features in slots; 32 slots are a cluster, 32 clusters a bundle.
typedef struct frc_feature_set {
    const frc_feature* features;
    frc_bounds *boxes, *clusters, *bundles;
    uint32_t cluster_count, bundle_count;
} frc_feature_set;

/// Two slots.
typedef struct frc_slot_pair {
    FRC_ALIGN(8) uint32_t a;
    uint32_t b;
} frc_slot_pair;

typedef struct frc_pair_list {
    frc_slot_pair* pairs;
    uint64_t* count;  // may exceed the capacity: pairs were not stored
    uint64_t capacity;
} frc_pair_list;

/// A contact: 64 bytes. toi alone is set until the last stage.
typedef struct frc_device_hit {
    frc_slot_pair pair;
    double toi, u, v, normal[3];
    uint64_t unused;
} frc_device_hit;

typedef struct frc_device_body {
    uint32_t group, mask, self_collision;
} frc_device_body;

/// Which positions boxes enclose.
typedef enum frc_ends {
    FRC_ENDS_STEP,  // each end of the step by itself
    FRC_ENDS_LAST,  // t = 1 alone
    FRC_ENDS_SWEPT  // the whole step in one box
} frc_ends;

/// The lists of pairs, in the order in which they are filled.
typedef enum frc_pair_list_kind {
    FRC_LIST_CLUSTERS,    // clusters whose boxes overlap
    FRC_LIST_CANDIDATES,  // features whose boxes overlap
    FRC_LIST_FILTERED,    // those that the filters have not rejected; one root is likely
    FRC_LIST_TWO_ROOTS,   // the same, where two roots or none are likely
    FRC_LIST_ROOTS,       // not decided by the common cases of the roots
    FRC_LIST_EXACT,       // not decided in floating point
    FRC_LIST_HOST,        // decided on the host
    FRC_LIST_COUNT
} frc_pair_list_kind;

typedef struct frc_step {
    const frc_moving_point* points;
    const frc_point_name* names;
    const frc_device_body* bodies;
    uint32_t all_collide;  // no body has a filter
    frc_feature_set a, b;
    uint32_t same;  // b is a: each pair once
    frc_ends ends;
    double half_reach;     // boxes grow by it
    uint32_t decide;       // 0: candidates are decided on the host
    uint32_t sibling_tag;  // equal for siblings; pairs with siblings are decided on the host
    uint32_t siblings;     // some points have siblings
    frc_ccd_kind kind;
    double tolerance;
    frc_pair_list lists[FRC_LIST_COUNT];
    frc_device_hit* hits;
    uint64_t* hit_count;
    uint64_t hit_capacity;
    uint64_t* limbs;  // FRC_CCD_SMALL_LIMBS for each of `limb_threads` threads
    uint32_t limb_threads;
} frc_step;

/// X(name) for each stage, in order.
#define FRC_STAGES(X)                                                                              \
    X(boxes)                                                                                       \
    X(bundles)                                                                                     \
    X(cluster_pairs)                                                                               \
    X(feature_pairs)                                                                               \
    X(filter)                                                                                      \
    X(quick_roots)                                                                                 \
    X(roots)                                                                                       \
    X(exact)                                                                                       \
    X(impact)

typedef enum frc_stage {
#define FRC_STAGE_NAME(name) FRC_STAGE_##name,
    FRC_STAGES(FRC_STAGE_NAME)
#undef FRC_STAGE_NAME
        FRC_STAGE_COUNT
} frc_stage;

/// A stage is FRC_STAGE(name) { ... }: a function of (const frc_step* s, uint32_t warp, uint32_t
/// warps). As CUDA it is a kernel in the same file, so that the compiler reads `s` from constant
/// memory and keeps arrays in registers.
#if defined(__CUDACC__)
#define FRC_STAGE_DECLARE(name)                                                                    \
    __global__ void frc_run_##name(const __grid_constant__ frc_step step);
#define FRC_STAGE(name)                                                                            \
    __device__ static __forceinline__ void frc_stage_##name(const frc_step* s, uint32_t warp,      \
                                                            uint32_t warps);                       \
    __global__ void __launch_bounds__(FRC_BLOCK_WARPS* FRC_WARP)                                   \
        frc_run_##name(const __grid_constant__ frc_step step) {                                    \
        frc_stage_##name(&step, (blockIdx.x * blockDim.x + threadIdx.x) / FRC_WARP,                \
                         gridDim.x * blockDim.x / FRC_WARP);                                       \
    }                                                                                              \
    __device__ static __forceinline__ void frc_stage_##name(const frc_step* s, uint32_t warp,      \
                                                            uint32_t warps)
#else
#define FRC_STAGE_DECLARE(name)                                                                    \
    void frc_stage_##name(const frc_step* s, uint32_t warp, uint32_t warps);
#define FRC_STAGE(name) void frc_stage_##name(const frc_step* s, uint32_t warp, uint32_t warps)
#endif
FRC_STAGES(FRC_STAGE_DECLARE)
#undef FRC_STAGE_DECLARE

/// Features of slots `pair` as a candidate, in the order of frc_ccd_canonical_order.
FRC_DEVICE frc_ccd_pair frc_step_candidate(const frc_step* s, frc_slot_pair pair);
