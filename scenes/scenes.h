/// @file scenes.h  Built-in scenes that move and break: for the command line, benchmarks and tests.
///
/// Scenes repeat bit by bit on every machine: no random numbers but hashes, no libm but sqrt. What
/// happens depends on the contacts that are handed to a step, and on nothing else: those of
/// continuous detection are resolved, others are passed over.
#pragma once
#include "fracas/scene.h"

/// How the numbers of a body translate into places within it in scenes_state; NULL: the same.
typedef struct scenes_body_map {
    const uint32_t *vertices, *triangles;  ///< FRACAS_NONE for what is gone
} scenes_body_map;

/// Everything that is in the scene now, as one mesh: the bodies' elements, one body behind the
/// other. Valid until the next step.
typedef struct scenes_state {
    uint32_t body_count;
    const fracas_body* bodies;
    const scenes_body_map* maps;  ///< one for each body; NULL: all numbers are places
    const uint32_t *vertex_begins, *triangle_begins;  ///< body_count + 1 each: where bodies begin
    fracas_mesh_view mesh;
    /// What each element was before the latest step, or -1; NULL before the first step.
    const int32_t *vertex_parents, *triangle_parents;
    /// What the latest step spent in calls of Fracas (split, merge, move, pose), in milliseconds;
    /// the rest of its time is the scene's own.
    double ms_edits;
    double ms_moves;  ///< of that, in move and pose
} scenes_state;

typedef struct scenes_options {
    uint32_t size;  ///< about how many triangles; 0: what suits the scene
    bool pre_cut;   ///< exploding-dragon: all cracks are there from the first step, held together
    const char* mesh;         ///< exploding-dragon: a file to break instead of the dragon, or NULL
    fracas_context* context;  ///< to read `mesh` with
    /// Where a failure is explained that the context knows nothing of; may be NULL.
    char* message;
    size_t message_size;
} scenes_options;

typedef struct scenes_scene {
    const char* name;
    const char* description;
    uint32_t frames;  ///< steps after which the story is told, at the size that suits it
    uint32_t size;    ///< that size
    /// Put the bodies into `scene`, which is empty and outlives the run. On any error *out is NULL.
    fracas_status (*create)(fracas_scene* scene, const scenes_options* options, void** out);
    /// Apply the edits and moves of the next step; `found` are the contacts of the step before.
    /// `edits` receives the number of elements that the edits listed. After an error the run can
    /// only be destroyed.
    fracas_status (*step)(void* run, const fracas_contact* found, size_t count, uint64_t* edits);
    scenes_state (*state)(const void* run);
    void (*destroy)(void* run);      ///< NULL is allowed
    bool takes_mesh, takes_pre_cut;  ///< which options mean something
    /// How long the story is at another size; NULL: as long as ever.
    uint32_t (*frames_at)(uint32_t size);
} scenes_scene;

double scenes_clock_ms(void);  ///< wall clock, from some time on

const scenes_scene* const* scenes_list(size_t* count);
const scenes_scene* scenes_find(const char* name);  ///< NULL when there is none
/// Steps after which the story is told; `options` may be NULL.
uint32_t scenes_frames(const scenes_scene* scene, const scenes_options* options);

extern const scenes_scene scenes_wall;
extern const scenes_scene scenes_cloth_ball;
extern const scenes_scene scenes_n_body;
extern const scenes_scene scenes_breaking_walls;
extern const scenes_scene scenes_exploding_dragon;
extern const scenes_scene scenes_pulling_apart;
extern const scenes_scene scenes_merge;
