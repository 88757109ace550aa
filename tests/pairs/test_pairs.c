// Batches against single calls, bit for bit: all kinds, generators of difficult motions, with and
// without separation, strides and floats, converted and gathered points, one worker, three, and no
// context. Then bad data, failed allocations and cancelling.
#include "context_kit.h"
#include "fracas/elementary.h"
#include "geom/generate_ccd.h"
#include <math.h>
#include <stdlib.h>

typedef double triple[3];

static const uint32_t SIZE[6] = {[FRACAS_CONTACT_VF] = 4,
                                 [FRACAS_CONTACT_EE] = 4,
                                 [FRACAS_CONTACT_VE] = 3,
                                 [FRACAS_CONTACT_VV] = 2};

// ---- pairs

enum { PAIRS = 4300, EXTRA = 40000 };  // more than one range; unused points, so that they gather

typedef struct set {
    fracas_contact_kind kind;
    triple t0[4 * PAIRS + EXTRA], t1[4 * PAIRS + EXTRA];
    uint32_t indices[4 * PAIRS];
    uint32_t points;
} set;

static set* make_set(fracas_contact_kind kind, uint64_t seed) {
    set* s = calloc(1, sizeof *s);
    generator g = {seed};
    s->kind = kind;
    for (uint32_t i = 0, n = 0; i < PAIRS;) {
        frc_point p[4];
        // The slow ones seldom.
        const int mode = (int)(generate_bits(&g) % GENERATE_CCD_COUNT);
        if ((mode >= 6 && mode <= 10) && generate_bits(&g) % 128) continue;
        const frc_ccd_kind made = generate_ccd(&g, mode, p);
        if ((made == FRC_CCD_EE) != (kind == FRACAS_CONTACT_EE)) continue;
        for (uint32_t k = 0; k < SIZE[kind]; k++, n++) {
            for (int axis = 0; axis < 3; axis++) {
                s->t0[n][axis] = frc_point_axis(&p[k], axis)[0];
                s->t1[n][axis] = frc_point_axis(&p[k], axis)[1];
            }
            s->indices[n] = n;
        }
        s->points = n;
        i++;
    }
    return s;
}

static fracas_pair_batch batch_of(const set* s, uint32_t extra) {
    fracas_pair_batch b = fracas_pairs_default_batch();
    b.kind = s->kind;
    b.points_t0 = (fracas_points){.data = s->t0, .count = s->points + extra};
    b.points_t1 = (fracas_points){.data = s->t1, .count = s->points + extra};
    b.indices = s->indices;
    b.count = PAIRS;
    return b;
}

// ---- one by one

static bool find_one(const fracas_pair_batch* b, uint32_t pair, fracas_impact* out) {
    triple x0[4], x1[4];
    const uint32_t* index = b->indices + (size_t)pair * SIZE[b->kind];
    for (uint32_t k = 0; k < SIZE[b->kind]; k++) {
        memcpy(x0[k], (const char*)b->points_t0.data + index[k] * sizeof *x0, sizeof *x0);
        memcpy(x1[k], (const char*)b->points_t1.data + index[k] * sizeof *x1, sizeof *x1);
    }
    const triple *const y0 = (const triple*)x0, *const y1 = (const triple*)x1;
    const double d = b->min_separation, tolerance = b->tolerance;
    fracas_impact exact, *const other = d > 0 ? NULL : &exact;
    memset(&exact, 0, sizeof exact);
    bool hit = false, same = false;
    switch (b->kind) {
    case FRACAS_CONTACT_VF:
        hit = fracas_vertex_face_find_approach(y0[0], y0 + 1, y1[0], y1 + 1, d, tolerance, out);
        same = fracas_vertex_face_find_impact(y0[0], y0 + 1, y1[0], y1 + 1, tolerance, other);
        break;
    case FRACAS_CONTACT_EE:
        hit = fracas_edge_edge_find_approach(y0, y0 + 2, y1, y1 + 2, d, tolerance, out);
        same = fracas_edge_edge_find_impact(y0, y0 + 2, y1, y1 + 2, tolerance, other);
        break;
    case FRACAS_CONTACT_VE:
        return fracas_vertex_edge_find_approach(y0[0], y0 + 1, y1[0], y1 + 1, d, tolerance, out);
    default:
        return fracas_vertex_vertex_find_approach(y0[0], y0[1], y1[0], y1[1], d, tolerance, out);
    }
    // Without separation the approach is the impact; with it no pair that touches is missed.
    if (d == 0) {
        assert_int_equal(hit, same);
        if (hit) assert_memory_equal(out, &exact, sizeof exact);
    }
    assert_true(hit || !same);
    return hit;
}

