/// @file solids.c  Solids: mass and inertia of a surface, motion, and changes of shape.
#include "solver.h"
#include "vector.h"
#include <stdlib.h>
#include <string.h>

// ---- creation

typedef struct surface {
    const solver* s;
    const uint32_t *triangles, *ids;  // corners of all triangles; indices of those of the surface
    uint32_t count;
} surface;

static const double* corner(const surface* f, uint32_t t, int k) {
    return f->s->now + 3 * (size_t)f->triangles[3 * (size_t)f->ids[t] + (size_t)k];
}

// Returns twice the area; computes the unit normal.
static double face(const surface* f, uint32_t t, double normal[3]) {
    double ab[3], ac[3];
    vector_subtract(corner(f, t, 1), corner(f, t, 0), ab);
    vector_subtract(corner(f, t, 2), corner(f, t, 0), ac);
    vector_cross(ab, ac, normal);
    return vector_normalise(normal);
}

static double find_centre(const surface* f, double centre[3]) {
    double area = 0, unused[3];
    memset(centre, 0, 3 * sizeof *centre);
    for (uint32_t t = 0; t < f->count; t++) {
        double part = face(f, t, unused) + 1e-12;
        area += part / 2;
        for (int k = 0; k < 3; k++) vector_add_scaled(centre, corner(f, t, k), part / 6);
    }
    for (int k = 0; k < 3; k++) centre[k] /= area;
    return area;
}

static void invert(const double m[9], double out[9]) {
    double c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8];
    double c2 = m[3] * m[7] - m[4] * m[6];
    double scale = 1 / (m[0] * c0 + m[1] * c1 + m[2] * c2);
    out[0] = c0 * scale, out[1] = (m[2] * m[7] - m[1] * m[8]) * scale;
    out[2] = (m[1] * m[5] - m[2] * m[4]) * scale;
    out[3] = c1 * scale, out[4] = (m[0] * m[8] - m[2] * m[6]) * scale;
    out[5] = (m[2] * m[3] - m[0] * m[5]) * scale;
    out[6] = c2 * scale, out[7] = (m[1] * m[6] - m[0] * m[7]) * scale;
    out[8] = (m[0] * m[4] - m[1] * m[3]) * scale;
}

// Inertia of a shell: each corner has a third of the mass of its triangle.
static void find_inertia(const surface* f, solver_solid* solid, double density) {
    double m[9] = {0}, unused[3], furthest = 0;
    for (uint32_t t = 0; t < f->count; t++) {
        double mass = density * (face(f, t, unused) + 1e-12) / 6;
        for (int k = 0; k < 3; k++) {
            double r[3];
            vector_subtract(corner(f, t, k), solid->centre, r);
            double square = vector_dot(r, r);
            if (square > furthest) furthest = square;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    m[3 * i + j] += mass * ((i == j ? square : 0) - r[i] * r[j]);
        }
    }
    solid->radius = sqrt(furthest);
    if (density == 0) return;
    double trace = m[0] + m[4] + m[8];
    for (int k = 0; k < 3; k++) m[4 * k] += 0.02 * trace;  // limits the spin of slivers
    invert(m, solid->inertia_inverse);
}

static bool collect_points(solver* s, const surface* f, solver_solid* solid, uint32_t number) {
    solid->points = malloc(3 * sizeof(uint32_t) * (f->count ? f->count : 1));
    if (!solid->points) return false;
    for (uint32_t t = 0; t < f->count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t p = f->triangles[3 * (size_t)f->ids[t] + (size_t)k];
            if (s->solid_of[p] == number) continue;
            s->solid_of[p] = number;
            solid->points[solid->point_count++] = p;
        }
    uint32_t* fitting = realloc(solid->points, sizeof(uint32_t) * (solid->point_count + 1));
    if (fitting) solid->points = fitting;
    return true;
}

static void find_rest(solver* s, const surface* f, const solver_solid* solid) {
    for (uint32_t i = 0; i < solid->point_count; i++) {
        size_t p = 3 * (size_t)solid->points[i];
        vector_subtract(s->now + p, solid->centre, s->rest + p);
        for (size_t k = 0; k < 3; k++) s->normals[p + k] = 0;
    }
    for (uint32_t t = 0; solid->closed && t < f->count; t++) {
        double normal[3], area = face(f, t, normal);
        for (int k = 0; k < 3; k++)
            vector_add_scaled(s->normals +
                                  3 * (size_t)f->triangles[3 * (size_t)f->ids[t] + (size_t)k],
                              normal, area);
    }
    for (uint32_t i = 0; solid->closed && i < solid->point_count; i++)
        vector_normalise(s->normals + 3 * (size_t)solid->points[i]);
}

