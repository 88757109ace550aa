// A body breaks into many parts: parts keep the order of their old tree, opposite half-edges found
// while filling leaves are equal to those of a separate search, contacts are those of trees built
// from scratch, and traces are as listed.
#include "fracas/published.h"
#include "hash.h"
#include "scene/scene.h"
#include "scene_kit.h"
#include "test_allocator.h"
#include <stdlib.h>

enum { SIDE = 32, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };
enum { PARTS = 9, CAPACITY = 16 * POINTS, LABELS = 8 * TRIANGLES, FRAMES = 12 };

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

static double noise(uint64_t* state) { return (double)next_random(state) * 0x1p-53 - 0.5; }

typedef struct world {
    fracas_context* context;
    fracas_scene* scene;
    uint64_t random;
    fracas_body bodies[64];
    uint32_t count;
    test_allocator memory;
} world;

static void add_sheet(world* w) {
    static double points[POINTS][3];
    static uint32_t corners[TRIANGLES][3];
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
        const double p[3] = {x, y, 0.3 * ((x * x + y) % 5) + 0.2 * noise(&w->random)};
        memcpy(points[i], p, sizeof p);
    }
    kit_sheet(SIDE, corners);
    // A fold: edges with three triangles, or with two of the same orientation, have no opposite
    // half-edges.
    corners[7][0] = corners[6][0], corners[7][1] = corners[6][1];
    corners[91][0] = corners[90][0], corners[91][1] = corners[90][1];
    fracas_mesh_view mesh =
        kit_mesh((const double(*)[3])points, POINTS, (const uint32_t(*)[3])corners, TRIANGLES);
    assert_int_equal(fracas_scene_add(w->scene, &mesh, NULL, &w->bodies[w->count++]), FRACAS_OK);
}

static void begin_world(world* w, const fracas_published_scene_options* how, uint32_t workers) {
    *w = (world){.random = 5};
    fracas_context_options context = fracas_context_default_options();
    context.worker_count = workers;
    context.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &w->memory};
    assert_int_equal(fracas_context_create(&context, &w->context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(w->context, how, &w->scene), FRACAS_OK);
    add_sheet(w);
    assert_int_equal(fracas_scene_update(w->scene), FRACAS_OK);
}

static void make_world(world* w, bool inherit, fracas_published_builder rebuild, uint32_t workers) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.scene.modes = FRACAS_MODE_BOTH;
    how.rebuild = rebuild;
    how.inherit = inherit;
    begin_world(w, &how, workers);
}

static void destroy_world(world* w) {
    fracas_scene_destroy(w->scene);
    fracas_context_destroy(w->context);
}

// ---- breaking

static fracas_element element(fracas_body body, fracas_element_kind kind, uint32_t index) {
    return (fracas_element){body, kind, index};
}

static void expect_trace(const world* w, fracas_element old, fracas_element wanted) {
    fracas_element now;
    assert_int_equal(fracas_scene_trace(w->scene, &old, &now), FRACAS_OK);
    assert_int_equal(now.body.index, wanted.body.index);
    assert_int_equal(now.body.generation, wanted.body.generation);
    assert_int_equal(now.index, wanted.index);
}

