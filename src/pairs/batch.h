/// @file batch.h  A batch of pairs while it runs; private to src/pairs.
#pragma once
#include "base/parallel.h"
#include "geom/pair.h"
#include "mesh/view.h"

typedef struct frc_pairs_run {
    fracas_context* context;  // NULL: none
    const fracas_pair_batch* batch;
    const char* function;  // for messages
    bool moving;           // impacts; false: distances at t = 1
    frc_point* points;     // of all points; NULL: gathered for each block
} frc_pairs_run;

/// frc_fail, if there is a context.
#define FRC_PAIRS_FAIL(run, status, ...)                                                           \
    ((run)->context ? frc_fail((run)->context, status, __VA_ARGS__) : (status))

/// Point `index` of the batch; of distances both ends are those of t = 1.
static inline frc_point frc_pairs_point(const frc_pairs_run* run, uint32_t index) {
    double t0[3], t1[3];
    frc_view_point(&run->batch->points_t1, index, t1);
    frc_view_point(run->moving ? &run->batch->points_t0 : &run->batch->points_t1, index, t0);
    return (frc_point){
        {t0[0],  t1[0]},
        {t0[1],      t1[1]},
        {t0[2],t1[2]},
        {0 }
    };
}

static inline bool frc_pairs_is_finite(const frc_point* p) {
    // A difference of equal numbers is 0 unless they are infinite or NaN; sums of 0 do not
    // overflow.
    double sum = 0;
    for (int e = 0; e < 2; e++)
        sum += (p->x[e] - p->x[e]) + (p->y[e] - p->y[e]) + (p->z[e] - p->z[e]);
    return sum == 0;
}

static inline const uint32_t* frc_pairs_indices(const frc_pairs_run* run, size_t pair) {
    return run->batch->indices + pair * frc_pair_size(run->batch->kind);
}

/// Run `body` over [0, count), on all workers if there is a context. At most 2^32 - 1 ranges.
void frc_pairs_for(const frc_pairs_run* run, size_t count, size_t grain,
                   void (*body)(size_t begin, size_t end, void* data), void* data);

/// Everything but the pairs: sizes, pointers, kind, numbers.
fracas_status frc_pairs_check_batch(const frc_pairs_run* run);

/// Every index is in range, and every point of a pair is finite; otherwise `*bad` is the first pair
/// of which that is not true. `all_finite`: no point needs to be looked at.
fracas_status frc_pairs_check_all(const frc_pairs_run* run, bool all_finite, size_t* bad);
