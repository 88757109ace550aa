/// @file quick_query.c  Device code: what quick_query.h has, for one kind or the other.
#include "cuda/quick_query.h"
#include "cuda/quick_roots.h"

FRC_DEVICE void frc_quick_query(frc_ccd_kind kind, const frc_moving_point* points,
                                const frc_ccd_pair* pair, frc_ccd_query* out) {
    if (kind == FRC_CCD_VF)
        frc_quick_make(FRC_CCD_VF, points, pair->point, out);
    else
        frc_quick_make(FRC_CCD_EE, points, pair->point, out);
}

FRC_DEVICE bool frc_quick_reject(frc_ccd_kind kind, const frc_moving_point points[4]) {
    const uint32_t p[4] = {0, 1, 2, 3};
    bool one_root;
    return kind == FRC_CCD_VF ? frc_quick_rejects(FRC_CCD_VF, points, p, &one_root)
                              : frc_quick_rejects(FRC_CCD_EE, points, p, &one_root);
}
