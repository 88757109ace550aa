// Contacts of siblings are excluded until they have been apart at the start of a step, from then on
// they are reported.
#include "scene/scene.h"
#include "scene_kit.h"
#include "test_allocator.h"
#include <stdlib.h>

typedef double place[3];

static void advance(kit* k) { assert_int_equal(fracas_scene_advance(k->scene), FRACAS_OK); }

static uint64_t found(kit* k, fracas_siblings siblings) {
    const fracas_statistics s = kit_detect(k, FRACAS_MODE_BOTH, siblings);
    uint64_t sum = 0;
    for (int i = 0; i < 6; i++) sum += s.contacts[i];
    return sum;
}

// ---- a crack that opens and closes

// A strip of two squares, split in the middle.
static fracas_body break_strip(kit* k, fracas_motion motion, fracas_body* part) {
    const uint32_t labels[4] = {0, 0, 1, 1};
    const fracas_body body = kit_add_strip(k, 2, 0, motion);
    fracas_split_plan* plan;
    assert_int_equal(fracas_split_plan_create(k->scene, body, labels, 4, &plan), FRACAS_OK);
    assert_int_equal(fracas_scene_split(k->scene, body, fracas_split_plan_get_split(plan), part),
                     FRACAS_OK);
    fracas_split_plan_destroy(plan);
    return body;
}

// Move the part to distance x from the crack.
static void move_part(kit* k, fracas_body part, fracas_motion motion, double x) {
    // In the order of their old numbers: those along the crack are new.
    const place to[4] = {
        {x + 2, 0, 0},
        {x + 2, 1, 0},
        {x + 1, 0, 0},
        {x + 1, 1, 0}
    };
    const fracas_points points = {.data = to, .count = 4};
    fracas_pose from = k->scene->bodies.data[part.index - 1].pose[0], pose = from;
    pose.translation[0] = x;
    assert_int_equal(motion == FRACAS_MOTION_RIGID ? fracas_scene_pose(k->scene, part, &from, &pose)
                                                   : fracas_scene_move(k->scene, part, &points),
                     FRACAS_OK);
}

static void closing_crack_is_a_collision(fracas_motion motion) {
    kit k = kit_create(1);
    fracas_body part;
    break_strip(&k, motion, &part);
    // While they touch.
    const uint64_t all = found(&k, FRACAS_SIBLINGS_REPORT);
    assert_true(all > 0);
    for (int step = 0; step < 3; step++) {
        assert_int_equal(found(&k, FRACAS_SIBLINGS_UNTIL_SEPARATED), 0);
        advance(&k);
    }
    // They separate in this step, and are apart at the start of the next one.
    move_part(&k, part, motion, 1);
    assert_int_equal(found(&k, FRACAS_SIBLINGS_UNTIL_SEPARATED), 0);
    advance(&k);
    move_part(&k, part, motion, 0);
    assert_int_equal(found(&k, FRACAS_SIBLINGS_UNTIL_SEPARATED), found(&k, FRACAS_SIBLINGS_REPORT));
    assert_true(found(&k, FRACAS_SIBLINGS_UNTIL_SEPARATED) > 0);
    // Closed again, and at rest: no longer siblings.
    for (int step = 0; step < 3; step++) {
        advance(&k);
        assert_int_equal(found(&k, FRACAS_SIBLINGS_UNTIL_SEPARATED), all);
        assert_int_equal(found(&k, FRACAS_SIBLINGS_REPORT), all);
        assert_int_equal(found(&k, FRACAS_SIBLINGS_IGNORE), 0);
    }
    kit_destroy(&k);
}

static void deforming_bodies(void** state) {
    (void)state;
    closing_crack_is_a_collision(FRACAS_MOTION_DEFORMING);
}

static void rigid_bodies(void** state) {
    (void)state;
    closing_crack_is_a_collision(FRACAS_MOTION_RIGID);
}

