/// @file stage_discrete.c  Device code: triangles against triangles and free edges at t = 1. A free
/// edge is a triangle whose corners coincide.
#include "cuda/lists.h"
#include "cuda/pair_siblings.h"
#include "cuda/quick_triangles.h"
#include "exact/double_parts.h"
#include "exact/exact_det.h"
#include "geom/tri_tri.h"

// The corners of a pair: of a, then of b. Siblings that stay together are the same vertex.
typedef struct corners {
    uint32_t v[6];
    bool joined;  // some are siblings of the other triangle
} corners;

// Corners that are the same vertex, or siblings that stay together, are replaced by the first of
// them, across both triangles and within each.
FRC_DEVICE static void join(const frc_step* s, corners* c) {
    uint32_t first[6];
    for (int i = 0; i < 6; i++) {
        int j = 0;
        while (j < i && c->v[j] != c->v[i] &&
               frc_point_relation(s, c->v[j], c->v[i]) != FRC_TOGETHER)
            j++;
        first[i] = c->v[j];
    }
    for (int i = 0; i < 6; i++) c->v[i] = first[i];
}

FRC_DEVICE static corners corners_of(const frc_step* s, frc_slot_pair pair) {
    const uint32_t *a = s->a.features[pair.a].point, *b = s->b.features[pair.b].point;
    corners c;
    FRC_UNROLL
    for (int i = 0; i < 3; i++) c.v[i] = a[i], c.v[3 + i] = b[i];
    c.joined = s->siblings && frc_pair_relation(s, a, b) == FRC_TOGETHER;
    if (c.joined) join(s, &c);
    return c;
}

// Triangles are in contact at t = 1: there is nothing to say but which.
FRC_DEVICE static void append_hits(const frc_step* s, const bool* on, const frc_slot_pair* pairs) {
    frc_device_hit hits[FRC_LANES];
    FRC_EACH_LANE(i) {
        if (!on[i]) continue;
        hits[i].pair = pairs[i];
        hits[i].toi = hits[i].u = hits[i].v = hits[i].distance = 0;
        for (int k = 0; k < 3; k++) hits[i].normal[k] = 0;
    }
    frc_hits_append_all(s, on, hits);
}

FRC_STAGE(planes) {
    const frc_pair_list* in = &s->lists[FRC_LIST_CANDIDATES];
    const uint64_t count = frc_list_stored(in);
    FRC_EACH_32(first, count, warp, warps) {
        bool left[FRC_LANES], out[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            left[i] = out[i] = false;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            const corners c = corners_of(s, pair[i]);
            frc_quick_sides sides;
            frc_quick_sides_make(s->points, c.v, &sides);
            left[i] = !(c.joined && s->ignore_siblings) && !frc_quick_apart(&sides);
            out[i] = c.joined && !left[i];
        }
        frc_list_append(&s->lists[FRC_LIST_FILTERED], left, pair);
        frc_count_left_out(s, out);
    }
}

FRC_STAGE(signs) {
    const frc_pair_list* in = &s->lists[FRC_LIST_FILTERED];
    const uint64_t count = frc_list_stored(in);
    FRC_EACH_32(first, count, warp, warps) {
        bool hit[FRC_LANES], unsure[FRC_LANES], out[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            hit[i] = unsure[i] = out[i] = false;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            const corners c = corners_of(s, pair[i]);
            frc_quick_sides sides;
            frc_quick_sides_make(s->points, c.v, &sides);
            const frc_quick_answer answer = frc_quick_triangles(&sides);
            hit[i] = answer == FRC_QUICK_YES, unsure[i] = answer == FRC_QUICK_UNSURE;
            out[i] = c.joined && answer == FRC_QUICK_NO;
        }
        append_hits(s, hit, pair);
        frc_list_append(&s->lists[FRC_LIST_EXACT], unsure, pair);
        frc_count_left_out(s, out);
    }
}

// All determinants of the pair fit the integers of the device.
FRC_DEVICE static bool fits(const double at[6][3]) {
    for (int k = 0; k < 3; k++) {
        frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
        for (int i = 0; i < 6; i++) frc_double_span_add(&span, frc_double_split(at[i][k]));
        if (span.high > span.low && span.high - span.low > FRC_EXACT_DET_BITS) return false;
    }
    return true;
}

FRC_STAGE(exact_signs) {
    const frc_pair_list* in = &s->lists[FRC_LIST_EXACT];
    const uint64_t count = frc_list_stored(in);
    FRC_EACH_32(first, count, warp, warps) {
        bool hit[FRC_LANES], deep[FRC_LANES], out[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            hit[i] = deep[i] = out[i] = false;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            const corners c = corners_of(s, pair[i]);
            double at[6][3];
            for (int j = 0; j < 6; j++)
                for (int k = 0; k < 3; k++) at[j][k] = s->points[c.v[j]].x[k][1];
            deep[i] = !fits(at);
            hit[i] = !deep[i] && frc_tri_tri_mesh(at, c.v, at + 3, c.v + 3);
            out[i] = c.joined && !deep[i] && !hit[i];
        }
        append_hits(s, hit, pair);
        frc_list_append(&s->lists[FRC_LIST_HOST], deep, pair);
        frc_count_left_out(s, out);
    }
}
