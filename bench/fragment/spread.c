/// @file spread.c  How evenly are few contacts distributed? Broken blocks on the ground: Fig. 6 of
/// Glondu et al.
#include "fragment/kit.h"
#include <math.h>
#include <string.h>

enum { BLOCKS = 12, FULL_BLOCKS = 100, CELLS = 16, SITES = 6, MOST = 64, LEAST = 40, COUNTS = 6 };

static const uint32_t counts[COUNTS] = {4, 6, 8, 12, 16, 32};

typedef struct method {
    const char* name;
    fracas_tree_update trees;
    fracas_contact_order order;
} method;

static const method methods[] = {
    {"nearest, max distance (default)",                 FRACAS_TREE_UPDATE_NEAREST,
     FRACAS_CONTACT_ORDER_MAX_DISTANCE                                                                                },
    {"nearest, breadth first",                          FRACAS_TREE_UPDATE_NEAREST, FRACAS_CONTACT_ORDER_BREADTH_FIRST},
    {"first child, max distance",                       FRACAS_TREE_UPDATE_FIRST,   FRACAS_CONTACT_ORDER_MAX_DISTANCE },
    {"first child, breadth first (the earlier method)", FRACAS_TREE_UPDATE_FIRST,
     FRACAS_CONTACT_ORDER_BREADTH_FIRST                                                                               },
    {"new trees, max distance",                         FRACAS_TREE_UPDATE_REBUILD, FRACAS_CONTACT_ORDER_MAX_DISTANCE },
};
enum { METHODS = sizeof methods / sizeof *methods };

// Contacts of one fragment in the ground.
typedef struct list {
    fracas_fragment fragment;
    double (*at)[3];
    uint32_t count, capacity;
} list;

static bool keep(const fracas_fragment_contact* contact, void* user) {
    list* l = user;
    if (contact->a.index != l->fragment.index) return true;
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 64;
        l->at = bench_memory(realloc(l->at, l->capacity * sizeof *l->at));
    }
    memcpy(l->at[l->count++], contact->position, sizeof *l->at);
    return true;
}

static double square_distance(const double a[3], const double b[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

// The largest distance of any contact from the nearest selected one.
static double find_gap(const list* all, const list* selected) {
    double most = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        double nearest = INFINITY;
        for (uint32_t j = 0; j < selected->count; j++)
            nearest = fmin(nearest, square_distance(all->at[i], selected->at[j]));
        most = fmax(most, nearest);
    }
    return sqrt(most);
}

// Half the diagonal of the box of all contacts.
static double find_radius(const list* all) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < all->count; i++)
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(lo[k], all->at[i][k]);
            hi[k] = fmax(hi[k], all->at[i][k]);
        }
    return 0.5 * sqrt(square_distance(lo, hi));
}

typedef struct block {
    fracas_fragments* fragments;
    fracas_fragment parts[MOST];
    uint32_t count;
} block;

// A block that was broken where it stands on the ground, a little deep in it.
static block make_block(const bench_settings* settings, const fracas_solid* solid,
                        const fracas_solid* ground, fracas_tree_update trees, uint64_t seed) {
    block b = {0};
    fracas_fragment whole, floor;
    fracas_fragments_options options = fracas_fragments_default_options();
    options.tree_update = trees;
    bench_need(settings, fracas_fragments_create(settings->context, &options, &b.fragments),
               "fragments");
    bench_need(settings, fracas_fragments_add(b.fragments, ground, &floor), "ground");
    bench_need(settings, fracas_fragments_add(b.fragments, solid, &whole), "block");
    const fracas_pose pose = {
        .rotation = {1,  0, 0, 0, 1, 0, 0, 0, 1},
          .translation = {-0.5, -0.5, -0.01}
    };
    bench_need(settings, fracas_fragments_set_pose(b.fragments, whole, &pose), "pose");
    fracas_fracture_pattern* pattern =
        bench_memory(bench_make_cells(settings, b.fragments, whole, SITES, &seed));
    const fracas_fracture plan = fracas_fracture_pattern_get(pattern);
    b.count = plan.part_count;
    if (b.count > MOST) bench_memory(NULL);
    bench_need(settings, fracas_fragments_fracture(b.fragments, whole, &plan, b.parts), "fracture");
    fracas_fracture_pattern_destroy(pattern);
    // No contacts between parts.
    for (uint32_t i = 0; i < b.count; i++)
        bench_need(settings, fracas_fragments_set_fixed(b.fragments, b.parts[i], true), "part");
    return b;
}

