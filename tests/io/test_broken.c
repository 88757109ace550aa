// Real files, many of them malformed: all are read, or rejected with a message that contains the
// path.
#define _POSIX_C_SOURCE 200809L
#include "io_data.h"
#include <dirent.h>
#include <math.h>
#include <sys/stat.h>

typedef struct expectation {
    const char* path;  // end of the path
    fracas_status status;
    uint32_t points, faces, triangles, edges, free_points;
    const char* part;  // part of the message, or the format
} expectation;

static const expectation expectations[] = {
    {"OBJ/concave_polygon.obj",                    0, 64,    1,     64,    0,  0,  "obj"              },
    {"OBJ/box_longline.obj",                       0, 8,     6,     944,   0,  0,  "obj"              },
    {"OBJ/box_UTF16BE.obj",                        2, 0,     0,     0,     0,  0,  "UTF-16"           },
    {"OBJ/number_formats.obj",                     2, 0,     0,     0,     0,  0,  ":11: vertex 8"    },
    {"OBJ/testline.obj",                           0, 8,     0,     0,     18, 0,  "obj"              },
    {"OBJ/testmixed.obj",                          0, 8,     6,     12,    18, 0,  "obj"              },
    {"OBJ/testpoints.obj",                         0, 8,     0,     0,     0,  8,  "obj"              },
    {"OBJ/spider.obj",                             0, 762,   1368,  1368,  0,  0,  "obj"              },
    {"OFF/Cube.off",                               0, 8,     6,     12,    0,  0,  "off"              },
    {"OFF/invalid.off",                            2, 0,     0,     0,     0,  0,  "face 1 has '20'"  },
    {"PLY/Wuson.ply",                              0, 11184, 3732,  3732,  0,  0,  "ply"              },
    {"PLY/cube_binary_header_with_RN_newline.ply", 0, 8,     12,    12,    0,  0,  "ply"              },
    {"PLY/cube_binary_starts_with_nl.ply",         0, 8,     6,     12,    0,  0,  "ply"              },
    {"PLY/issue623.ply",                           2, 0,     0,     0,     0,  0,  "vertex 0"         },
    {"STL/Spider_ascii.stl",                       0, 722,   1368,  1368,  0,  0,  "stl"              },
    {"STL/Spider_binary.stl",                      0, 722,   1368,  1368,  0,  0,  "stl"              },
    {"STL/triangle_with_two_solids.stl",           0, 6,     2,     2,     0,  0,  "stl"              },
    {"invalid/OutOfMemory.off",                    2, 0,     0,     0,     0,  0,  ":2: the file says"},
    {"4580cd7082df.ply",                           2, 0,     0,     0,     0,  0,  ":7:"              },
    {"invalid/empty.obj",                          2, 0,     0,     0,     0,  0,  "empty"            },
    {"invalid/malformed.obj",                      2, 0,     0,     0,     0,  0,  ":28: face has"    },
    {"invalid/malformed2.obj",                     2, 0,     0,     0,     0,  0,  ":23: face has no" },
    {"trimesh/bunny.ply",                          0, 8171,  16301, 16301, 0,  25, "ply"              },
    {"trimesh/fuze_ascii.ply",                     0, 502,   1000,  1000,  0,  0,  "ply"              },
    {"trimesh/points_emptyascii.ply",              2, 0,     0,     0,     0,  0,  ":23: '-0.009618'" },
    {"trimesh/unit_cube.STL",                      0, 8,     12,    12,    0,  0,  "stl"              },
    {"trimesh/1002_tray_bottom.STL",               0, 2216,  4520,  4520,  0,  0,  "stl"              },
    {"trimesh/whitespace.off",                     0, 8,     6,     12,    0,  0,  "off"              },
    {"trimesh/comments.off",                       0, 8,     6,     12,    0,  0,  "off"              },
    {"trimesh/notenoughindices.obj",               0, 3,     2,     1,     1,  0,  "obj"              },
    {"trimesh/nancolor.obj",                       0, 8,     12,    12,    0,  0,  "obj"              },
    {"trimesh/negative_indices.obj",               0, 8,     6,     12,    0,  0,  "obj"              },
    {"emptyIO/obj_wireframe.obj",                  0, 8,     0,     0,     12, 0,  "obj"              },
    {"emptyIO/stl_empty_bin.stl",                  0, 0,     0,     0,     0,  0,  "stl"              },
};
enum { EXPECTATIONS = sizeof expectations / sizeof expectations[0] };

static unsigned met, files_read, files_refused;

static const expectation* find_expectation(const char* path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < EXPECTATIONS; i++) {
        size_t end = strlen(expectations[i].path);
        if (length > end && strcmp(path + length - end, expectations[i].path) == 0)
            return &expectations[i];
    }
    return NULL;
}

