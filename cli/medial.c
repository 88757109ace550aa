/// @file medial.c  `fracas medial SURFACE -o FILE`: a closed surface as spheres, cones and slabs.
#include "commands.h"
#include "medial_triangles.h"
#include "options.h"
#include "progress.h"
#include "write_spheres.h"
#include "write_tets.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct settings {
    const char *surface, *out;
    uint32_t count, spheres, samples, threads;
    double error;
    bool json;
    int weld;
    cli_spheres_format format;  // CLI_SPHERES_NONE: a medial mesh, or triangles
} settings;

// ---- the answer

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

// Medial meshes, also of other programs, can be read instead of a surface.
static bool is_medial_mesh(const char* path) {
    return cli_has_ending(path, ".ma") || cli_has_ending(path, ".mat");
}

static void print_answer(const settings* s, const fracas_medial_mesh_info* info) {
    printf("%s is %" PRIu32 " spheres, %" PRIu32 " cones and %" PRIu32 " slabs.\n", s->surface,
           info->spheres, info->edges, info->triangles);
    if (is_medial_mesh(s->surface)) return;
    printf(
        "The surface is within %.3g %% of its diagonal of their boundary, which is within %.3g %% "
        "of the surface.\n",
        percent(info->from_surface.max, info->diagonal),
        percent(info->to_surface.max, info->diagonal));
    printf("\n  %-22s %14.4g mean %.3g, %% of the diagonal\n", "surface to shape",
           percent(info->from_surface.max, info->diagonal),
           percent(info->from_surface.mean, info->diagonal));
    printf("  %-22s %14.4g mean %.3g, %% of the diagonal\n", "shape to surface",
           percent(info->to_surface.max, info->diagonal),
           percent(info->to_surface.mean, info->diagonal));
    printf("  %-22s %14.4g %% of the diagonal\n", "sticks out by",
           percent(info->protrusion, info->diagonal));
    printf("  %-22s %14.6g contains the surface: add to all radii\n", "inflation", info->inflation);
    printf("  %-22s %14.4g %%\n", "surface covered", 100 * info->surface_covered);
    printf("  %-22s %14.4g %%\n", "volume covered", 100 * info->volume_covered);
    printf("  %-22s %14.6g   %+.2f %% of the surface's\n", "volume", info->volume,
           percent(info->volume - info->surface_volume, info->surface_volume));
    printf("  %-22s %14.6g\n", "diagonal", info->diagonal);
    printf("  %-22s %14" PRIu32 " from %" PRIu32 " samples\n", "medial vertices",
           info->medial_vertices, info->samples);
    printf("  %-22s %14.1f ms, of it %.1f ms measuring\n", "time", info->ms, info->ms_measure);
    printf("  %-22s %14s\n", "written", s->out);
}

static void print_fit(const char* name, const fracas_medial_fit* fit) {
    printf("\"%s\":{\"samples\":%" PRIu64 ",\"max\":%.17g,\"mean\":%.17g},", name, fit->samples,
           fit->max, fit->mean);
}

static void print_json(const fracas_medial_mesh_info* info) {
    printf("{\"spheres\":%" PRIu32 ",\"cones\":%" PRIu32 ",\"slabs\":%" PRIu32 ",", info->spheres,
           info->edges, info->triangles);
    printf("\"medial_vertices\":%" PRIu32 ",\"samples\":%" PRIu32 ",\"diagonal\":%.17g,",
           info->medial_vertices, info->samples, info->diagonal);
    print_fit("from_surface", &info->from_surface);
    print_fit("to_surface", &info->to_surface);
    printf("\"protrusion\":%.17g,\"inflation\":%.17g,", info->protrusion, info->inflation);
    printf("\"surface_covered\":%.17g,\"volume_covered\":%.17g,", info->surface_covered,
           info->volume_covered);
    printf("\"volume\":%.17g,\"surface_volume\":%.17g,", info->volume, info->surface_volume);
    printf("\"ms\":{\"total\":%.3f,\"measure\":%.3f}}\n", info->ms, info->ms_measure);
}

// ---- the work

// The triangles of the shape.
static fracas_status write_triangles(const settings* s, fracas_context* context,
                                     const fracas_medial_mesh* mesh) {
    enum { SIDES = 24 };
    cli_triangles triangles = {0};
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    cli_medial_triangles(&view, SIDES, &triangles);
    const fracas_mesh_view out = cli_triangles_view(&triangles);
    const fracas_status status = fracas_ply_write(context, s->out, &out, NULL, NULL);
    cli_triangles_free(&triangles);
    return status;
}

static fracas_status make(const settings* s, fracas_context* context, cli_progress* progress,
                          fracas_medial_mesh** out) {
    if (is_medial_mesh(s->surface)) return fracas_medial_mesh_read(context, s->surface, out);
    fracas_mesh_file_options reading = fracas_mesh_file_default_options();
    reading.weld = s->weld < 0    ? FRACAS_WELD_DEFAULT
                   : s->weld == 0 ? FRACAS_WELD_EXACT
                                  : FRACAS_WELD_NONE;
    reading.surface = true;
    fracas_mesh_file* file = NULL;
    fracas_status status = fracas_mesh_file_read(context, s->surface, &reading, &file);
    if (status == FRACAS_OK) {
        fracas_medial_mesh_options options = fracas_medial_mesh_default_options();
        options.spheres = s->spheres > 0 ? s->spheres : s->count;
        options.spheres_only = s->format != CLI_SPHERES_NONE;
        options.samples = s->samples;
        if (s->error > 0) options.error = s->error / 100;
        progress->step = 1;
        const fracas_mesh_view view = fracas_mesh_file_get_view(file);
        status = fracas_medial_mesh_create(context, &view, &options, out);
    }
    fracas_mesh_file_destroy(file);
    return status;
}