// A pose may change the start of a step: siblings that are apart there are separated, too.
static void pose_that_changes_the_start(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body part;
    break_strip(&k, FRACAS_MOTION_RIGID, &part);
    fracas_pose away = fracas_pose_make_identity();
    const fracas_pose back = fracas_pose_make_identity();
    away.translation[0] = 1;
    assert_int_equal(fracas_scene_pose(k.scene, part, &away, &back), FRACAS_OK);
    advance(&k);
    assert_int_equal(found(&k, FRACAS_SIBLINGS_UNTIL_SEPARATED), found(&k, FRACAS_SIBLINGS_REPORT));
    kit_destroy(&k);
}

// A new sibling of a vertex that was separated from its own siblings is the sibling of that vertex
// alone.
static void copy_of_a_separated_vertex(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body part;
    break_strip(&k, FRACAS_MOTION_DEFORMING, &part);
    move_part(&k, part, FRACAS_MOTION_DEFORMING, 1);
    advance(&k);
    // Tear the two triangles of the part, (2, 0, 3) and (3, 0, 1), apart.
    const fracas_new_vertex vertices[2] = {
        {.parent_a = 0, .parent_b = FRACAS_NONE},
        {.parent_a = 3, .parent_b = FRACAS_NONE}
    };
    fracas_split split = fracas_scene_default_split();
    uint32_t corners[3];
    assert_int_equal(fracas_scene_get_triangle(k.scene, part, 1, corners), FRACAS_OK);
    fracas_repoint repoints[2];
    for (uint32_t c = 0, n = 0; c < 3; c++)
        if (corners[c] == 0 || corners[c] == 3)
            repoints[n++] = (fracas_repoint){1, c, corners[c] == 0 ? 4 : 5};
    split.new_vertices = vertices, split.new_vertex_count = 2;
    split.repoints = repoints, split.repoint_count = 2;
    assert_int_equal(fracas_scene_split(k.scene, part, &split, NULL), FRACAS_OK);
    assert_true(found(&k, FRACAS_SIBLINGS_REPORT) > 0);
    assert_int_equal(found(&k, FRACAS_SIBLINGS_UNTIL_SEPARATED), 0);
    kit_destroy(&k);
}

// ---- random groups of siblings against a matrix of all pairs

// Vertices of some bodies, and which pairs have been apart.
enum { VERTICES = 400, BODIES = 8 };
typedef struct sibling_groups {
    kit k;
    test_allocator memory;
    uint64_t random;
    fracas_body body[BODIES];
    struct member {
        uint32_t body, number, family;
        place at[2];
    } member[VERTICES];
    uint32_t count, family_count;
    bool apart[VERTICES][VERTICES];
} sibling_groups;

static uint32_t pick(sibling_groups* f, uint32_t below) {
    f->random = f->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((f->random >> 33) % below);
}

// A body of free points, all at one position; every second body is rigid.
static void add_body(sibling_groups* f, uint32_t b) {
    static const place points[4] = {0};
    static const uint32_t numbers[4] = {0, 1, 2, 3};
    const fracas_mesh_view mesh = {
        .points = {.data = points, .count = 4},
          .vertices = numbers, .vertex_count = 4
    };
    f->body[b] = kit_add(&f->k, &mesh, b % 2 ? FRACAS_MOTION_RIGID : FRACAS_MOTION_DEFORMING);
    for (uint32_t i = 0; i < 4; i++)
        f->member[f->count++] = (struct member){.body = b, .number = i};
}

