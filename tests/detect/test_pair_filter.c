// What a filter leaves out equals what a slow test of each contact leaves out of the whole list;
// filters through edits; bad filters; failed allocations.
#include "context_kit.h"
#include "near_kit.h"
#include "scene/scene.h"
#include "share.h"

enum { QUERIES = 4 };

// Nearby pairs, candidates, continuous and discrete contacts.
static void ask(const near_scene* s, int which, near_list* out) {
    const fracas_sink sink = near_sink(out);
    fracas_query query = fracas_scene_default_query();
    fracas_status status = FRACAS_OK;
    if (which == 0) status = fracas_scene_nearby(s->k.scene, 0.25, &sink);
    if (which == 1) status = fracas_scene_candidates(s->k.scene, 0.0625, &sink);
    if (which == 2) status = fracas_scene_detect(s->k.scene, &query, &sink);
    query.modes = FRACAS_MODE_DISCRETE;
    if (which == 3) status = fracas_scene_detect(s->k.scene, &query, &sink);
    KIT_OK(s->k.context, status);
}

// ---- the slow tests

// Edges on the shortest path between two vertices of a body, in its triangles and free edges.
static void find_paths(const near_body* body, bool last, uint32_t out[NEAR_POINTS][NEAR_POINTS]) {
    static const uint32_t FREE[3][2] = {
        {0,  7 },
        {9,  20},
        {30, 3 }
    };
    for (int i = 0; i < NEAR_POINTS; i++)
        for (int j = 0; j < NEAR_POINTS; j++) out[i][j] = i == j ? 0 : 1000;
    const int triangles = last ? NEAR_SIDE : 2 * NEAR_SIDE * NEAR_SIDE;
    for (int t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t a = body->triangles[t][k], b = body->triangles[t][(k + 1) % 3];
            out[a][b] = out[b][a] = 1;
        }
    for (int e = 0; e < 3 && last; e++)
        out[FREE[e][0]][FREE[e][1]] = out[FREE[e][1]][FREE[e][0]] = 1;
    for (int k = 0; k < NEAR_POINTS; k++)
        for (int i = 0; i < NEAR_POINTS; i++)
            for (int j = 0; j < NEAR_POINTS; j++)
                if (out[i][k] + out[k][j] < out[i][j]) out[i][j] = out[i][k] + out[k][j];
}

typedef struct slow {
    uint32_t rings;
    uint32_t paths[NEAR_BODIES][NEAR_POINTS][NEAR_POINTS];
    const fracas_vertex_pair* pairs;
    size_t pair_count;
    near_list near_at_rest, cross_at_rest;  // of the scene in its rest shape
    bool rest;
    bool callback;
} slow;

static bool in_rings(const slow* f, const near_scene* s, const fracas_contact* c) {
    uint32_t a[3], b[3];
    const int m = near_corners(s, c, 0, a), n = near_corners(s, c, 1, b);
    const int body = near_body_of(c->body_a);
    if (f->rings == 0 || body != near_body_of(c->body_b)) return false;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            if (f->paths[body][a[i]][b[j]] <= f->rings) return true;
    return false;
}

static bool is_listed(const slow* f, fracas_body x, uint32_t i, fracas_body y, uint32_t j) {
    if (kit_same_body(x, y) && i == j) return true;
    for (size_t k = 0; k < f->pair_count; k++) {
        const fracas_vertex_pair* p = &f->pairs[k];
        if (kit_same_body(p->body_a, x) && kit_same_body(p->body_b, y) && p->vertex_a == i &&
            p->vertex_b == j)
            return true;
        if (kit_same_body(p->body_b, x) && kit_same_body(p->body_a, y) && p->vertex_b == i &&
            p->vertex_a == j)
            return true;
    }
    return false;
}

static bool all_listed(const slow* f, const near_scene* s, const fracas_contact* c) {
    uint32_t a[3], b[3];
    const int m = near_corners(s, c, 0, a), n = near_corners(s, c, 1, b);
    if (f->pair_count == 0) return false;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            if (!is_listed(f, c->body_a, a[i], c->body_b, b[j])) return false;
    return true;
}

