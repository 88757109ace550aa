/// @file samples.c  Points at nearly equal distances on the surface: of its sharp convex corners,
/// of points on its sharp convex edges, and of many random points those are kept that are not near
/// to one kept before (Poisson disks).
#include "geom/vec3.h"
#include "medial_mesh/build.h"
#include <string.h>

enum { TRIES = 12 };

typedef struct sampler {
    frc_medial_build* b;
    frc_samples* out;
    double cell, square;  // of the smallest distance
    uint32_t *head, *next;
    size_t mask, next_count;
    uint64_t state;
} sampler;

// In [0, 1).
static double random_real(sampler* s) {
    s->state ^= s->state << 13;
    s->state ^= s->state >> 7;
    s->state ^= s->state << 17;
    return (double)(s->state * 0x2545f4914f6cdd1dull >> 11) * 0x1p-53;
}

static size_t cell_at(const sampler* s, const int64_t at[3]) {
    const uint64_t hash = (uint64_t)at[0] * 0x9e3779b97f4a7c15ull ^
                          (uint64_t)at[1] * 0xc2b2ae3d27d4eb4full ^
                          (uint64_t)at[2] * 0x165667b19e3779f9ull;
    return (hash ^ hash >> 29) & s->mask;
}

static bool is_far(const sampler* s, const double p[3], const int64_t cell[3]) {
    for (int64_t i = 0; i < 27; i++) {
        const int64_t at[3] = {cell[0] + i % 3 - 1, cell[1] + i / 3 % 3 - 1, cell[2] + i / 9 - 1};
        for (uint32_t n = s->head[cell_at(s, at)]; n != FRACAS_NONE; n = s->next[n]) {
            double d[3];
            frc_vec3_subtract(s->out->data[n].at, p, d);
            if (frc_vec3_dot(d, d) < s->square) return false;
        }
    }
    return true;
}

static bool try_sample(sampler* s, const frc_sample* sample) {
    int64_t cell[3];
    for (int k = 0; k < 3; k++) cell[k] = (int64_t)((sample->at[k] - s->b->closed.lo[k]) / s->cell);
    if (!is_far(s, sample->at, cell)) return true;
    if (s->out->count >= s->next_count) return true;
    const size_t at = cell_at(s, cell);
    s->next[s->out->count] = s->head[at];
    s->head[at] = (uint32_t)s->out->count;
    return FRC_ARRAY_PUSH(s->b->context, s->out, *sample);
}

static double face_normal(const frc_closed_surface* s, uint32_t face, double out[3]) {
    double e[2][3];
    const uint32_t* v = s->triangles[face];
    for (int k = 0; k < 2; k++) frc_vec3_subtract(s->points[v[k + 1]], s->points[v[0]], e[k]);
    frc_vec3_cross(e[0], e[1], out);
    const double length = sqrt(frc_vec3_dot(out, out));
    for (int k = 0; k < 3 && length > 0; k++) out[k] /= length;
    return length / 2;
}

// The triangle whose part of the total area holds `area`: the first with a larger sum.
static uint32_t find_face(const double* sums, uint32_t count, double area) {
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sums[middle] > area)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool draw(sampler* s, const double* sums, uint32_t count) {
    const frc_closed_surface* c = &s->b->closed;
    const double area = sums[c->triangle_count - 1];
    for (uint64_t i = 0; i < (uint64_t)TRIES * count; i++) {
        const uint32_t face = find_face(sums, c->triangle_count, random_real(s) * area);
        double u = random_real(s), v = random_real(s);
        if (u + v > 1) u = 1 - u, v = 1 - v;
        frc_sample sample = {.kind = FRC_ON_FACE};
        const uint32_t* corner = c->triangles[face];
        for (int k = 0; k < 3; k++)
            sample.at[k] = (1 - u - v) * c->points[corner[0]][k] + u * c->points[corner[1]][k] +
                           v * c->points[corner[2]][k];
        face_normal(c, face, sample.direction);
        if (!try_sample(s, &sample)) return false;
    }
    return true;
}

// ---- sharp corners and edges

#define SHARP_COSINE 0.5  // of 60 degrees between normals

// 1: a sharp convex edge, -1: a sharp concave one, 0: others. keys[0 .. count) are its half-edges.
static int sharpness(const frc_closed_surface* c, const uint64_t* keys, size_t count) {
    double normal[2][3], d[3];
    if (count != 2) return -1;
    for (int i = 0; i < 2; i++) face_normal(c, (uint32_t)keys[i] / 3, normal[i]);
    if (frc_vec3_dot(normal[0], normal[1]) > SHARP_COSINE) return 0;
    // The third vertex of the second triangle is below the first one.
    const uint32_t half = (uint32_t)keys[1];
    const uint32_t apex = c->triangles[half / 3][(half % 3 + 2) % 3];
    frc_vec3_subtract(c->points[apex], c->points[frc_corner_of(c, half, 0)], d);
    return frc_vec3_dot(d, normal[0]) < 0 ? 1 : -1;
}

// The sharp edges at a vertex: the sum of the unit vectors along them. `parent` is the union-find
// forest of vertices joined by convex ones, `length` that of all edges of a tree, at its root.
typedef struct edge_sum {
    double direction[3], length;
    uint32_t parent, convex;
    bool concave;
} edge_sum;

