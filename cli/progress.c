/// @file progress.c  The clock, the progress bar and Ctrl-C.
#include "progress.h"
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double cli_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

// ---- the bar

enum { BAR_WIDTH = 30, DELAY_MS = 1000, REDRAW_MS = 100 };

void cli_progress_start(cli_progress* progress, bool quiet, uint32_t step_count) {
    double now = cli_clock_ms();
    *progress = (cli_progress){.enabled = !quiet && isatty(STDERR_FILENO),
                               .started = now,
                               .drawn = now,
                               .step_count = step_count};
}

void cli_progress_clear(cli_progress* progress) {
    if (!progress->shown) return;
    fprintf(stderr, "\r%*s\r", BAR_WIDTH + 40, "");
    progress->shown = false;
}

bool cli_progress_report(double fraction, void* user) {
    cli_progress* progress = user;
    double now = cli_clock_ms();
    if (!progress->enabled || now - progress->started < DELAY_MS ||
        (progress->shown && now - progress->drawn < REDRAW_MS))
        return true;
    if (!(fraction >= 0)) fraction = 0;
    if (fraction > 1) fraction = 1;
    double whole = (progress->step + fraction) / (progress->step_count ? progress->step_count : 1);
    if (whole > 1) whole = 1;
    char bar[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < (int)(whole * BAR_WIDTH) ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r[%s] %3d %%  step %u of %u", bar, (int)(whole * 100), progress->step + 1,
            progress->step_count);
    progress->shown = true;
    progress->drawn = now;
    return true;
}

// ---- Ctrl-C

// A signal handler can access globals only.
static fracas_context* volatile interrupt_context;
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
    fracas_context* context = interrupt_context;
    if (context) fracas_context_cancel(context);
}

void cli_interrupt_watch(fracas_context* context) {
    interrupt_context = context;
    if (!context) return;
    struct sigaction action, before;
    // Keep an ignored SIGINT, which nohup and background jobs of a shell start programs with.
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_IGN) return;
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool cli_interrupted(void) { return interrupted != 0; }
