// Out of memory: allocation 1, 2, 3, ... fails until the call succeeds; nothing leaks, nothing is
// returned. And cancelling.
#include "io_data.h"

typedef struct counter {
    size_t live, calls, fail_at;
} counter;

static void* counting_allocate(size_t size, size_t alignment, void* user) {
    counter* c = user;
    if (++c->calls == c->fail_at) return NULL;
    c->live += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counting_release(void* memory, size_t size, void* user) {
    counter* c = user;
    c->live -= size;
    free(memory);
}

static fracas_context* counting_context(counter* c) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator = (fracas_allocator){counting_allocate, counting_release, c};
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

typedef fracas_status action(fracas_context* context, const char* name, const char* text);

static fracas_status parse(fracas_context* context, const char* name, const char* text) {
    fracas_mesh_file* file = (fracas_mesh_file*)1;
    fracas_mesh_file_options options = fracas_mesh_file_default_options();
    options.weld = FRACAS_WELD_EXACT;
    options.surface = true;
    fracas_status status =
        fracas_mesh_file_parse(context, name, text, strlen(text), &options, &file);
    if (status != FRACAS_OK) assert_null(file);
    fracas_mesh_info info;
    fracas_mesh_view view = fracas_mesh_file_get_view(status == FRACAS_OK ? file : NULL);
    if (status == FRACAS_OK) status = fracas_mesh_describe(context, &view, &info);
    if (file) fracas_mesh_file_destroy(file);
    return status;
}

static fracas_status read_written(fracas_context* context, const char* name, const char* text) {
    (void)text;
    const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    fracas_mesh_view view = {
        .points = {.data = points, .count = 3}
    };
    fracas_status status = fracas_ply_write(context, name, &view, NULL, NULL);
    if (status != FRACAS_OK) return status;
    fracas_mesh_file* file = (fracas_mesh_file*)1;
    status = fracas_mesh_file_read(context, name, NULL, &file);
    if (status != FRACAS_OK) assert_null(file);
    if (file) fracas_mesh_file_destroy(file);
    remove(name);
    return status;
}

static void sweep(action* act, const char* name, const char* text) {
    counter c = {0};
    fracas_context* context = counting_context(&c);
    size_t before = c.live;
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    for (size_t fail_at = 1; status != FRACAS_OK; fail_at++) {
        assert_true(fail_at < 1000);
        c.calls = 0;
        c.fail_at = fail_at;
        status = act(context, name, text);
        assert_int_equal(c.live, before);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
        char message[64];
        fracas_context_get_message(context, message, sizeof message);
        assert_non_null(strstr(message, "out of memory"));
    }
    fracas_context_destroy(context);
    assert_int_equal(c.live, 0);
}

static void readers(void** state) {
    (void)state;
    sweep(parse, "a.obj",
          "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nv 0 2 0\nv 9 9 9\nf 1 2 3 4 5\nf 1 2\nf 3 4 5\n"
          "f 1 2 3\nf 1 2 3\nf 1 2 3\nl 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5\n"
          "surf\ncurv\ncall\na\nb\nc\nd\ne\nh\n");
    sweep(parse, "a.ply",
          "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
          "float z\nproperty int parent\nelement face 2\nproperty list uchar int vertex_indices\n"
          "property int parent\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n"
          "end_header\n0 0 0 1\n1 0 0 2\n0 1 0 3\n3 0 1 2 5\n3 2 1 0 6\n0 2\n");
    sweep(parse, "a.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n4 0 1 2 3\n");
    sweep(
        parse, "a.stl",
        "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
        "endfacet\nendsolid\n");
}

#define FOUR "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"

static void volumes(void** state) {
    (void)state;
    sweep(parse, "a.msh",
          "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n9\n2\n3\n4\n" FOUR
          "$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 9 2 3\n3 1 4 1\n1 9 2 3 4\n$EndElements\n");
    sweep(parse, "a.vtk",
          "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n" FOUR
          "CELLS 3 12\n4 0 1 2 3\n3 0 1 2\n2 0 3\nCELL_TYPES 3\n10 5 3\n");
    sweep(parse, "a.vtu",
          "<VTKFile type='UnstructuredGrid' byte_order='LittleEndian'>"
          "<Piece NumberOfPoints='4' NumberOfCells='1'><Points><DataArray type='UInt8' "
          "format='binary'>DAAAAAAAAAEAAAABAAAAAQ==</DataArray></Points><Cells>"
          "<DataArray Name='connectivity' type='Int32'>0 1 2 3</DataArray>"
          "<DataArray Name='offsets' type='Int32'>4</DataArray>"
          "<DataArray Name='types' type='Int32'>10</DataArray></Cells></Piece></VTKFile>");
    // Two compressed blocks, of 8 bytes and of 4.
    sweep(parse, "a.vtu",
          "<VTKFile type='UnstructuredGrid' byte_order='LittleEndian' "
          "compressor='vtkZLibDataCompressor'><Piece NumberOfPoints='4' NumberOfCells='0'><Points>"
          "<DataArray type='UInt8' format='binary'>AgAAAAgAAAAEAAAADgAAAAwAAAA="
          "eJxjYGBgZABiAAAOAAN4nGNgYGAEAAAFAAI=</DataArray></Points></Piece></VTKFile>");
    sweep(parse, "a.mesh",
          "MeshVersionFormatted 2 Dimension 3 Vertices 4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n"
          "Tetrahedra 1 1 2 3 4 0\nTriangles 1 1 2 3 0\nEnd\n");
}

static fracas_status read_pair(fracas_context* context, const char* name, const char* text) {
    (void)text;
    fracas_mesh_file* file = (fracas_mesh_file*)1;
    fracas_status status = fracas_mesh_file_read(context, name, NULL, &file);
    if (status != FRACAS_OK) assert_null(file);
    fracas_mesh_file_destroy(file);
    return status;
}

static void pair_of_files(void** state) {
    (void)state;
    static const char* const texts[2][2] = {
        {"test_io_memory.node", "4 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"},
        {"test_io_memory.ele",  "1 4\n1 1 2 3 4\n"                         }
    };
    for (int i = 0; i < 2; i++) {
        FILE* stream = fopen(texts[i][0], "wb");
        assert_non_null(stream);
        fputs(texts[i][1], stream);
        fclose(stream);
    }
    sweep(read_pair, texts[0][0], NULL);
    remove(texts[0][0]);
    remove(texts[1][0]);
}

static void file_and_writer(void** state) {
    (void)state;
    sweep(read_written, "test_io_memory.ply", NULL);
}

// ---- cancelling

static bool stop_at_once(double fraction, void* user) {
    assert_true(fraction >= *(double*)user && fraction <= 1);
    *(double*)user = fraction;
    return fraction < 0.5;
}

static bool count_progress(double fraction, void* user) {
    double* reported = user;
    assert_true(fraction >= reported[0] && fraction <= 1);
    reported[0] = fraction;
    reported[1]++;
    return true;
}

enum { LINES = 400000, LINE = 8 };

// `head`, then many copies of `line`, which ends with a newline. Progress is reported to
// `*reported`.
static fracas_status cancel(const char* name, const char* head, const char* line,
                            double* reported) {
    size_t before = strlen(head), size = before + (size_t)LINES * LINE;
    char* text = malloc(size);
    memcpy(text, head, before);
    assert_int_equal(strlen(line), LINE);
    for (size_t i = 0; i < LINES; i++) memcpy(text + before + LINE * i, line, LINE);
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.progress = stop_at_once;
    options.progress_user = reported;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    fracas_mesh_file* file = (fracas_mesh_file*)1;
    fracas_status status = fracas_mesh_file_parse(context, name, text, size, NULL, &file);
    assert_null(file);
    fracas_context_destroy(context);
    free(text);
    return status;
}

static void cancelling(void** state) {
    (void)state;
    static const char* const texts[][3] = {
        {"a.obj",  "",                                                                             "v 0 0 0\n"},
        {"a.msh",  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n400000\n",                       "1 0 0 0\n"},
        {"a.vtk",
         "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 400000 float\n", "0 0 0  \n"},
        {"a.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices 400000\n",                       "0 0 0 0\n"}
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double reported = 0;
        assert_int_equal(cancel(texts[i][0], texts[i][1], texts[i][2], &reported),
                         FRACAS_ERROR_CANCELLED);
        assert_true(reported >= 0.5 && reported < 1);
    }
    // All tags are parsed before the first array is read.
    double reported = 0;
    assert_int_equal(cancel("a.vtu",
                            "<VTKFile type='UnstructuredGrid'><Piece NumberOfPoints='400000' "
                            "NumberOfCells='0'><Points><DataArray type='Int8'></DataArray></Points>"
                            "</VTKFile>",
                            "0 0 0  \n", &reported),
                     FRACAS_ERROR_BAD_DATA);
    assert_int_equal(cancel("a.vtu", "<VTKFile type='UnstructuredGrid'>", "<a></a>\n", &reported),
                     FRACAS_ERROR_CANCELLED);
}

// From reading the file to the end progress never decreases.
static void progress_of_a_file(void** state) {
    (void)state;
    const char* path = "test_io_progress.obj";
    FILE* stream = fopen(path, "wb");
    assert_non_null(stream);
    for (int i = 0; i < LINES; i++) fputs("v 0 0 0\nf 1 1 1 1\n", stream);
    fclose(stream);
    double reported[2] = {0, 0};  // the last progress, and the number of reports
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.progress = count_progress;
    options.progress_user = reported;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    fracas_mesh_file* file = NULL;
    assert_int_equal(fracas_mesh_file_read(context, path, NULL, &file), FRACAS_OK);
    assert_true(reported[1] >= 5);
    fracas_mesh_file_destroy(file);
    fracas_context_destroy(context);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers),       cmocka_unit_test(volumes),
        cmocka_unit_test(pair_of_files), cmocka_unit_test(file_and_writer),
        cmocka_unit_test(cancelling),    cmocka_unit_test(progress_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
