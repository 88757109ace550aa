/// @file shape.h  The primitives of a medial mesh and a tree over them, relative to the centre.
///
/// Arrays are flat and hold numbers only, so that they can be copied to another device as they are.
#pragma once
#include "fracas/medial.h"
#include "geom/medial.h"

typedef struct frc_medial_primitive {
    uint32_t sphere[3];  // the first `count` are used
    uint32_t count;
    uint32_t number;  // of the contact: fracas_medial_contact
} frc_medial_primitive;

/// A sphere around the primitives of a subtree. Node 0 is the root.
typedef struct frc_medial_node {
    double centre[3], radius;
    double distance;     // of the centre from that of the shape
    uint32_t child;      // the first of two adjacent ones; 0: a leaf
    uint32_t primitive;  // of a leaf
} frc_medial_node;

struct fracas_medial_shape {
    fracas_context* context;
    fracas_medial_shape_info info;
    double (*spheres)[4];
    double* distances;  // by sphere: of its centre from that of the shape
    frc_medial_primitive* primitives;
    frc_medial_node* nodes;  // 2 primitive_count - 1
    frc_obb* boxes;          // by node: boxes around the same primitives
    uint32_t sphere_count, primitive_count;
    size_t capacity;  // of primitives
};

static inline uint32_t frc_medial_node_count(const fracas_medial_shape* shape) {
    return 2 * shape->primitive_count - 1;
}

/// Make nodes and boxes of a shape that has its primitives. False: no memory.
bool frc_medial_shape_make_tree(fracas_medial_shape* shape);
