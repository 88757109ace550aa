/// @file medial_search.c  The narrow phase of rigid bodies on a device; pairs of bodies are those
/// of the broad phase on the host.
#include "cuda/medial_search.h"
#include "base/clock.h"
#include "cuda/context.h"
#include "cuda/lanes.h"
#include "cuda/medial_device.h"
#include <string.h>

enum { FIRST_CAPACITY = 256 };

static size_t entry_size(int list) {
    return list < FRC_MEDIAL_ITEM_LISTS ? sizeof(frc_medial_item) : sizeof(frc_medial_device_hit);
}

// A power of two that holds `wanted`. It stays while it is less than eight times as large, so that
// searches whose numbers differ a little are the same work for the device (frc_device_run_graph).
static uint64_t fit_room(uint64_t room, uint64_t wanted) {
    enum { LEAST = 64 };
    if (wanted <= room && room < 8 * wanted) return room;
    for (room = LEAST; room < wanted;) room *= 2;
    return room;
}

// ---- input: the number of rows, bodies, pairs and rows of pairs in one block of memory

typedef struct input {
    size_t bodies, pairs, rows, size;  // offsets in bytes; the number of rows comes first
    uint32_t row_count;
} input;

static uint32_t clusters_of(const frc_medial_mirror* m, uint32_t body) {
    return m->shapes.data[m->places.data[body].shape].cluster_count;
}

static uint32_t rows_of(const frc_medial_mirror* m, frc_body_pair pair) {
    const uint32_t a = clusters_of(m, pair.a), b = clusters_of(m, pair.b);
    return ((a > b ? a : b) + FRC_WARP - 1) / FRC_WARP;
}

static input lay_out(frc_medial_device_search* search, const frc_medial_search* s) {
    input in = {.bodies = 2 * sizeof(uint64_t)};
    for (size_t i = 0; i < s->pairs.count; i++)
        in.row_count += rows_of(&search->mirror, s->pairs.data[i]);
    search->pair_room = fit_room(search->pair_room, s->pairs.count);
    search->row_room = fit_room(search->row_room, in.row_count);
    in.pairs = in.bodies + s->step.count * sizeof(frc_medial_device_body);
    in.rows = in.pairs + search->pair_room * sizeof(frc_medial_device_pair);
    in.size = in.rows + search->row_room * sizeof(frc_medial_row);
    return in;
}

static void write_body(const frc_medial_moving* from, const frc_medial_place* place,
                       frc_medial_device_body* to) {
    *to = (frc_medial_device_body){.motion = from->body->motion,
                                   .slack = from->slack,
                                   .rounding = from->rounding,
                                   .bound = from->bound.radius,
                                   .radius = from->body->shape->info.radius,
                                   .shape = place->shape,
                                   .first_sphere = place->first_sphere,
                                   .first_cluster = place->first_cluster};
}

static void write_input(const frc_medial_mirror* m, const frc_medial_search* s, const input* in,
                        char* out) {
    frc_medial_device_body* bodies = (frc_medial_device_body*)(void*)(out + in->bodies);
    frc_medial_device_pair* pairs = (frc_medial_device_pair*)(void*)(out + in->pairs);
    frc_medial_row* rows = (frc_medial_row*)(void*)(out + in->rows);
    memcpy(out, &in->row_count, sizeof in->row_count);
    for (uint32_t i = 0; i < s->step.count; i++)
        if (s->step.moving[i].body) write_body(&s->step.moving[i], &m->places.data[i], &bodies[i]);
    for (size_t i = 0; i < s->pairs.count; i++) {
        const frc_body_pair p = s->pairs.data[i];
        pairs[i] = (frc_medial_device_pair){p.a, p.b};
        bodies[p.a].wanted = bodies[p.b].wanted = 1;
        for (uint32_t k = 0; k < rows_of(m, p); k++)
            *rows++ = (frc_medial_row){(uint32_t)i, k * FRC_WARP};
    }
}

