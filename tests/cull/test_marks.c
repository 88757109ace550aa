// Marks over many updates, with edits, moves and both: contacts and counts of siblings are those
// without culling, and marks do not depend on the number of threads. Allocations may fail at any
// point.
#include "cmocka_all.h"
#include "cull/certify.h"
#include "cull_check.h"
#include "scene/test_allocator.h"
#include <stdlib.h>
#include <string.h>

static void require_ok(fracas_status status) { assert_int_equal(status, FRACAS_OK); }

typedef struct list {
    fracas_contact* data;
    size_t count;
    fracas_statistics statistics;
} list;

static bool collect(const fracas_contact* contact, void* user) {
    list* l = user;
    l->data = realloc(l->data, (l->count + 1) * sizeof *l->data);
    l->data[l->count++] = *contact;
    return true;
}

static list query_contacts(const fracas_scene* scene, fracas_published_query query) {
    list l = {0};
    fracas_sink sink = {collect, &l, &l.statistics};
    require_ok(fracas_published_scene_detect(scene, &query, &sink, NULL));
    return l;
}

static void expect_same(const fracas_scene* scene, fracas_published_query query) {
    list culled = query_contacts(scene, query);
    query.no_cull = true;
    // The filters before the exact stage do not change results either.
    query.filter = query.filter == FRACAS_PUBLISHED_FILTER_NONE ? FRACAS_PUBLISHED_FILTER_ALL
                                                                : FRACAS_PUBLISHED_FILTER_NONE;
    list all = query_contacts(scene, query);
    assert_int_equal(culled.count, all.count);
    assert_int_equal(culled.statistics.siblings_left_out, all.statistics.siblings_left_out);
    for (size_t i = 0; i < all.count; i++)
        assert_memory_equal(&culled.data[i], &all.data[i], sizeof *all.data);
    free(culled.data);
    free(all.data);
}

// A cached contour is equal to a recomputed one.
static void expect_contour(const fracas_scene* scene, const frc_cull_state* state, uint32_t node) {
    const frc_block* block = state->block;
    const uint32_t* kept = &state->contours[state->contour_at[node] - 1];
    frc_cull_scratch scratch = {.context = scene->context};
    frc_patch patch;
    frc_boxes boxes = block->tree[FRC_BOXES_END].nodes ? FRC_BOXES_END : FRC_BOXES_STEP;
    if (!frc_make_patch(&scene->topology, state, boxes, node, &patch)) return;
    assert_true(frc_patch_contour(&patch, &scratch) && frc_patch_find_loop(&patch, &scratch));
    assert_non_null(scratch.loop);
    assert_int_equal(scratch.loop_count, kept[0]);
    assert_memory_equal(scratch.loop, kept + 1, (kept[0] + 1) * sizeof *kept);
    frc_cull_scratch_release(&scratch);
}

static uint32_t expect_contours(const fracas_scene* scene) {
    uint32_t count = 0;
    for (size_t b = 0; b < scene->blocks.count; b++) {
        const frc_block* block = scene->blocks.data[b];
        const frc_cull_state* state =
            block ? frc_cull_state_find(&scene->cull_states, block, (uint32_t)b) : NULL;
        // After an edit the cache is validated before use.
        if (!state || state->opposite_version != block->opposite_version) continue;
        for (uint32_t n = 0; n < block->node_count; n++)
            if (state->contour_at[n]) expect_contour(scene, state, n), count++;
    }
    return count;
}

static void expect_no_misses(const fracas_scene* scene) {
    expect_contours(scene);
    for (int siblings = 0; siblings <= FRACAS_SIBLINGS_IGNORE; siblings++) {
        fracas_published_query query = fracas_published_scene_default_query();
        query.query.modes = FRACAS_MODE_BOTH;
        query.query.siblings = (fracas_siblings)siblings;
        query.filter =
            siblings ? FRACAS_PUBLISHED_FILTER_NON_PENETRATION : FRACAS_PUBLISHED_FILTER_ALL;
        expect_same(scene, query);
    }
    fracas_published_query query = fracas_published_scene_default_query();
    query.query.min_separation = 0.01;
    expect_same(scene, query);
}

// ---- edits

