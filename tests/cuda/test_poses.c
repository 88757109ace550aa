// Rigid bodies on an emulated device: their poses go there, and their points are computed on both
// sides alike. Poses between moves of the host and of the device, advances, edits, reads of
// vertices and pairs that the host decides; poses that overflow; allocations that fail.
#include "common_kit.h"
#include "cuda/search.h"
#include "cuda_kit.h"
#include "fracas/candidates.h"
#include "scene/scene.h"
#include "scene_kit.h"
#include "share.h"
#include <math.h>

enum { SIDE = 6, POINTS = (SIDE + 1) * (SIDE + 1), RIGID = 4, SOFT = 2, BODIES = RIGID + SOFT };

typedef struct stage {
    cuda_kit k;
    fracas_body body[BODIES];  // the rigid ones first
    double soft[SOFT][POINTS][3];
    uint64_t random, contacts;
} stage;

static double uniform(stage* s, double low, double high) {
    return kit_uniform(&s->random, low, high);
}

// A turn by a unit quaternion, whose products are all rounded.
static fracas_pose random_pose(stage* s) {
    double q[4], length = 0;
    for (int i = 0; i < 4; i++) q[i] = uniform(s, -1, 1) + (i == 0 ? 2 : 0);
    for (int i = 0; i < 4; i++) length += q[i] * q[i];
    length = sqrt(length);
    for (int i = 0; i < 4; i++) q[i] /= length;
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    return (fracas_pose){
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
         1 - 2 * (x * x + z * z),                                                                      2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
         1 - 2 * (x * x + y * y)                                                                                                                                          },
        {uniform(s,               -0.5,                0.5),                uniform(s,           -0.5, 0.5),                uniform(s,           -0.5,                0.5)}
    };
}

// ---- two scenes

static void add_body(stage* s, uint32_t number) {
    static uint32_t corners[2 * SIDE * SIDE][3];
    static double points[POINTS][3];
    fracas_body_options options = fracas_body_default_options();
    kit_sheet(SIDE, corners);
    for (uint32_t i = 0; i < POINTS; i++) {
        points[i][0] = 0.3 * (i % (SIDE + 1)) - 1 + uniform(s, -0.1, 0.1);
        points[i][1] = 0.3 * (i / (SIDE + 1)) - 1 + uniform(s, -0.1, 0.1);
        points[i][2] = i == 3 ? -0.0 : 0.2 * number - 0.5 + uniform(s, -0.1, 0.1);
    }
    options.motion = number < RIGID ? FRACAS_MOTION_RIGID : FRACAS_MOTION_DEFORMING;
    if (number < RIGID) options.pose = random_pose(s);
    if (number >= RIGID) memcpy(s->soft[number - RIGID], points, sizeof points);
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, POINTS,
                                           (const uint32_t(*)[3])corners, 2 * SIDE * SIDE);
    for (int i = 0; i < 2; i++)
        KIT_OK(s->k.context, fracas_scene_add(s->k.scene[i], &mesh, &options, &s->body[number]));
}

static void open_stage(stage* s, uint32_t workers) {
    memset(s, 0, sizeof *s);
    s->k = cuda_kit_open(workers);
    s->random = 5;
    for (uint32_t b = 0; b < BODIES; b++) add_body(s, b);
}

static void pose_both(stage* s, uint32_t number) {
    const fracas_pose ends[2] = {random_pose(s), random_pose(s)};
    for (int i = 0; i < 2; i++)
        KIT_OK(s->k.context, fracas_scene_pose(s->k.scene[i], s->body[number], &ends[0], &ends[1]));
}

// Points of a deforming body, by the host, or by the device on its scene.
static void move_both(stage* s, uint32_t number, bool by_device) {
    double(*p)[3] = s->soft[number - RIGID];
    for (uint32_t i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++) p[i][k] += uniform(s, -0.1, 0.1);
    const fracas_points view = {.data = p, .count = POINTS};
    const fracas_cuda_move move = {
        s->body[number], {.data = p, .count = POINTS, .place = FRACAS_CUDA_ON_HOST}
    };
    KIT_OK(s->k.context, fracas_scene_move(s->k.scene[0], s->body[number], &view));
    KIT_OK(s->k.context, by_device ? fracas_cuda_scene_move(s->k.scene[1], &move, 1, NULL)
                                   : fracas_scene_move(s->k.scene[1], s->body[number], &view));
}

static void move_many(stage* s) {
    fracas_move moves[2];
    double(*p)[3] = s->soft[0];
    for (uint32_t i = 0; i < POINTS; i++) p[i][2] += uniform(s, -0.2, 0.2);
    moves[0] = (fracas_move){
        .body = s->body[1], .kind = FRACAS_MOVE_POSE, .poses = {random_pose(s), random_pose(s)}
    };
    moves[1] = (fracas_move){
        .body = s->body[RIGID],
        .kind = FRACAS_MOVE_POINTS,
        .points_t1 = {.data = p, .count = POINTS}
    };
    for (int i = 0; i < 2; i++)
        KIT_OK(s->k.context, fracas_scene_move_many(s->k.scene[i], moves, 2));
}