static fracas_status make_input(frc_medial_device_search* search, const frc_medial_search* s,
                                const input* in) {
    frc_mirror* memory = &search->memory;
    search->host_input.on_host = true;
    fracas_status status = frc_device_reserve(memory, &search->host_input, in->size);
    if (status == FRACAS_OK) status = frc_device_reserve(memory, &search->input, in->size);
    if (status == FRACAS_OK) write_input(&search->mirror, s, in, search->host_input.data);
    return status;
}

// ---- the stages

static uint64_t copied_hits(const frc_medial_device_search* search) {
    const uint64_t most = search->capacity[FRC_MEDIAL_NUMBER(FRC_MEDIAL_HITS)];
    return search->hit_room < most ? search->hit_room : most;
}

static fracas_status reserve_lists(frc_medial_device_search* search) {
    const size_t size = FRC_MEDIAL_LISTS * sizeof(uint64_t);
    search->host_counts.on_host = true;
    fracas_status status = frc_device_reserve(&search->memory, &search->counts, size);
    if (status == FRACAS_OK)
        status = frc_device_reserve(&search->memory, &search->host_counts, size);
    for (int k = 0; k < FRC_MEDIAL_LISTS && status == FRACAS_OK; k++) {
        if (search->capacity[k] == 0) search->capacity[k] = FIRST_CAPACITY;
        status = frc_device_reserve(&search->memory, &search->lists[k],
                                    search->capacity[k] * entry_size(k));
    }
    search->host_hits.on_host = true;
    if (status == FRACAS_OK)
        status = frc_device_reserve(&search->memory, &search->host_hits,
                                    copied_hits(search) * sizeof(frc_medial_device_hit));
    return status;
}

static void set_lists(const frc_medial_device_search* search, frc_medial_device_step* out) {
    uint64_t* const counts = search->counts.data;
    for (int k = 0; k < FRC_MEDIAL_ITEM_LISTS; k++)
        out->items[k] = (frc_medial_items){search->lists[k].data, &counts[k], search->capacity[k]};
    for (int k = 0; k < FRC_MEDIAL_HIT_LISTS; k++) {
        const int list = FRC_MEDIAL_NUMBER(k);
        out->hits[k] =
            (frc_medial_hits){search->lists[list].data, &counts[list], search->capacity[list]};
    }
}

static frc_medial_device_step make_step(const frc_medial_device_search* search,
                                        const frc_medial_search* s, const input* in) {
    const frc_medial_mirror* m = &search->mirror;
    const char* at = search->input.data;
    frc_medial_device_step step = {
        .shapes = m->device_shapes.data,
        .spheres = m->spheres.data,
        .distances = m->distances.data,
        .primitives = m->primitives.data,
        .slots = m->slots.data,
        .clusters = m->clusters.data,
        .bodies = (const frc_medial_device_body*)(const void*)(at + in->bodies),
        .sphere_rows = m->sphere_rows.data,
        .cluster_rows = m->cluster_rows.data,
        .sphere_row_count = m->sphere_row_count,
        .cluster_row_count = m->cluster_row_count,
        .start = m->start.data,
        .end = m->end.data,
        .bulge = m->bulge.data,
        .lanes = m->lanes.data,
        .slot_paths = m->slot_paths.data,
        .cluster_paths = m->cluster_paths.data,
        .pairs = (const frc_medial_device_pair*)(const void*)(at + in->pairs),
        .pair_rows = (const frc_medial_row*)(const void*)(at + in->rows),
        .pair_row_count = search->input.data,
        .cull = s->query->broad_phase == FRACAS_MEDIAL_BROAD_PHASE_SWEEP,
        .tolerance = s->query->tolerance,
        .most_ways = search->most_ways,
        .most_motion = search->most_motion};
    set_lists(search, &step);
    return step;
}

// Larger capacities where lists were too short; false: none was.
static bool grow_lists(frc_medial_device_search* search, const uint64_t* counts) {
    bool grown = false;
    for (int k = 0; k < FRC_MEDIAL_LISTS; k++) {
        if (counts[k] <= search->capacity[k]) continue;
        search->capacity[k] = counts[k] + counts[k] / 4;
        grown = true;
    }
    return grown;
}

