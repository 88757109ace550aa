/// @file positions.c  Positions from memory of the device: moves, the next step, and the copy to
/// the scene when it is needed.
///
/// Poses of rigid bodies stay with the scene until their points are needed, by the device or by the
/// host (poses.c, scene/pose_points.c). While positions are newer on the device, a rigid body whose
/// points are older than its pose there is listed in fracas_scene.posed_bodies.
///
/// A move writes new positions of all bodies to memory of its own first, and finds the first one
/// that is not finite. Then points move on the device, and the positions of the scene are old
/// (frc_mirror.newer, frc_query_state.elsewhere).
#include "base/parallel.h"
#include "cuda/search.h"
#include "scene/scene.h"
#include <string.h>

static frc_motion make_motion(const frc_cuda_search* search) {
    const frc_mirror* mirror = &search->mirror;
    return (frc_motion){.points = mirror->points.data,
                        .names = mirror->names.data,
                        .staged = search->staged.data,
                        .views = search->views.data,
                        .bad = search->bad.data,
                        .point_count = search->scene->topology.points.count,
                        .view_count = search->host_views.count};
}

// ---- to the scene, and to the next step

static fracas_status download_positions(frc_mirror* mirror, fracas_scene* scene) {
    const size_t count = scene->topology.points.count;
    mirror->positions.on_host = true;
    const fracas_status status =
        frc_device_reserve(mirror, &mirror->positions, count * sizeof(frc_moving_point));
    if (status != FRACAS_OK) return status;
    if (!frc_device_download(mirror->device, mirror->positions.data, mirror->points.data,
                             count * sizeof(frc_moving_point)) ||
        !frc_device_wait(mirror->device))
        return frc_device_fail(mirror);
    const frc_moving_point* from = mirror->positions.data;
    for (size_t i = 0; i < count; i++)
        for (int e = 0; e < 2; e++) {
            const double at[3] = {from[i].x[0][e], from[i].x[1][e], from[i].x[2][e]};
            frc_set_point(&scene->topology.points.data[i], e, at);
        }
    return FRACAS_OK;
}

fracas_status frc_cuda_fetch_locked(frc_cuda_search* search) {
    frc_mirror* mirror = &search->mirror;
    fracas_scene* scene = search->scene;
    const fracas_status status = mirror->newer ? download_positions(mirror, scene) : FRACAS_OK;
    if (status != FRACAS_OK) return status;
    frc_scene_apply_poses(scene);
    mirror->newer = false;
    atomic_store(&scene->query_state->elsewhere, false);
    return FRACAS_OK;
}

fracas_status frc_cuda_fetch(void* data) {
    frc_cuda_search* search = data;
    pthread_mutex_lock(&search->lock);
    const fracas_status status = frc_cuda_fetch_locked(search);
    pthread_mutex_unlock(&search->lock);
    return status;
}

fracas_status frc_cuda_advance(void* data) {
    frc_cuda_search* search = data;
    const frc_motion motion = make_motion(search);
    return frc_device_run_motion(search->device, FRC_MOTION_advance, &motion)
               ? FRACAS_OK
               : frc_device_fail(&search->mirror);
}

// ---- checks of a move

static uint64_t scalar_size(const fracas_cuda_points* p) {
    return p->scalar == FRACAS_SCALAR_FLOAT ? sizeof(float) : sizeof(double);
}

static fracas_cuda_points with_strides(const fracas_cuda_points* given) {
    fracas_cuda_points p = *given;
    if (p.stride == 0 && p.axis_stride == 0)
        p.stride = 3 * scalar_size(&p), p.axis_stride = scalar_size(&p);
    return p;
}

// Bytes from the first to behind the last coordinate.
static uint64_t extent(const fracas_cuda_points* p) {
    return p->count == 0 ? 0 : (p->count - 1) * p->stride + 2 * p->axis_stride + scalar_size(p);
}

