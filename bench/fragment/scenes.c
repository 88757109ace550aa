/// @file scenes.c  The published scenes: Tables 1 to 3, Fig. 17 of Glondu et al.
#include "fragment/kit.h"
#include "rigid/rigid_scenes.h"
#include "rigid/summary.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EVERY = 10, AFTER = 5 };

// Zero: not published.
typedef struct published {
    const char* scene;
    double before, after, fragments, contacts, most_contacts, colliding, most_colliding;
    double detect_ms, detect_most_ms, solve_ms, update_most_ms;
} published;

static const published papers[] = {
    {"bricks",              15036,  41060,  104, 575, 1055, 2014, 4726,  5.6,  12.8, 1,    1.05},
    {"drop-bunnies",        137403, 430072, 166, 866, 2393, 8382, 29782, 18,   58,   1.3,  4.4 },
    {"interactive-bunnies", 39724,  44064,  15,  88,  198,  0,    0,     1.24, 2,    0.26, 1   },
    {"piggy-bank",          9734,   18889,  27,  151, 914,  574,  7281,  1.63, 11,   0.14, 1.2 },
    {"plates",              26268,  45040,  44,  331, 567,  0,    0,     5.8,  9.6,  0.36, 0.7 },
    {"rolling-plate",       5392,   5392,   1,   0,   6,    0,    128,   0,    0,    0,    0   },
};

typedef struct outcome {
    rigid_summary summary;
    uint64_t before, after;  // triangles
    double colliding, solve_ms;
    uint64_t most_colliding;
    double deepest;              // of all points, in the last tenth of the steps
    double cpu_ms, most_cpu_ms;  // of the step's query made again, time of the processor
    fracas_solid_info solids[4];
    uint32_t solid_count;
} outcome;

static uint64_t count_triangles(const bench_settings* settings, const rigid_world* world) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < rigid_count(world); i++) {
        fracas_pose pose;
        fracas_fragment_surface* surface;
        bench_need(settings,
                   fracas_fragment_surface_create(rigid_fragments(world),
                                                  rigid_get(world, i, &pose), &surface),
                   "surface");
        count += fracas_fragment_surface_get_view(surface).triangle_count;
        fracas_fragment_surface_destroy(surface);
    }
    return count;
}

// The query of the step once more: other processes do not disturb the time of the processor.
static double time_query(const bench_settings* settings, const rigid_run* run,
                         const fracas_fragment_query* query) {
    fracas_fragment_statistics statistics;
    const fracas_fragment_sink sink = {.statistics = &statistics};
    const double start = bench_thread_ms();
    bench_need(settings, fracas_fragments_detect(rigid_fragments(run->world), query, &sink),
               "query");
    return bench_thread_ms() - start;
}

static void run_steps(const bench_settings* settings, const rigid_scene* scene, rigid_run* run,
                      const fracas_fragment_query* query, rigid_step_info* steps, outcome* out) {
    const uint32_t last = scene->steps - (scene->steps + 9) / 10;
    uint32_t queries = 0, since = AFTER;  // steps since a fracture
    for (uint32_t i = 0; i < scene->steps; i++) {
        bench_need(settings, rigid_run_step(scene, run, &steps[i]), scene->name);
        out->solve_ms += steps[i].ms_solve / scene->steps;
        // The poses are still those of the step's query. The parts of a body that has just broken
        // touch everywhere.
        since = steps[i].broken ? 0 : since + 1;
        if (steps[i].broken || (i % EVERY && since > AFTER && i < last)) continue;
        const bench_contacts all = bench_find_all(settings, rigid_fragments(run->world));
        const double ms = time_query(settings, run, query);
        if (i >= last) out->deepest = fmax(out->deepest, all.deepest);
        out->most_cpu_ms = fmax(out->most_cpu_ms, ms);
        if (all.count > out->most_colliding) out->most_colliding = all.count;
        if (i % EVERY) continue;
        out->cpu_ms += ms;
        out->colliding += (double)all.count;
        queries++;
    }
    if (queries == 0) return;
    out->colliding /= queries;
    out->cpu_ms /= queries;
}

