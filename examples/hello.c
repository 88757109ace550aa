/// @file hello.c  The first example: two tetrahedra, one falls onto the other.
#include <fracas/fracas.h>
#include <stdio.h>
#include <stdlib.h>

static const double ground_points[] = {-4, -4, 0, 4, -4, 0, 0, 4, 0, 0, 0, -4};
static const double stone_t0[] = {0, 0, 1, 1, 0, 3, -1, 1, 3, -1, -1, 3};
static const double stone_t1[] = {0, 0, -1, 1, 0, 1, -1, 1, 1, -1, -1, 1};
static const uint32_t faces[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};

static bool print(const fracas_contact* c, void* user) {
    (void)user;
    if (c->kind == FRACAS_CONTACT_VF)
        printf("vertex %u of body %u meets face %u of body %u at t = %.6f\n", c->a[0],
               c->body_a.index, c->b[0], c->body_b.index, c->toi);
    return true;  // false would stop the reports
}

static void check(fracas_status status) {
    if (status == FRACAS_OK) return;
    fprintf(stderr, "%s\n", fracas_status_get_name(status));
    exit(1);
}

int main(void) {
    fracas_mesh_view ground = {.triangles = faces, .triangle_count = 4}, stone = ground;
    ground.points = (fracas_points){.data = ground_points, .count = 4};
    stone.points = (fracas_points){.data = stone_t0, .count = 4};
    fracas_points stone_end = {.data = stone_t1, .count = 4};
    fracas_context* context;
    fracas_scene* scene;
    fracas_body a, b;
    check(fracas_context_create(NULL, &context));
    check(fracas_scene_create(context, NULL, &scene));
    check(fracas_scene_add(scene, &ground, NULL, &a));
    check(fracas_scene_add(scene, &stone, NULL, &b));
    check(fracas_scene_move(scene, b, &stone_end));  // where the step ends
    check(fracas_scene_update(scene));
    check(fracas_scene_detect(scene, NULL, &(fracas_sink){.report = print}));
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
    return 0;
}
