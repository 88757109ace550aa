/// @file stage_pairs.c  Device code: pairs of clusters, then of features, whose boxes overlap.
///
/// Boxes at both ends of the step make the test of boxes the axis filter of the exact test: two
/// features that are separated along one axis at both ends, in the same order, never meet.
#include "cuda/lists.h"
#include "fracas/contact.h"

FRC_DEVICE static bool overlap(const frc_bounds* a, const frc_bounds* b) {
    bool apart = false;
    for (int k = 0; k < 3; k++) {
        apart |= (a->lo[0][k] > b->hi[0][k]) & (a->lo[1][k] > b->hi[1][k]);
        apart |= (b->lo[0][k] > a->hi[0][k]) & (b->lo[1][k] > a->hi[1][k]);
    }
    return !apart;
}

// Lane i compares cluster i of bundle `a` with all clusters of bundle `b`.
FRC_DEVICE static void pair_clusters(const frc_step* s, uint32_t a, uint32_t b) {
    bool near[FRC_LANES];
    if (!overlap(&s->a.bundles[a], &s->b.bundles[b])) return;
    FRC_EACH_LANE(i) {
        const uint32_t ca = a * FRC_WARP + FRC_LANE(i);
        near[i] = ca < s->a.cluster_count && overlap(&s->a.clusters[ca], &s->b.bundles[b]);
    }
    if (!frc_ballot(near)) return;
    for (uint32_t j = 0; j < FRC_WARP && b * FRC_WARP + j < s->b.cluster_count; j++) {
        const uint32_t cb = b * FRC_WARP + j;
        bool on[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint32_t ca = a * FRC_WARP + FRC_LANE(i);
            on[i] =
                near[i] && !(s->same && ca > cb) && overlap(&s->a.clusters[ca], &s->b.clusters[cb]);
            pair[i].a = ca, pair[i].b = cb;
        }
        frc_list_append(&s->lists[FRC_LIST_CLUSTERS], on, pair);
    }
}

FRC_STAGE(cluster_pairs) {
    const uint64_t count = (uint64_t)s->a.bundle_count * s->b.bundle_count;
    for (uint64_t n = warp; n < count; n += warps) {
        const uint32_t a = (uint32_t)(n / s->b.bundle_count), b = (uint32_t)(n % s->b.bundle_count);
        if (!(s->same && a > b)) pair_clusters(s, a, b);
    }
}

FRC_DEVICE static bool may_collide(const frc_step* s, const frc_feature* a, const frc_feature* b) {
    if (s->all_collide) return true;
    const uint32_t body_a = s->names[a->point[0]].tag[0], body_b = s->names[b->point[0]].tag[0];
    const frc_device_body *fa = &s->bodies[body_a], *fb = &s->bodies[body_b];
    if (body_a == body_b) return fa->self_collision != 0;
    return (fa->group & fb->mask) && (fb->group & fa->mask);
}

FRC_DEVICE static bool have_common_point(const frc_feature* a, const frc_feature* b) {
    bool common = false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) common |= a->point[i] == b->point[j];
    return common;
}

// The box of an empty slot overlaps nothing but infinite boxes. Pairs that the host decides may
// have common points: it knows which of them count.
FRC_DEVICE static bool is_candidate(const frc_step* s, uint32_t a, uint32_t b) {
    const frc_feature *fa = &s->a.features[a], *fb = &s->b.features[b];
    if (s->same && a >= b) return false;
    if (!overlap(&s->a.boxes[a], &s->b.boxes[b])) return false;
    if (fa->point[0] == FRACAS_NONE || fb->point[0] == FRACAS_NONE) return false;
    if (s->decide && have_common_point(fa, fb)) return false;
    return may_collide(s, fa, fb);
}

// Lane i compares slot i of cluster `a` with all slots of cluster `b`, whose results are the bits
// of a word.
FRC_DEVICE static void pair_features(const frc_step* s, frc_slot_pair clusters) {
    const frc_pair_list* out = &s->lists[s->decide ? FRC_LIST_CANDIDATES : FRC_LIST_HOST];
    uint32_t bits[FRC_LANES], at[FRC_LANES];
    FRC_EACH_LANE(i) {
        const uint32_t a = clusters.a * FRC_WARP + FRC_LANE(i);
        bits[i] = 0;
        if (overlap(&s->a.boxes[a], &s->b.clusters[clusters.b]))
            for (uint32_t j = 0; j < FRC_WARP; j++)
                bits[i] |= (uint32_t)is_candidate(s, a, clusters.b * FRC_WARP + j) << j;
        at[i] = frc_popcount(bits[i]);
    }
    const uint32_t count = frc_scan(at);
    const uint64_t first = frc_take(out->count, count);
    FRC_EACH_LANE(i) {
        for (uint64_t n = first + at[i]; bits[i]; bits[i] &= bits[i] - 1, n++) {
            if (n >= out->capacity) break;
            out->pairs[n].a = clusters.a * FRC_WARP + FRC_LANE(i);
            out->pairs[n].b = clusters.b * FRC_WARP + frc_lowest_bit(bits[i]);
        }
    }
}

FRC_STAGE(feature_pairs) {
    const frc_pair_list* in = &s->lists[FRC_LIST_CLUSTERS];
    const uint64_t count = frc_list_stored(in);
    for (uint64_t n = warp; n < count; n += warps) pair_features(s, in->pairs[n]);
}
