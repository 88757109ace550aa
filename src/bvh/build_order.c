/// @file build_order.c  A tree from the order of another: for what breaks off.
///
/// Based on: heo2010, who split a tree in place. Primitives that come in the order in which they
/// stood in a tree need no sorting: between two neighbours the order is cut as high as the lowest
/// node of that tree that held both (`cuts`). Nodes stand depth first, so of the cuts in a range
/// the smallest number is the highest node, and equal numbers are one node: splitting there gives
/// the old node with those of its children that are still there.
#include "bvh/build.h"

enum { TOGETHER = FRC_CUTS_TOGETHER };

static uint32_t least_of(const uint32_t* cuts, uint32_t first, uint32_t end) {
    uint32_t least = UINT32_MAX;
    for (uint32_t i = first; i < end; i++) least = cuts[i] < least ? cuts[i] : least;
    return least;
}

void frc_order_prepare(frc_splitter* s) {
    for (uint32_t i = 0; i * TOGETHER < s->count; i++) {
        const uint32_t first = i * TOGETHER, left = s->count - first;
        s->lows[i] = least_of(s->options.cuts, first, first + (left < TOGETHER ? left : TOGETHER));
    }
}

// Long ranges are searched by the least of many cuts.
static uint32_t least_in(const frc_splitter* s, uint32_t first, uint32_t end) {
    const uint32_t* cuts = s->options.cuts;
    const uint32_t low = first / TOGETHER + 1, high = end / TOGETHER;
    if (low >= high) return least_of(cuts, first, end);
    const uint32_t a = least_of(cuts, first, low * TOGETHER), b = least_of(s->lows, low, high);
    const uint32_t c = least_of(cuts, high * TOGETHER, end);
    return a < b ? (a < c ? a : c) : (b < c ? b : c);
}

// The first place from `at` on with such a cut, which is the least of the range; or the end.
static uint32_t find_up(const frc_splitter* s, uint32_t at, uint32_t end, uint32_t cut) {
    while (at < end && s->options.cuts[at] != cut) {
        at++;
        while (at % TOGETHER == 0 && end - at >= TOGETHER && s->lows[at / TOGETHER] != cut)
            at += TOGETHER;
    }
    return at;
}

// The last place down to `first` with such a cut; or the first.
static uint32_t find_down(const frc_splitter* s, uint32_t at, uint32_t first, uint32_t cut) {
    while (at > first && s->options.cuts[at] != cut) {
        at--;
        while (at % TOGETHER == TOGETHER - 1 && at - first >= TOGETHER &&
               s->lows[at / TOGETHER] != cut)
            at -= TOGETHER;
    }
    return at;
}

// Where the highest cut of a range is; of several the one next to the middle, so that an order with
// one cut everywhere is halved.
static uint32_t highest_cut(const frc_splitter* s, uint32_t first, uint32_t count) {
    const uint32_t end = first + count, middle = first + count / 2;
    const uint32_t least = least_in(s, first + 1, end);
    const uint32_t up = find_up(s, middle, end, least), down = find_down(s, middle, first, least);
    if (down == first) return up;
    return up == end || middle - down < up - middle ? down : up;
}

// The children of one old node come before those of any below it; then the largest.
static frc_range make_half(const frc_splitter* s, uint32_t first, uint32_t count, uint32_t above) {
    frc_range half = {first, count, (float)count, 0};
    if (count <= s->options.leaf_size) return half;
    half.sorted = highest_cut(s, first, count);
    if (s->options.cuts[half.sorted] == above) half.weight += (float)s->count;
    return half;
}

void frc_split_order(frc_splitter* s, const frc_range* whole, frc_range half[2]) {
    uint32_t first = whole->first, end = first + whole->count;
    uint32_t at = whole->sorted ? whole->sorted : highest_cut(s, first, whole->count);
    uint32_t cut = s->options.cuts[at];
    half[0] = make_half(s, first, at - first, cut);
    half[1] = make_half(s, at, end - at, cut);
}
