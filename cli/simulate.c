/// @file simulate.c  `fracas scene` of bodies that ODE moves: options, the run, rows, frames.
#include "simulate.h"
#include "progress.h"
#include "simulate_report.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROWS = 20, MOST_FRAMES = 999999 };

// ---- options

void cli_simulation_options(cli_simulation* s, cli_option* out) {
    s->every = 20;
    s->report_size = 50;
    const cli_option options[CLI_SIMULATION_OPTIONS] = {
        {"frames",      CLI_COUNT,  "N",         &s->frames,      "how many steps (default: until rest)"    },
        {"write",       CLI_TEXT,   "DIR",       &s->folder,      "write frames as PLY files"               },
        {"every",       CLI_COUNT,  "N",         &s->every,       "write every N-th step (default 20)"      },
        {"threads",     CLI_COUNT,  "N",         &s->threads,     "how many threads (default: one per core)"},
        {"json",        CLI_FLAG,   NULL,        &s->json,        "print one JSON object"                   },
        {"quiet",       CLI_FLAG,   NULL,        &s->quiet,       "print the summary only"                  },
        {"report",      CLI_TEXT,   "PAGE.html", &s->report,
         "write a page with all steps and contacts, for a browser"                                          },
        {"report-size", CLI_NUMBER, "MB",        &s->report_size,
         "the largest size of the page (default 50)"                                                        }
    };
    memcpy(out, options, sizeof options);
}

int cli_simulation_parse(const cli_command* command, int argc, char** argv) {
    int count;
    const int code = cli_parse(command, argc, argv, &count);
    if (code == CLI_GO_ON && count != 1)
        return cli_fail(CLI_BAD_USAGE, "one scene at a time; '%s' is one too many", argv[1]);
    return code;
}

void cli_simulation_list(const char* name, const char* description, uint32_t steps) {
    printf("  %-19s  %s (%u steps)\n", name, description, steps);
}

// ---- the run

static int write_frame(const cli_simulation* s, fracas_context* context, uint32_t number) {
    cli_triangles triangles = {0};
    char* name = cli_allocate(strlen(s->folder) + strlen(s->scene) + 32, 1);
    sprintf(name, "%s/%s-%06u.ply", s->folder, s->scene, number);
    fracas_status status = s->draw(s->self, &triangles);
    if (status == FRACAS_OK) {
        const fracas_mesh_view mesh = cli_triangles_view(&triangles);
        status = fracas_ply_write(context, name, &mesh, NULL, NULL);
    }
    cli_triangles_free(&triangles);
    free(name);
    return status == FRACAS_OK ? CLI_DONE : cli_fail_status(context, status);
}

// The step that has just been done.
static void report_step(const cli_simulation* s, fracas_context* context,
                        cli_simulation_report* report, const void* step) {
    uint32_t broken = 0;
    double ms = 0;
    const cli_world_look look = s->look(s->self, step, &broken, &ms);
    cli_simulation_report_step(report, context, &look, broken, ms);
}

static int run(const cli_simulation* s, fracas_context* context, cli_simulation_report* report) {
    char* steps = cli_allocate(s->frames, s->step_size);
    double* ms = cli_allocate(s->frames, sizeof *ms);
    const uint32_t interval = (s->frames + ROWS - 1) / ROWS;
    cli_progress progress;
    cli_progress_start(&progress, s->quiet, s->frames);
    int code = s->folder ? write_frame(s, context, 0) : CLI_DONE;
    for (uint32_t i = 0; i < s->frames && code == CLI_DONE; i++) {
        const fracas_status status = s->step(s->self, steps + i * s->step_size);
        if (status != FRACAS_OK) code = cli_fail_status(context, status);
        if (code == CLI_DONE && cli_interrupted()) code = cli_fail(CLI_CANCELLED, "cancelled");
        if (code == CLI_DONE && s->folder && (i + 1) % s->every == 0)
            code = write_frame(s, context, i + 1);
        if (code == CLI_DONE && s->report)
            report_step(s, context, report, steps + i * s->step_size);
        progress.step = i;
        cli_progress_report(1, &progress);
        if (code != CLI_DONE || s->json || s->quiet) continue;
        if ((i + 1) % interval != 0 && i + 1 != s->frames) continue;
        cli_progress_clear(&progress);
        s->print_row(s->self, steps, i / interval * interval, i + 1);
        fflush(stdout);
    }
    cli_progress_stop(&progress);
    if (code == CLI_DONE) {
        if (!s->json && !s->quiet) putchar('\n');
        s->print_summary(s->self, steps, s->frames, ms);
        if (s->report) code = cli_simulation_report_write(report, s->scene);
        if (s->folder && !s->json && !s->quiet) printf("frames written to %s\n", s->folder);
        if (s->report && code == CLI_DONE && !s->json && !s->quiet)
            printf("report written to %s\n", s->report);
    }
    free(steps);
    free(ms);
    return code;
}

int cli_simulate(cli_simulation* s) {
    if (s->frames == 0) s->frames = s->default_frames;
    if (s->frames > MOST_FRAMES)
        return cli_fail(CLI_BAD_USAGE, "--frames is %u; it takes %d at most", s->frames,
                        MOST_FRAMES);
    if (s->report && !cli_page_is_built())
        return cli_fail(CLI_BAD_USAGE,
                        "--report: this program was built without the page; install Node 18 or "
                        "later with npm, and build it again with -DFRACAS_VIEWER=ON");
    if (s->report_size < 1 || s->report_size > 2000)
        return cli_fail(CLI_BAD_USAGE, "--report-size is %g; it takes 1 to 2000 megabytes",
                        s->report_size);
    if (s->every == 0) return cli_fail(CLI_BAD_USAGE, "--every is 0; it takes at least 1");
    if (s->folder && mkdir(s->folder, 0777) != 0 && errno != EEXIST)
        return cli_fail(CLI_BAD_INPUT, "%s: cannot be made: %s", s->folder, strerror(errno));
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = s->threads;
    fracas_context* context;
    const fracas_status status = fracas_context_create(&options, &context);
    if (status != FRACAS_OK) return cli_fail_start(status);
    cli_interrupt_watch(context);
    cli_simulation_report report = {0};
    int code = CLI_DONE;
    if (s->report) code = cli_simulation_report_open(&report, s->report, s->report_size, s->frames);
    if (code == CLI_DONE) code = s->create(s->self, context);
    if (code == CLI_DONE) code = run(s, context, &report);
    s->destroy(s->self);
    cli_simulation_report_free(&report);
    cli_interrupt_watch(NULL);
    fracas_context_destroy(context);
    return code;
}
