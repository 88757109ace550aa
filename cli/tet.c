/// @file tet.c  `fracas tet SURFACE -o FILE`: fill a closed surface with tetrahedra.
#include "commands.h"
#include "fracas/io.h"
#include "fracas/tet_mesh.h"
#include "options.h"
#include "progress.h"
#include "write_tets.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct settings {
    const char *surface, *out;
    uint32_t cells, threads;
    double cell_size, sharp;
    bool json;
    int weld;
} settings;

// ---- the answer

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void print_answer(const settings* s, const fracas_tet_mesh_info* info) {
    printf("%s is filled by %" PRIu32 " tetrahedra with angles from %.1f to %.1f degrees.\n",
           s->surface, info->tets, info->dihedral_min, info->dihedral_max);
    printf("Their boundary is within %.2g of the surface, %.2g %% of its diagonal.\n",
           fmax(info->to_surface.max, info->from_surface.max),
           percent(fmax(info->to_surface.max, info->from_surface.max), info->diagonal));
    // A feature that no cell resolves is as far from the boundary as it is long.
    if (info->from_surface.max > 2 * info->cell_size)
        printf("A part of the surface is thinner than a cell and is lost: use smaller cells.\n");
    if (info->irregular_points > 0)
        printf("The surface intersects itself, or a part is inside out: at %" PRIu64 " of %" PRIu64
               " lattice points.\n",
               info->irregular_points, info->lattice_points);
    printf("\n  %-22s %14" PRIu32 "\n", "tetrahedra", info->tets);
    printf("  %-22s %14" PRIu32 "\n", "nodes", info->nodes);
    printf("  %-22s %14" PRIu32 "\n", "boundary triangles", info->boundary_triangles);
    printf("  %-22s %14.6g   %" PRIu32 " x %" PRIu32 " x %" PRIu32 "\n", "cell size",
           info->cell_size, info->cells[0], info->cells[1], info->cells[2]);
    printf("  %-22s %14.2f to %.2f, mean %.2f\n", "angles", info->dihedral_min, info->dihedral_max,
           info->dihedral_mean);
    printf("  %-22s %14.3f mean %.3f\n", "smallest quality", info->quality_min, info->quality_mean);
    printf("  %-22s %14.6g   %+.3f %% of the surface's\n", "volume", info->volume,
           percent(info->volume - info->surface_volume, info->surface_volume));
    printf("  %-22s %14.3g mean %.3g\n", "boundary to surface", info->to_surface.max,
           info->to_surface.mean);
    printf("  %-22s %14.3g mean %.3g\n", "surface to boundary", info->from_surface.max,
           info->from_surface.mean);
    printf("  %-22s %14.1f ms, of it %.1f ms measuring\n", "time", info->ms, info->ms_measure);
    printf("  %-22s %14s\n", "written", s->out);
}

static void print_fit(const char* name, const fracas_tet_mesh_fit* fit) {
    printf("\"%s\":{\"samples\":%" PRIu64 ",\"max\":%.17g,\"mean\":%.17g},", name, fit->samples,
           fit->max, fit->mean);
}

static void print_json(const fracas_tet_mesh_info* info) {
    printf("{\"tets\":%" PRIu32 ",\"nodes\":%" PRIu32 ",\"boundary_triangles\":%" PRIu32 ",",
           info->tets, info->nodes, info->boundary_triangles);
    printf("\"cells\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],\"cell_size\":%.17g,", info->cells[0],
           info->cells[1], info->cells[2], info->cell_size);
    printf("\"lattice_points\":%" PRIu64 ",\"irregular_points\":%" PRIu64 ",", info->lattice_points,
           info->irregular_points);
    printf("\"dihedral\":{\"min\":%.17g,\"max\":%.17g,\"mean\":%.17g},", info->dihedral_min,
           info->dihedral_max, info->dihedral_mean);
    printf("\"quality\":{\"min\":%.17g,\"mean\":%.17g},", info->quality_min, info->quality_mean);
    printf("\"volume\":%.17g,\"surface_volume\":%.17g,\"diagonal\":%.17g,", info->volume,
           info->surface_volume, info->diagonal);
    print_fit("to_surface", &info->to_surface);
    print_fit("from_surface", &info->from_surface);
    printf("\"ms\":{\"total\":%.3f,\"measure\":%.3f}}\n", info->ms, info->ms_measure);
}

// ---- the work

