/// @file baselines.h  Trees of other bounding volumes with as many leaves as there are primitives.
#pragma once
#include "base/array.h"
#include "medial/broad_phase.h"

typedef struct bench_work {
    uint64_t node_tests, leaf_tests, contacts;
    uint64_t pairs;  ///< of bodies, after the broad phase
    double ms;
} bench_work;

/// Contacts of trees of oriented boxes: one box around each primitive, and the boxes above. Boxes
/// move with their bodies; leaves that come within the tolerance during the step are contacts.
bench_work bench_boxes(const fracas_medial_bodies* bodies, const fracas_medial_query* query);

/// The same bodies with one sphere around each primitive, but scenery as it is; destroy them with
/// bench_balls_free.
typedef struct bench_balls {
    fracas_medial_bodies* bodies;
    FRC_ARRAY(fracas_medial_shape*) shapes;
} bench_balls;
bench_balls bench_balls_make(const fracas_medial_bodies* bodies);
bench_work bench_balls_find(bench_balls* balls, const fracas_medial_bodies* bodies,
                            const fracas_medial_query* query);
void bench_balls_free(bench_balls* balls);