// Each triangle belongs to the nearest of some seeds; the first part stays. `scattered`: some
// triangles belong to random parts.
static uint32_t label(world* w, fracas_body body, uint32_t parts, bool scattered,
                      uint32_t* labels) {
    fracas_body_info info;
    assert_int_equal(fracas_scene_get_body(w->scene, body, &info), FRACAS_OK);
    double seeds[PARTS][2];
    for (uint32_t p = 0; p < parts; p++)
        for (int k = 0; k < 2; k++) seeds[p][k] = SIDE * (noise(&w->random) + 0.5);
    bool used[PARTS] = {false};
    for (uint32_t t = 0; t < info.triangle_numbers; t++) {
        uint32_t corners[3];
        double at[3], least = 1e300;
        if (fracas_scene_get_triangle(w->scene, body, t, corners) != FRACAS_OK) continue;
        assert_int_equal(fracas_scene_get_vertex(w->scene, body, corners[0], at, NULL), FRACAS_OK);
        for (uint32_t p = 0; p < parts; p++) {
            double x = at[0] - seeds[p][0], y = at[1] - seeds[p][1];
            if (x * x + y * y < least) least = x * x + y * y, labels[t] = p;
        }
        if (scattered && t % 11 == 3) labels[t] = (uint32_t)(next_random(&w->random) % parts);
        used[labels[t]] = true;
    }
    // Labels without triangles are skipped.
    uint32_t names[PARTS] = {0}, count = 0;
    for (uint32_t p = 0; p < parts; p++) names[p] = p == 0 ? 0 : count + 1, count += p && used[p];
    for (uint32_t t = 0; t < info.triangle_numbers; t++) labels[t] = names[labels[t] % PARTS];
    return count;
}

static void shatter(world* w, uint32_t b, uint32_t parts, bool scattered) {
    static uint32_t labels[LABELS];
    fracas_body from = w->bodies[b], made[PARTS];
    memset(labels, 0, sizeof labels);
    uint32_t count = label(w, from, parts, scattered, labels);
    if (count == 0) return;
    fracas_body_info info;
    assert_int_equal(fracas_scene_get_body(w->scene, from, &info), FRACAS_OK);
    fracas_split_plan* plan;
    assert_int_equal(fracas_split_plan_create(w->scene, from, labels, info.triangle_numbers, &plan),
                     FRACAS_OK);
    const fracas_split* s = fracas_split_plan_get_split(plan);
    assert_int_equal(s->part_count, count);
    assert_int_equal(fracas_scene_split(w->scene, from, s, made), FRACAS_OK);
    for (uint32_t p = 0; p < count; p++) {
        w->bodies[w->count++] = made[p];
        for (uint32_t i = s->part_offsets[p]; i < s->part_offsets[p + 1]; i++)
            expect_trace(w, element(from, FRACAS_ELEMENT_TRIANGLE, s->part_triangles[i]),
                         element(made[p], FRACAS_ELEMENT_TRIANGLE, i - s->part_offsets[p]));
    }
    for (uint32_t t = 0; t < info.triangle_numbers; t++) {
        uint32_t corners[3];
        if (fracas_scene_get_triangle(w->scene, from, t, corners) != FRACAS_OK) continue;
        expect_trace(w, element(from, FRACAS_ELEMENT_TRIANGLE, t),
                     element(from, FRACAS_ELEMENT_TRIANGLE, t));
        for (int k = 0; k < 3; k++)
            expect_trace(w, element(from, FRACAS_ELEMENT_VERTEX, corners[k]),
                         element(from, FRACAS_ELEMENT_VERTEX, corners[k]));
    }
    fracas_split_plan_destroy(plan);
}

static void move_all(world* w, double amount) {
    static double points[CAPACITY][3];
    for (uint32_t b = 0; b < w->count; b++) {
        fracas_body_info info;
        assert_int_equal(fracas_scene_get_body(w->scene, w->bodies[b], &info), FRACAS_OK);
        assert_true(info.vertex_numbers <= CAPACITY);
        double away[3] = {amount * noise(&w->random), amount * noise(&w->random),
                          amount * noise(&w->random)};
        for (uint32_t i = 0; i < info.vertex_numbers; i++) {
            if (fracas_scene_get_vertex(w->scene, w->bodies[b], i, points[i], NULL) != FRACAS_OK)
                continue;
            for (int k = 0; k < 3; k++) points[i][k] += away[k] + 0.05 * amount * noise(&w->random);
        }
        const fracas_points view = {.data = points, .count = info.vertex_numbers};
        assert_int_equal(fracas_scene_move(w->scene, w->bodies[b], &view), FRACAS_OK);
    }
}

