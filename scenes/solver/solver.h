/// @file solver.h  A small position-based solver: points, cloth, solids, and contacts between them.
///
/// A step predicts where everything goes, moves it until constraints and contacts hold (nearly),
/// and takes the velocities from where it ended. Lengths in metres, times in steps. It knows
/// numbers of points only, nothing of Fracas; contacts are handed to it after the step in which
/// they were found, and kept while the two sides stay close, so that what lies on something keeps
/// lying.
///
/// All sums run in a fixed order and use no libm function but sqrt.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOLVER_NONE UINT32_MAX

/// A body that turns and flies as a whole, and may change its shape a little: squashed along an
/// axis, bent along another. Its points follow from it.
typedef struct solver_solid {
    double lightness;           ///< 1 / mass; 0: goes its own way, whatever it hits
    double inertia_inverse[9];  ///< in its own frame
    double centre[3], velocity[3];
    double turn[4], spin[3];
    double rotation[9];  ///< of turn, rows first
    bool closed;         ///< its triangles face outward: what touches it belongs outside
    bool resting;        ///< never moves; its points stay as they are
    double softness;     ///< 0: keeps its shape
    double radius;       ///< of a ball that would hold it, about
    double squash, squash_speed, squash_axis[3];
    double bend, bend_speed, bend_middle, bend_along[3], bend_normal[3];
    double load[3];  ///< how far contacts pushed it in the step before, in its own frame
    uint32_t* points;
    uint32_t point_count;
} solver_solid;

/// Two points that keep their distance.
typedef struct solver_link {
    uint32_t a, b;
    double length, stiffness;
} solver_link;

/// A vertex and a triangle (points 0 | 1 2 3), or two edges (0 1 | 2 3).
typedef struct solver_contact {
    bool edges;
    uint32_t points[4];
    double weights[4];  ///< on each side they add up to 1
    double side;        ///< 1 or -1: the geometric normal, or against it
    double normal[3];   ///< from the second side to the first
    uint32_t solids[2];
    double local[2][3];  ///< where a solid is touched, in its own frame
    double apart[3];     ///< first minus second, when the step began
    double target;       ///< how far apart the sides are to be when the step ends
    double push;         ///< how far it pushed in this step
    bool caught;         ///< of shells that cannot come right: it does not push, it only slows
    uint32_t late;       ///< for how many steps the sides have been past each other
    double speed;        ///< at which the sides parted before it pushed
} solver_contact;

typedef struct solver {
    uint32_t point_count, point_room;
    double *now, *start, *velocity, *rest;  ///< three each; rest is in the solid's frame
    double* normals;                        ///< of closed solids, in their own frames
    double* lightness;                      ///< of points that are of no solid
    uint32_t* solid_of;
    bool* gone;

    uint32_t solid_count, solid_room;
    solver_solid* solids;

    uint32_t link_count, link_room;
    solver_link* links;
    /// Triangles of cloth: corners of all triangles, which of them are cloth, and three rest
    /// lengths for each of these. Not owned.
    const uint32_t* cloth;
    uint32_t cloth_begin, cloth_end;
    const double* cloth_lengths;
    double cloth_stiffness;

    uint32_t contact_count, contact_room;
    solver_contact* contacts;
    uint32_t *table, table_size;  ///< from features to contacts

    double gravity, friction, thickness;  ///< thickness: how far apart what touches is kept
    double drag, most_speed;  ///< share of the velocity lost per step; a limit for points
    uint32_t iterations;
    bool out_of_memory;  ///< once true nothing more is kept, and the step has to be refused
} solver;

void solver_free(solver* s);
/// Room for so many points in all; false when there is no memory.
bool solver_reserve_points(solver* s, uint32_t count);
/// A point of its own at p; lightness 0 nails it down. There must be room.
uint32_t solver_add_point(solver* s, const double p[3], double lightness);
bool solver_add_link(solver* s, uint32_t a, uint32_t b, double stiffness);

/// Make a solid of the points of `triangles` (three each), where they are now, with `density` per
/// area (0: nothing moves it). @return its number, or SOLVER_NONE without memory
uint32_t solver_add_solid(solver* s, const uint32_t* triangles, const uint32_t* ids, uint32_t count,
                          double density, bool closed);
/// The points of a solid become others'; nothing is left of it.
void solver_drop_solid(solver* s, uint32_t solid);
/// Where the solid's points are, from where the solid is.
void solver_place_points(solver* s, uint32_t solid);
/// Where a point of a solid is in the solid's frame, with its change of shape.
void solver_local_point(const solver_solid* solid, const double rest[3], double out[3]);

/// Tell of a contact that was found; `normal` (from b to a) says which side is which where neither
/// is closed.
void solver_add_contact(solver* s, bool edges, const uint32_t points[4], const double normal[3]);

void solver_step(solver* s);

// ---- between the files of the solver
void solver_prepare_contacts(solver* s);
void solver_push_contacts(solver* s);
void solver_slow_contacts(solver* s);
void solver_predict_solid(solver* s, solver_solid* solid);
void solver_finish_solid(solver* s, uint32_t solid);
