/// @file move.c  Where things are at the end of the step; and on to the next step.
///
/// Points of a large body, or of many bodies at once, are checked, then written, by all workers.
/// Those of a small one are not, but workers are woken all the same: an update comes next, and
/// threads that sleep take some fifty microseconds to wake.
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

// Of one body.
typedef struct motion {
    uint32_t number;      // of the body
    const uint32_t* ids;  // of its points
    uint32_t count;
    const double* rest;  // of a rigid body: its points go where poses say; else NULL
    const fracas_move* to;
} motion;

// Of all that move in one call.
typedef struct march {
    fracas_scene* scene;
    const motion* motions;
    const size_t* begin;  // as for frc_each_stretch
    size_t count;
    atomic_bool bad;  // some place is not finite
} march;

static motion make_motion(const fracas_scene* scene, const frc_body* body, const fracas_move* to) {
    return (motion){.number = frc_body_number(scene, body),
                    .ids = body->points.data,
                    .count = (uint32_t)body->points.count,
                    .rest = body->motion == FRACAS_MOTION_RIGID ? body->rest.data : NULL,
                    .to = to};
}

// ---- points that are given

static bool given_are_finite(const motion* m, uint32_t begin, uint32_t end) {
    const fracas_points points = m->to->points_t1;
    bool finite = true;
    for (uint32_t i = begin; i < end; i++) {
        double p[3];
        if (m->ids[i] == FRACAS_NONE) continue;
        frc_view_point(&points, i, p);
        finite &= frc_is_finite3(p);
    }
    return finite;
}

static void write_given(const motion* m, uint32_t begin, uint32_t end, frc_point* out) {
    const fracas_points points = m->to->points_t1;
    for (uint32_t i = begin; i < end; i++) {
        double p[3];
        if (m->ids[i] == FRACAS_NONE) continue;
        frc_view_point(&points, i, p);
        frc_set_point(&out[m->ids[i]], 1, p);
    }
}

// ---- poses

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
static bool posed_are_finite(const motion* m, uint32_t begin, uint32_t end) {
    const fracas_pose poses[2] = {m->to->poses[0], m->to->poses[1]};
    const double most = largest(m->rest, begin, end);
    if (is_surely_finite(&poses[0], most) && is_surely_finite(&poses[1], most)) return true;
    bool finite = true;
    for (uint32_t i = begin; i < end; i++)
        for (int e = 0; e < 2 && m->ids[i] != FRACAS_NONE; e++) {
            double p[3];
            frc_pose_apply(&poses[e], &m->rest[3 * (size_t)i], p);
            finite &= frc_is_finite3(p);
        }
    return finite;
}

static void write_posed(const motion* m, uint32_t begin, uint32_t end, frc_point* out) {
    const fracas_pose poses[2] = {m->to->poses[0],
                                  m->to->poses[1]};  // which no point can be part of
    for (uint32_t i = begin; i < end; i++)
        for (int e = 0; e < 2 && m->ids[i] != FRACAS_NONE; e++) {
            double p[3];
            frc_pose_apply(&poses[e], &m->rest[3 * (size_t)i], p);
            frc_set_point(&out[m->ids[i]], e, p);
        }
}

// ---- all that move

static bool are_finite(const motion* m, uint32_t begin, uint32_t end) {
    return m->rest ? posed_are_finite(m, begin, end) : given_are_finite(m, begin, end);
}

static void check_some(size_t number, size_t begin, size_t end, void* data) {
    march* all = data;
    if (!are_finite(&all->motions[number], (uint32_t)begin, (uint32_t)end))
        atomic_store_explicit(&all->bad, true, memory_order_relaxed);
}

static void write_some(size_t number, size_t begin, size_t end, void* data) {
    const march* all = data;
    const motion* m = &all->motions[number];
    frc_point* out = all->scene->topology.points.data;
    if (m->rest)
        write_posed(m, (uint32_t)begin, (uint32_t)end, out);
    else
        write_given(m, (uint32_t)begin, (uint32_t)end, out);
}

