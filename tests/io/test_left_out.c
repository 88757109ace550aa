// Elements that a reader skips: counted by name, never dropped silently.
#include "io_write_medit.h"

static void expect(const char* name, const char* text, const char* left_out) {
    fracas_mesh_file* file = io_read(name, text);
    io_left_out(file, left_out);
    fracas_mesh_file_destroy(file);
}

static void nothing_skipped(void** state) {
    (void)state;
    expect("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1 2 3\n", "");
    assert_int_equal(fracas_mesh_file_count_left_out(NULL), 0);
    assert_string_equal(fracas_mesh_file_get_left_out(NULL, 0).name, "");
}

static void obj(void** state) {
    (void)state;
    expect(
        "a.obj",
        "mtllib a\no x\ng y\ns 1\nusemtl m\nv 0 0 0\nv 1 0 0\nvt 0 0\nvp 0 0\ncstype bezier\n"
        "deg 1 1\nsurf 0 1 0 1 1 2 \\\n 1 2\nparm u 0 1\nend\ncurv 0 1 1 2\nsurf 0 1 0 1 1 2 1 2\n"
        "call other.obj\nbzp 1 2\nCALL x\nmy_word 7\n# surf\n",
        "2 surf, 1 curv, 1 call, 1 bzp, 1 CALL, 1 my_word");
}

#define PLY_POINTS                                                                                 \
    "element vertex 2\nproperty float x\nproperty float y\nproperty float z\nelement tet 2\n"      \
    "property list uchar int vertex_indices\nelement camera 1\nproperty float fov\n"               \
    "element none 0\nproperty int x\nend_header\n"

static void ply(void** state) {
    (void)state;
    expect("a.ply", "ply\nformat ascii 1.0\n" PLY_POINTS "0 0 0\n1 0 0\n4 0 1 0 1\n0\n90\n",
           "2 tet, 1 camera");
    io_bytes bytes = {0};
    io_put(&bytes, "%s", "ply\nformat binary_big_endian 1.0\n" PLY_POINTS);
    for (int i = 0; i < 6; i++) io_put_float(&bytes, 1, true);
    io_put_int(&bytes, 1, 1, true);
    io_put_int(&bytes, 7, 4, true);
    io_put_int(&bytes, 0, 1, true);
    io_put_float(&bytes, 90, true);
    fracas_mesh_file* file = io_parse("a.ply", bytes.data, bytes.count);
    io_left_out(file, "2 tet, 1 camera");
    io_counts(file, 2, 0, 0, 0, 2);
    free(bytes.data);
}

#define MEDIT "MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 0 1\n"

static void medit_text(void** state) {
    (void)state;
    expect("a.mesh", MEDIT "TetrahedraP3\n2\n1 1 1 1 0\n1 1 1 1 0\nEnd", "2 TetrahedraP3");
    expect("a.mesh", MEDIT "PrismsP2 1\n1 1 1\nHexahedra 0\nEnd", "1 PrismsP2");
    expect("a.mesh", MEDIT "PolyhedraHeaders 1\n1 1\nPolyhedraFaces 2\n1\n1\nEnd",
           "1 PolyhedraHeaders, 2 PolyhedraFaces");
    expect("a.mesh", MEDIT "Somethings 3\n1 1 1\nOthers\nSomethings 1 1\nNobodys 0 End",
           "4 Somethings");
    // Marks, normals and solutions are not elements.
    expect("a.mesh",
           MEDIT "Corners 1\n1\nRidges 1\n1\nRequiredVertices 1\n1\nNormals 1\n0 0 1\n"
                 "NormalAtVertices 1\n1 1\nTangents 1\n0 0 1\nSolAtVertices 1\n1 1\n5\nEnd",
           "");
}

