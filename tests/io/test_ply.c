// PLY: three encodings, all types, properties in any order, parents, and writing.
#include "io_data.h"

#define ASCII "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define CORNERS "property list uchar int vertex_indices\n"
#define TRIANGLE_HEADER ASCII "element vertex 3\n" XYZ "element face 1\n" CORNERS "end_header\n"
#define TRIANGLE_POINTS "0 0 0\n1 0 0\n0 1 0\n"

static void text(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read("a.ply", TRIANGLE_HEADER TRIANGLE_POINTS "3 0 1 2");
    io_point(file, 1, 1, 0, 0);
    assert_null(fracas_mesh_file_get_vertex_parents(file));
    assert_null(fracas_mesh_file_get_face_parents(file));
    io_counts(file, 3, 1, 1, 0, 0);
}

static void text_is_read_to_doubles(void** state) {
    (void)state;
    fracas_mesh_file* file =
        io_read("a.ply", ASCII "element vertex 1\n" XYZ "end_header\n0.1 0.2 0.3\n");
    io_point(file, 0, 0.1, 0.2, 0.3);
    fracas_mesh_file_destroy(file);
}

static void properties_in_any_order(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read(
        "nameless", ASCII
        "comment x\nobj_info y\nCreated by somebody\nelement camera 1\nproperty list uint8 float32 "
        "view\nproperty double fov\nelement face 2\nproperty uchar red\nproperty int parent\n"
        "property list uint16 uint vertex_index\nproperty list uchar float texcoord\n"
        "element vertex 4\nproperty short parent\nproperty double z\nproperty uchar green\n"
        "property int8 y\ncomment between\nproperty float64 x\nelement edge 1\nproperty int "
        "vertex2\n"
        "property int vertex1\nproperty uchar blue\nend_header\n"
        "2 nan 1e999 90\n255 -1 3 0 1 2 6 0 0 0 0 0 0\n0 7 0 0\n9 0.5 1 2 3\n8 0 1 0 0\n7 1 1 1 1\n"
        "-6 5 5 5 5\n3 0 17\n");
    assert_string_equal(fracas_mesh_file_get_format(file), "ply");
    io_point(file, 0, 3, 2, 0.5);
    const int32_t vertex_parents[] = {9, 8, 7, -6}, face_parents[] = {-1, 7};
    assert_memory_equal(fracas_mesh_file_get_vertex_parents(file), vertex_parents, 16);
    assert_memory_equal(fracas_mesh_file_get_face_parents(file), face_parents, 8);
    const uint32_t edge[] = {0, 3};
    assert_memory_equal(fracas_mesh_file_get_view(file).edges, edge, sizeof edge);
    io_counts(file, 4, 2, 1, 1, 0);
}

// More values on a line than the header declares, as MeshLab writes colours of corners.
static void extra_values_on_a_line(void** state) {
    (void)state;
    io_counts(io_read("a.ply", ASCII "element vertex 3\n" XYZ "element face 2\n" CORNERS
                                     "end_header\n" TRIANGLE_POINTS "3 0 1 2 9 1 1\n3 2 1 0\n"),
              3, 2, 2, 0, 0);
}

// Elements without properties, and no elements of a kind. Regression: the list of properties was
// NULL, and an offset was added to it.
static void elements_without_properties(void** state) {
    (void)state;
    io_counts(io_read("a.ply", ASCII "element vertex 0\nend_header\n"), 0, 0, 0, 0, 0);
    io_counts(io_read("a.ply", ASCII "element face 0\nelement other 0\nend_header\n"), 0, 0, 0, 0,
              0);
}

// ---- binary: a writer for values of any type in either byte order

typedef struct bytes {
    unsigned char data[4096];
    size_t count;
    bool big;
} bytes;

static void put_text(bytes* out, const char* line) {
    memcpy(out->data + out->count, line, strlen(line));
    out->count += strlen(line);
}

static void put_bits(bytes* out, uint64_t bits, size_t size) {
    for (size_t i = 0; i < size; i++)
        out->data[out->count++] = (unsigned char)(bits >> (8 * (out->big ? size - 1 - i : i)));
}

static void put_value(bytes* out, const char* type, double value) {
    if (strcmp(type, "double") == 0) {
        uint64_t bits;
        memcpy(&bits, &value, 8);
        put_bits(out, bits, 8);
    } else if (strcmp(type, "float") == 0) {
        float narrow = (float)value;
        uint32_t bits;
        memcpy(&bits, &narrow, 4);
        put_bits(out, bits, 4);
    } else {
        size_t size = strstr(type, "char") ? 1 : strstr(type, "short") ? 2 : 4;
        put_bits(out, (uint64_t)(int64_t)value, size);
    }
}

