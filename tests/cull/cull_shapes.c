#include "cull_shapes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FULL_TURN 6.283185307179586

uint64_t cull_random(uint64_t* state) {
    uint64_t x = *state;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return *state = x;
}

double cull_uniform(uint64_t* state, double lo, double hi) {
    return lo + (hi - lo) * ((double)(cull_random(state) >> 11) * 0x1p-53);
}

uint32_t cull_below(uint64_t* state, uint32_t count) {
    return (uint32_t)((cull_random(state) >> 20) % count);
}

static void* grow(void* memory, size_t size) {
    void* out = realloc(memory, size);
    if (!out) abort();
    return out;
}

uint32_t cull_add_point(cull_shape* s, double x, double y, double z) {
    if (s->point_count == s->point_room) {
        s->point_room = s->point_room ? 2 * s->point_room : 64;
        s->points = grow(s->points, s->point_room * sizeof *s->points);
    }
    const double p[3] = {x, y, z};
    memcpy(s->points[s->point_count][0], p, sizeof p);
    memcpy(s->points[s->point_count][1], p, sizeof p);
    return s->point_count++;
}

void cull_add_triangle(cull_shape* s, uint32_t a, uint32_t b, uint32_t c) {
    if (s->triangle_count == s->triangle_room) {
        s->triangle_room = s->triangle_room ? 2 * s->triangle_room : 64;
        s->triangles = grow(s->triangles, s->triangle_room * sizeof *s->triangles);
    }
    const uint32_t t[3] = {a, b, c};
    memcpy(s->triangles[s->triangle_count++], t, sizeof t);
}

void cull_free_shape(cull_shape* s) {
    free(s->points);
    free(s->triangles);
    memset(s, 0, sizeof *s);
}

// Squares of a grid of points, row by row, starting with point `first`.
static void fill_grid(cull_shape* s, uint32_t first, uint32_t columns, uint32_t rows) {
    for (uint32_t y = 0; y + 1 < rows; y++)
        for (uint32_t x = 0; x + 1 < columns; x++) {
            uint32_t a = first + y * columns + x;
            cull_add_triangle(s, a, a + 1, a + columns + 1);
            cull_add_triangle(s, a, a + columns + 1, a + columns);
        }
}

// A zigzag of triangles along a random walk, mostly facing up.
static void make_strip(cull_shape* s, uint32_t size, uint64_t* r) {
    double at[3] = {0, 0, 0}, heading = cull_uniform(r, 0, FULL_TURN);
    double bend = cull_uniform(r, -0.9, 0.9), steep = cull_uniform(r, 0, 1.2);
    for (uint32_t i = 0; i < size + 2; i++) {
        heading += bend * cull_uniform(r, 0, 1.3);
        at[0] += 0.5 * cos(heading), at[1] += 0.5 * sin(heading);
        at[2] += steep * cull_uniform(r, -0.5, 0.4);
        double side = i % 2 ? 0.5 : -0.5, jitter = cull_uniform(r, 0.5, 1.5);
        cull_add_point(s, at[0] - side * jitter * sin(heading),
                       at[1] + side * jitter * cos(heading),
                       at[2] + steep * cull_uniform(r, -0.3, 0.3));
    }
    for (uint32_t i = 0; i < size; i++)
        if (i % 2)
            cull_add_triangle(s, i + 1, i, i + 2);
        else
            cull_add_triangle(s, i, i + 1, i + 2);
    // The right side of the strip comes first, so triangles face up.
    for (uint32_t i = 0; i < size; i++) {
        uint32_t* t = s->triangles[i];
        uint32_t swap = t[1];
        t[1] = t[2], t[2] = swap;
    }
}

