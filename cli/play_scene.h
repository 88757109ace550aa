/// @file play_scene.h  What `fracas play` can run: scenes of meshes, and of rigid bodies. All
/// functions are called on one thread.
#pragma once
#include "frame_mesh.h"
#include "play_message.h"
#include "settings.h"

/// What a page may change; a change restarts the scene.
typedef struct cli_play_settings {
    uint32_t threads;  ///< 0: one per core
    uint32_t size;     ///< about how many triangles; 0: the default of the scene
    int cull;          ///< as listed in the option
    const char* mesh;  ///< or NULL
} cli_play_settings;

/// The scene after a step, valid until the next one.
typedef struct cli_play_look {
    cli_frame_mesh* mesh;
    const cli_contact* contacts;  ///< sorted
    size_t count;
    uint32_t bodies, broken;  ///< broken: bodies that broke so far, or elements in edits
    double ms_step, ms_detect;
} cli_play_look;

typedef struct cli_play_kind {
    bool has_cull, has_size, has_touch;  ///< touch: bodies can be dragged and dropped
    bool z_up;
    /// Set `*out` and print and copy a message if it fails. @return an exit code
    int (*create)(const char* name, const cli_play_settings* settings, void** out,
                  char message[CLI_PLAY_MESSAGE]);
    void (*destroy)(void* scene);  ///< NULL is allowed
    int (*step)(void* scene, char message[CLI_PLAY_MESSAGE]);
    void (*look)(void* scene, cli_play_look* out);
    uint32_t (*steps)(const void* scene);   ///< after which the scene ends; 0: never
    double (*interval)(const void* scene);  ///< seconds from step to step
    bool (*is_fixed)(const void* scene, uint32_t body);
    /// Points of the world. They return NULL, or why not.
    const char* (*grab)(void* scene, uint32_t body, const double at[3]);
    const char* (*drag)(void* scene, const double to[3]);
    void (*release)(void* scene);
    const char* (*drop)(void* scene, const double at[3]);
    const char* (*describe)(const char* name);  ///< NULL: not of this kind
    bool (*takes_mesh)(const char* name);
} cli_play_kind;

extern const cli_play_kind cli_play_meshes;
// NULL: built without ODE.
extern const cli_play_kind* const cli_play_rigid;
extern const cli_play_kind* const cli_play_medial;
