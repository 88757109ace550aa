// The nearest point on a set of triangles: that of a loop over all, the first of equal ones.
#include "bvh/surface.h"
#include "common_kit.h"
#include "context_kit.h"
#include <stdlib.h>

enum { POINTS = 300, FACES = 500 };

typedef struct soup {
    double points[POINTS][3];
    frc_face faces[FACES];
    frc_surface surface;
} soup;

static frc_surface_points points_of(const soup* s) {
    return (frc_surface_points){(const char*)s->points, sizeof *s->points};
}

// On a coarse grid many faces are equally near.
static void place_points(soup* s, bool grid, uint64_t* random) {
    for (uint32_t i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++)
            s->points[i][k] = grid ? (double)(kit_random(random) % 7) : kit_uniform(random, 0, 7);
}

static void check_point(const soup* s, const double p[3], uint32_t* ties) {
    double least = INFINITY, direction[3];
    uint32_t first = FRACAS_NONE;
    for (uint32_t f = 0; f < s->surface.count; f++) {
        const uint32_t* corner = s->faces[f].corner;
        const double* const at[3] = {s->points[corner[0]], s->points[corner[1]],
                                     s->points[corner[2]]};
        const double distance = frc_triangle_distance(p, at, direction);
        *ties += distance == least;
        if (distance < least) least = distance, first = f;
    }
    const frc_nearest found = frc_surface_nearest(&s->surface, points_of(s), p, FRACAS_NONE);
    assert_true(found.distance == least);
    assert_int_equal(found.face, first);
}

static void nearest_is_the_first_of_the_nearest(void** state) {
    (void)state;
    static soup s;
    uint64_t random = 7;
    uint32_t ties = 0;
    fracas_context* context = kit_context(2, NULL);
    for (int round = 0; round < 6; round++) {
        place_points(&s, round % 2, &random);
        for (uint32_t f = 0; f < FACES; f++)
            for (uint32_t k = 0; k < 3; k++)
                s.faces[f].corner[k] = (uint32_t)(kit_random(&random) % 8 + f % (POINTS - 8));
        s.surface = (frc_surface){.faces = s.faces, .count = FACES};
        assert_true(frc_surface_build(context, &s.surface, points_of(&s)));
        // The tree of other positions, refitted.
        if (round >= 4) place_points(&s, round % 2, &random);
        frc_surface_refit(context, &s.surface, points_of(&s));
        for (uint32_t i = 0; i < 300; i++) {
            double p[3];
            for (int k = 0; k < 3; k++)
                p[k] = i % 2 ? (double)(kit_random(&random) % 9) : kit_uniform(&random, -2, 9);
            check_point(&s, p, &ties);
        }
        frc_box_tree_release(context, &s.surface.tree);
    }
    assert_true(ties > 1000);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_is_the_first_of_the_nearest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
