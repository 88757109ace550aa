/// @file siblings.h  Which siblings have never been apart at the start of a step.
///
/// Siblings are of one family for good (FRC_TAG_FAMILY). Those of them that no advance has found
/// apart have the number of one group in common (FRC_TAG_TOGETHER); a point alone has none.
#pragma once
#include "base/array.h"
#include "fracas/scene.h"
#include <stdatomic.h>

typedef struct frc_sibling_group {
    uint32_t count;        // points that have its number; 0: not in use
    uint32_t next_unused;  // number of the next group that is not in use; 0: none
    double at[3];          // where its points that are at rest stand
} frc_sibling_group;

typedef struct frc_siblings {
    FRC_ARRAY(frc_sibling_group) groups;  // number n is at n - 1
    uint32_t first_unused;
    size_t members;  // points with a number
    uint32_t family_count;
    // While an advance looks for them: those that moved, hash and id, with room for all members.
    uint64_t* moved;
    atomic_size_t moved_count;
} frc_siblings;

/// Room for `count` more members; false: no memory.
bool frc_siblings_reserve(fracas_scene* scene, size_t count);
/// The child is made of this parent alone and stands where it stands. Needs room.
void frc_siblings_join(fracas_scene* scene, uint32_t parent, uint32_t child);
/// The point is about to be removed.
void frc_siblings_leave(fracas_scene* scene, uint32_t point);
/// Before a step ends: siblings that differ at its start or at its end are together no more. Costs
/// what bodies that moved hold, nothing when there are no siblings. False: no memory, nothing was
/// changed.
bool frc_siblings_separate(fracas_scene* scene);
void frc_siblings_release(fracas_scene* scene);
