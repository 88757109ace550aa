// Positions and contacts in memory of the device: fracas_cuda_scene_move and
// fracas_cuda_scene_detect do what fracas_scene_move and fracas_scene_detect do on a scene on the
// CPU, between edits and moves of the host too. What they refuse; allocations that fail; two scenes
// in two threads.
#include "common_kit.h"
#include "cuda/search.h"
#include "cuda_kit.h"
#include "scene/scene.h"
#include "scene_kit.h"
#include "share.h"
#include <math.h>
#include <pthread.h>

enum { SIDE = 12, POINTS = (SIDE + 1) * (SIDE + 1), BODIES = 3, ROOM = 3 * POINTS * 16 };

// ---- memory of the device

static frc_device* device_of(const fracas_scene* scene) {
    return ((frc_cuda_search*)scene->search_data)->device;
}

// One body of the device scene: its positions in memory of the host, and room on the device.
typedef struct cloth {
    double points[POINTS][3];
    fracas_body body;
    void* device_memory;
} cloth;

typedef struct stage {
    cuda_kit k;
    cloth cloths[BODIES];
    uint64_t random, contacts;
} stage;

// How positions are given.
typedef struct layout {
    fracas_cuda_place place;
    fracas_scalar scalar;
    uint64_t stride, axis_stride;
} layout;

static const layout LAYOUTS[] = {
    {FRACAS_CUDA_ON_DEVICE, FRACAS_SCALAR_DOUBLE, 0,  0         },
    {FRACAS_CUDA_ON_HOST,   FRACAS_SCALAR_DOUBLE, 0,  0         },
    {FRACAS_CUDA_ON_DEVICE, FRACAS_SCALAR_DOUBLE, 8,  8 * POINTS}, // x of all, y of all, z of all
    {FRACAS_CUDA_ON_DEVICE, FRACAS_SCALAR_FLOAT,  0,  0         },
    {FRACAS_CUDA_ON_HOST,   FRACAS_SCALAR_FLOAT,  16, 4         },
    {FRACAS_CUDA_ON_DEVICE, FRACAS_SCALAR_DOUBLE, 40, 8         }
};
enum { LAYOUT_COUNT = sizeof LAYOUTS / sizeof LAYOUTS[0] };

// The positions of a cloth in that layout, in memory that holds until the next call.
static fracas_cuda_points give(const stage* s, const cloth* c, const layout* l) {
    static unsigned char packed[ROOM];
    const uint64_t size = l->scalar == FRACAS_SCALAR_FLOAT ? 4 : 8;
    const uint64_t stride = l->stride ? l->stride : 3 * size,
                   axis = l->stride ? l->axis_stride : size;
    for (uint32_t i = 0; i < POINTS; i++)
        for (uint64_t k = 0; k < 3; k++) {
            unsigned char* at = packed + i * stride + k * axis;
            const float narrow = (float)c->points[i][k];
            memcpy(at, size == 4 ? (const void*)&narrow : &c->points[i][k], size);
        }
    const bool on_device = l->place == FRACAS_CUDA_ON_DEVICE;
    if (on_device) {
        frc_device* device = device_of(s->k.scene[1]);
        assert_true(frc_device_upload(device, c->device_memory, packed, ROOM));
        assert_true(frc_device_wait(device));
    }
    return (fracas_cuda_points){.data = on_device ? c->device_memory : packed,
                                .count = POINTS,
                                .scalar = l->scalar,
                                .place = l->place,
                                .stride = l->stride,
                                .axis_stride = l->axis_stride};
}

// ---- two scenes

// A sheet above the others. Positions are floats, so that each layout has all of their bits.
static void add_cloth(stage* s, uint32_t number) {
    static uint32_t corners[2 * SIDE * SIDE][3];
    cloth* c = &s->cloths[number];
    kit_sheet(SIDE, corners);
    for (uint32_t i = 0; i < POINTS; i++) {
        c->points[i][0] = (float)(0.5 * (i % (SIDE + 1)) + 0.1 * number);
        c->points[i][1] = (float)(0.5 * (i / (SIDE + 1)));
        c->points[i][2] = (float)(0.3 * number);
    }
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])c->points, POINTS,
                                           (const uint32_t(*)[3])corners, 2 * SIDE * SIDE);
    for (int i = 0; i < 2; i++)
        KIT_OK(s->k.context, fracas_scene_add(s->k.scene[i], &mesh, NULL, &c->body));
}

