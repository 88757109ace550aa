// Signs of real surfaces: a million points for each, on faces, edges and vertices and next to them,
// against exact winding numbers along another axis. Then some distances against all triangles.
#include "../data.h"
#include "context_kit.h"
#include "fracas/fracas.h"
#include "geom/triangle_distance.h"
#include "mesh/view.h"
#include "share.h"
#include "side_oracle.h"
#include <stdio.h>

enum { POINTS = 1000000, BATCH = 50000 };
static double given[BATCH][3];
static uint8_t sides[BATCH];
static fracas_closest_point found[BATCH];

static double uniform(uint64_t* r) {
    *r = *r * 6364136223846793005u + 1442695040888963407u;
    return (double)(*r >> 11) * 0x1p-53;
}

typedef struct surface {
    double (*points)[3];
    uint32_t point_count;
    uint32_t (*triangles)[3];
    uint32_t triangle_count;
    double lo[3], hi[3];
} surface;

// A vertex, the middle of an edge, a point of a face, the same to the last place or next to it, or
// anywhere in the box. Coordinates have few digits: means are exact most of the time.
static void make_point(const surface* s, uint64_t* r, double out[3]) {
    const uint32_t* t = s->triangles[(uint32_t)(uniform(r) * s->triangle_count)];
    const int kind = (int)(uniform(r) * 6);
    const double near = pow(2, -40 * uniform(r)) * (s->hi[0] - s->lo[0]);
    for (int k = 0; k < 3; k++) {
        const double a = s->points[t[0]][k], b = s->points[t[1]][k], c = s->points[t[2]][k];
        const double size = s->hi[k] - s->lo[k], middle = a / 2 + (b + c) / 4;
        const double all[6] = {a,
                               (a + b) / 2,
                               middle,
                               nextafter(middle, uniform(r) < 0.5 ? INFINITY : -INFINITY),
                               middle + near * (uniform(r) - 0.5),
                               s->lo[k] + size * (1.2 * uniform(r) - 0.1)};
        out[k] = all[kind];
    }
}

static uint64_t check_batch(const fracas_scene* scene, fracas_body body, const side_oracle* o,
                            uint32_t count, uint64_t counts[3]) {
    const fracas_points points = {.data = given, .count = count};
    uint64_t wrong = 0;
    assert_int_equal(fracas_scene_find_containment(scene, body, &points, sides), FRACAS_OK);
    assert_int_equal(fracas_scene_find_signed_distances(scene, body, &points, found), FRACAS_OK);
    for (uint32_t i = 0; i < count; i++) {
        const fracas_side side = oracle_side(o, given[i]);
        const double d = found[i].distance;
        const fracas_side sign = d > 0   ? FRACAS_SIDE_OUTSIDE
                                 : d < 0 ? FRACAS_SIDE_INSIDE
                                         : FRACAS_SIDE_SURFACE;
        wrong += sides[i] != side || found[i].side != side || sign != side;
        counts[side]++;
    }
    return wrong;
}

// Without trees: the same triangle and the same bits.
static void check_distance(const surface* s, uint32_t i) {
    double best = INFINITY;
    uint32_t face = FRACAS_NONE;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const double* corners[3];
        frc_triangle_closest one;
        for (int c = 0; c < 3; c++) corners[c] = s->points[s->triangles[t][c]];
        frc_point_triangle_closest(given[i], corners, &one);
        if (one.distance < best) best = one.distance, face = t;
    }
    assert_int_equal(found[i].triangle, face);
    if (found[i].distance != 0) assert_true(fabs(found[i].distance) == best);
}

// `triangles` is a copy, released by the caller, as are the points.
static surface make_surface(const fracas_mesh_view* view) {
    surface s = {.point_count = view->points.count, .triangle_count = view->triangle_count};
    s.triangles = malloc(s.triangle_count * sizeof *s.triangles);
    memcpy(s.triangles, view->triangles, s.triangle_count * sizeof *s.triangles);
    s.points = malloc(s.point_count * sizeof *s.points);
    for (uint32_t i = 0; i < s.point_count; i++) {
        frc_view_point(&view->points, i, s.points[i]);
        for (int k = 0; k < 3; k++) {
            if (i == 0 || s.points[i][k] < s.lo[k]) s.lo[k] = s.points[i][k];
            if (i == 0 || s.points[i][k] > s.hi[k]) s.hi[k] = s.points[i][k];
        }
    }
    return s;
}

static void check_model(const char* folder, const char* name) {
    char path[4200];
    fracas_context* context = kit_context(2, NULL);
    fracas_mesh_file* file;
    fracas_scene* scene;
    fracas_body body;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    KIT_OK(context, fracas_mesh_file_read(context, path, NULL, &file));
    const fracas_mesh_view view = fracas_mesh_file_get_view(file);
    surface s = make_surface(&view);
    KIT_OK(context, fracas_scene_create(context, NULL, &scene));
    KIT_OK(context, fracas_scene_add(scene, &view, NULL, &body));
    KIT_OK(context, fracas_scene_update(scene));
    side_oracle o = oracle_create((const double(*)[3])s.points, s.point_count,
                                  (const uint32_t(*)[3])s.triangles, s.triangle_count);
    uint64_t r = 31, counts[3] = {0, 0, 0}, wrong = 0;
    for (uint32_t done = 0, all = share_of(POINTS); done < all; done += BATCH) {
        const uint32_t count = all - done < BATCH ? all - done : BATCH;
        for (uint32_t i = 0; i < count; i++) make_point(&s, &r, given[i]);
        wrong += check_batch(scene, body, &o, count, counts);
        for (uint32_t i = 0; i < count; i += 5000) check_distance(&s, i);
    }
    printf("%-40s %8llu outside %8llu on the surface %8llu inside %llu wrong\n", name,
           (unsigned long long)counts[0], (unsigned long long)counts[1],
           (unsigned long long)counts[2], (unsigned long long)wrong);
    assert_int_equal(wrong, 0);
    assert_true(counts[0] > 0 && counts[1] > 0 && counts[2] > 0);
    oracle_destroy(&o);
    free(s.triangles);
    free(s.points);
    fracas_scene_destroy(scene);
    fracas_mesh_file_destroy(file);
    fracas_context_destroy(context);
}

static void real_surfaces(void** state) {
    (void)state;
    const char* folder = fracas_test_data();
    if (!folder) exit(FRACAS_TEST_SKIP);
    check_model(folder, "surfaces/discregrid/box.obj");
    check_model(folder, "surfaces/discregrid/bunny.obj");
    check_model(folder, "surfaces/discregrid/dragon.obj");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_surfaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
