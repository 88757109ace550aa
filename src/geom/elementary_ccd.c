/// @file elementary_ccd.c  The public continuous pair tests: check the arguments, then call ccd.h.
#include "fracas/elementary.h"
#include "geom/ccd.h"
#include <math.h>

static bool set_point(frc_point* p, const double t0[3], const double t1[3]) {
    for (int k = 0; k < 3; k++)
        if (!isfinite(t0[k]) || !isfinite(t1[k])) return false;
    *p = (frc_point){
        {t0[0],  t1[0]},
        {t0[1],      t1[1]},
        {t0[2],t1[2]},
        {0 }
    };
    return true;
}

static bool decide(frc_ccd_kind kind, const frc_point points[4], double tolerance,
                   fracas_impact* impact) {
    const frc_ccd_options options = {.tolerance = tolerance > 0 ? tolerance : 1e-6};
    frc_ccd_hit hit;
    if (!frc_ccd_one(kind, points, &options, &hit)) return false;
    if (impact)
        *impact = (fracas_impact){
            hit.toi, hit.u, hit.v, {hit.normal[0], hit.normal[1], hit.normal[2]}
        };
    return true;
}

bool fracas_vertex_face_find_impact(const double vertex_t0[3], const double face_t0[3][3],
                                    const double vertex_t1[3], const double face_t1[3][3],
                                    double tolerance, fracas_impact* impact) {
    if (!vertex_t0 || !face_t0 || !vertex_t1 || !face_t1) return false;
    frc_point p[4];
    if (!set_point(&p[0], vertex_t0, vertex_t1)) return false;
    for (int i = 0; i < 3; i++)
        if (!set_point(&p[1 + i], face_t0[i], face_t1[i])) return false;
    return decide(FRC_CCD_VF, p, tolerance, impact);
}

bool fracas_edge_edge_find_impact(const double ab_t0[2][3], const double cd_t0[2][3],
                                  const double ab_t1[2][3], const double cd_t1[2][3],
                                  double tolerance, fracas_impact* impact) {
    if (!ab_t0 || !cd_t0 || !ab_t1 || !cd_t1) return false;
    frc_point p[4];
    for (int i = 0; i < 2; i++) {
        if (!set_point(&p[i], ab_t0[i], ab_t1[i])) return false;
        if (!set_point(&p[2 + i], cd_t0[i], cd_t1[i])) return false;
    }
    return decide(FRC_CCD_EE, p, tolerance, impact);
}
