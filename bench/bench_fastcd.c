// fracas bench fastcd: scenes that move and break, under each method, interleaved frame by frame.
#include "fastcd/overhead.h"
#include "generate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
    const char *scene, *method, *csv;  ///< NULL: all scenes; all methods; no CSV file
    uint32_t modes, size, frames, rounds, threads;
    bool full, json, details, overhead;
    bool cpu_clock;  ///< one thread: its CPU time
} settings;

static const char* const scene_names[] = {"cloth-ball",       "n-body",        "breaking-walls",
                                          "exploding-dragon", "pulling-apart", "merge"};
enum { SCENES = sizeof scene_names / sizeof *scene_names, SMALL = 2000 };

static void print_usage(FILE* out) {
    fprintf(
        out,
        "usage: fracas bench fastcd [--scene NAME] [--method NAME,...] [--mode "
        "discrete|continuous|both]\n"
        "                           [--size N] [--full] [--frames N] [--rounds N] [--threads N]\n"
        "                           [--clock wall|cpu] [--details] [--overhead] [--csv FILE] "
        "[--json]\n"
        "Runs scenes under several methods, interleaved: update and detection of each frame,\n"
        "the minimum of N rounds (default 1). Scenes have about %d triangles, with --full as\n"
        "many as in the paper. Sound methods must find the same contacts; for the others missed\n"
        "contacts are counted. --clock cpu measures the CPU time of one thread. --csv writes the\n"
        "time of every frame. --details also prints time shares, culling ratios, memory, and each\n"
        "frame that changes the topology; --json always includes them. --overhead measures the\n"
        "cost of topology changes instead: it runs exploding-dragon and its pre-cut version under\n"
        "fracas, none and without-grid-cost, or under --method.\n"
        "Scenes:",
        SMALL);
    for (int i = 0; i < SCENES; i++) fprintf(out, " %s", scene_names[i]);
    fprintf(out, "\nMethods:\n");
    for (uint32_t i = 0; i < fastcd_method_count; i++) {
        const fastcd_method* m = &fastcd_methods[i];
        fprintf(out, m->like ? "  %-20s %s, but: %s\n" : "  %-20s %s%s\n", m->name,
                m->like ? m->like : "", m->but);
    }
}

static bool parse_mode(const char* text, uint32_t* modes) {
    *modes = !strcmp(text, "discrete")     ? FRACAS_MODE_DISCRETE
             : !strcmp(text, "continuous") ? FRACAS_MODE_CONTINUOUS
             : !strcmp(text, "both")       ? FRACAS_MODE_BOTH
                                           : 0;
    return *modes != 0;
}

static bool parse_number(const char* text, uint32_t* out) {
    char* end;
    unsigned long value = strtoul(text, &end, 10);
    *out = (uint32_t)value;
    return *text >= '0' && *text <= '9' && !*end && value >= 1 && value <= 100000000;
}

static bool parse_value(settings* s, const char* name, const char* value) {
    if (!strcmp(name, "--scene")) return s->scene = value, true;
    if (!strcmp(name, "--method")) return s->method = value, true;
    if (!strcmp(name, "--csv")) return s->csv = value, true;
    if (!strcmp(name, "--mode")) return parse_mode(value, &s->modes);
    if (!strcmp(name, "--size")) return parse_number(value, &s->size);
    if (!strcmp(name, "--frames")) return parse_number(value, &s->frames);
    if (!strcmp(name, "--clock")) {
        s->cpu_clock = !strcmp(value, "cpu");
        return s->cpu_clock || !strcmp(value, "wall");
    }
    if (!strcmp(name, "--rounds")) return parse_number(value, &s->rounds);
    if (!strcmp(name, "--threads")) return parse_number(value, &s->threads);
    return false;
}

static bool parse_flag(settings* s, const char* name) {
    if (!strcmp(name, "--json")) return s->json = true;
    if (!strcmp(name, "--full")) return s->full = true;
    if (!strcmp(name, "--details")) return s->details = true;
    if (!strcmp(name, "--overhead")) return s->overhead = true;
    return false;
}

// Whether `name` is in the comma-separated `list`.
static bool is_listed(const char* list, const char* name) {
    for (size_t length; *list; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        if (length == strlen(name) && !strncmp(list, name, length)) return true;
    }
    return false;
}

