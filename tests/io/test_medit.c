// Medit: text and binary, all versions, both byte orders, and invalid files.
#include "io_write_medit.h"

static void every_encoding(void** state) {
    (void)state;
    for (int how = 0; how < 4; how++)
        for (unsigned version = 1; version <= 4; version++) {
            io_medit medit = {how & 1, how >> 1, version};
            if (!medit.binary && medit.big) continue;
            const io_volume* volume =
                medit.binary && version == 1 ? io_volume_short() : io_volume_full();
            io_bytes bytes = {0};
            io_write_medit(&bytes, &medit, volume);
            // Complete after the word End in text; after its number in binary.
            size_t tail = medit.binary ? (version < 3 ? 4 : 8) : 1;
            io_check_volume(medit.binary ? "a.meshb" : "a.mesh", &bytes, volume,
                            bytes.count - tail);
            fracas_mesh_file* file = io_parse("a.mesh", bytes.data, bytes.count);
            assert_string_equal(fracas_mesh_file_get_format(file), "medit");
            io_left_out(file, "1 Edges");
            fracas_mesh_file_destroy(file);
            free(bytes.data);
        }
}

#define HEAD "MeshVersionFormatted 2\nDimension 3\n"
#define FOUR "Vertices 4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n"

static void parts(void** state) {
    (void)state;
    io_counts(io_read("nameless", HEAD FOUR "Quadrilaterals 1\n1 2 3 4 0\nHexahedra 0\n"
                                            "Normals 1\n-0.5 1e3 .5\nEnd"),
              4, 1, 2, 0, 0);
    io_counts(io_read("a.mesh", HEAD FOUR "END\nanything"), 4, 0, 0, 0, 4);
}

static void refusals(void** state) {
    (void)state;
    io_refuse("a.mesh", "MFEM mesh v1.0\n", "a.mesh:1: the file does not begin with 'MeshVersion");
    io_refuse("a.mesh", HEAD FOUR, "a.mesh:8: the file ends before the keyword End");
    io_refuse("a.mesh", HEAD "End\n", "the file has no Vertices");
    io_refuse("a.mesh", HEAD FOUR FOUR "End\n", "a.mesh:8: a second section Vertices");
    io_refuse("a.mesh", HEAD "Triangles 1\n1 2 3 0\nEnd\n",
              "a.mesh:3: Triangles come before Vertices");
    io_refuse("a.mesh", HEAD FOUR "Tetrahedra 1\n1 2 3 5 0\nEnd\n",
              "a.mesh:9: tetrahedron 0 refers to vertex 5 but the file has 4 vertices; indices "
              "count from 1");
    io_refuse("a.mesh", HEAD FOUR "Triangles 1\n0 2 3 0\nEnd\n",
              "a.mesh:9: face 0 refers to vertex 0");
    io_refuse("a.mesh", HEAD FOUR "Tetrahedra 1\n1 2 3 4 0\n1 2 3 4 0\nEnd\n",
              "a.mesh:10: '1' found where a keyword");
    io_refuse("a.mesh", HEAD FOUR "Tetrahedra 2\n1 2 3 4 0\nEnd\n",
              "a.mesh:8: the file says it has 2 Tetrahedra, but only 15 bytes follow");
    io_refuse("a.mesh", HEAD FOUR "Tetrahedra x\n",
              "a.mesh:8: 'x' found where the number of Tetrahedra is expected");
    io_refuse("a.mesh", HEAD "Vertices 1\n0 0 1e999 1\nEnd\n", "a.mesh:4: vertex 0");
    static const char cube[] = HEAD FOUR "Hexahedra 1\n1 2 3 4 1 2 3 4 0\nEnd\n";
    io_refuse_bytes("a.mesh", cube, sizeof cube - 1, FRACAS_ERROR_UNSUPPORTED,
                    "a.mesh:8: the file has Hexahedra, which are not read");
    static const char flat[] = "MeshVersionFormatted 2\nDimension\n2\n";
    io_refuse_bytes("a.mesh", flat, sizeof flat - 1, FRACAS_ERROR_UNSUPPORTED,
                    "a.mesh:3: the points have 2 dimensions");
    static const char version[] = "\1\0\0\0\7\0\0\0";
    io_refuse_bytes("a.meshb", version, 8, FRACAS_ERROR_UNSUPPORTED,
                    "a.meshb: byte 4: the version is 7");
    static const char back[] = "\1\0\0\0\2\0\0\0\15\0\0\0\4\0\0\0\0\0\0\0";
    io_refuse_bytes("a.meshb", back, 20, FRACAS_ERROR_BAD_DATA,
                    "a.meshb: byte 8: the position of the next keyword is byte 4");
    // A list of two that says the next keyword begins within it.
    io_bytes bytes = {0};
    static const uint32_t over[] = {1, 2, 4, 24, 1, 0, 0, 0, 0, 0, 0, 0, 54};
    for (int i = 0; i < 13; i++) io_put_int(&bytes, over[i], 4, false);
    io_refuse_bytes("a.meshb", bytes.data, bytes.count, FRACAS_ERROR_BAD_DATA,
                    "a.meshb: byte 8: the list of Vertices runs beyond the position of the next");
    free(bytes.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding),
        cmocka_unit_test(parts),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
