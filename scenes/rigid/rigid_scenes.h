/// @file rigid_scenes.h  Scenes of rigid bodies that break, with the sizes of Glondu et al.
#pragma once
#include "rigid/world.h"

typedef struct rigid_setup {
    const char* mesh;  ///< a closed surface instead of the bunny, or NULL
    uint32_t cells;    ///< of the longest side of a tetrahedralized model; 0: the default
    char* message;     ///< receives messages about failures outside of Fracas; may be NULL
    size_t message_size;
} rigid_setup;

/// A world and the solids in it.
typedef struct rigid_run {
    rigid_world* world;
    fracas_solid* solids[6];
    uint32_t solid_count;
    const fracas_solid* ball;  ///< of rigid_drop_ball; NULL before
    uint64_t step;
} rigid_run;

typedef struct rigid_scene {
    const char *name, *description;
    uint32_t steps;
    bool takes_mesh;
    /// Change the defaults.
    void (*configure)(rigid_options* options);
    /// Add the solids and bodies.
    fracas_status (*fill)(rigid_run* run, fracas_context* context, const rigid_setup* setup);
    /// Called before each step, to push bodies; may be NULL.
    void (*control)(rigid_run* run);
} rigid_scene;

const rigid_scene* const* rigid_scenes_list(size_t* count);
const rigid_scene* rigid_scenes_find(const char* name);  ///< NULL: no such scene

/// Options of the scene; change them, if at all, before rigid_run_create.
rigid_options rigid_scene_options(const rigid_scene* scene, fracas_context* context);
/// On any error *out is NULL.
fracas_status rigid_run_create(const rigid_scene* scene, const rigid_options* options,
                               const rigid_setup* setup, rigid_run** out);
fracas_status rigid_run_step(const rigid_scene* scene, rigid_run* run, rigid_step_info* info);
/// Add an unbreakable ball of 0.1 m across at a point, that flies down. On any error nothing is
/// added.
fracas_status rigid_drop_ball(rigid_run* run, fracas_context* context, const double at[3]);
void rigid_run_destroy(rigid_run* run);  ///< NULL is allowed

extern const rigid_scene rigid_bricks;
extern const rigid_scene rigid_plates;
extern const rigid_scene rigid_piggy_bank;
extern const rigid_scene rigid_drop_bunnies;
extern const rigid_scene rigid_interactive_bunnies;
extern const rigid_scene rigid_rolling_plate;
