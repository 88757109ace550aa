// Deterministic generators of difficult queries. A query is q[point][time][axis] until it is
// stored. Each full expression draws one number, or several in an order defined by C, because
// compilers choose the order of arguments, operands and initialisers.
#include "generate_ccd.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef double query[4][2][3];

uint64_t generate_bits(generator* g) {
    uint64_t z = (g->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int below(generator* g, int n) { return (int)(generate_bits(g) % (uint64_t)n); }
static int between(generator* g, int lo, int hi) { return lo + below(g, hi - lo + 1); }
static double uniform(generator* g) { return (double)(generate_bits(g) >> 11) * 0x1p-52 - 1; }

#define EACH(p, t, k)                                                                              \
    for (int p = 0; p < 4; p++)                                                                    \
        for (int t = 0; t < 2; t++)                                                                \
            for (int k = 0; k < 3; k++)

static void grid(generator* g, query q, int size) {
    EACH(p, t, k) q[p][t][k] = between(g, -size, size);
}

static void merge(query q, int from, int to, int t) {
    memcpy(q[to][t], q[from][t], sizeof q[0][0]);
}

static void degenerate(generator* g, query q) {
    const int what = below(g, 6), a = below(g, 4), b = (a + 1 + below(g, 3)) % 4;
    if (what == 0) EACH(p, t, k) if (k == 2) q[p][t][2] = 0;
    if (what == 1) EACH(p, t, k) if (k == 2) q[p][t][2] = q[p][t][0];
    if (what == 2) EACH(p, t, k) if (t) q[p][1][k] = q[p][0][k];
    if (what == 3) merge(q, a, b, 0), merge(q, a, b, 1);
    if (what == 4) merge(q, a, b, below(g, 2));
    if (what == 5) {
        const int axis = below(g, 3), shift = between(g, -4, 4);
        for (int p = 0; p < 2; p++)
            for (int k = 0; k < 3; k++) q[p][1][k] = q[p][0][k] + (k == axis ? shift : 0);
        for (int p = 2; p < 4; p++) memcpy(q[p][1], q[p][0], sizeof q[p][0]);
    }
}

static void degenerate_grid(generator* g, query q, int size) {
    grid(g, q, size);
    degenerate(g, q);
}

static void scale_axes(generator* g, query q, int low, int high) {
    for (int k = 0; k < 3; k++) {
        const int e = between(g, low, high);
        for (int p = 0; p < 4; p++)
            for (int t = 0; t < 2; t++) q[p][t][k] = ldexp(q[p][t][k], e);
    }
}

static void offset(generator* g, query q, int max) {
    for (int k = 0; k < 3; k++) {
        const int by = between(g, -max, max);
        for (int p = 0; p < 4; p++)
            for (int t = 0; t < 2; t++) q[p][t][k] += by;
    }
}

static void nudge(generator* g, query q) {
    for (int n = between(g, 1, 4); n > 0; n--) {
        const int p = below(g, 4), t = below(g, 2), k = below(g, 3);
        double* const x = &q[p][t][k];
        *x = nextafter(*x, below(g, 2) ? DBL_MAX : -DBL_MAX);
    }
}

static void random_all(generator* g, query q) { EACH(p, t, k) q[p][t][k] = uniform(g); }

// Weights of a point inside, on an edge or at a corner.
static void weights(generator* g, double w[3]) {
    const int free = below(g, 3);
    double a = free > 0 ? fabs(uniform(g)) : 0, b = free > 1 ? fabs(uniform(g)) * (1 - a) : 0;
    const int first = below(g, 3);
    w[first] = 1 - a - b;
    w[(first + 1) % 3] = a;
    w[(first + 2) % 3] = b;
}

static double at(query q, int p, double t, int k) { return (1 - t) * q[p][0][k] + t * q[p][1][k]; }

// Moves the end of one point so that the features touch, up to rounding, at a dyadic time.
static void meet(generator* g, frc_ccd_kind kind, query q) {
    const double t = between(g, 1, 16) / 16.0;
    double w[3], u = below(g, 3) ? fabs(uniform(g)) : below(g, 2);
    weights(g, w);
    for (int k = 0; k < 3; k++) {
        double target;
        if (kind == FRC_CCD_VF)
            target = w[0] * at(q, 1, t, k) + w[1] * at(q, 2, t, k) + w[2] * at(q, 3, t, k);
        else {
            const double cd = (1 - w[0]) * at(q, 2, t, k) + w[0] * at(q, 3, t, k);
            // a at the point itself (u = 0), or such that a + u (b - a) is there
            target = u < 0.75 ? (cd - u * at(q, 1, t, k)) / (1 - u) : cd;
        }
        q[0][1][k] = (target - (1 - t) * q[0][0][k]) / t;
    }
}

static void constructed(generator* g, frc_ccd_kind kind, query q) {
    random_all(g, q);
    meet(g, kind, q);
}

static double wide_range(generator* g, int low, int high) {
    const double mantissa = 1 + fabs(uniform(g));
    const int exponent = between(g, low, high);
    return ldexp(mantissa, exponent) * (below(g, 2) ? 1 : -1);
}

static void flat_cloth(generator* g, query q) {
    const double height = ldexp(1, -between(g, 0, 50)), speed = ldexp(1, -between(g, 0, 50));
    for (int p = 0; p < 4; p++)
        for (int k = 0; k < 3; k++) {
            q[p][0][k] = k == 2 ? height * uniform(g) : uniform(g);
            q[p][1][k] = q[p][0][k] + speed * uniform(g);
        }
}

static void rigid(generator* g, query q) {
    if (below(g, 2))
        grid(g, q, 3);
    else
        random_all(g, q);
    double v[3];
    for (int k = 0; k < 3; k++) v[k] = below(g, 2) ? between(g, -3, 3) : uniform(g);
    for (int p = 0; p < 4; p++)
        for (int k = 0; k < 3; k++) q[p][1][k] = q[p][0][k] + v[k];
}

static void mirrored(generator* g, query q) {
    grid(g, q, 4);
    for (int p = 0; p < 4; p++)
        for (int k = 0; k < 3; k++)
            if (below(g, 2)) q[p][1][k] = -q[p][0][k];
}

// a d - b c = 1 with 52-bit numbers: roots a/b of z and c/d of x that differ by 1/(bd).
static void farey(generator* g, frc_ccd_kind kind, query q) {
    int64_t b = (int64_t)(generate_bits(g) >> 12) | 1,
            a = (int64_t)(generate_bits(g) % (uint64_t)b);
    // inverse of a mod b by Euclid; retry until coprime
    int64_t r0 = b, r1 = a, s0 = 0, s1 = 1;
    while (r1) {
        const int64_t n = r0 / r1, r = r0 - n * r1, s = s0 - n * s1;
        r0 = r1, r1 = r, s0 = s1, s1 = s;
    }
    a /= r0, b /= r0;  // coprime now; s0 is still an inverse
    const int64_t d = s0 < 0 ? s0 + b : s0;
    const int64_t c = b ? (int64_t)((__extension__(__int128) a * d - 1) / b) : 0;
    const double z[2] = {(double)a, (double)(a - b)}, x[2] = {(double)c, (double)(c - d)};
    const int lean = between(g, -1, 1);
    for (int t = 0; t < 2; t++) {
        const double vf[4][3] = {
            {0,           0,  0   },
            {-x[t],       -1, z[t]},
            {x[t],        -1, z[t]},
            {lean * x[t], 2,  z[t]}
        };
        const double ee[4][3] = {
            {-1, 0,           0   },
            {1,  0,           0   },
            {0,  -x[t],       z[t]},
            {0,  lean * x[t], z[t]}
        };
        for (int p = 0; p < 4; p++)
            memcpy(q[p][t], kind == FRC_CCD_VF ? vf[p] : ee[p], sizeof q[p][t]);
    }
}

static void planar(generator* g, query q, int what) {
    const bool integers = below(g, 2);
    EACH(p, t, k) q[p][t][k] = integers ? between(g, -3, 3) : uniform(g);
    double line[3];
    for (int k = 0; k < 3; k++) line[k] = between(g, -3, 3);
    EACH(p, t, k) {
        if (what == 0 && k == 2) q[p][t][2] = 0;
        if (what == 1 && k == 2) q[p][t][2] = q[p][t][0];
        if (what == 2 && k == 2) q[p][t][2] = q[p][t][1];
        if (what == 2 && t) q[p][1][k] = q[p][0][k];
    }
    if (what != 3) return;
    for (int p = 0; p < 4; p++)
        for (int t = 0; t < 2; t++) {
            const double s = between(g, -8, 8);
            for (int k = 0; k < 3; k++) q[p][t][k] = s * line[k];
        }
}

static void far_out(generator* g, query q) {
    const double size = ldexp(1, -between(g, 0, 30));
    double centre[3];
    for (int k = 0; k < 3; k++) centre[k] = 0x1p20 * uniform(g);
    EACH(p, t, k) q[p][t][k] = centre[k] + size * uniform(g);
}

static void needles(generator* g, frc_ccd_kind kind, query q) {
    random_all(g, q);
    const double thin = ldexp(1, -between(g, 0, 45)), slow = ldexp(1, -between(g, 0, 20));
    const double s = uniform(g), r = uniform(g), near = ldexp(1, -between(g, 0, 50));
    for (int k = 0; k < 3; k++) {
        const double along = q[2][0][k] - q[1][0][k];
        if (kind == FRC_CCD_VF) {
            q[3][0][k] = q[1][0][k] + s * along + thin * uniform(g);
            q[0][0][k] = q[1][0][k] + r * along + near * uniform(g);
        } else {
            const double ab = q[1][0][k] - q[0][0][k];
            q[2][0][k] = q[0][0][k] + r * ab + near * uniform(g);
            q[3][0][k] = q[2][0][k] + s * ab + thin * uniform(g);
        }
        for (int p = 0; p < 4; p++) q[p][1][k] = q[p][0][k] + slow * uniform(g);
    }
}

// The plane z = s(t) x rotates; a point (x(t), 0, z(t)) stays below except for one touch at tau.
static void graze(generator* g, frc_ccd_kind kind, query q) {
    const double s0 = between(g, -4, 4), s1 = between(g, -4, 4), x0 = between(g, -2, 2),
                 x1 = between(g, -2, 2), tau = between(g, 0, 8) / 8.0;
    const double y0 = s0 * x0, y1 = s0 * x1 + s1 * x0, y2 = s1 * x1;
    const double slope = y1 + 2 * y2 * tau, start = y0 - y2 * tau * tau;
    double lift = 0;
    if (below(g, 3)) {
        lift = between(g, -1, 1);
        lift = ldexp(lift, -between(g, 20, 65));
    }
    for (int t = 0; t < 2; t++) {
        const double s = s0 + s1 * t, x = x0 + x1 * t, z = start + slope * t + lift;
        const double vf[4][3] = {
            {x,  0,  z     },
            {-8, -8, -8 * s},
            {8,  -8, 8 * s },
            {0,  16, 0     }
        };
        const double ee[4][3] = {
            {x,  -1, z     },
            {x,  1,  z     },
            {-8, 0,  -8 * s},
            {8,  0,  8 * s }
        };
        for (int p = 0; p < 4; p++)
            memcpy(q[p][t], kind == FRC_CCD_VF ? vf[p] : ee[p], sizeof q[p][t]);
    }
}

static void siblings(generator* g, query q) {
    if (below(g, 3))
        degenerate_grid(g, q, 2);
    else
        random_all(g, q);
    if (below(g, 4) == 0) nudge(g, q);
    const bool slow = below(g, 2);
    const int first = 2 + below(g, 2);
    merge(q, first, 0, 0);
    if (below(g, 2)) merge(q, 5 - first, 1, 0);
    for (int p = 0; slow && p < 4; p++)
        for (int k = 0; k < 3; k++) q[p][1][k] = q[p][0][k] + 0.0625 * uniform(g);
}

static void store(query q, frc_point points[4]) {
    memset(points, 0, 4 * sizeof *points);
    for (int p = 0; p < 4; p++)
        for (int t = 0; t < 2; t++) {
            points[p].x[t] = q[p][t][0];
            points[p].y[t] = q[p][t][1];
            points[p].z[t] = q[p][t][2];
        }
}

// ---- features that coincide at the start

static void start_parting(generator* g, frc_ccd_kind kind, query q) {
    switch (below(g, 5)) {
    case 0:
        degenerate_grid(g, q, 2);
        break;
    case 1:
        grid(g, q, 3);
        break;
    case 2:
        needles(g, kind, q);
        break;
    case 3:
        flat_cloth(g, q);
        break;
    default:
        random_all(g, q);
        break;
    }
    // An edge that continues the other in a straight line.
    if (kind == FRC_CCD_EE && below(g, 6) == 0)
        for (int k = 0; k < 3; k++) q[3][0][k] = q[2][0][k] - (q[1][0][k] - q[0][0][k]);
}

static void slide(generator* g, frc_ccd_kind kind, query q) {
    const int first = kind == FRC_CCD_VF ? 1 : 2;
    const double speed = ldexp(1, -between(g, 0, 50));
    double v[2][3];
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < 3; k++) v[f][k] = below(g, 3) ? speed * uniform(g) : 0;
    const double along = below(g, 3) ? 0 : speed * uniform(g);
    for (int p = 0; p < 4; p++)
        for (int k = 0; k < 3; k++)
            q[p][1][k] =
                q[p][0][k] + v[p >= first][k] + (p < first ? along * (q[3][0][k] - q[2][0][k]) : 0);
}

// End positions: unchanged, near the starts, each feature moved as a whole, or such that they
// touch.
static void end_parting(generator* g, frc_ccd_kind kind, query q) {
    const double speed = ldexp(1, -between(g, 0, 50));
    const int what = below(g, 5);
    if (what == 1 || what == 2)
        for (int p = 0; p < 4; p++)
            for (int k = 0; k < 3; k++) q[p][1][k] = q[p][0][k] + speed * uniform(g);
    if (what == 3) slide(g, kind, q);
    if (what == 2 || what == 4) meet(g, kind, q);
}

static void flatten(generator* g, query q) {
    const int to = below(g, 2);
    EACH(p, t, k) if (k == 2) q[p][t][2] = to ? q[p][t][0] : 0;
}

// The largest doubles are covered by other generators: they make the exact stage slow.
static void resize(generator* g, query q) {
    const int what = below(g, 8);
    if (what == 0) scale_axes(g, q, -20, 20);
    if (what == 1) scale_axes(g, q, -340, 340);
    if (what == 2) scale_axes(g, q, 99, 102);
    if (what == 3 && below(g, 8) == 0) scale_axes(g, q, -1060, -1000);
    if (what == 4) EACH(p, t, k) q[p][t][k] += k + 0.1;
}

// Permutes points: VF any corner, EE any ends.
frc_ccd_kind generate_parting(generator* g, frc_point points[4]) {
    const frc_ccd_kind kind = below(g, 2) ? FRC_CCD_EE : FRC_CCD_VF;
    const int a = kind == FRC_CCD_VF ? 0 : below(g, 2);
    const int b = kind == FRC_CCD_VF ? 1 + below(g, 3) : 2 + below(g, 2);
    const bool edge = kind == FRC_CCD_EE && below(g, 2);
    query q;
    start_parting(g, kind, q);
    merge(q, b, a, 0);
    if (edge) merge(q, 5 - b, 1 - a, 0);
    end_parting(g, kind, q);
    if (below(g, 6) == 0) flatten(g, q);
    resize(g, q);
    if (below(g, 3) == 0) nudge(g, q);
    merge(q, b, a, 0);
    if (edge) merge(q, 5 - b, 1 - a, 0);
    store(q, points);
    return kind;
}

// ---- features that move past each other

// Each feature moves as a whole. A side of the face, or the first edge, sweeps over a plane. The
// vertex, or an end of the other edge, lies in that plane up to rounding, or a little off it.
static void sweep_over(generator* g, frc_ccd_kind kind, query q) {
    const int moved = kind == FRC_CCD_VF ? 1 : 2;  // points 0 .. moved - 1
    const double s = fabs(uniform(g)), tau = fabs(uniform(g)), speed = ldexp(8, -between(g, 0, 20));
    const double off_plane = below(g, 2) ? ldexp(1, -between(g, 0, 30)) : 0;
    random_all(g, q);
    for (int k = 0; k < 3; k++) {
        const double v = speed * uniform(g), both = below(g, 2) ? uniform(g) : 0;
        const double near = off_plane * uniform(g);
        if (kind == FRC_CCD_VF)
            q[0][0][k] = q[1][0][k] + s * (q[3][0][k] - q[1][0][k]) - tau * v + near;
        else
            q[2][0][k] = q[0][0][k] + s * (q[1][0][k] - q[0][0][k]) + tau * v + near;
        for (int p = 0; p < 4; p++) q[p][1][k] = q[p][0][k] + both + (p < moved ? v : 0);
    }
}

frc_ccd_kind generate_past(generator* g, frc_point points[4]) {
    const frc_ccd_kind kind = below(g, 2) ? FRC_CCD_EE : FRC_CCD_VF;
    query q;
    sweep_over(g, kind, q);
    if (below(g, 2)) scale_axes(g, q, -21, 21);
    if (below(g, 2)) nudge(g, q);
    store(q, points);
    return kind;
}

// Modes on small integers; false for all other modes.
static bool on_grid(generator* g, int mode, query q) {
    switch (mode) {
    case 0:
        grid(g, q, 2);
        break;
    case 1:
        degenerate_grid(g, q, 2);
        break;
    case 2:
        degenerate_grid(g, q, 3), offset(g, q, 1000), scale_axes(g, q, -20, 20);
        break;
    case 3:
        degenerate_grid(g, q, 2), nudge(g, q);
        break;
    case 6:
        degenerate_grid(g, q, 2), scale_axes(g, q, -900, 900);
        break;
    case 9:
        EACH(p, t, k) q[p][t][k] = between(g, -1, 1) * DBL_MAX;
        break;
    case 10:
        degenerate_grid(g, q, 2), scale_axes(g, q, -1074, -1074);
        break;
    case 13:
        mirrored(g, q);
        break;
    case 14:
        degenerate_grid(g, q, 2);
        EACH(p, t, k) q[p][t][k] += 0.1;
        if (below(g, 2)) nudge(g, q);
        break;
    default:
        return false;
    }
    return true;
}

static void off_grid(generator* g, int mode, frc_ccd_kind kind, query q) {
    switch (mode) {
    case 4:
        constructed(g, kind, q);
        break;
    case 5:
        random_all(g, q);
        break;
    case 7:
        EACH(p, t, k) q[p][t][k] = below(g, 6) ? wide_range(g, -100, 100) : 0;
        break;
    case 8:
        EACH(p, t, k) q[p][t][k] = wide_range(g, -1074, 1020);
        break;
    case 11:
        flat_cloth(g, q);
        break;
    case 12:
        rigid(g, q);
        break;
    case 15:
        farey(g, kind, q);
        break;
    case 20:
        far_out(g, q);
        break;
    case 21:
        needles(g, kind, q);
        break;
    case 22:
        EACH(p, t, k) q[p][t][k] = (float)uniform(g);
        break;
    case 23:
        graze(g, kind, q);
        break;
    case 24:
        siblings(g, q);
        break;
    default:
        planar(g, q, mode - 16);
        break;
    }
}

frc_ccd_kind generate_ccd(generator* g, int mode, frc_point points[4]) {
    const frc_ccd_kind kind = below(g, 2) ? FRC_CCD_EE : FRC_CCD_VF;
    query q;
    if (!on_grid(g, mode, q)) off_grid(g, mode, kind, q);
    store(q, points);
    return kind;
}
