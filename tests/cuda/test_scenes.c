// Built-in scenes over their edits, random soups and folded sheets: a scene on an emulated device
// finds the contacts of a scene on the CPU, bit for bit.
#include "common_kit.h"
#include "cuda/stage_times.h"
#include "cuda_kit.h"
#include "fracas/candidates.h"
#include "fracas/stream.h"
#include "scene_kit.h"
#include "scenes.h"
#include "share.h"

// ---- built-in scenes

typedef struct small {
    const char* name;
    uint32_t size, frames;
} small;

static const small scenes[] = {
    {"breaking-walls",   1,   16},
    {"cloth-ball",       600, 50},
    {"exploding-dragon", 600, 36},
    {"n-body",           600, 60},
    {"merge",            400, 60},
    {"pulling-apart",    300, 30}
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

// The device decides all pairs of a query of one mode, also after a crack.
static void detect_on_device(cuda_kit* k, fracas_query* query, const char* name) {
    static const uint32_t modes[2] = {FRACAS_MODE_DISCRETE, FRACAS_MODE_CONTINUOUS};
    for (int i = 0; i < 2; i++) {
        query->modes = modes[i];
        cuda_kit_detect(k, query, name);
        assert_true(cuda_kit_statistics(k).decided_on_host == 0);
    }
}

// Both scenes make the same steps: the solver gets the contacts of the scene on the CPU.
static void run_scene(const small* s) {
    cuda_kit k = cuda_kit_open(2);
    const scenes_scene* what = scenes_find(s->name);
    const scenes_options options = {.size = s->size};
    fracas_query query = fracas_scene_default_query();
    void* run[2];
    uint64_t edits;
    assert_non_null(what);
    for (int i = 0; i < 2; i++) KIT_OK(k.context, what->create(k.scene[i], &options, &run[i]));
    for (uint32_t frame = 0; frame < s->frames; frame++) {
        size_t count;
        const fracas_contact* found = fracas_contacts_get_data(k.found[0], &count);
        for (int i = 0; i < 2; i++) {
            KIT_OK(k.context, fracas_scene_advance(k.scene[i]));
            KIT_OK(k.context, what->step(run[i], found, count, &edits));
        }
        query.siblings = (fracas_siblings)(frame / 2 % 3);
        if (frame % 2) detect_on_device(&k, &query, s->name);
        query.modes = FRACAS_MODE_CONTINUOUS;
        query.siblings = FRACAS_SIBLINGS_UNTIL_SEPARATED;
        cuda_kit_detect(&k, &query, s->name);
    }
    assert_true(k.contacts > 0);
    for (int i = 0; i < 2; i++) what->destroy(run[i]);
    cuda_kit_close(&k);
}

static void built_in_scenes(void** state) {
    (void)state;
    for (uint32_t i = 0; i < share_of(SCENES); i++) run_scene(&scenes[i]);
}

// ---- meshes

enum { TRIANGLES = 700, SIDE = 20, POINTS = (SIDE + 1) * (SIDE + 1) };

static void add_both(cuda_kit* k, const fracas_mesh_view* mesh, const fracas_body_options* options,
                     fracas_body* out) {
    for (int i = 0; i < 2; i++)
        KIT_OK(k->context, fracas_scene_add(k->scene[i], mesh, options, out));
}

static void move_both(cuda_kit* k, fracas_body body, const double (*points)[3], uint32_t count) {
    const fracas_points view = {.data = points, .count = count};
    for (int i = 0; i < 2; i++) KIT_OK(k->context, fracas_scene_move(k->scene[i], body, &view));
}

// Triangles that fly in all directions; coordinates are multiples of `grid`, if that is not 0.
static void add_soup(cuda_kit* k, uint64_t seed, double grid) {
    static double points[2][3 * TRIANGLES][3];
    static uint32_t corners[TRIANGLES][3];
    uint64_t random = seed;
    for (uint32_t i = 0; i < TRIANGLES; i++)
        for (uint32_t c = 0; c < 3; c++) {
            corners[i][c] = 3 * i + c;
            for (int axis = 0; axis < 3; axis++)
                for (int e = 0; e < 2; e++) {
                    double x = c ? points[e][3 * i][axis] + kit_uniform(&random, -1, 1)
                                 : (e ? points[0][3 * i][axis] + kit_uniform(&random, -2, 2)
                                      : kit_uniform(&random, 0, 12));
                    if (grid > 0) x = grid * (double)(int64_t)(x / grid);
                    points[e][3 * i + c][axis] = x;
                }
        }
    fracas_body body;
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points[0], 3 * TRIANGLES,
                                           (const uint32_t(*)[3])corners, TRIANGLES);
    add_both(k, &mesh, NULL, &body);
    move_both(k, body, (const double(*)[3])points[1], 3 * TRIANGLES);
}

