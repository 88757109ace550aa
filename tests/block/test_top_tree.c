// The tree over blocks: random edits keep every invariant, and the pairs found are those of a newly
// built tree and of a loop over all pairs.
#include "block/top_tree.h"
#include "cmocka_all.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 300 };

typedef struct world {
    fracas_context* context;
    frc_block* blocks[MAX_BLOCKS];
    frc_top_tree top;
    uint64_t random;
    uint32_t count;  // block numbers in use: [0, count)
    int kind;
} world;

static uint32_t pick(world* w, uint32_t count) {
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (uint32_t)((w->random >> 11) % count);
}

// Boxes of several kinds: spread, all equal, in a line, huge, sometimes empty.
static void set_boxes(world* w, frc_block* block) {
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        for (int k = 0; k < 3; k++) {
            float at = (float)pick(w, 1000), size = (float)pick(w, 60);
            if (w->kind == 1) at = 5, size = 1;
            if (w->kind == 2 && k > 0) at = 0, size = 0;
            if (w->kind == 3) at *= 3e35f, size = pick(w, 3) ? 1e36f : INFINITY;
            block->lo[m][k] = at;
            block->hi[m][k] = at + size;
        }
    if (w->kind != 0 || pick(w, 40)) return;
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        for (int k = 0; k < 3; k++) block->lo[m][k] = block->hi[m][k] = NAN;
}

static bool overlap(const frc_block* a, const frc_block* b, int m) {
    for (int k = 0; k < 3; k++)
        if (!(a->lo[m][k] <= b->hi[m][k] && b->lo[m][k] <= a->hi[m][k])) return false;
    return true;
}

// ---- pairs by the tree

typedef struct pairs {
    uint8_t found[MAX_BLOCKS][MAX_BLOCKS];
} pairs;

static bool lanes_overlap(const frc_node* a, uint32_t i, const frc_node* b, uint32_t j) {
    for (int k = 0; k < 3; k++)
        if (!(a->box.lo[k][i] <= b->box.hi[k][j] && b->box.lo[k][j] <= a->box.hi[k][i]))
            return false;
    return true;
}

static void walk(const frc_top_tree* top, int m, uint32_t na, uint32_t ia, uint32_t nb, uint32_t ib,
                 pairs* out) {
    const frc_node *a = &top->nodes[m][na], *b = &top->nodes[m][nb];
    if (!lanes_overlap(a, ia, b, ib)) return;
    uint32_t x = a->child[ia], y = b->child[ib];
    if (x & y & FRC_REF_LEAF) {
        uint32_t p = top->leaf_block[x & ~FRC_REF_LEAF], q = top->leaf_block[y & ~FRC_REF_LEAF];
        out->found[p < q ? p : q][p < q ? q : p]++;
    } else if (x & FRC_REF_LEAF) {
        for (uint32_t j = 0; j < 4 && top->nodes[m][y].child[j] != FRC_REF_NONE; j++)
            walk(top, m, na, ia, y, j, out);
    } else {
        for (uint32_t i = 0; i < 4 && top->nodes[m][x].child[i] != FRC_REF_NONE; i++)
            walk(top, m, x, i, nb, ib, out);
    }
}

static void walk_self(const frc_top_tree* top, int m, uint32_t n, pairs* out) {
    const frc_node* node = &top->nodes[m][n];
    for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        for (uint32_t j = i + 1; j < 4 && node->child[j] != FRC_REF_NONE; j++)
            walk(top, m, n, i, n, j, out);
        if (!(node->child[i] & FRC_REF_LEAF)) walk_self(top, m, node->child[i], out);
    }
}

static void check(const world* w) {
    const char* wrong = frc_top_tree_validate(&w->top, w->blocks, w->count);
    if (wrong) fail_msg("%s", wrong);
    static pairs found;
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        memset(&found, 0, sizeof found);
        if (w->top.node_count) walk_self(&w->top, m, 0, &found);
        for (uint32_t i = 0; i < w->count; i++)
            for (uint32_t j = i + 1; j < w->count; j++) {
                bool wanted =
                    w->blocks[i] && w->blocks[j] && overlap(w->blocks[i], w->blocks[j], m);
                assert_int_equal(found.found[i][j], wanted);
            }
    }
}

// ---- edits

static uint32_t make_block(world* w) {
    uint32_t n = 0;
    while (n < w->count && w->blocks[n]) n++;
    if (n == MAX_BLOCKS) return FRACAS_NONE;
    if (n == w->count) w->count++;
    w->blocks[n] = calloc(1, sizeof *w->blocks[n]);
    set_boxes(w, w->blocks[n]);
    assert_true(frc_top_tree_reserve(w->context, w->count, &w->top));
    return n;
}

static uint32_t any_block(world* w) {
    for (uint32_t tries = 0; tries < 20 && w->count; tries++) {
        uint32_t n = pick(w, w->count);
        if (w->blocks[n] && w->top.leaves[n].parent != FRC_REF_NONE) return n;
    }
    return FRACAS_NONE;
}

static void add_one(world* w) {
    uint32_t near = any_block(w), n = make_block(w);
    if (n == FRACAS_NONE) return;
    uint32_t start = near == FRACAS_NONE || pick(w, 2) ? 0 : frc_top_tree_last_node(&w->top, near);
    frc_top_tree_insert(&w->top, w->blocks, n, start);
}

