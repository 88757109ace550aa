/// @file results.c  Contacts in memory of the device, or in pinned memory of the host.
///
/// As a rule all contacts are in order on the device, and the result is where they are. Where the
/// host has decided some, and for queries that are more than one search, contacts are packed on the
/// host as records and copied back.
#include "cuda/search.h"
#include "detect/worker.h"
#include "scene/scene.h"
#include <string.h>

// ---- contacts of the host

typedef struct collected {
    fracas_context* context;
    frc_contact_list contacts;
    bool failed;
} collected;

static bool collect(const fracas_contact* contact, void* user) {
    collected* list = user;
    list->failed = !FRC_ARRAY_PUSH(list->context, &list->contacts, *contact);
    return !list->failed;
}

static void pack(const fracas_contact* from, fracas_cuda_contact* to, fracas_cuda_bodies* bodies) {
    memcpy(to->a, from->a, sizeof to->a);
    memcpy(to->b, from->b, sizeof to->b);
    to->toi = from->toi, to->u = from->u, to->v = from->v;
    memcpy(to->normal, from->normal, sizeof to->normal);
    *bodies = (fracas_cuda_bodies){from->body_a.index, from->body_b.index};
}

// The contacts of a list, which is in order.
static fracas_status give_list(frc_cuda_search* search, const frc_contact_list* list,
                               fracas_cuda_place place, fracas_cuda_contacts* out) {
    frc_mirror* mirror = &search->mirror;
    const size_t size = list->count * sizeof(fracas_cuda_contact),
                 body_size = list->count * sizeof(fracas_cuda_bodies);
    if (list->count == 0) return FRACAS_OK;
    search->host_contacts.on_host = search->host_bodies.on_host = true;
    fracas_status status = frc_device_reserve(mirror, &search->host_contacts, size);
    if (status == FRACAS_OK) status = frc_device_reserve(mirror, &search->host_bodies, body_size);
    const bool on_host = place == FRACAS_CUDA_ON_HOST;
    if (status == FRACAS_OK && !on_host)
        status = frc_device_reserve(mirror, &search->contacts, size);
    if (status == FRACAS_OK && !on_host)
        status = frc_device_reserve(mirror, &search->bodies, body_size);
    if (status != FRACAS_OK) return status;
    fracas_cuda_contact* contacts = search->host_contacts.data;
    fracas_cuda_bodies* bodies = search->host_bodies.data;
    for (size_t i = 0; i < list->count; i++) pack(&list->data[i], &contacts[i], &bodies[i]);
    if (!on_host) {
        if (!frc_device_upload(mirror->device, search->contacts.data, contacts, size) ||
            !frc_device_upload(mirror->device, search->bodies.data, bodies, body_size) ||
            !frc_device_wait(mirror->device))
            return frc_device_fail(mirror);
        contacts = search->contacts.data;
        bodies = search->bodies.data;
    }
    for (size_t i = 0; i < list->count; i++) {
        fracas_cuda_range* range = &out->kinds[list->data[i].kind];
        if (range->count++ == 0) range->contacts = contacts + i, range->bodies = bodies + i;
    }
    return FRACAS_OK;
}

// ---- contacts of the device

static void give_comparisons(const frc_cuda_search* search, const frc_comparisons* all,
                             fracas_cuda_place place, fracas_cuda_contacts* out) {
    const bool on_host = place == FRACAS_CUDA_ON_HOST;
    for (uint32_t i = 0; i < all->count; i++) {
        const frc_comparison_data* data = &search->data[all->what[i]];
        const uint64_t count = all->steps[i].host_counts[FRC_COUNT_CONTACTS];
        if (count == 0) continue;
        out->kinds[frc_kind_of(all->what[i])] = (fracas_cuda_range){
            .contacts = on_host ? data->host_contacts.data : data->contacts.data,
            .bodies = on_host ? data->host_bodies.data : data->bodies.data,
            .count = count};
    }
}

// Contacts of which some are of the host: in one list, as for fracas_scene_detect.
static fracas_status list_contacts(frc_cuda_search* search, frc_search_run* run,
                                   const frc_search_options* options,
                                   const frc_comparisons* comparisons, frc_contact_list* list) {
    fracas_context* context = run->world->context;
    fracas_statistics statistics = {0};
    bool memory = true, cancelled = false;
    frc_search_begin_workers(run, options);
    run->out = list;
    const fracas_status status = frc_deliver_contacts(search, run, comparisons);
    if (status != FRACAS_OK) return status;
    frc_cuda_search_end(search, run);
    frc_search_gather(run, &statistics, &memory, &cancelled);
    if (cancelled) return frc_fail(context, FRACAS_ERROR_CANCELLED, "the query was cancelled");
    const size_t middle = list->count;
    if (!memory || !frc_sort_contacts(context, run->buffers, run->worker_count, list) ||
        !frc_merge_contacts(context, list, 0, middle))
        return frc_fail_memory(context, sizeof(frc_detect_worker));
    return FRACAS_OK;
}

