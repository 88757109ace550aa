/// @file exploding_dragon.c  A rabbit hits a hollow dragon, which breaks in four frames; the pieces
/// of its shell fly apart, bend and fall.
///
/// Every triangle belongs to the piece of the nearest seed. Pieces form groups on several levels:
/// level k uses the first seed_counts[k] seeds, and every later seed belongs to the group of the
/// nearest of these. Each group thus is a part of one group of the level before. Solids are made of
/// groups, from the same triangles in the same order whether the bodies are groups as well or, when
/// pre-cut, single pieces: both versions move alike.
#include "models.h"
#include "noise.h"
#include "run.h"
#include "solver/vector.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Lengths in metres, a step is a hundredth of a second.
static const double dragon_length = 2.6, rabbit_length = 0.5, step_seconds = 0.01;
static const double impact_height = 0.6, rabbit_speed = 0.05;
enum { GROUND, RABBIT, DRAGON, LEVELS = 4, STRIKE = 30, BREAK_EVERY = 14, MAX_PIECES = 128 };

typedef struct dragon_run {
    scenes_run base;
    bool pre_cut;
    uint32_t level;
    uint32_t first_triangle, triangle_count;  // of the dragon, in the pool
    uint32_t* pieces;                         // seed of each of its triangles
    double seeds[MAX_PIECES][3];
    uint32_t seed_counts[LEVELS + 1];         // number of groups at each level
    uint32_t groups[LEVELS + 1][MAX_PIECES];  // seed -> seed of its group at a level
    uint32_t solids[MAX_PIECES];              // by group of the current level
    uint32_t* labels;
    uint32_t* ids;
} dragon_run;

static void destroy(void* user) {
    dragon_run* run = user;
    if (!run) return;
    scenes_run_free(&run->base);
    free(run->pieces);
    free(run->labels);
    free(run->ids);
    free(run);
}

static uint32_t root(double value) { return value < 1 ? 1 : (uint32_t)(sqrt(value) + 0.5); }

// ---- pieces

static uint32_t nearest(const dragon_run* run, const double p[3], uint32_t count) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double d[3];
        vector_subtract(p, run->seeds[i], d);
        double square = vector_dot(d, d);
        if (square < least) least = square, best = i;
    }
    return best;
}

static void choose_seeds(dragon_run* run) {
    const solver* s = &run->base.solver;
    const scenes_body* body = &run->base.bodies[DRAGON];
    uint32_t count = run->triangle_count / 2000;
    count = count < 16 ? 16 : count > MAX_PIECES - 8 ? MAX_PIECES - 8 : count;
    for (uint32_t level = LEVELS + 1; level-- > 0;)
        run->seed_counts[level] = level ? count >> (LEVELS - level) : 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = body->vertices[scenes_hash(i + 5) % body->vertex_count];
        memcpy(run->seeds[i], s->now + 3 * (size_t)v, sizeof run->seeds[i]);
        run->groups[LEVELS][i] = i;
    }
    for (uint32_t level = LEVELS; level-- > 0;)
        for (uint32_t i = 0; i < count; i++) {
            uint32_t group = run->groups[level + 1][i];
            if (group >= run->seed_counts[level])
                group = nearest(run, run->seeds[group], run->seed_counts[level]);
            run->groups[level][i] = group;
        }
}

static void assign_pieces(dragon_run* run) {
    for (uint32_t t = 0; t < run->triangle_count; t++) {
        const uint32_t* c = run->base.corners + 3 * (size_t)(run->first_triangle + t);
        double middle[3] = {0};
        for (int k = 0; k < 3; k++)
            vector_add_scaled(middle, run->base.solver.now + 3 * (size_t)c[k], 1.0 / 3);
        run->pieces[t] = nearest(run, middle, run->seed_counts[LEVELS]);
    }
}

// ---- creation

static fracas_status add_mesh(dragon_run* run, const scenes_options* options, double size) {
    scenes_mesh mesh;
    fracas_status status = FRACAS_OK;
    if (options && options->mesh)
        status = scenes_read_model(options, 0.94 * size, &mesh);
    else if (!scenes_make_dragon(&mesh, root(0.945 * size / 12)))
        status = FRACAS_ERROR_OUT_OF_MEMORY;
    if (status != FRACAS_OK) return status;
    scenes_place_on_ground(&mesh, dragon_length, 0.01);
    run->first_triangle = run->base.triangle_count;
    run->triangle_count = mesh.triangle_count;
    double edge = dragon_length / sqrt(0.2 * mesh.triangle_count + 1);
    run->base.solver.thickness = 0.25 * edge;
    return scenes_run_add_solid(&run->base, &mesh, FRACAS_MOTION_DEFORMING, 0, false);
}