// A garage ramp: a strip that winds about the vertical axis and returns to its initial height.
static void make_ramp(cull_shape* s, uint32_t size, uint64_t* r) {
    uint32_t across = 2 + cull_below(r, 3), along = size / (2 * (across - 1)) + 2;
    double turns = cull_uniform(r, 0.4, 1.8), rise = cull_uniform(r, -0.4, 0.4);
    double drop = cull_uniform(r, 0, 1.5), inner = cull_uniform(r, 0.2, 1);
    for (uint32_t i = 0; i < along; i++)
        for (uint32_t j = 0; j < across; j++) {
            double t = (double)i / (along - 1), a = FULL_TURN * turns * t;
            double radius = inner + (double)j / (across - 1);
            double z = rise * turns * t - (t > 0.7 ? drop * (t - 0.7) * turns * rise : 0);
            cull_add_point(s, radius * cos(a), radius * sin(a), z);
        }
    fill_grid(s, 0, across, along);
}

// A tube about a curved axis, which may intersect itself.
static void make_pipe(cull_shape* s, uint32_t size, uint64_t* r) {
    uint32_t around = 3 + cull_below(r, 6), along = size / (2 * around) + 2;
    double bend = cull_uniform(r, -1, 1) * FULL_TURN, radius = cull_uniform(r, 0.05, 0.5);
    double lift = cull_uniform(r, -0.6, 0.6), open = cull_uniform(r, 0.3, 1);
    bool closed = cull_below(r, 2);
    uint32_t ring = closed ? around : around + 1;
    for (uint32_t i = 0; i < along; i++)
        for (uint32_t j = 0; j < ring; j++) {
            double t = (double)i / (along - 1), a = bend * t;
            double b = FULL_TURN * (closed ? 1 : open) * j / around;
            double out = 1 + radius * cos(b);
            cull_add_point(s, out * cos(a), out * sin(a), radius * sin(b) + lift * t);
        }
    if (!closed) {
        fill_grid(s, 0, ring, along);
        return;
    }
    for (uint32_t i = 0; i + 1 < along; i++)
        for (uint32_t j = 0; j < ring; j++) {
            uint32_t a = i * ring + j, b = i * ring + (j + 1) % ring;
            cull_add_triangle(s, a, b, b + ring);
            cull_add_triangle(s, a, b + ring, a + ring);
        }
}

// A sheet that is folded along several creases in sequence.
static void make_folded(cull_shape* s, uint32_t size, uint64_t* r) {
    uint32_t columns = 3 + cull_below(r, 8), rows = size / (2 * (columns - 1)) + 2;
    double noise = cull_below(r, 2) ? 0 : cull_uniform(r, 0, 0.4);
    double x = 0, z = 0, slope = cull_uniform(r, -1, 1), most = cull_uniform(r, 0, 3.2);
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j < columns; j++)
            cull_add_point(s, x + noise * cull_uniform(r, -1, 1),
                           j + noise * cull_uniform(r, -1, 1), z + noise * cull_uniform(r, -1, 1));
        slope += most * cull_uniform(r, -1, 1) * (cull_below(r, 3) == 0);
        x += cos(slope), z += sin(slope);
    }
    fill_grid(s, 0, columns, rows);
}

// Fins, duplicated and reversed triangles, segments and points, pinched vertices.
static void make_joints(cull_shape* s, uint32_t size, uint64_t* r) {
    make_folded(s, size * 3 / 4 + 4, r);
    uint32_t spoil = 1 + cull_below(r, 4);
    for (uint32_t i = 0; i < spoil; i++) {
        uint32_t t = cull_below(r, s->triangle_count), k = cull_below(r, 3);
        const uint32_t c[3] = {s->triangles[t][k], s->triangles[t][(k + 1) % 3],
                               s->triangles[t][(k + 2) % 3]};
        const double* p = s->points[c[0]][0];
        switch (cull_below(r, 7)) {
        case 0:
            cull_add_triangle(s, c[1], c[0],
                              cull_add_point(s, p[0], p[1], p[2] + cull_uniform(r, 0.1, 1)));
            break;
        case 1:
            cull_add_triangle(s, c[0], c[1], c[2]);
            break;
        case 2:
            cull_add_triangle(s, c[1], c[0], c[2]);
            break;
        case 3:
            cull_add_triangle(s, c[0], c[0], c[1]);
            break;
        case 4: {
            uint32_t a = cull_add_point(s, p[0] + 0.3, p[1], p[2] + cull_uniform(r, 0.2, 1));
            uint32_t b = cull_add_point(s, p[0], p[1] + 0.3, p[2] + cull_uniform(r, 0.2, 1));
            cull_add_triangle(s, c[0], a, b);
            break;
        }
        case 5:
            s->triangles[t][0] = c[1], s->triangles[t][1] = c[0];
            break;
        default:
            cull_add_triangle(s, c[0], c[1], cull_below(r, s->point_count));
            break;
        }
    }
}

