/// @file broad_phase.c  Sort and sweep along the axis on which the boxes spread most.
#include "fragment/broad_phase.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct world_box {
    double lo[3], hi[3];
    uint32_t number;
    bool fixed;
} world_box;

// The box around the posed box of a fragment. A bound is the sum of a dozen products, each rounded:
// 2^-46 of the sum of their magnitudes exceeds the error.
static world_box box_of(const frc_fragment* f, uint32_t number) {
    world_box box = {.number = number, .fixed = f->fixed};
    const frc_occupancy* o = &f->occupancy;
    for (int i = 0; i < 3; i++) {
        double centre = f->pose.translation[i], half = 0, magnitude = fabs(centre);
        for (int j = 0; j < 3; j++) {
            const double r = f->pose.rotation[3 * i + j];
            centre += r * ((o->lo[j] + o->hi[j]) / 2);
            half += fabs(r) * ((o->hi[j] - o->lo[j]) / 2);
            magnitude += fabs(r) * fmax(fabs(o->lo[j]), fabs(o->hi[j]));
        }
        half += 0x1p-46 * magnitude;
        box.lo[i] = centre - half;
        box.hi[i] = centre + half;
    }
    return box;
}

static int spread_axis(const world_box* boxes, uint32_t count) {
    int best = 0;
    double most = -1;
    for (int k = 0; k < 3; k++) {
        double mean = 0, spread = 0;
        for (uint32_t i = 0; i < count; i++) mean += (boxes[i].lo[k] + boxes[i].hi[k]) / 2 / count;
        for (uint32_t i = 0; i < count; i++) {
            // A large box, such as the ground, says nothing.
            const double way = (boxes[i].lo[k] + boxes[i].hi[k]) / 2 - mean;
            spread += fabs(way) / count;
        }
        if (spread > most) most = spread, best = k;
    }
    return best;
}

typedef struct sweep_item {
    double lo;
    uint32_t box;
} sweep_item;

static int compare_items(const void* x, const void* y) {
    const sweep_item *a = x, *b = y;
    if (a->lo != b->lo) return a->lo < b->lo ? -1 : 1;
    return a->box < b->box ? -1 : 1;
}

static int compare_pairs(const void* x, const void* y) {
    const frc_fragment_pair *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

static bool overlap(const world_box* a, const world_box* b) {
    for (int k = 0; k < 3; k++)
        if (a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k]) return false;
    return !(a->fixed && b->fixed);
}

static bool sweep(fracas_context* context, const world_box* boxes, const sweep_item* items,
                  uint32_t count, int axis, frc_fragment_pairs* out) {
    for (uint32_t i = 0; i < count; i++) {
        const world_box* a = &boxes[items[i].box];
        for (uint32_t j = i + 1; j < count && items[j].lo <= a->hi[axis]; j++) {
            const world_box* b = &boxes[items[j].box];
            if (!overlap(a, b)) continue;
            const frc_fragment_pair pair = {a->number < b->number ? a->number : b->number,
                                            a->number < b->number ? b->number : a->number};
            if (!FRC_ARRAY_PUSH(context, out, pair)) return false;
        }
    }
    if (out->count > 0) qsort(out->data, out->count, sizeof *out->data, compare_pairs);
    return true;
}

bool frc_broad_phase(const fracas_fragments* fragments, frc_fragment_pairs* out) {
    frc_arena arena = frc_arena_make(fragments->context);
    const size_t capacity = fragments->list.count;
    world_box* boxes = frc_arena_allocate(&arena, capacity, sizeof *boxes);
    sweep_item* items = frc_arena_allocate(&arena, capacity, sizeof *items);
    bool ok = boxes && items;
    uint32_t count = 0;
    for (uint32_t i = 0; ok && i < capacity; i++)
        if (frc_handles_in_use(&fragments->handles, i))
            boxes[count++] = box_of(&fragments->list.data[i], i);
    if (ok && count > 0) {
        const int axis = spread_axis(boxes, count);
        for (uint32_t i = 0; i < count; i++) items[i] = (sweep_item){boxes[i].lo[axis], i};
        qsort(items, count, sizeof *items, compare_items);
        ok = sweep(fragments->context, boxes, items, count, axis, out);
    }
    frc_arena_release(&arena);
    return ok;
}
