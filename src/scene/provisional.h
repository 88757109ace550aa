/// @file provisional.h  Trees that were made quickly are built well once they have served enough.
#pragma once
#include "scene/renew.h"

/// A scene begins: what a better tree is taken to bring before any was built.
void frc_provisional_begin(fracas_scene* scene);
/// A block gets its number, built like this: nothing has been looked at in it yet.
void frc_provisional_enter(fracas_scene* scene, uint32_t block, const frc_build_options* how);
/// Which bodies are to be built well in this update, as `worn` and `ripe`. False: no memory.
bool frc_provisional_select(fracas_scene* scene);
/// Bodies are about to be built for the first time: which of them well, as `ripe`?
void frc_provisional_births(fracas_scene* scene, const frc_renewal* list, uint32_t count);
/// Boxes are fitted: what have the better trees brought? False: no memory.
bool frc_provisional_learn(fracas_scene* scene, const frc_ids* blocks);

/// Room to count for every block. False: no memory.
bool frc_reserve_served(fracas_scene* scene);
/// What queries have done in a block since it was built.
uint64_t frc_work_served(const fracas_scene* scene, uint32_t block);
