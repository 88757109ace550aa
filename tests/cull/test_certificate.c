// A certificate is never given to a node with a colliding pair: random shapes of every kind, all
// nodes and leaves of their trees, exact tests of all pairs. And it is given often enough to be
// useful.
#include "cmocka_all.h"
#include "cull_check.h"

static void tally_kind(cull_kind kind, uint32_t rounds, cull_tally* tally) {
    uint64_t state = 0x9e3779b97f4a7c15 + (uint64_t)kind * 7919;
    for (uint32_t i = 0; i < rounds; i++) {
        cull_shape shape = cull_make_shape(kind, 4 + cull_below(&state, 60), &state);
        cull_world world;
        assert_true(cull_world_open(&world, &shape, FRACAS_PUBLISHED_CULL_CERTIFICATE, 1));
        cull_check_scene(&world, true, tally);
        cull_world_close(&world);
        cull_free_shape(&shape);
    }
}

static void certified_nodes_do_not_collide(void** state) {
    (void)state;
    static const char* const names[CULL_KINDS] = {"strip",  "ramp", "pipe",   "folded",
                                                  "joints", "torn", "layers", "fan"};
    for (int kind = 0; kind < CULL_KINDS; kind++) {
        cull_tally t = {0};
        tally_kind((cull_kind)kind, 400, &t);
        for (int m = 0; m < FRC_BOXES_COUNT; m++) {
            uint64_t clear = t.nodes[m] - t.colliding[m];
            print_message("%-7s %s: %5llu nodes, %5llu collide, %4.1f %% of the others certified\n",
                          names[kind], m ? "step" : "end ", (unsigned long long)t.nodes[m],
                          (unsigned long long)t.colliding[m],
                          100.0 * (double)t.certified[m] / (double)(clear ? clear : 1));
            // Both occur: collisions that must be detected, and certificates that should be given.
            assert_true(t.colliding[m] > t.nodes[m] / 50);
            assert_true(t.certified[m] > clear / 20);
        }
        assert_int_equal(t.misses, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_nodes_do_not_collide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
