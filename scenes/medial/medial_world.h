/// @file medial_world.h  Rigid bodies of spheres, cones and slabs, moved by ODE.
///
/// Contacts are found for the motion that the velocities would give in the next step, and become
/// limits for it: nothing passes through anything.
#pragma once
#include "fracas/fracas.h"

typedef struct medial_world medial_world;

typedef struct medial_options {
    fracas_context* context;
    fracas_medial_query query;
    double step;  ///< seconds
    double friction;
} medial_options;

/// One step. Times are wall-clock milliseconds.
typedef struct medial_step_info {
    fracas_medial_statistics found;
    double ms_detect, ms_solve;
    double deepest;  ///< contact
    double fastest;  ///< body
    double energy;   ///< kinetic and potential
} medial_step_info;

medial_options medial_default_options(void);
/// On any error *out is NULL.
fracas_status medial_create(const medial_options* options, medial_world** out);
void medial_destroy(medial_world* world);  ///< NULL is allowed

/// A model of the world: its primitives and its mass for density 1.
typedef struct medial_model {
    fracas_medial_mesh* mesh;
    fracas_medial_shape* shape;
    double centre[3], mass, inertia[6];  ///< xx, yy, zz, xy, yz, zx
} medial_model;

/// Add a model, which belongs to the world afterwards. Its mass is that of spheres along the
/// primitives. `length`: of the longest side of its box, 0: unchanged.
fracas_status medial_add_model(medial_world* world, const fracas_medial_view* view, double length,
                               const medial_model** out);

typedef struct medial_placement {
    const medial_model* model;
    fracas_pose pose;  ///< of the frame of the model, moved so that its centre is its origin
    double velocity[3], spin[3];
} medial_placement;
fracas_status medial_add(medial_world* world, const medial_placement* placement);

/// Add scenery that never moves.
fracas_status medial_add_scenery(medial_world* world, const fracas_mesh_view* surface);
/// A model that never moves.
fracas_status medial_add_fixed(medial_world* world, const medial_placement* placement);

fracas_status medial_step(medial_world* world, medial_step_info* info);

uint32_t medial_count(const medial_world* world);  ///< bodies that move
/// All bodies: their number, and the primitives of one, valid while the world lives. Scenery has
/// spheres of radius 0.
uint32_t medial_body_count(const medial_world* world);
fracas_medial_view medial_get(const medial_world* world, uint32_t body, fracas_pose* pose);
bool medial_is_fixed(const medial_world* world, uint32_t body);
/// Of the last step; `a.index` and `b.index` are numbers of bodies. Valid until the next one.
const fracas_medial_contact* medial_contacts(const medial_world* world, size_t* count);
/// With the motions of the last step.
const fracas_medial_bodies* medial_bodies(const medial_world* world);