// ---- invariants

// Opposite half-edges, compared with a search of each edge.
static void check_opposite_half_edges(const world* w, frc_block* block) {
    if (!block->opposite) return;
    assert_null(frc_half_edges_check(block));
    uint32_t* half_edges = block->opposite;
    assert_true(frc_half_edges_build(w->context, &w->scene->topology, block));
    assert_memory_equal(half_edges, block->opposite,
                        3 * (size_t)block->face_slots * sizeof *half_edges);
    frc_release(w->context, block->opposite, frc_half_edges_size(block));
    block->opposite = half_edges;
}

static void check_blocks(const world* w) {
    const fracas_scene* s = w->scene;
    for (uint32_t i = 0; i < s->blocks.count; i++) {
        if (!s->blocks.data[i]) continue;
        const char* wrong = frc_block_validate(s->blocks.data[i], &s->topology, i);
        if (wrong) fail_msg("block %u: %s", i, wrong);
        check_opposite_half_edges(w, s->blocks.data[i]);
    }
    const char* wrong = frc_top_tree_validate(&s->top, s->blocks.data, (uint32_t)s->blocks.count);
    if (wrong) fail_msg("%s", wrong);
    for (size_t i = 0; i < s->topology.points.count; i++)
        assert_int_equal(s->topology.uses.data[i].draft, 0);
}

static uint64_t detect(const world* w, uint64_t hash) {
    fracas_contacts* contacts;
    size_t count;
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    query.siblings = FRACAS_SIBLINGS_REPORT;
    assert_int_equal(fracas_contacts_create(w->context, &contacts), FRACAS_OK);
    fracas_sink sink = fracas_contacts_get_sink(contacts);
    assert_int_equal(fracas_scene_detect(w->scene, &query, &sink), FRACAS_OK);
    const fracas_contact* data = fracas_contacts_get_data(contacts, &count);
    assert_true(count > 0);
    hash = bench_hash_word(bench_hash_contacts(hash, data, count), count);
    fracas_contacts_destroy(contacts);
    return hash;
}

static uint64_t run(bool inherit, fracas_published_builder rebuild, uint32_t workers,
                    bool scattered) {
    world w;
    make_world(&w, inherit, rebuild, workers);
    uint64_t hash = BENCH_HASH_START;
    for (uint32_t frame = 0; frame < 6; frame++) {
        uint32_t before = w.count;
        if (frame % 2) move_all(&w, 0.3);
        if (frame == 1 || frame == 2) shatter(&w, 0, PARTS, scattered);
        // A part of a part, in the step in which that was detached, and a later one.
        if (frame == 2 && w.count > before) shatter(&w, before, 3, scattered);
        if (frame >= 3) shatter(&w, frame, 3, scattered);
        if (frame % 2 == 0) move_all(&w, 0.3);
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
        check_blocks(&w);
        hash = detect(&w, hash);
        assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
    }
    assert_true(w.count > PARTS);
    destroy_world(&w);
    return hash;
}

static void contacts_do_not_depend_on_the_tree(void** state) {
    (void)state;
    for (int scattered = 0; scattered < 2; scattered++) {
        uint64_t wanted = run(false, FRACAS_PUBLISHED_BUILDER_SAH, 1, scattered);
        assert_true(run(false, FRACAS_PUBLISHED_BUILDER_GRID, 1, scattered) == wanted);
        assert_true(run(true, FRACAS_PUBLISHED_BUILDER_GRID, 1, scattered) == wanted);
        assert_true(run(true, FRACAS_PUBLISHED_BUILDER_MEDIAN, 3, scattered) == wanted);
    }
}

// ---- order of triangles

typedef struct rank_of {
    uint32_t rank[TRIANGLES + 8];  // by id: position among the slots
} rank_of;

