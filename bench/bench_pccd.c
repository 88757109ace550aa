// fracas bench pccd: the same frames on 1, 2, 4, ... threads under each scheduler, interleaved.
#include "arguments.h"
#include "fastcd/run.h"
#include "generate.h"
#include "pccd/affinity.h"
#include "pccd/copies.h"
#include "pccd/kernel.h"
#include "timing.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 16, MAX_CONFIGS = 96, SMALL = 20000 };
enum { KERNEL_EVERY = 16 };  // frames

typedef struct scheduler {
    const char* name;
    fastcd_method method;
} scheduler;

// `steal` is Fracas with default options, `steal-none` the same without culling. `pccd` is the
// published method: no culling, trees built by the median, subtrees rebuilt by the queries that
// visit them. `pccd-sah` is the same from our first trees, `pccd-front` without look-ahead, and
// `pccd-disjoint` with its first way of sharing a task unit.
#define METHOD(method_name, how_built, when, by, what, how_shared)                                 \
    {                                                                                              \
        .name = method_name, .method = {                                                           \
            .name = method_name,                                                                   \
            .trees = FASTCD_TREES_##how_built,                                                     \
            .restructure = FRACAS_PUBLISHED_RESTRUCTURE_##when,                                    \
            .metric = FRACAS_PUBLISHED_METRIC_##by,                                                \
            .cull = FRACAS_PUBLISHED_CULL_##what,                                                  \
            .scheduler = FRACAS_PUBLISHED_SCHEDULER_##how_shared                                   \
        }                                                                                          \
    }
static const scheduler schedulers[] = {
    METHOD("steal", OURS, SELECTIVE, TC, CERTIFICATE, WORK_SHARING),
    METHOD("steal-none", OURS, SELECTIVE, TC, NONE, WORK_SHARING),
    METHOD("pccd", MEDIAN, LAZY, LM, NONE, PCCD),
    METHOD("pccd-front", MEDIAN, LAZY, LM, NONE, PCCD_FRONT),
    METHOD("pccd-disjoint", MEDIAN, LAZY, LM, NONE, PCCD_DISJOINT),
    METHOD("pccd-sah", OURS, LAZY, LM, NONE, PCCD),
};
enum { SCHEDULERS = sizeof schedulers / sizeof *schedulers };

typedef struct settings {
    const char *scene, *scheduler, *csv;
    uint32_t size, frames, skip, rounds, row, patience_ms;
    uint32_t threads[MAX_THREADS], thread_count;
    bool full, json, copies;
    bool cpu_clock;  ///< one thread: its CPU time
} settings;

// The three scenes of the paper; dragon and n-body as large as there.
static const struct {
    const char* name;
    uint32_t size, frames;
} paper_scenes[] = {
    {"cloth-ball",       0,      465},
    {"exploding-dragon", 0,      480},
    {"n-body",           146000, 375}
};
enum { SCENES = sizeof paper_scenes / sizeof *paper_scenes };

static void print_usage(void) {
    printf("usage: fracas bench pccd [--scene NAME] [--scheduler NAME,...] [--threads 1,2,4,...]\n"
           "                         [--size N] [--full] [--frames N] [--skip N] [--rounds N]\n"
           "                         [--row N] [--patience MS] [--copies] [--clock wall|cpu]\n"
           "                         [--csv FILE] [--json]\n"
           "Runs continuous detection of moving and breaking scenes on several numbers of\n"
           "threads: update and query of each frame, the minimum of N rounds (default 1), and\n"
           "for comparison small kernels on as many threads. Scenes have about %d triangles,\n"
           "with --full as many as in the paper. All must find the same contacts. --skip leaves\n"
           "out the first N frames; --csv writes the time of every frame. --copies also runs one\n"
           "single-threaded copy of the scene per thread: the upper limit for this work on this\n"
           "machine. Runs take turns after each frame, or after --row N frames; the threads of\n"
           "the other runs sleep. With --patience idle threads spin for MS before they sleep.\n"
           "--clock cpu counts the CPU time of single threads (of update and query, not of their\n"
           "parts), for machines with other load.\n"
           "Scenes: cloth-ball exploding-dragon n-body\nSchedulers:",
           SMALL);
    for (int i = 0; i < SCHEDULERS; i++) printf(" %s", schedulers[i].name);
    printf("\n");
}

