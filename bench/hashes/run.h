/// @file run.h  A scene of `fracas bench hashes`: the results of all its queries go into one hash.
#pragma once
#include "fracas/cuda.h"
#include "fracas/fracas.h"
#include "generate.h"

typedef struct hash_run {
    fracas_context* context;
    fracas_contacts* contacts;
    fracas_cuda_context* cuda;  ///< NULL: scenes are on the CPU
    uint64_t hash, contact_count;
} hash_run;

typedef struct hash_scene {
    const char* name;
    void (*run)(hash_run* run);
    bool cpu_only;
} hash_scene;

enum { HASH_SCENE_COUNT = 16 };
extern const hash_scene hash_scenes[HASH_SCENE_COUNT];

/// Run one scene with `threads` workers, on a device if one is named. Exits with a message when a
/// call fails.
void hash_scene_run(const hash_scene* scene, uint32_t threads, const char* device, hash_run* out);

// ---- for the scenes

void hash_must(hash_run* run, fracas_status status, const char* what);
fracas_scene* hash_begin(hash_run* run, uint32_t modes);

/// Add a body with a copy of `mesh`.
fracas_body hash_add(hash_run* run, fracas_scene* scene, const bench_mesh* mesh,
                     fracas_motion motion);

/// Set the positions of a body's `count` vertices at the end of the step.
void hash_move(hash_run* run, fracas_scene* scene, fracas_body body, const double* points,
               uint32_t count);

void hash_mix(hash_run* run, uint64_t word);
void hash_mix_double(hash_run* run, double value);

/// Update the scene, run the query, and hash all results that must not depend on the machine.
void hash_detect(hash_run* run, fracas_scene* scene, const fracas_query* query);
void hash_nearby(hash_run* run, fracas_scene* scene, double distance);
void hash_max_step(hash_run* run, fracas_scene* scene, const fracas_query* query);

fracas_query hash_query(uint32_t modes);

// Defined in hashes/meshes.c, breaking.c, edge_cases.c, queries.c and volumes.c.
void hash_crumpled_sheet(hash_run* run);
void hash_crumpled_sheet_median(hash_run* run);
void hash_sheet_on_ball(hash_run* run);
void hash_rigid_balls(hash_run* run);
void hash_groups(hash_run* run);
void hash_breaking(hash_run* run);
void hash_merging(hash_run* run);
void hash_free_elements(hash_run* run);
void hash_degenerate(hash_run* run);
void hash_tiny(hash_run* run);
void hash_huge(hash_run* run);
void hash_min_separation(hash_run* run);
void hash_nearby_pairs(hash_run* run);
void hash_first(hash_run* run);
void hash_max_steps(hash_run* run);
void hash_volumes(hash_run* run);
