// What the parameters of spatial hashing do, by counts: time stamps, the size of cells, the number
// of buckets; the one-pass variant; the published tests, which are rounded.
#include "published/tets_methods.h"
#include "tets/tets_kit.h"
#include <math.h>

enum { BODIES = 2 };

// Two jittered lattices that penetrate each other; edges are about one long. Without jitter all
// coordinates are multiples of 0.5.
static void make_lattices(kit_body bodies[BODIES], double jitter) {
    uint64_t random = 0x7e5c;
    const uint32_t n[3] = {7, 6, 5};
    const double at[BODIES][3] = {
        {0,                0,                   0                 },
        {jitter ? 2.3 : 2, jitter ? 1.75 : 1.5, jitter ? 0.6 : 0.5}
    };
    for (int i = 0; i < BODIES; i++) bodies[i] = kit_lattice(n, at[i], 1, jitter, &random);
}

static void make_bodies(kit_body bodies[BODIES]) { make_lattices(bodies, 0.2); }

static void free_bodies(kit_body bodies[BODIES]) {
    for (int i = 0; i < BODIES; i++) kit_free(&bodies[i]);
}

static fracas_tets* open_tets(fracas_context* context, const kit_options* options,
                              const kit_body bodies[BODIES], fracas_body handles[BODIES]) {
    fracas_tets* tets;
    assert_int_equal(kit_create(context, options, &tets), FRACAS_OK);
    for (int i = 0; i < BODIES; i++) {
        const fracas_tet_view view = kit_view(&bodies[i]);
        assert_int_equal(fracas_tets_add(tets, &view, &handles[i]), FRACAS_OK);
    }
    return tets;
}

// ---- time stamps

// A step increments the stamp and writes only buckets that get vertices: no other one is reset.
static void stamps_replace_clearing(void** state) {
    (void)state;
    kit_body bodies[BODIES];
    fracas_body handles[BODIES];
    make_bodies(bodies);
    fracas_context* context = kit_context(1);
    kit_options options = kit_default_options(KIT_METHOD_TESCHNER);
    options.published.table_size = 4999;
    fracas_tets* tets = open_tets(context, &options, bodies, handles);
    const frc_hash_table* table = &((const frc_teschner*)tets->method_state)->table;
    uint32_t old[4999] = {0}, kept = 0, written = 0;
    for (uint32_t step = 1; step <= 20; step++) {
        kit_list list = {0};
        fracas_tets_statistics found, fresh;
        for (uint32_t v = 0; v < bodies[1].point_count; v++) bodies[1].points[v][step % 3] += 0.9;
        const fracas_points points = {.data = bodies[1].points, .count = bodies[1].point_count};
        assert_int_equal(fracas_tets_move(tets, handles[1], &points), FRACAS_OK);
        kit_detect(tets, NULL, &list, &found);
        assert_int_equal(table->size, 4999);
        assert_int_equal(table->time, step);
        uint32_t entries = 0;
        for (uint32_t i = 0; i < table->size; i++) {
            const bool current = table->buckets[i].time == step;
            if (current) assert_true(table->buckets[i].count > 0);
            if (current) entries += table->buckets[i].count;
            if (!current) assert_int_equal(table->buckets[i].time, old[i]);
            if (!current && old[i]) kept++;
            written += current;
            old[i] = table->buckets[i].time;
        }
        assert_int_equal(entries, bodies[0].point_count + bodies[1].point_count);
        // Entries of earlier steps are not looked at: a table without a past finds as many.
        options.tets.cell_size = list.cell_size;
        kit_list truth = kit_find(bodies, BODIES, &options, NULL, 1, &fresh);
        kit_require_same(&truth, &list, "after a step");
        assert_int_equal(found.candidates, fresh.candidates);
        assert_int_equal(found.tested, fresh.tested);
        free(list.data), free(truth.data);
    }
    assert_true(kept > 100 && written > 1000);
    fracas_tets_destroy(tets);
    fracas_context_destroy(context);
    free_bodies(bodies);
}

// ---- cells and boxes

