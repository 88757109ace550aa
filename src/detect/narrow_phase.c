/// @file narrow_phase.c  Exact tests of candidates, in batches.
#include "detect/narrow_phase.h"
#include "base/clock.h"
#include "detect/make_contact.h"
#include "detect/siblings.h"
#include "geom/separation.h"
#include <math.h>

// ---- adding candidates

void frc_add_tt(frc_detect_worker* worker, const frc_face_slot* a, const frc_face_slot* b) {
    uint32_t first = worker->tt_count;
    worker->tt_count = frc_put_tt(worker, first, a, b);
    if (worker->world->siblings) frc_test_sibling_triangles(worker, first);
}

void frc_add_vf(frc_detect_worker* worker, uint32_t vertex, const frc_face_slot* face) {
    worker->vf_count = frc_put_vf(worker, worker->vf_count, vertex, face);
}

void frc_add_ee(frc_detect_worker* worker, const frc_edge_slot* a, const frc_edge_slot* b) {
    worker->ee_count = frc_put_ee(worker, worker->ee_count, a, b);
}

static bool is_free_point(const frc_detect_worker* worker, uint32_t vertex) {
    return worker->world->topology->uses.data[vertex].free_point;
}

// Order points by the caller's numbers, so that results do not depend on the tree.
static bool is_before(const frc_detect_worker* worker, uint32_t a, uint32_t b) {
    const frc_point* points = worker->world->topology->points.data;
    return frc_point_order(&points[a]) < frc_point_order(&points[b]);
}

// An edge or a point as a triangle whose corners coincide.
static frc_face_slot degenerate_face(uint32_t a, uint32_t b) {
    return (frc_face_slot){
        {a, b, b},
        FRACAS_NONE
    };
}

void frc_add_ve(frc_detect_worker* worker, uint32_t vertex, const frc_edge_slot* edge) {
    if (!is_free_point(worker, vertex)) return;
    const bool ordered = is_before(worker, edge->point[0], edge->point[1]);
    const frc_face_slot face = degenerate_face(edge->point[!ordered], edge->point[ordered]);
    frc_add_vf(worker, vertex, &face);
}

void frc_add_vv(frc_detect_worker* worker, uint32_t a, uint32_t b) {
    if (!is_free_point(worker, a) || !is_free_point(worker, b)) return;
    const bool ordered = is_before(worker, a, b);
    const uint32_t first = ordered ? a : b, second = ordered ? b : a;
    const frc_face_slot face = degenerate_face(second, second);
    frc_add_vf(worker, first, &face);
}

void frc_add_et(frc_detect_worker* worker, const frc_edge_slot* edge, const frc_face_slot* face) {
    if (edge->point[0] == FRACAS_NONE) return;
    const frc_face_slot flat = degenerate_face(edge->point[0], edge->point[1]);
    frc_add_tt(worker, &flat, face);
}

// ---- testing

// Candidates per call of the exact tests, and between two polls for cancellation. A candidate that
// needs exact arithmetic may take many microseconds.
enum { CHUNK = 256 };

static void test_tt(frc_detect_worker* worker) {
    const frc_point* points = worker->world->topology->points.data;
    frc_tri_counts counts = {0};
    for (uint32_t i = 0; i < worker->tt_count && !frc_detect_cancelled(worker); i += CHUNK) {
        const uint32_t left = worker->tt_count - i, size = left < CHUNK ? left : CHUNK;
        size_t hits = frc_tri_tri_batch(points, worker->tt + i, size, worker->tt_hits, &counts);
        for (size_t h = 0; h < hits; h++) {
            const uint32_t n = i + worker->tt_hits[h];
            frc_add_tt_contact(worker, worker->tt_face[n], &worker->tt[n]);
        }
    }
    worker->statistics.tt_candidates += worker->tt_count;
    worker->statistics.exact += counts.exact;
    worker->tt_count = 0;
}