static int run(const settings* s, fracas_context* context, cli_progress* progress) {
    fracas_medial_mesh* mesh = NULL;
    fracas_medial_mesh_info info;
    fracas_status status = make(s, context, progress, &mesh);
    if (status == FRACAS_OK) status = fracas_medial_mesh_get_info(mesh, &info);
    cli_progress_clear(progress);
    int code = CLI_DONE;
    if (status != FRACAS_OK) {
        code = cli_fail_status(context, status);
        // An option out of range is bad usage of the program.
        if (status == FRACAS_ERROR_INVALID_ARGUMENT) code = CLI_BAD_USAGE;
    } else if (s->format != CLI_SPHERES_NONE) {
        const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
        code = cli_write_spheres(s->out, s->format, &view, &info);
    } else {
        status = cli_has_ending(s->out, ".ply") ? write_triangles(s, context, mesh)
                                                : fracas_medial_mesh_write(mesh, s->out);
        if (status != FRACAS_OK) code = cli_fail_status(context, status);
    }
    if (code == CLI_DONE && s->json) print_json(&info);
    if (code == CLI_DONE && !s->json) print_answer(s, &info);
    fracas_medial_mesh_destroy(mesh);
    return code;
}

static int check(settings* s, int count) {
    if (count != 1)
        return cli_fail(CLI_BAD_USAGE,
                        "medial needs one SURFACE, but got %d; 'fracas medial --help' says more",
                        count);
    if (!s->out)
        return cli_fail(CLI_BAD_USAGE,
                        "medial needs --out FILE.ma, .mat, .ply, .json or .yaml for the result");
    if ((s->count > 0) + (s->spheres > 0) + (s->error > 0) > 1)
        return cli_fail(CLI_BAD_USAGE, "--count, --spheres and --error exclude each other");
    s->format = cli_spheres_format_of(s->out);
    if (s->format == CLI_SPHERES_NONE && !is_medial_mesh(s->out) && !cli_has_ending(s->out, ".ply"))
        return cli_fail(CLI_BAD_USAGE,
                        "--out is '%s'; the name must end in .ma, .mat or .ply, or with --spheres "
                        "in .json or .yaml",
                        s->out);
    if ((s->format != CLI_SPHERES_NONE) != (s->spheres > 0))
        return cli_fail(CLI_BAD_USAGE, s->spheres > 0
                                           ? "--spheres N needs --out FILE.json or FILE.yaml"
                                           : "--out FILE.json and FILE.yaml need --spheres N");
    if (is_medial_mesh(s->surface) &&
        (s->count > 0 || s->spheres > 0 || s->error > 0 || s->samples > 0 || s->json))
        return cli_fail(CLI_BAD_USAGE,
                        "%s is a medial mesh already: it can only be written as .ma, .mat or .ply",
                        s->surface);
    if (cli_same_file(s->surface, s->out))
        return cli_fail(CLI_BAD_USAGE, "--out %s is the surface; give the result another name",
                        s->out);
    return CLI_GO_ON;
}

int cli_medial(int argc, char** argv) {
    settings s = {.weld = -1};
    int count = 0;
    const cli_option options[] = {
        {"out",     CLI_TEXT,   "FILE",       &s.out,     "write it: .ma, .mat; .ply: its triangles; also -o FILE"},
        {"error",   CLI_NUMBER, "PERCENT",    &s.error,
         "largest distance of the surface, in % of its diagonal (1)"                                              },
        {"count",   CLI_COUNT,  "N",          &s.count,   "N vertices instead"                                    },
        {"spheres", CLI_COUNT,  "N",          &s.spheres,
         "only N spheres, no cones and slabs; FILE is .json or .yaml"                                             },
        {"samples", CLI_COUNT,  "N",          &s.samples, "points of the surface (15000)"                         },
        {"threads", CLI_COUNT,  "N",          &s.threads, "0 (default): one per core"                             },
        {"json",    CLI_FLAG,   NULL,         &s.json,    "print one JSON object"                                 },
        {"weld",    CLI_CHOICE, "exact|none", &s.weld,
         "join points at equal positions (default: STL only)"                                                     },
    };
    const cli_command command = {
        .name = "medial",
        .usage = "SURFACE --out FILE [options]",
        .summary = "Describe a closed surface by spheres, cones and slabs: its medial mesh.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .notes = "Reads what 'fracas info' reads; of a volume its surface is described. A cone is\n"
                 "the convex hull of two spheres, a slab that of three. The answer says how far\n"
                 "the surface and their boundary are apart. Of a medial mesh (.ma, .mat) instead\n"
                 "of a SURFACE the triangles are written (.ply), or the other format."};
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
    code = status == FRACAS_OK ? run(&s, context, &progress) : cli_fail_start(status);
    cli_progress_stop(&progress);
    cli_interrupt_watch(NULL);
    fracas_context_destroy(context);
    return code;
}
