// Trees that were made quickly are built well when they have served enough queries, within the
// budget, the same on any number of threads; contacts are those of a scene that never does it.
// What nobody asks, and what does not move, is left alone.
#include "fracas/published.h"
#include "hash.h"
#include "scene/provisional.h"
#include "scene/restructure.h"
#include "scene_kit.h"
#include "watch.h"

enum { SIDE = 20, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE, PARTS = 4 };

typedef struct world {
    watch memory;
    fracas_context* context;
    fracas_scene* scene;
    fracas_body bodies[1 + PARTS];
    uint32_t count, frame;
    uint64_t hash;
} world;

static void begin(world* w, const fracas_published_scene_options* how, uint32_t workers) {
    *w = (world){.hash = BENCH_HASH_START};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.allocator = (fracas_allocator){watch_allocate, watch_release, &w->memory};
    assert_int_equal(fracas_context_create(&options, &w->context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(w->context, how, &w->scene), FRACAS_OK);
    double points[POINTS][3];
    uint32_t corners[TRIANGLES][3];
    for (uint32_t i = 0; i < POINTS; i++) {
        const double p[3] = {i % (SIDE + 1), i / (SIDE + 1), 0};
        memcpy(points[i], p, sizeof p);
    }
    kit_sheet(SIDE, corners);
    fracas_mesh_view mesh =
        kit_mesh((const double(*)[3])points, POINTS, (const uint32_t(*)[3])corners, TRIANGLES);
    assert_int_equal(fracas_scene_add(w->scene, &mesh, NULL, &w->bodies[w->count++]), FRACAS_OK);
}

static void end(world* w) {
    fracas_scene_destroy(w->scene);
    fracas_context_destroy(w->context);
    assert_int_equal(w->memory.live, 0);
}

// Four strips break off a sheet of five.
static void break_up(world* w) {
    uint32_t labels[TRIANGLES];
    for (uint32_t t = 0; t < TRIANGLES; t++) labels[t] = t / 2 % SIDE / (SIDE / (PARTS + 1));
    fracas_split_plan* plan;
    assert_int_equal(fracas_split_plan_create(w->scene, w->bodies[0], labels, TRIANGLES, &plan),
                     FRACAS_OK);
    assert_int_equal(fracas_scene_split(w->scene, w->bodies[0], fracas_split_plan_view(plan),
                                        &w->bodies[w->count]),
                     FRACAS_OK);
    w->count += PARTS;
    fracas_split_plan_destroy(plan);
}

// All bodies are crumpled and pushed into each other, another way in each frame. Without libm.
static void move(world* w, uint32_t first) {
    static double points[2 * POINTS][3];
    w->frame++;
    for (uint32_t b = first; b < w->count; b++) {
        fracas_body_info info;
        assert_int_equal(fracas_scene_body(w->scene, w->bodies[b], &info), FRACAS_OK);
        assert_true(info.vertex_numbers <= 2 * POINTS);
        for (uint32_t i = 0; i < info.vertex_numbers; i++) {
            const uint32_t mixed = (i * 7919u + b * 104729u + w->frame * 31u) % 64;
            double t0[3];
            if (fracas_scene_vertex(w->scene, w->bodies[b], i, t0, points[i]) != FRACAS_OK)
                continue;
            points[i][0] += w->frame % 2 ? 0.3 * b : -0.3 * b;
            points[i][2] = 0.01 * mixed;
        }
        fracas_points view = {.data = points, .count = info.vertex_numbers};
        assert_int_equal(fracas_scene_move(w->scene, w->bodies[b], &view), FRACAS_OK);
    }
}

static void validate(const world* w) {
    const fracas_scene* s = w->scene;
    for (uint32_t i = 0; i < s->blocks.count; i++) {
        if (!s->blocks.data[i]) continue;
        const char* wrong = frc_block_validate(s->blocks.data[i], &s->topology, i);
        if (wrong) fail_msg("block %u: %s", i, wrong);
    }
}

static void detect(world* w) {
    fracas_contacts* contacts;
    size_t count;
    assert_int_equal(fracas_contacts_create(w->context, &contacts), FRACAS_OK);
    fracas_sink sink = fracas_contacts_sink(contacts);
    assert_int_equal(fracas_scene_detect(w->scene, NULL, &sink), FRACAS_OK);
    const fracas_contact* data = fracas_contacts_data(contacts, &count);
    w->hash = bench_hash_word(bench_hash_contacts(w->hash, data, count), count);
    fracas_contacts_destroy(contacts);
}

static void update(world* w) {
    assert_int_equal(fracas_scene_update(w->scene), FRACAS_OK);
    validate(w);
}

static void next_frame(world* w, bool ask) {
    assert_int_equal(fracas_scene_advance(w->scene), FRACAS_OK);
    move(w, 0);
    update(w);
    if (ask) detect(w);
}

static uint32_t provisional_blocks(const world* w) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->scene->blocks.count; i++)
        count += w->scene->blocks.data[i] && w->scene->blocks.data[i]->provisional;
    return count;
}

