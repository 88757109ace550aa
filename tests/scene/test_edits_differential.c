// Random edits of bodies of up to thousands of triangles on two scenes: one has trees, certificates
// and rebuilds; the other uses spatial hashing, computed from scratch in each query, and keeps no
// data between frames. FRACAS_FUZZ_SEED is the first seed, FRACAS_FUZZ_STEPS the total number of
// steps.
#include "fracas/published.h"
#include "scene_kit.h"
#include "test_allocator.h"
#include <math.h>
#include <stdlib.h>

enum { BODIES = 24, SIDE = 64, NUMBERS = 1 << 15, RUN = 60 };

typedef struct scene_pair {
    uint64_t seed, state, step;
    test_allocator memory;
    kit kits[2];  // trees, spatial hashing
    fracas_contacts* found[2];
    fracas_body bodies[BODIES];
    uint32_t count;
    uint64_t contacts, certified, refused, splits;
    double (*points)[3];
    uint32_t* labels;
} scene_pair;

static uint32_t pick(scene_pair* t, uint32_t below) {
    t->state ^= t->state << 13;
    t->state ^= t->state >> 7;
    t->state ^= t->state << 17;
    return (uint32_t)((t->state * 0x2545F4914F6CDD1Du) >> 33) % below;
}

static double between(scene_pair* t, double low, double high) {
    return low + (high - low) * (double)pick(t, 1 << 20) / (1 << 20);
}

#define REQUIRE(t, holds)                                                                          \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fail_msg("seed %llu, step %llu: " #holds, (unsigned long long)(t)->seed,               \
                     (unsigned long long)(t)->step);                                               \
    } while (0)

// The same call for both scenes. That of the first sometimes fails by a failed allocation, and is
// then repeated.
#define CALL_BOTH(t, status, call)                                                                 \
    for (int s_ = 1; s_ >= 0; s_--) {                                                              \
        const kit* k = &(t)->kits[s_];                                                             \
        test_allocator_fail_at(&(t)->memory, s_ == 0 && pick(t, 4) == 0 ? 1 + pick(t, 40) : 0);    \
        (status) = (call);                                                                         \
        test_allocator_fail_at(&(t)->memory, 0);                                                   \
        if ((status) == FRACAS_ERROR_OUT_OF_MEMORY) {                                              \
            (t)->refused++;                                                                        \
            (status) = (call);                                                                     \
        }                                                                                          \
        REQUIRE(t, (status) != FRACAS_ERROR_OUT_OF_MEMORY);                                        \
    }

// ---- bodies

// A sheet, or a sheet bent into a closed tube, or a ball with two holes.
static void shape(scene_pair* t, uint32_t side, double size, double (*points)[3]) {
    const double tau = 6.283185307179586;
    const uint32_t kind = pick(t, 3);
    const double at[3] = {between(t, 0, 2), between(t, 0, 2), between(t, 0, 2)};
    const double wave = between(t, 0, 0.1);
    for (uint32_t i = 0; i <= side; i++)
        for (uint32_t j = 0; j <= side; j++) {
            const double u = (double)i / side, v = (double)j / side;
            double* p = points[i * (side + 1) + j];
            const double r = kind == 2 ? sin(0.5 * tau * (0.02 + 0.96 * v)) : 1;
            p[0] = kind == 0 ? u : r * cos(tau * u) / 3;
            p[1] = kind == 0 ? v : r * sin(tau * u) / 3;
            p[2] = kind == 0   ? wave * sin(tau * (2 * u + v))
                   : kind == 1 ? v
                               : cos(0.5 * tau * v) / 3;
            for (int k = 0; k < 3; k++) p[k] = at[k] + size * p[k];
        }
}

static void add(scene_pair* t) {
    static uint32_t corners[2 * SIDE * SIDE][3];
    if (t->count >= BODIES / 2) return;
    const uint32_t side = 2 + pick(t, pick(t, 3) ? 16 : SIDE - 2);
    shape(t, side, between(t, 0.3, 2), t->points);
    kit_sheet(side, corners);
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])t->points, (side + 1) * (side + 1),
                                           (const uint32_t(*)[3])corners, 2 * side * side);
    fracas_body_options options = fracas_body_default_options();
    options.motion = pick(t, 4) ? FRACAS_MOTION_DEFORMING : FRACAS_MOTION_RIGID;
    options.self_collision = pick(t, 5) > 0;
    fracas_body body[2];
    fracas_status status;
    CALL_BOTH(t, status, fracas_scene_add(k->scene, &mesh, &options, &body[s_]));
    REQUIRE(t, status == FRACAS_OK && kit_same_body(body[0], body[1]));
    t->bodies[t->count++] = body[0];
}

