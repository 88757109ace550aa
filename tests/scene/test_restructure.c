// Every policy, metric and builder finds the same contacts, bit for bit, while sheets are crumpled,
// stirred, torn, broken and removed; parts that are built anew in their place keep every invariant.
#include "fracas/published.h"
#include "hash.h"
#include "scene/scene.h"
#include "scene_kit.h"
#include <stdlib.h>

enum { SIDE = 24, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE, SHEETS = 2 };
enum { FRAMES = 14, ROOM = 4 * POINTS };

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
    // Some free edges and points among them.
    static const uint32_t edges[4] = {0, 50, 7, 90}, vertices[2] = {3, 4};
    mesh.edges = edges, mesh.edge_count = 2;
    mesh.vertices = vertices, mesh.vertex_count = 2;
    assert_int_equal(fracas_scene_add(w->scene, &mesh, NULL, &w->bodies[w->count++]), FRACAS_OK);
}

// Every point goes some way towards a place that has nothing to do with its neighbours'.
static void stir(world* w, double amount) {
    static double points[ROOM][3];
    for (uint32_t b = 0; b < w->count; b++) {
        fracas_body_info info;
        assert_int_equal(fracas_scene_body(w->scene, w->bodies[b], &info), FRACAS_OK);
        assert_true(info.vertex_numbers <= ROOM);
        for (uint32_t i = 0; i < info.vertex_numbers; i++) {
            double t0[3];
            double shift[3] = {noise(&w->random), noise(&w->random), noise(&w->random)};
            if (fracas_scene_vertex(w->scene, w->bodies[b], i, t0, points[i]) != FRACAS_OK)
                continue;
            for (int k = 0; k < 3; k++) points[i][k] += amount * shift[k];
        }
        fracas_points view = {.data = points, .count = info.vertex_numbers};
        assert_int_equal(fracas_scene_move(w->scene, w->bodies[b], &view), FRACAS_OK);
    }
}

