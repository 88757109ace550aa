/// @file page_trees.h  Of a report: where the trees of the bodies have each triangle, and which
/// parts are certified.
#pragma once
#include "contacts.h"
#include "frame_mesh.h"
#include "page_bytes.h"

/// A byte for each triangle of the step's topology: the depth of its leaf, at most 31, and from bit
/// 5 a colour of the certified part that has it, 1 to 7, or 0 if no part has it.
typedef struct cli_page_trees {
    cli_bytes packed;  ///< size 0: equal to those of step `same`, or unknown
    uint32_t same;     ///< FRACAS_NONE: unknown
} cli_page_trees;

/// The state while steps are added.
typedef struct cli_page_tree_state {
    cli_bytes now, last;  ///< not packed; `now` is empty if the step has none
    uint32_t last_step, last_topology;
    size_t packed;  ///< bytes of all steps
} cli_page_tree_state;

/// Take the trees of a step from the scene, whose meshes are in `mesh`; `modes` are those of the
/// step.
void cli_page_trees_read(cli_page_tree_state* state, const fracas_scene* scene,
                         const cli_body* bodies, const cli_frame_mesh* mesh, uint32_t modes);
/// The entry of step number `step` with what was read, at most `most` bytes of all steps together.
cli_page_trees cli_page_trees_make(cli_page_tree_state* state, uint32_t step, uint32_t topology,
                                   size_t most);
void cli_page_trees_release(cli_page_tree_state* state);
