// The set of penetrations: equal to all pairs in rational arithmetic, by every method, with any
// options.
#include "../geom/oracle_tri.h"
#include "share.h"
#include "tets/tets.h"
#include "tets_kit.h"

enum { MAX_BODIES = 8 };

typedef struct test_set {
    kit_body bodies[MAX_BODIES];
    uint32_t count;
} test_set;

static void free_set(test_set* s) {
    for (uint32_t i = 0; i < s->count; i++) kit_free(&s->bodies[i]);
}

static bool is_corner(const kit_body* b, uint32_t tet, uint32_t vertex) {
    const uint32_t* t = b->tets[tet];
    return t[0] == vertex || t[1] == vertex || t[2] == vertex || t[3] == vertex;
}

static bool is_used(const kit_body* b, uint32_t vertex) {
    for (uint32_t t = 0; t < b->tet_count; t++)
        if (is_corner(b, t, vertex)) return true;
    return false;
}

// ---- oracle: all pairs in rational arithmetic

static void oracle_vertex(const test_set* s, uint32_t i, uint32_t v, size_t* found,
                          const kit_list* list) {
    for (uint32_t j = 0; j < s->count; j++)
        for (uint32_t t = 0; t < s->bodies[j].tet_count; t++) {
            const kit_body* b = &s->bodies[j];
            double corners[4][3];
            if (i == j && is_corner(b, t, v)) continue;
            for (int k = 0; k < 4; k++)
                memcpy(corners[k], b->points[b->tets[t][k]], sizeof corners[k]);
            const bool inside = oracle_point_in_tetrahedron(s->bodies[i].points[v], corners);
            const fracas_penetration* p = &list->data[*found];
            const bool reported = *found < list->count && p->vertex_body.index == i + 1 &&
                                  p->vertex == v && p->tet_body.index == j + 1 && p->tet == t;
            if (inside != reported)
                fail_msg("vertex %u of %u, tet %u of %u: inside %d, reported %d", v, i, t, j,
                         inside, reported);
            *found += reported;
        }
}

static void require_oracle(const test_set* s, const kit_list* list) {
    size_t found = 0;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t v = 0; v < s->bodies[i].point_count; v++)
            if (is_used(&s->bodies[i], v)) oracle_vertex(s, i, v, &found, list);
    assert_int_equal(found, list->count);
}

// ---- all options

static void require_one(const test_set* s, const kit_list* truth, const kit_options* options,
                        uint32_t workers) {
    char what[100];
    snprintf(what, sizeof what, "method %d hash %d table %u cell %g test %d threads %u",
             options->method, options->published.hash, options->published.table_size,
             options->tets.cell_size, options->published.test, workers);
    fracas_tets_statistics statistics;
    kit_options with_depth = *options;
    fracas_tets_query query = fracas_tets_default_query();
    with_depth.tets.depth = query.depth = true;
    kit_list list = kit_find(s->bodies, s->count, &with_depth, &query, workers, &statistics);
    kit_require_same(truth, &list, what);
    assert_int_equal(statistics.penetrations, list.count);
    assert_true(statistics.tested >= statistics.penetrations);
    free(list.data);
}

// The one-pass method compares all tetrahedra of a cell or bucket: large sets get only cell sizes
// and tables that spread them.
static bool spreads_only(const test_set* s, kit_method method) {
    size_t tets = 0;
    for (uint32_t i = 0; i < s->count; i++) tets += s->bodies[i].tet_count;
    return method == KIT_METHOD_TESCHNER_ONE_PASS && tets > 90;
}

static void require_cells(const test_set* s, const kit_list* truth, kit_options options) {
    static const double sizes[] = {0, 1, 0.01, 37, 1e-200, 1e200};
    const size_t count = spreads_only(s, options.method) ? 2 : sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < count; i++) {
        options.tets.cell_size = sizes[i];
        require_one(s, truth, &options, 1 + (uint32_t)i % 3);
    }
}

static void require_tables(const test_set* s, const kit_list* truth) {
    static const uint32_t sizes[] = {0, 1, 99, 9973};
    static const kit_method methods[] = {KIT_METHOD_TESCHNER, KIT_METHOD_TESCHNER_ONE_PASS};
    for (int m = 0; m < 2; m++)
        for (int hash = 0; hash < 3; hash++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                if (sizes[i] == 1 && (spreads_only(s, methods[m]) || m + hash > 1)) continue;
                kit_options options = kit_default_options(methods[m]);
                options.published.hash = (fracas_published_tets_hash)hash;
                options.published.table_size = sizes[i];
                require_one(s, truth, &options, 1);
            }
}