// Two triangles, with vertices of their own, break off or are torn loose in place.
static void split_off(world* w, uint32_t b, uint32_t first, uint32_t count, bool leave) {
    fracas_body_info info;
    assert_int_equal(fracas_scene_body(w->scene, w->bodies[b], &info), FRACAS_OK);
    static uint32_t labels[4 * TRIANGLES];
    memset(labels, 0, sizeof labels);
    uint32_t found = 0;
    for (uint32_t t = first; t < info.triangle_numbers && found < count; t++) {
        uint32_t corners[3];
        if (fracas_scene_triangle(w->scene, w->bodies[b], t, corners) != FRACAS_OK) continue;
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
    fracas_split split = *fracas_split_plan_view(plan);
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
    const char* wrong = frc_top_validate(&s->top, s->blocks.data, (uint32_t)s->blocks.count);
    if (wrong) fail_msg("%s", wrong);
}

static uint64_t detect(world* w, uint64_t hash) {
    fracas_contacts* contacts;
    size_t count;
    assert_int_equal(fracas_contacts_create(w->context, &contacts), FRACAS_OK);
    fracas_sink sink = fracas_contacts_sink(contacts);
    assert_int_equal(fracas_scene_detect(w->scene, NULL, &sink), FRACAS_OK);
    const fracas_contact* data = fracas_contacts_data(contacts, &count);
    hash = bench_hash_word(bench_hash_contacts(hash, data, count), count);
    fracas_contacts_destroy(contacts);
    double step;
    assert_int_equal(fracas_scene_max_step(w->scene, NULL, &step), FRACAS_OK);
    return bench_hash_double(hash, step);
}

static uint64_t run(const fracas_published_scene_options* how, bool cheap, uint32_t workers,
                    frc_restructured* done) {
    world w = {.random = 99};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    assert_int_equal(fracas_context_create(&options, &w.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(w.context, how, &w.scene), FRACAS_OK);
    // Nearly free: everything that has become worse is built anew.
    if (cheap) w.scene->prices.build = 1e-3, w.scene->prices.smallest_part = 64;
    for (int i = 0; i < SHEETS; i++) add_sheet(&w, 0.7 * i);
    uint64_t hash = BENCH_HASH_START;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (frame % 5 != 4) stir(&w, frame < 4 ? 0.4 : 1.5);
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
    if (done) *done = w.scene->restructured;
    fracas_scene_destroy(w.scene);
    fracas_context_destroy(w.context);
    return hash;
}

static void every_policy_finds_the_same(void** state) {
    (void)state;
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_NONE;
    uint64_t wanted = run(&how, false, 1, NULL);
    for (int policy = 0; policy < 4; policy++)
        for (int metric = 0; metric < (policy == 0 ? 2 : 1); metric++)
            for (int builder = 0; builder < 3; builder++)
                for (int cheap = 0; cheap < (policy == 0 ? 2 : 1); cheap++) {
                    frc_restructured done;
                    how = fracas_published_scene_default_options();
                    how.restructure = (fracas_published_restructure)policy;
                    how.metric = (fracas_published_metric)metric;
                    how.builder = how.rebuild = (fracas_published_builder)builder;
                    how.restructure_share = cheap ? 1e9 : 0.25;
                    assert_int_equal(run(&how, cheap, 1 + (uint32_t)builder, &done), wanted);
                    if (policy != 0 || !cheap) continue;
                    print_message("metric %d builder %d: %d parts, %d triangles, %d did not fit\n",
                                  metric, builder, (int)done.parts, (int)done.triangles,
                                  (int)done.did_not_fit);
                    assert_true(done.parts > 0);
                }
}

// What is rebuilt does not depend on the number of threads, nor on when it is done.
static void decisions_are_repeatable(void** state) {
    (void)state;
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.restructure_share = 10;
    frc_restructured first, other;
    run(&how, true, 1, &first);
    for (uint32_t workers = 1; workers <= 4; workers++) {
        run(&how, true, workers, &other);
        assert_int_equal(first.parts, other.parts);
        assert_int_equal(first.triangles, other.triangles);
        assert_int_equal(first.did_not_fit, other.did_not_fit);
    }
}

static frc_block* block_of_first(world* w) {
    const frc_body* body = &w->scene->bodies.data[w->bodies[0].index - 1];
    return w->scene->blocks.data[body->blocks.data[0]];
}

static frc_restructured crumple(bool doubting) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.restructure_share = 1e9;
    world w = {.random = 7};
    assert_int_equal(fracas_context_create(NULL, &w.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(w.context, &how, &w.scene), FRACAS_OK);
    w.scene->prices.build = 0.01, w.scene->prices.smallest_part = 64;
    add_sheet(&w, 0);
    const frc_restructured* done = &w.scene->restructured;
    int doubt = 0;
    for (uint32_t frame = 0; frame < 100; frame++) {
        frc_restructured before = *done;
        stir(&w, 0.2);
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
        detect(&w, 0);
        assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
        if (doubting) {
            block_of_first(&w)->doubt = 120;
        } else if (done->parts + done->did_not_fit == before.parts + before.did_not_fit + 1) {
            doubt = block_of_first(&w)->doubt - doubt;
            assert_true(done->parts > before.parts ? doubt <= 0 : doubt == 1);
        }
        doubt = block_of_first(&w)->doubt;
    }
    frc_restructured all = *done;
    fracas_scene_destroy(w.scene);
    fracas_context_destroy(w.context);
    return all;
}

// Some trees leave no room for what is built anew. Where it did not fit, more debt is waited for.
static void what_did_not_fit_is_tried_less(void** state) {
    (void)state;
    frc_restructured trusting = crumple(false), doubting = crumple(true);
    print_message("%d parts, %d did not fit; in doubt %d, %d\n", (int)trusting.parts,
                  (int)trusting.did_not_fit, (int)doubting.parts, (int)doubting.did_not_fit);
    assert_true(trusting.parts > 0 && trusting.did_not_fit > 0);
    assert_int_equal(doubting.parts + doubting.did_not_fit, 0);
}

enum { CROWD = 24 };

// Bodies whose trees have become bad wait for each other; but not when building them is much of
// what an update may cost. One goes while it waits. Where queries have much to do they are built
// well at once, unless that is dear.
static void run_tired(bool dear) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.restructure_share = 1e9;
    world w = {.random = 3};
    assert_int_equal(fracas_context_create(NULL, &w.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(w.context, &how, &w.scene), FRACAS_OK);
    w.scene->prices.build = 1e-3;
    w.scene->prices.build_well = w.scene->prices.build_whole + (dear ? 1e9 : 1e-3);
    for (int i = 0; i < CROWD; i++) add_sheet(&w, 0.7 * i);
    frc_restructured* r = &w.scene->restructured;
    uint64_t calls = 0, at_once = 0;
    bool removed = false;
    for (uint32_t frame = 0; frame < 60; frame++) {
        stir(&w, 0.3);
        if (!removed && r->tired > 1) {
            for (uint32_t b = 0; b < w.count && !removed; b++) {
                if (!w.scene->bodies.data[w.bodies[b].index - 1].tired) continue;
                const uint32_t tired = r->tired;
                assert_int_equal(fracas_scene_remove(w.scene, w.bodies[b]), FRACAS_OK);
                w.bodies[b] = w.bodies[--w.count];
                assert_int_equal(r->tired, tired - 1);
                removed = true;
            }
        }
        const bool poor = frame >= 40;
        if (poor) r->budget = 0;
        const frc_restructured before = *r;
        assert_int_equal(fracas_scene_update(w.scene), FRACAS_OK);
        const uint64_t renewed = r->wholes - before.wholes;
        if (poor) {
            assert_int_equal(renewed, before.tired);
            at_once += renewed;
        } else if (renewed) {
            calls++;
            assert_int_equal(renewed, before.tired);
            assert_true(before.tired >= 16 || before.tired_for >= 7);
        } else {
            assert_true(before.tired < 16 && (before.tired == 0 || before.tired_for < 7));
        }
        detect(&w, 0);
        assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
    }
    print_message("%d trees in %d updates, then %d at once\n", (int)(r->wholes - at_once),
                  (int)calls, (int)at_once);
    assert_true(removed && calls > 0 && r->wholes - at_once >= 4 * calls && at_once > 0);
    assert_int_equal(r->well_born, dear ? 0 : r->wholes);
    fracas_scene_destroy(w.scene);
    fracas_context_destroy(w.context);
}

static void tired_bodies_wait_for_each_other(void** state) {
    (void)state;
    run_tired(false);
    run_tired(true);
}

// Measured prices.
static void prices_can_be_measured(void** state) {
    (void)state;
    for (uint32_t modes = 1; modes <= FRACAS_BOTH; modes++) {
        kit k = kit_create(1);
        fracas_scene* scene;
        fracas_scene_options options = fracas_scene_default_options();
        options.modes = modes;
        frc_scene_settings how = frc_scene_default_settings(&options);
        how.calibrate = true;
        assert_int_equal(frc_scene_create(k.context, &how, &scene), FRACAS_OK);
        assert_true(scene->prices.build > 0.01 && scene->prices.build < 1e5);
        assert_true(scene->prices.visit > 0.01 && scene->prices.visit < 1e5);
        fracas_scene_destroy(scene);
        kit_destroy(&k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_finds_the_same),
        cmocka_unit_test(decisions_are_repeatable),
        cmocka_unit_test(what_did_not_fit_is_tried_less),
        cmocka_unit_test(tired_bodies_wait_for_each_other),
        cmocka_unit_test(prices_can_be_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