static void open_stage(stage* s, uint32_t workers) {
    memset(s, 0, sizeof *s);
    s->k = cuda_kit_open(workers);
    s->random = 7;
    for (uint32_t i = 0; i < BODIES; i++) {
        add_cloth(s, i);
        s->cloths[i].device_memory = frc_device_allocate(device_of(s->k.scene[1]), ROOM);
        assert_non_null(s->cloths[i].device_memory);
    }
}

static void close_stage(stage* s) {
    for (uint32_t i = 0; i < BODIES; i++)
        frc_device_release(device_of(s->k.scene[1]), s->cloths[i].device_memory, ROOM);
    cuda_kit_close(&s->k);
}

static void shake(stage* s, cloth* c) {
    for (uint32_t i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++)
            c->points[i][k] = (float)(c->points[i][k] + kit_uniform(&s->random, -0.2, 0.2));
}

static void move_on_cpu(stage* s, const cloth* c) {
    const fracas_points view = {.data = c->points, .count = POINTS};
    KIT_OK(s->k.context, fracas_scene_move(s->k.scene[0], c->body, &view));
}

static void move_on_device(stage* s, uint32_t number, const layout* l) {
    const fracas_cuda_move move = {s->cloths[number].body, give(s, &s->cloths[number], l)};
    KIT_OK(s->k.context, fracas_cuda_scene_move(s->k.scene[1], &move, 1, NULL));
}

// ---- results

static void read_back(const stage* s, void* to, const void* from, size_t size,
                      fracas_cuda_place place) {
    frc_device* device = device_of(s->k.scene[1]);
    if (place == FRACAS_CUDA_ON_HOST)
        memcpy(to, from, size);
    else
        assert_true(frc_device_download(device, to, from, size) && frc_device_wait(device));
}

// The records are the contacts of the CPU.
static void require_records(const stage* s, const fracas_cuda_contacts* found,
                            fracas_cuda_place place) {
    size_t count, at = 0;
    const fracas_contact* expected = fracas_contacts_get_data(s->k.found[0], &count);
    assert_true(found->count == count);
    for (int kind = 0; kind < 6; kind++) {
        const fracas_cuda_range* range = &found->kinds[kind];
        const size_t size = (size_t)range->count * sizeof(fracas_cuda_contact);
        if (range->count == 0) continue;
        fracas_cuda_contact* contacts = malloc(size);
        fracas_cuda_bodies* bodies = malloc(range->count * sizeof *bodies);
        assert_true(contacts && bodies);
        read_back(s, contacts, range->contacts, size, place);
        read_back(s, bodies, range->bodies, range->count * sizeof *bodies, place);
        for (size_t i = 0; i < range->count; i++, at++) {
            const fracas_contact* e = &expected[at];
            const fracas_cuda_contact* c = &contacts[i];
            assert_true(e->kind == (fracas_contact_kind)kind);
            assert_true(e->body_a.index == bodies[i].a && e->body_b.index == bodies[i].b);
            assert_memory_equal(e->a, c->a, sizeof c->a);
            assert_memory_equal(e->b, c->b, sizeof c->b);
            assert_memory_equal(&e->toi, &c->toi, sizeof c->toi);
            assert_memory_equal(&e->u, &c->u, sizeof c->u);
            assert_memory_equal(&e->v, &c->v, sizeof c->v);
            assert_memory_equal(e->normal, c->normal, sizeof c->normal);
        }
        free(contacts);
        free(bodies);
    }
    assert_true(at == count);
}

static void detect_both(stage* s, const fracas_query* query, fracas_cuda_place place) {
    const fracas_sink sink = fracas_contacts_get_sink(s->k.found[0]);
    fracas_cuda_contacts found;
    for (int i = 0; i < 2; i++) KIT_OK(s->k.context, fracas_scene_update(s->k.scene[i]));
    KIT_OK(s->k.context, fracas_scene_detect(s->k.scene[0], query, &sink));
    KIT_OK(s->k.context, fracas_cuda_scene_detect(s->k.scene[1], query, place, NULL, &found));
    require_records(s, &found, place);
    s->contacts += found.count;
}

static void require_positions(const stage* s) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 0; i < POINTS; i++) {
            double at[2][2][3];
            for (int k = 0; k < 2; k++)
                KIT_OK(s->k.context, fracas_scene_get_vertex(s->k.scene[k], s->cloths[b].body, i,
                                                             at[k][0], at[k][1]));
            assert_memory_equal(at[0], at[1], sizeof at[0]);
        }
}

// ---- steps

