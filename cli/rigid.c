/// @file rigid.c  `fracas scene` with rigid bodies that break.
#include "rigid.h"
#include "rigid/rigid_scenes.h"
#include "rigid/summary.h"
#include "rigid_look.h"
#include "simulate.h"
#include <inttypes.h>
#include <stdio.h>

typedef struct rigid {
    cli_simulation simulation;
    const rigid_scene* scene;
    rigid_setup setup;
    rigid_run* run;
    double step;  // seconds
    cli_rigid_look look;
} rigid;

bool cli_rigid_is_scene(const char* name) { return rigid_scenes_find(name) != NULL; }

void cli_rigid_list(void) {
    size_t count;
    const rigid_scene* const* scenes = rigid_scenes_list(&count);
    puts("scenes of rigid bodies:");
    for (size_t i = 0; i < count; i++)
        cli_simulation_list(scenes[i]->name, scenes[i]->description, scenes[i]->steps);
}

// ---- the run

static int create(void* self, fracas_context* context) {
    rigid* r = self;
    char message[512] = "";
    r->setup.message = message;
    r->setup.message_size = sizeof message;
    const rigid_options options = rigid_scene_options(r->scene, context);
    r->step = options.step;
    const fracas_status status = rigid_run_create(r->scene, &options, &r->setup, &r->run);
    if (status == FRACAS_OK) return CLI_DONE;
    return *message ? cli_fail(CLI_BAD_INPUT, "%s", message) : cli_fail_status(context, status);
}

static void destroy(void* self) {
    rigid* r = self;
    cli_rigid_look_release(&r->look);
    rigid_run_destroy(r->run);
}

static fracas_status step(void* self, void* info) {
    const rigid* r = self;
    return rigid_run_step(r->scene, r->run, info);
}

static cli_world_look look(void* self, const void* step, uint32_t* broken, double* ms) {
    rigid* r = self;
    const rigid_step_info* info = step;
    *broken = info->broken;
    *ms = info->ms_detect;
    return cli_rigid_look_take(&r->look, r->run->world);
}

// The surfaces of all fragments.
static fracas_status draw(void* self, cli_triangles* out) {
    const rigid_world* world = ((rigid*)self)->run->world;
    for (uint32_t i = 0; i < rigid_count(world); i++) {
        fracas_pose pose;
        fracas_fragment_surface* surface;
        const fracas_fragment fragment = rigid_get(world, i, &pose);
        const fracas_status status =
            fracas_fragment_surface_create(rigid_fragments(world), fragment, &surface);
        if (status != FRACAS_OK) return status;
        const fracas_mesh_view view = fracas_fragment_surface_get_view(surface);
        cli_triangles_append(out, &view, &pose);
        fracas_fragment_surface_destroy(surface);
    }
    return FRACAS_OK;
}

// ---- output

// One row for several steps: sums of fractures, means and maxima of times.
static void print_row(void* self, const void* all, uint32_t begin, uint32_t end) {
    const rigid_step_info* steps = all;
    uint32_t broken = 0;
    double contacts = 0, inside = 0, mean = 0, most = 0, update = 0;
    for (uint32_t i = begin; i < end; i++) {
        broken += steps[i].broken;
        contacts += (double)steps[i].found.contacts / (end - begin);
        inside += (double)steps[i].found.colliding / (end - begin);
        mean += steps[i].ms_detect / (end - begin);
        most = steps[i].ms_detect > most ? steps[i].ms_detect : most;
        update = steps[i].ms_update > update ? steps[i].ms_update : update;
    }
    const rigid_step_info* last = &steps[end - 1];
    if (begin == 0)
        printf("%6s %8s %7s %7s %9s %9s %10s %10s %10s %10s\n", "step", "time s", "bodies",
               "broken", "contacts", "inside", "detect ms", "most ms", "update ms", "energy");
    printf("%6u %8.2f %7u %7u %9.0f %9.0f %10.2f %10.2f %10.2f %10.4g\n", end,
           end * ((rigid*)self)->step, last->bodies, broken, contacts, inside, mean, most, update,
           last->energy);
}

static void print_summary(void* self, const void* steps, uint32_t count, double* ms) {
    const rigid* r = self;
    const rigid_summary summary = rigid_summarise(steps, count, ms), *s = &summary;
    const double seconds = s->steps * r->step;
    if (r->simulation.json) {
        printf("{\"scene\":\"%s\",\"steps\":%u,\"seconds\":%g,\"bodies\":[%u,%u],\"fractures\":%u,"
               "\"contacts\":{\"mean\":%.1f,\"most\":%" PRIu64 "},\"inside\":{\"mean\":%.1f,"
               "\"most\":%" PRIu64 "},\"detect_ms\":{\"mean\":%.4f,\"median\":%.4f,\"most\":%.4f},"
               "\"update_ms\":%.4f,\"rest\":{\"deepest\":%.6g,\"fastest\":%.6g},"
               "\"energy_growth\":%.6g}\n",
               r->scene->name, s->steps, seconds, s->first_bodies, s->last_bodies, s->broken,
               s->contacts, s->most_contacts, s->colliding, s->most_colliding, s->mean_ms,
               s->median_ms, s->most_ms, s->fracture_most_ms, s->deepest, s->fastest, s->growth);
        return;
    }
    printf("%u bodies became %u in %u fractures, and %s after %.2f s\n", s->first_bodies,
           s->last_bodies, s->broken, s->fastest < 0.05 ? "rest" : "still move", seconds);
    printf("contacts          %.0f a step of %.0f points inside (%.0f %%); at most %" PRIu64 "\n",
           s->contacts, s->colliding, s->colliding > 0 ? 100 * s->contacts / s->colliding : 0,
           s->most_contacts);
    printf("detection         %.2f ms a step, median %.2f, at most %.2f\n", s->mean_ms,
           s->median_ms, s->most_ms);
    printf("fracture          %.2f ms at most\n", s->fracture_most_ms);
    printf("at the end        deepest contact %.3g, fastest body %.3g\n", s->deepest, s->fastest);
    printf("energy            grew by %.2g %% at most in a step without impact\n", 100 * s->growth);
}

// ---- the command

int cli_rigid_scene(int argc, char** argv) {
    rigid r = {
        .simulation = {.step_size = sizeof(rigid_step_info),
                       .create = create,
                       .step = step,
                       .draw = draw,
                       .look = look,
                       .print_row = print_row,
                       .print_summary = print_summary,
                       .destroy = destroy}
    };
    cli_option options[CLI_SIMULATION_OPTIONS + 1] = {
        {"mesh", CLI_TEXT, "FILE", &r.setup.mesh, "bunnies: drop this closed mesh instead"}
    };
    cli_simulation_options(&r.simulation, options + 1);
    const cli_command command = {
        "scene",
        "NAME [options]",
        "Runs a scene of rigid bodies that break.",
        options,
        sizeof options / sizeof *options,
        "A fragment is deeper inside another, or reported, as docs/fragment.md says. A body breaks "
        "into\nVoronoi cells around an impact; ODE moves the bodies, so results differ between "
        "machines."};
    const int code = cli_simulation_parse(&command, argc, argv);
    if (code != CLI_GO_ON) return code;
    r.scene = rigid_scenes_find(argv[0]);
    if (r.setup.mesh && !r.scene->takes_mesh)
        return cli_fail(CLI_BAD_USAGE, "scene '%s' takes no --mesh", argv[0]);
    r.simulation.self = &r;
    r.simulation.scene = r.scene->name;
    r.simulation.default_frames = r.scene->steps;
    return cli_simulate(&r.simulation);
}
