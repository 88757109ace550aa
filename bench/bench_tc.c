// fracas bench tc: do the metrics of a tree predict the number of box tests of a query?
//
// The experiment of FASTCD's section 5.2.1 (tc/experiment.c) on seven models.
#include "fracas/io.h"
#include "tc/experiment.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    tc_options tc;
    bool json;
    const char* data;
} options;

typedef struct model {
    const char* name;
    bench_mesh mesh;
} model;

// ---- models

static bench_mesh copy_view(const fracas_mesh_view* view) {
    bench_mesh mesh = bench_mesh_allocate(view->points.count, view->triangle_count);
    memcpy(mesh.triangles, view->triangles, 3 * (size_t)view->triangle_count * sizeof(uint32_t));
    const double* points = view->points.data;
    size_t stride = view->points.stride ? view->points.stride : 3 * sizeof(double);
    for (uint32_t i = 0; i < view->points.count; i++)
        memcpy(mesh.points + 3 * (size_t)i, (const char*)points + i * stride, 3 * sizeof(double));
    return mesh;
}

// False when the file cannot be read.
static bool read_model(fracas_context* context, const char* data, const char* file, model* out) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", data, file);
    fracas_mesh_file* read = NULL;
    if (fracas_mesh_file_read(context, path, NULL, &read) != FRACAS_OK) return false;
    fracas_mesh_view view = fracas_mesh_file_get_view(read);
    bool good = view.points.scalar == FRACAS_SCALAR_DOUBLE;
    if (good) out->mesh = copy_view(&view);
    fracas_mesh_file_destroy(read);
    return good;
}

static void fit_to_unit(bench_mesh* mesh) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
        if (mesh->points[i] < lo[i % 3]) lo[i % 3] = mesh->points[i];
        if (mesh->points[i] > hi[i % 3]) hi[i % 3] = mesh->points[i];
    }
    double size = 0;
    for (int k = 0; k < 3; k++) size = hi[k] - lo[k] > size ? hi[k] - lo[k] : size;
    const double offset[3] = {-lo[0] / size, -lo[1] / size, -lo[2] / size};
    bench_place(mesh->points, mesh->point_count, 1 / size, offset);
}

static uint32_t make_models(fracas_context* context, const char* data, model out[7]) {
    static const struct {
        const char *name, *file;
    } files[] = {
        {"bunny",  "surfaces/discregrid/bunny.obj"         },
        {"dragon", "surfaces/discregrid/dragon.obj"        },
        {"cloth",  "ccd/cloth-ball/frames/cloth_ball92.ply"}
    };
    const double centre[3] = {0, 0, 0};
    uint32_t count = 0;
    for (int i = 0; i < 3; i++) {
        out[count].name = files[i].name;
        if (read_model(context, data, files[i].file, &out[count]))
            count++;
        else
            fprintf(stderr, "%s: skipped: no %s in %s\n", files[i].name, files[i].file, data);
    }
    out[count] = (model){"ball", bench_ball(40, 0.5, centre)};
    bench_crumple(&out[count++].mesh, 3, 0.3);
    out[count++] = (model){"sheet", bench_sheet(80, 80)};
    out[count] = (model){"crumpled", bench_sheet(80, 80)};
    bench_crumple(&out[count++].mesh, 1, 1);
    out[count++] =
        (model){"balls", bench_join(bench_ball(20, 0.5, centre),
                                    bench_ball(20, 0.3, (const double[3]){0.5, 0.6, 0}))};
    for (uint32_t i = 0; i < count; i++) fit_to_unit(&out[i].mesh);
    return count;
}

// ---- output

static void print_row(const options* o, const char* name, uint32_t triangles, const tc_result* r,
                      bool first) {
    if (o->json) {
        printf("%s{\"model\":\"%s\",\"triangles\":%u,\"self_tests\":%.1f,\"inter_tests\":%.1f",
               first ? "" : ",\n", name, triangles, r->self_tests, r->inter_tests);
        for (int side = 0; side < 2; side++) {
            printf(",\"%s\":{", side ? "inter" : "self");
            for (int i = 0; i < TC_METRICS; i++)
                printf("%s\"%s\":%.4f", i ? "," : "", tc_metric_names[i],
                       side ? r->inter[i] : r->self[i]);
            printf("}");
        }
        printf("}");
        return;
    }
    printf("%-10s %9u %12.0f %12.0f ", name, triangles, r->self_tests, r->inter_tests);
    for (int i = 0; i < TC_METRICS; i++) printf(" %6.2f", r->self[i]);
    printf("   ");
    for (int i = 0; i < TC_METRICS; i++) printf(" %6.2f", r->inter[i]);
    printf("\n");
}

