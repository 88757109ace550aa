/// @file move.c  Positions at the end of the step, and the advance to the next step.
///
/// Points are checked and then written, in parallel when they are many. Workers are woken for few
/// points too: an update comes next, and a sleeping thread takes some fifty microseconds to wake.
#include "base/parallel.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include "scene/points.h"
#include <float.h>
#include <math.h>

enum {
    LARGE = 2048,  // points that are worth a parallel loop: some ten microseconds
    STRETCH = 256  // points of a task of that loop
};

// Of one body.
typedef struct motion {
    uint32_t number;      // of the body
    const uint32_t* ids;  // of its points
    uint32_t count;
    bool rigid;          // its points are given by poses
    bool finite;         // all its positions are known to be
    const double* rest;  // of a rigid body
    const fracas_move* to;
} motion;

// Of all bodies that one call moves.
typedef struct move_job {
    fracas_scene* scene;
    const motion* motions;
    const size_t* begin;  // as for frc_each_stretch
    size_t count;
    atomic_bool bad;  // some position is not finite
} move_job;

// ---- checks

// The largest magnitude of the rest coordinates of a body. Only new ones are read.
static double measure_rest(frc_body* body) {
    double most = body->rest_most;
    for (size_t i = body->rest_measured; i < body->rest.count; i++) {
        const double size = fabs(body->rest.data[i]);
        most = size > most ? size : most;
    }
    body->rest_measured = body->rest.count;
    return body->rest_most = most;
}

// Is every position finite that the pose gives to coordinates up to `most`? No product and no sum
// in frc_pose_apply is larger than b = (|r0| + |r1| + |r2|) most + |t| but for roundings,
// (1 + 2^-53)^4 times at most; b as computed is smaller than b by no more than (1 + 2^-53)^4. So it
// is enough that four times b is finite. A comparison with NaN is false.
static bool is_surely_finite(const fracas_pose* pose, double most) {
    bool finite = true;
    for (int k = 0; k < 3; k++) {
        const double* r = &pose->rotation[3 * k];
        double b = (fabs(r[0]) + fabs(r[1]) + fabs(r[2])) * most + fabs(pose->translation[k]);
        finite = finite && 4 * b <= DBL_MAX;
    }
    return finite;
}

// Where that bound does not decide each point is transformed.
static bool posed_are_finite(const motion* m, uint32_t begin, uint32_t end) {
    const fracas_pose poses[2] = {m->to->poses[0], m->to->poses[1]};
    bool finite = true;
    for (uint32_t i = begin; i < end; i++)
        for (int e = 0; e < 2 && m->ids[i] != FRACAS_NONE; e++) {
            double p[3];
            frc_pose_apply(&poses[e], &m->rest[3 * (size_t)i], p);
            finite &= frc_is_finite3(p);
        }
    return finite;
}

static motion make_motion(const fracas_scene* scene, frc_body* body, const fracas_move* to) {
    motion m = {.number = frc_body_number(scene, body),
                .ids = body->points.data,
                .count = (uint32_t)body->points.count,
                .to = to};
    if (body->motion != FRACAS_MOTION_RIGID) return m;
    const double most = measure_rest(body);
    m.rigid = true;
    m.rest = body->rest.data;
    m.finite = is_surely_finite(&to->poses[0], most) && is_surely_finite(&to->poses[1], most);
    return m;
}

// Points that are read or written. A search method that keeps positions applies poses itself.
static uint32_t visited_points(const fracas_scene* scene, const motion* m) {
    return m->finite && scene->options.search->keeps_positions ? 0 : m->count;
}

