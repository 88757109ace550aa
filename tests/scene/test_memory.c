// Out of memory: allocation 1, 2, 3, ... of every call fails until the call succeeds. Each failure
// is reported, changes nothing visible and leaks nothing; in the end the scene and its contacts are
// those of a scene without failures.
#include "api_model.h"
#include "fracas/published.h"
#include "scene/scene.h"
#include "scene_kit.h"
#include "test_allocator.h"

enum { BODIES = 8 };

typedef struct world {
    test_allocator memory;
    fracas_context* context;
    fracas_scene* scene;
    fracas_body bodies[BODIES];
    uint32_t body_count;
    fracas_split_plan* plan;
    fracas_contacts* contacts;
    double step;
    fracas_published_broad broad;
} world;

typedef fracas_status act(world* w);

// ---- the calls, in the order of the test

static fracas_status create_scene(world* w) {
    fracas_published_scene_options options = fracas_published_scene_default_options();
    options.broad = w->broad;
    return fracas_published_scene_create(w->context, &options, &w->scene);
}

static fracas_status create_contacts(world* w) {
    return fracas_contacts_create(w->context, &w->contacts);
}

static fracas_status add_some(world* w, fracas_motion motion, double z) {
    enum { SQUARES = 20 };
    double points[2 * SQUARES + 2][3];
    uint32_t triangles[2 * SQUARES][3];
    for (uint32_t i = 0; i < 2 * SQUARES + 2; i++) {
        const double p[3] = {i / 2, i % 2, z};
        memcpy(points[i], p, sizeof p);
    }
    for (uint32_t i = 0; i < 2 * SQUARES; i++)
        for (uint32_t k = 0; k < 3; k++) triangles[i][k] = i + k;
    const uint32_t edges[4] = {0, 9, 1, 5}, vertices[3] = {2, 3, 41};
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = 2 * SQUARES + 2},
        .triangles = triangles[0],
        .triangle_count = 2 * SQUARES - 2,
        .edges = edges,
        .edge_count = 2,
        .vertices = vertices,
        .vertex_count = 3
    };
    fracas_body_options options = fracas_body_default_options();
    options.motion = motion;
    fracas_body body;
    fracas_status status = fracas_scene_add(w->scene, &mesh, &options, &body);
    if (status == FRACAS_OK)
        w->bodies[w->body_count++] = body;
    else
        assert_int_equal(body.index, 0);
    return status;
}

static fracas_status add_soft(world* w) { return add_some(w, FRACAS_MOTION_DEFORMING, 0); }
static fracas_status add_soft_again(world* w) { return add_some(w, FRACAS_MOTION_DEFORMING, 0.5); }
static fracas_status add_rigid(world* w) { return add_some(w, FRACAS_MOTION_RIGID, 0.25); }
static fracas_status update(world* w) { return fracas_scene_update(w->scene); }

static fracas_status move(world* w) {
    double points[42][3];
    for (uint32_t i = 0; i < 42; i++) {
        const double p[3] = {i / 2, i % 2, (i % 5) * 0.25 - 0.25};
        memcpy(points[i], p, sizeof p);
    }
    fracas_points view = {.data = points, .count = 42};
    return fracas_scene_move(w->scene, w->bodies[0], &view);
}

static fracas_status pose(world* w) {
    fracas_pose end = fracas_pose_make_identity(), start = end;
    end.translation[2] = -1;
    return fracas_scene_pose(w->scene, w->bodies[2], &start, &end);
}

static fracas_status move_many(world* w) {
    double points[2][42][3];
    fracas_move moves[3] = {{.body = w->bodies[1]}, {.body = w->bodies[2]}, {.body = w->bodies[0]}};
    for (uint32_t i = 0; i < 84; i++) {
        const double p[3] = {i % 42 / 2, i % 2, (i % 5) * 0.125 - 0.25};
        memcpy(points[i / 42][i % 42], p, sizeof p);
    }
    moves[0].points_t1 = (fracas_points){.data = points[0], .count = 42};
    moves[2].points_t1 = (fracas_points){.data = points[1], .count = 42};
    moves[1].kind = FRACAS_MOVE_POSE;
    moves[1].poses[0] = moves[1].poses[1] = fracas_pose_make_identity();
    moves[1].poses[1].translation[2] = -0.5;
    return fracas_scene_move_many(w->scene, moves, 3);
}

