/// @file info.c  `fracas info FILE...`: describe meshes, as a table or as JSON.
#include "commands.h"
#include "fracas/io.h"
#include "options.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The description of one file.
typedef struct facts {
    const char* path;
    const char* format;
    fracas_mesh_info mesh;
    uint32_t faces, small, triangles, quads, larger;  // faces by number of corners
    fracas_tet_info volume;                           // tets is 0: no volume
    const fracas_mesh_file* file;                     // for the elements that were left out
} facts;

// ---- the table

static void print_count(const char* name, uint64_t count) {
    printf("  %-22s %14" PRIu64 "\n", name, count);
}

// Rows of unusual elements are printed only if there are any.
static void print_if_any(const char* name, uint64_t count) {
    if (count > 0) print_count(name, count);
}

static void print_answer(const char* name, bool yes) {
    printf("  %-22s %14s\n", name, yes ? "yes" : "no");
}

static void print_volume(const fracas_tet_info* volume) {
    print_count("tetrahedra", volume->tets);
    print_count("  components", volume->components);
    print_count("  surface triangles", volume->boundary_triangles);
    print_if_any("  non-manifold faces", volume->nonmanifold_triangles);
    print_count("  inverted", volume->inverted);
    print_count("  flat", volume->flat);
    print_if_any("  repeated indices", volume->repeated_index_tets);
    print_count("  duplicates", volume->duplicate_tets);
}

static void print_surface(const facts* about) {
    const fracas_mesh_info* mesh = &about->mesh;
    print_count("faces", about->faces);
    if (about->triangles != about->faces) {
        print_if_any("  of 1 or 2 corners", about->small);
        print_if_any("  triangles", about->triangles);
        print_if_any("  quads", about->quads);
        print_if_any("  of 5 corners or more", about->larger);
    }
    print_count("triangles", mesh->triangles);
    print_count("edges", mesh->edges);
    print_if_any("free edges", mesh->free_edges);
    print_if_any("free vertices", mesh->free_vertices);
    print_if_any("unused vertices", mesh->unused_vertices);
    print_count("components", mesh->components);
    print_answer("closed", mesh->closed);
    print_if_any("boundary edges", mesh->boundary_edges);
    print_answer("manifold", mesh->manifold);
    print_if_any("non-manifold edges", mesh->nonmanifold_edges);
    print_if_any("misoriented edges", mesh->misoriented_edges);
    print_count("flat triangles", mesh->flat_triangles);
    print_if_any("repeated indices", mesh->repeated_index_triangles);
    print_count("duplicate triangles", mesh->duplicate_triangles);
}

static void print_table(const facts* about) {
    const fracas_mesh_info* mesh = &about->mesh;
    printf("%s\n", about->path);
    printf("  %-22s %14s\n", "format", about->format);
    print_count("vertices", mesh->vertices);
    if (about->volume.tets) print_volume(&about->volume);
    // A volume without faces has no rows for the surface.
    if (!about->volume.tets || about->faces || mesh->free_edges || mesh->free_vertices)
        print_surface(about);
    for (uint32_t i = 0; i < fracas_mesh_file_count_left_out(about->file); i++) {
        fracas_left_out kind = fracas_mesh_file_get_left_out(about->file, i);
        char name[64];
        snprintf(name, sizeof name, "left out: %s", kind.name);
        print_count(name, kind.count);
    }
    static const char* const boxes[] = {"box x", "box y", "box z"};
    for (int axis = 0; mesh->vertices > 0 && axis < 3; axis++)
        printf("  %-22s %14.9g to %.9g\n", boxes[axis], mesh->box_min[axis], mesh->box_max[axis]);
}

// ---- JSON

