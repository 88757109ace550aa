/// @file move.c  Where things are at the end of the step; and on to the next step.
#include "base/parallel.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include "scene/scene.h"

// An update comes next. Threads that sleep take some fifty microseconds to wake, which is as long
// as it takes to move so many points, and do not stay awake for long.
enum { AHEAD = 16384 };

static size_t ahead_of_end(size_t count) { return count > AHEAD ? count - AHEAD : 0; }

static fracas_status check_points(fracas_scene* scene, fracas_body handle, const frc_body* body,
                                  const fracas_points* points) {
    fracas_context* context = scene->context;
    if (points->count != body->points.count)
        return frc_fail(
            context, FRACAS_ERROR_BAD_DATA,
            "body %u has vertex numbers up to %zu but %u points are given: give one for "
            "each number, also of vertices that are gone",
            handle.index, body->points.count, points->count);
    fracas_status status = frc_points_check(context, points);
    for (uint32_t i = 0; i < points->count && status == FRACAS_OK; i++) {
        double p[3];
        if (body->points.data[i] == FRACAS_NONE) continue;
        frc_view_point(points, i, p);
        if (!frc_is_finite3(p))
            status =
                frc_fail(context, FRACAS_ERROR_BAD_DATA,
                         "vertex %u of body %u would move to (%g, %g, %g), which is not finite", i,
                         handle.index, p[0], p[1], p[2]);
    }
    return status;
}

fracas_status fracas_scene_move(fracas_scene* scene, fracas_body handle,
                                const fracas_points* points) {
    if (!scene || !points) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    if (body->motion != FRACAS_DEFORMING)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "body %u is %s: only a deforming body moves point by point", handle.index,
                        body->motion == FRACAS_RIGID ? "rigid" : "static");
    status = check_points(scene, handle, body, points);
    if (status != FRACAS_OK) return status;
    const size_t rouse_at = ahead_of_end(points->count);
    for (uint32_t i = 0; i < points->count; i++) {
        double p[3];
        if (i == rouse_at) frc_rouse(scene->context);
        if (body->points.data[i] == FRACAS_NONE) continue;
        frc_view_point(points, i, p);
        frc_set_point(&scene->topology.points.data[body->points.data[i]], 1, p);
    }
    frc_scene_mark_moved(scene, handle.index - 1);
    return FRACAS_OK;
}

static fracas_status check_poses(fracas_scene* scene, fracas_body handle, const frc_body* body,
                                 const fracas_pose* poses[2]) {
    for (size_t i = 0; i < body->points.count; i++)
        for (int end = 0; end < 2 && body->points.data[i] != FRACAS_NONE; end++) {
            double p[3];
            frc_pose_apply(poses[end], &body->rest.data[3 * i], p);
            if (!frc_is_finite3(p))
                return frc_fail(
                    scene->context, FRACAS_ERROR_BAD_DATA,
                    "the pose at t%d puts vertex %zu of body %u at a place that is not finite", end,
                    i, handle.index);
        }
    return FRACAS_OK;
}

fracas_status fracas_scene_pose(fracas_scene* scene, fracas_body handle, const fracas_pose* pose_t0,
                                const fracas_pose* pose_t1) {
    if (!scene || !pose_t0 || !pose_t1) return FRACAS_ERROR_INVALID_ARGUMENT;
    const fracas_pose* poses[2] = {pose_t0, pose_t1};
    fracas_status status;
    frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    if (body->motion != FRACAS_RIGID)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "body %u is not rigid: only a rigid body has a pose", handle.index);
    status = check_poses(scene, handle, body, poses);
    if (status != FRACAS_OK) return status;
    const size_t rouse_at = ahead_of_end(body->points.count);
    for (size_t i = 0; i < body->points.count; i++) {
        if (i == rouse_at) frc_rouse(scene->context);
        for (int end = 0; end < 2 && body->points.data[i] != FRACAS_NONE; end++) {
            double p[3];
            frc_pose_apply(poses[end], &body->rest.data[3 * i], p);
            frc_set_point(&scene->topology.points.data[body->points.data[i]], end, p);
        }
    }
    body->pose[0] = *pose_t0;
    body->pose[1] = *pose_t1;
    frc_scene_mark_moved(scene, handle.index - 1);
    return FRACAS_OK;
}

fracas_status fracas_scene_advance(fracas_scene* scene) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    for (size_t b = 0; b < scene->moved_bodies.count; b++) {
        frc_body* body = &scene->bodies.data[scene->moved_bodies.data[b]];
        for (size_t i = 0; i < body->points.count; i++) {
            if (body->points.data[i] == FRACAS_NONE) continue;
            frc_point* p = &scene->topology.points.data[body->points.data[i]];
            p->x[0] = p->x[1], p->y[0] = p->y[1], p->z[0] = p->z[1];
        }
        body->pose[0] = body->pose[1];
        body->moved = false;
        body->fit = true;
        frc_scene_mark_stale(scene, scene->moved_bodies.data[b]);
    }
    scene->moved_bodies.count = 0;
    frc_trace_clear(scene->context, &scene->trace);
    return FRACAS_OK;
}
