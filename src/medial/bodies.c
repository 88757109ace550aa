/// @file bodies.c  Add, remove and move bodies.
#include "medial/bodies.h"
#include "geom/pose.h"
#include "geom/vec3.h"
#include "medial/narrow_phase.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

fracas_status frc_medial_bodies_create(fracas_context* context, const frc_medial_method* method,
                                       void* data, fracas_medial_bodies** out) {
    fracas_medial_bodies* bodies = frc_allocate_zero(context, sizeof *bodies);
    if (!bodies) return frc_fail_memory(context, sizeof *bodies);
    bodies->context = context;
    bodies->method = method;
    bodies->method_data = data;
    *out = bodies;
    return FRACAS_OK;
}

fracas_status fracas_medial_bodies_create(fracas_context* context, fracas_medial_bodies** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_medial_bodies_create", "out");
    return frc_medial_bodies_create(context, &frc_medial_trees, NULL, out);
}

void fracas_medial_bodies_destroy(fracas_medial_bodies* bodies) {
    if (!bodies) return;
    fracas_context* context = bodies->context;
    if (bodies->method->destroy) bodies->method->destroy(context, bodies->method_data);
    frc_handles_release(context, &bodies->handles);
    FRC_ARRAY_RELEASE(context, &bodies->list);
    frc_release(context, bodies, sizeof *bodies);
}

static frc_medial_body* get(const fracas_medial_bodies* bodies, fracas_medial_body body) {
    if (body.index < bodies->list.count && frc_handles_in_use(&bodies->handles, body.index) &&
        frc_handles_generation(&bodies->handles, body.index) == body.generation)
        return &bodies->list.data[body.index];
    frc_fail(bodies->context, FRACAS_ERROR_STALE_HANDLE,
             "body %" PRIu32 " of generation %" PRIu32
             " does not exist: it was never added, or was "
             "removed",
             body.index, body.generation);
    return NULL;
}

static const double NO_TURN[4] = {1, 0, 0, 0};

fracas_status fracas_medial_bodies_add(fracas_medial_bodies* bodies,
                                       const fracas_medial_shape* shape, fracas_medial_body* out) {
    if (out) *out = (fracas_medial_body){0};
    if (!bodies) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = bodies->context;
    if (!shape) return frc_fail_null(context, "fracas_medial_bodies_add", "shape");
    if (!out) return frc_fail_null(context, "fracas_medial_bodies_add", "out");
    if (shape->context != context)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the shape belongs to another context: create it with the context of the "
                        "bodies");
    if (!frc_handles_reserve(context, &bodies->handles, 1) ||
        !FRC_ARRAY_RESERVE(context, &bodies->list, bodies->list.count + 1))
        return frc_fail(context, FRACAS_ERROR_OUT_OF_MEMORY, "no memory for another body");
    const uint32_t number = frc_handles_allocate(&bodies->handles);
    if (number == bodies->list.count) bodies->list.count++;
    bodies->list.data[number] = (frc_medial_body){
        .shape = shape,
        .motion = frc_rigid_motion_make(shape->info.centre, NO_TURN, shape->info.centre, NO_TURN)};
    bodies->version++;
    *out = (fracas_medial_body){number, frc_handles_generation(&bodies->handles, number)};
    return FRACAS_OK;
}

fracas_status fracas_medial_bodies_remove(fracas_medial_bodies* bodies, fracas_medial_body body) {
    if (!bodies) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!get(bodies, body)) return FRACAS_ERROR_STALE_HANDLE;
    frc_handles_free(&bodies->handles, body.index);
    bodies->version++;
    return FRACAS_OK;
}

fracas_status fracas_medial_bodies_set_fixed(fracas_medial_bodies* bodies, fracas_medial_body body,
                                             bool fixed) {
    if (!bodies) return FRACAS_ERROR_INVALID_ARGUMENT;
    frc_medial_body* b = get(bodies, body);
    if (!b) return FRACAS_ERROR_STALE_HANDLE;
    b->fixed = fixed;
    return FRACAS_OK;
}

// ---- poses

// The quaternion w, x, y, z of a rotation, by its largest component; of any length.
static void to_quaternion(const double m[9], double q[4]) {
    const double square[4] = {1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8],
                              1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8]};
    int largest = 0;
    for (int k = 1; k < 4; k++)
        if (square[k] > square[largest]) largest = k;
    // Row i: four times the products of component i with all components.
    const double product[4][4] = {
        {square[0],   m[7] - m[5], m[2] - m[6], m[3] - m[1]},
        {m[7] - m[5], square[1],   m[1] + m[3], m[2] + m[6]},
        {m[2] - m[6], m[1] + m[3], square[2],   m[5] + m[7]},
        {m[3] - m[1], m[2] + m[6], m[5] + m[7], square[3]  }
    };
    memcpy(q, product[largest], 4 * sizeof(double));
}

// Where the centre is at a pose, and the orientation.
static fracas_status read_pose(const fracas_medial_bodies* bodies, fracas_medial_body body,
                               const fracas_pose* pose, double position[3], double quaternion[4]) {
    const fracas_status status = frc_pose_check(bodies->context, pose, "body", body.index);
    if (status != FRACAS_OK) return status;
    to_quaternion(pose->rotation, quaternion);
    const double* c = bodies->list.data[body.index].shape->info.centre;
    for (int k = 0; k < 3; k++)
        position[k] = frc_vec3_dot(pose->rotation + 3 * k, c) + pose->translation[k];
    return FRACAS_OK;
}

fracas_status fracas_medial_bodies_set_motion(fracas_medial_bodies* bodies, fracas_medial_body body,
                                              const fracas_pose* start, const fracas_pose* end) {
    if (!bodies) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!start) return frc_fail_null(bodies->context, "fracas_medial_bodies_set_motion", "start");
    frc_medial_body* b = get(bodies, body);
    if (!b) return FRACAS_ERROR_STALE_HANDLE;
    double position[2][3], quaternion[2][4];
    const fracas_pose* poses[2] = {start, end ? end : start};
    for (int i = 0; i < 2; i++) {
        const fracas_status status = read_pose(bodies, body, poses[i], position[i], quaternion[i]);
        if (status != FRACAS_OK) return status;
    }
    b->motion = frc_rigid_motion_make(position[0], quaternion[0], position[1], quaternion[1]);
    return FRACAS_OK;
}
