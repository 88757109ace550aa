/// @file mirror.c  Copies a scene to the device.
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

static fracas_status upload(frc_mirror* mirror, frc_device_buffer* to, const void* from,
                            size_t size) {
    const fracas_status status = frc_device_reserve(mirror, to, size);
    if (status != FRACAS_OK) return status;
    return frc_device_upload(mirror->device, to->data, from, size) ? FRACAS_OK
                                                                   : frc_device_fail(mirror);
}

// ---- features

static size_t clusters_of(const frc_mirrored_set* set) { return set->features.count / FRC_WARP; }
static size_t bundles_of(const frc_mirrored_set* set) {
    return (clusters_of(set) + FRC_WARP - 1) / FRC_WARP;
}

static fracas_status copy_set(frc_mirror* mirror, const frc_world* world, frc_set_kind kind) {
    frc_mirrored_set* set = &mirror->sets[kind];
    if (!frc_list_features(world->topology, kind, &set->features))
        return frc_fail_memory(mirror->context, world->topology->edges.count * sizeof(frc_feature));
    const size_t slots = set->features.count;
    fracas_status status = upload(mirror, &set->device_features, set->features.data,
                                  slots * sizeof *set->features.data);
    if (status == FRACAS_OK)
        status = frc_device_reserve(mirror, &set->boxes, slots * sizeof(frc_bounds));
    if (status == FRACAS_OK)
        status = frc_device_reserve(mirror, &set->clusters, clusters_of(set) * sizeof(frc_bounds));
    if (status == FRACAS_OK)
        status = frc_device_reserve(mirror, &set->bundles, bundles_of(set) * sizeof(frc_bounds));
    return status;
}

static fracas_status copy_triangles(frc_mirror* mirror, const frc_world* world) {
    const frc_topology* topology = world->topology;
    const size_t count = topology->triangles.count;
    if (!FRC_ARRAY_RESERVE(mirror->context, &mirror->numbers, count))
        return frc_fail_memory(mirror->context, count * sizeof(uint32_t));
    for (size_t i = 0; i < count; i++) mirror->numbers.data[i] = topology->triangles.data[i].number;
    return upload(mirror, &mirror->triangles, mirror->numbers.data, count * sizeof(uint32_t));
}

frc_feature_set frc_mirror_set(const frc_mirror* mirror, frc_set_kind kind) {
    const frc_mirrored_set* set = &mirror->sets[kind];
    return (frc_feature_set){.features = set->device_features.data,
                             .boxes = set->boxes.data,
                             .clusters = set->clusters.data,
                             .bundles = set->bundles.data,
                             .cluster_count = (uint32_t)clusters_of(set),
                             .bundle_count = (uint32_t)bundles_of(set)};
}

// ---- bodies and points

static fracas_status copy_bodies(frc_mirror* mirror, const frc_world* world, uint32_t count) {
    if (!FRC_ARRAY_RESERVE(mirror->context, &mirror->filters, count))
        return frc_fail_memory(mirror->context, count * sizeof(frc_device_body));
    mirror->all_collide = true;
    for (uint32_t i = 0; i < count; i++) {
        const frc_body_filter* f = &world->bodies[i];
        mirror->filters.data[i] = (frc_device_body){f->group, f->mask, f->self_collision};
        mirror->all_collide &= f->self_collision && f->mask == UINT32_MAX && f->group == UINT32_MAX;
    }
    return upload(mirror, &mirror->bodies, mirror->filters.data, count * sizeof(frc_device_body));
}

typedef struct copying {
    frc_mirror* mirror;
    const frc_point* points;
    bool names;  // are copied, too
} copying;

static void copy_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const copying* c = data;
    (void)worker;
    frc_moving_point* positions = c->mirror->positions.data;
    frc_point_name* names = c->mirror->tags.data;
    for (uint32_t i = begin; i < end; i++) {
        for (int k = 0; k < 3; k++)
            memcpy(positions[i].x[k], frc_point_axis(&c->points[i], k), sizeof positions[i].x[k]);
        if (c->names) memcpy(names[i].tag, c->points[i].tag, sizeof names[i].tag);
    }
}

enum { GRAIN = 8192 };  // points of one task

fracas_status frc_mirror_copy_points(frc_mirror* mirror, const frc_world* world, bool names) {
    const size_t count = world->topology->points.count;
    const size_t size = count * sizeof(frc_moving_point),
                 name_size = count * sizeof(frc_point_name);
    mirror->positions.on_host = mirror->tags.on_host = true;
    fracas_status status = frc_device_reserve(mirror, &mirror->positions, size);
    if (status == FRACAS_OK && names) status = frc_device_reserve(mirror, &mirror->tags, name_size);
    if (status != FRACAS_OK) return status;
    copying c = {mirror, world->topology->points.data, names};
    frc_parallel_for(mirror->context, (uint32_t)count, GRAIN, copy_some, &c);
    status = upload(mirror, &mirror->points, mirror->positions.data, size);
    if (status == FRACAS_OK && names)
        status = upload(mirror, &mirror->names, mirror->tags.data, name_size);
    return status;
}

fracas_status frc_mirror_update(frc_mirror* mirror, const frc_world* world,
                                const frc_scene_versions* versions) {
    const bool same_shape = mirror->valid && mirror->shape_version == versions->shape;
    if (same_shape && mirror->update_count == versions->update) return FRACAS_OK;
    fracas_status status = FRACAS_OK;
    mirror->valid = false;
    for (int k = 0; k < FRC_SET_COUNT && !same_shape && status == FRACAS_OK; k++)
        status = copy_set(mirror, world, (frc_set_kind)k);
    if (status == FRACAS_OK && !same_shape) status = copy_triangles(mirror, world);
    // Siblings change their groups when a scene advances.
    if (status == FRACAS_OK && !mirror->newer)
        status = frc_mirror_copy_points(mirror, world, !same_shape || world->siblings);
    if (status == FRACAS_OK) status = copy_bodies(mirror, world, versions->body_count);
    if (status != FRACAS_OK) return status;
    mirror->shape_version = versions->shape;
    mirror->update_count = versions->update;
    mirror->valid = true;
    return FRACAS_OK;
}

void frc_mirror_release(frc_mirror* mirror) {
    for (int k = 0; k < FRC_SET_COUNT; k++) {
        frc_mirrored_set* set = &mirror->sets[k];
        FRC_ARRAY_RELEASE(mirror->context, &set->features);
        frc_device_buffer_release(mirror, &set->device_features);
        frc_device_buffer_release(mirror, &set->boxes);
        frc_device_buffer_release(mirror, &set->clusters);
        frc_device_buffer_release(mirror, &set->bundles);
    }
    frc_device_buffer_release(mirror, &mirror->positions);
    frc_device_buffer_release(mirror, &mirror->tags);
    FRC_ARRAY_RELEASE(mirror->context, &mirror->filters);
    FRC_ARRAY_RELEASE(mirror->context, &mirror->numbers);
    frc_device_buffer_release(mirror, &mirror->triangles);
    frc_device_buffer_release(mirror, &mirror->points);
    frc_device_buffer_release(mirror, &mirror->names);
    frc_device_buffer_release(mirror, &mirror->bodies);
}