static fracas_status advance(world* w) { return fracas_scene_advance(w->scene); }
static fracas_status remove_last(world* w) {
    return fracas_scene_remove(w->scene, w->bodies[--w->body_count]);
}

static fracas_status plan_split(world* w) {
    uint32_t labels[38];
    for (uint32_t t = 0; t < 38; t++) labels[t] = t / 13;
    return fracas_split_plan_create(w->scene, w->bodies[0], labels, 38, &w->plan);
}

static fracas_status split(world* w) {
    fracas_status status = fracas_scene_split(
        w->scene, w->bodies[0], fracas_split_plan_get_split(w->plan), &w->bodies[w->body_count]);
    if (status != FRACAS_OK) return status;
    w->body_count += 2;
    fracas_split_plan_destroy(w->plan);
    w->plan = NULL;
    return FRACAS_OK;
}

static fracas_status cut_rigid(world* w) {
    const fracas_new_vertex vertex = {.parent_a = 4, .parent_b = 7, .weight = 0.5};
    const fracas_repoint repoint = {3, 1, 42};
    const uint32_t face[3] = {42, 1, 2}, removed = 9;
    fracas_split s = fracas_scene_default_split();
    s.new_vertices = &vertex, s.new_vertex_count = 1;
    s.repoints = &repoint, s.repoint_count = 1;
    s.new_triangles = face, s.new_triangle_count = 1;
    s.removed_triangles = &removed, s.removed_triangle_count = 1;
    return fracas_scene_split(w->scene, w->bodies[2], &s, NULL);
}

// This changes the box of its block without motion.
static fracas_status remove_end(world* w) {
    const uint32_t removed[4] = {34, 35, 36, 37};
    fracas_split s = fracas_scene_default_split();
    s.removed_triangles = removed, s.removed_triangle_count = 4;
    return fracas_scene_split(w->scene, w->bodies[1], &s, NULL);
}

static fracas_status merge(world* w) {
    const fracas_body bodies[3] = {w->bodies[1], w->bodies[0], w->bodies[3]};
    const fracas_weld_pair welds[3] = {
        {0, 3, 1, 0},
        {0, 0, 0, 9},
        {1, 1, 2, 0}
    };
    uint32_t vertex_map[200], triangle_map[200];
    fracas_merge m = fracas_scene_default_merge();
    m.welds = welds, m.weld_count = 3;
    m.vertex_map = vertex_map, m.triangle_map = triangle_map;
    fracas_body out;
    fracas_status status = fracas_scene_merge(w->scene, bodies, 3, &m, &out);
    if (status != FRACAS_OK) return status;
    w->bodies[0] = w->bodies[--w->body_count];
    w->bodies[3] = w->bodies[--w->body_count];
    return FRACAS_OK;
}

static fracas_status detect(world* w) {
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    fracas_sink sink = fracas_contacts_get_sink(w->contacts);
    return fracas_scene_detect(w->scene, &query, &sink);
}

static fracas_status nearby(world* w) {
    fracas_sink sink = fracas_contacts_get_sink(w->contacts);
    return fracas_scene_nearby(w->scene, 0.25, &sink);
}

static fracas_status max_step(world* w) { return fracas_scene_max_step(w->scene, NULL, &w->step); }

static fracas_status describe(world* w) {
    const double points[3][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 1, 0}
    };
    const uint32_t triangle[3] = {0, 1, 2};
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = 3},
          .triangles = triangle, .triangle_count = 1
    };
    fracas_mesh_info info;
    return fracas_mesh_describe(w->context, &mesh, &info);
}

static const struct {
    const char* name;
    act* run;
} ACTS[] = {
    {"create a scene",      create_scene   },
    {"create contacts",     create_contacts},
    {"describe",            describe       },
    {"add",                 add_soft       },
    {"add again",           add_soft_again },
    {"add a rigid body",    add_rigid      },
    {"update",              update         },
    {"detect",              detect         },
    {"move",                move           },
    {"pose",                pose           },
    {"update what moved",   update         },
    {"move many",           move_many      },
    {"update all of them",  update         },
    {"detect what moved",   detect         },
    {"nearby",              nearby         },
    {"max_step",            max_step       },
    {"remove an end",       remove_end     },
    {"update what is left", update         },
    {"plan a split",        plan_split     },
    {"split",               split          },
    {"cut in place",        cut_rigid      },
    {"update what broke",   update         },
    {"detect what broke",   detect         },
    {"merge",               merge          },
    {"max_step of an edit", update         },
    {"detect what merged",  detect         },
    {"max_step again",      max_step       },
    {"add for removal",     add_soft_again },
    {"advance",             advance        },
    {"remove",              remove_last    },
    {"update the rest",     update         },
    {"detect the rest",     detect         }
};

