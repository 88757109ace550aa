// The distance of a point from spheres, cones and slabs, against dense sampling, and the sphere
// that it is said to be nearest to.
#include "cmocka_all.h"
#include "geom/medial_point.h"
#include "share.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t seed = 88172645463325252u;
static double random_real(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) * 0x1p-53;
}

static double distance_at(const double* const s[3], const double weight[3], const double p[3]) {
    double d[3] = {p[0], p[1], p[2]}, r = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) d[k] -= weight[i] * s[i][k];
        r += weight[i] * s[i][3];
    }
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - r;
}

// The smallest over a grid of weights: above the minimum by less than the step times the length.
static double sampled(const double* const s[3], int count, const double p[3]) {
    enum { STEPS = 60 };
    double best = INFINITY;
    for (int i = 0; i <= (count > 1 ? STEPS : 0); i++)
        for (int k = 0; k <= (count > 2 ? STEPS - i : 0); k++) {
            const double b = (double)i / STEPS, c = (double)k / STEPS;
            const double weight[3] = {1 - b - c, b, c};
            best = fmin(best, distance_at(s, weight, p));
        }
    return best;
}

static void check(const double spheres[3][4], int count, const double p[3], double slack) {
    const double* const s[3] = {spheres[0], spheres[1], spheres[2]};
    const frc_medial_nearest found = frc_medial_point(s, count, p);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        assert_true(found.weight[i] >= 0 && found.weight[i] <= 1 + 1e-12);
        assert_true(i < count || found.weight[i] == 0);
        sum += found.weight[i];
    }
    assert_true(fabs(sum - 1) < 1e-12);
    assert_true(fabs(distance_at(s, found.weight, p) - found.distance) < 1e-12);
    const double other = sampled(s, count, p);
    if (found.distance > other + 1e-9)
        fail_msg("%.17g is not the minimum: %.17g", found.distance, other);
    if (found.distance < other - slack)
        fail_msg("%.17g is too small: %.17g", found.distance, other);
}

static void random_primitives(void** state) {
    (void)state;
    const uint32_t rounds = share_of(3000);
    for (uint32_t round = 0; round < rounds; round++) {
        double s[3][4], p[3];
        // Some spheres are in a line, equal, within each other, or points.
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++)
                s[i][k] = round % 5 == 1 ? floor(3 * random_real()) : random_real();
        if (round % 5 == 2)
            for (int k = 0; k < 4; k++) s[2][k] = 0.5 * (s[0][k] + s[1][k]);
        if (round % 5 == 3) memcpy(s[1], s[0], sizeof s[1]);
        if (round % 5 == 4) s[1][3] = s[2][3] = 0;
        for (int k = 0; k < 3; k++) p[k] = 3 * random_real() - 1;
        for (int count = 1; count <= 3; count++) check((const double(*)[4])s, count, p, 0.15);
    }
}

// A sphere of radius 1 at the origin and one of radius 0 at (2, 0, 0) touch a plane whose normal
// makes an angle with the axis of 60 degrees.
static void known_cone(void** state) {
    (void)state;
    const double s[3][4] = {
        {0, 0, 0, 1},
        {2, 0, 0, 0},
        {0, 2, 0, 0}
    };
    const double* const at[3] = {s[0], s[1], s[2]};
    // On the normal through the middle of the cone's side.
    const double p[3] = {1 + 2 * 0.5, 2 * sqrt(0.75), 0};
    const frc_medial_nearest found = frc_medial_point(at, 2, p);
    assert_true(fabs(found.distance - 1.5) < 1e-14);
    assert_true(fabs(found.weight[1] - 0.5) < 1e-14);
    assert_true(fabs(found.direction[0] - 0.5) < 1e-14);
    // The slab has a tangent plane with the normal (1, 1, sqrt 2) / 2.
    const double q[3] = {2. / 3 + 1, 2. / 3 + 1, sqrt(2)};
    const frc_medial_nearest slab = frc_medial_point(at, 3, q);
    assert_true(fabs(slab.distance - (2 - 1. / 3)) < 1e-14);
    for (int k = 0; k < 3; k++) assert_true(fabs(slab.weight[k] - 1. / 3) < 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_primitives),
        cmocka_unit_test(known_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