// Repeat until all lists were long enough.
static fracas_status find(frc_medial_device_search* search, const frc_medial_search* s,
                          const input* in, uint64_t* counts) {
    for (;;) {
        const fracas_status status = reserve_lists(search);
        if (status != FRACAS_OK) return status;
        const frc_medial_device_work work = {.step = make_step(search, s, in),
                                             .input = search->input.data,
                                             .host_input = search->host_input.data,
                                             .input_size = in->size,
                                             .host_counts = search->host_counts.data,
                                             .host_hits = search->host_hits.data,
                                             .host_hit_count = copied_hits(search)};
        if (!frc_medial_device_run(search->memory.device, &work))
            return frc_device_fail(&search->memory);
        memcpy(counts, search->host_counts.data, FRC_MEDIAL_LISTS * sizeof *counts);
        if (!grow_lists(search, counts)) return FRACAS_OK;
        search->statistics.repeats++;
    }
}

static fracas_status download_list(frc_medial_device_search* search, int list, uint64_t count,
                                   frc_device_buffer* to) {
    frc_mirror* memory = &search->memory;
    const size_t size = count * entry_size(list);
    to->on_host = true;
    if (size == 0) return FRACAS_OK;
    const fracas_status status = frc_device_reserve(memory, to, size);
    if (status != FRACAS_OK) return status;
    return frc_device_download(memory->device, to->data, search->lists[list].data, size) &&
                   frc_device_wait(memory->device)
               ? FRACAS_OK
               : frc_device_fail(memory);
}

static void count_work(frc_medial_device_search* search, frc_medial_search* s,
                       const uint64_t* counts) {
    fracas_cuda_statistics* own = &search->statistics;
    fracas_medial_statistics* all = &s->workers[0].statistics;
    own->candidates = counts[FRC_MEDIAL_CANDIDATES];
    own->filtered = counts[FRC_MEDIAL_CLOSE];
    own->undecided_quick = counts[FRC_MEDIAL_NUMBER(FRC_MEDIAL_WAYS)];
    own->undecided_roots = counts[FRC_MEDIAL_NUMBER(FRC_MEDIAL_MOTION)];
    own->decided_on_host = counts[FRC_MEDIAL_HOST];
    own->hits = counts[FRC_MEDIAL_NUMBER(FRC_MEDIAL_HITS)];
    own->device_bytes = search->memory.bytes;
    all->primitive_tests = own->candidates;
    for (size_t i = 0; i < s->pairs.count; i++) {
        const frc_body_pair p = s->pairs.data[i];
        const fracas_medial_shape *a = s->step.moving[p.a].body->shape,
                                  *b = s->step.moving[p.b].body->shape;
        all->primitive_pairs += (uint64_t)a->primitive_count * b->primitive_count;
        if (s->query->broad_phase != FRACAS_MEDIAL_BROAD_PHASE_SWEEP) continue;
        all->node_tests +=
            (uint64_t)clusters_of(&search->mirror, p.a) * clusters_of(&search->mirror, p.b);
    }
}

// Hits that were not copied with the counts, and what the host decides.
static fracas_status download_rest(frc_medial_device_search* search, const uint64_t* counts) {
    const int list = FRC_MEDIAL_NUMBER(FRC_MEDIAL_HITS);
    const fracas_status status = counts[list] > copied_hits(search)
                                     ? download_list(search, list, counts[list], &search->host_hits)
                                     : FRACAS_OK;
    search->hit_room = fit_room(search->hit_room, counts[list]);
    return status == FRACAS_OK ? download_list(search, FRC_MEDIAL_HOST, counts[FRC_MEDIAL_HOST],
                                               &search->host_items)
                               : status;
}