static fracas_status add_rabbit(dragon_run* run, double size) {
    scenes_mesh mesh;
    if (!scenes_make_rabbit(&mesh, root(0.05 * size / 12))) return FRACAS_ERROR_OUT_OF_MEMORY;
    scenes_place_on_ground(&mesh, rabbit_length, impact_height);
    for (size_t v = 0; v < mesh.vertex_count; v++)
        mesh.points[3 * v + 2] -= 0.45 + (STRIKE + 1) * rabbit_speed;
    fracas_status status = scenes_run_add_solid(&run->base, &mesh, FRACAS_MOTION_RIGID, 20, true);
    if (status != FRACAS_OK) return status;
    solver_solid* rabbit = scenes_run_solid(&run->base, RABBIT);
    rabbit->velocity[1] = 0.5 * run->base.solver.gravity * STRIKE;
    rabbit->velocity[2] = rabbit_speed;
    rabbit->spin[0] = 0.03;
    return FRACAS_OK;
}

static fracas_status add_bodies(dragon_run* run, const scenes_options* options, double size) {
    scenes_mesh ground;
    if (!scenes_make_ground(&ground, size < 5000 ? 2 : 8, 12)) return FRACAS_ERROR_OUT_OF_MEMORY;
    fracas_status status = scenes_run_add_solid(&run->base, &ground, FRACAS_MOTION_STATIC, 0, true);
    if (status == FRACAS_OK) status = add_rabbit(run, size);
    if (status == FRACAS_OK) status = add_mesh(run, options, size);
    if (status != FRACAS_OK) return status;
    run->pieces = malloc(sizeof(uint32_t) * run->triangle_count);
    run->labels = malloc(sizeof(uint32_t) * run->triangle_count);
    run->ids = malloc(sizeof(uint32_t) * run->triangle_count);
    if (!run->pieces || !run->labels || !run->ids) return FRACAS_ERROR_OUT_OF_MEMORY;
    choose_seeds(run);
    assign_pieces(run);
    run->solids[0] = run->base.bodies[DRAGON].solid;
    return FRACAS_OK;
}

static fracas_status create(fracas_scene* scene, const scenes_options* options, void** out) {
    *out = NULL;
    double size = options && options->size ? options->size : scenes_exploding_dragon.size;
    if (size > 2e7) size = 2e7;  // indices stay in range
    dragon_run* run = calloc(1, sizeof *run);
    if (!run) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->pre_cut = options && options->pre_cut;
    scenes_run_start(&run->base, scene, step_seconds, 0.01);
    run->base.solver.drag = 0.01;
    fracas_status status = add_bodies(run, options, size);
    if (status == FRACAS_OK) status = scenes_run_ready(&run->base);
    if (status == FRACAS_OK)
        *out = run;
    else
        destroy(run);
    return status;
}

// ---- breaking

// Split a body into the groups of a level; the first group stays in the body.
static fracas_status cut_body(dragon_run* run, uint32_t b, uint32_t level) {
    scenes_body* body = &run->base.bodies[b];
    uint32_t numbers[MAX_PIECES], count = 0;
    memset(numbers, 0xff, sizeof numbers);
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        run->labels[t] = 0;
        if (body->triangles[t] == FRACAS_NONE) continue;
        uint32_t group = run->groups[level][run->pieces[body->triangles[t] - run->first_triangle]];
        if (numbers[group] == FRACAS_NONE) numbers[group] = count++;
        run->labels[t] = numbers[group];
    }
    if (count < 2) return FRACAS_OK;
    fracas_split_plan* plan = NULL;
    fracas_status status = fracas_split_plan_create(run->base.scene, body->handle, run->labels,
                                                    body->triangle_count, &plan);
    if (status == FRACAS_OK)
        status = scenes_run_split(&run->base, b, fracas_split_plan_get_split(plan));
    fracas_split_plan_destroy(plan);
    return status;
}

static fracas_status cut(dragon_run* run, uint32_t level) {
    uint32_t count = run->base.body_count;
    fracas_status status = FRACAS_OK;
    for (uint32_t b = DRAGON; b < count && status == FRACAS_OK; b++)
        status = cut_body(run, b, level);
    return status;
}

// Make a piece of shell bend along a random direction within its plane.
static void make_soft(dragon_run* run, uint32_t number, uint32_t seed) {
    solver* s = &run->base.solver;
    solver_solid* solid = &s->solids[number];
    double outward[3], any[3];
    vector_subtract(solid->centre, scenes_run_solid(&run->base, RABBIT)->centre, outward);
    for (uint32_t k = 0; k < 3; k++) any[k] = scenes_noise(3 * seed + k);
    vector_normalise(outward);
    vector_cross(outward, any, solid->bend_along);
    vector_normalise(solid->bend_along);
    memcpy(solid->bend_normal, outward, sizeof outward);
    for (uint32_t i = 0; i < solid->point_count; i++) {
        double along = vector_dot(solid->bend_along, s->rest + 3 * (size_t)solid->points[i]);
        solid->bend_middle += along * along / solid->point_count;
    }
    solid->softness = 1;
    solid->bend_speed = 0.03 * scenes_noise(seed) / solid->radius;
}

