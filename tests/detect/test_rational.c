// Discrete detection on small meshes compared with brute force in rational arithmetic: every pair
// of triangles by the GMP oracle, which shares no code with src/. Grids cause many contacts, common
// vertices and flat folds; random numbers and one-ulp steps reach the exact stages.
#include "geom/oracle_tri.h"
#include "scene_kit.h"
#include <math.h>

enum { POINTS = 40, TRIANGLES = 70, MESHES = 24 };

typedef struct soup {
    double points[POINTS][3];
    uint32_t triangles[TRIANGLES][3];
} soup;

static uint32_t random_below(uint64_t* state, uint32_t bound) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % bound;
}

// Kind 0: a coarse grid; 1: a grid with steps of one ulp; 2: random numbers.
static void make_soup(uint64_t* state, uint32_t kind, soup* s) {
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++) {
            double x = (double)random_below(state, 5) - 2;
            if (kind == 1 && random_below(state, 3) == 0) x = nextafter(x, 9);
            if (kind == 2) x = ldexp((double)random_below(state, 1u << 30), -29);
            s->points[i][k] = x;
        }
    for (int t = 0; t < TRIANGLES; t++)
        for (int k = 0; k < 3; k++) s->triangles[t][k] = random_below(state, POINTS);
}

static bool truth(const soup* s, const uint32_t* a, const uint32_t* b) {
    double pa[3][3], pb[3][3];
    for (int k = 0; k < 3; k++) {
        memcpy(pa[k], s->points[a[k]], sizeof pa[k]);
        memcpy(pb[k], s->points[b[k]], sizeof pb[k]);
    }
    return oracle_tri_tri((const double(*)[3])pa, a, (const double(*)[3])pb, b);
}

typedef struct found {
    bool pair[TRIANGLES][TRIANGLES];
    uint32_t count;
} found;

static bool record_pair(const fracas_contact* c, void* user) {
    found* f = user;
    assert_int_equal(c->kind, FRACAS_CONTACT_TT);
    assert_true(c->a[0] < c->b[0] && c->b[0] < TRIANGLES);
    assert_false(f->pair[c->a[0]][c->b[0]]);
    f->pair[c->a[0]][c->b[0]] = true;
    f->count++;
    return true;
}

static void same_as_rationals(void** state) {
    (void)state;
    uint64_t random = 11;
    uint32_t hits = 0;
    for (uint32_t m = 0; m < MESHES; m++) {
        soup s;
        make_soup(&random, m % 3, &s);
        kit k = kit_create(1);
        fracas_mesh_view mesh = kit_mesh((const double(*)[3])s.points, POINTS,
                                         (const uint32_t(*)[3])s.triangles, TRIANGLES);
        kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        fracas_query query = fracas_scene_default_query();
        query.modes = FRACAS_MODE_DISCRETE;
        found f = {.count = 0};
        fracas_sink sink = {record_pair, &f, NULL};
        assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
        for (int a = 0; a < TRIANGLES; a++)
            for (int b = a + 1; b < TRIANGLES; b++)
                if (truth(&s, s.triangles[a], s.triangles[b]) != f.pair[a][b])
                    fail_msg("mesh %u: triangles %d and %d: found %d", m, a, b, f.pair[a][b]);
        hits += f.count;
        kit_destroy(&k);
    }
    printf("%u meshes, %u pairs, %u intersect\n", MESHES, MESHES * TRIANGLES * (TRIANGLES - 1) / 2,
           hits);
    assert_true(hits > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_rationals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
