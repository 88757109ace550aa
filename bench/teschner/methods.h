/// @file methods.h  Creates the tetrahedra structure of each method that benchmarks compare.
#pragma once
#include "fracas/published.h"
#include "tets/tets.h"

typedef enum teschner_method {
    TESCHNER_METHOD_SORTED_CELLS,
    TESCHNER_METHOD_HASH_TABLE,
    TESCHNER_METHOD_BVH,
    TESCHNER_METHOD_BRUTE_FORCE
} teschner_method;

/// `published` holds all options except the method. `one_pass` selects the one-pass variant of the
/// hash table.
static inline fracas_status teschner_create(fracas_context* context, teschner_method method,
                                            const fracas_tets_options* options,
                                            fracas_published_tets_options published, bool one_pass,
                                            fracas_tets** out) {
    static const fracas_published_tets_method methods[] = {
        [TESCHNER_METHOD_SORTED_CELLS] = FRACAS_PUBLISHED_TETS_METHOD_SORTED_CELLS,
        [TESCHNER_METHOD_HASH_TABLE] = FRACAS_PUBLISHED_TETS_METHOD_TESCHNER,
        [TESCHNER_METHOD_BVH] = FRACAS_PUBLISHED_TETS_METHOD_BVH};
    if (method == TESCHNER_METHOD_BRUTE_FORCE)
        return frc_tets_create(context, options, &frc_tets_brute_force, out);
    published.method = one_pass ? FRACAS_PUBLISHED_TETS_METHOD_TESCHNER_ONE_PASS : methods[method];
    return fracas_published_tets_create(context, options, &published, out);
}
