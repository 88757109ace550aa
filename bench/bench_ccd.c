// fracas bench ccd: the continuous test on all swept-box candidates of the scenes cloth-ball,
// n-body-simulation and cloth-funnel. Checks the number of hits before it prints a time.
#include "arguments.h"
#include "fracas/elementary.h"
#include "geom/ccd.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- a loader for these frames only: binary PLY, x y z first, then triangles ---- */

typedef struct mesh {
    size_t point_count, face_count, edge_count;
    frc_point* points;
    uint32_t (*faces)[3];
    uint32_t (*edges)[2];
} mesh;

static void* need(void* memory) {
    if (memory) return memory;
    fprintf(stderr, "out of memory\n");
    exit(4);
}

static uint64_t take(const unsigned char** at, int size, bool big) {
    uint64_t v = 0;
    for (int i = 0; i < size; i++) v |= (uint64_t)(*at)[big ? size - 1 - i : i] << (8 * i);
    *at += size;
    return v;
}

static double take_real(const unsigned char** at, int size, bool big) {
    const uint64_t bits = take(at, size, big);
    double d;
    float f;
    const uint32_t low = (uint32_t)bits;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &low, sizeof f);
    return size == 8 ? d : (double)f;
}

static bool load(const char* path, int t, mesh* m) {
    FILE* const file = fopen(path, "rb");
    if (!file) return false;
    fseek(file, 0, SEEK_END);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char* const data = need(malloc(size + 1));
    const bool whole = fread(data, 1, size, file) == size;
    fclose(file);
    data[size] = 0;
    char* const end = strstr(data, "end_header\n");
    if (!whole || !end) return false;
    *end = 0;
    const bool big = strstr(data, "big_endian");
    const int real = strstr(data, "double x") ? 8 : 4, skip = strstr(data, "red") ? 3 : 0;
    m->point_count = strtoul(strstr(data, "element vertex ") + 15, NULL, 10);
    m->face_count = strtoul(strstr(data, "element face ") + 13, NULL, 10);
    if (!m->points) m->points = need(aligned_alloc(64, m->point_count * sizeof *m->points));
    if (!m->faces) m->faces = need(malloc(m->face_count * sizeof *m->faces));
    const unsigned char* at = (const unsigned char*)end + 11;
    for (size_t i = 0; i < m->point_count; i++, at += skip) {
        m->points[i].x[t] = take_real(&at, real, big);
        m->points[i].y[t] = take_real(&at, real, big);
        m->points[i].z[t] = take_real(&at, real, big);
    }
    for (size_t i = 0; i < m->face_count; i++) {
        at++;
        for (int j = 0; j < 3; j++) m->faces[i][j] = (uint32_t)take(&at, 4, big);
    }
    free(data);
    return true;
}

static int by_value(const void* a, const void* b) { return memcmp(a, b, 8); }

static void find_edges(mesh* m) {
    uint32_t(*const e)[2] = need(malloc(m->face_count * 3 * sizeof *e));
    size_t n = 0;
    for (size_t i = 0; i < m->face_count; i++)
        for (int j = 0; j < 3; j++, n++) {
            const uint32_t a = m->faces[i][j], b = m->faces[i][(j + 1) % 3];
            e[n][0] = a < b ? a : b;
            e[n][1] = a < b ? b : a;
        }
    qsort(e, n, sizeof *e, by_value);
    m->edge_count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || memcmp(e[i], e[i - 1], sizeof *e) != 0)
            memcpy(e[m->edge_count++], e[i], sizeof *e);
    m->edges = e;
}

/* ---- candidates: float boxes, rounded outward, sorted and swept along x ---- */

typedef struct box {
    float lo[3], hi[3];
    uint32_t id, side;
} box;

static box box_of(const mesh* m, const uint32_t* v, int count, size_t id, uint32_t side) {
    box b = {.id = (uint32_t)id, .side = side};
    for (int k = 0; k < 3; k++) {
        float lo = INFINITY, hi = -INFINITY;
        for (int i = 0; i < count; i++)
            for (int t = 0; t < 2; t++) {
                const frc_point* const p = &m->points[v[i]];
                const double x = (k == 0 ? p->x : k == 1 ? p->y : p->z)[t];
                lo = fminf(lo, nextafterf((float)x, -INFINITY));
                hi = fmaxf(hi, nextafterf((float)x, INFINITY));
            }
        b.lo[k] = lo, b.hi[k] = hi;
    }
    return b;
}

