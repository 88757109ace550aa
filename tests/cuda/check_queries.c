// Queries of the generators of tests/geom as candidates of the stages from the filters on: query i
// has four points of its own, and a slot in each of the two sets.
#include "check_queries.h"
#include "base/clock.h"
#include "cuda/device.h"
#include "generate_ccd.h"
#include "geom/ccd_stages.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Share of the queries in thousandths: extreme exponents are slow on the CPU.
static const int SHARE[GENERATE_CCD_COUNT] = {70, 70, 70, 20, 70, 40, 30, 10, 1,  40, 60, 60, 60,
                                              70, 60, 10, 15, 15, 15, 15, 40, 40, 40, 60, 60};

static const double TOLERANCE[3] = {1e-6, 1e-9, 1e-12};

enum { BLOCK = 512 };

// ---- queries on the CPU

typedef struct side {
    frc_point* points;
    frc_ccd_pair* pairs;
    frc_ccd_hit* hits;
    uint64_t* found;  // hits of each block
    uint32_t count;
} side;

typedef struct batch {
    side kind[2];
    uint64_t seed;
    double tolerance;
    uint32_t threads;
} batch;

static void* allocate(size_t size) {
    void* memory = calloc(size + 1, 1);
    if (!memory) {
        fprintf(stderr, "no memory\n");
        exit(4);
    }
    return memory;
}

// A mode by its share.
static int mode_of(uint64_t number) {
    int left = (int)(number % 1166);
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        if (left < SHARE[mode]) return mode;
        left -= SHARE[mode];
    }
    return (int)(number % 3);
}

// Queries of one kind: each generator makes both, and those of the other kind are dropped.
static void generate_block(side* s, frc_ccd_kind kind, uint64_t seed, uint32_t block) {
    const uint32_t end = (block + 1) * BLOCK < s->count ? (block + 1) * BLOCK : s->count;
    generator g = {.state = seed * 1000003 + block * 2 + kind};
    for (uint32_t i = block * BLOCK; i < end;) {
        frc_point points[4];
        memset(points, 0, sizeof points);
        const int mode = mode_of(generate_bits(&g));
        const frc_ccd_kind made =
            generate_bits(&g) % 40 ? generate_ccd(&g, mode, points) : generate_past(&g, points);
        if (made != kind) continue;
        for (uint32_t c = 0; c < 4; c++) {
            points[c].tag[0] = (uint32_t)(generate_bits(&g) % 3);
            points[c].tag[1] = (uint32_t)(generate_bits(&g) % 256) * 4 + c;
            s->points[4 * i + c] = points[c];
            s->pairs[i].point[c] = 4 * i + c;
        }
        i++;
    }
}

static void decide_block(side* s, frc_ccd_kind kind, double tolerance, uint32_t block) {
    const uint32_t first = block * BLOCK;
    const uint32_t count = first + BLOCK < s->count ? BLOCK : s->count - first;
    const frc_ccd_options options = {.tolerance = tolerance, .canonical = true};
    s->found[block] =
        frc_ccd_batch(kind, s->points, s->pairs + first, count, &options, s->hits + first);
}

typedef struct worker {
    batch* all;
    uint32_t index;
    bool decides;
} worker;

static void* work(void* data) {
    const worker* w = data;
    for (int k = 0; k < 2; k++) {
        side* s = &w->all->kind[k];
        for (uint32_t b = w->index; b * BLOCK < s->count; b += w->all->threads) {
            if (w->decides)
                decide_block(s, (frc_ccd_kind)k, w->all->tolerance, b);
            else
                generate_block(s, (frc_ccd_kind)k, w->all->seed, b);
        }
    }
    return NULL;
}

static void run_threads(batch* all, bool decides) {
    enum { MOST = 64 };
    pthread_t ids[MOST];
    worker workers[MOST];
    if (all->threads > MOST) all->threads = MOST;
    for (uint32_t i = 0; i < all->threads; i++) {
        workers[i] = (worker){all, i, decides};
        if (pthread_create(&ids[i], NULL, work, &workers[i]) != 0) exit(4);
    }
    for (uint32_t i = 0; i < all->threads; i++) pthread_join(ids[i], NULL);
}

