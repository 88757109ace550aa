/// @file broad_phase.c  Boxes of posed fragments.
#include "fragment/broad_phase.h"
#include "base/arena.h"
#include <math.h>

// The box around the posed box of a fragment. A bound is the sum of a dozen products, each rounded:
// 2^-46 of the sum of their magnitudes exceeds the error.
static frc_sweep_box box_of(const frc_fragment* f, uint32_t number) {
    frc_sweep_box box = {.number = number, .fixed = f->fixed};
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

bool frc_broad_phase(const fracas_fragments* fragments, frc_body_pairs* out) {
    frc_arena arena = frc_arena_make(fragments->context);
    const size_t capacity = fragments->list.count;
    frc_sweep_box* boxes = frc_arena_allocate(&arena, capacity, sizeof *boxes);
    uint32_t count = 0;
    for (uint32_t i = 0; boxes && i < capacity; i++)
        if (frc_handles_in_use(&fragments->handles, i))
            boxes[count++] = box_of(&fragments->list.data[i], i);
    const bool ok = boxes && frc_box_sweep(fragments->context, boxes, count, out);
    frc_arena_release(&arena);
    return ok;
}
