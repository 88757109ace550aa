/// @file intersections.h  Where discrete contacts are: points, segments and polygons, the curves
/// that segments form, and places.
#pragma once
#include "fracas/elementary.h"
#include "fracas/scene.h"

/// The intersection of the two triangles of a contact of kind TT, or of the edge and the triangle
/// of ET, at t = 1. The scene must not have been edited since the query.
/// @return FRACAS_ERROR_INVALID_ARGUMENT for a contact of another kind, or as
/// fracas_scene_get_triangle.
FRACAS_API fracas_status fracas_scene_find_intersection(const fracas_scene* scene,
                                                        const fracas_contact* contact,
                                                        fracas_intersection* out);

/// The intersections of a list of contacts.
typedef struct fracas_intersections fracas_intersections;

/// Pointers are valid until the object is destroyed.
typedef struct fracas_intersections_view {
    /// By contact; empty for contacts of other kinds than TT and ET.
    const fracas_intersection* data;
    /// By contact: the number of its place, from 0 on in the order of the contacts; FRACAS_NONE for
    /// other kinds. Contacts are in one place when their intersections have corners in common.
    const uint32_t* places;
    size_t count;
    uint32_t place_count;
    /// Segments with common ends form curves, which end where three or more meet. Curve c has the
    /// points from curve_offsets[c] to curve_offsets[c + 1]; of a closed one the last is the first.
    uint32_t curve_count;
    const uint32_t* curve_offsets;
    const double (*curve_points)[3];
    /// By curve.
    const uint32_t* curve_places;
} fracas_intersections_view;

/// Find the intersections of contacts that a query of the scene has reported, on all workers. The
/// scene must not have been edited since. On any error `*out` is NULL.
FRACAS_API fracas_status fracas_intersections_create(const fracas_scene* scene,
                                                     const fracas_contact* contacts, size_t count,
                                                     fracas_intersections** out);
/// NULL is allowed.
FRACAS_API void fracas_intersections_destroy(fracas_intersections* intersections);
/// All zero for NULL.
FRACAS_API fracas_intersections_view
fracas_intersections_get_view(const fracas_intersections* intersections);

/// A body inside another: parts (connected components) of `inner` are inside the closed parts of
/// `outer`, without a contact between the part and `outer`.
typedef struct fracas_inside {
    fracas_body inner, outer;
    uint32_t vertex;  ///< of inner, inside outer: the smallest number
    uint32_t parts;   ///< how many parts of inner are inside
} fracas_inside;

/// @return false to stop
typedef bool fracas_inside_fn(const fracas_inside* inside, void* user);

/// Find the bodies inside others at t = 1. `contacts` are all discrete contacts that a query of the
/// scene has found; others are ignored. Parts are inside where their winding number is not zero, so
/// a cavity whose surface faces into it is outside. A part is closed when each edge is passed as
/// often in both directions. Pairs are in the order of their bodies; the groups and masks of bodies
/// count as in queries. The cost is that of reading the scene once, and of a ray for each part that
/// may be inside a body.
FRACAS_API fracas_status fracas_scene_find_inside(const fracas_scene* scene,
                                                  const fracas_contact* contacts, size_t count,
                                                  fracas_inside_fn* report, void* user);
