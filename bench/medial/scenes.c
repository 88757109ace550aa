/// @file scenes.c  The published scenes: medial primitives beside trees of boxes and of spheres
/// (Fig. 10 of Li et al.), and the broad phases (Figs. 7 and 8).
#include "hash.h"
#include "medial/baselines.h"
#include "medial/kit.h"
#include "medial/medial_scenes.h"
#include <math.h>
#include <stdio.h>

enum { METHODS = 5 };

static const char* const names[METHODS] = {"medial primitives", "boxes", "spheres",
                                           "cones, all primitives", "no broad phase"};

typedef struct totals {
    bench_work work[METHODS];
    double most[METHODS];
    uint32_t steps[METHODS];
    double bodies, all_pairs;
} totals;

static bool add_hash(const fracas_medial_contact* c, void* user) {
    uint64_t* hash = user;
    *hash = bench_hash_two(*hash, c->a.index, c->b.index);
    *hash = bench_hash_two(*hash, c->primitive_a, c->primitive_b);
    *hash = bench_hash_double(*hash, c->time);
    *hash = bench_hash_double(*hash, c->gap);
    for (int k = 0; k < 3; k++) {
        *hash = bench_hash_double(*hash, c->position[k]);
        *hash = bench_hash_double(*hash, c->normal[k]);
    }
    return true;
}

// Work and hash of the contacts of one broad phase.
static bench_work find(const bench_settings* settings, const fracas_medial_bodies* bodies,
                       fracas_medial_broad_phase broad, uint64_t* hash) {
    fracas_medial_statistics s = {0};
    fracas_medial_query query = fracas_medial_bodies_default_query();
    query.broad_phase = broad;
    *hash = BENCH_HASH_START;
    const double begin = bench_now_ms();
    bench_need(
        settings,
        fracas_medial_bodies_detect(bodies, &query, &(fracas_medial_sink){add_hash, hash, &s}),
        "contacts");
    return (bench_work){s.node_tests, s.primitive_tests, s.contacts, bench_now_ms() - begin};
}

static void add(totals* t, int method, bench_work w) {
    t->work[method].node_tests += w.node_tests;
    t->work[method].leaf_tests += w.leaf_tests;
    t->work[method].contacts += w.contacts;
    t->work[method].ms += w.ms;
    t->most[method] = fmax(t->most[method], w.ms);
    t->steps[method]++;
}

// All pairs of primitives of bodies that are not both fixed.
static double count_pairs(const fracas_medial_bodies* bodies) {
    double sum = 0;
    for (uint32_t i = 0; i < bodies->list.count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const frc_medial_body *a = &bodies->list.data[i], *b = &bodies->list.data[j];
            if (!a->fixed || !b->fixed)
                sum += (double)a->shape->primitive_count * b->shape->primitive_count;
        }
    return sum;
}

static void print(const medial_scene* scene, const totals* t) {
    printf("%s: %.0f bodies, %.0f primitive pairs, %u steps; means of a step\n", scene->name,
           t->bodies, t->all_pairs, t->steps[0]);
    printf("  %-22s %8s %8s %9s %10s %10s %9s\n", "method", "ms", "most", "ratio", "nodes",
           "leaves", "contacts");
    const double own = t->work[0].ms / t->steps[0];
    for (int m = 0; m < METHODS; m++) {
        const bench_work* w = &t->work[m];
        const double n = t->steps[m];
        printf("  %-22s %8.3f %8.2f %9.2f %10.0f %10.0f %9.1f\n", names[m], w->ms / n, t->most[m],
               w->ms / n / own, (double)w->node_tests / n, (double)w->leaf_tests / n,
               (double)w->contacts / n);
    }
}

// The methods see the motions of the same steps. Slow ones only some of them.
static bool run(const bench_settings* settings, const medial_scene* scene) {
    enum { SOME = 40 };
    medial_options options = medial_default_options();
    options.context = settings->context;
    options.step = scene->step;
    const medial_setup setup = {0};
    medial_world* world;
    totals t = {0};
    bench_need(settings, medial_scene_create(scene, &options, &setup, &world), scene->name);
    const fracas_medial_bodies* bodies = medial_bodies(world);
    bench_balls balls = bench_balls_make(bodies);
    t.bodies = (double)bodies->list.count;
    t.all_pairs = count_pairs(bodies);
    bool same = true;
    for (uint32_t i = 0; i < scene->steps && same; i++) {
        medial_step_info info;
        uint64_t hash, other;
        bench_need(settings, medial_step(world, &info), scene->name);
        add(&t, 0, find(settings, bodies, FRACAS_MEDIAL_BROAD_PHASE_SWEEP, &hash));
        if (!settings->full && i % 4) continue;
        add(&t, 1, bench_boxes(bodies, &options.query));
        add(&t, 2, bench_balls_find(&balls, bodies, &options.query));
        if (i % SOME != SOME / 2) continue;
        add(&t, 3, find(settings, bodies, FRACAS_MEDIAL_BROAD_PHASE_CONES, &other));
        same = same && hash == other;
        add(&t, 4, find(settings, bodies, FRACAS_MEDIAL_BROAD_PHASE_NONE, &other));
        same = same && hash == other;
    }
    bench_balls_free(&balls);
    medial_destroy(world);
    if (same)
        print(scene, &t);
    else
        printf("%s: contacts of the broad phases DIFFER\n", scene->name);
    return same;
}

bool bench_scenes(const bench_settings* settings) {
    size_t count;
    const medial_scene* const* scenes = medial_scenes_list(&count);
    printf("scenes: published on a GPU, ms: rods 6.48 (boxes 16.76, spheres 27.76), fast-flyer "
           "10.42 (27.81, 41.75),\ntori 1.67 (6.15, 8.84). The hashes of contacts are the same for "
           "all broad phases. Leaves of boxes: intervals of time.\n");
    bool passed = true;
    for (size_t i = 0; i < count; i++) passed = run(settings, scenes[i]) && passed;
    return passed;
}
