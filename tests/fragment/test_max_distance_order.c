// Maximum-distance orders: equal to farthest-point insertion in time n^2; the bounds of Gonzalez
// against all choices of few points; failed allocations. The slow version computes squared
// distances by the same formula, so it is no test of that formula; the bounds are.
#include "cmocka_all.h"
#include "fracas/contact.h"
#include "fragment/max_distance_order.h"
#include "point_sets.h"
#include "scene/test_allocator.h"
#include "share.h"
#include <time.h>

static double squared(const double a[3], const double b[3]) {
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void find_pair(const double (*points)[3], const uint32_t* items, uint32_t count,
                      uint32_t pair[2]) {
    double most = -1;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            const double d = squared(points[items[i]], points[items[j]]);
            if (d > most) most = d, pair[0] = i, pair[1] = j;
        }
}

// The order in time n^2.
static void slow_order(const double (*points)[3], const uint32_t* items, uint32_t count,
                       uint32_t* order, double* covering) {
    double* distance = calloc(count + 1, sizeof *distance);
    uint32_t pair[2] = {0, 0};
    find_pair(points, items, count, pair);
    for (uint32_t i = 0; i < count; i++) distance[i] = INFINITY;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t next = 0;
        for (uint32_t i = 1; i < count; i++)
            if (distance[i] > distance[next]) next = i;
        if (m < 2) next = pair[m];
        order[m] = items[next];
        covering[m] = sqrt(distance[next]);
        for (uint32_t i = 0; i < count; i++) {
            const double d = squared(points[items[i]], points[items[next]]);
            if (d < distance[i]) distance[i] = d;
        }
        distance[next] = -1;
    }
    free(distance);
}

// A shuffled selection of `count` out of `point_count` ids.
static uint32_t* make_items(uint32_t point_count, uint32_t count, uint64_t* random) {
    uint32_t* items = calloc(point_count + 1, sizeof *items);
    for (uint32_t i = 0; i < point_count; i++) items[i] = i;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = i + next_below_count(random, point_count - i), t = items[i];
        items[i] = items[j], items[j] = t;
    }
    return items;
}

static void check_order(fracas_context* context, const double (*points)[3], const uint32_t* items,
                        uint32_t count) {
    uint32_t *order = calloc(count + 1, sizeof *order), *slow = calloc(count + 1, sizeof *slow);
    double *covering = calloc(count + 1, sizeof *covering), *wanted = calloc(count + 1, 8);
    assert_true(frc_max_distance_order(context, points, items, count, order, covering));
    slow_order(points, items, count, slow, wanted);
    for (uint32_t m = 0; m < count; m++) {
        assert_int_equal(order[m], slow[m]);
        assert_true(covering[m] == wanted[m]);
        assert_true(m == 0 || covering[m] <= covering[m - 1]);
    }
    free(order), free(slow), free(covering), free(wanted);
}