// ---- visible state

static void require_same_body(const world* a, const world* b, uint32_t i) {
    fracas_body_info info[2];
    assert_true(kit_same_body(a->bodies[i], b->bodies[i]));
    assert_int_equal(fracas_scene_get_body(a->scene, a->bodies[i], &info[0]), FRACAS_OK);
    assert_int_equal(fracas_scene_get_body(b->scene, b->bodies[i], &info[1]), FRACAS_OK);
    assert_memory_equal(&info[0], &info[1], sizeof info[0]);
    for (uint32_t v = 0; v < info[0].vertex_numbers; v++) {
        double at[2][6] = {{0}};
        assert_int_equal(fracas_scene_get_vertex(a->scene, a->bodies[i], v, at[0], at[0] + 3),
                         fracas_scene_get_vertex(b->scene, b->bodies[i], v, at[1], at[1] + 3));
        assert_memory_equal(at[0], at[1], sizeof at[0]);
    }
    for (uint32_t t = 0; t < info[0].triangle_numbers; t++) {
        uint32_t corners[2][3] = {{0}};
        assert_int_equal(fracas_scene_get_triangle(a->scene, a->bodies[i], t, corners[0]),
                         fracas_scene_get_triangle(b->scene, b->bodies[i], t, corners[1]));
        assert_memory_equal(corners[0], corners[1], sizeof corners[0]);
    }
}

static void require_same(const world* a, const world* b, const char* what) {
    assert_int_equal(a->body_count, b->body_count);
    for (uint32_t i = 0; i < a->body_count; i++) require_same_body(a, b, i);
    assert_true(a->step == b->step);
    if (!a->contacts || !b->contacts) return;
    size_t count[2];
    const fracas_contact* data[2] = {fracas_contacts_get_data(a->contacts, &count[0]),
                                     fracas_contacts_get_data(b->contacts, &count[1])};
    model_require_same(data[0], count[0], data[1], count[1], what);
}

// ---- the sweep

static void create_world(world* w, uint32_t workers, fracas_published_broad broad) {
    memset(w, 0, sizeof *w);
    w->broad = broad;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &w->memory};
    assert_int_equal(fracas_context_create(&options, &w->context), FRACAS_OK);
}

static void destroy_world(world* w) {
    fracas_contacts_destroy(w->contacts);
    fracas_scene_destroy(w->scene);
    fracas_context_destroy(w->context);
    assert_int_equal(w->memory.live, 0);
    assert_int_equal(w->memory.blocks, 0);
}

// Lets allocation 1, 2, 3, ... fail until the call succeeds; returns the number of failures.
static size_t sweep(world* w, const world* before, act* run, const char* name) {
    for (size_t n = 1;; n++) {
        assert_true(n < 500);
        test_allocator_fail_at(&w->memory, n);
        fracas_status status = run(w);
        test_allocator_fail_at(&w->memory, 0);
        if (status == FRACAS_OK && w->scene && w->scene->updated &&
            w->broad == FRACAS_PUBLISHED_BROAD_TREE)
            model_check_blocks(w->scene);
        if (status == FRACAS_OK) return n - 1;
        if (status != FRACAS_ERROR_OUT_OF_MEMORY)
            fail_msg("%s: %s", name, fracas_status_get_name(status));
        char message[200];
        fracas_context_get_message(w->context, message, sizeof message);
        assert_non_null(strstr(message, "out of memory"));
        if (w->contacts)
            fracas_contacts_get_sink(w->contacts);  // contacts collected before the failure
        if (before->contacts) fracas_contacts_get_sink(before->contacts);
        if (w->scene) require_same(w, before, name);
    }
}

