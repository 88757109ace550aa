/// @file tets.c  Create and destroy a fracas_tets; public functions that check and call.
#include "tets/tets.h"
#include "tets/narrow_phase.h"
#include <math.h>

fracas_tets_options fracas_tets_default_options(void) {
    return (fracas_tets_options){.struct_size = sizeof(fracas_tets_options)};
}

fracas_tets_query fracas_tets_default_query(void) {
    return (fracas_tets_query){
        .struct_size = sizeof(fracas_tets_query), .self = true, .inter = true};
}

fracas_status frc_tets_create(fracas_context* context, const fracas_tets_options* given,
                              const frc_tets_method* method, fracas_tets** out) {
    const fracas_tets_options options = given ? *given : fracas_tets_default_options();
    *out = NULL;
    if (options.struct_size != sizeof options)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_tets_options is not initialised: start from "
                        "fracas_tets_default_options()");
    if (!(options.cell_size >= 0) || !isfinite(options.cell_size))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the cell size is %g: it must be positive and finite, or 0 to choose one",
                        options.cell_size);
    fracas_tets* tets = frc_allocate_zero(context, sizeof *tets);
    if (!tets) return frc_fail_memory(context, sizeof *tets);
    if (method->state_size > 0) {
        tets->method_state = frc_allocate_zero(context, method->state_size);
        if (!tets->method_state) {
            frc_release(context, tets, sizeof *tets);
            return frc_fail_memory(context, method->state_size);
        }
    }
    tets->context = context;
    tets->options = options;
    tets->method = method;
    tets->decide = frc_tets_decide;
    *out = tets;
    return FRACAS_OK;
}

fracas_status fracas_tets_create(fracas_context* context, const fracas_tets_options* options,
                                 fracas_tets** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_tets_create", "out");
    return frc_tets_create(context, options, &frc_tets_sorted_cells, out);
}

void fracas_tets_destroy(fracas_tets* tets) {
    if (!tets) return;
    fracas_context* context = tets->context;
    for (uint32_t i = 0; i < tets->bodies.count; i++)
        if (frc_handles_in_use(&tets->handles, i)) frc_tets_drop_body(tets, i);
    if (tets->method->release) tets->method->release(tets);
    frc_release(context, tets->method_state, tets->method->state_size);
    frc_handles_release(context, &tets->handles);
    FRC_ARRAY_RELEASE(context, &tets->bodies);
    FRC_ARRAY_RELEASE(context, &tets->vertices);
    FRC_ARRAY_RELEASE(context, &tets->uses);
    FRC_ARRAY_RELEASE(context, &tets->tets);
    FRC_ARRAY_RELEASE(context, &tets->tet_indices);
    FRC_ARRAY_RELEASE(context, &tets->tet_bodies);
    FRC_ARRAY_RELEASE(context, &tets->units);
    FRC_ARRAY_RELEASE(context, &tets->range_bounds);
    frc_release(context, tets, sizeof *tets);
}

fracas_status fracas_tets_get_update_statistics(const fracas_tets* tets,
                                                fracas_tets_update_statistics* out) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(tets->context, "fracas_tets_get_update_statistics", "out");
    *out = tets->update_statistics;
    return FRACAS_OK;
}

fracas_status fracas_tets_detect(const fracas_tets* tets, const fracas_tets_query* given,
                                 const fracas_tets_sink* sink) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!sink) return frc_fail_null(tets->context, "fracas_tets_detect", "sink");
    const fracas_tets_query query = given ? *given : fracas_tets_default_query();
    if (query.struct_size != sizeof query)
        return frc_fail(tets->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_tets_query is not initialised: start from "
                        "fracas_tets_default_query()");
    if (!tets->updated)
        return frc_fail(tets->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "bodies have changed: call fracas_tets_update before fracas_tets_detect");
    if (query.depth && !tets->options.depth)
        return frc_fail(tets->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "surfaces for queries of depth are missing: set depth in "
                        "fracas_tets_options");
    return frc_tets_detect(tets, &query, sink);
}
