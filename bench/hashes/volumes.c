// Vertices in tetrahedra, with barycentric coordinates and depths, by every method.
#include "hashes/run.h"
#include "teschner/bodies.h"
#include "teschner/methods.h"
#include <stdlib.h>

static bool mix(const fracas_penetration* p, void* user) {
    hash_run* run = user;
    run->contact_count++;
    hash_mix(run, (uint64_t)p->vertex_body.index << 32 | p->vertex);
    hash_mix(run, (uint64_t)p->tet_body.index << 32 | p->tet);
    for (int k = 0; k < 4; k++) hash_mix_double(run, p->barycentric[k]);
    for (int k = 0; k < 3; k++) hash_mix_double(run, p->direction[k]);
    hash_mix_double(run, p->depth);
    return true;
}

static void run_setup(hash_run* run, const teschner_setup* setup, teschner_method method) {
    fracas_tets* tets;
    fracas_tets_options options = fracas_tets_default_options();
    fracas_tets_query query = fracas_tets_default_query();
    options.depth = query.depth = true;
    hash_must(run,
              teschner_create(run->context, method, &options,
                              fracas_published_tets_default_options(), false, &tets),
              "creating the tetrahedra");
    fracas_body* bodies = bench_allocate(setup->body_count, sizeof *bodies);
    for (uint32_t i = 0; i < setup->body_count; i++) {
        fracas_tet_view view = teschner_view(setup, teschner_pose(setup, i, 0));
        hash_must(run, fracas_tets_add(tets, &view, &bodies[i]), "add");
    }
    for (uint32_t step = 1; step < 4; step++) {
        for (uint32_t i = 0; i < setup->body_count; i++) {
            fracas_points points = teschner_view(setup, teschner_pose(setup, i, 40 * step)).points;
            hash_must(run, fracas_tets_move(tets, bodies[i], &points), "move");
        }
        const fracas_tets_sink sink = {.report = mix, .user = run};
        hash_must(run, fracas_tets_update(tets), "update");
        hash_must(run, fracas_tets_detect(tets, &query, &sink), "detect");
    }
    free(bodies);
    fracas_tets_destroy(tets);
}

void hash_volumes(hash_run* run) {
    static const teschner_method methods[] = {TESCHNER_METHOD_SORTED_CELLS,
                                              TESCHNER_METHOD_HASH_TABLE, TESCHNER_METHOD_BVH,
                                              TESCHNER_METHOD_BRUTE_FORCE};
    teschner_setup setup = teschner_paper_setup('A');
    for (int i = 0; i < 4; i++) run_setup(run, &setup, methods[i]);
    teschner_setup_release(&setup);
}
