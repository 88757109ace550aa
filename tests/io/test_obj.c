// OBJ: every kind of statement, every form of an index, and invalid files.
#include "io_data.h"

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void indices_in_all_forms(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read(
        "a.obj", SQUARE "vt 0 0\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\n"
                        "f 1/1/1 2/1/1 3/1/1\nf -4 -3 -2\nf 1// 2// 3//\nf -4/-1/-1 -3 3\n");
    for (uint32_t t = 0; t < 7; t++) io_triangle(file, t, 0, 1, 2);
    io_counts(file, 4, 7, 7, 0, 1);
}

static void blanks_and_line_ends(void** state) {
    (void)state;
    fracas_mesh_file* file =
        io_read("a.obj", "\xEF\xBB\xBF# windows\r\nv\t0   0 0\r\n  v 1 0\t0  \r\nv 1 \\\r\n 1 0\r\n"
                         "\r\nf  1\t2 \\\n 3 # done\r\nf 1 2 3");
    io_point(file, 2, 1, 1, 0);
    io_triangle(file, 0, 0, 1, 2);
    io_counts(file, 3, 2, 2, 0, 0);
    io_counts(io_read("a.obj", "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r"), 3, 1, 1, 0, 0);
}

// A backslash at the end of a comment does not continue it.
static void comments_do_not_continue(void** state) {
    (void)state;
    io_counts(io_read("a.obj", "# C:\\\nv 0 0 0\n# x\\\nv 1 0 0\nv 2 0 0 # y\\\nv 3 0 0\n"), 4, 0,
              0, 0, 4);
}

static void other_statements_are_skipped(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read(
        "a.obj", "mtllib a b.mtl\no f 1 2 3\ng v 1 2\ns off\nusemtl m\nvp 0 0\n" SQUARE
                 "cstype bezier\ncurv 0 1 \\\n 1 2 3\nend\nlod 1\nf 1 2 3\nmy_own_word 7\n");
    io_counts(file, 4, 1, 1, 0, 1);
}

static void colours_and_weights_are_skipped(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read("a.obj", "v 1 2 3 0.5\nv 4 5 6 nan nan nan\nv 7 8 9 x\n");
    io_point(file, 0, 1, 2, 3);
    io_point(file, 1, 4, 5, 6);
    io_counts(file, 3, 0, 0, 0, 3);
}

static void later_vertices_may_be_referred_to(void** state) {
    (void)state;
    io_counts(io_read("a.obj", "f 1 2 3\n" SQUARE), 4, 1, 1, 0, 1);
}

static void lines_and_points(void** state) {
    (void)state;
    fracas_mesh_file* file =
        io_read("a.obj", SQUARE "v 5 5 5\nv 6 6 6\nl 1 2/1 3\nl -6 4\np 5 1\n");
    const uint32_t edges[] = {0, 1, 1, 2, 0, 3}, points[] = {4, 5};
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    assert_memory_equal(view.edges, edges, sizeof edges);
    assert_memory_equal(view.vertices, points, sizeof points);
    io_counts(file, 6, 0, 0, 3, 2);
}

static void small_faces_keep_their_number(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read("a.obj", SQUARE "f 1\nf 1 2\nf 1 2 3\nf 1 1 2\n");
    fracas_mesh_faces faces = fracas_mesh_file_get_faces(file);
    const uint32_t offsets[] = {0, 1, 3, 6, 9}, owners[] = {2, 3};
    assert_memory_equal(faces.face_offsets, offsets, sizeof offsets);
    assert_memory_equal(faces.triangle_faces, owners, sizeof owners);
    io_triangle(file, 1, 0, 0, 1);
    io_counts(file, 4, 4, 2, 1, 1);
}

