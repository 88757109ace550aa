/// @file pair.c  Impacts and distances of a block of pairs; a single pair is a block of one.
#include "geom/pair.h"
#include "geom/closest_features.h"
#include "geom/separation.h"
#include <math.h>
#include <string.h>

fracas_impact frc_pair_impact(fracas_contact_kind kind, const frc_ccd_hit* hit) {
    fracas_impact out = {
        hit->toi, hit->u, hit->v, {hit->normal[0], hit->normal[1], hit->normal[2]}
    };
    if (kind == FRACAS_CONTACT_VE) out.u = hit->u + hit->v, out.v = 0;
    if (kind == FRACAS_CONTACT_VV) out.u = out.v = 0;
    return out;
}

size_t frc_pair_impacts(fracas_contact_kind kind, const frc_point* points,
                        const frc_ccd_pair* pairs, size_t count, double min_separation,
                        double tolerance, frc_ccd_counts* counts, frc_ccd_hit* hits) {
    const frc_ccd_kind test = frc_pair_test(kind);
    if (min_separation > 0) {
        const frc_separation_options options = {min_separation, tolerance, counts};
        return frc_separation_batch(test, points, pairs, count, &options, hits);
    }
    const frc_ccd_options options = {.tolerance = tolerance, .counts = counts};
    return frc_ccd_batch(test, points, pairs, count, &options, hits);
}

static void fill(fracas_contact_kind kind, const frc_point points[4], const frc_closest* closest,
                 fracas_distance* out) {
    double x[4][3];
    frc_closest_features features;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) x[i][k] = frc_point_axis(&points[i], k)[1];
    frc_closest_features_find(frc_pair_test(kind), (const double(*)[3])x, closest->u, closest->v,
                              &features);
    out->distance = closest->distance;
    out->type = features.type;
    memcpy(out->normal, closest->normal, sizeof out->normal);
    memcpy(out->weights, features.weights, sizeof out->weights);
    // Weights of corners that are the same vertex are those of one.
    if (kind == FRACAS_CONTACT_VE) out->weights[2] += out->weights[3], out->weights[3] = 0;
    if (kind == FRACAS_CONTACT_VV) out->weights[1] = 1, out->weights[2] = out->weights[3] = 0;
    const double* const w = out->weights;
    for (int k = 0; k < 3; k++) {
        const double first = w[0] * x[0][k], second = w[1] * x[1][k];
        const double rest = w[2] * x[2][k] + w[3] * x[3][k];
        out->points[0][k] = kind == FRACAS_CONTACT_EE ? first + second : first;
        out->points[1][k] = kind == FRACAS_CONTACT_EE ? rest : second + rest;
    }
}

size_t frc_pair_distances(fracas_contact_kind kind, const frc_point* points,
                          const frc_ccd_pair* pairs, size_t count, double max_distance,
                          uint16_t* found, fracas_distance* out) {
    const frc_ccd_kind test = frc_pair_test(kind);
    const bool all = isinf(max_distance);
    size_t left = count, hits = 0;
    if (all)
        for (size_t i = 0; i < count; i++) found[i] = (uint16_t)i;
    else
        left = frc_separation_static_filter(test, points, pairs, count, max_distance, found);
    for (size_t i = 0; i < left; i++) {
        const uint16_t at = found[i];
        frc_point four[4];
        frc_closest closest;
        for (int k = 0; k < 4; k++) four[k] = points[pairs[at].point[k]];
        if (all)
            frc_separation_closest(test, four, &closest);
        else if (!frc_separation_static(test, four, max_distance, &closest))
            continue;
        if (out) fill(kind, four, &closest, &out[hits]);
        found[hits++] = at;
    }
    return hits;
}
