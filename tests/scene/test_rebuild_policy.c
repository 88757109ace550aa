// Every rebuild policy, metric and builder finds bit-identical contacts while sheets are crumpled,
// mixed, torn, split and removed; and trees are rebuilt when that pays.
#include "fracas/published.h"
#include "hash.h"
#include "scene/scene.h"
#include "scene_kit.h"
#include "test_allocator.h"
#include <stdlib.h>

enum { SIDE = 24, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE, SHEETS = 2 };
enum { FRAMES = 14, CAPACITY = 4 * POINTS };

static double noise(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

typedef struct world {
    fracas_context* context;
    fracas_scene* scene;
    fracas_body bodies[64];
    uint32_t count;
    uint64_t random;
} world;

static void add_sheet(world* w, double z) {
    static double points[POINTS][3];
    static uint32_t corners[TRIANGLES][3];
    for (uint32_t i = 0; i < POINTS; i++) {
        const double p[3] = {i % (SIDE + 1), i / (SIDE + 1), z};
        memcpy(points[i], p, sizeof p);
    }
    kit_sheet(SIDE, corners);
    fracas_mesh_view mesh =
        kit_mesh((const double(*)[3])points, POINTS, (const uint32_t(*)[3])corners, TRIANGLES);
    // Some free edges and points.
    static const uint32_t edges[4] = {0, 50, 7, 90}, vertices[2] = {3, 4};
    mesh.edges = edges, mesh.edge_count = 2;
    mesh.vertices = vertices, mesh.vertex_count = 2;
    assert_int_equal(fracas_scene_add(w->scene, &mesh, NULL, &w->bodies[w->count++]), FRACAS_OK);
}

// Every point moves some way towards a position unrelated to that of its neighbours.
static void mix_points(world* w, double amount) {
    static double points[CAPACITY][3];
    for (uint32_t b = 0; b < w->count; b++) {
        fracas_body_info info;
        assert_int_equal(fracas_scene_get_body(w->scene, w->bodies[b], &info), FRACAS_OK);
        assert_true(info.vertex_numbers <= CAPACITY);
        for (uint32_t i = 0; i < info.vertex_numbers; i++) {
            double t0[3];
            double shift[3] = {noise(&w->random), noise(&w->random), noise(&w->random)};
            if (fracas_scene_get_vertex(w->scene, w->bodies[b], i, t0, points[i]) != FRACAS_OK)
                continue;
            for (int k = 0; k < 3; k++) points[i][k] += amount * shift[k];
        }
        fracas_points view = {.data = points, .count = info.vertex_numbers};
        assert_int_equal(fracas_scene_move(w->scene, w->bodies[b], &view), FRACAS_OK);
    }
}

// Two triangles with their own vertices are detached, or torn in place.
static void split_off(world* w, uint32_t b, uint32_t first, uint32_t count, bool leave) {
    fracas_body_info info;
    assert_int_equal(fracas_scene_get_body(w->scene, w->bodies[b], &info), FRACAS_OK);
    static uint32_t labels[4 * TRIANGLES];
    memset(labels, 0, sizeof labels);
    uint32_t found = 0;
    for (uint32_t t = first; t < info.triangle_numbers && found < count; t++) {
        uint32_t corners[3];
        if (fracas_scene_get_triangle(w->scene, w->bodies[b], t, corners) != FRACAS_OK) continue;
        bool is_free = false;
        for (int k = 0; k < 3; k++)
            is_free = is_free || corners[k] < 8 || corners[k] == 50 || corners[k] == 90;
        if (!is_free) labels[t] = 1, found++;
    }
    if (found == 0) return;
    fracas_split_plan* plan;
    fracas_body part;
    assert_int_equal(
        fracas_split_plan_create(w->scene, w->bodies[b], labels, info.triangle_numbers, &plan),
        FRACAS_OK);
    fracas_split split = *fracas_split_plan_get_split(plan);
    if (!leave) split.part_count = 0;
    assert_int_equal(fracas_scene_split(w->scene, w->bodies[b], &split, &part), FRACAS_OK);
    if (leave) w->bodies[w->count++] = part;
    fracas_split_plan_destroy(plan);
}

static void validate(const world* w) {
    const fracas_scene* s = w->scene;
    for (uint32_t i = 0; i < s->blocks.count; i++) {
        if (!s->blocks.data[i]) continue;
        const char* wrong = frc_block_validate(s->blocks.data[i], &s->topology, i);
        if (wrong) fail_msg("block %u: %s", i, wrong);
    }
    const char* wrong = frc_top_tree_validate(&s->top, s->blocks.data, (uint32_t)s->blocks.count);
    if (wrong) fail_msg("%s", wrong);
}

static uint64_t detect(world* w, uint64_t hash) {
    fracas_contacts* contacts;
    size_t count;
    assert_int_equal(fracas_contacts_create(w->context, &contacts), FRACAS_OK);
    fracas_sink sink = fracas_contacts_get_sink(contacts);
    assert_int_equal(fracas_scene_detect(w->scene, NULL, &sink), FRACAS_OK);
    const fracas_contact* data = fracas_contacts_get_data(contacts, &count);
    hash = bench_hash_word(bench_hash_contacts(hash, data, count), count);
    fracas_contacts_destroy(contacts);
    double step;
    assert_int_equal(fracas_scene_max_step(w->scene, NULL, &step), FRACAS_OK);
    return bench_hash_double(hash, step);
}

static uint64_t run(const fracas_published_scene_options* how, uint32_t workers,
                    uint64_t* rebuilt) {
    world w = {.random = 99};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    assert_int_equal(fracas_context_create(&options, &w.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(w.context, how, &w.scene), FRACAS_OK);
    for (int i = 0; i < SHEETS; i++) add_sheet(&w, 0.7 * i);
    uint64_t hash = BENCH_HASH_START;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (frame % 5 != 4) mix_points(&w, frame < 4 ? 0.4 : 1.5);
        if (frame % 3 == 1) split_off(&w, 0, 100 + 40 * frame, 30, true);
        if (frame % 3 == 2) split_off(&w, 1, 60 * frame, 3, false);
        if (frame == 9) {
            assert_int_equal(fracas_scene_remove(w.scene, w.bodies[2]), FRACAS_OK);
            w.bodies[2] = w.bodies[--w.count];
        }
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
        validate(&w);
        hash = detect(&w, hash);
        assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
    }
    if (rebuilt) *rebuilt = w.scene->rebuild_count;
    fracas_scene_destroy(w.scene);
    fracas_context_destroy(w.context);
    return hash;
}

static void every_policy_finds_the_same_contacts(void** state) {
    (void)state;
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_NONE;
    const uint64_t wanted = run(&how, 1, NULL);
    for (int policy = 0; policy <= FRACAS_PUBLISHED_RESTRUCTURE_RESTART_SUBTREES; policy++)
        for (int metric = 0; metric < 2; metric++)
            for (int builder = 0; builder < 3; builder++) {
                uint64_t rebuilt;
                const bool measures = policy == FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE ||
                                      policy >= FRACAS_PUBLISHED_RESTRUCTURE_SUBTREES;
                // Only a query of its own rebuilds lazily.
                if (policy == FRACAS_PUBLISHED_RESTRUCTURE_LAZY || (metric && !measures)) continue;
                how = fracas_published_scene_default_options();
                how.restructure = (fracas_published_restructure)policy;
                how.metric = (fracas_published_metric)metric;
                how.builder = how.rebuild = (fracas_published_builder)builder;
                how.restructure_share = 1e9;
                assert_int_equal(run(&how, 1 + (uint32_t)builder, &rebuilt), wanted);
                print_message("policy %d metric %d builder %d: %d trees rebuilt\n", policy, metric,
                              builder, (int)rebuilt);
                // These sheets are smaller than the default minimum.
                const bool never = policy == FRACAS_PUBLISHED_RESTRUCTURE_NONE ||
                                   (policy == FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE &&
                                    metric == FRACAS_PUBLISHED_METRIC_TC);
                assert_int_equal(rebuilt > 0, !never);
            }
}

// ---- when a tree is rebuilt

typedef struct motion {
    double mix_points, shift;  // in each frame: random, and common to all points
    uint32_t queries;          // in each frame
    uint32_t mix_end;          // the last frame that mixes; 0: all do
    double share;              // fracas_published_scene_options.restructure_share
    fracas_published_restructure policy;
    uint32_t side, workers;
} motion;

typedef struct outcome {
    uint64_t rebuilt, box_pairs;
} outcome;

enum { LARGE = 40, MOST_POINTS = (LARGE + 1) * (LARGE + 1) };

// One sheet for 30 frames. Points move to the start positions of others, so that neighbours
// separate.
static outcome deform(const motion* m) {
    world w = {.random = 7};
    outcome out = {0};
    static double points[MOST_POINTS][3];
    static uint32_t corners[2 * LARGE * LARGE][3];
    const uint32_t row = m->side + 1, count = row * row;
    fracas_context_options options = fracas_context_default_options();
    fracas_published_scene_options how = fracas_published_scene_default_options();
    options.worker_count = m->workers;
    how.restructure_share = m->share;
    how.restructure = m->policy;
    how.scene.modes = FRACAS_MODE_DISCRETE;
    assert_int_equal(fracas_context_create(&options, &w.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(w.context, &how, &w.scene), FRACAS_OK);
    kit_sheet(m->side, corners);
    for (uint32_t frame = 0; frame <= 30; frame++) {
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t far = i * 389 % count;
            const uint32_t mixed = m->mix_end && m->mix_end < frame ? m->mix_end : frame;
            const double t = m->mix_points * mixed, s = m->shift * frame;
            points[i][0] = (1 - t) * (i % row) + t * (far % row) + s;
            points[i][1] = (1 - t) * (i / row) + t * (far / row) + s;
            points[i][2] = 4 * t * (i % 7) + s;
        }
        if (frame == 0) {
            const fracas_mesh_view mesh =
                kit_mesh((const double(*)[3])points, count, (const uint32_t(*)[3])corners,
                         2 * m->side * m->side);
            assert_int_equal(fracas_scene_add(w.scene, &mesh, NULL, &w.bodies[0]), FRACAS_OK);
        }
        const fracas_points view = {.data = points, .count = count};
        assert_int_equal(fracas_scene_move(w.scene, w.bodies[0], &view), FRACAS_OK);
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
        for (uint32_t q = 0; q < m->queries; q++) {
            fracas_query query = fracas_scene_default_query();
            fracas_statistics statistics;
            const fracas_sink sink = {.statistics = &statistics};
            query.modes = FRACAS_MODE_DISCRETE;
            assert_int_equal(fracas_scene_detect(w.scene, &query, &sink), FRACAS_OK);
            out.box_pairs += statistics.box_pairs;
        }
        assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
    }
    out.rebuilt = w.scene->rebuild_count;
    fracas_scene_destroy(w.scene);
    fracas_context_destroy(w.context);
    return out;
}

static void trees_are_rebuilt_when_that_pays(void** state) {
    (void)state;
    const motion mixing = {
        .mix_points = 0.01, .queries = 1, .share = 0.25, .side = LARGE, .workers = 1};
    motion other = mixing;
    const outcome mixed = deform(&mixing);
    assert_true(mixed.rebuilt > 0);
    // Decisions do not depend on the number of threads.
    for (other.workers = 2; other.workers <= 4; other.workers++) {
        const outcome same = deform(&other);
        assert_int_equal(same.rebuilt, mixed.rebuilt);
        assert_int_equal(same.box_pairs, mixed.box_pairs);
    }
    other = mixing;
    other.policy = FRACAS_PUBLISHED_RESTRUCTURE_NONE;
    assert_true(mixed.box_pairs < deform(&other).box_pairs);
    // A body that keeps its shape keeps its tree.
    other = mixing;
    other.mix_points = 0, other.shift = 10;
    assert_int_equal(deform(&other).rebuilt, 0);
    // The tree of a small body is kept.
    other = mixing;
    other.side = 24;
    assert_int_equal(deform(&other).rebuilt, 0);
    // What a frame loses by a slightly worse tree is less than a rebuild costs; frames add up.
    other = mixing;
    other.mix_end = 8, other.shift = 1, other.share = 1;
    assert_int_equal(deform(&other).rebuilt, 1);
    // Without queries a bad tree costs nothing.
    other = mixing;
    other.queries = 0;
    assert_int_equal(deform(&other).rebuilt, 0);
    // No time is available for it.
    other = mixing;
    other.share = 0;
    assert_int_equal(deform(&other).rebuilt, 0);
}

// An update that runs out of memory changes no contact, whichever allocation fails.
static void failed_rebuild_is_repeated(void** state) {
    (void)state;
    static double points[POINTS][3];
    uint64_t wanted = 0;
    for (size_t fail = 0; fail < 200; fail = fail + 1 + fail / 8) {
        world w = {.random = 7};
        test_allocator memory = {0};
        fracas_context_options options = fracas_context_default_options();
        options.allocator =
            (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
        options.worker_count = 1 + (uint32_t)(fail % 2);
        assert_int_equal(fracas_context_create(&options, &w.context), FRACAS_OK);
        assert_int_equal(fracas_scene_create(w.context, NULL, &w.scene), FRACAS_OK);
        add_sheet(&w, 0);
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
        w.scene->bodies.data[0].state = FRC_BODY_REBUILD;
        for (uint32_t i = 0; i < POINTS; i++) {
            const double p[3] = {i * 389 % POINTS % 17, i % 19, 0.1 * (i % 23)};
            memcpy(points[i], p, sizeof p);
        }
        const fracas_points view = {.data = points, .count = POINTS};
        assert_int_equal(fracas_scene_move(w.scene, w.bodies[0], &view), FRACAS_OK);
        test_allocator_fail_at(&memory, fail);
        const fracas_status status = fracas_scene_update(w.scene);
        test_allocator_fail_at(&memory, 0);
        if (fail) assert_true(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY);
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
        validate(&w);
        const uint64_t hash = detect(&w, BENCH_HASH_START);
        if (fail == 0) wanted = hash;
        assert_true(hash == wanted);
        fracas_scene_destroy(w.scene);
        fracas_context_destroy(w.context);
        assert_int_equal(memory.blocks, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_finds_the_same_contacts),
        cmocka_unit_test(trees_are_rebuilt_when_that_pays),
        cmocka_unit_test(failed_rebuild_is_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
