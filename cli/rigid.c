/// @file rigid.c  `fracas scene` with rigid bodies: run, print a table, write frames.
#include "rigid.h"
#include "fracas/fracas.h"
#include "options.h"
#include "progress.h"
#include "rigid/rigid_scenes.h"
#include "rigid/summary.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROWS = 20 };

typedef struct rigid_arguments {
    const rigid_scene* scene;
    uint32_t frames, threads, every;
    const char* folder;
    rigid_setup setup;
    bool json, quiet;
} rigid_arguments;

bool cli_rigid_is_scene(const char* name) { return rigid_scenes_find(name) != NULL; }

void cli_rigid_list(void) {
    size_t count;
    const rigid_scene* const* scenes = rigid_scenes_list(&count);
    puts("scenes of rigid bodies:");
    for (size_t i = 0; i < count; i++)
        printf("  %-19s  %s (%u steps)\n", scenes[i]->name, scenes[i]->description,
               scenes[i]->steps);
}

// ---- frames

// The surfaces of all fragments as one mesh.
typedef struct frame {
    double (*points)[3];
    uint32_t (*triangles)[3];
    uint32_t point_count, triangle_count;
} frame;

static void append(frame* f, const fracas_mesh_view* mesh, const fracas_pose* pose) {
    const double(*points)[3] = mesh->points.data;
    f->points = cli_grow(f->points, f->point_count + (size_t)mesh->points.count, sizeof *f->points);
    f->triangles = cli_grow(f->triangles, f->triangle_count + (size_t)mesh->triangle_count,
                            sizeof *f->triangles);
    for (uint32_t t = 0; t < mesh->triangle_count; t++, f->triangle_count++)
        for (int i = 0; i < 3; i++)
            f->triangles[f->triangle_count][i] =
                f->point_count + mesh->triangles[3 * t + (uint32_t)i];
    for (uint32_t p = 0; p < mesh->points.count; p++, f->point_count++)
        for (int k = 0; k < 3; k++) {
            const double* r = pose->rotation + 3 * k;
            f->points[f->point_count][k] = r[0] * points[p][0] + r[1] * points[p][1] +
                                           r[2] * points[p][2] + pose->translation[k];
        }
}

static int write_frame(const rigid_arguments* a, fracas_context* context, const rigid_run* run,
                       uint32_t number) {
    frame f = {0};
    fracas_status status = FRACAS_OK;
    for (uint32_t i = 0; i < rigid_count(run->world) && status == FRACAS_OK; i++) {
        fracas_pose pose;
        fracas_fragment_surface* surface;
        const fracas_fragment fragment = rigid_get(run->world, i, &pose);
        status = fracas_fragment_surface_create(rigid_fragments(run->world), fragment, &surface);
        if (status != FRACAS_OK) break;
        const fracas_mesh_view view = fracas_fragment_surface_get_view(surface);
        append(&f, &view, &pose);
        fracas_fragment_surface_destroy(surface);
    }
    char* name = cli_allocate(strlen(a->folder) + strlen(a->scene->name) + 32, 1);
    sprintf(name, "%s/%s-%06u.ply", a->folder, a->scene->name, number);
    const fracas_mesh_view mesh = {
        .points = {.data = f.points, .count = f.point_count},
        .triangles = f.triangles[0],
        .triangle_count = f.triangle_count
    };
    if (status == FRACAS_OK) status = fracas_ply_write(context, name, &mesh, NULL, NULL);
    free(name);
    free(f.points);
    free(f.triangles);
    return status == FRACAS_OK ? CLI_DONE : cli_fail_status(context, status);
}

// ---- output

// One row for several steps: sums of fractures, means and maxima of times.
static void print_row(const rigid_arguments* a, const rigid_step_info* steps, uint32_t begin,
                      uint32_t end, double step) {
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
    if (a->json || a->quiet) return;
    if (begin == 0)
        printf("%6s %8s %7s %7s %9s %9s %10s %10s %10s %10s\n", "step", "time s", "bodies",
               "broken", "contacts", "inside", "detect ms", "most ms", "update ms", "energy");
    printf("%6u %8.2f %7u %7u %9.0f %9.0f %10.2f %10.2f %10.2f %10.4g\n", end, end * step,
           last->bodies, broken, contacts, inside, mean, most, update, last->energy);
    fflush(stdout);
}

static void print_summary(const rigid_arguments* a, const rigid_summary* s, double step) {
    if (a->json) {
        printf("{\"scene\":\"%s\",\"steps\":%u,\"seconds\":%g,\"bodies\":[%u,%u],\"fractures\":%u,"
               "\"contacts\":{\"mean\":%.1f,\"most\":%" PRIu64 "},\"inside\":{\"mean\":%.1f,"
               "\"most\":%" PRIu64 "},\"detect_ms\":{\"mean\":%.4f,\"median\":%.4f,\"most\":%.4f},"
               "\"update_ms\":%.4f,\"rest\":{\"deepest\":%.6g,\"fastest\":%.6g},"
               "\"energy_growth\":%.6g}\n",
               a->scene->name, s->steps, s->steps * step, s->first_bodies, s->last_bodies,
               s->broken, s->contacts, s->most_contacts, s->colliding, s->most_colliding,
               s->mean_ms, s->median_ms, s->most_ms, s->fracture_most_ms, s->deepest, s->fastest,
               s->growth);
        return;
    }
    if (!a->quiet) putchar('\n');
    printf("%u bodies became %u in %u fractures, and %s after %.2f s\n", s->first_bodies,
           s->last_bodies, s->broken, s->fastest < 0.05 ? "rest" : "still move", s->steps * step);
    printf("contacts          %.0f a step of %.0f points inside (%.0f %%); at most %" PRIu64 "\n",
           s->contacts, s->colliding, s->colliding > 0 ? 100 * s->contacts / s->colliding : 0,
           s->most_contacts);
    printf("detection         %.2f ms a step, median %.2f, at most %.2f\n", s->mean_ms,
           s->median_ms, s->most_ms);
    printf("fracture          %.2f ms at most\n", s->fracture_most_ms);
    printf("at the end        deepest contact %.3g, fastest body %.3g\n", s->deepest, s->fastest);
    printf("energy            grew by %.2g %% at most in a step without impact\n", 100 * s->growth);
}

