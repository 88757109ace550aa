// Properties that need no oracle: the answer is invariant under renaming, mirroring, reversing and
// scaling; a batch equals its members; impacts are finite and in range; results are the same bits
// on every machine.
#include "cmocka_all.h"
#include "fracas/elementary.h"
#include "generate_ccd.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const frc_ccd_options OPTIONS = {.tolerance = 1e-6};

static bool touches(frc_ccd_kind kind, const frc_point points[4]) {
    frc_ccd_hit hit;
    return frc_ccd_one(kind, points, &OPTIONS, &hit);
}

/* ---- relations ---- */

static double* axis_of(frc_point* p, int k) { return k == 0 ? p->x : k == 1 ? p->y : p->z; }

static void swap_points(frc_point points[4], int i, int j) {
    const frc_point t = points[i];
    points[i] = points[j];
    points[j] = t;
}

static void rename_points(generator* g, frc_ccd_kind kind, frc_point points[4]) {
    if (kind == FRC_CCD_VF) {
        swap_points(points, 1 + (int)(generate_bits(g) % 3), 1 + (int)(generate_bits(g) % 3));
        swap_points(points, 1 + (int)(generate_bits(g) % 3), 1 + (int)(generate_bits(g) % 3));
        return;
    }
    if (generate_bits(g) % 2) swap_points(points, 0, 1);
    if (generate_bits(g) % 2) swap_points(points, 2, 3);
    if (generate_bits(g) % 2) swap_points(points, 0, 2), swap_points(points, 1, 3);
}

static void reverse_time(frc_point points[4]) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            double* const a = axis_of(&points[i], k);
            const double t = a[0];
            a[0] = a[1];
            a[1] = t;
        }
}

static void permute_axes(generator* g, frc_point points[4]) {
    const int j = (int)(generate_bits(g) % 3), k = (int)(generate_bits(g) % 3);
    const double sign = generate_bits(g) % 2 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        for (int t = 0; t < 2; t++) {
            double *const a = &axis_of(&points[i], j)[t], *const b = &axis_of(&points[i], k)[t];
            const double x = *a;
            *a = *b;
            *b = sign * x;
        }
}

static void scale_axis(generator* g, frc_point points[4]) {
    const int k = (int)(generate_bits(g) % 3), e = (int)(generate_bits(g) % 401) - 200;
    for (int i = 0; i < 4; i++)
        for (int t = 0; t < 2; t++) axis_of(&points[i], k)[t] = ldexp(axis_of(&points[i], k)[t], e);
}

static bool moderate(int mode) { return mode != 3 && (mode < 6 || mode > 10); }

static void answers_are_invariant(void** state) {
    (void)state;
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        generator g = {UINT64_C(5500) + (uint64_t)mode};
        for (int i = 0; i < (mode == 8 ? 40 : 3000); i++) {
            frc_point points[4], other[4];
            const frc_ccd_kind kind = generate_ccd(&g, mode, points);
            const bool answer = touches(kind, points);
            memcpy(other, points, sizeof other);
            rename_points(&g, kind, other);
            assert_int_equal(touches(kind, other), answer);
            reverse_time(other);
            assert_int_equal(touches(kind, other), answer);
            permute_axes(&g, other);
            assert_int_equal(touches(kind, other), answer);
            if (!moderate(mode)) continue;
            scale_axis(&g, other);
            assert_int_equal(touches(kind, other), answer);
        }
    }
}

// A contact after the start is a contact; a contact after the start does not need a contact at the
// start.
static void after_start_is_a_subset(void** state) {
    (void)state;
    frc_ccd_options after = OPTIONS;
    after.after_start = true;
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        generator g = {UINT64_C(6600) + (uint64_t)mode};
        for (int i = 0; i < (mode == 8 ? 40 : 2000); i++) {
            frc_point points[4];
            frc_ccd_hit hit, later;
            const frc_ccd_kind kind = generate_ccd(&g, mode, points);
            const bool all = frc_ccd_one(kind, points, &OPTIONS, &hit);
            const bool part = frc_ccd_one(kind, points, &after, &later);
            assert_false(part && !all);
            if (all && hit.toi > 0) assert_true(part);
            if (part) assert_true(later.toi >= hit.toi - OPTIONS.tolerance);
        }
    }
}

