// Welding compared with a loop over all pairs.
#include "mesh/weld.h"
#include "mesh_context.h"
#include <stdlib.h>

enum { MAX_POINTS = 300 };

static void same_as_all_pairs(void** state) {
    (void)state;
    static const double values[] = {0, -0.0, 1, 5e-324, -5e-324, 1e308, 1.0000000000000002};
    double points[MAX_POINTS][3];
    uint32_t names[MAX_POINTS], expected[MAX_POINTS], distinct = 0;
    srand(3);
    for (int round = 0; round < 500; round++) {
        uint32_t count = (uint32_t)rand() % MAX_POINTS, next = 0;
        int range = 1 + rand() % 7;
        for (uint32_t i = 0; i < count; i++) {
            for (int axis = 0; axis < 3; axis++) points[i][axis] = values[rand() % range];
            uint32_t first = 0;
            while (first < i &&
                   !(points[first][0] == points[i][0] && points[first][1] == points[i][1] &&
                     points[first][2] == points[i][2]))
                first++;
            expected[i] = first < i ? expected[first] : next++;
        }
        assert_int_equal(frc_weld(mesh_context(), points[0], count, names, &distinct), FRACAS_OK);
        assert_int_equal(distinct, next);
        assert_memory_equal(names, expected, count * sizeof(uint32_t));
    }
}

// Points on a line of a grid, as from scanners: their bits differ little, but their hash values
// must not cluster.
static void regular_points_stay_fast(void** state) {
    (void)state;
    enum { COUNT = 1 << 20 };
    double* points = calloc(COUNT, 3 * sizeof(double));
    uint32_t *names = malloc(COUNT * sizeof(uint32_t)), distinct = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        points[3 * (size_t)i] = i % 1024;
        points[3 * (size_t)i + 1] = (i / 1024) * 0.5;
    }
    assert_int_equal(frc_weld(mesh_context(), points, COUNT, names, &distinct), FRACAS_OK);
    assert_int_equal(distinct, COUNT);
    free(points);
    free(names);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_all_pairs),
        cmocka_unit_test(regular_points_stay_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