uint32_t solver_add_solid(solver* s, const uint32_t* triangles, const uint32_t* ids, uint32_t count,
                          double density, bool closed) {
    if (s->solid_count == s->solid_capacity) {
        uint32_t capacity = 2 * s->solid_capacity + 16;
        solver_solid* solids = realloc(s->solids, capacity * sizeof *solids);
        if (!solids) return SOLVER_NONE;
        s->solids = solids;
        s->solid_capacity = capacity;
    }
    surface f = {s, triangles, ids, count};
    solver_solid solid = {
        .orientation = {1, 0, 0, 0},
          .closed = closed, .squash_axis = {0, 1,  0 }
    };
    if (!collect_points(s, &f, &solid, s->solid_count)) return SOLVER_NONE;
    double area = find_centre(&f, solid.centre);
    find_inertia(&f, &solid, density);
    solid.inverse_mass = density > 0 ? 1 / (density * area) : 0;
    quaternion_matrix(solid.orientation, solid.rotation);
    find_rest(s, &f, &solid);
    s->solids[s->solid_count] = solid;
    return s->solid_count++;
}

void solver_drop_solid(solver* s, uint32_t number) {
    free(s->solids[number].points);
    s->solids[number] = (solver_solid){
        .orientation = {1, 0, 0, 0},
          .resting = true
    };
}

// ---- positions of points

void solver_local_point(const solver_solid* solid, const double rest[3], double out[3]) {
    memcpy(out, rest, 3 * sizeof *out);
    if (solid->squash != 0) {
        double along = vector_dot(solid->squash_axis, rest), half = 1 - 0.5 * solid->squash;
        for (int k = 0; k < 3; k++)
            out[k] = half * rest[k] + 1.5 * solid->squash * along * solid->squash_axis[k];
    }
    if (solid->bend != 0) {
        double along = vector_dot(solid->bend_along, rest);
        vector_add_scaled(out, solid->bend_normal,
                          solid->bend * (along * along - solid->bend_middle));
    }
}

void solver_place_points(solver* s, uint32_t number) {
    const solver_solid* solid = &s->solids[number];
    const double* m = solid->rotation;
    for (uint32_t i = 0; i < solid->point_count; i++) {
        size_t p = 3 * (size_t)solid->points[i];
        double local[3];
        solver_local_point(solid, s->rest + p, local);
        // The same order of additions as in fracas_scene_pose.
        for (size_t k = 0; k < 3; k++)
            s->now[p + k] =
                ((m[3 * k] * local[0] + m[3 * k + 1] * local[1]) + m[3 * k + 2] * local[2]) +
                solid->centre[k];
    }
}

// ---- a step

void solver_predict_solid(solver* s, solver_solid* solid) {
    if (solid->resting) return;
    if (solid->inverse_mass > 0) solid->velocity[1] -= s->gravity;
    vector_add_scaled(solid->centre, solid->velocity, 1);
    quaternion_rotate(solid->orientation, solid->spin);
    quaternion_matrix(solid->orientation, solid->rotation);
}

// Contacts squash a soft solid: a damped oscillation.
static void squash(solver_solid* solid) {
    double axis[3], load;
    memcpy(axis, solid->load, sizeof axis);
    load = vector_normalise(axis);
    if (load > 0) {
        double sign = vector_dot(axis, solid->squash_axis) < 0 ? -1 : 1;
        vector_add_scaled(solid->squash_axis, axis, 0.3 * sign);
        vector_normalise(solid->squash_axis);
    }
    double target = -3 * solid->softness * load / solid->radius, most = 0.3 * solid->softness;
    if (target < -most) target = -most;
    solid->squash_speed += 0.25 * (target - solid->squash) - 0.35 * solid->squash_speed;
    solid->squash += solid->squash_speed;
}

// Contacts bend a shell: a damped oscillation.
static void bend(solver_solid* solid) {
    double kick = vector_dot(solid->load, solid->bend_normal) / (solid->radius * solid->radius);
    double limit = 0.35 / solid->radius, most = 0.02 / solid->radius;
    kick *= 0.05 * solid->softness;
    solid->bend_speed += kick > most ? most : kick < -most ? -most : kick;
    solid->bend_speed -= 0.1 * solid->bend;
    solid->bend_speed *= 0.92;
    solid->bend += solid->bend_speed;
    if (solid->bend > limit) solid->bend = limit;
    if (solid->bend < -limit) solid->bend = -limit;
}

void solver_finish_solid(solver* s, uint32_t number) {
    solver_solid* solid = &s->solids[number];
    if (solid->resting) return;
    if (solid->inverse_mass > 0) {
        // Unlike for points, corrections by contacts do not become velocity:
        // solver_slow_contacts only removes velocity.
        double keep = 1 - s->drag, most = 0.3, turning;
        for (int k = 0; k < 3; k++) solid->velocity[k] *= keep, solid->spin[k] *= keep;
        turning = vector_length(solid->spin);
        for (int k = 0; k < 3 && turning > most; k++) solid->spin[k] *= most / turning;
        if (solid->softness > 0) (solid->bend_middle > 0 ? bend : squash)(solid);
    }
    memset(solid->load, 0, sizeof solid->load);
    solver_place_points(s, number);
}
