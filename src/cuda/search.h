/// @file search.h  The search method of scenes on a device.
#pragma once
#include "cuda/mirror.h"
#include "detect/search.h"
#include "fracas/cuda.h"
#include <pthread.h>

/// The kinds of pairs that are compared, in the order of the kinds of contacts.
typedef enum frc_comparison {
    FRC_COMPARE_VF,
    FRC_COMPARE_EE,
    FRC_COMPARE_VE,
    FRC_COMPARE_VV,
    FRC_COMPARE_TT,
    FRC_COMPARE_ET,
    FRC_COMPARISON_COUNT
} frc_comparison;

static inline fracas_contact_kind frc_kind_of(frc_comparison what) {
    static const fracas_contact_kind KINDS[FRC_COMPARISON_COUNT] = {
        FRACAS_CONTACT_VF, FRACAS_CONTACT_EE, FRACAS_CONTACT_VE,
        FRACAS_CONTACT_VV, FRACAS_CONTACT_TT, FRACAS_CONTACT_ET};
    return KINDS[what];
}

/// What a comparison writes, on the device and copied to the host.
typedef struct frc_comparison_data {
    frc_device_buffer pairs[FRC_LIST_COUNT], hits, limbs, counts;
    frc_device_buffer sums, names, order, contacts, bodies;  // of frc_order
    uint64_t capacity[FRC_LIST_COUNT], hit_capacity;         // entries
    frc_device_buffer host_counts, host_contacts, host_bodies, host_pairs;
} frc_comparison_data;

/// A step that has run, for stage_times.c. It can run again until the next update.
typedef struct frc_last_step {
    uint64_t update;  // fracas_scene.update_count when it ran; 0: it has not
    frc_step step;
} frc_last_step;

/// frc_world.method_data of a scene on a device.
typedef struct frc_cuda_search {
    fracas_scene* scene;
    pthread_mutex_t lock;  // held by the query that runs
    frc_device* device;
    frc_mirror mirror;
    frc_comparison_data data[FRC_COMPARISON_COUNT];
    uint64_t measured_shape;                                            // version of the shape of
    uint32_t body_bits, point_bits, triangle_bits;                      // the largest numbers
    frc_device_buffer staged, views, input, host_input, bad, host_bad;  // of a move (positions.c)
    FRC_ARRAY(frc_motion_view) host_views;
    frc_device_buffer contacts, bodies, host_contacts, host_bodies;  // results.c
    fracas_cuda_statistics statistics;                               // of the last query
    frc_last_step last[FRC_COMPARISON_COUNT];
} frc_cuda_search;

extern const frc_search_method frc_search_cuda;

/// Owns the device.
fracas_status frc_cuda_search_create(fracas_scene* scene, frc_device* device,
                                     frc_cuda_search** out);

/// The search of a scene on a device. Else NULL, with a message.
frc_cuda_search* frc_cuda_search_of(const fracas_scene* scene);

/// Begin a query, with the lock held: no work yet, the copy on the device up to date.
fracas_status frc_cuda_search_begin(frc_cuda_search* search, const frc_world* world);
/// End it: test the candidates that workers still have.
void frc_cuda_search_end(frc_cuda_search* search, frc_search_run* run);

// ---- positions that are newer on the device than in the scene (positions.c)

/// As in frc_search_method; frc_cuda_fetch_locked is for those who hold the lock.
fracas_status frc_cuda_fetch(void* search);
fracas_status frc_cuda_fetch_locked(frc_cuda_search* search);
fracas_status frc_cuda_advance(void* search);

// ---- comparisons of one query (compare.c)

typedef struct frc_comparisons {
    frc_comparison what[FRC_COMPARISON_COUNT];
    frc_step steps[FRC_COMPARISON_COUNT];
    uint32_t count;
} frc_comparisons;

/// Find the pairs of all comparisons that a query needs, and decide them as far as the device does:
/// their counters are on the host, the rest is on the device. `send`: contacts in order are on the
/// host, too.
fracas_status frc_compare_on_device(frc_cuda_search* search, const frc_search_run* run, bool send,
                                    frc_comparisons* out);

/// The features of set a (0) or b (1) of a comparison, on the host.
const frc_feature* frc_compared_features(const frc_cuda_search* search, frc_comparison what,
                                         int side);

// ---- contacts of comparisons (deliver.c)

/// All contacts are in order on the device: nothing is left to the host.
bool frc_contacts_are_complete(const frc_comparisons* comparisons);
/// Append the contacts to `run->out` in order; those that are in no order are of the workers, and
/// those of pairs that the host decides.
fracas_status frc_deliver_contacts(frc_cuda_search* search, frc_search_run* run,
                                   const frc_comparisons* comparisons);
