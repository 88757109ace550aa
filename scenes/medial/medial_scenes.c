/// @file medial_scenes.c  The list of scenes, and what they have in common.
#include "medial/medial_scenes.h"
#include "fracas/io.h"
#include "medial/animals.h"
#include <math.h>
#include <string.h>

static const medial_scene* const scenes[] = {&medial_stairs, &medial_rods, &medial_fast_flyer,
                                             &medial_tori};

const medial_scene* const* medial_scenes_list(size_t* count) {
    *count = sizeof scenes / sizeof *scenes;
    return scenes;
}

const medial_scene* medial_scenes_find(const char* name) {
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(scenes[i]->name, name) == 0) return scenes[i];
    return NULL;
}

fracas_status medial_scene_create(const medial_scene* scene, const medial_options* options,
                                  const medial_setup* setup, medial_world** out) {
    fracas_status status = medial_create(options, out);
    if (status != FRACAS_OK) return status;
    status = scene->fill(*out, options->context, setup);
    if (status == FRACAS_OK) return FRACAS_OK;
    medial_destroy(*out);
    *out = NULL;
    return status;
}

static bool ends_with(const char* text, const char* end) {
    const size_t length = strlen(text), own = strlen(end);
    return length >= own && strcmp(text + length - own, end) == 0;
}

static fracas_status read_model(fracas_context* context, const char* path,
                                fracas_medial_mesh** out) {
    if (ends_with(path, ".ma") || ends_with(path, ".mat"))
        return fracas_medial_mesh_read(context, path, out);
    fracas_mesh_file* file;
    fracas_status status = fracas_mesh_file_read(context, path, NULL, &file);
    if (status != FRACAS_OK) return status;
    const fracas_mesh_view view = fracas_mesh_file_get_view(file);
    status = fracas_medial_mesh_create(context, &view, NULL, out);
    fracas_mesh_file_destroy(file);
    return status;
}

fracas_status medial_make_animal(medial_world* world, fracas_context* context,
                                 const medial_setup* setup, uint32_t which, double length,
                                 const medial_model** out) {
    if (which == 0 && setup->mesh) {
        fracas_medial_mesh* mesh;
        fracas_status status = read_model(context, setup->mesh, &mesh);
        if (status != FRACAS_OK) return status;
        const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
        status = medial_add_model(world, &view, length, out);
        fracas_medial_mesh_destroy(mesh);
        return status;
    }
    animals_mesh mesh;
    animals_make(which, &mesh);
    const fracas_medial_view view = animals_view(&mesh);
    const fracas_status status =
        mesh.failed ? FRACAS_ERROR_OUT_OF_MEMORY : medial_add_model(world, &view, length, out);
    animals_free(&mesh);
    return status;
}

fracas_status medial_add_ground(medial_world* world, double half) {
    const double corners[4][3] = {
        {-half, -half, 0},
        {half,  -half, 0},
        {half,  half,  0},
        {-half, half,  0}
    };
    const uint32_t triangles[2][3] = {
        {0, 1, 2},
        {0, 2, 3}
    };
    const fracas_mesh_view view = {
        .points = {.data = corners, .count = 4},
          .triangles = triangles[0], .triangle_count = 2
    };
    return medial_add_scenery(world, &view);
}

fracas_pose medial_pose(double x, double y, double z, const double axis[3], double angle) {
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double c = cos(angle), s = sin(angle);
    fracas_pose pose = {
        {0,  0, 0, 0, 0, 0, 0, 0, 0},
        {x, y, z}
    };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double u = axis[i] / length, v = axis[j] / length;
            const double w = axis[(6 - i - j) % 3] / length * ((j - i + 3) % 3 == 1 ? -1 : 1);
            pose.rotation[3 * i + j] = u * v * (1 - c) + (i == j ? c : w * s);
        }
    return pose;
}
