// Queries with a minimum separation, nearby pairs, the first contact and the largest step.
#include "hashes/run.h"
#include <stdlib.h>

// Two sheets: the upper one starts `gap` above the other, moves down by `reach`, and both crumple.
static fracas_scene* two_sheets(hash_run* run, uint32_t seed, double gap, double reach) {
    fracas_scene* scene = hash_begin(run, FRACAS_MODE_BOTH);
    const double up[3] = {0.01, 0.02, gap}, down[3] = {0.0, 0.0, -reach};
    for (uint32_t i = 0; i < 2; i++) {
        bench_mesh sheet = bench_sheet(20, 20);
        bench_crumple(&sheet, seed, 0.15);
        if (i) bench_place(sheet.points, sheet.point_count, 1.0, up);
        fracas_body body = hash_add(run, scene, &sheet, FRACAS_MOTION_DEFORMING);
        bench_crumple(&sheet, seed + 10 + i, 0.05);
        if (i) bench_place(sheet.points, sheet.point_count, 1.0, down);
        hash_move(run, scene, body, sheet.points, sheet.point_count);
        bench_mesh_free(&sheet);
    }
    return scene;
}

void hash_min_separation(hash_run* run) {
    static const double distances[3] = {1e-6, 0.004, 0.02};
    for (uint32_t i = 0; i < 3; i++) {
        fracas_scene* scene = two_sheets(run, 400 + i, 0.05, 0.03);
        fracas_query query = hash_query(FRACAS_MODE_CONTINUOUS);
        query.min_separation = distances[i];
        hash_detect(run, scene, &query);
        fracas_scene_destroy(scene);
    }
}

void hash_nearby_pairs(hash_run* run) {
    static const double distances[3] = {0.0, 0.005, 0.03};
    for (uint32_t i = 0; i < 3; i++) {
        fracas_scene* scene = two_sheets(run, 500 + i, 0.05, 0.04);
        hash_nearby(run, scene, distances[i]);
        fracas_scene_destroy(scene);
    }
}

void hash_first(hash_run* run) {
    for (uint32_t i = 0; i < 4; i++) {
        fracas_scene* scene = two_sheets(run, 600 + i, 0.06, 0.09);
        for (uint32_t mode = FRACAS_MODE_DISCRETE; mode <= FRACAS_MODE_CONTINUOUS; mode++) {
            fracas_query query = hash_query(mode);
            query.first = true;
            hash_detect(run, scene, &query);
        }
        fracas_scene_destroy(scene);
    }
}

void hash_max_steps(hash_run* run) {
    for (uint32_t i = 0; i < 4; i++) {
        fracas_scene* scene = two_sheets(run, 700 + i, 0.06, 0.03 * i);
        fracas_query query = hash_query(FRACAS_MODE_CONTINUOUS);
        hash_max_step(run, scene, &query);
        query.min_separation = 0.01;
        hash_max_step(run, scene, &query);
        fracas_scene_destroy(scene);
    }
}
