/// @file progress.h  The clock, the progress bar and Ctrl-C.
#pragma once
#include "fracas/base.h"
#include <pthread.h>

double cli_clock_ms(void);  ///< monotonic clock

/// What a step does, one after the other.
typedef enum cli_phase {
    CLI_READING,
    CLI_ADDING,
    CLI_BUILDING,
    CLI_DETECTING,
    CLI_PHASES
} cli_phase;

/// A progress bar on stderr; it appears on a terminal only, after one second. A thread of its own
/// draws it, so that it moves where a call has nothing to report for seconds.
typedef struct cli_progress {
    bool enabled;
    _Atomic uint32_t step, step_count;  ///< set by the owner
    // The following belong to the mutex once the thread runs.
    cli_phase phase;
    bool paused, shown, stop;
    double fraction, started;
    pthread_mutex_t mutex;
    pthread_t thread;
} cli_progress;

void cli_progress_start(cli_progress* progress, bool quiet, uint32_t step_count);
void cli_progress_phase(cli_progress* progress, cli_phase phase);
/// Before anything else is printed: the bar disappears until the next report or phase.
void cli_progress_clear(cli_progress* progress);
bool cli_progress_report(double fraction, void* progress);  ///< a fracas_progress_fn
void cli_progress_stop(cli_progress* progress);             ///< clear it and end the thread

/// After this call Ctrl-C cancels the operations of `context`, and a second Ctrl-C ends the
/// program. NULL: there is no context any more.
void cli_interrupt_watch(fracas_context* context);
bool cli_interrupted(void);