// False: the contacts at the end are not those of the oracle.
static bool run_scene(const bench_settings* settings, const rigid_scene* scene,
                      const rigid_options* options, outcome* out) {
    *out = (outcome){0};
    char message[200] = "";
    const rigid_setup setup = {.message = message, .message_size = sizeof message};
    rigid_run* run;
    bench_need(settings, rigid_run_create(scene, options, &setup, &run), scene->name);
    rigid_step_info* steps = bench_memory(calloc(scene->steps, sizeof *steps));
    double* ms = bench_memory(malloc(scene->steps * sizeof *ms));
    out->before = count_triangles(settings, run->world);
    run_steps(settings, scene, run, &options->query, steps, out);
    out->after = count_triangles(settings, run->world);
    out->summary = rigid_summarise(steps, scene->steps, ms);
    out->solid_count = run->solid_count;
    for (uint32_t i = 0; i < run->solid_count; i++)
        bench_need(settings, fracas_solid_get_info(run->solids[i], &out->solids[i]), "solid");
    const bool same = bench_check_all(settings, rigid_fragments(run->world));
    free(ms);
    free(steps);
    rigid_run_destroy(run);
    return same;
}

// ---- Tables 1 to 3

// Ours, published, the ratio.
static void print_row(const char* words, double ours, double theirs, int digits) {
    printf("    %-36s %9.*f", words, digits, ours);
    if (theirs > 0) printf(" %9.*f %9.2f", digits, theirs, ours / theirs);
    printf("\n");
}

static const published* find_paper(const char* scene) {
    static const published none = {0};
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        if (strcmp(papers[i].scene, scene) == 0) return &papers[i];
    return &none;
}

static void print_scene(const rigid_scene* scene, const outcome* o) {
    const published* p = find_paper(scene->name);
    const rigid_summary* s = &o->summary;
    for (uint32_t i = 0; i < o->solid_count; i++)
        printf("  solid of %u triangles, %u tetrahedra, %u points\n",
               o->solids[i].surface_triangles, o->solids[i].tets, o->solids[i].nodes);
    printf("  %-38s %9s %9s %9s\n", "", "here", "published", "ratio");
    print_row("triangles before", (double)o->before, p->before, 0);
    print_row("triangles after", (double)o->after, p->after, 0);
    print_row("fragments", s->last_bodies, p->fragments, 0);
    print_row("contacts, mean", s->contacts, p->contacts, 0);
    print_row("contacts, largest", (double)s->most_contacts, p->most_contacts, 0);
    print_row("colliding points, mean", o->colliding, p->colliding, 0);
    print_row("colliding points, largest", (double)o->most_colliding, p->most_colliding, 0);
    print_row("detection ms, mean", s->mean_ms, p->detect_ms, 2);
    print_row("detection ms, median", s->median_ms, 0, 2);
    print_row("detection ms, largest", s->most_ms, p->detect_most_ms, 2);
    print_row("the same, processor's time, mean", o->cpu_ms, p->detect_ms, 2);
    print_row("the same, processor's time, largest", o->most_cpu_ms, p->detect_most_ms, 2);
    print_row("worst step / median step", s->most_ms / s->median_ms, 0, 1);
    print_row("dynamics ms, mean (ODE, Havok)", o->solve_ms, p->solve_ms, 2);
    print_row("update of a fracture ms, largest", s->fracture_most_ms, p->update_most_ms, 2);
    print_row("deepest reported at rest, mm", 1e3 * s->deepest, 0, 2);
    print_row("deepest of all points at rest, mm", 1e3 * o->deepest, 0, 2);
    print_row("growth of energy in a step, %", 100 * s->growth, 0, 3);
    fflush(stdout);
}

// ---- Fig. 17

typedef struct variant {
    const char* name;
    fracas_contact_selection selection;
    fracas_contact_order order;
    fracas_tree_update trees;
} variant;

