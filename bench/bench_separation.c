// fracas bench separation: two rough sheets that move past each other; candidates are all
// pairs of features whose boxes over the step are within the distance. Prints a hash of the hits
// before any time, then nanoseconds per candidate without and with a hit, the number decided by
// exact arithmetic, and nanoseconds per candidate of the test at the end of the step.
#include "arguments.h"
#include "geom/separation.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct sheet {
    uint32_t size, point_count;
    frc_point* points;  // of both sheets
} sheet;

typedef struct list {
    frc_ccd_pair* data;
    size_t count, capacity;
} list;

static void* need(void* memory) {
    if (memory) return memory;
    fprintf(stderr, "out of memory\n");
    exit(4);
}

static uint64_t state = 1;
static double noise(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static sheet make(uint32_t size) {
    sheet s = {size, 2 * size * size, NULL};
    s.points = need(aligned_alloc(64, s.point_count * sizeof *s.points));
    for (uint32_t i = 0; i < s.point_count; i++) {
        const uint32_t upper = i / (size * size), at = i % (size * size);
        const double x = at % size + 0.3 * noise(), y = at / size + 0.3 * noise();
        const double z = upper * 0.6 + 0.3 * noise(), slide = upper ? 0.4 : 0;
        frc_point* const p = &s.points[i];
        p->x[0] = x, p->x[1] = x + slide + 0.1 * noise();
        p->y[0] = y, p->y[1] = y - slide + 0.1 * noise();
        p->z[0] = z, p->z[1] = z - 0.2 * upper + 0.1 * noise();
    }
    return s;
}

// Corners of the faces in the cell at column x, row y of one sheet. Returns their number.
static int faces_at(const sheet* s, uint32_t upper, uint32_t x, uint32_t y, uint32_t out[2][3]) {
    const uint32_t n = s->size, a = upper * n * n + y * n + x;
    if (x + 1 >= n || y + 1 >= n) return 0;
    const uint32_t cell[2][3] = {
        {a, a + 1,     a + n},
        {a, a + n + 1, a + n}
    };
    memcpy(out, cell, sizeof cell);
    return 2;
}

// The same for edges.
static int edges_at(const sheet* s, uint32_t upper, uint32_t x, uint32_t y, uint32_t out[3][2]) {
    const uint32_t n = s->size, a = upper * n * n + y * n + x;
    if (x + 1 >= n || y + 1 >= n) return 0;
    const uint32_t cell[3][2] = {
        {a,     a + 1},
        {a,     a + n},
        {a + 1, a + n}
    };
    memcpy(out, cell, sizeof cell);
    return 3;
}

static bool boxes_meet(const sheet* s, const frc_ccd_pair* p, int split, double distance) {
    for (int k = 0; k < 3; k++) {
        double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 4; i++) {
            const frc_point* const q = &s->points[p->point[i]];
            const double* const x = k == 0 ? q->x : k == 1 ? q->y : q->z;
            const int side = i >= split;
            lo[side] = fmin(lo[side], fmin(x[0], x[1]));
            hi[side] = fmax(hi[side], fmax(x[0], x[1]));
        }
        if (lo[0] - hi[1] > distance || lo[1] - hi[0] > distance) return false;
    }
    return true;
}

static void add(list* l, const sheet* s, frc_ccd_pair pair, int split, double distance) {
    if (!boxes_meet(s, &pair, split, distance)) return;
    if (l->count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 1 << 16;
        l->data = need(realloc(l->data, l->capacity * sizeof *l->data));
    }
    l->data[l->count++] = pair;
}

static void pair_cells(const sheet* s, frc_ccd_kind kind, uint32_t x, uint32_t y, uint32_t ox,
                       uint32_t oy, double distance, list* out) {
    uint32_t faces[2][3], a[3][2], b[3][2];
    if (kind == FRC_CCD_VF) {
        const int count = faces_at(s, 1, ox, oy, faces);
        for (int i = 0; i < count; i++)
            add(out, s,
                (frc_ccd_pair){
                    {y * s->size + x, faces[i][0], faces[i][1], faces[i][2]}
            },
                1, distance);
        return;
    }
    const int below = edges_at(s, 0, x, y, a), above = edges_at(s, 1, ox, oy, b);
    for (int i = 0; i < below; i++)
        for (int j = 0; j < above; j++)
            add(out, s,
                (frc_ccd_pair){
                    {a[i][0], a[i][1], b[j][0], b[j][1]}
            },
                2, distance);
}

