/// @file cuda_kit.h  Scenes on a device beside scenes on the CPU. The device is emulated, except in
/// the programs test_gpu_*.
#pragma once
#include "context_kit.h"
#include "fracas/cuda.h"

/// Two scenes in one context, which get the same edits: 0 on the CPU, 1 on the device.
typedef struct cuda_kit {
    fracas_context* context;
    fracas_cuda_context* cuda;
    fracas_scene* scene[2];
    fracas_contacts* found[2];
    uint64_t contacts;  // that were compared
} cuda_kit;

static inline cuda_kit cuda_kit_open(uint32_t workers) {
    cuda_kit k = {.context = kit_context(workers, NULL)};
    KIT_OK(k.context, fracas_cuda_context_create(k.context, NULL, &k.cuda));
    KIT_OK(k.context, fracas_scene_create(k.context, NULL, &k.scene[0]));
    KIT_OK(k.context, fracas_cuda_scene_create(k.cuda, NULL, &k.scene[1]));
    for (int i = 0; i < 2; i++) KIT_OK(k.context, fracas_contacts_create(k.context, &k.found[i]));
    return k;
}

static inline void cuda_kit_close(cuda_kit* k) {
    for (int i = 0; i < 2; i++) {
        fracas_contacts_destroy(k->found[i]);
        fracas_scene_destroy(k->scene[i]);
    }
    fracas_cuda_context_destroy(k->cuda);
    fracas_context_destroy(k->context);
}

/// Memory of an emulated device is that of the context, and of allocations it knows the ends.
static inline bool cuda_kit_is_emulated(const cuda_kit* k) {
    return strcmp(fracas_cuda_context_get_name(k->cuda), "emulated") == 0;
}

/// The same contacts bit for bit; returns their number.
static inline size_t cuda_kit_require_same(const fracas_contacts* a, const fracas_contacts* b,
                                           const char* what) {
    size_t count[2];
    const fracas_contact* x = fracas_contacts_get_data(a, &count[0]);
    const fracas_contact* y = fracas_contacts_get_data(b, &count[1]);
    if (count[0] != count[1])
        fail_msg("%s: %zu contacts on the CPU, %zu on the device", what, count[0], count[1]);
    for (size_t i = 0; i < count[0]; i++)
        if (memcmp(&x[i], &y[i], sizeof x[i]) != 0)
            fail_msg("%s: contact %zu of %zu is another: kind %d %d, time %a %a", what, i, count[0],
                     (int)x[i].kind, (int)y[i].kind, x[i].toi, y[i].toi);
    return count[0];
}

/// Update both scenes, and compare a query.
static inline size_t cuda_kit_detect(cuda_kit* k, const fracas_query* query, const char* what) {
    fracas_statistics statistics[2];
    for (int i = 0; i < 2; i++) {
        fracas_sink sink = fracas_contacts_get_sink(k->found[i]);
        sink.statistics = &statistics[i];
        KIT_OK(k->context, fracas_scene_update(k->scene[i]));
        KIT_OK(k->context, fracas_scene_detect(k->scene[i], query, &sink));
    }
    // Ignored pairs are counted where boxes overlap, which are others on the CPU.
    if (!(query && query->siblings == FRACAS_SIBLINGS_IGNORE) &&
        statistics[0].siblings_left_out != statistics[1].siblings_left_out)
        fail_msg("%s: %llu siblings left out on the CPU, %llu on the device", what,
                 (unsigned long long)statistics[0].siblings_left_out,
                 (unsigned long long)statistics[1].siblings_left_out);
    const size_t count = cuda_kit_require_same(k->found[0], k->found[1], what);
    k->contacts += count;
    return count;
}

static inline fracas_cuda_statistics cuda_kit_statistics(const cuda_kit* k) {
    fracas_cuda_statistics s;
    KIT_OK(k->context, fracas_cuda_scene_get_statistics(k->scene[1], &s));
    return s;
}
