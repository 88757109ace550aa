// Rebuilds all trees of one body with each builder.
#include "edits/edits.h"
#include "timing.h"
#include <stdio.h>

enum { RUNS = 9 };

static const char* const builder_names[] = {"sah", "median", "grid"};

typedef struct rebuild {
    double first, again, refit, detect;
    double tree_bytes, bytes;  // per triangle
} rebuild;

static double smallest_update(const bench_mesh* mesh, fracas_published_scene_options how,
                              fracas_published_restructure policy, rebuild* out) {
    edits_fixture s;
    how.restructure = policy;
    edits_open(&s, &how);
    edits_add(&s, mesh);
    double first = edits_update(&s), best = 1e30;
    for (int i = 0; i < RUNS; i++) {
        edits_move(&s, s.body, mesh->points, mesh->point_count);
        double ms = edits_update(&s);
        if (ms < best) best = ms;
    }
    if (out) {
        out->first = first;
        bench_memory memory = bench_memory_of(s.scene);
        out->bytes = (double)atomic_load(&s.memory.live) / mesh->triangle_count;
        out->tree_bytes = bench_memory_trees(&memory) / mesh->triangle_count;
        fracas_query query = fracas_scene_default_query();
        query.modes = how.scene.modes;
        out->detect = 1e30;
        for (int i = 0; i < 3; i++) {
            fracas_sink count = {0};
            double start = bench_clock_ms(true);
            edits_need(fracas_scene_detect(s.scene, &query, &count), &s);
            double ms = bench_clock_ms(true) - start;
            if (ms < out->detect) out->detect = ms;
        }
    }
    edits_close(&s);
    return best;
}

static const char* mode_name(uint32_t modes) {
    return modes == FRACAS_MODE_DISCRETE ? "discrete"
           : modes == FRACAS_MODE_BOTH   ? "both"
                                         : "continuous";
}

void edits_rebuild(const edits_options* o) {
    const double centre[3] = {0, 0, 0};
    uint32_t n = 1;
    while (8 * (n + 1) * (n + 1) <= o->triangles) n++;
    bench_mesh mesh = bench_ball(n, 1, centre);
    bench_crumple(&mesh, 3, 0.3);
    if (o->json)
        printf("\"rebuild\":[");
    else
        printf("rebuild: a closed body of %u triangles, ms\n"
               "  %-10s %-8s %9s %9s %9s %9s %10s %10s\n",
               mesh.triangle_count, "modes", "builder", "first", "rebuild", "refit", "detect",
               "tree B/tri", "all B/tri");
    const char* separator = "";
    for (uint32_t modes = 1; modes <= FRACAS_MODE_BOTH; modes++)
        for (int builder = 0; builder < 3; builder++) {
            rebuild r;
            fracas_published_scene_options how = fracas_published_scene_default_options();
            how.scene.modes = modes;
            how.builder = how.rebuild = (fracas_published_builder)builder;
            r.refit = smallest_update(&mesh, how, FRACAS_PUBLISHED_RESTRUCTURE_NONE, &r);
            r.again = smallest_update(&mesh, how, FRACAS_PUBLISHED_RESTRUCTURE_ALWAYS, NULL);
            if (o->json)
                printf("%s{\"modes\":\"%s\",\"builder\":\"%s\",\"triangles\":%u,\"first_ms\":%.3f,"
                       "\"rebuild_ms\":%.3f,\"refit_ms\":%.3f,\"detect_ms\":%.3f,"
                       "\"tree_bytes_per_triangle\":%.1f,\"bytes_per_triangle\":%.1f}",
                       separator, mode_name(modes), builder_names[builder], mesh.triangle_count,
                       r.first, r.again, r.refit, r.detect, r.tree_bytes, r.bytes);
            else
                printf("  %-10s %-8s %9.2f %9.2f %9.2f %9.2f %10.1f %10.1f\n", mode_name(modes),
                       builder_names[builder], r.first, r.again, r.refit, r.detect, r.tree_bytes,
                       r.bytes);
            separator = ",\n";
        }
    printf(o->json ? "]" : "\n");
    bench_mesh_free(&mesh);
}
