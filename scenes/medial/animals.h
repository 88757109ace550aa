/// @file animals.h  Models made of spheres, cones and slabs: animals, rings, rods.
#pragma once
#include "fracas/medial_mesh.h"

/// A medial mesh that grows. Zero bytes are an empty one.
typedef struct animals_mesh {
    fracas_medial_sphere* spheres;
    uint32_t *edges, *triangles;
    uint32_t sphere_count, edge_count, triangle_count;
    bool failed;  ///< no memory
} animals_mesh;

enum { ANIMALS_COUNT = 9 };

/// Animal 0 to 8: deer, cow, armadillo, bear, bug, dolphin, spider, rabbit, dinosaur; each of about
/// 240 primitives. They look along x and stand on z = 0; about 1 long.
void animals_make(uint32_t which, animals_mesh* out);
const char* animals_name(uint32_t which);

/// A ring of `count` cones around z.
void animals_make_ring(uint32_t count, double radius, double thickness, animals_mesh* out);
/// A single cone from one point to another.
void animals_make_rod(const double from[3], const double to[3], double radius, animals_mesh* out);

fracas_medial_view animals_view(const animals_mesh* mesh);
void animals_free(animals_mesh* mesh);