static void sweep_all(fracas_published_broad broad, size_t fewest) {
    for (uint32_t workers = 1; workers <= 3; workers += 2) {
        world never, victim;
        create_world(&never, workers, broad);
        create_world(&victim, workers, broad);
        size_t failures = 0;
        for (size_t i = 0; i < sizeof ACTS / sizeof *ACTS; i++) {
            failures += sweep(&victim, &never, ACTS[i].run, ACTS[i].name);
            assert_int_equal(ACTS[i].run(&never), FRACAS_OK);
            if (never.scene) require_same(&victim, &never, ACTS[i].name);
        }
        assert_true(failures > fewest);
        destroy_world(&never);
        destroy_world(&victim);
    }
}

static void every_allocation_of_every_call(void** state) {
    (void)state;
    sweep_all(FRACAS_PUBLISHED_BROAD_TREE, 200);
}

static void every_allocation_without_trees(void** state) {
    (void)state;
    sweep_all(FRACAS_PUBLISHED_BROAD_HASH, 100);
}

// ---- a block that is split, a part of it that grows, and another body

enum { SIDE = 24 };

static fracas_body add_sheet(world* w, double z) {
    static double points[(SIDE + 1) * (SIDE + 1)][3];
    static uint32_t corners[2 * SIDE * SIDE][3];
    for (uint32_t i = 0; i < (SIDE + 1) * (SIDE + 1); i++) {
        const double p[3] = {i % (SIDE + 1), i / (SIDE + 1), z};
        memcpy(points[i], p, sizeof p);
    }
    kit_sheet(SIDE, corners);
    kit k = {w->context, w->scene};
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, (SIDE + 1) * (SIDE + 1),
                                           (const uint32_t(*)[3])corners, 2 * SIDE * SIDE);
    return kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
}

static fracas_body break_off(world* w, fracas_body body, uint32_t stay, uint32_t count) {
    uint32_t labels[2 * SIDE * SIDE];
    fracas_body part;
    fracas_split_plan* plan;
    for (uint32_t i = 0; i < count; i++) labels[i] = i >= stay;
    assert_int_equal(fracas_split_plan_create(w->scene, body, labels, count, &plan), FRACAS_OK);
    assert_int_equal(fracas_scene_split(w->scene, body, fracas_split_plan_get_split(plan), &part),
                     FRACAS_OK);
    fracas_split_plan_destroy(plan);
    return part;
}

static void grow(world* w, fracas_body body) {
    const uint32_t face[3] = {0, 1, SIDE};
    fracas_split s = fracas_scene_default_split();
    s.new_triangles = face, s.new_triangle_count = 1;
    assert_int_equal(fracas_scene_split(w->scene, body, &s, NULL), FRACAS_OK);
}

static void shrink(world* w, fracas_body body) {
    const uint32_t first = 0;
    fracas_split s = fracas_scene_default_split();
    s.removed_triangles = &first, s.removed_triangle_count = 1;
    assert_int_equal(fracas_scene_split(w->scene, body, &s, NULL), FRACAS_OK);
}

// When a block breaks, its leaves are reused by the new blocks. A block that has grown in the
// meantime cannot reuse them: then all new blocks are built again. A body whose own build has
// failed must not be affected.
static void split_blocks_that_grow(void** state) {
    (void)state;
    size_t failures = 0;
    bool reached = true;
    for (size_t n = 1; reached; n++) {
        world w;
        create_world(&w, 1, FRACAS_PUBLISHED_BROAD_TREE);
        assert_int_equal(create_scene(&w), FRACAS_OK);
        const fracas_body body = add_sheet(&w, 0);
        assert_int_equal(update(&w), FRACAS_OK);
        grow(&w, break_off(&w, body, 2 * SIDE * SIDE / 4, 2 * SIDE * SIDE));
        shrink(&w, add_sheet(&w, 0.5));
        test_allocator_fail_at(&w.memory, n);
        failures += update(&w) != FRACAS_OK;  // not all of them are needed
        reached = w.memory.calls >= n;
        test_allocator_fail_at(&w.memory, 0);
        assert_int_equal(update(&w), FRACAS_OK);
        model_check_blocks(w.scene);
        destroy_world(&w);
    }
    assert_true(failures > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_of_every_call),
                                       cmocka_unit_test(every_allocation_without_trees),
                                       cmocka_unit_test(split_blocks_that_grow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