static void print_json_text(const char* text) {
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_json_triple(const char* name, const double values[3]) {
    printf(",\"%s\":[%.17g,%.17g,%.17g]", name, values[0], values[1], values[2]);
}

static void print_json_volume(const fracas_tet_info* volume) {
    if (!volume->tets) {
        fputs(",\"volume\":null", stdout);
        return;
    }
    const struct {
        const char* name;
        uint64_t value;
    } counts[] = {
        {"tets",                  volume->tets                              },
        {"vertices",              volume->vertices - volume->unused_vertices},
        {"components",            volume->components                        },
        {"faces",                 volume->faces                             },
        {"boundary_triangles",    volume->boundary_triangles                },
        {"nonmanifold_triangles", volume->nonmanifold_triangles             },
        {"inverted",              volume->inverted                          },
        {"flat",                  volume->flat                              },
        {"repeated_index_tets",   volume->repeated_index_tets               },
        {"duplicate_tets",        volume->duplicate_tets                    }
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        printf("%s\"%s\":%" PRIu64, i ? "," : ",\"volume\":{", counts[i].name, counts[i].value);
    putchar('}');
}

static void print_json(const facts* about) {
    const fracas_mesh_info* mesh = &about->mesh;
    const struct {
        const char* name;
        uint32_t value;
    } counts[] = {
        {"faces",                    about->faces                  },
        {"vertices",                 mesh->vertices                },
        {"triangles",                mesh->triangles               },
        {"edges",                    mesh->edges                   },
        {"free_edges",               mesh->free_edges              },
        {"free_vertices",            mesh->free_vertices           },
        {"unused_vertices",          mesh->unused_vertices         },
        {"components",               mesh->components              },
        {"boundary_edges",           mesh->boundary_edges          },
        {"nonmanifold_edges",        mesh->nonmanifold_edges       },
        {"misoriented_edges",        mesh->misoriented_edges       },
        {"repeated_index_triangles", mesh->repeated_index_triangles},
        {"flat_triangles",           mesh->flat_triangles          },
        {"duplicate_triangles",      mesh->duplicate_triangles     }
    };
    fputs("{\"file\":", stdout);
    print_json_text(about->path);
    printf(",\"format\":\"%s\"", about->format);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        printf(",\"%s\":%" PRIu32, counts[i].name, counts[i].value);
    printf(",\"closed\":%s,\"manifold\":%s", mesh->closed ? "true" : "false",
           mesh->manifold ? "true" : "false");
    print_json_triple("box_min", mesh->box_min);
    print_json_triple("box_max", mesh->box_max);
    fputs(",\"left_out\":[", stdout);
    for (uint32_t i = 0; i < fracas_mesh_file_count_left_out(about->file); i++) {
        fracas_left_out kind = fracas_mesh_file_get_left_out(about->file, i);
        fputs(i ? ",{\"name\":" : "{\"name\":", stdout);
        print_json_text(kind.name);
        printf(",\"count\":%" PRIu64 "}", kind.count);
    }
    putchar(']');
    print_json_volume(&about->volume);
    fputs("}\n", stdout);
}

// ---- files

// Count the faces by number of corners.
static void count_faces(const fracas_mesh_file* file, facts* out) {
    fracas_mesh_faces faces = fracas_mesh_file_get_faces(file);
    out->faces = faces.face_count;
    for (uint32_t f = 0; f < faces.face_count; f++) {
        uint32_t corners = faces.face_offsets[f + 1] - faces.face_offsets[f];
        if (corners < 3)
            out->small++;
        else if (corners == 3)
            out->triangles++;
        else if (corners == 4)
            out->quads++;
        else
            out->larger++;
    }
}

static int describe_file(fracas_context* context, const char* path, fracas_weld weld, bool json) {
    fracas_mesh_file_options options = fracas_mesh_file_default_options();
    options.weld = weld;
    fracas_mesh_file* file = NULL;
    fracas_status status = fracas_mesh_file_read(context, path, &options, &file);
    if (status != FRACAS_OK) return cli_fail_status(context, status);
    facts about = {.path = path, .format = fracas_mesh_file_get_format(file), .file = file};
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    fracas_tet_view tets = fracas_mesh_file_get_tets(file);
    status = fracas_mesh_describe(context, &view, &about.mesh);
    if (status == FRACAS_OK && tets.tet_count > 0) {
        status = fracas_tet_describe(context, &tets, &about.volume);
        // Vertices without a face are vertices of tetrahedra or free points, so none is unused.
        about.mesh.unused_vertices = 0;
    }
    count_faces(file, &about);
    if (status == FRACAS_OK) (json ? print_json : print_table)(&about);
    fracas_mesh_file_destroy(file);
    return status == FRACAS_OK ? CLI_DONE : cli_fail_status(context, status);
}

int cli_info(int argc, char** argv) {
    bool json = false;
    int weld = -1, count = 0;
    const cli_option options[] = {
        {"json", CLI_FLAG,   NULL,         &json, "one JSON object per file, each on a line of its own"},
        {"weld", CLI_CHOICE, "exact|none", &weld,
         "join points at equal positions (default: STL only)"                                          },
    };
    const cli_command command = {
        .name = "info",
        .usage = "[options] FILE...",
        .summary = "What is in a mesh: counts, components, boundary, manifold "
                   "or not, degenerate faces.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .notes = "Reads OBJ, PLY, STL and OFF, and volumes of tetrahedra: Gmsh (.msh), VTK (.vtk,\n"
                 ".vtu), TetGen (.node with .ele) and Medit (.mesh, .meshb)."};
    int code = cli_parse(&command, argc, argv, &count);
    if (code != CLI_GO_ON) return code;
    if (count == 0)
        return cli_fail(CLI_BAD_USAGE, "info needs a file; 'fracas info --help' says more");
    fracas_weld how = weld < 0    ? FRACAS_WELD_DEFAULT
                      : weld == 0 ? FRACAS_WELD_EXACT
                                  : FRACAS_WELD_NONE;
    fracas_context_options context_options = fracas_context_default_options();
    context_options.worker_count = 1;  // readers use one
    fracas_context* context = NULL;
    const fracas_status status = fracas_context_create(&context_options, &context);
    if (status != FRACAS_OK) return cli_fail_start(status);
    // After a bad file the others are still described; the first failure is the exit code.
    code = CLI_DONE;
    for (int i = 0; i < count; i++) {
        if (i > 0 && !json) putchar('\n');
        int one = describe_file(context, argv[i], how, json);
        if (code == CLI_DONE) code = one;
    }
    fracas_context_destroy(context);
    return code;
}
