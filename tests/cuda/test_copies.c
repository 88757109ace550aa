// The copy of a scene on a device: after every step of scenes with edits it has each
// feature of the scene in one slot, and the positions and names of all points; an edit copies what
// it has changed, and the clusters of other bodies are not touched.
#include "common_kit.h"
#include "cuda/lanes.h"
#include "cuda/search.h"
#include "cuda_kit.h"
#include "scene_kit.h"
#include "scenes.h"
#include "share.h"
#include <math.h>

static frc_mirror* mirror_of(const cuda_kit* k) {
    frc_cuda_search* search = k->scene[1]->search_data;
    return &search->mirror;
}

// ---- the slots

static uint32_t count_bits(const uint32_t* words, size_t count) {
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++) bits += frc_popcount(words[i]);
    return bits;
}

static void require_in_slot(const frc_slots* s, uint32_t id, frc_feature wanted) {
    const uint32_t slot = s->slot[id];
    assert_true(slot < s->features.count);
    assert_memory_equal(&s->features.data[slot], &wanted, sizeof wanted);
    assert_true(s->used.data[slot / FRC_WARP] >> slot % FRC_WARP & 1);
}

// Features in use are in slots, and as many slots are in use.
static void require_slots(const frc_topology* t, const frc_slots sets[FRC_SET_COUNT]) {
    size_t count[FRC_SET_COUNT] = {0};
    for (uint32_t i = 0; i < t->points.count; i++) {
        const frc_vertex_use* use = &t->uses.data[i];
        const frc_feature f = {
            {i, i, i},
            FRACAS_NONE
        };
        if (t->points.data[i].tag[FRC_TAG_BODY] == FRACAS_NONE) continue;
        if (use->triangles || use->free_edges || use->free_point)
            require_in_slot(&sets[FRC_SET_VERTICES], i, f), count[FRC_SET_VERTICES]++;
        if (!use->triangles && use->free_point)
            require_in_slot(&sets[FRC_SET_FREE_POINTS], i, f), count[FRC_SET_FREE_POINTS]++;
    }
    for (uint32_t i = 0; i < t->edges.count; i++) {
        const frc_edge* e = &t->edges.data[i];
        const frc_feature f = {
            {e->point[0], e->point[1], e->point[1]},
            FRACAS_NONE
        };
        if (e->point[0] == FRACAS_NONE) continue;
        require_in_slot(&sets[FRC_SET_EDGES], i, f), count[FRC_SET_EDGES]++;
        if (e->free && !e->uses)
            require_in_slot(&sets[FRC_SET_FREE_EDGES], i, f), count[FRC_SET_FREE_EDGES]++;
    }
    for (uint32_t i = 0; i < t->triangles.count; i++) {
        const uint32_t* p = t->triangles.data[i].point;
        const frc_feature f = {
            {p[0], p[1], p[2]},
            i
        };
        if (p[0] != FRACAS_NONE)
            require_in_slot(&sets[FRC_SET_FACES], i, f), count[FRC_SET_FACES]++;
    }
    for (int k = 0; k < FRC_SET_COUNT; k++) {
        const frc_slots* s = &sets[k];
        assert_int_equal(s->live, count[k]);
        assert_int_equal(count_bits(s->used.data, s->used.count), count[k]);
        assert_int_equal(s->features.count, s->used.count * FRC_WARP);
        for (size_t i = 0; i < s->features.count; i++)
            if (!(s->used.data[i / FRC_WARP] >> i % FRC_WARP & 1))
                assert_true(s->features.data[i].point[0] == FRACAS_NONE);
        for (size_t i = 0; i < s->used.count; i++)
            assert_int_equal(s->used.data[i] != 0,
                             s->used_clusters.data[i / FRC_WARP] >> i % FRC_WARP & 1);
        for (size_t i = 0; i < s->free_bundles.count; i++)
            assert_int_equal(s->used_clusters.data[s->free_bundles.data[i]], 0);
    }
}

// ---- the device

