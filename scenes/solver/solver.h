/// @file solver.h  A small position-based solver: points, cloth, solids, and contacts between them.
///
/// A step predicts positions, corrects them until constraints and contacts hold approximately, and
/// derives velocities from the result. Lengths are in metres, times in steps. The solver only knows
/// indices of points, nothing of Fracas. Contacts are added after the step in which they were
/// found, and kept while both sides stay close, so that resting contacts persist.
///
/// All sums run in a fixed order and use no libm function but sqrt.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOLVER_NONE UINT32_MAX

/// A rigid body with a small change of shape: squashed along one axis, bent along another. Its
/// points are computed from its state.
typedef struct solver_solid {
    double inverse_mass;        ///< 0: contacts do not change its motion
    double inertia_inverse[9];  ///< in its own frame
    double centre[3], velocity[3];
    double orientation[4], spin[3];  ///< unit quaternion; angular velocity
    double rotation[9];              ///< matrix of `orientation`, rows first
    bool closed;                     ///< its triangles face outward: contacts push to that side
    bool resting;                    ///< never moves; its points stay as they are
    double softness;                 ///< 0: rigid
    double radius;                   ///< largest distance of a point from the centre
    double squash, squash_speed, squash_axis[3];
    double bend, bend_speed, bend_middle, bend_along[3], bend_normal[3];
    double load[3];  ///< displacement by contacts in the last step, in its own frame
    uint32_t* points;
    uint32_t point_count;
} solver_solid;

/// A distance constraint between two points.
typedef struct solver_link {
    uint32_t a, b;
    double length, stiffness;
} solver_link;

/// A vertex and a triangle (points 0 | 1 2 3), or two edges (0 1 | 2 3).
typedef struct solver_contact {
    bool edges;
    uint32_t points[4];
    double weights[4];  ///< of the points; they add up to 1 on each side
    double side;        ///< 1 or -1: sign of `normal` relative to the geometric normal
    double normal[3];   ///< from the second side to the first
    uint32_t solids[2];
    double local[2][3];       ///< contact point on each solid, in the solid's frame
    double apart[3];          ///< first minus second contact point at the start of the step
    double target;            ///< required separation at the end of the step
    double push;              ///< total correction in this step
    bool entangled;           ///< of two shells that cannot be separated: no push, only damping
    uint32_t inverted_steps;  ///< consecutive steps in which the sides penetrate
    double speed;             ///< separation velocity before the correction
} solver_contact;

typedef struct solver {
    uint32_t point_count, point_capacity;
    double *now, *start, *velocity, *rest;  ///< three each; rest is in the solid's frame
    double* normals;                        ///< of points of closed solids, in the solid's frame
    double* inverse_mass;                   ///< of points without a solid
    uint32_t* solid_of;
    bool* removed;  ///< welded to another point

    uint32_t solid_count, solid_capacity;
    solver_solid* solids;

    uint32_t link_count, link_capacity;
    solver_link* links;
    /// Cloth: corners of all triangles, the range of triangles that are cloth, and three rest
    /// lengths for each of these. Not owned.
    const uint32_t* cloth;
    uint32_t cloth_begin, cloth_end;
    const double* cloth_lengths;
    double cloth_stiffness;

    uint32_t contact_count, contact_capacity;
    solver_contact* contacts;
    uint32_t *table, table_size;  ///< hash table: features -> contact

    double gravity, friction, thickness;  ///< thickness: separation kept by contacts
    double drag, max_speed;  ///< share of the velocity lost per step; a limit for points
    uint32_t iterations;
    bool out_of_memory;  ///< sticky: no more contacts are added, and the caller must fail the step
} solver;

void solver_free(solver* s);
/// Reserve capacity for `count` points in total; false when there is no memory.
bool solver_reserve_points(solver* s, uint32_t count);
/// Add a free point at p; with inverse_mass 0 only its own velocity moves it. Needs capacity.
uint32_t solver_add_point(solver* s, const double p[3], double inverse_mass);
bool solver_add_link(solver* s, uint32_t a, uint32_t b, double stiffness);

/// Make a solid of the points of `triangles` (three each), where they are now, with `density` per
/// area (0: nothing moves it). @return its index, or SOLVER_NONE when there is no memory
uint32_t solver_add_solid(solver* s, const uint32_t* triangles, const uint32_t* ids, uint32_t count,
                          double density, bool closed);
/// Delete a solid whose points now belong to others. Indices of solids do not change.
void solver_drop_solid(solver* s, uint32_t solid);
/// Compute the points of a solid from its state.
void solver_place_points(solver* s, uint32_t solid);
/// A point of a solid in the solid's frame, including the change of shape.
void solver_local_point(const solver_solid* solid, const double rest[3], double out[3]);

/// Add a contact unless it exists; `normal` (from b to a) determines the sides when neither is
/// closed.
void solver_add_contact(solver* s, bool edges, const uint32_t points[4], const double normal[3]);

void solver_step(solver* s);

// ---- internal to the solver
void solver_prepare_contacts(solver* s);
void solver_push_contacts(solver* s);
void solver_slow_contacts(solver* s);
void solver_predict_solid(solver* s, solver_solid* solid);
void solver_finish_solid(solver* s, uint32_t solid);