static kit_list truth_of(const test_set* s) {
    kit_options options = kit_default_options(KIT_METHOD_BRUTE_FORCE);
    fracas_tets_query query = fracas_tets_default_query();
    options.tets.depth = query.depth = true;
    kit_list truth = kit_find(s->bodies, s->count, &options, &query, 1, NULL);
    kit_require_order(&truth);
    return truth;
}

static void require_all(const test_set* s, const kit_list* truth) {
    for (int method = 0; method < KIT_METHOD_COUNT; method++)
        require_cells(s, truth, kit_default_options((kit_method)method));
    require_tables(s, truth);
}

static void require_set(const test_set* s, size_t least) {
    kit_list truth = truth_of(s);
    if (truth.count < least) fail_msg("only %zu found", truth.count);
    require_oracle(s, &truth);
    require_all(s, &truth);
    free(truth.data);
}

// ---- sets

static void soups(void** state) {
    (void)state;
    uint64_t random = 0x5eed;
    for (uint32_t round = 0; round < share_of(6); round++) {
        test_set s = {.count = 3};
        for (uint32_t i = 0; i < s.count; i++) s.bodies[i] = kit_soup(24, 30, 1, &random);
        require_set(&s, 50);
        free_set(&s);
    }
}

// Corners on few integer coordinates: touching, flat, repeated, coincident, all at once.
static void integer_coordinates(void** state) {
    (void)state;
    uint64_t random = 0xface;
    for (uint32_t round = 0; round < share_of(8); round++) {
        test_set s = {.count = 2};
        for (uint32_t i = 0; i < s.count; i++) {
            s.bodies[i] = kit_soup(20, 30, 1, &random);
            for (uint32_t v = 0; v < s.bodies[i].point_count; v++)
                for (int k = 0; k < 3; k++)
                    s.bodies[i].points[v][k] = (double)(kit_random(&random) % (2 + round % 3)) - 1;
        }
        require_set(&s, 100);
        free_set(&s);
    }
}

static void lattices(void** state) {
    (void)state;
    uint64_t random = 0xbead;
    static const double jitters[] = {0, 0.1, 0.45, 0.9};
    for (int round = 0; round < 4; round++) {
        test_set s = {.count = 2};
        const uint32_t n[2][3] = {
            {3, 3, 2},
            {2, 4, 2}
        };
        const double at[2][3] = {
            {-1,   -1,   -1},
            {0.25, 0.25, 0 }
        };
        for (int i = 0; i < 2; i++)
            s.bodies[i] = kit_lattice(n[i], at[i], 1, jitters[round], &random);
        require_set(&s, 10);
        free_set(&s);
    }
}

// A duplicated body, one copy inverted; then every tetrahedron duplicated as well.
static void duplicate_bodies(void** state) {
    (void)state;
    uint64_t random = 0xd0b1;
    const uint32_t n[3] = {2, 2, 2};
    const double at[3] = {0, 0, 0};
    test_set s = {.count = 2};
    for (uint32_t i = 0; i < 2; i++) {
        random = 0xd0b1;
        kit_body once = kit_lattice(n, at, 1, 0.2, &random);
        s.bodies[i] = kit_make(once.point_count, 2 * once.tet_count);
        memcpy(s.bodies[i].points, once.points, once.point_count * sizeof *once.points);
        for (uint32_t t = 0; t < 2 * once.tet_count; t++) {
            memcpy(s.bodies[i].tets[t], once.tets[t / 2], sizeof *once.tets);
            if (i == 1) {
                s.bodies[i].tets[t][0] = once.tets[t / 2][1];
                s.bodies[i].tets[t][1] = once.tets[t / 2][0];
            }
        }
        kit_free(&once);
    }
    require_set(&s, 27 * 2);
    free_set(&s);
}

static double scaled(double x, int round, uint64_t* random) {
    switch (round) {
    case 0:
        return x * 1e300;
    case 1:
        return x * 0x1p-1070;
    case 2:
        return x * 1e-160;
    case 3:
        return kit_random(random) % 4 ? x : x * 1e300;
    case 4:
        return kit_random(random) % 4 ? x : x * 1e-300;
    default:
        return kit_random(random) % 8 ? x * 0x1p-1000 : x * 1.7e308;
    }
}

