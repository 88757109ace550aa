// Contacts: equal to locating all points of one fragment in another, after any number of fractures.
#include "fracas/fragment_query.h"
#include "fragment/fragments.h"
#include "fragment/locate.h"
#include "fragment_kit.h"
#include "geom/pose.h"
#include "share.h"

enum { PARTS = 96 };

static const fracas_fragment_sink COUNT = {0};

typedef struct world {
    test_allocator memory;
    fracas_context* context;
    kit_shape shapes[2];
    fracas_solid* solids[2];
    fracas_fragments* all;
    fracas_fragment parts[PARTS];
    uint32_t count;
} world;

typedef struct list {
    fracas_fragment_contact* data;
    size_t count, capacity;
} list;

static world* make(uint32_t workers, fracas_tree_update mode) {
    static const uint32_t sizes[2][3] = {
        {5, 4, 6},
        {4, 4, 4}
    };
    world* w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->context = kit_context(workers, &w->memory);
    fracas_fragments_options options = fracas_fragments_default_options();
    options.tree_update = mode;
    KIT_OK(w->context, fracas_fragments_create(w->context, &options, &w->all));
    for (int i = 0; i < 2; i++) {
        w->shapes[i] = kit_lattice(sizes[i], i == 0 ? kit_angle : kit_ball, 1, 0.1, 3);
        w->solids[i] = kit_solid(w->context, &w->shapes[i]);
    }
    for (; w->count < 4; w->count++)
        KIT_OK(w->context,
               fracas_fragments_add(w->all, w->solids[w->count % 2], &w->parts[w->count]));
    return w;
}

static void destroy(world* w) {
    fracas_fragments_destroy(w->all);
    for (int i = 0; i < 2; i++) {
        fracas_solid_destroy(w->solids[i]);
        kit_free(&w->shapes[i]);
    }
    fracas_context_destroy(w->context);
    assert_int_equal(atomic_load(&w->memory.blocks), 0);
    free(w);
}

// A rotation by a random quaternion, and a translation in a cube.
static fracas_pose random_pose(uint64_t* random, double size) {
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) q[i] = kit_uniform(random, -1, 1), square += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(square);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    fracas_pose pose = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
         1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
         1 - 2 * (x * x + y * y)},
        {0, 0, 0}
    };
    for (int k = 0; k < 3; k++) pose.translation[k] = kit_uniform(random, -size, size);
    return pose;
}

static void scatter(world* w, uint64_t* random) {
    for (uint32_t i = 0; i < w->count; i++) {
        const fracas_pose pose = random_pose(random, 2);
        KIT_OK(w->context, fracas_fragments_set_pose(w->all, w->parts[i], &pose));
    }
}

static void shatter(world* w, uint32_t rounds, uint64_t* random) {
    for (uint32_t round = 0; round < rounds; round++) {
        fracas_fragment parts[PARTS];
        const uint32_t i = (uint32_t)(kit_random(random) % w->count);
        const uint32_t count =
            kit_break(w->context, w->all, w->parts[i], 4, random, parts, PARTS - w->count);
        if (count == 0) continue;
        w->parts[i] = parts[0];
        for (uint32_t k = 1; k < count; k++) w->parts[w->count++] = parts[k];
    }
}

static bool keep(const fracas_fragment_contact* contact, void* user) {
    list* l = user;
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 64;
        l->data = realloc(l->data, l->capacity * sizeof *l->data);
        assert_non_null(l->data);
    }
    l->data[l->count++] = *contact;
    return true;
}

static list find(const world* w, const fracas_fragment_query* query) {
    list l = {0};
    fracas_fragment_statistics statistics;
    KIT_OK(w->context,
           fracas_fragments_detect(w->all, query, &(fracas_fragment_sink){keep, &l, &statistics}));
    assert_int_equal(statistics.contacts, l.count);
    assert_true(statistics.colliding >= l.count && statistics.located >= statistics.colliding);
    return l;
}

// ---- the oracle: all points of all pairs

static void check_trees(const world* w) {
    for (uint32_t i = 0; i < w->count; i++) {
        const frc_fragment* f = frc_fragments_get(w->all, w->parts[i]);
        const frc_sphere_points points = frc_object_tree_points(f->object);
        const char* wrong = frc_sphere_tree_check(w->context, &f->tree, &points);
        if (wrong) fail_msg("fragment %u: %s", i, wrong);
        // All nodes, and the points of the cracks around them.
        uint32_t own = f->node_count;
        for (uint32_t s = 0; s < f->object->surface_points.count; s++) {
            const uint32_t node = f->object->surface_point_nodes.data[s];
            own += f->object->nodes[node].fragment == w->parts[i].index;
        }
        assert_int_equal(f->tree.point_count, own);
    }
}

