// fracas bench cuda: queries on a GPU beside the same queries on the CPU. The contacts of both must
// have the same hash in every query before a time is printed.
#include "arguments.h"
#include "cuda/run.h"
#include "device.h"

typedef struct mode {
    const char* name;
    void (*run)(cuda_bench* bench);
    const char* data;  // a file of the test data that it needs, or NULL
    bool on_request;
} mode;

static const mode MODES[] = {
    {"frames",  cuda_frames,  "ccd/cloth-ball/frames/cloth_ball92.ply", false},
    {"queries", cuda_queries, "queries/LICENSE",                        false},
    {"scenes",  cuda_scenes,  NULL,                                     false},
    {"edits",   cuda_edits,   NULL,                                     true },
    {"copies",  cuda_copies,  NULL,                                     true },
    {"poses",   cuda_poses,   NULL,                                     true }
};
enum { MODE_COUNT = sizeof MODES / sizeof MODES[0] };

static void print_usage(void) {
    printf(
        "usage: fracas bench cuda [MODE] [--device cuda|cuda:N] [--scene NAME] [--size N]\n"
        "                         [--frames N] [--repetitions N] [--threads N]\n"
        "                         [--mode continuous|discrete|both] [--kernels] [--json]\n"
        "Queries on a GPU beside the same queries on the CPU: hash, pairs that each stage left,\n"
        "and medians of milliseconds. Exits with 1 when a contact has other bits.\n"
        "modes (default: the first three):\n"
        "  frames   a step between two frames of the test data, repeated (default 31 times)\n"
        "  queries  published queries, compared with their truth\n"
        "  scenes   built-in scenes with their edits:");
    for (const char* const* name = cuda_scene_names; *name; name++) printf(" %s", *name);
    printf("\n  edits    each frame of exploding-dragon and breaking-walls as a whole\n"
           "  copies   many copies of a mesh, all of which move: --size triangles (6 million)\n"
           "  poses    likewise, of rigid bodies\n"
           "--kernels, of rows with a hash: microseconds of each kernel, run by itself after the\n"
           "query, and its share of the kernels of its kind of contacts");
    printf("\ncolumns: queries; contacts; pairs whose boxes overlap, left by the filters, by the\n"
           "quick roots, by the roots, decided on the host; of the CPU: update and detection; of\n"
           "the GPU: update, stages on the device, records on the host, the whole call. Below rows "
           "of\n"
           "frames: a step from positions on the host to records on the device or on the host\n");
}

static bool parse_count(const char* text, uint32_t* out) {
    uint64_t value;
    if (!bench_parse_number(text, 1, 100000000, &value)) return false;
    *out = (uint32_t)value;
    return true;
}

static bool parse_value(cuda_settings* s, const char* name, const char* value) {
    static const char* const modes[] = {"", "discrete", "continuous", "both"};
    uint32_t number;
    if (!strcmp(name, "--device")) return s->device = value, bench_device_parse(value, &number);
    if (!strcmp(name, "--scene")) return s->only = value, true;
    if (!strcmp(name, "--size")) return parse_count(value, &s->size);
    if (!strcmp(name, "--frames")) return parse_count(value, &s->frames);
    if (!strcmp(name, "--repetitions")) return parse_count(value, &s->repetitions);
    if (!strcmp(name, "--threads")) return parse_count(value, &s->threads);
    for (uint32_t i = 1; i < 4 && !strcmp(name, "--mode"); i++)
        if (!strcmp(value, modes[i])) return s->modes = i, true;
    return false;
}

// Returns the exit code, or -1 to continue. `only` is the mode that is given, or NULL.
static int parse(int argc, char** argv, cuda_settings* s, const mode** only) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return print_usage(), 0;
        if (!strcmp(argv[i], "--json") || !strcmp(argv[i], "--kernels")) {
            *(argv[i][2] == 'j' ? &s->json : &s->kernels) = true;
            continue;
        }
        const mode* given = NULL;
        for (int k = 0; k < MODE_COUNT; k++)
            if (!strcmp(argv[i], MODES[k].name)) given = &MODES[k];
        if (given && !*only)
            *only = given;
        else if (i + 1 == argc || !parse_value(s, argv[i], argv[i + 1]))
            return bench_refuse("cuda", argv[i]);
        else
            i++;
    }
    return -1;
}

// A mode without its data is left out, unless it is asked for.
static bool has_data(const cuda_settings* s, const mode* what) {
    char path[4096];
    if (!what->data) return true;
    snprintf(path, sizeof path, "%s/%s", s->data, what->data);
    FILE* file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static int run(cuda_bench* bench, const mode* only) {
    const cuda_settings* s = &bench->settings;
    if (only && !has_data(s, only)) {
        fprintf(stderr, "fracas bench cuda: there is no %s in %s: set FRACAS_DATA\n", only->data,
                s->data);
        return 1;
    }
    const char* name = fracas_cuda_context_get_name(bench->cuda);
    const uint32_t workers = fracas_context_get_worker_count(bench->context);
    printf(s->json ? "{\"device\":\"%s\",\"threads\":%u" : "device: %s; CPU: %u threads\n", name,
           workers);
    for (int k = 0; k < MODE_COUNT; k++)
        if (only ? only == &MODES[k] : !MODES[k].on_request && has_data(s, &MODES[k]))
            MODES[k].run(bench);
    if (s->json) printf("}\n");
    return 0;
}

int main(int argc, char** argv) {
    const mode* only = NULL;
    cuda_bench bench = {
        .settings = {.device = "cuda",
                     .data = bench_data_folder(),
                     .repetitions = 31,
                     .modes = FRACAS_MODE_CONTINUOUS}
    };
    int code = parse(argc, argv, &bench.settings, &only);
    if (code >= 0) return code;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = bench.settings.threads;
    if (fracas_context_create(&options, &bench.context) != FRACAS_OK) return 4;
    code = bench_device_open("cuda", bench.context, bench.settings.device, &bench.cuda);
    if (code == 0) code = run(&bench, only);
    fracas_cuda_context_destroy(bench.cuda);
    fracas_context_destroy(bench.context);
    return code;
}