static fracas_status check_points(const frc_cuda_search* search, size_t i,
                                  const fracas_cuda_points* p) {
    fracas_context* context = search->scene->context;
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    if (p->scalar != FRACAS_SCALAR_DOUBLE && p->scalar != FRACAS_SCALAR_FLOAT)
        return frc_fail(context, misuse, "move %zu: scalar %d is no fracas_scalar", i,
                        (int)p->scalar);
    if ((unsigned)p->place > FRACAS_CUDA_ON_HOST)
        return frc_fail(context, misuse, "move %zu: place %d is no fracas_cuda_place", i,
                        (int)p->place);
    if (p->count == 0) return FRACAS_OK;
    if (!p->data)
        return frc_fail(context, misuse, "move %zu: there are %u points, but their pointer is NULL",
                        i, p->count);
    if (((uintptr_t)p->data | p->stride | p->axis_stride) % scalar_size(p) != 0)
        return frc_fail(context, misuse,
                        "move %zu: the pointer and the strides of %llu and %llu bytes must be "
                        "multiples of the %llu bytes of a scalar",
                        i, (unsigned long long)p->stride, (unsigned long long)p->axis_stride,
                        (unsigned long long)scalar_size(p));
    if (p->stride > UINT32_MAX || p->axis_stride > (uint64_t)UINT32_MAX << 16)
        return frc_fail(context, misuse, "move %zu: a stride of %llu bytes is too large", i,
                        (unsigned long long)(p->stride > UINT32_MAX ? p->stride : p->axis_stride));
    if (p->place == FRACAS_CUDA_ON_DEVICE &&
        !frc_device_can_read(search->device, p->data, extent(p)))
        return frc_fail(context, misuse,
                        "move %zu: CUDA device %s cannot read the %llu bytes of the points at %p: "
                        "give memory of this device, or set place to FRACAS_CUDA_ON_HOST",
                        i, frc_device_name(search->device), (unsigned long long)extent(p), p->data);
    return FRACAS_OK;
}

// A view of the points in host_views; those on the host have no data yet.
static fracas_status check_move(frc_cuda_search* search, size_t i, const fracas_cuda_move* move) {
    const fracas_scene* scene = search->scene;
    fracas_status status;
    const frc_body* body = frc_scene_find_body(scene, move->body, &status);
    if (!body) return status;
    if (body->motion != FRACAS_MOTION_DEFORMING)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "body %u is %s: only a deforming body moves point by point",
                        move->body.index, body->motion == FRACAS_MOTION_RIGID ? "rigid" : "static");
    if (move->points_t1.count != body->points.count)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                        "body %u has vertex numbers up to %zu but %u points are given: give one "
                        "for each number, also of removed vertices",
                        move->body.index, body->points.count, move->points_t1.count);
    const fracas_cuda_points p = with_strides(&move->points_t1);
    status = check_points(search, i, &p);
    if (status != FRACAS_OK || p.count == 0) return status;
    frc_motion_view* view = &search->host_views.data[frc_body_number(scene, body)];
    if (view->data)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                        "move %zu is of body %u, as an earlier one is: give one for each body", i,
                        move->body.index);
    *view =
        (frc_motion_view){p.data, p.stride, p.axis_stride, p.scalar == FRACAS_SCALAR_FLOAT ? 1 : 0};
    return FRACAS_OK;
}

static fracas_status check_moves(frc_cuda_search* search, const fracas_cuda_move* moves,
                                 size_t count) {
    fracas_scene* scene = search->scene;
    const size_t bodies = scene->bodies.count;
    fracas_status status = FRACAS_OK;
    if (!FRC_ARRAY_RESERVE(scene->context, &search->host_views, bodies))
        return frc_fail_memory(scene->context, bodies * sizeof(frc_motion_view));
    search->host_views.count = bodies;
    for (size_t i = 0; i < bodies; i++) search->host_views.data[i] = (frc_motion_view){0};
    for (size_t i = 0; i < count && status == FRACAS_OK; i++)
        status = check_move(search, i, &moves[i]);
    return status;
}

// ---- carrying it out

typedef struct copied {
    unsigned char* to;
    const unsigned char* from;
    uint64_t size;
} copied;

enum { CHUNK = 1 << 16 };

static void copy_chunks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const copied* c = data;
    const uint64_t first = (uint64_t)begin * CHUNK, last = (uint64_t)end * CHUNK;
    (void)worker;
    memcpy(c->to + first, c->from + first, (last < c->size ? last : c->size) - first);
}

// Points on the host to the device, through pinned memory: from there the device copies several
// times as fast.
static fracas_status upload_input(frc_cuda_search* search, const fracas_cuda_move* moves,
                                  size_t count) {
    enum { ALIGNMENT = 256 };
    frc_mirror* mirror = &search->mirror;
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++) {
        const fracas_cuda_points p = with_strides(&moves[i].points_t1);
        if (p.place == FRACAS_CUDA_ON_HOST) size += (extent(&p) / ALIGNMENT + 1) * ALIGNMENT;
    }
    if (size == 0) return FRACAS_OK;
    search->host_input.on_host = true;
    fracas_status status = frc_device_reserve(mirror, &search->input, size);
    if (status == FRACAS_OK) status = frc_device_reserve(mirror, &search->host_input, size);
    if (status != FRACAS_OK) return status;
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const fracas_cuda_points p = with_strides(&moves[i].points_t1);
        if (p.place != FRACAS_CUDA_ON_HOST || p.count == 0) continue;
        copied c = {(unsigned char*)search->host_input.data + at, p.data, extent(&p)};
        frc_parallel_for(mirror->context, (uint32_t)((c.size + CHUNK - 1) / CHUNK), 1, copy_chunks,
                         &c);
        search->host_views.data[moves[i].body.index - 1].data =
            (unsigned char*)search->input.data + at;
        at += (c.size / ALIGNMENT + 1) * ALIGNMENT;
    }
    return frc_device_upload(mirror->device, search->input.data, search->host_input.data, size)
               ? FRACAS_OK
               : frc_device_fail(mirror);
}

