/// @file medial_search.h  The method of rigid bodies on a device.
#pragma once
#include "cuda/medial_step.h"
#include "cuda/mirror.h"
#include "medial/narrow_phase.h"
#include <pthread.h>

/// Where a body is in the arrays of the device.
typedef struct frc_medial_place {
    uint32_t shape, first_sphere, first_cluster;
} frc_medial_place;

/// The copy of all shapes, and room for the paths of all bodies.
typedef struct frc_medial_mirror {
    bool valid;
    uint64_t version;  // of the bodies, when `valid`
    FRC_ARRAY(frc_medial_device_shape) shapes;
    FRC_ARRAY(frc_medial_place) places;    // by body
    uint32_t sphere_count, cluster_count;  // of all bodies
    uint32_t sphere_row_count, cluster_row_count;
    frc_device_buffer device_shapes, spheres, distances, primitives, slots, clusters;
    frc_device_buffer sphere_rows, cluster_rows;
    frc_device_buffer start, end, bulge, lanes, slot_paths, cluster_paths;
} frc_medial_mirror;

/// fracas_medial_bodies.method_data of bodies on a device.
typedef struct frc_medial_device_search {
    pthread_mutex_t lock;  // held by the query that runs
    frc_mirror memory;     // of the device: no scene is copied
    frc_medial_mirror mirror;
    frc_device_buffer input, host_input;  // a count, bodies, pairs and rows of pairs
    uint64_t pair_room, row_room;         // of the input
    uint64_t hit_room;                    // hits that each search copies to the host
    frc_device_buffer lists[FRC_MEDIAL_LISTS], counts, host_counts;
    uint64_t capacity[FRC_MEDIAL_LISTS];
    frc_device_buffer host_hits, host_items;  // copies on the host
    int most_ways, most_motion;  // steps of a search in time; longer ones are done on the host
    fracas_cuda_statistics statistics;  // of the last query
} frc_medial_device_search;

extern const frc_medial_method frc_medial_cuda;

/// Bring the copy of the shapes up to date. Fails with a message; the next call then copies all.
fracas_status frc_medial_mirror_update(frc_medial_device_search* search,
                                       const frc_medial_search* s);
void frc_medial_mirror_release(frc_medial_device_search* search);

/// The contacts of the hits and items on the host. False: no memory.
bool frc_medial_deliver(const frc_medial_device_search* search, frc_medial_search* s,
                        const uint64_t counts[FRC_MEDIAL_LISTS]);
