/// @file search.c  A search on a device, in place of a traversal of trees: one comparison for each
/// kind of pairs.
#include "cuda/search.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "cuda/watch.h"
#include "detect/narrow_phase.h"
#include "scene/scene.h"
#include <string.h>

static void flush_worker(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const frc_search_run* run = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) frc_flush_candidates(run->workers[i], true);
}

static uint32_t bits_of(size_t count) {
    return count > 1 ? 64 - frc_leading_zeros((uint64_t)count - 1) : 0;
}

// The largest numbers of bodies, points and triangles.
static void measure_numbers(frc_cuda_search* search) {
    const fracas_scene* scene = search->scene;
    size_t points = 0, triangles = 0;
    if (search->mirror.valid && search->measured_shape == scene->shape_version) return;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const frc_body* body = &scene->bodies.data[i];
        points = body->points.count > points ? body->points.count : points;
        triangles = body->triangles.count > triangles ? body->triangles.count : triangles;
    }
    search->body_bits = bits_of(scene->bodies.count);
    search->point_bits = bits_of(points);
    search->triangle_bits = bits_of(triangles);
    search->measured_shape = scene->shape_version;
}

fracas_status frc_cuda_search_begin(frc_cuda_search* search, const frc_world* world) {
    memset(&search->statistics, 0, sizeof search->statistics);
    const double start = frc_clock_ms();
    measure_numbers(search);
    // A filter of pairs calls functions of the caller, which may ask for positions.
    fracas_status status = world->filter ? frc_cuda_fetch_locked(search) : FRACAS_OK;
    if (status == FRACAS_OK) status = frc_mirror_update(&search->mirror, search->scene);
    search->statistics.ms_upload = frc_clock_ms() - start;
    search->statistics.uploaded_bytes = search->mirror.uploaded;
    search->statistics.changed_clusters = search->mirror.changed_clusters;
    return status;
}

void frc_cuda_search_end(frc_cuda_search* search, frc_search_run* run) {
    const double start = frc_clock_ms();
    frc_parallel_for(run->world->context, run->worker_count, 1, flush_worker, run);
    search->statistics.ms_host += frc_clock_ms() - start;
    search->statistics.device_bytes = search->mirror.bytes;
}

static void run_search(frc_search_run* run, fracas_statistics* statistics) {
    frc_cuda_search* search = run->world->method_data;
    frc_comparisons comparisons;
    const bool send = run->out && !run->world->filter;
    (void)statistics;
    pthread_mutex_lock(&search->lock);
    run->status = frc_cuda_search_begin(search, run->world);
    if (run->status == FRACAS_OK)
        run->status = frc_compare_on_device(search, run, send, &comparisons);
    if (run->status == FRACAS_OK) run->status = frc_deliver_contacts(search, run, &comparisons);
    if (run->status == FRACAS_OK) frc_cuda_search_end(search, run);
    if (run->status == FRACAS_OK) frc_watch_clusters(&search->mirror, search->scene);
    pthread_mutex_unlock(&search->lock);
}

fracas_status frc_cuda_search_create(fracas_scene* scene, frc_device* device,
                                     frc_cuda_search** out) {
    frc_cuda_search* search = frc_allocate_zero(scene->context, sizeof *search);
    *out = NULL;
    if (!search) return frc_fail_memory(scene->context, sizeof *search);
    if (pthread_mutex_init(&search->lock, NULL) != 0) {
        frc_release(scene->context, search, sizeof *search);
        return frc_fail_memory(scene->context, sizeof search->lock);
    }
    search->scene = scene;
    search->device = device;
    search->mirror.context = scene->context;
    search->mirror.device = device;
    *out = search;
    return FRACAS_OK;
}

static void release_data(frc_mirror* mirror, frc_comparison_data* data) {
    frc_device_buffer* const buffers[] = {
        &data->hits,        &data->limbs,         &data->counts,      &data->sums,
        &data->names,       &data->order,         &data->contacts,    &data->bodies,
        &data->host_counts, &data->host_contacts, &data->host_bodies, &data->host_pairs};
    for (int k = 0; k < FRC_LIST_COUNT; k++) frc_device_buffer_release(mirror, &data->pairs[k]);
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        frc_device_buffer_release(mirror, buffers[k]);
}

static void destroy(fracas_context* context, void* method_data) {
    frc_cuda_search* search = method_data;
    if (!search) return;
    for (int k = 0; k < FRC_COMPARISON_COUNT; k++) release_data(&search->mirror, &search->data[k]);
    frc_device_buffer* const buffers[] = {
        &search->staged,        &search->views,      &search->input,    &search->host_input,
        &search->bad,           &search->host_bad,   &search->contacts, &search->bodies,
        &search->host_contacts, &search->host_bodies};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        frc_device_buffer_release(&search->mirror, buffers[k]);
    FRC_ARRAY_RELEASE(context, &search->host_views);
    frc_mirror_release(&search->mirror);
    frc_device_close(search->device);
    pthread_mutex_destroy(&search->lock);
    frc_release(context, search, sizeof *search);
}

static bool follow(fracas_scene* scene) {
    frc_cuda_search* search = scene->search_data;
    return frc_follow(&search->mirror.followed, scene);
}

const frc_search_method frc_search_cuda = {.whole_steps = true,
                                           .run = run_search,
                                           .destroy = destroy,
                                           .keeps_positions = true,
                                           .follow = follow,
                                           .fetch = frc_cuda_fetch,
                                           .advance = frc_cuda_advance};
