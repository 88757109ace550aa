// Sphere trees: checked after building and after random sequences of splits and insertions; queries
// with spheres find exactly the points of brute force; small cases by hand; failed allocations. The
// choice of representatives is compared with a search of all points of a subtree.
#include "cmocka_all.h"
#include "fragment/max_distance_order.h"
#include "fragment/sphere_tree.h"
#include "point_sets.h"
#include "scene/test_allocator.h"
#include "share.h"
#include <time.h>

static double distance_of(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static double squared(const double a[3], const double b[3]) {
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void assert_valid(fracas_context* context, const frc_sphere_tree* tree,
                         const frc_sphere_points* points) {
    const char* reason = frc_sphere_tree_check(context, tree, points);
    if (reason) fail_msg("%s", reason);
}

// ---- bodies: a tree, and its points in a list

typedef struct body {
    frc_sphere_tree tree;
    uint32_t* ids;
    uint32_t count;
} body;

typedef struct world {
    fracas_context* context;
    double (*first)[3];
    double (*second)[3];
    uint32_t first_count, second_count, second_capacity;
    uint64_t random;
    point_set set;
} world;

static frc_sphere_points points_of(const world* w) {
    return (frc_sphere_points){(const double(*)[3])w->first, (const double(*)[3])w->second,
                               w->first_count};
}

static world make_world(fracas_context* context, point_set set, uint32_t count, uint64_t seed) {
    world w = {.context = context, .random = seed, .set = set, .first_count = count};
    w.second_capacity = 4 * count + 100;
    w.first = make_points(set, count, &w.random);
    w.second = calloc(w.second_capacity, sizeof *w.second);
    return w;
}

static void free_world(world* w) { free(w->first), free(w->second); }

static body build_body(world* w) {
    body b = {.count = w->first_count};
    b.ids = calloc(b.count + 1, sizeof *b.ids);
    const double(*points)[3] = (const double(*)[3])w->first;
    assert_true(frc_max_distance_order(w->context, points, NULL, b.count, b.ids, NULL));
    assert_true(frc_sphere_tree_build(w->context, points, b.ids, b.count, &b.tree));
    return b;
}

static void free_body(world* w, body* b) {
    frc_sphere_tree_release(w->context, &b->tree);
    free(b->ids);
    *b = (body){0};
}

// ---- checks

static bool is_below(const frc_sphere_tree* tree, uint32_t node, uint32_t above) {
    while (node != above && node != FRACAS_NONE) node = tree->nodes[node].parent;
    return node == above;
}

// Count how often each point is met by a traversal that goes down where a sphere reaches into the
// query sphere; test a point at its own node.
static void traverse(const frc_sphere_tree* tree, uint32_t index, const double at[3], double radius,
                     uint32_t* met) {
    const frc_sphere_node* node = &tree->nodes[index];
    const double d = distance_of(node->at, at);
    if (frc_sphere_tree_owns(tree, index) && d <= radius) met[node->point]++;
    if (d * (1 - 1e-12) > node->radius + radius) return;
    for (uint32_t i = 0; i < node->child_count; i++)
        traverse(tree, node->first_child + i, at, radius, met);
}

static void check_queries(world* w, const body* b) {
    const frc_sphere_points points = points_of(w);
    const uint32_t ids = w->first_count + w->second_count;
    uint32_t* met = calloc(ids + 1, sizeof *met);
    for (int round = 0; round < 6 && b->count > 0; round++) {
        double at[3];
        make_point(w->set, &w->random, at);
        const uint32_t other = b->ids[next_below_count(&w->random, b->count)];
        // A radius that is equal to a distance, or random.
        double radius = distance_of(frc_sphere_points_at(&points, other), at);
        if (round % 2) radius *= next_unit(&w->random);
        memset(met, 0, ids * sizeof *met);
        traverse(&b->tree, 0, at, radius, met);
        uint32_t found = 0;
        for (uint32_t i = 0; i < ids; i++) found += met[i];
        for (uint32_t i = 0; i < b->count; i++) {
            const uint32_t id = b->ids[i];
            const bool inside = distance_of(frc_sphere_points_at(&points, id), at) <= radius;
            assert_int_equal(met[id], inside);
            found -= inside;
        }
        assert_int_equal(found, 0);
    }
    free(met);
}

static void check_body(world* w, const body* b) {
    const frc_sphere_points points = points_of(w);
    assert_valid(w->context, &b->tree, &points);
    assert_int_equal(b->tree.point_count, b->count);
    // The tree has the points of the list: as many different ones, and none that is not in it.
    const uint32_t ids = w->first_count + w->second_count;
    char* listed = calloc(ids + 1, 1);
    for (uint32_t i = 0; i < b->count; i++) listed[b->ids[i]] = 1;
    for (uint32_t n = 0; n < b->tree.node_count; n++) assert_true(listed[b->tree.nodes[n].point]);
    assert_true(b->tree.node_count < 2 * b->count + (b->count == 0));
    free(listed);
    check_queries(w, b);
}

// ---- operations

// Parts by a plane, by cells, or random; some points are dropped.
static uint32_t* choose_parts(world* w, uint32_t part_count) {
    const uint32_t ids = w->first_count + w->second_count;
    const frc_sphere_points points = points_of(w);
    uint32_t* part_of = calloc(ids + 1, sizeof *part_of);
    const uint32_t kind = next_below_count(&w->random, 3);
    double centers[64][3];
    for (int i = 0; i < 64; i++) make_point(w->set, &w->random, centers[i]);
    for (uint32_t id = 0; id < ids; id++) {
        uint32_t nearest = 0;
        for (uint32_t i = 1; i < part_count && kind > 0; i++)
            if (distance_of(frc_sphere_points_at(&points, id), centers[i % 64]) <
                distance_of(frc_sphere_points_at(&points, id), centers[nearest % 64]))
                nearest = i;
        part_of[id] = kind > 0 ? nearest : next_below_count(&w->random, part_count);
        if (kind == 2 && next_below_count(&w->random, 9) == 0) part_of[id] = FRACAS_NONE;
    }
    return part_of;
}

static void split_body(world* w, const body* b, const uint32_t* part_of, uint32_t part_count,
                       frc_sphere_restructure restructure, body* out) {
    frc_sphere_tree* trees = calloc(part_count, sizeof *trees);
    assert_true(
        frc_sphere_tree_split(w->context, &b->tree, part_of, part_count, restructure, trees));
    for (uint32_t p = 0; p < part_count; p++) {
        out[p] = (body){.tree = trees[p], .ids = calloc(b->count + 1, sizeof *out[p].ids)};
        for (uint32_t i = 0; i < b->count; i++)
            if (part_of[b->ids[i]] == p) out[p].ids[out[p].count++] = b->ids[i];
    }
    free(trees);
}

static void insert_points(world* w, body* b, uint32_t count) {
    if (b->count == 0) return;
    if (count > w->second_capacity - w->second_count) count = w->second_capacity - w->second_count;
    frc_sphere_insertion* list = calloc(count + 1, sizeof *list);
    b->ids = realloc(b->ids, (b->count + count + 1) * sizeof *b->ids);
    const uint32_t old_count = b->count;
    for (uint32_t i = 0; i < count; i++) {
        const frc_sphere_points points = points_of(w);
        const uint32_t near = b->ids[next_below_count(&w->random, old_count)];
        const uint32_t other = b->ids[next_below_count(&w->random, old_count)];
        double* at = w->second[w->second_count];
        const double t = next_unit(&w->random) * (i % 4 ? 0.1 : 1);
        for (int k = 0; k < 3; k++)
            at[k] = frc_sphere_points_at(&points, near)[k] * (1 - t) +
                    frc_sphere_points_at(&points, other)[k] * t;
        if (i % 8 == 0) make_point(w->set, &w->random, at);  // far from the other
        list[i] = (frc_sphere_insertion){w->first_count + w->second_count++, near};
        b->ids[b->count++] = list[i].point;
    }
    const frc_sphere_points points = points_of(w);
    assert_true(frc_sphere_tree_insert(w->context, &b->tree, &points, list, count));
    free(list);
}

// ---- tests

static void built_trees_are_valid(void** state) {
    const uint32_t counts[] = {0, 1, 2, 3, 4, 5, 8, 9, 33, 600};
    for (int set = 0; set < SET_COUNT; set++)
        for (uint32_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            world w = make_world(*state, (point_set)set, counts[c], 1);
            body b = build_body(&w);
            check_body(&w, &b);
            free_body(&w, &b), free_world(&w);
        }
}

// The parent of a new point of a level is the nearest point of the level above, the first in the
// order of equal ones, and radii are the distances of the furthest points.
static void parents_are_nearest(void** state) {
    for (int set = 0; set < SET_COUNT; set++) {
        enum { COUNT = 300 };
        world w = make_world(*state, (point_set)set, COUNT, 2);
        body b = build_body(&w);
        uint32_t place[COUNT];
        for (uint32_t i = 0; i < COUNT; i++) place[b.ids[i]] = i;
        for (uint32_t n = 1; n < b.tree.node_count; n++) {
            const frc_sphere_node *node = &b.tree.nodes[n], *up = &b.tree.nodes[node->parent];
            if (up->point == node->point) continue;
            uint32_t level = 1;
            while (level * 2 <= place[node->point]) level *= 2;
            assert_true(place[up->point] < level);
            uint32_t nearest = 0;
            for (uint32_t i = 1; i < level; i++)
                if (squared(node->at, w.first[b.ids[i]]) <
                    squared(node->at, w.first[b.ids[nearest]]))
                    nearest = i;
            assert_int_equal(place[up->point], nearest);
        }
        for (uint32_t n = 0; n < b.tree.node_count; n++) {
            double most = 0;
            for (uint32_t m = n; m < b.tree.node_count; m++)
                if (is_below(&b.tree, m, n))
                    most = fmax(most, distance_of(b.tree.nodes[n].at, b.tree.nodes[m].at));
            assert_true(b.tree.nodes[n].radius <= most * (1 + 1e-14));
        }
        free_body(&w, &b), free_world(&w);
    }
}

// Bodies break again and again, and get new points.
static void break_often(fracas_context* context, point_set set, frc_sphere_restructure restructure,
                        uint64_t seed) {
    world w = make_world(context, set, 20 + (uint32_t)(seed * 97 % 500), seed);
    enum { MOST = 40 };
    body bodies[MOST] = {build_body(&w)};
    uint32_t count = 1;
    for (int round = 0; round < 12; round++) {
        const uint32_t chosen = next_below_count(&w.random, count);
        body* b = &bodies[chosen];
        insert_points(&w, b, next_below_count(&w.random, b->count + 2));
        check_body(&w, b);
        const uint32_t parts = 1 + next_below_count(&w.random, round % 3 ? 4 : 12);
        if (count + parts > MOST) continue;
        uint32_t* part_of = choose_parts(&w, parts);
        body broken = *b;
        bodies[chosen] = bodies[--count];
        split_body(&w, &broken, part_of, parts, restructure, &bodies[count]);
        check_body(&w, &broken);  // it has not changed
        for (uint32_t p = 0; p < parts; p++) check_body(&w, &bodies[count + p]);
        count += parts;
        free(part_of), free_body(&w, &broken);
    }
    for (uint32_t i = 0; i < count; i++) free_body(&w, &bodies[i]);
    free_world(&w);
}

static void bodies_that_break_often(void** state) {
    for (uint32_t seed = share_of(30); seed > 0; seed--)
        for (int set = 0; set < SET_COUNT; set++) {
            break_often(*state, (point_set)set, FRC_RESTRUCTURE_NEAREST, seed);
            break_often(*state, (point_set)set, FRC_RESTRUCTURE_NONE, seed);
        }
}

// Radii exceed the distance of the furthest point by an eighth at most.
static void split_trees_are_tight(void** state) {
    for (int mode = 0; mode < 2; mode++) {
        world w = make_world(*state, SET_CUBE, 500, 5);
        body b = build_body(&w), out[5];
        uint32_t* part_of = choose_parts(&w, 5);
        for (uint32_t i = 0; i < w.first_count; i++) part_of[i] = w.first[i][0] > 0.2;
        split_body(&w, &b, part_of, 5, (frc_sphere_restructure)mode, out);
        uint32_t changed = 0;
        for (uint32_t p = 0; p < 5; p++) {
            const frc_sphere_tree* tree = &out[p].tree;
            for (uint32_t n = 0; n < tree->node_count; n++) {
                double most = 0;
                for (uint32_t m = n; m < tree->node_count; m++)
                    if (is_below(tree, m, n))
                        most = fmax(most, distance_of(tree->nodes[n].at, tree->nodes[m].at));
                assert_true(tree->nodes[n].radius <= most * 1.126);
                changed += tree->nodes[n].radius > 0;
            }
            free_body(&w, &out[p]);
        }
        assert_true(changed > 100);
        free(part_of), free_body(&w, &b), free_world(&w);
    }
}

// The root loses its point in all parts but one; there it has the nearest point of the part.
static void lost_point_gets_nearest(void** state) {
    for (int set = 0; set < SET_COUNT; set++) {
        world w = make_world(*state, (point_set)set, 400, 6 + (uint64_t)set);
        enum { PARTS = 6 };
        body b = build_body(&w), out[PARTS];
        uint32_t* part_of = calloc(400, sizeof *part_of);
        for (uint32_t i = 0; i < 400; i++) part_of[i] = next_below_count(&w.random, PARTS);
        split_body(&w, &b, part_of, PARTS, FRC_RESTRUCTURE_NEAREST, out);
        const double* lost = b.tree.nodes[0].at;
        for (uint32_t p = 0; p < PARTS; p++) {
            double nearest = INFINITY;
            for (uint32_t i = 0; i < out[p].count; i++)
                nearest = fmin(nearest, distance_of(w.first[out[p].ids[i]], lost));
            assert_true(distance_of(out[p].tree.nodes[0].at, lost) <= nearest * (1 + 1e-14));
            free_body(&w, &out[p]);
        }
        free(part_of), free_body(&w, &b), free_world(&w);
    }
}

// Squares of these coordinates overflow or underflow.
static void trees_of_any_unit(void** state) {
    const int exponents[] = {1022, 700, -700, -1000, -1060};
    for (int e = 0; e < 5; e++) {
        world w = make_world(*state, SET_CUBE, 150, 13);
        for (uint32_t i = 0; i < w.first_count; i++)
            for (int k = 0; k < 3; k++) w.first[i][k] = ldexp(w.first[i][k], exponents[e]);
        body b = build_body(&w), out[4];
        const frc_sphere_points points = points_of(&w);
        assert_valid(*state, &b.tree, &points);
        uint32_t* part_of = choose_parts(&w, 4);
        for (uint32_t i = 0; i < w.first_count; i++) part_of[i] = i % 4;
        split_body(&w, &b, part_of, 4, FRC_RESTRUCTURE_NEAREST, out);
        for (uint32_t p = 0; p < 4; p++) {
            const frc_sphere_node* nodes = out[p].tree.nodes;
            double most = 0;
            for (uint32_t n = 1; n < out[p].tree.node_count; n++)
                most = fmax(most, distance_of(nodes[0].at, nodes[n].at));
            assert_true(nodes[0].radius <= most * 1.2);
            assert_valid(*state, &out[p].tree, &points);
            free_body(&w, &out[p]);
        }
        free(part_of), free_body(&w, &b), free_world(&w);
    }
}

// A split into one part changes nothing.
static void split_into_one_part(void** state) {
    world w = make_world(*state, SET_CUBE, 300, 7);
    body b = build_body(&w), out;
    uint32_t* part_of = calloc(300, sizeof *part_of);
    split_body(&w, &b, part_of, 1, FRC_RESTRUCTURE_NEAREST, &out);
    assert_int_equal(out.tree.node_count, b.tree.node_count);
    for (uint32_t n = 0; n < b.tree.node_count; n++) {
        const frc_sphere_node *x = &b.tree.nodes[n], *y = &out.tree.nodes[n];
        assert_true(x->point == y->point && x->parent == y->parent && x->radius == y->radius);
        assert_true(x->child_count == y->child_count);
        assert_true(x->child_count == 0 || x->first_child == y->first_child);
    }
    free_body(&w, &out);
    for (uint32_t i = 0; i < 300; i++) part_of[i] = FRACAS_NONE;
    split_body(&w, &b, part_of, 1, FRC_RESTRUCTURE_NEAREST, &out);
    assert_true(out.tree.node_count == 0 && out.tree.nodes == NULL);
    free(part_of), free_body(&w, &out), free_body(&w, &b), free_world(&w);
}

// Points on a line: the tree has a chain of point 0 with radii 8 and 3.5.
static void insertion_by_hand(void** state) {
    world w = make_world(*state, SET_CUBE, 4, 8);
    const double x[] = {0, 8, 3.5, 1.75};
    for (int i = 0; i < 4; i++) w.first[i][0] = x[i], w.first[i][1] = w.first[i][2] = 0;
    body b = build_body(&w);
    // Node 0: point 0 with the chain, and point 1; the chain: points 2 and 3.
    assert_int_equal(b.tree.node_count, 5);
    assert_true(b.tree.nodes[0].point == 0 && b.tree.nodes[1].point == 0);
    assert_true(b.tree.nodes[2].point == 1 && b.tree.nodes[3].point == 2);
    assert_true(b.tree.nodes[4].point == 3);
    // Below the lower node, below the upper, too far from both, and the first below point 1.
    const double added[] = {1, 5, 9, 10};
    frc_sphere_insertion list[4];
    for (uint32_t i = 0; i < 4; i++) {
        w.second[i][0] = added[i];
        list[i] = (frc_sphere_insertion){4 + i, i < 3 ? 0 : 1};
    }
    const frc_sphere_points points = points_of(&w);
    assert_true(frc_sphere_tree_insert(w.context, &b.tree, &points, list, 4));
    const uint32_t parents[] = {FRACAS_NONE, 0, 0, 0, 0, 1, 1, 1, 2},
                   ids[] = {0, 0, 1, 5, 6, 2, 3, 4, 7};
    for (uint32_t n = 0; n < 9; n++) {
        assert_int_equal(b.tree.nodes[n].parent, parents[n]);
        assert_int_equal(b.tree.nodes[n].point, ids[n]);
    }
    assert_true(b.tree.nodes[0].radius >= 10 && b.tree.nodes[0].radius < 10.001);
    assert_true(b.tree.nodes[2].radius >= 2 && b.tree.nodes[2].radius < 2.001);
    assert_true(b.tree.nodes[1].radius >= 3.5 && b.tree.nodes[1].radius < 3.501);
    assert_valid(w.context, &b.tree, &points);
    free_body(&w, &b), free_world(&w);
}

// A list of points that are near each other makes a deep tree, but no deep recursion.
static void deep_trees(void** state) {
    enum { COUNT = 3000 };
    world w = make_world(*state, SET_CUBE, COUNT, 9);
    body b = build_body(&w);
    uint32_t near = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        memcpy(w.second[i], w.first[i], sizeof w.second[i]);
        const frc_sphere_points points = points_of(&w);
        const frc_sphere_insertion one = {COUNT + i, near};
        w.second_count++;
        assert_true(frc_sphere_tree_insert(w.context, &b.tree, &points, &one, 1));
        near = one.point;
    }
    uint32_t* part_of = calloc(2 * COUNT, sizeof *part_of);
    for (uint32_t i = 0; i < 2 * COUNT; i++) part_of[i] = i % 3;
    frc_sphere_tree out[3];
    assert_true(
        frc_sphere_tree_split(w.context, &b.tree, part_of, 3, FRC_RESTRUCTURE_NEAREST, out));
    const frc_sphere_points points = points_of(&w);
    for (int p = 0; p < 3; p++) {
        assert_valid(w.context, &out[p], &points);
        frc_sphere_tree_release(w.context, &out[p]);
    }
    free(part_of), free_body(&w, &b), free_world(&w);
}

static void check_finds_faults(void** state) {
    world w = make_world(*state, SET_CUBE, 60, 10);
    body b = build_body(&w);
    const frc_sphere_points points = points_of(&w);
    frc_sphere_node* nodes = b.tree.nodes;
    assert_valid(w.context, &b.tree, &points);
#define ASSERT_FAULT(place, value)                                                                 \
    do {                                                                                           \
        const frc_sphere_node saved[2] = {nodes[0], nodes[b.tree.node_count - 1]};                 \
        place = value;                                                                             \
        assert_non_null(frc_sphere_tree_check(w.context, &b.tree, &points));                       \
        nodes[0] = saved[0], nodes[b.tree.node_count - 1] = saved[1];                              \
        assert_valid(w.context, &b.tree, &points);                                                 \
    } while (0)
    ASSERT_FAULT(nodes[0].radius, nodes[0].radius * 0.99);
    ASSERT_FAULT(nodes[0].radius, NAN);
    ASSERT_FAULT(nodes[0].first_child, 2);
    ASSERT_FAULT(nodes[0].child_count, nodes[0].child_count - 1);
    ASSERT_FAULT(nodes[0].child_count, UINT32_MAX);
    ASSERT_FAULT(nodes[0].parent, 0);
    ASSERT_FAULT(nodes[0].at[1], nodes[0].at[1] + 1);
    ASSERT_FAULT(nodes[b.tree.node_count - 1].parent, 0);
    ASSERT_FAULT(nodes[b.tree.node_count - 1].point, nodes[b.tree.node_count - 2].point);
    ASSERT_FAULT(nodes[b.tree.node_count - 1].radius, 1);
    b.tree.point_count++;
    assert_non_null(frc_sphere_tree_check(w.context, &b.tree, &points));
    b.tree.point_count--;
    free_body(&w, &b), free_world(&w);
}

// Fail each allocation in turn: the operation has no effect.
static void failed_allocations(void** state) {
    (void)state;
    test_allocator memory = {0};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
    fracas_context* context;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    world w = make_world(context, SET_CUBE, 200, 11);
    body b = build_body(&w);
    const frc_sphere_points points = points_of(&w);
    const size_t live = atomic_load(&memory.live), size = b.tree.node_count * sizeof *b.tree.nodes;
    frc_sphere_node* copy = malloc(size);
    memcpy(copy, b.tree.nodes, size);
    uint32_t part_of[200];
    frc_sphere_insertion list[10];
    for (uint32_t i = 0; i < 200; i++) part_of[i] = next_below_count(&w.random, 3);
    for (uint32_t i = 0; i < 10; i++) list[i] = (frc_sphere_insertion){200 + i, i};
    for (int operation = 0; operation < 3; operation++) {
        bool ok = false;
        for (size_t n = 1; !ok; n++) {
            frc_sphere_tree out[3] = {{0}};
            test_allocator_fail_at(&memory, n);
            if (operation == 0)
                ok = frc_sphere_tree_build(context, (const double(*)[3])w.first, b.ids, 200, out);
            if (operation == 1) ok = frc_sphere_tree_split(context, &b.tree, part_of, 3, 0, out);
            if (operation == 2) ok = frc_sphere_tree_insert(context, &b.tree, &points, list, 10);
            test_allocator_fail_at(&memory, 0);
            assert_true(ok || n < 20);
            if (!ok || operation < 2) assert_memory_equal(copy, b.tree.nodes, size);
            for (int i = 0; i < 3; i++) {
                if (!ok) assert_true(!out[i].nodes && out[i].node_count + out[i].point_count == 0);
                frc_sphere_tree_release(context, &out[i]);
            }
            if (!ok || operation < 2) assert_int_equal(atomic_load(&memory.live), live);
        }
    }
    assert_valid(context, &b.tree, &points);
    free(copy), free_body(&w, &b), free_world(&w);
    assert_int_equal(atomic_load(&memory.blocks), 1);  // the context
    fracas_context_destroy(context);
}

static double ms_since(clock_t begin) { return (double)(clock() - begin) * 1e3 / CLOCKS_PER_SEC; }

// Prints times; the trees are checked.
static void many_points(void** state) {
    enum { COUNT = 20000, PARTS = 10, ROUNDS = 20, ADDED = 200 };
    world w = make_world(*state, SET_CUBE, COUNT, 12);
    body b = build_body(&w), out[PARTS];
    clock_t begin = clock();
    frc_sphere_tree again, trees[PARTS];
    assert_true(
        frc_sphere_tree_build(w.context, (const double(*)[3])w.first, b.ids, COUNT, &again));
    print_message("build %u points: %.2f ms, %u nodes\n", COUNT, ms_since(begin), again.node_count);
    frc_sphere_tree_release(w.context, &again);
    uint32_t* part_of = choose_parts(&w, PARTS);
    for (uint32_t i = 0; i < COUNT; i++) {
        double nearest = INFINITY;
        for (uint32_t p = 0; p < PARTS; p++) {
            const double d = distance_of(w.first[i], w.first[p]);
            if (d < nearest) nearest = d, part_of[i] = p;
        }
    }
    for (int mode = 0; mode < 2; mode++) {
        begin = clock();
        for (int round = 0; round < ROUNDS; round++) {
            assert_true(frc_sphere_tree_split(w.context, &b.tree, part_of, PARTS,
                                              (frc_sphere_restructure)mode, trees));
            for (uint32_t p = 0; p < PARTS; p++) frc_sphere_tree_release(w.context, &trees[p]);
        }
        print_message("split into %u parts, mode %d: %.3f ms\n", PARTS, mode,
                      ms_since(begin) / ROUNDS);
    }
    split_body(&w, &b, part_of, PARTS, FRC_RESTRUCTURE_NEAREST, out);
    frc_sphere_insertion list[PARTS][ADDED];
    for (uint32_t p = 0; p < PARTS; p++)
        for (uint32_t i = 0; i < ADDED; i++) {
            const uint32_t near = out[p].ids[next_below_count(&w.random, out[p].count)];
            double* at = w.second[w.second_count];
            for (int k = 0; k < 3; k++)
                at[k] = w.first[near][k] + 0.02 * (next_unit(&w.random) - 0.5);
            list[p][i] = (frc_sphere_insertion){COUNT + w.second_count++, near};
        }
    const frc_sphere_points points = points_of(&w);
    begin = clock();
    for (uint32_t p = 0; p < PARTS; p++)
        assert_true(frc_sphere_tree_insert(w.context, &out[p].tree, &points, list[p], ADDED));
    print_message("insert %u points: %.3f ms\n", PARTS * ADDED, ms_since(begin));
    for (uint32_t p = 0; p < PARTS; p++) {
        assert_valid(w.context, &out[p].tree, &points);
        free_body(&w, &out[p]);
    }
    free(part_of), free_body(&w, &b), free_world(&w);
}

static int set_up(void** state) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    return fracas_context_create(&options, (fracas_context**)state) == FRACAS_OK ? 0 : -1;
}

static int tear_down(void** state) {
    fracas_context_destroy(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_trees_are_valid),
        cmocka_unit_test(parents_are_nearest),
        cmocka_unit_test(bodies_that_break_often),
        cmocka_unit_test(split_trees_are_tight),
        cmocka_unit_test(lost_point_gets_nearest),
        cmocka_unit_test(split_into_one_part),
        cmocka_unit_test(trees_of_any_unit),
        cmocka_unit_test(insertion_by_hand),
        cmocka_unit_test(deep_trees),
        cmocka_unit_test(check_finds_faults),
        cmocka_unit_test(failed_allocations),
        cmocka_unit_test(many_points),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
