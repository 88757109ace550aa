/// @file build_order.c  Split where the order of another tree has its highest cut: for parts that
/// break off.
///
/// Based on: heo2010, who split a tree in place. Primitives in the order of another tree need no
/// sorting. Between two neighbours, `cuts` has the lowest node of that tree that held both. Nodes
/// are in depth-first order, so of the cuts in a range the smallest number is the highest node, and
/// equal numbers are one node: splitting there gives the old node with its remaining children.
///
/// Positions between primitives of one old leaf are used only when a range has no others: about one
/// position in eight remains, a *seam*. One pass with a stack (vuillemin1980) finds the highest
/// seam of a range, and those to its left and to its right: `left` and `right` of a seam are the
/// highest seams between it and the next one that is at least as high. Of seams of equal height the
/// first counts as the highest, the next is found to its right.
#include "bvh/build.h"

// The highest seam between seam `number`, the highest of a range, and the end of the range. The
// ends of a range are at least as high as the seams within, so this is `right` of the seam; unless
// the range ends at the next seam of equal height, whose `left` it is then.
static uint32_t seam_after(const frc_splitter* s, uint32_t number, uint32_t end) {
    const uint32_t next = s->seams[number].right;
    return next && s->seams[next].at >= end ? s->seams[next].left : next;
}

bool frc_order_prepare(fracas_context* context, frc_splitter* s) {
    const uint32_t* cuts = s->options.cuts;
    size_t capacity = 2;  // entry 0, which is no seam, and one to write ahead
    for (uint32_t i = 1; i < s->count; i++) capacity += cuts[i] != FRC_CUT_LEAF;
    s->seam_count = capacity;
    s->seams = frc_allocate(context, capacity * sizeof *s->seams);
    uint32_t* stack = frc_allocate(context, capacity * sizeof *stack);
    const bool ok = s->seams && stack;
    if (ok) {
        // The positions of seams, without branches.
        uint32_t count = 1;
        for (uint32_t i = 1; i < s->count; i++) {
            s->seams[count].at = i;
            count += cuts[i] != FRC_CUT_LEAF;
        }
        // Heights do not increase up the stack; entry 0 is below all seams.
        uint32_t top = 0;
        stack[0] = 0;
        s->seams[0] = (frc_seam){0, 0, 0};
        for (uint32_t i = 1; i < count; i++) {
            frc_seam* seam = &s->seams[i];
            seam->left = seam->right = 0;
            while (top > 0 && cuts[s->seams[stack[top]].at] > cuts[seam->at])
                seam->left = stack[top--];
            s->seams[stack[top]].right = i;
            stack[++top] = i;
        }
    }
    frc_release(context, stack, capacity * sizeof *stack);
    return ok;
}

void frc_order_release(fracas_context* context, frc_splitter* s) {
    frc_release(context, s->seams, s->seam_count * sizeof *s->seams);
}

// The weight: ranges to be cut at the old node `above` come before all others, then the largest.
static frc_range make_half(const frc_splitter* s, uint32_t first, uint32_t end, uint32_t seam,
                           uint32_t above) {
    const bool same = seam && s->options.cuts[s->seams[seam].at] == above;
    return (frc_range){first, end - first, (float)(end - first) + (same ? (float)s->count : 0),
                       seam};
}

// Split at the highest seam; of seams of equal height at the one closest to the middle, so that an
// order with equal cuts everywhere is halved.
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
