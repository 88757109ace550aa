/// @file summary.c  Means, medians and maxima.
#include "rigid/summary.h"
#include <math.h>
#include <stdlib.h>

static int by_size(const void* x, const void* y) {
    const double a = *(const double*)x, b = *(const double*)y;
    return (a > b) - (a < b);
}

rigid_summary rigid_summarise(const rigid_step_info* steps, uint32_t count, double* ms) {
    rigid_summary s = {.steps = count};
    if (count == 0) return s;
    s.first_bodies = steps[0].bodies;
    s.last_bodies = steps[count - 1].bodies;
    for (uint32_t i = 0; i < count; i++) {
        const rigid_step_info* step = &steps[i];
        ms[i] = step->ms_detect;
        s.broken += step->broken;
        s.mean_ms += step->ms_detect / count;
        s.fracture_most_ms = fmax(s.fracture_most_ms, step->ms_update);
        s.contacts += (double)step->found.contacts / count;
        s.colliding += (double)step->found.colliding / count;
        if (step->found.contacts > s.most_contacts) s.most_contacts = step->found.contacts;
        if (step->found.colliding > s.most_colliding) s.most_colliding = step->found.colliding;
        if (i >= count - (count + 9) / 10) {
            s.deepest = fmax(s.deepest, step->deepest);
            s.fastest = fmax(s.fastest, step->fastest);
        }
        if (i > 0 && !step->impact && !step->broken && !steps[i - 1].broken)
            s.growth = fmax(s.growth, (step->energy - steps[i - 1].energy) / steps[0].energy);
    }
    qsort(ms, count, sizeof *ms, by_size);
    s.median_ms = ms[count / 2];
    s.most_ms = ms[count - 1];
    return s;
}
