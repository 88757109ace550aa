// Delaunay tetrahedralizations of random, lattice and cospherical points, and of all kinds of
// degenerate sets. The oracle compares every tetrahedron with every point.
#include "cmocka_all.h"
#include "delaunay/delaunay.h"
#include "delaunay/insphere.h"
#include "fracas/fracas.h"
#include "scene/test_allocator.h"
#include "share.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MOST_POINTS = 12000 };
static int32_t points[MOST_POINTS][3];
static uint32_t count;

static uint64_t seed = 0x9e3779b97f4a7c15u;
static uint64_t random_bits(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1dull >> 20;
}

static void add(double x, double y, double z) {
    const double at[3] = {x, y, z};
    for (int k = 0; k < 3; k++) points[count][k] = (int32_t)lround(at[k] * FRC_DELAUNAY_MOST);
    count++;
}

static frc_delaunay create(void) {
    frc_delaunay d = {0};
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    assert_int_equal(frc_delaunay_create(context, points, count, &d), FRACAS_OK);
    fracas_context_destroy(context);
    return d;
}

// The allocator of a context without options is malloc.
static void destroy(frc_delaunay* d) {
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    frc_delaunay_release(context, d);
    fracas_context_destroy(context);
}

static int infinite_slot(const uint32_t corners[4]) {
    for (int k = 0; k < 4; k++)
        if (corners[k] == FRC_DELAUNAY_NONE) return k;
    return -1;
}

// Faces, volumes, and the hull: closed, and `every`-th of the tetrahedra is empty.
static void check(const frc_delaunay* d, uint32_t every) {
    frc_int128 volume = 0, hull = 0;
    uint8_t* used = calloc(count, 1);
    assert_non_null(used);
    for (uint32_t t = 0; t < d->count; t++) {
        const int slot = infinite_slot(d->corners[t]);
        assert_true((slot < 0) == (t < d->finite_count));
        const int32_t* at[4];
        for (int k = 0; k < 4; k++) {
            const uint32_t n = d->neighbours[t][k], corner = d->corners[t][k];
            assert_true(n < d->count && n != t);
            int back = 0, common = 0;
            while (back < 4 && d->neighbours[n][back] != t) back++;
            assert_true(back < 4);
            for (int i = 0; i < 4; i++)
                for (int m = 0; m < 4; m++)
                    common += i != k && m != back && d->corners[t][i] == d->corners[n][m];
            assert_int_equal(common, 3);
            at[k] = corner == FRC_DELAUNAY_NONE ? points[0] : points[corner];
            if (corner != FRC_DELAUNAY_NONE) used[corner] = 1;
        }
        const int64_t part = frc_grid_orient(at[0], at[1], at[2], at[3]);
        // With point 0 instead of infinity: minus the volume between the face and the point.
        if (slot >= 0)
            hull -= part;
        else
            assert_true(part > 0), volume += part;
        for (uint32_t p = 0; t % every == 0 && p < count; p++) {
            int64_t parts[4];
            if (slot < 0) {
                assert_true(frc_grid_insphere(at, points[p], parts) <= 0);
            } else {
                at[slot] = points[p];
                assert_true(frc_grid_orient(at[0], at[1], at[2], at[3]) <= 0);
            }
        }
    }
    assert_true(volume == hull);
    // A point that no tetrahedron has equals one that has.
    for (uint32_t p = 0; p < count && d->count > 0; p++)
        for (uint32_t q = 0; !used[p]; q++) {
            assert_true(q < count);
            if (used[q] && memcmp(points[p], points[q], sizeof points[p]) == 0) break;
        }
    free(used);
}

static void check_all(void) {
    frc_delaunay d = create();
    check(&d, 1);
    destroy(&d);
}

// ---- determinants

// Around a small tetrahedron, where a determinant of 1 matters, and the largest coordinates.
static void determinants(void** state) {
    (void)state;
    static const int32_t base[4][3] = {
        {3, 3, 3},
        {4, 3, 3},
        {3, 4, 3},
        {3, 3, 4}
    };
    const int32_t* const corner[4] = {base[0], base[1], base[2], base[3]};
    assert_true(frc_grid_orient(base[0], base[1], base[2], base[3]) == 1);
    for (int32_t i = 0; i < 512; i++) {
        // The sphere around (3.5, 3.5, 3.5) with the squared radius 3 / 4.
        const int32_t e[3] = {i % 8, i / 8 % 8, i / 64};
        int64_t part[4], twice = 0;
        for (int k = 0; k < 3; k++) twice += (2 * e[k] - 7) * (2 * e[k] - 7);
        assert_int_equal(frc_grid_insphere(corner, e, part), (twice < 3) - (twice > 3));
        assert_true(part[0] + part[1] + part[2] + part[3] == 1);
    }
    enum { M = FRC_DELAUNAY_MOST };
    static const int32_t large[5][3] = {
        {0, 0, 0},
        {M, M, 0},
        {0, M, M},
        {M, 0, M},
        {M, M, M}
    };
    const int32_t* const big[4] = {large[0], large[1], large[2], large[3]};
    int64_t part[4];
    // The corners of the cube are on one sphere, and points within the cube in it.
    assert_true(frc_grid_orient(big[0], big[1], big[2], big[3]) == 2 * (int64_t)M * M * M);
    assert_int_equal(frc_grid_insphere(big, large[4], part), 0);
    const int32_t near[3] = {M, M, M - 1};
    assert_int_equal(frc_grid_insphere(big, near, part), 1);
}

// ---- random points