// The first of them.
static fracas_status tell_bad_point(const march* all, const motion* m) {
    double p[3] = {0};
    uint32_t bad = 0;
    for (uint32_t i = 0; i < m->count && frc_is_finite3(p); i++) {
        if (m->ids[i] == FRACAS_NONE) continue;
        frc_view_point(&m->to->points_t1, i, p);
        bad = i;
    }
    return frc_fail(all->scene->context, FRACAS_ERROR_BAD_DATA,
                    "vertex %u of body %u would move to (%g, %g, %g), which is not finite", bad,
                    m->number + 1, p[0], p[1], p[2]);
}

// The first of them, and of its ends.
static fracas_status tell_bad_pose(const march* all, const motion* m) {
    double p[3] = {0};
    uint32_t bad = 0, end = 0;
    for (size_t i = 0; i < 2 * (size_t)m->count && frc_is_finite3(p); i++) {
        if (m->ids[i / 2] == FRACAS_NONE) continue;
        bad = (uint32_t)(i / 2), end = i % 2;
        frc_pose_apply(&m->to->poses[end], &m->rest[3 * (size_t)bad], p);
    }
    return frc_fail(all->scene->context, FRACAS_ERROR_BAD_DATA,
                    "the pose at t%u puts vertex %u of body %u at a place that is not finite", end,
                    bad, m->number + 1);
}

// Of the first body that has some.
static fracas_status tell_bad_place(const march* all) {
    const motion* m = all->motions;
    while (are_finite(m, 0, m->count)) m++;
    return m->rest ? tell_bad_pose(all, m) : tell_bad_point(all, m);
}

static void arrive(const march* all, const motion* m) {
    frc_body* body = &all->scene->bodies.data[m->number];
    if (body->motion == FRACAS_MOTION_RIGID) {
        body->pose[0] = m->to->poses[0];
        body->pose[1] = m->to->poses[1];
    }
    frc_scene_mark_moved(all->scene, m->number);
}

// On failure nothing was written.
static fracas_status carry_out(march* all) {
    fracas_context* context = all->scene->context;
    const size_t points = all->begin[all->count];
    const size_t each = points < LARGE ? points + 1 : STRETCH;
    atomic_init(&all->bad, false);
    frc_wake(context);
    frc_each_stretch(context, all->begin, all->count, each, check_some, all);
    if (atomic_load(&all->bad)) return tell_bad_place(all);
    frc_each_stretch(context, all->begin, all->count, each, write_some, all);
    for (size_t i = 0; i < all->count; i++) arrive(all, &all->motions[i]);
    return FRACAS_OK;
}

static fracas_status carry_out_one(fracas_scene* scene, const frc_body* body,
                                   const fracas_move* to) {
    const motion m = make_motion(scene, body, to);
    const size_t begin[2] = {0, m.count};
    march all = {.scene = scene, .motions = &m, .begin = begin, .count = 1};
    return carry_out(&all);
}

// ---- what is asked for

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

fracas_status fracas_scene_move(fracas_scene* scene, fracas_body handle,
                                const fracas_points* points_t1) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!points_t1) return frc_fail_null(scene->context, "fracas_scene_move", "points_t1");
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    if (body->motion != FRACAS_MOTION_DEFORMING)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "body %u is %s: only a deforming body moves point by point", handle.index,
                        body->motion == FRACAS_MOTION_RIGID ? "rigid" : "static");
    status = check_points(scene, handle, body, points_t1);
    if (status != FRACAS_OK) return status;
    const fracas_move to = {.kind = FRACAS_MOVE_POINTS, .points_t1 = *points_t1};
    return carry_out_one(scene, body, &to);
}

fracas_status fracas_scene_pose(fracas_scene* scene, fracas_body handle, const fracas_pose* pose_t0,
                                const fracas_pose* pose_t1) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!pose_t0) return frc_fail_null(scene->context, "fracas_scene_pose", "pose_t0");
    if (!pose_t1) return frc_fail_null(scene->context, "fracas_scene_pose", "pose_t1");
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    if (body->motion != FRACAS_MOTION_RIGID)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "body %u is not rigid: only a rigid body has a pose", handle.index);
    const fracas_move to = {
        .kind = FRACAS_MOVE_POSE, .poses = {*pose_t0, *pose_t1}
    };
    return carry_out_one(scene, body, &to);
}

