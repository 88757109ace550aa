// Contacts in blocks of records, limits on their number, and the places of contacts. Blocks must be
// the same on any number of workers, hold what fracas_scene_detect reports, and need memory for one
// block only; a counting allocator measures it.
#include "common_kit.h"
#include "context_kit.h"
#include "fracas/stream.h"
#include <math.h>
#include <stdlib.h>

// ---- a crushed state: triangles at random places, moving at random, in three bodies

enum { TRIANGLES = 500, BODIES = 3 };

static fracas_scene* make_scene(fracas_context* context, uint32_t triangles, double size,
                                fracas_body bodies[BODIES]) {
    fracas_scene* scene;
    uint64_t state = 11;
    const uint32_t count = 3 * triangles;
    double(*points)[3] = malloc(count * sizeof *points);
    uint32_t* corners = malloc(count * sizeof *corners);
    KIT_OK(context, fracas_scene_create(context, NULL, &scene));
    for (int b = 0; b < BODIES; b++) {
        for (uint32_t i = 0; i < count; i++) {
            corners[i] = i;
            for (int k = 0; k < 3; k++)
                points[i][k] = i % 3 ? points[i - i % 3][k] + kit_uniform(&state, -size, size)
                                     : kit_uniform(&state, 0, 1);
        }
        const uint32_t edge[2] = {0, 4}, vertex[1] = {7};
        const fracas_mesh_view mesh = {
            .points = {.data = points, .count = count},
            .triangles = corners,
            .triangle_count = triangles,
            .edges = edge,
            .edge_count = 1,
            .vertices = vertex,
            .vertex_count = 1
        };
        KIT_OK(context, fracas_scene_add(scene, &mesh, NULL, &bodies[b]));
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) points[i][k] += kit_uniform(&state, -size, size);
        KIT_OK(context, fracas_scene_move(scene, bodies[b], &mesh.points));
    }
    KIT_OK(context, fracas_scene_update(scene));
    free(points);
    free(corners);
    return scene;
}

// ---- blocks to contacts

typedef struct kept {
    fracas_contact* data;
    size_t count, capacity, blocks, stop_after;
    uint32_t block_contacts, values;
} kept;

static bool keep_block(const fracas_contact_block* b, void* user) {
    kept* k = user;
    assert_true(b->count > 0 && b->count <= k->block_contacts);
    assert_true((b->toi != NULL) == ((k->values & FRACAS_RECORD_TOI) != 0));
    assert_true((b->parameters != NULL) == ((k->values & FRACAS_RECORD_PARAMETERS) != 0));
    assert_true((b->normals != NULL) == ((k->values & FRACAS_RECORD_NORMALS) != 0));
    assert_true((b->distances != NULL) == ((k->values & FRACAS_RECORD_DISTANCES) != 0));
    assert_true((b->closest != NULL) == ((k->values & FRACAS_RECORD_CLOSEST) != 0));
    if (k->count + b->count > k->capacity) {
        k->capacity = 2 * (k->count + b->count);
        k->data = realloc(k->data, k->capacity * sizeof *k->data);
    }
    uint32_t next = 0;
    for (uint32_t r = 0; r < b->run_count; r++) {
        const fracas_contact_run* run = &b->runs[r];
        assert_int_equal(run->first, next);
        assert_true(run->count > 0);
        for (uint32_t i = next; i < next + run->count; i++) {
            fracas_contact* c = &k->data[k->count++];
            memset(c, 0, sizeof *c);
            c->kind = run->kind;
            c->body_a = run->body_a;
            c->body_b = run->body_b;
            memcpy(c->a, b->records[i].a, sizeof c->a);
            memcpy(c->b, b->records[i].b, sizeof c->b);
            if (b->toi) c->toi = b->toi[i];
            if (b->parameters) c->u = b->parameters[2 * i], c->v = b->parameters[2 * i + 1];
            if (b->normals) memcpy(c->normal, b->normals + 3 * (size_t)i, sizeof c->normal);
            if (b->distances) c->distance = b->distances[i];
            if (b->closest) c->closest = b->closest[i];
        }
        next += run->count;
    }
    assert_int_equal(next, b->count);
    return ++k->blocks != k->stop_after;
}

