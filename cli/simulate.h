/// @file simulate.h  `fracas scene` of bodies that ODE moves: options, the run, rows, frames.
#pragma once
#include "options.h"
#include "rigid_look.h"
#include "triangles.h"

/// The functions of a kind of scene get `self`; `steps` is an array of its own structs, one a step.
typedef struct cli_simulation {
    void* self;
    const char* scene;
    uint32_t default_frames;
    size_t step_size;
    /// @return CLI_DONE, or the exit code after a message
    int (*create)(void* self, fracas_context* context);
    fracas_status (*step)(void* self, void* step);
    fracas_status (*draw)(void* self, cli_triangles* out);
    /// What is drawn after a step, for the report; and from its struct how many bodies broke, and
    /// the milliseconds of detection.
    cli_world_look (*look)(void* self, const void* step, uint32_t* broken, double* ms);
    /// A row for the steps from `begin` to `end`, below a title if `begin` is 0.
    void (*print_row)(void* self, const void* steps, uint32_t begin, uint32_t end);
    /// `ms` is memory for `count` numbers.
    void (*print_summary)(void* self, const void* steps, uint32_t count, double* ms);
    void (*destroy)(void* self);
    // Options.
    uint32_t frames, threads, every;
    const char* folder;
    const char* report;
    double report_size;  ///< megabytes
    bool json, quiet;
} cli_simulation;

enum { CLI_SIMULATION_OPTIONS = 8 };

/// The options that all such scenes have; sets their defaults.
void cli_simulation_options(cli_simulation* s, cli_option* out);

/// @return CLI_GO_ON with the name of the scene in argv[0], or an exit code
int cli_simulation_parse(const cli_command* command, int argc, char** argv);

/// Check the common options and run. @return the exit code
int cli_simulate(cli_simulation* s);

/// A line of the list of scenes.
void cli_simulation_list(const char* name, const char* description, uint32_t steps);
