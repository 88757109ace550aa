// A sheet that is split into four bodies, and two of these bodies merged again.
#include "hashes/run.h"
#include <stdlib.h>

enum { SIDE = 24, PARTS = 4 };

// Four parts with jagged borders: part 0 stays in the body, the others become new bodies.
static uint32_t* labels_of(const bench_mesh* mesh) {
    uint32_t* labels = bench_allocate(mesh->triangle_count, sizeof *labels);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t square = t / 2, i = square % SIDE, j = square / SIDE;
        uint32_t bend = bench_random(11, i / 2, j / 2, 0) > 0.0;
        labels[t] = (i + bend > SIDE / 2) + 2u * (j + 2 * bend > SIDE / 2);
    }
    return labels;
}

// Displace each vertex of a body by smooth and by per-vertex noise.
static void push(hash_run* run, fracas_scene* scene, fracas_body body, uint32_t seed,
                 double amount) {
    fracas_body_info info;
    hash_must(run, fracas_scene_get_body(scene, body, &info), "body");
    double* points = bench_allocate((size_t)info.vertex_numbers * 3, sizeof *points);
    for (uint32_t i = 0; i < info.vertex_numbers; i++) {
        double t0[3], t1[3];
        // The number of a removed vertex stays reserved, and its position is ignored.
        if (fracas_scene_get_vertex(scene, body, i, t0, t1) != FRACAS_OK) continue;
        for (uint32_t k = 0; k < 3; k++)
            points[3 * (size_t)i + k] =
                t0[k] + amount * (bench_noise(seed + k, t0) + 0.02 * bench_random(seed, i, k, 1));
    }
    hash_move(run, scene, body, points, info.vertex_numbers);
    free(points);
}

// Query with every treatment of siblings.
static void detect_all(hash_run* run, fracas_scene* scene) {
    for (int s = FRACAS_SIBLINGS_UNTIL_SEPARATED; s <= FRACAS_SIBLINGS_IGNORE; s++) {
        fracas_query query = hash_query(FRACAS_MODE_BOTH);
        query.siblings = (fracas_siblings)s;
        hash_detect(run, scene, &query);
    }
}

// Split the sheet into its parts; `bodies[0]` is the original body.
static fracas_scene* broken_sheet(hash_run* run, fracas_body bodies[PARTS]) {
    bench_mesh mesh = bench_sheet(SIDE, SIDE);
    bench_crumple(&mesh, 21, 0.25);
    uint32_t* labels = labels_of(&mesh);
    fracas_scene* scene = hash_begin(run, FRACAS_MODE_BOTH);
    bodies[0] = hash_add(run, scene, &mesh, FRACAS_MOTION_DEFORMING);
    fracas_split_plan* plan = NULL;
    hash_must(run, fracas_split_plan_create(scene, bodies[0], labels, mesh.triangle_count, &plan),
              "plan");
    const fracas_split* split = fracas_split_plan_get_split(plan);
    hash_mix(run, split->new_vertex_count);
    hash_must(run, fracas_scene_split(scene, bodies[0], split, bodies + 1), "split");
    fracas_split_plan_destroy(plan);
    free(labels);
    bench_mesh_free(&mesh);
    return scene;
}

void hash_breaking(hash_run* run) {
    fracas_body bodies[PARTS];
    fracas_scene* scene = broken_sheet(run, bodies);
    // The current body and number of every seventh triangle of the sheet.
    for (uint32_t t = 0; t < 2 * SIDE * SIDE; t += 7) {
        fracas_element old = {bodies[0], FRACAS_ELEMENT_TRIANGLE, t}, now;
        hash_must(run, fracas_scene_trace(scene, &old, &now), "trace");
        hash_mix(run, (uint64_t)now.body.index << 32 | now.body.generation);
        hash_mix(run, now.index);
    }
    for (uint32_t step = 0; step < 3; step++) {
        for (uint32_t i = 0; i < PARTS; i++) push(run, scene, bodies[i], 70 + 9 * step + i, 0.12);
        detect_all(run, scene);
        hash_must(run, fracas_scene_advance(scene), "advance");
    }
    fracas_scene_destroy(scene);
}

void hash_merging(hash_run* run) {
    fracas_body bodies[PARTS], joined;
    fracas_scene* scene = broken_sheet(run, bodies);
    const fracas_weld_pair weld = {0, 0, 1, 0};
    fracas_merge merge = fracas_scene_default_merge();
    merge.welds = &weld;
    merge.weld_count = 1;
    hash_must(run, fracas_scene_merge(scene, bodies, 2, &merge, &joined), "merge");
    hash_must(run, fracas_scene_advance(scene), "advance");
    push(run, scene, joined, 5, 0.15);
    push(run, scene, bodies[2], 6, 0.15);
    detect_all(run, scene);
    fracas_scene_destroy(scene);
}
