/// @file play_rigid.c  Scenes of rigid bodies that break for `fracas play`: they can be dragged,
/// and balls dropped on them.
#include "play_scene.h"
#include "progress.h"
#include "rigid/rigid_scenes.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The surface of a fragment, which does not change while it lives.
typedef struct skin {
    fracas_fragment fragment;
    fracas_fragment_surface* surface;
} skin;

typedef struct rigid_play {
    fracas_context* context;
    const rigid_scene* scene;
    rigid_run* run;
    double interval;
    skin* skins;  // by index of the fragment
    uint32_t skin_capacity;
    cli_frame_mesh mesh;
    cli_contact* contacts;
    uint32_t broken, drops;
    double ms_step, ms_detect;
} rigid_play;

enum { MOST_DROPS = 40 };

static int fail(const rigid_play* r, fracas_status status, const char* text,
                char message[CLI_PLAY_MESSAGE]) {
    if (*text)
        snprintf(message, CLI_PLAY_MESSAGE, "%s", text);
    else
        fracas_context_get_message(r->context, message, CLI_PLAY_MESSAGE);
    return *text ? cli_fail(CLI_BAD_INPUT, "%s", text) : cli_fail_status(r->context, status);
}

static void destroy(void* scene) {
    rigid_play* r = scene;
    if (!r) return;
    for (uint32_t i = 0; i < r->skin_capacity; i++)
        fracas_fragment_surface_destroy(r->skins[i].surface);
    rigid_run_destroy(r->run);
    cli_interrupt_watch(NULL);
    fracas_context_destroy(r->context);
    cli_frame_mesh_free(&r->mesh);
    free(r->skins);
    free(r->contacts);
    free(r);
}

static int create(const char* name, const cli_play_settings* settings, void** out,
                  char message[CLI_PLAY_MESSAGE]) {
    rigid_play* r = cli_allocate(1, sizeof *r);
    *out = r;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = settings->threads;
    fracas_status status = fracas_context_create(&options, &r->context);
    if (status != FRACAS_OK) return cli_fail_start(status);
    cli_interrupt_watch(r->context);
    char text[CLI_PLAY_MESSAGE] = "";
    const rigid_setup setup = {
        .mesh = settings->mesh, .message = text, .message_size = sizeof text};
    r->scene = rigid_scenes_find(name);
    rigid_options world = rigid_scene_options(r->scene, r->context);
    world.most += MOST_DROPS;
    r->interval = world.step;
    status = rigid_run_create(r->scene, &world, &setup, &r->run);
    return status == FRACAS_OK ? CLI_DONE : fail(r, status, text, message);
}

static int step(void* scene, char message[CLI_PLAY_MESSAGE]) {
    rigid_play* r = scene;
    rigid_step_info info;
    const double start = cli_clock_ms();
    const fracas_status status = rigid_run_step(r->scene, r->run, &info);
    r->ms_step = cli_clock_ms() - start;
    r->ms_detect = info.ms_detect;
    r->broken += info.broken;
    return status == FRACAS_OK ? CLI_DONE : fail(r, status, "", message);
}

// ---- what is drawn

