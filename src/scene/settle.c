/// @file settle.c  After boxes were fitted: find the vertices whose triangles need not be compared
/// with each other, and tell the trees.
///
/// Rings are made for a body when it is added. For a part that broke off they are made once it has
/// kept its triangles for an update, so that a frame in which much breaks does not pay for them;
/// and anew when a quarter of them is lost to edits.
#include "cull/cull.h"
#include "cull/stars.h"
#include "scene/scene.h"
#include <math.h>

enum { FEWEST = 2 };  // triangles that can be neighbours

static bool wants_rings(const fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    return scene->filters.data[number].self_collision && (body->calm || body->added) &&
           body->live_triangles >= FEWEST;
}

// Without memory there are no rings, which costs time only.
static void keep_rings(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    if (body->rings.serial && body->lost_rings > body->rings.count / 4)
        frc_rings_release(scene->context, &body->rings);
    if (body->rings.serial || !wants_rings(scene, number)) return;
    frc_rings_input input = {.triangles = body->triangles.data,
                             .triangle_count = body->triangles.count,
                             .points = body->points.data,
                             .point_count = body->points.count,
                             .serial = scene->ring_serial + 1};
    if (!frc_rings_build(&scene->topology, &input, &body->rings)) return;
    scene->ring_serial++;
    body->lost_rings = 0;
}

static double body_size(const fracas_scene* scene, const frc_body* body) {
    double size = 0;
    for (int k = 0; k < 3; k++) {
        double lo = INFINITY, hi = -INFINITY;
        for (size_t i = 0; i < body->blocks.count; i++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[i]];
            if (block->lo[FRC_BOXES_END][k] < lo) lo = block->lo[FRC_BOXES_END][k];
            if (block->hi[FRC_BOXES_END][k] > hi) hi = block->hi[FRC_BOXES_END][k];
        }
        if (hi - lo > size) size = hi - lo;
    }
    return size;
}

// Where most of a body has certificates few neighbours are compared at all.
static bool is_covered(const fracas_scene* scene, const frc_body* body) {
    uint32_t covered = 0;
    for (size_t i = 0; i < body->blocks.count; i++)
        covered += frc_cull_covered(scene->blocks.data[body->blocks.data[i]], FRC_BOXES_END);
    return covered > body->live_triangles / 8 * 7;
}

static void settle_body(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    const bool wanted = !is_covered(scene, body);
    if (wanted) keep_rings(scene, number);
    const bool known = wanted && body->rings.serial;
    if (known)
        frc_stars_settle(&scene->topology, &body->rings, body_size(scene, body), scene->settled);
    for (size_t i = 0; i < body->blocks.count; i++) {
        frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (known && frc_block_need_stars(scene->context, block))
            frc_stars_mark(&scene->topology, body->rings.serial, scene->settled, block);
        else
            frc_block_drop_stars(scene->context, block);
    }
}

static bool reserve(fracas_scene* scene) {
    size_t wanted = scene->topology.points.count;
    return wanted <= scene->settled_capacity ||
           frc_array_grow(scene->context, (void**)&scene->settled, &scene->settled_capacity, wanted,
                          sizeof *scene->settled);
}

bool frc_scene_settle(fracas_scene* scene) {
    if (!(scene->options.modes & FRACAS_DISCRETE)) return true;
    if (!reserve(scene)) return false;
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        const frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        // What only an edit touched keeps what is known of the rest.
        if (body->fit || body->added) settle_body(scene, scene->stale_bodies.data[i]);
    }
    return true;
}
