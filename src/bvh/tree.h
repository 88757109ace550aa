/// @file tree.h  A 4-wide tree of boxes over any primitives, and how it is built.
///
/// Nodes stand in depth-first order: a parent comes before its children, so that a loop from the
/// last node to the first refits the tree. Boxes are floats rounded outward and closed.
#pragma once
#include "base/context.h"
#include "fracas/scene.h"
#include <float.h>

/// Four boxes, one per lane. An empty lane is NaN: every comparison with it is false, it meets
/// nothing.
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

/// What a tree is built over. The builder permutes an array of these. All numbers are finite.
typedef struct frc_prim {
    float lo[3], hi[3];
    uint32_t id, kind;
} frc_prim;

/// A bound of a primitive. Boxes of huge coordinates reach to infinity; the centre of such a box
/// may be no number, and a median among those takes quadratic time.
static inline float frc_prim_bound(float bound) {
    return bound < -FLT_MAX ? -FLT_MAX : bound > FLT_MAX ? FLT_MAX : bound;
}

/// Primitives [first, first + count) of the permuted array.
typedef struct frc_leaf_range {
    uint32_t first, count;
    uint32_t parent, lane;  // the node that has this leaf as a child
} frc_leaf_range;

/// A built tree. `nodes` has no boxes yet. With one leaf only there is still one node.
typedef struct frc_shape {
    frc_node* nodes;
    frc_leaf_range* leaves;
    uint32_t node_count, leaf_count;
    uint32_t node_capacity, leaf_capacity;
} frc_shape;

/// Build over `count` > 0 primitives, at most `leaf_size` in a leaf. False when there is no memory,
/// or when the context was cancelled.
bool frc_tree_build(fracas_context* context, fracas_builder builder, frc_prim* prims,
                    uint32_t count, uint32_t leaf_size, frc_shape* out);
void frc_shape_release(fracas_context* context, frc_shape* shape);

/// Split prims [0, count), count > leaf_size, in two: returns the size of the first half, 0 < size
/// < count. One function per builder, each in its own file.
uint32_t frc_split_median(frc_prim* prims, uint32_t count, uint32_t leaf_size);
uint32_t frc_split_sah(frc_prim* prims, uint32_t count, uint32_t leaf_size);

/// Twice the centre along an axis: what primitives are sorted by.
static inline float frc_prim_center(const frc_prim* prim, int axis) {
    return prim->lo[axis] * 0.5f + prim->hi[axis] * 0.5f;
}