static void require_body(const stage* s, fracas_body body) {
    fracas_body_info info;
    KIT_OK(s->k.context, fracas_scene_get_body(s->k.scene[0], body, &info));
    for (uint32_t i = 0; i < info.vertex_numbers; i++) {
        double at[2][2][3];
        fracas_status found[2];
        for (int k = 0; k < 2; k++)
            found[k] = fracas_scene_get_vertex(s->k.scene[k], body, i, at[k][0], at[k][1]);
        assert_int_equal(found[0], found[1]);
        if (found[0] == FRACAS_OK) assert_memory_equal(at[0], at[1], sizeof at[0]);
    }
}

static void require_positions(const stage* s) {
    for (uint32_t b = 0; b < BODIES; b++) require_body(s, s->body[b]);
}

static void detect(stage* s, uint32_t step) {
    fracas_query query = fracas_scene_default_query();
    if (step % 4 == 1) query.modes = FRACAS_MODE_BOTH;
    if (step % 4 == 3) query.min_separation = 0.01;
    s->contacts += cuda_kit_detect(&s->k, &query, "poses");
}

// ---- steps

static void random_step(stage* s, uint32_t step) {
    for (uint32_t b = 0; b < RIGID; b++)
        if ((step + b) % 4 != 0) pose_both(s, b);
    if (step % 5 == 1) pose_both(s, 2);
    for (uint32_t b = RIGID; b < BODIES; b++)
        if ((step / 3 + b) % 3 != 0) move_both(s, b, (step / 4 + b) % 3 != 0);
    if (step % 6 == 3) move_many(s);
    if (step % 7 == 4) require_positions(s);
    if (step % 9 == 5) {  // an edit: the body comes back with other points
        const uint32_t b = step % BODIES;
        for (int i = 0; i < 2; i++)
            KIT_OK(s->k.context, fracas_scene_remove(s->k.scene[i], s->body[b]));
        add_body(s, b);
        if (step % 2 && b < RIGID) pose_both(s, b);
    }
    if (step % 10 != 7) detect(s, step);
    if (step % 8 == 6) require_positions(s);
    if (step % 11 != 3)
        for (int i = 0; i < 2; i++) KIT_OK(s->k.context, fracas_scene_advance(s->k.scene[i]));
    if (step % 13 == 2) detect(s, step);
}

static void steps(void** state) {
    (void)state;
    static stage s;
    open_stage(&s, 2);
    for (uint32_t step = 0; step < 24 + share_of(80); step++) random_step(&s, step);
    require_positions(&s);
    assert_true(s.contacts > 1000);
    cuda_kit_close(&s.k);
}

// ---- what goes to the device, and when

static frc_cuda_search* search_of(const stage* s) { return s->k.scene[1]->search_data; }

// A step with poses alone copies poses alone, and nothing back; a move of the device needs no more.
static void copies(void** state) {
    (void)state;
    static stage s;
    open_stage(&s, 1);
    const fracas_scene* scene = s.k.scene[1];
    uint64_t captures = 0;
    for (uint32_t step = 0; step < 6; step++) {
        if (step == 1) captures = frc_device_captures(search_of(&s)->device);
        for (uint32_t b = 0; b < RIGID; b++) pose_both(&s, b);
        if (step > 2) move_both(&s, RIGID, true);
        detect(&s, 0);
        const uint64_t most = RIGID * sizeof(frc_pose_ends) + BODIES * sizeof(uint32_t);
        if (step > 0 && step != 3) assert_true(cuda_kit_statistics(&s.k).uploaded_bytes == most);
        // The first move of the device copies all positions there, which the host has to know.
        assert_true(scene->posed_bodies.count == (step == 3 ? 0 : RIGID));
        assert_true(search_of(&s)->mirror.newer == (step > 2));
        if (step != 4)
            for (int i = 0; i < 2; i++) KIT_OK(s.k.context, fracas_scene_advance(s.k.scene[i]));
    }
    // The graph is captured again where lists grow.
    assert_true(frc_device_captures(search_of(&s)->device) - captures <= 4);
    require_positions(&s);
    assert_true(scene->posed_bodies.count == 0 && !search_of(&s)->mirror.newer);
    // Without a pose or a read in between nothing is copied.
    detect(&s, 0);
    detect(&s, 0);
    assert_true(cuda_kit_statistics(&s.k).uploaded_bytes == 0);
    cuda_kit_close(&s.k);
}

