// `fracas info`: tables, JSON, usage and exit codes.
#define _POSIX_C_SOURCE 200809L
#include "cmocka_all.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int cli_info(int argc, char** argv);

static char printed[2][8192];  // on stdout and stderr

static int redirect(int stream, const char* path) {
    int kept = dup(stream), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0);
    dup2(file, stream);
    close(file);
    return kept;
}

static void restore(int stream, int kept, const char* path, char* text, size_t capacity) {
    dup2(kept, stream);
    close(kept);
    FILE* file = fopen(path, "rb");
    size_t length = fread(text, 1, capacity - 1, file);
    text[length] = 0;
    fclose(file);
    remove(path);
}

static int run(const char* arguments) {
    char text[512], *argv[16] = {text};
    int argc = 0;
    snprintf(text, sizeof text, "info %s", arguments);
    for (char* word = strtok(text, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
    fflush(stdout);
    int out = redirect(1, "test_io_info.out"), err = redirect(2, "test_io_info.err");
    int code = cli_info(argc, argv);
    fflush(stdout);
    restore(1, out, "test_io_info.out", printed[0], sizeof printed[0]);
    restore(2, err, "test_io_info.err", printed[1], sizeof printed[1]);
    return code;
}

static void expect(int stream, const char* part) {
    if (!strstr(printed[stream], part)) fail_msg("'%s' is not in: %s", part, printed[stream]);
}

static void write_file(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_files(void** state) {
    (void)state;
    write_file("info_good.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\nf 1 2 3 4\nf 1 2 2\n");
    write_file(
        "info_volume.mesh",
        "MeshVersionFormatted 2 Dimension 3 Vertices 6\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
        "1 1 1 0\n5 5 5 0\nTetrahedra 3\n1 2 3 4 0\n2 3 4 5 0\n1 2 4 3 0\nEdges 1\n1 2 0\nEnd");
    write_file("info_bad.obj", "f 1 2 3\n");
    return 0;
}

static int remove_files(void** state) {
    (void)state;
    remove("info_good.obj");
    remove("info_bad.obj");
    remove("info_volume.mesh");
    return 0;
}

static void table(void** state) {
    (void)state;
    assert_int_equal(run("info_good.obj"), 0);
    expect(0, "info_good.obj\n  format                            obj\n");
    expect(0, "  vertices                            4\n");
    expect(0, "    quads                             1\n");
    expect(0, "  closed                             no\n");
    expect(0, "  repeated indices                    1\n");
    expect(0, "  box z                               0 to 0.5\n");
    assert_string_equal(printed[1], "");
}

static void json(void** state) {
    (void)state;
    assert_int_equal(run("--json info_good.obj"), 0);
    assert_string_equal(
        printed[0],
        "{\"file\":\"info_good.obj\",\"format\":\"obj\",\"faces\":2,\"vertices\":4,\"triangles\":3,"
        "\"edges\":5,\"free_edges\":0,\"free_vertices\":0,\"unused_vertices\":0,\"components\":1,"
        "\"boundary_edges\":3,\"nonmanifold_edges\":0,\"misoriented_edges\":0,"
        "\"repeated_index_triangles\":1,\"flat_triangles\":1,\"duplicate_triangles\":0,"
        "\"closed\":false,\"manifold\":true,\"box_min\":[0,0,0],\"box_max\":[1,1,0.5],"
        "\"left_out\":[],\"volume\":null}\n");
}

static void volumes(void** state) {
    (void)state;
    assert_int_equal(run("info_volume.mesh"), 0);
    expect(0, "  format                          medit\n");
    expect(0, "  vertices                            6\n");
    expect(0, "  tetrahedra                          3\n");
    expect(0, "    components                        1\n");
    expect(0, "    surface triangles                 3\n");
    expect(0, "    non-manifold faces                1\n");
    expect(0, "    inverted                          1\n");
    expect(0, "    flat                              0\n");
    expect(0, "    duplicates                        1\n");
    expect(0, "  free vertices                       1\n");
    expect(0, "  left out: Edges                     1\n");
    assert_int_equal(run("--json info_volume.mesh"), 0);
    expect(0, "\"free_vertices\":1,\"unused_vertices\":0,");
    expect(0, "\"left_out\":[{\"name\":\"Edges\",\"count\":1}],\"volume\":{\"tets\":3,\"vertices\":"
              "5,\"components\":1,\"faces\":7,"
              "\"boundary_triangles\":3,\"nonmanifold_triangles\":1,\"inverted\":1,\"flat\":0,"
              "\"repeated_index_tets\":0,\"duplicate_tets\":1}}\n");
}

static void bad_files(void** state) {
    (void)state;
    assert_int_equal(run("info_bad.obj no_such.obj info_good.obj"), 1);
    expect(0, "info_good.obj\n");
    expect(1, "fracas: info_bad.obj:1: face refers to vertex 3 but the file has 0 vertices");
    expect(1, "fracas: no_such.obj: cannot be opened: ");
}

static void usage(void** state) {
    (void)state;
    assert_int_equal(run("--help"), 0);
    expect(0, "usage: fracas info");
    assert_int_equal(run(""), 2);
    assert_int_equal(run("--colour info_good.obj"), 2);
    expect(1, "unknown option --colour");
    assert_int_equal(run("--weld"), 2);
    assert_int_equal(run("--weld twice info_good.obj"), 2);
    expect(1, "'twice'");
    assert_int_equal(run("info_good.obj --weld=exact --json"), 0);
    assert_int_equal(run("--weld none -- info_good.obj"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),     cmocka_unit_test(json),  cmocka_unit_test(volumes),
        cmocka_unit_test(bad_files), cmocka_unit_test(usage),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
