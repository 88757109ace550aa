// Points, edges and triangles are added and removed at random, compared with plain lists. The hash
// table of edges is the critical part: removing an edge must not hide another.
#include "cmocka_all.h"
#include "mesh/topology.h"
#include <stdlib.h>
#include <string.h>

enum { POINTS = 60, STEPS = 60000 };

typedef struct plain {
    uint32_t uses[POINTS][POINTS];  // smaller point first
    uint32_t id[POINTS][POINTS];    // FRACAS_NONE: no edge
    bool is_free[POINTS][POINTS];
    uint32_t count;
} plain;

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

static void check_all(const frc_topology* topology, const plain* p) {
    uint32_t found = 0;
    for (uint32_t a = 0; a < POINTS; a++)
        for (uint32_t b = a; b < POINTS; b++) {
            uint32_t id = a == b ? FRACAS_NONE : p->id[a][b];
            assert_int_equal(frc_topology_find_edge(topology, a, b), id);
            assert_int_equal(frc_topology_find_edge(topology, b, a), id);
            if (id == FRACAS_NONE) continue;
            const frc_edge* e = &topology->edges.data[id];
            assert_true(e->point[0] == a && e->point[1] == b);
            assert_int_equal(e->uses, p->uses[a][b]);
            found++;
        }
    assert_int_equal(found, p->count);
    assert_int_equal(topology->table_used, p->count);
    assert_int_equal(topology->edges.count - topology->unused_edges.count, p->count);
    uint32_t entries = 0;
    for (size_t i = 0; i <= topology->table_mask; i++) entries += topology->table[i] != FRACAS_NONE;
    assert_int_equal(entries, p->count);
}

static void add_use(frc_topology* topology, plain* p, uint32_t a, uint32_t b, bool is_free) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t id = frc_topology_find_or_add_edge(topology, a, b);
    if (a == b) {
        assert_int_equal(id, FRACAS_NONE);
        return;
    }
    if (p->id[low][high] == FRACAS_NONE) {
        p->id[low][high] = id;
        p->count++;
    }
    assert_int_equal(p->id[low][high], id);
    frc_edge* e = &topology->edges.data[id];
    if (is_free)
        e->free = 1, p->is_free[low][high] = true;
    else
        e->uses++, p->uses[low][high]++;
}

static void remove_use(frc_topology* topology, plain* p, uint32_t a, uint32_t b, bool is_free) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a, id = p->id[low][high];
    if (a == b || id == FRACAS_NONE) return;
    frc_edge* e = &topology->edges.data[id];
    if (is_free)
        e->free = 0, p->is_free[low][high] = false;
    else if (e->uses)
        e->uses--, p->uses[low][high]--;
    bool last = !p->uses[low][high] && !p->is_free[low][high];
    assert_int_equal(frc_topology_remove_unused_edge(topology, id), last);
    if (!last) return;
    p->id[low][high] = FRACAS_NONE;
    p->count--;
}

static void edges_same_as_lists(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    frc_topology topology;
    frc_topology_init(&topology, context);
    plain* p = calloc(1, sizeof *p);
    memset(p->id, 0xff, sizeof p->id);
    uint64_t random = 3;
    assert_int_equal(frc_topology_find_edge(&topology, 1, 2), FRACAS_NONE);
    for (uint32_t step = 0; step < STEPS; step++) {
        // The table fills up, is emptied, and fills again.
        bool filling = step / 5000 % 2 == 0;
        uint32_t a = (uint32_t)(next_random(&random) % POINTS);
        uint32_t b = (uint32_t)(next_random(&random) % POINTS);
        bool is_free = next_random(&random) % 8 == 0, more = next_random(&random) % 4 != 0;
        assert_true(frc_topology_reserve(&topology, 0, 0, 1));
        if (more == filling)
            add_use(&topology, p, a, b, is_free);
        else
            remove_use(&topology, p, a, b, is_free);
        if (step % 500 == 0) check_all(&topology, p);
    }
    check_all(&topology, p);
    for (uint32_t a = 0; a < POINTS; a++)
        for (uint32_t b = a + 1; b < POINTS; b++) {
            remove_use(&topology, p, a, b, true);
            while (p->id[a][b] != FRACAS_NONE) remove_use(&topology, p, a, b, false);
        }
    check_all(&topology, p);
    assert_int_equal(p->count, 0);
    // Ids are reused: their number does not exceed the possible number of edges.
    assert_true(topology.edges.count <= POINTS * (POINTS - 1) / 2);
    free(p);
    frc_topology_release(&topology);
    fracas_context_destroy(context);
}

static void points_and_triangles(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    frc_topology topology;
    frc_topology_init(&topology, context);
    uint32_t live[2][200], count[2] = {0, 0};
    uint64_t random = 4;
    for (uint32_t step = 0; step < 5000; step++) {
        int kind = (int)(next_random(&random) % 2);
        if (count[kind] < 200 && next_random(&random) % 5 < 3) {
            assert_true(frc_topology_reserve(&topology, 1, 1, 0));
            uint32_t id =
                kind ? frc_topology_add_triangle(&topology) : frc_topology_add_point(&topology);
            for (uint32_t i = 0; i < count[kind]; i++) assert_int_not_equal(live[kind][i], id);
            live[kind][count[kind]++] = id;
            // Data of the previous owner of the id is removed.
            const frc_place* place =
                kind ? &topology.triangles.data[id].place : &topology.uses.data[id].place;
            assert_int_equal(place->block, FRACAS_NONE);
            if (kind) continue;
            assert_int_equal(topology.uses.data[id].triangles, 0);
            assert_int_equal(topology.points.data[id].tag[FRC_TAG_FAMILY], 0);
            topology.uses.data[id].triangles = 7;
            topology.uses.data[id].place = (frc_place){3, 4};
            topology.points.data[id].tag[FRC_TAG_FAMILY] = 9;
        } else if (count[kind] > 0) {
            uint32_t at = (uint32_t)(next_random(&random) % count[kind]);
            if (kind)
                frc_topology_remove_triangle(&topology, live[kind][at]);
            else
                frc_topology_remove_point(&topology, live[kind][at]);
            live[kind][at] = live[kind][--count[kind]];
        }
    }
    assert_int_equal(topology.points.count - topology.unused_points.count, count[0]);
    assert_int_equal(topology.triangles.count - topology.unused_triangles.count, count[1]);
    assert_true(topology.points.count <= 200 && topology.triangles.count <= 200);
    frc_topology_release(&topology);
    fracas_context_destroy(context);
}

static void too_many_are_refused(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    frc_topology topology;
    frc_topology_init(&topology, context);
    assert_false(frc_topology_reserve(&topology, (size_t)1 << 31, 0, 0));
    assert_false(frc_topology_reserve(&topology, 0, (size_t)1 << 31, 0));
    assert_false(frc_topology_reserve(&topology, 0, 0, (size_t)1 << 40));
    assert_int_equal(topology.points.capacity, 0);
    frc_topology_release(&topology);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_same_as_lists),
        cmocka_unit_test(points_and_triangles),
        cmocka_unit_test(too_many_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
