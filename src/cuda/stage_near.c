/// @file stage_near.c  Device code: pairs that come within a distance in time, or are within it at
/// t = 1. What is unsure in floating point goes to the host: the integers of this test need 45 KB
/// for a pair.
#include "cuda/lists.h"
#include "cuda/quick_near.h"
#include "cuda/quick_roots.h"
#include "geom/separation_stages.h"

// The points of a candidate, for functions that take them by their address; `moving` is at rest at
// t = 1 if that alone counts.
typedef struct four_points {
    frc_moving_point moving[4];
    frc_point at[4];
    const frc_point* list[4];
} four_points;

FRC_DEVICE static void load_points(const frc_step* s, frc_slot_pair pair, bool end_only,
                                   four_points* out) {
    const frc_ccd_pair candidate = frc_step_candidate(s, pair);
    for (int i = 0; i < 4; i++) {
        frc_moving_point* p = &out->moving[i];
        *p = s->points[candidate.point[i]];
        for (int e = 0; e < 2; e++) {
            out->at[i].x[e] = p->x[0][e];
            out->at[i].y[e] = p->x[1][e];
            out->at[i].z[e] = p->x[2][e];
        }
        for (int k = 0; k < 3 && end_only; k++) p->x[k][0] = p->x[k][1];
        out->list[i] = &out->at[i];
    }
}

FRC_DEVICE static frc_ccd_query query_of(frc_ccd_kind kind, const four_points* p) {
    const frc_ccd_pair all = {
        {0, 1, 2, 3}
    };
    frc_ccd_query q;
    frc_quick_query(kind, p->moving, &all, &q);
    return q;
}

FRC_STAGE(near) {
    const frc_pair_list* in = &s->lists[FRC_LIST_REACH];
    const uint64_t count = frc_list_stored(in);
    FRC_EACH_32(first, count, warp, warps) {
        bool left[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            left[i] = false;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            const frc_ccd_pair candidate = frc_step_candidate(s, pair[i]);
            frc_ccd_query q;
            frc_quick_query(s->kind, s->points, &candidate, &q);
            left[i] = frc_quick_may_be_near(&q, frc_step_reach(s, pair[i]));
        }
        frc_list_append(&s->lists[FRC_LIST_NEAR], left, pair);
    }
}

FRC_STAGE(reach) {
    const frc_pair_list* in = &s->lists[FRC_LIST_NEAR];
    const uint64_t count = frc_list_stored(in);
    const double tolerance =
        s->tolerance > FRC_SEPARATION_TOLERANCE_MIN ? s->tolerance : FRC_SEPARATION_TOLERANCE_MIN;
    FRC_EACH_32(first, count, warp, warps) {
        bool hit[FRC_LANES], unsure[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        frc_device_hit hits[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            hit[i] = unsure[i] = false;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            four_points p;
            frc_ccd_hit found;
            const double reach = frc_step_reach(s, pair[i]);
            load_points(s, pair[i], false, &p);
            const frc_ccd_query q = query_of(s->kind, &p);
            const frc_separation_verdict v = frc_separation_float(&q, reach, tolerance, &found);
            if (v == FRC_SEPARATION_FAR || frc_separation_axes_apart(s->kind, p.list, 0, reach))
                continue;
            hit[i] = v == FRC_SEPARATION_NEAR, unsure[i] = !hit[i];
            if (!hit[i]) continue;
            hits[i].pair = pair[i], hits[i].toi = found.toi;
            hits[i].u = found.u, hits[i].v = found.v, hits[i].distance = 0;
            for (int k = 0; k < 3; k++) hits[i].normal[k] = found.normal[k];
        }
        frc_hits_append_all(s, hit, hits);
        frc_list_append(&s->lists[FRC_LIST_HOST], unsure, pair);
    }
}

FRC_STAGE(nearby) {
    const frc_pair_list* in = &s->lists[FRC_LIST_CANDIDATES];
    const uint64_t count = frc_list_stored(in);
    FRC_EACH_32(first, count, warp, warps) {
        bool hit[FRC_LANES], unsure[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        frc_device_hit hits[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            hit[i] = unsure[i] = false;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            four_points p;
            frc_closest found;
            const double reach = frc_step_reach(s, pair[i]);
            load_points(s, pair[i], true, &p);
            if (frc_separation_axes_apart(s->kind, p.list, 1, reach)) continue;
            const frc_ccd_query q = query_of(s->kind, &p);
            const frc_separation_verdict v = frc_separation_float_static(&q, reach, &found);
            hit[i] = v == FRC_SEPARATION_NEAR, unsure[i] = v == FRC_SEPARATION_UNSURE;
            if (!hit[i]) continue;
            hits[i].pair = pair[i], hits[i].toi = 0;
            hits[i].u = found.u, hits[i].v = found.v, hits[i].distance = found.distance;
            for (int k = 0; k < 3; k++) hits[i].normal[k] = found.normal[k];
        }
        frc_hits_append_all(s, hit, hits);
        frc_list_append(&s->lists[FRC_LIST_HOST], unsure, pair);
    }
}
