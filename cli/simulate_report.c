/// @file simulate_report.c  `fracas scene --report` of bodies that ODE moves.
#include "simulate_report.h"
#include "options.h"
#include <stdlib.h>
#include <string.h>

int cli_simulation_report_open(cli_simulation_report* report, const char* path, double megabytes,
                               uint32_t steps) {
    *report = (cli_simulation_report){0};
    report->steps = cli_allocate(steps, sizeof *report->steps);
    return cli_page_open(&report->page, path, megabytes, steps);
}

// Start the motion of this step where the last one ended, unless bodies broke: then they have other
// numbers and meshes.
static void continue_motion(cli_simulation_report* r, cli_frame_mesh* mesh, uint32_t broken) {
    const size_t begins = (size_t)mesh->body_count + 1;
    const bool same = r->last_begins && !broken && r->last_bodies == mesh->body_count &&
                      memcmp(r->last_begins, mesh->vertex_begins, begins * sizeof(uint32_t)) == 0;
    if (same && mesh->vertex_count)
        memcpy(mesh->t0, r->last, mesh->vertex_count * sizeof *mesh->t0);
    r->last = cli_grow(r->last, (size_t)mesh->vertex_count + 1, sizeof *r->last);
    r->last_begins = cli_grow(r->last_begins, begins, sizeof *r->last_begins);
    if (mesh->vertex_count) memcpy(r->last, mesh->t1, mesh->vertex_count * sizeof *r->last);
    memcpy(r->last_begins, mesh->vertex_begins, begins * sizeof(uint32_t));
    r->last_bodies = mesh->body_count;
}

void cli_simulation_report_step(cli_simulation_report* r, fracas_context* context,
                                const cli_world_look* look, uint32_t broken, double ms) {
    static const char* const nothing[] = {""};
    cli_frame_mesh* mesh = look->mesh;
    cli_step* step = &r->steps[r->count];
    *step = (cli_step){.from = nothing,
                       .to = nothing,
                       .frame = r->count + 1,
                       .moves = true,
                       .earliest_toi = cli_no_impact()};
    step->counts.edits = broken;
    step->counts.vertices = mesh->vertex_count;
    step->counts.triangles = mesh->triangle_count;
    step->counts.contacts[CLI_VT] = look->count;
    step->ms.traverse = step->ms.total = ms;
    for (size_t i = 0; i < look->count; i++)
        cli_pairs_add(&r->pairs, look->contacts[i].body_a, look->contacts[i].body_b, CLI_VT,
                      r->count, step->frame);
    continue_motion(r, mesh, broken);
    cli_page_step(r->page, context, step, mesh, look->contacts, look->count);
    r->count++;
}

int cli_simulation_report_write(cli_simulation_report* r, const char* scene) {
    cli_pairs_sort(&r->pairs);
    const cli_results results = {.steps = r->steps,
                                 .count = r->count,
                                 .pairs = &r->pairs,
                                 .body_count = r->last_bodies,
                                 .mode = "rigid",
                                 .points = true};
    return cli_page_write(r->page, scene, &results);
}

void cli_simulation_report_free(cli_simulation_report* r) {
    cli_page_free(r->page);
    cli_pairs_free(&r->pairs);
    free(r->steps);
    free(r->last);
    free(r->last_begins);
    *r = (cli_simulation_report){0};
}
