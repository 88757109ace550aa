// Means, the worst frames, and what was missed.
#include "fastcd/summary.h"
#include "generate.h"
#include "timing.h"
#include <inttypes.h>
#include <stdlib.h>

static fastcd_frame* frames_of(const fastcd_table* t, uint32_t method) {
    return t->frames + (size_t)method * t->frame_count;
}

void fastcd_record(fastcd_table* t, uint32_t method, uint32_t frame, const fastcd_frame* what,
                   bool again) {
    fastcd_frame* kept = &frames_of(t, method)[frame];
    if (!again || fastcd_ms(what) < fastcd_ms(kept)) *kept = *what;
}

// A frame whose edits list at least one element in a hundred; fewer is tearing, which goes on all
// the time.
static bool is_topology_frame(const fastcd_frame* f) {
    return f->edits > 0 && f->edits * 100 >= f->triangles;
}

enum { AFTER = 5 };

static double after_median(const fastcd_frame* frames, uint32_t frame, uint32_t count) {
    double after[AFTER];
    uint32_t n = 0;
    for (uint32_t k = frame + 1; k < count && n < AFTER; k++) after[n++] = fastcd_ms(&frames[k]);
    return n ? bench_median(after, n) : 0;
}

static void add_topology(const fastcd_table* t, const fastcd_frame* frames, fastcd_summary* s) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < t->frame_count; f++) {
        if (!is_topology_frame(&frames[f])) continue;
        double after = after_median(frames, f, t->frame_count);
        double ratio = after > 0 ? fastcd_ms(&frames[f]) / after : 0;
        if (ratio > s->steady) s->steady = ratio;
        s->topology += fastcd_ms(&frames[f]);
        count++;
    }
    if (count) s->topology /= count;
}

static fastcd_summary summary_of(const fastcd_table* t, uint32_t method, uint32_t truth) {
    const fastcd_frame *frames = frames_of(t, method), *all = frames_of(t, truth);
    const double share = 1.0 / t->frame_count;
    fastcd_summary s = {.equal = true};
    for (uint32_t f = 0; f < t->frame_count; f++) {
        const fastcd_frame* a = &frames[f];
        s.mean += share * fastcd_ms(a);
        s.edit += share * a->ms_edit;
        s.update += share * (a->ms_update - a->ms_cull);
        s.cull += share * a->ms_cull;
        s.traverse += share * a->ms_traverse;
        s.detect += share * a->ms_detect;
        s.box_pairs += share * (double)a->box_pairs;
        s.candidates += share * (double)a->candidates;
        s.contacts += share * (double)a->contacts;
        s.missed += a->contacts < all[f].contacts ? all[f].contacts - a->contacts : 0;
        s.invented += a->contacts > all[f].contacts ? a->contacts - all[f].contacts : 0;
        s.equal &= a->hash == all[f].hash;
    }
    add_topology(t, frames, &s);
    return s;
}

void fastcd_summarise(fastcd_table* t) {
    uint32_t truth = 0;
    while (t->methods[truth]->cull != FRACAS_CULL_NONE) truth++;
    t->summaries = bench_allocate(t->method_count, sizeof *t->summaries);
    for (uint32_t m = 0; m < t->method_count; m++) t->summaries[m] = summary_of(t, m, truth);
    for (uint32_t f = 0; f < t->frame_count; f++)
        t->topology_frames += is_topology_frame(&frames_of(t, 0)[f]);
}

void fastcd_free(fastcd_table* t) {
    free(t->frames);
    free(t->summaries);
    free(t->methods);
}

static bool is_sound(const fastcd_method* method) {
    return method->cull == FRACAS_CULL_CERTIFICATE || method->cull == FRACAS_CULL_NONE;
}

static const char* mode_name(const fastcd_table* t) {
    return t->mode == FRACAS_DISCRETE ? "discrete" : "continuous";
}

static uint32_t last_triangles(const fastcd_table* t) {
    return t->frames[t->frame_count - 1].triangles;
}

bool fastcd_print(const fastcd_table* t) {
    bool right = true;
    printf("%s, %s: %u to %u triangles, %u frames, %u of them change the topology\n",
           t->scene->name, mode_name(t), t->frames[0].triangles, last_triangles(t), t->frame_count,
           t->topology_frames);
    printf("  %-18s %8s %8s %7s %8s %8s %9s %7s %11s %11s %10s\n", "method", "ms/frame", "update",
           "cull", "query", "(edits)", "topology", "steady", "box tests", "candidates", "contacts");
    for (uint32_t m = 0; m < t->method_count; m++) {
        const fastcd_summary* s = &t->summaries[m];
        printf("  %-18s %8.2f %8.2f %7.2f %8.2f %8.2f %9.2f %7.2f %11.0f %11.0f %10.0f  ",
               t->methods[m]->name, s->mean, s->update, s->cull, s->detect, s->edit, s->topology,
               s->steady, s->box_pairs, s->candidates, s->contacts);
        if (s->equal)
            printf("equal\n");
        else
            printf("%" PRIu64 " missed\n", s->missed);
        right &= s->equal || !is_sound(t->methods[m]);
    }
    printf("\n");
    return right;
}

bool fastcd_print_json(const fastcd_table* t) {
    bool right = true;
    printf("{\"scene\":\"%s\",\"mode\":\"%s\",\"triangles\":[%u,%u],\"frames\":%u,"
           "\"topology_frames\":%u,\"methods\":[",
           t->scene->name, mode_name(t), t->frames[0].triangles, last_triangles(t), t->frame_count,
           t->topology_frames);
    for (uint32_t m = 0; m < t->method_count; m++) {
        const fastcd_summary* s = &t->summaries[m];
        printf("%s{\"method\":\"%s\",\"mean_ms\":%.4f,\"edit_ms\":%.4f,\"update_ms\":%.4f,\"cull_"
               "ms\":%.4f,"
               "\"query_ms\":%.4f,\"traverse_ms\":%.4f,\"topology_ms\":%.4f,\"steady\":%.4f,"
               "\"box_tests\":%.1f,\"candidates\":%.1f,\"contacts\":%.1f,\"missed\":%" PRIu64
               ",\"equal\":%s}",
               m ? ",\n" : "", t->methods[m]->name, s->mean, s->edit, s->update, s->cull, s->detect,
               s->traverse, s->topology, s->steady, s->box_pairs, s->candidates, s->contacts,
               s->missed, s->equal ? "true" : "false");
        right &= s->equal || !is_sound(t->methods[m]);
    }
    printf("]}");
    return right;
}

void fastcd_csv_header(FILE* out) {
    fprintf(
        out,
        "scene,mode,method,frame,triangles,edits,edit_ms,update_ms,cull_ms,query_ms,contacts\n");
}

void fastcd_csv(FILE* out, const fastcd_table* t) {
    for (uint32_t m = 0; m < t->method_count; m++)
        for (uint32_t f = 0; f < t->frame_count; f++) {
            const fastcd_frame* a = &frames_of(t, m)[f];
            fprintf(out, "%s,%s,%s,%u,%u,%" PRIu64 ",%.4f,%.4f,%.4f,%.4f,%" PRIu64 "\n",
                    t->scene->name, mode_name(t), t->methods[m]->name, f + 1, a->triangles,
                    a->edits, a->ms_edit, a->ms_update - a->ms_cull, a->ms_cull, a->ms_detect,
                    a->contacts);
        }
}