static void soup(uint64_t seed, double grid) {
    cuda_kit k = cuda_kit_open(1);
    add_soup(&k, seed, grid);
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    assert_true(cuda_kit_detect(&k, &query, "soup") > 100);
    const fracas_cuda_statistics s = cuda_kit_statistics(&k);
    assert_true(s.hits > 100 && s.repeats > 0 && s.device_bytes > 0);
    // Coordinates on a grid meet exactly at corners and in planes.
    if (grid > 0) assert_true(s.undecided_roots > 0);
    query.modes = FRACAS_MODE_CONTINUOUS;
    query.tolerance = 1e-12;
    query.t_max = 0.4;
    cuda_kit_detect(&k, &query, "soup, to 0.4");
    query.min_separation = 0.01;
    query.tolerance = 1e-6;
    cuda_kit_detect(&k, &query, "soup, separation");
    const fracas_cuda_statistics near = cuda_kit_statistics(&k);
    // Features that touch at the start on a grid have a distance of 0. On a GPU the search for a
    // distance is less deep, so that the host decides more.
    const uint64_t least = !cuda_kit_is_emulated(&k) ? 2 : grid > 0 ? 4 : 20;
    assert_true(near.hits > 100);
    if (least * near.decided_on_host >= near.hits)
        fail_msg("grid %g: the host decides %llu pairs, there are %llu hits", grid,
                 (unsigned long long)near.decided_on_host, (unsigned long long)near.hits);
    cuda_kit_close(&k);
}

static void soups(void** state) {
    (void)state;
    for (uint32_t i = 0; i < share_of(4); i++) soup(11 + i, 0);
    for (uint32_t i = 0; i < share_of(4); i++) soup(23 + i, 0.25);
}

// A sheet that is folded over itself, several layers close together, and a second body through it.
static void folded_sheet(void** state) {
    static double points[2][POINTS][3];
    static uint32_t corners[2 * SIDE * SIDE][3];
    (void)state;
    cuda_kit k = cuda_kit_open(2);
    kit_sheet(SIDE, corners);
    for (uint32_t v = 0; v < POINTS; v++) {
        const uint32_t i = v % (SIDE + 1), j = v / (SIDE + 1), part = i % 10;
        const double back = i / 10 % 2 ? 5 - 0.5 * part : 0.5 * part;
        const double start[3] = {back, 0.5 * j, 0.3 * (i / 10) + 0.02 * part};
        const double end[3] = {back + 0.01 * j, 0.5 * j, -0.2 * (i / 10) + 0.02 * part};
        memcpy(points[0][v], start, sizeof start);
        memcpy(points[1][v], end, sizeof end);
    }
    fracas_body body[2];
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points[0], POINTS,
                                           (const uint32_t(*)[3])corners, 2 * SIDE * SIDE);
    fracas_body_options options = fracas_body_default_options();
    add_both(&k, &mesh, &options, &body[0]);
    options.self_collision = false;
    options.group = 2;
    add_both(&k, &mesh, &options, &body[1]);
    move_both(&k, body[0], (const double(*)[3])points[1], POINTS);
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    assert_true(cuda_kit_detect(&k, &query, "folded sheets") > 100);
    query.first = true;
    cuda_kit_detect(&k, &query, "the first contact");
    double step[2];
    for (int i = 0; i < 2; i++)
        KIT_OK(k.context, fracas_scene_max_step(k.scene[i], NULL, &step[i]));
    assert_true(step[0] == step[1]);
    for (int i = 0; i < 2; i++) {
        const fracas_sink sink = fracas_contacts_get_sink(k.found[i]);
        KIT_OK(k.context, fracas_scene_nearby(k.scene[i], 0.1, &sink));
    }
    assert_true(cuda_kit_require_same(k.found[0], k.found[1], "nearby") > 100);
    const fracas_cuda_statistics near = cuda_kit_statistics(&k);
    assert_true(near.hits > 1000 && 5 * near.decided_on_host < near.hits);
    cuda_kit_close(&k);
}

