// fracas bench fastcd: scenes that move and break under each method, side by side, frame by frame.
#include "fastcd/summary.h"
#include "generate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
    const char *scene, *method, *csv;  ///< NULL: all of them; all; none
    uint32_t modes, size, frames, rounds, threads;
    bool full, json;
} settings;

static const char* const stories[] = {"cloth-ball",       "n-body",        "breaking-walls",
                                      "exploding-dragon", "pulling-apart", "merge"};
enum { STORIES = sizeof stories / sizeof *stories, SMALL = 8000 };

static void print_usage(FILE* out) {
    fprintf(
        out,
        "usage: fracas bench fastcd [--scene NAME] [--method NAME] [--mode "
        "discrete|continuous|both]\n"
        "                           [--size N] [--full] [--frames N] [--rounds N] [--threads N]\n"
        "                           [--csv FILE] [--json]\n"
        "Runs scenes under several methods in turns: update and detection of each frame, the\n"
        "smallest of N rounds (default 1). Scenes have about %d triangles, with --full those of\n"
        "the paper. Sound methods must find the same contacts; of others the missed ones are\n"
        "counted. --csv writes the time of every frame.\nScenes:",
        SMALL);
    for (int i = 0; i < STORIES; i++) fprintf(out, " %s", stories[i]);
    fprintf(out, "\nMethods:\n");
    for (uint32_t i = 0; i < fastcd_method_count; i++)
        fprintf(out, "  %-18s %s\n", fastcd_methods[i].name, fastcd_methods[i].about);
}

static bool parse_mode(const char* text, uint32_t* modes) {
    *modes = !strcmp(text, "discrete")     ? FRACAS_DISCRETE
             : !strcmp(text, "continuous") ? FRACAS_CONTINUOUS
             : !strcmp(text, "both")       ? FRACAS_BOTH
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
    if (!strcmp(name, "--rounds")) return parse_number(value, &s->rounds);
    if (!strcmp(name, "--threads")) return parse_number(value, &s->threads);
    return false;
}

static bool is_known(const settings* s) {
    bool scene = !s->scene, method = !s->method;
    for (int i = 0; i < STORIES && !scene; i++) scene = !strcmp(s->scene, stories[i]);
    for (uint32_t i = 0; i < fastcd_method_count && !method; i++)
        method = !strcmp(s->method, fastcd_methods[i].name);
    return scene && method;
}

// Exit code to end with, or -1 to go on.
static int parse(int argc, char** argv, settings* s) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return print_usage(stdout), 0;
        if (!strcmp(argv[i], "--json"))
            s->json = true;
        else if (!strcmp(argv[i], "--full"))
            s->full = true;
        else if (i + 1 < argc && parse_value(s, argv[i], argv[i + 1]))
            i++;
        else
            return print_usage(stderr), 2;
    }
    if (is_known(s)) return -1;
    return print_usage(stderr), 2;
}

// ---- one scene, one mode

// The methods that run: `none` always does, as it tells what there is to find.
static uint32_t choose_methods(const settings* s, const fastcd_method** out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < fastcd_method_count; i++)
        if (!s->method || !strcmp(fastcd_methods[i].name, s->method) ||
            fastcd_methods[i].cull == FRACAS_CULL_NONE)
            out[count++] = &fastcd_methods[i];
    return count;
}

static void show_progress(const settings* s, const fastcd_table* t, uint32_t round,
                          uint32_t frame) {
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r%s, %s: round %u of %u, frame %u of %u ", t->scene->name,
            t->mode == FRACAS_DISCRETE ? "discrete" : "continuous", round + 1, s->rounds, frame + 1,
            t->frame_count);
    if (frame + 1 == t->frame_count) fprintf(stderr, "\r%70s\r", "");
}

// All methods go through the frames side by side. One more story, whose time is nobody's, finds the
// continuous contacts that move the scene.
static void run_round(const settings* s, fastcd_table* t, const scenes_options* options,
                      uint32_t round) {
    fastcd_story leader, *others = bench_allocate(t->method_count, sizeof *others);
    fastcd_frame frame;
    fastcd_begin(&leader, t->scene, options, &fastcd_methods[0], FRACAS_CONTINUOUS, 2);
    for (uint32_t m = 0; m < t->method_count; m++)
        fastcd_begin(&others[m], t->scene, options, t->methods[m], t->mode, s->threads);
    for (uint32_t f = 0; f < t->frame_count; f++) {
        size_t count;
        const fracas_contact* found = fracas_contacts_data(leader.contacts, &count);
        // The method that begins changes: what comes first finds the caches cold.
        for (uint32_t i = 0; i < t->method_count; i++) {
            uint32_t m = (i + f) % t->method_count;
            fastcd_next(&others[m], found, count, &frame);
            fastcd_record(t, m, f, &frame, round > 0);
        }
        fastcd_next(&leader, found, count, &frame);
        show_progress(s, t, round, f);
    }
    for (uint32_t m = 0; m < t->method_count; m++) fastcd_end(&others[m]);
    fastcd_end(&leader);
    free(others);
}

static fastcd_table run_scene(const settings* s, const scenes_scene* scene, uint32_t mode) {
    const fastcd_method** methods = bench_allocate(fastcd_method_count, sizeof *methods);
    scenes_options options = {.size = s->size ? s->size : s->full ? 0 : SMALL};
    fastcd_table t = {.scene = scene, .mode = mode, .methods = methods};
    t.method_count = choose_methods(s, methods);
    t.frame_count = s->frames ? s->frames : scenes_frames(scene, &options);
    t.frames = bench_allocate((size_t)t.method_count * t.frame_count, sizeof *t.frames);
    for (uint32_t round = 0; round < s->rounds; round++) run_round(s, &t, &options, round);
    fastcd_summarise(&t);
    return t;
}

int main(int argc, char** argv) {
    settings s = {.modes = FRACAS_BOTH, .rounds = 1, .threads = 1};
    int code = parse(argc, argv, &s);
    if (code >= 0) return code;
    FILE* csv = s.csv ? fopen(s.csv, "w") : NULL;
    if (s.csv && !csv) {
        fprintf(stderr, "fracas bench fastcd: cannot write %s\n", s.csv);
        return 1;
    }
    if (csv) fastcd_csv_header(csv);
    if (s.json) printf("{\"scenes\":[");
    const char* separator = "";
    bool right = true;
    for (int i = 0; i < STORIES; i++) {
        if (s.scene && strcmp(s.scene, stories[i])) continue;
        for (uint32_t mode = FRACAS_DISCRETE; mode <= FRACAS_CONTINUOUS; mode++) {
            if (!(s.modes & mode)) continue;
            fastcd_table t = run_scene(&s, scenes_find(stories[i]), mode);
            if (s.json) printf("%s", separator);
            separator = ",\n";
            right &= s.json ? fastcd_print_json(&t) : fastcd_print(&t);
            if (csv) fastcd_csv(csv, &t);
            fastcd_free(&t);
            fflush(stdout);
        }
    }
    if (s.json) printf("]}\n");
    if (csv) fclose(csv);
    if (!right) fprintf(stderr, "fracas bench fastcd: a sound method found other contacts\n");
    return right ? 0 : 1;
}
