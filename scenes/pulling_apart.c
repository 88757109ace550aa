/// @file pulling_apart.c  A cloth is pulled at two sides and tears: many cracks grow by one edge
/// per frame, and small flakes break off.
///
/// Cracks grow along columns of the grid, each from both ends towards the middle. Every growth step
/// and every flake is a separate split that lists a few elements of a large body.
#include "noise.h"
#include "run.h"
#include "solver/vector.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Lengths in metres, a step is a hundredth of a second.
static const double width = 2, height = 0.8, step_seconds = 0.01, pull = 0.002;
enum { GROUND, CLOTH, MAX_TIPS = 20, FLAKE_EVERY = 4 };

typedef struct tear_run {
    scenes_run base;
    uint32_t cells;  // each way
    double* lengths;
    bool* flaked;  // cells that broke off
    uint32_t tip_count;
    uint32_t torn[MAX_TIPS];  // number of duplicated vertices, counted from the cloth's edge
} tear_run;

static void destroy(void* user) {
    tear_run* run = user;
    if (!run) return;
    scenes_run_free(&run->base);
    free(run->lengths);
    free(run->flaked);
    free(run);
}

static uint32_t cells_at(double size) {
    double cells = sqrt(size / 2);
    return cells < 8 ? 8 : (uint32_t)(cells + 0.5);
}

// ---- creation

static bool make_cloth(tear_run* run) {
    const scenes_body* cloth = &run->base.bodies[CLOTH];
    solver* s = &run->base.solver;
    run->lengths = malloc(3 * sizeof(double) * cloth->triangle_count);
    run->flaked = calloc((size_t)run->cells * run->cells, sizeof *run->flaked);
    if (!run->lengths || !run->flaked) return false;
    for (uint32_t t = 0; t < cloth->triangle_count; t++) {
        const uint32_t* c = run->base.corners + 3 * (size_t)cloth->triangles[t];
        for (uint32_t k = 0; k < 3; k++) {
            double d[3];
            vector_subtract(s->now + 3 * (size_t)c[k], s->now + 3 * (size_t)c[(k + 1) % 3], d);
            run->lengths[3 * (size_t)t + k] = 0.97 * vector_length(d);  // under tension
        }
    }
    s->cloth_begin = cloth->triangles[0];
    s->cloth_end = s->cloth_begin + cloth->triangle_count;
    s->cloth_lengths = run->lengths;
    // The vertices of two opposite sides move apart at constant velocity.
    for (uint32_t j = 0; j <= run->cells; j++)
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t v = cloth->vertices[j * (run->cells + 1) + side * run->cells];
            s->inverse_mass[v] = 0;
            s->velocity[3 * (size_t)v] = (side ? 0.5 : -0.5) * pull;
        }
    return true;
}

static fracas_status add_bodies(tear_run* run) {
    scenes_mesh ground = {0}, cloth = {0};
    const double corner[3] = {-width / 2, height, -width / 2};
    bool made = scenes_make_ground(&ground, 4, 3) &&
                scenes_make_sheet(&cloth, run->cells, run->cells, width / run->cells, corner);
    fracas_status status = made ? FRACAS_OK : FRACAS_ERROR_OUT_OF_MEMORY;
    if (status == FRACAS_OK)
        status = scenes_run_add_solid(&run->base, &ground, FRACAS_MOTION_STATIC, 0, true);
    if (status == FRACAS_OK) status = scenes_run_add_points(&run->base, &cloth, 1);
    scenes_mesh_free(&ground);
    scenes_mesh_free(&cloth);
    if (status == FRACAS_OK && !make_cloth(run)) status = FRACAS_ERROR_OUT_OF_MEMORY;
    return status;
}

static fracas_status create(fracas_scene* scene, const scenes_options* options, void** out) {
    *out = NULL;
    double size = options && options->size ? options->size : scenes_pulling_apart.size;
    if (size > 2e7) size = 2e7;  // indices stay in range
    tear_run* run = calloc(1, sizeof *run);
    if (!run) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->cells = cells_at(size);
    run->tip_count = run->cells / 4 < MAX_TIPS / 2 ? 2 * (run->cells / 4) : MAX_TIPS;
    scenes_run_start(&run->base, scene, step_seconds, width / run->cells);
    run->base.solver.iterations = 4;
    run->base.solver.drag = 0.02;
    fracas_status status = add_bodies(run);
    if (status == FRACAS_OK) status = scenes_run_ready(&run->base);
    if (status == FRACAS_OK)
        *out = run;
    else
        destroy(run);
    return status;
}

// ---- tearing

static uint32_t column_of(const tear_run* run, uint32_t tip) {
    uint32_t lines = run->tip_count / 2;
    return (tip / 2 + 1) * run->cells / (lines + 1);
}