static void huge_and_tiny(void** state) {
    (void)state;
    uint64_t random = 0xca5e;
    for (int round = 0; round < 6; round++) {
        test_set s = {.count = 2};
        for (uint32_t i = 0; i < s.count; i++) {
            s.bodies[i] = kit_soup(16, 24, 1, &random);
            for (uint32_t v = 0; v < s.bodies[i].point_count; v++)
                for (int k = 0; k < 3; k++)
                    s.bodies[i].points[v][k] = scaled(s.bodies[i].points[v][k], round, &random);
        }
        require_set(&s, 1);
        free_set(&s);
    }
}

// Two of a thousand are a million times as large.
static void a_few_huge(void** state) {
    (void)state;
    uint64_t random = 0x4096;
    const uint32_t n[3] = {5, 5, 5};
    const double at[3] = {-2, -2, -2};
    test_set s = {.count = 2};
    s.bodies[0] = kit_lattice(n, at, 1, 0.4, &random);
    s.bodies[1] = kit_soup(8, 2, 1e6, &random);
    kit_list truth = truth_of(&s);
    kit_list list = kit_find(s.bodies, 2, NULL, NULL, 1, NULL);
    assert_int_equal(truth.count, list.count);
    assert_true(list.cell_size > 0.1 && list.cell_size < 10);
    require_all(&s, &truth);
    free(list.data), free(truth.data);
    free_set(&s);
}

// ---- invariants

// On a grid of 2^-20, moved by a power of two, nothing is rounded: the reports are the same.
static void translated(void** state) {
    (void)state;
    static const double by[][3] = {
        {-1024, -512,   -2048  },
        {-3,    0x1p20, -0x1p18},
        {64,    -64,    0      }
    };
    uint64_t random = 0x70;
    const uint32_t n[3] = {6, 5, 7};
    const double at[2][3] = {
        {-3,  -3,   -3},
        {0.5, 0.25, -1}
    };
    test_set s = {.count = 2};
    for (int i = 0; i < 2; i++) {
        s.bodies[i] = kit_lattice(n, at[i], 1, 0.6, &random);
        for (uint32_t v = 0; v < s.bodies[i].point_count; v++)
            for (int k = 0; k < 3; k++)
                s.bodies[i].points[v][k] =
                    (double)(int64_t)(s.bodies[i].points[v][k] * 0x1p20) * 0x1p-20;
    }
    kit_list truth = truth_of(&s);
    assert_true(truth.count > 100);
    for (uint32_t m = 0; m < share_of(3); m++) {
        for (int sign = 1; sign >= -1; sign -= 2) {
            for (int i = 0; i < 2; i++)
                for (uint32_t v = 0; v < s.bodies[i].point_count; v++)
                    for (int k = 0; k < 3; k++) s.bodies[i].points[v][k] += sign * by[m][k];
            require_all(&s, &truth);
        }
    }
    free(truth.data);
    free_set(&s);
}

// More vertices than fit into a cache: the code path with prefetches. Compared with the hash table,
// because brute force would take an hour.
static void very_many(void** state) {
    (void)state;
    uint64_t random = 0x72;
    const uint32_t n[3] = {64, 26, 19};
    const double at[2][3] = {
        {0,   0,    0 },
        {5.5, 2.25, -3}
    };
    test_set s = {.count = 2};
    for (int i = 0; i < 2; i++) s.bodies[i] = kit_lattice(n, at[i], 1, 0.7, &random);
    assert_true(s.bodies[0].point_count + s.bodies[1].point_count >= FRC_TETS_CACHED_VERTICES);
    kit_options options = kit_default_options(KIT_METHOD_TESCHNER);
    kit_list truth = kit_find(s.bodies, 2, &options, NULL, 2, NULL);
    assert_true(truth.count > 10000);
    options.method = KIT_METHOD_SORTED_CELLS;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        kit_list list = kit_find(s.bodies, 2, &options, NULL, workers, NULL);
        kit_require_same(&truth, &list, "very many");
        free(list.data);
    }
    free(truth.data);
    free_set(&s);
}