// What a step does besides moving all bodies on the device.
static void disturb(stage* s, uint32_t step, uint32_t number) {
    cloth* c = &s->cloths[number];
    fracas_query query = fracas_scene_default_query();
    if (step % 7 == 3) {  // the host moves one
        const fracas_points view = {.data = c->points, .count = POINTS};
        shake(s, c);
        move_on_cpu(s, c);
        KIT_OK(s->k.context, fracas_scene_move(s->k.scene[1], c->body, &view));
    }
    if (step % 5 == 2) {  // an edit
        for (int i = 0; i < 2; i++)
            KIT_OK(s->k.context, fracas_scene_remove(s->k.scene[i], c->body));
        add_cloth(s, number);
    }
    if (step % 3 == 1) cuda_kit_detect(&s->k, NULL, "contacts on the host");
    if (step % 4 == 2) {
        for (int i = 0; i < 2; i++) KIT_OK(s->k.context, fracas_scene_update(s->k.scene[i]));
        require_positions(s);
    }
    query.modes = FRACAS_MODE_BOTH;
    query.t_max = 0.7;
    if (step % 6 == 5) detect_both(s, &query, FRACAS_CUDA_ON_DEVICE);
    query.modes = FRACAS_MODE_CONTINUOUS;
    query.min_separation = 0.01;
    if (step % 6 == 4) detect_both(s, &query, FRACAS_CUDA_ON_HOST);
    query.min_separation = 0;
    query.first = true;
    if (step % 6 == 3) detect_both(s, &query, FRACAS_CUDA_ON_HOST);
}

static void steps(void** state) {
    (void)state;
    static stage s;
    open_stage(&s, 2);
    for (uint32_t step = 0; step < 8 + share_of(34); step++) {
        const layout* l = &LAYOUTS[step % LAYOUT_COUNT];
        for (uint32_t b = 0; b < BODIES; b++) {
            if ((step + b) % 4 == 0) continue;
            shake(&s, &s.cloths[b]);
            move_on_cpu(&s, &s.cloths[b]);
            move_on_device(&s, b, l);
        }
        detect_both(&s, NULL, step % 2 ? FRACAS_CUDA_ON_HOST : FRACAS_CUDA_ON_DEVICE);
        disturb(&s, step, step % BODIES);
        detect_both(&s, NULL, FRACAS_CUDA_ON_DEVICE);
        if (step % 9 != 8)
            for (int i = 0; i < 2; i++) KIT_OK(s.k.context, fracas_scene_advance(s.k.scene[i]));
    }
    require_positions(&s);
    assert_true(s.contacts > 1000);
    close_stage(&s);
}

// All bodies in one call; a body without a point is none of them.
static void many_moves(void** state) {
    (void)state;
    static stage s;
    open_stage(&s, 1);
    fracas_cuda_move moves[BODIES];
    for (uint32_t b = 0; b < BODIES; b++) {
        shake(&s, &s.cloths[b]);
        move_on_cpu(&s, &s.cloths[b]);
        moves[b] = (fracas_cuda_move){s.cloths[b].body, give(&s, &s.cloths[b], &LAYOUTS[0])};
    }
    KIT_OK(s.k.context, fracas_cuda_scene_move(s.k.scene[1], moves, BODIES, NULL));
    KIT_OK(s.k.context, fracas_cuda_scene_move(s.k.scene[1], NULL, 0, NULL));
    detect_both(&s, NULL, FRACAS_CUDA_ON_DEVICE);
    assert_true(s.contacts > 10);
    require_positions(&s);
    close_stage(&s);
}

// A pair that is too deep for the device, in a scene whose positions are there: the host decides
// it, and its contact is among those of the device.
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
    static stage s;
    double end[6][3];
    fracas_body body;
    open_stage(&s, 1);
    const fracas_mesh_view mesh = kit_mesh(start, 6, corners, 2);
    memcpy(end, start, sizeof end);
    for (int i = 0; i < 3; i++) end[i][2] = 0;
    for (int i = 0; i < 2; i++)
        KIT_OK(s.k.context, fracas_scene_add(s.k.scene[i], &mesh, NULL, &body));
    shake(&s, &s.cloths[0]);
    move_on_cpu(&s, &s.cloths[0]);
    move_on_device(&s, 0, &LAYOUTS[0]);
    const fracas_points view = {.data = end, .count = 6};
    const fracas_cuda_move move = {
        body, {.data = end, .count = 6, .place = FRACAS_CUDA_ON_HOST}
    };
    KIT_OK(s.k.context, fracas_scene_move(s.k.scene[0], body, &view));
    KIT_OK(s.k.context, fracas_cuda_scene_move(s.k.scene[1], &move, 1, NULL));
    for (int place = 0; place < 2; place++) {
        detect_both(&s, NULL, (fracas_cuda_place)place);
        assert_true(cuda_kit_statistics(&s.k).decided_on_host > 0);
    }
    assert_true(s.contacts > 10);
    close_stage(&s);
}

