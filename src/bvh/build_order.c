/// @file build_order.c  A tree from the order of another: for what breaks off.
///
/// Based on: heo2010, who split a tree in place. Primitives that come in the order in which they
/// stood in a tree need no sorting: between two neighbours the order is cut as high as the lowest
/// node of that tree that held both (`cuts`). Nodes stand depth first, so of the cuts in a range
/// the smallest number is the highest node, and equal numbers are one node: splitting there gives
/// the old node with those of its children that are still there.
#include "bvh/build.h"

// Where the highest cut of a range is; of several the one next to the middle, so that an order with
// one cut everywhere is halved.
static uint32_t highest_cut(const uint32_t* cuts, uint32_t first, uint32_t count) {
    uint32_t least = UINT32_MAX, middle = first + count / 2;
    for (uint32_t i = first + 1; i < first + count; i++) least = cuts[i] < least ? cuts[i] : least;
    uint32_t up = middle, down = middle;
    while (up < first + count && cuts[up] != least) up++;
    while (down > first && cuts[down] != least) down--;
    if (down == first) return up;
    return up == first + count || middle - down < up - middle ? down : up;
}

// The children of one old node come before those of any below it; then the largest.
static frc_range make_half(const frc_splitter* s, uint32_t first, uint32_t count, uint32_t above) {
    frc_range half = {first, count, (float)count, 0};
    if (count <= s->options.leaf_size) return half;
    half.sorted = highest_cut(s->options.cuts, first, count);
    if (s->options.cuts[half.sorted] == above) half.weight += (float)s->count;
    return half;
}

void frc_split_order(frc_splitter* s, const frc_range* whole, frc_range half[2]) {
    uint32_t first = whole->first, end = first + whole->count;
    uint32_t at = whole->sorted ? whole->sorted : highest_cut(s->options.cuts, first, whole->count);
    uint32_t cut = s->options.cuts[at];
    half[0] = make_half(s, first, at - first, cut);
    half[1] = make_half(s, at, end - at, cut);
}