// ---- limits, blocks and candidates

typedef struct kept {
    fracas_contact* data;
    size_t count, blocks, stop_after;
} kept;

static bool keep_block(const fracas_contact_block* b, void* user) {
    kept* k = user;
    k->data = realloc(k->data, (k->count + b->count) * sizeof *k->data);
    assert_non_null(k->data);
    for (uint32_t r = 0; r < b->run_count; r++) {
        const fracas_contact_run* run = &b->runs[r];
        for (uint32_t i = run->first; i < run->first + run->count; i++) {
            fracas_contact* c = &k->data[k->count++];
            memset(c, 0, sizeof *c);
            c->kind = run->kind;
            c->body_a = run->body_a, c->body_b = run->body_b;
            memcpy(c->a, b->records[i].a, sizeof c->a);
            memcpy(c->b, b->records[i].b, sizeof c->b);
            c->toi = b->toi[i];
        }
    }
    k->blocks++;
    return k->blocks != k->stop_after;
}

static kept stream_of(const cuda_kit* k, int side, const fracas_query* query, double distance,
                      uint32_t block_contacts, size_t stop_after, fracas_statistics* statistics) {
    kept out = {.stop_after = stop_after};
    fracas_stream stream = fracas_scene_default_stream();
    stream.block_contacts = block_contacts;
    stream.values = FRACAS_RECORD_TOI;
    stream.report = keep_block;
    stream.user = &out;
    stream.statistics = statistics;
    KIT_OK(k->context, distance < 0
                           ? fracas_scene_stream(k->scene[side], query, &stream)
                           : fracas_scene_stream_nearby(k->scene[side], distance, &stream));
    return out;
}

// A stream of the device, in blocks of any size, is that of the CPU in one block.
static void require_stream(const cuda_kit* k, const fracas_query* query, double distance) {
    static const uint32_t sizes[] = {1 << 16, 100, 7};
    fracas_statistics statistics[2];
    const kept cpu = stream_of(k, 0, query, distance, 1 << 16, 0, &statistics[0]);
    if (cpu.count <= 50 || cpu.count >= 1 << 16) fail_msg("%zu contacts", cpu.count);
    for (int i = 0; i < 3; i++) {
        const kept device = stream_of(k, 1, query, distance, sizes[i], 0, &statistics[1]);
        assert_int_equal(device.count, cpu.count);
        assert_memory_equal(device.data, cpu.data, cpu.count * sizeof *cpu.data);
        // Discrete contacts are in blocks of their own.
        const size_t least = (cpu.count + sizes[i] - 1) / sizes[i];
        assert_true(device.blocks == least || device.blocks == least + 1);
        if (i == 0) assert_int_equal(device.blocks, cpu.blocks);
        assert_memory_equal(statistics[0].contacts, statistics[1].contacts,
                            sizeof statistics[0].contacts);
        assert_int_equal(statistics[0].limit_reached, statistics[1].limit_reached);
        assert_memory_equal(&statistics[0].earliest_toi, &statistics[1].earliest_toi,
                            sizeof(double));
        free(device.data);
    }
    const kept stopped = stream_of(k, 1, query, distance, 10, 3, &statistics[1]);
    assert_int_equal(stopped.count, 30);
    free(stopped.data);
    free(cpu.data);
}

static void require_candidates(const cuda_kit* k, double distance) {
    fracas_candidates* kept_candidates[2];
    double step[2];
    for (int i = 0; i < 2; i++) {
        const fracas_sink sink = fracas_contacts_get_sink(k->found[i]);
        KIT_OK(k->context, fracas_scene_candidates(k->scene[i], distance, &sink));
    }
    const size_t count = cuda_kit_require_same(k->found[0], k->found[1], "candidates");
    assert_true(count > 1000);
    for (int i = 0; i < 2; i++) {
        const fracas_sink sink = fracas_contacts_get_sink(k->found[i]);
        fracas_candidates** c = &kept_candidates[i];
        KIT_OK(k->context, fracas_candidates_create(k->scene[i], distance, c));
        assert_int_equal(fracas_candidates_get_count(*c), count);
        KIT_OK(k->context, fracas_candidates_detect(*c, NULL, &sink));
        KIT_OK(k->context, fracas_candidates_max_step(*c, NULL, &step[i]));
        fracas_candidates_destroy(*c);
    }
    assert_true(cuda_kit_require_same(k->found[0], k->found[1], "decided candidates") > 50);
    assert_true(step[0] == step[1] && step[0] < 1);
}

