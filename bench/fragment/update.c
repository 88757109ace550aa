/// @file update.c  How long a fracture takes, and what queries cost after it: Fig. 15 of Glondu et
/// al.
#include "fragment/kit.h"
#include <math.h>
#include <stdio.h>

enum { PARTS = 8, RUNS = 9, QUERIES = 11, POSES = 3 };

typedef struct method {
    const char* name;
    fracas_field_update field;
    fracas_tree_update tree;
} method;

static const method methods[] = {
    {"closest point, nearest (default)", FRACAS_FIELD_UPDATE_CLOSEST_POINT,
     FRACAS_TREE_UPDATE_NEAREST                                                                       },
    {"closest point, first",             FRACAS_FIELD_UPDATE_CLOSEST_POINT, FRACAS_TREE_UPDATE_FIRST  },
    {"closest point, new trees",         FRACAS_FIELD_UPDATE_CLOSEST_POINT, FRACAS_TREE_UPDATE_REBUILD},
    {"visit once, nearest (published)",  FRACAS_FIELD_UPDATE_VISIT_ONCE,    FRACAS_TREE_UPDATE_NEAREST},
    {"literal, nearest",                 FRACAS_FIELD_UPDATE_LITERAL,       FRACAS_TREE_UPDATE_NEAREST},
    {"exact, nearest",                   FRACAS_FIELD_UPDATE_EXACT,         FRACAS_TREE_UPDATE_NEAREST},
    {"exact, new trees",                 FRACAS_FIELD_UPDATE_EXACT,         FRACAS_TREE_UPDATE_REBUILD},
};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct broken {
    fracas_fragments* fragments;
    fracas_fragment parts[64];
    uint32_t count;
    double ms;  // of the fracture
} broken;

static broken fracture(const bench_settings* settings, const fracas_solid* solid,
                       const method* how) {
    broken b = {0};
    uint64_t random = 12345;
    fracas_fragment whole;
    fracas_fragments_options options = fracas_fragments_default_options();
    options.field_update = how->field;
    options.tree_update = how->tree;
    bench_need(settings, fracas_fragments_create(settings->context, &options, &b.fragments),
               "fragments");
    bench_need(settings, fracas_fragments_add(b.fragments, solid, &whole), "fragment");
    fracas_fracture_pattern* pattern =
        bench_memory(bench_make_cells(settings, b.fragments, whole, PARTS, &random));
    const fracas_fracture plan = fracas_fracture_pattern_get(pattern);
    b.count = plan.part_count;
    if (b.count > 64) bench_memory(NULL);
    const double start = bench_thread_ms();
    const fracas_status status = fracas_fragments_fracture(b.fragments, whole, &plan, b.parts);
    b.ms = bench_thread_ms() - start;
    bench_need(settings, status, "fracture");
    fracas_fracture_pattern_destroy(pattern);
    return b;
}

// Turn the parts a little and push them into each other; the same for every method.
static void place(const bench_settings* settings, const broken* b, int pose, double scale) {
    uint64_t random = 99 + (uint64_t)pose;
    for (uint32_t i = 0; i < b->count; i++) {
        fracas_fragment_info info;
        bench_need(settings, fracas_fragments_get_info(b->fragments, b->parts[i], &info), "part");
        const double angle = scale * kit_uniform(&random, -0.05, 0.05);
        const double c = cos(angle), s = sin(angle);
        const double push = scale * kit_uniform(&random, 0.01, 0.06);
        const fracas_pose at = {
            .rotation = {c,  -s, 0, s, c, 0, 0, 0, 1},
            .translation = {-push * info.centre[0], -push * info.centre[1],
                         -push * info.centre[2] }
        };
        bench_need(settings, fracas_fragments_set_pose(b->fragments, b->parts[i], &at), "pose");
    }
}

