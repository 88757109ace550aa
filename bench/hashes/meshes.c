// Triangle meshes: sheets and balls that deform, move and collide.
#include "fracas/published.h"
#include "hashes/run.h"
#include <stdlib.h>

static void crumpled(hash_run* run, fracas_published_builder builder) {
    bench_mesh mesh = bench_sheet(48, 48);
    bench_crumple(&mesh, 7, 0.9);
    fracas_published_scene_options options = fracas_published_scene_default_options();
    options.scene.modes = FRACAS_MODE_DISCRETE;
    options.builder = builder;
    fracas_scene* scene = NULL;
    hash_must(run,
              run->cuda ? fracas_cuda_scene_create(run->cuda, &options.scene, &scene)
                        : fracas_published_scene_create(run->context, &options, &scene),
              "scene");
    fracas_body body = hash_add(run, scene, &mesh, FRACAS_MOTION_DEFORMING);
    fracas_query query = hash_query(FRACAS_MODE_DISCRETE);
    hash_detect(run, scene, &query);
    // Crumple the mesh a second time: the tree is refitted to a different shape.
    bench_crumple(&mesh, 19, 0.4);
    hash_move(run, scene, body, mesh.points, mesh.point_count);
    hash_detect(run, scene, &query);
    fracas_scene_destroy(scene);
    bench_mesh_free(&mesh);
}

void hash_crumpled_sheet(hash_run* run) { crumpled(run, FRACAS_PUBLISHED_BUILDER_SAH); }

/// Another tree; the contacts, and so the hash, must be the same.
void hash_crumpled_sheet_median(hash_run* run) { crumpled(run, FRACAS_PUBLISHED_BUILDER_MEDIAN); }

void hash_sheet_on_ball(hash_run* run) {
    const double centre[3] = {0.5, 0.5, -0.2}, fall[3] = {0.01, -0.02, -0.06};
    bench_mesh sheet = bench_sheet(40, 40), ball = bench_ball(16, 0.25, centre);
    bench_crumple(&sheet, 3, 0.08);
    const double start[3] = {0.0, 0.0, 0.1};
    bench_place(sheet.points, sheet.point_count, 1.0, start);
    fracas_scene* scene = hash_begin(run, FRACAS_MODE_BOTH);
    hash_add(run, scene, &ball, FRACAS_MOTION_STATIC);
    fracas_body body = hash_add(run, scene, &sheet, FRACAS_MOTION_DEFORMING);
    fracas_query query = hash_query(FRACAS_MODE_BOTH);
    for (uint32_t step = 0; step < 3; step++) {
        bench_crumple(&sheet, 100 + step, 0.06);
        bench_place(sheet.points, sheet.point_count, 1.0, fall);
        hash_move(run, scene, body, sheet.points, sheet.point_count);
        hash_detect(run, scene, &query);
        hash_must(run, fracas_scene_advance(scene), "advance");
    }
    fracas_scene_destroy(scene);
    bench_mesh_free(&sheet);
    bench_mesh_free(&ball);
}

// A rotation about one axis by an angle of the triangle 3, 4, 5 (or 5, 12, 13): no libm needed.
static fracas_pose turned(uint32_t axis, bool large, const double at[3]) {
    double c = large ? 0.6 : 12.0 / 13.0, s = large ? 0.8 : 5.0 / 13.0;
    uint32_t x = (axis + 1) % 3, y = (axis + 2) % 3;
    fracas_pose pose = fracas_pose_make_identity();
    pose.rotation[3 * x + x] = c;
    pose.rotation[3 * x + y] = -s;
    pose.rotation[3 * y + x] = s;
    pose.rotation[3 * y + y] = c;
    for (int k = 0; k < 3; k++) pose.translation[k] = at[k];
    return pose;
}

void hash_rigid_balls(hash_run* run) {
    const double centre[3] = {0.0, 0.0, 0.0};
    bench_mesh ball = bench_ball(6, 0.45, centre);
    fracas_scene* scene = hash_begin(run, FRACAS_MODE_BOTH);
    for (uint32_t i = 0; i < 27; i++) {
        fracas_body body = hash_add(run, scene, &ball, FRACAS_MOTION_RIGID);
        double t0[3], t1[3];
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t cell = k == 0 ? i % 3 : k == 1 ? i / 3 % 3 : i / 9;
            t0[k] = cell + 0.1 * bench_random(5, i, k, 0);
            t1[k] = t0[k] + 0.4 * bench_random(6, i, k, 0);
        }
        fracas_pose from = turned(i % 3, false, t0), to = turned((i + 1) % 3, true, t1);
        hash_must(run, fracas_scene_pose(scene, body, &from, &to), "pose");
    }
    fracas_query query = hash_query(FRACAS_MODE_BOTH);
    hash_detect(run, scene, &query);
    fracas_scene_destroy(scene);
    bench_mesh_free(&ball);
}

void hash_groups(hash_run* run) {
    fracas_scene* scene = hash_begin(run, FRACAS_MODE_BOTH);
    fracas_body bodies[6];
    for (uint32_t i = 0; i < 6; i++) {
        bench_mesh sheet = bench_sheet(16, 16);
        bench_crumple(&sheet, 40 + i, 0.5);
        fracas_body_options options = fracas_body_default_options();
        options.group = 1u << i % 3;
        options.mask = i % 2 ? 6u : ~0u;
        options.self_collision = i % 2 == 0;
        fracas_mesh_view view = bench_mesh_view(&sheet);
        hash_must(run, fracas_scene_add(scene, &view, &options, &bodies[i]), "add");
        bench_crumple(&sheet, 60 + i, 0.2);
        hash_move(run, scene, bodies[i], sheet.points, sheet.point_count);
        bench_mesh_free(&sheet);
    }
    fracas_query query = hash_query(FRACAS_MODE_BOTH);
    hash_detect(run, scene, &query);
    hash_must(run, fracas_scene_remove(scene, bodies[2]), "remove");
    hash_detect(run, scene, &query);
    fracas_scene_destroy(scene);
}
