/// @file falls.c  Animals fall over stairs and rods; rings fall on a heap.
#include "medial/animals.h"
#include "medial/medial_scenes.h"

enum { STEPS = 12, CLIMBERS = 8, RODS = 7, RINGS = 51 };

static const double AXES[3][3] = {
    {1, 2, 0},
    {0, 1, 3},
    {2, 0, 1}
};

// ---- stairs

// Treads and risers, two triangles each, down along x.
static fracas_status add_stairs(medial_world* world) {
    double points[4 * STEPS + 2][3];
    uint32_t triangles[4 * STEPS][3];
    for (uint32_t i = 0; i <= 2 * STEPS; i++)
        for (uint32_t side = 0; side < 2; side++) {
            double* p = points[2 * i + side];
            p[0] = 0.5 * ((i + 1) / 2);
            p[1] = side ? 2 : -2;
            p[2] = 0.3 * (STEPS - i / 2);
        }
    for (uint32_t i = 0; i < 2 * STEPS; i++)
        for (uint32_t half = 0; half < 2; half++) {
            uint32_t* t = triangles[2 * i + half];
            t[0] = 2 * i + half;
            t[1] = half ? 2 * i + 2 : 2 * i + 1;
            t[2] = half ? 2 * i + 3 : 2 * i + 2;
        }
    const fracas_mesh_view view = {
        .points = {.data = points, .count = 4 * STEPS + 2},
        .triangles = triangles[0],
        .triangle_count = 4 * STEPS
    };
    return medial_add_scenery(world, &view);
}

static fracas_status fill_stairs(medial_world* world, fracas_context* context,
                                 const medial_setup* setup) {
    const medial_model* models[2];
    fracas_status status = add_stairs(world);
    if (status == FRACAS_OK) status = medial_add_ground(world, 30);
    for (uint32_t m = 0; m < 2 && status == FRACAS_OK; m++)
        status = medial_make_animal(world, context, setup, m, 0.8, &models[m]);
    for (uint32_t i = 0; i < CLIMBERS && status == FRACAS_OK; i++) {
        const medial_placement p = {
            .model = models[i % 2],
            .pose = medial_pose(0.3 + 0.6 * (i / 4), 1.1 * (i % 4 - 1.5), 4.6 + 0.7 * (i / 4),
                                AXES[i % 3], 0.4 * i),
            .velocity = {1.5, 0, 0},
            .spin = {0,   2, 0}
        };
        status = medial_add(world, &p);
    }
    return status;
}

const medial_scene medial_stairs = {.name = "stairs",
                                    .description = "8 deer and cows fall down stairs",
                                    .steps = 500,
                                    .step = 0.01,
                                    .fill = fill_stairs};

// ---- rods

static fracas_status add_rod(medial_world* world, double y, double z) {
    animals_mesh mesh;
    const double from[3] = {-3, y, z}, to[3] = {3, y, z}, up[3] = {0, 0, 1};
    animals_make_rod(from, to, 0.06, &mesh);
    const fracas_medial_view view = animals_view(&mesh);
    const medial_model* rod;
    fracas_status status =
        mesh.failed ? FRACAS_ERROR_OUT_OF_MEMORY : medial_add_model(world, &view, 0, &rod);
    animals_free(&mesh);
    if (status != FRACAS_OK) return status;
    const medial_placement p = {.model = rod, .pose = medial_pose(0, y, z, up, 0)};
    return medial_add_fixed(world, &p);
}

static fracas_status fill_rods(medial_world* world, fracas_context* context,
                               const medial_setup* setup) {
    fracas_status status = medial_add_ground(world, 30);
    for (uint32_t i = 0; i < RODS && status == FRACAS_OK; i++)
        status = add_rod(world, 0.45 * (i - 0.5 * (RODS - 1)), 0.8 + 0.3 * (i % 2));
    for (uint32_t i = 0; i < ANIMALS_COUNT && status == FRACAS_OK; i++) {
        const medial_model* model;
        status = medial_make_animal(world, context, setup, i, 1, &model);
        const medial_placement p = {
            .model = model,
            .pose = medial_pose(0.9 * (i % 3 - 1.0), 0.7 * (i / 3 - 1.0), 2 + 0.5 * (i % 4),
                                AXES[i % 3], 0.7 * i),
        };
        if (status == FRACAS_OK) status = medial_add(world, &p);
    }
    return status;
}

const medial_scene medial_rods = {.name = "rods",
                                  .description = "nine animals fall over rods",
                                  .steps = 400,
                                  .step = 0.01,
                                  .fill = fill_rods};

// ---- tori

static fracas_status fill_tori(medial_world* world, fracas_context* context,
                               const medial_setup* setup) {
    (void)context, (void)setup;
    animals_mesh mesh;
    animals_make_ring(26, 0.2, 0.06, &mesh);
    const fracas_medial_view view = animals_view(&mesh);
    const medial_model* ring;
    fracas_status status =
        mesh.failed ? FRACAS_ERROR_OUT_OF_MEMORY : medial_add_model(world, &view, 0, &ring);
    animals_free(&mesh);
    if (status == FRACAS_OK) status = medial_add_ground(world, 30);
    for (uint32_t i = 0; i < RINGS && status == FRACAS_OK; i++) {
        const medial_placement p = {
            .model = ring,
            .pose = medial_pose(0.3 * (i % 3 - 1.0), 0.3 * (i / 3 % 3 - 1.0), 0.5 + 0.55 * (i / 9),
                                AXES[i % 3], 0.9 * i),
        };
        status = medial_add(world, &p);
    }
    return status;
}

const medial_scene medial_tori = {.name = "tori",
                                  .description = "51 rings fall on a heap",
                                  .steps = 400,
                                  .step = 0.01,
                                  .fill = fill_tori};
