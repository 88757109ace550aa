#include "geom/separation.h"
bool frc_separation_ccd(frc_ccd_kind kind, const frc_point points[4], double distance,
                        double tolerance, frc_ccd_hit* hit) {
    (void)kind, (void)points, (void)distance, (void)tolerance, (void)hit;
    return false;
}
bool frc_separation_static(frc_ccd_kind kind, const frc_point points[4], double distance,
                           frc_closest* out) {
    (void)kind, (void)points, (void)distance, (void)out;
    return false;
}