static bool is_known(const settings* s) {
    bool scene = !s->scene;
    size_t listed = 1, known = 0;
    for (int i = 0; i < SCENES && !scene; i++) scene = !strcmp(s->scene, scene_names[i]);
    for (const char* c = s->method; c && *c; c++) listed += *c == ',';
    for (uint32_t i = 0; i < fastcd_method_count && s->method; i++)
        known += is_listed(s->method, fastcd_methods[i].name);
    return scene && (!s->method || known == listed);
}

// Returns the exit code, or -1 to continue.
static int parse(int argc, char** argv, settings* s) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return print_usage(stdout), 0;
        if (parse_flag(s, argv[i])) continue;
        if (i + 1 == argc || !parse_value(s, argv[i], argv[i + 1])) return print_usage(stderr), 2;
        i++;
    }
    if (!is_known(s)) return print_usage(stderr), 2;
    if (!s->overhead) return -1;
    if (!s->scene) s->scene = "exploding-dragon";
    bool can = scenes_find(s->scene)->takes_pre_cut && s->frames != 1;
    if (!can)
        fprintf(stderr, "fracas bench fastcd: --overhead needs a scene that can be pre-cut, "
                        "exploding-dragon, and at least two frames\n");
    return can ? -1 : 2;
}

// ---- one scene, one mode

static bool is_chosen(const settings* s, const fastcd_method* method) {
    // Methods without culling are the baseline of culling ratios; `none` also gives the contacts
    // that the others are compared with.
    if (!strcmp(method->name, "none")) return true;
    if (s->method && !strcmp(method->name, "t-ccd-none") && strstr(s->method, "t-ccd")) return true;
    if (s->method) return is_listed(s->method, method->name);
    if (method->only_named) return false;
    return !s->overhead || !strcmp(method->name, "fracas") ||
           !strcmp(method->name, "without-grid-cost");
}

static uint32_t choose_methods(const settings* s, const fastcd_method** out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < fastcd_method_count; i++)
        if (is_chosen(s, &fastcd_methods[i])) out[count++] = &fastcd_methods[i];
    return count;
}

static void show_progress(const settings* s, const fastcd_table* t, uint32_t round,
                          uint32_t frame) {
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r%s, %s: round %u of %u, frame %u of %u ", t->scene->name,
            fastcd_mode_name(t), round + 1, s->rounds, frame + 1, t->frame_count);
    if (frame + 1 == t->frame_count) fprintf(stderr, "\r%70s\r", "");
}

// One scene under all methods. A reference run, which is not timed, finds the continuous contacts
// that all solvers get.
typedef struct run_set {
    fastcd_run reference, *runs;  // one run per method
    fastcd_track track;           // of the reference
} run_set;

// The i-th method to run. Odd rounds use the reverse order, because the order of execution and of
// allocation changes times by some percent.
static uint32_t method_at(const fastcd_table* t, uint32_t i, uint32_t round) {
    return round % 2 ? t->method_count - 1 - i : i;
}

static void open_run_set(const settings* s, const fastcd_table* t, run_set* c, uint32_t round) {
    c->runs = bench_allocate(t->method_count, sizeof *c->runs);
    fastcd_begin(&c->reference, t->scene, &t->options, &fastcd_methods[0], FRACAS_MODE_CONTINUOUS,
                 (fastcd_threads){2, 0});
    fastcd_track_open(&c->track, &c->reference);
    for (uint32_t i = 0; i < t->method_count; i++) {
        const uint32_t m = method_at(t, i, round);
        fastcd_begin(&c->runs[m], t->scene, &t->options, t->methods[m], t->mode,
                     (fastcd_threads){s->threads, 0});
        c->runs[m].cpu_clock = s->cpu_clock && s->threads == 1;
    }
}

static void close_run_set(fastcd_table* t, run_set* c) {
    for (uint32_t m = 0; m < t->method_count; m++) {
        t->memory[m] = fastcd_memory_of(&c->runs[m]);
        fastcd_end(&c->runs[m]);
    }
    fastcd_track_close(&c->track);
    fastcd_end(&c->reference);
    free(c->runs);
}

static void run_frame(fastcd_table* t, run_set* c, uint32_t f, uint32_t round) {
    fastcd_frame frame;
    size_t count;
    const fracas_contact* found = fracas_contacts_get_data(c->reference.contacts, &count);
    // The first method of a frame finds cold caches, so each frame starts with another one.
    for (uint32_t i = 0; i < t->method_count; i++) {
        const uint32_t m = method_at(t, (i + f) % t->method_count, round);
        fastcd_next(&c->runs[m], found, count, &frame);
        fastcd_record(t, m, f, &frame, round > 0);
    }
    fastcd_next(&c->reference, found, count, &frame);
    fastcd_track_step(&c->track, &c->reference);
}

