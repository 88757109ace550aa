// STL: text and binary, detection of the encoding, welding, and invalid files.
#include "io_data.h"
#include <math.h>

#define FACET(a, b, c)                                                                             \
    "facet normal 0 0 nan\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c               \
    "\n endloop\nendfacet\n"
#define FIRST FACET("0 0 0", "1 0 0", "1 1 0")
#define SECOND FACET("-0 0 -0.0", "1e0 1 0", "0 1 0")

static void text_is_welded(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read("a.stl", "solid a b c\n" FIRST SECOND "endsolid a\n");
    io_triangle(file, 1, 0, 2, 3);
    io_counts(file, 4, 2, 2, 0, 0);
}

static void no_welding_on_request(void** state) {
    (void)state;
    const char* text = "solid\n" FIRST SECOND "endsolid";
    fracas_mesh_file_options options = fracas_mesh_file_default_options();
    options.weld = FRACAS_WELD_NONE;
    fracas_mesh_file* file = NULL;
    assert_int_equal(
        fracas_mesh_file_parse(io_context(), "a.stl", text, strlen(text), &options, &file),
        FRACAS_OK);
    assert_true(signbit(((const double*)fracas_mesh_file_get_view(file).points.data)[9]));
    io_counts(file, 6, 2, 2, 0, 0);
}

static void several_solids(void** state) {
    (void)state;
    io_counts(io_read("nameless", "SOLID facet\r\n" FIRST "EndSolid facet\r\nsolid\n" SECOND
                                  "endsolid\nsolid empty\nendsolid\n"),
              4, 2, 2, 0, 0);
}

// A binary file of `count` unit triangles in different planes, with the count `said` in its header.
static size_t make_binary(unsigned char* bytes, const char* header, uint32_t said, uint32_t count) {
    memset(bytes, 0, 84 + 50 * (size_t)count);
    memcpy(bytes, header, strlen(header));
    for (int i = 0; i < 4; i++) bytes[80 + i] = (unsigned char)(said >> (8 * i));
    for (uint32_t t = 0; t < count; t++) {
        const float corners[9] = {0, 0, (float)t, 1, 0, (float)t, 0, 1, (float)t};
        memcpy(bytes + 84 + 50 * (size_t)t + 12, corners, sizeof corners);  // little-endian machine
    }
    return 84 + 50 * (size_t)count;
}

static void binary(void** state) {
    (void)state;
    unsigned char bytes[400];
    size_t size = make_binary(bytes, "solid but binary", 3, 3);
    fracas_mesh_file* file = io_parse("a.stl", bytes, size);
    io_point(file, 7, 1, 0, 2);
    io_counts(file, 9, 3, 3, 0, 0);
    io_counts(io_parse("nameless", bytes, size), 9, 3, 3, 0, 0);
    // More bytes than needed.
    size = make_binary(bytes, "solid but binary", 2, 3);
    io_counts(io_parse("a.stl", bytes, size), 6, 2, 2, 0, 0);
    size = make_binary(bytes, "", 0, 0);
    io_counts(io_parse("a.stl", bytes, size), 0, 0, 0, 0, 0);
}

static void binary_refusals(void** state) {
    (void)state;
    unsigned char bytes[400];
    size_t size = make_binary(bytes, "b", 4, 3);
    io_refuse_bytes("a.stl", bytes, size, FRACAS_ERROR_BAD_DATA, "byte 80: the file says it has 4");
    size = make_binary(bytes, "b", UINT32_MAX, 3);
    io_refuse_bytes("a.stl", bytes, size, FRACAS_ERROR_BAD_DATA, "byte 80");
    io_refuse_bytes("a.stl", bytes, 83, FRACAS_ERROR_BAD_DATA, "the file has 83 bytes");
    size = make_binary(bytes, "b", 3, 3);
    const float nan = NAN;
    memcpy(bytes + 84 + 50 + 12 + 12 + 4, &nan, sizeof nan);
    io_refuse_bytes("a.stl", bytes, size, FRACAS_ERROR_BAD_DATA,
                    "byte 158: vertex 1 of triangle 1 (counting from 0) has a coordinate");
}

static void text_refusals(void** state) {
    (void)state;
    io_refuse("a.stl", "solid a\n" FIRST, "a.stl:9: the file ends where 'facet' or 'endsolid'");
    io_refuse("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "a.stl:5: the");
    io_refuse("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n",
              "a.stl:4: vertex 0");
    io_refuse("a.stl", "solid a\nfcet normal\n", "a.stl:2: 'fcet' found where 'facet' or");
    io_refuse("a.stl", "solid a\nendsolid\nwhat\n", "a.stl:3: 'what' found where 'solid'");
    io_refuse("a.stl", "solid a\n" FACET("0 0 0", "0 inf 0", "1 1 1") "endsolid", "'inf'");
    io_refuse("a.stl",
              "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop",
              "a.stl:6: 'endloop' found where 'vertex'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_welded),  cmocka_unit_test(no_welding_on_request),
        cmocka_unit_test(several_solids),  cmocka_unit_test(binary),
        cmocka_unit_test(binary_refusals), cmocka_unit_test(text_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
