// MA and MAT files: what is written is read back, malformed files with their messages; given
// meshes.
#include "medial_mesh_kit.h"
#include <unistd.h>

static char message[1024];

static fracas_medial_mesh* parse(fracas_context* context, const char* text) {
    fracas_medial_mesh* mesh = NULL;
    const fracas_status status =
        fracas_medial_mesh_parse(context, "a.ma", text, strlen(text), &mesh);
    fracas_context_get_message(context, message, sizeof message);
    if (status != FRACAS_OK) fail_msg("%s", message);
    return mesh;
}

static void formats(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    fracas_medial_mesh* mesh =
        parse(context, "# a comment\n\n4 4 1\r\n\nv 0 1 2 0.5\nv 1e1 -2.5 3 .25 "
                       "# end\n v 0 0 0 0\nv 7 7 7 1\ne 0 1\ne 1 2\n#\ne 2 "
                       "0\ne 3 2\nf 0 1 2");
    fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    kit_check_medial(mesh);
    assert_int_equal(view.sphere_count, 4);
    assert_int_equal(view.edge_count, 4);
    assert_int_equal(view.triangle_count, 1);
    assert_true(view.spheres[1].center[0] == 10 && view.spheres[1].radius == 0.25);
    assert_int_equal(view.edges[6], 3);
    assert_int_equal(view.triangles[2], 2);
    fracas_medial_mesh_destroy(mesh);
    // The sides of slabs are edges.
    mesh = parse(context,
                 "4 1 1\nv 0 1 2 0.5 17\nv 1 1 1 1 18\nv 0 0 0 0 19\nv 7 7 7 1\nc 3 2\ns 0 1 2\n");
    view = fracas_medial_mesh_get_view(mesh);
    kit_check_medial(mesh);
    assert_int_equal(view.edge_count, 4);
    assert_int_equal(view.edges[0], 3);
    fracas_medial_mesh_destroy(mesh);
    mesh = parse(context, "0 0 0\n");
    assert_int_equal(fracas_medial_mesh_get_view(mesh).sphere_count, 0);
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
}

static void malformed(void** state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"",                                       "a.ma:1: the file is empty"                           },
        {"\n# only\n",                             "a.ma:1: the file is empty"                           },
        {"3 4\n",                                  "a.ma:1: the first line should have three numbers"    },
        {"1 0 x\n",                                "a.ma:1: the first line should have three numbers"    },
        {"1 0 -1\n",                               "a.ma:1: the first line should have three numbers"    },
        {"1 0 0 0\nv 0 0 0 1\n",                   "a.ma:1: '0' follows the last number"                 },
        {"999999 0 0\nv 0 0 0 1\n",                "a.ma:1: the file says it has 999999 spheres"         },
        {"1 0 0\nv 0 0 1\n",                       "a.ma:2: sphere 0 has '' for its radius"              },
        {"1 0 0\nv 0 0 z 1\n",                     "a.ma:2: vertex 0 has the coordinate 'z'"             },
        {"1 0 0\nv 0 0 0 1e999\n",                 "a.ma:2: sphere 0 has '1e999' for its radius"         },
        {"1 0 0\nv 0 0 0 -1\n",                    "a.ma:2: sphere 0 has the radius -1; it must not be"  },
        {"1 0 0\nv 0 0 0 1\nv 0 0 0 1\n",
         "a.ma:3: a further sphere follows; the first line says 1"                                       },
        {"2 0 0\nv 0 0 0 1\n",                     "a.ma:3: the file ends after 1 of 2 spheres"          },
        {"1 1 0\nv 0 0 0 1\ne 0 1\n",              "a.ma:3: edge 0 has '1' for a sphere; there are 1"    },
        {"1 1 0\nv 0 0 0 1\ne 0 -1\n",             "a.ma:3: edge 0 has '-1' for a sphere"                },
        {"1 1 0\nv 0 0 0 1\ne 0 0\n",              "a.ma:3: edge 0 has sphere 0 twice"                   },
        {"1 1 0\ne 0 0\nv 0 0 0 1\n",              "a.ma:2: edge 0 has '0' for a sphere; there are 0"    },
        {"1 0 1\nv 0 0 0 1\ns 0 1\n",              "a.ma:3: triangle 0 has '1' for a sphere"             },
        {"1 0 0\nw 0 0 0 1\n",                     "a.ma:2: the line begins with 'w'; expected v, e or f"},
        {"2 1 0\nv 0 0 0 1\nv 1 0 0 1\ne 0 1 5\n", "a.ma:4: '5' follows the last number"                 },
    };
    fracas_context* context = kit_context(1, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fracas_medial_mesh* mesh = (fracas_medial_mesh*)(void*)message;
        assert_int_equal(
            fracas_medial_mesh_parse(context, "a.ma", cases[i].text, strlen(cases[i].text), &mesh),
            FRACAS_ERROR_BAD_DATA);
        fracas_context_get_message(context, message, sizeof message);
        if (!strstr(message, cases[i].message))
            fail_msg("'%s' instead of '%s'", message, cases[i].message);
        assert_null(mesh);
    }
    fracas_context_destroy(context);
}

