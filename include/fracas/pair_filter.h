/// @file pair_filter.h  Pairs of features that the queries of a scene leave out, apart from those
/// of groups, masks and self_collision of bodies.
#pragma once
#include "fracas/scene.h"

/// Two vertices whose features are not to be tested against each other.
typedef struct fracas_vertex_pair {
    fracas_body body_a, body_b;
    uint32_t vertex_a, vertex_b;
} fracas_vertex_pair;

/// Positions of a body in which nothing is in contact, one for every vertex number.
typedef struct fracas_rest_shape {
    fracas_body body;
    fracas_points points;
} fracas_rest_shape;

/// True: keep the pair. Called from several threads at once; the answer must depend on the pair
/// only. Only kind, bodies and indices of the contact can be relied on.
typedef bool fracas_pair_filter_fn(const fracas_contact* pair, void* user);

enum { FRACAS_MAX_RINGS = 8 };

/// Pairs of features that all queries of a scene leave out. Start from
/// fracas_scene_default_filter().
typedef struct fracas_pair_filter {
    /// Filled in by fracas_scene_default_filter; detects an uninitialised filter.
    uint32_t struct_size;
    /// Leave out pairs of one body when a path of at most this many edges joins a corner of the one
    /// feature to a corner of the other. Default 0: none; at most FRACAS_MAX_RINGS.
    uint32_t rings;
    /// Leave out pairs of features that are within this distance of each other in the rest shape.
    /// Default 0: none. Pairs with a vertex that has no rest position are kept. Triangles with a
    /// common vertex are at distance 0.
    double rest_distance;
    const fracas_rest_shape* rest_shapes;
    /// Leave out pairs of features when each pair of their corners is listed.
    const fracas_vertex_pair* vertex_pairs;
    size_t vertex_pair_count;
    uint32_t rest_shape_count;
    /// NULL: keep all that the lists keep.
    fracas_pair_filter_fn* keep;
    void* user;
} fracas_pair_filter;

FRACAS_API fracas_pair_filter fracas_scene_default_filter(void);

/// Set what all queries leave out, in place of an earlier filter; NULL: nothing. The lists are
/// copied. Vertices keep their place in them when they move to a part that breaks off; a vertex
/// that a split makes from parents has a rest position made from theirs, and is in no list.
/// Requires fracas_scene_update before the next query.
FRACAS_API fracas_status fracas_scene_set_filter(fracas_scene* scene,
                                                 const fracas_pair_filter* filter);
