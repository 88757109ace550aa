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

/// Add a step with its meshes, whose positions become those of the page, and its contacts, which
/// are sorted.
void cli_page_step(cli_page* page, fracas_context* context, const cli_step* step,
                   cli_frame_mesh* mesh, const cli_contact* contacts, size_t count);

/// Before cli_page_step: take the trees of the bodies of the step from the scene.
void cli_page_take_trees(cli_page* page, const fracas_scene* scene, const cli_body* bodies,
                         const cli_frame_mesh* mesh, uint32_t modes);

/// Write the file, under another name until it is complete. `title` may be NULL.
int cli_page_write(cli_page* page, const char* title, const cli_results* results);
void cli_page_free(cli_page* page);  ///< NULL is allowed