// ---- the same on the device

typedef struct on_device {
    frc_device* device;
    frc_step step;
    void* memory[32];
    size_t size[32];
    int buffers;
} on_device;

static void require(const on_device* d, bool ok) {
    if (ok) return;
    fprintf(stderr, "the device has failed: %s\n", frc_device_error(d->device));
    exit(1);
}

static void* reserve(on_device* d, size_t size, const void* from) {
    void* memory = frc_device_allocate(d->device, size ? size : 1);
    require(d, memory && (!from || frc_device_upload(d->device, memory, from, size)));
    d->memory[d->buffers] = memory;
    d->size[d->buffers++] = size ? size : 1;
    return memory;
}

static void upload_points(on_device* d, const side* s) {
    const size_t count = 4 * (size_t)s->count;
    frc_moving_point* points = allocate(count * sizeof *points);
    frc_point_name* names = allocate(count * sizeof *names);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            memcpy(points[i].x[k], frc_point_axis(&s->points[i], k), sizeof points[i].x[k]);
        memcpy(names[i].tag, s->points[i].tag, sizeof names[i].tag);
    }
    d->step.points = reserve(d, count * sizeof *points, points);
    d->step.names = reserve(d, count * sizeof *names, names);
    require(d, frc_device_wait(d->device));
    free(points);
    free(names);
}

static void upload_features(on_device* d, const side* s, frc_ccd_kind kind) {
    frc_feature* f = allocate(3 * (size_t)s->count * sizeof *f);
    frc_slot_pair* pairs = allocate((size_t)s->count * sizeof *pairs);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t* p = s->pairs[i].point;
        const bool vf = kind == FRC_CCD_VF;
        f[i] = (frc_feature){
            {p[0], p[!vf], p[!vf]},
            0
        };
        f[s->count + i] = (frc_feature){
            {p[vf ? 1 : 2], p[vf ? 2 : 3], p[3]},
            0
        };
        pairs[i] = (frc_slot_pair){i, i};
    }
    const frc_feature* features = reserve(d, 2 * (size_t)s->count * sizeof *f, f);
    d->step.a.features = features;
    d->step.b.features = features + s->count;
    for (int k = 0; k < FRC_LIST_COUNT; k++) {
        d->step.lists[k].capacity = s->count;
        d->step.lists[k].pairs =
            reserve(d, (size_t)s->count * sizeof *pairs, k == FRC_LIST_CANDIDATES ? pairs : NULL);
    }
    require(d, frc_device_wait(d->device));
    free(f);
    free(pairs);
}

// The stages from the filters to the impact.
static void open_side(on_device* d, const side* s, frc_ccd_kind kind, double tolerance) {
    frc_step* step = &d->step;
    const uint64_t count = s->count, none = 0;
    upload_points(d, s);
    upload_features(d, s, kind);
    step->counts = reserve(d, FRC_STEP_COUNTS * sizeof *step->counts, NULL);
    step->host_counts =
        frc_device_allocate_host(d->device, FRC_STEP_COUNTS * sizeof *step->host_counts);
    require(d, step->host_counts != NULL);
    step->cleared = FRC_STEP_COUNTS * sizeof *step->counts;
    for (int k = 0; k < FRC_LIST_COUNT; k++) step->lists[k].count = step->counts + k;
    step->lists[FRC_LIST_CANDIDATES].count = reserve(d, sizeof count, &count);
    step->hits = reserve(d, (size_t)s->count * sizeof *step->hits, NULL);
    step->hit_count = step->counts + FRC_COUNT_HITS;
    step->hit_capacity = s->count;
    step->limb_threads = frc_device_exact_threads(d->device);
    step->limbs =
        reserve(d, (size_t)step->limb_threads * FRC_CCD_SMALL_LIMBS * sizeof(uint64_t), NULL);
    step->order.bins = reserve(d, sizeof none, &none);
    step->order.sums = reserve(d, frc_device_warps(d->device) * sizeof(uint32_t), NULL);
    step->order.names = reserve(d, (size_t)s->count * sizeof(frc_hit_name), NULL);
    step->order.triangles = reserve(d, sizeof none, &none);
    step->order.count = step->counts + FRC_COUNT_CONTACTS;
    step->order.unordered = step->counts + FRC_COUNT_UNORDERED;
    step->decide = FRC_DECIDE_IMPACT;
    step->stages = (2u << FRC_STAGE_impact) - (1u << FRC_STAGE_filter);
    step->to_filter = step->lists[FRC_LIST_CANDIDATES];
    step->contact = kind == FRC_CCD_VF ? FRACAS_CONTACT_VF : FRACAS_CONTACT_EE;
    step->all_collide = 1;
    step->t_max = -1;
    step->kind = kind;
    step->tolerance = tolerance;
    require(d, frc_device_wait(d->device));
}

