// The cost of an edit depends on the edited elements only: equal small edits of bodies and scenes
// of very different size allocate about as many bytes, change as few leaves, and take about as
// long.
#include "scene/scene.h"
#include "scene_kit.h"
#include "test_allocator.h"
#include <time.h>

typedef struct world {
    test_allocator memory;
    fracas_context* context;
    fracas_scene* scene;
    fracas_body body;
    uint32_t side;  // squares per side
} world;

static fracas_body add_sheet(world* w, uint32_t side, double z) {
    uint32_t points = (side + 1) * (side + 1), count = 0;
    double(*p)[3] = malloc(points * sizeof *p);
    uint32_t(*t)[3] = malloc((size_t)2 * side * side * sizeof *t);
    for (uint32_t i = 0; i < points; i++) {
        const double at[3] = {i % (side + 1), i / (side + 1), z};
        memcpy(p[i], at, sizeof at);
    }
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            uint32_t a = y * (side + 1) + x;
            const uint32_t pair[2][3] = {
                {a,     a + 1,        a + side + 1},
                {a + 1, a + side + 2, a + side + 1}
            };
            memcpy(t[count], pair, sizeof pair);
            count += 2;
        }
    fracas_mesh_view mesh = kit_mesh((const double(*)[3])p, points, (const uint32_t(*)[3])t, count);
    fracas_body body;
    assert_int_equal(fracas_scene_add(w->scene, &mesh, NULL, &body), FRACAS_OK);
    free(p);
    free(t);
    return body;
}

static void create_world(world* w, uint32_t side) {
    memset(w, 0, sizeof *w);
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &w->memory};
    assert_int_equal(fracas_context_create(&options, &w->context), FRACAS_OK);
    assert_int_equal(fracas_scene_create(w->context, NULL, &w->scene), FRACAS_OK);
    w->side = side;
    w->body = add_sheet(w, side, 0);
    assert_int_equal(fracas_scene_update(w->scene), FRACAS_OK);
}

static void destroy_world(world* w) {
    fracas_scene_destroy(w->scene);
    fracas_context_destroy(w->context);
}

// Detach the two triangles of one square, with copies of all four corners.
static void break_off(world* w, uint32_t square) {
    const uint32_t triangles[2] = {2 * square, 2 * square + 1}, offsets[2] = {0, 2};
    fracas_body_info info;
    assert_int_equal(fracas_scene_get_body(w->scene, w->body, &info), FRACAS_OK);
    fracas_new_vertex vertices[4];
    fracas_repoint repoints[6];
    uint32_t old[4], count = 0;
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t corners[3], k = 0;
        assert_int_equal(fracas_scene_get_triangle(w->scene, w->body, triangles[i / 3], corners),
                         FRACAS_OK);
        while (k < count && old[k] != corners[i % 3]) k++;
        if (k == count) {
            vertices[count] = (fracas_new_vertex){corners[i % 3], FRACAS_NONE, 0, {0}, {0}};
            old[count++] = corners[i % 3];
        }
        repoints[i] = (fracas_repoint){triangles[i / 3], i % 3, info.vertex_numbers + k};
    }
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = vertices, split.new_vertex_count = count;
    split.repoints = repoints, split.repoint_count = 6;
    split.part_offsets = offsets, split.part_triangles = triangles, split.part_count = 1;
    fracas_body part;
    assert_int_equal(fracas_scene_split(w->scene, w->body, &split, &part), FRACAS_OK);
}

enum { EDITS = 16 };

