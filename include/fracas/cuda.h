/// @file cuda.h  Scenes and rigid bodies whose queries run on an NVIDIA GPU. Experimental.
///
/// The library fracas-cuda has these functions; it is built where CUDA is found (FRACAS_CUDA).
/// docs/cuda.md explains how it works and what it lacks yet.
#pragma once
#include "fracas/medial.h"
#include "fracas/scene.h"

/// A device with its memory. Several may exist, also for one device.
typedef struct fracas_cuda_context fracas_cuda_context;

/// Start from fracas_cuda_default_options(); a NULL pointer means exactly that.
typedef struct fracas_cuda_options {
    /// Filled in by fracas_cuda_default_options; detects uninitialised options.
    uint32_t struct_size;
    /// Number of the device; default 0.
    uint32_t device;
} fracas_cuda_options;

FRACAS_API fracas_cuda_options fracas_cuda_default_options(void);

/// Open a device. FRACAS_ERROR_UNSUPPORTED: there is none, or the driver is too old. On any error
/// `*out` is NULL. The fracas_context must outlive it.
FRACAS_API fracas_status fracas_cuda_context_create(fracas_context* context,
                                                    const fracas_cuda_options* options,
                                                    fracas_cuda_context** out);
/// Destroy its scenes and bodies first. NULL is allowed.
FRACAS_API void fracas_cuda_context_destroy(fracas_cuda_context* cuda);

/// The name of the device, valid as long as the context. NULL for a NULL context.
FRACAS_API const char* fracas_cuda_context_get_name(const fracas_cuda_context* cuda);

/// A scene like that of fracas_scene_create, for all functions of fracas/scene.h, with the same
/// contacts bit for bit. Queries find and decide pairs on the device. Queries of one scene run one
/// after the other.
FRACAS_API fracas_status fracas_cuda_scene_create(fracas_cuda_context* cuda,
                                                  const fracas_scene_options* options,
                                                  fracas_scene** out);

// ---- data in memory of the device
//
// For simulations that keep their positions on the GPU. A step is fracas_cuda_scene_move,
// fracas_scene_update, fracas_cuda_scene_detect, fracas_scene_advance, with the results of
// fracas_scene_move, fracas_scene_update, fracas_scene_detect and fracas_scene_advance. Positions
// then stay on the device. Other functions copy them to the host when they need them, edits and
// fracas_scene_get_vertex for example; the next query of the device copies them back after an edit.
// fracas_scene_pose moves rigid bodies in such steps, too: poses alone are copied to the device.
//
// `stream` is a cudaStream_t of the same device, NULL for the default stream. What the caller has
// put into it before the call is done before the call reads or overwrites memory. A call returns
// when its work is done: memory that it has read may be changed, and results may be read in any
// stream.

/// Where memory is.
typedef enum fracas_cuda_place {
    /// Memory that the device can read: its own, managed, or pinned memory of the host.
    FRACAS_CUDA_ON_DEVICE = 0,
    FRACAS_CUDA_ON_HOST = 1
} fracas_cuda_place;

/// Points as __cuda_array_interface__ describes an array of shape (count, 3).
typedef struct fracas_cuda_points {
    /// Aligned to its scalar.
    const void* data;
    uint32_t count;
    fracas_scalar scalar;
    fracas_cuda_place place;
    /// Zero; reserved for later versions.
    uint32_t reserved;
    /// Bytes from a point to the next and from x to y and y to z: multiples of the size of a
    /// scalar. Both 0: tightly packed.
    uint64_t stride, axis_stride;
} fracas_cuda_points;

typedef struct fracas_cuda_move {
    /// A deforming body, once in a call.
    fracas_body body;
    /// One point for each vertex number of the body, as for fracas_scene_move.
    fracas_cuda_points points_t1;
} fracas_cuda_move;

