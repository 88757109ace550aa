// fracas-bench-fragment [PART ...] [--full]: fragments of rigid solids: how exact depths are after
// fractures (field), how long fractures take (update), whether few contacts are enough (bowl), and
// the published scenes (scenes). One thread; everything but times is the same in every run of one
// build. Fails when a check does.
#include "fragment/kit.h"
#include <stdio.h>
#include <string.h>

typedef struct part {
    const char* name;
    bench_part_fn* run;
    const char* words;
    bool wanted;
} part;

static part parts[] = {
    {"field",  bench_field,  "error of depths after fractures",                false},
    {"update", bench_update, "time of a fracture, and of queries after it",    false},
    {"bowl",   bench_bowl,   "penetration for different numbers of contacts",  false},
    {"scenes", bench_scenes, "the published scenes beside the published data", false},
};
enum { PARTS = sizeof parts / sizeof *parts };

static int usage(FILE* out, int code) {
    fprintf(out, "usage: fracas bench fragment [PART ...] [--full]\n\n");
    for (int i = 0; i < PARTS; i++) fprintf(out, "  %-8s %s\n", parts[i].name, parts[i].words);
    fprintf(out, "  --full   as many runs as the published experiments had; bowl: for hours\n");
    return code;
}

static bool choose(const char* name) {
    for (int i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0) return parts[i].wanted = true;
    return false;
}

int main(int argc, char** argv) {
    bench_settings settings = {0};
    bool all = true, passed = true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) return usage(stdout, 0);
        if (strcmp(argv[i], "--full") == 0)
            settings.full = true;
        else if (choose(argv[i]))
            all = false;
        else
            return usage(stderr, 2);
    }
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    if (fracas_context_create(&options, &settings.context) != FRACAS_OK) bench_memory(NULL);
    for (int i = 0, first = 1; i < PARTS; i++) {
        if (!all && !parts[i].wanted) continue;
        if (!first) printf("\n");
        first = 0;
        passed &= parts[i].run(&settings);
        fflush(stdout);
    }
    fracas_context_destroy(settings.context);
    return passed ? 0 : 1;
}
