/// @file world.h  Rigid bodies that break: fragments of Fracas as bodies of ODE.
///
/// The frame of a solid is that of its fragments; a body of ODE has its origin in the centre of
/// mass. ODE integrates and solves; it is not the same on every machine, so neither are these
/// scenes. The solver of a fracture is a stand-in: a body breaks into Voronoi cells around the
/// strongest contact, when the impulses of one step exceed a limit.
#pragma once
#include "fracas/fracas.h"

typedef struct rigid_world rigid_world;

typedef struct rigid_options {
    fracas_context* context;
    fracas_fragments_options fragments;
    fracas_fragment_query query;
    double step;  ///< seconds
    double friction;
    /// A body breaks when the impulses of its contacts in one step, in all, exceed this speed times
    /// its mass; 0: never. A supported body breaks, too.
    double strength;
    uint32_t pieces;  ///< sites of a fracture
    uint32_t most;    ///< bodies beyond which nothing breaks
    uint32_t least;   ///< nodes of a body that may break
    uint32_t times;   ///< how often a body and its parts break
} rigid_options;

/// One step. Times are wall-clock milliseconds.
typedef struct rigid_step_info {
    uint32_t bodies;  ///< that move
    uint32_t broken;  ///< bodies that broke in this step
    fracas_fragment_statistics found;
    double ms_detect, ms_solve;
    double ms_fracture;  ///< all fractures of the step, with the choice of cells
    double ms_update;    ///< part of it: fracas_fragments_fracture; the longest of them
    double energy;       ///< kinetic and potential
    double deepest;      ///< deepest contact
    double fastest;      ///< largest speed of a body
    bool impact;         ///< contacts changed a velocity by 10 steps of free fall, or a push
} rigid_step_info;

rigid_options rigid_default_options(void);
/// On any error *out is NULL.
fracas_status rigid_create(const rigid_options* options, rigid_world** out);
void rigid_destroy(rigid_world* world);  ///< NULL is allowed

/// A solid as one body; it must outlive the world. The pose is that of the frame of the solid.
typedef struct rigid_placement {
    const fracas_solid* solid;
    fracas_pose pose;
    double velocity[3], spin[3];
    bool fixed;
    bool unbreakable;
} rigid_placement;
fracas_status rigid_add(rigid_world* world, const rigid_placement* placement);

fracas_status rigid_step(rigid_world* world, rigid_step_info* info);

/// The fragments, and their number.
const fracas_fragments* rigid_fragments(const rigid_world* world);
uint32_t rigid_count(const rigid_world* world);
fracas_fragment rigid_get(const rigid_world* world, uint32_t body, fracas_pose* pose);

bool rigid_is_fixed(const rigid_world* world, uint32_t body);

/// The contacts of the last step, before its fractures. Bodies that broke have no number any more.
size_t rigid_contact_count(const rigid_world* world);
/// @return false if one of the bodies broke
bool rigid_get_contact(const rigid_world* world, size_t i, fracas_fragment_contact* out,
                       uint32_t* a, uint32_t* b);

/// Hold a body at a point of the world, as with a spring; it is released when it breaks. One at a
/// time.
void rigid_grab(rigid_world* world, uint32_t body, const double at[3]);
/// Move the end of the spring. @return false: no body is held
bool rigid_drag(rigid_world* world, const double to[3]);
void rigid_release(rigid_world* world);

/// Push a body: set its velocity.
void rigid_set_velocity(rigid_world* world, uint32_t body, const double velocity[3]);
