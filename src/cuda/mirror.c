/// @file mirror.c  Copies a scene to the device: all of an array where most of it has changed, else
/// the changed records, which one copy brings to the device and one kernel puts in place.
#include "cuda/mirror.h"
#include "base/parallel.h"
#include "cuda/lanes.h"
#include <string.h>

fracas_status frc_device_fail(const frc_mirror* mirror) {
    return frc_fail(mirror->context, FRACAS_ERROR_INTERNAL, "the CUDA device has failed: %s",
                    frc_device_error(mirror->device));
}

void frc_device_buffer_release(frc_mirror* mirror, frc_device_buffer* buffer) {
    if (buffer->on_host)
        frc_device_release_host(mirror->device, buffer->data, buffer->size);
    else
        frc_device_release(mirror->device, buffer->data, buffer->size);
    if (!buffer->on_host) mirror->bytes -= buffer->size;
    *buffer = (frc_device_buffer){.on_host = buffer->on_host};
}

static void* allocate(frc_mirror* mirror, bool on_host, size_t size) {
    return on_host ? frc_device_allocate_host(mirror->device, size)
                   : frc_device_allocate(mirror->device, size);
}

fracas_status frc_device_reserve(frc_mirror* mirror, frc_device_buffer* buffer, size_t size) {
    const size_t more = buffer->size + buffer->size / 2, least = size > 0 ? size : 1;
    const size_t wanted = least > more ? least : more;
    if (buffer->data && size <= buffer->size) return FRACAS_OK;
    frc_device_buffer_release(mirror, buffer);
    buffer->data = allocate(mirror, buffer->on_host, wanted);
    if (!buffer->data)
        return frc_fail(mirror->context, FRACAS_ERROR_OUT_OF_MEMORY,
                        "%s has no memory left for %zu bytes of CUDA device %s",
                        buffer->on_host ? "the host" : "the device", wanted,
                        frc_device_name(mirror->device));
    buffer->size = wanted;
    if (!buffer->on_host) mirror->bytes += wanted;
    return FRACAS_OK;
}

fracas_status frc_mirror_upload(frc_mirror* mirror, frc_device_buffer* to, const void* from,
                                size_t size) {
    const fracas_status status = frc_device_reserve(mirror, to, size);
    if (status != FRACAS_OK) return status;
    mirror->uploaded += size;
    return frc_device_upload(mirror->device, to->data, from, size) ? FRACAS_OK
                                                                   : frc_device_fail(mirror);
}

// ---- changes

// The patches of one update; their positions and records are packed into one piece of memory.
typedef struct update {
    frc_mirror* mirror;
    const fracas_scene* scene;
    frc_patches patches;
    size_t offset[FRC_MOST_PATCHES][2];  // of positions and of records
    size_t size;
    bool all_points, all_names, all_triangles, all_features[FRC_SET_COUNT];
    bool last_points;  // of all points positions at the end of the step alone
} update;

static size_t round_up(size_t size) { return (size + 15) / 16 * 16; }

// Room for a patch; returns its number.
static uint32_t add_patch(update* u, const frc_device_buffer* to, size_t count, size_t record) {
    const uint32_t n = u->patches.count++;
    u->patches.list[n] = (frc_patch){
        .to = to->data, .count = (uint32_t)count, .words = (uint32_t)(record / sizeof(uint32_t))};
    u->offset[n][0] = u->size;
    u->offset[n][1] = u->size + round_up(count * sizeof(uint32_t));
    u->size = u->offset[n][1] + count * record;
    return n;
}

static uint32_t* positions_of(const update* u, uint32_t patch) {
    return (uint32_t*)((char*)u->mirror->packed.data + u->offset[patch][0]);
}

static void* records_of(const update* u, uint32_t patch) {
    return (char*)u->mirror->packed.data + u->offset[patch][1];
}

static fracas_status send_patches(update* u) {
    frc_mirror* mirror = u->mirror;
    if (u->patches.count == 0) return FRACAS_OK;
    const fracas_status status =
        frc_mirror_upload(mirror, &mirror->patches, mirror->packed.data, u->size);
    if (status != FRACAS_OK) return status;
    for (uint32_t i = 0; i < u->patches.count; i++) {
        const char* data = mirror->patches.data;
        u->patches.list[i].at = (const uint32_t*)(data + u->offset[i][0]);
        u->patches.list[i].from = (const uint32_t*)(data + u->offset[i][1]);
    }
    return frc_device_patch(mirror->device, &u->patches) ? FRACAS_OK : frc_device_fail(mirror);
}

