// Zero bytes after the end of a text are skipped; elsewhere they are rejected.
#include "io/mesh_file.h"
#include "io_volume.h"

static const char* const texts[][2] = {
    {"a.obj",  "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"                                },
    {"a.obj",  "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3"                                  },
    {"a.off",  "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"                          },
    {"a.ply",  "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float "
              "y\nproperty float z\n"
              "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 "
              "1 0\n3 0 1 2"                                            },
    {"a.stl",
     "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
     "endfacet\nendsolid\n"                                                          },
    {"a.msh",
     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
     "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n"                                     },
    {"a.vtk",  "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n"
              "0 0 0 1 0 0 0 1 0\nCELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\n"},
    {"a.vtu",
     "<VTKFile type='UnstructuredGrid'><Piece NumberOfPoints='3' NumberOfCells='1'><Points>"
     "<DataArray type='Float64'>0 0 0 1 0 0 0 1 0</DataArray></Points><Cells>"
     "<DataArray Name='connectivity' type='Int32'>0 1 2</DataArray>"
     "<DataArray Name='offsets' type='Int32'>3</DataArray>"
     "<DataArray Name='types' type='Int32'>5</DataArray></Cells></Piece></VTKFile>"  },
    {"a.mesh",
     "MeshVersionFormatted 2\nDimension 3\nVertices 3\n0 0 0 0\n1 0 0 0\n0 1 0 0\nTriangles 1\n"
     "1 2 3 0\nEnd"                                                                  }
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static void after_the_end(void** state) {
    (void)state;
    for (int i = 0; i < TEXTS; i++)
        for (size_t zeros = 0; zeros <= 5000; zeros = 7 * zeros + 1) {
            io_bytes bytes = {0};
            io_put_bytes(&bytes, texts[i][1], strlen(texts[i][1]));
            for (size_t k = 0; k < zeros; k++) io_put_int(&bytes, 0, 1, false);
            fracas_mesh_file* file = io_parse(texts[i][0], bytes.data, bytes.count);
            io_triangle(file, 0, 0, 1, 2);
            io_left_out(file, "");
            io_counts(file, 3, 1, 1, 0, 0);
            free(bytes.data);
        }
}

// Before the end: in place of the last line end that is not the last byte, or before a last word.
static void in_the_middle(void** state) {
    (void)state;
    static const char obj[] = "v 0 0 0\nv 1 0 0\n\0v 0 1 0\nf 1 2 3\n";
    io_refuse_bytes("a.obj", obj, sizeof obj - 1, FRACAS_ERROR_BAD_DATA, "a.obj:3: a line begins");
    static const char after[] = "v 0 0 0\n\0\n";
    io_refuse_bytes("a.obj", after, sizeof after - 1, FRACAS_ERROR_BAD_DATA,
                    "a.obj:2: a line begins");
    static const char off[] = "OFF\n1 0 0\n0 0 0\n\0\0 1";
    io_refuse_bytes("a.off", off, sizeof off - 1, FRACAS_ERROR_BAD_DATA, "' follows the last face");
    static const char number[] = "OFF\n1 0 0\n0 0\0 0\n";
    io_refuse_bytes("a.off", number, sizeof number - 1, FRACAS_ERROR_BAD_DATA,
                    "a.off:3: vertex 0 has the coordinate '0?'");
}

static void only_zeros(void** state) {
    (void)state;
    static const char zeros[64] = {0};
    for (int i = 0; i < TEXTS; i++) {
        fracas_mesh_file* file = NULL;
        assert_int_equal(
            fracas_mesh_file_parse(io_context(), texts[i][0], zeros, sizeof zeros, NULL, &file),
            FRACAS_ERROR_BAD_DATA);
        assert_null(file);
    }
}

// Binary files often end with zero bytes.
static void binary(void** state) {
    (void)state;
    io_bytes bytes = {0};
    io_put(&bytes, "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty double x\n"
                   "property double y\nproperty double z\nend_header\n");
    for (int i = 0; i < 3; i++) io_put_double(&bytes, 0, false);
    io_counts(io_parse("a.ply", bytes.data, bytes.count), 1, 0, 0, 0, 1);
    bytes.count = 0;
    for (int i = 0; i < 20; i++) io_put_int(&bytes, i ? 0 : 's', 4, false);
    io_put_int(&bytes, 1, 4, false);
    for (int i = 0; i < 50; i++) io_put_int(&bytes, 0, 1, false);
    io_counts(io_parse("a.stl", bytes.data, bytes.count), 1, 1, 1, 0, 0);
    free(bytes.data);
}

static void tetgen(void** state) {
    (void)state;
    static const char nodes[] = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n\0";
    static const char tets[] = "1 4 0\n1 1 2 3 4\0\0";
    const char* const names[2] = {"a.node", "a.ele"};
    const char* const both[2] = {nodes, tets};
    const size_t sizes[2] = {sizeof nodes, sizeof tets};
    const fracas_mesh_file_options options = fracas_mesh_file_default_options();
    fracas_mesh_file* file = NULL;
    if (frc_tetgen_parse(io_context(), names, both, sizes, &options, &file) != FRACAS_OK)
        fail_msg("%s", io_message());
    assert_int_equal(fracas_mesh_file_get_tets(file).tet_count, 1);
    fracas_mesh_file_destroy(file);
}

static void real_file(void** state) {
    (void)state;
    FILE* probe = io_data() ? fopen(io_path("faults/04_obj_trailing_nul.obj"), "rb") : NULL;
    if (!probe) skip();
    fclose(probe);
    fracas_mesh_file* file = NULL;
    assert_int_equal(
        fracas_mesh_file_read(io_context(), io_path("faults/04_obj_trailing_nul.obj"), NULL, &file),
        FRACAS_OK);
    io_counts(file, 3, 1, 1, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_the_end), cmocka_unit_test(in_the_middle),
        cmocka_unit_test(only_zeros),    cmocka_unit_test(binary),
        cmocka_unit_test(tetgen),        cmocka_unit_test(real_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
