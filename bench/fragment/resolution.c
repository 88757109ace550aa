/// @file resolution.c  What finer surfaces and finer insides cost: section 7.2 and Fig. 11 of
/// Glondu et al.
#include "fragment/kit.h"
#include "rigid/rigid_models.h"
#include <math.h>

enum { RUNS = 5, STEPS = 300 };

// As in the paper: 2.5 K triangles and 4 K points inside; a finer surface; a coarser inside.
typedef struct resolution {
    const char* name;
    bench_layer layers[7];  // radii in metres
    uint32_t layer_count;
    double update_ms, query_ms, most_query_ms;  // published
} resolution;

static const resolution resolutions[] = {
    {.name = "reference",
     .layers = {{12, 0.1}, {12, 0.09}, {12, 0.08}, {6, 0.065}, {6, 0.05}, {6, 0.035}, {3, 0.02}},
     .layer_count = 7,
     .update_ms = 1.54,
     .query_ms = 1.16,
     .most_query_ms = 3.27},
    {.name = "finer surface",
     .layers = {{24, 0.1}, {12, 0.09}, {12, 0.08}, {6, 0.065}, {6, 0.05}, {6, 0.035}, {3, 0.02}},
     .layer_count = 7,
     .update_ms = 1.8,
     .query_ms = 1.37,
     .most_query_ms = 4.17},
    {.name = "coarser inside",
     .layers = {{12, 0.1}, {6, 0.08}, {3, 0.045}},
     .layer_count = 3,
     .update_ms = 0.46,
     .query_ms = 0.68,
     .most_query_ms = 2.26},
};

typedef struct outcome {
    double update_ms[RUNS], query_ms, most_query_ms, contacts;
    uint32_t parts;
} outcome;

// The queries of the steps after the fracture, made again: time of the processor.
static double time_query(const bench_settings* settings, const rigid_world* world) {
    fracas_fragment_statistics statistics;
    const fracas_fragment_sink sink = {.statistics = &statistics};
    const double start = bench_thread_ms();
    bench_need(settings, fracas_fragments_detect(rigid_fragments(world), NULL, &sink), "query");
    return bench_thread_ms() - start;
}

// False: a check failed.
static bool drop(const bench_settings* settings, const fracas_solid* ball, int number,
                 outcome* out) {
    rigid_options options = rigid_default_options();
    options.context = settings->context;
    options.strength = 1;
    options.pieces = 8;
    rigid_run run = {0};
    static const double up[3] = {0, 0, 1};
    bench_need(settings, rigid_create(&options, &run.world), "world");
    bench_need(settings, rigid_add_ground(&run, settings->context, 2, false), "ground");
    const rigid_placement placement = {
        .solid = ball, .pose = rigid_pose(0, 0, 0.15, up, 0), .velocity = {0.3, 0, -3}
    };
    bench_need(settings, rigid_add(run.world, &placement), "ball");
    uint32_t queries = 0;
    for (int i = 0; i < STEPS; i++) {
        rigid_step_info step;
        bench_need(settings, rigid_step(run.world, &step), "step");
        if (step.broken) out->update_ms[number] = step.ms_update;
        if (number > 0 || step.broken || step.bodies == 1) continue;
        const double ms = time_query(settings, run.world);
        out->query_ms += ms;
        out->most_query_ms = fmax(out->most_query_ms, ms);
        out->contacts += (double)step.found.contacts;
        queries++;
    }
    bool same = true;
    if (number == 0) {
        out->query_ms /= queries ? queries : 1;
        out->contacts /= queries ? queries : 1;
        out->parts = rigid_count(run.world) - 1;
        same = bench_check_all(settings, rigid_fragments(run.world));
    }
    rigid_destroy(run.world);
    for (uint32_t i = 0; i < run.solid_count; i++) fracas_solid_destroy(run.solids[i]);
    return same;
}

bool bench_resolution(const bench_settings* settings) {
    printf("resolution: a ball falls to the ground and breaks into about 8 parts; milliseconds of "
           "fracas_fragments_fracture,\nmedian of %d runs, wall clock; of the queries of the next "
           "steps, of %d, mean and largest, time of the processor;\ncontacts, mean. Published "
           "(section 7.2): the same ball, other cracks.\n",
           RUNS, STEPS);
    for (size_t i = 0; i < sizeof resolutions / sizeof *resolutions; i++) {
        const resolution* r = &resolutions[i];
        fracas_solid* ball = bench_make_layered_ball(settings, r->layers, r->layer_count);
        fracas_solid_info info;
        bench_need(settings, fracas_solid_get_info(ball, &info), "ball");
        printf("\n  %s: %u surface triangles, %u points inside, %u tetrahedra\n", r->name,
               info.surface_triangles, info.nodes - info.surface_triangles / 2 - 2, info.tets);
        outcome o = {0};
        bool same = true;
        for (int run = 0; run < RUNS && same; run++) same = drop(settings, ball, run, &o);
        fracas_solid_destroy(ball);
        if (!same) return false;
        printf("  %-10s %9s %9s %9s %9s %6s\n", "", "fracture", "query", "largest", "contacts",
               "parts");
        printf("  %-10s %9.2f %9.2f %9.2f %9.0f %6u\n", "here", bench_median(o.update_ms, RUNS),
               o.query_ms, o.most_query_ms, o.contacts, o.parts);
        printf("  %-10s %9.2f %9.2f %9.2f\n", "published", r->update_ms, r->query_ms,
               r->most_query_ms);
    }
    return true;
}
