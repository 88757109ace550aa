// Features that were one when the step began and move apart. The roots leave out t = 0 there
// (ccd_roots.c), but say nothing where all motion is in a plane; this exact test does, when the
// plane they leave is an axis plane.
#include "geom/ccd_stages.h"

// A component that is nowhere negative at t = 0 and positive at t = 1 is positive in between, as it
// is linear. Signs of differences are exact: no bound, no range.
static bool leaves_along_axis(const frc_ccd_query* q, int k, double sign) {
    for (int i = 0; i < q->count; i++)
        if (!(q->d[i][k][0] * sign >= 0 && q->d[i][k][1] * sign > 0)) return false;
    return true;
}

bool frc_ccd_parting(const frc_ccd_query* q) {
    for (int k = 0; k < 3; k++)
        if (leaves_along_axis(q, k, 1) || leaves_along_axis(q, k, -1)) return true;
    return false;
}
