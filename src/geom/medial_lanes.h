/// @file medial_lanes.h  Four pairs of moving medial primitives at a time, in floats: which of them
/// are certainly apart during the step?
#pragma once
#include <stdint.h>

/// A sphere that moves, relative to the place of its body at the start and at the end of the step.
/// Each number is rounded to nearest; `bulge` (frc_medial_sweep) is rounded up.
typedef struct frc_lane_sphere {
    float start[3], radius;
    float end[3], bulge;
} frc_lane_sphere;

enum { FRC_MEDIAL_LANES = 4 };

/// Two nodes of a tree, each twice: lanes 0 and 2 are the first, lanes 1 and 3 the second. Spheres
/// that move from `start` to `start + way` during the step, both relative to their body; the radius
/// covers the rounding of these.
typedef struct frc_lane_nodes {
    float start[3][FRC_MEDIAL_LANES], way[3][FRC_MEDIAL_LANES], radius[FRC_MEDIAL_LANES];
} frc_lane_nodes;

/// The first or the second node, or both.
typedef enum frc_lane_choice { FRC_LANE_FIRST, FRC_LANE_SECOND, FRC_LANE_BOTH } frc_lane_choice;

/// Which pairs of nodes meet not later than `until`? Never 0 for a pair that does. `start`: from
/// the place of the first body to that of the second; `way`: the same at the end, less `start`;
/// `size` as in frc_lane_pairs. Bit i + 2 j for node j of a and node i of b; a single node counts
/// as first and as second one.
unsigned frc_medial_lanes_meet(const frc_lane_nodes* a, frc_lane_choice choice_a,
                               const frc_lane_nodes* b, frc_lane_choice choice_b,
                               const double start[3], const double way[3], double size,
                               double until);

/// By lane a primitive of each of two bodies; with less than three spheres the first is repeated.
typedef struct frc_lane_pairs {
    const frc_lane_sphere* a[FRC_MEDIAL_LANES][3];
    const frc_lane_sphere* b[FRC_MEDIAL_LANES][3];
    int count_a, count_b;  ///< the largest number of spheres of a lane
    double start[3];       ///< from the place of the first body to that of the second
    double end[3];
    double size;       ///< of both bodies: largest distances of spheres from their places, in all
    double tolerance;  ///< distances up to it do not count as apart
} frc_lane_pairs;

/// Bit by lane: some direction separates the two primitives by more than the tolerance and their
/// bulges throughout the step. Unused lanes may repeat another one.
unsigned frc_medial_lanes_apart(const frc_lane_pairs* pairs);
