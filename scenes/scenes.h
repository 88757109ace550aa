/// @file scenes.h  Built-in scenes that move and break: for the command line, benchmarks and tests.
///
/// Scenes repeat bit by bit on every machine: no random numbers but hashes, no libm but sqrt.
#pragma once
#include "fracas/scene.h"

/// Everything that is in the scene now, as one mesh: the bodies' elements, one body behind the
/// other. Valid until the next step.
typedef struct scenes_state {
    uint32_t body_count;
    const fracas_body* bodies;
    const uint32_t *vertex_begins, *triangle_begins;  ///< body_count + 1 each: where bodies begin
    fracas_mesh_view mesh;
    /// What each element was before the latest step, or -1; NULL before the first step.
    const int32_t *vertex_parents, *triangle_parents;
} scenes_state;

typedef struct scenes_options {
    uint32_t size;  ///< about how many triangles; 0: what suits the scene
} scenes_options;

typedef struct scenes_scene {
    const char* name;
    const char* description;
    uint32_t frames;  ///< steps after which the story is told
    /// Put the bodies into `scene`, which is empty and outlives the run. On any error *out is NULL.
    fracas_status (*create)(fracas_scene* scene, const scenes_options* options, void** out);
    /// Apply the edits and moves of the next step; `found` are the contacts of the step before.
    /// `edits` receives the number of elements that the edits listed.
    fracas_status (*step)(void* run, const fracas_contact* found, size_t count, uint64_t* edits);
    scenes_state (*state)(const void* run);
    void (*destroy)(void* run);  ///< NULL is allowed
} scenes_scene;

const scenes_scene* const* scenes_list(size_t* count);
const scenes_scene* scenes_find(const char* name);  ///< NULL when there is none

extern const scenes_scene scenes_wall;
