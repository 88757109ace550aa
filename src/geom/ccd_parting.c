// Features that were one when the step began and move apart: they touch at t = 0 where they were
// one, and what is asked is whether they meet again. Without this stage every edge along a fresh
// crack would need exact arithmetic.
#include "geom/ccd_stages.h"

static bool starts_at_zero(const frc_ccd_query* q, int i) {
    return q->d[i][0][0] == 0 && q->d[i][1][0] == 0 && q->d[i][2][0] == 0;
}

// A component that is nowhere negative at t = 0 and positive at t = 1 is positive in between, as it
// is linear. Signs of differences are exact: no bound, no range.
static bool leaves_along_axis(const frc_ccd_query* q, int k, double sign) {
    for (int i = 0; i < q->count; i++)
        if (!(q->d[i][k][0] * sign >= 0 && q->d[i][k][1] * sign > 0)) return false;
    return true;
}

// How often t = 0 is a root of c = det(D0, D1, D2) for certain. One D_i that starts at 0 makes it
// one: a row of the determinant is t times a constant. Two edges that start as one have D0 = D3 = 0
// and D1 = -D2 there, or D1 = D2 = 0: then the derivative at 0 is a determinant with two parallel
// rows, or a row of zeros, and t = 0 is a double root. (Bit-equal end points make these relations
// exact.)
static int roots_at_start(const frc_ccd_query* q) {
    int zeros = 0;
    for (int i = 0; i < q->count; i++) zeros += starts_at_zero(q, i);
    if (zeros <= 1) return zeros;
    if (q->kind == FRC_CCD_EE && zeros == 2)
        if ((starts_at_zero(q, 0) && starts_at_zero(q, 3)) ||
            (starts_at_zero(q, 1) && starts_at_zero(q, 2)))
            return 2;
    return 0;
}

// With r roots at 0 the first r Bernstein coefficients are exactly 0, and c / t^r has a positive
// multiple of each other one as its own coefficients: one certain sign of those means no root in
// (0, 1]. Bound: 96 u Lambda, derived at the cubic filter.
static bool stays_off_plane(const frc_ccd_query* q) {
    int roots = roots_at_start(q);
    if (!q->safe || roots == 0) return false;
    double e = 96 * FRC_CCD_UNIT * (q->extent[0] * q->extent[1] * q->extent[2]);
    bool above = true, below = true;
    for (int j = roots; j < 4; j++) {
        above = above && q->cubic[j] > e;
        below = below && q->cubic[j] < -e;
    }
    return above || below;
}

bool frc_ccd_parting(const frc_ccd_query* q) {
    for (int k = 0; k < 3; k++)
        if (leaves_along_axis(q, k, 1) || leaves_along_axis(q, k, -1)) return true;
    return stays_off_plane(q);
}
