/// @file play_rigid_none.c  `fracas play` without ODE: no scenes of rigid bodies.
#include "play_scene.h"

const cli_play_kind* const cli_play_rigid = NULL;
const cli_play_kind* const cli_play_medial = NULL;
