/// @file near_kit.h  Random scenes on a grid of 2^-10, and lists of contacts, for tests of nearby
/// pairs, candidates and filters. Differences of coordinates are exact.
#pragma once
#include "common_kit.h"
#include "fracas/candidates.h"
#include "fracas/pair_filter.h"
#include "scene_kit.h"
#include <math.h>

enum { NEAR_SIDE = 5, NEAR_POINTS = (NEAR_SIDE + 1) * (NEAR_SIDE + 1), NEAR_BODIES = 3 };

/// A sheet, in the last body with free edges and points.
typedef struct near_body {
    fracas_body handle;
    double at[2][NEAR_POINTS][3];
    uint32_t triangles[2 * NEAR_SIDE * NEAR_SIDE][3];
} near_body;

typedef struct near_scene {
    kit k;
    near_body body[NEAR_BODIES];
} near_scene;

static inline double near_grid(uint64_t* random, double range) {
    return floor(kit_uniform(random, -range, range) * 1024) / 1024;
}

/// Sheets above each other, bumpy enough to touch, which move by up to `speed`.
static inline void near_fill(near_scene* s, uint64_t* random, double speed) {
    static const uint32_t EDGES[3][2] = {
        {0,  7 },
        {9,  20},
        {30, 3 }
    };
    static const uint32_t POINTS[2] = {5, 22};
    for (int b = 0; b < NEAR_BODIES; b++) {
        near_body* body = &s->body[b];
        for (uint32_t i = 0; i < NEAR_POINTS; i++) {
            const double x[3] = {i % (NEAR_SIDE + 1), i / (NEAR_SIDE + 1), 0.25 * b};
            for (int k = 0; k < 3; k++) {
                body->at[0][i][k] = x[k] + near_grid(random, k == 2 ? 0.375 : 0.25);
                body->at[1][i][k] = body->at[0][i][k] + near_grid(random, speed);
            }
        }
        kit_sheet(NEAR_SIDE, body->triangles);
    }
    for (int b = 0; b < NEAR_BODIES; b++) {
        near_body* body = &s->body[b];
        const bool last = b == NEAR_BODIES - 1;
        fracas_mesh_view mesh =
            kit_mesh((const double(*)[3])body->at[0], NEAR_POINTS,
                     (const uint32_t(*)[3])body->triangles, 2 * NEAR_SIDE * NEAR_SIDE);
        if (last) mesh.triangle_count = NEAR_SIDE;  // most of its points are free or unused
        if (last) mesh.edges = &EDGES[0][0], mesh.edge_count = 3;
        if (last) mesh.vertices = POINTS, mesh.vertex_count = 2;
        body->handle = kit_add(&s->k, &mesh, FRACAS_MOTION_DEFORMING);
    }
}

static inline void near_move(near_scene* s, double fraction) {
    for (int b = 0; b < NEAR_BODIES; b++) {
        double at[NEAR_POINTS][3];
        for (int i = 0; i < NEAR_POINTS; i++)
            for (int k = 0; k < 3; k++) {
                const double x0 = s->body[b].at[0][i][k];
                at[i][k] = x0 + fraction * (s->body[b].at[1][i][k] - x0);
            }
        const fracas_points points = {.data = at, .count = NEAR_POINTS};
        assert_int_equal(fracas_scene_move(s->k.scene, s->body[b].handle, &points), FRACAS_OK);
    }
}

static inline near_scene* near_create(uint32_t workers, uint64_t* random, double speed) {
    near_scene* s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->k = kit_create(workers);
    near_fill(s, random, speed);
    near_move(s, 1);
    assert_int_equal(fracas_scene_update(s->k.scene), FRACAS_OK);
    return s;
}

static inline void near_destroy(near_scene* s) {
    kit_destroy(&s->k);
    free(s);
}

/// Contacts of one call, in memory of their own.
typedef struct near_list {
    fracas_contact* data;
    size_t count, capacity;
    fracas_statistics statistics;
} near_list;

static inline void near_push(near_list* list, const fracas_contact* contact) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->data = realloc(list->data, list->capacity * sizeof *list->data);
        assert_non_null(list->data);
    }
    list->data[list->count++] = *contact;
}

static inline bool near_collect(const fracas_contact* contact, void* user) {
    near_push(user, contact);
    return true;
}

static inline fracas_sink near_sink(near_list* list) {
    list->count = 0;
    return (fracas_sink){near_collect, list, &list->statistics};
}

static inline bool near_same_pair(const fracas_contact* a, const fracas_contact* b) {
    return a->kind == b->kind && kit_same_body(a->body_a, b->body_a) &&
           kit_same_body(a->body_b, b->body_b) && a->a[0] == b->a[0] && a->a[1] == b->a[1] &&
           a->b[0] == b->b[0] && a->b[1] == b->b[1];
}

static inline bool near_same_contact(const fracas_contact* a, const fracas_contact* b) {
    return near_same_pair(a, b) && a->toi == b->toi && a->u == b->u && a->v == b->v &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0 && a->distance == b->distance &&
           a->closest == b->closest;
}

static inline void near_expect_same(const near_list* a, const near_list* b) {
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        if (!near_same_contact(&a->data[i], &b->data[i])) fail_msg("contact %zu differs", i);
}

static inline int near_body_of(fracas_body body) { return (int)body.index - 1; }

/// The vertices of one side of a contact. Returns how many.
static inline int near_corners(const near_scene* s, const fracas_contact* c, int side,
                               uint32_t out[3]) {
    const uint32_t* index = side ? c->b : c->a;
    const bool face = c->kind == FRACAS_CONTACT_TT ||
                      (side && (c->kind == FRACAS_CONTACT_ET || c->kind == FRACAS_CONTACT_VF));
    const int body = near_body_of(side ? c->body_b : c->body_a);
    if (face) {
        memcpy(out, s->body[body].triangles[index[0]], 3 * sizeof *out);
        return 3;
    }
    out[0] = index[0], out[1] = index[1];
    return index[1] == FRACAS_NONE ? 1 : 2;
}
