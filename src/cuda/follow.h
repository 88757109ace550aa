/// @file follow.h  The slots of a scene's features follow its edits.
#pragma once
#include "cuda/clusters.h"
#include "scene/scene.h"

/// What a copy on a device has to know about a scene. The lists grow until their user clears them.
typedef struct frc_followed {
    bool valid;  // false: the slots are rebuilt
    frc_slots sets[FRC_SET_COUNT];
    frc_changes points, triangles;  // points with other positions or tags; triangles
    frc_changes bodies;             // that have moved
    bool everything;                // all points have changed
    frc_changes waiting, decayed;   // bodies whose clusters are to be rebuilt: parts, others
    uint32_t *body_of, *root;       // by point: its body at the last call; for union-find
    size_t body_of_capacity, root_capacity;
    uint32_t serial;   // of the last body that was put into new clusters
    uint64_t ordered;  // features that have been put into new clusters again
} frc_followed;

/// Bring slots and lists up to date with the changes of a scene, which are then cleared. False: no
/// memory; the next call rebuilds the slots.
bool frc_follow(frc_followed* followed, fracas_scene* scene);
/// The order of a body has decayed: one of the next calls rebuilds it.
void frc_follow_decayed(frc_followed* followed, uint32_t body);
/// Empty the lists of points, triangles and bodies.
void frc_followed_clear(frc_followed* followed);
void frc_followed_release(fracas_context* context, frc_followed* followed);
