// Triangulation of polygons: the area is that of the polygon, no triangle is inverted, and for any
// input there are count - 2 triangles.
#include "io/polygon.h"
#include "io_data.h"
#include <math.h>
#include <time.h>

enum { MAX_CORNERS = 5000 };
#define PI 3.14159265358979323846

static double points[MAX_CORNERS][3];
static uint32_t corners[MAX_CORNERS], triangles[MAX_CORNERS][3];

static void cut(uint32_t count) {
    frc_polygon_work work = {.budget = UINT64_MAX};
    for (uint32_t i = 0; i < count; i++) corners[i] = i;
    assert_true(
        frc_polygon_triangulate(io_context(), &work, points[0], corners, count, triangles[0]));
    frc_polygon_work_release(io_context(), &work);
}

static double area_of(uint32_t a, uint32_t b, uint32_t c) {
    return ((points[b][0] - points[a][0]) * (points[c][1] - points[a][1]) -
            (points[b][1] - points[a][1]) * (points[c][0] - points[a][0])) /
           2;
}

static double polygon_area(uint32_t count) {
    double area = 0;
    for (uint32_t i = 1; i + 1 < count; i++) area += area_of(0, i, i + 1);
    return area;
}

// Positive triangles whose areas sum to that of the polygon cover it once if it does not intersect
// itself.
static void expect_cover(uint32_t count) {
    cut(count);
    double sum = 0;
    for (uint32_t t = 0; t < count - 2; t++) {
        double area = area_of(triangles[t][0], triangles[t][1], triangles[t][2]);
        if (!(area > 0)) fail_msg("triangle %u of %u has the area %g", t, count, area);
        sum += area;
    }
    assert_true(fabs(sum - polygon_area(count)) <= 1e-9 * fabs(sum));
}

static void set(uint32_t index, double x, double y) {
    points[index][0] = x;
    points[index][1] = y;
    points[index][2] = 0;
}

static void quads_take_the_valid_diagonal(void** state) {
    (void)state;
    for (uint32_t start = 0; start < 4; start++) {
        const double dart[4][2] = {
            {0, 0},
            {4, 0},
            {1, 1},
            {0, 4}
        };
        for (uint32_t i = 0; i < 4; i++) set(i, dart[(i + start) % 4][0], dart[(i + start) % 4][1]);
        expect_cover(4);
        // Three collinear corners: one diagonal gives a degenerate triangle.
        const double flat[4][2] = {
            {0, 0},
            {1, 0},
            {2, 0},
            {1, 1}
        };
        for (uint32_t i = 0; i < 4; i++) set(i, flat[(i + start) % 4][0], flat[(i + start) % 4][1]);
        expect_cover(4);
    }
}

static void convex_polygons_are_fans(void** state) {
    (void)state;
    for (uint32_t i = 0; i < MAX_CORNERS; i++)
        set(i, cos(2 * PI * i / MAX_CORNERS), sin(2 * PI * i / MAX_CORNERS));
    expect_cover(MAX_CORNERS);
    for (uint32_t t = 0; t < MAX_CORNERS - 2; t++) assert_int_equal(triangles[t][0], 0);
}

// Random radii around the origin: concave, but without self-intersections.
static void random_stars(void** state) {
    (void)state;
    srand(1);
    for (int round = 0; round < 500; round++) {
        uint32_t count = 5 + (uint32_t)rand() % 200;
        for (uint32_t i = 0; i < count; i++) {
            double radius = 1 + rand() % 1000, angle = 2 * PI * i / count;
            set(i, radius * cos(angle), radius * sin(angle));
        }
        expect_cover(count);
    }
}

static void combs_and_spirals(void** state) {
    (void)state;
    uint32_t count = 0;
    for (int i = 0; i < 100; i++) {
        set(count++, 2 * i, 0);
        set(count++, 2 * i + 1, 0);
        set(count++, 2 * i + 1, -10);
        set(count++, 2 * i + 2, -10);
    }
    set(count++, 200, 1);
    set(count++, 0, 1);
    expect_cover(count);
    count = 0;
    for (int i = 0; i < 200; i++) set(count++, (5.0 + i) * cos(i * 0.1), (5.0 + i) * sin(i * 0.1));
    for (int i = 199; i >= 0; i--) set(count++, (3.0 + i) * cos(i * 0.1), (3.0 + i) * sin(i * 0.1));
    for (uint32_t i = 0; i < count / 2; i++) {  // runs to the left
        double swap[3];
        memcpy(swap, points[i], sizeof swap);
        memcpy(points[i], points[count - 1 - i], sizeof swap);
        memcpy(points[count - 1 - i], swap, sizeof swap);
    }
    if (polygon_area(count) < 0)
        for (uint32_t i = 0; i < count; i++) points[i][0] = -points[i][0];
    expect_cover(count);
}

// A square with a square hole, connected by a bridge that is traversed twice.
static void hole_with_bridge(void** state) {
    (void)state;
    const double ring[10][2] = {
        {0, 0},
        {9, 0},
        {9, 9},
        {0, 9},
        {0, 0},
        {3, 3},
        {3, 6},
        {6, 6},
        {6, 3},
        {3, 3}
    };
    for (uint32_t i = 0; i < 10; i++) set(i, ring[i][0], ring[i][1]);
    expect_cover(10);
}

