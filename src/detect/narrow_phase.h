/// @file narrow_phase.h  Collects candidates, pairs of features whose boxes overlap, in batches and
/// tests them exactly.
///
/// Call frc_flush_candidates after adding the candidates of one pair of leaves (FRC_BATCH_MARGIN).
#pragma once
#include "detect/worker.h"
#include <assert.h>

/// Test the candidates of the kinds that have a full batch, or of all kinds (`force`).
void frc_flush_candidates(frc_detect_worker* worker, bool force);

// Pairs with a common vertex are not added, except for two triangles.
void frc_add_tt(frc_detect_worker* worker, const frc_face_slot* a, const frc_face_slot* b);
void frc_add_vf(frc_detect_worker* worker, uint32_t vertex, const frc_face_slot* face);
void frc_add_ee(frc_detect_worker* worker, const frc_edge_slot* a, const frc_edge_slot* b);
// Free edges against triangles, free points against free edges and points.
void frc_add_et(frc_detect_worker* worker, const frc_edge_slot* edge, const frc_face_slot* face);
void frc_add_ve(frc_detect_worker* worker, uint32_t vertex, const frc_edge_slot* edge);
void frc_add_vv(frc_detect_worker* worker, uint32_t a, uint32_t b);

// Inline forms for the three common kinds, which run millions of times. They write a candidate at
// index n and return the new count, which includes it only if it has no common vertex: there is no
// branch to mispredict.

/// Call frc_test_sibling_triangles afterwards if the world has siblings.
static inline uint32_t frc_put_tt(frc_detect_worker* worker, uint32_t n, const frc_face_slot* a,
                                  const frc_face_slot* b) {
    assert(n < FRC_BATCH_CAPACITY);
    // A slot is copied as one register. Its id overwrites the bytes behind the three points, which
    // are written later or belong to the unused part of the array.
    char* pair = (char*)worker->tt + n * sizeof *worker->tt;
    memcpy(pair, a, sizeof *a);
    memcpy(pair + sizeof worker->tt->a, b, sizeof *b);
    worker->tt_face[n][0] = a->id;
    worker->tt_face[n][1] = b->id;
    return n + 1;
}

static inline uint32_t frc_put_vf(frc_detect_worker* worker, uint32_t n, uint32_t vertex,
                                  const frc_face_slot* face) {
    const uint32_t* p = face->point;
    assert(n < FRC_BATCH_CAPACITY);
    worker->vf[n] = (frc_ccd_pair){
        {vertex, p[0], p[1], p[2]}
    };
    worker->vf_face[n] = face->id;
    return n + ((vertex != p[0]) & (vertex != p[1]) & (vertex != p[2]));
}

static inline uint32_t frc_put_ee(frc_detect_worker* worker, uint32_t n, const frc_edge_slot* a,
                                  const frc_edge_slot* b) {
    assert(n < FRC_BATCH_CAPACITY);
    memcpy(&worker->ee[n].point[0], a, sizeof *a);
    memcpy(&worker->ee[n].point[2], b, sizeof *b);
    return n + ((a->point[0] != b->point[0]) & (a->point[0] != b->point[1]) &
                (a->point[1] != b->point[0]) & (a->point[1] != b->point[1]));
}