// ---- refusals

static void refuse(stage* s, const fracas_cuda_move* moves, size_t count, fracas_status status,
                   const char* message) {
    KIT_REFUSED(s->k.context, fracas_cuda_scene_move(s->k.scene[1], moves, count, NULL), status,
                message);
}

static void refused_points(stage* s) {
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT, bad = FRACAS_ERROR_BAD_DATA;
    cloth* c = &s->cloths[1];
    const fracas_cuda_move good = {c->body, give(s, c, &LAYOUTS[0])};
    fracas_cuda_move twice[2] = {good, good}, move = good;
    refuse(s, twice, 2, bad, "as an earlier one is");
    move.points_t1.count--;
    refuse(s, &move, 1, bad, "vertex numbers up to");
    move = good, move.points_t1.data = NULL;
    refuse(s, &move, 1, misuse, "pointer is NULL");
    move.points_t1.data = c->points;  // memory of the host
    refuse(s, &move, 1, misuse, "cannot read");
    // What ends behind the memory CUDA tells only where no other allocation follows.
    move.points_t1.data = (char*)c->device_memory + ROOM - 64;
    if (cuda_kit_is_emulated(&s->k)) refuse(s, &move, 1, misuse, "cannot read");
    move = good, move.points_t1.data = (char*)c->device_memory + 4;
    refuse(s, &move, 1, misuse, "multiples of the 8 bytes");
    move = good, move.points_t1.stride = 28, move.points_t1.axis_stride = 8;
    refuse(s, &move, 1, misuse, "multiples of the 8 bytes");
    move = good, move.points_t1.stride = (uint64_t)1 << 40;
    refuse(s, &move, 1, misuse, "too large");
    move = good, move.points_t1.place = (fracas_cuda_place)2;
    refuse(s, &move, 1, misuse, "fracas_cuda_place");
    move = good, move.points_t1.scalar = (fracas_scalar)9;
    refuse(s, &move, 1, misuse, "fracas_scalar");
    move = good, move.body.generation++;
    refuse(s, &move, 1, FRACAS_ERROR_STALE_HANDLE, "there is no body");
    refuse(s, NULL, 1, misuse, "moves");
    // Of several positions that are not finite the message has the first one.
    for (int l = 0; l < 4; l++) {
        cloth broken = *c;
        broken.points[17][1] = NAN;
        broken.points[18][2] = INFINITY;
        broken.points[POINTS - 1][0] = -INFINITY;
        move.body = c->body, move.points_t1 = give(s, &broken, &LAYOUTS[l]);
        refuse(s, &move, 1, bad, "vertex 17 of body 2 would move to");
    }
}

static void refusals(void** state) {
    (void)state;
    static stage s;
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    open_stage(&s, 1);
    fracas_context* context = s.k.context;
    fracas_cuda_contacts out;
    fracas_query query = fracas_scene_default_query();
    shake(&s, &s.cloths[1]);
    move_on_cpu(&s, &s.cloths[1]);
    move_on_device(&s, 1, &LAYOUTS[0]);
    KIT_REFUSED(context,
                fracas_cuda_scene_detect(s.k.scene[1], NULL, FRACAS_CUDA_ON_HOST, NULL, &out),
                misuse, "fracas_scene_update");
    detect_both(&s, NULL, FRACAS_CUDA_ON_DEVICE);
    refused_points(&s);
    // Nothing has moved, and the scene is still up to date.
    detect_both(&s, NULL, FRACAS_CUDA_ON_DEVICE);
    require_positions(&s);
    query.tolerance = 0;
    KIT_REFUSED(context,
                fracas_cuda_scene_detect(s.k.scene[1], &query, FRACAS_CUDA_ON_HOST, NULL, &out),
                misuse, "tolerance");
    assert_true(out.count == 0 && !out.kinds[FRACAS_CONTACT_VF].contacts);
    KIT_REFUSED(context,
                fracas_cuda_scene_detect(s.k.scene[1], NULL, (fracas_cuda_place)7, NULL, &out),
                misuse, "fracas_cuda_place");
    KIT_REFUSED(context,
                fracas_cuda_scene_detect(s.k.scene[0], NULL, FRACAS_CUDA_ON_HOST, NULL, &out),
                misuse, "not on a device");
    KIT_REFUSED(context,
                fracas_cuda_scene_detect(s.k.scene[1], NULL, FRACAS_CUDA_ON_HOST, NULL, NULL),
                misuse, "out");
    assert_int_equal(fracas_cuda_scene_detect(NULL, NULL, FRACAS_CUDA_ON_HOST, NULL, &out), misuse);
    const fracas_cuda_move move = {s.cloths[1].body, give(&s, &s.cloths[1], &LAYOUTS[0])};
    KIT_REFUSED(context, fracas_cuda_scene_move(s.k.scene[0], &move, 1, NULL), misuse,
                "not on a device");
    assert_int_equal(fracas_cuda_scene_move(NULL, &move, 1, NULL), misuse);
    close_stage(&s);
}

