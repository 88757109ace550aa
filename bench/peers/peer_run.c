// Runs and times peers, completes their candidates by Fracas' triangle test; lists of pairs.
#include "peers/peer_run.h"
#include "fracas/elementary.h"
#include "generate.h"
#include "timing.h"
#include <string.h>

void pair_list_add(pair_list* list, uint32_t a, uint32_t b) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 4096;
        peer_pair* pairs = bench_allocate(capacity, sizeof *pairs);
        if (list->count) memcpy(pairs, list->pairs, list->count * sizeof *pairs);
        free(list->pairs);
        list->pairs = pairs;
        list->capacity = capacity;
    }
    list->pairs[list->count].a = a;
    list->pairs[list->count].b = b;
    list->count++;
}

void pair_list_free(pair_list* list) {
    free(list->pairs);
    memset(list, 0, sizeof *list);
}

static int compare_pairs(const void* x, const void* y) {
    const peer_pair *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

void pair_list_sort(pair_list* list, bool unordered) {
    for (size_t i = 0; unordered && i < list->count; i++) {
        peer_pair p = list->pairs[i];
        list->pairs[i].a = p.a < p.b ? p.a : p.b;
        list->pairs[i].b = p.a < p.b ? p.b : p.a;
    }
    if (list->count) qsort(list->pairs, list->count, sizeof *list->pairs, compare_pairs);
}

size_t pair_list_difference(const pair_list* a, const pair_list* b) {
    size_t i = 0, j = 0, different = 0;
    while (i < a->count || j < b->count) {
        int order = i == a->count   ? 1
                    : j == b->count ? -1
                                    : compare_pairs(&a->pairs[i], &b->pairs[j]);
        i += order <= 0;
        j += order >= 0;
        different += order != 0;
    }
    return different;
}

static frc_tri_pair batch_pair(const peer_run* run, peer_pair p) {
    const uint32_t* a = run->triangles[0] + (size_t)3 * p.a;
    const uint32_t* b = run->triangles[1] + (size_t)3 * p.b;
    uint32_t offset = run->offset;
    frc_tri_pair out = {
        {a[0],          a[1],          a[2]         },
        {b[0] + offset, b[1] + offset, b[2] + offset}
    };
    return out;
}

static size_t test_in_batch(const peer_run* run, const peer_pair* given, size_t count,
                            uint32_t* hits) {
    frc_tri_pair pairs[PEER_BATCH];
    for (size_t i = 0; i < count; i++) pairs[i] = batch_pair(run, given[i]);
    return frc_tri_tri_batch(run->points, pairs, count, hits, NULL);
}

static void get_triangle(const peer_run* run, int mesh, uint32_t triangle, double out[3][3]) {
    const uint32_t* vertices = run->triangles[mesh] + (size_t)3 * triangle;
    for (int i = 0; i < 3; i++)
        memcpy(out[i], run->coordinates[mesh] + (size_t)3 * vertices[i], sizeof out[i]);
}

static size_t test_each(const peer_run* run, const peer_pair* given, size_t count, uint32_t* hits) {
    size_t hit_count = 0;
    for (size_t i = 0; i < count; i++) {
        double a[3][3], b[3][3];
        get_triangle(run, 0, given[i].a, a);
        get_triangle(run, 1, given[i].b, b);
        const double(*x)[3] = (const double(*)[3])a, (*y)[3] = (const double(*)[3])b;
        hits[hit_count] = (uint32_t)i;
        hit_count +=
            run->offset
                ? fracas_triangles_intersect(x, y)
                : fracas_mesh_triangles_intersect(x, run->triangles[0] + (size_t)3 * given[i].a, y,
                                                  run->triangles[0] + (size_t)3 * given[i].b);
    }
    return hit_count;
}

static void flush(peer_sink* sink) {
    peer_run* run = sink->user;
    uint32_t hits[PEER_BATCH];
    run->candidates += sink->count;
    size_t hit_count = sink->count;
    if (run->report == PEER_CANDIDATES)
        hit_count = (run->test == PEER_TEST_BATCH ? test_in_batch : test_each)(run, sink->pairs,
                                                                               sink->count, hits);
    for (size_t i = 0; i < hit_count; i++) {
        peer_pair p = sink->pairs[run->report == PEER_CANDIDATES ? hits[i] : i];
        pair_list_add(&run->found, p.a, p.b);
    }
    sink->count = 0;
}

peer_run* peer_run_create(const peer_task* task) {
    peer_run* run = bench_allocate(1, sizeof *run);
    const peer_mesh *first = &task->meshes[0], *last = &task->meshes[task->mesh_count - 1];
    run->offset = task->mesh_count > 1 ? first->point_count : 0;
    run->points = bench_allocate(run->offset + last->point_count, sizeof *run->points);
    for (uint32_t m = 0; m < task->mesh_count; m++) {
        for (uint32_t i = 0; i < task->meshes[m].point_count; i++) {
            const double* from = task->meshes[m].points + (size_t)3 * i;
            frc_point* to = &run->points[i + (m ? run->offset : 0)];
            to->x[0] = to->x[1] = from[0];
            to->y[0] = to->y[1] = from[1];
            to->z[0] = to->z[1] = from[2];
        }
    }
    run->coordinates[0] = first->points;
    run->coordinates[1] = last->points;
    run->triangles[0] = first->triangles;
    run->triangles[1] = last->triangles;
    run->sink.flush = flush;
    run->sink.user = run;
    return run;
}

void peer_run_destroy(peer_run* run) {
    if (!run) return;
    pair_list_free(&run->found);
    free(run->points);
    free(run);
}

peer_times peer_run_measure(peer_run* run, peer_test test, const peer_task* task, const peer* p,
                            void* const trees[2]) {
    run->report = p->report;
    run->test = test;
    run->candidates = run->found.count = run->sink.count = 0;
    for (uint32_t m = 0; m < task->mesh_count; m++) p->refit(trees[m], task->elsewhere[m]);
    double start = bench_clock_ms(task->cpu_clock);
    for (uint32_t m = 0; m < task->mesh_count; m++) p->refit(trees[m], task->meshes[m].points);
    double refitted = bench_clock_ms(task->cpu_clock);
    if (task->mesh_count > 1)
        p->query_pair(trees[0], trees[1], &run->sink);
    else
        p->query_self(trees[0], &run->sink);
    flush(&run->sink);
    peer_times times = {.refit = refitted - start,
                        .query = bench_clock_ms(task->cpu_clock) - refitted};
    return times;
}