static bool contains(const near_list* list, const fracas_contact* c) {
    for (size_t i = 0; i < list->count; i++)
        if (near_same_pair(&list->data[i], c)) return true;
    return false;
}

static bool has_corners(const near_scene* s, const fracas_contact* c, int side, fracas_body body,
                        const uint32_t* of, int of_count) {
    uint32_t corner[3];
    if (!kit_same_body(side ? c->body_b : c->body_a, body)) return false;
    const int count = near_corners(s, c, side, corner);
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (int j = 0; j < of_count; j++) found |= corner[i] == of[j];
        if (!found) return false;
    }
    return true;
}

// Two triangles, or a free edge and a triangle, are near when features of them are, when they
// intersect, or when they have a common vertex.
static bool triangles_near(const slow* f, const near_scene* s, const fracas_contact* c) {
    uint32_t a[3], b[3];
    const int m = near_corners(s, c, 0, a), n = near_corners(s, c, 1, b);
    if (contains(&f->cross_at_rest, c)) return true;
    for (int i = 0; i < m * n && kit_same_body(c->body_a, c->body_b); i++)
        if (a[i % m] == b[i / m]) return true;
    for (size_t i = 0; i < f->near_at_rest.count; i++) {
        const fracas_contact* p = &f->near_at_rest.data[i];
        if ((has_corners(s, p, 0, c->body_a, a, m) && has_corners(s, p, 1, c->body_b, b, n)) ||
            (has_corners(s, p, 1, c->body_a, a, m) && has_corners(s, p, 0, c->body_b, b, n)))
            return true;
    }
    return false;
}

static bool even(const fracas_contact* c, void* user) {
    (void)user;
    return (c->a[0] + c->b[0]) % 2 == 0;
}

static bool keeps(const slow* f, const near_scene* s, const fracas_contact* c) {
    if (in_rings(f, s, c) || all_listed(f, s, c)) return false;
    if (f->rest && c->kind <= FRACAS_CONTACT_ET && triangles_near(f, s, c)) return false;
    if (f->rest && c->kind > FRACAS_CONTACT_ET && contains(&f->near_at_rest, c)) return false;
    return !f->callback || even(c, NULL);
}

static void compare(const near_scene* s, const slow* f, const fracas_pair_filter* filter,
                    uint64_t left_out[QUERIES], uint64_t kept[QUERIES]) {
    near_list all = {0}, wanted = {0}, got = {0};
    for (int q = 0; q < QUERIES; q++) {
        KIT_OK(s->k.context, fracas_scene_set_filter(s->k.scene, NULL));
        KIT_OK(s->k.context, fracas_scene_update(s->k.scene));
        ask(s, q, &all);
        wanted.count = 0;
        for (size_t i = 0; i < all.count; i++)
            if (keeps(f, s, &all.data[i])) near_push(&wanted, &all.data[i]);
        KIT_OK(s->k.context, fracas_scene_set_filter(s->k.scene, filter));
        KIT_OK(s->k.context, fracas_scene_update(s->k.scene));
        ask(s, q, &got);
        near_expect_same(&got, &wanted);
        assert_int_equal(got.statistics.left_out, all.count - wanted.count);
        left_out[q] += all.count - wanted.count, kept[q] += wanted.count;
    }
    free(all.data), free(wanted.data), free(got.data);
}

// Every query leaves out something, and keeps something.
static void expect_both(const uint64_t left_out[QUERIES], const uint64_t kept[QUERIES]) {
    for (int q = 0; q < QUERIES; q++)
        if (left_out[q] == 0 || kept[q] == 0)
            fail_msg("query %d: %llu left out, %llu kept", q, (unsigned long long)left_out[q],
                     (unsigned long long)kept[q]);
}

// ---- against the whole list

static slow* make_slow(const near_scene* s) {
    slow* f = calloc(1, sizeof *f);
    for (int b = 0; b < NEAR_BODIES; b++)
        find_paths(&s->body[b], b == NEAR_BODIES - 1, f->paths[b]);
    return f;
}

