/// @file summary.c  Sums over steps.
#include "device.h"
#include "report.h"
#include <math.h>

double cli_no_impact(void) { return INFINITY; }

uint64_t cli_step_contacts(const cli_step* step) {
    uint64_t all = 0;
    for (int k = 0; k < CLI_KINDS; k++) all += step->counts.contacts[k];
    return all;
}

cli_summary cli_summarise(const cli_step* steps, uint32_t count) {
    cli_summary sum = {0};
    for (uint32_t s = 0; s < count; s++) {
        const cli_counts* c = &steps[s].counts;
        sum.counts.edits += c->edits;
        sum.counts.vertices += c->vertices;
        sum.counts.edges += c->edges;
        sum.counts.triangles += c->triangles;
        sum.counts.tets += c->tets;
        sum.counts.siblings_left_out += c->siblings_left_out;
        sum.counts.places += c->places;
        sum.counts.crossing += c->crossing;
        sum.counts.cull_tried += c->cull_tried;
        sum.counts.cull_certified += c->cull_certified;
        sum.counts.missed += c->missed;
        for (int k = 0; k < CLI_KINDS; k++) sum.counts.contacts[k] += c->contacts[k];
        sum.all_contacts += cli_step_contacts(&steps[s]);
        sum.restarts += steps[s].restart;
        const cli_times* ms = &steps[s].ms;
        sum.ms.read += ms->read;
        sum.ms.update += ms->update;
        sum.ms.cull += ms->cull;
        sum.ms.traverse += ms->traverse;
        sum.ms.narrow += ms->narrow;
        sum.ms.inside += ms->inside;
        sum.ms.total += ms->total;
        cli_device_add(&sum.device, &steps[s].device);
    }
    return sum;
}