// ---- the command line

static bool parse_number(const char* text, uint32_t least, uint32_t* out) {
    char* end;
    unsigned long value = strtoul(text, &end, 10);
    *out = (uint32_t)value;
    return *text >= '0' && *text <= '9' && !*end && value >= least && value <= 100000000;
}

static bool parse_threads(const char* text, settings* s) {
    s->thread_count = 0;
    while (*text) {
        char* end;
        unsigned long value = strtoul(text, &end, 10);
        if (end == text || value < 1 || value > 1024 || s->thread_count == MAX_THREADS)
            return false;
        if (*end && *end != ',') return false;
        s->threads[s->thread_count++] = (uint32_t)value;
        text = *end ? end + 1 : end;
    }
    // One thread comes first: it is the baseline of speed-ups.
    return s->thread_count > 0 && s->threads[0] == 1;
}

static bool parse_value(settings* s, const char* name, const char* value) {
    if (!strcmp(name, "--scene")) return s->scene = value, true;
    if (!strcmp(name, "--scheduler")) return s->scheduler = value, true;
    if (!strcmp(name, "--csv")) return s->csv = value, true;
    if (!strcmp(name, "--clock") && (!strcmp(value, "cpu") || !strcmp(value, "wall")))
        return s->cpu_clock = value[0] == 'c', true;
    if (!strcmp(name, "--threads")) return parse_threads(value, s);
    if (!strcmp(name, "--size")) return parse_number(value, 1, &s->size);
    if (!strcmp(name, "--frames")) return parse_number(value, 1, &s->frames);
    if (!strcmp(name, "--skip")) return parse_number(value, 0, &s->skip);
    if (!strcmp(name, "--rounds")) return parse_number(value, 1, &s->rounds);
    if (!strcmp(name, "--row")) return parse_number(value, 1, &s->row);
    if (!strcmp(name, "--patience")) return parse_number(value, 0, &s->patience_ms);
    return false;
}

// Is a name in a list separated by commas?
static bool is_in(const char* list, const char* name) {
    const size_t length = strlen(name);
    for (const char* at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (!strncmp(at, name, length) && (!at[length] || at[length] == ',')) return true;
    }
    return false;
}

// Returns the exit code, or -1 when all names are known.
static int check_names(const settings* s) {
    bool scene = !s->scene;
    size_t known = 0, given = 1;
    for (int i = 0; i < SCENES && !scene; i++) scene = !strcmp(s->scene, paper_scenes[i].name);
    if (!scene) return bench_refuse("pccd", s->scene);
    if (!s->scheduler) return -1;
    for (const char* at = s->scheduler; *at; at++) given += *at == ',';
    for (int i = 0; i < SCHEDULERS; i++) known += is_in(s->scheduler, schedulers[i].name);
    return known == given ? -1 : bench_refuse("pccd", s->scheduler);
}

static int parse(int argc, char** argv, settings* s) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return print_usage(), 0;
        if (!strcmp(argv[i], "--json"))
            s->json = true;
        else if (!strcmp(argv[i], "--full"))
            s->full = true;
        else if (!strcmp(argv[i], "--copies"))
            s->copies = true;
        else if (i + 1 < argc && parse_value(s, argv[i], argv[i + 1]))
            i++;
        else
            return bench_refuse("pccd", argv[i]);
    }
    return check_names(s);
}

// 1, 2, 4, ... up to the number of cores.
static void default_threads(settings* s) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (uint32_t n = 1; n <= (cores > 1 ? (uint32_t)cores : 1) && s->thread_count < MAX_THREADS;
         n *= 2)
        s->threads[s->thread_count++] = n;
}

// ---- one scene

/// One scheduler with one number of threads.
typedef struct config {
    const scheduler* how;
    uint32_t threads;
    fastcd_run run;
    fastcd_frame* frames;
} config;

