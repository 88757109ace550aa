/// @file medial.c  A bone of two spheres and a cone flies through a thin wall within one step: the
/// contact is found, with its time.
#include "example.h"
#include <fracas/fracas.h>

static const fracas_medial_sphere spheres[] = {
    {{-0.1, 0, 0}, 0.02},
    {{0.1, 0, 0},  0.02}
};
static const uint32_t cones[] = {0, 1};
static const double wall_points[] = {5, -1, -1, 5, 1, -1, 5, 1, 1, 5, -1, 1};
static const uint32_t wall_triangles[] = {0, 1, 2, 0, 2, 3};

static bool print(const fracas_medial_contact* c, void* user) {
    ++*(int*)user;
    printf("body %u meets body %u after %.4f of the step at (%.2f, %.2f, %.2f)\n", c->a.index,
           c->b.index, c->time, c->position[0], c->position[1], c->position[2]);
    return true;  // false would stop the reports
}

int main(void) {
    const fracas_medial_view bone = {
        .spheres = spheres, .edges = cones, .sphere_count = 2, .edge_count = 1};
    const fracas_mesh_view wall = {
        .points = {.data = wall_points, .count = 4},
        .triangles = wall_triangles,
        .triangle_count = 2
    };
    fracas_medial_query query = fracas_medial_bodies_default_query();
    query.selection = FRACAS_MEDIAL_SELECTION_FIRST;
    fracas_context* context;
    fracas_medial_mesh* mesh;
    fracas_medial_shape *flyer, *scenery;
    fracas_medial_bodies* bodies;
    fracas_medial_body a, b;
    int found = 0;
    const fracas_medial_sink sink = {.report = print, .user = &found};
    TRY(fracas_context_create(NULL, &context));
    TRY(fracas_medial_mesh_create_from(context, &bone, &mesh));  // or _read, or _create
    TRY(fracas_medial_shape_create(context, mesh, NULL, &flyer));
    TRY(fracas_medial_shape_create_from_surface(context, &wall, NULL, &scenery));
    TRY(fracas_medial_bodies_create(context, &bodies));
    TRY(fracas_medial_bodies_add(bodies, flyer, &a));
    TRY(fracas_medial_bodies_add(bodies, scenery, &b));
    TRY(fracas_medial_bodies_set_fixed(bodies, b, true));
    const fracas_pose start = fracas_pose_make_identity();
    fracas_pose end = start;
    end.translation[0] = 10;  // 1,000 m/s in a step of 10 ms
    TRY(fracas_medial_bodies_set_motion(bodies, a, &start, &end));
    TRY(fracas_medial_bodies_detect(bodies, &query, &sink));
    EXPECT(found == 1);
    fracas_medial_bodies_destroy(bodies);
    fracas_medial_shape_destroy(flyer);
    fracas_medial_shape_destroy(scenery);
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
    return 0;
}
