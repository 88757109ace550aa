// Legacy VTK: text and binary, floats and doubles, both layouts of cells, and invalid files.
#include "io_write_vtk.h"

static void every_encoding(void** state) {
    (void)state;
    for (int how = 0; how < 8; how++)
        for (unsigned size = 4; size <= 8; size += 4) {
            io_vtk vtk = {how & 1, how >> 1 & 1, how >> 2 & 1, size};
            const io_volume* volume = vtk.single ? io_volume_short() : io_volume_full();
            io_bytes bytes = {0};
            io_write_vtk(&bytes, &vtk, volume);
            // Complete from the last type on.
            size_t whole = bytes.count - strlen("\nPOINT_DATA 6\nSCALARS anything\n");
            if (!vtk.binary) whole--;
            fracas_mesh_file* file = io_parse("nameless", bytes.data, bytes.count);
            assert_string_equal(fracas_mesh_file_get_format(file), "vtk");
            io_volume_equals(file, volume);
            fracas_mesh_file_destroy(file);
            // A truncated word after the last type is not a keyword.
            bytes.count = whole;
            io_check_volume("a.vtk", &bytes, volume, whole);
            free(bytes.data);
        }
}

#define HEAD "# vtk DataFile Version 2.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define FOUR "POINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n"

static void kinds_of_cells(void** state) {
    (void)state;
    fracas_mesh_file* file = io_read(
        "a.vtk", HEAD FOUR "CELLS 9 36\n1 0\n2 0 1\n3 0 1 2\n3 1 2 3\n3 1 2 3\n4 0 1 2 3\n"
                           "4 0 1 2 3\n4 0 1 2 3\n3 0 1 2\nCELL_TYPES 9\n1 3 4 5 7 8 9 10 2\n");
    assert_int_equal(fracas_mesh_file_get_tets(file).tet_count, 1);
    io_left_out(file, "1 vertex, 1 poly-vertex");
    fracas_mesh_faces faces = fracas_mesh_file_get_faces(file);
    const uint32_t pixel[4] = {0, 1, 3, 2};
    assert_memory_equal(faces.face_vertices + faces.face_offsets[2], pixel, sizeof pixel);
    io_counts(file, 4, 4, 6, 3, 0);
    io_counts(io_read("a.vtk", HEAD FOUR "CELLS 0 0\nCELL_TYPES 0\n"), 4, 0, 0, 0, 4);
    // Regression: the list of corners is NULL here, and an offset was added to it.
    io_counts(io_read("a.vtk", HEAD FOUR "CELLS 2 2\n0\n0\nCELL_TYPES 2\n0 2\n"), 4, 0, 0, 0, 4);
    io_counts(io_read("a.vtk",
                      HEAD FOUR "CELLS 1 0\nOFFSETS vtktypeint64\n0\nCONNECTIVITY vtktypeint64\n"
                                "CELL_TYPES 0\n"),
              4, 0, 0, 0, 4);
}

static void line_ends(void** state) {
    (void)state;
    io_counts(io_read("a.vtk", "# vtk DataFile Version 2.0\r\ntitle\r\nASCII\r\nDATASET "
                               "UNSTRUCTURED_GRID\r\nPOINTS 3 float\r\n0 0 0 1 0 0 0 1 0\r\n"
                               "METADATA\r\nINFORMATION 0\r\n\r\n"
                               "CELLS 1 4\r\n3 0 1 2\r\nCELL_TYPES 1\r\n5\r\n"),
              3, 1, 1, 0, 0);
}