// Add a contact for each pair within reach at the end of the step.
static void test_nearby(frc_detect_worker* worker, frc_ccd_kind kind, const frc_ccd_pair* pairs,
                        const uint32_t* face, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const frc_ccd_pair pair = frc_arrange(worker, kind, &pairs[i]);
        frc_point points[4];
        frc_closest closest;
        const double reach = frc_pair_reach(worker, kind, &pair);
        for (int k = 0; k < 4; k++) points[k] = worker->world->topology->points.data[pair.point[k]];
        if (!frc_separation_static(kind, points, reach, &closest)) continue;
        frc_ccd_hit hit = {.u = closest.u, .v = closest.v};
        for (int k = 0; k < 3; k++) hit.normal[k] = closest.normal[k];
        frc_add_ccd_contact(worker, kind, &pair, face ? face[i] : FRACAS_NONE, &hit,
                            closest.distance);
    }
}

// Is to - from > reach, exactly? Rounding is monotone, so the rounded difference decides unless it
// equals the reach; then the part that was rounded off does, which Knuth's sum computes exactly (no
// overflow: the difference is finite; differences never lose bits to underflow).
static bool is_farther(double from, double to, double reach) {
    const double gap = to - from;
    if (gap != reach) return gap > reach;
    const double back = to - gap, forth = gap + back;
    return (to - forth) - (from - back) > 0;
}

// Are the boxes over the step more than `reach` apart along an axis?
static bool boxes_are_apart(const frc_point* const p[4], int a_count, double reach) {
    for (int k = 0; k < 3; k++) {
        double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 4; i++) {
            const double* x = frc_point_axis(p[i], k);
            const int side = i >= a_count;
            for (int e = 0; e < 2; e++) {
                if (x[e] < lo[side]) lo[side] = x[e];
                if (x[e] > hi[side]) hi[side] = x[e];
            }
        }
        if (is_farther(hi[0], lo[1], reach) || is_farther(hi[1], lo[0], reach)) return true;
    }
    return false;
}

// Keep or report each pair whose boxes over the step are within reach.
static void test_boxes(frc_detect_worker* worker, frc_ccd_kind kind, const frc_ccd_pair* pairs,
                       const uint32_t* face, uint32_t count) {
    const frc_point* points = worker->world->topology->points.data;
    for (uint32_t i = 0; i < count; i++) {
        const frc_ccd_pair pair = frc_arrange(worker, kind, &pairs[i]);
        const uint32_t *id = pair.point, face_id = face ? face[i] : FRACAS_NONE;
        const frc_point* const p[4] = {&points[id[0]], &points[id[1]], &points[id[2]],
                                       &points[id[3]]};
        const double reach = frc_pair_reach(worker, kind, &pair);
        if (boxes_are_apart(p, kind == FRC_CCD_VF ? 1 : 2, reach)) continue;
        if (worker->kept) {
            const frc_candidate one = {
                .point = {id[0], id[1], id[2], id[3]},
                  .face = face_id
            };
            if (!FRC_ARRAY_PUSH(worker->world->context, &worker->kept[kind], one))
                worker->out_of_memory = true;
        } else {
            const frc_ccd_hit none = {0};
            frc_add_ccd_contact(worker, kind, &pair, face_id, &none, 0);
        }
    }
}

// Add a contact for each pair that touches, or comes within reach, during the step.
static void test_reach(frc_detect_worker* worker, frc_ccd_kind kind, frc_ccd_pair* pairs,
                       const uint32_t* face, uint32_t count, double reach, frc_ccd_counts* counts) {
    const frc_point* points = worker->world->topology->points.data;
    const double tolerance = worker->query->tolerance;
    size_t hits;
    if (reach > 0) {
        // Rounding affects this decision, so the order of points must not depend on the tree.
        for (uint32_t i = 0; i < count; i++) pairs[i] = frc_arrange(worker, kind, &pairs[i]);
        frc_separation_options options = {reach, tolerance, counts};
        hits = frc_separation_batch(kind, points, pairs, count, &options, worker->hits);
    } else {
        frc_ccd_options options = {.tolerance = tolerance,
                                   .axis_tested = worker->axis_tested,
                                   .canonical = true,
                                   .counts = counts,
                                   .filters = worker->world->filters};
        hits = frc_ccd_batch(kind, points, pairs, count, &options, worker->hits);
    }
    for (size_t i = 0; i < hits; i++) {
        const uint32_t n = worker->hits[i].pair;
        const frc_ccd_pair pair = frc_arrange(worker, kind, &pairs[n]);
        if (worker->hits[i].toi > worker->query->t_max) continue;
        frc_add_ccd_contact(worker, kind, &pair, face ? face[n] : FRACAS_NONE, &worker->hits[i], 0);
    }
}