static bool are_finite(const motion* m, uint32_t begin, uint32_t end) {
    if (m->finite) return true;
    if (m->rigid) return posed_are_finite(m, begin, end);
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

static void check_some(size_t number, size_t begin, size_t end, void* data) {
    move_job* job = data;
    if (!are_finite(&job->motions[number], (uint32_t)begin, (uint32_t)end))
        atomic_store_explicit(&job->bad, true, memory_order_relaxed);
}

// A message about the first position that is not finite: of the first body, at its first end.
static fracas_status fail_bad_position(const move_job* job) {
    const motion* m = job->motions;
    while (are_finite(m, 0, m->count)) m++;
    double p[3] = {0};
    uint32_t bad = 0, end = 0;
    if (m->rigid) {
        for (size_t i = 0; i < 2 * (size_t)m->count && frc_is_finite3(p); i++) {
            if (m->ids[i / 2] == FRACAS_NONE) continue;
            bad = (uint32_t)(i / 2), end = i % 2;
            frc_pose_apply(&m->to->poses[end], &m->rest[3 * (size_t)bad], p);
        }
        return frc_fail(job->scene->context, FRACAS_ERROR_BAD_DATA,
                        "the pose at t%u puts vertex %u of body %u at a place that is not finite",
                        end, bad, m->number + 1);
    }
    for (uint32_t i = 0; i < m->count && frc_is_finite3(p); i++) {
        if (m->ids[i] == FRACAS_NONE) continue;
        frc_view_point(&m->to->points_t1, i, p);
        bad = i;
    }
    return frc_fail(job->scene->context, FRACAS_ERROR_BAD_DATA,
                    "vertex %u of body %u would move to (%g, %g, %g), which is not finite", bad,
                    m->number + 1, p[0], p[1], p[2]);
}

// ---- writing

static void write_some(size_t number, size_t begin, size_t end, void* data) {
    const move_job* job = data;
    const motion* m = &job->motions[number];
    frc_point* out = job->scene->topology.points.data;
    const frc_body* body = &job->scene->bodies.data[m->number];
    double p[3];
    if (m->rigid) {
        if (!body->posed) frc_body_apply_pose(job->scene, body, begin, end);
        return;
    }
    const fracas_points points = m->to->points_t1;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        if (m->ids[i] == FRACAS_NONE) continue;
        frc_view_point(&points, i, p);
        frc_set_point(&out[m->ids[i]], 1, p);
    }
}

// On failure nothing was written.
static fracas_status carry_out(move_job* job) {
    fracas_scene* scene = job->scene;
    const size_t points = job->begin[job->count];
    const size_t each = points < LARGE ? points + 1 : STRETCH;
    atomic_init(&job->bad, false);
    frc_wake(scene->context);
    frc_each_stretch(scene->context, job->begin, job->count, each, check_some, job);
    if (atomic_load(&job->bad)) return fail_bad_position(job);
    for (size_t i = 0; i < job->count; i++) {
        const motion* m = &job->motions[i];
        frc_body* body = &scene->bodies.data[m->number];
        if (m->rigid) {
            body->pose[0] = m->to->poses[0];
            body->pose[1] = m->to->poses[1];
            frc_scene_mark_posed(scene, m->number);
        } else if (body->copy == FRC_COPY_SAME) {
            body->copy = FRC_COPY_LAST;
        }
        frc_scene_mark_moved(scene, m->number);
    }
    frc_each_stretch(scene->context, job->begin, job->count, each, write_some, job);
    return FRACAS_OK;
}

// ---- one body

static fracas_status carry_out_one(fracas_scene* scene, frc_body* body, const fracas_move* to) {
    const motion m = make_motion(scene, body, to);
    const size_t begin[2] = {0, visited_points(scene, &m)};
    move_job job = {.scene = scene, .motions = &m, .begin = begin, .count = 1};
    return carry_out(&job);
}

static fracas_status check_points(const fracas_scene* scene, fracas_body handle,
                                  const frc_body* body, const fracas_points* points) {
    if (points->count != body->points.count)
        return frc_fail(
            scene->context, FRACAS_ERROR_BAD_DATA,
            "body %u has vertex numbers up to %zu but %u points are given: give one for "
            "each number, also of removed vertices",
            handle.index, body->points.count, points->count);
    return frc_points_check(scene->context, points);
}

fracas_status fracas_scene_move(fracas_scene* scene, fracas_body handle,
                                const fracas_points* points_t1) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!points_t1) return frc_fail_null(scene->context, "fracas_scene_move", "points_t1");
    fracas_status status;
    frc_body* body = frc_scene_find_body(scene, handle, &status);
    if (!body) return status;
    if (body->motion != FRACAS_MOTION_DEFORMING)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "body %u is %s: only a deforming body moves point by point", handle.index,
                        body->motion == FRACAS_MOTION_RIGID ? "rigid" : "static");
    status = check_points(scene, handle, body, points_t1);
    if (status == FRACAS_OK) status = frc_scene_fetch_deforming(scene);
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
    frc_body* body = frc_scene_find_body(scene, handle, &status);
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

