/// @file medial_scene.c  `fracas scene` with rigid bodies of spheres, cones and slabs.
#include "medial_scene.h"
#include "fracas/fracas.h"
#include "medial/medial_scenes.h"
#include "options.h"
#include "progress.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20 };

typedef struct arguments {
    const medial_scene* scene;
    medial_setup setup;
    uint32_t frames, threads;
    int broad;
    bool json, quiet;
} arguments;

bool cli_medial_is_scene(const char* name) { return medial_scenes_find(name) != NULL; }

void cli_medial_list(void) {
    size_t count;
    const medial_scene* const* scenes = medial_scenes_list(&count);
    puts("scenes of rigid bodies of spheres, cones and slabs:");
    for (size_t i = 0; i < count; i++)
        printf("  %-19s  %s (%u steps)\n", scenes[i]->name, scenes[i]->description,
               scenes[i]->steps);
}

// ---- output

static void print_row(const arguments* a, const medial_step_info* steps, uint32_t begin,
                      uint32_t end) {
    double contacts = 0, tests = 0, mean = 0, most = 0, deepest = 0;
    for (uint32_t i = begin; i < end; i++) {
        contacts += (double)steps[i].found.contacts / (end - begin);
        tests += (double)steps[i].found.primitive_tests / (end - begin);
        mean += steps[i].ms_detect / (end - begin);
        most = fmax(most, steps[i].ms_detect);
        deepest = fmax(deepest, steps[i].deepest);
    }
    if (a->json || a->quiet) return;
    if (begin == 0)
        printf("%6s %8s %9s %9s %10s %10s %10s %10s %10s\n", "step", "time s", "contacts", "tests",
               "detect ms", "most ms", "deepest", "fastest", "energy");
    printf("%6u %8.2f %9.0f %9.0f %10.2f %10.2f %10.2g %10.3g %10.4g\n", end, end * a->scene->step,
           contacts, tests, mean, most, deepest, steps[end - 1].fastest, steps[end - 1].energy);
    fflush(stdout);
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

static void print_summary(const arguments* a, const summary* s, uint32_t bodies) {
    if (a->json) {
        printf("{\"scene\":\"%s\",\"steps\":%u,\"seconds\":%g,\"bodies\":%u,\"contacts\":%.1f,"
               "\"primitive_pairs\":%.0f,\"primitive_tests\":%.0f,"
               "\"detect_ms\":{\"mean\":%.4f,\"median\":%.4f,\"most\":%.4f},"
               "\"rest\":{\"deepest\":%.6g,\"fastest\":%.6g},\"energy_growth\":%.6g}\n",
               a->scene->name, a->frames, a->frames * a->scene->step, bodies, s->contacts, s->pairs,
               s->tests, s->mean, s->median, s->most, s->deepest, s->fastest, s->growth);
        return;
    }
    if (!a->quiet) putchar('\n');
    printf("%u bodies, %.2f s; the fastest moves at %.2g m/s at the end\n", bodies,
           a->frames * a->scene->step, s->fastest);
    printf("contacts          %.0f a step, of %.0f primitive pairs tested in time, of %.0f\n",
           s->contacts, s->tests, s->pairs);
    printf("detection         %.2f ms a step, median %.2f, at most %.2f\n", s->mean, s->median,
           s->most);
    printf("at the end        deepest contact %.2g m\n", s->deepest);
    printf("energy            at most %.3g %% more than at the start\n", 100 * s->growth);
}

// ---- the run

static int run_steps(const arguments* a, fracas_context* context, medial_world* world) {
    medial_step_info* steps = cli_allocate(a->frames, sizeof *steps);
    double* ms = cli_allocate(a->frames, sizeof *ms);
    const uint32_t interval = (a->frames + ROWS - 1) / ROWS;
    cli_progress progress;
    cli_progress_start(&progress, a->quiet, a->frames);
    int code = CLI_DONE;
    for (uint32_t i = 0; i < a->frames && code == CLI_DONE; i++) {
        const fracas_status status = medial_step(world, &steps[i]);
        if (status != FRACAS_OK) code = cli_fail_status(context, status);
        if (code == CLI_DONE && cli_interrupted()) code = cli_fail(CLI_CANCELLED, "cancelled");
        progress.step = i;
        cli_progress_report(1, &progress);
        if (code != CLI_DONE || ((i + 1) % interval != 0 && i + 1 != a->frames)) continue;
        cli_progress_clear(&progress);
        print_row(a, steps, i / interval * interval, i + 1);
    }
    cli_progress_clear(&progress);
    if (code == CLI_DONE) {
        const summary s = summarise(steps, a->frames, ms);
        print_summary(a, &s, medial_count(world));
    }
    free(steps);
    free(ms);
    return code;
}

static int run_scene(const arguments* a) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = a->threads;
    fracas_context* context;
    fracas_status status = fracas_context_create(&options, &context);
    if (status != FRACAS_OK) return cli_fail_start(status);
    cli_interrupt_watch(context);
    medial_options world_options = medial_default_options();
    world_options.context = context;
    world_options.step = a->scene->step;
    world_options.query.broad_phase = (fracas_medial_broad_phase)a->broad;
    medial_world* world;
    status = medial_scene_create(a->scene, &world_options, &a->setup, &world);
    const int code =
        status == FRACAS_OK ? run_steps(a, context, world) : cli_fail_status(context, status);
    medial_destroy(world);
    cli_interrupt_watch(NULL);
    fracas_context_destroy(context);
    return code;
}

int cli_medial_scene(int argc, char** argv) {
    arguments a = {0};
    const cli_option options[] = {
        {"frames",  CLI_COUNT,  "N",                &a.frames,      "how many steps (default: the whole story)"},
        {"mesh",    CLI_TEXT,   "FILE",             &a.setup.mesh,
         "a medial mesh (.ma, .mat) or a closed surface in place of the deer"                                  },
        {"speed",   CLI_NUMBER, "V",                &a.setup.speed, "fast-flyer: in m/s (default 100)"         },
        {"broad",   CLI_CHOICE, "sweep|cones|none", &a.broad,
         "how pairs of bodies are found; same contacts (default sweep)"                                        },
        {"threads", CLI_COUNT,  "N",                &a.threads,     "how many threads (default: one per core)" },
        {"json",    CLI_FLAG,   NULL,               &a.json,        "print one JSON object"                    },
        {"quiet",   CLI_FLAG,   NULL,               &a.quiet,       "print the summary only"                   }
    };
    const cli_command command = {
        "scene",
        "NAME [options]",
        "Runs a scene of rigid bodies of spheres, cones and slabs.",
        options,
        sizeof options / sizeof *options,
        "Contacts are found for the whole motion of a step (docs/medial.md). ODE moves the bodies, "
        "so\nresults differ between machines."};
    int count;
    const int code = cli_parse(&command, argc, argv, &count);
    if (code != CLI_GO_ON) return code;
    if (count != 1)
        return cli_fail(CLI_BAD_USAGE, "one scene at a time; '%s' is one too many", argv[1]);
    a.scene = medial_scenes_find(argv[0]);
    if (a.frames == 0) a.frames = a.scene->steps;
    if (a.frames > 999999)
        return cli_fail(CLI_BAD_USAGE, "--frames is %u; it takes 999999 at most", a.frames);
    if (!(a.setup.speed >= 0 && a.setup.speed <= 1e4))
        return cli_fail(CLI_BAD_USAGE, "--speed is %g; it takes 0 to 10000", a.setup.speed);
    return run_scene(&a);
}
