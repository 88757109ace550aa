/// @file bowl.c  How many contacts are enough? A plate falls into a bowl: Fig. 16 of Glondu et al.
///
/// Drops are independent of each other, so processes share them. Not threads: ODE has one state of
/// random numbers. It begins anew in each world, so the processes do not change the results.
#include "fragment/kit.h"
#include "rigid/rigid_models.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 240, REST = STEPS / 4, DROPS = 10, FULL_DROPS = 10000, MOST_PROCESSES = 256 };

typedef struct fixture {
    const bench_settings* settings;
    fracas_solid *bowl, *plate;
    double size;  // radius of the plate
    uint32_t drops, processes;
} fixture;

// Of all points of both bodies inside the other one, as parts of the radius of the plate. Of one
// drop; or of all: the means of their means.
typedef struct penetration {
    double mean, most, rest_mean, rest_most;  // mean over the steps of the deepest point
    double contacts, visited;                 // means of a step
    double speed;                             // mean at rest
    double asleep;                            // part of the steps
    double lost;                              // left the bowl
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
    for (int i = 0; i < 8; i++) kit_uniform(&random, 0, 1);
    rigid_world* world;
    static const double up[3] = {0, 0, 1};
    bench_need(f->settings, rigid_create(options, &world), "world");
    rigid_placement bowl = {.solid = f->bowl, .pose = rigid_pose(0, 0, 0, up, 0), .fixed = true};
    bench_need(f->settings, rigid_add(world, &bowl), "bowl");
    double axis[3];
    for (int k = 0; k < 3; k++) axis[k] = kit_uniform(&random, -1, 1);
    rigid_placement plate = {.solid = f->plate, .unbreakable = true};
    plate.pose = rigid_pose(0, 0, -0.05, axis, kit_uniform(&random, -3, 3));
    for (int k = 0; k < 3; k++) {
        plate.velocity[k] = kit_uniform(&random, -1, 1) - (k == 2);
        plate.spin[k] = kit_uniform(&random, -8, 8);
    }
    bench_need(f->settings, rigid_add(world, &plate), "plate");
    return world;
}

static penetration drop_one(const fixture* f, const rigid_options* options, uint32_t drop) {
    penetration p = {0};
    rigid_world* world = make_world(f, options, drop);
    rigid_step_info step = {.fastest = 1};
    double deepest = 0;
    for (int i = 0; i < STEPS; i++) {
        // Speed 0: ODE has put the plate to sleep. All later steps are the same as this one.
        if (step.fastest > 0) {
            bench_need(f->settings, rigid_step(world, &step), "step");
            // The poses are still those of the step's query.
            deepest = bench_find_all(f->settings, rigid_fragments(world)).deepest / f->size;
        } else {
            p.asleep += 1.0 / STEPS;
        }
        p.mean += deepest / STEPS;
        p.most = fmax(p.most, deepest);
        p.contacts += (double)step.found.contacts / STEPS;
        p.visited += (double)step.found.visited / STEPS;
        if (i < STEPS - REST) continue;
        p.rest_mean += deepest / REST;
        p.rest_most = fmax(p.rest_most, deepest);
        p.speed += step.fastest / REST;
    }
    fracas_pose pose;
    rigid_get(world, 1, &pose);
    p.lost = pose.translation[2] > 0 || pose.translation[2] < -0.3;
    rigid_destroy(world);
    return p;
}

// Every processes-th drop. Returns the end of a pipe with their results.
static FILE* start(const fixture* f, const rigid_options* options, uint32_t process, pid_t* child) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0 || (*child = fork()) < 0) bench_memory(NULL);
    if (*child > 0) {
        close(ends[1]);
        return bench_memory(fdopen(ends[0], "rb"));
    }
    close(ends[0]);
    FILE* out = bench_memory(fdopen(ends[1], "wb"));
    for (uint32_t drop = process; drop < f->drops; drop += f->processes) {
        const penetration p = drop_one(f, options, drop);
        fwrite(&p, sizeof p, 1, out);
    }
    _exit(fclose(out) == 0 ? 0 : 4);
}

