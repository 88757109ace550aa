// Bars, slabs and tubes of cubes that are divided into tetrahedra; placement and motion of bodies.
#include "teschner/bodies.h"
#include "generate.h"
#include <stdio.h>
#include <stdlib.h>

// ---- periodic functions without libm: the same values on every machine

static double fraction(double x) { return x - (double)(int64_t)x + (x < 0 ? 1 : 0); }

// An approximate sine of two parabolas: period 1, range [-1, 1], zero at 0, C1.
static double wave(double x) {
    double t = 2 * fraction(x);
    return t < 1 ? 4 * t * (1 - t) : -4 * (t - 1) * (2 - t);
}

static double cosine_like(double x) { return wave(x + 0.25); }

// ---- shapes

static teschner_shape make_shape(uint32_t points, uint32_t tets) {
    return (teschner_shape){bench_allocate(3 * (size_t)points, sizeof(double)),
                            bench_allocate(4 * (size_t)tets, sizeof(uint32_t)), 0, 0};
}

static void add_point(teschner_shape* s, double x, double y, double z) {
    double* p = &s->points[3 * s->point_count++];
    p[0] = x, p[1] = y, p[2] = z;
}

static double volume(const teschner_shape* s, const uint32_t t[4]) {
    double d[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = s->points[3 * t[i + 1] + (uint32_t)k] - s->points[3 * t[0] + (uint32_t)k];
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
           d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

static void add_tet(teschner_shape* s, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint32_t* t = &s->tets[4 * s->tet_count++];
    t[0] = a, t[1] = b, t[2] = c, t[3] = d;
    if (volume(s, t) < 0) t[2] = d, t[3] = c;
}

// A cube whose corners are numbered by the bits x, y, z. It is divided into five tetrahedra, in one
// of two mirrored ways which conform when neighbouring cubes alternate, or into six around a
// diagonal, which always conform.
static void add_cube(teschner_shape* s, const uint32_t c[8], bool five, bool odd) {
    static const uint8_t fives[2][5][4] = {
        {{0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}, {1, 2, 4, 7}},
        {{1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}, {0, 3, 5, 6}}
    };
    static const uint8_t sixes[6][4] = {
        {0, 1, 3, 7},
        {0, 3, 2, 7},
        {0, 2, 6, 7},
        {0, 6, 4, 7},
        {0, 4, 5, 7},
        {0, 5, 1, 7}
    };
    for (int i = 0; i < (five ? 5 : 6); i++) {
        const uint8_t* t = five ? fives[odd][i] : sixes[i];
        add_tet(s, c[t[0]], c[t[1]], c[t[2]], c[t[3]]);
    }
}

// Cubes of side 1, five tetrahedra each.
static teschner_shape make_slab(uint32_t nx, uint32_t ny, uint32_t nz) {
    const uint32_t px = nx + 1, py = ny + 1, pz = nz + 1;
    teschner_shape s = make_shape(px * py * pz, 5 * nx * ny * nz);
    for (uint32_t i = 0; i < px * py * pz; i++)
        add_point(&s, i % px - nx / 2.0, i / px % py - ny / 2.0, i / px / py - nz / 2.0);
    for (uint32_t i = 0; i < nx * ny * nz; i++) {
        const uint32_t x = i % nx, y = i / nx % ny, z = i / nx / ny;
        uint32_t corner[8];
        for (uint32_t b = 0; b < 8; b++)
            corner[b] = ((z + (b >> 2)) * py + y + (b >> 1 & 1)) * px + x + (b & 1);
        add_cube(&s, corner, true, (x + y + z) % 2);
    }
    return s;
}

enum { AROUND = 12, ALONG = 68, SPIKES = 465 };  // 2,949 points, 10,257 tetrahedra

// A point on an approximate circle, i from 0 to AROUND.
static void ring_point(uint32_t i, double radius, double* x, double* y) {
    const double a = (double)i / AROUND;
    double u = cosine_like(a), v = wave(a);
    double scale = radius / (0.5 * (u * u + v * v) + 0.5);
    *x = scale * u, *y = scale * v;
}

// A blood vessel: a tube with a wall of two layers of cubes, and spikes spread over it.
static teschner_shape make_vessel(void) {
    enum { RING = 3 * AROUND };
    teschner_shape s = make_shape(RING * (ALONG + 1) + SPIKES, 144 * ALONG + SPIKES);
    for (uint32_t z = 0; z <= ALONG; z++)
        for (uint32_t r = 0; r < 3; r++)
            for (uint32_t i = 0; i < AROUND; i++) {
                double x, y;
                ring_point(i, 2 + 0.9 * r, &x, &y);
                add_point(&s, x, y, z - ALONG / 2.0);
            }
    for (uint32_t cube = 0; cube < 2 * AROUND * ALONG; cube++) {
        const uint32_t i = cube % AROUND, r = cube / AROUND % 2, z = cube / AROUND / 2;
        uint32_t corner[8];
        for (uint32_t b = 0; b < 8; b++)
            corner[b] =
                (z + (b >> 2)) * RING + (r + (b >> 1 & 1)) * AROUND + (i + (b & 1)) % AROUND;
        add_cube(&s, corner, false, false);
    }
    // Spikes on outer faces, spread evenly: one point and one tetrahedron each.
    for (uint32_t n = 0; n < SPIKES; n++) {
        const uint32_t face = n * (AROUND * ALONG) / SPIKES, i = face % AROUND, z = face / AROUND;
        const uint32_t a = z * RING + 2 * AROUND + i, b = z * RING + 2 * AROUND + (i + 1) % AROUND;
        const uint32_t c = b + RING;
        const double *pa = &s.points[3 * a], *pb = &s.points[3 * b], *pc = &s.points[3 * c];
        double middle[3];
        for (int k = 0; k < 3; k++) middle[k] = (pa[k] + pb[k] + pc[k]) / 3;
        add_point(&s, 1.25 * middle[0], 1.25 * middle[1], middle[2]);
        add_tet(&s, a, b, c, s.point_count - 1);
    }
    return s;
}

// ---- setups

// Placement of bodies: clusters of `cluster` bodies on a grid of row x row x ..., `apart` units
// from each other and jittered; the clusters are on a coarser grid.
typedef struct placement {
    uint32_t row, cluster;
    double apart[3], spread;
} placement;

static const double cluster_offset[3] = {38, 38, 20};  // large enough that clusters do not touch

static teschner_setup make_setup(const char* name, teschner_shape shape, uint32_t bodies,
                                 const placement* c) {
    teschner_setup s = {.shape = shape, .body_count = bodies, .spread = c->spread};
    uint32_t row = 1;
    while ((uint64_t)row * row * row * c->cluster < bodies) row++;
    snprintf(s.name, sizeof s.name, "%s", name);
    s.places = bench_allocate(5 * (size_t)bodies, sizeof(double));
    s.scratch = bench_allocate(3 * (size_t)shape.point_count, sizeof(double));
    for (uint32_t body = 0; body < bodies; body++) {
        const uint32_t i = body % c->cluster, n = body / c->cluster;
        const uint32_t at[3] = {i % c->row, i / c->row % c->row, i / c->row / c->row};
        const uint32_t far[3] = {n % row, n / row % row, n / row / row};
        double* place = &s.places[5 * (size_t)body];
        for (uint32_t k = 0; k < 3; k++)
            place[k] = c->apart[k] * (at[k] + 0.15 * bench_random(42, i, k, 0)) - 20 +
                       cluster_offset[k] * far[k];
        for (uint32_t k = 3; k < 5; k++) place[k] = 0.5 + 0.5 * bench_random(42, i, k, 0);
    }
    return s;
}

static placement slabs_of(uint32_t row, uint32_t cluster) {
    return (placement){
        row, cluster, {9, 9, 2.5},
          1
    };
}

teschner_setup teschner_paper_setup(char name) {
    static const placement bars = {
        5, 100, {2.2, 1.4, 1.4},
          0.5
    };
    static const placement tubes = {
        2, 2, {5, 5, 5},
          1
    };
    const placement b = slabs_of(2, 8), c = slabs_of(3, 20), e = slabs_of(5, 100);
    switch (name) {
    case 'A':
        return make_setup("A", make_slab(2, 1, 1), 100, &bars);
    case 'B':
        return make_setup("B", make_slab(10, 10, 1), 8, &b);
    case 'C':
        return make_setup("C", make_slab(10, 10, 1), 20, &c);
    case 'D':
        return make_setup("D", make_vessel(), 2, &tubes);
    default:
        return make_setup("E", make_slab(10, 10, 1), 100, &e);
    }
}

teschner_setup teschner_large_setup(uint32_t times) {
    const placement c = slabs_of(3, 20);
    char name[16];
    snprintf(name, sizeof name, "C x %u", times);
    return make_setup(name, make_slab(10, 10, 1), 20 * times, &c);
}

void teschner_setup_release(teschner_setup* s) {
    free(s->shape.points);
    free(s->shape.tets);
    free(s->places);
    free(s->scratch);
}

// A body is tilted, bent by a wave that runs through it, and moved along a closed path.
const double* teschner_pose(const teschner_setup* s, uint32_t body, uint32_t step) {
    const double* place = &s->places[5 * (size_t)body];
    const double time = step / 200.0;
    const double tilt[2] = {0.4 * wave(time + place[3]), 0.4 * wave(0.7 * time + place[4])};
    const double path[3] = {s->spread * wave(0.5 * time + place[4]),
                            s->spread * cosine_like(0.4 * time + place[3]),
                            s->spread * wave(0.6 * time + place[3] + place[4])};
    for (uint32_t i = 0; i < s->shape.point_count; i++) {
        const double* p = &s->shape.points[3 * i];
        double* out = &s->scratch[3 * i];
        double bend = 0.6 * wave(0.07 * p[0] + 0.05 * p[2] + time + place[4]);
        double swell = 0.4 * wave(0.06 * p[1] + 0.04 * p[2] - time + place[3]);
        out[0] = place[0] + path[0] + p[0] - tilt[0] * p[2] + swell;
        out[1] = place[1] + path[1] + p[1] - tilt[1] * p[2] + bend;
        out[2] = place[2] + path[2] + p[2] + tilt[0] * p[0] + tilt[1] * p[1] + bend;
    }
    return s->scratch;
}

fracas_tet_view teschner_view(const teschner_setup* s, const double* points) {
    return (fracas_tet_view){
        .points = {points, s->shape.point_count, 0, FRACAS_SCALAR_DOUBLE},
        .tets = s->shape.tets,
        .tet_count = s->shape.tet_count
    };
}
