/// @file page.c  Record the steps of a report.
#include "options.h"
#include "page_private.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_page_is_built(void) { return cli_page_begin_size > 0; }

int cli_page_open(cli_page** out, const char* path, double megabytes, uint32_t step_count) {
    *out = cli_allocate(1, sizeof **out);
    (*out)->path = path;
    (*out)->megabytes = megabytes;
    (*out)->planned_steps = step_count ? step_count : 1;
    // Positions take about half of their memory when they are compressed.
    (*out)->meshes.most_bytes = (size_t)(megabytes * 8e6);
    char* name = cli_page_unfinished(path);
    FILE* file = fopen(name, "wb");
    int code = CLI_DONE;
    if (!file || fclose(file) != 0)
        code = cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
    if (file) remove(name);
    free(name);
    return code;
}

void cli_page_free(cli_page* page) {
    if (!page) return;
    cli_page_meshes_free(&page->meshes);
    for (uint32_t s = 0; s < page->step_count; s++) {
        cli_page_contacts_free(&page->steps[s]);
        cli_bytes_free(&page->trees[s].packed);
    }
    cli_page_trees_release(&page->tree_state);
    free(page->steps);
    free(page->trees);
    free(page->infos);
    free(page);
}

// ---- meshes

// Describe the bodies of a new topology, as `fracas info` does.
static void describe(cli_page* page, fracas_context* context, const cli_frame_mesh* f,
                     uint32_t step) {
    enum { MOST = 4096 };
    for (uint32_t b = 0; b < f->body_count && page->info_count < MOST; b++) {
        const uint32_t first = f->vertex_begins[b], begin = f->triangle_begins[b];
        const uint32_t count = f->triangle_begins[b + 1] - begin;
        uint32_t* corners = cli_allocate(count, 3 * sizeof *corners);
        for (size_t i = 0; i < 3 * (size_t)count; i++)
            corners[i] = f->corners[begin + i / 3][i % 3] - first;
        const fracas_mesh_view view = {
            .points = {.data = f->t1 + first, .count = f->vertex_begins[b + 1] - first},
            .triangles = corners,
            .triangle_count = count
        };
        cli_page_mesh_info about = {.step = step, .body = b};
        if (fracas_mesh_describe(context, &view, &about.mesh) == FRACAS_OK) {
            page->infos = cli_grow(page->infos, (size_t)page->info_count + 1, sizeof *page->infos);
            page->infos[page->info_count++] = about;
        }
        free(corners);
    }
}

// ---- steps

// How many contacts of the next step are written. All steps together get 40 % of the size, and a
// step up to three times its share of what is left.
static size_t most_contacts(const cli_page* page) {
    uint64_t contacts = 0, bytes = 0;
    for (uint32_t s = 0; s < page->step_count; s++) {
        contacts += page->steps[s].written;
        bytes += cli_bytes_text_size(&page->steps[s].features);
    }
    const double size_of_one = contacts > 1000 ? (double)bytes / (double)contacts : 60;
    const double left = 0.4e6 * page->megabytes - (double)bytes;
    const uint32_t done = page->step_count, planned = page->planned_steps;
    const double steps_left = planned > done ? planned - done : 1;
    const double most = left * (steps_left > 3 ? 3 / steps_left : 1) / size_of_one;
    return most < 16 ? 16 : (size_t)most;
}

void cli_page_take_trees(cli_page* page, const fracas_scene* scene, const cli_body* bodies,
                         const cli_frame_mesh* mesh, uint32_t modes) {
    cli_page_trees_read(&page->tree_state, scene, bodies, mesh, modes);
}

void cli_page_step(cli_page* page, fracas_context* context, const cli_step* step,
                   cli_frame_mesh* mesh, const cli_contact* contacts, size_t count) {
    const uint32_t number = page->step_count;
    // Only what a restart or the first step brings is described: cuts make too many.
    if (number == 0 || step->restart) describe(page, context, mesh, number);
    cli_page_meshes_place(&page->meshes, mesh);
    const uint32_t topology = cli_page_meshes_add(&page->meshes, mesh, number);
    if (page->step_count == page->step_capacity) {
        page->step_capacity = 2 * page->step_capacity + 16;
        page->steps = cli_grow(page->steps, page->step_capacity, sizeof *page->steps);
        page->trees = cli_grow(page->trees, page->step_capacity, sizeof *page->trees);
    }
    if (!page->meshes.placed) page->meshes.scale = 1;
    const cli_page_contacts made =
        cli_page_contacts_make(&page->meshes, mesh, topology, contacts, count, most_contacts(page));
    const size_t most_trees = (size_t)(0.1e6 * page->megabytes);
    page->trees[page->step_count] =
        cli_page_trees_make(&page->tree_state, number, made.topology, most_trees);
    page->steps[page->step_count++] = made;
}
