/// @file shape.h  Signed distances from the union of medial primitives.
#pragma once
#include "base/array.h"
#include "bvh/box_tree.h"
#include "fracas/medial_mesh.h"
#include "geom/medial_point.h"

/// A sphere, cone or slab.
typedef struct frc_medial_prim {
    uint32_t vertex[3];
    int count;
} frc_medial_prim;

/// Of a medial mesh: its slabs, the cones that are no edge of a slab, the spheres without an edge.
typedef struct frc_medial_shape {
    const double* spheres;  // four each
    FRC_ARRAY(frc_medial_prim) prims;
    frc_box_tree tree;  // over the primitives
} frc_medial_shape;

/// Edges as sorted keys without repetition.
typedef struct frc_edge_set {
    uint64_t* keys;
    size_t count, capacity;
} frc_edge_set;

/// The sides of triangles, three indices each; or edges, two each. False: no memory.
bool frc_edge_set_create(fracas_context* context, const uint32_t* indices, size_t count,
                         uint32_t corners, frc_edge_set* out);
bool frc_edge_set_has(const frc_edge_set* set, uint32_t a, uint32_t b);
void frc_edge_set_release(fracas_context* context, frc_edge_set* set);

_Static_assert(sizeof(fracas_medial_sphere) == 4 * sizeof(double), "spheres are four doubles");

/// `view` must outlive the shape. False: no memory.
bool frc_medial_shape_create(fracas_context* context, const fracas_medial_view* view,
                             frc_medial_shape* out);
static inline const double* frc_medial_shape_sphere(const frc_medial_shape* shape, uint32_t v) {
    return shape->spheres + 4 * (size_t)v;
}

/// After the spheres have changed.
void frc_medial_shape_refit(fracas_context* context, frc_medial_shape* shape);
void frc_medial_shape_release(fracas_context* context, frc_medial_shape* shape);

/// The primitive with the smallest signed distance; `*prim` is its number, and on input one to try
/// first, or FRACAS_NONE. Of several it is the one tried first, otherwise the first. In the shape
/// the depth may be larger.
frc_medial_nearest frc_medial_shape_nearest(const frc_medial_shape* shape, const double p[3],
                                            uint32_t* prim);

/// The deepest of the primitives that have a point in their interior, at most `most`; returns their
/// number. Deepest first.
int frc_medial_shape_around(const frc_medial_shape* shape, const double p[3], int most,
                            frc_medial_nearest* out, uint32_t* prims);