static uint32_t find_root(edge_sum* sums, uint32_t v) {
    while (sums[v].parent != v) v = sums[v].parent = sums[sums[v].parent].parent;
    return v;
}

static bool is_corner(const edge_sum* at) {
    const double turn = frc_vec3_dot(at->direction, at->direction);
    return at->convex > 0 && !at->concave && (at->convex != 2 || turn > 2 - 2 * SHARP_COSINE);
}

#define LONG_CHAIN 0.3  // of the diagonal

static bool is_long(const sampler* s, edge_sum* sums, uint32_t v) {
    return sums[find_root(sums, v)].length > LONG_CHAIN * s->b->diagonal;
}

// Sum the edges at vertices, or draw points on long chains of them: short ones are noise.
static bool visit_sharp(sampler* s, edge_sum* sums, bool drawing) {
    const frc_closed_surface* c = &s->b->closed;
    const frc_half_edges* e = &c->edges;
    for (size_t i = 0, end; i < e->count; i = end) {
        const uint32_t half = (uint32_t)e->keys[i];
        const uint32_t v[2] = {frc_corner_of(c, half, 0), frc_corner_of(c, half, 1)};
        const uint32_t low = v[0] < v[1] ? v[0] : v[1];
        for (end = i; end < e->first[low + 1] && e->keys[end] >> 32 == e->keys[i] >> 32;) end++;
        const int sharp = sharpness(c, e->keys + i, end - i);
        if (sharp == 0) continue;
        double d[3];
        frc_vec3_subtract(c->points[v[1]], c->points[v[0]], d);
        const double length = sqrt(frc_vec3_dot(d, d));
        if (!(length > 0)) continue;
        for (int k = 0; k < 3; k++) d[k] /= length;
        for (int k = 0; k < 2 && !drawing; k++) {
            for (int m = 0; m < 3; m++) sums[v[k]].direction[m] += k ? -d[m] : d[m];
            sums[v[k]].convex += sharp > 0;
            sums[v[k]].concave |= sharp < 0;
        }
        if (!drawing && sharp > 0) {
            const uint32_t a = find_root(sums, v[0]), b = find_root(sums, v[1]);
            sums[b].parent = a;
            sums[a].length += length + (a == b ? 0 : sums[b].length);
        }
        const double steps = ceil(length / s->cell);
        const bool wanted = drawing && sharp > 0 && is_long(s, sums, v[0]);
        for (double step = 0; wanted && step <= steps; step++) {
            frc_sample sample = {.kind = FRC_ON_EDGE};
            for (int k = 0; k < 3; k++) {
                sample.direction[k] = d[k];
                sample.at[k] = c->points[v[0]][k] + step / steps * length * d[k];
            }
            if (!try_sample(s, &sample)) return false;
        }
    }
    return true;
}

static bool draw_sharp(sampler* s) {
    const frc_closed_surface* c = &s->b->closed;
    bool ok = true;
    edge_sum* sums = frc_allocate_array(s->b->context, c->point_count, sizeof *sums, &ok);
    if (ok) {
        memset(sums, 0, frc_array_size(c->point_count, sizeof *sums));
        for (uint32_t v = 0; v < c->point_count; v++) sums[v].parent = v;
        ok = visit_sharp(s, sums, false);
    }
    for (uint32_t v = 0; ok && v < c->point_count; v++) {
        frc_sample sample = {.kind = FRC_ON_CORNER};
        memcpy(sample.at, c->points[v], sizeof sample.at);
        if (is_corner(&sums[v]) && is_long(s, sums, v)) ok = try_sample(s, &sample);
    }
    ok = ok && visit_sharp(s, sums, true);
    frc_release(s->b->context, sums, frc_array_size(c->point_count, sizeof *sums));
    return ok;
}

bool frc_sample_surface(frc_medial_build* b, uint32_t count) {
    const frc_closed_surface* c = &b->closed;
    bool ok = true;
    double* sums = frc_allocate_array(b->context, c->triangle_count, sizeof *sums, &ok);
    double area = 0, normal[3];
    for (uint32_t f = 0; ok && f < c->triangle_count; f++)
        area += face_normal(c, f, normal), sums[f] = area;
    // Disks of radius d / 2 around random samples, when no more fit, cover 0.7 of a plane.
    sampler s = {.b = b,
                 .out = &b->samples,
                 .state = 0x9e3779b97f4a7c15ull,
                 .next_count = 2 * (size_t)count};
    s.square = area * 0.7 * 1.1547 / count;
    s.cell = sqrt(s.square);
    b->spacing = s.cell;
    b->area = area;
    s.mask = 1023;
    while (s.mask < 4 * (size_t)count) s.mask = 2 * s.mask + 1;
    s.head = frc_allocate_array(b->context, s.mask + 1, sizeof *s.head, &ok);
    s.next = frc_allocate_array(b->context, s.next_count, sizeof *s.next, &ok);
    if (ok) {
        memset(s.head, 0xff, (s.mask + 1) * sizeof *s.head);
        ok = draw_sharp(&s) && draw(&s, sums, count);
    }
    frc_release(b->context, s.next, frc_array_size(s.next_count, sizeof *s.next));
    frc_release(b->context, s.head, frc_array_size(s.mask + 1, sizeof *s.head));
    frc_release(b->context, sums, frc_array_size(c->triangle_count, sizeof *sums));
    return ok;
}
