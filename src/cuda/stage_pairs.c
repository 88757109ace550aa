/// @file stage_pairs.c  Device code: pairs of clusters, then of features, whose boxes overlap.
///
/// Boxes at both ends of the step make the test of boxes the axis filter of the exact test: two
/// features that are separated along one axis at both ends, in the same order, never meet.
#include "cuda/lists.h"
#include "fracas/contact.h"

FRC_DEVICE static bool overlap(const frc_bounds* a, const frc_bounds* b) {
    bool near = true;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        near &= (a->lo[0][k] <= b->hi[0][k]) | (a->lo[1][k] <= b->hi[1][k]);
        near &= (b->lo[0][k] <= a->hi[0][k]) | (b->lo[1][k] <= a->hi[1][k]);
    }
    return near;
}

enum { PART = 8, PARTS = FRC_WARP / PART };  // boxes of 32 that a warp compares at a time

// One level of boxes of both sets, and the boxes over 32 of them each.
typedef struct level {
    const frc_bounds *a, *b, *over_a, *over_b;
    uint32_t a_count, b_count;
} level;

// Append pairs of boxes: bits of lane i are the boxes from `first_b` on that its box meets.
FRC_DEVICE static void append_boxes(const frc_pair_list* out, uint32_t first_a, uint32_t first_b,
                                    uint32_t* bits) {
    uint32_t at[FRC_LANES];
    FRC_EACH_LANE(i) at[i] = frc_popcount(bits[i]);
    const uint32_t count = frc_scan(at);
    const uint64_t first = frc_take(out->count, count);
    FRC_EACH_LANE(i) {
        for (uint64_t n = first + at[i]; bits[i]; bits[i] &= bits[i] - 1, n++) {
            if (n >= out->capacity) break;
            out->pairs[n].a = first_a + FRC_LANE(i);
            out->pairs[n].b = first_b + frc_lowest_bit(bits[i]);
        }
    }
}

// Lane i compares box i below box `a` of the upper level with a part of the boxes below `b`.
FRC_DEVICE static void pair_boxes(const frc_step* s, const level* l, uint32_t a, uint32_t b,
                                  uint32_t part, const frc_pair_list* out) {
    const uint32_t first_b = b * FRC_WARP + part * PART;
    uint32_t bits[FRC_LANES];
    bool near[FRC_LANES];
    if (first_b >= l->b_count || !overlap(&l->over_a[a], &l->over_b[b])) return;
    frc_bounds box[FRC_LANES];
    FRC_EACH_LANE(i) {
        const uint32_t n = a * FRC_WARP + FRC_LANE(i);
        bits[i] = 0;
        near[i] = n < l->a_count;
        if (near[i]) box[i] = l->a[n];
        near[i] = near[i] && overlap(&box[i], &l->over_b[b]);
    }
    if (!frc_ballot(near)) return;
    for (uint32_t j = 0; j < PART && first_b + j < l->b_count; j++) {
        const uint32_t m = first_b + j;
        FRC_EACH_LANE(i) {
            const uint32_t n = a * FRC_WARP + FRC_LANE(i);
            const bool on = near[i] && !(s->same && n > m) && overlap(&box[i], &l->b[m]);
            bits[i] |= (uint32_t)on << j;
        }
    }
    append_boxes(out, a * FRC_WARP, first_b, bits);
}

// All pairs of groups: for 32 million features these are half a million.
FRC_STAGE(bundle_pairs) {
    const level l = {s->a.bundles, s->b.bundles,      s->a.groups,
                     s->b.groups,  s->a.bundle_count, s->b.bundle_count};
    const uint32_t parts = s->b.group_count * PARTS;
    for (uint64_t a = 0, n = warp; a < s->a.group_count; a++) {
        for (; n < (a + 1) * parts; n += warps) {
            const uint32_t at = (uint32_t)(n - a * parts), b = at / PARTS;
            if (!(s->same && a > b))
                pair_boxes(s, &l, (uint32_t)a, b, at % PARTS, &s->lists[FRC_LIST_BUNDLES]);
        }
    }
}