// Poses that the host has not applied survive that all points are copied: the deforming bodies are
// most of the points, and the host moves them.
static void all_points(void** state) {
    (void)state;
    static stage s;
    open_stage(&s, 1);
    for (uint32_t b = 1; b < RIGID; b++)
        for (int i = 0; i < 2; i++)
            KIT_OK(s.k.context, fracas_scene_remove(s.k.scene[i], s.body[b]));
    detect(&s, 0);
    pose_both(&s, 0);
    detect(&s, 0);
    for (int i = 0; i < 2; i++) KIT_OK(s.k.context, fracas_scene_advance(s.k.scene[i]));
    detect(&s, 0);
    for (uint32_t b = RIGID; b < BODIES; b++) move_both(&s, b, false);
    detect(&s, 0);
    assert_true(s.k.scene[1]->posed_bodies.count == 1);
    pose_both(&s, 0);
    for (uint32_t b = RIGID; b < BODIES; b++) move_both(&s, b, false);
    detect(&s, 0);
    require_body(&s, s.body[0]);
    cuda_kit_close(&s.k);
}

// ---- bodies that break

static void broken_bodies(void** state) {
    (void)state;
    static stage s;
    uint32_t labels[2 * SIDE * SIDE] = {0};
    fracas_body parts[2] = {{0}};
    open_stage(&s, 2);
    for (int i = 0; i < SIDE * SIDE; i++) labels[i] = 1;
    pose_both(&s, 0);
    detect(&s, 0);
    for (int i = 0; i < 2; i++) {
        fracas_split_plan* plan;
        KIT_OK(s.k.context,
               fracas_split_plan_create(s.k.scene[i], s.body[0], labels, 2 * SIDE * SIDE, &plan));
        KIT_OK(s.k.context, fracas_scene_split(s.k.scene[i], s.body[0],
                                               fracas_split_plan_get_split(plan), &parts[0]));
        fracas_split_plan_destroy(plan);
    }
    parts[1] = s.body[0];
    for (int step = 0; step < 4; step++) {
        const fracas_pose pose[2] = {random_pose(&s), random_pose(&s)};
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < 2; i++)
                KIT_OK(s.k.context,
                       fracas_scene_pose(s.k.scene[i], parts[p], &pose[p * (step < 3)], &pose[1]));
        detect(&s, 0);
        if (step == 1)
            for (int p = 0; p < 2; p++) require_body(&s, parts[p]);
        for (int i = 0; i < 2 && step < 3; i++)
            KIT_OK(s.k.context, fracas_scene_advance(s.k.scene[i]));
    }
    for (int i = 0; i < 2; i++)
        KIT_OK(s.k.context, fracas_scene_merge(s.k.scene[i], parts, 2, NULL, &s.body[0]));
    pose_both(&s, 0);
    detect(&s, 0);
    require_positions(&s);
    assert_true(s.contacts > 100);
    cuda_kit_close(&s.k);
}

// Kept candidates are decided at the positions of poses that the host has not applied, or that are
// newer on the device.
static void kept_candidates(void** state) {
    (void)state;
    static stage s;
    fracas_candidates* candidates[2];
    open_stage(&s, 2);
    const fracas_pose from = random_pose(&s), to = random_pose(&s);
    fracas_pose between = to;
    for (int k = 0; k < 3; k++) between.translation[k] += 0.01 * k;
    for (int i = 0; i < 2; i++)
        KIT_OK(s.k.context, fracas_scene_pose(s.k.scene[i], s.body[0], &from, &to));
    detect(&s, 0);
    for (int i = 0; i < 2; i++)
        KIT_OK(s.k.context, fracas_candidates_create(s.k.scene[i], 1, &candidates[i]));
    assert_int_equal(fracas_candidates_get_count(candidates[0]),
                     fracas_candidates_get_count(candidates[1]));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2; i++) {
            const fracas_sink sink = fracas_contacts_get_sink(s.k.found[i]);
            KIT_OK(s.k.context, fracas_scene_pose(s.k.scene[i], s.body[0], &from, &between));
            if (i == 1) assert_true(s.k.scene[1]->posed_bodies.count == 1);
            KIT_OK(s.k.context, fracas_candidates_detect(candidates[i], NULL, &sink));
        }
        assert_true(cuda_kit_require_same(s.k.found[0], s.k.found[1], "candidates") > 0);
        between.translation[0] -= 0.02;
        move_both(&s, RIGID, true);
        detect(&s, 0);
    }
    for (int i = 0; i < 2; i++) fracas_candidates_destroy(candidates[i]);
    cuda_kit_close(&s.k);
}

// ---- poses that overflow