// Vertices are duplicated along cracks, and stay in place or move a little; some triangles are
// removed.
static void make_torn(cull_shape* s, uint32_t size, uint64_t* r) {
    make_folded(s, size, r);
    uint32_t cuts = 1 + cull_below(r, 6);
    double gap = cull_below(r, 2) ? 0 : cull_uniform(r, -0.1, 0.1);
    for (uint32_t i = 0; i < cuts && s->triangle_count > 2; i++) {
        uint32_t t = cull_below(r, s->triangle_count), k = cull_below(r, 3);
        uint32_t old = s->triangles[t][k];
        double p[3];
        memcpy(p, s->points[old][0], sizeof p);
        uint32_t copy = cull_add_point(s, p[0] + gap, p[1], p[2]);
        for (uint32_t n = t; n < s->triangle_count && n < t + 3; n++)
            for (int c = 0; c < 3; c++)
                if (s->triangles[n][c] == old) s->triangles[n][c] = copy;
        if (cull_below(r, 3) == 0)
            memcpy(s->triangles[t], s->triangles[--s->triangle_count], sizeof *s->triangles);
    }
}

// Several pieces, some above each other, some within the hole of another.
static void make_layers(cull_shape* s, uint32_t size, uint64_t* r) {
    uint32_t pieces = 2 + cull_below(r, 3);
    for (uint32_t i = 0; i < pieces; i++) {
        uint32_t along = 3 + cull_below(r, 6), first = s->point_count;
        double radius = cull_uniform(r, 0.3, 2), width = cull_uniform(r, 0.1, 1);
        double x = cull_uniform(r, -0.5, 0.5), z = cull_uniform(r, -0.2, 0.2);
        double tilt = cull_uniform(r, -0.4, 0.4);
        along = along < size ? along : size;
        for (uint32_t j = 0; j < along; j++)
            for (uint32_t k = 0; k < 2; k++) {
                double a = FULL_TURN * j / along, out = radius + k * width;
                cull_add_point(s, x + out * cos(a), out * sin(a), z + tilt * out * cos(a));
            }
        for (uint32_t j = 0; j < along; j++) {
            uint32_t a = first + 2 * j, b = first + 2 * ((j + 1) % along);
            cull_add_triangle(s, a, a + 1, b + 1);
            cull_add_triangle(s, a, b + 1, b);
        }
        if (cull_below(r, 2)) {
            uint32_t middle = cull_add_point(s, x, 0, z);
            for (uint32_t j = 0; j < along; j++)
                cull_add_triangle(s, middle, first + 2 * j, first + 2 * ((j + 1) % along));
        }
    }
}