// Each of three or four fragments in a tetrahedron has its inside point, once.
static void check_corners(const frc_object* object) {
    uint32_t several = 0;
    for (uint32_t t = 0; t < object->solid->tet_count; t++) {
        const uint32_t* nodes = object->solid->tets[t];
        uint32_t fragments = 0, corners = 0;
        for (int i = 0; i < 4; i++) {
            bool first = true, first_corner = true;
            const bool corner = object->tet_corners[t] >> i & 1;
            for (int j = 0; j < i; j++) {
                if (object->nodes[nodes[j]].fragment != object->nodes[nodes[i]].fragment) continue;
                first = false;
                first_corner &= !(object->tet_corners[t] >> j & 1);
            }
            fragments += first;
            corners += corner;
            assert_true(!corner || first_corner);
        }
        assert_int_equal(corners, fragments >= 3 ? fragments : 0);
        several += fragments >= 3;
    }
    assert_true(several > 10);
}

static void corners_of_three(void** state) {
    (void)state;
    uint64_t random = 28;
    fracas_fragment parts[PARTS];
    world* w = make(1, FRACAS_TREE_UPDATE_NEAREST);
    assert_true(kit_break(w->context, w->all, w->parts[0], 6, &random, parts, PARTS) > 2);
    check_corners(frc_fragments_get(w->all, parts[0])->object);
    destroy(w);
}

static void oracle_pair(const world* w, uint32_t i, uint32_t j, double distance, list* out) {
    const frc_fragment *a = frc_fragments_get(w->all, w->parts[i]),
                       *b = frc_fragments_get(w->all, w->parts[j]);
    const fracas_pose pose = frc_pose_relative(&a->pose, &b->pose);
    const uint32_t points = a->object->solid->point_count;
    for (uint32_t k = 0; k < points + a->object->surface_points.count; k++) {
        if (a->object->nodes[frc_object_tree_node(a->object, k)].fragment != w->parts[i].index)
            continue;
        const double* at = k < points ? a->object->solid->points[k]
                                      : a->object->surface_points.data[k - points].at;
        double p[3];
        fracas_depth d;
        frc_pose_apply(&pose, at, p);
        KIT_OK(w->context, fracas_fragments_locate(w->all, w->parts[j], p, &d));
        if (!d.inside && distance > 0) {
            fracas_fragment_surface* surface;
            KIT_OK(w->context, fracas_fragment_surface_create(w->all, w->parts[j], &surface));
            const fracas_mesh_view view = fracas_fragment_surface_get_view(surface);
            d.depth = -kit_distance(&view, p);
            d.inside = -d.depth < distance;
            fracas_fragment_surface_destroy(surface);
        }
        if (!d.inside) continue;
        fracas_fragment_contact c = {
            .a = w->parts[i], .b = w->parts[j], .point = k, .depth = d.depth};
        frc_pose_apply(&b->pose, p, c.position);
        frc_pose_rotate(b->pose.rotation, d.direction, c.normal);
        keep(&c, out);
    }
}

static int by_pair(const void* x, const void* y) {
    const fracas_fragment_contact *a = x, *b = y;
    if (a->a.index != b->a.index) return a->a.index < b->a.index ? -1 : 1;
    if (a->b.index != b->b.index) return a->b.index < b->b.index ? -1 : 1;
    return a->point < b->point ? -1 : a->point > b->point;
}

static size_t compare(const world* w, const fracas_fragment_query* query) {
    list found = find(w, query), truth = {0};
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t j = 0; j < w->count; j++)
            if (i != j) oracle_pair(w, i, j, query->distance, &truth);
    assert_int_equal(found.count, truth.count);
    const size_t count = truth.count;
    if (count == 0) return 0;
    qsort(found.data, found.count, sizeof *found.data, by_pair);
    qsort(truth.data, truth.count, sizeof *truth.data, by_pair);
    for (size_t i = 0; i < truth.count; i++) {
        const fracas_fragment_contact *f = &found.data[i], *t = &truth.data[i];
        assert_int_equal(by_pair(f, t), 0);
        assert_true(f->a.generation == t->a.generation && f->b.generation == t->b.generation);
        if (t->depth > 0) {
            assert_true(f->depth == t->depth);
            assert_memory_equal(f->position, t->position, sizeof t->position);
            assert_memory_equal(f->normal, t->normal, sizeof t->normal);
        } else {
            assert_float_equal(f->depth, t->depth, 1e-12);
        }
    }
    free(found.data);
    free(truth.data);
    return count;
}

static fracas_fragment_query all_contacts(void) {
    fracas_fragment_query query = fracas_fragments_default_query();
    query.selection = FRACAS_CONTACT_SELECTION_ALL;
    return query;
}