static void refusals(void** state) {
    (void)state;
    io_refuse("a.vtk", "hello\n", "a.vtk:1: the file does not begin with '# vtk DataFile Version'");
    io_refuse("a.vtk", "# vtk DataFile Version 2.0\nt\nTEXT\n",
              "a.vtk:3: 'TEXT' found where ASCII or BINARY is expected");
    io_refuse("a.vtk", HEAD "CELLS 1 4\n", "a.vtk:5: CELLS comes before POINTS");
    io_refuse("a.vtk", HEAD FOUR "CELL_TYPES 0\n", "a.vtk:7: CELL_TYPES comes before CELLS");
    io_refuse("a.vtk", HEAD FOUR FOUR, "a.vtk:7: there is a second section POINTS");
    io_refuse("a.vtk", HEAD FOUR, "a.vtk:7: the file ends where POINTS, CELLS or CELL_TYPES");
    io_refuse("a.vtk", HEAD FOUR "SCALARS x\n", "a.vtk:7: 'SCALARS' found where POINTS, CELLS");
    io_refuse("a.vtk", HEAD "POINTS 4 text\n", "a.vtk:5: the file says it has 4 points");
    io_refuse("a.vtk", HEAD "POINTS 1 text\n0 0 0\n", "a.vtk:5: 'text' found where a type");
    io_refuse("a.vtk", HEAD "POINTS 1 float\n0 0 inf\n", "a.vtk:6: vertex 0 has the coordinate");
    io_refuse("a.vtk", HEAD FOUR "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n",
              "a.vtk:8: cell 0 refers to vertex 4 but the file has 4 vertices");
    io_refuse("a.vtk", HEAD FOUR "CELLS 1 6\n4 0 1 2 3\nCELL_TYPES 1\n10\n",
              "the cells take 1 numbers less than the line of CELLS says");
    io_refuse("a.vtk", HEAD FOUR "CELLS 1 4\n4 0 1 2 3\nCELL_TYPES 1\n10\n",
              "a.vtk:8: cell 0 has 4 corners, but the line of CELLS leaves 4 numbers");
    io_refuse("a.vtk", HEAD FOUR "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n",
              "a.vtk:9: there are 2 types of cells for 1 cells");
    io_refuse("a.vtk", HEAD FOUR "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n",
              "a.vtk:10: cell 0 is of type 10 (tetrahedron) and has 3 corners");
    io_refuse("a.vtk", HEAD FOUR "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n7\n", "(polygon) and has 2");
    io_refuse("a.vtk", HEAD FOUR "CELLS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTION int\n",
              "a.vtk:10: 'CONNECTION' found where CONNECTIVITY is expected");
    io_refuse("a.vtk", HEAD FOUR "CELLS 3 4\nOFFSETS vtktypeint64\n0 4 3\nCONNECTIVITY int\n",
              "a.vtk:9: offset 2 is 3; offsets begin with 0 and do not decrease, and the one "
              "before is 4");
    io_refuse("a.vtk", HEAD FOUR "CELLS 2 4\nOFFSETS vtktypeint64\n1 4\nCONNECTIVITY int\n",
              "a.vtk:9: offset 0 is 1");
    io_refuse("a.vtk", HEAD FOUR "CELLS 2 4\nOFFSETS vtktypeint64\n0 3\nCONNECTIVITY int\n",
              "a.vtk:10: the last offset is 3");
    io_refuse("a.vtk", HEAD FOUR "CELLS 2 4\nOFFSETS int\n0 4\nCONNECTIVITY int\n0 1 2 -3\n",
              "a.vtk:11: corner 3 refers to vertex -3");
    static const char cube[] = HEAD FOUR "CELLS 1 9\n8 0 1 2 3 0 1 2 3\nCELL_TYPES 1\n12\n";
    io_refuse_bytes("a.vtk", cube, sizeof cube - 1, FRACAS_ERROR_UNSUPPORTED,
                    "a.vtk:10: cell 0 is of type 12 (hexahedron), which is not read");
    static const char other[] = "# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\n";
    io_refuse_bytes("a.vtk", other, sizeof other - 1, FRACAS_ERROR_UNSUPPORTED,
                    "a.vtk:4: the dataset is 'POLYDATA'; only UNSTRUCTURED_GRID is read");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding),
        cmocka_unit_test(kinds_of_cells),
        cmocka_unit_test(line_ends),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
