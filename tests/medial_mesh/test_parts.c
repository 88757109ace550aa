// Parts of the module against slow versions: the nearest primitive, winding numbers, the boundary
// of primitives, quadrics, measured errors of shapes with known ones.
#include "geom/vec3.h"
#include "medial_mesh/boundary.h"
#include "medial_mesh/build.h"
#include "medial_mesh_kit.h"
#include "share.h"

static uint64_t seed = 0x853c49e6748fea9bu;
static double real(void) { return kit_real(&seed); }

enum { SPHERES = 40, EDGES = 60, TRIANGLES = 30 };

static fracas_medial_sphere spheres[SPHERES];
static uint32_t edges[2 * EDGES], triangles[3 * TRIANGLES];

static fracas_medial_view random_view(void) {
    for (int i = 0; i < SPHERES; i++) {
        for (int k = 0; k < 3; k++) spheres[i].center[k] = real();
        spheres[i].radius = i % 7 == 0 ? 0 : 0.2 * real();
    }
    for (int e = 0; e < EDGES; e++) {
        edges[2 * e] = (uint32_t)(SPHERES * real());
        edges[2 * e + 1] = (edges[2 * e] + 1 + (uint32_t)((SPHERES - 1) * real())) % SPHERES;
    }
    for (int t = 0; t < TRIANGLES; t++) {
        const uint32_t a = (uint32_t)(SPHERES * real());
        triangles[3 * t] = a;
        triangles[3 * t + 1] = (a + 1 + (uint32_t)(10 * real())) % SPHERES;
        triangles[3 * t + 2] = (a + 12 + (uint32_t)(10 * real())) % SPHERES;
    }
    return (fracas_medial_view){.spheres = spheres,
                                .edges = edges,
                                .triangles = triangles,
                                .sphere_count = SPHERES,
                                .edge_count = EDGES,
                                .triangle_count = TRIANGLES};
}

static const double* sphere_at(uint32_t v) { return (const double*)(const void*)&spheres[v]; }

// Of all edges, triangles and spheres: those that the shape leaves out are parts of others.
static double brute_distance(const double p[3]) {
    double best = INFINITY;
    uint8_t used[SPHERES] = {0};
    for (int t = 0; t < TRIANGLES; t++) {
        const double* s[3];
        for (int k = 0; k < 3; k++)
            s[k] = sphere_at(triangles[3 * t + k]), used[triangles[3 * t + k]] = 1;
        best = fmin(best, frc_medial_point(s, 3, p).distance);
    }
    for (int e = 0; e < EDGES; e++) {
        const double* const s[3] = {sphere_at(edges[2 * e]), sphere_at(edges[2 * e + 1])};
        used[edges[2 * e]] = used[edges[2 * e + 1]] = 1;
        best = fmin(best, frc_medial_point(s, 2, p).distance);
    }
    for (uint32_t v = 0; v < SPHERES; v++) {
        const double* const s[3] = {sphere_at(v)};
        if (!used[v]) best = fmin(best, frc_medial_point(s, 1, p).distance);
    }
    return best;
}