static const char* const types[] = {"char", "uchar", "short", "ushort",
                                    "int",  "uint",  "float", "double"};

static void binary_file(bytes* out, bool big, const char* type, const char* count_type,
                        const char* index_type) {
    char header[1024];
    snprintf(header, sizeof header,
             "ply\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty %s x\nproperty %s y\n"
             "property ushort pad\nproperty %s z\nelement face 2\nproperty list %s %s "
             "vertex_indices\nproperty list %s double extra\nend_header\n",
             big ? "big" : "little", type, type, type, count_type, index_type, count_type);
    *out = (bytes){.big = big};
    put_text(out, header);
    for (int v = 0; v < 3; v++) {
        put_value(out, type, 100 + v);
        put_value(out, type, v);
        put_value(out, "ushort", 0xFFFF);
        put_value(out, type, 7);
    }
    for (int f = 0; f < 2; f++) {
        put_value(out, count_type, 3);
        for (int i = 0; i < 3; i++) put_value(out, index_type, f ? 2 - i : i);
        put_value(out, count_type, f);
        if (f) put_value(out, "double", 0.25);
    }
}

static void binary_of_all_types(void** state) {
    (void)state;
    bytes out;
    for (int big = 0; big < 2; big++)
        for (int t = 0; t < 8; t++)
            for (int c = 0; c < 6; c++) {
                binary_file(&out, big, types[t], types[c], types[5 - c]);
                fracas_mesh_file* file = io_parse("a.ply", out.data, out.count);
                io_point(file, 2, 102, 2, 7);
                io_triangle(file, 1, 2, 1, 0);
                io_counts(file, 3, 2, 2, 0, 0);
            }
}

// Every truncated file is rejected.
static void truncated_binary(void** state) {
    (void)state;
    bytes out;
    binary_file(&out, true, "double", "uchar", "int");
    for (size_t size = 0; size < out.count; size++) {
        fracas_mesh_file* file = NULL;
        assert_int_equal(fracas_mesh_file_parse(io_context(), "a.ply", out.data, size, NULL, &file),
                         FRACAS_ERROR_BAD_DATA);
        assert_non_null(strstr(io_message(), "a.ply"));
    }
}

// The first byte of the data is a line feed, after each kind of line end.
static void line_ends_before_binary(void** state) {
    (void)state;
    static const char* const ends[] = {"\n", "\r\n", "\r"};
    for (int e = 0; e < 3; e++) {
        char header[512];
        snprintf(
            header, sizeof header,
            "ply%sformat binary_little_endian 1.0%selement vertex 1%sproperty uchar x%sproperty "
            "uchar y%sproperty uchar z%send_header%s",
            ends[e], ends[e], ends[e], ends[e], ends[e], ends[e], ends[e]);
        bytes out = {.count = 0};
        put_text(&out, header);
        for (int i = 0; i < 3; i++) put_bits(&out, 10, 1);
        fracas_mesh_file* file = io_parse("a.ply", out.data, out.count);
        io_point(file, 0, 10, 10, 10);
        fracas_mesh_file_destroy(file);
    }
}

static void binary_refusals(void** state) {
    (void)state;
    bytes out;
    binary_file(&out, false, "float", "uchar", "int");
    size_t body = out.count - (3 * 14 + 2 * (1 + 12 + 1) + 8);
    bytes bad = out;
    memcpy(bad.data + body + 14 + 4, "\0\0\xC0\x7F", 4);
    io_refuse_bytes("a.ply", bad.data, bad.count, FRACAS_ERROR_BAD_DATA, "vertex 1 (counting from");
    bad = out;
    bad.data[body + 42 + 1] = 3;
    io_refuse_bytes("a.ply", bad.data, bad.count, FRACAS_ERROR_BAD_DATA,
                    "face 0 refers to vertex 3 but the file has 3 vertices; indices count from 0");
    memset(bad.data + body + 42 + 1, 0xFF, 4);
    io_refuse_bytes("a.ply", bad.data, bad.count, FRACAS_ERROR_BAD_DATA, "vertex -1 ");
    bad = out;
    bad.data[body + 42] = 200;
    io_refuse_bytes("a.ply", bad.data, bad.count, FRACAS_ERROR_BAD_DATA, "list of 200 values");
}