// Cells are as long as the mean edge, over up to 256 tetrahedra without the largest tenth.
static void cells_are_as_long_as_edges(void** state) {
    (void)state;
    uint64_t random = 0x1e;
    const uint32_t n[3] = {4, 3, 3};
    const double origin[3] = {0};
    for (double size = 1e-3; size < 1e4; size *= 13) {
        kit_body body = kit_lattice(n, origin, size, 0.2, &random);
        for (uint32_t shown = 4; shown < body.tet_count; shown *= 3) {
            double lengths[6 * 4 * 3 * 3], mean = 0;
            for (uint32_t t = 0; t < shown; t++) {
                lengths[t] = 0;
                for (int e = 0; e < 6; e++) {
                    const int ends[2] = {e < 3   ? 0
                                         : e < 5 ? 1
                                                 : 2,
                                         e < 3   ? e + 1
                                         : e < 5 ? e - 1
                                                 : 3};
                    const double *a = body.points[body.tets[t][ends[0]]],
                                 *b = body.points[body.tets[t][ends[1]]];
                    lengths[t] +=
                        sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                             (a[2] - b[2]) * (a[2] - b[2])) /
                        6;
                }
                for (uint32_t k = t; k > 0 && lengths[k] < lengths[k - 1]; k--) {
                    const double other = lengths[k];
                    lengths[k] = lengths[k - 1], lengths[k - 1] = other;
                }
            }
            const uint32_t kept = shown - shown / 10;
            for (uint32_t t = 0; t < kept; t++) mean += lengths[t] / kept;
            const kit_options options = kit_default_options(KIT_METHOD_TESCHNER);
            kit_body part = body;
            part.tet_count = shown;
            kit_list list = kit_find(&part, 1, &options, NULL, 1, NULL);
            assert_true(fabs(list.cell_size - mean) < 1e-9 * mean);
            free(list.data);
        }
        kit_free(&body);
    }
}

// Pairs of a tetrahedron and a vertex in its box that is not a corner. `weighted`: each vertex as
// often as tetrahedra have it.
static uint64_t count_in_boxes(const fracas_tets* tets, bool weighted) {
    uint32_t* uses = calloc(tets->vertices.count, sizeof *uses);
    uint64_t sum = 0;
    for (size_t t = 0; t < tets->tets.count; t++)
        for (int i = 0; i < 4; i++) uses[tets->tets.data[t].corner[i]]++;
    for (size_t t = 0; t < tets->tets.count; t++)
        for (uint32_t v = 0; v < tets->vertices.count; v++) {
            const uint32_t* corner = tets->tets.data[t].corner;
            bool in = true;
            for (int k = 0; k < 3 && in; k++) {
                int32_t lo = INT32_MAX, hi = INT32_MIN, at = tets->units.data[v].at[k];
                for (int i = 0; i < 4; i++) {
                    const int32_t c = tets->units.data[corner[i]].at[k];
                    if (c < lo) lo = c;
                    if (c > hi) hi = c;
                }
                in = lo <= at && at <= hi;
            }
            for (int i = 0; i < 4; i++) in = in && corner[i] != v;
            if (in) sum += weighted ? uses[v] : 1;
        }
    free(uses);
    return sum;
}

// What is tested are the vertices in the box of a tetrahedron that are not its corners, once each;
// in one pass once for each other tetrahedron that has the vertex, whatever cells they share.
static void require_tests_in_boxes(fracas_context* context, const kit_body bodies[BODIES],
                                   double cell_size) {
    fracas_body handles[BODIES];
    for (int m = KIT_METHOD_TESCHNER; m <= KIT_METHOD_TESCHNER_ONE_PASS; m++) {
        kit_options options = kit_default_options((kit_method)m);
        options.tets.cell_size = cell_size;
        fracas_tets* tets = open_tets(context, &options, bodies, handles);
        kit_list list = {0};
        fracas_tets_statistics found;
        kit_detect(tets, NULL, &list, &found);
        assert_int_equal(found.tested, count_in_boxes(tets, m == KIT_METHOD_TESCHNER_ONE_PASS));
        assert_true(found.tested > list.count);
        free(list.data);
        fracas_tets_destroy(tets);
    }
}