static void nearest_primitives(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    const uint32_t rounds = share_of(30);
    for (uint32_t round = 0; round < rounds; round++) {
        const fracas_medial_view view = random_view();
        frc_medial_shape shape = {0};
        assert_true(frc_medial_shape_create(context, &view, &shape));
        uint32_t hint = FRACAS_NONE;
        for (int i = 0; i < 300; i++) {
            double p[3];
            for (int k = 0; k < 3; k++) p[k] = 2 * real() - 0.5;
            const double brute = brute_distance(p);
            uint32_t none = FRACAS_NONE;
            assert_true(fabs(frc_medial_shape_nearest(&shape, p, &none).distance - brute) < 1e-12);
            assert_true(fabs(frc_medial_shape_nearest(&shape, p, &hint).distance - brute) < 1e-12);
            // All that contain the point, up to four, the deepest first.
            frc_medial_nearest found[4];
            uint32_t prims[4];
            const int count = frc_medial_shape_around(&shape, p, 4, found, prims);
            assert_true((count > 0) == (brute < 0));
            for (int n = 0; n < count; n++) {
                assert_true(found[n].distance < 0);
                assert_true(n == 0 || found[n].distance >= found[n - 1].distance);
                for (int m = 0; m < n; m++) assert_true(prims[n] != prims[m]);
            }
            if (count > 0) assert_true(fabs(found[0].distance - brute) < 1e-12);
        }
        // Points of the boundary are on it: on the boundary of their own primitive, and not outside
        // of the shape.
        frc_boundary_points points = {0};
        uint32_t kinds[4] = {0};
        assert_true(frc_medial_boundary(context, &view, 0.2, 2, &points));
        for (size_t i = 0; i < points.count; i++) {
            const frc_boundary_point* point = &points.data[i];
            const double* s[3];
            double at[3], direction[3];
            if (!frc_medial_boundary_at(shape.spheres, point, at, direction)) continue;
            for (int k = 0; k < 3; k++) s[k] = sphere_at(point->vertex[k]);
            assert_true(fabs(frc_medial_point(s, point->count, at).distance) < 1e-9);
            assert_true(brute_distance(at) < 1e-9);
            if (point->count == 3) {  // on the side of the slab that it names
                double e[2][3], n[3];
                frc_vec3_subtract(s[1], s[0], e[0]);
                frc_vec3_subtract(s[2], s[0], e[1]);
                frc_vec3_cross(e[0], e[1], n);
                assert_true(point->turn[0] * frc_vec3_dot(n, direction) > 0);
            }
            kinds[point->count]++;
        }
        for (int k = 1; k <= 3; k++) assert_true(kinds[k] > 20);
        FRC_ARRAY_RELEASE(context, &points);
        frc_medial_shape_release(context, &shape);
    }
    fracas_context_destroy(context);
}

// A point inside the torus is nearer to its circle than its radius; planes of facets decide near
// the surface, so points there are left out.
static void winding_numbers(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    kit_surface s = kit_torus(60, 40, 1, 0.4);
    const fracas_mesh_view view = kit_view(&s);
    frc_medial_build b = {.context = context};
    assert_int_equal(frc_closed_surface_read(context, &view, &b.closed), FRACAS_OK);
    assert_true(frc_ray_grid_create(&b));
    uint32_t inside = 0;
    const uint32_t rounds = share_of(20000);
    for (uint32_t i = 0; i < rounds; i++) {
        // A lattice with the planes of vertices, and random points.
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = i % 2 ? 3 * real() - 1.5 : floor(30 * real() - 15) / 10;
        const double around = sqrt(p[0] * p[0] + p[1] * p[1]) - 1;
        const double distance = sqrt(around * around + p[2] * p[2]) - 0.4;
        if (fabs(distance) < 0.02) continue;
        assert_int_equal(frc_winding_number(&b, p), distance < 0);
        inside += distance < 0;
    }
    assert_true(inside > rounds / 50);
    // Every vertex is counted once, whichever side it is on.
    for (uint32_t v = 0; v < s.point_count; v++) {
        const int32_t winding = frc_winding_number(&b, s.points[v]);
        assert_true(winding == 0 || winding == 1);
    }
    frc_ray_grid_release(&b);
    frc_closed_surface_release(context, &b.closed);
    kit_free(&s);
    fracas_context_destroy(context);
}

static void quadrics(void** state) {
    (void)state;
    for (int round = 0; round < 100; round++) {
        frc_sphere_quadric q = {.c = 0}, other = {.c = 0};
        double sphere[4], sum = 0;
        for (int k = 0; k < 4; k++) sphere[k] = real();
        for (int i = 0; i < 6; i++) {
            frc_sample sample = {.kind = (frc_sample_kind)(i % 3)};
            double length = 0, along = 0, square = 0;
            for (int k = 0; k < 3; k++) {
                sample.at[k] = real(), sample.direction[k] = real() - 0.5;
                length += sample.direction[k] * sample.direction[k];
            }
            for (int k = 0; k < 3; k++) {
                sample.direction[k] /= sqrt(length);
                along += sample.direction[k] * (sample.at[k] - sphere[k]);
                square += (sample.at[k] - sphere[k]) * (sample.at[k] - sphere[k]);
            }
            const double r = sphere[3], weight = 1 + i;
            sum += weight * (i % 3 == 0   ? (along - r) * (along - r)
                             : i % 3 == 1 ? square - along * along + r * r
                                          : square + r * r);
            frc_quadric_add_sample(i < 3 ? &q : &other, &sample, weight);
        }
        frc_quadric_add(&q, &other);
        assert_true(fabs(frc_quadric_error(&q, sphere) - sum) < 1e-12);
        assert_true(q.weight == 21);
    }
}

