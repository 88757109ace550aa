/// @file ode.c  A brick falls, breaks on the ground, and its pieces come to rest: ODE moves them,
/// Fracas finds their contacts. ode_contacts.h is all that connects the two.
#include "example.h"
#include "ode_contacts.h"
#include <fracas/fracas.h>
#include <math.h>

enum { PIECES_MAX = 16, STEPS = 600 };

typedef struct piece {
    fracas_fragment fragment;
    dBodyID body;  // NULL: the ground
    double centre[3];
} piece;

typedef struct world {
    dWorldID ode;
    dJointGroupID group;
    fracas_fragments* fragments;
    piece pieces[PIECES_MAX];
    uint32_t count;
} world;

static const uint32_t faces[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

// A solid box around the origin, filled with tetrahedra.
static fracas_solid* make_box(fracas_context* context, double x, double y, double z) {
    double points[8][3];
    for (int i = 0; i < 8; i++) {
        points[i][0] = i & 1 ? x / 2 : -x / 2;
        points[i][1] = i & 2 ? y / 2 : -y / 2;
        points[i][2] = i & 4 ? z / 2 : -z / 2;
    }
    const fracas_mesh_view surface = {
        .points = {.data = points, .count = 8},
          .triangles = faces, .triangle_count = 12
    };
    fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
    options.cells = 12;
    fracas_tet_mesh* mesh;
    fracas_solid* solid;
    TRY(fracas_tet_mesh_create(context, &surface, &options, &mesh));
    const fracas_tet_view tets = fracas_tet_mesh_get_view(mesh);
    TRY(fracas_solid_create(context, &tets, NULL, &solid));
    fracas_tet_mesh_destroy(mesh);
    return solid;
}

static void add_piece(world* w, fracas_fragment fragment, const fracas_pose* pose, bool fixed) {
    fracas_fragment_info info;
    TRY(fracas_fragments_set_pose(w->fragments, fragment, pose));
    TRY(fracas_fragments_set_fixed(w->fragments, fragment, fixed));
    TRY(fracas_fragments_get_info(w->fragments, fragment, &info));
    piece* p = &w->pieces[w->count++];
    *p = (piece){
        fragment, fixed ? NULL : ode_add_body(w->ode, &info, 1000, pose), {0, 0, 0}
    };
    for (int k = 0; k < 3; k++) p->centre[k] = info.centre[k];
}

static dBodyID body_of(const world* w, fracas_fragment fragment) {
    for (uint32_t i = 0; i < w->count; i++)
        if (w->pieces[i].fragment.index == fragment.index) return w->pieces[i].body;
    return NULL;
}

static bool add_contact(const fracas_fragment_contact* contact, void* user) {
    const world* w = user;
    ode_add_contact(w->ode, w->group, body_of(w, contact->a), body_of(w, contact->b), contact, 0.6);
    return true;
}

// One step; returns the number of contacts.
static uint64_t step(world* w) {
    fracas_fragment_statistics statistics;
    for (uint32_t i = 0; i < w->count; i++) {
        if (!w->pieces[i].body) continue;
        const fracas_pose pose = ode_get_pose(w->pieces[i].body, w->pieces[i].centre);
        TRY(fracas_fragments_set_pose(w->fragments, w->pieces[i].fragment, &pose));
    }
    TRY(fracas_fragments_detect(w->fragments, NULL,
                                &(fracas_fragment_sink){add_contact, w, &statistics}));
    dWorldQuickStep(w->ode, 0.005);
    dJointGroupEmpty(w->group);
    return statistics.contacts;
}

// Break the last piece into Voronoi cells; its parts go on with its velocity.
static void break_last(world* w) {
    static const double sites[4][3] = {
        {-0.2,  0,     0},
        {-0.05, 0.05,  0},
        {0.05,  -0.05, 0},
        {0.2,   0,     0}
    };
    const piece whole = w->pieces[--w->count];
    const fracas_pose pose = ode_get_pose(whole.body, whole.centre);
    fracas_fracture_pattern* pattern;
    TRY(fracas_fracture_pattern_create_voronoi(w->fragments, whole.fragment, sites, 4, &pattern));
    const fracas_fracture fracture = fracas_fracture_pattern_get(pattern);
    fracas_fragment parts[PIECES_MAX];
    if (w->count + fracture.part_count > PIECES_MAX) exit(1);
    TRY(fracas_fragments_fracture(w->fragments, whole.fragment, &fracture, parts));
    const dReal* velocity = dBodyGetLinearVel(whole.body);
    for (uint32_t i = 0; i < fracture.part_count; i++) {
        add_piece(w, parts[i], &pose, false);
        dBodySetLinearVel(w->pieces[w->count - 1].body, velocity[0], velocity[1], velocity[2]);
    }
    dBodyDestroy(whole.body);
    fracas_fracture_pattern_destroy(pattern);
}

int main(void) {
    fracas_context* context;
    world w = {0};
    TRY(fracas_context_create(NULL, &context));
    TRY(fracas_fragments_create(context, NULL, &w.fragments));
    dInitODE2(0);
    w.ode = dWorldCreate();
    w.group = dJointGroupCreate(0);
    dWorldSetGravity(w.ode, 0, 0, -9.81);
    dWorldSetContactMaxCorrectingVel(w.ode, 1);
    dWorldSetAutoDisableFlag(w.ode, 1);
    fracas_solid* solids[2] = {make_box(context, 4, 4, 1), make_box(context, 0.6, 0.3, 0.2)};
    for (int i = 0; i < 2; i++) {
        fracas_fragment fragment;
        fracas_pose pose = fracas_pose_make_identity();
        pose.translation[2] = i == 0 ? -0.5 : 0.5;
        TRY(fracas_fragments_add(w.fragments, solids[i], &fragment));
        add_piece(&w, fragment, &pose, i == 0);
    }
    for (int i = 0; i < STEPS; i++) {
        const uint64_t contacts = step(&w);
        if (contacts > 0 && w.count == 2) break_last(&w);
    }
    double fastest = 0;
    for (uint32_t i = 1; i < w.count; i++) {
        const dReal* v = dBodyGetLinearVel(w.pieces[i].body);
        fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    printf("%u pieces %s after %.1f s\n", w.count - 1, fastest < 0.05 ? "rest" : "still move",
           STEPS * 0.005);
    fracas_fragments_destroy(w.fragments);
    for (int i = 0; i < 2; i++) fracas_solid_destroy(solids[i]);
    dJointGroupDestroy(w.group);
    dWorldDestroy(w.ode);
    dCloseODE();
    fracas_context_destroy(context);
    return 0;
}