static int fill(const settings* s, fracas_context* context, cli_progress* progress) {
    fracas_mesh_file_options reading = fracas_mesh_file_default_options();
    reading.weld = s->weld < 0    ? FRACAS_WELD_DEFAULT
                   : s->weld == 0 ? FRACAS_WELD_EXACT
                                  : FRACAS_WELD_NONE;
    reading.surface = true;
    fracas_mesh_file* file = NULL;
    fracas_tet_mesh* mesh = NULL;
    fracas_tet_mesh_info info;
    fracas_status status = fracas_mesh_file_read(context, s->surface, &reading, &file);
    if (status == FRACAS_OK) {
        fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
        if (s->cells > 0) options.cells = s->cells;
        options.cell_size = s->cell_size;
        options.sharp_angle = s->sharp;
        progress->step = 1;
        const fracas_mesh_view view = fracas_mesh_file_get_view(file);
        status = fracas_tet_mesh_create(context, &view, &options, &mesh);
    }
    if (status == FRACAS_OK) status = fracas_tet_mesh_get_info(mesh, &info);
    cli_progress_clear(progress);
    int code = CLI_DONE;
    if (status != FRACAS_OK) {
        code = cli_fail_status(context, status);
        // A cell size out of range is bad usage of the program.
        if (status == FRACAS_ERROR_INVALID_ARGUMENT) code = CLI_BAD_USAGE;
    } else {
        const fracas_tet_view view = fracas_tet_mesh_get_view(mesh);
        code = cli_write_tets(s->out, &view);
    }
    if (code == CLI_DONE && s->json) print_json(&info);
    if (code == CLI_DONE && !s->json) print_answer(s, &info);
    fracas_tet_mesh_destroy(mesh);
    fracas_mesh_file_destroy(file);
    return code;
}

static int check(const settings* s, int count) {
    if (count != 1)
        return cli_fail(CLI_BAD_USAGE,
                        "tet needs one SURFACE, but got %d; 'fracas tet --help' says more", count);
    if (!s->out)
        return cli_fail(CLI_BAD_USAGE, "tet needs --out FILE.vtk or FILE.msh for the result");
    if (s->cells > 0 && s->cell_size > 0)
        return cli_fail(CLI_BAD_USAGE, "--cells and --cell exclude each other");
    const int code = cli_check_tets_name(s->out);
    if (code != CLI_GO_ON) return code;
    if (cli_same_file(s->surface, s->out))
        return cli_fail(CLI_BAD_USAGE, "--out %s is the surface; give the solid another name",
                        s->out);
    return CLI_GO_ON;
}

int cli_tet(int argc, char** argv) {
    settings s = {.weld = -1, .sharp = fracas_tet_mesh_default_options().sharp_angle};
    int count = 0;
    const cli_option options[] = {
        {"out",     CLI_TEXT,   "FILE",       &s.out,
         "write the solid: .vtk (legacy VTK) or .msh (Gmsh 2.2); also -o FILE"                 },
        {"cells",   CLI_COUNT,  "N",          &s.cells,     "cells along the longest side (32)"},
        {"cell",    CLI_NUMBER, "SIZE",       &s.cell_size, "edge length of a cell instead"    },
        {"sharp",   CLI_NUMBER, "DEGREES",    &s.sharp,
         "move nodes onto edges that turn by more (40); 180: none"                             },
        {"threads", CLI_COUNT,  "N",          &s.threads,   "0 (default): one per core"        },
        {"json",    CLI_FLAG,   NULL,         &s.json,      "print one JSON object"            },
        {"weld",    CLI_CHOICE, "exact|none", &s.weld,
         "join points at equal positions (default: STL only)"                                  },
    };
    const cli_command command = {
        .name = "tet",
        .usage = "SURFACE --out FILE [options]",
        .summary = "Fill a closed surface with tetrahedra of good quality.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .notes =
            "Reads what 'fracas info' reads; of a volume its surface is filled. Angles are\n"
            "between 10.7 and 164.8 degrees. Sharp edges are partly cut off, and parts that are\n"
            "thinner than a cell are lost: the answer says by how much."};
    // The short form that compilers and mesh generators have.
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-o") == 0) argv[i] = "--out";
    int code = cli_parse(&command, argc, argv, &count);
    if (code == CLI_GO_ON) {
        s.surface = count > 0 ? argv[0] : NULL;
        code = check(&s, count);
    }
    if (code != CLI_GO_ON) return code;
    cli_progress progress;
    cli_progress_start(&progress, false, 2);
    fracas_context_options context_options = fracas_context_default_options();
    context_options.worker_count = s.threads;
    context_options.progress = cli_progress_report;
    context_options.progress_user = &progress;
    fracas_context* context = NULL;
    const fracas_status status = fracas_context_create(&context_options, &context);
    cli_interrupt_watch(context);
    code = status == FRACAS_OK ? fill(&s, context, &progress) : cli_fail_start(status);
    cli_progress_stop(&progress);
    cli_interrupt_watch(NULL);
    fracas_context_destroy(context);
    return code;
}