// Some vertices get copies, which are separated from the same vertices as their parents.
static void add_copies(sibling_groups* f, uint32_t b) {
    fracas_new_vertex vertices[8];
    const uint32_t numbers = kit_info(&f->k, f->body[b]).vertex_numbers, wanted = pick(f, 8);
    fracas_split split = fracas_scene_default_split();
    for (uint32_t i = 0; i < wanted && f->count < VERTICES; i++) {
        uint32_t parent = pick(f, f->count);
        while (f->member[parent].body != b) parent = (parent + 1) % f->count;
        struct member *p = &f->member[parent], *c = &f->member[f->count];
        if (p->number >= numbers) continue;  // made by the same split
        if (!p->family) p->family = ++f->family_count;
        vertices[split.new_vertex_count] =
            (fracas_new_vertex){.parent_a = p->number, .parent_b = FRACAS_NONE};
        *c = *p;
        c->number = numbers + split.new_vertex_count++;
        for (uint32_t j = 0; j < f->count; j++)
            f->apart[f->count][j] = f->apart[j][f->count] = f->apart[parent][j];
        f->count++;
    }
    split.new_vertices = vertices;
    assert_int_equal(fracas_scene_split(f->k.scene, f->body[b], &split, NULL), FRACAS_OK);
}

static void read_places(sibling_groups* f) {
    for (uint32_t i = 0; i < f->count; i++)
        assert_int_equal(fracas_scene_get_vertex(f->k.scene, f->body[f->member[i].body],
                                                 f->member[i].number, f->member[i].at[0],
                                                 f->member[i].at[1]),
                         FRACAS_OK);
}

// In one of four steps all vertices move alike.
static void move_body(sibling_groups* f, uint32_t b, bool all) {
    static place to[VERTICES];
    const uint32_t numbers = kit_info(&f->k, f->body[b]).vertex_numbers;
    if (b % 2) {
        fracas_pose pose[2] = {fracas_pose_make_identity(), fracas_pose_make_identity()};
        for (int e = 0; e < 2; e++) pose[e].translation[0] = all ? 1 : pick(f, 2);
        assert_int_equal(fracas_scene_pose(f->k.scene, f->body[b], &pose[0], &pose[1]), FRACAS_OK);
        return;
    }
    for (uint32_t i = 0; i < numbers; i++) {
        place t1;
        assert_int_equal(fracas_scene_get_vertex(f->k.scene, f->body[b], i, to[i], t1), FRACAS_OK);
        if (all || pick(f, 6) == 0) to[i][0] = all ? to[i][0] + 1 : pick(f, 3);
    }
    const fracas_points points = {.data = to, .count = numbers};
    assert_int_equal(fracas_scene_move(f->k.scene, f->body[b], &points), FRACAS_OK);
}

static void advance_step(sibling_groups* f) {
    read_places(f);
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t j = 0; j < f->count; j++)
            if (memcmp(f->member[i].at, f->member[j].at, sizeof f->member[i].at) != 0)
                f->apart[i][j] = true;
    // Each allocation fails once: then nothing has changed.
    fracas_status status;
    for (size_t n = 1;; n++) {
        test_allocator_fail_at(&f->memory, n);
        status = fracas_scene_advance(f->k.scene);
        test_allocator_fail_at(&f->memory, 0);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
        kit_expect_message(&f->k, "out of memory");
        for (uint32_t i = 0; i < f->count; i++) {
            place at[2];
            assert_int_equal(fracas_scene_get_vertex(f->k.scene, f->body[f->member[i].body],
                                                     f->member[i].number, at[0], at[1]),
                             FRACAS_OK);
            assert_memory_equal(at, f->member[i].at, sizeof at);
        }
    }
}

static uint32_t group_of(const sibling_groups* f, uint32_t i) {
    const fracas_scene* scene = f->k.scene;
    const frc_body* body = &scene->bodies.data[f->body[f->member[i].body].index - 1];
    return scene->topology.points.data[body->points.data[f->member[i].number]]
        .tag[FRC_TAG_SIBLING_GROUP];
}