// Bodies, tetrahedra and vertices in reverse order.
static void reversed_order(void** state) {
    (void)state;
    uint64_t random = 0x71;
    const uint32_t n[3] = {4, 4, 3};
    const double at[3] = {0, 0, 0};
    test_set s = {.count = 2}, r = {.count = 2};
    for (int i = 0; i < 2; i++) {
        const kit_body* b = &s.bodies[i];
        s.bodies[i] = kit_lattice(n, at, 1, 0.7, &random);
        r.bodies[1 - i] = kit_make(b->point_count, b->tet_count);
        for (uint32_t v = 0; v < b->point_count; v++)
            memcpy(r.bodies[1 - i].points[b->point_count - 1 - v], b->points[v], sizeof *b->points);
        for (uint32_t t = 0; t < b->tet_count; t++)
            for (int k = 0; k < 4; k++)
                r.bodies[1 - i].tets[b->tet_count - 1 - t][k] = b->point_count - 1 - b->tets[t][k];
    }
    for (int method = 0; method < KIT_METHOD_COUNT; method++) {
        const kit_options options = kit_default_options((kit_method)method);
        kit_list a = kit_find(s.bodies, 2, &options, NULL, 1, NULL);
        kit_list b = kit_find(r.bodies, 2, &options, NULL, 2, NULL);
        assert_true(a.count > 100);
        assert_int_equal(a.count, b.count);
        // The order of reports is reversed, too.
        for (size_t i = 0; i < a.count; i++) {
            const fracas_penetration *x = &a.data[i], *y = &b.data[b.count - 1 - i];
            assert_int_equal(x->vertex_body.index, 3 - y->vertex_body.index);
            assert_int_equal(x->tet_body.index, 3 - y->tet_body.index);
            assert_int_equal(x->vertex, s.bodies[0].point_count - 1 - y->vertex);
            assert_int_equal(x->tet, s.bodies[0].tet_count - 1 - y->tet);
            assert_memory_equal(x->barycentric, y->barycentric, sizeof x->barycentric);
        }
        free(a.data), free(b.data);
    }
    free_set(&s), free_set(&r);
}

// ---- sorted cells skip a tetrahedron whose cells contain four vertices: its corners

// Four different corners each, so that four vertices may be the corners.
static kit_body distinct_soup(uint32_t points, uint32_t tets, uint64_t* random) {
    kit_body b = kit_soup(points, tets, 1, random);
    for (uint32_t t = 0; t < tets; t++) {
        const uint32_t first = (uint32_t)(kit_random(random) % points);
        for (uint32_t i = 0; i < 4; i++) b.tets[t][i] = (first + i * (1 + t % 7)) % points;
    }
    return b;
}

static void require_sorted(const test_set* s, double cell_size) {
    kit_options options = kit_default_options(KIT_METHOD_SORTED_CELLS);
    kit_list truth = truth_of(s);
    assert_true(truth.count > 0);
    options.tets.cell_size = cell_size;
    require_one(s, &truth, &options, 1);
    free(truth.data);
}

// More vertices than a block has: those of one tetrahedron are processed in parts, each of which
// may have four.
static void many_vertices_per_cell(void** state) {
    (void)state;
    uint64_t random = 0xc0de;
    for (uint32_t round = 0; round < share_of(120); round++) {
        test_set s = {.count = 1};
        s.bodies[0] = distinct_soup(130 + round, 200, &random);
        require_sorted(&s, 0);
        free_set(&s);
    }
}

// A few tetrahedra at each of many places far apart: the table of cells wraps around, boxes cross
// its end, and any part of a box may have four vertices.
static void far_apart(void** state) {
    (void)state;
    uint64_t random = 0xfa57;
    enum { SITES = 40, EACH = 16 };
    for (uint32_t round = 0; round < share_of(60); round++) {
        test_set s = {.count = 1};
        s.bodies[0] = kit_make(SITES * EACH, SITES * EACH / 2);
        for (uint32_t site = 0; site < SITES; site++) {
            double at[3];
            for (int k = 0; k < 3; k++) at[k] = 300 * kit_real(&random);
            for (uint32_t i = site * EACH; i < (site + 1) * EACH; i++)
                for (int k = 0; k < 3; k++) s.bodies[0].points[i][k] = at[k] + kit_real(&random);
            for (uint32_t t = 0; t < EACH / 2; t++)
                for (uint32_t i = 0; i < 4; i++)
                    s.bodies[0].tets[site * EACH / 2 + t][i] =
                        site * EACH + (2 * t + i * (1 + t % 5)) % EACH;
        }
        require_sorted(&s, round % 2 ? 0.3 : 0);
        free_set(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translated),
        cmocka_unit_test(reversed_order),
        cmocka_unit_test(soups),
        cmocka_unit_test(integer_coordinates),
        cmocka_unit_test(lattices),
        cmocka_unit_test(duplicate_bodies),
        cmocka_unit_test(huge_and_tiny),
        cmocka_unit_test(a_few_huge),
        cmocka_unit_test(many_vertices_per_cell),
        cmocka_unit_test(far_apart),
        cmocka_unit_test(very_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
