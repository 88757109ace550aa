/// @file build_median.c  Split at the median of the centres along the longest axis of their bounds.
#include "bvh/build.h"
#include <string.h>

// ---- small ranges: the key and the place in one number

enum { SMALL = 256 };

// Floats in an order that integers have too; equal ones by the order of the input.
static uint64_t key_of(const frc_center* c, int axis, uint32_t place) {
    uint32_t bits;
    float at = c->at[axis] + 0.0f;
    memcpy(&bits, &at, sizeof bits);
    bits ^= (uint32_t)((int32_t)bits >> 31) | 0x80000000u;
    return (uint64_t)bits << 32 | place;
}

static uint64_t middle_key(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

// The nth key in order has nth others below it. Elements move without a branch that depends on
// them: what is below the pivot is copied to the front, what is not to the back, of a spare array.
static uint64_t select_key(uint64_t* keys, uint64_t* spare, uint32_t count, uint32_t nth) {
    while (count > 2) {
        // Three different keys: one at least is below the middle one, so the range shrinks.
        uint64_t pivot = middle_key(keys[0], keys[count / 2], keys[count - 1]);
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

// Only the keys near the median are selected from: a count in bins tells which those are. The bin
// of a centre grows with the centre (each operation is monotone), so all of a lower bin lie below.
enum { BINS = 32 };

typedef struct ruler {
    float lo, scale;
} ruler;

static uint32_t bin_of(const ruler* r, float at) {
    uint32_t bin = (uint32_t)((at * 0.5f - r->lo) * r->scale);
    return bin < BINS ? bin : BINS - 1;
}

// The key of which `nth` others are smaller.
static uint64_t median_key(const frc_center* c, const uint8_t* bins, const uint32_t* counts,
                           uint32_t count, uint32_t nth, int axis) {
    uint64_t keys[SMALL], spare[SMALL];
    uint32_t bin = 0, below = 0, found = 0;
    keys[0] = keys[1] = 0;  // there is one at least, which compilers cannot know
    while (below + counts[bin] <= nth) below += counts[bin++];
    for (uint32_t i = 0; i < count; i++) {
        keys[found] = key_of(&c[i], axis, i);
        found += bins[i] == bin;
    }
    return select_key(keys, spare, found, nth - below);
}

// ---- the smallest ranges, of which there are most: the rank of each is counted, without a branch

enum { TINY = 32 };

// The five lowest bits of a key give way to the place: keys are different, and in the order of the
// centres but for the last bits of those.
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
    frc_center copy[SMALL];
    float width = hi * 0.5f - lo * 0.5f;
    // Narrower than this the quotient would overflow; then there is one bin.
    const ruler r = {lo * 0.5f, width > 1e-30f ? (float)BINS / width : 0};
    for (uint32_t i = 0; i < count; i++) {
        bins[i] = (uint8_t)bin_of(&r, c[i].at[axis]);
        counts[bins[i]]++;
    }
    uint64_t pivot = median_key(c, bins, counts, count, nth, axis);
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

// The middle one of three spread samples goes to the front: no quadratic time on sorted input.
static void choose_pivot(frc_center* c, uint32_t count, int axis) {
    frc_center *x = c, *y = c + count / 2, *z = c + count - 1;
    frc_center* low = before(x, y, axis) ? x : y;
    frc_center* high = low == x ? y : x;
    frc_center* middle = before(z, low, axis) ? low : before(high, z, axis) ? high : z;
    swap(c, middle);
}

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

static int draw_axis(uint64_t* random) {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (int)((*random >> 11) % 3);
}

static int longest_axis(const float lo[4], const float hi[4]) {
    int best = 0;
    for (int k = 1; k < 3; k++)
        if (hi[k] - lo[k] > hi[best] - lo[best]) best = k;
    return best;
}

void frc_split_median(frc_splitter* s, const frc_range* whole, frc_range half[2]) {
    uint32_t count = whole->count, nth = frc_half(count, s->options.leaf_size);
    frc_center* c = &s->centers[whole->first];
    float lo[4], hi[4];
    frc_center_bounds(c, count, lo, hi);
    int axis = s->random ? draw_axis(&s->random) : longest_axis(lo, hi);
    if (count <= TINY)
        split_tiny(c, count, nth, axis);
    else if (count <= SMALL)
        split_small(c, count, nth, axis, lo[axis], hi[axis]);
    else
        split_range(c, count, nth, axis);
    half[0] = (frc_range){whole->first, nth, (float)nth, 0};
    half[1] = (frc_range){whole->first + nth, count - nth, (float)(count - nth), 0};
}