// A sheet that broke at once: nobody has asked yet, so all trees of its parts are quick ones.
static void begin_broken(world* w, const fracas_published_scene_options* how, uint32_t workers) {
    begin(w, how, workers);
    update(w);
    break_up(w);
    update(w);
}

static fracas_published_scene_options options_of(bool inherit) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.inherit = inherit;
    how.cull = FRACAS_PUBLISHED_CULL_NONE;  // or queries would have nothing to do in a flat sheet
    return how;
}

static void trees_that_serve_are_built_well(void** state) {
    (void)state;
    for (int inherit = 0; inherit < 2; inherit++) {
        fracas_published_scene_options how = options_of(inherit);
        world w, plain;
        begin_broken(&w, &how, 1);
        how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_NONE;
        begin_broken(&plain, &how, 1);
        assert_int_equal(provisional_blocks(&w), 1 + PARTS);
        const frc_restructured* r = &w.scene->restructured;
        detect(&w), detect(&plain);
        next_frame(&w, true), next_frame(&plain, true);
        assert_int_equal(r->renewed, 0);  // a query or two are not enough
        for (int i = 0; i < 200 && r->renewed < 1 + PARTS; i++) {
            next_frame(&w, true);
            next_frame(&plain, true);
        }
        print_message("inherit %d: all are built well after %u frames\n", inherit, w.frame);
        assert_int_equal(r->renewed, 1 + PARTS);
        assert_int_equal(r->renewed_triangles, TRIANGLES);
        assert_int_equal(provisional_blocks(&w), 0);
        assert_int_equal(plain.scene->restructured.renewed, 0);
        // And never again.
        for (int i = 0; i < 20; i++) next_frame(&w, true), next_frame(&plain, true);
        assert_int_equal(r->renewed, 1 + PARTS);
        assert_true(w.hash == plain.hash);
        end(&w);
        end(&plain);
    }
}

// Where certificates cover a body, over the step: the order of another tree is kept for good, a
// grid is not.
static void certificates_keep_an_order_but_no_grid(void** state) {
    (void)state;
    for (int inherit = 0; inherit < 2; inherit++) {
        fracas_published_scene_options how = options_of(inherit);
        how.cull = FRACAS_PUBLISHED_CULL_CERTIFICATE;
        how.scene.modes = FRACAS_CONTINUOUS;
        world w;
        begin_broken(&w, &how, 1);
        w.scene->prices.build_well = 1e-3;
        assert_int_equal(provisional_blocks(&w), 1 + PARTS);
        for (int i = 0; i < 8; i++) {
            next_frame(&w, false);
            fracas_query query = fracas_query_default();
            query.modes = FRACAS_CONTINUOUS;
            fracas_statistics statistics;
            fracas_sink sink = {.statistics = &statistics};
            assert_int_equal(fracas_scene_detect(w.scene, &query, &sink), FRACAS_OK);
            assert_true(w.scene->cull_counts.faces > TRIANGLES / 2);
        }
        assert_int_equal(provisional_blocks(&w), 0);
        assert_int_equal(w.scene->restructured.renewed, inherit ? 0 : 1 + PARTS);
        end(&w);
    }
}

