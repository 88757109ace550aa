// Of `fracas bench cuda`: a scene on the CPU and on a device, and the table of times.
#include "cuda/run.h"
#include "hash.h"
#include "timing.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void cuda_must(const cuda_bench* bench, fracas_status status, const char* what) {
    char message[1024];
    if (status == FRACAS_OK) return;
    fracas_context_get_message(bench->context, message, sizeof message);
    fprintf(stderr, "fracas bench cuda: %s: %s\n", what, message);
    exit(status == FRACAS_ERROR_OUT_OF_MEMORY ? 4 : 1);
}

bool cuda_wanted(const cuda_bench* bench, const char* name) {
    return !bench->settings.only || strcmp(bench->settings.only, name) == 0;
}

// ---- a scene on both

void cuda_pair_open(cuda_pair* pair, const cuda_bench* bench, const char* name) {
    *pair = (cuda_pair){.bench = bench, .name = name, .hash = BENCH_HASH_START};
    cuda_must(bench, fracas_scene_create(bench->context, NULL, &pair->scene[CUDA_CPU]), name);
    cuda_must(bench, fracas_cuda_scene_create(bench->cuda, NULL, &pair->scene[CUDA_GPU]), name);
    for (int i = 0; i < CUDA_SIDES; i++)
        cuda_must(bench, fracas_contacts_create(bench->context, &pair->contacts[i]), name);
}

void cuda_pair_close(cuda_pair* pair) {
    for (int i = 0; i < CUDA_SIDES; i++) {
        fracas_contacts_destroy(pair->contacts[i]);
        fracas_scene_destroy(pair->scene[i]);
    }
    for (int k = 0; k < CUDA_TIMES; k++) free(pair->ms[k]);
    for (int k = 0; k < FRC_MOST_STAGE_TIMES; k++) free(pair->kernel_us[k]);
}

static void reserve(cuda_pair* pair) {
    if (pair->queries < pair->capacity) return;
    pair->capacity = 2 * pair->capacity + 64;
    for (int k = 0; k < CUDA_TIMES; k++) {
        double* grown = realloc(pair->ms[k], pair->capacity * sizeof *grown);
        if (!grown) exit(4);
        pair->ms[k] = grown;
    }
    for (int k = 0; k < FRC_MOST_STAGE_TIMES && pair->bench->settings.kernels; k++) {
        double* grown = realloc(pair->kernel_us[k], pair->capacity * sizeof *grown);
        if (!grown) exit(4);
        pair->kernel_us[k] = grown;
    }
}

// The hash over the contacts of one scene; sets its times.
static uint64_t query_side(cuda_pair* pair, int side, const fracas_query* query, double ms[2],
                           size_t* count) {
    const fracas_sink sink = fracas_contacts_get_sink(pair->contacts[side]);
    const double begin = bench_now_ms();
    cuda_must(pair->bench, fracas_scene_update(pair->scene[side]), pair->name);
    const double updated = bench_now_ms();
    cuda_must(pair->bench, fracas_scene_detect(pair->scene[side], query, &sink), pair->name);
    ms[1] = bench_now_ms() - updated;
    ms[0] = updated - begin;
    const fracas_contact* found = fracas_contacts_get_data(pair->contacts[side], count);
    return bench_hash_contacts(BENCH_HASH_START, found, *count);
}

size_t cuda_pair_query(cuda_pair* pair, const fracas_query* query) {
    size_t count[CUDA_SIDES];
    uint64_t hash[CUDA_SIDES];
    reserve(pair);
    for (int i = 0; i < CUDA_SIDES; i++) {
        double ms[2];
        hash[i] = query_side(pair, i, query, ms, &count[i]);
        pair->ms[i == CUDA_CPU ? CUDA_MS_CPU_UPDATE : CUDA_MS_UPDATE][pair->queries] = ms[0];
        pair->ms[i == CUDA_CPU ? CUDA_MS_CPU : CUDA_MS_GPU][pair->queries] = ms[1];
    }
    if (hash[CUDA_CPU] != hash[CUDA_GPU]) {
        fprintf(stderr,
                "fracas bench cuda: %s, query %u: %zu contacts with hash %016" PRIx64
                " on the device, %zu with %016" PRIx64 " on the CPU\n",
                pair->name, pair->queries, count[CUDA_GPU], hash[CUDA_GPU], count[CUDA_CPU],
                hash[CUDA_CPU]);
        exit(1);
    }
    cuda_must(pair->bench, fracas_cuda_scene_get_statistics(pair->scene[CUDA_GPU], &pair->work),
              pair->name);
    const fracas_cuda_statistics* s = &pair->work;
    pair->ms[CUDA_MS_DEVICE][pair->queries] = s->ms_device;
    pair->ms[CUDA_MS_RECORDS][pair->queries] = s->ms_upload + s->ms_device + s->ms_download;
    cuda_kernels_measure(pair);
    pair->queries++;
    pair->hash = bench_hash_word(pair->hash, hash[CUDA_GPU]);
    pair->contact_count += count[CUDA_GPU];
    pair->candidates += s->candidates;
    pair->filtered += s->filtered;
    pair->quick += s->undecided_quick;
    pair->roots += s->undecided_roots;
    pair->on_host += s->decided_on_host;
    return count[CUDA_GPU];
}