// Runs all frames, interleaving methods and versions of the scene. Returns the distance between the
// two versions after the last frame.
static fastcd_apart run_round(const settings* s, fastcd_table* tables, uint32_t count,
                              uint32_t round) {
    run_set run_sets[2];
    for (uint32_t i = 0; i < count; i++) open_run_set(s, &tables[i], &run_sets[i], round);
    for (uint32_t f = 0; f < tables[0].frame_count; f++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t version = (i + f) % count;  // again another one first in each frame
            run_frame(&tables[version], &run_sets[version], f, round);
        }
        show_progress(s, &tables[0], round, f);
    }
    fastcd_apart apart = fastcd_track_apart(&run_sets[0].track, &run_sets[count - 1].track);
    for (uint32_t i = 0; i < count; i++) close_run_set(&tables[i], &run_sets[i]);
    return apart;
}

// Fills one table, or with --overhead two: of the breaking and of the pre-cut version.
static fastcd_apart run_scene(const settings* s, const scenes_scene* scene, uint32_t mode,
                              fastcd_table* tables, uint32_t count) {
    fastcd_apart apart = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const fastcd_method** methods = bench_allocate(fastcd_method_count, sizeof *methods);
        scenes_options options = {.size = s->size   ? s->size
                                          : s->full ? 0
                                                    : SMALL,
                                  .pre_cut = i == 1};
        tables[i] = (fastcd_table){.scene = scene, .options = options, .mode = mode};
        tables[i].methods = methods;
        tables[i].method_count = choose_methods(s, methods);
        tables[i].frame_count = s->frames ? s->frames : scenes_frames(scene, &options);
        fastcd_table_open(&tables[i]);
    }
    for (uint32_t round = 0; round < s->rounds; round++) apart = run_round(s, tables, count, round);
    for (uint32_t i = 0; i < count; i++) fastcd_summarise(&tables[i]);
    return apart;
}

static void print_result(const settings* s, const fastcd_table* tables, fastcd_apart apart) {
    if (s->overhead)
        s->json ? fastcd_print_overhead_json(tables, apart) : fastcd_print_overhead(tables, apart);
    else
        s->json ? fastcd_print_json(tables) : fastcd_print(tables);
    if (s->details && !s->json)
        for (int i = 0; i < 1 + s->overhead; i++) {
            if (s->overhead) fastcd_print(&tables[i]);
            fastcd_print_details(&tables[i]);
        }
    fflush(stdout);
}

// Returns whether all sound methods found the same contacts.
static bool run_mode(const settings* s, const scenes_scene* scene, uint32_t mode, FILE* csv) {
    fastcd_table tables[2];
    const uint32_t count = s->overhead ? 2 : 1;
    bool right = true;
    fastcd_apart apart = run_scene(s, scene, mode, tables, count);
    print_result(s, tables, apart);
    for (uint32_t i = 0; i < count; i++) {
        right &= fastcd_is_right(&tables[i]);
        if (csv) fastcd_csv(csv, &tables[i]);
        fastcd_free(&tables[i]);
    }
    return right;
}

int main(int argc, char** argv) {
    settings s = {.modes = FRACAS_MODE_BOTH, .rounds = 1, .threads = 1};
    int code = parse(argc, argv, &s);
    if (code >= 0) return code;
    FILE* csv = s.csv ? fopen(s.csv, "w") : NULL;
    if (s.csv && !csv) {
        fprintf(stderr, "fracas bench fastcd: cannot write %s\n", s.csv);
        return 1;
    }
    if (csv) fastcd_csv_header(csv);
    if (s.json) printf("{\"%s\":[", s.overhead ? "overhead" : "scenes");
    const char* separator = "";
    bool right = true;
    for (int i = 0; i < SCENES; i++) {
        if (s.scene && strcmp(s.scene, scene_names[i])) continue;
        for (uint32_t mode = FRACAS_MODE_DISCRETE; mode <= FRACAS_MODE_CONTINUOUS; mode++) {
            if (!(s.modes & mode)) continue;
            if (s.json) printf("%s", separator);
            separator = ",\n";
            right &= run_mode(&s, scenes_find(scene_names[i]), mode, csv);
        }
    }
    if (s.json) printf("]}\n");
    if (csv) fclose(csv);
    if (!right) fprintf(stderr, "fracas bench fastcd: a sound method found other contacts\n");
    return right ? 0 : 1;
}