// A star about one vertex that winds once or twice.
static void make_fan(cull_shape* s, uint32_t size, uint64_t* r) {
    uint32_t count = 4 + cull_below(r, size + 4), turns = 1 + cull_below(r, 2);
    double rise = cull_uniform(r, -1, 1) * cull_below(r, 2), wave = cull_uniform(r, 0, 0.5);
    bool closed = cull_below(r, 2);
    uint32_t hub = cull_add_point(s, 0, 0, cull_uniform(r, -0.2, 0.2));
    for (uint32_t i = 0; i < count; i++) {
        double a = FULL_TURN * turns * i / count, out = cull_uniform(r, 0.7, 1.3);
        double up = wave * sin(3 * a) + rise * sin(a / 2);
        cull_add_point(s, out * cos(a), out * sin(a), up);
    }
    for (uint32_t i = 0; i + (closed ? 0 : 1) < count; i++)
        cull_add_triangle(s, hub, 1 + i, 1 + (i + 1) % count);
}

// ---- placing and moving

static void turn_point(double p[3], int axis, double angle) {
    double c = cos(angle), s = sin(angle);
    double *u = &p[(axis + 1) % 3], *v = &p[(axis + 2) % 3], x = *u, y = *v;
    *u = c * x - s * y, *v = s * x + c * y;
}

void cull_set_moving(cull_shape* s, uint64_t* r) {
    uint32_t how = cull_below(r, 6);
    double amount = cull_below(r, 2) ? cull_uniform(r, 0, 0.1) : cull_uniform(r, 0, 1);
    double shift[3], angle = amount * cull_uniform(r, -3, 3);
    for (int k = 0; k < 3; k++) shift[k] = cull_uniform(r, -3, 3);
    int axis = (int)cull_below(r, 3);
    for (uint32_t i = 0; i < s->point_count; i++) {
        double* p = s->points[i][1];
        memcpy(p, s->points[i][0], sizeof *s->points[i]);
        if (how == 1 || how == 4)
            for (int k = 0; k < 3; k++) p[k] += shift[k];
        if (how == 2 || how == 4) turn_point(p, axis, angle);
        if (how == 3 || how == 4)
            for (int k = 0; k < 3; k++) p[k] += 0.3 * amount * cull_uniform(r, -1, 1);
        if (how == 5) turn_point(p, axis, 4 * angle * (p[axis] > 0.3 ? p[axis] : 0));
    }
}

// Coordinates are rounded to multiples of a step, which produces exact contacts.
static void snap(cull_shape* s, uint64_t* r) {
    static const double steps[] = {0.5, 0.25, 0.125, 0.0625};
    if (cull_below(r, 2)) return;
    double step = steps[cull_below(r, 4)];
    for (uint32_t i = 0; i < s->point_count; i++)
        for (int e = 0; e < 2; e++)
            for (int k = 0; k < 3; k++)
                s->points[i][e][k] = step * floor(s->points[i][e][k] / step + 0.5);
}

static void place(cull_shape* s, uint64_t* r) {
    static const double scales[] = {1, 1, 1, 1e-3, 1e6, 1e-30, 3e40};
    double scale = scales[cull_below(r, 7)], far = cull_below(r, 4) ? 0 : scale * 1e5;
    double angle[3];
    for (int k = 0; k < 3; k++) angle[k] = cull_below(r, 2) ? 0 : cull_uniform(r, 0, FULL_TURN);
    for (uint32_t i = 0; i < s->point_count; i++)
        for (int k = 0; k < 3; k++) turn_point(s->points[i][0], k, angle[k]);
    cull_set_moving(s, r);
    snap(s, r);
    for (uint32_t i = 0; i < s->point_count; i++)
        for (int e = 0; e < 2; e++)
            for (int k = 0; k < 3; k++) s->points[i][e][k] = scale * s->points[i][e][k] + far;
}

cull_shape cull_make_shape(cull_kind kind, uint32_t size, uint64_t* r) {
    typedef void maker(cull_shape*, uint32_t, uint64_t*);
    static maker* const makers[CULL_KINDS] = {make_strip,  make_ramp, make_pipe,   make_folded,
                                              make_joints, make_torn, make_layers, make_fan};
    cull_shape s = {0};
    makers[kind](&s, size, r);
    place(&s, r);
    return s;
}
