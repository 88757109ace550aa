/// @file medial_triangles.c  The boundaries of spheres, cones and slabs as triangles.
///
/// A point of the boundary is the centre of one of the spheres and its radius along the normal. So
/// each mesh is that of a globe: meridians of normals from pole to pole, with strips of triangles
/// between them. Where the normals change from one sphere to another, the strip is a side of a
/// cone.
#include "medial_triangles.h"
#include "options.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDES = 48, LINE = MOST_SIDES / 2 + 2, NONE = 0xffffffff };
#define PI 3.14159265358979323846

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// out = a p + b q
static void mix(double a, const double p[3], double b, const double q[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a * p[k] + b * q[k];
}

// The difference of two centres.
static void between(const fracas_medial_sphere* from, const fracas_medial_sphere* to,
                    double out[3]) {
    mix(1, to->center, -1, from->center, out);
}

static void scale(double factor, double v[3]) { mix(factor, v, 0, v, v); }

// ---- globes

typedef struct globe {
    cli_triangles* out;
    const fracas_medial_sphere* spheres[3];
    uint32_t points[3];  // of spheres of radius 0
    uint32_t first[LINE], last[LINE];
    uint32_t line_count, length;
} globe;

// The vertex with a normal; a sphere of radius 0 has only one.
static uint32_t vertex(globe* g, int i, const double normal[3]) {
    const fracas_medial_sphere* s = g->spheres[i];
    if (s->radius == 0 && g->points[i] != NONE) return g->points[i];
    double at[3];
    mix(1, s->center, s->radius, normal, at);
    const uint32_t number = cli_triangles_add_point(g->out, at);
    if (s->radius == 0) g->points[i] = number;
    return number;
}

static void add_triangle(globe* g, uint32_t a, uint32_t b, uint32_t c) {
    if (a != b && b != c && c != a) cli_triangles_add(g->out, a, b, c);
}

static void add_strip(globe* g, const uint32_t* left, const uint32_t* right) {
    for (uint32_t i = 0; i + 1 < g->length; i++) {
        add_triangle(g, left[i], left[i + 1], right[i + 1]);
        add_triangle(g, left[i], right[i + 1], right[i]);
    }
}

// A meridian, from west to east. Its ends are poles: the same vertices in all lines of a sphere.
static void add_line(globe* g, const uint32_t* line) {
    if (g->line_count++ == 0)
        memcpy(g->first, line, sizeof g->first);
    else
        add_strip(g, g->last, line);
    memcpy(g->last, line, sizeof g->last);
}

static globe begin(cli_triangles* out, uint32_t length) {
    return (globe){
        .out = out, .points = {NONE, NONE, NONE},
             .length = length
    };
}

// ---- spheres and cones

// Two unit vectors that form a right-handed frame with the axis.
static void make_frame(const double axis[3], double u[3], double w[3]) {
    const double other[3] = {fabs(axis[0]) < 0.6, fabs(axis[0]) >= 0.6, 0};
    cross(axis, other, u);
    scale(1 / sqrt(dot(u, u)), u);
    cross(axis, u, w);
}

// The meridians are around the axis from b to a; the normals below the angle `change` from the axis
// belong to a, the others to b. Of a single sphere the parts meet at the equator.
static void add_round(const fracas_medial_sphere* a, const fracas_medial_sphere* b,
                      const double axis[3], double change, uint32_t sides, cli_triangles* out) {
    const uint32_t part = sides / 4;
    globe g = begin(out, a == b ? 2 * part + 1 : 2 * part + 2);
    g.spheres[0] = a, g.spheres[1] = b;
    double u[3], w[3], south[3];
    make_frame(axis, u, w);
    mix(-1, axis, 0, axis, south);
    const uint32_t poles[2] = {vertex(&g, 0, axis), vertex(&g, 1, south)};
    for (uint32_t side = 0; side < sides; side++) {
        const double angle = 2 * PI * side / sides;
        double outward[3], normal[3];
        uint32_t line[LINE], count = 0;
        mix(cos(angle), u, sin(angle), w, outward);
        for (uint32_t i = 0; i <= 2 * part; i++) {
            const double down =
                i < part ? change * i / part : change + (PI - change) * (i - part) / part;
            mix(cos(down), axis, sin(down), outward, normal);
            if (i == part && a != b) line[count++] = vertex(&g, 0, normal);
            line[count++] = i == 0          ? poles[0]
                            : i == 2 * part ? poles[1]
                                            : vertex(&g, i < part ? 0 : 1, normal);
        }
        add_line(&g, line);
    }
    add_strip(&g, g.last, g.first);
}

static void add_sphere(const fracas_medial_sphere* s, uint32_t sides, cli_triangles* out) {
    const double up[3] = {0, 0, 1};
    if (s->radius > 0) add_round(s, s, up, PI / 2, sides, out);
}

static void add_cone(const fracas_medial_sphere* a, const fracas_medial_sphere* b, uint32_t sides,
                     cli_triangles* out) {
    double axis[3];
    between(b, a, axis);
    const double length = sqrt(dot(axis, axis)), growth = b->radius - a->radius;
    if (length <= fabs(growth)) {
        add_sphere(growth > 0 ? b : a, sides, out);
    } else if (a->radius > 0 || b->radius > 0) {
        scale(1 / length, axis);
        add_round(a, b, axis, acos(growth / length), sides, out);
    }
}

// ---- slabs

// Two planes touch all three spheres. Their normals are `foot` + and - `height` times the normal of
// the plane of the centres. The normals at which two spheres take turns are on circles through both
// of them; so are the meridians.
typedef struct slab {
    double normal[3], foot[3], height;
} slab;

// False: degenerate.
static bool make_slab(const fracas_medial_sphere* const s[3], slab* out) {
    double e[3], f[3], n[3];
    between(s[0], s[1], e);
    between(s[0], s[2], f);
    cross(e, f, n);
    const double area = dot(n, n), ee = dot(e, e), ef = dot(e, f), ff = dot(f, f);
    const double p = s[0]->radius - s[1]->radius, q = s[0]->radius - s[2]->radius;
    if (!(area > 0)) return false;
    mix((ff * p - ef * q) / area, e, (ee * q - ef * p) / area, f, out->foot);
    const double square = 1 - dot(out->foot, out->foot);
    if (!(square > 0)) return false;
    mix(1 / sqrt(area), n, 0, n, out->normal);
    out->height = sqrt(square);
    return true;
}

// The meridian of a corner in a direction of the plane of the centres, between its poles.
static void add_slab_line(globe* g, const slab* s, int corner, const double outward[3],
                          const uint32_t poles[2]) {
    uint32_t line[LINE];
    double base[3], normal[3];
    const double along = dot(s->foot, outward);
    const double radius = sqrt(s->height * s->height + along * along);
    const double angle = atan2(s->height, along);
    mix(1, s->foot, -along, outward, base);
    for (uint32_t i = 0; i < g->length; i++) {
        const double up = angle * (1 - 2.0 * i / (g->length - 1));
        mix(radius * cos(up), outward, radius * sin(up), s->normal, normal);
        mix(1, base, 1, normal, normal);
        line[i] = i == 0 ? poles[0] : i + 1 < g->length ? vertex(g, corner, normal) : poles[1];
    }
    add_line(g, line);
}

static bool add_slab(const fracas_medial_sphere* const spheres[3], uint32_t sides,
                     cli_triangles* out) {
    slab s;
    if (!make_slab(spheres, &s)) return false;
    globe g = begin(out, sides / 2 + 1);
    uint32_t poles[3][2];
    double sides_out[3][3];  // of the triangle of the centres: outwards
    for (int i = 0; i < 3; i++) {
        g.spheres[i] = spheres[i];
        double along[3];
        between(spheres[i], spheres[(i + 1) % 3], along);
        cross(along, s.normal, sides_out[i]);
        scale(1 / sqrt(dot(along, along)), sides_out[i]);
    }
    for (int i = 0; i < 3; i++)
        for (int end = 0; end < 2; end++) {
            double normal[3];
            mix(1, s.foot, end ? -s.height : s.height, s.normal, normal);
            poles[i][end] = vertex(&g, i, normal);
        }
    for (int i = 0; i < 3; i++) {
        const double *from = sides_out[(i + 2) % 3], *to = sides_out[i];
        double left[3], outward[3];
        cross(s.normal, from, left);
        const double turn = atan2(dot(left, to), dot(from, to));
        for (uint32_t k = 0; k <= sides / 3; k++) {
            const double angle = turn * k / (sides / 3);
            mix(cos(angle), from, sin(angle), left, outward);
            add_slab_line(&g, &s, i, outward, poles[i]);
        }
    }
    add_strip(&g, g.last, g.first);
    add_triangle(&g, poles[0][0], poles[1][0], poles[2][0]);
    add_triangle(&g, poles[0][1], poles[2][1], poles[1][1]);
    return true;
}

// ---- all

static bool is_side(const fracas_medial_view* view, uint32_t a, uint32_t b) {
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        const uint32_t* v = &view->triangles[3 * (size_t)t];
        const int has =
            (v[0] == a || v[1] == a || v[2] == a) + (v[0] == b || v[1] == b || v[2] == b);
        if (has == 2) return true;
    }
    return false;
}

void cli_medial_triangles(const fracas_medial_view* view, uint32_t sides, cli_triangles* out) {
    bool* used = cli_allocate(view->sphere_count + 1, sizeof *used);
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        const fracas_medial_sphere* s[3];
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t v = view->triangles[3 * (size_t)t + k];
            used[v] = true;
            s[k] = &view->spheres[v];
        }
        if (add_slab(s, sides, out)) continue;
        for (int k = 0; k < 3; k++) add_cone(s[k], s[(k + 1) % 3], sides, out);
    }
    for (uint32_t e = 0; e < view->edge_count; e++) {
        const uint32_t* v = &view->edges[2 * (size_t)e];
        used[v[0]] = used[v[1]] = true;
        if (!is_side(view, v[0], v[1]))
            add_cone(&view->spheres[v[0]], &view->spheres[v[1]], sides, out);
    }
    for (uint32_t i = 0; i < view->sphere_count; i++)
        if (!used[i]) add_sphere(&view->spheres[i], sides, out);
    free(used);
}