// Returns the number of pairs that are still together.
static uint32_t check_groups(const sibling_groups* f) {
    const frc_siblings* s = &f->k.scene->siblings;
    uint32_t pairs = 0, members = 0, sizes[2 * VERTICES] = {0};
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t group = group_of(f, i);
        members += group != 0;
        assert_true(group <= s->groups.count && group < 2 * VERTICES);
        sizes[group]++;
        for (uint32_t j = i + 1; j < f->count; j++) {
            const bool kin = f->member[i].family && f->member[i].family == f->member[j].family;
            const bool together = group && group == group_of(f, j);
            if (together != (kin && !f->apart[i][j]))
                fail_msg("vertices %u and %u are %s", i, j, together ? "together" : "apart");
            pairs += together;
        }
    }
    assert_int_equal(s->members, members);
    for (uint32_t g = 1; g <= s->groups.count; g++)
        assert_int_equal(s->groups.data[g - 1].count, sizes[g]);
    return pairs;
}

static void random_sibling_groups(void** state) {
    (void)state;
    uint32_t pairs = 0, parted = 0;
    for (uint32_t round = 0; round < 12; round++) {
        sibling_groups* f = calloc(1, sizeof *f);
        assert_non_null(f);
        f->random = round + 1;
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = 1 + round % 3;
        options.allocator =
            (fracas_allocator){test_allocator_allocate, test_allocator_release, &f->memory};
        assert_int_equal(fracas_context_create(&options, &f->k.context), FRACAS_OK);
        assert_int_equal(fracas_scene_create(f->k.context, NULL, &f->k.scene), FRACAS_OK);
        for (uint32_t b = 0; b < BODIES; b++) add_body(f, b);
        for (int step = 0; step < 40; step++) {
            const bool all = pick(f, 4) == 0;
            for (uint32_t b = 0; b < BODIES; b++) {
                if (pick(f, 3) == 0) add_copies(f, b);
                if (all || pick(f, 4)) move_body(f, b, all);
                if (pick(f, 6) == 0) add_copies(f, b);
            }
            const uint32_t before = check_groups(f);
            advance_step(f);
            const uint32_t after = check_groups(f);
            pairs += after, parted += before - after;
        }
        kit_destroy(&f->k);
        assert_int_equal(f->memory.live, 0);
        free(f);
    }
    print_message("%u pairs together, %u parted\n", pairs, parted);
    assert_true(pairs > 1000 && parted > 1000);
}

// ---- cost

// One vertex with many copies, which move apart in pairs. Groups are found by sorting; comparing
// all pairs would take minutes.
static void large_sibling_group(void** state) {
    (void)state;
    enum { CHILDREN = 200000 };
    kit k = kit_create(2);
    const fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    fracas_new_vertex* vertices = malloc(CHILDREN * sizeof *vertices);
    place* to = calloc(CHILDREN + 4, sizeof *to);
    assert_true(vertices && to);
    for (uint32_t i = 0; i < CHILDREN; i++)
        vertices[i] = (fracas_new_vertex){.parent_a = 0, .parent_b = FRACAS_NONE};
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = vertices, split.new_vertex_count = CHILDREN;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
    assert_int_equal(k.scene->siblings.members, CHILDREN + 1);
    for (uint32_t i = 0; i < CHILDREN; i++) to[4 + i][0] = 1 + i / 2;
    const fracas_points points = {.data = to, .count = CHILDREN + 4};
    for (int step = 0; step < 3; step++) {
        assert_int_equal(fracas_scene_move(k.scene, body, &points), FRACAS_OK);
        advance(&k);
        // The parent stays alone at its position.
        assert_int_equal(k.scene->siblings.members, CHILDREN + 1);
        assert_int_equal(k.scene->siblings.groups.count, CHILDREN / 2 + 1);
        for (uint32_t i = 0; i < CHILDREN; i++) to[4 + i][1]++;
    }
    free(to);
    free(vertices);
    kit_destroy(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deforming_bodies),
        cmocka_unit_test(rigid_bodies),
        cmocka_unit_test(pose_that_changes_the_start),
        cmocka_unit_test(copy_of_a_separated_vertex),
        cmocka_unit_test(random_sibling_groups),
        cmocka_unit_test(large_sibling_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
