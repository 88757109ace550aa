/// @file ccd_sides.h  The cross products whose signs say inside or outside.
#pragma once

/// P_i = D_x x D_y; on contact sign * P_i is a non-negative multiple of the common normal N. VF:
/// the three sides of the triangle seen from the vertex, N their sum. EE: the ends a, b of one edge
/// seen against cd, then c, d against ab; N = P_0 - P_1.
typedef struct frc_ccd_side {
    int x, y, sign;
} frc_ccd_side;

static const frc_ccd_side FRC_CCD_SIDES[2][4] = {
    {{0, 1, 1}, {1, 2, 1},  {2, 0, 1},  {0, 0, 0}},
    {{0, 1, 1}, {2, 3, -1}, {0, 2, -1}, {1, 3, 1}}
};
static const int FRC_CCD_SIDE_COUNT[2] = {3, 4};