// A buffer of that size at least, and a quarter more when it grows, so that the first edits do not
// enlarge it: to allocate memory of the device, and memory of the host that is pinned, takes
// longer than to copy what a body that shatters has changed.
static fracas_status reserve_more(frc_mirror* mirror, frc_device_buffer* buffer, size_t size) {
    if (buffer->data && size <= buffer->size) return FRACAS_OK;
    return frc_device_reserve(mirror, buffer, size + size / 4);
}

// The same. `*lost`: it has no contents.
static fracas_status ensure(frc_mirror* mirror, frc_device_buffer* buffer, size_t size,
                            bool* lost) {
    *lost |= !buffer->data || size > buffer->size;
    return reserve_more(mirror, buffer, size);
}

// ---- features

// Boxes over that many boxes.
static size_t over(size_t boxes) { return (boxes + FRC_WARP - 1) / FRC_WARP; }

static fracas_status reserve_set(update* u, frc_set_kind kind) {
    frc_mirror* mirror = u->mirror;
    frc_mirrored_set* copy = &mirror->copies[kind];
    const frc_slots* slots = &mirror->followed.sets[kind];
    const size_t clusters = frc_slots_cluster_count(slots), count = slots->features.count;
    bool* all = &u->all_features[kind];
    *all = !mirror->valid || 2 * slots->changed.count > clusters;
    const size_t bundles = over(clusters), groups = over(bundles);
    fracas_status status = ensure(mirror, &copy->features, count * sizeof(frc_feature), all);
    if (status == FRACAS_OK)
        status = reserve_more(mirror, &copy->boxes, count * sizeof(frc_bounds));
    if (status == FRACAS_OK)
        status = reserve_more(mirror, &copy->clusters, clusters * sizeof(frc_bounds));
    if (status == FRACAS_OK)
        status = reserve_more(mirror, &copy->bundles, bundles * sizeof(frc_bounds));
    if (status == FRACAS_OK)
        status = reserve_more(mirror, &copy->groups, groups * sizeof(frc_bounds));
    return status;
}

enum {
    GRAIN = 2048,  // points or triangles of one task
    CLUSTERS = 64  // clusters of one task
};

typedef struct packing {
    const frc_slots* slots;
    uint32_t* at;
    char* to;
} packing;

static void pack_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    enum { SIZE = FRC_WARP * sizeof(frc_feature) };
    const packing* p = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        p->at[i] = p->slots->changed.data[i];
        memcpy(p->to + (size_t)i * SIZE, &p->slots->features.data[(size_t)p->at[i] * FRC_WARP],
               SIZE);
    }
}

static void pack_clusters(const update* u, frc_set_kind kind, uint32_t patch) {
    packing p = {&u->mirror->followed.sets[kind], positions_of(u, patch), records_of(u, patch)};
    frc_parallel_for(u->mirror->context, (uint32_t)p.slots->changed.count, CLUSTERS, pack_some, &p);
}

frc_feature_set frc_mirror_set(const frc_mirror* mirror, frc_set_kind kind) {
    const frc_mirrored_set* copy = &mirror->copies[kind];
    const size_t clusters = frc_slots_cluster_count(&mirror->followed.sets[kind]);
    return (frc_feature_set){.features = copy->features.data,
                             .boxes = copy->boxes.data,
                             .clusters = copy->clusters.data,
                             .bundles = copy->bundles.data,
                             .groups = copy->groups.data,
                             .cluster_count = (uint32_t)clusters,
                             .bundle_count = (uint32_t)over(clusters),
                             .group_count = (uint32_t)over(over(clusters))};
}

// ---- bodies and points

// All filters, where one has changed.
static fracas_status copy_bodies(update* u) {
    frc_mirror* mirror = u->mirror;
    const size_t count = u->scene->filters.count;
    bool changed = !mirror->valid || count != mirror->filters.count;
    if (!FRC_ARRAY_RESERVE(mirror->context, &mirror->filters, count))
        return frc_fail_memory(mirror->context, count * sizeof(frc_device_body));
    mirror->all_collide = true;
    mirror->filters.count = count;
    for (size_t i = 0; i < count; i++) {
        const frc_body_filter* f = &u->scene->filters.data[i];
        const frc_device_body now = {f->group, f->mask, f->self_collision, 0, f->thickness};
        changed = changed || memcmp(&now, &mirror->filters.data[i], sizeof now) != 0;
        mirror->filters.data[i] = now;
        mirror->all_collide &= f->self_collision && f->mask == UINT32_MAX && f->group == UINT32_MAX;
    }
    if (!changed) return FRACAS_OK;
    return frc_mirror_upload(mirror, &mirror->bodies, mirror->filters.data,
                             count * sizeof(frc_device_body));
}

