// A reference implementation of the certificate in rational arithmetic: no tree, no half-edge
// pairing, no sweep, no winding numbers, no error bounds. For the same direction it tests whether
// all triangles face up, whether the contour (half-edges without an opposite one) is simple, and
// whether any two projected triangles overlap. Whatever the fast version certifies the reference
// must certify; whatever the reference certifies the fast version should, except within its error
// bounds.
#include "cmocka_all.h"
#include "cull/certify.h"
#include "cull_check.h"
#include <gmp.h>
#include <stdlib.h>

typedef struct flat {
    mpq_t u, w;
} flat;

typedef struct reference {
    const frc_block* block;
    uint32_t faces[4096], face_count;       // slots
    uint32_t (*contour)[2], contour_count;  // vertex ids
    flat* points;                           // by vertex id
    uint32_t point_count;
} reference;

// ---- projection

static const double* ends_of(const frc_point* p, int axis) {
    return axis == 0 ? p->x : axis == 1 ? p->y : p->z;
}

static void project(const frc_patch* patch, const frc_point* p, flat* out) {
    mpq_t x, z, slope;
    mpq_inits(x, z, slope, NULL);
    mpq_t* to[2] = {patch->flip ? &out->w : &out->u, patch->flip ? &out->u : &out->w};
    mpq_set_d(z, ends_of(p, patch->axis[2])[1]);
    for (int k = 0; k < 2; k++) {
        mpq_set_d(x, ends_of(p, patch->axis[k])[1]);
        mpq_set_d(slope, patch->slope[k]);
        mpq_mul(slope, slope, z);
        mpq_sub(*to[k], x, slope);
    }
    mpq_clears(x, z, slope, NULL);
}

static int turn(const flat* a, const flat* b, const flat* c) {
    mpq_t p, q, r, s;
    mpq_inits(p, q, r, s, NULL);
    mpq_sub(p, b->u, a->u), mpq_sub(q, c->w, a->w);
    mpq_sub(r, b->w, a->w), mpq_sub(s, c->u, a->u);
    mpq_mul(p, p, q), mpq_mul(r, r, s);
    int sign = mpq_cmp(p, r);
    mpq_clears(p, q, r, s, NULL);
    return (sign > 0) - (sign < 0);
}

// ---- contour

static uint32_t count_half(const reference* t, uint32_t a, uint32_t b) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->face_count; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t* p = t->block->faces[t->faces[i]].point;
            count += p[k] == a && p[(k + 1) % 3] == b;
        }
    return count;
}

static void find_contour(reference* t) {
    t->contour_count = 0;
    for (uint32_t i = 0; i < t->face_count; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t* p = t->block->faces[t->faces[i]].point;
            uint32_t a = p[k], b = p[(k + 1) % 3];
            if (count_half(t, a, b) == 1 && count_half(t, b, a) == 1) continue;
            t->contour[t->contour_count][0] = a;
            t->contour[t->contour_count++][1] = b;
        }
}

static bool on_segment(const flat* a, const flat* b, const flat* p) {
    if (turn(a, b, p) != 0) return false;
    const flat* lo_u = mpq_cmp(a->u, b->u) < 0 ? a : b;
    const flat* lo_w = mpq_cmp(a->w, b->w) < 0 ? a : b;
    const flat *hi_u = lo_u == a ? b : a, *hi_w = lo_w == a ? b : a;
    return mpq_cmp(lo_u->u, p->u) <= 0 && mpq_cmp(p->u, hi_u->u) <= 0 &&
           mpq_cmp(lo_w->w, p->w) <= 0 && mpq_cmp(p->w, hi_w->w) <= 0;
}

static bool segments_meet(const flat* a, const flat* b, const flat* c, const flat* d) {
    int abc = turn(a, b, c), abd = turn(a, b, d), cda = turn(c, d, a), cdb = turn(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0) return true;
    return on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) || on_segment(c, d, b);
}

static bool edges_are_fine(const reference* t, const uint32_t x[2], const uint32_t y[2]) {
    const flat* p = t->points;
    if (x[0] == y[0] || x[1] == y[1]) return false;
    if (x[1] == y[0] && y[1] == x[0]) return false;
    if (x[1] == y[0])
        return !on_segment(&p[x[0]], &p[x[1]], &p[y[1]]) &&
               !on_segment(&p[y[0]], &p[y[1]], &p[x[0]]);
    if (y[1] == x[0]) return edges_are_fine(t, y, x);
    return !segments_meet(&p[x[0]], &p[x[1]], &p[y[0]], &p[y[1]]);
}

// ---- triangles

// Whether all corners of b are beyond the line of some edge of a, or on it.
static bool beyond(const flat* a[3], const flat* b[3]) {
    for (int k = 0; k < 3; k++) {
        bool all = true;
        for (int i = 0; i < 3; i++) all = all && turn(a[k], a[(k + 1) % 3], b[i]) <= 0;
        if (all) return true;
    }
    return false;
}