typedef struct table {
    const scenes_scene* scene;
    uint32_t frame_count, skip, config_count;
    config configs[MAX_CONFIGS];
    pccd_cores cores;  ///< single-threaded runs are pinned to each of them in turn
    /// Milliseconds of each kernel by thread count, every KERNEL_EVERY frames: the minimum of all
    /// rounds; 0: not measured.
    double* kernel[KERNEL_KINDS][MAX_THREADS];
    uint32_t slot_count;
    uint32_t copy_count;  ///< copies under the first selected scheduler; 0: none
    pccd_copies copies;
    double* copy_ms;  ///< by frame, mean over the copies
    bool equal;
} table;

static void keep(fastcd_frame* best, const fastcd_frame* now, bool again) {
    if (!again || fastcd_ms(now) < fastcd_ms(best)) *best = *now;
}

// Idle threads of the previous run spin for a while: wait until they sleep.
static void wait_for_sleep(const settings* s) {
    const uint32_t ms = s->patience_ms + 1;
    nanosleep(&(struct timespec){ms / 1000, 1000000L * (ms % 1000)}, NULL);
}

/// The contacts that move the scene in a frame, and the hash of those found in it, both from a
/// reference run that is not timed.
typedef struct scene_frame {
    fracas_contact* moved_by;
    size_t count;
    uint64_t hash;
} scene_frame;

static scene_frame step_reference(fastcd_run* reference) {
    scene_frame out = {0};
    fastcd_frame frame;
    const fracas_contact* found = fracas_contacts_get_data(reference->contacts, &out.count);
    out.moved_by = bench_allocate(out.count + 1, sizeof *out.moved_by);
    if (out.count > 0) memcpy(out.moved_by, found, out.count * sizeof *found);
    fastcd_next(reference, out.moved_by, out.count, &frame);
    out.hash = frame.hash;
    return out;
}

static uint32_t core_of(const settings* s, const table* t, uint32_t frame) {
    return frame / s->row % t->cores.count;
}

static void measure_kernels(const settings* s, table* t, uint32_t frame) {
    wait_for_sleep(s);
    for (uint32_t i = 0; i < KERNEL_KINDS * s->thread_count; i++) {
        const uint32_t n = i / KERNEL_KINDS, kind = i % KERNEL_KINDS;
        if (s->threads[n] == 1) pccd_pin(&t->cores, core_of(s, t, frame));
        double ms = kernel_ms((kernel_kind)kind, s->threads[n]);
        if (s->threads[n] == 1) pccd_unpin(&t->cores);
        double* minimum = &t->kernel[kind][n][frame / KERNEL_EVERY];
        if (*minimum == 0 || ms < *minimum) *minimum = ms;
    }
}

// A single thread stays on one core for a row of frames, and on the same core in each round. So the
// minimum over the rounds excludes interruptions without selecting the fastest core.
static void run_config(const settings* s, table* t, config* l, uint32_t first,
                       const scene_frame* row, uint32_t count, bool again) {
    if (l->threads == 1) pccd_pin(&t->cores, core_of(s, t, first));
    for (uint32_t i = 0; i < count; i++) {
        fastcd_frame frame;
        fastcd_next(&l->run, row[i].moved_by, row[i].count, &frame);
        keep(&l->frames[first + i], &frame, again);
        if (frame.hash != row[i].hash) t->equal = false;
    }
    if (l->threads == 1) pccd_unpin(&t->cores);
}

static void run_copies(table* t, uint32_t first, const scene_frame* row, uint32_t count,
                       bool again) {
    for (uint32_t i = 0; i < count; i++) {
        double ms = pccd_copies_next(&t->copies, row[i].moved_by, row[i].count, row[i].hash);
        if (ms < 0) t->equal = false;
        if (!again || ms < t->copy_ms[first + i]) t->copy_ms[first + i] = ms;
    }
}

// Runs `count` frames under one configuration after the other; each row starts with another one.
static void run_row(const settings* s, table* t, uint32_t first, const scene_frame* row,
                    uint32_t count, bool again) {
    for (uint32_t i = 0; i < t->config_count; i++) {
        wait_for_sleep(s);
        run_config(s, t, &t->configs[(i + first / s->row) % t->config_count], first, row, count,
                   again);
    }
    if (t->copy_count) {
        wait_for_sleep(s);
        run_copies(t, first, row, count, again);
    }
    if (first % KERNEL_EVERY < s->row) measure_kernels(s, t, first);
}

