/// @file restructure.h  When to build trees anew: the policies.
#pragma once
#include "scene/scene.h"

/// Before fresh features are placed: rebuild the body when the policy says so. False: no memory, or
/// cancelled.
bool frc_restructure_body(fracas_scene* scene, uint32_t body);
