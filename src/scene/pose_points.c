/// @file pose_points.c  The points of rigid bodies at their poses.
///
/// A search method that keeps positions computes them from poses itself. Then the points of the
/// scene wait until they are read.
#include "scene/points.h"
#include "scene/scene.h"

static void pose_point(frc_point* out, const fracas_pose poses[2], const double rest[3]) {
    double p[3];
    for (int e = 0; e < 2; e++) {
        frc_pose_apply(&poses[e], rest, p);
        frc_set_point(out, e, p);
    }
}

void frc_body_apply_pose(fracas_scene* scene, const frc_body* body, size_t begin, size_t end) {
    // Local copies cannot alias the points that are written.
    const fracas_pose poses[2] = {body->pose[0], body->pose[1]};
    const uint32_t* ids = body->points.data;
    const double* rest = body->rest.data;
    frc_point* out = scene->topology.points.data;
    for (size_t i = begin; i < end; i++)
        if (ids[i] != FRACAS_NONE) pose_point(&out[ids[i]], poses, &rest[3 * i]);
}

static void pose_some(fracas_scene* scene, const uint32_t* ids, size_t count) {
    fracas_pose poses[2];
    uint32_t last = FRACAS_NONE;
    for (size_t i = 0; i < count; i++) {
        if (ids[i] == FRACAS_NONE) continue;
        frc_point* p = &scene->topology.points.data[ids[i]];
        const uint32_t number = p->tag[FRC_TAG_BODY];
        const frc_body* body = &scene->bodies.data[number];
        if (number != last) poses[0] = body->pose[0], poses[1] = body->pose[1];
        last = number;
        pose_point(p, poses, &body->rest.data[3 * (size_t)p->tag[FRC_TAG_NUMBER]]);
    }
}

void frc_scene_mark_posed(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    if (!scene->options.search->keeps_positions || body->posed) return;
    body->posed = true;
    scene->posed_bodies.data[scene->posed_bodies.count++] = number;
    atomic_store(&scene->query_state->posed, true);
}

void frc_scene_apply_poses(fracas_scene* scene) {
    frc_ids* list = &scene->posed_bodies;
    if (list->count == 0) return;
    // Without memory for the list of all points: one body after the other.
    const bool done = frc_each_point(scene, list, FRC_VISIT_POSED, pose_some);
    for (size_t i = 0; i < list->count; i++) {
        frc_body* body = &scene->bodies.data[list->data[i]];
        if (!done) frc_body_apply_pose(scene, body, 0, body->points.count);
        body->posed = false;
    }
    list->count = 0;
    atomic_store(&scene->query_state->posed, false);
}