static void close_side(on_device* d) {
    frc_device_release_host(d->device, d->step.host_counts,
                            FRC_STEP_COUNTS * sizeof *d->step.host_counts);
    for (int i = 0; i < d->buffers; i++) frc_device_release(d->device, d->memory[i], d->size[i]);
}

static void download(const on_device* d, void* to, const void* from, size_t size) {
    require(d, size == 0 || frc_device_download(d->device, to, from, size));
    require(d, frc_device_wait(d->device));
}

static int by_slot(const void* a, const void* b) {
    const frc_device_hit *x = a, *y = b;
    return (x->pair.a > y->pair.a) - (x->pair.a < y->pair.a);
}

// ---- comparison

static void fail(const side* s, frc_ccd_kind kind, uint32_t query, const char* what) {
    fprintf(stderr, "%s of this query differ: %s\n", what, kind == FRC_CCD_VF ? "VF" : "EE");
    for (uint32_t c = 0; c < 4; c++) {
        const frc_point* p = &s->points[4 * query + c];
        fprintf(stderr, "  {%a, %a}, {%a, %a}, {%a, %a}, %u %u\n", p->x[0], p->x[1], p->y[0],
                p->y[1], p->z[0], p->z[1], p->tag[0], p->tag[1]);
    }
    exit(1);
}

static void compare_hit(const side* s, frc_ccd_kind kind, const frc_ccd_hit* cpu,
                        const frc_device_hit* hit) {
    if (memcmp(&cpu->toi, &hit->toi, sizeof cpu->toi) != 0) fail(s, kind, hit->pair.a, "times");
    if (memcmp(&cpu->u, &hit->u, sizeof cpu->u) != 0 ||
        memcmp(&cpu->v, &hit->v, sizeof cpu->v) != 0)
        fail(s, kind, hit->pair.a, "parameters");
    if (memcmp(cpu->normal, hit->normal, sizeof cpu->normal) != 0)
        fail(s, kind, hit->pair.a, "normals");
}

// hits: of the device, ascending; deep: the queries that are left to the host.
static void compare(const side* s, frc_ccd_kind kind, const frc_device_hit* hits, uint64_t count,
                    const bool* deep) {
    uint64_t n = 0;
    for (uint32_t b = 0; b * BLOCK < s->count; b++)
        for (uint64_t i = 0; i < s->found[b]; i++) {
            const frc_ccd_hit* cpu = &s->hits[b * BLOCK + i];
            const uint32_t query = b * BLOCK + cpu->pair;
            if (n < count && hits[n].pair.a < query) fail(s, kind, hits[n].pair.a, "verdicts");
            if (deep[query]) continue;
            if (n >= count || hits[n].pair.a != query) fail(s, kind, query, "verdicts");
            compare_hit(s, kind, cpu, &hits[n++]);
        }
    if (n < count) fail(s, kind, hits[n].pair.a, "verdicts");
}

