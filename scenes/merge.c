/// @file merge.c  Rows of drops on the ground merge pairwise, until each row is one drop.
///
/// Neighbouring drops lose the caps that face each other, and the rims are welded. The surface of a
/// merged drop is then smoothed at constant volume.
#include "noise.h"
#include "run.h"
#include "solver/vector.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Lengths in metres, a step is a 60th of a second.
static const double radius = 0.2, spacing = 0.5, step_seconds = 1.0 / 60;
enum { GROUND, FIRST_JOIN = 30, JOIN_EVERY = 50, ROW_DELAY = 3, ROW_DELAYS = 5, SMOOTH_FOR = 40 };

typedef struct drop {
    uint32_t body;
    uint32_t first;  // its first triangle in the pool
    uint32_t shift;  // offset of its triangle numbers in the body
    double volume;
    uint32_t smooth_until;  // frame
} drop;

typedef struct merge_run {
    scenes_run base;
    uint32_t cells, cap;  // cells along an edge of a drop's side, and of a cap
    uint32_t rows, columns;
    drop* drops;
    double* sums;  // for smoothing: sum of neighbours (three) and their number, per point
    uint32_t sum_capacity;
} merge_run;

static void destroy(void* user) {
    merge_run* run = user;
    if (!run) return;
    scenes_run_free(&run->base);
    free(run->drops);
    free(run->sums);
    free(run);
}

// ---- creation

static fracas_status add_drop(merge_run* run, uint32_t i) {
    uint32_t row = i / run->columns, column = i % run->columns;
    const double centre[3] = {spacing * (column - 0.5 * (run->columns - 1)),
                              radius + 0.03 + 0.02 * scenes_noise(i),
                              1.3 * spacing * (row - 0.5 * (run->rows - 1))};
    scenes_mesh mesh;
    if (!scenes_make_ball(&mesh, run->cells, radius, centre)) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->drops[i] = (drop){.body = run->base.body_count, .first = run->base.triangle_count};
    fracas_status status =
        scenes_run_add_solid(&run->base, &mesh, FRACAS_MOTION_DEFORMING, 1, true);
    if (status != FRACAS_OK) return status;
    solver_solid* solid = scenes_run_solid(&run->base, run->base.body_count - 1);
    memset(solid->inertia_inverse, 0,
           sizeof solid->inertia_inverse);  // drops slide instead of rolling
    solid->softness = 0.6;
    return FRACAS_OK;
}

static fracas_status add_bodies(merge_run* run) {
    scenes_mesh ground;
    double half = spacing * (run->rows > run->columns ? run->rows : run->columns);
    if (!scenes_make_ground(&ground, 2, half)) return FRACAS_ERROR_OUT_OF_MEMORY;
    uint32_t count = run->rows * run->columns;
    run->drops = calloc(count, sizeof *run->drops);
    if (!run->drops) {
        scenes_mesh_free(&ground);
        return FRACAS_ERROR_OUT_OF_MEMORY;
    }
    fracas_status status = scenes_run_add_solid(&run->base, &ground, FRACAS_MOTION_STATIC, 0, true);
    for (uint32_t i = 0; i < count && status == FRACAS_OK; i++) status = add_drop(run, i);
    return status;
}

static fracas_status create(fracas_scene* scene, const scenes_options* options, void** out) {
    *out = NULL;
    double size = options && options->size ? options->size : scenes_merge.size;
    if (size > 2e7) size = 2e7;  // indices stay in range
    merge_run* run = calloc(1, sizeof *run);
    if (!run) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->cells = size < 2000 ? 3 : size < 20000 ? 6 : 10;
    run->cap = run->cells < 6 ? 1 : run->cells / 3;
    run->columns = size < 2000 ? 4 : 8;
    double row = 12.0 * run->cells * run->cells * run->columns;
    run->rows = size < 1.5 * row ? 1 : (uint32_t)(size / row + 0.5);
    scenes_run_start(&run->base, scene, step_seconds, 1.5 * radius / run->cells);
    run->base.solver.friction = 0;
    run->base.solver.drag = 0.02;
    fracas_status status = add_bodies(run);
    if (status == FRACAS_OK) status = scenes_run_ready(&run->base);
    if (status == FRACAS_OK)
        *out = run;
    else
        destroy(run);
    return status;
}

// ---- caps: blocks of cells in the middle of the sides that face along x

// The point at (i, j) of the lattice of a drop's side; side 1 faces along x, side 0 against it.
static uint32_t lattice_point(const merge_run* run, const drop* d, uint32_t side, uint32_t i,
                              uint32_t j) {
    uint32_t n = run->cells, u = i == n, v = j == n, cell = (j - v) * n + (i - u);
    // Corners of the cell in the order of scenes_make_ball: reversed on side 0.
    uint32_t around = v ? (u ? 2 : 3) : u, corner = side ? around : 3 - around;
    uint32_t triangle = d->first + 2 * (side * n * n + cell) + (corner == 3);
    return run->base.corners[3 * (size_t)triangle + (corner == 3 ? 2 : corner)];
}