static void add_several(world* w) {
    uint32_t near = pick(w, 4) ? any_block(w) : FRACAS_NONE, list[8], count = 0;
    for (uint32_t i = 1 + pick(w, 8); i-- > 0;) {
        uint32_t n = make_block(w);
        if (n != FRACAS_NONE) list[count++] = n;
    }
    uint32_t start = near == FRACAS_NONE ? 0 : frc_top_tree_last_node(&w->top, near);
    frc_top_tree_insert_all(w->context, &w->top, w->blocks, list, count, near, start);
}

static void destroy_block(world* w, uint32_t n) {
    frc_top_tree_remove(&w->top, n);
    free(w->blocks[n]);
    w->blocks[n] = NULL;
}

static void remove_some(world* w) {
    for (uint32_t i = 1 + pick(w, 5); i-- > 0;) {
        uint32_t n = any_block(w);
        if (n != FRACAS_NONE) destroy_block(w, n);
    }
}

// Several overlapping blocks are merged.
static void merge_some(world* w) {
    uint32_t meeting = FRACAS_NONE;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t n = any_block(w);
        if (n == FRACAS_NONE) return;
        uint32_t spot = frc_top_tree_last_node(&w->top, n);
        destroy_block(w, n);
        meeting =
            frc_top_tree_common_ancestor(&w->top, meeting == FRACAS_NONE ? spot : meeting, spot);
    }
    uint32_t n = make_block(w);
    frc_top_tree_insert(&w->top, w->blocks, n, meeting);
}

// The lowest node that is above both, by the list of all nodes above one of them.
static void check_common_ancestors(world* w) {
    const uint32_t x = any_block(w), y = any_block(w);
    if (x == FRACAS_NONE || y == FRACAS_NONE) return;
    const frc_node* nodes = w->top.nodes[FRC_BOXES_STEP];
    const uint32_t a = frc_top_tree_last_node(&w->top, x), b = frc_top_tree_last_node(&w->top, y);
    uint32_t above[2 * MAX_BLOCKS], count = 0, lowest = b;
    for (uint32_t n = a; n != FRC_REF_NONE; n = nodes[n].parent) above[count++] = n;
    for (bool found = false; !found; lowest = found ? lowest : nodes[lowest].parent)
        for (uint32_t i = 0; i < count; i++) found = found || above[i] == lowest;
    assert_int_equal(frc_top_tree_common_ancestor(&w->top, a, b), lowest);
}

static void move_some(world* w) {
    uint32_t list[MAX_BLOCKS], count = 0, share = 1 + pick(w, 30);
    for (uint32_t i = 0; i < w->count; i++)
        if (w->blocks[i] && pick(w, share) == 0) {
            set_boxes(w, w->blocks[i]);
            list[count++] = i;
        }
    frc_top_tree_refit(w->context, &w->top, w->blocks, list, count);
}

static void random_edits_keep_the_tree(void** state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            world* w = calloc(1, sizeof *w);
            w->random = seed * 0x9E3779B97F4A7C15u;
            w->kind = kind;
            w->top.modes = FRACAS_MODE_BOTH;
            assert_int_equal(fracas_context_create(NULL, &w->context), FRACAS_OK);
            assert_true(frc_top_tree_build(w->context, w->blocks, 0, FRACAS_MODE_BOTH, &w->top));
            for (int step = 0; step < 400; step++) {
                void (*const edits[])(world*) = {add_one,     add_one,    add_several,
                                                 remove_some, merge_some, move_some};
                edits[pick(w, 6)](w);
                check_common_ancestors(w);
                if (frc_top_tree_has_decayed(&w->top))
                    assert_true(frc_top_tree_build(w->context, w->blocks, w->count,
                                                   FRACAS_MODE_BOTH, &w->top));
                if (step % 8 == 0) check(w);
            }
            while (any_block(w) != FRACAS_NONE) remove_some(w);
            for (uint32_t i = 0; i < w->count; i++)
                if (w->blocks[i]) destroy_block(w, i);
            check(w);
            assert_int_equal(w->top.leaf_count, 0);
            frc_top_tree_release(w->context, &w->top);
            fracas_context_destroy(w->context);
            free(w);
        }
}

// Equal boxes, inserted one by one: the tree must not degenerate to a chain.
static void equal_boxes_make_no_chain(void** state) {
    (void)state;
    world* w = calloc(1, sizeof *w);
    w->random = 1, w->kind = 1, w->top.modes = FRACAS_MODE_BOTH;
    assert_int_equal(fracas_context_create(NULL, &w->context), FRACAS_OK);
    for (uint32_t i = 0; i < MAX_BLOCKS; i++)
        frc_top_tree_insert(&w->top, w->blocks, make_block(w), 0);
    assert_false(w->top.broken);
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < MAX_BLOCKS; i++) {
        uint32_t depth = 0;
        for (uint32_t n = w->top.leaves[i].parent; n != FRC_REF_NONE; depth++)
            n = w->top.nodes[0][n].parent;
        deepest = depth > deepest ? depth : deepest;
    }
    assert_true(deepest <= 12);
    for (uint32_t i = 0; i < MAX_BLOCKS; i++) destroy_block(w, i);
    frc_top_tree_release(w->context, &w->top);
    fracas_context_destroy(w->context);
    free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_edits_keep_the_tree),
        cmocka_unit_test(equal_boxes_make_no_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
