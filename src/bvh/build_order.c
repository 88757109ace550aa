/// @file build_order.c  A tree from the order of another: for what breaks off.
///
/// Based on: heo2010, who split a tree in place. Primitives that come in the order in which they
/// stood in a tree need no sorting: between two neighbours the order is cut as high as the lowest
/// node of that tree that held both (`cuts`). Nodes stand depth first, so of the cuts in a range
/// the smallest number is the highest node, and equal numbers are one node: splitting there gives
/// the old node with those of its children that are still there.
///
/// Where the order is cut within a leaf nothing is split unless there is nothing else: one place in
/// eight is left, a *seam*. The highest seam of a range, of those to its left and of those to its
/// right are found beforehand, all in one pass with a stack (vuillemin1980): `left` and `right` of
/// a seam are the highest ones between it and the next that is as high or higher. Of equals the
/// first is the highest, the next is found on its right.
#include "bvh/build.h"

// A range is cut at both of its ends as high as anywhere within, or higher. So what is to the left
// of its highest seam is what that has on its left; and to its right likewise, unless the range
// ends at the next one of equals, which then has it on its left.
static uint32_t seam_after(const frc_splitter* s, uint32_t number, uint32_t end) {
    const uint32_t next = s->seams[number].right;
    return next && s->seams[next].at >= end ? s->seams[next].left : next;
}

// Numbers from 1 on, in the order of their places. Returns how many, counting number 0.
static uint32_t list_seams(frc_splitter* s) {
    uint32_t count = 1;
    for (uint32_t i = 1; i < s->count; i++) {
        s->seams[count].at = i;
        count += s->options.cuts[i] != FRC_CUT_LEAF;
    }
    return count;
}

// On the stack each is higher than the next, or as high; number 0 stays below them all.
static void link_seams(frc_splitter* s, uint32_t count, uint32_t* stack) {
    const uint32_t* cuts = s->options.cuts;
    uint32_t top = 0;
    stack[0] = 0;
    s->seams[0] = (frc_seam){0, 0, 0};
    for (uint32_t i = 1; i < count; i++) {
        frc_seam* seam = &s->seams[i];
        seam->left = seam->right = 0;
        while (top > 0 && cuts[s->seams[stack[top]].at] > cuts[seam->at]) seam->left = stack[top--];
        s->seams[stack[top]].right = i;
        stack[++top] = i;
    }
}

bool frc_order_prepare(fracas_context* context, frc_splitter* s) {
    size_t count = 2;  // number 0, which is none, and a place to write ahead
    for (uint32_t i = 1; i < s->count; i++) count += s->options.cuts[i] != FRC_CUT_LEAF;
    s->seam_count = count;
    s->seams = frc_allocate(context, count * sizeof *s->seams);
    uint32_t* stack = frc_allocate(context, count * sizeof *stack);
    bool ok = s->seams && stack;
    if (ok) link_seams(s, list_seams(s), stack);
    frc_release(context, stack, count * sizeof *stack);
    return ok;
}

void frc_order_release(fracas_context* context, frc_splitter* s) {
    frc_release(context, s->seams, s->seam_count * sizeof *s->seams);
}

// The children of one old node come before those of any below it; then the largest.
static frc_range make_half(const frc_splitter* s, uint32_t first, uint32_t end, uint32_t seam,
                           uint32_t above) {
    const bool same = seam && s->options.cuts[s->seams[seam].at] == above;
    return (frc_range){first, end - first, (float)(end - first) + (same ? (float)s->count : 0),
                       seam};
}

// At the highest seam; of equals at the one next to the middle, so that an order with one cut
// everywhere is halved.
void frc_split_order(frc_splitter* s, const frc_range* whole, frc_range half[2]) {
    const uint32_t first = whole->first, end = first + whole->count;
    const uint32_t middle = first + whole->count / 2, highest = whole->sorted;
    if (!highest) {
        half[0] = make_half(s, first, middle, 0, 0);
        half[1] = make_half(s, middle, end, 0, 0);
        return;
    }
    const uint32_t cut = s->options.cuts[s->seams[highest].at];
    uint32_t seam = highest;
    while (s->seams[seam].at < middle) {
        const uint32_t next = seam_after(s, seam, end);
        if (!next || s->options.cuts[s->seams[next].at] != cut) break;
        if (s->seams[next].at > middle && s->seams[next].at - middle > middle - s->seams[seam].at)
            break;
        seam = next;
    }
    const uint32_t at = s->seams[seam].at;
    const uint32_t left = seam == highest ? s->seams[seam].left : highest;
    half[0] = make_half(s, first, at, left, cut);
    half[1] = make_half(s, at, end, seam_after(s, seam, end), cut);
}
