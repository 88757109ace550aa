/// @file siblings.h  Groups of sibling vertices that have been together since they were made.
///
/// A vertex belongs to one family for its whole life (FRC_TAG_FAMILY). Siblings that no advance has
/// found at different positions have the same group number (FRC_TAG_SIBLING_GROUP); 0: no group.
#pragma once
#include "base/array.h"
#include "fracas/scene.h"
#include <stdatomic.h>

typedef struct frc_sibling_group {
    uint32_t count;        // points in the group; 0: not in use
    uint32_t next_unused;  // number of the next group that is not in use; 0: none
    double at[3];          // position of its points in bodies at rest
} frc_sibling_group;

typedef struct frc_siblings {
    FRC_ARRAY(frc_sibling_group) groups;  // number n is at n - 1
    uint32_t first_unused;
    size_t members;  // points in groups
    uint32_t family_count;
    // During frc_siblings_separate: hash and id of the points that moved; capacity: all members.
    uint64_t* moved;
    atomic_size_t moved_count;
} frc_siblings;

/// Reserve memory for `count` more members. False: no memory.
bool frc_siblings_reserve(fracas_scene* scene, size_t count);
/// The child is made of this parent alone and has its position. Needs reserved memory.
void frc_siblings_join(fracas_scene* scene, uint32_t parent, uint32_t child);
/// Remove a point that is about to be removed from the scene.
void frc_siblings_leave(fracas_scene* scene, uint32_t point);
/// Called before a step ends: separate siblings whose positions differ at its start or at its end.
/// The cost is linear in the points of bodies that moved, and zero without siblings. False: no
/// memory, nothing was changed.
bool frc_siblings_separate(fracas_scene* scene);
void frc_siblings_release(fracas_scene* scene);