static void what_nobody_asks_is_left_alone(void** state) {
    (void)state;
    fracas_published_scene_options how = options_of(false);
    world w;
    begin_broken(&w, &how, 1);
    for (int i = 0; i < 40; i++) next_frame(&w, false);
    assert_int_equal(w.scene->restructured.renewed, 0);
    assert_int_equal(provisional_blocks(&w), 1 + PARTS);
    end(&w);
}

// One body moves and is asked about with all others: those keep their trees, whatever they owe.
static void what_does_not_move_is_left_alone(void** state) {
    (void)state;
    fracas_published_scene_options how = options_of(false);
    world w;
    begin_broken(&w, &how, 1);
    const frc_block* before[PARTS];
    uint64_t renewed = w.scene->restructured.renewed;
    const frc_body* mover = &w.scene->bodies.data[w.bodies[PARTS].index - 1];
    assert_true(w.scene->blocks.data[mover->blocks.data[0]]->provisional);
    for (uint32_t i = 0; i < PARTS; i++) {
        const frc_body* body = &w.scene->bodies.data[w.bodies[i].index - 1];
        before[i] = w.scene->blocks.data[body->blocks.data[0]];
    }
    for (int i = 0; i < 60; i++) {
        assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
        move(&w, PARTS);
        update(&w);
        detect(&w);
    }
    assert_int_equal(w.scene->restructured.renewed, renewed + 1);
    for (uint32_t i = 0; i < PARTS; i++) {
        const frc_body* body = &w.scene->bodies.data[w.bodies[i].index - 1];
        assert_ptr_equal(before[i], w.scene->blocks.data[body->blocks.data[0]]);
    }
    end(&w);
}

static void the_budget_is_kept(void** state) {
    (void)state;
    static const double shares[] = {0, 0.01, 0.05, 0.25};
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        fracas_published_scene_options how = options_of(false);
        how.restructure_share = shares[s];
        world w;
        begin_broken(&w, &how, 1);
        const frc_restructured* r = &w.scene->restructured;
        double all_spent = 0, all_done = 0;
        uint32_t built = 0;
        for (int i = 0; i < 60; i++) {
            double done = (double)atomic_load(&w.scene->work_done->sum), saved = r->saved;
            next_frame(&w, true);
            assert_true(r->spent <= saved + shares[s] * done);
            assert_true(r->saved <= saved + shares[s] * done);
            all_spent += r->spent, all_done += done;
            built += r->spent > 0;
        }
        assert_true(all_spent <= shares[s] * all_done);
        assert_true(shares[s] == 0 ? r->renewed == 0 : r->renewed == 0 || built > 0);
        // With less it takes longer, in smaller bites.
        if (shares[s] == 0.25) assert_int_equal(r->renewed, 1 + PARTS);
        print_message("share %.2f: %d built in %u updates\n", shares[s], (int)r->renewed, built);
        end(&w);
    }
}

// What breaks is built well at once where queries had much to do, quickly where they had not.
static void parts_of_what_was_busy_are_born_well(void** state) {
    (void)state;
    for (int busy = 0; busy < 2; busy++) {
        fracas_published_scene_options how = options_of(false);
        world w;
        begin(&w, &how, 1);
        w.scene->prices.build_well = w.scene->prices.build_whole + 0.1;
        update(&w);
        if (busy) {
            detect(&w);
            for (int i = 0; i < 3; i++) next_frame(&w, true);
        }
        break_up(&w);
        update(&w);
        assert_int_equal(w.scene->restructured.well_born, busy ? 1 + PARTS : 0);
        assert_int_equal(provisional_blocks(&w), busy ? 0 : 1 + PARTS);
        end(&w);
    }
}