// The parts of a search, each after the one before has succeeded.
static fracas_status search_locked(frc_medial_device_search* search, frc_medial_search* s) {
    fracas_cuda_statistics* own = &search->statistics;
    const double begin = frc_clock_ms();
    uint64_t counts[FRC_MEDIAL_LISTS];
    memset(own, 0, sizeof *own);
    if (s->pairs.count == 0) return FRACAS_OK;
    fracas_status status = frc_medial_mirror_update(search, s);
    if (status != FRACAS_OK) return status;
    const input in = lay_out(search, s);
    status = make_input(search, s, &in);
    const double uploaded = frc_clock_ms();
    if (status == FRACAS_OK) status = find(search, s, &in, counts);
    const double found = frc_clock_ms();
    if (status == FRACAS_OK) status = download_rest(search, counts);
    if (status != FRACAS_OK) return status;
    const double downloaded = frc_clock_ms();
    s->workers[0].failed = !frc_medial_deliver(search, s, counts);
    count_work(search, s, counts);
    own->ms_upload = uploaded - begin;
    own->ms_device = found - uploaded;
    own->ms_download = downloaded - found;
    own->ms_host = frc_clock_ms() - downloaded;
    return FRACAS_OK;
}

static fracas_status run(frc_medial_search* s) {
    frc_medial_device_search* search = s->bodies->method_data;
    pthread_mutex_lock(&search->lock);
    const fracas_status status = search_locked(search, s);
    pthread_mutex_unlock(&search->lock);
    return status;
}

// ---- creation

static void release_memory(frc_medial_device_search* search) {
    frc_mirror* memory = &search->memory;
    for (int k = 0; k < FRC_MEDIAL_LISTS; k++) frc_device_buffer_release(memory, &search->lists[k]);
    frc_device_buffer_release(memory, &search->counts);
    frc_device_buffer_release(memory, &search->host_counts);
    frc_device_buffer_release(memory, &search->input);
    frc_device_buffer_release(memory, &search->host_input);
    frc_device_buffer_release(memory, &search->host_hits);
    frc_device_buffer_release(memory, &search->host_items);
    frc_medial_mirror_release(search);
    frc_device_close(memory->device);
}

static void destroy(fracas_context* context, void* data) {
    frc_medial_device_search* search = data;
    if (search->memory.device) release_memory(search);
    pthread_mutex_destroy(&search->lock);
    frc_release(context, search, sizeof *search);
}

const frc_medial_method frc_medial_cuda = {.run = run, .destroy = destroy};

fracas_status fracas_cuda_medial_bodies_create(fracas_cuda_context* cuda,
                                               fracas_medial_bodies** out) {
    if (out) *out = NULL;
    if (!cuda) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = cuda->context;
    if (!out) return frc_fail_null(context, "fracas_cuda_medial_bodies_create", "out");
    frc_medial_device_search* search = frc_allocate_zero(context, sizeof *search);
    if (!search) return frc_fail_memory(context, sizeof *search);
    if (pthread_mutex_init(&search->lock, NULL) != 0) {
        frc_release(context, search, sizeof *search);
        return frc_fail_memory(context, sizeof *search);
    }
    search->memory.context = context;
    search->most_ways = 16;
    search->most_motion = 32;
    // Streams of its own: queries of two groups of bodies may run at once.
    fracas_status status = frc_device_open(context, &cuda->options, &search->memory.device);
    if (status == FRACAS_OK)
        status = frc_medial_bodies_create(context, &frc_medial_cuda, search, out);
    if (status != FRACAS_OK) destroy(context, search);
    return status;
}

fracas_status fracas_cuda_medial_bodies_get_statistics(const fracas_medial_bodies* bodies,
                                                       fracas_cuda_statistics* out) {
    if (!bodies) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = bodies->context;
    if (!out) return frc_fail_null(context, "fracas_cuda_medial_bodies_get_statistics", "out");
    if (bodies->method != &frc_medial_cuda)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the bodies are not on a device: create them by "
                        "fracas_cuda_medial_bodies_create");
    frc_medial_device_search* search = bodies->method_data;
    pthread_mutex_lock(&search->lock);
    *out = search->statistics;
    pthread_mutex_unlock(&search->lock);
    return FRACAS_OK;
}