static void rings(void** state) {
    (void)state;
    uint64_t random = 11, left_out[QUERIES] = {0}, kept[QUERIES] = {0};
    for (uint32_t round = 0; round < 2 + share_of(8); round++) {
        near_scene* s = near_create(1 + round % 2, &random, 1.5);
        slow* f = make_slow(s);
        fracas_pair_filter filter = fracas_scene_default_filter();
        for (f->rings = 1; f->rings <= 4; f->rings++) {
            filter.rings = f->rings;
            compare(s, f, &filter, left_out, kept);
        }
        free(f);
        near_destroy(s);
    }
    expect_both(left_out, kept);
}

static void vertex_pairs(void** state) {
    (void)state;
    uint64_t random = 12, left_out[QUERIES] = {0}, kept[QUERIES] = {0};
    for (uint32_t round = 0; round < 2 + share_of(4); round++) {
        near_scene* s = near_create(1, &random, 0.5);
        slow* f = make_slow(s);
        // Most pairs of two bodies, and of one body.
        fracas_vertex_pair* pairs = calloc(2 * NEAR_POINTS * NEAR_POINTS, sizeof *pairs);
        for (uint32_t i = 0; i < NEAR_POINTS; i++)
            for (uint32_t j = 0; j < NEAR_POINTS; j++) {
                if (kit_random(&random) % 12 == 0) continue;
                pairs[f->pair_count++] =
                    (fracas_vertex_pair){s->body[1].handle, s->body[0].handle, i, j};
                if (i < j)
                    pairs[f->pair_count++] =
                        (fracas_vertex_pair){s->body[2].handle, s->body[2].handle, j, i};
            }
        f->pairs = pairs;
        fracas_pair_filter filter = fracas_scene_default_filter();
        filter.vertex_pairs = pairs;
        filter.vertex_pair_count = f->pair_count;
        compare(s, f, &filter, left_out, kept);
        free(pairs), free(f);
        near_destroy(s);
    }
    expect_both(left_out, kept);
}

// Rest shapes of the bodies `first` and later ones, as floats or doubles.
static void rest_shapes(void** state) {
    (void)state;
    uint64_t random = 13, left_out[QUERIES] = {0}, kept[QUERIES] = {0};
    for (uint32_t round = 0; round < 2 + share_of(8); round++) {
        near_scene* s = near_create(1, &random, 0.5);
        near_scene* at_rest = near_create(1, &random, 0);
        slow* f = make_slow(s);
        const double distance = 0.125;
        const int first = (int)(round % 2);
        fracas_rest_shape shapes[NEAR_BODIES];
        for (int b = first; b < NEAR_BODIES; b++)
            shapes[b - first] = (fracas_rest_shape){
                s->body[b].handle, {.data = at_rest->body[b].at[0], .count = NEAR_POINTS}
            };
        fracas_sink sink = near_sink(&f->near_at_rest);
        KIT_OK(s->k.context, fracas_scene_nearby(at_rest->k.scene, distance, &sink));
        fracas_query query = fracas_scene_default_query();
        query.modes = FRACAS_MODE_DISCRETE;
        sink = near_sink(&f->cross_at_rest);
        KIT_OK(s->k.context, fracas_scene_detect(at_rest->k.scene, &query, &sink));
        // Without pairs of bodies that have no rest shape.
        near_list* lists[2] = {&f->near_at_rest, &f->cross_at_rest};
        for (int k = 0; k < 2; k++) {
            size_t n = 0;
            for (size_t i = 0; i < lists[k]->count; i++) {
                const fracas_contact c = lists[k]->data[i];
                if (near_body_of(c.body_a) >= first && near_body_of(c.body_b) >= first)
                    lists[k]->data[n++] = c;
            }
            lists[k]->count = n;
        }
        f->rest = true;
        fracas_pair_filter filter = fracas_scene_default_filter();
        filter.rest_distance = distance;
        filter.rest_shapes = shapes;
        filter.rest_shape_count = (uint32_t)(NEAR_BODIES - first);
        compare(s, f, &filter, left_out, kept);
        free(f->near_at_rest.data), free(f->cross_at_rest.data), free(f);
        near_destroy(at_rest);
        near_destroy(s);
    }
    expect_both(left_out, kept);
}