// Arrays of fracas_scene_move_many.
typedef struct many_moves {
    motion* motions;
    size_t* begin;
    uint8_t* listed;  // by number of a body
} many_moves;

// Check move `i` and append its motion.
static fracas_status check_move(const fracas_scene* scene, const many_moves* all, size_t i,
                                const fracas_move* move) {
    fracas_status status;
    frc_body* body = frc_scene_find_body(scene, move->body, &status);
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
    if (all->listed[number]++)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                        "move %zu is of body %u, as an earlier one is: give one for each body", i,
                        move->body.index);
    all->motions[i] = make_motion(scene, body, move);
    all->begin[i + 1] = all->begin[i] + visited_points(scene, &all->motions[i]);
    if (rigid) return FRACAS_OK;
    status = check_points(scene, move->body, body, &move->points_t1);
    return status == FRACAS_OK ? frc_scene_fetch_deforming(scene) : status;
}

fracas_status fracas_scene_move_many(fracas_scene* scene, const fracas_move* moves, size_t count) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (count == 0) return FRACAS_OK;
    if (!moves) return frc_fail_null(scene->context, "fracas_scene_move_many", "moves");
    fracas_context* context = scene->context;
    const size_t bodies = scene->bodies.count;
    bool ok = true;
    many_moves all = {0};
    all.motions = frc_allocate_array(context, count, sizeof *all.motions, &ok);
    all.begin = frc_allocate_array(context, count + 1, sizeof *all.begin, &ok);
    all.listed = frc_allocate_zero(context, bodies + 1);
    fracas_status status = FRACAS_OK;
    if (ok && all.listed) {
        all.begin[0] = 0;
        for (size_t i = 0; i < count && status == FRACAS_OK; i++)
            status = check_move(scene, &all, i, &moves[i]);
        move_job job = {.scene = scene, .motions = all.motions, .begin = all.begin, .count = count};
        if (status == FRACAS_OK) status = carry_out(&job);
    } else {
        status = frc_fail_memory(context, bodies + 1);
    }
    frc_release(context, all.listed, bodies + 1);
    frc_release(context, all.begin, frc_array_size(count + 1, sizeof *all.begin));
    frc_release(context, all.motions, frc_array_size(count, sizeof *all.motions));
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
    // Siblings separate by their positions.
    if (scene->siblings.family_count > 0) {
        const fracas_status status = frc_scene_fetch(scene);
        if (status != FRACAS_OK) return status;
    }
    if (!frc_siblings_separate(scene))
        return frc_fail_memory(scene->context, scene->siblings.members * sizeof(uint64_t));
    const bool elsewhere = atomic_load(&scene->query_state->elsewhere);
    if (elsewhere) {
        const fracas_status status = scene->options.search->advance(scene->search_data);
        if (status != FRACAS_OK) return status;
    }
    // Without memory for the list of all points: one body after the other.
    const bool done =
        elsewhere || frc_each_point(scene, &scene->moved_bodies, FRC_VISIT_MOVED, advance_some);
    for (size_t b = 0; b < scene->moved_bodies.count; b++) {
        frc_body* body = &scene->bodies.data[scene->moved_bodies.data[b]];
        if (!done && !body->posed) frc_each_of(scene, &body->points, advance_some);
        if (!elsewhere && body->motion == FRACAS_MOTION_DEFORMING)
            body->copy = body->copy == FRC_COPY_SAME ? FRC_COPY_STEP : FRC_COPY_BOTH;
        body->pose[0] = body->pose[1];
        body->moved_at = 0;
        body->points_moved = true;
        frc_scene_mark_stale(scene, scene->moved_bodies.data[b]);
    }
    scene->moved_bodies.count = 0;
    frc_trace_clear(scene->context, &scene->trace);
    return FRACAS_OK;
}