typedef struct outcome {
    double gaps[COUNTS];  // sums
    uint32_t fragments;
    uint64_t contacts;
} outcome;

static void query(const bench_settings* settings, const block* b,
                  const fracas_fragment_query* options, list* out) {
    out->count = 0;
    const fracas_fragment_sink sink = {.report = keep, .user = out};
    bench_need(settings, fracas_fragments_detect(b->fragments, options, &sink), "query");
}

static void measure(const bench_settings* settings, const block* b, const method* how,
                    outcome* out) {
    list all = {0}, selected = {0};
    fracas_fragment_query options = fracas_fragments_default_query();
    options.order = how->order;
    for (uint32_t i = 0; i < b->count; i++) {
        all.fragment = selected.fragment = b->parts[i];
        options.selection = FRACAS_CONTACT_SELECTION_ALL;
        query(settings, b, &options, &all);
        if (all.count < LEAST) continue;
        out->fragments++;
        out->contacts += all.count;
        options.selection = FRACAS_CONTACT_SELECTION_FIXED;
        for (int c = 0; c < COUNTS; c++) {
            options.contact_count = counts[c];
            query(settings, b, &options, &selected);
            out->gaps[c] += find_gap(&all, &selected) / find_radius(&all);
        }
    }
    free(all.at);
    free(selected.at);
}

bool bench_spread(const bench_settings* settings) {
    const uint32_t blocks = settings->full ? FULL_BLOCKS : BLOCKS;
    static const double profile[][2] = {
        {0, -0.5},
        {1, -0.5},
        {1, 0   },
        {0, 0   }
    };
    printf(
        "spread: %u blocks, broken into up to %d parts each, stand in the ground. Of the fragments "
        "with at least %d\npoints in the ground: the largest distance of such a point from the "
        "nearest one of the first contacts, in percent\nof the radius of all, mean. Published "
        "(Fig. 6, a picture): the contacts of the earlier method are less evenly\ndistributed.\n",
        blocks, SITES, LEAST);
    fracas_solid* solid = bench_make_lattice(settings, CELLS, BENCH_BOX);
    fracas_solid* ground = bench_make_turned(settings, profile, 4, 16);
    outcome outcomes[METHODS] = {0};
    bool same = true;
    for (uint32_t i = 0; i < blocks && same; i++)
        for (int m = 0; m < METHODS && same; m++) {
            const block b = make_block(settings, solid, ground, methods[m].trees, 1000 + i);
            measure(settings, &b, &methods[m], &outcomes[m]);
            fracas_fragments_destroy(b.fragments);
            same = outcomes[m].contacts == outcomes[0].contacts;
        }
    if (same) {
        printf("  %u fragments, %.0f points each\n  %-49s", outcomes[0].fragments,
               (double)outcomes[0].contacts / outcomes[0].fragments, "trees, order; contacts:");
        for (int c = 0; c < COUNTS; c++) printf(" %5u", counts[c]);
        printf("\n");
        for (int m = 0; m < METHODS; m++) {
            printf("  %-49s", methods[m].name);
            for (int c = 0; c < COUNTS; c++)
                printf(" %5.0f", 100 * outcomes[m].gaps[c] / outcomes[m].fragments);
            printf("\n");
        }
    } else {
        printf("  FAILED: other contacts\n");
    }
    fracas_solid_destroy(ground);
    fracas_solid_destroy(solid);
    return same;
}
