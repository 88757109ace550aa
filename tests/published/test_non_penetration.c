// The non-penetration filter (tang2010) rejects a candidate exactly when the four Bernstein
// coefficients of the cubic have one sign.
//
// Coordinates are small integers. The oracle has the coefficients from values of the cubic at four
// times, in integers; the filter's floats are then accurate enough to tell every sign.
#include "fracas/published.h"
#include "geom/ccd_stages.h"
#include "scene/scene_kit.h"
#include <stdlib.h>

enum { REACH = 32, CANDIDATES = 4096 };

typedef struct moving {
    int at[2][3];  // at both ends of the step
} moving;

static uint32_t below(uint64_t* state, uint32_t count) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 33) % count;
}

// 27 times the volume of four points at time i / 3. Of one sign: the points are never in a plane.
static int64_t volume_at(const moving* const p[4], int i) {
    int64_t d[3][3];
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 3; k++)
            d[v][k] = (int64_t)(3 - i) * (p[v + 1]->at[0][k] - p[0]->at[0][k]) +
                      (int64_t)i * (p[v + 1]->at[1][k] - p[0]->at[1][k]);
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
           d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

// The same for a vertex and a face and for two edges: only the sign of the volume differs.
static bool have_one_sign(const moving* const p[4]) {
    int64_t f[4];
    for (int i = 0; i < 4; i++) f[i] = volume_at(p, i);
    const int64_t b[4] = {f[0], -5 * f[0] + 18 * f[1] - 9 * f[2] + 2 * f[3],
                          2 * f[0] - 9 * f[1] + 18 * f[2] - 5 * f[3], f[3]};
    return (b[0] > 0 && b[1] > 0 && b[2] > 0 && b[3] > 0) ||
           (b[0] < 0 && b[1] < 0 && b[2] < 0 && b[3] < 0);
}

// Slow motion, which keeps many apart, and any.
static moving random_point(uint64_t* random, bool slow) {
    moving p;
    for (int k = 0; k < 3; k++) {
        p.at[0][k] = (int)below(random, REACH);
        const int to = slow ? p.at[0][k] + (int)below(random, 17) - 8 : (int)below(random, REACH);
        p.at[1][k] = to < 0 ? 0 : to >= REACH ? REACH - 1 : to;
    }
    return p;
}

static void rejections_are_those_of_one_sign(void** state) {
    (void)state;
    static moving points[4 * CANDIDATES];
    static frc_point given[4 * CANDIDATES];
    static frc_ccd_pair pairs[CANDIDATES];
    static uint16_t keep[CANDIDATES];
    uint64_t random = 20100219;
    for (int run = 0; run < 4; run++) {
        const frc_ccd_kind kind = run % 2 ? FRC_CCD_EE : FRC_CCD_VF;
        const uint32_t count = CANDIDATES - (uint32_t)run;  // also odd numbers
        memset(given, 0, sizeof given);
        for (uint32_t i = 0; i < 4 * count; i++) {
            points[i] = random_point(&random, run < 2);
            for (int end = 0; end < 2; end++) {
                given[i].x[end] = points[i].at[end][0];
                given[i].y[end] = points[i].at[end][1];
                given[i].z[end] = points[i].at[end][2];
            }
            pairs[i / 4].point[i % 4] = i;
        }
        frc_ccd_counts counts = {0};
        frc_ccd_options options = {.tolerance = 1e-6, .filters = FRC_CCD_NON_PENETRATION};
        const size_t left = frc_ccd_filter(kind, given, pairs, count, &options, keep, &counts);
        size_t kept = 0, rejected = 0;
        for (uint32_t i = 0; i < count; i++) {
            const moving* const p[4] = {&points[4 * i], &points[4 * i + 1], &points[4 * i + 2],
                                        &points[4 * i + 3]};
            if (have_one_sign(p)) {
                rejected++;
                continue;
            }
            assert_true(kept < left);
            assert_int_equal(keep[kept++], i);
        }
        assert_int_equal(kept, left);
        assert_int_equal(counts.cubic, rejected);
        assert_int_equal(counts.axis + counts.sweep + counts.directions, 0);
        print_message("%s: %zu of %u rejected\n", kind ? "EE" : "VF", rejected, count);
        assert_true(rejected > count / 20 && rejected < count * 19 / 20);
        // Without filters nothing is rejected.
        options.filters = FRC_CCD_NO_FILTERS;
        assert_int_equal(frc_ccd_filter(kind, given, pairs, count, &options, keep, &counts), count);
        assert_int_equal(counts.cubic, rejected);
    }
}

