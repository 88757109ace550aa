/// @file renew.h  Whole bodies are built anew.
#pragma once
#include "scene/place.h"

/// One new block for all triangles of a body, whichever blocks they stand in or wait for; blocks of
/// free elements stay.
typedef struct frc_renewal {
    uint32_t body;
    bool inherit;  // where they stand, or stood, in one tree and the options allow it, the new one
                   // has its order
    bool places;   // nothing waits afterwards
} frc_renewal;

/// Build bodies anew, at the same time. False: no memory, or cancelled; bodies are then as they
/// were, or done.
bool frc_renew_bodies(fracas_scene* scene, const frc_renewal* what, uint32_t count);
