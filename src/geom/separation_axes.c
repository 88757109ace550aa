/// @file separation_axes.c  Pairs whose boxes are further apart than a distance, exactly.
#include "geom/separation_stages.h"

// a - b > d, exactly: rounding is monotone, so only a rounded difference equal to d is ambiguous,
// and then the sign of its rounding error decides (Knuth's two-sum).
FRC_DEVICE static bool exceeds(double a, double b, double d) {
    const double x = a - b;
    if (x != d) return x > d;
    const double back = a - x, again = x + back;
    return (a - again) + (back - b) > 0;
}

FRC_DEVICE bool frc_separation_axes_apart(frc_ccd_kind kind, const frc_point* const p[4], int first,
                                          double distance) {
    const int split = kind == FRC_CCD_VF ? 1 : 2;
    for (int k = 0; k < 3; k++) {
        int side[2];  // 1: b lies above a by more than the distance, -1: below, 0: neither
        for (int end = first; end < 2; end++) {
            const double x0 = frc_point_axis(p[0], k)[end], x3 = frc_point_axis(p[3], k)[end];
            double low[2] = {x0, x3}, high[2] = {x0, x3};
            for (int i = 1; i < 3; i++) {
                const double x = frc_point_axis(p[i], k)[end];
                const int feature = i >= split;
                if (x < low[feature]) low[feature] = x;
                if (x > high[feature]) high[feature] = x;
            }
            side[end] = exceeds(low[1], high[0], distance)   ? 1
                        : exceeds(low[0], high[1], distance) ? -1
                                                             : 0;
        }
        if (side[1] && side[first] == side[1]) return true;
    }
    return false;
}
