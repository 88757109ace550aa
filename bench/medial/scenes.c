/// @file scenes.c  The published scenes: medial primitives beside trees of boxes and of spheres
/// (Fig. 10 of Li et al.), and the broad phases (Figs. 7 and 8).
#include "hash.h"
#include "medial/baselines.h"
#include "medial/kit.h"
#include "medial/medial_scenes.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { METHODS = 5 };

static const struct {
    const char *name, *title;
} methods[METHODS] = {
    {"medial",  "medial primitives"    },
    {"boxes",   "boxes"                },
    {"spheres", "spheres"              },
    {"cones",   "cones, all primitives"},
    {"none",    "no broad phase"       }
};

typedef struct totals {
    bench_work work[METHODS];
    double most[METHODS];
    uint32_t steps[METHODS];
    double bodies, all_pairs;
    bool equal;  // contacts of all broad phases
} totals;

// The work of one step; a method that did not run has no tests.
typedef struct row {
    bench_work work[METHODS];
    bool ran[METHODS];
} row;

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
    const double begin = bench_thread_ms();
    bench_need(
        settings,
        fracas_medial_bodies_detect(bodies, &query, &(fracas_medial_sink){add_hash, hash, &s}),
        "contacts");
    return (bench_work){s.node_tests, s.primitive_tests, s.contacts, s.pairs,
                        bench_thread_ms() - begin};
}

static void set(row* r, int method, bench_work w) {
    r->work[method] = w;
    r->ran[method] = true;
}

static void add(totals* t, const row* r) {
    for (int m = 0; m < METHODS; m++) {
        if (!r->ran[m]) continue;
        t->work[m].node_tests += r->work[m].node_tests;
        t->work[m].leaf_tests += r->work[m].leaf_tests;
        t->work[m].contacts += r->work[m].contacts;
        t->work[m].pairs += r->work[m].pairs;
        t->work[m].ms += r->work[m].ms;
        t->most[m] = fmax(t->most[m], r->work[m].ms);
        t->steps[m]++;
    }
}

// ---- output

// Empty where a method did not run. The broad phases have the same contacts.
static void write_csv(FILE* out, const char* scene, uint32_t step, const row* r) {
    fprintf(out, "%s,%u", scene, step);
    for (int m = 0; m < METHODS; m++)
        if (r->ran[m])
            fprintf(out, ",%.4f", r->work[m].ms);
        else
            fputc(',', out);
    for (int m = 0; m < 3; m++)
        if (r->ran[m])
            fprintf(out, ",%" PRIu64, r->work[m].contacts);
        else
            fputc(',', out);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 "\n", r->work[0].leaf_tests, r->work[0].pairs);
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
        printf("  %-22s %8.3f %8.2f %9.2f %10.0f %10.0f %9.1f\n", methods[m].title, w->ms / n,
               t->most[m], w->ms / n / own, (double)w->node_tests / n, (double)w->leaf_tests / n,
               (double)w->contacts / n);
    }
}

static void print_json(const medial_scene* scene, const totals* t) {
    printf("{\"scene\":\"%s\",\"steps\":%u,\"bodies\":%.0f,\"primitive_pairs\":%.0f,\"equal\":%s,"
           "\"methods\":[",
           scene->name, t->steps[0], t->bodies, t->all_pairs, t->equal ? "true" : "false");
    for (int m = 0; m < METHODS; m++) {
        const bench_work* w = &t->work[m];
        const double n = t->steps[m] > 0 ? t->steps[m] : 1;
        printf("%s{\"method\":\"%s\",\"steps\":%u,\"ms\":%.4f,\"most_ms\":%.4f,\"nodes\":%.1f,"
               "\"leaves\":%.1f,\"pairs\":%.2f,\"contacts\":%.2f}",
               m ? "," : "", methods[m].name, t->steps[m], w->ms / n, t->most[m],
               (double)w->node_tests / n, (double)w->leaf_tests / n, (double)w->pairs / n,
               (double)w->contacts / n);
    }
    printf("]}");
}

// ---- the run

// Slow methods run in some of the steps only.
static void measure(const bench_settings* settings, const fracas_medial_bodies* bodies,
                    bench_balls* balls, uint32_t step, row* r, bool* equal) {
    enum { SOME = 40 };
    const fracas_medial_query query = fracas_medial_bodies_default_query();
    uint64_t hash, other;
    set(r, 0, find(settings, bodies, FRACAS_MEDIAL_BROAD_PHASE_SWEEP, &hash));
    if (!settings->full && step % 4) return;
    set(r, 1, bench_boxes(bodies, &query));
    set(r, 2, bench_balls_find(balls, bodies, &query));
    if (step % SOME != SOME / 2) return;
    set(r, 3, find(settings, bodies, FRACAS_MEDIAL_BROAD_PHASE_CONES, &other));
    *equal = *equal && hash == other;
    set(r, 4, find(settings, bodies, FRACAS_MEDIAL_BROAD_PHASE_NONE, &other));
    *equal = *equal && hash == other;
}

// The methods see the motions of the same steps.
static bool run(const bench_settings* settings, const medial_scene* scene) {
    medial_options options = medial_default_options();
    options.context = settings->context;
    options.step = scene->step;
    const medial_setup setup = {0};
    medial_world* world;
    totals t = {.equal = true};
    bench_need(settings, medial_scene_create(scene, &options, &setup, &world), scene->name);
    const fracas_medial_bodies* bodies = medial_bodies(world);
    bench_balls balls = bench_balls_make(bodies);
    t.bodies = (double)bodies->list.count;
    t.all_pairs = count_pairs(bodies);
    for (uint32_t i = 0; i < scene->steps && t.equal; i++) {
        medial_step_info info;
        row r = {0};
        bench_need(settings, medial_step(world, &info), scene->name);
        measure(settings, bodies, &balls, i, &r, &t.equal);
        add(&t, &r);
        if (settings->csv) write_csv(settings->csv, scene->name, i, &r);
    }
    bench_balls_free(&balls);
    medial_destroy(world);
    if (settings->json)
        print_json(scene, &t);
    else if (t.equal)
        print(scene, &t);
    else
        printf("%s: contacts of the broad phases DIFFER\n", scene->name);
    return t.equal;
}

bool bench_scenes(const bench_settings* settings) {
    size_t count;
    const medial_scene* const* scenes = medial_scenes_list(&count);
    if (settings->scene && !medial_scenes_find(settings->scene)) {
        fprintf(stderr, "there is no scene '%s'; 'fracas scene' lists them\n", settings->scene);
        exit(2);
    }
    if (settings->json)
        printf("{\"scenes\":[");
    else
        printf("scenes: CPU time; published on a GPU, ms: rods 6.48 (boxes 16.76, spheres 27.76), "
               "fast-flyer "
               "10.42 (27.81, 41.75),\ntori 1.67 (6.15, 8.84). The hashes of contacts are the same "
               "for all broad phases. Leaves of boxes: intervals of time.\n");
    if (settings->csv)
        fprintf(settings->csv, "scene,step,medial_ms,boxes_ms,spheres_ms,cones_ms,none_ms,contacts,"
                               "boxes_contacts,spheres_contacts,tests,pairs\n");
    bool passed = true;
    const char* separator = "";
    for (size_t i = 0; i < count; i++) {
        if (settings->scene && strcmp(scenes[i]->name, settings->scene) != 0) continue;
        if (settings->json) printf("%s", separator);
        separator = ",";
        passed = run(settings, scenes[i]) && passed;
        fflush(stdout);
    }
    if (settings->json) printf("]}\n");
    return passed;
}
