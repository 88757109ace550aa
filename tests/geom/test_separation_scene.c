// Minimum separation and nearby pairs of whole scenes: the search over trees reports bit-identical
// contacts to a loop over all pairs of features.
#include "cmocka_all.h"
#include "detect/detect.h"
#include "fracas/scene.h"
#include "scene/scene.h"
#include <float.h>
#include <string.h>

enum { BODIES = 3, TRIANGLES = 24, POINTS = 3 * TRIANGLES };

static uint64_t state;
static double noise(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

// On a grid many distances are equal to the distance of the query.
static double place(bool grid, double x) { return grid ? (double)(int)(4 * x) : x; }

static void add_body(fracas_scene* scene, bool grid) {
    double start[POINTS][3], end[POINTS][3];
    uint32_t corner[POINTS];
    for (int i = 0; i < TRIANGLES; i++) {
        const double at[3] = {noise(), noise(), noise()};
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                const double x = at[k] + 0.3 * noise();
                start[3 * i + j][k] = place(grid, x);
                end[3 * i + j][k] = place(grid, x + 0.3 * noise());
            }
    }
    for (uint32_t i = 0; i < POINTS; i++) corner[i] = i;
    const fracas_mesh_view mesh = {
        .points = {start, POINTS, 0, FRACAS_SCALAR_DOUBLE},
        .triangles = corner,
        .triangle_count = TRIANGLES
    };
    const fracas_points moved = {end, POINTS, 0, FRACAS_SCALAR_DOUBLE};
    fracas_body body;
    assert_int_equal(fracas_scene_add(scene, &mesh, NULL, &body), FRACAS_OK);
    assert_int_equal(fracas_scene_move(scene, body, &moved), FRACAS_OK);
}

static fracas_scene* make_scene(fracas_context* context, bool grid) {
    fracas_scene* scene;
    fracas_scene_options options = fracas_scene_default_options();
    options.modes = FRACAS_MODE_CONTINUOUS;
    assert_int_equal(fracas_scene_create(context, &options, &scene), FRACAS_OK);
    for (int i = 0; i < BODIES; i++) add_body(scene, grid);
    assert_int_equal(fracas_scene_update(scene), FRACAS_OK);
    return scene;
}

static size_t compare(fracas_context* context, const fracas_scene* scene, double distance,
                      frc_search_kind search) {
    fracas_query query = fracas_scene_default_query();
    query.min_separation = distance;
    query.siblings = FRACAS_SIBLINGS_REPORT;
    fracas_contacts* found;
    assert_int_equal(fracas_contacts_create(context, &found), FRACAS_OK);
    const fracas_sink sink = fracas_contacts_get_sink(found);
    if (search == FRC_SEARCH_NEARBY)
        assert_int_equal(fracas_scene_nearby(scene, distance, &sink), FRACAS_OK);
    else
        assert_int_equal(fracas_scene_detect(scene, &query, &sink), FRACAS_OK);
    const frc_world world = frc_scene_world(scene);
    frc_contact_list all = {0};
    fracas_statistics statistics = {0};
    assert_int_equal(frc_search_brute(&world, search, &query, &all, &statistics), FRACAS_OK);
    size_t count;
    const fracas_contact* const list = fracas_contacts_get_data(found, &count);
    assert_int_equal(count, all.count);
    if (count) assert_memory_equal(list, all.data, count * sizeof *list);
    FRC_ARRAY_RELEASE(context, &all);
    fracas_contacts_destroy(found);
    return count;
}

static void trees_find_all_pairs(void** unused) {
    (void)unused;
    static const double distances[] = {0, 0x1p-1074, 1e-6, 0.05, 0.3, 1, 1 - 0x1p-22, 2, 1e9};
    fracas_context* context;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    for (int grid = 0; grid < 2; grid++) {
        state = 7;
        fracas_scene* const scene = make_scene(context, grid);
        size_t before[2] = {0, 0};
        for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
            const size_t step = compare(context, scene, distances[i], FRC_SEARCH_CONTINUOUS);
            const size_t end = compare(context, scene, distances[i], FRC_SEARCH_NEARBY);
            print_message("%s, d = %g: %zu in the step, %zu at its end\n", grid ? "grid" : "random",
                          distances[i], step, end);
            assert_true(end <= step);
            if (i > 0 && distances[i] > distances[i - 1])
                assert_true(step >= before[0] && end >= before[1]);
            before[0] = step, before[1] = end;
        }
        fracas_scene_destroy(scene);
    }
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_find_all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
