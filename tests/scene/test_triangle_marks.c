// fracas_scene_get_triangle_marks: depths and regions are those of a walk from the roots of the
// trees, src/cull agrees on which parts are certified, and no contact is within a region.
#include "fracas/published.h"
#include "fracas/triangle_marks.h"
#include "scene/scene.h"
#include "scene_kit.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = 48, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

// A sheet that rolls up: with `turns` above 1 it passes through itself.
static void roll(double turns, double (*points)[3]) {
    for (uint32_t i = 0; i < POINTS; i++) {
        const double u = (double)(i % (SIDE + 1)) / SIDE, v = (double)(i / (SIDE + 1)) / SIDE;
        const double angle = turns * 6.283 * u;
        points[i][0] = (1 + 0.05 * sin(9 * v)) * cos(angle);
        points[i][1] = v;
        points[i][2] = (1 + 0.3 * u * (v - 0.5)) * sin(angle);
    }
}

typedef struct fixture {
    kit k;
    fracas_body body;
    double points[POINTS][3];
    uint32_t corners[TRIANGLES][3];
} fixture;

static fixture* create(uint32_t modes, double turns) {
    fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    fracas_scene_options options = fracas_scene_default_options();
    options.modes = modes;
    assert_int_equal(fracas_context_create(NULL, &f->k.context), FRACAS_OK);
    assert_int_equal(fracas_scene_create(f->k.context, &options, &f->k.scene), FRACAS_OK);
    roll(turns, f->points);
    kit_sheet(SIDE, f->corners);
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])f->points, POINTS,
                                           (const uint32_t(*)[3])f->corners, TRIANGLES);
    f->body = kit_add(&f->k, &mesh, FRACAS_MOTION_DEFORMING);
    assert_int_equal(fracas_scene_update(f->k.scene), FRACAS_OK);
    return f;
}

static void destroy(fixture* f) {
    kit_destroy(&f->k);
    free(f);
}

static fracas_triangle_mark* get(const fixture* f, uint32_t mode, uint32_t* count) {
    *count = kit_info(&f->k, f->body).triangle_numbers;
    fracas_triangle_mark* marks = malloc(*count * sizeof *marks);
    assert_non_null(marks);
    assert_int_equal(fracas_scene_get_triangle_marks(f->k.scene, f->body, mode, marks, *count),
                     FRACAS_OK);
    return marks;
}

// ---- the oracle: down from the root

typedef struct walk {
    const fracas_scene* scene;
    const frc_block* block;
    frc_boxes boxes;
    uint32_t base;
    fracas_triangle_mark* marks;
} walk;

static void visit(const walk* w, uint32_t ref, fracas_triangle_mark above) {
    const bool is_leaf = ref & FRC_REF_LEAF;
    const uint32_t index = ref & ~FRC_REF_LEAF;
    if (above.region == 0 && frc_block_skips(w->block, w->boxes, ref))
        above.region = w->base + 1 + (is_leaf ? w->block->node_count : 0) + index;
    if (is_leaf) {
        const frc_leaf* leaf = &w->block->leaves[index];
        for (uint32_t i = leaf->face; i < leaf->face + leaf->face_count; i++)
            if (w->block->faces[i].id != FRACAS_NONE)
                w->marks[w->scene->topology.triangles.data[w->block->faces[i].id].number] = above;
        return;
    }
    above.depth++;
    for (int k = 0; k < 4; k++) {
        const uint32_t child = frc_block_links(w->block)[index].child[k];
        if (child != FRC_REF_NONE) visit(w, child, above);
    }
}

static void expect_walk(const fixture* f, uint32_t mode) {
    const fracas_scene* scene = f->k.scene;
    uint32_t count, base = 0, certified = 0, covered = 0;
    fracas_triangle_mark* marks = get(f, mode, &count);
    fracas_triangle_mark* wanted = calloc(count, sizeof *wanted);
    assert_non_null(wanted);
    const frc_boxes boxes = mode == FRACAS_MODE_DISCRETE ? FRC_BOXES_END : FRC_BOXES_STEP;
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, f->body, &status);
    for (size_t b = 0; b < body->blocks.count; b++) {
        const uint32_t number = body->blocks.data[b];
        const frc_block* block = scene->blocks.data[number];
        const walk w = {scene, block, boxes, base, wanted};
        if (!block->free_elements) visit(&w, 0, (fracas_triangle_mark){0});
        if (frc_cull_state_find(&scene->cull_states, block, number))
            covered += frc_cull_covered(&scene->cull_states, block, number, boxes);
        base += block->node_count + block->leaf_count;
    }
    for (uint32_t t = 0; t < count; t++) {
        assert_int_equal(marks[t].depth, wanted[t].depth);
        assert_int_equal(marks[t].region, wanted[t].region);
        certified += marks[t].region != 0;
    }
    // src/cull counts slots, some of which are empty.
    assert_true(certified <= covered && (certified == 0) == (covered == 0));
    free(wanted);
    free(marks);
}

// ---- soundness

typedef struct check {
    const fracas_triangle_mark* marks;
    uint32_t contacts, within;
} check;

static bool count_within(const fracas_contact* contact, void* user) {
    check* c = user;
    const uint32_t region = c->marks[contact->a[0]].region;
    c->contacts++;
    c->within += region && region == c->marks[contact->b[0]].region;
    return true;
}

