/// @file four_points.h  The points of a candidate, for functions that take them by their address.
#pragma once
#include "cuda/step.h"
#include "geom/ccd.h"

typedef struct frc_four_points {
    frc_point at[4];
    const frc_point* list[4];
} frc_four_points;

FRC_DEVICE static inline void frc_four_points_load(const frc_step* s, frc_slot_pair pair,
                                                   frc_four_points* out) {
    const frc_ccd_pair candidate = frc_step_candidate(s, pair);
    for (int i = 0; i < 4; i++) {
        const frc_moving_point* p = &s->points[candidate.point[i]];
        for (int e = 0; e < 2; e++) {
            out->at[i].x[e] = p->x[0][e];
            out->at[i].y[e] = p->x[1][e];
            out->at[i].z[e] = p->x[2][e];
        }
        out->list[i] = &out->at[i];
    }
}
