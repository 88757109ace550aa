/// @file tets_create.c  Create a fracas_tets with a published method; the half-space test.
#include "fracas/published_tets.h"
#include "published/tets_methods.h"
#include "tets/narrow_phase.h"

fracas_published_tets_options fracas_published_tets_default_options(void) {
    return (fracas_published_tets_options){.struct_size = sizeof(fracas_published_tets_options),
                                           .method = FRACAS_PUBLISHED_TETS_METHOD_TESCHNER};
}

// Based on: teschner2003, which tests one half-space after the other. Deviation: signs are exact.
static void decide_by_half_spaces(frc_tets_narrow_phase* n) {
    for (uint32_t i = 0; i < n->count; i++) {
        const double* corners[4];
        frc_tets_corner_points(n->tets, n->candidate_tets[i], corners);
        if (frc_tet_has_point_exact(n->tets->vertices.data[n->vertices[i]].at, corners))
            frc_tets_add_pair(n, n->vertices[i], n->candidate_tets[i]);
    }
}

fracas_status fracas_published_tets_create(fracas_context* context,
                                           const fracas_tets_options* options,
                                           const fracas_published_tets_options* given,
                                           fracas_tets** out) {
    static const frc_tets_method* const methods[] = {
        [FRACAS_PUBLISHED_TETS_METHOD_SORTED_CELLS] = &frc_tets_sorted_cells,
        [FRACAS_PUBLISHED_TETS_METHOD_TESCHNER] = &frc_tets_teschner,
        [FRACAS_PUBLISHED_TETS_METHOD_TESCHNER_ONE_PASS] = &frc_tets_teschner_one_pass,
        [FRACAS_PUBLISHED_TETS_METHOD_BVH] = &frc_tets_bvh};
    static const frc_hash_function functions[] = {
        [FRACAS_PUBLISHED_TETS_HASH_XOR] = FRC_HASH_XOR,
        [FRACAS_PUBLISHED_TETS_HASH_ADDITIVE] = FRC_HASH_ADD,
        [FRACAS_PUBLISHED_TETS_HASH_ROTATING] = FRC_HASH_ROTATE};
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_published_tets_create", "out");
    const fracas_published_tets_options published =
        given ? *given : fracas_published_tets_default_options();
    if (published.struct_size != sizeof published)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_published_tets_options is not initialised: start from "
                        "fracas_published_tets_default_options()");
    if ((unsigned)published.method > FRACAS_PUBLISHED_TETS_METHOD_BVH)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "method %d is not a fracas_published_tets_method", (int)published.method);
    if ((unsigned)published.hash > FRACAS_PUBLISHED_TETS_HASH_ROTATING)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "hash %d is not a fracas_published_tets_hash", (int)published.hash);
    const frc_tets_method* method = methods[published.method];
    const fracas_status status = frc_tets_create(context, options, method, out);
    if (status != FRACAS_OK) return status;
    if (method == &frc_tets_teschner || method == &frc_tets_teschner_one_pass) {
        frc_teschner* teschner = (*out)->method_state;
        teschner->table_size = published.table_size;
        teschner->function = functions[published.hash];
    }
    if (published.half_space) (*out)->decide = decide_by_half_spaces;
    return FRACAS_OK;
}
