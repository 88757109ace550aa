/// @file cuda.h  Scenes whose queries run on an NVIDIA GPU. Experimental.
///
/// The library fracas-cuda has these functions; it is built where CUDA is found (FRACAS_CUDA).
/// docs/cuda.md explains how it works and what it lacks yet.
#pragma once
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
/// Destroy its scenes first. NULL is allowed.
FRACAS_API void fracas_cuda_context_destroy(fracas_cuda_context* cuda);

/// The name of the device, valid as long as the context. NULL for a NULL context.
FRACAS_API const char* fracas_cuda_context_get_name(const fracas_cuda_context* cuda);

/// A scene like that of fracas_scene_create, for all functions of fracas/scene.h, with the same
/// contacts bit for bit. Queries find and decide pairs on the device. Queries of one scene run one
/// after the other.
FRACAS_API fracas_status fracas_cuda_scene_create(fracas_cuda_context* cuda,
                                                  const fracas_scene_options* options,
                                                  fracas_scene** out);

/// A contact as the device writes it, 64 bytes. Its kind follows from its place: contacts are
/// ordered as fracas_scene_detect reports them, and each kind is a range. Numbers, points and the
/// normal mean what they mean in fracas_contact.
typedef struct fracas_cuda_contact {
    uint32_t a[2], b[2];
    double toi, u, v, normal[3];
} fracas_cuda_contact;

/// The bodies of a contact, as the indices of their handles.
typedef struct fracas_cuda_bodies {
    uint32_t a, b;
} fracas_cuda_bodies;

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
    /// Milliseconds: upload of positions, stages on the device, download, contacts on the host.
    double ms_upload, ms_device, ms_download, ms_host;
    /// Zero; reserved for later versions.
    uint64_t reserved[7];
} fracas_cuda_statistics;

/// Fails for a scene that fracas_cuda_scene_create has not created.
FRACAS_API fracas_status fracas_cuda_scene_get_statistics(const fracas_scene* scene,
                                                          fracas_cuda_statistics* out);
