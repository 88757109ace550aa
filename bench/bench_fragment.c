// fracas-bench-fragment [PART ...] [--full]: fragments of rigid solids: how exact depths are after
// fractures (field), how long fractures take (update, resolution), whether few contacts are enough
// (bowl, spread), and the published scenes (scenes, rolling, steps). One thread, but bowl uses all
// processors; everything but times is the same in every run of one build. Fails when a check does.
#include "arguments.h"
#include "fragment/kit.h"
#include <stdio.h>
#include <string.h>

typedef struct part {
    const char* name;
    bench_part_fn* run;
    const char* words;
    bool has_csv;
    bool is_long;  ///< takes minutes: runs when it is named, or with --full
} part;

static const part parts[] = {
    {"field",      bench_field,      "error of depths after fractures",                 true,  false},
    {"update",     bench_update,     "time of a fracture, and of queries after it",     false, false},
    {"resolution", bench_resolution, "the same for finer surfaces and finer insides",   false, false},
    {"spread",     bench_spread,     "distribution of few contacts of broken blocks",   false, false},
    {"bowl",       bench_bowl,       "penetration for different numbers of contacts",   false, false},
    {"rolling",    bench_rolling,    "contacts of a rolling plate, selected and all",   true,  false},
    {"steps",      bench_steps,      "times and contacts of two scenes, step for step", true,  true },
    {"scenes",     bench_scenes,     "the published scenes beside the published data",  false, true },
};
enum { PARTS = sizeof parts / sizeof *parts };
static bool wanted_parts[PARTS];

static void print_usage(void) {
    printf("usage: fracas bench fragment [PART ...] [--full] [--csv FILE] [--drops N] "
           "[--processes N]\n\n");
    for (int i = 0; i < PARTS; i++) printf("  %-10s %s\n", parts[i].name, parts[i].words);
    printf("\nWithout a part all but steps and scenes, which take minutes.\n"
           "  --full         all parts, as many runs as the experiments of the paper; bowl: for "
           "hours\n"
           "  --csv FILE     with one part: field: points of a slice; rolling, steps: each "
           "step\n"
           "  --drops N      bowl: drops for each number of contacts (default: 10)\n"
           "  --processes N  bowl: drops at the same time (default: one per processor)\n");
}

static bool choose(const char* name) {
    for (int i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0) return wanted_parts[i] = true;
    return false;
}

static bool parse_number(const char* text, uint32_t* out) {
    char* end;
    const unsigned long value = strtoul(text, &end, 10);
    *out = (uint32_t)value;
    return *text >= '0' && *text <= '9' && !*end && value >= 1 && value <= 1000000;
}

static bool parse_value(bench_settings* s, const char* name, const char* value) {
    if (strcmp(name, "--csv") == 0) return s->csv = value, true;
    if (strcmp(name, "--drops") == 0) return parse_number(value, &s->drops);
    if (strcmp(name, "--processes") == 0) return parse_number(value, &s->processes);
    return false;
}

// Returns the exit code, or -1 to continue.
static int parse(int argc, char** argv, bench_settings* settings) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) return print_usage(), 0;
        if (choose(argv[i])) continue;
        if (strcmp(argv[i], "--full") == 0)
            settings->full = true;
        else if (i + 1 < argc && parse_value(settings, argv[i], argv[i + 1]))
            i++;
        else
            return bench_refuse("fragment", argv[i]);
    }
    int wanted = 0, with_csv = 0;
    for (int i = 0; i < PARTS; i++) {
        wanted += wanted_parts[i];
        with_csv += wanted_parts[i] && parts[i].has_csv;
    }
    if (settings->csv && (wanted != 1 || with_csv != 1)) {
        fprintf(stderr, "fracas bench fragment: --csv needs one part, field, rolling or steps\n");
        return 2;
    }
    for (int i = 0; i < PARTS && wanted == 0; i++)
        wanted_parts[i] = settings->full || !parts[i].is_long;
    return -1;
}

int main(int argc, char** argv) {
    bench_settings settings = {0};
    const int code = parse(argc, argv, &settings);
    if (code >= 0) return code;
    bool passed = true;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    if (fracas_context_create(&options, &settings.context) != FRACAS_OK) bench_memory(NULL);
    for (int i = 0, first = 1; i < PARTS; i++) {
        if (!wanted_parts[i]) continue;
        if (!first) printf("\n");
        first = 0;
        passed &= parts[i].run(&settings);
        fflush(stdout);
    }
    fracas_context_destroy(settings.context);
    return passed ? 0 : 1;
}
