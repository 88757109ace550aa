// fracas bench distance: points of the box of a real surface, and points near it, against the
// surface: million points per second of containment, closest points and signed distances, and
// microseconds of the distance and of the penetration depth of two copies.
#include "arguments.h"
#include "fracas/fracas.h"
#include "timing.h"
#include <math.h>
#include <string.h>

enum { PAIRS = 64 };

typedef struct run {
    fracas_context* context;
    fracas_scene* scene;
    fracas_body body;
    double (*points)[3];
    uint32_t count;
    uint8_t* sides;
    fracas_closest_point* closest;
} run;

// One thread: its CPU time, on machines that are shared.
static double now(const run* r) {
    return bench_clock_ms(fracas_context_get_worker_count(r->context) == 1);
}

static uint64_t state = 1;
static double uniform(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static void need(const run* r, fracas_status status) {
    char message[1024];
    if (status == FRACAS_OK) return;
    fracas_context_get_message(r->context, message, sizeof message);
    fprintf(stderr, "fracas bench distance: %s\n", message);
    exit(1);
}

static void* allocate(size_t size) {
    void* memory = malloc(size);
    if (memory) return memory;
    fprintf(stderr, "fracas bench distance: out of memory\n");
    exit(4);
}

static void corner_of(const fracas_mesh_view* mesh, uint32_t i, double out[3]) {
    const char* data = mesh->points.data;
    const size_t stride = mesh->points.stride ? mesh->points.stride : 3 * sizeof(double);
    memcpy(out, data + mesh->triangles[i] * stride, 3 * sizeof *out);
}

// Anywhere in the box of the surface, or within a hundredth of its size from a vertex.
static void make_points(run* r, const fracas_mesh_view* mesh, bool near) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, p[3];
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++) {
        corner_of(mesh, i, p);
        for (int k = 0; k < 3; k++) lo[k] = fmin(lo[k], p[k]), hi[k] = fmax(hi[k], p[k]);
    }
    for (uint32_t i = 0; i < r->count; i++) {
        corner_of(mesh, (uint32_t)(uniform() * 3 * mesh->triangle_count), p);
        for (int k = 0; k < 3; k++)
            r->points[i][k] = near ? p[k] + 0.02 * (hi[0] - lo[0]) * (uniform() - 0.5)
                                   : lo[k] + (hi[k] - lo[k]) * uniform();
    }
}

typedef enum query { CONTAINMENT, CLOSEST, SIGNED } query;

// Million points per second: the best of some rounds.
static double measure_points(run* r, query q) {
    const fracas_points points = {.data = r->points, .count = r->count};
    double best = INFINITY;
    for (int round = 0; round < 5; round++) {
        const double start = now(r);
        if (q == CONTAINMENT)
            need(r, fracas_scene_find_containment(r->scene, r->body, &points, r->sides));
        else if (q == CLOSEST)
            need(r, fracas_scene_find_closest_points(r->scene, r->body, &points, r->closest));
        else
            need(r, fracas_scene_find_signed_distances(r->scene, r->body, &points, r->closest));
        best = fmin(best, now(r) - start);
    }
    return r->count / best * 1e-3;
}