static void note_ranks(const fracas_scene* scene, rank_of* out) {
    for (size_t b = 0; b < scene->blocks.count; b++)
        for (uint32_t s = 0; scene->blocks.data[b] && s < scene->blocks.data[b]->face_slots; s++)
            if (scene->blocks.data[b]->faces[s].id != FRACAS_NONE)
                out->rank[scene->blocks.data[b]->faces[s].id] = s;
}

// Whether the triangles below a node, from its first child to its last, are in the old order.
static bool is_ordered(const frc_block* block, uint32_t ref, const rank_of* old, uint32_t* last) {
    bool rising = true;
    if (ref & FRC_REF_LEAF) {
        const frc_leaf* leaf = &block->leaves[ref & ~FRC_REF_LEAF];
        for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s++) {
            rising &= *last <= old->rank[block->faces[s].id];
            *last = old->rank[block->faces[s].id];
        }
        return rising;
    }
    const frc_node* node = &frc_block_links(block)[ref];
    for (int i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++)
        rising &= is_ordered(block, node->child[i], old, last);
    return rising;
}

static uint32_t count_ordered(const fracas_scene* scene, const rank_of* old, uint32_t* all) {
    uint32_t ordered = 0;
    *all = 0;
    for (size_t b = 0; b < scene->blocks.count; b++) {
        uint32_t last = 0;
        if (!scene->blocks.data[b]) continue;
        ++*all;
        ordered += is_ordered(scene->blocks.data[b], 0, old, &last);
    }
    return ordered;
}

static void parts_and_what_stays_keep_their_order(void** state) {
    (void)state;
    static rank_of ranks;
    for (int inherit = 0; inherit < 2; inherit++) {
        world w;
        make_world(&w, inherit, FRACAS_PUBLISHED_BUILDER_GRID, 1);
        uint32_t all;
        note_ranks(w.scene, &ranks);
        shatter(&w, 0, PARTS, false);
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
        uint32_t ordered = count_ordered(w.scene, &ranks, &all);
        assert_true(all > 5);
        if (inherit)
            assert_int_equal(ordered, all);
        else
            assert_true(ordered < all);
        destroy_world(&w);
    }
}

// Triangles that are removed, or move to another part, before their tree is built leave no gap;
// with a new triangle among them there is no order to inherit.
static void order_with_gaps(void** state) {
    (void)state;
    static rank_of ranks;
    for (int add = 0; add < 2; add++) {
        world w;
        make_world(&w, true, FRACAS_PUBLISHED_BUILDER_GRID, 1);
        uint32_t all;
        note_ranks(w.scene, &ranks);
        shatter(&w, 0, 3, false);
        uint32_t removed[40], corners[3] = {0, 1, 2};
        for (uint32_t i = 0; i < 40; i++) removed[i] = 3 * i + 1;
        fracas_split split = fracas_scene_default_split();
        split.removed_triangles = removed, split.removed_triangle_count = 40;
        split.new_triangles = corners, split.new_triangle_count = (uint32_t)add;
        assert_int_equal(fracas_scene_split(w.scene, w.bodies[1], &split, NULL), FRACAS_OK);
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
        check_blocks(&w);
        uint32_t ordered = count_ordered(w.scene, &ranks, &all);
        assert_int_equal(all - ordered, add);
        destroy_world(&w);
    }
}

// ---- random edits

// Features in use, and features in blocks: each exactly once.
static void count_features(const world* w) {
    const frc_topology* t = &w->scene->topology;
    uint64_t used = 0, live = 0;
    for (size_t i = 0; i < t->triangles.count; i++)
        used += t->triangles.data[i].point[0] != FRACAS_NONE;
    for (size_t i = 0; i < t->edges.count; i++) used += t->edges.data[i].point[0] != FRACAS_NONE;
    for (size_t i = 0; i < t->points.count; i++)
        used += t->points.data[i].tag[FRC_TAG_BODY] != FRACAS_NONE && t->uses.data[i].triangles > 0;
    for (size_t b = 0; b < w->scene->blocks.count; b++) {
        const frc_block* block = w->scene->blocks.data[b];
        if (!block) continue;
        live += block->live;
        const char* wrong = frc_block_validate(block, t, (uint32_t)b);
        if (wrong) fail_msg("block %zu: %s", b, wrong);
    }
    assert_int_equal(live, used);
}

