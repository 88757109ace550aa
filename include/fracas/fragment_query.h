/// @file fragment_query.h  Contacts between fragments that move as rigid bodies.
///
/// A contact is a point of a fragment inside another one: a node of the solid, or a point of a
/// crack. Points are visited in a tree of spheres, those that are far from all others first, so
/// the first contacts of a pair sample its overlap evenly.
#pragma once
#include "fracas/fragment.h"
#include "fracas/pose.h"

/// Place a fragment. Fragments are added at the identity; parts begin at the pose of the fragment
/// that broke.
/// @return FRACAS_ERROR_BAD_DATA when a number is not finite or the matrix is not a rotation, up to
/// 1e-6.
FRACAS_API fracas_status fracas_fragments_set_pose(fracas_fragments* fragments,
                                                   fracas_fragment fragment,
                                                   const fracas_pose* pose);

/// Fragments that never move: no contacts between two of them. Default: false.
FRACAS_API fracas_status fracas_fragments_set_fixed(fracas_fragments* fragments,
                                                    fracas_fragment fragment, bool fixed);

/// Which contacts of a pair of fragments are reported.
typedef enum fracas_contact_selection {
    /// contact_count of them; then those that are deeper than `skin`.
    FRACAS_CONTACT_SELECTION_ADAPTIVE = 0,
    /// Only the first contact_count.
    FRACAS_CONTACT_SELECTION_FIXED = 1,
    FRACAS_CONTACT_SELECTION_ALL = 2
} fracas_contact_selection;

/// Order in which a tree of spheres is visited.
typedef enum fracas_contact_order {
    /// By maximum distance: each visit of a node adds one child.
    FRACAS_CONTACT_ORDER_MAX_DISTANCE = 0,
    /// Plain breadth-first, for comparison.
    FRACAS_CONTACT_ORDER_BREADTH_FIRST = 1
} fracas_contact_order;

/// Start from fracas_fragments_default_query(); a NULL pointer means exactly that.
typedef struct fracas_fragment_query {
    uint32_t struct_size;
    fracas_contact_selection selection;
    fracas_contact_order order;
    /// For each pair and direction, at least 1. Default: 8.
    uint32_t contact_count;
    /// As a part of the smaller radius of the two fragments; at least 0. Default: 0.002.
    double skin;
    /// Report also points outside at less than this distance, in the unit of the coordinates; at
    /// least 0. Default: 0.
    double distance;
} fracas_fragment_query;

FRACAS_API fracas_fragment_query fracas_fragments_default_query(void);

/// A point of `a` inside `b` or near it.
typedef struct fracas_fragment_contact {
    fracas_fragment a, b;
    /// The point: of the solid, or of a crack. It keeps its number as long as `a` lives.
    uint32_t point;
    /// Positive inside; never below the distance from the surface of b (by default:
    /// fracas_field_update). Outside minus the distance.
    double depth;
    /// In the world. The normal is the unit vector along which `a` leaves `b`.
    double position[3], normal[3];
    /// Zero; reserved for later versions.
    uint64_t reserved[2];
} fracas_fragment_contact;

/// Work of one query.
typedef struct fracas_fragment_statistics {
    uint64_t contacts;
    /// Pairs of fragments with overlapping boxes.
    uint64_t pairs;
    /// Nodes of sphere trees that were visited; culled by their spheres.
    uint64_t visited, culled;
    /// Points that were located in a fragment; found inside or near.
    uint64_t located, colliding;
    double ms_broad, ms_total;
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_fragment_statistics;

/// Called on the calling thread, in the order of (a, b) by index of the smaller, then of the
/// larger; first points of the smaller. Return false to stop.
typedef bool fracas_fragment_contact_fn(const fracas_fragment_contact* contact, void* user);

typedef struct fracas_fragment_sink {
    /// NULL: count only.
    fracas_fragment_contact_fn* report;
    void* user;
    /// NULL: not wanted.
    fracas_fragment_statistics* statistics;
} fracas_fragment_sink;

/// Find all contacts between fragments at their poses. Contacts are the same for any number of
/// threads.
/// @return FRACAS_ERROR_INVALID_ARGUMENT, FRACAS_ERROR_OUT_OF_MEMORY, or FRACAS_ERROR_CANCELLED.
FRACAS_API fracas_status fracas_fragments_detect(const fracas_fragments* fragments,
                                                 const fracas_fragment_query* query,
                                                 const fracas_fragment_sink* sink);
