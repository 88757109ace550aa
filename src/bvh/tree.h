/// @file tree.h  A 4-wide tree of boxes over any primitives, and its builders.
///
/// Nodes are in depth-first order: a parent has a smaller number than its children, so a loop from
/// the last node to the first refits the tree. Boxes are closed; their bounds are floats, rounded
/// outward.
#pragma once
#include "base/context.h"
#include "fracas/scene.h"
#include <float.h>

/// Four boxes, one per lane. An empty lane is NaN: every comparison with it is false, so it
/// overlaps nothing.
typedef struct frc_box4 {
    float lo[3][4], hi[3][4];
} frc_box4;

/// A reference to a child: the number of a node, or of a leaf with the top bit set, or none.
#define FRC_REF_LEAF 0x80000000u
#define FRC_REF_NONE UINT32_MAX

typedef struct frc_node {
    frc_box4 box;       // of the children
    uint32_t child[4];  // references; unused ones are FRC_REF_NONE and come last
    uint32_t parent;    // FRC_REF_NONE at the root
    uint32_t lane;      // which child of the parent this is
    uint32_t pad[2];
} frc_node;

_Static_assert(sizeof(frc_node) == 128, "two cache lines");

/// Prefetch both cache lines of a node, which another core may have written last.
static inline void frc_node_prefetch(const frc_node* node) {
    __builtin_prefetch(node);
    __builtin_prefetch(node->child);
}

/// A primitive, the input of a builder, in two registers. All bounds are finite.
typedef struct frc_prim {
    float lo[3];
    uint32_t id;
    float hi[3];
    uint32_t pad;
} frc_prim;

/// Clamp a bound of a primitive to finite floats. Boxes of huge coordinates may be infinite; the
/// centre of such a box may be NaN, with which the median takes quadratic time.
static inline float frc_clamp_to_finite(float bound) {
    return bound < -FLT_MAX ? -FLT_MAX : bound > FLT_MAX ? FLT_MAX : bound;
}

/// Primitives [first, first + count) of the permuted array.
typedef struct frc_leaf_range {
    uint32_t first, count;
    uint32_t parent, lane;  // the node that has this leaf as a child
} frc_leaf_range;

/// A built tree. The boxes of `nodes` are not computed. There is one node even for a single leaf.
typedef struct frc_shape {
    frc_node* nodes;
    frc_leaf_range* leaves;
    uint32_t node_count, leaf_count;
    uint32_t node_capacity, leaf_capacity;
} frc_shape;

typedef enum frc_builder {
    FRC_BUILD_SAH = 0,     // surface area heuristic: the best trees, the slowest to build
    FRC_BUILD_MEDIAN = 1,  // halves at the median
    FRC_BUILD_GRID = 2     // several levels at once by a counting sort: the fastest to build
} frc_builder;

/// How to build. A zero in `grid_...` means the default: FRC_GRID_LEVELS, FRC_GRID_STOP.
typedef struct frc_build_options {
    frc_builder builder;
    uint32_t leaf_size;    // primitives in a leaf at most
    uint32_t grid_levels;  // 2^grid_levels cells along each axis
    uint32_t grid_stop;    // ranges of fewer primitives are halved at the median
    bool grid_in_turn;     // halve cells along x, y and z in turn, not along their longest axis
    uint64_t seed;         // median builder: if not 0 the axis is random, for experiments
    // If not NULL the primitives are in the order of another tree, and build_order.c splits that
    // order, whatever `builder` is. cuts[i]: the lowest node of the other tree that held primitives
    // i - 1 and i, or FRC_CUT_LEAF when one leaf did. cuts[0] is unused.
    const uint32_t* cuts;
} frc_build_options;

#define FRC_CUT_LEAF UINT32_MAX

enum { FRC_GRID_LEVELS = 3, FRC_GRID_STOP = 128, FRC_GRID_LEVELS_MAX = 4 };

/// Build over `count` > 0 primitives. Their order changes: afterwards prims[i].id is primitive i in
/// the order of the leaves, and the boxes of `prims` are undefined. With `cuts` the order stays and
/// `prims` is not read. False when there is no memory, or when the context was cancelled.
bool frc_tree_build(fracas_context* context, const frc_build_options* options, frc_prim* prims,
                    uint32_t count, frc_shape* out);
void frc_shape_release(fracas_context* context, frc_shape* shape);
