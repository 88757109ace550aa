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
    cli_page_frame_free(&page->frame);
    cli_page_meshes_free(&page->meshes);
    cli_page_pairs_free(&page->pairs);
    for (uint32_t s = 0; s < page->step_count; s++) cli_page_contacts_free(&page->steps[s]);
    free(page->steps);
    free(page->infos);
    free(page);
}

// ---- meshes

static uint32_t look_up(const uint32_t* map, uint32_t index) { return map ? map[index] : index; }

// One more than the largest number in the file.
static uint32_t count_of_file(const uint32_t* map, uint32_t numbers) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < numbers; i++) {
        const uint32_t place = look_up(map, i);
        if (place != FRACAS_NONE && place >= count) count = place + 1;
    }
    return count;
}

static void copy_body(cli_page_frame* f, const fracas_scene* scene, const cli_body* body,
                      const fracas_body_info* info) {
    const uint32_t b = f->body_count;
    cli_page_frame_add(f, count_of_file(body->vertices, info->vertex_numbers),
                       count_of_file(body->triangles, info->triangle_numbers));
    const uint32_t first = f->vertex_begins[b];
    for (uint32_t v = 0; v < info->vertex_numbers; v++) {
        const uint32_t place = look_up(body->vertices, v);
        if (place == FRACAS_NONE) continue;
        const uint32_t to = first + place;
        if (fracas_scene_get_vertex(scene, body->handle, v, f->t0[to], f->t1[to]) == FRACAS_OK)
            f->present[to] = 1;
    }
    for (uint32_t t = 0; t < info->triangle_numbers; t++) {
        const uint32_t place = look_up(body->triangles, t);
        uint32_t corners[3];
        if (place == FRACAS_NONE ||
            fracas_scene_get_triangle(scene, body->handle, t, corners) != FRACAS_OK)
            continue;
        uint32_t* to = f->corners[f->triangle_begins[b] + place];
        for (int i = 0; i < 3; i++) to[i] = first + look_up(body->vertices, corners[i]);
    }
}

void cli_page_scene(cli_page* page, const fracas_scene* scene, const cli_body* bodies,
                    uint32_t body_count) {
    cli_page_frame_clear(&page->frame);
    for (uint32_t b = 0; b < body_count; b++) {
        fracas_body_info info = {0};
        if (fracas_scene_get_body(scene, bodies[b].handle, &info) != FRACAS_OK)
            cli_page_frame_add(&page->frame, 0, 0);
        else
            copy_body(&page->frame, scene, &bodies[b], &info);
    }
    page->has_frame = true;
}

// The surface of one volume.
static void copy_volume(cli_page_frame* f, fracas_context* context, const fracas_tet_view* view) {
    uint32_t* triangles = cli_allocate(view->tet_count, 12 * sizeof *triangles);
    uint64_t count = 0;
    if (fracas_tet_find_boundary(context, view, triangles, NULL, &count) != FRACAS_OK) count = 0;
    const uint32_t b = f->body_count;
    cli_page_frame_add(f, view->points.count, (uint32_t)count);
    const uint32_t first = f->vertex_begins[b];
    const double* points = view->points.data;
    for (size_t v = 0; v < view->points.count; v++) {
        for (int i = 0; i < 3; i++)
            f->t0[first + v][i] = f->t1[first + v][i] = points[3 * v + (size_t)i];
        f->present[first + v] = 1;
    }
    for (size_t i = 0; i < 3 * count; i++)
        f->corners[f->triangle_begins[b] + i / 3][i % 3] = first + triangles[i];
    free(triangles);
}

void cli_page_volumes(cli_page* page, fracas_context* context, fracas_mesh_file* const* files,
                      uint32_t file_count) {
    cli_page_frame_clear(&page->frame);
    for (uint32_t i = 0; i < file_count; i++) {
        const fracas_tet_view view = fracas_mesh_file_get_tets(files[i]);
        copy_volume(&page->frame, context, &view);
    }
    page->has_frame = true;
}

// Describe the bodies of a new topology, as `fracas info` does.
static void describe(cli_page* page, fracas_context* context, uint32_t step) {
    enum { MOST = 4096 };
    const cli_page_frame* f = &page->frame;
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

// How many contacts of the next step are written. All steps together get 40 % of the size, and a step
// up to three times its share of what is left.
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

void cli_page_step(cli_page* page, fracas_context* context, const cli_step* step,
                   const cli_contact* contacts, size_t count) {
    const uint32_t number = page->step_count;
    uint32_t topology = FRACAS_NONE;
    if (page->has_frame) {
        // Only what a restart or the first step brings is described: cuts make too many.
        if (number == 0 || step->restart) describe(page, context, number);
        cli_page_meshes_place(&page->meshes, &page->frame);
        topology = cli_page_meshes_add(&page->meshes, &page->frame, number);
    }
    if (page->step_count == page->step_capacity) {
        page->step_capacity = 2 * page->step_capacity + 16;
        page->steps = cli_grow(page->steps, page->step_capacity, sizeof *page->steps);
    }
    if (!page->meshes.placed) page->meshes.scale = 1;
    cli_page_pairs_add(&page->pairs, contacts, count);
    page->steps[page->step_count++] =
        cli_page_contacts_make(&page->meshes, page->has_frame ? &page->frame : NULL, topology,
                               contacts, count, most_contacts(page));
    page->has_frame = false;
}