// Number of block ids that are neither in use nor free.
static size_t retired_numbers(const world* w) {
    size_t count = 0;
    for (size_t b = 0; b < w->scene->blocks.count; b++) count += !w->scene->blocks.data[b];
    return count - w->scene->unused_blocks.count;
}

static void drop_from_list(world* w, uint32_t b) { w->bodies[b] = w->bodies[--w->count]; }

static uint32_t numbers(const world* w, uint32_t b) {
    fracas_body_info info;
    assert_int_equal(fracas_scene_get_body(w->scene, w->bodies[b], &info), FRACAS_OK);
    return info.triangle_numbers;
}

// One edit, the same in every world with the same random numbers.
static void edit(world* w) {
    uint32_t a = (uint32_t)(next_random(&w->random) % w->count);
    uint32_t b = (uint32_t)(next_random(&w->random) % w->count);
    uint32_t what = (uint32_t)(next_random(&w->random) % 8);
    if (w->count > 40) what = 7;
    if (what < 5) {
        shatter(w, a, 2 + what, what == 3);
    } else if (what == 5 && w->count > 3) {
        assert_int_equal(fracas_scene_remove(w->scene, w->bodies[a]), FRACAS_OK);
        drop_from_list(w, a);
    } else if (a != b && numbers(w, a) + numbers(w, b) <= LABELS) {
        fracas_body pair[2] = {w->bodies[a], w->bodies[b]}, out;
        assert_int_equal(fracas_scene_merge(w->scene, pair, 2, NULL, &out), FRACAS_OK);
        w->bodies[a] = out;
        drop_from_list(w, b);
    }
    if (w->count < 3) add_sheet(w);
}

// Each allocation of an update fails in turn, until it succeeds.
static void update_with_failures(world* w) {
    for (size_t n = 1;; n += 1 + n / 8) {
        test_allocator_fail_at(&w->memory, n);
        fracas_status status = fracas_scene_update(w->scene);
        test_allocator_fail_at(&w->memory, 0);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
    }
}

static void every_feature_is_in_one_block(void** state) {
    (void)state;
    for (uint32_t seed = 1; seed < 5; seed++) {
        uint64_t wanted[FRAMES];
        for (int inherit = 0; inherit < 2; inherit++) {
            world w;
            fracas_published_scene_options how = fracas_published_scene_default_options();
            how.inherit = inherit;
            if (seed % 3 == 0) how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_NONE;
            begin_world(&w, &how, 1 + seed % 3);
            w.random = seed * 0x9E3779B97F4A7C15u | 1;
            for (uint32_t frame = 0; frame < FRAMES; frame++) {
                uint32_t edits = (uint32_t)(next_random(&w.random) % 4);
                move_all(&w, 0.2);
                for (uint32_t i = 0; i < edits; i++) edit(&w);
                if (seed % 2)
                    update_with_failures(&w);
                else
                    assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
                count_features(&w);
                uint64_t hash = detect(&w, BENCH_HASH_START);
                if (inherit) assert_true(hash == wanted[frame]);
                wanted[frame] = hash;
                assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
            }
            for (int i = 0; i < 8; i++) {
                move_all(&w, 0.1);
                assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
            }
            assert_int_equal(retired_numbers(&w), 0);
            count_features(&w);
            destroy_world(&w);
            assert_int_equal(w.memory.blocks, 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_do_not_depend_on_the_tree),
        cmocka_unit_test(parts_and_what_stays_keep_their_order),
        cmocka_unit_test(order_with_gaps),
        cmocka_unit_test(every_feature_is_in_one_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