// Crack faces occur by the thousand: points that coincide at the start must not need exact
// arithmetic unless the case is degenerate otherwise.
static void siblings_are_decided_in_floating_point(void** state) {
    (void)state;
    generator g = {424};
    frc_ccd_counts n = {0};
    const frc_ccd_options after = {.tolerance = 1e-6, .after_start = true, .counts = &n};
    for (int i = 0; i < 4000; i++) {
        frc_point p[4], v[4];
        frc_ccd_hit hit;
        const frc_ccd_kind kind = generate_ccd(&g, 5, p);
        generate_ccd(&g, 5, v);
        for (int k = 0; k < 3; k++) {
            axis_of(&p[0], k)[0] = axis_of(&p[2], k)[0];
            if (kind == FRC_CCD_EE && i % 2) axis_of(&p[1], k)[0] = axis_of(&p[3], k)[0];
            for (int j = 0; j < 4; j++)
                axis_of(&p[j], k)[1] = axis_of(&p[j], k)[0] + 0.0625 * axis_of(&v[j], k)[0];
        }
        frc_ccd_one(kind, p, &after, &hit);
    }
    assert_true(n.hit > 0 && n.exact < 10);
}

/* ---- batches ---- */

enum { MANY = 3000 };

typedef struct workload {
    frc_point points[4 * MANY];
    frc_ccd_pair pairs[MANY];
    frc_ccd_hit hits[MANY];
} workload;

// Pairs over a shared pool of points, far more than a block, hits among misses.
static size_t fill(workload* w, generator* g, frc_ccd_kind kind) {
    size_t count = 0;
    while (count < MANY) {
        frc_point* const p = &w->points[4 * count];
        const int mode = (int)(generate_bits(g) % GENERATE_CCD_COUNT);
        if (mode == 8 || generate_ccd(g, mode, p) != kind) continue;
        const uint32_t first = (uint32_t)(4 * count);
        w->pairs[count++] = (frc_ccd_pair){
            {first, first + 1, first + 2, first + 3}
        };
    }
    return count;
}

static void batch_equals_its_members(void** state) {
    (void)state;
    workload* const w = malloc(sizeof *w);
    assert_non_null(w);
    for (int kind = 0; kind < 2; kind++) {
        generator g = {UINT64_C(9900) + (uint64_t)kind};
        const size_t count = fill(w, &g, (frc_ccd_kind)kind);
        frc_ccd_counts n = {0};
        frc_ccd_options options = OPTIONS;
        options.counts = &n;
        const size_t found =
            frc_ccd_batch((frc_ccd_kind)kind, w->points, w->pairs, count, &options, w->hits);
        assert_int_equal(n.axis + n.cubic + n.sweep + n.directions + n.no_root + n.outside +
                             n.separated + n.hit + n.exact,
                         count);
        assert_int_equal(n.hit + n.exact_hit, found);
        size_t at = 0;
        for (size_t i = 0; i < count; i++) {
            frc_ccd_hit hit;
            if (!frc_ccd_one((frc_ccd_kind)kind, &w->points[4 * i], &OPTIONS, &hit)) continue;
            assert_true(at < found && w->hits[at].pair == i);
            assert_memory_equal(&hit.toi, &w->hits[at].toi, 6 * sizeof(double));
            at++;
        }
        assert_int_equal(at, found);
    }
    free(w);
}

/* ---- impacts ---- */

static void check_impact(const frc_ccd_hit* h, frc_ccd_kind kind) {
    assert_true(h->toi >= 0 && h->toi <= 1);
    assert_true(h->u >= 0 && h->u <= 1 && h->v >= 0 && h->v <= 1);
    if (kind == FRC_CCD_VF) assert_true(h->u + h->v <= 1 + 1e-15);
    const double* const n = h->normal;
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    assert_true(length == 0 || fabs(length - 1) < 1e-14);
}

static void impacts_are_finite_and_in_range(void** state) {
    (void)state;
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        generator g = {UINT64_C(7700) + (uint64_t)mode};
        for (int i = 0; i < (mode == 8 ? 300 : 3000); i++) {
            frc_point points[4];
            frc_ccd_hit hit;
            const frc_ccd_kind kind = generate_ccd(&g, mode, points);
            if (frc_ccd_one(kind, points, &OPTIONS, &hit)) check_impact(&hit, kind);
        }
    }
}

// For features far from degenerate, the two points (u, v) coincide at the time of impact.
static void impact_points_meet(void** state) {
    (void)state;
    generator g = {8800};
    int hits = 0;
    for (int i = 0; i < 20000; i++) {
        frc_point p[4];
        frc_ccd_hit h;
        const frc_ccd_kind kind = generate_ccd(&g, 5, p);
        if (!frc_ccd_one(kind, p, &OPTIONS, &h)) continue;
        hits++;
        for (int k = 0; k < 3; k++) {
            double x[4];
            for (int j = 0; j < 4; j++) {
                const double* const a = axis_of(&p[j], k);
                x[j] = a[0] + h.toi * (a[1] - a[0]);
            }
            const double gap = kind == FRC_CCD_VF
                                   ? (1 - h.u - h.v) * x[1] + h.u * x[2] + h.v * x[3] - x[0]
                                   : x[2] + h.v * (x[3] - x[2]) - x[0] - h.u * (x[1] - x[0]);
            assert_true(fabs(gap) < 1e-5);
        }
    }
    assert_true(hits > 1000);
}

