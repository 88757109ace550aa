/// @file fracture.h  One call of fracas_fragments_fracture.
#pragma once
#include "base/arena.h"
#include "fragment/field.h"
#include "fragment/fragments.h"

/// Arrays are in the arena.
typedef struct frc_breaking {
    fracas_fragments* fragments;
    fracas_context* context;
    fracas_fragment old;
    frc_object* object;
    const frc_fragment* fragment;  // a copy of it
    const fracas_fracture* fracture;
    frc_arena* arena;
    uint32_t* part_sizes;  // nodes
    // Keys of given cuts: edge << 32 | number of the cut; sorted.
    uint64_t* given;
    uint32_t given_count;
    uint32_t *edges, *tets;  // newly cut, ascending
    uint32_t edge_count, tet_count;
    frc_fragment* parts;     // their arrays are in the context's memory
    uint32_t* part_numbers;  // of the new fragments
    frc_field_node* saved;   // by position in fragment->nodes
    uint8_t* saved_corners;  // of tets
    size_t old_points, old_surface_points;
    // Surface points of the parts, in this order: inserted[begins[p]] to inserted[begins[p + 1] -
    // 1].
    uint32_t* begins;
    frc_sphere_insertion* inserted;
    frc_field_update field;
} frc_breaking;

static inline uint32_t frc_breaking_part(const frc_breaking* b, uint32_t node) {
    return b->fracture->node_parts[node];
}

/// Is a point a node of the fragment that breaks? Before its nodes are assigned to parts.
static inline bool frc_breaking_owns(const frc_breaking* b, uint32_t node) {
    return node < b->object->solid->point_count && b->object->nodes[node].fragment == b->old.index;
}

fracas_status frc_breaking_fail_memory(const frc_breaking* b);

/// The trees of the parts, after the object has been cut. False: no memory.
bool frc_breaking_make_trees(frc_breaking* b);

/// Check the parts and the cuts; fills part_sizes and given.
fracas_status frc_breaking_check(frc_breaking* b);