// Two sections of the same elements, one with a keyword without elements, and one with an unknown
// keyword.
static void medit_binary(void** state) {
    (void)state;
    static const uint32_t nodes[40] = {0};
    for (unsigned how = 0; how < 8; how++) {
        const io_medit medit = {true, how & 1, 1 + how / 2};
        io_bytes bytes = {0};
        io_write_medit(&bytes, &medit, io_volume_short());
        bytes.count -= medit.version < 3 ? 8 : 12;  // before End
        io_medit_cells(&bytes, &medit, "", 96, nodes, 2, 20);
        io_medit_cells(&bytes, &medit, "", 208, nodes, 3, 1);
        io_medit_cells(&bytes, &medit, "", 60, nodes, 4, 3);
        io_medit_cells(&bytes, &medit, "", 96, nodes, 1, 20);
        io_medit_cells(&bytes, &medit, "", 9999, nodes, 5, 1);
        io_put_int(&bytes, 54, 4, medit.big);
        fracas_mesh_file* file = io_parse("a.meshb", bytes.data, bytes.count);
        io_left_out(file, "1 Edges, 3 TetrahedraP3, 3 PolyhedraFaces, 5 keyword-9999");
        fracas_mesh_file_destroy(file);
        free(bytes.data);
    }
}

static void gmsh_and_vtk(void** state) {
    (void)state;
    expect("a.msh",
           "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n"
           "$Elements\n3\n1 1 0 1 2\n2 15 0 1\n3 1 0 2 1\n$EndElements\n",
           "2 line, 1 point");
    expect("a.vtk",
           "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 2 float\n"
           "0 0 0 1 0 0\nCELLS 3 8\n1 0 2 0 1 2 0 1\nCELL_TYPES 3\n1 3 2\n",
           "1 vertex, 1 poly-vertex");
}

// Names are truncated, cleaned and limited in number; many names do not make reading slow.
static void many_names(void** state) {
    (void)state;
    io_bytes bytes = {0};
    for (int i = 0; i < 31; i++) io_put(&bytes, "name_%d\n", i);
    io_put(&bytes, "surf\ncurv\ncall\nname_3\n");
    for (int i = 0; i < 20000; i++) io_put(&bytes, "word_%d\n", i);
    fracas_mesh_file* file = io_parse("a.obj", bytes.data, bytes.count);
    assert_int_equal(fracas_mesh_file_count_left_out(file), 32);
    assert_string_equal(fracas_mesh_file_get_left_out(file, 3).name, "name_3");
    assert_int_equal(fracas_mesh_file_get_left_out(file, 3).count, 2);
    assert_string_equal(fracas_mesh_file_get_left_out(file, 31).name, "others");
    assert_int_equal(fracas_mesh_file_get_left_out(file, 31).count, 20003);
    fracas_mesh_file_destroy(file);
    free(bytes.data);
    expect("a.ply",
           "ply\nformat ascii 1.0\nelement a\x01\xff"
           "bcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz 1\nproperty int x\nend_header\n1\n",
           "1 a??bcdefghijklmnopqrstuvwxyzabcdefghijkl...");
}

static void real_files(void** state) {
    (void)state;
    static const char* const cases[][2] = {
        {"faults/02_medit_PrismsP2.mesh",          "1 PrismsP2"         },
        {"faults/02_medit_TetrahedraP3.mesh",      "1 TetrahedraP3"     },
        {"faults/02_medit_polyhedra_dropped.mesh",
         "6 BoundaryPolygonHeaders, 24 BoundaryPolygonVertices, 6 InnerPolygonHeaders, "
         "24 InnerPolygonVertices, 1 PolyhedraHeaders, 6 PolyhedraFaces"},
        {"faults/03_obj_call_dropped.obj",         "1 call"             },
        {"faults/03_obj_surf_dropped.obj",         "1 surf"             },
        {"faults/03_ply_tet_element_dropped.ply",  "1 tet"              }
    };
    FILE* probe = io_data() ? fopen(io_path("faults/README.md"), "rb") : NULL;
    if (!probe) skip();
    fclose(probe);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fracas_mesh_file* file = NULL;
        if (fracas_mesh_file_read(io_context(), io_path(cases[i][0]), NULL, &file) != FRACAS_OK)
            fail_msg("%s", io_message());
        io_left_out(file, cases[i][1]);
        fracas_mesh_file_destroy(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_skipped),
        cmocka_unit_test(obj),
        cmocka_unit_test(ply),
        cmocka_unit_test(medit_text),
        cmocka_unit_test(medit_binary),
        cmocka_unit_test(gmsh_and_vtk),
        cmocka_unit_test(many_names),
        cmocka_unit_test(real_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
