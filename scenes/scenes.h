/// @file scenes.h  Built-in scenes that move and break: for the command line, benchmarks and tests.
///
/// Scenes are bit-identical on every machine: random numbers are hashes, and sqrt is the only
/// function of libm. A step depends on nothing but the contacts passed to it: contacts of
/// continuous detection are resolved, others are ignored.
#pragma once
#include "fracas/scene.h"

/// Maps element numbers of a body to places within the body in scenes_state; NULL: identity.
typedef struct scenes_body_map {
    const uint32_t *vertices, *triangles;  ///< FRACAS_NONE for removed elements
} scenes_body_map;

/// The current scene as one mesh: the elements of all bodies, one body after the other. Valid until
/// the next step.
typedef struct scenes_state {
    uint32_t body_count;
    const fracas_body* bodies;
    const scenes_body_map* maps;                      ///< one for each body; NULL: all identity
    const uint32_t *vertex_begins, *triangle_begins;  ///< body_count + 1 offsets each
    fracas_mesh_view mesh;
    /// The place of each element in the state before the last step, or -1; NULL before the first
    /// step.
    const int32_t *vertex_parents, *triangle_parents;
    /// Milliseconds of the last step in calls of Fracas (split, merge, move, pose).
    double ms_edits;
    double ms_moves;  ///< part of it in move and pose
} scenes_state;

typedef struct scenes_options {
    uint32_t size;     ///< approximate number of triangles; 0: the default of the scene
    bool pre_cut;      ///< exploding-dragon: all pieces are separate bodies from the first step
    const char* mesh;  ///< exploding-dragon: a file to break instead of the dragon, or NULL
    fracas_context* context;  ///< to read `mesh` with
    /// Receives messages about failures outside of Fracas; may be NULL.
    char* message;
    size_t message_size;
} scenes_options;

typedef struct scenes_scene {
    const char* name;
    const char* description;
    uint32_t frames;  ///< number of steps of the scene at its default size
    uint32_t size;    ///< default number of triangles
    /// Add the bodies to `scene`, which is empty and outlives the run. On any error *out is NULL.
    fracas_status (*create)(fracas_scene* scene, const scenes_options* options, void** out);
    /// Apply the edits and moves of the next step; `found` are the contacts of the step before.
    /// `edits` receives the number of elements listed in the edits. After an error the run can only
    /// be destroyed.
    fracas_status (*step)(void* run, const fracas_contact* found, size_t count, uint64_t* edits);
    scenes_state (*state)(const void* run);
    void (*destroy)(void* run);      ///< NULL is allowed
    bool takes_mesh, takes_pre_cut;  ///< options that the scene supports
    /// Number of steps at another size; NULL: always `frames`.
    uint32_t (*frames_at)(uint32_t size);
} scenes_scene;

double scenes_clock_ms(void);  ///< wall clock

const scenes_scene* const* scenes_list(size_t* count);
const scenes_scene* scenes_find(const char* name);  ///< NULL: no such scene
/// Number of steps of a scene; `options` may be NULL.
uint32_t scenes_frames(const scenes_scene* scene, const scenes_options* options);

extern const scenes_scene scenes_wall;
extern const scenes_scene scenes_cloth_ball;
extern const scenes_scene scenes_n_body;
extern const scenes_scene scenes_breaking_walls;
extern const scenes_scene scenes_exploding_dragon;
extern const scenes_scene scenes_pulling_apart;
extern const scenes_scene scenes_merge;