static void callback(void** state) {
    (void)state;
    uint64_t random = 14, left_out[QUERIES] = {0}, kept[QUERIES] = {0};
    near_scene* s = near_create(2, &random, 0.5);
    slow* f = make_slow(s);
    f->callback = true;
    f->rings = 1;
    fracas_pair_filter filter = fracas_scene_default_filter();
    filter.keep = even;
    filter.rings = 1;
    compare(s, f, &filter, left_out, kept);
    expect_both(left_out, kept);
    // The largest step too is that of the contacts that are kept.
    near_list got = {0};
    double step, first = 1;
    const fracas_sink sink = near_sink(&got);
    KIT_OK(s->k.context, fracas_scene_detect(s->k.scene, NULL, &sink));
    for (size_t i = 0; i < got.count; i++) first = fmin(first, got.data[i].toi);
    KIT_OK(s->k.context, fracas_scene_max_step(s->k.scene, NULL, &step));
    assert_true(step == first);
    free(got.data), free(f);
    near_destroy(s);
}

// ---- edits

static size_t count_nearby(const kit* k, double distance) {
    fracas_statistics statistics;
    const fracas_sink sink = {.statistics = &statistics};
    KIT_OK(k->context, fracas_scene_update(k->scene));
    KIT_OK(k->context, fracas_scene_nearby(k->scene, distance, &sink));
    size_t all = 0;
    for (int i = 0; i < 6; i++) all += statistics.contacts[i];
    return all;
}

// A strip tears: its vertices keep their place in the filter, in the part that leaves too, and the
// new vertices have the rest position of their parents. Numbers that are used again know nothing.
static void edits_keep_the_filter(void** state) {
    (void)state;
    kit k = kit_create(1);
    const fracas_body strip = kit_add_strip(&k, 8, 0, FRACAS_MOTION_DEFORMING);
    double rest[18][3];
    for (uint32_t i = 0; i < 18; i++) {
        const double p[3] = {i / 2, i % 2, 0};
        memcpy(rest[i], p, sizeof p);
    }
    const fracas_rest_shape shape = {
        strip, {.data = rest, .count = 18}
    };
    fracas_pair_filter filter = fracas_scene_default_filter();
    filter.rest_distance = 1.5;
    filter.rest_shapes = &shape;
    filter.rest_shape_count = 1;
    assert_true(count_nearby(&k, 1.5) > 0);
    KIT_OK(k.context, fracas_scene_set_filter(k.scene, &filter));
    assert_int_equal(count_nearby(&k, 1.5), 0);
    // Triangles 8 to 15 leave: two vertices along the crack are doubled.
    uint32_t labels[16] = {0};
    for (int i = 8; i < 16; i++) labels[i] = 1;
    fracas_split_plan* plan;
    fracas_body part;
    KIT_OK(k.context, fracas_split_plan_create(k.scene, strip, labels, 16, &plan));
    assert_true(fracas_split_plan_get_split(plan)->new_vertex_count == 2);
    KIT_OK(k.context, fracas_scene_split(k.scene, strip, fracas_split_plan_get_split(plan), &part));
    fracas_split_plan_destroy(plan);
    assert_int_equal(count_nearby(&k, 1.5), 0);
    assert_true(count_nearby(&k, 2.5) > 0);
    // A vertex between two others.
    const fracas_new_vertex middle = {.parent_a = 0, .parent_b = 2, .weight = 0.5};
    const uint32_t corners[3] = {0, 2, kit_info(&k, strip).vertex_numbers};
    fracas_split cut = fracas_scene_default_split();
    cut.new_vertex_count = 1, cut.new_vertices = &middle;
    cut.new_triangle_count = 1, cut.new_triangles = corners;
    KIT_OK(k.context, fracas_scene_split(k.scene, strip, &cut, NULL));
    assert_int_equal(count_nearby(&k, 1.5), 0);
    // One without parents has no rest position.
    const fracas_new_vertex alone = {
        .parent_a = FRACAS_NONE, .parent_b = FRACAS_NONE, .t0 = {1, -1, 0},
                .t1 = {1, -1, 0}
    };
    const uint32_t fin[3] = {0, 2, kit_info(&k, strip).vertex_numbers};
    cut.new_vertices = &alone, cut.new_triangles = fin;
    KIT_OK(k.context, fracas_scene_split(k.scene, strip, &cut, NULL));
    const size_t with_fin = count_nearby(&k, 1.5);
    assert_true(with_fin > 0);
    // The ids of the part are used again by a body without a rest shape.
    const size_t before = count_nearby(&k, 1.5);
    KIT_OK(k.context, fracas_scene_remove(k.scene, part));
    const size_t without = count_nearby(&k, 1.5);
    kit_add_strip(&k, 4, 0, FRACAS_MOTION_DEFORMING);
    assert_true(count_nearby(&k, 1.5) > without && before >= without);
    kit_destroy(&k);
}