enum { ALL = 31 };

static fracas_stream stream_to(kept* k, uint32_t block_contacts, uint32_t values,
                               fracas_statistics* statistics) {
    fracas_stream stream = fracas_scene_default_stream();
    k->count = k->blocks = 0;
    k->block_contacts = stream.block_contacts = block_contacts;
    k->values = stream.values = values;
    stream.report = keep_block;
    stream.user = k;
    stream.statistics = statistics;
    return stream;
}

static int compare_words(const void* x, const void* y) {
    const fracas_contact *a = x, *b = y;
    const uint32_t p[7] = {(uint32_t)a->kind, a->body_a.index, a->body_b.index, a->a[0] + 1,
                           a->a[1] + 1,       a->b[0] + 1,     a->b[1] + 1};
    const uint32_t q[7] = {(uint32_t)b->kind, b->body_a.index, b->body_b.index, b->a[0] + 1,
                           b->a[1] + 1,       b->b[0] + 1,     b->b[1] + 1};
    for (int i = 0; i < 7; i++)
        if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
    return 0;
}

static void same_contacts(const fracas_contact* a, const fracas_contact* b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(compare_words(&a[i], &b[i]), 0);
        assert_memory_equal(&a[i].toi, &b[i].toi, sizeof a->toi);
        assert_true(a[i].u == b[i].u && a[i].v == b[i].v && a[i].distance == b[i].distance);
        assert_memory_equal(a[i].normal, b[i].normal, sizeof a->normal);
        assert_int_equal(a[i].closest, b[i].closest);
    }
}

// ---- the same contacts

static fracas_query query_of(int mode) {
    fracas_query query = fracas_scene_default_query();
    query.modes = mode == 1 ? FRACAS_MODE_DISCRETE : mode == 2 ? FRACAS_MODE_BOTH : query.modes;
    if (mode == 3) query.min_separation = 0.01;
    return query;
}

static void detect(fracas_scene* scene, int mode, const fracas_query* query,
                   const fracas_sink* sink) {
    assert_int_equal(mode == 4 ? fracas_scene_nearby(scene, 0.03, sink)
                               : fracas_scene_detect(scene, query, sink),
                     FRACAS_OK);
}

static void stream(fracas_context* context, fracas_scene* scene, int mode,
                   const fracas_query* query, const fracas_stream* to) {
    KIT_OK(context, mode == 4 ? fracas_scene_stream_nearby(scene, 0.03, to)
                              : fracas_scene_stream(scene, query, to));
}

static void test_same_contacts(void** unused) {
    (void)unused;
    enum { SIZES = 4 };
    const uint32_t sizes[SIZES] = {1 << 20, 4000, 256, 20};
    kept first[5][SIZES] = {{{0}}};
    for (uint32_t workers = 1; workers <= 3; workers++) {
        fracas_context* context = kit_context(workers, NULL);
        fracas_body bodies[BODIES];
        fracas_scene* scene = make_scene(context, TRIANGLES, 0.08, bodies);
        fracas_contacts* contacts;
        KIT_OK(context, fracas_contacts_create(context, &contacts));
        for (int mode = 0; mode < 5; mode++) {
            const fracas_query query = query_of(mode);
            const fracas_sink sink = fracas_contacts_get_sink(contacts);
            size_t count;
            detect(scene, mode, &query, &sink);
            const fracas_contact* wanted = fracas_contacts_get_data(contacts, &count);
            const fracas_statistics* s = fracas_contacts_get_statistics(contacts);
            assert_true(count > 1000);
            for (int i = 0; i < SIZES; i++) {
                kept k = {0};
                fracas_statistics statistics;
                const fracas_stream to = stream_to(&k, sizes[i], ALL, &statistics);
                stream(context, scene, mode, &query, &to);
                assert_int_equal(k.count, count);
                assert_true(k.blocks >= count / sizes[i]);
                assert_memory_equal(statistics.contacts, s->contacts, sizeof s->contacts);
                assert_true(statistics.earliest_toi == s->earliest_toi);
                assert_int_equal(statistics.limit_reached, 0);
                if (workers == 1)
                    first[mode][i] = k;
                else
                    same_contacts(k.data, first[mode][i].data, count);
                if (workers > 1 && i > 0) free(k.data);
                if (workers == 1 || i > 0) continue;
                // One block for each mode: in the order of the query.
                same_contacts(k.data, wanted, count);
                free(k.data);
            }
            if (workers < 3) continue;
            for (int i = 0; i < SIZES; i++) {
                qsort(first[mode][i].data, count, sizeof(fracas_contact), compare_words);
                same_contacts(first[mode][i].data, wanted, count);
                free(first[mode][i].data);
            }
        }
        fracas_contacts_destroy(contacts);
        fracas_scene_destroy(scene);
        fracas_context_destroy(context);
    }
}