static bool measure_one(const fracas_pair_batch* b, uint32_t pair, fracas_distance* out) {
    triple x[4];
    const uint32_t* index = b->indices + (size_t)pair * SIZE[b->kind];
    for (uint32_t k = 0; k < SIZE[b->kind]; k++)
        memcpy(x[k], (const char*)b->points_t1.data + index[k] * sizeof *x, sizeof *x);
    const triple* const y = (const triple*)x;
    switch (b->kind) {
    case FRACAS_CONTACT_VF:
        return fracas_vertex_face_find_distance(y[0], y + 1, b->max_distance, out);
    case FRACAS_CONTACT_EE:
        return fracas_edge_edge_find_distance(y, y + 2, b->max_distance, out);
    case FRACAS_CONTACT_VE:
        return fracas_vertex_edge_find_distance(y[0], y + 1, b->max_distance, out);
    default:
        return fracas_vertex_vertex_find_distance(y[0], y[1], b->max_distance, out);
    }
}

// ---- batches

static void same_distance(const fracas_distance* a, const fracas_distance* b) {
    assert_memory_equal(&a->distance, &b->distance, sizeof a->distance);
    assert_memory_equal(a->weights, b->weights, sizeof a->weights);
    assert_memory_equal(a->points, b->points, sizeof a->points);
    assert_memory_equal(a->normal, b->normal, sizeof a->normal);
    assert_int_equal(a->type, b->type);
}

// Returns the number of hits.
static size_t compare(fracas_context* context, const fracas_pair_batch* b, bool impacts,
                      const uint8_t* hits, const fracas_impact* impact,
                      const fracas_distance* distance) {
    static uint8_t found[PAIRS];
    static fracas_impact found_impact[PAIRS];
    static fracas_distance found_distance[PAIRS];
    fracas_pairs_result result;
    size_t count = 0;
    double earliest = INFINITY;
    memset(found, 7, sizeof found);
    memset(found_impact, 7, sizeof found_impact);
    memset(found_distance, 7, sizeof found_distance);
    const fracas_impact untouched = found_impact[0];
    if (impacts)
        assert_int_equal(fracas_pairs_find_impacts(context, b, found, found_impact, &result),
                         FRACAS_OK);
    else
        assert_int_equal(fracas_pairs_find_distances(context, b, found, found_distance, &result),
                         FRACAS_OK);
    assert_memory_equal(found, hits, sizeof found);
    for (size_t i = 0; i < PAIRS; i++) {
        if (impacts)
            assert_memory_equal(&found_impact[i], hits[i] ? &impact[i] : &untouched,
                                sizeof untouched);
        else if (hits[i])
            same_distance(&found_distance[i], &distance[i]);
        if (!hits[i]) continue;
        count++;
        if (impacts && impact[i].toi < earliest) earliest = impact[i].toi;
    }
    assert_int_equal(result.hits, count);
    assert_int_equal(result.bad_pair, SIZE_MAX);
    assert_true(result.earliest_toi == earliest);
    return count;
}

static void compare_all(fracas_contact_kind kind, uint64_t seed) {
    static uint8_t hits[PAIRS];
    static fracas_impact impact[PAIRS];
    static fracas_distance distance[PAIRS];
    fracas_context* contexts[3] = {NULL, kit_context(1, NULL), kit_context(3, NULL)};
    set* s = make_set(kind, seed);
    fracas_pair_batch b = batch_of(s, 0), wide = batch_of(s, EXTRA);
    for (int mode = 0; mode < 5; mode++) {
        const bool impacts = mode < 2;
        size_t count = 0;
        b.min_separation = wide.min_separation = mode == 1 ? 0.01 : 0;
        b.max_distance = wide.max_distance = mode == 2 ? INFINITY : mode == 3 ? 0.25 : 0;
        for (uint32_t i = 0; i < PAIRS; i++)
            hits[i] = impacts ? find_one(&b, i, &impact[i]) : measure_one(&b, i, &distance[i]);
        for (int c = 0; c < 3; c++) {
            count = compare(contexts[c], &b, impacts, hits, impact, distance);
            compare(contexts[c], &wide, impacts, hits, impact, distance);
        }
        // Neither all nor none, but where all are wanted.
        assert_true(mode == 2 ? count == PAIRS : count > 10 && count < PAIRS - 10);
    }
    free(s);
    for (int c = 0; c < 3; c++) fracas_context_destroy(contexts[c]);
}