typedef struct copying {
    const frc_point* points;
    const uint32_t* ids;  // NULL: all, in order
    frc_moving_point* positions;
    frc_point_name* names;  // one of the two may be NULL
} copying;

static void copy_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const copying* c = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const frc_point* p = &c->points[c->ids ? c->ids[i] : i];
        for (int k = 0; k < 3 && c->positions; k++)
            memcpy(c->positions[i].x[k], frc_point_axis(p, k), sizeof c->positions[i].x[k]);
        if (c->names) memcpy(c->names[i].tag, p->tag, sizeof c->names[i].tag);
    }
}

static void copy_points(const update* u, size_t count, copying* c) {
    c->points = u->scene->topology.points.data;
    frc_parallel_for(u->mirror->context, (uint32_t)count, GRAIN, copy_some, c);
}

static fracas_status copy_all_points(update* u) {
    frc_mirror* mirror = u->mirror;
    const size_t count = u->scene->topology.points.count;
    const size_t size = count * sizeof(frc_moving_point),
                 name_size = count * sizeof(frc_point_name);
    fracas_status status = FRACAS_OK;
    mirror->positions.on_host = mirror->tags.on_host = true;
    if (mirror->newer) u->all_points = false;
    if (u->all_points) status = reserve_more(mirror, &mirror->positions, size);
    if (status == FRACAS_OK && u->all_names)
        status = reserve_more(mirror, &mirror->tags, name_size);
    if (status != FRACAS_OK) return status;
    copying c = {.positions = u->all_points ? mirror->positions.data : NULL,
                 .names = u->all_names ? mirror->tags.data : NULL};
    copy_points(u, count, &c);
    if (u->all_points)
        status = frc_mirror_upload(mirror, &mirror->points, mirror->positions.data, size);
    if (status == FRACAS_OK && u->all_names)
        status = frc_mirror_upload(mirror, &mirror->names, mirror->tags.data, name_size);
    return status;
}

// The points of bodies that have moved, but for rigid ones; `ids` NULL: their number, at most.
static size_t list_moved(const update* u, uint32_t* ids) {
    const frc_changes* bodies = &u->mirror->followed.bodies;
    size_t count = 0;
    for (size_t i = 0; i < bodies->count; i++) {
        const frc_body* body = &u->scene->bodies.data[bodies->ids[i]];
        if (body->motion == FRACAS_MOTION_RIGID) continue;
        if (!ids) count += body->live_points;
        for (size_t k = 0; ids && k < body->points.count; k++)
            if (body->points.data[k] != FRACAS_NONE) ids[count++] = body->points.data[k];
    }
    return count;
}

// Numbers of patches, or FRACAS_NONE.
typedef struct point_patches {
    uint32_t positions, names, rest;
} point_patches;

static void pack_points(const update* u, size_t moved, const point_patches* p) {
    const frc_changes* changed = &u->mirror->followed.points;
    if (p->positions != FRACAS_NONE) {
        uint32_t* at = positions_of(u, p->positions);
        if (moved > 0) list_moved(u, at);
        if (changed->count) memcpy(at + moved, changed->ids, changed->count * sizeof *at);
        copying c = {.ids = at, .positions = records_of(u, p->positions)};
        copy_points(u, moved + changed->count, &c);
    }
    if (p->names != FRACAS_NONE) {
        uint32_t* at = positions_of(u, p->names);
        memcpy(at, changed->ids, changed->count * sizeof *at);
        copying c = {.ids = at, .names = records_of(u, p->names)};
        copy_points(u, changed->count, &c);
    }
    if (p->rest != FRACAS_NONE) {
        uint32_t* at = positions_of(u, p->rest);
        memcpy(at, changed->ids, changed->count * sizeof *at);
        frc_pack_rest(u->scene, at, changed->count, records_of(u, p->rest));
    }
}

// ---- triangles

typedef struct numbering {
    const frc_triangle* triangles;
    const uint32_t* ids;  // NULL: all, in order
    uint32_t *at, *to;
} numbering;

static void number_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const numbering* n = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t id = n->ids ? n->ids[i] : i;
        if (n->at) n->at[i] = id;
        n->to[i] = n->triangles[id].number;
    }
}

static void number_triangles(const update* u, size_t count, numbering* n) {
    n->triangles = u->scene->topology.triangles.data;
    frc_parallel_for(u->mirror->context, (uint32_t)count, GRAIN, number_some, n);
}

