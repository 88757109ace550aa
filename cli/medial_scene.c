/// @file medial_scene.c  `fracas scene` with rigid bodies of spheres, cones and slabs.
#include "medial_scene.h"
#include "medial/medial_scenes.h"
#include "medial_triangles.h"
#include "rigid_look.h"
#include "simulate.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct medial {
    cli_simulation simulation;
    const medial_scene* scene;
    medial_setup setup;
    int broad;
    medial_world* world;
    cli_medial_look look;
} medial;

bool cli_medial_is_scene(const char* name) { return medial_scenes_find(name) != NULL; }

void cli_medial_list(void) {
    size_t count;
    const medial_scene* const* scenes = medial_scenes_list(&count);
    puts("scenes of rigid bodies of spheres, cones and slabs:");
    for (size_t i = 0; i < count; i++)
        cli_simulation_list(scenes[i]->name, scenes[i]->description, scenes[i]->steps);
}

// ---- the run

static int create(void* self, fracas_context* context) {
    medial* m = self;
    medial_options options = medial_default_options();
    options.context = context;
    options.step = m->scene->step;
    options.query.broad_phase = (fracas_medial_broad_phase)m->broad;
    const fracas_status status = medial_scene_create(m->scene, &options, &m->setup, &m->world);
    return status == FRACAS_OK ? CLI_DONE : cli_fail_status(context, status);
}

static void destroy(void* self) {
    medial* m = self;
    cli_medial_look_release(&m->look);
    medial_destroy(m->world);
}

static fracas_status step(void* self, void* info) {
    return medial_step(((medial*)self)->world, info);
}

static cli_world_look look(void* self, const void* step, uint32_t* broken, double* ms) {
    medial* m = self;
    *broken = 0;
    *ms = ((const medial_step_info*)step)->ms_detect;
    return cli_medial_look_take(&m->look, m->world);
}

static fracas_status draw(void* self, cli_triangles* out) {
    enum { SIDES = 12 };
    const medial_world* world = ((medial*)self)->world;
    for (uint32_t i = 0; i < medial_body_count(world); i++) {
        cli_triangles own = {0};
        fracas_pose pose;
        const fracas_medial_view view = medial_get(world, i, &pose);
        cli_medial_triangles(&view, SIDES, &own);
        const fracas_mesh_view mesh = cli_triangles_view(&own);
        cli_triangles_append(out, &mesh, &pose);
        cli_triangles_free(&own);
    }
    return FRACAS_OK;
}

// ---- output

static void print_row(void* self, const void* all, uint32_t begin, uint32_t end) {
    const medial_step_info* steps = all;
    double contacts = 0, tests = 0, mean = 0, most = 0, deepest = 0;
    for (uint32_t i = begin; i < end; i++) {
        contacts += (double)steps[i].found.contacts / (end - begin);
        tests += (double)steps[i].found.primitive_tests / (end - begin);
        mean += steps[i].ms_detect / (end - begin);
        most = fmax(most, steps[i].ms_detect);
        deepest = fmax(deepest, steps[i].deepest);
    }
    if (begin == 0)
        printf("%6s %8s %9s %9s %10s %10s %10s %10s %10s\n", "step", "time s", "contacts", "tests",
               "detect ms", "most ms", "deepest", "fastest", "energy");
    printf("%6u %8.2f %9.0f %9.0f %10.2f %10.2f %10.2g %10.3g %10.4g\n", end,
           end * ((medial*)self)->scene->step, contacts, tests, mean, most, deepest,
           steps[end - 1].fastest, steps[end - 1].energy);
}

typedef struct summary {
    double contacts, tests, pairs, mean, median, most, deepest, fastest, growth;
} summary;

static int by_size(const void* x, const void* y) {
    const double a = *(const double*)x, b = *(const double*)y;
    return (a > b) - (a < b);
}