// ---- limits

static bool contains(const fracas_contact* list, size_t count, const fracas_contact* c) {
    return bsearch(c, list, count, sizeof *list, compare_words) != NULL;
}

// The contacts of a query with this limit, and those of a stream.
static void check_limit(fracas_context* context, const fracas_scene* scene, uint64_t most,
                        const fracas_contact* whole, size_t total, fracas_contacts* some) {
    const uint64_t want = most < total ? most : total;
    fracas_query query = query_of(2);
    query.max_contacts = most;
    const fracas_sink sink = fracas_contacts_get_sink(some);
    KIT_OK(context, fracas_scene_detect(scene, &query, &sink));
    size_t count;
    const fracas_contact* data = fracas_contacts_get_data(some, &count);
    const fracas_statistics* s = fracas_contacts_get_statistics(some);
    uint64_t counted = 0;
    assert_int_equal(count, want);
    assert_int_equal(s->limit_reached, most < total);
    for (int k = 0; k < 6; k++) counted += s->contacts[k];
    assert_int_equal(counted, want);
    double earliest = INFINITY;
    for (size_t j = 0; j < count; j++) {
        assert_true(contains(whole, total, &data[j]));
        assert_true(j == 0 || compare_words(&data[j - 1], &data[j]) < 0);
        if (data[j].kind >= FRACAS_CONTACT_VF && data[j].toi < earliest) earliest = data[j].toi;
    }
    assert_true(s->earliest_toi == earliest);
    // The stream stops at the same contact.
    kept k = {0};
    fracas_statistics t;
    const fracas_stream to = stream_to(&k, 65536, ALL, &t);
    KIT_OK(context, fracas_scene_stream(scene, &query, &to));
    assert_int_equal(k.count, want);
    assert_int_equal(t.limit_reached, most < total);
    assert_memory_equal(t.contacts, s->contacts, sizeof t.contacts);
    qsort(k.data, k.count, sizeof *k.data, compare_words);
    same_contacts(k.data, data, count);
    free(k.data);
}

static void test_limits(void** unused) {
    (void)unused;
    fracas_contact* first = NULL;
    for (uint32_t workers = 1; workers <= 3; workers++) {
        fracas_context* context = kit_context(workers, NULL);
        fracas_body bodies[BODIES];
        fracas_scene* scene = make_scene(context, TRIANGLES, 0.08, bodies);
        fracas_contacts *all, *some;
        KIT_OK(context, fracas_contacts_create(context, &all));
        KIT_OK(context, fracas_contacts_create(context, &some));
        fracas_query query = query_of(2);
        fracas_sink sink = fracas_contacts_get_sink(all);
        KIT_OK(context, fracas_scene_detect(scene, &query, &sink));
        size_t total, count;
        const fracas_contact* whole = fracas_contacts_get_data(all, &total);
        const fracas_statistics* s = fracas_contacts_get_statistics(all);
        const uint64_t discrete = s->contacts[0] + s->contacts[1];
        assert_int_equal(s->limit_reached, 0);
        // One, around the end of the discrete contacts, one less than all, all, more.
        const uint64_t limits[] = {1,     discrete - 1, discrete,    total - 1,
                                   total, total + 1,    discrete + 1};
        enum { LIMITS = sizeof limits / sizeof *limits };
        for (int i = 0; i < LIMITS; i++) check_limit(context, scene, limits[i], whole, total, some);
        const fracas_contact* data = fracas_contacts_get_data(some, &count);
        if (!first) {
            first = malloc(count * sizeof *first);
            memcpy(first, data, count * sizeof *first);
        }
        same_contacts(data, first, count);
        // `first` looks at all contacts.
        query.max_contacts = 1;
        query.first = true;
        sink = fracas_contacts_get_sink(some);
        KIT_OK(context, fracas_scene_detect(scene, &query, &sink));
        const fracas_contact* earliest = fracas_contacts_get_data(some, &count);
        assert_true(count == 1 && earliest->toi == s->earliest_toi);
        fracas_contacts_destroy(all);
        fracas_contacts_destroy(some);
        fracas_scene_destroy(scene);
        fracas_context_destroy(context);
    }
    free(first);
}