static int by_x(const void* a, const void* b) {
    const box *const p = a, *const q = b;
    if (p->lo[0] != q->lo[0]) return p->lo[0] < q->lo[0] ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

typedef struct candidates {
    frc_ccd_pair* list;
    size_t count, capacity;
} candidates;

static void add(candidates* c, const mesh* m, frc_ccd_kind kind, const box* a, const box* b) {
    frc_ccd_pair p;
    if (kind == FRC_CCD_VF) {
        if (a->side == b->side) return;
        const box *const v = a->side ? b : a, *const f = a->side ? a : b;
        p.point[0] = v->id;
        memcpy(&p.point[1], m->faces[f->id], sizeof m->faces[0]);
        for (int i = 1; i < 4; i++)
            if (p.point[i] == p.point[0]) return;
    } else {
        const box *const f = a->id < b->id ? a : b, *const g = a->id < b->id ? b : a;
        memcpy(&p.point[0], m->edges[f->id], sizeof m->edges[0]);
        memcpy(&p.point[2], m->edges[g->id], sizeof m->edges[0]);
        for (int i = 0; i < 4; i++)
            if (p.point[i / 2] == p.point[2 + i % 2]) return;
    }
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 1 << 20;
        c->list = need(realloc(c->list, c->capacity * sizeof *c->list));
    }
    c->list[c->count++] = p;
}

static int by_points(const void* a, const void* b) {
    const frc_ccd_pair *const p = a, *const q = b;
    for (int i = 0; i < 4; i++)
        if (p->point[i] != q->point[i]) return p->point[i] < q->point[i] ? -1 : 1;
    return 0;
}

static void sweep(const mesh* m, frc_ccd_kind kind, candidates* c) {
    const size_t count = kind == FRC_CCD_VF ? m->point_count + m->face_count : m->edge_count;
    box* const boxes = need(malloc(count * sizeof *boxes));
    size_t n = 0;
    if (kind == FRC_CCD_VF) {
        for (uint32_t i = 0; i < m->point_count; i++) boxes[n++] = box_of(m, &i, 1, i, 0);
        for (size_t i = 0; i < m->face_count; i++) boxes[n++] = box_of(m, m->faces[i], 3, i, 1);
    } else
        for (size_t i = 0; i < m->edge_count; i++) boxes[n++] = box_of(m, m->edges[i], 2, i, 0);
    qsort(boxes, n, sizeof *boxes, by_x);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n && boxes[j].lo[0] <= boxes[i].hi[0]; j++) {
            const box *const a = &boxes[i], *const b = &boxes[j];
            if (a->lo[1] <= b->hi[1] && b->lo[1] <= a->hi[1] && a->lo[2] <= b->hi[2] &&
                b->lo[2] <= a->hi[2])
                add(c, m, kind, a, b);
        }
    free(boxes);
    qsort(c->list, c->count, sizeof *c->list, by_points);
}

/* ---- measuring ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double best_of(const mesh* m, frc_ccd_kind kind, const frc_ccd_pair* pairs, size_t count,
                      frc_ccd_hit* hits) {
    const frc_ccd_options options = {.tolerance = 1e-6};
    double best = INFINITY;
    for (int i = 0; i < 5; i++) {
        const double start = now();
        frc_ccd_batch(kind, m->points, pairs, count, &options, hits);
        best = fmin(best, now() - start);
    }
    return best;
}

/* ---- the public functions: one pair per call, and batches ---- */

typedef double triple[3];

static double wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// As a caller writes it that has positions and indices.
static bool call_one(frc_ccd_kind kind, const triple* t0, const triple* t1, const uint32_t* i) {
    triple x0[4], x1[4];
    for (int k = 0; k < 4; k++) {
        memcpy(x0[k], t0[i[k]], sizeof *x0);
        memcpy(x1[k], t1[i[k]], sizeof *x1);
    }
    const triple *const y0 = (const triple*)x0, *const y1 = (const triple*)x1;
    return kind == FRC_CCD_VF
               ? fracas_vertex_face_find_impact(y0[0], y0 + 1, y1[0], y1 + 1, 1e-6, NULL)
               : fracas_edge_edge_find_impact(y0, y0 + 2, y1, y1 + 2, 1e-6, NULL);
}

