// XML files of VTK: text, base64 in place, appended raw and base64, pieces, and what is refused.
#include "io_write_vtk.h"

static void every_encoding(void** state) {
    (void)state;
    for (int how = 0; how < 16; how++)
        for (int format = IO_ASCII; format <= IO_APPENDED64; format++)
            for (unsigned size = 4; size <= 8; size += 4) {
                io_vtu vtu = {(io_vtu_format)format, how & 1,      how >> 1 & 1,
                              how >> 2 & 1,          how >> 3 & 1, size};
                const io_volume* volume = vtu.single ? io_volume_short() : io_volume_full();
                io_bytes bytes = {0};
                io_write_vtu(&bytes, &vtu, volume);
                fracas_mesh_file* file = io_parse("nameless", bytes.data, bytes.count);
                assert_string_equal(fracas_mesh_file_format(file), "vtu");
                fracas_mesh_file_destroy(file);
                // What comes after appended data is not looked at.
                size_t tail = format >= IO_RAW ? strlen("\n</AppendedData>\n</VTKFile>\n") : 1;
                io_check_volume("a.vtu", &bytes, volume, bytes.count - tail);
                free(bytes.data);
            }
}

#define FILE_TAG "<VTKFile type=\"UnstructuredGrid\">"
#define END "</VTKFile>"
#define POINTS(list) "<Points><DataArray type=\"Float64\">" list "</DataArray></Points>"
#define ARRAY(name, list) "<DataArray type='Int32' Name='" name "'>" list "</DataArray>"
#define CELLS(corners, ends, types)                                                                \
    "<Cells>" ARRAY("connectivity", corners) ARRAY("offsets", ends) ARRAY("types", types) "</"     \
                                                                                          "Cells>"
#define PIECE(points, cells) "<Piece NumberOfPoints='" points "' NumberOfCells='" cells "'>\n"
#define FOUR POINTS("0 0 0 1 0 0 0 1 0 0 0 1")

static void pieces(void** state) {
    (void)state;
    fracas_mesh_file* file =
        io_read("a.vtu",
                FILE_TAG PIECE("4", "1") FOUR CELLS("0 1 2 3", "4", "10") "</Piece>" PIECE("3", "2")
                    CELLS("2 1 0 1 2", "3 5", "5 3")
                        POINTS("1 2 3 4 5 6 7 8 9") "</Piece>" PIECE("0", "0") "</Piece>" END);
    const uint32_t tet[4] = {0, 1, 2, 3};
    assert_memory_equal(fracas_mesh_file_tets(file).tets, tet, sizeof tet);
    assert_int_equal(fracas_mesh_file_tets(file).tet_count, 1);
    io_triangle(file, 0, 6, 5, 4);
    io_point(file, 6, 7, 8, 9);
    io_counts(file, 7, 1, 1, 1, 0);
}