static void drop_from_list(scene_pair* t, uint32_t i) { t->bodies[i] = t->bodies[--t->count]; }

static void remove_one(scene_pair* t) {
    const uint32_t i = pick(t, t->count);
    fracas_status status;
    CALL_BOTH(t, status, fracas_scene_remove(k->scene, t->bodies[i]));
    REQUIRE(t, status == FRACAS_OK);
    drop_from_list(t, i);
}

// ---- moves

static bool place_of(const scene_pair* t, fracas_body body, uint32_t vertex, double at[2][3]) {
    return fracas_scene_get_vertex(t->kits[0].scene, body, vertex, at[0], at[1]) == FRACAS_OK;
}

static fracas_pose turn(scene_pair* t) {
    fracas_pose p = fracas_pose_make_identity();
    const double a = between(t, -1, 1), c = cos(a), s = sin(a);
    const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    memcpy(p.rotation, rotation, sizeof rotation);
    for (int k = 0; k < 3; k++) p.translation[k] = between(t, -0.5, 0.5);
    return p;
}

// A rotation about a centre that decreases with the distance: neighbouring points separate.
static void swirl(const double centre[3], double d, double by, double p[3]) {
    const double a = by / (0.2 + d), c = cos(a), s = sin(a), x = p[0] - centre[0],
                 y = p[1] - centre[1];
    p[0] = centre[0] + c * x - s * y;
    p[1] = centre[1] + s * x + c * y;
}

// A wave, a dent, an independent displacement of every point, a swirl, or no motion.
static void deform(scene_pair* t, fracas_body body, uint32_t count, double (*out)[3]) {
    const uint32_t how = pick(t, 6);
    double by[3], at[2][3], centre[3] = {0};
    const double high = between(t, 0, 0.05), often = between(t, 1, 20),
                 reach = between(t, 0.05, 0.6);
    for (int k = 0; k < 3; k++) by[k] = between(t, -0.1, 0.1);
    if (place_of(t, body, pick(t, count), at)) memcpy(centre, at[1], sizeof centre);
    for (uint32_t v = 0; v < count; v++) {
        const bool there = place_of(t, body, v, at);
        const double d =
            hypot(hypot(at[0][0] - centre[0], at[0][1] - centre[1]), at[0][2] - centre[2]);
        for (int k = 0; k < 3; k++) {
            double x = at[0][k];
            if (how < 2) x += by[k] + high * sin(often * (at[0][(k + 1) % 3] + by[k]));
            if (how == 2 && d < reach) x += 3 * by[k] * (1 - d / reach);
            if (how == 3) x += between(t, -0.02, 0.02);
            out[v][k] = there ? x : NAN;
        }
        if (how == 4) swirl(centre, d, 10 * by[0], out[v]);
    }
}

static fracas_move motion_of(scene_pair* t, fracas_body body, double (*positions)[3]) {
    const fracas_body_info info = kit_info(&t->kits[0], body);
    const fracas_pose start = turn(t), end = turn(t);
    fracas_move m = {
        .body = body, .kind = FRACAS_MOVE_POSE, .poses = {start, end}
    };
    if (info.motion == FRACAS_MOTION_DEFORMING) {
        deform(t, body, info.vertex_numbers, positions);
        m.kind = FRACAS_MOVE_POINTS;
        m.points_t1 = (fracas_points){.data = positions, .count = info.vertex_numbers};
    }
    const bool still = pick(t, 2);
    if (still && m.kind == FRACAS_MOVE_POSE) m.poses[1] = m.poses[0];
    return m;
}

static void move_one(scene_pair* t) {
    const fracas_move m = motion_of(t, t->bodies[pick(t, t->count)], t->points);
    fracas_status status;
    CALL_BOTH(t, status,
              m.kind == FRACAS_MOVE_POSE
                  ? fracas_scene_pose(k->scene, m.body, &m.poses[0], &m.poses[1])
                  : fracas_scene_move(k->scene, m.body, &m.points_t1));
    REQUIRE(t, status == FRACAS_OK);
}

