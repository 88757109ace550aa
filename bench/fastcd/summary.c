// Collects the frames of all methods; computes means, shares, culling ratios and missed contacts.
#include "fastcd/summary.h"
#include "generate.h"
#include "timing.h"
#include <stdlib.h>

void fastcd_table_open(fastcd_table* t) {
    t->frames = bench_allocate((size_t)t->method_count * t->frame_count, sizeof *t->frames);
    t->memory = bench_allocate(t->method_count, sizeof *t->memory);
    t->summaries = bench_allocate(t->method_count, sizeof *t->summaries);
}

void fastcd_free(fastcd_table* t) {
    free(t->frames);
    free(t->memory);
    free(t->summaries);
    free(t->methods);
}

void fastcd_record(fastcd_table* t, uint32_t method, uint32_t frame, const fastcd_frame* what,
                   bool again) {
    fastcd_frame* kept = &t->frames[(size_t)method * t->frame_count + frame];
    if (!again || fastcd_ms(what) < fastcd_ms(kept)) *kept = *what;
}

bool fastcd_is_topology_frame(const fastcd_frame* f) {
    return f->edits > 0 && f->edits * 100 >= f->triangles;
}

enum { AFTER = 5 };

double fastcd_after(const fastcd_table* t, uint32_t method, uint32_t frame) {
    const fastcd_frame* frames = fastcd_frames(t, method);
    double after[AFTER];
    uint32_t n = 0;
    for (uint32_t k = frame + 1; k < t->frame_count && n < AFTER; k++)
        after[n++] = fastcd_ms(&frames[k]);
    return n ? bench_median(after, n) : 0;
}

static void add_topology(const fastcd_table* t, uint32_t method, fastcd_summary* s) {
    const fastcd_frame* frames = fastcd_frames(t, method);
    uint32_t count = 0;
    for (uint32_t f = 0; f < t->frame_count; f++) {
        if (!fastcd_is_topology_frame(&frames[f])) continue;
        double after = fastcd_after(t, method, f);
        double ratio = after > 0 ? fastcd_ms(&frames[f]) / after : 0;
        if (ratio > s->steady) s->steady = ratio;
        s->topology += fastcd_ms(&frames[f]);
        count++;
    }
    if (count) s->topology /= count;
}

static fastcd_shares shares_of(const fastcd_table* t, uint32_t method, bool topology) {
    const fastcd_frame* frames = fastcd_frames(t, method);
    fastcd_shares s = {0};
    uint32_t count = 0;
    for (uint32_t f = 0; f < t->frame_count; f++) {
        const fastcd_frame* a = &frames[f];
        if (topology && !fastcd_is_topology_frame(a)) continue;
        s.part[FASTCD_EDIT] += a->ms_edit;
        s.part[FASTCD_UPDATE] += a->ms_update - a->ms_cull;
        s.part[FASTCD_CULL] += a->ms_cull;
        s.part[FASTCD_TRAVERSE] += a->ms_traverse;
        s.part[FASTCD_NARROW] += a->ms_narrow;
        s.part[FASTCD_REST] += a->ms_detect - a->ms_traverse - a->ms_narrow;
        s.ms += a->ms_edit + fastcd_ms(a);
        count++;
    }
    for (int p = 0; p < FASTCD_PARTS && s.ms > 0; p++) s.part[p] /= s.ms;
    if (count) s.ms /= count;
    return s;
}

static fastcd_summary summary_of(const fastcd_table* t, uint32_t method, uint32_t truth) {
    const fastcd_frame *frames = fastcd_frames(t, method), *all = fastcd_frames(t, truth);
    const double share = 1.0 / t->frame_count;
    fastcd_summary s = {.equal = true};
    for (uint32_t f = 0; f < t->frame_count; f++) {
        const fastcd_frame* a = &frames[f];
        s.mean += share * fastcd_ms(a);
        s.edit += share * a->ms_edit;
        s.update += share * (a->ms_update - a->ms_cull);
        s.cull += share * a->ms_cull;
        s.traverse += share * a->ms_traverse;
        s.narrow += share * a->ms_narrow;
        s.detect += share * a->ms_detect;
        s.box_pairs += share * (double)a->box_pairs;
        s.candidates += share * (double)a->candidates;
        s.contacts += share * (double)a->contacts;
        s.missed += a->contacts < all[f].contacts ? all[f].contacts - a->contacts : 0;
        s.invented += a->contacts > all[f].contacts ? a->contacts - all[f].contacts : 0;
        s.equal &= a->hash == all[f].hash;
    }
    s.shares = shares_of(t, method, false);
    s.topology_shares = shares_of(t, method, true);
    add_topology(t, method, &s);
    return s;
}

// The method that differs from `method` only by not culling; `truth` when there is none.
static uint32_t find_unculled(const fastcd_table* t, uint32_t method, uint32_t truth) {
    const fastcd_method* a = t->methods[method];
    for (uint32_t m = 0; m < t->method_count; m++) {
        const fastcd_method* b = t->methods[m];
        if (b->cull == FRACAS_PUBLISHED_CULL_NONE &&
            fastcd_method_differences(a, b) == (a->cull != b->cull))
            return m;
    }
    return truth;
}

void fastcd_summarise(fastcd_table* t) {
    uint32_t truth = 0;
    while (t->methods[truth]->cull != FRACAS_PUBLISHED_CULL_NONE) truth++;
    for (uint32_t m = 0; m < t->method_count; m++) t->summaries[m] = summary_of(t, m, truth);
    for (uint32_t m = 0; m < t->method_count; m++) {
        fastcd_summary* s = &t->summaries[m];
        s->against = find_unculled(t, m, truth);
        const fastcd_summary* all = &t->summaries[s->against];
        s->culled_boxes = all->box_pairs > 0 ? 1 - s->box_pairs / all->box_pairs : 0;
        s->culled_candidates = all->candidates > 0 ? 1 - s->candidates / all->candidates : 0;
    }
    t->topology_frames = 0;
    for (uint32_t f = 0; f < t->frame_count; f++)
        t->topology_frames += fastcd_is_topology_frame(&t->frames[f]);
}

bool fastcd_is_right(const fastcd_table* t) {
    bool right = true;
    for (uint32_t m = 0; m < t->method_count; m++) {
        const fracas_published_cull cull = t->methods[m]->cull;
        const bool sound =
            cull == FRACAS_PUBLISHED_CULL_CERTIFICATE || cull == FRACAS_PUBLISHED_CULL_NONE;
        right &= t->summaries[m].equal || !sound;
    }
    return right;
}