static uint32_t expect_sound(const fixture* f) {
    uint32_t count;
    fracas_triangle_mark* marks = get(f, FRACAS_MODE_DISCRETE, &count);
    check c = {.marks = marks};
    fracas_published_query query = fracas_published_scene_default_query();
    query.query.modes = FRACAS_MODE_DISCRETE;
    query.no_cull = true;
    const fracas_sink sink = {.report = count_within, .user = &c};
    assert_int_equal(fracas_published_scene_detect(f->k.scene, &query, &sink, NULL), FRACAS_OK);
    assert_int_equal(c.within, 0);
    free(marks);
    return c.contacts;
}

// ---- tests

static void marks_are_those_of_the_trees(void** state) {
    (void)state;
    uint32_t contacts = 0;
    for (int turns = 1; turns <= 6; turns++) {
        fixture* f = create(FRACAS_MODE_BOTH, 0.25 * turns);
        expect_walk(f, FRACAS_MODE_DISCRETE);
        expect_walk(f, FRACAS_MODE_CONTINUOUS);
        contacts += expect_sound(f);
        // Some parts are certified, and the tree is deeper than its root.
        uint32_t count, regions = 0, deepest = 0;
        fracas_triangle_mark* marks = get(f, FRACAS_MODE_DISCRETE, &count);
        for (uint32_t t = 0; t < count; t++) {
            regions += marks[t].region != 0;
            deepest = marks[t].depth > deepest ? marks[t].depth : deepest;
        }
        assert_int_equal(count, TRIANGLES);
        assert_true(regions > TRIANGLES / 4);
        assert_in_range(deepest, 4, 20);
        free(marks);
        destroy(f);
    }
    assert_true(contacts > 20);
}

// Removed triangles are zero; what a tear adds is in further trees.
static void marks_follow_edits(void** state) {
    (void)state;
    fixture* f = create(FRACAS_MODE_DISCRETE, 1.1);
    for (uint32_t t = 100; t < 4000; t += 450) {
        fracas_split split = fracas_scene_default_split();
        const uint32_t removed[2] = {t, t + 1};
        split.removed_triangles = removed, split.removed_triangle_count = 2;
        assert_int_equal(fracas_scene_split(f->k.scene, f->body, &split, NULL), FRACAS_OK);
        assert_int_equal(fracas_scene_update(f->k.scene), FRACAS_OK);
        expect_walk(f, FRACAS_MODE_DISCRETE);
        expect_sound(f);
        uint32_t count;
        fracas_triangle_mark* marks = get(f, FRACAS_MODE_DISCRETE, &count);
        for (int i = 0; i < 2; i++)
            assert_true(marks[removed[i]].depth == 0 && marks[removed[i]].region == 0);
        free(marks);
    }
    destroy(f);
}

static void errors_change_nothing(void** state) {
    (void)state;
    fixture* f = create(FRACAS_MODE_DISCRETE, 0.5);
    const fracas_scene* scene = f->k.scene;
    fracas_triangle_mark* marks = malloc(TRIANGLES * sizeof *marks);
    fracas_triangle_mark* kept = malloc(TRIANGLES * sizeof *kept);
    assert_true(marks && kept);
    memset(marks, 7, TRIANGLES * sizeof *marks);
    memcpy(kept, marks, TRIANGLES * sizeof *marks);
    const fracas_body none = {0};
    assert_int_equal(
        fracas_scene_get_triangle_marks(scene, none, FRACAS_MODE_DISCRETE, marks, TRIANGLES),
        FRACAS_ERROR_STALE_HANDLE);
    assert_int_equal(
        fracas_scene_get_triangle_marks(scene, f->body, FRACAS_MODE_CONTINUOUS, marks, TRIANGLES),
        FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&f->k, "mode is 2");
    assert_int_equal(
        fracas_scene_get_triangle_marks(scene, f->body, FRACAS_MODE_BOTH, marks, TRIANGLES),
        FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(
        fracas_scene_get_triangle_marks(scene, f->body, FRACAS_MODE_DISCRETE, marks, TRIANGLES - 1),
        FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&f->k, "count is 4607");
    const fracas_points points = {.data = f->points, .count = POINTS};
    assert_int_equal(fracas_scene_move(f->k.scene, f->body, &points), FRACAS_OK);
    assert_int_equal(
        fracas_scene_get_triangle_marks(scene, f->body, FRACAS_MODE_DISCRETE, marks, TRIANGLES),
        FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&f->k, "call fracas_scene_update before");
    assert_memory_equal(marks, kept, TRIANGLES * sizeof *marks);
    free(marks);
    free(kept);
    destroy(f);
}

// A search method without trees has no depths and no regions.
static void no_trees_no_marks(void** state) {
    (void)state;
    kit k;
    fracas_published_scene_options options = fracas_published_scene_default_options();
    options.broad = FRACAS_PUBLISHED_BROAD_HASH;
    assert_int_equal(fracas_context_create(NULL, &k.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(k.context, &options, &k.scene), FRACAS_OK);
    const fracas_body body = kit_add_strip(&k, 30, 0, FRACAS_MOTION_DEFORMING);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    fracas_triangle_mark marks[60];
    assert_int_equal(
        fracas_scene_get_triangle_marks(k.scene, body, FRACAS_MODE_DISCRETE, marks, 60), FRACAS_OK);
    for (int t = 0; t < 60; t++) assert_int_equal(marks[t].region, 0);
    kit_destroy(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_those_of_the_trees),
        cmocka_unit_test(marks_follow_edits),
        cmocka_unit_test(errors_change_nothing),
        cmocka_unit_test(no_trees_no_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
