/// @file siblings.c  Candidates with sibling vertices: vertices that a split made from one vertex.
#include "detect/siblings.h"
#include "detect/make_contact.h"
#include <assert.h>

typedef enum relation {
    UNRELATED,
    SEPARATING,  // siblings that coincide at the start of the step and not at its end
    TOGETHER     // siblings that coincide at both ends; all siblings if the query ignores them
} relation;

// Without branches, which would mispredict.
static inline relation relation_of(const frc_point* a, const frc_point* b, bool ignore) {
    // Indexed by the ends of the step at which they coincide: bit 0 the start, bit 1 the end.
    static const uint8_t BY_ENDS[4] = {UNRELATED, SEPARATING, UNRELATED, TOGETHER};
    const int tag = ignore ? FRC_TAG_FAMILY : FRC_TAG_SIBLING_GROUP;
    const uint32_t number = a->tag[tag];
    // A common vertex is no sibling: the exact tests handle adjacent features.
    const bool siblings = (a != b) & (number != 0) & (number == b->tag[tag]);
    const m64x2 x = f64x2_eq(f64x2_load(a->x), f64x2_load(b->x));
    const m64x2 y = f64x2_eq(f64x2_load(a->y), f64x2_load(b->y));
    const m64x2 z = f64x2_eq(f64x2_load(a->z), f64x2_load(b->z));
    const unsigned ends = ignore ? 3 : m64x2_bits(m64x2_and(m64x2_and(x, y), z));
    return (relation)(siblings ? BY_ENDS[ends] : UNRELATED);
}

// ---- triangles

// The strongest relation of a corner of one triangle to a corner of the other is TOGETHER.
static bool are_together(const frc_detect_worker* worker, const frc_tri_pair* pair) {
    const frc_point* points = worker->world->topology->points.data;
    const bool ignore = worker->siblings == FRACAS_SIBLINGS_IGNORE;
    relation strongest = UNRELATED;
    if (worker->siblings == FRACAS_SIBLINGS_REPORT) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const relation r = relation_of(&points[pair->a[i]], &points[pair->b[j]], ignore);
            strongest = r > strongest ? r : strongest;
        }
    return strongest == TOGETHER;
}

// Corners that are the same vertex, or siblings that stay together, are replaced by the first of
// them, across both triangles and within each.
static frc_tri_pair join_siblings(const frc_detect_worker* worker, const frc_tri_pair* pair) {
    const frc_point* points = worker->world->topology->points.data;
    const bool ignore = worker->siblings == FRACAS_SIBLINGS_IGNORE;
    uint32_t point[6], joined[6];
    memcpy(point, pair->a, sizeof pair->a);
    memcpy(point + 3, pair->b, sizeof pair->b);
    for (int i = 0; i < 6; i++) {
        int j = 0;
        while (point[j] != point[i] &&
               relation_of(&points[point[j]], &points[point[i]], ignore) != TOGETHER)
            j++;
        joined[i] = point[j];
    }
    frc_tri_pair out;
    memcpy(out.a, joined, sizeof out.a);
    memcpy(out.b, joined + 3, sizeof out.b);
    return out;
}

void frc_test_sibling_triangles(frc_detect_worker* worker, uint32_t first) {
    const frc_point* points = worker->world->topology->points.data;
    uint32_t kept = first;
    for (uint32_t i = first; i < worker->tt_count; i++) {
        if (are_together(worker, &worker->tt[i])) {
            const frc_tri_pair joined = join_siblings(worker, &worker->tt[i]);
            uint32_t hit;
            if (worker->siblings != FRACAS_SIBLINGS_IGNORE &&
                frc_tri_tri_batch(points, &joined, 1, &hit, NULL))
                frc_add_tt_contact(worker, worker->tt_face[i], &worker->tt[i]);
            else
                worker->statistics.siblings_left_out++;
            continue;
        }
        worker->tt[kept] = worker->tt[i];
        worker->tt_face[kept][0] = worker->tt_face[i][0];
        worker->tt_face[kept++][1] = worker->tt_face[i][1];
    }
    worker->tt_count = kept;
}

// ---- vertices and faces, edges and edges