static void move_many(scene_pair* t) {
    fracas_move moves[BODIES];
    uint32_t count = 0;
    size_t used = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t numbers = kit_info(&t->kits[0], t->bodies[i]).vertex_numbers;
        if (pick(t, 3) == 0 || used + numbers > NUMBERS) continue;
        moves[count++] = motion_of(t, t->bodies[i], t->points + used);
        used += numbers;
    }
    fracas_status status;
    CALL_BOTH(t, status, fracas_scene_move_many(k->scene, moves, count));
    REQUIRE(t, status == FRACAS_OK);
}

static void advance(scene_pair* t) {
    fracas_status status;
    CALL_BOTH(t, status, fracas_scene_advance(k->scene));
    REQUIRE(t, status == FRACAS_OK);
}

// ---- splits and merges

static bool corner_of(const scene_pair* t, fracas_body body, uint32_t triangle, double at[3]) {
    uint32_t corners[3];
    double place[2][3];
    if (fracas_scene_get_triangle(t->kits[0].scene, body, triangle, corners) != FRACAS_OK)
        return false;
    if (!place_of(t, body, corners[0], place)) return false;
    memcpy(at, place[1], 3 * sizeof *at);
    return true;
}

// Each triangle belongs to the nearest of several points; or triangles near one point are detached.
static void label(scene_pair* t, fracas_body body, uint32_t numbers, uint32_t parts) {
    double seeds[5][3], at[3];
    const double reach = pick(t, 2) ? INFINITY : between(t, 0.05, 0.5);
    for (uint32_t i = 0; i <= parts; i++)
        while (!corner_of(t, body, pick(t, numbers), seeds[i])) {}
    for (uint32_t i = 0; i < numbers; i++) {
        double nearest = INFINITY;
        t->labels[i] = 0;
        if (!corner_of(t, body, i, at)) continue;
        for (uint32_t s = 0; s <= parts; s++) {
            const double d =
                hypot(hypot(at[0] - seeds[s][0], at[1] - seeds[s][1]), at[2] - seeds[s][2]);
            if (d < nearest) nearest = d, t->labels[i] = d < reach ? s : 0;
        }
    }
}

static void split(scene_pair* t) {
    const fracas_body body = t->bodies[pick(t, t->count)];
    const fracas_body_info info = kit_info(&t->kits[0], body);
    const uint32_t parts = 1 + pick(t, 4);
    if (t->count + parts > BODIES || info.triangles == 0 || info.vertices > NUMBERS / 8) return;
    label(t, body, info.triangle_numbers, parts);
    fracas_split_plan* plan[2] = {NULL, NULL};
    fracas_body leaving[2][8];
    fracas_status status;
    CALL_BOTH(
        t, status,
        fracas_split_plan_create(k->scene, body, t->labels, info.triangle_numbers, &plan[s_]));
    if (status == FRACAS_OK) {  // default_value a label without triangles
        CALL_BOTH(
            t, status,
            fracas_scene_split(k->scene, body, fracas_split_plan_get_split(plan[s_]), leaving[s_]));
        REQUIRE(t, status == FRACAS_OK);
        const uint32_t count = fracas_split_plan_get_split(plan[0])->part_count;
        REQUIRE(t, memcmp(leaving[0], leaving[1], count * sizeof leaving[0][0]) == 0);
        for (uint32_t i = 0; i < count; i++) t->bodies[t->count++] = leaving[0][i];
        t->splits++;
    }
    for (int i = 0; i < 2; i++) fracas_split_plan_destroy(plan[i]);
}

// Reversed copies of some triangles, like crack faces.
static uint32_t back_of(scene_pair* t, fracas_body body, uint32_t numbers, uint32_t (*faces)[3]) {
    uint32_t count = 0;
    for (uint32_t n = pick(t, 12); n > 0; n--) {
        uint32_t corners[3];
        const fracas_scene* scene = t->kits[0].scene;
        if (fracas_scene_get_triangle(scene, body, pick(t, numbers), corners) != FRACAS_OK)
            continue;
        const uint32_t back[3] = {corners[0], corners[2], corners[1]};
        memcpy(faces[count++], back, sizeof back);
    }
    return count;
}