static fracas_status reserve(frc_cuda_search* search) {
    frc_mirror* mirror = &search->mirror;
    const size_t points = search->scene->topology.points.count, views = search->host_views.count;
    search->host_bad.on_host = true;
    fracas_status status = frc_device_reserve(mirror, &search->staged, points * 3 * sizeof(double));
    if (status == FRACAS_OK)
        status = frc_device_reserve(mirror, &search->views, views * sizeof(frc_motion_view));
    if (status == FRACAS_OK) status = frc_device_reserve(mirror, &search->bad, sizeof(uint64_t));
    if (status == FRACAS_OK)
        status = frc_device_reserve(mirror, &search->host_bad, sizeof(uint64_t));
    return status;
}

// Read all positions; `*bad` is the key of one that is not finite.
static bool read_positions(frc_cuda_search* search, void* stream, uint64_t* bad) {
    frc_device* device = search->device;
    const frc_motion motion = make_motion(search);
    uint64_t* least = search->host_bad.data;
    *least = UINT64_MAX;
    const bool ok = frc_device_follow(device, stream) &&
                    frc_device_upload(device, search->bad.data, least, sizeof *least) &&
                    frc_device_upload(device, search->views.data, search->host_views.data,
                                      search->host_views.count * sizeof(frc_motion_view)) &&
                    frc_device_run_motion(device, FRC_MOTION_read_positions, &motion) &&
                    frc_device_download(device, least, search->bad.data, sizeof *least) &&
                    frc_device_wait(device);
    *bad = *least;
    return ok;
}

static fracas_status fail_bad_position(frc_cuda_search* search, uint64_t bad) {
    fracas_scene* scene = search->scene;
    const uint32_t body = (uint32_t)(bad >> 32), number = (uint32_t)bad;
    const uint32_t id = scene->bodies.data[body].points.data[number];
    const double(*staged)[3] = search->staged.data;
    double p[3] = {0};
    if (!frc_device_download(search->device, p, staged[id], sizeof p) ||
        !frc_device_wait(search->device))
        return frc_device_fail(&search->mirror);
    return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                    "vertex %u of body %u would move to (%g, %g, %g), which is not finite", number,
                    body + 1, p[0], p[1], p[2]);
}

static fracas_status carry_out(frc_cuda_search* search, const fracas_cuda_move* moves, size_t count,
                               void* stream) {
    fracas_scene* scene = search->scene;
    frc_mirror* mirror = &search->mirror;
    uint64_t bad;
    fracas_status status = check_moves(search, moves, count);
    if (status == FRACAS_OK) status = reserve(search);
    if (status == FRACAS_OK && !frc_mirror_has_points(mirror, scene)) {
        status = frc_cuda_fetch_locked(search);
        if (status == FRACAS_OK) status = frc_mirror_copy_points(mirror, scene);
    }
    if (status == FRACAS_OK) status = upload_input(search, moves, count);
    if (status != FRACAS_OK) return status;
    if (!read_positions(search, stream, &bad)) return frc_device_fail(mirror);
    if (bad != UINT64_MAX) return fail_bad_position(search, bad);
    const frc_motion motion = make_motion(search);
    if (!frc_device_run_motion(search->device, FRC_MOTION_write_positions, &motion))
        return frc_device_fail(mirror);
    for (size_t i = 0; i < count; i++) frc_scene_mark_moved(scene, moves[i].body.index - 1);
    mirror->newer = true;
    atomic_store(&scene->query_state->elsewhere, true);
    return FRACAS_OK;
}

fracas_status fracas_cuda_scene_move(fracas_scene* scene, const fracas_cuda_move* moves,
                                     size_t count, void* stream) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    frc_cuda_search* search = frc_cuda_search_of(scene);
    if (!search) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (count == 0) return FRACAS_OK;
    if (!moves) return frc_fail_null(scene->context, "fracas_cuda_scene_move", "moves");
    pthread_mutex_lock(&search->lock);
    const fracas_status status = carry_out(search, moves, count, stream);
    pthread_mutex_unlock(&search->lock);
    return status;
}