// ---- many bodies

typedef struct march_room {
    motion* motions;
    size_t* begin;
    uint8_t* listed;  // by number of a body
} march_room;

static fracas_status check_move(const fracas_scene* scene, const march_room* room, size_t i,
                                const fracas_move* move) {
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, move->body, &status);
    if (!body) return status;
    const uint32_t number = frc_body_number(scene, body);
    if (body->motion == FRACAS_MOTION_STATIC)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "move %zu is of body %u, which is static: leave it out", i,
                        move->body.index);
    const bool rigid = body->motion == FRACAS_MOTION_RIGID;
    if (move->kind != (rigid ? FRACAS_MOVE_POSE : FRACAS_MOVE_POINTS))
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "move %zu is of body %u, which is %s: its kind must be %s", i,
                        move->body.index, rigid ? "rigid" : "deforming",
                        rigid ? "FRACAS_MOVE_POSE" : "FRACAS_MOVE_POINTS");
    if (room->listed[number]++)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                        "move %zu is of body %u, as an earlier one is: give one for each body", i,
                        move->body.index);
    room->motions[i] = make_motion(scene, body, move);
    room->begin[i + 1] = room->begin[i] + room->motions[i].count;
    return rigid ? FRACAS_OK : check_points(scene, move->body, body, &move->points_t1);
}

static fracas_status move_all(fracas_scene* scene, const march_room* room, const fracas_move* moves,
                              size_t count) {
    room->begin[0] = 0;
    for (size_t i = 0; i < count; i++) {
        fracas_status status = check_move(scene, room, i, &moves[i]);
        if (status != FRACAS_OK) return status;
    }
    march all = {.scene = scene, .motions = room->motions, .begin = room->begin, .count = count};
    return carry_out(&all);
}

fracas_status fracas_scene_move_many(fracas_scene* scene, const fracas_move* moves, size_t count) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (count == 0) return FRACAS_OK;
    if (!moves) return frc_fail_null(scene->context, "fracas_scene_move_many", "moves");
    fracas_context* context = scene->context;
    const size_t bodies = scene->bodies.count;
    bool ok = true;
    march_room room = {0};
    room.motions = frc_allocate_array(context, count, sizeof *room.motions, &ok);
    room.begin = frc_allocate_array(context, count + 1, sizeof *room.begin, &ok);
    room.listed = frc_allocate_zero(context, bodies + 1);
    const fracas_status status = ok && room.listed ? move_all(scene, &room, moves, count)
                                                   : frc_fail_memory(context, bodies + 1);
    frc_release(context, room.listed, bodies + 1);
    frc_release(context, room.begin, frc_array_size(count + 1, sizeof *room.begin));
    frc_release(context, room.motions, frc_array_size(count, sizeof *room.motions));
    return status;
}

// ---- the next step

static void advance_some(fracas_scene* scene, const uint32_t* ids, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (ids[i] == FRACAS_NONE) continue;
        frc_point* p = &scene->topology.points.data[ids[i]];
        p->x[0] = p->x[1], p->y[0] = p->y[1], p->z[0] = p->z[1];
    }
}

fracas_status fracas_scene_advance(fracas_scene* scene) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!frc_siblings_separate(scene))
        return frc_fail_memory(scene->context, scene->siblings.members * sizeof(uint64_t));
    // Without memory for a list of all: one body after the other.
    const bool done = frc_each_point(scene, &scene->moved_bodies, false, advance_some);
    for (size_t b = 0; b < scene->moved_bodies.count; b++) {
        frc_body* body = &scene->bodies.data[scene->moved_bodies.data[b]];
        if (!done) frc_each_of(scene, &body->points, advance_some);
        body->pose[0] = body->pose[1];
        body->moved_at = 0;
        body->points_moved = true;
        frc_scene_mark_stale(scene, scene->moved_bodies.data[b]);
    }
    scene->moved_bodies.count = 0;
    frc_trace_clear(scene->context, &scene->trace);
    return FRACAS_OK;
}