// ---- in a scene: two bodies with one triangle each

static kit open_triangles(moving p[2][3]) {
    static const uint32_t corners[1][3] = {
        {0, 1, 2}
    };
    kit k = kit_create(1);
    double at[2][2][3][3];
    fracas_body body[2];
    for (int b = 0; b < 2; b++)
        for (int end = 0; end < 2; end++)
            for (int c = 0; c < 3; c++)
                for (int x = 0; x < 3; x++) at[b][end][c][x] = p[b][c].at[end][x];
    for (int b = 0; b < 2; b++) {
        const fracas_mesh_view mesh = kit_mesh((const double(*)[3])at[b][0], 3, corners, 1);
        body[b] = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    }
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    for (int b = 0; b < 2; b++) {
        const fracas_points view = {.data = at[b][1], .count = 3};
        assert_int_equal(fracas_scene_move(k.scene, body[b], &view), FRACAS_OK);
    }
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    return k;
}

static fracas_statistics query(const kit* k, fracas_published_filter filter) {
    fracas_statistics statistics = {0};
    const fracas_sink sink = {.statistics = &statistics};
    fracas_published_query how = fracas_published_scene_default_query();
    how.query.modes = FRACAS_MODE_CONTINUOUS;
    how.filter = filter;
    assert_int_equal(fracas_published_scene_detect(k->scene, &how, &sink, NULL), FRACAS_OK);
    return statistics;
}

// The six pairs of a vertex and a face, and the nine of edges.
static uint64_t count_one_sign(moving p[2][3]) {
    uint64_t count = 0;
    for (int a = 0; a < 2; a++)
        for (int c = 0; c < 3; c++) {
            const moving* const v[4] = {&p[a][c], &p[1 - a][0], &p[1 - a][1], &p[1 - a][2]};
            count += have_one_sign(v);
        }
    for (int i = 0; i < 9; i++) {
        const int a = i / 3, b = i % 3;
        const moving* const e[4] = {&p[0][a], &p[0][(a + 1) % 3], &p[1][b], &p[1][(b + 1) % 3]};
        count += have_one_sign(e);
    }
    return count;
}

static void queries_count_what_the_filter_rejects(void** state) {
    (void)state;
    uint64_t random = 20100220, compared = 0, rejected = 0;
    for (int round = 0; round < 6000; round++) {
        moving p[2][3];
        for (int i = 0; i < 6; i++) p[i / 3][i % 3] = random_point(&random, round % 2);
        kit k = open_triangles(p);
        const fracas_statistics with = query(&k, FRACAS_PUBLISHED_FILTER_NON_PENETRATION),
                                none = query(&k, FRACAS_PUBLISHED_FILTER_NONE);
        assert_int_equal(none.filtered, 0);
        assert_int_equal(with.vf_candidates, none.vf_candidates);
        assert_int_equal(with.ee_candidates, none.ee_candidates);
        for (int i = 0; i < 6; i++) assert_int_equal(with.contacts[i], none.contacts[i]);
        // When boxes separate no features, all pairs are candidates.
        if (with.vf_candidates + with.ee_candidates == 15) {
            assert_int_equal(with.filtered, count_one_sign(p));
            compared++, rejected += with.filtered;
        }
        kit_destroy(&k);
    }
    print_message("%llu rejected in %llu scenes\n", (unsigned long long)rejected,
                  (unsigned long long)compared);
    assert_true(compared > 200 && rejected > compared / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rejections_are_those_of_one_sign),
        cmocka_unit_test(queries_count_what_the_filter_rejects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
