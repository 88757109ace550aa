// Pairs of triangles of two leaves: the tests on packed numbers agree with straightforward loops.
#include "block/quantized_boxes.h"
#include "cmocka_all.h"
#include "cull/vertex_stars.h"
#include "detect/leaf_stars.h"
#include <math.h>
#include <stdlib.h>

enum { POINTS = 3 << 16, ROUNDS = 20000 };

static uint64_t next(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 33;
    return (x * 0xff51afd7ed558ccdu) >> 20;
}

typedef struct leaves {
    uint8_t* settled;
    frc_face_slot faces[2 * FRC_LEAF_SIZE];
    frc_leaf leaf[2];
    frc_leaf_star stars[2];
    frc_block block;
} leaves;

static void create_leaves(leaves* l) {
    l->settled = calloc(POINTS, 1);
    assert_non_null(l->settled);
}

static void destroy_leaves(leaves* l) { free(l->settled); }

/// Two leaves over at max `max` points; with `same_low_bytes` many of them have the same lowest
/// bytes.
static void fill(leaves* l, uint64_t* random, uint32_t max, bool same_low_bytes) {
    memset(l->stars, 0, sizeof l->stars);
    for (uint32_t n = 0; n < 2; n++) {
        l->leaf[n] = (frc_leaf){.face = n * FRC_LEAF_SIZE,
                                .face_count = (uint16_t)(1 + next(random) % FRC_LEAF_SIZE)};
        for (uint32_t i = 0; i < FRC_LEAF_SIZE; i++) {
            frc_face_slot* face = &l->faces[n * FRC_LEAF_SIZE + i];
            const bool empty = i >= l->leaf[n].face_count || next(random) % 16 == 0;
            face->id = empty ? FRACAS_NONE : i;
            for (int k = 0; k < 3; k++) {
                face->point[k] = (uint32_t)(next(random) % max);
                if (same_low_bytes) face->point[k] |= (uint32_t)(next(random) % 3) << 16;
            }
        }
    }
    for (uint32_t i = 0; i < 3u << 16; i += i % 65536 < max ? 1 : 65536 - i % 65536) {
        l->settled[i] = next(random) % 4 != 0;
    }
    l->block =
        (frc_block){.leaves = l->leaf, .leaf_count = 2, .faces = l->faces, .stars = l->stars};
}

static bool share_settled(const leaves* l, const frc_face_slot* a, const frc_face_slot* b) {
    bool share = false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            share = share || (a->point[i] == b->point[j] && l->settled[a->point[i]]);
    return share;
}