static void only_vertices_in_the_box_are_tested(void** state) {
    (void)state;
    kit_body bodies[BODIES];
    fracas_context* context = kit_context(1);
    make_bodies(bodies);
    for (double size = 0; size < 4; size = 2 * size + 0.4)
        require_tests_in_boxes(context, bodies, size);
    free_bodies(bodies);
    // Vertices where two cells meet belong to one of them.
    make_lattices(bodies, 0);
    for (double size = 0.5; size < 4; size *= 2) require_tests_in_boxes(context, bodies, size);
    free_bodies(bodies);
    fracas_context_destroy(context);
}

// ---- sizes

typedef struct counts {
    fracas_tets_statistics s;
    uint32_t used;  // buckets
} counts;

static counts count(const kit_body bodies[BODIES], const kit_options* options,
                    const kit_list* truth) {
    counts c = {0};
    fracas_body handles[BODIES];
    fracas_context* context = kit_context(1);
    fracas_tets* tets = open_tets(context, options, bodies, handles);
    kit_list list = {0};
    kit_detect(tets, NULL, &list, &c.s);
    kit_require_same(truth, &list, "a size");
    const frc_hash_table* table = &((const frc_teschner*)tets->method_state)->table;
    for (uint32_t i = 0; i < table->size; i++) c.used += table->buckets[i].time == table->time;
    free(list.data);
    fracas_tets_destroy(tets);
    fracas_context_destroy(context);
    return c;
}

// Smaller cells: more of them to look up, fewer vertices in them. Figures 5 and 6 are the sum.
static void cells_trade_lookups_for_vertices(void** state) {
    (void)state;
    kit_body bodies[BODIES];
    make_bodies(bodies);
    kit_list truth = kit_find(bodies, BODIES, NULL, NULL, 1, NULL);
    assert_true(truth.count > 100);
    for (int m = KIT_METHOD_TESCHNER; m <= KIT_METHOD_TESCHNER_ONE_PASS; m++) {
        counts before = {0};
        double least = 1e30, best = 0;
        for (double size = 0.25; size <= 8; size *= 2) {
            kit_options options = kit_default_options((kit_method)m);
            options.tets.cell_size = size;
            options.published.table_size = 1 << 20;
            const counts c = count(bodies, &options, &truth);
            if (size > 0.25) {
                assert_true(c.s.cells < before.s.cells);
                if (m == KIT_METHOD_TESCHNER) assert_true(c.s.candidates > before.s.candidates);
                assert_true(c.used < before.used);
            }
            // A lookup costs about as much as a few vertices.
            const double cost = 4.0 * (double)c.s.cells + (double)c.s.candidates;
            if (cost < least) least = cost, best = size;
            before = c;
        }
        if (m == KIT_METHOD_TESCHNER) assert_true(best >= 0.5 && best <= 2);
    }
    free(truth.data);
    free_bodies(bodies);
}

// Fewer buckets: more cells share one, so more vertices are compared in vain. Figures 3 and 4.
static void buckets_separate_cells(void** state) {
    (void)state;
    kit_body bodies[BODIES];
    make_bodies(bodies);
    kit_list truth = kit_find(bodies, BODIES, NULL, NULL, 1, NULL);
    static const uint32_t sizes[] = {1, 9, 99, 499, 1999, 9973, 1 << 20};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    for (int m = KIT_METHOD_TESCHNER; m <= KIT_METHOD_TESCHNER_ONE_PASS; m++) {
        counts all[COUNT];
        for (int i = 0; i < COUNT; i++) {
            kit_options options = kit_default_options((kit_method)m);
            options.published.table_size = sizes[i];
            all[i] = count(bodies, &options, &truth);
            // What is compared with a tetrahedron is in its box, whatever the number of buckets.
            assert_int_equal(all[i].s.tested, all[0].s.tested);
            assert_int_equal(all[i].s.cells, all[0].s.cells);
            if (i > 0) assert_true(all[i].s.candidates < all[i - 1].s.candidates);
            if (i > 0) assert_true(all[i].used > all[i - 1].used);
        }
        const uint64_t vertices = bodies[0].point_count + bodies[1].point_count;
        if (m == KIT_METHOD_TESCHNER)
            assert_int_equal(all[0].s.candidates, all[0].s.cells * vertices);
        // Once there are more buckets than vertices, more of them gain little.
        assert_true(all[COUNT - 2].s.candidates < 1.2 * (double)all[COUNT - 1].s.candidates);
        assert_true(all[0].s.candidates > 20 * all[COUNT - 1].s.candidates);
    }
    free(truth.data);
    free_bodies(bodies);
}