// The same for pairs of several bodies: one run of equal reach at a time.
static void test_step(frc_detect_worker* worker, frc_ccd_kind kind, frc_ccd_pair* pairs,
                      const uint32_t* face, uint32_t count, frc_ccd_counts* counts) {
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        const double reach = frc_pair_reach(worker, kind, &pairs[begin]);
        end = worker->world->thickest > 0 ? begin + 1 : count;
        while (end < count && frc_pair_reach(worker, kind, &pairs[end]) == reach) end++;
        test_reach(worker, kind, pairs + begin, face ? face + begin : NULL, end - begin, reach,
                   counts);
    }
}

// Vertices and faces, or edges and edges. `face` may be NULL. Returns the number of candidates
// without siblings.
static uint32_t test_ccd(frc_detect_worker* worker, frc_ccd_kind kind, frc_ccd_pair* pairs,
                         uint32_t* face, uint32_t count) {
    if (worker->world->siblings) count = frc_drop_sibling_pairs(worker, kind, pairs, face, count);
    const frc_ccd_counts last = worker->rejected[kind];
    frc_ccd_counts counts = {
        .cubic = last.cubic, .sweep = last.sweep, .directions = last.directions};
    for (uint32_t i = 0; i < count && !frc_detect_cancelled(worker); i += CHUNK) {
        const uint32_t size = count - i < CHUNK ? count - i : CHUNK;
        const uint32_t* faces = face ? face + i : NULL;
        if (worker->search == FRC_SEARCH_NEARBY)
            test_nearby(worker, kind, pairs + i, faces, size);
        else if (worker->search == FRC_SEARCH_CANDIDATES)
            test_boxes(worker, kind, pairs + i, faces, size);
        else
            test_step(worker, kind, pairs + i, faces, size, &counts);
    }
    counts.cubic -= last.cubic, counts.sweep -= last.sweep, counts.directions -= last.directions;
    worker->statistics.exact += counts.exact;
    worker->statistics.filtered += counts.axis + counts.cubic + counts.sweep + counts.directions;
    worker->rejected[kind] = counts;
    return count;
}

void frc_flush_candidates(frc_detect_worker* worker, bool force) {
    const uint32_t batch = force ? 1 : worker->batch;
    const bool separating =
        force && (worker->separating[0].count > 0 || worker->separating[1].count > 0);
    if (worker->tt_count < batch && worker->vf_count < batch && worker->ee_count < batch &&
        !separating)
        return;
    const double start = frc_clock_ms();
    if (worker->tt_count >= batch) test_tt(worker);
    if (worker->vf_count >= batch) {
        worker->statistics.vf_candidates +=
            test_ccd(worker, FRC_CCD_VF, worker->vf, worker->vf_face, worker->vf_count);
        worker->vf_count = 0;
    }
    if (worker->ee_count >= batch) {
        worker->statistics.ee_candidates +=
            test_ccd(worker, FRC_CCD_EE, worker->ee, NULL, worker->ee_count);
        worker->ee_count = 0;
    }
    // Last, because test_ccd adds to these pairs.
    for (int kind = 0; kind < 2 && force; kind++)
        if (worker->separating[kind].count > 0)
            frc_test_separating_pairs(worker, (frc_ccd_kind)kind);
    worker->narrow_ms += frc_clock_ms() - start;
}
