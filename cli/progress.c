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

// "step 3 of 46, 12.5 a second, 4 s left"
static void print_details(const cli_progress* progress, double whole, double seconds) {
    static const char* const phases[CLI_PHASES] = {"reading", "adding", "building", "detecting"};
    if (progress->step_count > 1)
        fprintf(stderr, "  step %u of %u", progress->step + 1, progress->step_count);
    else
        fprintf(stderr, "  %s", phases[progress->phase]);
    if (progress->step > 0)
        fprintf(stderr, ", %.3g a second", progress->step / seconds);
    else
        fprintf(stderr, ", %.1f s", seconds);
    const double left = seconds * (1 - whole) / whole;
    if (whole > 0.02 && left >= 60)
        fprintf(stderr, ", %.0f min left", left / 60);
    else if (whole > 0.02)
        fprintf(stderr, ", %.0f s left", left);
}

// With the mutex.
static void draw(cli_progress* progress) {
    const double now = cli_clock_ms();
    if (progress->paused || now - progress->started < DELAY_MS) return;
    const double steps = progress->step_count ? progress->step_count : 1;
    double whole = (progress->step + (progress->phase + progress->fraction) / CLI_PHASES) / steps;
    if (whole > 1) whole = 1;
    char bar[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < (int)(whole * BAR_WIDTH) ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r\033[K[%s] %3d %%", bar, (int)(whole * 100));
    print_details(progress, whole, (now - progress->started) / 1e3);
    fflush(stderr);
    progress->shown = true;
}

static void* draw_often(void* data) {
    cli_progress* progress = data;
    const struct timespec pause = {.tv_nsec = REDRAW_MS * 1000000};
    for (bool stop = false; !stop;) {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&progress->mutex);
        stop = progress->stop;
        if (!stop) draw(progress);
        pthread_mutex_unlock(&progress->mutex);
    }
    return NULL;
}

void cli_progress_start(cli_progress* progress, bool quiet, uint32_t step_count) {
    *progress = (cli_progress){.started = cli_clock_ms(), .step_count = step_count};
    if (quiet || !isatty(STDERR_FILENO)) return;
    pthread_mutex_init(&progress->mutex, NULL);
    progress->enabled = pthread_create(&progress->thread, NULL, draw_often, progress) == 0;
}

static void set(cli_progress* progress, cli_phase phase, double fraction) {
    if (!progress->enabled) return;
    pthread_mutex_lock(&progress->mutex);
    progress->phase = phase;
    progress->fraction = fraction;
    progress->paused = false;
    pthread_mutex_unlock(&progress->mutex);
}

void cli_progress_phase(cli_progress* progress, cli_phase phase) { set(progress, phase, 0); }

bool cli_progress_report(double fraction, void* user) {
    cli_progress* progress = user;
    set(progress, progress->phase, fraction >= 0 && fraction <= 1 ? fraction : fraction > 1);
    return true;
}

void cli_progress_clear(cli_progress* progress) {
    if (!progress->enabled) return;
    pthread_mutex_lock(&progress->mutex);
    if (progress->shown) fputs("\r\033[K", stderr);
    progress->shown = false;
    progress->paused = true;
    pthread_mutex_unlock(&progress->mutex);
}

void cli_progress_stop(cli_progress* progress) {
    if (!progress->enabled) return;
    cli_progress_clear(progress);
    pthread_mutex_lock(&progress->mutex);
    progress->stop = true;
    pthread_mutex_unlock(&progress->mutex);
    pthread_join(progress->thread, NULL);
    pthread_mutex_destroy(&progress->mutex);
    progress->enabled = false;
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
