/// @file fragments.h  All fragments of a simulation, and the objects that they are parts of.
#pragma once
#include "base/handles.h"
#include "fragment/crack.h"
#include "fragment/occupancy.h"
#include "fragment/support.h"

typedef struct frc_fragment {
    frc_object* object;
    uint32_t* nodes;  // points of the solid, ascending
    uint32_t node_count;
    frc_sphere_tree tree;  // of its nodes and its surface points
    frc_occupancy occupancy;
    frc_support support;
    fracas_pose pose;
    double radius;  // half the diagonal of its box
    bool fixed;
} frc_fragment;

struct fracas_fragments {
    fracas_context* context;
    fracas_fragments_options options;
    frc_handles handles;
    FRC_ARRAY(frc_fragment) list;  // by number, which is frc_field_node.fragment
};

/// The fragment of a handle; NULL, with a message, if it is invalid.
frc_fragment* frc_fragments_get(const fracas_fragments* fragments, fracas_fragment fragment);

/// Memory of a fragment, without its object.
void frc_fragment_release(fracas_context* context, frc_fragment* fragment);

/// Remove a fragment from its object, which is released with its last one, and free its number.
void frc_fragments_drop(fracas_fragments* fragments, uint32_t number);

/// Find the box, the occupied cells and the hull of a fragment with this number, whose tree is
/// made. False: no memory.
bool frc_fragment_measure(frc_fragment* fragment, uint32_t number);

/// The node to which a point of a tree belongs.
static inline uint32_t frc_object_tree_node(const frc_object* object, uint32_t point) {
    const uint32_t points = object->solid->point_count;
    return point < points ? point : object->surface_point_nodes.data[point - points];
}

/// The points of the trees of an object.
static inline frc_sphere_points frc_object_tree_points(const frc_object* object) {
    const frc_crack_point* second = object->surface_points.data;
    return (frc_sphere_points){(const double(*)[3])object->solid->points,
                               second ? &second->at : NULL, object->solid->point_count};
}
