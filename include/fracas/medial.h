/// @file medial.h  Rigid bodies made of spheres, cones and slabs, and their contacts in time.
///
/// A body has the shape of a medial mesh (medial_mesh.h) and moves from one pose to another during
/// a step. Contacts are found at any time of the step, so nothing passes through anything else,
/// however fast it is.
#pragma once
#include "fracas/medial_mesh.h"
#include "fracas/pose.h"

typedef struct fracas_medial_shape fracas_medial_shape;
typedef struct fracas_medial_bodies fracas_medial_bodies;

/// What becomes of cones and slabs of which some spheres add nothing to the hull.
typedef enum fracas_medial_degenerate {
    /// They are replaced by one or two smaller ones with the same union.
    FRACAS_MEDIAL_DEGENERATE_EXACT = 0,
    /// As published, for comparison: a slab without two tangent planes becomes the cone of its two
    /// largest spheres. Parts of the shape may be lost.
    FRACAS_MEDIAL_DEGENERATE_PUBLISHED = 1
} fracas_medial_degenerate;

/// Start from fracas_medial_shape_default_options(); a NULL pointer means exactly that.
typedef struct fracas_medial_shape_options {
    uint32_t struct_size;
    fracas_medial_degenerate degenerate;
    /// Added to every radius, at least 0. With fracas_medial_mesh_info.inflation, and the default
    /// of `degenerate`, the shape contains the surface that the medial mesh was made from: where
    /// two such bodies have no contact, their surfaces do not touch, either. (One may be inside the
    /// other only if the shape has a void, as slabs may leave inside a solid.) Default: 0.
    double inflation;
    /// The point that moves linearly during a step: the centre of mass, in the frame of the mesh.
    /// Default: not a number, which stands for the centre of a sphere around the mesh.
    double centre[3];
} fracas_medial_shape_options;

FRACAS_API fracas_medial_shape_options fracas_medial_shape_default_options(void);