static void limits_and_blocks(void** state) {
    (void)state;
    cuda_kit k = cuda_kit_open(2);
    add_soup(&k, 5, 0);
    for (int modes = FRACAS_MODE_DISCRETE; modes <= FRACAS_MODE_BOTH; modes++) {
        fracas_query query = fracas_scene_default_query();
        query.modes = (uint32_t)modes;
        const size_t all = cuda_kit_detect(&k, &query, "no limit");
        const uint64_t limits[] = {1, 20, all / 2, all - 1, all, all + 1};
        require_stream(&k, &query, -1);
        for (int i = 0; i < 6; i++) {
            query.max_contacts = limits[i];
            const size_t count = cuda_kit_detect(&k, &query, "a limit");
            assert_int_equal(count, limits[i] < all ? limits[i] : all);
            for (int side = 0; side < 2; side++) {
                const fracas_sink sink = fracas_contacts_get_sink(k.found[side]);
                KIT_OK(k.context, fracas_scene_detect(k.scene[side], &query, &sink));
            }
            const fracas_statistics *a = fracas_contacts_get_statistics(k.found[0]),
                                    *b = fracas_contacts_get_statistics(k.found[1]);
            assert_int_equal(b->limit_reached, limits[i] < all);
            assert_memory_equal(a->contacts, b->contacts, sizeof a->contacts);
            assert_memory_equal(&a->earliest_toi, &b->earliest_toi, sizeof(double));
            if (limits[i] > 60) require_stream(&k, &query, -1);
        }
    }
    require_stream(&k, NULL, 0.1);
    require_candidates(&k, 0);
    require_candidates(&k, 0.01);
    cuda_kit_close(&k);
}

// Stages run once more, each by itself: those of the query, with the lists of the query.
static void stage_times(void** state) {
    static double points[POINTS][3];
    static uint32_t corners[2 * SIDE * SIDE][3];
    static frc_stage_time times[FRC_MOST_STAGE_TIMES];
    (void)state;
    uint32_t count;
    cuda_kit k = cuda_kit_open(1);
    kit_sheet(SIDE, corners);
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, POINTS,
                                           (const uint32_t(*)[3])corners, 2 * SIDE * SIDE);
    fracas_query query = fracas_scene_default_query();
    fracas_body body;
    for (int i = 0; i < 2; i++) {
        for (uint32_t v = 0; v < POINTS; v++) {
            points[v][0] = v % (SIDE + 1) + 0.3 * i;
            points[v][1] = v / (SIDE + 1) + 0.1 * i;
            points[v][2] = (v * 7 % 5) * 0.1;
        }
        add_both(&k, &mesh, NULL, &body);
    }
    KIT_REFUSED(k.context, frc_cuda_time_stages(k.scene[1], times, &count),
                FRACAS_ERROR_INVALID_ARGUMENT, "fracas_scene_update");
    KIT_OK(k.context, fracas_scene_update(k.scene[1]));
    KIT_OK(k.context, frc_cuda_time_stages(k.scene[1], times, &count));
    assert_int_equal(count, 0);
    query.modes = FRACAS_MODE_BOTH;
    cuda_kit_detect(&k, &query, "before stages are measured");
    const fracas_cuda_statistics before = cuda_kit_statistics(&k);
    KIT_OK(k.context, frc_cuda_time_stages(k.scene[1], times, &count));
    double us[6] = {0};
    for (uint32_t i = 0; i < count; i++) {
        assert_true(times[i].us >= 0);
        if (i > 0 && times[i].kind == times[i - 1].kind)
            assert_string_not_equal(times[i].stage, times[i - 1].stage);
        else
            assert_string_equal(times[i].stage, "boxes");
        us[times[i].kind] += times[i].us;
    }
    assert_true(us[FRACAS_CONTACT_VF] > 0 && us[FRACAS_CONTACT_EE] > 0);
    assert_true(us[FRACAS_CONTACT_TT] > 0 && us[FRACAS_CONTACT_ET] == 0);
    cuda_kit_detect(&k, &query, "after stages were measured");
    assert_true(cuda_kit_statistics(&k).hits == before.hits && k.contacts > 100);
    KIT_REFUSED(k.context, frc_cuda_time_stages(k.scene[0], times, &count),
                FRACAS_ERROR_INVALID_ARGUMENT, "not on a device");
    assert_int_equal(count, 0);
    cuda_kit_close(&k);
}