static void erode(scene_pair* t) {
    const fracas_body body = t->bodies[pick(t, t->count)];
    const uint32_t numbers = kit_info(&t->kits[0], body).triangle_numbers;
    fracas_split s = fracas_scene_default_split();
    uint32_t faces[12][3];
    double at[3];
    const uint32_t first = pick(t, numbers), most = 1 + pick(t, 200);
    if (pick(t, 3)) s.new_triangle_count = back_of(t, body, numbers, faces);
    for (uint32_t i = first; i < numbers && i < first + most && pick(t, 20); i++)
        if (corner_of(t, body, i, at)) t->labels[s.removed_triangle_count++] = i;
    s.removed_triangles = t->labels;
    s.new_triangles = faces[0];
    fracas_status status;
    CALL_BOTH(t, status, fracas_scene_split(k->scene, body, &s, NULL));
    REQUIRE(t, status == FRACAS_OK);
}

static void merge(scene_pair* t) {
    const uint32_t i = pick(t, t->count), j = pick(t, t->count);
    const fracas_body bodies[2] = {t->bodies[i], t->bodies[j]};
    const fracas_body_info a = kit_info(&t->kits[0], bodies[0]),
                           b = kit_info(&t->kits[0], bodies[1]);
    if (i == j || a.motion != FRACAS_MOTION_DEFORMING || b.motion != FRACAS_MOTION_DEFORMING ||
        a.vertex_numbers + b.vertex_numbers > NUMBERS / 4)
        return;
    fracas_weld_pair weld = {0, pick(t, a.vertex_numbers), 1, pick(t, b.vertex_numbers)};
    fracas_merge how = fracas_scene_default_merge();
    double at[2][3];
    how.welds = &weld;
    how.weld_count = pick(t, 2) && place_of(t, bodies[0], weld.vertex_a, at) &&
                     place_of(t, bodies[1], weld.vertex_b, at);
    fracas_body out;
    fracas_status status;
    CALL_BOTH(t, status, fracas_scene_merge(k->scene, bodies, 2, &how, &out));
    REQUIRE(t, status == FRACAS_OK);
    drop_from_list(t, j);
}

// ---- queries

static void update(scene_pair* t) {
    fracas_status status;
    CALL_BOTH(t, status, fracas_scene_update(k->scene));
    REQUIRE(t, status == FRACAS_OK);
}

static fracas_query any_query(scene_pair* t) {
    fracas_query q = fracas_scene_default_query();
    q.modes = 1 + pick(t, 3);
    q.siblings = (fracas_siblings)pick(t, 3);
    q.first = pick(t, 8) == 0;
    if (pick(t, 6) == 0) q.min_separation = 0.002;
    return q;
}

static bool same(const fracas_contact* a, const fracas_contact* b) {
    return a->kind == b->kind && kit_same_body(a->body_a, b->body_a) &&
           kit_same_body(a->body_b, b->body_b) && memcmp(a->a, b->a, sizeof a->a) == 0 &&
           memcmp(a->b, b->b, sizeof a->b) == 0 && memcmp(&a->toi, &b->toi, sizeof a->toi) == 0 &&
           a->u == b->u && a->v == b->v && memcmp(a->normal, b->normal, sizeof a->normal) == 0 &&
           a->distance == b->distance;
}

static void compare(scene_pair* t) {
    const fracas_query q = any_query(t);
    const bool near = pick(t, 8) == 0;
    double step[2];
    size_t count[2];
    fracas_status status;
    update(t);
    for (int s = 0; s < 2; s++) {
        const fracas_scene* scene = t->kits[s].scene;
        const fracas_sink sink = fracas_contacts_get_sink(t->found[s]);
        status =
            near ? fracas_scene_nearby(scene, 0.002, &sink) : fracas_scene_detect(scene, &q, &sink);
        REQUIRE(t, status == FRACAS_OK);
        REQUIRE(t, fracas_scene_max_step(scene, NULL, &step[s]) == FRACAS_OK);
    }
    const fracas_contact *a = fracas_contacts_get_data(t->found[0], &count[0]),
                         *b = fracas_contacts_get_data(t->found[1], &count[1]);
    if (count[0] != count[1])
        fail_msg("seed %llu, step %llu: %zu contacts by trees, %zu by cells",
                 (unsigned long long)t->seed, (unsigned long long)t->step, count[0], count[1]);
    for (size_t i = 0; i < count[0]; i++) REQUIRE(t, same(&a[i], &b[i]));
    REQUIRE(t, step[0] == step[1]);
    t->contacts += count[0];
    fracas_update_statistics update_statistics;
    REQUIRE(t,
            fracas_scene_get_update_statistics(t->kits[0].scene, &update_statistics) == FRACAS_OK);
    t->certified += update_statistics.cull_certified;
}

