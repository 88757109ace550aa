/// @file search.h  The search method of scenes on a device.
#pragma once
#include "cuda/mirror.h"
#include "detect/search.h"
#include "fracas/cuda.h"
#include <pthread.h>

/// The lists of one search.
typedef struct frc_device_lists {
    frc_device_buffer pairs[FRC_LIST_COUNT], hits, counts, limbs;
    uint64_t capacity[FRC_LIST_COUNT], hit_capacity;  // entries, the same in all searches
    frc_device_buffer host_hits, host_pairs;          // copies on the host
    size_t host_hit_count, host_pair_count;
} frc_device_lists;

/// frc_world.method_data of a scene on a device.
typedef struct frc_cuda_search {
    const fracas_scene* scene;
    pthread_mutex_t lock;  // held by the query that runs
    frc_mirror mirror;
    frc_device_lists lists;
    fracas_cuda_statistics statistics;  // of the last query
} frc_cuda_search;

extern const frc_search_method frc_search_cuda;

/// NULL: no memory.
frc_cuda_search* frc_cuda_search_create(const fracas_scene* scene, frc_device* device);

// ---- one comparison of two sets (compare.c)

/// The kinds of pairs that are compared.
typedef enum frc_comparison {
    FRC_COMPARE_VF,
    FRC_COMPARE_EE,
    FRC_COMPARE_VE,
    FRC_COMPARE_VV,
    FRC_COMPARE_TT,
    FRC_COMPARE_ET,
    FRC_COMPARISON_COUNT
} frc_comparison;

/// Find and decide the pairs of one kind; their contacts are those of the workers of the run.
fracas_status frc_compare_on_device(frc_cuda_search* search, frc_search_run* run,
                                    frc_comparison what);