static uint64_t loop_neighbours(const leaves* l, uint32_t a, uint32_t b) {
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

/// With few points, all listed, every pair of neighbours is found. With many points, or with equal
/// lowest bytes, no other pair is found.
static void neighbours_by_vertex(void** state) {
    (void)state;
    uint64_t random = 3, found = 0;
    leaves l;
    create_leaves(&l);
    for (int round = 0; round < ROUNDS; round++) {
        const bool plain = round % 2;
        fill(&l, &random, plain ? FRC_LEAF_STARS : 30, !plain);
        for (int turn = 0; turn < 2; turn++) {
            frc_vertex_stars_mark(l.settled, &l.block, 0, 2);
            for (uint32_t a = 0; a < 2; a++)
                for (uint32_t b = 0; b < 2; b++) {
                    const uint64_t pairs = frc_common_vertices(&l.stars[a], &l.stars[b]);
                    const uint64_t wanted = loop_neighbours(&l, a, b);
                    assert_true((pairs & ~wanted) == 0);
                    if (plain) assert_true(pairs == wanted);
                    found += pairs != 0;
                }
            // The next round settles other vertices and reuses the previous list.
            for (uint32_t i = 0; i < 30; i++) l.settled[i] = next(&random) % 2;
        }
    }
    assert_true(found > ROUNDS);
    destroy_leaves(&l);
}

/* ---- cells */

typedef struct boxes {
    frc_leaf leaf[2];
    frc_box4 face_box[4];
    frc_quantized_boxes cells[2];
    frc_block block;
    float lo[2][4], hi[2][4];
} boxes;

static float number(uint64_t* random) { return (float)(next(random) % 4096) / 4096; }

/// Two leaves at `place` with triangles of about `size`; some slots are empty.
static void fill_boxes(boxes* b, uint64_t* random, float place, float size) {
    memset(b, 0, sizeof *b);
    for (uint32_t n = 0; n < 2; n++) {
        b->leaf[n] = (frc_leaf){.face = 8 * n, .face_count = (uint16_t)(1 + next(random) % 8)};
        for (int k = 0; k < 3; k++) b->lo[n][k] = INFINITY, b->hi[n][k] = -INFINITY;
        for (uint32_t i = 0; i < 8; i++) {
            frc_box4* packet = &b->face_box[2 * n + i / 4];
            const bool empty = i >= b->leaf[n].face_count || (i > 0 && next(random) % 6 == 0);
            for (int k = 0; k < 3; k++) {
                const float lo = place + size * 3 * number(random), hi = lo + size * number(random);
                packet->lo[k][i % 4] = empty ? NAN : lo;
                packet->hi[k][i % 4] = empty ? NAN : hi;
                if (!empty) b->lo[n][k] = fminf(b->lo[n][k], lo);
                if (!empty) b->hi[n][k] = fmaxf(b->hi[n][k], hi);
            }
        }
    }
    b->block = (frc_block){.leaves = b->leaf, .leaf_count = 2, .face_slots = 16};
}

static bool leaves_overlap(const boxes* b) {
    bool yes = true;
    for (int k = 0; k < 3; k++)
        yes = yes && b->lo[0][k] <= b->hi[1][k] && b->lo[1][k] <= b->hi[0][k];
    return yes;
}

/// Bit 8 i + j: the distance of boxes i and j is at max `gap`.
static uint64_t loop_overlaps(const boxes* b, uint32_t m, uint32_t n, float gap) {
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++) {
            const frc_box4 *p = &b->face_box[2 * m + i / 4], *q = &b->face_box[2 * n + j / 4];
            bool meet = true;
            for (int k = 0; k < 3; k++)
                meet = meet && p->lo[k][i % 4] <= q->hi[k][j % 4] + gap &&
                       q->lo[k][j % 4] <= p->hi[k][i % 4] + gap;
            pairs |= (uint64_t)meet << (8 * i + j);
        }
    return pairs;
}

static void check_cells(boxes* b, float scale, uint64_t tally[2]) {
    frc_tree tree = {.ends = 1, .face_box = b->face_box, .cells = b->cells, .scale = scale};
    for (uint32_t n = 0; n < 2; n++)
        frc_quantized_boxes_fit(&b->block, &tree, n, f32x4_load(b->lo[n]), f32x4_load(b->hi[n]));
    for (uint32_t m = 0; m < 2; m++)
        for (uint32_t n = 0; n < 2; n++) {
            if (frc_quantized_boxes_are_coarse(&b->cells[m]) ||
                frc_quantized_boxes_are_coarse(&b->cells[n])) {
                tally[1]++;
                continue;
            }
            const uint64_t pairs = frc_quantized_boxes_meet(&b->cells[m], &b->cells[n]);
            // No overlapping pair is lost, no pair two cells apart is kept.
            assert_true((loop_overlaps(b, m, n, 0) & ~pairs) == 0);
            assert_true((pairs & ~loop_overlaps(b, m, n, 2 / scale)) == 0);
            tally[0] += pairs != 0;
        }
}

/// At all places, including those where the sixteen bits of a leaf wrap around, and at all scales,
/// including those too small for the cells.
static void boxes_in_cells(void** state) {
    (void)state;
    static const float places[] = {0, -1.5f, 63, 64, -64, 1000, -31000.25f, 1e6f, 1e30f};
    uint64_t random = 11, tally[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        boxes b;
        const float place = places[next(&random) % (sizeof places / sizeof *places)];
        fill_boxes(&b, &random, place, ldexpf(1, (int)(next(&random) % 8) - 6));
        if (!leaves_overlap(&b)) continue;
        check_cells(&b, ldexpf(1, (int)(next(&random) % 20) - 2), tally);
    }
    assert_true(tally[0] > ROUNDS / 2 && tally[1] > ROUNDS / 8);
}

static void scale_of_cells(void** state) {
    (void)state;
    const float lo[3] = {0, 1, 2}, hi[3] = {1, 17, 2.5f}, none[3] = {NAN, NAN, NAN};
    // Sixteen cells across, 64 leaves: two cells each, of 256.
    assert_true(frc_quantized_boxes_scale(lo, hi, 64) == 128);
    assert_true(frc_quantized_boxes_scale(none, none, 64) == 1);
    assert_true(frc_quantized_boxes_scale(lo, lo, 64) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_by_vertex),
        cmocka_unit_test(boxes_in_cells),
        cmocka_unit_test(scale_of_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
