// Validation: layouts of points; messages name the first invalid element.
#include "mesh/view.h"
#include "mesh_context.h"
#include <math.h>

static fracas_mesh_view triangle_of(const double* points) {
    static const uint32_t corners[] = {0, 1, 2};
    return (fracas_mesh_view){
        .points = {.data = points, .count = 3},
          .triangles = corners, .triangle_count = 1
    };
}

static void expect(const fracas_mesh_view* mesh, fracas_status status, const char* part) {
    assert_int_equal(fracas_mesh_validate(mesh_context(), mesh), status);
    if (status != FRACAS_OK) mesh_expect_message(part);
}

static void good_meshes(void** state) {
    (void)state;
    const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1e308, -0.0};
    fracas_mesh_view mesh = triangle_of(points);
    expect(&mesh, FRACAS_OK, "");
    fracas_mesh_view nothing = {0};
    expect(&nothing, FRACAS_OK, "");
}

static void infinite_coordinates(void** state) {
    (void)state;
    double points[9] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};
    fracas_mesh_view mesh = triangle_of(points);
    expect(&mesh, FRACAS_ERROR_BAD_DATA, "vertex 2 has y = nan");
    points[3] = -INFINITY;
    expect(&mesh, FRACAS_ERROR_BAD_DATA, "vertex 1 has x = -inf");
}

static void indices_out_of_range(void** state) {
    (void)state;
    const double points[9] = {0};
    const uint32_t bad[] = {0, 1, 2, 0, 3, 1};
    fracas_mesh_view mesh = triangle_of(points);
    mesh.triangles = bad;
    mesh.triangle_count = 2;
    expect(&mesh, FRACAS_ERROR_BAD_DATA,
           "triangle 1 refers to vertex 3 but there are 3 vertices; indices count from 0");
    mesh.triangle_count = 1;
    mesh.edges = bad;
    mesh.edge_count = 3;
    expect(&mesh, FRACAS_ERROR_BAD_DATA, "edge 2 refers to vertex 3");
    mesh.edge_count = 2;
    mesh.vertices = bad;
    mesh.vertex_count = 5;
    expect(&mesh, FRACAS_ERROR_BAD_DATA, "free point 4 refers to vertex 3");
    mesh.vertex_count = 4;
    expect(&mesh, FRACAS_OK, "");
}

static void misuse(void** state) {
    (void)state;
    const double points[9] = {0};
    fracas_mesh_view mesh = triangle_of(points);
    assert_int_equal(fracas_mesh_validate(NULL, &mesh), FRACAS_ERROR_INVALID_ARGUMENT);
    expect(NULL, FRACAS_ERROR_INVALID_ARGUMENT, "NULL");
    mesh.points.stride = 23;
    expect(&mesh, FRACAS_ERROR_INVALID_ARGUMENT, "23 bytes apart");
    mesh.points.scalar = FRACAS_SCALAR_FLOAT;
    expect(&mesh, FRACAS_OK, "");
    mesh.points.stride = 11;
    expect(&mesh, FRACAS_ERROR_INVALID_ARGUMENT, "11 bytes apart");
    mesh.points.scalar = (fracas_scalar)7;
    expect(&mesh, FRACAS_ERROR_INVALID_ARGUMENT, "scalar 7");
    mesh = triangle_of(NULL);
    expect(&mesh, FRACAS_ERROR_INVALID_ARGUMENT, "3 points, but");
    mesh = triangle_of(points);
    mesh.triangles = NULL;
    expect(&mesh, FRACAS_ERROR_INVALID_ARGUMENT, "1 triangles, but");
}

static void strided_and_unaligned_points(void** state) {
    (void)state;
    unsigned char bytes[100];
    const float narrow[3] = {0.1f, -2, 3e38f};
    const double wide[3] = {0.1, -2, 3e300};
    memcpy(bytes + 1 + 17, narrow, sizeof narrow);
    memcpy(bytes + 1 + 33, wide, sizeof wide);
    fracas_points points = {
        .data = bytes + 1, .count = 2, .stride = 17, .scalar = FRACAS_SCALAR_FLOAT};
    double found[3];
    frc_view_point(&points, 1, found);
    for (int axis = 0; axis < 3; axis++) assert_true(found[axis] == (double)narrow[axis]);
    points.scalar = FRACAS_SCALAR_DOUBLE;
    points.stride = 33;
    frc_view_point(&points, 1, found);
    assert_memory_equal(found, wide, sizeof wide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_meshes),
        cmocka_unit_test(infinite_coordinates),
        cmocka_unit_test(indices_out_of_range),
        cmocka_unit_test(misuse),
        cmocka_unit_test(strided_and_unaligned_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