static fracas_status open_cap(merge_run* run, const drop* d, uint32_t side) {
    uint32_t n = run->cells, k = run->cap, begin = (n - k) / 2, count = 0;
    uint32_t* removed = malloc(2 * sizeof *removed * k * k);
    if (!removed) return FRACAS_ERROR_OUT_OF_MEMORY;
    for (uint32_t j = begin; j < begin + k; j++)
        for (uint32_t i = begin; i < begin + k; i++)
            for (uint32_t half = 0; half < 2; half++)
                removed[count++] = d->shift + 2 * (side * n * n + j * n + i) + half;
    fracas_split split = fracas_scene_default_split();
    split.removed_triangles = removed, split.removed_triangle_count = count;
    fracas_status status = scenes_run_split(&run->base, d->body, &split);
    free(removed);
    return status;
}

// Lattice coordinates of the rim of a cap, once around: 4 * cap steps.
static void rim_place(const merge_run* run, uint32_t step, uint32_t* i, uint32_t* j) {
    uint32_t k = run->cap, begin = (run->cells - k) / 2, along = step % k;
    switch (step / k) {
    case 0:
        *i = begin + along, *j = begin;
        break;
    case 1:
        *i = begin + k, *j = begin + along;
        break;
    case 2:
        *i = begin + k - along, *j = begin + k;
        break;
    default:
        *i = begin, *j = begin + k - along;
    }
}

// The mean x of the rim of a cap.
static double rim_x(const merge_run* run, const drop* d, uint32_t side) {
    double sum = 0;
    for (uint32_t step = 0; step < 4 * run->cap; step++) {
        uint32_t i, j;
        rim_place(run, step, &i, &j);
        sum += run->base.solver.now[3 * (size_t)lattice_point(run, d, side, i, j)];
    }
    return sum / (4 * run->cap);
}

// ---- joining

static double volume_of(const merge_run* run, const scenes_body* body) {
    const double* rest = run->base.solver.rest;
    double sum = 0;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        if (body->triangles[t] == FRACAS_NONE) continue;
        const uint32_t* c = run->base.corners + 3 * (size_t)body->triangles[t];
        double normal[3];
        vector_cross(rest + 3 * (size_t)c[1], rest + 3 * (size_t)c[2], normal);
        sum += vector_dot(rest + 3 * (size_t)c[0], normal) / 6;
    }
    return sum;
}

// Merges two bodies; `left` is the last drop of one, `right` the first drop of the other.
static fracas_status join(merge_run* run, drop* left, drop* right) {
    uint32_t count = 4 * run->cap, a = left->body, b = right->body;
    fracas_weld_pair* welds = malloc(count * sizeof *welds);
    if (!welds) return FRACAS_ERROR_OUT_OF_MEMORY;
    for (uint32_t step = 0; step < count; step++) {
        uint32_t i, j;
        rim_place(run, step, &i, &j);
        welds[step] =
            (fracas_weld_pair){0, run->base.vertex_numbers[lattice_point(run, left, 1, i, j)], 1,
                               run->base.vertex_numbers[lattice_point(run, right, 0, i, j)]};
    }
    fracas_status status = open_cap(run, left, 1);
    if (status == FRACAS_OK) status = open_cap(run, right, 0);
    uint32_t shift = run->base.bodies[a].triangle_count;
    uint32_t solids[2] = {run->base.bodies[a].solid, run->base.bodies[b].solid};
    if (status == FRACAS_OK) status = scenes_run_merge(&run->base, a, b, welds, count);
    free(welds);
    if (status != FRACAS_OK) return status;
    // Body b became part of body a, and later bodies moved down by one.
    for (uint32_t i = 0; i < run->rows * run->columns; i++) {
        drop* d = &run->drops[i];
        if (d->body == b)
            d->body = a, d->shift += shift;
        else if (d->body > b)
            d->body--;
    }
    // One solid instead of two.
    solver_solid old = run->base.solver.solids[solids[0]];
    status = scenes_run_renew_solid(&run->base, a, 1, true);
    if (status == FRACAS_OK) {
        solver_solid* solid = scenes_run_solid(&run->base, a);
        memset(solid->inertia_inverse, 0, sizeof solid->inertia_inverse);
        memcpy(solid->velocity, old.velocity, sizeof solid->velocity);
        solid->velocity[0] = 0;
        solid->softness = old.softness;
    }
    for (int k = 0; k < 2; k++) solver_drop_solid(&run->base.solver, solids[k]);
    left->smooth_until = run->base.frame + SMOOTH_FOR;
    left->volume = volume_of(run, &run->base.bodies[a]);
    return status;
}