// A part continues the motion of the whole and flies away from its centre.
static void throw_part(dragon_run* run, const solver_solid* whole, uint32_t number, uint32_t seed) {
    solver_solid* part = &run->base.solver.solids[number];
    double arm[3], turning[3];
    vector_subtract(part->centre, whole->centre, arm);
    vector_cross(whole->spin, arm, turning);
    for (int k = 0; k < 3; k++) part->velocity[k] = whole->velocity[k] + turning[k];
    memcpy(part->spin, whole->spin, sizeof part->spin);
    // Speed proportional to the distance from the centre: parts do not collide.
    vector_add_scaled(part->velocity, arm, run->level ? 0.06 : 0.07);
    if (run->level == 0) part->velocity[2] += 0.01, part->velocity[1] += 0.012;
    for (uint32_t k = 0; k < 3; k++) part->spin[k] += 0.01 * scenes_noise(7 * seed + k);
}

static fracas_status make_solid(dragon_run* run, uint32_t group, uint32_t level,
                                const solver_solid* whole) {
    solver* s = &run->base.solver;
    uint32_t count = 0;
    for (uint32_t t = 0; t < run->triangle_count; t++)
        if (run->groups[level][run->pieces[t]] == group)
            run->ids[count++] = run->first_triangle + t;
    uint32_t number = solver_add_solid(s, run->base.corners, run->ids, count, level ? 1 : 0, false);
    if (number == SOLVER_NONE) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->solids[group] = number;
    s->solids[number].resting = level == 0;
    if (level == 0 || count == 0) return FRACAS_OK;
    throw_part(run, whole, number, group + 100 * level);
    make_soft(run, number, group + 100 * level);
    return FRACAS_OK;
}

// Replace the solids by those of a level. A group that is not divided keeps its solid.
static fracas_status regroup(dragon_run* run, uint32_t level) {
    uint32_t old = run->level, before[MAX_PIECES];
    bool divided[MAX_PIECES] = {0};
    memcpy(before, run->solids, sizeof before);
    for (uint32_t i = 0; i < run->seed_counts[level]; i++)
        if (level == old || run->groups[old][i] != i) divided[run->groups[old][i]] = true;
    fracas_status status = FRACAS_OK;
    for (uint32_t i = 0; i < run->seed_counts[level] && status == FRACAS_OK; i++) {
        uint32_t group = run->groups[old][i];
        if (run->groups[level][i] != i || !divided[group]) continue;
        solver_solid whole = run->base.solver.solids[before[group]];
        status = make_solid(run, i, level, &whole);
    }
    for (uint32_t g = 0; g < run->seed_counts[old] && status == FRACAS_OK; g++)
        if (divided[g]) solver_drop_solid(&run->base.solver, before[g]);
    run->level = level;
    return status;
}

// ---- a step

static fracas_status break_up(dragon_run* run) {
    uint32_t frame = run->base.frame, since = frame - STRIKE;
    fracas_status status = FRACAS_OK;
    if (run->pre_cut && frame == 1) {
        status = cut(run, LEVELS);
        return status == FRACAS_OK ? regroup(run, 0) : status;
    }
    if (frame < STRIKE || since % BREAK_EVERY || since / BREAK_EVERY >= LEVELS) return FRACAS_OK;
    uint32_t level = since / BREAK_EVERY + 1;
    if (!run->pre_cut) status = cut(run, level);
    return status == FRACAS_OK ? regroup(run, level) : status;
}

static fracas_status step(void* user, const fracas_contact* found, size_t count, uint64_t* edits) {
    dragon_run* run = user;
    scenes_run_begin(&run->base, found, count);
    fracas_status status = break_up(run);
    if (status != FRACAS_OK) return status;
    solver_step(&run->base.solver);
    return scenes_run_end(&run->base, edits);
}

static scenes_state state(const void* user) {
    return scenes_run_state(&((const dragon_run*)user)->base);
}

const scenes_scene scenes_exploding_dragon = {.name = "exploding-dragon",
                                              .description =
                                                  "a rabbit strikes a hollow dragon, which bursts",
                                              .frames = 250,
                                              .size = 252000,
                                              .create = create,
                                              .step = step,
                                              .state = state,
                                              .destroy = destroy,
                                              .takes_mesh = true,
                                              .takes_pre_cut = true};