static bench_contacts contacts_of(const bench_settings* settings, const fracas_solid* solid,
                                  const method* how) {
    bench_contacts all = {0};
    const broken b = fracture(settings, solid, how);
    for (int pose = 0; pose < POSES; pose++) {
        place(settings, &b, pose, pose == 0 ? 0.05 : 1);
        const bench_contacts found = bench_find_all(settings, b.fragments);
        all.hash = all.hash * 31 + found.hash;
        all.count += found.count;
    }
    fracas_fragments_destroy(b.fragments);
    return all;
}

// The same contacts for the three kinds of trees, whatever the field.
static bool check(const bench_settings* settings, const fracas_solid* solid) {
    static const char* const fields[] = {"closest point", "visit once", "literal", "exact"};
    for (int field = 0; field < 4; field++) {
        bench_contacts found[3];
        for (int tree = 0; tree < 3; tree++) {
            const method how = {NULL, (fracas_field_update)field, (fracas_tree_update)tree};
            found[tree] = contacts_of(settings, solid, &how);
        }
        const bool same = found[0].hash == found[1].hash && found[0].hash == found[2].hash &&
                          found[0].count == found[1].count && found[0].count == found[2].count;
        printf("  contacts, %-13s  %7llu %7llu %7llu  hash %016llx  %s\n", fields[field],
               (unsigned long long)found[0].count, (unsigned long long)found[1].count,
               (unsigned long long)found[2].count, (unsigned long long)found[0].hash,
               same ? "same for all trees" : "DIFFERENT");
        if (!same) return false;
    }
    return true;
}

static double time_query(const bench_settings* settings, const broken* b,
                         fracas_fragment_statistics* found) {
    const fracas_fragment_sink sink = {.statistics = found};
    const double start = bench_thread_ms();
    bench_need(settings, fracas_fragments_detect(b->fragments, NULL, &sink), "query");
    return bench_thread_ms() - start;
}

static void measure(const bench_settings* settings, const fracas_solid* solid, const method* how) {
    double ms[RUNS], query_ms[QUERIES];
    fracas_fragment_statistics found = {0};
    const int runs = settings->full ? RUNS : RUNS / 2 + 1;
    for (int run = 0; run < runs; run++) {
        const broken b = fracture(settings, solid, how);
        ms[run] = b.ms;
        if (run == 0) {
            place(settings, &b, 0, 0.05);
            for (int i = 0; i < QUERIES; i++) query_ms[i] = time_query(settings, &b, &found);
        }
        fracas_fragments_destroy(b.fragments);
    }
    const double median = bench_median(ms, (uint32_t)runs);
    printf("  %-34s %9.2f %9.2f %9.3f %9llu %9llu %9llu\n", how->name, median, ms[runs - 1],
           bench_median(query_ms, QUERIES), (unsigned long long)found.visited,
           (unsigned long long)found.located, (unsigned long long)found.contacts);
}

bool bench_update(const bench_settings* settings) {
    static const uint32_t sizes[] = {2500, 10000, 20000, 40000};
    printf(
        "update: a ball breaks into %d Voronoi cells; milliseconds of the processor in "
        "fracas_fragments_fracture,\nand in one query with the default options after it, the parts "
        "pushed together.\n"
        "Published (Table 3): piggy bank (20 807 tetrahedra) at most 1.2 ms; the cracks were "
        "different ones.\n",
        PARTS);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fracas_solid* solid = bench_make_ball(settings, sizes[i]);
        fracas_solid_info info;
        bench_need(settings, fracas_solid_get_info(solid, &info), "solid");
        printf("\n  %u tetrahedra, %u nodes, %u surface triangles; fracas_solid_create %.0f ms\n",
               info.tets, info.nodes, info.surface_triangles, info.ms_create);
        const bool same = check(settings, solid);
        if (same) {
            printf("  %-34s %9s %9s %9s %9s %9s %9s\n", "field, trees", "median ms", "max ms",
                   "query ms", "visited", "located", "contacts");
            for (int m = 0; m < METHODS; m++) measure(settings, solid, &methods[m]);
        }
        fracas_solid_destroy(solid);
        if (!same) return false;
    }
    return true;
}