static void normals_point_to_the_start_side(void** state) {
    (void)state;
    fracas_impact i;
    const double face[3][3] = {
        {-1, -1, 0},
        {2,  -1, 0},
        {-1, 2,  0}
    };
    const double above[3] = {0, 0, 1}, below[3] = {0, 0, -3};
    assert_true(fracas_vertex_face_find_impact(above, face, below, face, 0, &i));
    assert_true(i.toi <= 0.25 && i.toi > 0.25 - 1e-6 && i.normal[2] == 1);
    assert_true(fabs(i.u - 1.0 / 3) < 1e-6 && fabs(i.v - 1.0 / 3) < 1e-6);
    assert_true(fracas_vertex_face_find_impact(below, face, above, face, 0, &i));
    assert_true(i.normal[2] == -1);
    // In the plane at the start and leaving: the direction of approach is undefined; the normal is
    // deterministic.
    const double on[3] = {0, 0, 0};
    assert_true(fracas_vertex_face_find_impact(on, face, above, face, 0, &i));
    assert_true(i.toi == 0 && fabs(i.normal[2]) == 1);
    const double ab0[2][3] = {
        {-1, 0, 1},
        {1,  0, 1}
    };
    const double ab1[2][3] = {
        {-1, 0, -1},
        {1,  0, -1}
    };
    const double cd[2][3] = {
        {0, -1, 0},
        {0, 3,  0}
    };
    assert_true(fracas_edge_edge_find_impact(ab0, cd, ab1, cd, 1e-9, &i));
    assert_true(i.toi <= 0.5 && i.toi > 0.5 - 1e-9 && i.normal[2] == 1);
    assert_true(fabs(i.u - 0.5) < 1e-8 && fabs(i.v - 0.25) < 1e-8);
    assert_true(fracas_edge_edge_find_impact(ab1, cd, ab0, cd, 0, NULL));
}

static void huge_tiny_and_not_finite_input(void** state) {
    (void)state;
    fracas_impact i;
    for (int e = -1073; e <= 1021; e += 349) {
        const double s = ldexp(1, e);
        const double face[3][3] = {
            {-s,    -s,    0},
            {2 * s, -s,    0},
            {-s,    2 * s, 0}
        };
        const double above[3] = {0, 0, s}, below[3] = {0, 0, -s};
        assert_true(fracas_vertex_face_find_impact(above, face, below, face, 0, &i));
        assert_true(i.toi <= 0.5 && i.toi > 0.5 - 1e-6 && i.normal[2] == 1);
        assert_true(fabs(i.u - 1.0 / 3) < 1e-5 && fabs(i.v - 1.0 / 3) < 1e-5);
    }
    const double face[3][3] = {
        {-1, -1, 0},
        {2,  -1, 0},
        {-1, 2,  0}
    };
    const double bad[3] = {0, NAN, 0}, worse[3] = {0, 0, INFINITY}, good[3] = {0, 0, 0};
    assert_false(fracas_vertex_face_find_impact(bad, face, good, face, 0, &i));
    assert_false(fracas_vertex_face_find_impact(good, face, worse, face, 0, &i));
    assert_true(fracas_vertex_face_find_impact(good, face, good, face, 0, &i));
}

/* ---- one result on every machine ---- */

static uint64_t mix(uint64_t hash, const void* data, size_t size) {
    const unsigned char* const bytes = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void results_have_the_same_bits_everywhere(void** state) {
    (void)state;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        generator g = {UINT64_C(1234) + (uint64_t)mode};
        for (int i = 0; i < (mode == 8 ? 20 : 1000); i++) {
            frc_point points[4];
            frc_ccd_hit hit;
            const frc_ccd_kind kind = generate_ccd(&g, mode, points);
            if (!frc_ccd_one(kind, points, &OPTIONS, &hit)) continue;
            double v[6] = {hit.toi, hit.u, hit.v, hit.normal[0], hit.normal[1], hit.normal[2]};
            for (int k = 0; k < 6; k++) v[k] += 0.0;  // one zero only
            hash = mix(hash, v, sizeof v);
            hash = mix(hash, &i, sizeof i);
        }
    }
    print_message("hash %016llx\n", (unsigned long long)hash);
    assert_int_equal(hash, UINT64_C(0x489967ce062ed713));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_invariant),
        cmocka_unit_test(after_start_is_a_subset),
        cmocka_unit_test(siblings_are_decided_in_floating_point),
        cmocka_unit_test(batch_equals_its_members),
        cmocka_unit_test(impacts_are_finite_and_in_range),
        cmocka_unit_test(impact_points_meet),
        cmocka_unit_test(normals_point_to_the_start_side),
        cmocka_unit_test(huge_tiny_and_not_finite_input),
        cmocka_unit_test(results_have_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