static const fracas_fragment_surface* find_skin(rigid_play* r, fracas_fragment fragment) {
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
    const fracas_fragments* fragments = rigid_fragments(r->run->world);
    if (fracas_fragment_surface_create(fragments, fragment, &s->surface) != FRACAS_OK)
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
static void add_ground(rigid_play* r, const fracas_mesh_view* view, const fracas_pose* pose,
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
    cli_frame_mesh_add_surface(&r->mesh, &square, pose);
}

static fracas_mesh_view surface_of(rigid_play* r, uint32_t body, fracas_pose* pose) {
    const fracas_fragment_surface* s = find_skin(r, rigid_get(r->run->world, body, pose));
    return s ? fracas_fragment_surface_get_view(s) : (fracas_mesh_view){0};
}

static void add_bodies(rigid_play* r) {
    const rigid_world* world = r->run->world;
    const fracas_mesh_view nothing = {0};
    bool between_walls = false;
    fracas_pose pose;
    for (uint32_t i = 0; i < rigid_count(world); i++) {
        if (!rigid_is_fixed(world, i)) continue;
        const fracas_mesh_view view = surface_of(r, i, &pose);
        between_walls |= is_wall(&view, &pose);
    }
    cli_frame_mesh_clear(&r->mesh);
    for (uint32_t i = 0; i < rigid_count(world); i++) {
        const fracas_mesh_view view = surface_of(r, i, &pose);
        const bool fixed = rigid_is_fixed(world, i), wall = fixed && is_wall(&view, &pose);
        if (fixed && !wall && pose.translation[2] < 0)
            add_ground(r, &view, &pose, between_walls);
        else
            cli_frame_mesh_add_surface(&r->mesh, wall ? &nothing : &view, &pose);
    }
}

static void look(void* scene, cli_play_look* out) {
    rigid_play* r = scene;
    const rigid_world* world = r->run->world;
    add_bodies(r);
    size_t count = 0;
    r->contacts = cli_grow(r->contacts, rigid_contact_count(world) + 1, sizeof *r->contacts);
    for (size_t i = 0; i < rigid_contact_count(world); i++) {
        fracas_fragment_contact from;
        uint32_t a, b;
        if (!rigid_get_contact(world, i, &from, &a, &b)) continue;
        cli_contact* c = &r->contacts[count++];
        const bool fixed = rigid_is_fixed(world, a);
        *c = cli_play_contact(&r->mesh, a, b, fixed, from.position, from.normal);
        c->deep = !fixed;
        c->depth = from.depth;
    }
    *out = (cli_play_look){.mesh = &r->mesh,
                           .contacts = r->contacts,
                           .count = count,
                           .bodies = rigid_count(world),
                           .broken = r->broken,
                           .ms_step = r->ms_step,
                           .ms_detect = r->ms_detect};
}

// ---- the mouse

static bool is_fixed(const void* scene, uint32_t body) {
    return rigid_is_fixed(((const rigid_play*)scene)->run->world, body);
}

static const char* grab(void* scene, uint32_t body, const double at[3]) {
    rigid_world* world = ((rigid_play*)scene)->run->world;
    if (body >= rigid_count(world)) return "there is no body of this number";
    if (rigid_is_fixed(world, body)) return "this body is fixed and cannot be dragged";
    rigid_grab(world, body, at);
    return NULL;
}

static const char* drag(void* scene, const double to[3]) {
    return rigid_drag(((rigid_play*)scene)->run->world, to)
               ? NULL
               : "nothing is being dragged: the body has broken or been released";
}

static void release(void* scene) { rigid_release(((rigid_play*)scene)->run->world); }

static const char* drop(void* scene, const double at[3]) {
    rigid_play* r = scene;
    if (r->drops == MOST_DROPS) return "40 balls have been dropped; reset removes them";
    for (int k = 0; k < 3; k++)
        if (!(fabs(at[k]) <= 4)) return "the ball would be more than 4 m from the middle";
    const double above[3] = {at[0], at[1], at[2] + 0.5};
    if (rigid_drop_ball(r->run, r->context, above) != FRACAS_OK)
        return "the ball could not be added";
    r->drops++;
    return NULL;
}

static uint32_t steps(const void* scene) {
    (void)scene;
    return 0;
}

static double interval(const void* scene) { return ((const rigid_play*)scene)->interval; }

static const char* describe(const char* name) {
    const rigid_scene* found = rigid_scenes_find(name);
    return found ? found->description : NULL;
}

static bool takes_mesh(const char* name) { return rigid_scenes_find(name)->takes_mesh; }

static const cli_play_kind kind = {.has_touch = true,
                                   .z_up = true,
                                   .create = create,
                                   .destroy = destroy,
                                   .step = step,
                                   .look = look,
                                   .steps = steps,
                                   .interval = interval,
                                   .is_fixed = is_fixed,
                                   .grab = grab,
                                   .drag = drag,
                                   .release = release,
                                   .drop = drop,
                                   .describe = describe,
                                   .takes_mesh = takes_mesh};
const cli_play_kind* const cli_play_rigid = &kind;
