/// @file volumes.c  Tetrahedral bodies: which vertices are inside which tetrahedra, and how deep.
#include "example.h"
#include <fracas/fracas.h>

static const double block_points[] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 4, 4, 4};
static const uint32_t block_tets[] = {0, 1, 2, 3, 1, 2, 3, 4};
static const double needle_apart[] = {1, 1, 9, 1, 0.9, 12, 1.1, 1, 12, 0.9, 1, 12};
static const double needle_within[] = {1, 1, 0.5, 1, 0.9, 6, 1.1, 1, 6, 0.9, 1, 6};
static const uint32_t needle_tets[] = {0, 1, 2, 3};

static bool print(const fracas_penetration* p, void* user) {
    ++*(int*)user;
    printf("vertex %u of body %u is in tetrahedron %u of body %u, %.3f deep\n", p->vertex,
           p->vertex_body.index, p->tet, p->tet_body.index, p->depth);
    return true;  // false would stop the reports
}

int main(void) {
    fracas_tet_view block = {.tets = block_tets, .tet_count = 2};
    fracas_tet_view needle = {.tets = needle_tets, .tet_count = 1};
    block.points = (fracas_points){.data = block_points, .count = 5};
    needle.points = (fracas_points){.data = needle_apart, .count = 4};
    fracas_points within = {.data = needle_within, .count = 4};
    fracas_tets_options options = fracas_tets_default_options();
    fracas_tets_query query = fracas_tets_default_query();
    options.depth = query.depth = true;
    fracas_context* context;
    fracas_tets* tets;
    fracas_body a, b;
    int found = 0;
    const fracas_tets_sink sink = {.report = print, .user = &found};
    TRY(fracas_context_create(NULL, &context));
    TRY(fracas_tets_create(context, &options, &tets));
    TRY(fracas_tets_add(tets, &block, &a));
    TRY(fracas_tets_add(tets, &needle, &b));
    TRY(fracas_tets_update(tets));
    TRY(fracas_tets_detect(tets, &query, &sink));
    EXPECT(found == 0);
    TRY(fracas_tets_move(tets, b, &within));  // in every step of a simulation
    TRY(fracas_tets_update(tets));
    TRY(fracas_tets_detect(tets, &query, &sink));
    EXPECT(found == 1);
    fracas_tets_destroy(tets);
    fracas_context_destroy(context);
    return 0;
}