static void check_file(const char* path) {
    fracas_mesh_file* file = NULL;
    fracas_status status = fracas_mesh_file_read(io_context(), path, NULL, &file);
    const expectation* expected = find_expectation(path);
    met += expected != NULL;
    if (expected && status != expected->status)
        fail_msg("%s: %s: %s", path, fracas_status_get_name(status), io_message());
    if (status != FRACAS_OK) {
        files_refused++;
        assert_null(file);
        assert_true(status == FRACAS_ERROR_BAD_DATA || status == FRACAS_ERROR_UNSUPPORTED);
        if (!strstr(io_message(), path)) fail_msg("not named: %s: %s", path, io_message());
        if (expected && !strstr(io_message(), expected->part)) fail_msg("%s", io_message());
        return;
    }
    files_read++;
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    assert_int_equal(fracas_mesh_validate(io_context(), &view), FRACAS_OK);
    if (!expected) {
        fracas_mesh_file_destroy(file);
        return;
    }
    assert_string_equal(fracas_mesh_file_get_format(file), expected->part);
    io_counts(file, expected->points, expected->faces, expected->triangles, expected->edges,
              expected->free_points);
}

static bool is_mesh(const char* name) {
    static const char* const ends[] = {".obj", ".ply", ".stl", ".off", ".OBJ", ".STL"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (length > 4 && strcmp(name + length - 4, ends[i]) == 0) return true;
    return false;
}

// NOLINTNEXTLINE(misc-no-recursion): folders are three deep
static void check_folder(const char* folder) {
    DIR* stream = opendir(folder);
    assert_non_null(stream);
    for (struct dirent* entry; (entry = readdir(stream));) {
        char path[4096];
        struct stat about;
        if (entry->d_name[0] == '.') continue;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        assert_true(length > 0 && (size_t)length < sizeof path);
        if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
            check_folder(path);
        else if (is_mesh(path))
            check_file(path);
    }
    closedir(stream);
}

static void every_broken_file(void** state) {
    (void)state;
    check_folder(io_path("broken"));
    print_message("%u files read, %u refused\n", files_read, files_refused);
    assert_int_equal(met, EXPECTATIONS);
}

static void large_files(void** state) {
    (void)state;
    static const expectation large[] = {
        {"surfaces/discregrid/bunny.obj",               0, 34817, 69630,  69630,  0, 0, "obj"},
        {"ccd/cloth-ball/frames/cloth_ball92.ply",      0, 46598, 92230,  92230,  0, 0, "ply"},
        {"ccd/n-body-simulation/frames/balls16_18.ply", 0, 73960, 146480, 146480, 0, 0, "ply"},
        {"ccd/cloth-funnel/frames/227.ply",             0, 9450,  18484,  18484,  0, 0, "ply"}
    };
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        fracas_mesh_file* file = NULL;
        assert_int_equal(fracas_mesh_file_read(io_context(), io_path(large[i].path), NULL, &file),
                         FRACAS_OK);
        io_counts(file, large[i].points, large[i].faces, large[i].triangles, 0, 0);
    }
}

// The scene has a known number of parts: 305 closed balls and floors.
static void number_of_parts(void** state) {
    (void)state;
    const char* path = io_path("ccd/n-body-simulation/frames/balls16_18.ply");
    fracas_mesh_file* file = NULL;
    assert_int_equal(fracas_mesh_file_read(io_context(), path, NULL, &file), FRACAS_OK);
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    fracas_mesh_info info;
    assert_int_equal(fracas_mesh_describe(io_context(), &view, &info), FRACAS_OK);
    assert_int_equal(info.components, 305);
    assert_true(info.manifold);
    fracas_mesh_file_destroy(file);
}

// A flat polygon is covered once: the sum of the areas of the triangles is the area of the polygon.
static void concave_polygon(void** state) {
    (void)state;
    fracas_mesh_file* file = NULL;
    assert_int_equal(fracas_mesh_file_read(io_context(),
                                           io_path("broken/assimp/OBJ/concave_polygon.obj"), NULL,
                                           &file),
                     FRACAS_OK);
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    const double* points = view.points.data;
    double sum[3] = {0, 0, 0}, sizes = 0;
    for (uint32_t t = 0; t < view.triangle_count; t++) {
        const double* at[3];
        for (int i = 0; i < 3; i++)
            at[i] = points + 3 * (size_t)view.triangles[3 * t + (uint32_t)i];
        double area[3], square = 0;
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            area[i] = (at[1][j] - at[0][j]) * (at[2][k] - at[0][k]) -
                      (at[1][k] - at[0][k]) * (at[2][j] - at[0][j]);
            square += area[i] * area[i];
            sum[i] += area[i];
        }
        sizes += sqrt(square);
    }
    double whole = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    assert_true(whole > 0.1 && fabs(sizes - whole) < 1e-9 * whole);
    fracas_mesh_file_destroy(file);
}

int main(void) {
    if (!io_data()) {
        print_message("skipped: there is no data; set FRACAS_DATA\n");
        return IO_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broken_file),
        cmocka_unit_test(large_files),
        cmocka_unit_test(number_of_parts),
        cmocka_unit_test(concave_polygon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