FRC_STAGE(cluster_pairs) {
    const level l = {s->a.clusters, s->b.clusters,      s->a.bundles,
                     s->b.bundles,  s->a.cluster_count, s->b.cluster_count};
    const frc_pair_list* in = &s->lists[FRC_LIST_BUNDLES];
    const uint64_t count = frc_list_stored(in) * PARTS;
    for (uint64_t n = warp; n < count; n += warps) {
        const frc_slot_pair pair = in->pairs[n / PARTS];
        pair_boxes(s, &l, pair.a, pair.b, n % PARTS, &s->lists[FRC_LIST_CLUSTERS]);
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

// The box of an empty slot overlaps nothing but infinite boxes. Pairs of triangles may have common
// points.
FRC_DEVICE static bool is_candidate(const frc_step* s, uint32_t a, uint32_t b) {
    const frc_feature fa = s->a.features[a], fb = s->b.features[b];
    if (s->same && a >= b) return false;
    if (fa.point[0] == FRACAS_NONE || fb.point[0] == FRACAS_NONE) return false;
    if (s->drop_adjacent && have_common_point(&fa, &fb)) return false;
    return may_collide(s, &fa, &fb);
}

// What the lanes of a warp share: boxes of a cluster, and the pairs of slots of two clusters.
typedef struct pairing {
    frc_bounds box[FRC_WARP];
    uint16_t slots[FRC_WARP * FRC_WARP];
} pairing;

// Slots of clusters `a` and `b` whose boxes overlap, as 32 * (slot in a) + (slot in b); returns
// their number. Slots that meet the box of the other cluster are compared: each lane has one of one
// cluster, and a loop is over those of the other, of which there are less.
FRC_DEVICE static uint32_t find_overlaps(const frc_step* s, frc_slot_pair clusters, pairing* p) {
    frc_bounds box[2][FRC_LANES];
    bool near[2][FRC_LANES], on[FRC_LANES];
    uint32_t count = 0;
    const frc_bounds *of_a = &s->a.clusters[clusters.a], *of_b = &s->b.clusters[clusters.b];
    FRC_EACH_LANE(i) {
        box[0][i] = s->a.boxes[clusters.a * FRC_WARP + FRC_LANE(i)];
        box[1][i] = s->b.boxes[clusters.b * FRC_WARP + FRC_LANE(i)];
        near[0][i] = overlap(&box[0][i], of_b);
        near[1][i] = overlap(&box[1][i], of_a);
    }
    const uint32_t near_a = frc_ballot(near[0]), near_b = frc_ballot(near[1]);
    if (!near_a || !near_b) return 0;
    const bool turned = frc_popcount(near_a) < frc_popcount(near_b);
    FRC_EACH_LANE(i) p->box[FRC_LANE(i)] = turned ? box[0][i] : box[1][i];
    frc_sync_warp();
    FRC_EACH_LANE(i) if (turned) box[0][i] = box[1][i];
    const uint32_t own = turned ? 1 : FRC_WARP, other = turned ? FRC_WARP : 1;
    for (uint32_t left = turned ? near_a : near_b; left; left &= left - 1) {
        const uint32_t j = frc_lowest_bit(left);
        FRC_EACH_LANE(i) on[i] = overlap(&box[0][i], &p->box[j]);
        const uint32_t bits = frc_ballot(on);
        FRC_EACH_LANE(i) {
            const uint32_t at = count + frc_popcount(bits & ((1u << FRC_LANE(i)) - 1));
            if (on[i]) p->slots[at] = (uint16_t)(FRC_LANE(i) * own + j * other);
        }
        count += frc_popcount(bits);
    }
    frc_sync_warp();
    return count;
}

// Keep the candidates among the first `count` pairs of slots; returns their number.
FRC_DEVICE static uint32_t keep_candidates(const frc_step* s, frc_slot_pair clusters, pairing* p,
                                           uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t first = 0; first < count; first += FRC_WARP) {
        bool on[FRC_LANES];
        uint32_t slots[FRC_LANES];
        FRC_EACH_LANE(i) {
            on[i] = first + FRC_LANE(i) < count;
            slots[i] = on[i] ? p->slots[first + FRC_LANE(i)] : 0;
            on[i] = on[i] && is_candidate(s, clusters.a * FRC_WARP + slots[i] / FRC_WARP,
                                          clusters.b * FRC_WARP + slots[i] % FRC_WARP);
        }
        const uint32_t bits = frc_ballot(on);
        frc_sync_warp();
        FRC_EACH_LANE(i) {
            const uint32_t at = kept + frc_popcount(bits & ((1u << FRC_LANE(i)) - 1));
            if (on[i]) p->slots[at] = (uint16_t)slots[i];
        }
        kept += frc_popcount(bits);
    }
    frc_sync_warp();
    return kept;
}

FRC_DEVICE static void pair_features(const frc_step* s, frc_slot_pair clusters, pairing* p) {
    const frc_pair_list* out = &s->lists[s->decide ? FRC_LIST_CANDIDATES : FRC_LIST_HOST];
    const uint32_t count = keep_candidates(s, clusters, p, find_overlaps(s, clusters, p));
    const uint64_t start = frc_take(out->count, count);
    for (uint32_t first = 0; first < count; first += FRC_WARP) {
        FRC_EACH_LANE(i) {
            const uint32_t n = first + FRC_LANE(i);
            if (n >= count || start + n >= out->capacity) continue;
            frc_slot_pair pair;
            pair.a = clusters.a * FRC_WARP + p->slots[n] / FRC_WARP;
            pair.b = clusters.b * FRC_WARP + p->slots[n] % FRC_WARP;
            out->pairs[start + n] = pair;
        }
    }
    frc_sync_warp();
}

FRC_STAGE(feature_pairs) {
    const frc_pair_list* in = &s->lists[FRC_LIST_CLUSTERS];
    const uint64_t count = frc_list_stored(in);
    FRC_SHARED(pairing, p);
    if (warp >= count) return;
    frc_slot_pair next = in->pairs[warp];
    for (uint64_t n = warp; n < count; n += warps) {
        const frc_slot_pair clusters = next;  // the next one is read ahead
        if (n + warps < count) next = in->pairs[n + warps];
        pair_features(s, clusters, p);
    }
}
