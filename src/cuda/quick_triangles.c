/// @file quick_triangles.c  Device code: what the sides of corners leave of two triangles.
#include "cuda/quick_triangles.h"
#include "geom/tri_tri_by_edge.h"
#include "geom/tri_tri_signs.h"

FRC_DEVICE static bool are_certain(const frc_quick_sides* s) {
    bool certain = true;
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++)
            certain = certain && (!(s->unshared[t] >> i & 1) || fabs(s->side[t][i]) > s->bound);
    return certain;
}

FRC_DEVICE static uint32_t corners_above(const double side[3]) {
    return (uint32_t)(side[0] > 0) | (uint32_t)(side[1] > 0) << 1 | (uint32_t)(side[2] > 0) << 2;
}

FRC_DEVICE static bool separated_by_edge(const frc_quick_sides* s) {
    frc_tri_six six;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) six.p[i][k] = s->corner[i / 3][i % 3][k] - s->corner[0][0][k];
    return frc_tri_separated_by_edge(&six);
}

// ---- by the number of common corners

// The intervals in which both triangles meet the line of their planes.
FRC_DEVICE static frc_quick_answer compare_intervals(const frc_quick_sides* s) {
    const int alone_a = frc_alone_corner[corners_above(s->side[0])],
              alone_b = frc_alone_corner[corners_above(s->side[1])];
    const uint8_t* i = frc_corner_order[alone_a & 3][alone_b >> 2];
    const uint8_t* j = frc_corner_order[alone_b & 3][alone_a >> 2];
    double between[3], unused = 0;
    frc_quick_subtract(s->corner[1][j[0]], s->corner[0][i[0]], between, &unused);
    bool meet = true;
    for (int n = 1; n < 3; n++) {
        double ea[3], eb[3];
        frc_quick_subtract(s->corner[0][i[n]], s->corner[0][i[0]], ea, &unused);
        frc_quick_subtract(s->corner[1][j[n]], s->corner[1][j[0]], eb, &unused);
        const double det = frc_quick_det(ea, eb, between);
        // Edges may reach 2 s and the last vector 3 s.
        if (!(fabs(det) > 8 * s->bound)) return FRC_QUICK_UNSURE;
        meet = meet && (n == 1 ? det > 0 : det < 0);
    }
    return meet ? FRC_QUICK_YES : FRC_QUICK_NO;
}

// Not apart and all sides certain: each triangle has one corner above and one below the plane of
// the other. They meet beyond the common corner when its successors are on different sides.
FRC_DEVICE static frc_quick_answer compare_wedges(const frc_quick_sides* s) {
    bool above[2] = {false, false};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++)
            if (!(s->unshared[t] >> i & 1)) above[t] = s->side[t][(i + 1) % 3] > 0;
    return above[0] != above[1] ? FRC_QUICK_YES : FRC_QUICK_NO;
}

FRC_DEVICE frc_quick_answer frc_quick_triangles(const frc_quick_sides* s) {
    if (s->repeated > 0 || s->shared > 1) return FRC_QUICK_UNSURE;
    frc_quick_answer answer = FRC_QUICK_UNSURE;
    if (are_certain(s)) answer = s->shared > 0 ? compare_wedges(s) : compare_intervals(s);
    if (answer == FRC_QUICK_UNSURE && s->shared == 0 && separated_by_edge(s)) return FRC_QUICK_NO;
    return answer;
}