// The cheapest of several edits with their updates: the growth of arrays is amortised.
static double cheapest_edit(world* w, size_t* bytes, size_t* leaves) {
    double best = 1e9;
    *bytes = *leaves = SIZE_MAX;
    for (uint32_t i = 0; i < EDITS; i++) {
        size_t before = w->memory.bytes;
        clock_t start = clock();
        break_off(w, 7 * i % (w->side * w->side));
        size_t stale = 0;
        for (size_t b = 0; b < w->scene->blocks.count; b++) {
            const frc_block* block = w->scene->blocks.data[b];
            if (block) stale += block->all_stale ? block->leaf_count : block->stale.count;
        }
        assert_int_equal(fracas_scene_update(w->scene), FRACAS_OK);
        double ms = (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC;
        size_t used = w->memory.bytes - before;
        if (ms < best) best = ms;
        if (used < *bytes) *bytes = used;
        if (stale < *leaves) *leaves = stale;
    }
    return best;
}

static void split_cost_is_proportional_to_its_lists(void** state) {
    (void)state;
    static const uint32_t sides[] = {22, 71, 223};  // about 1e3, 1e4, 1e5 triangles
    double ms[3];
    size_t bytes[3], leaves[3];
    for (int i = 0; i < 3; i++) {
        world w;
        create_world(&w, sides[i]);
        ms[i] = cheapest_edit(&w, &bytes[i], &leaves[i]);
        print_message("%u triangles: %.3f ms, %zu bytes, %zu leaves\n", 2 * sides[i] * sides[i],
                      ms[i], bytes[i], leaves[i]);
        destroy_world(&w);
    }
    assert_true(bytes[2] < 2 * bytes[0] + 4096);
    assert_true(leaves[2] <= 2 * leaves[0] + 8);
    // For a hundred times as many triangles the limit is less than ten times the time; a loop over
    // the body would take a hundred times.
    assert_true(ms[2] < 10 * ms[0] + 0.2);
}

// Removes many bodies. Regression: each was searched in the lists of all, so 20 000 took seconds.
static void removing_many_bodies(void** state) {
    (void)state;
    enum { MANY = 20000 };
    kit k = kit_create(1);
    fracas_body* bodies = malloc(MANY * sizeof *bodies);
    const double points[3][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 1, 0}
    };
    const uint32_t triangles[1][3] = {
        {0, 1, 2}
    };
    fracas_mesh_view mesh = kit_mesh(points, 3, triangles, 1);
    for (uint32_t i = 0; i < MANY; i++) {
        bodies[i] = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
        fracas_points view = {.data = points, .count = 3};
        assert_int_equal(fracas_scene_move(k.scene, bodies[i], &view), FRACAS_OK);
    }
    clock_t start = clock();
    for (uint32_t i = 0; i < MANY / 2; i++)
        assert_int_equal(fracas_scene_remove(k.scene, bodies[i]), FRACAS_OK);
    fracas_body out;
    assert_int_equal(fracas_scene_merge(k.scene, bodies + MANY / 2, MANY / 2, NULL, &out),
                     FRACAS_OK);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1);
    free(bodies);
    kit_destroy(&k);
}

// Merging small bodies into a large one costs time proportional to the small ones.
static void merge_cost_is_proportional_to_the_added_bodies(void** state) {
    (void)state;
    double ms[2] = {1e9, 1e9};
    size_t bytes[2] = {SIZE_MAX, SIZE_MAX};
    for (int large = 0; large < 2; large++) {
        world w;
        create_world(&w, large ? 223 : 22);
        for (uint32_t i = 0; i < EDITS; i++) {
            fracas_body pair[2] = {w.body, add_sheet(&w, 2, 5 + i)}, out;
            assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
            const fracas_weld_pair weld = {0, i, 1, 0};
            fracas_merge merge = fracas_scene_default_merge();
            merge.welds = &weld, merge.weld_count = 1;
            size_t before = w.memory.bytes;
            clock_t start = clock();
            assert_int_equal(fracas_scene_merge(w.scene, pair, 2, &merge, &out), FRACAS_OK);
            assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
            double spent = (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC;
            if (spent < ms[large]) ms[large] = spent;
            if (w.memory.bytes - before < bytes[large]) bytes[large] = w.memory.bytes - before;
        }
        print_message("%s: %.3f ms, %zu bytes\n", large ? "large" : "small", ms[large],
                      bytes[large]);
        destroy_world(&w);
    }
    assert_true(bytes[1] < 2 * bytes[0] + 4096);
    assert_true(ms[1] < 10 * ms[0] + 0.2);
}

// Features that edits add one by one do not end in a tree for each edit.
static void small_trees_are_joined(void** state) {
    (void)state;
    world w;
    uint32_t trees = 0;
    create_world(&w, 20);
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t corners[3] = {i, i + 2, i + 60};
        fracas_split split = fracas_scene_default_split();
        split.new_triangles = corners, split.new_triangle_count = 1;
        assert_int_equal(fracas_scene_split(w.scene, w.body, &split, NULL), FRACAS_OK);
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
    }
    for (size_t b = 0; b < w.scene->blocks.count; b++) trees += w.scene->blocks.data[b] != NULL;
    print_message("%u trees after 60 edits\n", trees);
    assert_in_range(trees, 1, 20);
    destroy_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_trees_are_joined),
        cmocka_unit_test(split_cost_is_proportional_to_its_lists),
        cmocka_unit_test(removing_many_bodies),
        cmocka_unit_test(merge_cost_is_proportional_to_the_added_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
