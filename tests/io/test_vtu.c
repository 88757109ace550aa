// VTK XML: text, inline base64, appended raw and base64 data, compressed or not, pieces, and
// invalid files.
#include "io_write_vtk.h"

static void check_encoding(const io_vtu* vtu) {
    const io_volume* volume = vtu->single ? io_volume_short() : io_volume_full();
    io_bytes bytes = {0};
    io_write_vtu(&bytes, vtu, volume);
    fracas_mesh_file* file = io_parse("nameless", bytes.data, bytes.count);
    assert_string_equal(fracas_mesh_file_get_format(file), "vtu");
    fracas_mesh_file_destroy(file);
    // Data after the appended data is ignored.
    size_t tail = vtu->format >= IO_RAW ? strlen("\n</AppendedData>\n</VTKFile>\n") : 1;
    io_check_volume("a.vtu", &bytes, volume, bytes.count - tail);
    free(bytes.data);
}

static void every_encoding(void** state) {
    (void)state;
    for (int how = 0; how < 16; how++)
        for (int format = IO_ASCII; format <= IO_APPENDED64; format++)
            for (unsigned size = 4; size <= 8; size += 4) {
                io_vtu vtu = {.format = (io_vtu_format)format,
                              .big = how & 1,
                              .wide_header = how >> 1 & 1,
                              .single = how >> 2 & 1,
                              .split_header = how >> 3 & 1,
                              .index_size = size};
                check_encoding(&vtu);
            }
}

// Blocks of 7 bytes, which divide numbers; of 72, which are filled by points of 8 and of 4 bytes;
// and one block.
static void every_compression(void** state) {
    (void)state;
    static const unsigned blocks[] = {7, 72, 1 << 20};
    for (unsigned how = 0; how < 16; how++)
        for (int format = IO_ASCII; format <= IO_APPENDED64; format++) {
            io_vtu vtu = {.format = (io_vtu_format)format,
                          .big = how & 1,
                          .wide_header = how >> 1 & 1,
                          .single = how >> 2 & 1,
                          .split_header = how >> 3 & 1,
                          .index_size = how % 3 ? 8 : 4,
                          .block = blocks[(how + how / 3) % 3],
                          .kind = (io_kind)(how % 3),
                          .last_full = how >> 1 & 1};
            check_encoding(&vtu);
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
    assert_memory_equal(fracas_mesh_file_get_tets(file).tets, tet, sizeof tet);
    assert_int_equal(fracas_mesh_file_get_tets(file).tet_count, 1);
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
              "a.vtu:2: there is a second array 'Points'");
    io_refuse("a.vtu", FILE_TAG PIECE("5", "0") FOUR END,
              "a.vtu:2: the array 'Points' has too few bytes");
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
              "the array 'Points' has too few bytes");
    io_refuse("a.vtu", FILE_TAG "<AppendedData encoding='raw'>x" END, "does not begin with '_'");
}

// A few bytes referenced by many pieces do not become a large mesh.
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

// ---- compressed arrays with wrong headers or streams

// Four points with one byte per coordinate; the numbers of the header and the stream are given.
static void put_points(io_bytes* out, const uint64_t* header, unsigned count,
                       const io_bytes* stream, size_t stream_size) {
    io_put(out, "<VTKFile type='UnstructuredGrid' byte_order='LittleEndian' header_type='UInt64' "
                "compressor='vtkZLibDataCompressor'>\n" PIECE("4", "0"));
    io_put(out, "<Points><DataArray type='UInt8' format='appended' offset='0'/></Points></Piece>"
                "<AppendedData encoding='raw'>_");
    for (unsigned i = 0; i < count; i++) io_put_int(out, header[i], 8, false);
    io_put_bytes(out, stream->data, stream_size);
}

static void refuse_points(const uint64_t* header, unsigned count, const io_bytes* stream,
                          size_t stream_size, const char* part) {
    io_bytes bytes = {0};
    put_points(&bytes, header, count, stream, stream_size);
    io_refuse_bytes("a.vtu", bytes.data, bytes.count, FRACAS_ERROR_BAD_DATA, part);
    free(bytes.data);
}

