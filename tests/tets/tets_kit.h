/// @file tets_kit.h  Tetrahedral bodies for tests, all methods, and lists of penetrations.
#pragma once
#include "cmocka_all.h"
#include "common_kit.h"
#include "fracas/elementary.h"
#include "fracas/published.h"
#include "tets/tets.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kit_body {
    double (*points)[3];
    uint32_t (*tets)[4];
    uint32_t point_count, tet_count;
} kit_body;

/// In [-1, 1).
static inline double kit_real(uint64_t* state) { return kit_uniform(state, -1, 1); }

static inline kit_body kit_make(uint32_t points, uint32_t tets) {
    kit_body b = {calloc(points ? points : 1, sizeof *b.points),
                  calloc(tets ? tets : 1, sizeof *b.tets), points, tets};
    assert_true(b.points && b.tets);
    return b;
}

static inline void kit_free(kit_body* b) {
    free(b->points);
    free(b->tets);
}

static inline fracas_tet_view kit_view(const kit_body* b) {
    fracas_tet_view view = {
        .points = {.data = b->points, .count = b->point_count},
        .tets = &b->tets[0][0],
        .tet_count = b->tet_count
    };
    return view;
}

/// A box of n[0] x n[1] x n[2] cubes, six tetrahedra each, with corners displaced at random by a
/// fraction of `size`.
static inline kit_body kit_lattice(const uint32_t n[3], const double at[3], double size,
                                   double jitter, uint64_t* random) {
    static const int order[6][3] = {
        {0, 1, 2},
        {0, 2, 1},
        {1, 0, 2},
        {1, 2, 0},
        {2, 0, 1},
        {2, 1, 0}
    };
    const uint32_t step[3] = {1, n[0] + 1, (n[0] + 1) * (n[1] + 1)};
    kit_body b = kit_make((n[0] + 1) * (n[1] + 1) * (n[2] + 1), 6 * n[0] * n[1] * n[2]);
    uint32_t tet = 0;
    for (uint32_t i = 0; i < b.point_count; i++)
        for (int k = 0; k < 3; k++)
            b.points[i][k] = at[k] + size * ((double)(i / step[k] % (n[k] + 1)) +
                                             (jitter > 0 ? jitter * kit_real(random) : 0));
    for (uint32_t z = 0; z < n[2]; z++)
        for (uint32_t y = 0; y < n[1]; y++)
            for (uint32_t x = 0; x < n[0]; x++)
                for (int p = 0; p < 6; p++, tet++) {
                    uint32_t v = x * step[0] + y * step[1] + z * step[2];
                    for (int i = 0; i < 4; i++) {
                        b.tets[tet][i] = v;
                        if (i < 3) v += step[order[p][i]];
                    }
                }
    return b;
}

/// Tetrahedra with random corners among `points` points.
static inline kit_body kit_soup(uint32_t points, uint32_t tets, double size, uint64_t* random) {
    kit_body b = kit_make(points, tets);
    for (uint32_t i = 0; i < points; i++)
        for (int k = 0; k < 3; k++) b.points[i][k] = size * kit_real(random);
    for (uint32_t t = 0; t < tets; t++)
        for (int i = 0; i < 4; i++) b.tets[t][i] = (uint32_t)(kit_random(random) % points);
    return b;
}

// ---- methods

typedef enum kit_method {
    KIT_METHOD_SORTED_CELLS,
    KIT_METHOD_TESCHNER,
    KIT_METHOD_TESCHNER_ONE_PASS,
    KIT_METHOD_BVH,
    KIT_METHOD_BRUTE_FORCE
} kit_method;
enum { KIT_METHOD_COUNT = 5 };

typedef struct kit_options {
    kit_method method;
    fracas_tets_options tets;
    fracas_published_tets_options published;  // without the method
} kit_options;

static inline kit_options kit_default_options(kit_method method) {
    return (kit_options){method, fracas_tets_default_options(),
                         fracas_published_tets_default_options()};
}

