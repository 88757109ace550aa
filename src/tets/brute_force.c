/// @file brute_force.c  Every vertex against every tetrahedron: the oracle of the other methods.
///
/// A vertex outside the box of the corners is outside the tetrahedron; exact signs of determinants
/// decide all other vertices, without the filters of the narrow phase.
#include "tets/narrow_phase.h"

static uint32_t item_count(const fracas_tets* tets) { return (uint32_t)tets->tets.count; }

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end,
                 frc_tets_narrow_phase* out) {
    for (uint32_t t = begin; t < end; t++) {
        const double* corners[4];
        double lo[3], hi[3];
        frc_tets_corner_points(tets, t, corners);
        for (int k = 0; k < 3; k++) {
            lo[k] = hi[k] = corners[0][k];
            for (int i = 1; i < 4; i++) {
                lo[k] = corners[i][k] < lo[k] ? corners[i][k] : lo[k];
                hi[k] = corners[i][k] > hi[k] ? corners[i][k] : hi[k];
            }
        }
        for (uint32_t v = 0; v < tets->vertices.count; v++) {
            const double* p = tets->vertices.data[v].at;
            if (p[0] < lo[0] || p[0] > hi[0] || p[1] < lo[1] || p[1] > hi[1]) continue;
            if (p[2] < lo[2] || p[2] > hi[2]) continue;
            if (frc_tet_has_corner(&tets->tets.data[t], v) || !frc_tets_wants(out, v, t)) continue;
            out->tested++;
            if (frc_tet_has_point_exact(p, corners)) frc_tets_add_pair(out, v, t);
        }
    }
    out->candidates += (uint64_t)(end - begin) * tets->vertices.count;
}

const frc_tets_method frc_tets_brute_force = {
    .cell_factor = 1, .item_count = item_count, .find = find, .nearest = frc_surface_nearest_brute};
