/// @file page.h  A report: one HTML file with the results of all steps, the meshes and a player.
#pragma once
#include "fracas/io.h"
#include "page_contacts.h"
#include "report.h"

typedef struct cli_page cli_page;

/// What has been found in the mesh of a body, as `fracas info` does.
typedef struct cli_page_mesh_info {
    uint32_t step, body;
    fracas_mesh_info mesh;
} cli_page_mesh_info;

bool cli_page_is_built(void);  ///< false: the program was built without Node

/// Check that `path` can be written. `megabytes` is the largest size. All functions that return an
/// exit code have printed the message of a failure.
int cli_page_open(cli_page** out, const char* path, double megabytes, uint32_t step_count);

/// The meshes of the next step.
void cli_page_scene(cli_page* page, const fracas_scene* scene, const cli_body* bodies,
                    uint32_t body_count);

/// The same for volumes: their surfaces.
void cli_page_volumes(cli_page* page, fracas_context* context, fracas_mesh_file* const* files,
                      uint32_t file_count);

/// Add a step with its contacts, which are sorted, after its meshes.
void cli_page_step(cli_page* page, fracas_context* context, const cli_step* step,
                   const cli_contact* contacts, size_t count);

/// Write the file, under another name until it is complete. `title` may be NULL.
int cli_page_write(cli_page* page, const char* title, const char* mode, const cli_step* steps,
                   uint32_t step_count);
void cli_page_free(cli_page* page);  ///< NULL is allowed