static bool certify(reference* t) {
    const flat* f[2][3];
    if (t->face_count == 0) return false;
    for (uint32_t i = 0; i < t->face_count; i++) {
        for (int k = 0; k < 3; k++) f[0][k] = &t->points[t->block->faces[t->faces[i]].point[k]];
        if (turn(f[0][0], f[0][1], f[0][2]) <= 0) return false;
    }
    find_contour(t);
    for (uint32_t i = 0; i < t->contour_count; i++)
        for (uint32_t j = i + 1; j < t->contour_count; j++)
            if (!edges_are_fine(t, t->contour[i], t->contour[j])) return false;
    for (uint32_t i = 0; i < t->face_count; i++)
        for (uint32_t j = i + 1; j < t->face_count; j++) {
            for (int k = 0; k < 3; k++) {
                f[0][k] = &t->points[t->block->faces[t->faces[i]].point[k]];
                f[1][k] = &t->points[t->block->faces[t->faces[j]].point[k]];
            }
            if (!beyond(f[0], f[1]) && !beyond(f[1], f[0])) return false;
        }
    return true;
}

// ---- the test

typedef struct tally {
    uint64_t nodes, both, fast_only, exact_only;
} tally;

static void fill(reference* t, const frc_patch* patch) {
    t->block = patch->block;
    t->face_count = 0;
    for (uint32_t s = patch->begin; s < patch->end; s++) {
        if (patch->block->faces[s].id == FRACAS_NONE) continue;
        t->faces[t->face_count++] = s;
        for (int k = 0; k < 3; k++) {
            uint32_t id = patch->block->faces[s].point[k];
            project(patch, &patch->points[id], &t->points[id]);
        }
    }
}

static void compare(const cull_world* world, frc_cull_state* state, uint32_t ref, reference* t,
                    tally* out) {
    frc_cull_scratch scratch = {.context = world->context};
    frc_patch patch;
    const frc_topology* topology = &world->scene->topology;
    bool exact = frc_make_patch(topology, state, FRC_BOXES_END, ref, &patch);
    patch.lows = world->scene->lows;
    exact =
        exact && frc_patch_contour(&patch, &scratch) && frc_patch_find_direction(&patch, &scratch);
    frc_cull_scratch_release(&scratch);
    if (exact) {
        fill(t, &patch);
        exact = certify(t);
    }
    bool fast =
        frc_cull_certify(world->context, topology, world->scene->lows, state, FRC_BOXES_END, ref);
    out->nodes++;
    out->both += fast && exact;
    out->fast_only += fast && !exact;
    out->exact_only += exact && !fast;
}

static void compare_shape(const cull_shape* shape, tally* out) {
    cull_world world;
    assert_true(cull_world_open(&world, shape, FRACAS_PUBLISHED_CULL_CERTIFICATE, 1));
    reference* t = calloc(1, sizeof *t);
    t->point_count = (uint32_t)world.scene->topology.points.count;
    t->points = calloc(t->point_count, sizeof *t->points);
    t->contour = calloc(3 * (size_t)shape->triangle_count, sizeof *t->contour);
    for (uint32_t i = 0; i < t->point_count; i++) mpq_inits(t->points[i].u, t->points[i].w, NULL);
    frc_cull_state* state = cull_state_of(&world, 0);
    const frc_block* block = state->block;
    for (uint32_t n = 0; n < block->node_count; n++) compare(&world, state, n, t, out);
    for (uint32_t l = 0; l < block->leaf_count; l++)
        compare(&world, state, l | FRC_REF_LEAF, t, out);
    for (uint32_t i = 0; i < t->point_count; i++) mpq_clears(t->points[i].u, t->points[i].w, NULL);
    free(t->points);
    free(t->contour);
    free(t);
    cull_world_close(&world);
}

static void same_as_reference(void** state) {
    (void)state;
    uint64_t random = 20240607;
    tally out = {0};
    for (int i = 0; i < 480; i++) {
        cull_kind kind = (cull_kind)(i % CULL_KINDS);
        cull_shape shape = cull_make_shape(kind, 4 + cull_below(&random, 24), &random);
        compare_shape(&shape, &out);
        cull_free_shape(&shape);
    }
    print_message("%llu nodes: both %llu, only the fast one %llu, only the exact one %llu\n",
                  (unsigned long long)out.nodes, (unsigned long long)out.both,
                  (unsigned long long)out.fast_only, (unsigned long long)out.exact_only);
    assert_int_equal(out.fast_only, 0);
    assert_true(out.both > out.nodes / 4);
    // Losses by error bounds, and by edges that a third triangle elsewhere shares.
    assert_true(out.exact_only * 20 < out.both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