static void show_progress(const table* t, const settings* s, uint32_t round, uint32_t frame) {
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r%s: round %u of %u, frame %u of %u ", t->scene->name, round + 1, s->rounds,
            frame + 1, t->frame_count);
    if (frame + 1 == t->frame_count) fprintf(stderr, "\r%70s\r", "");
}

static void run_round(const settings* s, table* t, const scenes_options* options, uint32_t round) {
    fastcd_run reference;
    scene_frame* row = bench_allocate(s->row, sizeof *row);
    fastcd_begin(&reference, t->scene, options, &schedulers[0].method, FRACAS_MODE_CONTINUOUS,
                 (fastcd_threads){2, 0});
    for (uint32_t i = 0; i < t->config_count; i++) {
        config* l = &t->configs[i];
        fastcd_begin(&l->run, t->scene, options, &l->how->method, FRACAS_MODE_CONTINUOUS,
                     (fastcd_threads){l->threads, s->patience_ms});
        l->run.cpu_clock = s->cpu_clock && l->threads == 1;
    }
    if (t->copy_count)
        pccd_copies_begin(&t->copies, t->copy_count, t->scene, options, &t->configs[0].how->method);
    for (uint32_t f = 0, count; f < t->frame_count; f += count) {
        count = t->frame_count - f < s->row ? t->frame_count - f : s->row;
        for (uint32_t i = 0; i < count; i++) row[i] = step_reference(&reference);
        run_row(s, t, f, row, count, round > 0);
        for (uint32_t i = 0; i < count; i++) free(row[i].moved_by);
        show_progress(t, s, round, f + count - 1);
    }
    for (uint32_t i = 0; i < t->config_count; i++) fastcd_end(&t->configs[i].run);
    if (t->copy_count) pccd_copies_end(&t->copies);
    fastcd_end(&reference);
    free(row);
}

static void run_scene(const settings* s, int index, table* t) {
    scenes_options options = {.size = s->size   ? s->size
                                      : s->full ? paper_scenes[index].size
                                                : SMALL};
    memset(t, 0, sizeof *t);
    t->scene = scenes_find(paper_scenes[index].name);
    t->frame_count = s->frames ? s->frames : s->full ? paper_scenes[index].frames : 40;
    t->skip = s->skip < t->frame_count ? s->skip : 0;
    t->equal = true;
    for (int i = 0; i < SCHEDULERS; i++) {
        if (s->scheduler && !is_in(s->scheduler, schedulers[i].name)) continue;
        for (uint32_t k = 0; k < s->thread_count && t->config_count < MAX_CONFIGS; k++) {
            config* l = &t->configs[t->config_count++];
            l->how = &schedulers[i];
            l->threads = s->threads[k];
            l->frames = bench_allocate(t->frame_count, sizeof *l->frames);
        }
    }
    if (s->copies) {
        t->copy_count = s->threads[s->thread_count - 1];
        t->copy_ms = bench_allocate(t->frame_count, sizeof *t->copy_ms);
    }
    t->cores = pccd_cores_find();
    t->slot_count = (t->frame_count - 1) / KERNEL_EVERY + 1;
    for (uint32_t i = 0; i < KERNEL_KINDS * s->thread_count; i++)
        t->kernel[i % KERNEL_KINDS][i / KERNEL_KINDS] =
            bench_allocate(t->slot_count, sizeof(double));
    for (uint32_t round = 0; round < s->rounds; round++) run_round(s, t, &options, round);
}

// ---- means

/// Milliseconds per frame. `edits` (split, merge, move, pose, advance) is not part of `all`.
typedef struct means {
    double all, edits, update, refit, restructure, cull, query, low, high, sort, idle;
    double requests, refusals, locks, tasks, rebuilt;
} means;