static uint32_t hash_by_hand(fracas_published_tets_hash function, const int32_t cell[3]) {
    const uint32_t x = (uint32_t)cell[0], y = (uint32_t)cell[1], z = (uint32_t)cell[2];
    if (function == FRACAS_PUBLISHED_TETS_HASH_XOR)
        return x * 73856093u ^ y * 19349663u ^ z * 83492791u;
    if (function == FRACAS_PUBLISHED_TETS_HASH_ADDITIVE)
        return x * 73856093u + y * 19349663u + z * 83492791u;
    uint32_t h = (x << 5 | x >> 27) ^ y;
    h = h << 13 | h >> 19;
    return h ^ z;
}

// Vertices are in the buckets that the chosen function gives, in a table of the chosen size; the
// default is four buckets per vertex.
static void functions_choose_buckets(void** state) {
    (void)state;
    kit_body bodies[BODIES];
    fracas_body handles[BODIES];
    make_bodies(bodies);
    fracas_context* context = kit_context(1);
    const uint32_t vertices = bodies[0].point_count + bodies[1].point_count;
    for (int function = 0; function <= FRACAS_PUBLISHED_TETS_HASH_ROTATING; function++)
        for (uint32_t size = 0; size < 3000; size += 499) {
            kit_options options = kit_default_options(KIT_METHOD_TESCHNER);
            options.published.hash = (fracas_published_tets_hash)function;
            options.published.table_size = size;
            fracas_tets* tets = open_tets(context, &options, bodies, handles);
            assert_int_equal(fracas_tets_update(tets), FRACAS_OK);
            const frc_hash_table* table = &((const frc_teschner*)tets->method_state)->table;
            assert_int_equal(table->size, size ? size : ((4 * vertices + 63) | 1));
            uint32_t* wanted = calloc(table->size, sizeof *wanted);
            for (uint32_t v = 0; v < vertices; v++) {
                int32_t cell[3];
                for (int k = 0; k < 3; k++)
                    cell[k] = (int32_t)floor(tets->units.data[v].at[k] / 4096.0);
                wanted[hash_by_hand(options.published.hash, cell) % table->size]++;
            }
            for (uint32_t i = 0; i < table->size; i++)
                assert_int_equal(
                    table->buckets[i].time == table->time ? table->buckets[i].count : 0, wanted[i]);
            free(wanted);
            fracas_tets_destroy(tets);
        }
    fracas_context_destroy(context);
    free_bodies(bodies);
}

// ---- one pass

// The table holds a tetrahedron in each of its cells, several times as much as one entry per
// vertex: the paper's reason for two passes. The sets are equal.
static void one_pass_has_more_entries(void** state) {
    (void)state;
    kit_body bodies[BODIES];
    make_bodies(bodies);
    kit_list truth = kit_find(bodies, BODIES, NULL, NULL, 1, NULL);
    size_t entries[2];
    counts c[2];
    for (int m = 0; m < 2; m++) {
        fracas_body handles[BODIES];
        fracas_context* context = kit_context(1);
        const kit_options options = kit_default_options((kit_method)(KIT_METHOD_TESCHNER + m));
        fracas_tets* tets = open_tets(context, &options, bodies, handles);
        assert_int_equal(fracas_tets_update(tets), FRACAS_OK);
        entries[m] = ((const frc_teschner*)tets->method_state)->table.entries.count;
        fracas_tets_destroy(tets);
        fracas_context_destroy(context);
        c[m] = count(bodies, &options, &truth);
    }
    assert_int_equal(entries[0], bodies[0].point_count + bodies[1].point_count);
    assert_int_equal(entries[1], c[1].s.cells);
    assert_true(entries[1] > 10 * entries[0]);
    assert_true(c[1].s.candidates > 10 * c[0].s.candidates);
    assert_true(c[1].s.tested > c[0].s.tested);
    free(truth.data);
    free_bodies(bodies);
}

