/// @file place.h  Features into blocks, boxes onto points: the parts of an update.
#pragma once
#include "scene/scene.h"

/// Boxes of the points with these ids, at the ends that the scene keeps.
void frc_fit_points(fracas_scene* scene, const frc_ids* ids);

/// Build what waits in a body into blocks. False: no memory, or cancelled; it still waits then.
bool frc_place_fresh(fracas_scene* scene, uint32_t body);

/// One new block for all triangles of a body, whichever blocks they stand in or wait for; blocks of
/// free elements stay.
typedef struct frc_renewal {
    uint32_t body;
    bool inherit;  // where they stand, or stood, in one tree and the options allow it, the new one
                   // has its order
    bool places;   // nothing waits afterwards
} frc_renewal;

/// Build bodies anew, at the same time; `what` may be put in another order. False: no memory, or
/// cancelled; bodies are then as they were, or done.
bool frc_renew_bodies(fracas_scene* scene, frc_renewal* what, uint32_t count);

/// Is there anything to do for frc_place_fresh?
bool frc_has_to_be_placed(const fracas_scene* scene, uint32_t body);

/// Will what waits be built together with all that is there?
bool frc_waits_as_a_whole(const fracas_scene* scene, uint32_t body);

/// Nothing waits any more.
void frc_forget_fresh(fracas_scene* scene, frc_body* body);

/// How many features wait.
size_t frc_fresh_count(const frc_body* body);