// A copy of memory of the device, which the caller frees.
static void* read_back(const cuda_kit* k, const frc_device_buffer* from, size_t size) {
    frc_device* device = mirror_of(k)->device;
    void* memory = malloc(size + 1);
    assert_non_null(memory);
    if (size) assert_true(frc_device_download(device, memory, from->data, size));
    assert_true(frc_device_wait(device));
    return memory;
}

static void require_features(const cuda_kit* k, const char* what) {
    const frc_mirror* m = mirror_of(k);
    for (int s = 0; s < FRC_SET_COUNT; s++) {
        const frc_feature_list* f = &m->followed.sets[s].features;
        const size_t size = f->count * sizeof *f->data;
        void* copy = read_back(k, &m->copies[s].features, size);
        if (f->count && memcmp(copy, f->data, size))
            fail_msg("%s: set %d is another on the device", what, s);
        free(copy);
    }
}

static void require_copy(const cuda_kit* k, const char* what) {
    const frc_mirror* m = mirror_of(k);
    const frc_topology* t = &k->scene[1]->topology;
    // Rigid bodies: the host computes points from poses, as the device has done.
    KIT_OK(k->context, frc_scene_fetch(k->scene[1]));
    require_slots(t, m->followed.sets);
    require_features(k, what);
    frc_moving_point* points = read_back(k, &m->points, t->points.count * sizeof *points);
    frc_point_name* names = read_back(k, &m->names, t->points.count * sizeof *names);
    uint32_t* numbers = read_back(k, &m->triangles, t->triangles.count * sizeof *numbers);
    for (uint32_t i = 0; i < t->points.count; i++) {
        const frc_point* p = &t->points.data[i];
        if (p->tag[FRC_TAG_BODY] == FRACAS_NONE) continue;
        for (int c = 0; c < 3; c++)
            if (memcmp(points[i].x[c], frc_point_axis(p, c), sizeof points[i].x[c]))
                fail_msg("%s: point %u is elsewhere on the device", what, i);
        if (memcmp(names[i].tag, p->tag, sizeof p->tag))
            fail_msg("%s: point %u has another name on the device", what, i);
    }
    for (uint32_t i = 0; i < t->triangles.count; i++)
        if (t->triangles.data[i].point[0] != FRACAS_NONE &&
            numbers[i] != t->triangles.data[i].number)
            fail_msg("%s: triangle %u has another number on the device", what, i);
    free(points);
    free(names);
    free(numbers);
}

// Mean number of features in a cluster that is in use.
static double density(const frc_slots* s) {
    const uint32_t clusters = count_bits(s->used_clusters.data, s->used_clusters.count);
    return clusters ? (double)s->live / clusters : FRC_WARP;
}

typedef struct small {
    const char* name;
    uint32_t size, frames, every;  // detected frames
} small;

