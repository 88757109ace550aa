/// @file fast_flyer.c  A dinosaur flies into a group of animals.
#include "medial/animals.h"
#include "medial/medial_scenes.h"

enum { GROUP = 14, DINOSAUR = 8 };

static fracas_status fill(medial_world* world, fracas_context* context, const medial_setup* setup) {
    static const double up[3] = {0, 0, 1}, side[3] = {0, 1, 0};
    const medial_model *models[ANIMALS_COUNT], *flyer = NULL;
    fracas_status status = medial_add_ground(world, 200);
    for (uint32_t i = 0; i < ANIMALS_COUNT && status == FRACAS_OK; i++)
        status = medial_make_animal(world, context, setup, i, 1, &models[i]);
    if (status == FRACAS_OK) flyer = models[DINOSAUR];
    for (uint32_t i = 0; i < GROUP && status == FRACAS_OK; i++) {
        const medial_placement p = {
            .model = models[i % ANIMALS_COUNT],
            .pose = medial_pose(1.3 * (i / 5), 1.1 * (i % 5 - 2.0), 0.75, up, 0.8 * i),
        };
        status = medial_add(world, &p);
    }
    if (status != FRACAS_OK) return status;
    const double speed = setup->speed > 0 ? setup->speed : 100;
    const medial_placement p = {
        .model = flyer, .pose = medial_pose(-12, 0, 0.8, side, 0), .velocity = {speed, 0, 0}
    };
    return medial_add(world, &p);
}

const medial_scene medial_fast_flyer = {.name = "fast-flyer",
                                        .description = "a dinosaur at 100 m/s hits 14 animals",
                                        .steps = 200,
                                        .step = 0.01,
                                        .fill = fill};
