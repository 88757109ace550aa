/// @file rebuild_policies.h  The rebuild policies of published systems, for comparison.
#pragma once
#include "scene/scene.h"

extern const frc_rebuild_policy frc_rebuild_never;   // boxes are only refitted (HPCCD)
extern const frc_rebuild_policy frc_rebuild_always;  // every body that is updated
extern const frc_rebuild_policy frc_rebuild_lm;  // bodies with a tree whose LM metric has fallen
extern const frc_rebuild_policy frc_rebuild_restart;  // all bodies after a split or merge (T-CCD)