// ---- places

static void check_place(const fracas_scene* scene, const fracas_contact* c,
                        const fracas_contact_place* p, bool nearby) {
    const bool face_a = c->kind == FRACAS_CONTACT_TT;
    const bool face_b = c->kind <= FRACAS_CONTACT_VF;
    const fracas_body bodies[2] = {c->body_a, c->body_b};
    const uint32_t* index[2] = {c->a, c->b};
    const uint32_t counts[2] = {p->a_count, p->b_count};
    double gap = 0;
    for (int side = 0; side < 2; side++) {
        const uint32_t* got = side ? p->b : p->a;
        uint32_t wanted[3] = {index[side][0], index[side][1], FRACAS_NONE}, count = 0;
        if (side ? face_b : face_a)
            assert_int_equal(fracas_scene_get_triangle(scene, bodies[side], index[side][0], wanted),
                             FRACAS_OK);
        assert_memory_equal(got, wanted, sizeof wanted);
        while (count < 3 && wanted[count] != FRACAS_NONE) count++;
        assert_int_equal(counts[side], count);
        if (c->kind <= FRACAS_CONTACT_ET) continue;
        // The point, from the positions that the scene reports.
        const double u = c->kind == FRACAS_CONTACT_EE && side ? c->v : c->u;
        const double w[3] = {count == 1 ? 1 : count == 2 ? 1 - u : 1 - c->u - c->v, u, c->v};
        const double* point = side ? p->point_b : p->point_a;
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (uint32_t i = 0; i < count; i++) {
                double x0[3], x1[3];
                assert_int_equal(fracas_scene_get_vertex(scene, bodies[side], wanted[i], x0, x1),
                                 FRACAS_OK);
                sum += w[i] * (nearby ? x1[k] : (1 - c->toi) * x0[k] + c->toi * x1[k]);
            }
            assert_true(fabs(sum - point[k]) < 1e-12);
        }
    }
    for (int k = 0; k < 3; k++) gap += pow(p->point_a[k] - p->point_b[k], 2);
    if (c->kind > FRACAS_CONTACT_ET)
        assert_true(fabs(sqrt(gap) - c->distance) < (nearby ? 1e-12 : 1e-6));
}