/// Set the positions of bodies at t = 1. On any error no body has moved.
/// @return FRACAS_ERROR_BAD_DATA for a position that is not finite (the message names the first
/// one), FRACAS_ERROR_INVALID_ARGUMENT for a pointer that the device cannot read.
FRACAS_API fracas_status fracas_cuda_scene_move(fracas_scene* scene, const fracas_cuda_move* moves,
                                                size_t count, void* stream);

/// A contact, 64 bytes. Numbers, times, parameters and the normal mean what they mean in
/// fracas_contact.
typedef struct fracas_cuda_contact {
    uint32_t a[2], b[2];
    double toi, u, v, normal[3];
} fracas_cuda_contact;

/// The bodies of a contact, as the indices of their handles.
typedef struct fracas_cuda_bodies {
    uint32_t a, b;
} fracas_cuda_bodies;

/// The contacts of one kind, in the order of fracas_scene_detect, and their bodies.
typedef struct fracas_cuda_range {
    const fracas_cuda_contact* contacts;
    const fracas_cuda_bodies* bodies;
    uint64_t count;
} fracas_cuda_range;

/// By fracas_contact_kind. The memory belongs to the scene. It is valid until the next query of the
/// scene, and until the scene is destroyed.
typedef struct fracas_cuda_contacts {
    fracas_cuda_range kinds[6];
    uint64_t count;
} fracas_cuda_contacts;

/// The contacts of fracas_scene_detect in memory of the device, or in pinned memory of the host.
/// `query` NULL: the default query. On any error `*out` is empty.
FRACAS_API fracas_status fracas_cuda_scene_detect(fracas_scene* scene, const fracas_query* query,
                                                  fracas_cuda_place place, void* stream,
                                                  fracas_cuda_contacts* out);

/// Work of the last query of such a scene. Pairs are pairs of features.
typedef struct fracas_cuda_statistics {
    /// Pairs whose boxes overlap.
    uint64_t candidates;
    /// Pairs left by the filters, by the common cases of the roots, by floating point.
    uint64_t filtered, undecided_quick, undecided_roots;
    /// Pairs that the host has decided.
    uint64_t decided_on_host;
    /// Contacts that the device has decided.
    uint64_t hits;
    /// How often lists were too short: they grew and the search was repeated.
    uint64_t repeats;
    /// Comparisons whose contacts the host has sorted, because too many of them begin alike.
    uint64_t unordered;
    /// Bytes of device memory in use.
    uint64_t device_bytes;
    /// Milliseconds: upload of positions; stages on the device; until the last record is on the
    /// host; from then until the last contact is made.
    double ms_upload, ms_device, ms_download, ms_host;
    /// Of the scene, copied to the device because it has changed: bytes, and clusters of up to 32
    /// features.
    uint64_t uploaded_bytes, changed_clusters;
    /// Zero; reserved for later versions.
    uint64_t reserved[5];
} fracas_cuda_statistics;

/// Fails for a scene that fracas_cuda_scene_create has not created.
FRACAS_API fracas_status fracas_cuda_scene_get_statistics(const fracas_scene* scene,
                                                          fracas_cuda_statistics* out);

/// Bodies like those of fracas_medial_bodies_create, for all functions of fracas/medial.h, with the
/// same contacts bit for bit. The host finds the pairs of bodies, the device the contacts of their
/// primitives. Queries of the same bodies run one after the other.
FRACAS_API fracas_status fracas_cuda_medial_bodies_create(fracas_cuda_context* cuda,
                                                          fracas_medial_bodies** out);

/// Work of the last query of such bodies. Pairs are pairs of primitives: `candidates` by their
/// paths; `filtered` left by a direction in floats; `undecided_quick` left by their distance when
/// the step begins, `undecided_roots` by straight ways. `ms_device` includes the copy of motions to
/// the device, `ms_upload` does not. Fails for bodies that fracas_cuda_medial_bodies_create has not
/// created.
FRACAS_API fracas_status fracas_cuda_medial_bodies_get_statistics(
    const fracas_medial_bodies* bodies, fracas_cuda_statistics* out);
