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

enum { BAR_WIDTH = 20, DELAY_MS = 1000, REDRAW_MS = 100 };

void cli_progress_start(cli_progress* progress, bool quiet, uint32_t step_count) {
    double now = cli_clock_ms();
    *progress = (cli_progress){.enabled = !quiet && isatty(STDERR_FILENO),
                               .started = now,
                               .drawn = now,
                               .step_count = step_count};
}

void cli_progress_phase(cli_progress* progress, cli_phase phase) {
    progress->phase = phase;
    cli_progress_report(0, progress);
}

void cli_progress_clear(cli_progress* progress) {
    if (!progress->shown) return;
    fputs("\r\033[K", stderr);
    progress->shown = false;
}

// "step 3 of 46, 12.5 a second, 4 s left"
static void print_details(const cli_progress* progress, double whole, double seconds) {
    static const char* const phases[CLI_PHASES] = {"reading", "building", "detecting"};
    if (progress->step_count > 1)
        fprintf(stderr, "  step %u of %u", progress->step + 1, progress->step_count);
    else
        fprintf(stderr, "  %s", phases[progress->phase]);
    if (progress->step > 0) fprintf(stderr, ", %.3g a second", progress->step / seconds);
    const double left = seconds * (1 - whole) / whole;
    if (whole > 0.02 && left >= 60)
        fprintf(stderr, ", %.0f min left", left / 60);
    else if (whole > 0.02)
        fprintf(stderr, ", %.0f s left", left);
}

bool cli_progress_report(double fraction, void* user) {
    cli_progress* progress = user;
    double now = cli_clock_ms();
    if (!progress->enabled || now - progress->started < DELAY_MS ||
        (progress->shown && now - progress->drawn < REDRAW_MS))
        return true;
    if (!(fraction >= 0)) fraction = 0;
    if (fraction > 1) fraction = 1;
    const double steps = progress->step_count ? progress->step_count : 1;
    double whole = (progress->step + (progress->phase + fraction) / CLI_PHASES) / steps;
    if (whole > 1) whole = 1;
    char bar[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < (int)(whole * BAR_WIDTH) ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r\033[K[%s] %3d %%", bar, (int)(whole * 100));
    print_details(progress, whole, (now - progress->started) / 1e3);
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
