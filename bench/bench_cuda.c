// fracas bench cuda: steps of public scenes on a GPU, beside the same steps on the CPU. Every
// repetition moves the points again, so that they are copied again. The contacts of both must have
// the same hash, in every repetition, before a time is printed. Times are medians; those of the
// device contain the copies and the making of contacts on the host, which have columns of their
// own.
//   fracas-bench-cuda [DATA [REPETITIONS]]
#include "fracas/cuda.h"
#include "fracas/io.h"
#include "hash.h"
#include "timing.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct step {
    const char *name, *from, *to;
} step;

static const step STEPS[] = {
    {"cloth-ball",   "cloth-ball/frames/cloth_ball92.ply",      "cloth-ball/frames/cloth_ball93.ply"},
    {"n-body",       "n-body-simulation/frames/balls16_18.ply",
     "n-body-simulation/frames/balls16_19.ply"                                                      },
    {"cloth-funnel", "cloth-funnel/frames/227.ply",             "cloth-funnel/frames/228.ply"       }
};
enum { STEP_COUNT = sizeof STEPS / sizeof STEPS[0], MOST = 1000 };

static void require(fracas_context* context, fracas_status status, const char* what) {
    char message[1024];
    if (status == FRACAS_OK) return;
    fracas_context_get_message(context, message, sizeof message);
    fprintf(stderr, "%s: %s\n", what, message);
    exit(status == FRACAS_ERROR_OUT_OF_MEMORY ? 4 : 1);
}

static fracas_mesh_file* read_frame(fracas_context* context, const char* data, const char* name) {
    char path[4096];
    fracas_mesh_file* file;
    snprintf(path, sizeof path, "%s/ccd/%s", data, name);
    require(context, fracas_mesh_file_read(context, path, NULL, &file), path);
    return file;
}

// One scene, on the CPU (`cuda` NULL) or on the device.
typedef struct subject {
    fracas_context* context;
    fracas_scene* scene;
    fracas_contacts* contacts;
    fracas_body body;
    double first, ms[MOST], parts[5][MOST];  // upload, device, download, host; the update before
    uint64_t hash;
    fracas_cuda_statistics statistics;
} subject;

static void open_subject(subject* s, fracas_context* context, fracas_cuda_context* cuda,
                         const fracas_mesh_file* from) {
    const fracas_mesh_view mesh = fracas_mesh_file_get_view(from);
    s->context = context;
    require(context,
            cuda ? fracas_cuda_scene_create(cuda, NULL, &s->scene)
                 : fracas_scene_create(context, NULL, &s->scene),
            "scene");
    require(context, fracas_contacts_create(context, &s->contacts), "contacts");
    require(context, fracas_scene_add(s->scene, &mesh, NULL, &s->body), "add");
}

static void run_once(subject* s, const fracas_mesh_file* to, bool cuda, int repetition) {
    const fracas_mesh_view mesh = fracas_mesh_file_get_view(to);
    const fracas_sink sink = fracas_contacts_get_sink(s->contacts);
    size_t count;
    require(s->context, fracas_scene_move(s->scene, s->body, &mesh.points), "move");
    const double begin = bench_now_ms();
    require(s->context, fracas_scene_update(s->scene), "update");
    const double start = bench_now_ms();
    require(s->context, fracas_scene_detect(s->scene, NULL, &sink), "detect");
    const double ms = bench_now_ms() - start;
    const fracas_contact* found = fracas_contacts_get_data(s->contacts, &count);
    const uint64_t hash = bench_hash_contacts(BENCH_HASH_START, found, count);
    if (repetition > 0 && hash != s->hash) {
        fprintf(stderr, "repetition %d found other contacts\n", repetition);
        exit(1);
    }
    s->hash = hash;
    if (repetition == 0) s->first = ms;
    s->ms[repetition] = ms;
    s->parts[4][repetition] = start - begin;
    if (!cuda) return;
    require(s->context, fracas_cuda_scene_get_statistics(s->scene, &s->statistics), "statistics");
    const double parts[4] = {s->statistics.ms_upload, s->statistics.ms_device,
                             s->statistics.ms_download, s->statistics.ms_host};
    for (int i = 0; i < 4; i++) s->parts[i][repetition] = parts[i];
}

static double median_of(double* values, int count) {
    return bench_median(values + 1, (uint32_t)count - 1);  // without the first
}

static void measure(fracas_context* context, fracas_cuda_context* cuda, const char* data,
                    const step* what, int repetitions) {
    static subject cpu, gpu;
    fracas_mesh_file* from = read_frame(context, data, what->from);
    fracas_mesh_file* to = read_frame(context, data, what->to);
    open_subject(&cpu, context, NULL, from);
    open_subject(&gpu, context, cuda, from);
    for (int i = 0; i < repetitions; i++) {
        run_once(&cpu, to, false, i);
        run_once(&gpu, to, true, i);
    }
    size_t count;
    fracas_contacts_get_data(gpu.contacts, &count);
    if (cpu.hash != gpu.hash) {
        fprintf(stderr, "%s: hash %016llx on the device, %016llx on the CPU\n", what->name,
                (unsigned long long)gpu.hash, (unsigned long long)cpu.hash);
        exit(1);
    }
    const fracas_cuda_statistics* s = &gpu.statistics;
    printf("%-13s %016llx %8zu %9llu %7llu %6llu %6llu %5llu %8.2f %8.2f %8.2f %7.2f %7.2f %7.2f "
           "%7.2f %7.2f\n",
           what->name, (unsigned long long)gpu.hash, count, (unsigned long long)s->candidates,
           (unsigned long long)s->filtered, (unsigned long long)s->undecided_quick,
           (unsigned long long)s->undecided_roots, (unsigned long long)s->decided_on_host,
           cpu.first, median_of(cpu.ms, repetitions), gpu.first, median_of(gpu.ms, repetitions),
           median_of(gpu.parts[0], repetitions), median_of(gpu.parts[1], repetitions),
           median_of(gpu.parts[2], repetitions), median_of(gpu.parts[3], repetitions));
    subject* both[2] = {&cpu, &gpu};
    for (int i = 0; i < 2; i++) {
        fracas_scene_destroy(both[i]->scene);
        fracas_contacts_destroy(both[i]->contacts);
    }
    fracas_mesh_file_destroy(from);
    fracas_mesh_file_destroy(to);
}

int main(int argc, char** argv) {
    const char *given = getenv("FRACAS_DATA"), *data = given ? given : FRACAS_DATA_DEFAULT;
    int repetitions = argc > 2 ? atoi(argv[2]) : 32;
    if (argc > 1) data = argv[1];
    if (repetitions < 2 || repetitions > MOST) repetitions = 32;
    fracas_context_options options = fracas_context_default_options();
    fracas_context* context;
    fracas_cuda_context* cuda;
    if (fracas_context_create(&options, &context) != FRACAS_OK) return 4;
    require(context, fracas_cuda_context_create(context, NULL, &cuda), "device");
    printf("%s; medians of %d repetitions, ms\n", fracas_cuda_context_get_name(cuda),
           repetitions - 1);
    printf("%-13s %-16s %8s %9s %7s %6s %6s %5s %8s %8s %8s %7s %7s %7s %7s %7s\n", "step", "hash",
           "contacts", "pairs", "filters", "quick", "roots", "host", "cpu 1st", "cpu", "gpu 1st",
           "gpu", "upload", "device", "copy", "host");
    for (int i = 0; i < STEP_COUNT; i++) measure(context, cuda, data, &STEPS[i], repetitions);
    fracas_cuda_context_destroy(cuda);
    fracas_context_destroy(context);
    return 0;
}