static void print_head(const options* o) {
    if (o->json) {
        printf("{\"trees\":%u,\"poses\":%u,\"leaf_size\":%u,\"models\":[", o->tc.trees, o->tc.poses,
               o->tc.leaf_size);
        return;
    }
    printf(
        "Correlation of metrics with counted box tests: %u trees of each model, %u poses, leaves "
        "of %u\n"
        "tc: traversal cost; meet: without disjoint pairs of children; over: by the overlap of "
        "their boxes; area: by surface; top: tc of nodes of %d leaves and more; lm\n"
        "%-10s %9s %12s %12s  %-49s    %s\n%-46s",
        o->tc.trees, o->tc.poses, o->tc.leaf_size, TC_LARGE, "model", "triangles", "self tests",
        "inter tests", "with itself", "with another", "");
    for (int side = 0; side < 2; side++)
        printf("%s %6s %6s %6s %6s %6s %6s %6s", side ? "   " : " ", "tc", "meet", "over", "area",
               "over", "top", "lm");
    printf("\n");
}

static int usage(FILE* out, int code) {
    fprintf(
        out,
        "usage: fracas bench tc [--trees N] [--poses N] [--leaf N] [--binary] [--full] [--json]\n"
        "Correlation of the metrics of trees with counted overlap tests. --full: 500 "
        "trees, 100 poses. --binary: the paper's trees, with two children and one triangle "
        "in a leaf.\n");
    return code;
}

static int parse(int argc, char** argv, options* o) {
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--help")) return usage(stdout, 0);
        if (!strcmp(argv[i], "--json"))
            o->json = true;
        else if (!strcmp(argv[i], "--binary"))
            o->tc.binary = true, o->tc.leaf_size = 1;
        else if (!strcmp(argv[i], "--full"))
            o->tc.trees = 500, o->tc.poses = 100;
        else if (!strcmp(argv[i], "--trees") && more)
            o->tc.trees = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--poses") && more)
            o->tc.poses = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--leaf") && more)
            o->tc.leaf_size = (uint32_t)strtoul(argv[++i], NULL, 10);
        else
            return usage(stderr, 2);
    }
    bool good = o->tc.trees >= 2 && o->tc.trees <= 100000 && o->tc.poses >= 1 &&
                o->tc.poses <= 10000 && o->tc.leaf_size >= 1 && o->tc.leaf_size <= 64;
    return good ? -1 : usage(stderr, 2);
}

int main(int argc, char** argv) {
    const char* data = getenv("FRACAS_DATA");
    options o = {
        .tc = {.trees = 40, .poses = 5, .leaf_size = 8},
        .data = data && *data ? data : FRACAS_DATA_DEFAULT
    };
    int code = parse(argc, argv, &o);
    if (code >= 0) return code;
    fracas_context* context = NULL;
    if (fracas_context_create(NULL, &context) != FRACAS_OK) return 4;
    model models[7];
    tc_result mean = {0};
    uint32_t count = make_models(context, o.data, models);
    print_head(&o);
    for (uint32_t i = 0; i < count; i++) {
        tc_result r = tc_run(context, &o.tc, &models[i].mesh, &models[(i + 1) % count].mesh);
        print_row(&o, models[i].name, models[i].mesh.triangle_count, &r, i == 0);
        for (int k = 0; k < TC_METRICS; k++) {
            mean.self[k] += r.self[k] / count;
            mean.inter[k] += r.inter[k] / count;
        }
        mean.self_tests += r.self_tests / count, mean.inter_tests += r.inter_tests / count;
        fflush(stdout);
    }
    if (o.json) printf("],\n\"mean\":");
    print_row(&o, "mean", 0, &mean, true);
    if (o.json) printf("}\n");
    for (uint32_t i = 0; i < count; i++) bench_mesh_free(&models[i].mesh);
    fracas_context_destroy(context);
    return 0;
}
