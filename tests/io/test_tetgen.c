// TetGen: two files, given by either name, counting from 0 or 1, and invalid files.
#include "io/mesh_file.h"
#include "io_volume.h"

static void write_file(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// Without faces: the points and the tetrahedra of the volume.
static void write_volume(io_bytes* nodes, io_bytes* tets, int first, bool extra) {
    const io_volume* volume = io_volume_full();
    io_put(nodes, "# points\n\n%d 3%s\n", IO_POINTS, extra ? " 1 1 # attributes" : "");
    for (int i = 0; i < IO_POINTS; i++)
        io_put(nodes, "  %d %.17g %.17g %.17g%s\n", first + i, volume->points[i][0],
               volume->points[i][1], volume->points[i][2], extra ? " 0.5 -1 # a point" : "");
    io_put(tets, "%d 4%s\n", IO_TETS, extra ? " 1" : "");
    for (int i = 0; i < IO_TETS; i++) {
        const uint32_t* tet = volume->tets[i];
        io_put(tets, "%d %d %d %d %d%s\n", first + i, first + (int)tet[0], first + (int)tet[1],
               first + (int)tet[2], first + (int)tet[3], extra ? " 12" : "");
    }
    io_put(tets, "# Generated");
}

static fracas_status parse(const io_bytes* nodes, const io_bytes* tets, fracas_mesh_file** out) {
    const char* const names[2] = {"a.node", "a.ele"};
    // Separate copies, so that out-of-bounds accesses are detected.
    char* bytes[2] = {malloc(nodes->count + 1), malloc(tets->count + 1)};
    memcpy(bytes[0], nodes->data, nodes->count);
    memcpy(bytes[1], tets->data, tets->count);
    const size_t sizes[2] = {nodes->count, tets->count};
    const fracas_mesh_file_options options = fracas_mesh_file_default_options();
    *out = NULL;
    fracas_status status =
        frc_tetgen_parse(io_context(), names, (const char* const*)bytes, sizes, &options, out);
    free(bytes[0]);
    free(bytes[1]);
    return status;
}

static void check(const fracas_mesh_file* file) {
    const io_volume* volume = io_volume_full();
    fracas_tet_view tets = fracas_mesh_file_get_tets(file);
    assert_string_equal(fracas_mesh_file_get_format(file), "tetgen");
    assert_int_equal(tets.points.count, IO_POINTS);
    assert_memory_equal(tets.points.data, volume->points, sizeof volume->points);
    assert_int_equal(tets.tet_count, IO_TETS);
    assert_memory_equal(tets.tets, volume->tets, sizeof volume->tets);
    assert_int_equal(fracas_mesh_file_get_view(file).triangle_count, 0);
    assert_int_equal(fracas_mesh_file_get_view(file).vertex_count, 0);
}

static void truncated_files(void** state) {
    (void)state;
    for (int how = 0; how < 4; how++) {
        io_bytes nodes = {0}, tets = {0};
        write_volume(&nodes, &tets, how & 1, how >> 1);
        fracas_mesh_file* file;
        assert_int_equal(parse(&nodes, &tets, &file), FRACAS_OK);
        check(file);
        fracas_mesh_file_destroy(file);
        // The last numbers, "9" and "4" or "5", have one digit; what follows them is skipped.
        size_t whole[2] = {nodes.count - 1 - (how >> 1 ? strlen(" 0.5 -1 # a point") : 0),
                           tets.count - strlen("\n# Generated") - (how >> 1 ? 3 : 0)};
        for (int which = 0; which < 2; which++) {
            io_bytes* cut = which ? &tets : &nodes;
            size_t all = cut->count;
            for (cut->count = 0; cut->count < all; cut->count++) {
                fracas_status status = parse(&nodes, &tets, &file);
                if (cut->count >= whole[which])
                    assert_int_equal(status, FRACAS_OK);
                else
                    assert_true(status == FRACAS_ERROR_BAD_DATA ||
                                status == FRACAS_ERROR_UNSUPPORTED);
                if (file) check(file);
                fracas_mesh_file_destroy(file);
            }
        }
        free(nodes.data);
        free(tets.data);
    }
}

static void either_name(void** state) {
    (void)state;
    static const char* const names[][2] = {
        {"tetgen_test.1.node", "tetgen_test.1.ele"},
        {"TETGEN_TEST.NODE",   "TETGEN_TEST.ELE"  },
        {"tetgen_test..node",  "tetgen_test..ele" }
    };
    io_bytes nodes = {0}, tets = {0};
    write_volume(&nodes, &tets, 1, true);
    for (int n = 0; n < 3; n++) {
        write_file(names[n][0], (char*)nodes.data);
        write_file(names[n][1], (char*)tets.data);
        for (int i = 0; i < 2; i++) {
            fracas_mesh_file* file = NULL;
            assert_int_equal(fracas_mesh_file_read(io_context(), names[n][i], NULL, &file),
                             FRACAS_OK);
            check(file);
            fracas_mesh_file_destroy(file);
        }
        fracas_mesh_file* file = (fracas_mesh_file*)1;
        remove(names[n][1]);
        assert_int_equal(fracas_mesh_file_read(io_context(), names[n][0], NULL, &file),
                         FRACAS_ERROR_FILE);
        assert_null(file);
        assert_non_null(strstr(io_message(), names[n][1]));
        assert_non_null(strstr(io_message(), "a mesh of TetGen is two files"));
        remove(names[n][0]);
    }
    io_refuse_bytes("a.node", "1 3\n0 0 0 0\n", 12, FRACAS_ERROR_UNSUPPORTED, "from a path");
    free(nodes.data);
    free(tets.data);
}

static void refuse(const char* nodes, const char* tets, fracas_status expected, const char* part) {
    io_bytes a = {0}, b = {0};
    io_put(&a, "%s", nodes);
    io_put(&b, "%s", tets);
    fracas_mesh_file* file;
    assert_int_equal(parse(&a, &b, &file), expected);
    assert_null(file);
    if (!strstr(io_message(), part)) fail_msg("'%s' is not in: %s", part, io_message());
    free(a.data);
    free(b.data);
}

static void refusals(void** state) {
    (void)state;
    const char* four = "4 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
    fracas_status bad = FRACAS_ERROR_BAD_DATA;
    refuse("x", "0 4\n", bad, "a.node:1: 'x' found where the number of points is expected");
    refuse("900 3\n0 0 0 0\n", "0 4\n", bad, "a.node:1: the file says it has 900 points");
    refuse("1 3\n2 0 0 0\n", "0 4\n", bad,
           "a.node:2: point 0 has the number 2; numbers count from");
    refuse("2 3\n1 0 0 0\n3 0 0 0\n", "0 4\n", bad, "a.node:3: point 1 has the number 3");
    refuse("2 3\n1 0 0\n2 0 0 0\n", "0 4\n", bad, "a.node:2: vertex 0 has 2 coordinates");
    refuse("1 3\n1 0 0 0\n2 0 0 0\n", "0 4\n", bad, "a.node:3: '2' follows the last point");
    refuse("1 3\n1 0 0 abc\n", "0 4\n", bad, "a.node:2: vertex 0 has the coordinate 'abc'");
    refuse(four, "1 4\n1 1 2 3 0\n", bad,
           "a.ele:2: tetrahedron 0 refers to vertex 0 but the file has 4 vertices; indices count "
           "from 1");
    refuse(four, "1 4\n1 1 2 3 5\n", bad, "a.ele:2: tetrahedron 0 refers to vertex 5");
    refuse(four, "1 4\n1 1 2 3\n", bad, "a.ele:2: the file ends within tetrahedron 0");
    refuse(four, "2 4\n1 1 2 3 4\n3 1 2 3 4\n", bad, "a.ele:3: tetrahedron 1 has the number 3");
    refuse(four, "1 4\n1 1 2 3 4\n2 1 2 3 4\n", bad, "a.ele:3: '2' follows the last tetrahedron");
    refuse(four, "1 10\n1 1 2 3 4 5 6 7 8 9 10\n", FRACAS_ERROR_UNSUPPORTED,
           "a.ele:1: the tetrahedra have 10 corners; only 4 are read");
    refuse("1 2\n1 0 0\n\n\n", "0 4\n", FRACAS_ERROR_UNSUPPORTED,
           "a.node:1: the points have 2 dimensions");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truncated_files),
        cmocka_unit_test(either_name),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
