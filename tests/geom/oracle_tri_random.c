#include "oracle_tri_random.h"
#include <math.h>

const char* const tri_family_name[TRI_FAMILIES] = {
    "grid",      "plane",   "line",   "one ulp",    "needles",  "axis scales", "subnormal",
    "exponents", "doubles", "floats", "near touch", "far away", "tiny cubes"};

uint64_t tri_random_next(tri_random* random) {
    random->state += 0x9e3779b97f4a7c15u;
    uint64_t z = random->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int tri_random_below(tri_random* random, int count) {
    return (int)(tri_random_next(random) % (uint64_t)count);
}

double tri_random_unit(tri_random* random) {
    return (double)(int64_t)tri_random_next(random) * 0x1p-63;
}

static void grid(tri_random* r, double out[][3], int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) out[i][k] = tri_random_below(r, 5) - 2;
}

/// In a plane with small integer coefficients; the axis of the height is random.
static void plane(tri_random* r, double out[][3], int count) {
    const int u = tri_random_below(r, 3) - 1, v = tri_random_below(r, 3) - 1;
    const int axis = tri_random_below(r, 3);
    for (int i = 0; i < count; i++) {
        const int x = tri_random_below(r, 5) - 2, y = tri_random_below(r, 5) - 2;
        out[i][axis] = u * x + v * y;
        out[i][(axis + 1) % 3] = x;
        out[i][(axis + 2) % 3] = y;
    }
}

/// On one or two lines through a grid point.
static void line(tri_random* r, double out[][3], int count) {
    double p[3][3];
    grid(r, p, 3);
    const int lines = 1 + tri_random_below(r, 2);
    for (int i = 0; i < count; i++) {
        const int t = tri_random_below(r, 5) - 2;
        const double* d = p[1 + tri_random_below(r, lines)];
        for (int k = 0; k < 3; k++) out[i][k] = p[0][k] + t * d[k];
    }
}

/// A grid or plane at a difficult scale, then some coordinates moved to the next double.
static void one_ulp(tri_random* r, double out[][3], int count) {
    if (tri_random_below(r, 2))
        plane(r, out, count);
    else
        grid(r, out, count);
    const double scale = 0.1 * (1 + tri_random_below(r, 100)), shift = tri_random_unit(r);
    const int move = tri_random_below(r, 6);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            out[i][k] = out[i][k] * scale + shift;
            if (tri_random_below(r, 6) < move)
                out[i][k] = nextafter(out[i][k], tri_random_below(r, 2) ? 1e9 : -1e9);
        }
}

/// Long thin triangles: every third point is nearly on the line of the previous two.
static void needles(tri_random* r, double out[][3], int count) {
    for (int i = 0; i < count; i++) {
        const double t = 1.2 * tri_random_unit(r);
        for (int k = 0; k < 3; k++) {
            if (i % 3 < 2)
                out[i][k] = tri_random_unit(r) * (k ? 1 : 1000);
            else
                out[i][k] = (1 - t) * out[i - 2][k] + t * out[i - 1][k];
            if (i % 3 == 2 && tri_random_below(r, 2)) out[i][k] += 1e-14 * tri_random_unit(r);
        }
    }
}

static void axis_scales(tri_random* r, double out[][3], int count) {
    const int kind = tri_random_below(r, 4);
    const int wide = tri_random_below(r, 2);
    if (kind == 0)
        grid(r, out, count);
    else if (kind == 1)
        plane(r, out, count);
    else
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) out[i][k] = tri_random_unit(r);
    for (int k = 0; k < 3; k++) {
        const int e = tri_random_below(r, wide ? 1900 : 600) - (wide ? 950 : 300);
        for (int i = 0; i < count; i++) out[i][k] = ldexp(out[i][k], e);
    }
}

static void subnormal(tri_random* r, double out[][3], int count) {
    if (tri_random_below(r, 2))
        plane(r, out, count);
    else
        grid(r, out, count);
    const int e = -1074 + tri_random_below(r, 40);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) out[i][k] = ldexp(out[i][k], e);
}

/// Each coordinate has its own exponent; sometimes the mantissas are short.
static void exponents(tri_random* r, double out[][3], int count) {
    const int low = -1070 + tri_random_below(r, 1900);
    const int span = 1 + tri_random_below(r, 1020 - low);
    const int round_to = tri_random_below(r, 2) ? 2 : 1 << 26;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const double m = nearbyint(tri_random_unit(r) * round_to) / round_to;
            out[i][k] = tri_random_below(r, 8) ? ldexp(m, low + tri_random_below(r, span)) : 0;
        }
}

static void doubles(tri_random* r, double out[][3], int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) out[i][k] = tri_random_unit(r);
}

/// Float coordinates of a mesh with small triangles, away from the origin.
static void floats(tri_random* r, double out[][3], int count) {
    const double centre = 3 * tri_random_unit(r);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = (double)(float)(centre + 0.01 * tri_random_unit(r) * (k ? 1 : 1e-4));
}

/// Later points are rounded combinations of the first three, so they are nearly on that triangle or
/// on its edges.
static void near_touch(tri_random* r, double out[][3], int count) {
    for (int i = 0; i < count; i++) {
        const double s = 0.25 * tri_random_below(r, 6), t = 0.25 * tri_random_below(r, 6);
        const int on = i >= 3 && tri_random_below(r, 4);
        for (int k = 0; k < 3; k++) {
            out[i][k] = tri_random_unit(r);
            if (on)
                out[i][k] = out[0][k] + s * (out[1][k] - out[0][k]) + t * (out[2][k] - out[0][k]);
        }
    }
}

/// A small grid far from the origin, where differences are exact but products are not.
static void far_away(tri_random* r, double out[][3], int count) {
    const double step = ldexp(1, -tri_random_below(r, 50)), far = 1 + tri_random_below(r, 1000);
    if (tri_random_below(r, 2))
        plane(r, out, count);
    else
        grid(r, out, count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) out[i][k] = far / 3 + out[i][k] * step;
}

/// Near touches at a scale at which determinants underflow and coordinates do not.
static void tiny_cubes(tri_random* r, double out[][3], int count) {
    const int e = -335 - tri_random_below(r, 30);
    near_touch(r, out, count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) out[i][k] = ldexp(out[i][k], e);
}

void tri_random_points(tri_random* random, int family, double out[][3], int count) {
    static void (*const make[TRI_FAMILIES])(tri_random*, double[][3], int) = {
        grid,      plane,   line,   one_ulp,    needles,  axis_scales, subnormal,
        exponents, doubles, floats, near_touch, far_away, tiny_cubes};
    make[family](random, out, count);
}
