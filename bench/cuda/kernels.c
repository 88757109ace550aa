// Of `fracas bench cuda --kernels`: the time of each kernel of a query.
#include "cuda/run.h"
#include "timing.h"
#include <string.h>

static const char* const KINDS[] = {
    [FRACAS_CONTACT_VF] = "vf", [FRACAS_CONTACT_EE] = "ee", [FRACAS_CONTACT_VE] = "ve",
    [FRACAS_CONTACT_VV] = "vv", [FRACAS_CONTACT_TT] = "tt", [FRACAS_CONTACT_ET] = "et"};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

void cuda_kernels_measure(cuda_pair* pair) {
    frc_stage_time now[FRC_MOST_STAGE_TIMES];
    uint32_t count;
    if (!pair->bench->settings.kernels) return;
    cuda_must(pair->bench, frc_cuda_time_stages(pair->scene[CUDA_GPU], now, &count), pair->name);
    // Scenes with edits may begin with other kinds of features: then earlier times are dropped.
    if (count != pair->kernel_count) pair->kernel_queries = 0;
    for (uint32_t i = 0; i < count; i++) pair->kernel_us[i][pair->kernel_queries] = now[i].us;
    memcpy(pair->kernels, now, count * sizeof *now);
    pair->kernel_count = count;
    pair->kernel_queries++;
}

// The sum over the kernels of a kind; 0: there are none.
static double sum_of(const cuda_pair* p, const double* us, fracas_contact_kind kind) {
    double sum = 0;
    for (uint32_t i = 0; i < p->kernel_count; i++) sum += p->kernels[i].kind == kind ? us[i] : 0;
    return sum;
}

static void print_json(const cuda_pair* p, const double* us) {
    const char* between = "";
    printf(",\"kernels\":{");
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (sum_of(p, us, (fracas_contact_kind)kind) == 0) continue;
        printf("%s\"%s\":{", between, KINDS[kind]);
        const char* comma = "";
        for (uint32_t i = 0; i < p->kernel_count; i++) {
            if (p->kernels[i].kind != (fracas_contact_kind)kind) continue;
            printf("%s\"%s\":%.2f", comma, p->kernels[i].stage, us[i]);
            comma = ",";
        }
        printf("}");
        between = ",";
    }
    printf("}");
}

// One line for each kernel, with all kinds.
static void print_line(const cuda_pair* p, const double* us, const char* stage) {
    printf("  %-16s", stage);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        const double sum = sum_of(p, us, (fracas_contact_kind)kind);
        bool found = false;
        for (uint32_t i = 0; i < p->kernel_count && sum > 0; i++)
            if (p->kernels[i].kind == (fracas_contact_kind)kind &&
                !strcmp(p->kernels[i].stage, stage)) {
                printf(" %9.1f %4.0f%%", us[i], 100 * us[i] / sum);
                found = true;
            }
        if (!found && sum > 0) printf(" %9s %5s", "-", "");
    }
    printf("\n");
}

static void print_table(const cuda_pair* p, const double* us) {
    printf("  %-16s", "kernel, us");
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (sum_of(p, us, (fracas_contact_kind)kind) > 0) printf(" %9s %5s", KINDS[kind], "share");
    printf("\n");
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < i; k++) seen |= !strcmp(p->kernels[k].stage, p->kernels[i].stage);
        if (!seen) print_line(p, us, p->kernels[i].stage);
    }
    printf("  %-16s", "all");
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        const double sum = sum_of(p, us, (fracas_contact_kind)kind);
        if (sum > 0) printf(" %9.1f %5s", sum, "");
    }
    printf("\n");
}

void cuda_kernels_print(const cuda_pair* p, uint32_t warm) {
    double us[FRC_MOST_STAGE_TIMES] = {0};
    if (!p->bench->settings.kernels) return;
    const uint32_t first = p->kernel_queries > warm ? warm : 0;
    for (uint32_t i = 0; i < p->kernel_count; i++)
        us[i] = bench_median(p->kernel_us[i] + first, p->kernel_queries - first);
    (p->bench->settings.json ? print_json : print_table)(p, us);
}