// A new vertex is so far from the others that it alone overflows.
static void far_vertex(stage* s) {
    const double r = sqrt(0.5);
    const fracas_pose turned = {
        {r,  r, 0, -r, r, 0, 0, 0, 1},
        {0, 0, 0}
    };
    const fracas_pose identity = fracas_pose_make_identity();
    const fracas_new_vertex vertex = {
        .parent_a = FRACAS_NONE,
        .parent_b = FRACAS_NONE,
        .t0 = {1.5e308, 1.5e308, 0},
        .t1 = {1.5e308, 1.5e308, 0}
    };
    const uint32_t corners[3] = {0, 1, POINTS};
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = &vertex;
    split.new_triangles = corners;
    split.new_vertex_count = split.new_triangle_count = 1;
    for (int i = 0; i < 2; i++) {
        fracas_scene* scene = s->k.scene[i];
        KIT_OK(s->k.context, fracas_scene_pose(scene, s->body[2], &turned, &turned));
        KIT_OK(s->k.context, fracas_scene_pose(scene, s->body[2], &identity, &identity));
        KIT_OK(s->k.context, fracas_scene_split(scene, s->body[2], &split, NULL));
        KIT_REFUSED(s->k.context, fracas_scene_pose(scene, s->body[2], &turned, &turned),
                    FRACAS_ERROR_BAD_DATA, "puts vertex 49 of body 3");
    }
}

static void overflows(void** state) {
    (void)state;
    static stage s;
    open_stage(&s, 1);
    char message[2][400];
    fracas_pose good = random_pose(&s), far = good, bad = good;
    far.translation[1] = 1e308;  // finite, which only the points themselves show
    bad.rotation[0] = bad.rotation[1] = 1.5e308;
    detect(&s, 0);
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < 2; i++) {
            assert_int_equal(
                fracas_scene_pose(s.k.scene[i], s.body[1], end ? &good : &bad, end ? &bad : &good),
                FRACAS_ERROR_BAD_DATA);
            fracas_context_get_message(s.k.context, message[i], sizeof message[i]);
        }
        assert_string_equal(message[0], message[1]);
        assert_non_null(strstr(message[0], end ? "the pose at t1 puts vertex" : "the pose at t0"));
    }
    assert_true(s.k.scene[1]->posed_bodies.count == 0 && s.k.scene[1]->updated);
    for (int i = 0; i < 2; i++)
        KIT_OK(s.k.context, fracas_scene_pose(s.k.scene[i], s.body[1], &good, &far));
    detect(&s, 0);
    require_positions(&s);
    far_vertex(&s);
    cuda_kit_close(&s.k);
}

// ---- memory

// A step fails at each allocation in turn; the next query and reads give the same as on the CPU.
static void without_memory(void** state) {
    (void)state;
    static stage s;
    test_allocator memory = {0};
    for (size_t n = 1, done = 0; !done; n++) {
        memset(&s, 0, sizeof s);
        s.random = 3 + n;
        s.k.context = kit_context(1, &memory);
        KIT_OK(s.k.context, fracas_cuda_context_create(s.k.context, NULL, &s.k.cuda));
        KIT_OK(s.k.context, fracas_scene_create(s.k.context, NULL, &s.k.scene[0]));
        KIT_OK(s.k.context, fracas_cuda_scene_create(s.k.cuda, NULL, &s.k.scene[1]));
        for (int i = 0; i < 2; i++)
            KIT_OK(s.k.context, fracas_contacts_create(s.k.context, &s.k.found[i]));
        for (uint32_t b = 0; b < BODIES; b++) add_body(&s, b);
        if (n % 2) detect(&s, 0);
        const fracas_pose ends[2] = {random_pose(&s), random_pose(&s)};
        const fracas_sink sink = fracas_contacts_get_sink(s.k.found[1]);
        KIT_OK(s.k.context, fracas_scene_pose(s.k.scene[0], s.body[1], &ends[0], &ends[1]));
        test_allocator_fail_at(&memory, n);
        fracas_status status = fracas_scene_pose(s.k.scene[1], s.body[1], &ends[0], &ends[1]);
        assert_int_equal(status, FRACAS_OK);  // it needs no memory
        status = fracas_scene_update(s.k.scene[1]);
        if (status == FRACAS_OK) status = fracas_scene_detect(s.k.scene[1], NULL, &sink);
        double at[2][3];
        if (status == FRACAS_OK)
            status = fracas_scene_get_vertex(s.k.scene[1], s.body[1], 0, at[0], at[1]);
        done = n > atomic_load(&memory.calls);
        test_allocator_fail_at(&memory, 0);
        assert_true(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY);
        assert_true(status == FRACAS_OK || !done);
        pose_both(&s, 2);
        detect(&s, 0);
        require_positions(&s);
        cuda_kit_close(&s.k);
        assert_true(memory.live == 0 && memory.blocks == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),           cmocka_unit_test(copies),
        cmocka_unit_test(all_points),      cmocka_unit_test(broken_bodies),
        cmocka_unit_test(kept_candidates), cmocka_unit_test(overflows),
        cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