static void tear(fracas_scene* scene, fracas_body body, uint64_t* r) {
    fracas_body_info info;
    uint32_t corners[3], c[3];
    require_ok(fracas_scene_get_body(scene, body, &info));
    uint32_t t = cull_below(r, info.triangle_numbers);
    if (fracas_scene_get_triangle(scene, body, t, corners) != FRACAS_OK) return;
    fracas_new_vertex sibling = {corners[0], FRACAS_NONE, 0, {0}, {0}};
    fracas_repoint repoints[64];
    fracas_split split = fracas_scene_default_split();
    for (uint32_t n = t; n < t + 12 && n < info.triangle_numbers; n++) {
        if (fracas_scene_get_triangle(scene, body, n, c) != FRACAS_OK) continue;
        for (uint32_t k = 0; k < 3; k++)
            if (c[k] == corners[0])
                repoints[split.repoint_count++] = (fracas_repoint){n, k, info.vertex_numbers};
    }
    split.repoints = repoints;
    split.new_vertices = &sibling, split.new_vertex_count = 1;
    require_ok(fracas_scene_split(scene, body, &split, NULL));
}

static void remove_triangles(fracas_scene* scene, fracas_body body, uint64_t* r) {
    fracas_body_info info;
    uint32_t corners[3];
    require_ok(fracas_scene_get_body(scene, body, &info));
    uint32_t t = cull_below(r, info.triangle_numbers);
    if (fracas_scene_get_triangle(scene, body, t, corners) != FRACAS_OK || info.triangles < 4)
        return;
    fracas_split split = fracas_scene_default_split();
    split.removed_triangles = &t, split.removed_triangle_count = 1;
    require_ok(fracas_scene_split(scene, body, &split, NULL));
}

static void shake(fracas_scene* scene, fracas_body body, uint64_t* r, double amount) {
    fracas_body_info info;
    require_ok(fracas_scene_advance(scene));
    require_ok(fracas_scene_get_body(scene, body, &info));
    double(*points)[3] = calloc(info.vertex_numbers, sizeof *points);
    for (uint32_t i = 0; i < info.vertex_numbers; i++) {
        if (fracas_scene_get_vertex(scene, body, i, points[i], NULL) != FRACAS_OK) continue;
        for (int k = 0; k < 3; k++) points[i][k] += cull_uniform(r, -amount, amount);
    }
    fracas_points view = {.data = points, .count = info.vertex_numbers};
    require_ok(fracas_scene_move(scene, body, &view));
    free(points);
}

// A wavy sheet of some hundred triangles, so that there are nodes of all sizes.
static cull_shape make_sheet(uint32_t side) {
    cull_shape s = {0};
    for (uint32_t i = 0; i < side * side; i++) {
        double x = i % side, y = i / side;
        cull_add_point(&s, x, y, 0.02 * (x - 7) * (x - 7) + 0.03 * (y - 9) * (y - 4));
    }
    for (uint32_t y = 0; y + 1 < side; y++)
        for (uint32_t x = 0; x + 1 < side; x++) {
            uint32_t a = y * side + x;
            cull_add_triangle(&s, a, a + 1, a + side + 1);
            cull_add_triangle(&s, a, a + side + 1, a + side);
        }
    return s;
}

// A few edits, or small motion; occasionally a large one.
static void random_step(fracas_scene* scene, fracas_body body, uint64_t* r) {
    uint32_t edits = cull_below(r, 3) ? 0 : 1 + cull_below(r, 3);
    for (uint32_t i = 0; i < edits; i++)
        if (cull_below(r, 3))
            tear(scene, body, r);
        else
            remove_triangles(scene, body, r);
    if (cull_below(r, 2)) shake(scene, body, r, cull_below(r, 40) ? 0.004 : 0.2);
}

// ---- the tests

static uint64_t mark_hash(const fracas_scene* scene, uint64_t* marks) {
    uint64_t hash = 14695981039346656037u;
    for (size_t b = 0; b < scene->blocks.count; b++) {
        const frc_block* block = scene->blocks.data[b];
        for (uint32_t i = 0; block && block->skip && i < block->node_count + block->leaf_count;
             i++) {
            hash = (hash ^ block->skip[i]) * 1099511628211u;
            *marks += block->skip[i] != 0;
        }
    }
    return hash;
}

