/// @file following.h  What the files that follow edits share: one call of frc_follow.
#pragma once
#include "base/parallel.h"
#include "cuda/follow.h"

typedef struct frc_following {
    frc_followed* f;
    fracas_scene* scene;
    frc_topology* topology;
    frc_unplaced_list unplaced[FRC_SET_COUNT];
    uint8_t* code[FRC_SET_COUNT];  // by position in the list of changes
    bool ok[FRC_SET_COUNT];
    frc_set_kind kind;  // of a loop over one set
} frc_following;

/// Is the feature with this id in the set?
bool frc_is_in_set(const frc_topology* topology, frc_set_kind kind, uint32_t id, frc_feature* out);
/// Add a feature that needs a slot. False: no memory.
bool frc_add_unplaced(frc_following* following, frc_set_kind kind, uint32_t id);
/// Find the corners and bodies of all that have been added.
void frc_describe_unplaced(frc_following* following);
/// Put those that need a slot into new clusters, patch by patch. False: no memory.
bool frc_place_unplaced(frc_following* following);
/// Call a function for each set, which have nothing in common; for little work on the calling
/// thread alone.
void frc_each_set(frc_following* following, size_t work, frc_range_fn* fn, void* data);

// ---- follow_parts.c

/// Some of the parts that broke off get clusters of their own where they share some. False: no
/// memory.
bool frc_move_parts(frc_following* following);
/// One of the bodies whose order has decayed is placed as if it were new. False: no memory.
bool frc_rebuild_order(frc_following* following);
