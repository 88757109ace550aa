/// @file elementary_pairs.c  The public approaches and distances of one pair: check the arguments,
/// then decide a block of one pair.
#include "geom/pair.h"
#include <math.h>

// The points of a pair, and one that is not finite or NULL.
typedef struct gathered {
    frc_point points[4];
    uint32_t count;
    bool bad;
} gathered;

// `count` points of three coordinates each.
static void add(gathered* g, const double* t0, const double* t1, int count) {
    if (!t0 || !t1) {
        g->bad = true;
        return;
    }
    for (int i = 0; i < count; i++, t0 += 3, t1 += 3) {
        for (int k = 0; k < 3; k++)
            if (!isfinite(t0[k]) || !isfinite(t1[k])) g->bad = true;
        g->points[g->count++] = (frc_point){
            {t0[0],  t1[0]},
            {t0[1],      t1[1]},
            {t0[2],t1[2]},
            {0 }
        };
    }
}

static const uint32_t INDICES[4] = {0, 1, 2, 3};

static bool approaches(fracas_contact_kind kind, const gathered* g, double min_separation,
                       double tolerance, fracas_impact* impact) {
    if (g->bad || !(min_separation >= 0 && isfinite(min_separation))) return false;
    const frc_ccd_pair pair = frc_pair_candidate(kind, INDICES);
    frc_ccd_hit hit;
    if (!frc_pair_impacts(kind, g->points, &pair, 1, min_separation,
                          tolerance > 0 ? tolerance : 1e-6, NULL, &hit))
        return false;
    if (impact) *impact = frc_pair_impact(kind, &hit);
    return true;
}

static bool is_within(fracas_contact_kind kind, const gathered* g, double max_distance,
                      fracas_distance* out) {
    if (g->bad || !(max_distance >= 0)) return false;
    const frc_ccd_pair pair = frc_pair_candidate(kind, INDICES);
    uint16_t found;
    return frc_pair_distances(kind, g->points, &pair, 1, max_distance, &found, out) == 1;
}

bool fracas_vertex_face_find_approach(const double vertex_t0[3], const double face_t0[3][3],
                                      const double vertex_t1[3], const double face_t1[3][3],
                                      double min_separation, double tolerance,
                                      fracas_impact* impact) {
    gathered g = {.count = 0};
    add(&g, vertex_t0, vertex_t1, 1);
    add(&g, (const double*)face_t0, (const double*)face_t1, 3);
    return approaches(FRACAS_CONTACT_VF, &g, min_separation, tolerance, impact);
}

bool fracas_edge_edge_find_approach(const double ab_t0[2][3], const double cd_t0[2][3],
                                    const double ab_t1[2][3], const double cd_t1[2][3],
                                    double min_separation, double tolerance,
                                    fracas_impact* impact) {
    gathered g = {.count = 0};
    add(&g, (const double*)ab_t0, (const double*)ab_t1, 2);
    add(&g, (const double*)cd_t0, (const double*)cd_t1, 2);
    return approaches(FRACAS_CONTACT_EE, &g, min_separation, tolerance, impact);
}

bool fracas_vertex_edge_find_approach(const double vertex_t0[3], const double edge_t0[2][3],
                                      const double vertex_t1[3], const double edge_t1[2][3],
                                      double min_separation, double tolerance,
                                      fracas_impact* impact) {
    gathered g = {.count = 0};
    add(&g, vertex_t0, vertex_t1, 1);
    add(&g, (const double*)edge_t0, (const double*)edge_t1, 2);
    return approaches(FRACAS_CONTACT_VE, &g, min_separation, tolerance, impact);
}

bool fracas_vertex_vertex_find_approach(const double a_t0[3], const double b_t0[3],
                                        const double a_t1[3], const double b_t1[3],
                                        double min_separation, double tolerance,
                                        fracas_impact* impact) {
    gathered g = {.count = 0};
    add(&g, a_t0, a_t1, 1);
    add(&g, b_t0, b_t1, 1);
    return approaches(FRACAS_CONTACT_VV, &g, min_separation, tolerance, impact);
}

bool fracas_vertex_face_find_distance(const double vertex[3], const double face[3][3],
                                      double max_distance, fracas_distance* out) {
    gathered g = {.count = 0};
    add(&g, vertex, vertex, 1);
    add(&g, (const double*)face, (const double*)face, 3);
    return is_within(FRACAS_CONTACT_VF, &g, max_distance, out);
}

bool fracas_edge_edge_find_distance(const double ab[2][3], const double cd[2][3],
                                    double max_distance, fracas_distance* out) {
    gathered g = {.count = 0};
    add(&g, (const double*)ab, (const double*)ab, 2);
    add(&g, (const double*)cd, (const double*)cd, 2);
    return is_within(FRACAS_CONTACT_EE, &g, max_distance, out);
}

bool fracas_vertex_edge_find_distance(const double vertex[3], const double edge[2][3],
                                      double max_distance, fracas_distance* out) {
    gathered g = {.count = 0};
    add(&g, vertex, vertex, 1);
    add(&g, (const double*)edge, (const double*)edge, 2);
    return is_within(FRACAS_CONTACT_VE, &g, max_distance, out);
}

bool fracas_vertex_vertex_find_distance(const double a[3], const double b[3], double max_distance,
                                        fracas_distance* out) {
    gathered g = {.count = 0};
    add(&g, a, a, 1);
    add(&g, b, b, 1);
    return is_within(FRACAS_CONTACT_VV, &g, max_distance, out);
}