// In the order of the drops, so sums do not depend on the number of processes.
static penetration drop_all(const fixture* f, const rigid_options* options) {
    penetration all = {0};
    FILE* results[MOST_PROCESSES];
    pid_t children[MOST_PROCESSES];
    for (uint32_t i = 0; i < f->processes; i++) results[i] = start(f, options, i, &children[i]);
    for (uint32_t drop = 0; drop < f->drops; drop++) {
        penetration p;
        if (fread(&p, sizeof p, 1, results[drop % f->processes]) != 1) {
            fprintf(stderr, "bowl: drop %u failed\n", drop);
            exit(4);
        }
        all.mean += p.mean / f->drops;
        all.most = fmax(all.most, p.most);
        all.rest_mean += p.rest_mean / f->drops;
        all.rest_most = fmax(all.rest_most, p.rest_most);
        all.contacts += p.contacts / f->drops;
        all.visited += p.visited / f->drops;
        all.speed += p.speed / f->drops;
        all.asleep += p.asleep / f->drops;
        all.lost += p.lost;
    }
    for (uint32_t i = 0; i < f->processes; i++) {
        fclose(results[i]);
        waitpid(children[i], NULL, 0);
    }
    return all;
}

static void measure(const fixture* f, uint32_t contacts) {
    rigid_options options = rigid_default_options();
    char name[16] = "adaptive";
    options.context = f->settings->context;
    if (contacts) {
        options.query.selection = FRACAS_CONTACT_SELECTION_FIXED;
        options.query.contact_count = contacts;
        snprintf(name, sizeof name, "%u", contacts);
    }
    const penetration p = drop_all(f, &options);
    printf("  %-9s %9.3f %9.3f %9.3f %9.3f %9.1f %9.0f %9.1f %8.0f %5.0f\n", name, 100 * p.mean,
           100 * p.most, 100 * p.rest_mean, 100 * p.rest_most, p.contacts, p.visited, 1e3 * p.speed,
           100 * p.asleep, p.lost);
    fflush(stdout);
}

static uint32_t choose_processes(const bench_settings* settings, uint32_t drops) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t processes = settings->processes;
    if (processes == 0) processes = processors > 0 ? (uint32_t)processors : 1;
    if (processes > drops) processes = drops;
    return processes < MOST_PROCESSES ? processes : MOST_PROCESSES;
}

bool bench_bowl(const bench_settings* settings) {
    static const uint32_t counts[] = {2, 4, 6, 8, 10, 15, 20, 30, 40, 50, 0};
    fixture f = {.settings = settings, .drops = settings->drops};
    if (f.drops == 0) f.drops = settings->full ? FULL_DROPS : DROPS;
    f.processes = choose_processes(settings, f.drops);
    printf("bowl: a plate falls into a bowl with random orientation, velocity and spin, %u times "
           "for each\nnumber of contacts (of each pair and direction, fixed; last: adaptive, 8), "
           "%d steps of 5 ms; published:\n10 000 times. Depth of the deepest of all points, in "
           "percent of the radius of the plate: over all steps,\nand at rest, in the last %d. "
           "Published (Fig. 16): a steep fall from 2 to 8 contacts, little after.\nmm/s: the mean "
           "speed at rest; asleep: percent of the steps after ODE has put the plate to sleep.\n",
           f.drops, STEPS, REST);
    make_solids(&f);
    printf("  %-9s %9s %9s %9s %9s %9s %9s %9s %8s %5s\n", "contacts", "mean", "largest",
           "rest mean", "largest", "reported", "visited", "mm/s", "asleep %", "lost");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) measure(&f, counts[i]);
    fracas_solid_destroy(f.plate);
    fracas_solid_destroy(f.bowl);
    return true;
}