static double best_of_batches(const fracas_pair_batch* batch, uint32_t workers, uint8_t* hits) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    fracas_context* context;
    fracas_pairs_result result;
    if (fracas_context_create(&options, &context) != FRACAS_OK) exit(4);
    double best = INFINITY;
    for (int i = 0; i < 5; i++) {
        const double start = wall();
        if (fracas_pairs_find_impacts(context, batch, hits, NULL, &result) != FRACAS_OK) exit(4);
        best = fmin(best, wall() - start);
    }
    fracas_context_destroy(context);
    if (result.hits == 0) return best;
    fprintf(stderr, "a batch and a block decide differently\n");
    exit(1);
}

static void measure_calls(const mesh* m, frc_ccd_kind kind, const frc_ccd_pair* pairs,
                          size_t count) {
    triple* const t0 = need(malloc(m->point_count * sizeof *t0));
    triple* const t1 = need(malloc(m->point_count * sizeof *t1));
    uint8_t* const hits = need(malloc(count + 1));
    for (size_t i = 0; i < m->point_count; i++)
        for (int k = 0; k < 3; k++) {
            t0[i][k] = frc_point_axis(&m->points[i], k)[0];
            t1[i][k] = frc_point_axis(&m->points[i], k)[1];
        }
    double best = INFINITY;
    size_t wrong = 0;
    for (int i = 0; i < 3; i++) {
        const double start = wall();
        for (size_t j = 0; j < count; j++)
            wrong += call_one(kind, (const triple*)t0, (const triple*)t1, pairs[j].point);
        best = fmin(best, wall() - start);
    }
    fracas_pair_batch batch = fracas_pairs_default_batch();
    batch.kind = kind == FRC_CCD_VF ? FRACAS_CONTACT_VF : FRACAS_CONTACT_EE;
    batch.points_t0 = (fracas_points){.data = t0, .count = (uint32_t)m->point_count};
    batch.points_t1 = (fracas_points){.data = t1, .count = (uint32_t)m->point_count};
    batch.indices = pairs->point;
    batch.count = count;
    const double one = best_of_batches(&batch, 1, hits), all = best_of_batches(&batch, 0, hits);
    if (wrong) fprintf(stderr, "single calls and a block decide differently\n"), exit(1);
    printf("    public calls, ns/rejected: single %.1f, batch on one worker %.1f (%.1fx), on all "
           "%.1f (%.1fx)\n",
           1e9 * best / (double)count, 1e9 * one / (double)count, best / one,
           1e9 * all / (double)count, best / all);
    free(t0), free(t1), free(hits);
}

// Number of candidates that the exact stage decides differently.
static size_t disagreements(const mesh* m, frc_ccd_kind kind, const candidates* c,
                            const frc_ccd_hit* hits, size_t count) {
    size_t wrong = 0, h = 0;
    for (size_t i = 0; i < c->count; i++) {
        frc_point p[4];
        for (int j = 0; j < 4; j++) p[j] = m->points[c->list[i].point[j]];
        const bool hit = h < count && hits[h].pair == i;
        double toi;
        wrong += frc_ccd_exact(kind, p, false, &toi) != hit;
        h += hit;
    }
    return wrong;
}