// Paths of edges follow a cut.
static void rings_follow_edits(void** state) {
    (void)state;
    kit k = kit_create(1);
    const fracas_body strip = kit_add_strip(&k, 8, 0, FRACAS_MOTION_DEFORMING);
    fracas_pair_filter filter = fracas_scene_default_filter();
    filter.rings = 3;
    KIT_OK(k.context, fracas_scene_set_filter(k.scene, &filter));
    const size_t whole = count_nearby(&k, 1.5);
    uint32_t labels[16] = {0};
    for (int i = 8; i < 16; i++) labels[i] = 1;
    fracas_split_plan* plan;
    fracas_body parts[2];
    KIT_OK(k.context, fracas_split_plan_create(k.scene, strip, labels, 16, &plan));
    KIT_OK(k.context, fracas_scene_split(k.scene, strip, fracas_split_plan_get_split(plan), parts));
    fracas_split_plan_destroy(plan);
    // Across the crack there is no path any more.
    const size_t broken = count_nearby(&k, 1.5);
    assert_int_equal(whole, 0);
    assert_true(broken > 0);
    const fracas_weld_pair welds[2] = {
        {0, 8, 1, 0},
        {0, 9, 1, 1}
    };
    fracas_merge merge = fracas_scene_default_merge();
    merge.weld_count = 2, merge.welds = welds;
    fracas_body joined;
    const fracas_body both[2] = {strip, parts[0]};
    KIT_OK(k.context, fracas_scene_merge(k.scene, both, 2, &merge, &joined));
    assert_int_equal(count_nearby(&k, 1.5), 0);
    kit_destroy(&k);
}

// ---- misuse

static void bad_filters(void** state) {
    (void)state;
    uint64_t random = 15;
    near_scene* s = near_create(1, &random, 0.25);
    fracas_context* context = s->k.context;
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT, bad = FRACAS_ERROR_BAD_DATA;
    fracas_pair_filter good = fracas_scene_default_filter();
    good.rings = 1;
    KIT_OK(context, fracas_scene_set_filter(s->k.scene, &good));
    const size_t count = count_nearby(&s->k, 0.25);
    fracas_pair_filter filter = fracas_scene_default_filter();
    filter.struct_size = 0;
    KIT_REFUSED(context, fracas_scene_set_filter(s->k.scene, &filter), misuse, "not initialised");
    filter = fracas_scene_default_filter();
    filter.rings = 9;
    KIT_REFUSED(context, fracas_scene_set_filter(s->k.scene, &filter), misuse,
                "9 rings; there can be at most 8");
    filter = fracas_scene_default_filter();
    filter.rest_distance = -1;
    KIT_REFUSED(context, fracas_scene_set_filter(s->k.scene, &filter), misuse,
                "rest distance of the pair filter is -1");
    double rest[NEAR_POINTS][3] = {{0}};
    fracas_rest_shape shape = {
        s->body[1].handle, {.data = rest, .count = 7}
    };
    filter.rest_distance = 1, filter.rest_shape_count = 1;
    KIT_REFUSED(context, fracas_scene_set_filter(s->k.scene, &filter), misuse, "rest_shapes");
    filter.rest_shapes = &shape;
    KIT_REFUSED(context, fracas_scene_set_filter(s->k.scene, &filter), bad,
                "the rest shape of body 2 has 7 points; the body has 36 vertex numbers");
    shape.points.count = NEAR_POINTS;
    rest[20][1] = NAN;
    KIT_REFUSED(context, fracas_scene_set_filter(s->k.scene, &filter), bad,
                "vertex 20 of the rest shape of body 2");
    rest[20][1] = 0;
    shape.body.generation++;
    KIT_REFUSED(context, fracas_scene_set_filter(s->k.scene, &filter), FRACAS_ERROR_STALE_HANDLE,
                "");
    filter = fracas_scene_default_filter();
    filter.vertex_pair_count = 1;
    KIT_REFUSED(context, fracas_scene_set_filter(s->k.scene, &filter), misuse, "vertex_pairs");
    const fracas_vertex_pair pair = {s->body[0].handle, s->body[1].handle, 3, 99};
    filter.vertex_pairs = &pair;
    KIT_REFUSED(context, fracas_scene_set_filter(s->k.scene, &filter), bad,
                "pair 0 of vertices: body 2 has no vertex 99");
    // The filter that was set still is.
    assert_int_equal(count_nearby(&s->k, 0.25), count);
    KIT_OK(context, fracas_scene_set_filter(s->k.scene, NULL));
    assert_true(count_nearby(&s->k, 0.25) > count);
    near_destroy(s);
}

