/// @file rigid_models.h  Solids of the scenes.
#pragma once
#include "rigid/rigid_scenes.h"
#include "shapes.h"

/// Add a solid to the run: a box of n[0] x n[1] x n[2] cubes of six tetrahedra, centred at 0.
fracas_status rigid_make_box(rigid_run* run, fracas_context* context, const double size[3],
                             const uint32_t n[3], const fracas_solid** out);

/// Add a solid that fills a closed surface, with `cells` cells along its longest side. The surface
/// is scaled to this length along its longest side; its centre is that of its box.
fracas_status rigid_make_filled(rigid_run* run, fracas_context* context, scenes_mesh* mesh,
                                double length, uint32_t cells, const fracas_solid** out);

/// The rabbit of the scene exploding-dragon, or the surface in setup->mesh; z is up.
fracas_status rigid_make_bunny(rigid_run* run, fracas_context* context, const rigid_setup* setup,
                               double length, uint32_t cells, const fracas_solid** out);

/// Fixed boxes: the ground, at z = 0, and if `walls` four walls around a square of this side.
fracas_status rigid_add_ground(rigid_run* run, fracas_context* context, double side, bool walls);

/// A pose that turns by an angle about an axis, then moves.
fracas_pose rigid_pose(double x, double y, double z, const double axis[3], double angle);
