/// @file mirror.h  The copy of a scene on the device.
#pragma once
#include "cuda/clusters.h"
#include "cuda/device.h"
#include "detect/world.h"

/// Memory of the device that only grows.
typedef struct frc_device_buffer {
    void* data;
    size_t size;
    bool on_host;  // memory of the host for copies
} frc_device_buffer;

typedef struct frc_mirrored_set {
    frc_feature_list features;  // on the host
    frc_device_buffer device_features, boxes, clusters, bundles;
} frc_mirrored_set;

typedef struct frc_mirror {
    fracas_context* context;
    frc_device* device;
    frc_mirrored_set sets[FRC_SET_COUNT];
    frc_device_buffer points, names, bodies;
    frc_device_buffer triangles;        // the caller's numbers, by id
    frc_device_buffer positions, tags;  // on the host: what is uploaded
    FRC_ARRAY(frc_device_body) filters;
    FRC_ARRAY(uint32_t) numbers;  // of triangles
    uint64_t bytes;  // of all buffers of the device, also of those outside of this file
    bool valid, all_collide;
    bool newer;  // positions are newer than those of the scene (positions.c)
    uint64_t shape_version, update_count;  // of the scene, when `valid`
} frc_mirror;

/// What has happened to a scene.
typedef struct frc_scene_versions {
    uint64_t shape, update;
    uint32_t body_count;
} frc_scene_versions;

/// A buffer of that size at least; it loses its contents when it grows. Fails with a message.
fracas_status frc_device_reserve(frc_mirror* mirror, frc_device_buffer* buffer, size_t size);
void frc_device_buffer_release(frc_mirror* mirror, frc_device_buffer* buffer);

/// Bring the copy up to date: features where the shape has changed, positions and names where the
/// scene has been updated. Fails with a message; the next call then copies everything.
fracas_status frc_mirror_update(frc_mirror* mirror, const frc_world* world,
                                const frc_scene_versions* versions);

/// Copy positions of all points, and their names.
fracas_status frc_mirror_copy_points(frc_mirror* mirror, const frc_world* world, bool names);

/// The set as a stage sees it.
frc_feature_set frc_mirror_set(const frc_mirror* mirror, frc_set_kind kind);

void frc_mirror_release(frc_mirror* mirror);

/// A failure of the device, with its message.
fracas_status frc_device_fail(const frc_mirror* mirror);