static void random_points(void** state) {
    (void)state;
    const uint32_t rounds = share_of(300);
    for (uint32_t round = 0; round < rounds; round++) {
        // Few cells per side give many ties; the corners of the grid are used.
        const uint32_t sides[] = {1, 2, 3, 5, 16, 1000, FRC_DELAUNAY_MOST};
        const uint32_t side = sides[round % 7], n = 1 + (uint32_t)(random_bits() % 90);
        count = 0;
        for (uint32_t i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++)
                points[i][k] = (int32_t)((FRC_DELAUNAY_MOST / side) * (random_bits() % (side + 1)));
            count++;
        }
        check_all();
    }
}

// ---- lattices and spheres

static void lattice(uint32_t side) {
    count = 0;
    for (uint32_t x = 0; x < side; x++)
        for (uint32_t y = 0; y < side; y++)
            for (uint32_t z = 0; z < side; z++) add(x / 64.0, y / 64.0, z / 64.0);
}

static void ball(uint32_t rings, uint32_t n) {
    count = 0;
    for (uint32_t i = 0; i < rings; i++)
        for (uint32_t j = 0; j < n; j++) {
            const double v = PI * (i + 1) / (rings + 1), u = 2 * PI * j / n;
            add(0.5 + 0.5 * sin(v) * cos(u), 0.5 + 0.5 * sin(v) * sin(u), 0.5 + 0.5 * cos(v));
        }
}

static void torus(uint32_t nu, uint32_t nv) {
    count = 0;
    for (uint32_t i = 0; i < nu; i++)
        for (uint32_t j = 0; j < nv; j++) {
            const double u = 2 * PI * i / nu, v = 2 * PI * j / nv, r = 0.35 + 0.15 * cos(v);
            add(0.5 + r * cos(u), 0.5 + r * sin(u), 0.5 + 0.15 * sin(v));
        }
}

static void box_grid(uint32_t side) {
    count = 0;
    for (uint32_t x = 0; x <= side; x++)
        for (uint32_t y = 0; y <= side; y++)
            for (uint32_t z = 0; z <= side; z++)
                if (x % side == 0 || y % side == 0 || z % side == 0)
                    add(x / 64.0, y / 64.0, z / 64.0);
}

static void symmetric_points(void** state) {
    (void)state;
    for (uint32_t side = 2; side < 7; side++) lattice(side), check_all();
    ball(15, 24), check_all();
    torus(24, 12), check_all();
    for (uint32_t side = 1; side < 9; side++) box_grid(side), check_all();
    // Points exactly on a sphere: all permutations of (0, 3, 4), (5, 0, 0) with signs.
    count = 0;
    for (int x = -5; x <= 5; x++)
        for (int y = -5; y <= 5; y++)
            for (int z = -5; z <= 5; z++)
                if (x * x + y * y + z * z == 25) add((x + 5) / 16., (y + 5) / 16., (z + 5) / 16.);
    assert_int_equal(count, 30);
    check_all();
    // All permutations of the input are correct; the numbers of points break ties.
    for (int round = 0; round < 20; round++) {
        for (uint32_t i = count - 1; i > 0; i--) {
            const uint32_t k = (uint32_t)(random_bits() % (i + 1));
            int32_t other[3];
            memcpy(other, points[i], sizeof other);
            memcpy(points[i], points[k], sizeof other);
            memcpy(points[k], other, sizeof other);
        }
        check_all();
    }
}

// 10,000 points: few of the tetrahedra are compared.
static void many_symmetric_points(void** state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        if (i == 0) lattice(22);
        if (i == 1) ball(100, 100);
        if (i == 2) torus(200, 50);
        if (i == 3) box_grid(41);
        assert_true(count > 9000 && count <= MOST_POINTS);
        frc_delaunay d = create();
        check(&d, 997);
        print_message("%u points, %u tetrahedra\n", count, d.finite_count);
        destroy(&d);
    }
}

// Without memory or cancelled: the result is released without leaks.
static void failures(void** state) {
    (void)state;
    test_allocator memory = {0};
    fracas_context_options options = fracas_context_default_options();
    fracas_context* context = NULL;
    options.worker_count = 1;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    const size_t before = atomic_load(&memory.live);
    ball(30, 40);
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    size_t fail = 1;
    for (; status == FRACAS_ERROR_OUT_OF_MEMORY; fail++) {
        frc_delaunay d = {0};
        test_allocator_fail_at(&memory, fail);
        status = frc_delaunay_create(context, (const int32_t(*)[3])points, count, &d);
        if (status == FRACAS_OK) check(&d, 97);
        frc_delaunay_release(context, &d);
        assert_int_equal(atomic_load(&memory.live), before);
    }
    test_allocator_fail_at(&memory, 0);
    assert_true(status == FRACAS_OK && fail > 20);
    ball(40, 60);
    frc_delaunay d = {0};
    fracas_context_cancel(context);
    assert_int_equal(frc_delaunay_create(context, (const int32_t(*)[3])points, count, &d),
                     FRACAS_ERROR_CANCELLED);
    frc_delaunay_release(context, &d);
    fracas_context_resume(context);
    // Flat sets have no tetrahedra.
    count = 0;
    frc_delaunay none = {0};
    assert_int_equal(frc_delaunay_create(context, (const int32_t(*)[3])points, count, &none),
                     FRACAS_OK);
    for (int x = 0; x < 9; x++)
        for (int y = 0; y < 9; y++) add(x / 9., y / 9., 0.5);
    assert_int_equal(frc_delaunay_create(context, (const int32_t(*)[3])points, count, &none),
                     FRACAS_OK);
    assert_int_equal(none.count, 0);
    frc_delaunay_release(context, &none);
    fracas_context_destroy(context);
    assert_int_equal(atomic_load(&memory.live), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(determinants),     cmocka_unit_test(random_points),
        cmocka_unit_test(symmetric_points), cmocka_unit_test(many_symmetric_points),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