static fracas_status copy_all_triangles(update* u) {
    frc_mirror* mirror = u->mirror;
    const size_t count = u->scene->topology.triangles.count;
    mirror->numbers.on_host = true;
    const fracas_status status = reserve_more(mirror, &mirror->numbers, count * sizeof(uint32_t));
    if (status != FRACAS_OK) return status;
    numbering n = {.to = mirror->numbers.data};
    number_triangles(u, count, &n);
    return frc_mirror_upload(mirror, &mirror->triangles, n.to, count * sizeof(uint32_t));
}

static void pack_triangles(const update* u, uint32_t patch) {
    const frc_changes* changed = &u->mirror->followed.triangles;
    numbering n = {.ids = changed->ids, .at = positions_of(u, patch), .to = records_of(u, patch)};
    number_triangles(u, changed->count, &n);
}

// ---- all

// Room for the changes of a frame that shatters bodies, made when everything is copied: they are up
// to half of it, with the position of each record, and a quarter more for bodies that grow. Pinned
// memory takes 0.4 ms for a megabyte.
static fracas_status reserve_packed(update* u) {
    enum { MOST = 64 << 20 };
    frc_mirror* mirror = u->mirror;
    const size_t most = mirror->uploaded / 4 * 3, wanted = most < MOST ? most : MOST;
    mirror->packed.on_host = true;
    if (mirror->valid || wanted <= mirror->packed.size) return FRACAS_OK;
    const fracas_status status = frc_device_reserve(mirror, &mirror->packed, wanted);
    return status == FRACAS_OK ? frc_device_reserve(mirror, &mirror->patches, wanted) : status;
}

static fracas_status reserve_all(update* u, size_t moved) {
    frc_mirror* mirror = u->mirror;
    const frc_followed* f = &mirror->followed;
    const size_t points = u->scene->topology.points.count;
    u->all_names = !mirror->valid || f->everything || 2 * f->points.count > points;
    const size_t triangles = u->scene->topology.triangles.count;
    u->all_triangles = !mirror->valid || f->everything || 2 * f->triangles.count > triangles;
    const bool many = 2 * (moved + f->points.count) > points;
    u->all_points = u->all_names;
    if (u->all_names || points * sizeof(double[3]) > mirror->rest.size) mirror->has_rest = false;
    fracas_status status =
        ensure(mirror, &mirror->points, points * sizeof(frc_moving_point), &u->all_points);
    u->last_points = many && !u->all_points && !mirror->newer && 2 * f->points.count <= points &&
                     frc_mirror_can_receive(mirror, u->scene);
    u->all_points |= many && !u->last_points;
    if (status == FRACAS_OK)
        status = ensure(mirror, &mirror->names, points * sizeof(frc_point_name), &u->all_names);
    if (status == FRACAS_OK)
        status =
            ensure(mirror, &mirror->triangles, triangles * sizeof(uint32_t), &u->all_triangles);
    for (int k = 0; k < FRC_SET_COUNT && status == FRACAS_OK; k++)
        status = reserve_set(u, (frc_set_kind)k);
    return status;
}

static fracas_status send_changes(update* u, size_t moved) {
    frc_mirror* mirror = u->mirror;
    const frc_followed* f = &mirror->followed;
    point_patches points = {FRACAS_NONE, FRACAS_NONE, FRACAS_NONE};
    uint32_t triangles = FRACAS_NONE, sets[FRC_SET_COUNT];
    if (!u->all_points && !mirror->newer && moved + f->points.count > 0)
        points.positions =
            add_patch(u, &mirror->points, moved + f->points.count, sizeof(frc_moving_point));
    if (!u->all_names && f->points.count > 0)
        points.names = add_patch(u, &mirror->names, f->points.count, sizeof(frc_point_name));
    if (mirror->has_rest && f->points.count > 0)
        points.rest = add_patch(u, &mirror->rest, f->points.count, sizeof(double[3]));
    if (!u->all_triangles && f->triangles.count > 0)
        triangles = add_patch(u, &mirror->triangles, f->triangles.count, sizeof(uint32_t));
    for (int k = 0; k < FRC_SET_COUNT; k++) {
        const bool few = !u->all_features[k] && f->sets[k].changed.count > 0;
        sets[k] = few ? add_patch(u, &mirror->copies[k].features, f->sets[k].changed.count,
                                  FRC_WARP * sizeof(frc_feature))
                      : FRACAS_NONE;
    }
    const fracas_status status = reserve_more(mirror, &mirror->packed, u->size);
    if (status != FRACAS_OK) return status;
    pack_points(u, moved, &points);
    if (triangles != FRACAS_NONE) pack_triangles(u, triangles);
    for (int k = 0; k < FRC_SET_COUNT; k++)
        if (sets[k] != FRACAS_NONE) pack_clusters(u, (frc_set_kind)k, sets[k]);
    return send_patches(u);
}