// The same polygon in every plane and at every size is triangulated in the same way.
static void all_planes_and_sizes(void** state) {
    (void)state;
    const double shape[6][2] = {
        {0, 0},
        {4, 0},
        {4, 4},
        {2, 1},
        {1, 3},
        {0, 4}
    };
    const double sizes[] = {1, 1e-300, 0x1p-1070, 1e307, 1e-150, 1e150};
    static uint32_t expected[4][3];
    for (int axis = 0; axis < 3; axis++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            for (uint32_t i = 0; i < 6; i++) {
                points[i][axis] = 0;
                points[i][(axis + 1) % 3] = shape[i][0] * sizes[s];
                points[i][(axis + 2) % 3] = shape[i][1] * sizes[s];
            }
            cut(6);
            if (axis == 0 && s == 0) memcpy(expected, triangles, sizeof expected);
            assert_memory_equal(triangles, expected, sizeof expected);
        }
}

// Arbitrary input gives count - 2 triangles of its own corners, with every corner in one of them.
static void arbitrary_input(void** state) {
    (void)state;
    srand(2);
    for (int round = 0; round < 3000; round++) {
        uint32_t count = 3 + (uint32_t)rand() % 40;
        int range = 1 + rand() % 6;
        for (uint32_t i = 0; i < count; i++)
            for (int axis = 0; axis < 3; axis++) points[i][axis] = rand() % range;
        memset(triangles, 0xFF, sizeof triangles);
        cut(count);
        bool met[64] = {false};
        const uint32_t* corner = triangles[0];
        for (uint32_t i = 0; i < 3 * (count - 2); i++) {
            assert_true(corner[i] < count);
            met[corner[i]] = true;
        }
        for (uint32_t i = 0; i < count; i++) assert_true(met[i]);
        assert_int_equal(triangles[count - 2][0], UINT32_MAX);
    }
}

// A comb of thousands of corners, through the reader and its limited budget.
static void large_concave_polygon(void** state) {
    (void)state;
    enum { TEETH = 1000 };
    static char text[200 * TEETH];
    size_t length = 0;
    for (int i = 0; i < TEETH; i++)
        length += (size_t)sprintf(text + length, "v %d 0 0\nv %d 0 0\nv %d -9 0\nv %d -9 0\n",
                                  2 * i, 2 * i + 1, 2 * i + 1, 2 * i + 2);
    length += (size_t)sprintf(text + length, "v %d 1 0\nv 0 1 0\nf", 2 * TEETH);
    for (int i = 0; i < 4 * TEETH + 2; i++) length += (size_t)sprintf(text + length, " %d", i + 1);
    fracas_mesh_file* file = io_parse("a.obj", text, length);
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    memcpy(points, view.points.data, view.points.count * sizeof points[0]);
    double sum = 0;
    for (uint32_t t = 0; t < view.triangle_count; t++) {
        const uint32_t* i = view.triangles + 3 * (size_t)t;
        assert_true(area_of(i[0], i[1], i[2]) > 0);
        sum += area_of(i[0], i[1], i[2]);
    }
    assert_true(sum == 2 * TEETH + 9 * TEETH);
    io_counts(file, 4 * TEETH + 2, 1, 4 * TEETH, 0, 0);
}

// Many corners with self-intersections: the budget is exhausted.
static void many_intersecting_corners(void** state) {
    (void)state;
    enum { MANY = 300000 };
    char* text = malloc(MANY * 2 + 100);
    size_t length = (size_t)sprintf(text, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.25 0\nf");
    for (int i = 0; i < MANY; i++) {
        text[length++] = ' ';
        text[length++] = (char)('1' + i % 5);
    }
    clock_t begin = clock();
    fracas_mesh_file* file = io_parse("a.obj", text, length);
    assert_true(clock() - begin < 5 * CLOCKS_PER_SEC);
    io_counts(file, 5, 1, MANY - 2, 0, 0);
    free(text);
}

static void triangles_like_another_frame(void** state) {
    (void)state;
    fracas_mesh_file* first =
        io_read("a.obj", "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4\nf 1 2 3\n");
    fracas_mesh_file* second =
        io_read("b.obj", "v 1 1 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4\nf 1 2 3\n");
    fracas_mesh_file* other = io_read("c.obj", "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4\n");
    io_triangle(second, 0, 0, 1, 2);
    assert_int_equal(fracas_mesh_file_triangulate_like(first, second), FRACAS_OK);
    io_triangle(first, 0, 0, 1, 2);
    io_triangle(first, 1, 0, 2, 3);
    assert_int_equal(fracas_mesh_file_triangulate_like(first, other),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_mesh_file_triangulate_like(first, NULL), FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_mesh_file_triangulate_like(NULL, first), FRACAS_ERROR_INVALID_ARGUMENT);
    fracas_mesh_file_destroy(first);
    fracas_mesh_file_destroy(second);
    fracas_mesh_file_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quads_take_the_valid_diagonal),
        cmocka_unit_test(convex_polygons_are_fans),
        cmocka_unit_test(random_stars),
        cmocka_unit_test(combs_and_spirals),
        cmocka_unit_test(hole_with_bridge),
        cmocka_unit_test(all_planes_and_sizes),
        cmocka_unit_test(arbitrary_input),
        cmocka_unit_test(large_concave_polygon),
        cmocka_unit_test(many_intersecting_corners),
        cmocka_unit_test(triangles_like_another_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