static void test_same_bits(void** unused) {
    (void)unused;
    for (int kind = FRACAS_CONTACT_VF; kind <= FRACAS_CONTACT_VV; kind++)
        compare_all((fracas_contact_kind)kind, 5 + (uint64_t)kind);
}

// ---- other layouts

// Floats at a stride, and indices that repeat: the same as the doubles that they are.
static void test_layouts(void** unused) {
    (void)unused;
    enum { N = 60, COUNT = 3000, STRIDE = 5 };
    static float narrow[2][STRIDE * N];
    static triple wide[2][N];
    static uint32_t indices[4 * COUNT];
    static uint8_t hits[2][COUNT];
    static fracas_impact impacts[2][COUNT];
    generator g = {3};
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++) {
                const float x = (float)(generate_bits(&g) % 1000) / 500 - 1;
                narrow[end][STRIDE * i + k] = x;
                wide[end][i][k] = x;
            }
    for (int i = 0; i < 4 * COUNT; i++) indices[i] = (uint32_t)(generate_bits(&g) % N);
    fracas_pair_batch b = fracas_pairs_default_batch();
    b.indices = indices;
    b.count = COUNT;
    for (int scalar = 0; scalar < 2; scalar++) {
        fracas_points* const points[2] = {&b.points_t0, &b.points_t1};
        for (int end = 0; end < 2; end++)
            *points[end] = scalar ? (fracas_points){narrow[end], N, STRIDE * sizeof(float),
                                                    FRACAS_SCALAR_FLOAT}
                                  : (fracas_points){.data = wide[end], .count = N};
        assert_int_equal(fracas_pairs_find_impacts(NULL, &b, hits[scalar], impacts[scalar], NULL),
                         FRACAS_OK);
    }
    size_t count = 0;
    for (int i = 0; i < COUNT; i++) count += hits[0][i];
    assert_true(count > 100 && count < COUNT - 100);
    assert_memory_equal(hits[0], hits[1], sizeof hits[0]);
    assert_memory_equal(impacts[0], impacts[1], sizeof impacts[0]);
}

// ---- failures

static void expect_bad(const fracas_pair_batch* b, bool impacts, size_t pair, const char* words) {
    static uint8_t hits[PAIRS], before[PAIRS];
    fracas_pairs_result result;
    memset(hits, 9, sizeof hits);
    memset(before, 9, sizeof before);
    for (int workers = 0; workers < 3; workers++) {
        fracas_context* context = workers ? kit_context((uint32_t)workers, NULL) : NULL;
        const fracas_status status =
            impacts ? fracas_pairs_find_impacts(context, b, hits, NULL, &result)
                    : fracas_pairs_find_distances(context, b, hits, NULL, &result);
        assert_int_equal(status, FRACAS_ERROR_BAD_DATA);
        assert_int_equal(result.bad_pair, pair);
        assert_int_equal(result.hits, 0);
        assert_memory_equal(hits, before, sizeof hits);
        if (context && !strstr(kit_message(context), words))
            fail_msg("no '%s' in '%s'", words, kit_message(context));
        fracas_context_destroy(context);
    }
}