static bool measure(const char* name, const mesh* m, frc_ccd_kind kind, size_t expected,
                    bool exact) {
    candidates c = {0};
    sweep(m, kind, &c);
    frc_ccd_hit* const hits = need(malloc((c.count + 1) * sizeof *hits));
    frc_ccd_counts n = {0};
    const frc_ccd_options options = {.tolerance = 1e-6, .counts = &n};
    const size_t count = frc_ccd_batch(kind, m->points, c.list, c.count, &options, hits);
    size_t wrong = 0;
    if (exact) {
        wrong = disagreements(m, kind, &c, hits, count);
        printf("%-18s %s %9zu decided by the exact stage alone, %zu differently\n", name,
               kind == FRC_CCD_VF ? "VF" : "EE", c.count, wrong);
    }
    // Split into the hits and the rest, in order, to time each alone.
    frc_ccd_pair* const yes = need(malloc((count + 1) * sizeof *yes));
    frc_ccd_pair* const no = need(malloc((c.count - count + 1) * sizeof *no));
    size_t h = 0, r = 0;
    for (size_t i = 0; i < c.count; i++) {
        if (h < count && hits[h].pair == i)
            yes[h++] = c.list[i];
        else
            no[r++] = c.list[i];
    }
    printf("%-18s %s %9zu candidates %6zu hits (%s)", name, kind == FRC_CCD_VF ? "VF" : "EE",
           c.count, count, count == expected ? "right" : "WRONG");
    printf("  %5.1f ns/rejected", 1e9 * best_of(m, kind, no, r, hits) / (double)r);
    printf("  %6.3f us/hit\n", 1e6 * best_of(m, kind, yes, h, hits) / (double)(h ? h : 1));
    printf("    axis %llu cubic %llu sweep %llu directions %llu no root %llu outside %llu "
           "separated %llu "
           "hit %llu exact %llu (%llu hits)\n",
           (unsigned long long)n.axis, (unsigned long long)n.cubic, (unsigned long long)n.sweep,
           (unsigned long long)n.directions, (unsigned long long)n.no_root,
           (unsigned long long)n.outside, (unsigned long long)n.separated,
           (unsigned long long)n.hit, (unsigned long long)n.exact, (unsigned long long)n.exact_hit);
    if (r) measure_calls(m, kind, no, r);
    free(yes), free(no), free(hits), free(c.list);
    return count == expected && wrong == 0;
}

int main(int argc, char** argv) {
    static const struct {
        const char *name, *frame[2];
        size_t hits[2];
    } SCENES[] = {
        {"cloth-ball",        {"cloth_ball92.ply", "cloth_ball93.ply"}, {19032, 94822}},
        {"n-body-simulation", {"balls16_18.ply", "balls16_19.ply"},     {9459, 41031} },
        {"cloth-funnel",      {"227.ply", "228.ply"},                   {27, 107}     },
    };
    const char* words[3] = {NULL};  // DIR SCENE exact
    enum { SCENE_COUNT = sizeof SCENES / sizeof *SCENES };
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            printf(
                "usage: fracas bench ccd [DIR [SCENE [exact]]]\n"
                "The test of vertex-face and edge-edge pairs in time, on all candidates of one\n"
                "step of three scenes: nanoseconds of a pair that is rejected, microseconds of a\n"
                "hit. DIR: their frames (default: ccd in the folder of the test data). exact:\n"
                "also decide all candidates by exact arithmetic alone. Scenes:\n");
            for (int k = 0; k < SCENE_COUNT; k++) printf("  %s\n", SCENES[k].name);
            return 0;
        }
        bool known = i < 4 && argv[i][0] != '-' && (i != 3 || !strcmp(argv[i], "exact"));
        for (int k = 0; i == 2 && known; k++) {
            known = k < SCENE_COUNT;
            if (known && !strcmp(argv[i], SCENES[k].name)) break;
        }
        if (!known) return bench_refuse("ccd", argv[i]);
        words[i - 1] = argv[i];
    }
    char folder[2048];
    snprintf(folder, sizeof folder, "%s%s", words[0] ? words[0] : bench_data_folder(),
             words[0] ? "" : "/ccd");
    bool good = true;
    for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++) {
        if (words[1] && strcmp(words[1], SCENES[i].name) != 0) continue;
        mesh m = {0};
        for (int t = 0; t < 2; t++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s/frames/%s", folder, SCENES[i].name,
                     SCENES[i].frame[t]);
            if (!load(path, t, &m)) {
                fprintf(stderr, "%s: missing or not readable\n", path);
                return 1;
            }
        }
        find_edges(&m);
        for (int kind = 0; kind < 2; kind++)
            good &= measure(SCENES[i].name, &m, (frc_ccd_kind)kind, SCENES[i].hits[kind], words[2]);
        free(m.points), free(m.faces), free(m.edges);
    }
    return good ? 0 : 1;
}