static void written_and_read(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    char path[64];
    const fracas_medial_sphere spheres[5] = {
        {{0.1, 1. / 3, -1e-300}, 0.7   },
        {{1, 2, 3},              0     },
        {{4, 5, 6e20},           1. / 7},
        {{7, 8, 9},              1     },
        {{7, 8, 9},              1e-9  },
    };
    const uint32_t edges[] = {0, 1, 1, 2, 0, 2, 2, 3}, triangles[] = {0, 1, 2};
    const fracas_medial_view given = {spheres, edges, triangles, 5, 4, 1};
    fracas_medial_mesh *mesh, *again;
    assert_int_equal(fracas_medial_mesh_create_from(context, &given, &mesh), FRACAS_OK);
    kit_check_medial(mesh);
    for (int mat = 0; mat < 2; mat++) {
        snprintf(path, sizeof path, "/tmp/fracas_medial_%ld.%s", (long)getpid(),
                 mat ? "mat" : "ma");
        assert_int_equal(fracas_medial_mesh_write(mesh, path), FRACAS_OK);
        assert_int_equal(fracas_medial_mesh_read(context, path, &again), FRACAS_OK);
        kit_check_medial(again);
        const fracas_medial_view view = fracas_medial_mesh_get_view(again);
        assert_int_equal(view.sphere_count, 5);
        assert_memory_equal(view.spheres, spheres, sizeof spheres);
        assert_int_equal(view.edge_count, 4);
        for (int e = 0; e < 4; e++)
            assert_true(kit_has_edge(&view, edges[2 * e], edges[2 * e + 1]));
        assert_memory_equal(view.triangles, triangles, sizeof triangles);
        fracas_medial_mesh_destroy(again);
        remove(path);
    }
    assert_int_equal(fracas_medial_mesh_read(context, path, &again), FRACAS_ERROR_FILE);
    assert_null(again);
    assert_int_equal(fracas_medial_mesh_write(mesh, "/nowhere/a.ma"), FRACAS_ERROR_FILE);
    fracas_context_get_message(context, message, sizeof message);
    assert_non_null(strstr(message, "/nowhere/a.ma: cannot be opened for writing"));
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
}

static void bad_views(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    for (int i = 0; i < 7; i++) {
        static const char* const texts[] = {
            "sphere 1 has y = nan",         "sphere 2 has the radius -1",
            "sphere 2 has the radius inf",  "edge 1 refers to sphere 3, but there are 3",
            "edge 0 has sphere 1 twice",    "triangle 0 refers to sphere 9",
            "triangle 0 has sphere 0 twice"};
        fracas_medial_sphere spheres[3] = {
            {{0, 0, 0}, 1},
            {{1, 0, 0}, 1},
            {{0, 1, 0}, 1}
        };
        uint32_t edges[4] = {0, 1, 1, 2}, triangles[3] = {0, 1, 2};
        const fracas_medial_view view = {spheres, edges, triangles, 3, 2, 1};
        fracas_medial_mesh* mesh = (fracas_medial_mesh*)(void*)message;
        if (i == 0) spheres[1].center[1] = NAN;
        if (i == 1) spheres[2].radius = -1;
        if (i == 2) spheres[2].radius = INFINITY;
        if (i == 3) edges[3] = 3;
        if (i == 4) edges[0] = 1;
        if (i == 5) triangles[1] = 9;
        if (i == 6) triangles[2] = 0;
        assert_int_equal(fracas_medial_mesh_create_from(context, &view, &mesh),
                         FRACAS_ERROR_BAD_DATA);
        fracas_context_get_message(context, message, sizeof message);
        if (!strstr(message, texts[i])) fail_msg("'%s' instead of '%s'", message, texts[i]);
        assert_null(mesh);
    }
    const fracas_medial_view none = {.sphere_count = 1};
    fracas_medial_mesh* mesh;
    assert_int_equal(fracas_medial_mesh_create_from(context, &none, &mesh),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),
        cmocka_unit_test(malformed),
        cmocka_unit_test(written_and_read),
        cmocka_unit_test(bad_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