static void wrong_headers(void** state) {
    (void)state;
    const unsigned char points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    io_bytes stream = io_zlib(IO_FIXED, points, sizeof points);
    const uint64_t size = stream.count;
    const char* cut = "a.vtu:3: the array 'Points' has too few bytes";
    const char* impossible = "which is impossible; the numbers before it are wrong";
    const struct {
        uint64_t header[5];
        unsigned count;
        const char* part;
    } cases[] = {
        {{0, 12, 0},                       3, cut                                           },
        {{0, 12, 12, size},                4, cut                                           },
        {{1 << 20, 12, 0, size},           4, cut                                           },
        {{UINT64_MAX, 12, 0, size},        4, cut                                           },
        {{1, 12, 0, size + 1},             4, cut                                           },
        {{1, 12, 0, UINT64_MAX},           4, cut                                           },
        {{2, 6, 0, size, UINT64_MAX - 20}, 5, cut                                           },
        {{1, 1 << 20, 0, size},            4, impossible                                    },
        {{1, UINT64_MAX, 0, size},         4, impossible                                    },
        {{1, 12, 13, size},                4, impossible                                    },
        {{2, UINT64_MAX / 2, 12, size, 0}, 5, impossible                                    },
        {{2, 1 << 30, 12, size, 0},        5, impossible                                    },
        {{1, 0, 12, size},                 4, impossible                                    },
        {{1, 0, 0, size},                  4, "more bytes than the array's header says"     },
        {{1, 11, 0, size},                 4, "more bytes than the array's header says"     },
        {{1, 13, 0, size},                 4, "claims 13 bytes, the piece needs 12; correct"},
        {{2, 10, 3, size, 0},              5, "claims 13 bytes, the piece needs 12; correct"},
        {{2, 6, 0, size, 0},               5, "block 0 of 2 (counting from 0), byte "       },
        {{1, 12, 0, size - 1},             4, "byte 12 of its 12: the stream ends early"    }
    };
    const uint64_t good[4] = {1, 1 << 30, 12, size};
    io_bytes bytes = {0};
    put_points(&bytes, good, 4, &stream, stream.count);
    io_counts(io_parse("a.vtu", bytes.data, bytes.count), 4, 0, 0, 0, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuse_points(cases[i].header, cases[i].count, &stream, stream.count, cases[i].part);
    free(bytes.data);
    free(stream.data);
    stream = io_zlib(IO_FIXED, points, 6);
    const uint64_t half[5] = {2, 6, 0, stream.count, 0};
    refuse_points(half, 5, &stream, stream.count,
                  "block 1 of 2 (counting from 0), byte 0 of its 0: ");
    free(stream.data);
}

static void wrong_streams(void** state) {
    (void)state;
    const unsigned char points[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    io_bytes stream = io_zlib(IO_STORED, points, 12);
    const uint64_t header[4] = {1, 12, 0, stream.count};
    stream.data[9] ^= 1;
    refuse_points(header, 4, &stream, stream.count,
                  "a.vtu:3: the array 'Points', block 0 of 1 (counting from 0), byte 19 of its 23: "
                  "the checksum does not match");
    stream.data[0] = 'x' + 1;
    refuse_points(header, 4, &stream, stream.count, "byte 0 of its 23: this is not a zlib stream");
    free(stream.data);
    // Valid streams with too many or too few bytes.
    for (unsigned count = 9; count <= 15; count += 6) {
        stream = io_zlib(IO_FIXED, points, count);
        const uint64_t other[4] = {1, count, 0, stream.count};
        refuse_points(other, 4, &stream, stream.count,
                      count < 12 ? "has too few bytes" : "has more values than");
        free(stream.data);
    }
}

// ---- streams that inflate to much more than the file needs

typedef struct usage {
    size_t live, peak;
} usage;

static void* measure_allocate(size_t size, size_t alignment, void* user) {
    usage* u = user;
    u->live += size;
    if (u->live > u->peak) u->peak = u->live;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void measure_release(void* memory, size_t size, void* user) {
    ((usage*)user)->live -= size;
    free(memory);
}

// Four points in a stream of 16 MB of zeros (its fixed block is written by hand: one literal, then
// matches of 258). Rejected from the header when it declares all of them, by the decoder when it
// declares the 12 that are needed; both times with little memory.
static void decompression_bombs(void** state) {
    (void)state;
    enum { MATCHES = 65536, TOTAL = 1 + 258 * MATCHES };
    const io_code literals = io_code_fixed(), distances = io_code_even(30, 30, 5);
    io_bits bits = {0};
    io_zlib_begin(&bits);
    io_block_begin(&bits, true, IO_FIXED);
    io_bits_symbol(&bits, &literals, 0);
    for (int i = 0; i < MATCHES; i++) io_match(&bits, &literals, &distances, 258, 1);
    io_bits_symbol(&bits, &literals, 256);
    unsigned char* zeros = calloc(TOTAL, 1);
    io_zlib_end(&bits, zeros, TOTAL);
    free(zeros);
    const struct {
        uint64_t claim;
        const char* part;
    } cases[] = {
        {TOTAL,
         "a.vtu:3: the array 'Points' has more values than the piece says: its header (byte"},
        {12,    "the stream has more bytes than the array's header says"                    }
    };
    for (int i = 0; i < 2; i++) {
        usage u = {0};
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = 1;
        options.allocator = (fracas_allocator){measure_allocate, measure_release, &u};
        fracas_context* context = NULL;
        assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
        const uint64_t header[4] = {1, cases[i].claim, 0, bits.bytes.count};
        io_bytes bytes = {0};
        put_points(&bytes, header, 4, &bits.bytes, bits.bytes.count);
        const size_t before = u.peak = u.live;
        fracas_mesh_file* file = NULL;
        assert_int_equal(
            fracas_mesh_file_parse(context, "a.vtu", bytes.data, bytes.count, NULL, &file),
            FRACAS_ERROR_BAD_DATA);
        char message[1200];
        fracas_context_get_message(context, message, sizeof message);
        if (!strstr(message, cases[i].part)) fail_msg("'%s' is not in: %s", cases[i].part, message);
        assert_true(u.peak - before < 1 << 16);
        fracas_context_destroy(context);
        assert_int_equal(u.live, 0);
        free(bytes.data);
    }
    free(bits.bytes.data);
}

// Many more points than the file has bytes are read; a second array that references them is
// rejected.
static void small_file(void** state) {
    (void)state;
    static unsigned char zeros[300000];
    io_bytes stream = io_zlib(IO_FIXED, zeros, sizeof zeros), bytes = {0};
    for (int times = 1; times <= 2; times++) {
        bytes.count = 0;
        io_put(&bytes, "<VTKFile type='UnstructuredGrid' byte_order='LittleEndian' "
                       "compressor='vtkZLibDataCompressor'>");
        for (int i = 0; i < times; i++)
            io_put(&bytes, "<Piece NumberOfPoints='100000' NumberOfCells='0'><Points><DataArray "
                           "type='UInt8' format='appended' offset='0'/></Points></Piece>");
        io_put(&bytes, "<AppendedData encoding='raw'>_");
        const uint64_t header[4] = {1, sizeof zeros, 0, stream.count};
        for (int i = 0; i < 4; i++) io_put_int(&bytes, header[i], 4, false);
        io_put_bytes(&bytes, stream.data, stream.count);
        assert_true(bytes.count < 4000);
        if (times == 1)
            io_counts(io_parse("a.vtu", bytes.data, bytes.count), 100000, 0, 0, 0, 100000);
        else
            io_refuse_bytes("a.vtu", bytes.data, bytes.count, FRACAS_ERROR_BAD_DATA,
                            "they overlap");
    }
    free(bytes.data);
    free(stream.data);
}

static void unsupported(void** state) {
    (void)state;
    static const char* const others[] = {"vtkLZ4DataCompressor", "vtkLZMADataCompressor", "own"};
    for (int i = 0; i < 3; i++) {
        char text[256], part[128];
        snprintf(text, sizeof text, "<VTKFile type='UnstructuredGrid' compressor='%s'>" END,
                 others[i]);
        snprintf(part, sizeof part, "a.vtu:1: the arrays are compressed by %s, which is not read",
                 others[i]);
        io_refuse_bytes("a.vtu", text, strlen(text), FRACAS_ERROR_UNSUPPORTED, part);
    }
    static const char other[] = "<VTKFile type='PolyData'>" END;
    io_refuse_bytes("a.vtu", other, sizeof other - 1, FRACAS_ERROR_UNSUPPORTED,
                    "a.vtu:1: the file is not an UnstructuredGrid");
    static const char cube[] =
        FILE_TAG PIECE("4", "1") FOUR CELLS("0 1 2 3 0 1 2 3", "8", "12") END;
    io_refuse_bytes("a.vtu", cube, sizeof cube - 1, FRACAS_ERROR_UNSUPPORTED, "(hexahedron)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding),
        cmocka_unit_test(every_compression),
        cmocka_unit_test(wrong_headers),
        cmocka_unit_test(wrong_streams),
        cmocka_unit_test(decompression_bombs),
        cmocka_unit_test(small_file),
        cmocka_unit_test(pieces),
        cmocka_unit_test(refusals),
        cmocka_unit_test(shared_bytes),
        cmocka_unit_test(unsupported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