// The first triangle of a cell of the grid; FRACAS_NONE: outside, or broken off.
static uint32_t cell_at(const tear_run* run, uint32_t column, uint32_t row) {
    if (column >= run->cells || row >= run->cells) return FRACAS_NONE;
    uint32_t cell = row * run->cells + column;
    return run->flaked[cell] ? FRACAS_NONE : 2 * cell;
}

static uint32_t corner_number(const tear_run* run, uint32_t triangle, uint32_t corner) {
    const scenes_run* base = &run->base;
    uint32_t id = base->bodies[CLOTH].triangles[triangle];
    return base->vertex_numbers[base->corners[3 * (size_t)id + corner]];
}

// Duplicates the vertex at the tip of a crack; triangles to the right of it get the copy.
static fracas_status grow_crack(tear_run* run, uint32_t tip) {
    uint32_t column = column_of(run, tip);
    uint32_t row = tip % 2 ? run->cells - run->torn[tip] : run->torn[tip];
    uint32_t vertex = row * (run->cells + 1) + column, count = 0;
    uint32_t fresh = run->base.bodies[CLOTH].vertex_count;
    fracas_repoint repoints[12];
    run->torn[tip]++;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t first = row + side ? cell_at(run, column, row + side - 1) : FRACAS_NONE;
        for (uint32_t i = 0; first != FRACAS_NONE && i < 6; i++)
            if (corner_number(run, first + i / 3, i % 3) == vertex)
                repoints[count++] = (fracas_repoint){first + i / 3, i % 3, fresh};
    }
    if (count == 0) return FRACAS_OK;
    fracas_new_vertex copy = {.parent_a = vertex, .parent_b = FRACAS_NONE};
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = &copy, split.new_vertex_count = 1;
    split.repoints = repoints, split.repoint_count = count;
    return scenes_run_split(&run->base, CLOTH, &split);
}

// Splits off a cell next to the crack; the part gets copies of its four corners.
static fracas_status shed_flake(tear_run* run, uint32_t first) {
    fracas_new_vertex corners[4];
    fracas_repoint repoints[6];
    uint32_t count = 0, fresh = run->base.bodies[CLOTH].vertex_count;
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t vertex = corner_number(run, first + i / 3, i % 3), k = 0;
        while (k < count && corners[k].parent_a != vertex) k++;
        if (k == count)
            corners[count++] = (fracas_new_vertex){.parent_a = vertex, .parent_b = FRACAS_NONE};
        repoints[i] = (fracas_repoint){first + i / 3, i % 3, fresh + k};
    }
    const uint32_t offsets[2] = {0, 2}, triangles[2] = {first, first + 1};
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = corners, split.new_vertex_count = count;
    split.repoints = repoints, split.repoint_count = 6;
    split.part_count = 1, split.part_offsets = offsets, split.part_triangles = triangles;
    run->flaked[first / 2] = true;
    return scenes_run_split(&run->base, CLOTH, &split);
}

static fracas_status tear(tear_run* run, uint32_t tip) {
    uint32_t half = (run->cells + 2 - tip % 2) / 2, torn = run->torn[tip];
    bool flake = torn > 2 && scenes_hash(run->base.frame * MAX_TIPS + tip) % FLAKE_EVERY == 0;
    // The cell between the second and the third last duplicated vertex.
    uint32_t row = tip % 2 ? run->cells + 2 - torn : torn - 3;
    uint32_t cell = flake ? cell_at(run, column_of(run, tip), row) : FRACAS_NONE;
    if (cell != FRACAS_NONE) return shed_flake(run, cell);
    return torn < half ? grow_crack(run, tip) : FRACAS_OK;
}

static fracas_status step(void* user, const fracas_contact* found, size_t count, uint64_t* edits) {
    tear_run* run = user;
    scenes_run_begin(&run->base, found, count);
    fracas_status status = FRACAS_OK;
    for (uint32_t tip = 0; tip < run->tip_count && status == FRACAS_OK; tip++)
        status = tear(run, tip);
    if (status != FRACAS_OK) return status;
    run->base.solver.cloth = run->base.corners;
    solver_step(&run->base.solver);
    return scenes_run_end(&run->base, edits);
}

static scenes_state state(const void* user) {
    return scenes_run_state(&((const tear_run*)user)->base);
}

// Enough frames for the cracks from both ends to meet.
static uint32_t frames_at(uint32_t size) {
    uint32_t cells = cells_at(size);
    return 21 + cells / 2 + cells / 16;
}

const scenes_scene scenes_pulling_apart = {
    .name = "pulling-apart",
    .description = "a cloth tears along many lines, a few triangles in every frame",
    .frames = 220,
    .size = 252000,
    .create = create,
    .step = step,
    .state = state,
    .destroy = destroy,
    .frames_at = frames_at};