static void refusals_name_the_line(void** state) {
    (void)state;
    io_refuse(
        "a.obj", SQUARE "f 1 2 99\n",
        "a.obj:5: face refers to vertex 99 but the file has 4 vertices; indices count from 1");
    io_refuse("a.obj", SQUARE "f 1 2 5\n", "a.obj:5: face refers to vertex 5 but the file has 4");
    io_refuse("a.obj", SQUARE "\r\n\nf 0 1 2\n", "a.obj:7: face has the corner '0'");
    io_refuse("a.obj", SQUARE "f 1 2 -5\n", "a.obj:5: face refers to vertex -5");
    io_refuse("a.obj", SQUARE "f 1 2 4294967297\n", "a.obj:5: face refers to vertex 4294967297");
    io_refuse("a.obj", SQUARE "f 1 2 99999999999999999999999999\n", "a.obj:5: face refers");
    io_refuse("a.obj", SQUARE "f 1,2,3\n", "a.obj:5: face has the corner '1,2,3'");
    io_refuse("a.obj", SQUARE "f 1 2 x\n", "a.obj:5: face has the corner 'x'");
    io_refuse("a.obj", SQUARE "f 1 2 /3\n", "a.obj:5: face has the corner '/3'");
    io_refuse("a.obj", SQUARE "f\n", "a.obj:5: face has no corners");
    io_refuse("a.obj", SQUARE "l 1\n", "a.obj:5: line has 1 corners");
    io_refuse("a.obj", SQUARE "p 9\n", "a.obj:5: point refers to vertex 9");
    io_refuse("a.obj", "v 0 0 0\nv 1 2\n", "a.obj:2: vertex 2 has 2 coordinates; it needs 3");
    io_refuse("a.obj", "v 1 nan 2\n", "a.obj:1: vertex 1 has the coordinate 'nan'");
    io_refuse("a.obj", "v 1 -inf 2\n", "'-inf'");
    io_refuse("a.obj", "v 1 1e999 2\n", "too large");
    io_refuse("a.obj", "v 1 0x10 2\n", "'0x10'");
    io_refuse("a.obj", "v 1 1,5 2\n", "'1,5'");
    io_refuse("a.obj", "1 2 3\n", "a.obj:1: a line begins with '1'");
    io_refuse("a.obj", "", "a.obj: the file is empty");
    io_refuse_bytes("a.obj", "\xFF\xFEv\0 \0", 6, FRACAS_ERROR_BAD_DATA, "UTF-16");
    io_refuse_bytes("a.obj", "v\0 \0001\0", 6, FRACAS_ERROR_BAD_DATA, "UTF-16");
}

static void formats_are_detected(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read("nameless", SQUARE "f 1 2 3\n");
    assert_string_equal(fracas_mesh_file_get_format(file), "obj");
    fracas_mesh_file_destroy(file);
    io_refuse_bytes("nameless", "what is this", 12, FRACAS_ERROR_UNSUPPORTED,
                    "the format is unknown");
}

static void misuse_is_refused(void** state) {
    (void)state;
    fracas_mesh_file* file = NULL;
    fracas_mesh_file_options options = {0};
    assert_int_equal(fracas_mesh_file_parse(NULL, "a", "", 0, NULL, &file),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_mesh_file_parse(io_context(), NULL, "", 0, NULL, &file),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_mesh_file_parse(io_context(), "a", NULL, 1, NULL, &file),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_mesh_file_parse(io_context(), "a", "", 0, NULL, NULL),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_mesh_file_parse(io_context(), "a", "v", 1, &options, &file),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_mesh_file_read(io_context(), "no/such/file.obj", NULL, &file),
                     FRACAS_ERROR_FILE);
    assert_non_null(strstr(io_message(), "no/such/file.obj"));
    assert_int_equal(fracas_mesh_file_read(io_context(), ".", NULL, &file), FRACAS_ERROR_FILE);
    fracas_mesh_file_destroy(NULL);
}

static void exact_welding_on_request(void** state) {
    (void)state;
    const char* text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv -0 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 4 5 6\n";
    fracas_mesh_file_options options = fracas_mesh_file_default_options();
    options.weld = FRACAS_WELD_EXACT;
    fracas_mesh_file* file = NULL;
    assert_int_equal(
        fracas_mesh_file_parse(io_context(), "a.obj", text, strlen(text), &options, &file),
        FRACAS_OK);
    io_triangle(file, 1, 0, 2, 3);
    io_point(file, 3, 0, 1, 0);
    io_counts(file, 4, 2, 2, 0, 0);
    io_counts(io_read("a.obj", text), 6, 2, 2, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_in_all_forms),
        cmocka_unit_test(blanks_and_line_ends),
        cmocka_unit_test(comments_do_not_continue),
        cmocka_unit_test(other_statements_are_skipped),
        cmocka_unit_test(colours_and_weights_are_skipped),
        cmocka_unit_test(later_vertices_may_be_referred_to),
        cmocka_unit_test(lines_and_points),
        cmocka_unit_test(small_faces_keep_their_number),
        cmocka_unit_test(refusals_name_the_line),
        cmocka_unit_test(formats_are_detected),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(exact_welding_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
