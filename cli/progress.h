/// @file progress.h  The clock, the progress bar and Ctrl-C.
#pragma once
#include "fracas/base.h"

double cli_clock_ms(void);  ///< monotonic clock

/// What a step does, one after the other.
typedef enum cli_phase { CLI_READING, CLI_BUILDING, CLI_DETECTING, CLI_PHASES } cli_phase;

/// A progress bar on stderr; it appears on a terminal only, after one second.
typedef struct cli_progress {
    bool enabled, shown;
    double started, drawn;
    uint32_t step, step_count;
    cli_phase phase;
} cli_progress;

void cli_progress_start(cli_progress* progress, bool quiet, uint32_t step_count);
void cli_progress_phase(cli_progress* progress, cli_phase phase);
void cli_progress_clear(cli_progress* progress);            ///< before anything else is printed
bool cli_progress_report(double fraction, void* progress);  ///< a fracas_progress_fn

/// After this call Ctrl-C cancels the operations of `context`, and a second Ctrl-C ends the
/// program. NULL: there is no context any more.
void cli_interrupt_watch(fracas_context* context);
bool cli_interrupted(void);