// Several frames without comparing contacts.
static void skip_frames(scene_pair* t) {
    for (uint32_t n = 1 + pick(t, 4); n > 0; n--) {
        const fracas_sink sink = fracas_contacts_get_sink(t->found[0]);
        move_many(t);
        update(t);
        REQUIRE(t, fracas_scene_detect(t->kits[0].scene, NULL, &sink) == FRACAS_OK);
        advance(t);
    }
}

// ---- runs

static void step(scene_pair* t) {
    const uint32_t what = pick(t, 20);
    if (t->count == 0 || what == 0)
        add(t);
    else if (what == 1 && t->count > 3)
        remove_one(t);
    else if (what < 6)
        move_one(t);
    else if (what == 6)
        move_many(t);
    else if (what == 7)
        skip_frames(t);
    else if (what < 11)
        advance(t);
    else if (what < 13)
        split(t);
    else if (what == 13)
        erode(t);
    else if (what == 14)
        merge(t);
    else if (what == 15)
        update(t);
    else
        compare(t);
    t->step++;
}

static void begin(scene_pair* t) {
    for (int s = 0; s < 2; s++) {
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = 1 + (s == 0 ? pick(t, 4) : 0);
        options.allocator =
            (fracas_allocator){test_allocator_allocate, test_allocator_release, &t->memory};
        assert_int_equal(fracas_context_create(&options, &t->kits[s].context), FRACAS_OK);
        fracas_published_scene_options how = fracas_published_scene_default_options();
        how.scene.modes = FRACAS_MODE_BOTH;
        if (pick(t, 4) == 0) how.scheduler = (fracas_published_scheduler)pick(t, 3);
        if (s == 1) how.broad = FRACAS_PUBLISHED_BROAD_HASH;
        how.builder = (fracas_published_builder)pick(t, 3);
        how.inherit = pick(t, 4) > 0;
        if (pick(t, 3) == 0) how.restructure = (fracas_published_restructure)pick(t, 4);
        how.metric = (fracas_published_metric)pick(t, 2);
        if (pick(t, 2)) how.restructure_share = 100;
        assert_int_equal(fracas_published_scene_create(t->kits[s].context, &how, &t->kits[s].scene),
                         FRACAS_OK);
        assert_int_equal(fracas_contacts_create(t->kits[s].context, &t->found[s]), FRACAS_OK);
    }
    for (int i = 0; i < 3; i++) add(t);
}

static void end(scene_pair* t) {
    for (int s = 0; s < 2; s++) {
        fracas_contacts_destroy(t->found[s]);
        kit_destroy(&t->kits[s]);
    }
    REQUIRE(t, atomic_load(&t->memory.live) == 0);
    t->count = 0;
}

static uint64_t setting(const char* name, uint64_t default_value) {
    const char* text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : default_value;
}

static void trees_and_spatial_hash_agree(void** state) {
    (void)state;
    scene_pair t = {.seed = setting("FRACAS_FUZZ_SEED", 1)};
    const uint64_t steps = setting("FRACAS_FUZZ_STEPS", 4 * RUN);
    t.points = malloc(NUMBERS * sizeof *t.points);
    t.labels = malloc(NUMBERS * sizeof *t.labels);
    assert_true(t.points && t.labels);
    for (uint64_t done = 0; done < steps; done += RUN, t.seed++) {
        t.state = t.seed * 0x9E3779B97F4A7C15u | 1;
        for (int i = 0; i < 8; i++) pick(&t, 2);
        begin(&t);
        for (t.step = 0; t.step < RUN;) step(&t);
        compare(&t);
        end(&t);
    }
    printf("%llu contacts, %llu certificates, %llu splits, %llu refused; next seed %llu\n",
           (unsigned long long)t.contacts, (unsigned long long)t.certified,
           (unsigned long long)t.splits, (unsigned long long)t.refused, (unsigned long long)t.seed);
    if (steps >= 4 * RUN)
        assert_true(t.contacts > 1000 && t.certified > 100 && t.splits > 5 && t.refused > 5);
    free(t.points);
    free(t.labels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_and_spatial_hash_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
