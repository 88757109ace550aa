/// @file rebuild_policies.h  Policies of rebuilding that others are compared with.
#pragma once
#include "scene/scene.h"

extern const frc_rebuild_policy frc_rebuild_never;    // boxes are refitted (HPCCD)
extern const frc_rebuild_policy frc_rebuild_always;   // every body that is updated
extern const frc_rebuild_policy frc_rebuild_lm;       // trees whose LM metric has fallen
extern const frc_rebuild_policy frc_rebuild_restart;  // all bodies after a split or merge (T-CCD)