static void test_places(void** unused) {
    (void)unused;
    for (uint32_t workers = 1; workers <= 2; workers++) {
        fracas_context* context = kit_context(workers, NULL);
        fracas_body bodies[BODIES];
        fracas_scene* scene = make_scene(context, TRIANGLES, 0.1, bodies);
        fracas_contacts* contacts;
        KIT_OK(context, fracas_contacts_create(context, &contacts));
        fracas_contact_place* places = NULL;
        for (int mode = 2; mode <= 4; mode += 2) {
            const fracas_query query = query_of(mode);
            const fracas_sink sink = fracas_contacts_get_sink(contacts);
            size_t count;
            detect(scene, mode, &query, &sink);
            const fracas_contact* data = fracas_contacts_get_data(contacts, &count);
            assert_true(count > 3000);
            places = realloc(places, count * sizeof *places);
            const fracas_place_time time = mode == 4 ? FRACAS_PLACE_AT_END : FRACAS_PLACE_AT_IMPACT;
            KIT_OK(context, fracas_scene_place_contacts(scene, data, count, time, places));
            for (size_t i = 0; i < count; i++) check_place(scene, &data[i], &places[i], mode == 4);
            // The first bad contact is named, and nothing is written.
            fracas_contact* bad = malloc(count * sizeof *bad);
            memcpy(bad, data, count * sizeof *bad);
            bad[2500].b[0] = 1 << 30;
            bad[2900].body_a.generation += 9;
            const fracas_contact_place before = places[0];
            places[1].a_count = 99;
            KIT_REFUSED(context, fracas_scene_place_contacts(scene, bad, count, time, places),
                        FRACAS_ERROR_BAD_DATA, "contact 2500 (");
            assert_memory_equal(&places[0], &before, sizeof before);
            assert_int_equal(places[1].a_count, 99);
            bad[7].kind = (fracas_contact_kind)9;
            KIT_REFUSED(context, fracas_scene_place_contacts(scene, bad, count, time, places),
                        FRACAS_ERROR_BAD_DATA, "contact 7 (kind 9");
            KIT_REFUSED(
                context,
                fracas_scene_place_contacts(scene, bad, count, (fracas_place_time)2, places),
                FRACAS_ERROR_INVALID_ARGUMENT, "no fracas_place_time");
            free(bad);
        }
        free(places);
        fracas_contacts_destroy(contacts);
        fracas_scene_destroy(scene);
        fracas_context_destroy(context);
    }
}

// ---- memory, stopping, failures

static size_t peak, live;