void frc_mirror_set_same(fracas_scene* scene) {
    for (size_t i = 0; i < scene->bodies.count; i++) scene->bodies.data[i].copy = FRC_COPY_SAME;
}

fracas_status frc_mirror_update(frc_mirror* mirror, fracas_scene* scene) {
    update u = {.mirror = mirror, .scene = scene};
    frc_followed* f = &mirror->followed;
    size_t moved = list_moved(&u, NULL);
    mirror->uploaded = mirror->changed_clusters = 0;
    fracas_status status = reserve_all(&u, moved);
    if (status == FRACAS_OK && u.last_points) status = frc_mirror_receive(mirror, scene);
    if (u.last_points) moved = 0;
    if (status == FRACAS_OK) status = copy_bodies(&u);
    if (status == FRACAS_OK && (u.all_points || u.all_names)) status = copy_all_points(&u);
    if (status == FRACAS_OK && u.all_triangles) status = copy_all_triangles(&u);
    for (int k = 0; k < FRC_SET_COUNT && status == FRACAS_OK; k++) {
        const frc_feature_list* features = &f->sets[k].features;
        mirror->changed_clusters += f->sets[k].changed.count;
        if (u.all_features[k])
            status = frc_mirror_upload(mirror, &mirror->copies[k].features, features->data,
                                       features->count * sizeof *features->data);
    }
    if (status == FRACAS_OK && !mirror->valid) status = frc_mirror_reserve_rest(mirror, scene);
    if (status == FRACAS_OK) status = reserve_packed(&u);
    if (status == FRACAS_OK) status = send_changes(&u, moved);
    if (status == FRACAS_OK) status = frc_mirror_send_poses(mirror, scene, u.all_points);
    mirror->valid = status == FRACAS_OK;
    if (status != FRACAS_OK) return status;
    mirror->point_count = scene->topology.points.count;
    for (size_t i = 0; i < f->bodies.count; i++)
        scene->bodies.data[f->bodies.ids[i]].copy = FRC_COPY_SAME;
    frc_followed_clear(f);
    for (int k = 0; k < FRC_SET_COUNT; k++) frc_slots_clear_changed(&f->sets[k]);
    return FRACAS_OK;
}

bool frc_mirror_has_points(const frc_mirror* mirror, const fracas_scene* scene) {
    const frc_followed* f = &mirror->followed;
    return mirror->newer || (mirror->valid && scene->updated && !f->everything &&
                             !f->points.count && !f->bodies.count);
}

fracas_status frc_mirror_copy_points(frc_mirror* mirror, fracas_scene* scene) {
    update u = {.mirror = mirror, .scene = scene, .all_points = true, .all_names = true};
    const fracas_status status = copy_all_points(&u);
    if (status == FRACAS_OK)
        frc_mirror_set_same(scene);
    else
        mirror->valid = false;
    return status;
}

void frc_mirror_release(frc_mirror* mirror) {
    frc_device_buffer* buffers[] = {&mirror->points,     &mirror->names,       &mirror->bodies,
                                    &mirror->positions,  &mirror->tags,        &mirror->packed,
                                    &mirror->patches,    &mirror->watch.boxes, &mirror->triangles,
                                    &mirror->rest,       &mirror->poses,       &mirror->host_rest,
                                    &mirror->host_poses, &mirror->numbers,     &mirror->last};
    for (int k = 0; k < FRC_SET_COUNT; k++) {
        frc_mirrored_set* copy = &mirror->copies[k];
        frc_device_buffer_release(mirror, &copy->features);
        frc_device_buffer_release(mirror, &copy->boxes);
        frc_device_buffer_release(mirror, &copy->clusters);
        frc_device_buffer_release(mirror, &copy->bundles);
        frc_device_buffer_release(mirror, &copy->groups);
    }
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        frc_device_buffer_release(mirror, buffers[i]);
    FRC_ARRAY_RELEASE(mirror->context, &mirror->filters);
    FRC_ARRAY_RELEASE(mirror->context, &mirror->watch.bodies);
    frc_followed_release(mirror->context, &mirror->followed);
}
