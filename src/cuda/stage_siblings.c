/// @file stage_siblings.c  Device code: candidates by what decides them, where a scene has siblings
/// or distances count. In a stage of its own, so that the filters keep their registers.
#include "cuda/lists.h"
#include "cuda/pair_siblings.h"
#include "cuda/quick_after_start.h"

typedef enum way {
    LEFT_OUT,   // because of siblings
    TO_FILTER,  // contact in time
    TO_ROOTS,   // contact after the start
    TO_NEAR     // a distance
} way;

FRC_DEVICE static way way_of(const frc_step* s, frc_slot_pair pair) {
    const frc_relation relation = frc_step_relation(s, pair);
    const bool reach = s->decide == FRC_DECIDE_REACH && frc_step_reach(s, pair) > 0;
    if (relation == FRC_UNRELATED) return reach ? TO_NEAR : TO_FILTER;
    if (relation == FRC_TOGETHER || reach) return LEFT_OUT;
    const frc_ccd_pair candidate = frc_step_candidate(s, pair);
    return frc_quick_after_start_rejects(s->kind, s->points, candidate.point) ? LEFT_OUT : TO_ROOTS;
}

FRC_STAGE(siblings) {
    const frc_pair_list* in = &s->lists[FRC_LIST_CANDIDATES];
    const uint64_t count = frc_list_stored(in);
    FRC_EACH_32(first, count, warp, warps) {
        bool out[FRC_LANES], filter[FRC_LANES], roots[FRC_LANES], near[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            out[i] = filter[i] = roots[i] = near[i] = false;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            const way to = way_of(s, pair[i]);
            out[i] = to == LEFT_OUT, filter[i] = to == TO_FILTER;
            roots[i] = to == TO_ROOTS, near[i] = to == TO_NEAR;
        }
        frc_list_append(&s->lists[FRC_LIST_UNRELATED], filter, pair);
        frc_list_append(&s->lists[FRC_LIST_ROOTS], roots, pair);
        frc_list_append(&s->lists[FRC_LIST_REACH], near, pair);
        frc_count_left_out(s, out);
    }
}
