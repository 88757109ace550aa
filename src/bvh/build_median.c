/// @file build_median.c  Split at the median of the centres along the longest axis of their bounds.
#include "bvh/build.h"
#include <string.h>

// ---- small ranges: key and index in one number

enum { SMALL = 256 };

// An integer that sorts like the coordinate; ties are broken by the index.
static uint64_t key_of(const frc_center* c, int axis, uint32_t index) {
    uint32_t bits;
    float at = c->at[axis] + 0.0f;
    memcpy(&bits, &at, sizeof bits);
    bits ^= (uint32_t)((int32_t)bits >> 31) | 0x80000000u;
    return (uint64_t)bits << 32 | index;
}

// The key that is greater than `nth` others. Partitioning has no branches that depend on keys:
// those below the pivot are copied to the front of `spare`, the others to its back.
static uint64_t select_key(uint64_t* keys, uint64_t* spare, uint32_t count, uint32_t nth) {
    while (count > 2) {
        // The median of three different keys: one at least is below it, so the range shrinks.
        const uint64_t a = keys[0], b = keys[count / 2], c = keys[count - 1];
        const uint64_t least = a < b ? a : b, most = a < b ? b : a;
        const uint64_t pivot = c < least ? least : c > most ? most : c;
        uint32_t low = 0, high = count;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t key = keys[i];
            bool below = key < pivot;
            spare[low] = key;
            spare[high - 1] = key;
            low += below;
            high -= !below;
        }
        uint64_t* t = keys;
        if (nth < low) {
            keys = spare, spare = t, count = low;
        } else {
            keys = spare + low, spare = t + low, count -= low, nth -= low;
        }
    }
    return count == 1 ? keys[0] : (keys[0] < keys[1]) == (nth == 0) ? keys[0] : keys[1];
}

// A histogram finds the bin of the median; only its keys are compared. Each operation that computes
// a bin is monotone, so centres in lower bins are smaller.
enum { BINS = 32 };

// ---- the smallest ranges, the majority: ranks by counting, without branches

enum { TINY = 32 };

// The index replaces the five lowest bits of a key: keys are different, and sort like the centres
// up to these bits.
static void split_tiny(frc_center* c, uint32_t count, uint32_t nth, int axis) {
    int32_t keys[TINY], ranks[TINY];
    frc_center copy[TINY];
    for (uint32_t i = 0; i < TINY; i++) keys[i] = INT32_MAX, ranks[i] = 0;
    for (uint32_t i = 0; i < count; i++) {
        float at = c[i].at[axis] + 0.0f;
        memcpy(&keys[i], &at, sizeof at);
        keys[i] ^= (int32_t)((uint32_t)(keys[i] >> 31) >> 1);
        keys[i] = (int32_t)(((uint32_t)keys[i] & ~(uint32_t)(TINY - 1)) | i);
    }
    for (uint32_t j = 0; j < count; j++)
        for (uint32_t i = 0; i < TINY; i++) ranks[i] += keys[j] < keys[i];
    memcpy(copy, c, count * sizeof *c);
    uint32_t low = 0, high = nth;
    for (uint32_t i = 0; i < count; i++) {
        bool below = ranks[i] < (int32_t)nth;
        c[below ? low : high] = copy[i];
        low += below;
        high += !below;
    }
}

static void split_small(frc_center* c, uint32_t count, uint32_t nth, int axis, float lo, float hi) {
    uint32_t counts[BINS] = {0};
    uint8_t bins[SMALL];
    const float first = lo * 0.5f, width = hi * 0.5f - lo * 0.5f;
    // For a smaller width the quotient would overflow; then there is one bin.
    const float scale = width > 1e-30f ? (float)BINS / width : 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bin = (uint32_t)((c[i].at[axis] * 0.5f - first) * scale);
        bins[i] = (uint8_t)(bin < BINS ? bin : BINS - 1);
        counts[bins[i]]++;
    }
    // The keys of the bin that contains the median.
    uint64_t keys[SMALL], spare[SMALL];
    uint32_t bin = 0, below_bin = 0, found = 0;
    keys[0] = keys[1] = 0;  // the bin is not empty, which compilers cannot prove
    while (below_bin + counts[bin] <= nth) below_bin += counts[bin++];
    for (uint32_t i = 0; i < count; i++) {
        keys[found] = key_of(&c[i], axis, i);
        found += bins[i] == bin;
    }
    const uint64_t pivot = select_key(keys, spare, found, nth - below_bin);
    frc_center copy[SMALL];
    memcpy(copy, c, count * sizeof *c);
    uint32_t low = 0, high = nth;
    for (uint32_t i = 0; i < count; i++) {
        bool below = key_of(&copy[i], axis, i) < pivot;
        c[below ? low : high] = copy[i];
        low += below;
        high += !below;
    }
}

// ---- large ranges: in place

static void swap(frc_center* a, frc_center* b) {
    frc_center t = *a;
    *a = *b;
    *b = t;
}

static bool before(const frc_center* a, const frc_center* b, int axis) {
    float x = a->at[axis], y = b->at[axis];
    return x < y || (x == y && a->id < b->id);
}

// Move the median of three samples to the front: no quadratic time on sorted input.
static void choose_pivot(frc_center* c, uint32_t count, int axis) {
    frc_center *x = c, *y = c + count / 2, *z = c + count - 1;
    frc_center* low = before(x, y, axis) ? x : y;
    frc_center* high = low == x ? y : x;
    frc_center* middle = before(z, low, axis) ? low : before(high, z, axis) ? high : z;
    swap(c, middle);
}

// Quickselect down to a small range.
static void split_range(frc_center* c, uint32_t count, uint32_t nth, int axis) {
    while (count > SMALL) {
        choose_pivot(c, count, axis);
        frc_center pivot = c[0];
        uint32_t store = 0;
        for (uint32_t i = 1; i < count; i++) {
            frc_center x = c[i];
            bool below = before(&x, &pivot, axis);
            c[i] = c[store + 1];
            c[store + 1] = x;
            store += below;
        }
        swap(&c[0], &c[store]);
        if (nth == store) return;
        if (nth < store) {
            count = store;
        } else {
            c += store + 1, count -= store + 1, nth -= store + 1;
        }
    }
    if (count < 2 || nth == 0) return;
    float lo[4], hi[4];
    frc_center_bounds(c, count, lo, hi);
    split_small(c, count, nth, axis, lo[axis], hi[axis]);
}

void frc_split_median(frc_splitter* s, const frc_range* whole, frc_range half[2]) {
    uint32_t count = whole->count, nth = frc_half(count, s->options.leaf_size);
    frc_center* c = &s->centers[whole->first];
    float lo[4], hi[4];
    frc_center_bounds(c, count, lo, hi);
    int axis = 0;
    if (s->random) {
        s->random ^= s->random << 13;
        s->random ^= s->random >> 7;
        s->random ^= s->random << 17;
        axis = (int)((s->random >> 11) % 3);
    } else {
        for (int k = 1; k < 3; k++)
            if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
    }
    if (count <= TINY)
        split_tiny(c, count, nth, axis);
    else if (count <= SMALL)
        split_small(c, count, nth, axis, lo[axis], hi[axis]);
    else
        split_range(c, count, nth, axis);
    half[0] = (frc_range){whole->first, nth, (float)nth, 0};
    half[1] = (frc_range){whole->first + nth, count - nth, (float)(count - nth), 0};
}
