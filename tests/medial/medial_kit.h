/// @file medial_kit.h  Random shapes and motions for tests.
#pragma once
#include "common_kit.h"
#include "context_kit.h"
#include "fracas/medial.h"
#include <math.h>

enum { KIT_SPHERES = 8, KIT_EDGES = 7, KIT_TRIANGLES = 3 };

/// Edges in a ring, three triangles and a single sphere, about 1 in size. Some cones and slabs are
/// degenerate.
static inline fracas_medial_mesh* kit_mesh(fracas_context* context, uint64_t* random) {
    fracas_medial_sphere spheres[KIT_SPHERES];
    uint32_t edges[2 * KIT_EDGES], triangles[3 * KIT_TRIANGLES];
    for (uint32_t i = 0; i < KIT_SPHERES; i++) {
        for (int k = 0; k < 3; k++) spheres[i].center[k] = kit_uniform(random, -0.4, 0.4);
        spheres[i].radius = kit_uniform(random, 0, i % 4 == 0 ? 0.3 : 0.08);
    }
    for (uint32_t i = 0; i < KIT_EDGES; i++) {
        edges[2 * i] = i;
        edges[2 * i + 1] = (i + 1) % (KIT_SPHERES - 1);
    }
    for (uint32_t i = 0; i < KIT_TRIANGLES; i++)
        for (uint32_t n = 0; n < 3; n++) triangles[3 * i + n] = 2 * i + n;
    const fracas_medial_view view = {spheres,     edges,     triangles,
                                     KIT_SPHERES, KIT_EDGES, KIT_TRIANGLES};
    fracas_medial_mesh* mesh;
    KIT_OK(context, fracas_medial_mesh_create_from(context, &view, &mesh));
    return mesh;
}

/// A random rotation, and a translation in a cube.
static inline fracas_pose kit_pose(uint64_t* random, double size) {
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) q[i] = kit_uniform(random, -1, 1), square += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(square);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    fracas_pose pose = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
         1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
         1 - 2 * (x * x + y * y)},
        {0, 0, 0}
    };
    for (int k = 0; k < 3; k++) pose.translation[k] = kit_uniform(random, -size, size);
    return pose;
}