/// Uses fracas_tets_create() if its options suffice.
static inline fracas_status kit_create(fracas_context* context, const kit_options* options,
                                       fracas_tets** out) {
    if (options->method == KIT_METHOD_BRUTE_FORCE)
        return frc_tets_create(context, &options->tets, &frc_tets_brute_force, out);
    if (options->method == KIT_METHOD_SORTED_CELLS && !options->published.test)
        return fracas_tets_create(context, &options->tets, out);
    static const fracas_published_tets_method methods[] = {
        [KIT_METHOD_SORTED_CELLS] = FRACAS_PUBLISHED_TETS_METHOD_SORTED_CELLS,
        [KIT_METHOD_TESCHNER] = FRACAS_PUBLISHED_TETS_METHOD_TESCHNER,
        [KIT_METHOD_TESCHNER_ONE_PASS] = FRACAS_PUBLISHED_TETS_METHOD_TESCHNER_ONE_PASS,
        [KIT_METHOD_BVH] = FRACAS_PUBLISHED_TETS_METHOD_BVH};
    fracas_published_tets_options published = options->published;
    published.method = methods[options->method];
    return fracas_published_tets_create(context, &options->tets, &published, out);
}

// ---- results

typedef struct kit_list {
    fracas_penetration* data;
    size_t count, capacity;
    double cell_size;
} kit_list;

static inline bool kit_collect(const fracas_penetration* p, void* user) {
    kit_list* list = user;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->data = realloc(list->data, list->capacity * sizeof *list->data);
        assert_non_null(list->data);
    }
    list->data[list->count++] = *p;
    return true;
}

static inline fracas_context* kit_context(uint32_t workers) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    fracas_context* context;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

static inline void kit_detect(fracas_tets* tets, const fracas_tets_query* query, kit_list* out,
                              fracas_tets_statistics* statistics) {
    fracas_tets_sink sink = {kit_collect, out, statistics};
    out->count = 0;
    fracas_tets_update_statistics update;
    assert_int_equal(fracas_tets_update(tets), FRACAS_OK);
    assert_int_equal(fracas_tets_get_update_statistics(tets, &update), FRACAS_OK);
    out->cell_size = update.cell_size;
    assert_int_equal(fracas_tets_detect(tets, query, &sink), FRACAS_OK);
}

/// All bodies, in order; NULL options: sorted cells.
static inline kit_list kit_find(const kit_body* bodies, uint32_t count, const kit_options* options,
                                const fracas_tets_query* query, uint32_t workers,
                                fracas_tets_statistics* statistics) {
    fracas_context* context = kit_context(workers);
    fracas_tets* tets;
    kit_list list = {0};
    fracas_body body;
    const kit_options defaults = kit_default_options(KIT_METHOD_SORTED_CELLS);
    assert_int_equal(kit_create(context, options ? options : &defaults, &tets), FRACAS_OK);
    for (uint32_t i = 0; i < count; i++) {
        fracas_tet_view view = kit_view(&bodies[i]);
        assert_int_equal(fracas_tets_add(tets, &view, &body), FRACAS_OK);
        assert_int_equal(body.index, i + 1);
    }
    kit_detect(tets, query, &list, statistics);
    fracas_tets_destroy(tets);
    fracas_context_destroy(context);
    return list;
}

static inline void kit_require_same(const kit_list* a, const kit_list* b, const char* what) {
    if (a->count != b->count) fail_msg("%s: %zu and not %zu", what, b->count, a->count);
    for (size_t i = 0; i < a->count; i++)
        if (memcmp(&a->data[i], &b->data[i], sizeof a->data[i]) != 0)
            fail_msg("%s: number %zu differs", what, i);
}

/// In the documented order of reports, without duplicates.
static inline void kit_require_order(const kit_list* list) {
    for (size_t i = 1; i < list->count; i++) {
        const fracas_penetration *a = &list->data[i - 1], *b = &list->data[i];
        const uint32_t x[4] = {a->vertex_body.index, a->vertex, a->tet_body.index, a->tet};
        const uint32_t y[4] = {b->vertex_body.index, b->vertex, b->tet_body.index, b->tet};
        int k = 0;
        while (k < 4 && x[k] == y[k]) k++;
        assert_true(k < 4 && x[k] < y[k]);
    }
}