// What was done in a block is the same however many did it, and so is what follows.
static void threads_decide_alike(void** state) {
    (void)state;
    for (uint32_t mode = FRACAS_DISCRETE; mode <= FRACAS_CONTINUOUS; mode++) {
        uint64_t served[64] = {0}, hash = 0;
        frc_restructured first = {0};
        for (uint32_t workers = 1; workers <= 8; workers++) {
            fracas_published_scene_options how = options_of(false);
            how.scene.modes = mode;
            world w;
            begin(&w, &how, workers);
            update(&w);
            fracas_query query = fracas_query_default();
            query.modes = mode;
            fracas_statistics statistics;
            fracas_sink sink = {.statistics = &statistics};
            for (int i = 0; i < 24; i++) {
                assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
                if (i == 1) break_up(&w);
                move(&w, 0);
                update(&w);
                assert_int_equal(fracas_scene_detect(w.scene, &query, &sink), FRACAS_OK);
            }
            const frc_restructured* r = &w.scene->restructured;
            assert_true(w.scene->blocks.count <= 64);
            if (workers == 1) first = *r, hash = statistics.box_pairs;
            assert_int_equal(statistics.box_pairs, hash);
            assert_int_equal(r->renewed, first.renewed);
            assert_int_equal(r->well_born, first.well_born);
            assert_true(r->spent == first.spent && r->saved == first.saved);
            assert_memory_equal(r->share, first.share, sizeof r->share);
            for (uint32_t b = 0; b < w.scene->blocks.count; b++) {
                if (workers == 1) served[b] = frc_work_served(w.scene, b);
                assert_true(frc_work_served(w.scene, b) == served[b]);
            }
            end(&w);
        }
        assert_true(first.renewed + first.well_born > 0);
    }
}

// Each allocation of the update in which trees are built well fails once: nothing is lost.
static void no_memory_changes_nothing(void** state) {
    (void)state;
    fracas_published_scene_options how = options_of(true);
    how.restructure_share = 100;
    world w, plain;
    begin_broken(&w, &how, 1);
    how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_NONE;
    begin_broken(&plain, &how, 1);
    w.scene->prices.build_well = plain.scene->prices.build_well = 1e-3;
    detect(&w), detect(&plain);
    assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
    move(&w, 0);
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        watch_arm(&w.memory, n);
        fracas_status status = fracas_scene_update(w.scene);
        watch_arm(&w.memory, 0);
        if (status == FRACAS_OK && w.scene->restructured.renewed == 1 + PARTS) break;
        failures += status != FRACAS_OK;
        assert_true(n < 2000);
        // It did without. Another frame, so that there is something to do.
        if (status == FRACAS_OK) {
            assert_int_equal(fracas_scene_advance(w.scene), FRACAS_OK);
            w.frame--;
            move(&w, 0);
        }
    }
    print_message("%d updates failed\n", (int)failures);
    assert_true(failures > 10);
    assert_int_equal(w.scene->restructured.renewed, 1 + PARTS);
    validate(&w);
    next_frame(&plain, true);
    detect(&w);
    assert_true(w.hash == plain.hash);
    end(&w);
    end(&plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_that_serve_are_built_well),
        cmocka_unit_test(certificates_keep_an_order_but_no_grid),
        cmocka_unit_test(what_nobody_asks_is_left_alone),
        cmocka_unit_test(what_does_not_move_is_left_alone),
        cmocka_unit_test(the_budget_is_kept),
        cmocka_unit_test(parts_of_what_was_busy_are_born_well),
        cmocka_unit_test(threads_decide_alike),
        cmocka_unit_test(no_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