// Only what spans too many bits may be left to the host.
static void mark_deep(const on_device* d, const side* s, frc_ccd_kind kind, uint64_t count,
                      bool* deep) {
    frc_slot_pair* pairs = allocate(count * sizeof *pairs);
    download(d, pairs, d->step.lists[FRC_LIST_HOST].pairs, count * sizeof *pairs);
    for (uint64_t i = 0; i < count; i++) {
        const frc_point* p = &s->points[4 * (size_t)pairs[i].a];
        const frc_point* const list[4] = {p, p + 1, p + 2, p + 3};
        int unit[3];
        if (deep[pairs[i].a] || frc_ccd_exact_units(list, unit) <= FRC_CCD_SMALL_BITS)
            fail(s, kind, pairs[i].a, "reasons");
        deep[pairs[i].a] = true;
    }
    free(pairs);
}

static void check_side(frc_device* device, const batch* all, frc_ccd_kind kind, uint32_t runs,
                       check_counts* sum) {
    const side* s = &all->kind[kind];
    on_device d = {.device = device};
    frc_device_hit* hits[2];
    bool* deep = allocate(s->count);
    for (int i = 0; i < 2; i++) hits[i] = allocate((size_t)s->count * sizeof *hits[i]);
    open_side(&d, s, kind, all->tolerance);
    const uint64_t* counts = d.step.host_counts;
    for (uint32_t run = 0; run < runs; run++) {
        frc_device_hit* to = hits[run > 0];
        const double start = frc_clock_ms();
        require(&d, frc_device_run(device, &d.step, 1));
        sum->ms_device += frc_clock_ms() - start;
        const uint64_t found = counts[FRC_COUNT_HITS];
        require(&d, found <= s->count);
        if (found) require(&d, frc_device_download(device, to, d.step.hits, found * sizeof *to));
        qsort(to, found, sizeof *to, by_slot);
        if (run == 0) {
            mark_deep(&d, s, kind, counts[FRC_LIST_HOST], deep);
            compare(s, kind, to, found, deep);
            sum->hits += found;
        } else if (memcmp(to, hits[0], found * sizeof *to) != 0)
            fail(s, kind, 0, "repeated runs");
    }
    sum->queries += s->count;
    sum->filtered += counts[FRC_LIST_FILTERED] + counts[FRC_LIST_TWO_ROOTS];
    sum->roots += counts[FRC_LIST_ROOTS];
    sum->exact += counts[FRC_LIST_EXACT];
    sum->later += counts[FRC_LIST_LATER];
    sum->host += counts[FRC_LIST_HOST];
    close_side(&d);
    for (int i = 0; i < 2; i++) free(hits[i]);
    free(deep);
}

check_counts check_queries(fracas_context* context, const check_options* options) {
    check_counts sum = {0};
    frc_device* device;
    const fracas_cuda_options defaults = fracas_cuda_default_options();
    if (frc_device_open(context, &defaults, &device) != FRACAS_OK) {
        fprintf(stderr, "there is no device\n");
        exit(1);
    }
    for (uint64_t done = 0, n = 0; done < options->count; done += options->batch, n++) {
        batch all = {
            .seed = options->seed + n, .tolerance = TOLERANCE[n % 3], .threads = options->threads};
        for (int k = 0; k < 2; k++) {
            side* s = &all.kind[k];
            s->count = options->batch / 2;
            s->points = allocate(4 * (size_t)s->count * sizeof *s->points);
            s->pairs = allocate(s->count * sizeof *s->pairs);
            s->hits = allocate(s->count * sizeof *s->hits);
            s->found = allocate((s->count / BLOCK + 1) * sizeof *s->found);
        }
        const double start = frc_clock_ms();
        run_threads(&all, false);
        run_threads(&all, true);
        sum.ms_host += frc_clock_ms() - start;
        for (int k = 0; k < 2; k++) check_side(device, &all, (frc_ccd_kind)k, options->runs, &sum);
        for (int k = 0; k < 2; k++) {
            side* s = &all.kind[k];
            free(s->points), free(s->pairs), free(s->hits), free(s->found);
        }
    }
    frc_device_close(device);
    return sum;
}
