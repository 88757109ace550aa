// Real meshes: two intersecting Armadillos and the octopus, by every method, compared with brute
// force.
#include "../data.h"
#include "tets_kit.h"

// ---- minimal readers of these files

static double number(FILE* file) {
    double x;
    assert_int_equal(fscanf(file, "%lf", &x), 1);
    return x;
}

static FILE* open_data(const char* folder, const char* name) {
    char path[4200];
    snprintf(path, sizeof path, "%s/tets/%s", folder, name);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

static void skip_to(FILE* file, const char* word) {
    char text[100];
    while (fscanf(file, "%99s", text) == 1)
        if (strcmp(text, word) == 0) return;
    fail_msg("there is no %s", word);
}

static kit_body read_vtk(const char* folder, const char* name) {
    FILE* file = open_data(folder, name);
    skip_to(file, "POINTS");
    const uint32_t points = (uint32_t)number(file);
    kit_body b = kit_make(points, 200000);
    skip_to(file, "double");
    for (uint32_t i = 0; i < points; i++)
        for (int k = 0; k < 3; k++) b.points[i][k] = number(file);
    skip_to(file, "CELLS");
    b.tet_count = (uint32_t)number(file);
    assert_true(b.tet_count <= 200000);
    number(file);
    for (uint32_t t = 0; t < b.tet_count; t++) {
        assert_true(number(file) == 4);
        for (int i = 0; i < 4; i++) b.tets[t][i] = (uint32_t)number(file);
    }
    fclose(file);
    return b;
}

static kit_body read_tetgen(const char* folder, const char* node, const char* ele) {
    FILE* file = open_data(folder, node);
    const uint32_t points = (uint32_t)number(file);
    kit_body b = kit_make(points, 200000);
    for (int i = 0; i < 3; i++) number(file);
    uint32_t base = 0;
    for (uint32_t i = 0; i < points; i++) {
        const uint32_t at = (uint32_t)number(file);
        if (i == 0) base = at;
        for (int k = 0; k < 3; k++) b.points[i][k] = number(file);
    }
    fclose(file);
    file = open_data(folder, ele);
    b.tet_count = (uint32_t)number(file);
    number(file), number(file);
    for (uint32_t t = 0; t < b.tet_count; t++) {
        number(file);
        for (int i = 0; i < 4; i++) b.tets[t][i] = (uint32_t)number(file) - base;
    }
    fclose(file);
    return b;
}

// ---- against brute force

static void require_all(const kit_body* bodies, uint32_t count, size_t least) {
    kit_options options = kit_default_options(KIT_METHOD_BRUTE_FORCE);
    fracas_tets_statistics s;
    kit_list truth = kit_find(bodies, count, &options, NULL, 2, &s);
    assert_true(truth.count >= least);
    for (int method = 0; method < KIT_METHOD_BRUTE_FORCE; method++)
        for (uint32_t workers = 1; workers <= 2; workers++) {
            options.method = (kit_method)method;
            kit_list list = kit_find(bodies, count, &options, NULL, workers, &s);
            kit_require_same(&truth, &list, "a real mesh");
            printf("method %d, %u threads: %zu penetrations, detect %.2f ms\n", method, workers,
                   list.count, s.ms_detect);
            free(list.data);
        }
    free(truth.data);
}

static const char* data_folder;

static void armadillos(void** state) {
    (void)state;
    kit_body bodies[2];
    for (int i = 0; i < 2; i++) bodies[i] = read_vtk(data_folder, "codim-ipc/Armadillo28K.vtk");
    assert_int_equal(bodies[0].tet_count, 121190);
    double lo = bodies[0].points[0][0], hi = lo;
    for (uint32_t v = 0; v < bodies[0].point_count; v++) {
        lo = bodies[0].points[v][0] < lo ? bodies[0].points[v][0] : lo;
        hi = bodies[0].points[v][0] > hi ? bodies[0].points[v][0] : hi;
    }
    for (uint32_t v = 0; v < bodies[1].point_count; v++)
        bodies[1].points[v][0] += 0.3 * (hi - lo), bodies[1].points[v][1] += 0.01 * (hi - lo);
    require_all(bodies, 2, 1000);
    for (int i = 0; i < 2; i++) kit_free(&bodies[i]);
}

// The octopus alone, then flattened until it penetrates itself.
static void octopus(void** state) {
    (void)state;
    kit_body b = read_tetgen(data_folder, "gaia/octopus_11K.1.node", "gaia/octopus_11K.1.ele");
    require_all(&b, 1, 0);
    for (uint32_t v = 0; v < b.point_count; v++) {
        b.points[v][2] = b.points[v][2] > 0 ? b.points[v][2] : -b.points[v][2];
        b.points[v][0] = b.points[v][0] > 0 ? b.points[v][0] : -b.points[v][0];
    }
    require_all(&b, 1, 100);
    kit_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(armadillos), cmocka_unit_test(octopus)};
    data_folder = fracas_test_data();
    if (!data_folder) return FRACAS_TEST_SKIP;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
