/// @file box_sweep.c  Sweep along the axis on which the boxes spread most.
#include "grid/box_sweep.h"
#include "base/arena.h"
#include <math.h>
#include <stdlib.h>

static int spread_axis(const frc_sweep_box* boxes, uint32_t count) {
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
    const frc_body_pair *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

static bool overlap(const frc_sweep_box* a, const frc_sweep_box* b) {
    for (int k = 0; k < 3; k++)
        if (a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k]) return false;
    return !(a->fixed && b->fixed);
}

static bool sweep(fracas_context* context, const frc_sweep_box* boxes, const sweep_item* items,
                  uint32_t count, int axis, frc_body_pairs* out) {
    const size_t first = out->count;
    for (uint32_t i = 0; i < count; i++) {
        const frc_sweep_box* a = &boxes[items[i].box];
        for (uint32_t j = i + 1; j < count && items[j].lo <= a->hi[axis]; j++) {
            const frc_sweep_box* b = &boxes[items[j].box];
            if (!overlap(a, b)) continue;
            const frc_body_pair pair = {a->number < b->number ? a->number : b->number,
                                        a->number < b->number ? b->number : a->number};
            if (!FRC_ARRAY_PUSH(context, out, pair)) return false;
        }
    }
    if (out->count > first)
        qsort(out->data + first, out->count - first, sizeof *out->data, compare_pairs);
    return true;
}

bool frc_box_sweep(fracas_context* context, const frc_sweep_box* boxes, uint32_t count,
                   frc_body_pairs* out) {
    if (count == 0) return true;
    frc_arena arena = frc_arena_make(context);
    sweep_item* items = frc_arena_allocate(&arena, count, sizeof *items);
    bool ok = items != NULL;
    if (ok) {
        const int axis = spread_axis(boxes, count);
        for (uint32_t i = 0; i < count; i++) items[i] = (sweep_item){boxes[i].lo[axis], i};
        qsort(items, count, sizeof *items, compare_items);
        ok = sweep(context, boxes, items, count, axis, out);
    }
    frc_arena_release(&arena);
    return ok;
}
