// OFF: headers, comments, colours, and invalid files.
#include "io_data.h"

#define POINTS "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"

static void plain(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read("a.off", "OFF\n4 2 0\n" POINTS "3 0 1 2\n4 0 1 2 3\n");
    io_triangle(file, 0, 0, 1, 2);
    io_triangle(file, 2, 0, 2, 3);
    io_counts(file, 4, 2, 3, 0, 0);
}

static void headers(void** state) {
    (void)state;
    const char* const texts[] = {
        "OFF 4 1 0\n" POINTS "3 0 1 2\n",
        "OFF4 1 0 # glued\n" POINTS "3 0 1 2",
        "# first\n\n  OFF\n# then\n4 1\n" POINTS "3 0 1 2\n",
        "OFF\n4\n1\n0\n" POINTS "3 0 1 2\n",
        "4 1 0\n" POINTS "3 0 1 2\n",
        "OFF\r\n4 1 0\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n3 0 1 2\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        io_counts(io_read("a.off", texts[i]), 4, 1, 1, 0, 1);
}

static void colours_are_skipped(void** state) {
    (void)state;
    fracas_mesh_file* file =
        io_read("nameless", "COFF\n3 1 3\n0 0 0 255 0 0 255\n1 0 0 0.5 1 1\n# c\n0 1 0 red # d\n"
                            "3 0 1 2 1.0 0 0 0.75\n");
    assert_string_equal(fracas_mesh_file_get_format(file), "off");
    io_counts(file, 3, 1, 1, 0, 0);
    io_counts(io_read("a.off", "STCNOFF\n1 0 0\n1 2 3 0 0 1 1 1 1 1 0.5 0.5\n"), 1, 0, 0, 0, 1);
}

static void small_faces(void** state) {
    (void)state;
    io_counts(io_read("a.off", "OFF\n4 4 0\n" POINTS "0\n1 3\n2 0 1\n3 0 1 2\n"), 4, 4, 1, 1, 1);
}

static void refusals(void** state) {
    (void)state;
    io_refuse("a.off", "OFF\n4 1 0\n" POINTS "3 0 1 4\n", "a.off:7: face 0 has '4' for a corner");
    io_refuse("a.off", "OFF\n4 1 0\n" POINTS "3 0 1 -1\n", "a.off:7: face 0 has '-1'");
    io_refuse("a.off", "OFF\n4 1 0\n" POINTS "3 0 1 1.5\n", "a.off:7: face 0 has '1.5'");
    io_refuse("a.off", "OFF\n4 1 0\n" POINTS "-3 0 1 1\n", "a.off:7: face 0");
    io_refuse("a.off", "OFF\n4 1 0\n" POINTS "99999999 0 1 1\n",
              "a.off:7: face 0 says it has 9999");
    io_refuse("a.off", "OFF\n4 1 0\n" POINTS "3 0 1", "a.off:7: face 0");
    io_refuse("a.off", "OFF\n4 1 0\n" POINTS "3 0 1 2\n3 0 1 2\n", "a.off:8: '3' follows");
    io_refuse("a.off", "OFF\n400000000000 1 0\n0 0 0\n", "a.off:2: the file says");
    io_refuse("a.off", "OFF\n4 1 0\n0 0 0\n", "a.off:3: the file says");
    io_refuse("a.off", "OFF\n2 0 0\n0 0 0\n0 x 0\n", "a.off:4: vertex 1 has the coordinate 'x'");
    io_refuse("a.off", "OFF\n2 0 0\n0 0 0\n0 1e400 0\n", "too large");
    io_refuse("a.off", "OFF\nx\n", "a.off:2: 'x'");
    io_refuse("a.off", "OFF\n", "a.off:2: ''");
    io_refuse("a.off", "hello\n", "a.off:1: the file begins with 'hello'");
    io_refuse_bytes("a.off", "4OFF\n1 0 0\n", 11, FRACAS_ERROR_UNSUPPORTED, "dimensions");
    io_refuse_bytes("a.off", "OFF BINARY\n1 0 0\n", 17, FRACAS_ERROR_UNSUPPORTED, "binary");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
        cmocka_unit_test(headers),
        cmocka_unit_test(colours_are_skipped),
        cmocka_unit_test(small_faces),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