// What frc_medial_measure needs of a surface; release_measured() frees it.
static void make_measured(fracas_context* context, const kit_surface* s, double diagonal,
                          frc_medial_build* b) {
    const fracas_mesh_view view = kit_view(s);
    bool ok = true;
    *b = (frc_medial_build){.context = context, .diagonal = diagonal};
    assert_int_equal(frc_closed_surface_read(context, &view, &b->closed), FRACAS_OK);
    b->surface.faces = frc_allocate_array(context, s->triangle_count, sizeof(frc_face), &ok);
    assert_true(ok && frc_ray_grid_create(b));
    b->surface.count = b->surface.capacity = s->triangle_count;
    memcpy(b->surface.faces, b->closed.triangles, s->triangle_count * sizeof(frc_face));
    assert_true(frc_surface_build(context, &b->surface, frc_medial_points(b)));
    frc_surface_refit(context, &b->surface, frc_medial_points(b));
}

static void release_measured(frc_medial_build* b) {
    frc_ray_grid_release(b);
    frc_surface_release(b->context, &b->surface);
    frc_closed_surface_release(b->context, &b->closed);
}

// A ball of radius 1 measured against other balls.
static void known_errors(void** state) {
    (void)state;
    fracas_context* context = kit_context(2, NULL);
    kit_surface s = kit_ball(80, 120, NULL);
    frc_medial_build b;
    make_measured(context, &s, sqrt(12), &b);
    for (int i = 0; i < 3; i++) {
        // Smaller, larger, and moved by 0.2.
        const fracas_medial_sphere sphere = {
            {0, 0, i == 2 ? 0.2 : 0},
            i == 0   ? 0.9
            : i == 1 ? 1.1
                     : 1
        };
        const fracas_medial_view one = {.spheres = &sphere, .sphere_count = 1};
        fracas_medial_mesh_info info = {0};
        assert_true(frc_medial_measure(&b, &one, &info));
        const double gap = i == 2 ? 0.2 : 0.1;
        assert_true(fabs(info.from_surface.max - gap) < 0.002);
        assert_true(fabs(info.to_surface.max - gap) < 0.002);
        assert_true(fabs(info.protrusion - (i == 0 ? 0 : gap)) < 0.002);
        assert_true(info.from_surface.mean <= info.from_surface.max);
        // The facets of the ball are inside it.
        assert_true(fabs(info.inflation - (i == 1 ? 0 : gap)) < 1e-3);
        if (i < 2) assert_true(fabs(info.from_surface.mean - gap) < 0.002);
        const double covered = i == 0 ? 0 : i == 1 ? 1 : 0.47;
        assert_true(fabs(info.surface_covered - covered) < 0.05);
        const double r = sphere.radius, volume = 4 * KIT_PI / 3 * r * r * r;
        assert_true(fabs(info.volume / volume - 1) < 0.02);
        if (i < 2) assert_true(fabs(info.volume_covered - fmin(1, r * r * r)) < 0.02);
    }
    release_measured(&b);
    kit_free(&s);
    fracas_context_destroy(context);
}

// Two balls in a box of twelve triangles. Corners of a triangle are near to different balls, so
// that its distance from one of them says little: it must be divided.
static void inflation_of_large_triangles(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    kit_surface s = kit_box(2, 1, 1);
    frc_medial_build b;
    make_measured(context, &s, sqrt(6), &b);
    const double middle[3] = {(b.closed.lo[0] + b.closed.hi[0]) / 2,
                              (b.closed.lo[1] + b.closed.hi[1]) / 2,
                              (b.closed.lo[2] + b.closed.hi[2]) / 2};
    const fracas_medial_sphere two[2] = {
        {{middle[0] - 0.5, middle[1], middle[2]}, 0.5},
        {{middle[0] + 0.5, middle[1], middle[2]}, 0.5}
    };
    const fracas_medial_view view = {.spheres = two, .sphere_count = 2};
    fracas_medial_mesh_info info = {0};
    assert_true(frc_medial_measure(&b, &view, &info));
    // The farthest points are corners of the two unit cubes.
    const double farthest = sqrt(0.75) - 0.5;
    assert_true(info.inflation >= farthest && info.inflation < farthest + 1e-3);
    release_measured(&b);
    kit_free(&s);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_primitives),
        cmocka_unit_test(winding_numbers),
        cmocka_unit_test(quadrics),
        cmocka_unit_test(known_errors),
        cmocka_unit_test(inflation_of_large_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
