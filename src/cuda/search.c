/// @file search.c  A search on a device, in place of a traversal of trees: one comparison for each
/// kind of pairs.
#include "cuda/search.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "detect/narrow_phase.h"
#include "scene/scene.h"
#include <string.h>

static void flush_worker(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const frc_search_run* run = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) frc_flush_candidates(run->workers[i], true);
}

static fracas_status compare_all(frc_cuda_search* search, frc_search_run* run) {
    const bool discrete = run->workers[0]->search == FRC_SEARCH_DISCRETE;
    const frc_comparison first = discrete ? FRC_COMPARE_TT : FRC_COMPARE_VF,
                         last = discrete ? FRC_COMPARE_ET : FRC_COMPARE_VV;
    fracas_status status = FRACAS_OK;
    for (int k = first; k <= (int)last && status == FRACAS_OK; k++)
        status = frc_compare_on_device(search, run, (frc_comparison)k);
    return status;
}

static void run_search(frc_search_run* run, fracas_statistics* statistics) {
    frc_cuda_search* search = run->world->method_data;
    const fracas_scene* scene = search->scene;
    const frc_scene_versions versions = {scene->shape_version, scene->update_count,
                                         (uint32_t)scene->filters.count};
    (void)statistics;
    pthread_mutex_lock(&search->lock);
    memset(&search->statistics, 0, sizeof search->statistics);
    const double start = frc_clock_ms();
    run->status = frc_mirror_update(&search->mirror, run->world, &versions);
    search->statistics.ms_upload = frc_clock_ms() - start;
    if (run->status == FRACAS_OK) run->status = compare_all(search, run);
    if (run->status == FRACAS_OK) {
        const double host = frc_clock_ms();
        frc_parallel_for(run->world->context, run->worker_count, 1, flush_worker, run);
        search->statistics.ms_host += frc_clock_ms() - host;
    }
    search->statistics.device_bytes = search->mirror.bytes;
    pthread_mutex_unlock(&search->lock);
}

frc_cuda_search* frc_cuda_search_create(const fracas_scene* scene, frc_device* device) {
    frc_cuda_search* search = frc_allocate_zero(scene->context, sizeof *search);
    if (!search) return NULL;
    if (pthread_mutex_init(&search->lock, NULL) != 0) {
        frc_release(scene->context, search, sizeof *search);
        return NULL;
    }
    search->scene = scene;
    search->mirror.context = scene->context;
    search->mirror.device = device;
    return search;
}

static void destroy(fracas_context* context, void* method_data) {
    frc_cuda_search* search = method_data;
    if (!search) return;
    frc_mirror* mirror = &search->mirror;
    for (int k = 0; k < FRC_LIST_COUNT; k++)
        frc_device_buffer_release(mirror, &search->lists.pairs[k]);
    frc_device_buffer_release(mirror, &search->lists.hits);
    frc_device_buffer_release(mirror, &search->lists.counts);
    frc_device_buffer_release(mirror, &search->lists.limbs);
    frc_device_buffer_release(mirror, &search->lists.host_hits);
    frc_device_buffer_release(mirror, &search->lists.host_pairs);
    frc_mirror_release(mirror);
    pthread_mutex_destroy(&search->lock);
    frc_release(context, search, sizeof *search);
}

const frc_search_method frc_search_cuda = {.run = run_search, .destroy = destroy};