static list candidates(const sheet* s, frc_ccd_kind kind, double distance) {
    list l = {0};
    const int reach = 3;
    for (uint32_t y = 0; y < s->size; y++)
        for (uint32_t x = 0; x < s->size; x++)
            for (int dy = -reach; dy <= reach; dy++)
                for (int dx = -reach; dx <= reach; dx++)
                    pair_cells(s, kind, x, y, x + (uint32_t)dx, y + (uint32_t)dy, distance, &l);
    return l;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double best_of(const sheet* s, frc_ccd_kind kind, const frc_ccd_pair* pairs, size_t count,
                      const frc_separation_options* options, frc_ccd_hit* hits) {
    double best = INFINITY;
    for (int i = 0; i < 7; i++) {
        const double start = now();
        frc_separation_batch(kind, s->points, pairs, count, options, hits);
        best = fmin(best, now() - start);
    }
    return best;
}

// The test at t = 1 only, one pair at a time, as fracas_scene_nearby does it.
static double best_at_end(const sheet* s, frc_ccd_kind kind, const list* l, double distance) {
    static volatile size_t found;  // keeps the calls
    double best = INFINITY;
    for (int i = 0; i < 7; i++) {
        const double start = now();
        for (size_t j = 0; j < l->count; j++) {
            frc_point p[4];
            frc_closest out;
            for (int k = 0; k < 4; k++) p[k] = s->points[l->data[j].point[k]];
            found = found + frc_separation_static(kind, p, distance, &out);
        }
        best = fmin(best, now() - start);
    }
    return best;
}

static uint64_t hash(const frc_ccd_hit* hits, size_t count) {
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &hits[i].toi, sizeof bits);
        h = ((h ^ hits[i].pair) * 1099511628211u ^ bits) * 1099511628211u;
    }
    return h;
}

static void measure(const sheet* s, frc_ccd_kind kind, double distance) {
    list l = candidates(s, kind, distance);
    frc_ccd_hit* const hits = need(malloc(l.count * sizeof *hits));
    frc_ccd_counts counts = {0};
    frc_separation_options options = {distance, 1e-6, &counts};
    const size_t count = frc_separation_batch(kind, s->points, l.data, l.count, &options, hits);
    const uint64_t sum = hash(hits, count);
    // Partition the candidates, those with a hit first, to time both groups separately.
    frc_ccd_pair* const parted = need(malloc(l.count * sizeof *parted));
    size_t next = 0, far = count;
    for (size_t i = 0; i < l.count; i++) {
        if (next < count && hits[next].pair == i)
            parted[next++] = l.data[i];
        else
            parted[far++] = l.data[i];
    }
    options.counts = NULL;
    const double hit = best_of(s, kind, parted, count, &options, hits);
    const double miss = best_of(s, kind, parted + count, l.count - count, &options, hits);
    printf("%s  %-7g %9zu %8zu  %016llx  %7.1f %8.1f  %6.2f %6.2f %6.2f %6llu  %7.1f\n",
           kind == FRC_CCD_VF ? "vf" : "ee", distance, l.count, count, (unsigned long long)sum,
           1e9 * miss / (double)(l.count - count), 1e9 * hit / (double)(count ? count : 1),
           100.0 * (double)counts.axis / (double)l.count,
           100.0 * (double)counts.directions / (double)l.count,
           100.0 * (double)counts.separated / (double)l.count, (unsigned long long)counts.exact,
           1e9 * best_at_end(s, kind, &l, distance) / (double)l.count);
    free(parted);
    free(hits);
    free(l.data);
}

int main(int argc, char** argv) {
    uint64_t size = 60;
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0) {
            printf(
                "usage: fracas bench separation [--size N]\n"
                "The test of minimum separation in time on all candidates of two rough sheets of\n"
                "N x N points (60) that move past each other, for four distances: nanoseconds\n"
                "without and with a hit, and of the test at the end of the step.\n");
            return 0;
        }
        if (strcmp(argv[i], "--size") != 0 || i + 1 == argc ||
            !bench_parse_number(argv[i + 1], 2, 1000, &size))
            return bench_refuse("separation", argv[i]);
    }
    const sheet s = make((uint32_t)size);
    static const double distances[] = {0.1, 0.01, 1e-3, 1e-5};
    printf("      d       candidates  hits  hash               miss ns   hit ns   axis%%   dir%%  "
           "float%%  exact   end ns\n");
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < 4; i++) measure(&s, (frc_ccd_kind)kind, distances[i]);
    free(s.points);
    return 0;
}
