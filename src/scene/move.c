/// @file move.c  Where things are at the end of the step; and on to the next step.
///
/// Points of a large body are checked, then written, by all workers. Those of a small one are not,
/// but workers are woken all the same: an update comes next, and threads that sleep take some fifty
/// microseconds to wake.
#include "base/parallel.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include "scene/points.h"
#include <float.h>
#include <math.h>

enum {
    LARGE = 2048,  // points that are worth calling others for: some ten microseconds
    STRETCH = 256  // that a worker takes at a time then
};

typedef struct motion {
    fracas_scene* scene;
    const uint32_t* ids;  // of the body's points
    uint32_t count;
    fracas_points points;  // where they go
    const double* rest;    // of a rigid body: they go where poses say
    fracas_pose poses[2];
    atomic_bool bad;  // some place is not finite
} motion;

static motion make_motion(fracas_scene* scene, const frc_body* body) {
    return (motion){.scene = scene,
                    .ids = body->points.data,
                    .count = (uint32_t)body->points.count,
                    .rest = body->rest.data};
}

static void tell(motion* m, bool finite) {
    if (!finite) atomic_store_explicit(&m->bad, true, memory_order_relaxed);
}

static void check_given(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    motion* m = data;
    const fracas_points points = m->points;
    bool finite = true;
    for (uint32_t i = begin; i < end; i++) {
        double p[3];
        if (m->ids[i] == FRACAS_NONE) continue;
        frc_view_point(&points, i, p);
        finite &= frc_is_finite3(p);
    }
    tell(m, finite);
}

static void write_given(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const motion* m = data;
    const fracas_points points = m->points;
    frc_point* out = m->scene->topology.points.data;
    for (uint32_t i = begin; i < end; i++) {
        double p[3];
        if (m->ids[i] == FRACAS_NONE) continue;
        frc_view_point(&points, i, p);
        frc_set_point(&out[m->ids[i]], 1, p);
    }
}

static double largest(const double* rest, uint32_t begin, uint32_t end) {
    double most[3] = {0};
    for (uint32_t i = begin; i < end; i++)
        for (size_t k = 0; k < 3; k++) {
            double size = fabs(rest[3 * (size_t)i + k]);
            most[k] = size > most[k] ? size : most[k];
        }
    return fmax(fmax(most[0], most[1]), most[2]);
}

// Is everything finite that a pose makes of coordinates up to `most`? No product and no sum on the
// way is larger than b = (|r0| + |r1| + |r2|) most + |t| but for roundings, (1 + 2^-53)^4 times at
// most; b as computed is smaller than b by no more than (1 + 2^-53)^4. So it is enough that four
// times b is finite. What is no number is not below anything.
static bool is_surely_finite(const fracas_pose* pose, double most) {
    bool finite = true;
    for (int k = 0; k < 3; k++) {
        const double* r = &pose->rotation[3 * k];
        double b = (fabs(r[0]) + fabs(r[1]) + fabs(r[2])) * most + fabs(pose->translation[k]);
        finite = finite && 4 * b <= DBL_MAX;
    }
    return finite;
}

// Only where the sizes of the numbers leave a doubt each point is carried there to be looked at.
static void check_posed(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    motion* m = data;
    const double most = largest(m->rest, begin, end);
    if (is_surely_finite(&m->poses[0], most) && is_surely_finite(&m->poses[1], most)) return;
    bool finite = true;
    for (uint32_t i = begin; i < end; i++)
        for (int e = 0; e < 2 && m->ids[i] != FRACAS_NONE; e++) {
            double p[3];
            frc_pose_apply(&m->poses[e], &m->rest[3 * (size_t)i], p);
            finite &= frc_is_finite3(p);
        }
    tell(m, finite);
}

static void write_posed(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const motion* m = data;
    const fracas_pose poses[2] = {m->poses[0], m->poses[1]};  // which no point can be part of
    frc_point* out = m->scene->topology.points.data;
    for (uint32_t i = begin; i < end; i++)
        for (int e = 0; e < 2 && m->ids[i] != FRACAS_NONE; e++) {
            double p[3];
            frc_pose_apply(&poses[e], &m->rest[3 * (size_t)i], p);
            frc_set_point(&out[m->ids[i]], e, p);
        }
}

