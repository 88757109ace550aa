/// @file moving.h  Where the spheres of a body are during a step.
#pragma once
#include "base/arena.h"
#include "geom/medial_lanes.h"
#include "medial/bodies.h"

/// A sphere whose centre goes from `start` to `start + way`; the radius covers the deviation of the
/// true path, and rounding.
typedef struct frc_medial_path {
    double start[3], way[3], radius;
} frc_medial_path;

typedef struct frc_medial_moving {
    const frc_medial_body* body;
    frc_medial_path bound;  // of all of it
    bool rests;             // it stays where it is
    fracas_pose pose;       // at the start, of the shape's frame around its centre
    double rounding;        // of a coordinate
    double slack;           // in the radius of each path
    // Only where they are needed: NULL elsewhere. Node 0 is group 0; nodes 2 i - 1 and 2 i, which
    // are siblings, are group i. The rest by sphere of the shape.
    frc_lane_nodes* nodes;
    double (*start)[4], (*end)[4];
    double* bulge;           // how far a sphere deviates from the straight way at most
    frc_lane_sphere* lanes;  // the same spheres, relative to the positions of the motion
} frc_medial_moving;

/// The bound, and whether the body rests. Paths of two bodies meet where primitives come as near
/// as the tolerance of a query, a part of the smaller radius of the two.
void frc_medial_moving_begin(const frc_medial_body* body, double tolerance, frc_medial_moving* out);
/// Memory for nodes and spheres. False: there is none.
bool frc_medial_moving_allocate(frc_medial_moving* moving, frc_arena* arena);
/// The paths of nodes and spheres.
void frc_medial_moving_fill(frc_medial_moving* moving);

/// Do two of them meet not later than `until`? Never false for two that do.
static inline bool frc_medial_paths_meet(const frc_medial_path* a, const frc_medial_path* b,
                                         double until) {
    double p[3], v[3], vv = 0, pv = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        p[k] = a->start[k] - b->start[k];
        v[k] = a->way[k] - b->way[k];
        vv += v[k] * v[k];
        pv -= p[k] * v[k];
    }
    const double t = !(pv > 0) ? 0 : pv < vv * until ? pv / vv : until;
    for (int k = 0; k < 3; k++) {
        const double x = p[k] + t * v[k];
        square += x * x;
    }
    const double reach = a->radius + b->radius;
    return !(square > reach * reach * (1 + 0x1p-40));
}
