/// @file restructure.c  When to build trees anew: the policies.
#include "scene/restructure.h"
#include "scene/place.h"

bool frc_restructure_body(fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    if (scene->options.restructure != FRACAS_RESTRUCTURE_ALWAYS) return true;
    if (body->blocks.count == 0 || body->live_triangles == 0) return true;
    return frc_rebuild_body(scene, number);
}
