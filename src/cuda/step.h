/// @file step.h  The data of one search on the device, and the stages that run there.
///
/// A stage is a function of one warp among `warps`: it takes every `warps`-th part of the work.
/// Stages run one after the other; steps of other branches run at the same time. Each appends to
/// lists that the next one reads; a list that is full counts on, so that the host can make it
/// larger and repeat the search.
#pragma once
#include "cuda/stage.h"
#include "fracas/contact.h"
#include "fracas/cuda.h"
#include "geom/ccd.h"
#include <float.h>
#include <string.h>

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

/// Features in slots; 32 slots are a cluster, 32 clusters a bundle, 32 bundles a group.
typedef struct frc_feature_set {
    const frc_feature* features;
    frc_bounds *boxes, *clusters, *bundles, *groups;
    uint32_t cluster_count, bundle_count, group_count;
    uint32_t reserved;
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

/// A contact: 64 bytes. For contact in time toi alone is set until the stage `impact`.
typedef struct frc_device_hit {
    frc_slot_pair pair;
    double toi, u, v, normal[3];
    double distance;  // of nearby pairs
} frc_device_hit;

// ---- contacts in order (stage_order.c)

/// The numbers that contacts of a kind are ordered by: index of body a and of body b, a[0], a[1],
/// b[0], b[1] of the contact; FRACAS_NONE where it has none.
enum { FRC_NAME_WORDS = 6 };
typedef struct frc_hit_name {
    FRC_ALIGN(16) uint32_t word[FRC_NAME_WORDS];
    uint32_t bin;    // FRACAS_NONE: no contact, it is too late
    uint32_t place;  // in the bin; of names in the order of bins: the hit
} frc_hit_name;

/// Bins with more contacts stay unordered: the host sorts.
enum { FRC_BIN_MOST = 1024, FRC_BIN_BITS_MIN = 10, FRC_BIN_BITS_MAX = 20 };

/// How many bits each number of a contact has.
typedef struct frc_order_bits {
    uint32_t of_word[FRC_NAME_WORDS];
} frc_order_bits;

FRC_DEVICE static inline frc_order_bits
frc_order_bits_of(fracas_contact_kind contact, uint32_t body, uint32_t point, uint32_t triangle) {
    const bool edge_a = contact == FRACAS_CONTACT_EE || contact == FRACAS_CONTACT_ET,
               edge_b = contact == FRACAS_CONTACT_EE || contact == FRACAS_CONTACT_VE,
               triangle_b = contact == FRACAS_CONTACT_VF || contact == FRACAS_CONTACT_ET ||
                            contact == FRACAS_CONTACT_TT;
    const frc_order_bits bits = {
        {body, body, contact == FRACAS_CONTACT_TT ? triangle : point, edge_a ? point : 0,
         triangle_b ? triangle : point, edge_b ? point : 0}
    };
    return bits;
}

typedef struct frc_order {
    uint32_t* bins;       // 2^bin_bits and one: first the number of contacts, then where they begin
    uint32_t* sums;       // of the bins of each warp
    frc_hit_name* names;  // by hit
    frc_hit_name* placed;                // in the order of bins
    fracas_cuda_contact* contacts;       // in order
    fracas_cuda_bodies* bodies;          // of them
    fracas_cuda_contact* host_contacts;  // pinned memory for copies of both, or NULL
    fracas_cuda_bodies* host_bodies;
    const uint32_t* triangles;                      // the caller's number of a triangle, by id
    uint64_t *count, *unordered;                    // contacts; not 0: some bin has too many
    uint32_t body_bits, point_bits, triangle_bits;  // of the largest numbers
    uint32_t bin_bits;
} frc_order;

typedef struct frc_device_body {
    uint32_t group, mask, self_collision, unused;
    double thickness;
} frc_device_body;

/// What the device decides.
typedef enum frc_decision {
    FRC_DECIDE_NOTHING,    // candidates are decided on the host
    FRC_DECIDE_IMPACT,     // contact in time
    FRC_DECIDE_REACH,      // coming within a distance in time; contact where it is 0
    FRC_DECIDE_NEARBY,     // within a distance at t = 1
    FRC_DECIDE_TRIANGLES,  // contact of triangles at t = 1
    FRC_DECISION_COUNT
} frc_decision;

/// Which positions boxes enclose.
typedef enum frc_ends {
    FRC_ENDS_STEP,  // each end of the step by itself
    FRC_ENDS_LAST,  // t = 1 alone
    FRC_ENDS_SWEPT  // the whole step in one box
} frc_ends;

/// The lists of pairs, in the order in which they are filled.
typedef enum frc_pair_list_kind {
    FRC_LIST_BUNDLES,     // bundles whose boxes overlap
    FRC_LIST_CLUSTERS,    // clusters whose boxes overlap
    FRC_LIST_CANDIDATES,  // features whose boxes overlap
    FRC_LIST_UNRELATED,   // of those, the pairs without siblings and distances
    FRC_LIST_REACH,       // of those, the pairs whose distance counts
    FRC_LIST_FILTERED,    // those that the filters have not rejected; one root is likely
    FRC_LIST_TWO_ROOTS,   // the same, where two roots or none are likely
    FRC_LIST_ROOTS,       // not decided by the common cases of the roots
    FRC_LIST_EXACT,       // not decided in floating point
    FRC_LIST_LATER,       // of those, the pairs not known to touch at t = 0
    FRC_LIST_NEAR,        // may come within the distance
    FRC_LIST_HOST,        // decided on the host
    FRC_LIST_COUNT
} frc_pair_list_kind;

/// Counters of a step: of its lists, then these.
enum {
    FRC_COUNT_HITS = FRC_LIST_COUNT,
    FRC_COUNT_CONTACTS,   // hits that are contacts
    FRC_COUNT_UNORDERED,  // not 0: contacts are in no order
    FRC_COUNT_LEFT_OUT,   // pairs that were left out because of siblings
    FRC_COUNT_EARLIEST,   // frc_time_rank of the earliest contact; 0: there is none
    FRC_STEP_COUNTS
};
enum { FRC_BRANCHES = 3 };

/// One comparison of two sets. Fields are in an order without padding: steps are compared as bytes.
typedef struct frc_step {
    const frc_moving_point* points;
    const frc_point_name* names;
    const frc_device_body* bodies;
    frc_feature_set a, b;
    double half_reach;  // boxes grow by it
    double distance;    // of the query, without the thickness of bodies
    double tolerance;
    double t_max;  // later contacts are left out
    frc_pair_list lists[FRC_LIST_COUNT];
    frc_pair_list to_filter;  // one of them
    frc_device_hit* hits;
    uint64_t* hit_count;
    uint64_t hit_capacity;
    uint64_t* limbs;  // FRC_CCD_SMALL_LIMBS for each of `limb_threads` threads
    frc_order order;
    uint64_t *counts, *host_counts;  // FRC_STEP_COUNTS counters, and their copy on the host
    uint64_t cleared;                // bytes from `counts` on that are cleared before the stages
    uint32_t limb_threads;
    uint32_t all_collide;    // no body has a filter
    uint32_t same;           // b is a: each pair once
    uint32_t drop_adjacent;  // leave out pairs with a common point
    frc_decision decide;
    uint32_t stages;           // bit k: stage k runs
    uint32_t sibling_tag;      // equal for siblings
    uint32_t siblings;         // some points have siblings, and the query does not report them
    uint32_t ignore_siblings;  // also those that have separated
    uint32_t thick;            // some bodies have a thickness
    uint32_t branch;           // steps of one branch run one after the other
    frc_ends ends;
    frc_ccd_kind kind;
    fracas_contact_kind contact;  // free points and edges are degenerate triangles
} frc_step;

/// Changes of an array: record i of `from` becomes record at[i] of `to`.
typedef struct frc_patch {
    uint32_t* to;
    const uint32_t *from, *at;
    uint32_t count, words;  // records, and words of one
} frc_patch;

enum { FRC_MOST_PATCHES = 9 };
typedef struct frc_patches {
    frc_patch list[FRC_MOST_PATCHES];
    uint32_t count;
} frc_patches;

/// Carry them out, on a warp among `warps`.
FRC_DEVICE void frc_patch_arrays(const frc_patches* patches, uint32_t warp, uint32_t warps);

/// X(name) for each stage, in order; a step has some of them.
#define FRC_STAGES(X)                                                                              \
    X(boxes)                                                                                       \
    X(bundles)                                                                                     \
    X(groups)                                                                                      \
    X(bundle_pairs)                                                                                \
    X(cluster_pairs)                                                                               \
    X(feature_pairs)                                                                               \
    X(siblings)                                                                                    \
    X(filter)                                                                                      \
    X(quick_roots)                                                                                 \
    X(roots)                                                                                       \
    X(start)                                                                                       \
    X(exact)                                                                                       \
    X(impact)                                                                                      \
    X(near)                                                                                        \
    X(reach)                                                                                       \
    X(nearby)                                                                                      \
    X(planes)                                                                                      \
    X(signs)                                                                                       \
    X(exact_signs)                                                                                 \
    X(name)                                                                                        \
    X(bin_sums)                                                                                    \
    X(bin_starts)                                                                                  \
    X(place)                                                                                       \
    X(order)                                                                                       \
    X(send)

/// Larger for earlier times; not 0 for times in [0, 1].
FRC_DEVICE static inline uint64_t frc_time_rank(double time) {
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return ~bits;
}

typedef enum frc_stage {
#define FRC_STAGE_NAME(name) FRC_STAGE_##name,
    FRC_STAGES(FRC_STAGE_NAME)
#undef FRC_STAGE_NAME
        FRC_STAGE_COUNT
} frc_stage;

/// FRC_STAGE(name) { ... }: a stage of a step `s`.
#define FRC_STAGE(name) FRC_DEFINE_STAGE(stage, frc_step, name, s)
#define FRC_STAGE_DECLARE(name) FRC_DECLARE_STAGE(stage, frc_step, name)
FRC_STAGES(FRC_STAGE_DECLARE)
#undef FRC_STAGE_DECLARE

/// A free point against a free edge, as the triangle (first, last, last), or against a free point,
/// where `last` is `first`: in the order of the points, so that results do not depend on slots.
FRC_DEVICE static inline frc_ccd_pair frc_order_free(uint32_t point, uint64_t point_order,
                                                     uint32_t first, uint64_t first_order,
                                                     uint32_t last, uint64_t last_order) {
    const bool reverse = last_order < first_order;
    const bool swap = first == last && first_order < point_order;
    const uint32_t from = swap      ? point
                          : reverse ? last
                                    : first,
                   to = swap      ? point
                        : reverse ? first
                                  : last;
    const frc_ccd_pair pair = {
        {swap ? first : point, from, to, to}
    };
    return pair;
}

/// The distance within which the bodies of two features are in contact: as frc_bodies_reach.
FRC_DEVICE static inline double frc_step_reach(const frc_step* s, frc_slot_pair pair) {
    const uint32_t a = s->a.features[pair.a].point[0], b = s->b.features[pair.b].point[0];
    if (!s->thick) return s->distance;
    const double reach = s->distance + (s->bodies[s->names[a].tag[0]].thickness +
                                        s->bodies[s->names[b].tag[0]].thickness);
    return reach < DBL_MAX ? reach : DBL_MAX;
}

/// Features of slots `pair` as a candidate, in the order of frc_ccd_canonical_order.
FRC_DEVICE frc_ccd_pair frc_step_candidate(const frc_step* s, frc_slot_pair pair);
