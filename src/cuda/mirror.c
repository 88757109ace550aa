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
    frc_device_release(mirror->device, buffer->data, buffer->size);
    mirror->bytes -= buffer->size;
    *buffer = (frc_device_buffer){0};
}

fracas_status frc_device_reserve(frc_mirror* mirror, frc_device_buffer* buffer, size_t size) {
    if (size <= buffer->size && buffer->data) return FRACAS_OK;
    const size_t half_more = buffer->size + buffer->size / 2,
                 wanted = size > half_more ? size : half_more;
    frc_device_buffer_release(mirror, buffer);
    buffer->data = frc_device_allocate(mirror->device, wanted ? wanted : 1);
    if (!buffer->data)
        return frc_fail(mirror->context, FRACAS_ERROR_OUT_OF_MEMORY,
                        "the CUDA device %s has no memory left for %zu bytes",
                        frc_device_name(mirror->device), wanted);
    buffer->size = wanted ? wanted : 1;
    mirror->bytes += buffer->size;
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
} copying;

static void copy_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const copying* c = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        _Static_assert(sizeof(frc_moving_point) == 48, "the head of a frc_point");
        memcpy(&c->mirror->positions.data[i], c->points[i].x, sizeof c->points[i].x);
        memcpy(c->mirror->positions.data[i].x[1], c->points[i].y, sizeof c->points[i].y);
        memcpy(c->mirror->positions.data[i].x[2], c->points[i].z, sizeof c->points[i].z);
        memcpy(c->mirror->tags.data[i].tag, c->points[i].tag, sizeof c->points[i].tag);
    }
}

enum { GRAIN = 8192 };  // points of one task

static fracas_status copy_points(frc_mirror* mirror, const frc_world* world, bool names) {
    const size_t count = world->topology->points.count;
    if (!FRC_ARRAY_RESERVE(mirror->context, &mirror->positions, count) ||
        !FRC_ARRAY_RESERVE(mirror->context, &mirror->tags, count))
        return frc_fail_memory(mirror->context, count * sizeof(frc_moving_point));
    copying c = {mirror, world->topology->points.data};
    frc_parallel_for(mirror->context, (uint32_t)count, GRAIN, copy_some, &c);
    fracas_status status = upload(mirror, &mirror->points, mirror->positions.data,
                                  count * sizeof *mirror->positions.data);
    if (status == FRACAS_OK && names)
        status =
            upload(mirror, &mirror->names, mirror->tags.data, count * sizeof *mirror->tags.data);
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
    // Siblings change their groups when a scene advances.
    if (status == FRACAS_OK) status = copy_points(mirror, world, !same_shape || world->siblings);
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
    FRC_ARRAY_RELEASE(mirror->context, &mirror->positions);
    FRC_ARRAY_RELEASE(mirror->context, &mirror->tags);
    FRC_ARRAY_RELEASE(mirror->context, &mirror->filters);
    frc_device_buffer_release(mirror, &mirror->points);
    frc_device_buffer_release(mirror, &mirror->names);
    frc_device_buffer_release(mirror, &mirror->bodies);
}
