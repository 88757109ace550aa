/// @file rigid_look.h  What is drawn of the worlds of rigid bodies: their surfaces and contacts,
/// for reports and for `fracas play`.
#pragma once
#include "frame_mesh.h"

/// The world after a step; valid until the next look.
typedef struct cli_world_look {
    cli_frame_mesh* mesh;
    const cli_contact* contacts;  ///< sorted
    size_t count;
} cli_world_look;

/// A point where a rigid body meets another one. It is listed with the nearest vertex of `a`, or of
/// `b` if `a` is fixed: triangles of the ground are too large to be marked.
cli_contact cli_point_contact(const cli_frame_mesh* mesh, uint32_t a, uint32_t b, bool fixed_a,
                              const double point[3], const double normal[3]);

/// Zero-initialised: nothing has been drawn yet. Surfaces are kept from look to look.
typedef struct cli_rigid_look {
    struct cli_rigid_skin* skins;  // by index of the fragment
    uint32_t skin_capacity;
    cli_frame_mesh mesh;
    cli_contact* contacts;
} cli_rigid_look;

struct rigid_world;
cli_world_look cli_rigid_look_take(cli_rigid_look* look, const struct rigid_world* world);
void cli_rigid_look_release(cli_rigid_look* look);

typedef struct cli_medial_look {
    struct cli_medial_skin* skins;  // by model
    uint32_t skin_count;
    cli_frame_mesh mesh;
    cli_contact* contacts;
} cli_medial_look;

struct medial_world;
cli_world_look cli_medial_look_take(cli_medial_look* look, const struct medial_world* world);
void cli_medial_look_release(cli_medial_look* look);
