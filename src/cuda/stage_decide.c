/// @file stage_decide.c  Device code: the narrow phase, in stages that pass on what they have not
/// decided. Each candidate ends rejected, as a hit, or in the list of the host.
#include "cuda/four_points.h"
#include "cuda/lists.h"
#include "cuda/pair_siblings.h"
#include "cuda/quick_query.h"
#include "cuda/quick_roots.h"
#include "geom/ccd_impact_inline.h"

// Free points are vertices against degenerate triangles.
FRC_QUICK frc_ccd_pair candidate_of(frc_ccd_kind kind, const frc_step* s, frc_slot_pair pair) {
    const bool free = s->contact == FRACAS_CONTACT_VE || s->contact == FRACAS_CONTACT_VV;
    if (kind == FRC_CCD_EE || !free) return frc_quick_candidate(kind, s, pair);
    const uint32_t *a = s->a.features[pair.a].point, *b = s->b.features[pair.b].point;
    return frc_order_free(a[0], frc_quick_order(s, a[0]), b[0], frc_quick_order(s, b[0]), b[2],
                          frc_quick_order(s, b[2]));
}

FRC_DEVICE frc_ccd_pair frc_step_candidate(const frc_step* s, frc_slot_pair pair) {
    return candidate_of(s->kind, s, pair);
}

FRC_DEVICE static frc_ccd_query query_of(const frc_step* s, frc_slot_pair pair) {
    const frc_ccd_pair candidate = frc_step_candidate(s, pair);
    frc_ccd_query q;
    frc_quick_query(s->kind, s->points, &candidate, &q);
    return q;
}

// The filters reject in any order of two edges: that of the slots.
FRC_QUICK bool rejects(frc_ccd_kind kind, const frc_step* s, frc_slot_pair pair, bool* one_root) {
    const frc_feature a = s->a.features[pair.a], b = s->b.features[pair.b];
    const bool vf = kind == FRC_CCD_VF;
    const uint32_t p[4] = {a.point[0], vf ? b.point[0] : a.point[1], vf ? b.point[1] : b.point[0],
                           vf ? b.point[2] : b.point[1]};
    return frc_quick_rejects(kind, s->points, p, one_root);
}

// Candidates with one root and with two are in lists of their own, so that the lanes of a warp take
// the same branches.
FRC_STAGE(filter) {
    const frc_pair_list* in = &s->to_filter;
    const uint64_t count = frc_list_stored(in);
    FRC_EACH_32(first, count, warp, warps) {
        bool one[FRC_LANES], two[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            one[i] = two[i] = false;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            bool one_root;
            const bool left = s->kind == FRC_CCD_VF ? !rejects(FRC_CCD_VF, s, pair[i], &one_root)
                                                    : !rejects(FRC_CCD_EE, s, pair[i], &one_root);
            one[i] = left && one_root, two[i] = left && !one_root;
        }
        frc_list_append(&s->lists[FRC_LIST_FILTERED], one, pair);
        frc_list_append(&s->lists[FRC_LIST_TWO_ROOTS], two, pair);
    }
}

FRC_STAGE(roots) {
    const frc_pair_list* in = &s->lists[FRC_LIST_ROOTS];
    const uint64_t count = frc_list_stored(in);
    const uint32_t share = frc_share_of_warp(count, warps, FRC_WARP);
    // The latency of a short list is that of its slowest pair: exact arithmetic is faster than many
    // intervals of time.
    const int budget = share > 1 ? FRC_CCD_BUDGET : FRC_CCD_SHORT_BUDGET;
    FRC_EACH_SHARE(first, share, count, warp, warps) {
        bool hit[FRC_LANES], unsure[FRC_LANES], later[FRC_LANES], out[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        double toi[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            hit[i] = unsure[i] = later[i] = out[i] = false;
            if (FRC_LANE(i) >= share || n >= count) continue;
            pair[i] = in->pairs[n];
            const frc_ccd_query q = query_of(s, pair[i]);
            const bool after = frc_step_relation(s, pair[i]) == FRC_SEPARATING;
            const int at_start = after ? frc_ccd_roots_at_start(&q) : 0;
            const frc_ccd_verdict v = frc_ccd_roots(&q, s->tolerance, after, at_start, &toi[i]);
            hit[i] = v == FRC_CCD_HIT;
            // No plane separates features with a coincident point.
            const bool left = v == FRC_CCD_UNSURE && (at_start || !frc_ccd_separated(&q, budget));
            unsure[i] = left && !after, later[i] = left && after;
            out[i] = after && !hit[i] && !left;
        }
        frc_hits_append(s, hit, pair, toi);
        frc_list_append(&s->lists[FRC_LIST_EXACT], unsure, pair);
        if (s->siblings) frc_list_append(&s->lists[FRC_LIST_LATER], later, pair);
        frc_count_left_out(s, out);
    }
}

// Not inlined: it is rare.
FRC_DEVICE static __attribute__((noinline)) void
impact_of_far_points(const frc_step* s, frc_slot_pair pair, frc_ccd_hit* hit) {
    frc_four_points p;
    frc_four_points_load(s, pair, &p);
    const frc_ccd_query q = query_of(s, pair);
    frc_ccd_impact(&q, p.list, hit);
}

FRC_QUICK void set_impact(frc_ccd_kind kind, const frc_step* s, frc_device_hit* to) {
    const frc_ccd_pair candidate = candidate_of(kind, s, to->pair);
    frc_ccd_query q;
    frc_ccd_hit hit;
    frc_quick_make(kind, s->points, candidate.point, &q);
    hit.toi = to->toi;
    if (!frc_ccd_impact_overflows(&q)) {
        frc_ccd_impact_inline(kind, &q, &hit);
    } else {
        frc_ccd_hit far = {.toi = to->toi};
        impact_of_far_points(s, to->pair, &far);
        hit = far;
    }
    to->u = hit.u, to->v = hit.v;
    for (int k = 0; k < 3; k++) to->normal[k] = hit.normal[k];
    to->distance = 0;
}

FRC_STAGE(impact) {
    const uint64_t count = *s->hit_count < s->hit_capacity ? *s->hit_count : s->hit_capacity;
    FRC_EACH_32(first, count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            if (n >= count) continue;
            if (s->kind == FRC_CCD_VF)
                set_impact(FRC_CCD_VF, s, &s->hits[n]);
            else
                set_impact(FRC_CCD_EE, s, &s->hits[n]);
        }
    }
}

#if defined(__CUDACC__)
// ccd_impact.c computes differences again where they overflow. On the CPU the function is in
// ccd_filter.c, in SIMD lanes.
FRC_DEVICE void frc_ccd_query_make(frc_ccd_kind kind, const frc_point* points,
                                   const frc_ccd_pair* pair, frc_ccd_query* out) {
    frc_moving_point moving[4];
    for (int i = 0; i < 4; i++) {
        const frc_point* p = &points[pair->point[i]];
        for (int e = 0; e < 2; e++) {
            moving[i].x[0][e] = p->x[e];
            moving[i].x[1][e] = p->y[e];
            moving[i].x[2][e] = p->z[e];
        }
    }
    const frc_ccd_pair all = {
        {0, 1, 2, 3}
    };
    frc_quick_query(kind, moving, &all, out);
}
#endif