static void text_refusals(void** state) {
    (void)state;
    io_refuse("a.ply", TRIANGLE_HEADER TRIANGLE_POINTS "3 0 1 3\n", "a.ply:13: face 0 refers to");
    io_refuse("a.ply", TRIANGLE_HEADER TRIANGLE_POINTS "3 0 1 1.5\n", "a.ply:13: face 0 has '1.5'");
    io_refuse("a.ply", TRIANGLE_HEADER TRIANGLE_POINTS "3 0 1\n", "a.ply:14: the file ends within");
    io_refuse("a.ply", TRIANGLE_HEADER TRIANGLE_POINTS "-1\n", "a.ply:13: face 0 has a list of -1");
    io_refuse("a.ply", TRIANGLE_HEADER TRIANGLE_POINTS "99 1 2\n", "a.ply:13: face 0 has a list");
    io_refuse("a.ply", TRIANGLE_HEADER "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n",
              "a.ply:11: vertex 1 has");
    io_refuse("a.ply", TRIANGLE_HEADER TRIANGLE_POINTS "3 0 1 2\n3 0 1 2\n",
              "a.ply:14: '3' follows");
    io_refuse("a.ply", ASCII "element vertex 99999999\n" XYZ "end_header\n0 0 0\n",
              "a.ply:3: there");
    io_refuse("a.ply", ASCII "element vertex 5000000000\n" XYZ "end_header\n", "a.ply:3: element");
    io_refuse("a.ply", ASCII "element vertex -3\n" XYZ "end_header\n", "'-3' for its count");
    io_refuse("a.ply", ASCII "element x 1\nend_header\n1\n", "a.ply:3: the element element needs");
    io_refuse("a.ply", ASCII "element vertex 1\nproperty int x\nend_header\n1\n", "x, y and z");
    io_refuse("a.ply",
              ASCII "element face 1\nproperty list uchar float vertex_index\nend_header\n1 1",
              "vertex_indices");
    io_refuse("a.ply", ASCII "element vertex 1\nproperty real x\nend_header\n1\n",
              "'real' is not a type");
    io_refuse("a.ply", ASCII "element vertex 1\nproperty list float int x\n",
              "'float' is not a type");
    io_refuse("a.ply", ASCII "element vertex 1\npropetry int x\nend_header\n", "'propetry'");
    io_refuse("a.ply", ASCII "element face 0\nelement face 0\nend_header\n", "a second element");
    io_refuse("a.ply", ASCII "property int x\nend_header\n", "before the first element");
    io_refuse("a.ply", "ply\nelement vertex 0\n", "a.ply:2: there is no line 'format");
    io_refuse("a.ply", "ply\nformat text 1.0\n", "the format is 'text'");
    io_refuse("a.ply", ASCII "element vertex 0\n", "ends before 'end_header'");
    io_refuse("a.ply", "polygon", "does not begin with 'ply'");
    const char* strips = ASCII "element tristrips 1\nproperty list int int vertex_indices\n";
    io_refuse_bytes("a.ply", strips, strlen(strips), FRACAS_ERROR_UNSUPPORTED, "strips");
}

static void written_files_are_read_back(void** state) {
    (void)state;
    const float points[] = {0.1f, 1, 2, -99, 3, 4, 5, -99, 6, 7, 8, -99, 9, 10, 11, -99};
    const uint32_t triangles[] = {0, 1, 2}, edges[] = {1, 3, 3, 2};
    const int32_t vertex_parents[] = {4, -1, 2, 0}, face_parents[] = {17};
    fracas_mesh_view view = {
        .points = {.data = points, .count = 4, .stride = 16, .scalar = FRACAS_SCALAR_FLOAT},
        .triangles = triangles,
        .triangle_count = 1,
        .edges = edges,
        .edge_count = 2
    };
    const char* path = "test_io_ply_written.ply";
    assert_int_equal(fracas_ply_write(io_context(), path, &view, vertex_parents, face_parents),
                     FRACAS_OK);
    fracas_mesh_file* file = NULL;
    assert_int_equal(fracas_mesh_file_read(io_context(), path, NULL, &file), FRACAS_OK);
    io_point(file, 0, (double)0.1f, 1, 2);
    assert_memory_equal(fracas_mesh_file_get_vertex_parents(file), vertex_parents, 16);
    assert_memory_equal(fracas_mesh_file_get_face_parents(file), face_parents, 4);
    assert_memory_equal(fracas_mesh_file_get_view(file).edges, edges, sizeof edges);
    io_counts(file, 4, 1, 1, 2, 0);
    remove(path);
    assert_int_equal(fracas_ply_write(io_context(), "no/such/folder/a.ply", &view, NULL, NULL),
                     FRACAS_ERROR_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(text_is_read_to_doubles),
        cmocka_unit_test(properties_in_any_order),
        cmocka_unit_test(extra_values_on_a_line),
        cmocka_unit_test(elements_without_properties),
        cmocka_unit_test(binary_of_all_types),
        cmocka_unit_test(truncated_binary),
        cmocka_unit_test(line_ends_before_binary),
        cmocka_unit_test(binary_refusals),
        cmocka_unit_test(text_refusals),
        cmocka_unit_test(written_files_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
