/// @file find_brute.c  Every vertex against every tetrahedron: the slow twin of the others.
///
/// Whoever is not in the box of the corners is not in their hull; all else is decided by signs of
/// determinants, without the filters that the others have.
#include "tets/catch.h"

static bool prepare(fracas_tets* tets) {
    (void)tets;
    return true;
}

static uint32_t items(const fracas_tets* tets) { return (uint32_t)tets->tets.count; }

static void release(fracas_tets* tets) { (void)tets; }

static void box_of(const double* const corners[4], double lo[3], double hi[3]) {
    for (int k = 0; k < 3; k++) {
        lo[k] = hi[k] = corners[0][k];
        for (int i = 1; i < 4; i++) {
            lo[k] = corners[i][k] < lo[k] ? corners[i][k] : lo[k];
            hi[k] = corners[i][k] > hi[k] ? corners[i][k] : hi[k];
        }
    }
}

static void find_one(const fracas_tets* tets, uint32_t tet, frc_catch* out) {
    const double* corners[4];
    double lo[3], hi[3];
    frc_tets_corner_points(tets, tet, corners);
    box_of(corners, lo, hi);
    for (uint32_t v = 0; v < tets->vertices.count; v++) {
        const double* p = tets->vertices.data[v].at;
        if (p[0] < lo[0] || p[0] > hi[0] || p[1] < lo[1] || p[1] > hi[1]) continue;
        if (p[2] < lo[2] || p[2] > hi[2]) continue;
        if (frc_is_corner(&tets->tets.data[tet], v) || !frc_catch_wants(out, v, tet)) continue;
        out->tested++;
        if (frc_tet_has_point_exact(p, corners)) frc_catch_keep(out, v, tet);
    }
}

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end, frc_catch* out) {
    for (uint32_t t = begin; t < end; t++) find_one(tets, t, out);
    out->candidates += (uint64_t)(end - begin) * tets->vertices.count;
}

const frc_tets_finder frc_tets_brute = {
    .prepare = prepare, .items = items, .find = find, .release = release};