// ---- memory and threads

// A move and a query fail at each allocation in turn, also on the device; the next ones do not.
static void without_memory(void** state) {
    (void)state;
    static stage s;
    test_allocator memory = {0};
    for (size_t n = 1, done = 0; !done; n++) {
        memset(&s, 0, sizeof s);
        s.k.context = kit_context(1, &memory);
        s.random = 3;
        KIT_OK(s.k.context, fracas_cuda_context_create(s.k.context, NULL, &s.k.cuda));
        KIT_OK(s.k.context, fracas_scene_create(s.k.context, NULL, &s.k.scene[0]));
        KIT_OK(s.k.context, fracas_cuda_scene_create(s.k.cuda, NULL, &s.k.scene[1]));
        for (int i = 0; i < 2; i++)
            KIT_OK(s.k.context, fracas_contacts_create(s.k.context, &s.k.found[i]));
        for (uint32_t b = 0; b < 2; b++) add_cloth(&s, b);
        cloth* c = &s.cloths[1];
        c->device_memory = frc_device_allocate(device_of(s.k.scene[1]), ROOM);
        shake(&s, c);
        move_on_cpu(&s, c);
        const fracas_cuda_move move = {c->body, give(&s, c, &LAYOUTS[n % 2])};
        fracas_cuda_contacts out;
        test_allocator_fail_at(&memory, n);
        fracas_status status = fracas_cuda_scene_move(s.k.scene[1], &move, 1, NULL);
        const bool moved = status == FRACAS_OK;
        if (moved) status = fracas_scene_update(s.k.scene[1]);
        if (status == FRACAS_OK)
            status = fracas_cuda_scene_detect(s.k.scene[1], NULL, FRACAS_CUDA_ON_HOST, NULL, &out);
        test_allocator_fail_at(&memory, 0);
        done = status == FRACAS_OK;
        assert_true(done || status == FRACAS_ERROR_OUT_OF_MEMORY);
        assert_true(n > 20 || !done);
        if (!moved) KIT_OK(s.k.context, fracas_cuda_scene_move(s.k.scene[1], &move, 1, NULL));
        detect_both(&s, NULL, FRACAS_CUDA_ON_DEVICE);
        frc_device_release(device_of(s.k.scene[1]), c->device_memory, ROOM);
        cuda_kit_close(&s.k);
        assert_true(memory.live == 0 && memory.blocks == 0);
    }
}

static void* run_steps(void* data) {
    stage* s = data;
    for (uint32_t step = 0; step < 5; step++) {
        for (uint32_t b = 0; b < BODIES; b++) {
            shake(s, &s->cloths[b]);
            const fracas_points view = {.data = s->cloths[b].points, .count = POINTS};
            const fracas_cuda_move move = {
                s->cloths[b].body,
                {.data = s->cloths[b].points, .count = POINTS, .place = FRACAS_CUDA_ON_HOST}
            };
            if (fracas_scene_move(s->k.scene[0], s->cloths[b].body, &view) != FRACAS_OK ||
                fracas_cuda_scene_move(s->k.scene[1], &move, 1, NULL) != FRACAS_OK)
                return NULL;
        }
        detect_both(s, NULL, FRACAS_CUDA_ON_DEVICE);
        for (int i = 0; i < 2; i++)
            if (fracas_scene_advance(s->k.scene[i]) != FRACAS_OK) return NULL;
    }
    return s;
}

static void two_threads(void** state) {
    static stage s[2];
    pthread_t threads[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        open_stage(&s[i], 1);
        assert_int_equal(pthread_create(&threads[i], NULL, run_steps, &s[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        void* result;
        pthread_join(threads[i], &result);
        assert_non_null(result);
        close_stage(&s[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),       cmocka_unit_test(many_moves),
        cmocka_unit_test(steps),          cmocka_unit_test(deep_pairs),
        cmocka_unit_test(without_memory), cmocka_unit_test(two_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
