/// @file pair_siblings.h  Device code: siblings of two features, by the rules of detect/siblings.c.
#pragma once
#include "cuda/lists.h"

/// Ordered: the strongest relation of a point of one feature to a point of the other counts.
typedef enum frc_relation {
    FRC_UNRELATED,
    FRC_SEPARATING,  // siblings that coincide at the start of the step and not at its end
    FRC_TOGETHER     // siblings that coincide at both ends; all siblings if the query ignores them
} frc_relation;

FRC_DEVICE static inline bool frc_coincide(const frc_moving_point* p, const frc_moving_point* q,
                                           int end) {
    return p->x[0][end] == q->x[0][end] && p->x[1][end] == q->x[1][end] &&
           p->x[2][end] == q->x[2][end];
}

/// Of two points. A common vertex is no sibling.
FRC_DEVICE static inline frc_relation frc_point_relation(const frc_step* s, uint32_t p,
                                                         uint32_t q) {
    const uint32_t tag = s->names[p].tag[s->sibling_tag];
    if (p == q || tag == 0 || tag != s->names[q].tag[s->sibling_tag]) return FRC_UNRELATED;
    if (s->ignore_siblings) return FRC_TOGETHER;
    if (!frc_coincide(&s->points[p], &s->points[q], 0)) return FRC_UNRELATED;
    return frc_coincide(&s->points[p], &s->points[q], 1) ? FRC_TOGETHER : FRC_SEPARATING;
}

/// The strongest relation between two features.
FRC_DEVICE static inline frc_relation frc_pair_relation(const frc_step* s, const uint32_t a[3],
                                                        const uint32_t b[3]) {
    frc_relation strongest = FRC_UNRELATED;
    if (!s->siblings) return FRC_UNRELATED;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const frc_relation r = frc_point_relation(s, a[i], b[j]);
            strongest = r > strongest ? r : strongest;
        }
    return strongest;
}

FRC_DEVICE static inline frc_relation frc_step_relation(const frc_step* s, frc_slot_pair pair) {
    return frc_pair_relation(s, s->a.features[pair.a].point, s->b.features[pair.b].point);
}

/// Count pairs that are left out because of siblings.
FRC_DEVICE static inline void frc_count_left_out(const frc_step* s, const bool* left_out) {
    if (s->siblings) frc_take(&s->counts[FRC_COUNT_LEFT_OUT], frc_popcount(frc_ballot(left_out)));
}