// False: some place is not finite, nothing was written.
static bool carry_out(motion* m, frc_range_fn* check, frc_range_fn* write) {
    fracas_context* context = m->scene->context;
    const uint32_t each = m->count < LARGE ? m->count : STRETCH;
    atomic_init(&m->bad, false);
    frc_rouse(context);
    frc_parallel_for(context, m->count, each, check, m);
    if (atomic_load(&m->bad)) return false;
    frc_parallel_for(context, m->count, each, write, m);
    return true;
}

static fracas_status check_points(const fracas_scene* scene, fracas_body handle,
                                  const frc_body* body, const fracas_points* points) {
    if (points->count != body->points.count)
        return frc_fail(
            scene->context, FRACAS_ERROR_BAD_DATA,
            "body %u has vertex numbers up to %zu but %u points are given: give one for "
            "each number, also of vertices that are gone",
            handle.index, body->points.count, points->count);
    return frc_points_check(scene->context, points);
}

// The first of them.
static fracas_status tell_bad_point(const motion* m, fracas_body handle) {
    double p[3] = {0};
    uint32_t bad = 0;
    for (uint32_t i = 0; i < m->count && frc_is_finite3(p); i++) {
        if (m->ids[i] == FRACAS_NONE) continue;
        frc_view_point(&m->points, i, p);
        bad = i;
    }
    return frc_fail(m->scene->context, FRACAS_ERROR_BAD_DATA,
                    "vertex %u of body %u would move to (%g, %g, %g), which is not finite", bad,
                    handle.index, p[0], p[1], p[2]);
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
    motion m = make_motion(scene, body);
    m.points = *points;
    if (!carry_out(&m, check_given, write_given)) return tell_bad_point(&m, handle);
    frc_scene_mark_moved(scene, handle.index - 1);
    return FRACAS_OK;
}

// The first of them, and of its ends.
static fracas_status tell_bad_pose(const motion* m, fracas_body handle) {
    double p[3] = {0};
    uint32_t bad = 0, end = 0;
    for (size_t i = 0; i < 2 * (size_t)m->count && frc_is_finite3(p); i++) {
        if (m->ids[i / 2] == FRACAS_NONE) continue;
        bad = (uint32_t)(i / 2), end = i % 2;
        frc_pose_apply(&m->poses[end], &m->rest[3 * (size_t)bad], p);
    }
    return frc_fail(m->scene->context, FRACAS_ERROR_BAD_DATA,
                    "the pose at t%u puts vertex %u of body %u at a place that is not finite", end,
                    bad, handle.index);
}

fracas_status fracas_scene_pose(fracas_scene* scene, fracas_body handle, const fracas_pose* pose_t0,
                                const fracas_pose* pose_t1) {
    if (!scene || !pose_t0 || !pose_t1) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    if (body->motion != FRACAS_RIGID)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "body %u is not rigid: only a rigid body has a pose", handle.index);
    motion m = make_motion(scene, body);
    m.poses[0] = *pose_t0, m.poses[1] = *pose_t1;
    if (!carry_out(&m, check_posed, write_posed)) return tell_bad_pose(&m, handle);
    body->pose[0] = *pose_t0;
    body->pose[1] = *pose_t1;
    frc_scene_mark_moved(scene, handle.index - 1);
    return FRACAS_OK;
}

static void advance_some(fracas_scene* scene, const uint32_t* ids, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (ids[i] == FRACAS_NONE) continue;
        frc_point* p = &scene->topology.points.data[ids[i]];
        p->x[0] = p->x[1], p->y[0] = p->y[1], p->z[0] = p->z[1];
    }
}

fracas_status fracas_scene_advance(fracas_scene* scene) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    // Without memory for a list of all: one body after the other.
    const bool done = frc_each_point(scene, &scene->moved_bodies, false, advance_some);
    for (size_t b = 0; b < scene->moved_bodies.count; b++) {
        frc_body* body = &scene->bodies.data[scene->moved_bodies.data[b]];
        if (!done) frc_each_of(scene, &body->points, advance_some);
        body->pose[0] = body->pose[1];
        body->moved = false;
        body->fit = true;
        frc_scene_mark_stale(scene, scene->moved_bodies.data[b]);
    }
    scene->moved_bodies.count = 0;
    frc_trace_clear(scene->context, &scene->trace);
    return FRACAS_OK;
}
