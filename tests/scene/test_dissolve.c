// Most of a body leaves in one split: its blocks are dissolved, what stays becomes pending.
#include "fracas/published.h"
#include "scene_kit.h"
#include "test_allocator.h"

enum { STAY = 10, CRACKS = 200 };  // squares that stay; triangles that are new and leave

// Of a strip of 40 squares the last 30 leave, with new triangles. More of these than stay: lists of
// pending features that had room for one kind of change only were written beyond their end.
static void break_strip(kit* k, fracas_body body, uint32_t triangles, fracas_body* part) {
    const fracas_new_vertex copies[2] = {
        {.parent_a = 2 * STAY,     .parent_b = FRACAS_NONE},
        {.parent_a = 2 * STAY + 1, .parent_b = FRACAS_NONE}
    };
    const uint32_t first_copy = 2 * KIT_SQUARES + 2;
    const fracas_repoint repoints[3] = {
        {2 * STAY,     0, first_copy    },
        {2 * STAY,     2, first_copy + 1},
        {2 * STAY + 1, 0, first_copy + 1}
    };
    uint32_t corners[CRACKS][3], leaving[2 * (KIT_SQUARES - STAY) + CRACKS], count = 0;
    for (uint32_t i = 0; i < CRACKS; i++) {
        const uint32_t a = 2 * STAY + 2 + i % 50;
        const uint32_t crack[3] = {a, a + 4, a + 8};
        memcpy(corners[i], crack, sizeof crack);
    }
    for (uint32_t i = 2 * STAY; i < 2 * KIT_SQUARES; i++) leaving[count++] = i;
    for (uint32_t i = 0; i < CRACKS; i++) leaving[count++] = triangles + i;
    const uint32_t offsets[2] = {0, count};
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = copies, split.new_vertex_count = 2;
    split.repoints = repoints, split.repoint_count = 3;
    split.new_triangles = corners[0], split.new_triangle_count = CRACKS;
    split.part_count = 1, split.part_offsets = offsets, split.part_triangles = leaving;
    const uint32_t removed = 0;
    split.removed_triangles = &removed, split.removed_triangle_count = 1;
    assert_int_equal(fracas_scene_split(k->scene, body, &split, part), FRACAS_OK);
}

// The strip passes the lower edge of the wall.
static void lower_strip(kit* k, fracas_body body) {
    double points[2 * KIT_SQUARES + 2][3];
    for (uint32_t i = 0; i < 2 * KIT_SQUARES + 2; i++) {
        const double p[3] = {i / 2, i % 2, -1.5};
        memcpy(points[i], p, sizeof p);
    }
    const fracas_points end = {.data = points, .count = 2 * KIT_SQUARES + 2};
    assert_int_equal(fracas_scene_move(k->scene, body, &end), FRACAS_OK);
}

// The wall stands across the strip, all along it.
static fracas_body add_wall(kit* k) {
    const double points[4][3] = {
        {-1, 0.4, -1},
        {41, 0.4, -1},
        {-1, 0.4, 1 },
        {41, 0.4, 1 }
    };
    const uint32_t triangles[2][3] = {
        {0, 1, 2},
        {1, 3, 2}
    };
    const fracas_mesh_view mesh = kit_mesh(points, 4, triangles, 2);
    return kit_add(k, &mesh, FRACAS_MOTION_STATIC);
}

static void most_of_a_body_leaves(void** state) {
    (void)state;
    // 1: the body has a pending triangle by then; 2: what stays is merged into a larger body.
    for (uint32_t variant = 0; variant < 3; variant++) {
        const uint32_t more = variant == 1;
        fracas_statistics found[2];
        for (int s = 0; s < 2; s++) {  // with trees, and with cells, which have none
            test_allocator memory = {0};
            kit k = {NULL, NULL};
            fracas_context_options context = fracas_context_default_options();
            context.allocator =
                (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
            context.worker_count = 1;
            assert_int_equal(fracas_context_create(&context, &k.context), FRACAS_OK);
            fracas_published_scene_options how = fracas_published_scene_default_options();
            how.scene.modes = FRACAS_MODE_BOTH;
            if (s) how.broad = FRACAS_PUBLISHED_BROAD_HASH;
            assert_int_equal(fracas_published_scene_create(k.context, &how, &k.scene), FRACAS_OK);
            add_wall(&k);
            fracas_body body = kit_add_strip(&k, KIT_SQUARES, 0, FRACAS_MOTION_DEFORMING), part;
            fracas_body other = kit_add_strip(&k, KIT_SQUARES, 9, FRACAS_MOTION_DEFORMING);
            kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
            lower_strip(&k, body);
            if (more) {
                const uint32_t corners[3] = {0, 1, 5};  // an edge of triangle 0
                fracas_split in_place = fracas_scene_default_split();
                in_place.new_triangles = corners, in_place.new_triangle_count = 1;
                assert_int_equal(fracas_scene_split(k.scene, body, &in_place, NULL), FRACAS_OK);
            }
            break_strip(&k, body, 2 * KIT_SQUARES + more, &part);
            assert_int_equal(kit_info(&k, body).triangles, 2 * STAY - 1 + more);
            if (variant == 2) {
                const fracas_body both[2] = {other, body};
                const fracas_merge merge = fracas_scene_default_merge();
                fracas_body joined;
                assert_int_equal(fracas_scene_merge(k.scene, both, 2, &merge, &joined), FRACAS_OK);
            }
            found[s] = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
            fracas_scene_destroy(k.scene);
            fracas_context_destroy(k.context);
            assert_int_equal(memory.live, 0);
        }
        assert_true(found[0].contacts[FRACAS_CONTACT_EE] > KIT_SQUARES);
        assert_memory_equal(found[0].contacts, found[1].contacts, sizeof found[0].contacts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(most_of_a_body_leaves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
