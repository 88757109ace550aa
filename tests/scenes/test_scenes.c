// The built-in scenes at small sizes: contacts are equal to brute force, scenes_state is equal to
// the scene in Fracas, runs are bit-identical on any number of threads, and edits happen in the
// documented frames.
#include "scene/scene.h"
#include "scene_driver.h"
#include "share.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct small {
    const char* name;
    uint32_t size, frames;
    bool pre_cut;
    uint64_t hash;  // over all states
} small;

// Sizes for which brute force is feasible; frames up to a little after the last change.
static const small scenes[] = {
    {"wall",             300, 14, false, 0xe6bb06e33d10bb2f},
    {"cloth-ball",       300, 50, false, 0x7b1cdb9939372d58},
    {"n-body",           300, 70, false, 0x537758f088bccf6b},
    {"breaking-walls",   1,   18, false, 0xd0cfb2ebb68c7014},
    {"exploding-dragon", 400, 80, false, 0x04a11746957e4fce},
    {"exploding-dragon", 400, 50, true,  0xd1bebc40b2fe8482},
    {"pulling-apart",    300, 40, false, 0xc95a37a68add2344},
    {"merge",            400, 90, false, 0x3940f15a9ab3f642}
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static scene_driver start(const small* s, uint32_t workers) {
    scenes_options options = {.size = s->size, .pre_cut = s->pre_cut};
    return driver_start(s->name, &options, workers);
}

// ---- brute force

static void require_brute(const scene_driver* d, fracas_siblings siblings, const small* s,
                          uint32_t frame) {
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    query.siblings = siblings;
    fracas_contacts* got;
    assert_int_equal(fracas_contacts_create(d->context, &got), FRACAS_OK);
    fracas_sink sink = fracas_contacts_get_sink(got);
    assert_int_equal(fracas_scene_detect(d->scene, &query, &sink), FRACAS_OK);
    frc_world world = frc_scene_world(d->scene);
    frc_contact_list all = {0};
    fracas_statistics statistics = {0};
    for (int mode = 0; mode < 2; mode++)
        assert_int_equal(frc_search_brute(&world,
                                          mode ? FRC_SEARCH_CONTINUOUS : FRC_SEARCH_DISCRETE,
                                          &query, &all, &statistics),
                         FRACAS_OK);
    size_t count;
    const fracas_contact* data = fracas_contacts_get_data(got, &count);
    if (count != all.count)
        fail_msg("%s, frame %u: %zu contacts, brute force has %zu", s->name, frame, count,
                 all.count);
    if (bench_hash_contacts(0, data, count) != bench_hash_contacts(0, all.data, all.count))
        fail_msg("%s, frame %u: contacts differ from brute force", s->name, frame);
    fracas_contacts_destroy(got);
    FRC_ARRAY_RELEASE(d->context, &all);
}

// In frames with edits siblings are compared, too.
static void test_brute_force(void** unused) {
    (void)unused;
    const uint32_t every = 100 / share_of(100);
    for (int i = 0; i < SCENES; i++) {
        const small* s = &scenes[i];
        scene_driver d = start(s, 1);
        for (uint32_t frame = 1; frame <= s->frames; frame++) {
            driver_step(&d);
            if (!d.edits && frame % every) continue;
            require_brute(&d, FRACAS_SIBLINGS_UNTIL_SEPARATED, s, frame);
            if (d.edits) require_brute(&d, FRACAS_SIBLINGS_REPORT, s, frame);
        }
        driver_end(&d);
    }
}

// ---- spatial hashing

static void require_equal_contacts(const scene_driver* a, const scene_driver* b, const small* s,
                                   uint32_t frame) {
    size_t counts[2];
    const fracas_contact *found = driver_found(a, &counts[0]), *other = driver_found(b, &counts[1]);
    const fracas_statistics *sa = fracas_contacts_get_statistics(a->contacts),
                            *sb = fracas_contacts_get_statistics(b->contacts);
    if (counts[0] != counts[1] ||
        bench_hash_contacts(0, found, counts[0]) != bench_hash_contacts(0, other, counts[1]))
        fail_msg("%s, frame %u: trees find %zu contacts, cells %zu", s->name, frame, counts[0],
                 counts[1]);
    assert_true(sa->siblings_left_out == sb->siblings_left_out);
}

// Every scene, every frame, on 1 to 8 threads: one runs with trees, which test_brute_force compares
// with all pairs, eight with spatial hashing.
static void test_spatial_hashing(void** unused) {
    (void)unused;
    enum { WORKERS = 8 };
    const uint32_t workers = share_of(WORKERS);
    for (int i = 0; i < SCENES; i++) {
        const small* s = &scenes[i];
        const scenes_options options = {.size = s->size, .pre_cut = s->pre_cut};
        scene_driver tree = start(s, 1), cells[WORKERS];
        tree.modes = FRACAS_MODE_BOTH;
        for (uint32_t w = 0; w < workers; w++) {
            cells[w] = driver_start_broad(s->name, &options, w + 1, FRACAS_PUBLISHED_BROAD_HASH);
            cells[w].modes = FRACAS_MODE_BOTH;
        }
        for (uint32_t frame = 1; frame <= s->frames; frame++) {
            driver_step(&tree);
            for (uint32_t w = 0; w < workers; w++) {
                driver_step(&cells[w]);
                require_equal_contacts(&tree, &cells[w], s, frame);
            }
        }
        for (uint32_t w = 0; w < workers; w++) driver_end(&cells[w]);
        driver_end(&tree);
    }
}

// ---- the state

typedef struct previous_state {
    double* points;
    uint32_t *triangles, vertex_count, triangle_count;
} previous_state;

static previous_state copy_state(const scenes_state* state) {
    previous_state p = {.points = malloc(3 * sizeof(double) * state->mesh.points.count),
                        .triangles = malloc(3 * sizeof(uint32_t) * state->mesh.triangle_count),
                        .vertex_count = state->mesh.points.count,
                        .triangle_count = state->mesh.triangle_count};
    memcpy(p.points, state->mesh.points.data, 3 * sizeof(double) * p.vertex_count);
    memcpy(p.triangles, state->mesh.triangles, 3 * sizeof(uint32_t) * p.triangle_count);
    return p;
}

static void free_state(previous_state* p) {
    free(p->points);
    free(p->triangles);
}

// A vertex in Fracas is where the state has it, and was where its parent was.
static void require_vertex(const scene_driver* d, const scenes_state* state,
                           const previous_state* p, uint32_t body, uint32_t number,
                           uint32_t place) {
    double t0[3], t1[3];
    assert_int_equal(fracas_scene_get_vertex(d->scene, state->bodies[body], number, t0, t1),
                     FRACAS_OK);
    const double* now = driver_point(state, place);
    for (int k = 0; k < 3; k++) assert_true(t1[k] == now[k]);
    int32_t parent = state->vertex_parents[place];
    assert_true(parent >= -1 && parent < (int32_t)p->vertex_count);
    // New vertices are at rest: a file cannot store anything else.
    const double* old = parent < 0 ? now : p->points + 3 * (size_t)parent;
    for (int k = 0; k < 3; k++) assert_true(t0[k] == old[k]);
}

static void require_body(const scene_driver* d, const scenes_state* state, const previous_state* p,
                         uint32_t body) {
    fracas_body_info info;
    assert_int_equal(fracas_scene_get_body(d->scene, state->bodies[body], &info), FRACAS_OK);
    const uint32_t *v = state->vertex_begins + body, *t = state->triangle_begins + body;
    assert_true(v[1] - v[0] <=
                info.vertices);  // points without triangles are not part of the state
    assert_int_equal(t[1] - t[0], info.triangles);
    const uint32_t *vertex_map = state->maps ? state->maps[body].vertices : NULL,
                   *triangle_map = state->maps ? state->maps[body].triangles : NULL;
    for (uint32_t i = 0; i < info.vertex_numbers; i++) {
        uint32_t place = vertex_map ? vertex_map[i] : i;
        if (place != FRACAS_NONE) require_vertex(d, state, p, body, i, v[0] + place);
    }
    for (uint32_t i = 0; i < info.triangle_numbers; i++) {
        uint32_t place = triangle_map ? triangle_map[i] : i, corners[3];
        fracas_status there = fracas_scene_get_triangle(d->scene, state->bodies[body], i, corners);
        assert_true((there == FRACAS_OK) == (place != FRACAS_NONE));
        for (int k = 0; place != FRACAS_NONE && k < 3; k++)
            assert_int_equal(state->mesh.triangles[3 * (size_t)(t[0] + place) + (size_t)k],
                             v[0] + (vertex_map ? vertex_map[corners[k]] : corners[k]));
    }
}

static void test_state(void** unused) {
    (void)unused;
    for (int i = 0; i < SCENES; i++) {
        scene_driver d = start(&scenes[i], 1);
        for (uint32_t frame = 1; frame <= scenes[i].frames; frame++) {
            scenes_state before = d.what->state(d.run);
            previous_state p = copy_state(&before);
            driver_step(&d);
            scenes_state now = d.what->state(d.run);
            for (uint32_t b = 0; b < now.body_count; b++) require_body(&d, &now, &p, b);
            assert_int_equal(fracas_mesh_validate(d.context, &now.mesh), FRACAS_OK);
            free_state(&p);
        }
        driver_end(&d);
    }
}

// ---- repeating

static void run_hashes(const small* s, uint32_t workers, uint64_t hashes[2]) {
    scene_driver d = start(s, workers);
    hashes[0] = hashes[1] = driver_hash_state(BENCH_HASH_START, &d);
    for (uint32_t frame = 1; frame <= s->frames; frame++) {
        size_t count;
        driver_step(&d);
        const fracas_contact* found = driver_found(&d, &count);
        hashes[0] = driver_hash_state(hashes[0], &d);
        hashes[1] = bench_hash_contacts(hashes[1], found, count);
    }
    driver_end(&d);
}

// The golden hashes include every bit of all positions: no machine, compiler or SIMD level changes
// them, only a change of a scene or of the solver.
static void test_repeats(void** unused) {
    (void)unused;
    int wrong = 0;
    for (int i = 0; i < SCENES; i++) {
        uint64_t one[2], two[2];
        run_hashes(&scenes[i], 1, one);
        run_hashes(&scenes[i], 2, two);
        assert_memory_equal(one, two, sizeof one);
        if (one[0] == scenes[i].hash) continue;
        print_message("%s%s: 0x%016" PRIx64 "\n", scenes[i].name,
                      scenes[i].pre_cut ? " pre-cut" : "", one[0]);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

// ---- frames with edits

static uint32_t frames_with_edits(scene_driver* d, uint32_t frames, uint32_t list[16]) {
    uint32_t count = 0;
    for (uint32_t frame = 1; frame <= frames; frame++) {
        driver_step(d);
        if (d->edits && count < 16) list[count] = frame;
        count += d->edits > 0;
    }
    return count;
}

static void test_walls_break_in_eight_frames(void** unused) {
    (void)unused;
    scenes_options options = {.size = 3000};
    uint32_t frames[16];
    scene_driver d = driver_start("breaking-walls", &options, 2);
    uint32_t triangles = d.what->state(d.run).mesh.triangle_count;
    uint32_t bodies = d.what->state(d.run).body_count;
    assert_true(triangles > 2500 && triangles < 4000);
    assert_int_equal(frames_with_edits(&d, d.what->frames, frames), 8);
    for (uint32_t w = 0; w < 8; w++) assert_int_equal(frames[w], 7 + 9 * w);
    scenes_state end = d.what->state(d.run);
    assert_true(end.mesh.triangle_count > 3 * triangles);
    assert_true(end.body_count > bodies + 8 * 6);
    driver_end(&d);
}

static void test_dragon_breaks_in_four_frames(void** unused) {
    (void)unused;
    scenes_options options = {.size = 3000};
    uint32_t frames[16];
    scene_driver d = driver_start("exploding-dragon", &options, 2);
    uint32_t triangles = d.what->state(d.run).mesh.triangle_count;
    assert_int_equal(frames_with_edits(&d, 100, frames), 4);
    scenes_state end = d.what->state(d.run);
    assert_int_equal(end.mesh.triangle_count, triangles);
    uint32_t bodies = end.body_count, vertices = end.mesh.points.count;
    assert_true(bodies > 12);
    driver_end(&d);

    options.pre_cut = true;
    d = driver_start("exploding-dragon", &options, 2);
    assert_int_equal(frames_with_edits(&d, 100, frames), 1);
    assert_int_equal(frames[0], 1);
    end = d.what->state(d.run);
    assert_int_equal(end.body_count, bodies);
    assert_int_equal(end.mesh.points.count, vertices);
    driver_end(&d);
}

static void test_cloth_tears_in_every_frame(void** unused) {
    (void)unused;
    scenes_options options = {.size = 8000};
    uint32_t frames[16];
    scene_driver d = driver_start("pulling-apart", &options, 2);
    uint32_t vertices = d.what->state(d.run).mesh.points.count;
    assert_int_equal(frames_with_edits(&d, 30, frames), 30);
    scenes_state end = d.what->state(d.run);
    assert_true(end.body_count > 2 + 30);
    assert_true(end.mesh.points.count > vertices + 30 * 20);
    driver_end(&d);
}

static void test_drops_merge(void** unused) {
    (void)unused;
    scenes_options options = {.size = 7000};
    scene_driver d = driver_start("merge", &options, 2);
    assert_int_equal(d.what->state(d.run).body_count, 1 + 16);
    for (uint32_t frame = 1; frame <= d.what->frames; frame++) driver_step(&d);
    scenes_state end = d.what->state(d.run);
    assert_int_equal(end.body_count, 1 + 2);
    fracas_mesh_info info;
    assert_int_equal(fracas_mesh_describe(d.context, &end.mesh, &info), FRACAS_OK);
    assert_int_equal(info.boundary_edges, 8);  // the ground's
    assert_int_equal(info.nonmanifold_edges, 0);
    assert_int_equal(info.misoriented_edges, 0);
    driver_end(&d);
}

static void test_full_sizes(void** unused) {
    (void)unused;
    static const struct {
        const char* name;
        uint32_t size, least, most, frames;
    } full[] = {
        {"cloth-ball",       0,      91000,  93000,  465},
        {"n-body",           0,      33000,  35000,  149},
        {"n-body",           146000, 145000, 147000, 375},
        {"breaking-walls",   0,      41000,  43000,  80 },
        {"exploding-dragon", 0,      250000, 254000, 250},
        {"pulling-apart",    0,      250000, 254000, 220},
    };
    for (size_t i = 0; i < sizeof full / sizeof full[0]; i++) {
        scenes_options options = {.size = full[i].size};
        scene_driver d = driver_start(full[i].name, &options, 1);
        uint32_t triangles = d.what->state(d.run).mesh.triangle_count;
        if (triangles < full[i].least || triangles > full[i].most)
            fail_msg("%s has %u triangles", full[i].name, triangles);
        assert_int_equal(scenes_frames(d.what, &options), full[i].frames);
        driver_end(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_spatial_hashing),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_walls_break_in_eight_frames),
        cmocka_unit_test(test_dragon_breaks_in_four_frames),
        cmocka_unit_test(test_cloth_tears_in_every_frame),
        cmocka_unit_test(test_drops_merge),
        cmocka_unit_test(test_full_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