static summary summarise(const medial_step_info* steps, uint32_t count, double* ms) {
    summary s = {0};
    for (uint32_t i = 0; i < count; i++) {
        ms[i] = steps[i].ms_detect;
        s.contacts += (double)steps[i].found.contacts / count;
        s.tests += (double)steps[i].found.primitive_tests / count;
        s.pairs += (double)steps[i].found.primitive_pairs / count;
        s.mean += steps[i].ms_detect / count;
        if (i >= count - (count + 9) / 10) s.deepest = fmax(s.deepest, steps[i].deepest);
        if (i > 0) s.growth = fmax(s.growth, steps[i].energy / steps[0].energy - 1);
    }
    s.fastest = steps[count - 1].fastest;
    qsort(ms, count, sizeof *ms, by_size);
    s.median = ms[count / 2];
    s.most = ms[count - 1];
    return s;
}

static void print_summary(void* self, const void* steps, uint32_t count, double* ms) {
    const medial* m = self;
    const summary all = summarise(steps, count, ms), *s = &all;
    const double seconds = count * m->scene->step;
    const uint32_t bodies = medial_count(m->world);
    if (m->simulation.json) {
        printf("{\"scene\":\"%s\",\"steps\":%u,\"seconds\":%g,\"bodies\":%u,\"contacts\":%.1f,"
               "\"primitive_pairs\":%.0f,\"primitive_tests\":%.0f,"
               "\"detect_ms\":{\"mean\":%.4f,\"median\":%.4f,\"most\":%.4f},"
               "\"rest\":{\"deepest\":%.6g,\"fastest\":%.6g},\"energy_growth\":%.6g}\n",
               m->scene->name, count, seconds, bodies, s->contacts, s->pairs, s->tests, s->mean,
               s->median, s->most, s->deepest, s->fastest, s->growth);
        return;
    }
    printf("%u bodies, %.2f s; the fastest moves at %.2g m/s at the end\n", bodies, seconds,
           s->fastest);
    printf("contacts          %.0f a step, of %.0f primitive pairs tested in time, of %.0f\n",
           s->contacts, s->tests, s->pairs);
    printf("detection         %.2f ms a step, median %.2f, at most %.2f\n", s->mean, s->median,
           s->most);
    printf("at the end        deepest contact %.2g m\n", s->deepest);
    printf("energy            at most %.3g %% more than at the start\n", 100 * s->growth);
}

// ---- the command

int cli_medial_scene(int argc, char** argv) {
    medial m = {
        .simulation = {.step_size = sizeof(medial_step_info),
                       .create = create,
                       .step = step,
                       .draw = draw,
                       .look = look,
                       .print_row = print_row,
                       .print_summary = print_summary,
                       .destroy = destroy}
    };
    cli_option options[CLI_SIMULATION_OPTIONS + 3] = {
        {"mesh",  CLI_TEXT,   "FILE",             &m.setup.mesh,
         "a medial mesh (.ma, .mat) or a closed surface in place of the deer"                       },
        {"speed", CLI_NUMBER, "V",                &m.setup.speed, "fast-flyer: in m/s (default 100)"},
        {"broad", CLI_CHOICE, "sweep|cones|none", &m.broad,
         "how pairs of bodies are found; same contacts (default sweep)"                             }
    };
    cli_simulation_options(&m.simulation, options + 3);
    const cli_command command = {
        "scene",
        "NAME [options]",
        "Runs a scene of rigid bodies of spheres, cones and slabs.",
        options,
        sizeof options / sizeof *options,
        "Contacts are found for the whole motion of a step (docs/medial.md). ODE moves the bodies, "
        "so\nresults differ between machines."};
    const int code = cli_simulation_parse(&command, argc, argv);
    if (code != CLI_GO_ON) return code;
    if (!(m.setup.speed >= 0 && m.setup.speed <= 1e4))
        return cli_fail(CLI_BAD_USAGE, "--speed is %g; it takes 0 to 10000", m.setup.speed);
    m.scene = medial_scenes_find(argv[0]);
    m.simulation.self = &m;
    m.simulation.scene = m.scene->name;
    m.simulation.default_frames = m.scene->steps;
    return cli_simulate(&m.simulation);
}
