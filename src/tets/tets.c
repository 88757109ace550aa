/// @file tets.c  Volumes come and go, and the query's way in: check, call, return.
#include "tets/tets.h"
#include <math.h>

const frc_tets_finder* frc_tets_finder_of(fracas_tets_method method) {
    static const frc_tets_finder* const finders[] = {[FRACAS_TETS_SORTED] = &frc_tets_sorted,
                                                     [FRACAS_TETS_TESCHNER] = &frc_tets_teschner,
                                                     [FRACAS_TETS_BVH] = &frc_tets_tree,
                                                     [FRACAS_TETS_BRUTE] = &frc_tets_brute};
    return finders[method];
}

fracas_tets_options fracas_tets_default_options(void) {
    return (fracas_tets_options){.struct_size = sizeof(fracas_tets_options)};
}

fracas_tets_query fracas_tets_query_default(void) {
    return (fracas_tets_query){
        .struct_size = sizeof(fracas_tets_query), .self = true, .inter = true};
}

fracas_status fracas_tets_create(fracas_context* context, const fracas_tets_options* given,
                                 fracas_tets** out) {
    if (!context || !out) return FRACAS_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    const fracas_tets_options options = given ? *given : fracas_tets_default_options();
    if (options.struct_size != sizeof options || (unsigned)options.method > FRACAS_TETS_BRUTE ||
        (unsigned)options.hash > FRACAS_TETS_HASH_ROTATING)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "options of volumes are not initialised: start from "
                        "fracas_tets_default_options()");
    if (!(options.cell_size >= 0) || !isfinite(options.cell_size))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the cell size is %g: it must be positive and finite, or 0 for one that "
                        "fits",
                        options.cell_size);
    fracas_tets* tets = frc_allocate_zero(context, sizeof *tets);
    if (!tets) return frc_fail_memory(context, sizeof *tets);
    tets->context = context;
    tets->options = options;
    *out = tets;
    return FRACAS_OK;
}

void fracas_tets_destroy(fracas_tets* tets) {
    if (!tets) return;
    fracas_context* context = tets->context;
    for (uint32_t i = 0; i < tets->bodies.count; i++)
        if (frc_handles_in_use(&tets->handles, i)) frc_tets_drop_body(tets, i);
    frc_tets_finder_of(tets->options.method)->release(tets);
    frc_handles_release(context, &tets->handles);
    FRC_ARRAY_RELEASE(context, &tets->bodies);
    FRC_ARRAY_RELEASE(context, &tets->vertices);
    FRC_ARRAY_RELEASE(context, &tets->tets);
    FRC_ARRAY_RELEASE(context, &tets->tet_numbers);
    FRC_ARRAY_RELEASE(context, &tets->tet_bodies);
    FRC_ARRAY_RELEASE(context, &tets->units);
    FRC_ARRAY_RELEASE(context, &tets->unit_bounds);
    frc_release(context, tets, sizeof *tets);
}

fracas_status fracas_tets_detect(const fracas_tets* tets, const fracas_tets_query* given,
                                 const fracas_tets_sink* sink) {
    if (!tets || !sink) return FRACAS_ERROR_INVALID_ARGUMENT;
    const fracas_tets_query query = given ? *given : fracas_tets_query_default();
    if (query.struct_size != sizeof query)
        return frc_fail(tets->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the query is not initialised: start from fracas_tets_query_default()");
    if (!tets->updated)
        return frc_fail(tets->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "volumes have changed: call fracas_tets_update before fracas_tets_detect");
    if (query.depth && !tets->options.depth)
        return frc_fail(tets->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "volumes are not prepared for queries of depth: set depth in "
                        "fracas_tets_options");
    return frc_tets_detect(tets, &query, sink);
}
