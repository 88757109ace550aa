/// @file ccd_impact.c  Parameters and normal of a contact, to be called.
#include "geom/ccd_impact_inline.h"

// Where differences overflowed, recompute them from points scaled by 1/16.
FRC_DEVICE static void make_small(const frc_ccd_query* q, const frc_point* const points[4],
                                  frc_ccd_query* out) {
    frc_point small[4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 2; j++) {
            small[i].x[j] = points[i]->x[j] * 0x1p-4;
            small[i].y[j] = points[i]->y[j] * 0x1p-4;
            small[i].z[j] = points[i]->z[j] * 0x1p-4;
        }
    }
    const frc_ccd_pair pair = {
        {0, 1, 2, 3}
    };
    frc_ccd_query_make(q->kind, small, &pair, out);
}

FRC_DEVICE void frc_ccd_impact(const frc_ccd_query* q, const frc_point* const points[4],
                               frc_ccd_hit* hit) {
    frc_ccd_query recomputed;
    if (frc_ccd_impact_overflows(q)) {
        make_small(q, points, &recomputed);
        q = &recomputed;
    }
    if (q->kind == FRC_CCD_VF)
        frc_ccd_impact_inline(FRC_CCD_VF, q, hit);
    else
        frc_ccd_impact_inline(FRC_CCD_EE, q, hit);
}