static const small scenes[] = {
    {"exploding-dragon", 3000, 80, 5 },
    {"breaking-walls",   1,    75, 5 },
    {"pulling-apart",    400,  40, 4 },
    {"merge",            600,  90, 10},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static void run_scene(const small* s) {
    cuda_kit k = cuda_kit_open(2);
    const scenes_scene* what = scenes_find(s->name);
    const scenes_options options = {.size = s->size};
    const fracas_query query = fracas_scene_default_query();
    void* run[2];
    uint64_t edits, all = 0;
    for (int i = 0; i < 2; i++) KIT_OK(k.context, what->create(k.scene[i], &options, &run[i]));
    for (uint32_t frame = 0; frame < s->frames; frame++) {
        size_t count;
        const fracas_contact* found = fracas_contacts_get_data(k.found[0], &count);
        if ((frame + s->every - 1) % s->every) count = 0;  // they are of an earlier frame
        for (int i = 0; i < 2; i++) {
            KIT_OK(k.context, fracas_scene_advance(k.scene[i]));
            KIT_OK(k.context, what->step(run[i], found, count, &edits));
            KIT_OK(k.context, fracas_scene_update(k.scene[i]));
        }
        all += edits;
        require_slots(&k.scene[1]->topology, mirror_of(&k)->followed.sets);
        if (frame % s->every) continue;
        cuda_kit_detect(&k, &query, s->name);
        require_copy(&k, s->name);
    }
    assert_true(all > 0 && k.contacts > 0);
    // Most slots are in use in the end, also where bodies broke and parts got clusters of their
    // own.
    if (s == &scenes[0]) assert_true(mirror_of(&k)->followed.ordered > 0);
    assert_true(density(&mirror_of(&k)->followed.sets[FRC_SET_EDGES]) > FRC_WARP / 2);
    for (int i = 0; i < 2; i++) what->destroy(run[i]);
    cuda_kit_close(&k);
}

static void built_in_scenes(void** state) {
    (void)state;
    for (uint32_t i = 0; i < share_of(SCENES); i++) run_scene(&scenes[i]);
}

// ---- what an edit copies

enum { BODIES = 60, SQUARES = 40, POINTS = 2 * SQUARES + 2 };

static void add_strip(cuda_kit* k, double z, fracas_body* out) {
    for (int i = 0; i < 2; i++) {
        kit one = {k->context, k->scene[i]};
        *out = kit_add_strip(&one, SQUARES, z, FRACAS_MOTION_DEFORMING);
    }
}

// Compare, and return what the device got.
static fracas_cuda_statistics after(cuda_kit* k, const char* what) {
    const fracas_query query = fracas_scene_default_query();
    cuda_kit_detect(k, &query, what);
    require_copy(k, what);
    return cuda_kit_statistics(k);
}

static void move_strip(cuda_kit* k, fracas_body body, double z) {
    double points[POINTS][3];
    for (int i = 0; i < POINTS; i++) {
        const double p[3] = {i / 2, i % 2, z};
        memcpy(points[i], p, sizeof p);
    }
    const fracas_points view = {.data = points, .count = POINTS};
    for (int i = 0; i < 2; i++) KIT_OK(k->context, fracas_scene_move(k->scene[i], body, &view));
}

static void split_strip(cuda_kit* k, fracas_body body, fracas_body* part) {
    // A cut at x = 20: two new vertices, and the triangles behind it leave.
    enum { AT = 20, LEAVE = 2 * (SQUARES - AT) };
    const fracas_new_vertex vertices[2] = {
        {.parent_a = 2 * AT,     .parent_b = FRACAS_NONE},
        {.parent_a = 2 * AT + 1, .parent_b = FRACAS_NONE}
    };
    const fracas_repoint repoints[3] = {
        {2 * AT,     0, POINTS    },
        {2 * AT,     2, POINTS + 1},
        {2 * AT + 1, 0, POINTS + 1}
    };
    uint32_t leaving[LEAVE];
    const uint32_t offsets[2] = {0, LEAVE};
    for (uint32_t i = 0; i < LEAVE; i++) leaving[i] = 2 * AT + i;
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = vertices, split.new_vertex_count = 2;
    split.repoints = repoints, split.repoint_count = 3;
    split.part_offsets = offsets, split.part_count = 1;
    split.part_triangles = leaving;
    for (int i = 0; i < 2; i++)
        KIT_OK(k->context, fracas_scene_split(k->scene[i], body, &split, part));
}

// ---- what a step copies

enum { SOME = 6 };

static void advance(cuda_kit* k) {
    for (int i = 0; i < 2; i++) KIT_OK(k->context, fracas_scene_advance(k->scene[i]));
}

static void move_some(cuda_kit* k, const fracas_body* body, int count, double z) {
    for (int i = 0; i < count; i++) move_strip(k, body[i], z + 0.9 * i);
}

static void move_on_device(cuda_kit* k, fracas_body body, double z, fracas_status expected) {
    double points[POINTS][3] = {{0}};
    for (int i = 0; i < POINTS; i++) points[i][0] = i / 2, points[i][2] = z;
    const fracas_points view = {.data = points, .count = POINTS};
    const fracas_cuda_move move = {
        body, {.data = points, .count = POINTS, .place = FRACAS_CUDA_ON_HOST}
    };
    assert_int_equal(fracas_cuda_scene_move(k->scene[1], &move, 1, NULL), expected);
    if (expected == FRACAS_OK) KIT_OK(k->context, fracas_scene_move(k->scene[0], body, &view));
}

// Where most points move the device gets their last positions alone, and repeats others by itself.
static void a_step_copies_one_end(void** state) {
    enum { LAST = SOME * POINTS * 24 + SOME * 4, BOTH = SOME * POINTS * 48 };
    (void)state;
    cuda_kit k = cuda_kit_open(2);
    fracas_body body[SOME];
    for (int i = 0; i < SOME; i++) add_strip(&k, i, &body[i]);
    after(&k, "all");
    move_some(&k, body, SOME, 0.5);
    assert_int_equal(after(&k, "moves").uploaded_bytes, LAST);
    move_some(&k, body, SOME - 1, 0.7);
    move_some(&k, body, SOME, 0.6);
    assert_int_equal(after(&k, "moves without an advance").uploaded_bytes, LAST);
    for (int step = 0; step < 3; step++) {
        advance(&k);
        move_some(&k, body, SOME - step, 0.1 * step);
        assert_int_equal(after(&k, "a step").uploaded_bytes, LAST);
    }
    advance(&k);
    assert_int_equal(after(&k, "an advance").uploaded_bytes, LAST);
    move_some(&k, body, SOME, 0.2);
    advance(&k);
    assert_int_equal(after(&k, "an advance of what the device has not").uploaded_bytes, BOTH);
    move_some(&k, body, SOME, 0.4);
    after(&k, "moves");
    advance(&k);
    move_some(&k, body, SOME, 0.5);
    advance(&k);
    assert_int_equal(after(&k, "two advances").uploaded_bytes, BOTH);
    // The device has advanced by itself; then the host reads the positions.
    move_on_device(&k, body[0], 0.1, FRACAS_OK);
    advance(&k);
    move_on_device(&k, body[0], 0.2, FRACAS_OK);
    cuda_kit_detect(&k, NULL, "moves of the device");
    advance(&k);
    move_on_device(&k, body[0], 0.3, FRACAS_OK);
    KIT_OK(k.context, frc_scene_fetch(k.scene[1]));
    move_some(&k, body + 1, SOME - 1, 0.4);
    after(&k, "moves of the host after those of the device");
    cuda_kit_close(&k);
}

// The same with edits, reads, moves of the device and failures in between.
static void random_steps(void** state) {
    (void)state;
    cuda_kit k = cuda_kit_open(2);
    fracas_body body[SOME], part;
    uint64_t random = 17, received = 0;
    for (int i = 0; i < SOME; i++) add_strip(&k, i, &body[i]);
    after(&k, "all");
    for (uint32_t step = 0; step < 40 + share_of(160); step++) {
        const uint32_t what = (uint32_t)(kit_random(&random) % 16), which = what % SOME;
        if (what < 10) advance(&k);
        move_some(&k, body, SOME - (int)(what % 3), kit_uniform(&random, -1, 1));
        if (what == 3) move_strip(&k, body[which], 0.3);
        if (what == 4 || what == 12) {  // a new body, maybe of the same number
            for (int i = 0; i < 2; i++)
                KIT_OK(k.context, fracas_scene_remove(k.scene[i], body[which]));
            if (what == 4) advance(&k);
            add_strip(&k, 0.2, &body[which]);
            move_strip(&k, body[which], 0.4);
        }
        if (what == 5) {
            split_strip(&k, body[which], &part);
            const fracas_body both[2] = {body[which], part};
            if (step % 2)
                for (int i = 0; i < 2; i++)
                    KIT_OK(k.context, fracas_scene_merge(k.scene[i], both, 2, NULL, &part));
            for (int i = 0; i < 2; i++) KIT_OK(k.context, fracas_scene_remove(k.scene[i], part));
            if (!(step % 2))
                for (int i = 0; i < 2; i++)
                    KIT_OK(k.context, fracas_scene_remove(k.scene[i], body[which]));
            add_strip(&k, 0.1, &body[which]);
        }
        if (what == 6) {  // the device moves one, in two steps that the host then reads
            move_on_device(&k, body[which], 0.1, FRACAS_OK);
            advance(&k);
            move_on_device(&k, body[which], 0.2, FRACAS_OK);
            KIT_OK(k.context, frc_scene_fetch(k.scene[1]));
        }
        if (what == 7) move_on_device(&k, body[which], NAN, FRACAS_ERROR_BAD_DATA);
        if (what == 14) move_on_device(&k, body[which], 0.3, FRACAS_OK);
        if (what != 8) received += after(&k, "a random step").uploaded_bytes;
        if (what == 9) advance(&k);
    }
    assert_true(received > 0);
    cuda_kit_close(&k);
}

static void an_edit_copies_what_it_changes(void** state) {
    // Of a strip: 82 vertices, 161 edges, 80 faces in 3 + 6 + 3 clusters of 512 bytes; a point has
    // 64 bytes and twice its position in a list, a cluster also one.
    enum { CLUSTERS = 12, BYTES = CLUSTERS * 520 + POINTS * 80 };
    (void)state;
    cuda_kit k = cuda_kit_open(2);
    fracas_body body[BODIES], other;
    for (int i = 0; i < BODIES; i++) add_strip(&k, i, &body[i]);
    fracas_cuda_statistics s = after(&k, "all");
    assert_true(s.uploaded_bytes > (BODIES - 10) * BYTES &&
                s.changed_clusters >= BODIES * CLUSTERS);
    s = after(&k, "nothing");
    assert_true(s.uploaded_bytes == 0 && s.changed_clusters == 0);
    move_strip(&k, body[7], 7.5);
    s = after(&k, "a move");
    assert_true(s.uploaded_bytes >= POINTS * 48 && s.uploaded_bytes <= POINTS * 56);
    assert_int_equal(s.changed_clusters, 0);
    for (int i = 0; i < 2; i++) KIT_OK(k.context, fracas_scene_advance(k.scene[i]));
    s = after(&k, "an advance");
    assert_true(s.uploaded_bytes >= POINTS * 48 && s.uploaded_bytes <= POINTS * 56);
    // Bodies keep their filters in a list that is copied as a whole.
    const uint64_t filters = (BODIES + 2) * sizeof(frc_device_body);
    split_strip(&k, body[30], &other);
    s = after(&k, "a split");
    assert_true(s.changed_clusters > 0 && s.changed_clusters <= CLUSTERS + 8);
    assert_true(s.uploaded_bytes <= BYTES + 8 * 520 + filters);
    for (int i = 0; i < 2; i++) KIT_OK(k.context, fracas_scene_remove(k.scene[i], body[11]));
    s = after(&k, "a removal");
    assert_int_equal(s.changed_clusters, CLUSTERS);
    assert_true(s.uploaded_bytes <= BYTES + filters);
    add_strip(&k, 11.25, &other);
    s = after(&k, "an addition");
    assert_true(s.changed_clusters >= CLUSTERS && s.changed_clusters <= 4 * CLUSTERS);
    assert_true(s.uploaded_bytes <= 4 * BYTES + filters);
    const fracas_body both[2] = {body[40], body[41]};
    for (int i = 0; i < 2; i++)
        KIT_OK(k.context, fracas_scene_merge(k.scene[i], both, 2, NULL, &other));
    s = after(&k, "a merge");
    assert_int_equal(s.changed_clusters, 0);
    assert_true(s.uploaded_bytes <= BYTES + filters);
    // New and re-pointed features get another name before the update.
    split_strip(&k, body[50], &other);
    const fracas_body again[2] = {body[52], other};
    for (int i = 0; i < 2; i++)
        KIT_OK(k.context, fracas_scene_merge(k.scene[i], again, 2, NULL, &other));
    s = after(&k, "a part that is merged at once");
    assert_true(s.changed_clusters > 0);
    cuda_kit_close(&k);
}

// ---- memory

// An update after edits fails at each of its allocations in turn; the next one is as if there had
// been none.
static void update_without_memory(void** state) {
    (void)state;
    for (size_t n = 1, done = 0; !done; n++) {
        test_allocator memory = {0};
        fracas_context* context = kit_context(1, &memory);
        fracas_cuda_context* cuda;
        fracas_body body[3];
        fracas_statistics found = {0};
        const fracas_sink sink = {.statistics = &found};
        cuda_kit k = {.context = context};
        KIT_OK(context, fracas_cuda_context_create(context, NULL, &cuda));
        KIT_OK(context, fracas_cuda_scene_create(cuda, NULL, &k.scene[1]));
        kit one = {context, k.scene[1]};
        for (int i = 0; i < 3; i++) body[i] = kit_add_strip(&one, 20, i, FRACAS_MOTION_DEFORMING);
        KIT_OK(context, fracas_scene_update(k.scene[1]));
        KIT_OK(context, fracas_scene_remove(k.scene[1], body[0]));
        for (int i = 0; i < 3; i++) kit_add_strip(&one, SQUARES, 1, FRACAS_MOTION_DEFORMING);
        test_allocator_fail_at(&memory, n);
        const fracas_status status = fracas_scene_update(k.scene[1]);
        test_allocator_fail_at(&memory, 0);
        done = status == FRACAS_OK;
        assert_true(done || status == FRACAS_ERROR_OUT_OF_MEMORY);
        assert_true(n > 20 || !done);
        KIT_OK(context, fracas_scene_update(k.scene[1]));
        KIT_OK(context, fracas_scene_detect(k.scene[1], NULL, &sink));
        require_copy(&k, "an update without memory");
        assert_true(found.contacts[FRACAS_CONTACT_EE] > 0);
        fracas_scene_destroy(k.scene[1]);
        fracas_cuda_context_destroy(cuda);
        fracas_context_destroy(context);
        assert_true(memory.live == 0 && memory.blocks == 0);
    }
}

// ---- the order

// Loose triangles that change their places: the order of the body decays, and is made anew.
static void order_decays(void** state) {
    enum { COUNT = 640, QUERIES = 70 };
    static double points[2][3 * COUNT][3];
    static uint32_t corners[COUNT][3];
    (void)state;
    cuda_kit k = cuda_kit_open(1);
    uint64_t random = 7;
    for (uint32_t i = 0; i < 3 * COUNT; i++)
        for (uint32_t c = 0; c < 3; c++)
            for (uint32_t e = 0; e < 2; e++)
                points[e][i][c] = (e ? (double)(i / 3 * 411 % COUNT) : (double)(i / 3)) * (c == 0) +
                                  kit_uniform(&random, 0, 1.5);
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t c = 0; c < 3; c++) corners[i][c] = 3 * i + c;
    fracas_body body;
    const fracas_mesh_view mesh =
        kit_mesh((const double(*)[3])points[0], 3 * COUNT, (const uint32_t(*)[3])corners, COUNT);
    const fracas_points moved = {.data = (const double(*)[3])points[1], .count = 3 * COUNT};
    const fracas_query query = fracas_scene_default_query();
    for (int i = 0; i < 2; i++) KIT_OK(k.context, fracas_scene_add(k.scene[i], &mesh, NULL, &body));
    const frc_followed* f = &mirror_of(&k)->followed;
    for (int n = 0; n < QUERIES; n++) {
        for (int i = 0; i < 2 && n >= QUERIES / 2; i++) {
            KIT_OK(k.context, fracas_scene_move(k.scene[i], body, &moved));
            if (n == QUERIES / 2) KIT_OK(k.context, fracas_scene_update(k.scene[i]));
            KIT_OK(k.context, fracas_scene_advance(k.scene[i]));
        }
        cuda_kit_detect(&k, &query, "loose triangles");
        if (n == QUERIES / 2) assert_int_equal(f->ordered, 0);
    }
    assert_int_equal(f->ordered, 7 * COUNT);
    require_copy(&k, "loose triangles");
    cuda_kit_close(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_edit_copies_what_it_changes),
                                       cmocka_unit_test(update_without_memory),
                                       cmocka_unit_test(order_decays),
                                       cmocka_unit_test(a_step_copies_one_end),
                                       cmocka_unit_test(random_steps),
                                       cmocka_unit_test(built_in_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