static void edits_and_moves(void** state) {
    (void)state;
    cull_shape shape = make_sheet(30);
    cull_world worlds[2];
    uint64_t random[2] = {4711, 4711}, marks[2] = {0, 0}, contours = 0;
    cull_tally tally = {0};
    for (int w = 0; w < 2; w++)
        assert_true(
            cull_world_open(&worlds[w], &shape, FRACAS_PUBLISHED_CULL_CERTIFICATE, w ? 3 : 1));
    for (int step = 0; step < 120; step++) {
        uint64_t hash[2];
        for (int w = 0; w < 2; w++) {
            random_step(worlds[w].scene, worlds[w].body, &random[w]);
            require_ok(fracas_scene_update(worlds[w].scene));
            hash[w] = mark_hash(worlds[w].scene, &marks[w]);
            for (size_t b = 0; b < worlds[w].scene->blocks.count; b++)
                if (worlds[w].scene->blocks.data[b])
                    assert_null(frc_block_validate(worlds[w].scene->blocks.data[b],
                                                   &worlds[w].scene->topology, (uint32_t)b));
        }
        assert_int_equal(hash[0], hash[1]);
        contours += expect_contours(worlds[0].scene);
        // Queries with and without culling both run, as queries influence what is rebuilt.
        for (int w = 0; w < 2; w++) expect_no_misses(worlds[w].scene);
        if (step % 8 == 0) cull_check_scene(&worlds[0], false, &tally);
    }
    print_message("%llu marks over 120 updates\n", (unsigned long long)marks[0]);
    assert_int_equal(tally.misses, 0);
    assert_true(marks[0] > 120 && contours > 120);
    for (int w = 0; w < 2; w++) cull_world_close(&worlds[w]);
    cull_free_shape(&shape);
}

// A sheet at rest keeps most of its marks when a small part is edited.
static void edit_keeps_other_marks(void** state) {
    (void)state;
    cull_shape shape = make_sheet(40);
    cull_world world;
    uint64_t random = 99;
    assert_true(cull_world_open(&world, &shape, FRACAS_PUBLISHED_CULL_CERTIFICATE, 1));
    const frc_block* block = world.scene->blocks.data[0];
    assert_true(frc_block_skips(block, FRC_BOXES_END, 0));
    assert_true(frc_block_skips(block, FRC_BOXES_STEP, 0));
    remove_triangles(world.scene, world.body, &random);
    require_ok(fracas_scene_update(world.scene));
    block = world.scene->blocks.data[0];
    uint32_t covered = 0;
    for (uint32_t n = 0; n < block->node_count; n++) {
        if (!frc_block_skips(block, FRC_BOXES_END, n)) continue;
        bool below = false;
        for (uint32_t p = block->tree[0].nodes[n].parent; p != FRC_REF_NONE;
             p = block->tree[0].nodes[p].parent)
            below |= frc_block_skips(block, FRC_BOXES_END, p);
        for (uint32_t l = 0; l < block->leaf_count && !below; l++)
            for (uint32_t p = block->leaves[l].parent; p != FRC_REF_NONE;
                 p = block->tree[0].nodes[p].parent)
                if (p == n) covered += block->leaves[l].face_count;
    }
    print_message("%u of %u triangles are below a mark\n", covered, shape.triangle_count - 1);
    assert_true(covered > shape.triangle_count * 9 / 10);
    expect_no_misses(world.scene);
    cull_world_close(&world);
    cull_free_shape(&shape);
}

static void failed_allocations(void** state) {
    (void)state;
    cull_shape shape = make_sheet(14);
    for (int mode = 0; mode <= FRACAS_PUBLISHED_CULL_DUAL_CONE_FRONT; mode++) {
        size_t failures = 0;
        test_allocator memory = {0};
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = 1;
        options.allocator =
            (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
        fracas_context* context;
        require_ok(fracas_context_create(&options, &context));
        fracas_published_scene_options so = fracas_published_scene_default_options();
        so.cull = (fracas_published_cull)mode;
        fracas_scene* scene;
        require_ok(fracas_published_scene_create(context, &so, &scene));
        fracas_mesh_view mesh = {
            .points = {.data = shape.points[0][0],
                       .count = shape.point_count,
                       .stride = sizeof *shape.points},
            .triangles = shape.triangles[0],
            .triangle_count = shape.triangle_count
        };
        fracas_body body;
        require_ok(fracas_scene_add(scene, &mesh, NULL, &body));
        uint64_t random = 5;
        for (int turn = 0; turn < 3; turn++) {
            fracas_status status;
            size_t n = 0;
            do {
                test_allocator_fail_at(&memory, ++n);
                status = fracas_scene_update(scene);
                assert_true(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY);
                failures += status != FRACAS_OK;
            } while (status != FRACAS_OK);
            test_allocator_fail_at(&memory, 0);
            if (mode == FRACAS_PUBLISHED_CULL_CERTIFICATE) expect_no_misses(scene);
            tear(scene, body, &random);
            shake(scene, body, &random, 0.05);
        }
        assert_true(failures > 10);
        fracas_scene_destroy(scene);
        fracas_context_destroy(context);
        assert_int_equal(memory.live, 0);
    }
    cull_free_shape(&shape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_and_moves),
        cmocka_unit_test(edit_keeps_other_marks),
        cmocka_unit_test(failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
