// The filters of one pair of medial primitives on a device are those of four equal lanes.
#include "cmocka_all.h"
#include "common_kit.h"
#include "cuda/medial_quick.h"
#include "share.h"
#include <math.h>
#include <string.h>

// A body of three spheres and a slot, and the same in four lanes.
typedef struct side {
    frc_lane_sphere spheres[3];
    frc_medial_primitive primitive;
    frc_medial_device_body body;
    frc_medial_slot slot;
    frc_lane_nodes nodes;
} side;

static side make(uint64_t* random, double size) {
    side s = {
        .primitive = {{0, 1, 2}, 1 + (uint32_t)(kit_random(random) % 3), 0}
    };
    s.slot.radius = (float)(size * kit_uniform(random, 0.1, 1));
    for (int i = 0; i < 3; i++) {
        const double way = kit_uniform(random, -1, 1);
        s.slot.start[i] = (float)(size * kit_uniform(random, -1, 1));
        s.slot.way[i] = (float)(size * way);
        for (int k = 0; k < 3; k++) {
            const double from = size * kit_uniform(random, -0.5, 0.5);
            s.spheres[i].start[k] = (float)from;
            s.spheres[i].end[k] = (float)(from + 0.1 * size * way);
        }
        s.spheres[i].radius = (float)(size * kit_uniform(random, 0, 0.3));
        s.spheres[i].bulge = (float)(size * kit_uniform(random, 0, 0.01));
        s.body.motion.position[0][i] = size * kit_uniform(random, -1, 1);
        s.body.motion.position[1][i] = size * kit_uniform(random, -1, 1);
    }
    s.body.bound = s.body.radius = size;
    for (int l = 0; l < FRC_MEDIAL_LANES; l++) {
        for (int k = 0; k < 3; k++) {
            s.nodes.start[k][l] = s.slot.start[k];
            s.nodes.way[k][l] = s.slot.way[k];
        }
        s.nodes.radius[l] = s.slot.radius;
    }
    return s;
}

static unsigned apart_in_lanes(const side* a, const side* b, const frc_medial_between* between) {
    frc_lane_pairs lanes = {.count_a = (int)a->primitive.count,
                            .count_b = (int)b->primitive.count,
                            .size = between->size,
                            .tolerance = between->tolerance};
    memcpy(lanes.start, between->start, sizeof lanes.start);
    memcpy(lanes.end, between->end, sizeof lanes.end);
    for (int l = 0; l < FRC_MEDIAL_LANES; l++)
        for (int i = 0; i < 3; i++) {
            lanes.a[l][i] = &a->spheres[i < lanes.count_a ? i : 0];
            lanes.b[l][i] = &b->spheres[i < lanes.count_b ? i : 0];
        }
    return frc_medial_lanes_apart(&lanes);
}

static unsigned meet_in_lanes(const side* a, const side* b, const frc_medial_between* between) {
    double way[3], largest = 0;
    for (int k = 0; k < 3; k++) {
        way[k] = between->end[k] - between->start[k];
        largest = fmax(largest, fmax(fabs(between->start[k]), fabs(between->end[k])));
    }
    return frc_medial_lanes_meet(&a->nodes, FRC_LANE_BOTH, &b->nodes, FRC_LANE_BOTH, between->start,
                                 way, between->size + largest, 1);
}

static void same_as_lanes(void** state) {
    (void)state;
    uint64_t random = 36;
    uint32_t apart = 0, meet = 0;
    const uint32_t rounds = share_of(20000);
    for (uint32_t round = 0; round < rounds; round++) {
        const double size = round % 50 == 0 ? 1e13 : 1;
        const side a = make(&random, size), b = make(&random, size);
        const frc_medial_between between =
            frc_medial_between_make(&a.body, &b.body, round % 3 ? 1e-3 : 0.5);
        const bool own =
            frc_medial_quick_apart(a.spheres, &a.primitive, b.spheres, &b.primitive, &between);
        assert_int_equal(own ? 15 : 0, apart_in_lanes(&a, &b, &between));
        const bool near = frc_medial_quick_meet(&a.slot, &b.slot, &between);
        assert_int_equal(near ? 15 : 0, meet_in_lanes(&a, &b, &between));
        apart += own, meet += near;
    }
    assert_true(apart > rounds / 10 && apart < rounds - rounds / 10);
    assert_true(meet > rounds / 10 && meet < rounds - rounds / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