static void every_contact(void** state) {
    (void)state;
    for (int mode = 0; mode <= FRACAS_TREE_UPDATE_REBUILD; mode++) {
        uint64_t random = 21;
        size_t count = 0;
        world* w = make(1, (fracas_tree_update)mode);
        for (uint32_t round = 0; round < 2 + share_of(8); round++) {
            scatter(w, &random);
            check_trees(w);
            fracas_fragment_query query = all_contacts();
            count += compare(w, &query);
            query.order = FRACAS_CONTACT_ORDER_BREADTH_FIRST;
            compare(w, &query);
            shatter(w, 1, &random);
        }
        assert_true(count > 20);
        destroy(w);
    }
}

static void points_near(void** state) {
    (void)state;
    uint64_t random = 22;
    world* w = make(1, FRACAS_TREE_UPDATE_NEAREST);
    fracas_fragment_query query = all_contacts();
    size_t count = 0;
    // Farther than cells of tetrahedra are wide, and than most spheres of trees.
    static const double distances[] = {0.05, 0.3, 0.8};
    for (uint32_t round = 0; round < 1 + share_of(3); round++) {
        scatter(w, &random);
        for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
            query.distance = distances[i];
            count += compare(w, &query);
        }
        shatter(w, 1, &random);
    }
    assert_true(count > 20);
    destroy(w);
}

// Just broken: fragments touch everywhere on their cracks.
static void just_broken(void** state) {
    (void)state;
    uint64_t random = 23;
    world* w = make(1, FRACAS_TREE_UPDATE_NEAREST);
    shatter(w, 3, &random);
    // Apart from each other, but the parts of one solid in place.
    fracas_fragment_query query = all_contacts();
    query.distance = 1e-6;
    check_trees(w);
    assert_true(compare(w, &query) > 500);
    destroy(w);
}

// ---- selection

static size_t count_pair(const list* l, size_t begin) {
    size_t end = begin;
    while (end < l->count && l->data[end].a.index == l->data[begin].a.index &&
           l->data[end].b.index == l->data[begin].b.index)
        end++;
    return end - begin;
}

// All deeper than the skin are among the selected; beyond the first eight there are no others.
static void selection(void** state) {
    (void)state;
    uint64_t random = 24;
    world* w = make(1, FRACAS_TREE_UPDATE_NEAREST);
    shatter(w, 3, &random);
    uint32_t more = 0, less = 0;
    for (int round = 0; round < 10; round++) {
        scatter(w, &random);
        fracas_fragment_query query = all_contacts();
        list all = find(w, &query);
        query.selection = FRACAS_CONTACT_SELECTION_ADAPTIVE;
        query.skin = 0.2;
        list some = find(w, &query);
        query.selection = FRACAS_CONTACT_SELECTION_FIXED;
        list fixed = find(w, &query);
        size_t f = 0, s = 0;
        for (size_t begin = 0, n; begin < all.count; begin += n) {
            n = count_pair(&all, begin);
            const size_t selected = count_pair(&some, s), first = count_pair(&fixed, f);
            assert_int_equal(first, n < 8 ? n : 8);
            assert_memory_equal(&fixed.data[f], &all.data[begin], first * sizeof *all.data);
            const frc_fragment *a = frc_fragments_get(w->all, all.data[begin].a),
                               *b = frc_fragments_get(w->all, all.data[begin].b);
            const double skin = 0.2 * fmin(a->radius, b->radius);
            size_t at = s;
            for (size_t i = begin; i < begin + n; i++) {
                const bool wanted = i < begin + 8 || all.data[i].depth > skin;
                const bool given = at < s + selected && some.data[at].point == all.data[i].point;
                assert_true(given == wanted);
                at += given;
            }
            assert_int_equal(at, s + selected);
            more += selected > 8;
            less += selected < n;
            f += first;
            s += selected;
        }
        assert_int_equal(f, fixed.count);
        assert_int_equal(s, some.count);
        free(all.data);
        free(some.data);
        free(fixed.data);
    }
    assert_true(more > 3 && less > 3);
    destroy(w);
}

// ---- order, threads, memory

static bool stop(const fracas_fragment_contact* contact, void* user) {
    (void)contact;
    return ++*(int*)user < 3;
}

static void stopping(void** state) {
    (void)state;
    uint64_t random = 25;
    world* w = make(1, FRACAS_TREE_UPDATE_NEAREST);
    scatter(w, &random);
    int calls = 0;
    KIT_OK(w->context,
           fracas_fragments_detect(w->all, NULL, &(fracas_fragment_sink){stop, &calls, NULL}));
    assert_int_equal(calls, 3);
    KIT_OK(w->context, fracas_fragments_detect(w->all, NULL, &COUNT));
    // Two fixed fragments have no contacts.
    for (uint32_t i = 0; i < w->count; i++)
        KIT_OK(w->context, fracas_fragments_set_fixed(w->all, w->parts[i], i > 0));
    list l = find(w, NULL);
    assert_true(l.count > 0);
    for (size_t i = 0; i < l.count; i++)
        assert_true(l.data[i].a.index == w->parts[0].index ||
                    l.data[i].b.index == w->parts[0].index);
    free(l.data);
    destroy(w);
}

