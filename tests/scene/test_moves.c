// fracas_scene_move_many: the same result as single moves; either all bodies move or none. What
// else belongs to a body: positions at an advance, user pointers.
#include "hash.h"
#include "scene_kit.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { BODIES = 90, MAX_STRIP_POINTS = 2 * KIT_SQUARES + 2, LARGE = 5000 };

typedef struct body_set {
    kit k;
    fracas_contacts* contacts;
    fracas_body bodies[BODIES];
    uint32_t count[BODIES];  // all points of the large body
} body_set;

static uint64_t next(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}
static double noise(uint64_t* state) { return (double)(next(state) >> 11) * 0x1p-53 - 0.5; }

static fracas_motion motion_of(uint32_t body) {
    return body % 7 == 3 ? FRACAS_MOTION_STATIC
           : body % 2    ? FRACAS_MOTION_RIGID
                         : FRACAS_MOTION_DEFORMING;
}

// One body is so large that several workers move it.
static fracas_body add_large(kit* k) {
    static double points[LARGE][3];
    const uint32_t triangles[2][3] = {
        {0,    1,         LARGE - 1},
        {2500, LARGE - 2, 7        }
    };
    for (uint32_t i = 0; i < LARGE; i++) points[i][0] = i % 17, points[i][1] = i % 5;
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, LARGE, triangles, 2);
    return kit_add(k, &mesh, FRACAS_MOTION_DEFORMING);
}

static body_set* create_bodies(uint32_t workers) {
    body_set* c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->k = kit_create(workers);
    assert_int_equal(fracas_contacts_create(c->k.context, &c->contacts), FRACAS_OK);
    for (uint32_t b = 0; b < BODIES; b++) {
        const uint32_t squares = 1 + 7 * b % KIT_SQUARES;
        c->bodies[b] = b == 40 ? add_large(&c->k) : kit_add_strip(&c->k, squares, b, motion_of(b));
        c->count[b] = b == 40 ? LARGE : 2 * squares + 2;
    }
    return c;
}

static void destroy_bodies(body_set* c) {
    fracas_contacts_destroy(c->contacts);
    kit_destroy(&c->k);
    free(c);
}

typedef double place[3];

// A move of every body that can move, in random order, so far that some collide with the next;
// positions are in `positions`.
static uint32_t make_moves(const body_set* c, uint64_t seed, place* positions, fracas_move* out) {
    const uint32_t first = (uint32_t)(seed % BODIES);
    uint32_t count = 0;
    for (uint32_t i = 0; i < BODIES; i++) {
        const uint32_t b = (37 * i + first) % BODIES;
        if (motion_of(b) == FRACAS_MOTION_STATIC) continue;
        fracas_move* m = &out[count++];
        *m = (fracas_move){.body = c->bodies[b]};
        if (motion_of(b) == FRACAS_MOTION_RIGID) {
            m->kind = FRACAS_MOVE_POSE;
            m->poses[0] = m->poses[1] = fracas_pose_make_identity();
            m->poses[1].rotation[1] = 0.1 * noise(&seed);
            for (int k = 0; k < 3; k++) m->poses[1].translation[k] = noise(&seed);
            continue;
        }
        m->points_t1 = (fracas_points){.data = positions, .count = c->count[b]};
        for (uint32_t v = 0; v < c->count[b]; v++, positions++) {
            const place rest = {v / 2, v % 2, b};  // of a strip
            for (int k = 0; k < 3; k++) (*positions)[k] = rest[k] + 1.5 * noise(&seed);
        }
    }
    return count;
}

static void move_one_by_one(const body_set* c, const fracas_move* moves, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const fracas_move* m = &moves[i];
        const fracas_status status =
            m->kind == FRACAS_MOVE_POINTS
                ? fracas_scene_move(c->k.scene, m->body, &m->points_t1)
                : fracas_scene_pose(c->k.scene, m->body, &m->poses[0], &m->poses[1]);
        assert_int_equal(status, FRACAS_OK);
    }
}