static means mean_of(const table* t, const config* l) {
    means m = {0};
    for (uint32_t f = t->skip; f < t->frame_count; f++) {
        const fastcd_frame* x = &l->frames[f];
        m.all += fastcd_ms(x);
        m.edits += x->ms_edit;
        m.update += x->ms_update - x->ms_cull;
        m.refit += x->ms_refit;
        m.restructure += x->ms_restructure;
        m.cull += x->ms_cull;
        m.query += x->ms_detect;
        m.sort += x->ms_sort;
        m.idle += x->ms_idle;
        m.low += x->ms_low;
        m.high += x->ms_high;
        m.requests += (double)x->requests;
        m.refusals += (double)x->refusals;
        m.locks += (double)x->locks;
        m.tasks += (double)x->tasks;
        m.rebuilt += (double)x->rebuilt;
    }
    double* values = &m.all;
    for (size_t i = 0; i < sizeof m / sizeof *values; i++) values[i] /= t->frame_count - t->skip;
    return m;
}

static const config* one_thread(const table* t, const config* l) {
    while (l > t->configs && l[-1].how == l->how) l--;
    return l;
}

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

// A mean, like those of frames: both contain the time lost to other processes now and then.
static double kernel_mean(const table* t, kernel_kind kind, uint32_t n) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->slot_count; i++) {
        sum += t->kernel[kind][n][i];
        count += t->kernel[kind][n][i] > 0;
    }
    return ratio(sum, count);
}

static double kernel_speedup(const settings* s, const table* t, kernel_kind kind,
                             uint32_t threads) {
    for (uint32_t i = 0; i < s->thread_count; i++)
        if (s->threads[i] == threads)
            return ratio(kernel_mean(t, kind, 0), kernel_mean(t, kind, i));
    return NAN;
}

// Speed-up of one copy per thread over a single scene on one thread, and the share of it that one
// scene on all threads reaches.
typedef struct copies_summary {
    double ms, speedup, share;
} copies_summary;

static copies_summary summarise_copies(const settings* s, const table* t) {
    copies_summary summary = {0};
    for (uint32_t f = t->skip; f < t->frame_count; f++)
        summary.ms += t->copy_ms[f] / (t->frame_count - t->skip);
    const double one = mean_of(t, &t->configs[0]).all;
    const double all = mean_of(t, &t->configs[s->thread_count - 1]).all;
    summary.speedup = t->copy_count * ratio(one, summary.ms);
    summary.share = ratio(ratio(one, all), summary.speedup);
    return summary;
}

// Figure 8 of the paper: time shares of the parts of update and query.
static void print_shares(const table* t, const config* l) {
    means m = mean_of(t, l);
    double query = m.low + m.high > 0 ? m.low + m.high : m.query - m.sort;
    printf("  %-13s %3u threads: refit %.1f %%, rebuilding %.1f %%, culling %.1f %%, ",
           l->how->name, l->threads, 100 * ratio(m.refit, m.all), 100 * ratio(m.restructure, m.all),
           100 * ratio(m.cull, m.all));
    if (m.low + m.high > 0)
        printf("low nodes %.1f %%, high nodes %.1f %%, ", 100 * ratio(m.low, m.all),
               100 * ratio(m.high, m.all));
    else
        printf("query %.1f %%, ", 100 * ratio(query, m.all));
    printf("sorting %.1f %%, rest %.1f %%", 100 * ratio(m.sort, m.all),
           100 * ratio(m.all - m.refit - m.restructure - m.cull - query - m.sort, m.all));
    const means one = mean_of(t, one_thread(t, l));
    printf("; edits %.3f ms, speed-up with them %.2f", m.edits,
           ratio(one.all + one.edits, m.all + m.edits));
    if (m.low + m.high > 0)
        printf("; per frame %.0f tasks, %.0f requests, %.0f refused, %.1f subtrees rebuilt, %.1f "
               "locks",
               m.tasks, m.requests, m.refusals, m.rebuilt, m.locks);
    printf("\n");
}

// Variation of the kernels on one thread, over cores and time.
static void print_cores(const table* t) {
    static const char* const names[KERNEL_KINDS] = {"arithmetic", "boxes", "stores", "dense"};
    printf("  single thread, pinned to each of %u cores in turn; maximum time divided by minimum:",
           t->cores.count);
    for (int kind = 0; kind < KERNEL_KINDS; kind++) {
        double least = INFINITY, most = 0;
        for (uint32_t i = 0; i < t->slot_count; i++) {
            const double ms = t->kernel[kind][0][i];
            if (ms > 0 && ms < least) least = ms;
            if (ms > most) most = ms;
        }
        printf("%s %s %.2f", kind ? "," : "", names[kind], ratio(most, least));
    }
    printf("\n");
}

