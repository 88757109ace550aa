/// @file restructure.h  When to build trees anew: the policies.
#pragma once
#include "scene/scene.h"

/// What fixed prices and counted work are; see restructure.c for where they come from.
frc_prices frc_default_prices(const frc_scene_settings* options);
/// Measured prices, from a small scene that is built and searched. On failure those above.
frc_prices frc_measured_prices(fracas_context* context, const frc_scene_settings* options);
/// Of a tree over so many triangles; `price` is one of those for building.
double frc_tree_price(double price, uint32_t triangles);
/// A query is over: remember what it cost.
void frc_add_work(const fracas_scene* scene, const fracas_query* query,
                  const fracas_statistics* statistics);

/// Is a body to be built anew, before what waits in it is placed?
bool frc_is_worn(const fracas_scene* scene, uint32_t body);

/// The default policy: subtrees whose cost has grown, where that pays.
extern const frc_rebuild_policy frc_rebuild_selective;