static void expect_same_places(const body_set* a, const body_set* b) {
    for (uint32_t i = 0; i < BODIES; i++)
        for (uint32_t v = 0; v < a->count[i]; v++) {
            double at[2][6];
            assert_int_equal(fracas_scene_get_vertex(a->k.scene, a->bodies[i], v, at[0], at[0] + 3),
                             FRACAS_OK);
            assert_int_equal(fracas_scene_get_vertex(b->k.scene, b->bodies[i], v, at[1], at[1] + 3),
                             FRACAS_OK);
            assert_memory_equal(at[0], at[1], sizeof at[0]);
        }
}

static uint64_t detect(const body_set* c, size_t* count) {
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_CONTINUOUS;
    fracas_sink sink = fracas_contacts_get_sink(c->contacts);
    assert_int_equal(fracas_scene_update(c->k.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_detect(c->k.scene, &query, &sink), FRACAS_OK);
    const fracas_contact* list = fracas_contacts_get_data(c->contacts, count);
    return bench_hash_contacts(BENCH_HASH_START, list, *count);
}

static void same_as_one_by_one(void** state) {
    (void)state;
    static place positions[BODIES * MAX_STRIP_POINTS + LARGE];
    static fracas_move moves[BODIES];
    for (uint32_t workers = 1; workers <= 4; workers++) {
        body_set *many = create_bodies(workers), *single = create_bodies(1);
        for (uint64_t step = 1; step <= 3; step++) {
            size_t counts[2];
            const uint32_t count = make_moves(many, 1000 * workers + step, positions, moves);
            assert_int_equal(fracas_scene_move_many(many->k.scene, moves, count), FRACAS_OK);
            move_one_by_one(single, moves, count);
            expect_same_places(many, single);
            const uint64_t hash = detect(single, &counts[0]);
            assert_true(counts[0] > 0);
            assert_true(detect(many, &counts[1]) == hash);
            assert_int_equal(fracas_scene_advance(many->k.scene), FRACAS_OK);
            assert_int_equal(fracas_scene_advance(single->k.scene), FRACAS_OK);
            expect_same_places(many, single);
        }
        destroy_bodies(many);
        destroy_bodies(single);
    }
}

// Possible errors of one of the moves.
typedef enum fault {
    GONE,
    STATIC,
    TWICE,
    TOO_FEW,
    NOWHERE,
    NOT_FINITE,
    BAD_POSE,
    POSE_OF_DEFORMING,
    POINTS_OF_RIGID,
    UNKNOWN_KIND,
    FAULTS
} fault;

static void make_invalid(const body_set* c, fault what, fracas_move* m, place* positions) {
    *m = (fracas_move){.body = c->bodies[40]};
    m->points_t1 = (fracas_points){.data = positions, .count = LARGE};
    if (what == GONE) m->body.generation++;
    if (what == STATIC) m->body = c->bodies[10];
    if (what == TWICE) m->body = c->bodies[0], m->points_t1.count = c->count[0];
    if (what == TOO_FEW) m->points_t1.count--;
    if (what == NOWHERE) m->points_t1.data = NULL;
    positions[LARGE - 3][1] = positions[4000][2] = what == NOT_FINITE ? INFINITY : 0;
    if (what == POINTS_OF_RIGID) m->body = c->bodies[1], m->points_t1.count = c->count[1];
    if (what == UNKNOWN_KIND) m->kind = (fracas_move_kind)2;
    if (what != BAD_POSE && what != POSE_OF_DEFORMING) return;
    m->kind = FRACAS_MOVE_POSE;
    m->poses[0] = m->poses[1] = fracas_pose_make_identity();
    if (what == BAD_POSE) {
        m->body = c->bodies[1];
        m->poses[0].rotation[0] = DBL_MAX;  // times 0 and 1 finite, times 2 not
    }
}

static void leave_out(fracas_body body, fracas_move* moves, uint32_t* count) {
    for (uint32_t i = 0; i < *count; i++)
        if (kit_same_body(moves[i].body, body)) moves[i] = moves[--*count];
}

static void all_or_none(void** state) {
    (void)state;
    static const struct {
        fracas_status status;
        const char* says;
    } expected[FAULTS] = {
        [GONE] = {FRACAS_ERROR_STALE_HANDLE,     "41"                                     },
        [STATIC] = {FRACAS_ERROR_INVALID_ARGUMENT, "is of body 11, which is static"         },
        [TWICE] = {FRACAS_ERROR_BAD_DATA,         "of body 1, as an earlier one is"        },
        [TOO_FEW] = {FRACAS_ERROR_BAD_DATA,         "body 41 has vertex numbers up to 5000"  },
        [NOWHERE] = {FRACAS_ERROR_INVALID_ARGUMENT, ""                                       },
        [NOT_FINITE] = {FRACAS_ERROR_BAD_DATA,         "vertex 4000 of body 41 would"           },
        [BAD_POSE] = {FRACAS_ERROR_BAD_DATA,         "the pose at t0 puts vertex 4 of body 2 "},
        [POSE_OF_DEFORMING] = {FRACAS_ERROR_INVALID_ARGUMENT,
                  "body 41, which is deforming: its kind must be FRACAS_MOVE_POINTS"      },
        [POINTS_OF_RIGID] = {FRACAS_ERROR_INVALID_ARGUMENT,
                  "body 2, which is rigid: its kind must be FRACAS_MOVE_POSE"             },
        [UNKNOWN_KIND] = {FRACAS_ERROR_INVALID_ARGUMENT, "its kind must be FRACAS_MOVE_POINTS"    }
    };
    static place positions[BODIES * MAX_STRIP_POINTS + LARGE], invalid[LARGE];
    static fracas_move moves[BODIES + 1];
    for (uint32_t workers = 1; workers <= 4; workers++) {
        body_set *c = create_bodies(workers), *rest = create_bodies(1);
        uint32_t count = make_moves(c, workers, positions, moves);
        leave_out(c->bodies[40], moves, &count);
        leave_out(c->bodies[1], moves, &count);
        for (fault what = 0; what < FAULTS; what++) {
            make_invalid(c, what, &moves[count], invalid);
            assert_int_equal(fracas_scene_move_many(c->k.scene, moves, count + 1),
                             expected[what].status);
            kit_expect_message(&c->k, expected[what].says);
            expect_same_places(c, rest);
        }
        assert_int_equal(fracas_scene_move_many(c->k.scene, moves, count), FRACAS_OK);
        move_one_by_one(rest, moves, count);
        expect_same_places(c, rest);
        destroy_bodies(c);
        destroy_bodies(rest);
    }
}

// ---- the next step

// Along all three axes every point begins where it was.
static void advance_begins_at_the_end(void** state) {
    (void)state;
    kit k = kit_create(1);
    const fracas_body soft = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    const fracas_body rigid = kit_add_strip(&k, 1, 5, FRACAS_MOTION_RIGID);
    double points[4][3];
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) points[i][c] = 10 + 3 * i + c;
    const fracas_points view = {.data = points, .count = 4};
    fracas_pose pose[2] = {fracas_pose_make_identity(), fracas_pose_make_identity()};
    for (int c = 0; c < 3; c++) pose[1].translation[c] = c + 1;
    assert_int_equal(fracas_scene_move(k.scene, soft, &view), FRACAS_OK);
    assert_int_equal(fracas_scene_pose(k.scene, rigid, &pose[0], &pose[1]), FRACAS_OK);
    kit_expect_vertex(&k, soft, 3, 1, 1, 0, 19, 20, 21);
    kit_expect_vertex(&k, rigid, 3, 1, 1, 5, 2, 3, 8);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    kit_expect_vertex(&k, soft, 3, 19, 20, 21, 19, 20, 21);
    kit_expect_vertex(&k, rigid, 3, 2, 3, 8, 2, 3, 8);
    kit_destroy(&k);
}

