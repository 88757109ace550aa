// Real surfaces: bunny, dragon, dinosaur, and the surfaces of volumes of others.
#include "../data.h"
#include "tet_mesh_kit.h"

static void fill(fracas_context* context, const char* folder, const char* name, uint32_t cells,
                 double volume_error) {
    char path[4200];
    fracas_mesh_file_options reading = fracas_mesh_file_default_options();
    fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
    fracas_mesh_file* file = NULL;
    fracas_tet_mesh* mesh = NULL;
    fracas_tet_mesh_info info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    reading.surface = true;
    options.cells = cells;
    fracas_status status = fracas_mesh_file_read(context, path, &reading, &file);
    if (status == FRACAS_OK) {
        const fracas_mesh_view view = fracas_mesh_file_get_view(file);
        status = fracas_tet_mesh_create(context, &view, &options, &mesh);
    }
    if (status != FRACAS_OK) {
        char message[1024];
        fracas_context_get_message(context, message, sizeof message);
        fail_msg("%s: %s", name, message);
    }
    assert_int_equal(fracas_tet_mesh_get_info(mesh, &info), FRACAS_OK);
    kit_print(strrchr(name, '/') + 1, cells, &info);
    kit_check(context, mesh, false);
    assert_true(info.dihedral_min >= 10.78 && info.dihedral_max <= 164.74);
    assert_true(fabs(info.volume / info.surface_volume - 1) <= volume_error);
    assert_true(info.to_surface.max <= 2 * info.cell_size);
    assert_true(info.from_surface.mean <= 0.2 * info.cell_size);
    fracas_tet_mesh_destroy(mesh);
    fracas_mesh_file_destroy(file);
}

static void real_surfaces(void** state) {
    (void)state;
    const char* folder = fracas_test_data();
    if (!folder) exit(FRACAS_TEST_SKIP);
    fracas_context* context = kit_context(2, NULL);
    fill(context, folder, "surfaces/discregrid/box.obj", 16, 1e-12);
    fill(context, folder, "surfaces/discregrid/bunny.obj", 64, 0.01);
    fill(context, folder, "surfaces/discregrid/dragon.obj", 96, 0.01);
    fill(context, folder, "medial/medial-ipc/dinosaur/dinosaur_h.obj", 64, 0.02);
    fill(context, folder, "tets/codim-ipc/Armadillo28K.vtk", 64, 0.02);
    fill(context, folder, "tets/ipc/hollowCat7.5K.msh", 64, 0.1);
    fill(context, folder, "tets/gaia/octopus_11K.1.ele", 64, 0.05);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_surfaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