// Setting, updating, finding candidates and safe distances, with each allocation failing once.
static void failed_allocations(void** state) {
    (void)state;
    test_allocator memory = {0};
    near_scene s = {.k.context = kit_context(1, &memory)};
    uint64_t random = 16;
    KIT_OK(s.k.context, fracas_scene_create(s.k.context, NULL, &s.k.scene));
    near_fill(&s, &random, 0.5);
    near_move(&s, 1);
    KIT_OK(s.k.context, fracas_scene_update(s.k.scene));
    const fracas_vertex_pair pair = {s.body[0].handle, s.body[1].handle, 3, 9};
    const fracas_rest_shape shape = {
        s.body[0].handle, {.data = s.body[0].at[0], .count = NEAR_POINTS}
    };
    fracas_pair_filter filter = fracas_scene_default_filter();
    filter.rings = 2, filter.vertex_pairs = &pair, filter.vertex_pair_count = 1;
    filter.rest_distance = 0.25, filter.rest_shapes = &shape, filter.rest_shape_count = 1;
    double room[NEAR_POINTS];
    const fracas_vertex_values values = {s.body[0].handle, NEAR_POINTS, room};
    fracas_candidates* kept = NULL;
    near_list list = {0};
    int failures = 0;
    for (int call = 0; call < 5; call++)
        for (size_t n = 1; n < 200; n++) {
            const size_t live = memory.live;
            // A failure leaves the scene as it was: the same call may be made again.
            memory.fail_at = memory.calls + n;
            fracas_status status = FRACAS_OK;
            if (call == 0) status = fracas_scene_set_filter(s.k.scene, &filter);
            if (call == 1) status = fracas_scene_update(s.k.scene);
            if (call == 2) status = fracas_candidates_create(s.k.scene, 0.125, &kept);
            if (call == 3) status = fracas_scene_safe_distances(s.k.scene, 0.5, &values, 1);
            const fracas_sink sink = near_sink(&list);
            if (call == 4) status = fracas_candidates_detect(kept, NULL, &sink);
            memory.fail_at = 0;
            if (status == FRACAS_OK) break;
            assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
            if (call == 0) assert_int_equal(memory.live, live);
            failures++;
        }
    assert_true(failures > 10);
    assert_non_null(kept);
    fracas_candidates_destroy(kept);
    free(list.data);
    kit_destroy(&s.k);
    assert_int_equal(memory.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings),
        cmocka_unit_test(vertex_pairs),
        cmocka_unit_test(rest_shapes),
        cmocka_unit_test(callback),
        cmocka_unit_test(edits_keep_the_filter),
        cmocka_unit_test(rings_follow_edits),
        cmocka_unit_test(bad_filters),
        cmocka_unit_test(failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