static void move_strip(kit* k, fracas_body body, double z, double slope) {
    double points[2 * 10 + 2][3];
    for (uint32_t i = 0; i < 22; i++) {
        const double p[3] = {i / 2 + 0.3, i % 2, z + slope * (i % 2 - 0.5)};
        memcpy(points[i], p, sizeof p);
    }
    const fracas_points view = {.data = points, .count = 22};
    assert_int_equal(fracas_scene_move(k->scene, body, &view), FRACAS_OK);
}

// A body that nothing but moves is found at its new place, over the whole step, and no longer
// than that.
static void moved_bodies_are_found(void** state) {
    (void)state;
    kit k = kit_create(1);
    kit_add_strip(&k, 10, 0, FRACAS_MOTION_STATIC);
    const fracas_body body = kit_add_strip(&k, 10, 5, FRACAS_MOTION_DEFORMING);
    fracas_statistics s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    for (int i = 0; i < 6; i++) assert_int_equal(s.contacts[i], 0);
    // Neighbours within the strips are candidates.
    const uint64_t at_rest = s.vf_candidates + s.ee_candidates;
    move_strip(&k, body, 0, 1);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_true(s.contacts[FRACAS_CONTACT_TT] >= 10);
    move_strip(&k, body, -5, 0);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_int_equal(s.contacts[FRACAS_CONTACT_TT], 0);
    assert_true(s.contacts[FRACAS_CONTACT_VF] + s.contacts[FRACAS_CONTACT_EE] >= 10);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_true(s.vf_candidates + s.ee_candidates <= at_rest);
    kit_destroy(&k);
}