// One axis spans more bits than the device has room for: the host decides.
static void deep_pairs(void** state) {
    static const double start[6][3] = {
        {0x1p-400, 0,        0x1p-900 },
        {1,        0x1p-300, 0x1p-900 },
        {0,        1,        0x1p-900 },
        {0,        0,        0x1p-1000},
        {1,        0,        0x1p-1000},
        {0x1p-350, 1,        0x1p-1000}
    };
    static const uint32_t corners[2][3] = {
        {0, 1, 2},
        {3, 4, 5}
    };
    (void)state;
    cuda_kit k = cuda_kit_open(1);
    double end[6][3];
    fracas_body body;
    const fracas_mesh_view mesh = kit_mesh(start, 6, corners, 2);
    memcpy(end, start, sizeof end);
    for (int i = 0; i < 3; i++) end[i][2] = 0;
    add_both(&k, &mesh, NULL, &body);
    move_both(&k, body, (const double(*)[3])end, 6);
    fracas_query query = fracas_scene_default_query();
    assert_true(cuda_kit_detect(&k, &query, "deep") > 0);
    assert_true(cuda_kit_statistics(&k).decided_on_host > 0);
    // In one plane at the end.
    for (int i = 3; i < 6; i++) end[i][2] = 0;
    move_both(&k, body, (const double(*)[3])end, 6);
    query.modes = FRACAS_MODE_DISCRETE;
    assert_true(cuda_kit_detect(&k, &query, "deep, at the end") > 0);
    assert_true(cuda_kit_statistics(&k).decided_on_host > 0);
    cuda_kit_close(&k);
}

// Three vertices pass through a stack of triangles: contacts that differ only in their last number.
// Their bins are too full, because other numbers of vertices, which are not used, are many.
static void crowded_bins(void** state) {
    enum { LAYERS = 1500, UNUSED = 9000 };
    static double points[UNUSED][3], layers[3 * LAYERS][3], end[UNUSED][3];
    static uint32_t corners[LAYERS][3];
    static const uint32_t moving[1][3] = {
        {0, 1, 2}
    };
    (void)state;
    cuda_kit k = cuda_kit_open(2);
    fracas_body body;
    memset(points, 0, sizeof points);
    for (int i = 0; i < 3; i++) points[i][0] = 0.1 * i, points[i][1] = 0.1 * (i % 2);
    memcpy(end, points, sizeof end);
    for (int i = 0; i < 3; i++) end[i][2] = 2;
    for (uint32_t t = 0; t < LAYERS; t++)
        for (uint32_t c = 0; c < 3; c++) {
            double* p = layers[3 * t + c];
            corners[t][c] = 3 * t + c;
            p[0] = c == 1 ? 9 : -4, p[1] = c == 2 ? 9 : -4, p[2] = 0.1 + 0.001 * t;
        }
    const fracas_mesh_view a = kit_mesh((const double(*)[3])points, UNUSED, moving, 1);
    const fracas_mesh_view b =
        kit_mesh((const double(*)[3])layers, 3 * LAYERS, (const uint32_t(*)[3])corners, LAYERS);
    fracas_body_options options = fracas_body_default_options();
    options.self_collision = false;
    add_both(&k, &b, &options, &body);
    add_both(&k, &a, &options, &body);
    move_both(&k, body, (const double(*)[3])end, UNUSED);
    const fracas_query query = fracas_scene_default_query();
    assert_true(cuda_kit_detect(&k, &query, "crowded bins") >= 3 * LAYERS);
    assert_true(cuda_kit_statistics(&k).unordered == 1);
    cuda_kit_close(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_pairs),     cmocka_unit_test(soups),
        cmocka_unit_test(folded_sheet),   cmocka_unit_test(crowded_bins),
        cmocka_unit_test(stage_times),    cmocka_unit_test(limits_and_blocks),
        cmocka_unit_test(built_in_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
