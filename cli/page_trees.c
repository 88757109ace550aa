/// @file page_trees.c  Of a report: where the trees of the bodies have each triangle, and which
/// parts are certified.
#include "page_trees.h"
#include "fracas/triangle_marks.h"
#include "options.h"
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 31, COLORS = 7 };

static uint8_t code_of(const fracas_triangle_mark* mark, uint32_t body) {
    const uint32_t depth = mark->depth < DEEPEST ? mark->depth : DEEPEST;
    // Numbers of neighbours often differ by few, and bodies have the same: mix before the
    // remainder.
    const uint32_t mixed = (mark->region + 40503u * body) * 2654435761u >> 8;
    const uint32_t color = mark->region ? 1 + mixed % COLORS : 0;
    return (uint8_t)(depth | color << 5);
}

// False: the scene does not know the body, or has no trees of this mode.
static bool read_body(const fracas_scene* scene, const cli_body* body, uint32_t number,
                      uint32_t mode, uint8_t* codes, uint32_t count) {
    fracas_body_info info = {0};
    if (fracas_scene_get_body(scene, body->handle, &info) != FRACAS_OK) return false;
    fracas_triangle_mark* marks = cli_allocate(info.triangle_numbers, sizeof *marks);
    const bool known = fracas_scene_get_triangle_marks(scene, body->handle, mode, marks,
                                                       info.triangle_numbers) == FRACAS_OK;
    for (uint32_t t = 0; known && t < info.triangle_numbers; t++) {
        const uint32_t place = body->triangles ? body->triangles[t] : t;
        if (place < count) codes[place] = code_of(&marks[t], number);
    }
    free(marks);
    return known;
}

void cli_page_trees_read(cli_page_tree_state* state, const fracas_scene* scene,
                         const cli_body* bodies, const cli_frame_mesh* mesh, uint32_t modes) {
    const uint32_t mode =
        modes & FRACAS_MODE_CONTINUOUS ? FRACAS_MODE_CONTINUOUS : FRACAS_MODE_DISCRETE;
    state->now.size = 0;
    uint8_t* codes = cli_bytes_extend(&state->now, mesh->triangle_count);
    if (mesh->triangle_count) memset(codes, 0, mesh->triangle_count);
    bool known = mesh->triangle_count > 0;
    for (uint32_t b = 0; b < mesh->body_count && known; b++) {
        const uint32_t begin = mesh->triangle_begins[b], end = mesh->triangle_begins[b + 1];
        if (end > begin) known = read_body(scene, &bodies[b], b, mode, codes + begin, end - begin);
    }
    if (!known) state->now.size = 0;
}

cli_page_trees cli_page_trees_make(cli_page_tree_state* state, uint32_t step, uint32_t topology,
                                   size_t most) {
    cli_page_trees out = {.same = FRACAS_NONE};
    if (state->now.size == 0 || topology == FRACAS_NONE || state->packed > most) return out;
    const bool same = state->last.size == state->now.size && state->last_topology == topology &&
                      memcmp(state->last.data, state->now.data, state->now.size) == 0;
    if (same) {
        out.same = state->last_step;
    } else {
        out.packed = cli_bytes_pack(&state->now);
        state->packed += out.packed.size;
        state->last_step = step;
        state->last_topology = topology;
        const cli_bytes swap = state->last;
        state->last = state->now;
        state->now = swap;
    }
    state->now.size = 0;
    return out;
}

void cli_page_trees_release(cli_page_tree_state* state) {
    cli_bytes_free(&state->now);
    cli_bytes_free(&state->last);
}