static void* counted_allocate(size_t size, size_t alignment, void* user) {
    (void)user;
    live += size;
    if (live > peak) peak = live;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counted_release(void* memory, size_t size, void* user) {
    (void)user;
    if (memory) live -= size;
    free(memory);
}

static bool count_only(const fracas_contact_block* b, void* user) {
    *(size_t*)user += b->count;
    return true;
}

// The bytes that a stream needs beyond the scene do not grow with the number of contacts.
static void test_memory_is_bounded(void** unused) {
    (void)unused;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator = (fracas_allocator){counted_allocate, counted_release, NULL};
    enum { BLOCK = 2048 };
    size_t used[2], total[2];
    for (int i = 0; i < 2; i++) {
        fracas_context* context;
        fracas_body bodies[BODIES];
        live = peak = 0;
        assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
        fracas_scene* scene = make_scene(context, i ? 800 : 400, 0.2, bodies);
        const size_t before = peak = live;
        fracas_stream to = fracas_scene_default_stream();
        to.block_contacts = BLOCK;
        to.values = ALL;
        to.report = count_only;
        to.user = &total[i];
        total[i] = 0;
        KIT_OK(context, fracas_scene_stream(scene, NULL, &to));
        used[i] = peak - before;
        fracas_scene_destroy(scene);
        fracas_context_destroy(context);
        assert_int_equal(live, 0);
    }
    if (total[0] < 10 * BLOCK || total[1] < 3 * total[0])
        fail_msg("only %zu and %zu contacts", total[0], total[1]);
    // 450 bytes for each contact of a block, and the state of one worker.
    const size_t worker = 2 << 20;
    if (used[0] > worker + 450 * BLOCK || 4 * used[1] > 5 * used[0])
        fail_msg("%zu and %zu bytes", used[0], used[1]);
    assert_int_equal(sizeof(fracas_contact_record), 16);
}

static void test_stop(void** unused) {
    (void)unused;
    fracas_context* context = kit_context(2, NULL);
    fracas_body bodies[BODIES];
    fracas_scene* scene = make_scene(context, TRIANGLES, 0.08, bodies);
    kept k = {.stop_after = 3};
    const fracas_query query = query_of(2);
    const fracas_stream to = stream_to(&k, 100, 0, NULL);
    KIT_OK(context, fracas_scene_stream(scene, &query, &to));
    assert_int_equal(k.blocks, 3);
    free(k.data);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
}

// Progress grows to 1 whatever is repeated; the callback cancels.
static void test_progress(void** unused) {
    (void)unused;
    kit_progress progress = {0};
    fracas_context* context = kit_progress_context(2, &progress);
    fracas_body bodies[BODIES];
    fracas_scene* scene = make_scene(context, TRIANGLES, 0.08, bodies);
    const fracas_query query = query_of(2);
    for (uint32_t cancel_at = 0; cancel_at < 40; cancel_at += 13) {
        kept k = {0};
        const fracas_stream to = stream_to(&k, 300, 0, NULL);
        progress = (kit_progress){.cancel_at = cancel_at};
        const fracas_status status = fracas_scene_stream(scene, &query, &to);
        assert_int_equal(status, cancel_at ? FRACAS_ERROR_CANCELLED : FRACAS_OK);
        if (!cancel_at) assert_true(progress.last == 1 && progress.calls > 50);
        free(k.data);
    }
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
}

static void test_failed_allocations(void** unused) {
    (void)unused;
    test_allocator memory = {0};
    fracas_context* context = kit_context(2, &memory);
    fracas_body bodies[BODIES];
    fracas_scene* scene = make_scene(context, 120, 0.15, bodies);
    fracas_contacts* contacts;
    KIT_OK(context, fracas_contacts_create(context, &contacts));
    for (int call = 0; call < 2; call++) {
        fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
        for (size_t n = 1; status != FRACAS_OK; n++) {
            const size_t live_before = memory.live;
            kept k = {0};
            fracas_query query = query_of(2);
            const fracas_stream to = stream_to(&k, 50, ALL, NULL);
            fracas_sink sink = fracas_contacts_get_sink(contacts);
            query.max_contacts = call ? 60 : 0;
            test_allocator_fail_at(&memory, n);
            status = call ? fracas_scene_detect(scene, &query, &sink)
                          : fracas_scene_stream(scene, &query, &to);
            test_allocator_fail_at(&memory, 0);
            if (status != FRACAS_OK) {
                assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
                assert_non_null(strstr(kit_message(context), "out of memory"));
            }
            assert_true(n > 1 || memory.live <= live_before);
            free(k.data);
            assert_true(n < 2000);
        }
    }
    fracas_contacts_destroy(contacts);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
}

static void test_misuse(void** unused) {
    (void)unused;
    fracas_context* context = kit_context(1, NULL);
    fracas_body bodies[BODIES];
    fracas_scene* scene = make_scene(context, 10, 0.1, bodies);
    const fracas_status wanted = FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_stream to = {0};
    KIT_REFUSED(context, fracas_scene_stream(scene, NULL, &to), wanted,
                "fracas_scene_default_stream");
    to = fracas_scene_default_stream();
    to.block_contacts = 0;
    KIT_REFUSED(context, fracas_scene_stream(scene, NULL, &to), wanted, "block_contacts is 0");
    to = fracas_scene_default_stream();
    to.values = 32;
    KIT_REFUSED(context, fracas_scene_stream_nearby(scene, 1, &to), wanted, "values is 32");
    to.values = 0;
    KIT_REFUSED(context, fracas_scene_stream_nearby(scene, NAN, &to), wanted, "the distance is");
    fracas_query query = fracas_scene_default_query();
    query.first = true;
    KIT_REFUSED(context, fracas_scene_stream(scene, &query, &to), wanted, "first is set");
    fracas_scene* empty;
    KIT_OK(context, fracas_scene_create(context, NULL, &empty));
    KIT_REFUSED(context, fracas_scene_stream(empty, NULL, &to), wanted, "fracas_scene_update");
    KIT_OK(context, fracas_scene_update(empty));
    KIT_OK(context, fracas_scene_stream(empty, NULL, &to));
    fracas_scene_destroy(empty);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_contacts),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_memory_is_bounded),
                                       cmocka_unit_test(test_stop),
                                       cmocka_unit_test(test_progress),
                                       cmocka_unit_test(test_failed_allocations),
                                       cmocka_unit_test(test_misuse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
