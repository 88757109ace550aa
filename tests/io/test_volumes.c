// Real volumes: counts as stated in the files, and the surface where the file lists it.
#include "fracas/contact.h"
#include "io_data.h"

typedef struct expectation {
    const char *path, *format;
    uint32_t points, tets;
    uint32_t surface;  // number of triangles listed in the file; 0: none
} expectation;

static const expectation expectations[] = {
    {"tets/ipc/Armadillo13K.msh",                 "msh",    13230, 54985,  17296},
    {"tets/ipc/bunny.msh",                        "msh",    4670,  19379,  6266 },
    {"tets/ipc/dolphin5K.msh",                    "msh",    8111,  36304,  10000},
    {"tets/ipc/hollowCat7.5K.msh",                "msh",    12827, 57636,  15000},
    {"tets/ipc/mat40x40.msh",                     "msh",    3200,  9126,   6396 },
    {"tets/ipc/monkey8K.msh",                     "msh",    12448, 52864,  16000},
    {"tets/ipc/sphere1K.msh",                     "msh",    1760,  6851,   2474 },
    {"tets/codim-ipc/Armadillo28K.vtk",           "vtk",    27951, 121190, 0    },
    {"tets/codim-ipc/bottle.vtk",                 "vtk",    9261,  29745,  0    },
    {"tets/codim-ipc/torus4K.vtk",                "vtk",    4621,  17514,  0    },
    {"tets/gaia/octopus_11K.1.node",              "tetgen", 12971, 42096,  0    },
    {"tets/gaia/octopus_11K.1.ele",               "tetgen", 12971, 42096,  0    },
    {"medial/medial-ipc/dinosaur/dinosaur_h.ele", "tetgen", 17061, 56072,  0    }
};

// ---- the surface listed in IPC's files

typedef uint32_t triple[3];

static int compare_triples(const void* a, const void* b) {
    return memcmp(a, b, sizeof(triple));  // any order is equivalent
}

// Rotated so that the smallest vertex comes first, which keeps the orientation.
static void settle(triple* list, size_t count) {
    for (size_t i = 0; i < count; i++)
        while (list[i][0] > list[i][1] || list[i][0] > list[i][2]) {
            uint32_t first = list[i][0];
            list[i][0] = list[i][1], list[i][1] = list[i][2], list[i][2] = first;
        }
    qsort(list, count, sizeof *list, compare_triples);
}

static triple* read_surface(const char* path, uint32_t count) {
    FILE* stream = fopen(path, "rb");
    char line[256];
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream) && strcmp(line, "$Surface\n") != 0) continue;
    assert_non_null(fgets(line, sizeof line, stream));
    assert_int_equal(strtoul(line, NULL, 10), count);
    triple* list = malloc(count * sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        assert_non_null(fgets(line, sizeof line, stream));
        char* at = line;
        for (int k = 0; k < 3; k++) list[i][k] = (uint32_t)strtoul(at, &at, 10) - 1;
    }
    fclose(stream);
    return list;
}

static void check_surface(const expectation* e, const fracas_tet_view* tets) {
    uint64_t count = 0;
    triple* found = malloc((size_t)tets->tet_count * 4 * sizeof *found);
    assert_int_equal(fracas_tet_find_boundary(io_context(), tets, found[0], NULL, &count),
                     FRACAS_OK);
    assert_int_equal(count, e->surface);
    triple* listed = read_surface(io_path(e->path), e->surface);
    settle(found, (size_t)count);
    settle(listed, (size_t)count);
    assert_memory_equal(found, listed, (size_t)count * sizeof *found);
    free(found);
    free(listed);
}

static void counts_and_surfaces(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
        const expectation* e = &expectations[i];
        fracas_mesh_file* file = NULL;
        if (fracas_mesh_file_read(io_context(), io_path(e->path), NULL, &file) != FRACAS_OK)
            fail_msg("%s", io_message());
        fracas_tet_view tets = fracas_mesh_file_get_tets(file);
        fracas_tet_info info;
        assert_int_equal(fracas_tet_describe(io_context(), &tets, &info), FRACAS_OK);
        print_message("%s: %u points, %u tetrahedra, %llu on the surface, %u parts, %u inverted, "
                      "%u flat\n",
                      e->path, info.vertices, info.tets,
                      (unsigned long long)info.boundary_triangles, info.components, info.inverted,
                      info.flat);
        assert_string_equal(fracas_mesh_file_get_format(file), e->format);
        assert_int_equal(info.vertices, e->points);
        assert_int_equal(info.tets, e->tets);
        assert_int_equal(info.unused_vertices, fracas_mesh_file_get_view(file).vertex_count);
        assert_int_equal(fracas_mesh_file_get_view(file).triangle_count, 0);
        assert_null(fracas_mesh_file_get_face_tets(file));
        if (e->surface) check_surface(e, &tets);
        fracas_mesh_file_destroy(file);
    }
}

// The surface of two tetrahedra, and those of the file's own triangles that are not faces of them.
static void surface_instead(void** state) {
    (void)state;
    static const char text[] =
        "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 7 double\n"
        "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1 9 9 9 8 8 8\nCELLS 6 27\n3 3 2 1\n4 0 1 2 3\n3 2 0 1\n"
        "3 0 1 4\n4 1 2 3 4\n4 0 1 4 5\nCELL_TYPES 6\n5 10 5 5 10 9\n";
    fracas_mesh_file_options options = fracas_mesh_file_default_options();
    options.surface = true;
    fracas_mesh_file* file = NULL;
    assert_int_equal(
        fracas_mesh_file_parse(io_context(), "a.vtk", text, sizeof text - 1, &options, &file),
        FRACAS_OK);
    static const uint32_t expected[] = {0, 3, 2, 0, 1, 3, 0, 2, 1, 2, 3,
                                        4, 1, 4, 3, 1, 2, 4, 0, 1, 4};
    const uint32_t free_point = 6;
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    assert_int_equal(fracas_mesh_file_get_tets(file).tet_count, 2);
    assert_int_equal(fracas_mesh_file_get_faces(file).face_count, 8);
    assert_int_equal(view.triangle_count, 9);
    for (size_t i = 0; i < 7; i++) {
        const uint32_t *a = view.triangles + 3 * i, *b = expected + 3 * i;
        if (memcmp(a, b, 3 * sizeof *a) != 0)
            fail_msg("triangle %zu: %u %u %u", i, a[0], a[1], a[2]);
    }
    static const uint32_t owners[8] = {0, 0, 0, 1, 1, 1, FRACAS_NONE, FRACAS_NONE};
    assert_memory_equal(fracas_mesh_file_get_face_tets(file), owners, sizeof owners);
    assert_int_equal(view.vertex_count, 1);
    assert_memory_equal(view.vertices, &free_point, sizeof free_point);
    fracas_mesh_file_destroy(file);
}

int main(void) {
    if (!io_data()) {
        print_message("skipped: there is no data; set FRACAS_DATA\n");
        return IO_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_surfaces),
        cmocka_unit_test(surface_instead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
