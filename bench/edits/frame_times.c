// Prints the mean and worst times of torn, back and quiet frames.
#include "edits/frame_times.h"
#include <stdio.h>

static void keep_smaller(double* kept, double value, bool again) {
    if (!again || value < *kept) *kept = value;
}

void frame_times_keep(frame_times* kept, const frame_times* frame, bool again) {
    keep_smaller(&kept->split, frame->split, again);
    keep_smaller(&kept->torn, frame->torn, again);
    keep_smaller(&kept->back, frame->back, again);
    keep_smaller(&kept->quiet, frame->quiet, again);
    keep_smaller(&kept->torn_cull, frame->torn_cull, again);
    keep_smaller(&kept->quiet_cull, frame->quiet_cull, again);
}

typedef struct table_row {
    frame_times mean;
    double worst_torn, worst_quiet, worst_beyond;  // ms
    double torn_rebuild;                           // ms, with cracks
    double rebuild;                                // ms, the smaller of with and without cracks
} table_row;

static table_row row_of(const frame_times_runs* r) {
    table_row row = {0};
    const double share = 1.0 / r->count;
    for (uint32_t f = 0; f < r->count; f++) {
        const frame_times* a = &r->frames[f];
        row.mean.split += share * a->split;
        row.mean.torn += share * a->torn;
        row.mean.back += share * a->back;
        row.mean.quiet += share * a->quiet;
        row.mean.torn_cull += share * a->torn_cull;
        row.mean.quiet_cull += share * a->quiet_cull;
        row.torn_rebuild += share * r->rebuilt[f].quiet;
        if (a->torn > row.worst_torn) row.worst_torn = a->torn;
        if (a->quiet > row.worst_quiet) row.worst_quiet = a->quiet;
        if (f == 0 || a->torn - a->quiet > row.worst_beyond) row.worst_beyond = a->torn - a->quiet;
    }
    bool whole = r->whole_rebuild < row.torn_rebuild;
    row.rebuild = whole ? r->whole_rebuild : row.torn_rebuild;
    return row;
}

static void print_table(const frame_times_title* title, const frame_times_runs* runs,
                        uint32_t run_count) {
    printf("%s: %s of %u triangles, all moving, %u splits per frame, ms (least of %u rounds)\n"
           "  %-12s %7s  %-15s  %-15s %7s %8s  %-13s %7s  %-14s\n"
           "  %-12s %7s  %7s %7s  %7s %7s %7s %8s  %6s %6s %7s  %6s %7s\n",
           title->key, title->what, title->triangles, title->splits, title->rounds, "", "", "torn",
           "quiet", "", "", "beyond, %", "after,", "cracks", "culling", "split", "mean", "worst",
           "mean", "worst", "whole", "rebuild", "mean", "worst", "%", "all", "culling");
    for (uint32_t i = 0; i < run_count; i++) {
        const frame_times_runs* r = &runs[i];
        table_row row = row_of(r);
        const frame_times* m = &row.mean;
        printf("  %-12s %7.3f  %7.2f %7.2f  %7.2f %7.2f %7.2f %8.2f  %6.1f %6.1f %7.1f  %6.2f "
               "%7.2f\n",
               r->cull, m->split, m->torn, row.worst_torn, m->quiet, row.worst_quiet, r->whole,
               row.rebuild, 100 * (m->torn - m->quiet) / row.rebuild,
               100 * row.worst_beyond / row.rebuild, 100 * (m->back - m->quiet) / row.rebuild,
               m->quiet - r->whole, m->quiet_cull - r->whole_cull);
    }
    printf("  target: splits cost at most 10 %% of a rebuild\n\n");
}

static void print_json(const frame_times_title* title, const frame_times_runs* runs,
                       uint32_t run_count) {
    printf("\"%s\":{\"triangles\":%u,\"splits_per_frame\":%u,\"frames\":%u,\"rounds\":%u,"
           "\"wanted_share\":0.1,\"modes\":[",
           title->key, title->triangles, title->splits, runs->count, title->rounds);
    for (uint32_t i = 0; i < run_count; i++) {
        const frame_times_runs* r = &runs[i];
        table_row row = row_of(r);
        const frame_times* m = &row.mean;
        printf("%s{\"cull\":\"%s\",\"split_ms\":%.4f,\"torn_ms\":%.4f,\"worst_torn_ms\":%.4f,"
               "\"back_ms\":%.4f,\"quiet_ms\":%.4f,\"worst_quiet_ms\":%.4f,\"whole_ms\":%.4f,"
               "\"torn_rebuild_ms\":%.4f,"
               "\"whole_rebuild_ms\":%.4f,\"rebuild_ms\":%.4f,\"torn_cull_ms\":%.4f,"
               "\"quiet_cull_ms\":%.4f,\"whole_cull_ms\":%.4f,",
               i ? ",\n" : "", r->cull, m->split, m->torn, row.worst_torn, m->back, m->quiet,
               row.worst_quiet, r->whole, row.torn_rebuild, r->whole_rebuild, row.rebuild,
               m->torn_cull, m->quiet_cull, r->whole_cull);
        printf("\"beyond\":%.4f,\"worst_beyond\":%.4f,\"after\":%.4f,\"cracks_ms\":%.4f,"
               "\"cracks_cull_ms\":%.4f,\"cracks_share\":%.4f}",
               (m->torn - m->quiet) / row.rebuild, row.worst_beyond / row.rebuild,
               (m->back - m->quiet) / row.rebuild, m->quiet - r->whole,
               m->quiet_cull - r->whole_cull, (m->quiet - r->whole) / row.rebuild);
    }
    printf("]}");
}

void frame_times_print(const edits_options* o, const frame_times_title* title,
                       const frame_times_runs* runs, uint32_t run_count) {
    (o->json ? print_json : print_table)(title, runs, run_count);
}