// ---- smoothing

static bool sum_neighbours(merge_run* run, const scenes_body* body) {
    solver* s = &run->base.solver;
    if (run->sum_capacity < s->point_count) {
        double* sums = realloc(run->sums, 4 * sizeof *sums * s->point_count);
        if (!sums) return false;
        run->sums = sums;
        run->sum_capacity = s->point_count;
    }
    const solver_solid* solid = &s->solids[body->solid];
    for (uint32_t i = 0; i < solid->point_count; i++)
        memset(run->sums + 4 * (size_t)solid->points[i], 0, 4 * sizeof *run->sums);
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        if (body->triangles[t] == FRACAS_NONE) continue;
        const uint32_t* c = run->base.corners + 3 * (size_t)body->triangles[t];
        for (int k = 0; k < 3; k++) {
            double* sum = run->sums + 4 * (size_t)c[k];
            vector_add_scaled(sum, s->rest + 3 * (size_t)c[(k + 1) % 3], 1);
            sum[3] += 1;
        }
    }
    return true;
}

// One step of Laplacian smoothing of the body of a drop; then the body gets shorter and thicker.
static bool smooth(merge_run* run, drop* d) {
    const scenes_body* body = &run->base.bodies[d->body];
    if (!sum_neighbours(run, body)) return false;
    solver* s = &run->base.solver;
    const solver_solid* solid = &s->solids[body->solid];
    for (uint32_t i = 0; i < solid->point_count; i++) {
        double *rest = s->rest + 3 * (size_t)solid->points[i],
               *sum = run->sums + 4 * (size_t)solid->points[i];
        for (int k = 0; k < 3; k++) rest[k] += 0.4 * (sum[k] / sum[3] - rest[k]);
    }
    // The scale of the other two axes keeps the volume constant.
    double thicker = sqrt(d->volume / (0.997 * volume_of(run, body)));
    if (!(thicker > 0.9 && thicker < 1.1)) thicker = 1;
    for (uint32_t i = 0; i < solid->point_count; i++) {
        double* rest = s->rest + 3 * (size_t)solid->points[i];
        rest[0] *= 0.997, rest[1] *= thicker, rest[2] *= thicker;
    }
    return true;
}

// ---- a step

// Merges the pairs of a row whose time has come; moves the next pairs towards each other so that
// they touch at the frame of their merge.
static fracas_status steer_row(merge_run* run, uint32_t row) {
    uint32_t frame = run->base.frame, delay = ROW_DELAY * (row % ROW_DELAYS);
    uint32_t group = 1, when = FIRST_JOIN + delay;
    while (when < frame) when += JOIN_EVERY, group *= 2;
    drop* drops = run->drops + (size_t)row * run->columns;
    fracas_status status = FRACAS_OK;
    for (uint32_t i = 0; i + group < run->columns && status == FRACAS_OK; i += 2 * group) {
        drop *left = &drops[i + group - 1], *right = &drops[i + group];
        if (when == frame) {
            status = join(run, left, right);
            continue;
        }
        double gap = rim_x(run, right, 0) - rim_x(run, left, 1) - 0.1 * radius;
        double speed = 0.5 * gap / (when - frame);
        speed = speed > 0.02 ? 0.02 : speed < -0.02 ? -0.02 : speed;
        scenes_run_solid(&run->base, left->body)->velocity[0] = speed;
        scenes_run_solid(&run->base, right->body)->velocity[0] = -speed;
    }
    return status;
}

static fracas_status step(void* user, const fracas_contact* found, size_t count, uint64_t* edits) {
    merge_run* run = user;
    scenes_run_begin(&run->base, found, count);
    fracas_status status = FRACAS_OK;
    for (uint32_t row = 0; row < run->rows && status == FRACAS_OK; row++)
        status = steer_row(run, row);
    if (status != FRACAS_OK) return status;
    solver_step(&run->base.solver);
    for (uint32_t i = 0; i < run->rows * run->columns; i++)
        if (run->base.frame < run->drops[i].smooth_until && !smooth(run, &run->drops[i]))
            return FRACAS_ERROR_OUT_OF_MEMORY;
    return scenes_run_end(&run->base, edits);
}

static scenes_state state(const void* user) {
    return scenes_run_state(&((const merge_run*)user)->base);
}

const scenes_scene scenes_merge = {.name = "merge",
                                   .description = "rows of drops join, two and two",
                                   .frames = 180,
                                   .size = 58000,
                                   .create = create,
                                   .step = step,
                                   .state = state,
                                   .destroy = destroy};