// One continuous search, of which nothing is left out.
static fracas_status detect_once(frc_cuda_search* search, const fracas_query* query,
                                 fracas_cuda_place place, fracas_cuda_contacts* out) {
    const frc_world world = frc_scene_world(search->scene);
    const frc_search_options options = {
        .kind = FRC_SEARCH_CONTINUOUS,
        .query = query,
        .distance = query->min_separation,
        .progress = {0, 1}
    };
    frc_search_run run;
    frc_comparisons comparisons;
    frc_contact_list list = {0};
    if (!frc_search_open(&run, &world, options.progress)) {
        frc_search_close(&run);
        return frc_fail_memory(world.context, sizeof(frc_detect_worker));
    }
    frc_detect_worker_begin(run.workers[0], &world, &options);
    fracas_status status = frc_cuda_search_begin(search, &world);
    const bool send = place == FRACAS_CUDA_ON_HOST && !world.filter;
    if (status == FRACAS_OK) status = frc_compare_on_device(search, &run, send, &comparisons);
    if (status == FRACAS_OK && !world.filter && frc_contacts_are_complete(&comparisons)) {
        give_comparisons(search, &comparisons, place, out);
    } else if (status == FRACAS_OK) {
        status = list_contacts(search, &run, &options, &comparisons, &list);
        if (status == FRACAS_OK) status = give_list(search, &list, place, out);
    }
    search->statistics.device_bytes = search->mirror.bytes;
    FRC_ARRAY_RELEASE(world.context, &list);
    frc_search_close(&run);
    return status;
}

static fracas_status detect_and_pack(frc_cuda_search* search, const fracas_query* query,
                                     fracas_cuda_place place, fracas_cuda_contacts* out) {
    const frc_world world = frc_scene_world(search->scene);
    collected found = {.context = world.context};
    const fracas_sink sink = {.report = collect, .user = &found};
    fracas_status status = frc_scene_detect(search->scene, &world, query, &sink);
    if (status == FRACAS_OK && found.failed)
        status = frc_fail_memory(world.context, sizeof(fracas_contact));
    if (status == FRACAS_OK) status = give_list(search, &found.contacts, place, out);
    FRC_ARRAY_RELEASE(world.context, &found.contacts);
    return status;
}

fracas_status fracas_cuda_scene_detect(fracas_scene* scene, const fracas_query* given,
                                       fracas_cuda_place place, void* stream,
                                       fracas_cuda_contacts* out) {
    if (out) memset(out, 0, sizeof *out);
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = scene->context;
    if (!out) return frc_fail_null(context, "fracas_cuda_scene_detect", "out");
    frc_cuda_search* search = frc_cuda_search_of(scene);
    if (!search) return FRACAS_ERROR_INVALID_ARGUMENT;
    if ((unsigned)place > FRACAS_CUDA_ON_HOST)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT, "place %d is no fracas_cuda_place",
                        (int)place);
    const fracas_query query = given ? *given : fracas_scene_default_query();
    fracas_status status = frc_query_check(context, &query);
    if (status == FRACAS_OK)
        status = frc_scene_check_state(scene, query.modes, "fracas_cuda_scene_detect");
    if (status != FRACAS_OK) return status;
    if (frc_cancelled(context))
        return frc_fail(context, FRACAS_ERROR_CANCELLED, "the query was cancelled");
    if (!frc_device_follow(search->device, stream)) return frc_device_fail(&search->mirror);
    if (query.modes != FRACAS_MODE_CONTINUOUS || query.first || query.max_contacts > 0) {
        status = detect_and_pack(search, &query, place, out);
    } else {
        pthread_mutex_lock(&search->lock);
        status = detect_once(search, &query, place, out);
        pthread_mutex_unlock(&search->lock);
    }
    if (status != FRACAS_OK) memset(out, 0, sizeof *out);
    for (int k = 0; k < 6; k++) out->count += out->kinds[k].count;
    return status;
}
