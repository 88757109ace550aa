// Real surfaces, with the numbers of spheres, cones and slabs of published medial meshes.
#include "../data.h"
#include "medial_mesh_kit.h"

typedef struct wanted {
    const char* name;
    uint32_t spheres, edges, triangles;
    double error;  // percent of the diagonal, from the surface to the shape
} wanted;

static void describe(fracas_context* context, const char* folder, const wanted* w, bool only) {
    char path[4200];
    fracas_mesh_file* file = NULL;
    fracas_medial_mesh_options options = fracas_medial_mesh_default_options();
    options.spheres = w->spheres;
    options.spheres_only = only;
    snprintf(path, sizeof path, "%s/%s", folder, w->name);
    assert_int_equal(fracas_mesh_file_read(context, path, NULL, &file), FRACAS_OK);
    const fracas_mesh_view view = fracas_mesh_file_get_view(file);
    fracas_medial_mesh* mesh = NULL;
    assert_int_equal(fracas_medial_mesh_create(context, &view, &options, &mesh), FRACAS_OK);
    const fracas_medial_mesh_info info = kit_medial_info(mesh);
    kit_print_medial(strrchr(w->name, '/') + 1, &info);
    kit_check_medial(mesh);
    assert_true(info.spheres <= w->spheres);
    assert_true(info.edges <= w->edges && info.triangles <= w->triangles);
    if (info.from_surface.max > w->error / 100 * info.diagonal)
        fail_msg("%s: %.3f %% instead of %.3f %%", w->name,
                 100 * info.from_surface.max / info.diagonal, w->error);
    assert_true(info.to_surface.max < 0.1 * info.diagonal);
    assert_true(info.volume_covered > 0.85);
    fracas_medial_mesh_destroy(mesh);
    fracas_mesh_file_destroy(file);
}

static void real_surfaces(void** state) {
    (void)state;
    const char* folder = fracas_test_data();
    if (!folder) exit(FRACAS_TEST_SKIP);
    // The errors of bunny and dinosaur are those of the published meshes.
    static const wanted meshes[] = {
        {"surfaces/discregrid/bunny.obj",             77,  201, 125, 1.10},
        {"medial/medial-ipc/dinosaur/dinosaur_h.obj", 150, 318, 170, 0.78},
        {"surfaces/discregrid/dragon.obj",            150, 400, 250, 2   },
        {"surfaces/discregrid/box.obj",               9,   20,  12,  0.01},
    };
    static const wanted sets[] = {
        {"surfaces/discregrid/bunny.obj",             64, 0, 0, 2.5},
        {"medial/medial-ipc/dinosaur/dinosaur_h.obj", 64, 0, 0, 2.5},
    };
    fracas_context* context = kit_context(2, NULL);
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++)
        describe(context, folder, &meshes[i], false);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        describe(context, folder, &sets[i], true);
    fracas_context_destroy(context);
}

// A medial mesh of others: 24 cones and 103 slabs.
static void published_mesh(void** state) {
    (void)state;
    const char* folder = fracas_test_data();
    char path[4200];
    fracas_medial_mesh* mesh = NULL;
    fracas_context* context = kit_context(1, NULL);
    snprintf(path, sizeof path, "%s/medial/medial-ipc/dinosaur/dinosaur_h.mat", folder);
    assert_int_equal(fracas_medial_mesh_read(context, path, &mesh), FRACAS_OK);
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    kit_check_medial(mesh);
    assert_int_equal(view.sphere_count, 100);
    assert_int_equal(view.triangle_count, 103);
    assert_true(view.edge_count > 103);
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_surfaces),
                                       cmocka_unit_test(published_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