static void test_bad_data(void** unused) {
    (void)unused;
    set* s = make_set(FRACAS_CONTACT_VF, 8);
    // A gathered batch has its points looked at pair by pair.
    for (uint32_t extra = 0; extra <= EXTRA; extra += EXTRA) {
        fracas_pair_batch b = batch_of(s, extra);
        const uint32_t last = s->indices[4 * 4200 + 1], first = s->indices[4 * 37 + 3];
        s->indices[4 * 4200 + 1] = b.points_t1.count;
        expect_bad(&b, true, 4200, "pair 4200 refers to point");
        s->indices[4 * 37 + 3] = UINT32_MAX;
        expect_bad(&b, false, 37, "pair 37 refers to point 4294967295");
        s->indices[4 * 4200 + 1] = last;
        s->indices[4 * 37 + 3] = first;
        s->t1[first][2] = NAN;
        expect_bad(&b, true, 37, "of pair 37 is");
        expect_bad(&b, false, 37, "at t = 1: it must be finite");
        s->t1[first][2] = 0;
        s->t0[first][1] = -INFINITY;
        expect_bad(&b, true, 37, "at t = 0: it must be finite");
        // Distances do not read t = 0, and nobody minds a point without a pair.
        fracas_context* context = kit_context(1, NULL);
        assert_int_equal(fracas_pairs_find_distances(context, &b, NULL, NULL, NULL), FRACAS_OK);
        s->indices[4 * 37 + 3] = s->indices[0];
        assert_int_equal(fracas_pairs_find_impacts(context, &b, NULL, NULL, NULL), FRACAS_OK);
        s->indices[4 * 37 + 3] = first;
        s->t0[first][1] = 0;
        fracas_context_destroy(context);
    }
    free(s);
}

static void test_misuse(void** unused) {
    (void)unused;
    set* s = make_set(FRACAS_CONTACT_EE, 9);
    fracas_context* context = kit_context(1, NULL);
    const fracas_pair_batch good = batch_of(s, 0);
    const fracas_status wanted = FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_pair_batch b;
#define REFUSES(change, words)                                                                     \
    b = good;                                                                                      \
    change;                                                                                        \
    KIT_REFUSED(context, fracas_pairs_find_impacts(context, &b, NULL, NULL, NULL), wanted, words); \
    assert_int_equal(fracas_pairs_find_impacts(NULL, &b, NULL, NULL, NULL), wanted)
    REFUSES(b.struct_size = 0, "fracas_pairs_default_batch");
    REFUSES(b.kind = FRACAS_CONTACT_ET, "kind is 1");
    REFUSES(b.kind = (fracas_contact_kind)6, "kind is 6");
    REFUSES(b.indices = NULL, "batch.indices is NULL");
    REFUSES(b.points_t0.count--, "must be as many");
    REFUSES(b.points_t0.data = NULL, "points_t0");
    REFUSES(b.points_t1.stride = 8, "points_t1");
    REFUSES(b.points_t1.scalar = (fracas_scalar)2, "points_t1");
    REFUSES(b.min_separation = -1, "min_separation is -1");
    REFUSES(b.min_separation = INFINITY, "min_separation is inf");
    REFUSES(b.tolerance = 0, "tolerance is 0");
#undef REFUSES
    b = good;
    b.max_distance = NAN;
    KIT_REFUSED(context, fracas_pairs_find_distances(context, &b, NULL, NULL, NULL), wanted,
                "max_distance is");
    b = fracas_pairs_default_batch();
    fracas_pairs_result result;
    KIT_OK(context, fracas_pairs_find_impacts(context, &b, NULL, NULL, &result));
    assert_int_equal(result.hits, 0);
    fracas_context_destroy(context);
    free(s);
}

static void test_memory_and_cancel(void** unused) {
    (void)unused;
    set* s = make_set(FRACAS_CONTACT_VF, 10);
    static uint8_t hits[PAIRS];
    test_allocator memory = {0};
    fracas_context* context = kit_context(2, &memory);
    fracas_pair_batch b = batch_of(s, 0);
    test_allocator_fail_at(&memory, 1);
    memset(hits, 9, sizeof hits);
    KIT_REFUSED(context, fracas_pairs_find_impacts(context, &b, hits, NULL, NULL),
                FRACAS_ERROR_OUT_OF_MEMORY, "out of memory");
    for (size_t i = 0; i < PAIRS; i++) assert_int_equal(hits[i], 9);
    test_allocator_fail_at(&memory, 0);
    fracas_context_cancel(context);
    KIT_REFUSED(context, fracas_pairs_find_impacts(context, &b, hits, NULL, NULL),
                FRACAS_ERROR_CANCELLED, "cancelled");
    fracas_context_resume(context);
    KIT_OK(context, fracas_pairs_find_impacts(context, &b, hits, NULL, NULL));
    fracas_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_bad_data), cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_memory_and_cancel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