static const variant variants[] = {
    {"default: adaptive, max distance", FRACAS_CONTACT_SELECTION_ADAPTIVE,
     FRACAS_CONTACT_ORDER_MAX_DISTANCE,                                                                        FRACAS_TREE_UPDATE_NEAREST},
    {"fixed: 8 contacts",               FRACAS_CONTACT_SELECTION_FIXED,    FRACAS_CONTACT_ORDER_MAX_DISTANCE,
     FRACAS_TREE_UPDATE_NEAREST                                                                                                          },
    {"all contacts",                    FRACAS_CONTACT_SELECTION_ALL,      FRACAS_CONTACT_ORDER_MAX_DISTANCE,
     FRACAS_TREE_UPDATE_NEAREST                                                                                                          },
    {"breadth first",                   FRACAS_CONTACT_SELECTION_ADAPTIVE, FRACAS_CONTACT_ORDER_BREADTH_FIRST,
     FRACAS_TREE_UPDATE_NEAREST                                                                                                          },
    {"trees: first child",              FRACAS_CONTACT_SELECTION_ADAPTIVE, FRACAS_CONTACT_ORDER_MAX_DISTANCE,
     FRACAS_TREE_UPDATE_FIRST                                                                                                            },
    {"both: the earlier method",        FRACAS_CONTACT_SELECTION_ADAPTIVE,
     FRACAS_CONTACT_ORDER_BREADTH_FIRST,                                                                       FRACAS_TREE_UPDATE_FIRST  },
};

// False: a check failed.
static bool compare_variants(const bench_settings* settings, const rigid_scene* scene) {
    enum { COUNT = sizeof variants / sizeof *variants };
    outcome outcomes[COUNT];
    printf("\n  %s, again\n", scene->name);
    for (int i = 0; i < COUNT; i++) {
        rigid_options options = rigid_scene_options(scene, settings->context);
        options.query.selection = variants[i].selection;
        options.query.order = variants[i].order;
        options.fragments.tree_update = variants[i].trees;
        if (!run_scene(settings, scene, &options, &outcomes[i])) return false;
    }
    printf("\n  %s: selection, order and trees; the simulations differ. Published means for\n"
           "  drop-bunnies: 866 contacts (2 393 at most), earlier method 1 235 (3 245), fixed 755 "
           "(1 974).\n  %-33s %9s %9s %9s %9s %9s %9s %8s %9s\n",
           scene->name, "", "fragments", "contacts", "largest", "cpu mean", "ms median", "ms worst",
           "rest mm", "all mm");
    for (int i = 0; i < COUNT; i++) {
        const rigid_summary* s = &outcomes[i].summary;
        printf("  %-33s %9u %9.0f %9llu %9.2f %9.2f %9.2f %8.2f %9.2f\n", variants[i].name,
               s->last_bodies, s->contacts, (unsigned long long)s->most_contacts,
               outcomes[i].cpu_ms, s->median_ms, s->most_ms, 1e3 * s->deepest,
               1e3 * outcomes[i].deepest);
    }
    return true;
}

bool bench_scenes(const bench_settings* settings) {
    size_t count;
    const rigid_scene* const* scenes = rigid_scenes_list(&count);
    printf(
        "scenes: Tables 1 to 3 of Glondu et al. (one core of an i7-2600, 3.4 GHz, Havok). "
        "Times are of the wall\nclock. Colliding points: all contacts, of every %dth step without "
        "a fracture; the largest also\nof %d steps after each fracture. Depths at rest are in "
        "the last tenth of the steps. Published solids (triangles, tetrahedra,\npoints): brick "
        "468, 594, "
        "224; bunny 7940, 18767, 5089; piggy bank 9722, 20807, 5870; plate 5392, 8617,\n2711; "
        "shelf "
        "4652, 10200, 2989.\n",
        EVERY, AFTER);
    for (size_t i = 0; i < count; i++) {
        const rigid_options options = rigid_scene_options(scenes[i], settings->context);
        outcome o;
        printf("\n  %s\n", scenes[i]->name);
        if (!run_scene(settings, scenes[i], &options, &o)) return false;
        print_scene(scenes[i], &o);
    }
    return compare_variants(settings, rigid_scenes_find("bricks")) &&
           (!settings->full || compare_variants(settings, rigid_scenes_find("drop-bunnies")));
}