// Pairs of points, one of each feature, with equal tags, as bits. For a vertex and a face bit j is
// point j of the face; for two edges bit 2 i + j is point i of the first and point j of the second.
// Without branches, which would mispredict. Includes common vertices.
static unsigned common_tags(const frc_point* points, int tag, frc_ccd_kind kind,
                            const frc_ccd_pair* pair) {
    const uint32_t* const p = pair->point;
    const uint32_t a = points[p[0]].tag[tag], b = points[p[1]].tag[tag];
    const uint32_t c = points[p[2]].tag[tag], d = points[p[3]].tag[tag];
    const unsigned of_a = a != 0 ? 7 : 0, of_b = b != 0 ? 12 : 0;
    if (kind == FRC_CCD_VF) return ((a == b) | (a == c) << 1 | (a == d) << 2) & of_a;
    return (((a == c) | (a == d) << 1) & of_a) | (((b == c) << 2 | (b == d) << 3) & of_b);
}

// The strongest relation among the pairs of points in `bits`, a result of common_tags that mostly
// has one bit.
static inline relation pair_relation(const frc_detect_worker* worker, frc_ccd_kind kind,
                                     const frc_ccd_pair* pair, unsigned bits) {
    const frc_point* points = worker->world->topology->points.data;
    const uint32_t* const p = pair->point;
    const bool ignore = worker->siblings == FRACAS_SIBLINGS_IGNORE;
    relation strongest = UNRELATED;
    if (worker->siblings == FRACAS_SIBLINGS_REPORT) return UNRELATED;
    for (; bits; bits &= bits - 1) {
        const unsigned bit = (unsigned)__builtin_ctz(bits);
        const uint32_t i = kind == FRC_CCD_VF ? p[0] : p[bit >> 1],
                       j = kind == FRC_CCD_VF ? p[1 + bit] : p[2 + (bit & 1)];
        const relation r = relation_of(&points[i], &points[j], ignore);
        strongest = r > strongest ? r : strongest;
    }
    return strongest;
}

void frc_test_separating_pairs(frc_detect_worker* worker, frc_ccd_kind kind) {
    frc_separating_pairs* s = &worker->separating[kind];
    const frc_ccd_options options = {.tolerance = worker->query->tolerance, .after_start = true};
    size_t hits = frc_ccd_batch(kind, worker->world->topology->points.data, s->pairs, s->count,
                                &options, worker->separating_hits);
    for (size_t i = 0; i < hits; i++) {
        const frc_ccd_hit* hit = &worker->separating_hits[i];
        if (hit->toi > worker->query->t_max) continue;
        frc_add_ccd_contact(worker, kind, &s->pairs[hit->pair], s->faces[hit->pair], hit, 0);
    }
    worker->statistics.siblings_left_out += s->count - hits;
    s->count = 0;
}

enum { PAIRS_AHEAD = 8 };  // prefetch distance of points

uint32_t frc_drop_sibling_pairs(frc_detect_worker* worker, frc_ccd_kind kind, frc_ccd_pair* pairs,
                                uint32_t* face, uint32_t count) {
    const frc_point* points = worker->world->topology->points.data;
    const int tag = frc_sibling_tag(worker);
    frc_separating_pairs* s = &worker->separating[kind];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        // The points of a batch are scattered in memory.
        const frc_ccd_pair* const next = &pairs[i + PAIRS_AHEAD < count ? i + PAIRS_AHEAD : i];
        for (int j = 0; j < 4; j++) __builtin_prefetch(&points[next->point[j]]);
        const unsigned common = common_tags(points, tag, kind, &pairs[i]);
        const relation r = common ? pair_relation(worker, kind, &pairs[i], common) : UNRELATED;
        if (r == TOGETHER || (r == SEPARATING && frc_pair_reach(worker, kind, &pairs[i]) > 0)) {
            worker->statistics.siblings_left_out++;
        } else if (r == SEPARATING) {
            assert(s->count < FRC_SEPARATING_BATCH);
            s->pairs[s->count] = frc_arrange(worker, kind, &pairs[i]);
            s->faces[s->count++] = face ? face[i] : FRACAS_NONE;
            if (s->count == FRC_SEPARATING_BATCH) frc_test_separating_pairs(worker, kind);
        } else {
            pairs[kept] = pairs[i];
            if (face) face[kept] = face[i];
            kept++;
        }
    }
    return kept;
}