// ---- rounded tests

static kit_list find_rounded(const kit_body* bodies, uint32_t number,
                             fracas_published_tets_test test) {
    kit_options options = kit_default_options(KIT_METHOD_TESCHNER);
    options.published.test = test;
    return kit_find(bodies, number, &options, NULL, 1, NULL);
}

// In general position the published tests find what exact arithmetic finds; where vertices touch
// faces and tetrahedra are flat they do not.
static void published_tests_are_rounded(void** state) {
    (void)state;
    kit_body bodies[BODIES];
    make_bodies(bodies);
    kit_list truth = kit_find(bodies, BODIES, NULL, NULL, 1, NULL);
    for (int test = FRACAS_PUBLISHED_TETS_TEST_BARYCENTRIC;
         test <= FRACAS_PUBLISHED_TETS_TEST_HALF_SPACES; test++) {
        kit_list list = find_rounded(bodies, BODIES, (fracas_published_tets_test)test);
        kit_require_same(&truth, &list, "in general position");
        free(list.data);
    }
    // Inverted tetrahedra too.
    for (uint32_t t = 0; t < bodies[1].tet_count; t++) {
        const uint32_t first = bodies[1].tets[t][0];
        bodies[1].tets[t][0] = bodies[1].tets[t][1], bodies[1].tets[t][1] = first;
    }
    for (int test = FRACAS_PUBLISHED_TETS_TEST_BARYCENTRIC;
         test <= FRACAS_PUBLISHED_TETS_TEST_HALF_SPACES; test++) {
        kit_list list = find_rounded(bodies, BODIES, (fracas_published_tets_test)test);
        assert_int_equal(list.count, truth.count);
        free(list.data);
    }
    free(truth.data);
    free_bodies(bodies);

    // One point near the middle of a face, in a third of the directions exactly on it.
    uint64_t random = 0xf1a7;
    size_t wrong[3] = {0}, all = 0, different = 0;
    for (int round = 0; round < 200; round++) {
        kit_body soup = kit_soup(8, 2, 1, &random);
        for (uint32_t i = 0; i < 4; i++) soup.tets[0][i] = i, soup.tets[1][i] = 4 + i;
        for (int k = 0; k < 3; k++) {
            double* p = soup.points[4];
            p[k] = (soup.points[0][k] + soup.points[1][k] + soup.points[2][k]) / 3;
            if (round % 2) soup.points[3][k] = soup.points[0][k] + soup.points[1][k] - p[k];
        }
        kit_list exact = kit_find(&soup, 1, NULL, NULL, 1, NULL);
        all += exact.count;
        size_t found[3] = {0};
        for (int test = 1; test < 3; test++) {
            kit_list list = find_rounded(&soup, 1, (fracas_published_tets_test)test);
            found[test] = list.count;
            if (list.count != exact.count) wrong[test]++;
            free(list.data);
        }
        different += found[1] != found[2];
        free(exact.data);
        kit_free(&soup);
    }
    print_message("%d pairs; wrong: %d by coordinates, %d by half-spaces; %d times they differ\n",
                  (int)all, (int)wrong[1], (int)wrong[2], (int)different);
    assert_true(all > 20 && wrong[1] > 0 && wrong[2] > 0 && different > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stamps_replace_clearing),
                                       cmocka_unit_test(cells_are_as_long_as_edges),
                                       cmocka_unit_test(only_vertices_in_the_box_are_tested),
                                       cmocka_unit_test(cells_trade_lookups_for_vertices),
                                       cmocka_unit_test(buckets_separate_cells),
                                       cmocka_unit_test(functions_choose_buckets),
                                       cmocka_unit_test(one_pass_has_more_entries),
                                       cmocka_unit_test(published_tests_are_rounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
