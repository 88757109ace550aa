/// @file check.c  Checks of a batch of pairs before anything is written.
#include "pairs/batch.h"
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>

static fracas_status fail_points(const frc_pairs_run* run, const char* which) {
    return FRC_PAIRS_FAIL(
        run, FRACAS_ERROR_INVALID_ARGUMENT,
        "%s: %s.data is NULL, its stride is smaller than a point, or its scalar is no "
        "fracas_scalar",
        run->function, which);
}

static bool is_valid(const fracas_points* points) {
    const fracas_points packed = {.scalar = points->scalar};
    return (unsigned)points->scalar <= FRACAS_SCALAR_FLOAT && (points->data || !points->count) &&
           frc_view_stride(points) >= frc_view_stride(&packed);
}

fracas_status frc_pairs_check_batch(const frc_pairs_run* run) {
    const fracas_pair_batch* batch = run->batch;
    if (batch->struct_size != sizeof *batch)
        return FRC_PAIRS_FAIL(run, FRACAS_ERROR_INVALID_ARGUMENT,
                              "%s: the batch is not initialised: start from "
                              "fracas_pairs_default_batch()",
                              run->function);
    if (batch->kind < FRACAS_CONTACT_VF || batch->kind > FRACAS_CONTACT_VV)
        return FRC_PAIRS_FAIL(run, FRACAS_ERROR_INVALID_ARGUMENT,
                              "%s: kind is %d: it must be FRACAS_CONTACT_VF, _EE, _VE or _VV",
                              run->function, (int)batch->kind);
    if (!batch->indices && batch->count)
        return FRC_PAIRS_FAIL(run, FRACAS_ERROR_INVALID_ARGUMENT,
                              "%s: batch.indices is NULL, but count is %zu", run->function,
                              batch->count);
    if (!is_valid(&batch->points_t1)) return fail_points(run, "points_t1");
    if (!run->moving) {
        if (batch->max_distance >= 0) return FRACAS_OK;
        return FRC_PAIRS_FAIL(run, FRACAS_ERROR_INVALID_ARGUMENT,
                              "%s: max_distance is %g: it must not be negative", run->function,
                              batch->max_distance);
    }
    if (!is_valid(&batch->points_t0)) return fail_points(run, "points_t0");
    if (batch->points_t0.count != batch->points_t1.count)
        return FRC_PAIRS_FAIL(run, FRACAS_ERROR_INVALID_ARGUMENT,
                              "%s: there are %" PRIu32 " points at t = 0 and %" PRIu32
                              " at t = 1: there must be as many",
                              run->function, batch->points_t0.count, batch->points_t1.count);
    if (!(batch->min_separation >= 0 && isfinite(batch->min_separation)))
        return FRC_PAIRS_FAIL(run, FRACAS_ERROR_INVALID_ARGUMENT,
                              "%s: min_separation is %g: it must be finite and not negative",
                              run->function, batch->min_separation);
    if (!(batch->tolerance > 0 && batch->tolerance <= 1))
        return FRC_PAIRS_FAIL(run, FRACAS_ERROR_INVALID_ARGUMENT,
                              "%s: the tolerance is %g: it must be above 0 and at most 1",
                              run->function, batch->tolerance);
    return FRACAS_OK;
}

typedef struct search {
    const frc_pairs_run* run;
    bool all_finite;
    atomic_bool bad;
} search;

static bool is_pair_good(const search* s, size_t pair) {
    const fracas_pair_batch* batch = s->run->batch;
    const uint32_t* index = frc_pairs_indices(s->run, pair);
    for (uint32_t i = 0; i < frc_pair_size(batch->kind); i++) {
        if (index[i] >= batch->points_t1.count) return false;
        if (s->all_finite) continue;
        const frc_point p =
            s->run->points ? s->run->points[index[i]] : frc_pairs_point(s->run, index[i]);
        if (!frc_pairs_is_finite(&p)) return false;
    }
    return true;
}

// Relaxed: the flag is read after the loop has ended, which synchronises.
static void check_pairs(size_t begin, size_t end, void* data) {
    search* s = data;
    if (s->all_finite) {
        const uint32_t* index = frc_pairs_indices(s->run, begin);
        const size_t count = (end - begin) * frc_pair_size(s->run->batch->kind);
        uint32_t largest = 0;
        for (size_t i = 0; i < count; i++) largest = index[i] > largest ? index[i] : largest;
        if (largest >= s->run->batch->points_t1.count)
            atomic_store_explicit(&s->bad, true, memory_order_relaxed);
        return;
    }
    for (size_t i = begin; i < end; i++)
        if (!is_pair_good(s, i)) atomic_store_explicit(&s->bad, true, memory_order_relaxed);
}

static fracas_status fail_pair(const frc_pairs_run* run, size_t pair) {
    const fracas_pair_batch* batch = run->batch;
    const uint32_t* index = frc_pairs_indices(run, pair);
    for (uint32_t i = 0; i < frc_pair_size(batch->kind); i++) {
        if (index[i] >= batch->points_t1.count)
            return FRC_PAIRS_FAIL(run, FRACAS_ERROR_BAD_DATA,
                                  "%s: pair %zu refers to point %" PRIu32 ", but there are %" PRIu32
                                  " points",
                                  run->function, pair, index[i], batch->points_t1.count);
        const frc_point p = frc_pairs_point(run, index[i]);
        for (int end = run->moving ? 0 : 1; end < 2; end++)
            if (!isfinite(p.x[end]) || !isfinite(p.y[end]) || !isfinite(p.z[end]))
                return FRC_PAIRS_FAIL(run, FRACAS_ERROR_BAD_DATA,
                                      "%s: point %" PRIu32
                                      " of pair %zu is (%g, %g, %g) at t = %d: it must be finite",
                                      run->function, index[i], pair, p.x[end], p.y[end], p.z[end],
                                      end);
    }
    return FRACAS_ERROR_BAD_DATA;
}

enum { GRAIN = 16384 };

fracas_status frc_pairs_check_all(const frc_pairs_run* run, bool all_finite, size_t* bad) {
    search s = {.run = run, .all_finite = all_finite};
    atomic_init(&s.bad, false);
    frc_pairs_for(run, run->batch->count, GRAIN, check_pairs, &s);
    *bad = SIZE_MAX;
    if (!atomic_load_explicit(&s.bad, memory_order_relaxed)) return FRACAS_OK;
    for (*bad = 0; is_pair_good(&s, *bad);) ++*bad;
    return fail_pair(run, *bad);
}
