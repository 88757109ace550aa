// Gmsh: both versions, text and binary, both byte orders, tags that are not consecutive, and
// invalid files.
#include "io_write_msh.h"

static const uint64_t in_row[IO_POINTS] = {1, 2, 3, 4, 5, 6};
static const uint64_t scattered[IO_POINTS] = {100, 7, 0, 2000000000, 8, 6};
static const uint64_t far[IO_POINTS] = {900000000000000, 7, 0, 4294967296, 4294967297, 6};

static void every_encoding(void** state) {
    (void)state;
    const uint64_t* const tags[] = {in_row, scattered, far};
    unsigned checked = 0;
    for (int how = 0; how < 8; how++)
        for (unsigned size = 4; size <= 8; size += 4)
            for (int t = 0; t < 3; t++) {
                io_msh msh = {how & 1, how >> 1 & 1, how >> 2 & 1, size, tags[t]};
                // Text has no byte order; only 4.1 has a size; large tags need 8 bytes.
                if ((!msh.binary && (msh.big || size == 4)) || (msh.old && size == 4) ||
                    (t == 2 && msh.binary && (msh.old || size == 4)))
                    continue;
                io_bytes bytes = {0};
                io_write_msh(&bytes, &msh, io_volume_full());
                io_check_volume("a.msh", &bytes, io_volume_full(), bytes.count - 1);
                fracas_mesh_file* file = io_parse("nameless", bytes.data, bytes.count);
                assert_string_equal(fracas_mesh_file_get_format(file), "msh");
                io_left_out(file, "1 line");
                fracas_mesh_file_destroy(file);
                free(bytes.data);
                checked++;
            }
    assert_int_equal(checked, 20);
}

#define HEAD_2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD_4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES_2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define NODES_4 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"

static void parts(void** state) {
    (void)state;
    // Triangles only, quads, points, no elements at all, parametric nodes, unknown sections.
    io_counts(io_read("a.msh", HEAD_2 NODES_2 "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n"), 4, 1, 1,
              0, 1);
    io_counts(io_read("a.msh",
                      HEAD_2 NODES_2 "$Elements\n2\n1 3 2 0 0 1 2 3 4\n2 15 1 9 1\n$EndElements"),
              4, 1, 2, 0, 0);
    io_counts(io_read("a.msh", HEAD_4 NODES_4 "$Elements\n0 0 0 0\n$EndElements"), 4, 0, 0, 0, 4);
    fracas_mesh_file* file = io_read(
        "a.msh", HEAD_4 "$Comments\n$End\nanything $EndComment\n$EndComments\n$Nodes\n2 2 1 2\n"
                        "2 1 1 1\n1\n1 2 3 0.5 0.5\n3 1 1 1\n2\n4 5 6 7 8 "
                        "9\n$EndNodes\n$Elements\n0 0 0 0\n$EndElements\n");
    io_point(file, 0, 1, 2, 3);
    io_point(file, 1, 4, 5, 6);
    io_counts(file, 2, 0, 0, 0, 2);
}

