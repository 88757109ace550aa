/// @file medial_overlap.c  Whether two medial primitives overlap: bounds in doubles, else integers.
#include "geom/medial_core.h"

bool frc_medial_overlap(const double (*a)[4], int na, const double (*b)[4], int nb) {
    frc_medial_pair pair;
    frc_medial_bounds r;
    frc_medial_load(a, na, b, nb, &pair);
    frc_medial_nearest(&pair, FRC_MEDIAL_DECISION, NULL, &r);
    if (r.lower > 0) return false;
    return r.upper <= 0 || frc_medial_overlap_exact(a, na, b, nb);
}
