/// @file medial_scenes.h  Scenes of rigid bodies of spheres, cones and slabs, after Li et al.
#pragma once
#include "medial/medial_world.h"

typedef struct medial_setup {
    const char*
        mesh;      ///< a medial mesh (.ma, .mat) or closed surface instead of one model; or NULL
    double speed;  ///< of fast-flyer, in m/s; 0: 100
} medial_setup;

typedef struct medial_scene {
    const char *name, *description;
    uint32_t steps;
    double step;
    fracas_status (*fill)(medial_world* world, fracas_context* context, const medial_setup* setup);
} medial_scene;

const medial_scene* const* medial_scenes_list(size_t* count);
const medial_scene* medial_scenes_find(const char* name);  ///< NULL: no such scene

/// The world of a scene. On any error *out is NULL.
fracas_status medial_scene_create(const medial_scene* scene, const medial_options* options,
                                  const medial_setup* setup, medial_world** out);

extern const medial_scene medial_stairs;
extern const medial_scene medial_rods;
extern const medial_scene medial_fast_flyer;
extern const medial_scene medial_tori;

/// Animal `which`, or the model of setup->mesh in place of animal 0.
fracas_status medial_make_animal(medial_world* world, fracas_context* context,
                                 const medial_setup* setup, uint32_t which, double length,
                                 const medial_model** out);
/// A square of two triangles around the origin, at z = 0.
fracas_status medial_add_ground(medial_world* world, double half);
/// A pose at a place, turned about an axis.
fracas_pose medial_pose(double x, double y, double z, const double axis[3], double angle);