// Copies at random places around the surface, apart and overlapping. Microseconds per pair.
static void measure_pairs(run* r, const fracas_mesh_view* mesh) {
    fracas_body_options options = fracas_body_default_options();
    fracas_body_pair pairs[PAIRS];
    static fracas_body_distance distances[PAIRS];
    static fracas_body_depth depths[PAIRS];
    double p[3], q[3], size = 0, best[2] = {INFINITY, INFINITY};
    corner_of(mesh, 0, p);
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++) {
        corner_of(mesh, i, q);
        for (int k = 0; k < 3; k++) size = fmax(size, fabs(p[k] - q[k]));
    }
    options.motion = FRACAS_MOTION_RIGID;
    for (int i = 0; i < PAIRS; i++) {
        for (int k = 0; k < 3; k++) options.pose.translation[k] = 2 * size * (uniform() - 0.5);
        need(r, fracas_scene_add(r->scene, mesh, &options, &pairs[i].b));
        pairs[i].a = r->body;
    }
    need(r, fracas_scene_update(r->scene));
    for (int round = 0; round < 3; round++) {
        double start = now(r);
        need(r, fracas_scene_find_distances(r->scene, pairs, PAIRS, distances));
        best[0] = fmin(best[0], now(r) - start);
        start = now(r);
        need(r, fracas_scene_find_depths(r->scene, pairs, PAIRS, depths));
        best[1] = fmin(best[1], now(r) - start);
    }
    int apart = 0, deep = 0;
    for (int i = 0; i < PAIRS; i++) apart += distances[i].distance > 0, deep += depths[i].depth > 0;
    printf("  %d pairs, %d apart: distance %.0f us per pair; %d hulls overlap: depth %.0f us\n",
           PAIRS, apart, best[0] * 1e3 / PAIRS, deep, best[1] * 1e3 / PAIRS);
}

static void measure_file(run* r, const char* path) {
    fracas_mesh_file* file;
    need(r, fracas_mesh_file_read(r->context, path, NULL, &file));
    const fracas_mesh_view mesh = fracas_mesh_file_get_view(file);
    need(r, fracas_scene_create(r->context, NULL, &r->scene));
    need(r, fracas_scene_add(r->scene, &mesh, NULL, &r->body));
    need(r, fracas_scene_update(r->scene));
    printf("%s: %u triangles, %u points, %u workers\n", path, mesh.triangle_count, r->count,
           fracas_context_get_worker_count(r->context));
    for (int near = 0; near < 2; near++) {
        make_points(r, &mesh, near);
        printf("  %-15s million points/s: containment %.2f, closest %.2f, signed %.2f\n",
               near ? "near it:" : "in its box:", measure_points(r, CONTAINMENT),
               measure_points(r, CLOSEST), measure_points(r, SIGNED));
    }
    measure_pairs(r, &mesh);
    fracas_scene_destroy(r->scene);
    fracas_mesh_file_destroy(file);
}

int main(int argc, char** argv) {
    uint64_t points = 100000, workers = 1;
    const char* files[64] = {NULL};
    int file_count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            printf("usage: fracas bench distance [--points N] [--threads N] [SURFACE]...\n"
                   "Points against closed surfaces (bunny and dragon of $FRACAS_DATA): million\n"
                   "points per second of containment, closest points and signed distances, of\n"
                   "100000 points on one thread; microseconds of the distance and the\n"
                   "penetration depth of a pair of copies.\n");
            return 0;
        }
        const bool is_points = strcmp(argv[i], "--points") == 0;
        if (is_points || strcmp(argv[i], "--threads") == 0) {
            if (i + 1 == argc || !bench_parse_number(argv[i + 1], 1, is_points ? 1 << 28 : 256,
                                                     is_points ? &points : &workers))
                return bench_refuse("distance", argv[i]);
            i++;
        } else if (argv[i][0] == '-' || file_count == 64) {
            return bench_refuse("distance", argv[i]);
        } else {
            files[file_count++] = argv[i];
        }
    }
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = (uint32_t)workers;
    run r = {.count = (uint32_t)points};
    if (fracas_context_create(&options, &r.context) != FRACAS_OK) return 4;
    r.points = allocate(points * sizeof *r.points);
    r.sides = allocate(points * sizeof *r.sides);
    r.closest = allocate(points * sizeof *r.closest);
    char paths[2][4200];
    static const char* const names[2] = {"bunny", "dragon"};
    for (int i = 0; file_count == 0 && i < 2; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/surfaces/discregrid/%s.obj", bench_data_folder(),
                 names[i]);
        measure_file(&r, paths[i]);
    }
    for (int i = 0; i < file_count; i++) measure_file(&r, files[i]);
    free(r.closest);
    free(r.sides);
    free(r.points);
    fracas_context_destroy(r.context);
    return 0;
}
