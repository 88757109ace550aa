/// @file moving.c  Paths of spheres.
///
/// Slack. A path is computed from coordinates of at most s, the largest of the body's positions
/// plus its radius, with some thirty roundings and rotations whose entries have errors below 2^-46.
/// Differences of two paths, their nearest approach and a distance have a few more. 2^-40 s in each
/// radius exceeds the sum: a distance that is too large by its rounding is still within the reach.
#include "medial/moving.h"
#include "geom/pose.h"
#include "geom/vec3.h"
#include <math.h>
#include <string.h>

static double slack_of(const frc_medial_body* body) {
    const frc_rigid_motion* m = &body->motion;
    return 0x1p-40 * (fmax(frc_vec3_largest(m->position[0]), frc_vec3_largest(m->position[1])) +
                      body->shape->info.radius);
}

void frc_medial_moving_begin(const frc_medial_body* body, frc_medial_moving* out) {
    const frc_rigid_motion* m = &body->motion;
    *out = (frc_medial_moving){.body = body};
    memcpy(out->bound.start, m->position[0], sizeof out->bound.start);
    frc_vec3_subtract(m->position[1], m->position[0], out->bound.way);
    out->bound.radius = body->shape->info.radius + slack_of(body);
    out->rests = memcmp(m->position[0], m->position[1], sizeof m->position[0]) == 0 &&
                 memcmp(m->quaternion[0], m->quaternion[1], sizeof m->quaternion[0]) == 0;
    frc_rigid_motion_at(m, 0, &out->pose);
}

bool frc_medial_moving_allocate(frc_medial_moving* moving, frc_arena* arena) {
    const fracas_medial_shape* shape = moving->body->shape;
    moving->nodes = frc_arena_allocate(arena, frc_medial_node_count(shape), sizeof *moving->nodes);
    moving->start = frc_arena_allocate(arena, shape->sphere_count, sizeof *moving->start);
    moving->end = frc_arena_allocate(arena, shape->sphere_count, sizeof *moving->end);
    moving->bulge = frc_arena_allocate(arena, shape->sphere_count, sizeof *moving->bulge);
    return moving->nodes && moving->start && moving->end && moving->bulge;
}

void frc_medial_moving_fill(frc_medial_moving* moving) {
    const fracas_medial_shape* shape = moving->body->shape;
    const double slack = slack_of(moving->body), bend = moving->body->motion.bend;
    fracas_pose last;
    frc_rigid_motion_at(&moving->body->motion, 1, &last);
    for (uint32_t n = 0; n < frc_medial_node_count(shape); n++) {
        const frc_medial_node* node = &shape->nodes[n];
        frc_medial_path* path = &moving->nodes[n];
        double end[3];
        frc_pose_apply(&moving->pose, node->centre, path->start);
        frc_pose_apply(&last, node->centre, end);
        frc_vec3_subtract(end, path->start, path->way);
        path->radius = node->radius + bend * sqrt(frc_vec3_dot(node->centre, node->centre)) + slack;
    }
    for (uint32_t i = 0; i < shape->sphere_count; i++) {
        const double* s = shape->spheres[i];
        frc_pose_apply(&moving->pose, s, moving->start[i]);
        frc_pose_apply(&last, s, moving->end[i]);
        moving->start[i][3] = moving->end[i][3] = s[3];
        moving->bulge[i] = bend * sqrt(frc_vec3_dot(s, s)) + slack;
    }
}
