/// @file bowl.c  How many contacts are enough? A plate falls into a bowl: Fig. 16 of Glondu et al.
#include "fragment/kit.h"
#include "rigid/rigid_models.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 240, REST = STEPS / 4, DROPS = 40, FULL_DROPS = 10000 };

typedef struct fixture {
    const bench_settings* settings;
    fracas_solid *bowl, *plate;
    double size;  // radius of the plate
} fixture;

// Of all points of both bodies inside the other one, as parts of the radius of the plate.
typedef struct penetration {
    double mean, most, rest_mean, rest_most;  // mean over the steps of the deepest point
    double contacts, visited;                 // means of a step
    double speed;                             // mean at rest
    uint32_t lost;                            // drops that left the bowl
} penetration;

static void make_solids(fixture* f) {
    // A hemisphere of radius 0.25 in a bowl 0.05 thick; a dish.
    enum { ARC = 10 };
    double bowl[2 * ARC + 2][2];
    for (int i = 0; i <= ARC; i++) {
        const double angle = acos(0) * i / ARC, c = cos(angle), s = sin(angle);
        bowl[i][0] = 0.3 * s, bowl[i][1] = -0.3 * c;
        bowl[2 * ARC + 1 - i][0] = 0.25 * s, bowl[2 * ARC + 1 - i][1] = -0.25 * c;
    }
    bowl[0][0] = bowl[2 * ARC + 1][0] = 0;
    static const double plate[][2] = {
        {0,    0    },
        {0.07, 0    },
        {0.1,  0.02 },
        {0.1,  0.032},
        {0.07, 0.014},
        {0,    0.014}
    };
    f->bowl = bench_make_turned(f->settings, (const double(*)[2])bowl, 2 * ARC + 2, 36);
    f->plate = bench_make_turned(f->settings, plate, sizeof plate / sizeof *plate, 26);
    fracas_solid_info info;
    bench_need(f->settings, fracas_solid_get_info(f->plate, &info), "plate");
    f->size = info.radius;
    printf("  bowl: radius 250 mm, %u tetrahedra", fracas_solid_get_tets(f->bowl).tet_count);
    printf("; plate: radius %.0f mm, %u tetrahedra, %u surface triangles\n", 1e3 * f->size,
           info.tets, info.surface_triangles);
}

// The world of a drop; the same for every number of contacts.
static rigid_world* make_world(const fixture* f, const rigid_options* options, uint32_t drop) {
    uint64_t random = 0x9e3779b97f4a7c15u * (drop + 1);
    for (int i = 0; i < 8; i++) bench_random(&random, 0, 1);
    rigid_world* world;
    static const double up[3] = {0, 0, 1};
    bench_need(f->settings, rigid_create(options, &world), "world");
    rigid_placement bowl = {.solid = f->bowl, .pose = rigid_pose(0, 0, 0, up, 0), .fixed = true};
    bench_need(f->settings, rigid_add(world, &bowl), "bowl");
    double axis[3];
    for (int k = 0; k < 3; k++) axis[k] = bench_random(&random, -1, 1);
    rigid_placement plate = {.solid = f->plate, .unbreakable = true};
    plate.pose = rigid_pose(0, 0, -0.05, axis, bench_random(&random, -3, 3));
    for (int k = 0; k < 3; k++) {
        plate.velocity[k] = bench_random(&random, -1, 1) - (k == 2);
        plate.spin[k] = bench_random(&random, -8, 8);
    }
    bench_need(f->settings, rigid_add(world, &plate), "plate");
    return world;
}

static void drop_one(const fixture* f, const rigid_options* options, uint32_t drop, uint32_t drops,
                     penetration* p) {
    rigid_world* world = make_world(f, options, drop);
    const double steps = (double)STEPS * drops, rest = (double)REST * drops;
    for (int i = 0; i < STEPS; i++) {
        rigid_step_info step;
        bench_need(f->settings, rigid_step(world, &step), "step");
        // The poses are still those of the step's query.
        const double deepest =
            bench_find_all(f->settings, rigid_fragments(world)).deepest / f->size;
        p->mean += deepest / steps;
        p->most = fmax(p->most, deepest);
        if (i >= STEPS - REST) {
            p->rest_mean += deepest / rest;
            p->speed += step.fastest / rest;
            p->rest_most = fmax(p->rest_most, deepest);
        }
        p->contacts += (double)step.found.contacts / steps;
        p->visited += (double)step.found.visited / steps;
    }
    fracas_pose pose;
    rigid_get(world, 1, &pose);
    p->lost += pose.translation[2] > 0 || pose.translation[2] < -0.3;
    rigid_destroy(world);
}

static void measure(const fixture* f, uint32_t contacts, uint32_t drops) {
    rigid_options options = rigid_default_options();
    char name[16] = "adaptive";
    options.context = f->settings->context;
    if (contacts) {
        options.query.selection = FRACAS_CONTACT_SELECTION_FIXED;
        options.query.contact_count = contacts;
        snprintf(name, sizeof name, "%u", contacts);
    }
    penetration p = {0};
    for (uint32_t drop = 0; drop < drops; drop++) drop_one(f, &options, drop, drops, &p);
    printf("  %-9s %9.3f %9.3f %9.3f %9.3f %9.1f %9.0f %9.1f %5u\n", name, 100 * p.mean,
           100 * p.most, 100 * p.rest_mean, 100 * p.rest_most, p.contacts, p.visited, 1e3 * p.speed,
           p.lost);
    fflush(stdout);
}

bool bench_bowl(const bench_settings* settings) {
    static const uint32_t counts[] = {2, 4, 6, 8, 10, 15, 20, 30, 40, 50, 0};
    const uint32_t drops = settings->full ? FULL_DROPS : DROPS;
    fixture f = {.settings = settings};
    printf(
        "bowl: a plate falls into a bowl with random orientation, velocity and spin, %u times "
        "for each\nnumber of contacts (of each pair and direction, fixed; last: adaptive, 8), "
        "%d steps of 5 ms; published:\n10 000 times. Depth of the deepest of all points, in "
        "percent of the radius of the plate: over all steps,\nand at rest, in the last %d. "
        "Published (Fig. 16): a steep fall from 2 to 8 contacts, little after.\nmm/s: the mean "
        "speed at rest; 0: ODE has put the plate to sleep. Takes about 100 s, --full about 7 h.\n",
        drops, STEPS, REST);
    make_solids(&f);
    printf("  %-9s %9s %9s %9s %9s %9s %9s %9s %5s\n", "contacts", "mean", "largest", "rest mean",
           "largest", "reported", "visited", "mm/s", "lost");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) measure(&f, counts[i], drops);
    fracas_solid_destroy(f.plate);
    fracas_solid_destroy(f.bowl);
    return true;
}
