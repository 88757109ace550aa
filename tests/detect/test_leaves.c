// Pairs of triangles of two leaves: what is told from packed numbers is what the obvious loops
// tell.
#include "cmocka_all.h"
#include "cull/stars.h"
#include "detect/probe.h"
#include <stdlib.h>

enum { POINTS = 3 << 16, SERIAL = 5, ROUNDS = 20000 };

static uint64_t next(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 33;
    return (x * 0xff51afd7ed558ccdu) >> 20;
}

typedef struct leaves {
    frc_vertex_use* uses;
    uint8_t* settled;
    frc_face_slot faces[2 * FRC_LEAF_SIZE];
    frc_leaf leaf[2];
    frc_leaf_star stars[2];
    frc_block block;
} leaves;

static void open_leaves(leaves* l) {
    l->uses = calloc(POINTS, sizeof *l->uses);
    l->settled = calloc(POINTS, 1);
    assert_true(l->uses && l->settled);
}

static void close_leaves(leaves* l) {
    free(l->uses);
    free(l->settled);
}

/// Two leaves over `most` points; with `alike` many of them have the same lowest bytes.
static void fill(leaves* l, uint64_t* random, uint32_t most, bool alike) {
    memset(l->stars, 0, sizeof l->stars);
    for (uint32_t n = 0; n < 2; n++) {
        l->leaf[n] = (frc_leaf){.face = n * FRC_LEAF_SIZE,
                                .face_count = (uint16_t)(1 + next(random) % FRC_LEAF_SIZE)};
        for (uint32_t i = 0; i < FRC_LEAF_SIZE; i++) {
            frc_face_slot* face = &l->faces[n * FRC_LEAF_SIZE + i];
            const bool empty = i >= l->leaf[n].face_count || next(random) % 16 == 0;
            face->id = empty ? FRACAS_NONE : i;
            for (int k = 0; k < 3; k++) {
                face->point[k] = (uint32_t)(next(random) % most);
                if (alike) face->point[k] |= (uint32_t)(next(random) % 3) << 16;
            }
        }
    }
    for (uint32_t i = 0; i < 3u << 16; i += i % 65536 < most ? 1 : 65536 - i % 65536) {
        l->settled[i] = next(random) % 4 != 0;
        l->uses[i].rings = next(random) % 8 ? SERIAL : SERIAL - 1;
    }
    l->block =
        (frc_block){.leaves = l->leaf, .leaf_count = 2, .faces = l->faces, .stars = l->stars};
}

static bool share_settled(const leaves* l, const frc_face_slot* a, const frc_face_slot* b) {
    bool share = false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            share = share || (a->point[i] == b->point[j] && l->settled[a->point[i]] &&
                              l->uses[a->point[i]].rings == SERIAL);
    return share;
}

static uint64_t obvious(const leaves* l, uint32_t a, uint32_t b) {
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < FRC_LEAF_SIZE; i++)
        for (uint32_t j = 0; j < FRC_LEAF_SIZE; j++) {
            const frc_face_slot *fa = &l->faces[a * FRC_LEAF_SIZE + i],
                                *fb = &l->faces[b * FRC_LEAF_SIZE + j];
            if (fa->id == FRACAS_NONE || fb->id == FRACAS_NONE) continue;
            pairs |= (uint64_t)share_settled(l, fa, fb) << (8 * i + j);
        }
    return pairs;
}

static void mark(leaves* l) {
    frc_topology topology = {0};
    topology.uses.data = l->uses;
    frc_stars_mark(&topology, SERIAL, l->settled, &l->block, 0, 2);
}

/// Few points, all of them listed: everything is found. Many, or such that are easily confused:
/// nothing else is.
static void neighbours_by_vertex(void** state) {
    (void)state;
    uint64_t random = 3, found = 0;
    leaves l;
    open_leaves(&l);
    for (int round = 0; round < ROUNDS; round++) {
        const bool plain = round % 2;
        fill(&l, &random, plain ? FRC_LEAF_STARS : 30, !plain);
        for (int turn = 0; turn < 2; turn++) {
            mark(&l);
            for (uint32_t a = 0; a < 2; a++)
                for (uint32_t b = 0; b < 2; b++) {
                    const uint64_t pairs = stars_in_common(&l.stars[a], &l.stars[b]);
                    const uint64_t wanted = obvious(&l, a, b);
                    assert_true((pairs & ~wanted) == 0);
                    if (plain) assert_true(pairs == wanted);
                    found += pairs != 0;
                }
            // In the next turn other vertices are settled, and the list is the one made before.
            for (uint32_t i = 0; i < 30; i++) l.settled[i] = next(&random) % 2;
        }
    }
    assert_true(found > ROUNDS);
    close_leaves(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_by_vertex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