static void print_table(const settings* s, const table* t) {
    printf("%s, continuous: %u triangles at the end, frames %u to %u, %u in a row", t->scene->name,
           t->configs[0].frames[t->frame_count - 1].triangles, t->skip + 1, t->frame_count, s->row);
    if (s->patience_ms > 0) printf(", idle threads spin for %u ms", s->patience_ms);
    printf("\n");
    printf("  scheduler     threads ms/frame  speed-up  arithmetic  of it  dense  of it  boxes  of "
           "it stores  of it   "
           "refit rebuild "
           "   cull   query    sort  (speed-ups)   idle\n");
    for (uint32_t i = 0; i < t->config_count; i++) {
        const config* l = &t->configs[i];
        means m = mean_of(t, l), one = mean_of(t, one_thread(t, l));
        double speedup = ratio(one.all, m.all);
        double plain = kernel_speedup(s, t, KERNEL_ARITHMETIC, l->threads);
        double dense = kernel_speedup(s, t, KERNEL_DENSE, l->threads);
        double boxes = kernel_speedup(s, t, KERNEL_BOXES, l->threads);
        double stores = kernel_speedup(s, t, KERNEL_STORES, l->threads);
        printf("  %-13s %5u %9.3f %9.2f %11.2f %5.0f%% %6.2f %5.0f%% %6.2f %5.0f%% %6.2f %5.0f%% "
               "%7.2f %7.2f "
               "%7.2f %7.2f %7.2f "
               "%20.1f%%\n",
               l->how->name, l->threads, m.all, speedup, plain, 100 * speedup / plain, dense,
               100 * speedup / dense, boxes, 100 * speedup / boxes, stores, 100 * speedup / stores,
               ratio(one.refit, m.refit), ratio(one.restructure, m.restructure),
               ratio(one.cull, m.cull), ratio(one.query, m.query), ratio(one.sort, m.sort),
               100 * ratio(m.idle, m.query));
    }
    for (uint32_t i = 0; i < t->config_count; i++)
        if (i + 1 == t->config_count || t->configs[i + 1].how != t->configs[i].how ||
            t->configs[i].threads == 1)
            print_shares(t, &t->configs[i]);
    print_cores(t);
    if (t->copy_count) {
        const copies_summary summary = summarise_copies(s, t);
        printf("  %s: %u single-threaded copies take %.3f ms, speed-up %.2f over one; one scene on "
               "all threads reaches %.0f %% of that\n",
               t->configs[0].how->name, t->copy_count, summary.ms, summary.speedup,
               100 * summary.share);
    }
    printf("  %s\n\n", t->equal ? "all found the same contacts" : "CONTACTS DIFFER");
}

