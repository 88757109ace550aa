/// @file moving.c  Paths of spheres.
///
/// Slack. A path is computed from coordinates of at most s, the largest of the body's positions
/// plus its radius, with some thirty roundings and rotations whose entries have errors below 2^-46.
/// Differences of two paths, their nearest approach and a distance have a few more. 2^-40 s in each
/// radius exceeds the sum: a distance that is too large by its rounding is still within the reach.
#include "medial/moving.h"
#include "base/simd.h"
#include "geom/pose.h"
#include "geom/vec3.h"
#include <math.h>
#include <string.h>

static double rounding_of(const frc_medial_body* body) {
    const frc_rigid_motion* m = &body->motion;
    return 0x1p-40 * (fmax(frc_vec3_largest(m->position[0]), frc_vec3_largest(m->position[1])) +
                      body->shape->info.radius);
}

void frc_medial_moving_begin(const frc_medial_body* body, double tolerance,
                             frc_medial_moving* out) {
    const frc_rigid_motion* m = &body->motion;
    *out = (frc_medial_moving){.body = body};
    memcpy(out->bound.start, m->position[0], sizeof out->bound.start);
    frc_vec3_subtract(m->position[1], m->position[0], out->bound.way);
    // Both halves together are at least the part of the smaller radius.
    out->rounding = rounding_of(body);
    out->slack = out->rounding + 0.5 * tolerance * body->shape->info.radius;
    out->bound.radius = body->shape->info.radius + out->slack;
    out->rests = memcmp(m->position[0], m->position[1], sizeof m->position[0]) == 0 &&
                 memcmp(m->quaternion[0], m->quaternion[1], sizeof m->quaternion[0]) == 0;
    frc_rigid_motion_at(m, 0, &out->pose);
}

bool frc_medial_moving_allocate(frc_medial_moving* moving, frc_arena* arena) {
    const fracas_medial_shape* shape = moving->body->shape;
    moving->nodes = frc_arena_allocate(arena, shape->primitive_count, sizeof *moving->nodes);
    moving->start = frc_arena_allocate(arena, shape->sphere_count, sizeof *moving->start);
    moving->end = frc_arena_allocate(arena, shape->sphere_count, sizeof *moving->end);
    moving->bulge = frc_arena_allocate(arena, shape->sphere_count, sizeof *moving->bulge);
    moving->lanes = frc_arena_allocate(arena, shape->sphere_count, sizeof *moving->lanes);
    return moving->nodes && moving->start && moving->end && moving->bulge && moving->lanes;
}

static void set_lane(frc_medial_moving* moving, uint32_t i) {
    const double(*position)[3] = moving->body->motion.position;
    frc_lane_sphere* out = &moving->lanes[i];
    for (int k = 0; k < 3; k++) {
        out->start[k] = (float)(moving->start[i][k] - position[0][k]);
        out->end[k] = (float)(moving->end[i][k] - position[1][k]);
    }
    out->radius = (float)moving->start[i][3];
    out->bulge = (float)moving->bulge[i] * (1 + 0x1p-22F) + 0x1p-140F;
}

static inline void rotate(const fracas_pose* pose, const f64x2 x[3], f64x2 out[3]) {
    for (int k = 0; k < 3; k++) {
        const double* row = pose->rotation + 3 * k;
        out[k] = f64x2_add(
            f64x2_add(f64x2_mul(f64x2_splat(row[0]), x[0]), f64x2_mul(f64x2_splat(row[1]), x[1])),
            f64x2_mul(f64x2_splat(row[2]), x[2]));
    }
}

// The paths of two nodes, in floats. Rounding them changes a coordinate by less than 2^-23 of the
// centre's distance at the start, and the way by twice that.
static void set_nodes(frc_medial_moving* moving, const fracas_pose* last,
                      const frc_medial_node* first, const frc_medial_node* second,
                      frc_lane_nodes* out) {
    const f64x2 distance = f64x2_set(first->distance, second->distance);
    const f64x2 radius = f64x2_set(first->radius + moving->slack, second->radius + moving->slack);
    f64x2 centre[3], start[3], end[3];
    for (int k = 0; k < 3; k++) centre[k] = f64x2_set(first->centre[k], second->centre[k]);
    rotate(&moving->pose, centre, start);
    rotate(last, centre, end);
    for (int k = 0; k < 3; k++) {
        const f64x2 way = f64x2_sub(end[k], start[k]);
        f32x4_store(out->start[k], f32x4_from(start[k], start[k]));
        f32x4_store(out->way[k], f32x4_from(way, way));
    }
    const f64x2 most =
        f64x2_add(radius, f64x2_mul(f64x2_splat(moving->body->motion.bend + 0x1p-20), distance));
    f32x4_store(out->radius, f32x4_add(f32x4_mul(f32x4_from(most, most), f32x4_splat(1 + 0x1p-22F)),
                                       f32x4_splat(0x1p-140F)));
}

void frc_medial_moving_fill(frc_medial_moving* moving) {
    const fracas_medial_shape* shape = moving->body->shape;
    const double bend = moving->body->motion.bend;
    fracas_pose last;
    frc_rigid_motion_at(&moving->body->motion, 1, &last);
    const frc_medial_node* nodes = shape->nodes;
    set_nodes(moving, &last, nodes, nodes, moving->nodes);
    for (uint32_t g = 1; g < shape->primitive_count; g++)
        set_nodes(moving, &last, &nodes[2 * g - 1], &nodes[2 * g], &moving->nodes[g]);
    for (uint32_t i = 0; i < shape->sphere_count; i++) {
        const double* s = shape->spheres[i];
        frc_pose_apply(&moving->pose, s, moving->start[i]);
        frc_pose_apply(&last, s, moving->end[i]);
        moving->start[i][3] = moving->end[i][3] = s[3];
        moving->bulge[i] = bend * shape->distances[i] + moving->rounding;
        set_lane(moving, i);
    }
}