// ---- the run

static int run_steps(const rigid_arguments* a, fracas_context* context, rigid_run* run,
                     double step) {
    rigid_step_info* steps = cli_allocate(a->frames, sizeof *steps);
    double* ms = cli_allocate(a->frames, sizeof *ms);
    cli_progress progress;
    cli_progress_start(&progress, a->quiet, a->frames);
    const uint32_t interval = (a->frames + ROWS - 1) / ROWS;
    int code = a->folder ? write_frame(a, context, run, 0) : CLI_DONE;
    for (uint32_t i = 0; i < a->frames && code == CLI_DONE; i++) {
        const fracas_status status = rigid_run_step(a->scene, run, &steps[i]);
        if (status != FRACAS_OK) code = cli_fail_status(context, status);
        if (code == CLI_DONE && cli_interrupted()) code = cli_fail(CLI_CANCELLED, "cancelled");
        if (code == CLI_DONE && a->folder && (i + 1) % a->every == 0)
            code = write_frame(a, context, run, i + 1);
        progress.step = i;
        cli_progress_report(1, &progress);
        if (code != CLI_DONE || ((i + 1) % interval != 0 && i + 1 != a->frames)) continue;
        cli_progress_clear(&progress);
        print_row(a, steps, i / interval * interval, i + 1, step);
    }
    cli_progress_clear(&progress);
    if (code == CLI_DONE) {
        const rigid_summary summary = rigid_summarise(steps, a->frames, ms);
        print_summary(a, &summary, step);
        if (a->folder && !a->json && !a->quiet) printf("frames written to %s\n", a->folder);
    }
    free(steps);
    free(ms);
    return code;
}

static int run_scene(rigid_arguments* a) {
    if (a->folder && mkdir(a->folder, 0777) != 0 && errno != EEXIST)
        return cli_fail(CLI_BAD_INPUT, "%s: cannot be made: %s", a->folder, strerror(errno));
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = a->threads;
    fracas_context* context;
    fracas_status status = fracas_context_create(&options, &context);
    if (status != FRACAS_OK) return cli_fail_start(status);
    cli_interrupt_watch(context);
    char message[512] = "";
    a->setup.message = message;
    a->setup.message_size = sizeof message;
    const rigid_options scene_options = rigid_scene_options(a->scene, context);
    rigid_run* run;
    status = rigid_run_create(a->scene, &scene_options, &a->setup, &run);
    int code;
    if (status == FRACAS_OK) {
        code = run_steps(a, context, run, scene_options.step);
    } else {
        code = *message ? cli_fail(CLI_BAD_INPUT, "%s", message) : cli_fail_status(context, status);
    }
    rigid_run_destroy(run);
    cli_interrupt_watch(NULL);
    fracas_context_destroy(context);
    return code;
}

int cli_rigid_scene(int argc, char** argv) {
    rigid_arguments a = {.every = 20};
    const cli_option options[] = {
        {"frames",  CLI_COUNT, "N",    &a.frames,     "how many steps (default: until rest)"    },
        {"write",   CLI_TEXT,  "DIR",  &a.folder,     "write frames as PLY files"               },
        {"every",   CLI_COUNT, "N",    &a.every,      "write every N-th step (default 20)"      },
        {"mesh",    CLI_TEXT,  "FILE", &a.setup.mesh, "bunnies: drop this closed mesh instead"  },
        {"threads", CLI_COUNT, "N",    &a.threads,    "how many threads (default: one per core)"},
        {"json",    CLI_FLAG,  NULL,   &a.json,       "print one JSON object"                   },
        {"quiet",   CLI_FLAG,  NULL,   &a.quiet,      "print the summary only"                  }
    };
    const cli_command command = {
        "scene",
        "NAME [options]",
        "Runs a scene of rigid bodies that break.",
        options,
        sizeof options / sizeof *options,
        "A fragment is deeper inside another, or reported, as docs/fragment.md says. A body breaks "
        "into\nVoronoi cells around an impact; ODE moves the bodies, so results differ between "
        "machines."};
    int count;
    const int code = cli_parse(&command, argc, argv, &count);
    if (code != CLI_GO_ON) return code;
    if (count != 1)
        return cli_fail(CLI_BAD_USAGE, "one scene at a time; '%s' is one too many", argv[1]);
    a.scene = rigid_scenes_find(argv[0]);
    if (a.setup.mesh && !a.scene->takes_mesh)
        return cli_fail(CLI_BAD_USAGE, "scene '%s' takes no --mesh", argv[0]);
    if (a.frames == 0) a.frames = a.scene->steps;
    if (a.frames > 999999)
        return cli_fail(CLI_BAD_USAGE, "--frames is %u; it takes 999999 at most", a.frames);
    if (a.every == 0) return cli_fail(CLI_BAD_USAGE, "--every is 0; it takes at least 1");
    return run_scene(&a);
}