static void print_json(const settings* s, const table* t) {
    printf("{\"scene\":\"%s\",\"frames\":%u,\"skip\":%u,\"row\":%u,\"patience_ms\":%u,"
           "\"triangles\":%u,\"equal\":%s,\"lanes\":[",
           t->scene->name, t->frame_count, t->skip, s->row, s->patience_ms,
           t->configs[0].frames[t->frame_count - 1].triangles, t->equal ? "true" : "false");
    for (uint32_t i = 0; i < t->config_count; i++) {
        const config* l = &t->configs[i];
        means m = mean_of(t, l), one = mean_of(t, one_thread(t, l));
        double speedup = ratio(one.all, m.all);
        double plain = kernel_speedup(s, t, KERNEL_ARITHMETIC, l->threads);
        double dense = kernel_speedup(s, t, KERNEL_DENSE, l->threads);
        double boxes = kernel_speedup(s, t, KERNEL_BOXES, l->threads);
        double stores = kernel_speedup(s, t, KERNEL_STORES, l->threads);
        printf("%s\n{\"scheduler\":\"%s\",\"threads\":%u,\"ms\":%.4f,\"speedup\":%.3f,"
               "\"arithmetic\":%.3f,\"share_of_arithmetic\":%.4f,\"dense\":%.3f,"
               "\"share_of_dense\":%.4f,\"boxes\":%.3f,"
               "\"share_of_boxes\":%.4f,\"stores\":%.3f,\"share_of_stores\":%.4f,\"edit_ms\":%.4f,"
               "\"update_ms\":%.4f,\"refit_ms\":%.4f,\"restructure_ms\":%.4f,\"cull_ms\":%.4f,"
               "\"query_ms\":%.4f,"
               "\"sort_ms\":%.4f,\"idle_ms\":%.4f,\"low_ms\":%.4f,\"high_ms\":%.4f,"
               "\"tasks\":%.1f,\"requests\":%.1f,\"refusals\":%.1f,\"rebuilt\":%.2f,"
               "\"locks\":%.1f}",
               i ? "," : "", l->how->name, l->threads, m.all, speedup, plain, ratio(speedup, plain),
               dense, ratio(speedup, dense), boxes, ratio(speedup, boxes), stores,
               ratio(speedup, stores), m.edits, m.update, m.refit, m.restructure, m.cull, m.query,
               m.sort, m.idle, m.low, m.high, m.tasks, m.requests, m.refusals, m.rebuilt, m.locks);
    }
    printf("]");
    if (t->copy_count) {
        const copies_summary summary = summarise_copies(s, t);
        printf(",\"copies\":{\"scenes\":%u,\"ms\":%.4f,\"speedup\":%.3f,\"share\":%.4f}",
               t->copy_count, summary.ms, summary.speedup, summary.share);
    }
    printf("}");
}

static void write_csv(FILE* out, const settings* s, const table* t) {
    for (uint32_t i = 0; i < t->config_count; i++)
        for (uint32_t f = 0; f < t->frame_count; f++) {
            const fastcd_frame* x = &t->configs[i].frames[f];
            fprintf(out, "%s,%s,%u,%u,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%llu,%d,%llu\n",
                    t->scene->name, t->configs[i].how->name, t->configs[i].threads, f + 1,
                    fastcd_ms(x), x->ms_edit, x->ms_update, x->ms_refit, x->ms_restructure,
                    x->ms_cull, x->ms_detect, x->ms_sort, x->ms_idle,
                    (unsigned long long)x->contacts,
                    t->configs[i].threads == 1 ? (int)core_of(s, t, f) : -1,
                    (unsigned long long)x->rebuilt);
        }
}

int main(int argc, char** argv) {
    settings s = {.rounds = 1, .row = 1};
    int code = parse(argc, argv, &s);
    if (code >= 0) return code;
    if (s.thread_count == 0) default_threads(&s);
    FILE* csv = s.csv ? fopen(s.csv, "w") : NULL;
    if (s.csv && !csv) {
        fprintf(stderr, "fracas bench pccd: cannot write %s\n", s.csv);
        return 1;
    }
    if (csv)
        fprintf(
            csv,
            "scene,scheduler,threads,frame,ms,edit_ms,update_ms,refit_ms,restructure_ms,cull_ms,"
            "query_ms,sort_ms,idle_ms,contacts,core,rebuilt\n");
    if (s.json) printf("{\"scenes\":[");
    const char* separator = "";
    bool right = true;
    table* t = bench_allocate(1, sizeof *t);
    for (int i = 0; i < SCENES; i++) {
        if (s.scene && strcmp(s.scene, paper_scenes[i].name) != 0) continue;
        run_scene(&s, i, t);
        if (s.json) printf("%s", separator);
        separator = ",\n";
        (s.json ? print_json : print_table)(&s, t);
        if (csv) write_csv(csv, &s, t);
        right = right && t->equal;
        for (uint32_t k = 0; k < t->config_count; k++) free(t->configs[k].frames);
        for (uint32_t k = 0; k < KERNEL_KINDS * s.thread_count; k++)
            free(t->kernel[k % KERNEL_KINDS][k / KERNEL_KINDS]);
        pccd_cores_release(&t->cores);
        free(t->copy_ms);
        fflush(stdout);
    }
    free(t);
    if (s.json) printf("]}\n");
    if (csv) fclose(csv);
    if (!right) fprintf(stderr, "fracas bench pccd: contacts differ\n");
    return right ? 0 : 1;
}