/// Size of a shape. A primitive is a sphere, cone or slab that is in no other one.
typedef struct fracas_medial_shape_info {
    uint32_t spheres, cones, slabs;
    /// Cones and slabs of the mesh that were degenerate, and edges that were dropped because they
    /// belong to a triangle.
    uint32_t degenerate, dropped;
    double centre[3];
    /// Of a sphere around the centre that contains the shape.
    double radius;
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_medial_shape_info;

/// Prepare a shape that any number of bodies may have. The mesh is not needed afterwards.
///
/// On any error `*out` is NULL.
/// @return FRACAS_ERROR_BAD_DATA for a mesh without a sphere, or with coordinates or radii beyond
/// 1e36; FRACAS_ERROR_INVALID_ARGUMENT for an option out of range.
FRACAS_API fracas_status fracas_medial_shape_create(fracas_context* context,
                                                    const fracas_medial_mesh* mesh,
                                                    const fracas_medial_shape_options* options,
                                                    fracas_medial_shape** out);

/// A shape of triangles, edges and points without thickness, for scenery.
/// @return as above, or as fracas_mesh_validate.
FRACAS_API fracas_status fracas_medial_shape_create_from_surface(
    fracas_context* context, const fracas_mesh_view* surface,
    const fracas_medial_shape_options* options, fracas_medial_shape** out);

/// NULL is allowed. All bodies of the shape must have been removed or destroyed before.
FRACAS_API void fracas_medial_shape_destroy(fracas_medial_shape* shape);
FRACAS_API fracas_status fracas_medial_shape_get_info(const fracas_medial_shape* shape,
                                                      fracas_medial_shape_info* out);

// ---- bodies

typedef struct fracas_medial_body {
    uint32_t index, generation;
} fracas_medial_body;

FRACAS_API fracas_status fracas_medial_bodies_create(fracas_context* context,
                                                     fracas_medial_bodies** out);
/// NULL is allowed. Shapes are not destroyed.
FRACAS_API void fracas_medial_bodies_destroy(fracas_medial_bodies* bodies);

/// Add a body of a shape of the same context, at the identity.
FRACAS_API fracas_status fracas_medial_bodies_add(fracas_medial_bodies* bodies,
                                                  const fracas_medial_shape* shape,
                                                  fracas_medial_body* out);
/// @return FRACAS_ERROR_STALE_HANDLE when there is no such body, as for all functions below.
FRACAS_API fracas_status fracas_medial_bodies_remove(fracas_medial_bodies* bodies,
                                                     fracas_medial_body body);

/// Move a body during the next step from one pose to another. The shape's centre moves along a
/// straight line, the orientation by the shorter way about one axis, both at even speed (the
/// angular velocity changes by up to 17 % for a turn of 90 degrees). NULL as `end`: the body rests
/// at `start`.
/// @return FRACAS_ERROR_BAD_DATA when a number is not finite, a translation is larger than 1e36, or
/// a matrix is not a rotation, up to 1e-6.
FRACAS_API fracas_status fracas_medial_bodies_set_motion(fracas_medial_bodies* bodies,
                                                         fracas_medial_body body,
                                                         const fracas_pose* start,
                                                         const fracas_pose* end);

/// Bodies that never move: no contacts between two of them. Default: false.
FRACAS_API fracas_status fracas_medial_bodies_set_fixed(fracas_medial_bodies* bodies,
                                                        fracas_medial_body body, bool fixed);

// ---- contacts

typedef enum fracas_medial_selection {
    /// All pairs of primitives that touch during the step.
    FRACAS_MEDIAL_SELECTION_ALL = 0,
    /// Of each pair of bodies the contact that comes first.
    FRACAS_MEDIAL_SELECTION_FIRST = 1
} fracas_medial_selection;

/// How pairs of bodies are found. Contacts are the same.
typedef enum fracas_medial_broad_phase {
    /// Sorted boxes around the paths, then spheres that move at the same time.
    FRACAS_MEDIAL_BROAD_PHASE_SWEEP = 0,
    /// As published: all pairs, by the cones that the spheres around them sweep.
    FRACAS_MEDIAL_BROAD_PHASE_CONES = 1,
    /// None: all pairs of primitives of all pairs of bodies.
    FRACAS_MEDIAL_BROAD_PHASE_NONE = 2
} fracas_medial_broad_phase;

/// Start from fracas_medial_bodies_default_query(); a NULL pointer means exactly that.
typedef struct fracas_medial_query {
    uint32_t struct_size;
    fracas_medial_selection selection;
    fracas_medial_broad_phase broad_phase;
    /// Primitives that come this near count as touching, as a part of the smaller radius of the two
    /// bodies; positive. Times of contacts are before the true ones by as much as the primitives
    /// need for that way. Default: 1e-4.
    double tolerance;
} fracas_medial_query;

FRACAS_API fracas_medial_query fracas_medial_bodies_default_query(void);

/// Two primitives that touch during the step.
typedef struct fracas_medial_contact {
    fracas_medial_body a, b;
    /// Edges of the medial mesh by their numbers, then its triangles, then its spheres. A contact
    /// of a part of a degenerate slab has the number of the slab.
    uint32_t primitive_a, primitive_b;
    /// From 0 to 1. The primitives are apart before it.
    double time;
    /// At that time; negative if they overlap when the step begins.
    double gap;
    /// In the world, at that time. The normal is the unit vector along which `a` leaves `b`.
    double position[3], normal[3];
    /// Zero; reserved for later versions.
    uint64_t reserved[2];
} fracas_medial_contact;

/// Work of one query.
typedef struct fracas_medial_statistics {
    uint64_t contacts;
    /// Pairs of bodies, after the broad phase; and of their primitives.
    uint64_t pairs, primitive_pairs;
    /// Pairs of nodes of trees that were tested; pairs of primitives of which the exact motion was.
    uint64_t node_tests, primitive_tests;
    double ms_broad, ms_total;
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_medial_statistics;

/// Called on the calling thread, in the order of (a, b) by index, the smaller index first; then of
/// primitive_a and primitive_b. Return false to stop.
typedef bool fracas_medial_contact_fn(const fracas_medial_contact* contact, void* user);

typedef struct fracas_medial_sink {
    /// NULL: count only.
    fracas_medial_contact_fn* report;
    void* user;
    /// NULL: not wanted.
    fracas_medial_statistics* statistics;
} fracas_medial_sink;

/// Find all contacts during the step. They are the same for any number of threads.
/// @return FRACAS_ERROR_INVALID_ARGUMENT, FRACAS_ERROR_OUT_OF_MEMORY, or FRACAS_ERROR_CANCELLED.
FRACAS_API fracas_status fracas_medial_bodies_detect(const fracas_medial_bodies* bodies,
                                                     const fracas_medial_query* query,
                                                     const fracas_medial_sink* sink);