static void refusals(void** state) {
    (void)state;
    io_refuse("a.msh", "hello\n", "a.msh:1: the file begins with 'hello' where $MeshFormat");
    io_refuse("a.msh", "$MeshFormat\n4.1 2 8\n$EndMeshFormat\n",
              "a.msh:2: the line should be like");
    io_refuse("a.msh", "$MeshFormat\n4.1 0 8\n$Nodes\n",
              "a.msh:3: '$Nodes' found where '$EndMeshFormat' is expected");
    io_refuse("a.msh", "$MeshFormat\n4.1 1 8\nabcd", "a.msh: byte 20: the number 1");
    io_refuse("a.msh", HEAD_4, "a.msh:4: the file ends without a section '$Nodes'");
    io_refuse("a.msh", HEAD_4 NODES_4, "a.msh:16: the file ends without a section '$Elements'");
    io_refuse("a.msh", HEAD_4 "Nodes\n", "a.msh:4: 'Nodes' found where a section");
    io_refuse("a.msh", HEAD_4 "$Elements\n0 0 0 0\n$EndElements\n",
              "a.msh:4: the elements come before the nodes");
    io_refuse("a.msh", HEAD_2 NODES_2 NODES_2, "a.msh:11: there is a second section '$Nodes'");
    io_refuse("a.msh", HEAD_2 "$Odd\n1 2 3\n", "a.msh:4: the section '$Odd' has no end");
    io_refuse("a.msh", HEAD_2 "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n",
              "a.msh:10: node 4 has '$EndNodes' where a whole number");
    io_refuse("a.msh", HEAD_2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n",
              "a.msh:9: '4' found where '$EndNodes' is expected");
    io_refuse("a.msh", HEAD_2 "$Nodes\n400000\n1 0 0 0\n", "a.msh:5: the file says it has 400000");
    io_refuse("a.msh", HEAD_2 "$Nodes\n-4\n1 0 0 0\n", "a.msh:5: the file says it has -4 nodes");
    io_refuse("a.msh", HEAD_2 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n",
              "a.msh:6: vertex 0 has the coordinate 'nan'");
    io_refuse("a.msh", HEAD_2 "$Nodes\n1\n-1 0 0 0\n$EndNodes\n", "a.msh:6: node 0 has the tag -1");
    io_refuse("a.msh", HEAD_2 "$Nodes\n3\n1 0 0 0\n9 0 0 0\n1 0 0 0\n$EndNodes\n",
              "the nodes 0 and 2 (counting from 0) have the same tag 1");
    io_refuse("a.msh", HEAD_4 "$Nodes\n1 3 1 4\n3 1 0 2\n1\n2\n0 0 0\n1 0 0\n$EndNodes\n",
              "a.msh:5: the section says it has 3 nodes, but its blocks have 2");
    io_refuse("a.msh", HEAD_4 "$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n$EndNodes\n",
              "a.msh:6: block of nodes 0 has the dimension 4");
    io_refuse("a.msh", HEAD_2 NODES_2 "$Elements\n1\n1 4 0 1 2 3 5\n$EndElements\n",
              "a.msh:13: element 0 (counting from 0) refers to node 5, which the file does not");
    io_refuse("a.msh", HEAD_2 NODES_2 "$Elements\n1\n1 4 999 1 2 3 5\n$EndElements\n",
              "a.msh:13: an element says it has 999 tags");
    io_refuse("a.msh", HEAD_2 NODES_2 "$Elements\n1\n1 4 0 1 2 x 4\n$EndElements\n",
              "a.msh:13: element 0 has 'x' where a whole number");
    io_refuse("a.msh", HEAD_4 NODES_4 "$Elements\n1 2 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
              "a.msh:17: the section says it has 2 elements, but its blocks have 1");
    const struct {
        const char *text, *part;
    } others[] = {
        {"$MeshFormat\n4 0 8\n$EndMeshFormat\n",                               "a.msh:2: the version of MSH is '4'; 2.2 and 4.1"},
        {"$MeshFormat\n2.2 1 4\n$EndMeshFormat\n",                             "numbers of 4 bytes are not read"                },
        {"$NOD\n1\n",                                                          "the version of MSH is '1'"                      },
        {HEAD_2 NODES_2 "$Elements\n1\n1 5 0 1 2 3 4 1 2 3 4\n$EndElements\n",
         "a.msh:13: elements of type 5 (hexahedron) are not read"                                                               },
        {HEAD_4 NODES_4 "$Elements\n1 1 1 1\n3 1 11 1\n1 1 2 3 4\n",
         "a.msh:18: elements of type 11 (tetrahedron of 10 nodes) are not read"                                                 },
        {HEAD_4 NODES_4 "$Elements\n1 1 1 1\n3 1 93 1\n1 1 2 3 4\n",
         "elements of type 93 (of higher order) are not read"                                                                   }
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        io_refuse_bytes("a.msh", others[i].text, strlen(others[i].text), FRACAS_ERROR_UNSUPPORTED,
                        others[i].part);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding),
        cmocka_unit_test(parts),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