// The user pointer of a body: given, replaced, inherited by parts, kept by a merge; queries need no
// update after it.
static void user_pointers(void** state) {
    (void)state;
    kit k = kit_create(1);
    int given, replaced;
    const double points[4][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 1, 0},
        {1, 1, 0}
    };
    const uint32_t triangles[2][3] = {
        {0, 1, 2},
        {1, 3, 2}
    };
    const fracas_mesh_view mesh = kit_mesh(points, 4, triangles, 2);
    fracas_body_options options = fracas_body_default_options();
    assert_null(options.user);
    options.user = &given;
    fracas_body bodies[2], merged;
    assert_int_equal(fracas_scene_add(k.scene, &mesh, &options, &bodies[0]), FRACAS_OK);
    assert_ptr_equal(kit_info(&k, bodies[0]).user, &given);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_set_user(k.scene, bodies[0], &replaced), FRACAS_OK);
    const fracas_sink sink = {0};
    assert_int_equal(fracas_scene_detect(k.scene, NULL, &sink), FRACAS_OK);
    const uint32_t labels[2] = {0, 1};
    fracas_split_plan* plan;
    assert_int_equal(fracas_split_plan_create(k.scene, bodies[0], labels, 2, &plan), FRACAS_OK);
    assert_int_equal(
        fracas_scene_split(k.scene, bodies[0], fracas_split_plan_get_split(plan), &bodies[1]),
        FRACAS_OK);
    fracas_split_plan_destroy(plan);
    assert_ptr_equal(kit_info(&k, bodies[1]).user, &replaced);
    assert_int_equal(fracas_scene_set_user(k.scene, bodies[1], &given), FRACAS_OK);
    assert_ptr_equal(kit_info(&k, bodies[0]).user, &replaced);
    assert_int_equal(fracas_scene_merge(k.scene, bodies, 2, NULL, &merged), FRACAS_OK);
    assert_ptr_equal(kit_info(&k, merged).user, &replaced);
    assert_int_equal(fracas_scene_set_user(k.scene, bodies[1], NULL), FRACAS_ERROR_STALE_HANDLE);
    kit_destroy(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advance_begins_at_the_end),
        cmocka_unit_test(moved_bodies_are_found),
        cmocka_unit_test(same_as_one_by_one),
        cmocka_unit_test(all_or_none),
        cmocka_unit_test(user_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