static void refusals(void** state) {
    (void)state;
    io_refuse("a.vtu", "<html>\n", "a.vtu:1: the file begins with <html> where <VTKFile>");
    io_refuse("a.vtu", "hello\n", "a.vtu:2: the file ends before </VTKFile>");
    io_refuse("a.vtu", "<VTKFile type='UnstructuredGrid'\n", "a.vtu:1: a tag has no end");
    io_refuse("a.vtu", "\n<!-- VTKFile\n", "a.vtu:2: a comment has no end");
    io_refuse("a.vtu", FILE_TAG "\n<Piece NumberOfPoints='4'>" END,
              "a.vtu:2: the tag needs NumberOfCells=\"...\"");
    io_refuse("a.vtu", FILE_TAG "\n<Piece NumberOfPoints='9999999999' NumberOfCells='1'>" END,
              "a.vtu:2: the tag needs NumberOfPoints=\"...\", a number from 0 to");
    io_refuse("a.vtu", FILE_TAG "\n" PIECE("4", "0") END,
              "a.vtu:2: the piece has no array 'Points'");
    io_refuse("a.vtu", FILE_TAG PIECE("4", "1") FOUR END, "the piece has no array 'offsets'");
    io_refuse("a.vtu", FILE_TAG PIECE("4", "0") FOUR FOUR END,
              "a.vtu:2: the array 'Points' is here a second time");
    io_refuse("a.vtu", FILE_TAG PIECE("5", "0") FOUR END,
              "a.vtu:2: the array 'Points' has fewer bytes than it should");
    io_refuse("a.vtu", FILE_TAG PIECE("3", "0") FOUR END,
              "a.vtu:2: the array 'Points' has more values than the piece says");
    io_refuse("a.vtu", FILE_TAG PIECE("2", "0") POINTS("0 0 0\n0 nan 0") END,
              "a.vtu:3: vertex 1 has the coordinate 'nan'");
    io_refuse("a.vtu", FILE_TAG PIECE("4", "1") FOUR CELLS("0 1 2 4", "4", "10") END,
              "a.vtu:2: corner 3 refers to vertex 4 but the file has 4 vertices");
    io_refuse("a.vtu", FILE_TAG PIECE("4", "2") FOUR CELLS("0 1 2 3", "4 3", "10 10") END,
              "offset 1 is 3");
    io_refuse("a.vtu", FILE_TAG PIECE("4", "1") FOUR CELLS("0 1 2 3", "3", "10") END,
              "the array 'connectivity' has more values");
    io_refuse("a.vtu", FILE_TAG PIECE("4", "1") FOUR CELLS("0 1 2", "3", "10") END,
              "cell 0 is of type 10 (tetrahedron) and has 3 corners");
    io_refuse("a.vtu",
              FILE_TAG PIECE("1", "0") "<Points>\n<DataArray type='Float64' "
                                       "NumberOfComponents='2'>0 0</DataArray></Points>" END,
              "a.vtu:3: the points have 2 coordinates each");
    io_refuse("a.vtu",
              FILE_TAG PIECE("1", "0") "<Points><DataArray type='Real'>0 0 0</DataArray>" END,
              "the array 'Points' needs type=\"Float64\" or the like, not 'Real'");
    io_refuse("a.vtu",
              FILE_TAG PIECE("1", "0") "<Points><DataArray type='Float32' format='zip'>" END,
              "format=\"zip\" is unknown");
    io_refuse(
        "a.vtu",
        FILE_TAG PIECE(
            "1",
            "0") "<Points><DataArray type='Float32' format='appended' offset='0'/></Points>" END,
        "the array 'Points' is appended, but the file has no <AppendedData>");
    io_refuse("a.vtu",
              FILE_TAG PIECE("1", "0") "<Points><DataArray type='Float32' format='appended' "
                                       "offset='99'/></Points><AppendedData encoding='raw'>_" END,
              "the array 'Points' has fewer bytes than it should");
    io_refuse("a.vtu", FILE_TAG "<AppendedData encoding='raw'>x" END, "does not begin with '_'");
}

// A few bytes that are pointed to by many pieces make no large mesh.
static void shared_bytes(void** state) {
    (void)state;
    io_bytes bytes = {0};
    io_put(&bytes, "%s", FILE_TAG);
    for (int i = 0; i < 20; i++)
        io_put(&bytes, "<Piece NumberOfPoints='50' NumberOfCells='0'><Points>"
                       "<DataArray type='UInt8' format='appended' offset='0'/></Points></Piece>");
    io_put(&bytes, "<AppendedData encoding='raw'>_");
    io_put_int(&bytes, 150, 4, false);
    for (int i = 0; i < 150; i++) io_put_int(&bytes, 7, 1, false);
    io_refuse_bytes("a.vtu", bytes.data, bytes.count, FRACAS_ERROR_BAD_DATA, "they overlap");
    free(bytes.data);
}

static void unsupported(void** state) {
    (void)state;
    static const char zipped[] =
        "<VTKFile type='UnstructuredGrid' compressor='vtkZLibDataCompressor'>" END;
    io_refuse_bytes("a.vtu", zipped, sizeof zipped - 1, FRACAS_ERROR_UNSUPPORTED,
                    "a.vtu:1: the arrays are compressed (vtkZLibDataCompressor)");
    static const char other[] = "<VTKFile type='PolyData'>" END;
    io_refuse_bytes("a.vtu", other, sizeof other - 1, FRACAS_ERROR_UNSUPPORTED,
                    "a.vtu:1: the file is no UnstructuredGrid");
    static const char cube[] =
        FILE_TAG PIECE("4", "1") FOUR CELLS("0 1 2 3 0 1 2 3", "8", "12") END;
    io_refuse_bytes("a.vtu", cube, sizeof cube - 1, FRACAS_ERROR_UNSUPPORTED, "(hexahedron)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding), cmocka_unit_test(pieces),      cmocka_unit_test(refusals),
        cmocka_unit_test(shared_bytes),   cmocka_unit_test(unsupported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
