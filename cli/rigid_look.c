/// @file rigid_look.c  What is drawn of a world of rigid bodies that break: their surfaces and
/// contacts.
#include "rigid_look.h"
#include "options.h"
#include "rigid/world.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The surface of a fragment, which does not change while it lives.
typedef struct cli_rigid_skin {
    fracas_fragment fragment;
    fracas_fragment_surface* surface;
} skin;

void cli_rigid_look_release(cli_rigid_look* r) {
    for (uint32_t i = 0; i < r->skin_capacity; i++)
        fracas_fragment_surface_destroy(r->skins[i].surface);
    cli_frame_mesh_free(&r->mesh);
    free(r->skins);
    free(r->contacts);
    *r = (cli_rigid_look){0};
}

static const fracas_fragment_surface* find_skin(cli_rigid_look* r, const rigid_world* world,
                                                fracas_fragment fragment) {
    if (fragment.index >= r->skin_capacity) {
        const uint32_t before = r->skin_capacity;
        r->skin_capacity = 2 * fragment.index + 64;
        r->skins = cli_grow(r->skins, r->skin_capacity, sizeof *r->skins);
        memset(r->skins + before, 0, (r->skin_capacity - before) * sizeof *r->skins);
    }
    skin* s = &r->skins[fragment.index];
    if (s->surface && s->fragment.generation == fragment.generation) return s->surface;
    fracas_fragment_surface_destroy(s->surface);
    *s = (skin){.fragment = fragment};
    if (fracas_fragment_surface_create(rigid_fragments(world), fragment, &s->surface) != FRACAS_OK)
        s->surface = NULL;
    return s->surface;
}

static double height(const fracas_pose* pose, const double point[3]) {
    const double* r = pose->rotation;
    return r[6] * point[0] + r[7] * point[1] + r[8] * point[2] + pose->translation[2];
}

// Walls around the scene would hide it.
static bool is_wall(const fracas_mesh_view* view, const fracas_pose* pose) {
    const double(*points)[3] = view->points.data;
    double low = INFINITY, high = -INFINITY;
    for (uint32_t p = 0; p < view->points.count; p++) {
        low = fmin(low, height(pose, points[p]));
        high = fmax(high, height(pose, points[p]));
    }
    return high - low > 0.9 && high > 0.9;
}

// The ground is a thick box below z = 0: draw its upper side, or what is between walls.
static void add_ground(cli_frame_mesh* mesh, const fracas_mesh_view* view, const fracas_pose* pose,
                       bool between_walls) {
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    const double(*points)[3] = view->points.data;
    double half = 0;
    for (uint32_t p = 0; p < view->points.count; p++) half = fmax(half, fabs(points[p][0]));
    if (between_walls) half /= 2;
    const double z = -pose->translation[2];
    const double corners[4][3] = {
        {-half, -half, z},
        {half,  -half, z},
        {half,  half,  z},
        {-half, half,  z}
    };
    const fracas_mesh_view square = {
        .points = {.data = corners, .count = 4},
          .triangles = triangles, .triangle_count = 2
    };
    cli_frame_mesh_add_surface(mesh, &square, pose);
}

static fracas_mesh_view surface_of(cli_rigid_look* r, const rigid_world* world, uint32_t body,
                                   fracas_pose* pose) {
    const fracas_fragment_surface* s = find_skin(r, world, rigid_get(world, body, pose));
    return s ? fracas_fragment_surface_get_view(s) : (fracas_mesh_view){0};
}

static void add_bodies(cli_rigid_look* r, const rigid_world* world) {
    const fracas_mesh_view nothing = {0};
    bool between_walls = false;
    fracas_pose pose;
    for (uint32_t i = 0; i < rigid_count(world); i++) {
        if (!rigid_is_fixed(world, i)) continue;
        const fracas_mesh_view view = surface_of(r, world, i, &pose);
        between_walls |= is_wall(&view, &pose);
    }
    cli_frame_mesh_clear(&r->mesh);
    for (uint32_t i = 0; i < rigid_count(world); i++) {
        const fracas_mesh_view view = surface_of(r, world, i, &pose);
        const bool fixed = rigid_is_fixed(world, i), wall = fixed && is_wall(&view, &pose);
        if (fixed && !wall && pose.translation[2] < 0)
            add_ground(&r->mesh, &view, &pose, between_walls);
        else
            cli_frame_mesh_add_surface(&r->mesh, wall ? &nothing : &view, &pose);
    }
}

cli_world_look cli_rigid_look_take(cli_rigid_look* r, const rigid_world* world) {
    add_bodies(r, world);
    size_t count = 0;
    r->contacts = cli_grow(r->contacts, rigid_contact_count(world) + 1, sizeof *r->contacts);
    for (size_t i = 0; i < rigid_contact_count(world); i++) {
        fracas_fragment_contact from;
        uint32_t a, b;
        if (!rigid_get_contact(world, i, &from, &a, &b)) continue;
        cli_contact* c = &r->contacts[count++];
        const bool fixed = rigid_is_fixed(world, a);
        *c = cli_point_contact(&r->mesh, a, b, fixed, from.position, from.normal);
        c->deep = !fixed;
        c->depth = from.depth;
    }
    cli_contacts_sort(r->contacts, count);
    return (cli_world_look){.mesh = &r->mesh, .contacts = r->contacts, .count = count};
}
