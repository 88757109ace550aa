/// @file boundary.c  Points on the boundary of medial primitives.
#include "medial_mesh/boundary.h"
#include "geom/vec3.h"
#include <math.h>
#include <string.h>

// The cosine and sine of the golden angle: multiples of it are spread evenly over a circle.
// Repeated rotation needs no functions of libm, whose last bits differ between machines.
#define GOLDEN_COS (-0.73736887807831963)
#define GOLDEN_SIN 0.67549029426152384

static void rotate(double c[2]) {
    const double x = GOLDEN_COS * c[0] - GOLDEN_SIN * c[1];
    c[1] = GOLDEN_SIN * c[0] + GOLDEN_COS * c[1], c[0] = x;
}

static double number_of(double length, double step, double least, double most) {
    const double n = ceil(length / step);
    return n > least ? n < most ? n : most : least;
}

static double distance(const double* a, const double* b) {
    double d[3];
    frc_vec3_subtract(a, b, d);
    return sqrt(frc_vec3_dot(d, d));
}

// ---- points of primitives

// Directions on a spiral.
static bool push_sphere(fracas_context* context, const double* sphere, uint32_t v, double step,
                        frc_boundary_points* out) {
    const double n = number_of(12.6 * sphere[3] * sphere[3], step * step, 8, 2000);
    double turn[2] = {1, 0};
    bool ok = true;
    for (double i = 0; ok && i < n; i++, rotate(turn)) {
        const double z = 1 - (2 * i + 1) / n, r = sqrt(1 - z * z);
        const frc_boundary_point point = {
            {v,           v,           v},
            1, {1,           0,           0},
            {r * turn[0], r * turn[1], z}
        };
        ok = FRC_ARRAY_PUSH(context, out, point);
    }
    return ok;
}

// Circles around the axis.
static bool push_cone(fracas_context* context, const double* const s[2], const uint32_t v[2],
                      double step, double least, frc_boundary_points* out) {
    const double steps = number_of(distance(s[0], s[1]), step, least, 1000);
    double turn[2] = {1, 0};
    bool ok = true;
    for (double i = 0; i < steps; i++) {
        const double t = (i + 0.5) / steps, radius = (1 - t) * s[0][3] + t * s[1][3];
        const double around = number_of(6.3 * radius, step, 5, 1000);
        for (double j = 0; ok && j < around; j++, rotate(turn)) {
            const frc_boundary_point point = {
                {v[0],    v[1],    v[1]},
                2, {1 - t,   t,       0   },
                {turn[0], turn[1], 0   }
            };
            ok = FRC_ARRAY_PUSH(context, out, point);
        }
    }
    return ok;
}

// Centres of the triangles of a subdivision, on both sides.
static bool push_slab(fracas_context* context, const double* const s[3], const uint32_t v[3],
                      double step, double least, frc_boundary_points* out) {
    const double longest =
        fmax(distance(s[0], s[1]), fmax(distance(s[1], s[2]), distance(s[2], s[0])));
    const double steps = number_of(longest, step, least, 200);
    bool ok = true;
    for (double i = 0; i < steps; i++)
        for (double j = 0; i + j < steps; j++)
            for (int side = -1; ok && side <= 1; side += 2) {
                const double b = (i + 1. / 3) / steps, c = (j + 1. / 3) / steps;
                const frc_boundary_point point = {
                    {v[0],      v[1], v[2]},
                    3, {1 - b - c, b,    c   },
                    {side,      0,    0   }
                };
                ok = FRC_ARRAY_PUSH(context, out, point);
            }
    return ok;
}

bool frc_medial_boundary(fracas_context* context, const fracas_medial_view* view, double step,
                         double least, frc_boundary_points* out) {
    const double* spheres = (const double*)(const void*)view->spheres;
    const double* s[3];
    bool ok = true;
    for (uint32_t v = 0; ok && v < view->sphere_count; v++)
        ok = push_sphere(context, spheres + 4 * (size_t)v, v, step, out);
    for (uint32_t e = 0; ok && e < view->edge_count; e++) {
        const uint32_t* v = view->edges + 2 * (size_t)e;
        for (int k = 0; k < 2; k++) s[k] = spheres + 4 * (size_t)v[k];
        ok = push_cone(context, s, v, step, least, out);
    }
    for (uint32_t t = 0; ok && t < view->triangle_count; t++) {
        const uint32_t* v = view->triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; k++) s[k] = spheres + 4 * (size_t)v[k];
        ok = push_slab(context, s, v, step, least, out);
    }
    return ok;
}

// ---- positions

// The direction of a cone makes an angle with the axis whose cosine is minus the growth of the
// radius by the length.
static bool cone_direction(const double* a, const double* b, const double turn[3], double out[3]) {
    double e[3], u[3], w[3], any[3] = {0};
    frc_vec3_subtract(b, a, e);
    const double length = sqrt(frc_vec3_dot(e, e)), growth = b[3] - a[3];
    if (!(length > fabs(growth))) return false;
    const double tilt = -growth / length, side = sqrt(1 - tilt * tilt);
    for (int k = 0; k < 3; k++) e[k] /= length;
    any[fabs(e[0]) < 0.6 ? 0 : 1] = 1;
    frc_vec3_cross(e, any, u);
    const double size = sqrt(frc_vec3_dot(u, u));
    for (int k = 0; k < 3; k++) u[k] /= size;
    frc_vec3_cross(e, u, w);
    for (int k = 0; k < 3; k++) out[k] = tilt * e[k] + side * (turn[0] * u[k] + turn[1] * w[k]);
    return true;
}

// The part of the direction of a slab in its plane is minus the gradient of the radius.
static bool slab_direction(const double* const s[3], double side, double out[3]) {
    double e[2][3], n[3];
    frc_vec3_subtract(s[1], s[0], e[0]);
    frc_vec3_subtract(s[2], s[0], e[1]);
    frc_vec3_cross(e[0], e[1], n);
    const double area = frc_vec3_dot(n, n), ra = s[1][3] - s[0][3], rb = s[2][3] - s[0][3];
    const double aa = frc_vec3_dot(e[0], e[0]), ab = frc_vec3_dot(e[0], e[1]),
                 bb = frc_vec3_dot(e[1], e[1]);
    if (!(area > 0)) return false;
    for (int k = 0; k < 3; k++)
        out[k] = -((bb * ra - ab * rb) * e[0][k] + (aa * rb - ab * ra) * e[1][k]) / area;
    const double left = 1 - frc_vec3_dot(out, out);
    if (!(left > 0)) return false;
    for (int k = 0; k < 3; k++) out[k] += side * sqrt(left / area) * n[k];
    return true;
}

bool frc_medial_boundary_at(const double* spheres, const frc_boundary_point* p, double at[3],
                            double direction[3]) {
    const double* s[3];
    double sphere[4] = {0};
    for (int i = 0; i < 3; i++) {
        s[i] = spheres + 4 * (size_t)p->vertex[i];
        for (int k = 0; k < 4; k++) sphere[k] += p->weight[i] * s[i][k];
    }
    if (p->count == 1) memcpy(direction, p->turn, sizeof p->turn);
    if (p->count == 2 && !cone_direction(s[0], s[1], p->turn, direction)) return false;
    if (p->count == 3 && !slab_direction(s, p->turn[0], direction)) return false;
    for (int k = 0; k < 3; k++) at[k] = sphere[k] + sphere[3] * direction[k];
    return true;
}
