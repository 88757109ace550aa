/// @file quick_near.c  Device code: directions along which two features are further apart than a
/// distance at both ends. geom/separation_filter.c has the bounds; the order of operations is part
/// of the result.
#include "cuda/quick_near.h"

// The least and the negated largest of a value over all D_i at both ends.
typedef struct margin {
    double up, down;
} margin;

FRC_QUICK void add_margin(margin* m, double v) {
    m->up = v < m->up ? v : m->up;
    m->down = -v < m->down ? -v : m->down;
}

FRC_QUICK double largest(const margin* m) { return m->up > m->down ? m->up : m->down; }

FRC_DEVICE static bool axes_apart(const frc_ccd_query* q, double distance) {
    bool apart = false;
    for (int k = 0; k < 3; k++) {
        margin m = {INFINITY, INFINITY};
        for (int i = 0; i < q->count; i++)
            for (int e = 0; e < 2; e++) add_margin(&m, q->d[i][k][e]);
        apart = apart || largest(&m) > distance;
    }
    return apart;
}

// Along the normal of the face, or of both edges, at t = 1/2.
FRC_DEVICE static bool normal_apart(const frc_ccd_query* q, double distance) {
    const int along_e = q->kind == FRC_CCD_VF ? 1 : 2, along_f = q->kind == FRC_CCD_VF ? 2 : 1;
    double e[3], f[3], n[3];
    for (int k = 0; k < 3; k++) {
        e[k] = (q->d[along_e][k][0] - q->d[0][k][0]) + (q->d[along_e][k][1] - q->d[0][k][1]);
        f[k] = (q->d[along_f][k][0] - q->d[0][k][0]) + (q->d[along_f][k][1] - q->d[0][k][1]);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = e[i] * f[j] - e[j] * f[i];
    }
    margin m = {INFINITY, INFINITY};
    for (int i = 0; i < q->count; i++)
        for (int end = 0; end < 2; end++) {
            const double v[3] = {q->d[i][0][end], q->d[i][1][end], q->d[i][2][end]};
            add_margin(&m, frc_quick_dot(n, v));
        }
    const double *l = q->extent, length2 = frc_quick_dot(n, n);
    const double sum = fabs(n[0]) * l[0] + fabs(n[1]) * l[1] + fabs(n[2]) * l[2];
    const double least =
        distance * sqrt(length2) * (1 + 0x1p-40) + (8 * FRC_CCD_UNIT * sum + 0x1p-1000);
    return largest(&m) > least && length2 > 0x1p-600 && l[0] + l[1] + l[2] < 0x1p300;
}

// The directions x+-y, x+-z, y+-z and x+-y+-z.
FRC_DEVICE static bool slants_apart(const frc_ccd_query* q, double distance) {
    const double sum = q->extent[0] + q->extent[1] + q->extent[2], e = 4 * FRC_CCD_UNIT * sum;
    const double reach = distance > 0x1p-1000 ? distance : 0x1p-1000;
    double two = 0, three = 0;
    for (int sign = -1; sign < 2; sign += 2) {
        margin m[5];
        for (int j = 0; j < 5; j++) m[j].up = m[j].down = INFINITY;
        for (int i = 0; i < q->count; i++)
            for (int end = 0; end < 2; end++) {
                const double x = q->d[i][0][end], y = q->d[i][1][end], z = q->d[i][2][end];
                const double xy = x + sign * y;
                add_margin(&m[0], xy);
                add_margin(&m[1], x + sign * z);
                add_margin(&m[2], y + sign * z);
                add_margin(&m[3], xy + z);
                add_margin(&m[4], xy - z);
            }
        for (int j = 0; j < 3; j++) two = largest(&m[j]) > two ? largest(&m[j]) : two;
        for (int j = 3; j < 5; j++) three = largest(&m[j]) > three ? largest(&m[j]) : three;
    }
    return (two > 1.4142136 * reach + e || three > 1.7320509 * reach + e) && sum < 0x1p1000;
}

FRC_DEVICE bool frc_quick_may_be_near(const frc_ccd_query* q, double distance) {
    return !axes_apart(q, distance) && !normal_apart(q, distance) && !slants_apart(q, distance);
}
