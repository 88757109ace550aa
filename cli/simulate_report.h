/// @file simulate_report.h  `fracas scene --report` of bodies that ODE moves.
#pragma once
#include "page.h"
#include "rigid_look.h"

typedef struct cli_simulation_report {
    cli_page* page;
    cli_step* steps;
    uint32_t count;
    cli_pairs pairs;
    // The step before: motion is drawn where its bodies are those of this step.
    double (*last)[3];
    uint32_t* last_begins;
    uint32_t last_bodies;
} cli_simulation_report;

/// Functions that return an exit code have printed the message of a failure.
int cli_simulation_report_open(cli_simulation_report* report, const char* path, double megabytes,
                               uint32_t steps);
/// Add a step: what is drawn after it, how many bodies broke, and the time of detection.
void cli_simulation_report_step(cli_simulation_report* report, fracas_context* context,
                                const cli_world_look* look, uint32_t broken, double ms);
/// Write the page.
int cli_simulation_report_write(cli_simulation_report* report, const char* scene);
void cli_simulation_report_free(cli_simulation_report* report);
