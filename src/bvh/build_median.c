/// @file build_median.c  Split at the median of the centres along the longest axis of their bounds.
#include "bvh/tree.h"

static void swap(frc_prim* a, frc_prim* b) {
    frc_prim t = *a;
    *a = *b;
    *b = t;
}

// Equal centres are ordered by kind and id, so that the tree does not depend on the order of the
// input.
static bool before(const frc_prim* a, const frc_prim* b, int axis) {
    float x = frc_prim_center(a, axis), y = frc_prim_center(b, axis);
    if (x != y) return x < y;
    if (a->kind != b->kind) return a->kind < b->kind;
    return a->id < b->id;
}

static int longest_axis(const frc_prim* prims, uint32_t count) {
    int best = 0;
    float length = -1;
    for (int k = 0; k < 3; k++) {
        float lo = frc_prim_center(&prims[0], k), hi = lo;
        for (uint32_t i = 1; i < count; i++) {
            float c = frc_prim_center(&prims[i], k);
            lo = c < lo ? c : lo;
            hi = c > hi ? c : hi;
        }
        if (hi - lo > length) length = hi - lo, best = k;
    }
    return best;
}

// The middle one of three spread samples goes to the front: no quadratic time on sorted input.
static void choose_pivot(frc_prim* prims, uint32_t count, int axis) {
    frc_prim *a = prims, *b = prims + count / 2, *c = prims + count - 1;
    frc_prim* low = before(a, b, axis) ? a : b;
    frc_prim* high = low == a ? b : a;
    frc_prim* middle = before(c, low, axis) ? low : before(high, c, axis) ? high : c;
    swap(prims, middle);
}

static void select_nth(frc_prim* prims, uint32_t count, uint32_t nth, int axis) {
    while (count > 1) {
        choose_pivot(prims, count, axis);
        uint32_t store = 0;
        for (uint32_t i = 1; i < count; i++)
            if (before(&prims[i], &prims[0], axis)) swap(&prims[++store], &prims[i]);
        swap(&prims[0], &prims[store]);
        if (nth == store) return;
        if (nth < store) {
            count = store;
        } else {
            prims += store + 1, count -= store + 1, nth -= store + 1;
        }
    }
}

uint32_t frc_split_median(frc_prim* prims, uint32_t count, uint32_t leaf_size) {
    // Full leaves on the left: the half is rounded to a multiple of the leaf size.
    uint32_t half = (count / 2 + leaf_size - 1) / leaf_size * leaf_size;
    if (half >= count) half = count / 2;
    select_nth(prims, count, half, longest_axis(prims, count));
    return half;
}
