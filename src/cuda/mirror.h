/// @file mirror.h  The copy of a scene on the device.
#pragma once
#include "cuda/device.h"
#include "cuda/follow.h"

/// Memory of the device that only grows.
typedef struct frc_device_buffer {
    void* data;
    size_t size;
    bool on_host;  // memory of the host for copies
} frc_device_buffer;

typedef struct frc_mirrored_set {
    frc_device_buffer features, boxes, clusters, bundles, groups;
} frc_mirrored_set;

/// The surfaces of the clusters of a body (watch.c).
typedef struct frc_watched_body {
    double sum, first;  // first: 0 until it has been measured
    uint32_t generation;
} frc_watched_body;

typedef struct frc_watch {
    uint32_t queries;
    frc_device_buffer boxes;  // on the host
    FRC_ARRAY(frc_watched_body) bodies;
} frc_watch;

typedef struct frc_mirror {
    fracas_context* context;
    frc_device* device;
    frc_followed followed;  // the host's side: slots, and what has changed
    frc_mirrored_set copies[FRC_SET_COUNT];
    frc_device_buffer points, names, bodies;
    frc_device_buffer triangles;        // the caller's numbers, by id
    frc_device_buffer positions, tags;  // on the host: all points, when most have changed
    frc_device_buffer numbers;          // likewise: of triangles
    frc_device_buffer packed, patches;  // changes, on the host and on the device
    frc_device_buffer last;             // of deforming bodies (receive.c)
    frc_device_buffer rest, poses;      // of rigid bodies (poses.c)
    frc_device_buffer host_rest, host_poses;
    FRC_ARRAY(frc_device_body) filters;  // on the device
    uint64_t bytes;      // of all buffers of the device, also of those outside of this file
    size_t point_count;  // of the last update
    bool valid;          // false: everything is copied
    bool newer;          // positions are newer than those of the scene (positions.c)
    bool has_rest;       // `rest` is up to date but for listed points; it is from the first pose on
    bool all_collide;
    frc_watch watch;
    uint64_t uploaded, changed_clusters;  // of the last update
} frc_mirror;

/// A buffer of that size at least; it loses its contents when it grows. Fails with a message.
fracas_status frc_device_reserve(frc_mirror* mirror, frc_device_buffer* buffer, size_t size);
void frc_device_buffer_release(frc_mirror* mirror, frc_device_buffer* buffer);

/// Copy what has changed since the last call: clusters, positions, names, filters of bodies. Fails
/// with a message; the next call then copies everything.
fracas_status frc_mirror_update(frc_mirror* mirror, fracas_scene* scene);

/// Copy positions and names of all points, which are up to date in the scene.
fracas_status frc_mirror_copy_points(frc_mirror* mirror, fracas_scene* scene);
/// The device has all positions of the scene, or the scene those of the device.
void frc_mirror_set_same(fracas_scene* scene);
/// The device has them, or newer positions.
bool frc_mirror_has_points(const frc_mirror* mirror, const fracas_scene* scene);

/// Copy to a buffer of the device, which grows. Fails with a message.
fracas_status frc_mirror_upload(frc_mirror* mirror, frc_device_buffer* to, const void* from,
                                size_t size);

/// No body that has moved lacks positions at both ends.
bool frc_mirror_can_receive(const frc_mirror* mirror, const fracas_scene* scene);
/// Copy positions at the end of the step, for points as the device knows them: those that are
/// listed as changed are to be copied afterwards.
fracas_status frc_mirror_receive(frc_mirror* mirror, const fracas_scene* scene);

/// Where there are rigid bodies: room for their rest positions, so that the frame in which the
/// first one moves, often one that breaks, does not allocate it.
fracas_status frc_mirror_reserve_rest(frc_mirror* mirror, const fracas_scene* scene);
/// Move the points of rigid bodies that are listed as moved to their poses, on the device. After
/// `all_points` were copied, also of bodies whose poses the scene has not applied.
fracas_status frc_mirror_send_poses(frc_mirror* mirror, const fracas_scene* scene, bool all_points);
/// The rest positions of some points. `ids` NULL: of the first ones.
void frc_pack_rest(const fracas_scene* scene, const uint32_t* ids, size_t count, double (*out)[3]);

/// The set as a stage sees it.
frc_feature_set frc_mirror_set(const frc_mirror* mirror, frc_set_kind kind);

void frc_mirror_release(frc_mirror* mirror);

/// A failure of the device, with its message.
fracas_status frc_device_fail(const frc_mirror* mirror);