// ---- output

void cuda_begin(cuda_bench* bench, const char* mode, const char* what) {
    bench->rows = 0;
    if (bench->settings.json) {
        printf(",\"%s\":[", mode);
        return;
    }
    printf("\n%s: %s\n", mode, what);
    printf("%-27s %-16s %7s %9s %10s %8s %7s %7s %8s | %8s %8s | %8s %8s %8s %8s\n", "scene",
           "hash", "queries", "contacts", "pairs", "filters", "quick", "roots", "host", "update",
           "cpu", "update", "device", "records", "gpu");
}

void cuda_end(cuda_bench* bench) {
    if (bench->settings.json) printf("]");
}

// Of a series without its first `warm`: it is sorted.
static double median(double* values, uint32_t count, uint32_t warm) {
    return count > warm ? bench_median(values + warm, count - warm) : 0;
}

static void print_json(const cuda_bench* bench, const cuda_pair* p, uint32_t warm,
                       const double ms[CUDA_TIMES]) {
    printf("%s\n{\"scene\":\"%s\",\"hash\":\"%016" PRIx64 "\",\"queries\":%u,\"contacts\":%" PRIu64
           ",\"candidates\":%" PRIu64 ",\"filtered\":%" PRIu64 ",\"undecided_quick\":%" PRIu64
           ",\"undecided_roots\":%" PRIu64 ",\"decided_on_host\":%" PRIu64
           ",\"device_bytes\":%" PRIu64,
           bench->rows ? "," : "", p->name, p->hash, p->queries, p->contact_count, p->candidates,
           p->filtered, p->quick, p->roots, p->on_host, p->work.device_bytes);
    printf(",\"ms\":{\"cpu_update\":%.4f,\"cpu\":%.4f,\"update\":%.4f,\"device\":%.4f,"
           "\"records\":%.4f,\"call\":%.4f}",
           ms[CUDA_MS_CPU_UPDATE], ms[CUDA_MS_CPU], ms[CUDA_MS_UPDATE], ms[CUDA_MS_DEVICE],
           ms[CUDA_MS_RECORDS], ms[CUDA_MS_GPU]);
    cuda_records_print(p);
    cuda_kernels_print(p, warm);
    printf("}");
}

void cuda_row(cuda_bench* bench, cuda_pair* p, uint32_t warm) {
    double ms[CUDA_TIMES];
    for (int k = 0; k < CUDA_TIMES; k++) ms[k] = median(p->ms[k], p->queries, warm);
    if (bench->settings.json)
        print_json(bench, p, warm, ms);
    else
        printf("%-27s %016" PRIx64 " %7u %9" PRIu64 " %10" PRIu64 " %8" PRIu64 " %7" PRIu64
               " %7" PRIu64 " %8" PRIu64 " | %8.2f %8.2f | %8.2f %8.2f %8.2f %8.2f\n",
               p->name, p->hash, p->queries, p->contact_count, p->candidates, p->filtered, p->quick,
               p->roots, p->on_host, ms[CUDA_MS_CPU_UPDATE], ms[CUDA_MS_CPU], ms[CUDA_MS_UPDATE],
               ms[CUDA_MS_DEVICE], ms[CUDA_MS_RECORDS], ms[CUDA_MS_GPU]);
    if (!bench->settings.json) {
        cuda_records_print(p);
        cuda_kernels_print(p, warm);
    }
    fflush(stdout);
    bench->rows++;
}
