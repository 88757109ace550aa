// Splits that detach a part: of one large body, or of one of many small bodies.
#include "edits/edits.h"
#include "timing.h"
#include <stdio.h>
#include <string.h>

enum { SPLITS = 7 };

// Labels a square patch of about k triangles of a sheet; `index` selects its position.
static uint32_t label_patch(uint32_t side, uint32_t k, uint32_t index, uint32_t* labels) {
    uint32_t edge = 1, count = 0;
    while (2 * (edge + 1) * (edge + 1) <= k) edge++;
    uint32_t across = side / (edge + 1), place = index % (across * across);
    uint32_t x0 = place % across * (edge + 1), y0 = place / across * (edge + 1);
    memset(labels, 0, 2 * (size_t)side * side * sizeof *labels);
    for (uint32_t y = y0; y < y0 + edge; y++)
        for (uint32_t x = x0; x < x0 + edge; x++)
            for (uint32_t t = 0; t < 2; t++, count++) labels[2 * ((size_t)y * side + x) + t] = 1;
    return count;
}

typedef struct split_times {
    double split, update;  // medians
    double worst;          // of split and update together
    uint32_t listed, bodies;
} split_times;

// One body of N triangles, or a scene of N triangles in which each body loses half of its own.
typedef enum within { WITHIN_BODY, WITHIN_SCENE } within;

static const char* const within_names[] = {"body", "scene"};

// Adds copies of the mesh on a grid until they have `triangles`. Returns their number.
static uint32_t add_bodies(edits_fixture* s, const bench_mesh* mesh, uint32_t triangles,
                           fracas_body* bodies) {
    uint32_t count = triangles / mesh->triangle_count, across = 1;
    while (across * across < count) across++;
    for (uint32_t b = 0; b < count; b++) {
        bench_mesh copy = *mesh;
        copy.points = bench_points_copy(mesh);
        const double place[3] = {1.5 * (b % across), 1.5 * (b / across), 0};
        bench_place(copy.points, copy.point_count, 1, place);
        edits_add(s, &copy);
        bodies[b] = s->body;
        free(copy.points);
    }
    return count;
}

static void time_split(edits_fixture* s, fracas_body body, const uint32_t* labels, uint32_t count,
                       double* split_ms, double* update_ms) {
    fracas_split_plan* plan;
    fracas_body part;
    edits_need(fracas_split_plan_create(s->scene, body, labels, count, &plan), s);
    double start = bench_clock_ms(true);
    edits_need(fracas_scene_split(s->scene, body, fracas_split_plan_get_split(plan), &part), s);
    *split_ms = bench_clock_ms(true) - start;
    *update_ms = edits_update(s);
    fracas_split_plan_destroy(plan);
    edits_need(fracas_scene_advance(s->scene), s);
    edits_update(s);
}

static split_times time_splits(uint32_t triangles, uint32_t k, within where) {
    edits_fixture s;
    // At most half of the body is detached.
    uint32_t runs = triangles / (2 * k) < SPLITS ? triangles / (2 * k) : SPLITS, side = 1;
    bench_mesh mesh = edits_sheet(where == WITHIN_BODY ? triangles : 2 * k);
    fracas_body* bodies = bench_allocate(triangles / mesh.triangle_count + 1, sizeof *bodies);
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_NONE;
    edits_open(&s, &how);
    uint32_t body_count = add_bodies(&s, &mesh, triangles, bodies);
    edits_update(&s);
    while (2 * side * side < mesh.triangle_count) side++;
    uint32_t* labels = bench_allocate(mesh.triangle_count, sizeof *labels);
    double split_ms[SPLITS], update_ms[SPLITS];
    split_times t = {.bodies = body_count};
    for (uint32_t i = 0; i < runs; i++) {
        t.listed = label_patch(side, k, where == WITHIN_BODY ? i : 0, labels);
        time_split(&s, bodies[where == WITHIN_BODY ? 0 : i], labels, mesh.triangle_count,
                   &split_ms[i], &update_ms[i]);
        if (split_ms[i] + update_ms[i] > t.worst) t.worst = split_ms[i] + update_ms[i];
    }
    t.split = bench_median(split_ms, runs);
    t.update = bench_median(update_ms, runs);
    free(labels);
    free(bodies);
    bench_mesh_free(&mesh);
    edits_close(&s);
    return t;
}

static void print_split(const edits_options* o, within where, uint32_t n, const split_times* t,
                        const char* separator) {
    if (o->json)
        printf("%s{\"within\":\"%s\",\"listed\":%u,\"triangles\":%u,\"bodies\":%u,"
               "\"split_ms\":%.4f,\"update_ms\":%.4f,\"worst_ms\":%.4f}",
               separator, within_names[where], t->listed, n, t->bodies, t->split, t->update,
               t->worst);
    else
        printf("  %-6s %8u %9u %8u %9.3f %9.3f %9.3f %12.3f\n", within_names[where], t->listed, n,
               t->bodies, t->split, t->update, t->worst, 1e3 * (t->split + t->update) / t->listed);
}

void edits_splits(const edits_options* o) {
    const char* separator = "";
    if (o->json)
        printf("\"splits\":[");
    else
        printf("splits: a part of k triangles is detached from one body of N, or from one body of\n"
               "2 k in a scene of N, ms (median of up to %d)\n"
               "  %-6s %8s %9s %8s %9s %9s %9s %12s\n",
               SPLITS, "within", "k", "N", "bodies", "split", "update", "worst", "us/triangle");
    for (int where = WITHIN_BODY; where <= WITHIN_SCENE; where++)
        for (uint32_t k = 100; k <= (o->full ? 100000 : 10000); k *= 10)
            for (uint32_t n = 10000; n <= (o->full ? 1000000 : 300000); n *= o->full ? 10 : 5) {
                if (4 * k > n) continue;
                split_times t = time_splits(n, k, (within)where);
                print_split(o, (within)where, n, &t, separator);
                separator = ",\n";
            }
    printf(o->json ? "]" : "\n");
}