static void order_equals_slow_order(void** state) {
    fracas_context* context = *state;
    const uint32_t counts[] = {0, 1, 2, 3, 4, 5, 8, 9, 17, 40, 150, 700};
    uint64_t random = 1;
    for (int set = 0; set < SET_COUNT; set++)
        for (uint32_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (uint32_t round = share_of(3); round-- > 0;) {
                const uint32_t count = counts[c], all = count + count / 3;
                double(*points)[3] = make_points((point_set)set, all, &random);
                uint32_t* items = make_items(all, count, &random);
                check_order(context, points, items, count);
                free(points), free(items);
            }
}

// Without items the order is that of all points.
static void items_may_be_null(void** state) {
    uint64_t random = 2;
    enum { COUNT = 200 };
    double(*points)[3] = make_points(SET_LATTICE, COUNT, &random);
    uint32_t items[COUNT], a[COUNT], b[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) items[i] = i;
    assert_true(frc_max_distance_order(*state, points, items, COUNT, a, NULL));
    assert_true(frc_max_distance_order(*state, points, NULL, COUNT, b, NULL));
    assert_memory_equal(a, b, sizeof a);
    free(points);
}

// Squares of these coordinates overflow or underflow; the order is that of the same points in
// another unit.
static void order_does_not_depend_on_unit(void** state) {
    enum { COUNT = 300 };
    const int exponents[] = {1023, 700, -700, -1000};
    for (int e = 0; e < 4; e++) {
        uint64_t random = 3;
        double(*points)[3] = make_points(SET_CUBE, COUNT, &random);
        // Few bits, so that none is lost in subnormal numbers.
        for (uint32_t i = 0; i < COUNT; i++)
            for (int k = 0; k < 3; k++) points[i][k] = floor(points[i][k] * 0x1p20) * 0x1p-20;
        uint32_t a[COUNT], b[COUNT];
        double before[COUNT], after[COUNT];
        assert_true(frc_max_distance_order(*state, points, NULL, COUNT, a, before));
        for (uint32_t i = 0; i < COUNT; i++)
            for (int k = 0; k < 3; k++) points[i][k] = ldexp(points[i][k], exponents[e]);
        assert_true(frc_max_distance_order(*state, points, NULL, COUNT, b, after));
        assert_memory_equal(a, b, sizeof a);
        for (uint32_t m = 0; m < COUNT; m++) {
            const double wanted = ldexp(before[m], exponents[e]);
            assert_true(fabs(after[m] - wanted) <= 1e-12 * wanted || after[m] == wanted);
        }
        free(points);
    }
}

// The covering radius of the points in `set`, a set of bits.
static double covering_of(const double (*points)[3], uint32_t count, uint32_t set) {
    double most = 0;
    for (uint32_t i = 0; i < count; i++) {
        double nearest = INFINITY;
        for (uint32_t j = 0; j < count; j++)
            if (set >> j & 1) nearest = fmin(nearest, squared(points[i], points[j]));
        most = fmax(most, nearest);
    }
    return sqrt(most);
}

// Gonzalez: the first m points cover at most twice as badly as the best m points.
static void prefixes_cover_well(void** state) {
    uint64_t random = 4;
    enum { COUNT = 11 };
    for (uint32_t round = share_of(60); round-- > 0;) {
        double(*points)[3] = make_points((point_set)(round % SET_COUNT), COUNT, &random);
        uint32_t order[COUNT], prefix = 0;
        double covering[COUNT], best[COUNT + 1];
        assert_true(frc_max_distance_order(*state, points, NULL, COUNT, order, covering));
        for (uint32_t m = 0; m <= COUNT; m++) best[m] = INFINITY;
        for (uint32_t set = 1; set < 1u << COUNT; set++) {
            const int m = __builtin_popcount(set);
            best[m] = fmin(best[m], covering_of(points, COUNT, set));
        }
        for (uint32_t m = 1; m < COUNT; m++) {
            prefix |= 1u << order[m - 1];
            const double radius = covering_of(points, COUNT, prefix);
            assert_true(radius == covering[m]);
            assert_true(radius <= 2 * best[m] * (1 + 1e-12));
        }
        free(points);
    }
}

static void failed_allocations(void** state) {
    (void)state;
    enum { COUNT = 100 };
    test_allocator memory = {0};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
    fracas_context* context;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    uint64_t random = 5;
    double(*points)[3] = make_points(SET_CUBE, COUNT, &random);
    uint32_t order[COUNT];
    const size_t live = atomic_load(&memory.live);
    bool ok = false;
    for (size_t n = 1; !ok; n++) {
        test_allocator_fail_at(&memory, n);
        ok = frc_max_distance_order(context, points, NULL, COUNT, order, NULL);
        assert_true(ok == (n > 5));
        assert_int_equal(atomic_load(&memory.live), live);
    }
    test_allocator_fail_at(&memory, 0);
    free(points);
    fracas_context_destroy(context);
}

// A method of time n^2 takes seconds for the smaller count, and minutes for the larger.
static void many_points_are_fast(void** state) {
    const point_set sets[] = {SET_CUBE,     SET_SPHERE, SET_LATTICE,
                              SET_CLUSTERS, SET_COPIES, SET_ARCS};
    const uint32_t counts[] = {20000, 50000};
    for (uint32_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        for (int c = 0; c < 2; c++) {
            uint64_t random = 6;
            double(*points)[3] = make_points(sets[s], counts[c], &random);
            uint32_t* order = calloc(counts[c], sizeof *order);
            const clock_t begin = clock();
            assert_true(frc_max_distance_order(*state, points, NULL, counts[c], order, NULL));
            print_message("set %d, %u points: %.1f ms\n", (int)sets[s], counts[c],
                          (double)(clock() - begin) * 1e3 / CLOCKS_PER_SEC);
            free(points), free(order);
        }
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
        cmocka_unit_test(order_equals_slow_order),
        cmocka_unit_test(items_may_be_null),
        cmocka_unit_test(order_does_not_depend_on_unit),
        cmocka_unit_test(prefixes_cover_well),
        cmocka_unit_test(failed_allocations),
        cmocka_unit_test(many_points_are_fast),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
