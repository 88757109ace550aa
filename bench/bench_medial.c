// fracas-bench-medial [PART ...] [options]: medial meshes of real surfaces (models), and contacts
// in time of the published scenes beside trees of boxes and spheres (scenes). One thread. Fails
// when a check does.
#include "arguments.h"
#include "medial/kit.h"
#include <stdio.h>
#include <string.h>

typedef struct part {
    const char* name;
    bench_part_fn* run;
    const char* words;
    bool wanted;
} part;

static part parts[] = {
    {"models", bench_models, "medial meshes of real surfaces",                        false},
    {"scenes", bench_scenes, "the published scenes, beside trees of boxes and balls", false},
    {"device", bench_device, "the same scenes on a GPU; only when named",             false},
};
enum { PARTS = sizeof parts / sizeof *parts, DEFAULT_PARTS = 2 };

void bench_need(const bench_settings* settings, fracas_status status, const char* what) {
    if (status == FRACAS_OK) return;
    char message[400] = "";
    fracas_context_get_message(settings->context, message, sizeof message);
    fprintf(stderr, "%s: %s\n", what, message);
    exit(4);
}

void* bench_memory(void* memory) {
    if (memory) return memory;
    fprintf(stderr, "out of memory\n");
    exit(4);
}

static void print_usage(void) {
    printf("usage: fracas bench medial [PART ...] [options]\n\n");
    for (int i = 0; i < PARTS; i++) printf("  %-12s %s\n", parts[i].name, parts[i].words);
    printf("\n  --full       scenes: trees of boxes and spheres in every step, not every fourth;\n"
           "               other broad phases are run in every fortieth\n"
           "with the part scenes alone:\n"
           "  --scene NAME only this scene\n"
           "  --csv FILE   a line per scene and step\n"
           "  --json       one object instead of tables\n"
           "with the part device alone:\n"
           "  --scene NAME, --csv FILE as above\n"
           "  --copies N   the scene N times side by side, in every fortieth step; default 1\n");
}

static bool choose(const char* name) {
    for (int i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0) return parts[i].wanted = true;
    return false;
}

// Returns the exit code, or -1 to continue.
static int parse(int argc, char** argv, bench_settings* settings) {
    const char* csv = NULL;
    uint64_t copies = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) return print_usage(), 0;
        if (choose(argv[i])) continue;
        if (strcmp(argv[i], "--full") == 0)
            settings->full = true;
        else if (strcmp(argv[i], "--json") == 0)
            settings->json = true;
        else if (strcmp(argv[i], "--scene") == 0 && i + 1 < argc)
            settings->scene = argv[++i];
        else if (strcmp(argv[i], "--copies") == 0 && i + 1 < argc &&
                 bench_parse_number(argv[i + 1], 1, 100000, &copies))
            i++;
        else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc)
            csv = argv[++i];
        else
            return bench_refuse("medial", argv[i]);
    }
    int wanted = 0;
    for (int i = 0; i < PARTS; i++) wanted += parts[i].wanted;
    const bool scenes_alone = wanted == 1 && parts[1].wanted;
    const bool device_alone = wanted == 1 && parts[2].wanted;
    settings->copies = (uint32_t)copies;
    if (copies > 1 && !device_alone) return bench_refuse("medial", "--copies");
    if ((settings->json || ((csv || settings->scene) && !device_alone)) && !scenes_alone)
        return bench_refuse("medial", csv ? "--csv" : settings->json ? "--json" : "--scene");
    for (int i = 0; i < DEFAULT_PARTS && wanted == 0; i++) parts[i].wanted = true;
    if (csv && !(settings->csv = fopen(csv, "w"))) {
        perror(csv);
        return 2;
    }
    return -1;
}

int main(int argc, char** argv) {
    bench_settings settings = {0};
    bool passed = true;
    const int code = parse(argc, argv, &settings);
    if (code >= 0) return code;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    if (fracas_context_create(&options, &settings.context) != FRACAS_OK) return 4;
    for (int i = 0; i < PARTS; i++)
        if (parts[i].wanted) passed = parts[i].run(&settings) && passed;
    fracas_context_destroy(settings.context);
    const bool incomplete = settings.csv && ferror(settings.csv) != 0;
    if (settings.csv && (fclose(settings.csv) != 0 || incomplete)) {
        fprintf(stderr, "the CSV file cannot be written\n");
        return 4;
    }
    return passed ? 0 : 1;
}