static void same_on_threads(void** state) {
    (void)state;
    list first = {0};
    for (uint32_t workers = 1; workers <= 4; workers++) {
        uint64_t random = 26;
        world* w = make(workers, FRACAS_TREE_UPDATE_NEAREST);
        shatter(w, 4, &random);
        scatter(w, &random);
        list l = find(w, NULL);
        if (workers == 1) {
            first = l;
            assert_true(l.count > 100);
        } else {
            assert_int_equal(l.count, first.count);
            assert_memory_equal(l.data, first.data, l.count * sizeof *l.data);
            free(l.data);
        }
        destroy(w);
    }
    free(first.data);
}

static void failed_allocations(void** state) {
    (void)state;
    uint64_t random = 27;
    world* w = make(1, FRACAS_TREE_UPDATE_NEAREST);
    scatter(w, &random);
    const size_t blocks = atomic_load(&w->memory.blocks);
    size_t n = 1;
    for (;; n++) {
        test_allocator_fail_at(&w->memory, n);
        const fracas_status status = fracas_fragments_detect(w->all, NULL, &COUNT);
        test_allocator_fail_at(&w->memory, 0);
        assert_int_equal(atomic_load(&w->memory.blocks), blocks);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
    }
    assert_true(n > 5);
    destroy(w);
}

static void refused(void** state) {
    (void)state;
    world* w = make(1, FRACAS_TREE_UPDATE_NEAREST);
    fracas_pose pose = fracas_pose_make_identity();
    pose.translation[1] = NAN;
    KIT_REFUSED(w->context, fracas_fragments_set_pose(w->all, w->parts[0], &pose),
                FRACAS_ERROR_BAD_DATA, "translation");
    pose = fracas_pose_make_identity();
    pose.rotation[0] = -1;
    KIT_REFUSED(w->context, fracas_fragments_set_pose(w->all, w->parts[0], &pose),
                FRACAS_ERROR_BAD_DATA, "not a rotation");
    pose.rotation[0] = 1.1;
    KIT_REFUSED(w->context, fracas_fragments_set_pose(w->all, w->parts[0], &pose),
                FRACAS_ERROR_BAD_DATA, "not a rotation");
    pose.rotation[0] = 1, pose.rotation[1] = 0.1;
    KIT_REFUSED(w->context, fracas_fragments_set_pose(w->all, w->parts[0], &pose),
                FRACAS_ERROR_BAD_DATA, "not a rotation");
    pose = fracas_pose_make_identity();
    KIT_REFUSED(w->context, fracas_fragments_set_pose(w->all, (fracas_fragment){77, 1}, &pose),
                FRACAS_ERROR_STALE_HANDLE, "fragment 77");
    KIT_REFUSED(w->context, fracas_fragments_set_fixed(w->all, (fracas_fragment){77, 1}, true),
                FRACAS_ERROR_STALE_HANDLE, "fragment 77");
    fracas_fragment_query query = {0};
    KIT_REFUSED(w->context, fracas_fragments_detect(w->all, &query, &COUNT),
                FRACAS_ERROR_INVALID_ARGUMENT, "fracas_fragments_default_query");
    query = fracas_fragments_default_query();
    query.contact_count = 0;
    KIT_REFUSED(w->context, fracas_fragments_detect(w->all, &query, &COUNT),
                FRACAS_ERROR_INVALID_ARGUMENT, "contact_count");
    query = fracas_fragments_default_query();
    query.skin = NAN;
    KIT_REFUSED(w->context, fracas_fragments_detect(w->all, &query, &COUNT),
                FRACAS_ERROR_INVALID_ARGUMENT, "skin");
    query = fracas_fragments_default_query();
    query.distance = -1;
    KIT_REFUSED(w->context, fracas_fragments_detect(w->all, &query, &COUNT),
                FRACAS_ERROR_INVALID_ARGUMENT, "distance is -1");
    query = fracas_fragments_default_query();
    query.selection = (fracas_contact_selection)3;
    KIT_REFUSED(w->context, fracas_fragments_detect(w->all, &query, &COUNT),
                FRACAS_ERROR_INVALID_ARGUMENT, "selection is 3");
    destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_contact),   cmocka_unit_test(corners_of_three),
        cmocka_unit_test(points_near),     cmocka_unit_test(just_broken),
        cmocka_unit_test(selection),       cmocka_unit_test(stopping),
        cmocka_unit_test(same_on_threads), cmocka_unit_test(failed_allocations),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
